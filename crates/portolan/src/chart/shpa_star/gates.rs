//! Gates: the steps by which routes pass from one region to another.
//!
//! An entrance is a straight run, as long as possible, of pairs of neighbouring cells: one cell of each pair lies in
//! one region, the other in another. Gates are placed at even distances along it. A query can slide a gate to any other
//! pair of the gate's entrance.
//!
//! Not here: how regions are made, which [`super::regions`] does, and the search over gates, which is
//! [`super::gate_search`].

use super::regions::{NOWHERE, Regions};
use crate::chart::shared::walk::beeline;
use crate::cost::Prices;
use crate::id::Cell;
use crate::memory::held;
use crate::space::Directions;
use crate::space::square::SquareGrid;
use std::ops::Range;

/// A `Gate` leads out of a region, by a step from the first cell of a pair to the second.
#[derive(Copy, Clone)]
pub(super) struct Gate {
    /// The cell inside the region.
    pub(super) near: Cell,
    /// The cell outside, one step from `near`.
    pub(super) far: Cell,
    /// The region of `far`.
    pub(super) beyond: u32,
    /// What the step from `near` to `far` costs where the gate was placed.
    pub(super) step: u32,
    /// The first and the last pair of the entrance: columns of an entrance that runs along a row, else rows.
    span: [u16; 2],
}

impl Gate {
    /// Returns this gate moved to the pair of its entrance over which the way from the cell `before` to the cell
    /// `after` is cheapest, at the prices given with each cell and as if no obstacle were in the way.
    pub(super) fn slid(self, directions: Directions, before: (Cell, Prices), after: (Cell, Prices)) -> Gate {
        if self.span[0] == self.span[1] {
            return self;
        }
        let along_row = self.near.x == self.far.x;
        let at = |place: i32| {
            let turn = |cell: Cell| {
                if along_row { Cell { x: place as u16, ..cell } } else { Cell { y: place as u16, ..cell } }
            };
            Gate { near: turn(self.near), far: turn(self.far), ..self }
        };
        let cost = |gate: &Gate| {
            beeline(directions, before.1, before.0, gate.near) + beeline(directions, after.1, gate.far, after.0)
        };
        // The place along the entrance that is level with the cell, and the cell's distance from the entrance.
        let seen = |cell: Cell, side: Cell| {
            let (along, across) =
                if along_row { (cell.x, cell.y.abs_diff(side.y)) } else { (cell.y, cell.x.abs_diff(side.x)) };
            (i32::from(along), i32::from(across))
        };
        let ((a, rise), (b, fall)) = (seen(before.0, self.near), seen(after.0, self.far));
        // As a function of the place, the cost is linear except where one half of the way is purely straight (level
        // with its end) or purely diagonal (as far along the entrance as across). So one of these places, or an end of
        // the entrance, is cheapest. The place where the line from `before` to `after` crosses comes first, to win
        // ties.
        let crossed = if rise + fall == 0 { a } else { a + (b - a) * rise / (rise + fall) };
        [crossed, a, a - rise, a + rise, b, b - fall, b + fall]
            .map(|place| at(place.clamp(i32::from(self.span[0]), i32::from(self.span[1]))))
            .into_iter()
            .min_by_key(cost)
            .expect("seven places")
    }
}

/// `Gates` holds the gates of all regions, those of one region side by side.
#[derive(Clone)]
pub(super) struct Gates {
    first_by_region: Vec<u32>,
    gates: Vec<Gate>,
}

impl Gates {
    /// Finds all entrances and places on each as many gates as its length divided by `gap`, rounded up.
    pub(super) fn new(grid: &SquareGrid, regions: &Regions, gap: usize) -> Gates {
        let mut finder = Finder { grid, regions, gap, found: Vec::new() };
        finder.find_entrances();
        if grid.gait().joins_corners() {
            finder.find_corners();
        }
        let mut found = finder.found;
        assert!(found.len() < u32::MAX as usize, "{} gates are more than records can number", found.len());
        found.sort_by_key(|&(region, gate)| (region, gate.beyond, gate.near.y, gate.near.x, gate.far.y, gate.far.x));
        let mut first_by_region = vec![0; regions.count() + 1];
        for &(region, _) in &found {
            first_by_region[region as usize + 1] += 1;
        }
        for region in 0..regions.count() {
            first_by_region[region + 1] += first_by_region[region];
        }
        Gates { first_by_region, gates: found.into_iter().map(|(_, gate)| gate).collect() }
    }

    /// Returns the numbers of the gates that lead out of a region.
    #[inline(always)]
    pub(super) fn of(&self, region: u32) -> Range<u32> {
        self.first_by_region[region as usize]..self.first_by_region[region as usize + 1]
    }

    #[inline(always)]
    pub(super) fn gate(&self, number: u32) -> &Gate {
        &self.gates[number as usize]
    }

    /// Returns whether a gate leads from region `a` to region `b`.
    pub(super) fn join(&self, a: u32, b: u32) -> bool {
        self.of(a).any(|number| self.gate(number).beyond == b)
    }

    pub(super) fn count(&self) -> usize {
        self.gates.len()
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.first_by_region) + held(&self.gates)
    }
}

/// A `Finder` collects the gates of all entrances.
struct Finder<'a> {
    grid: &'a SquareGrid,
    regions: &'a Regions,
    gap: usize,
    /// The gates found, each with the region that it leads out of.
    found: Vec<(u32, Gate)>,
}

impl Finder<'_> {
    /// Returns the region of a cell, [`NOWHERE`] if the cell is blocked or outside the world.
    fn region(&self, cell: Cell) -> u32 {
        if self.grid.contains(cell) { self.regions.of(self.grid.node(cell)) } else { NOWHERE }
    }

    /// Returns the regions of two cells, or `None` if both are in one region or one of them is in no region.
    fn between(&self, a: Cell, b: Cell) -> Option<[u32; 2]> {
        let regions = [self.region(a), self.region(b)];
        (regions[0] != regions[1] && !regions.contains(&NOWHERE)).then_some(regions)
    }

    /// Places gates on the entrances between neighbouring rows, then on those between neighbouring columns.
    fn find_entrances(&mut self) {
        let (columns, rows) = (self.grid.width() as u16, self.grid.height() as u16);
        for line in 1..rows {
            self.find_along(columns, |place| (Cell::new(place, line - 1), Cell::new(place, line)));
        }
        for line in 1..columns {
            self.find_along(rows, |place| (Cell::new(line - 1, place), Cell::new(line, place)));
        }
    }

    /// Places gates on the entrances along one line of `length` pairs of cells. `pair` returns the pair at a place.
    fn find_along(&mut self, length: u16, pair: impl Fn(u16) -> (Cell, Cell)) {
        let mut first = 0;
        while first < length {
            let between = |place| self.between(pair(place).0, pair(place).1);
            let here = between(first);
            let end = (first + 1..length).find(|&place| between(place) != here).unwrap_or(length);
            if here.is_some() {
                let count = usize::from(end - first);
                let gates = count.div_ceil(self.gap);
                for i in 0..gates {
                    let place = first + ((2 * i + 1) * count / (2 * gates)) as u16;
                    self.add(pair(place), [first, end - 1]);
                }
            }
            first = end;
        }
    }

    /// Places gates on the diagonal steps between two blocked cells that lead from one region into another. Other
    /// diagonal steps need no gate: where one of the two cells beside the step is free, straight steps through that
    /// cell also connect the step's ends.
    fn find_corners(&mut self) {
        for cell in self.grid.cells() {
            for side in [-1, 1] {
                let below = Cell::new(cell.x.wrapping_add_signed(side), cell.y + 1);
                let beside = [Cell::new(below.x, cell.y), Cell::new(cell.x, below.y)];
                if self.between(cell, below).is_some() && !beside.iter().any(|&cell| self.grid.is_free(cell)) {
                    self.add((cell, below), [cell.x; 2]);
                }
            }
        }
    }

    /// Adds two gates over one pair of cells, one for each way through.
    fn add(&mut self, (a, b): (Cell, Cell), span: [u16; 2]) {
        let step = self.grid.step_cost(a, b).expect("neighbours in line, or in corners where that will do").0;
        for (near, far) in [(a, b), (b, a)] {
            self.found.push((self.region(near), Gate { near, far, beyond: self.region(far), step, span }));
        }
    }
}
