//! Charts with costs near the limits of their number types. At the default metric, two bytes hold the cost of some
//! 2,700 straight steps, and four bytes that of 1,370 straight steps over ground of weight 255. No answer may depend on
//! the number type of a chart.

use crate::oracle::costs_from;
use crate::worlds::{build, draw, picture, random_free_cell};
use portolan::generate::Random;
use portolan::probe::Trace;
use portolan::{
    Area, Cell, Edit, Metric, Outcome, Planner, Query, Rules, Scratch, Snapshot, SquareGrid, Terrain, World,
};

/// Returns the weights of a world that is one corridor, winding through the whole world row by row.
fn snake(width: usize, height: usize, weight: u8) -> Vec<u8> {
    let mut weights = vec![weight; width * height];
    for row in (1..height).step_by(2) {
        let gap = if row % 4 == 1 { width - 1 } else { 0 };
        for x in (0..width).filter(|&x| x != gap) {
            weights[row * width + x] = 0;
        }
    }
    weights
}

fn world_of(width: usize, weights: &[u8], rules: Rules) -> Snapshot {
    SquareGrid::from_weights(width, weights.len() / width, weights, rules).expect("a sound size").into()
}

#[test]
fn distances_across_a_wide_plain_are_not_cut_short() {
    let world = Snapshot::from(SquareGrid::open(2600, 2600, Rules::default()).expect("a sound size"));
    let planner = Planner::new(&world, "rhumb").expect("it suits");
    let goals = [(2599, 2599), (2599, 0), (1500, 2599), (40, 30)].map(Cell::from);
    let told = planner.distances(&world, Cell::new(0, 0), &goals, &mut Scratch::new()).expect("a sound question");
    for (goal, told) in goals.into_iter().zip(told) {
        let (short, long) = (u32::from(goal.x.min(goal.y)), u32::from(goal.x.max(goal.y)));
        let exact = f64::from(short * world.metric().diagonal() + (long - short) * world.metric().straight());
        let told = f64::from(told.expect("it is open ground").0);
        assert!((told - exact).abs() <= 0.002 * exact, "{goal}: {told} of {exact}");
    }
}

/// Returns worlds of one corridor, in which routes cost about as much as two or four bytes hold, or much more.
fn winding_worlds() -> Vec<Snapshot> {
    let metric = |straight, diagonal| Rules { metric: Metric::new(straight, diagonal).ok(), ..Rules::default() };
    let mut worlds = vec![
        world_of(80, &snake(80, 81, 1), Rules::default()),
        world_of(92, &snake(92, 61, 1), Rules::default()),
        world_of(70, &snake(70, 49, 1), metric(20, 24)),
        world_of(92, &snake(92, 61, 255), metric(408, 577)),
    ];
    for step in [7, 11] {
        let mut weights = snake(62, 45, 255);
        weights.iter_mut().step_by(step).filter(|weight| **weight > 0).for_each(|weight| *weight = 254);
        worlds.push(world_of(62, &weights, metric(1, 1)));
        worlds.push(world_of(62, &weights, metric(24, 34)));
    }
    worlds
}

#[test]
fn distances_through_a_winding_corridor_are_what_it_takes_to_walk_it() {
    let mut scratch = Scratch::new();
    for world in winding_worlds() {
        let planner = build(&world, "rhumb", &[("spacing", "8")]);
        let from = Cell::new(0, 0);
        let goals: Vec<Cell> = world.cells().filter(|&cell| world.is_free(cell)).step_by(7).collect();
        let told = planner.distances(&world, from, &goals, &mut scratch).expect("a sound question");
        let truth = costs_from(&world, from);
        for (&goal, &told) in goals.iter().zip(&told) {
            let exact = truth[usize::from(goal.y) * world.width() + usize::from(goal.x)].expect("it is one corridor");
            let told = told.expect("it is one corridor").0;
            assert!((f64::from(told) - exact as f64).abs() <= 0.004 * exact as f64, "{goal}: {told} of {exact}");
        }
        // The list of goals and the corridor both run through the rows from top to bottom, so that a goal that comes
        // much earlier in the list is nearer.
        let pair = [goals[goals.len() - 1], goals[goals.len() * 3 / 4]];
        let nearest = planner.nearest_goals(&world, from, &pair, 2, &mut scratch).expect("a sound question");
        assert_eq!(nearest.iter().map(|found| found.0).collect::<Vec<_>>(), [1, 0]);
    }
}

#[test]
fn routes_and_plans_through_a_winding_corridor_cost_the_same() {
    let mut scratch = Scratch::new();
    for world in winding_worlds() {
        let planner = build(&world, "rhumb", &[("spacing", "8"), ("direct", "no")]);
        let goals: Vec<Cell> = world.cells().filter(|&cell| world.is_free(cell)).step_by(31).collect();
        for goal in goals {
            let query = Query::new((0, 0), goal);
            let found = planner.find(&world, query, &mut scratch).expect("a sound query");
            let Outcome::Reached(route) = found else { panic!("{goal} is not reached but {}", found.name()) };
            route.check(&world).expect("every step can be taken");
            let planned = planner.plan(&world, query, &mut scratch).expect("a sound query");
            let Outcome::Reached(plan) = planned else { panic!("{goal} is not reached but {}", planned.name()) };
            let (walked, told) = (f64::from(route.cost().0), f64::from(plan.cost().expect("a chart knows").0));
            assert!((walked - told).abs() <= 0.004 * walked, "{goal}: {told} of {walked}");
        }
    }
}

#[test]
fn lines_may_lie_side_by_side() {
    let ruins = draw(
        "............
         ....##......
         .....#.#....
         .....#......
         .....#......
         .....#......
         .....#......",
        Rules::default(),
    );
    let planner = build(&ruins, "rhumb", &[("spacing", "4")]);
    let outcome = planner.find(&ruins, Query::new((0, 0), (11, 6)), &mut Scratch::new()).expect("a sound query");
    outcome.route().expect("there is a way").check(&ruins).expect("every step can be taken");
}

/// Returns an edit that opens or closes one of some shortcuts between two rows of the corridor or, one time in eight,
/// any cell.
fn turn(random: &mut Random, world: &World, weight: u8) -> Edit {
    let (width, height) = (world.width() as u64, world.height() as u64);
    let shortcut = random.below(10);
    let mut at = Cell::new((shortcut * 7919 % width) as u16, (shortcut * 104_729 % (height / 2) * 2 + 1) as u16);
    if random.below(8) == 0 {
        at = Cell::new(random.below(width) as u16, random.below(height) as u16);
    }
    let weight = if world.is_free(at) { 0 } else { weight };
    Edit::new(Area::from(at), Terrain::of_weight(weight))
}

#[test]
fn a_chart_repaired_near_the_limits_of_its_numbers_is_a_fresh_one() {
    let (mut scratch, mut fresh_scratch) = (Scratch::new(), Scratch::new());
    for (seed, start) in winding_worlds().into_iter().enumerate() {
        let weights: Vec<u8> = start.to_weights();
        let rules = Rules { metric: Some(start.metric()), ..start.rules() };
        let grid = SquareGrid::from_weights(start.width(), start.height(), &weights, rules).expect("a sound size");
        let mut world = World::from(grid);
        let mut random = Random::new(seed as u64);
        let weight = weights.iter().copied().max().expect("it has cells");
        let mut planner = build(&world, "rhumb", &[("spacing", "8"), ("direct", "no"), ("threads", "1")]);
        for round in 0..60 {
            if round % 20 == 0 {
                planner = planner.anew(&world).expect("it suits");
            }
            let edits = [turn(&mut random, &world, weight)];
            world.apply(&edits).expect("a sound edit");
            planner.repair(&world, &edits).expect("the edit it missed");
            let fresh = planner.anew(&world).expect("it suits");
            for _ in 0..3 {
                let [from, to] = [(); 2].map(|()| random_free_cell(&mut random, &world).expect("there is one"));
                let query = Query::new(from, to);
                let (mut trace, mut fresh_trace) = (Trace::default(), Trace::default());
                let mended = planner.watch(&world, query, &mut scratch, &mut trace);
                let built = fresh.watch(&world, query, &mut fresh_scratch, &mut fresh_trace);
                assert_eq!(mended, built, "{from} to {to} on {}", picture(&world));
                assert!(trace == fresh_trace, "{from} to {to} on {}", picture(&world));
            }
        }
    }
}
