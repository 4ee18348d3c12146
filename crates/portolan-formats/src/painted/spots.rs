//! What the objects of a painted map say: where links begin and end, and which cells are starts and goals. Each has to lie on
//! free ground.
//!
//! Not here: how an editor writes objects.

use super::{NamedPlace, PaintedLink, PlaceRole};
use crate::error::ReadError;
use portolan::Cell;
use portolan::any::AnySnapshot;
use std::collections::BTreeMap;

/// Where a link leads.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// To an object of this name in the file.
    Object(String),
    /// To a column and a row of the map.
    Place(i64, i64),
}

/// An object that is a link, a start or a goal.
#[derive(Clone, Debug)]
pub(crate) struct Spot {
    /// Its line in the file, 0 if that is not known.
    pub(crate) line: usize,
    /// What it is called in errors, such as `link 7`.
    pub(crate) what: String,
    pub(crate) name: String,
    pub(crate) at: (i64, i64),
    pub(crate) means: Means,
}

/// What an object is.
#[derive(Clone, Debug)]
pub(crate) enum Means {
    Place(PlaceRole),
    Link { to: End, cost: Option<u32>, one_way: bool },
}

/// The objects of a map.
#[derive(Default)]
pub(crate) struct Spots {
    /// Links, starts and goals.
    pub(crate) told: Vec<Spot>,
    /// Where every object lies, by what links call it.
    pub(crate) objects: BTreeMap<String, (i64, i64)>,
}

impl Spots {
    /// Returns the links and the places on a world whose cell 0,0 is in this column and row of the map.
    pub(crate) fn on(
        &self,
        world: &AnySnapshot,
        offset: (i32, i32),
    ) -> Result<(Vec<PaintedLink>, Vec<NamedPlace>), ReadError> {
        let (mut links, mut places) = (Vec::new(), Vec::new());
        for spot in &self.told {
            let at = spot.ground(world, offset, spot.at, "on free ground")?;
            match &spot.means {
                &Means::Place(role) => places.push(NamedPlace { name: spot.name.clone(), role, at }),
                Means::Link { to, cost, one_way } => {
                    let to = match to {
                        &End::Place(column, row) => (column, row),
                        End::Object(name) => *self
                            .objects
                            .get(name)
                            .ok_or_else(|| spot.fault("an object to lead to", format!("no object {name}")))?,
                    };
                    let to = spot.ground(world, offset, to, "that leads to free ground")?;
                    links.push(PaintedLink { name: spot.name.clone(), from: at, to, cost: *cost, one_way: *one_way });
                }
            }
        }
        Ok((links, places))
    }
}

impl Spot {
    /// Returns the free cell in a column and a row of the map.
    fn ground(
        &self,
        world: &AnySnapshot,
        offset: (i32, i32),
        (column, row): (i64, i64),
        expected: &str,
    ) -> Result<Cell, ReadError> {
        let side = |at: i64, first: i32| u16::try_from(at.checked_sub(i64::from(first))?).ok();
        let cell = side(column, offset.0).zip(side(row, offset.1)).map(|(x, y)| Cell::new(x, y));
        let wrong = match cell.filter(|&cell| world.contains(cell)) {
            Some(cell) if world.is_free(cell) => return Ok(cell),
            Some(_) => "which is blocked",
            None => "which is off the map",
        };
        Err(self.fault(format!("a {} {expected}", self.kind()), format!("column {column}, row {row}, {wrong},")))
    }

    fn kind(&self) -> &'static str {
        match self.means {
            Means::Place(PlaceRole::Start) => "start",
            Means::Place(PlaceRole::Goal) => "goal",
            Means::Link { .. } => "link",
        }
    }

    /// Returns a fault of this object.
    fn fault(&self, expected: impl Into<String>, found: impl Into<String>) -> ReadError {
        let found = format!("{} in {}", found.into(), self.what);
        ReadError { line: self.line, ..ReadError::of_whole(expected, found) }
    }
}
