//! Finding polygons by place: a grid of buckets over the plan, each with the polygons whose bounds touch it.
//!
//! Not here: what a caller wants of the polygons found.

use super::plan::{MOST, Spot};
use super::shape::Shape;
use crate::memory::held;

/// Polygons by buckets of the plan.
pub(crate) struct Buckets {
    /// The width and height of a bucket as a power of two of steps.
    shift: u32,
    least: Spot,
    columns: usize,
    rows: usize,
    first: Vec<u32>,
    polygons: Vec<u32>,
}

/// The bounds of a polygon in the plan.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct MeshArea {
    pub(crate) least: Spot,
    pub(crate) greatest: Spot,
}

impl MeshArea {
    /// Returns the bounds of these points, of which there must be one.
    pub(crate) fn around(mut spots: impl Iterator<Item = Spot>) -> MeshArea {
        let first = spots.next().expect("an area is around at least one point");
        spots.fold(MeshArea { least: first, greatest: first }, |area, at| {
            area.with(MeshArea { least: at, greatest: at })
        })
    }

    pub(crate) fn with(self, other: MeshArea) -> MeshArea {
        MeshArea {
            least: Spot { x: self.least.x.min(other.least.x), y: self.least.y.min(other.least.y) },
            greatest: Spot { x: self.greatest.x.max(other.greatest.x), y: self.greatest.y.max(other.greatest.y) },
        }
    }

    pub(crate) fn overlaps(self, other: MeshArea) -> bool {
        let within = |a: i32, b: i32| a <= b;
        within(self.least.x, other.greatest.x)
            && within(other.least.x, self.greatest.x)
            && within(self.least.y, other.greatest.y)
            && within(other.least.y, self.greatest.y)
    }
}

impl Shape {
    /// Returns the bounds of a polygon.
    pub(crate) fn area(&self, polygon: usize) -> MeshArea {
        MeshArea::around(self.corners[self.corner_range(polygon)].iter().map(|&at| self.spots[at as usize]))
    }

    /// Returns whether a point lies in a polygon, or at most about a step beside it.
    pub(crate) fn covers(&self, polygon: usize, at: Spot) -> bool {
        const BESIDE: f64 = 1.5;
        self.edges(polygon).all(|[a, b]| super::plan::side(a, b, at) as f64 >= -BESIDE * a.distance(b))
    }
}

impl Buckets {
    /// Sorts the polygons of a shape into about as many buckets as there are polygons.
    pub(crate) fn new(shape: &Shape) -> Buckets {
        let whole = MeshArea::around(shape.spots.iter().copied());
        let extent = |shift: u32| {
            let buckets = |from: i32, to: i32| ((to - from) >> shift) as usize + 1;
            (buckets(whole.least.x, whole.greatest.x), buckets(whole.least.y, whole.greatest.y))
        };
        let most = shape.polygons().max(16);
        let shift = (0..24).find(|&shift| extent(shift).0 * extent(shift).1 <= most).unwrap_or(24);
        let (columns, rows) = extent(shift);
        let mut buckets = Buckets {
            shift,
            least: whole.least,
            columns,
            rows,
            first: vec![0; columns * rows + 1],
            polygons: Vec::new(),
        };
        for polygon in 0..shape.polygons() {
            for bucket in buckets.over(shape.area(polygon)) {
                buckets.first[bucket + 1] += 1;
            }
        }
        for bucket in 1..buckets.first.len() {
            buckets.first[bucket] += buckets.first[bucket - 1];
        }
        buckets.polygons = vec![0; *buckets.first.last().expect("one more than buckets") as usize];
        let mut next = buckets.first.clone();
        for polygon in 0..shape.polygons() {
            for bucket in buckets.over(shape.area(polygon)) {
                buckets.polygons[next[bucket] as usize] = polygon as u32;
                next[bucket] += 1;
            }
        }
        buckets
    }

    fn column(&self, x: i32) -> usize {
        (((x - self.least.x).max(0) >> self.shift) as usize).min(self.columns - 1)
    }

    fn row(&self, y: i32) -> usize {
        (((y - self.least.y).max(0) >> self.shift) as usize).min(self.rows - 1)
    }

    /// Returns the buckets that an area touches.
    fn over(&self, area: MeshArea) -> impl Iterator<Item = usize> + use<> {
        let (columns, width) = (self.column(area.least.x)..=self.column(area.greatest.x), self.columns);
        (self.row(area.least.y)..=self.row(area.greatest.y))
            .flat_map(move |row| columns.clone().map(move |column| row * width + column))
    }

    fn in_bucket(&self, column: usize, row: usize) -> &[u32] {
        let bucket = row * self.columns + column;
        &self.polygons[self.first[bucket] as usize..self.first[bucket + 1] as usize]
    }

    /// Returns the polygons that may lie at a point, in the order of their numbers.
    pub(crate) fn at(&self, at: Spot) -> &[u32] {
        self.in_bucket(self.column(at.x), self.row(at.y))
    }

    /// Calls `visit` with polygons in rings of buckets around a point until it has returned a distance that no polygon
    /// further out can beat. A polygon may be visited more than once.
    pub(crate) fn around(&self, at: Spot, mut visit: impl FnMut(u32) -> f64) {
        let (column, row) = (self.column(at.x) as i64, self.row(at.y) as i64);
        let mut least = f64::INFINITY;
        for ring in 0..self.columns.max(self.rows) as i64 {
            // A point in this ring or further out is at least this far away, unless the point lies outside the buckets.
            let off = self.off(at);
            let far = off.max(((ring - 1) << self.shift).max(0) as f64);
            if least <= far {
                return;
            }
            for y in row - ring..=row + ring {
                let at_end = y == row - ring || y == row + ring;
                let stride = if at_end || ring == 0 { 1 } else { 2 * ring };
                for x in (column - ring..=column + ring).step_by(stride as usize) {
                    if (0..self.columns as i64).contains(&x) && (0..self.rows as i64).contains(&y) {
                        for &polygon in self.in_bucket(x as usize, y as usize) {
                            least = least.min(visit(polygon));
                        }
                    }
                }
            }
        }
    }

    /// Returns how far a point lies outside the buckets, at least.
    fn off(&self, at: Spot) -> f64 {
        let end = |least: i32, count: usize| i64::from(least) + ((count as i64) << self.shift);
        let beyond = |at: i32, least: i32, count: usize| {
            (i64::from(least) - i64::from(at)).max(i64::from(at) - end(least, count)).max(0)
        };
        beyond(at.x, self.least.x, self.columns).max(beyond(at.y, self.least.y, self.rows)) as f64
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.first) + held(&self.polygons)
    }
}

/// Returns a number of steps as a coordinate of the plan, the nearest there is.
pub(crate) fn clamped(steps: f64) -> i32 {
    // A margin around the mesh is enough to say that a point lies outside it.
    steps.round().clamp(-2.0 * f64::from(MOST), 2.0 * f64::from(MOST)) as i32
}
