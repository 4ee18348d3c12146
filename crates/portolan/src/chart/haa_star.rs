//! HAA*: plans over one annotated chart for agents of all sizes and kinds.
//!
//! **Idea.** The world is cut into clusters as in HPA*. Ports, steps over borders and costs between ports are annotated with
//! the classes of agents that they are for: a class is all agents that see the world alike, as those of one
//! [`crate::Profile`] do. What classes have in common, which is most of it, is kept once. A query reads what is annotated
//! with its class and is otherwise one of HPA*.
//! **Use** it where agents of several sizes, or with several kinds of ground, walk in one large world that changes:
//! [`crate::Planner::for_view`] makes a planner of each view from any other, all with one chart. For a single class, `hpa-star`
//! is faster: it has levels and remembers legs.
//! **Promises** a route wherever there is one, for every class: a class has a transition in each entrance of its own view. Its
//! cost before smoothing is that of the best route through the transitions of its class.
//! **Costs** one Dijkstra per port and class to build. On published maps a further class adds some tenths of the memory of the
//! first, and three take less than half of what one chart of HPA* does (`portolan study haa-2008`). A query costs what one
//! of HPA* on one level costs.
//! **Departs** from its paper in these points. The paper annotates an edge with the clearance and the kinds of ground that it
//! needs, and drops one that another dominates; which agents an edge is for says this as well for all agents that there are,
//! in two bytes, and for any body, any weights and any layer. So a class is annotated when its first planner is made, not
//! beforehand. Transitions lie where classes are likely to share them: at the place of an entrance, or near each of its ends,
//! that the greatest power of two divides. Start and goal are connected in the searcher's own memory.
//!
//! A planner follows the edits of its own view, so each class is brought up to date by its own planner, cluster by cluster,
//! while the others answer at the revision that they know. An edit of ground concerns a class in the clusters where its body
//! would touch that ground, since only there its view changes.
//!
//! Harabor, Botea: Hierarchical path planning for multi-size agents in heterogeneous environments, 2008.

mod annotated;
mod class_search;
mod classes;
mod outline;
mod table;
#[cfg(test)]
mod tests;

use super::hpa_star::{
    Best, BuildScratch, Connection, Distance, Heading, NO_PORT, SPREAD, grain, straight_walk, walk_or_search,
};
use super::shared::layout::Layout;
use super::shared::settings::{DIRECT, SMOOTHING, smoothing};
use crate::algorithm::{Algorithm, Promise};
use crate::id::Cell;
use crate::memory::held;
use crate::method::{End, Leg, Legs, Method, Repair, ShareError, Task};
use crate::open_list::BucketRing;
use crate::outline::{Census, Outline};
use crate::probe::{Event, Phase, Probe, Unwatched, with_probe};
use crate::route::smooth::{Smoothing, smooth};
use crate::scratch::{AlgorithmState, Scratch};
use crate::settings::{Param, Settings};
use crate::space::square::SquareGrid;
use crate::space::{Area, Edit, Extras, Motion};
use annotated::Annotated;
use class_search::{ClassQuery, ClassSearch};
use classes::{Class, MOST, Shared};
use std::sync::Arc;
use table::Table;

const CLUSTER: Param = Param::count("cluster", "cells along a cluster's side", 20, 1, 64);

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "haa-star",
    title: "HAA*",
    summary: "plans over one chart for agents of all sizes and kinds, which says what each of them can use; repaired after edits",
    paper: "Harabor, Botea 2008",
    params: &[CLUSTER, DIRECT, SMOOTHING.with_default("taut")],
    bytes_per_cell: 64,
    table_bytes: |_, _| 0,
    motion: Motion::Steps,
    extras: Extras::Walls,
    suits: |_| Ok(()),
    promise: |_, _| Promise::Complete,
    known_bytes: |_, _| 0,
    build: |grid, settings| Box::new(HaaStar::new(grid, settings)),
    open: None,
};

/// What one class of agents has of a chart that several share, and the settings of its queries.
#[derive(Clone)]
pub(crate) struct HaaStar {
    shared: Arc<Shared>,
    class: Arc<Class>,
    /// Whether a goal in plain sight is walked to without a search of the chart.
    direct: bool,
    smoothing: Option<Smoothing>,
    /// Working memory of repairs, kept from one repair to the next.
    room: BuildScratch,
}

/// Working memory of a search.
#[derive(Default)]
struct HaaScratch {
    search: ClassSearch,
    start: Connection,
    goal: Connection,
    /// Legs not yet turned into cells, in walking order. They are taken from the end, since a trail begins at the goal.
    legs: Vec<Leg>,
    room: BuildScratch,
    spare: Vec<Cell>,
    stage: Stage,
    best: Best,
}

impl AlgorithmState for HaaScratch {
    fn bytes(&self) -> usize {
        self.search.bytes()
            + self.start.bytes()
            + self.goal.bytes()
            + held(&self.legs)
            + self.room.bytes()
            + held(&self.spare)
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
enum Stage {
    #[default]
    Connect,
    Search,
    Refine,
}

impl HaaStar {
    fn new(grid: &SquareGrid, settings: &Settings) -> HaaStar {
        let size = settings.count(CLUSTER.name) as u32;
        let shared = Arc::new(Shared::new(Layout::new(grid.width(), grid.height(), size, 2, 1)));
        let mut room = BuildScratch::default();
        let class = annotate(&shared, grid, &mut room).expect("a new chart has room");
        HaaStar { shared, class, direct: settings.choice(DIRECT.name) == "yes", smoothing: smoothing(settings), room }
    }

    /// Returns a method with these settings for another world of this size, on this chart if it has room for another class.
    fn on_this_chart(&self, grid: &SquareGrid) -> Option<HaaStar> {
        let mut room = BuildScratch::default();
        let class = annotate(&self.shared, grid, &mut room)?;
        Some(HaaStar { class, shared: Arc::clone(&self.shared), room, ..*self })
    }

    /// Returns a method with these settings on a chart of its own, cut into the clusters of this one.
    fn on_its_own(&self, grid: &SquareGrid) -> HaaStar {
        let shared = Arc::new(Shared::new(self.shared.layout.clone()));
        let mut room = BuildScratch::default();
        let class = annotate(&shared, grid, &mut room).expect("a new chart has room");
        HaaStar { shared, class, room, ..*self }
    }

    /// Returns the clusters that edits have changed for this class.
    fn changed(&self, grid: &SquareGrid, edits: &[Edit]) -> Vec<u32> {
        let (layout, class) = (&self.shared.layout, self.class.bit);
        let size = (grid.width(), grid.height());
        let (mut changed, border) = layout.touched_by(edits.iter().map(|edit| edit.cells(size)));
        let chart = self.shared.read();
        for cluster in border {
            let Err(at) = changed.binary_search(&cluster) else { continue };
            // No cell of it has changed, but its border may have.
            let is = Table::borders(grid, layout, cluster);
            let exits = chart.exits_of(cluster, class);
            let was = exits
                .map(|exit| (chart.port(chart.number(cluster, exit.from)).cell, chart.port(exit.to).cell, exit.step));
            if !was.eq(is.crossings.iter().map(|step| (is.ports[usize::from(step.port)], step.to, step.step))) {
                changed.insert(at, cluster);
            }
        }
        changed
    }
}

/// Makes a class of the agents that see this world. Returns `None` if the chart has no room for another.
fn annotate(shared: &Shared, grid: &SquareGrid, room: &mut BuildScratch) -> Option<Arc<Class>> {
    let layout = &shared.layout;
    let clusters = 0..layout.tier(0).count() as u32;
    let tables: Vec<Table> = clusters.map(|cluster| Table::of(grid, layout, cluster, room)).collect();
    shared.add(grid.revision(), &tables)
}

impl Method for HaaStar {
    fn begin(&self, _: Task, scratch: &mut Scratch) {
        scratch.is_new = true;
    }

    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Option<&mut dyn Probe>) -> Option<End> {
        with_probe!(probe, |watcher| self.advance(task, scratch, left, watcher))
    }

    fn repair(&mut self, grid: &SquareGrid, edits: &[Edit]) -> Repair {
        let changed = self.changed(grid, edits);
        let layout = &self.shared.layout;
        let repair = Repair::of(changed.len(), changed.iter().map(|&cluster| layout.bounds(0, cluster)));
        let revision = grid.revision();
        if let Some(class) = self.shared.class_at(revision) {
            self.class = class; // another planner of this view has been repaired before
            return repair;
        }
        let room = &mut self.room;
        let tables: Vec<Table> = changed.into_iter().map(|cluster| Table::of(grid, layout, cluster, room)).collect();
        match self.shared.follow(&self.class, revision, &tables) {
            Some(class) => self.class = class,
            None => *self = self.on_its_own(grid),
        }
        repair
    }

    fn anew(&self, grid: &SquareGrid) -> Option<Box<dyn Method>> {
        Some(Box::new(self.on_this_chart(grid).unwrap_or_else(|| self.on_its_own(grid))))
    }

    fn share(&self, grid: &SquareGrid) -> Result<Box<dyn Method>, ShareError> {
        let (ours, theirs) = (self.shared.layout.size(), (grid.width(), grid.height()));
        if ours != theirs {
            return Err(ShareError::Size { ours, theirs });
        }
        if let Some(class) = self.shared.class_at(grid.revision()) {
            return Ok(Box::new(HaaStar { class, ..self.clone() }));
        }
        let method = self.on_this_chart(grid).ok_or(ShareError::Full { most: MOST })?;
        Ok(Box::new(method))
    }

    fn legs(&self) -> Option<&dyn Legs> {
        Some(self)
    }

    fn census(&self, _: &SquareGrid) -> Vec<Census> {
        vec![self.shared.read().census(&self.shared.layout, self.class.bit)]
    }

    fn outline(&self, _: &SquareGrid) -> Option<Outline> {
        Some(self.shared.read().outline(&self.shared.layout, self.class.bit))
    }

    /// Returns the bytes of the whole chart, which others may share.
    fn bytes(&self) -> usize {
        self.shared.read().bytes() + self.room.bytes()
    }
}

impl Legs for HaaStar {
    fn survey(&self, task: Task, scratch: &mut Scratch, left: &mut u64, legs: &mut Vec<Leg>) -> Option<End> {
        let Scratch { ring: open, is_new, states, trail, .. } = scratch;
        let is_new = std::mem::take(is_new);
        if is_new && let Some(end) = self.walk_directly(task, trail) {
            return Some(end);
        }
        let own: &mut HaaScratch = states.own();
        if is_new {
            own.stage = Stage::Connect;
        }
        let end = self.find_legs(task, own, open, left, &mut Unwatched)?;
        legs.extend(own.legs.drain(..).rev());
        Some(end)
    }

    fn refine(&self, grid: &SquareGrid, legs: &mut Vec<Leg>, scratch: &mut Scratch, cells: &mut Vec<Cell>) {
        let Scratch { states, trail, .. } = scratch;
        let own: &mut HaaScratch = states.own();
        if let Some(leg) = legs.pop() {
            trail.clear();
            self.cross(grid, leg, &mut own.room, trail, &mut Unwatched);
            cells.extend(trail.iter().rev());
        }
    }

    fn bounds(&self, leg: Leg) -> Area {
        self.shared.layout.bounds_of(0, leg.from)
    }
}

impl HaaStar {
    fn advance(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: &mut impl Probe) -> Option<End> {
        let Scratch { ring: open, is_new, states, trail, .. } = scratch;
        let is_new = std::mem::take(is_new);
        if is_new && let Some(end) = self.walk_directly(task, trail) {
            return Some(end);
        }
        let own: &mut HaaScratch = states.own();
        if is_new {
            own.stage = Stage::Connect;
        }
        if own.stage != Stage::Refine && self.find_legs(task, own, open, left, probe)? == End::NotFound {
            return Some(End::NotFound);
        }
        while let Some(leg) = own.legs.pop() {
            let expanded = self.cross(task.grid, leg, &mut own.room, trail, probe);
            *left = left.saturating_sub(expanded);
            if *left == 0 && !own.legs.is_empty() {
                return None;
            }
        }
        let cost = match self.smoothing {
            Some(smoothing) => smooth(task.grid, smoothing, trail, &mut own.spare),
            None => own.best.cost as u32,
        };
        Some(End::Found(cost))
    }

    /// Where the goal is in plain sight, puts the cells of the route in `trail` and returns the end of the query.
    fn walk_directly(&self, task: Task, trail: &mut Vec<Cell>) -> Option<End> {
        if self.direct { straight_walk(task, trail) } else { None }
    }

    /// Finds the legs of the best route and puts them in `own.legs`. Returns `None` if `left` ran out before the search
    /// ended.
    fn find_legs(
        &self,
        task: Task,
        own: &mut HaaScratch,
        open: &mut BucketRing,
        left: &mut u64,
        probe: &mut impl Probe,
    ) -> Option<End> {
        let chart = &*self.shared.read();
        if own.stage == Stage::Connect {
            probe.event(Event::Phase { phase: Phase::Connect });
            self.connect(task, chart, own, left, probe);
            probe.event(Event::Phase { phase: Phase::Search });
        }
        let HaaScratch { search, start, goal, best, legs, .. } = own;
        let query = ClassQuery {
            chart,
            layout: &self.shared.layout,
            class: self.class.bit,
            grid: task.grid,
            distance: Distance::new(task.grid, task.to),
            goal,
        };
        if own.stage == Stage::Connect {
            let spread = SPREAD * u64::from(task.grid.metric().straight());
            open.reset(query.distance.from(task.from), spread, grain(task.grid));
            search.reset(chart);
            search.set_out(&query, start, best.cost, open, probe);
            own.stage = Stage::Search;
        }
        if !search.run(&query, open, best, left, probe) {
            return None;
        }
        if best.cost > u64::from(u32::MAX) {
            return Some(End::NotFound);
        }
        lay_legs(task, &query, search, start, best, legs);
        own.stage = Stage::Refine;
        probe.event(Event::Phase { phase: Phase::Refine });
        Some(u32::try_from(best.cost).map_or(End::NotFound, End::Found))
    }

    /// Connects start and goal to the ports of their clusters. If one cluster holds both, the route inside it is the best so
    /// far.
    fn connect(&self, task: Task, chart: &Annotated, own: &mut HaaScratch, left: &mut u64, probe: &mut impl Probe) {
        let HaaScratch { start, goal, room, best, .. } = own;
        for (cell, heading, joint) in
            [(task.from, Heading::ToPort, &mut *start), (task.to, Heading::FromPort, &mut *goal)]
        {
            if joint.turn_to(self.class.serial, &self.shared.layout, cell, probe) {
                let ports = chart.ports_of(joint.cluster, self.class.bit).map(|port| port.cell);
                joint.reach(task.grid, (cell, heading), ports, room, probe);
            }
            *left = left.saturating_sub(joint.expanded);
        }
        *best = Best::default();
        if start.cluster == goal.cluster {
            best.join(task, start.bounds, room, left, probe);
        }
    }

    /// Appends a leg's cells to a trail, the last cell first. Returns how many cells were expanded.
    fn cross(
        &self,
        grid: &SquareGrid,
        leg: Leg,
        room: &mut BuildScratch,
        trail: &mut Vec<Cell>,
        probe: &mut impl Probe,
    ) -> u64 {
        if leg.from == leg.to {
            trail.push(leg.from);
            return 0;
        }
        walk_or_search(grid, leg, self.bounds(leg), room, trail, probe)
    }
}

/// Reads the legs of the best route from the records of the search, and sums up its cost.
fn lay_legs(
    task: Task,
    query: &ClassQuery,
    search: &ClassSearch,
    start: &Connection,
    best: &mut Best,
    legs: &mut Vec<Leg>,
) {
    legs.clear();
    let (mut to, mut number) = (task.to, best.last);
    if number != NO_PORT {
        let rank = query.chart.own_rank(query.goal.cluster, query.chart.port(number).rank, query.class);
        best.cost = u64::from(query.goal.cost_by_rank[rank]);
    }
    // The route is read from the goal back: it entered a cluster by the port `number` and left it at `to`.
    while number != NO_PORT {
        legs.push(Leg { from: query.chart.port(number).cell, to, level: 0, region: 0 });
        let hop = search.hop(query, start, number);
        best.cost += u64::from(hop.price);
        (to, number) = (hop.leave, hop.port);
    }
    legs.push(Leg { from: task.from, to, level: 0, region: 0 });
    legs.reverse();
}
