//! Settings of minds, one changed at a time: how they explore, where familiarity counts, and how memory fades.

use super::courses::Course;
use super::{Walked, settings, thesis};
use crate::progress::{Cancelled, Steps};
use serde::Serialize;

/// Hexagons explored in one direction: C of the thesis.
const STRETCHES: [u16; 7] = [1, 2, 3, 5, 8, 12, 20];
/// Thresholds of directions: δ of the thesis.
const DELTAS: [f64; 5] = [-1.0, -0.5, 0.0, 0.5, 0.8];
/// Percent known where familiarity counts in two ways.
const KNOWN: [f64; 3] = [25.0, 50.0, 75.0];
/// Percent known before memory fades, and the ticks of an epoch: more than a walk has, so that memory hardly fades on a walk.
const BEFORE_FADING: f64 = 75.0;
const EPOCH: u64 = 100_000;
/// Epochs that pass between learning and walking.
const EPOCHS: [u64; 7] = [0, 1, 2, 3, 4, 8, 16];

/// Walks of minds with some setting changed.
#[derive(Clone, Debug, Serialize)]
pub struct SweepRow {
    /// The world.
    pub map: String,
    /// The settings that are not the usual ones, as they are read.
    pub settings: String,
    /// The value of the setting that is swept, if it is a number.
    pub value: f64,
    /// The walks.
    #[serde(flatten)]
    pub walked: Walked,
}

/// Walks of minds after some time in which memory faded.
#[derive(Clone, Debug, Serialize)]
pub struct FadingRow {
    /// The world.
    pub map: String,
    /// Whether doorways, junctions and corners fade more slowly.
    pub landmarks: bool,
    /// How many epochs passed; at the end of each, counters fall by 1.
    pub epochs: u64,
    /// The walks.
    #[serde(flatten)]
    pub walked: Walked,
}

/// Returns how many sets of walks there are for each world.
pub(super) fn count() -> usize {
    STRETCHES.len() + DELTAS.len() + thesis::EXPERIMENT.len() + 2 * KNOWN.len() + 2 * EPOCHS.len()
}

/// Explores with nothing known, by stretch and then by δ.
pub(super) fn exploring(courses: &[Course], steps: &mut Steps) -> Result<Vec<SweepRow>, Cancelled> {
    let stretches = STRETCHES.map(|stretch| (format!("stretch={stretch}"), f64::from(stretch)));
    let deltas = DELTAS.map(|delta| (format!("delta={delta}"), delta));
    rows(courses, &[&stretches[..], &deltas].concat(), steps)
}

/// Walks with the settings of the second experiment.
pub(super) fn experiment(courses: &[Course], steps: &mut Steps) -> Result<Vec<SweepRow>, Cancelled> {
    let all = thesis::EXPERIMENT.map(|(_, text)| (text.to_owned(), settings(text).knowledge()));
    rows(courses, &all, steps)
}

/// Walks with familiarity in the estimate and in the cost of steps.
pub(super) fn recall(courses: &[Course], steps: &mut Steps) -> Result<Vec<SweepRow>, Cancelled> {
    let both = |known: f64| ["estimate", "cost"].map(|recall| (format!("knowledge={known},recall={recall}"), known));
    rows(courses, KNOWN.map(both).as_flattened(), steps)
}

fn rows(courses: &[Course], swept: &[(String, f64)], steps: &mut Steps) -> Result<Vec<SweepRow>, Cancelled> {
    let mut rows = Vec::with_capacity(courses.len() * swept.len());
    for (course, (text, value)) in courses.iter().flat_map(|course| swept.iter().map(move |swept| (course, swept))) {
        let minds = course.learned(&settings(text), false, steps)?;
        let walked = course.walk(&minds, steps)?;
        rows.push(SweepRow { map: course.name.clone(), settings: text.clone(), value: *value, walked });
        steps.advance(1)?;
    }
    Ok(rows)
}

/// Walks after memory has faded for some time, with and without landmarks.
pub(super) fn fading(courses: &[Course], steps: &mut Steps) -> Result<Vec<FadingRow>, Cancelled> {
    let mut rows = Vec::with_capacity(2 * courses.len() * EPOCHS.len());
    for (course, landmarks) in courses.iter().flat_map(|course| [true, false].map(move |landmarks| (course, landmarks)))
    {
        let word = if landmarks { "yes" } else { "no" };
        let settings = settings(&format!("knowledge={BEFORE_FADING},fade={EPOCH},landmarks={word}"));
        let mut minds = course.learned(&settings, false, steps)?;
        let mut passed = 0;
        for epochs in EPOCHS {
            for mind in &mut minds {
                mind.rest(&course.lattice, (epochs - passed) * EPOCH);
            }
            passed = epochs;
            let walked = course.walk(&minds, steps)?;
            rows.push(FadingRow { map: course.name.clone(), landmarks, epochs, walked });
            steps.advance(1)?;
        }
    }
    Ok(rows)
}
