//! The outline of a jump graph, for display: its jump points and the leaps between them.
//!
//! Not here: costs, and drawing.

use super::JumpGraph;
use super::landmark_setup::in_order;
use crate::id::Cell;
use crate::outline::{Layer, Outline, pair_by_pair, row_by_row};
use crate::space::square::SquareGrid;
use crate::space::square::moves::STEP;
use std::collections::BTreeSet;

impl JumpGraph {
    /// Returns all leaps, each once, and the jump points at their ends. Jump points without any leap are left out.
    pub(super) fn outlined(&self, grid: &SquareGrid) -> Outline {
        let leaps = &self.leaps;
        let cell = |number: u32| {
            let [x, y] = leaps.spots[number as usize].at;
            Cell { x: x - 1, y: y - 1 }
        };
        let mut ways = Vec::new();
        for number in in_order(&self.map, leaps) {
            let at = cell(number);
            for (direction, &(dx, dy)) in (0..).zip(&STEP) {
                let (x, y) = (i32::from(at.x) - dx, i32::from(at.y) - dy);
                let before = u16::try_from(x).ok().zip(u16::try_from(y).ok()).map(|(x, y)| Cell { x, y });
                if (direction % 2 == 0 || grid.gait().cuts_corners())
                    && before.is_some_and(|cell| grid.contains(cell) && grid.is_free(cell))
                {
                    ways.extend(leaps.row(number << 3 | direction).iter().map(|edge| (at, cell(edge.to >> 3))));
                }
            }
        }
        ways.sort_unstable_by_key(|&way| pair_by_pair(way));
        ways.dedup();
        let places: BTreeSet<(u16, u16)> = ways.iter().flat_map(|&(from, to)| [from, to]).map(row_by_row).collect();
        let ports = places.into_iter().map(|(y, x)| Cell { x, y }).collect();
        Outline { regions: vec![], layers: vec![Layer { ports, ways, ..Layer::default() }] }
    }
}
