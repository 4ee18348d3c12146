//! Hexagons on a navigation mesh.
//!
//! A hexagon has a node for each part of the mesh in it, and so one for each of several floors. The place of a node is the middle of the hexagon, or
//! the point of a polygon nearest to it, so that corridors narrower than a hexagon are kept.
//!
//! Not here: the steps between hexagons.

use super::LatticeError;
use super::tiled::{Clamped, Found, Tiled, Tiling, Window};
use portolan::{HexCell, MeshEdit, MeshPoint, Motion, NavMesh};

/// How far apart two rows are, in units of the distance between two columns: half of √3.
const ROW: f64 = 0.866_025_403_784_438_6;

/// How many hexagons there are to a polygon by default.
const PER_POLYGON: f64 = 8.0;

/// Which part of the way from the edge of a polygon to its middle a place on the edge is moved, so that rounding cannot put it outside.
const INSIDE: f64 = 1e-3;

impl Tiled for NavMesh {
    const MOTION: Motion = Motion::AnyAngle;

    fn tiling(&self, size: Option<f64>) -> Result<Tiling, LatticeError> {
        let all = (0..self.polygons() as u32).map(|polygon| (bounds(self, polygon), area(self, polygon)));
        let none = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let ((least, greatest), area) = all.fold((none, 0.0), |((least, greatest), sum), ((from, to), area)| {
            let least = [0, 1].map(|axis| f64::min(least[axis], from[axis]));
            let greatest = [0, 1].map(|axis| f64::max(greatest[axis], to[axis]));
            ((least, greatest), sum + area)
        });
        let usual = || (area / ROW / (PER_POLYGON * self.polygons() as f64)).sqrt();
        let size = size.unwrap_or_else(usual);
        if !(size.is_finite() && size > 64.0 * self.step()) {
            return Err(LatticeError::Size { size, expected: "larger than 64 steps of the mesh" });
        }
        let columns = ((greatest[0] - least[0]) / size).ceil() + 2.0;
        let rows = ((greatest[1] - least[1]) / (size * ROW)).ceil() + 2.0;
        Tiling::new(size, least, columns, rows)
    }

    fn places(&self, tiling: &Tiling, window: &Window) -> Vec<Found<MeshPoint>> {
        let mut found = Vec::new();
        for polygon in 0..self.polygons() as u32 {
            let near = near(self, tiling, polygon);
            let columns =
                *near.columns.start().max(window.columns.start())..=*near.columns.end().min(window.columns.end());
            for row in *near.rows.start().max(window.rows.start())..=*near.rows.end().min(window.rows.end()) {
                for column in columns.clone() {
                    let hexagon = HexCell::at(column as u16, row as u16);
                    let Some((off, place)) = nearest(self, polygon, tiling.middle(hexagon), tiling.size) else {
                        continue;
                    };
                    found.push(Found { hexagon, off: [off, polygon], place });
                }
            }
        }
        found
    }

    fn hexagon_of(&self, tiling: &Tiling, at: MeshPoint) -> Option<HexCell> {
        let [x, y, _] = self.coordinates(at);
        let (across, down) = ((x - tiling.origin[0]) / tiling.size, (y - tiling.origin[1]) / (tiling.size * ROW));
        let row = down.floor();
        // The middle is one of the four around the point.
        let around = [row, row + 1.0].into_iter().flat_map(|row| {
            let column = (across - 0.5 * (row % 2.0).abs()).floor();
            [column, column + 1.0].map(|column| (column, row))
        });
        let inside = around.filter(|&(column, row)| {
            column >= 0.0 && row >= 0.0 && column < f64::from(tiling.columns) && row < f64::from(tiling.rows)
        });
        let hexagons = inside.map(|(column, row)| HexCell::at(column as u16, row as u16));
        hexagons.min_by(|a, b| square(tiling.middle(*a), [x, y]).total_cmp(&square(tiling.middle(*b), [x, y])))
    }

    fn touched(&self, tiling: &Tiling, edit: &MeshEdit) -> Option<Window> {
        ((edit.polygon as usize) < self.polygons()).then(|| near(self, tiling, edit.polygon))
    }
}

impl Tiling {
    /// Returns the middle of a hexagon in the plan of a mesh.
    fn middle(&self, hexagon: HexCell) -> [f64; 2] {
        let (q, r) = (f64::from(hexagon.q), f64::from(hexagon.r));
        let odd = 0.5 * f64::from(hexagon.r & 1);
        let column = q + f64::from(hexagon.r >> 1);
        [self.origin[0] + (column + odd) * self.size, self.origin[1] + r * ROW * self.size]
    }
}

/// Returns the hexagons that a polygon may lie in.
fn near(mesh: &NavMesh, tiling: &Tiling, polygon: u32) -> Window {
    let (least, greatest) = bounds(mesh, polygon);
    let column = |x: f64, more: f64| ((x - tiling.origin[0]) / tiling.size + more).max(0.0) as u32;
    let row = |y: f64, more: f64| ((y - tiling.origin[1]) / (tiling.size * ROW) + more).max(0.0) as u32;
    let columns = (column(least[0], -1.5)..=column(greatest[0], 1.5)).clamped(tiling.columns);
    Window { columns, rows: (row(least[1], -1.0)..=row(greatest[1], 1.5)).clamped(tiling.rows) }
}

fn bounds(mesh: &NavMesh, polygon: u32) -> ([f64; 2], [f64; 2]) {
    let corners = || mesh.corners(polygon);
    let least = [0, 1].map(|axis| corners().map(|at| at[axis]).fold(f64::INFINITY, f64::min));
    (least, [0, 1].map(|axis| corners().map(|at| at[axis]).fold(f64::NEG_INFINITY, f64::max)))
}

fn area(mesh: &NavMesh, polygon: u32) -> f64 {
    let corners: Vec<[f64; 3]> = mesh.corners(polygon).collect();
    let twice: f64 = (0..corners.len())
        .map(|corner| {
            let ([ax, ay, _], [bx, by, _]) = (corners[corner], corners[(corner + 1) % corners.len()]);
            ax * by - ay * bx
        })
        .sum();
    twice.abs() / 2.0
}

fn square(a: [f64; 2], b: [f64; 2]) -> f64 {
    (a[0] - b[0]).powi(2) + (a[1] - b[1]).powi(2)
}

/// Returns the point of a polygon nearest to the middle of a hexagon, if it lies in the hexagon, and how far it is from there.
fn nearest(mesh: &NavMesh, polygon: u32, middle: [f64; 2], size: f64) -> Option<(u32, MeshPoint)> {
    if let Some(place) = mesh.point_on(polygon, middle) {
        return Some((0, place));
    }
    let corners: Vec<[f64; 3]> = mesh.corners(polygon).collect();
    let foot = |corner: usize| {
        let ([ax, ay, _], [bx, by, _]) = (corners[corner], corners[(corner + 1) % corners.len()]);
        let along = [bx - ax, by - ay];
        let length = along[0] * along[0] + along[1] * along[1];
        let share = ((middle[0] - ax) * along[0] + (middle[1] - ay) * along[1]) / length;
        let share = if length > 0.0 { share.clamp(0.0, 1.0) } else { 0.0 };
        [ax + share * along[0], ay + share * along[1]]
    };
    let feet = (0..corners.len()).map(foot);
    let at = feet.min_by(|a, b| square(*a, middle).total_cmp(&square(*b, middle)))?;
    let [x, y, _] = mesh.coordinates(mesh.centre(polygon));
    let at = [at[0] + (x - at[0]) * INSIDE, at[1] + (y - at[1]) * INSIDE];
    // The circle inside a hexagon has half its size as its radius.
    let off = square(at, middle) / (size * size);
    let place = mesh.point_on(polygon, at).filter(|_| off < 0.25)?;
    Some(((off * 1e9) as u32, place))
}
