//! Navigation meshes by where they come from: files of meshes, meshes built from level geometry, and cities.
//!
//! Not here: worlds of cells.

use super::{Atlas, OpenError};
use crate::command::{MeshAgent, WorldRef};
use crate::limits;
use crate::session::leash::Leash;
use portolan::{MeshParts, MeshPoint, NavMesh, Space};
use portolan_formats::{Geometry, gltf, navmesh, obj, polyanya};
use portolan_lab::{maps, mesh};
use portolan_mesh::{CityOptions, build, city};
use std::ops::ControlFlow;
use std::path::{Component, Path};

/// Pairs of points that are drawn at random to find two points far apart, and the seed for drawing them.
const DRAWN: (usize, u64) = (64, 1);
/// Bytes of memory for each byte of a file of a mesh while it is opened: read, checked and sent.
const OPENING: usize = 24;
/// Bytes for each polygon of a mesh while it is opened.
const POLYGON: usize = 1024;
/// Polygons of the mesh of a city, for each block.
const BLOCK: usize = 120;
/// Bytes that building a mesh from geometry may take besides the geometry and the mesh.
const BUILDING: usize = 192 << 20;

/// A mesh that was opened and is not part of a session yet.
pub(crate) struct OpenedMesh {
    pub(crate) name: String,
    pub(crate) reference: WorldRef,
    pub(crate) mesh: NavMesh,
    /// The start and the goal that the page shows first.
    pub(crate) ends: (MeshPoint, MeshPoint),
    /// The agents for which the mesh was built, if it was built from geometry.
    pub(crate) agent: Option<MeshAgent>,
}

/// Returns whether a file of this name holds a mesh or geometry.
pub(crate) fn is_mesh_file(path: &Path) -> bool {
    ["mesh", "navmesh"].iter().any(|ending| ends_in(path, ending)) || is_geometry_file(path)
}

/// Returns whether the bytes of a file are a mesh, or geometry by the file's name.
pub(crate) fn is_mesh(name: &str, bytes: &[u8]) -> bool {
    is_mesh_file(Path::new(name)) || navmesh::is_navmesh(bytes) || polyanya::is_polyanya(bytes) || gltf::is_glb(bytes)
}

fn is_geometry_file(path: &Path) -> bool {
    ["obj", "gltf", "glb"].iter().any(|ending| ends_in(path, ending))
}

fn ends_in(path: &Path, wanted: &str) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case(wanted))
}

/// Returns the bytes that opening a file of a mesh or of geometry may take.
pub(crate) fn opening(name: &str, bytes: usize) -> usize {
    OPENING * bytes + if is_geometry_file(Path::new(name)) { BUILDING } else { 0 }
}

impl Atlas {
    /// Returns the bytes that opening a mesh may take, or `None` if `reference` names a world of another kind.
    pub(crate) fn mesh_needs(&self, reference: &WorldRef) -> Option<usize> {
        match reference {
            WorldRef::City { columns, rows, .. } => {
                let blocks = (usize::from(*columns) * usize::from(*rows)).min(limits::BLOCKS);
                Some(BUILDING + BLOCK * POLYGON * blocks)
            }
            WorldRef::Map { name } if is_mesh_file(Path::new(name)) => {
                // A file that cannot be read is refused when it is opened.
                let path = self.folder().and_then(|folder| maps::file_in(folder, name, is_mesh_file).ok());
                let bytes = path.and_then(|path| path.metadata().ok()).map_or(0, |data| data.len());
                Some(opening(name, bytes.min(limits::MAP_FILE) as usize))
            }
            _ => None,
        }
    }

    /// Opens the mesh that `reference` names.
    pub(crate) fn open_mesh(
        &self,
        reference: WorldRef,
        agent: MeshAgent,
        leash: &Leash,
    ) -> Result<OpenedMesh, OpenError> {
        match &reference {
            WorldRef::City { columns, rows, seed } => {
                let options = CityOptions::new(*columns, *rows)?;
                if usize::from(*columns) * usize::from(*rows) > limits::BLOCKS {
                    return Err(OpenError::LargeCity { columns: *columns, rows: *rows });
                }
                let name = format!("city {columns} × {rows}");
                let parts = built(&name, &city(options, *seed), agent, leash)?;
                OpenedMesh::new(name, reference, &parts, Some(agent))
            }
            WorldRef::Map { name } => {
                let name = name.clone();
                let bytes = self.file(&name)?;
                let mut beside = |address: &str| self.beside(&name, address);
                let (parts, agent) = parts(&name, &bytes, agent, &mut beside, leash)?;
                OpenedMesh::new(name, reference, &parts, agent)
            }
            _ => Err(OpenError::File),
        }
    }

    /// Reads a file beside a map, as a `.gltf` names it.
    fn beside(&self, name: &str, address: &str) -> Result<Vec<u8>, String> {
        let is_plain = Path::new(address).components().all(|part| matches!(part, Component::Normal(_)));
        let folder = self.folder().filter(|_| is_plain && !address.contains(['\\', ':']));
        let folder = folder.ok_or_else(|| format!("'{address}', which is not a file in its folder or below it"))?;
        let name = Path::new(name).with_file_name(address);
        let path = maps::file_in(folder, &name.to_string_lossy(), |_| true).map_err(|error| error.to_string())?;
        let fault = |error: std::io::Error| format!("'{address}': {error}");
        if path.metadata().map_err(fault)?.len() > limits::MAP_FILE {
            return Err(format!("'{address}': {}", OpenError::LargeFile(limits::MAP_FILE)));
        }
        std::fs::read(path).map_err(fault)
    }

    /// Opens the mesh in a file that a page uploads, or builds one from the geometry in it.
    pub(crate) fn read_mesh(
        name: &str,
        bytes: &[u8],
        agent: MeshAgent,
        leash: &Leash,
    ) -> Result<OpenedMesh, OpenError> {
        if bytes.len() > limits::UPLOAD {
            return Err(OpenError::LargeFile(limits::UPLOAD as u64));
        }
        let mut beside = |address: &str| {
            Err(format!("'{address}', another file: take a .glb, which has all in one, or the folder of maps"))
        };
        let (parts, agent) = parts(name, bytes, agent, &mut beside, leash)?;
        let reference = WorldRef::File { name: name.to_owned() };
        OpenedMesh::new(name.to_owned(), reference, &parts, agent)
    }
}

/// Reads the parts of a mesh, or builds them from geometry; then the agents for which they were built are returned too.
fn parts(
    name: &str,
    bytes: &[u8],
    agent: MeshAgent,
    beside: &mut dyn FnMut(&str) -> Result<Vec<u8>, String>,
    leash: &Leash,
) -> Result<(MeshParts, Option<MeshAgent>), OpenError> {
    let path = Path::new(name);
    if navmesh::is_navmesh(bytes) {
        let fault =
            |error: navmesh::NavMeshFileError| OpenError::Mesh { name: name.to_owned(), why: error.to_string() };
        return Ok((navmesh::read(bytes).map_err(fault)?, None));
    }
    let geometry = if ends_in(path, "obj") {
        obj::read(bytes)
    } else if is_geometry_file(path) || gltf::is_glb(bytes) {
        gltf::read(bytes, beside)
    } else {
        return Ok((polyanya::read(bytes).map_err(|fault| fault.in_file(path))?, None));
    };
    let geometry = geometry.map_err(|fault| fault.in_file(path))?;
    Ok((built(name, &geometry, agent, leash)?, Some(agent)))
}

/// Builds a mesh from geometry, if that is not too large.
fn built(name: &str, geometry: &Geometry, agent: MeshAgent, leash: &Leash) -> Result<MeshParts, OpenError> {
    if let Some([least, greatest]) = geometry.bounds() {
        let cells = |axis: usize| f64::from(greatest[axis] - least[axis]) / f64::from(agent.cell);
        let columns = cells(0) * cells(2);
        if columns > limits::COLUMNS {
            return Err(OpenError::LargeLevel { name: name.to_owned(), columns });
        }
    }
    let options = agent.options();
    let mut go_on = |_| if leash.is_cut() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
    build(geometry, &options, &mut go_on)
        .map_err(|error| OpenError::Mesh { name: name.to_owned(), why: error.to_string() })
}

impl OpenedMesh {
    fn new(
        name: String,
        reference: WorldRef,
        parts: &MeshParts,
        agent: Option<MeshAgent>,
    ) -> Result<OpenedMesh, OpenError> {
        if parts.polygons() > limits::POLYGONS {
            return Err(OpenError::ManyPolygons { name, polygons: parts.polygons() });
        }
        let fault = |error: portolan::MeshError| OpenError::Mesh { name: name.clone(), why: error.to_string() };
        let mesh = NavMesh::new(parts).map_err(fault)?;
        let ends = far_apart(&mesh);
        Ok(OpenedMesh { name, reference, mesh, ends, agent })
    }
}

/// Returns two connected points that are far from each other, or twice the centre of one polygon if no two are connected.
fn far_apart(mesh: &NavMesh) -> (MeshPoint, MeshPoint) {
    let alone = (0..mesh.polygons() as u32).find(|&polygon| mesh.is_free(polygon)).unwrap_or(0);
    let (count, seed) = DRAWN;
    let trials = mesh::random(mesh, count, seed).unwrap_or_default();
    let distance = |a: MeshPoint, b: MeshPoint| {
        let ([ax, ay, _], [bx, by, _]) = (mesh.position(a), mesh.position(b));
        (ax - bx).powi(2) + (ay - by).powi(2)
    };
    let pairs = trials.iter().flat_map(|a| trials.iter().map(move |b| (a.from, b.to)));
    let connected = pairs.filter(|&(a, b)| mesh.component(a) == mesh.component(b));
    let farthest = connected.max_by(|&(a, b), &(c, d)| distance(a, b).total_cmp(&distance(c, d)));
    farthest.unwrap_or_else(|| (mesh.centre(alone), mesh.centre(alone)))
}
