//! Races: every algorithm answers the same trials. The algorithms are timed in turns, so that noise affects all of them
//! alike.
//!
//! - Every planner is built first, or opened if its chart was saved; this is timed separately. An algorithm that does
//!   not run on the world is left out, and the reason is kept.
//! - Every algorithm then runs several laps over all trials. In the first two, the *pass*, every trial is run once, for
//!   whole routes and then for first steps: no query equals the one before, as in a game. In the *warm* lap every trial
//!   is run several times in a row, and the least time counts: it shows the engine with all data in the caches.
//! - A lap is run in blocks of trials. Within a block every algorithm has its turn, and the one that goes first changes
//!   from block to block. In the pass a turn begins with a query that is not timed, so that the first timed query does
//!   not pay for caches that the previous algorithm has filled. Only the planner's search for a route, or for a plan and
//!   its first leg, lies between the two readings of the clock: [`AnyPlanner::find_clocked`].
//! - The routes of the pass are judged ([`crate::judge`]). A last lap, watched and not timed, counts expansions.
//! - A search without memory, such as IDA*, may take hours on a query that others answer in microseconds, so it may
//!   give up: [`Entrant::gives_up_on`]. A trial that it gives up is unsolved, but no mismatch.
//! - Batches of many queries at once are a separate race: [`race_batches`].
//! - Following the world's edits is a separate race: [`race_edits`]. So is a scenario with patches between its queries:
//!   [`race_dynamic`]. So is an agent's walk among traps: [`race_traps`].
//!
//! Not here: choosing trials, and showing results.

mod answer;
pub(crate) mod batch;
mod dynamic;
mod edits;
mod field;
mod processor;
pub(crate) mod row;
mod runner;
mod traps;

pub use batch::{BatchRow, race_batches};
pub use dynamic::{DynamicRace, DynamicRaceError, DynamicRow, race_dynamic};
pub use edits::{EditPlan, EditRace, EditRaceError, EditRow, NoGround, race_edits};
pub use field::{FIELD, race_field};
pub use processor::{NoProcessor, Processor};
pub(crate) use processor::{UploadedChart, UploadedCrowd, UploadedGround};
pub use row::{Row, Sample, Skipped, percentile};
pub use traps::{NoRoom, TrapPlan, TrapRace, TrapRaceError, TrapRow, longest_first, race_traps, usual_entrants};

use crate::judge::{Reference, optima_each};
use crate::progress::{Cancelled, Progress, Steps};
use crate::queries::{self, Trial, lengths_hold};
use portolan::any::{AnyAlgorithm, AnyPick, AnyPlanner, AnyScratch, AnySnapshot};
use portolan::auto::{AUTO, Edits, Use};
use portolan::settings::{Settings, Value};
use portolan_formats::read_chart;
pub(crate) use runner::least;
use runner::{Course, LAPS, Runner, Turn};
use serde::Serialize;
use std::path::PathBuf;

/// Trials in a turn.
const BLOCK: usize = 75;
/// The number of random queries that every algorithm answers before times are taken, and their seed.
const WARM_UP: (usize, u64) = (6, 0x5EED);
/// The greatest number of faults that are described in words; the others are only counted.
pub(crate) const FAULTS_TOLD: usize = 10;

/// An algorithm that takes part in a race, with its settings.
#[derive(Clone)]
pub struct Entrant {
    /// The algorithm.
    pub algorithm: AnyAlgorithm,
    /// Its settings.
    pub settings: Settings,
    /// Expansions after which it may give up a trial. If `None`, the algorithm's own limit holds, if it has one.
    pub budget: Option<u64>,
    /// The saved chart that is opened instead of building one.
    pub chart: Option<PathBuf>,
    /// Why it runs, if it was chosen automatically; `None` if it was named.
    pub why: Option<String>,
    /// The settings that distinguish it from other entrants of its algorithm, as results show them.
    pub set: Vec<(String, String)>,
}

impl Entrant {
    /// Returns an entrant with the algorithm that has this name on worlds of this kind, and its default settings. Returns
    /// `None` if there is no such algorithm.
    pub fn named(world: &AnySnapshot, name: &str) -> Option<Entrant> {
        world.algorithm(name).map(Entrant::new)
    }

    /// Returns an entrant with this algorithm and its default settings.
    ///
    /// # Panics
    /// Never: the defaults of every algorithm are in range.
    pub fn new(algorithm: impl Into<AnyAlgorithm>) -> Entrant {
        let algorithm = algorithm.into();
        let settings = algorithm.settings::<&str, &str>(&[]).expect("defaults are in range");
        Entrant { algorithm, settings, budget: None, chart: None, why: None, set: Vec::new() }
    }

    /// Returns the entrant that [`portolan::auto::choose`] chooses for a race on this world: for many queries, exact answers,
    /// and these edits.
    ///
    /// # Panics
    /// Never: there are rules for every kind of world.
    pub fn auto(world: &AnySnapshot, edits: Edits) -> Entrant {
        let choice = AnyPick::parse(AUTO).and_then(|pick| pick.choose(world, Use { edits, ..Use::default() }));
        let (algorithm, settings, why) = choice.expect("the rules choose on every world");
        Entrant { settings, why, ..Entrant::new(algorithm) }
    }

    /// Returns the name of this entrant in results: the algorithm, its distinguishing settings, and whether it was
    /// opened or chosen.
    pub fn name(&self) -> String {
        let how = match (&self.chart, &self.why) {
            (Some(_), _) => " (opened)",
            (None, Some(_)) => " (auto)",
            (None, None) => "",
        };
        self.label() + how
    }

    /// Returns the algorithm's name with the settings that tell this entrant from others of the same algorithm.
    fn label(&self) -> String {
        let set = self.set.iter().map(|(key, value)| format!("{key}={value}"));
        let words: Vec<String> = [self.algorithm.name().to_owned()].into_iter().chain(set).collect();
        words.join(" ")
    }

    /// Builds its planner, or opens it from the saved chart.
    fn planner(&self, world: &AnySnapshot) -> Result<AnyPlanner, String> {
        let Some(path) = &self.chart else {
            let built = AnyPlanner::build(world, self.algorithm, self.settings.clone());
            return built.map_err(|error| error.to_string());
        };
        let squares = world.to_squares().map_err(|error| error.to_string())?;
        let opened = read_chart(path, Some(squares)).map_err(|error| error.to_string());
        opened.map(|(_, planner)| AnyPlanner::from(planner))
    }

    /// Returns whether the algorithm has a limit of its own at which it gives up, because a query can take it very
    /// long.
    pub fn can_take_ages(&self) -> bool {
        self.algorithm.params().iter().any(|param| param.name == BUDGET)
    }

    /// Limits an algorithm that can take very long to as many expansions as the world has free cells, which is the most
    /// that Dijkstra needs, but not fewer than 100,000. Its own limit holds if it is lower. A budget that was set
    /// before is kept, and other algorithms stay without a limit.
    #[must_use]
    pub fn gives_up_on(mut self, world: &AnySnapshot) -> Entrant {
        if self.can_take_ages() && self.budget.is_none() {
            let fair = (world.free_cells() as u64).max(LEAST_BUDGET);
            let own = self.settings.iter().find_map(|(name, value)| match value {
                Value::Count(count) if name == BUDGET => Some(count),
                _ => None,
            });
            self.budget = Some(own.map_or(fair, |own| own.min(fair)));
        }
        self
    }

    fn may_give_up(&self) -> bool {
        self.budget.is_some() || self.can_take_ages()
    }
}

/// The name of the setting with which an algorithm limits its expansions.
const BUDGET: &str = "budget";
const LEAST_BUDGET: u64 = 100_000;

/// The result of a race.
#[derive(Clone, Debug, Serialize)]
pub struct RaceResult {
    /// The name of the map.
    pub map: String,
    /// The name of the world's kind; `None`, and absent from the JSON, for square grids.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kind: Option<&'static str>,
    /// One row for each algorithm, in the order of the entrants.
    pub rows: Vec<Row>,
    /// The algorithms that could not start.
    pub skipped: Vec<Skipped>,
    /// The first broken promises, in words.
    pub faults: Vec<String>,
    /// How the algorithms followed edits; `None`, and absent from the JSON, if no edits were raced.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub edits: Option<EditRace>,
    /// How a field took part in batches that share a goal; `None`, and absent from the JSON, if there were none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub field: Option<BatchRow>,
    /// For each row, the result of each trial, for plots.
    #[serde(skip)]
    pub samples: Vec<Vec<Sample>>,
}

impl RaceResult {
    /// Returns a result without rows on a world of this kind, `None` for square grids.
    pub(crate) fn on(map: &str, kind: Option<&'static str>) -> RaceResult {
        let map = map.to_owned();
        RaceResult {
            map,
            kind,
            rows: vec![],
            skipped: vec![],
            faults: vec![],
            edits: None,
            field: None,
            samples: vec![],
        }
    }

    /// Returns the number of wrong answers, including those after edits. A batch whose answers differ counts as one.
    pub fn mismatches(&self) -> usize {
        let after_edits = self.edits.iter().flat_map(|edits| &edits.rows).map(|row| row.mismatches);
        let in_batches = self.rows.iter().filter_map(|row| row.batch.as_ref()).chain(&self.field);
        let in_batches = in_batches.map(|batch| usize::from(!batch.identical));
        self.rows.iter().map(|row| row.mismatches).chain(after_edits).chain(in_batches).sum()
    }
}

/// Races the entrants over the trials. The warm figures are the least of `repeat` runs in a row, but of at least one;
/// after two runs, a trial that has taken more than 20 ms is not run again. `progress` receives the steps done and
/// their total: each trial of a lap is one step, building a planner is as many steps as a lap, and each optimum is one
/// step.
///
/// # Errors
/// When `progress` stops the race. It is not called while a planner is built or a query is answered.
///
/// # Panics
/// When a trial starts off the map or on a blocked cell; [`crate::queries`] makes no such trials.
pub fn race(
    map: &str,
    world: &AnySnapshot,
    trials: &[Trial],
    entrants: &[Entrant],
    repeat: usize,
    progress: &mut Progress,
) -> Result<RaceResult, Cancelled> {
    let lap_steps = trials.len() as u64;
    let laps = LAPS.len() as u64;
    let mut steps = Steps::new(progress, lap_steps * (1 + (1 + laps) * entrants.len() as u64))?;
    let mut result = RaceResult::on(map, world.kind_if_not_square());
    let mut runners = Vec::new();
    for entrant in entrants {
        match Runner::new(world, entrant, trials.len()) {
            Ok(runner) => {
                runners.push(runner);
                steps.advance(lap_steps)?;
            }
            Err(reason) => {
                result.skipped.push(Skipped { algorithm: entrant.name(), reason });
                steps.advance(lap_steps * (1 + laps))?;
            }
        }
    }
    let reference = if lengths_hold(world) { Reference::Stated } else { Reference::Computed };
    let optima = optima_each(world, trials, reference, || steps.advance(1))?;
    let course = Course { world, trials, optima, repeat: repeat.max(1) };
    let mut scratch = AnyScratch::new();
    // A world without two connected cells has no random queries to warm up with, and no trials to race on either.
    let strangers = queries::random(world, WARM_UP.0, WARM_UP.1).unwrap_or_default();
    for runner in &runners {
        runner.warm_up(world, &strangers, &mut scratch, &mut steps)?;
    }
    let count = runners.len();
    for lap in LAPS {
        for (turn, block) in blocks(trials.len()).enumerate() {
            for place in 0..count {
                let runner = &mut runners[(place + turn) % count];
                let (scratch, faults, steps) = (&mut scratch, &mut result.faults, &mut steps);
                runner.run(lap, Turn { course: &course, block: block.clone(), scratch, faults, steps })?;
                steps.advance(block.len() as u64)?;
            }
        }
    }
    for runner in runners {
        let (row, samples) = runner.finish(&course);
        result.rows.push(row);
        result.samples.push(samples);
    }
    Ok(result)
}

pub(crate) fn blocks(count: usize) -> impl Iterator<Item = std::ops::Range<usize>> {
    (0..count).step_by(BLOCK).map(move |first| first..(first + BLOCK).min(count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::optima;
    use crate::progress::go_on;
    use crate::progress::tests::{all_told, stopped_at, stopped_when};
    use crate::queries;
    use portolan::{HexGrid, Rules, SquareGrid};

    fn stripes() -> Vec<u8> {
        (0..48 * 32).map(|i| u8::from(i % 48 % 8 != 3 || i / 48 == i % 48 / 2)).collect()
    }

    fn striped() -> AnySnapshot {
        AnySnapshot::from(SquareGrid::from_weights(48, 32, &stripes(), Rules::default()).unwrap())
    }

    fn striped_hexes() -> AnySnapshot {
        AnySnapshot::from(HexGrid::from_weights(48, 32, &stripes(), None).unwrap())
    }

    #[test]
    fn every_algorithm_keeps_its_promise() {
        for world in [striped(), striped_hexes()] {
            let trials = queries::random(&world, 40, 3).unwrap();
            let algorithms = world.algorithms();
            let entrants: Vec<Entrant> = algorithms.iter().map(|&a| Entrant::new(a).gives_up_on(&world)).collect();
            let (result, told) = all_told(|progress| race("striped", &world, &trials, &entrants, 2, progress));
            assert_eq!(result.rows.len() + result.skipped.len(), algorithms.len());
            assert!(told.len() > 40 + 5 * algorithms.len(), "every build, optimum and turn is told");
            assert!(result.faults.is_empty(), "{:?}", result.faults);
            assert_eq!(result.kind, world.hex().map(|_| "hex"));
            for row in &result.rows {
                assert_eq!((row.queries, row.mismatches), (40, 0), "{}", row.algorithm);
                assert_eq!(row.solved + row.out_of_budget, 40, "{}", row.algorithm);
                assert!(row.ratio_max.is_none_or(|most| most >= 1.0));
                let times = [row.mean_us, row.max_us, row.warm_us, row.first_step_us, row.warm_first_step_us];
                assert!(times.iter().all(|&us| us > 0.0 && us < 1e9), "{row:?}");
                assert!(row.p50_us <= row.p95_us && row.p95_us <= row.max_us && row.first_step_p95_us > 0.0, "{row:?}");
            }
            let flat = result.rows.iter().find(|row| row.algorithm == world.exact().name()).unwrap();
            let (first, whole) = ([flat.first_step_us, flat.warm_first_step_us], [flat.mean_us, flat.warm_us]);
            assert_eq!(first.map(f64::to_bits), whole.map(f64::to_bits), "a flat search knows all steps at once");
        }
    }

    #[test]
    fn an_algorithm_of_another_kind_of_world_is_left_out() {
        let (world, squares) = (striped_hexes(), striped());
        let trials = queries::random(&world, 3, 3).unwrap();
        let entrants = ["rhumb", "a-star"].map(|name| Entrant::named(&squares, name).unwrap());
        let result = race("striped", &world, &trials, &entrants, 1, &mut go_on).unwrap();
        let reasons: Vec<&str> = result.skipped.iter().map(|skipped| skipped.reason.as_str()).collect();
        assert_eq!(reasons, ["rhumb needs a world of squares", "a-star needs a world of squares"]);
        assert!(Entrant::named(&world, "rhumb").is_none() && Entrant::named(&world, "a-star").is_some());
    }

    #[test]
    fn a_race_stops_when_told_to() {
        let world = striped();
        let trials = queries::random(&world, 100, 3).unwrap();
        let entrants = ["a-star", "hpa-star"].map(|name| Entrant::named(&world, name).unwrap());
        let run = |progress: &mut Progress| race("striped", &world, &trials, &entrants, 1, progress);
        // Stopped at the first call, after the first build, and at the optima.
        for call in [1, 2, 50] {
            let (result, told) = stopped_at(call, run);
            assert_eq!((result.err(), told.len()), (Some(Cancelled), call));
        }
        // Stopped in the laps, which also report between steps when enough time has passed, and at the end.
        for percent in [50, 90, 100] {
            let (result, told) = stopped_when(|done, total| done * 100 >= total * percent, run);
            assert_eq!(result.err(), Some(Cancelled));
            assert!(told.last().is_some_and(|(done, total)| done * 100 < total * (percent + 15)), "{told:?}");
        }
    }

    #[test]
    fn who_cannot_start_is_no_work_left() {
        let weights: Vec<u8> = (0..100).map(|i| 1 + i % 3).collect();
        let world = AnySnapshot::from(SquareGrid::from_weights(10, 10, &weights, Rules::default()).unwrap());
        let trials = queries::random(&world, 7, 3).unwrap();
        let entrants = ["jump-point", "a-star"].map(|name| Entrant::named(&world, name).unwrap());
        let (result, told) = all_told(|progress| race("heavy", &world, &trials, &entrants, 1, progress));
        assert_eq!((result.skipped.len(), told[0]), (1, (0, 7 * 11)));
    }

    #[test]
    fn what_the_rules_chose_is_told_apart() {
        let world = striped();
        let trials = queries::random(&world, 5, 3).unwrap();
        let entrants = [Entrant::auto(&world, Edits::Sometimes), Entrant::named(&world, "jump-point").unwrap()];
        let result = race("striped", &world, &trials, &entrants, 1, &mut go_on).unwrap();
        let names: Vec<&str> = result.rows.iter().map(|row| row.algorithm.as_str()).collect();
        assert_eq!(names, ["jump-point (auto)", "jump-point"]);
        assert!(result.rows[0].why.as_ref().is_some_and(|why| why.contains("uniform")) && result.rows[1].why.is_none());
    }

    #[test]
    fn a_wrong_stated_length_counts_as_a_mismatch() {
        let world = striped();
        let mut trials = queries::random(&world, 8, 5).unwrap();
        let true_optima = optima(&world, &trials, Reference::Computed);
        for (trial, optimum) in trials.iter_mut().zip(true_optima) {
            trial.stated = optimum.map(|optimum| optimum.length);
        }
        trials[2].stated = trials[2].stated.map(|length| length - 0.5);
        trials[5].stated = trials[5].stated.map(|length| length + 0.5);
        let entrants = [Entrant::named(&world, "a-star").unwrap()];
        let result = race("striped", &world, &trials, &entrants, 1, &mut go_on).unwrap();
        assert_eq!((result.rows[0].mismatches, result.rows[0].solved), (2, 6));
        assert_eq!(result.faults.len(), 2);
    }
}
