//! Estimates on grids with links ([`Bridged`]): lower bounds on costs that may lead over links.
//!
//! Only short cuts matter: links that cost less than the open ground between their ends, or hardly more. With a few of them, the bound is the
//! least sum of distances over any number of short cuts, taken both ways. With many, that would take longer than it saves, and
//! distances count as little as the cheapest of these links lets them.
//!
//! Not here: the distances themselves.

use super::{Distance, Estimate, Grid, Reversible, Search};
use crate::id::NodeId;
use crate::space::Space;
use std::array;

/// The greatest number of short cuts that are looked at one by one.
const MOST: usize = 16;
/// What a distance counts, where it counts in full.
const WHOLE: u64 = 256;

/// A search whose estimates are to know links.
pub(super) struct Bridged<'a, S, T> {
    pub(super) grid: &'a S,
    pub(super) search: T,
}

impl<S: Grid, T: Search<S>> Search<S> for Bridged<'_, S, T> {
    type Output = T::Output;

    fn run<G: Reversible, D: Distance<S::Place>>(self, graph: &G, distance: &D) -> T::Output {
        // The distance is measured to the goal, and can be measured to any other place.
        let bound = LinkedDistance::new(self.grid, distance.again());
        self.search.run(graph, &bound)
    }
}

/// An end of a short cut.
struct End<D> {
    /// The end at the other side.
    other: NodeId,
    cost: u64,
    /// The distance to this end.
    distance: D,
    /// A bound on the cost from this end over the short cut to the goal.
    rest: u64,
}

/// A lower bound on the cost to a goal over ground and links.
struct LinkedDistance<'a, S, D> {
    grid: &'a S,
    direct: D,
    ends: [Option<End<D>>; 2 * MOST],
    /// How many 256ths a distance counts.
    scale: u64,
}

impl<'a, S: Grid, D: Distance<S::Place>> LinkedDistance<'a, S, D> {
    /// Makes the bound to the goal of `direct`.
    fn new(grid: &'a S, direct: D) -> Self {
        let mut bound = LinkedDistance { grid, direct, ends: array::from_fn(|_| None), scale: WHOLE };
        let links = grid.ground().passages.as_ref().map_or(&[][..], |passages| passages.links().all());
        let mut count = 0;
        for link in links {
            let (at, beyond) = (NodeId(link.at), NodeId(link.beyond));
            let [there, here] = [beyond, at].map(|node| bound.direct.toward(grid.place(node)));
            let apart = there.estimate(at);
            // Distances are rounded down, so that they may be almost 1 longer.
            if u64::from(link.cost) > apart {
                continue;
            }
            bound.scale = bound.scale.min(WHOLE * u64::from(link.cost) / (apart + 1));
            if count + 2 <= bound.ends.len() {
                let cost = u64::from(link.cost);
                bound.ends[count] = Some(End { other: beyond, cost, distance: here, rest: u64::MAX });
                bound.ends[count + 1] = Some(End { other: at, cost, distance: there, rest: u64::MAX });
            }
            count += 2;
        }
        if count > bound.ends.len() {
            bound.ends = array::from_fn(|_| None);
            return bound;
        }
        bound.scale = WHOLE;
        bound.settle();
        bound
    }

    /// Finds the least sums over any number of short cuts.
    fn settle(&mut self) {
        for end in self.ends.iter_mut().flatten() {
            end.rest = end.cost + self.direct.estimate(end.other);
        }
        loop {
            let mut has_changed = false;
            for at in 0..self.ends.len() {
                let Some(end) = &self.ends[at] else { break };
                let over = |next: &End<D>| next.rest.saturating_add(next.distance.estimate(end.other));
                let least = self.ends.iter().flatten().map(over).min().unwrap_or(u64::MAX).saturating_add(end.cost);
                if least < end.rest {
                    has_changed = true;
                    self.ends[at].as_mut().expect("it is there").rest = least;
                }
            }
            if !has_changed {
                return;
            }
        }
    }
}

impl<S: Grid, D: Distance<S::Place>> Distance<S::Place> for LinkedDistance<'_, S, D> {
    fn toward(&self, to: S::Place) -> Self {
        LinkedDistance::new(self.grid, self.direct.toward(to))
    }

    fn again(&self) -> Self {
        LinkedDistance::new(self.grid, self.direct.again())
    }
}

impl<S: Space, D: Estimate> Estimate for LinkedDistance<'_, S, D> {
    #[inline(always)]
    fn estimate(&self, node: NodeId) -> u64 {
        let mut least = self.direct.estimate(node) * self.scale / WHOLE;
        for end in self.ends.iter().map_while(Option::as_ref) {
            least = least.min(end.rest.saturating_add(end.distance.estimate(node)));
        }
        least
    }
}
