//! This engine: a planner and a scratch, as a game would hold them.

use super::{Answer, Engine, Entrant, timed};
use portolan::{BuildError, Cell, Planner, Query, Scratch, Snapshot, algorithm};

struct Portolan {
    world: Snapshot,
    planner: Planner,
    scratch: Scratch,
}

/// The algorithm of that name, if it is in the registry and suits the world.
pub(super) fn entrant(
    world: &Snapshot,
    name: &'static str,
    settings: &[(&str, &str)],
) -> Result<Option<Entrant>, BuildError> {
    let Some(algorithm) = algorithm(name).filter(|algorithm| algorithm.suits(world).is_ok()) else {
        return Ok(None);
    };
    let chosen = algorithm.settings(settings)?;
    let (planner, build) = timed(|| Planner::build(world, algorithm, chosen));
    let words = settings.iter().map(|(key, value)| format!(" {key}={value}"));
    let runner = Portolan { world: world.clone(), planner: planner?, scratch: Scratch::new() };
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
}
