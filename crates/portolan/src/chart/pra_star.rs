//! PRA*: cliques of cells, cliques of cliques, and so on. A query finds a route far up and refines it layer by layer
//! down to cells.
//!
//! **Idea.** Up to four cells that are all neighbours of each other, a clique, become one node of the first layer. Up
//! to four nodes that are all neighbours of each other become one node of the next layer, and so on, until every
//! connected area is one node. A cell or node that is left over can join the clique of a neighbour. Each node has a
//! middle, and an edge between two nodes is estimated to cost the distance between their middles. A query begins on a
//! layer a third of the way up to the one where start and goal are in one node, and finds a route there. Each layer
//! below is searched only in the corridor around the route above, and this route also gives the estimate of the cost
//! that is left. The lowest route becomes cells by sight: the walk goes straight to the furthest node in sight, and
//! searches the corridor only where not even the next node is in sight. Then the cells are straightened in this way
//! once more, from the end back to the start. Where weights differ, a straight walk need not be the cheapest: there the
//! corridor is searched down to the cells, and estimates are plain distances to the goal.
//! **Use** it where the chart has to be built fast and edits are many: building searches nothing.
//! **Promises** a route where there is one: every node is connected inside, so that the corridor around a route always
//! leads to its end. On the six maps of Harvanová's thesis, routes are 0.1 % longer than the shortest on average, and
//! on each map nine routes in ten are at most 1 % longer. With `corridor=0` these numbers change little.
//! **Costs** about five bytes per cell. Building reads every cell and every node a few times. An edit makes one block
//! per layer anew, and the edges of the blocks beside it, up to the layer where this changes nothing. Above that only
//! the middles of nodes are computed again.
//! **Limit.** `limit=k` is PRA*(k): each layer that is searched keeps only the first k steps of its route, and this
//! piece is walked before the next one is searched for. [`crate::Planner::plan`] hands out one piece at a time, and
//! until the last piece the cost of the whole route is an estimate. If a piece does not reduce the estimated cost to
//! the goal, the rest is refined without a limit, so that an agent does not walk in circles. [`crate::Planner::find`]
//! joins all pieces into one route.
//! **Departs** from its papers in where cliques are made. In the papers, cliques are made row by row as the cells are
//! visited, so that one cell more or less can shift all cliques after it, and an edit rebuilds the layers above. Here
//! cliques stay inside blocks of 2 × 2, 4 × 4, 8 × 8 cells and so on: the nodes of a block depend on nothing outside
//! it, and a repaired chart is equal to one that is built anew. The papers begin half-way up, from where more routes
//! pass an obstacle on the wrong side. They also search the corridor for the cells, as `cells=search` does; here the
//! cells come by sight, which leaves little for smoothing to do. Where all weights are equal, the cost up to the next
//! node is the mean of two: through the middle of the current node, and straight from the node before it. The estimate
//! taken from the route above is sometimes a little too high. With both, a query expands far fewer nodes for routes
//! that are as good.
//!
//! Sturtevant, Buro: Partial pathfinding using map abstraction and refinement, 2005. Harvanová: Hierarchical
//! pathfinding in computer games, 2017, which adds edits.

mod blocks;
mod cliques;
mod compass;
mod corridor;
mod descent;
mod edges;
mod guide;
mod layer_search;
mod layers;
mod linking;
mod making;
mod outline;
mod pieces;
mod repair;
mod ruler;
mod sight;
mod tiles;
mod touch;

use super::shared::settings::{SMOOTHING, smoothing};
use crate::algorithm::{Algorithm, Promise};
use crate::method::Repair;
use crate::method::{End, Legs, Method, Task};
use crate::outline::{Census, Outline};
use crate::probe::{Probe, with_probe};
use crate::route::smooth::Smoothing;
use crate::scratch::Scratch;
use crate::settings::Param;
use crate::space::Motion;
use crate::space::square::SquareGrid;
use crate::space::{Area, Edit, Extras};
use descent::PraScratch;
use layers::Layers;
use tiles::Tiles;

const LIMIT: Param = Param::count(
    "limit",
    "steps of its route that each layer keeps at a time, k in PRA*(k); 0 keeps all",
    0,
    0,
    1 << 16,
);
const CORRIDOR: Param =
    Param::count("corridor", "how far beside the route above a layer is searched, in nodes of that one", 1, 0, 8);
const START: Param = Param::count(
    "start",
    "the layer to begin on; 0 is a third of the way up to where start and goal are one",
    0,
    0,
    32,
);
const ENDS: Param = Param::choice(
    "ends",
    "where a piece ends in the last node that is kept: best, nearest to the goal; first, wherever",
    &["best", "first"],
);
const CELLS: Param = Param::choice(
    "cells",
    "how the route of the lowest layers becomes cells: sight, straight on where it can be; search, as in the papers",
    &["sight", "search"],
);

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "pra-star",
    title: "PRA*",
    summary: "cliques of cells, layer over layer; routes found far up are refined inside ever narrower corridors",
    paper: "Sturtevant, Buro 2005; Harvanová 2017",
    params: &[LIMIT, CORRIDOR, START, ENDS, CELLS, SMOOTHING],
    bytes_per_cell: 28,
    table_bytes: |_, _| 0,
    motion: Motion::Steps,
    extras: Extras::Nothing,
    suits: |_| Ok(()),
    promise: |_, _| Promise::Complete,
    known_bytes: |grid, _| Tiles::known_bytes(grid),
    build: |grid, settings| {
        Box::new(PraStar {
            layers: Layers::new(grid),
            limit: settings.count(LIMIT.name) as usize,
            corridor: settings.count(CORRIDOR.name) as usize,
            start: settings.count(START.name) as usize,
            ends: if settings.choice(ENDS.name) == "best" { Ends::Best } else { Ends::First },
            by_sight: settings.choice(CELLS.name) == "sight",
            smoothing: smoothing(settings),
        })
    },
    open: None,
};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Ends {
    Best,
    First,
}

#[derive(Clone)]
struct PraStar {
    layers: Layers,
    limit: usize,
    corridor: usize,
    start: usize,
    ends: Ends,
    by_sight: bool,
    smoothing: Option<Smoothing>,
}

impl Method for PraStar {
    fn begin(&self, _: Task, scratch: &mut Scratch) {
        scratch.is_new = true;
    }

    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Option<&mut dyn Probe>) -> Option<End> {
        scratch.with_own(|scratch, own: &mut PraScratch| {
            if std::mem::take(&mut scratch.is_new) {
                own.begin(task);
            }
            with_probe!(probe, |watcher| self.descend(task, scratch, own, left, watcher))
        })
    }

    fn legs(&self) -> Option<&dyn Legs> {
        (self.limit > 0).then_some(self)
    }

    fn repair(&mut self, grid: &SquareGrid, edits: &[Edit]) -> Repair {
        let tiles = self.layers.repair(grid, edits);
        let area = |&(x, y): &(usize, usize)| {
            let (x, y) = (2 * x, 2 * y);
            let [width, height] = [2.min(grid.width() - x), 2.min(grid.height() - y)];
            Area { x: x as u16, y: y as u16, width: width as u16, height: height as u16 }
        };
        Repair { clusters: tiles.len(), areas: tiles.iter().map(area).collect(), rebuilt: false }
    }

    fn census(&self, _: &SquareGrid) -> Vec<Census> {
        let layer = |layer| {
            let (clusters, nodes, inter_edges) = self.layers.census(layer);
            Census { clusters, nodes, inter_edges, intra_edges: 0 }
        };
        (1..=self.layers.count()).map(layer).collect()
    }

    fn outline(&self, grid: &SquareGrid) -> Option<Outline> {
        Some(self.layers.outline(grid))
    }

    fn bytes(&self) -> usize {
        self.layers.bytes()
    }
}
