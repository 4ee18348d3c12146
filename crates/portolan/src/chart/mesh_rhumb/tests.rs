//! Tests of the rhumb chart of a mesh: costs of corridors, and repairs. Not here: what holds for every algorithm on meshes.

use super::*;
use crate::chart::hna_star::WITHIN;
use crate::generate::Random;
use crate::space::mesh::scenery::{crooked, linked, replacement, somewhere};
use crate::space::{Space, Terrain, World};

/// Corridors cost what A* finds, inside nodes and across them; edited charts are those of a fresh build.
#[test]
fn sums_tell_what_a_search_finds() {
    let mut random = Random::new(26);
    let (mut inside, mut across) = (0, 0);
    for round in 0..60 {
        let plain = crooked(&mut random, 12, 25, 1 + round % 3);
        let mut world = World::from(if round < 30 { plain } else { linked(&mut random, &plain, 12) });
        let size = [3, 12, 40][round as usize % 3];
        let mut rhumb = MeshRhumb::of(&world, HnaStar::of_nodes(&world, size));
        let mut scratch = Scratch::new();
        for _ in 0..20 {
            let polygon = random.below(world.polygons() as u64) as u32;
            let edits = [MeshEdit::new(polygon, Terrain::of_weight(random.below(3) as u8))];
            world.apply(&edits).unwrap();
            rhumb.repair(&world, &edits);
            let fresh = MeshRhumb::of(&world, HnaStar::of_nodes(&world, size));
            assert!(rhumb.rows == fresh.rows && rhumb.labels == fresh.labels, "after {edits:?}");
            for _ in 0..10 {
                let (from, to) = (somewhere(&mut random, &world), somewhere(&mut random, &world));
                let task = Task::<NavMesh> { grid: &world, from, to };
                if !world.reaches(from, to) || from.polygon == to.polygon || rhumb.needs_search(task) {
                    continue;
                }
                let mut own = RhumbState::default();
                let cost = rhumb.read(task, &mut own).map(u64::from);
                WITHIN.begin(task, &mut scratch);
                WITHIN.step(task, &mut scratch, &mut { u64::MAX }, None);
                assert_eq!(cost, Some(scratch.state.best), "{from} to {to}");
                assert!(own.way.corridor.pull(&world, from, to, &mut Vec::new()).is_some());
                let is_inside = rhumb.nodes.node_of(from) == rhumb.nodes.node_of(to);
                *(if is_inside { &mut inside } else { &mut across }) += 1;
            }
        }
    }
    assert!(inside > 500 && across > 500, "{inside} inside, {across} across");
}

/// Part after part of a mesh is replaced. Rows and labels are those of a build with the same nodes, and sums tell costs.
#[test]
fn patched_charts_have_the_rows_and_labels_of_their_nodes() {
    let mut random = Random::new(46);
    let (mut searched, mut kept) = (0, 0);
    for round in 0..20 {
        let plain = crooked(&mut random, 12, 20, 2);
        let mut world = World::from(if round % 2 == 0 { plain } else { linked(&mut random, &plain, 9) });
        let mut rhumb = MeshRhumb::of(&world, HnaStar::of_nodes(&world, [5, 12, 20][round as usize % 3]));
        let mut scratch = Scratch::new();
        for _ in 0..8 {
            let (removed, added) = replacement(&mut random, &world, 7);
            let (mesh, patch) = world.patched(&removed, &added).unwrap();
            world = World::from(mesh);
            kept += rhumb.nodes.after(&world, &patch).unwrap().sources.iter().flatten().count();
            rhumb = rhumb.after(&world, &patch).unwrap();
            assert!(rhumb.labels == Labels::new(&world, rhumb.nodes.top(), &rhumb.nodes.tables), "labels");
            assert!(rhumb.rows == BorderRows::new(&rhumb.nodes.borders, &rhumb.nodes.tables), "rows");
            for _ in 0..10 {
                let (from, to) = (somewhere(&mut random, &world), somewhere(&mut random, &world));
                let task = Task::<NavMesh> { grid: &world, from, to };
                if !world.reaches(from, to) || from.polygon == to.polygon || rhumb.needs_search(task) {
                    continue;
                }
                let cost = rhumb.read(task, &mut RhumbState::default()).map(u64::from);
                WITHIN.begin(task, &mut scratch);
                WITHIN.step(task, &mut scratch, &mut { u64::MAX }, None);
                assert_eq!(cost, Some(scratch.state.best), "{from} to {to}");
                searched += 1;
            }
        }
    }
    assert!(searched > 500 && kept > 500, "{searched} searched, {kept} nodes kept");
}
