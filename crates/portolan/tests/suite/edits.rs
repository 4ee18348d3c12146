//! Edit scripts: after every edit a repaired planner searches exactly as a planner built for the edited world does, and
//! the edited world equals one built from its terrain.

use crate::oracle::costs_from;
use crate::random_worlds::check;
use crate::worlds::{all_rules, build, picture, planners, random_free_cell, random_world};
use portolan::generate::{Random, generate, recipe};
use portolan::probe::Trace;
use portolan::{
    Area, Cell, Change, Corners, Edit, Outcome, Planner, Query, QueryError, RepairError, Rules, Scratch, Space,
    SquareGrid, Stale, Terrain, World,
};

/// Returns a world with the terrain and rules of this one, built from its weights.
fn rebuilt(world: &World) -> World {
    let weights: Vec<u8> = world.cells().map(|cell| world.terrain(cell).weight()).collect();
    let rules = Rules { metric: Some(world.metric()), ..world.rules() };
    SquareGrid::from_weights(world.width(), world.height(), &weights, rules).expect("a sound size").into()
}

/// Returns one to three edits of at most 4 × 4 cells: ground and walls, with weights up to 5 unless `uniform`.
pub(crate) fn random_edits<S: Space>(random: &mut Random, world: &World<S>, uniform: bool) -> Vec<Edit> {
    let (columns, rows) = world.size();
    (0..=random.below(3))
        .map(|_| {
            let (x, y) = (random.below(columns as u64) as u16, random.below(rows as u64) as u16);
            let room = |at: u16, side: usize| (side as u64 - u64::from(at)).min(4);
            let width = 1 + random.below(room(x, columns)) as u16;
            let height = 1 + random.below(room(y, rows)) as u16;
            let weight = if uniform { random.below(2) } else { random.below(6) };
            Edit::new(Area { x, y, width, height }, Terrain::of_weight(weight as u8))
        })
        .collect()
}

#[test]
fn a_repaired_planner_answers_as_a_fresh_one() {
    let (mut scratch, mut fresh_scratch) = (Scratch::new(), Scratch::new());
    for rules in all_rules() {
        let mut random = Random::new(41);
        for _ in 0..40 {
            let start = random_world(&mut random, rules);
            let uniform = start.uniform_weight() == Some(1);
            let weights: Vec<u8> = start.cells().map(|cell| start.terrain(cell).weight()).collect();
            let rules = Rules { metric: Some(start.metric()), ..rules };
            let grid = SquareGrid::from_weights(start.width(), start.height(), &weights, rules).expect("sound");
            let mut world = World::from(grid);
            let mut repaired = planners(&world);
            for _ in 0..8 {
                let edits = random_edits(&mut random, &world, uniform);
                world.apply(&edits).expect("sound edits");
                let anew = rebuilt(&world);
                for planner in &mut repaired {
                    planner.repair(&world, &edits).unwrap_or_else(|error| panic!("{error}: {}", picture(&world)));
                }
                let Some(from) = random_free_cell(&mut random, &world) else { continue };
                let to = random_free_cell(&mut random, &world).expect("there is one");
                let truth = costs_from(&world, from)[usize::from(to.y) * world.width() + usize::from(to.x)];
                for (planner, fresh) in repaired.iter().zip(planners(&anew)) {
                    check(&world, planner, from, to, truth, &mut scratch);
                    // `refresh` computes again what repairs leave out: landmarks, and the places of a rhumb chart's
                    // lines. After it the planner searches exactly as the fresh one does.
                    let mut planner = planner.clone();
                    planner.refresh(&world).expect("it knows this world");
                    let (mut trace, mut fresh_trace) = (Trace::default(), Trace::default());
                    let query = Query::new(from, to);
                    let mended = planner.watch(&world, query, &mut scratch, &mut trace);
                    let built = fresh.watch(&anew, query, &mut fresh_scratch, &mut fresh_trace);
                    assert_eq!(mended, built, "{}", planner.algorithm().name);
                    assert_eq!(trace, fresh_trace, "{} on {}", planner.algorithm().name, picture(&world));
                }
            }
        }
    }
}

/// On small worlds a repair builds the whole index anew, so that this test needs a larger world.
#[test]
fn a_repaired_planner_answers_as_a_fresh_one_on_a_larger_world() {
    let caves = recipe("caves").expect("a known recipe");
    let settings = caves.settings::<&str, &str>(&[]).expect("defaults are sound");
    let mut scratch = Scratch::new();
    for corners in Corners::NAMED.map(|(_, corners)| corners) {
        let rules = Rules { corners, ..Rules::default() };
        let mut world = World::from(generate(caves, 170, 130, 3, &settings, rules).expect("a sound size"));
        let mut random = Random::new(9);
        let mut repaired = planners(&world);
        let names = ["jump-point", "jump-graph", "hpa-star", "dhpa-star", "pra-star", "minimal-memory", "rhumb"];
        repaired.retain(|planner| names.contains(&planner.algorithm().name));
        for _ in 0..25 {
            let edits = random_edits(&mut random, &world, true);
            world.apply(&edits).expect("sound edits");
            let anew = rebuilt(&world);
            for planner in &mut repaired {
                planner.repair(&world, &edits).expect("it can follow");
                let from = random_free_cell(&mut random, &world).expect("caves have ground");
                let query = Query::new(from, random_free_cell(&mut random, &world).expect("caves have ground"));
                let cost = |outcome: Result<Outcome, QueryError>| Some(outcome.ok()?.route()?.cost());
                let mut watch = |world: &World, planner: &Planner| {
                    let mut trace = Trace::default();
                    (planner.watch(world, query, &mut scratch, &mut trace), trace)
                };
                let mended = watch(&world, planner);
                let fresh = watch(&anew, &planner.anew(&anew).expect("it suits"));
                // After an edit a repaired jump graph has no landmarks, but one built anew has: events may differ,
                // costs may not.
                if planner.algorithm().name == "jump-graph" {
                    assert_eq!(cost(mended.0), cost(fresh.0));
                } else {
                    assert!(mended == fresh, "{} repaired and built anew", planner.algorithm().name);
                }
                // `refresh` computes landmarks again and moves the lines of a rhumb chart to where `build` places them
                // now.
                let mut planner = planner.clone();
                planner.refresh(&world).expect("it knows this world");
                let built = Planner::build(&anew, planner.algorithm(), planner.settings().clone()).expect("it suits");
                let (mended, fresh) = (watch(&world, &planner), watch(&anew, &built));
                assert!(mended == fresh, "{} refreshed and built", planner.algorithm().name);
            }
        }
    }
}

/// An edit voids landmarks. Searches without them must find routes of equal cost.
#[test]
fn landmarks_change_no_cost() {
    let mut scratch = Scratch::new();
    for (kind, seed) in ["rooms", "caves", "maze", "noise"].into_iter().zip(0..) {
        let mut random = Random::new(seed);
        let recipe = recipe(kind).expect("a known recipe");
        let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are sound");
        let mut world = World::from(generate(recipe, 90, 70, seed, &settings, Rules::default()).expect("a sound size"));
        for heuristic in ["natural", "manhattan", "euclidean"] {
            let settings = [("landmarks", "16"), ("heuristic", heuristic)];
            let mut planner = build(&world, "a-star", &settings);
            let edits = random_edits(&mut random, &world, true);
            world.apply(&edits).expect("sound edits");
            planner.repair(&world, &edits).expect("it follows");
            let fresh = build(&world, "a-star", &settings);
            for _ in 0..60 {
                let [from, to] = [(); 2].map(|()| random_free_cell(&mut random, &world).expect("there is ground"));
                let mut cost = |planner: &Planner| {
                    let found = planner.find(&world, Query::new(from, to), &mut scratch).expect("a sound query");
                    found.route().map(portolan::Route::cost)
                };
                assert_eq!(cost(&planner), cost(&fresh), "{heuristic} from {from} to {to} on {}", picture(&world));
            }
        }
    }
}

#[test]
fn legs_kept_from_before_an_edit_are_those_a_fresh_planner_finds() {
    let mut random = Random::new(12);
    let mut scratch = Scratch::new();
    let weights: Vec<u8> = (0..60 * 60).map(|_| u8::from(random.below(100) >= 15)).collect();
    let grid = SquareGrid::from_weights(60, 60, &weights, Rules::default()).expect("a sound size");
    let mut world = World::from(grid);
    let mut planner = Planner::new(&world, "hpa-star").expect("it suits");
    let ends: Vec<_> = (0..40).map(|_| [(); 2].map(|()| random_free_cell(&mut random, &world))).collect();
    let queries: Vec<_> = ends.iter().map(|ends| ends.map(|cell| cell.expect("there is one"))).collect();
    // Weight 7 in one corner turns the whole world from uniform to weighted, and weight 1 turns it back to uniform.
    for weight in [7, 1] {
        for [from, to] in &queries {
            planner.find(&world, Query::new(*from, *to), &mut scratch).expect("a sound query");
        }
        let edits = [Edit::new(Cell::new(0, 0), Terrain::of_weight(weight))];
        world.apply(&edits).expect("a sound edit");
        planner.repair(&world, &edits).expect("the edit it missed");
        let anew = rebuilt(&world);
        let fresh = Planner::new(&anew, "hpa-star").expect("it suits");
        for [from, to] in &queries {
            let query = Query::new(*from, *to);
            assert_eq!(planner.find(&world, query, &mut scratch), fresh.find(&anew, query, &mut scratch));
        }
    }
}

#[test]
fn snapshots_stay_as_they_were_while_the_world_moves_on() {
    let mut random = Random::new(3);
    let mut world = World::from(SquareGrid::open(30, 20, Rules::default()).expect("a sound size"));
    let mut held = vec![];
    for round in 0..200 {
        let edits = random_edits(&mut random, &world, round < 100);
        world.apply(&edits).expect("sound edits");
        let terrain: Vec<Terrain> = world.cells().map(|cell| world.terrain(cell)).collect();
        // A round keeps a snapshot, drops all that were kept, takes one and drops it at once, or takes none.
        match random.below(4) {
            0 => held.push((world.snapshot(), terrain)),
            1 => held.clear(),
            2 => drop(world.snapshot()),
            _ => {}
        }
        let anew = rebuilt(&world);
        for cell in world.cells() {
            assert_eq!(world.terrain(cell), anew.terrain(cell), "round {round}");
        }
        for (snapshot, terrain) in &held {
            assert!(snapshot.cells().zip(terrain).all(|(cell, &was)| snapshot.terrain(cell) == was), "round {round}");
        }
    }
}

#[test]
fn other_edits_than_the_world_has_seen_are_refused() {
    let mut random = Random::new(6);
    let mut world = World::from(SquareGrid::open(60, 50, Rules::default()).expect("a sound size"));
    let mut planner = Planner::new(&world, "rhumb").expect("it suits");
    let planned = planner.plan(&world, Query::new((1, 1), (50, 40)), &mut Scratch::new()).expect("a sound query");
    let mut route = planned.into_route().expect("open ground");
    let edits: Vec<Edit> = (0..30).flat_map(|_| random_edits(&mut random, &world, true)).collect();
    world.apply(&edits).expect("sound edits");
    let other = Edit::new(Cell::new(59, 49), Terrain::BLOCKED);
    let mut wrong = vec![vec![other; edits.len()], edits[1..].to_vec(), [&edits[..], &[other]].concat()];
    wrong.push(edits.iter().rev().copied().collect());
    for place in 0..edits.len() {
        let mut edits = edits.clone();
        let weight = edits[place].terrain().expect("an edit of terrain").weight();
        edits[place].change = Change::Terrain(Terrain::of_weight(weight + 1));
        wrong.push(edits.clone());
        edits[place] = other;
        wrong.push(edits);
    }
    for wrong in wrong {
        assert!(matches!(planner.repair(&world, &wrong), Err(RepairError::Gap { .. })));
        assert!(!route.survives(&planner, &world, &wrong));
    }
    planner.repair(&world, &edits).expect("the edits it missed");
    // Edits applied one by one lead to the revision that they lead to when applied at once, so that one repair can take
    // them all.
    let mut other = Planner::new(&world, "rhumb").expect("it suits");
    let more = [(0, 0), (59, 0)].map(|corner| Edit::new(Cell::from(corner), Terrain::BLOCKED));
    for edit in more {
        world.apply(&[edit]).expect("a sound edit");
    }
    other.repair(&world, &more).expect("the edits it missed");
}

#[test]
fn stale_planners_and_bad_edits_are_errors() {
    let mut world = World::from(SquareGrid::open(8, 8, Rules::default()).expect("a sound size"));
    let before = world.snapshot();
    let mut planner = Planner::new(&world, "jump-point").expect("it suits");
    let mut scratch = Scratch::new();
    let query = Query::new((0, 0), (7, 7));
    let wall = Edit::new(Cell::new(3, 3), Terrain::BLOCKED);

    let outside = Edit::new(Area { x: 6, y: 0, width: 3, height: 1 }, Terrain::BLOCKED);
    assert!(world.apply(&[wall, outside]).is_err());
    assert!(world.is_free(Cell::new(3, 3)), "nothing is applied when one edit is at fault");
    assert!(world.apply(&[Edit::new(Area { x: 0, y: 0, width: 0, height: 1 }, Terrain::BLOCKED)]).is_err());

    planner.begin(&world, query, &mut scratch).expect("a sound query");
    world.apply(&[wall]).expect("a sound edit");
    assert!(matches!(planner.find(&world, query, &mut Scratch::new()), Err(QueryError::Stale { .. })));
    assert!(matches!(planner.step(&world, &mut scratch, 1), Err(QueryError::Stale { .. })));
    assert!(matches!(planner.repair(&world, &[]), Err(RepairError::Gap { .. })));
    assert!(matches!(planner.refresh(&world), Err(RepairError::Gap { .. })));
    assert!(matches!(planner.find(&before, query, &mut scratch), Ok(Outcome::Reached(_))), "the old world still works");
    planner.repair(&world, &[wall]).expect("the edit it missed");
    assert!(matches!(planner.find(&world, query, &mut scratch), Ok(Outcome::Reached(_))));

    planner.begin(&world, query, &mut scratch).expect("a sound query");
    planner.refresh(&world).expect("it knows this world");
    assert!(matches!(planner.step(&world, &mut scratch, 1), Err(QueryError::NothingBegun)), "guided otherwise now");

    let mud = [Edit::new(Cell::new(1, 1), Terrain::of_weight(9))];
    world.apply(&mud).expect("a sound edit");
    assert!(matches!(planner.repair(&world, &mud), Err(RepairError::Unsuited(_))));
}

#[test]
fn a_stale_planner_says_so_when_asked_for_its_chart() {
    let mut world = World::from(SquareGrid::open(40, 40, Rules::default()).expect("a sound size"));
    let mut planners = planners(&world);
    let built = world.revision();
    let wall = [Edit::new(Cell::new(3, 3), Terrain::BLOCKED)];
    world.apply(&wall).expect("a sound edit");
    for planner in &mut planners {
        let name = planner.algorithm().name;
        let stale = Stale { built, asked: world.revision() };
        assert_eq!(planner.outline(&world), Err(stale), "{name}");
        assert_eq!(planner.census(&world), Err(stale), "{name}");
        assert_eq!(planner.tree(&world, Cell::new(20, 20)), Err(stale), "{name}");
        planner.repair(&world, &wall).expect("the edit it missed");
        assert!(planner.outline(&world).is_ok() && planner.census(&world).is_ok(), "{name}");
        assert!(planner.tree(&world, Cell::new(20, 20)).is_ok(), "{name}");
    }
}
