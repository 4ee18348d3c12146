//! Where ports lie on the lines. A port is a cell at which a route may change from one leaf to another.
//!
//! Corners, where other lines end at a line, cut the line into pieces. Every free corner is a port. Every run of free
//! cells in a piece has at least one port: a longer run has one at both ends, and more in between if these are farther
//! apart than `gap`; a shorter run has one in the middle. On lines through larger regions the gap is wider. Which cells
//! of a piece are ports depends on the cells of that piece alone.

use super::regions::{Regions, along};
use crate::id::Cell;
use crate::space::Extras;
use crate::space::bits::BitPlane;
use crate::space::square::SquareGrid;

/// How ports are spread over a run of free cells.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::chart) struct Rule {
    /// The most cells from one port of a run to the next.
    pub(super) gap: u16,
    /// Runs of at least this many cells have a port at either end.
    pub(super) both_ends: u16,
}

impl Rule {
    /// Returns the rule for the line that halves a region whose longer side is `reach` cells, where lines are `spacing`
    /// cells apart. Most routes that cross a long line are long themselves, so that a small detour counts for less; and
    /// fewer ports make the rows of costs shorter where they are longest. So the gap grows with the square root of the
    /// number of leaves along the region's longer side: for four leaves it is 11/8 as wide, for eight nearly twice.
    pub(super) fn across(self, reach: usize, spacing: usize) -> Rule {
        let gap = usize::from(self.gap) * 11 * (16 * reach / spacing).isqrt() / 64;
        Rule { gap: self.gap.max(gap as u16), ..self }
    }

    /// Returns how many ports the line from `first` to `last` would have if no other line ended at it.
    pub(super) fn ports_on(self, grid: &SquareGrid, first: Cell, last: Cell) -> usize {
        let mut ports = 0;
        runs(grid, first, last, |run| {
            let length = run.length();
            ports += if length < self.both_ends { 1 } else { usize::from((length - 1).div_ceil(self.gap)) + 1 };
        });
        ports
    }

    /// Marks the ports of one piece of a line in `ports`. The piece begins and ends at corners or at the world's
    /// border.
    fn place(self, grid: &SquareGrid, regions: &Regions, (first, last): (Cell, Cell), ports: &mut BitPlane) {
        let mut put = |cell: Cell| ports.set(usize::from(cell.x), usize::from(cell.y), true);
        runs(grid, first, last, |run| {
            let length = run.length();
            if length >= self.both_ends {
                let parts = (length - 1).div_ceil(self.gap).max(1);
                for i in 0..=u32::from(parts) {
                    let at = u32::from(length - 1) * i / u32::from(parts);
                    put(run.cell(at as u16));
                }
                return;
            }
            let anchors = [run.first, run.last].map(|cell| regions.is_corner(cell));
            if anchors[0] {
                put(run.first);
            }
            if anchors[1] {
                put(run.last);
            }
            if anchors == [false; 2] {
                put(run.cell((length - 1) / 2));
            }
        });
    }

    /// Marks all ports of a line from `first` to `last` in `ports` and removes those that were there before. Both cells
    /// are corners or at the world's border.
    pub(super) fn lay(self, grid: &SquareGrid, regions: &Regions, first: Cell, last: Cell, ports: &mut BitPlane) {
        let mut from = first;
        for cell in along(first, last) {
            if cell != first && cell != last {
                ports.set(usize::from(cell.x), usize::from(cell.y), false);
            }
        }
        for cell in [first, last] {
            // A corner belongs to several pieces. In all of them it is a port if it is free, and only then.
            let kept = regions.is_corner(cell) && grid.is_free(cell);
            ports.set(usize::from(cell.x), usize::from(cell.y), kept);
        }
        for cell in along(first, last).skip(1) {
            if cell == last || regions.is_corner(cell) {
                self.place(grid, regions, (from, cell), ports);
                from = cell;
            }
        }
        if first == last {
            self.place(grid, regions, (first, last), ports);
        }
    }
}

/// A run of free cells on a line.
#[derive(Copy, Clone)]
struct Run {
    first: Cell,
    last: Cell,
}

impl Run {
    fn length(self) -> u16 {
        (self.last.x - self.first.x).max(self.last.y - self.first.y) + 1
    }

    fn cell(self, at: u16) -> Cell {
        let down = self.first.x == self.last.x;
        if down {
            Cell { x: self.first.x, y: self.first.y + at }
        } else {
            Cell { x: self.first.x + at, y: self.first.y }
        }
    }
}

fn runs(grid: &SquareGrid, first: Cell, last: Cell, mut visit: impl FnMut(Run)) {
    let has_walls = grid.extras() != Extras::Nothing;
    let mut run: Option<Run> = None;
    for cell in along(first, last) {
        // A wall across the line ends a run as a blocked cell does, and so does a border that is crossed one way only: a walk
        // from any cell of a run to a port of the run has to lead back too.
        let is_cut = |run: &mut Run| {
            has_walls && (grid.walk_cost(run.last, cell).is_none() || grid.walk_cost(cell, run.last).is_none())
        };
        if let Some(run) = run.take_if(is_cut) {
            visit(run);
        }
        let free = grid.free_plane().get(usize::from(cell.x) + 1, usize::from(cell.y) + 1);
        if free {
            run = Some(Run { first: run.map_or(cell, |run| run.first), last: cell });
        } else if let Some(run) = run.take() {
            visit(run);
        }
    }
    if let Some(run) = run {
        visit(run);
    }
}

/// Appends the ports on the line from `first` to `last`, in this order.
pub(super) fn list(ports: &BitPlane, first: Cell, last: Cell, nodes: &mut Vec<Cell>) {
    nodes.extend(along(first, last).filter(|cell| ports.get(usize::from(cell.x), usize::from(cell.y))));
}
