//! Many random edits on random worlds, with one agent for each algorithm on the way at once. After every tick, the
//! position and the state of every agent must fit the world: only a buried agent stands on a blocked cell, no agent
//! stays stopped without a reason, and no route leads through a wall.

use crate::{cost, edit};
use portolan::generate::{Kind, Random, generate};
use portolan::{ALGORITHMS, Algorithm, Cell, Edit, Planner, Rules, Snapshot, SquareGrid, World};
use portolan_sim::{Follow, Replan, Sim, State, Walker, Why};

const SIDE: u16 = 24;

fn cell(random: &mut Random) -> Cell {
    Cell::new(random.below(u64::from(SIDE)) as u16, random.below(u64::from(SIDE)) as u16)
}

fn world(seed: u64) -> SquareGrid {
    let kind = [Kind::Noise, Kind::Rooms, Kind::Caves, Kind::Open][seed as usize % 4];
    let settings = kind.recipe().settings::<&str, &str>(&[]).unwrap();
    generate(kind.recipe(), SIDE.into(), SIDE.into(), seed, &settings, Rules::default()).unwrap()
}

/// Returns an edit of a small rectangle that becomes wall or ground, or, if `muddy`, sometimes mud.
fn random_edit(random: &mut Random, muddy: bool) -> Edit {
    let Cell { x, y } = cell(random);
    let mut side = |at: u16| (1 + random.below(4) as u16).min(SIDE - at);
    let (width, height) = (side(x), side(y));
    let weight = match random.below(if muddy { 5 } else { 4 }) {
        0 | 1 => 0,
        2 | 3 => 1,
        _ => 6,
    };
    edit(x, y, width, height, weight)
}

/// Builds a planner with a small search budget, if the algorithm has that setting.
fn hasty(world: &Snapshot, algorithm: &'static Algorithm) -> Planner {
    let has_budget = algorithm.params.iter().any(|param| param.name == "budget");
    let pairs: &[(&str, &str)] = if has_budget { &[("budget", "2000")] } else { &[] };
    Planner::build(world, algorithm, algorithm.settings(pairs).unwrap()).unwrap()
}

/// Asserts that the walker's state is right for the world as it is now. If its planner is out of date, its state may be
/// one for an earlier world, but its steps have to be legal.
fn hold(sim: &Sim, walker: &Walker, before: Cell, place: &str, muddy: bool) {
    let (world, at) = (sim.world(), walker.at());
    assert!(at == before || world.step_cost(before, at).is_some(), "{place}: from {before} to {at}");
    let connected = world.connected(at, walker.to());
    let behind = walker.is_behind();
    match walker.state() {
        State::Walking if behind => assert!(world.is_free(at) && walker.left().first() == Some(&at), "{place}"),
        State::Walking => {
            assert!(connected && walker.left().first() == Some(&at), "{place}");
            assert_eq!(walker.left().last(), Some(&walker.to()), "{place}");
            cost(world.square().unwrap(), walker.left());
        }
        State::Arrived => assert!(at == walker.to() && world.is_free(at), "{place}"),
        State::Stopped(Why::Buried) => assert!(behind || !world.is_free(at), "{place}"),
        State::Stopped(Why::Unreachable) => assert!(behind || world.is_free(at) && !connected, "{place}"),
        State::Stopped(Why::Unsuited(_)) => assert!(muddy, "{place}"),
        State::Stopped(Why::OutOfBudget) => assert!(place.ends_with("ida-star"), "{place}"),
        State::Stopped(Why::TooFar) => panic!("{place}: nothing is that far"),
        State::Stopped(Why::OutOfMemory) => panic!("{place}: small worlds fit"),
    }
}

fn storm(seed: u64, follow: Follow) -> Vec<String> {
    let mut random = Random::new(seed);
    let muddy = seed.is_multiple_of(3);
    let world = World::from(world(seed));
    let planners: Vec<Planner> = ALGORITHMS.iter().map(|algorithm| hasty(&world, algorithm)).collect();
    let mut sim = Sim::new(world);
    let (from, to) = (cell(&mut random), cell(&mut random));
    for (index, planner) in planners.into_iter().enumerate() {
        sim.add(planner, from, to, Replan::NAMED[index % 2].1).unwrap();
        sim.follow(index, follow);
    }
    for _ in 0..60 {
        if random.below(2) == 0 {
            let edits: Vec<Edit> = (0..=random.below(3)).map(|_| random_edit(&mut random, muddy)).collect();
            sim.edit(&edits).unwrap();
        }
        if random.below(20) == 0 {
            let to = cell(&mut random);
            (0..ALGORITHMS.len()).for_each(|walker| sim.aim(walker, to).unwrap());
        }
        let before: Vec<Cell> = sim.walkers().iter().map(Walker::at).collect();
        sim.tick();
        for (index, (walker, before)) in sim.walkers().iter().zip(before).enumerate() {
            let place = format!("seed {seed}, tick {}, {}", sim.tick_count(), sim.planner(index).algorithm().name());
            hold(&sim, walker, before, &place, muddy);
        }
    }
    let lines = |walker: &Walker| walker.log().iter().map(ToString::to_string).collect::<Vec<_>>();
    sim.walkers().iter().flat_map(lines).collect()
}

#[test]
fn every_walker_comes_through_storms() {
    for seed in 0..60 {
        storm(seed, Follow::Repair);
    }
}

#[test]
fn every_walker_comes_through_storms_with_a_planner_behind() {
    for seed in 0..40 {
        storm(seed, Follow::Rebuild { ticks: seed % 6 });
    }
}

#[test]
fn the_same_storm_gives_the_same_logs() {
    for seed in 0..8 {
        for follow in [Follow::Repair, Follow::Rebuild { ticks: 3 }] {
            assert_eq!(storm(seed, follow), storm(seed, follow), "seed {seed}, {follow}");
        }
    }
}

/// Returns why the walker has stopped, or `None` if it walks or has arrived. This does not depend on where it stands.
fn prospect(walker: &Walker) -> Option<Why> {
    match walker.state() {
        State::Walking | State::Arrived => None,
        State::Stopped(why) => Some(why),
    }
}

#[test]
fn both_ways_to_follow_agree_on_what_can_be_reached() {
    let mut compared = [0, 0];
    for seed in 0..150 {
        let mut random = Random::new(1000 + seed);
        let world = World::from(world(seed));
        let planner = Planner::new(&world, "pra-star").unwrap();
        let mut sim = Sim::new(world);
        let (from, to) = (cell(&mut random), cell(&mut random));
        let ticks = random.below(9);
        for (walker, follow) in [Follow::Repair, Follow::Rebuild { ticks }].into_iter().enumerate() {
            sim.add(planner.clone(), from, to, Replan::Touched).unwrap();
            sim.follow(walker, follow);
        }
        for _ in 0..8 {
            // Five ticks with edits, then ticks without edits until the last planner is ready.
            for _ in 0..5 {
                let edits: Vec<Edit> = (0..=random.below(6)).map(|_| random_edit(&mut random, false)).collect();
                sim.edit(&edits).unwrap();
                sim.tick();
            }
            while sim.walkers()[1].is_behind() {
                sim.tick();
            }
            let [repaired, rebuilt] = [&sim.walkers()[0], &sim.walkers()[1]];
            assert_eq!(sim.planner(1).revision(), sim.planner(0).revision(), "seed {seed}");
            let together = sim.world().connected(repaired.at(), rebuilt.at());
            if together {
                assert_eq!(prospect(repaired), prospect(rebuilt), "seed {seed}, tick {}", sim.tick_count());
                compared[usize::from(prospect(repaired).is_some())] += 1;
            }
        }
    }
    assert!(compared.iter().all(|&times| times > 100), "{compared:?}: often enough to mean something");
}
