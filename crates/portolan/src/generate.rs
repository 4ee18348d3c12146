//! Worlds made from a recipe, a size and a seed. They have equal bytes on every machine, because all calculations here
//! are in integers.
//!
//! Each recipe is one file of its name, with its parameters and the function that draws it, and one line of [`RECIPES`].
//! The command line and every other program that offers recipes read that table.
//!
//! Not here: reading worlds from files, and drawing pictures of them.

mod canvas;
mod caves;
mod city;
mod hills;
mod maze;
mod noise;
mod open;
mod random;
mod rooms;

pub use random::Random;

use crate::settings::{Param, Range, SettingError, Settings, Value};
use crate::space::Rules;
use crate::space::ground::check_size;
use crate::space::square::{GridError, SquareGrid};
use canvas::Canvas;

/// Declares the table of recipes: for each one its kind, the module that has its settings and draws it, whose name is
/// also the recipe's, and a description of the worlds that it makes.
macro_rules! recipes {
    ($($kind:ident = $module:ident: $summary:literal,)+) => {
        /// All recipes, in the order in which users see them listed.
        pub const RECIPES: &[Recipe] = &[$(Recipe {
            kind: Kind::$kind,
            name: stringify!($module),
            summary: $summary,
            params: $module::PARAMS,
            draw: $module::draw,
        }),+];
    };
}

recipes! {
    Maze = maze: "a maze of winding corridors, one way between any two places",
    Rooms = rooms: "square rooms joined by doors",
    Caves = caves: "winding caves with rounded walls",
    Noise = noise: "single cells blocked at random",
    City = city: "streets, alleys, plazas and a few slanting avenues between blocks of houses",
    Open = open: "an open field, with scattered obstacles if asked for",
    Hills = hills: "rolling terrain, the higher the heavier, with lakes and peaks",
}

/// Returns the recipe with this command-line name, or `None` if there is none.
pub fn recipe(name: &str) -> Option<&'static Recipe> {
    RECIPES.iter().find(|recipe| recipe.name == name)
}

/// The kind of world that a recipe makes. With it, code can pick a recipe without its name.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Kind {
    /// Winding corridors; by default exactly one walk leads from any place to any other.
    Maze,
    /// Square rooms joined by doors.
    Rooms,
    /// Winding caves with rounded walls.
    Caves,
    /// Single cells blocked at random.
    Noise,
    /// A street map.
    City,
    /// An open field, with or without scattered obstacles.
    Open,
    /// Weighted terrain with lakes and peaks.
    Hills,
}

impl Kind {
    /// Returns the recipe of this kind.
    ///
    /// # Panics
    /// Never, since every kind has a recipe.
    pub fn recipe(self) -> &'static Recipe {
        RECIPES.iter().find(|recipe| recipe.kind == self).expect("every kind is in the table")
    }
}

/// How a kind of world is made, with which settings.
pub struct Recipe {
    /// The kind of world that it makes.
    pub kind: Kind,
    /// Its name on the command line.
    pub name: &'static str,
    /// Description of the worlds that it makes, in one line.
    pub summary: &'static str,
    /// The settings that it has, with their ranges and defaults.
    pub params: &'static [Param],
    draw: fn(&mut Canvas, &mut Random, &Settings),
}

impl Recipe {
    /// Makes settings for this recipe: the values in `pairs` for the names given there, the defaults for all others.
    ///
    /// # Errors
    /// When a name is not a setting of this recipe or a value is not allowed; the error names the setting.
    pub fn settings<K: AsRef<str>, V: AsRef<str>>(&self, pairs: &[(K, V)]) -> Result<Settings, SettingError> {
        Settings::parse(self.name, self.params, pairs)
    }

    /// Returns whether `settings` has exactly this recipe's settings, each within its range.
    fn takes(&self, settings: &Settings) -> bool {
        let fits = |(param, (name, value)): (&Param, (&str, Value))| {
            let in_range = match (param.range, value) {
                (Range::Count(least, most), Value::Count(count)) => (least..=most).contains(&count),
                (Range::Number(least, most), Value::Number(number)) => (least..=most).contains(&number),
                (Range::Choice(words), Value::Choice(word)) => words.contains(&word),
                _ => false,
            };
            param.name == name && in_range
        };
        settings.iter().count() == self.params.len() && self.params.iter().zip(settings.iter()).all(fits)
    }
}

/// Why a world could not be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenerateError {
    /// The size is not allowed, or there is no memory for it.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// The settings were made for another recipe or for an algorithm.
    #[error("these are not settings of the recipe {recipe}")]
    Settings {
        /// Name of the recipe that was to make the world.
        recipe: &'static str,
    },
}

/// Makes a world. Equal recipes, sizes, seeds and settings give equal worlds. The world has at least one free cell.
///
/// ```
/// use portolan::generate::{generate, recipe};
/// use portolan::{Cell, Rules};
///
/// let maze = recipe("maze").unwrap();
/// let settings = maze.settings(&[("corridor", "2")])?;
/// let grid = generate(maze, 64, 40, 7, &settings, Rules::default())?;
/// assert!(grid.connected(Cell::new(1, 1), Cell::new(61, 37)));
/// assert!(maze.settings(&[("corridor", "none")]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// When a side is zero or longer than [`SquareGrid::MAX_SIDE`], there is no memory for so many cells, or the settings
/// are another recipe's.
pub fn generate(
    recipe: &Recipe,
    width: usize,
    height: usize,
    seed: u64,
    settings: &Settings,
    rules: Rules,
) -> Result<SquareGrid, GenerateError> {
    check_size(width, height)?;
    if !recipe.takes(settings) {
        return Err(GenerateError::Settings { recipe: recipe.name });
    }
    let mut canvas = Canvas::blocked(width, height)?;
    (recipe.draw)(&mut canvas, &mut Random::new(seed), settings);
    if canvas.weights.iter().all(|&weight| weight == Canvas::BLOCKED) {
        canvas.set(width / 2, height / 2, Canvas::GROUND);
    }
    Ok(SquareGrid::from_weights(width, height, &canvas.weights, rules)?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::Cell;

    const SIZES: [(usize, usize); 7] = [(1, 1), (1, 7), (7, 1), (2, 3), (13, 200), (64, 64), (257, 129)];

    fn made(kind: Kind, (width, height): (usize, usize), seed: u64, pairs: &[(&str, &str)]) -> SquareGrid {
        let recipe = kind.recipe();
        let settings = recipe.settings(pairs).unwrap();
        generate(recipe, width, height, seed, &settings, Rules::default()).unwrap()
    }

    fn weights(grid: &SquareGrid) -> Vec<u8> {
        grid.cells().map(|cell| grid.terrain(cell).weight()).collect()
    }

    /// Returns the FNV-1a hash of the bytes.
    fn checksum(bytes: &[u8]) -> u64 {
        bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
    }

    fn all_connected(grid: &SquareGrid) -> bool {
        let mut free = grid.cells().filter(|&cell| grid.is_free(cell));
        let first = free.next().unwrap();
        free.all(|cell| grid.connected(first, cell))
    }

    #[test]
    fn the_same_bytes_everywhere() {
        let golden = [
            ("maze", 0xb667_c490_79aa_a6de),
            ("rooms", 0xd814_743d_62fb_55b2),
            ("caves", 0xd24d_b753_b9c5_b56c),
            ("noise", 0x7c3b_1496_8e8e_7b72),
            ("city", 0x3857_c266_1e13_42e7),
            ("open", 0x9314_ae3b_a710_0309),
            ("hills", 0x5a50_06be_591b_8fc3),
        ];
        let now: Vec<_> = RECIPES
            .iter()
            .map(|recipe| (recipe.name, checksum(&weights(&made(recipe.kind, (130, 90), 2024, &[])))))
            .collect();
        assert_eq!(now, golden, "{now:#x?}");
    }

    #[test]
    fn any_size_and_any_extreme_of_settings() {
        for recipe in RECIPES {
            let mut extremes: Vec<Vec<(&str, String)>> = vec![vec![]];
            for param in recipe.params {
                let Range::Count(least, most) = param.range else { panic!("{} is no count", param.name) };
                extremes.extend([least, most].map(|value| vec![(param.name, value.to_string())]));
            }
            for (pairs, (width, height)) in extremes.iter().flat_map(|pairs| SIZES.map(|size| (pairs, size))) {
                let settings = recipe.settings(pairs).unwrap();
                let grid = generate(recipe, width, height, 3, &settings, Rules::default()).unwrap();
                assert_eq!((grid.width(), grid.height()), (width, height), "{} {pairs:?}", recipe.name);
                assert!(grid.free_cells() > 0, "{} {width} x {height} {pairs:?}", recipe.name);
            }
        }
    }

    #[test]
    fn a_seed_is_a_world() {
        for recipe in RECIPES {
            let pairs: &[_] = if recipe.kind == Kind::Open { &[("obstacles", "10")] } else { &[] };
            let first = weights(&made(recipe.kind, (64, 64), 1, pairs));
            assert_eq!(first, weights(&made(recipe.kind, (64, 64), 1, pairs)), "{}", recipe.name);
            assert_ne!(first, weights(&made(recipe.kind, (64, 64), 2, pairs)), "{}", recipe.name);
        }
    }

    #[test]
    fn mazes_rooms_and_cities_are_connected() {
        let small = [("block", "4"), ("street", "1"), ("alleys", "100"), ("avenues", "100"), ("plazas", "30")];
        let wide = [("block", "9"), ("street", "5"), ("alleys", "100"), ("avenues", "100")];
        for size in SIZES {
            for seed in 0..20 {
                assert!(all_connected(&made(Kind::Maze, size, seed, &[])), "maze {size:?} {seed}");
                assert!(all_connected(&made(Kind::Maze, size, seed, &[("corridor", "3")])), "maze {size:?} {seed}");
                assert!(all_connected(&made(Kind::Rooms, size, seed, &[("size", "4"), ("doors", "0")])));
                for pairs in [&[][..], &small, &wide] {
                    assert!(all_connected(&made(Kind::City, size, seed, pairs)), "city {size:?} {seed} {pairs:?}");
                }
            }
        }
    }

    #[test]
    fn a_maze_has_one_way_between_any_two_places() {
        let grid = made(Kind::Maze, (41, 31), 5, &[]);
        // 20 x 15 slots, and the 299 openings of a spanning tree between them.
        assert_eq!(grid.free_cells(), 300 + 299);
        assert!(made(Kind::Maze, (41, 31), 5, &[("loops", "20")]).free_cells() > 599);
    }

    #[test]
    fn settings_do_what_they_say() {
        let blocked = |kind, pairs: &[_]| made(kind, (200, 200), 9, pairs).cells_by_weight()[0] * 100 / 40_000;
        assert!((38..=42).contains(&blocked(Kind::Noise, &[("blocked", "40")])));
        assert_eq!(blocked(Kind::Hills, &[("lakes", "0"), ("peaks", "0")]), 0);
        assert!((27..=33).contains(&blocked(Kind::Hills, &[("lakes", "20"), ("peaks", "10")])));
        assert_eq!(blocked(Kind::Open, &[]), 0);
        assert!((15..=25).contains(&blocked(Kind::Open, &[("obstacles", "22")])));
        let hills = made(Kind::Hills, (200, 200), 9, &[]);
        assert!((1..=9).all(|weight| hills.cells_by_weight()[weight] > 1000));
        assert!(hills.cells_by_weight()[10..].iter().all(|&count| count == 0));
    }

    #[test]
    fn what_cannot_be_made_is_an_error() {
        let maze = Kind::Maze.recipe();
        let settings = maze.settings::<&str, &str>(&[]).unwrap();
        let size = |width, height| generate(maze, width, height, 0, &settings, Rules::default()).map(|_| ());
        assert_eq!(size(0, 5), Err(GridError::Size { width: 0, height: 5 }.into()));
        assert!(size(5, SquareGrid::MAX_SIDE + 1).is_err());
        let others = generate(Kind::Noise.recipe(), 5, 5, 0, &settings, Rules::default()).map(|_| ());
        assert_eq!(others, Err(GenerateError::Settings { recipe: "noise" }));
        assert!(maze.settings(&[("corridor", "0")]).is_err());
        assert!(maze.settings(&[("corridor", "wide")]).is_err());
        let unknown = maze.settings(&[("coridor", "2")]).unwrap_err();
        assert_eq!(unknown.to_string(), "maze has no setting \"coridor\"; it has corridor, loops");
    }

    #[test]
    fn every_kind_has_its_recipe() {
        for recipe in RECIPES {
            assert_eq!(recipe.kind.recipe().name, recipe.name);
            assert!(super::recipe(recipe.name).is_some_and(|found| found.kind == recipe.kind));
        }
        assert!(made(Kind::Rooms, (33, 33), 0, &[]).is_free(Cell::new(1, 1)));
    }
}
