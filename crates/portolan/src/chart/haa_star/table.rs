//! What one class of agents finds in one cluster: the ports, the steps over the border, and the costs between the ports. It
//! follows from the world as that class sees it alone, and knows nothing of other classes.
//!
//! Not here: the chart that keeps the tables of all classes in one (`annotated.rs`).

use crate::chart::hpa_star::{BuildScratch, Entrances, Transition};
use crate::chart::shared::cutout::NO_WAY;
use crate::chart::shared::layout::Layout;
use crate::id::Cell;
use crate::space::square::SquareGrid;

/// A step over the border of a cluster.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Crossing {
    /// The number of the port that the step leaves from, among the ports of its table.
    pub(super) port: u16,
    pub(super) to: Cell,
    pub(super) step: u32,
}

/// What a class finds in a cluster.
#[derive(Default, Debug)]
pub(super) struct Table {
    pub(super) cluster: u32,
    /// The ports, sorted.
    pub(super) ports: Vec<Cell>,
    /// The steps over the border, by port.
    pub(super) crossings: Vec<Crossing>,
    /// The costs between two ports, where [`pair`] says, or [`NO_WAY`].
    pub(super) costs: Vec<u32>,
}

/// Returns where a table keeps the cost between two different ports.
#[inline(always)]
pub(super) fn pair(a: usize, b: usize) -> usize {
    let (low, high) = if a < b { (a, b) } else { (b, a) };
    high * (high - 1) / 2 + low
}

impl Table {
    /// Finds the ports and the steps over the border, but no costs.
    pub(super) fn borders(grid: &SquareGrid, layout: &Layout, cluster: u32) -> Table {
        let mut transitions = Vec::new();
        Entrances::alike().of_cluster(grid, layout, cluster, &mut transitions);
        let mut ports: Vec<Cell> = transitions.iter().map(|transition| transition.from).collect();
        ports.dedup();
        let crossing = |&Transition { from, to }: &Transition| Crossing {
            port: ports.partition_point(|&port| port < from) as u16,
            to,
            step: grid.step_cost(from, to).expect("transitions are legal steps").0,
        };
        Table { cluster, crossings: transitions.iter().map(crossing).collect(), ports, costs: Vec::new() }
    }

    /// Adds the costs between ports, each by a search of the cluster from the port that comes first.
    pub(super) fn price(&mut self, grid: &SquareGrid, layout: &Layout, room: &mut BuildScratch) {
        let (count, bounds) = (self.ports.len(), layout.bounds(0, self.cluster));
        let BuildScratch { cutout, tree, ring, .. } = room;
        self.costs = vec![NO_WAY; count * count.saturating_sub(1) / 2];
        if count < 2 {
            return;
        }
        cutout.cut(grid, bounds);
        let places: Vec<usize> = self.ports.iter().map(|&port| bounds.index(port)).collect();
        for (rank, &root) in places.iter().enumerate().take(count - 1) {
            let later = rank + 1..count;
            if !cutout.is_open() {
                cutout.spread_to(root, later.clone().map(|later| places[later]), tree, ring);
            }
            for later in later {
                self.costs[pair(rank, later)] = if cutout.is_open() {
                    cutout.distance(root, places[later])
                } else {
                    tree.cost_by_cell[places[later]]
                };
            }
        }
    }

    /// Finds the ports, the steps over the border and the costs.
    pub(super) fn of(grid: &SquareGrid, layout: &Layout, cluster: u32, room: &mut BuildScratch) -> Table {
        let mut table = Table::borders(grid, layout, cluster);
        table.price(grid, layout, room);
        table
    }
}
