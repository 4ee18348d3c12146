//! The arguments and options of `portolan mesh`.

use super::{DrawingArgs, Place, Setting, values};
use clap::{Args, Subcommand, ValueHint};
use portolan_formats::MeshFormat;
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum MeshCommand {
    /// Build a navigation mesh from the geometry of a level
    Build(MeshBuildArgs),
    /// Describe meshes
    Info(MeshInfoArgs),
    /// Draw a mesh from above or at an angle
    Draw(MeshDrawArgs),
    /// Turn a map into a mesh, or write a mesh in another format
    Convert(MeshConvertArgs),
    /// Add a link to a mesh: a ladder, a jump, a teleport
    Link(MeshLinkArgs),
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  portolan mesh build level.obj -o level.mesh
  portolan mesh build city.glb -o city.mesh --radius 0.4 --climb 0.5 --slope 40
  portolan mesh build continent.obj -o continent.mesh --tile 256

The level is cut into cells, and ground on which an agent of this size can stand becomes polygons (Recast). Lengths are in \
the units of the level, in which y is up; in a mesh z is up and x and y are the plan. A level that is too large for one piece is built \
in tiles of 256 cells, which are then joined.

JSON: {\"file\",\"polygons\",\"vertices\",\"portals\",\"links\",\"components\",\"build_ms\"}.")]
pub(crate) struct MeshBuildArgs {
    /// The geometry: .obj, .gltf or .glb
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) level: PathBuf,
    /// The mesh to write [default: the level's name with .mesh]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// How far agents keep from walls and drops
    #[arg(long, value_name = "LENGTH", default_value_t = 0.6)]
    pub(crate) radius: f32,
    /// How high agents are
    #[arg(long, value_name = "LENGTH", default_value_t = 2.0)]
    pub(crate) height: f32,
    /// The highest step they take
    #[arg(long, value_name = "LENGTH", default_value_t = 0.9)]
    pub(crate) climb: f32,
    /// The steepest ground they walk on, in degrees
    #[arg(long, value_name = "DEGREES", default_value_t = 45.0)]
    pub(crate) slope: f32,
    /// The side of a cell; a half or a third of the radius is usual
    #[arg(long, value_name = "LENGTH", default_value_t = 0.3)]
    pub(crate) cell_size: f32,
    /// The height of a cell
    #[arg(long, value_name = "LENGTH", default_value_t = 0.2)]
    pub(crate) cell_height: f32,
    /// The side of a tile in cells, 16 to 1024 [default: no tiles where the level is small enough]
    #[arg(long, value_name = "CELLS")]
    pub(crate) tile: Option<u16>,
    /// Print what was built as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
#[command(after_help = "Example:\n  portolan mesh info level.mesh maps/mesh/*.mesh")]
pub(crate) struct MeshInfoArgs {
    /// Mesh files
    #[arg(value_name = "MESH", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) meshes: Vec<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  portolan mesh draw level.mesh level.svg
  portolan mesh draw city.mesh city.png --isometric --with hna-star --level 2
  portolan find city.mesh --from 10,10 --to 300,200 --picture route.svg      with a route")]
pub(crate) struct MeshDrawArgs {
    /// A mesh file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) mesh: PathBuf,
    /// The picture to write: .png or .svg
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// Look from above and one side, so that heights are seen
    #[arg(long)]
    pub(crate) isometric: bool,
    /// Colour the nodes that this algorithm divides the mesh into
    #[arg(long, value_name = "NAME")]
    pub(crate) with: Option<String>,
    /// A setting of the algorithm
    #[arg(long, value_name = "KEY=VALUE", requires = "with")]
    pub(crate) set: Vec<Setting>,
    /// Which level of nodes, 1 for the lowest [default: the highest]
    #[arg(long, value_name = "N", requires = "with", value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) level: Option<u8>,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  portolan mesh convert town.map town.mesh                    free cells become rectangles
  portolan mesh convert caves.hex caves.mesh
  portolan mesh convert level.mesh level2.mesh --format polyanya-2

Our own format holds everything. Polyanya's has no heights, no links, and no weights but free and blocked. Files of both are known by \
their first bytes, so that any name will do.")]
pub(crate) struct MeshConvertArgs {
    /// A map of squares or hexes, the name of a built-in world, or a mesh file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) map: String,
    /// The mesh to write
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// The format to write
    #[arg(long, value_parser = values::mesh_format(), default_value = "portolan")]
    pub(crate) format: MeshFormat,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  portolan mesh link city.mesh --from 12,30 --to 14.5,31,8 --cost 6              a ladder up to a roof
  portolan mesh link city.mesh --from 14,31,8 --to 9,31 --cost 2.5 --one-way     a jump down
  portolan mesh link city.mesh --from 1,1 --to 90,80 --cost 0 -o portal.mesh     a teleport

The cost is that of as long a way over plain ground. Without a height, an end lies on the highest polygon there. Our own format \
is written, whichever was read.

JSON: as of mesh info.")]
pub(crate) struct MeshLinkArgs {
    /// A mesh file
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) mesh: PathBuf,
    /// Where the link begins: X,Y or X,Y,HEIGHT
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    pub(crate) from: Place,
    /// Where the link ends
    #[arg(long, value_name = "PLACE", allow_hyphen_values = true)]
    pub(crate) to: Place,
    /// What the link costs, as a length over plain ground
    #[arg(long, value_name = "LENGTH")]
    pub(crate) cost: f64,
    /// The link does not lead back
    #[arg(long)]
    pub(crate) one_way: bool,
    /// The mesh to write [default: the mesh that was read]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
}
