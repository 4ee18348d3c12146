//! Splitting a graph into connected parts of about equal size with few edges between them.
//!
//! A set of nodes is cut in two by inertial flow: the nodes are sorted in some direction, those at one end are joined to a
//! source and those at the other end to a sink, and the least cut between the two is found. Of several directions, the one
//! with the fewest edges cut is taken. The two sides are cut again until all parts are small enough. One of the directions
//! follows the ways through the graph, for graphs that wind.
//!
//! Everything is done in integers and in a fixed order, so that the parts are the same on every machine.
//!
//! Schild, Sommer: On balanced separators in road networks, 2015.
//!
//! Not here: what the parts are for.

mod flow;

use flow::{Flow, Sides};

/// A graph whose nodes have places in the plan. Edges are undirected; two nodes may have several.
pub(crate) struct Graph<'a> {
    /// Where the edges of each node begin in `heads`, and one entry more.
    pub(crate) first_out: &'a [u32],
    /// The node at the other end of each edge.
    pub(crate) heads: &'a [u32],
    /// Where each node lies.
    pub(crate) places: &'a [(i32, i32)],
}

impl Graph<'_> {
    /// Returns the nodes that have an edge to this one.
    pub(crate) fn neighbours(&self, node: u32) -> &[u32] {
        &self.heads[self.first_out[node as usize] as usize..self.first_out[node as usize + 1] as usize]
    }
}

/// Splits sets of nodes of a graph.
pub(crate) struct Splitter<'a> {
    graph: &'a Graph<'a>,
    flow: Flow,
    /// The number of each node of the graph in the set that is being cut, or [`OUTSIDE`].
    local_by_node: Vec<u32>,
}

/// The local number of a node outside the set.
const OUTSIDE: u32 = u32::MAX;

impl<'a> Splitter<'a> {
    pub(crate) fn new(graph: &'a Graph<'a>) -> Splitter<'a> {
        let local_by_node = vec![OUTSIDE; graph.places.len()];
        Splitter { graph, flow: Flow::default(), local_by_node }
    }

    /// Splits a set of nodes into connected parts of about `size` nodes each. Parts of nodes that are not connected to
    /// each other are split by themselves. The parts and the nodes in them have a fixed order.
    pub(crate) fn split(&mut self, nodes: &[u32], size: usize) -> Vec<Vec<u32>> {
        let mut parts = Vec::new();
        for component in self.components(nodes) {
            let count = ((component.len() + size / 2) / size.max(1)).max(1);
            self.split_into(component, count, &mut parts);
        }
        parts
    }

    fn split_into(&mut self, nodes: Vec<u32>, count: usize, parts: &mut Vec<Vec<u32>>) {
        if count < 2 || nodes.len() < 2 {
            parts.push(nodes);
            return;
        }
        let whole = nodes.len();
        let [one, other] = self.bisect(&nodes, count / 2, count - count / 2);
        let of_one = ((count * one.len() + whole / 2) / whole).clamp(1, count - 1);
        self.split_into(one, of_one, parts);
        self.split_into(other, count - of_one, parts);
    }

    /// Cuts a connected set of at least two nodes into two connected sets whose sizes are about as `share` to `rest`.
    pub(crate) fn bisect(&mut self, nodes: &[u32], share: usize, rest: usize) -> [Vec<u32>; 2] {
        self.enter(nodes);
        let mut best: Option<(u32, Sides)> = None;
        for order in self.orders(nodes) {
            let limit = best.as_ref().map_or(u32::MAX, |(cut, _)| *cut);
            if let Some((cut, sides)) = self.flow.cut(&order, share, rest, limit)
                && best
                    .as_ref()
                    .is_none_or(|(least, known)| (cut, sides.off(share, rest)) < (*least, known.off(share, rest)))
            {
                best = Some((cut, sides));
            }
        }
        let (_, sides) = best.expect("at least one order gives a cut");
        let is_first = self.flow.connect_sides(sides);
        self.leave(nodes);
        let (mut one, mut other) = (Vec::new(), Vec::new());
        for (&node, is_first) in nodes.iter().zip(is_first) {
            if is_first { one.push(node) } else { other.push(node) }
        }
        [one, other]
    }

    /// Numbers the nodes of a set and hands the edges between them to the flow.
    fn enter(&mut self, nodes: &[u32]) {
        for (local, &node) in (0..).zip(nodes) {
            self.local_by_node[node as usize] = local;
        }
        let (graph, local) = (self.graph, &self.local_by_node);
        let edges = nodes
            .iter()
            .map(|&node| graph.neighbours(node).iter().map(|&to| local[to as usize]).filter(|&to| to != OUTSIDE));
        self.flow.set_edges(edges);
    }

    fn leave(&mut self, nodes: &[u32]) {
        for &node in nodes {
            self.local_by_node[node as usize] = OUTSIDE;
        }
    }

    /// Returns the orders in which a set is cut: by place in eight directions if the set is large, else in four, and by
    /// distance from two ends of the graph.
    fn orders(&self, nodes: &[u32]) -> Vec<Vec<u32>> {
        const DIRECTIONS: [(i64, i64); 8] = [(1, 0), (0, 1), (1, 1), (1, -1), (2, 1), (1, 2), (2, -1), (1, -2)];
        const LARGE: usize = 64;
        let directions = if nodes.len() < LARGE { &DIRECTIONS[..4] } else { &DIRECTIONS[..] };
        let by = |keys: Vec<i64>| {
            let mut order: Vec<u32> = (0..nodes.len() as u32).collect();
            order.sort_by_key(|&local| (keys[local as usize], local));
            order
        };
        let place = |node: &u32| self.graph.places[*node as usize];
        let along = |&(dx, dy): &(i64, i64)| {
            let key = |node: &u32| i64::from(place(node).0) * dx + i64::from(place(node).1) * dy;
            by(nodes.iter().map(key).collect())
        };
        let mut orders: Vec<Vec<u32>> = directions.iter().map(along).collect();
        orders.push(by(self.flow.end_to_end()));
        orders
    }

    /// Returns the connected parts of a set, each in the order of the set.
    fn components(&mut self, nodes: &[u32]) -> Vec<Vec<u32>> {
        for &node in nodes {
            self.local_by_node[node as usize] = 0;
        }
        let mut components = Vec::new();
        for &first in nodes {
            if self.local_by_node[first as usize] == OUTSIDE {
                continue;
            }
            let mut component = vec![first];
            self.local_by_node[first as usize] = OUTSIDE;
            let mut next = 0;
            while next < component.len() {
                for &to in self.graph.neighbours(component[next]) {
                    if self.local_by_node[to as usize] != OUTSIDE {
                        self.local_by_node[to as usize] = OUTSIDE;
                        component.push(to);
                    }
                }
                next += 1;
            }
            component.sort_unstable();
            components.push(component);
        }
        components
    }
}
