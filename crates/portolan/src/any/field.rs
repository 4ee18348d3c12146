//! Fields on a world of either grid. Not here: how they are made ([`crate::Field`]).

use super::{AnyScratch, AnySnapshot, cell};
use crate::batch::elsewhere::Routed;
use crate::cost::Cost;
use crate::field::{Field, FieldError};
use crate::id::{Cell, HexCell};
use crate::query::Stale;
use crate::space::Revision;
use crate::space::hex::HexGrid;

/// A field on a world of any kind.
#[derive(Clone)]
pub enum AnyField {
    /// A field on squares.
    Square(Field),
    /// A field on hexes.
    Hex(Field<HexGrid>),
}

impl AnyField {
    /// Makes the field of these goals: see [`Field::new`].
    ///
    /// # Errors
    /// As [`Field::new`].
    pub fn new(
        world: &AnySnapshot,
        goals: &[Cell],
        range: Option<Cost>,
        scratch: &mut AnyScratch,
    ) -> Result<AnyField, FieldError<Cell>> {
        match world {
            AnySnapshot::Square(world) => Field::new(world, goals, range, &mut scratch.square).map(AnyField::Square),
            AnySnapshot::Hex(world) => {
                let hexes: Vec<HexCell> = goals.iter().map(|&goal| goal.into()).collect();
                let asked = |hex: HexCell| goals.iter().copied().find(|&goal| HexCell::from(goal) == hex);
                let field = Field::new(world, &hexes, range, &mut scratch.hex);
                field.map(AnyField::Hex).map_err(|error| error.map(|hex| asked(hex).unwrap_or_else(|| cell(hex))))
            }
        }
    }

    /// Returns what it costs to walk from a cell to the nearest goal: see [`Field::cost`].
    ///
    /// # Errors
    /// As [`Field::cost`].
    pub fn cost(&self, world: &AnySnapshot, at: Cell) -> Result<Option<Cost>, Stale> {
        match (self, world) {
            (AnyField::Square(field), AnySnapshot::Square(world)) => field.cost(world, at),
            (AnyField::Hex(field), AnySnapshot::Hex(world)) => field.cost(world, at.into()),
            _ => Err(self.stale(world)),
        }
    }

    /// Returns the next cell on the way to the nearest goal: see [`Field::next`].
    ///
    /// # Errors
    /// As [`Field::next`].
    pub fn next(&self, world: &AnySnapshot, at: Cell) -> Result<Option<Cell>, Stale> {
        match (self, world) {
            (AnyField::Square(field), AnySnapshot::Square(world)) => field.next(world, at),
            (AnyField::Hex(field), AnySnapshot::Hex(world)) => Ok(field.next(world, at.into())?.map(cell)),
            _ => Err(self.stale(world)),
        }
    }

    /// Returns the routes from many cells, each to its nearest goal: see [`Field::descend_many`].
    ///
    /// # Errors
    /// As [`Field::descend_many`].
    pub fn descend_many(&self, world: &AnySnapshot, starts: &[Cell]) -> Result<Routed<Cell>, Stale> {
        match (self, world) {
            (AnyField::Square(field), AnySnapshot::Square(world)) => field.descend_many(world, starts),
            (AnyField::Hex(field), AnySnapshot::Hex(world)) => {
                let hexes: Vec<HexCell> = starts.iter().map(|&start| start.into()).collect();
                Ok(field.descend_many(world, &hexes)?.map(cell))
            }
            _ => Err(self.stale(world)),
        }
    }

    /// Returns the bytes of memory that the field takes.
    pub fn bytes(&self) -> usize {
        match self {
            AnyField::Square(field) => field.bytes(),
            AnyField::Hex(field) => field.bytes(),
        }
    }

    fn revision(&self) -> Revision {
        match self {
            AnyField::Square(field) => field.revision(),
            AnyField::Hex(field) => field.revision(),
        }
    }

    fn stale(&self, world: &AnySnapshot) -> Stale {
        Stale { built: self.revision(), asked: world.revision() }
    }
}
