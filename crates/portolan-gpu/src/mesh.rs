//! Batches on a navigation mesh, routed from the arrays of the mesh and of a chart of it.
//!
//! Not here: the programs that compute (`mesh/*.wgsl`), how they are run (`mesh/run.rs`), and turning what they write into routes
//! (`mesh/places.rs`).

mod edit;
mod kit;
mod places;
mod run;
mod search;
mod traffic;

use crate::chart::ChartWords;
use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::router::DeviceChart;
use crate::times::{SyncTimes, Times};
use kit::Kit;
use places::{Corners, Reader, task_words};
use portolan::flat::{Flat, FlatNodes, FlatPatch, FlatRows};
use portolan::{MeshPoint, NavMesh, Routed, Snapshot};
use run::Runner;
use std::time::Instant;

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
    /// How many threads of the CPU convert tasks and routes.
    threads: usize,
    /// What the latest edit took.
    times: SyncTimes,
}

impl MeshChart {
    /// Uploads a chart. Returns `None` if no program reads arrays of this form.
    pub(crate) fn new(gpu: Gpu, flat: Flat, world: &Snapshot<NavMesh>) -> Result<Option<MeshChart>, GpuError> {
        let Some((words, kit, corners)) = forms(flat) else { return Ok(None) };
        let runner = Runner::new(gpu, &words, kit)?;
        Ok(Some(MeshChart { runner, world: world.clone(), words, corners, threads: 1, times: SyncTimes::default() }))
    }
}

impl DeviceChart<NavMesh> for MeshChart {
    fn sync(&mut self, flat: Flat, world: &Snapshot<NavMesh>) -> Result<usize, GpuError> {
        let begun = Instant::now();
        let other = || GpuError::NotFlat("another algorithm");
        let (words, kit, corners) = forms(flat).ok_or_else(other)?;
        if words.first != self.words.first || words.words.len() != self.words.words.len() {
            let runner = Runner::new(self.runner.gpu().clone(), &words, kit)?;
            *self = MeshChart {
                runner,
                world: world.clone(),
                words,
                corners,
                threads: self.threads,
                times: SyncTimes::default(),
            };
            return Ok(self.bytes());
        }
        let changes = words.changes(&self.words);
        let compared = Instant::now();
        let bytes = self.runner.patch(&words, &changes)?;
        self.runner.set_kit(kit);
        self.times = SyncTimes { compare: compared - begun, upload: compared.elapsed(), ..SyncTimes::default() };
        (self.words, self.corners, self.world) = (words, corners, world.clone());
        Ok(bytes)
    }

    fn patch(&mut self, patch: &FlatPatch, world: &Snapshot<NavMesh>) -> Result<Option<usize>, GpuError> {
        let begun = Instant::now();
        let changes = edit::apply(&mut self.words, patch);
        let compared = Instant::now();
        self.runner.set_lists(patch.lists);
        let bytes = self.runner.edit(&self.words, &changes)?;
        self.times = SyncTimes { compare: compared - begun, upload: compared.elapsed(), ..SyncTimes::default() };
        self.world = world.clone();
        Ok(Some(bytes))
    }

    fn traffic(&self) -> Vec<(&'static str, u64)> {
        traffic::of(&self.runner, &self.words)
    }

    fn sync_times(&self) -> SyncTimes {
        self.times
    }

    fn route(&mut self, tasks: &[(MeshPoint, MeshPoint)], routed: &mut Routed<MeshPoint>) -> Result<Times, GpuError> {
        let words = task_words(tasks, self.threads);
        let reader = Reader { world: &self.world, corners: &self.corners, threads: self.threads };
        self.runner.run(&words, |written| reader.append(tasks, written, routed))
    }

    fn again(&mut self, tasks: &[(MeshPoint, MeshPoint)], rounds: usize) -> Result<Vec<Times>, GpuError> {
        self.runner.run(&task_words(tasks, self.threads), |_| ())?;
        self.runner.again(tasks.len() as u32, rounds)
    }

    fn set_threads(&mut self, threads: usize) {
        self.threads = threads.max(1);
    }

    fn bytes(&self) -> usize {
        4 * self.words.words.len()
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
