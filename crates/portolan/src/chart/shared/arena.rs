//! Many short lists in one array. A list that outgrows its room moves to the end of the array, where it gets room for
//! its length rounded up to a power of two. So all the room that a list has left behind is less than the room it has
//! now.

use crate::memory::held;

/// Where a list lies in its [`Arena`], how long it is, and how many items it has room for.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Span {
    pub(crate) at: u32,
    pub(crate) len: u32,
    room: u32,
}

impl Span {
    #[inline(always)]
    pub(crate) fn range(self) -> std::ops::Range<usize> {
        self.at as usize..(self.at + self.len) as usize
    }
}

/// Lists of `T` in one array. Each is found by its [`Span`], which the caller keeps.
#[derive(Default, Debug)]
pub(crate) struct Arena<T> {
    items: Vec<T>,
}

/// A copy has a sixteenth more room than it needs. Copies are made to be repaired, and without that room the first list
/// that grows would move the whole array.
impl<T: Clone> Clone for Arena<T> {
    fn clone(&self) -> Arena<T> {
        let mut items = Vec::with_capacity(self.items.len() + self.items.len() / 16);
        items.extend_from_slice(&self.items);
        Arena { items }
    }
}

impl<T: Clone + Default> Arena<T> {
    /// Gives a list the length `len` and returns whether the list moved. A list that moves does not take its items
    /// along: the caller has to write all items afterwards.
    pub(crate) fn resize(&mut self, span: &mut Span, len: usize) -> bool {
        let len = len as u32;
        span.len = len;
        if len <= span.room {
            return false;
        }
        // A new list gets no more room than it needs, because most lists never change.
        let room = if span.room == 0 { len } else { len.next_power_of_two() };
        *span = Span { at: self.items.len() as u32, len, room };
        self.items.resize(self.items.len() + room as usize, T::default());
        true
    }

    /// Replaces the content of a list by `items`.
    #[inline(always)]
    pub(crate) fn put(&mut self, span: &mut Span, items: &[T])
    where
        T: Copy,
    {
        if span.room == 0 {
            *span = Span { at: self.items.len() as u32, len: items.len() as u32, room: items.len() as u32 };
            self.items.extend_from_slice(items);
        } else {
            self.resize(span, items.len());
            self.of_mut(*span).copy_from_slice(items);
        }
    }

    /// Reserves memory for `count` more items.
    pub(crate) fn reserve(&mut self, count: usize) {
        self.items.reserve_exact(count);
    }

    #[inline(always)]
    pub(crate) fn of(&self, span: Span) -> &[T] {
        &self.items[span.range()]
    }

    #[inline(always)]
    pub(crate) fn of_mut(&mut self, span: Span) -> &mut [T] {
        &mut self.items[span.range()]
    }

    #[inline(always)]
    pub(crate) fn item_mut(&mut self, index: usize) -> &mut T {
        &mut self.items[index]
    }

    #[inline(always)]
    pub(crate) fn items(&self) -> &[T] {
        &self.items
    }

    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.items)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_that_grows_again_and_again_wastes_less_than_it_holds() {
        let mut arena = Arena::<u8>::default();
        let mut span = Span::default();
        for len in 1..1000 {
            arena.resize(&mut span, len);
            assert_eq!(arena.of(span).len(), len);
        }
        assert!(arena.len() < 3 * 1000);
        let before = span;
        assert!(!arena.resize(&mut span, 10));
        assert_eq!((span.at, span.len), (before.at, 10));
    }
}
