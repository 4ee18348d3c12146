//! One agent's search that stays alive, on a world of any kind.
//!
//! Not here: what it does, which is in [`Replanner`].

use super::{AnyPlanner, AnyRoute, AnyScratch, AnySnapshot, by_cell, cell, hex};
use crate::cost::Cost;
use crate::id::Cell;
use crate::probe::Probe;
use crate::query::QueryError;
use crate::replanner::{Impact, Progress, Replanner};
use crate::space::Edit;
use crate::space::hex::HexGrid;

/// The route of one agent on a world of any kind, kept up to date: see [`Replanner`]. Planner and world of all calls have
/// to be of the kind that it was made for.
#[derive(Clone)]
pub struct AnyReplanner {
    own: Own,
    /// What [`AnyReplanner::left`] returns on hexes.
    left: Vec<Cell>,
}

#[derive(Clone)]
enum Own {
    Square(Replanner),
    Hex(Replanner<HexGrid>),
}

/// Runs `$body` with `$it` bound to the replanner, whatever the kind.
macro_rules! with_own {
    ($own:expr, |$it:ident| $body:expr) => {
        match $own {
            Own::Square($it) => $body,
            Own::Hex($it) => $body,
        }
    };
}

impl AnyReplanner {
    /// Returns a replanner for an agent on this world that stands on `from` and wants to go to `to`.
    pub fn new(world: &AnySnapshot, from: Cell, to: Cell) -> AnyReplanner {
        match world {
            AnySnapshot::Square(_) => AnyReplanner { own: Own::Square(Replanner::new(from, to)), left: Vec::new() },
            AnySnapshot::Hex(_) => AnyReplanner { own: Own::Hex(Replanner::new(hex(from), hex(to))), left: vec![from] },
        }
    }

    /// Notes what is left of a route on hexes by columns and rows.
    fn note_left(&mut self) {
        if let Own::Hex(replanner) = &self.own {
            self.left.clear();
            self.left.extend(replanner.left().iter().map(|&at| cell(at)));
        }
    }

    /// Returns the cell on which the agent stands.
    pub fn at(&self) -> Cell {
        match &self.own {
            Own::Square(replanner) => replanner.at(),
            Own::Hex(replanner) => cell(replanner.at()),
        }
    }

    /// Returns the goal of the agent.
    pub fn to(&self) -> Cell {
        match &self.own {
            Own::Square(replanner) => replanner.to(),
            Own::Hex(replanner) => cell(replanner.to()),
        }
    }

    /// Returns what is left of the route: see [`Replanner::left`].
    pub fn left(&self) -> &[Cell] {
        match &self.own {
            Own::Square(replanner) => replanner.left(),
            Own::Hex(_) => &self.left,
        }
    }

    /// Returns the cell that the next step leads to, and its cost when it was planned: see [`Replanner::next_step`].
    pub fn next_step(&self) -> Option<(Cell, Cost)> {
        match &self.own {
            Own::Square(replanner) => replanner.next_step(),
            Own::Hex(replanner) => replanner.next_step().map(|(at, cost)| (cell(at), cost)),
        }
    }

    /// Returns the bytes of memory that the route and the search take.
    pub fn bytes(&self) -> usize {
        let own = with_own!(&self.own, |replanner| replanner.bytes());
        own + self.left.capacity() * size_of::<Cell>()
    }

    /// Tells where the agent stands now: see [`Replanner::moved`].
    pub fn moved(&mut self, at: Cell) {
        match &mut self.own {
            Own::Square(replanner) => replanner.moved(at),
            Own::Hex(replanner) => replanner.moved(hex(at)),
        }
        self.note_left();
    }

    /// Gives the agent another goal: see [`Replanner::aim`].
    pub fn aim(&mut self, to: Cell) {
        match &mut self.own {
            Own::Square(replanner) => replanner.aim(to),
            Own::Hex(replanner) => replanner.aim(hex(to)),
        }
    }

    /// Has the next step search for a route, although the route stands.
    pub fn plan_again(&mut self) {
        with_own!(&mut self.own, |replanner| replanner.plan_again());
    }

    /// Drops the route. The next step searches.
    pub fn forget(&mut self) {
        with_own!(&mut self.own, |replanner| replanner.forget());
        self.note_left();
    }

    /// Tells of edits and returns what they have done to the route: see [`Replanner::edited`].
    ///
    /// # Panics
    /// When planner or world are not of the kind that this replanner was made for.
    pub fn edited(&mut self, planner: &AnyPlanner, world: &AnySnapshot, edits: &[Edit]) -> Impact {
        let impact = match (&mut self.own, planner, world) {
            (Own::Square(replanner), AnyPlanner::Square(planner), AnySnapshot::Square(world)) => {
                replanner.edited(planner, world, edits)
            }
            (Own::Hex(replanner), AnyPlanner::Hex(planner), AnySnapshot::Hex(world)) => {
                match replanner.edited(planner, world, edits) {
                    Impact::Kept => Impact::Kept,
                    Impact::Touched { ahead, at, legal } => Impact::Touched { ahead, at: cell(at), legal },
                    Impact::Doubtful => Impact::Doubtful,
                    Impact::Buried => Impact::Buried,
                }
            }
            _ => panic!("the replanner was made for another kind of world"),
        };
        self.note_left();
        impact
    }

    /// Brings the route up to date with edits without a planner: see [`Replanner::follow`].
    ///
    /// # Panics
    /// When the world is not of the kind that this replanner was made for.
    pub fn follow(&mut self, world: &AnySnapshot, edits: &[Edit], scratch: &mut AnyScratch) -> Option<Progress> {
        let progress = match (&mut self.own, world) {
            (Own::Square(replanner), AnySnapshot::Square(world)) => replanner.follow(world, edits, &mut scratch.square),
            (Own::Hex(replanner), AnySnapshot::Hex(world)) => replanner.follow(world, edits, &mut scratch.hex),
            _ => panic!("the replanner was made for another kind of world"),
        };
        self.note_left();
        progress
    }

    /// Searches for a route if there is a reason to, and sends the events of the search to a probe, if there is one: see
    /// [`Replanner::watch_step`].
    ///
    /// # Errors
    /// As [`Planner::find`](crate::Planner::find).
    pub fn step(
        &mut self,
        planner: &AnyPlanner,
        world: &AnySnapshot,
        scratch: &mut AnyScratch,
        expansions: u64,
        probe: Option<&mut dyn Probe>,
    ) -> Result<Progress, QueryError> {
        let progress = match (&mut self.own, planner, world) {
            (Own::Square(replanner), AnyPlanner::Square(planner), AnySnapshot::Square(world)) => {
                replanner.advance(planner, world, &mut scratch.square, expansions, probe)
            }
            (Own::Hex(replanner), AnyPlanner::Hex(planner), AnySnapshot::Hex(world)) => {
                replanner.advance(planner, world, &mut scratch.hex, expansions, probe).map_err(by_cell)
            }
            _ => Err(planner.stale(world).into()),
        };
        self.note_left();
        progress
    }

    /// Returns the best route that the search of the latest step has found before its end: see [`Replanner::so_far`].
    pub fn so_far(&self, planner: &AnyPlanner, world: &AnySnapshot, scratch: &mut AnyScratch) -> Option<AnyRoute> {
        match (&self.own, planner, world) {
            (Own::Square(replanner), AnyPlanner::Square(planner), AnySnapshot::Square(world)) => {
                replanner.so_far(planner, world, &mut scratch.square).map(AnyRoute::from)
            }
            (Own::Hex(replanner), AnyPlanner::Hex(planner), AnySnapshot::Hex(world)) => {
                replanner.so_far(planner, world, &mut scratch.hex).map(AnyRoute::from)
            }
            _ => None,
        }
    }
}
