//! Pictures as SVG: neighbouring squares that look alike are merged into rectangles, and all rectangles of one look are
//! one path element. Not here: hexes (`hexes.rs`).

use super::mark::short;
use super::palette::{GOAL, RIM, ROUTE, Rgb, START, colour, hex};
use super::{Layer, Picture};
use portolan::Cell;
use std::collections::BTreeMap;
use std::fmt::Write;

impl Picture<'_> {
    /// Returns the picture as a whole SVG document.
    ///
    /// # Panics
    /// Never: writing to a string cannot fail.
    pub fn svg(&self) -> String {
        let ((width, height), long) = (self.size(), self.long_side());
        let [across, down] = [width, height].map(|side| (side * 1000.0 / long).ceil());
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {} {}\" width=\"{across}\" height=\"{down}\">\n",
            short(width),
            short(height),
        );
        svg.push_str(&if self.has_hexes() { self.svg_hexes() } else { self.svg_squares() });
        svg.push_str(&self.svg_marks());
        svg.push_str(&self.svg_route(long));
        svg.push_str("</svg>\n");
        svg
    }

    fn svg_squares(&self) -> String {
        let (columns, rows) = (self.world.width(), self.world.height());
        let layers = self.layers();
        // The most frequent look is the background and needs no rectangles.
        let background = most_frequent(layers.iter().copied());
        let heaviest = self.heaviest();
        let fill = |layer: Layer| hex(colour(layer, heaviest));
        let mut svg = String::new();
        if let Some(layer) = background {
            writeln!(svg, "<rect width=\"{columns}\" height=\"{rows}\" fill=\"{}\"/>", fill(layer)).expect("a string");
        }
        for (layer, path) in paths(&layers, columns, background) {
            writeln!(svg, "<path fill=\"{}\" shape-rendering=\"crispEdges\" d=\"{path}\"/>", fill(layer))
                .expect("a string");
        }
        svg
    }

    fn svg_route(&self, long: f64) -> String {
        let [first, .., last] = self.route else { return String::new() };
        let mut points = String::new();
        for (index, &cell) in self.route.iter().enumerate() {
            // Only the cells at which the route turns are listed, and its two ends.
            let turns = match (index.checked_sub(1).map(|before| self.route[before]), self.route.get(index + 1)) {
                (Some(before), Some(&after)) => self.heading(before, cell) != self.heading(cell, after),
                _ => true,
            };
            if turns {
                let space = if points.is_empty() { "" } else { " " };
                let (x, y) = self.middle(cell);
                write!(points, "{space}{},{}", short(x), short(y)).expect("a string");
            }
        }
        let line = format!(
            "<polyline points=\"{points}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{:.2}\" \
             stroke-linecap=\"round\" stroke-linejoin=\"round\"/>\n",
            hex(ROUTE),
            (long / 300.0).max(0.4)
        );
        let end = |cell: Cell, fill: Rgb| {
            let radius = (long / 160.0).max(0.42);
            let (x, y) = self.middle(cell);
            format!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"{radius:.2}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{:.2}\"/>\n",
                short(x),
                short(y),
                hex(fill),
                hex(RIM),
                radius * 0.35
            )
        };
        line + &end(*first, START) + &end(*last, GOAL)
    }

    /// Returns how far the middle of a cell lies from that of another, in quarters of a cell.
    fn heading(&self, from: Cell, to: Cell) -> (i32, i32) {
        let ((from_x, from_y), (to_x, to_y)) = (self.middle(from), self.middle(to));
        let quarters = |from: f64, to: f64| (4.0 * (to - from)).round() as i32;
        (quarters(from_x, to_x), quarters(from_y, to_y))
    }
}

/// Returns the look that most cells have, or `None` if there are no cells.
pub(super) fn most_frequent(layers: impl Iterator<Item = Layer>) -> Option<Layer> {
    let mut cells_by_layer: BTreeMap<Layer, usize> = BTreeMap::new();
    layers.for_each(|layer| *cells_by_layer.entry(layer).or_default() += 1);
    cells_by_layer.iter().max_by_key(|entry| entry.1).map(|entry| *entry.0)
}

/// Neighbouring cells of a row that look alike, and the row in which the rectangle above them began.
#[derive(Copy, Clone, PartialEq, Eq)]
struct Run {
    layer: Layer,
    x: usize,
    width: usize,
    top: usize,
}

/// Returns the rectangles of each look except the background, as SVG path data.
fn paths(layers: &[Layer], columns: usize, background: Option<Layer>) -> BTreeMap<Layer, String> {
    let mut path_by_layer: BTreeMap<Layer, String> = BTreeMap::new();
    let mut finish = |run: Run, bottom: usize| {
        let path = path_by_layer.entry(run.layer).or_default();
        let Run { x, width, top, .. } = run;
        write!(path, "M{x} {top}h{width}v{}h-{width}z", bottom - top).expect("a string");
    };
    let mut growing: Vec<Run> = Vec::new();
    let mut height = 0;
    for (y, row) in layers.chunks_exact(columns).enumerate() {
        let mut runs = Vec::new();
        let mut x = 0;
        for alike in row.chunk_by(|a, b| a == b) {
            if Some(alike[0]) != background {
                runs.push(Run { layer: alike[0], x, width: alike.len(), top: y });
            }
            x += alike.len();
        }
        // A run continues the rectangle above it if both have equal ends and an equal look. Both rows are in order of
        // columns.
        let mut above = growing.iter().peekable();
        let mut continued = Vec::with_capacity(runs.len());
        for mut run in runs {
            while let Some(old) = above.next_if(|old| old.x < run.x) {
                finish(*old, y);
            }
            if let Some(old) = above.next_if(|old| old.x == run.x) {
                if (old.layer, old.width) == (run.layer, run.width) {
                    run.top = old.top;
                } else {
                    finish(*old, y);
                }
            }
            continued.push(run);
        }
        above.for_each(|old| finish(*old, y));
        growing = continued;
        height = y + 1;
    }
    for run in growing {
        finish(run, height);
    }
    path_by_layer
}
