//! Races of batches: every algorithm answers many queries at once, on one thread, on all threads, and, where it keeps flat
//! arrays, on a graphics processor.
//!
//! - A round asks the batch once in each of these ways. The first round warms up: it allocates memory and is not counted,
//!   unless it takes longer than ten seconds, which then is the only one. Medians of the other rounds count.
//! - The clock runs from the queries in memory to the answers in memory. A graphics processor is timed a second time by its
//!   own clock, without what is moved there and back.
//! - The answers of all ways are compared as arrays. An algorithm whose answers differ has answered wrongly.
//!
//! Not here: choosing queries, batches on meshes (`mesh/batch.rs`), and graphics processors (`processor.rs`).

use super::row::to_places;
use super::{Entrant, FAULTS_TOLD, Processor, RaceResult, Skipped, UploadedChart};
use crate::progress::{Cancelled, Progress, Steps};
use crate::queries::Trial;
use portolan::any::{AnyBatchScratch, AnyPlanner, AnySnapshot};
use portolan::{Answers, BatchScratch, Query, SquareGrid};
use serde::Serialize;
use std::time::{Duration, Instant};

/// The greatest number of rounds that are counted.
const ROUNDS: usize = 5;
/// No round is begun once the rounds have taken longer than this together.
const PATIENCE: Duration = Duration::from_secs(10);
/// Why an algorithm has no times on a graphics processor if it keeps no flat arrays.
pub(crate) const ON_CPU_ONLY: &str = "runs on the CPU only";

/// How long an algorithm takes for a batch: medians of several rounds, in milliseconds.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct BatchRow {
    /// How many queries are asked at once.
    pub queries: usize,
    /// On one thread.
    pub one_ms: f64,
    /// On all threads.
    pub cpu_ms: f64,
    /// How many threads these are.
    pub threads: usize,
    /// On the graphics processor, by its own clock; `None`, and absent from the JSON, if it was not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpu_ms: Option<f64>,
    /// On the graphics processor, with upload and download; `None`, and absent from the JSON, if it was not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub gpu_whole_ms: Option<f64>,
    /// The name of the graphics processor; `None`, and absent from the JSON, if it was not measured.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub device: Option<String>,
    /// Why the graphics processor was not measured; `None`, and absent from the JSON, if it was, or was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub no_gpu: Option<String>,
    /// Whether all ways have given the same arrays.
    pub identical: bool,
}

impl BatchRow {
    /// Returns how many times as fast all threads are as one.
    pub fn speed_up(&self) -> f64 {
        self.one_ms / self.cpu_ms
    }
}

/// Answers on a graphics processor, and how long they took by its own clock, if it has one.
pub(crate) type OnProcessor<A> = Result<(A, Option<Duration>), String>;

/// A batch that one algorithm answers in several ways.
pub(crate) trait Batch {
    /// Answers that can be compared.
    type Answers: PartialEq;

    /// Returns how many queries the batch has.
    fn queries(&self) -> usize;

    /// Returns how many threads all threads are.
    fn threads(&self) -> usize;

    /// Answers the batch on one thread.
    fn on_one_thread(&mut self) -> Self::Answers;

    /// Answers the batch on all threads.
    fn on_all_threads(&mut self) -> Self::Answers;

    /// Answers the batch on the graphics processor, or says why that cannot be done.
    fn on_processor(&mut self) -> OnProcessor<Self::Answers>;
}

/// Asks the entrants for the routes of all trials at once, and adds what that takes to the rows of a race of these
/// entrants. Wrong answers become faults. `progress` receives the rounds done and their greatest total.
///
/// # Errors
/// When `progress` stops the race. It is not called within a round.
pub fn race_batches(
    world: &AnySnapshot,
    trials: &[Trial],
    entrants: &[Entrant],
    processor: Option<&Processor>,
    result: &mut RaceResult,
    progress: &mut Progress,
) -> Result<(), Cancelled> {
    let ready = |entrant: &Entrant| {
        let planner = entrant.planner(world)?;
        let queries = trials.iter().map(|trial| trial.query(entrant.budget)).collect();
        let router = match (processor, &planner, world) {
            (Some(processor), AnyPlanner::Square(planner), AnySnapshot::Square(world)) => {
                UploadedChart::new(processor, planner, world)
            }
            _ => Err(ON_CPU_ONLY.to_owned()),
        };
        let (one, all) = (AnyBatchScratch::new(1), AnyBatchScratch::new(0));
        Ok(GridBatch { world, router, planner, queries, one, all, left: BatchScratch::new(0) })
    };
    let device = processor.map(Processor::name);
    race_each(result, entrants, (Entrant::name, ready), device.as_deref(), progress)
}

/// Measures the batch of each entrant that has a row, in the order of the rows, which is that of the entrants. An entrant
/// is given by its name and by how its batch is made ready.
pub(crate) fn race_each<E, B: Batch>(
    result: &mut RaceResult,
    entrants: &[E],
    (name, ready): (impl Fn(&E) -> String, impl Fn(&E) -> Result<B, String>),
    device: Option<&str>,
    progress: &mut Progress,
) -> Result<(), Cancelled> {
    let rounds = 1 + ROUNDS as u64;
    let mut steps = Steps::new(progress, rounds * result.rows.len() as u64)?;
    let mut rows = result.rows.iter_mut().peekable();
    for entrant in entrants {
        let name = name(entrant);
        let Some(row) = rows.next_if(|row| row.algorithm == name) else { continue };
        match ready(entrant) {
            Ok(mut batch) => {
                let measured = steps.part(rounds, |progress| Measured::run(&mut batch, device, progress))?;
                let faults = measured.faults.iter().map(|fault| format!("{name}: {fault}"));
                result.faults.extend(faults.take(FAULTS_TOLD.saturating_sub(result.faults.len())));
                row.batch = Some(measured.row(&batch, device));
            }
            Err(reason) => {
                result.skipped.push(Skipped { algorithm: format!("the batch of {name}"), reason });
                steps.advance(rounds)?;
            }
        }
    }
    Ok(())
}

/// Measures one batch that belongs to no algorithm. Returns its row, and its faults in words.
pub(crate) fn measured_alone<B: Batch>(
    batch: &mut B,
    device: Option<&str>,
    progress: &mut Progress,
) -> Result<(BatchRow, Vec<String>), Cancelled> {
    let measured = Measured::run(batch, device, progress)?;
    Ok((measured.row(batch, device), measured.faults))
}

/// The times of one round.
struct Lap {
    one: Duration,
    all: Duration,
    /// By the graphics processor's own clock, and with upload and download.
    gpu: Option<(Option<Duration>, Duration)>,
}

/// The rounds of one entrant.
struct Measured {
    laps: Vec<Lap>,
    /// Why the graphics processor has not answered.
    no_gpu: Option<String>,
    /// Which answers differ, each told once.
    faults: Vec<String>,
}

impl Measured {
    fn run<B: Batch>(batch: &mut B, device: Option<&str>, progress: &mut Progress) -> Result<Measured, Cancelled> {
        let rounds = 1 + ROUNDS as u64;
        let mut steps = Steps::new(progress, rounds)?;
        let mut measured = Measured { laps: Vec::new(), no_gpu: None, faults: Vec::new() };
        let begun = Instant::now();
        for round in 1..=rounds {
            let lap = measured.lap(batch, device);
            measured.laps.push(lap);
            if begun.elapsed() > PATIENCE {
                steps.advance(rounds + 1 - round)?;
                break;
            }
            steps.advance(1)?;
        }
        if measured.laps.len() > 1 {
            measured.laps.remove(0);
        }
        Ok(measured)
    }

    /// Asks the batch once in each way.
    fn lap<B: Batch>(&mut self, batch: &mut B, device: Option<&str>) -> Lap {
        let (known, one) = timed(|| batch.on_one_thread());
        let (answers, all) = timed(|| batch.on_all_threads());
        self.compare(&answers, &known, "all threads");
        drop(answers);
        let mut lap = Lap { one, all, gpu: None };
        if let (Some(device), None) = (device, &self.no_gpu) {
            match timed(|| batch.on_processor()) {
                (Ok((answers, own)), whole) => {
                    self.compare(&answers, &known, device);
                    lap.gpu = Some((own, whole));
                }
                (Err(reason), _) => self.no_gpu = Some(reason),
            }
        }
        lap
    }

    fn compare<A: PartialEq>(&mut self, answers: &A, known: &A, way: &str) {
        let fault = format!("the answers to a batch on {way} are not those on one thread");
        if answers != known && !self.faults.contains(&fault) {
            self.faults.push(fault);
        }
    }

    fn row<B: Batch>(&self, batch: &B, device: Option<&str>) -> BatchRow {
        let all_ms = |time: &dyn Fn(&Lap) -> Option<Duration>| median_ms(self.laps.iter().filter_map(time).collect());
        // If the graphics processor has failed in a later round, its earlier times say nothing.
        let is_measured = device.is_some() && self.no_gpu.is_none();
        let gpu_ms = |time: &dyn Fn(&Lap) -> Option<Duration>| if is_measured { all_ms(time) } else { None };
        BatchRow {
            queries: batch.queries(),
            one_ms: all_ms(&|lap| Some(lap.one)).unwrap_or_default(),
            cpu_ms: all_ms(&|lap| Some(lap.all)).unwrap_or_default(),
            threads: batch.threads(),
            gpu_ms: gpu_ms(&|lap| lap.gpu?.0),
            gpu_whole_ms: gpu_ms(&|lap| Some(lap.gpu?.1)),
            device: device.filter(|_| is_measured).map(str::to_owned),
            no_gpu: self.no_gpu.clone(),
            identical: self.faults.is_empty(),
        }
    }
}

fn timed<T>(work: impl FnOnce() -> T) -> (T, Duration) {
    let begun = Instant::now();
    let done = work();
    (done, begun.elapsed())
}

/// Returns the median in milliseconds, `None` of no times.
fn median_ms(mut times: Vec<Duration>) -> Option<f64> {
    times.sort_unstable();
    times.get(times.len() / 2).map(|time| to_places(time.as_secs_f64() * 1e3, 3))
}

/// A batch on a grid.
struct GridBatch<'a> {
    world: &'a AnySnapshot,
    planner: AnyPlanner,
    queries: Vec<Query>,
    one: AnyBatchScratch,
    all: AnyBatchScratch,
    /// The planner's chart on a graphics processor, or why it is on none.
    router: Result<UploadedChart<SquareGrid>, String>,
    /// For queries that the graphics processor leaves to the planner.
    left: BatchScratch,
}

impl Batch for GridBatch<'_> {
    type Answers = Answers;

    fn queries(&self) -> usize {
        self.queries.len()
    }

    fn threads(&self) -> usize {
        self.all.threads()
    }

    fn on_one_thread(&mut self) -> Answers {
        self.planner.find_many(self.world, &self.queries, &mut self.one).expect("it was built for this world")
    }

    fn on_all_threads(&mut self) -> Answers {
        self.planner.find_many(self.world, &self.queries, &mut self.all).expect("it was built for this world")
    }

    fn on_processor(&mut self) -> OnProcessor<Answers> {
        let router = self.router.as_mut().map_err(|reason| reason.clone())?;
        match (&self.planner, self.world) {
            (AnyPlanner::Square(planner), AnySnapshot::Square(world)) => {
                router.find_many(planner, world, &self.queries, &mut self.left)
            }
            _ => Err(ON_CPU_ONLY.to_owned()),
        }
    }
}

#[cfg(test)]
mod tests;
