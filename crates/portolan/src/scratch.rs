//! The memory that searches write to ([`Scratch`]): records of nodes, open lists, the state of the current query, and
//! what each algorithm keeps for itself, by type ([`States`]). Each thread has one and reuses it, so that a query after
//! the first allocates nothing but its route.
//!
//! Each record holds a stamp, the number of the query that wrote it. A new query increments the number, which makes all
//! older records invalid without clearing them.
//!
//! Not here: anything derived from a world for more than one query, and anything that knows an algorithm.

mod states;

pub(crate) use states::{AlgorithmState, States};

use crate::id::NodeId;
use crate::memory::{OutOfMemory, held, reserve};
use crate::open_list::{BucketList, BucketRing};
use crate::query::Query;
use crate::space::Space;
use crate::space::square::SquareGrid;

/// A thread's working memory for searches. Its largest part is records, 8 bytes a cell for most flat searches. Other
/// algorithms have records of their own, by cell or by the nodes of their charts. Each kind is allocated when the first
/// search needs it, and kept.
pub struct Scratch<S: Space = SquareGrid> {
    /// The records of flat searches, by node.
    pub(crate) nodes: Nodes,
    pub(crate) ring: BucketRing,
    pub(crate) list: BucketList,
    pub(crate) state: State,
    /// Whether a search has been begun and not made a step. An algorithm that keeps its progress in a state of its own
    /// sets this when it begins, and takes it in its first step: so beginning needs no look-up of that state.
    pub(crate) is_new: bool,
    /// What algorithms keep for themselves.
    pub(crate) states: States,
    /// The cells of the route found, the goal first.
    pub(crate) trail: Vec<S::Place>,
    /// The search that was begun and has not ended, if there is one.
    pub(crate) pending: Option<Pending<S>>,
    /// The serial number of the planner that last reserved memory here for the records of its searches.
    pub(crate) reserved_for: Option<u64>,
}

impl<S: Space> Default for Scratch<S> {
    fn default() -> Scratch<S> {
        Scratch {
            nodes: Nodes::default(),
            ring: BucketRing::default(),
            list: BucketList::default(),
            state: State::default(),
            is_new: false,
            states: States::default(),
            trail: Vec::new(),
            pending: None,
            reserved_for: None,
        }
    }
}

impl<S: Space> Scratch<S> {
    /// Returns an empty scratch; it grows to the size that the first queries need.
    pub fn new() -> Scratch<S> {
        Scratch::default()
    }

    /// Calls `run` with this scratch and an algorithm's own state, which is taken out of the scratch meanwhile: for an
    /// algorithm that lends the whole scratch to another search. If `run` panics, the state is lost.
    pub(crate) fn with_own<T: AlgorithmState + Default, R>(&mut self, run: impl FnOnce(&mut Self, &mut T) -> R) -> R {
        let mut own = self.states.take();
        let result = run(self, &mut own);
        self.states.give_back(own);
        result
    }

    /// Returns the bytes that the scratch holds.
    pub fn bytes(&self) -> usize {
        self.nodes.bytes() + self.ring.bytes() + self.list.bytes() + self.states.bytes() + held(&self.trail)
    }
}

/// A search that was begun and has not ended.
pub(crate) struct Pending<S: Space> {
    /// The serial number of the planner that began the search.
    pub(crate) planner: u64,
    pub(crate) query: Query<S::Place>,
    /// The cell that the search goes to: the goal of the query or, if that cannot be reached, the nearest reachable
    /// cell.
    pub(crate) goal: S::Place,
    /// How many expansions are left of the budget.
    pub(crate) left: u64,
    /// The result, if it is known without a search.
    pub(crate) settled: Option<Settled>,
    /// Whether an exact search has replaced that of the planner's algorithm.
    pub(crate) exact: bool,
}

/// A result that is known without a search.
#[derive(Copy, Clone)]
pub(crate) enum Settled {
    AlreadyThere,
    Unreachable,
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
    /// The node that the best route is read from, if the search does not read it from the goal.
    pub(crate) mark: u32,
}

impl State {
    /// Returns the state of a search that has found no route yet.
    pub(crate) fn begun() -> State {
        State { best: TOO_FAR, mark: 0 }
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
        held(&self.records)
    }
}

/// The record of a node in a best-first search: its cost from the start, how it was reached, and whether it was expanded.
pub(crate) trait NodeRecord<R>: Stamp {
    /// A number that stamps stay below.
    const STAMP_LIMIT: u32;

    fn open(g: u32, stamp: u32, reached: R) -> Self;
    fn close(&mut self);
    fn is_closed(&self) -> bool;
    fn g(&self) -> u32;
    fn reached(&self) -> R;
}

impl NodeRecord<u8> for Record {
    const STAMP_LIMIT: u32 = 1 << 24;

    #[inline(always)]
    fn open(g: u32, stamp: u32, slot: u8) -> Record {
        Record { g, meta: stamp << 8 | u32::from(slot) }
    }

    #[inline(always)]
    fn close(&mut self) {
        self.meta |= 0x80;
    }

    #[inline(always)]
    fn is_closed(&self) -> bool {
        self.meta & 0x80 != 0
    }

    #[inline(always)]
    fn g(&self) -> u32 {
        self.g
    }

    #[inline(always)]
    fn reached(&self) -> u8 {
        (self.meta & 0x7f) as u8
    }
}

/// The record of a node that was reached by a slot: its cost from the start, the slot by which it was reached, and whether it was
/// expanded.
#[derive(Copy, Clone, Default)]
pub(crate) struct Record {
    g: u32,
    /// The stamp in the upper 24 bits, then one bit that means closed, then seven bits for the slot.
    meta: u32,
}

impl Stamp for Record {
    #[inline(always)]
    fn stamp(&self) -> u32 {
        self.meta >> 8
    }
}

/// The record of a node that was reached from another node: its cost from the start, that node, and whether it was
/// expanded.
#[derive(Copy, Clone, Default)]
pub(crate) struct ParentRecord {
    g: u32,
    /// The stamp in the upper 31 bits, then one bit that means closed.
    meta: u32,
    parent: u32,
}

impl Stamp for ParentRecord {
    #[inline(always)]
    fn stamp(&self) -> u32 {
        self.meta >> 1
    }
}

impl NodeRecord<NodeId> for ParentRecord {
    const STAMP_LIMIT: u32 = 1 << 31;

    #[inline(always)]
    fn open(g: u32, stamp: u32, parent: NodeId) -> ParentRecord {
        ParentRecord { g, meta: stamp << 1, parent: parent.0 }
    }

    #[inline(always)]
    fn close(&mut self) {
        self.meta |= 1;
    }

    #[inline(always)]
    fn is_closed(&self) -> bool {
        self.meta & 1 != 0
    }

    #[inline(always)]
    fn g(&self) -> u32 {
        self.g
    }

    #[inline(always)]
    fn reached(&self) -> NodeId {
        NodeId(self.parent)
    }
}

/// The records of nodes that are reached from other nodes.
#[derive(Default)]
pub(crate) struct Parents(pub(crate) Stamped<ParentRecord>);

impl AlgorithmState for Parents {
    fn bytes(&self) -> usize {
        self.0.bytes()
    }
}

/// A record for every node of a graph.
pub(crate) type Nodes = Stamped<Record>;

impl Nodes {
    #[inline(always)]
    pub(crate) fn of(&self, node: NodeId) -> Option<Record> {
        self.get(node.index())
    }
}
