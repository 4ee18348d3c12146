//! An algorithm made ready for a world: [`Planner`]. It is built, saved and opened, and follows the world's edits.
//!
//! Not here: how it answers queries (`planner/searching.rs`).

mod searching;

pub(crate) use searching::Pending;

use crate::id::Cell;
use crate::memory::{self, OutOfMemory};
use crate::method::Method;
use crate::outline::Outline;
use crate::registry::{Algorithm, Promise, SettingError, Settings, Unsuited, Value, algorithm};
use crate::saved::{self, ChartStream, OpenError, SaveError, SavedChart};
use crate::world::{Area, Edit, Revision, Snapshot};
use std::sync::atomic::{AtomicU64, Ordering};

/// An algorithm with its settings and whatever it derived from one revision of a world. Read-only while it answers:
/// share it between threads and give each a [`crate::Scratch`].
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
    /// Tells planners apart in a scratch, and states of the same planner. Copies share it.
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
        let method = saved::open(world, algorithm, &settings, &saved.sections)?;
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
        (self.revision, self.serial) = (asked, next_serial());
        Ok(repair)
    }

    /// Redoes in full what repairs leave out because it takes long: landmarks, and where the lines of a rhumb chart lie.
    /// Answers keep their promise without it. Meant for a clone on another thread; changes nothing in what repairs leave
    /// whole. Searches begun before cannot be continued, and routes planned in legs along other lines have to be planned
    /// again.
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
    /// Whether everything was built anew, along other lines, so that no [`crate::LazyRoute`] planned before survives it.
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
