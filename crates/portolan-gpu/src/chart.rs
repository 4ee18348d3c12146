//! A chart as one list of words of four bytes, as the programs on the processor read it.
//!
//! Not here: the programs.

use portolan::flat::FlatMesh;

/// A list of words, and where its arrays begin. The order of the arrays is that of the constants in `mesh/route.wgsl`.
#[derive(Default)]
pub(crate) struct Words {
    pub(crate) words: Vec<u32>,
    pub(crate) first: Vec<u32>,
}

impl Words {
    pub(crate) fn of_mesh(flat: &FlatMesh) -> Words {
        let mut words = Words::default();
        words.list(flat.first_exit.iter().copied());
        words.list(flat.exits.iter().copied());
        words.list(flat.weights.iter().map(|&weight| u32::from(weight)));
        words.list(flat.node_by_polygon.iter().copied());
        words.list(flat.region_by_polygon.iter().copied());
        words.list(flat.middles.iter().flatten().map(|&at| at.cast_unsigned()));
        words.list(flat.portal_polygons.iter().flatten().copied());
        words.list(flat.spans.iter().flatten().flatten().map(|&at| at.cast_unsigned()));
        words.halves(flat.slots.iter().flatten().copied());
        words.list(flat.first_label.iter().copied());
        words.list(flat.label_lengths.iter().copied());
        words.list(flat.nodes.iter().flat_map(|node| {
            [node.first_portal, node.portals, node.borders, node.first_cost, node.first_next, node.first_border]
        }));
        words.list(flat.node_portals.iter().copied());
        words.list(flat.costs.iter().copied());
        words.halves(flat.next.iter().copied());
        words.list(flat.border_ids.iter().copied());
        words.list(flat.border_seats.iter().flatten().flatten().copied());
        words.list(flat.row_costs.iter().copied());
        words.halves(flat.hops.iter().copied());
        words.list(flat.region_parents.iter().copied());
        words.list(flat.region_ends.iter().copied());
        words.list(flat.label_costs.iter().copied());
        words.halves(flat.label_next.iter().copied());
        words
    }

    fn list(&mut self, numbers: impl Iterator<Item = u32>) {
        self.first.push(self.words.len() as u32);
        self.words.extend(numbers);
    }

    /// Appends numbers of two bytes, two in a word.
    fn halves(&mut self, numbers: impl Iterator<Item = u16>) {
        self.first.push(self.words.len() as u32);
        let mut numbers = numbers.map(u32::from);
        while let Some(low) = numbers.next() {
            self.words.push(low | numbers.next().unwrap_or(0) << 16);
        }
    }

    /// Returns the ranges of words in which this list differs from another one of equal length, in blocks.
    pub(crate) fn changes(&self, other: &Words) -> Vec<std::ops::Range<usize>> {
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
