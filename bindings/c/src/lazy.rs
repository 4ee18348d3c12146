//! Routes whose cells are computed leg by leg: the first step is known long before the last.
//!
//! Not here: whole routes (`planner.rs`).
#![allow(unsafe_code, reason = "C hands over pointers")]

use crate::failure::{PortolanStatus, guarded};
use crate::handles::Table;
use crate::planner::{PortolanPlanner, fault, with, with_scratch};
use crate::pointers::{check, copy, write};
use crate::types::{PortolanAnswer, PortolanCell, PortolanQuery, name};
use crate::world::PortolanWorld;
use portolan::any::AnyLazyRoute;
use portolan::{Cost, Outcome};
use std::sync::{Mutex, PoisonError};

/// A route that is computed leg by leg. Free it with `portolan_route_free`.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[repr(C)]
pub struct PortolanRoute {
    /// What names the route; 0 names none.
    pub id: u64,
}

/// A route, and cells of its latest leg for which there was no room yet.
struct Lazy {
    route: AnyLazyRoute,
    rest: Vec<PortolanCell>,
}

static ROUTES: Table<Mutex<Lazy>> = Table::new("route", 3);

/// Plans a route without computing its cells. Without a route, `route` names none. The cost in the answer is 0 if it is not
/// known before the cells are.
///
/// # Safety
/// `route` points to room for a handle, and `answer` to room for an answer.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portolan_plan(
    planner: PortolanPlanner,
    world: PortolanWorld,
    query: PortolanQuery,
    route: *mut PortolanRoute,
    answer: *mut PortolanAnswer,
) -> PortolanStatus {
    guarded(|| {
        check(route, "route")?;
        check(answer, "answer")?;
        let planned = with(planner, world, |planner, world| {
            with_scratch(|scratch| planner.plan(world, query.into(), scratch)).map_err(|error| fault(&error))
        })?;
        let cost = planned.route().and_then(AnyLazyRoute::cost).map_or(0, |Cost(cost)| cost);
        let told = PortolanAnswer { outcome: name(&planned), cost, ..PortolanAnswer::default() };
        let id = match planned {
            Outcome::Reached(route) | Outcome::Partial(route) => {
                ROUTES.add(Mutex::new(Lazy { route, rest: Vec::new() }))?
            }
            _ => 0,
        };
        // SAFETY: the caller promises it.
        unsafe { write(route, PortolanRoute { id }, "route") }?;
        // SAFETY: the caller promises it.
        unsafe { write(answer, told, "answer") }
    })
}

/// Writes the next cells of a route, as many as are known without much work and there is room for, and their number; 0 at
/// the end. The first cell of the route is the first that is written.
///
/// # Safety
/// `cells` points to room for `capacity` cells, and `count` to room for a number.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portolan_route_next(
    route: PortolanRoute,
    planner: PortolanPlanner,
    world: PortolanWorld,
    cells: *mut PortolanCell,
    capacity: usize,
    count: *mut usize,
) -> PortolanStatus {
    guarded(|| {
        check(count, "count")?;
        let lazy = ROUTES.get(route.id)?;
        let mut lazy = lazy.lock().unwrap_or_else(PoisonError::into_inner);
        if lazy.rest.is_empty() {
            let leg = with(planner, world, |planner, world| {
                with_scratch(|scratch| lazy.route.next_leg(planner, world, scratch)).map_err(|error| fault(&error))
            })?;
            lazy.rest.extend(leg.into_iter().flatten().map(PortolanCell::from));
        }
        let given = lazy.rest.len().min(capacity);
        // SAFETY: the caller promises it.
        unsafe { copy(&lazy.rest, cells, capacity, "cells") }?;
        lazy.rest.drain(..given);
        // SAFETY: the caller promises it.
        unsafe { write(count, given, "count") }
    })
}

/// Frees a route.
#[unsafe(no_mangle)]
pub extern "C" fn portolan_route_free(route: PortolanRoute) -> PortolanStatus {
    guarded(|| ROUTES.remove(route.id))
}
