//! Entrances between clusters and their transitions: the steps by which a chart crosses a border.
//!
//! An entrance is a maximal run of border cells that are free on both sides. A rule picks the transitions of each
//! entrance. Where a diagonal step needs at least one free side cell, these transitions connect all that is connected
//! in the world: beside a diagonal step over the border there is always a straight one. Under loose corners, a diagonal
//! step between two blocked side cells becomes a transition of its own. Where borders are crossed one way only, a run is one
//! of borders that are all crossed alike, and agents can walk along it both ways; so both clusters find one run.

use crate::chart::shared::layout::Layout;
use crate::id::Cell;
use crate::settings::{Param, Settings};
use crate::space::square::SquareGrid;
use crate::space::{Area, Extras};

pub(crate) const ENTRANCES: Param = Param::choice(
    "entrances",
    "transitions of an entrance: hpa-2004 one below 6 cells, else both ends; table-2 as that paper's own figures count; pra-2017 one below 5, both ends up to 6, else the third from each end; spaced both ends and every 12 cells",
    &["hpa-2004", "table-2", "pra-2017", "spaced"],
);

pub(crate) const DIAGONALS: Param = Param::choice(
    "diagonals",
    "transitions between clusters that touch at a corner: corners, wherever four clusters meet; needed, only where nothing else joins two cells",
    &["corners", "needed"],
);

/// The rule that picks which cells of an entrance become transitions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Picks {
    /// One transition in the middle of an entrance below six cells, else one at each end.
    Hpa2004,
    /// The rule that yields the numbers of table 2 of the HPA* paper: a run that ends with the border's last cell is
    /// shortened by that cell, unless it has no other, and only seven cells and more get two transitions. With the rule
    /// as the paper words it, the graph has 10 % fewer nodes.
    Table2,
    /// One transition in the middle below five cells, one at each end for five and six, else one at the third cell from
    /// each end.
    Pra2017,
    /// The transitions of [`Picks::Hpa2004`], and more between them where the ends are more than [`SPACING`] apart.
    Spaced,
    /// One transition below six cells, else one near each end, each at the [`roundest`] place there is.
    Round,
}

/// The cells at each end of a run from which [`Picks::Round`] picks one.
const END: u16 = 4;

/// The most cells from one transition of an entrance to the next under [`Picks::Spaced`].
const SPACING: u16 = 12;

/// The settings by which borders are turned into transitions.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct Entrances {
    picks: Picks,
    corners: bool,
}

/// A step across a border, from a cell of the cluster that lists it to a cell of another, or from that cell to it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Transition {
    pub(crate) from: Cell,
    pub(crate) to: Cell,
}

impl Entrances {
    pub(crate) fn new(settings: &Settings) -> Entrances {
        let picks = match settings.choice(ENTRANCES.name) {
            "table-2" => Picks::Table2,
            "pra-2017" => Picks::Pra2017,
            "spaced" => Picks::Spaced,
            _ => Picks::Hpa2004,
        };
        Entrances { picks, corners: settings.choice(DIAGONALS.name) == "corners" }
    }

    /// Returns the settings by which worlds that are nearly alike get nearly the same transitions, each without knowing of
    /// the others: a run that is a little shorter at one end has its transitions where the longer run has them.
    pub(in crate::chart) fn alike() -> Entrances {
        Entrances { picks: Picks::Round, corners: true }
    }

    /// Collects every transition out of a lowest cluster in `found`, sorted and each once. Where every step leads both ways,
    /// the cluster beyond the border finds the transition back for each of them.
    pub(crate) fn of_cluster(self, grid: &SquareGrid, layout: &Layout, cluster: u32, found: &mut Vec<Transition>) {
        let may_cross = |from: Cell, to: Cell| grid.walk_cost(from, to).is_some();
        self.collect(grid, layout.bounds(0, cluster), may_cross, found);
        if grid.has_links() {
            let ends = layout.bounds(0, cluster).all_cells().filter(|&cell| grid.is_free(cell));
            let links = ends.flat_map(|from| grid.links_from(from).map(move |to| Transition { from, to }));
            found.extend(links);
        }
        found.sort_unstable();
        found.dedup();
    }

    /// Collects every transition into a lowest cluster in `found`, unsorted. They lead from cells beyond, which are called `to`
    /// here as if they led out, to cells of the cluster. For each of them, the cluster beyond the border finds the transition
    /// out.
    pub(crate) fn into_cluster(self, grid: &SquareGrid, layout: &Layout, cluster: u32, found: &mut Vec<Transition>) {
        let may_cross = |to: Cell, from: Cell| grid.walk_cost(from, to).is_some();
        self.collect(grid, layout.bounds(0, cluster), may_cross, found);
        let ends = layout.bounds(0, cluster).all_cells().filter(|&cell| grid.is_free(cell));
        found.extend(ends.flat_map(|to| grid.links_to(to).map(move |from| Transition { from: to, to: from })));
    }

    /// Collects the transitions over the border of a cluster in `found`. `may_cross` says whether a step leads from one cell to
    /// another, or, of transitions into the cluster, back.
    fn collect(
        self,
        grid: &SquareGrid,
        bounds: Area,
        may_cross: impl Fn(Cell, Cell) -> bool + Copy,
        found: &mut Vec<Transition>,
    ) {
        found.clear();
        let Area { x, y, width, height } = bounds;
        let (right, below) = (x + width, y + height);
        let squeezes = grid.gait().joins_corners();
        if x > 0 {
            self.of_side(grid, ((x, y), height), [(0, 1), (-1, 0)], squeezes, may_cross, found);
        }
        if usize::from(right) < grid.width() {
            self.of_side(grid, ((right - 1, y), height), [(0, 1), (1, 0)], squeezes, may_cross, found);
        }
        if y > 0 {
            self.of_side(grid, ((x, y), width), [(1, 0), (0, -1)], squeezes, may_cross, found);
        }
        if usize::from(below) < grid.height() {
            self.of_side(grid, ((x, below - 1), width), [(1, 0), (0, 1)], squeezes, may_cross, found);
        }
        for (from, step) in [
            (Cell { x, y }, (-1, -1)),
            (Cell { x: right - 1, y }, (1, -1)),
            (Cell { x, y: below - 1 }, (-1, 1)),
            (Cell { x: right - 1, y: below - 1 }, (1, 1)),
        ] {
            let to = from.shifted(step);
            if may_cross(from, to) && (self.corners || is_squeeze(grid, from, to, may_cross)) {
                found.push(Transition { from, to });
            }
        }
    }

    /// Adds the transitions over one side of a cluster to `found`. The side begins at the cell `(x, y)` and has
    /// `length` cells; `along` is the step to its next cell, `out` the step over the border. `squeezes` says whether a
    /// diagonal step may pass between two blocked cells.
    fn of_side(
        self,
        grid: &SquareGrid,
        ((x, y), length): ((u16, u16), u16),
        [along, out]: [(i32, i32); 2],
        squeezes: bool,
        may_cross: impl Fn(Cell, Cell) -> bool + Copy,
        found: &mut Vec<Transition>,
    ) {
        let cell = |i: u16| Cell { x: x + along.0 as u16 * i, y: y + along.1 as u16 * i };
        let (has_walls, has_one_ways) = (grid.extras() != Extras::Nothing, grid.has_one_ways());
        // Whether the border is crossed outwards and inwards.
        let crossed = |i: u16| {
            let (here, there) = (cell(i), cell(i).shifted(out));
            let is_free = grid.is_free(here) && grid.is_free(there);
            if !has_walls {
                return [is_free; 2];
            }
            let outwards = is_free && may_cross(here, there);
            [outwards, if has_one_ways { is_free && may_cross(there, here) } else { outwards }]
        };
        // A run is one where agents can walk along it on both sides.
        let is_joined = |i: u16| {
            if !has_walls {
                return true;
            }
            let sides = [[cell(i - 1), cell(i)], [cell(i - 1).shifted(out), cell(i).shifted(out)]];
            sides.into_iter().all(|[a, b]| may_cross(a, b) && (!has_one_ways || may_cross(b, a)))
        };
        let mut start = 0;
        while start < length {
            let way = crossed(start);
            if way == [false; 2] {
                start += 1;
                continue;
            }
            let mut end = start + 1;
            while end < length && crossed(end) == way && is_joined(end) {
                end += 1;
            }
            let picked = self.picks.of_run(start, end, length).filter(|_| way[0]);
            found.extend(picked.map(|i| Transition { from: cell(i), to: cell(i).shifted(out) }));
            start = end;
        }
        if squeezes {
            for i in 0..length {
                let from = cell(i);
                for sign in [-1, 1] {
                    let beside = i32::from(i) + sign;
                    let to = from.shifted((out.0 + sign * along.0, out.1 + sign * along.1));
                    if (0..i32::from(length)).contains(&beside)
                        && may_cross(from, to)
                        && is_squeeze(grid, from, to, may_cross)
                    {
                        found.push(Transition { from, to });
                    }
                }
            }
        }
    }
}

impl Picks {
    /// Returns the cells picked from the run `start..end` of a border of `length` cells.
    fn of_run(self, start: u16, end: u16, length: u16) -> impl Iterator<Item = u16> {
        let end = if self == Picks::Table2 && end == length && end > start + 1 { end - 1 } else { end };
        let width = end - start;
        let (single, margin) = match self {
            Picks::Hpa2004 | Picks::Spaced | Picks::Round => (6, 0),
            Picks::Table2 => (7, 0),
            Picks::Pra2017 => (5, if width > 6 { 2 } else { 0 }),
        };
        let (first, last, gaps) = if self == Picks::Round {
            let reach = if width < single { width } else { END };
            (roundest(start, start + reach), roundest(end - reach, end), 1)
        } else if width < single {
            let middle = start + if self == Picks::Table2 { (width - 1) / 2 } else { width / 2 };
            (middle, middle, 1)
        } else {
            (start + margin, end - 1 - margin, if self == Picks::Spaced { (width - 1).div_ceil(SPACING) } else { 1 })
        };
        let picks = if first == last { 0..=0 } else { 0..=gaps };
        picks.map(move |i| first + (last - first) * i / gaps)
    }
}

/// Returns the number from `least` to below `end` that a power of two divides which divides no other of them.
fn roundest(least: u16, end: u16) -> u16 {
    let last = end - 1;
    match least.checked_sub(1) {
        None => 0,
        Some(before) => last & !(u16::MAX >> 1 >> (before ^ last).leading_zeros()),
    }
}

/// Returns whether no straight steps beside a diagonal step join its ends: both cells there are blocked or behind walls.
fn is_squeeze(grid: &SquareGrid, from: Cell, to: Cell, may_cross: impl Fn(Cell, Cell) -> bool) -> bool {
    let around = [Cell { x: from.x, y: to.y }, Cell { x: to.x, y: from.y }];
    if grid.extras() == Extras::Nothing {
        return around.iter().all(|&cell| !grid.is_free(cell));
    }
    let is_way = |by: Cell| may_cross(from, by) && may_cross(by, to);
    !around.into_iter().any(is_way)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rules_pick_as_their_papers_say() {
        let picked = |rule: Picks, width: u16| rule.of_run(3, 3 + width, 30).map(|i| i - 3).collect::<Vec<_>>();
        assert_eq!(picked(Picks::Hpa2004, 1), [0]);
        assert_eq!(picked(Picks::Hpa2004, 5), [2]);
        assert_eq!(picked(Picks::Hpa2004, 6), [0, 5]);
        assert_eq!(picked(Picks::Hpa2004, 10), [0, 9]);
        assert_eq!(picked(Picks::Pra2017, 4), [2]);
        assert_eq!(picked(Picks::Pra2017, 5), [0, 4]);
        assert_eq!(picked(Picks::Pra2017, 6), [0, 5]);
        assert_eq!(picked(Picks::Pra2017, 10), [2, 7]);
        assert_eq!(picked(Picks::Spaced, 10), [0, 9]);
        assert_eq!(picked(Picks::Spaced, 25), [0, 12, 24]);
        assert_eq!(picked(Picks::Table2, 6), [2]);
        assert_eq!(picked(Picks::Table2, 7), [0, 6]);
        assert_eq!(Picks::Table2.of_run(0, 10, 10).collect::<Vec<_>>(), [0, 8]);
        assert_eq!(Picks::Table2.of_run(9, 10, 10).collect::<Vec<_>>(), [9]);
        assert_eq!(Picks::Round.of_run(3, 8, 20).collect::<Vec<_>>(), [4]);
        assert_eq!(Picks::Round.of_run(3, 15, 20).collect::<Vec<_>>(), [4, 12]);
    }

    #[test]
    fn the_roundest_number_is_the_one_that_the_greatest_power_of_two_divides() {
        for least in 0..70_u16 {
            for end in least + 1..70 {
                let zeros = |number: &u16| number.trailing_zeros();
                assert_eq!(Some(roundest(least, end)), (least..end).max_by_key(zeros), "{least} to {end}");
            }
        }
    }
}
