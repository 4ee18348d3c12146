//! The eight directions in which agents and monsters of the testbed step and look: [`Heading`].
//!
//! Not here: whether a step is legal.

use portolan::Cell;

/// One of eight directions.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Heading(u8);

/// Columns and rows of a step in each direction: up first, then clockwise.
const STEPS: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

impl Heading {
    /// All directions: up first, then clockwise.
    pub const ALL: [Heading; 8] =
        [Heading(0), Heading(1), Heading(2), Heading(3), Heading(4), Heading(5), Heading(6), Heading(7)];

    /// Returns the columns to the right and the rows down of a step in this direction.
    pub fn step(self) -> (i32, i32) {
        STEPS[usize::from(self.0)]
    }

    /// Returns the direction after this many eighths of a turn clockwise.
    #[must_use]
    pub fn turned(self, eighths: u8) -> Heading {
        Heading((self.0 + eighths) % 8)
    }

    /// Returns how many eighths of a turn lie between two directions, from 0 to 4.
    pub fn turn_to(self, other: Heading) -> u8 {
        let turn = (other.0 + 8 - self.0) % 8;
        turn.min(8 - turn)
    }

    /// Returns the neighbour of a cell in this direction. It may lie off the map, where every world is blocked.
    pub fn next(self, cell: Cell) -> Cell {
        let (dx, dy) = self.step();
        Cell::new(cell.x.wrapping_add_signed(dx as i16), cell.y.wrapping_add_signed(dy as i16))
    }

    /// Returns the direction of a step or a line from one cell to another by the signs of its columns and rows, or
    /// `None` if it is one cell.
    pub fn between(from: Cell, to: Cell) -> Option<Heading> {
        let (dx, dy) = offset(from, to);
        let step = (dx.signum(), dy.signum());
        STEPS.iter().position(|&known| known == step).map(|index| Heading(index as u8))
    }

    /// Returns whether a cell lies in the quarter of the plane in the middle of which this direction points. The cell of
    /// the viewer itself does not.
    pub fn faces(self, from: Cell, to: Cell) -> bool {
        let ((x, y), (dx, dy)) = (self.step(), offset(from, to));
        let (ahead, aside) = (dx * x + dy * y, dx * y - dy * x);
        ahead > 0 && aside.abs() <= ahead
    }

    /// Returns an arrow in this direction.
    pub fn arrow(self) -> char {
        ['↑', '↗', '→', '↘', '↓', '↙', '←', '↖'][usize::from(self.0)]
    }
}

/// Returns the columns to the right and the rows down from one cell to another.
pub(super) fn offset(from: Cell, to: Cell) -> (i32, i32) {
    (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y))
}

/// Returns the square of the distance between two cells.
pub(super) fn distance_squared(a: Cell, b: Cell) -> i32 {
    let (dx, dy) = offset(a, b);
    dx * dx + dy * dy
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_quarter_of_the_plane_is_seen() {
        let middle = Cell::new(10, 10);
        for heading in Heading::ALL {
            let around = (0..21).flat_map(|y| (0..21).map(move |x| Cell::new(x, y)));
            let seen = around.filter(|&cell| heading.faces(middle, cell)).count();
            // A quarter of 440 cells, and half of the cells on its two edges.
            assert_eq!(seen, 120, "{heading:?}");
            assert!(heading.faces(middle, heading.next(middle)) && !heading.faces(middle, middle));
            assert!(!heading.faces(middle, heading.turned(4).next(middle)));
        }
    }

    #[test]
    fn turns_are_counted_the_shorter_way() {
        let up = Heading::ALL[0];
        assert_eq!(Heading::ALL.map(|heading| up.turn_to(heading)), [0, 1, 2, 3, 4, 3, 2, 1]);
        assert_eq!(Heading::between(Cell::new(3, 3), Cell::new(9, 2)), Some(Heading::ALL[1]));
        assert_eq!(Heading::between(Cell::new(3, 3), Cell::new(3, 3)), None);
    }
}
