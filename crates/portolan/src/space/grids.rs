//! What squares and hexes offer in the same words: methods of every grid that stands on a [`super::ground::Ground`].
//!
//! Not here: methods whose answers depend on the form of the cells.

/// Writes the methods that read the ground of a grid, whose cells have the type `$cell`.
macro_rules! grid_accessors {
    ($cell:ty) => {
        /// Returns one weight for each column of each row, row by row from the top left, 0 where a cell is blocked or not
        /// on the grid: what a grid is made from.
        pub fn to_weights(&self) -> Vec<u8> {
            self.ground.to_weights()
        }

        /// Writes the weights of one row, counted from the top, to `weights`. It serves callers that do not need all
        /// rows of [`Self::to_weights`] at once.
        ///
        /// # Panics
        /// When there is no such row, or `weights` does not have one entry for each column.
        pub fn copy_row(&self, row: usize, weights: &mut [u8]) {
            self.ground.copy_row(row, weights);
        }

        /// Returns one kind for each column of each row, as [`Self::to_weights`] returns weights; blocked cells have kind 0.
        pub fn to_kinds(&self) -> Vec<u8> {
            self.ground.to_kinds()
        }

        /// Gives each cell a kind, one for each column of each row. Kinds of blocked cells are ignored.
        ///
        /// # Errors
        /// When there is not one kind for each column of each row, or no memory for them.
        pub fn with_kinds(mut self, kinds: &[u8]) -> Result<Self, GridError> {
            self.ground.set_kinds(kinds)?;
            Ok(self)
        }

        /// Returns whether some ground has had another kind than 0.
        pub fn has_kinds(&self) -> bool {
            self.ground.kind_by_node.is_some()
        }

        /// Returns the number of columns.
        pub fn width(&self) -> usize {
            self.ground.layout.width
        }

        /// Returns the number of rows.
        pub fn height(&self) -> usize {
            self.ground.layout.height
        }

        /// Returns the metric that gives the cost of steps: the one that the grid was made with or, if there was none,
        /// the one chosen for it.
        pub fn metric(&self) -> Metric {
            self.ground.metric
        }

        /// Returns the state of the world that this grid holds.
        pub fn revision(&self) -> Revision {
            self.ground.revision
        }

        /// Returns the terrain of the cell; cells off the grid are blocked.
        pub fn terrain(&self, cell: $cell) -> Terrain {
            self.ground.terrain(cell)
        }

        /// Returns whether an agent may stand on the cell; on a cell off the grid it may not.
        #[inline]
        pub fn is_free(&self, cell: $cell) -> bool {
            self.ground.is_free(cell)
        }

        /// Returns how many cells are free.
        pub fn free_cells(&self) -> usize {
            self.ground.layout.cell_count() - self.ground.cells_by_weight[0] as usize
        }

        /// Returns how many cells of the grid have each weight; entry 0 counts the blocked cells.
        pub fn cells_by_weight(&self) -> &[u32; 256] {
            &self.ground.cells_by_weight
        }

        /// Returns the weight that all free cells have, or `None` where weights differ. Searches that need equal weights
        /// check this first. It is 1 where no cell is free.
        pub fn uniform_weight(&self) -> Option<u8> {
            (self.least_weight() == self.greatest_weight()).then_some(self.least_weight())
        }

        /// Returns the least weight of a free cell, 1 where no cell is free.
        pub(crate) fn least_weight(&self) -> u8 {
            self.ground.least_weight
        }

        /// Returns the greatest weight of a free cell, 1 where no cell is free.
        pub(crate) fn greatest_weight(&self) -> u8 {
            self.ground.greatest_weight
        }

        /// Returns what the grid has besides its terrain.
        pub fn extras(&self) -> Extras {
            self.ground.extras()
        }

        /// Returns what a side of a cell lets pass, `None` if the cells of this grid have no such side. The edge of the map is
        /// closed.
        pub fn border(&self, cell: $cell, side: Side) -> Option<Border> {
            self.ground.border(cell, side)
        }

        /// Returns whether the grid has links.
        pub fn has_links(&self) -> bool {
            self.ground.has_links()
        }

        /// Returns all links, ordered by the nodes that they lead from, each with the cells that it leads from and to and its
        /// cost. A link both ways is two.
        pub fn links(&self) -> impl Iterator<Item = ($cell, $cell, Cost)> + '_ {
            let links = self.ground.passages.as_ref().map_or(&[][..], |passages| passages.links().all());
            links.iter().map(|link| (self.cell(NodeId(link.at)), self.cell(NodeId(link.beyond)), Cost(link.cost)))
        }

        /// Returns whether there are legal walks from each of two cells to the other. It is `false` if a cell is blocked.
        pub fn connected(&self, a: $cell, b: $cell) -> bool {
            matches!((self.component(a), self.component(b)), (Some(a), Some(b)) if a == b)
        }

        /// Returns the number of the cell's component, `None` if the cell is blocked. Two free cells have equal numbers
        /// exactly if there are legal walks from each to the other. Edits may change the numbers.
        pub fn component(&self, cell: $cell) -> Option<u64> {
            self.ground.component(cell)
        }

        /// Returns the bytes of memory that free cells, neighbour bytes, weights, kinds and components take.
        pub fn bytes(&self) -> usize {
            self.ground.bytes()
        }

        /// Returns the number of nodes, rim included: one more than the largest node index.
        pub fn node_count(&self) -> usize {
            self.ground.around_by_node.len()
        }

        /// Returns the node of a cell on the grid.
        #[inline(always)]
        pub fn node(&self, cell: $cell) -> NodeId {
            debug_assert!(self.contains(cell));
            self.ground.layout.node(cell)
        }

        /// Returns the weight of a free node.
        #[inline(always)]
        pub(crate) fn weight(&self, node: NodeId) -> u8 {
            self.ground.weight(node)
        }
    };
}

/// Writes the items of [`super::Space`] that a grid answers by its own methods of the same names.
macro_rules! grid_as_space {
    ($cell:ty) => {
        type Place = $cell;
        type Region = Area;

        #[inline(always)]
        fn revision(&self) -> Revision {
            self.revision()
        }

        fn size(&self) -> (usize, usize) {
            (self.width(), self.height())
        }

        fn joined(a: Area, b: Area) -> Area {
            a.with(b)
        }

        #[inline(always)]
        fn contains(&self, at: $cell) -> bool {
            self.contains(at)
        }

        #[inline(always)]
        fn component(&self, at: $cell) -> Option<u64> {
            self.component(at)
        }

        #[inline(always)]
        fn reaches(&self, from: $cell, to: $cell) -> bool {
            self.ground.reaches(from, to)
        }

        #[inline(always)]
        fn extras(&self) -> Extras {
            self.ground.extras()
        }

        fn has_links(&self) -> bool {
            self.ground.has_links()
        }

        fn nearest_reachable(&self, from: $cell, to: $cell) -> Option<$cell> {
            self.nearest_reachable(from, to)
        }

        fn place(&self, node: NodeId) -> $cell {
            self.cell(node)
        }

        fn bytes(&self) -> usize {
            self.bytes()
        }
    };
}

/// Writes where a grid of type `$grid` keeps its ground.
macro_rules! stand_on_ground {
    ($grid:ty, $layout:ty) => {
        impl Grounded for $grid {
            type Layout = $layout;

            #[inline(always)]
            fn ground(&self) -> &Ground<$layout> {
                &self.ground
            }

            fn ground_mut(&mut self) -> &mut Ground<$layout> {
                &mut self.ground
            }
        }
    };
}

pub(super) use {grid_accessors, grid_as_space, stand_on_ground};
