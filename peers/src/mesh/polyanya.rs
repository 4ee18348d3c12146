//! Crate `polyanya`: an exact search at any angle. The mesh is one layer with heights, which tell floors above each other
//! apart. A query names the polygons of its ends, so that they are not looked for while the clock runs.

use super::{MeshAnswer, MeshEngine, MeshEntrant, MeshTrial, twice};
use crate::engine::{built, timed};
use glam::Vec2;
use polyanya::{Coords, Mesh, PolyanyaFile};
use portolan::NavMesh;
use portolan_formats::polyanya::{PolyanyaError, Version, write};

struct Polyanya {
    mesh: Mesh,
}

/// Returns the entrant, or why the mesh cannot be handed over.
pub(super) fn entrant(mesh: &NavMesh) -> Result<MeshEntrant, PolyanyaError> {
    let mut parts = mesh.to_parts();
    let heights: Vec<f32> = parts.vertices.iter().map(|[.., z]| *z as f32).collect();
    for vertex in &mut parts.vertices {
        vertex[2] = 0.0;
    }
    let text = write(&parts, Version::Two)?;
    let (mesh, build) = built(|| {
        let mesh = Mesh::try_from(PolyanyaFile::from_bytes(text.as_bytes()));
        let mut mesh = mesh.expect("a sound mesh has polygons at every vertex");
        mesh.layers[0].set_heights(heights.clone()).expect("every vertex has a height");
        mesh.bake();
        mesh
    });
    let algorithm = "polyanya".to_owned();
    Ok(MeshEntrant {
        engine: "polyanya",
        algorithm,
        rival: Some("polyanya"),
        build,
        runner: Box::new(Polyanya { mesh }),
    })
}

impl Polyanya {
    /// Returns a place with the polygon that the crate finds there.
    fn coords(&self, [x, y, z]: [f64; 3]) -> Option<Coords> {
        self.mesh.get_closest_point_at_height(Vec2::new(x as f32, y as f32), z as f32)
    }
}

impl MeshEngine for Polyanya {
    fn answer(&mut self, block: &[MeshTrial]) -> Vec<MeshAnswer> {
        twice(block, |trial| {
            let ends = self.coords(trial.start).zip(self.coords(trial.goal));
            let (path, took) = timed(|| ends.and_then(|(from, to)| self.mesh.path(from, to)));
            let start = [trial.start[0], trial.start[1]];
            let places = path.map(|path| {
                let rest = path.path.iter().map(|at| [f64::from(at.x), f64::from(at.y)]);
                std::iter::once(start).chain(rest).collect()
            });
            MeshAnswer { took, places }
        })
    }
}
