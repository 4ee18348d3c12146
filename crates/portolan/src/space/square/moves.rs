//! Which of the eight steps from a cell are legal, and which of the legal ones a canonical search needs to try: two
//! lookup tables, computed on first use from the corner rules for every state of the 3 × 3 cells around a cell.
//!
//! Canonical pruning keeps one of several walks of equal cost between two cells: the one that takes its diagonal steps
//! first or, with four directions, its vertical steps first. Let a search arrive at a cell from the cell `p`. A
//! neighbour `n` is pruned if a walk from `p` to `n` that avoids the cell is cheaper than the walk through it. After a
//! straight step (with four directions, a horizontal one) `n` is also pruned if both walks cost equally much. The
//! result is right for every [`crate::Metric`], since `straight <= diagonal <= 2 * straight`.
//!
//! Not here: the cost of a step, and searches.

use super::rules::{Corners, Directions};
use std::array;
use std::sync::LazyLock;

/// The eight directions are numbered clockwise from north; even numbers are straight, odd ones diagonal.
pub(crate) const N: u8 = 0;
pub(crate) const NE: u8 = 1;
pub(crate) const E: u8 = 2;
pub(crate) const SE: u8 = 3;
pub(crate) const S: u8 = 4;
pub(crate) const SW: u8 = 5;
pub(crate) const W: u8 = 6;
pub(crate) const NW: u8 = 7;
/// The direction of arrival at the start of a search, where no step has led to the cell.
pub(crate) const NOWHERE: u8 = 8;

/// Change of column and of row by a step in each direction.
pub(crate) const STEP: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// A rule for moving: four directions, or eight directions with one of the three [`Corners`] rules.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Gait {
    Four,
    Strict,
    NoSqueeze,
    Loose,
}

impl Gait {
    const ALL: [Gait; 4] = [Gait::Four, Gait::Strict, Gait::NoSqueeze, Gait::Loose];

    pub(crate) fn new(directions: Directions, corners: Corners) -> Gait {
        match (directions, corners) {
            (Directions::Four, _) => Gait::Four,
            (Directions::Eight, Corners::Strict) => Gait::Strict,
            (Directions::Eight, Corners::NoSqueeze) => Gait::NoSqueeze,
            (Directions::Eight, Corners::Loose) => Gait::Loose,
        }
    }

    /// Returns whether a diagonal step is legal when both cells beside it are blocked.
    pub(crate) fn joins_corners(self) -> bool {
        self == Gait::Loose
    }

    /// Returns whether a diagonal step is legal when one of the two cells beside it is blocked.
    pub(crate) fn cuts_corners(self) -> bool {
        matches!(self, Gait::NoSqueeze | Gait::Loose)
    }

    /// Returns the legal steps from a cell, indexed by its free neighbours. In both bytes, bit `d` stands for
    /// direction `d`.
    #[inline(always)]
    pub(crate) fn legal(self) -> &'static [u8; 256] {
        &LEGAL[self as usize]
    }

    /// Returns the canonical steps from a cell, indexed by the direction of the step that arrived there ([`NOWHERE`]
    /// at the start) and by the cell's free neighbours.
    #[inline(always)]
    pub(crate) fn canonical(self) -> &'static [[u8; 256]; 9] {
        &CANONICAL[self as usize]
    }
}

/// The tables that [`Gait::legal`] returns, by gait.
static LEGAL: LazyLock<[[u8; 256]; 4]> = LazyLock::new(|| {
    Gait::ALL.map(|gait| {
        array::from_fn(|around| {
            (0..8).filter(|&d| may_step(gait, around as u8, (0, 0), STEP[d])).fold(0, |moves, d| moves | 1 << d)
        })
    })
});

/// The tables that [`Gait::canonical`] returns, by gait.
static CANONICAL: LazyLock<[[[u8; 256]; 9]; 4]> = LazyLock::new(|| {
    Gait::ALL.map(|gait| {
        array::from_fn(|arrival| {
            if arrival == usize::from(NOWHERE) {
                LEGAL[gait as usize]
            } else {
                array::from_fn(|around| canonical_moves(gait, around as u8, arrival))
            }
        })
    })
});

/// Returns whether the cell at `at` is free, counted in columns and rows from the middle of the 3 × 3 cells. The
/// middle itself always is.
fn is_free(around: u8, at: (i32, i32)) -> bool {
    STEP.iter().position(|&step| step == at).is_none_or(|d| around >> d & 1 == 1)
}

/// Returns the direction of a step by `dx` columns and `dy` rows, or `None` if that is no step to a neighbour.
pub(super) fn direction_of((dx, dy): (i32, i32)) -> Option<usize> {
    const NONE: usize = 8;
    const BY_STEP: [[usize; 3]; 3] = {
        let mut table = [[NONE; 3]; 3];
        let mut direction = 0;
        while direction < STEP.len() {
            let (dx, dy) = STEP[direction];
            table[(dy + 1) as usize][(dx + 1) as usize] = direction;
            direction += 1;
        }
        table
    };
    let row = BY_STEP.get(usize::try_from(dy + 1).ok()?)?;
    row.get(usize::try_from(dx + 1).ok()?).copied().filter(|&direction| direction != NONE)
}

/// Returns whether a step between two of the 3 × 3 cells is legal.
fn may_step(gait: Gait, around: u8, from: (i32, i32), to: (i32, i32)) -> bool {
    let near = (from.0 - to.0).abs() <= 1 && (from.1 - to.1).abs() <= 1;
    if !near || !is_free(around, from) || !is_free(around, to) {
        return false;
    }
    if from.0 == to.0 || from.1 == to.1 {
        return true;
    }
    let sides = u8::from(is_free(around, (from.0, to.1))) + u8::from(is_free(around, (to.0, from.1)));
    match gait {
        Gait::Four => false,
        Gait::Strict => sides == 2,
        Gait::NoSqueeze => sides >= 1,
        Gait::Loose => true,
    }
}

fn canonical_moves(gait: Gait, around: u8, arrival: usize) -> u8 {
    let from = (-STEP[arrival].0, -STEP[arrival].1);
    if !may_step(gait, around, from, (0, 0)) {
        return 0; // no legal step arrives from this direction
    }
    let primary = if gait == Gait::Four { arrival.is_multiple_of(4) } else { !arrival.is_multiple_of(2) };
    let kept = |d: &usize| {
        let to = STEP[*d];
        if to == from || !may_step(gait, around, (0, 0), to) {
            return false;
        }
        let through = price((0, 0), STEP[arrival]) + price((0, 0), to);
        let round = way_round(gait, around, from, to);
        round > through || (primary && round == through)
    };
    (0..8).filter(kept).fold(0, |moves, d| moves | 1 << d)
}

/// Returns the cost of a step in a metric that stands for all others: for any `straight <= diagonal <= 2 * straight`,
/// walks of one or two steps keep the order they have here, or become equal.
fn price(from: (i32, i32), to: (i32, i32)) -> u32 {
    if from.0 == to.0 || from.1 == to.1 { 5 } else { 7 }
}

/// Returns the cost of the cheapest walk of one or two steps that avoids the middle, `u32::MAX` if there is none.
/// Longer walks need not be tried: three steps cost at least 15, two steps through the middle at most 14.
fn way_round(gait: Gait, around: u8, from: (i32, i32), to: (i32, i32)) -> u32 {
    let direct = may_step(gait, around, from, to).then(|| price(from, to));
    let by_way_of = STEP.iter().filter_map(|&via| {
        let legal = via != from && via != to && may_step(gait, around, from, via) && may_step(gait, around, via, to);
        legal.then(|| price(from, via) + price(via, to))
    });
    direct.into_iter().chain(by_way_of).min().unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(free: &[u8]) -> usize {
        free.iter().fold(0, |bits, d| bits | 1 << d)
    }

    fn bits(directions: &[u8]) -> u8 {
        around(directions) as u8
    }

    #[test]
    fn open_ground_keeps_natural_neighbours_only() {
        for gait in [Gait::Strict, Gait::NoSqueeze, Gait::Loose] {
            let table = gait.canonical();
            assert_eq!(table[E as usize][255], bits(&[E]));
            assert_eq!(table[NE as usize][255], bits(&[N, NE, E]));
            assert_eq!(table[NOWHERE as usize][255], 255);
        }
        let four = Gait::Four.canonical();
        assert_eq!(four[E as usize][255], bits(&[E]));
        assert_eq!(four[N as usize][255], bits(&[W, N, E]));
    }

    #[test]
    fn a_wall_behind_the_shoulder_forces_a_turn_under_strict_corners() {
        let open_but_north_west = 255 & !(1 << NW) as usize;
        assert_eq!(Gait::Strict.canonical()[E as usize][open_but_north_west], bits(&[N, NE, E]));
        assert_eq!(Gait::Loose.canonical()[E as usize][open_but_north_west], bits(&[E]));
    }

    #[test]
    fn a_wall_beside_forces_the_corner_where_corners_may_be_cut() {
        let open_but_north = 255 & !(1 << N) as usize;
        assert_eq!(Gait::Loose.canonical()[E as usize][open_but_north], bits(&[NE, E]));
        assert_eq!(Gait::NoSqueeze.canonical()[E as usize][open_but_north], bits(&[NE, E]));
        let squeezed = open_but_north & !(1 << E) as usize;
        assert_eq!(Gait::Loose.canonical()[E as usize][squeezed], bits(&[NE]));
        assert_eq!(Gait::NoSqueeze.canonical()[E as usize][squeezed], 0);
        assert_eq!(Gait::Strict.canonical()[E as usize][squeezed], 0);
    }

    #[test]
    fn corner_rules_differ_only_in_diagonals() {
        let just_north_east = around(&[N, NE]);
        assert_eq!(Gait::Strict.legal()[just_north_east], bits(&[N]));
        assert_eq!(Gait::NoSqueeze.legal()[just_north_east], bits(&[N, NE]));
        assert_eq!(Gait::Loose.legal()[around(&[NE])], bits(&[NE]));
        assert_eq!(Gait::NoSqueeze.legal()[around(&[NE])], 0);
        assert_eq!(Gait::Four.legal()[255], bits(&[N, E, S, W]));
    }
}
