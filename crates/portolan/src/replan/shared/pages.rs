//! Records by node for a part of the nodes, in pages ([`Pages`]): the memory depends on how many nodes were written, not
//! on how many the world has.
//!
//! Not here: what the records hold.

use crate::id::NodeId;
use crate::memory::held;

/// Nodes in a page, and pages in a table.
const PAGE: usize = 64;

/// The number that means no table or no page.
const NONE: u32 = u32::MAX;

/// A record for every node. Records that were never written have the default value and take no memory. A page holds the
/// records of 64 nodes in a row, and a table finds 64 pages; the list of tables takes one byte for 1,024 nodes.
#[derive(Clone)]
pub(in crate::replan) struct Pages<R> {
    table_by_block: Vec<u32>,
    tables: Vec<[u32; PAGE]>,
    /// The records of all pages, page after page.
    records: Vec<R>,
    /// What a record holds that was never written.
    unwritten: R,
}

impl<R: Copy + Default> Default for Pages<R> {
    fn default() -> Pages<R> {
        Pages { table_by_block: Vec::new(), tables: Vec::new(), records: Vec::new(), unwritten: R::default() }
    }
}

impl<R: Copy + Default> Pages<R> {
    /// Makes all records unwritten and provides for nodes below `count`. The memory is kept for reuse.
    pub(in crate::replan) fn reset(&mut self, count: usize) {
        self.table_by_block.clear();
        self.table_by_block.resize(count.div_ceil(PAGE * PAGE), NONE);
        self.tables.clear();
        self.records.clear();
    }

    /// Returns the number of records in all pages.
    pub(in crate::replan) fn len(&self) -> usize {
        self.records.len()
    }

    #[inline(always)]
    fn first(&self, node: NodeId) -> Option<usize> {
        let table = self.table_by_block[node.index() / (PAGE * PAGE)];
        if table == NONE {
            return None;
        }
        let page = self.tables[table as usize][node.index() / PAGE % PAGE];
        (page != NONE).then_some(page as usize * PAGE)
    }

    #[inline(always)]
    pub(in crate::replan) fn get(&self, node: NodeId) -> R {
        self.first(node).map_or(self.unwritten, |first| self.records[first + node.index() % PAGE])
    }

    /// Returns the record for writing.
    #[inline(always)]
    pub(in crate::replan) fn slot(&mut self, node: NodeId) -> &mut R {
        let first = self.first(node).unwrap_or_else(|| self.add_page(node));
        &mut self.records[first + node.index() % PAGE]
    }

    #[cold]
    fn add_page(&mut self, node: NodeId) -> usize {
        let table = &mut self.table_by_block[node.index() / (PAGE * PAGE)];
        if *table == NONE {
            *table = self.tables.len() as u32;
            self.tables.push([NONE; PAGE]);
        }
        let first = self.records.len();
        // A list that doubles would waste up to half of the memory that an agent takes.
        if first + PAGE > self.records.capacity() {
            self.records.reserve_exact(PAGE.max(first / 8));
        }
        self.tables[*table as usize][node.index() / PAGE % PAGE] = (first / PAGE) as u32;
        self.records.resize(first + PAGE, self.unwritten);
        first
    }

    pub(in crate::replan) fn bytes(&self) -> usize {
        held(&self.table_by_block) + held(&self.tables) + held(&self.records)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;

    #[test]
    fn records_are_kept_and_take_memory_only_where_written() {
        let count = 1_000_000;
        let mut random = Random::new(3);
        let mut pages = Pages::<u32>::default();
        pages.reset(count);
        assert!(pages.bytes() <= count / 1024 + 4);
        let mut written = std::collections::BTreeMap::new();
        for _ in 0..500 {
            let (node, value) = (random.below(count as u64) as u32, random.below(99) as u32);
            *pages.slot(NodeId(node)) = value;
            written.insert(node, value);
        }
        for node in 0..count as u32 {
            assert_eq!(pages.get(NodeId(node)), written.get(&node).copied().unwrap_or_default());
        }
        assert!(pages.len() <= 500 * PAGE);
        pages.reset(count);
        assert!(written.keys().all(|&node| pages.get(NodeId(node)) == 0) && pages.len() == 0);
    }
}
