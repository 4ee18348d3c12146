//! Turns a leg inside a lowest cluster into cells: by the tree of a port if the chart has trees, from the cache if the
//! leg is remembered there, along an unobstructed line if there is one, and else by a search of the cluster.

use super::HpaStar;
use super::clusters::BuildScratch;
use super::trees::Heading;
use crate::chart::shared::sight::{report, trail_in_sight};
use crate::id::Cell;
use crate::method::Leg;
use crate::probe::Probe;
use crate::space::Area;
use crate::space::square::SquareGrid;
use crate::space::square::moves::STEP;

impl HpaStar {
    /// Appends a leg's cells to a trail, the last cell first.
    pub(super) fn cross(
        &self,
        grid: &SquareGrid,
        leg: Leg,
        room: &mut BuildScratch,
        trail: &mut Vec<Cell>,
        left: &mut u64,
        probe: &mut impl Probe,
    ) {
        let Leg { from, to, .. } = leg;
        if from == to {
            trail.push(from);
            return;
        }
        let layout = &self.chart.layout;
        let cluster = layout.tier(0).cluster(from);
        let bounds = layout.bounds_of(0, from);
        if !bounds.contains(to) {
            // The leg could not be split: search the smallest cluster that holds both its ends.
            let levels = 1..layout.levels();
            let around = levels.map(|level| layout.bounds_of(level, from)).find(|bounds| bounds.contains(to));
            let bounds = around.expect("a leg stays inside a cluster");
            *left = left.saturating_sub(search_leg(grid, leg, bounds, room, trail, probe));
            return;
        }
        if let Some(trees) = &self.chart.trees {
            let (ports, cluster_trees) = (self.chart.ports(cluster).0, trees.of(cluster));
            if let Ok(rank) = ports.binary_search(&from) {
                cluster_trees.walk(bounds, (rank, from), to, Heading::FromPort, trail);
                return;
            }
            if let Ok(rank) = ports.binary_search(&to) {
                let first = trail.len();
                cluster_trees.walk(bounds, (rank, to), from, Heading::ToPort, trail);
                trail[first..].reverse();
                return;
            }
        }
        let ports = self.chart.ports(cluster).0;
        let ranks = ports.binary_search(&from).ok().zip(ports.binary_search(&to).ok());
        let kept = self.chart.kept.as_ref().zip(ranks);
        // A watched search does not use the cache, so that the probe sees the cells expanded.
        let known = kept.filter(|_| !probe.is_watching());
        if let Some(expanded) = known.and_then(|(kept, ranks)| kept.recall(cluster, ranks, to, trail)) {
            *left = left.saturating_sub(expanded);
            return;
        }
        let first = trail.len();
        let expanded = if self.chart.trees.is_some() {
            search_leg(grid, leg, bounds, room, trail, probe)
        } else {
            walk_or_search(grid, leg, bounds, room, trail, probe)
        };
        *left = left.saturating_sub(expanded);
        if let Some((kept, ranks)) = kept {
            kept.keep(cluster, ranks, &trail[first..], expanded);
        }
    }
}

/// Appends the cells of a leg inside a cluster to a trail, the last cell first: those of a walk in plain sight, or else of a
/// search of the cluster. Returns how many cells were expanded.
pub(in crate::chart) fn walk_or_search(
    grid: &SquareGrid,
    leg: Leg,
    bounds: Area,
    room: &mut BuildScratch,
    trail: &mut Vec<Cell>,
    probe: &mut impl Probe,
) -> u64 {
    if trail_in_sight(grid, leg.from, leg.to, trail) { 0 } else { search_leg(grid, leg, bounds, room, trail, probe) }
}

/// Searches a cluster for a leg and appends its cells to `trail`, the last cell first. Returns how many cells were
/// expanded.
fn search_leg(
    grid: &SquareGrid,
    Leg { from, to, .. }: Leg,
    bounds: Area,
    room: &mut BuildScratch,
    trail: &mut Vec<Cell>,
    probe: &mut impl Probe,
) -> u64 {
    let BuildScratch { cutout, tree, ring, .. } = room;
    cutout.cut(grid, bounds);
    // A tampered chart may have a leg that costs more than a `u32` can hold. The search then does not reach `to`, and
    // the trail gets no other cell than `to`.
    cutout.reach(bounds.index(from), bounds.index(to), tree, ring);
    report(grid, bounds, tree, probe);
    let mut cell = to;
    trail.push(cell);
    while let Some(direction) = tree.step_back(bounds.index(cell)) {
        cell = cell.shifted(STEP[usize::from(direction)]);
        trail.push(cell);
    }
    tree.expanded
}
