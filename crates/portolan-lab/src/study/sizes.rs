//! What a larger world costs: worlds of two kinds in growing sizes, and for each algorithm how long it takes to build
//! and to answer a query, and how much memory it keeps. No paper has this experiment. It shows from which size on a
//! chart is worth building, and with which power of the side its costs grow.
//!
//! Each algorithm runs in a race of its own, because the indexes of several algorithms for the largest worlds would not
//! fit into memory together. The exact algorithm that the rules take for a world that is edited gives the lengths that
//! all routes are compared with.

mod pages;

use super::bucket::mean;
use super::{Findings as AnyFindings, MapsError, Measured, Options, QUICK_QUERIES, Ran, Study, StudyError};
use crate::progress::{Cancelled, Progress, Steps};
use crate::queries::{self, Trial};
use crate::race::{Entrant, Row, race};
use crate::study::Measure;
use portolan::Rules;
use portolan::any::{AnyPlanner, AnyScratch, AnySnapshot};
use portolan::auto::Edits;
use portolan::generate::{Kind, generate};
use serde::Serialize;

pub(super) const STUDY: Study = Study {
    name: "sizes",
    chapters: &[],
    title: "What a larger world costs",
    paper: "a question of our own, no paper's",
    summary: "Cities and caves of 256 to 8,192 cells a side: building, memory, queries and first steps, and how they grow",
    measure: Measure::Own(measure),
};

/// The sides of the worlds, in cells.
const SIDES: [usize; 6] = [256, 512, 1024, 2048, 4096, 8192];
/// The side of the largest world, by default and if [`Options::quick`] is set.
const LARGEST: usize = 2048;
const QUICK_LARGEST: usize = 512;
/// Queries on each world.
const QUERIES: usize = 50;
/// The seed of the generated worlds.
const WORLD: u64 = 7;
const KINDS: [Kind; 2] = [Kind::City, Kind::Caves];
/// The side of the world on which it is found out which algorithms have charts.
const SAMPLE: usize = 64;

/// What was found.
#[derive(Clone, Debug, Serialize)]
pub struct Findings {
    /// One row for each world and algorithm: by world, then by algorithm.
    pub rows: Vec<SizeRow>,
    /// How times and memory grow with the side, by kind of world and algorithm.
    pub growths: Vec<Growth>,
    /// The number of answers that break the promise of their algorithm.
    pub mismatches: usize,
    /// The number of queries that were given up because a budget ran out.
    pub unanswered: usize,
}

/// The results of one algorithm on one world. Times are those of one pass over the queries.
#[derive(Clone, Debug, Serialize)]
pub struct SizeRow {
    /// The kind of world.
    pub recipe: &'static str,
    /// Cells along its side.
    pub side: usize,
    /// The name of the algorithm.
    pub algorithm: &'static str,
    /// Milliseconds to build the planner.
    pub build_ms: f64,
    /// Bytes that the planner keeps.
    pub bytes: usize,
    /// Mean microseconds of a query.
    pub mean_us: f64,
    /// Mean microseconds until the first step is known.
    pub first_step_us: f64,
    /// By how many percent routes are longer than the shortest, on average.
    pub error_percent: f64,
    /// By how many percent the worst route is longer than the shortest.
    pub worst_percent: f64,
}

/// Exponents of growth: a time or size grows as the side to this power. `None` if fewer than two worlds were measured.
#[derive(Clone, Debug, Serialize)]
pub struct Growth {
    /// The kind of world.
    pub recipe: &'static str,
    /// The name of the algorithm.
    pub algorithm: &'static str,
    /// The exponent of the time of a query.
    pub query_slope: Option<f64>,
    /// The exponent of the time until the first step is known.
    pub first_step_slope: Option<f64>,
    /// The exponent of the time to build.
    pub build_slope: Option<f64>,
    /// The exponent of the bytes that the planner keeps.
    pub bytes_slope: Option<f64>,
}

/// The number of steps in which the progress of each race is reported.
const SHARES: u64 = 100;

fn measure(options: &Options, progress: &mut Progress) -> Result<Ran, StudyError> {
    let queries = options.queries.unwrap_or(if options.quick { QUICK_QUERIES } else { QUERIES });
    let largest = options.largest.unwrap_or(if options.quick { QUICK_LARGEST } else { LARGEST });
    let sides = SIDES.iter().copied().filter(|&side| side <= largest);
    let entrants = entrants(&options.with);
    let worlds: Vec<(Kind, usize)> =
        KINDS.iter().flat_map(|&kind| sides.clone().map(move |side| (kind, side))).collect();
    let mut steps = Steps::new(progress, SHARES * (worlds.len() * entrants.len()) as u64)?;
    let mut findings = Findings { rows: vec![], growths: vec![], mismatches: 0, unanswered: 0 };
    let mut free = Vec::new();
    for &(kind, side) in &worlds {
        let recipe = kind.recipe().name;
        let world = made(kind, side);
        free.push(world.free_cells() as f64);
        let mut trials = queries::random(&world, queries, options.seed)
            .map_err(|source| MapsError::Trials { map: format!("{recipe} {side} x {side}"), source })?;
        state_lengths(&world, &mut trials, &mut steps)?;
        for entrant in &entrants {
            let alone = [entrant.clone().gives_up_on(&world)];
            let result = steps.part(SHARES, |progress| race(recipe, &world, &trials, &alone, 1, progress))?;
            for row in &result.rows {
                findings.mismatches += row.mismatches;
                findings.unanswered += row.out_of_budget;
                findings.rows.push(SizeRow::new(recipe, side, entrant.algorithm.name(), row));
            }
        }
    }
    findings.growths = growths(&findings.rows);
    let document = pages::document(&findings);
    let measured = Measured { findings: AnyFindings::Sizes(findings), document };
    let source = ("the generator".to_owned(), "queries");
    Ok(Ran { measured, source, queries, worlds: worlds.len(), free_cells: mean(free.into_iter()), unit: "free cells" })
}

/// Returns the algorithms of these names. If there are no names, returns those that the rules take for exact answers, on
/// a world with edits and on one without, and after them every algorithm that keeps a chart.
fn entrants(names: &[&str]) -> Vec<Entrant> {
    let sample = made(KINDS[0], SAMPLE);
    if !names.is_empty() {
        return names.iter().filter_map(|name| Entrant::named(&sample, name)).collect();
    }
    let exact = [Edits::Sometimes, Edits::Never].map(|edits| exact(&sample, edits));
    let is_chart = |entrant: &Entrant| {
        let planner = AnyPlanner::build(&sample, entrant.algorithm, entrant.settings.clone()).ok();
        planner.and_then(|planner| planner.outline(&sample).ok()?).is_some_and(|outline| outline.has_regions())
    };
    let charts = sample.algorithms().into_iter().map(Entrant::new).filter(is_chart);
    exact.into_iter().chain(charts).collect()
}

/// Returns the algorithm that the rules take for many exact answers.
fn exact(world: &AnySnapshot, edits: Edits) -> Entrant {
    Entrant { why: None, ..Entrant::auto(world, edits) }
}

/// Generates a world.
///
/// # Panics
/// Never: the sizes and settings are valid.
fn made(kind: Kind, side: usize) -> AnySnapshot {
    let settings = kind.recipe().settings::<&str, &str>(&[]).expect("defaults are in range");
    let grid = generate(kind.recipe(), side, side, WORLD, &settings, Rules::default()).expect("a sound size");
    AnySnapshot::from(grid)
}

/// States the length of the shortest route in each trial.
fn state_lengths(world: &AnySnapshot, trials: &mut [Trial], steps: &mut Steps) -> Result<(), Cancelled> {
    let Entrant { algorithm, settings, .. } = exact(world, Edits::Sometimes);
    let planner = AnyPlanner::build(world, algorithm, settings).expect("the rules take what runs on the world");
    let mut scratch = AnyScratch::new();
    for trial in trials {
        let outcome = planner.find(world, trial.query(None), &mut scratch).expect("trials start on free cells");
        trial.stated = outcome.route().map(|route| route.length(world));
        steps.still()?;
    }
    Ok(())
}

impl SizeRow {
    fn new(recipe: &'static str, side: usize, algorithm: &'static str, row: &Row) -> SizeRow {
        // Rounding can make a ratio slightly less than 1; this counts as 0 percent.
        let percent = |ratio: Option<f64>| ratio.map_or(0.0, |ratio| (ratio - 1.0).max(0.0) * 100.0);
        SizeRow {
            recipe,
            side,
            algorithm,
            build_ms: row.build_ms,
            bytes: row.index_bytes,
            mean_us: row.mean_us,
            first_step_us: row.first_step_us,
            error_percent: percent(row.ratio_mean),
            worst_percent: percent(row.ratio_max),
        }
    }
}

/// Groups the rows by kind of world and algorithm, in the order in which they ran; each group has its smallest world
/// first.
fn by_algorithm(rows: &[SizeRow]) -> Vec<Vec<&SizeRow>> {
    let mut groups: Vec<Vec<&SizeRow>> = Vec::new();
    for row in rows {
        let same = |group: &&mut Vec<&SizeRow>| group[0].recipe == row.recipe && group[0].algorithm == row.algorithm;
        match groups.iter_mut().find(same) {
            Some(group) => group.push(row),
            None => groups.push(vec![row]),
        }
    }
    groups
}

fn growths(rows: &[SizeRow]) -> Vec<Growth> {
    let growth = |group: Vec<&SizeRow>| {
        let grown = |value: fn(&SizeRow) -> f64| slope(group.iter().map(|row| (row.side as f64, value(row))));
        Growth {
            recipe: group[0].recipe,
            algorithm: group[0].algorithm,
            query_slope: grown(|row| row.mean_us),
            first_step_slope: grown(|row| row.first_step_us),
            build_slope: grown(|row| row.build_ms),
            bytes_slope: grown(|row| row.bytes as f64),
        }
    };
    by_algorithm(rows).into_iter().map(growth).collect()
}

/// Returns the power of x with which y grows: the slope of the least-squares line through the logarithms. Points whose
/// y is 0 are ignored. Returns `None` if fewer than two different x are left.
fn slope(points: impl Iterator<Item = (f64, f64)>) -> Option<f64> {
    let logs: Vec<(f64, f64)> = points.filter(|point| point.1 > 0.0).map(|(x, y)| (x.ln(), y.ln())).collect();
    let (x, y) = (mean(logs.iter().map(|log| log.0)), mean(logs.iter().map(|log| log.1)));
    let spread: f64 = logs.iter().map(|log| (log.0 - x).powi(2)).sum();
    let together: f64 = logs.iter().map(|log| (log.0 - x) * (log.1 - y)).sum();
    (spread > 0.0).then(|| together / spread)
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::Promise;

    #[test]
    fn a_slope_is_the_power_by_which_things_grow() {
        let of = |points: &[(f64, f64)]| slope(points.iter().copied()).map(|slope| (slope * 1e6).round() / 1e6);
        assert_eq!(of(&[(1.0, 3.0), (2.0, 12.0), (4.0, 48.0)]), Some(2.0));
        assert_eq!(of(&[(256.0, 5.0), (512.0, 5.0)]), Some(0.0));
        assert_eq!(of(&[(256.0, 5.0), (512.0, 0.0)]), None, "nothing grows from or to nothing");
        assert_eq!(of(&[(256.0, 5.0)]), None);
    }

    #[test]
    fn a_small_run_measures_everybody_on_every_world() {
        let options = Options { queries: Some(4), seed: 3, quick: true, ..Options::default() };
        let results = STUDY.run(None, &options, &mut crate::progress::go_on).unwrap();
        let AnyFindings::Sizes(found) = &results.findings else { panic!("the wrong study") };
        assert_eq!((results.maps, results.queries, found.mismatches, found.unanswered), (4, 4, 0, 0));
        let present = entrants(&[]);
        assert_eq!((found.rows.len(), found.growths.len()), (4 * present.len(), 2 * present.len()));
        let sample = made(KINDS[0], SAMPLE);
        let is_exact = |name: &str| {
            let entrant = Entrant::named(&sample, name).unwrap();
            entrant.algorithm.promise(&sample, &entrant.settings) == Promise::Optimal
        };
        assert!(is_exact(found.rows[0].algorithm) && !is_exact(found.rows.last().unwrap().algorithm));
        for row in &found.rows {
            assert!(row.mean_us > 0.0 && row.first_step_us > 0.0 && row.bytes > 0, "{row:?}");
            assert!(row.error_percent <= row.worst_percent + 1e-9, "{row:?}");
            assert!(!is_exact(row.algorithm) || row.worst_percent < 1e-6, "{row:?}");
        }
        assert!(found.growths.iter().all(|growth| growth.query_slope.is_some() && growth.bytes_slope > Some(1.0)));
        let page = results.html();
        crate::report::tests::check_page(&page);
        assert!(page.matches("<svg").count() == 4 && !page.contains("NaN") && !page.contains("inf"));
    }

    #[test]
    fn the_named_run_alone_up_to_the_side_asked_for() {
        let with = vec!["a-star", "dhpa-star"];
        let options = Options { queries: Some(2), seed: 1, largest: Some(300), with, ..Options::default() };
        let results = STUDY.run(None, &options, &mut crate::progress::go_on).unwrap();
        let AnyFindings::Sizes(found) = &results.findings else { panic!("the wrong study") };
        let ran: Vec<_> = found.rows.iter().map(|row| (row.recipe, row.side, row.algorithm)).collect();
        let expected = ["city", "caves"].map(|recipe| [(recipe, 256, "a-star"), (recipe, 256, "dhpa-star")]);
        assert_eq!(ran, expected.concat());
        assert!(found.growths.iter().all(|growth| growth.query_slope.is_none()));
        crate::report::tests::check_page(&results.html());
    }
}
