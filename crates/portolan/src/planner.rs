//! An algorithm made ready for a world: [`Planner`]. It checks what every query must be checked for, hands the search
//! to the algorithm, and follows the world's edits.

use crate::chart::{self, Bounds, ChartStream, Leg, OpenError, SaveError, SavedChart};
use crate::cost::Cost;
use crate::id::Cell;
use crate::memory::{self, OutOfMemory};
use crate::outline::Outline;
use crate::probe::Probe;
use crate::query::{Outcome, Query, QueryError};
use crate::registry::{Algorithm, Promise, SettingError, Settings, Unsuited, Value, algorithm};
use crate::route::Route;
use crate::route::lazy::LazyRoute;
use crate::scratch::Scratch;
use crate::search::{End, Method, Task, a_star};
use crate::world::square::SquareGrid;
use crate::world::{Area, Edit, Revision, Snapshot};
use std::sync::atomic::{AtomicU64, Ordering};

/// An algorithm with its settings and whatever it derived from one revision of a world. Read-only while it answers:
/// share it between threads and give each a [`Scratch`].
///
/// A clone can be repaired on another thread, against a snapshot of the edited world, while this one goes on answering
/// for the old one; then it takes its place.
///
/// ```
/// use portolan::{Outcome, Planner, Query, Rules, Scratch, SquareGrid, World};
/// let world = World::from(SquareGrid::open(64, 64, Rules::default())?);
/// let planner = Planner::new(&world, "jump-point")?;
/// let mut scratch = Scratch::new();
/// let Outcome::Reached(route) = planner.find(&world, Query::new((1, 1), (60, 33)), &mut scratch)? else {
///     panic!("open ground");
/// };
/// assert_eq!(route.steps(), 59);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Planner {
    algorithm: &'static Algorithm,
    settings: Settings,
    method: Box<dyn Method>,
    revision: Revision,
    /// Tells planners apart in a scratch.
    serial: u64,
    /// Tells apart the charts that legs lead over: see [`Planner::legs_id`].
    legs_id: u64,
}

/// Why a planner could not be made.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// No algorithm has that name.
    #[error("there is no algorithm {0:?}")]
    Unknown(String),
    /// A setting is at fault.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The world is not of the kind the algorithm runs on.
    #[error(transparent)]
    Unsuited(#[from] Unsuited),
    /// There is no memory for the tables that the algorithm makes of a world of this size.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
}

/// A search between two steps.
#[derive(Clone)]
pub(crate) struct Pending {
    planner: u64,
    revision: Revision,
    query: Query,
    /// Where it is really going.
    goal: Cell,
    left: u64,
    /// What is known without searching.
    settled: Option<Settled>,
    /// Whether an exact search has taken over.
    exact: bool,
}

#[derive(Copy, Clone)]
enum Settled {
    AlreadyThere,
    Unreachable,
}

impl Planner {
    /// The algorithm of that name with its default settings.
    ///
    /// # Errors
    /// When the name is unknown or the algorithm does not run on this world.
    pub fn new(world: &Snapshot, name: &str) -> Result<Planner, BuildError> {
        let algorithm = algorithm(name).ok_or_else(|| BuildError::Unknown(name.to_owned()))?;
        Self::build(world, algorithm, algorithm.settings::<&str, &str>(&[])?)
    }

    /// An algorithm with these settings of its own.
    ///
    /// # Errors
    /// When the algorithm does not run on this world, or there is no memory for tables whose size is known beforehand.
    pub fn build(world: &Snapshot, algorithm: &'static Algorithm, settings: Settings) -> Result<Planner, BuildError> {
        algorithm.suits(world)?;
        memory::check((algorithm.known_bytes)(world, &settings))?;
        let method = (algorithm.build)(world, &settings);
        Ok(Self::of(world, algorithm, settings, method))
    }

    fn of(world: &Snapshot, algorithm: &'static Algorithm, settings: Settings, method: Box<dyn Method>) -> Planner {
        Planner {
            algorithm,
            settings,
            method,
            revision: world.revision(),
            serial: next_serial(),
            legs_id: next_serial(),
        }
    }

    /// The same algorithm with the same settings, built from nothing for this world: what repairs should have led to. A
    /// chart keeps lines that were placed once and stay there.
    ///
    /// # Errors
    /// As [`Planner::build`].
    pub fn anew(&self, world: &Snapshot) -> Result<Planner, BuildError> {
        self.algorithm.suits(world)?;
        memory::check((self.algorithm.known_bytes)(world, &self.settings))?;
        let build = || (self.algorithm.build)(world, &self.settings);
        let method = self.method.anew(world).unwrap_or_else(build);
        Ok(Self::of(world, self.algorithm, self.settings.clone(), method))
    }

    /// What it derived from this world, as plain data that [`Planner::open`] takes. Of a chart that prices crossings on
    /// first use, what is filled in by now; of landmarks nothing between an edit and [`Planner::refresh`].
    ///
    /// The data is a copy, which takes about as much memory as the chart; [`Planner::stream`] makes none.
    ///
    /// # Errors
    /// When the algorithm keeps nothing worth saving, or the planner does not know this world.
    pub fn save(&self, world: &Snapshot) -> Result<SavedChart<'static>, SaveError> {
        self.stream(world).map(|stream| stream.collect())
    }

    /// What [`Planner::save`] gives, section by section and with the bytes read off the planner as they are written.
    ///
    /// ```
    /// use portolan::{Planner, Rules, SquareGrid, World};
    /// let world = World::from(SquareGrid::open(64, 64, Rules::default())?);
    /// let planner = Planner::new(&world, "rhumb")?;
    /// let mut written = Vec::new(); // or a file
    /// for section in &planner.stream(&world)?.sections {
    ///     section.write_to(&mut written)?;
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Planner::save`].
    pub fn stream(&self, world: &Snapshot) -> Result<ChartStream<'_>, SaveError> {
        if self.revision != world.revision() {
            return Err(SaveError::Stale { built: self.revision, asked: world.revision() });
        }
        let sections = self.method.save().ok_or(SaveError::Nothing(self.algorithm.name))?;
        let text = |(name, value): (&'static str, Value)| (name.into(), value.to_string().into());
        Ok(ChartStream {
            algorithm: self.algorithm.name.into(),
            settings: self.settings.iter().map(text).collect(),
            sections,
        })
    }

    /// The planner that was saved, without the searches that building it took. The world must be as it was: with other
    /// terrain routes may be longer than they need to be, though never wrong.
    ///
    /// # Errors
    /// When the data is none that [`Planner::save`] gives for a world like this.
    pub fn open(world: &Snapshot, saved: &SavedChart) -> Result<Planner, OpenError> {
        let algorithm = algorithm(&saved.algorithm).ok_or_else(|| OpenError::Unknown(saved.algorithm.to_string()))?;
        let settings = algorithm.settings(&saved.settings)?;
        algorithm.suits(world)?;
        let method = chart::open(world, algorithm, &settings, &saved.sections)?;
        Ok(Self::of(world, algorithm, settings, method))
    }

    /// Which algorithm this is.
    pub fn algorithm(&self) -> &'static Algorithm {
        self.algorithm
    }

    pub(crate) fn method(&self) -> &dyn Method {
        &*self.method
    }

    /// Its settings.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// What it promises on this world.
    pub fn promise(&self, world: &Snapshot) -> Promise {
        self.algorithm.promise(world, &self.settings)
    }

    /// The size of the abstract graph a chart searches, level by level from the lowest; empty for flat searches.
    pub fn census(&self, world: &Snapshot) -> Vec<Census> {
        self.method.census(world)
    }

    /// What it has drawn over the world it knows, for those who show it; nothing where it has drawn nothing.
    pub fn outline(&self, world: &Snapshot) -> Option<Outline> {
        self.method.outline(world)
    }

    /// The tree kept for a port: each cell from which there is a way to it, with the next cell on that way, row by row.
    /// Every port of `dhpa-star` has one over its cluster, every port of `rhumb` one over each leaf that it lies on, told
    /// as one. Nothing where nothing is kept for that cell, or the planner does not know this world.
    ///
    /// ```
    /// use portolan::{Planner, Rules, SquareGrid, World};
    /// let world = World::from(SquareGrid::open(40, 40, Rules::default())?);
    /// let planner = Planner::new(&world, "dhpa-star")?;
    /// let outline = planner.outline(&world).ok_or("it has clusters")?;
    /// let port = outline.layers[0].ports[0];
    /// let tree = planner.tree(&world, port);
    /// assert!(tree.iter().any(|&(_, next)| next == port));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tree(&self, world: &Snapshot, port: Cell) -> Vec<(Cell, Cell)> {
        let knows = self.revision == world.revision() && world.contains(port);
        if knows { self.method.tree(world, port) } else { Vec::new() }
    }

    /// The state of the world it knows.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Bytes it derived from the world.
    pub fn bytes(&self) -> usize {
        self.method.bytes()
    }

    /// Follows the world after [`crate::World::apply`]: `edits` are all the edits since this planner was built or last
    /// repaired, and `world` has seen them.
    ///
    /// # Errors
    /// When the edits do not lead from the planner's revision to the world's, or the world is no longer of the kind
    /// the algorithm runs on. The planner then stays as it was.
    pub fn repair(&mut self, world: &Snapshot, edits: &[Edit]) -> Result<Repair, RepairError> {
        let (built, asked) = (self.revision, world.revision());
        if built.after(edits) != asked {
            return Err(RepairError::Gap { built, asked, edits: edits.len() });
        }
        self.algorithm.suits(world)?;
        let repair = self.method.repair(world, edits);
        if repair.rebuilt {
            self.legs_id = next_serial();
        }
        self.revision = asked;
        Ok(repair)
    }

    /// Redoes in full what repairs leave out because it takes long: landmarks. Answers are the same without, only slower
    /// to come by. Meant for a clone on another thread; changes nothing in what repairs leave whole. Searches begun before
    /// cannot be continued.
    ///
    /// # Errors
    /// When the planner does not know this world.
    pub fn refresh(&mut self, world: &Snapshot) -> Result<(), RepairError> {
        let (built, asked) = (self.revision, world.revision());
        if built != asked {
            return Err(RepairError::Gap { built, asked, edits: 0 });
        }
        if self.method.refresh(world) {
            self.legs_id = next_serial();
        }
        self.serial = next_serial();
        Ok(())
    }

    /// Finds a route in one go.
    ///
    /// # Errors
    /// When start or goal is off the map, the start is blocked, the planner does not know this world, or there is no memory
    /// for the records of a flat search.
    pub fn find(&self, world: &Snapshot, query: Query, scratch: &mut Scratch) -> Result<Outcome, QueryError> {
        self.begin(world, query, scratch)?;
        self.step(world, scratch, u64::MAX).map(|outcome| outcome.expect("an unlimited step ends the search"))
    }

    /// Finds a route in legs, to be turned into cells as it is walked. A chart is done long before it would have the
    /// whole route, and pieces come unsmoothed; a flat search knows its whole route and hands it out in one piece.
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn plan(
        &self,
        world: &Snapshot,
        query: Query,
        scratch: &mut Scratch,
    ) -> Result<Outcome<LazyRoute>, QueryError> {
        self.begin(world, query, scratch)?;
        let whole = |route: Route| LazyRoute::new(self, Some(route.cost()), vec![], route.into_cells());
        let pending = scratch.pending.take().expect("begun just now");
        let (None, Some(legs)) = (pending.settled, self.method.legs()) else {
            scratch.pending = Some(pending);
            let outcome = self.step(world, scratch, u64::MAX)?.expect("an unlimited step ends the search");
            return Ok(outcome.map(whole));
        };
        let task = Task { grid: world, from: query.from, to: pending.goal };
        let (mut found, mut left) = (Vec::new(), pending.left);
        let mut end = legs.survey(task, scratch, &mut left, &mut found);
        if end == Some(End::NotFound) {
            found.clear();
            let exact = begin_exact(task, scratch);
            end = exact.step(task, scratch, &mut left, None);
        }
        let cost = match end {
            Some(End::Found(cost)) => cost,
            Some(End::NotFound) => return Ok(Outcome::TooFar),
            None => return Ok(Outcome::OutOfBudget),
        };
        let cells = scratch.trail.iter().rev().copied().collect();
        let is_known = found.is_empty() || legs.knows_cost();
        let route = LazyRoute::new(self, is_known.then_some(Cost(cost)), found, cells);
        Ok(if pending.goal == query.to { Outcome::Reached(route) } else { Outcome::Partial(route) })
    }

    /// Whether [`Planner::plan`] knows the first steps before the last.
    pub fn plans_in_legs(&self) -> bool {
        self.method.legs().is_some()
    }

    /// Turns the next of some legs into cells.
    pub(crate) fn refine(&self, world: &Snapshot, legs: &mut Vec<Leg>, scratch: &mut Scratch, cells: &mut Vec<Cell>) {
        let method = self.method.legs().expect("only charts plan in legs");
        scratch.pending = None;
        method.refine(world, legs, scratch, cells);
    }

    /// The number of the chart that legs lead over. Copies of a planner share it, and repairs keep it as long as they do
    /// not build the chart anew: legs of a chart with another number cannot be refined.
    pub(crate) fn legs_id(&self) -> u64 {
        self.legs_id
    }

    /// Where a leg may lead.
    pub(crate) fn leg_bounds(&self, leg: Leg) -> Option<Bounds> {
        self.method.legs().map(|legs| legs.bounds(leg))
    }

    /// As [`Planner::find`], telling a probe what happens.
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn watch(
        &self,
        world: &Snapshot,
        query: Query,
        scratch: &mut Scratch,
        probe: &mut dyn Probe,
    ) -> Result<Outcome, QueryError> {
        self.begin(world, query, scratch)?;
        let outcome = self.advance(world, scratch, u64::MAX, Some(probe))?;
        Ok(outcome.expect("an unlimited step ends the search"))
    }

    /// Begins a search that [`Planner::step`] continues, so that a game can spend some expansions a frame. The search
    /// lives in the scratch until it ends or another begins there.
    ///
    /// ```
    /// # use portolan::{Planner, Query, Rules, Scratch, SquareGrid, World};
    /// # let world = World::from(SquareGrid::open(64, 64, Rules::default())?);
    /// # let planner = Planner::new(&world, "a-star")?;
    /// # let mut scratch = Scratch::new();
    /// planner.begin(&world, Query::new((1, 1), (60, 33)), &mut scratch)?;
    /// let outcome = loop {
    ///     if let Some(outcome) = planner.step(&world, &mut scratch, 10)? {
    ///         break outcome;
    ///     }
    ///     // ... the rest of the frame ...
    /// };
    /// assert!(outcome.route().is_some());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Planner::find`].
    pub fn begin(&self, world: &Snapshot, query: Query, scratch: &mut Scratch) -> Result<(), QueryError> {
        scratch.pending = None;
        scratch.trail.clear();
        if self.revision != world.revision() {
            return Err(QueryError::Stale { built: self.revision, asked: world.revision() });
        }
        query.check(world)?;
        let reachable = world.connected(query.from, query.to);
        let goal = if !reachable && query.nearest {
            world.nearest_reachable(query.from, query.to).expect("the start is free")
        } else {
            query.to
        };
        let settled = if !reachable && !query.nearest {
            Some(Settled::Unreachable)
        } else if goal == query.from {
            Some(Settled::AlreadyThere)
        } else {
            self.method.reserve(world, scratch)?;
            self.method.begin(Task { grid: world, from: query.from, to: goal }, scratch);
            None
        };
        let left = query.budget.or(self.method.budget()).unwrap_or(u64::MAX);
        scratch.pending =
            Some(Pending { planner: self.serial, revision: self.revision, query, goal, left, settled, exact: false });
        Ok(())
    }

    /// Expands up to that many nodes of the search begun; `None` means there is more to do.
    ///
    /// # Errors
    /// When this planner has begun nothing in this scratch, or the world has been edited since.
    pub fn step(
        &self,
        world: &Snapshot,
        scratch: &mut Scratch,
        expansions: u64,
    ) -> Result<Option<Outcome>, QueryError> {
        self.advance(world, scratch, expansions, None)
    }

    /// As [`Planner::step`], telling a probe what happens. All slices together tell what [`Planner::watch`] does in one
    /// go.
    ///
    /// ```
    /// # use portolan::{Planner, Query, Rules, Scratch, SquareGrid, Trace, World};
    /// # let world = World::from(SquareGrid::open(64, 64, Rules::default())?);
    /// # let planner = Planner::new(&world, "a-star")?;
    /// # let mut scratch = Scratch::new();
    /// let (mut trace, mut frames) = (Trace::default(), 0);
    /// planner.begin(&world, Query::new((1, 1), (60, 33)), &mut scratch)?;
    /// while planner.watch_step(&world, &mut scratch, 10, &mut trace)?.is_none() {
    ///     frames += 1; // ... show what has happened so far ...
    /// }
    /// assert!(frames > 0 && !trace.events.is_empty());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As [`Planner::step`].
    pub fn watch_step(
        &self,
        world: &Snapshot,
        scratch: &mut Scratch,
        expansions: u64,
        probe: &mut dyn Probe,
    ) -> Result<Option<Outcome>, QueryError> {
        self.advance(world, scratch, expansions, Some(probe))
    }

    /// Expands up to `left` nodes. The route of an algorithm that does not promise the cheapest may cost more than can be
    /// counted where another does not: then an exact search takes over, as `exact` says from there on.
    fn expand(
        &self,
        task: Task,
        scratch: &mut Scratch,
        exact: &mut bool,
        left: &mut u64,
        mut probe: Option<&mut dyn Probe>,
    ) -> Option<End> {
        if !*exact {
            let watching = probe.as_mut().map(|probe| &mut **probe as &mut dyn Probe);
            let end = self.method.step(task, scratch, left, watching)?;
            let promise = self.algorithm.promise(task.grid, &self.settings);
            if end != End::NotFound || promise == Promise::Optimal {
                return Some(end);
            }
            begin_exact(task, scratch);
            *exact = true;
        }
        exact_search(task.grid).step(task, scratch, left, probe)
    }

    fn advance(
        &self,
        world: &Snapshot,
        scratch: &mut Scratch,
        expansions: u64,
        probe: Option<&mut dyn Probe>,
    ) -> Result<Option<Outcome>, QueryError> {
        let ours = |pending: &Pending| pending.planner == self.serial && pending.revision == self.revision;
        let mut pending = scratch.pending.take().filter(ours).ok_or(QueryError::NothingBegun)?;
        if pending.revision != world.revision() {
            return Err(QueryError::Stale { built: pending.revision, asked: world.revision() });
        }
        let Pending { query, goal, .. } = pending;
        let cost = match pending.settled {
            Some(Settled::Unreachable) => return Ok(Some(Outcome::Unreachable)),
            Some(Settled::AlreadyThere) => {
                scratch.trail.push(query.from);
                0
            }
            None => {
                let allowed = expansions.min(pending.left);
                let mut left = allowed;
                let task = Task { grid: world, from: query.from, to: goal };
                let end = self.expand(task, scratch, &mut pending.exact, &mut left, probe);
                pending.left -= allowed - left;
                match end {
                    Some(End::Found(cost)) => cost,
                    Some(End::NotFound) => return Ok(Some(Outcome::TooFar)),
                    None if pending.left == 0 => return Ok(Some(Outcome::OutOfBudget)),
                    None => {
                        scratch.pending = Some(pending);
                        return Ok(None);
                    }
                }
            }
        };
        let route = Route::new(scratch.trail.iter().rev().copied().collect(), Cost(cost));
        Ok(Some(if goal == query.to { Outcome::Reached(route) } else { Outcome::Partial(route) }))
    }
}

/// The search that has the last word on whether there is a route whose cost can be counted.
fn exact_search(grid: &SquareGrid) -> Box<dyn Method> {
    let settings = a_star::ALGORITHM.settings::<&str, &str>(&[]).expect("the defaults are sound");
    (a_star::ALGORITHM.build)(grid, &settings)
}

/// Begins that search, whatever another one has written.
fn begin_exact(task: Task, scratch: &mut Scratch) -> Box<dyn Method> {
    let exact = exact_search(task.grid);
    scratch.trail.clear();
    exact.begin(task, scratch);
    exact
}

fn next_serial() -> u64 {
    static PLANNERS: AtomicU64 = AtomicU64::new(0);
    PLANNERS.fetch_add(1, Ordering::Relaxed)
}

/// The size of one level of a chart.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Census {
    /// Clusters the world is cut into.
    pub clusters: usize,
    /// Nodes on the borders between them.
    pub nodes: usize,
    /// Edges across those borders.
    pub inter_edges: usize,
    /// Pairs of nodes of one cluster that reach each other inside it.
    pub intra_edges: usize,
}

/// What a planner did to follow an edit.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Repair {
    /// Clusters redone, on all levels; none where nothing is kept by cluster.
    pub clusters: usize,
    /// What was redone of the lowest level, row by row and each once: its clusters or leaves, rectangles around regions of
    /// other shapes, or around the jump points whose leaps an edit changed. None where nothing is kept that can be shown.
    pub areas: Vec<Area>,
    /// Whether everything was built anew, along other lines, so that no [`LazyRoute`] planned before survives it.
    pub rebuilt: bool,
}

impl Repair {
    /// A repair of areas told in any order.
    pub(crate) fn of(clusters: usize, areas: impl Iterator<Item = Area>) -> Repair {
        let mut areas: Vec<Area> = areas.collect();
        areas.sort_unstable_by_key(|area| (area.y, area.x, area.height, area.width));
        areas.dedup();
        Repair { clusters, areas, rebuilt: false }
    }
}

/// Why a planner could not follow an edit.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RepairError {
    /// The edits do not connect the two revisions.
    #[error("{edits} edits do not lead from {built} to {asked}")]
    Gap {
        /// What the planner knows.
        built: Revision,
        /// What the world is.
        asked: Revision,
        /// How many edits were given.
        edits: usize,
    },
    /// The world is no longer of the kind the algorithm runs on.
    #[error(transparent)]
    Unsuited(#[from] Unsuited),
}
