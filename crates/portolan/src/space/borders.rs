//! Borders between neighbouring cells: walls that nothing crosses, and edges such as ledges that are crossed one way only.
//! [`Side`] and [`Border`] name them; [`Borders`] keeps the closed ones of a grid.
//!
//! A border belongs to two cells and is open unless an edit has closed it. It stays as it is while its cells are blocked and
//! freed again. Not here: which diagonal steps a wall cuts, which the [`super::ground::Layout`] of a grid says.

use super::ground::Layout;
use crate::memory::held;

/// A side of a cell. Squares have the four straight sides, hexes all but north and south.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Side {
    /// Up, to the row above.
    North,
    /// Up and to the right.
    NorthEast,
    /// To the right.
    East,
    /// Down and to the right.
    SouthEast,
    /// Down, to the row below.
    South,
    /// Down and to the left.
    SouthWest,
    /// To the left.
    West,
    /// Up and to the left.
    NorthWest,
}

impl Side {
    /// All sides, clockwise from north.
    pub const ALL: [Side; 8] = [
        Side::North,
        Side::NorthEast,
        Side::East,
        Side::SouthEast,
        Side::South,
        Side::SouthWest,
        Side::West,
        Side::NorthWest,
    ];

    /// Returns the side that the neighbour beyond this side shares with the cell.
    #[must_use]
    pub fn opposite(self) -> Side {
        Side::ALL[(self as usize + 4) % 8]
    }

    /// Returns the side's name in text.
    pub fn name(self) -> &'static str {
        match self {
            Side::North => "north",
            Side::NorthEast => "north-east",
            Side::East => "east",
            Side::SouthEast => "south-east",
            Side::South => "south",
            Side::SouthWest => "south-west",
            Side::West => "west",
            Side::NorthWest => "north-west",
        }
    }
}

/// What a side of a cell lets pass.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Border {
    /// Both ways.
    #[default]
    Open,
    /// Nothing: a wall.
    Closed,
    /// Only the way out of the cell, over the side.
    Out,
    /// Only the way into the cell.
    In,
}

impl Border {
    /// All kinds of border with their names in text.
    pub const NAMED: [(&'static str, Border); 4] =
        [("open", Border::Open), ("closed", Border::Closed), ("out", Border::Out), ("in", Border::In)];

    /// Returns whether the border is closed on the way out, and whether it is on the way in.
    pub(super) fn closed(self) -> [bool; 2] {
        [matches!(self, Border::Closed | Border::In), matches!(self, Border::Closed | Border::Out)]
    }

    /// Returns the border that is closed on the way out, and on the way in, if so said.
    pub(super) fn of([out, into]: [bool; 2]) -> Border {
        match (out, into) {
            (false, false) => Border::Open,
            (true, true) => Border::Closed,
            (false, true) => Border::Out,
            (true, false) => Border::In,
        }
    }
}

/// The borders of a grid that are not open.
#[derive(Clone)]
pub(super) struct Borders {
    /// For each node, one bit for each direction in which its border is closed on the way out.
    closed_by_node: Vec<u8>,
    /// How many of these bits are set.
    closed: usize,
    /// How many borders are closed in one direction only.
    one_way: usize,
}

impl Borders {
    pub(super) fn all_open(nodes: usize) -> Borders {
        Borders { closed_by_node: vec![0; nodes], closed: 0, one_way: 0 }
    }

    /// Returns, for each node, one bit for each direction in which its border is closed on the way out.
    pub(super) fn closed_by_node(&self) -> &[u8] {
        &self.closed_by_node
    }

    pub(super) fn are_open(&self) -> bool {
        self.closed == 0
    }

    pub(super) fn has_one_way(&self) -> bool {
        self.one_way > 0
    }

    /// Returns the border of a cell, where `direction` leads from its node to the node `beyond`.
    pub(super) fn get<L: Layout>(&self, node: usize, beyond: usize, direction: usize) -> Border {
        let out = self.closed_by_node[node] >> direction & 1 == 1;
        Border::of([out, self.closed_by_node[beyond] >> L::back(direction) & 1 == 1])
    }

    /// Sets the border of a cell as [`Borders::get`] returns it.
    pub(super) fn set<L: Layout>(&mut self, node: usize, beyond: usize, direction: usize, border: Border) {
        let is_one_way = |border| matches!(border, Border::Out | Border::In);
        self.one_way -= usize::from(is_one_way(self.get::<L>(node, beyond, direction)));
        self.one_way += usize::from(is_one_way(border));
        let [out, into] = border.closed();
        for (node, direction, is_closed) in [(node, direction, out), (beyond, L::back(direction), into)] {
            let closed = &mut self.closed_by_node[node];
            self.closed -= usize::from(*closed >> direction & 1);
            self.closed += usize::from(is_closed);
            *closed = *closed & !(1 << direction) | u8::from(is_closed) << direction;
        }
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.closed_by_node)
    }
}
