//! Reading and writing what C points to. Null pointers are errors; that the others are good for as many values as the caller
//! says is the caller's promise.
//!
//! Not here: what the values mean.
#![allow(unsafe_code, reason = "C hands over pointers")]

use crate::failure::Failure;
use std::ffi::{CStr, c_char};
use std::slice;

/// Returns the values that an array of C has.
///
/// # Safety
/// `values` is null or points to at least `count` values that nothing writes during the call.
pub(crate) unsafe fn read<'a, T>(values: *const T, count: usize, name: &str) -> Result<&'a [T], Failure> {
    if count == 0 {
        return Ok(&[]);
    }
    let is_sound = !values.is_null() && values.is_aligned() && count <= isize::MAX as usize / size_of::<T>().max(1);
    if !is_sound {
        return Err(Failure::argument(format!("`{name}` is null or no array of {count} values")));
    }
    // SAFETY: it is neither null nor badly aligned, and the caller promises the rest.
    Ok(unsafe { slice::from_raw_parts(values, count) })
}

/// Copies values to an array of C, as many as it has room for.
///
/// # Safety
/// `room` is null or points to room for at least `capacity` values that nothing else uses during the call.
pub(crate) unsafe fn copy<T: Copy>(from: &[T], room: *mut T, capacity: usize, name: &str) -> Result<(), Failure> {
    let count = from.len().min(capacity);
    if count == 0 {
        return Ok(());
    }
    if room.is_null() || !room.is_aligned() {
        return Err(Failure::argument(format!("`{name}` is null, but has room for {capacity} values as you say")));
    }
    // SAFETY: it is neither null nor badly aligned, and the caller promises that there is room.
    unsafe { room.copy_from_nonoverlapping(from.as_ptr(), count) };
    Ok(())
}

/// Checks that a result can be written.
pub(crate) fn check<T>(result: *mut T, name: &str) -> Result<(), Failure> {
    if result.is_null() || !result.is_aligned() {
        return Err(Failure::argument(format!("`{name}`, where the result goes, is null")));
    }
    Ok(())
}

/// Writes a result.
///
/// # Safety
/// `result` is null or points to room for the value.
pub(crate) unsafe fn write<T>(result: *mut T, value: T, name: &str) -> Result<(), Failure> {
    check(result, name)?;
    // SAFETY: it is neither null nor badly aligned, and the caller promises that there is room.
    unsafe { result.write(value) };
    Ok(())
}

/// Returns a text of C; empty if the pointer is null.
///
/// # Safety
/// `text` is null or points to a text that ends with a zero and that nothing writes during the call.
pub(crate) unsafe fn text<'a>(text: *const c_char, name: &str) -> Result<&'a str, Failure> {
    if text.is_null() {
        return Ok("");
    }
    // SAFETY: the caller promises that it ends with a zero.
    let text = unsafe { CStr::from_ptr(text) };
    text.to_str().map_err(|_| Failure::argument(format!("`{name}` is not UTF-8")))
}
