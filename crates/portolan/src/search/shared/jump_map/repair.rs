//! The repair of a jump map after edits, and the rows and columns whose rays the edits change.
//!
//! Not here: the repair of the leaps that follow these rays, which is the jump graph's.

use super::diagonals::Diagonals;
use super::rays::step;
use super::{JumpMap, Point, falling, skew_line};
use crate::space::Area;
use crate::space::square::SquareGrid;
use crate::space::square::moves::{E, N, NE, NW, S, SE, STEP, SW, W};

/// A part of a row or column that leads into the zone of an edit. All straight rays along it end at one cell.
pub(in crate::search) struct Shift {
    /// The index of the edit.
    pub(in crate::search) edit: usize,
    /// The last cell before the zone.
    pub(in crate::search) from: Point,
    pub(in crate::search) direction: u8,
    /// The jump point where the rays ended before the repair, if they ended at one.
    pub(in crate::search) before: Option<Point>,
    /// The jump point where the rays end after the repair, if they end at one.
    pub(in crate::search) after: Option<Point>,
}

impl Shift {
    /// Returns the cells from which a straight ray runs into the zone without a stop on the way: from the zone back to
    /// the nearest stop, which is included unless it is blocked.
    pub(in crate::search) fn cells(&self, map: &JumpMap, grid: &SquareGrid) -> Vec<Point> {
        let back = (self.direction + 4) % 8;
        let mut cells = Vec::new();
        let mut at = self.from;
        while grid.free_plane().get(at.0, at.1) {
            cells.push(at);
            if map.stops(at, self.direction) {
                break;
            }
            at = step(at, back, 1);
        }
        cells
    }

    /// Returns the two diagonal directions whose rays have branches in this straight direction.
    pub(in crate::search) fn diagonals(&self) -> [u8; 2] {
        [self.direction + 1, (self.direction + 7) % 8]
    }
}

/// The rectangle in which an edit can change stops: its area and one cell around it. Columns and rows count the rim;
/// the last ones, `right` and `bottom`, are included.
#[derive(Copy, Clone)]
pub(in crate::search) struct Zone {
    pub(in crate::search) left: usize,
    pub(in crate::search) top: usize,
    pub(in crate::search) right: usize,
    pub(in crate::search) bottom: usize,
}

impl Zone {
    /// Returns the zone of an edit of this area.
    pub(in crate::search) fn around(Area { x, y, width, height }: Area) -> Zone {
        let (left, top) = (usize::from(x), usize::from(y));
        Zone { left, top, right: left + usize::from(width) + 1, bottom: top + usize::from(height) + 1 }
    }

    /// Returns the part of the zone inside the rim.
    pub(in crate::search) fn clipped(self, grid: &SquareGrid) -> Zone {
        Zone {
            left: self.left.max(1),
            top: self.top.max(1),
            right: self.right.min(grid.width()),
            bottom: self.bottom.min(grid.height()),
        }
    }

    /// Extends the rectangle so that it contains this cell.
    pub(in crate::search) fn take_in(&mut self, (x, y): Point) {
        (self.left, self.right) = (self.left.min(x), self.right.max(x));
        (self.top, self.bottom) = (self.top.min(y), self.bottom.max(y));
    }
}

/// Converts a zone that lies inside the rim.
impl From<Zone> for Area {
    fn from(Zone { left, top, right, bottom }: Zone) -> Area {
        let (width, height) = (right - left + 1, bottom - top + 1);
        Area { x: left as u16 - 1, y: top as u16 - 1, width: width as u16, height: height as u16 }
    }
}

impl JumpMap {
    /// Repairs the map after edits of these areas. The edits are already in `grid`. Returns the rows and columns that
    /// lead into the zones of the edits and along which straight rays now end at another jump point, or end at a jump
    /// point only before or only after the edits.
    pub(in crate::search) fn repair(
        &mut self,
        grid: &SquareGrid,
        areas: impl Iterator<Item = Area> + Clone,
    ) -> Vec<Shift> {
        let zones = areas.clone().map(|area| Zone::around(area).clipped(grid)).enumerate();
        let mut shifts: Vec<Shift> = zones.flat_map(|(edit, zone)| self.entries(grid, edit, zone)).collect();
        let mut changed = Vec::new();
        for zone in areas.map(Zone::around) {
            if self.copy_terrain(grid, zone) {
                changed.push(zone);
            }
        }
        for &zone in &changed {
            self.rows.redo_stops(zone.top..=zone.bottom, zone.left, zone.right, self.gait);
            self.columns.redo_stops(zone.left..=zone.right, zone.top, zone.bottom, self.gait);
        }
        for &zone in &changed {
            self.redo_zone(grid, zone.clipped(grid));
        }
        shifts.retain_mut(|shift| {
            shift.after = self.straight_target(shift.from, shift.direction);
            shift.after != shift.before
        });
        for shift in &shifts {
            if shift.after.is_some() != shift.before.is_some() {
                self.redo_line(grid, shift);
            }
        }
        if let Some(first) = changed.iter().map(|zone| zone.top).min() {
            let last = changed.iter().map(|zone| zone.bottom).max().unwrap_or(first);
            self.numbers.recount(first, last);
        }
        shifts
    }

    /// Returns the rows and columns along which straight rays enter a zone, with the jump points where the rays end
    /// before the repair.
    fn entries(&self, grid: &SquareGrid, edit: usize, zone: Zone) -> impl Iterator<Item = Shift> {
        let Zone { left, top, right, bottom } = zone;
        let along_rows = (top..=bottom).flat_map(move |y| [((left - 1, y), E), ((right + 1, y), W)]);
        let along_columns = (left..=right).flat_map(move |x| [((x, top - 1), S), ((x, bottom + 1), N)]);
        let lines = along_rows.chain(along_columns).filter(|&((x, y), _)| grid.free_plane().get(x, y));
        lines.map(move |(from, direction)| {
            let before = self.straight_target(from, direction);
            Shift { edit, from, direction, before, after: before }
        })
    }

    /// Copies from the grid which cells inside the zone, without its outermost cells, are free. Returns whether any
    /// changed.
    fn copy_terrain(&mut self, grid: &SquareGrid, zone: Zone) -> bool {
        let free = grid.free_plane();
        let mut changed = false;
        for y in zone.top + 1..zone.bottom {
            for x in zone.left + 1..zone.right {
                let now = free.get(x, y);
                changed |= self.rows.set_free(y, x, now);
                self.columns.set_free(x, y, now);
            }
        }
        changed
    }

    /// Recomputes the stops of diagonal rays and the jump points in the zone.
    fn redo_zone(&mut self, grid: &SquareGrid, zone: Zone) {
        for y in zone.top..=zone.bottom {
            for x in zone.left..=zone.right {
                self.redo(grid, (x, y), &[NE, SE, SW, NW]);
                let jump = self.is_jump_point(grid, (x, y));
                self.numbers.set(x, y, jump);
            }
        }
    }

    /// Recomputes, for the cells of a row or column from the zone back to the nearest stop, whether diagonal rays stop
    /// there because a straight branch along it ends at a jump point.
    fn redo_line(&mut self, grid: &SquareGrid, shift: &Shift) {
        let diagonal = Diagonals { free: grid.free_plane(), gait: self.gait };
        for at in shift.cells(self, grid) {
            for direction in shift.diagonals() {
                let turns = shift.after.is_some() || diagonal.forced_at(direction, at);
                let skew = &mut self.skews[usize::from(direction) / 2];
                let line = skew_line(at.0, at.1, skew.rows, falling(direction));
                let word = &mut skew.words[line * skew.words_across + at.0 / 64];
                let bits = if matches!(shift.direction, E | W) { &mut word.beside } else { &mut word.above };
                *bits = *bits & !(1 << (at.0 % 64)) | u64::from(turns) << (at.0 % 64);
            }
        }
    }

    /// Recomputes the stops of diagonal rays in these directions at one cell.
    fn redo(&mut self, grid: &SquareGrid, (x, y): Point, directions: &[u8]) {
        for &direction in directions {
            let bits = self.diagonal_bits(grid, (x, y), direction);
            let skew = &mut self.skews[usize::from(direction) / 2];
            let line = skew_line(x, y, skew.rows, falling(direction));
            skew.set(x, line, bits);
        }
    }

    /// Computes the bits of a cell inside the rim for diagonal rays in this direction: `beside`, `above` and `legal` of
    /// [`super::SkewWord`].
    fn diagonal_bits(&self, grid: &SquareGrid, at: Point, direction: u8) -> [bool; 3] {
        let diagonal = Diagonals { free: grid.free_plane(), gait: self.gait };
        let (dx, dy) = STEP[usize::from(direction)];
        let beside = if dx > 0 { self.straight::<E>(at) } else { self.straight::<W>(at) };
        let above = if dy > 0 { self.straight::<S>(at) } else { self.straight::<N>(at) };
        let forced = diagonal.forced_at(direction, at);
        [forced || beside.1, forced || above.1, diagonal.legal_at(direction, at)]
    }

    fn is_jump_point(&self, grid: &SquareGrid, at: Point) -> bool {
        let diagonal = Diagonals { free: grid.free_plane(), gait: self.gait };
        let (x, y) = at;
        let straight = [true, false].iter().any(|&way| self.rows.is_stop(y, x, way) || self.columns.is_stop(x, y, way));
        grid.free_plane().get(x, y)
            && (straight || [NE, SE, SW, NW].iter().any(|&direction| diagonal.forced_at(direction, at)))
    }
}
