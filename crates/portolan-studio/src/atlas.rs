//! The worlds there are to open, by where they come from: built in, made by a recipe, or brought by a page.
//!
//! Not here: what a page does with a world once it is open.

use crate::command::{Pairs, WorldRef};
use crate::limits;
use portolan::world::generate::{GenerateError, generate, recipe};
use portolan::{Cell, Rules, SettingError, SquareGrid};
use portolan_formats::ascii::{self, AsciiWorld, Entity, EntityKind};
use portolan_formats::{Kind, ReadError, map, png_image};
use portolan_lab::queries;
use portolan_lab::worlds::builtin;
use std::path::{Path, PathBuf};

/// Where maps are looked for, and what was found.
pub(crate) struct Atlas {
    folder: Option<PathBuf>,
}

/// A world on its way to a page.
pub(crate) struct Opened {
    pub(crate) name: String,
    pub(crate) reference: WorldRef,
    pub(crate) grid: SquareGrid,
    /// Two cells worth a search.
    pub(crate) ends: (Cell, Cell),
}

/// Why a world cannot be opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error("there is no {kind} {name:?}")]
    Unknown { kind: &'static str, name: String },
    #[error("a file is brought by the page and cannot be opened by its name")]
    File,
    #[error(
        "a world here has at most {} cells, {} a side; this one would be {width} x {height}",
        limits::CELLS,
        limits::SIDE
    )]
    TooLarge { width: usize, height: usize },
    #[error("{0:?} says nothing about its format; it should end in .map, .png, .txt or .world")]
    Format(String),
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error(transparent)]
    Made(#[from] GenerateError),
    #[error("{name}: {source}")]
    Read { name: String, source: ReadError },
}

impl Atlas {
    pub(crate) fn new(folder: Option<PathBuf>) -> Atlas {
        Atlas { folder }
    }

    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// The world that is meant, under these rules.
    pub(crate) fn open(&self, reference: WorldRef, rules: Rules) -> Result<Opened, OpenError> {
        let unknown = |kind, name: &str| OpenError::Unknown { kind, name: name.to_owned() };
        match &reference {
            WorldRef::Builtin { name } => {
                let world = builtin(name).ok_or_else(|| unknown("built-in world", name))?;
                let name = name.clone();
                let drawn = ascii::read(world.text.as_bytes(), rules)
                    .map_err(|source| OpenError::Read { name: name.clone(), source })?;
                Ok(Opened::drawn(name, reference, drawn))
            }
            WorldRef::Made { recipe, width, height, seed, settings } => {
                let grid = made(recipe, (*width, *height), *seed, settings, rules)?;
                let name = format!("{recipe} {width} × {height}");
                Ok(Opened::plain(name, reference, grid))
            }
            WorldRef::Map { name } if self.folder.is_none() => Err(unknown("folder of maps, so no", name)),
            WorldRef::Map { name } => Err(unknown("map", name)),
            WorldRef::Case { name } => Err(unknown("case", name)),
            WorldRef::File { .. } => Err(OpenError::File),
        }
    }

    /// The world in a file that a page brings.
    pub(crate) fn read(name: &str, bytes: &[u8], rules: Rules) -> Result<Opened, OpenError> {
        let reference = WorldRef::File { name: name.to_owned() };
        let fault = |source| OpenError::Read { name: name.to_owned(), source };
        let opened = match Kind::of(Path::new(name)).ok_or_else(|| OpenError::Format(name.to_owned()))? {
            Kind::Map => Opened::plain(name.to_owned(), reference, map::read(bytes, rules).map_err(fault)?),
            Kind::Png => Opened::plain(name.to_owned(), reference, png_image::read(bytes, rules).map_err(fault)?),
            Kind::Ascii => Opened::drawn(name.to_owned(), reference, ascii::read(bytes, rules).map_err(fault)?),
        };
        fits(opened.grid.width(), opened.grid.height())?;
        Ok(opened)
    }
}

/// Whether a world of this size may be opened.
fn fits(width: usize, height: usize) -> Result<(), OpenError> {
    let fits = width <= limits::SIDE && height <= limits::SIDE && width * height <= limits::CELLS;
    if fits { Ok(()) } else { Err(OpenError::TooLarge { width, height }) }
}

fn made(
    name: &str,
    (width, height): (usize, usize),
    seed: u64,
    settings: &Pairs,
    rules: Rules,
) -> Result<SquareGrid, OpenError> {
    let recipe = recipe(name).ok_or_else(|| OpenError::Unknown { kind: "recipe", name: name.to_owned() })?;
    fits(width, height)?;
    let pairs: Vec<(&String, &String)> = settings.iter().collect();
    Ok(generate(recipe, width, height, seed, &recipe.settings(&pairs)?, rules)?)
}

impl Opened {
    fn plain(name: String, reference: WorldRef, grid: SquareGrid) -> Opened {
        Opened { ends: far_apart(&grid, None), name, reference, grid }
    }

    /// A drawing may say who is where.
    fn drawn(name: String, reference: WorldRef, AsciiWorld { grid, entities }: AsciiWorld) -> Opened {
        let player = entities.iter().find(|entity| entity.kind == EntityKind::Player).map(|entity| entity.at);
        let wanted = |&&Entity { at, kind }: &&Entity| {
            let is_goal = matches!(kind, EntityKind::Npcs(_) | EntityKind::Key(_));
            is_goal && player.is_some_and(|player| grid.connected(player, at))
        };
        let goal = entities.iter().find(wanted).map(|entity| entity.at);
        let ends = player.zip(goal).unwrap_or_else(|| far_apart(&grid, player));
        Opened { name, reference, grid, ends }
    }
}

/// Pairs looked at to find two cells far apart.
const DRAWN: usize = 64;
/// Which pairs.
const SEED: u64 = 1;

/// Two connected cells far from each other, the same for the same world, the first of them `from` if that is given; or a
/// cell twice, where nothing is connected to anything.
fn far_apart(grid: &SquareGrid, from: Option<Cell>) -> (Cell, Cell) {
    let distance = |a: Cell, b: Cell| {
        let (dx, dy) = (u32::from(a.x.abs_diff(b.x)), u32::from(a.y.abs_diff(b.y)));
        // Octile, in fifths of a cell.
        5 * dx.max(dy) + 2 * dx.min(dy)
    };
    let trials = queries::random(grid, DRAWN, SEED).unwrap_or_default();
    let fixed = trials.iter().flat_map(|trial| [trial.from, trial.to]).map(|to| (from.unwrap_or(to), to));
    let drawn = trials.iter().map(|trial| (trial.from, trial.to)).filter(|_| from.is_none());
    let pairs = fixed.filter(|&(a, b)| grid.connected(a, b)).chain(drawn);
    let somewhere = || from.or_else(|| grid.cells().find(|&cell| grid.is_free(cell))).unwrap_or_default();
    pairs.max_by_key(|&(a, b)| distance(a, b)).unwrap_or_else(|| (somewhere(), somewhere()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(text: &str) -> (Cell, Cell) {
        let world = ascii::read(text.as_bytes(), Rules::default()).unwrap();
        Opened::drawn(String::new(), WorldRef::File { name: String::new() }, world).ends
    }

    #[test]
    fn a_drawing_says_where_to_start() {
        assert_eq!(drawn("o..\n..p\n"), (Cell::new(0, 0), Cell::new(2, 1)));
        assert_eq!(drawn("...\n.o.\n...x\n"), (Cell::new(1, 1), Cell::new(3, 2)));
        let (from, to) = drawn(".......o\n");
        assert!(from == Cell::new(7, 0) && to.x < 3, "{from} {to}");
        // Behind a wall nobody waits.
        assert_eq!(drawn("o.A.p\n").1, Cell::new(1, 0));
    }

    #[test]
    fn there_are_ends_even_where_nobody_can_walk() {
        assert_eq!(drawn("AA\nAA\n"), (Cell::new(0, 0), Cell::new(0, 0)));
        assert_eq!(drawn("AA\nA.\n"), (Cell::new(1, 1), Cell::new(1, 1)));
        let (from, to) = drawn(&(".".repeat(60) + "\n").repeat(40));
        assert!(from.x.abs_diff(to.x) > 30, "{from} {to}");
    }

    #[test]
    fn what_is_too_large_is_not_made() {
        let open = |width, height| {
            let reference =
                WorldRef::Made { recipe: "open".into(), width, height, seed: 1, settings: Pairs::default() };
            Atlas::new(None).open(reference, Rules::default()).map(|opened| opened.grid.width())
        };
        assert!(matches!(open(8193, 1), Err(OpenError::TooLarge { .. })));
        assert!(matches!(open(4096, 4096), Err(OpenError::TooLarge { .. })));
        assert!(matches!(open(0, 5), Err(OpenError::Made(_))));
        assert!(matches!(open(usize::MAX, usize::MAX), Err(OpenError::TooLarge { .. })));
        assert_eq!(open(300, 2).unwrap(), 300);
    }
}
