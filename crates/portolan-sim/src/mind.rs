//! Agents that find their way like people: each remembers, on hexagons laid over the world, where it has walked, and explores
//! what it does not know.
//!
//! The model is that of chapter 5 of the thesis behind HNA* (Rahmani, 2020), "GPS of the brain": every hexagon has a counter of the
//! agent's visits. Where a mind knows nothing, it explores: it goes on in a direction that is roughly that of the goal, chooses
//! another every few hexagons, and walks back out of dead ends. In what it knows it searches, and prefers what it knows well. Algorithm 7 joins both.
//! What the thesis leaves open is here too: memory that fades, landmarks, worlds that change, asking, and planning on clusters.
//!
//! ```
//! use portolan::{Cell, Rules, SquareGrid};
//! use portolan_sim::mind::{Lattice, Mind, MindScratch, MindSettings};
//! let grid = SquareGrid::open(60, 40, Rules::default())?;
//! let lattice = Lattice::new(&grid, None)?;
//! let [home, work] = [Cell::new(3, 5), Cell::new(55, 30)].map(|at| lattice.node(&grid, at).expect("free"));
//! let mut scratch = MindScratch::new();
//! let mut mind = Mind::new(&"knowledge=25,delta=0.5,stretch=5".parse::<MindSettings>()?, 1);
//! mind.learn(&lattice, home, &mut scratch);
//! let walk = mind.walk(&lattice, [home, work], &mut scratch);
//! assert_eq!(walk.last().map(|step| step.node), Some(work));
//! let least = lattice.route(home, work, &mut scratch).expect("open ground").len() - 1;
//! assert!(walk.len() >= least);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! - [`Lattice`] lays hexagons over squares, hexes or a mesh, once for all minds, and follows edits of the world;
//!   [`Hexagons`] is what minds see of it.
//! - [`Mind`] is one agent's memory and its walk; [`Mind::tick`] takes one step at most, [`Mind::walk`] all of them.
//!   [`Mind::known`] tells what it remembers and [`Mind::seen`] what it has seen on its walk; [`Mind::learn`] gives it its first knowledge.
//! - [`Minds`] tick together, and tell each other the way where they meet. [`Mind::familiarity`] carries what a mind knows onto
//!   polygons, or onto any other parts of the world.
//! - [`MindSettings`] are read from text such as `knowledge=25,delta=0.5`; [`MIND_PARAMS`] lists them.
//! - [`Hexagons::route`] is what A* finds that knows everything.
//!
//! A mind sees only what [`MindSettings::sight`] and walls let it see, remembers where it walked, and is told of nothing else but in
//! which direction and how far away its goal lies. Everything random follows from a mind's seed.
//!
//! Not here: files, terminals, and bodies, which a [`crate::crowd`] has.

mod beliefs;
mod chart;
mod explore;
mod frontier;
mod hexagons;
mod lattice;
mod learn;
mod marks;
mod memory;
mod minds;
mod recall;
mod settings;
mod sight;
mod walk;

pub use chart::Familiarity;
pub use hexagons::Hexagons;
pub use lattice::{Lattice, LatticeError, Tiled, Tiling, WrongEdits};
pub use minds::Minds;
pub use recall::MindScratch;
pub use settings::{MIND_PARAMS, MindSettings, MindSettingsError, Recall};
pub use walk::{MindState, Mode, WalkStep};

use beliefs::Beliefs;
use memory::Memory;
use portolan::generate::Random;
use walk::Walk;

/// One agent's memory of the hexagons, and its walk. It is to be used with one lattice alone.
#[derive(Clone, Debug)]
pub struct Mind {
    settings: MindSettings,
    memory: Memory,
    beliefs: Beliefs,
    random: Random,
    walk: Walk,
    ticks: u64,
}

impl Mind {
    /// Makes a mind that knows nothing. Equal settings, seeds and worlds give equal walks on every machine.
    pub fn new(settings: &MindSettings, seed: u64) -> Mind {
        Mind {
            settings: *settings,
            memory: Memory::new(settings.most(), settings.landmarks()),
            beliefs: Beliefs::default(),
            random: Random::new(seed),
            walk: Walk::default(),
            ticks: 0,
        }
    }

    /// Returns the settings.
    pub fn settings(&self) -> &MindSettings {
        &self.settings
    }

    /// Returns how familiar a node is: how often the mind has walked there as far as it remembers, at most
    /// [`MindSettings::most`], and 0 where it does not know the node.
    pub fn counter(&self, hexagons: &Hexagons, node: u32) -> u16 {
        self.memory.counter(hexagons, node)
    }

    /// Returns all known nodes with their counters, in the order of their indices.
    pub fn known<'a>(&'a self, hexagons: &'a Hexagons) -> impl Iterator<Item = (u32, u16)> + 'a {
        self.memory.known(hexagons)
    }

    /// Returns the bytes of memory that what the mind knows takes.
    pub fn bytes(&self) -> usize {
        self.memory.bytes() + self.beliefs.bytes()
    }

    /// Returns the bytes of memory that the walk takes besides: what it has seen on it, and the route that it follows.
    pub fn walk_bytes(&self) -> usize {
        self.walk.bytes()
    }

    /// Lets time pass without a step, in which memory fades.
    pub fn rest(&mut self, hexagons: &Hexagons, ticks: u64) {
        let before = self.ticks;
        self.ticks += ticks;
        if let Some(fade) = self.settings.fade() {
            for _ in before / u64::from(fade)..self.ticks / u64::from(fade) {
                self.memory.end_epoch(hexagons);
            }
        }
    }

    /// Takes over what another mind knows: hexagons that were unknown are known from then on as if walked on once, and changes of the
    /// world that the other mind has seen are believed where this one has seen none.
    pub fn ask(&mut self, hexagons: &Hexagons, other: &Mind) {
        self.beliefs.hear(&other.beliefs);
        for (node, _) in other.memory.known(hexagons) {
            self.memory.add_if_unknown(hexagons, node);
        }
        self.lose_frontier();
    }
}
