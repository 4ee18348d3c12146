//! Optimal any-angle search: the shortest route of straight lines from the middle of a cell to the middle of another.
//!
//! **Idea.** As in Anya, a root sees an interval of each row inside a cone, and corners of obstacles end intervals. Our
//! routes turn in the middle of cells and not at corners, which Anya's do, and a shortest such route may turn several
//! cells away from any obstacle: the line to the cell nearest to an obstacle need not be the one that passes it most
//! closely. So there are two searches. The first turns at corners, from the goal on, and gives a lower bound on what is
//! left from every cell ([`corners`]). The second turns at cells; with these bounds it looks only at cells on routes that
//! are at most a little longer than the bound from start to goal ([`cells`]). If there is no route so short, it is
//! repeated with twice as much to spare. Every route within the limit is looked at, so the shortest one that is found is
//! the shortest there is.
//! Probes are told of the second search as refining.
//! **Use** it where routes at any angle shall be as short as possible, and to measure other searches by.
//! **Promises** the shortest route, up to the rounding of numbers of 53 bits. Costs are rounded down to whole units line by
//! line; in these units, a route costs at most 1 + 1/u times the cheapest, where u is the cost of a step.
//! **Costs** a sweep over what each root sees. The first search expands corners, as Anya does; the second expands cells in
//! a band whose width grows with the square root of the distance between turns. Records take 72 bytes a cell.
//! **Departs** from its paper in the second search, and in that a root's intervals are not nodes: the corners that they
//! lead to are. The taut turns by which Anya prunes are those of the first search.
//!
//! Harabor, Grastien, Öz, Aksakalli: Optimal any-angle pathfinding in practice, 2016.

mod cells;
mod corners;
mod sweep;

use crate::algorithm::{Algorithm, Promise, Unsuited};
use crate::id::{Cell, NodeId};
use crate::memory::{OutOfMemory, held};
use crate::method::{End, Method, Task};
use crate::probe::{Event, Phase, Probe, Watcher, with_probe};
use crate::scratch::{AlgorithmState, Scratch};
use crate::search::shared::lines::finish;
use crate::space::Motion;
use crate::space::square::SquareGrid;
use cells::{CellSearch, Ground};
use corners::{CornerSearch, Root};
use sweep::{Band, Point, Sweeper};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "anya",
    title: "Anya",
    summary: "the shortest route at any angle: bounds by corners, then a narrow search over cells; uniform worlds",
    paper: "Harabor, Grastien, Öz, Aksakalli 2016",
    params: &[],
    motion: Motion::AnyAngle,
    suits: |grid| {
        let needs = "terrain of one weight";
        if grid.uniform_weight().is_some() { Ok(()) } else { Err(Unsuited { algorithm: "anya", needs }) }
    },
    promise: |grid, _| Promise::Within(1.0 + 1.0 / grid.unit()),
    known_bytes: |_, _| 0,
    build: |_, _| Box::new(Anya),
    open: None,
};

#[derive(Clone)]
struct Anya;

/// What a search keeps between its steps.
#[derive(Default)]
struct AnyaState {
    corners: CornerSearch,
    cells: CellSearch,
    stack: Vec<Band>,
    stage: Stage,
    /// How much longer than the bound from start to goal a route may be.
    spare: f64,
}

/// What a search does next.
#[derive(Copy, Clone, Default)]
enum Stage {
    /// Tries the straight line to the goal, then looks from the goal.
    #[default]
    Begin,
    /// Expands corners, as far as they can lie on a route within the limit.
    Corners,
    /// Notes the bounds of the cells that this root sees, and those after it.
    Bounds(usize),
    /// Expands cells.
    Cells,
    /// Has found the goal.
    Found,
}

impl AlgorithmState for AnyaState {
    fn bytes(&self) -> usize {
        self.corners.bytes() + self.cells.bytes() + held(&self.stack)
    }
}

impl Method for Anya {
    fn reserve(&self, grid: &SquareGrid, scratch: &mut Scratch) -> Result<(), OutOfMemory> {
        let AnyaState { corners, cells, .. } = scratch.states.own();
        corners.reserve(grid.node_count())?;
        cells.reserve(grid.node_count())
    }

    fn begin(&self, task: Task, scratch: &mut Scratch) {
        let own: &mut AnyaState = scratch.states.own();
        own.corners.begin(task.grid.node_count());
        own.stage = Stage::Begin;
    }

    fn step(&self, task: Task, scratch: &mut Scratch, left: &mut u64, probe: Watcher) -> Option<End> {
        let own: &mut AnyaState = scratch.states.own();
        with_probe!(probe, |watcher| while *left > 0 && !matches!(own.stage, Stage::Found) {
            own.advance(task, left, watcher);
        });
        let Stage::Found = own.stage else { return None };
        let parent = |node: NodeId| own.cells.parent(node);
        Some(finish(task, parent, &mut scratch.trail))
    }
}

impl AnyaState {
    /// Does what takes one expansion or less.
    fn advance(&mut self, task: Task, left: &mut u64, probe: &mut impl Probe) {
        let grid = task.grid;
        let sweeper = Sweeper::new(grid);
        let (start, goal) = (Point::middle(task.from), Point::middle(task.to));
        let ground = Ground { grid, sweeper, start };
        match self.stage {
            Stage::Begin => {
                *left -= 1;
                probe.event(Event::Expand { node: grid.node(task.to), g: 0 });
                if grid.in_sight(task.from, task.to) {
                    self.cells.settle(grid, task.from, task.to);
                    self.stage = Stage::Found;
                    return;
                }
                let root = Root::goal(goal);
                self.corners.roots.push(root);
                self.look(root, task, sweeper, probe);
                // The first spare is a guess that is too small for few routes.
                self.spare = 0.25;
                self.stage = Stage::Corners;
            }
            Stage::Corners => self.next_corner(task, sweeper, left, probe),
            Stage::Bounds(next) => {
                self.cells.add_bounds(self.corners.roots[next], ground, &mut self.stack);
                self.stage = Stage::Bounds(next + 1);
                if next + 1 == self.corners.roots.len() {
                    probe.event(Event::Phase { phase: Phase::Refine });
                    self.cells.begin(grid.node(task.from), grid);
                    self.stage = Stage::Cells;
                }
            }
            Stage::Cells => match self.cells.pop() {
                Some((node, g)) if node == grid.node(task.to) => {
                    probe.event(Event::Pop { node });
                    probe.event(Event::Goal { cost: (g * grid.unit()) as u32 });
                    self.stage = Stage::Found;
                }
                Some((node, g)) => {
                    *left -= 1;
                    probe.event(Event::Pop { node });
                    probe.event(Event::Expand { node, g: (g * grid.unit()) as u32 });
                    self.cells.expand(node, g, ground, &mut self.stack, probe);
                }
                None => {
                    probe.event(Event::Phase { phase: Phase::Search });
                    self.spare *= 2.0;
                    self.stage = Stage::Corners;
                }
            },
            Stage::Found => {}
        }
    }

    /// Expands a corner, or goes on to the bounds if no corner is left that can lie on a route within the limit.
    fn next_corner(&mut self, task: Task, sweeper: Sweeper, left: &mut u64, probe: &mut impl Probe) {
        let limit = self.corners.least + self.spare;
        if self.corners.floor() > limit || self.corners.floor().is_infinite() {
            self.cells.set_limit(task.grid, limit);
            self.stage = Stage::Bounds(0);
            return;
        }
        if let Some(root) = self.corners.pop(sweeper, task.grid.width() as i32 + 1) {
            *left -= 1;
            let node = node_of(task.grid, root.beside());
            probe.event(Event::Pop { node });
            probe.event(Event::Expand { node, g: (root.far * task.grid.unit()) as u32 });
            self.look(root, task, sweeper, probe);
        }
    }

    fn look(&mut self, root: Root, task: Task, sweeper: Sweeper, probe: &mut impl Probe) {
        let start = Point::middle(task.from);
        let stride = task.grid.width() as i32 + 1;
        let unit = task.grid.unit();
        self.corners.expand(root, start, sweeper, stride, &mut self.stack, |corner| {
            let node = node_of(task.grid, corner.beside());
            let key = ((corner.far + corner.at.distance(start)) * unit) as u64;
            probe.event(Event::Generate { node });
            probe.event(Event::Push { node, g: (corner.far * unit) as u32, key });
        });
    }
}

/// Returns the node of the cell with this middle.
fn node_of(grid: &SquareGrid, middle: Point) -> NodeId {
    grid.node(Cell::new((middle.x / 2) as u16, (middle.y / 2) as u16))
}
