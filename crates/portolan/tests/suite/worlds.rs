//! Worlds, rules and planners for the other tests.

use portolan::generate::Random;
use portolan::{Area, Cell, Corners, Directions, Metric, Planner, Rules, Snapshot, Space, SquareGrid, algorithm};

/// Returns all rules of movement: eight directions with each corner rule, and four directions.
pub(crate) fn all_rules() -> Vec<Rules> {
    let eight = Corners::NAMED.map(|(_, corners)| Rules { corners, ..Rules::default() });
    let four = Rules { directions: Directions::Four, ..Rules::default() };
    eight.into_iter().chain([four]).collect()
}

/// Returns the world of a picture: `#` is a wall, a digit from 1 to 9 a weight, and anything else ground of weight 1.
pub(crate) fn draw(picture: &str, rules: Rules) -> Snapshot {
    let rows: Vec<&[u8]> = picture.lines().map(|line| line.trim().as_bytes()).filter(|row| !row.is_empty()).collect();
    let weights: Vec<u8> = rows.concat().iter().map(|&letter| weight(letter)).collect();
    SquareGrid::from_weights(rows[0].len(), rows.len(), &weights, rules).expect("a sound drawing").into()
}

/// Returns the weight that a letter of a drawing stands for.
pub(crate) fn weight(letter: u8) -> u8 {
    match letter {
        b'#' => 0,
        b'1'..=b'9' => letter - b'0',
        _ => 1,
    }
}

/// Returns a random world of at most 40 × 40 cells with one of several metrics. Cells are blocked at random; half of
/// the worlds also have rectangles of wall and of ground, and one in three has weights.
pub(crate) fn random_world(random: &mut Random, mut rules: Rules) -> Snapshot {
    let (width, height) = (1 + random.below(40) as usize, 1 + random.below(40) as usize);
    let blocked_percent = random.below(60);
    let weighted = random.below(3) == 0;
    let mut weights: Vec<u8> = (0..width * height)
        .map(|_| match random.below(100) {
            roll if roll < blocked_percent => 0,
            _ if weighted => 1 + random.below(9) as u8,
            _ => 1,
        })
        .collect();
    if random.below(2) == 0 {
        // Rectangles of wall and of open ground give long straight runs and sharp corners.
        for _ in 0..random.below(12) {
            let (x, y) = (random.below(width as u64) as usize, random.below(height as u64) as usize);
            let (w, h) = (1 + random.below(12) as usize, 1 + random.below(12) as usize);
            let weight = u8::from(random.below(2) == 0);
            for row in y..(y + h).min(height) {
                weights[row * width + x..row * width + (x + w).min(width)].fill(weight);
            }
        }
    }
    let metrics = [None, Some((10, 14)), Some((100, 142)), Some((1, 1)), Some((1, 2)), Some((408, 577))];
    rules.metric = metrics[random.below(6) as usize].map(|(s, d)| Metric::new(s, d).expect("a sound metric"));
    SquareGrid::from_weights(width, height, &weights, rules).expect("a sound size").into()
}

/// Returns a random free cell, or `None` if there is none.
pub(crate) fn random_free_cell(random: &mut Random, grid: &SquareGrid) -> Option<Cell> {
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    (!free.is_empty()).then(|| free[random.below(free.len() as u64) as usize])
}

/// Runs a test on random worlds, `count` for each of the rules, with a random free cell of each; worlds that have none are
/// left out. The random numbers are those of `seed`, from the beginning for each of the rules.
pub(crate) fn on_random_worlds(seed: u64, count: usize, mut test: impl FnMut(&mut Random, &Snapshot, Cell)) {
    for rules in all_rules() {
        let mut random = Random::new(seed);
        for _ in 0..count {
            let world = random_world(&mut random, rules);
            let Some(from) = random_free_cell(&mut random, &world) else { continue };
            test(&mut random, &world, from);
        }
    }
}

/// A kind of world of which a picture can be made.
pub(crate) trait Pictured: Space {
    /// Returns the world as a picture, for the message of a test that fails on it.
    fn picture(&self) -> String;
}

impl Pictured for SquareGrid {
    fn picture(&self) -> String {
        picture(self)
    }
}

/// Returns the world as a picture, for the message of a test that fails on it.
pub(crate) fn picture(grid: &SquareGrid) -> String {
    let mut text = format!("{:?}, metric {}\n", grid.rules(), grid.metric());
    for y in 0..grid.height() as u16 {
        for x in 0..grid.width() as u16 {
            let weight = grid.terrain(Cell { x, y }).weight();
            text.push(letter(weight));
        }
        text.push('\n');
    }
    text
}

/// Returns the letter for a cell of this weight in a picture.
pub(crate) fn letter(weight: u8) -> char {
    match weight {
        0 => '#',
        1 => '.',
        _ => char::from_digit(u32::from(weight), 36).unwrap_or('+'),
    }
}

/// Builds a planner with this algorithm and these settings for a world that suits them.
pub(crate) fn build(world: &Snapshot, name: &str, settings: &[(&str, &str)]) -> Planner {
    let algorithm = algorithm(name).expect("a known name");
    let settings = algorithm.settings(settings).expect("sound settings");
    Planner::build(world, algorithm, settings).expect("it suits the world")
}

/// Returns whether the area contains the cell.
pub(crate) fn has(area: Area, cell: Cell) -> bool {
    (area.x..area.x + area.width).contains(&cell.x) && (area.y..area.y + area.height).contains(&cell.y)
}

/// Builds planners of every algorithm that suits the world: one with default settings, and one for each combination of
/// settings that needs tests of its own.
pub(crate) fn planners(world: &Snapshot) -> Vec<Planner> {
    let plain = portolan::ALGORITHMS.iter().map(|algorithm| {
        // IDA* can take exponential time. The budget ends searches that would take hours.
        let settings: &[(&str, &str)] = if algorithm.name == "ida-star" { &[("budget", "5000")] } else { &[] };
        (algorithm.name, settings)
    });
    let variants: [(&str, &[(&str, &str)]); 61] = [
        ("a-star", &[("successors", "all")]),
        ("a-star", &[("heuristic", "manhattan")]),
        ("a-star", &[("heuristic", "euclidean"), ("successors", "all")]),
        ("a-star", &[("heuristic", "euclidean")]),
        ("a-star", &[("heuristic", "zero")]),
        ("a-star", &[("landmarks", "4")]),
        ("a-star", &[("landmarks", "9"), ("successors", "all"), ("heuristic", "zero")]),
        ("a-star", &[("landmarks", "2"), ("heuristic", "manhattan")]),
        ("a-star", &[("smoothing", "straight")]),
        ("dijkstra", &[("successors", "canonical")]),
        ("weighted-a-star", &[("weight", "1")]),
        ("weighted-a-star", &[("weight", "1.02"), ("heuristic", "euclidean")]),
        ("weighted-a-star", &[("weight", "1.06"), ("successors", "all")]),
        ("weighted-a-star", &[("weight", "3"), ("successors", "all")]),
        ("weighted-a-star", &[("weight", "1.1"), ("heuristic", "manhattan")]),
        ("greedy", &[("heuristic", "manhattan")]),
        ("bidirectional-a-star", &[("successors", "all")]),
        ("ida-star", &[("successors", "all"), ("budget", "5000")]),
        ("jump-graph", &[("landmarks", "0")]),
        ("jump-graph", &[("landmarks", "3")]),
        ("jump-graph", &[("landmarks", "16")]),
        ("hpa-star", &[("levels", "2"), ("cluster", "5"), ("smoothing", "none"), ("direct", "no")]),
        ("hpa-star", &[("levels", "3"), ("cluster", "3"), ("entrances", "pra-2017"), ("direct", "no")]),
        ("hpa-star", &[("levels", "4"), ("cluster", "2"), ("group", "3"), ("smoothing", "hpa-2004")]),
        (
            "hpa-star",
            &[("levels", "3"), ("cluster", "4"), ("edges", "lazy"), ("diagonals", "needed"), ("direct", "no")],
        ),
        ("hpa-star", &[("levels", "2"), ("cluster", "7"), ("routes", "search"), ("smoothing", "none")]),
        ("hpa-star", &[("cluster", "9"), ("entrances", "table-2"), ("diagonals", "needed"), ("smoothing", "none")]),
        ("hpa-star", &[("cluster", "6"), ("smoothing", "straight"), ("direct", "no")]),
        ("dhpa-star", &[("levels", "3"), ("cluster", "4"), ("smoothing", "taut"), ("direct", "no")]),
        ("dhpa-star", &[("cluster", "7"), ("entrances", "pra-2017")]),
        ("dhpa-star", &[("cluster", "5"), ("stop", "first"), ("diagonals", "needed")]),
        ("dhpa-star", &[("levels", "2"), ("cluster", "6"), ("edges", "lazy"), ("direct", "no")]),
        ("dhpa-star", &[("levels", "2"), ("cluster", "16"), ("entrances", "spaced"), ("direct", "no")]),
        ("dhpa-star", &[("levels", "4"), ("cluster", "1"), ("direct", "no")]),
        ("dhpa-star", &[("rows", "yes"), ("cluster", "6"), ("direct", "no"), ("threads", "1")]),
        (
            "dhpa-star",
            &[("rows", "yes"), ("cluster", "11"), ("entrances", "spaced"), ("smoothing", "taut"), ("threads", "1")],
        ),
        ("haa-star", &[("cluster", "5"), ("direct", "no")]),
        ("haa-star", &[("cluster", "9"), ("smoothing", "none"), ("direct", "no")]),
        ("shpa-star", &[("size", "16")]),
        ("shpa-star", &[("size", "60"), ("gap", "2")]),
        ("shpa-star", &[("size", "30"), ("distance", "euclidean")]),
        ("pra-star", &[("corridor", "0")]),
        ("pra-star", &[("start", "32")]),
        ("pra-star", &[("corridor", "2"), ("start", "1"), ("smoothing", "taut")]),
        ("pra-star", &[("limit", "1"), ("corridor", "0"), ("ends", "first")]),
        ("pra-star", &[("limit", "3"), ("start", "32"), ("cells", "search")]),
        ("pra-star", &[("limit", "16"), ("smoothing", "taut")]),
        ("pra-star", &[("smoothing", "straight")]),
        ("pra-star", &[("start", "2"), ("corridor", "0"), ("cells", "search"), ("smoothing", "hpa-2004")]),
        ("minimal-memory", &[("sector", "8"), ("trim", "0"), ("legs", "1"), ("smoothing", "none")]),
        ("minimal-memory", &[("sector", "8"), ("trim", "15"), ("legs", "2"), ("smoothing", "hpa-2004")]),
        ("minimal-memory", &[("sector", "8"), ("levels", "2"), ("trim", "10"), ("legs", "1")]),
        ("minimal-memory", &[("sector", "9"), ("trim", "90"), ("legs", "3"), ("centres", "centroid")]),
        ("minimal-memory", &[("sector", "10"), ("levels", "2"), ("smoothing", "none")]),
        ("minimal-memory", &[("sector", "17"), ("legs", "1")]),
        ("rhumb", &[("lines", "even")]),
        ("rhumb", &[("lines", "even"), ("spacing", "5"), ("gap", "2"), ("direct", "no")]),
        ("rhumb", &[("lines", "even"), ("spacing", "4"), ("gap", "1"), ("both-ends", "1"), ("direct", "no")]),
        ("rhumb", &[("lines", "even"), ("spacing", "9"), ("smoothing", "taut"), ("direct", "no")]),
        ("rhumb", &[("smoothing", "straight"), ("spacing", "6")]),
        ("rhumb", &[("spacing", "8"), ("gap", "4"), ("threads", "1"), ("direct", "no")]),
    ];
    plain
        .chain(variants)
        .map(|(name, settings)| {
            let algorithm = algorithm(name).expect("a known name");
            (algorithm, algorithm.settings(settings).expect("sound settings"))
        })
        .filter(|(algorithm, _)| algorithm.suits(world).is_ok())
        .map(|(algorithm, settings)| Planner::build(world, algorithm, settings).expect("it suits"))
        .collect()
}

#[test]
fn weights_come_back_as_they_were_given() {
    let mut random = Random::new(31);
    for round in 0..200 {
        let (width, height) = (1 + random.below(150) as usize, 1 + random.below(12) as usize);
        let most = [1, 2, 255][round % 3];
        let weights: Vec<u8> =
            (0..width * height).map(|_| (random.below(2) * (1 + random.below(most))) as u8).collect();
        let grid = SquareGrid::from_weights(width, height, &weights, Rules::default()).expect("a sound size");
        assert_eq!(grid.to_weights(), weights);
        let heavy: Vec<u8> = weights.iter().map(|&weight| if weight > 0 { 200 } else { 0 }).collect();
        assert_eq!(
            SquareGrid::from_weights(width, height, &heavy, Rules::default()).expect("sound").to_weights(),
            heavy
        );
    }
}
