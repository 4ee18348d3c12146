//! Pictures as pixels, and as PNG files through [`portolan_formats`].

use super::palette::{GOAL, RIM, ROUTE, Rgb, START, blend, colour};
use super::{Mark, Picture};
use portolan::Cell;
use portolan_formats::png_image;

/// The length in pixels to which the longer side of a small world is scaled up, at most.
const LONG_SIDE: f64 = 1000.0;
/// From this many pixels for each cell on, a fine line separates cells.
pub(super) const LINED: usize = 10;

/// A picture as pixels.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Raster {
    /// Pixels in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Red, green and blue of each pixel, row by row from the top left.
    pub pixels: Vec<u8>,
}

impl Picture<'_> {
    /// Returns the picture as pixels. Each cell is a square or a hexagon. It is the greatest number of pixels wide with
    /// which the longer side of the picture has at most a thousand, but at least one pixel.
    pub fn raster(&self) -> Raster {
        let scale = self.scale();
        let mut raster = if self.has_hexes() { self.hexes_at(scale) } else { self.squares_at(scale) };
        for mark in self.all_marks() {
            self.paint(&mut raster, &mark, scale as f64);
        }
        if let [first, .., last] = self.route {
            let long = self.long_side() * scale as f64;
            let centre = |cell: Cell| self.pixel(cell, scale as f64);
            let radius = (scale as f64 * 0.18).max(long / 500.0).max(0.5);
            for step in self.route.windows(2) {
                raster.line(centre(step[0]), centre(step[1]), radius, ROUTE);
            }
            let end = (scale as f64 * 0.38).max(long / 160.0);
            for (cell, fill) in [(*first, START), (*last, GOAL)] {
                raster.disc(centre(cell), end * 1.35, RIM);
                raster.disc(centre(cell), end, fill);
            }
        }
        raster
    }

    /// Returns how many pixels a cell is wide.
    pub(super) fn scale(&self) -> usize {
        ((LONG_SIDE / self.long_side()) as usize).max(1)
    }

    /// Returns where the middle of a cell lies, in pixels.
    fn pixel(&self, cell: Cell, scale: f64) -> (f64, f64) {
        let (x, y) = self.middle(cell);
        (x * scale, y * scale)
    }

    /// Returns the bytes of a PNG file of the picture.
    pub fn png(&self) -> Vec<u8> {
        let Raster { width, height, pixels } = self.raster();
        png_image::encode_rgb(width as u32, height as u32, &pixels)
    }

    fn squares_at(&self, scale: usize) -> Raster {
        let (columns, rows) = (self.world.width(), self.world.height());
        let (width, height) = (columns * scale, rows * scale);
        let heaviest = self.heaviest();
        let mut pixels = Vec::with_capacity(width * height * 3);
        for row in self.layers().chunks_exact(columns) {
            let mut inner = Vec::with_capacity(width * 3);
            let mut edge = Vec::with_capacity(width * 3);
            for &layer in row {
                let fill = colour(layer, heaviest);
                let line = if scale >= LINED && layer.weight > 0 { blend(fill, [0; 3], 0.08) } else { fill };
                for column in 0..scale {
                    inner.extend(if column + 1 == scale { line } else { fill });
                    edge.extend(line);
                }
            }
            for line in 0..scale {
                pixels.extend_from_slice(if line + 1 == scale { &edge } else { &inner });
            }
        }
        Raster { width, height, pixels }
    }

    /// Paints a mark. Labels are left out, because there is no font to draw them with.
    fn paint(&self, raster: &mut Raster, mark: &Mark, scale: f64) {
        match mark {
            Mark::Tint { area, colour, share } if self.has_hexes() => {
                self.tint_hexes(raster, *area, scale, |pixel| blend(pixel, *colour, *share));
            }
            Mark::Tint { area, colour, share } => {
                let side = |at: u16| usize::from(at) * scale as usize;
                for y in side(area.y)..side(area.y + area.height) {
                    for pixel in raster.pixels[(y * raster.width + side(area.x)) * 3..][..side(area.width) * 3]
                        .as_chunks_mut::<3>()
                        .0
                    {
                        *pixel = blend(*pixel, *colour, *share);
                    }
                }
            }
            Mark::Frame { area, colour, width } => {
                let [left, top, across, down] = self.bounds(*area).map(|at| at * scale);
                let (right, bottom) = (left + across, top + down);
                let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
                corners.windows(2).for_each(|side| raster.line(side[0], side[1], width * scale / 2.0, *colour));
            }
            Mark::Line { cells, colour, width } => {
                for step in cells.windows(2) {
                    let ends = [step[0], step[1]].map(|cell| self.pixel(cell, scale));
                    raster.line(ends[0], ends[1], width * scale / 2.0, *colour);
                }
            }
            Mark::Stroke { points, colour, width, dashed } => {
                for ends in points.windows(2) {
                    let ends = [ends[0], ends[1]].map(|(x, y)| (x * scale, y * scale));
                    let (on, off) = if *dashed { (2.0 * width * scale, 2.5 * width * scale) } else { (f64::MAX, 0.0) };
                    raster.dashes(ends, (on, off), width * scale / 2.0, *colour);
                }
            }
            Mark::Dot { cell, colour, radius } => raster.disc(self.pixel(*cell, scale), radius * scale, *colour),
            Mark::Label { .. } => {}
        }
    }
}

impl Raster {
    /// Returns a picture of one colour.
    pub(crate) fn filled(width: usize, height: usize, fill: Rgb) -> Raster {
        Raster { width, height, pixels: fill.repeat(width * height) }
    }

    /// Paints the pixels whose middles lie in a convex polygon.
    pub(crate) fn fill_convex(&mut self, corners: &[(f64, f64)], fill: Rgb) {
        let edges = || corners.iter().zip(corners.iter().cycle().skip(1));
        let (top, bottom) = corners
            .iter()
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(top, bottom), &(_, y)| (top.min(y), bottom.max(y)));
        for row in (top - 0.5).ceil().max(0.0) as usize..((bottom + 0.5).floor().max(0.0) as usize).min(self.height) {
            let middle = row as f64 + 0.5;
            let (mut left, mut right) = (f64::INFINITY, f64::NEG_INFINITY);
            for (&(ax, ay), &(bx, by)) in edges() {
                if (ay <= middle) != (by <= middle) {
                    let x = ax + (bx - ax) * (middle - ay) / (by - ay);
                    (left, right) = (left.min(x), right.max(x));
                }
            }
            for column in
                (left - 0.5).ceil().max(0.0) as usize..((right + 0.5).floor().max(0.0) as usize).min(self.width)
            {
                self.pixels[(row * self.width + column) * 3..][..3].copy_from_slice(&fill);
            }
        }
    }

    /// Paints pieces of a line that are `on` long, with gaps between them that are `off` long.
    fn dashes(&mut self, [from, to]: [(f64, f64); 2], (on, off): (f64, f64), radius: f64, fill: Rgb) {
        let length = (to.0 - from.0).hypot(to.1 - from.1);
        let at = |along: f64| {
            let share = if length > 0.0 { (along / length).min(1.0) } else { 0.0 };
            (from.0 + (to.0 - from.0) * share, from.1 + (to.1 - from.1) * share)
        };
        let mut along = 0.0;
        while along <= length {
            self.line(at(along), at(along + on), radius, fill);
            along += on + off;
        }
    }

    pub(crate) fn disc(&mut self, at: (f64, f64), radius: f64, fill: Rgb) {
        self.line(at, at, radius, fill);
    }

    /// Paints the pixels within `radius` of the line; those at the rim are blended with what is there.
    pub(crate) fn line(&mut self, from: (f64, f64), to: (f64, f64), radius: f64, fill: Rgb) {
        let span = |a: f64, b: f64, end: usize| {
            let first = (a.min(b) - radius - 1.0).floor().max(0.0) as usize;
            first..((a.max(b) + radius + 1.0).ceil().max(0.0) as usize).min(end)
        };
        let (along_x, along_y) = (to.0 - from.0, to.1 - from.1);
        let square = along_x * along_x + along_y * along_y;
        for y in span(from.1, to.1, self.height) {
            for x in span(from.0, to.0, self.width) {
                let (dx, dy) = (x as f64 + 0.5 - from.0, y as f64 + 0.5 - from.1);
                let share = if square > 0.0 { ((dx * along_x + dy * along_y) / square).clamp(0.0, 1.0) } else { 0.0 };
                let distance = (dx - share * along_x).hypot(dy - share * along_y);
                let cover = (radius + 0.5 - distance).clamp(0.0, 1.0);
                if cover > 0.0 {
                    let pixel = &mut self.pixels[(y * self.width + x) * 3..][..3];
                    let mixed = blend([pixel[0], pixel[1], pixel[2]], fill, cover);
                    pixel.copy_from_slice(&mixed);
                }
            }
        }
    }
}
