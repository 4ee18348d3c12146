//! The race of a field against batches whose queries share a goal: one sweep, then every agent walks by it.
//!
//! A round makes the field and all routes: on one thread, with the routes divided among all threads, and on a graphics
//! processor. Routes are compared as arrays, and their costs with those of exact searches.
//!
//! Not here: the batches of algorithms (`race/batch.rs`).

use super::batch::{Batch, OnProcessor, measured_alone};
use super::{FAULTS_TOLD, Processor, RaceResult, UploadedGround};
use crate::progress::{Cancelled, Progress};
use portolan::any::{AnyBatchScratch, AnyField, AnyPlanner, AnyScratch, AnySnapshot};
use portolan::{Cell, Cost, Query, Routed};
use std::thread;

/// The name of a field among algorithms.
pub const FIELD: &str = "field";

/// Finds routes from many cells to one goal by a field, and adds what that takes to the result of a race. Wrong routes become
/// faults. `progress` receives the rounds done and their greatest total.
///
/// # Errors
/// When `progress` stops the race. It is not called within a round.
///
/// # Panics
/// When the goal is blocked or off the map; [`crate::queries`] picks no such goals.
pub fn race_field(
    world: &AnySnapshot,
    goal: Cell,
    starts: Vec<Cell>,
    processor: Option<&Processor>,
    result: &mut RaceResult,
    progress: &mut Progress,
) -> Result<(), Cancelled> {
    let device = processor.map(Processor::name);
    let threads = AnyBatchScratch::new(0).threads();
    let ground = processor.map(|processor| UploadedGround::new(processor, world));
    let mut batch = FieldBatch { world, goal, starts, threads, scratch: AnyScratch::new(), ground };
    let (mut row, mut faults) = measured_alone(&mut batch, device.as_deref(), progress)?;
    if batch.on_one_thread().costs != batch.exact() {
        row.identical = false;
        faults.push("the routes do not cost what exact searches find".to_owned());
    }
    let faults = faults.iter().map(|fault| format!("{FIELD}: {fault}"));
    result.faults.extend(faults.take(FAULTS_TOLD.saturating_sub(result.faults.len())));
    result.field = Some(row);
    Ok(())
}

/// Many agents with one goal.
struct FieldBatch<'a> {
    world: &'a AnySnapshot,
    goal: Cell,
    starts: Vec<Cell>,
    threads: usize,
    scratch: AnyScratch,
    /// The ground on a graphics processor, or why it is on none; `None` if there is no processor.
    ground: Option<Result<UploadedGround, String>>,
}

impl FieldBatch<'_> {
    fn field(&mut self) -> AnyField {
        AnyField::new(self.world, &[self.goal], None, &mut self.scratch).expect("a free cell is the goal")
    }

    /// Returns what exact searches say that each route costs.
    fn exact(&self) -> Vec<Option<Cost>> {
        let exact = self.world.exact();
        let settings = exact.settings::<&str, &str>(&[]).expect("defaults are sound");
        let planner = AnyPlanner::build(self.world, exact, settings).expect("it runs on every world");
        let queries: Vec<Query> = self.starts.iter().map(|&from| Query::new(from, self.goal)).collect();
        let answers = planner.find_many(self.world, &queries, &mut AnyBatchScratch::new(0));
        let answers = answers.expect("it was built for this world");
        let cost = |query: usize| (!answers.route(query).is_empty()).then_some(answers.costs()[query]);
        (0..queries.len()).map(cost).collect()
    }
}

impl Batch for FieldBatch<'_> {
    type Answers = Routed<Cell>;

    fn queries(&self) -> usize {
        self.starts.len()
    }

    fn threads(&self) -> usize {
        self.threads
    }

    fn on_one_thread(&mut self) -> Routed<Cell> {
        self.field().descend_many(self.world, &self.starts).expect("it was made for this world")
    }

    fn on_all_threads(&mut self) -> Routed<Cell> {
        let (field, world) = (self.field(), self.world);
        let share = self.starts.len().div_ceil(self.threads).max(1);
        let descend = |starts| field.descend_many(world, starts).expect("it was made for this world");
        thread::scope(|scope| {
            let parts: Vec<_> = self.starts.chunks(share).map(|starts| scope.spawn(move || descend(starts))).collect();
            let mut all = Routed::none(0);
            for part in parts {
                all.append(part.join().expect("descending does not panic"));
            }
            all
        })
    }

    fn on_processor(&mut self) -> OnProcessor<Routed<Cell>> {
        match &mut self.ground {
            Some(Ok(ground)) => ground.route_all(self.goal, &self.starts),
            Some(Err(reason)) => Err(reason.clone()),
            None => Err("there is no graphics processor".to_owned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::go_on;
    use crate::queries::to_one_goal;
    use portolan::generate::{generate, recipe};
    use portolan::{HexGrid, Rules};

    #[test]
    fn a_field_answers_a_batch_with_one_goal_in_every_way() {
        let caves = recipe("caves").unwrap();
        let grid = generate(caves, 60, 50, 3, &caves.settings::<&str, &str>(&[]).unwrap(), Rules::default()).unwrap();
        let hexes = HexGrid::from_weights(60, 50, &grid.to_weights(), None).unwrap();
        let processor = Processor::open();
        for world in [AnySnapshot::from(grid), AnySnapshot::from(hexes)] {
            let trials = to_one_goal(&world, 500, 7).unwrap();
            let goal = trials[0].to;
            assert!(trials.iter().all(|trial| trial.to == goal && world.connected(trial.from, goal)));
            assert_eq!(trials, to_one_goal(&world, 500, 7).unwrap());
            let starts = trials.iter().map(|trial| trial.from).collect();
            let mut result = RaceResult::on("caves", None);
            race_field(&world, goal, starts, processor.as_ref().ok(), &mut result, &mut go_on).unwrap();
            let row = result.field.as_ref().unwrap();
            assert!(row.identical && row.queries == 500 && row.one_ms > 0.0 && row.cpu_ms > 0.0, "{row:?}");
            assert_eq!((row.gpu_whole_ms.is_some(), row.no_gpu.is_some()), (processor.is_ok(), false), "{row:?}");
            assert!(result.faults.is_empty() && result.mismatches() == 0, "{:?}", result.faults);
        }
    }

    #[test]
    fn routes_that_cost_too_much_are_told() {
        let world = AnySnapshot::from(portolan::SquareGrid::open(9, 1, Rules::default()).unwrap());
        let mut batch = FieldBatch {
            world: &world,
            goal: Cell::new(8, 0),
            starts: vec![Cell::new(0, 0), Cell::new(8, 0)],
            threads: 3,
            scratch: AnyScratch::new(),
            ground: None,
        };
        assert_eq!(batch.on_one_thread().costs, batch.exact());
        batch.goal = Cell::new(7, 0);
        let exact = batch.exact();
        batch.goal = Cell::new(8, 0);
        assert_ne!(batch.on_one_thread().costs, exact);
        assert!(batch.on_processor().is_err());
    }
}
