//! One level of a chart of clusters: for every cluster its ports, the exits that lead out of it, and the prices. A
//! price is the cost from a port through its cluster to an exit, and over the border.
//!
//! A search enters a cluster at a port and reads the row of prices of this port: each price crosses the whole cluster
//! and its border in one edge. A port that a route only crosses on its way out of the cluster is not opened, since a
//! route that goes on inside the cluster from there is never cheaper than the price in the row.
//!
//! Not here: which ports and exits a cluster has, and how prices are worked out (`clusters`, `pricing`).

use crate::chart::shared::arena::{Arena, Span};
use crate::id::Cell;
use crate::memory::held;
use std::sync::OnceLock;

/// The end of a step out of a cluster.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Exit {
    /// The port beyond the border.
    pub(crate) to: u32,
    /// The cell of that port.
    pub(crate) cell: Cell,
}

/// The beginning and the cost of a step out of a cluster.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct ExitStep {
    /// The port that the step leaves from.
    pub(crate) from: u32,
    pub(crate) step: u32,
}

/// Where a port lies, and where its row of prices and its exits are stored. The exits of a port are those that it can
/// reach inside its cluster: all exits of its connected part of the cluster.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Place {
    pub(crate) cell: Cell,
    pub(crate) cluster: u32,
    /// Where the port's row of prices starts in [`Level::table`].
    pub(crate) row: u32,
    exits: u32,
    count: u16,
    /// The port's number among the ports of its cluster.
    pub(crate) rank: u16,
    /// The number of the first exit that leaves from the port itself, among the exits of its part, or [`ONLY_ENTERED`].
    pub(crate) own: u16,
    /// The connected part of the cluster that the port lies in.
    pub(crate) part: u16,
}

/// A sentinel value of [`Place::own`] that means that no exit leaves from the port, which is then only entered.
const ONLY_ENTERED: u16 = u16::MAX;

/// An exit of a cluster, as [`Level::list`] takes it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Way {
    pub(crate) exit: Exit,
    pub(crate) leave: ExitStep,
    /// The connected part of the cluster that the exit leaves from.
    pub(crate) part: u16,
}

/// A port of a cluster, as [`Level::list`] takes it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entry {
    pub(crate) port: u32,
    pub(crate) cell: Cell,
    pub(crate) part: u16,
}

/// What [`Level::list`] changed when it listed the ports and exits of a cluster again.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Listing {
    /// Nothing changed.
    Same,
    /// Only the numbers of ports beyond the border changed; the prices stay valid.
    Relinked,
    /// Ports, exits or steps changed: the prices have to be filled in again.
    Other,
}

/// Where the lists of one cluster are stored.
#[derive(Copy, Clone, Default, Debug)]
pub(crate) struct ClusterLists {
    pub(crate) entries: Span,
    pub(crate) exits: Span,
    leaves: Span,
    prices: Span,
}

/// One level of a chart.
#[derive(Clone, Default)]
pub(crate) struct Level {
    pub(crate) blocks: Vec<ClusterLists>,
    place_by_port: Vec<Place>,
    entries: Arena<u32>,
    exits: Arena<Exit>,
    leaves: Arena<ExitStep>,
    prices: Arena<u32>,
    /// Prices by cluster, if they are computed on first use (`edges=lazy`); else empty, and prices are in `prices`.
    late: Vec<OnceLock<Box<[u32]>>>,
}

impl Level {
    pub(crate) fn new(clusters: usize, lazy: bool) -> Level {
        let late = vec![OnceLock::new(); if lazy { clusters } else { 0 }];
        Level { blocks: vec![ClusterLists::default(); clusters], late, ..Level::default() }
    }

    pub(crate) fn entries(&self, cluster: u32) -> &[u32] {
        self.entries.of(self.blocks[cluster as usize].entries)
    }

    pub(crate) fn exits(&self, cluster: u32) -> &[Exit] {
        self.exits.of(self.blocks[cluster as usize].exits)
    }

    pub(crate) fn leaves(&self, cluster: u32) -> &[ExitStep] {
        self.leaves.of(self.blocks[cluster as usize].leaves)
    }

    /// Returns all prices of a cluster, row by row.
    ///
    /// # Panics
    /// When the prices of the cluster have not been computed yet.
    #[inline(always)]
    pub(crate) fn prices(&self, cluster: u32) -> &[u32] {
        if self.late.is_empty() {
            self.prices.of(self.blocks[cluster as usize].prices)
        } else {
            self.late[cluster as usize].get().expect("prices are filled in before they are read")
        }
    }

    /// Returns whether a cluster's prices are to be computed on first use and have not been computed yet.
    #[inline(always)]
    pub(crate) fn awaits(&self, cluster: u32) -> bool {
        !self.late.is_empty() && self.late[cluster as usize].get().is_none()
    }

    /// Stores a cluster's prices, which were computed on first use. Several threads may do so at once.
    pub(crate) fn fill_late(&self, cluster: u32, prices: &[u32]) {
        // `set` fails if another thread was faster; the prices it stored are equal to these.
        let _ = self.late[cluster as usize].set(prices.into());
    }

    /// Drops a cluster's prices, so that their next use computes them again.
    pub(crate) fn put_off(&mut self, cluster: u32) {
        self.late[cluster as usize] = OnceLock::new();
    }

    /// Stores a cluster's prices. Returns whether any of them differs from the price stored before.
    pub(crate) fn fill(&mut self, cluster: u32, prices: &[u32]) -> bool {
        let known = self.prices.of_mut(self.blocks[cluster as usize].prices);
        let differs = known != prices;
        known.copy_from_slice(prices);
        differs
    }

    /// Returns the prices into which [`Place::row`] is an index for the ports of a cluster: those of the whole level,
    /// or only of this cluster if prices are computed on first use.
    #[inline(always)]
    pub(crate) fn table(&self, cluster: u32) -> &[u32] {
        if self.late.is_empty() { self.prices.items() } else { self.prices(cluster) }
    }

    /// Returns the prices from a port to its exits, given the [`Level::table`] of its cluster.
    #[inline(always)]
    pub(crate) fn row(table: &[u32], place: Place) -> &[u32] {
        &table[place.row as usize..][..usize::from(place.count)]
    }

    /// Returns the exits that a port reaches.
    #[inline(always)]
    pub(crate) fn exits_from(&self, place: Place) -> &[Exit] {
        &self.exits.items()[place.exits as usize..][..usize::from(place.count)]
    }

    /// Returns where the exits that a port reaches begin, and what their steps cost, in the order of
    /// [`Level::exits_from`].
    pub(crate) fn leaves_from(&self, place: Place) -> &[ExitStep] {
        let first = self.first_exit(place) as usize;
        &self.leaves(place.cluster)[first..][..usize::from(place.count)]
    }

    #[inline(always)]
    pub(crate) fn place(&self, port: u32) -> Place {
        self.place_by_port[port as usize]
    }

    /// Replaces the list of a cluster's ports and exits, and returns what that changed. `ways` must be sorted by part,
    /// and the exits of one port must be adjacent.
    pub(crate) fn list(&mut self, cluster: u32, entries: &[Entry], ways: &[Way]) -> Listing {
        debug_assert!(ways.is_sorted_by_key(|way| way.part), "ways come part by part");
        let exits = ways.iter().map(|way| way.exit);
        if self.has_listed(cluster, entries, ways) {
            let known = self.exits(cluster);
            if known.iter().copied().eq(exits.clone()) {
                return Listing::Same;
            }
            if known.iter().map(|exit| exit.cell).eq(exits.clone().map(|exit| exit.cell)) {
                let span = self.blocks[cluster as usize].exits;
                self.exits.of_mut(span).iter_mut().zip(exits).for_each(|(known, exit)| *known = exit);
                return Listing::Relinked;
            }
        }
        let block = &mut self.blocks[cluster as usize];
        self.entries.resize(&mut block.entries, entries.len());
        self.exits.resize(&mut block.exits, ways.len());
        self.leaves.resize(&mut block.leaves, ways.len());
        if self.late.is_empty() {
            let prices = entries.iter().map(|entry| ways_of_part(ways, entry.part).len()).sum();
            self.prices.resize(&mut block.prices, prices);
        }
        let block = *block;
        let (ports, leaves) = (entries.iter().map(|entry| entry.port), ways.iter().map(|way| way.leave));
        self.entries.of_mut(block.entries).iter_mut().zip(ports).for_each(|(known, port)| *known = port);
        self.exits.of_mut(block.exits).iter_mut().zip(exits).for_each(|(known, exit)| *known = exit);
        self.leaves.of_mut(block.leaves).iter_mut().zip(leaves).for_each(|(known, leave)| *known = leave);
        self.place_ports(cluster, entries, ways);
        Listing::Other
    }

    /// Returns whether a cluster is listed with these ports and with steps out of it that begin and cost as these do.
    fn has_listed(&self, cluster: u32, entries: &[Entry], ways: &[Way]) -> bool {
        let same = |(&known, entry): (&u32, &Entry)| {
            let place = self.place(known);
            (known, place.cell, place.part) == (entry.port, entry.cell, entry.part)
        };
        let known = self.entries(cluster);
        known.len() == entries.len()
            && known.iter().zip(entries).all(same)
            && self.leaves(cluster).iter().copied().eq(ways.iter().map(|way| way.leave))
    }

    /// Writes the places of a cluster's ports, once its lists have their places.
    fn place_ports(&mut self, cluster: u32, entries: &[Entry], ways: &[Way]) {
        let block = self.blocks[cluster as usize];
        let mut row = if self.late.is_empty() { block.prices.at } else { 0 };
        for (rank, entry) in entries.iter().enumerate() {
            let part = ways_of_part(ways, entry.part);
            let before = ways.iter().take_while(|way| way.part != entry.part).count() as u32;
            let own = part.iter().position(|way| way.leave.from == entry.port);
            let place = Place {
                cell: entry.cell,
                cluster,
                row,
                exits: block.exits.at + before,
                count: part.len() as u16,
                rank: rank as u16,
                own: own.map_or(ONLY_ENTERED, |own| own as u16),
                part: entry.part,
            };
            row += part.len() as u32;
            if self.place_by_port.len() <= entry.port as usize {
                self.place_by_port.resize(entry.port as usize + 1, Place::default());
            }
            self.place_by_port[entry.port as usize] = place;
        }
    }

    /// Returns whether an exit leads from the port `to` to the port `from`.
    pub(crate) fn leads_back(&self, from: u32, to: u32) -> bool {
        let place = self.place(to);
        let mut ways = self.exits_from(place).iter().zip(self.leaves_from(place));
        ways.any(|(exit, leave)| (leave.from, exit.to) == (to, from))
    }

    /// Returns how many pairs of a cluster's ports can reach each other inside it: the number of its intra-edges.
    pub(crate) fn intra_edges(&self, cluster: u32) -> usize {
        let ports = self.entries(cluster);
        let later =
            |i: usize| ports[i + 1..].iter().filter(move |&&port| self.place(port).part == self.place(ports[i]).part);
        (0..ports.len()).map(|i| later(i).count()).sum()
    }

    /// Returns the number of the first exit that a port reaches, among all exits of its cluster.
    pub(crate) fn first_exit(&self, place: Place) -> u32 {
        place.exits - self.blocks[place.cluster as usize].exits.at
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.blocks)
            + self.entries.bytes()
            + self.exits.bytes()
            + self.leaves.bytes()
            + held(&self.place_by_port)
            + self.prices.bytes()
            + held(&self.late)
            + self.late.iter().filter_map(OnceLock::get).map(|prices| size_of_val(&**prices)).sum::<usize>()
    }
}

/// Returns the exits of one connected part of a cluster. It has none if all of its ports are only entered.
fn ways_of_part(ways: &[Way], part: u16) -> &[Way] {
    ways.chunk_by(|a, b| a.part == b.part).find(|ways| ways[0].part == part).unwrap_or_default()
}
