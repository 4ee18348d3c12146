//! The annotated chart: ports, steps over borders and costs between ports, each with the classes of agents that it is for.
//!
//! A class finds its own table in each cluster (`table.rs`). What two classes find alike is kept once and says so: a port, a
//! step over the border, and a cost between two ports. Of all ways between two ports each class has the cheapest that it can
//! take, and a way that no class would take is not kept.
//!
//! The answers for a class depend on its own tables alone. Ports keep their numbers as long as any class has them, so that a
//! search for one class can go on while another class is repaired.
//!
//! Not here: which classes there are (`classes.rs`), and searches (`class_search.rs`).

use super::table::{Table, pair};
use crate::chart::shared::cutout::NO_WAY;
use crate::chart::shared::layout::Layout;
use crate::id::Cell;
use crate::memory::held;

/// A set of classes, one bit for each.
pub(super) type Classes = u16;

/// A port.
#[derive(Copy, Clone, Default, Debug)]
pub(super) struct Port {
    pub(super) cell: Cell,
    /// Its number among the ports of its cluster.
    pub(super) rank: u16,
    classes: Classes,
}

/// A step over the border of a cluster.
#[derive(Copy, Clone, Debug)]
pub(super) struct Exit {
    /// The port that the step leads to.
    pub(super) to: u32,
    pub(super) step: u32,
    /// The rank of the port that it leaves from.
    pub(super) from: u16,
    classes: Classes,
}

/// The cost between two ports for some classes.
#[derive(Copy, Clone, Debug)]
struct Label {
    cost: u32,
    classes: Classes,
}

/// What the classes find in a cluster.
#[derive(Default)]
struct Block {
    /// The ports, by their cells.
    ports: Box<[u32]>,
    /// The steps over the border, by the port they leave from and then by the cell they lead to.
    exits: Box<[Exit]>,
    /// For each [`pair`] of ports: the cost between them for every class that has both, or [`LABELLED`] plus where its
    /// labels begin.
    costs: Box<[u32]>,
    /// The costs of pairs that cost one class more than another. The labels of a pair lie side by side and have each class
    /// that has both ports once.
    labels: Box<[Label]>,
}

/// The bit of a cost that says that the classes find different ones. It may also be set in [`NO_WAY`].
const LABELLED: u32 = 1 << 31;

/// A port of a cluster while the cluster's lists are made again.
struct Listed {
    cell: Cell,
    classes: Classes,
    number: Option<u32>,
    /// Its rank before.
    was: Option<usize>,
    /// Its number among the ports of the table that is put in.
    own: Option<usize>,
}

/// The chart.
pub(super) struct Annotated {
    layout: Layout,
    blocks: Vec<Block>,
    ports: Vec<Port>,
    /// Numbers of ports that no class has any longer.
    spare: Vec<u32>,
}

impl Annotated {
    /// Returns a chart without any class.
    pub(super) fn new(layout: Layout) -> Annotated {
        let blocks = (0..layout.tier(0).count()).map(|_| Block::default()).collect();
        Annotated { layout, blocks, ports: Vec::new(), spare: Vec::new() }
    }

    #[inline(always)]
    pub(super) fn port(&self, number: u32) -> Port {
        self.ports[number as usize]
    }

    /// Returns the length of an array that is indexed by port.
    pub(super) fn port_count(&self) -> usize {
        self.ports.len()
    }

    /// Returns the ports that a class has in a cluster, sorted by their cells.
    pub(super) fn ports_of(&self, cluster: u32, class: Classes) -> impl Iterator<Item = Port> + '_ {
        let ports = self.blocks[cluster as usize].ports.iter().map(|&number| self.port(number));
        ports.filter(move |port| port.classes & class != 0)
    }

    /// Returns the steps of a class over the border of a cluster: by the port they leave from, then by the cell they lead to.
    #[inline(always)]
    pub(super) fn exits_of(&self, cluster: u32, class: Classes) -> impl Iterator<Item = &Exit> {
        self.blocks[cluster as usize].exits.iter().filter(move |exit| exit.classes & class != 0)
    }

    /// Returns the number of the port of a rank in a cluster.
    pub(super) fn number(&self, cluster: u32, rank: u16) -> u32 {
        self.blocks[cluster as usize].ports[usize::from(rank)]
    }

    /// Returns how many ports of a class come before the port of a rank.
    pub(super) fn own_rank(&self, cluster: u32, rank: u16, class: Classes) -> usize {
        let before = &self.blocks[cluster as usize].ports[..usize::from(rank)];
        before.iter().filter(|&&number| self.port(number).classes & class != 0).count()
    }

    /// Returns the cost for a class between two ports of a cluster, both of which it has.
    #[inline(always)]
    pub(super) fn cost(&self, cluster: u32, from: u16, to: u16, class: Classes) -> u32 {
        if from == to {
            return 0;
        }
        let block = &self.blocks[cluster as usize];
        let cost = block.costs[pair(from.into(), to.into())];
        if cost & LABELLED == 0 || cost == NO_WAY {
            return cost;
        }
        let labels = &block.labels[(cost & !LABELLED) as usize..];
        labels.iter().find(|label| label.classes & class != 0).map_or(NO_WAY, |label| label.cost)
    }

    /// Replaces what a class finds in some clusters. Classes that are not `live` may be dropped there. Whatever crosses a
    /// border has to be in the tables of both sides, or in the chart.
    pub(super) fn put(&mut self, class: Classes, live: Classes, tables: &[Table]) {
        for table in tables {
            self.list(class, live & !class, table);
        }
        for table in tables {
            self.link(class, table);
        }
    }

    /// Gives everything that one class has to another too, which must have nothing.
    pub(super) fn copy(&mut self, from: Classes, to: Classes) {
        let join = |classes: &mut Classes| {
            if *classes & from != 0 {
                *classes |= to;
            }
        };
        self.ports.iter_mut().for_each(|port| join(&mut port.classes));
        for block in &mut self.blocks {
            block.exits.iter_mut().for_each(|exit| join(&mut exit.classes));
            block.labels.iter_mut().for_each(|label| join(&mut label.classes));
        }
    }

    /// Drops all classes but these.
    pub(super) fn keep_only(&mut self, live: Classes) {
        for cluster in 0..self.blocks.len() as u32 {
            let block = &mut self.blocks[cluster as usize];
            let is_needed = block.ports.iter().all(|&number| self.ports[number as usize].classes & live != 0)
                && block.exits.iter().all(|exit| exit.classes & live != 0)
                && block.labels.iter().all(|label| label.classes & live != 0);
            if !is_needed {
                self.list(0, live, &Table { cluster, ..Table::default() });
            }
            let block = &mut self.blocks[cluster as usize];
            block.ports.iter().for_each(|&number| self.ports[number as usize].classes &= live);
            block.exits.iter_mut().for_each(|exit| exit.classes &= live);
            block.labels.iter_mut().for_each(|label| label.classes &= live);
        }
    }

    /// Lists the ports of a cluster again, with those of a class as its table has them and those of the classes `others` as
    /// they are, and the costs between them. The exits of the class are dropped.
    fn list(&mut self, class: Classes, others: Classes, table: &Table) {
        let mut block = std::mem::take(&mut self.blocks[table.cluster as usize]);
        let listed = self.merge(&block, class, others, table);
        let mut new_rank = vec![0; block.ports.len()];
        for (rank, port) in listed.iter().enumerate() {
            if let Some(was) = port.was {
                new_rank[was] = rank as u16;
            }
        }
        let (mut costs, mut labels, mut found) = (Vec::new(), Vec::new(), Vec::new());
        costs.reserve_exact(listed.len() * listed.len().saturating_sub(1) / 2);
        for (high, b) in listed.iter().enumerate() {
            for a in &listed[..high] {
                found.clear();
                if let (Some(a_was), Some(b_was)) = (a.was, b.was) {
                    block.find_labels(pair(a_was, b_was), a.classes & b.classes & others, &mut found);
                }
                if let (Some(a), Some(b)) = (a.own, b.own) {
                    join(Label { cost: table.costs[pair(a, b)], classes: class }, &mut found);
                }
                costs.push(match found[..] {
                    [] => NO_WAY,
                    [Label { cost, .. }] if cost & LABELLED == 0 || cost == NO_WAY => cost,
                    _ => {
                        labels.extend_from_slice(&found);
                        LABELLED | (labels.len() - found.len()) as u32
                    }
                });
            }
        }
        let exits = block.exits.iter().filter(|exit| exit.classes & others != 0);
        let moved =
            |exit: &Exit| Exit { from: new_rank[usize::from(exit.from)], classes: exit.classes & others, ..*exit };
        block.exits = exits.map(moved).collect();
        (block.costs, block.labels) = (costs.into(), labels.into());
        block.ports = self.number_ports(&listed);
        self.blocks[table.cluster as usize] = block;
    }

    /// Returns the ports of a cluster that a class has by its table or one of the classes `others` has as before, by cell. The
    /// numbers of all other ports become spare.
    fn merge(&mut self, block: &Block, class: Classes, others: Classes, table: &Table) -> Vec<Listed> {
        let before = |(was, &number): (usize, &u32)| {
            let port = self.port(number);
            let classes = port.classes & others;
            Listed { cell: port.cell, classes, number: Some(number), was: Some(was), own: None }
        };
        let mut listed: Vec<Listed> = block.ports.iter().enumerate().map(before).collect();
        let known = listed.len();
        for (own, &cell) in table.ports.iter().enumerate() {
            match listed[..known].binary_search_by_key(&cell, |port| port.cell) {
                Ok(at) => {
                    listed[at].classes |= class;
                    listed[at].own = Some(own);
                }
                Err(_) => listed.push(Listed { cell, classes: class, number: None, was: None, own: Some(own) }),
            }
        }
        self.spare.extend(listed.iter().filter(|port| port.classes == 0).filter_map(|port| port.number));
        listed.retain(|port| port.classes != 0);
        listed.sort_unstable_by_key(|port| port.cell);
        listed
    }

    /// Notes the ranks and classes of the ports of a cluster, gives numbers to new ones, and returns all numbers.
    fn number_ports(&mut self, listed: &[Listed]) -> Box<[u32]> {
        let mut numbers = Vec::with_capacity(listed.len());
        for (rank, &Listed { cell, classes, number, .. }) in listed.iter().enumerate() {
            let number = number.or_else(|| self.spare.pop()).unwrap_or_else(|| {
                self.ports.push(Port::default());
                self.ports.len() as u32 - 1
            });
            self.ports[number as usize] = Port { cell, rank: rank as u16, classes };
            numbers.push(number);
        }
        numbers.into()
    }

    /// Lists the steps of a class over the border of a cluster as its table has them. The ports on both sides must be listed.
    fn link(&mut self, class: Classes, table: &Table) {
        let mut exits = std::mem::take(&mut self.blocks[table.cluster as usize].exits).into_vec();
        exits.reserve_exact(table.crossings.len());
        for crossing in &table.crossings {
            let from = self.find(table.cluster, table.ports[usize::from(crossing.port)]);
            let to = self.find(self.layout.tier(0).cluster(crossing.to), crossing.to);
            let (from, step) = (self.port(from).rank, crossing.step);
            match exits.iter_mut().find(|exit| (exit.from, exit.to, exit.step) == (from, to, step)) {
                Some(exit) => exit.classes |= class,
                None => exits.push(Exit { to, step, from, classes: class }),
            }
        }
        exits.sort_unstable_by_key(|exit| (exit.from, self.port(exit.to).cell, exit.step));
        self.blocks[table.cluster as usize].exits = exits.into();
    }

    /// Returns the number of the port on a cell of a cluster.
    fn find(&self, cluster: u32, cell: Cell) -> u32 {
        let ports = &self.blocks[cluster as usize].ports;
        let rank = ports.binary_search_by_key(&cell, |&number| self.port(number).cell);
        ports[rank.expect("both sides of a border find the same transitions")]
    }

    pub(super) fn bytes(&self) -> usize {
        let block = |block: &Block| {
            size_of_val(&*block.ports)
                + size_of_val(&*block.exits)
                + size_of_val(&*block.costs)
                + size_of_val(&*block.labels)
        };
        held(&self.blocks) + held(&self.ports) + held(&self.spare) + self.blocks.iter().map(block).sum::<usize>()
    }
}

impl Block {
    /// Appends the costs of a pair of ports for these classes, which all have both ports.
    fn find_labels(&self, pair: usize, classes: Classes, found: &mut Vec<Label>) {
        let cost = self.costs[pair];
        if cost & LABELLED == 0 || cost == NO_WAY {
            if classes != 0 {
                found.push(Label { cost, classes });
            }
            return;
        }
        let mut left = classes;
        for label in &self.labels[(cost & !LABELLED) as usize..] {
            if left == 0 {
                return;
            }
            if label.classes & left != 0 {
                found.push(Label { cost: label.cost, classes: label.classes & left });
                left &= !label.classes;
            }
        }
    }
}

/// Adds a label to those of a pair: to the one of its cost, if there is one.
fn join(label: Label, labels: &mut Vec<Label>) {
    match labels.iter_mut().find(|known| known.cost == label.cost) {
        Some(known) => known.classes |= label.classes,
        None => labels.push(label),
    }
}
