//! Repair of a jump graph after edits: finds the leaps that the edits can have changed, and redoes them.
//!
//! The *zone* of an edit is its area and one cell around it. Whether a cell stops a straight ray, whether a diagonal
//! step onto it is legal or forces a turn, and which moves from it are canonical depends only on the cell and its eight
//! neighbours. So none of this changes outside the zones. The leaps from a jump point are found by following its rays,
//! and straight branches off its diagonal rays. Such a ray runs as before the edit up to the first zone cell that it
//! reads. So these leaps have to be redone:
//!
//! - All leaps of jump points inside a zone. Edits create and remove jump points there, and change their rays.
//! - All leaps of jump points with a diagonal ray that reads a zone cell. These jump points lie behind the cells that
//!   are next to a zone, outside of it: back along the diagonal as far as steps are legal.
//! - The one leap of a straight ray or branch that runs into a zone, if the ray now ends at another jump point than
//!   before the edits, or ended at a jump point only before or only after them. All rays that enter a zone along one
//!   row or column in one direction end at one cell, so [`JumpMap::repair`] compares that cell before and after the
//!   edits once for all of them. If it changed, the rays in question begin, or branch off a diagonal ray, at the cells
//!   from the zone back to the nearest stop. So their jump points lie on these cells, or back along the diagonals
//!   through them. The cell of the branch also determines the position of the leap in the rows of the jump point.
//!
//! A straight ray can run through one zone into another. Its ends before and after are compared where it enters the
//! first zone, even if they lie in the second or beyond. If the second zone leads to it too, it gets its new end a
//! second time, which changes nothing. Jump points keep their numbers, so a leap that keeps its target needs no
//! repair. Where corners may be cut, a forced turn ends a diagonal ray, but the walk back from a zone ignores that: it
//! redoes some leaps without need and misses none.
//!
//! Not here: the repair of the bitmaps ([`JumpMap::repair`]), and landmarks, which edits void.

use super::leaps::{JumpPointEntry, LeapFinder, LeapGraph, Place, set_bits};
use crate::search::shared::jump_map::{JumpMap, Point, Shift, Zone, forces_turn, shear, step};
use crate::space::Area;
use crate::space::bits::BitPlane;
use crate::space::square::SquareGrid;
use crate::space::square::moves::{NE, NW, SE, SW};

/// The jump points whose diagonal rays are followed after at least one direction of arrival, by direction of the ray.
#[derive(Clone)]
pub(super) struct DiagonalStarts {
    /// One plane each for north-east, south-east, south-west and north-west, skewed like the planes of [`JumpMap`]: a
    /// bit is set where [`JumpPointEntry::followed`] has the direction.
    planes: [BitPlane; 4],
}

/// A set of jump points: those whose leaps are all to be redone.
struct Found {
    numbers: Vec<u32>,
    /// One bit for each number of the graph: whether it is in `numbers`.
    seen: Vec<u64>,
}

impl Found {
    fn has(&self, number: u32) -> bool {
        self.seen[number as usize / 64] >> (number % 64) & 1 == 1
    }

    fn add(&mut self, number: u32) {
        let (word, bit) = (&mut self.seen[number as usize / 64], 1 << (number % 64));
        if *word & bit == 0 {
            *word |= bit;
            self.numbers.push(number);
        }
    }
}

impl DiagonalStarts {
    pub(super) fn new(map: &JumpMap, leaps: &LeapGraph) -> DiagonalStarts {
        let (columns, rows) = map.size();
        let planes = [NE, SE, SW, NW].map(|direction| {
            let mut left = BitPlane::new(columns, rows);
            for spot in leaps.spots.iter().filter(|spot| spot.followed >> direction & 1 == 1) {
                left.set(usize::from(spot.at[0]), usize::from(spot.at[1]), true);
            }
            shear(&left, map.skew_line((0, 0), direction).1)
        });
        DiagonalStarts { planes }
    }

    /// Updates the bits of one cell.
    fn set(&mut self, map: &JumpMap, leaps: &LeapGraph, at: Point) {
        let followed = leaps.number(map, at).map_or(0, |number| leaps.spots[number as usize].followed);
        for direction in [NE, SE, SW, NW] {
            let (line, _) = map.skew_line(at, direction);
            self.planes[usize::from(direction) / 2].set(at.0, line, followed >> direction & 1 == 1);
        }
    }

    /// Visits the jump points whose diagonal ray in `direction` is followed and gets to the cell `at` by legal steps. A
    /// jump point at `at` itself is not visited.
    fn follow_back(&self, map: &JumpMap, leaps: &LeapGraph, at: Point, direction: u8, mut visit: impl FnMut(u32)) {
        let (low, high) = map.behind(at, direction);
        let (line, falling) = map.skew_line(at, direction);
        let plane = &self.planes[usize::from(direction) / 2];
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
            for x in set_bits(jumps).map(|bit| across * 64 + bit).filter(|&x| x != at.0) {
                let y = if falling { at.1 + x - at.0 } else { at.1 + at.0 - x };
                // Bits inside zones are updated at the end of a repair, so this cell may no longer be a jump point.
                leaps.number(map, (x, y)).into_iter().for_each(&mut visit);
            }
        }
    }

    pub(super) fn bytes(&self) -> usize {
        self.planes.iter().map(BitPlane::bytes).sum()
    }
}

/// A repair in progress: the jump map and the numbers of the jump points are up to date, the leaps not yet.
struct LeapRepair<'a> {
    grid: &'a SquareGrid,
    map: &'a JumpMap,
    leaps: &'a mut LeapGraph,
    diagonal_starts: &'a DiagonalStarts,
    /// The jump points whose leaps are all to be redone.
    found: Found,
    /// The numbers of jump points that the edits removed.
    gone: &'a [u32],
    /// By edit: a rectangle around its zone and the jump points whose leaps are redone because of it.
    redone: Vec<Zone>,
    /// Jump points and the ray of each that leads to one cell, as [`LeapRepair::change_leaps`] finds them.
    behind: Vec<(u32, u8)>,
}

/// Repairs `map`, `leaps` and `diagonal_starts` after edits of `areas`. The edits are already in `grid`. Returns a
/// rectangle for each area: it contains the zone of the edit and the jump points whose leaps were redone because of it.
pub(super) fn repair(
    grid: &SquareGrid,
    areas: &[Area],
    map: &mut JumpMap,
    leaps: &mut LeapGraph,
    diagonal_starts: &mut DiagonalStarts,
) -> Vec<Zone> {
    let shifts = map.repair(grid, areas.iter().copied());
    let zones: Vec<Zone> = areas.iter().map(|&area| Zone::around(area).clipped(grid)).collect();
    let words = grid.free_plane().words_across();
    let mut gone = Vec::new();
    for zone in &zones {
        (zone.top..=zone.bottom).for_each(|y| leaps.renumber(map, words, y, &mut gone));
    }
    let found = Found { numbers: Vec::new(), seen: vec![0; leaps.spots.len().div_ceil(64)] };
    let (redone, behind) = (zones.clone(), Vec::new());
    let mut repair = LeapRepair { grid, map, leaps, diagonal_starts, found, gone: &gone, redone, behind };
    for (edit, &zone) in zones.iter().enumerate() {
        repair.find(edit, zone);
    }
    for shift in &shifts {
        repair.change_leaps(shift);
    }
    let LeapRepair { found, redone, .. } = repair;
    let mut finder = LeapFinder::default();
    found.numbers.iter().for_each(|&number| leaps.weave(grid, map, number, &mut finder));
    zones.iter().flat_map(|&zone| cells(zone)).for_each(|at| diagonal_starts.set(map, leaps, at));
    leaps.release(&gone);
    leaps.tidy();
    redone
}

impl LeapRepair<'_> {
    /// Finds the jump points whose leaps are all to be redone because of one edit: those in its zone, and those with a
    /// diagonal ray that reads a zone cell.
    fn find(&mut self, edit: usize, zone: Zone) {
        let LeapRepair { grid, map, leaps, found, .. } = self;
        cells(zone).filter_map(|at| leaps.number(map, at)).for_each(|number| found.add(number));
        for direction in [NE, SE, SW, NW] {
            for at in cells(zone).map(|at| step(at, (direction + 4) % 8, 1)).filter(|&at| !holds(zone, at)) {
                if grid.free_plane().get(at.0, at.1) {
                    let (low, high) = map.behind(at, direction);
                    let behind = (0..=high - low).map(|steps| step(at, (direction + 4) % 8, steps));
                    for (at, number) in behind.filter_map(|at| Some((at, leaps.number(map, at)?))) {
                        found.add(number);
                        self.redone[edit].take_in(at);
                    }
                }
            }
        }
    }

    /// Gives the leaps along a row or column that leads into a zone their new end, or removes them.
    fn change_leaps(&mut self, shift: &Shift) {
        let LeapRepair { grid, map, leaps, diagonal_starts, found, gone, redone, behind } = self;
        let target = shift.after.map(|at| (at, leaps.number(map, at).expect("rays end at jump points")));
        let old = shift.before.and_then(|at| {
            let left = || gone.iter().copied().find(|&number| leaps.spots[number as usize].point() == at);
            leaps.number(map, at).or_else(left).map(|number| number << 3 | u32::from(shift.direction))
        });
        for turn in shift.cells(map, grid) {
            let straights = target.map_or(0, |(at, _)| turn.0.abs_diff(at.0) + turn.1.abs_diff(at.1));
            behind.extend(leaps.number(map, turn).map(|number| (number, shift.direction)));
            for diagonal in shift.diagonals() {
                diagonal_starts.follow_back(map, leaps, turn, diagonal, |number| behind.push((number, diagonal)));
            }
            for (number, ray) in behind.drain(..).filter(|&(number, _)| !found.has(number)) {
                let spot = leaps.spots[number as usize];
                let diagonals = usize::from(spot.at[0]).abs_diff(turn.0).min(usize::from(spot.at[1]).abs_diff(turn.1));
                if spot.followed >> ray & 1 == 0 || diagonals > 0 && !passes(grid, spot, turn, diagonals, ray) {
                    continue;
                }
                redone[shift.edit].take_in(spot.point());
                let edge = target.map(|(_, to)| leaps.edge_to(to, shift.direction, straights, diagonals));
                // Most often a leap only gets a new target. `exchange` finds it by its old target, which is faster than
                // `patch`: that works out where the other leaps of the row belong.
                let exchanged = old.zip(edge).is_some_and(|(old, edge)| leaps.exchange(number, old, edge));
                if !exchanged {
                    leaps.patch(grid, number, Place { ray, diagonals, direction: shift.direction }, edge);
                }
            }
        }
    }
}

/// Returns whether straight branches can leave the diagonal ray of `spot` at the cell `at`, which lies `steps` diagonal
/// steps away: the ray has to get there, and must not end there because of a forced turn.
fn passes(grid: &SquareGrid, spot: JumpPointEntry, at: Point, steps: usize, direction: u8) -> bool {
    let reach = usize::from(spot.reach[usize::from(direction) / 2]);
    let forced = || match direction {
        NE => forces_turn::<NE>(grid, at),
        SE => forces_turn::<SE>(grid, at),
        SW => forces_turn::<SW>(grid, at),
        _ => forces_turn::<NW>(grid, at),
    };
    steps < reach || steps == reach && !(grid.gait().cuts_corners() && forced())
}

fn cells(zone: Zone) -> impl Iterator<Item = Point> {
    (zone.top..=zone.bottom).flat_map(move |y| (zone.left..=zone.right).map(move |x| (x, y)))
}

fn holds(zone: Zone, (x, y): Point) -> bool {
    (zone.left..=zone.right).contains(&x) && (zone.top..=zone.bottom).contains(&y)
}

#[cfg(test)]
mod tests {
    use super::super::leaps::{Edge, for_each_jump};
    use super::*;
    use crate::generate::Random;
    use crate::space::{Corners, Edit, Rules, Terrain, World};

    /// The column and row where a leap ends, its direction of arrival, and its cost.
    type Leap = ([u16; 2], u32, u32);

    /// Returns all jump points and leaps in an order, and in terms, that do not depend on the numbers of jump points.
    fn spelled_out(map: &JumpMap, leaps: &LeapGraph, grid: &SquareGrid) -> Vec<(JumpPointEntry, Vec<Vec<Leap>>)> {
        let mut all = Vec::new();
        for_each_jump(map, |at| {
            let number = leaps.number(map, at).expect("a jump point");
            let leap = |edge: &Edge| (leaps.spots[(edge.to >> 3) as usize].at, edge.to & 7, edge.cost);
            let row = |arrival: u32| leaps.row(number << 3 | arrival).iter().map(leap).collect();
            let arrivals = (0..8).step_by(if grid.gait().cuts_corners() { 1 } else { 2 });
            all.push((leaps.spots[number as usize], arrivals.map(row).collect()));
        });
        all
    }

    #[test]
    fn a_mended_web_is_a_new_one() {
        for corners in Corners::NAMED.map(|(_, corners)| corners) {
            let mut random = Random::new(17);
            for round in 0..60 {
                let (width, height) = (1 + random.below(90) as usize, 1 + random.below(50) as usize);
                let blocked = random.below(45);
                let weights: Vec<u8> = (0..width * height).map(|_| u8::from(random.below(100) >= blocked)).collect();
                let rules = Rules { corners, ..Rules::default() };
                let mut world = World::from(SquareGrid::from_weights(width, height, &weights, rules).expect("sound"));
                let mut map = JumpMap::new(&world);
                let mut leaps = LeapGraph::new(&world, &map);
                let mut diagonal_starts = DiagonalStarts::new(&map, &leaps);
                for _ in 0..25 {
                    let mut area = || {
                        let (x, y) = (random.below(width as u64) as u16, random.below(height as u64) as u16);
                        let most = if round % 2 == 0 { 1 } else { 5 };
                        let room = |at: u16, side: usize| (side as u64 - u64::from(at)).min(most);
                        let (w, h) = (room(x, width), room(y, height));
                        Area { x, y, width: 1 + random.below(w) as u16, height: 1 + random.below(h) as u16 }
                    };
                    let areas = [area(), area(), area()];
                    let areas = &areas[..=random.below(3) as usize];
                    let edits: Vec<Edit> = areas
                        .iter()
                        .map(|&area| Edit::new(area, [Terrain::BLOCKED, Terrain::GROUND][random.below(2) as usize]))
                        .collect();
                    world.apply(&edits).expect("sound edits");
                    repair(&world, areas, &mut map, &mut leaps, &mut diagonal_starts);
                    let fresh = JumpMap::new(&world);
                    let anew = LeapGraph::new(&world, &fresh);
                    let (repaired, built) = (spelled_out(&map, &leaps, &world), spelled_out(&fresh, &anew, &world));
                    if let Some((old, new)) = repaired.iter().zip(&built).find(|(old, new)| old != new) {
                        panic!("{corners:?}, {width} x {height}: {old:?} should be {new:?} after {edits:?}");
                    }
                    assert_eq!(repaired.len(), built.len());
                    assert!(diagonal_starts.planes == DiagonalStarts::new(&fresh, &anew).planes);
                }
            }
        }
    }
}
