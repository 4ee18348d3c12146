//! Makes the nodes of a block from the nodes of the layer below that lie in it.
//!
//! Not here: which of them become one node (`cliques`), and the edges between nodes (`linking`).

use super::cliques::{Cliques, split};
use super::compass::{BESIDE, INSIDE, OUTER};
use super::edges::Edges;
use super::layers::{Body, GRAIN, Layer, Layers, MANY, NONE, Node, OPEN, OWN, SOME};
use crate::space::square::SquareGrid;

/// Memory for making a block, reused from block to block.
#[derive(Default)]
pub(super) struct BlockScratch {
    cliques: Cliques,
    members: Vec<Member>,
    groups: Vec<Group>,
    nodes: Vec<Node>,
    /// By node of the block: the edges found so far that have a bit in [`Edges`].
    pub(super) found: Vec<Edges>,
    /// The edges found so far that have no bit: the place of a node in the block, then the neighbour as a listed edge
    /// has it, by direction and place.
    pub(super) links: Vec<(u32, u32)>,
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
    #[inline(always)]
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

    /// Returns the node that this group becomes, and sets `slot` to its place in the block. A group of a single member
    /// that has no neighbour in the block and lies at none of the block's sides is a whole connected area: it becomes
    /// no node.
    #[inline(always)]
    fn settle(&mut self, block: usize, slot: usize) -> Option<Node> {
        let lasts = self.members > 1 || self.joined || self.sides != 0;
        self.slot = if lasts { slot as u32 } else { NONE };
        lasts.then(|| Node::new(block, self.body(), self.sides))
    }
}

impl Layers {
    /// Makes the nodes of a block and sets the parents of the nodes below them. Returns whether the block now has
    /// different nodes, or nodes with different children.
    #[inline(always)]
    pub(super) fn make_block(
        &mut self,
        grid: &SquareGrid,
        level: usize,
        place: (usize, usize),
        room: &mut BlockScratch,
    ) -> bool {
        let Layer { plan, halves, .. } = &self.upper[level];
        let (is_top, block) = (plan.across == 1 && plan.down == 1, plan.at(place.0, place.1));
        if !halves {
            return self.make_any(grid, level, place, is_top, room);
        }
        let [a, b, c, d] = self.four(level, place);
        let state = |quarter: usize| self.state_below(level, quarter);
        let states = [state(a), state(b), state(c), state(d)];
        let any = states[0] | states[1] | states[2] | states[3];
        if any == 0 {
            return self.put(level, block, &[], 0);
        }
        let all = states[0] & states[1] & states[2] & states[3];
        if all & OPEN != 0 && grid.weights().is_none() {
            // Most blocks are open ground, and such a block is always one node: its cliques need not be worked out.
            return self.put_open(grid, level, place, is_top);
        }
        if any & MANY == 0 && !is_top {
            return self.make_simple(grid, level, place, states);
        }
        self.make_any(grid, level, place, is_top, room)
    }

    #[inline(never)]
    fn make_any(
        &mut self,
        grid: &SquareGrid,
        level: usize,
        place: (usize, usize),
        is_top: bool,
        room: &mut BlockScratch,
    ) -> bool {
        let Layer { plan, halves, .. } = &self.upper[level];
        let (halves, block) = (*halves, plan.at(place.0, place.1));
        let BlockScratch { cliques, members, groups, nodes, .. } = room;
        members.clear();
        // By quarter: where its members begin in `members`; they end where those of the next quarter begin.
        let mut first = [0; 5];
        for (quarter, below) in self.quarters(level, place) {
            first[quarter] = members.len();
            let outer = if !halves || is_top { 0 } else { OUTER[quarter] };
            for node in self.below(level, below) {
                members.push(self.member(grid, level, node as u32, outer));
            }
            first[quarter + 1..].fill(members.len());
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
            nodes.extend(group.settle(block, nodes.len()));
        }
        let mut is_changed = self.put(level, block, nodes, 0);
        for (index, member) in members.iter().enumerate() {
            is_changed |= self.set_parent(level, member.node, groups[cliques.of(index)].slot);
        }
        is_changed
    }

    /// Makes the nodes of a block whose quarters have at most one node each: the cliques of so few are looked up in a
    /// table.
    #[inline(always)]
    fn make_simple(&mut self, grid: &SquareGrid, level: usize, place: (usize, usize), states: [u8; 4]) -> bool {
        let there = |quarter: usize| (states[quarter] & SOME) << quarter;
        let split = split(there(0) | there(1) | there(2) | there(3), self.pairs(grid, level, place));
        debug_assert!(split.count > 0, "who touches another is there");
        let quarters = self.four(level, place);
        let block = self.upper[level].plan.at(place.0, place.1);
        let open = states[0] & states[1] & states[2] & states[3] & OPEN;
        let mut groups = [Group::default(); 4];
        let mut members = [0; 4];
        for quarter in 0..4 {
            if states[quarter] != 0 {
                members[quarter] = self.first_below(level, quarters[quarter]);
                let member = self.member(grid, level, members[quarter], OUTER[quarter]);
                groups[usize::from(split.clique[quarter])].add(&member, split.joined >> quarter & 1 == 1);
            }
        }
        let (mut nodes, mut count) = ([Node::default(); 4], 0);
        for group in &mut groups[..usize::from(split.count)] {
            if let Some(node) = group.settle(block, count) {
                nodes[count] = node;
                count += 1;
            }
        }
        let mut is_changed = self.put(level, block, &nodes[..count], open);
        for quarter in 0..4 {
            if states[quarter] != 0 {
                let slot = groups[usize::from(split.clique[quarter])].slot;
                is_changed |= self.set_parent(level, members[quarter], slot);
            }
        }
        is_changed
    }

    /// Puts a single node into a block that is open ground. It is called only if all free cells of the world have one
    /// weight.
    #[inline(always)]
    fn put_open(&mut self, grid: &SquareGrid, level: usize, place: (usize, usize), is_top: bool) -> bool {
        let side = GRAIN << (level + 2);
        let middle = |at: usize| side * at as u32 + (side - GRAIN) / 2;
        let weight = u32::from(grid.least_weight()) * GRAIN;
        let body = Body { x: middle(place.0), y: middle(place.1), cells: 1 << (2 * (level + 2)), weight };
        let block = self.upper[level].plan.at(place.0, place.1);
        let mut is_changed = self.put(level, block, &[Node::new(block, body, if is_top { 0 } else { 15 })], OPEN);
        for quarter in self.four(level, place) {
            is_changed |= self.set_parent(level, self.first_below(level, quarter), 0);
        }
        is_changed
    }

    /// Computes the middles and weights of a block's nodes again. It is for blocks whose nodes have kept their
    /// children.
    pub(super) fn move_middles(
        &mut self,
        grid: &SquareGrid,
        level: usize,
        place: (usize, usize),
        room: &mut BlockScratch,
    ) {
        let layer = &self.upper[level];
        let nodes = layer.nodes_by_block[layer.plan.at(place.0, place.1)];
        let groups = &mut room.groups;
        groups.clear();
        groups.resize(nodes.len as usize, Group::default());
        for (_, below) in self.quarters(level, place) {
            for node in self.below(level, below) {
                if let Some(slot) = self.parent_slot(level, node as u32) {
                    groups[slot as usize].add(&self.member(grid, level, node as u32, 0), true);
                }
            }
        }
        for (node, group) in self.upper[level].nodes.of_mut(nodes).iter_mut().zip(groups) {
            node.body = group.body();
        }
    }

    /// Returns a node of the layer below as a member of its block, with those of the sides `outer` that it lies at.
    #[inline(always)]
    fn member(&self, grid: &SquareGrid, level: usize, node: u32, outer: u8) -> Member {
        if level == 0 {
            return Member { node, body: self.tiles.body(grid, node), sides: self.tiles.sides(node) & outer };
        }
        let below = self.upper[level - 1].node(node);
        Member { node, body: below.body, sides: below.sides() & outer }
    }

    /// Puts nodes into a block and sets its state. Returns whether the state, the number of nodes or the sides that
    /// they lie at have changed. If not, the nodes that are there keep their parents and edges, and only their bodies
    /// are replaced.
    #[inline(always)]
    fn put(&mut self, level: usize, block: usize, nodes: &[Node], open: u8) -> bool {
        let layer = &mut self.upper[level];
        let state = open | if nodes.is_empty() { 0 } else { SOME } | if nodes.len() > 1 { MANY } else { 0 };
        let span = &mut layer.nodes_by_block[block];
        let is_same = std::mem::replace(&mut layer.state[block], state) == state && span.len as usize == nodes.len();
        if is_same {
            let old = layer.nodes.of_mut(*span);
            if old.iter().zip(nodes).all(|(old, new)| old.sides() == new.sides()) {
                old.iter_mut().zip(nodes).for_each(|(old, new)| old.body = new.body);
                return false;
            }
        }
        layer.nodes.put(span, nodes);
        true
    }

    /// Sets which node of its block a node of the layer below is part of: the node at place `slot`, or none if `slot`
    /// is `NONE`. Returns whether that is a change.
    #[inline(always)]
    fn set_parent(&mut self, level: usize, node: u32, slot: u32) -> bool {
        let slot = (slot != NONE).then_some(slot);
        let is_news = self.parent_slot(level, node) != slot;
        if is_news && level == 0 {
            self.tiles.set_parent(node, slot);
        } else if is_news {
            self.upper[level - 1].nodes.item_mut(node as usize).set_parent(slot);
        }
        is_news
    }
}
