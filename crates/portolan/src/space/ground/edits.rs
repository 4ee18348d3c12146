//! Editing the ground of a grid: applying edits, and bringing up to date what follows from the terrain.
//!
//! Not here: what an edit is (`space/terrain.rs`), and which edits a world keeps.

use super::{Ground, Grounded, Layout};
use crate::id::NodeId;
use crate::space::bits::three_bits;
use crate::space::borders::Border;
use crate::space::editing::Editable;
use crate::space::passages::{Extras, Passages, Span, widened};
use crate::space::terrain::{Change, weight_range};
use crate::space::{Area, Edit, EditError, Revision};

impl<L: Layout> Ground<L> {
    /// Applies the edits to the terrain, in order, and updates everything derived from it but the revision, which the
    /// caller sets. Cells of an edit's area that do not lie on the grid stay as they are.
    pub(in crate::space) fn edit<'a>(&mut self, edits: impl Iterator<Item = &'a Edit>) {
        let (mut changed, mut freed_or_blocked) = (Vec::new(), 0);
        for edit in edits {
            let Area { x, y, width, height } = edit.area;
            let first = (usize::from(x), usize::from(y));
            let last = (first.0 + usize::from(width) - 1, first.1 + usize::from(height) - 1);
            match edit.change {
                Change::Terrain(terrain) => {
                    self.lay_kind(first, last, terrain.kind());
                    if self.lay(first, last, terrain.weight()) {
                        changed.push((first, last));
                        freed_or_blocked += 1;
                    }
                }
                Change::Border(side, border) => {
                    let direction = L::direction(side).expect("an edit that has been checked");
                    if border != Border::Open || self.passages.is_some() {
                        let passages = self.passages.get_or_insert_with(|| Box::new(Passages::new(&self.layout)));
                        passages.set_borders(&self.layout, (first, last), direction, border);
                        changed.push((first, last));
                    }
                }
                Change::Link { to, cost, both_ways } => {
                    if cost.is_some() || self.passages.is_some() {
                        let passages = self.passages.get_or_insert_with(|| Box::new(Passages::new(&self.layout)));
                        let to = (usize::from(to.x), usize::from(to.y));
                        let [from, to] = [first, to].map(|at| self.layout.node_of(at) as u32);
                        passages.links.set(from, to, cost.map(|cost| cost.0));
                        if both_ways {
                            passages.links.set(to, from, cost.map(|cost| cost.0));
                        }
                        self.link_edits += 1;
                        changed.push((first, first));
                    }
                }
            }
        }
        (self.least_weight, self.greatest_weight) = weight_range(&self.cells_by_weight);
        self.follow(&changed);
        if freed_or_blocked > 0 {
            let with_rim = |((x0, y0), (x1, y1))| [(x0 + 1, y0 + 1), (x1 + 1, y1 + 1)];
            self.components.repair(&self.free, changed.into_iter().map(with_rim));
        }
    }

    /// Brings up to date which steps lead from and to the cells near these rectangles, and what follows from that but for
    /// the components of worlds whose borders are open.
    pub(in crate::space) fn follow(&mut self, changed: &[Span]) {
        if self.extras() == Extras::Nothing {
            self.passages = None;
        }
        for &span in changed {
            let (first, last) = widened(span, 1);
            self.look_around(first, last);
        }
        let Some(passages) = self.passages.as_mut().filter(|_| !changed.is_empty()) else { return };
        // The steps of the cells around have changed, so that those lead to which lie around them.
        let reached: Vec<Span> = changed.iter().map(|&span| widened(span, 2)).collect();
        passages.follow(&self.layout, &self.free, &self.around_by_node, &reached);
    }

    /// Gives every cell of a rectangle that lies on the grid a weight and returns whether that freed or blocked any
    /// cell. The rectangle is given by its first and its last column and row.
    fn lay(&mut self, (x0, y0): (usize, usize), (x1, y1): (usize, usize), weight: u8) -> bool {
        self.make_room_for(weight);
        let mut freed_or_blocked = false;
        for row in y0..=y1 {
            let (columns, start) = (self.layout.columns(row), self.layout.row_start(row));
            for column in x0.max(columns.start)..(x1 + 1).min(columns.end) {
                let node = start + column;
                let old = if self.free.get(column + 1, row + 1) { self.weight(NodeId(node as u32)) } else { 0 };
                self.cells_by_weight[usize::from(old)] -= 1;
                self.cells_by_weight[usize::from(weight)] += 1;
                if let Some(weights) = &mut self.weight_by_node {
                    weights[node] = weight;
                }
                if (old == 0) != (weight == 0) {
                    self.free.set(column + 1, row + 1, weight != 0);
                    freed_or_blocked = true;
                }
            }
        }
        freed_or_blocked
    }

    /// Makes `weight_by_node` from the common weight if `weight` is the first weight that differs from it.
    fn make_room_for(&mut self, weight: u8) {
        if weight == 0 || weight == self.common_weight || self.weight_by_node.is_some() {
            return;
        }
        let (width, height) = self.layout.size();
        let mut by_node = vec![0; self.layout.node_count()];
        for row in 0..height {
            self.copy_row(row, &mut by_node[self.layout.row_start(row)..][..width]);
        }
        self.weight_by_node = Some(by_node);
    }

    /// Recomputes the neighbour bytes of the cells in columns `x0..=x1` and rows `y0..=y1`, as far as there are such
    /// columns and rows.
    pub(super) fn look_around(&mut self, (x0, y0): (usize, usize), (x1, y1): (usize, usize)) {
        let (width, height) = self.layout.size();
        for row in y0..(y1 + 1).min(height) {
            let (above, here, below) = (self.free.row(row), self.free.row(row + 1), self.free.row(row + 2));
            let start = self.layout.row_start(row);
            for x in x0 + 1..(x1 + 2).min(width + 1) {
                let free = [three_bits(above, x), three_bits(here, x), three_bits(below, x)];
                self.around_by_node[start + x - 1] = L::around(row, free);
            }
        }
        let Some(passages) = &self.passages else { return };
        for row in y0..(y1 + 1).min(height) {
            for column in self.layout.columns(row).start.max(x0)..(x1 + 1).min(self.layout.columns(row).end) {
                let node = self.layout.node_of((column, row));
                let around = &mut self.around_by_node[node];
                *around = self.layout.narrowed(*around, node, passages.closed_by_node());
            }
        }
    }
}

impl<S: Grounded> Editable for S {
    type Edit = Edit;
    type EditError = EditError;

    fn check_edits(&self, edits: &[Edit]) -> Result<(), EditError> {
        edits.iter().try_for_each(|edit| self.ground().check(edit))?;
        self.ground().check_links(edits)
    }

    fn edit<'a>(&mut self, edits: impl Iterator<Item = &'a Edit>) {
        self.ground_mut().edit(edits);
    }

    fn digest(edit: &Edit) -> [u64; 2] {
        edit.digest()
    }

    fn set_revision(&mut self, revision: Revision) {
        self.ground_mut().revision = revision;
    }

    /// Copying 64 cells takes about as long as an edit of a few cells.
    fn edits_worth_a_copy(&self) -> u64 {
        let (width, height) = self.ground().layout.size();
        (width * height / 64).max(64) as u64
    }
}
