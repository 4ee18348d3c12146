//! Routes for many agents: one after another in a frame (table 4.1), and in batches on one core and on all (figures 4.1 and
//! 4.3).
//!
//! Not here: the batches on a graphics processor (`device.rs`), on which the thesis' times were taken.

use super::courses::Course;
use super::device::{Device, DeviceRow, Known};
use super::{PASSES, Plan, SHARES, built, entrant, hna_star};
use crate::mesh::race::{Built, MeshEntrant, race_built};
use crate::mesh::random;
use crate::progress::Steps;
use crate::race::{Processor, RaceResult, Row};
use crate::study::{MapsError, StudyError};
use portolan::algorithms::mesh::{A_STAR, HNA_STAR, POLYANYA, RHUMB};
use portolan::{AnswerKind, Answers, BatchScratch, MeshPoint, NavMesh, Query, Snapshot};
use serde::Serialize;
use std::time::Instant;

/// The levels and the merging with which HNA* runs where the thesis names none.
pub(super) const CONFIGURATION: (u32, usize) = (2, 10);
/// Runs of a batch; the fastest counts.
const ROUNDS: usize = 5;
/// Batches of A* of at least so many queries take seconds and run once.
const LONG: usize = 100_000;

/// The entrants of a batch. The first is A* over polygons.
pub(super) const BATCHED: [&str; 3] = ["A*", "PCCP", "rhumb"];

/// A batch of queries, one for each agent, answered by one algorithm.
#[derive(Clone, Debug, Serialize)]
pub struct BatchRow {
    /// The name of the mesh.
    pub map: String,
    /// The algorithm.
    pub algorithm: &'static str,
    /// The number of agents.
    pub agents: usize,
    /// The number of threads.
    pub threads: usize,
    /// Milliseconds for all of them, the least of five runs; large batches of A* run once.
    pub batch_ms: f64,
    /// The number of agents that were not given a legal route, and of runs whose answers differ from those of another
    /// number of threads.
    pub mismatches: usize,
}

/// Races the algorithms of table 4.1, with the levels and the merging that the thesis has there, and more beside them.
pub(super) fn frame(
    course: &Course,
    tally: &mut impl FnMut(&RaceResult),
    steps: &mut Steps,
) -> Result<Vec<Row>, StudyError> {
    let (levels, merge) = configuration(course);
    let entrants = [
        entrant(&A_STAR, &[]),
        hna_star(levels, merge, "a-star"),
        hna_star(levels, merge, "pccp"),
        MeshEntrant::new(&HNA_STAR),
        MeshEntrant::new(&RHUMB),
        MeshEntrant::new(&POLYANYA),
    ];
    let mut field = Vec::with_capacity(entrants.len());
    for entrant in entrants {
        steps.still()?;
        // Polyanya takes no mesh of several weights.
        field.extend(Built::new(&course.world, entrant).ok());
    }
    let (name, trials) = (&course.name, &course.trials);
    let result =
        steps.part(SHARES, |progress| race_built(name, &course.world, trials, &field, (PASSES, 1), progress))?;
    tally(&result);
    Ok(result.rows)
}

/// Returns the levels and the merging that table 4.1 has for the world that a city stands in for.
fn configuration(course: &Course) -> (u32, usize) {
    let printed = course.city.and_then(|city| city.thesis.agents.as_ref());
    printed.map_or(CONFIGURATION, |printed| (printed.levels, printed.merge))
}

/// Answers batches of queries on one core and on all, and on a graphics processor if there is one.
pub(super) fn batches(
    course: &Course,
    plan: &Plan,
    seed: u64,
    processor: Option<&Processor>,
    steps: &mut Steps,
) -> Result<(Vec<BatchRow>, Vec<DeviceRow>), StudyError> {
    let world = &course.world;
    let (levels, merge) = CONFIGURATION;
    let entrants = [entrant(&A_STAR, &[]), hna_star(levels, merge, "pccp"), MeshEntrant::new(&RHUMB)];
    let field: Vec<(&'static str, Built)> =
        BATCHED.into_iter().zip(entrants.map(|entrant| built(world, entrant))).collect();
    let mut scratches = vec![BatchScratch::new(1)];
    let all = BatchScratch::new(0);
    if all.threads() > 1 {
        scratches.push(all);
    }
    let mut device = processor.map(|processor| Device::new(processor, course, &field));
    let queries = |agents: usize| -> Result<Vec<Query<MeshPoint>>, StudyError> {
        let pairs =
            random(world, agents, seed).map_err(|source| MapsError::Pairs { map: course.name.clone(), source })?;
        Ok(pairs.into_iter().map(|pair| Query::new(pair.from, pair.to)).collect())
    };
    let (mut rows, mut on_device) = (Vec::new(), Vec::new());
    for &agents in plan.batches {
        let queries = queries(agents)?;
        let (own, known) = batch(course, &queries, &field, &mut scratches, steps)?;
        rows.extend(own);
        if let Some(device) = &mut device {
            on_device.extend(device.batch(course, &queries, &field, &known, steps)?);
        }
    }
    if let Some(device) = device.as_mut().filter(|_| processor.is_some_and(|processor| !processor.is_software())) {
        for &agents in plan.device_batches {
            on_device.extend(device.batch(course, &queries(agents)?, &field, &[], steps)?);
        }
    }
    Ok((rows, on_device))
}

/// Answers one batch by each algorithm with each scratch, in turns. Returns the answers too, by algorithm.
fn batch(
    course: &Course,
    queries: &[Query<MeshPoint>],
    field: &[(&'static str, Built)],
    scratches: &mut [BatchScratch<NavMesh>],
    steps: &mut Steps,
) -> Result<(Vec<BatchRow>, Known), StudyError> {
    let row = |&(algorithm, _): &(&'static str, Built), threads| BatchRow {
        map: course.name.clone(),
        algorithm,
        agents: queries.len(),
        threads,
        batch_ms: f64::MAX,
        mismatches: 0,
    };
    let threads: Vec<usize> = scratches.iter().map(BatchScratch::threads).collect();
    let mut rows: Vec<BatchRow> =
        field.iter().flat_map(|entrant| threads.iter().map(move |&threads| row(entrant, threads))).collect();
    let mut firsts: Known = vec![None; field.len()];
    let mut answers = Answers::new();
    for round in 0..ROUNDS {
        for turn in 0..rows.len() {
            let place = (round + turn) % rows.len();
            let (entrant, scratch) = (place / threads.len(), place % threads.len());
            if round > 0 && entrant == 0 && queries.len() >= LONG {
                continue;
            }
            let planner = &field[entrant].1.planner;
            let begun = Instant::now();
            let done = planner.find_many_into(&course.world, queries, &mut scratches[scratch], &mut answers);
            let time = begun.elapsed();
            done.expect("the mesh has not changed");
            rows[place].batch_ms = rows[place].batch_ms.min(time.as_secs_f64() * 1e3);
            match &firsts[entrant] {
                None => {
                    rows[place].mismatches += wrong(&course.world, queries, &answers);
                    firsts[entrant] = Some(answers.clone());
                }
                Some(first) => rows[place].mismatches += usize::from(*first != answers),
            }
            steps.still()?;
        }
    }
    Ok((rows, firsts))
}

/// Returns how many queries were not answered with a legal route from start to goal.
pub(super) fn wrong(world: &Snapshot<NavMesh>, queries: &[Query<MeshPoint>], answers: &Answers<MeshPoint>) -> usize {
    let is_right = |(number, query): &(usize, &Query<MeshPoint>)| {
        let ends = (answers.route(*number).first(), answers.route(*number).last());
        answers.kinds()[*number] == AnswerKind::Reached
            && ends == (Some(&query.from), Some(&query.to))
            && answers
                .outcome::<NavMesh>(*number)
                .is_ok_and(|outcome| outcome.route().is_some_and(|route| route.check(world).is_ok()))
    };
    queries.iter().enumerate().filter(|numbered| !is_right(numbered)).count()
}
