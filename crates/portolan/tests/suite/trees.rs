//! The trees that charts keep for their ports: every step is legal, and every walk along a tree ends at its port.

use crate::edits::random_edits;
use crate::worlds::{all_rules, build, has, picture, random_world};
use portolan::generate::Random;
use portolan::outline::Region;
use portolan::{Area, Cell, Planner, Rules, Snapshot, SquareGrid, World};
use std::collections::BTreeMap;

/// Returns the lowest regions that contain the port: leaves of a rhumb chart, or clusters of the lowest level.
fn homes(regions: &[Region], port: Cell) -> Vec<Area> {
    let deepest = regions.iter().map(|region| region.depth).max().expect("there is one");
    let leaves = regions.iter().any(|region| region.line.is_some());
    let lowest = regions.iter().filter(|region| if leaves { region.line.is_none() } else { region.depth == deepest });
    lowest.map(|region| region.bounds).filter(|&bounds| has(bounds, port)).collect()
}

/// Checks the trees of all ports and returns how many cells they have in total.
fn check(world: &Snapshot, planner: &Planner) -> usize {
    let outline = planner.outline(world).expect("it knows this world").expect("it has ports");
    let mut told = 0;
    for &port in &outline.layers[0].ports {
        let tree = planner.tree(world, port).expect("it knows this world");
        assert!(tree.is_sorted_by(|(a, _), (b, _)| (a.y, a.x) < (b.y, b.x)), "each cell once, row by row");
        let homes = homes(&outline.regions, port);
        let next_by_cell: BTreeMap<Cell, Cell> = tree.iter().copied().collect();
        for &(first, _) in &tree {
            let (mut cell, mut steps) = (first, 0);
            while let Some(&next) = next_by_cell.get(&cell) {
                assert!(world.step_cost(cell, next).is_some(), "{cell} to {next} {}", picture(world));
                assert!(homes.iter().any(|&home| has(home, cell) && has(home, next)), "{cell} to {next} leads out");
                (cell, steps) = (next, steps + 1);
                assert!(steps <= tree.len(), "from {first} to {port} in circles {}", picture(world));
            }
            assert_eq!(cell, port, "from {first} {}", picture(world));
        }
        // Every free cell that is a straight neighbour of the port and lies in one of its regions is in the tree.
        for cell in world.cells().filter(|&cell| homes.iter().any(|&home| has(home, cell))) {
            let beside = cell.x.abs_diff(port.x) + cell.y.abs_diff(port.y) == 1 && world.is_free(cell);
            assert!(!beside || next_by_cell.contains_key(&cell), "{cell} beside {port} {}", picture(world));
        }
        told += tree.len();
    }
    for cell in world.cells().filter(|cell| !outline.layers[0].ports.contains(cell)) {
        assert_eq!(planner.tree(world, cell), Ok(vec![]), "{cell} is no port");
    }
    told
}

#[test]
fn steps_of_a_tree_lead_to_its_port() {
    let charts: [(&str, &[(&str, &str)]); 4] = [
        ("dhpa-star", &[("cluster", "6"), ("levels", "2")]),
        ("dhpa-star", &[("cluster", "9")]),
        ("rhumb", &[("spacing", "5"), ("gap", "3"), ("threads", "1")]),
        ("rhumb", &[("spacing", "10"), ("threads", "1")]),
    ];
    for rules in all_rules() {
        let mut random = Random::new(60);
        let mut told = [0; 4];
        for _ in 0..15 {
            let start = random_world(&mut random, rules);
            let uniform = start.uniform_weight().is_some();
            let mut world = World::from(start.with_rules(Rules { metric: Some(start.metric()), ..rules }));
            let mut planners = charts.map(|(name, settings)| build(&world, name, settings));
            for _ in 0..2 {
                for (told, planner) in told.iter_mut().zip(&planners) {
                    *told += check(&world, planner);
                }
                let edits = random_edits(&mut random, &world, uniform);
                world.apply(&edits).expect("sound edits");
                for planner in &mut planners {
                    planner.repair(&world, &edits).expect("it can follow");
                }
            }
        }
        assert!(told.iter().all(|&told| told > 1000), "{told:?}");
    }
}

#[test]
fn open_ground_has_trees_too() {
    for rules in all_rules() {
        let world = Snapshot::from(SquareGrid::open(31, 23, rules).expect("a sound size"));
        for (name, size) in [("dhpa-star", "cluster"), ("rhumb", "spacing")] {
            let planner = build(&world, name, &[(size, "10")]);
            let port = planner.outline(&world).expect("it knows this world").expect("it has ports").layers[0].ports[0];
            assert!(
                check(&world, &planner) > 0 && planner.tree(&world, port).expect("it knows this world").len() >= 99,
                "{name}"
            );
        }
    }
}

#[test]
fn nothing_is_told_of_other_cells_and_planners() {
    let world = World::from(SquareGrid::open(40, 40, Rules::default()).expect("a sound size"));
    let planner = build(&world, "dhpa-star", &[]);
    let port = planner.outline(&world).expect("it knows this world").expect("it has ports").layers[0].ports[0];
    assert!(!planner.tree(&world, port).expect("it knows this world").is_empty());
    assert_eq!(planner.tree(&world, Cell::new(40, 3)), Ok(vec![]), "off the map");
    for name in ["hpa-star", "shpa-star", "minimal-memory", "a-star", "jump-graph"] {
        let other = build(&world, name, &[]);
        assert!(world.cells().all(|cell| other.tree(&world, cell) == Ok(vec![])), "{name} keeps none");
    }
}
