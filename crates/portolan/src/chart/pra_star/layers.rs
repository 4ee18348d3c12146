//! The layers: cliques of cells, cliques of cliques, and so on, until every connected area is one node.
//!
//! The world is cut into blocks, of 2 × 2 cells on the first layer and of 2 × 2 blocks of the layer below on every other, and
//! cliques are made inside a block. What becomes of a block follows from its own cells alone: steps inside it and the
//! sides it is touched from. So an edit concerns the blocks it lies in, one a layer, and the edges of those beside them;
//! what it leaves is what building anew would give.
//!
//! A node with no neighbours inside its block that touches no side of it is a whole connected area, and goes no further
//! up. Where a layer is one block that is still not down to single areas, further layers are made of that block.

use super::cliques::Cliques;
use super::tiles::Tiles;
use crate::chart::arena::{Arena, Span};
use crate::id::Cell;
use crate::world::Edit;
use crate::world::moves::STEP;
use crate::world::square::SquareGrid;

/// The direction that leads nowhere: a neighbour in the same block.
pub(super) const OWN: usize = 8;
/// Parts of a cell that centres are measured in.
pub(super) const GRAIN: u32 = 16;
/// The parent of a node that has none.
const NONE: u32 = u32::MAX;
/// Bits of an edge that hold the place of a node in its block; the direction of the block is above.
const SLOT_BITS: u32 = 28;

/// Sides of a block, as bits.
#[derive(Copy, Clone)]
pub(super) enum Side {
    North,
    East,
    South,
    West,
}

/// How far apart in numbers neighbouring blocks are, by direction.
pub(super) fn offsets(stride: usize) -> [isize; 9] {
    let mut offsets = [0; 9];
    for (direction, &(dx, dy)) in STEP.iter().enumerate() {
        offsets[direction] = dy as isize * stride as isize + dx as isize;
    }
    offsets
}

/// What is known of a node as a whole.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct Body {
    /// The middle of its cells, in parts of a cell.
    pub(super) x: u32,
    pub(super) y: u32,
    pub(super) cells: u32,
    /// The mean weight of its cells, in parts of 1.
    pub(super) weight: u32,
}

/// A node above the first layer.
#[derive(Copy, Clone, Default, Debug)]
struct Node {
    body: Body,
    block: u32,
    /// Its place in the block above.
    parent: u32,
    /// Where its edges lie among those of its block.
    edges: (u32, u32),
    /// The sides of its block that it touches, one bit each.
    sides: u8,
}

/// A layer above the first.
#[derive(Clone)]
struct Layer {
    across: usize,
    down: usize,
    stride: usize,
    /// Whether a block is four of the layer below, or the only one of it.
    halves: bool,
    nodes: Arena<Node>,
    nodes_by_block: Vec<Span>,
    /// Direction of a block and place in it.
    edges: Arena<u32>,
    edges_by_block: Vec<Span>,
}

impl Layer {
    fn new(across: usize, down: usize, halves: bool) -> Layer {
        let stride = across + 2;
        let count = stride * (down + 2);
        Layer {
            across,
            down,
            stride,
            halves,
            nodes: Arena::default(),
            nodes_by_block: vec![Span::default(); count],
            edges: Arena::default(),
            edges_by_block: vec![Span::default(); count],
        }
    }

    #[inline(always)]
    fn at(&self, x: usize, y: usize) -> usize {
        (y + 1) * self.stride + x + 1
    }

    #[inline(always)]
    fn place(&self, block: usize) -> (usize, usize) {
        (block % self.stride - 1, block / self.stride - 1)
    }

    #[inline(always)]
    fn node(&self, node: u32) -> &Node {
        &self.nodes.items()[node as usize]
    }

    /// Direction and place of every neighbour.
    #[inline(always)]
    fn edges(&self, node: u32) -> impl Iterator<Item = (usize, u32)> + '_ {
        let Node { block, edges: (at, len), .. } = *self.node(node);
        let all = self.edges.of(self.edges_by_block[block as usize]);
        let edge = |&edge: &u32| ((edge >> SLOT_BITS) as usize, edge & ((1 << SLOT_BITS) - 1));
        all[at as usize..(at + len) as usize].iter().map(edge)
    }

    fn bytes(&self) -> usize {
        self.nodes.bytes()
            + self.edges.bytes()
            + size_of::<Span>() * (self.nodes_by_block.capacity() + self.edges_by_block.capacity())
    }
}

/// All layers over a world.
#[derive(Clone)]
pub(super) struct Layers {
    pub(super) tiles: Tiles,
    /// From the second on.
    upper: Vec<Layer>,
}

/// What making a block takes.
#[derive(Default)]
struct Bench {
    cliques: Cliques,
    members: Vec<Member>,
    groups: Vec<Group>,
    links: Vec<(u32, u32)>,
}

#[derive(Copy, Clone)]
struct Member {
    node: u32,
    body: Body,
    sides: u8,
}

#[derive(Copy, Clone, Default)]
struct Group {
    members: u32,
    joined: bool,
    sides: u8,
    x: u64,
    y: u64,
    weight: u64,
    cells: u32,
    slot: u32,
}

impl Layers {
    pub(super) fn new(grid: &SquareGrid) -> Layers {
        let tiles = Tiles::new(grid);
        let mut layers = Layers { tiles, upper: Vec::new() };
        let mut bench = Bench::default();
        let (mut across, mut down) = (layers.tiles.across, layers.tiles.down);
        while across > 1 || down > 1 {
            (across, down) = (across.div_ceil(2), down.div_ceil(2));
            layers.add(grid, Layer::new(across, down, true), &mut bench);
        }
        layers.top_out(grid, &mut bench);
        layers
    }

    /// How many layers there are, cells not counted.
    pub(super) fn count(&self) -> usize {
        1 + self.upper.len()
    }

    fn add(&mut self, grid: &SquareGrid, layer: Layer, bench: &mut Bench) {
        let (across, down) = (layer.across, layer.down);
        self.upper.push(layer);
        let level = self.upper.len() - 1;
        for y in 0..down {
            for x in 0..across {
                self.make_block(grid, level, (x, y), bench);
            }
        }
        for y in 0..down {
            for x in 0..across {
                self.make_edges(level, (x, y), bench);
            }
        }
    }

    /// Makes layers of a single block until every area is one node.
    fn top_out(&mut self, grid: &SquareGrid, bench: &mut Bench) {
        while self.has_edges() {
            self.add(grid, Layer::new(1, 1, false), bench);
        }
    }

    /// Whether the topmost layer has edges.
    fn has_edges(&self) -> bool {
        match self.upper.last() {
            Some(layer) => layer.edges_by_block.iter().any(|span| span.len > 0),
            None => {
                let mut any = false;
                for clique in 0..2 {
                    let node = (2 * self.tiles.at(0, 0) + clique) as u32;
                    if self.tiles.cells(node) != 0 {
                        self.tiles.for_each_neighbour(node, |_, _| any = true);
                    }
                }
                any
            }
        }
    }

    /// Calls `visit` with the nodes of a block of the layer below that of `level` among the upper ones.
    fn below(&self, grid: &SquareGrid, level: usize, (x, y): (usize, usize), mut visit: impl FnMut(Member)) {
        if level == 0 {
            let tile = self.tiles.at(x, y);
            for clique in 0..self.tiles.count(tile) {
                let node = (2 * tile + clique) as u32;
                visit(Member { node, body: self.tile_body(grid, node), sides: self.tiles.sides(node) });
            }
        } else {
            let layer = &self.upper[level - 1];
            let span = layer.nodes_by_block[layer.at(x, y)];
            for node in span.range() {
                let Node { body, sides, .. } = layer.nodes.items()[node];
                visit(Member { node: node as u32, body, sides });
            }
        }
    }

    fn tile_body(&self, grid: &SquareGrid, node: u32) -> Body {
        let cells = self.tiles.cells(node);
        let (x, y) = self.tiles.place(node as usize / 2);
        let count = cells.count_ones();
        let east = (cells & 0b1010).count_ones();
        let south = (cells & 0b1100).count_ones();
        let weight = match grid.weights() {
            None => u32::from(grid.least_weight()) * GRAIN,
            Some(_) => {
                let weight = |place: usize| u32::from(grid.weight(grid.node(self.tiles.cell(node, place))));
                let sum: u32 = (0..4).filter(|place| cells >> place & 1 == 1).map(weight).sum();
                sum * GRAIN / count.max(1)
            }
        };
        Body {
            x: GRAIN * 2 * x as u32 + GRAIN * east / count.max(1),
            y: GRAIN * 2 * y as u32 + GRAIN * south / count.max(1),
            cells: count,
            weight,
        }
    }

    /// Calls `visit` with direction and place of every neighbour of a node of the layer below.
    #[inline(always)]
    fn links(&self, level: usize, node: u32, mut visit: impl FnMut(usize, u32)) {
        if level == 0 {
            self.tiles.for_each_neighbour(node, visit);
        } else {
            for (direction, slot) in self.upper[level - 1].edges(node) {
                visit(direction, slot);
            }
        }
    }

    /// The places of the blocks of the layer below that a block is made of.
    fn quarters(&self, level: usize, (x, y): (usize, usize)) -> impl Iterator<Item = (usize, (usize, usize))> + use<> {
        let (across, down) = match level {
            0 => (self.tiles.across, self.tiles.down),
            _ => (self.upper[level - 1].across, self.upper[level - 1].down),
        };
        let halves = self.upper[level].halves;
        let quarters = if halves { 4 } else { 1 };
        (0..quarters).filter_map(move |quarter| {
            let place = if halves { (2 * x + quarter % 2, 2 * y + quarter / 2) } else { (x, y) };
            (place.0 < across && place.1 < down).then_some((quarter, place))
        })
    }

    /// Makes the nodes of a block from those of the layer below.
    fn make_block(&mut self, grid: &SquareGrid, level: usize, (x, y): (usize, usize), bench: &mut Bench) {
        let Bench { cliques, members, groups, .. } = bench;
        let halves = self.upper[level].halves;
        let is_top = self.upper[level].across == 1 && self.upper[level].down == 1;
        members.clear();
        // Where the members of each quarter begin.
        let mut first = [0; 5];
        for (quarter, place) in self.quarters(level, (x, y)) {
            first[quarter] = members.len();
            let outer = if !halves || is_top { 0 } else { OUTER[quarter] };
            self.below(grid, level, place, |member| {
                members.push(Member { sides: member.sides & outer, ..member });
            });
            first[quarter + 1..].fill(members.len());
        }
        cliques.reset(members.len());
        for (quarter, _) in self.quarters(level, (x, y)) {
            for index in first[quarter]..first[quarter + 1] {
                self.links(level, members[index].node, |direction, slot| {
                    let Some(other) = (if direction == OWN { Some(quarter) } else { BESIDE[quarter][direction] })
                    else {
                        return;
                    };
                    let other = first[other] + slot as usize;
                    if other > index {
                        cliques.join(index, other);
                    }
                });
            }
        }
        let count = cliques.group(is_top);
        groups.clear();
        groups.resize(count, Group::default());
        for (index, member) in members.iter().enumerate() {
            let group = &mut groups[cliques.of(index)];
            let Body { x, y, cells, weight } = member.body;
            group.members += 1;
            group.joined |= cliques.is_joined(index);
            group.sides |= member.sides;
            group.x += u64::from(x) * u64::from(cells);
            group.y += u64::from(y) * u64::from(cells);
            group.weight += u64::from(weight) * u64::from(cells);
            group.cells += cells;
        }
        let mut slots = 0;
        for group in &mut *groups {
            let is_done = group.members == 1 && !group.joined && group.sides == 0;
            group.slot = if is_done { NONE } else { slots };
            slots += u32::from(!is_done);
        }
        let layer = &mut self.upper[level];
        let block = layer.at(x, y);
        let mut span = layer.nodes_by_block[block];
        layer.nodes.resize(&mut span, slots as usize);
        layer.nodes_by_block[block] = span;
        for group in groups.iter().filter(|group| group.slot != NONE) {
            let mean = |sum: u64| (sum / u64::from(group.cells)) as u32;
            let body = Body { x: mean(group.x), y: mean(group.y), cells: group.cells, weight: mean(group.weight) };
            layer.nodes.of_mut(span)[group.slot as usize] =
                Node { body, block: block as u32, parent: NONE, edges: (0, 0), sides: group.sides };
        }
        for (index, member) in members.iter().enumerate() {
            let slot = groups[cliques.of(index)].slot;
            if level == 0 {
                self.tiles.set_parent(member.node, (slot != NONE).then_some(slot));
            } else {
                self.upper[level - 1].nodes.item_mut(member.node as usize).parent = slot;
            }
        }
    }

    /// Makes the edges of a block from those of the layer below.
    fn make_edges(&mut self, level: usize, (x, y): (usize, usize), bench: &mut Bench) {
        let Bench { links, .. } = bench;
        links.clear();
        let layer = &self.upper[level];
        for (quarter, place) in self.quarters(level, (x, y)) {
            let (at, offsets) = match level {
                0 => (self.tiles.at(place.0, place.1), self.tiles.offsets()),
                _ => (self.upper[level - 1].at(place.0, place.1), offsets(self.upper[level - 1].stride)),
            };
            let nodes = match level {
                0 => 2 * at..2 * at + self.tiles.count(at),
                _ => self.upper[level - 1].nodes_by_block[at].range(),
            };
            for node in nodes {
                let Some(own) = self.parent_slot(level, node as u32) else { continue };
                self.links(level, node as u32, |direction, slot| {
                    let block = at.wrapping_add_signed(offsets[direction]);
                    let other = match level {
                        0 => (2 * block) as u32 + slot,
                        _ => self.upper[level - 1].nodes_by_block[block].at + slot,
                    };
                    let theirs = self.parent_slot(level, other).expect("a node with an edge has a parent");
                    let direction = if !layer.halves || direction == OWN { OWN } else { ABOVE[quarter][direction] };
                    if direction != OWN || theirs != own {
                        links.push((own, (direction as u32) << SLOT_BITS | theirs));
                    }
                });
            }
        }
        links.sort_unstable();
        links.dedup();
        let layer = &mut self.upper[level];
        let block = layer.at(x, y);
        let mut span = layer.edges_by_block[block];
        layer.edges.resize(&mut span, links.len());
        layer.edges_by_block[block] = span;
        for (edge, &(_, link)) in layer.edges.of_mut(span).iter_mut().zip(&*links) {
            *edge = link;
        }
        let nodes = layer.nodes_by_block[block];
        let mut at = 0;
        for (slot, node) in layer.nodes.of_mut(nodes).iter_mut().enumerate() {
            let len = links[at..].iter().take_while(|(own, _)| *own as usize == slot).count();
            node.edges = (at as u32, len as u32);
            at += len;
        }
    }

    #[inline(always)]
    fn parent_slot(&self, level: usize, node: u32) -> Option<u32> {
        if level == 0 {
            return self.tiles.parent(node);
        }
        let parent = self.upper[level - 1].node(node).parent;
        (parent != NONE).then_some(parent)
    }

    /// Follows edits; the places of tiles that were looked at anew.
    pub(super) fn repair(&mut self, grid: &SquareGrid, edits: &[Edit]) -> Vec<(usize, usize)> {
        let mut dirty = Vec::new();
        for edit in edits {
            self.tiles.look(grid, edit.area);
            let (x, y) = (usize::from(edit.area.x), usize::from(edit.area.y));
            let (right, bottom) = (x + usize::from(edit.area.width) - 1, y + usize::from(edit.area.height) - 1);
            dirty.extend((y / 2..=bottom / 2).flat_map(|y| (x / 2..=right / 2).map(move |x| (y, x))));
        }
        dirty.sort_unstable();
        dirty.dedup();
        let tiles = dirty.iter().map(|&(y, x)| (x, y)).collect();
        let mut bench = Bench::default();
        // Layers of a single block are few and small: they are made anew, since there may be more or fewer now.
        let lasting = self.upper.iter().take_while(|layer| layer.halves).count();
        self.upper.truncate(lasting);
        for level in 0..lasting {
            for place in &mut dirty {
                *place = (place.0 / 2, place.1 / 2);
            }
            dirty.dedup();
            dirty.sort_unstable();
            dirty.dedup();
            let (across, down) = (self.upper[level].across, self.upper[level].down);
            for &(y, x) in &dirty {
                self.make_block(grid, level, (x, y), &mut bench);
            }
            let mut beside: Vec<(usize, usize)> = Vec::with_capacity(9 * dirty.len());
            for &(y, x) in &dirty {
                let rows = y.saturating_sub(1)..(y + 2).min(down);
                beside.extend(rows.flat_map(|y| (x.saturating_sub(1)..(x + 2).min(across)).map(move |x| (y, x))));
            }
            beside.sort_unstable();
            beside.dedup();
            for &(y, x) in &beside {
                self.make_edges(level, (x, y), &mut bench);
            }
        }
        self.top_out(grid, &mut bench);
        tiles
    }

    // ---- What a search sees. Layers count from 1, the tiles. ----

    /// One more than the greatest number of a node.
    pub(super) fn nodes(&self, layer: usize) -> usize {
        if layer == 1 { self.tiles.nodes() } else { self.upper[layer - 2].nodes.len() }
    }

    /// The node of the layer above that a node is part of.
    #[inline(always)]
    pub(super) fn parent(&self, layer: usize, node: u32) -> Option<u32> {
        let slot = self.parent_slot(layer - 1, node)?;
        let above = self.upper.get(layer - 1)?;
        let (x, y) = match layer {
            1 => self.tiles.place(node as usize / 2),
            _ => self.upper[layer - 2].place(self.upper[layer - 2].node(node).block as usize),
        };
        let block = if above.halves { above.at(x / 2, y / 2) } else { above.at(x, y) };
        Some(above.nodes_by_block[block].at + slot)
    }

    /// The neighbours of a node.
    #[inline(always)]
    pub(super) fn for_each_neighbour(&self, layer: usize, node: u32, mut visit: impl FnMut(u32)) {
        if layer == 1 {
            let (tile, offsets) = (node as usize / 2, self.tiles.offsets());
            self.tiles.for_each_neighbour(node, |direction, clique| {
                visit((2 * tile.wrapping_add_signed(offsets[direction])) as u32 + clique);
            });
        } else {
            let layer = &self.upper[layer - 2];
            let (block, offsets) = (layer.node(node).block as usize, offsets(layer.stride));
            for (direction, slot) in layer.edges(node) {
                visit(layer.nodes_by_block[block.wrapping_add_signed(offsets[direction])].at + slot);
            }
        }
    }

    pub(super) fn body(&self, grid: &SquareGrid, layer: usize, node: u32) -> Body {
        if layer == 1 { self.tile_body(grid, node) } else { self.upper[layer - 2].node(node).body }
    }

    /// The nodes of the layer below that a node above the first layer is made of.
    pub(super) fn for_each_child(&self, layer: usize, node: u32, mut visit: impl FnMut(u32)) {
        let level = layer - 2;
        let above = &self.upper[level];
        let block = above.node(node).block as usize;
        let slot = node - above.nodes_by_block[block].at;
        for (_, place) in self.quarters(level, above.place(block)) {
            let nodes = match level {
                0 => {
                    let tile = self.tiles.at(place.0, place.1);
                    2 * tile..2 * tile + self.tiles.count(tile)
                }
                _ => self.upper[level - 1].nodes_by_block[self.upper[level - 1].at(place.0, place.1)].range(),
            };
            nodes
                .map(|child| child as u32)
                .filter(|&child| self.parent_slot(level, child) == Some(slot))
                .for_each(&mut visit);
        }
    }

    /// The first cell of a node: what stands for it where cells are wanted.
    pub(super) fn first_cell(&self, layer: usize, mut node: u32) -> Cell {
        for layer in (2..=layer).rev() {
            let mut first = None;
            self.for_each_child(layer, node, |child| first = first.or(Some(child)));
            node = first.expect("a node is made of some");
        }
        self.tiles.cell(node, self.tiles.cells(node).trailing_zeros() as usize)
    }

    /// Nodes and edges of a layer.
    pub(super) fn census(&self, layer: usize) -> (usize, usize, usize) {
        if layer == 1 {
            let (mut nodes, mut edges, mut blocks) = (0, 0, 0);
            for y in 0..self.tiles.down {
                for x in 0..self.tiles.across {
                    let tile = self.tiles.at(x, y);
                    let count = self.tiles.count(tile);
                    blocks += usize::from(count > 0);
                    nodes += count;
                    for node in 2 * tile..2 * tile + count {
                        self.tiles.for_each_neighbour(node as u32, |_, _| edges += 1);
                    }
                }
            }
            return (blocks, nodes, edges / 2);
        }
        let layer = &self.upper[layer - 2];
        let sum = |spans: &[Span]| spans.iter().map(|span| span.len as usize).sum::<usize>();
        let blocks = layer.nodes_by_block.iter().filter(|span| span.len > 0).count();
        (blocks, sum(&layer.nodes_by_block), sum(&layer.edges_by_block) / 2)
    }

    pub(super) fn bytes(&self) -> usize {
        self.tiles.bytes() + self.upper.iter().map(Layer::bytes).sum::<usize>()
    }
}

/// The sides of a block that each quarter of it lies at.
const OUTER: [u8; 4] = {
    let [n, e, s, w] = [1 << Side::North as u8, 1 << Side::East as u8, 1 << Side::South as u8, 1 << Side::West as u8];
    [n | w, n | e, s | w, s | e]
};

/// The quarter of the same block that lies in a direction from a quarter.
const BESIDE: [[Option<usize>; 8]; 4] = {
    let mut table = [[None; 8]; 4];
    let mut quarter = 0;
    while quarter < 4 {
        let mut direction = 0;
        while direction < 8 {
            let (dx, dy) = STEP[direction];
            let (x, y) = (quarter as i32 % 2 + dx, quarter as i32 / 2 + dy);
            if x >= 0 && x < 2 && y >= 0 && y < 2 {
                table[quarter][direction] = Some((2 * y + x) as usize);
            }
            direction += 1;
        }
        quarter += 1;
    }
    table
};

/// The direction in which the block lies that a step in a direction from a quarter leads to.
const ABOVE: [[usize; 8]; 4] = {
    let mut table = [[OWN; 8]; 4];
    let mut quarter = 0;
    while quarter < 4 {
        let mut direction = 0;
        while direction < 8 {
            let (dx, dy) = STEP[direction];
            let (x, y) = (quarter as i32 % 2 + dx, quarter as i32 / 2 + dy);
            let step = (if x < 0 { -1 } else { x / 2 }, if y < 0 { -1 } else { y / 2 });
            let mut above = 0;
            while above < 8 {
                if STEP[above].0 == step.0 && STEP[above].1 == step.1 {
                    table[quarter][direction] = above;
                }
                above += 1;
            }
            direction += 1;
        }
        quarter += 1;
    }
    table
};
