//! The surfaces of a city: ground with footprints left out, solids on the footprints, decks, ramps and walls.
//!
//! Not here: what stands where.

use super::METRE;
use portolan_formats::Geometry;

/// A convex outline in the plan, in eighths of a metre.
pub(super) type Footprint = Vec<[i32; 2]>;

/// A rectangle of the plan, in eighths of a metre.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Rectangle {
    pub(super) left: i32,
    pub(super) top: i32,
    pub(super) right: i32,
    pub(super) bottom: i32,
}

impl Rectangle {
    /// Returns the corners of the rectangle.
    pub(super) fn corners(self) -> Footprint {
        let Rectangle { left, top, right, bottom } = self;
        vec![[left, top], [left, bottom], [right, bottom], [right, top]]
    }

    /// Returns the rectangle with each side moved inward.
    pub(super) fn inset(self, by: i32) -> Rectangle {
        let Rectangle { left, top, right, bottom } = self;
        Rectangle { left: left + by, top: top + by, right: right - by, bottom: bottom - by }
    }

    pub(super) fn width(self) -> i32 {
        self.right - self.left
    }

    pub(super) fn height(self) -> i32 {
        self.bottom - self.top
    }

    pub(super) fn middle(self) -> [i32; 2] {
        [i32::midpoint(self.left, self.right), i32::midpoint(self.top, self.bottom)]
    }
}

/// Returns a square that stands on its corner.
pub(super) fn diamond([x, z]: [i32; 2], radius: i32) -> Footprint {
    vec![[x - radius, z], [x, z + radius], [x + radius, z], [x, z - radius]]
}

/// Returns an octagon.
pub(super) fn octagon([x, z]: [i32; 2], radius: i32) -> Footprint {
    let short = radius * 5 / 12;
    let corners = [
        [-radius, -short],
        [-radius, short],
        [-short, radius],
        [short, radius],
        [radius, short],
        [radius, -short],
        [short, -radius],
        [-short, -radius],
    ];
    corners.iter().map(|[dx, dz]| [x + dx, z + dz]).collect()
}

/// The geometry while it grows. Heights are in eighths of a metre.
#[derive(Default)]
pub(super) struct Site {
    pub(super) geometry: Geometry,
}

impl Site {
    /// Adds level ground in a rectangle, without the footprints, which must be convex and must not overlap. The ground is
    /// cut into strips between the corners of footprints; in a strip, every footprint lies between two straight edges.
    pub(super) fn ground(&mut self, area: Rectangle, height: i32, footprints: &[Footprint]) {
        let mut cuts: Vec<i32> = footprints.iter().flatten().map(|corner| corner[0]).collect();
        cuts.extend([area.left, area.right]);
        cuts.sort_unstable();
        cuts.dedup();
        for strip in cuts.windows(2) {
            let [left, right] = [strip[0], strip[1]];
            let mut taken: Vec<[[f64; 2]; 2]> =
                footprints.iter().filter_map(|footprint| crossing(footprint, left, right)).collect();
            taken.sort_by(|a, b| (a[0][0] + a[0][1]).total_cmp(&(b[0][0] + b[0][1])));
            taken.push([[f64::from(area.bottom); 2]; 2]);
            let mut from = [f64::from(area.top); 2];
            for [near, far] in taken {
                self.strip([left, right], [from, near], height);
                from = far;
            }
        }
    }

    /// Adds level ground between two columns, from one line to another. A line is given by its ends at the two columns.
    fn strip(&mut self, columns: [i32; 2], [from, to]: [[f64; 2]; 2], height: i32) {
        if from[0] >= to[0] && from[1] >= to[1] {
            return;
        }
        let [left, right] = columns.map(f64::from);
        let y = f64::from(height);
        self.quad([[left, y, from[0]], [left, y, to[0]], [right, y, to[1]], [right, y, from[1]]]);
    }

    /// Adds a solid with straight walls and a roof that is too steep to stand on.
    pub(super) fn solid(&mut self, footprint: &[[i32; 2]], bottom: i32, top: i32) {
        let count = footprint.len() as i32;
        let sum = |axis: usize| footprint.iter().map(|corner| corner[axis]).sum::<i32>();
        let middle = [sum(0) / count, sum(1) / count];
        let reach = |corner: &[i32; 2]| (corner[0] - middle[0]).abs() + (corner[1] - middle[1]).abs();
        let rise = footprint.iter().map(reach).max().unwrap_or(0) * 3 / 2 + METRE;
        let apex = self.vertex([f64::from(middle[0]), f64::from(top + rise), f64::from(middle[1])]);
        for (i, &from) in footprint.iter().enumerate() {
            let to = footprint[(i + 1) % footprint.len()];
            self.wall(to, from, [bottom, top]);
            let [from, to] = [from, to].map(|[x, z]| self.vertex([f64::from(x), f64::from(top), f64::from(z)]));
            self.geometry.triangles.push([from, to, apex]);
        }
    }

    /// Adds an upright wall. Its outer side lies to the left of the way from its first end to its second, seen from above.
    pub(super) fn wall(&mut self, from: [i32; 2], to: [i32; 2], [bottom, top]: [i32; 2]) {
        let at = |[x, z]: [i32; 2], y: i32| [x, y, z].map(f64::from);
        self.quad([at(from, bottom), at(from, top), at(to, top), at(to, bottom)]);
    }

    /// Adds the deck of a bridge: a level surface with an underside.
    pub(super) fn deck(&mut self, area: Rectangle, height: i32) {
        self.ground(area, height, &[]);
        let Rectangle { left, top, right, bottom } = area;
        let y = height - METRE / 2;
        self.quad([[left, y, top], [right, y, top], [right, y, bottom], [left, y, bottom]].map(|at| at.map(f64::from)));
    }

    /// Adds a ramp with one height at the top side of its rectangle and another at the bottom side.
    pub(super) fn ramp(&mut self, area: Rectangle, [from, to]: [i32; 2]) {
        let Rectangle { left, top, right, bottom } = area;
        let corners = [[left, from, top], [left, to, bottom], [right, to, bottom], [right, from, top]];
        self.quad(corners.map(|at| at.map(f64::from)));
    }

    /// Adds a hill in a rectangle: a level top, and slopes as wide as `slope` around it.
    pub(super) fn hill(&mut self, area: Rectangle, slope: i32, height: i32, footprints: &[Footprint]) {
        let inner = area.inset(slope);
        self.ground(inner, height, footprints);
        let (outer, inner) = (area.corners(), inner.corners());
        for i in 0..4 {
            let next = (i + 1) % 4;
            let at = |[x, z]: [i32; 2], y: i32| [x, y, z].map(f64::from);
            self.quad([at(outer[i], 0), at(outer[next], 0), at(inner[next], height), at(inner[i], height)]);
        }
    }

    /// Adds a surface with four corners, counterclockwise seen from its outer side.
    fn quad(&mut self, corners: [[f64; 3]; 4]) {
        let [a, b, c, d] = corners.map(|corner| self.vertex(corner));
        self.geometry.triangles.extend([[a, b, c], [a, c, d]]);
    }

    /// Adds a vertex, given in eighths of a metre.
    fn vertex(&mut self, at: [f64; 3]) -> u32 {
        self.geometry.vertex(at.map(|coordinate| (coordinate / f64::from(METRE)) as f32))
    }
}

/// Returns where a convex footprint begins and ends at two columns between which it has no corner, or `None` if it does
/// not reach from one to the other.
fn crossing(footprint: &[[i32; 2]], left: i32, right: i32) -> Option<[[f64; 2]; 2]> {
    let mut lines = footprint.iter().enumerate().filter_map(|(i, &a)| {
        let b = footprint[(i + 1) % footprint.len()];
        let [a, b] = if a[0] < b[0] { [a, b] } else { [b, a] };
        let slope = f64::from(b[1] - a[1]) / f64::from(b[0] - a[0]);
        let at = |x: i32| f64::from(a[1]) + slope * f64::from(x - a[0]);
        (a[0] <= left && right <= b[0]).then(|| [at(left), at(right)])
    });
    let (first, second) = (lines.next()?, lines.next()?);
    let is_first = first[0] + first[1] < second[0] + second[1];
    Some(if is_first { [first, second] } else { [second, first] })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the area of all triangles in the plan, in square metres, and whether all of them face up.
    fn area(geometry: &Geometry) -> (f64, bool) {
        let mut sum = 0.;
        let mut faces_up = true;
        for corners in &geometry.triangles {
            let [a, b, c] = corners.map(|vertex| geometry.vertices[vertex as usize].map(f64::from));
            let cross = (b[2] - a[2]) * (c[0] - a[0]) - (b[0] - a[0]) * (c[2] - a[2]);
            faces_up &= cross >= 0.;
            sum += cross / 2.;
        }
        (sum, faces_up)
    }

    #[test]
    fn ground_covers_all_but_the_footprints() {
        let area_of = |footprints: &[Footprint]| {
            let mut site = Site::default();
            site.ground(Rectangle { left: 0, top: 0, right: 400, bottom: 240 }, 0, footprints);
            area(&site.geometry)
        };
        assert_eq!(area_of(&[]), (50. * 30., true));
        let rectangle = Rectangle { left: 80, top: 80, right: 120, bottom: 160 };
        assert_eq!(area_of(&[rectangle.corners()]), (50. * 30. - 5. * 10., true));
        let beside = Rectangle { left: 120, right: 200, ..rectangle };
        assert_eq!(area_of(&[beside.corners(), rectangle.corners()]), (50. * 30. - 15. * 10., true));
        let (left, faces_up) = area_of(&[diamond([40, 40], 16), octagon([300, 120], 48), rectangle.corners()]);
        let octagon = 4. * 6. * 6. - 2. * 3.5 * 3.5;
        assert!(faces_up && (left - (50. * 30. - 8. - octagon - 50.)).abs() < 1e-3, "{left}");
    }

    #[test]
    fn roofs_are_too_steep_to_stand_on() {
        for footprint in
            [octagon([0, 0], 30), diamond([5, 5], 9), Rectangle { left: 0, top: 0, right: 240, bottom: 16 }.corners()]
        {
            let mut site = Site::default();
            site.solid(&footprint, 0, 40);
            for corners in &site.geometry.triangles {
                let [a, b, c] = corners.map(|vertex| site.geometry.vertices[vertex as usize].map(f64::from));
                let [p, q] = [b, c].map(|to| [to[0] - a[0], to[1] - a[1], to[2] - a[2]]);
                let normal = [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]];
                let length = (normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2]).sqrt();
                assert!(normal[1] / length < 0.64, "50 degrees and more: {normal:?}");
            }
        }
    }
}
