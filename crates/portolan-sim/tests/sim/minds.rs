//! Minds: every walk is legal and ends, nothing unseen is used, and what is known in full is known as A* knows it.

use portolan::generate::{Random, generate, recipe};
use portolan::{Cell, Corners, Directions, HexGrid, Motion, Rules, Space, SquareGrid};
use portolan_sim::mind::{Lattice, Mind, MindScratch, MindSettings, MindState, Tiled};

fn settings(text: &str) -> MindSettings {
    text.parse().unwrap_or_else(|error| panic!("{text}: {error}"))
}

fn squares(name: &str, side: usize, seed: u64, rules: Rules) -> SquareGrid {
    let recipe = recipe(name).expect("a known recipe");
    let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are sound");
    generate(recipe, side, side, seed, &settings, rules).expect("a sound size")
}

fn hexes(name: &str, side: usize, seed: u64) -> HexGrid {
    let weights = squares(name, side, seed, Rules::default()).to_weights();
    HexGrid::from_weights(side, side, &weights, None).expect("a sound size")
}

/// Lets minds of several settings walk between random places, and checks that each arrives exactly where there is a way, by legal
/// steps alone.
fn all_walks_are_legal_and_end<S: Tiled>(world: &S, size: Option<f64>, seed: u64) {
    let lattice = Lattice::new(world, size).expect("a sound size");
    let (mut random, mut scratch) = (Random::new(seed), MindScratch::new());
    let texts =
        ["", "delta=-1,stretch=10,sight=0", "knowledge=40,most=9", "knowledge=60,recall=cost", "fade=3,sight=5"];
    for text in texts.into_iter().cycle().take(20) {
        let mut place = || random.below(lattice.nodes() as u64) as u32;
        let [from, goal] = [place(), place()];
        let mut mind = Mind::new(&settings(text), seed);
        mind.learn(&lattice, from, &mut scratch);
        for goal in [goal, from, goal] {
            let from = if goal == from { mind.at() } else { from };
            let steps = mind.walk(&lattice, [from, goal], &mut scratch);
            let there_is_a_way = lattice.route(from, goal, &mut scratch).is_some();
            let expected = if there_is_a_way { MindState::Arrived } else { MindState::GaveUp };
            assert_eq!(mind.state(), expected, "seed {seed}, {text:?}: from {from} to {goal}");
            let nodes: Vec<u32> = std::iter::once(from).chain(steps.iter().map(|step| step.node)).collect();
            for pair in nodes.windows(2) {
                let ends = [pair[0], pair[1]].map(|node| lattice.place(node));
                assert!(world.segment(ends[0], ends[1], S::MOTION).is_some(), "seed {seed}, {text:?}: {ends:?}");
            }
        }
    }
}

#[test]
fn every_walk_on_squares_is_legal_and_ends() {
    let corners = [Corners::Strict, Corners::NoSqueeze, Corners::Loose];
    for (seed, name) in ["maze", "rooms", "caves", "noise", "city"].into_iter().enumerate() {
        let directions = if seed == 1 { Directions::Four } else { Directions::Eight };
        let rules = Rules { corners: corners[seed % 3], directions, ..Rules::default() };
        for size in [1.0, 2.0, 5.0] {
            all_walks_are_legal_and_end(&squares(name, 48, seed as u64, rules), Some(size), seed as u64);
        }
    }
}

#[test]
fn every_walk_on_hexes_is_legal_and_ends() {
    for (seed, name) in ["maze", "rooms", "caves", "noise", "city"].into_iter().enumerate() {
        all_walks_are_legal_and_end(&hexes(name, 48, seed as u64), None, seed as u64);
    }
}

#[test]
fn hexagons_of_one_square_are_connected_as_the_squares_are() {
    for seed in 0..20 {
        let corners = if seed % 2 == 0 { Corners::Strict } else { Corners::NoSqueeze };
        let grid = squares("noise", 40, seed, Rules { corners, ..Rules::default() });
        let lattice = Lattice::new(&grid, None).expect("a sound size");
        let node = |cell| lattice.node(&grid, cell);
        for from in grid.cells().step_by(97).filter(|&cell| grid.is_free(cell)) {
            let reached = lattice.reachable(node(from).expect("free"));
            for to in grid.cells().filter(|&cell| grid.is_free(cell)) {
                let is_reached = reached.contains(&node(to).expect("free"));
                assert_eq!(is_reached, grid.connected(from, to), "seed {seed}: {from} {to}");
            }
        }
    }
}

#[test]
fn with_everything_known_in_full_every_walk_is_as_short_as_that_of_a_star() {
    for (seed, name) in ["rooms", "caves", "city"].into_iter().enumerate() {
        let grid = squares(name, 64, seed as u64, Rules::default());
        let lattice = Lattice::new(&grid, None).expect("a sound size");
        let (mut random, mut scratch) = (Random::new(seed as u64), MindScratch::new());
        let home =
            (0..lattice.nodes() as u32).max_by_key(|&node| lattice.reachable(node).len() * usize::from(node % 61 == 0));
        let home = home.expect("there are nodes");
        let part = lattice.reachable(home);
        for text in ["knowledge=100", "knowledge=100,recall=cost,most=7", "knowledge=100,sight=0"] {
            let mut mind = Mind::new(&settings(text), seed as u64);
            mind.learn(&lattice, home, &mut scratch);
            assert_eq!(mind.known(&lattice).count(), part.len(), "{name}");
            mind.learn_all(&lattice, home);
            let most = mind.settings().most();
            assert!(mind.known(&lattice).all(|(_, counter)| counter == most), "{name}");
            for _ in 0..300 {
                let ends = [0, 1].map(|_| part[random.below(part.len() as u64) as usize]);
                let least = lattice.route(ends[0], ends[1], &mut scratch).expect("one part").len() - 1;
                let steps = mind.walk(&lattice, ends, &mut scratch).len();
                assert_eq!(steps, least, "{name}, {text:?}: {ends:?}");
            }
        }
    }
}

/// Returns the cells that an agent on a cell can have seen: in straight lines of hexagons, with all cells beside these, up to a range.
fn visible(grid: &SquareGrid, lattice: &Lattice, from: Cell, range: u32, seen: &mut [bool]) {
    let mut mark = |cell: Cell| {
        for (x, y) in (-1..=1).flat_map(|x| (-1..=1).map(move |y| (x, y))) {
            let (x, y) = (i32::from(cell.x) + x, i32::from(cell.y) + y);
            if x >= 0 && y >= 0 && (x as usize) < grid.width() && (y as usize) < grid.height() {
                seen[y as usize * grid.width() + x as usize] = true;
            }
        }
    };
    let from = lattice.node(grid, from).expect("it stood there");
    mark(lattice.place(from));
    for direction in 0..6 {
        let mut node = from;
        for _ in 0..range {
            let Some((_, next)) = lattice.steps(node).find(|&(other, _)| other == direction) else { break };
            node = next;
            mark(lattice.place(node));
        }
    }
}

#[test]
fn a_mind_walks_in_the_same_way_where_worlds_differ_only_out_of_its_sight() {
    let mut differing = 0;
    for seed in 0..40_u64 {
        let name = ["caves", "rooms", "noise", "maze"][seed as usize % 4];
        let grid = squares(name, 60, seed, Rules::default());
        let lattice = Lattice::new(&grid, None).expect("a sound size");
        let (mut random, mut scratch) = (Random::new(seed), MindScratch::new());
        let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
        let mut place = || free[random.below(free.len() as u64) as usize];
        let (from, goal) = (place(), place());
        let ends = [from, goal].map(|cell| lattice.node(&grid, cell).expect("free"));
        let text = ["sight=6", "sight=0,delta=-0.5", "sight=12,fade=2"][seed as usize % 3];
        let steps = Mind::new(&settings(text), seed).walk(&lattice, ends, &mut scratch);
        let mut seen = vec![false; grid.width() * grid.height()];
        let range = u32::from(settings(text).sight()).max(1);
        visible(&grid, &lattice, from, range, &mut seen);
        steps.iter().for_each(|step| visible(&grid, &lattice, lattice.place(step.node), range, &mut seen));
        // The line to the goal is looked along from everywhere; where it is clear the walk ends at once, and else what lies on it
        // up to the wall was seen.
        for at in std::iter::once(ends[0]).chain(steps.iter().map(|step| step.node)) {
            looked_along(&lattice, at, ends[1], range, &grid, &mut seen);
        }
        let mut weights = grid.to_weights();
        for (weight, _) in weights.iter_mut().zip(&seen).filter(|(_, seen)| !**seen) {
            let other = u8::from(random.chance(50));
            differing += usize::from(*weight != other);
            *weight = other;
        }
        weights[usize::from(goal.y) * grid.width() + usize::from(goal.x)] = 1;
        let other = SquareGrid::from_weights(grid.width(), grid.height(), &weights, Rules::default()).expect("sound");
        let other_lattice = Lattice::new(&other, None).expect("a sound size");
        let other_steps = Mind::new(&settings(text), seed).walk(&other_lattice, ends, &mut scratch);
        // A mind that finds no way in one world may find one in the other only through what it has seen.
        assert_eq!(steps, other_steps, "seed {seed}");
    }
    assert!(differing > 10_000, "the worlds differ in {differing} cells only");
}

/// Marks the cells on the line of hexagons to the goal up to the first wall.
fn looked_along(lattice: &Lattice, from: u32, goal: u32, range: u32, grid: &SquareGrid, seen: &mut [bool]) {
    if lattice.distance(from, goal) > range {
        return;
    }
    let mut node = from;
    let distance = |node: u32| lattice.distance(node, goal);
    let mut ahead = vec![node];
    // All hexagons on shortest ways to the goal that are free: more than the line.
    while let Some(at) = ahead.pop() {
        node = at;
        visible(grid, lattice, lattice.place(node), 1, seen);
        ahead.extend(lattice.steps(node).map(|(_, next)| next).filter(|&next| distance(next) < distance(node)));
    }
}

#[test]
fn lines_between_hexagons_obey_the_rules_of_the_world() {
    let grid = squares("noise", 30, 5, Rules { corners: Corners::Strict, ..Rules::default() });
    let lattice = Lattice::new(&grid, None).expect("a sound size");
    for node in 0..lattice.nodes() as u32 {
        for (_, beside) in lattice.steps(node) {
            let ends = [lattice.place(node), lattice.place(beside)];
            assert!(grid.segment(ends[0], ends[1], Motion::Steps).is_some(), "{ends:?}");
        }
    }
}
