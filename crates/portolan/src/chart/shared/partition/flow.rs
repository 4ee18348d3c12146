//! The least cut of a connected graph between the nodes at one end of an order and those at the other end.
//!
//! Every edge can carry one unit of flow in one direction. Ways from source to sink are looked for breadth first until
//! there is none; as many edges then have to be cut as ways were found.
//!
//! Not here: the orders.

/// The share of each side's nodes, in hundredths, that are joined to the source or the sink.
const AT_END: usize = 60;

const NONE: u32 = u32::MAX;

/// A graph and the flow on its edges.
#[derive(Default)]
pub(super) struct Flow {
    first_out: Vec<u32>,
    heads: Vec<u32>,
    /// The place in `heads` of each edge in the other direction.
    reverse: Vec<u32>,
    /// Whether an edge carries a unit of flow in its direction.
    is_used: Vec<bool>,
    /// Breadth-first search: the edge by which each node was reached, and the nodes in order.
    reached_by: Vec<u32>,
    queue: Vec<u32>,
}

/// Two sides of a cut: whether each node is on the first side, and how many are.
pub(super) struct Sides {
    is_first: Vec<bool>,
    first: usize,
}

impl Sides {
    /// Returns how far the sizes are from `share` to `rest`, as a difference of products.
    pub(super) fn off(&self, share: usize, rest: usize) -> usize {
        (self.first * rest).abs_diff((self.is_first.len() - self.first) * share)
    }
}

impl Flow {
    /// Takes the edges of a graph: for each node, the nodes at the other ends.
    pub(super) fn set_edges(&mut self, nodes: impl Iterator<Item = impl Iterator<Item = u32>>) {
        self.first_out.clear();
        self.heads.clear();
        self.first_out.push(0);
        for heads in nodes {
            self.heads.extend(heads);
            self.first_out.push(self.heads.len() as u32);
        }
        // The k-th edge from a to b is the other direction of the k-th edge from b to a.
        let mut both: Vec<(u32, u32, bool, u32)> = Vec::with_capacity(self.heads.len());
        for node in 0..self.nodes() as u32 {
            for edge in self.edges(node) {
                let to = self.heads[edge as usize];
                both.push((node.min(to), node.max(to), node < to, edge));
            }
        }
        both.sort_unstable();
        self.reverse.clear();
        self.reverse.resize(self.heads.len(), NONE);
        for group in both.chunk_by(|a, b| (a.0, a.1) == (b.0, b.1)) {
            let (back, forth) = group.split_at(group.len() / 2);
            for (a, b) in back.iter().zip(forth) {
                self.reverse[a.3 as usize] = b.3;
                self.reverse[b.3 as usize] = a.3;
            }
        }
    }

    fn nodes(&self) -> usize {
        self.first_out.len() - 1
    }

    fn edges(&self, node: u32) -> std::ops::Range<u32> {
        self.first_out[node as usize]..self.first_out[node as usize + 1]
    }

    /// Returns the number of edges in the least cut between the first and the last nodes of an order, and its sides: those
    /// of the two outermost least cuts whose sizes are nearer to `share` to `rest`. Returns `None` if more than `limit`
    /// edges have to be cut.
    pub(super) fn cut(&mut self, order: &[u32], share: usize, rest: usize, limit: u32) -> Option<(u32, Sides)> {
        let count = self.nodes();
        let at_end = |part: usize| (count * part * AT_END / (100 * (share + rest))).clamp(1, count - 1);
        let first = at_end(share);
        let last = at_end(rest).min(count - first);
        let (sources, sinks) = (&order[..first], &order[count - last..]);
        self.is_used.clear();
        self.is_used.resize(self.heads.len(), false);
        let mut is_sink = vec![false; count];
        for &sink in sinks {
            is_sink[sink as usize] = true;
        }
        let mut cut = 0;
        while let Some(sink) = self.way(sources, &is_sink) {
            cut += 1;
            if cut > limit {
                return None;
            }
            self.send(sink);
        }
        let near_source =
            Sides { first: self.queue.len(), is_first: self.reached_by.iter().map(|&edge| edge != NONE).collect() };
        let near_sink = self.side_of_sink(sinks);
        Some((cut, if near_sink.off(share, rest) < near_source.off(share, rest) { near_sink } else { near_source }))
    }

    /// Looks for a way from a source to a sink over edges that can carry more, and returns the sink. Afterwards
    /// `reached_by` tells which nodes were reached.
    fn way(&mut self, sources: &[u32], is_sink: &[bool]) -> Option<u32> {
        const SOURCE: u32 = NONE - 1;
        self.reached_by.clear();
        self.reached_by.resize(self.nodes(), NONE);
        self.queue.clear();
        for &source in sources {
            self.reached_by[source as usize] = SOURCE;
            self.queue.push(source);
        }
        let mut next = 0;
        while next < self.queue.len() {
            let node = self.queue[next];
            next += 1;
            for edge in self.edges(node) {
                let to = self.heads[edge as usize];
                if self.reached_by[to as usize] == NONE && !self.is_used[edge as usize] {
                    self.reached_by[to as usize] = edge;
                    if is_sink[to as usize] {
                        return Some(to);
                    }
                    self.queue.push(to);
                }
            }
        }
        None
    }

    /// Sends a unit of flow along the way that was found.
    fn send(&mut self, sink: u32) {
        let mut node = sink;
        while let Some(&reverse) = self.reverse.get(self.reached_by[node as usize] as usize) {
            let edge = self.reached_by[node as usize];
            // Flow that comes the other way is taken back instead.
            if self.is_used[reverse as usize] {
                self.is_used[reverse as usize] = false;
            } else {
                self.is_used[edge as usize] = true;
            }
            node = self.heads[reverse as usize];
        }
    }

    /// Returns the sides of the least cut nearest to the sink.
    fn side_of_sink(&mut self, sinks: &[u32]) -> Sides {
        let mut is_first = vec![true; self.nodes()];
        self.queue.clear();
        for &sink in sinks {
            is_first[sink as usize] = false;
            self.queue.push(sink);
        }
        let mut next = 0;
        while next < self.queue.len() {
            let node = self.queue[next];
            next += 1;
            for edge in self.edges(node) {
                let (to, reverse) = (self.heads[edge as usize], self.reverse[edge as usize]);
                if is_first[to as usize] && !self.is_used[reverse as usize] {
                    is_first[to as usize] = false;
                    self.queue.push(to);
                }
            }
        }
        Sides { first: self.nodes() - self.queue.len(), is_first }
    }

    /// Returns whether each node is on the first side after all but the largest connected part of each side have gone
    /// over to the other side.
    pub(super) fn connect_sides(&mut self, sides: Sides) -> Vec<bool> {
        let mut is_first = sides.is_first;
        for side in [true, false, true] {
            let mut part_by_node = vec![NONE; self.nodes()];
            let mut sizes: Vec<usize> = Vec::new();
            for first in 0..self.nodes() as u32 {
                if is_first[first as usize] == side && part_by_node[first as usize] == NONE {
                    let part = sizes.len() as u32;
                    sizes.push(self.flood(first, |to| is_first[to as usize] == side, &mut part_by_node, part));
                }
            }
            let Some(largest) = (0..sizes.len()).max_by_key(|&part| (sizes[part], usize::MAX - part)) else { continue };
            for node in 0..self.nodes() {
                let part = part_by_node[node];
                if part != NONE && part as usize != largest {
                    is_first[node] = !side;
                }
            }
        }
        is_first
    }

    /// Numbers all nodes that are connected to `first` over nodes that are `inside`, and returns how many there are.
    fn flood(&mut self, first: u32, inside: impl Fn(u32) -> bool, part_by_node: &mut [u32], part: u32) -> usize {
        self.queue.clear();
        self.queue.push(first);
        part_by_node[first as usize] = part;
        let mut next = 0;
        while next < self.queue.len() {
            let node = self.queue[next];
            next += 1;
            for edge in self.edges(node) {
                let to = self.heads[edge as usize];
                if part_by_node[to as usize] == NONE && inside(to) {
                    part_by_node[to as usize] = part;
                    self.queue.push(to);
                }
            }
        }
        self.queue.len()
    }

    /// Returns for each node how much further it is from one end of the graph than from the other, in edges. The ends are
    /// two nodes that are far from each other.
    pub(super) fn end_to_end(&self) -> Vec<i64> {
        let middle = self.distances(0);
        let farthest = |distances: &[i64]| {
            let nodes = 0..distances.len();
            nodes.max_by_key(|&node| (distances[node], usize::MAX - node)).expect("there are nodes") as u32
        };
        let one = self.distances(farthest(&middle));
        let other = self.distances(farthest(&one));
        one.iter().zip(other).map(|(one, other)| one - other).collect()
    }

    /// Returns the number of edges from a node to every node.
    fn distances(&self, from: u32) -> Vec<i64> {
        let mut distances = vec![-1; self.nodes()];
        let mut queue = vec![from];
        distances[from as usize] = 0;
        let mut next = 0;
        while next < queue.len() {
            let node = queue[next];
            next += 1;
            for edge in self.edges(node) {
                let to = self.heads[edge as usize];
                if distances[to as usize] < 0 {
                    distances[to as usize] = distances[node as usize] + 1;
                    queue.push(to);
                }
            }
        }
        distances
    }
}
