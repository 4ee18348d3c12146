//! The simulation through its public interface: every rule of the agents on small worlds, and every shipped case with
//! every algorithm.

mod crowd;
mod crowd_flat;
mod crowd_mesh;
mod golden;
mod minds;
mod minds_measured;
mod rebuild;
mod rules;
mod sharing;
mod shipped;
mod storms;
mod testbed;

use portolan::generate::{generate, recipe};
use portolan::{Area, Cell, Edit, Planner, Rules, Snapshot, SquareGrid, Terrain, World};
use portolan_formats::{Case, CaseWorld, ascii};
use portolan_sim::{Happening, Walker};

/// Returns the world that the text draws.
pub(crate) fn drawn(text: &str) -> World {
    World::from(ascii::read(text.as_bytes(), Rules::default()).expect("a sound drawing").grid)
}

/// Returns a world of open ground.
pub(crate) fn open(width: usize, height: usize) -> World {
    World::from(SquareGrid::open(width, height, Rules::default()).expect("a sound size"))
}

/// Returns the world of a case, which must be generated or drawn, not named.
pub(crate) fn world_of(case: &Case) -> World {
    World::from(match &case.world {
        CaseWorld::Named(name) => panic!("{name} is for the lab to find"),
        CaseWorld::Made { recipe: name, width, height, seed, settings } => {
            let recipe = recipe(name).expect("a known recipe");
            let settings = recipe.settings(settings).expect("sound settings");
            generate(recipe, *width, *height, *seed, &settings, case.rules).expect("a sound size")
        }
        CaseWorld::Drawn(world) => world.grid.clone(),
    })
}

/// Returns an edit that gives a rectangle this weight; 0 blocks it.
pub(crate) fn edit(x: u16, y: u16, width: u16, height: u16, weight: u8) -> Edit {
    Edit::new(Area { x, y, width, height }, Terrain::of_weight(weight))
}

pub(crate) fn planner(world: &Snapshot, name: &str) -> Planner {
    Planner::new(world, name).expect("it suits")
}

/// Returns what happened to a walker in words, without edits and repairs.
pub(crate) fn story(walker: &Walker) -> Vec<&'static str> {
    let word = |happening: Happening| match happening {
        Happening::Edited(_) | Happening::Repaired { .. } => None,
        Happening::Rerouted { same: true, .. } => Some("stayed"),
        Happening::Stopped(why) => Some(why.name()),
        other => Some(other.name()),
    };
    walker.log().iter().filter_map(|entry| word(entry.happening)).collect()
}

/// Returns what a route costs in the world as it is now.
pub(crate) fn cost(world: &Snapshot, cells: &[Cell]) -> u64 {
    let step = |step: &[Cell]| world.step_cost(step[0], step[1]).expect("a legal step");
    cells.windows(2).map(|cells| u64::from(step(cells).0)).sum()
}
