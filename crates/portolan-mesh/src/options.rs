//! For which agents a mesh is made, and how finely.
//!
//! Not here: the build itself.

use crate::error::BuildError;

/// For which agents a mesh is made, and how finely. Lengths are in the units of the geometry.
///
/// The level is cut into small boxes first, as wide and deep as a cell and as high as a cell's height, and every length
/// is then rounded to these.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct BuildOptions {
    /// The radius of agents: the mesh keeps this distance from walls and drops. 0 or more, at most 255 cells.
    pub radius: f32,
    /// The height of agents: where the ceiling is lower, they cannot stand. More than 0, from 3 to 255 cell heights.
    pub height: f32,
    /// The highest step that agents take up or down. 0 or more, less than `height`.
    pub climb: f32,
    /// The steepest ground that agents walk on, in degrees. 0 or more, less than 90.
    pub slope: f32,
    /// The side of a cell. More than 0; a half or a third of the radius is usual.
    pub cell_size: f32,
    /// The height of a cell. More than 0; a half of the side is usual.
    pub cell_height: f32,
    /// The side of a tile, from 16 to 1,024 cells. `None` means no tiles where the level is small enough for that, and
    /// tiles of 256 cells where it is not.
    pub tile_size: Option<u16>,
    /// Ground that is not connected to any other is left out if it has fewer cells than a square of this side. At most 255.
    pub min_region: u16,
    /// Regions with fewer cells than a square of this side are merged with others where possible. At most 255.
    pub merge_region: u16,
    /// The longest edge along a wall; 0 for any length. At most 65,535 cells.
    pub max_edge: f32,
    /// How far edges may lie from the true outline of the ground, in cells. From 0 to 1,000, usually 1.1 to 1.5. Pieces of
    /// ground that are narrower than this may be left out.
    pub max_error: f32,
    /// The most corners of a polygon, from 3 to 64. Where tiles meet, polygons may have more.
    pub max_corners: u16,
    /// How many threads build tiles; 0 for as many as there are cores. The mesh does not depend on it.
    pub threads: usize,
}

impl Default for BuildOptions {
    /// An agent of human size in metres.
    fn default() -> BuildOptions {
        BuildOptions {
            radius: 0.6,
            height: 2.,
            climb: 0.9,
            slope: 45.,
            cell_size: 0.3,
            cell_height: 0.2,
            tile_size: None,
            min_region: 8,
            merge_region: 20,
            max_edge: 12.,
            max_error: 1.3,
            max_corners: 6,
            threads: 0,
        }
    }
}

/// The options in cells and cell heights.
pub(crate) struct Units {
    pub(crate) radius: u16,
    pub(crate) height: u16,
    pub(crate) climb: u16,
    pub(crate) max_edge: u16,
    pub(crate) min_region_area: u16,
    pub(crate) merge_region_area: u16,
    /// The cosine of the steepest slope.
    pub(crate) cosine: f64,
}

impl BuildOptions {
    /// Checks every option and returns them in cells.
    pub(crate) fn check(&self) -> Result<Units, BuildError> {
        check("cell_size", self.cell_size, |size| size > 0., "a length greater than 0")?;
        check("cell_height", self.cell_height, |height| height > 0., "a length greater than 0")?;
        let [side, high] = [self.cell_size, self.cell_height].map(f64::from);
        let radius = (f64::from(self.radius) / side).ceil();
        check("radius", self.radius, |value| value >= 0. && radius <= 255., "a length from 0 to 255 cells")?;
        let height = (f64::from(self.height) / high).ceil();
        let tall = (3. ..=255.).contains(&height);
        check("height", self.height, |value| value > 0. && tall, "a length from 3 to 255 cell heights")?;
        check("climb", self.climb, |climb| climb >= 0. && climb < self.height, "a length from 0 to less than height")?;
        check("slope", self.slope, |slope| (0. ..90.).contains(&slope), "degrees from 0 to less than 90")?;
        let max_edge = (f64::from(self.max_edge) / side).ceil();
        let fits = max_edge <= f64::from(u16::MAX);
        check("max_edge", self.max_edge, |value| value >= 0. && fits, "a length from 0 to 65,535 cells")?;
        check("max_error", self.max_error, |error| (0. ..=1000.).contains(&error), "cells from 0 to 1,000")?;
        let count = |name, value: u16, range: std::ops::RangeInclusive<u16>, expected| {
            check(name, f32::from(value), |_| range.contains(&value), expected)
        };
        count("min_region", self.min_region, 0..=255, "cells from 0 to 255")?;
        count("merge_region", self.merge_region, 0..=255, "cells from 0 to 255")?;
        count("max_corners", self.max_corners, 3..=64, "corners from 3 to 64")?;
        self.tile_size.map_or(Ok(()), |size| count("tile_size", size, 16..=1024, "cells from 16 to 1,024"))?;
        Ok(Units {
            radius: radius as u16,
            height: height as u16,
            climb: (f64::from(self.climb) / high).floor() as u16,
            max_edge: max_edge as u16,
            min_region_area: self.min_region * self.min_region,
            merge_region_area: self.merge_region * self.merge_region,
            cosine: cosine(f64::from(self.slope)),
        })
    }
}

fn check(name: &'static str, value: f32, fits: impl Fn(f32) -> bool, expected: &'static str) -> Result<(), BuildError> {
    if fits(value) { Ok(()) } else { Err(BuildError::Option { name, value: f64::from(value), expected }) }
}

/// Returns the cosine of an angle from 0 to 90 degrees. It is the sum of a series, because that of the standard library
/// may differ in the last bit from machine to machine.
fn cosine(degrees: f64) -> f64 {
    let radians = degrees * (std::f64::consts::PI / 180.);
    let square = radians * radians;
    let (mut term, mut sum) = (1., 1.);
    for step in 1..=12 {
        term *= -square / f64::from((2 * step - 1) * (2 * step));
        sum += term;
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_gives_cosines() {
        for degrees in 0..=90 {
            let degrees = f64::from(degrees);
            assert!((cosine(degrees) - degrees.to_radians().cos()).abs() < 1e-12, "{degrees}");
        }
    }

    #[test]
    fn options_out_of_range_are_refused_by_name() {
        type Change = fn(&mut BuildOptions);
        let changes: [(&str, Change); 14] = [
            ("cell_size", |options| options.cell_size = 0.),
            ("cell_size", |options| options.cell_size = f32::NAN),
            ("cell_height", |options| options.cell_height = -1.),
            ("radius", |options| options.radius = f32::INFINITY),
            ("radius", |options| options.radius = f32::NAN),
            ("height", |options| options.height = 0.1),
            ("height", |options| options.height = 60.),
            ("climb", |options| options.climb = 2.),
            ("slope", |options| options.slope = 90.),
            ("max_edge", |options| options.max_edge = 1e9),
            ("max_error", |options| options.max_error = -1.),
            ("min_region", |options| options.min_region = 256),
            ("max_corners", |options| options.max_corners = 2),
            ("tile_size", |options| options.tile_size = Some(8)),
        ];
        for (option, change) in changes {
            let mut options = BuildOptions::default();
            change(&mut options);
            let refused = options.check().err();
            assert!(
                matches!(&refused, Some(BuildError::Option { name, .. }) if *name == option),
                "{option}: {refused:?}"
            );
        }
        assert!(BuildOptions::default().check().is_ok());
    }
}
