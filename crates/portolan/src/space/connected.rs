//! Which cells can reach each other where steps depend on more than free cells: behind walls between cells, and over steps
//! that lead one way.
//!
//! The world is cut into tiles of 64 × 64 cells, and each tile into patches: cells with walks from each to each other inside
//! the tile that could be walked back step by step. Steps between patches, of one tile or of two, are a graph, whose strongly
//! connected parts are those of the world (Tarjan 1972). An edit finds the patches of the tiles anew that it touches, and the
//! parts only if the graph has changed.
//!
//! Not here: worlds where all borders are open, whose parts follow from the free cells alone (`space/components.rs`).

use super::bits::BitPlane;
use super::ground::Layout;
use super::links::Links;
use super::passages::{Span, widened};
use crate::memory::held;
use std::collections::BTreeSet;

const SIDE: usize = 64;
/// The number of bits of a cell's number in its tile.
const TILE_BITS: u32 = 12;
/// The patch of a cell that is blocked or not on the grid.
const NONE: u16 = u16::MAX;

/// The steps of a grid, by column and row.
pub(super) struct Steps<'a, L> {
    pub(super) layout: &'a L,
    /// The free cells inside a rim of one column and row.
    pub(super) free: &'a BitPlane,
    /// For each node, one bit for each direction in which it can be stepped to the neighbour.
    pub(super) around: &'a [u8],
}

impl<L: Layout> Steps<'_, L> {
    fn is_free(&self, (column, row): (usize, usize)) -> bool {
        self.free.get(column + 1, row + 1)
    }

    /// Returns the legal steps from a cell on the grid, none from a blocked one.
    pub(super) fn legal(&self, at: (usize, usize)) -> u8 {
        if !self.is_free(at) {
            return 0;
        }
        self.layout.legal()[usize::from(self.around[self.layout.node_of(at)])]
    }
}

/// The connected parts of a grid.
#[derive(Clone, Default)]
pub(super) struct Connected {
    tiles_across: usize,
    tiles: Vec<Tile>,
    /// The number of the first patch of each tile, where the patches of all tiles are numbered from tile to tile.
    first_by_tile: Vec<u32>,
    /// The pairs of patches of which a link leads from the first to the second, named as in [`Tile::edges`].
    links: Vec<(u32, u32)>,
    /// The least patch of the part that each patch is in, which is the number of that part.
    part_by_patch: Vec<u32>,
    /// The pairs of different parts of which a step leads from the first to the second, in order.
    ways: Vec<(u32, u32)>,
}

/// The patches of a tile.
#[derive(Clone, Default, PartialEq)]
struct Tile {
    /// The patch of each cell, row by row, counted from 0 in each tile, [`NONE`] if there is none.
    patch_by_cell: Vec<u16>,
    patches: u32,
    /// The pairs of patches of which a step leads from the first to the second, in order. A patch is named by its tile, and
    /// in the lowest bits by its number there.
    edges: Vec<(u32, u32)>,
}

impl Connected {
    pub(super) fn new<L: Layout>(steps: &Steps<L>, links: &Links) -> Connected {
        let (width, height) = steps.layout.size();
        let (tiles_across, tiles_down) = (width.div_ceil(SIDE), height.div_ceil(SIDE));
        let mut made = Connected { tiles_across, ..Connected::default() };
        let mut sets = Vec::new();
        made.tiles.resize(tiles_across * tiles_down, Tile::default());
        for tile in 0..made.tiles.len() {
            made.tiles[tile] = made.divide(steps, tile, &mut sets);
        }
        for tile in 0..made.tiles.len() {
            made.tiles[tile].edges = made.edges(steps, tile);
        }
        made.links = made.linked(steps, links);
        made.join();
        made
    }

    pub(super) fn is_empty(&self) -> bool {
        self.tiles.is_empty()
    }

    /// Brings the parts up to date after steps from or to cells of these rectangles have changed.
    pub(super) fn repair<L: Layout>(&mut self, steps: &Steps<L>, changed: &[Span], links: &Links) {
        let touched = self.tiles_of(steps.layout.size(), changed.iter().copied());
        // Patches may have other numbers than before, by which the edges of the tiles around name them.
        let spans = touched.iter().map(|tile| {
            let (x, y) = (tile % self.tiles_across * SIDE, tile / self.tiles_across * SIDE);
            widened(((x, y), (x + SIDE - 1, y + SIDE - 1)), 1)
        });
        let around = self.tiles_of(steps.layout.size(), spans);
        let (mut sets, mut has_changed) = (Vec::new(), false);
        for &tile in &touched {
            let divided = self.divide(steps, tile, &mut sets);
            has_changed |= divided.patches != self.tiles[tile].patches;
            let edges = std::mem::take(&mut self.tiles[tile].edges);
            self.tiles[tile] = Tile { edges, ..divided };
        }
        for &tile in &around {
            let edges = self.edges(steps, tile);
            has_changed |= edges != self.tiles[tile].edges;
            self.tiles[tile].edges = edges;
        }
        let links = self.linked(steps, links);
        if has_changed || links != self.links {
            self.links = links;
            self.join();
        }
    }

    /// Returns the pairs of patches that links between free cells lead from and to.
    fn linked<L: Layout>(&self, steps: &Steps<L>, links: &Links) -> Vec<(u32, u32)> {
        let ends =
            links.all().iter().map(|link| [link.at, link.beyond].map(|node| steps.layout.place_of(node as usize)));
        let usable = ends.filter(|ends| ends.iter().all(|&at| steps.is_free(at)));
        usable.map(|ends| ends.map(|at| self.name(at))).map(|[from, to]| (from, to)).collect()
    }

    /// Returns the tiles that hold cells of these rectangles.
    fn tiles_of(&self, (width, height): (usize, usize), spans: impl Iterator<Item = Span>) -> BTreeSet<usize> {
        let mut tiles = BTreeSet::new();
        for ((x0, y0), (x1, y1)) in spans {
            for down in y0 / SIDE..=y1.min(height - 1) / SIDE {
                tiles.extend((x0 / SIDE..=x1.min(width - 1) / SIDE).map(|across| down * self.tiles_across + across));
            }
        }
        tiles
    }

    /// Returns the cells of a tile that may lie on the grid.
    fn cells<L: Layout>(&self, layout: &L, tile: usize) -> impl Iterator<Item = (usize, usize)> + use<L> {
        let (width, height) = layout.size();
        let (x, y) = (tile % self.tiles_across * SIDE, tile / self.tiles_across * SIDE);
        (y..(y + SIDE).min(height)).flat_map(move |row| (x..(x + SIDE).min(width)).map(move |column| (column, row)))
    }

    fn tile_of(&self, (column, row): (usize, usize)) -> usize {
        row / SIDE * self.tiles_across + column / SIDE
    }

    /// Finds the patches of a tile.
    fn divide<L: Layout>(&self, steps: &Steps<L>, tile: usize, sets: &mut Vec<u16>) -> Tile {
        sets.clear();
        sets.extend(0..(SIDE * SIDE) as u16);
        for at in self.cells(steps.layout, tile) {
            let legal = steps.legal(at);
            // Half of the directions suffice, since a step that leads both ways is looked at from both of its cells.
            for direction in (0..L::DIRECTIONS / 2).filter(|direction| legal >> direction & 1 == 1) {
                let Some(to) = steps.layout.beside(at, direction).filter(|&to| self.tile_of(to) == tile) else {
                    continue;
                };
                if steps.legal(to) >> L::back(direction) & 1 == 1 {
                    let (a, b) = (find(sets, place(at)), find(sets, place(to)));
                    sets[a.max(b)] = a.min(b) as u16;
                }
            }
        }
        let mut divided = Tile { patch_by_cell: vec![NONE; SIDE * SIDE], ..Tile::default() };
        for at in self.cells(steps.layout, tile).filter(|&at| steps.is_free(at)) {
            // The least cell of a set is its root, which comes first.
            let root = find(sets, place(at));
            if root == place(at) {
                divided.patch_by_cell[root] = divided.patches as u16;
                divided.patches += 1;
            } else {
                divided.patch_by_cell[place(at)] = divided.patch_by_cell[root];
            }
        }
        divided
    }

    /// Returns the steps from patches of a tile to others.
    fn edges<L: Layout>(&self, steps: &Steps<L>, tile: usize) -> Vec<(u32, u32)> {
        let mut edges = Vec::new();
        for at in self.cells(steps.layout, tile) {
            let legal = steps.legal(at);
            for direction in (0..L::DIRECTIONS).filter(|direction| legal >> direction & 1 == 1) {
                let Some(to) = steps.layout.beside(at, direction) else { continue };
                let edge = (self.name(at), self.name(to));
                if edge.0 != edge.1 && edges.last() != Some(&edge) {
                    edges.push(edge);
                }
            }
        }
        edges.sort_unstable();
        edges.dedup();
        edges
    }

    /// Returns the name of the patch of a free cell.
    fn name(&self, at: (usize, usize)) -> u32 {
        let tile = self.tile_of(at);
        (tile as u32) << TILE_BITS | u32::from(self.tiles[tile].patch_by_cell[place(at)])
    }

    /// Returns the patch of that name among all patches.
    fn patch(&self, name: u32) -> u32 {
        self.first_by_tile[(name >> TILE_BITS) as usize] + (name & ((1 << TILE_BITS) - 1))
    }

    /// Finds the parts.
    fn join(&mut self) {
        self.first_by_tile.clear();
        let mut patches = 0;
        for tile in &self.tiles {
            self.first_by_tile.push(patches);
            patches += tile.patches;
        }
        let edges = self.tiles.iter().flat_map(|tile| &tile.edges);
        let edges = edges.chain(&self.links).map(|&(from, to)| (self.patch(from), self.patch(to)));
        let mut edges: Vec<(u32, u32)> = edges.collect();
        edges.sort_unstable();
        self.part_by_patch = strong_parts(patches, &edges);
        let part = |patch: u32| self.part_by_patch[patch as usize];
        self.ways = edges.iter().map(|&(from, to)| (part(from), part(to))).filter(|(from, to)| from != to).collect();
        self.ways.sort_unstable();
        self.ways.dedup();
    }

    /// Returns the number of the part of a free cell.
    pub(super) fn part(&self, at: (usize, usize)) -> u64 {
        u64::from(self.part_by_patch[self.patch(self.name(at)) as usize])
    }

    /// Returns whether there is a walk from one part to another.
    pub(super) fn reaches(&self, from: u64, to: u64) -> bool {
        from == to || !self.ways.is_empty() && self.reached(from).contains(&to)
    }

    /// Returns the other parts to which there are walks from this one.
    pub(super) fn reached(&self, from: u64) -> BTreeSet<u64> {
        let (mut reached, mut stack) = (BTreeSet::new(), vec![from as u32]);
        while let Some(at) = stack.pop() {
            let first = self.ways.partition_point(|&(part, _)| part < at);
            let ways = self.ways[first..].iter().take_while(|&&(part, _)| part == at);
            stack.extend(ways.map(|&(_, to)| to).filter(|&to| reached.insert(u64::from(to))));
        }
        reached
    }

    pub(super) fn bytes(&self) -> usize {
        let tiles = self.tiles.iter().map(|tile| held(&tile.patch_by_cell) + held(&tile.edges));
        tiles.sum::<usize>()
            + held(&self.tiles)
            + held(&self.first_by_tile)
            + held(&self.links)
            + held(&self.part_by_patch)
            + held(&self.ways)
    }
}

/// Returns the number of a cell in its tile.
fn place((column, row): (usize, usize)) -> usize {
    row % SIDE * SIDE + column % SIDE
}

/// Returns the least cell of the set that a cell is in, and shortens the way there.
fn find(sets: &mut [u16], mut cell: usize) -> usize {
    while usize::from(sets[cell]) != cell {
        sets[cell] = sets[usize::from(sets[cell])];
        cell = usize::from(sets[cell]);
    }
    cell
}

/// A node on the way of the search for strongly connected parts: its number, and the next of its edges.
struct Visit {
    node: u32,
    edge: usize,
}

/// Returns for each node the least node of its strongly connected part. The edges are in order.
fn strong_parts(nodes: u32, edges: &[(u32, u32)]) -> Vec<u32> {
    const UNSEEN: u32 = u32::MAX;
    let mut part_by_node = vec![UNSEEN; nodes as usize];
    // The order in which nodes are met, and the earliest node still without a part that each is known to reach.
    let (mut order, mut low) = (vec![UNSEEN; nodes as usize], vec![UNSEEN; nodes as usize]);
    let (mut met, mut open, mut visits) = (0, Vec::new(), Vec::new());
    for root in 0..nodes {
        if order[root as usize] != UNSEEN {
            continue;
        }
        visits.push(Visit { node: root, edge: edges.partition_point(|&(from, _)| from < root) });
        while let Some(visit) = visits.last_mut() {
            let node = visit.node as usize;
            if order[node] == UNSEEN {
                (order[node], low[node]) = (met, met);
                met += 1;
                open.push(visit.node);
            }
            let next = edges.get(visit.edge).filter(|&&(from, _)| from as usize == node);
            if let Some(&(_, to)) = next {
                visit.edge += 1;
                if order[to as usize] == UNSEEN {
                    visits.push(Visit { node: to, edge: edges.partition_point(|&(from, _)| from < to) });
                } else if part_by_node[to as usize] == UNSEEN {
                    low[node] = low[node].min(order[to as usize]);
                }
                continue;
            }
            visits.pop();
            if let Some(before) = visits.last() {
                low[before.node as usize] = low[before.node as usize].min(low[node]);
            }
            if low[node] == order[node] {
                let first = open.iter().rposition(|&other| other as usize == node).expect("it was met and has no part");
                let least = open[first..].iter().copied().min().expect("it holds the node itself");
                for other in open.drain(first..) {
                    part_by_node[other as usize] = least;
                }
            }
        }
    }
    part_by_node
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Random;

    #[test]
    fn nodes_of_one_part_reach_each_other() {
        let mut random = Random::new(5);
        for round in 0..300 {
            let nodes = 1 + random.below(12) as u32;
            let mut node = || random.below(u64::from(nodes)) as u32;
            let mut edges: Vec<(u32, u32)> = (0..nodes * 3 / 2).map(|_| (node(), node())).collect();
            edges.sort_unstable();
            let reach = |from: u32| {
                let mut reached = BTreeSet::from([from]);
                while edges.iter().any(|(a, b)| reached.contains(a) && reached.insert(*b)) {}
                reached
            };
            let reached: Vec<_> = (0..nodes).map(reach).collect();
            let parts = strong_parts(nodes, &edges);
            for a in 0..nodes {
                let same = |b: &u32| reached[a as usize].contains(b) && reached[*b as usize].contains(&a);
                let least = (0..nodes).find(same);
                assert_eq!(Some(parts[a as usize]), least, "node {a} of round {round}, {edges:?}");
            }
        }
    }
}
