//! The kinds of space that a storm plays on, and what each has of its own: its worlds, its oracle, its words.
//!
//! Not here: terrain, edits and settings, which all kinds share (`scenery.rs`).

use crate::scenery::{metric, pick, terrain};
use crate::{hex_oracle, oracle, truth};
use portolan::any::AnySnapshot;
use portolan::generate::Random;
use portolan::{
    Cell, Corners, Directions, Extras, HexCell, HexGrid, HexShape, Profile, ProfileError, Rules, SquareGrid, Viewed,
};

/// A kind of space that a storm plays on.
pub(crate) trait Kind: Viewed + Into<AnySnapshot> {
    /// The name of an algorithm that a storm takes more often than others.
    const OFTEN: &'static str;

    /// Returns a random world under random rules.
    fn random(random: &mut Random) -> Self;

    /// Returns the column and row of a place.
    fn cell(at: Self::Place) -> Cell;

    /// Returns a profile whose body reaches so many cells.
    fn profile(reach: u16) -> Result<Profile, ProfileError>;

    /// Returns a random place on the space, blocked or not.
    fn random_place(&self, random: &mut Random) -> Self::Place;

    /// Returns the oracle's cost to each goal, `None` where there is no way.
    fn costs(&self, from: Self::Place, goals: &[Self::Place]) -> Vec<Option<u64>>;

    /// Returns the weight that all free places have, or `None` where weights differ.
    fn uniform_weight(&self) -> Option<u8>;

    /// Describes the world, for messages.
    fn about(&self) -> String;
}

impl Kind for SquareGrid {
    const OFTEN: &'static str = "rhumb";

    fn random(random: &mut Random) -> SquareGrid {
        let corners = pick(random, &Corners::NAMED).1;
        let directions = if random.below(5) == 0 { Directions::Four } else { Directions::Eight };
        let rules = Rules { directions, corners, metric: metric(random) };
        let (width, height, weights) = terrain(random);
        SquareGrid::from_weights(width, height, &weights, rules).expect("a sound size")
    }

    fn cell(at: Cell) -> Cell {
        at
    }

    fn profile(reach: u16) -> Result<Profile, ProfileError> {
        Profile::square(reach)
    }

    fn random_place(&self, random: &mut Random) -> Cell {
        Cell::new(random.below(self.width() as u64) as u16, random.below(self.height() as u64) as u16)
    }

    fn costs(&self, from: Cell, goals: &[Cell]) -> Vec<Option<u64>> {
        if self.extras() != Extras::Nothing {
            return besides_terrain(self, from, goals);
        }
        let costs = oracle::costs_from(self, from);
        goals.iter().map(|to| costs[usize::from(to.y) * self.width() + usize::from(to.x)]).collect()
    }

    fn uniform_weight(&self) -> Option<u8> {
        self.uniform_weight()
    }

    fn about(&self) -> String {
        let (width, height, extras) = (self.width(), self.height(), self.extras());
        format!("{width} x {height} squares with {extras}, metric {}, {:?}", self.metric(), self.rules())
    }
}

impl Kind for HexGrid {
    const OFTEN: &'static str = "a-star";

    /// One world in three is a hexagon. It has the upper left part of the terrain, repeated where there is too little.
    fn random(random: &mut Random) -> HexGrid {
        let metric = metric(random);
        let (width, height, weights) = terrain(random);
        if random.below(3) > 0 {
            return HexGrid::from_weights(width, height, &weights, metric).expect("a sound size");
        }
        let side = width.min(height) | 1;
        let weight = |at: usize| weights[at / side % height * width + at % side % width];
        let weights: Vec<u8> = (0..side * side).map(weight).collect();
        HexGrid::hexagon_from_weights(side / 2, &weights, metric).expect("a sound size")
    }

    fn cell(at: HexCell) -> Cell {
        at.cell().expect("a hex on a grid has a column and a row")
    }

    fn profile(reach: u16) -> Result<Profile, ProfileError> {
        Profile::round(reach - 1)
    }

    fn random_place(&self, random: &mut Random) -> HexCell {
        loop {
            let (column, row) = (random.below(self.width() as u64), random.below(self.height() as u64));
            let cell = HexCell::at(column as u16, row as u16);
            // Void cells of the storage rectangle are not on the grid.
            if self.contains(cell) {
                return cell;
            }
        }
    }

    fn costs(&self, from: HexCell, goals: &[HexCell]) -> Vec<Option<u64>> {
        if self.extras() != Extras::Nothing {
            return besides_terrain(self, from, goals);
        }
        let costs = hex_oracle::costs_from(self, from);
        goals.iter().map(|to| costs.get(to).copied()).collect()
    }

    fn uniform_weight(&self) -> Option<u8> {
        self.uniform_weight()
    }

    fn about(&self) -> String {
        let shape = if self.shape() == HexShape::Hexagon { ", a hexagon" } else { "" };
        format!("{} x {} hexes{shape} with {}, metric {}", self.width(), self.height(), self.extras(), self.metric())
    }
}

/// Returns the costs of a world that has borders or links.
fn besides_terrain<S: Kind>(world: &S, from: S::Place, goals: &[S::Place]) -> Vec<Option<u64>> {
    let costs = truth::costs_from(&world.clone().into(), S::cell(from));
    goals.iter().map(|&to| costs.get(&S::cell(to)).copied()).collect()
}
