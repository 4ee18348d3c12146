//! The memory that queries on rhumb charts use again and again, for each number type of costs.
//!
//! Not here: the climbs and sweeps it holds (`climb.rs`, `many.rs`), and the memory for making leaves (`leaf.rs`).

use super::chart_cost::Cost16;
use super::climb::Climb;
use super::leaf::LeafScratch;
use super::many::Sweep;
use super::unpack::Stretch;
use crate::id::Cell;
use crate::memory::held;
use crate::method::End;
use crate::scratch::AlgorithmState;

/// The scratch memory of queries on rhumb charts.
#[derive(Default)]
pub(in crate::chart) struct RhumbScratch {
    pub(super) narrow: ClimbScratch<Cost16>,
    pub(super) wide: ClimbScratch<f32>,
    pub(super) widest: ClimbScratch<f64>,
    pub(super) room: LeafScratch,
    /// How the query in progress ended, once the work is done.
    pub(super) end: Option<End>,
    /// Expansions of that query which are not yet subtracted from the budget of a slice.
    pub(super) owed: u64,
    /// Cells that smoothing works on.
    pub(super) spare: Vec<Cell>,
}

impl RhumbScratch {
    /// Subtracts the expansions of the query in progress from the budget of a slice, as far as it goes. Returns how the
    /// query ended once all of them are subtracted.
    pub(super) fn pay(&mut self, left: &mut u64) -> Option<End> {
        let paid = self.owed.min(*left);
        *left -= paid;
        self.owed -= paid;
        self.end.filter(|_| self.owed == 0)
    }
}

impl AlgorithmState for RhumbScratch {
    fn bytes(&self) -> usize {
        self.narrow.bytes() + self.wide.bytes() + self.widest.bytes() + self.room.bytes() + held(&self.spare)
    }
}

/// The scratch memory of a query with costs of type `T`.
#[derive(Default)]
pub(in crate::chart) struct ClimbScratch<T> {
    /// The climbs from the start and from the goal.
    pub(super) ends: [Climb<T>; 2],
    pub(super) stretches: Vec<Stretch>,
    /// Stretches still to be turned into cells.
    pub(super) stack: Vec<Stretch>,
    /// How many rows of costs the query has added.
    pub(super) rows: u64,
    pub(super) sweep: Sweep<T>,
}

impl<T> ClimbScratch<T> {
    fn bytes(&self) -> usize {
        let ends: usize = self.ends.iter().map(Climb::bytes).sum();
        ends + self.sweep.bytes() + held(&self.stretches) + held(&self.stack)
    }
}
