//! A query from question to answer: a walk in plain sight, a search around two cells that are close, or the climb and
//! what follows from it.

use super::Rhumb;
use super::chart_cost::ChartCost;
use super::climb::{ClimbScratch, Meeting};
use super::fronts::Fronts;
use super::leaf::Leaf;
use super::unpack::{OPENING, Stretch};
use super::widths::{AnyFronts, with};
use crate::chart::shared::cutout::NO_WAY;
use crate::chart::shared::sight::{walk_in_sight, walked};
use crate::id::Cell;
use crate::method::Leg;
use crate::method::{End, Task};
use crate::probe::{Event, Phase, Probe, Unwatched};
use crate::route::smooth::smooth;
use crate::scratch::Scratch;
use crate::search::a_star;
use crate::world::square::SquareGrid;

/// What a query found before it is turned into cells.
enum Found<T> {
    /// The cells are known.
    Cells,
    /// A way over the lines.
    Meeting(Meeting<T>),
    /// Some cost does not fit the numbers of the chart: a wider one knows.
    OutOfRange,
}

impl Rhumb {
    /// Finds a route; says what that has to be paid for it.
    pub(super) fn find(&self, task: Task, scratch: &mut Scratch, probe: &mut impl Probe) -> (End, u64) {
        let mut chart = self.chart.fitting(task.grid);
        loop {
            let found = with!(&chart.fronts, fronts => self.find_on(fronts, task, scratch, probe));
            if let Some(found) = found {
                return found;
            }
            let Some(wider) = chart.wider(task.grid) else { return search(task, scratch) };
            chart = wider;
        }
    }

    /// Finds a route on a chart; `None` where its numbers are too narrow.
    fn find_on<T: ChartCost>(
        &self,
        fronts: &Fronts<T>,
        task: Task,
        scratch: &mut Scratch,
        probe: &mut impl Probe,
    ) -> Option<(End, u64)> {
        let mut owed = 0;
        if probe.is_watching() {
            // A probe is told only of the search that comes to something.
            let found = self.look(fronts, task, scratch, &mut owed, &mut Unwatched);
            scratch.trail.clear();
            if matches!(found, Found::OutOfRange) {
                return None;
            }
            owed = 0;
        }
        let cost = match self.look(fronts, task, scratch, &mut owed, probe) {
            Found::OutOfRange => return None,
            Found::Cells => known_cost(fronts, task, &scratch.trail, None),
            Found::Meeting(meeting) => {
                probe.event(Event::Phase { phase: Phase::Refine });
                fronts.lay(task, meeting, T::vectors(&mut scratch.rhumb), &mut scratch.trail);
                known_cost(fronts, task, &scratch.trail, Some(meeting.cost.whole()))
            }
        };
        let Scratch { trail, rhumb, .. } = scratch;
        let cost = match self.smoothing {
            Some(smoothing) if cost.is_some() => Some(smooth(task.grid, smoothing, trail, &mut rhumb.spare)),
            _ => cost,
        };
        Some((cost.map_or(End::NotFound, End::Found), owed))
    }

    /// Everything up to the first step; adds up what was expanded.
    fn look<T: ChartCost>(
        &self,
        fronts: &Fronts<T>,
        task: Task,
        scratch: &mut Scratch,
        owed: &mut u64,
        probe: &mut impl Probe,
    ) -> Found<T> {
        let Scratch { trail, rhumb, .. } = scratch;
        if self.direct && walk_in_sight(task.grid, task.to, task.from, trail) {
            return Found::Cells;
        }
        probe.event(Event::Phase { phase: Phase::Search });
        let meeting = fronts.meet(task, T::vectors(rhumb), probe);
        *owed += T::vectors(rhumb).rows;
        if !fronts.fits() || T::vectors(rhumb).ends.iter().any(|end| end.too_far) {
            return Found::OutOfRange;
        }
        let by_ports = meeting.map_or(T::UNTOLD, |meeting| meeting.cost.cost());
        if fronts.search_near(task, by_ports, rhumb, trail, owed, probe) {
            return Found::Cells;
        }
        meeting.map_or(Found::OutOfRange, Found::Meeting)
    }

    /// Finds the legs of a route and lists them, the last one first; or all cells, where they are known at once.
    pub(super) fn find_legs(
        &self,
        task: Task,
        scratch: &mut Scratch,
        left: &mut u64,
        legs: &mut Vec<Leg>,
    ) -> Option<End> {
        let mut chart = self.chart.fitting(task.grid);
        loop {
            let mut owed = 0;
            let end = with!(&chart.fronts, fronts => self.find_legs_on(fronts, task, scratch, &mut owed, legs));
            let end = match end {
                Some(end) => end,
                None => match chart.wider(task.grid) {
                    Some(wider) => {
                        chart = wider;
                        continue;
                    }
                    None => search(task, scratch).0,
                },
            };
            *left = left.checked_sub(owed)?;
            return Some(end);
        }
    }

    fn find_legs_on<T: ChartCost>(
        &self,
        fronts: &Fronts<T>,
        task: Task,
        scratch: &mut Scratch,
        owed: &mut u64,
        legs: &mut Vec<Leg>,
    ) -> Option<End> {
        let cost = match self.look(fronts, task, scratch, owed, &mut Unwatched) {
            Found::OutOfRange => return None,
            Found::Cells => known_cost(fronts, task, &scratch.trail, None),
            Found::Meeting(meeting) => {
                fronts.list_legs(task, meeting, T::vectors(&mut scratch.rhumb), legs);
                fronts.world_cost(task.grid, meeting.cost.whole())
            }
        };
        Some(cost.map_or(End::NotFound, End::Found))
    }

    /// What it costs to many goals in the world's metric, [`NO_WAY`] where there is none.
    pub(super) fn sweep(
        &self,
        grid: &SquareGrid,
        from: Cell,
        goals: &[Cell],
        scratch: &mut Scratch,
        costs: &mut [u32],
    ) {
        let mut chart = self.chart.fitting(grid);
        costs.fill(NO_WAY);
        let mut asked: Vec<usize> = (0..goals.len()).filter(|&goal| grid.connected(from, goals[goal])).collect();
        let (mut ends, mut found) = (Vec::new(), Vec::new());
        loop {
            ends.clear();
            ends.extend(asked.iter().map(|&goal| goals[goal]));
            found.resize(ends.len(), NO_WAY);
            with!(&chart.fronts, fronts => {
                fronts.costs_to(grid, from, &ends, &mut scratch.rhumb, &mut found);
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

/// What a route costs in the world's metric. Where all ground weighs the same, the number of its steps and what the
/// chart has for it tell how many of them are diagonal.
fn known_cost<T: ChartCost>(fronts: &Fronts<T>, task: Task, trail: &[Cell], charted: Option<u64>) -> Option<u32> {
    let [straight, diagonal] = fronts.prices.map(u64::from);
    let (Some(charted), None, true) = (charted, task.grid.weights(), diagonal > straight) else {
        return walked(task, trail);
    };
    let steps = trail.len() as u64 - 1;
    let diagonals = (charted - steps * straight) / (diagonal - straight);
    let metric = task.grid.metric();
    let weight = u64::from(task.grid.least_weight());
    let cost = (steps - diagonals) * u64::from(metric.straight()) + diagonals * u64::from(metric.diagonal());
    u32::try_from(cost * weight).ok()
}

/// What is left where no chart can tell: a plain search.
#[cold]
fn search(task: Task, scratch: &mut Scratch) -> (End, u64) {
    let settings = a_star::ALGORITHM.settings::<&str, &str>(&[]).expect("the defaults are sound");
    let search = (a_star::ALGORITHM.build)(task.grid, &settings);
    let mut left = u64::MAX;
    search.begin(task, scratch);
    let end = search.step(task, scratch, &mut left, None).expect("an unlimited search ends");
    (end, u64::MAX - left)
}

impl<T: ChartCost> Fronts<T> {
    /// The cells of the way over a meeting, goal first.
    fn lay(&self, task: Task, meeting: Meeting<T>, vectors: &mut ClimbScratch<T>, trail: &mut Vec<Cell>) {
        let ClimbScratch { ends: [there, back], stretches, stack, .. } = vectors;
        trail.push(task.to);
        stretches.clear();
        self.trace(back, meeting.levels[1], meeting.place, meeting.values[1], stretches);
        for &Stretch { region, near, far } in stretches.iter().rev() {
            if near == Stretch::END {
                self.leaf(region).walk(far as usize, task.to, trail);
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
                self.leaf(stretch.region).walk(stretch.far as usize, task.from, trail);
                trail[first..].reverse();
                trail.push(task.from);
            } else {
                self.walk_back(stretch, stack, trail);
            }
        }
    }

    /// The legs of the way over a meeting, the last one first.
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

    fn leaf(&self, region: u32) -> &Leaf<T> {
        &self.leaves[self.regions.of(region).number as usize]
    }
}
