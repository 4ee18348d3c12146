//! Navigation meshes from level geometry and from grids, and level geometry from a seed.
//!
//! [`build()`] makes a mesh for one kind of agent: where it can stand, cut into convex polygons. [`city()`] makes
//! geometry to build meshes from. [`from_squares`] and [`from_hexes`] turn grids into meshes.
//!
//! What belongs here: everything that ends in the parts of a mesh or in geometry, except reading it from files. What does
//! not: searches on meshes, and formats.
#![forbid(unsafe_code)]

mod build;
mod city;
mod error;
mod hexes;
mod islands;
mod options;
mod raster;
mod regions;
mod squares;
mod stitch;
mod tile;

pub use build::{Progress, build};
pub use city::{CityError, CityOptions, city};
pub use error::BuildError;
pub use hexes::from_hexes;
pub use options::BuildOptions;
pub use squares::from_squares;
