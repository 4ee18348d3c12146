//! Lower bounds on the cost from a place to a goal, which guide searches: [`LowerBound`].
//!
//! Without links that cost less than the cheapest ground between their ends (short cuts), the bound is the distance times the
//! least weight. With a few of them, it is the least sum over any number of short cuts, each reached in a straight line. With many,
//! that would take longer than it saves, and the distance counts as little as the cheapest link lets it.
//!
//! Not here: what links cost, and which are short cuts.

use crate::space::mesh::NavMesh;
use crate::space::mesh::plan::Spot;

/// The greatest number of short cuts that are looked at one by one; a link both ways counts twice.
const MOST: usize = 16;

/// A lower bound on the cost to a goal.
#[derive(Copy, Clone)]
pub(crate) struct LowerBound {
    to: Spot,
    /// How many 256ths a step costs at least.
    scale: u32,
    /// Where the short cuts begin, and a bound on the cost to the goal over each from there on.
    short_cuts: [(Spot, u64); MOST],
    count: usize,
}

impl LowerBound {
    /// Returns the bound on the cost to a point of a mesh.
    pub(crate) fn new(mesh: &NavMesh, to: Spot) -> LowerBound {
        let count = mesh.short_cuts.len();
        let mut bound = LowerBound { to, scale: mesh.estimate_scale, short_cuts: [(to, 0); MOST], count: 0 };
        if count > MOST {
            return bound;
        }
        bound.scale = u32::from(mesh.least_weight()) * NavMesh::SCALE;
        let shape = &*mesh.shape;
        let place = |end: u32| shape.middles[end as usize];
        for (short_cut, &begin) in bound.short_cuts.iter_mut().zip(&mesh.short_cuts) {
            *short_cut = (place(begin), u64::MAX);
        }
        // A bound over one short cut follows from those over the others; after as many rounds as there are, all are settled.
        for _ in 0..count {
            let known = LowerBound { count, ..bound };
            for (short_cut, &begin) in bound.short_cuts.iter_mut().zip(&mesh.short_cuts) {
                let cost = u64::from(shape.cost_from_end(begin).unwrap_or(0));
                short_cut.1 = cost + known.from(place(shape.other_end(begin)));
            }
        }
        bound.count = count;
        bound
    }

    /// Returns the bound of 0, by which a search goes in all directions.
    pub(crate) fn none(to: Spot) -> LowerBound {
        LowerBound { to, scale: 0, short_cuts: [(to, 0); MOST], count: 0 }
    }

    /// Returns a number that no way from a place to the goal costs less than.
    #[inline(always)]
    pub(crate) fn from(&self, at: Spot) -> u64 {
        let line = |to: Spot| at.distance(to) as u64 * u64::from(self.scale) / u64::from(NavMesh::SCALE);
        let over = |&(begin, rest): &(Spot, u64)| rest.saturating_add(line(begin));
        self.short_cuts[..self.count].iter().map(over).fold(line(self.to), u64::min)
    }

    /// Returns what a step counts, as a share of the least weight, and the short cuts as in [`LowerBound::short_cuts`].
    pub(crate) fn parts(&self, mesh: &NavMesh) -> (f64, &[(Spot, u64)]) {
        let whole = u32::from(mesh.least_weight()) * NavMesh::SCALE;
        let share = if self.scale == whole { 1.0 } else { f64::from(self.scale) / f64::from(whole) };
        (share, &self.short_cuts[..self.count])
    }
}
