//! Reading and writing the files in which a Portolan world, scenario, test case, picture, level geometry, mesh or chart is
//! kept, and reading maps of Tiled and `LDtk`.
//!
//! There is one module for each format, with functions that read from bytes and write to bytes or text. The functions
//! re-exported here read and write files. Reading never panics: a [`ReadError`] says where the fault is and what was
//! expected.
//!
//! ```
//! use portolan::{Cell, Rules};
//!
//! let grid = portolan_formats::map::read(b"type octile\nheight 1\nwidth 3\nmap\n.@.\n", Rules::default())?;
//! assert!(grid.is_free(Cell::new(0, 0)) && !grid.is_free(Cell::new(1, 0)));
//!
//! let fault = portolan_formats::map::read(b"type octile\nheight 1\nwidth 3\nmap\n.x.\n", Rules::default());
//! assert_eq!(fault.err().unwrap().to_string(), "5:2: expected one of . G S @ O T W, found 'x'");
//! # Ok::<(), portolan_formats::ReadError>(())
//! ```
//!
//! What belongs here: formats, reading and writing files in them, and the one way in which a file is written,
//! [`replace_file_with`]. What does not: searches, and drawing pictures.
#![forbid(unsafe_code)]

pub mod ascii;
pub mod case;
pub mod chart_file;
pub mod dynamic;
mod error;
mod files;
mod geometry;
pub mod gltf;
pub mod hex;
pub mod ldtk;
mod legend;
mod level;
pub mod map;
mod mesh_files;
pub mod mesh_scen;
mod mesh_structure;
mod named;
pub mod navmesh;
pub mod obj;
mod painted;
mod passages;
pub mod png_image;
pub mod polyanya;
mod replace;
pub mod scen;
pub mod sheet;
mod text;
pub mod tiled;

pub use ascii::Strictness;
pub use case::{Case, CaseWorld, Words};
pub use chart_file::{ChartError, ChartFile, read_chart, write_chart};
pub use error::{FileError, ReadError, WriteError};
pub use files::{
    Kind, read_case, read_dynamic, read_kind_names, read_named, read_named_bytes, read_painted, read_scenario,
    read_squares, read_squares_bytes, read_squares_with, read_world, read_world_bytes, world_size, write_named,
    write_named_bytes, write_world, write_world_bytes,
};
pub use geometry::Geometry;
pub use level::{Level, Pair};
pub use mesh_files::{MeshFormat, is_mesh, read_geometry, read_mesh, read_mesh_scenario, write_geometry, write_mesh};
pub use named::NamedWorld;
pub use painted::{Load, NamedPlace, PaintedLink, PaintedWorld, PlaceRole};
pub use replace::{exit_without_temporaries, replace_file, replace_file_with};
