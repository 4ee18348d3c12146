//! A chart as one list of words of four bytes, as the programs on the processor read it.
//!
//! Not here: the programs.

use portolan::flat::{FlatMesh, FlatNodes, FlatRows};

/// The cost from which on the programs see no way. A route that is dearer is left to the planner.
pub(crate) const NO_WAY: u32 = (1 << 30) - 1;

/// A list of words, and where its arrays begin.
#[derive(Default)]
pub(crate) struct ChartWords {
    pub(crate) words: Vec<u32>,
    /// The word at which each array begins.
    pub(crate) first: Vec<u32>,
    /// How many times four words a row of costs between inter-edges has.
    pub(crate) width: u32,
    /// How many nodes there are, and how many inter-edges.
    pub(crate) nodes: u32,
    pub(crate) borders: u32,
    /// The least weight of a polygon.
    pub(crate) least_weight: u32,
}

/// The place of the array of nodes, of eight words each, among the arrays of a mesh.
pub(crate) const NODES: usize = 11;

impl ChartWords {
    /// Writes the arrays of a mesh, and those of a chart of it; what the chart does not have is empty.
    pub(crate) fn of_mesh(mesh: &FlatMesh, nodes: &FlatNodes, rows: &FlatRows) -> ChartWords {
        let padded = Padded::of(nodes, rows);
        let mut words = ChartWords {
            width: padded.width / 4,
            nodes: nodes.nodes.len() as u32,
            borders: nodes.border_seats.len() as u32,
            least_weight: u32::from(mesh.least_weight),
            ..ChartWords::default()
        };
        words.list(mesh.first_exit.iter().copied());
        words.list(mesh.exits.iter().copied());
        words.list(mesh.weights.iter().map(|&weight| u32::from(weight)));
        words.list(nodes.node_by_polygon.iter().copied());
        words.list(rows.region_by_polygon.iter().copied());
        words.list(mesh.middles.iter().flatten().map(|&at| at.cast_unsigned()));
        words.list(mesh.portal_polygons.iter().flatten().copied());
        words.list(mesh.spans.iter().flatten().flatten().map(|&at| at.cast_unsigned()));
        words.halves(nodes.slots.iter().flatten().copied());
        words.list(rows.first_label.iter().copied());
        words.list(rows.label_lengths.iter().copied());
        words.list(padded.nodes.iter().flatten().copied());
        words.list(nodes.node_portals.iter().copied());
        words.list(padded.costs.iter().copied());
        words.halves(nodes.next.iter().copied());
        words.list(padded.border_ids.iter().copied());
        words.list(nodes.border_seats.iter().flatten().flatten().copied());
        words.list(padded.row_costs.iter().copied());
        words.halves(padded.hops.iter().copied());
        words.list(rows.region_parents.iter().copied());
        words.list(rows.region_ends.iter().copied());
        words.list(rows.label_costs.iter().map(|&cost| cost.min(NO_WAY)));
        words.halves(rows.label_next.iter().copied());
        words.list(nodes.border_portals.iter().copied());
        let passage = |&portal: &u32| {
            let [one, other] = mesh.portal_polygons[portal as usize];
            [portal, one, other, 0]
        };
        words.list(nodes.node_portals.iter().flat_map(passage));
        words
    }

    /// Returns for each node how many times four words a row of costs to its inter-edges has.
    pub(crate) fn fours_by_node(&self) -> impl Iterator<Item = u32> {
        let first = self.first[NODES] as usize;
        (0..self.nodes as usize).map(move |node| self.words[first + 8 * node + 2])
    }

    /// Appends numbers. Every list begins at a multiple of four words, so that programs may read four at a time.
    pub(crate) fn list(&mut self, numbers: impl IntoIterator<Item = u32>) {
        self.begin();
        self.words.extend(numbers);
    }

    fn begin(&mut self) {
        self.words.resize(self.words.len().next_multiple_of(4), 0);
        self.first.push(self.words.len() as u32);
    }

    /// Appends numbers of two bytes, two in a word.
    pub(crate) fn halves(&mut self, numbers: impl Iterator<Item = u16>) {
        self.begin();
        let mut numbers = numbers.map(u32::from);
        while let Some(low) = numbers.next() {
            self.words.push(low | numbers.next().unwrap_or(0) << 16);
        }
    }

    /// Returns the ranges of words in which this list differs from another one of equal length, in blocks.
    pub(crate) fn changes(&self, other: &ChartWords) -> Vec<std::ops::Range<usize>> {
        const BLOCK: usize = 256;
        let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
        for (block, (new, old)) in self.words.chunks(BLOCK).zip(other.words.chunks(BLOCK)).enumerate() {
            if new == old {
                continue;
            }
            let (begin, end) = (block * BLOCK, block * BLOCK + new.len());
            match ranges.last_mut() {
                Some(last) if last.end == begin => last.end = end,
                _ => ranges.push(begin..end),
            }
        }
        ranges
    }
}

/// The rows of a chart, padded so that the inter-edges of each node take whole fours of words.
#[derive(Default)]
struct Padded {
    nodes: Vec<[u32; 8]>,
    costs: Vec<u32>,
    border_ids: Vec<u32>,
    row_costs: Vec<u32>,
    hops: Vec<u16>,
    width: u32,
}

impl Padded {
    fn of(flat: &FlatNodes, rows: &FlatRows) -> Padded {
        let mut padded = Padded::default();
        for node in &flat.nodes {
            let (portals, borders) = (node.portals as usize, node.borders as usize);
            let fours = node.borders.div_ceil(4);
            let first_cost = padded.costs.len() as u32 / 4;
            let first_border = padded.border_ids.len() as u32;
            padded.nodes.push([
                node.first_portal,
                node.portals,
                fours,
                first_cost,
                node.first_next,
                first_border,
                node.borders,
                0,
            ]);
            let costs = &flat.costs[node.first_cost as usize..][..portals * borders];
            for row in 0..portals {
                padded.costs.extend(costs[row * borders..][..borders].iter().map(|&cost| cost.min(NO_WAY)));
                padded.costs.resize(padded.costs.len().next_multiple_of(4), NO_WAY);
            }
            padded.border_ids.extend(&flat.border_ids[node.first_border as usize..][..borders]);
            padded.border_ids.resize(padded.border_ids.len().next_multiple_of(4), 0);
        }
        padded.width = padded.border_ids.len() as u32;
        let width = flat.border_ids.len();
        for (costs, hops) in rows.row_costs.chunks_exact(width.max(1)).zip(rows.hops.chunks_exact(width.max(1))) {
            for node in &flat.nodes {
                let range = node.first_border as usize..(node.first_border + node.borders) as usize;
                padded.row_costs.extend(costs[range.clone()].iter().map(|&cost| cost.min(NO_WAY)));
                padded.row_costs.resize(padded.row_costs.len().next_multiple_of(4), NO_WAY);
                padded.hops.extend(&hops[range]);
                padded.hops.resize(padded.hops.len().next_multiple_of(4), 0);
            }
        }
        padded
    }
}
