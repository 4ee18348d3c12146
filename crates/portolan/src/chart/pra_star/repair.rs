//! Following edits: the blocks they lie in are made anew, layer by layer, and the edges of those beside them.

use super::layers::{Layers, Plan};
use super::making::Bench;
use crate::world::Edit;
use crate::world::square::SquareGrid;

impl Layers {
    /// Follows edits; the places of tiles that were looked at anew.
    pub(super) fn repair(&mut self, grid: &SquareGrid, edits: &[Edit]) -> Vec<(usize, usize)> {
        let mut dirty = Vec::new();
        for edit in edits {
            self.tiles.look(grid, edit.area);
            let (x, y) = (usize::from(edit.area.x), usize::from(edit.area.y));
            let (right, bottom) = (x + usize::from(edit.area.width) - 1, y + usize::from(edit.area.height) - 1);
            dirty.extend((y / 2..=bottom / 2).flat_map(|y| (x / 2..=right / 2).map(move |x| (y, x))));
        }
        dirty.sort_unstable();
        dirty.dedup();
        let tiles = dirty.iter().map(|&(y, x)| (x, y)).collect();
        let mut bench = Bench::default();
        // Layers of a single block are few and small: they are made anew, since there may be more or fewer now.
        let lasting = self.upper.iter().take_while(|layer| layer.halves).count();
        self.upper.truncate(lasting);
        for level in 0..lasting {
            for place in &mut dirty {
                *place = (place.0 / 2, place.1 / 2);
            }
            dirty.dedup();
            dirty.sort_unstable();
            dirty.dedup();
            let Plan { across, down, .. } = self.upper[level].plan;
            for &(y, x) in &dirty {
                self.make_block(grid, level, (x, y), &mut bench);
            }
            let mut beside: Vec<(usize, usize)> = Vec::with_capacity(9 * dirty.len());
            for &(y, x) in &dirty {
                let rows = y.saturating_sub(1)..(y + 2).min(down);
                beside.extend(rows.flat_map(|y| (x.saturating_sub(1)..(x + 2).min(across)).map(move |x| (y, x))));
            }
            beside.sort_unstable();
            beside.dedup();
            for &(y, x) in &beside {
                self.make_edges(level, (x, y), &mut bench);
            }
        }
        self.top_out(grid, &mut bench);
        tiles
    }
}
