//! The competition's calls in the engine's terms: the harness gives a map, changes it, and queries routes on it.
//!
//! Not here: pointers, and the layout of the competition's data in memory.

use crate::choice::{Choice, planner_for_changes, tell};
use crate::patch::Patch;
use portolan::{Cell, GridError, LazyRoute, Planner, Query, Scratch, World};

/// The world and the planner that answer the queries on one map.
pub(crate) struct Searcher {
    world: World,
    planner: Planner,
    /// Whether the planner is the one that the rules choose for a world that is never edited. The first change then
    /// replaces it.
    for_unchanged: bool,
    scratch: Scratch,
    /// The route of which the caller has received only a part so far.
    under_way: Option<Delivery>,
}

/// A route that is handed out leg by leg. Each leg is worked out when the harness calls for it.
struct Delivery {
    from: Cell,
    to: Cell,
    route: LazyRoute,
}

/// What one query returns.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Answer {
    /// The first cell, the cells where the route turns, and the last cell; empty when there is no route.
    pub(crate) points: Vec<Cell>,
    /// Whether the route goes on: a query with the same start and goal then returns the next piece.
    pub(crate) incomplete: bool,
}

impl Searcher {
    /// Makes a searcher for a map.
    pub(crate) fn new(map: Patch, choice: &Choice) -> Result<Searcher, GridError> {
        let world = World::from(map.grid()?);
        let planner = choice.planner(&world);
        let for_unchanged = choice.is_auto();
        Ok(Searcher { world, planner, for_unchanged, scratch: Scratch::new(), under_way: None })
    }

    /// Applies patches, one after the other, to the world, and brings the planner up to date.
    pub(crate) fn change<'a>(&mut self, patches: impl Iterator<Item = Patch<'a>>) {
        self.under_way = None;
        let mut edits = Vec::new();
        for patch in patches {
            // Each patch is applied before the edits of the next are derived, because patches may overlap.
            let own = patch.edits(&self.world);
            self.world.apply(&own).expect("a patch is cut to the map");
            edits.extend(own);
        }
        if self.for_unchanged && !edits.is_empty() {
            self.planner = planner_for_changes(&self.world);
            self.for_unchanged = false;
        } else if let Err(fault) = self.planner.repair(&self.world, &edits) {
            // From here on the planner is out of date and refuses queries, so that the harness gets no route instead of
            // a wrong one.
            tell(fault);
        }
    }

    /// Returns the route between two cells, or its next piece if the last answer was an incomplete part of it.
    pub(crate) fn route(&mut self, from: Cell, to: Cell) -> Answer {
        let continued = self.under_way.take().filter(|delivery| (delivery.from, delivery.to) == (from, to));
        let Some(mut delivery) = continued.or_else(|| self.plan(from, to)) else { return Answer::default() };
        let piece = delivery.route.next_leg(&self.planner, &self.world, &mut self.scratch);
        let points = piece.ok().flatten().map(turning_points).unwrap_or_default();
        let incomplete = !points.is_empty() && !delivery.route.is_done();
        if incomplete {
            self.under_way = Some(delivery);
        }
        Answer { points, incomplete }
    }

    /// Plans a route, or returns `None` for every other outcome, because the competition has no other answer than "no
    /// route". A chart gives the first leg long before the last is worked out. A flat search finds the whole route at
    /// once, which then is one leg.
    fn plan(&mut self, from: Cell, to: Cell) -> Option<Delivery> {
        let outcome = self.planner.plan(&self.world, Query::new(from, to), &mut self.scratch).ok()?;
        Some(Delivery { from, to, route: outcome.into_route()? })
    }
}

/// Returns the first and the last of these cells and those where the direction changes. Between two neighbours in the
/// result, the walk is a straight line.
fn turning_points(cells: &[Cell]) -> Vec<Cell> {
    let step = |from: Cell, to: Cell| (to.x.wrapping_sub(from.x), to.y.wrapping_sub(from.y));
    let turns = |trio: &&[Cell]| step(trio[0], trio[1]) != step(trio[1], trio[2]);
    let between = cells.windows(3).filter(turns).map(|trio| trio[1]);
    let last = cells.last().filter(|_| cells.len() > 1);
    cells.first().copied().into_iter().chain(between).chain(last.copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cells(points: &[(u16, u16)]) -> Vec<Cell> {
        points.iter().map(|&point| Cell::from(point)).collect()
    }

    /// Returns a searcher with a chart of a map of 64 x 64 cells, with a wall across it that has one gap.
    fn searcher() -> Searcher {
        let mut bits = [0xff; 64 * 8];
        bits[30 * 8..31 * 8].fill(0);
        bits[30 * 8 + 7] = 0x80;
        searcher_by("hpa-star", &bits)
    }

    fn searcher_by(choice: &str, bits: &[u8]) -> Searcher {
        Searcher::new(Patch::new(bits, 64, 64, Cell::default()), &Choice(portolan::pick::Pick::parse(choice).unwrap()))
            .unwrap()
    }

    /// Returns every piece of a route.
    fn pieces(searcher: &mut Searcher, from: Cell, to: Cell) -> Vec<Answer> {
        let mut answers = vec![searcher.route(from, to)];
        while answers.last().is_some_and(|answer| answer.incomplete) {
            answers.push(searcher.route(from, to));
        }
        answers
    }

    #[test]
    fn a_walk_is_told_by_its_turns() {
        let walk = cells(&[(0, 0), (1, 0), (2, 0), (3, 1), (4, 2), (4, 3), (3, 3), (2, 3)]);
        assert_eq!(turning_points(&walk), cells(&[(0, 0), (2, 0), (4, 2), (4, 3), (2, 3)]));
        for short in [&walk[..0], &walk[..1], &walk[..2]] {
            assert_eq!(turning_points(short), short);
        }
    }

    #[test]
    fn whoever_asks_again_gets_the_rest() {
        let mut searcher = searcher();
        let (from, to) = (Cell::new(0, 0), Cell::new(9, 63));
        let answers = pieces(&mut searcher, from, to);
        assert!(answers.len() > 3, "a chart hands out leg by leg");
        let points: Vec<Cell> = answers.iter().flat_map(|answer| answer.points.clone()).collect();
        assert_eq!((points.first(), points.last()), (Some(&from), Some(&to)));
        assert_eq!(pieces(&mut searcher, from, to), answers, "a route handed out in whole is planned anew");
    }

    #[test]
    fn the_first_change_takes_what_follows_changes() {
        let mut searcher = searcher_by("auto", &[0xff; 64 * 8]);
        let name = |searcher: &Searcher| searcher.planner.algorithm().name;
        let (from, to) = (Cell::new(0, 9), Cell::new(60, 9));
        assert_eq!(searcher.route(from, to).points, [from, to]);
        searcher.change(std::iter::once(Patch::new(&[1], 1, 1, Cell::new(40, 9))));
        assert_eq!(name(&searcher), "jump-graph", "what was free is free");
        for _ in 0..2 {
            searcher.change(std::iter::once(Patch::new(&[0], 1, 1, Cell::new(40, 9))));
            assert_eq!(name(&searcher), "jump-point");
            assert!(searcher.route(from, to).points.len() > 2, "around it");
            searcher.change(std::iter::once(Patch::new(&[1], 1, 1, Cell::new(40, 9))));
            assert_eq!(searcher.route(from, to).points, [from, to]);
        }
    }

    #[test]
    fn another_question_or_an_edit_ends_what_was_under_way() {
        let mut searcher = searcher();
        let (from, to) = (Cell::new(0, 0), Cell::new(9, 63));
        let first = searcher.route(from, to);
        assert!(first.incomplete);
        let elsewhere = Answer { points: cells(&[(0, 0), (0, 5)]), incomplete: false };
        assert_eq!(searcher.route(from, Cell::new(0, 5)), elsewhere);
        assert_eq!(searcher.route(from, to), first, "it begins again");
        searcher.change(std::iter::once(Patch::new(&[0], 1, 1, Cell::new(40, 5))));
        assert_eq!(searcher.route(from, to), first, "the rest may lead through what has changed");
        searcher.change(std::iter::once(Patch::new(&[0], 1, 1, Cell::new(63, 30))));
        assert_eq!(searcher.route(from, to), Answer::default(), "the only gap is closed");
    }
}
