//! The kinds of worlds on which minds walk for a page, and how messages name places there.
//!
//! Not here: hexagons, which are laid in `portolan-sim`.

use super::MindError;
use crate::command::Place;
use crate::frame::Numbers;
use crate::session::mesh::point;
use portolan::{Cell, HexCell, HexGrid, NavMesh, SquareGrid};
use portolan_sim::mind::Tiled;

/// About how many hexagons there are to a polygon.
const PER_POLYGON: usize = 8;

/// A kind of world on which minds walk.
pub(crate) trait MindGround: Tiled {
    /// Returns about how many hexagons the world has.
    fn about_hexagons(&self) -> usize;

    /// Returns the place that a message names.
    fn named(&self, place: Place, origin: [f64; 3]) -> Result<Self::Place, MindError>;

    /// Returns places as messages list them, as in routes.
    fn listed(&self, places: &mut dyn Iterator<Item = Self::Place>, origin: [f64; 3]) -> Numbers;
}

fn cells(places: &mut dyn Iterator<Item = Cell>) -> Numbers {
    Numbers::U16(places.flat_map(|at| [at.x, at.y]).collect())
}

impl MindGround for SquareGrid {
    fn about_hexagons(&self) -> usize {
        self.width() * self.height()
    }

    fn named(&self, place: Place, _: [f64; 3]) -> Result<Cell, MindError> {
        Ok(place.cell()?)
    }

    fn listed(&self, places: &mut dyn Iterator<Item = Cell>, _: [f64; 3]) -> Numbers {
        cells(places)
    }
}

impl MindGround for HexGrid {
    fn about_hexagons(&self) -> usize {
        self.width() * self.height()
    }

    fn named(&self, place: Place, _: [f64; 3]) -> Result<HexCell, MindError> {
        let Cell { x, y } = place.cell()?;
        Ok(HexCell::at(x, y))
    }

    fn listed(&self, places: &mut dyn Iterator<Item = HexCell>, _: [f64; 3]) -> Numbers {
        cells(&mut places.map(|at| at.cell().expect("hexagons have columns and rows")))
    }
}

impl MindGround for NavMesh {
    fn about_hexagons(&self) -> usize {
        PER_POLYGON * self.polygons()
    }

    fn named(&self, place: Place, origin: [f64; 3]) -> Result<Self::Place, MindError> {
        Ok(point(place, self, origin)?)
    }

    fn listed(&self, places: &mut dyn Iterator<Item = Self::Place>, origin: [f64; 3]) -> Numbers {
        let from_origin = |at: [f64; 3]| [0, 1, 2].map(|axis| (at[axis] - origin[axis]) as f32);
        Numbers::F32(places.flat_map(|at| from_origin(self.coordinates(at))).collect())
    }
}
