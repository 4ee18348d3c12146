//! Random worlds, profiles and edits: after each edit, every view is what its definition says, and every answer in it is
//! right.

use super::{Land, Model, judge, random_profile};
use portolan::generate::Random;
use portolan::{HexGrid, Influence, Planner, Profile, SquareGrid, World};

/// Plays a world with three views through some rounds of edits and returns how many answers were judged.
fn play<S: Land>(seed: u64, number: usize, most: u64, queries: usize) -> usize {
    let mut random = Random::new(seed * 1_000_003 + number as u64);
    let mut model = Model::random::<S>(&mut random, number, most);
    let mut world: World<S> = model.world();
    let layer = world.add_layer().expect("memory for a small layer");
    let profiles: Vec<Profile> = (0..3).map(|_| random_profile::<S>(&mut random, layer)).collect();
    let mut planners: Vec<Option<Planner<S>>> = vec![None, None, None];
    let mut answers = 0;
    for round in 0..6 {
        for (profile, planner) in profiles.iter().zip(&mut planners) {
            answers += judge(&model, &world, profile, planner, &mut random, queries);
        }
        if round % 3 == 2 {
            let changes: Vec<Influence> = (0..2)
                .map(|_| Influence::new(model.random_area(&mut random, 6), random.below(60) as i32 - 20))
                .collect();
            world.influence(layer, &changes).expect("changes on the grid");
            for change in &changes {
                model.influence(change);
            }
        } else {
            let size = if random.below(8) == 0 { 40 } else { 3 };
            let edits: Vec<_> = (0..=random.below(3)).map(|_| model.random_edit(&mut random, size)).collect();
            world.apply(&edits).expect("edits on the grid");
            for edit in &edits {
                model.apply(edit);
            }
        }
    }
    answers
}

#[test]
fn views_are_what_their_definition_says_and_answers_in_them_are_right() {
    let squares: usize = (0..60).map(|number| play::<SquareGrid>(5, number, 30, 4)).sum();
    let hexes: usize = (0..60).map(|number| play::<HexGrid>(6, number, 30, 4)).sum();
    println!("{squares} answers on squares, {hexes} on hexes");
    assert!(squares > 3000 && hexes > 3000);
}

#[test]
#[ignore = "a million answers take minutes"]
fn a_million_answers_in_views_are_right() {
    let next = std::sync::atomic::AtomicUsize::new(0);
    let answers = std::sync::atomic::AtomicUsize::new(0);
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while answers.load(std::sync::atomic::Ordering::Relaxed) < 1_000_000 {
                    let number = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
                    let more = if number % 3 == 2 {
                        play::<HexGrid>(8, number, 45, 12)
                    } else {
                        play::<SquareGrid>(7, number, 45, 12)
                    };
                    answers.fetch_add(more, std::sync::atomic::Ordering::Relaxed);
                }
            });
        }
    });
    println!("{} answers judged on {} worlds", answers.into_inner(), next.into_inner());
}
