//! What a mind has seen and where it has walked since it set out: [`Marks`].
//!
//! Not here: what it remembers for longer.

use super::hexagons::NODES_PER_TILE;

/// Two marks for every node. They are kept in pages as memory is, and cleared in time in proportion to the pages in use.
#[derive(Clone, Default, Debug)]
pub(super) struct Marks {
    /// The page of each tile plus one, or 0.
    page_by_tile: Vec<u16>,
    tile_by_page: Vec<u16>,
    /// A bit for each node that was seen, then one for each that was walked on.
    pages: Vec<[u64; 8]>,
}

impl Marks {
    /// Removes all marks and makes room for so many tiles.
    pub(super) fn clear(&mut self, tiles: usize) {
        for tile in self.tile_by_page.drain(..) {
            self.page_by_tile[usize::from(tile)] = 0;
        }
        self.pages.clear();
        self.page_by_tile.resize(tiles, 0);
    }

    #[inline]
    pub(super) fn is_seen(&self, node: u32) -> bool {
        self.has(node, 0)
    }

    #[inline]
    pub(super) fn is_walked(&self, node: u32) -> bool {
        self.has(node, 4)
    }

    /// Marks a node as seen. Returns whether it was not.
    #[inline]
    pub(super) fn see(&mut self, node: u32) -> bool {
        self.set(node, 0)
    }

    /// Marks a node as walked on. Returns whether it was not.
    pub(super) fn walk(&mut self, node: u32) -> bool {
        self.set(node, 4)
    }

    #[inline]
    fn has(&self, node: u32, plane: usize) -> bool {
        let (tile, bit) = (node as usize / NODES_PER_TILE, node as usize % NODES_PER_TILE);
        match self.page_by_tile.get(tile) {
            Some(&page) if page > 0 => self.pages[usize::from(page) - 1][plane + bit / 64] >> (bit % 64) & 1 == 1,
            _ => false,
        }
    }

    #[inline]
    fn set(&mut self, node: u32, plane: usize) -> bool {
        let (tile, bit) = (node as usize / NODES_PER_TILE, node as usize % NODES_PER_TILE);
        if tile >= self.page_by_tile.len() {
            self.page_by_tile.resize(tile + 1, 0);
        }
        let page = &mut self.page_by_tile[tile];
        if *page == 0 {
            self.pages.push([0; 8]);
            self.tile_by_page.push(tile as u16);
            *page = self.pages.len() as u16;
        }
        let word = &mut self.pages[usize::from(*page) - 1][plane + bit / 64];
        let before = *word;
        *word |= 1 << (bit % 64);
        *word != before
    }

    /// Returns all nodes that were seen, in the order of their indices.
    pub(super) fn seen(&self) -> impl Iterator<Item = u32> + '_ {
        let nodes = 0..(self.page_by_tile.len() * NODES_PER_TILE) as u32;
        nodes.filter(|&node| self.is_seen(node))
    }

    /// Takes back that nodes were walked on.
    pub(super) fn forget_walks(&mut self) {
        for page in &mut self.pages {
            page[4..].fill(0);
        }
    }

    /// Returns the bytes of memory held.
    pub(super) fn bytes(&self) -> usize {
        2 * (self.page_by_tile.capacity() + self.tile_by_page.capacity()) + 64 * self.pages.capacity()
    }
}
