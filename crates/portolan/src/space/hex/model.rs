//! A plain hexagonal grid for tests: a list of weights, and neighbours counted by columns and rows. It shares nothing
//! with the engine but the shape.
//!
//! Not here: tests.

use super::moves::STEP;
use super::{HexGrid, HexShape};
use crate::generate::Random;
use crate::graph::Grid;
use crate::id::{Cell, HexCell, NodeId};
use crate::space::{Area, Edit, Terrain};
use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt;

pub(super) struct Model {
    pub(super) shape: HexShape,
    pub(super) width: usize,
    pub(super) height: usize,
    /// Row by row; 0 for blocked and void cells.
    pub(super) weights: Vec<u8>,
}

/// Makes a rectangle with sides of up to `most` cells, or a hexagon of about that size. Up to 70 percent of its cells
/// are blocked, and the others have some of the weights.
pub(super) fn random_model(random: &mut Random, most: usize, weights: &[u8]) -> Model {
    let hexagon = random.chance(30);
    let (mut width, mut height) = (random.between(1, most), random.between(1, most));
    if hexagon {
        (width, height) = (width | 1, width | 1);
    }
    let percent = random.below(70);
    let pick = |random: &mut Random| weights[random.below(weights.len() as u64) as usize];
    let draw = |_| if random.chance(percent) { 0 } else { pick(random) };
    let weights = (0..width * height).map(draw).collect();
    let shape = if hexagon { HexShape::Hexagon } else { HexShape::Rectangle };
    Model { shape, width, height, weights }.without_void()
}

impl Model {
    pub(super) fn without_void(mut self) -> Model {
        for index in 0..self.weights.len() {
            if !self.is_on(index % self.width, index / self.width) {
                self.weights[index] = 0;
            }
        }
        self
    }

    fn is_on(&self, column: usize, row: usize) -> bool {
        self.shape.columns(self.width, row).contains(&column)
    }

    pub(super) fn grid(&self) -> HexGrid {
        let made = match self.shape {
            HexShape::Rectangle => HexGrid::from_weights(self.width, self.height, &self.weights, None),
            HexShape::Hexagon => HexGrid::hexagon_from_weights(self.width / 2, &self.weights, None),
        };
        made.expect("a sound size")
    }

    /// Returns the index of a cell on the grid in lists of one entry for each column of each row.
    pub(super) fn index(&self, cell: HexCell) -> usize {
        let Cell { x, y } = cell.cell().expect("a cell on the grid");
        usize::from(y) * self.width + usize::from(x)
    }

    fn cell(&self, index: usize) -> HexCell {
        HexCell::at((index % self.width) as u16, (index / self.width) as u16)
    }

    pub(super) fn random_free(&self, random: &mut Random) -> Option<HexCell> {
        let free: Vec<usize> = (0..self.weights.len()).filter(|&index| self.weights[index] > 0).collect();
        (!free.is_empty()).then(|| self.cell(free[random.below(free.len() as u64) as usize]))
    }

    /// Returns the indices of the cells around a cell, void ones included.
    fn neighbours(&self, index: usize) -> impl Iterator<Item = usize> + use<> {
        let (x, y) = ((index % self.width) as i64, (index / self.width) as i64);
        // Odd rows lie half a cell to the right: a cell there touches its own column and the next one in other rows.
        let left = if y % 2 == 0 { x - 1 } else { x };
        let around = [(x - 1, y), (x + 1, y), (left, y - 1), (left + 1, y - 1), (left, y + 1), (left + 1, y + 1)];
        let (width, height) = (self.width as i64, self.height as i64);
        let within = move |&(x, y): &(i64, i64)| x >= 0 && x < width && y >= 0 && y < height;
        around.into_iter().filter(within).map(move |(x, y)| (y * width + x) as usize)
    }

    /// Returns for every column of every row how many steps away it is, `None` where no walk leads.
    pub(super) fn distances(&self, from: HexCell) -> Vec<Option<u32>> {
        let mut distances = vec![None; self.weights.len()];
        distances[self.index(from)] = Some(0);
        let mut queue = VecDeque::from([self.index(from)]);
        while let Some(index) = queue.pop_front() {
            for to in self.neighbours(index) {
                if self.weights[to] > 0 && distances[to].is_none() {
                    distances[to] = distances[index].map(|steps| steps + 1);
                    queue.push_back(to);
                }
            }
        }
        distances
    }

    /// Returns the component of every column of every row, `None` where blocked.
    fn flooded(&self) -> Vec<Option<usize>> {
        let mut component = vec![None; self.weights.len()];
        let mut queue = Vec::new();
        for first in 0..self.weights.len() {
            if self.weights[first] == 0 || component[first].is_some() {
                continue;
            }
            component[first] = Some(first);
            queue.push(first);
            while let Some(index) = queue.pop() {
                for to in self.neighbours(index) {
                    if self.weights[to] > 0 && component[to].is_none() {
                        component[to] = Some(first);
                        queue.push(to);
                    }
                }
            }
        }
        component
    }

    pub(super) fn apply(&mut self, edit: &Edit) {
        let Area { x, y, width, height } = edit.area;
        for row in usize::from(y)..usize::from(y) + usize::from(height) {
            for column in usize::from(x)..usize::from(x) + usize::from(width) {
                if self.is_on(column, row) {
                    self.weights[row * self.width + column] = edit.terrain().expect("an edit of terrain").weight();
                }
            }
        }
    }

    /// Returns an edit of up to `most` columns and rows.
    pub(super) fn random_edit(&self, random: &mut Random, most: usize, weights: &[u8]) -> Edit {
        let (x, y) = (random.between(0, self.width - 1), random.between(0, self.height - 1));
        let width = random.between(1, most.min(self.width - x)) as u16;
        let height = random.between(1, most.min(self.height - y)) as u16;
        let weight = weights[random.below(weights.len() as u64) as usize];
        Edit::new(Area { x: x as u16, y: y as u16, width, height }, Terrain::of_weight(weight))
    }

    /// Asserts that a grid is what this model says, in all that it tells about its cells.
    pub(super) fn assert_same(&self, grid: &HexGrid) {
        assert_eq!(grid.to_weights(), self.weights, "{self}");
        let mut nodes = HashSet::new();
        let mut cells_by_weight = [0; 256];
        for cell in grid.cells() {
            let weight = self.weights[self.index(cell)];
            cells_by_weight[usize::from(weight)] += 1;
            assert_eq!((grid.is_free(cell), grid.terrain(cell).weight()), (weight > 0, weight), "{cell} on\n{self}");
            assert!(nodes.insert(grid.node(cell)) && grid.cell(grid.node(cell)) == cell, "{cell} on\n{self}");
        }
        for cell in grid.cells() {
            self.assert_neighbours(grid, cell, &nodes);
        }
        let on = (0..self.weights.len()).filter(|&index| self.is_on(index % self.width, index / self.width)).count();
        assert_eq!(nodes.len(), on, "{self}");
        for index in 0..self.weights.len() {
            assert_eq!(grid.contains(self.cell(index)), self.is_on(index % self.width, index / self.width));
        }
        let free = |weight: &&u8| **weight > 0;
        assert_eq!(grid.free_cells(), self.weights.iter().filter(free).count());
        assert_eq!(*grid.cells_by_weight(), cells_by_weight);
        assert_eq!(grid.least_weight(), self.weights.iter().filter(free).min().copied().unwrap_or(1));
        assert_eq!(grid.greatest_weight(), self.weights.iter().filter(free).max().copied().unwrap_or(1));
        self.assert_components(grid);
    }

    /// Asserts that each direction leads to the node of that neighbour, or to a node that is none of `nodes`, those of the
    /// cells on the grid.
    fn assert_neighbours(&self, grid: &HexGrid, cell: HexCell, nodes: &HashSet<NodeId>) {
        let node = grid.node(cell);
        let mut free = Vec::new();
        for (direction, (dq, dr)) in STEP.into_iter().enumerate() {
            let to = HexCell::new(cell.q + dq as i16, cell.r + dr as i16);
            let to_node = node.0.wrapping_add_signed(grid.offsets()[direction]);
            assert_eq!(grid.around(node) >> direction & 1 == 1, grid.is_free(to), "{cell} to {to} on\n{self}");
            if grid.contains(to) {
                assert_eq!(grid.node(to), NodeId(to_node));
            } else {
                assert!(!nodes.contains(&NodeId(to_node)), "{cell} to {to} on\n{self}");
                assert_eq!(grid.weights().map_or(0, |weights| weights[to_node as usize]), 0);
            }
            if grid.is_free(to) {
                free.push(self.index(to));
            }
        }
        let mut expected: Vec<usize> =
            self.neighbours(self.index(cell)).filter(|&index| self.weights[index] > 0).collect();
        free.sort_unstable();
        expected.sort_unstable();
        assert_eq!(free, expected, "{cell} on\n{self}");
    }

    /// Asserts that two cells have equal components exactly if a flood from one reaches the other.
    pub(super) fn assert_components(&self, grid: &HexGrid) {
        let mut number_by_flood = HashMap::new();
        let mut numbers = HashSet::new();
        for (index, flood) in self.flooded().into_iter().enumerate() {
            let (cell, number) = (self.cell(index), grid.component(self.cell(index)));
            assert_eq!(number.is_some(), flood.is_some(), "{cell} on\n{self}");
            let (Some(flood), Some(number)) = (flood, number) else { continue };
            let first = number_by_flood.entry(flood).or_insert_with(|| {
                assert!(numbers.insert(number), "{cell} has a number that is taken, on\n{self}");
                number
            });
            assert_eq!(*first, number, "{cell} and {} are connected on\n{self}", self.cell(flood));
        }
    }
}

impl fmt::Display for Model {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, weights) in self.weights.chunks(self.width).enumerate() {
            f.write_str(if row % 2 == 0 { "" } else { " " })?;
            for weight in weights {
                write!(f, "{} ", if *weight == 0 { '@' } else { '.' })?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}
