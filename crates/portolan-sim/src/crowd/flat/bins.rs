//! Agents by the square of the plan that they stand in, so that each finds its neighbours: a counting sort.
//!
//! The order of agents in a square does not matter to any result: all that is computed from neighbours is sums, least and
//! greatest numbers of whole numbers.
//!
//! Not here: what agents do about their neighbours.

use super::whole::Vector;

/// The squares of the plan by which agents are found: where they begin, how wide they are, and how many there are.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Lattice {
    /// The least coordinates, in steps.
    pub origin: [i32; 2],
    /// The steps across a square.
    pub width: u32,
    /// How many squares a row has.
    pub columns: u32,
    /// How many rows there are.
    pub rows: u32,
}

/// The most squares in a row, and the most rows.
const MOST: u32 = 2048;

impl Lattice {
    /// Returns squares of at least this width over all points from `least` to `greatest`.
    pub(super) fn over(least: Vector, greatest: Vector, width: u32) -> Lattice {
        let span = [0, 1].map(|axis| greatest[axis].abs_diff(least[axis]) + 1);
        let width = width.max(span[0].max(span[1]).div_ceil(MOST)).max(1);
        let [columns, rows] = span.map(|span| span.div_ceil(width));
        Lattice { origin: least, width, columns, rows }
    }

    /// Returns the column and the row of a point.
    pub(super) fn of(&self, at: Vector) -> [u32; 2] {
        let square = |axis: usize, count: u32| {
            ((at[axis] - self.origin[axis]).max(0).cast_unsigned() / self.width).min(count - 1)
        };
        [square(0, self.columns), square(1, self.rows)]
    }

    /// Returns the number of the square with a point.
    pub(super) fn number_of(&self, at: Vector) -> u32 {
        let [column, row] = self.of(at);
        row * self.columns + column
    }

    /// Returns how many squares there are.
    pub fn count(&self) -> usize {
        (self.columns * self.rows) as usize
    }
}

/// Items in the order of their lattice.
#[derive(Clone, Default, Debug)]
pub(super) struct Sorted<T> {
    /// Where the items of each square begin, and one entry more.
    pub(super) first: Vec<u32>,
    pub(super) items: Vec<T>,
}

impl<T: Copy + Default> Sorted<T> {
    /// Sorts items by the squares of their points.
    pub(super) fn fill(&mut self, lattice: &Lattice, items: impl Iterator<Item = (Vector, T)> + Clone) {
        let Sorted { first, items: sorted } = self;
        first.clear();
        first.resize(lattice.count() + 2, 0);
        let mut count = 0;
        for (at, _) in items.clone() {
            first[lattice.number_of(at) as usize + 2] += 1;
            count += 1;
        }
        for square in 2..first.len() {
            first[square] += first[square - 1];
        }
        sorted.resize(count, T::default());
        for (at, item) in items {
            let next = &mut first[lattice.number_of(at) as usize + 1];
            sorted[*next as usize] = item;
            *next += 1;
        }
        first.truncate(lattice.count() + 1);
    }

    /// Returns the items of the square of a point and of the eight around it, row by row.
    pub(super) fn around(&self, lattice: &Lattice, at: Vector) -> impl Iterator<Item = &T> + Clone {
        let [column, row] = lattice.of(at);
        let (left, right) = (column.saturating_sub(1), (column + 1).min(lattice.columns - 1));
        let rows = row.saturating_sub(1)..=(row + 1).min(lattice.rows - 1);
        let columns = lattice.columns;
        rows.flat_map(move |row| {
            let [begin, end] = [row * columns + left, row * columns + right + 1].map(|square| square as usize);
            &self.items[self.first[begin] as usize..self.first[end] as usize]
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_near_points_are_found() {
        let points: Vec<Vector> = (0..400).map(|at| [at * 37 % 211 - 50, at * 91 % 173 - 20]).collect();
        let lattice = Lattice::over([-50, -20], [160, 152], 16);
        let mut sorted = Sorted::default();
        sorted.fill(&lattice, points.iter().enumerate().map(|(number, &at)| (at, number)));
        for &at in &points {
            let mut near: Vec<usize> = sorted.around(&lattice, at).copied().collect();
            near.sort_unstable();
            let is_near = |&other: &usize| (0..2).all(|axis| (points[other][axis] - at[axis]).abs() <= 16);
            assert!((0..400).filter(is_near).all(|other| near.binary_search(&other).is_ok()));
            near.dedup();
            assert_eq!(near.len(), sorted.around(&lattice, at).count());
        }
    }
}
