//! The competition's C interface: its data as they lie in memory, and its functions, which translate and hand on.
//!
//! No function lets a panic out: it answers as if there were no route. A search that was broken off leaves nothing behind
//! that the next would see, and a change that was leaves a planner that knows it is stale.
//! Not here: anything that can be said without a pointer.

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
    /// The answer given last, which the harness reads until its next call.
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
    /// The patch, unless there is none.
    ///
    /// # Safety
    /// `bitarray` is null or points to one bit for each of `width` times `height` cells, and these stay as they are
    /// for as long as the result lives.
    unsafe fn view<'a>(self) -> Option<Patch<'a>> {
        if self.bitarray.is_null() {
            return None;
        }
        // SAFETY: not null, and the caller promises that many bytes that nobody changes.
        let bits = unsafe { slice::from_raw_parts(self.bitarray, Patch::bytes(self.width, self.height)) };
        Some(Patch::new(bits, self.width, self.height, self.pos.into()))
    }
}

/// What `work` answers, or `otherwise` if it panics: a panic must not reach C.
fn guarded<T>(otherwise: T, work: impl FnOnce() -> T) -> T {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or(otherwise)
}

/// Writes no index. What the algorithms derive from a map they derive in milliseconds, no slower than they could read it
/// from a file and check that it belongs to the map.
#[unsafe(no_mangle)]
extern "C" fn gppc_preprocess_init_map(_map: GppcPatch, _file: *const c_char) {}

/// Makes a searcher for a map; null, with a word on standard error, when the map is none the engine can take. As no index
/// is written, none is read, and whatever the file holds does not matter.
///
/// # Safety
/// `map` is as [`GppcPatch::view`] wants it until this returns. The map is copied: later changes of it come as patches,
/// so no pointer of the harness is kept.
#[unsafe(no_mangle)]
unsafe extern "C" fn gppc_search_init(map: GppcPatch, _file: *const c_char) -> *mut c_void {
    guarded(ptr::null_mut(), || {
        // SAFETY: as the caller promises; the view ends with this call.
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

/// Follows a change of the map.
///
/// # Safety
/// `data` is null or from [`gppc_search_init`], not freed, and in no other call. `changes` points to `count` patches, each
/// as [`GppcPatch::view`] wants it until this returns.
#[unsafe(no_mangle)]
unsafe extern "C" fn gppc_map_change(data: *mut c_void, changes: *const GppcPatch, count: u32) {
    guarded((), || {
        // SAFETY: null or a `Data` of ours that nobody else uses now.
        let Some(data) = (unsafe { data.cast::<Data>().as_mut() }) else { return };
        if changes.is_null() {
            return;
        }
        // SAFETY: not null, and the caller promises so many.
        let changes = unsafe { slice::from_raw_parts(changes, count as usize) };
        // SAFETY: as the caller promises; the views end with this call.
        data.searcher.change(changes.iter().filter_map(|patch| unsafe { patch.view() }));
    });
}

/// Answers with a route or its next piece, told by its turning points.
///
/// # Safety
/// `data` is null or from [`gppc_search_init`], not freed, and in no other call. The points are to be read before the
/// next call with the same data.
#[unsafe(no_mangle)]
unsafe extern "C" fn gppc_get_path(data: *mut c_void, start: GppcPoint, goal: GppcPoint) -> GppcPath {
    guarded(GppcPath::NO_ROUTE, || {
        // SAFETY: null or a `Data` of ours that nobody else uses now.
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

/// Releases a searcher.
///
/// # Safety
/// `data` is null or from [`gppc_search_init`], and not used again.
#[unsafe(no_mangle)]
unsafe extern "C" fn gppc_free_data(data: *mut c_void) {
    guarded((), || {
        if !data.is_null() {
            // SAFETY: from `Box::into_raw` in `gppc_search_init`, and given back once.
            drop(unsafe { Box::from_raw(data.cast::<Data>()) });
        }
    });
}

/// The engine's name with that of the algorithm that answers.
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
