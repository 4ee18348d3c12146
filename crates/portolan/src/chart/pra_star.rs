//! PRA*: cliques of cells, cliques of cliques, and so on; a query finds a route far up and refines it on the way down.
//!
//! **Idea.** Up to four cells next to each other become one node, up to four nodes next to each other one a layer
//! further up, until every connected area is one. Nodes know their middle, and a step between two is taken to cost the
//! distance between these. A query begins a third of the way up to where start and goal are the same node and finds a
//! route there; each layer below is searched only in the corridor that the route above leaves, and that route tells how
//! far it still is. The cells come by sight: straight on to the furthest node that nothing stands in front of, with a
//! search of the corridor only where the next one is hidden, then back over these cells in the same way. Where weights
//! differ, straight on need not be cheapest: the corridor is searched down to the cells, by plain distances.
//! **Use** it where building has to be fast and edits many: nothing is searched beforehand.
//! **Promises** a route where there is one: a node is connected inside itself, so that the corridor below a route always
//! leads to its end. On the thesis' six maps routes are 0.1 % too long on average, on each of them nine in ten by at most
//! 1 %; a corridor of 0 makes little difference.
//! **Costs** about five bytes a cell. Building looks at every cell and at every node a few times. An edit redoes one
//! block a layer and the edges of those beside it, as far up as that changes anything.
//! **Limit.** `limit=k` is PRA*(k): each layer that is searched keeps the first k steps of its route, and what is known then
//! is walked before the rest is looked at: [`crate::Planner::plan`] hands out piece by piece, and what a whole route costs
//! is a guess till then. Should a piece bring no gain, the rest is refined in full, so that nobody walks in circles.
//! [`crate::Planner::find`] walks all pieces at once.
//! **Departs** from its papers in where cliques lie: they make them as they come upon them, row by row, so that one cell
//! more or less can shift all that follow, and rebuild the layers above after an edit. Here cliques stay inside blocks
//! of 2 × 2, 4 × 4, 8 × 8 cells and so on: what becomes of a block depends on nothing outside it, and a repaired chart
//! is the one that building anew gives. The papers begin half-way up, where more routes take the wrong side of an
//! obstacle, and search the cells, as `cells=search` does; the way back over the cells by sight leaves little for smoothing
//! to do. A step costs the mean of the ways through the middle of the node before and past it,
//! and what is left is taken from the route above, a little too high at times: far fewer expansions for routes as good.
//!
//! Sturtevant, Buro: Partial pathfinding using map abstraction and refinement, 2005. Harvanová: Hierarchical pathfinding in
//! computer games, 2017, which adds edits.

mod blocks;
mod cliques;
mod compass;
mod corridor;
mod descent;
mod edges;
mod guide;
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
use crate::method::{End, Legs, Method, Task};
use crate::outline::Outline;
use crate::planner::{Census, Repair};
use crate::probe::{Probe, Unwatched};
use crate::registry::{Algorithm, Param, Promise};
use crate::route::smooth::Smoothing;
use crate::scratch::Scratch;
use crate::world::square::SquareGrid;
use crate::world::{Area, Edit};
pub(crate) use descent::PraScratch;
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
    fn begin(&self, task: Task, scratch: &mut Scratch) {
        scratch.pra.begin(task);
    }

    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Option<&mut dyn Probe>) -> Option<End> {
        match probe {
            None => self.descend(task, scratch, left, &mut Unwatched),
            Some(mut probe) => self.descend(task, scratch, left, &mut probe),
        }
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
