//! Chapter 5 of the thesis behind HNA*, "GPS of the brain": how much longer than the shortest ones the walks of minds are that know a
//! part of their world (figures 5.6 and 5.8 to 5.10), what the hexagons explored in one direction do to that (5.4), and the four
//! settings of its second experiment (5.11). Besides, what the thesis leaves open: familiarity in the estimate against familiarity in
//! the cost of steps, other thresholds δ, and memory that fades.
//!
//! The thesis' worlds are not public. A generated building, city and cave stand in for them, and published maps of games and streets
//! where they are at hand. A few minds learn each world; each then walks between many random pairs of places, always with the knowledge
//! that it had at first, and lengths are numbers of hexagons against those of A* on the same hexagons. Walks of all
//! knowledge are between the same pairs. With full counters the estimate prefers no hexagon, so that walks are as short as A*'s; that 100 % is
//! judged, and the one of hexagons that are merely all known is told beside it.
//!
//! Rahmani: Toward human-like pathfinding with hierarchical approaches and the GPS of the brain theory, 2020.

mod courses;
mod pages;
mod pictures;
mod sweeps;
mod thesis;
mod verdicts;
mod walks;

pub use sweeps::{FadingRow, SweepRow};
pub use walks::Walked;

use super::bucket::mean;
use super::maps::Maps;
use super::{Findings as AnyFindings, Measure, Measured, Options, QUICK_QUERIES, Ran, Study, StudyError};
use crate::progress::{Cancelled, Progress, Steps};
use courses::{Course, Made};
use portolan_sim::mind::MindSettings;
use serde::Serialize;

pub(super) const STUDY: Study = Study {
    name: super::hna_2020::STUDY.name,
    chapters: &[5],
    title: "Toward human-like pathfinding with hierarchical approaches and the GPS of the brain theory, chapter 5",
    paper: super::hna_2020::STUDY.paper,
    summary: "Minds that explore and remember: how long their walks are by what they know, and by how they explore",
    measure: Measure::Besides("", courses::published, measure),
};

/// What is measured.
struct Plan {
    made: &'static [Made],
    /// The most published maps.
    most_maps: usize,
    /// How many minds learn each world.
    minds: usize,
    /// The worlds on which settings are swept, by their places among those that are made.
    swept: usize,
    /// Columns and rows of the worlds that are drawn.
    drawn: [usize; 2],
}

const FULL: Plan = Plan { made: &courses::FULL, most_maps: usize::MAX, minds: 5, swept: 3, drawn: [72, 48] };
const QUICK: Plan = Plan { made: &courses::QUICK, most_maps: 1, minds: 2, swept: 1, drawn: [40, 28] };

/// Pairs of places on each world: as many as means of ratios need.
const PAIRS: usize = 1_000;
/// One of so many pairs is walked in sweeps of settings.
const SWEPT_PAIRS: usize = 5;

/// Percent of the hexagons that minds know, as in the thesis.
const KNOWLEDGE: [f64; 5] = [0.0, 25.0, 50.0, 75.0, 100.0];

/// What was found.
#[derive(Clone, Debug, Serialize)]
pub struct Findings {
    /// Figures 5.6 and 5.8 to 5.10: one entry for each world.
    pub maps: Vec<MapFindings>,
    /// Figure 5.4, and other settings of exploring.
    pub exploring: Vec<SweepRow>,
    /// The settings of the second experiment, figure 5.11.
    pub experiment: Vec<SweepRow>,
    /// Familiarity in the estimate and in the cost of steps.
    pub recall: Vec<SweepRow>,
    /// Memory that fades.
    pub fading: Vec<FadingRow>,
    /// How many walks did not arrive.
    pub lost: usize,
}

/// The results on one world.
#[derive(Clone, Debug, Serialize)]
pub struct MapFindings {
    /// The name of the world.
    pub map: String,
    /// How many hexagons its largest part has.
    pub hexagons: usize,
    /// By knowledge, least first; the last is 100 % with all counters full.
    pub levels: Vec<Level>,
}

/// The walks of minds with as much knowledge.
#[derive(Clone, Debug, Serialize)]
pub struct Level {
    /// The percent of the hexagons that minds were to know.
    pub knowledge: f64,
    /// Whether all counters were full.
    pub full: bool,
    /// The walks.
    #[serde(flatten)]
    pub walked: Walked,
}

fn measure(maps: Option<&Maps>, options: &Options, progress: &mut Progress) -> Result<Ran, StudyError> {
    measure_by(if options.quick { &QUICK } else { &FULL }, maps, options, progress)
}

fn measure_by(plan: &Plan, maps: Option<&Maps>, options: &Options, progress: &mut Progress) -> Result<Ran, StudyError> {
    let queries = options.queries.unwrap_or(if options.quick { QUICK_QUERIES } else { PAIRS });
    let published = maps.map_or(&[][..], |maps| &maps.grids);
    let published = &published[..published.len().min(plan.most_maps)];
    let count = plan.made.len() + published.len();
    let total = count * (KNOWLEDGE.len() + 1) + plan.swept * sweeps::count() + pictures::COUNT;
    let mut steps = Steps::new(progress, total as u64)?;
    let mut courses = Vec::with_capacity(count);
    for made in plan.made {
        courses.push(made.course(plan.minds, queries, options.seed)?);
    }
    for map in published {
        courses.push(Course::new(map.name.clone(), &map.world, plan.minds, queries, options.seed)?);
        steps.still()?;
    }
    let mut found = Vec::with_capacity(count);
    for course in &courses {
        found.push(map(course, &mut steps)?);
    }
    let swept: Vec<Course> = courses[..plan.swept].iter().map(|course| course.part(SWEPT_PAIRS)).collect();
    let mut findings = Findings {
        maps: found,
        exploring: sweeps::exploring(&swept, &mut steps)?,
        experiment: sweeps::experiment(&swept, &mut steps)?,
        recall: sweeps::recall(&swept, &mut steps)?,
        fading: sweeps::fading(&swept, &mut steps)?,
        lost: 0,
    };
    findings.lost = lost(&findings);
    let drawn = pictures::draw(plan.drawn, options.seed, &mut steps)?;
    let document = pages::document(&findings, drawn);
    let free_cells = mean(courses.iter().map(|course| course.hexagons as f64));
    let from = if published.is_empty() { "the generator" } else { "the generator and from files" };
    Ok(Ran {
        measured: Measured { findings: AnyFindings::Minds2020(findings), document },
        source: (from.to_owned(), "pairs"),
        queries,
        worlds: courses.len(),
        free_cells,
        unit: "hexagons",
    })
}

/// Walks between all pairs of a world with every amount of knowledge.
fn map(course: &Course, steps: &mut Steps) -> Result<MapFindings, Cancelled> {
    let mut levels = Vec::with_capacity(KNOWLEDGE.len() + 1);
    let amounts = KNOWLEDGE.into_iter().map(|knowledge| (knowledge, false)).chain([(100.0, true)]);
    for (knowledge, full) in amounts {
        let settings = settings(&format!("knowledge={knowledge}"));
        let learned = course.learned(&settings, full, steps)?;
        levels.push(Level { knowledge, full, walked: course.walk(&learned, steps)? });
        steps.advance(1)?;
    }
    Ok(MapFindings { map: course.name.clone(), hexagons: course.hexagons, levels })
}

/// Reads settings that the study has.
///
/// # Panics
/// When there are none such; the texts in studies are constants.
fn settings(text: &str) -> MindSettings {
    text.parse().expect("studies use settings that exist")
}

/// Returns how many walks of all that were measured did not arrive.
fn lost(found: &Findings) -> usize {
    let levels = found.maps.iter().flat_map(|map| &map.levels).map(|level| &level.walked);
    let swept = [&found.exploring, &found.experiment, &found.recall].into_iter().flatten().map(|row| &row.walked);
    let faded = found.fading.iter().map(|row| &row.walked);
    levels.chain(swept).chain(faded).map(|walked| walked.lost).sum()
}

#[cfg(test)]
mod tests;
