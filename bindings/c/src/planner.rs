//! Planners: built, kept in step with their world, asked, saved and opened.
//!
//! Not here: many queries at once (`batch.rs`), and routes leg by leg (`lazy.rs`).
#![allow(unsafe_code, reason = "C hands over pointers")]

use crate::failure::{Failure, PortolanStatus, guarded};
use crate::handles::Table;
use crate::pointers::{check, copy, text, write};
use crate::types::{PortolanAnswer, PortolanCell, PortolanQuery};
use crate::world::{PortolanWorld, WORLDS, snapshot};
use portolan::any::{AnyAlgorithm, AnyPick, AnyPlanner, AnyScratch, AnySnapshot, all_algorithms};
use portolan::auto::Use;
use portolan::{Cell, QueryError, RepairError};
use portolan_formats::{ChartFile, write_chart};
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::{CString, c_char};
use std::path::Path;
use std::ptr;
use std::sync::{OnceLock, PoisonError, RwLock};

/// A planner: an algorithm with what it keeps about a world. Free it with `portolan_planner_free`.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[repr(C)]
pub struct PortolanPlanner {
    /// What names the planner; 0 names none.
    pub id: u64,
}

pub(crate) static PLANNERS: Table<RwLock<AnyPlanner>> = Table::new("planner", 2);

thread_local! {
    static SCRATCH: RefCell<AnyScratch> = RefCell::new(AnyScratch::new());
}

/// Runs `work` with the scratch memory of this thread.
pub(crate) fn with_scratch<R>(work: impl FnOnce(&mut AnyScratch) -> R) -> R {
    SCRATCH.with(|scratch| work(&mut scratch.borrow_mut()))
}

/// Runs `work` with a planner and the world as it is now.
pub(crate) fn with<R>(
    planner: PortolanPlanner,
    world: PortolanWorld,
    work: impl FnOnce(&AnyPlanner, &AnySnapshot) -> Result<R, Failure>,
) -> Result<R, Failure> {
    let (planner, world) = (PLANNERS.get(planner.id)?, snapshot(world)?);
    let planner = planner.read().unwrap_or_else(PoisonError::into_inner);
    work(&planner, &world)
}

/// Returns why a query failed.
pub(crate) fn fault(error: &QueryError) -> Failure {
    let status = match error {
        QueryError::Stale(_) => PortolanStatus::Stale,
        _ => PortolanStatus::Query,
    };
    Failure::new(status, error)
}

/// Builds a planner. `algorithm` names the algorithm and its settings, such as `a-star`, `rhumb`, or
/// `hpa-star cluster=16 levels=2`; null or an empty text lets rules choose.
///
/// # Safety
/// `algorithm` is null or a text, and `planner` points to room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portolan_planner_new(
    world: PortolanWorld,
    algorithm: *const c_char,
    planner: *mut PortolanPlanner,
) -> PortolanStatus {
    guarded(|| {
        check(planner, "planner")?;
        let fault = |error: &dyn ToString| Failure::new(PortolanStatus::Algorithm, error.to_string());
        // SAFETY: the caller promises it.
        let algorithm = unsafe { text(algorithm, "algorithm") }?;
        let world = snapshot(world)?;
        let pick = AnyPick::parse(algorithm).map_err(|error| fault(&error))?;
        let (algorithm, settings, _) = pick.choose(&world, Use::default()).map_err(|error| fault(&error))?;
        let built = AnyPlanner::build(&world, algorithm, settings).map_err(|error| fault(&error))?;
        let handle = PortolanPlanner { id: PLANNERS.add(RwLock::new(built))? };
        // SAFETY: the caller promises it.
        unsafe { write(planner, handle, "planner") }
    })
}

/// Frees a planner.
#[unsafe(no_mangle)]
pub extern "C" fn portolan_planner_free(planner: PortolanPlanner) -> PortolanStatus {
    guarded(|| PLANNERS.remove(planner.id))
}

/// Brings a planner up to date with all edits of its world since it was built or last brought up to date. A planner of another
/// world of the kind is built anew for this one.
#[unsafe(no_mangle)]
pub extern "C" fn portolan_planner_sync(planner: PortolanPlanner, world: PortolanWorld) -> PortolanStatus {
    guarded(|| {
        let (planner, world) = (PLANNERS.get(planner.id)?, WORLDS.get(world.id)?);
        let world = world.read().unwrap_or_else(PoisonError::into_inner);
        let mut planner = planner.write().unwrap_or_else(PoisonError::into_inner);
        planner.sync(&world).map(|_| ()).map_err(|error| match error {
            RepairError::Unsuited(_) => Failure::new(PortolanStatus::Algorithm, error),
            error => Failure::new(PortolanStatus::Stale, error),
        })
    })
}

/// Finds a route. Writes its cells, from start to goal, as far as there is room, and the answer, which has their whole number.
///
/// # Safety
/// `cells` points to room for `capacity` cells, and `answer` to room for an answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portolan_find(
    planner: PortolanPlanner,
    world: PortolanWorld,
    query: PortolanQuery,
    cells: *mut PortolanCell,
    capacity: usize,
    answer: *mut PortolanAnswer,
) -> PortolanStatus {
    guarded(|| {
        check(answer, "answer")?;
        let found = with(planner, world, |planner, world| {
            with_scratch(|scratch| planner.find(world, query.into(), scratch)).map_err(|error| fault(&error))
        })?;
        let route: Vec<PortolanCell> =
            found.route().map_or(&[] as &[Cell], |route| route.cells()).iter().map(|&cell| cell.into()).collect();
        // SAFETY: the caller promises it.
        unsafe { copy(&route, cells, capacity, "cells") }?;
        // SAFETY: the caller promises it.
        unsafe { write(answer, PortolanAnswer::of(&found), "answer") }
    })
}

/// Saves a planner's chart to a file, without its world.
///
/// # Safety
/// `path` is a text.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portolan_planner_save(
    planner: PortolanPlanner,
    world: PortolanWorld,
    path: *const c_char,
) -> PortolanStatus {
    guarded(|| {
        // SAFETY: the caller promises it.
        let path = Path::new(unsafe { text(path, "path") }?);
        with(planner, world, |planner, world| {
            let (AnyPlanner::Square(planner), AnySnapshot::Square(world)) = (planner, world) else {
                return Err(Failure::new(PortolanStatus::Chart, ON_SQUARES));
            };
            let written = write_chart(path, planner, world, false);
            written.map(|_| ()).map_err(|error| Failure::new(PortolanStatus::Chart, error))
        })
    })
}

/// Opens a planner whose chart was saved for this world.
///
/// # Safety
/// `path` is a text, and `planner` points to room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portolan_planner_open(
    world: PortolanWorld,
    path: *const c_char,
    planner: *mut PortolanPlanner,
) -> PortolanStatus {
    guarded(|| {
        check(planner, "planner")?;
        // SAFETY: the caller promises it.
        let path = Path::new(unsafe { text(path, "path") }?);
        let fault = |error: &dyn ToString| Failure::new(PortolanStatus::Chart, error.to_string());
        let file = ChartFile::read(path).map_err(|error| fault(&error))?;
        let world = snapshot(world)?;
        let world = world.square().ok_or_else(|| fault(&ON_SQUARES))?;
        let opened = file.open(world).map(AnyPlanner::from).map_err(|error| fault(&error))?;
        let handle = PortolanPlanner { id: PLANNERS.add(RwLock::new(opened))? };
        // SAFETY: the caller promises it.
        unsafe { write(planner, handle, "planner") }
    })
}

const ON_SQUARES: &str = "charts are kept in files for worlds of squares alone";

/// Returns the names of all algorithms on squares and hexagons.
fn names() -> &'static [CString] {
    static NAMES: OnceLock<Vec<CString>> = OnceLock::new();
    NAMES.get_or_init(|| {
        let names: BTreeSet<&str> = all_algorithms().map(AnyAlgorithm::name).collect();
        names.into_iter().map(|name| CString::new(name).expect("names have no zeros")).collect()
    })
}

/// Returns how many algorithms there are.
#[unsafe(no_mangle)]
pub extern "C" fn portolan_algorithm_count() -> usize {
    names().len()
}

/// Returns the name of an algorithm by its number, in the order of the alphabet; null if there is none of that number.
#[unsafe(no_mangle)]
pub extern "C" fn portolan_algorithm_name(number: usize) -> *const c_char {
    names().get(number).map_or(ptr::null(), |name| name.as_ptr())
}
