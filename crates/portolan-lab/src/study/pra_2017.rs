//! PRA* 2017: the thesis' searches (table 4.1), what its hierarchies take to build (table 4.2), and its two changes of a
//! map (section 4.4).
//!
//! As in the thesis: its rules, HPA* of 10 × 10 and one level with its own entrances, nothing smoothed. Where it shows one
//! search a map, this asks many. PRA* runs as the thesis has it, in the corridor of the route above and nothing beside it,
//! down to the cells; and as it does by default, with one node to each side and the cells by sight, which leaves little to
//! smooth, in full and 16 steps at a time.
//!
//! Harvanová: Hierarchical pathfinding in computer games, 2017. What routes should be worth is from Sturtevant, Buro: Partial
//! pathfinding using map abstraction and refinement, 2005.

mod builds;
mod dynamic;
mod pages;
mod thesis;

pub use builds::BuildRow;
pub use dynamic::{Change, ChangeRow};
pub use thesis::PrintedSearch;

use super::bucket::{by_length, greatest, mean};
use super::field::{Answer, answers, planner, times};
use super::maps::Course;
use super::{Field, Measure, Measured, Study};
use crate::progress::{Cancelled, Steps};
use portolan::{Planner, Route, Snapshot};
use serde::Serialize;

pub(super) const STUDY: Study = Study {
    name: "pra-2017",
    title: "Hierarchical pathfinding in computer games",
    paper: "Harvanová 2017",
    summary: "PRA* against HPA* and A*: length of routes, nodes expanded, building, and repairs after a wall or a corridor",
    measure: Measure::Maps(thesis::GROUND, measure),
};

/// Runs of a query, of which the fastest counts.
const REPEAT: usize = 3;
/// How long the stretches are that the figures show.
const STRETCH: f64 = 50.0;

/// Who is compared; the first is exact.
const ENTRANTS: [&str; 5] = ["A*", "HPA*", "PRA* 2017", "PRA*", "PRA*(16)"];
const HPA: usize = 1;
/// As the thesis has it.
const NARROW: usize = 2;
const WIDE: usize = 3;
const PARTIAL: usize = 4;
/// The thesis' row of table 4.1 that an entrant stands beside.
const PRINTED: [usize; 5] = [0, 1, 2, 2, 2];

/// What was found. Arrays by entrant are in the order A*, HPA*, PRA* 2017, PRA*, PRA*(16).
#[derive(Clone, Debug, Default, Serialize)]
pub struct Findings {
    /// Table 4.1.
    pub searches: Vec<SearchRow>,
    /// Searches that some entrant did not answer with a legal route.
    pub unanswered: usize,
    /// The same by length, all maps together.
    pub lengths: Vec<LengthRow>,
    /// Table 4.2.
    pub builds: Vec<BuildRow>,
    /// Section 4.4.
    pub changes: Vec<ChangeRow>,
}

/// Searches on a map.
#[derive(Clone, Debug, Serialize)]
pub struct SearchRow {
    /// Which map.
    pub map: String,
    /// Its free cells.
    pub free_cells: usize,
    /// Searches that all answered.
    pub searches: usize,
    /// By entrant.
    pub entrants: Vec<EntrantRow>,
    /// Those of the searches that are as long as the thesis' own, the tenth that comes nearest.
    pub alike_searches: usize,
    /// The same of these.
    pub alike: Vec<EntrantRow>,
}

/// What an entrant made of them, on average unless it says otherwise.
#[derive(Clone, Debug, Serialize)]
pub struct EntrantRow {
    /// Who.
    pub entrant: &'static str,
    /// What a route costs, in straight steps.
    pub cost: f64,
    /// Its cells.
    pub cells: f64,
    /// Nodes expanded, of all layers.
    pub expanded: f64,
    /// Microseconds.
    pub mean_us: f64,
    /// By how much routes are too long.
    pub quality: Quality,
    /// The one search of the thesis.
    pub printed: Option<PrintedSearch>,
}

/// The thesis' path quality degradation: by how many percent routes cost more than they could.
#[derive(Copy, Clone, Debug, Serialize)]
pub struct Quality {
    /// On average.
    pub mean_percent: f64,
    /// What nine in ten stay within.
    pub p90_percent: f64,
    /// What nineteen in twenty stay within.
    pub p95_percent: f64,
    /// The worst.
    pub max_percent: f64,
    /// Percent of routes that are at most 1 % too long.
    pub within_1: f64,
    /// Percent of routes that are at most 5 % too long.
    pub within_5: f64,
}

impl Quality {
    fn of(mut percents: Vec<f64>) -> Quality {
        percents.sort_by(f64::total_cmp);
        let count = percents.len();
        let below =
            |share: usize| percents.get((count * share).div_ceil(100).saturating_sub(1)).copied().unwrap_or(0.0);
        let within = |most: f64| {
            let close = percents.iter().filter(|&&percent| percent <= most).count();
            close as f64 / count.max(1) as f64 * 100.0
        };
        Quality {
            mean_percent: mean(percents.iter().copied()),
            p90_percent: below(90),
            p95_percent: below(95),
            max_percent: greatest(percents.iter().copied()),
            within_1: within(1.0),
            within_5: within(5.0),
        }
    }
}

/// Searches of about the same length.
#[derive(Clone, Debug, Serialize)]
pub struct LengthRow {
    /// The least length.
    pub from: f64,
    /// The least length of the next row.
    pub to: f64,
    /// Searches.
    pub searches: usize,
    /// By how many percent routes are too long, by entrant.
    pub mean_percent: [f64; 5],
    /// Nodes expanded, by entrant.
    pub mean_expanded: [f64; 5],
}

/// What is known of one query, by entrant.
struct Sample {
    /// In straight steps.
    costs: [f64; 5],
    cells: [f64; 5],
    expanded: [f64; 5],
    us: [f64; 5],
}

impl Sample {
    fn percent(&self, entrant: usize) -> f64 {
        (self.costs[entrant] / self.costs[0] - 1.0) * 100.0
    }
}

fn measure(field: &Field, steps: &mut Steps) -> Result<Measured, Cancelled> {
    let (mut findings, mut samples) = (Findings::default(), Vec::new());
    for course in &field.courses {
        findings.builds.push(builds::build(course, steps)?);
        if thesis::printed(&course.name).is_some_and(|printed| printed.searches.is_some()) {
            let planners = entrants(&course.world);
            let found = planners.iter().map(|planner| answers(&course.world, &course.trials, planner, steps));
            let found = found.collect::<Result<Vec<Vec<Answer>>, Cancelled>>()?;
            let own = search(course, &planners, &found, steps)?;
            findings.unanswered += course.trials.len() - own.len();
            findings.searches.push(row(course, &own));
            findings.changes.extend(dynamic::changes(course, &found[WIDE], &found[0], steps)?);
            samples.extend(own);
        }
        steps.advance(1)?;
    }
    let length = |bucket: super::bucket::Bucket<Sample>| LengthRow {
        from: bucket.from,
        to: bucket.to,
        searches: bucket.samples.len(),
        mean_percent: std::array::from_fn(|entrant| bucket.mean(|sample| sample.percent(entrant))),
        mean_expanded: std::array::from_fn(|entrant| bucket.mean(|sample| sample.expanded[entrant])),
    };
    findings.lengths = by_length(&samples, STRETCH, |sample| sample.costs[0]).into_iter().map(length).collect();
    let document = pages::document(&findings);
    Ok(Measured { findings: super::Findings::Pra2017(findings), document })
}

fn pra_star(world: &Snapshot, settings: &[(&str, &str)]) -> Planner {
    planner(world, "pra-star", settings)
}

fn hpa_star(world: &Snapshot) -> Planner {
    let settings = [
        ("cluster", "10"),
        ("levels", "1"),
        ("entrances", "pra-2017"),
        ("direct", "no"),
        ("routes", "search"),
        ("smoothing", "none"),
    ];
    planner(world, "hpa-star", &settings)
}

fn entrants(world: &Snapshot) -> [Planner; 5] {
    [
        planner(world, "a-star", &[("successors", "all")]),
        hpa_star(world),
        pra_star(world, &[("corridor", "0"), ("cells", "search")]),
        pra_star(world, &[]),
        pra_star(world, &[("limit", "16")]),
    ]
}

/// What every entrant made of the trials that all answered.
fn search(
    course: &Course,
    planners: &[Planner],
    found: &[Vec<Answer>],
    steps: &mut Steps,
) -> Result<Vec<Sample>, Cancelled> {
    let micros = times(&course.world, &course.trials, &planners.iter().collect::<Vec<_>>(), REPEAT, steps)?;
    let straight = f64::from(course.world.metric().straight());
    let sample = |trial: usize| {
        let routes: Option<Vec<&Route>> = found.iter().map(|answers| answers[trial].route.as_ref()).collect();
        let routes = routes?;
        let expanded = |entrant: usize| {
            let effort = &found[entrant][trial].effort;
            (effort.main + effort.connecting + effort.refining) as f64
        };
        Some(Sample {
            costs: std::array::from_fn(|entrant| f64::from(routes[entrant].cost().0) / straight),
            cells: std::array::from_fn(|entrant| routes[entrant].cells().len() as f64),
            expanded: std::array::from_fn(expanded),
            us: std::array::from_fn(|entrant| micros[entrant][trial]),
        })
    };
    Ok((0..course.trials.len()).filter_map(sample).collect())
}

fn row(course: &Course, samples: &[Sample]) -> SearchRow {
    let printed = thesis::printed(&course.name).and_then(|printed| printed.searches);
    let all: Vec<&Sample> = samples.iter().collect();
    let mut alike = all.clone();
    if let Some([exact, ..]) = printed {
        alike.sort_by(|a, b| (a.costs[0] - exact.cost).abs().total_cmp(&(b.costs[0] - exact.cost).abs()));
        alike.truncate(samples.len().div_ceil(10));
    }
    let rows = |samples: &[&Sample]| (0..5).map(|entrant| entrant_row(entrant, samples, printed)).collect();
    SearchRow {
        map: course.name.clone(),
        free_cells: course.world.free_cells(),
        searches: samples.len(),
        entrants: rows(&all),
        alike_searches: alike.len(),
        alike: rows(&alike),
    }
}

fn entrant_row(entrant: usize, samples: &[&Sample], printed: Option<[PrintedSearch; 3]>) -> EntrantRow {
    let mean = |value: fn(&Sample) -> &[f64; 5]| mean(samples.iter().map(|sample| value(sample)[entrant]));
    EntrantRow {
        entrant: ENTRANTS[entrant],
        cost: mean(|sample| &sample.costs),
        cells: mean(|sample| &sample.cells),
        expanded: mean(|sample| &sample.expanded),
        mean_us: mean(|sample| &sample.us),
        quality: Quality::of(samples.iter().map(|sample| sample.percent(entrant)).collect()),
        printed: printed.map(|rows| rows[PRINTED[entrant]]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Options;

    #[test]
    fn shares_and_percentiles_count_routes() {
        let quality = Quality::of((0..20).map(f64::from).collect());
        let Quality { p90_percent, p95_percent, max_percent, within_1, within_5, .. } = quality;
        assert_eq!((p90_percent, p95_percent, max_percent), (17.0, 18.0, 19.0));
        assert_eq!((within_1, within_5), (10.0, 30.0));
        assert!(Quality::of(vec![]).p90_percent.abs() < 1e-12);
    }

    #[test]
    fn a_small_run_counts_what_it_should() {
        let options = Options { queries: Some(4), seed: 3, quick: true, ..Options::default() };
        let results = STUDY.run(None, &options, &mut crate::progress::go_on).unwrap();
        let crate::study::Findings::Pra2017(found) = &results.findings else { panic!("the wrong study") };
        assert_eq!((found.builds.len(), found.searches.len(), found.unanswered), (6, 4, 0));
        for row in &found.searches {
            assert_eq!((row.searches, row.entrants.len(), row.alike_searches, row.alike.len()), (4, 5, 1, 5));
            for entrant in &row.entrants {
                assert!(entrant.quality.mean_percent >= 0.0 && entrant.expanded > 0.0, "{entrant:?}");
            }
            assert!(row.entrants[0].quality.max_percent.abs() < 1e-12, "A* is exact");
        }
        for change in [Change::Wall, Change::Corridor] {
            assert!(found.changes.iter().filter(|row| row.change == change).count() >= 2, "{change:?} has no place");
        }
        for row in &found.changes {
            assert_eq!((row.checked > 0, row.differ), (true, 0), "{row:?}");
            assert!(row.before > 0.0 && row.after > 0.0 && row.changed > 0, "{row:?}");
        }
        assert_eq!(found.lengths.iter().map(|row| row.searches).sum::<usize>(), 16);
        let page = results.html();
        crate::report::tests::check_page(&page);
        assert!(page.matches("<svg").count() == 2 && !page.contains("NaN") && !page.contains("inf"));
    }
}
