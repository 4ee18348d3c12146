//! Tests of HNA*: corridors, connecting, nodes and repairs. Not here: what holds for every algorithm on meshes.

use super::tables::NO_WAY;
use super::*;
use crate::generate::Random;
use crate::method::Task;
use crate::probe::Unwatched;
use crate::query::Query;
use crate::registry::algorithms::mesh::{A_STAR, HNA_STAR};
use crate::space::mesh::scenery::{crooked, linked, somewhere};
use crate::space::{Space, Terrain, World};

/// Returns the cost of the corridor that HNA* finds, as it is measured, or `None` if start and goal are in one node.
pub(super) fn measured(hna: &HnaStar, task: Task<NavMesh>) -> Option<u64> {
    if hna.is_within_a_node(task) {
        return None;
    }
    let mut own = HnaState::default();
    let mut open = crate::open_list::BucketRing::default();
    hna.connect(task, &mut own, &mut open);
    assert!(own.borders.run(&hna.borders, &hna.tables, &bound(task), &mut open, &mut { u64::MAX }, &mut Unwatched));
    Some(own.borders.read_back(&mut own.way.route).map_or(u64::MAX, u64::from))
}

/// Appendix A of the paper: where there is a way over polygons, there is one over inter-edges. Here it costs the same.
#[test]
fn corridors_cost_what_those_of_a_star_cost() {
    let mut random = Random::new(21);
    let mut searched = 0;
    for round in 0..60 {
        let plain = crooked(&mut random, 12, 30, 1 + round % 3);
        let world = World::from(if round < 30 { plain } else { linked(&mut random, &plain, 12) });
        for (levels, merge, connect) in
            [(1, 2, "pccp"), (1, 6, "dijkstra"), (2, 3, "pccp"), (2, 4, "a-star"), (3, 3, "pccp")]
        {
            let hna = HnaStar::new(&world, Division { levels, merged: merge }, Pricing::of(connect, "points"));
            let mut scratch = Scratch::new();
            for _ in 0..10 {
                let (from, to) = (somewhere(&mut random, &world), somewhere(&mut random, &world));
                if !world.reaches(from, to) || from.polygon == to.polygon {
                    continue;
                }
                let task = Task::<NavMesh> { grid: &world, from, to };
                let Some(cost) = measured(&hna, task) else { continue };
                WITHIN.begin(task, &mut scratch);
                WITHIN.step(task, &mut scratch, &mut { u64::MAX }, None);
                assert_eq!(cost, scratch.state.best, "{levels} levels of {merge} by {connect}, {from} to {to}");
                searched += 1;
            }
        }
    }
    assert!(searched > 1000, "{searched}");
}

#[test]
fn every_setting_finds_legal_routes() {
    let mut random = Random::new(22);
    let plain = crooked(&mut random, 14, 25, 1);
    let linked = linked(&mut random, &plain, 20);
    for world in [plain, linked].map(World::from) {
        check_every_setting(&mut random, &world);
    }
}

fn check_every_setting(random: &mut Random, world: &World<NavMesh>) {
    let mut scratch = Scratch::new();
    let exact = A_STAR.build(world).unwrap();
    for connect in ["pccp", "dijkstra", "a-star", "parallel"] {
        for price in ["points", "centres"] {
            for (levels, merge) in [(1, 2), (2, 3), (3, 3), (8, 64)] {
                let settings = HNA_STAR.set("levels", levels).set("merge", merge).set("connect", connect);
                let planner = settings.set("price", price).build(world).unwrap();
                for _ in 0..20 {
                    let query = Query::new(somewhere(random, world), somewhere(random, world));
                    let [found, known] = [&planner, &exact].map(|by| by.find(world, query, &mut scratch).unwrap());
                    assert_eq!(found.name(), known.name());
                    if let Some(route) = found.route() {
                        route.check(world).unwrap();
                    }
                }
            }
        }
    }
}

/// The searches of one connecting step have the same costs on any number of threads, and routes do not depend on it.
#[test]
fn connecting_in_threads_changes_no_cost_and_no_route() {
    let mut random = Random::new(27);
    let world = World::from(crooked(&mut random, 14, 25, 2));
    let [alone, shared] = ["a-star", "parallel"]
        .map(|by| HnaStar::new(&world, Division { levels: 1, merged: 20 }, Pricing::of(by, "points")));
    let mut search = NodeSearch::default();
    for (node, polygons) in alone.top().polygons_by_node.iter().enumerate() {
        search.set(&alone.tables, &world, polygons, node);
        let exits = [(alone.tables.nodes[node].portals.len() as u16 - 1, 7)];
        let costs = |threads: usize, search: &mut NodeSearch| {
            let mut costs = vec![NO_WAY; alone.tables.nodes[node].borders];
            connect::search_in_threads(search, &exits, &mut costs, threads);
            costs
        };
        let one = costs(1, &mut search);
        assert!(one.iter().any(|&cost| cost != NO_WAY));
        for threads in [0, 2, 3, 8, 100] {
            assert_eq!(costs(threads, &mut search), one, "node {node} on {threads} threads");
        }
    }
    let (mut scratch, mut searched) = (Scratch::new(), 0);
    let planners = ["a-star", "parallel"].map(|by| HNA_STAR.set("connect", by).set("merge", 20).build(&world).unwrap());
    for _ in 0..100 {
        let query = Query::new(somewhere(&mut random, &world), somewhere(&mut random, &world));
        let task = Task::<NavMesh> { grid: &world, from: query.from, to: query.to };
        if world.component(query.from) == world.component(query.to) && !alone.is_within_a_node(task) {
            assert_eq!(measured(&alone, task), measured(&shared, task));
            searched += 1;
        }
        let [one, other] = planners.each_ref().map(|planner| planner.find(&world, query, &mut scratch).unwrap());
        assert_eq!(one, other);
    }
    assert!(searched > 20, "{searched}");
}

/// Equation 3.4 of the paper: a node of m connected polygons with at most s sides has at most m (s - 2) + 2 inter-edges.
#[test]
fn nodes_are_connected_nested_and_have_few_inter_edges() {
    let mut random = Random::new(23);
    for _ in 0..30 {
        let mesh = crooked(&mut random, 10, 30, 1);
        let levels = hierarchy::levels(&mesh, Division { levels: 3, merged: 4 });
        let shape = &*mesh.shape;
        let most_sides = (0..mesh.polygons()).map(|polygon| shape.corner_range(polygon).len()).max().unwrap();
        for (below, level) in levels.iter().zip(&levels[1..]) {
            for (number, polygons) in (0..).zip(&below.polygons_by_node) {
                let above = level.node_by_polygon[polygons[0] as usize];
                assert!(polygons.iter().all(|&polygon| level.node_by_polygon[polygon as usize] == above));
                assert!(polygons.iter().all(|&polygon| below.node_by_polygon[polygon as usize] == number));
            }
        }
        for level in &levels {
            let count: usize = level.polygons_by_node.iter().map(Vec::len).sum();
            assert_eq!(count, mesh.polygons());
            for polygons in &level.polygons_by_node {
                assert!(is_connected(&mesh, polygons), "{polygons:?}");
                let exits = polygons.iter().flat_map(|&polygon| shape.exits(polygon));
                let inter_edges = exits.filter(|&&portal| level.divides(shape, portal)).count();
                assert!(inter_edges <= polygons.len() * (most_sides - 2) + 2);
            }
        }
    }
}

fn is_connected(mesh: &NavMesh, polygons: &[u32]) -> bool {
    let mut found = vec![polygons[0]];
    let mut next = 0;
    while next < found.len() {
        for to in mesh.neighbours(found[next]) {
            if polygons.contains(&to) && !found.contains(&to) {
                found.push(to);
            }
        }
        next += 1;
    }
    found.len() == polygons.len()
}

#[test]
fn parts_have_about_the_size_asked_for() {
    let mut random = Random::new(24);
    let mesh = crooked(&mut random, 40, 10, 1);
    for merge in [4, 8, 16] {
        let levels = hierarchy::levels(&mesh, Division { levels: 2, merged: merge });
        let top = &levels[1].polygons_by_node;
        let mean = mesh.polygons() / top.len();
        assert!((merge * merge / 2..=merge * merge * 2).contains(&mean), "{mean} polygons in a node for {merge}");
        let largest = top.iter().map(Vec::len).max().unwrap();
        assert!(largest < 3 * merge * merge, "{largest} polygons in a node for {merge}");
    }
}

/// Blocks, opens and re-costs random polygons. A repaired hierarchy has the tables of one that was built anew.
#[test]
fn repaired_tables_are_those_of_a_fresh_build() {
    let mut random = Random::new(25);
    for round in 0..20 {
        let plain = crooked(&mut random, 6, 20, 1);
        let mut world = World::from(if round % 2 == 0 { plain } else { linked(&mut random, &plain, 9) });
        let (levels, merge) = [(1, 4), (2, 3), (3, 2)][round % 3];
        let pricing = Pricing::of(["pccp", "dijkstra"][round % 2], "points");
        let mut hna = HnaStar::new(&world, Division { levels, merged: merge }, pricing);
        for _ in 0..1000 {
            let edits: Vec<MeshEdit> = (0..=random.below(3))
                .map(|_| {
                    let polygon = random.below(world.polygons() as u64) as u32;
                    MeshEdit::new(polygon, Terrain::of_weight(random.below(3) as u8))
                })
                .collect();
            world.apply(&edits).unwrap();
            hna.repair(&world, &edits);
            let fresh = Tables::new(&world, hna.top(), pricing.reads_rows());
            assert!(hna.tables == fresh, "after {edits:?}");
        }
    }
}

/// A link between two nodes, or in one direction, has a node of its own; a link both ways in a node belongs to that node.
#[test]
fn links_have_nodes_of_their_own_unless_they_lead_both_ways_in_a_node() {
    let mut random = Random::new(27);
    let mut inner = 0;
    for _ in 0..20 {
        let plain = crooked(&mut random, 12, 20, 1);
        let mesh = linked(&mut random, &plain, 30);
        let levels = hierarchy::levels(&mesh, Division { levels: 1, merged: 24 });
        let (level, own) = (&levels[0], levels[0].nodes(&mesh) as u32);
        for (passage, link) in (mesh.polygons()..).zip(&mesh.shape.links) {
            let [from, to] = link.ends.map(|end| level.node_by_polygon[end.polygon as usize]);
            let node = level.node_by_polygon[passage];
            assert!(level.polygons_by_node[node as usize].contains(&(passage as u32)));
            assert_eq!(node < own, from == to && link.both_ways);
            inner += usize::from(node < own);
        }
    }
    assert!(inner > 5, "{inner}");
}
