//! The agent of one algorithm that walks its routes among traps.

use super::Clocked;
use super::script::{TrapPlan, Traps};
use crate::queries::Trial;
use crate::race::answer::answered;
use portolan::any::{AnyPlanner, AnyReplanner, AnyRoute, AnyScratch, AnySnapshot, AnyWorld};
use portolan::{Cell, Edit, Outcome, Progress, Promise, Query};
use std::time::{Duration, Instant};

/// Returns whether agents of this planner have a replanner: if its algorithm keeps searches alive, or keeps a chart and
/// promises no bound on the cost of a route, so that a mended route is as good as a planned one.
pub(super) fn is_followed(planner: &AnyPlanner, world: &AnySnapshot) -> bool {
    planner.keeps_searches() || planner.bytes() > 0 && planner.promise(world) == Promise::Complete
}

/// The agent.
pub(super) struct Walker<'a> {
    pub(super) world: AnyWorld,
    /// Where the agent stands.
    pub(super) at: Cell,
    /// Where it goes.
    pub(super) to: Cell,
    /// The time of the first plan of each route that it began to walk, with the repair before it.
    pub(super) firsts: Vec<Duration>,
    /// The sum over all ticks of the number of traps that lay in the world.
    pub(super) traps_seen: usize,
    /// The number of ticks in which the planner was repaired.
    pub(super) repairs: usize,
    routes: &'a [Trial],
    /// The number of the route that it walks. After the last route it walks the first again.
    route: usize,
    plan: TrapPlan,
    planner: AnyPlanner,
    is_followed: bool,
    scratch: AnyScratch,
    traps: Traps,
    /// The agent's route, for algorithms that have a replanner.
    replanner: Option<AnyReplanner>,
    /// The edits since the planner was repaired.
    missed: Vec<Edit>,
    /// What the last step of the replanner has come to.
    progress: Progress,
    /// The cell to which the next step leads, if there is one.
    next: Option<Cell>,
}

impl<'a> Walker<'a> {
    /// Returns an agent for these routes, of which there must be one, in a world and with a planner of its own.
    pub(super) fn new(world: AnyWorld, planner: AnyPlanner, routes: &'a [Trial], plan: TrapPlan) -> Walker<'a> {
        let is_followed = is_followed(&planner, &world.snapshot());
        Walker {
            world,
            at: routes[0].from,
            to: routes[0].to,
            firsts: Vec::new(),
            traps_seen: 0,
            repairs: 0,
            routes,
            route: 0,
            plan,
            planner,
            is_followed,
            scratch: AnyScratch::new(),
            traps: Traps::default(),
            replanner: None,
            missed: Vec::new(),
            progress: Progress::Unreachable,
            next: None,
        }
    }

    /// Puts the agent at the start of the first route, in the world as it was before any trap, and plans.
    pub(super) fn begin(&mut self) {
        (self.route, self.traps_seen, self.repairs) = (0, 0, 0);
        self.firsts.clear();
        self.set_out();
    }

    /// Puts the agent at the start of its route, among new traps, and plans.
    fn set_out(&mut self) {
        let route = self.routes[self.route % self.routes.len()];
        (self.at, self.to, self.replanner) = (route.from, route.to, None);
        let mut edits = self.traps.clear(&mut self.world);
        edits.extend(self.traps.change(self.plan, self.number(0), [self.at, self.to], &mut self.world));
        let clocked = self.follow(&edits);
        self.firsts.push(clocked.repair + clocked.plan);
    }

    /// Returns a number for the draws of a tick that no other tick has; the first plan of a route is tick 0.
    fn number(&self, tick: usize) -> u64 {
        ((self.route as u64) << 32) + tick as u64
    }

    /// Takes a step, or sets out for the next goal at the end of the route. Then traps vanish and appear, and the agent
    /// follows.
    pub(super) fn tick(&mut self, tick: usize) -> Clocked {
        self.at = self.next.unwrap_or(self.at);
        if self.at == self.to {
            self.route += 1;
            self.set_out();
        }
        let number = self.number(tick + 1);
        let edits = self.traps.change(self.plan, number, [self.at, self.to], &mut self.world);
        self.traps_seen += self.traps.count();
        let clocked = self.follow(&edits);
        self.repairs += usize::from(clocked.repair > Duration::ZERO);
        clocked
    }

    /// Plans after these edits.
    fn follow(&mut self, edits: &[Edit]) -> Clocked {
        let now = self.world.snapshot();
        let clocked = if self.is_followed { self.follow_route(&now, edits) } else { self.find(&now, edits) };
        self.next = match &clocked.outcome {
            Some(outcome) => {
                let cells = outcome.route().map(|route| route.clone().into_steps(&now));
                cells.and_then(|cells| cells.get(1).copied())
            }
            None => self.replanner.as_ref().and_then(AnyReplanner::next_step).map(|(next, _)| next),
        };
        clocked
    }

    /// Repairs the planner and plans from nothing.
    fn find(&mut self, world: &AnySnapshot, edits: &[Edit]) -> Clocked {
        let begun = Instant::now();
        self.planner.repair(world, edits).expect("the algorithm runs on the world without traps");
        let repair = begun.elapsed();
        let query = Query::new(self.at, self.to);
        let found = self.planner.find_clocked(world, query, &mut self.scratch, Instant::now);
        let (outcome, [begun, end]) = found.expect("agents stand on free cells");
        Clocked { repair, plan: end - begun, outcome: Some(outcome) }
    }

    /// Has the replanner follow the edits. The planner is repaired only if it has to be asked.
    fn follow_route(&mut self, world: &AnySnapshot, edits: &[Edit]) -> Clocked {
        let (at, to) = (self.at, self.to);
        let begun = Instant::now();
        self.missed.extend_from_slice(edits);
        let is_new = self.replanner.is_none();
        let replanner = self.replanner.get_or_insert_with(|| AnyReplanner::new(world, at, to));
        replanner.moved(at);
        let stands = if is_new { None } else { replanner.follow(world, edits, &mut self.scratch) };
        let followed = begun.elapsed();
        if let Some(progress) = stands {
            self.progress = progress;
            return Clocked { repair: Duration::ZERO, plan: followed, outcome: None };
        }
        let begun = Instant::now();
        self.planner.repair(world, &self.missed).expect("the algorithm runs on the world without traps");
        self.missed.clear();
        let repair = begun.elapsed();
        let begun = Instant::now();
        let progress = replanner.step(&self.planner, world, &mut self.scratch, u64::MAX, None);
        let plan = followed + begun.elapsed();
        self.progress = progress.expect("agents stand on free cells");
        Clocked { repair, plan, outcome: None }
    }

    /// Returns what the algorithm promises on this world.
    pub(super) fn promise(&self) -> Promise {
        self.planner.promise(&self.world.snapshot())
    }

    /// Returns the replanner's route as the answer to a query.
    pub(super) fn answer(&self, world: &AnySnapshot) -> Outcome<AnyRoute> {
        answered(world, self.progress, self.replanner.as_ref().map_or(&[], AnyReplanner::left))
    }
}
