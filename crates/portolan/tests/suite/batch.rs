//! Many queries at once: the flat answers are those of one query after another, whatever the number of threads.

use crate::worlds::{on_random_worlds, planners};
use crate::{hex, worlds};
use allocation_counter::measure;
use portolan::any::{AnyBatchScratch, AnyPlanner, AnyScratch, AnySnapshot};
use portolan::generate::{Random, generate, recipe};
use portolan::{
    AnswerKind, Answers, BatchScratch, Cell, Edit, HexCell, Planner, Query, QueryError, Rules, Scratch, Snapshot,
    Space, SquareGrid, Terrain, World,
};

/// Asserts that batches of these queries give what [`Planner::find`] gives for each of them.
pub(crate) fn compare<S: Space>(world: &Snapshot<S>, planner: &Planner<S>, queries: &[Query<S::Place>]) {
    let name = planner.algorithm().name;
    let mut alone = Scratch::new();
    let one_by_one: Vec<_> = queries.iter().map(|&query| planner.find(world, query, &mut alone)).collect();
    let mut answers = Answers::new();
    for threads in [1, 2, 5] {
        let mut scratch = BatchScratch::new(threads);
        let fresh = planner.find_many(world, queries, &mut scratch).expect("the planner knows the world");
        planner.find_many_into(world, queries, &mut scratch, &mut answers).expect("the planner knows the world");
        assert!(answers == fresh, "{name}: a warm scratch of {threads} threads");
        assert_eq!((fresh.len(), fresh.offsets().len()), (queries.len(), queries.len() + 1));
        for (number, expected) in one_by_one.iter().enumerate() {
            let told = format!("{name}, {threads} threads, {:?}", queries[number]);
            assert_eq!(&fresh.outcome::<S>(number), expected, "{told}");
            let route = expected.as_ref().ok().and_then(|outcome| outcome.route());
            assert_eq!(fresh.route(number), route.map_or(&[][..], |route| route.cells()), "{told}");
            assert_eq!(fresh.costs()[number].0, route.map_or(0, |route| route.cost().0), "{told}");
            assert_eq!(fresh.kinds()[number].is_error(), expected.is_err(), "{told}");
        }
        assert_eq!(fresh.offsets().last().copied(), Some(fresh.places().len() as u64));
    }
}

/// Returns random queries over cells on and just off a world of this size: some are equal, some have a budget or go to the
/// nearest cell, some are errors.
fn mixed<P: Copy>(random: &mut Random, size: (usize, usize), place: impl Fn(u16, u16) -> P) -> Vec<Query<P>> {
    let mut queries: Vec<Query<P>> = Vec::new();
    for _ in 0..120 {
        let mut pick = || {
            place(random.below(size.0 as u64 + 1) as u16, random.below(size.1 as u64 + 1).min(size.1 as u64 - 1) as u16)
        };
        let query = Query::new(pick(), pick());
        let earlier = random.below(queries.len() as u64 + 1) as usize;
        queries.push(match random.below(5) {
            0 => query.nearest(),
            1 => query.budget(random.below(30)),
            2 => queries.get(earlier).copied().unwrap_or(query),
            _ => query,
        });
    }
    queries
}

#[test]
fn a_batch_is_one_query_after_another() {
    on_random_worlds(31, 6, |random, world, _| {
        let queries = mixed(random, world.size(), Cell::new);
        for planner in planners(world).iter().filter(|planner| planner.algorithm().name != "ida-star") {
            compare(world, planner, &queries);
        }
    });
}

#[test]
fn a_batch_on_hexes_is_one_query_after_another() {
    let world = hex::worlds::made("caves", (40, 30), 3).into();
    let queries = mixed(&mut Random::new(5), (40, 30), HexCell::at);
    for planner in hex::worlds::planners(&world).iter().filter(|planner| planner.algorithm().name != "ida-star") {
        compare(&world, planner, &queries);
    }
}

fn caves() -> World {
    let caves = recipe("caves").expect("a known recipe");
    let settings = caves.settings::<&str, &str>(&[]).expect("defaults are sound");
    World::from(generate(caves, 200, 150, 7, &settings, Rules::default()).expect("a sound size"))
}

#[test]
fn many_chunks_are_put_together_in_order() {
    let world = caves();
    let mut random = Random::new(9);
    let free: Vec<Cell> = world.cells().filter(|&cell| world.is_free(cell)).collect();
    let mut pick = || free[random.below(free.len() as u64) as usize];
    let mut queries: Vec<Query> = (0..3000).map(|_| Query::new(pick(), pick())).collect();
    queries.extend_from_within(..1500);
    for name in ["rhumb", "hpa-star", "jump-point"] {
        compare(&world, &Planner::new(&world, name).expect("it suits"), &queries);
    }
}

/// A batch in a warm scratch allocates the route of each query, which it frees again, and some bytes for its threads.
#[test]
fn a_warm_batch_allocates_little_more_than_its_routes() {
    let world = caves();
    let free: Vec<Cell> = world.cells().filter(|&cell| world.is_free(cell)).collect();
    let queries: Vec<Query> = (0..500).map(|n| Query::new(free[7 * n], free[free.len() - 1 - 9 * n])).collect();
    for name in ["rhumb", "hpa-star", "jump-point"] {
        let planner = Planner::new(&world, name).expect("it suits");
        let (mut scratch, mut answers) = (BatchScratch::new(1), Answers::new());
        let mut ask =
            || planner.find_many_into(&world, &queries, &mut scratch, &mut answers).expect("it knows the world");
        ask();
        let used = measure(&mut ask);
        assert!(used.count_total <= queries.len() as u64 + 8, "{name}: {} allocations", used.count_total);
        assert_eq!(used.bytes_current, 0, "{name}");
    }
}

#[test]
fn errors_are_told_by_query_and_only_a_stale_planner_fails_the_batch() {
    let mut world = World::from(SquareGrid::clone(&worlds::draw("..#..\n..#..\n..#..", Rules::default())));
    let planner = Planner::new(&world, "a-star").expect("it suits");
    let queries = [
        Query::new((0, 0), (1, 2)),
        Query::new((2, 0), (1, 2)),
        Query::new((0, 0), (9, 9)),
        Query::new((0, 0), (4, 0)),
        Query::new((0, 0), (4, 0)).nearest(),
    ];
    let mut scratch = BatchScratch::new(0);
    assert!(scratch.threads() >= 1);
    let answers = planner.find_many(&world, &queries, &mut scratch).expect("the planner knows the world");
    let kinds = [
        AnswerKind::Reached,
        AnswerKind::StartBlocked,
        AnswerKind::OffMap,
        AnswerKind::Unreachable,
        AnswerKind::Partial,
    ];
    assert_eq!(answers.kinds(), kinds);
    assert_eq!(kinds.map(|kind| kind as u8), [0, 6, 5, 2, 1]);
    assert_eq!(answers.error(1), Some(&QueryError::StartBlocked(Cell::new(2, 0))));
    assert_eq!(answers.error(3), None);
    assert!(planner.find_many(&world, &[], &mut scratch).expect("no queries").is_empty());
    world.apply(&[Edit::new(Cell::new(2, 1), Terrain::GROUND)]).expect("it lies on the map");
    let kept = answers.clone();
    let mut answers = answers;
    let stale = planner.find_many_into(&world, &queries, &mut scratch, &mut answers).expect_err("it was edited");
    assert_eq!((stale.built, stale.asked), (planner.revision(), world.revision()));
    assert!(answers == kept);
}

#[test]
fn a_batch_on_any_kind_names_places_by_column_and_row() {
    let worlds = [AnySnapshot::from(caves().snapshot()), AnySnapshot::from(hex::worlds::made("caves", (60, 40), 3))];
    for world in worlds {
        let algorithm = world.algorithm("a-star").expect("every kind has it");
        let planner = AnyPlanner::build(&world, algorithm, algorithm.settings::<&str, &str>(&[]).expect("defaults"));
        let planner = planner.expect("it suits");
        let mut queries = mixed(&mut Random::new(6), (60, 40), Cell::new);
        queries.push(Query::new((3, 3), (60_000, 60_001)));
        let mut scratch = AnyScratch::new();
        let answers = planner.find_many(&world, &queries, &mut AnyBatchScratch::new(2)).expect("it knows the world");
        for (number, &query) in queries.iter().enumerate() {
            match planner.find(&world, query, &mut scratch) {
                Err(error) => assert_eq!(answers.error(number), Some(&error)),
                Ok(outcome) => {
                    let cells = outcome.route().map_or(&[][..], |route| route.cells());
                    assert_eq!((answers.route(number), answers.error(number)), (cells, None));
                }
            }
        }
        let other = if world.square().is_some() {
            hex::worlds::made("caves", (9, 9), 3).into()
        } else {
            caves().snapshot().into()
        };
        assert!(planner.find_many(&other, &queries, &mut AnyBatchScratch::new(1)).is_err());
    }
}
