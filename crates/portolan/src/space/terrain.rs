//! What the cells of a grid are made of ([`Terrain`]), and how a grid is changed ([`Edit`]).
//!
//! Not here: what follows from an edit, such as which cells are connected.

use super::Area;
use super::borders::{Border, Side};
use crate::cost::Cost;
use crate::id::Cell;

/// What a cell is made of: blocked, or ground with a weight from 1 to 255 that multiplies the cost of steps. Ground also has
/// a kind, a number to which a game gives a meaning such as road, water or forest; it is 0 unless another is set. A
/// [`crate::Profile`] says what each kind is to an agent.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Terrain {
    weight: u8,
    kind: u8,
}

impl Terrain {
    /// Terrain on which no agent may stand.
    pub const BLOCKED: Terrain = Terrain::of_weight(0);
    /// Ground of weight 1 and kind 0.
    pub const GROUND: Terrain = Terrain::of_weight(1);

    /// Returns ground of this weight and of kind 0, or [`Terrain::BLOCKED`] if `weight` is 0.
    pub const fn of_weight(weight: u8) -> Terrain {
        Terrain { weight, kind: 0 }
    }

    /// Returns this terrain as ground of a kind. Blocked terrain has no kind: its number stays 0. Grids keep kinds; a mesh
    /// keeps weights alone.
    #[must_use]
    pub const fn with_kind(self, kind: u8) -> Terrain {
        Terrain { weight: self.weight, kind: if self.weight == 0 { 0 } else { kind } }
    }

    /// Returns the kind of the ground, 0 if it is blocked.
    pub const fn kind(self) -> u8 {
        self.kind
    }

    /// Returns the weight of the ground, 0 if it is blocked.
    pub const fn weight(self) -> u8 {
        self.weight
    }

    /// Returns whether an agent may stand on this terrain.
    pub const fn is_free(self) -> bool {
        self.weight != 0
    }
}

/// A change of a grid.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edit {
    /// The cells that change.
    pub area: Area,
    /// What becomes of them.
    pub change: Change,
}

/// What an [`Edit`] does to its cells.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
#[non_exhaustive]
pub enum Change {
    /// Every cell gets this terrain.
    Terrain(Terrain),
    /// This side of every cell gets this border. Sides that lie on the edge of the map stay closed.
    Border(Side, Border),
    /// The cell in the corner of the area gets a link to another cell.
    Link {
        /// The cell that the link leads to.
        to: Cell,
        /// What the link costs; `None` removes it.
        cost: Option<Cost>,
        /// Whether the link back is set or removed with it.
        both_ways: bool,
    },
}

impl Edit {
    /// Returns an edit that gives a cell, or every cell of an [`Area`], this terrain.
    pub fn new(area: impl Into<Area>, terrain: Terrain) -> Edit {
        Edit { area: area.into(), change: Change::Terrain(terrain) }
    }

    /// Returns an edit that gives this side of a cell, or of every cell of an [`Area`], this border.
    ///
    /// ```
    /// use portolan::{Area, Border, Cell, Edit, Rules, Side, SquareGrid, World};
    /// let mut world = World::from(SquareGrid::open(10, 5, Rules::default())?);
    /// let column = Area { x: 4, y: 0, width: 1, height: 5 };
    /// world.apply(&[Edit::border(column, Side::East, Border::Closed)])?;
    /// assert!(!world.connected(Cell::new(4, 2), Cell::new(5, 2)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn border(area: impl Into<Area>, side: Side, border: Border) -> Edit {
        Edit { area: area.into(), change: Change::Border(side, border) }
    }

    /// Returns an edit that makes a link from one cell to another, in place of the one that there may be: stairs, a ladder, a
    /// teleport, a ferry. It costs what is said, whatever the terrain, and rests while one of its cells is blocked. If
    /// it leads `both_ways`, the link back gets that cost too.
    ///
    /// ```
    /// use portolan::{Cell, Cost, Edit, Outcome, Planner, Query, Rules, Scratch, SquareGrid, World};
    /// let mut world = World::from(SquareGrid::open(50, 50, Rules::default())?);
    /// world.apply(&[Edit::link((2, 2), (45, 40), Cost(100), false)])?;
    /// let planner = Planner::new(&world, "a-star")?;
    /// let Outcome::Reached(route) = planner.find(&world, Query::new((1, 2), (45, 41)), &mut Scratch::new())? else {
    ///     panic!("open ground");
    /// };
    /// assert_eq!(route.cells(), [(1, 2), (2, 2), (45, 40), (45, 41)].map(Cell::from));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn link(from: impl Into<Cell>, to: impl Into<Cell>, cost: Cost, both_ways: bool) -> Edit {
        let change = Change::Link { to: to.into(), cost: Some(cost), both_ways };
        Edit { area: from.into().into(), change }
    }

    /// Returns an edit that removes the link from one cell to another, if there is one, and the link back if `both_ways`.
    pub fn unlink(from: impl Into<Cell>, to: impl Into<Cell>, both_ways: bool) -> Edit {
        Edit { area: from.into().into(), change: Change::Link { to: to.into(), cost: None, both_ways } }
    }

    /// Returns the terrain that the edit gives its cells, `None` if it changes something else.
    pub fn terrain(&self) -> Option<Terrain> {
        match self.change {
            Change::Terrain(terrain) => Some(terrain),
            Change::Border(..) | Change::Link { .. } => None,
        }
    }

    /// Returns the areas of the cells that the edit is about: its own, and the cell that a link leads to.
    pub(crate) fn areas(&self) -> impl Iterator<Item = Area> + Clone + use<> {
        let beyond = match self.change {
            Change::Link { to, .. } => Some(Area::from(to)),
            Change::Terrain(_) | Change::Border(..) => None,
        };
        [Some(self.area), beyond].into_iter().flatten()
    }

    /// Returns the cells of squares whose own steps the edit changes: those of its area and, if it sets borders, the cells
    /// beyond. `size` is that of the grid.
    pub(crate) fn cells(&self, size: (usize, usize)) -> Area {
        let Change::Border(side, _) = self.change else { return self.area };
        let Area { x, y, width, height } = self.area;
        let last = |start: u16, length: u16, side: usize| start + length < side as u16;
        match side {
            Side::North if y > 0 => Area { y: y - 1, height: height + 1, ..self.area },
            Side::West if x > 0 => Area { x: x - 1, width: width + 1, ..self.area },
            Side::South if last(y, height, size.1) => Area { height: height + 1, ..self.area },
            Side::East if last(x, width, size.0) => Area { width: width + 1, ..self.area },
            _ => self.area,
        }
    }

    /// Checks that the edit lies on a grid of this size and covers at least one cell.
    ///
    /// # Errors
    /// When it does not.
    pub fn check(&self, width: usize, height: usize) -> Result<(), EditError> {
        let area = self.area;
        let fits =
            |start: u16, length: u16, side: usize| length > 0 && usize::from(start) + usize::from(length) <= side;
        let lies_on_it = fits(area.x, area.width, width) && fits(area.y, area.height, height);
        if lies_on_it { Ok(()) } else { Err(EditError::OffMap { area, width, height }) }
    }

    /// Returns the edit as two numbers, which differ for different edits.
    pub(super) fn digest(&self) -> [u64; 2] {
        let Area { x, y, width, height } = self.area;
        let area = [x, y, width, height].into_iter().fold(0, |area, side| area << 16 | u64::from(side));
        // A weight and a kind have sixteen bits; one of the bits above says that it is none.
        let change = match self.change {
            Change::Terrain(terrain) => u64::from(terrain.weight()) | u64::from(terrain.kind()) << 8,
            Change::Border(side, border) => 1 << 16 | (side as u64) << 4 | border as u64,
            // Links have numbers of their own in place of an area of one cell: sides have 15 bits, so that 0 columns and the
            // highest bits of rows tell them apart.
            Change::Link { to, cost, both_ways } => {
                let kind = 1 << 15 | u64::from(both_ways) << 1 | u64::from(cost.is_some());
                let from = u64::from(x) << 48 | u64::from(y) << 32;
                let cell = u64::from(to.x) << 48 | u64::from(to.y) << 32;
                return [from | kind, cell | u64::from(cost.map_or(0, |cost| cost.0))];
            }
        };
        [area, change]
    }
}

/// Why an edit of a grid cannot be applied.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum EditError {
    /// The edit reaches off the grid or covers no cell.
    #[error(
        "an edit of {} x {} cells at {},{} does not lie on a {width} x {height} grid",
        area.width, area.height, area.x, area.y
    )]
    OffMap {
        /// The area of the edit.
        area: Area,
        /// Columns of the grid.
        width: usize,
        /// Rows of the grid.
        height: usize,
    },
    /// A link leads to no cell of the grid, or to the cell that it leads from.
    #[error("a link from {from} to {to} does not join two cells of the map")]
    LinkToNowhere {
        /// The cell that the link leads from.
        from: Cell,
        /// The cell that it should lead to.
        to: Cell,
    },
    /// A link costs nothing or too much.
    #[error("a link costs 1 to {}, not {_0}", EditError::MOST_COST)]
    LinkCost(Cost),
    /// Too many links lead from a cell or to it.
    #[error("at most {} links lead from a cell or to it", super::links::MOST)]
    TooManyLinks,
    /// The cells of this kind of grid have no such side.
    #[error("the cells of this grid have no side to the {}", _0.name())]
    NoSuchSide(Side),
}

impl EditError {
    /// The most that a link may cost.
    pub const MOST_COST: u32 = 1 << 28;
}

/// Returns the least and the greatest weight of free cells, 1 and 1 where no cell is free.
pub(super) fn weight_range(cells_by_weight: &[u32; 256]) -> (u8, u8) {
    let present = |weight: &usize| cells_by_weight[*weight] > 0;
    let least = (1..256).find(present).unwrap_or(1);
    let greatest = (1..256).rev().find(present).unwrap_or(1);
    (least as u8, greatest as u8)
}
