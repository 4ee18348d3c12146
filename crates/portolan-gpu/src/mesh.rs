//! Batches of queries on a navigation mesh, answered from the arrays of its rhumb chart.
//!
//! Not here: the programs that compute (`mesh/*.wgsl`) and how they are run (`mesh/run.rs`).

mod run;

use crate::chart::ChartWords;
use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::times::Times;
use portolan::flat::FlatMesh;
use portolan::{
    Answers, BatchScratch, Cost, MeshPoint, Motion, NavMesh, Planner, Query, Revision, Routed, Router, Snapshot, Space,
    Stale,
};
use run::{Runner, Written};

/// The words of a task: two places of three words.
const TASK: usize = 6;
/// The most tasks that are given to the processor at once.
const MOST_TASKS: usize = 1 << 20;

/// Answers batches of queries on a graphics processor, with the routes of a planner's rhumb chart.
///
/// What the processor cannot answer, the planner does: routes whose costs do not fit, queries with a budget, and all routes
/// once the processor has failed, which [`BatchRouter::fault`] tells. So each query has an answer, and it is the planner's.
pub struct BatchRouter {
    runner: Runner,
    world: Snapshot<NavMesh>,
    revision: Revision,
    words: ChartWords,
    corners: Corners,
    fault: Option<GpuError>,
    times: Times,
    left: usize,
}

impl BatchRouter {
    /// Uploads a planner's chart to a processor.
    ///
    /// # Errors
    /// When the planner's algorithm has no flat arrays, its revision is not that of the world, or the processor has no
    /// room for the chart.
    pub fn new(gpu: Gpu, planner: &Planner<NavMesh>, world: &Snapshot<NavMesh>) -> Result<BatchRouter, GpuError> {
        let flat = flat(planner, world)?;
        let words = ChartWords::of_mesh(&flat);
        let runner = Runner::new(gpu, &words, flat.nodes.len() as u32)?;
        let (world, revision) = (world.clone(), world.revision());
        let corners = Corners { polygons: flat.portal_polygons, spans: flat.spans };
        Ok(BatchRouter { runner, world, revision, words, corners, fault: None, times: Times::default(), left: 0 })
    }

    /// Uploads what edits have changed in the planner's chart, and returns how many bytes that took.
    /// [`BatchRouter::find_many`] does so by itself.
    ///
    /// # Errors
    /// When the planner's revision is not that of the world, or the processor has failed.
    pub fn sync(&mut self, planner: &Planner<NavMesh>, world: &Snapshot<NavMesh>) -> Result<usize, GpuError> {
        if self.revision == world.revision() {
            return Ok(0);
        }
        let flat = flat(planner, world)?;
        let words = ChartWords::of_mesh(&flat);
        let bytes = if words.first == self.words.first && words.words.len() == self.words.words.len() {
            self.runner.patch(&words, &words.changes(&self.words))?
        } else {
            self.runner = Runner::new(self.runner.gpu().clone(), &words, flat.nodes.len() as u32)?;
            4 * words.words.len()
        };
        (self.words, self.world, self.revision) = (words, world.clone(), world.revision());
        Ok(bytes)
    }

    /// Answers many queries as [`Planner::find_many`] does.
    ///
    /// # Errors
    /// When the planner's revision is not that of the world.
    pub fn find_many(
        &mut self,
        planner: &Planner<NavMesh>,
        world: &Snapshot<NavMesh>,
        queries: &[Query<MeshPoint>],
        scratch: &mut BatchScratch<NavMesh>,
    ) -> Result<Answers<MeshPoint>, Stale> {
        match self.sync(planner, world) {
            Ok(_) => {}
            Err(GpuError::Stale(stale)) => return Err(stale),
            Err(fault) => self.fault = Some(fault),
        }
        planner.find_many_on(world, queries, scratch, self)
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

    /// Routes the tasks of a batch again and again on the warm processor, and leaves the results there, as for a crowd that
    /// walks on it. Returns the times of each round.
    ///
    /// # Errors
    /// When the processor has failed, or the tasks are too many to be routed at once.
    pub fn time(&mut self, tasks: &[(MeshPoint, MeshPoint)], rounds: usize) -> Result<Vec<Times>, GpuError> {
        self.runner.run(&task_words(tasks))?;
        self.runner.again(tasks.len() as u32, rounds)
    }

    /// Returns the processor.
    pub fn gpu(&self) -> &Gpu {
        self.runner.gpu()
    }

    /// Returns the bytes that the chart takes on the processor.
    pub fn bytes(&self) -> usize {
        4 * self.words.words.len()
    }

    /// Routes tasks in pieces that the processor has room for.
    fn route_all(&mut self, tasks: &[(MeshPoint, MeshPoint)]) -> Result<Routed<MeshPoint>, GpuError> {
        let mut routed = Routed { costs: Vec::with_capacity(tasks.len()), offsets: vec![0], places: Vec::new() };
        let mut size = MOST_TASKS;
        let mut rest = tasks;
        while !rest.is_empty() {
            let (piece, others) = rest.split_at(rest.len().min(size));
            match self.runner.run(&task_words(piece)) {
                Ok((written, times)) => {
                    self.take(piece, &written, &mut routed);
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

    /// Appends the routes of a piece.
    fn take(&self, tasks: &[(MeshPoint, MeshPoint)], written: &Written, routed: &mut Routed<MeshPoint>) {
        let counts_unit_weight = self.world.uniform_weight() == Some(1);
        for (task, range) in written.offsets.windows(2).enumerate() {
            let begin = routed.places.len();
            if written.costs[task].is_some() {
                let corners = &written.corners[range[0] as usize..range[1] as usize];
                routed.places.push(tasks[task].0);
                routed.places.extend(corners.iter().map(|&corner| self.corners.place(corner)));
                routed.places.push(tasks[task].1);
            }
            let cost = written.costs[task].map(Cost);
            let places = &routed.places[begin..];
            routed.costs.push(if counts_unit_weight { cost } else { cost.and_then(|_| self.cost_of(places)) });
            routed.offsets.push(routed.places.len() as u64);
        }
    }

    /// Returns what the lines of a route cost where weights count.
    fn cost_of(&self, places: &[MeshPoint]) -> Option<Cost> {
        let sum = places.windows(2).try_fold(0_u64, |sum, pair| {
            let line = self.world.segment(pair[0], pair[1], Motion::AnyAngle)?;
            Some(sum + u64::from(line.0))
        });
        u32::try_from(sum?).ok().map(Cost)
    }
}

impl Router<NavMesh> for BatchRouter {
    fn route(&mut self, tasks: &[(MeshPoint, MeshPoint)]) -> Routed<MeshPoint> {
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

/// What corners are read with: the polygons of each portal, and where its ends lie.
struct Corners {
    polygons: Vec<[u32; 2]>,
    spans: Vec<[[i32; 2]; 2]>,
}

impl Corners {
    /// Returns the place of a corner: an end of a portal, on the polygon behind it.
    fn place(&self, corner: u32) -> MeshPoint {
        let (portal, leaves_first, is_left) = ((corner >> 2) as usize, corner >> 1 & 1, corner & 1);
        let [x, y] = self.spans[portal][usize::from(leaves_first != 1 - is_left)];
        MeshPoint { polygon: self.polygons[portal][leaves_first as usize], x, y }
    }
}

/// Returns a planner's chart as flat arrays.
fn flat(planner: &Planner<NavMesh>, world: &Snapshot<NavMesh>) -> Result<FlatMesh, GpuError> {
    planner.flat(world)?.ok_or(GpuError::NotFlat(planner.algorithm().name))
}

fn task_words(tasks: &[(MeshPoint, MeshPoint)]) -> Vec<u32> {
    let mut words = Vec::with_capacity(TASK * tasks.len());
    for &(from, to) in tasks {
        for at in [from, to] {
            words.extend([at.polygon, at.x.cast_unsigned(), at.y.cast_unsigned()]);
        }
    }
    words
}
