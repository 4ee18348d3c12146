//! Field D*: a field that was corrected after edits gives the routes of a fresh one, and routes are not much longer than they
//! could be, with weights and without.

use crate::living::{SCRIPTS, start, tick};
use crate::oracle::costs_from;
use crate::worlds::{all_rules, build, picture, random_free_cell};
use portolan::generate::Random;
use portolan::probe::Stats;
use portolan::{Outcome, Planner, Progress, Query, Replanner, Rules, Scratch, SquareGrid, World};

#[test]
fn a_corrected_field_gives_the_routes_of_a_fresh_one() {
    let (mut scratch, mut checked, mut work) = (Scratch::new(), 0, [0; 2]);
    for (seed, rules) in all_rules().into_iter().cycle().take(1200).enumerate() {
        let mut random = Random::new(seed as u64);
        let Some((mut world, [mut at, mut to])) = start(&mut random, rules) else { continue };
        let mut planner = Planner::new(&world, "field-d-star").expect("it runs anywhere");
        let (mut agent, mut laid) = (Replanner::new(at, to), Vec::new());
        for turn in 0..12 {
            let edits = tick(&mut random, &world, SCRIPTS[seed % 3], [at, to], &mut laid);
            world.apply(&edits).expect("sound edits");
            if random.below(16) == 0 {
                to = random_free_cell(&mut random, &world).unwrap_or(to);
            }
            planner.repair(&world, &edits).expect("it follows");
            agent.edited(&planner, &world, &edits);
            agent.aim(to);
            let [mut repaired, mut fresh] = [Stats::default(); 2];
            let progress = agent.watch_step(&planner, &world, &mut scratch, u64::MAX, &mut repaired);
            let outcome = planner.watch(&world, Query::new(at, to), &mut scratch, &mut fresh);
            let about = || format!("seed {seed}, turn {turn}: {at} to {to} on {}", picture(&world));
            // Each corner is expanded at most twice.
            let corners = ((world.width() + 1) * (world.height() + 1)) as u64;
            assert!(repaired.expanded <= 2 * corners, "{} expanded: {}", repaired.expanded, about());
            match (progress.expect("a sound query"), outcome.expect("a sound query")) {
                (Progress::Planned { .. } | Progress::Kept, Outcome::Reached(route)) => {
                    route.check(&world).unwrap_or_else(|error| panic!("{error}: {}", about()));
                    assert_eq!(agent.left(), route.into_steps(&world), "{}", about());
                    checked += 1;
                }
                (Progress::Unreachable, Outcome::Unreachable) => {}
                other => panic!("{other:?} {}", about()),
            }
            if turn > 0 {
                work = [work[0] + repaired.expanded, work[1] + fresh.expanded];
            }
            if let Some((next, _)) = agent.next_step() {
                at = next;
                agent.moved(at);
            }
        }
    }
    println!("{checked} routes, {work:?} corners expanded for repairs and by fresh searches");
    assert!(checked > 5000 && 2 * work[0] < work[1], "{checked} routes, {work:?}");
}

/// Returns a world with patches of weights.
fn patches(random: &mut Random, rules: Rules) -> World {
    let (width, height) = (30 + random.below(30) as usize, 30 + random.below(30) as usize);
    let mut weights = vec![1; width * height];
    for _ in 0..12 {
        let (x, y) = (random.below(width as u64) as usize, random.below(height as u64) as usize);
        let (w, h, weight) = (1 + random.below(14) as usize, 1 + random.below(14) as usize, random.below(7) as u8);
        for row in y..(y + h).min(height) {
            weights[row * width + x..row * width + (x + w).min(width)].fill(weight);
        }
    }
    World::from(SquareGrid::from_weights(width, height, &weights, rules).expect("a sound size"))
}

#[test]
fn routes_over_weighted_ground_cost_less_than_steps_and_not_much_more_than_theirs_ever() {
    let (mut scratch, mut sums, mut worst) = (Scratch::new(), [0; 3], 0.0_f64);
    for (rules, seed) in all_rules().into_iter().zip(70..) {
        let mut random = Random::new(seed);
        for _ in 0..60 {
            let world = patches(&mut random, rules);
            let Some(from) = random_free_cell(&mut random, &world) else { continue };
            let truth = costs_from(&world, from);
            let planners = ["field-d-star", "theta-star"].map(|name| build(&world, name, &[]));
            for _ in 0..10 {
                let Some(to) = random_free_cell(&mut random, &world).filter(|&to| to != from) else { continue };
                let Some(least) = truth[usize::from(to.y) * world.width() + usize::from(to.x)] else { continue };
                let [field, theta] = [0, 1].map(|index| {
                    let outcome = planners[index].find(&world, Query::new(from, to), &mut scratch);
                    let Ok(Outcome::Reached(route)) = outcome else { panic!("they are connected") };
                    route.check(&world).unwrap_or_else(|error| panic!("{error} on {}", picture(&world)));
                    u64::from(route.cost().0)
                });
                sums = [sums[0] + field, sums[1] + theta, sums[2] + least];
                worst = worst.max(field as f64 / least as f64);
            }
        }
    }
    let [field, theta] = [sums[0], sums[1]].map(|sum| sum as f64 / sums[2] as f64);
    println!("{field:.4} of the steps' cost, Theta* {theta:.4}; {worst:.4} at worst");
    assert!(field < 0.97 && field < 1.01 * theta && worst < 1.2, "{field}, Theta* {theta}, {worst} at worst");
}
