//! From costs back to cells: a stretch between two ports of a region is one inside a leaf, or one of a half, or two that
//! meet at a port of the region's line. Which, the costs tell: they add up.

use super::chart_cost::ChartCost;
use super::front::Front;
use super::fronts::Fronts;
use super::regions::NO_REGION;
use crate::id::Cell;
use crate::method::Leg;

/// A stretch of a route: between two places in the list of a region, the first nearer to the start.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::chart) struct Stretch {
    pub(super) region: u32,
    pub(super) near: u32,
    pub(super) far: u32,
}

impl Stretch {
    /// Stands for an end of the query that is no port.
    pub(super) const END: u32 = u32::MAX;
}

/// What a stretch is made of.
pub(super) enum Parts {
    /// A walk inside a leaf, between ports of these ranks.
    Walk { leaf: u32, near: usize, far: usize },
    /// The same stretch, as a region inside knows it.
    Half(Stretch),
    /// Two stretches, the first nearer to the start.
    Two(Stretch, Stretch),
}

impl<T: ChartCost> Fronts<T> {
    /// Takes a stretch apart, unless a walk inside a leaf is all it is.
    pub(super) fn parts(&self, stretch: Stretch) -> Parts {
        let place = self.regions.of(stretch.region);
        let (near, far) = (stretch.near as usize, stretch.far as usize);
        if place.is_leaf() {
            return Parts::Walk { leaf: place.number, near, far };
        }
        let front = self.front(stretch.region);
        let cost = front.cost(near, far);
        let (a, b) = (front.port(near), front.port(far));
        let least = self.least_around(stretch, a, b);
        // Mostly that is where the way leads, and the regions between need not be looked at.
        if least.region != stretch.region && self.cost_of(least) == cost {
            return self.known(least);
        }
        let sides = (place.side_of(a), place.side_of(b));
        let holds = [sides.0.is_le() && sides.1.is_le(), sides.0.is_ge() && sides.1.is_ge()];
        for half in (0..2).filter(|&half| holds[half]) {
            let half = self.in_half(front, stretch, place.children[half], half);
            if self.cost_of(half) == cost {
                return self.known(half);
            }
        }
        let via = front.stopover(near, far, cost).expect("every cost comes from somewhere") as u32;
        Parts::Two(Stretch { far: via, ..stretch }, Stretch { near: via, ..stretch })
    }

    /// A stretch that a region inside knows.
    fn known(&self, stretch: Stretch) -> Parts {
        let place = self.regions.of(stretch.region);
        if place.is_leaf() {
            return Parts::Walk { leaf: place.number, near: stretch.near as usize, far: stretch.far as usize };
        }
        Parts::Half(stretch)
    }

    /// What a stretch costs.
    #[inline(always)]
    fn cost_of(&self, stretch: Stretch) -> T {
        let place = self.regions.of(stretch.region);
        let (near, far) = (stretch.near as usize, stretch.far as usize);
        if place.is_leaf() {
            self.leaves[place.number as usize].side.cost(near, far)
        } else {
            self.front(stretch.region).cost(near, far)
        }
    }

    /// A stretch between ports that a half has too, as that half knows it.
    #[inline(always)]
    fn in_half(&self, front: &Front<T>, stretch: Stretch, region: u32, half: usize) -> Stretch {
        let line = self.side(region).line;
        let place = |place: u32| {
            let rank = front.in_half(half, place as usize).expect("a port inside a half is on its sides");
            (rank + line) as u32
        };
        Stretch { region, near: place(stretch.near), far: place(stretch.far) }
    }

    /// The stretch as the least region that holds both ends knows it, going down while only one half does.
    #[inline(always)]
    fn least_around(&self, mut stretch: Stretch, a: Cell, b: Cell) -> Stretch {
        loop {
            let place = self.regions.of(stretch.region);
            if place.is_leaf() {
                return stretch;
            }
            let (a, b) = (place.side_of(a), place.side_of(b));
            let half = if a.is_le() && b.is_lt() || a.is_lt() && b.is_le() {
                0
            } else if a.is_ge() && b.is_gt() || a.is_gt() && b.is_ge() {
                1
            } else {
                return stretch;
            };
            stretch = self.in_half(self.front(stretch.region), stretch, place.children[half], half);
        }
    }

    /// Appends the cells of a stretch but for the last, from there back to the first.
    pub(super) fn walk_back(&self, stretch: Stretch, stack: &mut Vec<Stretch>, trail: &mut Vec<Cell>) {
        stack.push(stretch);
        while let Some(stretch) = stack.pop() {
            match self.parts(stretch) {
                Parts::Walk { leaf, near, far } => {
                    self.leaves[leaf as usize].walk_ports(near, far, trail);
                }
                Parts::Half(stretch) => stack.push(stretch),
                Parts::Two(near, far) => stack.extend([near, far]),
            }
        }
    }

    /// A stretch as a leg; `end` is the query's end where the stretch begins or ends there.
    pub(super) fn leg(&self, stretch: Stretch, end: Cell, reversed: bool) -> Leg {
        let port = |place: u32| match place {
            Stretch::END => end,
            place => self.side(stretch.region).list[place as usize],
        };
        let (near, far) = (port(stretch.near), port(stretch.far));
        let (from, to) = if reversed { (far, near) } else { (near, far) };
        Leg { from, to, level: 0, region: stretch.region }
    }

    /// Appends the cells of the first leg of some, `from` left out unless it is the first of all, and takes it off
    /// the list; the next one is last.
    pub(super) fn refine(&self, legs: &mut Vec<Leg>, cells: &mut Vec<Cell>) {
        while let Some(leg) = legs.pop() {
            let place = self.regions.of(leg.region);
            if place.is_leaf() {
                self.walk_leg(leg, cells);
                return;
            }
            let front = self.front(leg.region);
            let places = front.place(leg.from).zip(front.place(leg.to));
            let (near, far) = places.expect("a leg of a front is between two of its ports");
            let stretch = Stretch { region: leg.region, near: near as u32, far: far as u32 };
            match self.parts(stretch) {
                Parts::Walk { leaf, .. } => {
                    self.walk_leg(Leg { region: self.regions.leaves[leaf as usize], ..leg }, cells);
                    return;
                }
                Parts::Half(stretch) => legs.push(Leg { region: stretch.region, ..leg }),
                Parts::Two(near, far) => {
                    let via = front.port(near.far as usize);
                    legs.push(Leg { from: via, level: 0, region: far.region, ..leg });
                    legs.push(Leg { to: via, ..leg });
                }
            }
        }
    }

    /// Appends the cells of a leg inside a leaf, by the tree that a whole route takes them from.
    fn walk_leg(&self, leg: Leg, cells: &mut Vec<Cell>) {
        let leaf = &self.leaves[self.regions.of(leg.region).number as usize];
        if leg.level == OPENING {
            cells.push(leg.from);
        }
        let Some(rank) = leaf.side.rank(leg.from) else {
            // The first leg: nobody planted a tree at the start.
            let rank = leaf.side.rank(leg.to).expect("one end of a leg is a port");
            leaf.walk(rank, leg.from, cells);
            return;
        };
        if leg.from != leg.to {
            let first = cells.len();
            cells.push(leg.to);
            match leaf.side.rank(leg.to) {
                Some(from) => leaf.walk_ports(rank, from, cells),
                None => leaf.walk(rank, leg.to, cells),
            }
            cells.pop();
            cells[first..].reverse();
        }
    }
}

/// The level of the leg that begins at the start, which is part of it.
pub(super) const OPENING: u8 = 1;

const _: () = assert!(NO_REGION == Stretch::END);
