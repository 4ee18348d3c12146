//! Tens of thousands of edits, one after the other: repaired charts stay equal to charts built anew, and find a route
//! wherever there is one.

use crate::worlds::{all_rules, build, random_free_cell};
use portolan::generate::{Random, generate, recipe};
use portolan::{Area, Edit, Outcome, Query, Rules, Scratch, Terrain, World};

/// Number of edits to each chart, divided among all rules.
const EDITS: usize = 50_000;
/// Number of edits from one comparison with a chart built anew to the next.
const LOOK: usize = 40;

/// Returns a world of caves.
pub(crate) fn made(rules: Rules, seed: u64) -> World {
    let recipe = recipe("caves").expect("a known recipe");
    let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are sound");
    World::from(generate(recipe, 61, 45, seed, &settings, rules).expect("a sound size"))
}

/// Returns an edit of at most 3 × 3 cells that blocks them, frees them or, unless `uniform`, makes them heavy.
fn patch(random: &mut Random, world: &World, uniform: bool) -> Edit {
    let below = |random: &mut Random, most: usize| random.below(most as u64) as u16;
    let (x, y) = (below(random, world.width()), below(random, world.height()));
    let (width, height) = (1 + below(random, 3), 1 + below(random, 3));
    let width = width.min(world.width() as u16 - x);
    let height = height.min(world.height() as u16 - y);
    let weight = match random.below(5) {
        0..2 => 0,
        2 if !uniform => 4,
        _ => 1,
    };
    Edit::new(Area { x, y, width, height }, Terrain::of_weight(weight))
}

#[test]
fn fifty_thousand_edits_leave_charts_as_new() {
    let variants: [(&str, &[(&str, &str)]); 3] =
        [("pra-star", &[]), ("pra-star", &[("limit", "2"), ("corridor", "0")]), ("minimal-memory", &[("sector", "8")])];
    let rules = all_rules();
    for (seed, &rules_here) in rules.iter().enumerate() {
        let mut random = Random::new(seed as u64 + 11);
        let mut world = made(rules_here, seed as u64);
        let mut planners = variants.map(|(name, settings)| build(&world, name, settings));
        let mut scratch = Scratch::new();
        for round in 0..EDITS / rules.len() {
            let edits = [patch(&mut random, &world, seed % 2 == 0)];
            world.apply(&edits).expect("it lies on the world");
            for planner in &mut planners {
                planner.repair(&world, &edits).expect("it suits every world");
            }
            let ends = [(); 2].map(|()| random_free_cell(&mut random, &world));
            let [Some(from), Some(to)] = ends else { continue };
            let query = Query::new(from, to);
            for planner in &planners {
                let name = planner.algorithm().name;
                let outcome = planner.find(&world, query, &mut scratch).expect("a sound query");
                assert_eq!(world.connected(from, to), matches!(outcome, Outcome::Reached(_)), "{name} {from} {to}");
                if let Some(route) = outcome.route() {
                    route.check(&world).unwrap_or_else(|error| panic!("{name}: {error}"));
                }
            }
            if round % LOOK == 0 {
                for planner in &planners {
                    let anew = planner.anew(&world).expect("it suits every world");
                    let [shown, fresh] =
                        [planner, &anew].map(|planner| (planner.outline(&world), planner.census(&world)));
                    assert!(shown.0.is_ok() && shown == fresh, "{}", planner.algorithm().name);
                }
            }
        }
    }
}
