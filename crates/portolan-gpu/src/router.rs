//! [`BatchRouter`]: batches of queries on a graphics processor, whatever the kind of world and the algorithm.
//!
//! Not here: the charts on the processor and the programs that read them (`mesh.rs`, `rhumb.rs`).

use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::mesh::MeshChart;
use crate::rhumb::SquareFronts;
use crate::squares::SquareRows;
use crate::times::{SyncTimes, Times};
use portolan::flat::{Flat, FlatMark, FlatPatch};
use portolan::{Answers, BatchScratch, NavMesh, Planner, Query, Routed, Router, Snapshot, Space, SquareGrid, Stale};
use std::time::Instant;

/// The most tasks that are given to the processor at once.
const MOST_TASKS: usize = 1 << 20;

/// Start and goal of a route that is wanted.
pub(crate) type Ends<S> = (<S as Space>::Place, <S as Space>::Place);

/// A chart on a processor, and the programs that find routes in it.
pub trait DeviceChart<S: Space>: Send {
    /// Uploads what differs from the chart of before, and returns how many bytes that took.
    ///
    /// # Errors
    /// When the processor has failed, or has no room for the chart.
    fn sync(&mut self, flat: Flat, world: &Snapshot<S>) -> Result<usize, GpuError>;

    /// Uploads what edits have changed, as the planner tells it, and returns how many bytes that took. `None` means that this
    /// chart takes whole arrays alone.
    ///
    /// # Errors
    /// When the processor has failed.
    fn patch(&mut self, _patch: &FlatPatch, _world: &Snapshot<S>) -> Result<Option<usize>, GpuError> {
        Ok(None)
    }

    /// Returns about how many bytes each program of the latest batch has read and written, by its name; nothing if that is not
    /// known. Numbers that many threads read side by side count for each of them.
    fn traffic(&self) -> Vec<(&'static str, u64)> {
        Vec::new()
    }

    /// Returns what the latest edit took, as far as it was measured.
    fn sync_times(&self) -> SyncTimes {
        SyncTimes::default()
    }

    /// Finds routes for tasks, and appends them.
    ///
    /// # Errors
    /// When the processor has failed, or these are more tasks than it has room for; then nothing was appended.
    fn route(&mut self, tasks: &[Ends<S>], routed: &mut Routed<S::Place>) -> Result<Times, GpuError>;

    /// Finds routes for tasks again and again, and leaves them on the processor. Returns the times of each round.
    ///
    /// # Errors
    /// When the processor has failed, or these are more tasks than it has room for.
    fn again(&mut self, tasks: &[Ends<S>], rounds: usize) -> Result<Vec<Times>, GpuError>;

    /// Says how many threads of the CPU may convert tasks and routes.
    fn set_threads(&mut self, _threads: usize) {}

    /// Returns the bytes that the chart takes on the processor.
    fn bytes(&self) -> usize;
}

/// A kind of world whose charts can be on graphics processors.
pub trait OnDevice: Space {
    /// Uploads a chart. Returns `None` if no program reads arrays of this form.
    ///
    /// # Errors
    /// When the processor has failed, or has no room for the chart.
    #[doc(hidden)]
    fn upload(gpu: Gpu, flat: Flat, world: &Snapshot<Self>) -> Result<Option<Box<dyn DeviceChart<Self>>>, GpuError>;
}

impl OnDevice for NavMesh {
    fn upload(gpu: Gpu, flat: Flat, world: &Snapshot<Self>) -> Result<Option<Box<dyn DeviceChart<Self>>>, GpuError> {
        Ok(MeshChart::new(gpu, flat, world)?.map(|chart| Box::new(chart) as Box<dyn DeviceChart<NavMesh>>))
    }
}

impl OnDevice for SquareGrid {
    fn upload(gpu: Gpu, flat: Flat, _: &Snapshot) -> Result<Option<Box<dyn DeviceChart<Self>>>, GpuError> {
        Ok(match flat {
            Flat::SquareRows(flat) => Some(Box::new(SquareRows::new(gpu, &flat)?)),
            Flat::SquareFronts(flat) => Some(Box::new(SquareFronts::new(gpu, &flat)?)),
            _ => None,
        })
    }
}

/// Answers batches of queries on a graphics processor, with the routes of a planner.
///
/// What the processor cannot answer, the planner does: routes whose costs do not fit, queries with a budget, and all routes
/// once the processor has failed, which [`BatchRouter::fault`] tells. So each query has an answer, and it is the planner's.
pub struct BatchRouter<S: OnDevice = NavMesh> {
    gpu: Gpu,
    chart: Box<dyn DeviceChart<S>>,
    /// Of which state the chart is.
    mark: FlatMark<S>,
    sync_times: SyncTimes,
    fault: Option<GpuError>,
    times: Times,
    left: usize,
    /// Memory for the places of the next batch.
    spare: Vec<S::Place>,
}

impl<S: OnDevice> BatchRouter<S> {
    /// Uploads a planner's chart to a processor.
    ///
    /// # Errors
    /// When the planner's algorithm has no flat arrays, its revision is not that of the world, or the processor has no
    /// room for the chart.
    pub fn new(gpu: Gpu, planner: &Planner<S>, world: &Snapshot<S>) -> Result<BatchRouter<S>, GpuError> {
        let mark = planner.flat_mark(world)?;
        let chart = S::upload(gpu.clone(), flat(planner, world)?, world)?;
        let chart = chart.ok_or(GpuError::NotFlat(planner.algorithm().name))?;
        let (times, sync_times) = (Times::default(), SyncTimes::default());
        Ok(BatchRouter { gpu, chart, mark, sync_times, fault: None, times, left: 0, spare: Vec::new() })
    }

    /// Uploads what edits have changed in the planner's chart, and returns how many bytes that took.
    /// [`BatchRouter::find_many`] does so by itself.
    ///
    /// # Errors
    /// When the planner's revision is not that of the world, or the processor has failed.
    pub fn sync(&mut self, planner: &Planner<S>, world: &Snapshot<S>) -> Result<usize, GpuError> {
        if self.mark.revision() == world.revision() {
            return Ok(0);
        }
        let begun = Instant::now();
        let mark = planner.flat_mark(world)?;
        let patch = planner.flat_since(world, &self.mark)?;
        let mut flatten = begun.elapsed();
        let patched = patch.map_or(Ok(None), |patch| self.chart.patch(&patch, world))?;
        let bytes = if let Some(bytes) = patched {
            bytes
        } else {
            let begun = Instant::now();
            let flat = flat(planner, world)?;
            flatten += begun.elapsed();
            self.chart.sync(flat, world)?
        };
        (self.mark, self.sync_times) = (mark, SyncTimes { flatten, ..self.chart.sync_times() });
        Ok(bytes)
    }

    /// Returns how long the latest upload of edits took.
    pub fn sync_times(&self) -> SyncTimes {
        self.sync_times
    }

    /// Answers many queries as [`Planner::find_many`] does.
    ///
    /// # Errors
    /// When the planner's revision is not that of the world.
    pub fn find_many(
        &mut self,
        planner: &Planner<S>,
        world: &Snapshot<S>,
        queries: &[Query<S::Place>],
        scratch: &mut BatchScratch<S>,
    ) -> Result<Answers<S::Place>, Stale> {
        match self.sync(planner, world) {
            Ok(_) => {}
            Err(GpuError::Stale(stale)) => return Err(stale),
            Err(fault) => self.fault = Some(fault),
        }
        self.chart.set_threads(scratch.threads());
        planner.find_many_on(world, queries, scratch, self)
    }

    /// Answers many queries as [`BatchRouter::find_many`] does, and writes the answers over those of an earlier batch, whose memory
    /// for places is used again. For large batches, getting that memory anew takes longer than writing to it.
    ///
    /// # Errors
    /// When the planner's revision is not that of the world; `answers` is then empty.
    pub fn find_many_into(
        &mut self,
        planner: &Planner<S>,
        world: &Snapshot<S>,
        queries: &[Query<S::Place>],
        scratch: &mut BatchScratch<S>,
        answers: &mut Answers<S::Place>,
    ) -> Result<(), Stale> {
        self.spare = std::mem::take(answers).into_places();
        self.spare.clear();
        *answers = self.find_many(planner, world, queries, scratch)?;
        Ok(())
    }

    /// Returns why the processor did not answer the latest batch, or `None` if it did.
    pub fn fault(&self) -> Option<&GpuError> {
        self.fault.as_ref()
    }

    /// Returns how many searches of the latest batch were left to the planner.
    pub fn left(&self) -> usize {
        self.left
    }

    /// Returns how long the latest batch took on the processor.
    pub fn times(&self) -> Times {
        self.times
    }

    /// Returns about how many bytes each program of the latest batch has read and written, by its name, as the counts of what it
    /// has looked at tell; nothing if that is not known. A processor cannot run a program faster than its memory moves
    /// these bytes, as far as its caches do not hold them.
    pub fn traffic(&self) -> Vec<(&'static str, u64)> {
        self.chart.traffic()
    }

    /// Routes the tasks of a batch again and again on the warm processor, and leaves the results there, as for a crowd that
    /// walks on it. Returns the times of each round. Tasks that are too many at once are routed in pieces.
    ///
    /// # Errors
    /// When the processor has failed, or has no room for a single task.
    pub fn time(&mut self, tasks: &[Ends<S>], rounds: usize) -> Result<Vec<Times>, GpuError> {
        match self.chart.again(tasks, rounds) {
            Err(GpuError::TooLarge { .. }) if tasks.len() > 1 => {
                let (some, others) = tasks.split_at(tasks.len() / 2);
                let mut times = self.time(some, rounds)?;
                for (times, other) in times.iter_mut().zip(self.time(others, rounds)?) {
                    times.add(other);
                }
                Ok(times)
            }
            times => times,
        }
    }

    /// Returns the processor.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Returns the bytes that the chart takes on the processor.
    pub fn bytes(&self) -> usize {
        self.chart.bytes()
    }

    /// Routes tasks in pieces that the processor has room for.
    fn route_all(&mut self, tasks: &[Ends<S>]) -> Result<Routed<S::Place>, GpuError> {
        let places = std::mem::take(&mut self.spare);
        let mut routed = Routed { costs: Vec::with_capacity(tasks.len()), offsets: vec![0], places };
        let mut size = MOST_TASKS;
        let mut rest = tasks;
        while !rest.is_empty() {
            let (piece, others) = rest.split_at(rest.len().min(size));
            match self.chart.route(piece, &mut routed) {
                Ok(times) => {
                    self.times.add(times);
                    rest = others;
                }
                // Half as many tasks need half as much room.
                Err(GpuError::TooLarge { .. }) if piece.len() > 1 => size = piece.len() / 2,
                Err(error) => return Err(error),
            }
        }
        Ok(routed)
    }
}

impl<S: OnDevice> Router<S> for BatchRouter<S> {
    fn route(&mut self, tasks: &[Ends<S>]) -> Routed<S::Place> {
        self.times = Times::default();
        let routed = if self.fault.is_some() {
            None
        } else {
            self.route_all(tasks).map_err(|fault| self.fault = Some(fault)).ok()
        };
        let routed = routed.unwrap_or_else(|| Routed::none(tasks.len()));
        self.left = routed.costs.iter().filter(|cost| cost.is_none()).count();
        routed
    }
}

/// Returns what a planner's algorithm reads as flat arrays.
fn flat<S: Space>(planner: &Planner<S>, world: &Snapshot<S>) -> Result<Flat, GpuError> {
    planner.flat(world)?.ok_or(GpuError::NotFlat(planner.algorithm().name))
}
