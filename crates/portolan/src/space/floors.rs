//! Buildings: floors of one size on a single grid, joined by links ([`Floors`]).
//!
//! The floors lie below each other on the grid, with blocked rows between them, so that nothing walks from one to the next but
//! over links. All algorithms that know links run on them, and edits, repairs and snapshots are those of any grid.
//!
//! Not here: links (`space/links.rs`), and estimates over them: the distance between cells of two floors counts rows of the grid,
//! so that every link between floors is a short cut.

use super::hex::HexGrid;
use super::square::{GridError, SquareGrid};
use super::{Area, Edit, Rules};
use crate::cost::{Cost, Metric};
use crate::id::Cell;

/// Where the cells of up to 64 floors lie on one grid.
///
/// ```
/// use portolan::{Cell, Cost, Floors, Outcome, Planner, Query, Rules, Scratch, World};
/// let floors = Floors::new(3, 20, 10)?;
/// let mut world = World::from(floors.squares(&[1; 3 * 20 * 10], Rules::default())?);
/// let stairs = floors.link((0, (19, 9)), (1, (19, 9)), Cost(500), true).ok_or("off the floors")?;
/// world.apply(&[stairs])?;
/// let planner = Planner::new(&world, "a-star")?;
/// let upstairs = floors.cell(1, (4, 4)).ok_or("off the floors")?;
/// let outcome = planner.find(&world, Query::new((2, 3), upstairs), &mut Scratch::new())?;
/// assert!(outcome.route().is_some_and(|route| route.cells().contains(&Cell::new(19, 9))));
/// assert_eq!(floors.floor(upstairs), Some((1, Cell::new(4, 4))));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Floors {
    count: u16,
    width: u16,
    height: u16,
}

impl Floors {
    /// The most floors.
    pub const MOST: usize = 64;

    /// Makes room for so many floors of this size.
    ///
    /// # Errors
    /// When there are no floors or more than [`Floors::MOST`], or a grid cannot have as many columns or rows as they take.
    pub fn new(floors: usize, width: usize, height: usize) -> Result<Floors, GridError> {
        if !(1..=Floors::MOST).contains(&floors) || !(1..=SquareGrid::MAX_SIDE).contains(&height) {
            return Err(GridError::Size { width, height: floors.saturating_mul(height) });
        }
        let rows = floors * (height + gap(height)) - gap(height);
        if !(1..=SquareGrid::MAX_SIDE).contains(&width) || rows > SquareGrid::MAX_SIDE {
            return Err(GridError::Size { width, height: rows });
        }
        Ok(Floors { count: floors as u16, width: width as u16, height: height as u16 })
    }

    /// Returns the number of floors.
    pub fn count(self) -> usize {
        self.count.into()
    }

    /// Returns the number of columns and rows of each floor.
    pub fn size(self) -> (usize, usize) {
        (self.width.into(), self.height.into())
    }

    /// Returns the number of rows of the grid.
    pub fn rows(self) -> usize {
        self.first_row(self.count()) - gap(self.height.into())
    }

    /// Returns the cell of the grid that a cell of a floor is, `None` if there is no such floor or cell.
    pub fn cell(self, floor: usize, at: impl Into<Cell>) -> Option<Cell> {
        let at = at.into();
        let is_there = floor < self.count() && at.x < self.width && at.y < self.height;
        is_there.then(|| Cell { x: at.x, y: (self.first_row(floor) + usize::from(at.y)) as u16 })
    }

    /// Returns the floor that a cell of the grid lies on, and the cell there; `None` between floors and off the grid.
    pub fn floor(self, cell: impl Into<Cell>) -> Option<(usize, Cell)> {
        let cell = cell.into();
        let stride = self.first_row(1);
        let (floor, row) = (usize::from(cell.y) / stride, (usize::from(cell.y) % stride) as u16);
        let is_there = floor < self.count() && cell.x < self.width && row < self.height;
        is_there.then_some((floor, Cell { x: cell.x, y: row }))
    }

    /// Returns the area of the grid that an area of a floor is, `None` if it does not lie on the floor.
    pub fn area(self, floor: usize, area: Area) -> Option<Area> {
        let corner = self.cell(floor, Cell { x: area.x, y: area.y })?;
        let is_on = |start: u16, length: u16, side: u16| u32::from(start) + u32::from(length) <= u32::from(side);
        let is_there = is_on(area.x, area.width, self.width) && is_on(area.y, area.height, self.height);
        is_there.then_some(Area { y: corner.y, ..area })
    }

    /// Returns the edit that joins cells of two floors by a link, as [`Edit::link`] does; `None` if one of them is on no floor.
    pub fn link(
        self,
        from: (usize, impl Into<Cell>),
        to: (usize, impl Into<Cell>),
        cost: Cost,
        both_ways: bool,
    ) -> Option<Edit> {
        let (from, to) = (self.cell(from.0, from.1)?, self.cell(to.0, to.1)?);
        Some(Edit::link(from, to, cost, both_ways))
    }

    /// Makes a grid of squares from one weight for each cell, row by row and floor by floor; 0 means blocked.
    ///
    /// # Errors
    /// When `weights` does not have an entry for each cell of all floors, or there is no memory for the grid.
    pub fn squares(self, weights: &[u8], rules: Rules) -> Result<SquareGrid, GridError> {
        SquareGrid::from_weights(self.width.into(), self.rows(), &self.laid_out(weights)?, rules)
    }

    /// Makes a grid of hexes from one weight for each cell, row by row and floor by floor; 0 means blocked. On every floor, the
    /// odd rows lie half a cell further to the right.
    ///
    /// # Errors
    /// As [`Floors::squares`].
    pub fn hexes(self, weights: &[u8], metric: Option<Metric>) -> Result<HexGrid, GridError> {
        HexGrid::from_weights(self.width.into(), self.rows(), &self.laid_out(weights)?, metric)
    }

    fn first_row(self, floor: usize) -> usize {
        let height = usize::from(self.height);
        floor * (height + gap(height))
    }

    /// Returns the weights of the grid.
    fn laid_out(self, weights: &[u8]) -> Result<Vec<u8>, GridError> {
        let (width, height) = self.size();
        if weights.len() != self.count() * width * height {
            return Err(GridError::Count { width, height: self.count() * height, count: weights.len() });
        }
        let mut laid = vec![0; width * self.rows()];
        for (floor, weights) in weights.chunks_exact(width * height).enumerate() {
            laid[self.first_row(floor) * width..][..width * height].copy_from_slice(weights);
        }
        Ok(laid)
    }
}

/// Returns how many blocked rows lie between two floors of this height: as few as let each floor begin with an even row, since
/// even rows of hexes lie further to the left.
fn gap(height: usize) -> usize {
    2 - height % 2
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::HexCell;

    #[test]
    fn every_cell_of_every_floor_is_a_cell_of_the_grid_and_nothing_else_is() {
        for (count, width, height) in [(1, 5, 4), (3, 7, 5), (64, 2, 6)] {
            let floors = Floors::new(count, width, height).expect("a sound size");
            let mut named = 0;
            for (x, y) in (0..floors.rows() as u16 + 3).flat_map(|y| (0..width as u16 + 2).map(move |x| (x, y))) {
                if let Some((floor, at)) = floors.floor((x, y)) {
                    assert_eq!(floors.cell(floor, at), Some(Cell::new(x, y)));
                    named += 1;
                }
            }
            assert_eq!(named, count * width * height);
            assert_eq!(floors.cell(count, (0, 0)), None);
            assert!(floors.first_row(1).is_multiple_of(2));
        }
    }

    #[test]
    fn nothing_walks_from_floor_to_floor_but_over_links() {
        let floors = Floors::new(4, 6, 6).expect("a sound size");
        let (weights, rules) = ([1; 4 * 36], Rules::default());
        let squares = floors.squares(&weights, rules).expect("a sound size");
        let hexes = floors.hexes(&weights, None).expect("a sound size");
        let [a, b] = [0, 1].map(|floor| floors.cell(floor, (3, 3)).expect("on the floor"));
        assert!(!squares.connected(a, b) && squares.connected(a, Cell::new(0, 0)));
        assert!(!hexes.connected(HexCell::at(a.x, a.y), HexCell::at(b.x, b.y)));
        assert_eq!((squares.free_cells(), hexes.free_cells()), (4 * 36, 4 * 36));
        assert!(floors.squares(&weights[1..], rules).is_err());
    }

    #[test]
    fn too_many_or_too_large_floors_are_refused() {
        for (floors, width, height) in [(0, 5, 5), (65, 5, 5), (64, 5, 600), (2, 0, 5), (2, 5, 0), (1, 40_000, 5)] {
            assert!(matches!(Floors::new(floors, width, height), Err(GridError::Size { .. })), "{floors}");
        }
    }
}
