//! The estimate of the cost that is left, from any node in the corridor around a route. The search of the layer below
//! uses it.
//!
//! A route is cut into stretches that are nearly straight; a node where one ends is a corner. The estimate from a node
//! is the distance to the corner ahead plus the distances from corner to corner up to the end of the route. It is
//! closer to the true cost than the distance to the goal, which ignores all obstacles in between. But it can be too
//! high, so that a search may have to open a closed node again.

use super::layers::Body;
use super::ruler::Ruler;
use crate::memory::held;

/// What the guide keeps of a node of the route.
#[derive(Copy, Clone, Default)]
struct Spot {
    /// The place in the route of the furthest node that the route leads straight to from here.
    corner: u32,
    /// The distance to the end of the route, from corner to corner.
    rest: u64,
}

#[derive(Default)]
pub(super) struct Guide {
    middles: Vec<Body>,
    spots: Vec<Spot>,
}

impl Guide {
    pub(super) fn bytes(&self) -> usize {
        held(&self.middles) + held(&self.spots)
    }

    /// Takes in a route: `middles` are those of its nodes and, in place of the last one, that of the node where the
    /// search below is to end. A stretch counts as straight if it is longer than the distance between its ends by at
    /// most `slack`.
    pub(super) fn learn(&mut self, ruler: &Ruler, slack: u64, middles: impl Iterator<Item = Body>) {
        let Guide { middles: known, spots } = self;
        known.clear();
        known.extend(middles);
        spots.clear();
        let last = known.len() - 1;
        let (mut corner, mut length) = (0, 0);
        for index in 0..=last {
            if index > 0 {
                length -= ruler.step(known[index - 1], known[index]);
            }
            while corner < last {
                let further = length + ruler.step(known[corner], known[corner + 1]);
                if corner > index && further > ruler.estimate(known[index], known[corner + 1]) + slack {
                    break;
                }
                (corner, length) = (corner + 1, further);
            }
            spots.push(Spot { corner: corner as u32, rest: ruler.estimate(known[index], known[corner]) });
        }
        for index in (0..last).rev() {
            spots[index].rest += spots[spots[index].corner as usize].rest;
        }
    }

    /// Returns the estimate of the cost from `at` to the end of the route. `place` is the place in the route of the
    /// node that `at` lies in or beside.
    #[inline(always)]
    pub(super) fn estimate(&self, ruler: &Ruler, at: Body, place: u32) -> u64 {
        let last = self.spots.len() - 1;
        // The corner ahead is that of the next node: `at` may be past the corner of this one, and must not be led back
        // to it.
        let corner = self.spots[(place as usize + 1).min(last)].corner as usize;
        let along = ruler.estimate(at, self.middles[corner]) + self.spots[corner].rest;
        let rest = along.max(ruler.estimate(at, self.middles[last]));
        // One part in 64 more, so that of two nodes on routes of about equal cost the one nearer to the end is expanded
        // first.
        rest + rest / 64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::pra_star::layers::GRAIN;
    use crate::space::Rules;
    use crate::space::square::SquareGrid;

    #[test]
    fn what_is_left_goes_around_corners() {
        let grid = SquareGrid::open(64, 64, Rules::default()).expect("a sound size");
        let ruler = Ruler::new(&grid);
        let body = |x: u32, y: u32| Body { x: x * GRAIN, y: y * GRAIN, cells: 1, weight: GRAIN };
        // East, then south and back west: a hairpin.
        let route = [(0, 0), (8, 0), (16, 0), (16, 8), (8, 8), (0, 8)].map(|(x, y)| body(x, y));
        let mut guide = Guide::default();
        guide.learn(&ruler, 0, route.into_iter());
        let straight = u64::from(grid.metric().straight());
        let from_start = guide.estimate(&ruler, route[0], 0);
        assert!(from_start >= 32 * straight && from_start <= 41 * straight, "{from_start}");
        assert!(guide.estimate(&ruler, route[5], 5) < straight);
    }
}
