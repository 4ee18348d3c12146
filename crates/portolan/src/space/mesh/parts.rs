//! A navigation mesh as plain data, and why it may be refused.
//!
//! Not here: the checks (`rounded.rs`, `convex.rs` and `shape.rs`).

/// A navigation mesh as plain data: what [`crate::NavMesh::new`] checks. The axes are x across and y down, which together
/// are the plan, and z up.
///
/// Two polygons are neighbours where they have a whole edge in common: the same two vertices.
///
/// ```
/// use portolan::{MeshParts, NavMesh};
/// let mut parts = MeshParts { vertices: vec![[0., 0., 0.], [4., 0., 0.], [4., 4., 0.], [0., 4., 0.]], ..MeshParts::default() };
/// parts.push(&[0, 1, 2], 1);
/// parts.push(&[0, 2, 3], 1);
/// assert_eq!(NavMesh::new(&parts)?.portals(), 1);
/// # Ok::<(), portolan::MeshError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct MeshParts {
    /// The corners of all polygons.
    pub vertices: Vec<[f64; 3]>,
    /// For each polygon the place of its first corner in `corners`, and one entry more: the number of corners. It may be
    /// empty if there is no polygon.
    pub first_corner: Vec<u32>,
    /// The vertices of the polygons, one polygon after another, all in one winding.
    pub corners: Vec<u32>,
    /// How many times the cost of plain ground each polygon costs; 0 means blocked.
    pub weights: Vec<u8>,
    /// Ways that are not over ground.
    pub links: Vec<MeshLink>,
}

/// A way between two places of a mesh that is not over ground: a ladder, a jump, a teleport.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct MeshLink {
    /// Where the link begins: on the polygon there whose height is nearest.
    pub from: [f64; 3],
    /// Where the link ends: on the polygon there whose height is nearest.
    pub to: [f64; 3],
    /// What the link costs, as a length over plain ground: 0 or more. It is rounded up to whole steps, at least one.
    pub cost: f64,
    /// Whether the link also leads back.
    pub both_ways: bool,
}

impl MeshParts {
    /// Adds a polygon with these vertices and this weight.
    pub fn push(&mut self, vertices: &[u32], weight: u8) {
        if self.first_corner.is_empty() {
            self.first_corner.push(0);
        }
        self.corners.extend_from_slice(vertices);
        self.first_corner.push(self.corners.len() as u32);
        self.weights.push(weight);
    }

    /// Returns the number of polygons.
    pub fn polygons(&self) -> usize {
        self.first_corner.len().saturating_sub(1)
    }

    /// Returns the vertices of a polygon in order.
    ///
    /// # Panics
    /// When there is no such polygon, or `first_corner` does not fit `corners`.
    pub fn polygon(&self, polygon: usize) -> &[u32] {
        &self.corners[self.first_corner[polygon] as usize..self.first_corner[polygon + 1] as usize]
    }
}

/// Why a mesh was refused. An edge is named by its number in its polygon: edge 0 leads from the first corner to the second.
#[derive(Copy, Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MeshError {
    /// There is no polygon.
    #[error("the mesh has no polygons")]
    Empty,
    /// The mesh has more vertices, polygons or corners than are supported.
    #[error("{count} {what} are more than the {most} that are supported")]
    TooMany {
        /// What there are too many of.
        what: &'static str,
        /// How many there are.
        count: usize,
        /// How many there may be.
        most: usize,
    },
    /// The list of first corners does not rise from 0 to the number of corners.
    #[error("the corners of polygon {polygon} are not in the list of corners")]
    Corners {
        /// The polygon.
        polygon: usize,
    },
    /// The number of weights is not the number of polygons.
    #[error("{polygons} polygons need as many weights, not {weights}")]
    Weights {
        /// The number of polygons.
        polygons: usize,
        /// The number of weights.
        weights: usize,
    },
    /// A coordinate is infinite or not a number.
    #[error("vertex {vertex} has a coordinate that is not a finite number")]
    NotFinite {
        /// The vertex.
        vertex: usize,
    },
    /// A vertex of a patch lies so far from the mesh that its steps do not reach there. Make a mesh of all parts anew, which
    /// has coarser steps.
    #[error("vertex {vertex} lies beyond the steps of the mesh: make the mesh anew")]
    TooFar {
        /// The vertex.
        vertex: usize,
    },
    /// A patch removes a polygon that there is not.
    #[error("there is no polygon {polygon} to remove: the mesh has {polygons}")]
    NoPolygon {
        /// The polygon.
        polygon: u32,
        /// The number of polygons of the mesh.
        polygons: usize,
    },
    /// A corner names a vertex that there is not.
    #[error("polygon {polygon}, edge {edge}: there is no vertex {vertex}")]
    NoVertex {
        /// The polygon.
        polygon: usize,
        /// The edge that begins at the corner.
        edge: usize,
        /// The vertex named.
        vertex: u32,
    },
    /// A polygon has fewer than three corners, no area in the plan, or an edge of no length.
    #[error("polygon {polygon}, edge {edge}: the polygon has no area there")]
    Degenerate {
        /// The polygon.
        polygon: usize,
        /// The edge, 0 if the whole polygon is at fault.
        edge: usize,
    },
    /// A polygon is not convex.
    #[error("polygon {polygon}, edge {edge}: the polygon is not convex at the end of the edge")]
    NotConvex {
        /// The polygon.
        polygon: usize,
        /// The edge that ends at the corner at fault.
        edge: usize,
    },
    /// A polygon has another winding than the first one.
    #[error("polygon {polygon}, edge {edge}: the polygon winds the other way than polygon 0")]
    Winding {
        /// The polygon.
        polygon: usize,
        /// The edge, 0 if the whole polygon winds the other way.
        edge: usize,
    },
    /// More than two polygons share an edge, or two lie on the same side of it.
    #[error("polygon {polygon}, edge {edge}: another polygon already lies on this side of the edge")]
    NotManifold {
        /// The polygon.
        polygon: usize,
        /// The edge.
        edge: usize,
    },
    /// A link begins or ends off the mesh, or its cost is not a length or more than a hundred times the width of the mesh.
    #[error("link {link} begins or ends off the mesh, or its cost is no length or too great")]
    Link {
        /// The link.
        link: usize,
    },
}
