//! Threads that share planners and a snapshot give equal answers to equal queries, while another thread edits the
//! world.

use crate::worlds::planners;
use portolan::generate::{Random, generate, recipe};
use portolan::{Cell, Edit, Outcome, Planner, Query, Route, Rules, Scratch, Snapshot, Space, Terrain, World};

/// Asserts that four threads get the answers that one alone gets, while the world is edited 500 times.
pub(crate) fn agree<S: Space>(
    mut world: World<S>,
    planners: impl Fn(&Snapshot<S>) -> Vec<Planner<S>>,
    free: &[S::Place],
    edit: impl Fn(S::Place, Terrain) -> S::Edit,
) {
    let before = world.snapshot();
    let mut random = Random::new(8);
    let mut pick = || free[random.below(free.len() as u64) as usize];
    let queries: Vec<Query<S::Place>> = (0..60).map(|_| Query::new(pick(), pick())).collect();
    let planners = planners(&before);
    let answer = || -> Vec<Outcome<Route<S>>> {
        let mut scratch = Scratch::new();
        let mut ask = |planner: &Planner<S>, query| planner.find(&before, query, &mut scratch).expect("a sound query");
        let asked = planners.iter().flat_map(|planner| queries.iter().map(move |&query| (planner, query)));
        asked.map(|(planner, query)| ask(planner, query)).collect()
    };
    let alone = answer();
    std::thread::scope(|scope| {
        let others: Vec<_> = (0..4).map(|_| scope.spawn(answer)).collect();
        for (i, &place) in free.iter().enumerate().take(500) {
            let terrain = if i % 2 == 0 { Terrain::BLOCKED } else { Terrain::GROUND };
            world.apply(&[edit(place, terrain)]).unwrap_or_else(|error| panic!("a sound edit: {error}"));
        }
        for other in others {
            assert_eq!(other.join().expect("no panic"), alone);
        }
    });
}

#[test]
fn threads_share_a_planner_and_agree() {
    let caves = recipe("caves").expect("a known recipe");
    let settings = caves.settings::<&str, &str>(&[]).expect("defaults are sound");
    let world = World::from(generate(caves, 120, 90, 1, &settings, Rules::default()).expect("a sound size"));
    let free: Vec<Cell> = world.cells().filter(|&cell| world.is_free(cell)).collect();
    agree(world, planners, &free, Edit::new);
}
