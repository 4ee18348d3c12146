//! Hexes in pictures: where they lie, and their shape as pixels and as SVG. A hex is 1 wide and stands on a corner.
//!
//! Not here: marks, routes and text, which look alike on squares and hexes but for the places of the cells.

use super::palette::{PAPER, Rgb, blend, colour, hex};
use super::raster::LINED;
use super::svg::most_frequent;
use super::{Layer, Picture, Raster};
use portolan::{Area, Cell, HexCell};
use std::collections::BTreeMap;
use std::fmt::Write;

/// The distance between two rows: half of √3.
const ROW: f64 = 0.866_025_403_784_438_6;
/// The length of a side, which is also the distance from the middle to a corner: 1 / √3.
pub(super) const SIDE: f64 = 0.577_350_269_189_625_8;

/// Returns how wide and high a picture of so many columns and rows of hexes is.
pub(super) fn size(columns: f64, rows: f64) -> (f64, f64) {
    let shift = if rows > 1.0 { 0.5 } else { 0.0 };
    (columns + shift, (rows - 1.0) * ROW + 2.0 * SIDE)
}

/// Returns the left and upper end of the least rectangle that contains these hexes, and how wide and high it is.
pub(super) fn bounds(area: Area) -> [f64; 4] {
    let [columns, rows] = [area.width, area.height].map(f64::from);
    let (width, height) = size(columns, rows);
    let shift = if area.height == 1 && area.y % 2 == 1 { 0.5 } else { 0.0 };
    [f64::from(area.x) + shift, f64::from(area.y) * ROW, width, height]
}

/// A point of the picture: the hex that contains it, and how far the point is from the middle on the way to the nearest
/// side, which lies at 0.5.
struct Point {
    cell: Cell,
    from_middle: f64,
}

impl Picture<'_> {
    /// Returns the hex at a point, in cells from the top left of the picture, or `None` if the grid has none there.
    fn hex_at(&self, x: f64, y: f64) -> Option<Point> {
        // Axial coordinates of the point, and their sum with the sign turned, which makes the three of them add up to 0.
        // Each is rounded, and the one that lost most by that is computed from the other two.
        let r = (y - SIDE) / ROW;
        let q = x - 0.5 - r / 2.0;
        let (whole_q, whole_r, whole_s) = (q.round(), r.round(), (-q - r).round());
        let (off_q, off_r, off_s) = ((whole_q - q).abs(), (whole_r - r).abs(), (whole_s + q + r).abs());
        let (q, r) = if off_q > off_r && off_q > off_s {
            (-whole_r - whole_s, whole_r)
        } else if off_r > off_s {
            (whole_q, -whole_q - whole_s)
        } else {
            (whole_q, whole_r)
        };
        let cell = HexCell::new(q as i16, r as i16).cell().filter(|&cell| self.world.contains(cell))?;
        let (middle_x, middle_y) = self.middle(cell);
        let (across, down) = ((x - middle_x).abs(), (y - middle_y).abs());
        Some(Point { cell, from_middle: across.max(0.5 * across + ROW * down) })
    }

    /// Returns the hexes as pixels. Pixels at the sides of hexes are the mean of four points.
    pub(super) fn hexes_at(&self, scale: usize) -> Raster {
        let (width, height) = self.size();
        let scale_by = scale as f64;
        let (width, height) = ((width * scale_by).ceil() as usize, (height * scale_by).ceil() as usize);
        let (layers, heaviest) = (self.layers(), self.heaviest());
        let paint = |point: &Point| {
            let layer = layers[self.index(point.cell)];
            let fill = colour(layer, heaviest);
            let lined = scale >= LINED && layer.weight > 0 && point.from_middle > 0.5 - 0.5 / scale_by;
            if lined { blend(fill, [0; 3], 0.08) } else { fill }
        };
        let at = |x: f64, y: f64| self.hex_at(x / scale_by, y / scale_by);
        let mut pixels = Vec::with_capacity(width * height * 3);
        for (y, x) in (0..height).flat_map(|y| (0..width).map(move |x| (y as f64, x as f64))) {
            let colour = match at(x + 0.5, y + 0.5) {
                Some(point) if point.from_middle < 0.5 - 1.0 / scale_by => paint(&point),
                _ => mean([0.25, 0.75].map(|down| {
                    [0.25, 0.75].map(|across| at(x + across, y + down).map_or(PAPER, |point| paint(&point)))
                })),
            };
            pixels.extend(colour);
        }
        Raster { width, height, pixels }
    }

    /// Changes the pixels of the hexes in an area.
    pub(super) fn tint_hexes(&self, raster: &mut Raster, area: Area, scale: f64, tint: impl Fn(Rgb) -> Rgb) {
        let [left, top, width, height] = bounds(area).map(|at| at * scale);
        let rows = top as usize..((top + height).ceil() as usize).min(raster.height);
        let columns = left as usize..((left + width).ceil() as usize).min(raster.width);
        for (y, x) in rows.flat_map(|y| columns.clone().map(move |x| (y, x))) {
            let point = self.hex_at((x as f64 + 0.5) / scale, (y as f64 + 0.5) / scale);
            if point.is_some_and(|point| area.contains(point.cell)) {
                let pixel = &mut raster.pixels[(y * raster.width + x) * 3..][..3];
                let tinted = tint([pixel[0], pixel[1], pixel[2]]);
                pixel.copy_from_slice(&tinted);
            }
        }
    }

    /// Returns the hexes as SVG: all of them in the most frequent look, then those that look otherwise.
    pub(super) fn svg_hexes(&self) -> String {
        let (layers, heaviest) = (self.layers(), self.heaviest());
        let look = |cell: Cell| layers[self.index(cell)];
        let Some(background) = most_frequent(self.world.cells().map(look)) else { return String::new() };
        let (mut all, mut path_by_layer) = (String::new(), BTreeMap::<Layer, String>::new());
        for cell in self.world.cells() {
            let hexagon = self.hexagon(cell);
            all.push_str(&hexagon);
            if look(cell) != background {
                path_by_layer.entry(look(cell)).or_default().push_str(&hexagon);
            }
        }
        let lined = " stroke=\"#000\" stroke-opacity=\"0.08\" stroke-width=\"0.06\"";
        let mut svg = String::new();
        for (layer, path) in [(background, all)].into_iter().chain(path_by_layer) {
            let lined = if self.scale() >= LINED && layer.weight > 0 { lined } else { "" };
            writeln!(svg, "<path fill=\"{}\"{lined} d=\"{path}\"/>", hex(colour(layer, heaviest))).expect("a string");
        }
        svg
    }

    /// Returns the hexes in an area as SVG path data.
    pub(super) fn hexagons(&self, area: Area) -> String {
        let rows = area.y..area.y + area.height;
        let cells = rows.flat_map(|y| (area.x..area.x + area.width).map(move |x| Cell::new(x, y)));
        cells.filter(|&cell| self.world.contains(cell)).map(|cell| self.hexagon(cell)).collect()
    }

    /// Returns a hex as SVG path data, from its upper corner clockwise.
    fn hexagon(&self, cell: Cell) -> String {
        let (x, y) = self.middle(cell);
        format!("M{x} {:.3}l.5 .289v.577l-.5 .289l-.5-.289v-.577z", y - SIDE)
    }
}

/// Returns the mean of four colours.
fn mean(colours: [[Rgb; 2]; 2]) -> Rgb {
    std::array::from_fn(|i| {
        let sum: u32 = colours.as_flattened().iter().map(|colour| u32::from(colour[i])).sum();
        ((sum + 2) / 4) as u8
    })
}
