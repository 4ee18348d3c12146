//! Marks over the ground of a picture: tints, frames, lines, dots and labels. The outline of a chart is drawn with
//! them.

use super::palette::{PORT, Rgb, TAKEN, WAY, hex, line, patch};
use super::{Picture, hexes};
use portolan::outline::{Outline, Region};
use portolan::{Area, Cell};
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A mark. Widths and sizes are in cells.
#[derive(Clone, PartialEq, Debug)]
pub enum Mark {
    /// The cells of a rectangle of columns and rows blended with a colour. At a share of 1, the ground is hidden.
    Tint {
        /// The cells of the rectangle.
        area: Area,
        /// The colour.
        colour: Rgb,
        /// The share of the colour, from 0 to 1.
        share: f64,
    },
    /// A line around a rectangle.
    Frame {
        /// The cells of the rectangle.
        area: Area,
        /// Its colour.
        colour: Rgb,
        /// The thickness of the line.
        width: f64,
    },
    /// A line through the middles of cells.
    Line {
        /// The cells in order.
        cells: Vec<Cell>,
        /// Its colour.
        colour: Rgb,
        /// The thickness of the line.
        width: f64,
    },
    /// A line through points of the picture.
    Stroke {
        /// The points in order.
        points: Vec<(f64, f64)>,
        /// Its colour.
        colour: Rgb,
        /// The thickness of the line.
        width: f64,
        /// Whether it is dashed.
        dashed: bool,
    },
    /// A dot in the middle of a cell.
    Dot {
        /// The cell.
        cell: Cell,
        /// Its colour.
        colour: Rgb,
        /// The radius of the dot.
        radius: f64,
    },
    /// A few words. Only SVG shows them.
    Label {
        /// The left end of their baseline.
        at: (f64, f64),
        /// The words, without markup.
        text: String,
        /// Their colour.
        colour: Rgb,
        /// The height of the letters.
        size: f64,
    },
}

impl Picture<'_> {
    /// Returns the marks of the outline, those of borders and links, then those given to the picture.
    pub(super) fn all_marks(&self) -> Vec<Mark> {
        let long = self.long_side();
        let mut marks = self.outline.map_or_else(Vec::new, |outline| self.outlined(outline, long));
        marks.extend(self.between());
        marks.extend_from_slice(&self.marks);
        marks
    }

    fn outlined(&self, outline: &Outline, long: f64) -> Vec<Mark> {
        let fine = (long / 1000.0).max(0.08);
        let mut marks = Vec::new();
        // Lines that divide larger regions are drawn over those that divide smaller ones.
        let mut regions: Vec<&Region> = outline.regions.iter().collect();
        regions.sort_by_key(|region| Reverse(region.depth));
        let has_lines = regions.iter().any(|region| region.line.is_some());
        for region in regions {
            let colour = line(region.depth);
            if let Some(area) = region.line {
                marks.push(Mark::Tint { area, colour, share: 0.55 });
            } else if !has_lines {
                let width = fine * 3.0 / (1 + region.depth) as f64;
                marks.push(Mark::Frame { area: region.bounds, colour, width });
            }
        }
        let Some(lowest) = outline.layers.first() else { return marks };
        marks.extend(self.patches(&lowest.labels));
        // Pairs of ports are drawn only if there are no rectangular regions: inside regions they would cover the ground
        // and show little more than the regions do.
        let ways = if outline.regions.is_empty() { &lowest.ways[..] } else { &[] };
        for &(from, to) in ways {
            marks.push(Mark::Line { cells: vec![from, turn(from, to), to], colour: WAY, width: fine });
        }
        let radius = (long / 400.0).max(0.26);
        let expanded: BTreeSet<Cell> = self.expanded.iter().copied().collect();
        let (taken, others): (Vec<Cell>, Vec<Cell>) = lowest.ports.iter().partition(|port| expanded.contains(port));
        let dot = |colour, radius| move |&cell: &Cell| Mark::Dot { cell, colour, radius };
        marks.extend(others.iter().map(dot(PORT, radius)));
        marks.extend(taken.iter().map(dot(PORT, radius * 1.9)));
        marks.extend(taken.iter().map(dot(TAKEN, radius * 1.4)));
        marks
    }

    /// Returns the marks of regions of any shape: a tint for each run of cells in a row, sorted by colour.
    fn patches(&self, labels: &[u32]) -> Vec<Mark> {
        let mut marks = Vec::new();
        for (row, labels) in (0..).zip(labels.chunks(self.world.width())) {
            let mut x = 0;
            for run in labels.chunk_by(|a, b| a == b) {
                let width = run.len() as u16;
                if run[0] > 0 {
                    marks.push((patch(run[0] as usize), Area { x, y: row, width, height: 1 }));
                }
                x += width;
            }
        }
        marks.sort_by_key(|mark| mark.0);
        marks.into_iter().map(|(colour, area)| Mark::Tint { area, colour, share: 0.4 }).collect()
    }
}

/// Returns the cell at which the walk between two cells turns from diagonal steps to straight ones.
fn turn(from: Cell, to: Cell) -> Cell {
    let diagonals = from.x.abs_diff(to.x).min(from.y.abs_diff(to.y));
    let along = |from: u16, to: u16| if to > from { from + diagonals } else { from - diagonals };
    Cell { x: along(from.x, to.x), y: along(from.y, to.y) }
}

impl Picture<'_> {
    /// Returns the marks as SVG. Marks of equal look that follow each other share one element.
    pub(super) fn svg_marks(&self) -> String {
        let mut svg = String::new();
        for alike in self.all_marks().chunk_by(|a, b| look(a) == look(b)) {
            let path: String = alike.iter().map(|mark| self.path(mark)).collect();
            match &alike[0] {
                Mark::Label { .. } => alike.iter().for_each(|label| svg.push_str(&words(label))),
                first => writeln!(svg, "<path {} d=\"{path}\"/>", look(first)).expect("a string"),
            }
        }
        svg
    }

    fn path(&self, mark: &Mark) -> String {
        let middle = |&cell: &Cell| {
            let (x, y) = self.middle(cell);
            format!("{} {}", short(x), short(y))
        };
        match mark {
            Mark::Tint { area, .. } if self.has_hexes() => self.hexagons(*area),
            Mark::Tint { area, .. } | Mark::Frame { area, .. } => {
                let [left, top, width, height] = self.bounds(*area).map(short);
                format!("M{left} {top}h{width}v{height}h-{width}z")
            }
            Mark::Line { cells, .. } => {
                let mut cells = cells.clone();
                cells.dedup();
                let points: Vec<String> = cells.iter().map(middle).collect();
                format!("M{}", points.join("L"))
            }
            Mark::Stroke { points, .. } => {
                let points: Vec<String> = points.iter().map(|&(x, y)| format!("{} {}", short(x), short(y))).collect();
                format!("M{}", points.join("L"))
            }
            Mark::Dot { cell, .. } => format!("M{}h0", middle(cell)),
            Mark::Label { .. } => String::new(),
        }
    }

    /// Returns the left and upper end of a rectangle of cells, and how wide and high it is. Of hexes, it is the least
    /// rectangle that contains them.
    pub(super) fn bounds(&self, area: Area) -> [f64; 4] {
        let [left, top, width, height] = [area.x, area.y, area.width, area.height].map(f64::from);
        if self.has_hexes() { hexes::bounds(area) } else { [left, top, width, height] }
    }
}

/// Returns the attributes of a mark's element.
fn look(mark: &Mark) -> String {
    let stroke =
        |colour: Rgb, width: f64| format!("fill=\"none\" stroke=\"{}\" stroke-width=\"{}\"", hex(colour), short(width));
    let round = "stroke-linecap=\"round\" stroke-linejoin=\"round\"";
    match mark {
        Mark::Tint { colour, share, .. } => format!("fill=\"{}\" fill-opacity=\"{}\"", hex(*colour), short(*share)),
        Mark::Frame { colour, width, .. } => stroke(*colour, *width),
        Mark::Line { colour, width, .. } | Mark::Stroke { colour, width, dashed: false, .. } => {
            format!("{} {round}", stroke(*colour, *width))
        }
        Mark::Stroke { colour, width, .. } => {
            format!(
                "{} {round} stroke-dasharray=\"{} {}\"",
                stroke(*colour, *width),
                short(2.0 * width),
                short(2.5 * width)
            )
        }
        // A dot is a line of length 0 with round ends.
        Mark::Dot { colour, radius, .. } => format!("{} {round}", stroke(*colour, 2.0 * radius)),
        Mark::Label { .. } => String::new(),
    }
}

fn words(mark: &Mark) -> String {
    let Mark::Label { at, text, colour, size } = mark else { return String::new() };
    format!(
        "<text x=\"{}\" y=\"{}\" font-family=\"sans-serif\" font-size=\"{}\" fill=\"{}\">{text}</text>\n",
        short(at.0),
        short(at.1),
        short(*size),
        hex(*colour)
    )
}

/// Formats a number with at most two decimal places, which is as fine as the eye can see.
pub(super) fn short(number: f64) -> String {
    let text = format!("{number:.2}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
