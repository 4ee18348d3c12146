//! What a mind knows before its first walk: the hexagons of many walks between random places, as the thesis builds its maps.
//!
//! Not here: how a walk goes.

use super::hexagons::Hexagons;
use super::{Mind, MindScratch};

impl Mind {
    /// Lets the mind walk from random place to random place, beginning at a node, until it knows
    /// [`MindSettings::knowledge`](super::MindSettings::knowledge) percent of the hexagons that can be reached from there. Goals are drawn from
    /// those that it does not know. For 100 % it then tours what can be reached, so that it knows every hexagon. Time does not pass meanwhile.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn learn(&mut self, hexagons: &Hexagons, from: u32, scratch: &mut MindScratch) {
        self.learn_share(hexagons, from, self.settings.knowledge(), scratch);
    }

    /// Lets the mind walk as in [`Mind::learn`] until it knows this percentage, if it does not know as much.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn learn_share(&mut self, hexagons: &Hexagons, from: u32, percent: f64, scratch: &mut MindScratch) {
        let mut unknown = hexagons.reachable(from);
        let all = unknown.len();
        let fewest = all - (all as f64 * percent.clamp(0.0, 100.0) / 100.0).round() as usize;
        unknown.retain(|&node| self.memory.counter(hexagons, node) == 0);
        let mut at = from;
        while unknown.len() > fewest {
            if percent >= 100.0 && unknown.len() * 4 < all {
                self.tour(hexagons, from);
                break;
            }
            let goal = unknown[self.random.below(unknown.len() as u64) as usize];
            self.set_out(hexagons, at, goal);
            while self.step(hexagons, scratch) {}
            at = goal;
            unknown.retain(|&node| self.memory.counter(hexagons, node) == 0);
        }
    }

    /// Walks over every hexagon that can be reached from a node, again and again until all counters are full.
    ///
    /// # Panics
    /// When there is no such node.
    pub fn learn_all(&mut self, hexagons: &Hexagons, from: u32) {
        while hexagons.reachable(from).iter().any(|&node| self.counter(hexagons, node) < self.settings.most()) {
            self.tour(hexagons, from);
        }
    }

    /// Walks over every hexagon that can be reached from a node and back, depth first.
    fn tour(&mut self, hexagons: &Hexagons, from: u32) {
        self.set_out(hexagons, from, from);
        let mut trail = vec![from];
        while let Some(&at) = trail.last() {
            let new = hexagons.steps(at).map(|(_, beside)| beside).find(|&beside| !self.is_walked(beside));
            match new {
                Some(beside) => trail.push(beside),
                None => drop(trail.pop()),
            }
            if let Some(&at) = trail.last() {
                self.enter(hexagons, at);
            }
        }
        self.set_out(hexagons, from, from);
    }
}
