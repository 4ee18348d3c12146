//! Planners and scratch memory for worlds of any kind.
//!
//! Not here: what a planner does, which is in [`Planner`]. A planner asked about a world of another kind answers as it
//! does about any other world that it was not built for: [`QueryError::Stale`].

use super::{
    AnyAlgorithm, AnyLazyRoute, AnyRoute, AnySnapshot, AnyWorld, as_asked, by_cell, cell, from_kinds, hex, on_each,
};
use crate::algorithm::Promise;
use crate::cost::Cost;
use crate::id::{Cell, HexCell};
use crate::method::Repair;
use crate::outline::{Census, Outline, Tree};
use crate::planner::{BuildError, Planner, RepairError};
use crate::probe::Probe;
use crate::query::{Outcome, Query, QueryError, Stale};
use crate::saved::{ChartStream, OpenError, SaveError, SavedChart};
use crate::scratch::Scratch;
use crate::settings::Settings;
use crate::space::hex::HexGrid;
use crate::space::{Edit, Revision};

/// A thread's working memory for searches on worlds of any kind.
#[derive(Default)]
pub struct AnyScratch {
    pub(super) square: Scratch,
    pub(super) hex: Scratch<HexGrid>,
}

impl AnyScratch {
    /// Returns an empty scratch; it grows to the size that the first queries need.
    pub fn new() -> AnyScratch {
        AnyScratch::default()
    }

    /// Returns the bytes that the scratch holds.
    pub fn bytes(&self) -> usize {
        self.square.bytes() + self.hex.bytes()
    }
}

/// A planner for a world of any kind.
#[derive(Clone)]
pub enum AnyPlanner {
    /// A planner for a square grid.
    Square(Planner),
    /// A planner for a hexagonal grid.
    Hex(Planner<HexGrid>),
}

from_kinds!(AnyPlanner: Planner, Planner<HexGrid>);

/// Runs `$body` with planner and world bound to those of one kind, or returns `$other` if their kinds differ.
macro_rules! with_world {
    ($planner:expr, $world:expr, |$own:ident, $space:ident| $body:expr, else $other:expr) => {
        match ($planner, $world) {
            (AnyPlanner::Square($own), AnySnapshot::Square($space)) => $body,
            (AnyPlanner::Hex($own), AnySnapshot::Hex($space)) => $body,
            _ => $other,
        }
    };
}

/// Asks a planner and a world of one kind by the planner's method `$ask`, which returns an outcome. Its route becomes
/// `$route`, and errors name the cells of the query as they were asked for.
macro_rules! ask {
    ($any:expr, $world:expr, $ask:ident($query:expr, $scratch:expr) -> $route:ident) => {
        match ($any, $world) {
            (AnyPlanner::Square(planner), AnySnapshot::Square(world)) => {
                Ok(planner.$ask(world, $query, &mut $scratch.square)?.map($route::from))
            }
            (AnyPlanner::Hex(planner), AnySnapshot::Hex(world)) => {
                let answer = planner.$ask(world, hex_query($query), &mut $scratch.hex);
                Ok(answer.map_err(|error| as_asked(error, &[$query.from, $query.to]))?.map($route::from))
            }
            _ => Err($any.stale($world).into()),
        }
    };
}

/// Returns the query with its cells as hexes.
pub(super) fn hex_query(query: Query) -> Query<HexCell> {
    Query { from: hex(query.from), to: hex(query.to), budget: query.budget, nearest: query.nearest }
}

impl AnySnapshot {
    /// Checks a query as a planner does, except for the revision: see [`Query::check`].
    ///
    /// # Errors
    /// When start or goal is off the map, or the start is blocked.
    pub fn check(&self, query: Query) -> Result<(), QueryError> {
        match self {
            AnySnapshot::Square(world) => query.check(world),
            AnySnapshot::Hex(world) => {
                hex_query(query).check(world).map_err(|error| as_asked(error, &[query.from, query.to]))
            }
        }
    }
}

impl AnyPlanner {
    /// Builds a planner with this algorithm and these settings of it: see [`Planner::build`].
    ///
    /// # Errors
    /// When the algorithm does not run on this world, or there is no memory for its tables.
    pub fn build(world: &AnySnapshot, algorithm: AnyAlgorithm, settings: Settings) -> Result<AnyPlanner, BuildError> {
        match (algorithm, world) {
            (AnyAlgorithm::Square(algorithm), AnySnapshot::Square(world)) => {
                Planner::build(world, algorithm, settings).map(AnyPlanner::Square)
            }
            (AnyAlgorithm::Hex(algorithm), AnySnapshot::Hex(world)) => {
                Planner::build(world, algorithm, settings).map(AnyPlanner::Hex)
            }
            _ => Err(algorithm.other_kind().into()),
        }
    }

    /// Builds a planner for this world with this planner's algorithm and settings: see [`Planner::anew`].
    ///
    /// # Errors
    /// As [`AnyPlanner::build`].
    pub fn anew(&self, world: &AnySnapshot) -> Result<AnyPlanner, BuildError> {
        with_world!(self, world, |planner, space| planner.anew(space).map(AnyPlanner::from),
            else Err(self.algorithm().other_kind().into()))
    }

    /// Returns the planner's algorithm.
    pub fn algorithm(&self) -> AnyAlgorithm {
        on_each!(self, |planner| planner.algorithm().into())
    }

    /// Returns the settings of the algorithm.
    pub fn settings(&self) -> &Settings {
        on_each!(self, |planner| planner.settings())
    }

    /// Returns what the algorithm promises on this world.
    pub fn promise(&self, world: &AnySnapshot) -> Promise {
        self.algorithm().promise(world, self.settings())
    }

    /// Returns the revision of the world that the planner was built for or last repaired to.
    pub fn revision(&self) -> Revision {
        on_each!(self, |planner| planner.revision())
    }

    /// Returns the bytes of memory that the data derived from the world takes.
    pub fn bytes(&self) -> usize {
        on_each!(self, |planner| planner.bytes())
    }

    /// Returns whether [`AnyPlanner::plan`] finds a route in legs instead of all its cells at once.
    pub fn plans_in_legs(&self) -> bool {
        on_each!(self, |planner| planner.plans_in_legs())
    }

    /// Returns whether a replanner keeps a search alive with this planner: see [`Planner::keeps_searches`].
    pub fn keeps_searches(&self) -> bool {
        on_each!(self, |planner| planner.keeps_searches())
    }

    /// Returns the size of each level of a chart, the lowest first; empty for flat searches.
    ///
    /// # Errors
    /// When the planner's revision is not that of the world.
    pub fn census(&self, world: &AnySnapshot) -> Result<Vec<Census>, Stale> {
        with_world!(self, world, |planner, space| planner.census(space), else Err(self.stale(world)))
    }

    /// Returns the regions, ports and edges of the algorithm's chart or graph, for display, or `None` if it keeps none.
    ///
    /// # Errors
    /// When the planner's revision is not that of the world.
    pub fn outline(&self, world: &AnySnapshot) -> Result<Option<Outline>, Stale> {
        with_world!(self, world, |planner, space| planner.outline(space), else Err(self.stale(world)))
    }

    /// Returns the tree kept for a port: see [`Planner::tree`].
    ///
    /// # Errors
    /// When the planner's revision is not that of the world.
    pub fn tree(&self, world: &AnySnapshot, port: Cell) -> Result<Tree, Stale> {
        match (self, world) {
            (AnyPlanner::Square(planner), AnySnapshot::Square(world)) => planner.tree(world, port),
            (AnyPlanner::Hex(planner), AnySnapshot::Hex(world)) => {
                let tree = planner.tree(world, hex(port))?;
                Ok(tree.into_iter().map(|(from, to)| (cell(from), cell(to))).collect())
            }
            _ => Err(self.stale(world)),
        }
    }

    /// Brings the planner up to date after edits: see [`Planner::repair`].
    ///
    /// # Errors
    /// When the edits do not lead from the planner's revision to the world's, or the algorithm does not run on the
    /// edited world. The planner is then unchanged.
    pub fn repair(&mut self, world: &AnySnapshot, edits: &[Edit]) -> Result<Repair, RepairError> {
        let built = self.revision();
        with_world!(self, world, |planner, space| planner.repair(space, edits),
            else Err(RepairError::Gap { built, asked: world.revision(), edits: edits.len() }))
    }

    /// Brings the planner up to date with a world: see [`Planner::sync`].
    ///
    /// # Errors
    /// As [`Planner::sync`]; a gap if the world is of another kind.
    pub fn sync(&mut self, world: &AnyWorld) -> Result<Repair, RepairError> {
        match (&mut *self, world) {
            (AnyPlanner::Square(planner), AnyWorld::Square(world)) => planner.sync(world),
            (AnyPlanner::Hex(planner), AnyWorld::Hex(world)) => planner.sync(world),
            _ => Err(RepairError::Gap { built: self.revision(), asked: world.revision(), edits: 0 }),
        }
    }

    /// Computes again what repairs leave out because it takes long: see [`Planner::refresh`].
    ///
    /// # Errors
    /// When the planner's revision is not that of the world.
    pub fn refresh(&mut self, world: &AnySnapshot) -> Result<(), RepairError> {
        let built = self.revision();
        with_world!(self, world, |planner, space| planner.refresh(space),
            else Err(RepairError::Gap { built, asked: world.revision(), edits: 0 }))
    }

    /// Returns the data derived from the world as sections that are read while they are written: see
    /// [`Planner::stream`].
    ///
    /// # Errors
    /// When the algorithm keeps nothing worth saving, or the planner's revision is not that of the world.
    pub fn stream(&self, world: &AnySnapshot) -> Result<ChartStream<'_>, SaveError> {
        with_world!(self, world, |planner, space| planner.stream(space),
            else Err(self.stale(world).into()))
    }

    /// Builds the planner that was saved: see [`Planner::open`].
    ///
    /// # Errors
    /// When [`AnyPlanner::stream`] cannot have returned this data for such a world.
    pub fn open(world: &AnySnapshot, saved: &SavedChart) -> Result<AnyPlanner, OpenError> {
        match world {
            AnySnapshot::Square(world) => Planner::open(world, saved).map(AnyPlanner::Square),
            AnySnapshot::Hex(world) => Planner::open(world, saved).map(AnyPlanner::Hex),
        }
    }

    /// Returns the error for a world of another kind.
    pub(super) fn stale(&self, world: &AnySnapshot) -> Stale {
        Stale { built: self.revision(), asked: world.revision() }
    }

    /// Finds a route in one call: see [`Planner::find`].
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn find(
        &self,
        world: &AnySnapshot,
        query: Query,
        scratch: &mut AnyScratch,
    ) -> Result<Outcome<AnyRoute>, QueryError> {
        ask!(self, world, find(query, scratch) -> AnyRoute)
    }

    /// Finds a route as [`AnyPlanner::find`] does, and sends the search's events to a probe: see [`Planner::watch`].
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn watch(
        &self,
        world: &AnySnapshot,
        query: Query,
        scratch: &mut AnyScratch,
        probe: &mut dyn Probe,
    ) -> Result<Outcome<AnyRoute>, QueryError> {
        self.begin(world, query, scratch)?;
        loop {
            if let Some(outcome) = self.watch_step(world, scratch, u64::MAX, probe)? {
                return Ok(outcome);
            }
        }
    }

    /// Finds a route in legs: see [`Planner::plan`].
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn plan(
        &self,
        world: &AnySnapshot,
        query: Query,
        scratch: &mut AnyScratch,
    ) -> Result<Outcome<AnyLazyRoute>, QueryError> {
        ask!(self, world, plan(query, scratch) -> AnyLazyRoute)
    }

    /// Begins a search that [`AnyPlanner::step`] continues: see [`Planner::begin`].
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn begin(&self, world: &AnySnapshot, query: Query, scratch: &mut AnyScratch) -> Result<(), QueryError> {
        match (self, world) {
            (AnyPlanner::Square(planner), AnySnapshot::Square(world)) => {
                planner.begin(world, query, &mut scratch.square)
            }
            (AnyPlanner::Hex(planner), AnySnapshot::Hex(world)) => planner
                .begin(world, hex_query(query), &mut scratch.hex)
                .map_err(|error| as_asked(error, &[query.from, query.to])),
            _ => Err(self.stale(world).into()),
        }
    }

    /// Continues the search in this scratch: see [`Planner::step`].
    ///
    /// # Errors
    /// As [`Planner::step`].
    pub fn step(
        &self,
        world: &AnySnapshot,
        scratch: &mut AnyScratch,
        expansions: u64,
    ) -> Result<Option<Outcome<AnyRoute>>, QueryError> {
        match (self, world) {
            (AnyPlanner::Square(planner), AnySnapshot::Square(world)) => {
                let outcome = planner.step(world, &mut scratch.square, expansions)?;
                Ok(outcome.map(|outcome| outcome.map(AnyRoute::from)))
            }
            (AnyPlanner::Hex(planner), AnySnapshot::Hex(world)) => {
                let outcome = planner.step(world, &mut scratch.hex, expansions).map_err(by_cell)?;
                Ok(outcome.map(|outcome| outcome.map(AnyRoute::from)))
            }
            _ => Err(self.stale(world).into()),
        }
    }

    /// Returns the best route that the search in this scratch has found before its end: see [`Planner::so_far`].
    pub fn so_far(&self, world: &AnySnapshot, scratch: &mut AnyScratch) -> Option<AnyRoute> {
        match (self, world) {
            (AnyPlanner::Square(planner), AnySnapshot::Square(world)) => {
                planner.so_far(world, &mut scratch.square).map(AnyRoute::from)
            }
            (AnyPlanner::Hex(planner), AnySnapshot::Hex(world)) => {
                planner.so_far(world, &mut scratch.hex).map(AnyRoute::from)
            }
            _ => None,
        }
    }

    /// Continues a search and sends its events to a probe: see [`Planner::watch_step`].
    ///
    /// # Errors
    /// As [`Planner::step`].
    pub fn watch_step(
        &self,
        world: &AnySnapshot,
        scratch: &mut AnyScratch,
        expansions: u64,
        probe: &mut dyn Probe,
    ) -> Result<Option<Outcome<AnyRoute>>, QueryError> {
        match (self, world) {
            (AnyPlanner::Square(planner), AnySnapshot::Square(world)) => {
                let outcome = planner.watch_step(world, &mut scratch.square, expansions, probe)?;
                Ok(outcome.map(|outcome| outcome.map(AnyRoute::from)))
            }
            (AnyPlanner::Hex(planner), AnySnapshot::Hex(world)) => {
                let outcome = planner.watch_step(world, &mut scratch.hex, expansions, probe).map_err(by_cell)?;
                Ok(outcome.map(|outcome| outcome.map(AnyRoute::from)))
            }
            _ => Err(self.stale(world).into()),
        }
    }

    /// Returns the cost from a cell to each goal: see [`Planner::distances`].
    ///
    /// # Errors
    /// As [`Planner::distances`].
    pub fn distances(
        &self,
        world: &AnySnapshot,
        from: Cell,
        goals: &[Cell],
        scratch: &mut AnyScratch,
    ) -> Result<Vec<Option<Cost>>, QueryError> {
        match (self, world) {
            (AnyPlanner::Square(planner), AnySnapshot::Square(world)) => {
                planner.distances(world, from, goals, &mut scratch.square)
            }
            (AnyPlanner::Hex(planner), AnySnapshot::Hex(world)) => {
                let hexes: Vec<HexCell> = goals.iter().map(|&goal| hex(goal)).collect();
                let costs = planner.distances(world, hex(from), &hexes, &mut scratch.hex);
                costs.map_err(|error| as_asked(error, &[&[from], goals].concat()))
            }
            _ => Err(self.stale(world).into()),
        }
    }
}
