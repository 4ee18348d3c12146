//! `.map`: the grids of the `MovingAI` benchmarks.
//!
//! There are four header lines, `type octile`, `height H`, `width W` and `map`, then H rows of W letters, the top row
//! first. Passable are `.` and `G` (ground) and `S` (swamp); blocked are `@` and `O` (out of bounds), `T` (trees) and
//! `W` (water). Lines end in `\n` or `\r\n`, the last line may lack its end, and blank lines may follow.
//!
//! The format has no weights: every passable letter is read as ground of weight 1, and [`write()`] writes `.` and `@`
//! only. The functions for the rows are also used for patches, see [`crate::dynamic`]. Not here: scenarios and patch
//! files.

use crate::error::{ReadError, room_for_weights};
use crate::text::Lines;
use portolan::{Cell, Rules, SquareGrid};
use std::fmt::Write;

/// Marks a byte that is no terrain letter.
const UNKNOWN: u8 = 2;

/// The weight for each letter, or [`UNKNOWN`].
const WEIGHT_BY_LETTER: [u8; 256] = {
    let mut table = [UNKNOWN; 256];
    table[b'.' as usize] = 1;
    table[b'G' as usize] = 1;
    table[b'S' as usize] = 1;
    table[b'@' as usize] = 0;
    table[b'O' as usize] = 0;
    table[b'T' as usize] = 0;
    table[b'W' as usize] = 0;
    table
};

/// Reads a map.
///
/// # Errors
/// When the header is not as described, a row has the wrong length or an unknown letter, anything follows the last row,
/// or there is no memory for the world.
pub fn read(bytes: &[u8], rules: Rules) -> Result<SquareGrid, ReadError> {
    let mut lines = Lines::new(bytes);
    lines.words(&["type", "octile"])?;
    let (width, height, weights) = read_block(&mut lines)?;
    lines.end()?;
    SquareGrid::from_weights(width, height, &weights, rules).map_err(ReadError::of_grid)
}

/// Returns width and height as the header states them, without reading the rows; the beginning of a file is enough.
/// `None` if the header is not that of a map that [`read()`] takes.
pub fn size(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut lines = Lines::new(bytes);
    lines.words(&["type", "octile"]).ok()?;
    header(&mut lines).ok()
}

/// Writes a map, `.` for every free cell and `@` for every blocked one.
///
/// The format has no letters for weights: if [`SquareGrid::uniform_weight`] is not 1, they are lost, and a program
/// should warn its user of that.
pub fn write(grid: &SquareGrid) -> String {
    let (width, height) = (grid.width(), grid.height());
    let mut text = String::with_capacity((width + 1) * height + 64);
    let _ = write!(text, "type octile\nheight {height}\nwidth {width}\nmap\n");
    write_rows(&mut text, width, height, |x, y| grid.is_free(Cell::new(x as u16, y as u16)));
    text
}

/// Reads `height H`, `width W` and `map`. Returns width and height.
fn header(lines: &mut Lines) -> Result<(usize, usize), ReadError> {
    let height = lines.side("height")?;
    let width = lines.side("width")?;
    lines.words(&["map"])?;
    Ok((width, height))
}

/// Reads `height H`, `width W`, `map` and the rows. Returns width, height and one weight for each cell.
pub(crate) fn read_block(lines: &mut Lines) -> Result<(usize, usize, Vec<u8>), ReadError> {
    let (width, height) = header(lines)?;
    // The header may state more cells than the file holds: room is reserved for no more cells than the file has bytes
    // left.
    let mut weights = room_for_weights(width, height, lines.bytes_left())?;
    for row in 1..=height {
        let line = lines.next().ok_or_else(|| lines.ended(format!("row {row} of {height}")))?;
        let start = weights.len();
        weights.extend(line.text.iter().take(width).map(|&letter| WEIGHT_BY_LETTER[usize::from(letter)]));
        if let Some(x) = weights[start..].iter().position(|&weight| weight == UNKNOWN) {
            return Err(line.at(x).fault("one of . G S @ O T W"));
        }
        if line.text.len() != width {
            return Err(line.at(width).fault(format!("a row of {width} cells")));
        }
    }
    Ok((width, height, weights))
}

/// Writes the rows of a map or patch.
pub(crate) fn write_rows(text: &mut String, width: usize, height: usize, is_free: impl Fn(usize, usize) -> bool) {
    for y in 0..height {
        text.extend((0..width).map(|x| if is_free(x, y) { '.' } else { '@' }));
        text.push('\n');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SMALL: &str = "type octile\nheight 2\nwidth 7\nmap\n.GS@OTW\n@@@....\n";

    fn fault(text: &str) -> String {
        read(text.as_bytes(), Rules::default()).err().unwrap().to_string()
    }

    #[test]
    fn letters_are_passable_or_blocked() {
        let grid = read(SMALL.as_bytes(), Rules::default()).unwrap();
        assert_eq!((grid.width(), grid.height()), (7, 2));
        let free: String = grid.cells().map(|cell| if grid.is_free(cell) { '1' } else { '0' }).collect();
        assert_eq!(free, "11100000001111");
        assert_eq!(grid.uniform_weight(), Some(1));
    }

    #[test]
    fn writing_keeps_what_is_free() {
        let text = write(&read(SMALL.as_bytes(), Rules::default()).unwrap());
        assert_eq!(text, "type octile\nheight 2\nwidth 7\nmap\n...@@@@\n@@@....\n");
        assert_eq!(write(&read(text.as_bytes(), Rules::default()).unwrap()), text);
    }

    #[test]
    fn line_ends_of_any_kind_will_do() {
        for text in [SMALL.replace('\n', "\r\n"), SMALL.trim_end().to_owned(), format!("{SMALL}\n \r\n")] {
            assert!(read(text.as_bytes(), Rules::default()).is_ok(), "{text:?}");
        }
    }

    #[test]
    fn faults_are_told_by_place() {
        assert_eq!(fault(""), "1:1: expected `type octile`, found end of file");
        assert_eq!(fault("type tile\n"), "1:6: expected `type octile`, found 'tile'");
        assert_eq!(fault("type octile\nwidth 2\n"), "2:1: expected `height` and a number of cells, found 'width'");
        assert_eq!(fault("type octile\nheight 2\nwidth 2\n"), "4:1: expected `map`, found end of file");
        let head = "type octile\nheight 2\nwidth 3\nmap\n";
        let with = |rows: &str| fault(&format!("{head}{rows}"));
        assert_eq!(with("...\n.x.\n"), "6:2: expected one of . G S @ O T W, found 'x'");
        assert_eq!(with("..\n...\n"), "5:3: expected a row of 3 cells, found end of line");
        assert_eq!(with("....\n...\n"), "5:4: expected a row of 3 cells, found '.'");
        assert_eq!(with("...\n"), "6:1: expected row 2 of 2, found end of file");
        assert_eq!(with("...\n...\n...\n"), "7:1: expected end of file, found '...'");
    }

    #[test]
    fn a_large_promise_in_a_small_file_is_only_a_fault() {
        let text = "type octile\nheight 30000\nwidth 30000\nmap\n...\n";
        assert_eq!(fault(text), "5:4: expected a row of 30000 cells, found end of line");
        let text = "type octile\nheight 40000\nwidth 30000\nmap\n...\n";
        assert_eq!(fault(text), "2:8: expected a number of cells from 1 to 32766, found '40000'");
    }
}
