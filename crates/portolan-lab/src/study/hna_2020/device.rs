//! Batches on a graphics processor: A*, PCCP and the rhumb chart with one thread for each agent, as in chapter 4 of the thesis.
//!
//! Not here: the same batches on the CPU (`agents.rs`), and computing on graphics processors (`portolan-gpu`).

use super::agents::{BATCHED, wrong};
use super::courses::Course;
use crate::mesh::race::Built;
use crate::progress::Steps;
use crate::race::{Processor, UploadedChart};
use crate::study::StudyError;
use portolan::{Answers, BatchScratch, MeshPoint, NavMesh, Query};
use serde::Serialize;
use std::time::Instant;

/// Runs of a batch; the fastest counts.
const ROUNDS: usize = 5;
/// The most agents of a batch on a driver that computes on the CPU: more would take minutes and tell nothing.
const MOST_IN_SOFTWARE: usize = 1_000;

/// The graphics processor of a study.
#[derive(Clone, Debug, Serialize)]
pub struct DeviceFindings {
    /// Its name, `None` if there is none.
    pub name: Option<String>,
    /// Why there is none.
    pub reason: Option<String>,
    /// Whether it is a program on the CPU.
    pub is_software: bool,
    /// Figures 4.1 and 4.3.
    pub batches: Vec<DeviceRow>,
}

/// A batch of queries, one for each agent, answered by one algorithm on a graphics processor.
#[derive(Clone, Debug, Serialize)]
pub struct DeviceRow {
    /// The name of the mesh.
    pub map: String,
    /// The algorithm.
    pub algorithm: &'static str,
    /// The number of agents.
    pub agents: usize,
    /// Milliseconds by the processor's own clock, or with the ways there and back if it has none: the least of some runs.
    pub device_ms: f64,
    /// Milliseconds from the queries in memory to the answers in memory: the least of some runs.
    pub whole_ms: f64,
    /// The number of agents without a legal route, or 1 if the answers differ from those of the CPU.
    pub mismatches: usize,
}

impl DeviceFindings {
    /// Returns findings without any batch.
    pub(super) fn of(processor: Result<&Processor, String>) -> DeviceFindings {
        let is_software = processor.as_ref().is_ok_and(|processor| processor.is_software());
        let (name, reason) = match processor {
            Ok(processor) => (Some(processor.name()), None),
            Err(reason) => (None, Some(reason)),
        };
        DeviceFindings { name, reason, is_software, batches: Vec::new() }
    }
}

/// The answers of the CPU to a batch, for each entrant that was asked.
pub(super) type Known = Vec<Option<Answers<MeshPoint>>>;

/// The charts of a field of entrants on a processor.
pub(super) struct Device<'a> {
    processor: &'a Processor,
    /// For each entrant its chart, or why it is not there.
    charts: Vec<Result<UploadedChart<NavMesh>, String>>,
    scratch: BatchScratch<NavMesh>,
}

impl<'a> Device<'a> {
    pub(super) fn new(processor: &'a Processor, course: &Course, field: &[(&'static str, Built)]) -> Device<'a> {
        let upload = |(_, built): &(_, Built)| UploadedChart::new(processor, &built.planner, &course.world);
        Device { processor, charts: field.iter().map(upload).collect(), scratch: BatchScratch::new(0) }
    }

    /// Answers one batch by each algorithm. `known` are the answers of the CPU, if it was asked. A processor that fails gives no
    /// rows.
    pub(super) fn batch(
        &mut self,
        course: &Course,
        queries: &[Query<MeshPoint>],
        field: &[(&'static str, Built)],
        known: &[Option<Answers<MeshPoint>>],
        steps: &mut Steps,
    ) -> Result<Vec<DeviceRow>, StudyError> {
        let mut rows = Vec::new();
        if self.processor.is_software() && queries.len() > MOST_IN_SOFTWARE {
            return Ok(rows);
        }
        for (place, (algorithm, built)) in field.iter().enumerate() {
            let Ok(chart) = &mut self.charts[place] else { continue };
            let mut row = DeviceRow {
                map: course.name.clone(),
                algorithm,
                agents: queries.len(),
                device_ms: f64::MAX,
                whole_ms: f64::MAX,
                mismatches: 0,
            };
            let mut is_answered = true;
            for round in 0..if self.processor.is_software() { 2 } else { ROUNDS } {
                let begun = Instant::now();
                let found = chart.find_many(&built.planner, &course.world, queries, &mut self.scratch);
                let whole = begun.elapsed();
                let Ok((answers, own)) = found else {
                    is_answered = false;
                    break;
                };
                row.whole_ms = row.whole_ms.min(whole.as_secs_f64() * 1e3);
                row.device_ms = row.device_ms.min(own.unwrap_or(whole).as_secs_f64() * 1e3);
                if round == 0 {
                    row.mismatches = match known.get(place) {
                        Some(Some(known)) => usize::from(*known != answers),
                        _ => wrong(&course.world, queries, &answers),
                    };
                }
                steps.still()?;
            }
            if is_answered {
                rows.push(row);
            }
        }
        Ok(rows)
    }
}

/// Returns how many times as fast as A* on the same processor a batch is; `None` for A* itself.
pub(super) fn speed_up(rows: &[DeviceRow], row: &DeviceRow) -> Option<f64> {
    let is_plain =
        |other: &&DeviceRow| other.algorithm == BATCHED[0] && (&other.map, other.agents) == (&row.map, row.agents);
    let plain = rows.iter().find(is_plain).filter(|_| row.algorithm != BATCHED[0])?;
    Some(plain.device_ms / row.device_ms)
}
