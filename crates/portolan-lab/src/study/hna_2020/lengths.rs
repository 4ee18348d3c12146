//! How long routes are that are priced from the centres of polygons or from the true points (figure 3.14).

use super::courses::Course;
use super::{built, entrant, hna_star};
use crate::mesh::race::{Built, MeshEntrant};
use crate::progress::Steps;
use crate::study::StudyError;
use crate::study::bucket::{greatest, mean};
use portolan::algorithms::mesh::{HNA_STAR, POLYANYA};
use portolan::{NavMesh, Query, Scratch};
use serde::Serialize;

/// The thesis does not say with which levels and merging it measured; these are its fastest.
pub(super) const CONFIGURATION: (u32, usize) = (2, 10);
/// Routes over this distance are long, in metres.
pub(super) const FAR: f64 = 100.0;
/// The world of the thesis that was measured.
const MAP: &str = "Medieval City";

/// Figure 3.14.
#[derive(Clone, Default, Debug, Serialize)]
pub struct LengthFindings {
    /// The name of the mesh.
    pub map: String,
    /// The queries, the nearest goals first.
    pub samples: Vec<LengthSample>,
    /// The means over goals as far away as `FAR` or nearer.
    pub near: LengthRow,
    /// The means over goals farther away.
    pub far: LengthRow,
}

/// The lengths of one query's routes, in metres.
#[derive(Copy, Clone, Default, Debug, Serialize)]
pub struct LengthSample {
    /// The straight line from start to goal.
    pub distance: f64,
    /// The shortest route at any angle.
    pub shortest: f64,
    /// The route of the original HNA*.
    pub original: f64,
    /// The route of PCCP, priced from the true points.
    pub points: f64,
    /// The route of PCCP, priced from the centres of polygons.
    pub centres: f64,
}

/// Differences in length, in percent.
#[derive(Copy, Clone, Default, Debug, Serialize)]
pub struct LengthRow {
    /// The number of queries.
    pub queries: usize,
    /// How much routes priced from centres differ from those of the original HNA*, in either direction: the mean.
    pub centres_percent: f64,
    /// The greatest such difference.
    pub worst_centres_percent: f64,
    /// How much routes priced from points differ from those of the original HNA*: the mean.
    pub points_percent: f64,
    /// By how much routes priced from centres are longer than the shortest: the mean.
    pub centres_too_long_percent: f64,
    /// By how much routes priced from points are longer than the shortest: the mean.
    pub points_too_long_percent: f64,
}

impl LengthSample {
    /// Returns how much the route priced from centres differs from the original one, in percent.
    pub(super) fn offset(&self) -> f64 {
        percent(self.centres, self.original).abs()
    }
}

impl LengthRow {
    fn of(samples: &[LengthSample]) -> LengthRow {
        let mean = |value: fn(&LengthSample) -> f64| mean(samples.iter().map(value));
        LengthRow {
            queries: samples.len(),
            centres_percent: mean(LengthSample::offset),
            worst_centres_percent: greatest(samples.iter().map(LengthSample::offset)),
            points_percent: mean(|sample| percent(sample.points, sample.original).abs()),
            centres_too_long_percent: mean(|sample| percent(sample.centres, sample.shortest)),
            points_too_long_percent: mean(|sample| percent(sample.points, sample.shortest)),
        }
    }
}

/// Returns by how many percent one length is greater than another.
fn percent(length: f64, other: f64) -> f64 {
    if other > 0.0 { (length / other - 1.0) * 100.0 } else { 0.0 }
}

/// Returns the mesh to measure on: that for the world of the thesis, else the first.
pub(super) fn course(courses: &[Course]) -> &Course {
    let is_it = |course: &&Course| course.city.is_some_and(|city| city.thesis.map == MAP);
    courses.iter().find(is_it).unwrap_or(&courses[0])
}

/// Measures the routes of all queries that have one. Those of all four are legal, since the races have checked these
/// algorithms and each is checked here again.
pub(super) fn measure(course: &Course, steps: &mut Steps) -> Result<LengthFindings, StudyError> {
    let (levels, merge) = CONFIGURATION;
    let centres = [("levels", levels.to_string()), ("merge", merge.to_string()), ("price", "centres".to_owned())];
    let entrants = [
        MeshEntrant::new(&POLYANYA),
        hna_star(levels, merge, "a-star"),
        hna_star(levels, merge, "pccp"),
        entrant(&HNA_STAR, &centres),
    ];
    let planners = entrants.map(|entrant| built(&course.world, entrant));
    let (mut samples, mut scratch) = (Vec::new(), Scratch::new());
    for trial in &course.trials {
        let mesh: &NavMesh = &course.world;
        let mut length = |Built { planner, .. }: &Built| {
            let found = planner.find(&course.world, Query::new(trial.from, trial.to), &mut scratch);
            let found = found.expect("queries start on the mesh");
            let legal = found.route().filter(|route| route.check(&course.world).is_ok());
            legal.map(|route| route.length(mesh))
        };
        let [a, b] = [trial.from, trial.to].map(|point| mesh.coordinates(point));
        if let [Some(shortest), Some(original), Some(points), Some(centres)] = planners.each_ref().map(&mut length) {
            let distance = (b[0] - a[0]).hypot(b[1] - a[1]);
            samples.push(LengthSample { distance, shortest, original, points, centres });
        }
        steps.still()?;
    }
    samples.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    let near = samples.partition_point(|sample| sample.distance <= FAR);
    let (near, far) = (LengthRow::of(&samples[..near]), LengthRow::of(&samples[near..]));
    Ok(LengthFindings { map: course.name.clone(), samples, near, far })
}
