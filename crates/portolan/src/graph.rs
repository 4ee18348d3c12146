//! A world as searches see it: nodes, edges with costs ([`Graph`]), and estimates of the cost to the goal
//! ([`Estimate`]). A [`Grid`] is a space that flat searches run on.
//!
//! A graph says how a search notes by which edge it reached a node ([`Graph::Reached`]), so that the route can be read
//! back from the goal. On a grid that is a [`Slot`]: a small number that identifies the edge at the node where it ends,
//! its direction. It takes one byte, where the number of the node before, which any graph can note, takes four.
//! Canonical graphs also use it to leave out edges to nodes that another route reaches at no greater cost.
//!
//! Not here: the search loops, and which moves are legal.

mod hex;
mod linked;
pub(crate) mod mesh;
mod passable;
pub(crate) mod square;

use crate::id::NodeId;
use crate::method::Task;
use crate::scratch::{NodeRecord, Nodes, ParentRecord, Parents, Record, Stamped, States};
use crate::settings::{Param, Settings};
use crate::space::editing::Editable;
use crate::space::ground::{Grounded, Layout};
use crate::space::square::mean_cost;
use crate::space::{Edit, Extras, Space};
use std::ops::Range;

use linked::Bridged;
pub(crate) use passable::{FIRST_LINK, Passable};

/// The edge by which a node was reached: a number from 0 to 127 that the graph assigns.
pub(crate) type Slot = u8;

/// The slot of the start, which is not reached by an edge: one more than the last direction of a grid.
pub(crate) const START: Slot = 8;

/// How a node was reached, and the record in which a best-first search notes it.
pub(crate) trait Reached: Copy {
    /// What is noted of the start, which is not reached by an edge.
    const START: Self;
    type Record: NodeRecord<Self>;

    /// Returns the records of this kind in a scratch.
    fn records<'a>(nodes: &'a mut Nodes, states: &'a mut States) -> &'a mut Stamped<Self::Record>;
}

impl Reached for Slot {
    const START: Slot = START;
    type Record = Record;

    #[inline(always)]
    fn records<'a>(nodes: &'a mut Nodes, _: &'a mut States) -> &'a mut Nodes {
        nodes
    }
}

impl Reached for NodeId {
    const START: NodeId = NodeId(u32::MAX);
    type Record = ParentRecord;

    #[inline(always)]
    fn records<'a>(_: &'a mut Nodes, states: &'a mut States) -> &'a mut Stamped<ParentRecord> {
        &mut states.own::<Parents>().0
    }
}

/// The nodes and edges that a search works on.
pub(crate) trait Graph {
    /// How a search notes by which edge it reached a node.
    type Reached: Reached;
    /// Whether the graph leaves out edges to nodes that another route reaches at no greater cost. Only searches that
    /// reopen nodes may use such a graph.
    const PRUNED: bool;
    /// Returns a number greater than the index of every node.
    fn node_count(&self) -> usize;
    /// Calls `visit(node, cost, reached)` for every edge to follow from the node `from`, which was reached by `arrived`.
    fn for_each_edge(&self, from: NodeId, arrived: Self::Reached, visit: impl FnMut(NodeId, u32, Self::Reached));
    /// Returns an upper bound on the cost of an edge.
    fn greatest_edge(&self) -> u32;
    /// Returns a cost near that of the cheapest edge; open lists derive their bucket width from it.
    fn typical_edge(&self) -> u32;
}

/// A graph of a grid, which can be searched against its edges too.
pub(crate) trait Reversible: Graph<Reached = Slot> {
    /// Whether every edge leads in both directions at one cost. Edges to a node are then those from it.
    const BOTH_WAYS: bool;

    /// Calls `visit(node, cost, reached)` for every edge that leads to the node `to`, from where a search against the edges goes
    /// on to `node`. It came to `to` by `arrived`.
    fn for_each_edge_to(&self, to: NodeId, arrived: Slot, visit: impl FnMut(NodeId, u32, Slot));
}

/// An estimate of the cost from a node to a goal that the implementing value holds.
pub(crate) trait Estimate {
    fn estimate(&self, node: NodeId) -> u64;
}

/// The obstacle-free distance to a place.
pub(crate) trait Distance<P>: Estimate {
    /// Returns the distance to another place, measured in the same way.
    fn toward(&self, to: P) -> Self;
    /// Returns the distance to the same place once more.
    fn again(&self) -> Self;
}

/// The formulas for the obstacle-free distance on a grid; [`Shape::Zero`] is 0 for every node.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Shape {
    Octile,
    Manhattan,
    Euclidean,
    Zero,
}

impl Shape {
    /// The name of the parameter that chooses the heuristic, on every grid.
    pub(crate) const PARAM: &'static str = "heuristic";

    /// Returns the heuristic that the settings name, or `None` for `natural`, the greatest lower bound on the distances
    /// of a world.
    pub(crate) fn of(settings: &Settings) -> Option<Shape> {
        match settings.choice(Shape::PARAM) {
            "octile" => Some(Shape::Octile),
            "manhattan" => Some(Shape::Manhattan),
            "euclidean" => Some(Shape::Euclidean),
            "zero" => Some(Shape::Zero),
            _ => None,
        }
    }
}

/// What a flat search does with a graph and a distance. A grid has several kinds of both, each a type of its own, so
/// that loops are compiled for each kind; [`Grid::search`] calls `run` with the kinds that fit.
pub(crate) trait Search<S: Space> {
    type Output;

    fn run<G: Reversible, D: Distance<S::Place>>(self, graph: &G, distance: &D) -> Self::Output;
}

/// A space of cells with up to eight neighbours each, in numbered directions.
pub(crate) trait Grid: Space + Editable<Edit = Edit> + Grounded<Layout: Layout<Cell = Self::Place>> {
    /// The parameter that chooses the heuristic; its name is [`Shape::PARAM`].
    const HEURISTIC: Param;
    /// Whether routes may lead in straight lines at any angle.
    const HAS_LINES: bool;
    /// The tables that tell which moves are legal and which are canonical.
    type Tables: Copy;

    /// Returns a number greater than the index of every node.
    #[inline(always)]
    fn node_count(&self) -> usize {
        self.ground().around_by_node.len()
    }
    /// Returns the node of a cell on the grid.
    #[inline(always)]
    fn node_at(&self, at: Self::Place) -> NodeId {
        debug_assert!(self.contains(at));
        self.ground().layout.node(at)
    }
    /// Returns every cell, row by row.
    fn all_cells(&self) -> impl Iterator<Item = Self::Place> + '_;
    /// Returns the neighbours of a node that are free, in the form that the tables take.
    #[inline(always)]
    fn around(&self, node: NodeId) -> u8 {
        self.ground().around_by_node[node.index()]
    }
    fn tables(&self) -> Self::Tables;
    /// Returns the legal moves from a node, a bit for each direction.
    fn legal(tables: Self::Tables, around: u8) -> u8;
    /// Returns the canonical moves from a node that was reached in this direction, a bit for each direction.
    fn canonical(tables: Self::Tables, arrived: Slot, around: u8) -> u8;
    /// Returns, for each direction, the index of a neighbour in that direction minus the node's own.
    fn offsets(&self) -> [i32; 8];
    /// Returns the cost of a step over ground of weight 1 in each direction.
    fn step_costs(&self) -> [u32; 8];
    /// Returns the cell from which a step in this direction leads to `to`.
    fn before(to: Self::Place, direction: Slot) -> Self::Place;
    /// Returns whether an agent can stand on a node.
    #[inline(always)]
    fn is_open(&self, node: NodeId) -> bool {
        self.ground().is_free(self.place(node))
    }
    /// Returns the nodes whose edges the edit can have changed, row by row. Rows may contain void cells.
    fn rows_near(&self, edit: &Edit) -> impl Iterator<Item = Range<u32>> + Clone {
        edit.areas().flat_map(|area| self.ground().rows_near(area))
    }
    /// Returns the weights of all nodes, or `None` as long as all free cells have had one common weight.
    #[inline(always)]
    fn weights(&self) -> Option<&[u8]> {
        self.ground().weight_by_node.as_deref()
    }
    /// Returns the weight of a free node.
    #[inline(always)]
    fn weight(&self, node: NodeId) -> u8 {
        self.ground().weight(node)
    }
    #[inline(always)]
    fn least_weight(&self) -> u8 {
        self.ground().least_weight
    }
    #[inline(always)]
    fn greatest_weight(&self) -> u8 {
        self.ground().greatest_weight
    }
    /// Returns the greatest factor by which a heuristic can overestimate a cost, 1 for a lower bound.
    fn overestimate(&self, shape: Option<Shape>) -> f64;
    /// Runs the search with the distance to `to` that `shape` names, or with the natural one.
    fn with_distance<G: Reversible, T: Search<Self>>(
        &self,
        shape: Option<Shape>,
        to: Self::Place,
        graph: &G,
        search: T,
    ) -> T::Output;

    /// Runs the search on the moves that a search looks at: where weights differ or borders are closed all legal moves,
    /// elsewhere the canonical ones if `canonical` is true.
    #[inline(always)]
    fn search<T: Search<Self>>(&self, canonical: bool, shape: Option<Shape>, to: Self::Place, search: T) -> T::Output {
        if self.ground().has_links() {
            self.with_distance(shape, to, &Passable::new(self), Bridged { grid: self, search })
        } else if self.extras() > Extras::Walls {
            self.with_distance(shape, to, &Passable::new(self), search)
        } else if self.least_weight() != self.greatest_weight() {
            self.with_distance(shape, to, &Moves::<Self, false, true>::new(self), search)
        } else if canonical && self.extras() == Extras::Nothing {
            self.with_distance(shape, to, &Moves::<Self, true, false>::new(self), search)
        } else {
            self.with_distance(shape, to, &Moves::<Self, false, false>::new(self), search)
        }
    }
}

impl<S: Grid> Task<'_, S> {
    pub(crate) fn start(&self) -> NodeId {
        self.grid.node_at(self.from)
    }

    pub(crate) fn goal(&self) -> NodeId {
        self.grid.node_at(self.to)
    }
}

/// The moves of a grid as a graph: if `CANONICAL`, which needs uniform terrain and open borders, only the canonical moves, else
/// all legal moves. If `WEIGHTED`, the cost of a step depends on the weights of its two cells.
pub(crate) struct Moves<'a, S: Grid, const CANONICAL: bool, const WEIGHTED: bool> {
    grid: &'a S,
    weights: &'a [u8],
    tables: S::Tables,
    /// The difference between the ids of a neighbour and of a node, by direction.
    offsets: [i32; 8],
    /// The cost of a step by direction; if `WEIGHTED`, over terrain of weight 1.
    costs: [u32; 8],
}

impl<'a, S: Grid, const CANONICAL: bool, const WEIGHTED: bool> Moves<'a, S, CANONICAL, WEIGHTED> {
    pub(crate) fn new(grid: &'a S) -> Self {
        let scale = if WEIGHTED { 1 } else { u32::from(grid.least_weight()) };
        Moves {
            grid,
            weights: grid.weights().unwrap_or_default(),
            tables: grid.tables(),
            offsets: grid.offsets(),
            costs: grid.step_costs().map(|cost| cost * scale),
        }
    }

    /// Returns the cost of a step by direction; if `WEIGHTED`, over terrain of weight 1.
    pub(crate) fn costs(&self) -> [u32; 8] {
        self.costs
    }
}

impl<S: Grid, const CANONICAL: bool, const WEIGHTED: bool> Graph for Moves<'_, S, CANONICAL, WEIGHTED> {
    type Reached = Slot;
    const PRUNED: bool = CANONICAL;

    fn node_count(&self) -> usize {
        self.grid.node_count()
    }

    #[inline(always)]
    fn for_each_edge(&self, from: NodeId, arrived: Slot, mut visit: impl FnMut(NodeId, u32, Slot)) {
        let around = self.grid.around(from);
        let mut moves =
            if CANONICAL { S::canonical(self.tables, arrived, around) } else { S::legal(self.tables, around) };
        while moves != 0 {
            let direction = moves.trailing_zeros() as u8;
            moves &= moves - 1;
            let to = NodeId(from.0.wrapping_add_signed(self.offsets[usize::from(direction & 7)]));
            let base = self.costs[usize::from(direction & 7)];
            let cost =
                if WEIGHTED { mean_cost(base, self.weights[from.index()], self.weights[to.index()]).0 } else { base };
            visit(to, cost, direction);
        }
    }

    fn greatest_edge(&self) -> u32 {
        let dearest = self.grid.step_costs().into_iter().max().unwrap_or_default();
        dearest * u32::from(self.grid.greatest_weight())
    }

    fn typical_edge(&self) -> u32 {
        let cheapest = self.grid.step_costs().into_iter().min().unwrap_or_default();
        cheapest * u32::from(self.grid.least_weight())
    }
}

impl<S: Grid, const CANONICAL: bool, const WEIGHTED: bool> Reversible for Moves<'_, S, CANONICAL, WEIGHTED> {
    const BOTH_WAYS: bool = true;

    #[inline(always)]
    fn for_each_edge_to(&self, to: NodeId, arrived: Slot, visit: impl FnMut(NodeId, u32, Slot)) {
        self.for_each_edge(to, arrived, visit);
    }
}
