//! Rows of edges: the list that holds the leaps of every jump point and direction of arrival, and changes to it.
//!
//! All rows lie in one list. A row that needs more room moves to the end of the list. When more than half of the list is
//! unused, all rows are packed together again.
//!
//! Not here: which leaps belong in a row (the entry file).

use super::{Edge, JumpPointEntry, LeapGraph, kept_moves};
use crate::search::jump_point::node;
use crate::space::square::SquareGrid;
use crate::space::square::moves::{E, N, NE, NW, S, SE, SW, W};

/// The part of [`LeapGraph::edges`] that belongs to one jump point and one direction of arrival.
#[derive(Copy, Clone, Default)]
pub(super) struct Row {
    pub(super) first: u32,
    pub(super) len: u32,
    /// The greatest length that the row can have without being moved.
    pub(super) room: u32,
}

/// The position of a leap in the rows of its jump point. Leaps are ordered by ray, and those of a diagonal ray by the
/// cell where they leave it.
#[derive(Copy, Clone, PartialEq, Eq)]
pub(in crate::search::jump_graph) struct Place {
    pub(in crate::search::jump_graph) ray: u8,
    pub(in crate::search::jump_graph) diagonals: usize,
    /// The direction of arrival. Of two leaps that leave a ray at one cell, the one along a row of the world comes
    /// before the one along a column.
    pub(in crate::search::jump_graph) direction: u8,
}

impl LeapGraph {
    /// Stores the edges of a row in place of those it has.
    pub(super) fn put(&mut self, row: usize, edges: &[Edge]) {
        let fresh = self.rows[row].room == 0;
        if edges.len() > self.rows[row].room as usize {
            // A row that has grown once is likely to grow again, so it gets spare room.
            self.give_room(row, if fresh { edges.len() } else { edges.len() + edges.len() / 4 + 2 });
        }
        let Row { first, len, .. } = &mut self.rows[row];
        self.edges[*first as usize..][..edges.len()].copy_from_slice(edges);
        *len = edges.len() as u32;
    }

    /// Moves a row to the end of the list, where it gets room for `room` edges.
    fn give_room(&mut self, row: usize, room: usize) {
        let Row { first, len, room: before } = self.rows[row];
        let end = self.edges.len();
        self.held = self.held + room - before as usize;
        self.edges.extend_from_within(first as usize..(first + len) as usize);
        self.edges.resize(end + room, Edge::default());
        let first = u32::try_from(end).expect("no memory holds that many edges");
        self.rows[row] = Row { first, len, room: room as u32 };
    }

    /// Replaces a leap of a jump point by `new` in all rows that contain it, and returns whether any row did. `old` is
    /// the [`Edge::to`] of the leap. The position of `new` in a row has to be that of the old leap.
    pub(in crate::search::jump_graph) fn exchange(&mut self, number: u32, old: u32, new: Edge) -> bool {
        let mut known = false;
        let arrivals = 8 >> self.skipped;
        for row in &self.rows[number as usize * arrivals..][..arrivals] {
            let edges = &mut self.edges[row.first as usize..][..row.len as usize];
            if let Some(edge) = edges.iter_mut().find(|edge| edge.to == old) {
                *edge = new;
                known = true;
            }
        }
        known
    }

    /// Changes the leap at `place` in all rows of a jump point that follow the ray of the place. `Some` replaces the
    /// leap there, or inserts one if there is none; `None` removes it.
    pub(in crate::search::jump_graph) fn patch(
        &mut self,
        grid: &SquareGrid,
        number: u32,
        place: Place,
        edge: Option<Edge>,
    ) {
        let spot = self.spots[number as usize];
        let around = usize::from(grid.around(node(grid, spot.point())));
        let canonical = grid.gait().canonical();
        for arrival in (0..8).step_by(1 << self.skipped) {
            if kept_moves(canonical, arrival, around) >> place.ray & 1 == 0 {
                continue;
            }
            let row = (number as usize) << 3 >> self.skipped | arrival >> self.skipped;
            let Row { first, len, room } = self.rows[row];
            let edges = &self.edges[first as usize..][..len as usize];
            let at = edges.partition_point(|&edge| self.place(spot, edge).order() < place.order());
            let there = edges.get(at).is_some_and(|&edge| self.place(spot, edge) == place);
            match edge {
                Some(edge) if there => self.edges[first as usize + at] = edge,
                Some(edge) => {
                    if len == room {
                        self.give_room(row, (len + len / 4 + 2) as usize);
                    }
                    let Row { first, len, .. } = &mut self.rows[row];
                    *len += 1;
                    let edges = &mut self.edges[*first as usize..][..*len as usize];
                    edges.copy_within(at..edges.len() - 1, at + 1);
                    edges[at] = edge;
                }
                None if there => {
                    self.edges[first as usize..][..len as usize].copy_within(at + 1.., at);
                    self.rows[row].len -= 1;
                }
                None => {}
            }
        }
    }

    /// Returns the position of a leap in the rows of the jump point `from`.
    fn place(&self, from: JumpPointEntry, edge: Edge) -> Place {
        let to = self.spots[(edge.to >> 3) as usize].at;
        let (dx, dy) = (to[0].abs_diff(from.at[0]), to[1].abs_diff(from.at[1]));
        let (east, south) = (to[0] > from.at[0], to[1] > from.at[1]);
        let ray = match (dx, dy) {
            (0, _) => [N, S][usize::from(south)],
            (_, 0) => [W, E][usize::from(east)],
            _ => [[NW, SW], [NE, SE]][usize::from(east)][usize::from(south)],
        };
        Place { ray, diagonals: usize::from(dx.min(dy)), direction: (edge.to & 7) as u8 }
    }

    /// Packs all rows together if more than half of the list is unused.
    pub(in crate::search::jump_graph) fn tidy(&mut self) {
        // A list with fewer unused edges than this is not packed.
        const WORTHWHILE: usize = 4096;
        if self.edges.len() < WORTHWHILE + 2 * self.held {
            return;
        }
        let mut edges = Vec::with_capacity(self.held + self.held / 8);
        for Row { first, room, .. } in &mut self.rows {
            let row = &self.edges[*first as usize..][..*room as usize];
            *first = edges.len() as u32;
            edges.extend_from_slice(row);
        }
        self.edges = edges;
    }
}

impl Place {
    /// Returns the key by which the leaps of a row are ordered.
    fn order(self) -> (u8, usize, bool) {
        (self.ray, self.diagonals, !matches!(self.direction, E | W))
    }
}
