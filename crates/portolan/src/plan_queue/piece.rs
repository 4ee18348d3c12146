//! What a [`PlanQueue`](super::PlanQueue) takes and gives: tickets, budgets of a tick, and pieces of routes.
//!
//! Not here: the queue.

use crate::cost::Cost;
use crate::id::Cell;
use crate::query::{Outcome, QueryError};
use crate::space::{Motion, Revision};
use std::fmt;

/// The number of a query in a [`PlanQueue`](super::PlanQueue). Later queries have greater numbers.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Ticket(pub(super) u64);

impl fmt::Display for Ticket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How much a tick of a [`PlanQueue`](super::PlanQueue) may do.
#[non_exhaustive]
pub enum TickBudget<'a> {
    /// This many expansions. A leg that is turned into cells counts as one expansion a cell, and everything that is done
    /// without a search as one. The last leg or the connection of the last query to a chart may go beyond the number.
    Expansions(u64),
    /// Until the closure returns true: the engine has no clock, so that the caller says when time is up. It is asked
    /// before every slice of up to 64 expansions and before every leg.
    Until(&'a mut dyn FnMut() -> bool),
}

/// What a tick of a [`PlanQueue`](super::PlanQueue) has done.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Ticked {
    /// How many expansions were made, counted as [`TickBudget::Expansions`] counts them.
    pub expansions: u64,
    /// How many pieces became ready.
    pub pieces: usize,
}

/// A piece of the answer to a query: the cells of a leg, of a whole route, or the reason why there is none.
#[derive(Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Piece<P = Cell> {
    /// The query that the piece belongs to.
    pub ticket: Ticket,
    /// The state of the world that the piece was planned for.
    pub revision: Revision,
    /// The number of the piece in its route. Number 0 is the first piece of a new route: if there were pieces of an older
    /// route of this ticket, an edit came in between, and they no longer count.
    pub number: usize,
    /// Whether this is the last piece, so that the ticket is done.
    pub is_last: bool,
    /// The cells of the piece, or why there is no route.
    pub answer: Result<Outcome<Part<P>>, QueryError<P>>,
}

/// Cells of a route, and what is known of the whole route.
#[derive(Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Part<P = Cell> {
    /// The cells to walk. The first piece begins with the start of the query; a later piece does not repeat the last cell
    /// of the piece before, and the last one may be empty.
    pub cells: Vec<P>,
    /// How the route leads from each of its cells to the next.
    pub motion: Motion,
    /// The cost of the whole route, if it is known: see [`LazyRoute::cost`](crate::LazyRoute::cost).
    pub cost: Option<Cost>,
}
