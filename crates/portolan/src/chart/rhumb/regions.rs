//! How a world is cut: lines of cells halve it again and again until what is left is a leaf of about `spacing` cells a
//! side. Regions share the line between them, so that every step of a walk lies inside at least one leaf.
//!
//! Lines stay where they were when the chart was built. Not here: what is kept for a region.

use super::ports::Rule;
use crate::id::Cell;
use crate::world::Area;
use crate::world::bits::BitPlane;
use crate::world::square::SquareGrid;

/// A rectangle of cells, its border lines included, and the line that halves it.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(in crate::chart) struct Region {
    pub(super) bounds: Area,
    pub(super) parent: u32,
    /// What the line leaves on its low and on its high side; a leaf has none.
    pub(super) children: [u32; 2],
    pub(super) line: Line,
    /// The number among leaves, or among regions that are none.
    pub(super) number: u32,
}

/// A line of cells: a column or a row.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Line {
    Column(u16),
    Row(u16),
}

pub(super) const NO_REGION: u32 = u32::MAX;
/// The region that is the world.
pub(super) const ROOT: u32 = 0;

impl Region {
    #[inline(always)]
    pub(super) fn is_leaf(&self) -> bool {
        self.children[0] == NO_REGION
    }

    /// On which side of the line a cell lies.
    #[inline(always)]
    pub(super) fn side_of(&self, cell: Cell) -> std::cmp::Ordering {
        match self.line {
            Line::Column(x) => cell.x.cmp(&x),
            Line::Row(y) => cell.y.cmp(&y),
        }
    }
}

/// A world cut up.
#[derive(Clone, PartialEq)]
pub(in crate::chart) struct Regions {
    width: usize,
    height: usize,
    /// Parents before children.
    pub(super) all: Vec<Region>,
    /// The region of each leaf.
    pub(super) leaves: Vec<u32>,
    /// How many regions are none.
    pub(super) inner: usize,
    /// Where a line ends at another: ports whenever free.
    pub(super) corners: BitPlane,
}

/// A rectangle still to be cut: its bounds and the numbers of the lines left inside, in columns and rows.
struct Part {
    bounds: Area,
    parent: u32,
    lines: [(usize, usize); 2],
}

impl Regions {
    /// Cuts a world along lines about `spacing` cells apart. With `placed`, a line moves up to a quarter of that to
    /// where it needs the fewest ports.
    pub(super) fn new(grid: &SquareGrid, spacing: usize, placed: bool, rule: Rule) -> Regions {
        let place = |bounds, cut: Cut| Some(cut.place(grid, bounds, rule));
        Self::cut(grid, spacing, placed, place).expect("there is a place for every line")
    }

    /// Cuts a world along lines that were [told](Regions::places) before, if they are such as [`Regions::new`] draws.
    pub(super) fn again(grid: &SquareGrid, spacing: usize, placed: bool, places: &[u32]) -> Option<Regions> {
        let mut places = places.iter();
        let place = |_, cut: Cut| places.next().map(|&at| at as usize).filter(|&at| cut.may_be_at(at));
        Self::cut(grid, spacing, placed, place).filter(|_| places.len() == 0)
    }

    /// The column or row of every line, in the order of the regions that they halve. The rest follows from them.
    pub(super) fn places(&self) -> impl Iterator<Item = u32> + Clone + '_ {
        self.all.iter().filter(|region| !region.is_leaf()).map(|region| match region.line {
            Line::Column(at) | Line::Row(at) => at.into(),
        })
    }

    /// Whether it is a cut of a world of this size.
    pub(super) fn is_of(&self, grid: &SquareGrid) -> bool {
        (self.width, self.height) == (grid.width(), grid.height())
    }

    /// Cuts a world along lines that `place` finds places for; `None` once it does not.
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
                // The low side is cut first.
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

    /// Whether the cell's column or row is one that a line can run along: not the world's outermost.
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

    /// How far the region reaches that a side of a leaf runs through the middle of, in cells.
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

    /// The sides of a rectangle that run along lines, corners and all, as the first and last cell of each: top, bottom,
    /// left, right.
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

    /// The same with every cell once: what belongs to a row is not listed again with a column.
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

    /// The cells of a region's line that are on none of its sides, as the first and the last; `None` where the region is
    /// so narrow that all of them are.
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

    /// A leaf that has a cell: of several, the first.
    pub(super) fn leaf_at(&self, cell: Cell) -> u32 {
        let mut place = self.of(ROOT);
        while !place.is_leaf() {
            place = self.of(place.children[usize::from(place.side_of(cell).is_gt())]);
        }
        place.number
    }

    /// Calls for every leaf that has cells of an area.
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
        self.all.len() * size_of::<Region>() + 4 * self.leaves.len() + self.corners.bytes()
    }
}

/// The first and last cell of a line inside a rectangle.
fn ends(bounds: Area, line: Line) -> (Cell, Cell) {
    let (x1, y1) = (bounds.x + bounds.width - 1, bounds.y + bounds.height - 1);
    match line {
        Line::Column(x) => (Cell { x, y: bounds.y }, Cell { x, y: y1 }),
        Line::Row(y) => (Cell { x: bounds.x, y }, Cell { x: x1, y }),
    }
}

/// The cells between two in the same column or row, both included.
pub(super) fn along(first: Cell, last: Cell) -> impl DoubleEndedIterator<Item = Cell> + Clone {
    let down = first.x == last.x;
    let length = if down { last.y - first.y } else { last.x - first.x };
    (0..=length).map(
        move |i| {
            if down { Cell { x: first.x, y: first.y + i } } else { Cell { x: first.x + i, y: first.y } }
        },
    )
}

/// Where the line may lie that halves a part: across its longer side, at the middle one of the lines left.
#[derive(Copy, Clone)]
struct Cut {
    columns: bool,
    /// Where it would be if lines were apart evenly.
    even: usize,
    slack: usize,
    /// A line needs a cell on either side of it.
    least: usize,
    most: usize,
}

impl Cut {
    /// `None` where a part is not to be halved.
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

    /// Where it needs the fewest ports.
    fn place(self, grid: &SquareGrid, bounds: Area, rule: Rule) -> usize {
        let mut best = (usize::MAX, self.even.clamp(self.least, self.most));
        for off in 0..=self.slack {
            for at in [self.even.saturating_sub(off), self.even + off] {
                if !(self.least..=self.most).contains(&at) {
                    continue;
                }
                let (first, last) = ends(bounds, self.line(at));
                // Lines that do not meet need a port each where those that do share one.
                let ports = rule.ports_on(grid, first, last) + usize::from(off > 0);
                if ports < best.0 {
                    best = (ports, at);
                }
            }
        }
        best.1
    }

    /// Whether it could be placed there, on whatever terrain.
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
