//! The oracle for worlds with borders: weights and sets of closed borders by column and row, and a plain Dijkstra search over
//! steps that are worked out from them one by one. It shares nothing with the engine but the names of edits.
//!
//! Not here: tests.

use portolan::generate::Random;
use portolan::{
    Area, Border, Cell, Change, Corners, Cost, Directions, Edit, HexCell, HexGrid, Metric, Rules, Side, SquareGrid,
};
use portolan::{Fielded, Planner, Snapshot, Terrain, World};
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap};
use std::fmt::{self, Write as _};

/// A kind of grid that the tests run on.
pub(crate) trait Kind: crate::worlds::Pictured + Fielded {
    const HEX: bool;
    fn at(cell: Cell) -> Self::Place;
    fn world(model: &Model) -> World<Self>;
    fn planners(world: &Snapshot<Self>) -> Vec<Planner<Self>>;
    fn step_cost(&self, from: Cell, to: Cell) -> Option<u64>;
    fn border(&self, cell: Cell, side: Side) -> Option<Border>;
}

impl Kind for SquareGrid {
    const HEX: bool = false;

    fn at(cell: Cell) -> Cell {
        cell
    }

    fn world(model: &Model) -> World {
        let rules = Rules { metric: Some(model.metric), ..model.rules };
        SquareGrid::from_weights(model.width, model.height(), &model.weights, rules).expect("a sound size").into()
    }

    fn planners(world: &Snapshot) -> Vec<Planner> {
        crate::worlds::planners(world)
    }

    fn step_cost(&self, from: Cell, to: Cell) -> Option<u64> {
        self.step_cost(from, to).map(|cost| u64::from(cost.0))
    }

    fn border(&self, cell: Cell, side: Side) -> Option<Border> {
        self.border(cell, side)
    }
}

impl Kind for HexGrid {
    const HEX: bool = true;

    fn at(cell: Cell) -> HexCell {
        HexCell::at(cell.x, cell.y)
    }

    fn world(model: &Model) -> World<HexGrid> {
        HexGrid::from_weights(model.width, model.height(), &model.weights, Some(model.metric)).expect("sound").into()
    }

    fn planners(world: &Snapshot<HexGrid>) -> Vec<Planner<HexGrid>> {
        crate::hex::worlds::planners(world)
    }

    fn step_cost(&self, from: Cell, to: Cell) -> Option<u64> {
        self.step_cost(Self::at(from), Self::at(to)).map(|cost| u64::from(cost.0))
    }

    fn border(&self, cell: Cell, side: Side) -> Option<Border> {
        self.border(Self::at(cell), side)
    }
}

/// What random edits may bring.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Debug)]
pub(crate) enum Brings {
    Walls,
    OneWays,
    /// Links both ways.
    Links,
    OneWayLinks,
}

/// A world of squares or hexes, as plain as it can be.
#[derive(Clone)]
pub(crate) struct Model {
    hex: bool,
    pub(crate) rules: Rules,
    metric: Metric,
    pub(crate) width: usize,
    pub(crate) weights: Vec<u8>,
    /// The pairs of neighbours of which the first cannot be left for the second.
    closed: BTreeSet<(Cell, Cell)>,
    /// What the links between pairs of cells cost.
    links: BTreeMap<(Cell, Cell), u64>,
}

impl Model {
    /// Returns a random world without borders of up to `most` cells a side. One in three has weights.
    pub(crate) fn random<S: Kind>(random: &mut Random, most: u64, rules: Rules) -> Model {
        let [width, height] = [(); 2].map(|()| 1 + random.below(most) as usize);
        let (percent, is_weighted) = (random.below(40), random.below(3) == 0);
        let weight = |random: &mut Random| if is_weighted { 1 + random.below(5) as u8 } else { 1 };
        let mut cell = || if random.below(100) < percent { 0 } else { weight(random) };
        let weights = (0..width * height).map(|_| cell()).collect();
        let (straight, diagonal) = [(10, 14), (100, 141), (1, 1), (408, 577), (1, 2)][random.below(5) as usize];
        let metric = Metric::new(straight, diagonal).expect("a sound metric");
        Model { hex: S::HEX, rules, metric, width, weights, closed: BTreeSet::new(), links: BTreeMap::new() }
    }

    /// Returns the model of a world of squares without borders and links.
    pub(crate) fn of(grid: &SquareGrid) -> Model {
        let (closed, links) = (BTreeSet::new(), BTreeMap::new());
        let (rules, metric) = (grid.rules(), grid.metric());
        Model { hex: false, rules, metric, width: grid.width(), weights: grid.to_weights(), closed, links }
    }

    pub(crate) fn has_links(&self) -> bool {
        !self.links.is_empty()
    }

    pub(crate) fn height(&self) -> usize {
        self.weights.len() / self.width
    }

    pub(crate) fn cells(&self) -> impl Iterator<Item = Cell> + use<> {
        let width = self.width;
        (0..self.weights.len()).map(move |index| Cell::new((index % width) as u16, (index / width) as u16))
    }

    fn weight(&self, at: Cell) -> u64 {
        u64::from(self.weights[usize::from(at.y) * self.width + usize::from(at.x)])
    }

    pub(crate) fn is_free(&self, at: Cell) -> bool {
        self.weight(at) > 0
    }

    /// Returns the cell so many columns and rows away, `None` off the map.
    fn moved(&self, at: Cell, (dx, dy): (i16, i16)) -> Option<Cell> {
        let to = Cell::new(at.x.checked_add_signed(dx)?, at.y.checked_add_signed(dy)?);
        (usize::from(to.x) < self.width && usize::from(to.y) < self.height()).then_some(to)
    }

    /// Returns the cell beyond a side, `None` off the map or where cells have no such side.
    pub(crate) fn beyond(&self, at: Cell, side: Side) -> Option<Cell> {
        // Odd rows of hexes lie half a cell further to the right.
        let odd = (at.y % 2) as i16;
        let step = match (side, self.hex) {
            (Side::East, _) => (1, 0),
            (Side::West, _) => (-1, 0),
            (Side::North, false) => (0, -1),
            (Side::South, false) => (0, 1),
            (Side::NorthEast, true) => (odd, -1),
            (Side::NorthWest, true) => (odd - 1, -1),
            (Side::SouthEast, true) => (odd, 1),
            (Side::SouthWest, true) => (odd - 1, 1),
            _ => return None,
        };
        self.moved(at, step)
    }

    fn has_side(&self, side: Side) -> bool {
        let straight = matches!(side, Side::North | Side::East | Side::South | Side::West);
        if self.hex { !matches!(side, Side::North | Side::South) } else { straight }
    }

    pub(crate) fn border(&self, at: Cell, side: Side) -> Option<Border> {
        if !self.has_side(side) {
            return None;
        }
        let Some(to) = self.beyond(at, side) else { return Some(Border::Closed) };
        Some(match (self.closed.contains(&(at, to)), self.closed.contains(&(to, at))) {
            (false, false) => Border::Open,
            (true, true) => Border::Closed,
            (false, true) => Border::Out,
            (true, false) => Border::In,
        })
    }

    pub(crate) fn apply_all(&mut self, edits: &[Edit]) {
        for edit in edits {
            self.apply(edit);
        }
    }

    fn apply(&mut self, edit: &Edit) {
        let Area { x, y, width, height } = edit.area;
        for cell in (0..height).flat_map(|dy| (0..width).map(move |dx| Cell::new(x + dx, y + dy))) {
            match edit.change {
                Change::Terrain(terrain) => {
                    self.weights[usize::from(cell.y) * self.width + usize::from(cell.x)] = terrain.weight();
                }
                Change::Border(side, border) => {
                    let Some(to) = self.beyond(cell, side) else { continue };
                    self.closed.remove(&(cell, to));
                    self.closed.remove(&(to, cell));
                    if matches!(border, Border::Closed | Border::In) {
                        self.closed.insert((cell, to));
                    }
                    if matches!(border, Border::Closed | Border::Out) {
                        self.closed.insert((to, cell));
                    }
                }
                Change::Link { to, cost, both_ways } => {
                    for ends in [Some((cell, to)), both_ways.then_some((to, cell))].into_iter().flatten() {
                        self.links.remove(&ends);
                        if let Some(cost) = cost {
                            self.links.insert(ends, u64::from(cost.0));
                        }
                    }
                }
                _ => unreachable!("no other edits are drawn"),
            }
        }
    }

    /// Returns an edit of terrain or of borders: of one cell, or of a row, a column or a small rectangle.
    pub(crate) fn random_edit(&self, random: &mut Random, brings: Brings) -> Edit {
        let (x, y) = (random.below(self.width as u64) as u16, random.below(self.height() as u64) as u16);
        let long = |random: &mut Random, at: u16, side: usize, most: u64| {
            1 + random.below(most.min(side as u64 - u64::from(at))) as u16
        };
        let (across, down) = [(1, 1), (12, 1), (1, 12), (4, 4)][random.below(4) as usize];
        let width = long(random, x, self.width, across);
        let height = long(random, y, self.height(), down);
        let area = Area { x, y, width, height };
        if brings >= Brings::Links && random.below(3) == 0 {
            let (from, to) = (Cell::new(x, y), self.random_cell(random));
            let both_ways = brings == Brings::Links || random.below(2) == 0;
            if let Some((&(from, to), _)) = self.links.iter().next().filter(|_| random.below(3) == 0) {
                return Edit::unlink(from, to, both_ways);
            }
            if from != to {
                let base = u64::from(self.metric.straight()) * [1, 3, 20][random.below(3) as usize];
                return Edit::link(from, to, Cost(1 + random.below(base) as u32), both_ways);
            }
        }
        if random.below(4) == 0 {
            let most = if self.weights.iter().any(|&weight| weight > 1) { 6 } else { 2 };
            return Edit::new(area, Terrain::of_weight(random.below(most) as u8));
        }
        let sides: Vec<Side> = Side::ALL.into_iter().filter(|&side| self.has_side(side)).collect();
        let side = sides[random.below(sides.len() as u64) as usize];
        let borders = [Border::Closed, Border::Closed, Border::Open, Border::Out, Border::In];
        let kinds = if matches!(brings, Brings::Walls | Brings::Links) { 3 } else { 5 };
        Edit::border(area, side, borders[random.below(kinds) as usize])
    }

    /// Returns the legal steps and the links from a cell and their costs.
    pub(crate) fn steps(&self, from: Cell) -> Vec<(Cell, u64)> {
        let mut steps = self.walks(from);
        for (&(_, to), &cost) in self.links.iter().filter(|((at, _), _)| *at == from) {
            if self.is_free(from) && self.is_free(to) {
                steps.push((to, cost));
            }
        }
        steps
    }

    /// Returns the legal steps from a cell and their costs.
    fn walks(&self, from: Cell) -> Vec<(Cell, u64)> {
        if !self.is_free(from) {
            return vec![];
        }
        let price = |base: u32, to: Cell| u64::from(base) * (self.weight(from) + self.weight(to)) / 2;
        let is_open = |a: Cell, b: Cell| !self.closed.contains(&(a, b));
        let beside = Side::ALL.into_iter().filter_map(|side| self.beyond(from, side));
        let straight = beside.filter(|&to| self.is_free(to) && is_open(from, to));
        let mut steps: Vec<(Cell, u64)> = straight.map(|to| (to, price(self.metric.straight(), to))).collect();
        if self.hex || self.rules.directions == Directions::Four {
            return steps;
        }
        for step in [(-1, -1), (1, -1), (-1, 1), (1, 1)] {
            let Some(to) = self.moved(from, step).filter(|&to| self.is_free(to)) else { continue };
            let around = [Cell::new(from.x, to.y), Cell::new(to.x, from.y)];
            let uncut = around.map(|by| is_open(from, by) && is_open(by, to));
            let ways = [0, 1].map(|way| uncut[way] && self.is_free(around[way]));
            let is_legal = match self.rules.corners {
                Corners::Strict => ways[0] && ways[1],
                Corners::NoSqueeze => ways[0] || ways[1],
                Corners::Loose => uncut[0] || uncut[1],
            };
            if is_legal {
                steps.push((to, price(self.metric.diagonal(), to)));
            }
        }
        steps
    }

    /// Returns the least cost from one of the cells to every cell that can be reached.
    pub(crate) fn costs_from(&self, from: &[Cell]) -> BTreeMap<Cell, u64> {
        self.spread(from, |cell| self.steps(cell))
    }

    /// Returns the least cost from every cell that reaches one of the cells to the nearest of them.
    pub(crate) fn costs_to(&self, to: &[Cell]) -> BTreeMap<Cell, u64> {
        let mut back: BTreeMap<Cell, Vec<(Cell, u64)>> = BTreeMap::new();
        for from in self.cells() {
            for (to, cost) in self.steps(from) {
                back.entry(to).or_default().push((from, cost));
            }
        }
        self.spread(to, |cell| back.get(&cell).cloned().unwrap_or_default())
    }

    fn spread(&self, from: &[Cell], edges: impl Fn(Cell) -> Vec<(Cell, u64)>) -> BTreeMap<Cell, u64> {
        let mut least = BTreeMap::new();
        let mut queue: BinaryHeap<_> = from.iter().map(|&cell| Reverse((0, cell))).collect();
        while let Some(Reverse((cost, cell))) = queue.pop() {
            if least.contains_key(&cell) || !self.is_free(cell) {
                continue;
            }
            least.insert(cell, cost);
            queue.extend(edges(cell).into_iter().map(|(to, edge)| Reverse((cost + edge, to))));
        }
        least
    }

    pub(crate) fn random_cell(&self, random: &mut Random) -> Cell {
        Cell::new(random.below(self.width as u64) as u16, random.below(self.height() as u64) as u16)
    }

    pub(crate) fn random_free_cell(&self, random: &mut Random) -> Option<Cell> {
        let free: Vec<Cell> = self.cells().filter(|&cell| self.is_free(cell)).collect();
        (!free.is_empty()).then(|| free[random.below(free.len() as u64) as usize])
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text =
            format!("{}, {:?}, metric {}\n", if self.hex { "hexes" } else { "squares" }, self.rules, self.metric);
        for row in self.weights.chunks(self.width) {
            text.extend(row.iter().map(|&weight| crate::worlds::letter(weight)));
            text.push('\n');
        }
        for (from, to) in &self.closed {
            let _ = write!(text, "{from}|{to} ");
        }
        for ((from, to), cost) in &self.links {
            let _ = write!(text, "{from}>{to} for {cost} ");
        }
        f.write_str(&text)
    }
}

/// Returns whether a world is the one of the model, step by step.
pub(crate) fn assert_same<S: Kind>(world: &Snapshot<S>, model: &Model) {
    for from in model.cells() {
        for side in Side::ALL {
            assert_eq!(world.border(from, side), model.border(from, side), "{} of {from} on\n{model}", side.name());
        }
        let mut steps = BTreeMap::new();
        for (to, cost) in model.steps(from) {
            let least = steps.entry(to).or_insert(cost);
            *least = cost.min(*least);
        }
        let beside = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (dx, dy))).filter(|&step| step != (0, 0));
        let beside = beside.filter_map(|step| model.moved(from, step));
        let to: BTreeSet<Cell> = beside.chain(steps.keys().copied()).collect();
        for to in to {
            assert_eq!(Kind::step_cost(&**world, from, to), steps.get(&to).copied(), "{from} to {to} on\n{model}");
        }
    }
}
