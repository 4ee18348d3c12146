//! The open lists that a best-first search can run with, behind one trait.
//!
//! Not here: how they keep their items (`open_list.rs` of the crate).

use crate::open_list::{BucketList, BucketRing};

/// A priority queue of nodes.
pub(in crate::search) trait OpenList {
    /// Returns the one of the scratch's two open lists that has the implementing type.
    fn pick<'a>(ring: &'a mut BucketRing, list: &'a mut BucketList) -> &'a mut Self;
    fn reset(&mut self, first: u64, spread: u64, grain: u32);
    fn push(&mut self, key: u64, item: u32);
    fn pop(&mut self) -> Option<u32>;
    fn floor(&self) -> u64;
}

/// Writes the methods of [`OpenList`] that a list has itself, by the same names.
macro_rules! own_methods {
    () => {
        #[inline(always)]
        fn push(&mut self, key: u64, item: u32) {
            self.push(key, item);
        }

        #[inline(always)]
        fn pop(&mut self) -> Option<u32> {
            self.pop()
        }

        #[inline(always)]
        fn floor(&self) -> u64 {
            self.floor()
        }
    };
}

impl OpenList for BucketRing {
    fn pick<'a>(ring: &'a mut BucketRing, _: &'a mut BucketList) -> &'a mut Self {
        ring
    }

    fn reset(&mut self, first: u64, spread: u64, grain: u32) {
        self.reset(first, spread, grain);
    }

    own_methods!();
}

impl OpenList for BucketList {
    fn pick<'a>(_: &'a mut BucketRing, list: &'a mut BucketList) -> &'a mut Self {
        list
    }

    fn reset(&mut self, _first: u64, _spread: u64, grain: u32) {
        self.reset(0, grain);
    }

    own_methods!();
}
