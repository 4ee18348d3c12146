//! A place in a world of any kind, as messages name it.
//!
//! Not here: whether a world has the place.

use super::{Refused, Spot, cell};
use portolan::Cell;
use serde::{Deserialize, Serialize};

/// A place: a cell, or a point of a polygon of a mesh, in the mesh's units from its least corner.
#[derive(Copy, Clone, PartialEq, Serialize, Deserialize, Debug)]
#[serde(try_from = "Vec<f64>", untagged)]
pub(crate) enum Place {
    Cell(Spot),
    Point(u32, f64, f64),
}

impl Place {
    /// Returns the cell, for worlds that have cells.
    pub(crate) fn cell(self) -> Result<Cell, Refused> {
        match self {
            Place::Cell(spot) => Ok(cell(spot)),
            Place::Point(..) => Err(Refused("a world of cells is open, and this place is a point of a mesh")),
        }
    }
}

impl TryFrom<Vec<f64>> for Place {
    type Error = Refused;

    fn try_from(numbers: Vec<f64>) -> Result<Place, Refused> {
        let whole = |number: f64, most: u32| {
            (number.fract() == 0.0 && (0.0..=f64::from(most)).contains(&number)).then_some(number as u32)
        };
        let place = match numbers[..] {
            [x, y] => {
                let both = whole(x, u16::MAX.into()).zip(whole(y, u16::MAX.into()));
                both.map(|(x, y)| Place::Cell([x as u16, y as u16]))
            }
            [polygon, x, y] => whole(polygon, u32::MAX).map(|polygon| Place::Point(polygon, x, y)),
            _ => None,
        };
        place.ok_or(Refused("a place is a column and a row, or on a mesh a polygon and a point: three numbers"))
    }
}
