//! Field D*: D* Lite over the corners of cells, with interpolated costs, for routes at any angle on weighted ground.
//!
//! **Idea.** A field of costs to the goal is kept at the corners of cells. A route need not lead from corner to corner: the
//! cost of any point on the side of a cell is interpolated between the two ends of the side, and the cost of a corner is the
//! least sum of a straight line through a cell and the cost of the point where the line ends ([`corners`]). The field is
//! searched from the goal and corrected after edits as in D* Lite. The route is found by following the field
//! ([`trace`]).
//! **Use** it for an agent that walks in a world that changes and has weights, and whose routes shall lead at any angle.
//! **Promises** a route where there is one. A field that was corrected equals one searched from nothing, and so do the
//! routes. On game maps they are about 0.2 % longer than the shortest on average; no bound is known, since interpolated
//! costs may be too low or too high.
//! **Costs** at most two expansions of each corner for a search, O(log n) each; after an edit, only of corners whose costs have
//! changed and which might lie on the route. 12 bytes for each corner in pages of 64 that were looked at. If the goal moves,
//! it searches from nothing.
//! **Departs** from its paper in the route: here routes turn in the middle of cells. So what comes of following the field is
//! a list of cells, along which a string is pulled, and each turn moves to a better cell beside it while there is one
//! ([`lines`]). Costs are whole numbers, a cell of weight 1 being [`corners::UNIT`] wide, which makes them the same in
//! whatever order they are computed. Corners are expanded also where their keys equal that of the agent, so that the field around
//! the route does not depend on what was searched before.
//!
//! Ferguson, Stentz: Using interpolation to improve path planning: the Field D* algorithm, 2006.

mod corners;
mod lines;
mod trace;

use super::shared::changes::Changes;
use super::shared::living::INFINITE;
use super::shared::pages::Pages;
use super::shared::queue::{Key, Queue};
use super::shared::record::Record;
use crate::algorithm::{Algorithm, Promise};
use crate::id::{Cell, NodeId};
use crate::method::{End, LivingSearch, Method, Task};
use crate::probe::{Event, Probe, Watcher, with_probe};
use crate::scratch::{AlgorithmState, Scratch};
use crate::space::{Edit, Motion};
use corners::{Corner, Corners, Triangle, UNIT};
use lines::draw_lines;
use trace::Trace;

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "field-d-star",
    title: "Field D*",
    summary: "D* Lite with interpolated costs: routes at any angle over weighted ground; for agents that walk",
    paper: "Ferguson, Stentz 2006",
    motion: Motion::AnyAngle,
    promise: |_, _| Promise::Complete,
    ..Algorithm::flat(|_, _| Box::new(FieldDStar))
};

#[derive(Clone)]
struct FieldDStar;

impl Method for FieldDStar {
    fn begin(&self, _: Task, scratch: &mut Scratch) {
        scratch.states.own::<Field>().restart();
    }

    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Watcher) -> Option<End> {
        scratch.with_own(|scratch, field: &mut Field| field.step(task, scratch, left, probe))
    }

    fn replanner(&self) -> Option<Box<dyn LivingSearch>> {
        Some(Box::new(Field::default()))
    }
}

/// A field of costs to the goal, which one agent keeps while it walks and the world changes.
#[derive(Clone, Default)]
struct Field {
    records: Pages<Record>,
    open: Queue,
    /// As in D* Lite: what is added to the first number of every new key, because the agent has moved.
    key_modifier: u64,
    /// `None` before the first step and when the search has to begin from nothing.
    ends: Option<Ends>,
    changes: Changes,
}

#[derive(Copy, Clone)]
struct Ends {
    root: Cell,
    target: Cell,
    /// The least weight of the world when the keys were computed: estimates are multiplied by it.
    least_weight: u8,
}

impl AlgorithmState for Field {
    fn bytes(&self) -> usize {
        self.records.bytes() + self.open.bytes() + self.changes.bytes()
    }
}

impl LivingSearch for Field {
    fn edited(&mut self, task: Task, edits: &[Edit]) {
        let corners = Corners::new(task.grid, task.to, task.from);
        let rows = edits.iter().flat_map(|edit| {
            let (left, top, right) = (edit.area.x, edit.area.y, edit.area.x + edit.area.width);
            let number = |x, y| corners.node(Corner { x, y }).0;
            (top..=top + edit.area.height).map(move |y| number(left, y)..number(right, y) + 1)
        });
        if self.ends.is_some() && !self.changes.note(rows, self.records.len()) {
            self.restart();
        }
    }

    fn step(&mut self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Watcher) -> Option<End> {
        let corners = Corners::new(task.grid, task.to, task.from);
        let is_done = with_probe!(probe, |watcher| {
            self.prepare(&corners, watcher);
            self.run(&corners, left, watcher)
        });
        if !is_done {
            return None;
        }
        let most = self.cost_of_target(&corners);
        if most == INFINITE {
            return Some(End::NotFound);
        }
        let cost = |corner: Corner| {
            let record = self.records.get(corners.node(corner));
            let is_final = u64::from(record.g) + corners.estimate(corner) <= u64::from(most);
            if is_final && record.g == record.rhs { record.g } else { INFINITE }
        };
        Trace { corners: &corners, cost, cells: &mut scratch.trail }.run();
        scratch.trail.reverse();
        Some(draw_lines(task.grid, &mut scratch.trail).map_or(End::NotFound, End::Found))
    }

    fn bytes(&self) -> usize {
        AlgorithmState::bytes(self)
    }
}

impl Field {
    /// Has the next step begin from nothing. The memory is kept.
    fn restart(&mut self) {
        self.ends = None;
        self.changes.clear();
    }

    /// Brings the search up to date with the ends of the route and with the edits.
    fn prepare(&mut self, corners: &Corners, probe: &mut impl Probe) {
        let &Corners { grid, root, target, .. } = corners;
        let ends = Ends { root, target, least_weight: grid.least_weight() };
        match self.ends.replace(ends).filter(|old| old.root == root) {
            Some(old) if old.least_weight != ends.least_weight => {
                let key_modifier = self.key_modifier;
                let estimate = |node: NodeId| corners.estimate(corners.corner(node));
                let key = |node: NodeId, record: Record| record.key(estimate(node), key_modifier);
                self.open.put_all(&mut self.records, key, &mut Shown { corners, probe });
            }
            Some(old) => self.key_modifier += corners.moved(old.target),
            None => {
                self.records.reset(grid.node_count());
                self.open.clear();
                self.changes.clear();
                self.key_modifier = 0;
                for corner in Corner::all_of(root) {
                    self.compute(corners, corner, probe);
                }
            }
        }
        let mut changes = std::mem::take(&mut self.changes);
        for node in changes.nodes() {
            self.compute(corners, corners.corner(node), probe);
        }
        changes.clear();
        self.changes = changes;
    }

    /// Expands up to `left` corners and counts `left` down. Returns whether the field around the route is final.
    fn run(&mut self, corners: &Corners, left: &mut u64, probe: &mut impl Probe) -> bool {
        let mut aim = self.cost_of_target(corners);
        loop {
            let end = Key::of(0, true, u64::from(aim) + self.key_modifier + 1);
            let shown = &mut Shown { corners, probe };
            let Some((key, node)) = self.open.first_below(end, &self.records, shown) else {
                if aim != INFINITE {
                    probe.event(Event::Goal { cost: in_metric(corners, aim) });
                }
                return true;
            };
            let record = self.records.get(node);
            let corner = corners.corner(node);
            if record.g == record.rhs {
                self.open.remove_first(&mut self.records, shown);
                continue;
            }
            let now = record.key(corners.estimate(corner), self.key_modifier);
            if key < now {
                self.open.remove_first(&mut self.records, shown);
                self.open.put(now, node, &mut self.records, shown);
                continue;
            }
            if *left == 0 {
                return false;
            }
            *left -= 1;
            self.open.remove_first(&mut self.records, shown);
            shown.event(Event::Expand { node, g: record.rhs.min(record.g) });
            if record.g > record.rhs {
                self.lower(corners, corner, record.rhs, probe);
            } else {
                self.raise(corners, corner, record.g, probe);
            }
            if corners.estimate(corner) == 0 {
                aim = self.cost_of_target(corners);
            }
        }
    }

    fn cost_of_target(&self, corners: &Corners) -> u32 {
        corners.cost_of_target(|node| self.records.get(node).g)
    }

    /// Computes `rhs` of a corner from the corners around it.
    fn compute(&mut self, corners: &Corners, corner: Corner, probe: &mut impl Probe) {
        probe.event(Event::Generate { node: corners.shown(corner) });
        let least = corners.least(corner, 0..8, |node| self.records.get(node).g);
        let (node, rhs) = (corners.node(corner), least.min(corners.to_root(corner).unwrap_or(INFINITE)));
        if self.records.get(node).rhs != rhs {
            self.records.slot(node).rhs = rhs;
            self.update(corners, corner, probe);
        }
    }

    /// Puts the corner into the queue if its two costs differ, unless it is there with a key that is no greater. As in D* Lite,
    /// one whose costs have become equal stays there until it is its turn.
    fn update(&mut self, corners: &Corners, corner: Corner, probe: &mut impl Probe) {
        let node = corners.node(corner);
        let record = self.records.get(node);
        if record.g == record.rhs {
            return;
        }
        if record.is_queued_early() {
            return;
        }
        let key = record.key(corners.estimate(corner), self.key_modifier);
        self.open.put(key, node, &mut self.records, &mut Shown { corners, probe });
    }

    /// Gives a corner the cost `g`, which is less than it had, and lowers `rhs` of the corners around it.
    fn lower(&mut self, corners: &Corners, corner: Corner, g: u32, probe: &mut impl Probe) {
        self.records.slot(corners.node(corner)).g = g;
        for_each_beside(corners, corner, |beside, back| {
            probe.event(Event::Generate { node: corners.shown(beside) });
            let rhs = corners.least(beside, Triangle::reaching(back), |node| self.records.get(node).g);
            let node = corners.node(beside);
            if self.records.get(node).rhs > rhs {
                self.records.slot(node).rhs = rhs;
                self.update(corners, beside, probe);
            }
        });
    }

    /// Takes the cost of a corner back, which was `old`, and looks for another way for the corners around it.
    fn raise(&mut self, corners: &Corners, corner: Corner, old: u32, probe: &mut impl Probe) {
        self.records.slot(corners.node(corner)).g = INFINITE;
        self.update(corners, corner, probe);
        for_each_beside(corners, corner, |beside, _| {
            let rhs = self.records.get(corners.node(beside)).rhs;
            if rhs > old && rhs != INFINITE {
                self.compute(corners, beside, probe);
            }
        });
    }
}

/// Calls `visit` for every corner that a line through one cell leads to from this one, with the direction back to this one.
#[inline(always)]
fn for_each_beside(corners: &Corners, corner: Corner, mut visit: impl FnMut(Corner, usize)) {
    let prices = corners.prices(corner);
    for direction in 0..8 {
        if Triangle::reaching(direction).iter().any(|&number| prices[Triangle::new(number).quadrant] > 0) {
            visit(corner.beside(direction), (direction + 4) % 8);
        }
    }
}

/// Tells a probe what happens to corners: as events of cells, with costs in the world's metric.
struct Shown<'a, P> {
    corners: &'a Corners<'a>,
    probe: &'a mut P,
}

impl<P: Probe> Probe for Shown<'_, P> {
    #[inline(always)]
    fn event(&mut self, event: Event) {
        if !self.probe.is_watching() {
            return;
        }
        let corners = self.corners;
        let cell = |node: NodeId| corners.shown(corners.corner(node));
        self.probe.event(match event {
            Event::Push { node, g, key } => {
                let key = key * u64::from(corners.grid.metric().straight()) / u64::from(UNIT);
                Event::Push { node: cell(node), g: in_metric(corners, g), key }
            }
            Event::Pop { node } => Event::Pop { node: cell(node) },
            Event::Expand { node, g } => Event::Expand { node: cell(node), g: in_metric(corners, g) },
            other => other,
        });
    }
}

/// Returns a cost in the world's metric, for events.
fn in_metric(corners: &Corners, cost: u32) -> u32 {
    (u64::from(cost) * u64::from(corners.grid.metric().straight()) / u64::from(UNIT)).min(u64::from(u32::MAX)) as u32
}
