//! The edits that lead from what a grid is to what its loaded chunks say.
//!
//! Not here: which chunks are loaded (`space/chunks.rs`).

use super::chunk::{NAMING, beyond};
use super::{Chunked, Chunks};
use crate::cost::Cost;
use crate::id::Cell;
use crate::space::borders::{Border, Side};
use crate::space::cover::covered;
use crate::space::{Area, Edit, Extras, Terrain};
use std::collections::BTreeMap;

/// A link from one cell to another.
type Ends = (Cell, Cell);

impl<S: Chunked> Chunks<S> {
    /// Returns the edits that give an area of the grid this terrain, by column and row counted from its corner, and the
    /// borders and links that the loaded chunks say it has. No edit covers a cell or a border that stays as it is.
    pub(super) fn difference(&self, grid: &S, area: Area, terrain: impl Fn(u16, u16) -> Terrain) -> Vec<Edit> {
        let mut edits = Edit::cover(area, |x, y| {
            let wanted = terrain(x, y);
            (wanted != grid.terrain_at(Cell::new(area.x + x, area.y + y))).then_some(wanted)
        });
        if grid.extras() != Extras::Nothing || self.loaded.values().any(|fixtures| !fixtures.borders.is_empty()) {
            self.set_borders(grid, area, &mut edits);
        }
        self.set_links(grid, area, &mut edits);
        edits
    }

    /// Appends the edits that set the borders of the cells of an area, those at its edges among them.
    fn set_borders(&self, grid: &S, area: Area, edits: &mut Vec<Edit>) {
        let around = area.with_rim().common(self.whole()).expect("an area of the grid");
        for side in NAMING.into_iter().filter(|&side| S::has_side(side)) {
            let changed = covered(around, |x, y| {
                let cell = Cell::new(around.x + x, around.y + y);
                let at = self.world_cell(cell);
                let beyond = self.grid_cell(beyond(at, side))?;
                let wanted = self.border_said(at, side);
                let is_near = area.contains(cell) || area.contains(beyond);
                (is_near && wanted != grid.border_at(cell, side)).then_some(wanted)
            });
            edits.extend(changed.into_iter().map(|(area, border)| Edit::border(area, side, border)));
        }
    }

    /// Returns the border of a cell, on a side that names borders, as the loaded chunks of the two cells say.
    fn border_said(&self, at: (i64, i64), side: Side) -> Border {
        let homes = [at, beyond(at, side)].map(|cell| self.chunk_of(cell));
        let fixtures = homes.iter().filter_map(|home| self.loaded.get(home.as_ref()?));
        let said = fixtures.filter_map(|fixtures| fixtures.borders.get(&(at, side as usize)));
        Border::of(said.fold([false; 2], |closed, border| {
            let [out, into] = border.closed();
            [closed[0] | out, closed[1] | into]
        }))
    }

    /// Appends the edits that set the links from and to the cells of an area.
    fn set_links(&self, grid: &S, area: Area, edits: &mut Vec<Edit>) {
        let is_near = |ends: &Ends| area.contains(ends.0) || area.contains(ends.1);
        let mut wanted: BTreeMap<Ends, u32> = BTreeMap::new();
        for &([from, to], cost) in self.loaded.values().flat_map(|fixtures| &fixtures.links) {
            let is_awake = [from, to].iter().all(|&end| self.is_loaded_at(end));
            let ends = self.grid_cell(from).zip(self.grid_cell(to)).filter(|ends| is_awake && is_near(ends));
            if let Some(ends) = ends {
                wanted.entry(ends).and_modify(|least| *least = cost.min(*least)).or_insert(cost);
            }
        }
        let known: BTreeMap<Ends, u32> = grid.all_links().into_iter().filter(|(ends, _)| is_near(ends)).collect();
        let mut changes: BTreeMap<Ends, Option<u32>> = BTreeMap::new();
        changes.extend(known.keys().filter(|ends| !wanted.contains_key(ends)).map(|&ends| (ends, None)));
        let other = wanted.iter().filter(|(ends, cost)| known.get(ends) != Some(cost));
        changes.extend(other.map(|(&ends, &cost)| (ends, Some(cost))));
        while let Some(((from, to), cost)) = changes.pop_first() {
            let both_ways = changes.get(&(to, from)) == Some(&cost);
            if both_ways {
                changes.remove(&(to, from));
            }
            edits.push(match cost {
                Some(cost) => Edit::link(from, to, Cost(cost), both_ways),
                None => Edit::unlink(from, to, both_ways),
            });
        }
    }
}
