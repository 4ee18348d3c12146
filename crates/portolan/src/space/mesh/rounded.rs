//! The parts of a mesh in whole steps, with the checks of each part by itself.
//!
//! Not here: how polygons fit together (`shape.rs`).

use super::convex::{self, Fault};
use super::parts::{MeshError, MeshParts};
use super::plan::{MOST, Spot};

/// The most polygons, vertices and corners that a mesh may have.
const MOST_PARTS: usize = 1 << 28;

/// Where the steps of a mesh lie.
#[derive(Copy, Clone)]
pub(super) struct Frame {
    /// Where step 0 lies.
    pub(super) origin: [f64; 3],
    /// How long one step is. It is a power of two.
    pub(super) step: f64,
}

impl Frame {
    /// Returns the frame with the finest step by which all coordinates are within [`MOST`].
    pub(super) fn around(vertices: &[[f64; 3]]) -> Result<Frame, MeshError> {
        check_finite(vertices)?;
        let (mut least, mut greatest) = ([f64::INFINITY; 3], [f64::NEG_INFINITY; 3]);
        for at in vertices {
            for axis in 0..3 {
                least[axis] = least[axis].min(at[axis]);
                greatest[axis] = greatest[axis].max(at[axis]);
            }
        }
        let extent = (0..3).map(|axis| greatest[axis] - least[axis]).fold(1e-30, f64::max);
        // One step more at each end makes room for rounding.
        let mut step = 1.0;
        while extent / step > f64::from(2 * (MOST - 2)) {
            step *= 2.0;
        }
        while extent / (step / 2.0) <= f64::from(2 * (MOST - 2)) {
            step /= 2.0;
        }
        let middle = |axis: usize| {
            ((least[axis].midpoint(greatest[axis]) / step).floor() * step).clamp(least[axis], greatest[axis])
        };
        Ok(Frame { origin: [middle(0), middle(1), middle(2)], step })
    }

    /// Returns a place in whole steps, or `None` if it lies further than [`MOST`] from step 0.
    fn in_steps(self, at: [f64; 3]) -> Option<[i32; 3]> {
        let steps = [0, 1, 2].map(|axis| ((at[axis] - self.origin[axis]) / self.step).round());
        steps.iter().all(|steps| steps.abs() <= f64::from(MOST)).then(|| steps.map(|steps| steps as i32))
    }
}

/// Polygons in whole steps: the lists of [`super::shape::Shape`] of the same names.
#[derive(Default)]
pub(super) struct Polygons {
    pub(super) spots: Vec<Spot>,
    pub(super) heights: Vec<i32>,
    pub(super) first_corner: Vec<u32>,
    pub(super) corners: Vec<u32>,
}

impl Polygons {
    /// Rounds and checks every polygon. The lists of the parts have been checked. Returns the polygons, wound so that insides
    /// lie to the left, and whether they were turned for it.
    pub(super) fn new(parts: &MeshParts, frame: Frame) -> Result<(Polygons, bool), MeshError> {
        check_finite(&parts.vertices)?;
        let (mut spots, mut heights) = (Vec::new(), Vec::new());
        for (vertex, &at) in parts.vertices.iter().enumerate() {
            let [x, y, height] = frame.in_steps(at).ok_or(MeshError::TooFar { vertex })?;
            spots.push(Spot { x, y });
            heights.push(height);
        }
        let (corners, turned) = wound(parts, &spots)?;
        Ok((Polygons { spots, heights, first_corner: parts.first_corner.clone(), corners }, turned))
    }

    /// Returns the vertices of a polygon in order.
    pub(super) fn polygon(&self, polygon: usize) -> &[u32] {
        &self.corners[self.first_corner[polygon] as usize..self.first_corner[polygon + 1] as usize]
    }

    pub(super) fn polygons(&self) -> usize {
        self.first_corner.len().saturating_sub(1)
    }
}

/// Checks the counts of the lists, and that they refer to each other. There may be no polygon.
pub(super) fn check_lists(parts: &MeshParts) -> Result<(), MeshError> {
    let polygons = parts.polygons();
    check_counts(parts.vertices.len(), polygons, parts.corners.len())?;
    if parts.weights.len() != polygons {
        return Err(MeshError::Weights { polygons, weights: parts.weights.len() });
    }
    let bounds = &parts.first_corner;
    let [first, last] = [bounds.first(), bounds.last()].map(|bound| bound.copied().unwrap_or(0));
    if first != 0 || last as usize != parts.corners.len() {
        return Err(MeshError::Corners { polygon: if first == 0 { polygons.saturating_sub(1) } else { 0 } });
    }
    if let Some(polygon) = bounds.windows(2).position(|pair| pair[0] > pair[1]) {
        return Err(MeshError::Corners { polygon });
    }
    for polygon in 0..polygons {
        let corners = parts.polygon(polygon);
        if let Some(edge) = corners.iter().position(|&vertex| vertex as usize >= parts.vertices.len()) {
            return Err(MeshError::NoVertex { polygon, edge, vertex: corners[edge] });
        }
    }
    Ok(())
}

/// Checks that a mesh may have so many parts.
pub(super) fn check_counts(vertices: usize, polygons: usize, corners: usize) -> Result<(), MeshError> {
    let counts = [("vertices", vertices), ("polygons", polygons), ("corners", corners)];
    match counts.into_iter().find(|&(_, count)| count > MOST_PARTS) {
        Some((what, count)) => Err(MeshError::TooMany { what, count, most: MOST_PARTS }),
        None => Ok(()),
    }
}

/// Checks that coordinates are numbers. The limit keeps sums of them finite.
fn check_finite(vertices: &[[f64; 3]]) -> Result<(), MeshError> {
    let is_number = |number: &f64| number.is_finite() && number.abs() <= 1e30;
    match vertices.iter().position(|at| !at.iter().all(is_number)) {
        Some(vertex) => Err(MeshError::NotFinite { vertex }),
        None => Ok(()),
    }
}

/// Checks every polygon and returns the corners wound so that insides lie to the left, and whether they were turned for it.
fn wound(parts: &MeshParts, spots: &[Spot]) -> Result<(Vec<u32>, bool), MeshError> {
    let mut corners = Vec::with_capacity(parts.corners.len());
    let mut first_is_left = None;
    for polygon in 0..parts.polygons() {
        let vertices = parts.polygon(polygon);
        let at = |corner: usize| spots[vertices[corner % vertices.len()] as usize];
        let is_left = convex::winding(vertices.len(), at).map_err(|fault| match fault {
            Fault::NoArea { edge } => MeshError::Degenerate { polygon, edge },
            Fault::NotConvex { edge } => MeshError::NotConvex { polygon, edge },
        })?;
        if *first_is_left.get_or_insert(is_left) != is_left {
            return Err(MeshError::Winding { polygon, edge: 0 });
        }
        if is_left {
            corners.extend_from_slice(vertices);
        } else {
            corners.extend(vertices.iter().rev());
        }
    }
    Ok((corners, first_is_left == Some(false)))
}
