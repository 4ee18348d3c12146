//! HPA* 2004: the size of its graphs (table 2), the length of its open lists (table 3), how many nodes searches expand
//! and how long they take (figures 5, 6 and 8), and how long its routes are (figure 7).
//!
//! As in the paper, clusters have 10 × 10 cells, groups have 2 × 2 clusters, and queries are random connected pairs.
//! The rule that picks transitions is the one by which the figures of the paper's table 2 come about. The rule as the
//! paper describes it in words is measured too where it makes a difference.
//!
//! Botea, Müller, Schaeffer: Near optimal hierarchical path-finding, 2004.

mod pages;
mod sizes;

pub use sizes::{SizeRow, Sizes};

use super::bucket::{Bucket, by_length, greatest, mean};
use super::field::{Answer, answers, planner, times};
use super::maps::{Course, PAPERS};
use super::{Field, Measure, Measured, Study};
use crate::progress::{Cancelled, Steps};
use portolan::{Planner, Route, Smoothing, Snapshot};
use serde::Serialize;

pub(super) const STUDY: Study = Study {
    name: "hpa-2004",
    chapters: &[],
    title: "Near optimal hierarchical path-finding",
    paper: "Botea, Müller, Schaeffer 2004",
    summary: "HPA* with one, two and three levels: graph sizes, effort, time and length of routes against A*",
    measure: Measure::Maps(PAPERS, measure),
};

/// Runs of a query; the fastest counts.
const REPEAT: usize = 3;
/// The width of the stretches of route lengths in tables and figures.
const STRETCH: f64 = 50.0;
/// The cluster sizes of figure 8.
const CLUSTERS: [u32; 8] = [5, 10, 15, 20, 25, 30, 35, 40];
/// The rules that pick transitions: the one of table 2, and the one that the paper describes in words.
const ENTRANCES: [&str; 2] = ["table-2", "hpa-2004"];

/// The findings.
#[derive(Clone, Debug, Serialize)]
pub struct Findings {
    /// Table 2, for each rule of entrances.
    pub sizes: Vec<Sizes>,
    /// The number of searches of each technique.
    pub searches: usize,
    /// The number of searches that A* or some HPA* did not answer with a legal route.
    pub unanswered: usize,
    /// The number of searches whose cost depends on the number of levels.
    pub levels_differ: usize,
    /// Figures 5 and 6 over all lengths, and table 3: first A*, then HPA* with one, two and three levels.
    pub techniques: Vec<Technique>,
    /// Figures 5, 6 and 7 by length.
    pub lengths: Vec<LengthRow>,
    /// Figure 7 over all lengths, for each rule of entrances.
    pub errors: Vec<ErrorRow>,
    /// Figure 8.
    pub clusters: Vec<ClusterRow>,
}

/// The mean effort of a technique for a search.
#[derive(Clone, Debug, Serialize)]
pub struct Technique {
    /// Levels of the chart; 0 is A*.
    pub levels: usize,
    /// Nodes that the search itself expands.
    pub main: f64,
    /// Nodes expanded to connect start and goal.
    pub connecting: f64,
    /// Nodes expanded to refine the route.
    pub refining: f64,
    /// Mean number of nodes on the open list of the search itself.
    pub open: f64,
    /// Time in microseconds.
    pub mean_us: f64,
}

impl Technique {
    fn of(samples: &Bucket<Sample>, levels: usize) -> Technique {
        let mean = |value: fn(&Run) -> f64| samples.mean(|sample| value(&sample.runs[levels]));
        Technique {
            levels,
            main: mean(|run| run.main),
            connecting: mean(|run| run.connecting),
            refining: mean(|run| run.refining),
            open: mean(|run| run.open),
            mean_us: mean(|run| run.us),
        }
    }

    fn total(&self) -> f64 {
        self.main + self.connecting + self.refining
    }

    fn name(&self) -> String {
        match self.levels {
            0 => "A*".to_owned(),
            1 => "HPA* 1 level".to_owned(),
            levels => format!("HPA* {levels} levels"),
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
    /// The effort of each technique.
    pub techniques: Vec<Technique>,
    /// By how many percent routes are longer than the optimum: as found, smoothed as in the paper, and pulled taut.
    pub error_percent: [f64; 3],
}

/// By how many percent routes are longer than the optimum.
#[derive(Clone, Debug, Serialize)]
pub struct ErrorRow {
    /// The rule that picked the transitions.
    pub entrances: &'static str,
    /// How the routes were smoothed.
    pub smoothing: &'static str,
    /// Mean, in percent.
    pub mean_percent: f64,
    /// The greatest value, in percent.
    pub max_percent: f64,
}

/// The effort to find an abstract route with clusters of one size.
#[derive(Clone, Debug, Serialize)]
pub struct ClusterRow {
    /// Cells along a cluster's side.
    pub cluster: u32,
    /// Nodes that the search itself expands.
    pub main: f64,
    /// Nodes expanded to connect start and goal.
    pub connecting: f64,
}

/// The measurements of one query.
struct Sample {
    /// Length of the shortest route.
    length: f64,
    /// The runs of A*, then of HPA* with one, two and three levels.
    runs: Vec<Run>,
    /// By how many percent routes are longer than the optimum: by rule of entrances, then as found, smoothed and pulled
    /// taut.
    errors: [[f64; 3]; 2],
}

struct Run {
    main: f64,
    connecting: f64,
    refining: f64,
    open: f64,
    us: f64,
}

impl Run {
    fn new(answer: &Answer, us: f64) -> Run {
        let effort = &answer.effort;
        Run {
            main: effort.main as f64,
            connecting: effort.connecting as f64,
            refining: effort.refining as f64,
            open: effort.open_mean(),
            us,
        }
    }
}

const SMOOTHINGS: [&str; 3] = ["none", "straight lines", "taut"];

fn measure(field: &Field, steps: &mut Steps) -> Result<Measured, Cancelled> {
    let mut gathered = Gathered::default();
    for course in &field.courses {
        gathered.add(course, steps)?;
        steps.advance(1)?;
    }
    let findings = gathered.findings();
    let document = pages::document(&findings);
    Ok(Measured { findings: super::Findings::Hpa2004(findings), document })
}

/// The measurements, collected map by map.
#[derive(Default)]
struct Gathered {
    sizes: [sizes::Sum; 2],
    searches: usize,
    unanswered: usize,
    levels_differ: usize,
    samples: Vec<Sample>,
    /// For each size of clusters, the effort of every search: nodes of the search itself and of connecting.
    by_cluster: [Vec<(f64, f64)>; CLUSTERS.len()],
}

impl Gathered {
    fn add(&mut self, course: &Course, steps: &mut Steps) -> Result<(), Cancelled> {
        let Course { world, trials, .. } = course;
        for (sum, entrances) in self.sizes.iter_mut().zip(ENTRANCES) {
            sum.add(world, &hpa_star(world, 10, 3, entrances));
            steps.still()?;
        }
        let planners: Vec<Planner> = [planner(world, "a-star", &[("successors", "all")])]
            .into_iter()
            .chain((1..=3).map(|levels| hpa_star(world, 10, levels, ENTRANCES[0])))
            .collect();
        let found = planners.iter().map(|planner| answers(world, trials, planner, steps));
        let found = found.collect::<Result<Vec<Vec<Answer>>, Cancelled>>()?;
        let worded = answers(world, trials, &hpa_star(world, 10, 1, ENTRANCES[1]), steps)?;
        let micros = times(world, trials, &planners.iter().collect::<Vec<_>>(), REPEAT, steps)?;
        let costs: Vec<[Option<u32>; 3]> =
            (0..trials.len()).map(|trial| [1, 2, 3].map(|levels| found[levels][trial].cost())).collect();
        self.searches += trials.len();
        self.levels_differ += differing(&costs);
        for trial in 0..trials.len() {
            let all = || found.iter().map(|answers| &answers[trial]).chain([&worded[trial]]);
            if all().any(|answer| answer.route.is_none()) {
                self.unanswered += 1;
                continue;
            }
            let optimum = found[0][trial].cost().map_or(0.0, f64::from);
            let errors =
                |answer: &Answer| answer.route.as_ref().map_or([0.0; 3], |route| errors(world, route, optimum));
            self.samples.push(Sample {
                length: optimum / f64::from(world.metric().straight()),
                runs: (0..planners.len())
                    .map(|runner| Run::new(&found[runner][trial], micros[runner][trial]))
                    .collect(),
                errors: [errors(&found[1][trial]), errors(&worded[trial])],
            });
        }
        for (efforts, cluster) in self.by_cluster.iter_mut().zip(CLUSTERS) {
            let answers = answers(world, trials, &hpa_star(world, cluster, 1, ENTRANCES[0]), steps)?;
            efforts.extend(answers.iter().map(|answer| (answer.effort.main as f64, answer.effort.connecting as f64)));
        }
        Ok(())
    }

    fn findings(&self) -> Findings {
        let rows = by_length(&self.samples, STRETCH, |sample| sample.length);
        let rows = rows.iter().map(|bucket| LengthRow {
            from: bucket.from,
            to: bucket.to,
            searches: bucket.samples.len(),
            techniques: techniques(bucket),
            error_percent: [0, 1, 2].map(|smoothing| bucket.mean(|sample| sample.errors[0][smoothing])),
        });
        let all = Bucket { from: 0.0, to: f64::INFINITY, samples: self.samples.iter().collect() };
        let error = |rule: usize, smoothing: usize| {
            let errors = || self.samples.iter().map(move |sample| sample.errors[rule][smoothing]);
            ErrorRow {
                entrances: ENTRANCES[rule],
                smoothing: SMOOTHINGS[smoothing],
                mean_percent: mean(errors()),
                max_percent: greatest(errors()),
            }
        };
        let cluster = |(efforts, cluster): (&Vec<(f64, f64)>, u32)| ClusterRow {
            cluster,
            main: mean(efforts.iter().map(|effort| effort.0)),
            connecting: mean(efforts.iter().map(|effort| effort.1)),
        };
        Findings {
            sizes: self.sizes.iter().zip(ENTRANCES).map(|(sum, entrances)| sum.sizes(entrances)).collect(),
            searches: self.searches,
            unanswered: self.unanswered,
            levels_differ: self.levels_differ,
            techniques: techniques(&all),
            lengths: rows.collect(),
            errors: (0..2).flat_map(|rule| (0..3).map(move |smoothing| error(rule, smoothing))).collect(),
            clusters: self.by_cluster.iter().zip(CLUSTERS).map(cluster).collect(),
        }
    }
}

fn techniques(bucket: &Bucket<Sample>) -> Vec<Technique> {
    (0..=3).map(|levels| Technique::of(bucket, levels)).collect()
}

/// Builds HPA* as published, with clusters of this size.
fn hpa_star(world: &Snapshot, cluster: u32, levels: u32, entrances: &str) -> Planner {
    let (cluster, levels) = (cluster.to_string(), levels.to_string());
    let settings = [
        ("cluster", cluster.as_str()),
        ("levels", &levels),
        ("group", "2"),
        ("entrances", entrances),
        ("diagonals", "needed"),
        ("direct", "no"),
        ("routes", "search"),
        ("smoothing", "none"),
    ];
    planner(world, "hpa-star", &settings)
}

/// Returns the number of queries whose cost depends on the number of levels.
fn differing(costs: &[[Option<u32>; 3]]) -> usize {
    costs.iter().filter(|[one, others @ ..]| others.iter().any(|other| other != one)).count()
}

/// Returns by how many percent a route is longer than the optimum: as found, smoothed as in the paper, and pulled taut.
fn errors(world: &Snapshot, route: &Route, optimum: f64) -> [f64; 3] {
    let smoothed = |how| route.smoothed(world, how).cost().0;
    let costs = [route.cost().0, smoothed(Smoothing::StraightLines), smoothed(Smoothing::Taut)];
    costs.map(|cost| (f64::from(cost) - optimum) / optimum * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::Options;

    #[test]
    fn a_doctored_cost_is_a_difference() {
        let mut costs = vec![[Some(120), Some(120), Some(120)]; 5];
        assert_eq!(differing(&costs), 0);
        costs[1][2] = Some(121);
        costs[4][0] = None;
        assert_eq!(differing(&costs), 2);
    }

    #[test]
    fn a_small_run_counts_what_it_should() {
        let options = Options { queries: Some(4), seed: 3, quick: true, ..Options::default() };
        let results = STUDY.run(None, &options, &mut crate::progress::go_on).unwrap();
        let crate::study::Findings::Hpa2004(found) = &results.findings else { panic!("the wrong study") };
        assert_eq!((found.searches, found.unanswered, found.levels_differ), (12 * 4, 0, 0));
        assert_eq!(found.lengths.iter().map(|row| row.searches).sum::<usize>(), 48);
        assert_eq!((found.techniques.len(), found.clusters.len(), found.errors.len()), (4, CLUSTERS.len(), 6));
        assert!(found.techniques[0].connecting == 0.0 && found.techniques[1].refining > 0.0);
        for errors in found.errors.chunks(3) {
            assert!(errors[0].mean_percent >= errors[1].mean_percent && errors[2].mean_percent >= 0.0);
        }
        assert!(results.sections.len() > 5 && !results.verdicts.is_empty());
        let page = results.html();
        crate::report::tests::check_page(&page);
        assert!(page.matches("<svg").count() >= 7 && !page.contains("NaN") && !page.contains("inf"));
    }
}
