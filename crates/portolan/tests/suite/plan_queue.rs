//! The queue that is worked off within the budget of each frame: order, fairness, cancelling, slices, edits and memory.

use crate::worlds::planners;
use portolan::generate::{Random, generate, recipe};
use portolan::{
    Area, Cell, Edit, HexGrid, Outcome, Piece, PlanQueue, Planner, Query, QueryError, Revision, Route, Rules, Scratch,
    Snapshot, Space, SquareGrid, Terrain, TickBudget, Ticket, World,
};

fn made(name: &str, width: usize, height: usize) -> SquareGrid {
    let recipe = recipe(name).expect("a known recipe");
    let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are sound");
    generate(recipe, width, height, 5, &settings, Rules::default()).expect("a sound size")
}

fn random_queries(world: &Snapshot, count: usize, seed: u64) -> Vec<Query> {
    let mut random = Random::new(seed);
    let free: Vec<Cell> = world.cells().filter(|&cell| world.is_free(cell)).collect();
    let mut pick = || free[random.below(free.len() as u64) as usize];
    (0..count).map(|_| Query::new(pick(), pick())).collect()
}

pub(crate) fn submit_all<S: Space>(queue: &mut PlanQueue<S>, queries: &[Query<S::Place>], priority: u8) -> Vec<Ticket> {
    queries.iter().map(|&query| queue.submit(query, priority)).collect()
}

/// Works off the queue with a budget of expansions a tick, and returns all pieces in their order.
pub(crate) fn drain<S: Space>(
    queue: &mut PlanQueue<S>,
    planner: &Planner<S>,
    world: &Snapshot<S>,
    budget: u64,
) -> Vec<Piece<S::Place>> {
    let mut pieces = Vec::new();
    while !queue.is_empty() {
        let ticked = queue.tick(planner, world, TickBudget::Expansions(budget)).expect("nothing was edited");
        assert!(ticked.expansions > 0, "a tick does something while anything waits");
        pieces.extend(std::iter::from_fn(|| queue.next_piece()));
    }
    pieces
}

/// Returns the answers by query: the name of the outcome or the error, and the cells of all pieces together.
pub(crate) fn put_together<S: Space>(pieces: &[Piece<S::Place>], count: usize) -> Vec<(String, Vec<S::Place>)> {
    let mut answers: Vec<(String, Vec<S::Place>)> = vec![(String::new(), Vec::new()); count];
    let mut expected = vec![0; count];
    for piece in pieces {
        let number: usize = piece.ticket.to_string().parse().expect("a ticket is shown as its number");
        if piece.number == 0 {
            (expected[number], answers[number].1) = (0, Vec::new());
        }
        assert_eq!(piece.number, expected[number], "no piece of {number} is missing");
        expected[number] += 1;
        match &piece.answer {
            Ok(outcome) => {
                outcome.name().clone_into(&mut answers[number].0);
                answers[number].1.extend(outcome.route().iter().flat_map(|part| part.cells.iter().copied()));
            }
            Err(error) => answers[number].0 = error.to_string(),
        }
    }
    let done = pieces.iter().filter(|piece| piece.is_last).count();
    assert_eq!(done, count, "every query is done once");
    answers
}

/// Returns what [`Planner::plan`] answers, in the form of [`put_together`].
pub(crate) fn planned<S: Space>(
    planner: &Planner<S>,
    world: &Snapshot<S>,
    query: Query<S::Place>,
) -> (String, Vec<S::Place>) {
    let mut scratch = Scratch::new();
    match planner.plan(world, query, &mut scratch) {
        Err(error) => (error.to_string(), Vec::new()),
        Ok(outcome) => {
            let (name, mut cells) = (outcome.name().to_owned(), Vec::new());
            if let Some(mut route) = outcome.into_route() {
                while let Some(leg) = route.next_leg(planner, world, &mut scratch).expect("nothing has changed") {
                    cells.extend_from_slice(leg);
                }
            }
            (name, cells)
        }
    }
}

#[test]
fn routes_do_not_depend_on_the_budget() {
    let world = Snapshot::from(made("caves", 90, 70));
    let mut queries = random_queries(&world, 24, 3);
    let wall = world.cells().find(|&cell| !world.is_free(cell)).expect("caves have walls");
    queries.push(Query::new(wall, (3, 3)));
    queries.push(Query::new(queries[0].from, (900, 3)));
    queries.push(Query::new(queries[0].from, wall).nearest());
    queries.push(Query::new(queries[1].from, queries[1].to).budget(5));
    for planner in planners(&world).iter().filter(|planner| planner.algorithm().name != "ida-star") {
        let expected: Vec<_> = queries.iter().map(|&query| planned(planner, &world, query)).collect();
        for budget in [1, 7, 250, u64::MAX] {
            let mut queue = PlanQueue::new();
            submit_all(&mut queue, &queries, 0);
            let pieces = drain(&mut queue, planner, &world, budget);
            let told = format!("{} {:?}, {budget} a tick", planner.algorithm().name, planner.settings());
            assert_eq!(put_together::<SquareGrid>(&pieces, queries.len()), expected, "{told}");
        }
    }
}

#[test]
fn whole_routes_are_those_of_find() {
    let world = Snapshot::from(made("rooms", 90, 70));
    let queries = random_queries(&world, 20, 4);
    for name in ["hpa-star", "rhumb", "pra-star", "a-star"] {
        let planner = Planner::new(&world, name).expect("it suits");
        let mut queue = PlanQueue::of_whole_routes();
        submit_all(&mut queue, &queries, 3);
        for piece in drain(&mut queue, &planner, &world, 20) {
            let number: usize = piece.ticket.to_string().parse().expect("a number");
            let outcome = planner.find(&world, queries[number], &mut Scratch::new()).expect("a sound query");
            assert!(piece.is_last);
            let part = piece.answer.expect("a sound query").into_route();
            let route = outcome.into_route();
            assert_eq!(part.as_ref().map(|part| &part.cells[..]), route.as_ref().map(Route::cells));
            assert_eq!(part.and_then(|part| part.cost), route.map(|route| route.cost()));
        }
    }
}

#[test]
fn hexes_have_queues_too() {
    let world: Snapshot<HexGrid> = crate::hex::worlds::made("caves", (60, 50), 2).into();
    let mut random = Random::new(4);
    let mut pick = || crate::hex::worlds::random_free_cell(&mut random, &world).expect("caves have ground");
    let queries: Vec<_> = (0..20).map(|_| Query::new(pick(), pick())).collect();
    let planner = Planner::new(&world, "a-star").expect("it suits");
    let mut queue = PlanQueue::new();
    submit_all(&mut queue, &queries, 0);
    let expected: Vec<_> = queries.iter().map(|&query| planned(&planner, &world, query)).collect();
    assert_eq!(put_together::<HexGrid>(&drain(&mut queue, &planner, &world, 9), queries.len()), expected);
}

/// On open ground without `direct`, HPA* finds routes of many legs.
fn legs_everywhere() -> (Snapshot, Planner) {
    let world = Snapshot::from(made("rooms", 200, 200));
    let planner = crate::worlds::build(&world, "hpa-star", &[("direct", "no")]);
    (world, planner)
}

#[test]
fn first_legs_come_before_any_rest() {
    let (world, planner) = legs_everywhere();
    let queries = random_queries(&world, 300, 8);
    let mut queue = PlanQueue::new();
    for (number, &query) in queries.iter().enumerate() {
        queue.submit(query, (number % 256) as u8);
    }
    let pieces = drain(&mut queue, &planner, &world, 300);
    assert!(pieces.len() > 1000, "routes have legs");
    let first_rest = pieces.iter().position(|piece| piece.number > 0).expect("routes have legs");
    assert!(pieces[first_rest..].iter().all(|piece| piece.number > 0));
}

#[test]
fn a_higher_priority_is_served_sooner_and_equal_ones_in_turn() {
    let world = Snapshot::from(made("caves", 60, 60));
    let planner = Planner::new(&world, "a-star").expect("it suits");
    let mut queue = PlanQueue::new();
    let query = random_queries(&world, 1, 1)[0];
    let tickets: Vec<Ticket> = [0, 0, 7, 3, 7, 0].iter().map(|&priority| queue.submit(query, priority)).collect();
    let order: Vec<Ticket> = drain(&mut queue, &planner, &world, 40).iter().map(|piece| piece.ticket).collect();
    assert_eq!(order, [2, 4, 3, 0, 1, 5].map(|number| tickets[number]));
}

/// More queries of a high priority come in every tick than can be served. One of priority 0 is served nevertheless, after as
/// many of them as the rule says.
#[test]
fn nothing_waits_for_ever_under_overload() {
    let world = Snapshot::from(made("caves", 60, 60));
    let planner = Planner::new(&world, "a-star").expect("it suits");
    let there = Query::new(random_queries(&world, 1, 1)[0].from, random_queries(&world, 1, 1)[0].from);
    let mut queue = PlanQueue::new();
    let patient = queue.submit(there, 0);
    let mut overtaken = 0;
    for _ in 0..100 {
        submit_all(&mut queue, &[there; 4], 5);
        queue.tick(&planner, &world, TickBudget::Expansions(2)).expect("nothing was edited");
        for piece in std::iter::from_fn(|| queue.next_piece()) {
            if piece.ticket == patient {
                assert_eq!(overtaken, 5 * PlanQueue::<SquareGrid>::PER_PRIORITY - 1);
                return;
            }
            overtaken += 1;
        }
    }
    panic!("the first query was never served");
}

/// New queries come in every tick, so that first legs alone would take all of it. The rest of the first route comes
/// nevertheless.
#[test]
fn rests_are_not_held_off_for_ever() {
    let (world, planner) = legs_everywhere();
    let queries = random_queries(&world, 40, 8);
    let mut queue = PlanQueue::new();
    let patient = queue.submit(queries[0], 0);
    for tick in 0..6000 {
        queue.submit(Query::new(queries[0].from, queries[0].from), 0);
        queue.submit(Query::new(queries[0].from, queries[0].from), 0);
        queue.tick(&planner, &world, TickBudget::Expansions(1)).expect("nothing was edited");
        for piece in std::iter::from_fn(|| queue.next_piece()) {
            if piece.ticket == patient && piece.number > 0 {
                assert!(tick > 2000, "first legs come first: {tick}");
                return;
            }
        }
    }
    panic!("the rest never came");
}

#[test]
fn what_is_cancelled_gives_nothing() {
    let (world, planner) = legs_everywhere();
    let queries = random_queries(&world, 30, 9);
    let mut queue = PlanQueue::new();
    let tickets = submit_all(&mut queue, &queries, 0);
    assert!(queue.cancel(tickets[7]));
    assert!(!queue.cancel(tickets[7]), "it was cancelled before");
    // The first search is under way after a tick of one expansion.
    queue.tick(&planner, &world, TickBudget::Expansions(1)).expect("nothing was edited");
    assert!(queue.next_piece().is_none());
    assert!(queue.cancel(tickets[0]));
    while queue.len() > 20 {
        queue.tick(&planner, &world, TickBudget::Expansions(1000)).expect("nothing was edited");
    }
    // Some routes wait for the rest of their legs now, and the first pieces are ready.
    let cancelled: Vec<Ticket> = tickets[8..12].to_vec();
    for &ticket in &cancelled {
        queue.cancel(ticket);
    }
    let pieces = drain(&mut queue, &planner, &world, 100);
    assert!(pieces.iter().all(|piece| !cancelled.contains(&piece.ticket) && piece.ticket != tickets[0]));
    let left: Vec<usize> = (1..7).chain(12..30).collect();
    for number in left {
        let mut cells = Vec::new();
        for piece in pieces.iter().filter(|piece| piece.ticket == tickets[number]) {
            let part = piece.answer.as_ref().expect("a sound query").route();
            cells.extend(part.iter().flat_map(|part| part.cells.iter().copied()));
        }
        assert_eq!(cells, planned(&planner, &world, queries[number]).1);
    }
    assert!(!queue.cancel(tickets[3]), "it is done");
}

/// The world is edited every few ticks. Every query is answered, and the pieces of each answer are those that the world of
/// their revision gives.
#[test]
fn edits_begin_again_what_is_under_way() {
    for (name, settings) in [("hpa-star", &[("direct", "no")][..]), ("rhumb", &[][..]), ("a-star", &[][..])] {
        let mut world = World::from(made("rooms", 120, 120));
        let mut planner = crate::worlds::build(&world, name, settings);
        let queries = random_queries(&world, 40, 12);
        let mut queue = PlanQueue::new();
        let mut random = Random::new(2);
        submit_all(&mut queue, &queries, 0);
        let mut pieces: Vec<Piece> = Vec::new();
        let mut states: Vec<(Revision, Snapshot, Planner)> =
            vec![(world.revision(), world.snapshot(), planner.clone())];
        let mut ticks = 0;
        while !queue.is_empty() {
            queue.tick(&planner, &world, TickBudget::Expansions(if ticks < 40 { 60 } else { 2000 })).expect("repaired");
            pieces.extend(std::iter::from_fn(|| queue.next_piece()));
            ticks += 1;
            if ticks % 8 == 0 && ticks < 40 {
                let (x, y) = (random.below(110) as u16, random.below(110) as u16);
                let edits = [Edit::new(Area { x, y, width: 6, height: 3 }, Terrain::BLOCKED)];
                world.apply(&edits).expect("it lies on the map");
                let stale = queue.tick(&planner, &world, TickBudget::Expansions(9)).expect_err("not yet repaired");
                assert_eq!(stale.built, planner.revision());
                planner.repair(&world, &edits).expect("the edits follow");
                states.push((world.revision(), world.snapshot(), planner.clone()));
            }
        }
        assert!(states.len() > 3 && pieces.iter().any(|piece| piece.revision != pieces[0].revision));
        put_together::<SquareGrid>(&pieces, queries.len());
        for (number, &query) in queries.iter().enumerate() {
            let of_query = |piece: &&Piece| piece.ticket.to_string() == number.to_string();
            let last = pieces.iter().rfind(of_query).expect("every query is answered");
            let cells: Vec<Cell> = pieces
                .iter()
                .filter(of_query)
                .filter(|piece| piece.revision == last.revision)
                .filter_map(|piece| piece.answer.as_ref().ok()?.route())
                .flat_map(|part| part.cells.iter().copied())
                .collect();
            let (_, world, planner) = states.iter().find(|state| state.0 == last.revision).expect("a known state");
            assert_eq!(cells, planned(planner, world, query).1, "{name} {query:?}");
        }
    }
}

/// A refresh can move the lines of a rhumb chart, so that the legs of routes that wait can no longer be refined.
#[test]
fn another_planner_begins_again() {
    let (world, planner) = legs_everywhere();
    let other = crate::worlds::build(&world, "hpa-star", &[("direct", "no"), ("cluster", "11")]);
    let queries = random_queries(&world, 10, 3);
    let mut queue = PlanQueue::new();
    submit_all(&mut queue, &queries, 0);
    let mut pieces = Vec::new();
    while pieces.len() < 15 {
        queue.tick(&planner, &world, TickBudget::Expansions(200)).expect("nothing was edited");
        pieces.extend(std::iter::from_fn(|| queue.next_piece()));
    }
    let before: Vec<Ticket> = pieces.iter().filter(|piece| piece.is_last).map(|piece| piece.ticket).collect();
    pieces.extend(drain(&mut queue, &other, &world, 200));
    let answers = put_together::<SquareGrid>(&pieces, queries.len());
    for (number, &query) in queries.iter().enumerate() {
        let planner = if before.iter().any(|done| done.to_string() == number.to_string()) { &planner } else { &other };
        assert_eq!(answers[number], planned(planner, &world, query));
    }
}

#[test]
fn a_clock_is_asked_before_every_slice() {
    let world = Snapshot::from(made("caves", 90, 90));
    let planner = Planner::new(&world, "dijkstra").expect("it suits");
    let mut queue = PlanQueue::new();
    submit_all(&mut queue, &random_queries(&world, 20, 6), 0);
    let mut ticks = 0;
    while !queue.is_empty() {
        let mut asked = 0;
        let mut time_is_up = || {
            asked += 1;
            asked > 3
        };
        let ticked = queue.tick(&planner, &world, TickBudget::Until(&mut time_is_up)).expect("nothing was edited");
        assert!(ticked.expansions <= 3 * 64);
        ticks += 1;
    }
    assert!(ticks > 20, "{ticks} ticks");
    assert_eq!(std::iter::from_fn(|| queue.next_piece()).count(), 20);
}

/// Ten thousand queries share one scratch, and each takes little memory while it waits.
#[test]
fn ten_thousand_tickets_take_one_scratch() {
    let (world, planner) = legs_everywhere();
    let queries = random_queries(&world, 10_000, 10);
    let mut queue = PlanQueue::new();
    queue.submit(queries[0], 0);
    drain(&mut queue, &planner, &world, u64::MAX);
    let alone = queue.bytes();
    let tickets = submit_all(&mut queue, &queries, 0);
    assert!(queue.bytes() - alone <= 10_000 * 200, "{} bytes a query", (queue.bytes() - alone) / 10_000);
    // Every other query is cancelled; the rest is answered.
    assert!(tickets.iter().step_by(2).all(|&ticket| queue.cancel(ticket)));
    let mut done = 0;
    while !queue.is_empty() {
        queue.tick(&planner, &world, TickBudget::Expansions(50_000)).expect("nothing was edited");
        for piece in std::iter::from_fn(|| queue.next_piece()) {
            assert!(matches!(piece.answer, Ok(Outcome::Reached(_) | Outcome::Unreachable)));
            done += usize::from(piece.is_last);
        }
    }
    assert_eq!(done, 5000);
    // All that waited is freed. What is left besides the scratch is the list of pieces.
    assert!(queue.bytes() <= alone + 4_000_000, "{} bytes", queue.bytes());
}

#[test]
fn errors_end_a_ticket() {
    let world = Snapshot::from(SquareGrid::from_weights(3, 1, &[0, 1, 1], Rules::default()).expect("sound"));
    let planner = Planner::new(&world, "a-star").expect("it suits");
    let mut queue = PlanQueue::new();
    queue.submit(Query::new((0, 0), (2, 0)), 0);
    let pieces = drain(&mut queue, &planner, &world, 5);
    assert_eq!(pieces.len(), 1);
    assert!(pieces[0].is_last);
    assert_eq!(pieces[0].answer, Err(QueryError::StartBlocked(Cell::new(0, 0))));
}
