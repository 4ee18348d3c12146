//! Many queries at once.
//!
//! Not here: single queries (`planner.rs`).
#![allow(unsafe_code, reason = "C hands over pointers")]

use crate::failure::{Failure, PortolanStatus, guarded};
use crate::handles::Table;
use crate::planner::{PortolanPlanner, with};
use crate::pointers::{check, copy, read, write};
use crate::types::{PortolanAnswer, PortolanCell, PortolanOutcome, PortolanQuery};
use crate::world::PortolanWorld;
use portolan::any::AnyBatchScratch;
use portolan::{AnswerKind, Answers, Query};

/// The answers to many queries. Free it with `portolan_batch_free`.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[repr(C)]
pub struct PortolanBatch {
    /// What names the batch; 0 names none.
    pub id: u64,
}

static BATCHES: Table<Answers> = Table::new("batch", 4);

/// Answers many queries on so many threads; 0 takes all cores. The answers do not depend on the number of threads.
///
/// # Safety
/// `queries` points to `count` queries, and `batch` to room for a handle.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portolan_find_many(
    planner: PortolanPlanner,
    world: PortolanWorld,
    queries: *const PortolanQuery,
    count: usize,
    threads: usize,
    batch: *mut PortolanBatch,
) -> PortolanStatus {
    guarded(|| {
        check(batch, "batch")?;
        // SAFETY: the caller promises it.
        let queries: Vec<Query> =
            unsafe { read(queries, count, "queries") }?.iter().map(|&query| query.into()).collect();
        let answers = with(planner, world, |planner, world| {
            let mut scratch = AnyBatchScratch::new(threads);
            let answers = planner.find_many(world, &queries, &mut scratch);
            answers.map_err(|error| Failure::new(PortolanStatus::Stale, error))
        })?;
        let handle = PortolanBatch { id: BATCHES.add(answers)? };
        // SAFETY: the caller promises it.
        unsafe { write(batch, handle, "batch") }
    })
}

/// Writes how many answers a batch has, and how many cells all of its routes have together.
///
/// # Safety
/// `answers` and `cells` point to room for a number each.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portolan_batch_size(
    batch: PortolanBatch,
    answers: *mut usize,
    cells: *mut usize,
) -> PortolanStatus {
    guarded(|| {
        let batch = BATCHES.get(batch.id)?;
        check(cells, "cells")?;
        // SAFETY: the caller promises it.
        unsafe { write(answers, batch.len(), "answers") }?;
        // SAFETY: the caller promises it.
        unsafe { write(cells, batch.places().len(), "cells") }
    })
}

/// Writes the answers, in the order of the queries, as far as there is room.
///
/// # Safety
/// `answers` points to room for `capacity` answers.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portolan_batch_answers(
    batch: PortolanBatch,
    answers: *mut PortolanAnswer,
    capacity: usize,
) -> PortolanStatus {
    guarded(|| {
        let batch = BATCHES.get(batch.id)?;
        let answer = |query: usize| PortolanAnswer {
            outcome: outcome(batch.kinds()[query]),
            cost: if batch.route(query).is_empty() { 0 } else { batch.costs()[query].0 },
            count: batch.route(query).len(),
            first: batch.offsets()[query] as usize,
        };
        let told: Vec<PortolanAnswer> = (0..batch.len().min(capacity)).map(answer).collect();
        // SAFETY: the caller promises it.
        unsafe { copy(&told, answers, capacity, "answers") }
    })
}

/// Writes the cells of all routes, one route after the other, as far as there is room.
///
/// # Safety
/// `cells` points to room for `capacity` cells.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn portolan_batch_cells(
    batch: PortolanBatch,
    cells: *mut PortolanCell,
    capacity: usize,
) -> PortolanStatus {
    guarded(|| {
        let batch = BATCHES.get(batch.id)?;
        let told: Vec<PortolanCell> = batch.places().iter().take(capacity).map(|&cell| cell.into()).collect();
        // SAFETY: the caller promises it.
        unsafe { copy(&told, cells, capacity, "cells") }
    })
}

/// Frees a batch.
#[unsafe(no_mangle)]
pub extern "C" fn portolan_batch_free(batch: PortolanBatch) -> PortolanStatus {
    guarded(|| BATCHES.remove(batch.id))
}

fn outcome(kind: AnswerKind) -> PortolanOutcome {
    match kind {
        AnswerKind::Reached => PortolanOutcome::Reached,
        AnswerKind::Partial => PortolanOutcome::Partial,
        AnswerKind::OutOfBudget => PortolanOutcome::OutOfBudget,
        AnswerKind::TooFar => PortolanOutcome::TooFar,
        AnswerKind::OffMap => PortolanOutcome::OffMap,
        AnswerKind::StartBlocked => PortolanOutcome::StartBlocked,
        AnswerKind::OutOfMemory => PortolanOutcome::OutOfMemory,
        _ => PortolanOutcome::Unreachable,
    }
}
