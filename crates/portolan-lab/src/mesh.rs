//! Navigation meshes in the lab: queries on them, [`race`]s over them, and [`picture`]s of them.
//!
//! Places on a mesh are points and not cells, so meshes have queries and races of their own; results are the same
//! [`RaceResult`](crate::race::RaceResult)s.
//!
//! Not here: reading files, and making meshes.

pub mod batch;
pub mod mark;
pub mod picture;
pub mod race;

use portolan::generate::Random;
use portolan::{MeshPoint, NavMesh, Space};

/// A query that every algorithm answers.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct MeshTrial {
    /// The start.
    pub from: MeshPoint,
    /// The goal.
    pub to: MeshPoint,
}

/// The error for a mesh without a way from a polygon to another.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("no two free polygons of this mesh are connected")]
pub struct NoPairs;

/// Draws `count` pairs of points in different polygons, each with a way from the first to the second. Equal seeds give equal pairs.
///
/// # Errors
/// When no two polygons are connected.
pub fn random(mesh: &NavMesh, count: usize, seed: u64) -> Result<Vec<MeshTrial>, NoPairs> {
    let polygons = mesh.polygons() as u32;
    let connected = |a: u32, b: u32| a != b && mesh.reaches(mesh.centre(a), mesh.centre(b));
    let has_pair = |polygon: u32| mesh.neighbours(polygon).any(|next| connected(polygon, next));
    let mut links = (0..mesh.links().len()).map(|link| mesh.link_ends(link).map(|end| end.polygon));
    if !(0..polygons).any(has_pair) && !links.any(|[from, to]| connected(from, to)) {
        return Err(NoPairs);
    }
    let mut random = Random::new(seed);
    let mut trials = Vec::with_capacity(count);
    while trials.len() < count {
        let [from, to] = [0; 2].map(|_| random.below(u64::from(polygons)) as u32);
        if connected(from, to) {
            trials.push(MeshTrial { from: inside(mesh, from, &mut random), to: inside(mesh, to, &mut random) });
        }
    }
    Ok(trials)
}

/// Returns a random point of a polygon, its centre if rounding puts the point outside.
fn inside(mesh: &NavMesh, polygon: u32, random: &mut Random) -> MeshPoint {
    let corners: Vec<[f64; 3]> = mesh.corners(polygon).collect();
    let shares: Vec<f64> = corners.iter().map(|_| 1.0 + random.below(100) as f64).collect();
    let whole: f64 = shares.iter().sum();
    let mean = |axis: usize| corners.iter().zip(&shares).map(|(at, share)| at[axis] * share).sum::<f64>() / whole;
    let point = mesh.point_on(polygon, [mean(0), mean(1)]);
    point.unwrap_or_else(|| mesh.centre(polygon))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use portolan::MeshParts;

    /// Returns a mesh of `side` × `side` unit squares of which every seventh is missing.
    pub(crate) fn holed(side: u32) -> NavMesh {
        let mut parts = MeshParts::default();
        for y in 0..=side {
            parts.vertices.extend((0..=side).map(|x| [f64::from(x), f64::from(y), 0.0]));
        }
        for y in 0..side {
            for x in (0..side).filter(|x| (x + 3 * y) % 7 != 0) {
                let first = y * (side + 1) + x;
                parts.push(&[first, first + 1, first + side + 2, first + side + 1], 1);
            }
        }
        NavMesh::new(&parts).unwrap()
    }

    #[test]
    fn pairs_are_connected_and_repeat_with_their_seed() {
        let mesh = holed(12);
        let trials = random(&mesh, 100, 3).unwrap();
        assert_eq!(trials, random(&mesh, 100, 3).unwrap());
        assert_ne!(trials, random(&mesh, 100, 4).unwrap());
        for trial in trials {
            assert_eq!(mesh.component(trial.from), mesh.component(trial.to));
            assert!(mesh.contains(trial.from) && mesh.contains(trial.to) && trial.from.polygon != trial.to.polygon);
        }
        let mut alone = MeshParts { vertices: vec![[0., 0., 0.], [1., 0., 0.], [0., 1., 0.]], ..MeshParts::default() };
        alone.push(&[0, 1, 2], 1);
        assert_eq!(random(&NavMesh::new(&alone).unwrap(), 1, 1), Err(NoPairs));
    }
}
