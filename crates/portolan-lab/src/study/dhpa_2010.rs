//! DHPA* and SHPA* 2010: how long charts take to build (figure 5), how fast they are searched (figure 6), how long the
//! routes are, how much memory they take, and which algorithm is better if the world changes (figure 7).
//!
//! As in the paper, clusters have 10 × 10 cells and there is one level, HPA* runs as its own paper describes it, and
//! queries are random connected pairs. DHPA* runs twice: once it ends a search as it does by default, and once as in
//! the paper, at the first port of the goal's cluster.
//!
//! Kring, Champandard, Samarin: DHPA* and SHPA*: Efficient hierarchical pathfinding in dynamic and static game worlds,
//! 2010.

mod builds;
mod dynamic;
mod pages;

pub use builds::BuildRow;
pub use dynamic::{Dynamic, DynamicRow};

use super::bucket::{Bucket, by_length, greatest, mean};
use super::field::{Answer, answers, planner, times};
use super::maps::{Course, PAPERS};
use super::{Field, Measure, Measured, Study};
use crate::progress::{Cancelled, Steps};
use crate::queries::Trial;
use portolan::generate::Random;
use portolan::{Cell, Planner, Route, Smoothing, Snapshot};
use serde::Serialize;

pub(super) const STUDY: Study = Study {
    name: "dhpa-2010",
    chapters: &[],
    title: "DHPA* and SHPA*: Efficient hierarchical pathfinding in dynamic and static game worlds",
    paper: "Kring, Champandard, Samarin 2010",
    summary: "DHPA* and SHPA* against HPA*: building, search speed, length of routes, memory, and a changing world",
    measure: Measure::Maps(PAPERS, measure),
};

/// Cells along a cluster's side.
const CLUSTER: u16 = 10;
/// Runs of a query; the fastest counts.
const REPEAT: usize = 5;
/// The width of the paper's buckets of route lengths.
const STRETCH: f64 = 10.0;
/// For every so many other queries there is one between neighbouring clusters.
const NEIGHBOURS: usize = 4;

/// The compared algorithms. The others are measured against the first.
const ENTRANTS: [&str; 4] = ["HPA*", "DHPA*", "DHPA* stop=first", "SHPA*"];

/// The findings. Arrays and lists by entrant are in the order HPA*, DHPA*, DHPA* stop=first, SHPA*.
#[derive(Clone, Debug, Serialize)]
pub struct Findings {
    /// Figure 5.
    pub builds: Vec<BuildRow>,
    /// The number of searches of each entrant.
    pub searches: usize,
    /// The number of further searches, between neighbouring clusters whose shortest route does not leave the two.
    pub two_cluster_searches: usize,
    /// The number of searches that some entrant did not answer with a legal route.
    pub unanswered: usize,
    /// Figure 6: times by length.
    pub speeds: Vec<SpeedRow>,
    /// Figure 6 in a few numbers, by entrant.
    pub speedups: Vec<Speedup>,
    /// Length of routes, by entrant.
    pub quality: Vec<Quality>,
    /// How much memory is kept.
    pub memory: Memory,
    /// Figure 7.
    pub dynamic: Dynamic,
}

/// Searches whose shortest routes have about the same length.
#[derive(Clone, Debug, Serialize)]
pub struct SpeedRow {
    /// The least length.
    pub from: f64,
    /// The least length of the next row.
    pub to: f64,
    /// The number of searches.
    pub searches: usize,
    /// Mean time in microseconds, by entrant.
    pub mean_us: [f64; 4],
}

impl SpeedRow {
    fn middle(&self) -> f64 {
        f64::midpoint(self.from, self.to)
    }

    /// Returns how many times as fast as HPA* an entrant is.
    fn times(&self, entrant: usize) -> f64 {
        self.mean_us[0] / self.mean_us[entrant]
    }
}

/// How many times as fast as HPA* an entrant is.
#[derive(Clone, Debug, Serialize)]
pub struct Speedup {
    /// The name of the entrant.
    pub entrant: &'static str,
    /// By the total time of all searches.
    pub all_times: f64,
    /// The mean of the ratios of all buckets of length, as the paper plots them.
    pub buckets_times: f64,
    /// The greatest ratio of the buckets that have enough searches.
    pub best_times: f64,
    /// By the total time of the searches between two neighbouring clusters.
    pub two_clusters_times: f64,
}

/// How long an entrant's routes are.
#[derive(Clone, Debug, Serialize)]
pub struct Quality {
    /// The name of the entrant.
    pub entrant: &'static str,
    /// How much longer than the optimum.
    pub optimum: Excess,
    /// How much longer than the routes of HPA*.
    pub hpa_star: Excess,
    /// By how many percent routes are longer than the optimum on average, after the smoothing of HPA* 2004.
    pub smoothed_percent: f64,
}

/// By how many percent routes are longer than others.
#[derive(Copy, Clone, Debug, Serialize)]
pub struct Excess {
    /// Mean over all searches.
    pub mean_percent: f64,
    /// The greatest value of a single search.
    pub max_percent: f64,
    /// The greatest mean of a bucket of length that has enough searches.
    pub bucket_percent: f64,
}

/// How much memory the charts keep.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Memory {
    /// Bytes for all maps together, by entrant.
    pub bytes: [usize; 4],
    /// Bytes for the map with the largest chart, by entrant.
    pub largest_bytes: [usize; 4],
    /// The number of clusters of that map, and of its clusters with nodes.
    pub clusters: [usize; 2],
    /// Nodes of the largest chart.
    pub nodes: usize,
    /// Pairs of nodes of the largest chart whose distance HPA* keeps.
    pub intra_edges: usize,
}

impl Memory {
    /// Returns the number of pairs of a node and a cell of its cluster. DHPA* keeps a step and a cost for each of them.
    fn entries(&self) -> usize {
        self.nodes * usize::from(CLUSTER * CLUSTER)
    }

    fn add(&mut self, world: &Snapshot, planners: &[Planner]) {
        let bytes = |entrant: usize| planners[entrant].bytes();
        let census =
            planners[0].census(world).expect("it was built for this world").first().copied().unwrap_or_default();
        for (entrant, sum) in self.bytes.iter_mut().enumerate() {
            *sum += bytes(entrant);
        }
        if census.nodes > self.nodes {
            self.largest_bytes = [0, 1, 2, 3].map(bytes);
            self.clusters = [census.clusters, builds::clusters_with_nodes(world, u32::from(CLUSTER))];
            (self.nodes, self.intra_edges) = (census.nodes, census.intra_edges);
        }
    }
}

/// The measurements of one query.
struct Sample {
    /// Length of the shortest route.
    length: f64,
    optimum: f64,
    /// Cost of the route by entrant; `smoothed` and `us` are by entrant too.
    costs: Vec<f64>,
    smoothed: Vec<f64>,
    us: Vec<f64>,
}

/// The number of searches from which on a bucket is counted as typical.
const TYPICAL: usize = 20;

fn measure(field: &Field, steps: &mut Steps) -> Result<Measured, Cancelled> {
    let mut gathered = Gathered::default();
    for course in &field.courses {
        gathered.add(course, steps)?;
        steps.advance(1)?;
    }
    let findings = gathered.findings();
    let document = pages::document(&findings);
    Ok(Measured { findings: super::Findings::Dhpa2010(findings), document })
}

/// The measurements, collected map by map.
#[derive(Default)]
struct Gathered {
    builds: builds::Sum,
    unanswered: usize,
    searches: usize,
    samples: Vec<Sample>,
    two_clusters: Vec<Sample>,
    memory: Memory,
    dynamic: dynamic::Sum,
}

impl Gathered {
    fn add(&mut self, course: &Course, steps: &mut Steps) -> Result<(), Cancelled> {
        let Course { world, trials, seed, .. } = course;
        self.builds.add(world, steps)?;
        let planners = entrants(world);
        self.memory.add(world, &planners);
        let optimal = planner(world, "a-star", &[("successors", "all")]);
        let optima = answers(world, trials, &optimal, steps)?;
        self.searches += trials.len();
        self.unanswered += samples(world, trials, &optima, &planners, &mut self.samples, steps)?;
        let near = neighbours(world, trials.len().div_ceil(NEIGHBOURS), *seed);
        let optima = answers(world, &near, &optimal, steps)?;
        let (near, optima): (Vec<Trial>, Vec<Answer>) =
            near.into_iter().zip(optima).filter(|(_, answer)| answer.route.as_ref().is_some_and(crosses_two)).unzip();
        self.unanswered += samples(world, &near, &optima, &planners, &mut self.two_clusters, steps)?;
        self.dynamic.add(course, steps)
    }

    fn findings(self) -> Findings {
        let buckets = by_length(&self.samples, STRETCH, |sample| sample.length);
        let speeds: Vec<SpeedRow> = buckets
            .iter()
            .map(|bucket| SpeedRow {
                from: bucket.from,
                to: bucket.to,
                searches: bucket.samples.len(),
                mean_us: [0, 1, 2, 3].map(|entrant| bucket.mean(|sample| sample.us[entrant])),
            })
            .collect();
        Findings {
            builds: self.builds.rows(),
            searches: self.searches,
            two_cluster_searches: self.two_clusters.len(),
            unanswered: self.unanswered,
            speedups: (0..4).map(|entrant| speedup(entrant, &speeds, &self.samples, &self.two_clusters)).collect(),
            speeds,
            quality: (0..4).map(|entrant| quality(entrant, &self.samples, &buckets)).collect(),
            memory: self.memory,
            dynamic: self.dynamic.dynamic(),
        }
    }
}

/// Builds HPA* or DHPA* with the settings of this study.
fn chart(world: &Snapshot, name: &str, cluster: u32, more: &[(&str, &str)]) -> Planner {
    let cluster = cluster.to_string();
    // As published: the chart is used even if the goal is in sight, HPA* searches for the cells of its legs in every
    // query, and routes are not smoothed.
    let settings = [
        ("cluster", cluster.as_str()),
        ("levels", "1"),
        ("entrances", "hpa-2004"),
        ("diagonals", "needed"),
        ("direct", "no"),
        ("smoothing", "none"),
    ];
    let search: &[(&str, &str)] = if name == "hpa-star" { &[("routes", "search")] } else { &[] };
    planner(world, name, &[&settings, search, more].concat())
}

fn entrants(world: &Snapshot) -> Vec<Planner> {
    let cluster = u32::from(CLUSTER);
    vec![
        chart(world, "hpa-star", cluster, &[]),
        chart(world, "dhpa-star", cluster, &[]),
        chart(world, "dhpa-star", cluster, &[("stop", "first")]),
        planner(world, "shpa-star", &[]),
    ]
}

/// Adds the results of every entrant for these trials to `samples`. Returns the number of trials that some entrant did
/// not answer.
fn samples(
    world: &Snapshot,
    trials: &[Trial],
    optima: &[Answer],
    planners: &[Planner],
    samples: &mut Vec<Sample>,
    steps: &mut Steps,
) -> Result<usize, Cancelled> {
    let found = planners.iter().map(|planner| answers(world, trials, planner, steps));
    let found = found.collect::<Result<Vec<Vec<Answer>>, Cancelled>>()?;
    let micros = times(world, trials, &planners.iter().collect::<Vec<_>>(), REPEAT, steps)?;
    let mut unanswered = 0;
    for (trial, optimum) in optima.iter().enumerate() {
        let routes: Option<Vec<&Route>> = found.iter().map(|answers| answers[trial].route.as_ref()).collect();
        let (Some(routes), Some(optimum)) = (routes, optimum.cost().map(f64::from)) else {
            unanswered += 1;
            continue;
        };
        let smoothed = |route: &&Route| f64::from(route.smoothed(world, Smoothing::StraightLines).cost().0);
        samples.push(Sample {
            length: optimum / f64::from(world.metric().straight()),
            optimum,
            costs: routes.iter().map(|route| f64::from(route.cost().0)).collect(),
            smoothed: routes.iter().map(smoothed).collect(),
            us: micros.iter().map(|times| times[trial]).collect(),
        });
    }
    Ok(unanswered)
}

fn speedup(entrant: usize, speeds: &[SpeedRow], all: &[Sample], two_clusters: &[Sample]) -> Speedup {
    let ratio = |samples: &[Sample]| {
        let sum = |entrant: usize| samples.iter().map(|sample| sample.us[entrant]).sum::<f64>();
        if samples.is_empty() { 0.0 } else { sum(0) / sum(entrant) }
    };
    Speedup {
        entrant: ENTRANTS[entrant],
        all_times: ratio(all),
        buckets_times: mean(speeds.iter().map(|row| row.times(entrant))),
        best_times: greatest(speeds.iter().filter(|row| row.searches >= TYPICAL).map(|row| row.times(entrant))),
        two_clusters_times: ratio(two_clusters),
    }
}

fn quality(entrant: usize, samples: &[Sample], buckets: &[Bucket<Sample>]) -> Quality {
    let excess = |over: &dyn Fn(&Sample) -> f64| {
        let percent = |sample: &Sample| (sample.costs[entrant] / over(sample) - 1.0) * 100.0;
        let typical = buckets.iter().filter(|bucket| bucket.samples.len() >= TYPICAL);
        Excess {
            mean_percent: mean(samples.iter().map(percent)),
            max_percent: greatest(samples.iter().map(percent)),
            bucket_percent: greatest(typical.map(|bucket| bucket.mean(percent))),
        }
    };
    Quality {
        entrant: ENTRANTS[entrant],
        optimum: excess(&|sample| sample.optimum),
        hpa_star: excess(&|sample| sample.costs[0]),
        smoothed_percent: mean(samples.iter().map(|sample| (sample.smoothed[entrant] / sample.optimum - 1.0) * 100.0)),
    }
}

/// Draws up to `count` connected pairs of cells whose clusters share a border.
fn neighbours(world: &Snapshot, count: usize, seed: u64) -> Vec<Trial> {
    const PATIENCE: usize = 1_000;
    let mut random = Random::new(seed);
    let (width, height) = (world.width() as u64, world.height() as u64);
    let mut trials = Vec::new();
    for _ in 0..PATIENCE * count {
        let from = Cell::new(random.below(width) as u16, random.below(height) as u16);
        let (dx, dy) = [(1, 0), (-1, 0), (0, 1), (0, -1)][random.below(4) as usize];
        let mut within = |corner: u16, step: i32| {
            let corner = i32::from(corner / CLUSTER * CLUSTER) + step * i32::from(CLUSTER);
            corner + random.below(u64::from(CLUSTER)) as i32
        };
        let (x, y) = (within(from.x, dx), within(from.y, dy));
        let (Ok(x), Ok(y)) = (u16::try_from(x), u16::try_from(y)) else { continue };
        let to = Cell::new(x, y);
        if world.contains(to) && world.connected(from, to) {
            trials.push(Trial { from, to, stated: None });
            if trials.len() == count {
                break;
            }
        }
    }
    trials
}

/// Returns whether a route stays in the clusters of its two ends.
fn crosses_two(route: &Route) -> bool {
    let cluster = |cell: Cell| (cell.x / CLUSTER, cell.y / CLUSTER);
    let cells = route.cells();
    let ends = [cluster(cells[0]), cluster(cells[cells.len() - 1])];
    cells.iter().all(|&cell| ends.contains(&cluster(cell)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::{Options, rules};
    use portolan::{Cost, SquareGrid};

    #[test]
    fn neighbours_lie_in_clusters_side_by_side() {
        let world = Snapshot::from(SquareGrid::open(35, 28, rules()).unwrap());
        let trials = neighbours(&world, 50, 4);
        assert_eq!(trials.len(), 50);
        for Trial { from, to, .. } in trials {
            let apart = |a: u16, b: u16| (a / CLUSTER).abs_diff(b / CLUSTER);
            assert_eq!(apart(from.x, to.x) + apart(from.y, to.y), 1, "{from} and {to}");
        }
    }

    #[test]
    fn a_route_by_a_third_cluster_is_told_apart() {
        let route = |cells: &[(u16, u16)]| Route::new(cells.iter().map(|&cell| cell.into()).collect(), Cost(0));
        assert!(crosses_two(&route(&[(8, 0), (9, 0), (10, 0)])));
        assert!(!crosses_two(&route(&[(8, 9), (9, 10), (10, 9)])));
    }

    #[test]
    fn a_small_run_counts_what_it_should() {
        let options = Options { queries: Some(4), seed: 3, quick: true, ..Options::default() };
        let results = STUDY.run(None, &options, &mut crate::progress::go_on).unwrap();
        let crate::study::Findings::Dhpa2010(found) = &results.findings else { panic!("the wrong study") };
        assert_eq!((found.searches, found.unanswered, found.dynamic.unanswered), (48, 0, 0));
        assert_eq!(found.speeds.iter().map(|row| row.searches).sum::<usize>(), 48);
        assert!((1..=12).contains(&found.two_cluster_searches));
        let percent = |entrant: usize| found.quality[entrant].hpa_star.max_percent;
        assert_eq!((percent(0), percent(1)), (0.0, 0.0), "the same graph gives the same routes");
        assert!(found.builds.iter().all(|row| row.clusters_with_nodes <= row.clusters));
        assert!(found.memory.bytes[1] > found.memory.bytes[0]);
        let page = results.html();
        crate::report::tests::check_page(&page);
        assert!(page.matches("<svg").count() >= 4 && !page.contains("NaN") && !page.contains("inf"));
    }
}
