//! Builds meshes of real levels, in one piece and in tiles, and compares them.
//!
//! The levels are looked for in the folder `mesh` of the one that `PORTOLAN_MAPS` names, or else of `../shared/maps`
//! beside the repository.

mod common;

use common::{Shape, shape};
use portolan::{MeshParts, NavMesh};
use portolan_formats::{Geometry, obj};
use portolan_mesh::{BuildOptions, build};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

const LEVELS: [&str; 3] = ["dungeon", "nav_test", "undulating"];

/// Returns the geometry of a level, or prints that it is not there and returns `None`.
fn level(name: &str) -> Option<Geometry> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let folder = std::env::var_os("PORTOLAN_MAPS").map_or_else(beside, PathBuf::from);
    let path = folder.join("mesh").join(name).with_extension("obj");
    let Ok(bytes) = fs::read(&path) else {
        println!("skipped: no level at {}; PORTOLAN_MAPS can name the folder", path.display());
        return None;
    };
    Some(obj::read(&bytes).unwrap_or_else(|fault| panic!("{}: {fault}", path.display())))
}

fn mesh(geometry: &Geometry, tile_size: Option<u16>, threads: usize) -> MeshParts {
    let mut options = BuildOptions::default();
    (options.tile_size, options.threads) = (tile_size, threads);
    build(geometry, &options, &mut |_| ControlFlow::Continue(())).unwrap_or_else(|fault| panic!("{fault}"))
}

#[test]
fn levels_in_tiles_hang_together_as_in_one_piece() {
    for name in LEVELS {
        let Some(geometry) = level(name) else { continue };
        let whole = mesh(&geometry, None, 0);
        NavMesh::new(&whole).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let Shape { polygons, pieces, area, main } = shape(&whole);
        println!("{name}: {:?}", shape(&whole));
        for side in [32, 48, 64, 128] {
            let tiled = mesh(&geometry, Some(side), 0);
            NavMesh::new(&tiled).unwrap_or_else(|fault| panic!("{name} in tiles of {side}: {fault}"));
            let found = shape(&tiled);
            println!("{name} in tiles of {side}: {found:?}");
            assert!((found.area - area).abs() < 0.01 * area, "{name} in tiles of {side}: {found:?}, not {area}");
            assert!((found.main - main).abs() < 0.01 * main, "{name} in tiles of {side}: {found:?}, not {main}");
            assert_eq!(found.pieces, pieces, "{name} in tiles of {side}: {found:?}");
            assert!(found.polygons > polygons / 2, "{name} in tiles of {side}: {found:?}, not {polygons}");
        }
    }
}

#[test]
fn threads_do_not_change_a_mesh() {
    let Some(geometry) = level("nav_test") else { return };
    let alone = mesh(&geometry, Some(32), 1);
    for threads in [2, 3, 7] {
        assert!(mesh(&geometry, Some(32), threads) == alone, "{threads} threads");
    }
}
