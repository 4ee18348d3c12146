//! Races of batches over a navigation mesh, as [`crate::race::race_batches`] races them over a grid.
//!
//! Not here: choosing queries.

use super::MeshTrial;
use super::race::MeshEntrant;
use crate::progress::{Cancelled, Progress};
use crate::race::batch::{Batch, ON_CPU_ONLY, OnProcessor, race_each};
use crate::race::{Processor, RaceResult, UploadedChart};
use portolan::{Answers, BatchScratch, MeshPoint, NavMesh, Planner, Query, Snapshot};

/// Asks the entrants for the routes of all trials at once, and adds what that takes to the rows of a race of these
/// entrants. Wrong answers become faults. `progress` receives the rounds done and their greatest total.
///
/// # Errors
/// When `progress` stops the race. It is not called within a round.
pub fn race_batches(
    world: &Snapshot<NavMesh>,
    trials: &[MeshTrial],
    entrants: &[MeshEntrant],
    processor: Option<&Processor>,
    result: &mut RaceResult,
    progress: &mut Progress,
) -> Result<(), Cancelled> {
    let ready = |entrant: &MeshEntrant| {
        let planner = Planner::build(world, entrant.algorithm, entrant.settings.clone());
        let planner = planner.map_err(|error| error.to_string())?;
        let query = |trial: &MeshTrial| {
            let query = Query::new(trial.from, trial.to);
            entrant.budget.map_or(query, |budget| query.budget(budget))
        };
        let router = processor.map(|processor| UploadedChart::new(processor, &planner, world));
        Ok(MeshBatch {
            world,
            router: router.unwrap_or_else(|| Err(ON_CPU_ONLY.to_owned())),
            planner,
            queries: trials.iter().map(query).collect(),
            one: BatchScratch::new(1),
            all: BatchScratch::new(0),
        })
    };
    let device = processor.map(Processor::name);
    race_each(result, entrants, (MeshEntrant::name, ready), device.as_deref(), progress)
}

/// A batch on a mesh.
struct MeshBatch<'a> {
    world: &'a Snapshot<NavMesh>,
    planner: Planner<NavMesh>,
    queries: Vec<Query<MeshPoint>>,
    one: BatchScratch<NavMesh>,
    all: BatchScratch<NavMesh>,
    /// The planner's chart on a graphics processor, or why it is on none.
    router: Result<UploadedChart<NavMesh>, String>,
}

impl Batch for MeshBatch<'_> {
    type Answers = Answers<MeshPoint>;

    fn queries(&self) -> usize {
        self.queries.len()
    }

    fn threads(&self) -> usize {
        self.all.threads()
    }

    fn on_one_thread(&mut self) -> Answers<MeshPoint> {
        self.planner.find_many(self.world, &self.queries, &mut self.one).expect("it was built for this world")
    }

    fn on_all_threads(&mut self) -> Answers<MeshPoint> {
        self.planner.find_many(self.world, &self.queries, &mut self.all).expect("it was built for this world")
    }

    fn on_processor(&mut self) -> OnProcessor<Answers<MeshPoint>> {
        let router = self.router.as_mut().map_err(|reason| reason.clone())?;
        router.find_many(&self.planner, self.world, &self.queries, &mut self.all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mesh::race::race;
    use crate::mesh::random;
    use crate::mesh::tests::holed;
    use crate::progress::go_on;
    use portolan::{MESH_ALGORITHMS, World};

    #[test]
    fn every_algorithm_answers_a_batch_in_every_way() {
        let world = World::from(holed(16));
        let trials = random(&world, 300, 1).unwrap();
        let entrants: Vec<MeshEntrant> = MESH_ALGORITHMS.iter().map(|&algorithm| MeshEntrant::new(algorithm)).collect();
        let mut result = race("holed", &world, &trials[..20], &entrants, 1, &mut go_on).unwrap();
        let processor = Processor::open();
        race_batches(&world, &trials, &entrants, processor.as_ref().ok(), &mut result, &mut go_on).unwrap();
        assert!(result.faults.is_empty() && result.mismatches() == 0, "{:?}", result.faults);
        for row in &result.rows {
            let batch = row.batch.as_ref().unwrap();
            assert!(batch.identical && batch.queries == 300 && batch.one_ms > 0.0 && batch.cpu_ms > 0.0, "{batch:?}");
            let is_measured = ["a-star", "hna-star", "rhumb"].contains(&row.algorithm.as_str()) && processor.is_ok();
            assert_eq!((batch.gpu_whole_ms.is_some(), batch.device.is_some()), (is_measured, is_measured), "{batch:?}");
            assert_eq!(batch.no_gpu.is_some(), processor.is_ok() && !is_measured, "{batch:?}");
        }
    }
}
