//! Dynamic scenarios: `.scen` version 2, in which a map is patched between queries, and the `.patch` file it names.
//!
//! The scenario begins with the lines `version 2`, `height H`, `width W`, `cost 1 octile` (1 for a straight and √2 for
//! a diagonal step), `patch FILE` and `commands`. Then each line is a command. `P group patch x y` lays the patch of
//! that number over the map, its top left at column x and row y. `Q group sx sy gx gy length` queries a route from
//! column sx and row sy to column gx and row gy, on the map with all patches laid before. The length is that of a
//! shortest route, or [`NO_ROUTE`] (-1) if there is none. All cells are free before the first patch. Groups number the
//! states of the map in order. Blank lines are skipped.
//!
//! The patch file begins with `type patch` (which may be left out) and `patches N`. Each of the N patches is
//! `patch` and its number, counted from 0, then `height`, `width`, `map` and rows as in [`crate::map`].
//!
//! Not here: answering the queries.

use crate::error::ReadError;
use crate::map;
use crate::scen::read_version;
use crate::text::{Field, Line, Lines};
use portolan::{Area, Cell, Edit, Terrain};
use std::fmt::Write;
use std::path::{Component, Path};

/// The length of a query that has no route.
pub const NO_ROUTE: f64 = -1.0;

/// A map's size, and the patches and queries on it.
#[derive(Clone, PartialEq, Debug)]
pub struct DynamicScenario {
    /// Columns of the map, all of whose cells are free at first.
    pub width: usize,
    /// Rows of the map.
    pub height: usize,
    /// The file with the patches, in the scenario's folder or below it.
    pub patch_file: String,
    /// Patches and queries, in order.
    pub commands: Vec<Command>,
}

/// One command of a dynamic scenario.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Command {
    /// A patch is laid over the map.
    Patch {
        /// The number of the map's state to which this command belongs.
        group: u32,
        /// The number of the patch in the patch file, counted from 0.
        patch: usize,
        /// The cell on which the patch's top left cell is laid.
        at: Cell,
    },
    /// A route is queried.
    Query {
        /// The number of the map's state to which this command belongs.
        group: u32,
        /// Start, on the map.
        from: Cell,
        /// Goal, on the map.
        to: Cell,
        /// The length of the shortest route, or [`NO_ROUTE`].
        length: f64,
    },
}

/// A rectangle of free and blocked cells.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Patch {
    /// Columns.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Whether each cell is free, row by row.
    pub free: Vec<bool>,
}

/// A command that does not fit the patches of its scenario.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PatchError {
    /// There is no patch of that number.
    #[error("command {command} lays patch {patch}, but there are only {patches}, counted from 0")]
    Missing {
        /// The number of the command, counted from 1.
        command: usize,
        /// The number of the patch that it names.
        patch: usize,
        /// How many patches there are.
        patches: usize,
    },
    /// The patch reaches off the map.
    #[error("command {command} lays patch {patch} at {at}, where it reaches off the map")]
    OffMap {
        /// The number of the command, counted from 1.
        command: usize,
        /// The number of the patch that it names.
        patch: usize,
        /// The cell at which it lays the patch.
        at: Cell,
    },
}

impl DynamicScenario {
    /// Checks that every patch that a command lays exists and fits on the map.
    ///
    /// # Errors
    /// When a patch does not exist or does not fit; the error names the first such command.
    pub fn check(&self, patches: &[Patch]) -> Result<(), PatchError> {
        for (index, command) in self.commands.iter().enumerate() {
            let Command::Patch { patch: number, at, .. } = *command else { continue };
            let command = index + 1;
            let missing = PatchError::Missing { command, patch: number, patches: patches.len() };
            let patch = patches.get(number).ok_or(missing)?;
            let fits = |start: u16, length: usize, side: usize| {
                usize::from(start).checked_add(length).is_some_and(|end| end <= side)
            };
            if !fits(at.x, patch.width, self.width) || !fits(at.y, patch.height, self.height) {
                return Err(PatchError::OffMap { command, patch: number, at });
            }
        }
        Ok(())
    }
}

impl Patch {
    /// Returns the edits that lay this patch over a world with its top left at `at`: few rectangles that cover every
    /// cell of the patch once, with ground of weight 1 or blocked.
    pub fn edits(&self, at: Cell) -> Vec<Edit> {
        let area = Area { x: at.x, y: at.y, width: self.width as u16, height: self.height as u16 };
        Edit::cover(area, |x, y| {
            let free = self.free.get(usize::from(y) * self.width + usize::from(x))?;
            Some(if *free { Terrain::GROUND } else { Terrain::BLOCKED })
        })
    }
}

/// Reads a dynamic scenario.
///
/// # Errors
/// When the header is not as described, the patch file is not in the scenario's folder or below it, or a command is
/// unknown or has a field out of its range.
pub fn read_scen(bytes: &[u8]) -> Result<DynamicScenario, ReadError> {
    let mut lines = Lines::new(bytes);
    read_version(&mut lines, "2")?;
    let height = lines.side("height")?;
    let width = lines.side("width")?;
    lines.words(&["cost", "1", "octile"])?;
    let file = lines.after_word("patch", "`patch` and the name of a file")?;
    let patch_file = file.name("the name of a patch file")?;
    let is_below = |part| matches!(part, Component::Normal(_) | Component::CurDir);
    if !Path::new(&patch_file).components().all(is_below) {
        return Err(file.fault("a patch file in the scenario's folder or below it"));
    }
    lines.words(&["commands"])?;
    let commands = lines
        .filter(|line| line.fields().next().is_some())
        .map(|line| read_command(line, width, height))
        .collect::<Result<_, _>>()?;
    Ok(DynamicScenario { width, height, patch_file, commands })
}

fn read_command(line: Line, width: usize, height: usize) -> Result<Command, ReadError> {
    let mut fields = line.fields();
    let mut next = || fields.next().unwrap_or(line.end());
    let number = |field: Field| field.parse(|_| true, "a group's number");
    let cell = |x: Field, y: Field| Ok(Cell::new(x.coordinate(width)?, y.coordinate(height)?));
    let is_length = |length: &f64| (length.is_finite() && *length >= 0.0) || *length == NO_ROUTE;
    let letter = next();
    let command = match letter.text {
        b"P" => Command::Patch {
            group: number(next())?,
            patch: next().parse(|_| true, "a patch's number")?,
            at: cell(next(), next())?,
        },
        b"Q" => Command::Query {
            group: number(next())?,
            from: cell(next(), next())?,
            to: cell(next(), next())?,
            length: next().parse(is_length, "a length, 0 or more, or -1 for no route")?,
        },
        _ => return Err(letter.fault("`P` or `Q`")),
    };
    fields.next().map_or(Ok(command), |extra| Err(extra.fault("end of line")))
}

/// Writes a dynamic scenario. Lengths have enough digits to be read back exactly.
pub fn write_scen(scenario: &DynamicScenario) -> String {
    let DynamicScenario { width, height, patch_file, commands } = scenario;
    let mut text = format!("version 2\nheight {height}\nwidth {width}\ncost 1 octile\npatch {patch_file}\ncommands\n");
    for command in commands {
        let _ = match *command {
            Command::Patch { group, patch, at } => writeln!(text, "P {group} {patch} {} {}", at.x, at.y),
            Command::Query { group, from, to, length } => {
                writeln!(text, "Q {group} {} {} {} {} {length}", from.x, from.y, to.x, to.y)
            }
        };
    }
    text
}

/// Reads the patches of a dynamic scenario.
///
/// # Errors
/// When a header line is not as described, a patch's number is not that of its place, a row has the wrong length or an
/// unknown letter, or anything follows the last patch.
pub fn read_patches(bytes: &[u8]) -> Result<Vec<Patch>, ReadError> {
    let mut lines = Lines::new(bytes);
    if lines.rest().starts_with(b"type") {
        lines.words(&["type", "patch"])?;
    }
    let count: usize =
        lines.after_word("patches", "`patches` and their number")?.parse(|_| true, "the number of patches")?;
    let mut patches = Vec::new();
    for number in 0..count {
        lines.words(&["patch", &number.to_string()])?;
        let (width, height, weights) = map::read_block(&mut lines)?;
        patches.push(Patch { width, height, free: weights.into_iter().map(|weight| weight > 0).collect() });
    }
    lines.end()?;
    Ok(patches)
}

/// Writes the patches of a dynamic scenario, `.` for every free cell and `@` for every blocked one.
///
/// # Panics
/// When a patch has fewer cells than its size says.
pub fn write_patches(patches: &[Patch]) -> String {
    let mut text = format!("type patch\npatches {}\n", patches.len());
    for (number, Patch { width, height, free }) in patches.iter().enumerate() {
        let _ = write!(text, "patch {number}\nheight {height}\nwidth {width}\nmap\n");
        map::write_rows(&mut text, *width, *height, |x, y| free[y * width + x]);
    }
    text
}

#[cfg(test)]
mod tests;
