//! What lies between the cells of a grid besides plain steps ([`Passages`]): borders that are closed, links, and what follows
//! from them for the steps of each node and for which cells are connected. A world without any keeps none of this.
//!
//! A search asks which neighbours of a node it can step to, which is one byte a node. Closed borders clear bits of that byte,
//! so that searches need not know of them ([`Extras::Walls`]). Where a border is crossed one way only, a second byte tells
//! from which neighbours a step leads to a node ([`Extras::OneWays`]).
//!
//! Not here: the borders and links themselves (`space/borders.rs`, `space/links.rs`), and how connected parts are found (`space/connected.rs`).

use super::bits::BitPlane;
use super::borders::{Border, Borders};
use super::connected::{Connected, Steps};
use super::ground::Layout;
use super::links::Links;
use crate::memory::held;
use std::fmt;

/// What a grid has besides its terrain. Each of these includes those before it: an algorithm that knows how to deal with one
/// does with all before.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
#[non_exhaustive]
pub enum Extras {
    /// Nothing: every step leads over an open border, both ways.
    #[default]
    Nothing,
    /// Borders between cells that are closed both ways.
    Walls,
    /// Links between any two cells, which lead both ways at one cost.
    Links,
    /// Borders that are crossed one way only, and links that lead one way or cost more in one direction.
    OneWays,
}

impl fmt::Display for Extras {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Extras::Nothing => "terrain alone",
            Extras::Walls => "walls between cells",
            Extras::Links => "links",
            Extras::OneWays => "one-way borders or links",
        })
    }
}

/// The borders of a grid that are not all open, its links, and what follows from them.
#[derive(Clone)]
pub(crate) struct Passages {
    borders: Borders,
    pub(super) links: Links,
    /// For each node, one bit for each direction in which a neighbour lies from which a step leads to the node. Empty where
    /// every step leads both ways: these are then the neighbours to which steps lead.
    entries_by_node: Vec<u8>,
    pub(super) connected: Connected,
}

/// A rectangle of cells, by its first and its last column and row. It may reach past the last column and row.
pub(super) type Span = ((usize, usize), (usize, usize));

/// Returns a rectangle with some rows and columns more on each side.
pub(super) fn widened(((x0, y0), (x1, y1)): Span, by: usize) -> Span {
    ((x0.saturating_sub(by), y0.saturating_sub(by)), (x1 + by, y1 + by))
}

impl Passages {
    /// Makes the passages of a grid whose borders are all open.
    pub(super) fn new<L: Layout>(layout: &L) -> Passages {
        let borders = Borders::all_open(layout.node_count());
        Passages { borders, links: Links::default(), entries_by_node: Vec::new(), connected: Connected::default() }
    }

    pub(super) fn extras(&self) -> Extras {
        if self.borders.has_one_way() || self.links.has_one_way {
            Extras::OneWays
        } else if !self.links.is_empty() {
            Extras::Links
        } else if self.borders.are_open() {
            Extras::Nothing
        } else {
            Extras::Walls
        }
    }

    /// Returns, for each node, the neighbours from which steps lead to it, a bit for each direction. `None` where every step
    /// leads both ways.
    #[inline(always)]
    pub(crate) fn entries_by_node(&self) -> Option<&[u8]> {
        (!self.entries_by_node.is_empty()).then_some(&self.entries_by_node[..])
    }

    #[inline(always)]
    pub(crate) fn links(&self) -> &Links {
        &self.links
    }

    /// Returns, for each node, one bit for each direction in which its border is closed on the way out.
    pub(super) fn closed_by_node(&self) -> &[u8] {
        self.borders.closed_by_node()
    }

    /// Returns the border of the cell in this column and row, [`Border::Closed`] on the edge of the map.
    pub(super) fn border<L: Layout>(&self, layout: &L, at: (usize, usize), direction: usize) -> Border {
        let Some(beyond) = layout.beside(at, direction) else { return Border::Closed };
        self.borders.get::<L>(layout.node_of(at), layout.node_of(beyond), direction)
    }

    /// Sets this side of all cells of a rectangle that lie on the grid, but for sides on the edge of the map.
    pub(super) fn set_borders<L: Layout>(
        &mut self,
        layout: &L,
        ((x0, y0), (x1, y1)): Span,
        direction: usize,
        border: Border,
    ) {
        for row in y0..=y1 {
            let columns = layout.columns(row);
            for column in x0.max(columns.start)..(x1 + 1).min(columns.end) {
                if let Some(beyond) = layout.beside((column, row), direction) {
                    let (node, beyond) = (layout.node_of((column, row)), layout.node_of(beyond));
                    self.borders.set::<L>(node, beyond, direction, border);
                }
            }
        }
    }

    /// Brings up to date what follows from the steps of nodes, after steps from or to cells of these rectangles have changed.
    pub(super) fn follow<L: Layout>(&mut self, layout: &L, free: &BitPlane, around: &[u8], changed: &[Span]) {
        let (width, height) = layout.size();
        let all = [((0, 0), (width - 1, height - 1))];
        if !self.borders.has_one_way() {
            self.entries_by_node = Vec::new();
        } else if self.entries_by_node.is_empty() {
            self.entries_by_node = vec![0; layout.node_count()];
            self.look_back(layout, free, around, &all);
        } else {
            self.look_back(layout, free, around, changed);
        }
        let steps = Steps { layout, free, around };
        if self.connected.is_empty() {
            self.connected = Connected::new(&steps, &self.links);
        } else {
            self.connected.repair(&steps, changed, &self.links);
        }
    }

    /// Computes for the nodes of these rectangles from which neighbours steps lead to them.
    fn look_back<L: Layout>(&mut self, layout: &L, free: &BitPlane, around: &[u8], areas: &[Span]) {
        let steps = Steps { layout, free, around };
        let (width, height) = layout.size();
        for &((x0, y0), (x1, y1)) in areas {
            for row in y0..=y1.min(height - 1) {
                for column in x0..=x1.min(width - 1) {
                    let leads_here = |&direction: &usize| {
                        let from = layout.beside((column, row), direction);
                        from.is_some_and(|from| steps.legal(from) >> L::back(direction) & 1 == 1)
                    };
                    let entries = (0..L::DIRECTIONS).filter(leads_here).fold(0, |entries, d| entries | 1 << d);
                    self.entries_by_node[layout.node_of((column, row))] = entries;
                }
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.borders.bytes() + self.links.bytes() + held(&self.entries_by_node) + self.connected.bytes()
    }
}
