//! The gates: where regions meet. An entrance is a longest straight run of pairs of cells, one in each of two regions.
//! It gets gates evenly along it; a query can slide a gate of its way to any pair of the entrance.

use super::regions::{NOWHERE, Regions};
use crate::chart::shared::walk::{Prices, beeline};
use crate::id::Cell;
use crate::world::Directions;
use crate::world::square::SquareGrid;
use std::ops::Range;

/// A way out of a region: a step over one pair of cells.
#[derive(Copy, Clone)]
pub(super) struct Gate {
    /// The cell inside.
    pub(super) near: Cell,
    /// The cell outside.
    pub(super) far: Cell,
    /// The region outside.
    pub(super) beyond: u32,
    /// What the step costs.
    pub(super) step: u32,
    /// The first and the last pair of the entrance, in the coordinate that varies along it.
    span: [u16; 2],
}

impl Gate {
    /// The gate at that place of its entrance where the way from `before` over it to `after` is cheapest, given the
    /// prices on both sides and nothing in the way.
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
        // Where the cell lies along the entrance, and how far from it.
        let seen = |cell: Cell, side: Cell| {
            let (along, across) =
                if along_row { (cell.x, cell.y.abs_diff(side.y)) } else { (cell.y, cell.x.abs_diff(side.x)) };
            (i32::from(along), i32::from(across))
        };
        let ((a, rise), (b, fall)) = (seen(before.0, self.near), seen(after.0, self.far));
        // The cost is linear between these places: where one half of the way turns from straight to diagonal, or
        // straight ahead of its end. What the straight line crosses comes first, to win a tie.
        let crossed = if rise + fall == 0 { a } else { a + (b - a) * rise / (rise + fall) };
        [crossed, a, a - rise, a + rise, b, b - fall, b + fall]
            .map(|place| at(place.clamp(i32::from(self.span[0]), i32::from(self.span[1]))))
            .into_iter()
            .min_by_key(cost)
            .expect("seven places")
    }
}

/// The gates of every region.
#[derive(Clone)]
pub(super) struct Gates {
    first_by_region: Vec<u32>,
    gates: Vec<Gate>,
}

impl Gates {
    /// Gives every entrance a gate for each `gap` cells or part of them.
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

    /// The numbers of a region's gates.
    #[inline(always)]
    pub(super) fn of(&self, region: u32) -> Range<u32> {
        self.first_by_region[region as usize]..self.first_by_region[region as usize + 1]
    }

    #[inline(always)]
    pub(super) fn gate(&self, number: u32) -> &Gate {
        &self.gates[number as usize]
    }

    /// Whether two regions meet.
    pub(super) fn join(&self, a: u32, b: u32) -> bool {
        self.of(a).any(|number| self.gate(number).beyond == b)
    }

    pub(super) fn count(&self) -> usize {
        self.gates.len()
    }

    pub(super) fn bytes(&self) -> usize {
        4 * self.first_by_region.len() + size_of::<Gate>() * self.gates.len()
    }
}

struct Finder<'a> {
    grid: &'a SquareGrid,
    regions: &'a Regions,
    gap: usize,
    /// Gates with the regions they leave.
    found: Vec<(u32, Gate)>,
}

impl Finder<'_> {
    fn region(&self, cell: Cell) -> u32 {
        if self.grid.contains(cell) { self.regions.of(self.grid.node(cell)) } else { NOWHERE }
    }

    /// The regions of two cells, where they are two.
    fn between(&self, a: Cell, b: Cell) -> Option<[u32; 2]> {
        let regions = [self.region(a), self.region(b)];
        (regions[0] != regions[1] && !regions.contains(&NOWHERE)).then_some(regions)
    }

    /// Puts gates between all neighbouring rows, then between all neighbouring columns.
    fn find_entrances(&mut self) {
        let (columns, rows) = (self.grid.width() as u16, self.grid.height() as u16);
        for line in 1..rows {
            self.find_along(columns, |place| (Cell::new(place, line - 1), Cell::new(place, line)));
        }
        for line in 1..columns {
            self.find_along(rows, |place| (Cell::new(line - 1, place), Cell::new(line, place)));
        }
    }

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

    /// Puts gates where regions meet in corners alone. Elsewhere a way across a corner is one past it, too.
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

    /// Adds the gates of one pair, there and back.
    fn add(&mut self, (a, b): (Cell, Cell), span: [u16; 2]) {
        let step = self.grid.step_cost(a, b).expect("neighbours in line, or in corners where that will do").0;
        for (near, far) in [(a, b), (b, a)] {
            self.found.push((self.region(near), Gate { near, far, beyond: self.region(far), step, span }));
        }
    }
}
