//! The plain values that cross the border: cells, areas, rules, edits, queries and answers.
//!
//! Not here: handles.
#![allow(unsafe_code, reason = "C functions have names that the linker knows")]

use crate::failure::Failure;
use portolan::any::AnyRoute;
use portolan::{Area, Border, Cell, Corners, Cost, Directions, Edit, Metric, Outcome, Query, Rules, Side, Terrain};
use std::ffi::c_char;

/// A cell by its column and row.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[repr(C)]
pub struct PortolanCell {
    /// The column, from 0 at the left.
    pub x: u16,
    /// The row, from 0 at the top.
    pub y: u16,
}

impl From<Cell> for PortolanCell {
    fn from(cell: Cell) -> PortolanCell {
        PortolanCell { x: cell.x, y: cell.y }
    }
}

impl From<PortolanCell> for Cell {
    fn from(cell: PortolanCell) -> Cell {
        Cell::new(cell.x, cell.y)
    }
}

/// A rectangle of cells.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[repr(C)]
pub struct PortolanArea {
    /// The leftmost column.
    pub x: u16,
    /// The topmost row.
    pub y: u16,
    /// How many columns.
    pub width: u16,
    /// How many rows.
    pub height: u16,
}

/// Both cells beside a diagonal step must be free.
pub const PORTOLAN_CORNERS_STRICT: u8 = 0;
/// At least one of the cells beside a diagonal step must be free.
pub const PORTOLAN_CORNERS_NO_SQUEEZE: u8 = 1;
/// Both cells beside a diagonal step may be blocked.
pub const PORTOLAN_CORNERS_LOOSE: u8 = 2;

/// How agents move. Begin with `portolan_rules_default()`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(C)]
pub struct PortolanRules {
    /// How many neighbours a cell has: 4 or 8 on squares, 6 for a world of hexagons.
    pub directions: u8,
    /// Which of the cells beside a diagonal step must be free: one of `PORTOLAN_CORNERS_...`.
    pub corners: u8,
    /// What a straight step costs over weight 1; 0 if the engine is to choose.
    pub straight: u32,
    /// What a diagonal step costs over weight 1; 0 if the engine is to choose.
    pub diagonal: u32,
}

impl PortolanRules {
    /// Returns the costs of steps, if they are given.
    pub(crate) fn metric(self) -> Result<Option<Metric>, Failure> {
        match (self.straight, self.diagonal) {
            (0, 0) => Ok(None),
            (straight, diagonal) => Metric::new(straight, diagonal).map(Some).map_err(Failure::argument),
        }
    }

    /// Returns the rules of squares, or `None` for hexagons.
    pub(crate) fn squares(self) -> Result<Option<Rules>, Failure> {
        let directions = match self.directions {
            4 => Directions::Four,
            6 => return Ok(None),
            8 => Directions::Eight,
            other => return Err(Failure::argument(format!("`directions` is {other}, but must be 4, 6 or 8"))),
        };
        let corners = match self.corners {
            PORTOLAN_CORNERS_STRICT => Corners::Strict,
            PORTOLAN_CORNERS_NO_SQUEEZE => Corners::NoSqueeze,
            PORTOLAN_CORNERS_LOOSE => Corners::Loose,
            other => return Err(Failure::argument(format!("`corners` is {other}, but must be 0 to 2"))),
        };
        Ok(Some(Rules { directions, corners, metric: self.metric()? }))
    }
}

/// Returns the usual rules: eight directions, strict corners, and costs of steps that the engine chooses.
#[unsafe(no_mangle)]
pub extern "C" fn portolan_rules_default() -> PortolanRules {
    PortolanRules { directions: 8, corners: PORTOLAN_CORNERS_STRICT, straight: 0, diagonal: 0 }
}

/// A change of a world. Make one with `portolan_edit_terrain` and the like.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[repr(C)]
pub struct PortolanEdit {
    /// What it changes: 0 terrain, 1 borders, 2 a link, 3 a link that is removed.
    pub change: u8,
    /// The weight of the cells, 0 to block them; or the side of the cells: 0 north, 1 north-east, and so on clockwise.
    pub first: u8,
    /// The kind of the ground; or the border: 0 open, 1 closed, 2 only out, 3 only in.
    pub second: u8,
    /// Whether a link leads both ways.
    pub both_ways: bool,
    /// The cells; of a link, the cell that it leads from.
    pub area: PortolanArea,
    /// The cell that a link leads to.
    pub to: PortolanCell,
    /// What a link costs.
    pub cost: u32,
}

impl PortolanEdit {
    pub(crate) fn edit(self) -> Result<Edit, Failure> {
        let PortolanArea { x, y, width, height } = self.area;
        let (area, from) = (Area { x, y, width, height }, Cell::new(x, y));
        match self.change {
            0 => Ok(Edit::new(area, Terrain::of_weight(self.first).with_kind(self.second))),
            1 => {
                let side = Side::ALL.get(usize::from(self.first)).copied();
                let border = Border::NAMED.get(usize::from(self.second)).map(|named| named.1);
                let (side, border) = side.zip(border).ok_or_else(|| Failure::argument("no such side or border"))?;
                Ok(Edit::border(area, side, border))
            }
            2 => Ok(Edit::link(from, self.to, Cost(self.cost), self.both_ways)),
            3 => Ok(Edit::unlink(from, self.to, self.both_ways)),
            other => Err(Failure::argument(format!("an edit whose `change` is {other}, but must be 0 to 3"))),
        }
    }
}

/// Returns an edit that gives the cells of an area this weight, 0 to block them, and this kind of ground.
#[unsafe(no_mangle)]
pub extern "C" fn portolan_edit_terrain(area: PortolanArea, weight: u8, kind: u8) -> PortolanEdit {
    PortolanEdit { change: 0, first: weight, second: kind, area, ..PortolanEdit::default() }
}

/// Returns an edit that gives this side of the cells of an area this border. Sides: 0 north, 1 north-east, and so on
/// clockwise; borders: 0 open, 1 closed, 2 only out of the cells, 3 only into them.
#[unsafe(no_mangle)]
pub extern "C" fn portolan_edit_border(area: PortolanArea, side: u8, border: u8) -> PortolanEdit {
    PortolanEdit { change: 1, first: side, second: border, area, ..PortolanEdit::default() }
}

/// Returns an edit that makes a link from a cell to another, such as stairs or a teleport.
#[unsafe(no_mangle)]
pub extern "C" fn portolan_edit_link(from: PortolanCell, to: PortolanCell, cost: u32, both_ways: bool) -> PortolanEdit {
    let area = PortolanArea { x: from.x, y: from.y, width: 1, height: 1 };
    PortolanEdit { change: 2, both_ways, area, to, cost, ..PortolanEdit::default() }
}

/// Returns an edit that removes the link from a cell to another.
#[unsafe(no_mangle)]
pub extern "C" fn portolan_edit_unlink(from: PortolanCell, to: PortolanCell, both_ways: bool) -> PortolanEdit {
    PortolanEdit { change: 3, ..portolan_edit_link(from, to, 0, both_ways) }
}

/// A question for a route.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[repr(C)]
pub struct PortolanQuery {
    /// Where the route begins.
    pub from: PortolanCell,
    /// Where it leads.
    pub to: PortolanCell,
    /// Whether it may lead to the reachable cell nearest to the goal, if the goal cannot be reached.
    pub nearest: bool,
    /// How many expansions may be spent; 0 if that is not limited.
    pub budget: u64,
}

impl From<PortolanQuery> for Query {
    fn from(asked: PortolanQuery) -> Query {
        let query: Query = Query::new(asked.from, asked.to);
        let query = if asked.nearest { query.nearest() } else { query };
        if asked.budget > 0 { query.budget(asked.budget) } else { query }
    }
}

/// How a query ended.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[repr(C)]
pub enum PortolanOutcome {
    /// There is a route to the goal.
    Reached = 0,
    /// There is a route to the reachable cell nearest to the goal.
    Partial = 1,
    /// There is no route.
    #[default]
    Unreachable = 2,
    /// The budget was used up.
    OutOfBudget = 3,
    /// Every route costs more than can be counted; lower costs of steps would help.
    TooFar = 4,
    /// Start or goal lies off the map. Only in batches: else the call fails.
    OffMap = 5,
    /// The start is blocked. Only in batches: else the call fails.
    StartBlocked = 6,
    /// There is no memory for the search. Only in batches: else the call fails.
    OutOfMemory = 7,
}

/// The answer to a query.
#[derive(Copy, Clone, PartialEq, Default, Debug)]
#[repr(C)]
pub struct PortolanAnswer {
    /// How the query ended.
    pub outcome: PortolanOutcome,
    /// What the route costs; 0 without one.
    pub cost: u32,
    /// How many cells the route has, both ends included; 0 without one.
    pub count: usize,
    /// Where its cells begin among those of its batch.
    pub first: usize,
}

impl PortolanAnswer {
    pub(crate) fn of(outcome: &Outcome<AnyRoute>) -> PortolanAnswer {
        let (cost, count) = outcome.route().map_or((0, 0), |route| (route.cost().0, route.cells().len()));
        PortolanAnswer { outcome: name(outcome), cost, count, first: 0 }
    }
}

/// Returns the name of an outcome.
pub(crate) fn name<R>(outcome: &Outcome<R>) -> PortolanOutcome {
    match outcome {
        Outcome::Reached(_) => PortolanOutcome::Reached,
        Outcome::Partial(_) => PortolanOutcome::Partial,
        Outcome::OutOfBudget => PortolanOutcome::OutOfBudget,
        Outcome::TooFar => PortolanOutcome::TooFar,
        _ => PortolanOutcome::Unreachable,
    }
}

/// Returns the version of this library, such as `0.1.0`.
#[unsafe(no_mangle)]
pub extern "C" fn portolan_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}
