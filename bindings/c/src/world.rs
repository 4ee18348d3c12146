//! Worlds: made, read, edited and freed.
//!
//! Not here: planning.
#![allow(unsafe_code, reason = "C hands over pointers")]

use crate::failure::{Failure, PortolanStatus, guarded};
use crate::handles::Table;
use crate::pointers::{check, copy, read, write};
use crate::types::{PortolanCell, PortolanEdit, PortolanRules};
use portolan::any::{AnySnapshot, AnyWorld};
use portolan::{Edit, HexGrid, SquareGrid};
use std::sync::{PoisonError, RwLock};

/// A world of squares or hexagons. Free it with `portolan_world_free`.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[repr(C)]
pub struct PortolanWorld {
    /// What names the world; 0 names none.
    pub id: u64,
}

pub(crate) static WORLDS: Table<RwLock<AnyWorld>> = Table::new("world", 1);

/// Returns a world as it is now.
pub(crate) fn snapshot(world: PortolanWorld) -> Result<AnySnapshot, Failure> {
    Ok(WORLDS.get(world.id)?.read().unwrap_or_else(PoisonError::into_inner).snapshot())
}

fn fault(words: impl ToString) -> Failure {
    Failure::new(PortolanStatus::World, words)
}

/// Makes a world of `width` times `height` cells, whose weights are given row by row: 0 is blocked, 1 the lightest ground, 255
/// the heaviest.
///
/// # Safety
/// `weights` points to `count` bytes, and `world` to room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portolan_world_new(
    width: u32,
    height: u32,
    weights: *const u8,
    count: usize,
    rules: PortolanRules,
    world: *mut PortolanWorld,
) -> PortolanStatus {
    guarded(|| {
        check(world, "world")?;
        // SAFETY: the caller promises it.
        let weights = unsafe { read(weights, count, "weights") }?;
        let (width, height) = (width as usize, height as usize);
        let made = match rules.squares()? {
            Some(rules) => AnyWorld::from(SquareGrid::from_weights(width, height, weights, rules).map_err(fault)?),
            None => AnyWorld::from(HexGrid::from_weights(width, height, weights, rules.metric()?).map_err(fault)?),
        };
        let handle = PortolanWorld { id: WORLDS.add(RwLock::new(made))? };
        // SAFETY: the caller promises it.
        unsafe { write(world, handle, "world") }
    })
}

/// Frees a world. Its planners go on knowing it as they do, but nothing can be asked about it any more.
#[unsafe(no_mangle)]
pub extern "C" fn portolan_world_free(world: PortolanWorld) -> PortolanStatus {
    guarded(|| WORLDS.remove(world.id))
}

/// Writes how many columns and rows a world has.
///
/// # Safety
/// `width` and `height` point to room for a number each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portolan_world_size(
    world: PortolanWorld,
    width: *mut u32,
    height: *mut u32,
) -> PortolanStatus {
    guarded(|| {
        let world = snapshot(world)?;
        check(height, "height")?;
        // SAFETY: the caller promises it.
        unsafe { write(width, world.width() as u32, "width") }?;
        // SAFETY: the caller promises it.
        unsafe { write(height, world.height() as u32, "height") }
    })
}

/// Writes the weights of all cells, row by row, as far as there is room.
///
/// # Safety
/// `weights` points to room for `capacity` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portolan_world_weights(
    world: PortolanWorld,
    weights: *mut u8,
    capacity: usize,
) -> PortolanStatus {
    guarded(|| {
        let all = snapshot(world)?.to_weights();
        // SAFETY: the caller promises it.
        unsafe { copy(&all, weights, capacity, "weights") }
    })
}

/// Applies edits, all or none. Planners of the world are stale then, until `portolan_planner_sync`.
///
/// # Safety
/// `edits` points to `count` edits.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portolan_world_apply(
    world: PortolanWorld,
    edits: *const PortolanEdit,
    count: usize,
) -> PortolanStatus {
    guarded(|| {
        // SAFETY: the caller promises it.
        let edits = unsafe { read(edits, count, "edits") }?;
        let edits: Vec<Edit> = edits.iter().map(|edit| edit.edit()).collect::<Result<_, _>>()?;
        let world = WORLDS.get(world.id)?;
        let mut world = world.write().unwrap_or_else(PoisonError::into_inner);
        world.apply(&edits).map(|_| ()).map_err(fault)
    })
}

/// Writes whether there is a way between two cells, there and back.
///
/// # Safety
/// `connected` points to room for the result.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portolan_world_connected(
    world: PortolanWorld,
    a: PortolanCell,
    b: PortolanCell,
    connected: *mut bool,
) -> PortolanStatus {
    guarded(|| {
        let is_connected = snapshot(world)?.connected(a.into(), b.into());
        // SAFETY: the caller promises it.
        unsafe { write(connected, is_connected, "connected") }
    })
}

/// Writes the reachable cell nearest to a goal.
///
/// # Safety
/// `nearest` points to room for a cell.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portolan_world_nearest(
    world: PortolanWorld,
    from: PortolanCell,
    to: PortolanCell,
    nearest: *mut PortolanCell,
) -> PortolanStatus {
    guarded(|| {
        let found = snapshot(world)?.nearest_reachable(from.into(), to.into());
        let blocked = || Failure::new(PortolanStatus::Query, "the start is blocked, or lies off the map");
        // SAFETY: the caller promises it.
        unsafe { write(nearest, found.ok_or_else(blocked)?.into(), "nearest") }
    })
}
