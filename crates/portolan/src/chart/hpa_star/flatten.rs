//! A chart with trees and rows of costs as flat arrays.
//!
//! Not here: what the arrays are for ([`crate::flat`]).

use super::HpaStar;
use super::clusters::Clusters;
use super::level::Level;
use super::rows::{NO_EXIT, PortRows};
use super::trees::Heading;
use crate::chart::shared::cutout::NO_WAY;
use crate::chart::shared::walk::least_prices;
use crate::flat::{Flat, FlatCluster, FlatExit, FlatSquareRows};
use crate::id::Cell;
use crate::open_list::BucketRing;
use crate::space::square::SquareGrid;
use crate::space::square::moves::STEP;
use crate::space::{Directions, Extras};

impl HpaStar {
    /// Returns the chart as flat arrays, or `None` if it has no rows, if routes are smoothed, if there are walls between cells,
    /// or if it was opened, since the costs of its routes are then counted step by step.
    pub(super) fn flatten(&self, grid: &SquareGrid) -> Option<Flat> {
        let is_plain = self.smoothing.is_none() && !self.opened && grid.extras() == Extras::Nothing;
        let rows = self.rows.as_ref().filter(|_| is_plain)?;
        let chart = &self.chart;
        rows.fill(chart);
        let mut flat = FlatSquareRows {
            size: [grid.width() as u32, grid.height() as u32],
            moves_by_cell: moves(grid),
            sight: sight(grid).filter(|_| self.direct),
            has_diagonals: grid.rules().directions == Directions::Eight,
            cluster_side: chart.side(),
            clusters_across: chart.layout.tier(0).across,
            ..FlatSquareRows::default()
        };
        let numbers = Numbers::new(chart);
        for cluster in 0..chart.layout.tier(0).count() as u32 {
            flat_cluster(chart, cluster, &numbers, &mut flat);
        }
        if flat.exits.len() >= usize::from(NO_EXIT) {
            return None;
        }
        flat_rows(chart, rows, &numbers, &mut flat);
        Some(Flat::SquareRows(flat))
    }
}

/// The numbers that ports and exits have in flat arrays.
struct Numbers {
    /// The number of each port of the chart.
    by_port: Vec<u32>,
    /// The port of the chart with each number.
    ports: Vec<u32>,
    /// The number of the first exit of each cluster.
    first_exit_by_cluster: Vec<u32>,
}

impl Numbers {
    fn new(chart: &Clusters) -> Numbers {
        let mut numbers =
            Numbers { by_port: vec![0; chart.port_count()], ports: Vec::new(), first_exit_by_cluster: Vec::new() };
        let mut exits = 0;
        for cluster in 0..chart.layout.tier(0).count() as u32 {
            let (cells, first) = chart.ports(cluster);
            for port in first..first + cells.len() as u32 {
                numbers.by_port[port as usize] = numbers.ports.len() as u32;
                numbers.ports.push(port);
            }
            numbers.first_exit_by_cluster.push(exits);
            exits += chart.levels[0].exits(cluster).len() as u32;
        }
        numbers
    }
}

/// Returns the directions in which each cell can be left, one bit for each.
fn moves(grid: &SquareGrid) -> Vec<u8> {
    let legal = grid.gait().legal();
    let cells = (0..grid.height()).flat_map(|y| (0..grid.width()).map(move |x| Cell::new(x as u16, y as u16)));
    cells.map(|cell| if grid.is_free(cell) { legal[usize::from(grid.around(grid.node(cell)))] } else { 0 }).collect()
}

/// Returns what steps cost where all free cells weigh the same.
fn sight(grid: &SquareGrid) -> Option<[u32; 2]> {
    grid.uniform_weight()?;
    let prices = least_prices(grid);
    Some([prices.straight, prices.diagonal])
}

/// Appends a cluster with its ports, trees and exits.
fn flat_cluster(chart: &Clusters, cluster: u32, numbers: &Numbers, flat: &mut FlatSquareRows) {
    let (bounds, level) = (chart.layout.bounds(0, cluster), &chart.levels[0]);
    let (cells, trees) =
        (chart.ports(cluster).0, chart.trees.as_ref().expect("a chart with rows has trees").of(cluster));
    flat.clusters.push(FlatCluster {
        corner: [bounds.x.into(), bounds.y.into()],
        size: [bounds.width.into(), bounds.height.into()],
        first_port: flat.port_cells.len() as u32,
        ports: cells.len() as u32,
        first_exit: flat.exits.len() as u32,
        exits: level.exits(cluster).len() as u32,
        first_cost: flat.tree_costs.len() as u32,
        first_leg: flat.leg_steps.len() as u32,
    });
    flat.port_cells.extend(cells);
    for index in 0..bounds.cells() {
        let cell = bounds.cell(index);
        flat.tree_costs
            .extend((0..).zip(cells).map(|(rank, &port)| trees.cost(bounds, (rank, port), cell, Heading::ToPort)));
    }
    for port in (0..).zip(cells).map(|(rank, &port)| (rank, port)) {
        flat.first_tree_steps.push(2 * flat.tree_steps.len() as u32);
        let step = |index: usize| {
            let cell = bounds.cell(index);
            trees.next(bounds, port, cell).map_or(0, |next| direction(cell, next))
        };
        let pairs = (0..bounds.cells()).step_by(2);
        flat.tree_steps.extend(pairs.map(|index| {
            let second = if index + 1 < bounds.cells() { step(index + 1) } else { 0 };
            step(index) | second << 4
        }));
        for &from in cells {
            let next = |&cell: &Cell| trees.next(bounds, port, cell);
            flat.leg_steps.push(std::iter::successors(next(&from), next).count() as u32);
        }
    }
    for (exit, leave) in level.exits(cluster).iter().zip(level.leaves(cluster)) {
        let [leave_from, to] = [leave.from, exit.to].map(|port| numbers.by_port[port as usize]);
        flat.exits.push(FlatExit { leave: leave_from, to, step: leave.step });
    }
}

/// Returns the direction of a step.
fn direction(from: Cell, to: Cell) -> u8 {
    let step = (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y));
    STEP.iter().position(|&other| other == step).expect("trees lead from cell to cell") as u8
}

/// Appends the rows of all ports.
fn flat_rows(chart: &Clusters, rows: &PortRows, numbers: &Numbers, flat: &mut FlatSquareRows) {
    let level: &Level = &chart.levels[0];
    // The exits that a port reaches begin at a place of their own in the list of its cluster.
    let first_exits: Vec<u32> = numbers
        .ports
        .iter()
        .map(|&port| {
            let place = level.place(port);
            numbers.first_exit_by_cluster[place.cluster as usize] + level.first_exit(place)
        })
        .collect();
    let mut open = BucketRing::default();
    for &port in &numbers.ports {
        let row = rows.of(chart, port, &mut open);
        flat.row_costs.extend(numbers.ports.iter().map(|&other| row.cost_by_port[other as usize]));
        flat.row_exits.extend(numbers.ports.iter().zip(&first_exits).map(|(&other, &first)| {
            let (exit, cost) = (row.exit_by_port[other as usize], row.cost_by_port[other as usize]);
            if exit == NO_EXIT || cost == NO_WAY { NO_EXIT } else { (first + u32::from(exit)) as u16 }
        }));
    }
}
