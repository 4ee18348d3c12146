//! Repairs and outlines: whatever changed in an outline lies in the areas that the repair reports as redone, and the
//! outline of a repaired planner equals that of a planner built anew.

use crate::edits::random_edits;
use crate::worlds::{all_rules, has, random_free_cell};
use portolan::generate::{Random, generate, recipe};
use portolan::outline::Outline;
use portolan::{
    ALGORITHMS, Area, Cell, Edit, Planner, Query, Repair, RepairError, Route, Rules, Scratch, Snapshot, SquareGrid,
    Terrain, World, algorithm,
};

/// Charts and graphs that have outlines, with one or several levels; one of them computes its edges on first use.
const DRAWN: [(&str, &[(&str, &str)]); 12] = [
    ("hpa-star", &[("cluster", "9"), ("levels", "1")]),
    ("hpa-star", &[("cluster", "6"), ("levels", "3"), ("edges", "lazy"), ("diagonals", "needed")]),
    ("dhpa-star", &[("cluster", "8"), ("levels", "2")]),
    ("dhpa-star", &[("cluster", "8"), ("rows", "yes")]),
    ("haa-star", &[("cluster", "8")]),
    ("shpa-star", &[("size", "60")]),
    ("pra-star", &[]),
    ("minimal-memory", &[]),
    ("minimal-memory", &[("sector", "8"), ("levels", "2")]),
    ("rhumb", &[("spacing", "12"), ("gap", "4"), ("threads", "1")]),
    ("rhumb", &[("spacing", "9"), ("lines", "even"), ("threads", "1")]),
    ("jump-graph", &[("landmarks", "0")]),
];

fn made(name: &str, rules: Rules) -> World {
    let recipe = recipe(name).expect("a known recipe");
    let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are sound");
    World::from(generate(recipe, 150, 110, 4, &settings, rules).expect("a sound size"))
}

fn charted(world: &Snapshot) -> Vec<Planner> {
    let planner = |(name, settings): (&str, &[(&str, &str)])| {
        let algorithm = algorithm(name).expect("a known name");
        let settings = algorithm.settings(settings).expect("sound settings");
        Planner::build(world, algorithm, settings).ok()
    };
    DRAWN.into_iter().filter_map(planner).collect()
}

/// Returns the items that are in only one of the two lists.
fn changed<'a, T: PartialEq + Ord>(before: &'a [T], after: &'a [T]) -> Vec<&'a T> {
    let (mut old, mut new): (Vec<&T>, Vec<&T>) = (before.iter().collect(), after.iter().collect());
    old.sort_unstable();
    new.sort_unstable();
    let lost = old.iter().filter(|item| new.binary_search(item).is_err());
    let won = new.iter().filter(|item| old.binary_search(item).is_err());
    lost.chain(won).copied().collect()
}

fn check(name: &str, repair: &Repair, before: &Outline, after: &Outline) {
    let Repair { clusters, areas, .. } = repair;
    let order = |area: &Area| (area.y, area.x, area.height, area.width);
    assert!(areas.is_sorted_by(|a, b| order(a) < order(b)), "{name}: {areas:?}");
    let redone = |cell: Cell| areas.iter().any(|&area| has(area, cell));
    let (Some(old), Some(new)) = (before.layers.first(), after.layers.first()) else { panic!("{name} has no layer") };
    for &(from, to) in changed(&old.ways, &new.ways) {
        // A way between two centres changes if either centre moves, even if the sector of the other is not redone.
        let moved = name == "minimal-memory" && redone(to);
        assert!(moved || redone(from), "{name}: {from} is not among {areas:?}");
    }
    if after.regions.is_empty() {
        // The checks below compare with the regions of the outline. A jump graph has none; its areas cover where
        // changed leaps begin, not where they end. PRA* and SHPA* have none, as their regions are not rectangles.
        return;
    }
    let steps = changed(&old.crossings, &new.crossings).into_iter().flat_map(|&(from, to)| [from, to]);
    for cell in changed(&old.ports, &new.ports).into_iter().copied().chain(steps) {
        assert!(redone(cell), "{name}: {cell} is not among {areas:?}");
    }
    let deepest = after.regions.iter().map(|region| region.depth).max().expect("there is one");
    let clustered = name.ends_with("hpa-star");
    let lowest = |area: &Area| {
        after.regions.iter().any(|region| {
            region.bounds == *area && if clustered { region.depth == deepest } else { region.line.is_none() }
        })
    };
    assert!(areas.iter().all(lowest), "{name}: {areas:?} are not of the lowest regions");
    assert!(areas.len() <= *clusters, "{name}: {} areas of {clusters} clusters", areas.len());
    assert!(after.layers.len() > 1 || !clustered || areas.len() == *clusters);
}

#[test]
fn a_repair_tells_what_it_redid_and_draws_as_one_built_anew() {
    for (recipe, rules) in ["caves", "rooms", "hills", "noise"].into_iter().zip(all_rules()) {
        let mut world = made(recipe, rules);
        let uniform = world.uniform_weight().is_some();
        let mut random = Random::new(23);
        let mut planners = charted(&world);
        let mut outlines: Vec<Outline> = planners.iter().filter_map(|planner| planner.outline(&world).ok()?).collect();
        for round in 0..25 {
            let edits = random_edits(&mut random, &world, uniform);
            world.apply(&edits).expect("sound edits");
            for (planner, before) in planners.iter_mut().zip(&mut outlines) {
                let name = planner.algorithm().name;
                let repair = planner.repair(&world, &edits).expect("it can follow");
                let after = planner.outline(&world).expect("it knows this world").expect("it had one before");
                check(name, &repair, before, &after);
                let corners = edits.iter().map(|edit| Cell::new(edit.area.x, edit.area.y));
                let ground = world.cells().filter(|&cell| world.is_free(cell));
                let due: Vec<Cell> = if name == "shpa-star" { ground.collect() } else { corners.collect() };
                let redone = |&cell: &Cell| repair.areas.iter().any(|&area| has(area, cell));
                assert!(due.iter().all(redone), "{name} left some out in round {round} on {recipe}");
                let anew = planner
                    .anew(&world)
                    .expect("it suits")
                    .outline(&world)
                    .expect("it knows this world")
                    .expect("it has one, too");
                assert!(after == anew, "{name} in round {round} on {recipe}");
                *before = after;
            }
        }
    }
}

#[test]
fn a_chart_made_anew_tells_all_of_its_areas() {
    let mut world = made("caves", Rules::default());
    let mut planners = charted(&world);
    let middle = Area { x: 20, y: 10, width: 100, height: 90 };
    let edits = [Edit::new(middle, Terrain::GROUND)];
    world.apply(&edits).expect("a sound edit");
    for planner in &mut planners {
        let name = planner.algorithm().name;
        let areas = planner.repair(&world, &edits).expect("it can follow").areas;
        let cells = middle.y..middle.y + middle.height;
        let all = cells.flat_map(|y| (middle.x..middle.x + middle.width).map(move |x| Cell { x, y }));
        assert!(all.into_iter().all(|cell| areas.iter().any(|&area| has(area, cell))), "{name} left some out");
    }
}

#[test]
fn who_keeps_nothing_redoes_nothing() {
    let mut world = made("caves", Rules::default());
    let mut planners: Vec<Planner> =
        ["a-star", "dijkstra", "ida-star"].map(|name| Planner::new(&world, name).expect("it suits")).into();
    planners.extend(charted(&world).into_iter().filter(|planner| planner.algorithm().name != "shpa-star"));
    let edits = random_edits(&mut Random::new(2), &world, true);
    let (flat, charts) = planners.split_at_mut(3);
    for planner in charts {
        assert_eq!(planner.repair(&world, &[]), Ok(Repair::default()), "{}", planner.algorithm().name);
    }
    world.apply(&edits).expect("sound edits");
    for planner in flat {
        assert_eq!(planner.repair(&world, &edits), Ok(Repair::default()), "{}", planner.algorithm().name);
        assert_eq!(planner.outline(&world).expect("it knows this world").map_or(0, |outline| outline.layers.len()), 0);
    }
}

/// A planner that follows the world by itself answers as one that was handed the edits.
#[test]
fn a_planner_follows_a_world_by_the_worlds_own_list_of_edits() {
    let mut random = Random::new(41);
    let mut world = World::from(SquareGrid::open(60, 50, Rules::default()).unwrap());
    let mut planners: Vec<Planner> = ALGORITHMS.iter().map(|algorithm| algorithm.build(&world).unwrap()).collect();
    let mut scratch = Scratch::new();
    for round in 0..12 {
        // In one round more edits than the world keeps.
        for _ in 0..if round == 7 { 200 } else { 1 + random.below(5) } {
            let cell = Cell::new(random.below(60) as u16, random.below(50) as u16);
            let terrain = if random.below(3) == 0 { Terrain::GROUND } else { Terrain::BLOCKED };
            world.apply(&[Edit::new(cell, terrain)]).unwrap();
        }
        for planner in &mut planners {
            let name = planner.algorithm().name;
            let repair = planner.sync(&world).unwrap();
            assert!(round != 7 || repair.rebuilt, "{name}");
            assert_eq!(planner.revision(), world.revision());
            assert_eq!(planner.sync(&world).unwrap(), Repair::default(), "{name} is up to date");
            let fresh = planner.anew(&world).unwrap();
            let mut cell = || random_free_cell(&mut random, &world).unwrap();
            let (from, to) = (cell(), cell());
            let query = Query::new(from, to);
            let answers = [&*planner, &fresh].map(|planner| {
                let found = planner.find(&world, query, &mut scratch).unwrap();
                (found.name(), found.route().map(Route::cost))
            });
            assert_eq!(answers[0], answers[1], "{name} from {from} to {to} in round {round}");
        }
    }
    let mut other = World::from(SquareGrid::open(60, 50, Rules::default()).unwrap());
    other.apply(&[Edit::new(Cell::new(1, 1), Terrain::BLOCKED)]).unwrap();
    assert!(other.edits_since(world.revision()).is_none() && planners[0].sync(&other).unwrap().rebuilt);
    let heavy = Edit::new(Cell::new(5, 5), Terrain::of_weight(9));
    other.apply(&[heavy]).unwrap();
    let jumping = planners.iter_mut().find(|planner| planner.algorithm().name == "jump-point").unwrap();
    assert!(matches!(jumping.sync(&other), Err(RepairError::Unsuited(_))));
}
