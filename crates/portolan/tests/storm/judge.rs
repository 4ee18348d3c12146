//! Judges whether an answer is right.

use crate::kind::Kind;
use portolan::{Motion, Outcome, Planner, Promise, Query, Route, Snapshot};
use std::panic::panic_any;

/// The panic payload of a case with a wrong answer: the message.
pub(crate) struct Wrong(pub(crate) String);

/// A query, the world and planner that it is put to, and the right answer.
pub(crate) struct Known<'a, S: Kind> {
    pub(crate) world: &'a Snapshot<S>,
    pub(crate) planner: &'a Planner<S>,
    pub(crate) from: S::Place,
    pub(crate) to: S::Place,
    /// The cost of a cheapest route; `None` if there is no route, or if the cost is not judged.
    pub(crate) truth: Option<u64>,
}

impl<S: Kind> Known<'_, S> {
    pub(crate) fn query(&self) -> Query<S::Place> {
        Query::new(self.from, self.to)
    }

    /// Describes the query, for messages.
    pub(crate) fn about(&self) -> String {
        let Known { world, planner, from, to, truth } = self;
        let set: Vec<String> = planner.settings().iter().map(|(name, value)| format!("{name}={value}")).collect();
        let name = planner.algorithm().name;
        format!("{name} {} from {from} to {to}, true cost {truth:?}, on {}", set.join(" "), world.about())
    }

    /// Panics with a description of the query and the reason why the answer is wrong.
    pub(crate) fn wrong(&self, why: impl std::fmt::Display) -> ! {
        panic_any(Wrong(format!("{why}: {}", self.about())))
    }

    /// Returns whether the planner has this setting with this value.
    pub(crate) fn has(&self, name: &str, value: &str) -> bool {
        self.planner.settings().iter().any(|set| set.0 == name && set.1.to_string() == value)
    }

    /// Returns whether routes come piece by piece, each piece found when the one before has been walked.
    pub(crate) fn in_pieces(&self) -> bool {
        self.planner.algorithm().name == "pra-star" && !self.has("limit", "0")
    }

    /// Returns whether the search gave up. Only IDA* may do that, because of the budget in its settings.
    pub(crate) fn gave_up<R>(&self, outcome: &Outcome<R>) -> bool {
        self.planner.algorithm().name == "ida-star" && matches!(outcome, Outcome::OutOfBudget)
    }

    /// Judges the outcome of a search without a budget, or of an anytime search whose budget ended with a route.
    pub(crate) fn judge(&self, outcome: &Outcome<Route<S>>) {
        if self.gave_up(outcome) {
            return;
        }
        match (self.truth, outcome) {
            (None, Outcome::Unreachable) => {}
            (Some(truth), Outcome::Reached(route)) => self.judge_route(truth, route),
            (Some(truth), Outcome::TooFar) if truth > u64::from(u32::MAX) => {}
            (_, other) => self.wrong(format_args!("it is {}", other.name())),
        }
    }

    fn judge_route(&self, truth: u64, route: &Route<S>) {
        if let Err(error) = route.check(self.world) {
            self.wrong(error);
        }
        if (route.cells().first(), route.cells().last()) != (Some(&self.from), Some(&self.to)) {
            self.wrong("the route leads elsewhere");
        }
        let (cost, promise) = (u64::from(route.cost().0), self.planner.promise(self.world));
        let most = match (route.bound(), promise) {
            (Some(ratio), _) | (None, Promise::Within(ratio)) => (truth as f64 * ratio + 1e-6) as u64,
            (None, Promise::Optimal) => truth,
            (None, Promise::Complete) => u64::MAX,
        };
        // Straight lines may cost less than the cheapest steps. What `anya` promises is about lines, which the suite checks.
        let is_short = cost < truth && route.motion() == Motion::Steps;
        if is_short || cost > most && self.planner.algorithm().name != "anya" {
            self.wrong(format_args!("the route costs {cost}"));
        }
    }

    /// Returns by what part the cost of a planned route or a distance may differ from the true one.
    pub(crate) fn told_within(&self) -> f64 {
        if self.planner.algorithm().name == "rhumb" { 0.011 } else { 0.0 }
    }
}
