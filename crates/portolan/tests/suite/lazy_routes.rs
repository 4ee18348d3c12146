//! Lazy routes under edits: a route that survives can be walked to its end, whatever the repair did, and a route that
//! does not survive returns an error.

use crate::worlds::{build, picture, planners, random_free_cell, random_world};
use portolan::generate::{Random, generate, recipe};
use portolan::{
    Area, Cell, Edit, LazyRoute, Mended, Outcome, Planner, Query, QueryError, Rules, Scratch, Snapshot, SquareGrid,
    Terrain, World, algorithm,
};

/// Walks the rest of a route from the cell `at` and checks each step. It is an error if the walk does not end at `to`,
/// or takes more steps than the world has cells.
fn walk_on(
    mut at: Cell,
    to: Cell,
    route: &mut LazyRoute,
    planner: &Planner,
    world: &Snapshot,
    scratch: &mut Scratch,
) -> Result<(), String> {
    let mut steps = 0;
    while let Some(cells) = route.next_leg(planner, world, scratch).map_err(|error| error.to_string())? {
        for &next in cells {
            if world.step_cost(at, next).is_none() {
                return Err(format!("no step leads from {at} to {next}"));
            }
            (at, steps) = (next, steps + 1);
        }
        if steps > world.width() * world.height() {
            return Err(format!("{steps} steps, and no end"));
        }
    }
    if at == to { Ok(()) } else { Err(format!("it ends at {at} and not at {to}")) }
}

/// Plans on open ground with a few blocked cells, takes the first leg, applies an edit after which the whole chart is
/// built anew, and walks on if the route survives.
fn edited_on_the_way(size: (usize, usize), blocked: &[(u16, u16)], ends: [(u16, u16); 2], edit: Edit) {
    let mut world = World::from(SquareGrid::open(size.0, size.1, Rules::default()).expect("a sound size"));
    let blocks: Vec<Edit> = blocked.iter().map(|&cell| Edit::new(Cell::from(cell), Terrain::BLOCKED)).collect();
    world.apply(&blocks).expect("sound edits");
    let mut planner = Planner::new(&world, "rhumb").expect("it suits");
    let mut scratch = Scratch::new();
    let [from, to] = ends.map(Cell::from);
    let planned = planner.plan(&world, Query::new(from, to), &mut scratch).expect("a sound query");
    let mut route = planned.into_route().expect("there is a way");
    let first = route.next_leg(&planner, &world, &mut scratch).expect("nothing has changed").expect("it leads on");
    let at = *first.last().expect("a piece leads somewhere");
    world.apply(&[edit]).expect("a sound edit");
    let repair = planner.repair(&world, &[edit]).expect("the edit it missed");
    assert!(repair.rebuilt, "such an edit has the whole chart built anew");
    if route.survives(&planner, &world, &[edit]) {
        walk_on(at, to, &mut route, &planner, &world, &mut scratch).expect("it survives");
    } else {
        let refused = route.next_leg(&planner, &world, &mut scratch);
        assert!(matches!(refused, Err(QueryError::Stale { .. })));
    }
}

fn block(x: u16, y: u16, width: u16, height: u16) -> Edit {
    Edit::new(Area { x, y, width, height }, Terrain::BLOCKED)
}

#[test]
fn a_route_does_not_survive_the_first_heavy_ground_of_a_world() {
    let mud = Edit::new(Cell::new(15, 32), Terrain::of_weight(9));
    edited_on_the_way((16, 61), &[(6, 18), (14, 46)], [(5, 56), (15, 9)], mud);
}

#[test]
fn a_route_does_not_survive_an_edit_of_an_eighth_of_the_world() {
    edited_on_the_way((52, 92), &[(26, 30), (3, 35), (16, 43)], [(20, 19), (2, 57)], block(37, 0, 15, 92));
    let walls = [(94, 39), (95, 70), (142, 35), (151, 36)];
    edited_on_the_way((160, 110), &walls, [(14, 53), (96, 88)], block(121, 9, 31, 71));
}

#[test]
fn a_route_is_refined_by_the_planner_that_planned_it_and_by_its_copies() {
    let mut world = World::from(SquareGrid::open(120, 90, Rules::default()).expect("a sound size"));
    world.apply(&[block(50, 3, 2, 80)]).expect("a sound edit");
    let mut scratch = Scratch::new();
    let (from, to) = (Cell::new(3, 40), Cell::new(110, 50));
    let mut planner = build(&world, "rhumb", &[("spacing", "16")]);
    let planned = planner.plan(&world, Query::new(from, to), &mut scratch).expect("a sound query");
    let Outcome::Reached(route) = planned else { panic!("there is a way") };
    let copy = planner.clone();
    let first = |route: &LazyRoute, planner: &Planner, scratch: &mut Scratch| {
        route.clone().next_leg(planner, &world, scratch).map(|cells| cells.map(<[Cell]>::to_vec))
    };
    let cells = first(&route, &planner, &mut scratch).expect("its own");
    assert_eq!(first(&route, &copy, &mut scratch), Ok(cells));
    for other in ["rhumb", "hpa-star", "a-star"] {
        let other = Planner::new(&world, other).expect("it suits");
        assert_eq!(first(&route, &other, &mut scratch), Err(QueryError::OtherLegs));
        assert_eq!(route.waypoints(&other), []);
    }
    // This repair leaves lines where they are. `refresh` places them anew, away from the two columns in which every
    // second cell is now blocked, so that legs planned before cannot be refined.
    let edits: Vec<Edit> = (0..90).step_by(2).flat_map(|y| [68, 85].map(|x| block(x, y, 1, 1))).collect();
    world.apply(&edits).expect("a sound edit");
    planner.repair(&world, &edits).expect("the edit it missed");
    let planned = planner.plan(&world, Query::new(from, to), &mut scratch).expect("a sound query");
    let Outcome::Reached(mut route) = planned else { panic!("there is a way") };
    planner.refresh(&world).expect("it knows this world");
    assert_eq!(route.next_leg(&planner, &world, &mut scratch), Err(QueryError::OtherLegs));
}

/// Returns one or two edits of up to the whole world. Some are repaired in place, some cause a chart to be built anew,
/// and some turn a uniform world weighted or a weighted one uniform.
fn sweeping_edits(random: &mut Random, world: &World) -> Vec<Edit> {
    let share = [40, 10, 5, 2][random.below(4) as usize];
    let side = |random: &mut Random, side: usize| 1 + random.below((side as u64 * 2 / share).max(1)) as u16;
    (0..=random.below(2))
        .map(|_| {
            let width = side(random, world.width()).min(world.width() as u16);
            let height = side(random, world.height()).min(world.height() as u16);
            let x = random.below(world.width() as u64 - u64::from(width) + 1) as u16;
            let y = random.below(world.height() as u64 - u64::from(height) + 1) as u16;
            let weight = [0, 0, 1, 1, 1, 9][random.below(6) as usize];
            Edit::new(Area { x, y, width, height }, Terrain::of_weight(weight))
        })
        .collect()
}

#[test]
fn whatever_survives_sweeping_edits_can_be_walked() {
    let mut scratch = Scratch::new();
    let (mut survived, mut rebuilt) = (0, 0);
    for seed in 0..80 {
        let mut random = Random::new(seed);
        let start = random_world(&mut random, Rules::default());
        let rules = Rules { metric: Some(start.metric()), ..start.rules() };
        let weights = start.to_weights();
        let grid = SquareGrid::from_weights(start.width(), start.height(), &weights, rules).expect("a sound size");
        let mut world = World::from(grid);
        let mut planners = planners(&world);
        planners.retain(Planner::plans_in_legs);
        for _ in 0..6 {
            let [Some(from), Some(to)] = [(); 2].map(|()| random_free_cell(&mut random, &world)) else { break };
            let mut routes: Vec<(Option<LazyRoute>, Cell)> = planners
                .iter()
                .map(|planner| {
                    let planned = planner.plan(&world, Query::new(from, to), &mut scratch).expect("a sound query");
                    let mut route = planned.into_route();
                    let first = route.as_mut().map(|route| route.next_leg(planner, &world, &mut scratch));
                    let at = first.and_then(|cells| cells.expect("nothing has changed")?.last().copied());
                    (route, at.unwrap_or(from))
                })
                .collect();
            let edits = sweeping_edits(&mut random, &world);
            world.apply(&edits).expect("sound edits");
            for (planner, (route, at)) in planners.iter_mut().zip(&mut routes) {
                let repair = planner.repair(&world, &edits).expect("it follows");
                rebuilt += usize::from(repair.rebuilt);
                let Some(route) = route.as_mut().filter(|route| !route.is_done()) else { continue };
                if route.survives(planner, &world, &edits) {
                    survived += 1;
                    let walked = walk_on(*at, to, route, planner, &world, &mut scratch);
                    walked.unwrap_or_else(|fault| panic!("{}: {fault} {}", planner.algorithm().name, picture(&world)));
                }
            }
        }
    }
    assert!(survived > 50 && rebuilt > 50, "{survived} routes survived, {rebuilt} charts were built anew");
}

/// Returns the rest of a route as cells, with the cell before them.
fn cells_of(mut route: LazyRoute, planner: &Planner, world: &Snapshot, scratch: &mut Scratch, at: Cell) -> Vec<Cell> {
    let mut cells = vec![at];
    while let Some(piece) = route.next_leg(planner, world, scratch).expect("the route is up to date") {
        cells.extend(piece.iter().skip(usize::from(piece.first() == cells.last())));
    }
    cells
}

/// Returns a planner of this algorithm, with a `limit` unless that is empty.
fn chart(world: &World, name: &str, limit: &str) -> Planner {
    let algorithm = algorithm(name).expect("known");
    let pairs = if limit.is_empty() { vec![] } else { vec![("limit", limit)] };
    Planner::build(world, algorithm, algorithm.settings(&pairs).expect("sound")).expect("it suits")
}

/// After one edit of one cell, mending gives up at most twice as many routes as the edit really cuts, on every chart, and
/// what it does not give up can be walked to the goal.
#[test]
fn mending_gives_up_few_routes_more_than_are_cut() {
    let mut scratch = Scratch::new();
    let charts = [("hpa-star", ""), ("dhpa-star", ""), ("rhumb", ""), ("pra-star", "3")];
    let mut counts = charts.map(|_| [0; 4]);
    for (seed, name) in ["rooms", "caves", "city", "maze"].into_iter().cycle().take(24).enumerate() {
        let recipe = recipe(name).expect("a known recipe");
        let settings = recipe.settings::<&str, &str>(&[]).expect("defaults");
        let grid = generate(recipe, 96, 96, seed as u64, &settings, Rules::default()).expect("a sound size");
        let mut world = World::from(grid);
        let mut random = Random::new(seed as u64);
        let mut planners = charts.map(|(name, limit)| chart(&world, name, limit));
        for _ in 0..12 {
            let [Some(from), Some(to)] = [(); 2].map(|()| random_free_cell(&mut random, &world)) else { break };
            let mut planned = Vec::new();
            for planner in &planners {
                let route = planner.plan(&world, Query::new(from, to), &mut scratch).expect("sound").into_route();
                planned.push(route.map(|route| (cells_of(route.clone(), planner, &world, &mut scratch, from), route)));
            }
            // Half of the edits fall on a route, so that enough routes are cut.
            let on_route = planned.iter().flatten().next().map(|(cells, _)| cells[cells.len() / 2]);
            let anywhere = random_free_cell(&mut random, &world).expect("there are free cells");
            let at = on_route.filter(|_| random.below(2) == 0).unwrap_or(anywhere);
            if at == from || at == to {
                continue;
            }
            let edits = [Edit::new(at, Terrain::BLOCKED)];
            world.apply(&edits).expect("a sound edit");
            for ((planner, planned), counts) in planners.iter_mut().zip(planned).zip(&mut counts) {
                planner.repair(&world, &edits).expect("it follows");
                let Some((cells, mut route)) = planned else { continue };
                let is_cut = cells.windows(2).any(|step| world.step_cost(step[0], step[1]).is_none());
                counts[0] += usize::from(is_cut);
                let stale = route.mend(planner, &world, &[], &mut scratch);
                assert!(matches!(stale, Err(QueryError::Stale(_))), "the edit is missing: {stale:?}");
                match route.mend(planner, &world, &edits, &mut scratch).expect("it is up to date") {
                    Mended::Broken { .. } => counts[1] += 1,
                    Mended::Kept => counts[2] += 1,
                    _ => counts[3] += 1,
                }
                if route.waypoints(planner).is_empty() {
                    continue;
                }
                let cells = cells_of(route, planner, &world, &mut scratch, from);
                assert!(
                    cells.windows(2).all(|step| world.step_cost(step[0], step[1]).is_some()),
                    "{}",
                    picture(&world)
                );
                assert_eq!(cells.last(), Some(&to));
            }
        }
    }
    for ((name, _), [cut, given_up, kept, redone]) in charts.iter().zip(counts) {
        assert!(
            cut >= 20 && given_up <= 2 * cut,
            "{name}: {cut} cut, {given_up} given up, {kept} kept, {redone} redone"
        );
    }
    println!("{counts:?}: cut, given up, kept, redone");
}
