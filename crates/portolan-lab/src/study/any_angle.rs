//! Routes at any angle: how much longer than the shortest the routes of Theta*, of its kin and of a string pulled along
//! A*'s route are, and how long each takes. No paper has exactly this experiment: the shortest routes are those whose
//! turns are in the middle of cells, as all of ours are.
//!
//! The rules are those of the benchmarks: no corner is cut. The queries are those of the maps' scenarios.
//!
//! Daniel, Nash, Koenig, Felner: Theta*: any-angle path planning on grids, 2010, has the comparison on other maps.

use super::bucket::{greatest, mean};
use super::document::{Document, Section, Verdict};
use super::field::{answers, planner, times};
use super::maps::{Course, Ground, Map, Maps};
use super::{Field, Measure, Measured, Study};
use crate::progress::{Cancelled, Steps};
use crate::table::{Table, micros};
use portolan::generate::{Kind, generate};
use portolan::{Cell, Planner, Route, Rules, Snapshot};
use serde::Serialize;

pub(super) const STUDY: Study = Study {
    name: "any-angle",
    chapters: &[],
    title: "Routes at any angle",
    paper: "after Daniel, Nash, Koenig, Felner 2010",
    summary: "Theta*, Lazy Theta*, angle propagation and a pulled string: length against the shortest route at any angle",
    measure: Measure::Maps(GROUND, measure),
};

const GROUND: Ground =
    Ground { shelf: "dao", folder: |folder| Maps::with_scenarios(folder, Rules::default()), look_alikes };

/// The number of worlds that are generated if there are no maps.
const LOOK_ALIKES: usize = 8;
/// Runs of a query; the fastest counts.
const REPEAT: usize = 1;
/// By how many percent routes of Theta* may be too long on average.
const TARGET: f64 = 0.5;

/// A search: its name in tables, the algorithm and its settings.
type Entrant = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// The compared searches. The first is exact.
const ENTRANTS: [Entrant; 7] = [
    ("anya", "anya", &[]),
    ("theta-star", "theta-star", &[]),
    ("lazy-theta-star", "lazy-theta-star", &[]),
    ("ap-theta-star", "ap-theta-star", &[]),
    ("field-d-star", "field-d-star", &[]),
    ("a-star straight", "a-star", &[("smoothing", "straight")]),
    ("a-star", "a-star", &[]),
];

/// The findings: a row for each map and entrant, and one for each entrant over all queries.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Findings {
    /// By map, then by entrant.
    pub maps: Vec<AngleRow>,
    /// Over all queries, by entrant.
    pub all: Vec<AngleRow>,
    /// The number of queries that some entrant did not answer with a legal route.
    pub unanswered: usize,
    /// The number of routes that are shorter than those of the exact search.
    pub too_short: usize,
}

/// The routes of an entrant.
#[derive(Clone, Debug, Serialize)]
pub struct AngleRow {
    /// The name of the map.
    pub map: String,
    /// The name of the entrant.
    pub entrant: &'static str,
    /// The number of queries.
    pub queries: usize,
    /// By how many percent routes are longer than the shortest, on average.
    pub mean_percent: f64,
    /// By how many percent the worst route is longer than the shortest.
    pub max_percent: f64,
    /// Turns of a route, on average.
    pub turns: f64,
    /// Microseconds of a search, on average.
    pub mean_us: f64,
}

/// A route of an entrant.
struct Sample {
    percent: f64,
    turns: f64,
    us: f64,
}

fn measure(field: &Field, steps: &mut Steps) -> Result<Measured, Cancelled> {
    let mut findings = Findings::default();
    let mut all: Vec<Vec<Sample>> = ENTRANTS.iter().map(|_| Vec::new()).collect();
    for course in &field.courses {
        let samples = samples(course, &mut findings, steps)?;
        for (entrant, samples) in samples.into_iter().enumerate() {
            findings.maps.push(row(&course.name, entrant, &samples));
            all[entrant].extend(samples);
        }
        steps.advance(1)?;
    }
    findings.all = all.iter().enumerate().map(|(entrant, samples)| row("all maps", entrant, samples)).collect();
    let document = document(&findings);
    Ok(Measured { findings: super::Findings::AnyAngle(findings), document })
}

/// Returns the routes of each entrant on a map, for the queries that all of them answer.
fn samples(course: &Course, findings: &mut Findings, steps: &mut Steps) -> Result<Vec<Vec<Sample>>, Cancelled> {
    let Course { world, trials, .. } = course;
    let planners = ENTRANTS.map(|(_, name, settings)| planner(world, name, settings));
    let mut answered = Vec::new();
    for planner in &planners {
        answered.push(answers(world, trials, planner, steps)?);
    }
    let micros = times(world, trials, &planners.each_ref() as &[&Planner], REPEAT, steps)?;
    let mut samples: Vec<Vec<Sample>> = ENTRANTS.iter().map(|_| Vec::new()).collect();
    for trial in 0..trials.len() {
        let routes: Option<Vec<_>> = answered.iter().map(|answers| answers[trial].route.as_ref()).collect();
        let Some(routes) = routes else {
            findings.unanswered += 1;
            continue;
        };
        let shortest = routes[0].length(world);
        for (entrant, route) in routes.into_iter().enumerate() {
            let percent = (route.length(world) / shortest - 1.0) * 100.0;
            findings.too_short += usize::from(percent < -1e-7);
            let us = micros[entrant][trial];
            let turns = turns(route) as f64;
            samples[entrant].push(Sample { percent, turns, us });
        }
    }
    Ok(samples)
}

/// Returns how often a route changes its direction.
fn turns(route: &Route) -> usize {
    let turns = |cells: &&[Cell]| {
        let along = |a: Cell, b: Cell| (i64::from(b.x) - i64::from(a.x), i64::from(b.y) - i64::from(a.y));
        let (before, after) = (along(cells[0], cells[1]), along(cells[1], cells[2]));
        before.0 * after.1 != before.1 * after.0
    };
    route.cells().windows(3).filter(turns).count()
}

fn row(map: &str, entrant: usize, samples: &[Sample]) -> AngleRow {
    AngleRow {
        map: map.to_owned(),
        entrant: ENTRANTS[entrant].0,
        queries: samples.len(),
        mean_percent: mean(samples.iter().map(|sample| sample.percent)),
        max_percent: greatest(samples.iter().map(|sample| sample.percent)),
        turns: mean(samples.iter().map(|sample| sample.turns)),
        mean_us: mean(samples.iter().map(|sample| sample.us)),
    }
}

fn document(found: &Findings) -> Document {
    let table = |rows: &[AngleRow]| {
        let mut table = Table::new(&["map", "search", "queries", "too long %", "worst %", "turns", "mean µs"]).left(2);
        for row in rows {
            table.push(vec![
                row.map.clone(),
                row.entrant.to_owned(),
                row.queries.to_string(),
                format!("{:.3}", row.mean_percent),
                format!("{:.2}", row.max_percent),
                format!("{:.1}", row.turns),
                micros(row.mean_us),
            ]);
        }
        table
    };
    let all = Section::new("Length of routes")
        .text(
            "Percent are against the shortest route of straight lines from the middle of a cell to the middle of another. \
             A* alone is there for comparison: its steps turn by 45 degrees.",
        )
        .table(table(&found.all));
    let maps = Section::new("Map by map").table(table(&found.maps));
    let theta = found.all.iter().find(|row| row.entrant == "theta-star").map_or(0.0, |row| row.mean_percent);
    let verdicts = vec![
        Verdict::new(
            "routes of Theta* are within 0.5 % of the shortest on average",
            format!("{theta:.3} %"),
            theta <= TARGET,
        ),
        Verdict::new(
            "no route is shorter than that of the exact search, and all are legal",
            format!("{} shorter, {} without an answer", found.too_short, found.unanswered),
            found.too_short == 0 && found.unanswered == 0,
        ),
    ];
    Document { sections: vec![all, maps], verdicts }
}

/// Generates caves, smaller ones if `quick` is set.
///
/// # Panics
/// Never: sizes and settings are sound.
fn look_alikes(quick: bool) -> Maps {
    let side = if quick { 48 } else { 160 };
    let map = |index: usize| {
        let kind = if index.is_multiple_of(2) { Kind::Caves } else { Kind::Rooms };
        let settings = kind.recipe().settings::<&str, &str>(&[]).expect("defaults are sound");
        let made = generate(kind.recipe(), side, side, index as u64, &settings, Rules::default());
        let world = Snapshot::from(made.expect("a sound size"));
        Map { name: format!("{} {index}", kind.recipe().name), world, asked: Vec::new() }
    };
    Maps { from: "the generator".to_owned(), grids: (0..LOOK_ALIKES).map(map).collect(), meshes: Vec::new() }
}

#[cfg(test)]
mod tests {
    use crate::progress::go_on;
    use crate::study::{Options, study};

    #[test]
    fn searches_at_any_angle_are_compared_with_the_shortest_routes() {
        let options = Options { quick: true, queries: Some(8), ..Options::default() };
        let results = study("any-angle").unwrap().run(None, &options, &mut go_on).unwrap();
        let crate::study::Findings::AnyAngle(found) = &results.findings else { panic!("the wrong study") };
        assert_eq!((found.unanswered, found.too_short), (0, 0));
        assert_eq!((found.maps.len(), found.all.len()), (8 * super::ENTRANTS.len(), super::ENTRANTS.len()));
        let percent = |entrant: &str| found.all.iter().find(|row| row.entrant == entrant).unwrap().mean_percent;
        assert!(percent("anya").abs() < 1e-9 && percent("theta-star") < percent("a-star"));
        assert!(percent("a-star straight") <= percent("a-star"));
        assert!(results.verdicts.iter().all(|verdict| verdict.met.is_some()));
    }
}
