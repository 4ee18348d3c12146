//! Making the layers: the nodes of a block from those of the layer below, then the edges between them; all of it when
//! built, and after an edit the blocks it lies in.

use super::cliques::Cliques;
use super::compass::{ABOVE, BESIDE, INSIDE, OUTER};
use super::layers::{ALL_AROUND, ANYWHERE, Body, GRAIN, Layer, Layers, NONE, Node, OWN, Plan, SLOT_BITS};
use super::tiles::Tiles;
use crate::world::moves::{E, S, SE};
use crate::world::square::SquareGrid;
use std::ops::Range;

/// Places in a block for which edges are collected as bits.
const PLACES: u32 = 12;

/// What making a block takes.
#[derive(Default)]
pub(super) struct Bench {
    cliques: Cliques,
    members: Vec<Member>,
    groups: Vec<Group>,
    nodes: Vec<Node>,
    /// The place of a node, then direction and place of a neighbour.
    links: Vec<u64>,
    masks: Vec<u128>,
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

impl Group {
    fn add(&mut self, member: &Member, is_joined: bool) {
        let Body { x, y, cells, weight } = member.body;
        self.members += 1;
        self.joined |= is_joined;
        self.sides |= member.sides;
        self.x += u64::from(x) * u64::from(cells);
        self.y += u64::from(y) * u64::from(cells);
        self.weight += u64::from(weight) * u64::from(cells);
        self.cells += cells;
    }

    fn body(&self) -> Body {
        let mean = |sum: u64| (sum / u64::from(self.cells)) as u32;
        Body { x: mean(self.x), y: mean(self.y), cells: self.cells, weight: mean(self.weight) }
    }
}

impl Layers {
    pub(super) fn new(grid: &SquareGrid) -> Layers {
        let tiles = Tiles::new(grid);
        let mut layers = Layers { tiles, upper: Vec::new() };
        let mut bench = Bench::default();
        let (mut across, mut down) = (layers.tiles.plan.across, layers.tiles.plan.down);
        while across > 1 || down > 1 {
            (across, down) = (across.div_ceil(2), down.div_ceil(2));
            layers.add(grid, Layer::new(across, down, true), &mut bench);
        }
        layers.top_out(grid, &mut bench);
        layers
    }

    fn add(&mut self, grid: &SquareGrid, layer: Layer, bench: &mut Bench) {
        let Plan { across, down, .. } = layer.plan;
        self.upper.push(layer);
        let level = self.upper.len() - 1;
        // Room for a node a block: most have that many, and moving them about takes longer than making them.
        self.upper[level].nodes.reserve(across * down);
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
    pub(super) fn top_out(&mut self, grid: &SquareGrid, bench: &mut Bench) {
        while self.has_edges() {
            self.add(grid, Layer::new(1, 1, false), bench);
        }
    }

    /// Whether the topmost layer has edges.
    fn has_edges(&self) -> bool {
        if let Some(layer) = self.upper.last() {
            return layer.edges_by_block.iter().any(|span| span.len > 0);
        }
        let mut any = false;
        for clique in 0..2 {
            let node = (2 * self.tiles.plan.at(0, 0) + clique) as u32;
            if self.tiles.cells(node) != 0 {
                self.tiles.for_each_neighbour(node, ANYWHERE, |_, _| any = true);
            }
        }
        any
    }

    /// The nodes of a block of the layer below that of `level` among the upper ones, by the number of the block.
    #[inline(always)]
    pub(super) fn below(&self, level: usize, block: usize) -> Range<usize> {
        match level {
            0 => 2 * block..2 * block + self.tiles.count(block),
            _ => self.upper[level - 1].nodes_by_block[block].range(),
        }
    }

    fn member(&self, grid: &SquareGrid, level: usize, node: u32) -> Member {
        if level == 0 {
            return Member { node, body: self.tiles.body(grid, node), sides: self.tiles.sides(node) };
        }
        let Node { body, sides, .. } = *self.upper[level - 1].node(node);
        Member { node, body, sides }
    }

    fn plan_below(&self, level: usize) -> &Plan {
        if level == 0 { &self.tiles.plan } else { &self.upper[level - 1].plan }
    }

    /// Calls `visit` with direction and place of every neighbour of a node of the layer below in some directions.
    #[inline(always)]
    fn links(&self, level: usize, node: u32, directions: u16, mut visit: impl FnMut(usize, u32)) {
        if level == 0 {
            self.tiles.for_each_neighbour(node, directions, visit);
        } else {
            let wanted = |&(direction, _): &(usize, u32)| directions >> direction & 1 == 1;
            self.upper[level - 1].edges(node).filter(wanted).for_each(|(direction, slot)| visit(direction, slot));
        }
    }

    /// The blocks of the layer below that a block is made of, with their places in it.
    #[inline(always)]
    pub(super) fn quarters(
        &self,
        level: usize,
        (x, y): (usize, usize),
    ) -> impl Iterator<Item = (usize, usize)> + use<> {
        let plan = *self.plan_below(level);
        let halves = self.upper[level].halves;
        (0..if halves { 4 } else { 1 }).filter_map(move |quarter| {
            let (x, y) = if halves { (2 * x + quarter % 2, 2 * y + quarter / 2) } else { (x, y) };
            (x < plan.across && y < plan.down).then(|| (quarter, plan.at(x, y)))
        })
    }

    /// Whether all cells of a block of the layer below are free and make one node.
    #[inline(always)]
    fn is_open(&self, level: usize, block: usize) -> bool {
        if level == 0 { self.tiles.is_open(block) } else { self.upper[level - 1].open[block] }
    }

    #[inline(always)]
    fn is_empty(&self, level: usize, block: usize) -> bool {
        if level == 0 { self.tiles.is_empty(block) } else { self.upper[level - 1].nodes_by_block[block].len == 0 }
    }

    /// Makes the nodes of a block from those of the layer below.
    pub(super) fn make_block(&mut self, grid: &SquareGrid, level: usize, place: (usize, usize), bench: &mut Bench) {
        let Layer { plan, halves, .. } = self.upper[level];
        let is_top = plan.across == 1 && plan.down == 1;
        let block = plan.at(place.0, place.1);
        if halves && self.every_quarter(level, place, |below| self.is_empty(level, below)) {
            self.upper[level].open[block] = false;
            return self.put(level, block, &[]);
        }
        let is_open = halves && self.every_quarter(level, place, |below| self.is_open(level, below));
        self.upper[level].open[block] = is_open;
        if is_open && grid.weights().is_none() {
            // Most of the world is open ground, and there is nothing to find out about it.
            self.put_open(grid, level, place, is_top);
            return;
        }
        let Bench { cliques, members, groups, nodes, .. } = bench;
        members.clear();
        // Where the members of each quarter begin.
        let mut first = [0; 5];
        for (quarter, below) in self.quarters(level, place) {
            first[quarter] = members.len();
            let outer = if !halves || is_top { 0 } else { OUTER[quarter] };
            for node in self.below(level, below) {
                let member = self.member(grid, level, node as u32);
                members.push(Member { sides: member.sides & outer, ..member });
            }
            first[quarter + 1..].fill(members.len());
        }
        if members.is_empty() {
            return self.put(level, block, &[]);
        }
        cliques.reset(members.len());
        for (quarter, _) in self.quarters(level, place) {
            let inside = if halves { INSIDE[quarter] } else { 1 << OWN };
            let own = first[quarter]..first[quarter + 1];
            for (index, member) in own.clone().zip(&members[own]) {
                self.links(level, member.node, inside, |direction, slot| {
                    let other = if direction == OWN { quarter } else { BESIDE[quarter][direction] };
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
            groups[cliques.of(index)].add(member, cliques.is_joined(index));
        }
        nodes.clear();
        for group in &mut *groups {
            group.slot = NONE;
            if group.members > 1 || group.joined || group.sides != 0 {
                group.slot = nodes.len() as u32;
                let (body, sides) = (group.body(), group.sides);
                nodes.push(Node { body, block: block as u32, parent: NONE, edges: (0, 0), sides });
            }
        }
        self.put(level, block, nodes);
        for (index, member) in members.iter().enumerate() {
            self.set_parent(level, member.node, groups[cliques.of(index)].slot);
        }
    }

    /// Whether something holds of all four quarters of a block, those in the rim included.
    #[inline(always)]
    fn every_quarter(&self, level: usize, (x, y): (usize, usize), holds: impl Fn(usize) -> bool) -> bool {
        let plan = self.plan_below(level);
        let at = plan.at(2 * x, 2 * y);
        [OWN, E.into(), S.into(), SE.into()].iter().all(|&direction| holds(plan.beside(at, direction)))
    }

    /// Puts the one node into a block that is open ground.
    fn put_open(&mut self, grid: &SquareGrid, level: usize, (x, y): (usize, usize), is_top: bool) {
        let side = GRAIN << (level + 2);
        let middle = |at: usize| side * at as u32 + (side - GRAIN) / 2;
        let weight = u32::from(grid.least_weight()) * GRAIN;
        let body = Body { x: middle(x), y: middle(y), cells: 1 << (2 * (level + 2)), weight };
        let block = self.upper[level].plan.at(x, y);
        let sides = if is_top { 0 } else { 15 };
        self.put(level, block, &[Node { body, block: block as u32, parent: NONE, edges: (0, 0), sides }]);
        let plan = *self.plan_below(level);
        let at = plan.at(2 * x, 2 * y);
        for direction in [OWN, E.into(), S.into(), SE.into()] {
            let child = self.below(level, plan.beside(at, direction)).start as u32;
            self.set_parent(level, child, 0);
        }
    }

    /// Puts nodes into a block.
    fn put(&mut self, level: usize, block: usize, nodes: &[Node]) {
        let layer = &mut self.upper[level];
        let span = &mut layer.nodes_by_block[block];
        if nodes.is_empty() && span.len == 0 {
            return;
        }
        layer.nodes.resize(span, nodes.len());
        layer.nodes.of_mut(*span).copy_from_slice(nodes);
    }

    #[inline(always)]
    fn set_parent(&mut self, level: usize, node: u32, slot: u32) {
        if level == 0 {
            self.tiles.set_parent(node, (slot != NONE).then_some(slot));
        } else {
            self.upper[level - 1].nodes.item_mut(node as usize).parent = slot;
        }
    }

    /// Makes the edges of a block from those of the layer below.
    pub(super) fn make_edges(&mut self, level: usize, place: (usize, usize), bench: &mut Bench) {
        let Layer { plan, halves, ref open, ref nodes_by_block, .. } = self.upper[level];
        let block = plan.at(place.0, place.1);
        if nodes_by_block[block].len == 0 {
            let layer = &mut self.upper[level];
            layer.edges.resize(&mut layer.edges_by_block[block], 0);
            return;
        }
        if open[block] && plan.offsets.iter().all(|&offset| open[block.wrapping_add_signed(offset)]) {
            let layer = &mut self.upper[level];
            layer.edges.resize(&mut layer.edges_by_block[block], 0);
            let nodes = layer.nodes_by_block[block];
            layer.nodes.of_mut(nodes)[0].edges = ALL_AROUND;
            return;
        }
        let Bench { links, masks, .. } = bench;
        links.clear();
        let count = self.upper[level].nodes_by_block[block].len as usize;
        // A few nodes with few places each: a bit for every edge there can be, which puts them in order as well.
        masks.clear();
        masks.resize(count, 0);
        let below = *self.plan_below(level);
        for (quarter, at) in self.quarters(level, place) {
            // Inside a block of one node there is nothing to lead to.
            let outside = if halves { ANYWHERE & !INSIDE[quarter] } else { 0 };
            let directions = if count > 1 { ANYWHERE } else { outside };
            for node in self.below(level, at) {
                let Some(own) = self.parent_slot(level, node as u32) else { continue };
                self.links(level, node as u32, directions, |direction, slot| {
                    let other = self.first_below(level, below.beside(at, direction)) + slot;
                    let theirs = self.parent_slot(level, other).expect("a node with an edge has a parent");
                    let direction = if !halves || direction == OWN { OWN } else { ABOVE[quarter][direction] };
                    if direction == OWN && theirs == own {
                    } else if theirs < PLACES {
                        masks[own as usize] |= 1 << (direction as u32 * PLACES + theirs);
                    } else {
                        links.push(u64::from(own) << 32 | (direction as u64) << SLOT_BITS | u64::from(theirs));
                    }
                });
            }
        }
        if links.is_empty() {
            return self.put_edges(level, block, masks);
        }
        for (own, &mask) in masks.iter().enumerate() {
            let bits = (0..128).filter(|bit| mask >> bit & 1 == 1);
            links.extend(
                bits.map(|bit| (own as u64) << 32 | u64::from(bit / PLACES) << SLOT_BITS | u64::from(bit % PLACES)),
            );
        }
        links.sort_unstable();
        links.dedup();
        let layer = &mut self.upper[level];
        let span = &mut layer.edges_by_block[block];
        layer.edges.resize(span, links.len());
        for (edge, &link) in layer.edges.of_mut(*span).iter_mut().zip(&*links) {
            *edge = link as u32;
        }
        let nodes = layer.nodes_by_block[block];
        let mut at = 0;
        for (slot, node) in layer.nodes.of_mut(nodes).iter_mut().enumerate() {
            let len = links[at..].iter().take_while(|&&link| (link >> 32) as usize == slot).count();
            node.edges = (at as u32, len as u32);
            at += len;
        }
    }

    /// Puts the edges of a block into their place, where bits say what they are.
    fn put_edges(&mut self, level: usize, block: usize, masks: &[u128]) {
        let layer = &mut self.upper[level];
        let count = masks.iter().map(|mask| mask.count_ones()).sum::<u32>();
        let span = &mut layer.edges_by_block[block];
        layer.edges.resize(span, count as usize);
        let edges = layer.edges.of_mut(*span);
        let nodes = layer.nodes.of_mut(layer.nodes_by_block[block]);
        let mut at = 0;
        for (node, &mask) in nodes.iter_mut().zip(masks) {
            node.edges = (at, mask.count_ones());
            let mut left = mask;
            while left != 0 {
                let bit = left.trailing_zeros();
                left &= left - 1;
                edges[at as usize] = ((bit / PLACES) << SLOT_BITS) | (bit % PLACES);
                at += 1;
            }
        }
    }

    #[inline(always)]
    fn first_below(&self, level: usize, block: usize) -> u32 {
        if level == 0 { (2 * block) as u32 } else { self.upper[level - 1].nodes_by_block[block].at }
    }

    #[inline(always)]
    pub(super) fn parent_slot(&self, level: usize, node: u32) -> Option<u32> {
        if level == 0 {
            return self.tiles.parent(node);
        }
        let parent = self.upper[level - 1].node(node).parent;
        (parent != NONE).then_some(parent)
    }
}
