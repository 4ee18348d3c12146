//! A queue of queries that are answered bit by bit, so much in every frame of a game: [`PlanQueue`].
//!
//! All searches run one after another in one scratch, and only the search under way is sliced: a waiting query takes some
//! dozens of bytes. A route in legs gives its first leg at once and waits again with the rest.
//!
//! Not here: tickets and pieces (`plan_queue/piece.rs`), searching in slices (`planner`), and many queries in one call
//! (`batch.rs`).

pub(crate) mod piece;

use crate::method::Leg;
use crate::planner::Planner;
use crate::planner::lazy::LazyRoute;
use crate::query::{Outcome, Query, QueryError, Stale};
use crate::route::Route;
use crate::scratch::Scratch;
use crate::space::square::SquareGrid;
use crate::space::{Motion, Revision, Snapshot, Space};
use piece::{Part, Piece, TickBudget, Ticked, Ticket};
use std::collections::{BTreeMap, VecDeque};

/// A queue of queries that is worked off within the budget of each frame.
///
/// ```
/// use portolan::{Outcome, PlanQueue, Planner, Query, Rules, SquareGrid, TickBudget, World};
/// let world = World::from(SquareGrid::open(300, 300, Rules::default())?);
/// let planner = Planner::new(&world, "hpa-star")?;
/// let mut queue = PlanQueue::new();
/// let ticket = queue.submit(Query::new((1, 1), (290, 133)), 0);
/// let mut steps = 0;
/// while !queue.is_empty() {
///     queue.tick(&planner, &world, TickBudget::Expansions(500))?; // once a frame
///     while let Some(piece) = queue.next_piece() {
///         assert_eq!(piece.ticket, ticket);
///         let Ok(Outcome::Reached(part)) = piece.answer else { panic!("open ground") };
///         steps += part.cells.len(); // walk them ...
///     }
/// }
/// assert_eq!(steps, 290);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Order
/// Of the queries that wait, the one of least *rank* is next. The rank of a query is its number minus
/// [`PlanQueue::PER_PRIORITY`] times its priority: one step of priority is worth as much as being submitted 16 queries
/// sooner. So waiting raises the priority over that of later queries, and a query is overtaken by at most 16 later ones
/// for each step by which their priority is higher: none waits for ever, however many come.
///
/// A route in legs waits again for the rest of its legs when its first one is ready. It is then ranked as if it were
/// submitted at that moment, and 4,096 queries later than it was. So it comes after the first leg of every query that waits
/// at that moment, whatever their priorities, and of the next queries that are submitted; yet these cannot hold it off for
/// ever either.
///
/// A search under way is not interrupted by another one, also not by one of higher priority.
///
/// # Edits
/// If the world was edited since the last tick, the search under way is begun again, and routes that wait for the rest of
/// their legs are planned again in the place that their query had at first. Each piece says for which state of the world it
/// was planned.
///
/// The routes do not depend on the budgets of the ticks.
pub struct PlanQueue<S: Space = SquareGrid> {
    scratch: Scratch<S>,
    /// Whether routes are searched for in one piece, smoothed, by all algorithms.
    whole: bool,
    /// The number of the next ticket.
    next: u64,
    /// The jobs that wait, by rank and ticket.
    waiting: BTreeMap<(i64, Ticket), Job<S>>,
    /// The rank of each ticket that waits.
    rank_by_ticket: BTreeMap<Ticket, i64>,
    /// The search under way.
    current: Option<(Ticket, Job<S>)>,
    /// The legs that the search under way has found.
    legs: Vec<Leg<S::Place>>,
    /// The state of the world at the last tick.
    revision: Option<Revision>,
    /// The pieces that were not yet fetched.
    ready: VecDeque<Piece<S::Place>>,
}

/// A query, or the rest of its route.
struct Job<S: Space> {
    query: Query<S::Place>,
    priority: u8,
    rest: Option<Box<Rest<S>>>,
}

/// A route whose first pieces have been given away.
struct Rest<S: Space> {
    /// The route in legs, and whether it leads to the goal.
    outcome: Outcome<LazyRoute<S>>,
    /// How many pieces have been given away.
    pieces: usize,
}

impl<S: Space> Default for PlanQueue<S> {
    fn default() -> PlanQueue<S> {
        PlanQueue::new()
    }
}

impl<S: Space> PlanQueue<S> {
    /// How many queries sooner one step of priority is worth.
    pub const PER_PRIORITY: u64 = 16;

    /// How many queries later the rest of a route is ranked than the first leg of a query submitted at that moment: more
    /// than all steps of priority are worth.
    const REST_LATER: i64 = 256 * Self::PER_PRIORITY as i64;

    /// How many expansions are made at most before the caller is asked whether time is up.
    const SLICE: u64 = 64;

    /// Returns an empty queue. Algorithms that plan in legs give routes leg by leg, as [`Planner::plan`] does.
    pub fn new() -> PlanQueue<S> {
        PlanQueue {
            scratch: Scratch::new(),
            whole: false,
            next: 0,
            waiting: BTreeMap::new(),
            rank_by_ticket: BTreeMap::new(),
            current: None,
            legs: Vec::new(),
            revision: None,
            ready: VecDeque::new(),
        }
    }

    /// Returns an empty queue in which every algorithm gives whole routes, as [`Planner::find`] does: smoothed, and in
    /// straight lines if the algorithm finds such.
    pub fn of_whole_routes() -> PlanQueue<S> {
        PlanQueue { whole: true, ..PlanQueue::new() }
    }

    /// Adds a query; a higher priority is served sooner.
    pub fn submit(&mut self, query: Query<S::Place>, priority: u8) -> Ticket {
        let ticket = Ticket(self.next);
        self.next += 1;
        self.put(ticket, first_rank(ticket, priority), Job { query, priority, rest: None });
        ticket
    }

    /// Removes a query and those of its pieces that were not yet fetched. Returns whether it was not done yet.
    pub fn cancel(&mut self, ticket: Ticket) -> bool {
        self.ready.retain(|piece| piece.ticket != ticket);
        if self.current.take_if(|(current, _)| *current == ticket).is_some() {
            self.drop_search();
            return true;
        }
        let Some(rank) = self.rank_by_ticket.remove(&ticket) else { return false };
        self.waiting.remove(&(rank, ticket)).is_some()
    }

    /// Returns the number of queries that are not done.
    pub fn len(&self) -> usize {
        self.waiting.len() + usize::from(self.current.is_some())
    }

    /// Returns whether all queries are done. Pieces may still be ready to be fetched.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the piece that has been ready for longest and was not yet fetched.
    pub fn next_piece(&mut self) -> Option<Piece<S::Place>> {
        self.ready.pop_front()
    }

    /// Returns about how many bytes the queue holds: the scratch, what waits, and the pieces that were not fetched.
    pub fn bytes(&self) -> usize {
        let rest = |job: &Job<S>| job.rest.as_ref().map_or(0, |rest| size_of::<Rest<S>>() + rest.bytes());
        let jobs = self.waiting.values().chain(self.current.as_ref().map(|(_, job)| job));
        let entry = size_of::<((i64, Ticket), Job<S>)>() + size_of::<(Ticket, i64)>();
        let cells = |piece: &Piece<S::Place>| match &piece.answer {
            Ok(outcome) => outcome.route().map_or(0, |part| part.cells.capacity() * size_of::<S::Place>()),
            Err(_) => 0,
        };
        self.scratch.bytes()
            + jobs.map(|job| entry + rest(job)).sum::<usize>()
            + self.ready.capacity() * size_of::<Piece<S::Place>>()
            + self.ready.iter().map(cells).sum::<usize>()
    }

    /// Works off the queue until the budget is spent or nothing waits. After an edit, repair the planner first.
    ///
    /// # Errors
    /// When the planner's revision is not that of the world; nothing is lost then.
    pub fn tick(&mut self, planner: &Planner<S>, world: &Snapshot<S>, mut budget: TickBudget) -> Result<Ticked, Stale> {
        planner.check_knows(world)?;
        if self.revision.replace(world.revision()).is_some_and(|before| before != world.revision()) {
            self.begin_again();
        }
        let mut ticked = Ticked::default();
        loop {
            let allowed = match &mut budget {
                TickBudget::Expansions(most) => most.saturating_sub(ticked.expansions),
                TickBudget::Until(time_is_up) => {
                    if time_is_up() {
                        0
                    } else {
                        Self::SLICE
                    }
                }
            };
            if allowed == 0 || !self.work(planner, world, allowed, &mut ticked) {
                return Ok(ticked);
            }
        }
    }

    /// Has every route that waits for the rest of its legs planned again, in the place that its query had at first. The
    /// search under way is begun again when its planner sees that it is for another state of the world.
    fn begin_again(&mut self) {
        let begun: Vec<(i64, Ticket)> =
            self.waiting.iter().filter(|(_, job)| job.rest.is_some()).map(|(&key, _)| key).collect();
        for key in begun {
            let job = self.waiting.remove(&key).expect("it was found just now");
            self.put(key.1, first_rank(key.1, job.priority), Job { rest: None, ..job });
        }
    }

    fn put(&mut self, ticket: Ticket, rank: i64, job: Job<S>) {
        self.rank_by_ticket.insert(ticket, rank);
        self.waiting.insert((rank, ticket), job);
    }

    /// Forgets the search under way.
    fn drop_search(&mut self) {
        self.scratch.pending = None;
        self.legs.clear();
    }

    /// Makes up to `allowed` expansions of the search under way, or turns one leg into cells. Returns whether there was
    /// anything to do.
    fn work(&mut self, planner: &Planner<S>, world: &Snapshot<S>, allowed: u64, ticked: &mut Ticked) -> bool {
        let (ticket, job) = match self.current.take() {
            Some(current) => current,
            None => match self.waiting.pop_first() {
                Some(((_, ticket), job)) => {
                    self.rank_by_ticket.remove(&ticket);
                    (ticket, job)
                }
                None => return false,
            },
        };
        let ready = self.ready.len();
        let spent = if job.rest.is_some() {
            self.give_leg(planner, world, ticket, job)
        } else {
            self.search(planner, world, ticket, job, allowed)
        };
        ticked.expansions += spent.max(1);
        ticked.pieces += self.ready.len() - ready;
        true
    }

    /// Continues or begins the search for a query, and gives its first piece if it ends. Returns the expansions made.
    fn search(&mut self, planner: &Planner<S>, world: &Snapshot<S>, ticket: Ticket, job: Job<S>, allowed: u64) -> u64 {
        if !planner.is_under_way(job.query, &self.scratch) {
            self.drop_search();
            if let Err(error) = planner.begin(world, job.query, &mut self.scratch) {
                self.give(ticket, 0, true, Err(error));
                return 0;
            }
        }
        let mut left = allowed;
        let scratch = &mut self.scratch;
        if self.whole {
            match planner.advance(world, scratch, &mut left, None, None) {
                Ok(None) => self.current = Some((ticket, job)),
                ended => {
                    let ended = ended.map(|outcome| outcome.expect("it has ended").map(whole));
                    self.give(ticket, 0, true, ended);
                }
            }
            return allowed - left;
        }
        match planner.plan_step(world, scratch, &mut left, &mut self.legs) {
            Ok(None) => self.current = Some((ticket, job)),
            Ok(Some(outcome)) if outcome.route().is_some() => {
                let rest = Some(Box::new(Rest { outcome, pieces: 0 }));
                let cells = self.give_leg(planner, world, ticket, Job { rest, ..job });
                // A search that does not plan in legs has found the cells by its expansions.
                return allowed - left + if planner.plans_in_legs() { cells } else { 0 };
            }
            ended => {
                let ended =
                    ended.map(|outcome| outcome.expect("it has ended").map(|_| unreachable!("it has no route")));
                self.give(ticket, 0, true, ended);
            }
        }
        allowed - left
    }

    /// Gives the next leg of a route, and puts what is left of it back into the queue. Returns the number of cells.
    fn give_leg(&mut self, planner: &Planner<S>, world: &Snapshot<S>, ticket: Ticket, mut job: Job<S>) -> u64 {
        let rest = job.rest.as_mut().expect("the caller has seen it");
        let number = rest.pieces;
        let (Outcome::Reached(route) | Outcome::Partial(route)) = &mut rest.outcome else {
            unreachable!("only routes are kept")
        };
        let Ok(cells) = route.next_leg(planner, world, &mut self.scratch) else {
            // The chart was built again since the route was planned, or this is another planner.
            self.put(ticket, first_rank(ticket, job.priority), Job { rest: None, ..job });
            return 0;
        };
        let cells = cells.unwrap_or_default().to_vec();
        let (is_last, count) = (route.is_done(), cells.len() as u64);
        let part = Part { cells, motion: Motion::Steps, cost: route.cost() };
        rest.pieces += 1;
        let answer =
            if matches!(rest.outcome, Outcome::Reached(_)) { Outcome::Reached(part) } else { Outcome::Partial(part) };
        self.give(ticket, number, is_last, Ok(answer));
        if !is_last {
            let rank = self.next as i64 + Self::REST_LATER - worth(job.priority);
            self.put(ticket, rank, job);
        }
        count
    }

    fn give(
        &mut self,
        ticket: Ticket,
        number: usize,
        is_last: bool,
        answer: Result<Outcome<Part<S::Place>>, QueryError<S::Place>>,
    ) {
        let revision = self.revision.expect("a tick sets it");
        self.ready.push_back(Piece { ticket, revision, number, is_last, answer });
    }
}

impl<S: Space> Rest<S> {
    fn bytes(&self) -> usize {
        self.outcome.route().map_or(0, LazyRoute::bytes)
    }
}

/// Returns how many queries sooner a priority is worth.
fn worth(priority: u8) -> i64 {
    i64::from(priority) * PlanQueue::<SquareGrid>::PER_PRIORITY as i64
}

/// Returns the rank of a query that has got nothing yet.
fn first_rank(ticket: Ticket, priority: u8) -> i64 {
    ticket.0 as i64 - worth(priority)
}

/// Returns a whole route as one piece.
fn whole<S: Space>(route: Route<S>) -> Part<S::Place> {
    let (motion, cost) = (route.motion(), Some(route.cost()));
    Part { cells: route.into_cells(), motion, cost }
}
