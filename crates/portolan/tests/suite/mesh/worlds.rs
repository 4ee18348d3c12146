//! Meshes and planners for the other tests. Coordinates are multiples of 1/1024, which a mesh keeps exactly.
//!
//! Not here: tests.

use crate::worlds::Pictured;
use portolan::generate::Random;
use portolan::settings::{Param, Range};
use portolan::{MESH_ALGORITHMS, MeshEdit, MeshParts, MeshPoint, NavMesh, Planner, Snapshot, Space, Terrain};
use std::fmt::Write;

/// Returns the mesh of a picture, in which every letter is a square of side 1: `#` is no polygon at all, `X` a blocked
/// one, a digit from 1 to 9 a weight, and anything else ground of weight 1.
pub(crate) fn draw(picture: &str) -> Snapshot<NavMesh> {
    let rows: Vec<&str> = picture.lines().map(str::trim).filter(|row| !row.is_empty()).collect();
    let columns = rows[0].len() as u32;
    let mut parts = MeshParts::default();
    for y in 0..=rows.len() as u32 {
        parts.vertices.extend((0..=columns).map(|x| [f64::from(x), f64::from(y), 0.0]));
    }
    for (row, y) in rows.iter().zip(0..) {
        for (letter, x) in row.bytes().zip(0..).filter(|&(letter, _)| letter != b'#') {
            let first = y * (columns + 1) + x;
            let weight = if letter == b'X' { 0 } else { crate::worlds::weight(letter) };
            parts.push(&[first, first + 1, first + columns + 2, first + columns + 1], weight);
        }
    }
    Snapshot::from(NavMesh::new(&parts).expect("squares are convex"))
}

/// Returns the mesh of rectangles, each from one corner to the opposite one, with the heights of its corners.
pub(crate) fn rectangles(all: &[([f64; 2], [f64; 2], [f64; 4])]) -> Snapshot<NavMesh> {
    let mut parts = MeshParts::default();
    for &([left, top], [right, bottom], [a, b, c, d]) in all {
        let corners = [[left, top, a], [right, top, b], [right, bottom, c], [left, bottom, d]];
        let polygon = corners.map(|at| {
            let known = parts.vertices.iter().position(|other| other.map(f64::to_bits) == at.map(f64::to_bits));
            known.unwrap_or_else(|| {
                parts.vertices.push(at);
                parts.vertices.len() - 1
            }) as u32
        });
        parts.push(&polygon, 1);
    }
    Snapshot::from(NavMesh::new(&parts).expect("rectangles are convex"))
}

/// Returns a corridor, one above it, and a way up from one to the other around a wall without width.
pub(crate) fn two_floors() -> Snapshot<NavMesh> {
    rectangles(&[
        ([0.0, 0.0], [5.0, 2.0], [0.0; 4]),
        ([5.0, 0.0], [10.0, 2.0], [0.0; 4]),
        ([10.0, 0.0], [12.0, 2.0], [0.0; 4]),
        ([10.0, 2.0], [12.0, 6.0], [0.0, 0.0, 4.0, 4.0]),
        ([10.0, 6.0], [12.0, 8.0], [4.0; 4]),
        ([8.0, 6.0], [10.0, 8.0], [4.0; 4]),
        ([8.0, 2.0], [10.0, 6.0], [4.0; 4]),
        ([8.0, 0.0], [10.0, 2.0], [4.0; 4]),
        ([0.0, 0.0], [8.0, 2.0], [4.0; 4]),
    ])
}

/// Returns a number as a multiple of 1/1024.
fn rounded(number: f64) -> f64 {
    (number * 1024.0).round() / 1024.0
}

/// Returns whether there is a way from one point to another.
pub(crate) fn are_connected(world: &NavMesh, a: MeshPoint, b: MeshPoint) -> bool {
    world.component(a).is_some() && world.component(a) == world.component(b)
}

/// Adds the quadrilateral with these corners as one polygon or as two triangles.
fn push(random: &mut Random, parts: &mut MeshParts, [a, b, c, d]: [u32; 4], weight: u8) {
    match random.below(3) {
        0 => parts.push(&[a, b, c, d], weight),
        1 => [[a, b, c], [a, c, d]].iter().for_each(|corners| parts.push(corners, weight)),
        _ => [[a, b, d], [b, c, d]].iter().for_each(|corners| parts.push(corners, weight)),
    }
}

/// Returns the weight of a random polygon: 0 if it is blocked.
fn weight(random: &mut Random, heaviest: u64) -> u8 {
    if random.below(12) == 0 { 0 } else { 1 + random.below(heaviest) as u8 }
}

/// Adds crooked squares, of which some are missing.
fn crooked(random: &mut Random, parts: &mut MeshParts, heaviest: u64) {
    let (side, missing) = (2 + random.below(6) as u32, random.below(40));
    for y in 0..=side {
        for x in 0..=side {
            let mut off = || random.below(400) as f64 / 1024.0 - 0.1875;
            parts.vertices.push([f64::from(x) + off(), f64::from(y) + off(), off()]);
        }
    }
    for y in 0..side {
        for x in 0..side {
            let first = y * (side + 1) + x;
            let corners = [first, first + 1, first + side + 2, first + side + 1];
            let weight = weight(random, heaviest);
            if random.below(100) >= missing {
                push(random, parts, corners, weight);
            }
        }
    }
}

/// Adds a spiral ramp of up to three turns, so that floors lie above each other. Some parts of it are missing.
fn spiral(random: &mut Random, parts: &mut MeshParts, heaviest: u64) {
    let (wide, long, missing) = (1 + random.below(3) as u32, 4 + random.below(26) as u32, random.below(12));
    for step in 0..=long {
        let (sin, cos) = (f64::from(step) * std::f64::consts::TAU / 10.0).sin_cos();
        for ring in 0..=wide {
            let radius = 1.0 + f64::from(ring);
            parts.vertices.push([rounded(radius * cos), rounded(radius * sin), f64::from(step) / 2.0]);
        }
    }
    for step in 0..long {
        for ring in 0..wide {
            let first = step * (wide + 1) + ring;
            let weight = weight(random, heaviest);
            if random.below(100) >= missing {
                push(random, parts, [first, first + 1, first + wide + 2, first + wide + 1], weight);
            }
        }
    }
}

/// Returns a random mesh of up to a hundred polygons: crooked squares, or a spiral ramp. Some polygons are blocked, and in
/// one mesh of three weights differ.
pub(crate) fn random_mesh(random: &mut Random) -> NavMesh {
    let heaviest = if random.below(3) == 0 { 9 } else { 1 };
    loop {
        let mut parts = MeshParts::default();
        if random.below(3) == 0 {
            spiral(random, &mut parts, heaviest);
        } else {
            crooked(random, &mut parts, heaviest);
        }
        let free = parts.weights.iter().filter(|&&weight| weight != 0).count();
        if free > 0 {
            return NavMesh::new(&parts).unwrap_or_else(|error| panic!("{error}: {parts:?}"));
        }
    }
}

/// Returns a random point of a polygon: inside it, in the middle of an edge, or on a corner.
pub(crate) fn point_in(random: &mut Random, mesh: &NavMesh, polygon: u32) -> MeshPoint {
    let corners: Vec<[f64; 3]> = mesh.corners(polygon).collect();
    let first = random.below(corners.len() as u64) as usize;
    let [a, b] = [0, 1].map(|next| corners[(first + next) % corners.len()]);
    let at = match random.below(8) {
        0 => [a[0], a[1]],
        1 => [f64::midpoint(a[0], b[0]), f64::midpoint(a[1], b[1])],
        _ => {
            let shares: Vec<f64> = corners.iter().map(|_| 1.0 + random.below(100) as f64).collect();
            let whole: f64 = shares.iter().sum();
            [0, 1].map(|axis| corners.iter().zip(&shares).map(|(at, share)| at[axis] * share).sum::<f64>() / whole)
        }
    };
    mesh.point_on(polygon, at).expect("a mean of corners lies in a convex polygon")
}

/// Returns a random point of a random polygon, blocked or not.
pub(crate) fn anywhere(random: &mut Random, mesh: &NavMesh) -> MeshPoint {
    let polygon = random.below(mesh.polygons() as u64) as u32;
    point_in(random, mesh, polygon)
}

/// Returns a random point of a random free polygon, or `None` if all are blocked.
pub(crate) fn somewhere(random: &mut Random, mesh: &NavMesh) -> Option<MeshPoint> {
    let free: Vec<u32> = (0..mesh.polygons() as u32).filter(|&polygon| mesh.terrain(polygon).is_free()).collect();
    (!free.is_empty()).then(|| {
        let polygon = free[random.below(free.len() as u64) as usize];
        point_in(random, mesh, polygon)
    })
}

/// Returns up to three random edits, which block and open polygons, and give them weights unless the mesh shall stay
/// uniform.
pub(crate) fn random_edits(random: &mut Random, mesh: &NavMesh, stays_uniform: bool) -> Vec<MeshEdit> {
    let count = 1 + random.below(3);
    let mut edit = || {
        let polygon = random.below(mesh.polygons() as u64) as u32;
        let weight = random.below(if stays_uniform { 2 } else { 5 }) as u8;
        MeshEdit::new(polygon, Terrain::of_weight(weight))
    };
    (0..count).map(|_| edit()).collect()
}

/// Runs a test on `count` random meshes, with a random free point of each.
pub(crate) fn on_random_meshes(
    seed: u64,
    count: usize,
    mut test: impl FnMut(&mut Random, &Snapshot<NavMesh>, MeshPoint),
) {
    let mut random = Random::new(seed);
    for _ in 0..count {
        let world = Snapshot::from(random_mesh(&mut random));
        let from = somewhere(&mut random, &world).expect("a polygon is free");
        test(&mut random, &world, from);
    }
}

impl Pictured for NavMesh {
    /// Returns the corners of every polygon in the plan, and its weight.
    fn picture(&self) -> String {
        let mut text = String::new();
        for polygon in 0..self.polygons() as u32 {
            let corners: Vec<[f64; 3]> = self.corners(polygon).collect();
            writeln!(text, "{polygon}: {} {corners:?}", self.terrain(polygon).weight()).expect("strings take all");
        }
        text
    }
}

/// Returns the values that a setting is tested with: all choices, and numbers that make few or many levels and nodes.
fn values(param: &Param) -> Vec<String> {
    let words: &[&str] = match (param.name, param.range) {
        (_, Range::Choice(words)) => words,
        ("levels", _) => &["1", "3"],
        ("merge", _) => &["2", "5"],
        _ => return vec![param.default.to_string()],
    };
    words.iter().map(ToString::to_string).collect()
}

/// Builds planners of every algorithm that suits the mesh, one for each combination of the values to be tested.
pub(crate) fn planners(world: &Snapshot<NavMesh>) -> Vec<Planner<NavMesh>> {
    let mut planners = Vec::new();
    for algorithm in MESH_ALGORITHMS.iter().filter(|algorithm| algorithm.suits(world).is_ok()) {
        let mut combinations: Vec<Vec<(&str, String)>> = vec![vec![]];
        for param in algorithm.params {
            let with = |set: &Vec<(&'static str, String)>, value| [set.clone(), vec![(param.name, value)]].concat();
            combinations = combinations
                .iter()
                .flat_map(|set| values(param).into_iter().map(move |value| with(set, value)))
                .collect();
        }
        for set in combinations {
            let settings = algorithm.settings(&set).expect("sound settings");
            planners.push(Planner::build(world, algorithm, settings).expect("it suits"));
        }
    }
    planners
}

/// Returns a planner with this algorithm and these settings.
pub(crate) fn build(world: &Snapshot<NavMesh>, name: &str, settings: &[(&str, &str)]) -> Planner<NavMesh> {
    let algorithm = MESH_ALGORITHMS.iter().find(|algorithm| algorithm.name == name).expect("a known name");
    Planner::build(world, algorithm, algorithm.settings(settings).expect("sound settings")).expect("it suits")
}
