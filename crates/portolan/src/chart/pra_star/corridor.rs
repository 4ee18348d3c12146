//! What the route of a layer gives to the search of the layer below: the corridor to search, the node to end at if the
//! route was cut off, and the estimate of the cost that is left.
//!
//! Not here: the searches themselves (`descent`).

use super::descent::PraScratch;
use super::ruler::Ruler;
use super::{Ends, PraStar};
use crate::id::Cell;
use crate::method::Task;
use crate::scratch::Stamp;
use crate::space::square::SquareGrid;

/// A record of a node that lies in the corridor. It belongs to the layer above the one that is searched.
#[derive(Copy, Clone, Default)]
pub(super) struct Mark {
    stamp: u32,
    /// The place in the route of this node or, if it lies beside the route, of the node that the corridor was widened
    /// from.
    pub(super) place: u32,
}

impl Stamp for Mark {
    #[inline(always)]
    fn stamp(&self) -> u32 {
        self.stamp
    }
}

impl PraStar {
    /// Marks the nodes of the route of a layer, and all nodes that are at most `corridor` steps away from one of them.
    pub(super) fn mark_corridor(&self, layer: usize, pra: &mut PraScratch) {
        let PraScratch { marks, route, beside, .. } = pra;
        marks.reset(self.layers.nodes(layer), u32::MAX);
        let stamp = marks.stamp();
        beside.clear();
        beside.extend_from_slice(route);
        for (place, &node) in (0..).zip(&*route) {
            *marks.slot(self.layers.index(layer, node)) = Mark { stamp, place };
        }
        let mut done = 0;
        for _ in 0..self.corridor {
            let end = beside.len();
            for index in done..end {
                let place = marks.slot(self.layers.index(layer, beside[index])).place;
                self.layers.for_each_neighbour(layer, beside[index], |next| {
                    let mark = marks.slot(self.layers.index(layer, next));
                    if mark.stamp != stamp {
                        *mark = Mark { stamp, place };
                        beside.push(next);
                    }
                });
            }
            done = end;
        }
    }

    /// Returns the child of a node at which a route that was cut off in this node ends on the layer below: the child
    /// nearest to the goal or, with [`Ends::First`], the first one.
    fn last_child(&self, task: Task, layer: usize, tail: u32) -> u32 {
        let ruler = Ruler::new(task.grid);
        let goal = self.layers.body(task.grid, 1, self.layers.tiles.node(task.to));
        let mut best = (u64::MAX, tail);
        self.layers.for_each_child(layer, tail, |child| {
            let distance = match self.ends {
                Ends::Best => ruler.estimate(self.layers.body(task.grid, layer - 1, child), goal),
                Ends::First => 0,
            };
            if distance < best.0 {
                best = (distance, child);
            }
        });
        best.1
    }

    /// Returns the cell of a clique at which a route that was cut off in this clique ends: the cell nearest to the goal
    /// or, with [`Ends::First`], the first one.
    fn last_cell(&self, tail: u32, goal: Cell) -> Cell {
        let cells = self.layers.tiles.cells(tail);
        let cells = (0..4).filter(|place| cells >> place & 1 == 1).map(|place| self.layers.tiles.cell(tail, place));
        let far = |cell: &Cell| match self.ends {
            Ends::Best => {
                let (dx, dy) = (u32::from(cell.x.abs_diff(goal.x)), u32::from(cell.y.abs_diff(goal.y)));
                dx * dx + dy * dy
            }
            Ends::First => 0,
        };
        cells.min_by_key(far).expect("a clique has cells")
    }

    /// Sets where the route of `layer`, which was cut off, ends on each layer from the one below it down to `below`. If
    /// `below` is 0, it also sets the cell where the piece ends.
    pub(super) fn cut(&self, task: Task, layer: usize, below: usize, pra: &mut PraScratch) {
        let mut tail = *pra.route.last().expect("a route has a start");
        for layer in (below.max(1) + 1..=layer).rev() {
            tail = self.last_child(task, layer, tail);
            pra.goals[layer - 2] = tail;
        }
        if below == 0 {
            pra.to = self.last_cell(tail, task.to);
        }
    }

    /// Gives the route of `layer` to the guide, which then estimates the cost that is left for the search of the layer
    /// below.
    pub(super) fn learn(&self, grid: &SquareGrid, layer: usize, pra: &mut PraScratch) {
        let PraScratch { guide, route, goals, .. } = pra;
        let ruler = Ruler::new(grid);
        let end = self.layers.body(grid, layer - 1, goals[layer - 2]);
        let middles = route[..route.len() - 1].iter().map(|&node| self.layers.body(grid, layer, node));
        // Half the width of a block: a stretch that is longer than a straight line by no more than this counts as
        // straight.
        guide.learn(&ruler, ruler.width(layer) / 2, middles.chain([end]));
    }
}
