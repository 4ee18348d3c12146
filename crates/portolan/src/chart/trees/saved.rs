//! The trees of a chart as sections of plain data and back.
//!
//! `wide` has a byte a cluster, 1 where costs take four bytes. `trees` has, cluster by cluster, what
//! [`Grove::bytes`](super::Grove) holds without the padding, and nothing for clusters without obstacles or ports.

use super::super::cluster::{Cutout, NO_WAY};
use super::super::clusters::dearest_way;
use super::super::layout::Bounds;
use super::super::parts::Parts;
use super::super::saved::{OpenError, Reader, Section, Sections};
use super::{Grove, Open, Trees};
use crate::id::Cell;
use crate::world::square::SquareGrid;

/// Bytes after the costs, so that four can be read at any of them.
const PADDING: usize = 4;

impl Trees {
    pub(in super::super) fn save(&self, sections: &mut Vec<Section<'static>>) {
        let held = |grove: &Grove| grove.bytes.len().saturating_sub(PADDING);
        sections.push(Section::of_bytes("wide", self.groves.iter().map(|grove| u8::from(grove.wide)).collect()));
        let mut bytes = Vec::with_capacity(self.groves.iter().map(held).sum());
        self.groves.iter().for_each(|grove| bytes.extend_from_slice(&grove.bytes[..held(grove)]));
        sections.push(Section::of_bytes("trees", bytes));
    }

    /// Gives a cluster the trees that were read for it.
    pub(in super::super) fn replant(&mut self, cluster: u32, grove: Grove) {
        self.groves[cluster as usize] = grove;
    }
}

/// The trees of one cluster after the other, as they are read.
pub(in super::super) struct Groves<'a> {
    wide: Reader<'a>,
    trees: Reader<'a>,
    costs: Vec<u32>,
}

impl<'a> Groves<'a> {
    /// Begins reading.
    pub(in super::super) fn open(sections: &Sections<'a>) -> Result<Groves<'a>, OpenError> {
        Ok(Groves { wide: sections.take("wide")?, trees: sections.take("trees")?, costs: Vec::new() })
    }

    /// The trees of the next cluster with these ports and parts.
    pub(in super::super) fn next(
        &mut self,
        grid: &SquareGrid,
        bounds: Bounds,
        ports: &[Cell],
        parts: &Parts,
        cutout: &mut Cutout,
    ) -> Result<Grove, OpenError> {
        let wide = self.wide.flag()?;
        if ports.is_empty() {
            return Ok(Grove::default());
        }
        cutout.cut(grid, bounds);
        if let Some((straight, diagonal)) = cutout.open_prices() {
            return Ok(Grove { open: Some(Open { straight, diagonal }), ..Grove::default() });
        }
        let cells = bounds.cells();
        let count = cells * ports.len();
        let pairs = count.div_ceil(2);
        let held = self.trees.bytes(pairs + if wide { 4 * count } else { 5 * pairs })?;
        let bytes = [held, &[0; PADDING]].concat().into_boxed_slice();
        let grove = Grove { open: None, bytes, cells, costs: pairs, wide };
        let may_overflow = dearest_way(grid, bounds) >= u64::from(NO_WAY);
        for (rank, &port) in ports.iter().enumerate() {
            self.check(&grove, bounds, (rank, port), parts, cutout, may_overflow)?;
        }
        Ok(grove)
    }

    /// All has been read.
    pub(in super::super) fn end(self) -> Result<(), OpenError> {
        self.wide.end()?;
        self.trees.end()
    }

    /// Whether every step of a tree can be taken and leads to a cell that is nearer by what the step costs. Then no walk
    /// is endless, and every cost is that of a walk.
    fn check(
        &mut self,
        grove: &Grove,
        bounds: Bounds,
        (rank, port): (usize, Cell),
        parts: &Parts,
        cutout: &Cutout,
        may_overflow: bool,
    ) -> Result<(), OpenError> {
        let Groves { trees, costs, .. } = self;
        let first = rank * grove.cells;
        costs.clear();
        costs.extend((first..first + grove.cells).map(|index| grove.cost_at(index)));
        let root = bounds.index(port);
        let part = parts.by_port[rank];
        for (cell, &cost) in costs.iter().enumerate() {
            let sound = if cost == NO_WAY {
                may_overflow || !parts.holds(part, cell)
            } else if cell == root {
                cost == 0
            } else {
                parts.holds(part, cell)
                    && cutout.step(cell, grove.step_at(first + cell)).is_some_and(|(to, price)| {
                        costs[to] != NO_WAY && u64::from(costs[to]) + u64::from(price) == u64::from(cost)
                    })
            };
            if !sound {
                let expected = format!("steps from {} to {port} that cost what is said", bounds.cell(cell));
                return Err(trees.fault(expected, "others"));
            }
        }
        Ok(())
    }
}
