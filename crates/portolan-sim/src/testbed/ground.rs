//! The terrain that all agents of a game share: the drawing, the pit traps, and the layers of influence, added up to one
//! weight for each cell ([`Ground`]). It collects which cells have changed and turns them into edits once a tick.
//!
//! Not here: where traps, clouds and monsters are, and doors, which are closed for some agents and open for others.

use portolan::{Cell, Edit, SquareGrid, Terrain};
use portolan_formats::Level;

/// A layer of influence.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum Layer {
    /// The sight of monsters.
    Threat,
    /// The clouds.
    Weather,
    /// The agents themselves.
    Congestion,
}

impl Layer {
    /// All layers with their names.
    pub const NAMED: [(&'static str, Layer); 3] =
        [("threat", Layer::Threat), ("weather", Layer::Weather), ("congestion", Layer::Congestion)];
}

/// The weights of a world and what they are made of, by cell, row by row.
pub(super) struct Ground {
    width: usize,
    /// The weights of the drawing, 0 where blocked.
    drawn: Vec<u8>,
    /// Whether there is a trap.
    trapped: Vec<bool>,
    /// Whether no trap may appear: starts, keys and doors.
    is_kept: Vec<bool>,
    /// Whether influence does not count: doors, which are closed in the worlds of some agents.
    is_door: Vec<bool>,
    /// What each layer adds.
    layers: [Vec<u16>; 3],
    /// The weights of all worlds as they are now, with open doors.
    now: Vec<u8>,
    /// How many agents, followers, players and monsters stand on each cell.
    standing: Vec<u16>,
    /// Cells whose weight may have changed since the last edits.
    touched: Vec<Cell>,
}

impl Ground {
    pub(super) fn new(level: &Level) -> Ground {
        let drawn = level.grid.to_weights();
        let (width, count) = (level.grid.width(), drawn.len());
        let mut ground = Ground {
            width,
            trapped: vec![false; count],
            is_kept: vec![false; count],
            is_door: vec![false; count],
            layers: [(); 3].map(|()| vec![0; count]),
            now: drawn.clone(),
            standing: vec![0; count],
            touched: Vec::new(),
            drawn,
        };
        for pair in &level.pairs {
            let (key, door) = (ground.index(pair.key), ground.index(pair.door));
            (ground.is_kept[key], ground.is_kept[door], ground.is_door[door]) = (true, true, true);
        }
        for cell in level.starts().into_iter().chain(level.player) {
            let start = ground.index(cell);
            ground.is_kept[start] = true;
        }
        ground
    }

    #[inline]
    pub(super) fn index(&self, cell: Cell) -> usize {
        usize::from(cell.y) * self.width + usize::from(cell.x)
    }

    /// Returns the weights of all cells as they are now, with the doors open.
    pub(super) fn weights(&self) -> &[u8] {
        &self.now
    }

    /// Returns what a layer adds to each cell.
    pub(super) fn layer(&self, layer: Layer) -> &[u16] {
        &self.layers[layer as usize]
    }

    /// Returns whether a trap may appear: the cell is free, empty, and no start, key or door.
    pub(super) fn may_trap(&self, cell: Cell) -> bool {
        let index = self.index(cell);
        self.drawn[index] > 0 && !self.trapped[index] && !self.is_kept[index] && self.standing[index] == 0
    }

    /// Returns whether monsters may not enter: starts and keys are safe, and doors are closed to them.
    pub(super) fn is_safe(&self, cell: Cell) -> bool {
        self.is_kept[self.index(cell)]
    }

    /// Sets or removes a trap.
    pub(super) fn set_trap(&mut self, cell: Cell, is_there: bool) {
        let index = self.index(cell);
        self.trapped[index] = is_there;
        self.touched.push(cell);
    }

    /// Adds to a layer, or takes away from it if `amount` is negative.
    pub(super) fn influence(&mut self, layer: Layer, cell: Cell, amount: i32) {
        let index = self.index(cell);
        let value = &mut self.layers[layer as usize][index];
        *value = value.saturating_add_signed(amount as i16);
        self.touched.push(cell);
    }

    /// Notes that something stands on a cell from now on.
    pub(super) fn enter(&mut self, cell: Cell) {
        let index = self.index(cell);
        self.standing[index] += 1;
    }

    /// Notes that something has left a cell.
    pub(super) fn leave(&mut self, cell: Cell) {
        let index = self.index(cell);
        self.standing[index] -= 1;
    }

    /// Returns the edits that make worlds as the ground is now, one for each cell whose weight has changed since the
    /// last call.
    pub(super) fn edits(&mut self) -> Vec<Edit> {
        let mut edits = Vec::new();
        for cell in std::mem::take(&mut self.touched) {
            let index = self.index(cell);
            let weight = self.weight(index);
            if std::mem::replace(&mut self.now[index], weight) != weight {
                edits.push(Edit::new(cell, Terrain::of_weight(weight)));
            }
        }
        edits
    }

    fn weight(&self, index: usize) -> u8 {
        let drawn = self.drawn[index];
        if drawn == 0 || self.trapped[index] {
            return 0;
        }
        if self.is_door[index] {
            return drawn;
        }
        let added: u32 = self.layers.iter().map(|layer| u32::from(layer[index])).sum();
        (u32::from(drawn) + added).min(255) as u8
    }
}

/// Returns the level's grid with all doors closed and without traps: what monsters see through.
pub(super) fn sight_of(level: &Level) -> SquareGrid {
    let mut weights = level.grid.to_weights();
    for pair in &level.pairs {
        weights[usize::from(pair.door.y) * level.grid.width() + usize::from(pair.door.x)] = 0;
    }
    let (width, height) = (level.grid.width(), level.grid.height());
    SquareGrid::from_weights(width, height, &weights, level.grid.rules()).expect("a grid of the same size was built")
}
