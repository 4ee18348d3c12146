//! The search of one layer: A* over its nodes, inside the corridor around the route of the layer above.
//!
//! Not here: which layers are searched, and what becomes of their routes (`descent`).

use super::PraStar;
use super::descent::{PraScratch, Stage};
use super::layers::{Body, Layers};
use super::ruler::Ruler;
use crate::id::NodeId;
use crate::method::Task;
use crate::open_list::BucketList;
use crate::probe::{Event, Probe};
use crate::scratch::{Scratch, Stamp};
use crate::space::square::SquareGrid;

/// A sentinel for "no node", which stands before the first node of a route.
pub(super) const NO_NODE: u32 = u32::MAX;

/// What a search has found out about a node of its layer. There may be half a million of these records and few of them
/// are read twice, so that a search is faster the fewer bytes a record has.
#[derive(Copy, Clone, Default)]
pub(super) struct Step {
    pub(super) g: u32,
    pub(super) before: u32,
    /// The stamp of the search that wrote this record, and below it one bit that is set if the node is closed.
    meta: u32,
}

impl Step {
    fn open(g: u32, before: u32, stamp: u32) -> Step {
        Step { g, before, meta: stamp << 1 }
    }

    fn is_closed(self) -> bool {
        self.meta & 1 == 1
    }
}

impl Stamp for Step {
    #[inline(always)]
    fn stamp(&self) -> u32 {
        self.meta >> 1
    }
}

/// What the search of a layer reads besides the records of its nodes.
struct LayerSearch<'a> {
    layers: &'a Layers,
    grid: &'a SquareGrid,
    layer: usize,
    ruler: Ruler,
    /// The goal's node.
    end: Body,
    /// Whether the search stays in the corridor that the layer above has marked.
    has_corridor: bool,
    is_uniform: bool,
    stamp: u32,
}

/// A node that is being expanded.
struct Expanded {
    node: u32,
    g: u32,
    body: Body,
    /// The cost and the body of the node before it, where the world has one weight.
    before: Option<(u32, Body)>,
}

impl PraStar {
    /// Begins the search of the layer `layer` of the scratch.
    pub(super) fn begin_layer(&self, task: Task, scratch: &mut Scratch, pra: &mut PraScratch, probe: &mut impl Probe) {
        let list = &mut scratch.list;
        let layer = pra.layer;
        pra.stage = Stage::Layer;
        pra.steps.reset(self.layers.nodes(layer), u32::MAX >> 1);
        let (start, ruler) = (pra.starts[layer - 1], Ruler::new(task.grid));
        let stamp = pra.steps.stamp();
        *pra.steps.slot(self.layers.index(layer, start)) = Step::open(0, NO_NODE, stamp);
        let body = |node| self.layers.body(task.grid, layer, node);
        let key = ruler.estimate(body(start), body(pra.goals[layer - 1]));
        let grain = task.grid.metric().straight() * u32::from(task.grid.least_weight());
        list.reset(0, grain);
        list.push(key, start);
        if probe.is_watching() {
            let node = task.grid.node(self.layers.first_cell(layer, start));
            probe.event(Event::Push { node, g: 0, key });
        }
    }

    /// Searches a layer for the goal's node. Returns whether the search has ended; `false` means that the budget is
    /// spent.
    pub(super) fn search_layer(
        &self,
        task: Task,
        scratch: &mut Scratch,
        pra: &mut PraScratch,
        left: &mut u64,
        probe: &mut impl Probe,
    ) -> bool {
        let list = &mut scratch.list;
        let layer = pra.layer;
        let goal = pra.goals[layer - 1];
        let body = |node| self.layers.body(task.grid, layer, node);
        let search = LayerSearch {
            layers: &self.layers,
            grid: task.grid,
            layer,
            ruler: Ruler::new(task.grid),
            end: body(goal),
            has_corridor: !pra.route.is_empty(),
            is_uniform: task.grid.uniform_weight().is_some(),
            stamp: pra.steps.stamp(),
        };
        while *left > 0 {
            let Some(node) = list.pop() else { return true };
            search.tell(node, probe, |node| Event::Pop { node });
            let step = pra.steps.slot(self.layers.index(layer, node));
            if step.is_closed() {
                continue;
            }
            step.meta |= 1;
            let Step { g, before, .. } = *step;
            if node == goal {
                return true;
            }
            *left -= 1;
            search.tell(node, probe, |node| Event::Expand { node, g });
            let here = body(node);
            let before = (search.is_uniform && before != NO_NODE)
                .then(|| (pra.steps.slot(self.layers.index(layer, before)).g, body(before)));
            let expanded = Expanded { node, g, body: here, before };
            self.layers.for_each_neighbour(layer, node, |next| search.reach(&expanded, next, pra, list, probe));
        }
        false
    }
}

impl LayerSearch<'_> {
    /// Opens a neighbour of the node that is being expanded, if it is in the corridor and becomes cheaper.
    #[inline(always)]
    fn reach(
        &self,
        from: &Expanded,
        next: u32,
        PraScratch { steps, marks, guide, .. }: &mut PraScratch,
        list: &mut BucketList,
        probe: &mut impl Probe,
    ) {
        self.tell(next, probe, |node| Event::Generate { node });
        let step = steps.slot(self.layers.index(self.layer, next));
        let is_known = step.stamp() == self.stamp;
        if is_known && step.g <= from.g {
            // No step has a negative cost, so that this one cannot make `next` cheaper.
            return;
        }
        let mut place = None;
        if self.has_corridor {
            let above = self.layers.parent(self.layer, next);
            let mark = above.and_then(|above| marks.get(self.layers.index(self.layer + 1, above)));
            let Some(mark) = mark else { return };
            place = Some(mark.place);
        }
        let there = self.layers.body(self.grid, self.layer, next);
        let Ok(g) = u32::try_from(self.cost(from, there)) else { return };
        if is_known && step.g <= g {
            return;
        }
        if is_known {
            let is_closed = step.is_closed();
            let event = |node| if is_closed { Event::Reopen { node } } else { Event::Decrease { node } };
            self.tell(next, probe, event);
        }
        *step = Step::open(g, from.node, self.stamp);
        let rest = match place {
            Some(place) if self.is_uniform => guide.estimate(&self.ruler, there, place),
            _ => self.ruler.estimate(there, self.end),
        };
        let key = u64::from(g) + rest;
        list.push(key, next);
        self.tell(next, probe, |node| Event::Push { node, g, key });
    }

    /// Returns the cost from the start to a neighbour of the node that is being expanded.
    #[inline(always)]
    fn cost(&self, from: &Expanded, to: Body) -> u64 {
        let through = u64::from(from.g) + self.ruler.step(from.body, to);
        match from.before {
            // A route that passes a node need not cross its middle. So the cost is the mean of two: through the middle
            // of the node, and straight from the node before it to the next.
            Some((g, before)) => {
                let past = u64::from(g) + self.ruler.step(before, to);
                through.midpoint(past).max(u64::from(from.g))
            }
            None => through,
        }
    }

    /// Sends an event to the probe if it is watching. The node is reported as its first cell.
    #[inline(always)]
    fn tell(&self, node: u32, probe: &mut impl Probe, event: impl Fn(NodeId) -> Event) {
        if probe.is_watching() {
            probe.event(event(self.grid.node(self.layers.first_cell(self.layer, node))));
        }
    }
}
