//! This engine on a mesh: a world, a planner and a scratch, as a game holds them.

use super::{MeshAnswer, MeshEngine, MeshEntrant, MeshTrial, twice};
use crate::engine::{built, timed};
use portolan::{Algorithm, BuildError, NavMesh, Planner, Query, Scratch, Snapshot};

struct Portolan {
    world: Snapshot<NavMesh>,
    planner: Planner<NavMesh>,
    scratch: Scratch<NavMesh>,
}

/// Returns the entrant with this algorithm and its default settings.
pub(super) fn entrant(
    world: &Snapshot<NavMesh>,
    algorithm: &'static Algorithm<NavMesh>,
) -> Result<MeshEntrant, BuildError> {
    let (planner, build) = built(|| algorithm.build(world));
    let runner = Portolan { world: world.clone(), planner: planner?, scratch: Scratch::new() };
    let algorithm = algorithm.name.to_owned();
    Ok(MeshEntrant { engine: "portolan", algorithm, rival: None, build, runner: Box::new(runner) })
}

impl MeshEngine for Portolan {
    fn answer(&mut self, block: &[MeshTrial]) -> Vec<MeshAnswer> {
        twice(block, |trial| {
            let query = Query::new(trial.from, trial.to);
            let (outcome, took) = timed(|| self.planner.find(&self.world, query, &mut self.scratch));
            let route = outcome.ok().and_then(portolan::Outcome::into_route);
            let sound = route.filter(|route| route.check(&self.world).is_ok());
            let place = |&at: &portolan::MeshPoint| {
                let [x, y, _] = self.world.coordinates(at);
                [x, y]
            };
            MeshAnswer { took, places: sound.map(|route| route.cells().iter().map(place).collect()) }
        })
    }
}
