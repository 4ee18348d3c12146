//! Tests of replacing parts of meshes. Not here: what `hna-star` and `rhumb` keep.

use super::*;
use crate::generate::Random;
use crate::query::Query;
use crate::registry::MESH_ALGORITHMS;
use crate::scratch::Scratch;
use crate::space::mesh::MeshEdit;
use crate::space::mesh::scenery::{crooked, linked, replacement, somewhere, two_floors, vertex_at};
use crate::space::{Space, Terrain, World};
use crate::{PatchError, Planner};

/// Returns the parts of a patched mesh, put together by the coordinates of corners alone.
fn put_together(mesh: &NavMesh, removed: &[u32], added: &MeshParts) -> MeshParts {
    let mut parts = MeshParts::default();
    for polygon in (0..mesh.polygons() as u32).filter(|polygon| !removed.contains(polygon)) {
        let corners: Vec<u32> = mesh.corners(polygon).map(|at| vertex_at(&mut parts, at)).collect();
        parts.push(&corners, mesh.terrain(polygon).weight());
    }
    for polygon in 0..added.polygons() {
        let vertices = added.polygon(polygon).iter().map(|&vertex| added.vertices[vertex as usize]);
        let mut corners: Vec<u32> = vertices.map(|at| vertex_at(&mut parts, at)).collect();
        let spot =
            |corner: u32| mesh.in_steps([parts.vertices[corner as usize][0], parts.vertices[corner as usize][1]]);
        if crate::space::mesh::plan::side(spot(corners[0]), spot(corners[1]), spot(corners[2])) < 0 {
            corners.reverse();
        }
        parts.push(&corners, added.weights[polygon]);
    }
    parts
}

#[test]
fn a_patched_mesh_is_the_one_made_of_its_parts() {
    let mut random = Random::new(31);
    let mut same_frames = 0;
    for _ in 0..80 {
        let mut mesh = crooked(&mut random, 7, 25, 3);
        for _ in 0..4 {
            let (removed, added) = replacement(&mut random, &mesh, 7);
            let (now, patch) = mesh.patched(&removed, &added).unwrap();
            let whole = NavMesh::new(&put_together(&mesh, &removed, &added)).unwrap();
            assert_eq!((now.polygons(), now.vertices()), (whole.polygons(), whole.vertices()));
            assert_eq!((now.portals(), now.components()), (whole.portals(), whole.components()));
            assert_eq!((now.weights.clone(), now.least_weight), (whole.weights.clone(), whole.least_weight));
            for polygon in 0..now.polygons() as u32 {
                assert!(now.across_edges(polygon).eq(whole.across_edges(polygon)), "polygon {polygon}");
                assert_eq!(now.component_of(polygon), whole.component_of(polygon));
                assert_eq!(now.shape.exits(polygon), whole.shape.exits(polygon));
            }
            if (now.shape.origin, now.shape.step) == (whole.shape.origin, whole.shape.step) {
                assert_eq!(now.shape.middles, whole.shape.middles);
                for polygon in 0..now.polygons() as u32 {
                    assert!(now.corners(polygon).eq(whole.corners(polygon)));
                    for exit in 0..now.shape.exits(polygon).len() {
                        assert_eq!(now.shape.crossings(polygon, exit), whole.shape.crossings(polygon, exit));
                    }
                }
                same_frames += 1;
            }
            check_numbers(&mesh, &now, &patch, &removed);
            mesh = now;
        }
    }
    assert!(same_frames > 30, "{same_frames}");
}

/// Kept polygons have their corners under their new numbers, and those are told as changed whose neighbours are others.
fn check_numbers(mesh: &NavMesh, now: &NavMesh, patch: &MeshPatch, removed: &[u32]) {
    let mut changed = Vec::new();
    for polygon in 0..mesh.polygons() as u32 {
        assert_eq!(patch.number_of(polygon).is_none(), removed.contains(&polygon));
        let Some(number) = patch.number_of(polygon) else { continue };
        assert!(mesh.corners(polygon).eq(now.corners(number)) && mesh.terrain(polygon) == now.terrain(number));
        let before: Vec<_> =
            mesh.across_edges(polygon).map(|other| other.map(|other| patch.number_of(other))).collect();
        let after: Vec<_> = now.across_edges(number).map(|other| other.map(Some)).collect();
        if before != after {
            changed.push(number);
        }
    }
    assert_eq!(patch.changed(), changed);
    assert_eq!(patch.kept() + removed.len(), mesh.polygons());
}

#[test]
fn links_stay_move_or_go_with_their_polygons() {
    let mut random = Random::new(32);
    let (mut stayed, mut moved, mut gone) = (0, 0, 0);
    for _ in 0..80 {
        let plain = crooked(&mut random, 7, 20, 1);
        let mesh = linked(&mut random, &plain, 12);
        let (removed, added) = replacement(&mut random, &mesh, 9);
        let (now, patch) = mesh.patched(&removed, &added).unwrap();
        let mut links = now.shape.links.iter();
        for link in &mesh.shape.links {
            let ends = link.ends.map(|end| patch.number_of(end.polygon));
            if added.polygons() == 0 && ends.contains(&None) {
                ends.into_iter().flatten().for_each(|polygon| assert!(patch.changed().contains(&polygon)));
                gone += 1;
                continue;
            }
            let after = links.next().expect("the link stays");
            assert_eq!((after.cost, after.both_ways), (link.cost, link.both_ways));
            for ((before, number), after) in link.ends.into_iter().zip(ends).zip(after.ends) {
                assert_eq!(before.spot(), after.spot());
                assert!(number.map_or(after.polygon as usize >= patch.kept(), |number| number == after.polygon));
            }
            *(if ends.contains(&None) { &mut moved } else { &mut stayed }) += 1;
        }
        assert_eq!(links.next(), None);
        let again = NavMesh::new(&now.to_parts()).unwrap();
        assert_eq!(again.components(), now.components());
    }
    assert!(stayed > 100 && moved > 30 && gone > 10, "{stayed} stayed, {moved} moved, {gone} gone");
}

/// A link ends on the upper of two floors. Without that floor it goes, and does not fall to the lower one.
#[test]
fn a_link_does_not_fall_to_the_floor_below() {
    let mut parts = two_floors().to_parts();
    parts.links.push(crate::MeshLink { from: [0.5, 0.5, 0.0], to: [0.5, 0.5, 3.0], cost: 3.0, both_ways: true });
    let mesh = NavMesh::new(&parts).unwrap();
    let [_, upper] = mesh.link_ends(0);
    let (now, patch) = mesh.patched(&[upper.polygon], &MeshParts::default()).unwrap();
    assert_eq!((now.links().len(), now.polygons()), (0, mesh.polygons() - 1));
    let lower = patch.number_of(mesh.link_ends(0)[0].polygon).unwrap();
    assert!(patch.changed().contains(&lower));
    // Corners of the two floors lie on each other in the plan, and are not taken for each other.
    let mut floor = MeshParts::default();
    let corners: Vec<u32> = mesh.corners(upper.polygon).map(|at| vertex_at(&mut floor, at)).collect();
    floor.push(&corners, 1);
    let (again, _) = now.patched(&[], &floor).unwrap();
    assert_eq!((again.vertices(), again.portals()), (mesh.vertices(), mesh.portals()));
}

#[test]
fn wrong_patches_are_refused() {
    let mut parts = MeshParts {
        vertices: vec![[0., 0., 0.], [4., 0., 0.], [8., 0., 0.], [8., 4., 0.], [4., 4., 0.], [0., 4., 0.]],
        ..MeshParts::default()
    };
    parts.push(&[0, 1, 4, 5], 1);
    parts.push(&[1, 2, 3, 4], 1);
    let mesh = NavMesh::new(&parts).unwrap();
    let refused = |removed: &[u32], polygons: &[&[u32]], vertices: &[[f64; 3]]| {
        let mut added = MeshParts { vertices: vertices.to_vec(), ..MeshParts::default() };
        for corners in polygons {
            added.push(corners, 1);
        }
        mesh.patched(removed, &added).err()
    };
    let square = [[4., 0., 0.], [8., 0., 0.], [8., 4., 0.], [4., 4., 0.]];
    assert_eq!(refused(&[1], &[&[0, 1, 2, 3]], &square), None);
    assert_eq!(refused(&[1, 1], &[&[3, 2, 1, 0]], &square), None);
    assert_eq!(refused(&[7], &[], &[]), Some(MeshError::NoPolygon { polygon: 7, polygons: 2 }));
    assert_eq!(refused(&[0, 1], &[], &[]), Some(MeshError::Empty));
    // The second polygon lies on the side of an edge where a kept one lies, however it is wound.
    let crossing = [[0., 0., 0.], [4., 0., 0.], [4., 4., 0.], [0., 4., 0.], [8., 2., 0.]];
    assert_eq!(
        refused(&[1], &[&[1, 4, 2], &[0, 1, 2]], &crossing),
        Some(MeshError::NotManifold { polygon: 1, edge: 0 })
    );
    assert_eq!(
        refused(&[1], &[&[2, 4, 1], &[2, 1, 0]], &crossing),
        Some(MeshError::NotManifold { polygon: 1, edge: 1 })
    );
    assert_eq!(refused(&[], &[&[0, 1, 2, 3]], &square), Some(MeshError::NotManifold { polygon: 0, edge: 0 }));
    let far = [[4., 0., 0.], [8., 0., 0.], [800., 4., 0.], [4., 4., 0.]];
    assert_eq!(refused(&[1], &[&[0, 1, 2, 3]], &far), Some(MeshError::TooFar { vertex: 2 }));
    let endless = [[4., 0., 0.], [8., 0., 0.], [f64::NAN, 4., 0.]];
    assert_eq!(refused(&[1], &[&[0, 1, 2]], &endless), Some(MeshError::NotFinite { vertex: 2 }));
    assert_eq!(refused(&[1], &[&[0, 1, 9]], &square), Some(MeshError::NoVertex { polygon: 0, edge: 2, vertex: 9 }));
    assert_eq!(refused(&[1], &[&[0, 1, 2], &[0, 3, 2]], &square), Some(MeshError::Winding { polygon: 1, edge: 0 }));
    assert_eq!(mesh.to_parts(), NavMesh::new(&parts).unwrap().to_parts());
}

/// Every algorithm finds routes on the patched world as one does that was built for it, and refuses a wrong patch or world.
#[test]
fn planners_follow_patches_and_edits_after_them() {
    let mut random = Random::new(33);
    let plain = crooked(&mut random, 12, 20, 2);
    for mesh in [linked(&mut random, &plain, 6), plain] {
        let mut world = World::from(mesh);
        let mut planners: Vec<Planner<NavMesh>> =
            MESH_ALGORITHMS.iter().filter_map(|algorithm| algorithm.build(&world).ok()).collect();
        let mut scratch = Scratch::new();
        for _ in 0..12 {
            let (removed, added) = replacement(&mut random, &world, 8);
            let (mesh, patch) = world.patched(&removed, &added).unwrap();
            let other = World::from(mesh.patched(&[], &MeshParts::default()).unwrap().0);
            let mut next = World::from(mesh);
            let edits = |world: &World<NavMesh>, random: &mut Random| {
                let polygon = random.below(world.polygons() as u64) as u32;
                [MeshEdit::new(polygon, Terrain::of_weight(random.below(3) as u8))]
            };
            // The world may be edited before planners are patched.
            next.apply(&edits(&next, &mut random)).unwrap();
            for planner in &mut planners {
                let known = planner.patched(&other, &patch).err();
                assert_eq!(known, Some(PatchError::OtherMesh));
                *planner = match planner.patched(&next, &patch) {
                    Ok(patched) => patched,
                    Err(PatchError::Build(_)) => planner.algorithm().build(&next).unwrap(),
                    Err(error) => panic!("{error}"),
                };
                assert!(matches!(planner.patched(&next, &patch), Err(PatchError::Gap { .. })));
            }
            world = next;
            let after = edits(&world, &mut random);
            world.apply(&after).unwrap();
            for planner in &mut planners {
                planner.repair(&world, &after).unwrap();
                check_routes(&mut random, &world, planner, &mut scratch);
            }
        }
    }
}

fn check_routes(
    random: &mut Random,
    world: &World<NavMesh>,
    planner: &Planner<NavMesh>,
    scratch: &mut Scratch<NavMesh>,
) {
    for _ in 0..10 {
        let (from, to) = (somewhere(random, world), somewhere(random, world));
        let found = planner.find(world, Query::new(from, to), scratch).unwrap();
        match found.route() {
            Some(route) => route.check(world).unwrap(),
            None => assert!(!world.reaches(from, to), "{}", planner.algorithm().name),
        }
    }
}
