//! Where ports lie on the lines: cells a route may change leaves at.
//!
//! A line is cut into pieces at corners, where other lines end at it. Every free corner is a port, and every run of free
//! cells between two corners has one at least: both ends of longer runs, the middle of shorter ones, and more where
//! two would be farther apart than `gap`, which is wider on lines through larger regions. What a piece has depends on the
//! cells of that piece alone.

use super::regions::{Regions, along};
use crate::id::Cell;
use crate::world::bits::BitPlane;
use crate::world::square::SquareGrid;

/// How ports are spread over a run of free cells.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::chart) struct Rule {
    /// Cells from one port to the next, at most.
    pub(super) gap: u16,
    /// Runs of this many cells have a port at either end.
    pub(super) both_ends: u16,
}

impl Rule {
    /// The rule for a line through a region that reaches this far, of leaves so many cells apart. Ways that cross a long
    /// line are long, and a detour counts for less; so do more ports in rows as long as the region is wide. The gap
    /// grows with the square root: by three eighths at four leaves across, to nearly twice at eight.
    pub(super) fn across(self, reach: usize, spacing: usize) -> Rule {
        let gap = usize::from(self.gap) * 11 * (16 * reach / spacing).isqrt() / 64;
        Rule { gap: self.gap.max(gap as u16), ..self }
    }

    /// How many ports a line would have if no others ended at it.
    pub(super) fn ports_on(self, grid: &SquareGrid, first: Cell, last: Cell) -> usize {
        let mut ports = 0;
        runs(grid, first, last, |run| {
            let length = run.length();
            ports += if length < self.both_ends { 1 } else { usize::from((length - 1).div_ceil(self.gap)) + 1 };
        });
        ports
    }

    /// Puts the ports of a piece of line that begins and ends at corners or at the world's border.
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

    /// Puts all ports between two cells of a line, both of which are corners or at the world's border; those that were
    /// there before are gone.
    pub(super) fn lay(self, grid: &SquareGrid, regions: &Regions, first: Cell, last: Cell, ports: &mut BitPlane) {
        let mut from = first;
        for cell in along(first, last) {
            if cell != first && cell != last {
                ports.set(usize::from(cell.x), usize::from(cell.y), false);
            }
        }
        for cell in [first, last] {
            // A corner belongs to several pieces, and all agree on it.
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
    let mut run: Option<Run> = None;
    for cell in along(first, last) {
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

/// Appends the ports between two cells of a line, in their order.
pub(super) fn list(ports: &BitPlane, first: Cell, last: Cell, nodes: &mut Vec<Cell>) {
    nodes.extend(along(first, last).filter(|cell| ports.get(usize::from(cell.x), usize::from(cell.y))));
}
