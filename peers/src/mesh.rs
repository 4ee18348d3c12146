//! The race on a navigation mesh: a generated city, random pairs of places, and every answer judged by its ends and its length.
//!
//! Queries come in blocks. On each block every entrant has a turn, in an order that rotates. In a turn the block is answered
//! twice, and the second answers count; of several rounds the fastest time of each query counts. All entrants are told in
//! which polygons start and goal lie, so that none looks for them while the clock runs.
//!
//! Here: the city, the queries and the race. Not here: the entrants, one file in the folder `mesh` for each engine.

mod detour;
mod polyanya;
mod portolan;

use crate::race::{BLOCK, Score};
use ::portolan::algorithms::mesh::{A_STAR, HNA_STAR, POLYANYA};
use ::portolan::{MeshError, MeshPoint, NavMesh, Query, QueryError, Scratch, Snapshot};
use portolan_lab::mesh::{NoPairs, random};
use portolan_mesh::{BuildOptions, CityError, CityOptions, build, city};
use std::ops::ControlFlow;
use std::time::Duration;

/// The name of this course on the command line.
pub(crate) const NAME: &str = "city-mesh";
/// The blocks of houses on each side of the city; with 16 its mesh has about 20,000 polygons.
const SIDE: u16 = 16;
/// The seed of the city and of the queries.
const SEED: u64 = 1;
/// By how much a length may fall below the optimum and an end may lie beside its place: a share of the length, and metres.
/// Peers compute in single precision.
const ROUNDING: (f64, f64) = (1e-4, 0.02);

/// Explains the table.
pub(crate) const NOTES: &str = "\
Lengths are judged in the plan: ratio is the mean length in optima, invalid counts routes that are missing, do not join
start and goal, or are shorter than any route is. Detour searches in a process of its own that has the clock.";

/// A query, with the places of its ends in metres.
#[derive(Copy, Clone)]
pub(crate) struct MeshTrial {
    pub(crate) from: MeshPoint,
    pub(crate) to: MeshPoint,
    pub(crate) start: [f64; 3],
    pub(crate) goal: [f64; 3],
    pub(crate) optimum: f64,
}

/// An answer and how long it took.
pub(crate) struct MeshAnswer {
    pub(crate) took: Duration,
    /// The turns in the plan, from start to goal; `None` if the engine found no route.
    pub(crate) places: Option<Vec<[f64; 2]>>,
}

/// A search that was built for a mesh.
pub(crate) trait MeshEngine {
    /// Answers every query twice and returns the second answers.
    fn answer(&mut self, block: &[MeshTrial]) -> Vec<MeshAnswer>;
}

/// An engine that takes part in the race.
pub(crate) struct MeshEntrant {
    /// `portolan` or the peer.
    pub(crate) engine: &'static str,
    pub(crate) algorithm: String,
    /// The algorithm of Portolan that a peer is compared with.
    pub(crate) rival: Option<&'static str>,
    pub(crate) build: Duration,
    pub(crate) runner: Box<dyn MeshEngine>,
}

/// Why there was no race on a mesh.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MeshRaceError {
    #[error(transparent)]
    City(#[from] CityError),
    #[error(transparent)]
    Generate(#[from] portolan_mesh::BuildError),
    #[error(transparent)]
    Mesh(#[from] MeshError),
    #[error(transparent)]
    NoPairs(#[from] NoPairs),
    #[error(transparent)]
    Build(#[from] ::portolan::BuildError),
    #[error(transparent)]
    Query(#[from] QueryError<MeshPoint>),
    #[error(transparent)]
    Format(#[from] portolan_formats::polyanya::PolyanyaError),
}

/// A mesh and the queries on it.
pub(crate) struct MeshCourse {
    world: Snapshot<NavMesh>,
    trials: Vec<MeshTrial>,
}

impl MeshCourse {
    /// Makes the city and draws this many queries on it.
    pub(crate) fn load(queries: usize) -> Result<MeshCourse, MeshRaceError> {
        MeshCourse::with_side(SIDE, queries)
    }

    fn with_side(side: u16, queries: usize) -> Result<MeshCourse, MeshRaceError> {
        let geometry = city(CityOptions::new(side, side)?, SEED);
        let parts = build(&geometry, &BuildOptions::default(), &mut |_| ControlFlow::Continue(()))?;
        let world = Snapshot::from(NavMesh::new(&parts)?);
        let exact = POLYANYA.build(&world)?;
        let mut scratch = Scratch::new();
        let trials = random(&world, queries, SEED)?.into_iter().map(|pair| {
            let outcome = exact.find(&world, Query::new(pair.from, pair.to), &mut scratch)?;
            let optimum = outcome.route().map_or(f64::NAN, |route| route.length(&world));
            let [start, goal] = [pair.from, pair.to].map(|at| world.coordinates(at));
            Ok(MeshTrial { from: pair.from, to: pair.to, start, goal, optimum })
        });
        let trials = trials.collect::<Result<_, MeshRaceError>>()?;
        Ok(MeshCourse { world, trials })
    }

    /// Returns what the course is, for people.
    pub(crate) fn origin(&self) -> String {
        let (count, polygons) = (self.trials.len(), self.world.polygons());
        format!("{count} queries, a generated city, seed {SEED}, {polygons} polygons, random pairs")
    }

    /// Returns all entrants, and why others do not take part.
    fn entrants(&self) -> Result<(Vec<MeshEntrant>, Vec<String>), MeshRaceError> {
        let mut entrants = Vec::new();
        for algorithm in [&A_STAR, &HNA_STAR, &POLYANYA] {
            entrants.push(portolan::entrant(&self.world, algorithm)?);
        }
        entrants.push(polyanya::entrant(&self.world)?);
        let mut skipped = Vec::new();
        match detour::entrant(&self.world) {
            Ok(entrant) => entrants.push(entrant),
            Err(error) => skipped.push(format!("detour is skipped: {error}")),
        }
        Ok((entrants, skipped))
    }

    /// Races all entrants. Returns their scores, and why others do not take part.
    pub(crate) fn race(&self, repeat: usize) -> Result<(Vec<Score>, Vec<String>), MeshRaceError> {
        let (entrants, skipped) = self.entrants()?;
        let count = self.trials.len();
        let mut runners: Vec<Runner> = entrants
            .into_iter()
            .map(|entrant| Runner {
                entrant,
                best_by_query: vec![Duration::MAX; count],
                ratio_by_query: vec![Some(1.0); count],
            })
            .collect();
        for round in 0..repeat {
            for (number, block) in self.trials.chunks(BLOCK).enumerate() {
                for turn in 0..runners.len() {
                    let next = (round + number + turn) % runners.len();
                    runners[next].run(block, number * BLOCK);
                }
            }
        }
        Ok((runners.into_iter().map(Runner::score).collect(), skipped))
    }
}

/// An entrant and its results so far.
struct Runner {
    entrant: MeshEntrant,
    best_by_query: Vec<Duration>,
    /// By query: the length divided by the optimum, `None` once an answer was invalid.
    ratio_by_query: Vec<Option<f64>>,
}

impl Runner {
    /// Answers and judges a block of queries; `first` is the number of its first query.
    fn run(&mut self, block: &[MeshTrial], first: usize) {
        let answers = self.entrant.runner.answer(block);
        for ((trial, answer), query) in block.iter().zip(answers).zip(first..) {
            self.best_by_query[query] = self.best_by_query[query].min(answer.took);
            let ratio = &mut self.ratio_by_query[query];
            *ratio = ratio.and_then(|_| judge(trial, &answer.places?));
        }
    }

    fn score(self) -> Score {
        let ratios: Vec<f64> = self.ratio_by_query.iter().copied().flatten().collect();
        Score {
            engine: self.entrant.engine,
            algorithm: self.entrant.algorithm,
            rival: self.entrant.rival,
            build_ms: self.entrant.build.as_secs_f64() * 1e3,
            edit_us: None,
            ratio_mean: ratios.iter().sum::<f64>() / ratios.len() as f64,
            invalid: self.ratio_by_query.len() - ratios.len(),
            corners_cut: 0,
            ..Score::of_times(self.best_by_query)
        }
    }
}

/// Returns the length of a route divided by the optimum; `None` if it does not join start and goal, or is shorter than any
/// route is.
fn judge(trial: &MeshTrial, places: &[[f64; 2]]) -> Option<f64> {
    let distance = |a: [f64; 2], b: [f64; 2]| (b[0] - a[0]).hypot(b[1] - a[1]);
    let flat = |[x, y, _]: [f64; 3]| [x, y];
    let off = distance(*places.first()?, flat(trial.start)).max(distance(*places.last()?, flat(trial.goal)));
    let length: f64 = places.windows(2).map(|leg| distance(leg[0], leg[1])).sum();
    let is_valid = off <= ROUNDING.1 && length >= trial.optimum * (1.0 - ROUNDING.0) - ROUNDING.1;
    is_valid.then_some(length / trial.optimum)
}

/// Answers every query of a block once, then once more, and returns the second answers.
fn twice(block: &[MeshTrial], mut answer: impl FnMut(&MeshTrial) -> MeshAnswer) -> Vec<MeshAnswer> {
    for trial in block {
        answer(trial);
    }
    block.iter().map(answer).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everyone_answers_in_a_small_city() {
        let course = MeshCourse::with_side(3, 60).unwrap();
        let (scores, skipped) = course.race(2).unwrap();
        assert_eq!(scores.len() + skipped.len(), 5);
        for score in scores {
            let name = format!("{} {}", score.engine, score.algorithm);
            assert_eq!(score.invalid, 0, "{name}");
            let most = if score.algorithm == "polyanya" { 1.0001 } else { 1.2 };
            assert!((0.9999..most).contains(&score.ratio_mean), "{name}: {}", score.ratio_mean);
            assert!(score.mean_us > 0.0 && score.p95_us >= score.mean_us / 2.0, "{name}");
        }
    }

    #[test]
    fn routes_that_are_too_short_or_end_elsewhere_are_invalid() {
        let at = MeshPoint { polygon: 0, x: 0, y: 0 };
        let trial = MeshTrial { from: at, to: at, start: [0.0; 3], goal: [3.0, 4.0, 9.0], optimum: 7.0 };
        assert_eq!(judge(&trial, &[[0.0, 0.0], [3.0, 0.0], [3.0, 4.0]]), Some(1.0));
        assert_eq!(judge(&trial, &[[0.0, 0.0], [3.0, 4.0]]), None);
        assert_eq!(judge(&trial, &[[0.0, 0.0], [3.0, 0.0], [3.0, 5.0]]), None);
        assert_eq!(judge(&trial, &[]), None);
    }
}
