//! [`Planner`]: an algorithm built for a world. This file builds, saves and opens planners, and repairs them after
//! edits.
//!
//! Not here: answering queries (`planner/searching.rs`, and `planner/planning.rs` in legs), routes in legs
//! (`planner/lazy.rs`), charts that several planners share (`planner/sharing.rs`) and meshes of which a part was replaced (`planner/patching.rs`).

pub(crate) mod lazy;
pub(crate) mod patching;
mod planning;
pub(crate) mod searching;
mod sharing;
mod so_far;

use crate::algorithm::{Algorithm, Promise, Unsuited};
use crate::flat::{Flat, FlatMark, FlatPatch};
use crate::id::next_serial;
use crate::memory::{self, OutOfMemory};
use crate::method::{Method, Repair};
use crate::outline::{Census, Outline, Tree};
use crate::query::Stale;
use crate::registry::algorithm_on;
use crate::route::straight::STRAIGHTEN;
use crate::saved::{self, ChartStream, OpenError, SaveError, SavedChart};
use crate::settings::{SettingError, Settings, Value};
use crate::space::square::SquareGrid;
use crate::space::{Extras, Motion, Revision, Snapshot, Space, World};

/// An algorithm with its settings and the data it derived from one revision of a world. Queries only read it: threads
/// can share one planner, each with a [`crate::Scratch`] of its own.
///
/// To repair without a pause, clone the planner and repair the clone on another thread, with a snapshot of the edited
/// world. Until it is ready, the old planner answers queries on a snapshot of the old world; then replace it by the
/// clone.
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
pub struct Planner<S: Space = SquareGrid> {
    algorithm: &'static Algorithm<S>,
    settings: Settings,
    method: Box<dyn Method<S>>,
    revision: Revision,
    /// Whether the steps of a route are replaced by straight lines.
    straightens: bool,
    /// A number by which a scratch distinguishes planners, and states of one planner before and after a repair. Clones
    /// share it until they are repaired.
    serial: u64,
    /// The number of the chart that legs refer to: see [`Planner::legs_id`].
    legs_id: u64,
}

/// Why a planner could not be built.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// No algorithm has that name.
    #[error("there is no algorithm {0:?}")]
    Unknown(String),
    /// A setting is unknown or its value is out of range.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The algorithm does not run on a world of this kind.
    #[error(transparent)]
    Unsuited(#[from] Unsuited),
    /// There is no memory for the tables that the algorithm builds for a world of this size.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
}

impl<S: Space> Clone for Planner<S> {
    fn clone(&self) -> Planner<S> {
        Planner { settings: self.settings.clone(), method: self.method.clone(), ..*self }
    }
}

impl<S: Space> Planner<S> {
    /// Builds a planner with the algorithm of that name and its default settings.
    ///
    /// # Errors
    /// When the name is unknown, the algorithm does not run on this world, or there is no memory for tables whose size
    /// is known beforehand.
    pub fn new(world: &Snapshot<S>, name: &str) -> Result<Planner<S>, BuildError> {
        let algorithm = algorithm_on(name).ok_or_else(|| BuildError::Unknown(name.to_owned()))?;
        Self::build(world, algorithm, algorithm.settings::<&str, &str>(&[])?)
    }

    /// Builds a planner with this algorithm and these settings of it.
    ///
    /// # Errors
    /// When the algorithm does not run on this world, or there is no memory for tables whose size is known beforehand.
    pub fn build(
        world: &Snapshot<S>,
        algorithm: &'static Algorithm<S>,
        settings: Settings,
    ) -> Result<Planner<S>, BuildError> {
        algorithm.suits(world)?;
        memory::check((algorithm.known_bytes)(world, &settings))?;
        let method = (algorithm.build)(world, &settings);
        Ok(Self::of(world, algorithm, settings, method))
    }

    fn of(
        world: &Snapshot<S>,
        algorithm: &'static Algorithm<S>,
        settings: Settings,
        method: Box<dyn Method<S>>,
    ) -> Planner<S> {
        let straightens = settings.iter().any(|set| set == (STRAIGHTEN.name, Value::Choice("straight")));
        Planner {
            algorithm,
            straightens,
            settings,
            method,
            revision: world.revision(),
            serial: next_serial(),
            legs_id: next_serial(),
        }
    }

    /// Builds a planner for this world with this planner's algorithm and settings. It should be equal to this planner
    /// after repairs, and serves to check them. The new planner keeps what repairs leave in place: the lines of a rhumb
    /// chart.
    ///
    /// # Errors
    /// As [`Planner::build`].
    pub fn anew(&self, world: &Snapshot<S>) -> Result<Planner<S>, BuildError> {
        self.algorithm.suits(world)?;
        memory::check((self.algorithm.known_bytes)(world, &self.settings))?;
        let build = || (self.algorithm.build)(world, &self.settings);
        let method = self.method.anew(world).unwrap_or_else(build);
        Ok(Self::of(world, self.algorithm, self.settings.clone(), method))
    }

    /// Returns the data derived from this world as plain data that [`Planner::open`] takes. If a chart computes costs
    /// on first use, only the costs computed so far are included. Landmarks are not included between an edit and
    /// [`Planner::refresh`].
    ///
    /// The data is a copy, which takes about as much memory as the chart; [`Planner::stream`] makes no copy.
    ///
    /// # Errors
    /// When the algorithm keeps nothing worth saving, the world has borders that are not open, or the planner's revision is
    /// not that of the world.
    pub fn save(&self, world: &Snapshot<S>) -> Result<SavedChart<'static>, SaveError> {
        self.stream(world).map(|stream| stream.collect())
    }

    /// Returns the data that [`Planner::save`] copies, as sections whose bytes are read from the planner while they are
    /// written.
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
    pub fn stream(&self, world: &Snapshot<S>) -> Result<ChartStream<'_>, SaveError> {
        self.check_knows(world)?;
        if world.extras() != Extras::Nothing {
            return Err(SaveError::Extras(world.extras()));
        }
        let sections = self.method.save().ok_or(SaveError::Nothing(self.algorithm.name))?;
        let text = |(name, value): (&'static str, Value)| (name.into(), value.to_string().into());
        Ok(ChartStream {
            algorithm: self.algorithm.name.into(),
            settings: self.settings.iter().map(text).collect(),
            sections,
        })
    }

    /// Builds the planner that was saved, without the searches that took time when it was first built. The terrain
    /// should be as it was then: with other terrain, routes may be longer than necessary, but they are still legal.
    ///
    /// # Errors
    /// When [`Planner::save`] cannot have returned this data for such a world.
    pub fn open(world: &Snapshot<S>, saved: &SavedChart) -> Result<Planner<S>, OpenError> {
        let algorithm =
            algorithm_on::<S>(&saved.algorithm).ok_or_else(|| OpenError::Unknown(saved.algorithm.to_string()))?;
        let settings = algorithm.settings(&saved.settings)?;
        algorithm.suits(world)?;
        if world.extras() != Extras::Nothing {
            return Err(OpenError::Extras(world.extras()));
        }
        let method = saved::open::<S>(world, algorithm, &settings, &saved.sections)?;
        Ok(Self::of(world, algorithm, settings, method))
    }

    /// Returns the planner's algorithm.
    pub fn algorithm(&self) -> &'static Algorithm<S> {
        self.algorithm
    }

    pub(crate) fn method(&self) -> &dyn Method<S> {
        &*self.method
    }

    /// Returns the settings of the algorithm.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Returns what the algorithm promises on this world.
    pub fn promise(&self, world: &Snapshot<S>) -> Promise {
        self.algorithm.promise(world, &self.settings)
    }

    /// Returns how routes lead from each of their cells to the next. Where routes lead in straight lines, some may lead in
    /// steps nevertheless: those that lines would make dearer.
    pub fn motion(&self) -> Motion {
        if self.straightens { Motion::AnyAngle } else { self.algorithm.motion }
    }

    /// Returns whether a [`crate::Replanner`] keeps a search alive with this planner, which it repairs after edits. Other
    /// algorithms search from nothing every time, or mend a route in legs.
    pub fn keeps_searches(&self) -> bool {
        self.method.replanner().is_some()
    }

    /// Returns the size of each level of a chart, the lowest first; empty for flat searches.
    ///
    /// # Errors
    /// When the planner's revision is not that of the world.
    pub fn census(&self, world: &Snapshot<S>) -> Result<Vec<Census>, Stale> {
        self.check_knows(world)?;
        Ok(self.method.census(world))
    }

    /// Returns the regions, ports and edges of the algorithm's chart or graph, for display, or `None` if it keeps none.
    ///
    /// # Errors
    /// When the planner's revision is not that of the world.
    pub fn outline(&self, world: &Snapshot<S>) -> Result<Option<Outline>, Stale> {
        self.check_knows(world)?;
        Ok(self.method.outline(world))
    }

    /// Returns the tree kept for a port: each cell with a route to the port, and the next cell on that route, row by
    /// row. A port of `dhpa-star` has one tree over its cluster. A port of `rhumb` has a tree over each leaf that
    /// contains it; these are returned as one tree. Empty if no tree is kept for that cell.
    ///
    /// ```
    /// use portolan::{Planner, Rules, SquareGrid, World};
    /// let world = World::from(SquareGrid::open(40, 40, Rules::default())?);
    /// let planner = Planner::new(&world, "dhpa-star")?;
    /// let outline = planner.outline(&world)?.ok_or("it has clusters")?;
    /// let port = outline.layers[0].ports[0];
    /// let tree = planner.tree(&world, port)?;
    /// assert!(tree.iter().any(|&(_, next)| next == port));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the planner's revision is not that of the world.
    pub fn tree(&self, world: &Snapshot<S>, port: S::Place) -> Result<Tree<S::Place>, Stale> {
        self.check_knows(world)?;
        Ok(if world.contains(port) { self.method.tree(world, port) } else { Vec::new() })
    }

    /// Returns what the planner's algorithm reads as flat arrays, or `None` if it has no such form; [`Flat`] lists the
    /// algorithms that have one.
    ///
    /// # Errors
    /// When the planner's revision is not that of the world.
    pub fn flat(&self, world: &Snapshot<S>) -> Result<Option<Flat>, Stale> {
        self.check_knows(world)?;
        Ok(self.method.flat(world))
    }

    /// Notes of which state the planner's flat arrays are, for [`Planner::flat_since`].
    ///
    /// # Errors
    /// When the planner's revision is not that of the world.
    pub fn flat_mark(&self, world: &Snapshot<S>) -> Result<FlatMark<S>, Stale> {
        self.check_knows(world)?;
        Ok(FlatMark { chart: self.legs_id, state: self.method.flat_state(), world: world.clone() })
    }

    /// Returns what repairs have changed in the planner's flat arrays since a mark, so that a copy of them can be brought up to
    /// date. Returns `None` if the planner was built anew or is another one, or if its algorithm cannot tell.
    ///
    /// # Errors
    /// When the planner's revision is not that of the world.
    pub fn flat_since(&self, world: &Snapshot<S>, mark: &FlatMark<S>) -> Result<Option<FlatPatch<'_>>, Stale> {
        self.check_knows(world)?;
        Ok(if self.legs_id == mark.chart { self.method.flat_since(world, &mark.world, mark.state) } else { None })
    }

    /// Returns the revision of the world that the planner was built for or last repaired to.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Checks that the planner was built for this revision of the world or last repaired to it.
    pub(crate) fn check_knows(&self, world: &Snapshot<S>) -> Result<(), Stale> {
        let (built, asked) = (self.revision, world.revision());
        if built == asked { Ok(()) } else { Err(Stale { built, asked }) }
    }

    /// Returns the bytes of memory that the data derived from the world takes.
    pub fn bytes(&self) -> usize {
        self.method.bytes()
    }

    /// Brings the planner up to date after [`crate::World::apply`]. `edits` are all edits since the planner was built
    /// or last repaired, in order; `world` is the world after them.
    ///
    /// # Errors
    /// When the edits do not lead from the planner's revision to the world's, or the algorithm does not run on the
    /// edited world. The planner is then unchanged.
    pub fn repair(&mut self, world: &Snapshot<S>, edits: &[S::Edit]) -> Result<Repair, RepairError> {
        let (built, asked) = (self.revision, world.revision());
        if built.after::<S>(edits) != asked {
            return Err(RepairError::Gap { built, asked, edits: edits.len() });
        }
        self.algorithm.suits(world)?;
        let repair = self.method.repair(world, edits);
        if repair.rebuilt {
            self.legs_id = next_serial();
        }
        (self.revision, self.serial) = (asked, next_serial());
        Ok(repair)
    }

    /// Brings the planner up to date with a world, whose own list of edits tells what has changed. If that list does not
    /// reach back to the planner's revision, the planner is built anew; then [`Repair::rebuilt`] is true.
    ///
    /// ```
    /// use portolan::{Cell, Edit, Rules, SquareGrid, Terrain, World, algorithms};
    /// let mut world = World::from(SquareGrid::open(64, 64, Rules::default())?);
    /// let mut planner = algorithms::HPA_STAR.build(&world)?;
    /// world.apply(&[Edit::new(Cell::new(3, 4), Terrain::BLOCKED)])?;
    /// world.apply(&[Edit::new(Cell::new(9, 4), Terrain::BLOCKED)])?;
    /// planner.sync(&world)?;
    /// assert_eq!(planner.revision(), world.revision());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the algorithm does not run on the edited world, or there is no memory to build the planner anew. The planner
    /// is then unchanged.
    pub fn sync(&mut self, world: &World<S>) -> Result<Repair, RepairError> {
        if self.revision == world.revision() {
            return Ok(Repair::default());
        }
        if let Some(edits) = world.edits_since(self.revision) {
            return self.repair(world, &edits);
        }
        *self = self.anew(world).map_err(|error| match error {
            BuildError::OutOfMemory(error) => RepairError::OutOfMemory(error),
            BuildError::Unsuited(error) => RepairError::Unsuited(error),
            BuildError::Unknown(_) | BuildError::Setting(_) => unreachable!("the planner has been built before"),
        })?;
        Ok(Repair { rebuilt: true, ..Repair::default() })
    }

    /// Computes again what repairs leave out because it takes long: landmarks, and the places of a rhumb chart's lines.
    /// Routes keep the algorithm's promise without it. Call it on a clone on another thread. Searches begun before
    /// cannot be continued. If lines of a rhumb chart moved, routes planned in legs have to be planned again.
    ///
    /// # Errors
    /// When the planner's revision is not that of the world.
    pub fn refresh(&mut self, world: &Snapshot<S>) -> Result<(), RepairError> {
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
}

/// Why a planner could not be repaired or refreshed.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum RepairError {
    /// The edits do not lead from the planner's revision to the world's.
    #[error("{edits} edits do not lead from {built} to {asked}")]
    Gap {
        /// The planner's revision.
        built: Revision,
        /// The world's revision.
        asked: Revision,
        /// How many edits were given.
        edits: usize,
    },
    /// The algorithm does not run on the edited world.
    #[error(transparent)]
    Unsuited(#[from] Unsuited),
    /// There is no memory to build the planner anew.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
}
