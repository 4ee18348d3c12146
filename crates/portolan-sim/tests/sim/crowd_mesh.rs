//! Crowds on navigation meshes: floors above each other do not mix, no agent leaves the mesh, and every agent that has a way
//! arrives, in the same way in every run.

use portolan::{MeshEdit, MeshLink, MeshParts, MeshPoint, NavMesh, Planner, Snapshot, Terrain, World};
use portolan_mesh::{BuildOptions, CityOptions, build, city};
use portolan_sim::Why;
use portolan_sim::crowd::{Crowd, CrowdAgent, CrowdError, CrowdState, Footing, Ground, MeshGround, Point};
use std::ops::ControlFlow;

/// Returns the mesh of rectangles, each from one corner to the opposite one, with the heights of its corners.
fn rectangles(all: &[([f64; 2], [f64; 2], [f64; 4])]) -> World<NavMesh> {
    let mut parts = MeshParts::default();
    let mut vertex = |at: [f64; 3]| {
        let known = parts.vertices.iter().position(|other| other.map(f64::to_bits) == at.map(f64::to_bits));
        known.unwrap_or_else(|| {
            parts.vertices.push(at);
            parts.vertices.len() - 1
        }) as u32
    };
    let corners: Vec<[u32; 4]> = all
        .iter()
        .map(|&([left, top], [right, bottom], [a, b, c, d])| {
            [[left, top, a], [right, top, b], [right, bottom, c], [left, bottom, d]].map(&mut vertex)
        })
        .collect();
    for polygon in &corners {
        parts.push(polygon, 1);
    }
    World::from(NavMesh::new(&parts).expect("rectangles are convex"))
}

/// Returns a lower floor, a floor above it, and a ramp from one to the other.
fn two_floors() -> World<NavMesh> {
    let mut all = Vec::new();
    let cell = |x: i32, z: f64| ([f64::from(x), 0.0], [f64::from(x) + 2.0, 2.0], [z; 4]);
    all.extend((0..6).map(|column| cell(2 * column, 0.0)));
    all.extend([([10.0, 2.0], [12.0, 6.0], [0.0, 0.0, 4.0, 4.0]), ([10.0, 6.0], [12.0, 8.0], [4.0; 4])]);
    all.extend([([8.0, 6.0], [10.0, 8.0], [4.0; 4]), ([8.0, 2.0], [10.0, 6.0], [4.0; 4])]);
    all.extend((0..5).map(|column| cell(2 * column, 4.0)));
    rectangles(&all)
}

/// Returns the mesh of a generated city.
fn generated_city() -> Snapshot<NavMesh> {
    let options = CityOptions::new(4, 4).expect("a sound size");
    let parts = build(&city(options, 1), &BuildOptions::default(), &mut |_| ControlFlow::Continue(()));
    let parts = parts.unwrap_or_else(|fault| panic!("{fault}"));
    Snapshot::from(NavMesh::new(&parts).unwrap_or_else(|fault| panic!("{fault}")))
}

fn crowd_on(world: &Snapshot<NavMesh>) -> Crowd<MeshGround> {
    let planner = Planner::new(world, "hna-star").expect("it suits");
    Crowd::new(MeshGround::new(world.clone()), planner).expect("the planner knows the world")
}

fn place(world: &NavMesh, at: [f64; 3]) -> MeshPoint {
    world.point_near(at).expect("a polygon is there")
}

/// Lets seconds pass, and asserts in every tick that all agents stand on the mesh, and on a polygon at their height.
fn pass(crowd: &mut Crowd<MeshGround>, seconds: u32) {
    for _ in 0..seconds * crowd.ticks_per_second() {
        let before: Vec<Footing> = crowd.agents().iter().map(CrowdAgent::footing).collect();
        crowd.tick();
        for (agent, before) in crowd.agents().iter().zip(before) {
            let now = agent.footing();
            assert!(crowd.ground().place_at(now).is_some(), "{now:?} is no ground");
            assert!((now.height - before.height).abs() < 0.5, "{before:?} is far below or above {now:?}");
        }
    }
}

fn apart(a: Point, b: Point) -> f32 {
    ((a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)).sqrt()
}

#[test]
fn agents_on_different_floors_do_not_avoid_each_other() {
    let world = two_floors();
    let mut crowd = crowd_on(&world);
    let [below, from, to] = [[5.0, 1.0, 0.0], [9.0, 1.0, 4.0], [1.0, 1.0, 4.0]].map(|at| place(&world, at));
    crowd.add(below, below, 0.3, 1.5).expect("a sound agent");
    crowd.add(from, to, 0.3, 1.5).expect("a sound agent");
    for _ in 0..8 {
        pass(&mut crowd, 1);
        let [standing, walking] = [0, 1].map(|agent| crowd.agents()[agent].footing());
        assert_eq!((standing.at, standing.height), ([5.0, 1.0], 0.0));
        assert!((walking.at[1] - 1.0).abs() < 1e-3, "{walking:?}");
        assert!((walking.height - 4.0).abs() < 1e-3, "{walking:?}");
    }
    assert_eq!(crowd.tally().arrived, 2);
}

#[test]
fn an_agent_below_its_goal_has_not_arrived_and_walks_up() {
    let world = two_floors();
    let mut crowd = crowd_on(&world);
    crowd.add(place(&world, [1.0, 1.0, 0.0]), place(&world, [1.0, 1.0, 4.0]), 0.3, 1.5).expect("a sound agent");
    pass(&mut crowd, 2);
    assert_eq!(crowd.agents()[0].state(), CrowdState::Walking);
    pass(&mut crowd, 30);
    assert_eq!(crowd.agents()[0].state(), CrowdState::Arrived);
    assert!((crowd.agents()[0].footing().height - 4.0).abs() < 1e-3);
}

#[test]
fn agents_on_one_floor_keep_apart() {
    let world = two_floors();
    let mut crowd = crowd_on(&world);
    let ends = [place(&world, [1.0, 1.0, 0.0]), place(&world, [9.0, 1.0, 0.0])];
    crowd.add(ends[0], ends[1], 0.3, 1.5).expect("a sound agent");
    crowd.add(ends[1], ends[0], 0.3, 1.5).expect("a sound agent");
    let mut nearest = f32::INFINITY;
    for _ in 0..8 * crowd.ticks_per_second() {
        crowd.tick();
        nearest = nearest.min(apart(crowd.agents()[0].at(), crowd.agents()[1].at()));
    }
    assert_eq!(crowd.tally().arrived, 2);
    assert!(nearest > 0.59, "{nearest} apart, bodies take 0.6");
}

/// A wall without breadth, around whose end the routes turn back.
#[test]
fn agents_turn_around_the_end_of_a_wall() {
    // The wall has the first three columns above and below it. Heights of corners keep these apart.
    let across = |column: i32| [f64::from(2 * column), f64::from(2 * column) + 2.0];
    let cell = |column: i32, top: f64, heights| ([across(column)[0], top], [across(column)[1], top + 2.0], heights);
    let mut all: Vec<_> = (0..4).map(|column| cell(column, 0.0, [0.0; 4])).collect();
    all.extend([cell(0, 2.0, [0.25; 4]), cell(1, 2.0, [0.25; 4]), cell(2, 2.0, [0.25, 0.0, 0.25, 0.25])]);
    all.push(cell(3, 2.0, [0.0, 0.0, 0.25, 0.25]));
    let world = rectangles(&all);
    assert_eq!(world.components(), 1);
    let mut crowd = crowd_on(&world);
    let ends = [place(&world, [1.0, 1.9, 0.0]), place(&world, [1.0, 2.1, 0.25])];
    crowd.add(ends[0], ends[1], 0.3, 3.0).expect("a sound agent");
    crowd.add(ends[1], ends[0], 0.3, 3.0).expect("a sound agent");
    pass(&mut crowd, 8);
    let states: Vec<CrowdState> = crowd.agents().iter().map(CrowdAgent::state).collect();
    assert_eq!(states, [CrowdState::Arrived; 2], "{:?}", crowd.agents()[0].footing());
}

#[test]
fn blocked_polygons_are_walls() {
    let mut world = two_floors();
    world.apply(&[MeshEdit::new(3, Terrain::BLOCKED)]).expect("it is a polygon");
    let mut crowd = crowd_on(&world.snapshot());
    crowd.add(place(&world, [1.0, 1.0, 0.0]), place(&world, [9.0, 1.0, 0.0]), 0.3, 1.5).expect("a sound agent");
    pass(&mut crowd, 1);
    assert_eq!(crowd.agents()[0].state(), CrowdState::Stopped(Why::Unreachable));
    let mut walls = Vec::new();
    let beside = Footing { at: [5.5, 1.0], height: 0.0, polygon: 2 };
    crowd.ground().walls_near(beside, 0.6, &mut walls);
    assert_eq!(walls, [[[6.0, 2.0], [6.0, 0.0]]]);
    let stopped = crowd.ground().project(beside, [6.1, 1.0]);
    assert!(stopped.polygon == 2 && stopped.at[0] < 6.0 && stopped.at[0] > 5.99, "{stopped:?}");
}

#[test]
fn unsound_agents_are_refused() {
    let world = two_floors();
    let mut crowd = crowd_on(&world);
    let [from, to] = [place(&world, [1.0, 1.0, 0.0]), place(&world, [9.0, 1.0, 0.0])];
    for radius in [0.0, -1.0, f32::NAN, f32::INFINITY] {
        assert!(matches!(crowd.add(from, to, radius, 1.0), Err(CrowdError::Radius(_))));
    }
    for speed in [0.0, 12.1, f32::NAN] {
        assert!(matches!(crowd.add(from, to, 0.3, speed), Err(CrowdError::Speed(_))));
    }
    assert!(crowd.add(from, to, 0.6, 24.0).is_ok());
}

#[test]
fn crowds_arrive_in_a_city_and_never_leave_the_mesh() {
    let world = generated_city();
    let mut crowd = crowd_on(&world);
    crowd.populate(100, 0.3, 6.0, 5).unwrap_or_else(|error| panic!("{error}"));
    crowd.populate(50, 0.5, 9.0, 6).unwrap_or_else(|error| panic!("{error}"));
    let mut seconds = 0;
    while crowd.tally().arrived < 150 && seconds < 120 {
        pass(&mut crowd, 5);
        seconds += 5;
        assert_eq!(crowd.tally().stuck, 0, "after {seconds} s");
    }
    assert_eq!(crowd.tally().arrived, 150, "after {seconds} s");
    let heights = || crowd.agents().iter().map(|agent| agent.footing().height);
    assert!(heights().any(|height| height < -4.0) && heights().any(|height| height > -1.0), "streets and sunken roads");
}

#[test]
fn a_crowd_is_the_same_in_every_run() {
    let world = generated_city();
    let run = |seed: u64| {
        let mut crowd = crowd_on(&world);
        crowd.populate(80, 0.4, 6.0, seed).unwrap_or_else(|error| panic!("{error}"));
        pass(&mut crowd, 10);
        crowd.agents().iter().map(|agent| (agent.at().map(f32::to_bits), agent.state())).collect::<Vec<_>>()
    };
    assert!(run(8) == run(8));
    assert!(run(8) != run(9));
}

/// Returns two islands with a link from the first to the second, from x 3.5 to x 11, and how much it costs.
fn islands(cost: f64, both_ways: bool) -> World<NavMesh> {
    let square = |x: f64| ([x, 0.0], [x + 4.0, 4.0], [0.0; 4]);
    let mut parts = rectangles(&[square(0.0), square(10.0)]).to_parts();
    parts.links.push(MeshLink { from: [3.5, 2.0, 0.0], to: [11.0, 2.0, 0.0], cost, both_ways });
    World::from(NavMesh::new(&parts).expect("a link between the islands"))
}

#[test]
fn an_agent_is_carried_over_a_link_for_as_long_as_it_costs() {
    let world = islands(6.0, false);
    let mut crowd = crowd_on(&world);
    let [from, to] = [[0.5, 2.0, 0.0], [13.5, 2.0, 0.0]].map(|at| place(&world, at));
    crowd.add(from, to, 0.3, 2.0).unwrap();
    crowd.add(place(&world, [12.5, 0.5, 0.0]), from, 0.3, 2.0).unwrap();
    let (mut on_link, mut states) = (0, Vec::new());
    for _ in 0..8 * crowd.ticks_per_second() {
        crowd.tick();
        let agent = &crowd.agents()[0];
        assert!(crowd.ground().place_at(agent.footing()).is_some());
        if agent.state() == CrowdState::OnLink {
            assert!(
                apart(agent.at(), [3.5, 2.0]) < 0.2 && apart(agent.velocity(), [0.0; 2]) < 0.01,
                "{:?}",
                agent.at()
            );
            on_link += 1;
        }
        if states.last() != Some(&agent.state()) {
            states.push(agent.state());
        }
    }
    assert_eq!(on_link, 3 * crowd.ticks_per_second());
    let expected = [CrowdState::Walking, CrowdState::OnLink, CrowdState::Walking, CrowdState::Arrived];
    assert_eq!(states, expected);
    assert_eq!(crowd.agents()[1].state(), CrowdState::Stopped(Why::Unreachable));
    assert_eq!(crowd.tally().off_the_ground, 0);
}

#[test]
fn many_agents_pass_one_link_in_both_directions() {
    let world = islands(6.0, true);
    let mut crowd = crowd_on(&world);
    for row in 0..5 {
        let y = 0.4 + 0.8 * f64::from(row);
        let [left, right] = [[0.5, y, 0.0], [13.5, y, 0.0]].map(|at| place(&world, at));
        crowd.add(left, right, 0.2, 1.5).unwrap();
        crowd.add(right, left, 0.2, 1.5).unwrap();
    }
    for _ in 0..60 * crowd.ticks_per_second() {
        crowd.tick();
        assert_eq!(crowd.tally().off_the_ground, 0);
    }
    assert_eq!(crowd.tally().arrived, 10, "{:?}", crowd.agents().iter().map(CrowdAgent::state).collect::<Vec<_>>());
}
