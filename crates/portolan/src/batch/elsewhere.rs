//! Batches whose routes another processor finds: [`Planner::find_many_on`] settles what needs no search, hands the rest to
//! a [`Router`], and answers what the router leaves.
//!
//! Not here: any such processor.

use super::BatchScratch;
use super::answers::{AnswerKind, Answers};
use crate::cost::Cost;
use crate::planner::Planner;
use crate::query::{Query, Stale};
use crate::space::{Snapshot, Space};
use std::panic::resume_unwind;
use std::thread;

/// A processor that finds routes between places.
pub trait Router<S: Space> {
    /// Finds a route from the first to the second place of each task. Both are free, connected and different. The
    /// processor may leave any task: a task without a route here is answered by the planner.
    fn route(&mut self, tasks: &[(S::Place, S::Place)]) -> Routed<S::Place>;
}

/// What a [`Router`] or a [`crate::Field`] has found, in flat arrays by the number of the task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Routed<P> {
    /// What each route costs; `None` where there is no route here.
    pub costs: Vec<Option<Cost>>,
    /// Where the places of each route begin in `places`, and one entry more.
    pub offsets: Vec<u64>,
    /// The places of all routes, one route after another, each from start to goal.
    pub places: Vec<P>,
}

impl<P> Routed<P> {
    /// Returns a result without a route for any of this many tasks.
    pub fn none(tasks: usize) -> Routed<P> {
        Routed { costs: vec![None; tasks], offsets: vec![0; tasks + 1], places: Vec::new() }
    }

    /// Appends the routes of other tasks.
    pub fn append(&mut self, other: Routed<P>) {
        let begin = self.places.len() as u64;
        self.costs.extend(other.costs);
        self.offsets.extend(other.offsets.into_iter().skip(1).map(|offset| begin + offset));
        self.places.extend(other.places);
    }

    /// Returns these routes with places as others name them.
    #[must_use]
    pub fn map<Q>(self, place: impl Fn(P) -> Q) -> Routed<Q> {
        Routed { costs: self.costs, offsets: self.offsets, places: self.places.into_iter().map(place).collect() }
    }
}

impl<S: Space> Planner<S> {
    /// Answers many queries as [`Planner::find_many`] does, with routes that a router finds. The answers are those of
    /// [`Planner::find_many`] if the router's routes are those of this planner. The threads of the scratch settle queries, and the
    /// router's list of places becomes that of the answers.
    ///
    /// # Errors
    /// When the planner's revision is not that of the world.
    ///
    /// # Panics
    /// When the router's result does not have one cost and one offset for each task.
    pub fn find_many_on(
        &self,
        world: &Snapshot<S>,
        queries: &[Query<S::Place>],
        scratch: &mut BatchScratch<S>,
        router: &mut dyn Router<S>,
    ) -> Result<Answers<S::Place>, Stale> {
        self.check_knows(world)?;
        let (ends, tasks) = settle(world, queries, scratch.threads());
        let routed = router.route(&tasks);
        assert!(routed.costs.len() == tasks.len() && routed.offsets.len() == tasks.len() + 1, "a route for each task");
        let mut costs = routed.costs.iter();
        let is_left = |&(end, _): &(&End, &Query<S::Place>)| end.is_none() || costs.next().is_some_and(Option::is_none);
        let left: Vec<Query<S::Place>> = ends.iter().zip(queries).filter(is_left).map(|(_, &query)| query).collect();
        let others = self.find_many(world, &left, scratch)?;
        Ok(Answers::of_routes(&ends, self.motion(), routed, &others))
    }
}

/// How a query ends if the router finds a route for it; `None` if it is no task of the router.
pub(super) type End = Option<AnswerKind>;

/// Between which places a route is needed.
type Ends<P> = (P, P);

/// Queries of which a thread settles at least so many: fewer are done before a thread has begun.
const LEAST_PER_THREAD: usize = 2048;

/// Finds out which queries need a route, by up to so many threads. Returns how they end, and the tasks of those that need one.
fn settle<S: Space>(
    world: &Snapshot<S>,
    queries: &[Query<S::Place>],
    threads: usize,
) -> (Vec<End>, Vec<Ends<S::Place>>) {
    let mut ends = vec![None; queries.len()];
    let per_thread = queries.len().div_ceil(threads.max(1)).max(LEAST_PER_THREAD);
    let work = |queries: &[Query<S::Place>], ends: &mut [End]| {
        let mut tasks = Vec::with_capacity(queries.len());
        for (end, query) in ends.iter_mut().zip(queries) {
            if let Some(to) = goal_of_task(world, query) {
                *end = Some(if to == query.to { AnswerKind::Reached } else { AnswerKind::Partial });
                tasks.push((query.from, to));
            }
        }
        tasks
    };
    let mut parts = queries.chunks(per_thread).zip(ends.chunks_mut(per_thread));
    let Some((own_queries, own_ends)) = parts.next() else { return (ends, Vec::new()) };
    let tasks = thread::scope(|scope| {
        let others: Vec<_> = parts.map(|(queries, ends)| scope.spawn(move || work(queries, ends))).collect();
        let mut tasks = work(own_queries, own_ends);
        for other in others {
            tasks.append(&mut other.join().unwrap_or_else(|panic| resume_unwind(panic)));
        }
        tasks
    });
    (ends, tasks)
}

/// Returns where a route is needed to from the start of a query. Returns `None` if it is settled without a search, or has a budget.
fn goal_of_task<S: Space>(world: &Snapshot<S>, query: &Query<S::Place>) -> Option<S::Place> {
    let home = query.home::<S>(world).ok()?;
    // Only the planner counts expansions.
    if query.budget.is_some() {
        return None;
    }
    let goal = if world.component(query.to) == Some(home) || world.reaches(query.from, query.to) {
        query.to
    } else if query.nearest {
        world.nearest_reachable(query.from, query.to)?
    } else {
        return None;
    };
    (goal != query.from).then_some(goal)
}
