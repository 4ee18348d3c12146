//! PRA* 2017: the searches of the thesis (table 4.1), the time to build its hierarchies (table 4.2), and its two
//! changes of a map (section 4.4).
//!
//! The rules are those of the thesis, HPA* has clusters of 10 × 10 cells, one level and the entrances of the thesis,
//! and no route is smoothed. The thesis shows one search on each map; this study runs many. PRA* runs in three ways. As
//! in the thesis: every layer down to the cells is searched only in the corridor of the route of the layer above. By
//! default: the corridor is one node wider on each side, and the route becomes cells by straight walks where they are
//! possible, which leaves little to smooth. And by default, except that each layer keeps 16 steps of its route at a
//! time.
//!
//! Harvanová: Hierarchical pathfinding in computer games, 2017. The targets for the quality of routes are from
//! Sturtevant, Buro: Partial pathfinding using map abstraction and refinement, 2005.

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
    chapters: &[],
    title: "Hierarchical pathfinding in computer games",
    paper: "Harvanová 2017",
    summary: "PRA* against HPA* and A*: length of routes, nodes expanded, building, and repairs after a wall or a corridor",
    measure: Measure::Maps(thesis::GROUND, measure),
};

/// Runs of a query; the fastest counts.
const REPEAT: usize = 3;
/// The width of the stretches of route lengths in the figures.
const STRETCH: f64 = 50.0;

/// The compared algorithms. The first is exact.
const ENTRANTS: [&str; 5] = ["A*", "HPA*", "PRA* 2017", "PRA*", "PRA*(16)"];
const HPA: usize = 1;
/// PRA* as in the thesis.
const NARROW: usize = 2;
const WIDE: usize = 3;
const PARTIAL: usize = 4;
/// For each entrant, the row of the thesis' table 4.1 that it is compared with.
const PRINTED: [usize; 5] = [0, 1, 2, 2, 2];

/// The findings. Arrays by entrant are in the order A*, HPA*, PRA* 2017, PRA*, PRA*(16).
#[derive(Clone, Debug, Default, Serialize)]
pub struct Findings {
    /// Table 4.1.
    pub searches: Vec<SearchRow>,
    /// The number of searches that some entrant did not answer with a legal route.
    pub unanswered: usize,
    /// The searches of all maps by length.
    pub lengths: Vec<LengthRow>,
    /// Table 4.2.
    pub builds: Vec<BuildRow>,
    /// Section 4.4.
    pub changes: Vec<ChangeRow>,
}

/// The searches on one map.
#[derive(Clone, Debug, Serialize)]
pub struct SearchRow {
    /// The name of the map.
    pub map: String,
    /// Its free cells.
    pub free_cells: usize,
    /// The number of searches that all entrants answered.
    pub searches: usize,
    /// The means over all these searches, by entrant.
    pub entrants: Vec<EntrantRow>,
    /// The number of searches whose length is nearest to that of the thesis' search: a tenth of all.
    pub alike_searches: usize,
    /// The means over those nearest searches, by entrant.
    pub alike: Vec<EntrantRow>,
}

/// The results of an entrant: means over searches.
#[derive(Clone, Debug, Serialize)]
pub struct EntrantRow {
    /// The name of the entrant.
    pub entrant: &'static str,
    /// Cost of a route, in straight steps.
    pub cost: f64,
    /// Cells of a route.
    pub cells: f64,
    /// Nodes expanded in all layers.
    pub expanded: f64,
    /// Microseconds of a search.
    pub mean_us: f64,
    /// How much longer than the optimum routes are.
    pub quality: Quality,
    /// The thesis' search on this map.
    pub printed: Option<PrintedSearch>,
}

/// The path quality degradation of the thesis: by how many percent routes cost more than the cheapest.
#[derive(Copy, Clone, Debug, Serialize)]
pub struct Quality {
    /// The mean.
    pub mean_percent: f64,
    /// The value that nine of ten routes do not exceed.
    pub p90_percent: f64,
    /// The value that nineteen of twenty routes do not exceed.
    pub p95_percent: f64,
    /// The greatest value.
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

/// Searches whose shortest routes have about the same length.
#[derive(Clone, Debug, Serialize)]
pub struct LengthRow {
    /// The least length.
    pub from: f64,
    /// The least length of the next row.
    pub to: f64,
    /// The number of searches.
    pub searches: usize,
    /// By how many percent routes cost more than the cheapest, by entrant.
    pub mean_percent: [f64; 5],
    /// Nodes expanded, by entrant.
    pub mean_expanded: [f64; 5],
}

/// The measurements of one query, by entrant.
struct Sample {
    /// Cost of the route, in straight steps.
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

/// Returns the measurements of those trials that all entrants answered.
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
