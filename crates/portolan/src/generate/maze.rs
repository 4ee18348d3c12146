//! Maze: corridors between walls one cell thick, carved by a random depth-first walk over the slots of a lattice.
//! Exactly one corridor leads from any slot to any other, or more once the setting `loops` opens further walls.

use super::Random;
use super::canvas::{Canvas, Lattice, Rect};
use crate::settings::{Param, Settings};

pub(super) const PARAMS: &[Param] = &[
    Param::count("corridor", "width of the corridors, in cells", 1, 1, 256),
    Param::count("loops", "percent of the remaining walls opened", 0, 0, 100),
];

/// North, east, south, west.
const STEP: [(isize, isize); 4] = [(0, -1), (1, 0), (0, 1), (-1, 0)];

pub(super) fn draw(canvas: &mut Canvas, random: &mut Random, settings: &Settings) {
    let corridor = settings.count("corridor") as usize;
    let mut maze =
        Maze { columns: Lattice::whole(canvas.width, corridor), rows: Lattice::whole(canvas.height, corridor), canvas };
    maze.carve(random);
    maze.open_walls(random, settings.count("loops"));
}

struct Maze<'a> {
    columns: Lattice,
    rows: Lattice,
    canvas: &'a mut Canvas,
}

impl Maze<'_> {
    /// The mark of the slot where the walk started.
    const START: u8 = 16;
    /// The mark of a slot that the walk entered by a step in direction 0; the marks for the other directions follow it.
    const ENTERED: u8 = 32;

    /// Walks over all slots and opens the walls that the walk passes. Each slot between the start and the current slot
    /// keeps in its first cell a mark of the direction in which the walk entered it. The walk goes back by these
    /// marks, so that it needs no stack, however long the corridors are.
    fn carve(&mut self, random: &mut Random) {
        let (mut x, mut y) = (random.between(0, self.columns.count - 1), random.between(0, self.rows.count - 1));
        self.enter((x, y), Self::START);
        loop {
            let mut ways = [0; 4];
            let mut count = 0;
            for direction in 0..4 {
                if self.beside((x, y), direction).is_some_and(|next| self.mark(next) == Canvas::BLOCKED) {
                    ways[count] = direction;
                    count += 1;
                }
            }
            if count > 0 {
                let direction = ways[random.below(count as u64) as usize];
                let next = self.beside((x, y), direction).expect("it was there to be chosen");
                self.open((x, y), direction);
                self.enter(next, Self::ENTERED + direction as u8);
                (x, y) = next;
                continue;
            }
            let mark = self.mark((x, y));
            self.enter((x, y), Canvas::GROUND);
            if mark == Self::START {
                return;
            }
            let back = usize::from(mark - Self::ENTERED + 2) % 4;
            (x, y) = self.beside((x, y), back).expect("it came from there");
        }
    }

    /// Opens each wall that is still closed with a chance of `percent` in a hundred.
    fn open_walls(&mut self, random: &mut Random, percent: u64) {
        if percent == 0 {
            return;
        }
        for y in 0..self.rows.count {
            for x in 0..self.columns.count {
                for direction in [0, 3] {
                    if self.beside((x, y), direction).is_some() && random.chance(percent) {
                        self.open((x, y), direction);
                    }
                }
            }
        }
    }

    /// Returns the slot beside a slot in a direction, or `None` past the end of the lattice.
    fn beside(&self, (x, y): (usize, usize), direction: usize) -> Option<(usize, usize)> {
        let (dx, dy) = STEP[direction];
        let (x, y) = (x.checked_add_signed(dx)?, y.checked_add_signed(dy)?);
        (x < self.columns.count && y < self.rows.count).then_some((x, y))
    }

    /// Returns the mark in a slot's first cell; [`Canvas::BLOCKED`] means that the walk has not been there.
    fn mark(&self, (x, y): (usize, usize)) -> u8 {
        self.canvas.get(self.columns.slot(x).start, self.rows.slot(y).start)
    }

    /// Clears a slot and writes a mark into its first cell.
    fn enter(&mut self, (x, y): (usize, usize), mark: u8) {
        let slot = Rect::new(self.columns.slot(x), self.rows.slot(y));
        self.canvas.fill(&slot, Canvas::GROUND);
        self.canvas.set(slot.x.start, slot.y.start, mark);
    }

    /// Opens the wall on one side of a slot.
    fn open(&mut self, (x, y): (usize, usize), direction: usize) {
        let (columns, rows) = (self.columns.slot(x), self.rows.slot(y));
        let wall = match direction {
            0 => Rect::new(columns, rows.start - 1..rows.start),
            1 => Rect::new(columns.end..columns.end + 1, rows),
            2 => Rect::new(columns, rows.end..rows.end + 1),
            _ => Rect::new(columns.start - 1..columns.start, rows),
        };
        self.canvas.fill(&wall, Canvas::GROUND);
    }
}
