//! The labels of a mesh of which a part was replaced: those of kept nodes are copied, with the new numbers of regions,
//! polygons and portals.
//!
//! Not here: which nodes are kept (`hna_star/patch.rs`).

use super::{Labels, Region};
use crate::chart::hna_star::HnaStar;
use crate::chart::hna_star::hierarchy::PolygonGraph;
use crate::chart::hna_star::tables::NodeSearch;
use crate::chart::shared::partition::Splitter;
use crate::flat::NONE;
use crate::space::mesh::NavMesh;

impl Labels {
    /// Returns the labels for these nodes after a patch. `sources` has for each the old node that it is, if it was kept with
    /// its table.
    pub(in crate::chart::mesh_rhumb) fn after(
        &self,
        mesh: &NavMesh,
        old: &HnaStar,
        new: &HnaStar,
        sources: &[Option<u32>],
    ) -> Labels {
        let shape = &*mesh.shape;
        let mut labels = Labels::without_regions(shape);
        let polygons = PolygonGraph::of(shape);
        let graph = polygons.graph();
        let mut splitter = Splitter::new(&graph);
        for (node, source) in sources.iter().enumerate() {
            match source {
                Some(source) => labels.copy_regions(self, (old, *source as usize), (new, node)),
                None => labels.divide_node(shape, &mut splitter, &new.top().polygons_by_node[node]),
            }
        }
        labels.number_entries();
        let mut search = NodeSearch::default();
        for (node, source) in sources.iter().enumerate() {
            match source {
                Some(source) => labels.copy_entries(self, (old, *source as usize), (new, node)),
                None => labels.fill(mesh, new.top(), &new.tables, node, &mut search),
            }
        }
        labels
    }

    /// Takes the regions of an old node for the next node. Both have equally many polygons and portals, in one order.
    fn copy_regions(&mut self, from: &Labels, (old, source): (&HnaStar, usize), (new, node): (&HnaStar, usize)) {
        let [first, after] = [from.first_region[source], from.first_region[source + 1]];
        let start = self.regions.len() as u32;
        let moved = |region: u32| if region == NONE { NONE } else { region - first + start };
        let [portals_before, portals] =
            [&old.tables.nodes[source], &new.tables.nodes[node]].map(|table| &table.portals);
        let mut portal_by_old: Vec<(u32, u32)> = portals_before.iter().copied().zip(portals.iter().copied()).collect();
        portal_by_old.sort_unstable();
        for region in &from.regions[first as usize..after as usize] {
            let first_hub = self.hubs.len() as u32;
            for hub in &from.hubs[region.first_hub as usize..(region.first_hub + region.hubs) as usize] {
                let place = portal_by_old.binary_search_by_key(hub, |pair| pair.0).expect("a hub is in its node");
                self.hubs.push(portal_by_old[place].1);
            }
            self.regions.push(Region {
                parent: moved(region.parent),
                after: moved(region.after),
                first_hub,
                ..*region
            });
        }
        self.first_region.push(self.regions.len() as u32);
        if first == after {
            return; // a single polygon, or a node with links
        }
        let polygons = [&old.top().polygons_by_node[source], &new.top().polygons_by_node[node]];
        for (&before, &now) in polygons[0].iter().zip(polygons[1]) {
            self.region_by_polygon[now as usize] = moved(from.region_by_polygon[before as usize]);
        }
        let inner = old.tables.nodes[source].borders..;
        for (&before, &now) in portals_before[inner.clone()].iter().zip(&portals[inner]) {
            self.region_by_portal[now as usize] = moved(from.region_by_portal[before as usize]);
        }
    }

    /// Takes the labels of the portals of an old node.
    fn copy_entries(&mut self, from: &Labels, (old, source): (&HnaStar, usize), (new, node): (&HnaStar, usize)) {
        let inner = old.tables.nodes[source].borders..;
        let [before, now] =
            [&old.tables.nodes[source], &new.tables.nodes[node]].map(|table| &table.portals[inner.clone()]);
        for (&before, &now) in before.iter().zip(now) {
            let [before, now] = [from.label(before), self.label(now)];
            self.costs[now.clone()].copy_from_slice(&from.costs[before.clone()]);
            self.next[now].copy_from_slice(&from.next[before]);
        }
    }
}
