//! Hexagonal worlds and planners for the other tests.
//!
//! Not here: tests.

use crate::worlds::{Pictured, letter, weight};
use portolan::generate::{Random, generate, recipe};
use portolan::settings::{Param, Range};
use portolan::{HEX_ALGORITHMS, HexCell, HexGrid, HexShape, Metric, Planner, Rules, Snapshot};

/// Returns the world of a picture, with all weights multiplied by `factor`: `#` and `x` are walls, a digit from 1 to 9
/// is a weight, `-` a void cell, and anything else ground of weight 1. A picture with void cells is that of a hexagon.
/// Spaces are left out, so that odd rows can be drawn where they lie: half a cell further to the right.
pub(crate) fn draw(picture: &str, factor: u8, metric: Option<Metric>) -> Snapshot<HexGrid> {
    let rows = rows(picture);
    let letters = rows.concat();
    let weights: Vec<u8> =
        letters.bytes().map(|letter| if b"x-".contains(&letter) { 0 } else { factor * weight(letter) }).collect();
    let width = rows[0].len();
    let grid = if letters.contains('-') {
        HexGrid::hexagon_from_weights(width / 2, &weights, metric).expect("a sound drawing")
    } else {
        HexGrid::from_weights(width, rows.len(), &weights, metric).expect("a sound drawing")
    };
    let on_grid: Vec<HexCell> = grid.cells().collect();
    let drawn = |(at, letter)| (letter != '-').then(|| HexCell::at((at % width) as u16, (at / width) as u16));
    assert_eq!(on_grid, letters.chars().enumerate().filter_map(drawn).collect::<Vec<_>>(), "void cells are drawn");
    grid.into()
}

/// Returns the cell that is drawn as this letter, or `None` if there is none.
pub(crate) fn find(picture: &str, letter: char) -> Option<HexCell> {
    let rows = rows(picture);
    let mut found = rows.iter().zip(0..).filter_map(|(row, y)| Some(HexCell::at(row.find(letter)? as u16, y)));
    found.next()
}

/// Returns the rows of a picture without spaces.
fn rows(picture: &str) -> Vec<String> {
    picture.lines().map(|row| row.replace(' ', "")).filter(|row| !row.is_empty()).collect()
}

impl Pictured for HexGrid {
    fn picture(&self) -> String {
        let mut text = format!("{}, metric {}\n", self.shape().name(), self.metric());
        for row in 0..self.height() as u16 {
            text.push_str(if row % 2 == 0 { "" } else { " " });
            for cell in (0..self.width() as u16).map(|column| HexCell::at(column, row)) {
                text.push(if self.contains(cell) { letter(self.terrain(cell).weight()) } else { '-' });
                text.push(' ');
            }
            text.push('\n');
        }
        text
    }
}

/// Returns a grid of this shape from weights by column and row. A hexagon needs as many rows as columns, an odd number.
pub(crate) fn grid_of(shape: HexShape, width: usize, weights: &[u8], metric: Option<Metric>) -> HexGrid {
    let grid = match shape {
        HexShape::Rectangle => HexGrid::from_weights(width, weights.len() / width, weights, metric),
        HexShape::Hexagon => HexGrid::hexagon_from_weights(width / 2, weights, metric),
    };
    grid.expect("a sound size")
}

/// Returns a grid with the terrain of this one, built from its weights.
pub(crate) fn rebuilt(grid: &HexGrid) -> HexGrid {
    grid_of(grid.shape(), grid.width(), &grid.to_weights(), Some(grid.metric()))
}

/// Returns a random grid of at most 40 × 40 cells with one of several metrics, one in three of them a hexagon. Cells are
/// blocked at random; half of the grids also have rectangles of wall and of ground, and one in three has weights.
pub(crate) fn random_grid(random: &mut Random) -> HexGrid {
    let (mut width, mut height) = (1 + random.below(40) as usize, 1 + random.below(40) as usize);
    let shape = if random.below(3) == 0 { HexShape::Hexagon } else { HexShape::Rectangle };
    if shape == HexShape::Hexagon {
        width |= 1;
        height = width;
    }
    let (blocked_percent, weighted) = (random.below(60), random.below(3) == 0);
    let heavy = [1, 1, 5][random.below(3) as usize];
    let mut weights: Vec<u8> = (0..width * height)
        .map(|_| match random.below(100) {
            roll if roll < blocked_percent => 0,
            _ if weighted => 1 + random.below(9) as u8,
            _ => heavy,
        })
        .collect();
    if random.below(2) == 0 {
        for _ in 0..random.below(12) {
            let (x, y) = (random.below(width as u64) as usize, random.below(height as u64) as usize);
            let (w, h) = (1 + random.below(12) as usize, 1 + random.below(12) as usize);
            let weight = if random.below(2) == 0 { heavy } else { 0 };
            for row in y..(y + h).min(height) {
                weights[row * width + x..row * width + (x + w).min(width)].fill(weight);
            }
        }
    }
    let straights = [None, Some(10), Some(1), Some(7), Some(408), Some(65_535)];
    let metric = straights[random.below(6) as usize].map(|step| Metric::new(step, step).expect("a sound metric"));
    grid_of(shape, width, &weights, metric)
}

/// Returns a generated world whose squares have become hexes, column by column and row by row.
pub(crate) fn made(name: &str, (width, height): (usize, usize), seed: u64) -> HexGrid {
    let recipe = recipe(name).expect("a known recipe");
    let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are sound");
    let squares = generate(recipe, width, height, seed, &settings, Rules::default()).expect("a sound size");
    grid_of(HexShape::Rectangle, width, &squares.to_weights(), None)
}

/// Returns a random cell on the grid, blocked or not.
pub(crate) fn random_cell(random: &mut Random, grid: &HexGrid) -> HexCell {
    let cells: Vec<HexCell> = grid.cells().collect();
    cells[random.below(cells.len() as u64) as usize]
}

/// Returns a random free cell, or `None` if there is none.
pub(crate) fn random_free_cell(random: &mut Random, grid: &HexGrid) -> Option<HexCell> {
    let free: Vec<HexCell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    (!free.is_empty()).then(|| free[random.below(free.len() as u64) as usize])
}

/// Returns the values that a setting is tested with: all choices, and numbers at which an algorithm changes its ways.
fn values(param: &Param) -> Vec<String> {
    let words: &[&str] = match (param.name, param.range) {
        (_, Range::Choice(words)) => words,
        // Weighted A* opens nodes again only below 1.05.
        ("weight", _) => &["1", "1.02", "1.06", "3"],
        // Distances to more than eight landmarks take a second block of lanes.
        ("landmarks", _) => &["0", "3", "9"],
        // IDA* can take exponential time. The budget ends searches that would take hours.
        ("budget", _) => &["3000"],
        _ => return vec![param.default.to_string()],
    };
    words.iter().map(ToString::to_string).collect()
}

/// Builds planners of every algorithm that suits the world, one for each combination of the values to be tested.
pub(crate) fn planners(world: &Snapshot<HexGrid>) -> Vec<Planner<HexGrid>> {
    let mut planners = Vec::new();
    for algorithm in HEX_ALGORITHMS.iter().filter(|algorithm| algorithm.suits(world).is_ok()) {
        let mut combinations: Vec<Vec<(&str, String)>> = vec![vec![]];
        for param in algorithm.params {
            let with = |set: &Vec<(&'static str, String)>, value| [set.clone(), vec![(param.name, value)]].concat();
            combinations = combinations
                .iter()
                .flat_map(|set| values(param).into_iter().map(move |value| with(set, value)))
                .collect();
        }
        for set in combinations {
            let settings = algorithm.settings(&set).expect("sound settings");
            planners.push(Planner::build(world, algorithm, settings).expect("it suits"));
        }
    }
    planners
}

/// Runs a test on `count` random worlds, with a random free cell of each; worlds that have none are left out.
pub(crate) fn on_random_worlds(
    seed: u64,
    count: usize,
    mut test: impl FnMut(&mut Random, &Snapshot<HexGrid>, HexCell),
) {
    let mut random = Random::new(seed);
    for _ in 0..count {
        let world = Snapshot::from(random_grid(&mut random));
        let Some(from) = random_free_cell(&mut random, &world) else { continue };
        test(&mut random, &world, from);
    }
}
