//! What each algorithm needs to run on a processor: its programs in their order, their text, and what they do with memory.
//!
//! Not here: running them (`run.rs`).

use super::search::SearchMemory;
use crate::programs::Access;
use portolan::flat::{FlatMesh, FlatNodes, FlatOpenList};

/// The programs of an algorithm.
pub(super) struct Kit {
    pub(super) label: &'static str,
    /// The programs of a batch in their order.
    pub(super) parts: &'static [&'static str],
    /// The text of the programs.
    pub(super) source: &'static str,
    /// What the programs do with the memory of each binding; `mesh/chart.wgsl` and the files of searches have the same list.
    pub(super) bindings: &'static [Access],
    /// What threads that search keep, if any do.
    pub(super) search: Option<SearchMemory>,
}

/// The text of the programs that all algorithms share, with that of one of them.
macro_rules! source {
    ($($file:literal),*) => {
        concat!(
            include_str!("chart.wgsl"),
            include_str!("../words.wgsl"),
            include_str!("ends.wgsl"),
            include_str!("../order.wgsl"),
            include_str!("follow.wgsl"),
            include_str!("count.wgsl"),
            include_str!("../scan.wgsl"),
            include_str!("walk.wgsl"),
            $(include_str!($file)),*
        )
    };
}

/// The programs of a batch: those that bring tasks into their order, those that find routes, and those that write them.
macro_rules! parts {
    ($($part:literal),*) => {
        &[
            "tally", "scan_tally", "arrange", $($part,)* "count", "scan_blocks", "scan_sums", "scan_add", "walk", "scan_blocks",
            "scan_sums", "scan_add", "gather",
        ]
    };
}

const ROWS: [Access; 9] = [
    Access::Params,
    Access::Read,
    Access::Read,
    Access::Write,
    Access::Write,
    Access::Write,
    Access::Write,
    Access::Read,
    Access::Write,
];
const PLAIN: [Access; 12] = with(ROWS);
const LEVELS: [Access; 13] = with(PLAIN);

/// Returns a list of bindings with more of them that are written.
const fn with<const N: usize, const M: usize>(some: [Access; N]) -> [Access; M] {
    let mut all = [Access::Write; M];
    let mut place = 0;
    while place < N {
        all[place] = some[place];
        place += 1;
    }
    all
}

impl Kit {
    /// `rhumb`: least sums of kept costs.
    pub(super) fn rows() -> Kit {
        Kit {
            label: "rhumb on meshes",
            parts: parts!["price", "scan_ways", "arrange_ways"],
            source: source!("connect.wgsl", "ways.wgsl", "rows.wgsl", "price.wgsl", "order_ways.wgsl"),
            bindings: &ROWS,
            search: None,
        }
    }

    /// `a-star`: a search over portals for each task.
    pub(super) fn plain(mesh: &FlatMesh, list: FlatOpenList) -> Kit {
        Kit {
            label: "A* on meshes",
            parts: parts!["search"],
            source: source!("open.wgsl", "search.wgsl", "plain.wgsl"),
            bindings: &PLAIN,
            search: Some(SearchMemory::of(mesh, 0, [list; 2])),
        }
    }

    /// `hna-star`: a search over inter-edges for each task, or over portals if start and goal lie in one node.
    pub(super) fn levels(mesh: &FlatMesh, nodes: &FlatNodes, lists: [FlatOpenList; 2]) -> Kit {
        Kit {
            label: "HNA* on meshes",
            parts: parts!["search", "search_borders"],
            source: source!("open.wgsl", "search.wgsl", "connect.wgsl", "ways.wgsl", "levels.wgsl"),
            bindings: &LEVELS,
            search: Some(SearchMemory::of(mesh, nodes.border_seats.len(), lists)),
        }
    }
}
