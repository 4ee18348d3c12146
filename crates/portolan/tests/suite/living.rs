//! The searches that repair what they found, under traps that appear and vanish: after every tick the route costs what the
//! oracle says, a goal that is cut off is found again when a way opens, and the work is bounded.

use crate::oracle::costs_from;
use crate::worlds::{all_rules, build, picture, random_free_cell, random_world};
use portolan::generate::Random;
use portolan::probe::Stats;
use portolan::{Cell, Cost, Edit, Planner, Progress, Replanner, Route, Rules, Scratch, SquareGrid, Terrain, World};

/// The algorithms whose searches stay alive.
const LIVING: [&str; 5] = ["lpa-star", "d-star", "focused-d-star", "d-star-lite", "ad-star"];

/// What a script does to the world.
#[derive(Copy, Clone, PartialEq)]
pub(crate) enum Script {
    /// Traps of up to 2 × 2 cells appear anywhere and vanish.
    Traps,
    /// A ring of traps closes around the goal or the agent and opens again.
    Ring,
    /// Weights rise and fall.
    Weights,
}

/// All scripts.
pub(crate) const SCRIPTS: [Script; 3] = [Script::Traps, Script::Ring, Script::Weights];

/// Returns the edits of one tick. `laid` are the cells that traps lie on, with their terrain before.
pub(crate) fn tick(
    random: &mut Random,
    world: &World,
    script: Script,
    ends: [Cell; 2],
    laid: &mut Vec<(Cell, Terrain)>,
) -> Vec<Edit> {
    let mut edits = Vec::new();
    let is_end = |cell: Cell| ends.contains(&cell);
    let mut trap = |cell: Cell, terrain: Terrain, laid: &mut Vec<(Cell, Terrain)>| {
        if world.contains(cell) && world.is_free(cell) && !is_end(cell) && laid.iter().all(|&(at, _)| at != cell) {
            laid.push((cell, world.terrain(cell)));
            edits.push(Edit::new(cell, terrain));
        }
    };
    match script {
        Script::Traps => {
            for _ in 0..random.below(4) {
                let Some(cell) = random_free_cell(random, world) else { continue };
                for (dx, dy) in [(0, 0), (1, 0), (0, 1), (1, 1)].into_iter().take(1 + random.below(4) as usize) {
                    trap(Cell::new(cell.x + dx, cell.y + dy), Terrain::BLOCKED, laid);
                }
            }
        }
        Script::Ring => {
            let end = ends[random.below(2) as usize];
            let reach = 1 + random.below(2) as i32;
            for dy in -reach..=reach {
                for dx in -reach..=reach {
                    let (x, y) = (i32::from(end.x) + dx, i32::from(end.y) + dy);
                    if dx.abs().max(dy.abs()) == reach && x >= 0 && y >= 0 {
                        trap(Cell::new(x as u16, y as u16), Terrain::BLOCKED, laid);
                    }
                }
            }
        }
        Script::Weights => {
            for _ in 0..random.below(5) {
                let Some(cell) = random_free_cell(random, world) else { continue };
                trap(cell, Terrain::of_weight(1 + random.below(9) as u8), laid);
            }
        }
    }
    for index in (0..laid.len()).rev() {
        if random.below(if script == Script::Ring { 8 } else { 3 }) == 0 {
            let (cell, terrain) = laid.swap_remove(index);
            edits.push(Edit::new(cell, terrain));
        }
    }
    edits
}

/// Returns a world of random terrain, and two free cells of it.
pub(crate) fn start(random: &mut Random, rules: Rules) -> Option<(World, [Cell; 2])> {
    let grid = random_world(random, rules);
    let rules = Rules { metric: Some(grid.metric()), ..grid.rules() };
    let world = World::from(SquareGrid::from_weights(grid.width(), grid.height(), &grid.to_weights(), rules).ok()?);
    let ends = [random_free_cell(random, &world)?, random_free_cell(random, &world)?];
    (ends[0] != ends[1]).then_some((world, ends))
}

#[test]
fn every_step_costs_what_the_oracle_says_under_thousands_of_scripts() {
    let mut scratch = Scratch::new();
    let (mut cut, mut opened, mut checked) = (0, 0, 0);
    for (seed, rules) in all_rules().into_iter().cycle().take(2000).enumerate() {
        let mut random = Random::new(seed as u64);
        let script = SCRIPTS[seed % 3];
        let Some((mut world, [from, to])) = start(&mut random, rules) else { continue };
        let mut planners = LIVING.map(|name| Planner::new(&world, name).expect("it runs anywhere"));
        let mut agents = LIVING.map(|_| Replanner::new(from, to));
        let (mut at, mut to, mut laid, mut was_cut) = (from, to, Vec::new(), false);
        for _ in 0..12 {
            let edits = tick(&mut random, &world, script, [at, to], &mut laid);
            world.apply(&edits).expect("sound edits");
            if random.below(16) == 0 {
                to = random_free_cell(&mut random, &world).unwrap_or(to);
            }
            let truth = costs_from(&world, at)[usize::from(to.y) * world.width() + usize::from(to.x)];
            for (planner, agent) in planners.iter_mut().zip(&mut agents) {
                planner.repair(&world, &edits).expect("it follows");
                agent.edited(planner, &world, &edits);
                agent.moved(at);
                agent.aim(to);
                let mut stats = Stats::default();
                let progress = agent.watch_step(planner, &world, &mut scratch, u64::MAX, &mut stats);
                let name = planner.algorithm().name;
                let about = || format!("{name}, seed {seed}: {at} to {to} on {}", picture(&world));
                let found = match progress.expect("a sound query") {
                    Progress::Planned { .. } | Progress::Kept => Some(agent.cost()),
                    Progress::Unreachable => None,
                    other => panic!("{other:?} {}", about()),
                };
                assert_eq!(found, truth, "{}", about());
                // Each node is expanded at most twice by a repair of costs, and in waves a few times more.
                let cells = (world.width() * world.height()) as u64;
                assert!(stats.expanded <= 8 * cells, "{} expanded: {}", stats.expanded, about());
            }
            (cut, opened) = (cut + usize::from(truth.is_none()), opened + usize::from(was_cut && truth.is_some()));
            (was_cut, checked) = (truth.is_none(), checked + 1);
            // All walk one way, which may not be the route of some.
            if let Some((next, _)) = agents[random.below(LIVING.len() as u64) as usize].next_step() {
                at = next;
            }
        }
    }
    assert!(cut > 500 && opened > 200 && checked > 10_000, "{cut} cut, {opened} opened, {checked} checked");
}

/// Returns the best route that an agent of an anytime search has after one step, whether or not the search has ended, and how
/// many times the least cost it may cost.
fn best_route(
    agent: &mut Replanner,
    planner: &Planner,
    world: &World,
    scratch: &mut Scratch,
    budget: u64,
) -> Option<(Route, f64)> {
    match agent.step(planner, world, scratch, budget).expect("a sound query") {
        Progress::Planned { .. } | Progress::Kept => {
            Some((Route::new(agent.left().to_vec(), Cost(agent.cost() as u32)), 1.0))
        }
        Progress::Working => {
            let route = agent.so_far(planner, world, scratch)?;
            let bound = route.bound().expect("the search has not ended");
            Some((route, bound))
        }
        Progress::Unreachable => None,
        other => panic!("{other:?}"),
    }
}

/// With few expansions a tick, an agent of an anytime search has a legal route most of the time, and each is as good as it
/// says. When edits cease, the route becomes a cheapest one.
#[test]
fn small_budgets_give_routes_within_their_bounds() {
    let mut scratch = Scratch::new();
    let (mut ticks, mut ready, mut early) = (0, 0, 0);
    for (seed, rules) in all_rules().into_iter().cycle().take(800).enumerate() {
        let mut random = Random::new(1000 + seed as u64);
        let script = SCRIPTS[seed % 3];
        let Some((mut world, [mut at, to])) = start(&mut random, rules) else { continue };
        let settings: [&[(&str, &str)]; 3] =
            [&[], &[("epsilon", "6"), ("step", "0.3")], &[("epsilon", "10"), ("step", "0.1")]];
        let mut planner = build(&world, "ad-star", settings[random.below(3) as usize]);
        let (mut agent, mut laid) = (Replanner::new(at, to), Vec::new());
        let budget = 2 + random.below(24);
        for turn in 0..50 {
            if turn % 5 == 4 && turn < 25 {
                let edits = tick(&mut random, &world, script, [at, to], &mut laid);
                world.apply(&edits).expect("sound edits");
                planner.repair(&world, &edits).expect("it follows");
                agent.edited(&planner, &world, &edits);
            }
            let budget = if turn < 49 { budget } else { u64::MAX };
            let best = best_route(&mut agent, &planner, &world, &mut scratch, budget);
            let truth = costs_from(&world, at)[usize::from(to.y) * world.width() + usize::from(to.x)];
            let about = || format!("seed {seed}, turn {turn}: {at} to {to} on {}", picture(&world));
            ticks += usize::from(truth.is_some());
            let Some((route, bound)) = best else {
                assert!(turn < 49 || truth.is_none(), "{}", about());
                continue;
            };
            (ready, early) = (ready + 1, early + usize::from(bound > 1.0));
            let truth = truth.unwrap_or_else(|| panic!("there is no way: {}", about()));
            route.check(&world).unwrap_or_else(|error| panic!("{error}: {}", about()));
            let cells = route.cells();
            assert_eq!((cells[0], cells[cells.len() - 1]), (at, to), "{}", about());
            let most = bound * truth as f64 * (1.0 + 1e-12);
            assert!(bound >= 1.0 && f64::from(route.cost().0) <= most, "{route:?} > {most}: {}", about());
            if let (true, Some(&next)) = (turn < 30, cells.get(1)) {
                at = next;
                agent.moved(at);
            }
        }
    }
    println!("{ready} ready of {ticks}, {early} before the end");
    assert!(ready * 10 > ticks * 8 && early > 300, "{ready} ready of {ticks}, {early} before the end");
}
