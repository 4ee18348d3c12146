//! Routes of HNA* in legs: a leg is the stretch of a route through one node, from one inter-edge to the next. Planning finds
//! the inter-edges; the portals of a node are unrolled and pulled taut when it is the turn of its leg.
//!
//! Legs end at the middles of inter-edges when they are planned. A leg is refined together with the one after it: the funnel
//! leads through both nodes, and the leg ends where the taut line passes the inter-edge between them, from where the next
//! leg then begins. So a route turns at an inter-edge only where the funnel does that looks one node ahead.
//!
//! Not here: finding the inter-edges (`border_search.rs`, `mesh_rhumb/rows.rs`).

use super::{HnaStar, HnaState, Stage, WITHIN, Way};
use crate::method::{End, Leg, Legs, Method, Task};
use crate::scratch::Scratch;
use crate::space::mesh::{MeshArea, MeshPoint, NavMesh};
use crate::space::{Motion, Space};

/// The level of a leg that ends on an inter-edge, whose portal is the region of the leg.
const TO_BORDER: u8 = 0;

/// The level of the leg that ends at the goal. Its region is the portal by which the route enters the goal's node.
const TO_GOAL: u8 = 1;

type MeshLeg = Leg<MeshPoint>;

impl HnaStar {
    /// Appends the legs between the inter-edges of the route, the last one first, and returns what they cost.
    pub(in crate::chart) fn list_legs(&self, task: Task<NavMesh>, own: &Way, legs: &mut Vec<MeshLeg>) -> Option<u32> {
        let shape = &*task.grid.shape;
        let seat = |id: u32, node: u32| {
            let seats = self.borders.get(id).seats;
            seats[usize::from(seats[0].node != node)].place as usize
        };
        let [start, goal] = &own.ends;
        let (first, _) = *own.route.first()?;
        let (mut at, mut before) = (task.from, first);
        let mut cost = u64::from(start.costs[seat(first, start.node)]);
        for &(id, node) in &own.route {
            let portal = self.borders.get(id).portal;
            let [a, b] = shape.portals[portal as usize].polygons;
            let polygon = if self.top().node_by_polygon[a as usize] == node { b } else { a };
            let to = MeshPoint::new(polygon, shape.middles[portal as usize]);
            legs.push(Leg { from: at, to, level: TO_BORDER, region: portal });
            if id != first {
                cost += u64::from(self.tables.nodes[node as usize].costs(seat(before, node))[seat(id, node)]);
            }
            (at, before) = (to, id);
        }
        cost += u64::from(goal.costs[seat(before, goal.node)]);
        legs.push(Leg { from: at, to: task.to, level: TO_GOAL, region: self.borders.get(before).portal });
        legs.reverse();
        u32::try_from(cost).ok()
    }

    /// Appends the portals of a leg. The portal by which the leg leaves its node is the last of them.
    fn unroll_leg(&self, mesh: &NavMesh, leg: MeshLeg, own: &mut Way) {
        let Way { ends: [from, to], corridor, searches: [search, _], .. } = own;
        let node = self.node_of(leg.from);
        let polygons = &self.top().polygons_by_node[node as usize][..];
        let [a, b] = mesh.shape.portals[leg.region as usize].polygons;
        let inside = if self.top().node_by_polygon[a as usize] == node { a } else { b };
        let border = self.tables.slot(&mesh.shape, leg.region, inside);
        let begin = corridor.portals.len();
        if leg.level == TO_BORDER {
            from.price(mesh, &self.tables, (node, polygons), leg.from, self.pricing, search);
            from.unroll(&self.tables, border, search, &mut corridor.portals);
        } else {
            to.price(mesh, &self.tables, (node, polygons), leg.to, self.pricing, search);
            to.unroll(&self.tables, border, search, &mut corridor.portals);
            // As in `HnaStar::unroll`: the way comes from the goal and ends with the inter-edge, which is known.
            corridor.portals.pop();
            corridor.portals[begin..].reverse();
        }
        corridor.drop_touched_after(mesh, begin, leg.from, leg.to);
    }
}

impl Legs<NavMesh> for HnaStar {
    fn survey(
        &self,
        task: Task<NavMesh>,
        scratch: &mut Scratch<NavMesh>,
        left: &mut u64,
        legs: &mut Vec<MeshLeg>,
    ) -> Option<End> {
        if self.is_within_a_node(task) {
            let end = WITHIN.step(task, scratch, left, None)?;
            return Some(if end == End::NotFound { end } else { in_steps(task.grid, &mut scratch.trail) });
        }
        let Scratch { states, ring, trail, is_new, .. } = scratch;
        let own: &mut HnaState = states.own();
        if std::mem::take(is_new) {
            own.stage = Stage::Connect;
        }
        trail.clear();
        if !self.find_borders(task, own, ring, left, None)? {
            return Some(End::NotFound);
        }
        Some(self.list_legs(task, &own.way, legs).map_or(End::NotFound, End::Found))
    }

    fn refine(
        &self,
        mesh: &NavMesh,
        legs: &mut Vec<MeshLeg>,
        scratch: &mut Scratch<NavMesh>,
        cells: &mut Vec<MeshPoint>,
    ) {
        let Some(leg) = legs.pop() else { return };
        let own = &mut scratch.states.own::<HnaState>().way;
        own.corridor.portals.clear();
        self.unroll_leg(mesh, leg, own);
        let passed = own.corridor.portals.len();
        let next = legs.last().copied().filter(|next| leg.level == TO_BORDER && next.from == leg.to);
        let Some(next) = next else {
            own.corridor.walk(mesh, (leg.from, leg.to), passed, cells);
            return;
        };
        self.unroll_leg(mesh, next, own);
        own.corridor.walk(mesh, (leg.from, next.to), passed - 1, cells);
        if let (Some(next), Some(&end)) = (legs.last_mut(), cells.last()) {
            next.from = end;
        }
    }

    /// Returns the bounds of the node. Where the leg passes into the next node, it stands on the rim of these bounds.
    fn bounds(&self, leg: MeshLeg) -> MeshArea {
        self.area_by_node[self.node_of(leg.from) as usize]
    }
}

/// Turns straight lines, the goal first, into the steps below them. Returns what these cost.
pub(in crate::chart) fn in_steps(mesh: &NavMesh, trail: &mut Vec<MeshPoint>) -> End {
    trail.reverse();
    let mut steps = vec![trail[0]];
    trail.windows(2).for_each(|line| mesh.steps_below(line[0], line[1], &mut steps));
    let price = |step: &[MeshPoint]| mesh.segment(step[0], step[1], Motion::Steps).map(|cost| u64::from(cost.0));
    let cost: Option<u64> = steps.windows(2).map(price).sum();
    trail.clear();
    trail.extend(steps.into_iter().rev());
    cost.and_then(|cost| u32::try_from(cost).ok()).map_or(End::NotFound, End::Found)
}
