//! What a chart's file keeps of its world: what identifies it, and the bytes that hold it if it is in the file.
//!
//! Not here: the rest of the file.

use super::bytes::Bytes;
use super::error::{self, ChartError, Difference};
use super::write::hash;
use crate::navmesh;
use crate::passages::{self, Passages, SQUARE_SIDES};
use crate::text::Lines;
use portolan::any::AnySnapshot;
use portolan::{Corners, Directions, Extras, Metric, NavMesh, Rules, Space, SquareGrid};
use std::fmt;
use std::io::{self, Write};

/// A kind of world whose charts can be kept in files: [`SquareGrid`] and [`NavMesh`].
pub trait ChartSpace: Space + Kept {}

impl ChartSpace for SquareGrid {}
impl ChartSpace for NavMesh {}

/// How a world of one kind is kept. Other crates cannot name it, so that the kinds are those of this file.
pub trait Kept: Sized {
    /// Returns the bytes that hold the world.
    fn contents(&self) -> WorldBytes<'_>;

    /// Returns the reference to the world, whose bytes have this hash.
    fn reference(&self, hash: u64) -> WorldReference;

    /// Makes the world of bytes that have the hash of the reference, which is of this kind.
    fn of_contents(bytes: &[u8], reference: WorldReference) -> Result<Self, ChartError>;
}

/// The bytes that hold a world.
pub enum WorldBytes<'a> {
    /// A grid, whose weights are written row by row, and the bytes of what it has besides.
    Grid(&'a SquareGrid, Vec<u8>),
    /// The file of a mesh.
    Mesh(Vec<u8>),
}

impl WorldBytes<'_> {
    pub(super) fn len(&self) -> usize {
        match self {
            WorldBytes::Grid(grid, besides) => grid.width() * grid.height() + besides.len(),
            WorldBytes::Mesh(file) => file.len(),
        }
    }

    pub(super) fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        let (grid, besides) = match self {
            WorldBytes::Grid(grid, besides) => (grid, besides),
            WorldBytes::Mesh(file) => return out.write_all(file),
        };
        let mut weights = vec![0; grid.width()];
        for row in 0..grid.height() {
            grid.copy_row(row, &mut weights);
            out.write_all(&weights)?;
        }
        out.write_all(besides)
    }
}

/// Returns the bytes that follow the weights of a grid: none if it has neither kinds nor borders nor links, else a byte that says
/// whether a kind follows for each cell, these kinds, and the lines for borders and links.
fn besides(grid: &SquareGrid) -> Vec<u8> {
    let has_kinds = grid.has_kinds() && grid.to_kinds().iter().any(|&kind| kind != 0);
    let has_passages = grid.extras() != Extras::Nothing;
    if !has_kinds && !has_passages {
        return Vec::new();
    }
    let kinds = if has_kinds { grid.to_kinds() } else { Vec::new() };
    let lines = if has_passages { passages::write(&AnySnapshot::from(grid.clone()), None) } else { String::new() };
    [&[u8::from(has_kinds)], &kinds[..], lines.as_bytes()].concat()
}

/// Gives a grid what [`besides`] has returned.
fn with_besides(mut grid: SquareGrid, bytes: &[u8]) -> Result<SquareGrid, ChartError> {
    let lines = match bytes {
        [] => return Ok(grid),
        [0, lines @ ..] => lines,
        [1, rest @ ..] if rest.len() >= grid.width() * grid.height() => {
            let (kinds, lines) = rest.split_at(grid.width() * grid.height());
            grid = grid.with_kinds(kinds)?;
            lines
        }
        _ => return Err(ChartError::malformed("a kind for each cell, or none", format!("{} bytes", bytes.len()))),
    };
    let mut passages = Passages::default();
    let wrong = |fault| ChartError::malformed("borders and links of its world", format!("{fault} among them"));
    for line in Lines::new(lines) {
        passages.learn(line, &SQUARE_SIDES).map_err(wrong)?;
    }
    let (world, _) = passages.lay_on(AnySnapshot::from(grid)).map_err(wrong)?;
    Ok(world.square().map(|grid| SquareGrid::clone(grid)).expect("squares stay squares"))
}

impl Kept for SquareGrid {
    fn contents(&self) -> WorldBytes<'_> {
        WorldBytes::Grid(self, besides(self))
    }

    fn reference(&self, terrain: u64) -> WorldReference {
        let rules = Rules { metric: Some(self.metric()), ..self.rules() };
        WorldReference::Square(GridReference { width: self.width(), height: self.height(), rules, terrain })
    }

    fn of_contents(bytes: &[u8], reference: WorldReference) -> Result<SquareGrid, ChartError> {
        match reference {
            WorldReference::Square(GridReference { width, height, rules, .. }) => {
                let (weights, besides) = bytes.split_at(bytes.len().min(width.saturating_mul(height)));
                with_besides(SquareGrid::from_weights(width, height, weights, rules)?, besides)
            }
            WorldReference::Mesh(_) => Err(other_kind(reference, SquareGrid::KIND)),
        }
    }
}

impl Kept for NavMesh {
    fn contents(&self) -> WorldBytes<'_> {
        WorldBytes::Mesh(navmesh::write(&self.to_parts()))
    }

    fn reference(&self, parts: u64) -> WorldReference {
        let (polygons, vertices, links) = (self.polygons(), self.vertices(), self.links().len());
        WorldReference::Mesh(MeshReference { polygons, vertices, links, parts })
    }

    fn of_contents(bytes: &[u8], reference: WorldReference) -> Result<NavMesh, ChartError> {
        if reference.kind() != NavMesh::KIND {
            return Err(other_kind(reference, NavMesh::KIND));
        }
        let mesh = NavMesh::new(&navmesh::read(bytes)?)?;
        // The bytes have the right hash, but the header may state other numbers.
        let found = mesh.reference(reference.hash());
        reference.difference(found).map_or(Ok(mesh), |difference| Err(ChartError::OtherWorld(difference)))
    }
}

fn other_kind(chart: WorldReference, world: &'static str) -> ChartError {
    ChartError::OtherWorld(Difference::Kind { chart: chart.kind(), world })
}

/// What identifies the world of a chart.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum WorldReference {
    /// A grid of squares.
    Square(GridReference),
    /// A mesh.
    Mesh(MeshReference),
}

/// What identifies a grid of squares.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct GridReference {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// How agents step, with the metric that the world uses.
    pub rules: Rules,
    /// XXH3 of the terrain, borders and links, as they are written.
    pub terrain: u64,
}

/// What identifies a mesh.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct MeshReference {
    /// Polygons.
    pub polygons: usize,
    /// Vertices.
    pub vertices: usize,
    /// Links.
    pub links: usize,
    /// XXH3 of the file that [`navmesh::write`] makes of the parts of the mesh, rounded to steps.
    pub parts: u64,
}

impl WorldReference {
    /// Returns the reference to a world.
    pub fn of<S: ChartSpace>(world: &S) -> WorldReference {
        world.reference(hash(&world.contents()))
    }

    /// Returns the kind of the world, as [`Space::KIND`] names it.
    pub fn kind(&self) -> &'static str {
        match self {
            WorldReference::Square(_) => SquareGrid::KIND,
            WorldReference::Mesh(_) => NavMesh::KIND,
        }
    }

    /// Returns the hash of the world.
    pub fn hash(&self) -> u64 {
        match self {
            WorldReference::Square(grid) => grid.terrain,
            WorldReference::Mesh(mesh) => mesh.parts,
        }
    }

    /// Returns the name of the section that holds the world if it is in the file.
    pub(super) fn section(&self) -> &'static str {
        match self {
            WorldReference::Square(_) => "terrain",
            WorldReference::Mesh(_) => "mesh",
        }
    }

    /// Returns this reference with another hash.
    pub(super) fn with_hash(self, hash: u64) -> WorldReference {
        match self {
            WorldReference::Square(grid) => WorldReference::Square(GridReference { terrain: hash, ..grid }),
            WorldReference::Mesh(mesh) => WorldReference::Mesh(mesh.with_hash(hash)),
        }
    }

    /// Returns how another world differs from this one, or `None` if it does not.
    pub(super) fn difference(self, other: WorldReference) -> Option<Difference> {
        match (self, other) {
            (WorldReference::Square(chart), WorldReference::Square(world)) => chart.difference(world),
            (WorldReference::Mesh(chart), WorldReference::Mesh(world)) => {
                (chart != world).then_some(Difference::Mesh { chart, world })
            }
            (chart, world) => Some(Difference::Kind { chart: chart.kind(), world: world.kind() }),
        }
    }

    /// Reads the reference to a world of this kind.
    pub(super) fn read(kind: &str, head: &mut Bytes) -> Result<WorldReference, ChartError> {
        if kind == NavMesh::KIND {
            let mut count = || head.u32().map(|count| count as usize);
            let (polygons, vertices, links) = (count()?, count()?, count()?);
            return Ok(WorldReference::Mesh(MeshReference { polygons, vertices, links, parts: head.u64()? }));
        }
        let (width, height) = (head.u32()? as usize, head.u32()? as usize);
        let directions = match head.u8()? {
            4 => Directions::Four,
            8 => Directions::Eight,
            other => return Err(ChartError::malformed("4 or 8 directions", other.to_string())),
        };
        let number = head.u8()?;
        let corners = Corners::NAMED.get(usize::from(number)).map(|(_, corners)| *corners);
        let corners = corners.ok_or_else(|| ChartError::malformed("a corner rule from 0 to 2", number.to_string()))?;
        let metric = Metric::new(head.u32()?, head.u32()?);
        let metric = metric.map_err(|error| ChartError::malformed("a metric", error.to_string()))?;
        let rules = Rules { directions, corners, metric: Some(metric) };
        Ok(WorldReference::Square(GridReference { width, height, rules, terrain: head.u64()? }))
    }

    /// Appends what [`WorldReference::read`] reads.
    pub(super) fn write(&self, bytes: &mut Vec<u8>) {
        match *self {
            WorldReference::Square(GridReference { width, height, rules, .. }) => {
                let corners = Corners::NAMED.iter().position(|(_, corners)| *corners == rules.corners);
                let metric = rules.metric.expect("the reference to a grid has its metric");
                bytes.extend([width, height].into_iter().flat_map(|count| (count as u32).to_le_bytes()));
                bytes.push(if rules.directions == Directions::Four { 4 } else { 8 });
                bytes.push(corners.unwrap_or(0) as u8);
                bytes.extend([metric.straight(), metric.diagonal()].into_iter().flat_map(u32::to_le_bytes));
            }
            WorldReference::Mesh(MeshReference { polygons, vertices, links, .. }) => {
                bytes.extend([polygons, vertices, links].into_iter().flat_map(|count| (count as u32).to_le_bytes()));
            }
        }
        bytes.extend(self.hash().to_le_bytes());
    }
}

impl GridReference {
    fn difference(self, other: GridReference) -> Option<Difference> {
        if (self.width, self.height) != (other.width, other.height) {
            let [chart, world] = [self, other].map(|world| (world.width, world.height));
            return Some(Difference::Size { chart, world });
        }
        if self.rules != other.rules {
            return Some(Difference::Rules { chart: self.rules, world: other.rules });
        }
        (self.terrain != other.terrain).then_some(Difference::Terrain { chart: self.terrain, world: other.terrain })
    }
}

impl MeshReference {
    pub(super) fn with_hash(self, parts: u64) -> MeshReference {
        MeshReference { parts, ..self }
    }
}

impl fmt::Display for WorldReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WorldReference::Square(grid) => {
                write!(f, "{} x {}, {}", grid.width, grid.height, error::words(&grid.rules))
            }
            WorldReference::Mesh(mesh) => mesh.fmt(f),
        }
    }
}

impl fmt::Display for MeshReference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let s = |count: usize| if count == 1 { "" } else { "s" };
        let MeshReference { polygons, vertices, links, .. } = *self;
        let vertex = if vertices == 1 { "vertex" } else { "vertices" };
        write!(f, "{polygons} polygon{}, {vertices} {vertex} and {links} link{}", s(polygons), s(links))
    }
}
