//! What a search writes: per-node records, open lists and the state of the query under way. One per thread,
//! reused, so that a warm query allocates nothing but its route.
//!
//! Records are stamped with the number of their query: a new query makes all old ones void by counting up.

use crate::chart::hpa_star::HpaScratch;
use crate::chart::minimal_memory::MinimalMemoryScratch;
use crate::chart::pra_star::PraScratch;
use crate::chart::rhumb::RhumbScratch;
use crate::chart::shpa_star::ShpaScratch;
use crate::id::{Cell, NodeId};
use crate::memory::{OutOfMemory, reserve};
use crate::open_list::{BucketList, BucketRing};
use crate::planner::Pending;
use crate::search::bidirectional_a_star::Pair;
use crate::search::ida_star::Frame;
use crate::search::jump_graph::Sight;
use crate::search::jump_point::JumpRecord;

/// A thread's working memory for searches: 8 bytes a cell, and 12 more once a bidirectional search has run. Jump
/// point search needs 16 bytes a jump point instead, SHPA* 16 more a gate; minimal memory needs 16 bytes for each of its
/// chart's instead.
#[derive(Default)]
pub struct Scratch {
    pub(crate) nodes: Nodes,
    pub(crate) pairs: Stamped<Pair>,
    pub(crate) ring: BucketRing,
    /// The second open list of a bidirectional search.
    pub(crate) ring_back: BucketRing,
    pub(crate) list: BucketList,
    pub(crate) jumps: Stamped<JumpRecord>,
    pub(crate) sight: Sight,
    pub(crate) frames: Vec<Frame>,
    pub(crate) chart: HpaScratch,
    pub(crate) voyage: ShpaScratch,
    pub(crate) passage: MinimalMemoryScratch,
    pub(crate) rhumb: RhumbScratch,
    pub(crate) pra: PraScratch,
    /// Cells of the route being traced back, goal first.
    pub(crate) trail: Vec<Cell>,
    pub(crate) pending: Option<Pending>,
    /// The planner that has made room for the records of its searches.
    pub(crate) reserved_for: Option<u64>,
    pub(crate) state: State,
}

impl Scratch {
    /// Empty; it grows to what the first queries need.
    pub fn new() -> Scratch {
        Scratch::default()
    }

    /// Bytes held.
    pub fn bytes(&self) -> usize {
        self.nodes.bytes()
            + self.pairs.bytes()
            + self.ring.bytes()
            + self.ring_back.bytes()
            + self.list.bytes()
            + self.jumps.bytes()
            + self.voyage.bytes()
            + self.passage.bytes()
            + self.rhumb.bytes()
            + self.pra.bytes()
            + self.frames.capacity() * size_of::<Frame>()
            + self.chart.bytes()
            + self.trail.capacity() * size_of::<Cell>()
    }
}

/// The least cost that does not fit [`crate::Cost`]: what it takes to beat before a route is found.
pub(crate) const TOO_FAR: u64 = 1 << 32;

/// Where a search stands between two steps, besides its lists and records.
#[derive(Copy, Clone, Default, Debug)]
pub(crate) struct State {
    /// The best cost to the goal so far, [`TOO_FAR`] before there is one.
    pub(crate) best: u64,
    /// Where the halves of the best route meet; the limit of an iterative search.
    pub(crate) mark: u32,
    /// The least key beyond the limit, for an iterative search.
    pub(crate) next: u64,
}

impl State {
    /// Nothing found yet.
    pub(crate) fn begun() -> State {
        State { best: TOO_FAR, ..State::default() }
    }
}

/// A record that knows which query wrote it.
pub(crate) trait Stamp: Copy + Default {
    fn stamp(&self) -> u32;
}

/// Records by index, void unless written during the current query.
#[derive(Default)]
pub(crate) struct Stamped<R> {
    records: Vec<R>,
    stamp: u32,
}

impl<R: Stamp> Stamped<R> {
    /// Makes room for `count` records and all of them void. Stamps stay below `limit`.
    pub(crate) fn reset(&mut self, count: usize, limit: u32) {
        if self.stamp + 1 >= limit {
            self.records.clear();
            self.stamp = 0;
        }
        self.stamp += 1;
        if self.records.len() < count {
            self.records.resize(count, R::default());
        }
    }

    /// Makes room for `count` records, so that [`Stamped::reset`] finds it there.
    #[inline]
    pub(crate) fn reserve(&mut self, count: usize) -> Result<(), OutOfMemory> {
        if count <= self.records.len() {
            return Ok(());
        }
        let more = count - self.records.len();
        reserve(&mut self.records, more)
    }

    pub(crate) fn stamp(&self) -> u32 {
        self.stamp
    }

    /// The record if the current query wrote it.
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> Option<R> {
        let record = self.records[index];
        (record.stamp() == self.stamp).then_some(record)
    }

    #[inline(always)]
    pub(crate) fn slot(&mut self, index: usize) -> &mut R {
        &mut self.records[index]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.records.capacity() * size_of::<R>()
    }
}

/// What a search knows of a node: its cost from the start, how it was reached and whether it was expanded.
#[derive(Copy, Clone, Default)]
pub(crate) struct Record {
    pub(crate) g: u32,
    /// Stamp in the upper 24 bits, then one bit for closed, then the slot.
    meta: u32,
}

impl Record {
    #[inline(always)]
    pub(crate) fn open(g: u32, stamp: u32, slot: u8) -> Record {
        Record { g, meta: stamp << 8 | u32::from(slot) }
    }

    #[inline(always)]
    pub(crate) fn close(&mut self) {
        self.meta |= 0x80;
    }

    #[inline(always)]
    pub(crate) fn is_closed(self) -> bool {
        self.meta & 0x80 != 0
    }

    #[inline(always)]
    pub(crate) fn reached_by(self) -> u8 {
        (self.meta & 0x7f) as u8
    }
}

impl Stamp for Record {
    #[inline(always)]
    fn stamp(&self) -> u32 {
        self.meta >> 8
    }
}

/// A record for every node of a graph.
pub(crate) type Nodes = Stamped<Record>;

impl Nodes {
    const STAMP_LIMIT: u32 = 1 << 24;

    pub(crate) fn begin(&mut self, node_count: usize) {
        self.reset(node_count, Self::STAMP_LIMIT);
    }

    #[inline(always)]
    pub(crate) fn of(&self, node: NodeId) -> Option<Record> {
        self.get(node.index())
    }
}
