//! Pictures as SVG: neighbouring cells that look alike are merged into rectangles, and all rectangles of one look are
//! one path element.

use super::palette::{GOAL, RIM, ROUTE, Rgb, START, colour, hex};
use super::{Layer, Picture, mark};
use portolan::Cell;
use std::collections::BTreeMap;
use std::fmt::Write;

impl Picture<'_> {
    /// Returns the picture as a whole SVG document.
    ///
    /// # Panics
    /// Never: writing to a string cannot fail.
    pub fn svg(&self) -> String {
        let (columns, rows) = (self.grid.width(), self.grid.height());
        let layers = self.layers();
        // The most frequent look is the background and needs no rectangles.
        let mut cells_by_layer: BTreeMap<Layer, usize> = BTreeMap::new();
        for &layer in &layers {
            *cells_by_layer.entry(layer).or_default() += 1;
        }
        let background = cells_by_layer.iter().max_by_key(|entry| entry.1).map(|entry| *entry.0);
        let heaviest = self.heaviest();
        let fill = |layer: Layer| hex(colour(layer, heaviest));
        let long = columns.max(rows);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {columns} {rows}\" width=\"{}\" height=\"{}\">\n",
            (columns * 1000).div_ceil(long),
            (rows * 1000).div_ceil(long),
        );
        if let Some(layer) = background {
            writeln!(svg, "<rect width=\"{columns}\" height=\"{rows}\" fill=\"{}\"/>", fill(layer)).expect("a string");
        }
        for (layer, path) in paths(&layers, columns, background) {
            writeln!(svg, "<path fill=\"{}\" shape-rendering=\"crispEdges\" d=\"{path}\"/>", fill(layer))
                .expect("a string");
        }
        svg.push_str(&mark::svg(&self.all_marks()));
        svg.push_str(&self.svg_route(long as f64));
        svg.push_str("</svg>\n");
        svg
    }

    fn svg_route(&self, long: f64) -> String {
        let [first, .., last] = self.route else { return String::new() };
        let mut points = String::new();
        for (index, &cell) in self.route.iter().enumerate() {
            // Only the cells at which the route turns are listed, and its two ends.
            let turns = match (index.checked_sub(1).map(|before| self.route[before]), self.route.get(index + 1)) {
                (Some(before), Some(&after)) => heading(before, cell) != heading(cell, after),
                _ => true,
            };
            if turns {
                let space = if points.is_empty() { "" } else { " " };
                write!(points, "{space}{},{}", middle(cell.x), middle(cell.y)).expect("a string");
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
            format!(
                "<circle cx=\"{}\" cy=\"{}\" r=\"{radius:.2}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{:.2}\"/>\n",
                middle(cell.x),
                middle(cell.y),
                hex(fill),
                hex(RIM),
                radius * 0.35
            )
        };
        line + &end(*first, START) + &end(*last, GOAL)
    }
}

fn middle(at: u16) -> f64 {
    f64::from(at) + 0.5
}

fn heading(from: Cell, to: Cell) -> (i32, i32) {
    (i32::from(to.x) - i32::from(from.x), i32::from(to.y) - i32::from(from.y))
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
