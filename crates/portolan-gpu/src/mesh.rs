//! Batches on a navigation mesh, routed from the arrays of its rhumb chart.
//!
//! Not here: the programs that compute (`mesh/*.wgsl`) and how they are run (`mesh/run.rs`).

mod run;

use crate::chart::ChartWords;
use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::router::DeviceChart;
use crate::times::Times;
use portolan::flat::{Flat, FlatMesh};
use portolan::{Cost, MeshPoint, Motion, NavMesh, Routed, Snapshot, Space};
use run::{Runner, Written};

/// The words of a task: two places of three words.
const TASK: usize = 6;

/// The rhumb chart of a mesh on a processor.
pub(crate) struct MeshRows {
    runner: Runner,
    world: Snapshot<NavMesh>,
    words: ChartWords,
    corners: Corners,
}

impl MeshRows {
    /// Uploads a chart.
    pub(crate) fn new(gpu: Gpu, flat: FlatMesh, world: &Snapshot<NavMesh>) -> Result<MeshRows, GpuError> {
        let words = ChartWords::of_mesh(&flat);
        let runner = Runner::new(gpu, &words, flat.nodes.len() as u32)?;
        let corners = Corners { polygons: flat.portal_polygons, spans: flat.spans };
        Ok(MeshRows { runner, world: world.clone(), words, corners })
    }

    /// Appends the routes of tasks.
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

impl DeviceChart<NavMesh> for MeshRows {
    fn sync(&mut self, flat: Flat, world: &Snapshot<NavMesh>) -> Result<usize, GpuError> {
        let Flat::MeshRows(flat) = flat else { return Err(GpuError::NotFlat("another algorithm")) };
        let words = ChartWords::of_mesh(&flat);
        if words.first != self.words.first || words.words.len() != self.words.words.len() {
            *self = MeshRows::new(self.runner.gpu().clone(), flat, world)?;
            return Ok(self.bytes());
        }
        let bytes = self.runner.patch(&words, &words.changes(&self.words))?;
        self.corners = Corners { polygons: flat.portal_polygons, spans: flat.spans };
        (self.words, self.world) = (words, world.clone());
        Ok(bytes)
    }

    fn route(&mut self, tasks: &[(MeshPoint, MeshPoint)], routed: &mut Routed<MeshPoint>) -> Result<Times, GpuError> {
        let (written, times) = self.runner.run(&task_words(tasks))?;
        self.take(tasks, &written, routed);
        Ok(times)
    }

    fn again(&mut self, tasks: &[(MeshPoint, MeshPoint)], rounds: usize) -> Result<Vec<Times>, GpuError> {
        self.runner.run(&task_words(tasks))?;
        self.runner.again(tasks.len() as u32, rounds)
    }

    fn bytes(&self) -> usize {
        4 * self.words.words.len()
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

fn task_words(tasks: &[(MeshPoint, MeshPoint)]) -> Vec<u32> {
    let mut words = Vec::with_capacity(TASK * tasks.len());
    for &(from, to) in tasks {
        for at in [from, to] {
            words.extend([at.polygon, at.x.cast_unsigned(), at.y.cast_unsigned()]);
        }
    }
    words
}
