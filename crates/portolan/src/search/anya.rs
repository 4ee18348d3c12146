//! Optimal any-angle search: the shortest route of straight lines from the middle of a cell to the middle of another.
//!
//! **Idea.** As in Anya, a root sees an interval of each row inside a cone, and corners of obstacles end intervals. Our
//! routes turn in the middle of cells and not at corners, which Anya's do, and a shortest such route may turn several
//! cells away from any obstacle: the line to the cell nearest to an obstacle need not be the one that passes it most
//! closely. So there are two searches. The first turns at corners, from either end, and gives lower bounds on the
//! distances from every cell to both ends ([`corners`]). The second turns at cells; it looks only at the band of cells on
//! routes that are, by these bounds, at most a little longer than the bound from start to goal ([`cells`]). If there is no
//! route so short, it is repeated with twice as much to spare. Every route within the limit is looked at, so the shortest
//! one that is found is the shortest there is. Probes are told of the second search as refining.
//! **Use** it where routes at any angle shall be as short as possible, and to measure other searches by.
//! **Promises** the shortest route, up to the rounding of numbers of 53 bits. Costs are rounded down to whole units line by
//! line; in these units, a route costs at most 1 + 1/u times the cheapest, where u is the cost of a step.
//! **Costs** a sweep over what each root sees. The first search expands corners, as Anya does; the second expands cells in
//! a band whose width grows with the square root of the distance between turns. On game maps of 500 cells a side that is
//! some ten times the work of Theta*. Records take 120 bytes a cell.
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
use cells::{CellSearch, Ground, MARGIN};
use corners::{CornerSearch, Root};
use sweep::{Band, Point, Sweeper};

pub(crate) const ALGORITHM: Algorithm = Algorithm {
    name: "anya",
    title: "Anya",
    summary: "the shortest route at any angle: bounds by corners, then a narrow search over cells; uniform worlds",
    paper: "Harabor, Grastien, Öz, Aksakalli 2016",
    motion: Motion::AnyAngle,
    suits: |grid| {
        let needs = "terrain of one weight";
        if grid.uniform_weight().is_some() { Ok(()) } else { Err(Unsuited { algorithm: "anya", needs }) }
    },
    promise: |grid, _| Promise::Within(1.0 + 1.0 / grid.unit()),
    ..Algorithm::flat(|_, _| Box::new(Anya))
};

#[derive(Clone)]
struct Anya;

/// What a search keeps between its steps.
#[derive(Default)]
struct AnyaState {
    /// The searches over corners: from the goal, and from the start.
    corners: [CornerSearch; 2],
    cells: CellSearch,
    stack: Vec<Band>,
    stage: Stage,
    /// How much longer than the bound from start to goal a route may be.
    spare: f64,
}

/// What a search does next.
#[derive(Copy, Clone, Default)]
enum Stage {
    /// Tries the straight line to the goal, then looks from both ends.
    #[default]
    Begin,
    /// Expands corners, as far as they can lie on a route within the limit.
    Corners,
    /// Notes the bounds of the cells that this root sees, and those after it.
    Bounds(usize),
    /// Adds the cells to the band that this root sees, and those after it.
    Band(usize),
    /// Expands cells.
    Cells,
    /// Has found the goal.
    Found,
}

impl AlgorithmState for AnyaState {
    fn bytes(&self) -> usize {
        self.corners.iter().map(CornerSearch::bytes).sum::<usize>() + self.cells.bytes() + held(&self.stack)
    }
}

impl Method for Anya {
    fn reserve(&self, grid: &SquareGrid, scratch: &mut Scratch) -> Result<(), OutOfMemory> {
        let AnyaState { corners, cells, .. } = scratch.states.own();
        for search in corners {
            search.reserve(grid.node_count())?;
        }
        cells.reserve(grid.node_count())
    }

    fn begin(&self, task: Task, scratch: &mut Scratch) {
        let own: &mut AnyaState = scratch.states.own();
        own.corners.iter_mut().for_each(|search| search.begin(task.grid.node_count()));
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
        let start = Point::middle(task.from);
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
                for (which, end) in [task.to, task.from].into_iter().enumerate() {
                    let root = Root::end(Point::middle(end));
                    self.corners[which].roots.push(root);
                    self.look(which, root, task, probe);
                }
                // The first spare is a guess that is too small for few routes.
                self.spare = 0.25;
                self.stage = Stage::Corners;
            }
            Stage::Corners => self.next_corner(task, left, probe),
            Stage::Bounds(next) => {
                self.cells.add_bounds(self.corners[0].roots[next], ground, &mut self.stack);
                let is_last = next + 1 == self.corners[0].roots.len();
                self.stage = if is_last { Stage::Band(0) } else { Stage::Bounds(next + 1) };
            }
            Stage::Band(next) => {
                self.cells.add_to_band(self.corners[1].roots[next], ground, &mut self.stack);
                self.stage = Stage::Band(next + 1);
                if next + 1 == self.corners[1].roots.len() {
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
    fn next_corner(&mut self, task: Task, left: &mut u64, probe: &mut impl Probe) {
        let limit = self.corners[0].least + self.spare;
        let lies_within = |search: &CornerSearch| search.floor().is_finite() && search.floor() <= limit + MARGIN;
        let Some(which) = self.corners.iter().position(lies_within) else {
            self.cells.set_limit(task.grid, limit);
            self.stage = Stage::Bounds(0);
            return;
        };
        let (sweeper, stride) = (Sweeper::new(task.grid), task.grid.width() as i32 + 1);
        if let Some(root) = self.corners[which].pop(sweeper, stride) {
            *left -= 1;
            let node = node_of(task.grid, root.beside());
            probe.event(Event::Pop { node });
            probe.event(Event::Expand { node, g: (root.far * task.grid.unit()) as u32 });
            self.look(which, root, task, probe);
        }
    }

    /// Looks from a root of one of the two searches over corners.
    fn look(&mut self, which: usize, root: Root, task: Task, probe: &mut impl Probe) {
        let (sweeper, stride, unit) = (Sweeper::new(task.grid), task.grid.width() as i32 + 1, task.grid.unit());
        let other = Point::middle([task.from, task.to][which]);
        self.corners[which].expand(root, other, sweeper, stride, &mut self.stack, |corner| {
            let node = node_of(task.grid, corner.beside());
            let key = ((corner.far + corner.at.distance(other)) * unit) as u64;
            probe.event(Event::Generate { node });
            probe.event(Event::Push { node, g: (corner.far * unit) as u32, key });
        });
    }
}

/// Returns the node of the cell with this middle.
fn node_of(grid: &SquareGrid, middle: Point) -> NodeId {
    grid.node(Cell::new((middle.x / 2) as u16, (middle.y / 2) as u16))
}
