//! Minds learn a world and walk between its pairs of places; what their walks have in common is [`Walked`].

use super::courses::Course;
use crate::mind::{MindWalk, StepsByMode};
use crate::progress::{Cancelled, Steps};
use crate::study::bucket::{greatest, mean};
use portolan_sim::mind::{Mind, MindScratch, MindSettings};
use serde::Serialize;

/// Walks between many pairs of places.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Walked {
    /// How many arrived.
    pub walks: usize,
    /// How many did not.
    pub lost: usize,
    /// How many times as long as the shortest walks they are, on average.
    pub ratio: f64,
    /// The greatest of these ratios.
    pub ratio_max: f64,
    /// Their mean length, in hexagons.
    pub length: f64,
    /// The mean length of the shortest walks.
    pub shortest: f64,
    /// The steps of all walks by how they were chosen.
    pub modes: StepsByMode,
    /// The percent of the hexagons that the minds knew before each walk, on average.
    pub known_percent: f64,
    /// The mean bytes of their memories.
    pub bytes: f64,
}

impl Course {
    /// Lets the minds learn the world. With `full`, they then walk over it until all counters are full.
    pub(super) fn learned(
        &self,
        settings: &MindSettings,
        full: bool,
        steps: &mut Steps,
    ) -> Result<Vec<Mind>, Cancelled> {
        let mut scratch = MindScratch::new();
        let mut minds = Vec::with_capacity(self.minds);
        for number in 0..self.minds {
            let mut mind = Mind::new(settings, self.seed.wrapping_add(number as u64));
            let home = self.pairs[number][0];
            mind.learn(&self.lattice, home, &mut scratch);
            if full {
                mind.learn_all(&self.lattice, home);
            }
            minds.push(mind);
            steps.still()?;
        }
        Ok(minds)
    }

    /// Lets minds walk between the pairs in turns, each always with the knowledge that it has now.
    pub(super) fn walk(&self, minds: &[Mind], steps: &mut Steps) -> Result<Walked, Cancelled> {
        let (mut scratch, mut walks) = (MindScratch::new(), Vec::with_capacity(self.pairs.len()));
        for (index, &ends) in self.pairs.iter().enumerate() {
            let mut mind = minds[index % minds.len()].clone();
            let walk = MindWalk::of(&mut mind, &self.lattice, ends, &mut scratch);
            walks.push((walk.ratio(), walk.steps.len(), walk.least().unwrap_or(0), walk.steps_by_mode()));
            steps.still()?;
        }
        let arrived =
            || walks.iter().filter_map(|&(ratio, length, least, _)| Some((ratio?, length as f64, least as f64)));
        let mut modes = StepsByMode::default();
        for (_, _, _, own) in &walks {
            modes.0.iter_mut().zip(own.0).for_each(|(sum, steps)| *sum += steps);
        }
        let known = |mind: &Mind| 100.0 * mind.known(&self.lattice).count() as f64 / self.hexagons as f64;
        Ok(Walked {
            walks: arrived().count(),
            lost: walks.len() - arrived().count(),
            ratio: mean(arrived().map(|(ratio, _, _)| ratio)),
            ratio_max: greatest(arrived().map(|(ratio, _, _)| ratio)),
            length: mean(arrived().map(|(_, length, _)| length)),
            shortest: mean(arrived().map(|(_, _, least)| least)),
            modes,
            known_percent: mean(minds.iter().map(known)),
            bytes: mean(minds.iter().map(|mind| mind.bytes() as f64)),
        })
    }
}
