//! Routes on a world of any kind.
//!
//! Not here: finding them.

use super::{AnyPlanner, AnyScratch, AnySnapshot, by_cell, cell, from_kinds, hex};
use crate::cost::Cost;
use crate::id::Cell;
use crate::planner::lazy::{LazyRoute, Mended};
use crate::query::QueryError;
use crate::route::{Route, RouteError};
use crate::space::hex::HexGrid;
use crate::space::square::SquareGrid;
use crate::space::{Edit, Motion, Space};

/// A walk through a world of any kind, by columns and rows, and its cost.
#[derive(Clone, PartialEq, Debug)]
pub struct AnyRoute {
    cells: Vec<Cell>,
    cost: Cost,
    motion: Motion,
    bound: Option<f64>,
}

impl From<Route> for AnyRoute {
    fn from(route: Route) -> AnyRoute {
        let (cost, motion, bound) = (route.cost(), route.motion(), route.bound());
        AnyRoute { cells: route.into_cells(), cost, motion, bound }
    }
}

impl From<Route<HexGrid>> for AnyRoute {
    fn from(route: Route<HexGrid>) -> AnyRoute {
        let cells = route.cells().iter().map(|&at| cell(at)).collect();
        AnyRoute { cells, cost: route.cost(), motion: route.motion(), bound: route.bound() }
    }
}

impl AnyRoute {
    /// Makes a route over these cells with this cost. Neither is checked here; [`AnyRoute::check`] does that.
    pub fn new(cells: Vec<Cell>, cost: Cost, motion: Motion) -> AnyRoute {
        AnyRoute { cells, cost, motion, bound: None }
    }

    /// Returns every cell from start to goal. Where [`AnyRoute::motion`] is [`Motion::AnyAngle`], these are the cells where
    /// the route turns.
    pub fn cells(&self) -> &[Cell] {
        &self.cells
    }

    /// Turns the route into its cells, from start to goal.
    pub fn into_cells(self) -> Vec<Cell> {
        self.cells
    }

    /// Returns the cost of the route in the world's metric.
    pub fn cost(&self) -> Cost {
        self.cost
    }

    /// Returns how the route leads from each of its cells to the next.
    pub fn motion(&self) -> Motion {
        self.motion
    }

    /// Turns the route into the cells that an agent steps on: see [`Route::into_steps`].
    pub fn into_steps(self, world: &AnySnapshot) -> Vec<Cell> {
        match (self.motion, world) {
            (Motion::AnyAngle, AnySnapshot::Square(world)) => {
                Route::<SquareGrid>::of(self.cells, self.cost, self.motion).into_steps(world)
            }
            _ => self.cells,
        }
    }

    /// Returns how many times the cost of a cheapest route this route costs at most, if its search was stopped before its
    /// end: see [`Route::bound`].
    pub fn bound(&self) -> Option<f64> {
        self.bound
    }

    /// Returns the number of steps, or of straight lines.
    pub fn steps(&self) -> usize {
        self.cells.len().saturating_sub(1)
    }

    /// Returns the length of the route, for users: see [`Route::length`].
    pub fn length(&self, world: &AnySnapshot) -> f64 {
        match world {
            AnySnapshot::Square(world) => world.length(&self.cells, self.motion),
            AnySnapshot::Hex(world) => world.length(&self.hexes(), self.motion),
        }
    }

    /// Checks that every step is legal in the world and that the steps' costs add up to the route's cost.
    ///
    /// # Errors
    /// The first fault that is found.
    pub fn check(&self, world: &AnySnapshot) -> Result<(), RouteError> {
        match world {
            AnySnapshot::Square(world) => {
                let route: Route = Route::of(self.cells.clone(), self.cost, self.motion);
                route.check(world)
            }
            AnySnapshot::Hex(world) => {
                let route: Route<HexGrid> = Route::of(self.hexes(), self.cost, self.motion);
                route.check(world).map_err(|error| match error {
                    RouteError::Empty => RouteError::Empty,
                    RouteError::Start(at) => RouteError::Start(cell(at)),
                    RouteError::Step { index, from, to } => RouteError::Step { index, from: cell(from), to: cell(to) },
                    RouteError::Cost { counted, stated } => RouteError::Cost { counted, stated },
                })
            }
        }
    }

    fn hexes(&self) -> Vec<crate::id::HexCell> {
        self.cells.iter().map(|&cell| hex(cell)).collect()
    }
}

/// A route on a world of any kind whose cells are computed leg by leg: see [`LazyRoute`].
#[derive(Clone, PartialEq, Debug)]
pub enum AnyLazyRoute {
    /// A route on a square grid.
    Square(LazyRoute),
    /// A route on a hexagonal grid.
    Hex(LazyRoute<HexGrid>),
}

from_kinds!(AnyLazyRoute: LazyRoute, LazyRoute<HexGrid>);

impl AnyLazyRoute {
    /// Returns the cost of the whole route, if it is known: see [`LazyRoute::cost`].
    pub fn cost(&self) -> Option<Cost> {
        super::on_each!(self, |route| route.cost())
    }

    /// Returns whether [`AnyLazyRoute::next_leg`] has returned all cells.
    pub fn is_done(&self) -> bool {
        super::on_each!(self, |route| route.is_done())
    }

    /// Returns the next cells to walk, or `None` at the end: see [`LazyRoute::next_leg`].
    ///
    /// # Errors
    /// As [`LazyRoute::next_leg`]; [`QueryError::OtherLegs`] if planner and world are of another kind.
    pub fn next_leg(
        &mut self,
        planner: &AnyPlanner,
        world: &AnySnapshot,
        scratch: &mut AnyScratch,
    ) -> Result<Option<Vec<Cell>>, QueryError> {
        match (self, planner, world) {
            (AnyLazyRoute::Square(route), AnyPlanner::Square(planner), AnySnapshot::Square(world)) => {
                Ok(route.next_leg(planner, world, &mut scratch.square)?.map(<[Cell]>::to_vec))
            }
            (AnyLazyRoute::Hex(route), AnyPlanner::Hex(planner), AnySnapshot::Hex(world)) => {
                let leg = route.next_leg(planner, world, &mut scratch.hex).map_err(by_cell)?;
                Ok(leg.map(|leg| leg.iter().map(|&at| cell(at)).collect()))
            }
            _ => Err(QueryError::OtherLegs),
        }
    }

    /// Returns the cells that the rest of the route is known to pass: see [`LazyRoute::waypoints`].
    pub fn waypoints(&self, planner: &AnyPlanner) -> Vec<Cell> {
        match (self, planner) {
            (AnyLazyRoute::Square(route), AnyPlanner::Square(planner)) => route.waypoints(planner),
            (AnyLazyRoute::Hex(route), AnyPlanner::Hex(planner)) => {
                route.waypoints(planner).into_iter().map(cell).collect()
            }
            _ => Vec::new(),
        }
    }

    /// Returns whether the route can still be walked after these edits: see [`LazyRoute::survives`].
    pub fn survives(&mut self, planner: &AnyPlanner, world: &AnySnapshot, edits: &[Edit]) -> bool {
        match (self, planner, world) {
            (AnyLazyRoute::Square(route), AnyPlanner::Square(planner), AnySnapshot::Square(world)) => {
                route.survives(planner, world, edits)
            }
            (AnyLazyRoute::Hex(route), AnyPlanner::Hex(planner), AnySnapshot::Hex(world)) => {
                route.survives(planner, world, edits)
            }
            _ => false,
        }
    }

    /// Plans the parts of the route again that edits hit: see [`LazyRoute::mend`].
    ///
    /// # Errors
    /// As [`LazyRoute::mend`].
    pub fn mend(
        &mut self,
        planner: &AnyPlanner,
        world: &AnySnapshot,
        edits: &[Edit],
        scratch: &mut AnyScratch,
    ) -> Result<Mended, QueryError> {
        match (self, planner, world) {
            (AnyLazyRoute::Square(route), AnyPlanner::Square(planner), AnySnapshot::Square(world)) => {
                route.mend(planner, world, edits, &mut scratch.square)
            }
            (AnyLazyRoute::Hex(route), AnyPlanner::Hex(planner), AnySnapshot::Hex(world)) => {
                let mended = route.mend(planner, world, edits, &mut scratch.hex).map_err(by_cell)?;
                Ok(match mended {
                    Mended::Kept => Mended::Kept,
                    Mended::Redone { parts, cost } => Mended::Redone { parts, cost },
                    Mended::Broken { from, to } => Mended::Broken { from: cell(from), to: cell(to) },
                })
            }
            _ => Err(QueryError::OtherLegs),
        }
    }
}
