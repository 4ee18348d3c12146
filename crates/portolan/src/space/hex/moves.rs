//! The six steps from a hex, and which of them a canonical search needs to try: a lookup table for every state of the
//! six cells around a cell. A step between two free neighbours is always legal, so that there is no table for that.
//!
//! Canonical pruning keeps one of several walks of equal cost between two cells of a world of equal weights. The six
//! directions alternate between primary (even) and secondary (odd), and the kept walk takes its primary steps first. Let
//! a search arrive at a cell in direction `d` from the cell `p`:
//!
//! - The cells in directions `d + 2` and `d - 2` are neighbours of `p`, and a direct step there is cheaper. The cell in
//!   direction `d + 3` is `p` itself. All three are pruned.
//! - The cell in direction `d + 1` or `d - 1` is reached in two steps, `d` and `d + 1`, which may be swapped if the cell
//!   between them, in direction `d + 2` as seen from here, is free. The direction `d + 1` is pruned if `d` is secondary
//!   and the swap is possible, since the swapped walk takes the primary step first. It is kept otherwise.
//! - The cell in direction `d` is reached by no other walk of two steps and is kept.
//!
//! It suffices that a search keeps one direction of arrival for each cell. Proof: let `t` be one of the nearest cells
//! that are not reached at their least cost. A cheapest walk comes to `t` from a cell `v`, which is reached at its least
//! cost from some `p`, and prunes the step to `t`. So that step is primary, a secondary one led to `v`, and a walk of
//! equal cost leads from `p` to a cell `m` and from there, by a secondary step, to `t`. But after no arrival at `m` is a
//! secondary step pruned, except for a cheaper walk, and there is none.
//!
//! Not here: the cost of a step, and searches.

/// The six directions are numbered clockwise from east; rows grow downward.
pub(crate) const E: u8 = 0;
pub(crate) const SE: u8 = 1;
pub(crate) const SW: u8 = 2;
pub(crate) const W: u8 = 3;
pub(crate) const NW: u8 = 4;
pub(crate) const NE: u8 = 5;
/// The direction of arrival at the start of a search, where no step has led to the cell.
pub(crate) const NOWHERE: u8 = 6;

/// Change of `q` and of `r` by a step in each direction.
pub(crate) const STEP: [(i32, i32); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// The canonical steps from a cell, indexed by the direction of the step that arrived there ([`NOWHERE`] at the start)
/// and by the cell's free neighbours. In both bytes, bit `d` stands for direction `d`.
pub(crate) static CANONICAL: [[u8; 64]; 7] = {
    let mut table = [[0; 64]; 7];
    let mut around = 0;
    while around < 64 {
        let mut arrival = 0;
        while arrival < 6 {
            table[arrival][around] = canonical_moves(around as u8, arrival as u8);
            arrival += 1;
        }
        table[NOWHERE as usize][around] = around as u8;
        around += 1;
    }
    table
};

const fn canonical_moves(around: u8, arrival: u8) -> u8 {
    let ahead = around & 1 << arrival;
    ahead | turn(around, arrival, 1) | turn(around, arrival, 5)
}

/// Returns the bit of the direction `by` places clockwise from the arrival, if it is kept. `by` is 1, or 5 for one place
/// to the other side.
const fn turn(around: u8, arrival: u8, by: u8) -> u8 {
    let (aside, further) = ((arrival + by) % 6, (arrival + 2 * by) % 6);
    let kept = arrival.is_multiple_of(2) || around >> further & 1 == 0;
    if kept { around & 1 << aside } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bits(directions: &[u8]) -> u8 {
        directions.iter().fold(0, |bits, d| bits | 1 << d)
    }

    fn after(arrival: u8, free: &[u8]) -> u8 {
        CANONICAL[usize::from(arrival)][usize::from(bits(free))]
    }

    #[test]
    fn directions_go_round_once() {
        for d in 0..6 {
            let ((q, r), (left, right)) = (STEP[d], (STEP[(d + 5) % 6], STEP[(d + 1) % 6]));
            assert_eq!((left.0 + right.0, left.1 + right.1), (q, r), "a step is the sum of those beside it");
            assert_eq!(STEP[(d + 3) % 6], (-q, -r));
        }
    }

    #[test]
    fn open_ground_keeps_primary_steps_first() {
        let all = [E, SE, SW, W, NW, NE];
        assert_eq!(after(NOWHERE, &all), 63);
        assert_eq!(after(E, &all), bits(&[NE, E, SE]));
        assert_eq!(after(SW, &all), bits(&[SE, SW, W]));
        assert_eq!(after(NW, &all), bits(&[W, NW, NE]));
        for secondary in [SE, W, NE] {
            assert_eq!(after(secondary, &all), bits(&[secondary]));
        }
    }

    #[test]
    fn a_wall_behind_the_shoulder_forces_a_turn() {
        assert_eq!(after(SE, &[SE, SW, E, NW, NE]), bits(&[SE, SW]), "west is blocked: no swap on that side");
        assert_eq!(after(SE, &[SE, SW, E, NW, W]), bits(&[SE, E]), "north-east is blocked");
        assert_eq!(after(SE, &[SW, E, NW]), bits(&[SW, E]), "both are, and the way ahead");
        assert_eq!(after(E, &[E, SW, W, NW]), bits(&[E]), "a primary arrival needs no walls");
    }

    /// Compares the table with its definition: walks of two steps around the cell, for every state of the neighbours.
    #[test]
    fn a_step_is_pruned_exactly_if_a_walk_around_is_shorter_or_as_long_and_primary_first() {
        for around in 0..64u8 {
            let is_free =
                |at: (i32, i32)| STEP.iter().position(|&step| step == at).is_some_and(|d| around >> d & 1 == 1);
            for arrival in 0..6u8 {
                let (dq, dr) = STEP[usize::from(arrival)];
                let before = (-dq, -dr);
                if !is_free(before) {
                    continue;
                }
                for d in 0..6u8 {
                    let to = STEP[usize::from(d)];
                    let apart = (to.0 - before.0, to.1 - before.1);
                    let direct = apart == (0, 0) || STEP.contains(&apart);
                    let swapped = (before.0 + to.0, before.1 + to.1);
                    let primary_first = d.is_multiple_of(2) && !arrival.is_multiple_of(2) && is_free(swapped);
                    let kept = is_free(to) && !direct && !primary_first;
                    let table = CANONICAL[usize::from(arrival)][usize::from(around)];
                    assert_eq!(table >> d & 1 == 1, kept, "around {around:06b}, arrived by {arrival}, on by {d}");
                }
            }
        }
    }
}
