//! From geometry to the parts of a mesh: checks, tiles in threads, stitching.
//!
//! Not here: what is done in a tile, and how tiles are joined.

use crate::error::BuildError;
use crate::islands::without_islands;
use crate::options::BuildOptions;
use crate::stitch::stitch;
use crate::tile::{self, CellMesh, Level, Tile};
use portolan::MeshParts;
use portolan_formats::Geometry;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// A level with at most this many cells is built in one piece if the options leave it open.
const WHOLE: f64 = (1 << 20) as f64;
/// The longest side of a level that is built in one piece, in cells.
const WHOLE_SIDE: f64 = 4096.;
/// The side of tiles if the options leave it open.
const TILE_SIZE: u16 = 256;
/// The most tiles along one side of a level.
const MOST_TILES: u32 = 1024;
/// The greatest height of a level, in cell heights.
const MOST_HEIGHT: u32 = 32_000;

/// How far a build is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Progress {
    /// How many tiles are done.
    pub done: usize,
    /// How many tiles there are.
    pub tiles: usize,
}

/// Builds a navigation mesh from the triangles of a level. `progress` is called whenever a tile is done and stops the
/// build if it returns [`ControlFlow::Break`].
///
/// The geometry has y up, and a mesh has its plan in x and y and z up: x stays, z becomes y and y becomes z. Every polygon
/// gets weight 1. The result depends on the geometry and the options alone, not on the number of threads.
///
/// A small level is built in one piece, a large one in tiles; see [`BuildOptions::tile_size`].
///
/// # Errors
/// When an option is out of range, the geometry is empty or unsound, the level is too large for its cells, there is no
/// ground to stand on, Recast refuses a tile, or `progress` stops the build.
pub fn build(
    geometry: &Geometry,
    options: &BuildOptions,
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<MeshParts, BuildError> {
    let level = level(geometry, options)?;
    let tiles = tiles(&level)?;
    let mesh = match build_tiles(&level, &tiles, progress) {
        // A level in one piece may have too many vertices for it.
        Err(BuildError::Tile { .. }) if tiles.len() == 1 && options.tile_size.is_none() => {
            let tiles = cut(&level, TILE_SIZE)?;
            join(&level, build_tiles(&level, &tiles, progress)?)
        }
        meshes => join(&level, meshes?),
    };
    if mesh.polygons.is_empty() { Err(BuildError::NoGround) } else { Ok(parts(&level, &mesh)) }
}

/// Returns one mesh of all tiles.
fn join(level: &Level, mut meshes: Vec<CellMesh>) -> CellMesh {
    match meshes.len() {
        1 => meshes.swap_remove(0),
        _ => without_islands(stitch(meshes, level.units.climb), level.units.min_region_area),
    }
}

/// Checks geometry and options.
fn level<'a>(geometry: &'a Geometry, options: &'a BuildOptions) -> Result<Level<'a>, BuildError> {
    let units = options.check()?;
    let is_finite = |vertex: &[f32; 3]| vertex.iter().all(|coordinate| coordinate.is_finite());
    if let Some(vertex) = geometry.vertices.iter().position(|vertex| !is_finite(vertex)) {
        return Err(BuildError::NotFinite { vertex });
    }
    let vertices = geometry.vertices.len();
    for (triangle, corners) in geometry.triangles.iter().enumerate() {
        if let Some(&vertex) = corners.iter().find(|&&vertex| vertex as usize >= vertices) {
            return Err(BuildError::NoVertex { triangle, vertex, vertices });
        }
    }
    if geometry.triangles.is_empty() {
        return Err(BuildError::Empty);
    }
    let walkable = geometry.triangles.iter().map(|&corners| is_walkable(geometry, corners, units.cosine)).collect();
    let bounds = geometry.bounds().ok_or(BuildError::Empty)?;
    let origin = bounds[0].map(f64::from);
    let height = f64::from(bounds[1][1]) - origin[1];
    let level = Level { geometry, walkable, options, units, origin, height };
    let layers = (height / f64::from(options.cell_height)).ceil();
    if layers > f64::from(MOST_HEIGHT) {
        return Err(BuildError::TooLarge { axis: "high", what: "cells", size: layers, most: MOST_HEIGHT });
    }
    Ok(level)
}

/// Returns whether an agent can stand on a triangle: whether its normal leans from the vertical by less than the slope with
/// this cosine.
fn is_walkable(geometry: &Geometry, corners: [u32; 3], cosine: f64) -> bool {
    let [a, b, c] = corners.map(|vertex| geometry.vertices[vertex as usize].map(f64::from));
    let minus = |a: [f64; 3], b: [f64; 3]| [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
    let [p, q] = [minus(b, a), minus(c, a)];
    let normal = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
    let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
    normal[1] > cosine * length
}

/// Returns the columns and rows of cells of a level, not yet as whole numbers.
fn size(level: &Level) -> Result<[f64; 2], BuildError> {
    let side = f64::from(level.options.cell_size);
    let [low, high] = level.geometry.bounds().ok_or(BuildError::Empty)?.map(|bound| bound.map(f64::from));
    Ok([0, 2].map(|axis| ((high[axis] - low[axis]) / side).ceil().max(1.)))
}

/// Returns the tiles of a level: one if it is small.
fn tiles(level: &Level) -> Result<Vec<Tile>, BuildError> {
    let [columns, rows] = size(level)?;
    match level.options.tile_size {
        Some(size) => cut(level, size),
        None if columns.max(rows) <= WHOLE_SIDE && columns * rows <= WHOLE => {
            Ok(vec![Tile { x: 0, z: 0, columns: columns as u16, rows: rows as u16, border: 0 }])
        }
        None => cut(level, TILE_SIZE),
    }
}

/// Returns the tiles of this side that a level is cut into.
fn cut(level: &Level, side: u16) -> Result<Vec<Tile>, BuildError> {
    let counts = size(level)?.map(|cells| (cells / f64::from(side)).ceil());
    for (axis, size) in ["wide", "deep"].into_iter().zip(counts) {
        if size > f64::from(MOST_TILES) {
            return Err(BuildError::TooLarge { axis, what: "tiles", size, most: MOST_TILES });
        }
    }
    let [columns, rows] = counts.map(|count| count as i32);
    // What lies up to an agent's radius outside a tile matters for it, and a few cells more for the outlines.
    let border = level.units.radius + 3;
    let tile = |column: i32, row: i32| {
        let step = i32::from(side);
        Tile { x: column * step, z: row * step, columns: side, rows: side, border }
    };
    Ok((0..rows).flat_map(|row| (0..columns).map(move |column| (column, row))).map(|(x, z)| tile(x, z)).collect())
}

/// Builds all tiles. The result is in the order of the tiles. The error is that of the first tile at fault.
fn build_tiles(
    level: &Level,
    tiles: &[Tile],
    progress: &mut dyn FnMut(Progress) -> ControlFlow<()>,
) -> Result<Vec<CellMesh>, BuildError> {
    let wanted = match level.options.threads {
        0 => thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    };
    let next = AtomicUsize::new(0);
    let mut results: Vec<Option<Result<CellMesh, String>>> = tiles.iter().map(|_| None).collect();
    let stopped = thread::scope(|scope| {
        let (sender, receiver) = mpsc::channel();
        for _ in 0..wanted.min(tiles.len()) {
            let (sender, next) = (sender.clone(), &next);
            scope.spawn(move || {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(&tile) = tiles.get(index) else { break };
                    if sender.send((index, tile::mesh(level, tile))).is_err() {
                        break;
                    }
                }
            });
        }
        drop(sender);
        for (done, (index, result)) in (1..).zip(receiver) {
            results[index] = Some(result);
            if progress(Progress { done, tiles: tiles.len() }).is_break() {
                next.store(tiles.len(), Ordering::Relaxed);
                return true;
            }
        }
        false
    });
    if stopped {
        return Err(BuildError::Cancelled);
    }
    let finished = results.into_iter().map(|result| result.expect("a thread has built every tile"));
    let named = finished.zip(tiles).map(|(result, tile)| {
        let side = i32::from(tile.columns);
        result.map_err(|reason| BuildError::Tile {
            column: (tile.x / side) as u32,
            row: (tile.z / side) as u32,
            reason,
        })
    });
    named.collect()
}

/// Returns the mesh in units of length.
fn parts(level: &Level, mesh: &CellMesh) -> MeshParts {
    let [side, high] = [level.options.cell_size, level.options.cell_height].map(f64::from);
    let [left, low, back] = level.origin;
    let place =
        |&[x, y, z]: &[i32; 3]| [left + f64::from(x) * side, back + f64::from(z) * side, low + f64::from(y) * high];
    let mut parts = MeshParts { vertices: mesh.vertices.iter().map(place).collect(), ..MeshParts::default() };
    for polygon in &mesh.polygons {
        parts.push(polygon, 1);
    }
    parts
}
