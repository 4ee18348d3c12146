//! From costs back to cells: a stretch between two ports of a region is one inside a leaf, or one of a half, or two that
//! meet at a port of the region's line. Which, the costs tell: they add up.

use super::front::Front;
use super::fronts::Fronts;
use super::regions::NOBODY;
use super::toll::Toll;
use crate::id::Cell;
use crate::method::Leg;

/// A stretch of a route: between two places in the list of a region, the first nearer to the start.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::chart) struct Seg {
    pub(super) region: u32,
    pub(super) near: u32,
    pub(super) far: u32,
}

impl Seg {
    /// Stands for an end of the query that is no port.
    pub(super) const END: u32 = u32::MAX;
}

/// What a stretch is made of.
pub(super) enum Parts {
    /// A walk inside a leaf, between ports of these ranks.
    Walk { leaf: u32, near: usize, far: usize },
    /// The same stretch, as a region inside knows it.
    Half(Seg),
    /// Two stretches, the first nearer to the start.
    Two(Seg, Seg),
}

impl<T: Toll> Fronts<T> {
    /// Takes a stretch apart, unless a walk inside a leaf is all it is.
    pub(super) fn parts(&self, seg: Seg) -> Parts {
        let place = self.regions.of(seg.region);
        let (near, far) = (seg.near as usize, seg.far as usize);
        if place.is_leaf() {
            return Parts::Walk { leaf: place.number, near, far };
        }
        let front = self.front(seg.region);
        let cost = front.cost(near, far);
        let (a, b) = (front.port(near), front.port(far));
        let least = self.least_around(seg, a, b);
        // Mostly that is where the way leads, and the regions between need not be looked at.
        if least.region != seg.region && self.cost_of(least) == cost {
            return self.known(least);
        }
        let sides = (place.side_of(a), place.side_of(b));
        let holds = [sides.0.is_le() && sides.1.is_le(), sides.0.is_ge() && sides.1.is_ge()];
        for half in (0..2).filter(|&half| holds[half]) {
            let half = self.in_half(front, seg, place.children[half], half);
            if self.cost_of(half) == cost {
                return self.known(half);
            }
        }
        let via = front.stopover(near, far, cost).expect("every cost comes from somewhere") as u32;
        Parts::Two(Seg { far: via, ..seg }, Seg { near: via, ..seg })
    }

    /// A stretch that a region inside knows.
    fn known(&self, seg: Seg) -> Parts {
        let place = self.regions.of(seg.region);
        if place.is_leaf() {
            return Parts::Walk { leaf: place.number, near: seg.near as usize, far: seg.far as usize };
        }
        Parts::Half(seg)
    }

    /// What a stretch costs.
    #[inline(always)]
    fn cost_of(&self, seg: Seg) -> T {
        let place = self.regions.of(seg.region);
        let (near, far) = (seg.near as usize, seg.far as usize);
        if place.is_leaf() {
            self.leaves[place.number as usize].side.cost(near, far)
        } else {
            self.front(seg.region).cost(near, far)
        }
    }

    /// A stretch between ports that a half has too, as that half knows it.
    #[inline(always)]
    fn in_half(&self, front: &Front<T>, seg: Seg, region: u32, half: usize) -> Seg {
        let line = self.side(region).line;
        let place = |place: u32| {
            let rank = front.in_half(half, place as usize).expect("a port inside a half is on its sides");
            (rank + line) as u32
        };
        Seg { region, near: place(seg.near), far: place(seg.far) }
    }

    /// The stretch as the least region that holds both ends knows it, going down while only one half does.
    #[inline(always)]
    fn least_around(&self, mut seg: Seg, a: Cell, b: Cell) -> Seg {
        loop {
            let place = self.regions.of(seg.region);
            if place.is_leaf() {
                return seg;
            }
            let (a, b) = (place.side_of(a), place.side_of(b));
            let half = if a.is_le() && b.is_lt() || a.is_lt() && b.is_le() {
                0
            } else if a.is_ge() && b.is_gt() || a.is_gt() && b.is_ge() {
                1
            } else {
                return seg;
            };
            seg = self.in_half(self.front(seg.region), seg, place.children[half], half);
        }
    }

    /// Appends the cells of a stretch but for the last, from there back to the first.
    pub(super) fn walk_back(&self, seg: Seg, stack: &mut Vec<Seg>, trail: &mut Vec<Cell>) {
        stack.push(seg);
        while let Some(seg) = stack.pop() {
            match self.parts(seg) {
                Parts::Walk { leaf, near, far } => {
                    self.leaves[leaf as usize].walk_ports(near, far, trail);
                }
                Parts::Half(seg) => stack.push(seg),
                Parts::Two(near, far) => stack.extend([near, far]),
            }
        }
    }

    /// A stretch as a leg; `end` is the query's end where the stretch begins or ends there.
    pub(super) fn leg(&self, seg: Seg, end: Cell, reversed: bool) -> Leg {
        let port = |place: u32| match place {
            Seg::END => end,
            place => self.side(seg.region).list[place as usize],
        };
        let (near, far) = (port(seg.near), port(seg.far));
        let (from, to) = if reversed { (far, near) } else { (near, far) };
        Leg { from, to, level: 0, region: seg.region }
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
            let seg = Seg { region: leg.region, near: near as u32, far: far as u32 };
            match self.parts(seg) {
                Parts::Walk { leaf, .. } => {
                    self.walk_leg(Leg { region: self.regions.leaves[leaf as usize], ..leg }, cells);
                    return;
                }
                Parts::Half(seg) => legs.push(Leg { region: seg.region, ..leg }),
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

const _: () = assert!(NOBODY == Seg::END);
