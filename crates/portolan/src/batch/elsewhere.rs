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
    /// [`Planner::find_many`] if the router's routes are those of this planner.
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
        let tasks: Vec<(S::Place, S::Place)> = queries.iter().filter_map(|query| task(world, query)).collect();
        let routed = router.route(&tasks);
        assert!(routed.costs.len() == tasks.len() && routed.offsets.len() == tasks.len() + 1, "a route for each task");
        let left = left(world, queries, &routed);
        let others = self.find_many(world, &left, scratch)?;
        let mut answers = Answers::new();
        answers.reserve(queries.len());
        let (mut next, mut other) = (0, 0);
        for query in queries {
            let found = task(world, query).and_then(|(_, to)| {
                next += 1;
                routed.costs[next - 1].map(|cost| (cost, to))
            });
            if let Some((cost, to)) = found {
                let places = routed.offsets[next - 1] as usize..routed.offsets[next] as usize;
                let kind = if to == query.to { AnswerKind::Reached } else { AnswerKind::Partial };
                answers.push_route(kind, cost, self.motion(), &routed.places[places]);
            } else {
                answers.append_one(&others, other);
                other += 1;
            }
        }
        Ok(answers)
    }
}

/// Returns the queries that are no tasks of the router, and those for which it found no route.
fn left<S: Space>(world: &Snapshot<S>, queries: &[Query<S::Place>], routed: &Routed<S::Place>) -> Vec<Query<S::Place>> {
    let mut costs = routed.costs.iter();
    let is_left = |query: &&Query<S::Place>| {
        let is_routed = |_| costs.next().is_some_and(Option::is_some);
        !task(world, query).is_some_and(is_routed)
    };
    queries.iter().filter(is_left).copied().collect()
}

/// Returns between which places a route is needed for a query. Returns `None` if it is settled without a search, or has a
/// budget.
fn task<S: Space>(world: &Snapshot<S>, query: &Query<S::Place>) -> Option<(S::Place, S::Place)> {
    query.home::<S>(world).ok()?;
    // Only the planner counts expansions.
    if query.budget.is_some() {
        return None;
    }
    let goal = if world.reaches(query.from, query.to) {
        query.to
    } else if query.nearest {
        world.nearest_reachable(query.from, query.to)?
    } else {
        return None;
    };
    (goal != query.from).then_some((query.from, goal))
}
