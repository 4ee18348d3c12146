//! A query. It finds a route on a layer far up, then on each layer below inside the corridor around the route above,
//! down to cells. With a limit, each layer keeps only the first few nodes of its route: the result is a piece of the
//! whole route, and the next piece begins where it ends.
//!
//! Not here: the search of one layer (`layer_search`), the corridor (`corridor`), the estimate inside it (`guide`) and walking by sight (`sight`).

use super::PraStar;
use super::corridor::Mark;
use super::guide::Guide;
use super::layer_search::{NO_NODE, Step};
use super::sight::{LAST_LAYER, SightWalk};
use crate::id::Cell;
use crate::memory::held;
use crate::method::{End, Task};
use crate::probe::{Event, Phase, Probe};
use crate::scratch::{AlgorithmState, Scratch, Stamped, TOO_FAR};
use crate::search::a_star;
use crate::space::square::SquareGrid;

/// What a query does next.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(super) enum Stage {
    /// The query begins a piece of the route.
    #[default]
    Begin,
    /// The query searches a layer.
    Layer,
    /// The query searches cells inside the corridor.
    Corridor,
    /// The query searches cells without a corridor: because the goal is close, or because the layers led to costs that
    /// are too high.
    Anywhere,
    /// The query walks by sight. That is not counted as expansions, since it takes little longer than writing the cells
    /// down.
    Sight,
    /// The query searches the corridor for the cells to the next node of the route, which is not in sight.
    Leg,
}

/// The memory of a query, besides that which any flat search uses.
#[derive(Default)]
pub(super) struct PraScratch {
    pub(super) stage: Stage,
    /// The layer that is being searched, or the last one that was.
    pub(super) layer: usize,
    /// Where the current piece begins.
    pub(super) from: Cell,
    /// Where the current piece ends.
    pub(super) to: Cell,
    /// The node of the piece's start on every layer, from layer 1 to the one where start and goal are in one node.
    pub(super) starts: Vec<u32>,
    /// The node to search for on each of these layers: the goal's or, below a route that was cut off, where that ends.
    pub(super) goals: Vec<u32>,
    /// Whether a route was cut off, so that the piece ends before the goal.
    is_cut: bool,
    /// The cost of the route to the goal on the layer where the latest piece began, before it was cut off; `u64::MAX`
    /// before the first piece. If this does not fall from one piece to the next, the first of them brought no gain, and
    /// `is_whole` is set.
    pub(super) last: u64,
    /// Whether routes are no longer cut off.
    is_whole: bool,
    pub(super) steps: Stamped<Step>,
    pub(super) marks: Stamped<Mark>,
    pub(super) route: Vec<u32>,
    pub(super) beside: Vec<u32>,
    pub(super) guide: Guide,
    pub(super) walker: SightWalk,
    /// Whether the query ends with the current piece, even if that ends before the goal.
    pub(super) in_pieces: bool,
    /// The cells of the finished pieces, start first.
    cells: Vec<Cell>,
    /// The cost of the finished pieces.
    cost: u64,
    pub(super) spare: Vec<Cell>,
}

impl AlgorithmState for PraScratch {
    fn bytes(&self) -> usize {
        self.steps.bytes()
            + self.marks.bytes()
            + self.guide.bytes()
            + self.walker.bytes()
            + held(&self.starts)
            + held(&self.goals)
            + held(&self.route)
            + held(&self.beside)
            + held(&self.cells)
            + held(&self.spare)
    }
}

impl PraScratch {
    pub(super) fn begin(&mut self, task: Task) {
        self.stage = Stage::Begin;
        self.from = task.from;
        self.cells.clear();
        self.cost = 0;
        self.last = u64::MAX;
        self.is_whole = false;
        self.in_pieces = false;
    }
}

impl PraStar {
    /// Continues a query until it ends, or returns `None` when the budget `left` is spent.
    pub(super) fn descend(
        &self,
        task: Task,
        scratch: &mut Scratch,
        pra: &mut PraScratch,
        left: &mut u64,
        probe: &mut impl Probe,
    ) -> Option<End> {
        loop {
            match pra.stage {
                Stage::Begin => {
                    if *left == 0 {
                        return None;
                    }
                    self.begin_piece(task, scratch, pra, probe);
                }
                Stage::Layer => {
                    if !self.search_layer(task, scratch, pra, left, probe) {
                        return None;
                    }
                    self.end_layer(task, scratch, pra, probe);
                }
                Stage::Sight => {
                    if *left == 0 {
                        return None;
                    }
                    if let Some(end) = self.walk_on(task, scratch, pra, probe) {
                        return Some(end);
                    }
                }
                stage @ (Stage::Corridor | Stage::Anywhere | Stage::Leg) => {
                    let [from, to] = match stage {
                        Stage::Leg => [pra.walker.here(), pra.walker.next],
                        _ => [pra.from, pra.to],
                    };
                    let layer = pra.layer;
                    let marks = &pra.marks;
                    let end = a_star::step_within(Task { grid: task.grid, from, to }, scratch, left, probe, |node| {
                        let above = || self.layers.ancestor(task.grid.cell(node), layer);
                        stage == Stage::Anywhere
                            || above().is_some_and(|above| marks.get(self.layers.index(layer, above)).is_some())
                    });
                    match end? {
                        End::Found(_) if stage == Stage::Leg => {
                            pra.walker.follow(&mut scratch.trail);
                            pra.stage = Stage::Sight;
                        }
                        End::Found(cost) => {
                            if let Some(end) = self.end_piece(task, scratch, pra, cost, probe) {
                                return Some(end);
                            }
                        }
                        End::NotFound if stage == Stage::Anywhere => return Some(End::NotFound),
                        // The corridor is connected, so this means that every route through it costs `TOO_FAR` or more.
                        End::NotFound => give_up(task, scratch, pra, probe),
                    }
                }
            }
        }
    }

    /// Finds the nodes of the piece's start and of the goal on every layer, and begins the search of the layer to begin
    /// on.
    fn begin_piece(&self, task: Task, scratch: &mut Scratch, pra: &mut PraScratch, probe: &mut impl Probe) {
        let merge = self.climb(pra.from, task.to, &mut pra.starts, &mut pra.goals);
        (pra.is_cut, pra.to) = (false, task.to);
        // A third of the way up: if a query begins further up, more routes pass an obstacle on the wrong side.
        let layer = if self.start == 0 { merge / 3 } else { self.start.min(merge) };
        probe.event(Event::Phase { phase: Phase::Search });
        if layer == 0 {
            begin_cells(Stage::Anywhere, task.grid, scratch, pra, probe);
            return;
        }
        pra.layer = layer;
        // An empty route means that there is no corridor: the layer that a piece begins on is searched as a whole.
        pra.route.clear();
        self.begin_layer(task, scratch, pra, probe);
    }

    /// Lists the nodes that two cells are part of, on every layer up to the first on which that is one node, and
    /// returns the number of that layer.
    fn climb(&self, from: Cell, to: Cell, starts: &mut Vec<u32>, goals: &mut Vec<u32>) -> usize {
        let (mut start, mut goal) = (self.layers.tiles.node(from), self.layers.tiles.node(to));
        starts.clear();
        goals.clear();
        for layer in 1.. {
            starts.push(start);
            goals.push(goal);
            if start == goal {
                return layer;
            }
            let above = [start, goal].map(|node| self.layers.parent(layer, node));
            let [Some(above_start), Some(above_goal)] = above else { break };
            (start, goal) = (above_start, above_goal);
        }
        // This is not reached: the planner has checked that both cells are connected, so that they share a node on some
        // layer.
        debug_assert!(false, "{from} and {to} are not connected");
        self.layers.count()
    }

    /// Reads the route from the search of a layer, cuts it off if it is longer than the limit, and begins the layer
    /// below or the cells.
    fn end_layer(&self, task: Task, scratch: &mut Scratch, pra: &mut PraScratch, probe: &mut impl Probe) {
        let layer = pra.layer;
        let is_first = pra.route.is_empty();
        let goal = pra.goals[layer - 1];
        let Some(Step { g: cost, .. }) = pra.steps.get(self.layers.index(layer, goal)) else {
            // The corridor always leads to the goal's node, so this means that the route costs more than a `u32` holds.
            return give_up(task, scratch, pra, probe);
        };
        let cost = u64::from(cost);
        if is_first {
            pra.is_whole |= cost >= pra.last;
            pra.last = cost;
        }
        pra.route.clear();
        let mut node = goal;
        while node != NO_NODE {
            pra.route.push(node);
            node = pra.steps.get(self.layers.index(layer, node)).expect("a route is made of nodes reached").before;
        }
        pra.route.reverse();
        if self.limit > 0 && !pra.is_whole && pra.route.len() > self.limit + 1 {
            pra.route.truncate(self.limit + 1);
            pra.is_cut = true;
        }
        self.mark_corridor(layer, pra);
        let is_uniform = task.grid.uniform_weight().is_some();
        let by_sight = self.by_sight && is_uniform;
        let below = if layer == 1 || by_sight && layer <= LAST_LAYER { 0 } else { layer - 1 };
        if pra.is_cut {
            self.cut(task, layer, below, pra);
        }
        if pra.from == pra.to {
            // The route was cut off at its first cell, so that there is nothing to walk: it is searched again and not
            // cut.
            pra.is_whole = true;
            pra.stage = Stage::Begin;
            return;
        }
        probe.event(Event::Phase { phase: Phase::Refine });
        if below > 0 {
            pra.layer = below;
            if is_uniform {
                self.learn(task.grid, layer, pra);
            }
            self.begin_layer(task, scratch, pra, probe);
        } else if by_sight {
            pra.walker.begin(pra.from);
            pra.stage = Stage::Sight;
        } else {
            begin_cells(Stage::Corridor, task.grid, scratch, pra, probe);
        }
    }

    /// Adds a piece to the route. Returns the end of the query if this was its last piece.
    pub(super) fn end_piece(
        &self,
        task: Task,
        scratch: &mut Scratch,
        pra: &mut PraScratch,
        cost: u32,
        probe: &mut impl Probe,
    ) -> Option<End> {
        let trail = &mut scratch.trail;
        pra.cost += u64::from(cost);
        if pra.cost >= TOO_FAR {
            // A search of the whole world may still find a route whose cost is not too high.
            give_up(task, scratch, pra, probe);
            return None;
        }
        if pra.in_pieces {
            return Some(End::Found(cost));
        }
        if pra.to != task.to {
            trail.pop();
            // A piece begins with the last cell of the piece before it. So the first cell of each piece is dropped,
            // except for the first cell of the whole route.
            pra.cells.extend(pra.cells.is_empty().then_some(pra.from));
            pra.cells.extend(trail.drain(..).rev());
            pra.from = pra.to;
            pra.stage = Stage::Begin;
            return None;
        }
        if !pra.cells.is_empty() {
            // The trail has the goal first: it is this piece, followed by the earlier pieces in reverse.
            trail.pop();
            trail.extend(pra.cells.iter().rev());
        }
        if let Some(how) = self.smoothing {
            pra.cost = u64::from(crate::route::smooth::smooth(task.grid, how, trail, &mut pra.spare));
        }
        Some(End::Found(pra.cost as u32))
    }
}

/// Discards what was found and begins a search of all cells from the query's start to its goal, because the route that
/// the layers led to costs `TOO_FAR` or more.
pub(super) fn give_up(task: Task, scratch: &mut Scratch, pra: &mut PraScratch, probe: &mut impl Probe) {
    let in_pieces = pra.in_pieces;
    scratch.trail.clear();
    pra.begin(task);
    (pra.in_pieces, pra.to) = (in_pieces, task.to);
    begin_cells(Stage::Anywhere, task.grid, scratch, pra, probe);
}

/// Begins an A* search for the cells of a piece.
fn begin_cells(stage: Stage, grid: &SquareGrid, scratch: &mut Scratch, pra: &mut PraScratch, probe: &mut impl Probe) {
    pra.stage = stage;
    let piece = Task { grid, from: pra.from, to: pra.to };
    a_star::begin_within(piece, scratch);
    if probe.is_watching() {
        probe.event(Event::Push { node: piece.start(), g: 0, key: 0 });
    }
}
