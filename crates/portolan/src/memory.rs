//! Allocations whose size is known beforehand: if there is no memory for one, it fails with [`OutOfMemory`] instead of
//! ending the process. And the bytes that a list holds.
//!
//! Not here: lists that grow item by item.

use std::sync::Arc;

/// The error for an allocation that failed.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no memory for {bytes} bytes more")]
pub struct OutOfMemory {
    /// The bytes requested in one allocation.
    pub bytes: usize,
}

/// Checks that `bytes` bytes can be allocated in one piece, and frees them again.
pub(crate) fn check(bytes: usize) -> Result<(), OutOfMemory> {
    reserve(&mut Vec::<u8>::new(), bytes)
}

/// Returns a list of `count` copies of `item`.
pub(crate) fn filled<T: Copy>(item: T, count: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut list = Vec::new();
    reserve(&mut list, count)?;
    list.resize(count, item);
    Ok(list)
}

/// Reserves memory for `more` items in addition to those in the list.
pub(crate) fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    list.try_reserve_exact(more).map_err(|_| OutOfMemory { bytes: more.saturating_mul(size_of::<T>()) })
}

/// Returns the bytes that a list has allocated for its items, those not in use included. What the items themselves
/// have allocated is not counted.
pub(crate) fn held<T>(list: &Vec<T>) -> usize {
    list.capacity() * size_of::<T>()
}

/// Returns the bytes that a shared value and its two counters take. What the value itself has allocated is not counted.
pub(crate) fn in_arc<T>(shared: &Arc<T>) -> usize {
    2 * size_of::<usize>() + size_of_val(&**shared)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_list_is_filled_or_there_is_an_error() {
        assert_eq!(filled(7u16, 3), Ok(vec![7, 7, 7]));
        let bytes = isize::MAX as usize + 1;
        assert_eq!(filled(7u16, bytes / 2), Err(OutOfMemory { bytes }));
        assert_eq!(filled(7u16, usize::MAX), Err(OutOfMemory { bytes: usize::MAX }));
    }
}
