//! What a route tells the search of the layer below: how far it still is, from anywhere in its corridor.
//!
//! A route runs straight between its corners: nodes it leads to as if nothing were in between. What is left from a
//! node is the way to the corner ahead, and on from corner to corner. That comes close to the truth, where the distance to
//! the goal knows nothing of the obstacles between, but it can be too much: a node may have to be opened again.

use super::layers::Body;
use super::ruler::Ruler;

/// What is known from a node of the route.
#[derive(Copy, Clone, Default)]
struct Spot {
    /// The furthest node that the route leads straight to.
    corner: u32,
    /// What is left along corners.
    rest: u64,
}

#[derive(Default)]
pub(super) struct Guide {
    middles: Vec<Body>,
    spots: Vec<Spot>,
}

impl Guide {
    pub(super) fn bytes(&self) -> usize {
        size_of::<Body>() * self.middles.capacity() + size_of::<Spot>() * self.spots.capacity()
    }

    /// Learns a route: the middles of its nodes but for the last, then where it ends. It may be longer than a straight
    /// line by the slack and still pass for one.
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

    /// What is left from somewhere beside a node of the route, by its place in it.
    #[inline(always)]
    pub(super) fn estimate(&self, ruler: &Ruler, at: Body, place: u32) -> u64 {
        let last = self.spots.len() - 1;
        // From the next node on: a corner that is already reached draws nobody back.
        let corner = self.spots[(place as usize + 1).min(last)].corner as usize;
        let along = ruler.estimate(at, self.middles[corner]) + self.spots[corner].rest;
        let rest = along.max(ruler.estimate(at, self.middles[last]));
        // A little more, so that of two ways about as long the one that is nearly there goes first.
        rest + rest / 64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::pra_star::layers::GRAIN;
    use crate::world::Rules;
    use crate::world::square::SquareGrid;

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
