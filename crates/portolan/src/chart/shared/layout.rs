//! How a world is cut into clusters: squares of `size` cells, grouped `group` × `group` into the clusters of the next
//! level. The clusters of the last column and of the last row take the cells that are left, and may be smaller.

use crate::id::Cell;
use crate::memory::held;
use crate::outline::Region;
use crate::space::Area;

/// The clusters of one level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Tier {
    /// Cells along a full cluster's side.
    side: u32,
    /// 2³² / side, rounded up. Multiplying by it replaces a division by `side`, and is exact for all columns and rows
    /// that a world can have.
    reciprocal: u64,
    /// Clusters in a row.
    pub(crate) across: u32,
    /// Rows of clusters.
    pub(crate) down: u32,
}

impl Tier {
    pub(crate) fn count(&self) -> usize {
        self.across as usize * self.down as usize
    }

    /// Returns the number of the cluster that `cell` is in.
    #[inline]
    pub(crate) fn cluster(&self, cell: Cell) -> u32 {
        self.along(cell.y) * self.across + self.along(cell.x)
    }

    /// Returns which column of clusters the column `at` of the world is in; likewise for rows.
    #[inline(always)]
    fn along(&self, at: u16) -> u32 {
        ((u64::from(at) * self.reciprocal) >> 32) as u32
    }

    /// Returns the column and the row of a cluster, counted in clusters.
    pub(crate) fn place(&self, cluster: u32) -> (u32, u32) {
        (cluster % self.across, cluster / self.across)
    }
}

/// The clusters of all levels, the lowest first.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Layout {
    width: u32,
    height: u32,
    group: u32,
    tiers: Vec<Tier>,
}

impl Layout {
    /// Cuts a world into up to `levels` levels. There are fewer if a cluster of a lower level covers the whole world.
    pub(crate) fn new(width: usize, height: usize, size: u32, group: u32, levels: usize) -> Layout {
        let (width, height) = (width as u32, height as u32);
        let tier = |side: u32| Tier {
            side,
            reciprocal: (1u64 << 32).div_ceil(u64::from(side)),
            across: width.div_ceil(side),
            down: height.div_ceil(side),
        };
        let mut tiers = vec![tier(size)];
        while tiers.len() < levels && tiers[tiers.len() - 1].count() > 1 {
            tiers.push(tier(tiers[tiers.len() - 1].side * group));
        }
        Layout { width, height, group, tiers }
    }

    pub(crate) fn bytes(&self) -> usize {
        held(&self.tiers)
    }

    /// Returns the columns and rows of the world.
    pub(crate) fn size(&self) -> (usize, usize) {
        (self.width as usize, self.height as usize)
    }

    /// Returns how many levels there are.
    pub(crate) fn levels(&self) -> usize {
        self.tiers.len()
    }

    /// Returns the clusters of a level; the lowest level is 0.
    #[inline(always)]
    pub(crate) fn tier(&self, level: usize) -> &Tier {
        &self.tiers[level]
    }

    pub(crate) fn bounds(&self, level: usize, cluster: u32) -> Area {
        self.bounds_at(level, self.tiers[level].place(cluster))
    }

    /// Returns the bounds of the cluster of `level` that `cell` is in.
    #[inline]
    pub(crate) fn bounds_of(&self, level: usize, cell: Cell) -> Area {
        let tier = &self.tiers[level];
        self.bounds_at(level, (tier.along(cell.x), tier.along(cell.y)))
    }

    #[inline]
    fn bounds_at(&self, level: usize, (column, row): (u32, u32)) -> Area {
        let side = self.tiers[level].side;
        let (x, y) = (column * side, row * side);
        let (width, height) = (side.min(self.width - x), side.min(self.height - y));
        Area { x: x as u16, y: y as u16, width: width as u16, height: height as u16 }
    }

    /// Returns the cluster of the next higher level that a cluster of `level` is part of.
    pub(crate) fn parent(&self, level: usize, cluster: u32) -> u32 {
        let (column, row) = self.tiers[level].place(cluster);
        row / self.group * self.tiers[level + 1].across + column / self.group
    }

    /// Lists, row by row, the clusters of the next lower level that a cluster of `level` is made of.
    pub(crate) fn children(&self, level: usize, cluster: u32) -> impl Iterator<Item = u32> + use<> {
        let (column, row) = self.tiers[level].place(cluster);
        let below = &self.tiers[level - 1];
        let (across, down) = (below.across, below.down);
        let columns = column * self.group..((column + 1) * self.group).min(across);
        let rows = row * self.group..((row + 1) * self.group).min(down);
        rows.flat_map(move |row| columns.clone().map(move |column| row * across + column))
    }

    /// Lists the clusters of the lowest level that share cells with `area`.
    pub(crate) fn touched(&self, area: Area) -> impl Iterator<Item = u32> + use<> {
        let Tier { side, across, .. } = self.tiers[0];
        let span =
            |start: u16, length: u16| u32::from(start) / side..(u32::from(start) + u32::from(length) - 1) / side + 1;
        let columns = span(area.x, area.width);
        span(area.y, area.height).flat_map(move |row| columns.clone().map(move |column| row * across + column))
    }

    /// Returns the clusters of the lowest level that share cells with any of these areas, and those whose border with another
    /// cluster has cells in one of them, on either side; both sorted, each cluster once.
    pub(crate) fn touched_by(&self, areas: impl Iterator<Item = Area>) -> (Vec<u32>, Vec<u32>) {
        let (mut touched, mut border) = (Vec::new(), Vec::new());
        for area in areas {
            for cluster in self.touched(area) {
                touched.push(cluster);
                if self.bounds(0, cluster).reaches_border(area) {
                    border.extend(self.around(0, cluster));
                }
            }
        }
        sort(&mut touched);
        sort(&mut border);
        (touched, border)
    }

    /// Returns the clusters of all levels as regions for display, those of the highest level first.
    pub(crate) fn regions(&self) -> Vec<Region> {
        let mut regions: Vec<Region> = Vec::new();
        let mut above = 0;
        for (depth, level) in (0..self.levels()).rev().enumerate() {
            let first = regions.len();
            for cluster in 0..self.tier(level).count() as u32 {
                let parent = (depth > 0).then(|| above + self.parent(level, cluster) as usize);
                regions.push(Region { bounds: self.bounds(level, cluster), parent, depth, line: None });
            }
            above = first;
        }
        regions
    }

    /// Lists a cluster of `level` and the up to eight clusters around it.
    pub(crate) fn around(&self, level: usize, cluster: u32) -> impl Iterator<Item = u32> + use<> {
        let Tier { across, down, .. } = self.tiers[level];
        let (column, row) = self.tiers[level].place(cluster);
        let columns = column.saturating_sub(1)..(column + 2).min(across);
        let rows = row.saturating_sub(1)..(row + 2).min(down);
        rows.flat_map(move |row| columns.clone().map(move |column| row * across + column))
    }
}

/// Sorts the numbers of clusters and drops those that occur twice.
pub(crate) fn sort(clusters: &mut Vec<u32>) {
    clusters.sort_unstable();
    clusters.dedup();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_map_that_does_not_divide_leaves_narrow_clusters_at_its_edges() {
        let layout = Layout::new(23, 11, 10, 2, 5);
        assert_eq!(layout.levels(), 3);
        assert_eq!((layout.tier(0).count(), layout.tier(1).count(), layout.tier(2).count()), (6, 2, 1));
        assert_eq!(layout.bounds(0, 5), Area { x: 20, y: 10, width: 3, height: 1 });
        assert_eq!(layout.children(1, 1).collect::<Vec<_>>(), [2, 5]);
        assert_eq!(layout.children(2, 0).collect::<Vec<_>>(), [0, 1]);
        assert_eq!((layout.parent(0, 4), layout.parent(0, 5)), (0, 1));
        let area = Area { x: 9, y: 9, width: 2, height: 2 };
        assert_eq!(layout.touched(area).collect::<Vec<_>>(), [0, 1, 3, 4]);
    }
}
