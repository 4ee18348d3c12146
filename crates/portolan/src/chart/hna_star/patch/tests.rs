//! Tests of what HNA* keeps where a part of a mesh is replaced. Not here: the patched mesh, and other algorithms.

use super::super::connect::Pricing;
use super::super::tests::measured;
use super::super::{HnaStar, WITHIN};
use super::*;
use crate::generate::Random;
use crate::method::{Method, Task};
use crate::scratch::Scratch;
use crate::space::mesh::MeshEdit;
use crate::space::mesh::scenery::{crooked, linked, replacement, somewhere};
use crate::space::{Space, Terrain, World};

/// What no search writes as the next portal.
const MARK: u16 = u16::MAX;

/// Returns the polygons of a node without passages.
fn ground(mesh: &NavMesh, polygons: &[u32]) -> Vec<u32> {
    polygons.iter().copied().filter(|&polygon| (polygon as usize) < mesh.polygons()).collect()
}

/// Levels contain every polygon once, in connected nodes that lie in one node of the level above.
fn check_levels(mesh: &NavMesh, levels: &[Level]) {
    let polygons = PolygonGraph::of(&mesh.shape);
    let graph = polygons.graph();
    for (number, level) in levels.iter().enumerate() {
        let mut is_seen = vec![false; mesh.polygons()];
        for (node, polygons) in (0..).zip(&level.polygons_by_node) {
            assert!(polygons.is_sorted() && hierarchy::have_few_portals(&mesh.shape, polygons));
            assert!(polygons.iter().all(|&polygon| level.node_by_polygon[polygon as usize] == node));
            let ground = ground(mesh, polygons);
            let Some(&first) = ground.first() else { continue };
            if let Some(above) = levels.get(number + 1) {
                let home = |polygon: u32| above.node_by_polygon[polygon as usize];
                assert!(ground.iter().all(|&polygon| home(polygon) == home(first)), "nested");
            }
            let mut found = vec![first];
            is_seen[first as usize] = true;
            let mut next = 0;
            while next < found.len() {
                for &to in graph.neighbours(found[next]) {
                    if level.node_by_polygon[to as usize] == node && !is_seen[to as usize] {
                        is_seen[to as usize] = true;
                        found.push(to);
                    }
                }
                next += 1;
            }
            assert_eq!(found.len(), ground.len(), "connected");
        }
        assert!(is_seen.iter().all(|&seen| seen), "every polygon has a node");
    }
}

/// Corridors cost what A* finds.
fn check_costs(random: &mut Random, world: &World<NavMesh>, hna: &HnaStar) -> usize {
    let (mut scratch, mut searched) = (Scratch::new(), 0);
    for _ in 0..20 {
        let (from, to) = (somewhere(random, world), somewhere(random, world));
        if !world.reaches(from, to) || from.polygon == to.polygon {
            continue;
        }
        let task = Task::<NavMesh> { grid: world, from, to };
        let Some(cost) = measured(hna, task) else { continue };
        WITHIN.begin(task, &mut scratch);
        WITHIN.step(task, &mut scratch, &mut { u64::MAX }, None);
        assert_eq!(cost, scratch.state.best, "{from} to {to}");
        searched += 1;
    }
    searched
}

/// Replaces part after part, with edits between. Levels stay sound, tables are those that a build computes for the same
/// levels, and costs are those of A*.
#[test]
fn patched_charts_are_sound_and_have_the_tables_of_their_levels() {
    let mut random = Random::new(41);
    let mut searched = 0;
    for round in 0..24 {
        let plain = crooked(&mut random, 14, 20, 2);
        let mut world = World::from(if round % 3 == 0 { linked(&mut random, &plain, 12) } else { plain });
        let (levels, merged) = [(1, 8), (2, 3), (3, 3), (2, 4)][round % 4];
        let pricing = Pricing::of(["pccp", "dijkstra"][round % 2], "points");
        let mut hna = HnaStar::new(&world, Division { levels, merged }, pricing);
        for _ in 0..10 {
            let (removed, added) = replacement(&mut random, &world, 9);
            let (mesh, patch) = world.patched(&removed, &added).unwrap();
            world = World::from(mesh);
            let patched = hna.after(&world, &patch).expect("the mesh has about the size it had");
            hna = patched.chart;
            check_levels(&world, &hna.levels);
            assert!(hna.tables == Tables::new(&world, hna.top(), pricing.reads_rows()));
            searched += check_costs(&mut random, &world, &hna);
            let polygon = random.below(world.polygons() as u64) as u32;
            let edits = [MeshEdit::new(polygon, Terrain::of_weight(random.below(3) as u8))];
            world.apply(&edits).unwrap();
            hna.repair(&world, &edits);
            assert!(hna.tables == Tables::new(&world, hna.top(), pricing.reads_rows()), "repaired");
            searched += check_costs(&mut random, &world, &hna);
        }
    }
    assert!(searched > 2000, "{searched}");
}

/// Marks all tables before a patch. Exactly the nodes keep the mark that have no removed and no changed polygon; all of them
/// have the polygons that they had, on every level where the nodes above were kept.
#[test]
fn only_the_nodes_that_hold_the_part_are_computed() {
    let mut random = Random::new(42);
    let (mut kept, mut computed) = (0, 0);
    for round in 0..30 {
        let plain = crooked(&mut random, 24, 15, 1);
        let world = World::from(if round % 2 == 0 { linked(&mut random, &plain, 9) } else { plain });
        let mut hna = HnaStar::new(&world, Division { levels: 2, merged: 5 }, Pricing::of("pccp", "points"));
        hna.tables.nodes.iter_mut().for_each(|node| node.next.fill(MARK));
        let (removed, added) = replacement(&mut random, &world, 6);
        let (mesh, patch) = world.patched(&removed, &added).unwrap();
        let Patched { chart, .. } = hna.after(&mesh, &patch).unwrap();
        let moved = |polygons: &[u32]| -> Option<Vec<u32>> {
            let kept = |polygon: &u32| patch.number_of(*polygon).filter(|number| !patch.changed().contains(number));
            ground(&world, polygons).iter().map(kept).collect()
        };
        let untouched: Vec<Vec<u32>> =
            hna.top().polygons_by_node.iter().filter_map(|node| moved(node)).filter(|node| !node.is_empty()).collect();
        for (node, polygons) in chart.tables.nodes.iter().zip(&chart.top().polygons_by_node) {
            let is_kept = untouched.contains(&ground(&mesh, polygons));
            let is_marked = node.next.iter().all(|&next| next == MARK);
            assert!(node.next.is_empty() || is_kept == is_marked);
            *(if is_kept { &mut kept } else { &mut computed }) += usize::from(polygons[0] < mesh.polygons() as u32);
        }
        let now: Vec<Vec<u32>> = chart.top().polygons_by_node.iter().map(|node| ground(&mesh, node)).collect();
        assert!(untouched.iter().all(|node| now.contains(node)));
        for below in &hna.levels[0].polygons_by_node {
            let above = hna.top().node_by_polygon[below[0] as usize] as usize;
            let (Some(below), Some(_)) = (moved(below), moved(&hna.top().polygons_by_node[above])) else { continue };
            assert!(
                below.is_empty() || chart.levels[0].polygons_by_node.iter().any(|node| ground(&mesh, node) == below)
            );
        }
    }
    assert!(kept > 5 * computed && computed > 30, "{kept} kept, {computed} computed");
}

/// A world that is edited between the patch of the mesh and that of the chart has the tables of its own weights.
#[test]
fn edits_before_the_chart_is_patched_count() {
    let mut random = Random::new(43);
    for _ in 0..10 {
        let world = World::from(crooked(&mut random, 14, 15, 1));
        let hna = HnaStar::new(&world, Division { levels: 2, merged: 3 }, Pricing::of("pccp", "points"));
        let (removed, added) = replacement(&mut random, &world, 6);
        let (mesh, patch) = world.patched(&removed, &added).unwrap();
        let mut world = World::from(mesh);
        for _ in 0..5 {
            let polygon = random.below(world.polygons() as u64) as u32;
            world.apply(&[MeshEdit::new(polygon, Terrain::of_weight(random.below(3) as u8))]).unwrap();
        }
        let Patched { chart, sources } = hna.after(&world, &patch).unwrap();
        assert!(chart.tables == Tables::new(&world, chart.top(), true));
        assert!(sources.iter().any(Option::is_some));
    }
}

/// A mesh that grows to many times its size has more levels.
#[test]
fn a_mesh_of_another_size_is_built_anew() {
    let mut random = Random::new(44);
    let small = World::from(crooked(&mut random, 5, 0, 1));
    let hna = HnaStar::new(&small, Division { levels: 3, merged: 3 }, Pricing::of("pccp", "points"));
    let mut added = crooked(&mut random, 40, 0, 1).to_parts();
    for at in &mut added.vertices {
        *at = [at[0] / 10.0, at[1] / 10.0, at[2] / 10.0];
    }
    let all: Vec<u32> = (0..small.polygons() as u32).collect();
    let (mesh, patch) = small.patched(&all, &added).unwrap();
    assert_eq!(mesh.polygons(), added.polygons());
    assert!(hna.after(&mesh, &patch).is_none());
}
