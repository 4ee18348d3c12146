//! Random meshes for tests.
//!
//! Not here: what is tested on them.

use super::parts::{MeshLink, MeshParts};
use super::{MeshPoint, NavMesh};
use crate::generate::Random;

/// Returns a mesh of `side` × `side` crooked squares of which some are missing; each of the others is one polygon or two
/// triangles. Weights are from 1 to `heaviest`.
pub(crate) fn crooked(random: &mut Random, side: u32, missing: u64, heaviest: u64) -> NavMesh {
    let mut parts = MeshParts::default();
    for y in 0..=side {
        for x in 0..=side {
            let mut off = || random.below(400) as f64 / 1000.0 - 0.2;
            parts.vertices.push([f64::from(x) + off(), f64::from(y) + off(), off()]);
        }
    }
    let vertex = |x: u32, y: u32| y * (side + 1) + x;
    for y in 0..side {
        for x in 0..side {
            let [a, b, c, d] = [vertex(x, y), vertex(x + 1, y), vertex(x + 1, y + 1), vertex(x, y + 1)];
            let weight = 1 + random.below(heaviest) as u8;
            match random.below(3) {
                _ if random.below(100) < missing => {}
                0 => parts.push(&[a, b, c, d], weight),
                1 => [[a, b, c], [a, c, d]].iter().for_each(|corners| parts.push(corners, weight)),
                _ => [[a, b, d], [b, c, d]].iter().for_each(|corners| parts.push(corners, weight)),
            }
        }
    }
    if parts.polygons() == 0 {
        parts.push(&[vertex(0, 0), vertex(1, 0), vertex(1, 1), vertex(0, 1)], 1);
    }
    NavMesh::new(&parts).expect("crooked squares are convex")
}

/// Returns the mesh with up to `most` links between random places: cheap and dear ones, in one direction and in both, some of
/// them on one polygon or between neighbours.
pub(crate) fn linked(random: &mut Random, mesh: &NavMesh, most: u64) -> NavMesh {
    let mut parts = mesh.to_parts();
    for _ in 0..=random.below(most) {
        let from = somewhere(random, mesh);
        let near: Vec<u32> = mesh.neighbours(from.polygon).chain([from.polygon]).collect();
        let place = random.below(near.len() as u64) as usize;
        let to = match random.below(4) {
            0 => inside(random, mesh, near[place]),
            _ => somewhere(random, mesh),
        };
        let apart = from.spot().distance(to.spot()) * mesh.step();
        let cost = apart * [0.0, 0.3, 0.9, 1.0, 1.5, 4.0][random.below(6) as usize];
        let [from, to] = [from, to].map(|at| mesh.coordinates(at));
        parts.links.push(MeshLink { from, to, cost, both_ways: random.below(2) == 0 });
    }
    NavMesh::new(&parts).expect("links between places of the mesh")
}

/// Returns a mesh with two floors above each other, which a ramp joins at one end.
pub(crate) fn two_floors() -> NavMesh {
    let mut parts = MeshParts::default();
    // Columns 0 to 4 at height 0, back at height 3, joined by a ramp around column 5.
    let mut row = |x: f64, ys: [f64; 2], z: f64| {
        let first = parts.vertices.len() as u32;
        parts.vertices.extend([[x, ys[0], z], [x, ys[1], z]]);
        [first, first + 1]
    };
    let lower: Vec<[u32; 2]> = (0..5).map(|x| row(f64::from(x), [0.0, 1.0], 0.0)).collect();
    let turn = [row(5.0, [0.0, 1.0], 0.5), row(5.0, [2.0, 3.0], 2.5)];
    let upper: Vec<[u32; 2]> = (0..5).rev().map(|x| row(f64::from(x), [0.0, 1.0], 3.0)).collect();
    let side = row(4.0, [2.0, 3.0], 3.0);
    for pair in lower.windows(2).chain([[lower[4], turn[0]]].iter().map(|pair| &pair[..])) {
        parts.push(&[pair[0][0], pair[1][0], pair[1][1], pair[0][1]], 1);
    }
    // The ramp leads down at x = 5 from y = 1 to y = 2, to the left at y = 2 to 3, and up again to the upper floor.
    let corner = parts.vertices.len() as u32;
    parts.vertices.extend([[6.0, 1.0, 1.0], [6.0, 2.0, 2.0], [3.0, 2.0, 3.0]]);
    parts.push(&[turn[0][1], corner, corner + 1, turn[1][0]], 1);
    parts.push(&[turn[0][0], corner, turn[0][1]], 1);
    parts.push(&[turn[1][0], corner + 1, turn[1][1]], 1);
    parts.push(&[turn[1][0], turn[1][1], side[1], side[0]], 1);
    parts.push(&[upper[0][1], turn[1][0], side[0]], 1);
    parts.push(&[upper[1][1], upper[0][1], side[0], corner + 2], 1);
    for pair in upper.windows(2) {
        parts.push(&[pair[1][0], pair[0][0], pair[0][1], pair[1][1]], 1);
    }
    NavMesh::new(&parts).expect("the floors are convex polygons")
}

/// Returns a random point of a random free polygon.
pub(crate) fn somewhere(random: &mut Random, mesh: &NavMesh) -> MeshPoint {
    loop {
        let polygon = random.below(mesh.polygons() as u64) as u32;
        if mesh.is_free(polygon) {
            return inside(random, mesh, polygon);
        }
    }
}

/// Returns a random point of a polygon.
pub(crate) fn inside(random: &mut Random, mesh: &NavMesh, polygon: u32) -> MeshPoint {
    let corners: Vec<[f64; 3]> = mesh.corners(polygon).collect();
    let shares: Vec<f64> = corners.iter().map(|_| 1.0 + random.below(100) as f64).collect();
    let whole: f64 = shares.iter().sum();
    let mean = |axis: usize| corners.iter().zip(&shares).map(|(at, share)| at[axis] * share).sum::<f64>() / whole;
    MeshPoint::new(polygon, mesh.in_steps([mean(0), mean(1)]))
}

/// Returns a connected handful of polygons, and polygons to put in their place: none, these again, or each of them in
/// triangles, wound this way or that.
pub(crate) fn replacement(random: &mut Random, mesh: &NavMesh, most: u64) -> (Vec<u32>, MeshParts) {
    let mut removed = vec![random.below(mesh.polygons() as u64) as u32];
    let count = 1 + random.below(most) as usize;
    let mut next = 0;
    while removed.len() < count && next < removed.len() {
        let near: Vec<u32> = mesh.neighbours(removed[next]).filter(|near| !removed.contains(near)).collect();
        removed.extend(near.into_iter().take(count - removed.len()));
        next += 1;
    }
    let mut added = MeshParts::default();
    let (kind, is_turned) = (random.below(4), random.below(2) == 0);
    if kind == 0 && removed.len() < mesh.polygons() {
        return (removed, added);
    }
    for &polygon in &removed {
        let corners: Vec<u32> = mesh.corners(polygon).map(|at| vertex_at(&mut added, at)).collect();
        let weight = 1 + random.below(2) as u8;
        let around: Vec<[u32; 2]> =
            (0..corners.len()).map(|at| [corners[at], corners[(at + 1) % corners.len()]]).collect();
        match kind {
            1 => added.push(&corners, mesh.terrain(polygon).weight()),
            2 => (2..corners.len()).for_each(|at| added.push(&[corners[0], corners[at - 1], corners[at]], weight)),
            _ => {
                let centre = vertex_at(&mut added, mesh.coordinates(mesh.centre(polygon)));
                for [a, b] in around {
                    added.push(&[a, b, centre], weight);
                }
            }
        }
    }
    if is_turned {
        for polygon in 0..added.polygons() {
            let range = added.first_corner[polygon] as usize..added.first_corner[polygon + 1] as usize;
            added.corners[range].reverse();
        }
    }
    (removed, added)
}

/// Returns the vertex at a place, which is added if there is none.
pub(crate) fn vertex_at(parts: &mut MeshParts, at: [f64; 3]) -> u32 {
    let known = parts.vertices.iter().position(|known| known.map(f64::to_bits) == at.map(f64::to_bits));
    known.unwrap_or_else(|| {
        parts.vertices.push(at);
        parts.vertices.len() - 1
    }) as u32
}
