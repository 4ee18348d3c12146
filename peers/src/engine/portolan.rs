//! This engine: a world, a planner and a scratch, as a game holds them. The time of an edit is that of applying it to
//! the world and of repairing the planner.

use super::{Answer, Engine, Entrant, built, timed};
use portolan::{BuildError, Cell, Edit, Planner, Query, Scratch, Snapshot, SquareGrid, Terrain, World, algorithm};
use std::time::Duration;

struct Portolan {
    /// A copy of the world for this entrant alone, because each entrant applies the edits to its own copy.
    world: World,
    planner: Planner,
    scratch: Scratch,
}

/// Returns the entrant with this algorithm and these settings; `None` if the algorithm is not in the registry or does
/// not suit the world.
pub(super) fn entrant(
    world: &Snapshot,
    name: &'static str,
    settings: &[(&str, &str)],
) -> Result<Option<Entrant>, BuildError> {
    let Some(algorithm) = algorithm(name).filter(|algorithm| algorithm.suits(world).is_ok()) else {
        return Ok(None);
    };
    let chosen = algorithm.settings(settings)?;
    let world = World::from(SquareGrid::clone(world));
    let (planner, build) = built(|| Planner::build(&world, algorithm, chosen.clone()));
    let words = settings.iter().map(|(key, value)| format!(" {key}={value}"));
    let runner = Portolan { world, planner: planner?, scratch: Scratch::new() };
    Ok(Some(Entrant {
        engine: "portolan",
        algorithm: std::iter::once(name.to_owned()).chain(words).collect(),
        rival: None,
        build,
        runner: Box::new(runner),
    }))
}

impl Engine for Portolan {
    fn answer(&mut self, from: Cell, to: Cell) -> Answer {
        let (outcome, took) = timed(|| self.planner.find(&self.world, Query::new(from, to), &mut self.scratch));
        let cells = outcome.ok().and_then(|outcome| outcome.route().map(|route| route.cells().to_vec()));
        Answer { took, cells }
    }

    fn edit(&mut self, cell: Cell, terrain: Terrain) -> Option<Duration> {
        let edits = [Edit::new(cell, terrain)];
        let (followed, took) =
            timed(|| self.world.apply(&edits).is_ok() && self.planner.repair(&self.world, &edits).is_ok());
        followed.then_some(took)
    }
}
