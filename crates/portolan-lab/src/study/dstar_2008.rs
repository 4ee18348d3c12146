//! D* 2008: what D* and Focused D* save in a world that changes (tables 5 and 6), as heap operations, against an A* that
//! plans again whenever the world changes.
//!
//! The report plays its game on a maze with narrow tunnels and on an open field without walls, thirty times each. Its
//! world files and the numbers of its traps are not printed. So the worlds are drawn after its description. The share of
//! traps on each was chosen among whole percents such that A* needs about as many heap operations as in the report; the
//! results of the others had been seen by then. How long a trap lasts, ten to thirty updates, is ours too, and was made
//! longer after a first look: with traps of one to five updates, Focused D* needed a fifth of A*'s operations on the
//! field. As in the report, A* looks at all successors and plans again after every update of traps, and where the goal is
//! cut off, it is charged for a search of all that it can reach: the engine knows without a search that there is no
//! route, but the report's A* does not. D* Lite, LPA*, A* with canonical successors and jump points stand beside the
//! report's three.
//!
//! Moori: Testing and analysis of D* algorithms, 2008.

mod pages;

use super::bucket::mean;
use super::{Findings as AnyFindings, Measured, Options, Ran, Study, StudyError};
use crate::game::{AgentRow, Game, GameError, play};
use crate::progress::{Progress, Steps};
use crate::study::Measure;
use crate::worlds::builtin;
use portolan_sim::testbed::{self, Traps};
use serde::Serialize;

pub(super) const STUDY: Study = Study {
    name: "dstar-2008",
    chapters: &[],
    title: "Testing and analysis of D* algorithms",
    paper: "Moori 2008",
    summary: "Keys and doors in a maze and on an open field while traps come and go: heap operations of D*, Focused D* and A*",
    measure: Measure::Own(measure),
};

/// Games on each world, as in the report, and if [`Options::quick`] is set.
const RUNS: usize = 30;
const QUICK_RUNS: usize = 5;

/// A world of the study.
pub(crate) struct World {
    /// The name among the built-in worlds.
    pub(crate) name: &'static str,
    /// The report's table of it.
    pub(crate) table: &'static str,
    /// What the report says of it.
    pub(crate) about: &'static str,
    /// The most traps at once in percent of free cells, and the ticks between updates. A trap lasts ten to thirty updates.
    traps: (f64, u64),
}

/// The worlds, in the order of the tables.
pub(crate) const WORLDS: [World; 2] = [
    World { name: "dungeon", table: "Table 5", about: "a maze of narrow tunnels", traps: (6.0, 2) },
    World { name: "meadow", table: "Table 6", about: "an open field, no walls but the border", traps: (2.0, 2) },
];

/// An algorithm of the study.
pub(crate) struct Entrant {
    /// The algorithm, with settings.
    pub(crate) pick: &'static str,
    /// Its name in the tables.
    pub(crate) title: &'static str,
    /// The report's figures for each world, if it has the algorithm.
    pub(crate) report: Option<[Reported; 2]>,
}

/// A row of the report's tables.
#[derive(Copy, Clone, Debug, Serialize)]
pub struct Reported {
    /// Inserts into the heap.
    pub inserts: f64,
    /// Removes from the heap.
    pub removes: f64,
    /// Mean size of the heap.
    pub heap_size: f64,
    /// Inserts and removes.
    pub operations: f64,
    /// Mean height of the heap.
    pub heap_height: f64,
    /// Operations times height.
    pub depth: f64,
}

const fn reported([inserts, removes, heap_size, operations, heap_height, depth]: [f64; 6]) -> Reported {
    Reported { inserts, removes, heap_size, operations, heap_height, depth }
}

/// The entrants: the report's three in its order, then ours.
pub(crate) const ENTRANTS: [Entrant; 8] = [
    Entrant {
        pick: "focused-d-star",
        title: "FD*",
        report: Some([
            reported([1289.0, 1200.6, 20.97, 2489.6, 4.39, 10929.34]),
            reported([1480.76, 1087.2, 63.99, 2567.96, 6.0, 15407.2]),
        ]),
    },
    Entrant {
        pick: "d-star",
        title: "D*",
        report: Some([
            reported([888.6, 809.23, 13.86, 1697.83, 3.79, 6439.62]),
            reported([3745.98, 3157.17, 62.1, 6904.15, 5.96, 41112.7]),
        ]),
    },
    Entrant {
        pick: "a-star successors=all",
        title: "A*",
        report: Some([
            reported([8522.93, 5865.8, 7.39, 14388.73, 2.89, 41519.75]),
            reported([17238.53, 7599.5, 22.72, 24838.03, 4.51, 111_917.5]),
        ]),
    },
    Entrant { pick: "d-star-lite", title: "D* Lite", report: None },
    Entrant { pick: "ad-star", title: "AD*", report: None },
    Entrant { pick: "lpa-star", title: "LPA*", report: None },
    Entrant { pick: "a-star", title: "A* canonical", report: None },
    Entrant { pick: "jump-point", title: "jump points", report: None },
];

/// What was found.
#[derive(Clone, Debug, Serialize)]
pub struct Findings {
    /// The results on each world.
    pub worlds: Vec<WorldFindings>,
    /// How many agents did not reach their last goal, over all games.
    pub unanswered: usize,
}

/// The results on one world.
#[derive(Clone, Debug, Serialize)]
pub struct WorldFindings {
    /// The name of the world.
    pub world: &'static str,
    /// The most traps at once, in percent of free cells.
    pub traps_percent: f64,
    /// Ticks between updates of traps.
    pub every: u64,
    /// Mean ticks of a game.
    pub ticks: f64,
    /// The rows of all agents, in the order of the entrants.
    pub rows: Vec<EntrantRow>,
}

/// What an entrant needed for all its goals, on average over the games.
#[derive(Clone, Debug, Serialize)]
pub struct EntrantRow {
    /// Its name in the tables.
    pub entrant: &'static str,
    /// What we found.
    pub ours: AgentRow,
    /// The report's figures, if it has any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub report: Option<Reported>,
}

impl WorldFindings {
    /// Returns the mean heap operations of an entrant, if it took part.
    pub(crate) fn operations(&self, title: &str) -> Option<f64> {
        self.rows.iter().find(|row| row.entrant == title).map(|row| row.ours.sum.operations)
    }
}

fn measure(options: &Options, progress: &mut Progress) -> Result<Ran, StudyError> {
    let runs = options.queries.unwrap_or(if options.quick { QUICK_RUNS } else { RUNS });
    let mut steps = Steps::new(progress, (WORLDS.len() * runs) as u64)?;
    let mut findings = Findings { worlds: Vec::new(), unanswered: 0 };
    let mut free = Vec::new();
    for (number, world) in WORLDS.iter().enumerate() {
        let level = builtin(world.name).and_then(|world| world.level().ok()).expect("the study's worlds are levels");
        free.push(level.grid.free_cells() as f64);
        let entrants: Vec<&Entrant> = ENTRANTS.iter().collect();
        let (percent, every) = world.traps;
        let game = Game {
            world: world.name.to_owned(),
            level,
            agents: entrants.iter().map(|entrant| entrant.pick.to_owned()).collect(),
            options: testbed::Options {
                seed: options.seed,
                traps: Traps { lasts: 10 * every..=30 * every, ..Traps::new(percent, every) },
                counts_vain_searches: true,
                ..testbed::Options::default()
            },
            runs: runs as u64,
            ticks: None,
        };
        let played = steps.part(runs as u64, |progress| play(&game, progress));
        let result = played.map_err(|error| match error {
            GameError::Cancelled(cancelled) => StudyError::Cancelled(cancelled),
            error => unreachable!("the study's games can be played: {error}"),
        })?;
        findings.unanswered += result.unfinished() as usize;
        let rows = entrants.iter().zip(result.agents);
        findings.worlds.push(WorldFindings {
            world: world.name,
            traps_percent: percent,
            every,
            ticks: result.ticks,
            rows: rows
                .map(|(entrant, ours)| EntrantRow {
                    entrant: entrant.title,
                    ours,
                    report: entrant.report.map(|report| report[number]),
                })
                .collect(),
        });
    }
    let document = pages::document(&findings);
    let measured = Measured { findings: AnyFindings::Dstar2008(findings), document };
    let source = ("the engine".to_owned(), "games");
    Ok(Ran {
        measured,
        source,
        queries: runs,
        worlds: WORLDS.len(),
        free_cells: mean(free.into_iter()),
        unit: "free cells",
    })
}
