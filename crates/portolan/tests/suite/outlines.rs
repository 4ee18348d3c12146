//! Outlines: the shapes that planners report of their charts and graphs agree with the world, with the census, and with
//! what `Outline` promises.

use crate::worlds::{all_rules, build, has, random_world};
use portolan::generate::Random;
use portolan::outline::{Layer, Outline, Region};
use portolan::{ALGORITHMS, Area, Cell, Rules, Snapshot, SquareGrid};

fn outline(world: &Snapshot, name: &str, settings: &[(&str, &str)]) -> Option<Outline> {
    build(world, name, settings).outline(world).expect("it knows this world")
}

fn lies_in(inner: Area, outer: Area) -> bool {
    let last = Cell::new(inner.x + inner.width - 1, inner.y + inner.height - 1);
    has(outer, Cell::new(inner.x, inner.y)) && has(outer, last)
}

fn whole(grid: &SquareGrid) -> Area {
    Area { x: 0, y: 0, width: grid.width() as u16, height: grid.height() as u16 }
}

/// Checks that parents come before their children, contain them and are one less deep, and that every layer is in
/// order.
fn check_tree(outline: &Outline, grid: &SquareGrid) {
    for (place, region) in outline.regions.iter().enumerate() {
        match region.parent.map(|parent| (parent, outline.regions[parent])) {
            None => assert!(region.depth == 0 && lies_in(region.bounds, whole(grid))),
            Some((parent, above)) => {
                assert!(parent < place && above.depth + 1 == region.depth && lies_in(region.bounds, above.bounds));
            }
        }
    }
    for layer in &outline.layers {
        check_order(layer, grid);
    }
}

/// Checks that ports and pairs come row by row and once each, that ports are free, that pairs connect ports, and that
/// crossings are legal steps.
fn check_order(layer: &Layer, grid: &SquareGrid) {
    let rank = |cell: Cell| (cell.y, cell.x);
    assert!(layer.ports.is_sorted_by(|&a, &b| rank(a) < rank(b)) && layer.ports.iter().all(|&port| grid.is_free(port)));
    for pairs in [&layer.crossings, &layer.ways] {
        let ranks = pairs.iter().map(|&(a, b)| (rank(a), rank(b)));
        assert!(ranks.is_sorted_by(|a, b| a < b));
        assert!(pairs.iter().flat_map(|&(a, b)| [a, b]).all(|cell| is_port(layer, cell)));
    }
    for &(from, to) in &layer.crossings {
        assert!(rank(from) < rank(to) && grid.step_cost(from, to).is_some(), "{from} to {to} is no step");
    }
}

fn is_port(layer: &Layer, cell: Cell) -> bool {
    layer.ports.binary_search_by_key(&(cell.y, cell.x), |port| (port.y, port.x)).is_ok()
}

#[test]
fn a_rhumb_chart_tells_its_lines_and_ports() {
    let mut random = Random::new(5);
    for rules in all_rules() {
        for _ in 0..20 {
            let world = random_world(&mut random, rules);
            let drawn = outline(&world, "rhumb", &[("spacing", "5"), ("gap", "3")]).expect("it has lines");
            check_tree(&drawn, &world);
            let [Layer { ports, .. }] = &drawn.layers[..] else { panic!("{} layers", drawn.layers.len()) };
            assert_eq!(drawn.regions[0].bounds, whole(&world));
            let lines = || drawn.regions.iter().filter_map(|region| region.line);
            for Region { bounds, line, .. } in &drawn.regions {
                assert!(line.is_none_or(|line| lies_in(line, *bounds) && line.width.min(line.height) == 1));
            }
            for &port in ports {
                assert!(lines().any(|line| has(line, port)), "{port} is on no line");
            }
            // A cell where a line ends at another is a port if it is free, so that routes can pass there from leaf to
            // leaf.
            for line in lines() {
                let ends = [Cell::new(line.x, line.y), Cell::new(line.x + line.width - 1, line.y + line.height - 1)];
                for end in ends.into_iter().filter(|&end| lines().any(|other| other != line && has(other, end))) {
                    assert_eq!(ports.contains(&end), world.is_free(end), "the corner {end}");
                }
            }
            // Every run of free cells on a line has a port.
            for line in lines() {
                let cells =
                    (line.y..line.y + line.height).flat_map(|y| (line.x..line.x + line.width).map(move |x| (x, y)));
                let cells: Vec<Cell> = cells.map(Cell::from).collect();
                for run in cells.split(|&cell| !world.is_free(cell)).filter(|run| !run.is_empty()) {
                    assert!(run.iter().any(|cell| ports.contains(cell)), "{run:?} has no port");
                }
            }
        }
    }
}

#[test]
fn every_level_of_clusters_tells_its_ports_crossings_and_pairs() {
    let mut random = Random::new(6);
    for rules in all_rules() {
        for round in 0..20 {
            let world = random_world(&mut random, rules);
            let levels = ["1", "2", "3"][round % 3];
            let name = ["hpa-star", "dhpa-star"][round % 2];
            let edges = ["eager", "lazy"][round / 2 % 2];
            let planner = build(&world, name, &[("cluster", "4"), ("levels", levels), ("edges", edges)]);
            let drawn = planner.outline(&world).expect("it knows this world").expect("it has clusters");
            check_tree(&drawn, &world);
            let depths = drawn.regions.iter().map(|region| region.depth).max().expect("there is one") + 1;
            let census = planner.census(&world).expect("it knows this world");
            assert_eq!((drawn.layers.len(), depths), (census.len(), census.len()));
            for (level, (layer, census)) in drawn.layers.iter().zip(census).enumerate() {
                let regions = || drawn.regions.iter().filter(|region| region.depth + level + 1 == depths);
                let home = |cell: Cell| regions().position(|region| has(region.bounds, cell)).expect("all is covered");
                let cells: usize =
                    regions().map(|region| usize::from(region.bounds.width) * usize::from(region.bounds.height)).sum();
                assert_eq!(cells, world.width() * world.height(), "the clusters of a level cover the world once");
                assert!(layer.crossings.iter().all(|&(from, to)| home(from) != home(to)), "crossings lead elsewhere");
                assert!(layer.ways.iter().all(|&(from, to)| home(from) == home(to) && world.connected(from, to)));
                let counted = (layer.ports.len(), layer.crossings.len(), layer.ways.len());
                assert_eq!(counted, (census.nodes, census.inter_edges, census.intra_edges), "{name} level {level}");
                assert!(layer.labels.is_empty());
            }
        }
    }
}

#[test]
fn a_jump_graph_tells_its_leaps() {
    let mut random = Random::new(6);
    let mut told = 0;
    for _ in 0..40 {
        let world = random_world(&mut random, Rules::default());
        if world.uniform_weight().is_some() {
            let leaps = outline(&world, "jump-graph", &[]).expect("it has leaps");
            check_tree(&leaps, &world);
            let [Layer { ways, crossings, .. }] = &leaps.layers[..] else { panic!("{} layers", leaps.layers.len()) };
            assert!(crossings.is_empty() && ways.iter().all(|&(from, to)| world.connected(from, to)));
            told += ways.len();
        }
    }
    assert!(told > 100, "{told} leaps");
}

#[test]
fn merged_regions_are_told_cell_by_cell() {
    let mut random = Random::new(8);
    for rules in all_rules() {
        for _ in 0..20 {
            let world = random_world(&mut random, rules);
            let drawn = outline(&world, "shpa-star", &[("size", "20")]).expect("it has regions");
            check_tree(&drawn, &world);
            let [Layer { ports, crossings, ways, labels, .. }] = &drawn.layers[..] else { panic!("not one layer") };
            let label = |cell: Cell| labels[usize::from(cell.y) * world.width() + usize::from(cell.x)];
            assert_eq!(labels.len(), world.width() * world.height());
            assert!(world.cells().all(|cell| (label(cell) > 0) == world.is_free(cell)));
            // Regions are numbered in the order of their first cells, row by row.
            let mut most = 0;
            for &label in labels {
                assert!(label <= most + 1);
                most = most.max(label);
            }
            assert!(crossings.iter().all(|&(from, to)| label(from) != label(to)), "a crossing leads elsewhere");
            let crosses = |port: Cell| crossings.iter().any(|&(from, to)| from == port || to == port);
            assert!(ways.is_empty() && ports.iter().all(|&port| crosses(port)));
            // Two regions that have cells beside each other in a row have a crossing between them.
            for (from, to) in world.cells().map(|cell| (cell, Cell::new(cell.x + 1, cell.y))) {
                if world.contains(to) && world.is_free(from) && world.is_free(to) && label(from) != label(to) {
                    let sides = [label(from), label(to)];
                    let meet = |&(a, b): &(Cell, Cell)| sides == [label(a), label(b)] || sides == [label(b), label(a)];
                    assert!(crossings.iter().any(meet), "nothing leads from {from} to {to}");
                }
            }
        }
    }
}

#[test]
fn sectors_tell_a_centre_for_every_region_and_which_of_them_meet() {
    let mut random = Random::new(9);
    for rules in all_rules() {
        for round in 0..20 {
            let world = random_world(&mut random, rules);
            let levels = ["1", "2"][round % 2];
            let centres = ["placed", "centroid"][round / 2 % 2];
            let planner = build(&world, "minimal-memory", &[("sector", "8"), ("levels", levels), ("centres", centres)]);
            let drawn = planner.outline(&world).expect("it knows this world").expect("it has sectors");
            check_tree(&drawn, &world);
            let (census, depths) = (planner.census(&world).expect("it knows this world"), drawn.layers.len());
            assert_eq!(drawn.regions.len(), census.iter().map(|level| level.clusters).sum::<usize>());
            for (level, (layer, census)) in drawn.layers.iter().zip(census).enumerate() {
                let sectors: Vec<Area> =
                    drawn.regions.iter().filter(|at| at.depth + level + 1 == depths).map(|at| at.bounds).collect();
                let home = |cell: Cell| sectors.iter().position(|&area| has(area, cell)).expect("all is covered");
                assert_eq!((layer.ports.len(), layer.ways.len()), (census.nodes, census.inter_edges));
                assert_eq!((layer.crossings.len(), census.intra_edges), (0, 0));
                // Marks the cells that each centre reaches inside its sector, so that no region has two centres. Two
                // regions meet if a step leads from one into the other.
                let mut centre_by_cell = vec![None; world.width() * world.height()];
                let index = |cell: Cell| usize::from(cell.y) * world.width() + usize::from(cell.x);
                for &port in &layer.ports {
                    let mut reached = vec![port];
                    while let Some(cell) = reached.pop() {
                        if centre_by_cell[index(cell)].is_none() {
                            centre_by_cell[index(cell)] = Some(port);
                            reached.extend(steps(&world, cell).into_iter().filter(|&to| home(to) == home(cell)));
                        } else {
                            assert_eq!(centre_by_cell[index(cell)], Some(port), "two centres in one region");
                        }
                    }
                }
                let centre = |cell: Cell| centre_by_cell[index(cell)].expect("every region has a centre");
                let mut meet = Vec::new();
                for cell in world.cells().filter(|&cell| world.is_free(cell)) {
                    let beyond = steps(&world, cell).into_iter().filter(|&to| home(to) != home(cell));
                    meet.extend(beyond.map(|to| (centre(cell), centre(to))));
                }
                meet.retain(|&(from, to)| (from.y, from.x) < (to.y, to.x));
                meet.sort_unstable_by_key(|&(from, to)| ((from.y, from.x), (to.y, to.x)));
                meet.dedup();
                assert_eq!(layer.ways, meet, "level {level}");
            }
        }
    }
}

/// Returns the cells that a legal step leads to.
fn steps(grid: &SquareGrid, from: Cell) -> Vec<Cell> {
    let near = |at: u16| at.saturating_sub(1)..=at + 1;
    let around = near(from.y).flat_map(|y| near(from.x).map(move |x| Cell::new(x, y)));
    around.filter(|&to| grid.contains(to) && grid.step_cost(from, to).is_some()).collect()
}

#[test]
fn who_keeps_nothing_draws_nothing() {
    let world = Snapshot::from(SquareGrid::open(30, 20, Rules::default()).expect("a sound size"));
    let draws = |name: &&str| outline(&world, name, &[]).is_some();
    let drawing: Vec<&str> = ALGORITHMS.iter().map(|algorithm| algorithm.name).filter(draws).collect();
    assert_eq!(
        drawing,
        ["jump-graph", "hpa-star", "dhpa-star", "haa-star", "shpa-star", "pra-star", "minimal-memory", "rhumb"]
    );
}
