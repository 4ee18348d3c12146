//! A* over the inter-edges of the level that is searched: the graph that the paper calls HNG.
//!
//! Inter-edges are numbered over all nodes. A search that came to an inter-edge through one node goes on through the other
//! one, and looks at a whole row of costs.
//!
//! Not here: connecting start and goal.

use super::hierarchy::Level;
use super::tables::{NO_WAY, Tables};
use crate::flat::FlatNodes;
use crate::id::NodeId;
use crate::memory::held;
use crate::open_list::BucketRing;
use crate::probe::{Event, Probe};
use crate::space::mesh::links::bound::LowerBound;
use crate::space::mesh::plan::Spot;
use crate::space::mesh::shape::Shape;

/// The inter-edges of a level as a graph.
#[derive(Clone)]
pub(in crate::chart) struct Borders {
    /// Where the inter-edges of each node begin in `ids`, and one entry more.
    first: Vec<u32>,
    /// The numbers of the inter-edges of all nodes, node by node.
    ids: Vec<u32>,
    ends: Vec<Border>,
}

/// An inter-edge: its portal, where that lies, and the two nodes with its place among the inter-edges of each.
#[derive(Copy, Clone)]
pub(in crate::chart) struct Border {
    pub(in crate::chart) portal: u32,
    middle: Spot,
    pub(in crate::chart) seats: [Seat; 2],
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::chart) struct Seat {
    pub(in crate::chart) node: u32,
    pub(in crate::chart) place: u32,
}

impl Borders {
    pub(super) fn new(shape: &Shape, level: &Level, tables: &Tables) -> Borders {
        let mut borders = Borders { first: vec![0], ids: Vec::new(), ends: Vec::new() };
        let mut id_by_portal = vec![u32::MAX; shape.portals.len()];
        for node in &tables.nodes {
            for &portal in &node.portals[..node.borders] {
                let id = &mut id_by_portal[portal as usize];
                if *id == u32::MAX {
                    *id = borders.ends.len() as u32;
                    let seats = shape.portals[portal as usize].polygons.map(|polygon| Seat {
                        node: level.node_by_polygon[polygon as usize],
                        place: tables.slot(shape, portal, polygon) as u32,
                    });
                    borders.ends.push(Border { portal, middle: shape.middles[portal as usize], seats });
                }
                borders.ids.push(*id);
            }
            borders.first.push(borders.ids.len() as u32);
        }
        borders
    }

    /// Returns the numbers of the inter-edges of a node, in the order of its table.
    #[inline(always)]
    pub(in crate::chart) fn of(&self, node: u32) -> &[u32] {
        &self.ids[self.first[node as usize] as usize..self.first[node as usize + 1] as usize]
    }

    /// Returns the numbers of the inter-edges of all nodes, node by node.
    pub(in crate::chart) fn all(&self) -> &[u32] {
        &self.ids
    }

    /// Returns how many entries [`Borders::all`] has.
    pub(in crate::chart) fn entries(&self) -> usize {
        self.ids.len()
    }

    /// Returns the place of a node's first inter-edge in [`Borders::all`].
    #[inline(always)]
    pub(in crate::chart) fn first_of(&self, node: u32) -> usize {
        self.first[node as usize] as usize
    }

    pub(in crate::chart) fn get(&self, id: u32) -> Border {
        self.ends[id as usize]
    }

    pub(in crate::chart) fn len(&self) -> usize {
        self.ends.len()
    }

    pub(in crate::chart) fn flatten(&self, flat: &mut FlatNodes) {
        flat.border_ids.clone_from(&self.ids);
        let seats = |border: &Border| border.seats.map(|seat| [seat.node, seat.place]);
        flat.border_seats = self.ends.iter().map(seats).collect();
        flat.border_portals = self.ends.iter().map(|border| border.portal).collect();
    }

    pub(in crate::chart) fn bytes(&self) -> usize {
        held(&self.first) + held(&self.ids) + held(&self.ends)
    }
}

/// What is noted as the inter-edge before one that is reached from the start.
pub(super) const FROM_START: u32 = u32::MAX;

/// A search over inter-edges.
#[derive(Default)]
pub(super) struct BorderSearch {
    /// The cost from the start to each inter-edge, [`NO_WAY`] if none is known. It is kept apart from the rest, because
    /// most looks at an inter-edge end with it.
    costs: Vec<u32>,
    notes: Vec<Note>,
    /// The estimate of each inter-edge, [`NO_WAY`] as long as it is not computed.
    estimates: Vec<u32>,
    /// What is left to the goal from each inter-edge of its node, [`NO_WAY`] for all others.
    to_goal: Vec<u32>,
    /// The cost of the best route so far, and the inter-edge from which it goes on to the goal.
    best: u64,
    last: u32,
}

/// How an inter-edge was reached.
#[derive(Copy, Clone, Default)]
struct Note {
    /// The inter-edge before, or [`FROM_START`].
    before: u32,
    /// The node between the two.
    through: u32,
    is_expanded: bool,
}

impl BorderSearch {
    /// Begins a search with the costs from the start to the inter-edges of its node, and from those of the goal's node to
    /// the goal.
    pub(super) fn begin(
        &mut self,
        borders: &Borders,
        (start, start_costs): (u32, &[u32]),
        (goal, goal_costs): (u32, &[u32]),
        bound: &LowerBound,
        open: &mut BucketRing,
        (spread, grain): (u64, u32),
    ) {
        for costs in [&mut self.costs, &mut self.estimates, &mut self.to_goal] {
            costs.clear();
            costs.resize(borders.len(), NO_WAY);
        }
        self.notes.resize(borders.len(), Note::default());
        (self.best, self.last) = (u64::MAX, FROM_START);
        for (&id, &to_goal) in borders.of(goal).iter().zip(goal_costs) {
            self.to_goal[id as usize] = to_goal;
        }
        let first = borders.of(start).iter().zip(start_costs).filter(|&(_, &cost)| cost != NO_WAY);
        let key = |(&id, &cost): (&u32, &u32)| u64::from(cost) + bound.from(borders.get(id).middle);
        open.reset(first.clone().map(key).min().unwrap_or(0), spread, grain);
        for (&id, &cost) in first {
            self.relax(borders, id, cost, (FROM_START, start), bound, open);
        }
    }

    /// Notes a way to an inter-edge that is cheaper than those known, unless it is too long to lead to a better route.
    fn relax(
        &mut self,
        borders: &Borders,
        id: u32,
        g: u32,
        (before, through): (u32, u32),
        bound: &LowerBound,
        open: &mut BucketRing,
    ) -> bool {
        let estimate = &mut self.estimates[id as usize];
        if *estimate == NO_WAY {
            *estimate = u32::try_from(bound.from(borders.ends[id as usize].middle)).unwrap_or(NO_WAY - 1);
        }
        let key = u64::from(g) + u64::from(*estimate);
        if key >= self.best {
            return false;
        }
        self.costs[id as usize] = g;
        self.notes[id as usize] = Note { before, through, is_expanded: false };
        let to_goal = self.to_goal[id as usize];
        if to_goal != NO_WAY && u64::from(g) + u64::from(to_goal) < self.best {
            (self.best, self.last) = (u64::from(g) + u64::from(to_goal), id);
        }
        open.push(key, id);
        true
    }

    /// Expands up to `left` inter-edges. Returns whether the search has ended.
    pub(super) fn run(
        &mut self,
        borders: &Borders,
        tables: &Tables,
        bound: &LowerBound,
        open: &mut BucketRing,
        left: &mut u64,
        probe: &mut impl Probe,
    ) -> bool {
        while *left > 0 {
            let Some(id) = open.pop() else { return true };
            let border = borders.ends[id as usize];
            probe.event(Event::Pop { node: NodeId(border.portal) });
            if open.floor() >= self.best {
                return true;
            }
            let note = &mut self.notes[id as usize];
            if note.is_expanded {
                continue; // this entry is outdated
            }
            note.is_expanded = true;
            let (g, through) = (self.costs[id as usize], note.through);
            *left -= 1;
            probe.event(Event::Expand { node: NodeId(border.portal), g });
            let seat = border.seats[usize::from(border.seats[0].node == through)];
            let costs = tables.nodes[seat.node as usize].costs(seat.place as usize);
            for (&to, &cost) in borders.of(seat.node).iter().zip(costs) {
                let sum = g.saturating_add(cost);
                if sum < self.costs[to as usize] && self.relax(borders, to, sum, (id, seat.node), bound, open) {
                    probe.event(Event::Push { node: NodeId(borders.get(to).portal), g: sum, key: u64::from(sum) });
                }
            }
        }
        false
    }

    /// Writes the inter-edges of the best route, from start to goal, each with the node before it. Returns its cost, or
    /// `None` if there is none.
    pub(super) fn read_back(&self, route: &mut Vec<(u32, u32)>) -> Option<u32> {
        route.clear();
        let mut id = self.last;
        while id != FROM_START {
            let Note { before, through, .. } = self.notes[id as usize];
            route.push((id, through));
            id = before;
        }
        route.reverse();
        u32::try_from(self.best).ok().filter(|_| !route.is_empty())
    }

    pub(in crate::chart) fn bytes(&self) -> usize {
        held(&self.costs) + held(&self.notes) + held(&self.estimates) + held(&self.to_goal)
    }
}
