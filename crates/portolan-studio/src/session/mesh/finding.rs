//! Routes on a mesh: the planner that a page asked for, the latest `find`, which is repeated after every edit, and the
//! length of a shortest route, which Polyanya finds.
//!
//! Not here: how a search is kept within its limits (`leash.rs`) or recorded (`tape.rs`).

use super::super::finding::{HASTY, PATIENT, Patience, RUNS};
use super::super::leash::{AsideError, Leash, Limit, Searched, aside, sliced};
use super::super::tape::Tape;
use super::super::{micros, pairs};
use super::from_origin;
use crate::answer::{Again, Finding, Repair, Stats};
use crate::budget::{Full, Share};
use crate::command::{Entrant, Find, Place, Refused};
use crate::frame::{Numbers, Parts};
use crate::{budget, limits};
use portolan::algorithms::mesh::POLYANYA;
use portolan::probe::NodeId;
use portolan::settings::{SettingError, Settings};
use portolan::{
    Algorithm, BuildError, MESH_ALGORITHMS, MeshEdit, MeshPoint, NavMesh, Outcome, Planner, Promise, Query, QueryError,
    Route, Scratch, Snapshot, Space,
};
use std::time::{Duration, Instant};

/// Finds the routes that a page asks for on a mesh.
#[derive(Default)]
pub(super) struct MeshFinder {
    asked: Option<Find>,
    ready: Option<Ready>,
    referee: Option<Planner<NavMesh>>,
    scratch: Scratch<NavMesh>,
}

/// A planner, and the entrant that it was built for.
struct Ready {
    with: Entrant,
    planner: Planner<NavMesh>,
    build_us: f64,
    share: Share,
}

/// Why a `find` on a mesh has no finding.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MeshFindError {
    #[error("there is no algorithm {0:?} on meshes")]
    Algorithm(String),
    #[error("the mesh has no polygon {0}")]
    Polygon(u32),
    #[error(transparent)]
    Place(#[from] Refused),
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Query(#[from] QueryError<MeshPoint>),
    #[error(transparent)]
    Aside(#[from] AsideError),
    #[error(transparent)]
    Full(#[from] Full),
}

/// The algorithm and the settings that an entrant stands for.
pub(in crate::session) fn meant(with: &Entrant) -> Result<(&'static Algorithm<NavMesh>, Settings), MeshFindError> {
    let found = MESH_ALGORITHMS.iter().copied().find(|algorithm| algorithm.name == with.algorithm);
    let algorithm = found.ok_or_else(|| MeshFindError::Algorithm(with.algorithm.clone()))?;
    let settings: Vec<(&String, &String)> = with.settings.iter().collect();
    Ok((algorithm, algorithm.settings(&settings)?))
}

/// Builds a planner aside, and returns it with the time that this took and the share of its memory.
pub(in crate::session) fn built(
    with: &Entrant,
    world: &Snapshot<NavMesh>,
    leash: &Leash,
) -> Result<(Planner<NavMesh>, f64, Share), MeshFindError> {
    let (algorithm, settings) = meant(with)?;
    let share = leash.reserve(budget::building_on_mesh(world))?;
    let world = world.clone();
    let build = move || {
        let start = Instant::now();
        // The share moves into the thread, because a planner whose command was cancelled takes memory too.
        Planner::build(&world, algorithm, settings).map(|planner| (planner, micros(start.elapsed()), share))
    };
    let (planner, build_us, mut share) = aside(leash, build)??;
    share.fit(planner.bytes())?;
    Ok((planner, build_us, share))
}

/// Returns the point that a message names. One that rounding puts outside its polygon is moved onto the mesh.
pub(in crate::session) fn point(place: Place, world: &NavMesh, origin: [f64; 3]) -> Result<MeshPoint, MeshFindError> {
    let Place::Point(polygon, x, y) = place else {
        return Err(Refused("a mesh is open, and this place is a cell").into());
    };
    if polygon as usize >= world.polygons() {
        return Err(MeshFindError::Polygon(polygon));
    }
    let at = [origin[0] + x, origin[1] + y];
    let centre = world.centre(polygon);
    let near = || world.point_near([at[0], at[1], world.height(centre)]);
    Ok(world.point_on(polygon, at).or_else(near).unwrap_or(centre))
}

fn query(find: &Find, world: &NavMesh, origin: [f64; 3]) -> Result<Query<MeshPoint>, MeshFindError> {
    let query = Query::new(point(find.from, world, origin)?, point(find.to, world, origin)?);
    Ok(if find.nearest { query.nearest() } else { query })
}

impl MeshFinder {
    /// Answers a `find`, and keeps it for [`MeshFinder::again`].
    pub(super) fn ask(
        &mut self,
        find: &Find,
        world: &Snapshot<NavMesh>,
        origin: [f64; 3],
        leash: &Leash,
    ) -> Result<(Finding, Parts), MeshFindError> {
        meant(&find.with)?;
        self.asked = Some(find.clone());
        let mut parts = Parts::default();
        let answered = self.answer(find, (world, origin), (leash, PATIENT), &mut parts);
        if matches!(answered, Err(MeshFindError::Aside(_))) {
            // Otherwise the next edit would start to build the cancelled planner again.
            self.asked = None;
        }
        Ok((answered?, parts))
    }

    /// Forgets the latest `find`.
    pub(super) fn rest(&mut self) {
        self.asked = None;
    }

    /// Answers the latest `find` once more, if there is one.
    pub(super) fn again(
        &mut self,
        world: &Snapshot<NavMesh>,
        origin: [f64; 3],
        leash: &Leash,
        parts: &mut Parts,
    ) -> Option<Again> {
        let find = self.asked.clone()?;
        Some(match self.answer(&find, (world, origin), (leash, HASTY), parts) {
            Ok(finding) => Again::Found(Box::new(finding)),
            Err(error) => Again::Error { error: error.to_string() },
        })
    }

    /// Returns the planner of the latest answer, if it is up to date with this world.
    pub(super) fn planner(&self, world: &Snapshot<NavMesh>) -> Option<&Planner<NavMesh>> {
        self.ready.as_ref().map(|ready| &ready.planner).filter(|planner| planner.revision() == world.revision())
    }

    /// Returns the bytes kept besides the planner, which has a share of its own.
    pub(super) fn bytes(&self) -> usize {
        self.referee.as_ref().map_or(0, Planner::bytes) + self.scratch.bytes()
    }

    /// Repairs the planner after edits, or builds it anew. Returns what this took.
    pub(super) fn follow(&mut self, world: &Snapshot<NavMesh>, edits: &[MeshEdit], leash: &Leash) -> Option<Repair> {
        self.referee = None;
        let mut ready = self.ready.take()?;
        let start = Instant::now();
        if let Ok(repair) = ready.planner.repair(world, edits) {
            let us = micros(start.elapsed());
            ready.share.settle(ready.planner.bytes());
            self.ready = Some(ready);
            return Some(Repair { us, clusters: repair.clusters, rebuilt: false });
        }
        // If it cannot be built either, the next answer says why.
        let (planner, build_us, share) = built(&ready.with, world, leash).ok()?;
        self.ready = Some(Ready { with: ready.with, planner, build_us, share });
        Some(Repair { us: build_us, clusters: 0, rebuilt: true })
    }

    fn answer(
        &mut self,
        find: &Find,
        (world, origin): (&Snapshot<NavMesh>, [f64; 3]),
        (leash, patience): (&Leash, Patience),
        parts: &mut Parts,
    ) -> Result<Finding, MeshFindError> {
        leash.set_aside(budget::searching_on_mesh(world))?;
        let query = query(find, world, origin)?;
        let (ready, is_new) = self.take_ready(find, world, query, leash)?;
        let Ready { planner, build_us, .. } = self.ready.insert(ready);
        let asked = (&*planner, world, query);
        let (first, least) = timed(asked, &mut self.scratch, (leash, patience.timing))?;
        let route = first.outcome.route();
        drawn(route, (world, origin), parts);
        let (stats, cut) = traced(asked, &mut self.scratch, (leash, &first), find.trace, parts)?;

        let promise = planner.promise(world);
        let length = route.map(|route| route.length(world));
        let optimum = match (promise, &first.outcome) {
            (Promise::Optimal, Outcome::Reached(_) | Outcome::Partial(_)) => length,
            (_, Outcome::Unreachable | Outcome::TooFar) => None,
            _ => optimum(&mut self.referee, (world, query), &mut self.scratch, (leash, patience.optimum)),
        };
        Ok(Finding {
            algorithm: planner.algorithm().name,
            settings: pairs(planner.settings()),
            why: None,
            promise: promise.to_string(),
            outcome: first.outcome.name(),
            length,
            cost: route.map(|route| route.cost().0),
            steps: route.map(Route::steps),
            optimum,
            stats,
            built: is_new,
            build_us: *build_us,
            find_us: micros(least),
            bytes: planner.bytes(),
            census: planner.census(world).map_err(QueryError::from)?.into_iter().map(Into::into).collect(),
            in_legs: false,
            cut,
        })
    }

    /// Takes the planner that is there if it can answer a `find`, or else builds one. Returns also whether it was built.
    fn take_ready(
        &mut self,
        find: &Find,
        world: &Snapshot<NavMesh>,
        query: Query<MeshPoint>,
        leash: &Leash,
    ) -> Result<(Ready, bool), MeshFindError> {
        let is_right = |ready: &Ready| ready.with == find.with && ready.planner.revision() == world.revision();
        if let Some(ready) = self.ready.take().filter(is_right) {
            return Ok((ready, false));
        }
        // Building may take long, so a query that cannot be asked is refused before it.
        query.check(world)?;
        let (planner, build_us, share) = built(&find.with, world, leash)?;
        Ok((Ready { with: find.with.clone(), planner, build_us, share }, true))
    }
}

type Asked<'a> = (&'a Planner<NavMesh>, &'a Snapshot<NavMesh>, Query<MeshPoint>);
type Found = Searched<Route<NavMesh>>;

fn search(
    (planner, world, query): Asked,
    scratch: &mut Scratch<NavMesh>,
    limited: (&Leash, Limit),
) -> Result<Found, QueryError<MeshPoint>> {
    sliced(limited, |begins| {
        if begins {
            planner.begin(world, query, scratch)?;
        }
        planner.step(world, scratch, limits::SLICE)
    })
}

/// Searches, and repeats the search while there is time. Returns the first search and the least time of all.
fn timed(
    asked: Asked,
    scratch: &mut Scratch<NavMesh>,
    (leash, patience): (&Leash, Duration),
) -> Result<(Found, Duration), QueryError<MeshPoint>> {
    let first = search(asked, scratch, (leash, Limit::SEARCH))?;
    let (mut least, mut spent) = (first.time, first.time);
    for _ in 1..RUNS {
        if spent + least > patience {
            break;
        }
        let time = search(asked, scratch, (leash, Limit::SEARCH))?.time;
        (least, spent) = (least.min(time), spent + time);
    }
    Ok((first, least))
}

/// Watches a search that was made before, and adds its trace to `parts` if that is wanted. Returns what was counted, and
/// whether the trace was cut off.
fn traced(
    (planner, world, query): Asked,
    scratch: &mut Scratch<NavMesh>,
    (leash, first): (&Leash, &Found),
    wanted: bool,
    parts: &mut Parts,
) -> Result<(Stats, bool), MeshFindError> {
    let (polygons, portals) = (world.polygons() as u32, world.portals() as u32);
    // The nodes of a search are the portals, then the polygons; in messages, the polygons come first.
    let number = move |NodeId(node): NodeId| if node < portals { polygons + node } else { node - portals };
    let mut tape = Tape::of(number, query.to.polygon, wanted).on(leash);
    if !leash.is_cut() {
        // A search that reached its limit is watched only as far as it went.
        let expansions = if first.outcome == Outcome::OutOfBudget { first.allowed } else { u64::MAX };
        let limit = Limit { expansions, ..Limit::SEARCH };
        sliced((leash, limit), |begins| {
            if begins {
                planner.begin(world, query, scratch)?;
            }
            planner.watch_step(world, scratch, limits::SLICE, &mut tape)
        })?;
    }
    let stats = tape.stats.into();
    let cut = wanted && tape.finish(["events", "costs"], parts)?;
    Ok((stats, cut))
}

/// Adds a route as it is drawn: the points of its lines, and the polygons that these cross.
fn drawn(route: Option<&Route<NavMesh>>, (world, origin): (&Snapshot<NavMesh>, [f64; 3]), parts: &mut Parts) {
    let points = route.map_or(&[][..], Route::cells);
    let mut steps: Vec<MeshPoint> = points.first().copied().into_iter().collect();
    for ends in points.windows(2) {
        world.steps_below(ends[0], ends[1], &mut steps);
    }
    let mut corridor: Vec<u32> = steps.into_iter().map(|step| step.polygon).collect();
    corridor.dedup();
    let places = points.iter().flat_map(|&at| from_origin(world.coordinates(at), origin));
    parts.push("route", Numbers::F32(places.collect()));
    parts.push("corridor", corridor);
}

/// Returns the length of a shortest route, or `None` if there is none, if it is not found within the limit, or if no
/// algorithm finds it because polygons differ in weight.
fn optimum(
    referee: &mut Option<Planner<NavMesh>>,
    (world, query): (&Snapshot<NavMesh>, Query<MeshPoint>),
    scratch: &mut Scratch<NavMesh>,
    limited: (&Leash, Limit),
) -> Option<f64> {
    let known = referee.take().filter(|planner| planner.revision() == world.revision());
    let planner = referee.insert(known.or_else(|| POLYANYA.build(world).ok())?);
    let outcome = search((planner, world, query), scratch, limited).ok()?.outcome;
    outcome.route().map(|route| route.length(world))
}
