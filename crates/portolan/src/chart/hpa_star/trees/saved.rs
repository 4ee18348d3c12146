//! Saves the trees of a chart as sections of plain data, and reads and checks them again.
//!
//! The section `wide` has one byte per cluster: 1 if costs take four bytes, else 0. The section `trees` has, cluster by
//! cluster, the contents of [`ClusterTrees::bytes`](super::ClusterTrees) without the padding. A cluster without
//! obstacles or without ports has nothing in `trees`.

use super::super::clusters::dearest_way;
use super::super::parts::Parts;
use super::{ClusterTrees, NARROW, Trees};
use crate::chart::shared::cutout::{Cutout, NO_WAY};
use crate::id::Cell;
use crate::saved::{OpenError, Reader, SectionStream, Sections};
use crate::space::Area;
use crate::space::square::{SquareGrid, mean_cost};

/// Unused bytes after the last cost, as many as [`super::PADDING`], so that eight bytes can be read at any pair of
/// costs.
const PADDING: usize = 4;

impl Trees {
    pub(in super::super) fn save(&self) -> [SectionStream<'_>; 2] {
        let wide: Vec<u8> = self.trees_by_cluster.iter().map(|cluster_trees| u8::from(cluster_trees.wide)).collect();
        let held = |cluster_trees: &ClusterTrees| cluster_trees.bytes.len().saturating_sub(PADDING);
        let trees = self.trees_by_cluster.iter().map(move |cluster_trees| &cluster_trees.bytes[..held(cluster_trees)]);
        [SectionStream::of_bytes("wide", wide), SectionStream::of_pieces("trees", trees)]
    }

    /// Replaces the trees of a cluster by trees that were read.
    pub(in super::super) fn replant(&mut self, cluster: u32, cluster_trees: ClusterTrees) {
        self.trees_by_cluster[cluster as usize] = cluster_trees;
    }
}

/// Reads the saved trees, one cluster after the other.
pub(in super::super) struct SavedTrees<'a> {
    wide: Reader<'a>,
    trees: Reader<'a>,
    ground: Ground,
    /// The unpacked costs of the cluster that is being read, tree by tree; `steps` has its steps.
    costs: Vec<u32>,
    steps: Vec<u8>,
}

/// The moves and limits of a cluster, against which its trees are checked.
#[derive(Default)]
struct Ground {
    /// The moves that stay inside the cluster, one bit per direction; none at cells that no port reaches.
    moves_by_cell: Vec<u8>,
    /// The difference between the indexes of a cell and of its neighbour, by direction. Directions are 0 to 7, but the
    /// four bits of a saved step can hold 8 to 15 too: for these the difference is 0.
    offsets: [isize; 16],
    /// Whether a route inside the cluster might cost [`NO_WAY`] or more, so that a tree may lack cells that are
    /// connected to its port.
    may_overflow: bool,
    /// The stored cost that means that a cell does not reach the port.
    no_way: u32,
}

impl<'a> SavedTrees<'a> {
    /// Begins to read the sections `wide` and `trees`.
    pub(in super::super) fn open(sections: &Sections<'a>) -> Result<SavedTrees<'a>, OpenError> {
        let (wide, trees) = (sections.take("wide")?, sections.take("trees")?);
        Ok(SavedTrees { wide, trees, ground: Ground::default(), costs: Vec::new(), steps: Vec::new() })
    }

    /// Reads and checks the trees of the next cluster, which has these ports and connected parts.
    ///
    /// # Errors
    /// When a section is too short, a byte of `wide` is neither 0 nor 1, or a tree is not sound.
    pub(in super::super) fn next(
        &mut self,
        grid: &SquareGrid,
        bounds: Area,
        ports: &[Cell],
        parts: &Parts,
        cutout: &mut Cutout,
    ) -> Result<ClusterTrees, OpenError> {
        let wide = self.wide.flag()?;
        if ports.is_empty() {
            return Ok(ClusterTrees::default());
        }
        cutout.cut(grid, bounds);
        let open = cutout.open_prices();
        if open.is_some() {
            return Ok(ClusterTrees { open, ..ClusterTrees::default() });
        }
        let cells = bounds.cells();
        let count = cells * ports.len();
        let pairs = count.div_ceil(2);
        let held = self.trees.bytes(pairs + if wide { 4 * count } else { 5 * pairs })?;
        let bytes = [held, &[0; PADDING]].concat().into_boxed_slice();
        self.unpack(&bytes, count, wide);
        self.survey(grid, bounds, parts, cutout);
        self.ground.no_way = if wide { NO_WAY } else { NARROW };
        let (prices, weights) = cutout.costs();
        for (rank, &port) in ports.iter().enumerate() {
            let (size, root) = (parts.size(parts.by_port[rank]), bounds.index(port));
            let tree = rank * cells..(rank + 1) * cells;
            let sound = if weights.is_empty() {
                self.is_sound(tree, size, root, |step, _, _| prices[step & 7])
            } else {
                self.is_sound(tree, size, root, |step, from, to| {
                    mean_cost(prices[step & 7], weights[from], weights[to]).0
                })
            };
            if !sound {
                let expected = format!("steps to {port} that can be taken and cost what is said");
                return Err(self.trees.fault(expected, "others"));
            }
        }
        Ok(ClusterTrees { open: None, bytes, cells, costs: pairs, wide, trees_to_ports: 0 })
    }

    /// Ends reading, after the last cluster.
    ///
    /// # Errors
    /// When a section has more bytes than were read.
    pub(in super::super) fn end(self) -> Result<(), OpenError> {
        self.wide.end()?;
        self.trees.end()
    }

    /// Unpacks the costs and steps of a cluster's trees into `self.costs` and `self.steps`.
    fn unpack(&mut self, bytes: &[u8], count: usize, wide: bool) {
        let (steps, costs) = bytes.split_at(count.div_ceil(2));
        self.steps.resize(2 * steps.len(), 0);
        for (both, pair) in self.steps.chunks_exact_mut(2).zip(steps) {
            both.copy_from_slice(&[pair & 15, pair >> 4]);
        }
        self.costs.resize(2 * steps.len(), 0);
        if wide {
            for (cost, bytes) in self.costs.iter_mut().zip(costs.chunks_exact(4)) {
                *cost = u32::from_le_bytes(bytes.try_into().expect("four bytes"));
            }
            return;
        }
        // A pair of costs has five bytes. The padding makes it possible to read eight at the last pair too.
        for (both, at) in self.costs.chunks_exact_mut(2).zip((0..).step_by(5)) {
            let pair = u64::from_le_bytes(costs[at..at + 8].try_into().expect("eight bytes"));
            both.copy_from_slice(&[pair as u32 & NARROW, (pair >> 20) as u32 & NARROW]);
        }
    }

    /// Sets the moves and limits in `self.ground` for a cluster, all but `no_way`.
    fn survey(&mut self, grid: &SquareGrid, bounds: Area, parts: &Parts, cutout: &Cutout) {
        let Ground { moves_by_cell, offsets, may_overflow, .. } = &mut self.ground;
        moves_by_cell.clear();
        moves_by_cell.extend(cutout.moves().zip(parts.cells()).map(|(moves, inside)| if inside { moves } else { 0 }));
        for (offset, step) in offsets.iter_mut().zip(cutout.offsets()) {
            *offset = step as isize;
        }
        *may_overflow = dearest_way(grid, bounds) >= u64::from(NO_WAY);
    }

    /// Returns whether a tree is sound. Every cell that has a cost, except the root, must have a legal step to a cell
    /// whose cost is less by exactly the cost of the step. All `connected` cells of the root's part must have a cost,
    /// unless costs may overflow. Then following the steps always ends at the root, and every cost is the sum of the
    /// steps from its cell.
    #[inline(always)]
    fn is_sound(
        &self,
        tree: std::ops::Range<usize>,
        connected: usize,
        root: usize,
        price: impl Fn(usize, usize, usize) -> u32,
    ) -> bool {
        let Ground { moves_by_cell, offsets, may_overflow, no_way } = &self.ground;
        let (costs, steps) = (&self.costs[tree.clone()], &self.steps[tree]);
        let (mut reached, mut walked) = (0, 0);
        for (cell, ((&cost, &step), &moves)) in costs.iter().zip(steps).zip(moves_by_cell).enumerate() {
            if cost == *no_way {
                continue;
            }
            reached += 1;
            let direction = usize::from(step & 15);
            let to = cell.wrapping_add_signed(offsets[direction]);
            if let Some(&next) = costs.get(to) {
                let legal = u32::from(moves) >> direction & 1 == 1;
                walked += usize::from(legal && next < cost && cost - next == price(direction, cell, to));
            }
        }
        // `walked` does not count the root: its cost is 0, and no cell has a lower one.
        costs[root] == 0 && walked + 1 == reached && (reached == connected || *may_overflow)
    }
}
