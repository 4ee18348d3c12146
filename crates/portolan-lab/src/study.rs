//! The papers' experiments, run again: [`STUDIES`] lists them, [`Study::run`] runs one on a folder of maps, and what
//! comes of it stands beside the paper's own figures, with a verdict on each target. A question of our own, which no paper
//! asks, is a study too and makes its own worlds.
//!
//! One study is one file named as its paper is; what they share is how trials are drawn and timed, how samples fall into
//! buckets, and how a result becomes text or a page. All numbers but times are the same on every machine.
//!
//! Not here: terminals, writing files, and searches.

mod bucket;
pub mod dhpa_2010;
mod document;
mod effort;
mod field;
pub mod hpa_2004;
mod maps;
pub mod pra_2017;
pub mod sizes;

pub use document::{Block, Section, Verdict};
pub use maps::{Maps, MapsError, rules};

use crate::progress::{Cancelled, Progress, Steps};
use document::Document;
use maps::{Course, Ground};
use serde::Serialize;
use std::path::Path;

/// Queries a map, as many as HPA* 2004 asked.
const QUERIES: usize = 100;
/// Maps and queries a map when time is short.
const QUICK_MAPS: usize = 12;
const QUICK_QUERIES: usize = 20;

/// An experiment of a paper.
pub struct Study {
    /// Its name on the command line.
    pub name: &'static str,
    /// The paper's title.
    pub title: &'static str,
    /// Who wrote it, and when.
    pub paper: &'static str,
    /// What is measured, in a line.
    pub summary: &'static str,
    measure: Measure,
}

/// How a study is run.
enum Measure {
    /// On maps, under the papers' rules.
    Maps(Ground, OnMaps),
    /// On worlds it makes.
    Own(OnOwn),
}

/// A step for each map.
type OnMaps = fn(&Field, &mut Steps) -> Result<Measured, Cancelled>;
type OnOwn = fn(&Options, &mut Progress) -> Result<Ran, StudyError>;

/// Why a study has no results.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// There is nothing to study.
    #[error(transparent)]
    Maps(#[from] MapsError),
    /// It was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// Every study there is.
pub const STUDIES: &[Study] = &[hpa_2004::STUDY, dhpa_2010::STUDY, pra_2017::STUDY, sizes::STUDY];

/// Looks a study up by its name.
pub fn study(name: &str) -> Option<&'static Study> {
    STUDIES.iter().find(|study| study.name == name)
}

/// How much to measure.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// Queries a map; unless given, as many as the papers asked, or few when in haste.
    pub queries: Option<usize>,
    /// Which random queries.
    pub seed: u64,
    /// Only some of the maps, and few queries on each.
    pub quick: bool,
    /// Cells along the side of the largest world, where a study makes its own.
    pub largest: Option<usize>,
    /// Names of the algorithms to measure, where a study leaves that open; those it thinks of itself unless given.
    pub with: Vec<&'static str>,
}

/// What a study measures on.
struct Field {
    courses: Vec<Course>,
}

/// What a study found.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Findings {
    /// Of HPA*.
    Hpa2004(hpa_2004::Findings),
    /// Of DHPA* and SHPA*.
    Dhpa2010(dhpa_2010::Findings),
    /// Of PRA*.
    Pra2017(pra_2017::Findings),
    /// Of ever larger worlds.
    Sizes(sizes::Findings),
}

/// What a study hands back: numbers for programs, a document for people.
struct Measured {
    findings: Findings,
    document: Document,
}

/// The same, and what it was measured on.
struct Ran {
    measured: Measured,
    queries: usize,
    worlds: usize,
    free_cells: f64,
}

/// A study that was run.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// Which study.
    pub study: &'static str,
    /// Where its maps come from.
    pub maps_from: String,
    /// How many.
    pub maps: usize,
    /// Free cells of a map on average.
    pub free_cells: f64,
    /// Queries a map.
    pub queries: usize,
    /// Which random queries.
    pub seed: u64,
    /// The numbers.
    pub findings: Findings,
    /// Each target and whether it was met.
    pub verdicts: Vec<Verdict>,
    /// The paper's title, and what was run.
    #[serde(skip)]
    pub headings: [String; 2],
    /// The numbers for people.
    #[serde(skip)]
    pub sections: Vec<Section>,
}

impl Study {
    /// Whether it runs on maps that are brought to it, and not on worlds it makes itself.
    pub fn takes_maps(&self) -> bool {
        matches!(self.measure, Measure::Maps(..))
    }

    /// What the study wants of a folder: every map in it, or those its paper names wherever below it they are; nothing
    /// where it makes its own worlds.
    ///
    /// # Errors
    /// When there is no such map, or one cannot be read.
    pub fn maps_in(&self, folder: &Path) -> Result<Option<Maps>, MapsError> {
        match &self.measure {
            Measure::Maps(ground, _) => (ground.folder)(folder).map(Some),
            Measure::Own(_) => Ok(None),
        }
    }

    /// The same of the folder where maps are looked for, if somebody has put the paper's own there.
    ///
    /// # Errors
    /// When a map cannot be read.
    pub fn maps_at_hand(&self) -> Result<Option<Maps>, MapsError> {
        let Measure::Maps(ground, _) = &self.measure else { return Ok(None) };
        let folder = crate::maps::folder().map(|folder| folder.join(ground.shelf)).filter(|folder| folder.is_dir());
        match folder.map(|folder| (ground.folder)(&folder)).transpose() {
            Err(MapsError::NoneOf { .. }) => Ok(None),
            maps => maps,
        }
    }

    /// Runs the study on these maps, or on generated look-alikes; one that makes its own worlds does not look at them.
    /// `progress` hears of steps: a map is one, and on worlds of its own a study takes many for each.
    ///
    /// # Errors
    /// When a map has no two connected cells to ask about, or `progress` says to stop; planners are built to their end, as
    /// are the few queries that 50 ms hold.
    pub fn run(&self, maps: Option<&Maps>, options: &Options, progress: &mut Progress) -> Result<Results, StudyError> {
        match &self.measure {
            Measure::Maps(ground, measure) => match maps {
                Some(maps) => self.run_on(maps, *measure, options, progress),
                None => self.run_on(&(ground.look_alikes)(options.quick), *measure, options, progress),
            },
            Measure::Own(measure) => {
                let ran = measure(options, progress)?;
                let part = ran.worlds.to_string();
                Ok(self.results(ran, "the generator", &part, options.seed))
            }
        }
    }

    fn run_on(
        &self,
        maps: &Maps,
        measure: OnMaps,
        options: &Options,
        progress: &mut Progress,
    ) -> Result<Results, StudyError> {
        let queries = options.queries.unwrap_or(if options.quick { QUICK_QUERIES } else { QUERIES });
        let most = if options.quick { QUICK_MAPS } else { usize::MAX };
        let mut steps = Steps::new(progress, most.min(maps.len()) as u64)?;
        let field = Field { courses: maps.courses(most, queries, options.seed)? };
        let free_cells = bucket::mean(field.courses.iter().map(|course| course.world.free_cells() as f64));
        let worlds = field.courses.len();
        let part = if worlds < maps.len() { format!("{worlds} of {}", maps.len()) } else { worlds.to_string() };
        let ran = Ran { measured: measure(&field, &mut steps)?, queries, worlds, free_cells };
        Ok(self.results(ran, &maps.from, &part, options.seed))
    }

    fn results(&self, ran: Ran, from: &str, part: &str, seed: u64) -> Results {
        let Ran { measured: Measured { findings, document }, queries, worlds, free_cells } = ran;
        let ran = format!(
            "{part} maps from {from} with {free_cells:.0} free cells on average, {queries} queries a map, seed {seed}"
        );
        Results {
            study: self.name,
            maps_from: from.to_owned(),
            maps: worlds,
            free_cells,
            queries,
            seed,
            findings,
            verdicts: document.verdicts,
            headings: [format!("{} ({})", self.title, self.paper), ran],
            sections: document.sections,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::tests::{all_told, stopped_at};

    #[test]
    fn every_study_stops_when_told_to() {
        let (quick, largest, with) = (true, Some(256), vec!["a-star", "hpa-star"]);
        let options = Options { queries: Some(3), seed: 3, quick, largest, with };
        for study in STUDIES {
            let run = |progress: &mut Progress| study.run(None, &options, progress);
            let (_, told) = all_told(run);
            assert!(told.len() > 40, "{}: told {} times", study.name, told.len());
            for call in [1, 2, 40] {
                let (result, told) = stopped_at(call, run);
                assert!(matches!(result, Err(StudyError::Cancelled(_))), "{}", study.name);
                assert_eq!(told.len(), call, "{}", study.name);
            }
        }
    }

    #[test]
    fn studies_are_found_by_name() {
        for listed in STUDIES {
            assert_eq!(study(listed.name).map(|found| found.title), Some(listed.title));
        }
        assert!(study("hpa-2005").is_none());
    }
}
