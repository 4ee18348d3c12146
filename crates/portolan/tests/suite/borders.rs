//! Worlds with walls between cells and one-way borders, squares and hexes alike: every algorithm that runs on them keeps its
//! promise, before and after edits; all others refuse them; and what is connected is what the oracle reaches.
//!
//! Not here: worlds of terrain alone, which all other tests are about.

mod clusters;
pub(crate) mod model;

use crate::random_worlds::check;
use crate::worlds::all_rules;
use model::{Brings, Kind, Model, assert_same};
use portolan::generate::Random;
use portolan::{
    Area, Border, BuildError, Cell, Cost, Edit, EditError, Extras, Field, FleeMap, HexGrid, Motion, Outcome, Planner,
    Progress, Query, RepairError, Replanner, Route, Rules, Scratch, Side, Space, SquareGrid, Terrain, World,
};
use std::collections::BTreeMap;

const ALL: [Brings; 4] = [Brings::Walls, Brings::OneWays, Brings::Links, Brings::OneWayLinks];

/// Runs a test on random worlds of a kind, with borders of which some are closed, and on the model of each.
pub(crate) fn on_worlds<S: Kind>(
    seed: u64,
    count: usize,
    most: u64,
    mut test: impl FnMut(&mut Random, World<S>, Model, Brings),
) {
    let rules = if S::HEX { vec![Rules::default()] } else { all_rules() };
    for rules in rules {
        let mut random = Random::new(seed);
        for round in 0..count {
            let mut model = Model::random::<S>(&mut random, most, rules);
            let mut world = S::world(&model);
            let brings = ALL[round % 4];
            let many = 1 + random.below(1 + model.weights.len() as u64 / 8);
            let edits: Vec<Edit> = (0..many).map(|_| model.random_edit(&mut random, brings)).collect();
            model.apply_all(&edits);
            world.apply(&edits).expect("sound edits");
            test(&mut random, world, model, brings);
        }
    }
}

/// Returns one to three random edits, which have been applied to the model and to the world.
pub(crate) fn edited<S: Kind>(
    random: &mut Random,
    world: &mut World<S>,
    model: &mut Model,
    brings: Brings,
) -> Vec<Edit> {
    let edits: Vec<Edit> = (0..=random.below(3)).map(|_| model.random_edit(random, brings)).collect();
    model.apply_all(&edits);
    world.apply(&edits).expect("sound edits");
    edits
}

fn steps_and_parts<S: Kind>(seed: u64, count: usize, most: u64) {
    on_worlds::<S>(seed, count, most, |random, mut world, mut model, brings| {
        for _ in 0..4 {
            assert_same(&world, &model);
            let Some(from) = model.random_free_cell(random) else { break };
            let (there, back) = (model.costs_from(&[from]), model.costs_to(&[from]));
            for cell in model.cells() {
                let [a, b] = [from, cell].map(S::at);
                let (reaches, returns) = (there.contains_key(&cell), back.contains_key(&cell));
                assert_eq!(world.reaches(a, b), reaches, "{from} to {cell} on\n{model}");
                assert_eq!(world.reaches(b, a), returns, "{cell} to {from} on\n{model}");
                let are_one = world.component(a).is_some() && world.component(a) == world.component(b);
                assert_eq!(are_one, reaches && returns, "{from} and {cell} on\n{model}");
            }
            let to = model.random_cell(random);
            let nearest = world.nearest_reachable(S::at(from), S::at(to)).expect("the start is free");
            assert!(there.keys().any(|&cell| S::at(cell) == nearest), "{nearest} from {from} on\n{model}");
            assert!(!there.contains_key(&to) || nearest == S::at(to));
            edited(random, &mut world, &mut model, brings);
        }
    });
}

#[test]
fn steps_and_connected_parts_of_squares_are_those_of_the_oracle() {
    steps_and_parts::<SquareGrid>(1, 60, 20);
    steps_and_parts::<SquareGrid>(2, 3, 150);
}

#[test]
fn steps_and_connected_parts_of_hexes_are_those_of_the_oracle() {
    steps_and_parts::<HexGrid>(3, 120, 20);
    steps_and_parts::<HexGrid>(4, 6, 150);
}

/// Returns how many answers were compared.
fn promises<S: Kind>(seed: u64, count: usize, most: u64) -> usize {
    let mut scratch = Scratch::new();
    let (mut walled, mut answers) = (0, 0);
    on_worlds::<S>(seed, count, most, |random, mut world, mut model, brings| {
        let mut planners = S::planners(&world);
        for _ in 0..3 {
            walled += usize::from(world.extras() != Extras::Nothing);
            let Some(from) = model.random_free_cell(random) else { break };
            let truth = model.costs_from(&[from]);
            for _ in 0..3 {
                let to = model.random_cell(random);
                answers += planners.len();
                for planner in &planners {
                    check(&world, planner, S::at(from), S::at(to), truth.get(&to).copied(), &mut scratch);
                }
            }
            let edits = edited(random, &mut world, &mut model, brings);
            planners.retain_mut(|planner| match planner.repair(&world, &edits) {
                Ok(_) => true,
                Err(error) => {
                    assert!(matches!(error, RepairError::Unsuited(_)), "{error}");
                    assert!(planner.algorithm().suits(&world).is_err());
                    false
                }
            });
            for planner in &planners {
                let fresh = planner.anew(&world).expect("it suits");
                let query = Query::new(S::at(from), S::at(model.random_cell(random)));
                let answers = [planner, &fresh].map(|planner| planner.find(&world, query, &mut scratch));
                let [Ok(repaired), Ok(anew)] = &answers else { continue };
                // A repair drops the landmarks of A* and of jump graphs, without which they may find another route of that cost.
                let is_same = if matches!(planner.algorithm().name, "a-star" | "jump-graph") {
                    repaired.route().map(Route::cost) == anew.route().map(Route::cost)
                } else {
                    repaired == anew
                };
                assert!(is_same, "{answers:?}: {} on\n{model}", planner.algorithm().name);
            }
        }
    });
    assert!(walled > count, "often enough to mean something");
    answers
}

#[test]
fn algorithms_keep_their_promise_on_squares_with_borders() {
    promises::<SquareGrid>(10, 60, 24);
}

#[test]
fn algorithms_keep_their_promise_on_hexes_with_borders() {
    promises::<HexGrid>(11, 100, 24);
}

/// Every algorithm either runs on a world or says what it needs, and the exact ones run on all.
fn refusals<S: Kind>() {
    for border in [Border::Closed, Border::Out] {
        let mut world = S::world(&Model::random::<S>(&mut Random::new(6), 20, Rules::default()));
        let mut planners = S::planners(&world);
        let wall = [Edit::border(Cell::new(0, 0), Side::East, border)];
        let before = world.revision();
        world.apply(&wall).expect("it lies on the map");
        assert_eq!(world.edits_since(before).as_deref(), Some(&wall[..]));
        for planner in &mut planners {
            let algorithm = planner.algorithm();
            let runs = algorithm.extras >= world.extras();
            assert_eq!(planner.repair(&world, &wall).is_ok(), runs, "{}", algorithm.name);
            match Planner::new(&world, algorithm.name) {
                Ok(_) => assert!(runs, "{}", algorithm.name),
                Err(BuildError::Unsuited(error)) => {
                    assert!(!runs && error.to_string().contains("without"), "{error}");
                }
                Err(error) => panic!("{error}"),
            }
        }
        assert!(Planner::new(&world, "a-star").is_ok() && Planner::new(&world, "d-star-lite").is_ok());
    }
}

#[test]
fn what_cannot_do_with_borders_refuses_them() {
    refusals::<SquareGrid>();
    refusals::<HexGrid>();
    let mut world = World::from(SquareGrid::open(9, 9, Rules::default()).expect("a sound size"));
    world.apply(&[Edit::border(Cell::new(3, 3), Side::South, Border::Closed)]).expect("it lies on the map");
    for name in ["jump-point", "jump-graph", "anya", "theta-star"] {
        let error = Planner::new(&world, name).err().expect("it refuses").to_string();
        assert_eq!(error, format!("{name} needs a world without walls between cells, links and one-way borders"));
    }
}

#[test]
fn edits_of_borders_at_fault_change_nothing() {
    let mut squares = World::from(SquareGrid::open(8, 6, Rules::default()).expect("a sound size"));
    let mut hexes = World::from(HexGrid::open(8, 6, None).expect("a sound size"));
    let sound = Edit::border(Cell::new(1, 1), Side::East, Border::Closed);
    let before = (squares.revision(), hexes.revision());
    let slanted = Edit::border(Cell::new(1, 1), Side::NorthEast, Border::Closed);
    assert_eq!(squares.apply(&[sound, slanted]), Err(EditError::NoSuchSide(Side::NorthEast)));
    let upright = Edit::border(Cell::new(1, 1), Side::North, Border::Closed);
    assert_eq!(hexes.apply(&[sound, upright]), Err(EditError::NoSuchSide(Side::North)));
    let area = Area { x: 7, y: 0, width: 2, height: 1 };
    let off = Edit::border(area, Side::East, Border::Closed);
    assert_eq!(squares.apply(&[sound, off]), Err(EditError::OffMap { area, width: 8, height: 6 }));
    assert_eq!((squares.revision(), hexes.revision()), before);
    assert_eq!(squares.extras(), Extras::Nothing);
}

#[test]
fn a_world_whose_borders_open_again_is_one_of_terrain_alone() {
    let mut world = World::from(SquareGrid::open(70, 70, Rules::default()).expect("a sound size"));
    let (before, component) = (world.bytes(), world.component(Cell::new(3, 3)));
    let area = Area { x: 20, y: 0, width: 1, height: 70 };
    world.apply(&[Edit::border(area, Side::West, Border::In)]).expect("it lies on the map");
    assert_eq!(world.extras(), Extras::OneWays);
    assert!(world.reaches(Cell::new(0, 0), Cell::new(60, 9)) && !world.reaches(Cell::new(60, 9), Cell::new(0, 0)));
    world.apply(&[Edit::border(area, Side::West, Border::Closed)]).expect("it lies on the map");
    assert_eq!(world.extras(), Extras::Walls);
    assert!(world.bytes() > before);
    let shifted = Area { x: 19, ..area };
    world.apply(&[Edit::border(shifted, Side::East, Border::Open)]).expect("it lies on the map");
    assert_eq!((world.extras(), world.bytes(), world.component(Cell::new(3, 3))), (Extras::Nothing, before, component));
    assert!(Planner::new(&world, "jump-point").is_ok());
}

fn living<S: Kind>(seed: u64, count: usize) {
    let mut scratch = Scratch::new();
    let mut planned = 0;
    on_worlds::<S>(seed, count, 16, |random, mut world, mut model, brings| {
        let [Some(from), Some(to)] = [(); 2].map(|()| model.random_free_cell(random)) else { return };
        let agent = |planner: Planner<S>| (planner, Replanner::new(S::at(from), S::at(to)));
        let mut agents: Vec<_> = S::planners(&world).into_iter().map(agent).collect();
        for _ in 0..10 {
            let edits = if random.below(2) == 0 { edited(random, &mut world, &mut model, brings) } else { vec![] };
            let aim = (random.below(8) == 0).then(|| model.random_free_cell(random)).flatten();
            agents.retain_mut(|(planner, replanner)| {
                if planner.repair(&world, &edits).is_err() {
                    return false;
                }
                replanner.edited(planner, &world, &edits);
                if let Some(aim) = aim {
                    replanner.aim(S::at(aim));
                }
                let at = model.cells().find(|&cell| S::at(cell) == replanner.at()).expect("it is on the map");
                let to = model.cells().find(|&cell| S::at(cell) == replanner.to()).expect("it is on the map");
                let truth = model.costs_from(&[at]).get(&to).copied();
                let about = || format!("{} from {at} to {to} on\n{model}", planner.algorithm().name);
                let progress = loop {
                    match replanner.step(planner, &world, &mut scratch, 9) {
                        Ok(Progress::Working) => {}
                        done => break done,
                    }
                };
                let price = |step: &[S::Place]| Some(u64::from(world.segment(step[0], step[1], Motion::Steps)?.0));
                let walked: Option<u64> = replanner.left().windows(2).map(price).sum();
                match progress {
                    Ok(Progress::Planned { .. } | Progress::Kept) => {
                        let (cost, truth) = (walked.expect("legal steps"), truth.expect("a way"));
                        let lines = planner.motion() == Motion::AnyAngle;
                        let bound = if lines { f64::INFINITY } else { planner.promise(&world).bound() };
                        let within = bound.is_infinite() || cost as f64 <= truth as f64 * bound + 1e-9;
                        let is_new = matches!(progress, Ok(Progress::Planned { .. }));
                        assert!(cost >= truth && (within || !is_new), "{cost}, least {truth}: {}", about());
                        planned += 1;
                    }
                    Ok(Progress::Unreachable) => assert_eq!(truth, None, "{}", about()),
                    Ok(Progress::OutOfBudget) => assert_eq!(planner.algorithm().name, "ida-star"),
                    Err(_) => assert!(!model.is_free(at), "{}", about()),
                    other => panic!("{other:?}: {}", about()),
                }
                if let Some((next, _)) = replanner.next_step() {
                    replanner.moved(next);
                }
                true
            });
        }
    });
    assert!(planned > 1000, "{planned}");
}

#[test]
fn living_searches_follow_edits_of_borders_on_squares() {
    living::<SquareGrid>(20, 16);
}

#[test]
fn living_searches_follow_edits_of_borders_on_hexes() {
    living::<HexGrid>(21, 30);
}

/// Asserts that a flee map leads away by the costs of its dangers: each cost is the least that its steps allow.
fn assert_flees<S: Kind>(world: &World<S>, model: &Model, field: &Field<S>, scratch: &mut Scratch<S>) {
    let flee = FleeMap::new(world, field, 120, scratch).expect("a sound percent");
    let costs: BTreeMap<Cell, u32> =
        model.cells().filter_map(|cell| Some((cell, flee.cost(world, S::at(cell)).expect("fresh")?.0))).collect();
    for (&cell, &cost) in &costs {
        let offers = model.steps(cell).into_iter().filter_map(|(to, edge)| Some(u64::from(*costs.get(&to)?) + edge));
        assert!(offers.min().is_none_or(|least| u64::from(cost) <= least), "{cell} on\n{model}");
        if let Some(next) = flee.next(world, S::at(cell)).expect("fresh") {
            let ways = model.steps(cell).into_iter().filter(|&(to, _)| S::at(to) == next);
            let step = ways.min_by_key(|way| way.1).expect("a legal step");
            assert_eq!(u64::from(costs[&step.0]) + step.1, u64::from(cost), "{cell} on\n{model}");
        }
    }
}

fn fields<S: Kind>(seed: u64, count: usize) {
    let mut scratch = Scratch::new();
    on_worlds::<S>(seed, count, 24, |random, mut world, mut model, brings| {
        let goals: Vec<Cell> = (0..=random.below(3)).filter_map(|_| model.random_free_cell(random)).collect();
        let places: Vec<S::Place> = goals.iter().map(|&goal| S::at(goal)).collect();
        let Ok(mut field) = Field::new(&world, &places, None, &mut scratch) else { return };
        for _ in 0..5 {
            let truth = model.costs_to(&goals);
            for cell in model.cells() {
                let cost = field.cost(&world, S::at(cell)).expect("fresh").map(|cost| u64::from(cost.0));
                assert_eq!(cost, truth.get(&cell).copied(), "{cell} on\n{model}");
                let route = field.descend(&world, S::at(cell)).expect("fresh");
                route.inspect(|route| route.check(&world).unwrap_or_else(|error| panic!("{error} on\n{model}")));
            }
            assert_flees(&world, &model, &field, &mut scratch);
            let edits = edited(random, &mut world, &mut model, brings);
            if field.repair(&world, &edits, &mut scratch).is_err() {
                assert!(goals.iter().any(|&goal| !model.is_free(goal)));
                return;
            }
            assert!(field == Field::new(&world, &places, None, &mut scratch).expect("sound goals"), "on\n{model}");
        }
    });
}

#[test]
fn fields_cost_what_the_oracle_says_before_and_after_edits_of_borders() {
    fields::<SquareGrid>(30, 40);
    fields::<HexGrid>(31, 80);
}

#[test]
fn links_at_fault_change_nothing() {
    let mut world = World::from(SquareGrid::open(30, 20, Rules::default()).expect("a sound size"));
    let revision = world.revision();
    let sound = Edit::link((1, 1), (25, 15), Cost(100), true);
    let (from, off) = (Cell::new(3, 3), Cell::new(30, 3));
    for (edit, error) in [
        (Edit::link(from, off, Cost(5), false), EditError::LinkToNowhere { from, to: off }),
        (Edit::link(from, from, Cost(5), false), EditError::LinkToNowhere { from, to: from }),
        (Edit::link(from, (4, 9), Cost(0), false), EditError::LinkCost(Cost(0))),
        (Edit::link(from, (4, 9), Cost(u32::MAX), true), EditError::LinkCost(Cost(u32::MAX))),
    ] {
        assert_eq!(world.apply(&[sound, edit]), Err(error));
        assert_eq!((world.revision(), world.extras()), (revision, Extras::Nothing));
    }
    let many: Vec<Edit> = (0..101).map(|i| Edit::link((i % 30, 10 + i / 30), (0, 0), Cost(9), false)).collect();
    assert_eq!(world.apply(&many), Err(EditError::TooManyLinks));
    world.apply(&many[..100]).expect("as many as there may be");
    assert_eq!(world.apply(&many[100..]), Err(EditError::TooManyLinks));
    world.apply(&many[..7]).expect("they are there already");
    assert_eq!(world.links().count(), 100);
}

#[test]
fn a_link_is_taken_where_it_is_worth_it_and_rests_where_an_end_is_blocked() {
    let mut world = World::from(SquareGrid::open(60, 20, Rules::default()).expect("a sound size"));
    let mut planner = Planner::new(&world, "a-star").expect("it suits");
    let mut scratch = Scratch::new();
    let mut after = |world: &mut World, edit: Edit| {
        world.apply(&[edit]).expect("sound");
        planner.repair(world, &[edit]).expect("it follows");
        let outcome = planner.find(world, Query::new((2, 9), (57, 9)), &mut scratch).expect("a sound query");
        let route = outcome.into_route().expect("open ground");
        route.check(world).expect("a legal route");
        (route.steps(), route.length(world))
    };
    let price = world.metric().straight();
    assert_eq!(after(&mut world, Edit::link((5, 9), (50, 9), Cost(4 * price), false)), (11, 14.0));
    assert_eq!(after(&mut world, Edit::new(Cell::new(50, 9), Terrain::BLOCKED)).0, 55);
    assert_eq!(after(&mut world, Edit::new(Cell::new(50, 9), Terrain::GROUND)), (11, 14.0));
    assert_eq!(after(&mut world, Edit::unlink((5, 9), (50, 9), false)), (55, 55.0));
    assert_eq!(world.extras(), Extras::Nothing);
}

#[test]
fn other_rules_leave_borders_where_they_are() {
    let mut world = World::from(SquareGrid::open(12, 9, Rules::default()).expect("a sound size"));
    let fence = Edit::border(Area { x: 5, y: 0, width: 1, height: 9 }, Side::East, Border::Closed);
    world.apply(&[fence, Edit::new(Cell::new(2, 2), Terrain::BLOCKED)]).expect("sound edits");
    for rules in all_rules() {
        let other = World::from(world.with_rules(rules));
        assert_eq!(other.border(Cell::new(6, 4), Side::West), Some(Border::Closed));
        assert!(
            !other.connected(Cell::new(0, 0), Cell::new(11, 0)) && other.in_sight(Cell::new(0, 0), Cell::new(5, 0))
        );
        assert!(!other.in_sight(Cell::new(4, 3), Cell::new(8, 5)));
        let planner = Planner::new(&other, "a-star").expect("it suits");
        let query = Query::new((1, 1), (9, 3)).nearest();
        let Ok(Outcome::Partial(route)) = planner.find(&other, query, &mut Scratch::new()) else { panic!("cut off") };
        assert_eq!(route.cells().last(), Some(&Cell::new(5, 3)));
    }
}

#[test]
#[ignore = "takes minutes: run it after changes of borders, links or of what is connected"]
fn a_long_storm_over_borders_and_links() {
    for seed in 1000..1010 {
        let answers = promises::<SquareGrid>(seed, 150, 40) + promises::<HexGrid>(seed, 300, 40);
        living::<SquareGrid>(seed, 24);
        living::<HexGrid>(seed, 60);
        fields::<SquareGrid>(seed, 60);
        fields::<HexGrid>(seed, 120);
        steps_and_parts::<SquareGrid>(seed, 60, 40);
        steps_and_parts::<HexGrid>(seed, 120, 40);
        println!("seed {seed}: {answers} answers as the oracle's");
    }
}
