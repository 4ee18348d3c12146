//! What lies between cells in pictures: borders as thick lines, with arrowheads where they are crossed one way only, and links as
//! dashed lines with an arrowhead at each end to which they lead.
//!
//! Not here: kinds of ground, which are colours of cells.

use super::palette::{BORDER, LINK, ONE_WAY, Rgb};
use super::{Mark, Picture, hexes};
use portolan::{Border, Cell};
use std::collections::BTreeSet;

/// A point or a way in the picture, in cells.
type Point = (f64, f64);

/// Returns the point so many times `way` away from another.
fn moved(from: Point, way: Point, times: f64) -> Point {
    (from.0 + way.0 * times, from.1 + way.1 * times)
}

/// Returns the mark of an arrowhead of a length, with its tip at a point, which points along a way of length 1.
fn arrowhead(tip: Point, way: Point, length: f64, (colour, width): (Rgb, f64)) -> Mark {
    let back = moved(tip, way, -length);
    let across = (-way.1, way.0);
    let points = vec![moved(back, across, 0.6 * length), tip, moved(back, across, -0.6 * length)];
    Mark::Stroke { points, colour, width, dashed: false }
}

impl Picture<'_> {
    /// Returns the marks of borders and links, in cells.
    pub(super) fn between(&self) -> Vec<Mark> {
        let long = self.long_side();
        let thick = (long / 500.0).max(0.16);
        let mut marks = Vec::new();
        for (at, side, border) in self.world.borders() {
            let Some(beyond) = self.world.beside(at, side) else { continue };
            let colour = if border == Border::Closed { BORDER } else { ONE_WAY };
            marks.push(self.border([at, beyond], (colour, thick)));
            let ends = if border == Border::In { [beyond, at] } else { [at, beyond] };
            if border != Border::Closed {
                let (from, way) = self.way(ends);
                let tip = moved(from, way, 0.5 + 1.6 * thick);
                marks.push(arrowhead(tip, way, 1.6 * thick, (colour, thick * 0.7)));
            }
        }
        let links: BTreeSet<(Cell, Cell)> = self.world.links().map(|(from, to, _)| (from, to)).collect();
        let fine = thick * 0.7;
        for &(from, to) in &links {
            let leads_back = links.contains(&(to, from));
            if !leads_back || from < to {
                let points = vec![self.middle(from), self.middle(to)];
                marks.push(Mark::Stroke { points, colour: LINK, width: fine, dashed: true });
            }
            let (_, way) = self.way([from, to]);
            marks.push(arrowhead(self.middle(to), way, 3.5 * fine, (LINK, fine)));
        }
        marks
    }

    /// Returns the middle of a cell, and the way of length 1 from there to that of another cell.
    fn way(&self, [from, to]: [Cell; 2]) -> (Point, Point) {
        let (start, end) = (self.middle(from), self.middle(to));
        let way = (end.0 - start.0, end.1 - start.1);
        let length = way.0.hypot(way.1).max(f64::MIN_POSITIVE);
        (start, (way.0 / length, way.1 / length))
    }

    /// Returns the line between two neighbours.
    fn border(&self, cells: [Cell; 2], (colour, width): (Rgb, f64)) -> Mark {
        let (from, way) = self.way(cells);
        let half = if self.has_hexes() { hexes::SIDE / 2.0 } else { 0.5 };
        let (middle, across) = (moved(from, way, 0.5), (-way.1, way.0));
        let points = vec![moved(middle, across, half), moved(middle, across, -half)];
        Mark::Stroke { points, colour, width, dashed: false }
    }
}
