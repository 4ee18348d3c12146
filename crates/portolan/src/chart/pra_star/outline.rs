//! The outline of the layers, for drawing: the cells of every node, and a line between the middles of two neighbours.

use super::layers::{GRAIN, Layers};
use crate::id::Cell;
use crate::outline::{Layer, Outline};
use crate::space::square::SquareGrid;

impl Layers {
    pub(super) fn outline(&self, grid: &SquareGrid) -> Outline {
        Outline { regions: vec![], layers: (1..=self.count()).map(|layer| self.layer_outline(grid, layer)).collect() }
    }

    fn layer_outline(&self, grid: &SquareGrid, layer: usize) -> Layer {
        // Nodes are numbered in the order of their first cells. Their numbers in the layer depend on past edits, and an
        // outline must not.
        let mut number = vec![0u32; self.nodes(layer)];
        let mut labels = vec![0; grid.width() * grid.height()];
        let mut nodes = Vec::new();
        for (label, cell) in labels.iter_mut().zip(grid.cells()) {
            let Some(node) = grid.is_free(cell).then(|| self.ancestor(cell, layer)).flatten() else { continue };
            if number[node as usize] == 0 {
                nodes.push(node);
                number[node as usize] = nodes.len() as u32;
            }
            *label = number[node as usize];
        }
        let middle = |node: u32| {
            let body = self.body(grid, layer, node);
            let cell = |at: u32| ((at + GRAIN / 2) / GRAIN) as u16;
            Cell { x: cell(body.x), y: cell(body.y) }
        };
        let by_row = |cell: &Cell| (cell.y, cell.x);
        let mut ports: Vec<Cell> = nodes.iter().map(|&node| middle(node)).collect();
        ports.sort_unstable_by_key(by_row);
        let mut crossings = Vec::new();
        for &node in &nodes {
            self.for_each_neighbour(layer, node, |other| {
                if number[other as usize] > number[node as usize] {
                    let (a, b) = (middle(node), middle(other));
                    crossings.push(if by_row(&a) <= by_row(&b) { (a, b) } else { (b, a) });
                }
            });
        }
        crossings.sort_unstable_by_key(|(a, b)| (by_row(a), by_row(b)));
        Layer { ports, crossings, ways: vec![], labels }
    }
}
