//! What threads that search keep, how many of them there are, and how long they run in one go.
//!
//! Not here: the searches (`search.wgsl`, `levels.wgsl`), and the buffers (`run.rs`).

use super::run::LANES;
use crate::gpu::Gpu;
use portolan::flat::{FlatMesh, FlatOpenList};

/// The most threads that search at once: on hardware, enough for the waiting threads of a hundred multiprocessors and more; on
/// a driver that computes on the CPU, as many as keep its cores busy.
const MOST_WORKERS: [u32; 2] = [1 << 15, 1 << 7];
/// The most bytes of each buffer for searches.
const MOST_SEARCH_BYTES: u64 = 1 << 32;

/// What a thread that searches keeps.
#[derive(Copy, Clone)]
pub(super) struct SearchMemory {
    /// The portals that have records.
    pub(super) portals: u32,
    /// The inter-edges that have records; none if they are not searched.
    pub(super) borders: u32,
    /// The buckets of the open lists, powers of two, and the exponents of their widths: of the search over polygons, then over
    /// inter-edges.
    pub(super) buckets: [u32; 2],
    pub(super) shifts: [u32; 2],
    /// How many entries an open list has room for.
    pub(super) list_room: u32,
}

/// The least and the most buckets of an open list.
const BUCKETS: (u32, u32) = (32, 1 << 16);
/// Open lists have room for at least so many entries.
const LEAST_ENTRIES: u32 = 512;
/// The bytes of the record of a portal and of an inter-edge.
const RECORD: u64 = 8;
const BORDER_RECORD: u64 = 16;
/// The bytes of what a thread notes when it ends within a search.
const STATE: u64 = 48;

impl SearchMemory {
    /// Returns what searches over these portals and inter-edges need.
    pub(super) fn of(mesh: &FlatMesh, borders: usize, lists: [FlatOpenList; 2]) -> SearchMemory {
        let (portals, borders) = (mesh.portal_polygons.len() as u32, borders as u32);
        let mut memory = SearchMemory {
            portals,
            borders,
            buckets: [0; 2],
            shifts: [0; 2],
            // A search has far fewer portals open than the mesh has; one that needs more is left to the planner.
            list_room: (portals / 4).max(borders).max(LEAST_ENTRIES),
        };
        memory.set_lists(lists);
        memory
    }

    /// Takes how open lists are laid out.
    pub(super) fn set_lists(&mut self, lists: [FlatOpenList; 2]) {
        self.buckets = lists.map(|list| list.buckets.clamp(BUCKETS.0, BUCKETS.1).next_power_of_two());
        self.shifts = lists.map(|list| list.shift);
    }

    /// Returns how many words the open list of a thread takes: heads, bits and entries.
    pub(super) fn list_stride(&self) -> u32 {
        let most = self.buckets[0].max(self.buckets[1]);
        most + most / 32 + 2 * self.list_room
    }

    /// Returns the bytes of a thread in each of the buffers: records of portals, open list, where it goes on, records of
    /// inter-edges.
    pub(super) fn bytes(&self) -> [u64; 4] {
        let borders = if self.borders > 0 { BORDER_RECORD * (u64::from(self.borders) + 1) } else { 0 };
        [RECORD * (u64::from(self.portals) + 1), 4 * u64::from(self.list_stride()), STATE, borders]
    }

    /// Returns how many threads search for so many tasks: as many as there is memory for.
    pub(super) fn workers(&self, gpu: &Gpu, tasks: u32) -> u32 {
        let largest = self.bytes().into_iter().max().unwrap_or(1);
        let fitting = u32::try_from(gpu.most_bytes().min(MOST_SEARCH_BYTES) / largest).unwrap_or(u32::MAX);
        tasks.next_multiple_of(LANES).min(MOST_WORKERS[usize::from(gpu.is_software())]).min(fitting).max(1)
    }
}

/// How a program that searches is run: how many steps a thread makes in one go, and how often the program is run before it is
/// asked whether there is more to do.
#[derive(Copy, Clone)]
pub(super) struct Rounds {
    pub(super) steps: u32,
    pub(super) runs: u32,
}

/// On hardware, a run takes some hundred milliseconds at most, since some drivers end programs that take seconds.
const HARDWARE: Rounds = Rounds { steps: 1 << 16, runs: 1 };
/// Mesa's driver that computes on the CPU ends all loops of a thread after 65,536 rounds together, and a step takes up to some
/// hundreds.
const SOFTWARE: Rounds = Rounds { steps: 64, runs: 16 };

impl Rounds {
    /// The most runs of all.
    pub(super) const MOST_RUNS: u32 = SOFTWARE.runs;

    /// Returns how programs are run on this processor.
    pub(super) fn on(gpu: &Gpu) -> Rounds {
        if gpu.is_software() { SOFTWARE } else { HARDWARE }
    }
}
