//! Noise: every cell is blocked or free at random, independently of all others. Many papers use such worlds as
//! benchmarks.

use super::Random;
use super::canvas::Canvas;
use crate::settings::{Param, Settings};

pub(super) const PARAMS: &[Param] = &[Param::count("blocked", "percent of cells blocked", 30, 0, 100)];

pub(super) fn draw(canvas: &mut Canvas, random: &mut Random, settings: &Settings) {
    let blocked = settings.count("blocked");
    for weight in &mut canvas.weights {
        *weight = if random.chance(blocked) { Canvas::BLOCKED } else { Canvas::GROUND };
    }
}
