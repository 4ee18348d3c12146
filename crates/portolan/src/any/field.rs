//! Fields and flee maps on a world of either grid. Not here: how they are made ([`crate::Field`]).

use super::{AnyScratch, AnySnapshot, AnyWorld, cell};
use crate::batch::elsewhere::Routed;
use crate::cost::Cost;
use crate::field::{Field, FieldError, FieldRepair, FleeMap};
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

    /// Brings the field up to date with a world: see [`Field::sync`].
    ///
    /// # Errors
    /// As [`Field::sync`]; a world of another kind is one that lies elsewhere.
    pub fn sync(&mut self, world: &AnyWorld, scratch: &mut AnyScratch) -> Result<FieldRepair, FieldError<Cell>> {
        match (&mut *self, world) {
            (AnyField::Square(field), AnyWorld::Square(world)) => field.sync(world, &mut scratch.square),
            (AnyField::Hex(field), AnyWorld::Hex(world)) => {
                field.sync(world, &mut scratch.hex).map_err(|error| error.map(cell))
            }
            _ => Err(FieldError::Gap { built: self.revision(), asked: world.revision(), edits: 0 }),
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

/// A flee map on a world of any kind.
pub enum AnyFleeMap {
    /// A flee map on squares.
    Square(FleeMap),
    /// A flee map on hexes.
    Hex(FleeMap<HexGrid>),
}

impl AnyFleeMap {
    /// Makes the map of ways that lead away from the goals of a field: see [`FleeMap::new`].
    ///
    /// # Errors
    /// As [`FleeMap::new`].
    pub fn new(
        world: &AnySnapshot,
        dangers: &AnyField,
        percent: u32,
        scratch: &mut AnyScratch,
    ) -> Result<AnyFleeMap, FieldError<Cell>> {
        match (dangers, world) {
            (AnyField::Square(dangers), AnySnapshot::Square(world)) => {
                FleeMap::new(world, dangers, percent, &mut scratch.square).map(AnyFleeMap::Square)
            }
            (AnyField::Hex(dangers), AnySnapshot::Hex(world)) => {
                let map = FleeMap::new(world, dangers, percent, &mut scratch.hex);
                map.map(AnyFleeMap::Hex).map_err(|error| error.map(cell))
            }
            _ => Err(FieldError::Gap { built: dangers.revision(), asked: world.revision(), edits: 0 }),
        }
    }

    /// Returns the next cell on the way to a refuge: see [`FleeMap::next`].
    ///
    /// # Errors
    /// As [`FleeMap::next`].
    pub fn next(&self, world: &AnySnapshot, at: Cell) -> Result<Option<Cell>, Stale> {
        match (self, world) {
            (AnyFleeMap::Square(map), AnySnapshot::Square(world)) => map.next(world, at),
            (AnyFleeMap::Hex(map), AnySnapshot::Hex(world)) => Ok(map.next(world, at.into())?.map(cell)),
            _ => {
                let built = match self {
                    AnyFleeMap::Square(map) => map.revision(),
                    AnyFleeMap::Hex(map) => map.revision(),
                };
                Err(Stale { built, asked: world.revision() })
            }
        }
    }

    /// Returns the cells that agents flee to.
    pub fn refuges(&self) -> Vec<Cell> {
        match self {
            AnyFleeMap::Square(map) => map.refuges().to_vec(),
            AnyFleeMap::Hex(map) => map.refuges().iter().copied().map(cell).collect(),
        }
    }
}
