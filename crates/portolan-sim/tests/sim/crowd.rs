//! Crowds: no agent leaves the free ground, agents keep apart, and every agent that has a way arrives, in the same way in
//! every run.

use portolan::generate::{generate, recipe};
use portolan::{Cell, Corners, HexGrid, Planner, Rules, Snapshot, SquareGrid};
use portolan_sim::Why;
use portolan_sim::crowd::{Crowd, CrowdError, CrowdState, Ground, HexGround, PopulateError, SquareGround};

fn squares(name: &str, side: usize) -> Snapshot {
    let recipe = recipe(name).expect("a known recipe");
    let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are sound");
    generate(recipe, side, side, 3, &settings, Rules::default()).expect("a sound size").into()
}

/// Returns the world of a drawing, in which `#` is blocked.
fn drawn(rows: &[&str]) -> Snapshot {
    let weights: Vec<u8> = rows.concat().bytes().map(|letter| u8::from(letter != b'#')).collect();
    SquareGrid::from_weights(rows[0].len(), rows.len(), &weights, Rules::default()).expect("sound").into()
}

fn crowd_on(world: &Snapshot, name: &str) -> Crowd<SquareGround> {
    let planner = Planner::new(world, name).expect("it suits");
    Crowd::new(SquareGround::new(world.clone()), planner).expect("the planner knows the world")
}

/// Adds agents of three sizes and speeds.
fn populate<G: Ground>(crowd: &mut Crowd<G>, count: usize, seed: u64) {
    for (number, (radius, speed)) in [(0.2, 12.0), (0.3, 4.0), (0.4, 3.0)].into_iter().enumerate() {
        crowd.populate(count / 3, radius, speed, seed + number as u64).unwrap_or_else(|error| panic!("{error}"));
    }
}

/// Lets seconds pass, and asserts in every tick that all agents stand on the ground.
fn pass<G: Ground>(crowd: &mut Crowd<G>, seconds: u32) {
    for _ in 0..seconds * crowd.ticks_per_second() {
        crowd.tick();
        for agent in crowd.agents() {
            assert!(crowd.ground().place_at(agent.footing()).is_some(), "{:?} is no ground", agent.footing());
        }
    }
}

fn arrived<G: Ground>(crowd: &Crowd<G>) -> usize {
    crowd.tally().arrived
}

#[test]
fn crowds_arrive_and_never_leave_the_ground() {
    for (name, algorithm) in [("rooms", "hpa-star"), ("caves", "rhumb"), ("maze", "a-star")] {
        let world = squares(name, 48);
        let mut crowd = crowd_on(&world, algorithm);
        populate(&mut crowd, 120, 5);
        pass(&mut crowd, 60);
        let mut seconds = 60;
        while arrived(&crowd) < 120 && seconds < 600 {
            pass(&mut crowd, 10);
            seconds += 10;
        }
        assert_eq!(arrived(&crowd), 120, "{name} after {seconds} s");
    }
}

#[test]
fn crowds_walk_on_hexes_too() {
    let grid = HexGrid::from_weights(40, 40, &squares("caves", 40).to_weights(), None).expect("a sound size");
    let world = Snapshot::from(grid);
    let planner = Planner::new(&world, "a-star").expect("it suits");
    let mut crowd = Crowd::new(HexGround::new(world.clone()), planner).expect("the planner knows the world");
    populate(&mut crowd, 81, 5);
    pass(&mut crowd, 120);
    assert_eq!(arrived(&crowd), 81);
}

#[test]
fn a_crowd_is_the_same_in_every_run() {
    let world = squares("rooms", 40);
    let run = || {
        let mut crowd = crowd_on(&world, "hpa-star");
        populate(&mut crowd, 150, 8);
        pass(&mut crowd, 20);
        crowd.agents().iter().map(|agent| (agent.at().map(f32::to_bits), agent.state())).collect::<Vec<_>>()
    };
    assert!(run() == run());
}

/// Two agents on one spot, which ORCA alone would part in a random direction.
#[test]
fn agents_on_one_spot_part_in_the_same_way_in_every_run() {
    let world = drawn(&["........."; 9]);
    let run = || {
        let mut crowd = crowd_on(&world, "a-star");
        for _ in 0..3 {
            crowd.add(Cell::new(4, 4), Cell::new(4, 4), 0.3, 1.0).expect("a sound agent");
        }
        pass(&mut crowd, 3);
        crowd.agents().iter().map(|agent| agent.at().map(f32::to_bits)).collect::<Vec<_>>()
    };
    assert_eq!(run(), run());
    assert!(run().iter().any(|&at| at != run()[0]), "they part");
}

/// A circle of agents, each of which wants to go to the other side.
#[test]
fn agents_keep_apart_where_there_is_room() {
    let world = drawn(&["........................................"; 40]);
    let mut crowd = crowd_on(&world, "a-star");
    let ring = [(20, 5), (30, 9), (35, 20), (30, 31), (20, 35), (10, 31), (5, 20), (10, 9)];
    for (number, &from) in ring.iter().enumerate() {
        let to = ring[(number + 4) % 8];
        crowd.add(Cell::from(from), Cell::from(to), 0.4, 2.0).expect("a sound agent");
    }
    let mut nearest = f32::INFINITY;
    for _ in 0..40 {
        pass(&mut crowd, 1);
        for (number, one) in crowd.agents().iter().enumerate() {
            assert_ne!(one.state(), CrowdState::Squeezing);
            for other in &crowd.agents()[..number] {
                let [x, y] = [one.at()[0] - other.at()[0], one.at()[1] - other.at()[1]];
                nearest = nearest.min((x * x + y * y).sqrt());
            }
        }
    }
    assert_eq!(arrived(&crowd), 8);
    assert!(nearest > 0.79, "{nearest} apart, bodies take 0.8");
}

/// In a corridor of one cell, two agents cannot pass each other. Both arrive nevertheless, since one squeezes through.
#[test]
fn agents_squeeze_past_each_other_where_there_is_no_room() {
    let world = drawn(&["################", "#..............#", "################"]);
    let mut crowd = crowd_on(&world, "a-star");
    crowd.add(Cell::new(1, 1), Cell::new(14, 1), 0.4, 2.0).expect("a sound agent");
    crowd.add(Cell::new(14, 1), Cell::new(1, 1), 0.4, 2.0).expect("a sound agent");
    // The third one stands in the way for good.
    crowd.add(Cell::new(8, 1), Cell::new(8, 1), 0.4, 2.0).expect("a sound agent");
    let mut seen = Vec::new();
    for _ in 0..40 {
        pass(&mut crowd, 1);
        seen.push(crowd.agents()[0].state());
    }
    assert_eq!(arrived(&crowd), 3, "{seen:?}");
    assert!(seen.contains(&CrowdState::Squeezing), "{seen:?}");
}

/// Where the rules allow it, two rooms may be joined at a corner only. A body does not fit through; the agent squeezes.
#[test]
fn agents_squeeze_through_corners_that_the_rules_let_them_pass() {
    let rules = Rules { corners: Corners::Loose, ..Rules::default() };
    let weights = [1, 1, 0, 0, 1, 1, 0, 0, 0, 0, 1, 1, 0, 0, 1, 1];
    let world = Snapshot::from(SquareGrid::from_weights(4, 4, &weights, rules).expect("sound"));
    let mut crowd = crowd_on(&world, "a-star");
    crowd.add(Cell::new(0, 0), Cell::new(3, 3), 0.4, 0.5).expect("a sound agent");
    crowd.add(Cell::new(3, 3), Cell::new(0, 0), 0.2, 9.0).expect("a sound agent");
    pass(&mut crowd, 30);
    assert_eq!(arrived(&crowd), 2);
}

#[test]
fn states_say_why_an_agent_stands() {
    let world = drawn(&["....#...", "....#...", "....#..."]);
    let mut crowd = crowd_on(&world, "a-star");
    let cut_off = crowd.add(Cell::new(0, 0), Cell::new(7, 0), 0.3, 2.0).expect("a sound agent");
    let there = crowd.add(Cell::new(1, 2), Cell::new(1, 2), 0.3, 2.0).expect("a sound agent");
    let walking = crowd.add(Cell::new(5, 0), Cell::new(7, 2), 0.3, 2.0).expect("a sound agent");
    assert_eq!(crowd.agents()[walking].state(), CrowdState::WaitingForRoute);
    crowd.tick();
    let states = [cut_off, there, walking].map(|agent| crowd.agents()[agent].state());
    assert_eq!(states, [CrowdState::Stopped(Why::Unreachable), CrowdState::Arrived, CrowdState::Walking]);
    assert_eq!(states.map(CrowdState::name), ["stopped", "arrived", "walking"]);
    crowd.aim(cut_off, Cell::new(3, 2)).expect("it lies on the map");
    pass(&mut crowd, 8);
    assert_eq!(arrived(&crowd), 3);
    assert_eq!(crowd.tick_count(), 8 * 60 + 1);
}

#[test]
fn unsound_agents_are_refused() {
    let world = drawn(&["..#"]);
    let mut crowd = crowd_on(&world, "a-star");
    let (here, there) = (Cell::new(0, 0), Cell::new(1, 0));
    assert!(matches!(crowd.add(Cell::new(2, 0), here, 0.3, 1.0), Err(CrowdError::Place(_))));
    assert!(matches!(crowd.add(here, Cell::new(9, 9), 0.3, 1.0), Err(CrowdError::Place(_))));
    for radius in [0.0, 0.5, f32::NAN] {
        assert!(matches!(crowd.add(here, there, radius, 1.0), Err(CrowdError::Radius(_))));
    }
    for speed in [0.0, 13.0, f32::NAN] {
        assert!(matches!(crowd.add(here, there, 0.3, speed), Err(CrowdError::Speed(_))));
    }
    assert!(crowd.agents().is_empty());
    let other = Planner::new(&squares("caves", 9), "a-star").expect("it suits");
    assert!(Crowd::new(SquareGround::new(world), other).is_err());
}

#[test]
fn a_crowd_is_put_where_there_is_room() {
    let world = drawn(&["..#....", "..#....", "..#...."]);
    let mut crowd = crowd_on(&world, "a-star");
    assert_eq!(crowd.populate(13, 0.3, 1.0, 1), Err(PopulateError::TooMany { most: 12, asked: 13 }));
    assert_eq!(crowd.populate(3, 0.6, 1.0, 1), Err(PopulateError::Agent(CrowdError::Radius(0.6))));
    assert_eq!(crowd.populate(12, 0.3, 1.0, 1), Ok(()));
    let mut starts: Vec<_> = crowd.agents().iter().map(|agent| agent.at().map(f32::to_bits)).collect();
    let mut goals: Vec<_> = crowd.agents().iter().map(|agent| agent.goal().map(f32::to_bits)).collect();
    starts.sort_unstable();
    goals.sort_unstable();
    assert_eq!(starts, goals, "every cell of the larger part is a start and a goal");
    assert!(crowd.agents().iter().all(|agent| agent.at()[0] >= 3.0));
    let tally = crowd.tally();
    assert_eq!((tally.on_the_way, tally.arrived + tally.stuck + tally.no_way + tally.off_the_ground), (12, 0));
}
