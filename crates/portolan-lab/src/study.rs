//! The experiments of the papers, repeated: [`STUDIES`] lists them, and [`Study::run`] runs one on a folder of maps and
//! sets its results beside the paper's figures, with a verdict on each target. A question of our own, which no paper
//! asks, can be a study too; it makes its own worlds.
//!
//! Each study has a file named after its paper. The studies share how trials are drawn and timed, how samples are put
//! into buckets, and how a result becomes text or a page. All numbers except times are equal on every machine.
//!
//! Not here: terminals, writing files, and searches.

pub mod any_angle;
mod bucket;
pub mod dhpa_2010;
mod document;
pub mod dstar_2008;
mod effort;
mod field;
pub mod haa_2008;
pub mod hna_2020;
pub mod hpa_2004;
mod maps;
pub mod minds_2020;
pub mod pra_2017;
pub mod sizes;

pub use document::{Block, Section, Verdict};
pub use maps::{Maps, MapsError, rules};

use crate::progress::{Cancelled, Progress, Steps};
use document::Document;
use maps::{Course, Ground};
use serde::Serialize;
use std::path::Path;

/// Queries on each map, as many as in the paper HPA* 2004.
const QUERIES: usize = 100;
/// The greatest number of maps, and the queries on each map, if [`Options::quick`] is set.
const QUICK_MAPS: usize = 12;
const QUICK_QUERIES: usize = 20;

/// An experiment of a paper, or one of our own.
pub struct Study {
    /// Its name on the command line.
    pub name: &'static str,
    /// The chapters of the paper that it repeats, if there are others that another study of the name repeats.
    pub chapters: &'static [u32],
    /// The paper's title.
    pub title: &'static str,
    /// The authors of the paper and its year.
    pub paper: &'static str,
    /// What is measured, in one line.
    pub summary: &'static str,
    measure: Measure,
}

/// How a study is run.
enum Measure {
    /// On maps, under the rules of the paper.
    Maps(Ground, OnMaps),
    /// On worlds that the study makes, and besides on those that a function finds in a folder. By default the folder is the one of
    /// this name below the one in which maps are searched for.
    Besides(&'static str, fn(&Path) -> Result<Maps, MapsError>, OnBoth),
    /// On worlds that the study has or makes.
    Own(OnOwn),
}

/// Measures on maps; every map is one step.
type OnMaps = fn(&Field, &mut Steps) -> Result<Measured, Cancelled>;
/// Measures on worlds that the study makes, and on others besides.
type OnBoth = fn(Option<&Maps>, &Options, &mut Progress) -> Result<Ran, StudyError>;
type OnOwn = fn(&Options, &mut Progress) -> Result<Ran, StudyError>;

/// Why a study has no results.
#[derive(Debug, thiserror::Error)]
pub enum StudyError {
    /// There are no maps, or nothing can be asked about a map.
    #[error(transparent)]
    Maps(#[from] MapsError),
    /// The study was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
}

/// All studies.
pub const STUDIES: &[Study] = &[
    hpa_2004::STUDY,
    dhpa_2010::STUDY,
    pra_2017::STUDY,
    haa_2008::STUDY,
    hna_2020::STUDY,
    dstar_2008::STUDY,
    any_angle::STUDY,
    sizes::STUDY,
];

/// Studies of further chapters of papers that are studied; see [`Study::of_chapter`].
pub const FURTHER_CHAPTERS: &[Study] = &[minds_2020::STUDY];

/// Returns the study of this name, if there is one.
pub fn study(name: &str) -> Option<&'static Study> {
    STUDIES.iter().find(|study| study.name == name)
}

/// How much to measure.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Options {
    /// Queries on each map. If `None`, each study has its own number, and all of them ask 20 if `quick` is set.
    pub queries: Option<usize>,
    /// The seed from which random queries are drawn.
    pub seed: u64,
    /// Whether to measure only some of the maps, with few queries on each.
    pub quick: bool,
    /// Cells along the side of the largest world, for studies that make their own worlds.
    pub largest: Option<usize>,
    /// Names of the algorithms to measure, for studies that leave this open. If empty, the study chooses them.
    pub with: Vec<&'static str>,
}

/// The maps and queries that a study measures on.
struct Field {
    courses: Vec<Course>,
}

/// The findings of a study.
#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
pub enum Findings {
    /// HPA*.
    Hpa2004(hpa_2004::Findings),
    /// DHPA* and SHPA*.
    Dhpa2010(dhpa_2010::Findings),
    /// PRA*.
    Pra2017(pra_2017::Findings),
    /// HAA*.
    Haa2008(haa_2008::Findings),
    /// HNA*.
    Hna2020(hna_2020::Findings),
    /// Minds.
    Minds2020(minds_2020::Findings),
    /// D* and Focused D*.
    Dstar2008(dstar_2008::Findings),
    /// Routes at any angle.
    AnyAngle(any_angle::Findings),
    /// Worlds of growing size.
    Sizes(sizes::Findings),
}

/// The result of a study: numbers for programs and a document for people.
struct Measured {
    findings: Findings,
    document: Document,
}

/// The result of a study, and what it was measured on.
struct Ran {
    measured: Measured,
    /// Where the worlds come from, and what is done on each of them `queries` times.
    source: (String, &'static str),
    queries: usize,
    worlds: usize,
    /// The mean size of a world, and what it is counted in.
    free_cells: f64,
    unit: &'static str,
}

/// The results of a study.
#[derive(Clone, Debug, Serialize)]
pub struct Results {
    /// The name of the study.
    pub study: &'static str,
    /// Where its maps come from.
    pub maps_from: String,
    /// The number of maps.
    pub maps: usize,
    /// Mean number of free cells of a map, of polygons if it is a mesh.
    pub free_cells: f64,
    /// Queries on each map.
    pub queries: usize,
    /// The seed from which random queries were drawn.
    pub seed: u64,
    /// The findings as numbers.
    pub findings: Findings,
    /// Each target, and whether it was met.
    pub verdicts: Vec<Verdict>,
    /// The paper's title, and a line on what was measured.
    #[serde(skip)]
    pub headings: [String; 2],
    /// The findings as text and tables.
    #[serde(skip)]
    pub sections: Vec<Section>,
}

impl Study {
    /// Returns the study of a chapter of the same paper, or `None` if no study of this name repeats it.
    pub fn of_chapter(&self, chapter: u32) -> Option<&'static Study> {
        let mut all = STUDIES.iter().chain(FURTHER_CHAPTERS);
        all.find(|study| study.name == self.name && study.chapters.contains(&chapter))
    }

    /// Returns the studies of further chapters of the same paper.
    pub fn further_chapters(&self) -> impl Iterator<Item = &'static Study> {
        FURTHER_CHAPTERS.iter().filter(|study| study.name == self.name)
    }

    /// Returns whether the study runs on given maps, and not on worlds that it has or makes.
    pub fn takes_maps(&self) -> bool {
        matches!(self.measure, Measure::Maps(..) | Measure::Besides(..))
    }

    /// Returns whether the study leaves open which algorithms it measures and how large its worlds are.
    pub fn takes_options(&self) -> bool {
        self.name == sizes::STUDY.name
    }

    /// Returns the maps in a folder that the study runs on: every map in it, or those that its paper names, in the
    /// folder or below it. Returns `None` if the study makes its own worlds.
    ///
    /// # Errors
    /// When the folder has no such map, or a map cannot be read.
    pub fn maps_in(&self, folder: &Path) -> Result<Option<Maps>, MapsError> {
        match &self.measure {
            Measure::Maps(ground, _) => (ground.folder)(folder).map(Some),
            Measure::Besides(_, list, _) => list(folder).map(Some),
            Measure::Own(_) => Ok(None),
        }
    }

    /// Returns the maps of the paper from the folder in which maps are searched for ([`crate::maps::folder`]), or
    /// `None` if they are not there.
    ///
    /// # Errors
    /// When a map cannot be read, or the paper's folder is there but has no maps.
    pub fn maps_at_hand(&self) -> Result<Option<Maps>, MapsError> {
        let shelf = match &self.measure {
            Measure::Maps(ground, _) => ground.shelf,
            Measure::Besides(shelf, ..) => shelf,
            Measure::Own(_) => return Ok(None),
        };
        let folder = crate::maps::folder().map(|folder| folder.join(shelf)).filter(|folder| folder.is_dir());
        match folder.map_or(Ok(None), |folder| self.maps_in(&folder)) {
            Err(MapsError::NoneOf { .. }) => Ok(None),
            maps => maps,
        }
    }

    /// Runs the study on these maps, or on generated look-alikes if there are none. Some studies make their own and
    /// take those of `maps` besides; a study that makes all its worlds ignores `maps`. `progress` receives the steps done and their total: every map is one step, and a study that
    /// makes its own worlds takes many steps for each world.
    ///
    /// # Errors
    /// When a map has no two connected cells to ask about, or `progress` stops the study. It is not called while a
    /// planner is built, nor between queries that take less than 50 ms together.
    pub fn run(&self, maps: Option<&Maps>, options: &Options, progress: &mut Progress) -> Result<Results, StudyError> {
        match &self.measure {
            Measure::Maps(ground, measure) => match maps {
                Some(maps) => self.run_on(maps, *measure, options, progress),
                None => self.run_on(&(ground.look_alikes)(options.quick), *measure, options, progress),
            },
            Measure::Besides(_, _, measure) => Ok(self.results_of_all(measure(maps, options, progress)?, options.seed)),
            Measure::Own(measure) => Ok(self.results_of_all(measure(options, progress)?, options.seed)),
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
        let (measured, source) = (measure(&field, &mut steps)?, (maps.from.clone(), "queries"));
        Ok(self.results(Ran { measured, source, queries, worlds, free_cells, unit: "free cells" }, &part, options.seed))
    }

    fn results_of_all(&self, ran: Ran, seed: u64) -> Results {
        let part = ran.worlds.to_string();
        self.results(ran, &part, seed)
    }

    fn results(&self, ran: Ran, part: &str, seed: u64) -> Results {
        let Ran { measured: Measured { findings, document }, source, queries, worlds, free_cells, unit } = ran;
        let (from, what) = source;
        let ran = format!(
            "{part} maps from {from} with {free_cells:.0} {unit} on average, {queries} {what} a map, seed {seed}"
        );
        Results {
            study: self.name,
            maps_from: from,
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
        for study in STUDIES.iter().chain(FURTHER_CHAPTERS) {
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
        let hna = study("hna-2020").unwrap();
        let title = |chapter| hna.of_chapter(chapter).map(|study| study.title);
        assert!(title(3) == Some(hna.title) && title(4) == title(3) && title(5).is_some() && title(5) != title(3));
        assert!(title(6).is_none() && study("hpa-2004").unwrap().of_chapter(5).is_none());
    }
}
