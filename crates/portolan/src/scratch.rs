//! The memory that searches write to ([`Scratch`]): records of nodes, open lists and the state of the current query.
//! Each thread has one and reuses it, so that a query after the first allocates nothing but its route.
//!
//! Each record holds a stamp, the number of the query that wrote it. A new query increments the number, which makes all
//! older records invalid without clearing them.
//!
//! Not here: anything derived from a world for more than one query.

use crate::chart::hpa_star::HpaScratch;
use crate::chart::minimal_memory::MinimalMemoryScratch;
use crate::chart::pra_star::PraScratch;
use crate::chart::rhumb::RhumbScratch;
use crate::chart::shpa_star::ShpaScratch;
use crate::id::NodeId;
use crate::memory::{OutOfMemory, reserve};
use crate::open_list::{BucketList, BucketRing};
use crate::planner::Pending;
use crate::search::bidirectional_a_star::Pair;
use crate::search::ida_star::Frame;
use crate::search::jump_graph::Sight;
use crate::search::jump_point::JumpRecord;
use crate::space::Space;
use crate::space::square::SquareGrid;

/// A thread's working memory for searches. Its largest part is records: 8 bytes a cell for most flat searches, 12 bytes
/// a cell for bidirectional A*, 16 bytes a jump point for jump points, 16 bytes a gate for SHPA* (besides those of its
/// flat searches), and 16 bytes a region for minimal memory. Each kind is allocated when the first search needs it, and
/// kept.
pub struct Scratch<S: Space = SquareGrid> {
    /// The records of flat searches, by node.
    pub(crate) nodes: Nodes,
    /// The records of a bidirectional search, by node.
    pub(crate) pairs: Stamped<Pair>,
    pub(crate) ring: BucketRing,
    /// The second open list of a bidirectional search.
    pub(crate) ring_back: BucketRing,
    pub(crate) list: BucketList,
    /// The records of searches over jump points.
    pub(crate) jumps: Stamped<JumpRecord>,
    /// The distances of the jump graph's landmarks to the goal.
    pub(crate) sight: Sight,
    /// The stack of IDA*.
    pub(crate) frames: Vec<Frame>,
    pub(crate) chart: HpaScratch,
    pub(crate) voyage: ShpaScratch,
    pub(crate) passage: MinimalMemoryScratch,
    pub(crate) rhumb: RhumbScratch,
    pub(crate) pra: PraScratch,
    /// The cells of the route found, the goal first.
    pub(crate) trail: Vec<S::Place>,
    /// The search that was begun and has not ended, if there is one.
    pub(crate) pending: Option<Pending<S>>,
    /// The serial number of the planner that last reserved memory here for the records of its searches.
    pub(crate) reserved_for: Option<u64>,
    pub(crate) state: State,
}

impl<S: Space> Default for Scratch<S> {
    fn default() -> Scratch<S> {
        Scratch {
            nodes: Nodes::default(),
            pairs: Stamped::default(),
            ring: BucketRing::default(),
            ring_back: BucketRing::default(),
            list: BucketList::default(),
            jumps: Stamped::default(),
            sight: Sight::default(),
            frames: Vec::new(),
            chart: HpaScratch::default(),
            voyage: ShpaScratch::default(),
            passage: MinimalMemoryScratch::default(),
            rhumb: RhumbScratch::default(),
            pra: PraScratch::default(),
            trail: Vec::new(),
            pending: None,
            reserved_for: None,
            state: State::default(),
        }
    }
}

impl<S: Space> Scratch<S> {
    /// Returns an empty scratch; it grows to the size that the first queries need.
    pub fn new() -> Scratch<S> {
        Scratch::default()
    }

    /// Returns the bytes that the scratch holds.
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
            + self.trail.capacity() * size_of::<S::Place>()
    }
}

/// The least cost that does not fit [`crate::Cost`]. Most searches use it as the best cost before a route is found, so
/// that they ignore routes that cost more than [`crate::Cost`] can hold.
pub(crate) const TOO_FAR: u64 = 1 << 32;

/// The state of a search between two steps, besides its open lists and records.
#[derive(Copy, Clone, Default, Debug)]
pub(crate) struct State {
    /// The cost of the best route found so far. Before one is found, it is [`TOO_FAR`], or `u64::MAX` in the best-first
    /// loop, whose keys can be greater than [`TOO_FAR`].
    pub(crate) best: u64,
    /// In a bidirectional search, the node where the two halves of the best route meet; in IDA*, the current limit.
    pub(crate) mark: u32,
    /// In IDA*, the least sum of cost and estimate that exceeded the limit: the next limit.
    pub(crate) next: u64,
}

impl State {
    /// Returns the state of a search that has found no route yet.
    pub(crate) fn begun() -> State {
        State { best: TOO_FAR, ..State::default() }
    }
}

/// A record that holds the number of the query that wrote it.
pub(crate) trait Stamp: Copy + Default {
    fn stamp(&self) -> u32;
}

/// Records by index. A record is valid only if the current query wrote it.
#[derive(Default)]
pub(crate) struct Stamped<R> {
    records: Vec<R>,
    /// The number of the current query.
    stamp: u32,
}

impl<R: Stamp> Stamped<R> {
    /// Begins a new query: makes all records invalid and provides at least `count` of them. Stamps stay below `limit`;
    /// when they reach it, the records are cleared and stamps start again at 1.
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

    /// Reserves memory for `count` records, so that [`Stamped::reset`] needs no allocation.
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

    /// Returns the record, or `None` if the current query has not written it.
    #[inline(always)]
    pub(crate) fn get(&self, index: usize) -> Option<R> {
        let record = self.records[index];
        (record.stamp() == self.stamp).then_some(record)
    }

    /// Returns the record as it is, valid or not, for reading its stamp and for writing.
    #[inline(always)]
    pub(crate) fn slot(&mut self, index: usize) -> &mut R {
        &mut self.records[index]
    }

    pub(crate) fn bytes(&self) -> usize {
        self.records.capacity() * size_of::<R>()
    }
}

/// The record of a node in a flat search: its cost from the start, the slot by which it was reached, and whether it was
/// expanded.
#[derive(Copy, Clone, Default)]
pub(crate) struct Record {
    pub(crate) g: u32,
    /// The stamp in the upper 24 bits, then one bit that means closed, then seven bits for the slot.
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
