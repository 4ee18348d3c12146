//! Minds: every walk is legal and ends, nothing unseen is used, and what is known in full is known as A* knows it.

use allocation_counter::measure;
use portolan::generate::{Random, generate, recipe};
use portolan::{
    Area, Cell, Corners, Directions, Edit, HexCell, HexGrid, MeshParts, Motion, NavMesh, Rules, Space, SquareGrid,
    Terrain, World,
};
use portolan_mesh::from_squares;
use portolan_sim::mind::{Lattice, Mind, MindScratch, MindSettings, MindState, Minds, Tiled};
use std::num::NonZero;

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
            let most = 11 * lattice.reachable(from).len() + 64;
            assert!(steps.len() <= most, "seed {seed}, {text:?}: {} steps, {most} at most", steps.len());
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

fn free_node<S: Tiled>(world: &S, lattice: &Lattice<S>, random: &mut Random) -> u32 {
    let mut nodes = std::iter::repeat_with(|| random.below(lattice.nodes() as u64) as u32);
    nodes.find(|&node| lattice.node(world, lattice.place(node)) == Some(node)).expect("a world has free ground")
}

/// Settings of minds that differ in what they see and how they explore.
const SIGHTS: [&str; 4] = ["sight=6", "sight=0,delta=-0.5", "sight=12,fade=2", "sight=40,stretch=9,recall=cost"];

#[test]
fn a_mind_walks_in_the_same_way_where_hexes_differ_wherever_it_has_not_looked() {
    let mut differing = 0;
    for seed in 0..80_u64 {
        let name = ["caves", "rooms", "noise", "maze", "city"][seed as usize % 5];
        let grid = hexes(name, 60, seed);
        let lattice = Lattice::new(&grid, None).expect("a sound size");
        let (mut random, mut scratch) = (Random::new(seed), MindScratch::new());
        let ends = [0, 1].map(|_| free_node(&grid, &lattice, &mut random)).map(|node| lattice.place(node));
        let text = SIGHTS[seed as usize % 4];
        // The steps from a hexagon that is seen tell what lies beside it, and no more is known of anything else.
        let mut mind = Mind::new(&settings(text), seed);
        let nodes = ends.map(|cell| lattice.node(&grid, cell).expect("free"));
        let steps = mind.walk(&lattice, nodes, &mut scratch);
        let mut weights = grid.to_weights();
        let mut is_seen = vec![false; weights.len()];
        for hexagon in mind.seen().map(|node| lattice.hexagon(node)).chain([lattice.hexagon(nodes[1])]) {
            let index = |hexagon: HexCell| {
                let at = hexagon.cell().filter(|at| usize::from(at.x) < 60 && usize::from(at.y) < 60)?;
                Some(usize::from(at.y) * 60 + usize::from(at.x))
            };
            let beside = [(0, 0), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];
            let around = beside.map(|(q, r)| HexCell::new(hexagon.q + q, hexagon.r + r));
            around.into_iter().filter_map(index).for_each(|index| is_seen[index] = true);
        }
        for (weight, _) in weights.iter_mut().zip(&is_seen).filter(|(_, is_seen)| !**is_seen) {
            let other = if seed % 2 == 0 { u8::from(*weight == 0) } else { u8::from(random.chance(50)) };
            differing += usize::from(*weight != other);
            *weight = other;
        }
        let other = HexGrid::from_weights(60, 60, &weights, None).expect("a sound size");
        let other_lattice = Lattice::new(&other, None).expect("a sound size");
        let other_nodes = ends.map(|cell| other_lattice.node(&other, cell).expect("free"));
        let other_steps = Mind::new(&settings(text), seed).walk(&other_lattice, other_nodes, &mut scratch);
        let walked = steps.iter().map(|step| (lattice.place(step.node), step.mode));
        let other_walked = other_steps.iter().map(|step| (other_lattice.place(step.node), step.mode));
        assert!(walked.eq(other_walked), "seed {seed}, {name}, {text}");
    }
    assert!(differing > 80_000, "the worlds differ in {differing} cells only");
}

#[test]
fn a_mind_walks_in_the_same_way_where_squares_differ_wherever_it_has_not_looked() {
    let mut differing = 0;
    for seed in 0..40_u64 {
        let name = ["caves", "rooms", "noise", "maze"][seed as usize % 4];
        let grid = squares(name, 60, seed, Rules::default());
        let lattice = Lattice::new(&grid, None).expect("a sound size");
        let (mut random, mut scratch) = (Random::new(seed), MindScratch::new());
        let ends = [0, 1].map(|_| free_node(&grid, &lattice, &mut random));
        let text = SIGHTS[seed as usize % 3];
        let mut mind = Mind::new(&settings(text), seed);
        let steps = mind.walk(&lattice, ends, &mut scratch);
        // Where a step leads, the squares of both hexagons and those beside them count.
        let mut is_seen = vec![false; grid.width() * grid.height()];
        for at in mind.seen().chain([ends[1]]).map(|node| lattice.place(node)) {
            for (x, y) in (-2..=2).flat_map(|x| (-2..=2).map(move |y| (x, y))) {
                let (x, y) = (i32::from(at.x) + x, i32::from(at.y) + y);
                if x >= 0 && y >= 0 && (x as usize) < grid.width() && (y as usize) < grid.height() {
                    is_seen[y as usize * grid.width() + x as usize] = true;
                }
            }
        }
        let mut weights = grid.to_weights();
        for (weight, _) in weights.iter_mut().zip(&is_seen).filter(|(_, is_seen)| !**is_seen) {
            *weight = u8::from(*weight == 0);
            differing += 1;
        }
        let other = SquareGrid::from_weights(grid.width(), grid.height(), &weights, Rules::default()).expect("sound");
        let other_lattice = Lattice::new(&other, None).expect("a sound size");
        let other_ends = ends.map(|node| other_lattice.node(&other, lattice.place(node)).expect("free"));
        let other_steps = Mind::new(&settings(text), seed).walk(&other_lattice, other_ends, &mut scratch);
        let walked = steps.iter().map(|step| (lattice.place(step.node), step.mode));
        assert!(
            walked.eq(other_steps.iter().map(|step| (other_lattice.place(step.node), step.mode))),
            "seed {seed}, {name}, {text}"
        );
    }
    assert!(differing > 10_000, "the worlds differ in {differing} cells only");
}

#[test]
fn a_warm_mind_walks_and_searches_without_allocating() {
    let grid = squares("caves", 64, 2, Rules::default());
    let lattice = Lattice::new(&grid, None).expect("a sound size");
    let mut scratch = MindScratch::new();
    let home =
        (0..lattice.nodes() as u32).max_by_key(|&node| lattice.reachable(node).len() * usize::from(node % 61 == 0));
    let home = home.expect("there are nodes");
    let part = lattice.reachable(home);
    // One knows everything, one a part, to which it adds, and one has forgotten everything before each walk.
    for text in ["knowledge=100", "knowledge=100,plan=clusters", "knowledge=60,most=9", "fade=1,most=2,landmarks=no"] {
        let mut mind = Mind::new(&settings(text), 3);
        mind.learn(&lattice, home, &mut scratch);
        let fades = mind.settings().fade().is_some();
        let mut allocated = 0;
        for round in 0..40 {
            let mut random = Random::new(round % 4);
            let ends = [0, 1].map(|_| part[random.below(part.len() as u64) as usize]);
            if fades {
                mind.rest(&lattice, 10);
            }
            let used = measure(|| {
                mind.set_out(&lattice, ends[0], ends[1]);
                while mind.tick(&lattice, &mut scratch) == MindState::Walking {}
            });
            assert_eq!(mind.state(), MindState::Arrived, "{text}");
            allocated = used.count_total;
        }
        // What was forgotten leaves gaps in memory, which are closed now and then with a list of its pages.
        let most = if fades { 2 } else { 0 };
        assert!(allocated <= most, "{text}: a warm walk allocates {allocated} times");
    }
}

/// Returns a building of two floors, the upper above the lower, joined by a ramp; columns are 2 units wide.
fn two_floors() -> NavMesh {
    let mut parts = MeshParts::default();
    let mut add = |[left, top]: [f64; 2], [right, bottom]: [f64; 2], [a, b, c, d]: [f64; 4]| {
        let corners = [[left, top, a], [right, top, b], [right, bottom, c], [left, bottom, d]].map(|at| {
            let known = parts.vertices.iter().position(|other| other.map(f64::to_bits) == at.map(f64::to_bits));
            known.unwrap_or_else(|| {
                parts.vertices.push(at);
                parts.vertices.len() - 1
            }) as u32
        });
        parts.push(&corners, 1);
    };
    for column in 0..6 {
        let left = 2.0 * f64::from(column);
        add([left, 0.0], [left + 2.0, 2.0], [0.0; 4]);
    }
    add([10.0, 2.0], [12.0, 6.0], [0.0, 0.0, 4.0, 4.0]);
    add([10.0, 6.0], [12.0, 8.0], [4.0; 4]);
    add([8.0, 6.0], [10.0, 8.0], [4.0; 4]);
    add([8.0, 2.0], [10.0, 6.0], [4.0; 4]);
    for column in 0..5 {
        let left = 2.0 * f64::from(column);
        add([left, 0.0], [left + 2.0, 2.0], [4.0; 4]);
    }
    NavMesh::new(&parts).expect("rectangles are convex")
}

#[test]
fn every_walk_on_meshes_is_legal_and_ends() {
    all_walks_are_legal_and_end(&two_floors(), Some(0.5), 1);
    let rooms = squares("rooms", 40, 2, Rules::default());
    let mesh = NavMesh::new(&from_squares(&rooms)).expect("a sound mesh");
    for size in [None, Some(0.6), Some(2.0)] {
        all_walks_are_legal_and_end(&mesh, size, 3);
    }
}

#[test]
fn floors_above_each_other_are_hexagons_of_their_own() {
    let mesh = two_floors();
    let lattice = Lattice::new(&mesh, Some(0.5)).expect("a sound size");
    let mut scratch = MindScratch::new();
    let ends = [0.0, 4.0].map(|z| mesh.point_near([1.0, 1.0, z]).expect("a floor is there"));
    let nodes = ends.map(|end| lattice.node(&mesh, end).expect("free"));
    assert_eq!(lattice.hexagon(nodes[0]), lattice.hexagon(nodes[1]));
    let mut mind = Mind::new(&MindSettings::default(), 1);
    let steps = mind.walk(&lattice, nodes, &mut scratch);
    assert_eq!(mind.state(), MindState::Arrived);
    assert!(steps.len() > 36, "over the ramp and back it is more than 18 units, not {} steps", steps.len());
    let polygons = mind.familiarity(&lattice, mesh.polygons(), |node| Some(lattice.place(node).polygon as usize));
    assert!(polygons.iter().all(|polygon| polygon.nodes > 0), "{polygons:?}");
    assert_eq!(polygons.iter().map(|polygon| polygon.known as usize).sum::<usize>(), mind.known(&lattice).count());
}

#[test]
fn a_lattice_that_follows_edits_is_that_of_the_edited_world() {
    for (seed, size) in (0..12).zip([1.0, 1.0, 2.0, 3.0, 4.0].into_iter().cycle()) {
        let mut world = World::from(squares("caves", 50, seed, Rules::default()));
        let mut lattice = Lattice::<SquareGrid>::new(&world, Some(size)).expect("a sound size");
        let mut random = Random::new(seed);
        for _ in 0..30 {
            let mut below = |limit: u64| random.below(limit) as u16;
            let area = Area { x: below(45), y: below(45), width: 1 + below(5), height: 1 + below(5) };
            let edits = [Edit::new(area, Terrain::of_weight(below(2) as u8))];
            world.apply(&edits).expect("on the map");
            lattice.follow(&world, &edits).expect("the next revision");
        }
        let fresh = Lattice::<SquareGrid>::new(&world, Some(size)).expect("a sound size");
        let steps = |lattice: &Lattice| {
            let nodes = 0..lattice.nodes() as u32;
            let places =
                |node| lattice.steps(node).map(move |(_, beside)| [node, beside].map(|node| lattice.place(node)));
            let mut steps: Vec<[Cell; 2]> = nodes.flat_map(places).collect();
            steps.sort_unstable();
            steps
        };
        assert_eq!(steps(&lattice), steps(&fresh), "seed {seed}, size {size}");
        assert!(lattice.follow(&world, &[Edit::new(Cell::new(1, 1), Terrain::BLOCKED)]).is_err());
    }
}

#[test]
fn a_mind_finds_out_that_what_it_remembers_is_false_when_it_sees_it() {
    // Two rooms, with a door above and one below.
    let mut grid = vec![1_u8; 21 * 11];
    (0..11).filter(|y| *y != 1 && *y != 9).for_each(|y| grid[y * 21 + 10] = 0);
    let mut world = World::from(SquareGrid::from_weights(21, 11, &grid, Rules::default()).expect("sound"));
    let mut lattice = Lattice::<SquareGrid>::new(&world, None).expect("a sound size");
    let mut scratch = MindScratch::new();
    let ends = [Cell::new(2, 1), Cell::new(18, 1)].map(|cell| lattice.node(&world, cell).expect("free"));
    let mut mind = Mind::new(&settings("knowledge=100,sight=0"), 1);
    mind.learn(&lattice, ends[0], &mut scratch);
    mind.learn_all(&lattice, ends[0]);
    assert_eq!(mind.walk(&lattice, ends, &mut scratch).len(), 16);
    let edits = [Edit::new(Cell::new(10, 1), Terrain::BLOCKED)];
    world.apply(&edits).expect("on the map");
    lattice.follow(&world, &edits).expect("the next revision");
    let least = lattice.route(ends[0], ends[1], &mut scratch).expect("the other door").len() - 1;
    let first = mind.walk(&lattice, ends, &mut scratch).len();
    assert_eq!(mind.state(), MindState::Arrived);
    assert!(first > least, "it went to the closed door: {first} steps, {least} at least");
    assert_eq!(mind.walk(&lattice, ends, &mut scratch).len(), least, "now it knows");
    let mut other = mind.clone();
    let edits = [Edit::new(Cell::new(10, 1), Terrain::GROUND)];
    world.apply(&edits).expect("on the map");
    lattice.follow(&world, &edits).expect("the next revision");
    assert_eq!(mind.walk(&lattice, ends, &mut scratch).len(), least, "the open door is out of its sight");
    // A mind that has been there tells of it.
    let door = [Cell::new(9, 1), Cell::new(11, 1)].map(|cell| lattice.node(&world, cell).expect("free"));
    other.walk(&lattice, door, &mut scratch);
    let mut told = Mind::new(&MindSettings::default(), 2);
    told.ask(&lattice, &other);
    assert_eq!(told.walk(&lattice, ends, &mut scratch).len(), 16);
}

#[test]
fn what_is_not_walked_on_is_forgotten_and_what_is_told_is_known() {
    let grid = squares("rooms", 60, 4, Rules::default());
    let lattice = Lattice::new(&grid, None).expect("a sound size");
    let mut scratch = MindScratch::new();
    let home =
        lattice.node(&grid, grid.nearest_reachable(free_cell(&grid), Cell::new(30, 30)).expect("free")).expect("free");
    let mut mind = Mind::new(&settings("knowledge=80,fade=100,most=4"), 1);
    mind.learn(&lattice, home, &mut scratch);
    let before = mind.known(&lattice).count();
    let mut other = Mind::new(&settings("most=4"), 2);
    other.ask(&lattice, &mind);
    mind.rest(&lattice, 250);
    let kept: Vec<(u32, u16)> = mind.known(&lattice).collect();
    assert!(kept.len() < before && !kept.is_empty());
    mind.rest(&lattice, 1_600);
    assert_eq!(mind.known(&lattice).count(), 0, "even landmarks are forgotten in the end");
    assert_eq!(other.known(&lattice).map(|(_, counter)| counter).collect::<Vec<_>>(), vec![1; before]);
    // Landmarks last longer.
    let share = |landmarks: &str| {
        let mut mind = Mind::new(&settings(&format!("knowledge=80,fade=100,most=4,landmarks={landmarks}")), 1);
        mind.learn(&lattice, home, &mut scratch);
        mind.rest(&lattice, 450);
        mind.known(&lattice).filter(|&(node, _)| lattice.distinctness(node) > 0).count()
    };
    let mut share = share;
    assert!(share("yes") > 0 && share("no") == 0);
}

fn free_cell(grid: &SquareGrid) -> Cell {
    grid.cells().find(|&cell| grid.is_free(cell)).expect("a world has a free cell")
}

#[test]
fn minds_that_plan_on_clusters_walk_hardly_further() {
    let grid = hexes("rooms", 200, 7);
    let lattice = Lattice::new(&grid, None).expect("a sound size");
    let mut scratch = MindScratch::new();
    let home = (0..lattice.nodes() as u32).find(|&node| lattice.reachable(node).len() > 10_000).expect("a large part");
    let part = lattice.reachable(home);
    let mut expanded = [0; 2];
    let mut steps = [0; 2];
    for (index, text) in ["knowledge=100", "knowledge=100,plan=clusters"].into_iter().enumerate() {
        let mut mind = Mind::new(&settings(text), 1);
        mind.learn(&lattice, home, &mut scratch);
        mind.learn_all(&lattice, home);
        let mut random = Random::new(5);
        let before = scratch.expanded();
        for _ in 0..100 {
            let ends = [0, 1].map(|_| part[random.below(part.len() as u64) as usize]);
            steps[index] += mind.walk(&lattice, ends, &mut scratch).len();
            assert_eq!(mind.state(), MindState::Arrived, "{ends:?}");
        }
        expanded[index] = scratch.expanded() - before;
    }
    println!("expanded {expanded:?}, steps {steps:?}");
    assert!(expanded[1] != expanded[0], "clusters play no part: {expanded:?}");
    assert!(steps[1] >= steps[0] && steps[1] * 10 <= steps[0] * 11, "{steps:?}");
}

#[test]
fn minds_that_take_turns_walk_as_those_that_step_in_every_tick() {
    let grid = squares("rooms", 40, 4, Rules::default());
    let lattice = Lattice::new(&grid, None).expect("a sound size");
    let part = lattice.reachable(lattice.node(&grid, free_cell(&grid)).expect("free"));
    let mut random = Random::new(9);
    let (mut brisk, mut slow) = (Minds::new(), Minds::with_pace(NonZero::new(3).expect("not 0")));
    for seed in 0..7 {
        let mut mind = Mind::new(&settings("knowledge=0"), seed);
        let ends = [0, 1].map(|_| part[random.below(part.len() as u64) as usize]);
        mind.set_out(&lattice, ends[0], ends[1]);
        brisk.add(mind.clone());
        slow.add(mind);
    }
    let places = |minds: &Minds| minds.minds().iter().map(Mind::at).collect::<Vec<_>>();
    for tick in 0..200 {
        let walking = brisk.tick(&lattice);
        let before = places(&slow);
        for _ in 0..2 {
            slow.tick(&lattice);
        }
        let stepped = places(&slow).iter().zip(&before).filter(|(now, before)| now != before).count();
        assert!(stepped <= 5, "two of three turns have passed");
        assert_eq!(slow.tick(&lattice), walking, "tick {tick}");
        assert_eq!(places(&slow), places(&brisk), "tick {tick}");
    }
    assert!(brisk.minds().iter().any(|mind| mind.state() == MindState::Arrived));
}

#[test]
fn minds_that_meet_tell_each_other_the_way() {
    let grid = squares("rooms", 50, 6, Rules::default());
    let lattice = Lattice::new(&grid, None).expect("a sound size");
    let mut scratch = MindScratch::new();
    let home = lattice.node(&grid, free_cell(&grid)).expect("free");
    let goal = *lattice.reachable(home).last().expect("itself at least");
    let mut ticks = |ask: &str, seed: u64| {
        let mut minds = Minds::new();
        let mut guide = Mind::new(&settings(&format!("knowledge=100,ask={ask}")), 1);
        guide.learn(&lattice, home, &mut scratch);
        guide.set_out(&lattice, home, home);
        let mut stranger = Mind::new(&settings(&format!("sight=2,ask={ask}")), seed);
        stranger.set_out(&lattice, home, goal);
        minds.add(guide);
        minds.add(stranger);
        (1..100_000).find(|_| minds.tick(&lattice) == 0).expect("walks end")
    };
    let least = lattice.route(home, goal, &mut MindScratch::new()).expect("one part").len() - 1;
    let mut alone = 0;
    for seed in 0..5 {
        // A stranger sees gaps beside what it was told and nothing more: it goes the shortest way, but for what λ differs.
        assert!(ticks("yes", seed) <= least + 4, "seed {seed}: at least {least}");
        alone += ticks("no", seed);
    }
    assert!(alone > 5 * (least + 4), "alone {alone}, at least {least} each");
}

#[test]
#[ignore = "it takes a minute"]
fn a_mind_that_knows_a_quarter_of_512_x_512_hexes_takes_less_than_64_kib() {
    let grid = HexGrid::open(512, 512, None).expect("a sound size");
    let lattice = Lattice::new(&grid, None).expect("a sound size");
    let mut scratch = MindScratch::new();
    let mut mind = Mind::new(&settings("knowledge=25,fade=1000"), 1);
    mind.learn(&lattice, 100_000, &mut scratch);
    mind.rest(&lattice, 999);
    mind.rest(&lattice, 1);
    let known = lattice.nodes() / 4;
    println!("{} bytes, and {} of the walk", mind.bytes(), mind.walk_bytes());
    assert!(mind.bytes() < 64 << 10, "{} bytes for {known} hexagons", mind.bytes());
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
