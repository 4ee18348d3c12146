//! `.hex`: a hexagonal world, drawn so that it looks like one in a text editor.
//!
//! ```text
//! portolan hex 1
//! shape rectangle
//! width 6
//! height 3
//! map
//! . . . @ @ .
//!  . 2 2 . @ .
//! . . 3 2 . .
//! ```
//!
//! The first line is `portolan hex 1`. Then every line states one fact, in any order and each at most once but for kinds, borders
//! and links; the last one is `map`:
//!
//! | line | meaning |
//! |---|---|
//! | `shape rectangle` | which cells there are: all columns and rows, or those of a `hexagon` |
//! | `width N` and `height N` | the number of columns and of rows of a rectangle |
//! | `radius N` | how many steps the cells of a hexagon lie away from its middle, at most |
//! | `metric N` | the cost of a step over weight 1; without this line, [`Metric::fitting`] chooses it |
//! | `digits 3` | how many characters a cell takes: 1, as without this line, or 3 |
//! | `kind ~ water 3` | a character that stands for a kind of ground, its name or number, and its weight if it is not 1 |
//! | `border SIDE KIND X,Y WxH`, `link X,Y X,Y COST both`, `floors N WxH` | what lies between cells: `passages.rs` has the words |
//! | `map` | the rest of the file is the drawing, a line for each row, the top row first |
//!
//! Blank lines before `map` and what follows a ` #` there are skipped.
//!
//! In the drawing, `.` is ground of weight 1, `@` is blocked, and a number is ground of that weight, up to 9 or, with
//! `digits 3`, up to 255. A number with fewer digits than its cell has characters stands at the right of the cell, as `.`
//! and `@` do. One space lies between two cells, and odd rows, counted from 0, are indented by half a cell, that is one
//! space or, with `digits 3`, two. Cells of the columns and rows that lie outside of a hexagon are spaces. So the place
//! of every cell in its line is fixed, and a cell in another place is an error. Spaces may follow the last cell of a row,
//! and blank lines the last row.
//!
//! Not here: searches on hexes, and worlds of squares.

mod header;

use crate::ascii::DrawError;
use crate::error::{ReadError, room_for_weights};
use crate::legend::Written;
use crate::passages;
use crate::text::{Line, Lines, without_mark};
use header::Header;
use portolan::any::AnySnapshot;
use portolan::{Cell, Extras, Floors, HexCell, HexGrid, HexShape, KindNames, Metric, Terrain};
use std::fmt::Write;

/// Where the cells of a drawing lie in their lines.
#[derive(Copy, Clone)]
struct Layout {
    /// How many characters a cell takes.
    digits: usize,
}

impl Layout {
    /// Returns how many characters lie in front of a cell.
    fn start(self, column: usize, row: usize) -> usize {
        let pitch = self.digits + 1;
        column * pitch + row % 2 * pitch / 2
    }

    /// Returns what is written for a cell of this terrain.
    fn text(self, terrain: Terrain, legend: &Written) -> String {
        let cell = match (legend.letter(terrain), terrain.weight()) {
            (Some(letter), _) => char::from(letter).to_string(),
            (None, 0) => "@".into(),
            (None, 1) => ".".into(),
            (None, weight) => weight.to_string(),
        };
        format!("{cell:>0$}", self.digits)
    }

    /// Returns what a cell may be, for errors.
    fn expected(self) -> &'static str {
        if self.digits == 1 {
            "`.`, `@` or a weight from 1 to 9 (to 255 with `digits 3`)"
        } else {
            "`.`, `@` or a weight from 1 to 255"
        }
    }
}

/// Returns whether the bytes begin like a hexagonal world.
pub fn is_hex(bytes: &[u8]) -> bool {
    without_mark(bytes).starts_with(b"portolan hex ")
}

/// A hexagonal world, the names of its kinds of ground, and its floors.
#[derive(Clone)]
pub struct HexWorld {
    /// The terrain, borders and links.
    pub grid: HexGrid,
    /// The names of the kinds of ground.
    pub kinds: KindNames,
    /// How floors lie on the grid, if the file says that it shows floors.
    pub floors: Option<Floors>,
}

/// Reads a hexagonal world without the names of its kinds and its floors.
///
/// # Errors
/// As [`read_world`].
pub fn read(bytes: &[u8]) -> Result<HexGrid, ReadError> {
    read_world(bytes).map(|world| world.grid)
}

/// Reads a hexagonal world.
///
/// # Errors
/// When a line before the drawing is none of those above, a fact is missing, stated twice or does not belong to the
/// shape, a side is too long, a cell is not one of those above, a row has too many or too few cells or one that is not in
/// its place, anything follows the last row, borders, links or floors do not fit the drawing, or there is no memory for the
/// world.
pub fn read_world(bytes: &[u8]) -> Result<HexWorld, ReadError> {
    let mut lines = Lines::new(bytes);
    let header = Header::read(&mut lines)?;
    let Header { shape, width, height, metric, .. } = header;
    // The header may state more cells than the file holds: room is reserved for no more cells than the file has bytes
    // left. No row of a sound file is shorter than the number of columns, so that this is room enough.
    let mut ground = Ground { weights: room_for_weights(width, height, lines.bytes_left())?, kinds: Vec::new() };
    for row in 0..height {
        let line = lines.next().ok_or_else(|| lines.ended(format!("row {} of {height}", row + 1)))?;
        header.read_row(line, row, &mut ground)?;
    }
    lines.end()?;
    let made = match shape {
        HexShape::Rectangle => HexGrid::from_weights(width, height, &ground.weights, metric),
        HexShape::Hexagon => HexGrid::hexagon_from_weights(width / 2, &ground.weights, metric),
    };
    let mut grid = made.map_err(ReadError::of_grid)?;
    if !ground.kinds.is_empty() {
        ground.kinds.resize(width * height, 0);
        grid = grid.with_kinds(&ground.kinds).map_err(ReadError::of_grid)?;
    }
    let world = HexWorld { grid, kinds: header.legend.names, floors: None };
    if header.legend.passages.is_empty() {
        return Ok(world);
    }
    let (laid, floors) = header.legend.passages.lay_on(AnySnapshot::from(world.grid))?;
    let grid = laid.hex().map(|grid| HexGrid::clone(grid)).expect("hexes stay hexes");
    Ok(HexWorld { grid, floors, ..world })
}

/// Returns the names of the kinds of ground that the lines before the drawing give, without reading the drawing.
///
/// # Errors
/// When one of these lines is at fault.
pub fn kind_names(bytes: &[u8]) -> Result<KindNames, ReadError> {
    Header::read(&mut Lines::new(bytes)).map(|header| header.legend.names)
}

/// The cells of the rows read so far.
struct Ground {
    weights: Vec<u8>,
    /// Kinds up to the last cell that is of another kind than 0.
    kinds: Vec<u8>,
}

/// Returns the number of columns and of rows as the lines before the drawing state them, without reading the drawing;
/// the beginning of a file is enough. `None` if these lines are not those of a world that [`read()`] takes.
pub fn size(bytes: &[u8]) -> Option<(usize, usize)> {
    Header::read(&mut Lines::new(bytes)).ok().map(|header| (header.width, header.height))
}

impl Header<'_> {
    /// Appends the cells of a row, 0 for cells outside of the shape.
    fn read_row(&self, line: Line, row: usize, Ground { weights, kinds }: &mut Ground) -> Result<(), ReadError> {
        let columns = self.shape.columns(self.width, row);
        let is_odd_blank = |byte: &u8| byte.is_ascii_whitespace() && *byte != b' ';
        if let Some(index) = line.text.iter().position(is_odd_blank) {
            return Err(line.at(index).fault("a cell or a space"));
        }
        let row_start = weights.len();
        weights.resize(row_start + columns.start, 0);
        let count = columns.len();
        let mut fields = line.fields();
        for column in columns {
            let Some(field) = fields.next() else {
                return Err(line.end().fault(format!("a row of {count} cells")));
            };
            let kinded = match field.text {
                &[letter] => self.legend.terrain(char::from(letter)),
                _ => None,
            };
            let terrain = kinded.or_else(|| weight(field.text).map(Terrain::of_weight));
            let terrain = terrain.filter(|_| field.text.len() <= self.layout.digits);
            let terrain = terrain.ok_or_else(|| field.fault(self.layout.expected()))?;
            if terrain.kind() != 0 {
                kinds.resize(weights.len(), 0);
                kinds.push(terrain.kind());
            }
            weights.push(terrain.weight());
            let last = self.layout.start(column, row) + self.layout.digits;
            if field.last_column() != last {
                return Err(field.fault(format!("cell {column} of the row to end in column {last} of the text")));
            }
        }
        weights.resize(row_start + self.width, 0);
        fields.next().map_or(Ok(()), |extra| Err(extra.fault(format!("a row of {count} cells"))))
    }
}

/// Returns the weight that a cell of the drawing stands for, 0 for a blocked one.
fn weight(cell: &[u8]) -> Option<u8> {
    match cell {
        b"." => Some(1),
        b"@" => Some(0),
        // A number has no sign and does not begin with 0.
        [b'1'..=b'9', ..] => str::from_utf8(cell).ok()?.parse().ok(),
        _ => None,
    }
}

/// Writes a hexagonal world, with the built-in names or numbers of kinds.
///
/// # Errors
/// As [`write_named`].
pub fn write(grid: &HexGrid) -> Result<String, DrawError> {
    write_named(grid, &KindNames::default(), None)
}

/// Writes a hexagonal world with these names of kinds and these floors. To read it back gives the same cells, borders and links
/// and the same cost of steps.
///
/// # Errors
/// When there are more kinds and weights of ground than characters.
pub fn write_named(grid: &HexGrid, kinds: &KindNames, floors: Option<Floors>) -> Result<String, DrawError> {
    let (width, height) = (grid.width(), grid.height());
    let kinded = grid.cells().take_while(|_| grid.has_kinds());
    let legend = Written::of(kinded.map(|cell| grid.terrain(cell)), kinds);
    let heavy = grid.cells_by_weight()[10..].iter().any(|&cells| cells > 0);
    let layout = Layout { digits: if heavy { 3 } else { 1 } };
    let mut text = String::with_capacity((layout.start(width, 1) + 1) * height + 128);
    let _ = writeln!(text, "portolan hex 1\nshape {}", grid.shape().name());
    let _ = match grid.shape() {
        HexShape::Rectangle => writeln!(text, "width {width}\nheight {height}"),
        HexShape::Hexagon => writeln!(text, "radius {}", width / 2),
    };
    let (metric, chosen) = (grid.metric(), Metric::fitting(width * height, grid.uniform_weight().is_none()));
    if metric.straight() != chosen.straight() {
        let _ = writeln!(text, "metric {}", metric.straight());
    }
    if heavy {
        text.push_str("digits 3\n");
    }
    text.push_str(&legend.lines);
    if grid.extras() != Extras::Nothing || floors.is_some() {
        text.push_str(&passages::write(&AnySnapshot::from(grid.clone()), floors));
    }
    text.push_str("map\n");
    for row in 0..height {
        let columns = grid.shape().columns(width, row);
        let indent = layout.start(columns.start, row);
        text.extend(std::iter::repeat_n(' ', indent));
        for column in columns {
            let terrain = grid.terrain(HexCell::at(column as u16, row as u16));
            if terrain.kind() != 0 && legend.letter(terrain).is_none() {
                return Err(DrawError::Kinds { most: legend.count(), at: Cell::new(column as u16, row as u16) });
            }
            text.push_str(&layout.text(terrain, &legend));
            text.push(' ');
        }
        text.pop();
        text.push('\n');
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::HexCell;

    const SMALL: &str = "portolan hex 1\nshape rectangle\nwidth 4\nheight 3\nmap\n. . @ 2\n . 9 @ .\n@ @ . .\n";
    const HEXAGON: &str = "portolan hex 1\nshape hexagon\nradius 2\nmetric 100\ndigits 3\nmap\n      .   .  12\n    \
                           @   .   . 255\n  .   .   @   .   3\n    .   .   .   .\n      .   .   @\n";

    fn of(text: &str) -> HexGrid {
        read(text.as_bytes()).unwrap_or_else(|fault| panic!("{fault} in\n{text}"))
    }

    fn fault(text: &str) -> String {
        read(text.as_bytes()).err().unwrap().to_string()
    }

    #[test]
    fn a_drawing_is_read_cell_by_cell() {
        let grid = of(SMALL);
        assert_eq!((grid.width(), grid.height(), grid.shape()), (4, 3, HexShape::Rectangle));
        assert_eq!(grid.to_weights(), [1, 1, 0, 2, 1, 9, 0, 1, 0, 0, 1, 1]);
        assert_eq!(grid.metric(), Metric::WIDE);
        assert_eq!(write(&grid).unwrap(), SMALL);

        let grid = of(HEXAGON);
        assert_eq!((grid.width(), grid.shape(), grid.metric().straight()), (5, HexShape::Hexagon, 100));
        assert_eq!(grid.to_weights()[..10], [0, 1, 1, 12, 0, 0, 1, 1, 255, 0]);
        assert!(!grid.contains(HexCell::at(0, 0)) && grid.contains(HexCell::at(0, 1)));
        assert_eq!(write(&grid).unwrap(), HEXAGON);
        assert_eq!(
            write(&HexGrid::hexagon(0, None).unwrap()).unwrap(),
            "portolan hex 1\nshape hexagon\nradius 0\nmap\n.\n"
        );
    }

    #[test]
    fn order_comments_and_spaces_at_ends_do_not_matter() {
        let text = "\u{feff}portolan hex 1\r\n# a world\r\nheight 3 # rows\r\n\r\n  width 4\r\ndigits 1\r\n\
                    shape rectangle\r\nmap # as drawn\r\n. 1 @ 2   \r\n . 9 @ .\r\n@ @ . .\r\n\r\n  \r\n";
        assert_eq!(write(&of(text)).unwrap(), SMALL);
        assert_eq!(write(&of(SMALL.trim_end())).unwrap(), SMALL);
        assert!(is_hex(text.as_bytes()) && !is_hex(b"portolan case 1\n"));
    }

    #[test]
    fn faults_before_the_drawing_are_told_by_place() {
        assert_eq!(fault(""), "1:1: expected `portolan hex 1`, found end of file");
        assert_eq!(fault("portolan hex 2\n"), "1:14: expected `portolan hex 1`, found '2'");
        let with = |lines: &str| fault(&format!("portolan hex 1\n{lines}"));
        assert_eq!(
            with("outline x"),
            "2:1: expected shape, width, height, radius, metric, digits, kind, border, link, floors or map, found 'outline'"
        );
        assert_eq!(with("shape round"), "2:7: expected rectangle or hexagon, found 'round'");
        assert_eq!(with("width 3\nwidth 3"), "3:1: expected a line that was not there before, found 'width'");
        assert_eq!(with("width 3 4"), "2:9: expected end of line, found '4'");
        assert_eq!(with("width"), "2:6: expected a number of cells from 1 to 32766, found end of line");
        assert_eq!(with("height 32767"), "2:8: expected a number of cells from 1 to 32766, found '32767'");
        assert_eq!(with("radius 16383"), "2:8: expected a number of steps from 0 to 16382, found '16383'");
        for metric in ["0", "65536", "-1", "5/7"] {
            assert_eq!(
                with(&format!("metric {metric}")),
                format!("2:8: expected a cost from 1 to 65535, found '{metric}'")
            );
        }
        assert_eq!(with("digits 2"), "2:8: expected 1 or 3, found '2'");
        assert_eq!(with("map x"), "2:5: expected end of line, found 'x'");
        assert_eq!(with("width 3\n"), "3:1: expected a line `map`, found end of file");
        let missing = |line: &str| format!("expected a line {line} before the map, found 'map'");
        assert_eq!(with("map\n"), format!("2:1: {}", missing("`shape rectangle` or `shape hexagon`")));
        assert_eq!(with("shape rectangle\nheight 3\nmap\n"), format!("4:1: {}", missing("`width N`")));
        assert_eq!(with("shape rectangle\nwidth 3\nmap\n"), format!("4:1: {}", missing("`height N`")));
        assert_eq!(with("shape hexagon\nmap\n"), format!("3:1: {}", missing("`radius N`")));
        assert_eq!(with("shape hexagon\nwidth 3\nmap\n"), "3:1: expected a size of a hexagon, found 'width'");
        assert_eq!(with("radius 3\nshape rectangle\nmap\n"), "2:1: expected a size of a rectangle, found 'radius'");
    }

    #[test]
    fn faults_in_the_drawing_are_told_by_place() {
        let with = |rows: &str| fault(&format!("portolan hex 1\nshape rectangle\nwidth 3\nheight 2\nmap\n{rows}"));
        let cell = "`.`, `@` or a weight from 1 to 9 (to 255 with `digits 3`)";
        for letter in ["x", "0", "10", "..", "+3", "é"] {
            assert_eq!(with(&format!(". {letter}")), format!("6:3: expected {cell}, found '{letter}'"));
        }
        assert_eq!(with(". .\n . . ."), "6:4: expected a row of 3 cells, found end of line");
        assert_eq!(with(". . . .\n . . ."), "6:7: expected a row of 3 cells, found '.'");
        assert_eq!(with(" . . .\n"), "6:2: expected cell 0 of the row to end in column 1 of the text, found '.'");
        assert_eq!(with(". . .\n. . ."), "7:1: expected cell 0 of the row to end in column 2 of the text, found '.'");
        assert_eq!(with(". .  .\n"), "6:6: expected cell 2 of the row to end in column 5 of the text, found '.'");
        assert_eq!(with(".\t. ."), "6:2: expected a cell or a space, found '\\t'");
        assert_eq!(with(". . .\n"), "7:1: expected row 2 of 2, found end of file");
        assert_eq!(with(". . .\n\n"), "7:1: expected a row of 3 cells, found end of line");
        assert_eq!(with(". . .\n . . .\n."), "8:1: expected end of file, found '.'");

        let with = |rows: &str| fault(&format!("portolan hex 1\nshape hexagon\nradius 1\ndigits 3\nmap\n{rows}"));
        assert_eq!(with("    256   .\n"), "6:5: expected `.`, `@` or a weight from 1 to 255, found '256'");
        assert_eq!(with("    012   .\n"), "6:5: expected `.`, `@` or a weight from 1 to 255, found '012'");
        assert_eq!(with("  .   .   .\n"), "6:3: expected cell 1 of the row to end in column 7 of the text, found '.'");
        assert_eq!(with("      .   .   .\n"), "6:15: expected a row of 2 cells, found '.'");
    }

    #[test]
    fn a_large_promise_in_a_small_file_is_only_a_fault() {
        let head = "portolan hex 1\nshape rectangle\nwidth 30000\nheight 30000\nmap\n";
        assert_eq!(fault(&format!("{head}. .\n")), "6:4: expected a row of 30000 cells, found end of line");
        assert_eq!(size(head.as_bytes()), Some((30_000, 30_000)));
        assert_eq!(size(HEXAGON.as_bytes()), Some((5, 5)));
        assert_eq!(size(b"portolan hex 1\nmap\n"), None);
        let head = "portolan hex 1\nshape hexagon\nradius 16382\nmap\n";
        assert_eq!(fault(head), "5:1: expected row 1 of 32765, found end of file");
    }
}
