//! The competition's C interface: its data as they are laid out in memory, and its functions, which translate the
//! arguments and call [`Searcher`].
//!
//! No function lets a panic out: it answers as if there were no route. A search that panicked leaves no state that a
//! later search would use, and a change that panicked leaves a planner that is marked as out of date. Not here:
//! anything that can be done without a pointer.

use crate::choice::{Choice, tell};
use crate::entry::{Answer, Searcher};
use crate::patch::Patch;
use portolan::Cell;
use std::ffi::{CString, c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::LazyLock;
use std::{ptr, slice};

/// `struct gppc_point`.
#[derive(Copy, Clone)]
#[repr(C)]
struct GppcPoint {
    x: u16,
    y: u16,
}

/// `struct gppc_path`.
#[repr(C)]
struct GppcPath {
    path: *const GppcPoint,
    length: u32,
    incomplete: u8,
}

/// `struct gppc_patch`.
#[derive(Copy, Clone)]
#[repr(C)]
struct GppcPatch {
    bitarray: *const u8,
    width: u16,
    height: u16,
    pos: GppcPoint,
}

/// What the harness's `void *data` points to.
struct Data {
    searcher: Searcher,
    /// The points of the latest answer, which the harness reads until its next call.
    points: Vec<GppcPoint>,
}

impl From<GppcPoint> for Cell {
    fn from(GppcPoint { x, y }: GppcPoint) -> Cell {
        Cell { x, y }
    }
}

impl GppcPath {
    const NO_ROUTE: GppcPath = GppcPath { path: ptr::null(), length: 0, incomplete: 0 };
}

impl GppcPatch {
    /// Returns the patch, or `None` if `bitarray` is null.
    ///
    /// # Safety
    /// `bitarray` is null or points to one bit for each of `width` times `height` cells, and these bits do not change
    /// for as long as the result lives.
    unsafe fn view<'a>(self) -> Option<Patch<'a>> {
        if self.bitarray.is_null() {
            return None;
        }
        // SAFETY: the pointer is not null, and the caller promises that many bytes, which do not change.
        let bits = unsafe { slice::from_raw_parts(self.bitarray, Patch::bytes(self.width, self.height)) };
        Some(Patch::new(bits, self.width, self.height, self.pos.into()))
    }
}

/// Returns what `work` returns, or `otherwise` if `work` panics, because a panic must not reach C.
fn guarded<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(otherwise)
}

/// Does nothing: no index is written. The algorithms derive what they need from a map in milliseconds. To read it from
/// a file and to check that it belongs to the map would not be faster.
#[unsafe(no_mangle)]
extern "C" fn gppc_preprocess_init_map(_map: GppcPatch, _file: *const c_char) {}

/// Makes a searcher for a map. Returns null if there is no map or the engine cannot take it; the latter is reported on
/// standard error. The file is not read, because no index is written.
///
/// # Safety
/// `map` meets the conditions of [`GppcPatch::view`] until this function returns. The map is copied, and later changes
/// of it come as patches, so no pointer of the harness is kept.
#[unsafe(no_mangle)]
unsafe extern "C" fn gppc_search_init(map: GppcPatch, _file: *const c_char) -> *mut c_void {
    guarded(ptr::null_mut(), || {
        // SAFETY: the caller promises what `view` requires; the view ends with this call.
        let Some(map) = (unsafe { map.view() }) else { return ptr::null_mut() };
        match Searcher::new(map, Choice::of_environment()) {
            Ok(searcher) => Box::into_raw(Box::new(Data { searcher, points: Vec::new() })).cast(),
            Err(fault) => {
                tell(fault);
                ptr::null_mut()
            }
        }
    })
}

/// Applies a change of the map.
///
/// # Safety
/// `data` is null or from [`gppc_search_init`], not freed, and in no other call. `changes` is null or points to `count`
/// patches, each of which meets the conditions of [`GppcPatch::view`] until this function returns.
#[unsafe(no_mangle)]
unsafe extern "C" fn gppc_map_change(data: *mut c_void, changes: *const GppcPatch, count: u32) {
    guarded((), || {
        // SAFETY: null, or a `Data` from `gppc_search_init` that no other call uses now.
        let Some(data) = (unsafe { data.cast::<Data>().as_mut() }) else { return };
        if changes.is_null() {
            return;
        }
        // SAFETY: the pointer is not null, and the caller promises `count` patches.
        let changes = unsafe { slice::from_raw_parts(changes, count as usize) };
        // SAFETY: the caller promises what `view` requires; the views end with this call.
        data.searcher.change(changes.iter().filter_map(|patch| unsafe { patch.view() }));
    });
}

/// Returns the turning points of a route or of its next piece.
///
/// # Safety
/// `data` is null or from [`gppc_search_init`], not freed, and in no other call. The caller reads the points before the
/// next call with this `data`.
#[unsafe(no_mangle)]
unsafe extern "C" fn gppc_get_path(data: *mut c_void, start: GppcPoint, goal: GppcPoint) -> GppcPath {
    guarded(GppcPath::NO_ROUTE, || {
        // SAFETY: null, or a `Data` from `gppc_search_init` that no other call uses now.
        let Some(Data { searcher, points: held }) = (unsafe { data.cast::<Data>().as_mut() }) else {
            return GppcPath::NO_ROUTE;
        };
        let Answer { points, incomplete } = searcher.route(start.into(), goal.into());
        if points.is_empty() {
            return GppcPath::NO_ROUTE;
        }
        held.clear();
        held.extend(points.into_iter().map(|Cell { x, y }| GppcPoint { x, y }));
        GppcPath { path: held.as_ptr(), length: held.len() as u32, incomplete: incomplete.into() }
    })
}

/// Frees a searcher.
///
/// # Safety
/// `data` is null or from [`gppc_search_init`], in no other call, and not used again.
#[unsafe(no_mangle)]
unsafe extern "C" fn gppc_free_data(data: *mut c_void) {
    guarded((), || {
        if !data.is_null() {
            // SAFETY: the pointer is from `Box::into_raw` in `gppc_search_init`, and the caller frees it only once.
            drop(unsafe { Box::from_raw(data.cast::<Data>()) });
        }
    });
}

/// Returns the engine's name followed by that of the algorithm that answers.
#[unsafe(no_mangle)]
extern "C" fn gppc_get_name() -> *const c_char {
    static NAME: LazyLock<CString> = LazyLock::new(|| {
        let name = format!("Portolan-{}", Choice::of_environment().name());
        CString::new(name).expect("names of algorithms hold no zero byte")
    });
    guarded(c"Portolan".as_ptr(), || NAME.as_ptr())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_the_other_answer() {
        assert_eq!(guarded(1, || 2), 2);
        assert_eq!(guarded(1, || panic!("on purpose")), 1);
    }
}
