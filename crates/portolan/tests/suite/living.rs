//! The searches that repair what they found, under traps that appear and vanish: after every tick the route costs what the
//! oracle says, a goal that is cut off is found again when a way opens, and the work is bounded.

use crate::oracle::costs_from;
use crate::worlds::{all_rules, picture, random_free_cell, random_world};
use portolan::generate::Random;
use portolan::probe::Stats;
use portolan::{Cell, Edit, Planner, Progress, Replanner, Rules, Scratch, SquareGrid, Terrain, World};

/// The algorithms whose searches stay alive.
const LIVING: [&str; 4] = ["lpa-star", "d-star", "focused-d-star", "d-star-lite"];

/// What a script does to the world.
#[derive(Copy, Clone, PartialEq)]
enum Script {
    /// Traps of up to 2 × 2 cells appear anywhere and vanish.
    Traps,
    /// A ring of traps closes around the goal or the agent and opens again.
    Ring,
    /// Weights rise and fall.
    Weights,
}

/// Returns the edits of one tick. `laid` are the cells that traps lie on, with their terrain before.
fn tick(
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
fn start(random: &mut Random, rules: Rules) -> Option<(World, [Cell; 2])> {
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
        let script = [Script::Traps, Script::Ring, Script::Weights][seed % 3];
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
            if let Some((next, _)) = agents[random.below(4) as usize].next_step() {
                at = next;
            }
        }
    }
    assert!(cut > 500 && opened > 200 && checked > 10_000, "{cut} cut, {opened} opened, {checked} checked");
}
