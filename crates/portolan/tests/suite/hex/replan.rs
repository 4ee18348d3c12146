//! Searches that stay alive on hexes, with every algorithm: an agent walks while cells are blocked, opened and weighted.
//! What is left of its route is legal and costs what it was planned for, and a route just planned is as cheap as promised.

use super::oracle::costs_from;
use super::worlds::{planners, random_free_cell, random_grid};
use crate::edits::random_edits;
use crate::worlds::Pictured;
use portolan::generate::Random;
use portolan::{HexGrid, Planner, Progress, Replanner, Scratch, World};

#[test]
fn a_living_route_on_hexes_is_legal_and_as_cheap_as_promised() {
    let mut scratch = Scratch::new();
    let (mut planned, mut repriced) = (0, 0);
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let mut world = World::from(random_grid(&mut random));
        let [Some(from), Some(to)] = [(); 2].map(|()| random_free_cell(&mut random, &world)) else { continue };
        let agent = |planner: Planner<HexGrid>| (planner, Replanner::<HexGrid>::new(from, to));
        let mut agents: Vec<_> = planners(&world).into_iter().map(agent).collect();
        for _ in 0..10 {
            let edits = random_edits(&mut random, &world, false);
            world.apply(&edits).expect("sound edits");
            for (planner, agent) in &mut agents {
                planner.repair(&world, &edits).expect("it follows");
                agent.edited(planner, &world, &edits);
                let at = agent.at();
                if !world.is_free(at) {
                    continue;
                }
                let progress = loop {
                    match agent.step(planner, &world, &mut scratch, 7).expect("a sound query") {
                        Progress::Working => {}
                        done => break done,
                    }
                };
                let about = || format!("{progress:?}: {} on {}", planner.algorithm().name, world.picture());
                let prices: Option<u64> =
                    agent.left().windows(2).map(|step| Some(u64::from(world.step_cost(step[0], step[1])?.0))).sum();
                assert_eq!(prices, Some(agent.cost()), "{}", about());
                let truth = costs_from(&world, at).get(&to).copied();
                if let (Progress::Planned { same }, Some(truth)) = (progress, truth) {
                    let bound = planner.promise(&world).bound();
                    assert!(agent.cost() >= truth, "{}", about());
                    assert!(bound.is_infinite() || agent.cost() as f64 <= truth as f64 * bound + 1e-9, "{}", about());
                    (planned, repriced) = (planned + 1, repriced + usize::from(!same));
                }
                if let Some((next, price)) = agent.next_step() {
                    assert_eq!(world.step_cost(at, next), Some(price), "{}", about());
                    agent.moved(next);
                }
            }
        }
    }
    assert!(planned > 2000 && repriced > 500, "{planned} planned, {repriced} of them new");
}
