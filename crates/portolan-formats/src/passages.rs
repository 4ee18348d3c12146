//! The lines before a drawing that say what lies between its cells: borders, links, and floors.
//!
//! ```text
//! floors 2 8x5
//! border east closed 3,0 1x5
//! border south out 2,4
//! link 3,4 7,9 20 both
//! link 0,0 6,1 10 one-way
//! ```
//!
//! | line | meaning |
//! |---|---|
//! | `border SIDE KIND X,Y WxH` | this side of the cells of a rectangle, or of one cell without `WxH`, is `closed`, `open`, or crossed only on the way `out` or `in` |
//! | `link X,Y X,Y COST both` | a link from the first cell to the second and back; `one-way` in place of `both` makes no link back |
//! | `floors N WxH` | the drawing shows N floors of W columns and H rows, one below the other, with walls in the rows between them |
//!
//! Cells are named by column and row, those of hexes too. No cell of a border may lie on the edge of the map that its side faces. A
//! link leads between free cells; one that does not, and so rests until an edit frees its cells, has the word `resting` at its end.
//! Between floors lies one row if their height is odd, else two ([`Floors`]).
//!
//! Not here: the drawing, and the words of a case for edits, which are the same but for `resting`.

mod write;

pub(crate) use write::write;

use crate::error::ReadError;
use crate::text::{Field, Fields, Line};
use portolan::any::{AnySnapshot, AnyWorld};
use portolan::{Area, Border, Cell, Change, Cost, Edit, EditError, Floors, Side};

/// The sides of squares, in the order in which errors name them.
pub(crate) const SQUARE_SIDES: [Side; 4] = [Side::North, Side::East, Side::South, Side::West];
/// The sides of hexes.
pub(crate) const HEX_SIDES: [Side; 6] =
    [Side::NorthEast, Side::East, Side::SouthEast, Side::SouthWest, Side::West, Side::NorthWest];
/// The words that these lines begin with.
pub(crate) const WORDS: [&str; 3] = ["border", "link", "floors"];

/// What the lines said.
#[derive(Default)]
pub(crate) struct Passages<'a> {
    /// The borders and links in the order of their lines, each with the fields that faults show.
    told: Vec<Told<'a>>,
    floors: Option<(Floors, Field<'a>)>,
}

struct Told<'a> {
    edit: Edit,
    /// The first cell of a rectangle, or the cell that a link leads from.
    at: Field<'a>,
    /// The word that says that a link rests.
    resting: Option<Field<'a>>,
    line: Line<'a>,
}

impl<'a> Passages<'a> {
    /// Returns whether no line was read.
    pub(crate) fn is_empty(&self) -> bool {
        self.told.is_empty() && self.floors.is_none()
    }

    /// Reads a line that begins with one of [`WORDS`].
    pub(crate) fn learn(&mut self, line: Line<'a>, sides: &[Side]) -> Result<(), ReadError> {
        let word = line.fields().next().unwrap_or(line.end());
        let mut fields = Fields::after_word(line);
        match word.text {
            b"border" => {
                let change = border(&mut fields, sides)?;
                let (area, at) = fields.area()?;
                self.told.push(Told { edit: Edit { area, change }, at, resting: None, line });
            }
            b"link" => {
                let (edit, at) = link(&mut fields, true)?;
                let resting = fields.optional();
                if let Some(word) = resting.filter(|word| word.text != b"resting") {
                    return Err(word.fault("`resting` or end of line"));
                }
                self.told.push(Told { edit, at, resting, line });
            }
            _ => {
                if self.floors.is_some() {
                    return Err(word.fault("a line that was not there before"));
                }
                self.floors = Some(floors(&mut fields)?);
            }
        }
        fields.end()
    }

    /// Returns the world with these borders and links, and its floors. All is checked before anything is changed.
    pub(crate) fn lay_on(self, ground: AnySnapshot) -> Result<(AnySnapshot, Option<Floors>), ReadError> {
        for told in &self.told {
            told.check(&ground)?;
        }
        if let Some((floors, field)) = self.floors {
            check_floors(floors, field, &ground)?;
        }
        let floors = self.floors.map(|(floors, _)| floors);
        if self.told.is_empty() {
            return Ok((ground, floors));
        }
        let edits: Vec<Edit> = self.told.iter().map(|told| told.edit).collect();
        let mut world = AnyWorld::from(ground.clone());
        if let Err(fault) = world.apply(&edits) {
            // What is wrong with several lines together is shown at the line that is one too many.
            let counts: Vec<usize> = (1..=edits.len()).collect();
            let sound = |&count: &usize| AnyWorld::from(ground.clone()).apply(&edits[..count]).is_ok();
            let told = &self.told[counts.partition_point(sound).min(edits.len() - 1)];
            return Err(told.at.fault(fault.to_string()));
        }
        Ok((world.snapshot(), floors))
    }
}

impl Told<'_> {
    /// Checks that the line fits the ground of a world.
    fn check(&self, ground: &AnySnapshot) -> Result<(), ReadError> {
        let (width, height) = (ground.width(), ground.height());
        let off_map = || self.at.fault(format!("a place on the {width} x {height} map"));
        self.edit.check(width, height).map_err(|_| off_map())?;
        let Area { x, y, .. } = self.edit.area;
        let from = Cell::new(x, y);
        match self.edit.change {
            Change::Link { to, .. } => {
                let second = self.line.fields().nth(2).unwrap_or(self.at);
                for (cell, field) in [(from, self.at), (to, second)] {
                    if !ground.contains(cell) {
                        return Err(field.fault(format!("a place on the {width} x {height} map")));
                    }
                    if !ground.is_free(cell) && self.resting.is_none() {
                        return Err(field.fault("a cell of free ground, or `resting` at the end of the line"));
                    }
                }
                if from == to {
                    return Err(second.fault("another cell than the link leads from"));
                }
                match self.resting.filter(|_| ground.is_free(from) && ground.is_free(to)) {
                    Some(word) => Err(word.fault("a link that has a blocked end, or end of line")),
                    None => Ok(()),
                }
            }
            Change::Border(side, _) => {
                let cells = cells(self.edit.area);
                let outside = cells.into_iter().find(|&cell| ground.beside(cell, side).is_none());
                let expected = || format!("cells that have neighbours beyond their {} sides", side.name());
                match outside {
                    None => Ok(()),
                    Some(cell) if ground.contains(cell) => Err(self.at.fault(expected())),
                    Some(_) => Err(off_map()),
                }
            }
            _ => Ok(()),
        }
    }
}

/// Returns the cells of a rectangle, row by row.
fn cells(area: Area) -> impl Iterator<Item = Cell> {
    let Area { x, y, width, height } = area;
    (y..y + height).flat_map(move |row| (x..x + width).map(move |column| Cell::new(column, row)))
}

fn check_floors(floors: Floors, field: Field, ground: &AnySnapshot) -> Result<(), ReadError> {
    let (width, rows) = (floors.size().0, floors.rows());
    if (ground.width(), ground.height()) != (width, rows) {
        let found = format!("one of {} x {}", ground.width(), ground.height());
        let expected = format!("a drawing of {width} x {rows} cells, walls between floors among them");
        return Err(ReadError { found, ..field.fault(expected) });
    }
    let between = ground.cells().find(|&cell| floors.floor(cell).is_none() && ground.is_free(cell));
    match between {
        Some(cell) => Err(ReadError { found: format!("ground at {cell}"), ..field.fault("walls between the floors") }),
        None => Ok(()),
    }
}

/// Reads how many floors there are and how large each is.
fn floors<'a>(fields: &mut Fields<'a>) -> Result<(Floors, Field<'a>), ReadError> {
    const COUNT: &str = "a number of floors from 1 to 64";
    const { assert!(Floors::MOST == 64, "the message above says so") };
    let field = fields.next(COUNT)?;
    let count = field.parse(|count| (1..=Floors::MOST).contains(count), COUNT)?;
    let size = fields.next("columns and rows, such as 64x48")?;
    let sides = size.two('x').ok_or_else(|| size.fault("columns and rows, such as 64x48"))?;
    let floors = Floors::new(count, sides.0, sides.1).map_err(|fault| size.fault(format!("another size ({fault})")))?;
    Ok((floors, field))
}

/// Reads the ends of a link and whether it leads both ways, and between them what it costs if it is made and not removed.
pub(crate) fn link<'a>(fields: &mut Fields<'a>, is_made: bool) -> Result<(Edit, Field<'a>), ReadError> {
    let (from, at) = fields.cell()?;
    let (to, _) = fields.cell()?;
    let cost = "the cost of a link";
    let is_sound = |price: &u32| (1..=EditError::MOST_COST).contains(price);
    let cost = if is_made { Some(Cost(fields.next(cost)?.parse(is_sound, cost)?)) } else { None };
    let ways = fields.next("both or one-way")?;
    let both_ways = match ways.text {
        b"both" => true,
        b"one-way" => false,
        _ => return Err(ways.fault("both or one-way")),
    };
    Ok((Edit { area: from.into(), change: Change::Link { to, cost, both_ways } }, at))
}

/// Reads one of these sides and the border that it gets.
pub(crate) fn border(fields: &mut Fields, sides: &[Side]) -> Result<Change, ReadError> {
    let names = || {
        let names: Vec<&str> = sides.iter().map(|side| side.name()).collect();
        let (last, others) = names.split_last().expect("cells have sides");
        format!("{} or {last}", others.join(", "))
    };
    let side = fields.next(&names())?;
    let found = sides.iter().find(|known| known.name().as_bytes() == side.text);
    let &found = found.ok_or_else(|| side.fault(names()))?;
    let kind = fields.next("open, closed, out or in")?;
    let border = Border::NAMED.into_iter().find(|(name, _)| name.as_bytes() == kind.text);
    let (_, border) = border.ok_or_else(|| kind.fault("open, closed, out or in"))?;
    Ok(Change::Border(found, border))
}

#[cfg(test)]
mod tests;
