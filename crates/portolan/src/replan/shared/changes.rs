//! The nodes whose edges edits may have changed ([`Changes`]), noted until the search looks at them.
//!
//! Not here: what the search does with them.

use crate::id::NodeId;
use crate::memory::held;
use std::ops::Range;

/// Nodes whose edges may have changed, in rows.
#[derive(Clone, Default)]
pub(in crate::replan) struct Changes {
    rows: Vec<Range<u32>>,
    /// How many nodes the rows have in all. A node in several rows counts several times until they are joined.
    count: usize,
}

impl Changes {
    /// The number of changed nodes that are always worth a look, whatever the search has seen.
    const FEW: usize = 4096;

    /// Notes rows of nodes whose edges edits may have changed. Returns false if looking at all changed nodes takes longer
    /// than searching from nothing: if they are more than the `seen` nodes that the search has records of.
    pub(in crate::replan) fn note(&mut self, rows: impl Iterator<Item = Range<u32>>, seen: usize) -> bool {
        let before = self.rows.len();
        self.rows.extend(rows);
        self.count += self.rows[before..].iter().map(ExactSizeIterator::len).sum::<usize>();
        self.count <= seen.max(Changes::FEW)
    }

    pub(in crate::replan) fn clear(&mut self) {
        self.rows.clear();
        self.count = 0;
    }

    /// Returns every changed node once.
    pub(in crate::replan) fn nodes(&mut self) -> impl Iterator<Item = NodeId> + '_ {
        self.rows.sort_unstable_by_key(|row| row.start);
        self.rows.dedup_by(|next, last| {
            let overlaps = next.start <= last.end;
            if overlaps {
                last.end = last.end.max(next.end);
            }
            overlaps
        });
        self.rows.iter().cloned().flatten().map(NodeId)
    }

    pub(in crate::replan) fn bytes(&self) -> usize {
        held(&self.rows)
    }
}
