//! What the cells of a grid are made of ([`Terrain`]), and how that is changed ([`Edit`]).
//!
//! Not here: what follows from an edit, such as which cells are connected.

use super::Area;

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

/// A change of terrain.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Edit {
    /// The cells that change.
    pub area: Area,
    /// The new terrain of every cell of `area`.
    pub terrain: Terrain,
}

impl Edit {
    /// Returns an edit that gives a cell, or every cell of an [`Area`], this terrain.
    pub fn new(area: impl Into<Area>, terrain: Terrain) -> Edit {
        Edit { area: area.into(), terrain }
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
        if lies_on_it { Ok(()) } else { Err(EditError { area, width, height }) }
    }

    /// Returns the edit as two numbers, which differ for different edits.
    pub(super) fn digest(&self) -> [u64; 2] {
        let Area { x, y, width, height } = self.area;
        let area = [x, y, width, height].into_iter().fold(0, |area, side| area << 16 | u64::from(side));
        [area, u64::from(self.terrain.weight()) | u64::from(self.terrain.kind()) << 8]
    }
}

/// The error for an edit that reaches off the grid or covers no cell.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "an edit of {} x {} cells at {},{} does not lie on a {width} x {height} grid",
    area.width, area.height, area.x, area.y
)]
pub struct EditError {
    /// The area of the edit.
    pub area: Area,
    /// Columns of the grid.
    pub width: usize,
    /// Rows of the grid.
    pub height: usize,
}

/// Returns the least and the greatest weight of free cells, 1 and 1 where no cell is free.
pub(super) fn weight_range(cells_by_weight: &[u32; 256]) -> (u8, u8) {
    let present = |weight: &usize| cells_by_weight[*weight] > 0;
    let least = (1..256).find(present).unwrap_or(1);
    let greatest = (1..256).rev().find(present).unwrap_or(1);
    (least as u8, greatest as u8)
}
