//! What planners say they have drawn over a world, held against the world and the rules of drawing.

use crate::worlds::{all_rules, random_world};
use portolan::world::generate::Random;
use portolan::{ALGORITHMS, Area, Cell, Outline, Planner, Region, Snapshot, SquareGrid, algorithm};

fn outline(world: &Snapshot, name: &str, settings: &[(&str, &str)]) -> Option<Outline> {
    let algorithm = algorithm(name).expect("a known name");
    let settings = algorithm.settings(settings).expect("sound settings");
    Planner::build(world, algorithm, settings).expect("it suits the world").outline(world)
}

fn has(area: Area, cell: Cell) -> bool {
    (area.x..area.x + area.width).contains(&cell.x) && (area.y..area.y + area.height).contains(&cell.y)
}

fn lies_in(inner: Area, outer: Area) -> bool {
    let last = Cell::new(inner.x + inner.width - 1, inner.y + inner.height - 1);
    has(outer, Cell::new(inner.x, inner.y)) && has(outer, last)
}

fn whole(grid: &SquareGrid) -> Area {
    Area { x: 0, y: 0, width: grid.width() as u16, height: grid.height() as u16 }
}

/// Parents come first, hold their children, and are one less deep.
fn check_tree(outline: &Outline, grid: &SquareGrid) {
    for (place, region) in outline.regions.iter().enumerate() {
        match region.parent.map(|parent| (parent, outline.regions[parent])) {
            None => assert!(region.depth == 0 && lies_in(region.bounds, whole(grid))),
            Some((parent, above)) => {
                assert!(parent < place && above.depth + 1 == region.depth && lies_in(region.bounds, above.bounds));
            }
        }
    }
    let ordered = |a: &Cell, b: &Cell| (a.y, a.x) <= (b.y, b.x);
    assert!(outline.ports.is_sorted_by(ordered) && outline.ports.iter().all(|&port| grid.is_free(port)));
}

#[test]
fn a_rhumb_chart_tells_its_lines_and_ports() {
    let mut random = Random::new(5);
    for rules in all_rules() {
        for _ in 0..20 {
            let world = random_world(&mut random, rules);
            let drawn = outline(&world, "rhumb", &[("spacing", "5"), ("gap", "3")]).expect("it has lines");
            check_tree(&drawn, &world);
            assert_eq!(drawn.regions[0].bounds, whole(&world));
            let lines = || drawn.regions.iter().filter_map(|region| region.line);
            for Region { bounds, line, .. } in &drawn.regions {
                assert!(line.is_none_or(|line| lies_in(line, *bounds) && line.width.min(line.height) == 1));
            }
            for &port in &drawn.ports {
                assert!(lines().any(|line| has(line, port)), "{port} is on no line");
            }
            // Where a line ends at another, routes can change leaves whenever they can stand there.
            for line in lines() {
                let ends = [Cell::new(line.x, line.y), Cell::new(line.x + line.width - 1, line.y + line.height - 1)];
                for end in ends.into_iter().filter(|&end| lines().any(|other| other != line && has(other, end))) {
                    assert_eq!(drawn.ports.contains(&end), world.is_free(end), "the corner {end}");
                }
            }
            // A line's every free cell has a port that can be walked to along it.
            for line in lines() {
                let cells =
                    (line.y..line.y + line.height).flat_map(|y| (line.x..line.x + line.width).map(move |x| (x, y)));
                let cells: Vec<Cell> = cells.map(Cell::from).collect();
                for run in cells.split(|&cell| !world.is_free(cell)).filter(|run| !run.is_empty()) {
                    assert!(run.iter().any(|cell| drawn.ports.contains(cell)), "{run:?} has no port");
                }
            }
        }
    }
}

#[test]
fn clusters_and_leaps_are_told_too() {
    let mut random = Random::new(6);
    for _ in 0..20 {
        let world = random_world(&mut random, portolan::Rules::default());
        let clusters = outline(&world, "hpa-star", &[("cluster", "4"), ("levels", "2")]).expect("it has clusters");
        check_tree(&clusters, &world);
        let deepest = clusters.regions.iter().map(|region| region.depth).max().expect("there is one");
        let lowest = clusters.regions.iter().filter(|region| region.depth == deepest);
        let cells: usize =
            lowest.map(|region| usize::from(region.bounds.width) * usize::from(region.bounds.height)).sum();
        assert_eq!(cells, world.width() * world.height(), "the lowest clusters cover the world once");
        if world.uniform_weight().is_some() {
            let leaps = outline(&world, "jump-graph", &[]).expect("it has leaps");
            check_tree(&leaps, &world);
            for (from, to) in leaps.ways {
                assert!(leaps.ports.contains(&from) && leaps.ports.contains(&to) && world.connected(from, to));
            }
        }
    }
}

#[test]
fn who_keeps_nothing_draws_nothing() {
    let world = Snapshot::from(SquareGrid::open(30, 20, portolan::Rules::default()).expect("a sound size"));
    let draws = |name: &&str| outline(&world, name, &[]).is_some();
    let drawing: Vec<&str> = ALGORITHMS.iter().map(|algorithm| algorithm.name).filter(draws).collect();
    assert_eq!(drawing, ["jump-graph", "hpa-star", "dhpa-star", "rhumb"]);
}
