//! Pictures as text: half blocks in colour, or plain characters.

use super::palette::{BANDS, GOAL, ROUTE, Rgb, START, colour, terminal};
use super::{Layer, Picture};
use portolan::any::AnyRoute;
use portolan::{Cell, Cost, Motion};
use std::fmt::Write;

/// What a patch of cells shows.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Mark {
    Start,
    Goal,
    Route,
    Ground(Layer),
}

impl Picture<'_> {
    /// Returns the picture in lines of at most `width` characters, shrunk if necessary. With `colours`, a character
    /// shows two patches of cells as half blocks, one above the other. Without, it is `#` for blocked cells, a blank
    /// for ground of weight 1, `~` for heavier ground, a digit from `0` at the goals to `9` for the costs of a field, `.` for expanded cells, `*` for the route, `S` for its start and
    /// `G` for its goal. Hexes take two characters each, and every second row of them begins one character later.
    ///
    /// # Panics
    /// Never: writing to a string cannot fail.
    pub fn text(&self, width: usize, colours: bool) -> String {
        if self.has_hexes() {
            return self.text_of_hexes(width, colours);
        }
        let side = self.world.width().div_ceil(width.max(1));
        let columns = self.world.width().div_ceil(side);
        if colours {
            let marks = self.marks(side, side);
            self.coloured(&marks, columns)
        } else {
            // Characters are about twice as high as wide, so that a patch has twice as many rows as columns. A world
            // that need not be shrunk is shown cell by cell all the same, so that no detail is lost.
            let marks = self.marks(side, if side == 1 { 1 } else { 2 * side });
            let mut text = String::new();
            for row in marks.chunks_exact(columns) {
                let line: String = row.iter().map(|&mark| plain(mark)).collect();
                text.push_str(line.trim_end());
                text.push('\n');
            }
            text
        }
    }

    /// Returns what each patch of `across` columns and `down` rows shows, row by row.
    fn marks(&self, across: usize, down: usize) -> Vec<Mark> {
        let (width, height) = (self.world.width(), self.world.height());
        let (columns, rows) = (width.div_ceil(across), height.div_ceil(down));
        let layers = self.layers();
        let patch = |index: usize| {
            let (left, top) = (index % columns * across, index / columns * down);
            let patch_rows = (top..(top + down).min(height)).map(|y| &layers[y * width..][..width]);
            let cells = patch_rows.flat_map(|row| row[left..(left + across).min(width)].iter().copied());
            look_of(cells)
        };
        let mut marks: Vec<Mark> = (0..columns * rows).map(|index| Mark::Ground(patch(index))).collect();
        let at = |cell: Cell| usize::from(cell.y) / down * columns + usize::from(cell.x) / across;
        // A route may lead in straight lines over many cells. What is shown of steps is the same.
        let lines = AnyRoute::new(self.route.to_vec(), Cost::ZERO, Motion::AnyAngle);
        for cell in lines.into_steps(self.world) {
            marks[at(cell)] = Mark::Route;
        }
        if let [first, .., last] = self.route {
            marks[at(*first)] = Mark::Start;
            marks[at(*last)] = Mark::Goal;
        }
        marks
    }

    fn coloured(&self, marks: &[Mark], columns: usize) -> String {
        let heaviest = self.heaviest();
        let paint = |mark: Mark| paint(mark, heaviest);
        let mut text = String::new();
        for pair in marks.chunks(2 * columns) {
            let (upper, lower) = pair.split_at(columns);
            let mut inks = None;
            for (column, &above) in upper.iter().enumerate() {
                let below = lower.get(column).copied();
                let letter = [Some(above), below].into_iter().flatten().find_map(letter);
                let (top, bottom) = match letter {
                    Some((_, mark)) => (231, below.map(|_| terminal(paint(mark)))),
                    None => (terminal(paint(above)), below.map(|mark| terminal(paint(mark)))),
                };
                if inks != Some((top, bottom)) {
                    match bottom {
                        Some(bottom) => write!(text, "\u{1b}[38;5;{top};48;5;{bottom}m"),
                        None => write!(text, "\u{1b}[0;38;5;{top}m"),
                    }
                    .expect("a string");
                    inks = Some((top, bottom));
                }
                text.push(letter.map_or('▀', |(letter, _)| letter));
            }
            text.push_str("\u{1b}[0m\n");
        }
        text
    }
}

impl Picture<'_> {
    fn text_of_hexes(&self, width: usize, colours: bool) -> String {
        let side = self.world.width().div_ceil((width / 2).max(1));
        let columns = self.world.width().div_ceil(side);
        let heaviest = self.heaviest();
        let mut text = String::new();
        for (row, marks) in self.marks(side, side).chunks_exact(columns).enumerate() {
            let mut line = if row % 2 == 1 { " ".to_owned() } else { String::new() };
            for (column, &mark) in marks.iter().enumerate() {
                match (self.has_cell(column * side, row * side, side), colours) {
                    (false, false) => line.push_str("  "),
                    (false, true) => line.push_str("\u{1b}[0m  "),
                    (true, false) => line.extend([plain(mark), ' ']),
                    (true, true) => {
                        let shown = letter(mark).map_or(' ', |(letter, _)| letter);
                        let ground = terminal(paint(mark, heaviest));
                        write!(line, "\u{1b}[38;5;231;48;5;{ground}m{shown} ").expect("a string");
                    }
                }
            }
            text.push_str(line.trim_end_matches(if colours { '\n' } else { ' ' }));
            text.push_str(if colours { "\u{1b}[0m\n" } else { "\n" });
        }
        text
    }

    /// Returns whether any of the cells of a patch of `side` columns and rows lies on the grid.
    fn has_cell(&self, left: usize, top: usize, side: usize) -> bool {
        let (right, bottom) = ((left + side).min(self.world.width()), (top + side).min(self.world.height()));
        (top..bottom).any(|y| (left..right).any(|x| self.world.contains(Cell::new(x as u16, y as u16))))
    }
}

fn paint(mark: Mark, heaviest: u8) -> Rgb {
    match mark {
        Mark::Start => START,
        Mark::Goal => GOAL,
        Mark::Route => ROUTE,
        Mark::Ground(layer) => colour(layer, heaviest),
    }
}

/// Returns the letter that shows a mark even in colour, if it has one.
fn letter(mark: Mark) -> Option<(char, Mark)> {
    match mark {
        Mark::Start => Some(('S', mark)),
        Mark::Goal => Some(('G', mark)),
        _ => None,
    }
}

/// Returns what a patch shows: ground of the mean weight if more than half of its cells are free, otherwise blocked.
/// Ground is shown as expanded if any of its cells is, and by the mean shade of those that a field reaches; its kind is that of the first free
/// cell.
fn look_of(cells: impl Iterator<Item = Layer>) -> Layer {
    let (mut free, mut total, mut weights, mut expanded) = (0, 0, 0, false);
    let (mut shaded, mut bands, mut kind) = (0, 0, None);
    for layer in cells {
        total += 1;
        free += u32::from(layer.weight > 0);
        kind = kind.or((layer.weight > 0).then_some(layer.kind));
        weights += u32::from(layer.weight);
        expanded |= layer.expanded;
        shaded += u32::from(layer.band > 0);
        bands += u32::from(layer.band);
    }
    if 2 * free > total {
        let band = bands.checked_div(shaded).unwrap_or_default() as u8;
        Layer { weight: (weights / free) as u8, kind: kind.unwrap_or_default(), expanded, band }
    } else {
        Layer::default()
    }
}

fn plain(mark: Mark) -> char {
    match mark {
        Mark::Start => 'S',
        Mark::Goal => 'G',
        Mark::Route => '*',
        Mark::Ground(Layer { weight: 0, .. }) => '#',
        Mark::Ground(Layer { expanded: true, .. }) => '.',
        Mark::Ground(Layer { band: band @ 1.., .. }) => char::from(b'0' + (band - 1) / (BANDS / 10)),
        Mark::Ground(Layer { weight: 1, .. }) => ' ',
        Mark::Ground(_) => '~',
    }
}
