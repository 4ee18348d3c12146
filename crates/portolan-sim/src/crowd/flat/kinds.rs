//! The kinds of ground that can be laid out in flat arrays ([`FlatKind`]).
//!
//! Not here: the arrays (`squares.rs`, `polygons.rs`).

use super::ground::{FlatGround, FlatPlace};
use super::muster::FlatError;
use super::polygons::FlatPolygons;
use super::rules::Rules;
use super::squares::FlatSquares;
use crate::crowd::{Ground, HexGround, MeshGround, SquareGround};
use portolan::Space;

/// A ground that can be laid out in flat arrays of whole numbers.
pub trait FlatKind: Ground {
    /// Returns the ground in flat arrays.
    ///
    /// # Errors
    /// When the world has what flat arrays cannot hold.
    fn flat(&self) -> Result<FlatGround, FlatError>;

    /// Returns a place in steps.
    fn flat_place(&self, place: <Self::Space as Space>::Place) -> FlatPlace;

    /// Returns the rules for agents of this radius and speed, in cells, or in the units of a mesh.
    ///
    /// # Errors
    /// When radius or speed is out of range.
    fn rules(&self, radius: f32, speed: f32) -> Result<Rules, FlatError>;

    /// Returns the coordinates of a place in steps, as in [`Space::position`].
    fn position(&self, place: FlatPlace) -> [f32; 3];
}

/// The greatest speed on grids, in cells a second.
const MOST_SPEED: f32 = 12.0;

impl FlatKind for SquareGround {
    fn flat(&self) -> Result<FlatGround, FlatError> {
        Ok(FlatGround::Squares(FlatSquares::new(self.world())))
    }

    fn flat_place(&self, place: portolan::Cell) -> FlatPlace {
        FlatPlace { at: FlatSquares::middle(place), polygon: 0 }
    }

    fn rules(&self, radius: f32, speed: f32) -> Result<Rules, FlatError> {
        on_grid(radius, speed)?;
        Rules::new(radius, speed, f64::from(FlatSquares::CELL), true)
    }

    fn position(&self, place: FlatPlace) -> [f32; 3] {
        let [x, y] = place.at.map(|at| (f64::from(at) / f64::from(FlatSquares::CELL) - 0.5) as f32);
        [x, y, 0.0]
    }
}

/// The distance between two rows of hexes in cells: half the square root of 3.
const ROW: f64 = 0.866_025_403_784_438_6;

/// On hexes, an agent's middle keeps off walls, not its body.
impl FlatKind for HexGround {
    fn flat(&self) -> Result<FlatGround, FlatError> {
        Ok(FlatGround::Polygons(FlatPolygons::of_hexes(self.world())))
    }

    fn flat_place(&self, place: portolan::HexCell) -> FlatPlace {
        let world = self.world();
        FlatPlace { at: FlatPolygons::hex_middle(world, place), polygon: FlatPolygons::hex_number(world, place) }
    }

    fn rules(&self, radius: f32, speed: f32) -> Result<Rules, FlatError> {
        on_grid(radius, speed)?;
        let [half, _] = FlatPolygons::hex_size(self.world());
        Rules::new(radius, speed, f64::from(2 * half), false)
    }

    fn position(&self, place: FlatPlace) -> [f32; 3] {
        let [half, third] = FlatPolygons::hex_size(self.world());
        let [x, y] = [place.at[0] - half, place.at[1] - 2 * third].map(f64::from);
        [(x / f64::from(2 * half)) as f32, (y / f64::from(3 * third) * ROW) as f32, 0.0]
    }
}

/// Checks radius and speed on a grid.
fn on_grid(radius: f32, speed: f32) -> Result<(), FlatError> {
    if radius >= 0.5 {
        return Err(FlatError::Radius(radius));
    }
    if speed > MOST_SPEED {
        return Err(FlatError::Speed(speed));
    }
    Ok(())
}

impl FlatKind for MeshGround {
    fn flat(&self) -> Result<FlatGround, FlatError> {
        let world = self.world();
        if world.links().len() > 0 {
            return Err(FlatError::Links);
        }
        Ok(FlatGround::Polygons(FlatPolygons::of_mesh(world)))
    }

    fn flat_place(&self, place: portolan::MeshPoint) -> FlatPlace {
        FlatPlace { at: [place.x, place.y], polygon: place.polygon }
    }

    fn rules(&self, radius: f32, speed: f32) -> Result<Rules, FlatError> {
        Rules::new(radius, speed, 1.0 / self.world().step(), false)
    }

    fn position(&self, place: FlatPlace) -> [f32; 3] {
        let [x, y] = place.at;
        self.world().position(portolan::MeshPoint { polygon: place.polygon, x, y })
    }
}
