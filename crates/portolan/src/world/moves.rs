//! Which of the eight moves a cell allows, and which of those a canonical search needs to look at: two lookup
//! tables, worked out on first use from the corner rules by looking at the 3 × 3 cells around.
//!
//! Canonical pruning keeps one representative of all equally short ways (diagonals first; with four directions,
//! verticals first). Arriving at a cell from `p`, a neighbour `n` is dropped when `p` reaches `n` around the
//! cell without loss; a tie is enough after a secondary (straight) move, a diagonal must lose strictly.
//! The comparison holds for every [`crate::Metric`], since `straight <= diagonal <= 2 * straight`.

use super::{Corners, Directions};
use std::array;
use std::sync::LazyLock;

/// Directions clockwise from north; even ones are straight.
pub(crate) const N: u8 = 0;
pub(crate) const NE: u8 = 1;
pub(crate) const E: u8 = 2;
pub(crate) const SE: u8 = 3;
pub(crate) const S: u8 = 4;
pub(crate) const SW: u8 = 5;
pub(crate) const W: u8 = 6;
pub(crate) const NW: u8 = 7;
/// Stands for "no arrival direction": the start of a search.
pub(crate) const NOWHERE: u8 = 8;

/// Columns and rows that a step in each direction crosses.
pub(crate) const STEP: [(i32, i32); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

/// One of the four ways to move that corner rules and direction counts make.
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

    /// Whether two cells that touch only at a corner can be neighbours with both side cells blocked.
    pub(crate) fn joins_corners(self) -> bool {
        self == Gait::Loose
    }

    /// Whether a diagonal step may pass a blocked cell.
    pub(crate) fn cuts_corners(self) -> bool {
        matches!(self, Gait::NoSqueeze | Gait::Loose)
    }

    /// Legal moves by the free neighbours around a cell (bit `d` = the neighbour in direction `d` is free).
    #[inline(always)]
    pub(crate) fn legal(self) -> &'static [u8; 256] {
        &LEGAL[self as usize]
    }

    /// Canonical moves by the direction of arrival ([`NOWHERE`] for a start) and the free neighbours around.
    #[inline(always)]
    pub(crate) fn canonical(self) -> &'static [[u8; 256]; 9] {
        &CANONICAL[self as usize]
    }
}

/// By gait and free neighbours.
static LEGAL: LazyLock<[[u8; 256]; 4]> = LazyLock::new(|| {
    Gait::ALL.map(|gait| {
        array::from_fn(|around| {
            (0..8).filter(|&d| may_step(gait, around as u8, (0, 0), STEP[d])).fold(0, |moves, d| moves | 1 << d)
        })
    })
});

/// By gait, direction of arrival and free neighbours.
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

/// Whether the cell at `at`, within one step of the middle, is free; the middle itself always is.
fn is_free(around: u8, at: (i32, i32)) -> bool {
    STEP.iter().position(|&step| step == at).is_none_or(|d| around >> d & 1 == 1)
}

/// Whether a step between two cells of the 3 × 3 is legal.
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
        return 0; // nobody arrives this way
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

/// Any prices between 1:1 and 1:2 order one- and two-step ways alike.
fn price(from: (i32, i32), to: (i32, i32)) -> u32 {
    if from.0 == to.0 || from.1 == to.1 { 5 } else { 7 }
}

/// The cheapest way around the middle in one or two steps; three would be dearer than going through.
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
