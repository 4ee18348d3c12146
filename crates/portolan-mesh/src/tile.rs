//! The mesh of one tile: Recast's stages from triangles to convex polygons.
//!
//! Of Recast's port, all stages are used as they are, except that triangles are cut into cells here ([`crate::raster`]), that
//! no border vertex is removed (the port's removal reads past polygons), and that regions are cut where the port could not
//! go on ([`crate::regions`]).
//!
//! Not here: joining tiles.

use crate::options::{BuildOptions, Units};
use crate::{raster, regions};
use glam::Vec3;
use portolan_formats::Geometry;
use rerecast::{
    Aabb3d, AreaType, BuildContoursFlags, CompactHeightfield, ContourSet, Heightfield, HeightfieldBuilder,
    PolygonNavmesh, RegionVertexId,
};

/// Polygons whose vertices are at whole cells of the level: x, height, z.
#[derive(Default)]
pub(crate) struct CellMesh {
    pub(crate) vertices: Vec<[i32; 3]>,
    pub(crate) polygons: Vec<Vec<u32>>,
}

/// The level and the options, in the form that every tile needs.
pub(crate) struct Level<'a> {
    pub(crate) geometry: &'a Geometry,
    /// The steepness of each triangle: whether an agent can stand on it.
    pub(crate) walkable: Vec<bool>,
    pub(crate) options: &'a BuildOptions,
    pub(crate) units: Units,
    /// Where the cell 0, 0, 0 begins.
    pub(crate) origin: [f64; 3],
    /// The height of the level in units of length.
    pub(crate) height: f64,
}

/// A rectangle of cells: the first ones, the numbers of them, and how many cells around it are looked at.
#[derive(Copy, Clone)]
pub(crate) struct Tile {
    pub(crate) x: i32,
    pub(crate) z: i32,
    pub(crate) columns: u16,
    pub(crate) rows: u16,
    pub(crate) border: u16,
}

/// The most rounds of cutting regions. Each round at least halves the regions at fault, and a region of one cell is sound.
const ROUNDS: usize = 40;

/// Returns the polygons of a tile.
///
/// # Errors
/// Recast's words when it refuses the tile.
pub(crate) fn mesh(level: &Level, tile: Tile) -> Result<CellMesh, String> {
    let Some(mut field) = field(level, tile)? else { return Ok(CellMesh::default()) };
    for _ in 0..ROUNDS {
        let contours = contours(level, &field);
        let mut faults = regions::faults_of_contours(&contours);
        if faults.is_empty() {
            match polygons(level, &contours) {
                Ok(polygons) => {
                    faults = regions::faults_of_polygons(&polygons);
                    if faults.is_empty() {
                        return Ok(cell_mesh(&polygons, tile));
                    }
                }
                Err(reason) => {
                    faults = regions::faults_by_trial(&contours, |alone| polygons(level, alone).is_ok());
                    if faults.is_empty() {
                        return Err(reason);
                    }
                }
            }
        }
        regions::cut(&mut field, &faults)?;
    }
    Err(format!("its outlines were still tangled after {ROUNDS} cuts"))
}

/// Returns the ground of the tile, cut into regions, or `None` if there are no triangles to stand on.
fn field(level: &Level, tile: Tile) -> Result<Option<CompactHeightfield>, String> {
    let (options, units) = (level.options, &level.units);
    let size = [tile.columns, tile.rows].map(|cells| f32::from(cells + 2 * tile.border) * options.cell_size);
    let max = Vec3::new(size[0], level.height as f32, size[1]);
    let aabb = Aabb3d { min: Vec3::ZERO, max };
    let builder = HeightfieldBuilder { aabb, cell_size: options.cell_size, cell_height: options.cell_height };
    let mut field = builder.build().map_err(|fault| fault.to_string())?;
    if !enter_triangles(level, tile, &mut field)? {
        return Ok(None);
    }
    field.filter_low_hanging_walkable_obstacles(units.climb);
    field.filter_ledge_spans(units.height, units.climb);
    field.filter_walkable_low_height_spans(units.height);
    let mut field = field.into_compact(units.height, units.climb).map_err(|fault| fault.to_string())?;
    field.erode_walkable_area(units.radius);
    field.build_distance_field();
    let regions = field.build_regions(tile.border, units.min_region_area, units.merge_region_area);
    regions.map_err(|fault| fault.to_string())?;
    Ok(Some(field))
}

/// Enters all triangles that reach into the tile or its border. Returns whether an agent can stand on any of them.
fn enter_triangles(level: &Level, tile: Tile, field: &mut Heightfield) -> Result<bool, String> {
    let side = f64::from(level.options.cell_size);
    let border = i32::from(tile.border);
    let corner = [tile.x - border, tile.z - border].map(|cell| f64::from(cell) * side);
    let size = [tile.columns, tile.rows].map(|cells| f64::from(cells + 2 * tile.border) * side);
    let [left, low, back] = level.origin;
    let mut has_ground = false;
    for (corners, &walkable) in level.geometry.triangles.iter().zip(&level.walkable) {
        let local = corners.map(|vertex| {
            let [x, y, z] = level.geometry.vertices[vertex as usize].map(f64::from);
            [x - left - corner[0], y - low, z - back - corner[1]]
        });
        let outside = |axis: usize, size: f64| {
            local.iter().all(|vertex| vertex[axis] < 0.) || local.iter().all(|vertex| vertex[axis] > size)
        };
        if outside(0, size[0]) || outside(2, size[1]) {
            continue;
        }
        has_ground |= walkable;
        let area = if walkable { AreaType::DEFAULT_WALKABLE } else { AreaType::NOT_WALKABLE };
        raster::enter(field, local, area, level.units.climb)?;
    }
    Ok(has_ground)
}

/// Returns the outlines of all regions, with every vertex kept.
fn contours(level: &Level, field: &CompactHeightfield) -> ContourSet {
    let flags = BuildContoursFlags::default();
    let mut contours = field.build_contours(level.options.max_error, level.units.max_edge, flags);
    for contour in &mut contours.contours {
        for (_, region) in &mut contour.vertices {
            *region &= !RegionVertexId::BORDER_VERTEX.bits();
        }
    }
    contours
}

/// Returns the polygons of all regions.
fn polygons(level: &Level, contours: &ContourSet) -> Result<PolygonNavmesh, String> {
    contours.clone().into_polygon_mesh(level.options.max_corners).map_err(|fault| fault.to_string())
}

/// Returns polygons with their vertices at cells of the level.
fn cell_mesh(polygons: &PolygonNavmesh, tile: Tile) -> CellMesh {
    let vertices = polygons.vertices.iter();
    CellMesh {
        vertices: vertices
            .map(|vertex| [tile.x + i32::from(vertex.x), i32::from(vertex.y), tile.z + i32::from(vertex.z)])
            .collect(),
        polygons: polygons.polygons().map(|polygon| polygon.map(u32::from).collect()).collect(),
    }
}
