//! A search as a page plays it back: two numbers for each event, in the form that `page/protocol.d.ts` describes, and
//! counts of all events.
//!
//! Not here: searching.

use super::leash::Leash;
use crate::budget::Full;
use crate::frame::Parts;
use crate::limits;
use portolan::Cell;
use portolan::any::AnySnapshot;
use portolan::probe::{Event, NodeId, Phase, Probe, Stats};

/// The kind of an event, which is in the upper four bits of its first number.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
#[repr(u32)]
enum Kind {
    /// A node was taken off the open list and expanded.
    Expand = 0,
    Push = 1,
    Decrease = 2,
    Reopen = 3,
    /// An outdated entry was taken off the open list.
    Outdated = 4,
    Goal = 5,
    Deepen = 6,
    Phase = 7,
    /// A node was expanded without coming off an open list.
    Visit = 8,
}

/// Bits that hold the number of a cell.
const CELL_BITS: u32 = 28;
const _: () = assert!(limits::CELLS <= 1 << CELL_BITS, "every cell's number fits below the kind");

/// Events that a tape has room for at first.
const FIRST: usize = 4096;
/// Bytes that an event takes, on the tape and in the answer.
const EVENT: usize = 2 * 2 * size_of::<u32>();

/// Records what a search does.
pub(crate) struct Tape<'a> {
    /// Returns the number of the cell that a node is.
    number: Box<dyn Fn(NodeId) -> u32 + 'a>,
    /// The number of the goal's cell.
    goal: u32,
    /// Most events to keep; the events after them are only counted.
    most: usize,
    pub(crate) stats: Stats,
    events: Vec<u32>,
    costs: Vec<u32>,
    /// A node that was taken off the open list; the next event shows whether it is expanded.
    popped: Option<NodeId>,
    pub(crate) cut: bool,
    /// Sets memory aside for the events. The tape of a walker has no leash: the session has reserved its memory before.
    leash: Option<&'a Leash>,
    /// The error if there was no memory for more events.
    full: Option<Full>,
}

impl<'a> Tape<'a> {
    /// Makes a tape for the search of a route to this cell, which must be in the world. It keeps events only if they are
    /// wanted.
    pub(crate) fn new(world: &'a AnySnapshot, goal: Cell, wanted: bool) -> Tape<'a> {
        Tape::of(move |node| index(world, world.cell(node)), index(world, goal), wanted)
    }

    /// Makes a tape for a search in a world that numbers its cells in its own way; `goal` is the number of the goal.
    pub(crate) fn of(number: impl Fn(NodeId) -> u32 + 'a, goal: u32, wanted: bool) -> Tape<'a> {
        let most = if wanted { limits::EVENTS } else { 0 };
        let number = Box::new(number);
        let (stats, events, costs) = (Stats::default(), vec![], vec![]);
        Tape { number, goal, most, stats, events, costs, popped: None, cut: false, leash: None, full: None }
    }

    /// Makes the tape set memory aside for the events that it keeps.
    pub(crate) fn on(self, leash: &'a Leash) -> Tape<'a> {
        Tape { leash: Some(leash), ..self }
    }

    fn write(&mut self, kind: Kind, cell: u32, cost: u32) {
        if self.events.len() == self.events.capacity() && self.events.len() < self.most {
            self.make_room();
        }
        if self.events.len() < self.most {
            self.events.push((kind as u32) << CELL_BITS | cell);
            self.costs.push(cost);
        } else {
            self.cut = true;
        }
    }

    /// Makes room for twice as many events. If there is no memory for them, all events are dropped.
    fn make_room(&mut self) {
        let more = self.events.len().max(FIRST).min(self.most - self.events.len());
        match self.leash.map_or(Ok(()), |leash| leash.set_aside(more * EVENT)) {
            Ok(()) => {
                self.events.reserve_exact(more);
                self.costs.reserve_exact(more);
            }
            Err(full) => {
                (self.events, self.costs, self.most) = (vec![], vec![], 0);
                self.full = Some(full);
            }
        }
    }

    fn at(&self, node: NodeId) -> u32 {
        (self.number)(node)
    }

    fn settle(&mut self) {
        if let Some(node) = self.popped.take() {
            self.write(Kind::Outdated, self.at(node), 0);
        }
    }

    /// Adds the arrays of the trace to `parts` and returns whether the trace was cut off. Returns an error if there was
    /// no memory for the trace.
    pub(crate) fn finish(mut self, names: [&str; 2], parts: &mut Parts) -> Result<bool, Full> {
        self.settle();
        if let Some(full) = self.full {
            return Err(full);
        }
        parts.push(names[0], self.events);
        parts.push(names[1], self.costs);
        Ok(self.cut)
    }
}

fn index(world: &AnySnapshot, Cell { x, y }: Cell) -> u32 {
    u32::from(y) * world.width() as u32 + u32::from(x)
}

impl Probe for Tape<'_> {
    fn event(&mut self, event: Event) {
        self.stats.event(event);
        if self.most == 0 {
            return;
        }
        match event {
            Event::Generate { .. } => return,
            Event::Expand { node, g } => {
                let popped = self.popped.take_if(|popped| *popped == node).is_some();
                self.settle();
                self.write(if popped { Kind::Expand } else { Kind::Visit }, self.at(node), g);
                return;
            }
            _ => self.settle(),
        }
        match event {
            Event::Push { node, g, .. } => self.write(Kind::Push, self.at(node), g),
            Event::Pop { node } => self.popped = Some(node),
            Event::Decrease { node } => self.write(Kind::Decrease, self.at(node), 0),
            Event::Reopen { node } => self.write(Kind::Reopen, self.at(node), 0),
            Event::Goal { cost } => self.write(Kind::Goal, self.goal, cost),
            Event::Deepen { limit } => self.write(Kind::Deepen, 0, limit),
            Event::Phase { phase } => {
                let number = match phase {
                    Phase::Connect => 0,
                    Phase::Search => 1,
                    Phase::Refine => 2,
                };
                self.write(Kind::Phase, number, 0);
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::frame::Numbers;
    use portolan::any::{AnyPlanner, AnyScratch};
    use portolan::{HexGrid, Query, Rules, SquareGrid};

    fn written(tape: Tape) -> (Vec<u32>, Vec<u32>) {
        let mut parts = Parts::default();
        tape.finish(["events", "costs"], &mut parts).unwrap();
        match (parts.take("events"), parts.take("costs")) {
            (Some(Numbers::U32(events)), Some(Numbers::U32(costs))) => (events, costs),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_pop_joins_the_expansion_it_is_for() {
        let grid = SquareGrid::open(10, 10, Rules::default()).unwrap();
        let (a, b) = (grid.node(Cell::new(3, 2)), grid.node(Cell::new(4, 2)));
        let world = AnySnapshot::from(grid);
        let mut tape = Tape::new(&world, Cell::new(9, 9), true);
        let events = [
            Event::Push { node: a, g: 5, key: 7 },
            Event::Pop { node: a },
            Event::Expand { node: a, g: 5 },
            Event::Generate { node: b },
            Event::Pop { node: b },
            Event::Pop { node: a },
            Event::Expand { node: b, g: 8 },
            Event::Phase { phase: Phase::Refine },
            Event::Goal { cost: 12 },
            Event::Deepen { limit: 3 },
            Event::Decrease { node: a },
            Event::Reopen { node: b },
            Event::Pop { node: b },
        ];
        for event in events {
            tape.event(event);
        }
        assert_eq!(tape.stats.pops, 4);
        let (events, costs) = written(tape);
        let pairs: Vec<(u32, u32)> = events.iter().map(|event| (event >> 28, event & 0xFFF_FFFF)).collect();
        let expected =
            [(1, 23), (0, 23), (4, 24), (4, 23), (8, 24), (7, 2), (5, 99), (6, 0), (2, 23), (3, 24), (4, 24)];
        assert_eq!(pairs, expected);
        assert_eq!(costs, [5, 5, 0, 0, 8, 0, 12, 3, 0, 0, 0]);
    }

    #[test]
    fn every_algorithm_can_be_written_down() {
        let squares = SquareGrid::open(60, 50, Rules::default()).unwrap();
        for world in [AnySnapshot::from(squares), AnySnapshot::from(HexGrid::open(60, 50, None).unwrap())] {
            for algorithm in world.algorithms() {
                let settings = algorithm.settings::<&str, &str>(&[]).unwrap();
                let planner = AnyPlanner::build(&world, algorithm, settings).unwrap();
                let mut tape = Tape::new(&world, Cell::new(50, 30), true);
                planner.watch(&world, Query::new((2, 2), (50, 30)), &mut AnyScratch::new(), &mut tape).unwrap();
                let expanded = tape.stats.expanded;
                let (events, _) = written(tape);
                let told = events.iter().filter(|&event| matches!(event >> 28, 0 | 8)).count();
                assert_eq!(told as u64, expanded, "{} on {}", algorithm.name(), world.kind());
            }
        }
    }
}
