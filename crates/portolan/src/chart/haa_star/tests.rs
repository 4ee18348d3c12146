//! What a planner would hide by an exact search: that the chart itself leads wherever there is a way, for every class of
//! agents on it and after edits.

use super::*;
use crate::generate::Random;
use crate::{Corners, Directions, Footing, Profile, Rules, Snapshot, Terrain, World};

/// Returns the settings of small clusters, with which nothing is walked to without the chart.
fn settings(cluster: &str) -> Settings {
    ALGORITHM.settings(&[("cluster", cluster), ("direct", "no"), ("smoothing", "none")]).expect("sound settings")
}

fn random_world(random: &mut Random, rules: Rules) -> World {
    let (width, height) = (1 + random.below(40) as usize, 1 + random.below(30) as usize);
    let blocked = random.below(35);
    let heaviest = 1 + random.below(3);
    let weight = |random: &mut Random| if random.chance(blocked) { 0 } else { 1 + random.below(heaviest) as u8 };
    let weights: Vec<u8> = (0..width * height).map(|_| weight(random)).collect();
    let kinds: Vec<u8> = (0..width * height).map(|_| random.below(4) as u8 / 2).collect();
    let grid = SquareGrid::from_weights(width, height, &weights, rules).expect("a sound size");
    World::from(grid.with_kinds(&kinds).expect("one for each cell"))
}

/// Asks the chart for ways between random cells that are connected, and returns how many it has found.
fn ask(method: &HaaStar, view: &Snapshot, random: &mut Random) -> usize {
    let free: Vec<Cell> = view.cells().filter(|&cell| view.is_free(cell)).collect();
    let mut scratch = Scratch::new();
    let mut found = 0;
    for _ in 0..if free.is_empty() { 0 } else { 8 } {
        let [from, to] = [0, 1].map(|_| free[random.below(free.len() as u64) as usize]);
        if from == to || view.component(from) != view.component(to) {
            continue;
        }
        let task = Task { grid: &**view, from, to };
        scratch.trail.clear();
        method.begin(task, &mut scratch);
        let end = method.step(task, &mut scratch, &mut { u64::MAX }, None);
        let Some(End::Found(cost)) = end else { panic!("no way from {from} to {to}: {end:?}") };
        let steps = scratch.trail.windows(2).map(|step| view.step_cost(step[1], step[0]).expect("legal steps").0);
        assert_eq!(steps.sum::<u32>(), cost);
        assert_eq!((scratch.trail.first(), scratch.trail.last()), (Some(&to), Some(&from)));
        found += 1;
    }
    found
}

#[test]
fn the_chart_leads_wherever_there_is_a_way_for_every_class() {
    let profiles = [
        Profile::new(),
        Profile::square(2).expect("sound"),
        Profile::square(3).expect("sound").with(1, Footing::Percent(250)),
        Profile::new().with(1, Footing::FORBIDDEN),
    ];
    let mut random = Random::new(2008);
    let mut found = 0;
    for round in 0..120 {
        let corners = Corners::NAMED[round % 3].1;
        let directions = if round % 5 == 0 { Directions::Four } else { Directions::Eight };
        let mut world = random_world(&mut random, Rules { directions, corners, metric: None });
        let plain = HaaStar::new(&world, &settings(["3", "7", "10"][round % 3]));
        let mut methods: Vec<(Profile, HaaStar)> = profiles
            .iter()
            .map(|profile| (profile, plain.on_this_chart(world.view(profile).expect("sound")).expect("room")))
            .map(|(profile, method)| (profile.clone(), method))
            .collect();
        for _ in 0..4 {
            for (profile, method) in &methods {
                found += ask(method, world.view(profile).expect("sound"), &mut random);
            }
            let (x, y) = (random.below(world.width() as u64) as u16, random.below(world.height() as u64) as u16);
            let terrain = Terrain::of_weight(random.below(3) as u8).with_kind(random.below(2) as u8);
            let before: Vec<_> =
                profiles.iter().map(|profile| world.view(profile).expect("sound").revision()).collect();
            world.apply(&[Edit::new(Cell { x, y }, terrain)]).expect("on the map");
            for ((profile, method), before) in methods.iter_mut().zip(before) {
                let view = world.view(profile).expect("sound");
                method.repair(view, &view.edits_since(before).expect("not forgotten"));
            }
        }
    }
    assert!(found > 5000, "{found}");
}

#[test]
fn what_classes_have_in_common_is_kept_once() {
    let rocks: Vec<u8> = (0..120 * 90).map(|at| u8::from(at % 17 > 0)).collect();
    let world = World::from(SquareGrid::from_weights(120, 90, &rocks, Rules::default()).expect("a sound size"));
    let plain = HaaStar::new(&world, &settings("10"));
    let alone = plain.shared.read().bytes();
    // The ground of nothing is forbidden to it, so that this agent sees what all see.
    let same = world.view(&Profile::new().with(9, Footing::FORBIDDEN)).expect("sound");
    let other = plain.on_this_chart(same).expect("room");
    assert_eq!(plain.shared.read().bytes(), alone);
    assert_ne!(plain.class.bit, other.class.bit);
    drop(other);
    let seen = world.view(&Profile::square(2).expect("sound")).expect("sound");
    let giant = plain.on_this_chart(seen).expect("room");
    let both = plain.shared.read().bytes();
    assert!(alone < both && 2 * both < 3 * alone, "{alone} and {both}");
    drop(giant);
    for _ in 0..40 {
        plain.on_this_chart(seen).expect("a class that is gone leaves its place");
        let bytes = plain.shared.read().bytes();
        assert!(bytes - both < both - alone, "a class that is gone leaves nothing: {bytes} after {alone} and {both}");
    }
}
