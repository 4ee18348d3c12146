//! Meshes of triangles thrown together at random: nothing panics, and what is built is sound.

mod common;

use common::shape;
use portolan::NavMesh;
use portolan::generate::Random;
use portolan_formats::{Geometry, obj};
use portolan_mesh::{BuildError, BuildOptions, build};
use std::ops::ControlFlow;

/// Returns triangles of all sizes in a box. `flat` of a hundred lie level.
fn soup(random: &mut Random, flat: u64) -> Geometry {
    let mut geometry = Geometry::default();
    let mut coordinate = |limit: u64| random.below(limit * 8) as f32 / 8.;
    let high = 1. + coordinate(12);
    for triangle in 0..80 {
        let spread = [4, 12, 40][triangle % 3];
        let corner = [coordinate(40), coordinate(1 + high as u64), coordinate(40)];
        let is_flat = (triangle as u64 * 37) % 100 < flat;
        let first = geometry.vertices.len() as u32;
        for _ in 0..3 {
            let up = if is_flat { 0. } else { coordinate(6) };
            geometry.vertices.push([corner[0] + coordinate(spread), corner[1] + up, corner[2] + coordinate(spread)]);
        }
        geometry.triangles.extend([[first, first + 1, first + 2], [first, first + 2, first + 1]]);
    }
    geometry
}

#[test]
fn triangles_at_random_become_sound_meshes() {
    let mut random = Random::new(16);
    let (mut polygons, mut empty) = (0, 0);
    for round in 0..48 {
        let geometry = soup(&mut random, [0, 50, 90, 100][round % 4]);
        let mut options = BuildOptions::default();
        options.tile_size = [None, Some(16), Some(50)][round % 3];
        options.max_error = [1.3, 0., 4., 12.][round / 3 % 4];
        (options.min_region, options.radius) = [(8, 0.6), (0, 0.), (2, 0.3)][round / 5 % 3];
        (options.cell_size, options.max_corners) = [(0.3, 6), (0.5, 3), (0.15, 12)][round / 7 % 3];
        match build(&geometry, &options, &mut |_| ControlFlow::Continue(())) {
            Ok(parts) => {
                NavMesh::new(&parts).unwrap_or_else(|fault| panic!("round {round}: {fault}"));
                let found = shape(&parts);
                assert!(found.main <= found.area && found.pieces <= found.polygons, "round {round}: {found:?}");
                polygons += found.polygons;
            }
            Err(BuildError::NoGround) => empty += 1,
            Err(fault) => panic!("round {round}: {fault}"),
        }
    }
    println!("{polygons} polygons, {empty} soups without ground");
    assert!(polygons > 10_000 && empty < 24);
}

/// Returns a text with some of its numbers changed, some of them much.
fn damage(text: &str, random: &mut Random) -> Vec<u8> {
    let mut bytes = text.as_bytes().to_vec();
    for _ in 0..=random.below(3) {
        let digits: Vec<usize> = (0..bytes.len()).filter(|&at| bytes[at].is_ascii_digit()).collect();
        let at = digits[random.below(digits.len() as u64) as usize];
        let digit = b'0' + random.below(10) as u8;
        match random.below(8) {
            0 => drop(bytes.remove(at)),
            1 => drop(bytes.splice(at..at, [b'-', digit])),
            2 => [digit, b'e'].into_iter().for_each(|byte| bytes.insert(at + 1, byte)),
            3 => bytes.insert(at, digit),
            _ => bytes[at] = digit,
        }
    }
    bytes
}

/// Levels whose file was damaged have vertices far away, triangles without area and the like. Each is refused or built, and
/// stops after a few tiles when it is told to.
#[test]
fn damaged_levels_are_refused_or_built() {
    let level = "v 0 0 0\nv 0 0 9\nv 9 0 9\nv 9 0 0\nv 3 1e-1 3\nv 4 2 5\nf 1 2 3\nf 1 3 4\nf 4 5 6\nf 6 5 4\n";
    let mut random = Random::new(17);
    let (mut built, mut refused, mut stopped) = (0, 0, 0);
    for round in 0..300 {
        let Ok(geometry) = obj::read(&damage(level, &mut random)) else { continue };
        let mut options = BuildOptions::default();
        (options.tile_size, options.threads) = ([Some(16), Some(32), None][round % 3], 1);
        let stops = &mut |at: portolan_mesh::Progress| {
            if at.done < 12 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        match build(&geometry, &options, stops) {
            Ok(parts) => {
                built += 1;
                NavMesh::new(&parts).unwrap_or_else(|fault| panic!("round {round}: {fault}"));
            }
            Err(BuildError::Cancelled) => stopped += 1,
            Err(_) => refused += 1,
        }
    }
    println!("{built} built, {refused} refused, {stopped} stopped");
    assert!(built > 50 && refused + stopped > 10);
}
