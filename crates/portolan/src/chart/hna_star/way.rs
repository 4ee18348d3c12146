//! A way over inter-edges, from start to goal: connecting its ends, and unrolling it into the portals of a corridor.
//!
//! Not here: choosing the inter-edges, by a search (`border_search.rs`) or by rows of costs (the rhumb chart of a mesh).

use super::HnaStar;
use super::connect::Connection;
use super::tables::NodeSearch;
use crate::memory::held;
use crate::method::Task;
use crate::route::funnel::Corridor;
use crate::space::mesh::NavMesh;

/// Start and goal as they are connected, the inter-edges between them, and the corridor that follows from these.
#[derive(Default)]
pub(in crate::chart) struct Way {
    pub(in crate::chart) ends: [Connection; 2],
    /// The inter-edges from start to goal, each with the node before it.
    pub(in crate::chart) route: Vec<(u32, u32)>,
    pub(in crate::chart) corridor: Corridor,
    /// The searches that connect start and goal, if they are connected by searching.
    pub(super) searches: [NodeSearch; 2],
}

impl Way {
    pub(in crate::chart) fn bytes(&self) -> usize {
        self.ends.iter().map(Connection::bytes).sum::<usize>()
            + held(&self.route)
            + self.corridor.bytes()
            + self.searches.iter().map(NodeSearch::bytes).sum::<usize>()
    }
}

impl HnaStar {
    /// Computes the costs from start and goal to the inter-edges of their nodes.
    pub(in crate::chart) fn price_ends(&self, task: Task<NavMesh>, way: &mut Way) {
        let mesh = task.grid;
        let ends = way.ends.iter_mut().zip(&mut way.searches);
        for ((end, search), point) in ends.zip([task.from, task.to]) {
            let node = self.node_of(point);
            let polygons = &self.top().polygons_by_node[node as usize];
            end.price(mesh, &self.tables, (node, polygons), point, self.pricing, search);
        }
    }

    /// Unrolls the ways between the inter-edges of the route into the portals of a corridor.
    pub(in crate::chart) fn unroll(&self, task: Task<NavMesh>, way: &mut Way) {
        let Way { ends: [start, goal], searches: [from_start, from_goal], route, corridor } = way;
        let portals = &mut corridor.portals;
        portals.clear();
        let seat = |id: u32, node: u32| {
            let [one, other] = self.borders.get(id).seats;
            (if one.node == node { one } else { other }).place as usize
        };
        let (first, through) = route[0];
        start.unroll(&self.tables, seat(first, through), from_start, portals);
        for pair in route.windows(2) {
            let ((from, _), (to, through)) = (pair[0], pair[1]);
            let node = &self.tables.nodes[through as usize];
            let (mut at, to) = (seat(from, through), seat(to, through));
            while at != to {
                at = node.next(at, to);
                portals.push(node.portals[at]);
            }
        }
        let (last, _) = *route.last().expect("a route has inter-edges");
        let before = portals.len();
        goal.unroll(&self.tables, seat(last, goal.node), from_goal, portals);
        // Unrolled from the goal, these portals come in the other order and end with the inter-edge, which is known.
        portals.pop();
        portals[before..].reverse();
        corridor.drop_touched(task.grid, task.from, task.to);
    }
}
