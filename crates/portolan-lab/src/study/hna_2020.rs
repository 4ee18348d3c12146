//! HNA* 2020: the experiments of chapters 3 and 4 of the thesis. The time of a query by levels and merging
//! (figures 3.15 to 3.17), inter-edges (3.18), ways of connecting (3.19), the memory of precalculated connecting paths (3.12),
//! what pricing from the centres of polygons costs in length (3.14), and how many agents are given routes in a frame (table
//! 4.1) and in a batch (figures 4.1 and 4.3), on the CPU and on a graphics processor if there is one.
//!
//! The thesis' worlds are not public. Generated cities whose meshes have about as many polygons stand in for them, each
//! for one; the meshes of a folder can be measured besides. The thesis' HNA* is `connect=a-star`; its way of connecting
//! by precalculated paths (PCCP) is the default. Both price start and goal from the true points, except where figure 3.14
//! compares that with the centres. All entrants of a mesh and a number of levels are in one race, in turns, and ratios
//! are those of one race. What connecting takes is told by a second run, with a stopwatch as probe.
//!
//! Rahmani: Toward human-like pathfinding with hierarchical approaches and the GPS of the brain theory, 2020.

mod agents;
mod configurations;
mod courses;
mod device;
mod device_pages;
mod lengths;
mod pages;
mod stopwatch;
mod thesis;
mod verdicts;

pub use agents::BatchRow;
pub use configurations::{ConfigurationRow, LevelFindings, Timed};
pub use device::{DeviceFindings, DeviceRow};
pub use lengths::{LengthFindings, LengthRow, LengthSample};

use super::bucket::mean;
use super::maps::Maps;
use super::{Findings as AnyFindings, Measure, Measured, Options, QUERIES, QUICK_QUERIES, Ran, Study, StudyError};
use crate::mesh::race::{Built, MeshEntrant};
use crate::progress::{Progress, Steps};
use crate::race::{Processor, RaceResult, Row};
use courses::{CITIES, City, Course};
use portolan::{Algorithm, NavMesh, Snapshot};
use serde::Serialize;
use std::path::PathBuf;

pub(super) const STUDY: Study = Study {
    name: "hna-2020",
    chapters: &[3, 4],
    title: "Toward human-like pathfinding with hierarchical approaches and the GPS of the brain theory, chapters 3 and 4",
    paper: "Rahmani 2020",
    summary: "HNA* on navigation meshes: levels, merging, ways of connecting, memory, length of routes, agents in a frame",
    measure: Measure::Besides("mesh", Maps::meshes_in, measure),
};

/// What is measured.
struct Plan<'a> {
    cities: &'a [City],
    /// The most files of meshes.
    most_files: usize,
    /// How many polygons or nodes are merged into one.
    merges: &'static [usize],
    /// Numbers of agents in a batch.
    batches: &'static [usize],
    /// Numbers of agents that only a graphics processor is asked for.
    device_batches: &'static [usize],
}

const FULL: Plan<'static> = Plan {
    cities: &CITIES,
    most_files: usize::MAX,
    merges: &[2, 4, 6, 8, 10, 15, 20],
    batches: &[1_000, 10_000, 100_000],
    device_batches: &[500_000],
};
const QUICK: Plan<'static> =
    Plan { cities: &[CITIES[0]], most_files: 1, merges: &[4, 10, 20], batches: &[1_000], device_batches: &[] };

/// The levels that are measured.
const LEVELS: [u32; 3] = [1, 2, 3];

/// Passes of a race; the least time of each query counts.
const PASSES: usize = 5;

/// Steps of progress for each race, and for all other work on a mesh.
const SHARES: u64 = 100;

/// What was found.
#[derive(Clone, Debug, Serialize)]
pub struct Findings {
    /// The results on each mesh.
    pub maps: Vec<MapFindings>,
    /// Figure 3.14.
    pub lengths: LengthFindings,
    /// Figures 4.1 and 4.3.
    pub batches: Vec<BatchRow>,
    /// Figures 4.1 and 4.3 on a graphics processor.
    pub device: DeviceFindings,
    /// The number of answers that were no legal route from start to goal.
    pub mismatches: usize,
    /// What was wrong with the first of them.
    pub faults: Vec<String>,
}

/// The results on one mesh.
#[derive(Clone, Debug, Serialize)]
pub struct MapFindings {
    /// The name of the mesh.
    pub map: String,
    /// The world of the thesis that it stands in for, if there is one.
    pub stands_for: Option<&'static str>,
    /// Its polygons.
    pub polygons: usize,
    /// Its portals.
    pub portals: usize,
    /// Mean number of sides of a polygon.
    pub sides: f64,
    /// Figures 3.15 to 3.19, by levels.
    pub levels: Vec<LevelFindings>,
    /// Table 4.1: the algorithms side by side, in a race of their own.
    pub frame: Vec<Row>,
}

fn measure(maps: Option<&Maps>, options: &Options, progress: &mut Progress) -> Result<Ran, StudyError> {
    let files = maps.map_or(&[][..], |maps| &maps.meshes);
    measure_by(if options.quick { &QUICK } else { &FULL }, files, options, progress)
}

fn measure_by(plan: &Plan, files: &[PathBuf], options: &Options, progress: &mut Progress) -> Result<Ran, StudyError> {
    let queries = options.queries.unwrap_or(if options.quick { QUICK_QUERIES } else { QUERIES });
    let files = &files[..files.len().min(plan.most_files)];
    let count = plan.cities.len() + files.len();
    let shares = SHARES * (count as u64 * (LEVELS.len() as u64 + 2) + plan.cities.len() as u64 + 1);
    let mut steps = Steps::new(progress, shares)?;
    let mut courses = Vec::with_capacity(count);
    for city in plan.cities {
        courses.push(Course::of_city(city, queries, options.seed, &mut steps)?);
        steps.advance(SHARES)?;
    }
    for file in files {
        courses.push(Course::of_file(file, queries, options.seed, &mut steps)?);
        steps.advance(SHARES)?;
    }
    let processor = Processor::open();
    let mut findings = Findings {
        maps: Vec::new(),
        lengths: LengthFindings::default(),
        batches: Vec::new(),
        device: DeviceFindings::of(processor.as_ref().map_err(ToString::to_string)),
        mismatches: 0,
        faults: Vec::new(),
    };
    for course in &courses {
        let found = map(course, plan, &mut findings, &mut steps)?;
        findings.maps.push(found);
    }
    findings.lengths = lengths::measure(lengths::course(&courses), &mut steps)?;
    steps.advance(SHARES)?;
    for course in courses.iter().filter(|course| course.city.is_some()) {
        let (rows, on_device) = agents::batches(course, plan, options.seed, processor.as_ref().ok(), &mut steps)?;
        findings.mismatches += rows.iter().map(|row| row.mismatches).sum::<usize>();
        findings.mismatches += on_device.iter().map(|row| row.mismatches).sum::<usize>();
        findings.batches.extend(rows);
        findings.device.batches.extend(on_device);
        steps.advance(SHARES)?;
    }
    let free_cells = mean(courses.iter().map(|course| course.world.polygons() as f64));
    let document = pages::document(&findings);
    let from = if files.is_empty() { "the generator of cities" } else { "the generator of cities and from files" };
    let measured = Measured { findings: AnyFindings::Hna2020(findings), document };
    let source = (from.to_owned(), "queries");
    Ok(Ran { measured, source, queries, worlds: courses.len(), free_cells, unit: "polygons" })
}

/// Measures on one mesh, and adds wrong answers to the findings.
fn map(course: &Course, plan: &Plan, findings: &mut Findings, steps: &mut Steps) -> Result<MapFindings, StudyError> {
    let mesh: &NavMesh = &course.world;
    let polygons = mesh.polygons();
    let sides = mean((0..polygons as u32).map(|polygon| mesh.corners(polygon).count() as f64));
    let mut tally = |result: &RaceResult| {
        findings.mismatches += result.rows.iter().map(|row| row.mismatches).sum::<usize>();
        findings.faults.extend(result.faults.iter().map(|fault| format!("{}: {fault}", course.name)));
    };
    let mut levels = Vec::new();
    for count in LEVELS {
        levels.push(configurations::measure(course, count, (plan.merges, sides), &mut tally, steps)?);
    }
    let frame = agents::frame(course, &mut tally, steps)?;
    let stands_for = course.city.map(|city| city.thesis.map);
    Ok(MapFindings { map: course.name.clone(), stands_for, polygons, portals: mesh.portals(), sides, levels, frame })
}

/// Returns an algorithm with these settings as an entrant.
///
/// # Panics
/// When there is no such setting; the names in studies are constants.
fn entrant(algorithm: &'static Algorithm<NavMesh>, settings: &[(&str, String)]) -> MeshEntrant {
    let set: Vec<(String, String)> = settings.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    let settings = algorithm.settings(&set).expect("studies use settings that exist");
    MeshEntrant { settings, set, ..MeshEntrant::new(algorithm) }
}

/// Returns HNA* with these levels, merging and way of connecting as an entrant.
fn hna_star(levels: u32, merge: usize, connect: &str) -> MeshEntrant {
    let settings = [("levels", levels.to_string()), ("merge", merge.to_string()), ("connect", connect.to_owned())];
    entrant(&portolan::algorithms::mesh::HNA_STAR, &settings)
}

/// Builds the planner of an entrant.
///
/// # Panics
/// When the algorithm does not run on the mesh: A* and HNA* run on every mesh.
fn built(world: &Snapshot<NavMesh>, entrant: MeshEntrant) -> Built {
    Built::new(world, entrant).expect("the studied algorithms run on every mesh")
}

#[cfg(test)]
mod tests;
