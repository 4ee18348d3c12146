//! From costs back to cells. A stretch between two ports of a region is a walk inside a leaf, or a stretch of one of
//! the region's halves, or two stretches that meet at a port of the region's line. Nothing is stored about which it is;
//! it follows from the costs: the stretch of the half has the same cost, or the costs of the two stretches add up to
//! it.
//!
//! Not here: which stretches a query consists of ([`Fronts::trace`]), and the walks inside leaves (`walks.rs`).

use super::chart_cost::ChartCost;
use super::front::{Front, Way};
use super::fronts::Fronts;
use super::regions::NO_REGION;
use crate::id::Cell;
use crate::method::Leg;

/// Part of a way, between two ports of a region. Ports are given by their places in the region's list.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::chart) struct Stretch {
    pub(super) region: u32,
    /// The port nearer to the end of the query that the stretch was traced from, or [`Stretch::END`].
    pub(super) near: u32,
    /// The port farther from that end.
    pub(super) far: u32,
}

impl Stretch {
    /// The place that stands for an end of the query which is not a port.
    pub(super) const END: u32 = u32::MAX;
}

/// What a stretch consists of.
pub(super) enum Parts {
    /// A walk inside the leaf of this number, between the ports of these ranks.
    Walk { leaf: u32, near: usize, far: usize },
    /// One stretch between the same two ports, in a smaller region.
    Half(Stretch),
    /// Two stretches in the region of the whole one: from its near port to a stopover, and from there to its far port.
    Two(Stretch, Stretch),
    /// The link between the two ports.
    Link(Stretch),
}

impl<T: ChartCost> Fronts<T> {
    /// Splits a stretch into its parts. A stretch inside a leaf is a walk and is not split further.
    pub(super) fn parts(&self, stretch: Stretch) -> Parts {
        let place = self.regions.of(stretch.region);
        let (near, far) = (stretch.near as usize, stretch.far as usize);
        if place.is_leaf() {
            return Parts::Walk { leaf: place.number, near, far };
        }
        let front = self.front(Way::There, stretch.region);
        let back = self.back_of(stretch.region, front);
        let cost = front.cost(back, near, far);
        let (a, b) = (front.port(near), front.port(far));
        let least = self.least_around(stretch, a, b);
        // Mostly the cheapest way stays in the smallest region that contains both ports, and the regions between need
        // not be looked at.
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
        if !self.links.cells.is_empty() && self.is_link(stretch, a, b, cost) {
            return Parts::Link(stretch);
        }
        let via = front.stopover(back, near, far, cost).expect("every cost comes from somewhere") as u32;
        Parts::Two(Stretch { far: via, ..stretch }, Stretch { near: via, ..stretch })
    }

    /// Returns whether a link leads along a stretch, from its port `a` to its port `b`, at the cost of the stretch.
    fn is_link(&self, stretch: Stretch, a: Cell, b: Cell, cost: T) -> bool {
        let links = self.links.of_region(stretch.region).map_or(&[][..], |known| &known.links);
        links.iter().any(|link| (link.from, link.to) == (a, b) && T::of(link.cost) == cost)
    }

    /// Returns the parts of a stretch that was found in a smaller region: a walk if that is a leaf, else the stretch.
    fn known(&self, stretch: Stretch) -> Parts {
        let place = self.regions.of(stretch.region);
        if place.is_leaf() {
            return Parts::Walk { leaf: place.number, near: stretch.near as usize, far: stretch.far as usize };
        }
        Parts::Half(stretch)
    }

    /// Returns the cost of a stretch.
    #[inline(always)]
    fn cost_of(&self, stretch: Stretch) -> T {
        let place = self.regions.of(stretch.region);
        let (near, far) = (stretch.near as usize, stretch.far as usize);
        if place.is_leaf() {
            self.leaves[place.number as usize].side.cost(near, far)
        } else {
            let front = self.front(Way::There, stretch.region);
            front.cost(self.back_of(stretch.region, front), near, far)
        }
    }

    /// Returns the stretch between the same two ports in a half that contains both: `region`, which is the half of
    /// number `half` of the region of `front`.
    #[inline(always)]
    fn in_half(&self, front: &Front<T>, stretch: Stretch, region: u32, half: usize) -> Stretch {
        let line = self.side(region).line;
        let place = |place: u32| {
            let rank = front.in_half(half, place as usize).expect("a port inside a half is on its sides");
            (rank + line) as u32
        };
        Stretch { region, near: place(stretch.near), far: place(stretch.far) }
    }

    /// Returns the stretch between its ports `a` and `b` in the smallest region found by going down as long as exactly
    /// one half contains both.
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
            stretch = self.in_half(self.front(Way::There, stretch.region), stretch, place.children[half], half);
        }
    }

    /// Appends the cells of a stretch from its far port to its near port, without the far port itself.
    pub(super) fn walk_back(&self, stretch: Stretch, stack: &mut Vec<Stretch>, trail: &mut Vec<Cell>) {
        stack.push(stretch);
        while let Some(stretch) = stack.pop() {
            match self.parts(stretch) {
                Parts::Walk { leaf, near, far } => {
                    self.leaf(Way::Back, leaf).walk_ports(near, far, trail);
                }
                Parts::Link(Stretch { region, near, .. }) => trail.push(self.side(region).list[near as usize]),
                Parts::Half(stretch) => stack.push(stretch),
                Parts::Two(near, far) => stack.extend([near, far]),
            }
        }
    }

    /// Converts a stretch to a leg, which leads from its far to its near port if `reversed`. `end` is the cell that
    /// [`Stretch::END`] stands for.
    pub(super) fn leg(&self, stretch: Stretch, end: Cell, reversed: bool) -> Leg {
        let port = |place: u32| match place {
            Stretch::END => end,
            place => self.side(stretch.region).list[place as usize],
        };
        let (near, far) = (port(stretch.near), port(stretch.far));
        let (from, to) = if reversed { (far, near) } else { (near, far) };
        Leg { from, to, level: 0, region: stretch.region }
    }

    /// Takes the next leg off the list, whose last entry it is, and splits it until its first part is a walk inside a
    /// leaf. Appends the cells of that walk and puts the other parts back on the list. The first cell of the walk is
    /// left out, because the walk before ends with it, except at the start of the route.
    pub(super) fn refine(&self, legs: &mut Vec<Leg>, cells: &mut Vec<Cell>) {
        while let Some(leg) = legs.pop() {
            let place = self.regions.of(leg.region);
            if place.is_leaf() {
                self.walk_leg(leg, cells);
                return;
            }
            let front = self.front(Way::There, leg.region);
            let places = front.place(leg.from).zip(front.place(leg.to));
            let (near, far) = places.expect("a leg of a front is between two of its ports");
            let stretch = Stretch { region: leg.region, near: near as u32, far: far as u32 };
            match self.parts(stretch) {
                Parts::Walk { leaf, .. } => {
                    self.walk_leg(Leg { region: self.regions.leaves[leaf as usize], ..leg }, cells);
                    return;
                }
                Parts::Link(_) => {
                    cells.extend((leg.level == OPENING).then_some(leg.from));
                    cells.push(leg.to);
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

    /// Appends the cells of a leg inside a leaf in walking order. Where both ends have trees it follows the tree of
    /// `from`, as a whole route does (`query.rs`), so that both have the same cells.
    fn walk_leg(&self, leg: Leg, cells: &mut Vec<Cell>) {
        let number = self.regions.of(leg.region).number;
        let leaf = self.leaf(Way::Back, number);
        if leg.level == OPENING {
            cells.push(leg.from);
        }
        let Some(rank) = leaf.side.rank(leg.from) else {
            // This is the first leg. The start is not a port and has no tree; the port at the other end has one.
            let rank = leaf.side.rank(leg.to).expect("one end of a leg is a port");
            self.leaf(Way::There, number).walk(rank, leg.from, cells);
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

/// The [`Leg::level`] of the leg that begins at the start of the route. The cells of this leg include its first cell,
/// those of all other legs do not.
pub(super) const OPENING: u8 = 1;

const _: () = assert!(NO_REGION == Stretch::END);
