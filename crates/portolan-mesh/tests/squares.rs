//! Real square maps as meshes: as much ground, in pieces that hang together as the cells do.

mod common;

use common::shape;
use portolan::{Directions, NavMesh, Rules};
use portolan_formats::read_squares;
use portolan_mesh::from_squares;
use std::path::{Path, PathBuf};

#[test]
fn maps_keep_their_ground_and_pieces() {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let folder = std::env::var_os("PORTOLAN_MAPS").map_or_else(beside, PathBuf::from);
    for name in ["dao/brc503d.map", "wc3/drywatergulch.map", "random/random512-40-0.map"] {
        let path = folder.join(name);
        if !path.is_file() {
            println!("skipped: no map at {}; PORTOLAN_MAPS can name the folder", path.display());
            continue;
        }
        let rules = Rules { directions: Directions::Four, ..Rules::default() };
        let grid = read_squares(&path, rules).unwrap_or_else(|fault| panic!("{fault}"));
        let parts = from_squares(&grid);
        NavMesh::new(&parts).unwrap_or_else(|fault| panic!("{name}: {fault}"));
        let found = shape(&parts);
        println!("{name}: {} cells, {found:?}", grid.free_cells());
        assert!((found.area - grid.free_cells() as f64).abs() < 1e-6, "{name}: {found:?}");
        let mut components: Vec<u64> = grid.cells().filter_map(|cell| grid.component(cell)).collect();
        components.sort_unstable();
        let largest = components.chunk_by(|a, b| a == b).map(<[u64]>::len).max().unwrap_or(0);
        components.dedup();
        assert_eq!(found.pieces, components.len(), "{name}");
        assert!(
            (found.main - largest as f64).abs() < 1e-6 && found.polygons < grid.free_cells() / 2,
            "{name}: {found:?}"
        );
    }
}
