//! The worlds of a game. A door is open for the agents that hold its key and closed for all others, so agents that hold
//! equally many keys share a world, a [`View`]. The agents of one algorithm and settings share a planner in each view,
//! which is repaired once for all of them.
//!
//! Not here: traps and influence, which are the same in every view (`ground.rs`).

use portolan::settings::Settings;
use portolan::{Algorithm, Cell, Edit, Planner, SquareGrid, World};
use portolan_formats::Level;
use std::time::{Duration, Instant};

/// An algorithm with its settings.
#[derive(Clone)]
pub(super) struct Method {
    pub(super) algorithm: &'static Algorithm,
    pub(super) settings: Settings,
}

impl PartialEq for Method {
    fn eq(&self, other: &Method) -> bool {
        self.algorithm.name == other.algorithm.name && self.settings == other.settings
    }
}

/// A world with some doors closed, and the planners for it.
pub(super) struct View {
    pub(super) world: World,
    /// A planner for each method, if an agent has come here with it.
    planners: Vec<Option<Planner>>,
    /// How long the latest repair of each planner took.
    repairs: Vec<Duration>,
}

impl View {
    /// Returns the planner of a method, which [`Views::enter`] has made.
    pub(super) fn planner(&self, method: usize) -> &Planner {
        self.planners[method].as_ref().expect("an agent enters a view before it plans there")
    }

    /// Returns how long the latest repair of a method's planner took.
    pub(super) fn repair_time(&self, method: usize) -> Duration {
        self.repairs[method]
    }

    fn edited(&mut self, edits: &[Edit]) {
        self.world.apply(edits).expect("cells of the map were edited");
        for (planner, took) in self.planners.iter_mut().zip(&mut self.repairs) {
            let Some(planner) = planner else { continue };
            let begun = Instant::now();
            if planner.repair(&self.world, edits).is_err() {
                *planner = planner.anew(&self.world).expect("the algorithm runs on any weights of this world");
            }
            *took = begun.elapsed();
        }
    }
}

/// All views of a game, by the number of keys that an agent holds.
pub(super) struct Views {
    methods: Vec<Method>,
    doors: Vec<Cell>,
    by_keys: Vec<Option<View>>,
}

impl Views {
    pub(super) fn new(level: &Level, methods: Vec<Method>) -> Views {
        let doors: Vec<Cell> = level.pairs.iter().map(|pair| pair.door).collect();
        let by_keys = (0..=doors.len()).map(|_| None).collect();
        Views { methods, doors, by_keys }
    }

    /// Returns the view of agents that hold so many keys.
    pub(super) fn of(&self, keys: usize) -> &View {
        self.by_keys[keys].as_ref().expect("agents enter a view before they look at it")
    }

    /// Makes the view of agents that hold so many keys, unless it is there. `weights` are those of the ground now.
    pub(super) fn open(&mut self, keys: usize, grid: &SquareGrid, weights: &[u8]) {
        if self.by_keys[keys].is_some() {
            return;
        }
        let mut weights = weights.to_vec();
        for door in &self.doors[keys..] {
            weights[usize::from(door.y) * grid.width() + usize::from(door.x)] = 0;
        }
        // With the metric of the drawing, costs are the same in every view.
        let rules = portolan::Rules { metric: Some(grid.metric()), ..grid.rules() };
        let grid = SquareGrid::from_weights(grid.width(), grid.height(), &weights, rules)
            .expect("a grid of the same size was built");
        let count = self.methods.len();
        let (planners, repairs) = ((0..count).map(|_| None).collect(), vec![Duration::ZERO; count]);
        self.by_keys[keys] = Some(View { world: World::from(grid), planners, repairs });
    }

    /// Makes the planner of a method in a view that is open, unless it is there.
    pub(super) fn enter(&mut self, keys: usize, method: usize) {
        let Method { algorithm, settings } = self.methods[method].clone();
        let view = self.by_keys[keys].as_mut().expect("the view is open");
        let planner = &mut view.planners[method];
        if planner.is_none() {
            let built = Planner::build(&view.world, algorithm, settings);
            *planner = Some(built.expect("the algorithm runs on any weights of this world"));
        }
    }

    /// Has all worlds and planners follow edits.
    pub(super) fn edited(&mut self, edits: &[Edit]) {
        for view in self.by_keys.iter_mut().flatten() {
            view.edited(edits);
        }
    }

    /// Drops the views that are not in use. The first, in which monsters walk, is kept.
    pub(super) fn retain(&mut self, is_used: impl Fn(usize) -> bool) {
        for (keys, view) in self.by_keys.iter_mut().enumerate().skip(1) {
            if !is_used(keys) {
                *view = None;
            }
        }
    }

    /// Returns the bytes of memory that worlds and planners take.
    pub(super) fn bytes(&self) -> usize {
        let planners = |view: &View| view.planners.iter().flatten().map(Planner::bytes).sum::<usize>();
        self.by_keys.iter().flatten().map(|view| view.world.bytes() + planners(view)).sum()
    }
}
