//! Where an agent fits, and on how heavy ground it stands there: the greatest weight under its body, nothing where a cell
//! under it is blocked.
//!
//! Both come from one pass over bytes. A weight is kept less 1, and a blocked cell is 255, more than any weight: then the
//! greatest byte under a body says both. The greatest byte of each run of so many cells follows from that of runs half as
//! long, which is found for 16 or more cells at once, as the greatest byte of a body follows from those of its runs. So a
//! body takes a few operations a row, and an edit takes that in the cells around it alone: there is no map of clearance to
//! be kept.
//!
//! Not here: worlds made of this (`views.rs`).

use super::footprint::{Footprint, Form};
use super::ground::{Ground, Layout};
use super::layers::{Layer, Layers};
use super::profile::{Profile, ViewError};
use super::{Area, Footing};
use crate::id::NodeId;
use std::mem::swap;
use std::ops::Range;

/// A profile made ready for looking at a grid of one form.
pub struct Lens {
    footprint: Footprint,
    /// Weights that ground has for the agent, by its own weight; the first table is that of kinds which are as they are.
    tables: Vec<[u8; 256]>,
    /// The table of each kind.
    table_by_kind: Box<[u16; 256]>,
    layers: Vec<Layer>,
}

/// A blocked cell among weights less 1.
const BLOCKED: u8 = 255;

impl Lens {
    pub(super) fn new(profile: &Profile, form: Form) -> Result<Lens, ViewError> {
        let table = |footing: Footing| -> [u8; 256] { std::array::from_fn(|own| footing.weight(own as u8)) };
        let mut lens = Lens {
            footprint: Footprint::new(profile.body(), form)?,
            tables: vec![table(Footing::AsItIs)],
            table_by_kind: Box::new([0; 256]),
            layers: profile.layers().to_vec(),
        };
        let mut known = vec![Footing::AsItIs];
        for &(kind, footing) in profile.footings() {
            let at = known.iter().position(|&other| other == footing).unwrap_or_else(|| {
                known.push(footing);
                lens.tables.push(table(footing));
                known.len() - 1
            });
            lens.table_by_kind[usize::from(kind)] = at as u16;
        }
        Ok(lens)
    }

    pub(super) fn heeds(&self, layer: Layer) -> bool {
        self.layers.contains(&layer)
    }

    /// Returns the places at which the body covers a cell of an area, as far as they lie on a grid of this size.
    pub(super) fn places_over(&self, area: Area, (width, height): (usize, usize)) -> Area {
        let Footprint { columns, rows, .. } = self.footprint;
        let places = |start: u16, length: u16, ends: (i32, i32), side: usize| {
            let first = (i32::from(start) - ends.1).max(0);
            let end = (i32::from(start) + i32::from(length) - ends.0).min(side as i32);
            (first as u16, (end - first).max(0) as u16)
        };
        let (x, width) = places(area.x, area.width, columns, width);
        let (y, height) = places(area.y, area.height, rows, height);
        Area { x, y, width, height }
    }

    /// Returns the weight of the ground for an agent at each place of an area of the grid, row by row; 0 where it does not
    /// fit.
    pub(super) fn look<L: Layout>(&self, ground: &Ground<L>, layers: &Layers, places: Area) -> Vec<u8> {
        let Footprint { spans_by_length, columns, rows } = &self.footprint;
        let (width, height) = (usize::from(places.width), usize::from(places.height));
        let (left, top) = (i32::from(places.x), i32::from(places.y));
        let mut seen = vec![0; places.cells()];
        let reach = (columns.1 - columns.0) as usize;
        let (mut runs, mut longer) = (vec![0; width + reach], vec![0; width + reach]);
        for row in top + rows.0..top + height as i32 + rows.1 {
            runs.fill(BLOCKED);
            let mut length = 1;
            self.copy_row(ground, layers, row, left + columns.0, &mut runs);
            for &(wanted, ref spans) in spans_by_length {
                while length < wanted {
                    let by = length.min(wanted - length);
                    for ((longer, &a), &b) in longer.iter_mut().zip(&runs).zip(&runs[by..]) {
                        *longer = a.max(b);
                    }
                    swap(&mut runs, &mut longer);
                    length += by;
                }
                for span in spans {
                    let place = row - span.down - top;
                    if !(0..height as i32).contains(&place) {
                        continue;
                    }
                    let first = span.first[((top + place) % 2) as usize] - columns.0;
                    let seen = &mut seen[place as usize * width..][..width];
                    for (seen, &run) in seen.iter_mut().zip(&runs[first as usize..]) {
                        *seen = (*seen).max(run);
                    }
                }
            }
        }
        for weight in &mut seen {
            *weight = weight.wrapping_add(1);
        }
        if ground.passages.is_some() {
            for (index, weight) in seen.iter_mut().enumerate().filter(|(_, weight)| **weight != 0) {
                let at = (usize::from(places.x) + index % width, usize::from(places.y) + index / width);
                if ground.is_across_a_wall(&self.footprint, at) {
                    *weight = 0;
                }
            }
        }
        seen
    }

    /// Writes the weights less 1 that the ground has for the agent in a row from column `first` on, as far as they lie on the
    /// grid; other cells keep what they have.
    fn copy_row<L: Layout>(&self, ground: &Ground<L>, layers: &Layers, row: i32, first: i32, cells: &mut [u8]) {
        let (width, height) = ground.layout.size();
        let end = (first + cells.len() as i32).min(width as i32);
        if !(0..height as i32).contains(&row) || end <= first.max(0) {
            return;
        }
        let (row, columns) = (row as usize, first.max(0) as usize..end as usize);
        let cells = &mut cells[(columns.start as i32 - first) as usize..][..columns.len()];
        copy_weights(ground, row, columns.clone(), cells);
        let nodes = ground.layout.row_start(row) + columns.start..ground.layout.row_start(row) + columns.end;
        if let Some(kinds) = &ground.kind_by_node {
            for (weight, &kind) in cells.iter_mut().zip(&kinds[nodes]) {
                *weight = self.tables[usize::from(self.table_by_kind[usize::from(kind)])][usize::from(*weight)];
            }
        } else if self.table_by_kind[0] != 0 {
            let table = &self.tables[usize::from(self.table_by_kind[0])];
            for weight in &mut *cells {
                *weight = table[usize::from(*weight)];
            }
        }
        for &layer in &self.layers {
            for (weight, &more) in cells.iter_mut().zip(layers.row(layer, row, columns.start)) {
                if *weight != 0 {
                    *weight = weight.saturating_add(more.min(255) as u8);
                }
            }
        }
        for weight in cells {
            *weight = weight.wrapping_sub(1);
        }
    }

    /// Returns the cells that the body covers.
    pub(super) fn footprint(&self) -> &Footprint {
        &self.footprint
    }

    pub(super) fn bytes(&self) -> usize {
        self.footprint.bytes() + 256 * (self.tables.len() + 2) + self.layers.len() * size_of::<Layer>()
    }
}

/// Returns the weights of an area of the grid, row by row, 0 where a cell is blocked.
pub(super) fn weights_of<L: Layout>(ground: &Ground<L>, area: Area) -> Vec<u8> {
    let mut weights = vec![0; area.cells()];
    let columns = usize::from(area.x)..usize::from(area.x) + usize::from(area.width);
    for (row, weights) in (usize::from(area.y)..).zip(weights.chunks_exact_mut(columns.len().max(1))) {
        copy_weights(ground, row, columns.clone(), weights);
    }
    weights
}

/// Writes the weights of some columns of a row, which lie on the grid, 0 where a cell is blocked.
fn copy_weights<L: Layout>(ground: &Ground<L>, row: usize, columns: Range<usize>, weights: &mut [u8]) {
    if columns.len() == ground.layout.size().0 {
        ground.copy_row(row, weights);
        return;
    }
    let start = ground.layout.row_start(row);
    for (weight, column) in weights.iter_mut().zip(columns) {
        let is_free = ground.free.get(column + 1, row + 1);
        *weight = if is_free { ground.weight(NodeId((start + column) as u32)) } else { 0 };
    }
}
