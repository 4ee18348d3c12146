//! Convex polygons in flat arrays: their edges, which polygon lies beyond each, and how high they are.
//!
//! Not here: other ground, and agents.

use super::ground::FlatPlace;
use super::whole::{Vector, plus, unpacked};
use portolan::{HexCell, HexGrid, NavMesh};

/// Polygons in whole steps, at most 2²² from 0.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct FlatPolygons {
    /// Where the edges of each polygon begin in `edges`, and one entry more.
    pub first_edge: Vec<u32>,
    /// The ends of each edge. The inside of the polygon lies to its left, which for an edge to the right is in the direction of
    /// greater second coordinates.
    pub edges: Vec<[i32; 4]>,
    /// The polygon beyond each edge, or [`FlatPolygons::WALL`].
    pub beyond: Vec<u32>,
    /// For each polygon a point, its height, and how much higher the ground is a step farther across and down: two numbers of
    /// sixteen bits, in 1024ths.
    pub planes: Vec<[i32; 4]>,
}

/// The greatest coordinate, in steps.
const MOST: i32 = 1 << 22;

/// Half the width of a hex and a third of the distance between rows are multiples of these, so that all corners lie on whole
/// steps. The hexes are a thousandth higher than regular ones.
const HEX: [i32; 2] = [64, 37];

/// The steps in axial coordinates to the neighbours of a hex, in the order of its edges.
const HEX_STEPS: [(i16, i16); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// The most polygons that a walk crosses.
const MOST_CROSSED: usize = 128;

/// The steepest slope that is told, in 1024ths.
const STEEPEST: f64 = 8192.0;

impl FlatPolygons {
    /// What lies beyond an edge that cannot be crossed.
    pub const WALL: u32 = u32::MAX;

    /// Lays out a mesh; its blocked polygons have no way in.
    pub fn of_mesh(mesh: &NavMesh) -> FlatPolygons {
        let mut flat = FlatPolygons { first_edge: vec![0], ..FlatPolygons::default() };
        for polygon in 0..mesh.polygons() as u32 {
            let corners: Vec<[i32; 2]> = mesh.corner_points(polygon).map(|at| [at.x, at.y]).collect();
            for (number, beyond) in mesh.across_edges(polygon).enumerate() {
                let ([ax, ay], [bx, by]) = (corners[number], corners[(number + 1) % corners.len()]);
                flat.edges.push([ax, ay, bx, by]);
                let is_open = mesh.is_free(polygon) && beyond.is_some_and(|beyond| mesh.is_free(beyond));
                flat.beyond.push(beyond.filter(|_| is_open).unwrap_or(Self::WALL));
            }
            flat.first_edge.push(flat.edges.len() as u32);
            flat.planes.push(plane(mesh, polygon));
        }
        flat
    }

    /// Lays out a grid of hexes, row by row. Cells are [`FlatPolygons::hex_size`] steps large.
    pub fn of_hexes(grid: &HexGrid) -> FlatPolygons {
        let mut flat = FlatPolygons { first_edge: vec![0], ..FlatPolygons::default() };
        let [half, third] = Self::hex_size(grid);
        let corners = [[half, -third], [half, third], [0, 2 * third], [-half, third], [-half, -third], [0, -2 * third]];
        for cell in grid.cells() {
            let [x, y] = Self::hex_middle(grid, cell);
            for (number, (q, r)) in HEX_STEPS.into_iter().enumerate() {
                let ([ax, ay], [bx, by]) = (corners[number], corners[(number + 1) % 6]);
                flat.edges.push([x + ax, y + ay, x + bx, y + by]);
                let beyond = HexCell::new(cell.q + q, cell.r + r);
                let is_open = grid.is_free(cell) && grid.is_free(beyond);
                flat.beyond.push(if is_open { Self::hex_number(grid, beyond) } else { Self::WALL });
            }
            flat.first_edge.push(flat.edges.len() as u32);
            flat.planes.push([x, y, 0, 0]);
        }
        flat
    }

    /// Returns half the width of a hex and a third of the distance between rows, in steps.
    pub fn hex_size(grid: &HexGrid) -> [i32; 2] {
        let across = 2 * HEX[0] as usize * grid.width().max(grid.height()) + HEX[0] as usize;
        let times = ((MOST as usize) / across).clamp(1, 64) as i32;
        HEX.map(|size| size * times)
    }

    /// Returns the middle of a hex.
    pub fn hex_middle(grid: &HexGrid, cell: HexCell) -> [i32; 2] {
        let ([half, third], [q, r]) = (Self::hex_size(grid), [cell.q, cell.r].map(i32::from));
        [(2 * q + r + 1) * half, (3 * r + 2) * third]
    }

    /// Returns the number of the polygon of a hex.
    pub fn hex_number(grid: &HexGrid, cell: HexCell) -> u32 {
        let column = i32::from(cell.q) + (i32::from(cell.r) >> 1);
        (i32::from(cell.r) * grid.width() as i32 + column).cast_unsigned()
    }

    /// Returns the numbers of a polygon's edges.
    pub fn edges_of(&self, polygon: u32) -> std::ops::Range<usize> {
        self.first_edge[polygon as usize] as usize..self.first_edge[polygon as usize + 1] as usize
    }

    /// Returns whether a polygon contains a point.
    pub fn covers(&self, polygon: u32, at: [i32; 2]) -> bool {
        self.edges[self.edges_of(polygon)].iter().all(|&edge| side(edge, at) >= 0)
    }

    /// Returns a place that its polygon contains, near a place that may lie a few steps outside: meshes are rounded, and take such
    /// points for points of the polygon.
    pub(super) fn settled(&self, place: FlatPlace) -> FlatPlace {
        let around = [[0, 1], [1, 0], [0, -1], [-1, 0], [1, 1], [1, -1], [-1, -1], [-1, 1]];
        let near = [0, 1, 2, 4, 8, 16, 32, 64].into_iter().flat_map(|far| around.map(|way| way.map(|at| at * far)));
        let mut places = near.map(|off| plus(place.at, off));
        let middle = || {
            let edges = &self.edges[self.edges_of(place.polygon)];
            let mean = |axis: usize| edges.iter().map(|edge| i64::from(edge[axis])).sum::<i64>() / edges.len() as i64;
            [mean(0), mean(1)].map(|at| at as i32)
        };
        let at = places.find(|&at| self.covers(place.polygon, at)).unwrap_or_else(middle);
        FlatPlace { at, polygon: place.polygon }
    }

    /// Returns whether a point lies inside a polygon, and not on an edge of it.
    pub(super) fn holds(&self, polygon: u32, at: Vector) -> bool {
        self.edges[self.edges_of(polygon)].iter().all(|&edge| side(edge, at) > 0)
    }

    /// Returns how high the ground is at a place.
    pub(super) fn height(&self, FlatPlace { at, polygon }: FlatPlace) -> i32 {
        let [x, y, height, slopes] = self.planes[polygon as usize];
        let [across, down] = unpacked(slopes.cast_unsigned());
        height + ((at[0] - x) >> 10) * across + ((at[1] - y) >> 10) * down
    }

    /// Returns the vector along an edge.
    pub(super) fn side(&self, edge: usize) -> Vector {
        let [ax, ay, bx, by] = self.edges[edge];
        [bx - ax, by - ay]
    }

    /// Returns the polygon at the end of a straight walk, or the wall that stands in its way if it is one. A walk along a wall or
    /// through a corner may count as none.
    pub(super) fn walk(&self, from: FlatPlace, to: Vector) -> Result<u32, Option<usize>> {
        let line = [from.at[0], from.at[1], to[0], to[1]];
        let mut polygon = from.polygon;
        for _ in 0..MOST_CROSSED {
            let (mut is_inside, mut next, mut wall) = (true, Self::WALL, None);
            for number in self.edges_of(polygon) {
                let edge = self.edges[number];
                if side(edge, to) >= 0 {
                    continue;
                }
                is_inside = false;
                let passes = side(line, [edge[0], edge[1]]) <= 0 && side(line, [edge[2], edge[3]]) >= 0;
                if next == Self::WALL && passes {
                    (next, wall) = (self.beyond[number], Some(number));
                }
            }
            if is_inside {
                return Ok(polygon);
            }
            if next == Self::WALL {
                return Err(wall);
            }
            polygon = next;
        }
        Err(None)
    }
}

/// Returns a number above 0 if a point lies to the left of a line, and below 0 if it lies to the right.
fn side([ax, ay, bx, by]: [i32; 4], [x, y]: Vector) -> i64 {
    i64::from(bx - ax) * i64::from(y - ay) - i64::from(by - ay) * i64::from(x - ax)
}

/// Returns the plane of a polygon: the one through the first corner and the edge that spans the largest triangle with it.
fn plane(mesh: &NavMesh, polygon: u32) -> [i32; 4] {
    let corners: Vec<_> = mesh.corner_points(polygon).collect();
    let relative = |number: usize| {
        let (at, first) = (corners[number], corners[0]);
        let up = (mesh.height(at) - mesh.height(first)) / mesh.step();
        [f64::from(at.x - first.x), f64::from(at.y - first.y), up]
    };
    let mut best = ([0.0; 2], 0.0);
    for number in 1..corners.len() - 1 {
        let ([ax, ay, az], [bx, by, bz]) = (relative(number), relative(number + 1));
        let area = ax * by - ay * bx;
        if area > best.1 {
            best = ([(az * by - ay * bz) / area, (ax * bz - az * bx) / area], area);
        }
    }
    let [across, down] = best.0.map(|slope| (slope * 1024.0).clamp(-STEEPEST, STEEPEST).round() as i32);
    let height = (mesh.height(corners[0]) / mesh.step()).round() as i32;
    [corners[0].x, corners[0].y, height, super::whole::packed([across, down]).cast_signed()]
}
