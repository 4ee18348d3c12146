//! Walks of minds ([`portolan_sim::mind`]) beside the shortest walks over the same hexagons: [`MindWalk`], and marks that show both on
//! pictures: [`draw`].
//!
//! ```
//! use portolan::{Cell, Rules, SquareGrid};
//! use portolan_lab::mind::MindWalk;
//! use portolan_sim::mind::{Lattice, Mind, MindScratch, MindSettings};
//! let grid = SquareGrid::open(30, 20, Rules::default())?;
//! let lattice = Lattice::new(&grid, None)?;
//! let ends = [Cell::new(2, 2), Cell::new(27, 15)].map(|at| lattice.node(&grid, at).expect("free"));
//! let mut mind = Mind::new(&MindSettings::default(), 1);
//! let walk = MindWalk::of(&mut mind, &lattice, ends, &mut MindScratch::new());
//! assert!(walk.has_arrived() && walk.ratio() >= Some(1.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Not here: how minds walk, and the experiments of the thesis ([`crate::study`]).

pub mod draw;

use portolan_sim::mind::{Hexagons, Mind, MindScratch, MindState, Mode, WalkStep};
use serde::{Serialize, Serializer};

/// The walk of a mind, and the shortest one.
#[derive(Clone, PartialEq, Debug)]
pub struct MindWalk {
    /// The node on which it begins.
    pub start: u32,
    /// All steps.
    pub steps: Vec<WalkStep>,
    /// How it ended.
    pub state: MindState,
    /// The nodes of a shortest walk, both ends included: what A* finds that knows all hexagons. `None` if there is no walk.
    pub shortest: Option<Vec<u32>>,
}

/// How many steps of a walk were chosen in which way, in the order of [`Mode::NAMED`]. It is written with the names of the modes.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct StepsByMode(pub [usize; Mode::NAMED.len()]);

impl MindWalk {
    /// Lets a mind walk from one node to another, and finds the shortest walk.
    ///
    /// # Panics
    /// When there are no such nodes.
    pub fn of(mind: &mut Mind, hexagons: &Hexagons, ends: [u32; 2], scratch: &mut MindScratch) -> MindWalk {
        let steps = mind.walk(hexagons, ends, scratch);
        MindWalk { start: ends[0], steps, state: mind.state(), shortest: hexagons.route(ends[0], ends[1], scratch) }
    }

    /// Returns whether the mind has reached its goal.
    pub fn has_arrived(&self) -> bool {
        self.state == MindState::Arrived
    }

    /// Returns how many times as long as the shortest walk this one is, or `None` if it did not arrive or began at its goal.
    pub fn ratio(&self) -> Option<f64> {
        let least = self.least().filter(|&least| least > 0 && self.has_arrived())?;
        Some(self.steps.len() as f64 / least as f64)
    }

    /// Returns how many steps the shortest walk has, or `None` if there is none.
    pub fn least(&self) -> Option<usize> {
        self.shortest.as_ref().map(|nodes| nodes.len() - 1)
    }

    /// Returns how many steps were chosen in which way.
    pub fn steps_by_mode(&self) -> StepsByMode {
        StepsByMode(Mode::NAMED.map(|(_, mode)| self.steps.iter().filter(|step| step.mode == mode).count()))
    }

    /// Returns the stretches of the walk that were walked in one mode each, as nodes. Each begins where the one before ended.
    pub fn stretches(&self) -> Vec<(Mode, Vec<u32>)> {
        let mut last = self.start;
        let alike = self.steps.chunk_by(|a, b| a.mode == b.mode);
        let stretch = |steps: &[WalkStep]| {
            let nodes: Vec<u32> = std::iter::once(last).chain(steps.iter().map(|step| step.node)).collect();
            last = steps[steps.len() - 1].node;
            (steps[0].mode, nodes)
        };
        alike.map(stretch).collect()
    }
}

impl StepsByMode {
    /// Returns the modes with their names and steps.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, usize)> + '_ {
        Mode::NAMED.iter().zip(self.0).map(|(&(name, _), steps)| (name, steps))
    }
}

impl Serialize for StepsByMode {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::{Rules, SquareGrid};
    use portolan_sim::mind::{Lattice, MindSettings};

    #[test]
    fn stretches_and_modes_add_up_to_the_walk() {
        let grid = crate::worlds::builtin("harbour").unwrap().grid(Rules::default());
        let lattice = Lattice::new(&grid, None).unwrap();
        let ends = [(36, 4), (52, 33)].map(|(x, y)| lattice.node(&grid, portolan::Cell::new(x, y)).unwrap());
        let settings: MindSettings = "knowledge=30".parse().unwrap();
        let (mut mind, mut scratch) = (Mind::new(&settings, 2), MindScratch::new());
        mind.learn(&lattice, ends[0], &mut scratch);
        let walk = MindWalk::of(&mut mind, &lattice, ends, &mut scratch);
        assert!(walk.has_arrived() && walk.steps.len() >= walk.least().unwrap(), "{walk:?}");
        assert_eq!(walk.steps_by_mode().iter().map(|(_, steps)| steps).sum::<usize>(), walk.steps.len());
        let stretches = walk.stretches();
        assert!(stretches.windows(2).all(|pair| pair[0].1.last() == pair[1].1.first() && pair[0].0 != pair[1].0));
        assert!(stretches.iter().flat_map(|(_, nodes)| nodes.windows(2)).all(|step| lattice.is_step(step[0], step[1])));
        assert_eq!(stretches.iter().map(|(_, nodes)| nodes.len() - 1).sum::<usize>(), walk.steps.len());
    }

    #[test]
    fn where_no_way_leads_a_walk_has_no_ratio() {
        let weights: Vec<u8> = (0..90).map(|cell| u8::from(cell % 9 != 4)).collect();
        let grid = SquareGrid::from_weights(9, 10, &weights, Rules::default()).unwrap();
        let lattice = Lattice::new(&grid, None).unwrap();
        let ends = [(1, 1), (7, 7)].map(|(x, y)| lattice.node(&grid, portolan::Cell::new(x, y)).unwrap());
        let mut mind = Mind::new(&MindSettings::default(), 1);
        let walk = MindWalk::of(&mut mind, &lattice, ends, &mut MindScratch::new());
        assert_eq!((walk.state, walk.ratio(), walk.least()), (MindState::GaveUp, None, None));
    }
}
