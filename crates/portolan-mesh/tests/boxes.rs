//! Meshes of small levels made of boxes: layers, holes, options and faults.

mod common;

use common::shape;
use portolan::{MeshParts, NavMesh};
use portolan_formats::Geometry;
use portolan_mesh::{BuildError, BuildOptions, Progress, build};
use std::ops::ControlFlow;

/// Adds a box.
fn add_box(geometry: &mut Geometry, low: [f32; 3], high: [f32; 3]) {
    let corner = |i: usize| [0, 1, 2].map(|axis| if i >> axis & 1 == 0 { low[axis] } else { high[axis] });
    let first = geometry.vertices.len() as u32;
    geometry.vertices.extend((0..8).map(corner));
    for [a, b, c, d] in [[2, 6, 7, 3], [0, 1, 5, 4], [0, 2, 3, 1], [4, 5, 7, 6], [0, 4, 6, 2], [1, 3, 7, 5]] {
        geometry.triangles.push([a, b, c].map(|corner| first + corner));
        geometry.triangles.push([a, c, d].map(|corner| first + corner));
    }
}

/// Returns a floor with pillars, and a bridge above it that two ramps of steps lead to.
fn bridge() -> Geometry {
    let mut geometry = Geometry::default();
    add_box(&mut geometry, [0., -1., 0.], [40., 0., 40.]);
    add_box(&mut geometry, [10., 4., 15.], [30., 4.5, 25.]);
    for step in 0..15_u8 {
        let step = f32::from(step);
        add_box(&mut geometry, [step / 2. + 2.5, 0., 15.], [step / 2. + 3., (step + 1.) * 0.3, 25.]);
    }
    for pillar in [[20., 5.], [8., 33.], [31., 32.]] {
        add_box(&mut geometry, [pillar[0], 0., pillar[1]], [pillar[0] + 1., 5., pillar[1] + 1.]);
    }
    geometry
}

fn mesh(geometry: &Geometry, options: &BuildOptions) -> Result<MeshParts, BuildError> {
    build(geometry, options, &mut |_| ControlFlow::Continue(()))
}

fn with(change: impl Fn(&mut BuildOptions)) -> BuildOptions {
    let mut options = BuildOptions::default();
    change(&mut options);
    options
}

/// Returns the heights of all polygons of which a corner lies at most `near` from a place of the plan.
fn layers(parts: &MeshParts, at: [f64; 2], near: f64) -> Vec<f64> {
    let polygons = (0..parts.polygons()).map(|polygon| parts.polygon(polygon));
    let vertices = polygons.flatten().map(|&vertex| parts.vertices[vertex as usize]);
    let mut heights: Vec<f64> =
        vertices.filter(|[x, y, _]| (x - at[0]).abs() <= near && (y - at[1]).abs() <= near).map(|[.., z]| z).collect();
    heights.sort_by(f64::total_cmp);
    heights.dedup();
    heights
}

#[test]
fn a_bridge_and_the_ground_below_it_are_both_there() {
    for tile_size in [None, Some(16), Some(40), Some(100)] {
        let parts = mesh(&bridge(), &with(|options| options.tile_size = tile_size)).unwrap();
        NavMesh::new(&parts).unwrap_or_else(|fault| panic!("{tile_size:?}: {fault}"));
        let found = shape(&parts);
        println!("{tile_size:?}: {found:?}");
        assert!(found.polygons > 20 && found.pieces < 4, "{tile_size:?}: {found:?}");
        assert!(found.main > 1500. && found.main / found.area > 0.99, "{tile_size:?}: {found:?}");
        let on_the_bridge = layers(&parts, [25., 20.], 12.);
        assert!(on_the_bridge.iter().any(|&height| height < 0.5), "{tile_size:?}: {on_the_bridge:?}");
        assert!(on_the_bridge.iter().any(|&height| height > 4.), "{tile_size:?}: {on_the_bridge:?}");
    }
}

#[test]
fn agents_keep_their_radius_from_walls_and_polygons_their_number_of_corners() {
    let mut room = Geometry::default();
    add_box(&mut room, [0., -1., 0.], [20., 0., 20.]);
    for radius in [0., 0.6, 1.5] {
        let parts = mesh(&room, &with(|options| options.radius = radius)).unwrap();
        let least = parts.vertices.iter().flat_map(|vertex| vertex[..2].iter().copied()).fold(f64::MAX, f64::min);
        assert!((least - f64::from(radius)).abs() < 0.5, "{radius}: {least}");
    }
    for most in [3, 4, 6] {
        let parts = mesh(&bridge(), &with(|options| options.max_corners = most)).unwrap();
        let longest = (0..parts.polygons()).map(|polygon| parts.polygon(polygon).len()).max();
        assert_eq!(longest, Some(usize::from(most)));
    }
}

#[test]
fn steep_ground_is_left_out() {
    let mut ramp = Geometry::default();
    ramp.vertices.extend([[0., 0., 0.], [0., 0., 20.], [20., 20., 20.], [20., 20., 0.]]);
    ramp.triangles.extend([[0, 1, 2], [0, 2, 3]]);
    let steeper = |slope: f32| {
        let options = with(|options| (options.slope, options.climb) = (slope, 1.9));
        mesh(&ramp, &options)
    };
    assert!(steeper(46.).is_ok());
    assert_eq!(steeper(44.), Err(BuildError::NoGround));
}

#[test]
fn unsound_geometry_is_refused() {
    let options = BuildOptions::default();
    assert_eq!(mesh(&Geometry::default(), &options), Err(BuildError::Empty));
    let mut geometry = bridge();
    geometry.triangles[3][1] = 9999;
    let vertices = geometry.vertices.len();
    assert_eq!(mesh(&geometry, &options), Err(BuildError::NoVertex { triangle: 3, vertex: 9999, vertices }));
    let mut geometry = bridge();
    geometry.vertices[7][2] = f32::NAN;
    assert_eq!(mesh(&geometry, &options), Err(BuildError::NotFinite { vertex: 7 }));
    geometry.vertices[7][2] = 3e38;
    assert!(matches!(mesh(&geometry, &options), Err(BuildError::TooLarge { axis: "deep", .. })));
    let mut geometry = bridge();
    geometry.vertices[7][1] = 1e9;
    assert!(matches!(mesh(&geometry, &options), Err(BuildError::TooLarge { axis: "high", .. })));
    let tiny = with(|options| options.radius = 25.);
    assert_eq!(mesh(&bridge(), &tiny), Err(BuildError::NoGround));
}

#[test]
fn the_caller_sees_every_tile_and_can_stop() {
    let options = with(|options| options.tile_size = Some(32));
    let mut seen = Vec::new();
    build(&bridge(), &options, &mut |progress| {
        seen.push(progress);
        ControlFlow::Continue(())
    })
    .unwrap();
    let tiles = 5 * 5;
    assert_eq!(seen, (1..=tiles).map(|done| Progress { done, tiles }).collect::<Vec<_>>());
    let mut calls = 0;
    let stopped = build(&bridge(), &options, &mut |progress| {
        calls += 1;
        if progress.done == 3 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert_eq!((stopped, calls), (Err(BuildError::Cancelled), 3));
}

#[test]
fn a_level_with_too_many_vertices_for_one_piece_is_built_in_tiles() {
    let mut pillars = Geometry::default();
    add_box(&mut pillars, [0., -1., 0.], [300., 0., 300.]);
    for column in 0..142_u8 {
        for row in 0..142_u8 {
            let [x, z] = [column, row].map(|at| f32::from(at) * 2.1 + 1.05);
            add_box(&mut pillars, [x, 0., z], [x + 0.5, 3., z + 0.5]);
        }
    }
    let options = with(|options| (options.radius, options.min_region) = (0., 20));
    let mut tiles = Vec::new();
    let parts = build(&pillars, &options, &mut |progress| {
        tiles.push(progress.tiles);
        ControlFlow::Continue(())
    })
    .unwrap();
    assert_eq!(tiles, [vec![1], vec![16; 16]].concat(), "one piece first, then four by four tiles");
    assert!(parts.vertices.len() > 65_535, "{}", parts.vertices.len());
    NavMesh::new(&parts).unwrap_or_else(|fault| panic!("{fault}"));
    let found = shape(&parts);
    assert!(found.pieces == 1 && found.main > 75_000., "{found:?}");
}
