//! The trees of a chart as sections of plain data and back.
//!
//! `wide` has a byte a cluster, 1 where costs take four bytes. `trees` has, cluster by cluster, what
//! [`ClusterTrees::bytes`](super::ClusterTrees) holds without the padding, and nothing for clusters without obstacles or ports.

use super::super::clusters::dearest_way;
use super::super::parts::Parts;
use super::{ClusterTrees, NARROW, Open, Trees};
use crate::chart::shared::cutout::{Cutout, NO_WAY};
use crate::id::Cell;
use crate::saved::{OpenError, Reader, SectionStream, Sections};
use crate::world::Area;
use crate::world::square::{SquareGrid, mean_cost};

/// Bytes after the costs, so that four can be read at any of them.
const PADDING: usize = 4;

impl Trees {
    pub(in super::super) fn save(&self) -> [SectionStream<'_>; 2] {
        let wide: Vec<u8> = self.saved_trees.iter().map(|cluster_trees| u8::from(cluster_trees.wide)).collect();
        let held = |cluster_trees: &ClusterTrees| cluster_trees.bytes.len().saturating_sub(PADDING);
        let trees = self.saved_trees.iter().map(move |cluster_trees| &cluster_trees.bytes[..held(cluster_trees)]);
        [SectionStream::of_bytes("wide", wide), SectionStream::of_pieces("trees", trees)]
    }

    /// Gives a cluster the trees that were read for it.
    pub(in super::super) fn replant(&mut self, cluster: u32, cluster_trees: ClusterTrees) {
        self.saved_trees[cluster as usize] = cluster_trees;
    }
}

/// The trees of one cluster after the other, as they are read.
pub(in super::super) struct SavedTrees<'a> {
    wide: Reader<'a>,
    trees: Reader<'a>,
    ground: Ground,
    /// Costs and steps of a cluster's trees, tree by tree.
    costs: Vec<u32>,
    steps: Vec<u8>,
}

/// What trees are checked against.
#[derive(Default)]
struct Ground {
    /// Moves that stay inside the cluster, none where no port can get to.
    moves_by_cell: Vec<u8>,
    /// How far apart neighbours are; no direction is above 7, but four bits may say so.
    offsets: [isize; 16],
    /// A way may cost more than can be counted.
    may_overflow: bool,
    /// The cost that stands for no way.
    no_way: u32,
}

impl<'a> SavedTrees<'a> {
    /// Begins reading.
    pub(in super::super) fn open(sections: &Sections<'a>) -> Result<SavedTrees<'a>, OpenError> {
        let (wide, trees) = (sections.take("wide")?, sections.take("trees")?);
        Ok(SavedTrees { wide, trees, ground: Ground::default(), costs: Vec::new(), steps: Vec::new() })
    }

    /// The trees of the next cluster with these ports and parts.
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
        if let Some((straight, diagonal)) = cutout.open_prices() {
            return Ok(ClusterTrees { open: Some(Open { straight, diagonal }), ..ClusterTrees::default() });
        }
        let cells = bounds.cells();
        let count = cells * ports.len();
        let pairs = count.div_ceil(2);
        let held = self.trees.bytes(pairs + if wide { 4 * count } else { 5 * pairs })?;
        let bytes = [held, &[0; PADDING]].concat().into_boxed_slice();
        self.unpack(&bytes, count, wide);
        self.survey(grid, bounds, parts, cutout);
        self.ground.no_way = if wide { NO_WAY } else { NARROW };
        let (costs, weights) = cutout.costs();
        for (rank, &port) in ports.iter().enumerate() {
            let (size, root) = (parts.size(parts.by_port[rank]), bounds.index(port));
            let tree = rank * cells..(rank + 1) * cells;
            let sound = if weights.is_empty() {
                self.is_sound(tree, size, root, |step, _, _| costs[step & 1])
            } else {
                self.is_sound(tree, size, root, |step, from, to| {
                    mean_cost(costs[step & 1], weights[from], weights[to]).0
                })
            };
            if !sound {
                let expected = format!("steps to {port} that can be taken and cost what is said");
                return Err(self.trees.fault(expected, "others"));
            }
        }
        Ok(ClusterTrees { open: None, bytes, cells, costs: pairs, wide })
    }

    /// All has been read.
    pub(in super::super) fn end(self) -> Result<(), OpenError> {
        self.wide.end()?;
        self.trees.end()
    }

    /// Spells out the costs and steps of a cluster's trees.
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
        // Five bytes a pair; the padding lets eight be read at any of them.
        for (both, at) in self.costs.chunks_exact_mut(2).zip((0..).step_by(5)) {
            let pair = u64::from_le_bytes(costs[at..at + 8].try_into().expect("eight bytes"));
            both.copy_from_slice(&[pair as u32 & NARROW, (pair >> 20) as u32 & NARROW]);
        }
    }

    /// Notes what the trees of a cluster are to be checked against.
    fn survey(&mut self, grid: &SquareGrid, bounds: Area, parts: &Parts, cutout: &Cutout) {
        let Ground { moves_by_cell, offsets, may_overflow, .. } = &mut self.ground;
        moves_by_cell.clear();
        moves_by_cell.extend(cutout.moves().zip(parts.cells()).map(|(moves, inside)| if inside { moves } else { 0 }));
        for (offset, step) in offsets.iter_mut().zip(cutout.offsets()) {
            *offset = step as isize;
        }
        *may_overflow = dearest_way(grid, bounds) >= u64::from(NO_WAY);
    }

    /// Whether every step of a tree can be taken and leads to a cell that is nearer by what the step costs. Then no walk
    /// is endless or ends elsewhere, and every cost is that of a walk. As many cells as are connected to the root must
    /// have one.
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
        // All but the root itself, which is no further than nothing from anywhere.
        costs[root] == 0 && walked + 1 == reached && (reached == connected || *may_overflow)
    }
}
