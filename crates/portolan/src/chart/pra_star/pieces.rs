//! Routes in pieces, for a planner that hands out a route leg by leg: each piece is found only when it is needed.
//!
//! Not here: how a piece is found (`descent`).

use super::{PraScratch, PraStar};
use crate::id::Cell;
use crate::method::{End, Leg, Legs, Task};
use crate::probe::Unwatched;
use crate::scratch::{Scratch, TOO_FAR};
use crate::space::Area;
use crate::space::square::SquareGrid;

impl Legs for PraStar {
    fn survey(&self, task: Task, scratch: &mut Scratch, left: &mut u64, legs: &mut Vec<Leg>) -> Option<End> {
        scratch.with_own(|scratch, pra: &mut PraScratch| {
            if std::mem::take(&mut scratch.is_new) {
                pra.begin(task);
                pra.in_pieces = true;
            }
            let end = self.descend(task, scratch, pra, left, &mut Unwatched)?;
            let End::Found(cost) = end else { return Some(End::NotFound) };
            if pra.to == task.to {
                return Some(End::Found(cost));
            }
            legs.push(pra.rest(task));
            // The rest is not refined yet: its cost is estimated from the route on the layer where this piece began. If
            // the sum is too high for a cost, the route counts as not found.
            let whole = u64::from(cost) + pra.last.saturating_sub(u64::from(cost));
            Some(if whole < TOO_FAR { End::Found(whole as u32) } else { End::NotFound })
        })
    }

    fn refine(&self, grid: &SquareGrid, legs: &mut Vec<Leg>, scratch: &mut Scratch, cells: &mut Vec<Cell>) {
        let Leg { from, to, region, .. } = legs.pop().expect("somebody asked for the next leg");
        let task = Task { grid, from, to };
        scratch.trail.clear();
        scratch.with_own(|scratch, pra: &mut PraScratch| {
            pra.begin(task);
            (pra.in_pieces, pra.last) = (true, u64::from(region));
            let end = self.descend(task, scratch, pra, &mut { u64::MAX }, &mut Unwatched);
            debug_assert!(matches!(end, Some(End::Found(_))), "a piece of what was planned leads somewhere");
            if pra.to != to {
                legs.push(pra.rest(task));
            }
        });
        // The first cell is left out: it is the last cell of the piece before.
        cells.extend(scratch.trail.iter().rev().skip(1));
    }

    fn bounds(&self, _: Leg) -> Area {
        // A leg is all that is left of the route, and it may lead anywhere until it is refined.
        Area { x: 0, y: 0, width: u16::MAX, height: u16::MAX }
    }

    fn knows_cost(&self) -> bool {
        false
    }
}

impl PraScratch {
    /// Returns what is left of the route after this piece, as one leg. Its `region` holds `last`, which the next piece
    /// is compared with.
    fn rest(&self, task: Task) -> Leg {
        Leg { from: self.to, to: task.to, level: 0, region: u32::try_from(self.last).unwrap_or(u32::MAX) }
    }
}
