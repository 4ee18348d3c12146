//! Clouds that drift over the world and make the ground under them heavy: [`Weather`].
//!
//! Not here: how their weight is added to that of other layers.

use super::ground::{Ground, Layer};
use super::heading::Heading;
use portolan::generate::Random;
use portolan::{Cell, SquareGrid};

/// Ticks between two steps of the clouds.
const PAUSE: u64 = 8;
/// There is one cloud for so many cells of the world, and at least one.
const CELLS_PER_CLOUD: usize = 2000;
/// The least and the greatest radius of a cloud, in cells.
const RADIUS: (usize, usize) = (3, 7);

/// A round cloud.
struct Cloud {
    /// Column and row of its middle. They wrap around at the edges of the world.
    middle: (i32, i32),
    radius: i32,
    heading: Heading,
}

/// All clouds of a game.
pub(super) struct Weather {
    clouds: Vec<Cloud>,
    size: (i32, i32),
    /// What a cloud adds to the weight of a cell.
    weight: i32,
}

impl Weather {
    /// Makes the clouds of a world and lays their weight on the ground; there is none if `weight` is 0.
    pub(super) fn new(grid: &SquareGrid, weight: u8, mut random: Random, ground: &mut Ground) -> Weather {
        let (width, height) = (grid.width(), grid.height());
        let count = if weight == 0 { 0 } else { (width * height / CELLS_PER_CLOUD).max(1) };
        let mut cloud = || Cloud {
            middle: (random.below(width as u64) as i32, random.below(height as u64) as i32),
            radius: random.between(RADIUS.0, RADIUS.1) as i32,
            heading: Heading::ALL[random.below(8) as usize],
        };
        let clouds: Vec<Cloud> = (0..count).map(|_| cloud()).collect();
        let weather = Weather { clouds, size: (width as i32, height as i32), weight: i32::from(weight) };
        for cloud in &weather.clouds {
            weather.lay(cloud, weather.weight, ground);
        }
        weather
    }

    /// Moves the clouds if this tick is one in which they move.
    pub(super) fn drift(&mut self, tick: u64, ground: &mut Ground) {
        if !tick.is_multiple_of(PAUSE) {
            return;
        }
        for index in 0..self.clouds.len() {
            self.lay(&self.clouds[index], -self.weight, ground);
            let cloud = &mut self.clouds[index];
            let (dx, dy) = cloud.heading.step();
            cloud.middle =
                ((cloud.middle.0 + dx).rem_euclid(self.size.0), (cloud.middle.1 + dy).rem_euclid(self.size.1));
            self.lay(&self.clouds[index], self.weight, ground);
        }
    }

    /// Adds an amount to every cell under a cloud. The part that reaches over an edge of the world is cut off.
    fn lay(&self, cloud: &Cloud, amount: i32, ground: &mut Ground) {
        let ((x, y), radius) = (cloud.middle, cloud.radius);
        for dy in -radius..=radius {
            for dx in -radius..=radius {
                let (column, row) = (x + dx, y + dy);
                let is_inside = (0..self.size.0).contains(&column) && (0..self.size.1).contains(&row);
                if is_inside && dx * dx + dy * dy <= radius * radius {
                    ground.influence(Layer::Weather, Cell::new(column as u16, row as u16), amount);
                }
            }
        }
    }
}
