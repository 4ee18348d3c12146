//! The built library, loaded as the competition's harness loads it, behind safe functions.
//!
//! Not here: whether its answers are right.
#![allow(unsafe_code, reason = "the library is tested through its C interface")]

use libloading::{Library, Symbol, library_filename};
use portolan::Cell;
use std::env;
use std::ffi::{CStr, CString, c_char, c_void};
use std::ptr;
use std::slice;

#[derive(Copy, Clone)]
#[repr(C)]
struct Point {
    x: u16,
    y: u16,
}

#[repr(C)]
struct Piece {
    points: *const Point,
    length: u32,
    incomplete: u8,
}

#[derive(Copy, Clone)]
#[repr(C)]
struct RawPatch {
    bitarray: *const u8,
    width: u16,
    height: u16,
    pos: Point,
}

/// A rectangle of cells, packed as the competition's interface has it.
pub(crate) struct Packed {
    width: u16,
    height: u16,
    bits: Vec<u8>,
}

impl Packed {
    pub(crate) fn new(width: usize, height: usize, free: &[bool]) -> Packed {
        let byte = |cells: &[bool]| cells.iter().rev().fold(0, |byte, &free| byte << 1 | u8::from(free));
        Packed { width: width as u16, height: height as u16, bits: free.chunks(8).map(byte).collect() }
    }

    fn raw(&self, at: Cell) -> RawPatch {
        let pos = Point { x: at.x, y: at.y };
        RawPatch { bitarray: self.bits.as_ptr(), width: self.width, height: self.height, pos }
    }
}

/// `libGPPCentry.so`.
pub(crate) struct Entry(Library);

impl Entry {
    /// Loads the library that cargo has built beside this test.
    pub(crate) fn load() -> Entry {
        let test = env::current_exe().expect("a test has a file");
        let file = test.with_file_name(library_filename("GPPCentry"));
        // SAFETY: the library runs no code when it is loaded or unloaded.
        let library = unsafe { Library::new(&file) };
        Entry(library.unwrap_or_else(|fault| panic!("{}: {fault}", file.display())))
    }

    fn function<F>(&self, name: &str) -> Symbol<'_, F> {
        // SAFETY: each caller below names the type that the competition's interface gives the function.
        unsafe { self.0.get(name) }.unwrap_or_else(|fault| panic!("{name}: {fault}"))
    }

    /// Calls `gppc_get_name`.
    pub(crate) fn name(&self) -> String {
        let get_name = self.function::<unsafe extern "C" fn() -> *const c_char>("gppc_get_name");
        // SAFETY: the function takes no arguments.
        let name = unsafe { get_name() };
        // SAFETY: the interface says that the result is a C string.
        unsafe { CStr::from_ptr(name) }.to_str().expect("a name is text").to_owned()
    }

    /// Calls `gppc_preprocess_init_map`.
    pub(crate) fn preprocess(&self, map: &Packed, file: &str) {
        let preprocess = self.function::<unsafe extern "C" fn(RawPatch, *const c_char)>("gppc_preprocess_init_map");
        let file = CString::new(file).expect("a file's name");
        // SAFETY: the map and the name outlive the call.
        unsafe { preprocess(map.raw(Cell::default()), file.as_ptr()) }
    }

    /// Calls `gppc_search_init`. The caller finds out by [`Instance::is_null`] whether it returned null.
    pub(crate) fn begin(&self, map: &Packed, file: &str) -> Instance<'_> {
        let begin = self.function::<unsafe extern "C" fn(RawPatch, *const c_char) -> *mut c_void>("gppc_search_init");
        let file = CString::new(file).expect("a file's name");
        // SAFETY: the map and the name outlive the call, and the library says it keeps neither.
        Instance { entry: self, data: unsafe { begin(map.raw(Cell::default()), file.as_ptr()) } }
    }

    /// Returns an instance whose data is null, as if it could not be made.
    pub(crate) fn nothing(&self) -> Instance<'_> {
        Instance { entry: self, data: ptr::null_mut() }
    }
}

/// The `void *data` of one search.
pub(crate) struct Instance<'a> {
    entry: &'a Entry,
    data: *mut c_void,
}

impl Instance<'_> {
    pub(crate) fn is_null(&self) -> bool {
        self.data.is_null()
    }

    /// Calls `gppc_map_change`.
    pub(crate) fn change(&mut self, patches: &[(&Packed, Cell)]) {
        let change = self.entry.function::<unsafe extern "C" fn(*mut c_void, *const RawPatch, u32)>("gppc_map_change");
        let raw: Vec<RawPatch> = patches.iter().map(|(patch, at)| patch.raw(*at)).collect();
        // SAFETY: only this instance uses the data, and the patches outlive the call.
        unsafe { change(self.data, raw.as_ptr(), raw.len() as u32) }
    }

    /// Calls `gppc_get_path` until the route is complete.
    pub(crate) fn route(&mut self, from: Cell, to: Cell) -> Vec<Cell> {
        let get_path = self.entry.function::<unsafe extern "C" fn(*mut c_void, Point, Point) -> Piece>("gppc_get_path");
        let point = |cell: Cell| Point { x: cell.x, y: cell.y };
        let mut points = Vec::new();
        loop {
            // SAFETY: only this instance uses the data.
            let piece = unsafe { get_path(self.data, point(from), point(to)) };
            if piece.length == 0 {
                assert_eq!(piece.incomplete, 0, "no route is final");
                return Vec::new();
            }
            // SAFETY: the interface says that many points are there until the next call.
            let piece_points = unsafe { slice::from_raw_parts(piece.points, piece.length as usize) };
            points.extend(piece_points.iter().map(|&Point { x, y }| Cell { x, y }));
            if piece.incomplete == 0 {
                return points;
            }
        }
    }
}

impl Drop for Instance<'_> {
    fn drop(&mut self) {
        let free = self.entry.function::<unsafe extern "C" fn(*mut c_void)>("gppc_free_data");
        // SAFETY: only this instance uses the data, and it ends here.
        unsafe { free(self.data) }
    }
}
