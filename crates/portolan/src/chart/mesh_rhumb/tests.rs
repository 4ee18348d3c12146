//! Tests of the rhumb chart of a mesh: costs of corridors, and repairs. Not here: what holds for every algorithm on meshes.

use super::*;
use crate::chart::hna_star::WITHIN;
use crate::generate::Random;
use crate::space::mesh::scenery::{crooked, linked, somewhere};
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
