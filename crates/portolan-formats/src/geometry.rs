//! Level geometry as plain data: what files of geometry hold and what navigation meshes are made from.
//!
//! Not here: the formats, and making meshes.

/// Triangles in space. The axes are those of Recast and glTF: x to the right, y up, z toward the viewer.
///
/// The triangles may lie in any way and need not be joined. Seen from its outer side, the corners of a triangle are in
/// counterclockwise order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Geometry {
    /// The corners of all triangles, in units of length.
    pub vertices: Vec<[f32; 3]>,
    /// For each triangle the numbers of its three vertices.
    pub triangles: Vec<[u32; 3]>,
}

impl Geometry {
    /// Adds a vertex. Returns its number.
    ///
    /// # Panics
    /// When there are 2³² vertices already.
    pub fn vertex(&mut self, at: [f32; 3]) -> u32 {
        let number = u32::try_from(self.vertices.len()).expect("fewer than 2^32 vertices");
        self.vertices.push(at);
        number
    }

    /// Returns the least and the greatest coordinates of all vertices, or `None` if there is no vertex.
    pub fn bounds(&self) -> Option<[[f32; 3]; 2]> {
        let first = *self.vertices.first()?;
        let mut bounds = [first, first];
        for vertex in &self.vertices {
            for (axis, &value) in vertex.iter().enumerate() {
                bounds[0][axis] = bounds[0][axis].min(value);
                bounds[1][axis] = bounds[1][axis].max(value);
            }
        }
        Some(bounds)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_hold_every_vertex() {
        assert_eq!(Geometry::default().bounds(), None);
        let mut geometry = Geometry::default();
        assert_eq!(geometry.vertex([1., 2., 3.]), 0);
        assert_eq!(geometry.vertex([-1., 5., 0.]), 1);
        assert_eq!(geometry.bounds(), Some([[-1., 2., 0.], [1., 5., 3.]]));
    }
}
