//! Open: a field without obstacles, or with rectangular obstacles scattered over it.

use super::Random;
use super::canvas::{Canvas, Rect};
use crate::settings::{Param, Settings};

pub(super) const PARAMS: &[Param] = &[
    Param::count("obstacles", "percent of the field to throw obstacles over", 0, 0, 50),
    Param::count("size", "longest side of an obstacle, in cells", 5, 1, 256),
];

pub(super) fn draw(canvas: &mut Canvas, random: &mut Random, settings: &Settings) {
    let longest = settings.count("size") as usize;
    canvas.fill_all(Canvas::GROUND);
    // Each side is a random number from 1 to `longest`, all equally likely, so that an obstacle's mean area is
    // ((1 + longest) / 2)².
    let four_obstacles = (longest + 1) * (longest + 1);
    let wanted = canvas.weights.len() * settings.count("obstacles") as usize / 100;
    for _ in 0..wanted * 4 / four_obstacles {
        let (x, y) = (random.between(0, canvas.width - 1), random.between(0, canvas.height - 1));
        let right = canvas.width.min(x + random.between(1, longest));
        let bottom = canvas.height.min(y + random.between(1, longest));
        canvas.fill(&Rect::new(x..right, y..bottom), Canvas::BLOCKED);
    }
}
