//! Routes: the planner that a page asked for, which is kept while the page asks for the algorithm and settings of that
//! planner, and the latest `find`, which is repeated after every edit.
//!
//! Not here: how a search is kept within its limits (`leash.rs`) or recorded (`tape.rs`).

use super::leash::{AsideError, Leash, Limit, Searched, aside, search, watch};
use super::referee::Referee;
use super::tape::Tape;
use super::{listed, micros, pairs};
use crate::answer::{Again, Finding, Repair, Stats};
use crate::budget::{self, Full, Share};
use crate::command::{Entrant, Find, Refused};
use crate::frame::Parts;
use portolan::any::{AnyAlgorithm, AnyPick, AnyPlanner, AnyRoute, AnyScratch, AnySnapshot};
use portolan::auto::{AUTO, Edits, Queries, Use};
use portolan::pick::PickError;
use portolan::settings::Settings;
use portolan::{Area, BuildError, Edit, Outcome, Promise, Query, QueryError};
use std::time::{Duration, Instant};

/// Most runs of a search that is timed.
pub(super) const RUNS: usize = 5;
/// The time to spend on the answer to a `find`.
pub(super) const PATIENT: Patience = Patience {
    timing: Duration::from_millis(20),
    optimum: Limit { time: Duration::from_secs(2), expansions: 20_000_000 },
};
/// The time to spend on the answer after an edit: while a person draws, answers follow each other quickly.
pub(super) const HASTY: Patience = Patience {
    timing: Duration::from_millis(4),
    optimum: Limit { time: Duration::from_millis(250), expansions: 5_000_000 },
};
/// Edits at a time from which on a planner is built anew, because repairing it edit by edit takes longer.
const MANY_EDITS: usize = 4096;

/// Finds the routes that a page asks for.
#[derive(Default)]
pub(super) struct Finder {
    asked: Option<Find>,
    ready: Option<Ready>,
    referee: Referee,
}

/// How much time an answer may take besides the search itself.
#[derive(Copy, Clone)]
pub(super) struct Patience {
    /// The time after which a search is not timed once more.
    pub(super) timing: Duration,
    /// The limit of the search for the optimum.
    pub(super) optimum: Limit,
}

/// A planner, and the entrant that it was built for.
pub(super) struct Ready {
    with: Entrant,
    pub(super) planner: AnyPlanner,
    why: Option<String>,
    pub(super) build_us: f64,
    /// The planner's memory.
    pub(super) share: Share,
}

/// Why a `find` has no finding.
#[derive(Debug, thiserror::Error)]
pub(crate) enum FindError {
    #[error(transparent)]
    Pick(#[from] PickError),
    #[error(transparent)]
    Build(#[from] BuildError),
    #[error(transparent)]
    Place(#[from] Refused),
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error(transparent)]
    Aside(#[from] AsideError),
    #[error(transparent)]
    Full(#[from] Full),
}

/// What `auto` chooses an algorithm for: many exact answers about a world that is edited now and then.
const USE: Use = Use { queries: Queries::Many, edits: Edits::Sometimes, exact: true };

/// The algorithm and the settings that an entrant stands for, and, if the entrant is `auto`, why they were chosen.
pub(super) struct Meant {
    pub(super) algorithm: AnyAlgorithm,
    pub(super) settings: Settings,
    why: Option<String>,
}

pub(super) fn meant(with: &Entrant, world: &AnySnapshot) -> Result<Meant, FindError> {
    // A page sends the settings that it shows, also with `auto`, which has none.
    let settings: Vec<(&String, &String)> = with.settings.iter().filter(|_| with.algorithm != AUTO).collect();
    let (algorithm, settings, why) = AnyPick::new(&with.algorithm, &settings)?.choose(world, USE)?;
    Ok(Meant { algorithm, settings, why })
}

/// Returns the algorithm that `auto` stands for in a world, its settings, and why it was chosen.
pub(super) fn choice(world: &AnySnapshot) -> (AnyAlgorithm, Settings, String) {
    world.choose(USE)
}

fn query(find: &Find) -> Result<Query, Refused> {
    let query = Query::new(find.from.cell()?, find.to.cell()?);
    Ok(if find.nearest { query.nearest() } else { query })
}

impl Ready {
    pub(super) fn new(with: &Entrant, world: &AnySnapshot, leash: &Leash) -> Result<Ready, FindError> {
        let Meant { algorithm, settings, why } = meant(with, world)?;
        let share = leash.reserve(budget::building(algorithm, &settings, budget::cells(world)))?;
        let world = world.clone();
        let build = move || {
            let start = Instant::now();
            // The share moves into the thread, because a planner whose command was cancelled takes memory too.
            AnyPlanner::build(&world, algorithm, settings).map(|planner| (planner, micros(start.elapsed()), share))
        };
        let (planner, build_us, mut share) = aside(leash, build)??;
        share.fit(planner.bytes())?;
        Ok(Ready { with: with.clone(), planner, why, build_us, share })
    }

    /// Returns whether its algorithm would still be chosen for this world; only `auto` may choose another one.
    fn still_meant(&self, world: &AnySnapshot) -> bool {
        self.with.algorithm != AUTO || choice(world).0 == self.planner.algorithm()
    }
}

impl Finder {
    /// Answers a `find`, and keeps it for [`Finder::again`].
    pub(super) fn ask(
        &mut self,
        find: &Find,
        world: &AnySnapshot,
        scratch: &mut AnyScratch,
        leash: &Leash,
    ) -> Result<(Finding, Parts), FindError> {
        meant(&find.with, world)?;
        self.asked = Some(find.clone());
        let mut parts = Parts::default();
        let answered = self.answer(find, world, scratch, (leash, PATIENT), &mut parts);
        if matches!(answered, Err(FindError::Aside(_))) {
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
        world: &AnySnapshot,
        scratch: &mut AnyScratch,
        leash: &Leash,
        parts: &mut Parts,
    ) -> Option<Again> {
        let find = self.asked.clone()?;
        Some(match self.answer(&find, world, scratch, (leash, HASTY), parts) {
            Ok(finding) => Again::Found(Box::new(finding)),
            Err(error) => Again::Error { error: error.to_string() },
        })
    }

    /// Returns the planner of the latest answer, if it is up to date with this world.
    pub(super) fn planner(&self, world: &AnySnapshot) -> Option<&AnyPlanner> {
        self.ready.as_ref().map(|ready| &ready.planner).filter(|planner| planner.revision() == world.revision())
    }

    /// Returns the bytes kept besides the planner, which has a share of its own.
    pub(super) fn bytes(&self) -> usize {
        self.referee.bytes()
    }

    /// Returns the query of the latest `find`.
    pub(super) fn query(&self) -> Option<Query> {
        self.asked.as_ref().and_then(|find| query(find).ok())
    }

    /// Repairs the planner after edits of the world, or builds it anew. Returns what this took, and the areas that were
    /// redone.
    pub(super) fn follow(&mut self, world: &AnySnapshot, edits: &[Edit], leash: &Leash) -> Option<(Repair, Vec<Area>)> {
        self.referee.follow(world, edits);
        let mut ready = self.ready.take()?;
        let start = Instant::now();
        if edits.len() < MANY_EDITS
            && ready.still_meant(world)
            && let Ok(repair) = ready.planner.repair(world, edits)
        {
            let us = micros(start.elapsed());
            ready.share.settle(ready.planner.bytes());
            self.ready = Some(ready);
            return Some((Repair { us, clusters: repair.clusters, rebuilt: false }, repair.areas));
        }
        // If it cannot be built either, the next answer says why.
        self.ready = Ready::new(&ready.with, world, leash).ok();
        self.ready.as_ref().map(|ready| (Repair { us: ready.build_us, clusters: 0, rebuilt: true }, vec![]))
    }

    fn answer(
        &mut self,
        find: &Find,
        world: &AnySnapshot,
        scratch: &mut AnyScratch,
        (leash, patience): (&Leash, Patience),
        parts: &mut Parts,
    ) -> Result<Finding, FindError> {
        leash.set_aside(budget::searching(world))?;
        let query = query(find)?;
        let (ready, built) = self.take_ready(find, world, leash)?;
        let Ready { planner, why, build_us, .. } = self.ready.insert(ready);

        let (first, least) = timed(planner, (world, query), scratch, (leash, patience.timing))?;
        let route = first.outcome.route();
        parts.push("route", route.map_or_else(Vec::new, |route| listed(route.cells())));
        let (stats, cut) = traced(planner, (world, query), scratch, (leash, &first), find.trace, parts)?;

        let promise = planner.promise(world);
        let length = route.map(|route| route.length(world));
        let optimum = match (promise, &first.outcome) {
            (Promise::Optimal, Outcome::Reached(_) | Outcome::Partial(_)) => length,
            (_, Outcome::Unreachable | Outcome::TooFar) => None,
            _ => self.referee.optimum(world, query, scratch, (leash, patience.optimum)),
        };
        Ok(Finding {
            algorithm: planner.algorithm().name(),
            settings: pairs(planner.settings()),
            why: why.clone(),
            promise: promise.to_string(),
            outcome: first.outcome.name(),
            length,
            cost: route.map(|route| route.cost().0),
            steps: route.map(AnyRoute::steps),
            optimum,
            stats,
            built,
            build_us: *build_us,
            find_us: micros(least),
            bytes: planner.bytes(),
            census: planner.census(world).map_err(QueryError::from)?.into_iter().map(Into::into).collect(),
            in_legs: planner.plans_in_legs(),
            cut,
        })
    }

    /// Takes the planner that is there if it can answer a `find`, or else builds one. Returns also whether it was built.
    fn take_ready(&mut self, find: &Find, world: &AnySnapshot, leash: &Leash) -> Result<(Ready, bool), FindError> {
        let kept =
            self.ready.take().filter(|ready| ready.with == find.with && ready.planner.revision() == world.revision());
        if let Some(ready) = kept {
            return Ok((ready, false));
        }
        // Building may take minutes, so a query that cannot be asked is refused before it.
        world.check(query(find)?)?;
        Ok((Ready::new(&find.with, world, leash)?, true))
    }
}

/// Searches, and repeats the search while there is time. Returns the first search and the least time of all.
fn timed(
    planner: &AnyPlanner,
    asked: (&AnySnapshot, Query),
    scratch: &mut AnyScratch,
    (leash, patience): (&Leash, Duration),
) -> Result<(Searched, Duration), QueryError> {
    let first = search(planner, asked, scratch, (leash, Limit::SEARCH))?;
    let (mut least, mut spent) = (first.time, first.time);
    for _ in 1..RUNS {
        if spent + least > patience {
            break;
        }
        let time = search(planner, asked, scratch, (leash, Limit::SEARCH))?.time;
        (least, spent) = (least.min(time), spent + time);
    }
    Ok((first, least))
}

/// Watches a search that was made before, and adds its trace to `parts` if that is wanted. Returns what was counted, and
/// whether the trace was cut off.
fn traced(
    planner: &AnyPlanner,
    (world, query): (&AnySnapshot, Query),
    scratch: &mut AnyScratch,
    (leash, first): (&Leash, &Searched),
    wanted: bool,
    parts: &mut Parts,
) -> Result<(Stats, bool), FindError> {
    let mut tape = Tape::new(world, query.to, wanted).on(leash);
    if !leash.is_cut() {
        // A search that reached its limit is watched only as far as it went.
        let expansions = if first.outcome == Outcome::OutOfBudget { first.allowed } else { u64::MAX };
        let limit = Limit { expansions, ..Limit::SEARCH };
        watch(planner, (world, query), scratch, (leash, limit), &mut tape)?;
    }
    let stats = tape.stats.into();
    let cut = wanted && tape.finish(["events", "costs"], parts)?;
    Ok((stats, cut))
}

#[cfg(test)]
mod tests {
    use super::super::leash::Tether;
    use super::*;
    use crate::budget::Budget;
    use crate::command::{Pairs, Place};
    use portolan::Rules;
    use std::sync::Arc;
    use tokio::sync::Semaphore;

    #[test]
    fn nothing_is_built_for_a_query_that_cannot_be_asked() {
        let grid = portolan::SquareGrid::from_weights(3, 1, &[0, 1, 1], Rules::default()).unwrap();
        let (world, mut finder) = (AnySnapshot::from(grid), Finder::default());
        let leash = Leash::new(1, true, &Arc::new(Tether::new(Arc::new(Semaphore::new(1)), Budget::new(1 << 20))));
        let with = Entrant { algorithm: "hpa-star".into(), settings: Pairs::new() };
        let mut ask = |from| {
            let (from, to) = (Place::Cell(from), Place::Cell([2, 0]));
            let find = Find { with: with.clone(), from, to, nearest: false, trace: false };
            let answered = finder.ask(&find, &world, &mut AnyScratch::new(), &leash).map(|_| ());
            (answered.map_err(|error| error.to_string()), finder.ready.is_some())
        };
        assert_eq!(ask([0, 0]), (Err("the start 0,0 is blocked".into()), false));
        assert_eq!(ask([9, 9]), (Err("9,9 lies off the map, which is 3 x 1".into()), false));
        assert_eq!(ask([1, 0]), (Ok(()), true));
        assert_eq!(ask([0, 0]), (Err("the start 0,0 is blocked".into()), true), "what is there stays");
    }
}
