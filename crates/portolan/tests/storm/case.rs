//! One case: a random world, some planners, and rounds of edits and queries. The number of the case is the seed of all
//! random numbers, so that a case can be played again.

use crate::judge::Known;
use crate::kind::Kind;
use crate::scenery::{edits, free_place, kinds, passages, pick, planner};
use portolan::any::AnySnapshot;
use portolan::generate::Random;
use portolan::probe::{Stats, Trace};
use portolan::{Edit, Extras, LazyRoute, Motion, Outcome, Planner, Profile, Query, Route, Scratch, World};

pub(crate) struct Case<S: Kind> {
    random: Random,
    scratch: Scratch<S>,
    /// Number of answers judged so far.
    pub(crate) answers: u64,
}

/// A planner and, if there is one, a route of it that is being walked, with the place reached and the goal.
struct Entrant<S: Kind> {
    planner: Planner<S>,
    under_way: Option<(LazyRoute<S>, S::Place, S::Place)>,
}

impl<S: Kind> Case<S> {
    pub(crate) fn new(number: u64) -> Case<S> {
        Case { random: Random::new(number), scratch: Scratch::new(), answers: 0 }
    }

    pub(crate) fn play(&mut self) {
        let mut world = World::from(S::random(&mut self.random));
        let most = match self.random.below(8) {
            0..4 => Extras::Nothing,
            4 => Extras::Walls,
            5 => Extras::Links,
            _ => Extras::OneWays,
        };
        let mut profile = Profile::new();
        if self.random.below(4) == 0 {
            let (laid, own) = kinds::<S>(&mut self.random, &world);
            world.apply(&laid).expect("sound edits");
            profile = own;
        }
        self.lay_passages(&mut world, most);
        let mut entrants = self.entrants(world.view(&profile).expect("a small view"));
        for round in 0..4 {
            if round > 0 {
                let before = world.view(&profile).expect("it was made").revision();
                let edits = edits::<S>(&mut self.random, &world);
                world.apply(&edits).expect("sound edits");
                self.lay_passages(&mut world, most);
                let seen = world.view(&profile).expect("it was made");
                if let Some(edits) = seen.edits_since(before) {
                    self.follow(seen, &mut entrants, &edits);
                } else {
                    entrants = self.entrants(seen);
                }
            }
            let seen = world.view(&profile).expect("it was made");
            assert_alike(seen, &world.seen_by(&profile).expect("a small view"));
            self.ask_all(seen, &entrants);
            for entrant in &mut entrants {
                entrant.under_way = self.set_out(seen, &entrant.planner);
            }
        }
    }

    /// Returns four planners for the world.
    fn entrants(&mut self, world: &World<S>) -> Vec<Entrant<S>> {
        (0..4).map(|_| Entrant { planner: planner(&mut self.random, world), under_way: None }).collect()
    }

    /// Brings borders and links, unless `most` says that there are to be none.
    fn lay_passages(&mut self, world: &mut World<S>, most: Extras) {
        if most != Extras::Nothing {
            let edits = passages::<S>(&mut self.random, world, most);
            world.apply(&edits).expect("sound edits");
        }
    }

    /// Repairs all planners after the edits, except for those that do not suit the edited world, which are dropped.
    /// Walks to the end those routes that survive the edits.
    fn follow(&mut self, world: &World<S>, entrants: &mut Vec<Entrant<S>>, edits: &[Edit]) {
        entrants.retain(|entrant| entrant.planner.algorithm().suits(world).is_ok());
        for Entrant { planner, under_way } in entrants {
            planner.repair(world, edits).expect("the edits it missed");
            let Some((mut route, at, to)) = under_way.take() else { continue };
            self.answers += 1;
            if route.survives(planner, world, edits) {
                let known = Known { world, planner, from: at, to, truth: None };
                self.walk_on(&known, &mut route);
            }
        }
    }

    /// Plans a route between random places and takes up to two of its legs. Returns it with the place reached and the
    /// goal.
    fn set_out(&mut self, world: &World<S>, planner: &Planner<S>) -> Option<(LazyRoute<S>, S::Place, S::Place)> {
        let (mut at, to) = (free_place::<S>(&mut self.random, world)?, free_place::<S>(&mut self.random, world)?);
        let planned = planner.plan(world, Query::new(at, to), &mut self.scratch).expect("a sound query");
        let mut route = planned.into_route()?;
        for _ in 0..self.random.below(3) {
            let cells = route.next_leg(planner, world, &mut self.scratch).expect("nothing has changed")?;
            at = *cells.last().expect("a piece leads somewhere");
        }
        Some((route, at, to))
    }

    /// Walks the rest of a route, checks each step and returns the cost of the walk.
    fn walk_on(&mut self, known: &Known<S>, route: &mut LazyRoute<S>) -> u64 {
        let Known { world, planner, from, to, .. } = *known;
        let (mut at, mut steps, mut cost) = (from, 0, 0);
        loop {
            let cells = match route.next_leg(planner, world, &mut self.scratch) {
                Ok(Some(cells)) => cells,
                Ok(None) => break,
                Err(error) => known.wrong(error),
            };
            for &next in cells {
                if next == at && steps == 0 {
                    continue; // the first piece may begin with the cell where the walk begins
                }
                let Some(step) = world.segment(at, next, Motion::Steps) else {
                    known.wrong(format_args!("no step leads from {at} to {next}"))
                };
                (at, steps, cost) = (next, steps + 1, cost + u64::from(step.0));
            }
            if steps > 4 * world.size().0 * world.size().1 {
                known.wrong("the walk does not end");
            }
        }
        if at != to {
            known.wrong(format_args!("the walk ends at {at}"));
        }
        cost
    }

    /// Puts some random queries to all planners.
    fn ask_all(&mut self, world: &World<S>, entrants: &[Entrant<S>]) {
        for _ in 0..3 {
            let Some(from) = free_place::<S>(&mut self.random, world) else { return };
            let goals: Vec<S::Place> = (0..6).map(|_| world.random_place(&mut self.random)).collect();
            let truths = world.costs(from, &goals);
            for Entrant { planner, .. } in entrants {
                let fresh = (self.random.below(3) == 0).then(|| planner.anew(world).expect("it suits"));
                for (&to, &truth) in goals.iter().zip(&truths) {
                    let known = Known { world, planner, from, to, truth };
                    self.ask(&known, fresh.as_ref());
                }
                self.ask_distances(world, planner, from, &goals, &truths);
            }
        }
    }

    /// Searches for one route in several ways and judges each answer.
    fn ask(&mut self, known: &Known<S>, fresh: Option<&Planner<S>>) {
        let Known { world, planner, .. } = *known;
        let find = |query: Query<S::Place>, scratch: &mut Scratch<S>| match planner.find(world, query, scratch) {
            Ok(outcome) => outcome,
            Err(error) => known.wrong(error),
        };
        let outcome = find(known.query(), &mut self.scratch);
        known.judge(&outcome);
        self.answers += 1;
        if self.random.below(3) == 0 && !known.gave_up(&outcome) {
            let mut stats = Stats::default();
            let watched = planner.watch(world, known.query(), &mut self.scratch, &mut stats);
            if watched.as_ref() != Ok(&outcome) {
                known.wrong("a probe changes the answer");
            }
            let budget = stats.expanded + 1 + pick(&mut self.random, &[0, 0, 1, 7]);
            let limited = find(known.query().budget(budget), &mut self.scratch);
            if limited != outcome {
                known.wrong(format_args!("{} within {budget}, having expanded {}", limited.name(), stats.expanded));
            }
            let tight = find(known.query().budget(self.random.below(stats.expanded + 1)), &mut self.scratch);
            if tight.route().is_some_and(|route| route.bound().is_some()) {
                known.judge(&tight);
            } else if tight != outcome && tight != Outcome::OutOfBudget {
                known.wrong("a tight budget changes the answer");
            }
            self.answers += 3;
        }
        if self.random.below(4) == 0 {
            self.ask_in_slices(known, &outcome);
        }
        if self.random.below(3) == 0 {
            self.ask_for_legs(known, &outcome);
        }
        if let Some(fresh) = fresh {
            self.compare(known, fresh);
        }
    }

    fn ask_in_slices(&mut self, known: &Known<S>, outcome: &Outcome<Route<S>>) {
        let Known { world, planner, .. } = *known;
        let slice = 1 + self.random.below(40);
        planner.begin(world, known.query(), &mut self.scratch).expect("it was asked before");
        let sliced = loop {
            if let Some(sliced) = planner.step(world, &mut self.scratch, slice).expect("begun") {
                break sliced;
            }
        };
        if sliced != *outcome {
            known.wrong(format_args!("it is {} in slices of {slice}", sliced.name()));
        }
        self.answers += 1;
    }

    /// Plans the route in legs and walks them.
    fn ask_for_legs(&mut self, known: &Known<S>, outcome: &Outcome<Route<S>>) {
        let Known { world, planner, .. } = *known;
        let planned = planner.plan(world, known.query(), &mut self.scratch).expect("it was asked before");
        // If a route is found piece by piece, planning cannot foresee that its cost is too great for a `Cost`.
        let by_pieces = known.in_pieces() && matches!(outcome, Outcome::TooFar);
        if planned.name() != outcome.name() && !by_pieces {
            known.wrong(format_args!("found it is {}, planned {}", outcome.name(), planned.name()));
        }
        self.answers += 1;
        let Some(mut route) = planned.into_route() else { return };
        let told = route.cost();
        let walked = self.walk_on(known, &mut route) as f64;
        match told {
            None if known.in_pieces() => {}
            Some(told) if (f64::from(told.0) - walked).abs() <= known.told_within() * walked + 0.5 => {}
            told => known.wrong(format_args!("told to cost {told:?}, the walk costs {walked}")),
        }
    }

    /// Compares the answer and the events with those of a planner built anew.
    fn compare(&mut self, known: &Known<S>, fresh: &Planner<S>) {
        let Known { world, planner, .. } = *known;
        let mut watch = |planner: &Planner<S>| {
            let mut trace = Trace::default();
            let outcome = planner.watch(world, known.query(), &mut self.scratch, &mut trace);
            (outcome.expect("it was asked before"), trace)
        };
        let (kept, built) = (watch(planner), watch(fresh));
        // An edit voids landmarks. Without them events may differ, but costs may not.
        let guided = planner.settings().iter().any(|set| set.0 == "landmarks");
        let cost = |outcome: &Outcome<Route<S>>| outcome.route().map(Route::cost);
        // Routes of equal cost may differ in what straight lines make of them.
        let lines = planner.motion() == Motion::AnyAngle;
        if guided && !lines && cost(&kept.0) != cost(&built.0) || !guided && kept != built {
            known.wrong("a planner built from nothing answers otherwise");
        }
        self.answers += 2;
    }

    fn ask_distances(
        &mut self,
        world: &World<S>,
        planner: &Planner<S>,
        from: S::Place,
        goals: &[S::Place],
        truths: &[Option<u64>],
    ) {
        if planner.algorithm().name == "ida-star" {
            return;
        }
        let costs = planner.distances(world, from, goals, &mut self.scratch).expect("a sound question");
        for ((&to, &truth), cost) in goals.iter().zip(truths).zip(costs) {
            let known = Known { world, planner, from, to, truth };
            self.answers += 1;
            match (truth, cost) {
                (None, None) => {}
                (Some(truth), None) if truth as f64 > f64::from(u32::MAX) * (1.0 - known.told_within()) => {}
                (Some(truth), Some(cost)) => {
                    let most = planner.promise(world).bound();
                    let (least, cost) = (truth as f64 * (1.0 - known.told_within()), f64::from(cost.0));
                    // Straight lines may cost less than the cheapest steps.
                    if cost + 0.5 < least && planner.motion() == Motion::Steps
                        || cost > truth as f64 * most + 0.5 && planner.algorithm().name != "anya"
                    {
                        known.wrong(format_args!("told to be {cost} away"));
                    }
                    let planned = planner.plan(world, known.query(), &mut self.scratch).expect("a sound query");
                    let Some(route) = planned.into_route().filter(|_| planner.algorithm().name == "rhumb") else {
                        continue;
                    };
                    // Unless `direct` is `no`, a plan walks to a goal in plain sight without the chart, possibly at
                    // less cost, never at more.
                    let off = f64::from(route.cost().expect("the chart knows").0) - cost;
                    let most = known.told_within() * cost + 0.5;
                    if off > most || known.has("direct", "no") && -off > most {
                        known.wrong(format_args!("told to be {cost} away, as planned {off} more"));
                    }
                }
                (_, cost) => known.wrong(format_args!("told to be {cost:?} away")),
            }
        }
    }
}

/// Asserts that a view which has followed edits is the one that is made now.
fn assert_alike<S: Kind>(seen: &World<S>, fresh: &S) {
    let [seen, fresh]: [AnySnapshot; 2] = [(***seen).clone().into(), fresh.clone().into()];
    assert_eq!(seen.to_weights(), fresh.to_weights(), "a view has fallen behind");
    assert!(seen.borders().eq(fresh.borders()) && seen.links().eq(fresh.links()), "a view has other borders or links");
}
