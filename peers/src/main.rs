//! `cargo xtask peers`: races Portolan against other crates, in one run and on the same queries, and checks every
//! answer.
//!
//! Here: the main function and the order of the steps. Not here: the options (`options.rs`), the entrants (`engine/`),
//! the maps and queries (`course.rs`), running and timing (`race.rs` and `edits.rs`), the checks of answers
//! (`judge.rs`), the race of fields (`field.rs`), the race on a navigation mesh (`mesh.rs` and its folder), what is printed and written (`report.rs`), and
//! the speeds that Portolan aims at (`targets.rs`).
#![forbid(unsafe_code)]

mod course;
mod edits;
mod engine;
mod field;
mod judge;
mod mesh;
mod options;
mod race;
mod report;
mod targets;

use course::Course;
use mesh::MeshCourse;
use options::{Options, OptionsError};
use portolan::{BuildError, Cell, Corners, FieldError, Rules};
use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Why there was no race.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PeersError {
    #[error(transparent)]
    Options(#[from] OptionsError),
    #[error(transparent)]
    Course(#[from] course::CourseError),
    #[error(transparent)]
    Mesh(#[from] mesh::MeshRaceError),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Field(#[from] FieldError<Cell>),
    #[error("{}: {source}", path.display())]
    Write { path: PathBuf, source: std::io::Error },
}

/// How many queries there are on each map and on a mesh, unless the command line says otherwise.
const GRID_QUERIES: usize = 300;
const MESH_QUERIES: usize = 1000;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        println!("{}", options::HELP);
        return ExitCode::SUCCESS;
    }
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("peers: {error}");
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Result<(), PeersError> {
    let options = Options::parse(arguments)?;
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let maps = env::var_os("PORTOLAN_MAPS").map_or_else(|| root.join("../shared/maps"), PathBuf::from);
    let rules = Rules { corners: options.corners, ..Rules::default() };
    let mut rows = Vec::new();
    for name in &options.maps {
        if name == mesh::NAME {
            let results = run_mesh(&options)?;
            rows.extend(results.into_iter().map(|result| (name.clone(), result)));
            continue;
        }
        let course = Course::load(name, &maps, options.queries.unwrap_or(GRID_QUERIES), rules)?;
        println!("\n{}: {} queries, {}", course.name, course.trials.len(), course.origin);
        let entrants = engine::entrants(&course.world, options.variants)?;
        let mut results = race::run(&course, entrants, options.repeat, options.edits);
        report::print(&results);
        for line in targets::lines(&results) {
            println!("{line}");
        }
        results.extend(run_fields(&course, &options)?);
        rows.extend(results.into_iter().map(|result| (course.name.clone(), result)));
    }
    if options.corners == Corners::Strict && options.maps.iter().any(|name| name != mesh::NAME) {
        println!("\n{}", report::NOTES);
    }
    let path = root.join("target/peers.json");
    report::write(&path, &rows).map_err(|source| PeersError::Write { path: path.clone(), source })?;
    println!("written to target/peers.json");
    Ok(())
}

/// Races fields on a map and prints the results.
fn run_fields(course: &Course, options: &Options) -> Result<Vec<race::Score>, PeersError> {
    let field::Race { scores, anew_us } = field::race(course, options.repeat, options.edits)?;
    println!("  costs from all cells to one goal, the mean of {} goals; an edit is of 2 x 2 cells", field::GOALS);
    report::print(&scores);
    for line in targets::field_lines(&scores, anew_us) {
        println!("{line}");
    }
    Ok(scores)
}

/// Races on the navigation mesh and prints the results.
fn run_mesh(options: &Options) -> Result<Vec<race::Score>, PeersError> {
    let course = MeshCourse::load(options.queries.unwrap_or(MESH_QUERIES))?;
    println!("\n{}: {}", mesh::NAME, course.origin());
    let (results, skipped) = course.race(options.repeat)?;
    report::print(&results);
    for line in skipped {
        println!("  {line}");
    }
    println!("{}", mesh::NOTES);
    Ok(results)
}
