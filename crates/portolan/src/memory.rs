//! Allocations whose size is known beforehand: where there is no memory for them they fail with [`OutOfMemory`], and the
//! process goes on. Lists that grow item by item do not belong here.

/// Memory that the system did not give.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no memory for {bytes} bytes more")]
pub struct OutOfMemory {
    /// Bytes that were asked for in one piece.
    pub bytes: usize,
}

/// Makes sure that so many bytes could be had in one piece, and gives them back.
pub(crate) fn check(bytes: usize) -> Result<(), OutOfMemory> {
    reserve(&mut Vec::<u8>::new(), bytes)
}

/// A list of that many copies of an item.
pub(crate) fn filled<T: Copy>(item: T, count: usize) -> Result<Vec<T>, OutOfMemory> {
    let mut list = Vec::new();
    reserve(&mut list, count)?;
    list.resize(count, item);
    Ok(list)
}

/// Makes room for that many items more.
pub(crate) fn reserve<T>(list: &mut Vec<T>, more: usize) -> Result<(), OutOfMemory> {
    list.try_reserve_exact(more).map_err(|_| OutOfMemory { bytes: more.saturating_mul(size_of::<T>()) })
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
