//! Which leaps an edit can change, and redoing those.
//!
//! Call an edit's area and one cell around its *zone*. Whether a cell stops a straight ray, whether a diagonal step onto
//! it is legal or forces a turn, and which ways on are canonical, all follow from the cell and its eight neighbours, so
//! that outside all zones none of this changes. The leaps from a jump point are found by following rays and, off the
//! diagonal ones, straight branches. Such a ray runs as it did before up to the first zone cell that it reads. So what
//! has to be redone is:
//!
//! - jump points inside a zone, which come, go, or have other rays;
//! - jump points whose diagonal ray reads a zone cell: from every cell outside, next to a zone, back along the
//!   diagonal as far as steps are legal;
//! - jump points whose straight ray or branch runs into a zone and now ends at another jump point than before, or
//!   at one where before it did not. All rays that enter a zone along the same line in the same direction end at
//!   the same cell, so one look before the edit and one after settle the question for all of them. If the answer changed,
//!   every cell from there back to the nearest stop is where such a ray begins or a branch leaves a diagonal ray, and
//!   the jump points in question lie on these cells or back along the diagonals through them.
//!
//! A ray that runs through one zone into another is found at the first of the two, where what it ends at is compared,
//! wherever that is. Numbers are stable, so a leap whose target stays need not be touched. Rays ended early by a forced
//! turn are followed back beyond it, which redoes more than needed and nothing less.

use super::super::jump_map::{JumpMap, Point, Zone, shear, step};
use super::web::{Loom, Web, set_bits};
use crate::world::Area;
use crate::world::bits::BitPlane;
use crate::world::moves::{E, N, NE, NW, S, SE, STEP, SW, W};
use crate::world::square::SquareGrid;

/// Jump points along diagonals: as they lie in [`JumpMap`]'s skewed planes, rising and falling.
#[derive(Clone)]
pub(super) struct Slants {
    planes: [BitPlane; 2],
}

/// A line by which rays enter a zone.
struct Entry {
    /// The last cell before it.
    from: Point,
    direction: u8,
    /// The jump point where such a ray ended before.
    target: Option<Point>,
}

/// Jump points to redo.
struct Found {
    numbers: Vec<u32>,
    /// A bit a number.
    seen: Vec<u64>,
}

impl Found {
    fn add(&mut self, number: u32) {
        let (word, bit) = (&mut self.seen[number as usize / 64], 1 << (number % 64));
        if *word & bit == 0 {
            *word |= bit;
            self.numbers.push(number);
        }
    }
}

impl Slants {
    pub(super) fn new(grid: &SquareGrid, map: &JumpMap) -> Slants {
        let mut jumps = BitPlane::new(grid.width() + 2, grid.height() + 2);
        for y in 0..jumps.rows() {
            for across in 0..jumps.words_across() {
                *jumps.word_mut(across, y) = map.jumps(across, y);
            }
        }
        Slants { planes: [false, true].map(|falling| shear(&jumps, falling)) }
    }

    fn set(&mut self, map: &JumpMap, at: Point) {
        for direction in [NE, SE] {
            let (line, falling) = map.skew_line(at, direction);
            self.planes[usize::from(falling)].set(at.0, line, map.rank_in_row(at).is_some());
        }
    }

    /// Adds the jump points from which a diagonal ray gets to this cell, itself included.
    fn follow_back(&self, map: &JumpMap, web: &Web, at: Point, direction: u8, found: &mut Found) {
        let (low, high) = map.behind(at, direction);
        let (line, falling) = map.skew_line(at, direction);
        let plane = &self.planes[usize::from(falling)];
        for across in low / 64..=high / 64 {
            let mut jumps = plane.word(across, line);
            if jumps == 0 {
                continue;
            }
            if across == low / 64 {
                jumps &= u64::MAX << (low % 64);
            }
            if across == high / 64 {
                jumps &= u64::MAX >> (63 - high % 64);
            }
            for x in set_bits(jumps).map(|bit| across * 64 + bit) {
                let y = if falling { at.1 + x - at.0 } else { at.1 + at.0 - x };
                found.add(web.number(map, (x, y)).expect("a bit a jump point"));
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.planes.iter().map(BitPlane::bytes).sum()
    }
}

/// Follows edits to these areas that `grid` has already seen.
pub(super) fn mend(grid: &SquareGrid, areas: &[Area], map: &mut JumpMap, web: &mut Web, slants: &mut Slants) {
    let zones: Vec<Zone> = areas.iter().map(|&area| Zone::around(area).clipped(grid)).collect();
    let entries: Vec<Entry> = zones.iter().flat_map(|&zone| entries(grid, map, zone)).collect();
    map.repair(grid, areas.iter().copied());
    let words = grid.free_plane().words_across();
    for zone in &zones {
        (zone.top..=zone.bottom).for_each(|y| web.renumber(map, words, y));
    }
    for zone in &zones {
        cells(*zone).for_each(|at| slants.set(map, at));
    }
    let mut found = Found { numbers: Vec::new(), seen: vec![0; web.spots.len().div_ceil(64)] };
    for &zone in &zones {
        cells(zone).filter_map(|at| web.number(map, at)).for_each(|number| found.add(number));
        for direction in [NE, SE, SW, NW] {
            for at in cells(zone).map(|at| step(at, (direction + 4) % 8, 1)).filter(|&at| !holds(zone, at)) {
                if grid.free_plane().get(at.0, at.1) {
                    slants.follow_back(map, web, at, direction, &mut found);
                }
            }
        }
    }
    for entry in entries.iter().filter(|entry| map.straight_target(entry.from, entry.direction) != entry.target) {
        let (dx, dy) = STEP[usize::from(entry.direction)];
        let mut at = entry.from;
        while grid.free_plane().get(at.0, at.1) {
            // Both diagonals that have this straight move for a part; they find the cell itself too.
            slants.follow_back(map, web, at, entry.direction + 1, &mut found);
            slants.follow_back(map, web, at, (entry.direction + 7) % 8, &mut found);
            if map.stops(at, entry.direction) {
                break;
            }
            at = (at.0.wrapping_add_signed(-dx as isize), at.1.wrapping_add_signed(-dy as isize));
        }
    }
    let mut loom = Loom::default();
    found.numbers.iter().for_each(|&number| web.weave(grid, map, number, &mut loom));
    web.tidy();
}

fn entries(grid: &SquareGrid, map: &JumpMap, zone: Zone) -> impl Iterator<Item = Entry> {
    let Zone { left, top, right, bottom } = zone;
    let along_rows = (top..=bottom).flat_map(move |y| [((left - 1, y), E), ((right + 1, y), W)]);
    let along_columns = (left..=right).flat_map(move |x| [((x, top - 1), S), ((x, bottom + 1), N)]);
    let lines = along_rows.chain(along_columns).filter(|&((x, y), _)| grid.free_plane().get(x, y));
    lines.map(|(from, direction)| Entry { from, direction, target: map.straight_target(from, direction) })
}

fn cells(zone: Zone) -> impl Iterator<Item = Point> {
    (zone.top..=zone.bottom).flat_map(move |y| (zone.left..=zone.right).map(move |x| (x, y)))
}

fn holds(zone: Zone, (x, y): Point) -> bool {
    (zone.left..=zone.right).contains(&x) && (zone.top..=zone.bottom).contains(&y)
}
