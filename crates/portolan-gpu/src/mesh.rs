//! Batches on a navigation mesh, routed from the arrays of the mesh and of a chart of it.
//!
//! Not here: the programs that compute (`mesh/*.wgsl`) and how they are run (`mesh/run.rs`).

mod kit;
mod run;
mod search;

use crate::chart::ChartWords;
use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::router::DeviceChart;
use crate::times::Times;
use kit::Kit;
use portolan::flat::{Flat, FlatNodes, FlatRows};
use portolan::{Cost, MeshPoint, Motion, NavMesh, Routed, Snapshot, Space};
use run::{Runner, Written};

/// The words of a task: two places of three words.
const TASK: usize = 6;

/// The number of portals from which on a polygon has too many for the records of searches.
const MOST_EXITS: usize = 255;

/// A mesh and a chart of it on a processor.
pub(crate) struct MeshChart {
    runner: Runner,
    world: Snapshot<NavMesh>,
    words: ChartWords,
    corners: Corners,
}

impl MeshChart {
    /// Uploads a chart. Returns `None` if no program reads arrays of this form.
    pub(crate) fn new(gpu: Gpu, flat: Flat, world: &Snapshot<NavMesh>) -> Result<Option<MeshChart>, GpuError> {
        let Some((words, kit, corners)) = forms(flat) else { return Ok(None) };
        let runner = Runner::new(gpu, &words, kit)?;
        Ok(Some(MeshChart { runner, world: world.clone(), words, corners }))
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

impl DeviceChart<NavMesh> for MeshChart {
    fn sync(&mut self, flat: Flat, world: &Snapshot<NavMesh>) -> Result<usize, GpuError> {
        let other = || GpuError::NotFlat("another algorithm");
        let (words, kit, corners) = forms(flat).ok_or_else(other)?;
        if words.first != self.words.first || words.words.len() != self.words.words.len() {
            let runner = Runner::new(self.runner.gpu().clone(), &words, kit)?;
            *self = MeshChart { runner, world: world.clone(), words, corners };
            return Ok(self.bytes());
        }
        let bytes = self.runner.patch(&words, kit, &words.changes(&self.words))?;
        (self.words, self.corners, self.world) = (words, corners, world.clone());
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

/// Returns a chart as words, the programs that read it, and what corners are read with; `None` if there are no such programs.
fn forms(flat: Flat) -> Option<(ChartWords, Kit, Corners)> {
    let (mesh, nodes, rows, kit) = match flat {
        Flat::MeshPlain(mesh, list) => {
            let kit = Kit::plain(&mesh, list);
            (mesh, FlatNodes::default(), FlatRows::default(), kit)
        }
        Flat::MeshLevels(mesh, nodes, lists) => {
            let kit = Kit::levels(&mesh, &nodes, lists);
            (mesh, nodes, FlatRows::default(), kit)
        }
        Flat::MeshRows(mesh, nodes, rows) => (mesh, nodes, rows, Kit::rows()),
        _ => return None,
    };
    let most_exits = mesh.first_exit.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0);
    if kit.search.is_some() && most_exits as usize >= MOST_EXITS {
        return None;
    }
    let words = ChartWords::of_mesh(&mesh, &nodes, &rows);
    Some((words, kit, Corners { polygons: mesh.portal_polygons, spans: mesh.spans }))
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
