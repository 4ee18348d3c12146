//! Pictures as pixels, and as PNG files through [`portolan_formats`].

use super::palette::{GOAL, RIM, ROUTE, Rgb, START, blend, colour};
use super::{Mark, Picture};
use portolan::Cell;
use portolan_formats::png_image;

/// The length in pixels to which the longer side of a small world is scaled up, at most.
const LONG_SIDE: usize = 1000;
/// From this many pixels for each cell on, a fine line separates cells.
const LINED: usize = 10;

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
    /// Returns the picture as pixels. Each cell is a square. Its side is the greatest number of pixels with which the
    /// longer side of the picture has at most a thousand, but at least one pixel.
    pub fn raster(&self) -> Raster {
        let (columns, rows) = (self.grid.width(), self.grid.height());
        let scale = (LONG_SIDE / columns.max(rows)).max(1);
        let mut raster = self.cells_at(scale);
        for mark in self.all_marks() {
            raster.mark(&mark, scale as f64);
        }
        if let [first, .., last] = self.route {
            let long = (columns.max(rows) * scale) as f64;
            let radius = (scale as f64 * 0.18).max(long / 500.0).max(0.5);
            for step in self.route.windows(2) {
                raster.line(centre(step[0], scale), centre(step[1], scale), radius, ROUTE);
            }
            let end = (scale as f64 * 0.38).max(long / 160.0);
            for (cell, fill) in [(*first, START), (*last, GOAL)] {
                raster.disc(centre(cell, scale), end * 1.35, RIM);
                raster.disc(centre(cell, scale), end, fill);
            }
        }
        raster
    }

    /// Returns the bytes of a PNG file of the picture.
    pub fn png(&self) -> Vec<u8> {
        let Raster { width, height, pixels } = self.raster();
        png_image::encode_rgb(width as u32, height as u32, &pixels)
    }

    fn cells_at(&self, scale: usize) -> Raster {
        let (columns, rows) = (self.grid.width(), self.grid.height());
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
}

fn centre(cell: Cell, scale: usize) -> (f64, f64) {
    let middle = |at: u16| (f64::from(at) + 0.5) * scale as f64;
    (middle(cell.x), middle(cell.y))
}

impl Raster {
    /// Paints a mark. Labels are left out, because there is no font to draw them with.
    fn mark(&mut self, mark: &Mark, scale: f64) {
        let middle = |cell: Cell| ((f64::from(cell.x) + 0.5) * scale, (f64::from(cell.y) + 0.5) * scale);
        match mark {
            Mark::Tint { area, colour, share } => {
                let side = |at: u16| usize::from(at) * scale as usize;
                for y in side(area.y)..side(area.y + area.height) {
                    for pixel in self.pixels[(y * self.width + side(area.x)) * 3..][..side(area.width) * 3]
                        .as_chunks_mut::<3>()
                        .0
                    {
                        *pixel = blend(*pixel, *colour, *share);
                    }
                }
            }
            Mark::Frame { area, colour, width } => {
                let [left, top] = [area.x, area.y].map(|at| f64::from(at) * scale);
                let (right, bottom) = (left + f64::from(area.width) * scale, top + f64::from(area.height) * scale);
                let corners = [(left, top), (right, top), (right, bottom), (left, bottom), (left, top)];
                corners.windows(2).for_each(|side| self.line(side[0], side[1], width * scale / 2.0, *colour));
            }
            Mark::Line { cells, colour, width } => {
                for step in cells.windows(2) {
                    self.line(middle(step[0]), middle(step[1]), width * scale / 2.0, *colour);
                }
            }
            Mark::Dot { cell, colour, radius } => self.disc(middle(*cell), radius * scale, *colour),
            Mark::Label { .. } => {}
        }
    }

    fn disc(&mut self, at: (f64, f64), radius: f64, fill: Rgb) {
        self.line(at, at, radius, fill);
    }

    /// Paints the pixels within `radius` of the line; those at the rim are blended with what is there.
    fn line(&mut self, from: (f64, f64), to: (f64, f64), radius: f64, fill: Rgb) {
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
