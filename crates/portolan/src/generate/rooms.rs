//! Rooms: a lattice of square rooms with doors in the walls between them, after the room maps of the `MovingAI`
//! benchmarks. Here every room can be reached from every other, however few doors there are.

use super::Random;
use super::canvas::{Canvas, Lattice, Rect};
use crate::settings::{Param, Settings};
use std::ops::Range;

pub(super) const PARAMS: &[Param] = &[
    Param::count("size", "side of a room, in cells", 15, 1, 1024),
    Param::count("door", "width of a door, in cells", 1, 1, 1024),
    Param::count("doors", "percent of walls with a door, beyond those that keep every room reachable", 60, 0, 100),
];

pub(super) fn draw(canvas: &mut Canvas, random: &mut Random, settings: &Settings) {
    let size = settings.count("size") as usize;
    let (door, doors) = (settings.count("door") as usize, settings.count("doors"));
    let columns = Lattice::covering(canvas.width, size);
    let rows = Lattice::covering(canvas.height, size);
    for y in 0..rows.count {
        for x in 0..columns.count {
            canvas.fill(&Rect::new(columns.slot(x), rows.slot(y)), Canvas::GROUND);
            // Every room but the first has a door to the north or to the west, so that a walk leads from it to the
            // first.
            let north_for_certain = x == 0 || y > 0 && random.chance(50);
            if y > 0 && (north_for_certain || random.chance(doors)) {
                let wall = rows.wall_before(y);
                canvas.fill(&Rect::new(doorway(columns.slot(x), door, random), wall..wall + 1), Canvas::GROUND);
            }
            if x > 0 && (!north_for_certain || random.chance(doors)) {
                let wall = columns.wall_before(x);
                canvas.fill(&Rect::new(wall..wall + 1, doorway(rows.slot(y), door, random)), Canvas::GROUND);
            }
        }
    }
}

/// Picks a random place in a wall for a door of `door` cells, or of the whole wall if that is shorter.
fn doorway(wall: Range<usize>, door: usize, random: &mut Random) -> Range<usize> {
    let door = door.min(wall.len());
    let start = random.between(wall.start, wall.end - door);
    start..start + door
}
