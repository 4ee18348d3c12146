//! How a world is cut into regions. A line of cells halves the world, other lines halve the halves, and so on until the
//! sides of what is left are about `spacing` cells long: these regions are the leaves. Two regions share the line
//! between them, so that every step of a walk lies inside at least one leaf.
//!
//! Edits do not move lines. Not here: the costs and trees that are kept for a region.

use super::ports::Rule;
use crate::id::Cell;
use crate::memory::held;
use crate::space::Area;
use crate::space::bits::BitPlane;
use crate::space::square::SquareGrid;

/// A rectangle of cells, which includes the lines at its border, and the line that halves it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::chart) struct Region {
    pub(super) bounds: Area,
    pub(super) parent: u32,
    /// The halves on the low and on the high side of the line; [`NO_REGION`] in a leaf.
    pub(super) children: [u32; 2],
    /// The line that halves the region; without meaning in a leaf.
    pub(super) line: Line,
    /// A leaf's index among all leaves; for any other region, its index among the regions that are not leaves.
    pub(super) number: u32,
}

/// A line of cells: a column or a row.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Line {
    Column(u16),
    Row(u16),
}

pub(super) const NO_REGION: u32 = u32::MAX;
/// The region that is the whole world.
pub(super) const ROOT: u32 = 0;

impl Region {
    #[inline(always)]
    pub(super) fn is_leaf(&self) -> bool {
        self.children[0] == NO_REGION
    }

    /// Returns whether a cell lies on the low side of the line, on the line, or on its high side.
    #[inline(always)]
    pub(super) fn side_of(&self, cell: Cell) -> std::cmp::Ordering {
        match self.line {
            Line::Column(x) => cell.x.cmp(&x),
            Line::Row(y) => cell.y.cmp(&y),
        }
    }
}

/// All regions of a world.
#[derive(Clone, PartialEq)]
pub(in crate::chart) struct Regions {
    width: usize,
    height: usize,
    /// All regions, each one before its halves.
    pub(super) all: Vec<Region>,
    /// By number of a leaf: its index in `all`.
    pub(super) leaves: Vec<u32>,
    /// How many regions are not leaves.
    pub(super) inner: usize,
    /// The cells at which a line ends at another line. Each is a port while it is free.
    pub(super) corners: BitPlane,
}

/// A rectangle that is still to become a region. The lines of a world are numbered, columns and rows apart, and the
/// world's borders count as the first and the last. `lines` has, for columns and for rows, the numbers of the lines at
/// the low and at the high border of the rectangle; those in between will cut it.
struct Part {
    bounds: Area,
    parent: u32,
    lines: [(usize, usize); 2],
}

impl Regions {
    /// Cuts a world along lines about `spacing` cells apart. With `placed`, a line moves by up to a quarter of
    /// `spacing` to where it needs the fewest ports.
    pub(super) fn new(grid: &SquareGrid, spacing: usize, placed: bool, rule: Rule) -> Regions {
        let place = |bounds, cut: Cut| Some(cut.place(grid, bounds, rule));
        Self::cut(grid, spacing, placed, place).expect("there is a place for every line")
    }

    /// Cuts a world along lines at `places`, as [`Regions::places`] lists them. Returns `None` if [`Regions::new`]
    /// would not put lines there on any terrain.
    pub(super) fn again(grid: &SquareGrid, spacing: usize, placed: bool, places: &[u32]) -> Option<Regions> {
        let mut places = places.iter();
        let place = |_, cut: Cut| places.next().map(|&at| at as usize).filter(|&at| cut.may_be_at(at));
        Self::cut(grid, spacing, placed, place).filter(|_| places.len() == 0)
    }

    /// Lists the column or row of every line, in the order of the regions that the lines halve. Together with the size
    /// of the world and the settings, [`Regions::again`] needs no more to make these regions again.
    pub(super) fn places(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        self.all.iter().filter(|region| !region.is_leaf()).map(|region| match region.line {
            Line::Column(at) | Line::Row(at) => at.into(),
        })
    }

    /// Returns whether these are regions of a world as large as `grid`.
    pub(super) fn is_of(&self, grid: &SquareGrid) -> bool {
        (self.width, self.height) == (grid.width(), grid.height())
    }

    /// Cuts a world along lines whose column or row `place` returns. Returns `None` as soon as `place` does.
    fn cut(
        grid: &SquareGrid,
        spacing: usize,
        placed: bool,
        mut place: impl FnMut(Area, Cut) -> Option<usize>,
    ) -> Option<Regions> {
        let sides = [grid.width(), grid.height()];
        let parts = sides.map(|side| ((side - 1 + spacing / 2) / spacing).max(1));
        let slack = if placed { spacing / 4 } else { 0 };
        let mut regions = Regions {
            width: sides[0],
            height: sides[1],
            all: vec![],
            leaves: vec![],
            inner: 0,
            corners: BitPlane::new(sides[0], sides[1]),
        };
        let bounds = Area { x: 0, y: 0, width: sides[0] as u16, height: sides[1] as u16 };
        let mut left = vec![Part { bounds, parent: NO_REGION, lines: parts.map(|parts| (0, parts)) }];
        while let Some(part) = left.pop() {
            let region = regions.all.len() as u32;
            if part.parent != NO_REGION {
                let children = &mut regions.all[part.parent as usize].children;
                // The low half is taken off the stack first, so that it becomes the first entry.
                children[usize::from(children[0] != NO_REGION)] = region;
            }
            let Some(cut) = Cut::of(&part, sides, parts, slack) else {
                let number = regions.leaves.len() as u32;
                regions.leaves.push(region);
                regions.all.push(Region {
                    bounds: part.bounds,
                    parent: part.parent,
                    children: [NO_REGION; 2],
                    line: Line::Row(0),
                    number,
                });
                continue;
            };
            let line = cut.line(place(part.bounds, cut)?);
            let number = regions.inner as u32;
            regions.inner += 1;
            regions.all.push(Region {
                bounds: part.bounds,
                parent: part.parent,
                children: [NO_REGION; 2],
                line,
                number,
            });
            regions.mark_ends(part.bounds, line);
            let (low, high) = halves(&part, line, region);
            left.push(high);
            left.push(low);
        }
        Some(regions)
    }

    /// Returns whether a cell is in none of the outermost columns and rows of the world.
    fn is_inside(&self, cell: Cell) -> bool {
        let inside = |at: u16, side: usize| at > 0 && usize::from(at) + 1 < side;
        inside(cell.x, self.width) && inside(cell.y, self.height)
    }

    fn mark_ends(&mut self, bounds: Area, line: Line) {
        let (first, last) = ends(bounds, line);
        for cell in [first, last] {
            if self.is_inside(cell) {
                self.corners.set(usize::from(cell.x), usize::from(cell.y), true);
            }
        }
    }

    /// Returns the length in cells of the longer side of a region: the one halved by the line that contains the side of
    /// `leaf` from `first` to `last`. `leaf` is the index of a region.
    pub(super) fn reach(&self, leaf: u32, first: Cell, last: Cell) -> usize {
        let line = if first.x == last.x { Line::Column(first.x) } else { Line::Row(first.y) };
        let mut region = self.of(self.of(leaf).parent);
        while region.line != line && region.parent != NO_REGION {
            region = self.of(region.parent);
        }
        usize::from(region.bounds.width.max(region.bounds.height))
    }

    pub(super) fn is_corner(&self, cell: Cell) -> bool {
        self.corners.get(usize::from(cell.x), usize::from(cell.y))
    }

    #[inline(always)]
    pub(super) fn of(&self, region: u32) -> &Region {
        &self.all[region as usize]
    }

    /// Lists the first and the last cell of each side of a rectangle in the order top, bottom, left, right. Sides at
    /// the world's border are left out, as they are not lines. Two sides that meet both have the cell where they do.
    pub(super) fn whole_sides(&self, bounds: Area) -> impl Iterator<Item = (Cell, Cell)> + use<> {
        let (x0, y0) = (bounds.x, bounds.y);
        let (x1, y1) = (x0 + bounds.width - 1, y0 + bounds.height - 1);
        let cell = |x, y| Cell { x, y };
        let all = [
            (y0 > 0, cell(x0, y0), cell(x1, y0)),
            (usize::from(y1) + 1 < self.height, cell(x0, y1), cell(x1, y1)),
            (x0 > 0, cell(x0, y0), cell(x0, y1)),
            (usize::from(x1) + 1 < self.width, cell(x1, y0), cell(x1, y1)),
        ];
        all.into_iter().filter(|side| side.0).map(|(_, first, last)| (first, last))
    }

    /// Lists the sides like [`Regions::whole_sides`], but each cell only once: the left and the right side do not have
    /// the cells that the top or the bottom side has.
    pub(super) fn sides(&self, bounds: Area) -> impl Iterator<Item = (Cell, Cell)> + use<> {
        let height = self.height;
        self.whole_sides(bounds).filter_map(move |(mut first, mut last)| {
            if first.y < last.y {
                first.y += u16::from(first.y > 0);
                last.y -= u16::from(usize::from(last.y) + 1 < height);
            }
            (first.y <= last.y).then_some((first, last))
        })
    }

    /// Returns the first and the last of those cells of a region's line that are on none of the region's sides, or
    /// `None` if the region is so narrow that there are no such cells.
    pub(super) fn inner_line(&self, region: &Region) -> Option<(Cell, Cell)> {
        let (mut first, mut last) = ends(region.bounds, region.line);
        match region.line {
            Line::Column(_) => {
                first.y += u16::from(first.y > 0);
                last.y -= u16::from(usize::from(last.y) + 1 < self.height);
            }
            Line::Row(_) => {
                first.x += u16::from(first.x > 0);
                last.x -= u16::from(usize::from(last.x) + 1 < self.width);
            }
        }
        (first.x <= last.x && first.y <= last.y).then_some((first, last))
    }

    /// Returns whether a cell of a rectangle lies on one of its sides, as [`Regions::whole_sides`] lists them.
    pub(super) fn is_on_side(&self, bounds: Area, cell: Cell) -> bool {
        self.whole_sides(bounds).any(|(first, last)| Area::around(first, last).contains(cell))
    }

    /// Returns the smallest region with a line that contains both cells, or the region on whose line both lie.
    pub(super) fn home(&self, a: Cell, b: Cell) -> u32 {
        let mut region = ROOT;
        loop {
            let holds = |&half: &u32| {
                let half = self.of(half);
                half.bounds.contains(a) && half.bounds.contains(b) && !half.is_leaf()
            };
            let mut halves = self.of(region).children.into_iter().filter(holds);
            match (halves.next(), halves.next()) {
                (Some(half), None) => region = half,
                _ => return region,
            }
        }
    }

    /// Returns the number of the leaf that contains a cell, or of the first one if several do.
    pub(super) fn leaf_at(&self, cell: Cell) -> u32 {
        let mut place = self.of(ROOT);
        while !place.is_leaf() {
            place = self.of(place.children[usize::from(place.side_of(cell).is_gt())]);
        }
        place.number
    }

    /// Calls `visit` with the number of every leaf that has cells of `area`, in their order.
    pub(super) fn touched(&self, area: Area, visit: &mut impl FnMut(u32)) {
        self.touched_in(ROOT, area, visit);
    }

    fn touched_in(&self, region: u32, area: Area, visit: &mut impl FnMut(u32)) {
        let region = self.of(region);
        if !region.bounds.overlaps(area) {
            return;
        }
        if region.is_leaf() {
            visit(region.number);
        } else {
            region.children.iter().for_each(|&half| self.touched_in(half, area, visit));
        }
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.all) + held(&self.leaves) + self.corners.bytes()
    }
}

/// Returns the first and the last cell of a line inside a rectangle.
fn ends(bounds: Area, line: Line) -> (Cell, Cell) {
    let (x1, y1) = (bounds.x + bounds.width - 1, bounds.y + bounds.height - 1);
    match line {
        Line::Column(x) => (Cell { x, y: bounds.y }, Cell { x, y: y1 }),
        Line::Row(y) => (Cell { x: bounds.x, y }, Cell { x: x1, y }),
    }
}

/// Lists the cells from `first` to `last`, both included. They lie in one column, from north to south, or in one row,
/// from west to east.
pub(super) fn along(first: Cell, last: Cell) -> impl DoubleEndedIterator<Item = Cell> + Clone {
    let down = first.x == last.x;
    let length = if down { last.y - first.y } else { last.x - first.x };
    (0..=length).map(
        move |i| {
            if down { Cell { x: first.x, y: first.y + i } } else { Cell { x: first.x + i, y: first.y } }
        },
    )
}

/// The columns or rows in which the line that halves a [`Part`] may lie. It is the middle one of the lines that will
/// cut the part, and it halves the longer side if such lines are left there.
#[derive(Copy, Clone)]
struct Cut {
    /// Whether the line is a column.
    columns: bool,
    /// Where the line would be if all lines were evenly spaced.
    even: usize,
    /// By how many cells the line may move away from `even`.
    slack: usize,
    /// The lowest place that leaves a cell of the part on the low side of the line.
    least: usize,
    /// The highest place that leaves a cell of the part on the high side of the line.
    most: usize,
}

impl Cut {
    /// Returns where to halve `part`, or `None` if it is a leaf.
    fn of(part: &Part, sides: [usize; 2], parts: [usize; 2], slack: usize) -> Option<Cut> {
        let Area { x, y, width, height } = part.bounds;
        let cuttable = |axis: usize| part.lines[axis].1 - part.lines[axis].0 > 1;
        let columns = cuttable(0) && (width >= height || !cuttable(1));
        if !columns && !cuttable(1) {
            return None;
        }
        let (axis, start, length) = if columns { (0, x, width) } else { (1, y, height) };
        let middle = usize::midpoint(part.lines[axis].0, part.lines[axis].1);
        let even = ((sides[axis] - 1) * middle + parts[axis] / 2) / parts[axis];
        let least = usize::from(start) + 1;
        let most = usize::from(start) + usize::from(length) - 2;
        Some(Cut { columns, even, slack, least, most })
    }

    fn line(self, at: usize) -> Line {
        if self.columns { Line::Column(at as u16) } else { Line::Row(at as u16) }
    }

    /// Returns the place where the line needs the fewest ports; a place other than `even` counts as one port more.
    fn place(self, grid: &SquareGrid, bounds: Area, rule: Rule) -> usize {
        let mut best = (usize::MAX, self.even.clamp(self.least, self.most));
        for off in 0..=self.slack {
            for at in [self.even.saturating_sub(off), self.even + off] {
                if !(self.least..=self.most).contains(&at) {
                    continue;
                }
                let (first, last) = ends(bounds, self.line(at));
                // At their even places, two lines that end at a third one from both sides end in one shared corner,
                // with one port. If one of them moves, there are two corners, with a port each.
                let ports = rule.ports_on(grid, first, last) + usize::from(off > 0);
                if ports < best.0 {
                    best = (ports, at);
                }
            }
        }
        best.1
    }

    /// Returns whether there is a terrain on which [`Cut::place`] could choose the place `at`.
    fn may_be_at(self, at: usize) -> bool {
        let even = self.even.clamp(self.least, self.most);
        at == even || (self.least..=self.most).contains(&at) && at.abs_diff(self.even) <= self.slack
    }
}

fn halves(part: &Part, line: Line, parent: u32) -> (Part, Part) {
    let (mut low, mut high) = ((part.bounds, part.lines), (part.bounds, part.lines));
    let axis = match line {
        Line::Column(x) => {
            low.0.width = x - part.bounds.x + 1;
            high.0.width = part.bounds.x + part.bounds.width - x;
            high.0.x = x;
            0
        }
        Line::Row(y) => {
            low.0.height = y - part.bounds.y + 1;
            high.0.height = part.bounds.y + part.bounds.height - y;
            high.0.y = y;
            1
        }
    };
    let middle = usize::midpoint(part.lines[axis].0, part.lines[axis].1);
    low.1[axis].1 = middle;
    high.1[axis].0 = middle;
    let part = |(bounds, lines)| Part { bounds, parent, lines };
    (part(low), part(high))
}
