//! Caves: cells are rock or free at random, and a cellular automaton smooths them: in each round, a cell becomes what
//! most of the nine cells around and including it are.

use super::Random;
use super::canvas::Canvas;
use crate::settings::{Param, Settings};

pub(super) const PARAMS: &[Param] = &[
    Param::count("fill", "percent of cells that start as rock", 48, 0, 100),
    Param::count("rounds", "how often the rock is smoothed", 6, 0, 50),
];

pub(super) fn draw(canvas: &mut Canvas, random: &mut Random, settings: &Settings) {
    let fill = settings.count("fill");
    for weight in &mut canvas.weights {
        *weight = if random.chance(fill) { Canvas::BLOCKED } else { Canvas::GROUND };
    }
    for _ in 0..settings.count("rounds") {
        smooth(canvas);
    }
}

/// Smooths once, in place: a cell becomes free if at least five of the nine cells around and including it are free, and
/// rock otherwise. Cells off the map count as rock.
fn smooth(canvas: &mut Canvas) {
    let width = canvas.width;
    // These rows have one more cell of rock at either end, so that the first and the last column need no special case.
    let mut above = vec![0; width + 2];
    let mut here = above.clone();
    here[1..=width].copy_from_slice(canvas.row_mut(0));
    let mut below = above.clone();
    let mut free_in_column = above.clone();
    for y in 0..canvas.height {
        if y + 1 < canvas.height {
            below[1..=width].copy_from_slice(canvas.row_mut(y + 1));
        } else {
            below.fill(0);
        }
        for (sum, ((a, b), c)) in free_in_column.iter_mut().zip(above.iter().zip(&here).zip(&below)) {
            *sum = a + b + c;
        }
        for (weight, columns) in canvas.row_mut(y).iter_mut().zip(free_in_column.windows(3)) {
            *weight = u8::from(columns[0] + columns[1] + columns[2] >= 5);
        }
        std::mem::swap(&mut above, &mut here);
        std::mem::swap(&mut here, &mut below);
    }
}
