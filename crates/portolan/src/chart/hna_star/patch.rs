//! The hierarchy of a mesh of which a part was replaced. From the highest level down, nodes without a removed polygon and
//! without one that gained or lost a portal are kept, and the polygons of all others are divided anew, together with the added
//! ones. A lower node is also divided anew if its polygons no longer lie in one node of the level above.
//!
//! A kept node keeps its table as it is: its portals lie between kept polygons that kept their order, so that they keep theirs,
//! and with it their numbers in the node.
//!
//! Not here: which polygons are removed, added and changed (`space/mesh/patch.rs`).

use super::hierarchy::{self, Level, PolygonGraph};
use super::tables::{NodeSearch, Tables};
use super::{Division, HnaStar};
use crate::chart::shared::partition::Splitter;
use crate::space::mesh::NavMesh;
use crate::space::mesh::patch::MeshPatch;

/// A chart after a patch.
pub(in crate::chart) struct Patched {
    pub(in crate::chart) chart: HnaStar,
    /// For each node of the highest level the old node that it is, if it was kept with its table.
    pub(in crate::chart) sources: Vec<Option<u32>>,
}

impl HnaStar {
    /// Returns the chart for the mesh after a patch, or `None` if a mesh of this size has another number of levels.
    pub(in crate::chart) fn after(&self, mesh: &NavMesh, patch: &MeshPatch) -> Option<Patched> {
        let Division { merged, .. } = self.division;
        if self.division.highest(mesh.polygons()) as usize != self.levels.len() {
            return None;
        }
        let (levels, mut sources) = levels(&self.levels, mesh, patch, merged);
        let top = levels.last().expect("there is at least one level");
        let is_known = |polygon: &u32| !patch.is_reweighted(mesh, *polygon);
        sources.resize(top.polygons_by_node.len(), None); // passages that are nodes of their own
        for (source, polygons) in sources.iter_mut().zip(&top.polygons_by_node) {
            *source = source.filter(|_| polygons.iter().all(is_known));
        }
        let tables = patched_tables(&self.tables, mesh, top, &sources);
        Some(Patched { chart: HnaStar::of(mesh, levels, tables, self.pricing, self.division), sources })
    }
}

/// Returns the levels after a patch, the lowest first, and for each node of the highest level the old node that it is, if it
/// was kept.
fn levels(old: &[Level], mesh: &NavMesh, patch: &MeshPatch, merged: usize) -> (Vec<Level>, Vec<Option<u32>>) {
    let shape = &*mesh.shape;
    let polygons = PolygonGraph::of(shape);
    let graph = polygons.graph();
    let mut splitter = Splitter::new(&graph);
    let mut is_changed = vec![false; shape.polygons()];
    for &polygon in patch.changed() {
        is_changed[polygon as usize] = true;
    }
    let mut above: Vec<Vec<u32>> = vec![(0..shape.polygons() as u32).collect()];
    let (mut levels, mut sources_of_top) = (Vec::new(), None);
    for (below, level) in old.iter().enumerate().rev() {
        let kept = kept_nodes(level, patch, &is_changed);
        let size = hierarchy::node_size(merged, below as u32 + 1);
        let divide = |rest| hierarchy::divide(shape, &mut splitter, &[rest], size);
        let (nodes, sources) = nodes_inside(&above, kept, shape.polygons(), divide);
        sources_of_top.get_or_insert(sources);
        levels.push(Level::of_nodes(shape, nodes.clone()));
        above = nodes;
    }
    levels.reverse();
    (levels, sources_of_top.expect("there is at least one level"))
}

/// A node of a level that has no removed and no changed polygon: its number, and its polygons by their new numbers.
struct Kept {
    number: u32,
    polygons: Vec<u32>,
}

/// Returns the nodes of a level that may be kept.
fn kept_nodes(level: &Level, patch: &MeshPatch, is_changed: &[bool]) -> Vec<Kept> {
    let known = patch.numbers().len();
    let is_ground = |polygon: &u32| (*polygon as usize) < known;
    let now = |polygon: &u32| patch.number_of(*polygon).filter(|&number| !is_changed[number as usize]);
    let nodes = (0..).zip(&level.polygons_by_node).filter(|(_, polygons)| is_ground(&polygons[0]));
    let kept = nodes.filter_map(|(number, polygons)| {
        let polygons: Option<Vec<u32>> =
            polygons.iter().copied().filter(is_ground).map(|polygon| now(&polygon)).collect();
        Some(Kept { number, polygons: polygons? })
    });
    kept.collect()
}

/// Divides the nodes of the level above: into the kept nodes that lie in them, and what `divide` makes of the rest. Returns
/// the nodes, and for each the old node that it is, if it was kept.
fn nodes_inside(
    above: &[Vec<u32>],
    kept: Vec<Kept>,
    polygons: usize,
    mut divide: impl FnMut(Vec<u32>) -> Vec<Vec<u32>>,
) -> (Vec<Vec<u32>>, Vec<Option<u32>>) {
    let mut above_by_polygon = vec![0; polygons];
    for (number, node) in above.iter().enumerate() {
        for &polygon in node {
            above_by_polygon[polygon as usize] = number;
        }
    }
    let mut is_kept = vec![false; polygons];
    let mut kept_by_above: Vec<Vec<Kept>> = above.iter().map(|_| Vec::new()).collect();
    for node in kept {
        let home = above_by_polygon[node.polygons[0] as usize];
        if node.polygons.iter().all(|&polygon| above_by_polygon[polygon as usize] == home) {
            for &polygon in &node.polygons {
                is_kept[polygon as usize] = true;
            }
            kept_by_above[home].push(node);
        }
    }
    let (mut nodes, mut sources) = (Vec::new(), Vec::new());
    for (whole, kept) in above.iter().zip(kept_by_above) {
        for node in kept {
            sources.push(Some(node.number));
            nodes.push(node.polygons);
        }
        let rest: Vec<u32> = whole.iter().copied().filter(|&polygon| !is_kept[polygon as usize]).collect();
        if !rest.is_empty() {
            nodes.extend(divide(rest));
            sources.resize(nodes.len(), None);
        }
    }
    (nodes, sources)
}

/// Returns the tables of a level. Nodes that have a source take the table of that old node.
fn patched_tables(old: &Tables, mesh: &NavMesh, top: &Level, sources: &[Option<u32>]) -> Tables {
    let mut tables = old.without_ways_of(mesh, top);
    let mut search = NodeSearch::default();
    for (node, source) in sources.iter().enumerate() {
        match source {
            Some(source) => tables.take_ways(node, &old.nodes[*source as usize]),
            None => tables.fill(mesh, top, node, &mut search),
        }
    }
    tables
}

#[cfg(test)]
mod tests;
