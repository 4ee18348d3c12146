//! Meshes of generated cities: their size, that all hangs together, and that ground lies above ground.

mod common;

use common::{Shape, shape};
use portolan::{MeshParts, NavMesh};
use portolan_mesh::{BuildOptions, CityOptions, build, city};
use std::ops::ControlFlow;

fn mesh(options: CityOptions, seed: u64, tile_size: Option<u16>) -> MeshParts {
    let mut how = BuildOptions::default();
    how.tile_size = tile_size;
    let built = build(&city(options, seed), &how, &mut |_| ControlFlow::Continue(()));
    built.unwrap_or_else(|fault| panic!("{options:?}, seed {seed}: {fault}"))
}

#[test]
fn the_small_city_has_the_stated_size_and_hangs_together() {
    let parts = mesh(CityOptions::SMALL, 1, None);
    NavMesh::new(&parts).unwrap_or_else(|fault| panic!("{fault}"));
    let Shape { polygons, area, main, pieces } = shape(&parts);
    println!("{polygons} polygons in {pieces} pieces, {main} of {area} square metres in the largest");
    assert!((5000..6000).contains(&polygons), "{polygons}");
    assert!(main > 0.98 * area, "{main} of {area}");
}

#[test]
fn cities_in_tiles_hang_together_as_in_one_piece() {
    for (seed, columns) in [(1, 3), (2, 4), (3, 5)] {
        let options = CityOptions::new(columns, 3).unwrap();
        let whole = shape(&mesh(options, seed, None));
        for side in [40, 64, 100] {
            let tiled = mesh(options, seed, Some(side));
            NavMesh::new(&tiled).unwrap_or_else(|fault| panic!("seed {seed} in tiles of {side}: {fault}"));
            let tiled = shape(&tiled);
            println!("seed {seed} in tiles of {side}: {tiled:?}, whole {whole:?}");
            assert!((tiled.main - whole.main).abs() < 0.01 * whole.main, "{tiled:?}, whole {whole:?}");
        }
    }
}

#[test]
fn sunken_roads_lead_under_bridges() {
    let parts = mesh(CityOptions::new(5, 4).unwrap(), 1, None);
    let corners = |polygon: usize| parts.polygon(polygon).iter().map(|&vertex| parts.vertices[vertex as usize]);
    let height = |polygon: usize| corners(polygon).map(|[.., z]| z).sum::<f64>() / corners(polygon).count() as f64;
    let is_above = |polygon: usize, [x, y]: [f64; 2]| {
        let corners: Vec<[f64; 3]> = corners(polygon).collect();
        (0..corners.len()).all(|i| {
            let ([a, b], [c, d]) = (
                [corners[i][0], corners[i][1]],
                [corners[(i + 1) % corners.len()][0], corners[(i + 1) % corners.len()][1]],
            );
            (c - a) * (y - b) - (d - b) * (x - a) <= 0.
        })
    };
    let low: Vec<usize> = (0..parts.polygons()).filter(|&polygon| height(polygon) < -4.).collect();
    let streets: Vec<usize> = (0..parts.polygons()).filter(|&polygon| height(polygon).abs() < 1.).collect();
    let covered = low
        .iter()
        .filter(|&&polygon| corners(polygon).any(|[x, y, _]| streets.iter().any(|&above| is_above(above, [x, y]))));
    let (covered, low) = (covered.count(), low.len());
    println!("{covered} of {low} polygons of sunken roads reach under streets");
    assert!(low > 30 && covered > 10, "{covered} of {low}");
}
