//! Routes in pieces, for whoever walks: the next one is found when the last one ends.

use super::{PraScratch, PraStar};
use crate::id::Cell;
use crate::method::{End, Leg, Legs, Task};
use crate::probe::Unwatched;
use crate::scratch::{Scratch, TOO_FAR};
use crate::world::Area;
use crate::world::square::SquareGrid;

impl Legs for PraStar {
    fn survey(&self, task: Task, scratch: &mut Scratch, left: &mut u64, legs: &mut Vec<Leg>) -> Option<End> {
        scratch.pra.begin(task);
        scratch.pra.in_pieces = true;
        let End::Found(cost) = self.descend(task, scratch, left, &mut Unwatched)? else { return Some(End::NotFound) };
        let pra = &scratch.pra;
        if pra.to == task.to {
            return Some(End::Found(cost));
        }
        legs.push(pra.rest(task));
        // Of what is not refined yet only a guess is known; where even that is too much, so is the route.
        let whole = u64::from(cost) + pra.last.saturating_sub(u64::from(cost));
        Some(if whole < TOO_FAR { End::Found(whole as u32) } else { End::NotFound })
    }

    fn refine(&self, grid: &SquareGrid, legs: &mut Vec<Leg>, scratch: &mut Scratch, cells: &mut Vec<Cell>) {
        let Leg { from, to, region, .. } = legs.pop().expect("somebody asked for the next leg");
        let task = Task { grid, from, to };
        scratch.trail.clear();
        scratch.pra.begin(task);
        (scratch.pra.in_pieces, scratch.pra.last) = (true, u64::from(region));
        let end = self.descend(task, scratch, &mut { u64::MAX }, &mut Unwatched);
        debug_assert!(matches!(end, Some(End::Found(_))), "a piece of what was planned leads somewhere");
        let Scratch { pra, trail, .. } = scratch;
        // The piece before ended where this one begins.
        cells.extend(trail.iter().rev().skip(1));
        if pra.to != to {
            legs.push(pra.rest(task));
        }
    }

    fn bounds(&self, _: Leg) -> Area {
        // Where the rest leads is found out piece by piece.
        Area { x: 0, y: 0, width: u16::MAX, height: u16::MAX }
    }

    fn knows_cost(&self) -> bool {
        false
    }
}

impl PraScratch {
    /// What is left of a way once a piece is done.
    fn rest(&self, task: Task) -> Leg {
        Leg { from: self.to, to: task.to, level: 0, region: u32::try_from(self.last).unwrap_or(u32::MAX) }
    }
}
