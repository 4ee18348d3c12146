//! Races and studies, as a page asks for them. Not here: running them, which `portolan-lab` does, and the thread that
//! they run on.

use crate::answer::{Answer, Reply};
use crate::atlas::{Atlas, OpenError};
use crate::budget;
use crate::command::{Command, Course, Entrant, Race, Study};
use crate::frame::Parts;
use crate::limits;
use crate::session::finding::FindError;
use crate::session::leash::Leash;
use portolan::algorithm;
use portolan::any::{AnyAlgorithm, AnyPick, AnySnapshot};
use portolan::auto::{AUTO, Edits, RULES, Use};
use portolan_lab::progress::Cancelled;
use portolan_lab::queries::{self, TrialError};
use portolan_lab::race::{self, EditPlan, EditRaceError, RaceResult, race, race_edits};
use portolan_lab::report;
use portolan_lab::study::{MapsError, Options, StudyError, study};
use std::ops::ControlFlow;
use std::path::{Component, Path, PathBuf};

/// The world that the page has open.
pub(crate) struct Here {
    pub(crate) name: String,
    pub(crate) world: AnySnapshot,
}

/// A function that is called with the steps done, the number of all steps, and what is being done.
pub(crate) type Tell<'a> = dyn FnMut(u64, u64, &str) + 'a;

/// Why a race or a study has no result.
#[derive(Debug, thiserror::Error)]
pub(crate) enum LabError {
    #[error("a race has 1 to {} worlds and 1 to {} entrants", limits::FIELD, limits::FIELD)]
    Field,
    #[error(
        "a race has 1 to {} queries a world, up to {} edits, and up to {} repeats",
        limits::TRIALS,
        limits::TRIALS,
        limits::REPEAT
    )]
    Trials,
    #[error("no world is open")]
    NoWorld,
    #[error("there is no study {0:?}")]
    NoStudy(String),
    #[error("there is no folder {0:?} of maps")]
    NoFolder(String),
    #[error("{world}: {source}")]
    Queries { world: String, source: TrialError },
    #[error("{world}: {source}")]
    Edits { world: String, source: EditRaceError },
    #[error("this is neither a race nor a study")]
    Neither,
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Entrant(#[from] FindError),
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    #[error(transparent)]
    Maps(#[from] MapsError),
    #[error(transparent)]
    Study(#[from] StudyError),
    #[error(transparent)]
    Json(#[from] serde_json::Error),
}

/// Returns an estimate of the most bytes that a race or study takes.
pub(crate) fn needs(command: &Command, atlas: &Atlas, here: Option<&Here>) -> usize {
    let Command::Race(Race { worlds, entrants, .. }) = command else { return limits::STUDY };
    let cells = worlds.iter().map(|place| match place {
        Course::Here(_) => here.map_or(0, |here| budget::cells(&here.world)),
        Course::There(reference) => atlas.cells(reference),
    });
    // The race goes from world to world, but all planners for one world exist at a time.
    let cells = cells.max().unwrap_or(0);
    let building = |algorithm: AnyAlgorithm, pairs: &[(&String, &String)]| {
        // An entrant that cannot be built takes no memory.
        algorithm.settings(pairs).map_or(0, |settings| budget::building(algorithm, &settings, cells))
    };
    let planner = |entrant: &Entrant| {
        if entrant.algorithm == AUTO {
            // Any of the algorithms that the rules may choose.
            return RULES.iter().map(|rule| building(rule.takes().into(), &[])).max().unwrap_or(0);
        }
        let pairs: Vec<(&String, &String)> = entrant.settings.iter().collect();
        algorithm(&entrant.algorithm).map_or(0, |algorithm| building(algorithm.into(), &pairs))
    };
    budget::opening(cells) + entrants.iter().map(planner).sum::<usize>()
}

/// Runs a race or a study.
pub(crate) fn run(
    command: Command,
    atlas: &Atlas,
    here: Option<&Here>,
    leash: &Leash,
    tell: &mut Tell,
) -> Result<Reply, LabError> {
    match command {
        Command::Race(race) => hold(race, atlas, here, leash, tell),
        Command::Study(study) => pursue(&study, atlas, leash, tell),
        _ => Err(LabError::Neither),
    }
}

/// The number of parts into which the progress on one world is divided, so that every world counts alike.
const PARTS: u64 = 1000;

fn hold(asked: Race, atlas: &Atlas, here: Option<&Here>, leash: &Leash, tell: &mut Tell) -> Result<Reply, LabError> {
    let Race { worlds, entrants, queries, seed, repeat, edits } = asked;
    if !(1..=limits::FIELD).contains(&worlds.len()) || !(1..=limits::FIELD).contains(&entrants.len()) {
        return Err(LabError::Field);
    }
    if !(1..=limits::TRIALS).contains(&queries) || edits > limits::TRIALS || repeat > limits::REPEAT {
        return Err(LabError::Trials);
    }
    let rules = here.and_then(|here| here.world.rules()).unwrap_or_default();
    let laps = if edits > 0 { 2 } else { 1 };
    let total = PARTS * laps * worlds.len() as u64;
    let mut results: Vec<RaceResult> = Vec::new();
    for (place, index) in worlds.into_iter().zip(0..) {
        let (name, world) = match place {
            Course::Here(_) => here.map(|here| (here.name.clone(), here.world.clone())).ok_or(LabError::NoWorld)?,
            Course::There(reference) => {
                let opened = atlas.open(reference, rules)?;
                (opened.name, opened.world.snapshot())
            }
        };
        let trials = queries::random(&world, queries, seed)
            .map_err(|source| LabError::Queries { world: name.clone(), source })?;
        let usage = if edits > 0 { Edits::Sometimes } else { Edits::Never };
        let entrants = entrants.iter().map(|entrant| runner(entrant, &world, usage));
        let entrants = entrants.collect::<Result<Vec<race::Entrant>, FindError>>()?;
        let mut lap = |lap: u64, what: &str, done: u64, of: u64| {
            tell(PARTS * (laps * index + lap) + PARTS * done / of.max(1), total, what);
            verdict(leash)
        };
        let mut result =
            race(&name, &world, &trials, &entrants, repeat.max(1), &mut |done, of| lap(0, &name, done, of))?;
        if edits > 0 {
            let (plan, what) = (EditPlan { count: edits, size: 2, seed }, format!("{name}: edits"));
            let raced = race_edits(&world, &trials, &entrants, plan, &mut |done, of| lap(1, &what, done, of));
            result.edits = Some(raced.map_err(|source| LabError::Edits { world: name, source })?);
        }
        results.push(result);
    }
    let json = match &results[..] {
        [one] => serde_json::to_vec_pretty(one)?,
        many => serde_json::to_vec_pretty(many)?,
    };
    let mut parts = Parts::default();
    parts.push("html", report::html(&results).into_bytes());
    parts.push("json", json);
    parts.push("tsv", report::tsv(&results).into_bytes());
    parts.push("csv", report::csv(&results).into_bytes());
    Ok(Reply { answer: Answer::Result { name: "race".to_owned() }, parts })
}

/// Returns whether a race or study goes on, which ends when its command is cancelled.
fn verdict(leash: &Leash) -> ControlFlow<()> {
    if leash.is_cut() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

fn runner(entrant: &Entrant, world: &AnySnapshot, edits: Edits) -> Result<race::Entrant, FindError> {
    if entrant.algorithm == AUTO {
        return Ok(race::Entrant::auto(world, edits));
    }
    let pairs: Vec<(&String, &String)> = entrant.settings.iter().collect();
    let (algorithm, settings, _) = AnyPick::new(&entrant.algorithm, &pairs)?.choose(world, Use::default())?;
    let runner = race::Entrant { settings, ..race::Entrant::new(algorithm) };
    Ok(runner.gives_up_on(world))
}

fn pursue(asked: &Study, atlas: &Atlas, leash: &Leash, tell: &mut Tell) -> Result<Reply, LabError> {
    let study = study(&asked.name).ok_or_else(|| LabError::NoStudy(asked.name.clone()))?;
    let folder = asked.maps.as_ref().filter(|_| study.takes_maps());
    let maps = match folder {
        Some(name) => study.maps_in(&folder_of(atlas, name)?)?,
        None => None,
    };
    let options = Options { seed: asked.seed, quick: asked.quick, ..Options::default() };
    let results = study.run(maps.as_ref(), &options, &mut |done, total| {
        tell(done, total, study.name);
        verdict(leash)
    })?;
    let mut parts = Parts::default();
    parts.push("html", results.html().into_bytes());
    parts.push("json", serde_json::to_vec_pretty(&results)?);
    Ok(Reply { answer: Answer::Result { name: study.name.to_owned() }, parts })
}

/// Returns the folder of that name below the folder of maps. A name that leads anywhere else is an error.
fn folder_of(atlas: &Atlas, name: &str) -> Result<PathBuf, LabError> {
    let unknown = || LabError::NoFolder(name.to_owned());
    let plain = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
    let root = atlas.folder().filter(|_| plain).and_then(|folder| folder.canonicalize().ok()).ok_or_else(unknown)?;
    let folder = root.join(name).canonicalize().map_err(|_| unknown())?;
    if folder.starts_with(&root) && folder.is_dir() { Ok(folder) } else { Err(unknown()) }
}
