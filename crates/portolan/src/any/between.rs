//! What lies between the cells of a world of any kind: borders and links, and which cells lie beside each other. Cells are named by
//! column and row.
//!
//! Not here: changing them, which [`Edit`](crate::Edit)s do.

use super::{AnySnapshot, cell, hex, on_each};
use crate::cost::Cost;
use crate::id::Cell;
use crate::space::ground::{Grounded, Layout};
use crate::space::{Border, Extras, Side};

impl AnySnapshot {
    /// Returns what the world has besides its terrain.
    pub fn extras(&self) -> Extras {
        on_each!(self, |world| world.extras())
    }

    /// Returns whether some ground has had another kind than 0.
    pub fn has_kinds(&self) -> bool {
        on_each!(self, |world| world.has_kinds())
    }

    /// Returns one kind for each column of each row, 0 where a cell is blocked or off the grid.
    pub fn to_kinds(&self) -> Vec<u8> {
        on_each!(self, |world| world.to_kinds())
    }

    /// Returns the sides that cells have, half of them first: each border between two cells lies on one of the first half's sides
    /// of one of them.
    pub fn sides(&self) -> &'static [Side] {
        use Side::{East, North, NorthEast, NorthWest, South, SouthEast, SouthWest, West};
        match self {
            AnySnapshot::Square(_) => &[East, South, West, North],
            AnySnapshot::Hex(_) => &[East, SouthEast, SouthWest, West, NorthWest, NorthEast],
        }
    }

    /// Returns what a side of a cell lets pass, `None` if the cells have no such side. The edge of the map is closed.
    pub fn border(&self, at: Cell, side: Side) -> Option<Border> {
        match self {
            AnySnapshot::Square(world) => world.border(at, side),
            AnySnapshot::Hex(world) => world.border(hex(at), side),
        }
    }

    /// Returns the cell beyond a side of a cell, `None` if the cell has no such side or it lies on the edge of the map.
    pub fn beside(&self, at: Cell, side: Side) -> Option<Cell> {
        fn of<G: Grounded>(grid: &G, at: Cell, side: Side) -> Option<Cell> {
            let direction = G::Layout::direction(side)?;
            let (column, row) = grid.ground().layout.beside((at.x.into(), at.y.into()), direction)?;
            Some(Cell::new(column as u16, row as u16))
        }
        let on_map = Some(at).filter(|&at| self.contains(at))?;
        match self {
            AnySnapshot::Square(world) => of(&**world, on_map, side),
            AnySnapshot::Hex(world) => of(&**world, on_map, side),
        }
    }

    /// Returns every border that is not open, once, as it is seen from the cell whose side is named; cells come row by row. The
    /// edge of the map is not among them.
    pub fn borders(&self) -> impl Iterator<Item = (Cell, Side, Border)> + '_ {
        let (sides, is_plain) = (self.sides(), self.extras() == Extras::Nothing);
        let cells = self.cells().take_while(move |_| !is_plain);
        let all = cells.flat_map(move |at| sides[..sides.len() / 2].iter().map(move |&side| (at, side)));
        all.filter_map(move |(at, side)| {
            self.beside(at, side)?;
            let border = self.border(at, side).filter(|&border| border != Border::Open)?;
            Some((at, side, border))
        })
    }

    /// Returns all links, each with the cells that it leads from and to and its cost. A link both ways is two.
    pub fn links(&self) -> Box<dyn Iterator<Item = (Cell, Cell, Cost)> + '_> {
        match self {
            AnySnapshot::Square(world) => Box::new(world.links()),
            AnySnapshot::Hex(world) => Box::new(world.links().map(|(from, to, cost)| (cell(from), cell(to), cost))),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::any::AnyWorld;
    use crate::space::Edit;
    use crate::space::hex::HexGrid;
    use crate::space::square::SquareGrid;
    use crate::{Area, Rules};

    #[test]
    fn every_side_leads_to_a_cell_whose_opposite_side_leads_back() {
        let squares = SquareGrid::open(4, 3, Rules::default()).expect("a sound size");
        let worlds = [
            AnySnapshot::from(squares),
            AnySnapshot::from(HexGrid::open(4, 3, None).expect("a sound size")),
            AnySnapshot::from(HexGrid::hexagon(2, None).expect("a sound size")),
        ];
        for world in worlds {
            let mut pairs = 0;
            for at in world.cells() {
                for &side in world.sides() {
                    let Some(beyond) = world.beside(at, side) else {
                        assert_eq!(world.border(at, side), Some(Border::Closed));
                        continue;
                    };
                    assert_eq!(world.beside(beyond, side.opposite()), Some(at));
                    assert!(world.step_cost(at, beyond).is_some());
                    pairs += 1;
                }
            }
            assert_eq!((pairs, world.borders().count()), (2 * sides_between(&world), 0));
        }
    }

    /// Counts neighbours over the first half of sides.
    fn sides_between(world: &AnySnapshot) -> usize {
        let half = &world.sides()[..world.sides().len() / 2];
        world
            .cells()
            .flat_map(|at| half.iter().map(move |&side| (at, side)))
            .filter(|&(at, s)| world.beside(at, s).is_some())
            .count()
    }

    #[test]
    fn each_border_and_link_is_told_once() {
        let mut world = AnyWorld::from(HexGrid::open(5, 4, None).expect("a sound size"));
        let area = Area { x: 1, y: 1, width: 2, height: 2 };
        let link = Edit::link((0, 0), (4, 3), Cost(7), false);
        world.apply(&[Edit::border(area, Side::NorthWest, Border::Out), link]).expect("sound edits");
        let world = world.snapshot();
        let told: Vec<_> = world.borders().map(|(at, side, border)| (at.x, at.y, side, border)).collect();
        // Seen from the cells above, the way out of the cells below is the way in. Odd rows lie further to the right.
        let seen = |x, y| (x, y, Side::SouthEast, Border::In);
        assert_eq!(told, [seen(1, 0), seen(2, 0), seen(0, 1), seen(1, 1)]);
        assert_eq!(world.links().collect::<Vec<_>>(), [(Cell::new(0, 0), Cell::new(4, 3), Cost(7))]);
        assert_eq!(world.extras(), Extras::OneWays);
    }
}
