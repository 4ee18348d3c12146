//! Saves a chart of clusters as sections of plain data, and opens it from them.
//!
//! | section | contents |
//! |---|---|
//! | `plan` | cells along a cluster's side, clusters along a group's side, levels |
//! | `wide`, `trees` | the trees of all ports: see [`trees`](super::super::trees) |
//! | `filled.L` | with `edges=lazy`, one byte per cluster of level L: whether its prices have been computed |
//! | `prices.L` | the computed prices of level L, cluster by cluster and row by row |
//!
//! A chart with trees has no `filled.0` and `prices.0`, because the prices of level 0 are read from the trees. Legs
//! that `routes=kept` remembers are not saved: the first query that needs one finds it again.

use super::super::level::Level;
use super::super::port_search::Distance;
use super::super::settings::MOST_LEVELS;
use super::super::trees::SavedTrees;
use super::{BuildScratch, Clusters, Plan};
use crate::chart::shared::cutout::NO_WAY;
use crate::saved::{OpenError, Reader, SectionStream, Sections};
use crate::space::Area;
use crate::space::square::SquareGrid;
use std::io::Write;
use std::sync::Arc;

impl Plan {
    /// Returns the plan with the sizes and number of levels that were saved. They may differ from those that the
    /// settings give now, since edits may have changed the world's weights after the chart was built.
    pub(in crate::chart) fn saved_as(self, sections: &Sections) -> Result<Plan, OpenError> {
        let mut section = sections.take("plan")?;
        let mut words = Vec::new();
        section.words(3, &mut words)?;
        section.end()?;
        let (size, group, levels) = (words[0], words[1], words[2] as usize);
        if !(1..=64).contains(&size) || !(2..=8).contains(&group) || !(1..=MOST_LEVELS).contains(&levels) {
            let found = format!("{size}, {group} and {levels}");
            return Err(section.fault("a side of 1 to 64, groups of 2 to 8 and 1 to 12 levels", found));
        }
        Ok(Plan { size, group, levels, ..self })
    }
}

impl Clusters {
    /// Returns the sections of the chart. They hold only what [`Clusters::open`] could not compute again without a
    /// search.
    pub(in super::super) fn save(&self) -> Vec<SectionStream<'_>> {
        let Plan { size, group, levels, lazy, .. } = self.plan;
        let mut sections = vec![SectionStream::of_words("plan", [size, group, levels as u32].into_iter())];
        if let Some(trees) = &self.trees {
            sections.extend(trees.save());
        }
        for number in self.saved_levels() {
            let level = &self.levels[number];
            // Read only once, so that both sections agree: other threads may compute more prices meanwhile.
            let clusters = 0..level.blocks.len() as u32;
            let filled: Arc<[u8]> = clusters.clone().map(|cluster| u8::from(!level.awaits(cluster))).collect();
            if lazy {
                let filled = Arc::clone(&filled);
                let write = move |out: &mut dyn Write| out.write_all(&filled);
                sections.push(SectionStream::new(format!("filled.{number}"), level.blocks.len(), write));
            }
            let known = clusters.filter(move |&cluster| filled[cluster as usize] == 1);
            let prices = known.flat_map(|cluster| level.prices(cluster)).copied();
            sections.push(SectionStream::of_words(format!("prices.{number}"), prices));
        }
        sections
    }

    /// Opens the chart of a world: lists its ports and exits again, and reads the prices and trees that were saved.
    pub(in crate::chart) fn open(grid: &SquareGrid, plan: Plan, sections: &Sections) -> Result<Clusters, OpenError> {
        let room = &mut BuildScratch::default();
        let mut chart = Clusters::blank(grid, plan);
        let crossings = chart.list_all_ports(grid, room);
        let mut saved_trees = plan.keeps.has_trees().then(|| SavedTrees::open(sections)).transpose()?;
        for cluster in 0..chart.layout.tier(0).count() as u32 {
            chart.link(grid, cluster, crossings.of(cluster), room);
            let ports = chart.cell_by_port.of(chart.span_by_cluster[cluster as usize]);
            if let Some(kept) = &mut chart.kept {
                kept.forget(cluster, ports.len());
            }
            if let Some((trees, saved_trees)) = chart.trees.as_mut().zip(saved_trees.as_mut()) {
                let bounds = chart.layout.bounds(0, cluster);
                trees.replant(cluster, saved_trees.next(grid, bounds, ports, &room.parts, &mut room.cutout)?);
            }
            if chart.trees.is_some() {
                chart.refill(grid, 0, cluster, room);
            }
        }
        if let Some(saved_trees) = saved_trees {
            saved_trees.end()?;
        }
        for number in chart.saved_levels() {
            if number > 0 {
                for cluster in 0..chart.layout.tier(number).count() as u32 {
                    chart.group(number, cluster, room);
                }
            }
            chart.read_prices(grid, number, sections, &mut room.prices)?;
        }
        Ok(chart)
    }

    /// Returns the levels whose prices are saved: all of them, but not level 0 if its prices can be read from trees.
    fn saved_levels(&self) -> std::ops::Range<usize> {
        usize::from(self.trees.is_some())..self.levels.len()
    }

    fn read_prices(
        &mut self,
        grid: &SquareGrid,
        number: usize,
        sections: &Sections,
        prices: &mut Vec<u32>,
    ) -> Result<(), OpenError> {
        let mut filled = if self.plan.lazy { Some(sections.take(&format!("filled.{number}"))?) } else { None };
        let mut section = sections.take(&format!("prices.{number}"))?;
        let level = &mut self.levels[number];
        for cluster in 0..level.blocks.len() as u32 {
            if !filled.as_mut().map_or(Ok(true), Reader::flag)? {
                continue;
            }
            let rows = level.entries(cluster).iter().map(|&port| level.exits_from(level.place(port)).len());
            let count = rows.sum();
            prices.clear();
            section.words(count, prices)?;
            check_prices(grid, level, (cluster, self.layout.bounds(number, cluster)), prices, &section)?;
            if filled.is_some() {
                level.fill_late(cluster, prices);
            } else {
                level.fill(cluster, prices);
            }
        }
        filled.map_or(Ok(()), |filled| filled.end())?;
        section.end()
    }
}

/// Checks that the prices of a cluster are plausible. A price must be no lower than the cost without obstacles and no
/// higher than the cost of visiting every cell, and the cost between two ports must be equal in both directions. The
/// first condition also keeps the estimate of a search from exceeding the cost on the chart: otherwise a search could
/// expand its ports again and again.
fn check_prices(
    grid: &SquareGrid,
    level: &Level,
    (cluster, bounds): (u32, Area),
    prices: &[u32],
    section: &Reader,
) -> Result<(), OpenError> {
    let entries = level.entries(cluster);
    let Some(&first) = entries.first() else {
        return Ok(());
    };
    let first_row = level.place(first).row;
    let dearest = dearest_way(grid, bounds);
    for &port in entries {
        let place = level.place(port);
        let own = usize::from(place.own);
        let leaves = level.leaves_from(place);
        let distance = Distance::new(grid, place.cell);
        let row = &prices[(place.row - first_row) as usize..];
        for (&price, leave) in row.iter().zip(leaves) {
            let there = level.place(leave.from);
            let (out, home) = (u64::from(leave.step), u64::from(leaves[own].step));
            let back = prices[(there.row - first_row) as usize + own];
            let (low, high) = (out + distance.from(there.cell), out + dearest);
            let saturated = price == NO_WAY || back == NO_WAY;
            let (price, back) = (u64::from(price), u64::from(back));
            let in_range = (low..=high).contains(&price) && (leave.from != port || price == out);
            if !in_range || !saturated && price + home != back + out {
                let expected = format!("a price of {low} to {high} from {} to {}, as back", place.cell, there.cell);
                return Err(section.fault(expected, format!("{price} and {back}")));
            }
        }
    }
    Ok(())
}

/// Returns an upper bound on the cost of any route inside a cluster that visits no cell twice.
pub(in super::super) fn dearest_way(grid: &SquareGrid, bounds: Area) -> u64 {
    let step = u64::from(grid.metric().diagonal()) * u64::from(grid.greatest_weight());
    bounds.cells() as u64 * step
}
