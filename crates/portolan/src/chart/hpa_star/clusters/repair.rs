//! The repair of a chart of clusters after edits: which clusters are listed and priced again, level by level.
//!
//! Not here: how one cluster is listed and priced, which is in the entry file.

use super::super::level::Listing;
use super::{BuildScratch, Clusters};
use crate::chart::shared::layout::sort;
use crate::id::next_serial;
use crate::method::Repair;
use crate::space::Edit;
use crate::space::square::SquareGrid;

/// The clusters of one level that a repair has changed.
struct Changed {
    /// Clusters whose prices, ports or exits changed.
    redone: Vec<u32>,
    /// Clusters of which only the numbers of the ports beyond the border changed.
    relinked: Vec<u32>,
}

impl Clusters {
    /// Brings the chart up to date with a world that was edited. Returns which clusters were redone.
    pub(crate) fn repair(&mut self, grid: &SquareGrid, edits: &[Edit], room: &mut BuildScratch) -> Repair {
        self.serial = next_serial();
        self.has_one_ways = grid.has_one_ways();
        self.repriced.clear();
        if let Some(kept) = &mut self.kept {
            kept.follow(grid.uniform_weight().is_some());
        }
        // The order matters: first the ports of clusters whose border may have changed; then the exits of all clusters
        // that may lead to these ports; then prices, level by level. An edit away from the border changes no port, but
        // it may change which ports of its cluster are connected, so the exits of its cluster are listed again too.
        let (mut redone, border) = self.touched(grid, edits);
        let mut linked = [&redone[..], &border].concat();
        for cluster in border {
            if self.list_ports(grid, cluster, room) {
                linked.extend(self.layout.around(0, cluster));
                linked.extend(self.linked_with(grid, cluster));
            }
        }
        sort(&mut linked);
        let (mut relinked, mut relisted) = (Vec::new(), Vec::new());
        for cluster in linked {
            match self.relink(grid, cluster, room) {
                Listing::Same => {}
                Listing::Relinked => relinked.push(cluster),
                Listing::Other => relisted.push(cluster),
            }
        }
        redone.extend_from_slice(&relisted);
        sort(&mut redone);
        let mut repair = Repair::of(redone.len(), redone.iter().map(|&cluster| self.layout.bounds(0, cluster)));
        if !relisted.is_empty() || !relinked.is_empty() {
            self.listed = next_serial();
        }
        redone.retain(|&cluster| self.price(grid, cluster, room) || relisted.binary_search(&cluster).is_ok());
        let mut changed = Changed { redone, relinked };
        for level in 1..self.levels.len() {
            changed = self.repair_level(grid, level, &changed, &mut repair.clusters, room);
        }
        repair
    }

    /// Returns the lowest clusters that edits touch, and those whose border an edit may have changed, both sorted.
    fn touched(&self, grid: &SquareGrid, edits: &[Edit]) -> (Vec<u32>, Vec<u32>) {
        let size = (grid.width(), grid.height());
        let link_ends = edits.iter().filter_map(|edit| edit.areas().nth(1));
        let areas = edits.iter().map(|edit| edit.cells(size)).chain(link_ends);
        let (touched, mut border) = self.layout.touched_by(areas);
        for edit in edits.iter().filter(|edit| edit.areas().count() > 1) {
            border.extend(edit.areas().flat_map(|area| self.layout.touched(area)));
        }
        // The ends of links may have been blocked or freed, which ends or begins them at their other ends too.
        let beyond: Vec<u32> = touched.iter().flat_map(|&cluster| self.linked_with(grid, cluster)).collect();
        if !beyond.is_empty() {
            border.extend_from_slice(&touched);
            border.extend(beyond);
        }
        sort(&mut border);
        (touched, border)
    }

    /// Returns the lowest clusters that links join to this one, either way.
    fn linked_with(&self, grid: &SquareGrid, cluster: u32) -> impl Iterator<Item = u32> {
        let ends = grid.links().map(|(from, to, _)| [from, to].map(|cell| self.layout.tier(0).cluster(cell)));
        let both = ends.flat_map(|[from, to]| [(from, to), (to, from)]);
        let joined: Vec<u32> = both.filter(|&(home, _)| home == cluster).map(|(_, beyond)| beyond).collect();
        joined.into_iter()
    }

    /// Repairs the clusters of a level above the lowest, given what changed on the level below. Returns what changed on
    /// this level, and adds the number of clusters priced again to `count`.
    fn repair_level(
        &mut self,
        grid: &SquareGrid,
        level: usize,
        below: &Changed,
        count: &mut usize,
        room: &mut BuildScratch,
    ) -> Changed {
        let parents = |clusters: &[u32]| {
            let mut parents = clusters.iter().map(|&cluster| self.layout.parent(level - 1, cluster)).collect();
            sort(&mut parents);
            parents
        };
        let repriced = parents(&below.redone);
        let regrouped = parents(&[&below.redone[..], &below.relinked].concat());
        let mut changed = Changed { redone: Vec::new(), relinked: Vec::new() };
        for cluster in regrouped {
            let listing = self.group(level, cluster, room);
            if listing == Listing::Other || repriced.binary_search(&cluster).is_ok() {
                *count += 1;
                if self.refill(grid, level, cluster, room) || listing == Listing::Other {
                    changed.redone.push(cluster);
                    continue;
                }
            }
            if listing == Listing::Relinked {
                changed.relinked.push(cluster);
            }
        }
        changed
    }
}
