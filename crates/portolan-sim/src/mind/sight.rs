//! What a mind sees from where it stands, up to the range of its sight and to the first wall. On its way it sees along the six directions
//! of the lattice, with the hexagons on both sides of each line; where it stops to think it looks all around. It always looks along
//! the line to its goal. Of a hexagon that it sees it also sees the steps from there.
//!
//! Not here: what follows from what is seen.

use super::beliefs::Beliefs;
use super::frontier::Frontier;
use super::hexagons::{Hexagons, STEP, opposite};
use super::marks::Marks;

/// What a mind has seen on its walk, to which sight adds.
#[derive(Clone, Default, Debug)]
pub(super) struct Seen {
    pub(super) marks: Marks,
    pub(super) frontier: Frontier,
}

impl Seen {
    /// Notes a node as seen, and corrects what is believed of it.
    #[inline]
    pub(super) fn see(&mut self, hexagons: &Hexagons, node: u32, beliefs: &mut Beliefs) {
        if self.marks.see(node) {
            self.frontier.note(node);
        }
        beliefs.see(hexagons, node);
    }
}

/// Looks along the six directions from a node. A mind that came in one of them has looked along its line a step before, but for the end
/// ahead.
pub(super) fn look(
    hexagons: &Hexagons,
    from: u32,
    came: Option<usize>,
    range: u8,
    seen: &mut Seen,
    beliefs: &mut Beliefs,
) {
    let behind = came.map(opposite);
    for direction in (0..6).filter(|&direction| Some(direction) != behind) {
        let first_new = if came == Some(direction) { range - range.min(1) } else { 0 };
        let mut node = from;
        for distance in 0..range {
            if hexagons.open(node) >> direction & 1 == 0 {
                break;
            }
            node = hexagons.beside(node, direction);
            if distance < first_new {
                continue;
            }
            seen.see(hexagons, node, beliefs);
            for side in [direction + 1, direction + 5].map(|side| side % 6) {
                if hexagons.open(node) >> side & 1 == 1 {
                    seen.see(hexagons, hexagons.beside(node, side), beliefs);
                }
            }
        }
    }
}

/// How many rays are cast into each sixth of the ground.
const RAYS: usize = 64;

/// The farthest ring that rays are cast to.
const RINGS: usize = 64;

/// The rays that cross each place of each ring of a sixth, a bit each. Ray `b` crosses ring `k` at place `k (2b + 1) / (2 RAYS)`, rounded.
static RAYS_BY_PLACE: [[u64; RINGS + 1]; RINGS + 1] = rays_by_place();

#[expect(clippy::large_stack_arrays, reason = "it is worked out by the compiler")]
const fn rays_by_place() -> [[u64; RINGS + 1]; RINGS + 1] {
    let mut table = [[0; RINGS + 1]; RINGS + 1];
    let mut ring = 0;
    while ring <= RINGS {
        let mut ray = 0;
        while ray < RAYS {
            table[ring][(ring * (2 * ray + 1) + RAYS) / (2 * RAYS)] |= 1 << ray;
            ray += 1;
        }
        ring += 1;
    }
    table
}

/// Looks all around from a node along straight rays, each up to the first step that is not there. All rays into a sixth of the ground go
/// from ring to ring together.
pub(super) fn look_around(hexagons: &Hexagons, from: u32, range: u8, seen: &mut Seen, beliefs: &mut Beliefs) {
    for direction in 0..6 {
        // The node at each place of a ring with the rays that arrive there.
        let mut ring = [(from, 0_u64); RINGS + 2];
        ring[0].1 = u64::MAX;
        for distance in 1..=usize::from(range).min(RINGS) {
            let (mut arrived, mut left) = (0, (from, 0));
            for (place, &crossing) in RAYS_BY_PLACE[distance][..=distance].iter().enumerate() {
                let before = ring[place];
                let ahead = step(hexagons, before, direction, crossing);
                let turned = step(hexagons, left, (direction + 1) % 6, crossing);
                let (node, mut rays) = if ahead.1 == 0 { turned } else { ahead };
                if turned.0 == node {
                    rays |= turned.1;
                }
                if rays != 0 {
                    seen.see(hexagons, node, beliefs);
                    arrived |= rays;
                }
                left = before;
                ring[place] = (node, rays);
            }
            ring[distance + 1] = (from, 0);
            if arrived == 0 {
                break;
            }
        }
    }
}

/// Returns the node that a step leads to from a node, with those of the rays there that go this way; none if there is no step.
#[inline]
fn step(hexagons: &Hexagons, (node, rays): (u32, u64), direction: usize, crossing: u64) -> (u32, u64) {
    let rays = rays & crossing;
    if rays != 0 && hexagons.open(node) >> direction & 1 == 1 {
        (hexagons.beside(node, direction), rays)
    } else {
        (node, 0)
    }
}

/// Returns whether the line in a direction ends within the range of sight, and nothing beside it is unseen.
pub(super) fn is_seen_to_end(hexagons: &Hexagons, from: u32, direction: usize, range: u8, marks: &Marks) -> bool {
    let mut node = from;
    for _ in 0..range {
        if hexagons.open(node) >> direction & 1 == 0 {
            return true;
        }
        node = hexagons.beside(node, direction);
        if !marks.is_seen(node) || hexagons.steps(node).any(|(_, beside)| !marks.is_seen(beside)) {
            return false;
        }
    }
    false
}

/// Returns whether a straight line of steps leads from one node to another that is at most `range` steps away, and writes its nodes to
/// `line`, the last first and `from` left out; where there is none, those up to the wall.
pub(super) fn line(hexagons: &Hexagons, from: u32, to: u32, range: u32, line: &mut Vec<u32>) -> bool {
    line.clear();
    let steps = hexagons.distance(from, to);
    if steps == 0 || steps > range {
        return false;
    }
    let (from_hexagon, to_hexagon) = (hexagons.hexagon(from), hexagons.hexagon(to));
    let ahead = (i32::from(to_hexagon.q - from_hexagon.q), i32::from(to_hexagon.r - from_hexagon.r));
    let (direction, turned) = sector(ahead);
    let mut node = from;
    // Steps in two neighbouring directions, as evenly mixed as they can be.
    for step in 0..steps {
        let is_turned = (step + 1) * turned / steps > step * turned / steps;
        let direction = if is_turned { (direction + 1) % 6 } else { direction };
        if hexagons.open(node) >> direction & 1 == 0 {
            return false;
        }
        node = hexagons.beside(node, direction);
        line.push(node);
    }
    line.reverse();
    node == to
}

/// Returns the direction to a hexagon and how many of the steps there lead in the next direction clockwise instead.
fn sector((q, r): (i32, i32)) -> (usize, u32) {
    for (direction, &(q1, r1)) in STEP.iter().enumerate() {
        let (q2, r2) = STEP[(direction + 1) % 6];
        let [q1, r1, q2, r2] = [q1, r1, q2, r2].map(i32::from);
        // The two steps span the plane, with a determinant of 1.
        let (first, second) = (q * r2 - r * q2, q1 * r - r1 * q);
        if first > 0 && second >= 0 {
            return (direction, second as u32);
        }
    }
    (0, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::mind::Lattice;
    use portolan::{HexCell, HexGrid};

    #[test]
    fn lines_on_open_ground_lead_to_every_hexagon_in_range() {
        let grid = HexGrid::open(31, 31, None).unwrap();
        let lattice = Lattice::new(&grid, None).unwrap();
        let from = lattice.node(&grid, HexCell::at(15, 15)).unwrap();
        let mut seen = Vec::new();
        for to in 0..lattice.nodes() as u32 {
            let distance = lattice.distance(from, to);
            let is_seen = line(&lattice, from, to, 12, &mut seen);
            assert_eq!(is_seen, (1..=12).contains(&distance), "to {}", lattice.hexagon(to));
            assert!(!is_seen || seen.len() == distance as usize && seen[0] == to);
        }
    }
}
