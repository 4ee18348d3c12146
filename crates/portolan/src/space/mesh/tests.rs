//! Tests of meshes and of the routes that all algorithms find on them. Not here: tests of one algorithm.

use super::scenery::{crooked, inside, linked, somewhere, two_floors};
use super::*;
use crate::generate::Random;
use crate::planner::Planner;
use crate::query::{Outcome, Query};
use crate::registry::MESH_ALGORITHMS;
use crate::scratch::Scratch;
use crate::space::{Motion, Space, World};
use std::collections::BTreeMap;

fn square_parts() -> MeshParts {
    let vertices = vec![[0., 0., 0.], [4., 0., 0.], [4., 4., 0.], [0., 4., 0.], [8., 0., 0.], [8., 4., 0.]];
    MeshParts { vertices, ..MeshParts::default() }
}

#[test]
fn faults_are_refused_with_the_polygon_and_edge() {
    let refused = |change: &dyn Fn(&mut MeshParts)| {
        let mut parts = square_parts();
        parts.push(&[0, 1, 2, 3], 1);
        parts.push(&[1, 4, 5, 2], 1);
        change(&mut parts);
        NavMesh::new(&parts).map(|_| ()).unwrap_err()
    };
    assert_eq!(NavMesh::new(&MeshParts::default()).map(|_| ()), Err(MeshError::Empty));
    assert_eq!(refused(&|parts| parts.vertices[4][1] = f64::NAN), MeshError::NotFinite { vertex: 4 });
    assert_eq!(refused(&|parts| parts.vertices[2][0] = f64::INFINITY), MeshError::NotFinite { vertex: 2 });
    assert_eq!(refused(&|parts| parts.corners[5] = 9), MeshError::NoVertex { polygon: 1, edge: 1, vertex: 9 });
    assert_eq!(refused(&|parts| parts.push(&[0, 1], 1)), MeshError::Degenerate { polygon: 2, edge: 0 });
    assert_eq!(refused(&|parts| parts.push(&[0, 1, 4], 1)), MeshError::Degenerate { polygon: 2, edge: 0 });
    assert_eq!(refused(&|parts| parts.push(&[3, 2, 5, 0], 1)), MeshError::Winding { polygon: 2, edge: 0 });
    assert_eq!(refused(&|parts| parts.push(&[0, 1, 2], 1)), MeshError::NotManifold { polygon: 2, edge: 0 });
    assert_eq!(refused(&|parts| parts.weights.push(1)), MeshError::Weights { polygons: 2, weights: 3 });
    assert_eq!(refused(&|parts| parts.first_corner[1] = 9), MeshError::Corners { polygon: 1 });
    let dent = refused(&|parts| {
        parts.vertices.push([1., 1., 0.]);
        parts.corners[2] = 6;
        parts.first_corner[1] = 4;
    });
    assert_eq!(dent, MeshError::NotConvex { polygon: 0, edge: 1 });
}

#[test]
fn both_windings_are_taken_and_edges_keep_their_numbers_in_errors() {
    let mut parts = square_parts();
    parts.push(&[3, 2, 1, 0], 1);
    parts.push(&[2, 5, 4, 1], 1);
    let mesh = NavMesh::new(&parts).unwrap();
    assert_eq!((mesh.polygons(), mesh.portals(), mesh.components()), (2, 1, 1));
    parts.push(&[3, 2, 1], 1);
    assert_eq!(NavMesh::new(&parts).map(|_| ()), Err(MeshError::NotManifold { polygon: 2, edge: 1 }));
}

#[test]
fn a_mesh_becomes_parts_and_a_mesh_again() {
    let mut random = Random::new(3);
    for _ in 0..20 {
        let mesh = crooked(&mut random, 6, 20, 3);
        let parts = mesh.to_parts();
        assert_eq!(NavMesh::new(&parts).unwrap().to_parts(), parts);
        let parts = linked(&mut random, &mesh, 9).to_parts();
        assert_eq!(NavMesh::new(&parts).unwrap().to_parts(), parts);
    }
}

#[test]
fn points_are_found_where_a_scan_finds_them() {
    let mut random = Random::new(5);
    for _ in 0..20 {
        let mesh = crooked(&mut random, 8, 30, 1);
        for _ in 0..200 {
            let mut at = || random.below(10_000) as f64 / 1000.0 - 1.0;
            let at = [at(), at()];
            let spot = mesh.in_steps(at);
            let scanned = (0..mesh.polygons()).filter(|&polygon| mesh.shape.covers(polygon, spot)).count();
            assert_eq!(mesh.point(at).is_some(), scanned > 0, "{at:?}");
            assert!(mesh.contains(mesh.nearest([at[0], at[1], 0.0]).unwrap()));
            if let Some(point) = mesh.point(at) {
                let near = mesh.nearest([at[0], at[1], mesh.height(point)]).unwrap();
                assert!(mesh.contains(point) && near.spot() == spot);
            }
        }
    }
}

#[test]
fn the_nearest_point_is_the_nearest_of_all_polygons() {
    let mut random = Random::new(6);
    for _ in 0..10 {
        let mesh = crooked(&mut random, 8, 60, 1);
        for _ in 0..100 {
            let mut at = || random.below(30_000) as f64 / 1000.0 - 10.0;
            let at = [at(), at(), 0.0];
            let off = |point: MeshPoint| {
                let [x, y, z] = mesh.coordinates(point);
                ((x - at[0]).powi(2) + (y - at[1]).powi(2) + (z - at[2]).powi(2)).sqrt()
            };
            let found = off(mesh.nearest(at).unwrap());
            let spot = mesh.in_steps([at[0], at[1]]);
            for polygon in 0..mesh.polygons() as u32 {
                for edge in mesh.shape.edges(polygon as usize) {
                    let foot = MeshPoint::new(polygon, plan::nearest_on(edge, spot));
                    assert!(found <= off(foot) + 1e-5, "{found} and {}", off(foot));
                }
            }
        }
    }
}

#[test]
fn floors_above_each_other_are_told_apart_by_height() {
    let mesh = two_floors();
    assert_eq!(mesh.components(), 1);
    let [low, high] = [0.0, 3.0].map(|z| mesh.point_near([1.5, 0.5, z]).unwrap());
    assert!(low.polygon != high.polygon && mesh.height(high) > 2.9 && mesh.height(low) < 0.1);
    assert_eq!(mesh.point([1.5, 0.5]), Some(high));
    assert_eq!(mesh.segment(low, high, Motion::AnyAngle), None);
    let world = World::from(mesh);
    for algorithm in MESH_ALGORITHMS {
        let planner = algorithm.build(&world).unwrap();
        let Outcome::Reached(route) = planner.find(&world, Query::new(low, high), &mut Scratch::new()).unwrap() else {
            panic!("a ramp joins the floors")
        };
        route.check(&world).unwrap();
        assert!(route.length(&world) > 8.0, "{} went through the floor", algorithm.name);
    }
}

/// Returns the cost of the cheapest route of links and straight lines between vertices and ends of links: any shortest route
/// turns only there.
fn shortest(mesh: &NavMesh, from: MeshPoint, to: MeshPoint) -> Option<u32> {
    let mut places = vec![from, to];
    for polygon in 0..mesh.polygons() as u32 {
        let corners = &mesh.shape.corners[mesh.shape.corner_range(polygon as usize)];
        places.extend(corners.iter().map(|&vertex| MeshPoint::new(polygon, mesh.shape.spots[vertex as usize])));
    }
    places.extend((0..mesh.links().len()).flat_map(|link| mesh.link_ends(link)));
    let mut costs: BTreeMap<usize, u32> = BTreeMap::from([(0, 0)]);
    let mut done = vec![false; places.len()];
    while let Some((&at, &cost)) = costs.iter().filter(|&(&at, _)| !done[at]).min_by_key(|&(_, &cost)| cost) {
        if at == 1 {
            return Some(cost);
        }
        done[at] = true;
        for next in (0..places.len()).filter(|&next| !done[next]) {
            if let Some(more) = mesh.segment(places[at], places[next], Motion::AnyAngle) {
                let sum = cost + more.0;
                costs.entry(next).and_modify(|known| *known = sum.min(*known)).or_insert(sum);
            }
        }
    }
    None
}

/// Rounding adds at most half a unit for each line of a route.
const ROUNDING: u32 = 32;

#[test]
fn routes_are_legal_complete_and_no_shorter_than_the_shortest() {
    let mut random = Random::new(11);
    let mut ratios = BTreeMap::<&str, Vec<f64>>::new();
    for round in 0..100 {
        let plain = crooked(&mut random, 5, 35, 1);
        let world = World::from(if round < 40 {
            plain
        } else {
            let mut parts = linked(&mut random, &plain, 6).to_parts();
            parts.weights.fill(1 + round % 3);
            NavMesh::new(&parts).unwrap()
        });
        let planners: Vec<Planner<NavMesh>> =
            MESH_ALGORITHMS.iter().map(|algorithm| algorithm.build(&world).unwrap()).collect();
        let mut scratch = Scratch::new();
        for _ in 0..6 {
            let (from, to) = (somewhere(&mut random, &world), somewhere(&mut random, &world));
            let least = shortest(&world, from, to);
            assert_eq!(least.is_some(), world.reaches(from, to));
            for planner in &planners {
                let name = planner.algorithm().name;
                match (planner.find(&world, Query::new(from, to), &mut scratch).unwrap(), least) {
                    (Outcome::Reached(route), Some(least)) => {
                        route.check(&world).unwrap_or_else(|error| panic!("{name}: {error}"));
                        let cells = route.cells();
                        assert_eq!((cells[0], cells[cells.len() - 1]), (from, to), "{name}");
                        assert!(route.cost().0 + ROUNDING >= least, "{name}: {} and {least}", route.cost());
                        if round < 40 {
                            let ratio = f64::from(route.cost().0.max(1)) / f64::from(least.max(1));
                            ratios.entry(name).or_default().push(ratio);
                        }
                        if planner.promise(&world) == crate::algorithm::Promise::Optimal {
                            assert!(route.cost().0 <= least + ROUNDING, "{name}: {} and {least}", route.cost());
                        }
                    }
                    (Outcome::Unreachable, None) => {}
                    (outcome, _) => panic!("{name}: {} and {least:?}", outcome.name()),
                }
            }
        }
    }
    for (name, ratios) in ratios {
        let mean = ratios.iter().sum::<f64>() / ratios.len() as f64;
        assert!(mean < 1.03, "{name}: routes are {mean} times the shortest");
    }
}

#[test]
fn routes_over_weights_are_legal_and_their_costs_true() {
    let mut random = Random::new(12);
    for round in 0..120 {
        let plain = crooked(&mut random, 8, 25, 5);
        let world = World::from(if round < 60 { plain } else { linked(&mut random, &plain, 9) });
        let mut scratch = Scratch::new();
        for algorithm in MESH_ALGORITHMS.iter().filter(|algorithm| algorithm.suits(&world).is_ok()) {
            let planner = algorithm.build(&world).unwrap();
            for _ in 0..10 {
                let (from, to) = (somewhere(&mut random, &world), somewhere(&mut random, &world));
                let found = planner.find(&world, Query::new(from, to), &mut scratch).unwrap();
                match found.route() {
                    Some(route) => route.check(&world).unwrap_or_else(|error| panic!("{}: {error}", algorithm.name)),
                    None => assert!(!world.reaches(from, to)),
                }
            }
        }
    }
}

#[test]
fn a_line_lists_the_polygons_below_it() {
    let mut random = Random::new(13);
    let mesh = crooked(&mut random, 10, 10, 1);
    let mut crossed = 0;
    for _ in 0..500 {
        let (from, to) = (somewhere(&mut random, &mesh), somewhere(&mut random, &mesh));
        if mesh.segment(from, to, Motion::AnyAngle).is_none() {
            continue;
        }
        let mut steps = vec![from];
        mesh.steps_below(from, to, &mut steps);
        assert_eq!(steps.last().map(|at| at.polygon), Some(to.polygon));
        for pair in steps.windows(2) {
            let is_near = pair[0].polygon == pair[1].polygon
                || mesh.neighbours(pair[0].polygon).any(|next| next == pair[1].polygon);
            assert!(is_near && mesh.contains(pair[1]), "{pair:?}");
        }
        crossed += steps.len();
    }
    assert!(crossed > 300);
}

#[test]
fn a_slice_at_a_time_gives_the_same_route() {
    let mut random = Random::new(14);
    let plain = crooked(&mut random, 20, 20, 1);
    let world = World::from(linked(&mut random, &plain, 9));
    let (mut whole, mut sliced) = (Scratch::new(), Scratch::new());
    for algorithm in MESH_ALGORITHMS {
        let planner = algorithm.build(&world).unwrap();
        for _ in 0..20 {
            let query = Query::new(somewhere(&mut random, &world), somewhere(&mut random, &world));
            let found = planner.find(&world, query, &mut whole).unwrap();
            planner.begin(&world, query, &mut sliced).unwrap();
            let again = loop {
                if let Some(outcome) = planner.step(&world, &mut sliced, 3).unwrap() {
                    break outcome;
                }
            };
            assert_eq!(found, again, "{}", algorithm.name);
        }
    }
}

#[test]
fn the_nearest_reachable_point_ends_a_partial_route() {
    let mut random = Random::new(15);
    let plain = crooked(&mut random, 8, 55, 1);
    let linked = linked(&mut random, &plain, 9);
    for world in [plain, linked].map(World::from) {
        assert!(world.components() > 1);
        check_partial_routes(&mut random, &world);
    }
}

fn check_partial_routes(random: &mut Random, world: &World<NavMesh>) {
    let mut scratch = Scratch::new();
    for algorithm in MESH_ALGORITHMS {
        let planner = algorithm.build(world).unwrap();
        for _ in 0..50 {
            let query = Query::new(somewhere(random, world), somewhere(random, world)).nearest();
            match planner.find(world, query, &mut scratch).unwrap() {
                Outcome::Reached(_) => assert!(world.reaches(query.from, query.to)),
                Outcome::Partial(route) => {
                    route.check(world).unwrap();
                    let end = *route.cells().last().unwrap();
                    assert_eq!(Some(end), world.nearest_reachable(query.from, query.to));
                }
                other => panic!("{}", other.name()),
            }
        }
    }
}

#[test]
fn edits_change_terrain_and_components_and_wrong_ones_nothing() {
    let mut world = World::from(two_floors());
    let edit = |polygon| MeshEdit::new(polygon, Terrain::BLOCKED);
    assert!(world.apply(&[edit(0), edit(1000)]).is_err());
    assert!(world.is_free(0));
    let before = world.snapshot();
    world.apply(&[edit(2)]).unwrap();
    assert_eq!((world.components(), before.components()), (2, 1));
    world.apply(&[MeshEdit::new(2, Terrain::of_weight(7))]).unwrap();
    assert_eq!((world.components(), world.terrain(2).weight()), (1, 7));
    let blocked = Query::new(inside(&mut Random::new(1), &world, 2), world.centre(0));
    world.apply(&[edit(2)]).unwrap();
    assert!(blocked.check(&world).is_err());
}
