//! Open lists: two bucket queues. [`BucketRing`] is for many entries with keys close together, such as cells;
//! [`BucketList`] for few entries with keys far apart, such as jump points.
//!
//! Both divide a key by the bucket width, about a sixth of the cost of a step, to find its bucket, and return the entry
//! pushed last into the lowest bucket. Keys inside a bucket are not ordered; the entry pushed last tends to be nearest
//! to the goal. A search stays exact if it reopens nodes, pushes no key that is not below the best goal cost, and stops
//! when [`floor`](BucketRing::floor) has reached that cost. In measurements, both layouts with these widths were faster
//! than heaps.
//!
//! Not here: records of nodes.

use crate::memory::held;

/// Returns the exponent of the bucket width, a power of two. The width lies between an eighth and a quarter of `grain`,
/// but is never 0. `grain` is usually the cost of a cheap edge.
pub(crate) fn resolution(grain: u32) -> u32 {
    grain.max(1).ilog2().saturating_sub(2)
}

/// The number that means no item in a ring and no entry in a list.
const NONE: u32 = u32::MAX;

/// A ring of buckets, each a stack: for many entries whose keys lie at most a bounded distance above the lowest key. A
/// key that belongs below the lowest bucket is put into the lowest bucket.
pub(crate) struct BucketRing {
    buckets: Vec<Vec<u32>>,
    /// The top of the lowest bucket's stack, or [`NONE`]. It is kept outside the stack because most entries are popped
    /// right after they were pushed, and so need no memory access.
    top: u32,
    /// The exponent of the bucket width.
    shift: u32,
    /// The lowest bucket: no entry lies in a bucket below it. Buckets are numbered by key, not by place in the ring.
    current: u64,
    /// A bucket above which there are no entries.
    highest: u64,
    len: usize,
}

impl Default for BucketRing {
    fn default() -> BucketRing {
        BucketRing { buckets: Vec::new(), top: NONE, shift: 0, current: 0, highest: 0, len: 0 }
    }
}

impl BucketRing {
    /// Empties the ring for keys of at least `first`. A key that exceeds the lowest key by more than `spread` may make
    /// the ring grow, so it should be rare.
    pub(crate) fn reset(&mut self, first: u64, spread: u64, grain: u32) {
        self.shift = resolution(grain);
        let count = ((spread >> self.shift) as usize + 2).next_power_of_two();
        if self.len > 0 {
            let mask = self.buckets.len() as u64 - 1;
            for bucket in self.current..=self.highest {
                self.buckets[(bucket & mask) as usize].clear();
            }
        }
        // The ring never shrinks: more buckets than needed do no harm, and a smaller ring would have to allocate again.
        if self.buckets.len() < count {
            self.buckets.resize_with(count, Vec::new);
        }
        self.top = NONE;
        self.current = first >> self.shift;
        self.highest = self.current;
        self.len = 0;
    }

    #[inline(always)]
    pub(crate) fn push(&mut self, key: u64, item: u32) {
        let bucket = key >> self.shift;
        if bucket.saturating_sub(self.current) >= self.buckets.len() as u64 {
            self.widen(bucket);
        }
        let mask = self.buckets.len() - 1;
        self.len += 1;
        if bucket > self.current {
            self.highest = self.highest.max(bucket);
            self.buckets[bucket as usize & mask].push(item);
        } else {
            let below = std::mem::replace(&mut self.top, item);
            if below != NONE {
                self.buckets[self.current as usize & mask].push(below);
            }
        }
    }

    /// Makes the ring large enough for `bucket`, which lies further above the lowest bucket than `spread` allowed for.
    #[cold]
    fn widen(&mut self, bucket: u64) {
        let old = self.buckets.len() as u64;
        let count = ((bucket - self.current + 1) as usize).next_power_of_two();
        let mut wider: Vec<Vec<u32>> = Vec::new();
        wider.resize_with(count, Vec::new);
        for bucket in self.current..self.current + old {
            let stack = std::mem::take(&mut self.buckets[(bucket & (old - 1)) as usize]);
            wider[bucket as usize & (count - 1)] = stack;
        }
        self.buckets = wider;
    }

    /// Removes and returns an entry of the lowest bucket, or returns `None` if there are no entries.
    #[inline(always)]
    pub(crate) fn pop(&mut self) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        self.len -= 1;
        let top = std::mem::replace(&mut self.top, NONE);
        if top != NONE {
            return Some(top);
        }
        let mask = self.buckets.len() - 1;
        loop {
            if let Some(item) = self.buckets[self.current as usize & mask].pop() {
                return Some(item);
            }
            self.current += 1;
        }
    }

    /// Returns a lower bound on the keys of all entries, except those pushed with a key below the lowest bucket.
    #[inline(always)]
    pub(crate) fn floor(&self) -> u64 {
        self.current << self.shift
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.buckets) + self.buckets.iter().map(held).sum::<usize>()
    }
}

/// Buckets that are linked lists in one array, with a bitmap of the buckets in use: for few entries with keys far
/// apart. Keys may be pushed in any order.
#[derive(Default)]
pub(crate) struct BucketList {
    head_by_bucket: Vec<u32>,
    in_use: Vec<u64>,
    /// For each entry its item and the next entry of its bucket, or [`NONE`].
    entries: Vec<(u32, u32)>,
    /// The first entry of the list of entries to reuse, or [`NONE`].
    unused: u32,
    /// The exponent of the bucket width.
    shift: u32,
    /// The number that bucket 0 would have if buckets were counted from key 0.
    first: u64,
    /// No bucket below this one has entries.
    current: usize,
    len: usize,
}

impl BucketList {
    /// Empties the list. No key pushed from now on may be less than `first`.
    pub(crate) fn reset(&mut self, first: u64, grain: u32) {
        for (index, word) in self.in_use.iter_mut().enumerate() {
            while *word != 0 {
                self.head_by_bucket[index * 64 + word.trailing_zeros() as usize] = NONE;
                *word &= *word - 1;
            }
        }
        self.entries.clear();
        self.unused = NONE;
        self.shift = resolution(grain);
        self.first = first >> self.shift;
        self.current = 0;
        self.len = 0;
    }

    #[inline]
    pub(crate) fn push(&mut self, key: u64, item: u32) {
        debug_assert!(key >> self.shift >= self.first, "key below the first");
        let bucket = ((key >> self.shift) - self.first) as usize;
        if bucket >= self.head_by_bucket.len() {
            let words = (bucket / 64 + 1).next_power_of_two();
            self.in_use.resize(words, 0);
            self.head_by_bucket.resize(words * 64, NONE);
        }
        let head = self.head_by_bucket[bucket];
        let entry = self.unused;
        if entry == NONE {
            self.head_by_bucket[bucket] = self.entries.len() as u32;
            self.entries.push((item, head));
        } else {
            self.unused = self.entries[entry as usize].1;
            self.head_by_bucket[bucket] = entry;
            self.entries[entry as usize] = (item, head);
        }
        self.in_use[bucket / 64] |= 1 << (bucket % 64);
        self.current = self.current.min(bucket);
        self.len += 1;
    }

    /// Removes and returns an entry of the lowest bucket, or returns `None` if there are no entries.
    #[inline]
    pub(crate) fn pop(&mut self) -> Option<u32> {
        if self.len == 0 {
            return None;
        }
        let mut word = self.current / 64;
        let mut bits = self.in_use[word] & u64::MAX << (self.current % 64);
        while bits == 0 {
            word += 1;
            bits = self.in_use[word];
        }
        self.current = word * 64 + bits.trailing_zeros() as usize;
        let entry = self.head_by_bucket[self.current];
        let (item, next) = self.entries[entry as usize];
        self.entries[entry as usize].1 = self.unused;
        self.unused = entry;
        self.head_by_bucket[self.current] = next;
        if next == NONE {
            self.in_use[word] &= !(1 << (self.current % 64));
        }
        self.len -= 1;
        Some(item)
    }

    /// Returns a lower bound on the keys of all entries.
    #[inline(always)]
    pub(crate) fn floor(&self) -> u64 {
        (self.first + self.current as u64) << self.shift
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.head_by_bucket) + held(&self.in_use) + held(&self.entries)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;

    /// Both queues return every entry once, those of the lowest bucket first.
    #[test]
    fn buckets_come_out_in_order() {
        let mut random = Random::new(7);
        let (mut ring, mut list) = (BucketRing::default(), BucketList::default());
        for round in 0..20 {
            let spread = 1 << (8 + round % 8);
            ring.reset(1000, spread, 408);
            list.reset(1000, 408);
            let shift = resolution(408);
            let mut keys = vec![];
            let mut last = 1000 >> shift;
            for _ in 0..2000 {
                if keys.is_empty() || random.below(5) < 3 {
                    let key = (last << shift).max(1000) + random.below(spread - (1 << shift));
                    ring.push(key, keys.len() as u32);
                    list.push(key, keys.len() as u32);
                    keys.push((key, false));
                } else if let Some(item) = ring.pop() {
                    assert_eq!(list.pop(), Some(item));
                    let (key, taken) = &mut keys[item as usize];
                    assert!(!*taken && *key >> shift >= last);
                    *taken = true;
                    last = *key >> shift;
                    assert!(ring.floor() <= *key && list.floor() == ring.floor());
                }
            }
            while let Some(item) = ring.pop() {
                assert_eq!(list.pop(), Some(item));
                keys[item as usize].1 = true;
            }
            assert!(list.pop().is_none() && keys.iter().all(|&(_, taken)| taken));
        }
    }

    #[test]
    fn a_list_takes_keys_below_its_lowest() {
        let mut list = BucketList::default();
        list.reset(0, 4);
        for key in [50, 10, 30] {
            list.push(key, key as u32);
        }
        assert_eq!(list.pop(), Some(10));
        list.push(5, 5);
        assert_eq!((list.pop(), list.pop(), list.pop(), list.pop()), (Some(5), Some(30), Some(50), None));
    }
}
