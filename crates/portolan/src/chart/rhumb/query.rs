//! A query as a whole. On ground of one weight and with the setting `direct`, the route is a straight walk if nothing
//! stands in its way. Otherwise it is the way by ports that the climb finds, or, if start and goal are close to each
//! other, the way that a search around both finds, where that is cheaper. If costs do not fit the number type of the
//! chart, the query is repeated on a chart with a wider type.
//!
//! Not here: the climb (`climb.rs`), the search around close cells (`near.rs`), and from costs to cells (`unpack.rs`).

use super::Rhumb;
use super::chart_cost::ChartCost;
use super::climb::Meeting;
use super::front::Way;
use super::fronts::Fronts;
use super::leaf::Leaf;
use super::scratch::{ClimbScratch, RhumbScratch};
use super::unpack::{OPENING, Stretch};
use super::widths::{AnyFronts, with};
use crate::chart::shared::cutout::NO_WAY;
use crate::chart::shared::sight::{walk_in_sight, walked, walked_over_links};
use crate::id::Cell;
use crate::method::Leg;
use crate::method::{End, Task};
use crate::probe::{Event, Phase, Probe, Unwatched};
use crate::route::smooth::{smooth_between_links, smooth_trail};
use crate::space::square::SquareGrid;
use crate::space::{Extras, Space};

/// What a query has found before the route is turned into cells.
enum Found<T> {
    /// The cells of the route are known and lie in `trail`.
    Cells,
    /// A way by ports.
    Meeting(Meeting<T>),
    /// Some cost does not fit the number type of the chart, so that a wider one is needed.
    OutOfRange,
}

impl Rhumb {
    /// Finds a route. Returns how the search ended and how many expansions it counts for: one for each row of costs
    /// added and for each cell expanded.
    pub(super) fn find(
        &self,
        task: Task,
        own: &mut RhumbScratch,
        trail: &mut Vec<Cell>,
        probe: &mut impl Probe,
    ) -> (End, u64) {
        let mut chart = self.chart.fitting(task.grid);
        loop {
            let found = with!(&chart.fronts, fronts => self.find_on(fronts, task, own, trail, probe));
            if let Some(found) = found {
                return found;
            }
            // The planner then lets an exact search decide.
            let Some(wider) = chart.wider(task.grid) else { return (End::NotFound, 0) };
            chart = wider;
        }
    }

    /// Finds a route on one chart; `None` if a cost does not fit its number type.
    fn find_on<T: ChartCost>(
        &self,
        fronts: &Fronts<T>,
        task: Task,
        own: &mut RhumbScratch,
        trail: &mut Vec<Cell>,
        probe: &mut impl Probe,
    ) -> Option<(End, u64)> {
        let mut owed = 0;
        if probe.is_watching() {
            // The query first runs unwatched, so that the probe gets no events from a chart whose number type is too
            // narrow.
            let found = self.look(fronts, task, own, trail, &mut owed, &mut Unwatched);
            trail.clear();
            if matches!(found, Found::OutOfRange) {
                return None;
            }
            owed = 0;
        }
        let cost = match self.look(fronts, task, own, trail, &mut owed, probe) {
            Found::OutOfRange => return None,
            Found::Cells => known_cost(fronts, task, trail, None),
            Found::Meeting(meeting) => {
                probe.event(Event::Phase { phase: Phase::Refine });
                fronts.lay(task, meeting, T::vectors(own), trail);
                known_cost(fronts, task, trail, Some(meeting.cost.whole()))
            }
        };
        let cost = match self.smoothing {
            Some(smoothing) if cost.is_some() && task.grid.has_links() => {
                smooth_between_links(task.grid, smoothing, trail);
                walked_over_links(task.grid, trail)
            }
            Some(smoothing) if cost.is_some() => Some(smooth_trail(task.grid, smoothing, trail, &mut own.spare)),
            _ => cost,
        };
        Some((cost.map_or(End::NotFound, End::Found), owed))
    }

    /// Does all of a query that the first step of the route needs. Adds to `owed` the rows of costs added and the cells
    /// expanded.
    fn look<T: ChartCost>(
        &self,
        fronts: &Fronts<T>,
        task: Task,
        own: &mut RhumbScratch,
        trail: &mut Vec<Cell>,
        owed: &mut u64,
        probe: &mut impl Probe,
    ) -> Found<T> {
        let has_passages = task.grid.extras() > Extras::Walls;
        if fronts.has_no_place_for_links(task.grid) {
            return Found::OutOfRange;
        }
        if self.direct && !has_passages && walk_in_sight(task.grid, task.to, task.from, trail) {
            return Found::Cells;
        }
        probe.event(Event::Phase { phase: Phase::Search });
        let meeting = fronts.meet(task, T::vectors(own), probe);
        *owed += T::vectors(own).rows;
        if !fronts.fits() || T::vectors(own).ends.iter().any(|end| end.too_far) {
            return Found::OutOfRange;
        }
        let by_ports = meeting.map_or(T::UNTOLD, |meeting| meeting.cost.cost());
        if fronts.search_near(task, by_ports, own, trail, owed, probe) {
            return Found::Cells;
        }
        meeting.map_or(Found::OutOfRange, Found::Meeting)
    }

    /// Finds the legs of a route and lists them in `legs`, the last one first. If all cells are known at once, they are
    /// in `trail` instead. Returns how the search ended and how many expansions it counts for, as [`Rhumb::find`] does.
    pub(super) fn find_legs(
        &self,
        task: Task,
        own: &mut RhumbScratch,
        trail: &mut Vec<Cell>,
        legs: &mut Vec<Leg>,
    ) -> (End, u64) {
        let mut chart = self.chart.fitting(task.grid);
        loop {
            let mut owed = 0;
            let end = with!(&chart.fronts, fronts => self.find_legs_on(fronts, task, own, trail, &mut owed, legs));
            if let Some(end) = end {
                return (end, owed);
            }
            let Some(wider) = chart.wider(task.grid) else { return (End::NotFound, owed) };
            chart = wider;
        }
    }

    /// Finds the legs of a route on one chart; `None` if a cost does not fit its number type.
    fn find_legs_on<T: ChartCost>(
        &self,
        fronts: &Fronts<T>,
        task: Task,
        own: &mut RhumbScratch,
        trail: &mut Vec<Cell>,
        owed: &mut u64,
        legs: &mut Vec<Leg>,
    ) -> Option<End> {
        let cost = match self.look(fronts, task, own, trail, owed, &mut Unwatched) {
            Found::OutOfRange => return None,
            Found::Cells => known_cost(fronts, task, trail, None),
            Found::Meeting(meeting) => {
                fronts.list_legs(task, meeting, T::vectors(own), legs);
                fronts.world_cost(task.grid, meeting.cost.whole())
            }
        };
        Some(cost.map_or(End::NotFound, End::Found))
    }

    /// Writes the cost from a cell to each goal into `costs`, in the world's metric; [`NO_WAY`] if there is no way or
    /// the cost is too great for `u32`. Goals whose cost does not fit the number type of a chart are tried again on a
    /// wider one.
    pub(super) fn sweep(
        &self,
        grid: &SquareGrid,
        from: Cell,
        goals: &[Cell],
        own: &mut RhumbScratch,
        costs: &mut [u32],
    ) {
        let mut chart = self.chart.fitting(grid);
        costs.fill(NO_WAY);
        let mut asked: Vec<usize> = (0..goals.len()).filter(|&goal| grid.reaches(from, goals[goal])).collect();
        let (mut ends, mut found) = (Vec::new(), Vec::new());
        if with!(&chart.fronts, fronts => fronts.has_no_place_for_links(grid)) {
            return;
        }
        loop {
            ends.clear();
            ends.extend(asked.iter().map(|&goal| goals[goal]));
            found.resize(ends.len(), NO_WAY);
            with!(&chart.fronts, fronts => {
                fronts.costs_to(grid, from, &ends, own, &mut found);
                for (&goal, &cost) in asked.iter().zip(&found).filter(|(_, cost)| **cost != NO_WAY) {
                    costs[goal] = fronts.world_cost(grid, cost.into()).unwrap_or(NO_WAY);
                }
            });
            let mut known = found.iter().map(|&cost| cost != NO_WAY);
            asked.retain(|_| !known.next().unwrap_or(false));
            if asked.is_empty() {
                return;
            }
            let Some(wider) = chart.wider(grid) else { return };
            chart = wider;
        }
    }
}

/// Returns what a route costs in the world's metric. `charted` is its cost in the chart's prices, if that is known.
/// Where all cells have one weight, the number of diagonal steps follows from that cost and the number of all steps, so
/// that the cells need not be looked at.
fn known_cost<T: ChartCost>(fronts: &Fronts<T>, task: Task, trail: &[Cell], charted: Option<u64>) -> Option<u32> {
    if task.grid.extras() > Extras::Walls {
        return walked_over_links(task.grid, trail);
    }
    let [straight, diagonal] = [fronts.prices.straight, fronts.prices.diagonal].map(u64::from);
    let (Some(charted), None, true) = (charted, task.grid.weights(), diagonal > straight) else {
        return walked(task, trail);
    };
    let steps = trail.len() as u64 - 1;
    let diagonals = (charted - steps * straight) / (diagonal - straight);
    let weight = u64::from(task.grid.least_weight());
    let cost = task.grid.metric().prices().of_steps(steps - diagonals, diagonals);
    u32::try_from(cost * weight).ok()
}

impl<T: ChartCost> Fronts<T> {
    /// Appends the cells of the way by a meeting to `trail`, from the goal to the start.
    fn lay(&self, task: Task, meeting: Meeting<T>, vectors: &mut ClimbScratch<T>, trail: &mut Vec<Cell>) {
        let ClimbScratch { ends: [there, back], stretches, stack, .. } = vectors;
        trail.push(task.to);
        stretches.clear();
        self.trace(back, meeting.levels[1], meeting.place, meeting.values[1], stretches);
        for &Stretch { region, near, far } in stretches.iter().rev() {
            if near == Stretch::END {
                self.leaf_of(Way::Back, region).walk(far as usize, task.to, trail);
            } else {
                self.walk_back(Stretch { region, near: far, far: near }, stack, trail);
            }
        }
        stretches.clear();
        self.trace(there, meeting.levels[0], meeting.place, meeting.values[0], stretches);
        for &stretch in stretches.iter() {
            if stretch.near == Stretch::END {
                let first = trail.len() - 1;
                trail.truncate(first);
                self.leaf_of(Way::There, stretch.region).walk(stretch.far as usize, task.from, trail);
                trail[first..].reverse();
                trail.push(task.from);
            } else {
                self.walk_back(stretch, stack, trail);
            }
        }
    }

    /// Appends the legs of the way by a meeting to `legs`, the last one first.
    fn list_legs(&self, task: Task, meeting: Meeting<T>, vectors: &mut ClimbScratch<T>, legs: &mut Vec<Leg>) {
        let ClimbScratch { ends: [there, back], stretches, .. } = vectors;
        stretches.clear();
        self.trace(back, meeting.levels[1], meeting.place, meeting.values[1], stretches);
        legs.extend(stretches.iter().rev().map(|&stretch| self.leg(stretch, task.to, true)));
        stretches.clear();
        self.trace(there, meeting.levels[0], meeting.place, meeting.values[0], stretches);
        legs.extend(stretches.iter().map(|&stretch| self.leg(stretch, task.from, false)));
        if let Some(first) = legs.last_mut() {
            first.level = OPENING;
        }
    }

    fn leaf_of(&self, way: Way, region: u32) -> &Leaf<T> {
        self.leaf(way, self.regions.of(region).number)
    }
}
