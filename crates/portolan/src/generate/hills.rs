//! Hills: terrain whose weight grows with its height. Heights are value noise: random numbers on a lattice, with smooth
//! transitions between them. Several octaves are added up, each with half the lattice spacing and half the strength of
//! the one before, all in integers.

use super::Random;
use super::canvas::Canvas;
use crate::settings::{Param, Settings};

pub(super) const PARAMS: &[Param] = &[
    Param::count("max_weight", "weight of the highest ground", 9, 1, 255),
    Param::count("scale", "distance from hill to hill, in cells", 48, 2, 4096),
    Param::count("octaves", "how many sizes of hill lie upon each other", 4, 1, 8),
    Param::count("lakes", "percent of the world, the lowest, under water and blocked", 8, 0, 50),
    Param::count("peaks", "percent of the world, the highest, too steep and blocked", 4, 0, 50),
];

pub(super) fn draw(canvas: &mut Canvas, random: &mut Random, settings: &Settings) {
    let scale = settings.count("scale") as usize;
    let mut octaves: Vec<_> = (0..settings.count("octaves") as u32)
        .map(|octave| Octave::new(canvas.width, (scale >> octave).max(1), 1 << (8 - octave), random.bits()))
        .collect();
    let strength: u32 = octaves.iter().map(|octave| octave.strength).sum();
    let mut cells_by_height = [0_u64; 256];
    let mut heights = vec![0; canvas.width];
    for y in 0..canvas.height {
        heights.fill(0);
        for octave in &mut octaves {
            octave.add_row(y, &mut heights);
        }
        for (weight, height) in canvas.row_mut(y).iter_mut().zip(&heights) {
            *weight = stretched(height / strength);
            cells_by_height[usize::from(*weight)] += 1;
        }
    }
    let weight_by_height = weights(&cells_by_height, settings);
    for weight in &mut canvas.weights {
        *weight = weight_by_height[usize::from(*weight)];
    }
}

/// Turns a height of 16 bits into one of 8 bits. Most sums of noise lie near the middle, so the distance from the
/// middle is multiplied by 3/2, and heights that leave the range are cut off.
fn stretched(height: u32) -> u8 {
    let middle = 1 << 15;
    let stretched = (height as i32 - middle) * 3 / 2 + middle;
    (stretched.clamp(0, 0xffff) >> 8) as u8
}

/// Returns the weight of each height: the lowest heights are blocked as lakes, the highest as peaks, and those between
/// them get the weights from 1 up, each weight for about equally many cells.
fn weights(cells_by_height: &[u64; 256], settings: &Settings) -> [u8; 256] {
    let cells: u64 = cells_by_height.iter().sum();
    let lakes = cells * settings.count("lakes") / 100;
    let peaks = cells * settings.count("peaks") / 100;
    let land = (cells - lakes - peaks).max(1);
    let mut below = 0;
    let mut weights = [Canvas::BLOCKED; 256];
    for (weight, &count) in weights.iter_mut().zip(cells_by_height) {
        // With all cells sorted by height, the rank of a height is the place of the middle one of its cells.
        let rank = below + count / 2;
        if rank >= lakes && rank < cells - peaks {
            *weight = (1 + (rank - lakes) * settings.count("max_weight") / land) as u8;
        }
        below += count;
    }
    weights
}

/// Value noise with one lattice spacing, `period`.
struct Octave {
    seed: u64,
    period: usize,
    strength: u32,
    /// For each column, the last lattice column at or before it, and the share, out of 256, that the next lattice
    /// column has in its height.
    place_by_column: Vec<(u32, u32)>,
    /// Heights at the lattice columns, in the row that is being added.
    posts: Vec<u32>,
}

impl Octave {
    fn new(width: usize, period: usize, strength: u32, seed: u64) -> Octave {
        let place_by_column = (0..width).map(|x| ((x / period) as u32, blend(x % period, period))).collect();
        Octave { seed, period, strength, place_by_column, posts: vec![0; (width - 1) / period + 2] }
    }

    /// Adds this octave's heights in row `y`, times its strength, to `sums`, which has one entry for each column.
    fn add_row(&mut self, y: usize, sums: &mut [u32]) {
        let row = (y / self.period) as u64;
        let down = blend(y % self.period, self.period);
        for (column, post) in self.posts.iter_mut().enumerate() {
            let height = |row: u64| Random::new(self.seed ^ row << 32 ^ column as u64).bits() as u16;
            *post = between(height(row).into(), height(row + 1).into(), down);
        }
        for (sum, &(column, along)) in sums.iter_mut().zip(&self.place_by_column) {
            let column = column as usize;
            *sum += self.strength * between(self.posts[column], self.posts[column + 1], along);
        }
    }
}

/// Returns the share, out of 256, that the next lattice point has in the height `offset` cells after the last one. It
/// grows slowly near both points, so that slopes have no sharp bends there.
fn blend(offset: usize, period: usize) -> u32 {
    let t = (offset * 256 / period) as u32;
    (t * t * (3 * 256 - 2 * t)) >> 16
}

/// Returns the height that lies `share` / 256 of the way from the height `from` to the height `to`.
fn between(from: u32, to: u32, share: u32) -> u32 {
    (from * (256 - share) + to * share) >> 8
}
