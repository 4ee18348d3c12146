//! What a mind sees from where it stands: along the six directions of the lattice, with the hexagons on both sides of each line, and
//! along the line to its goal, up to the range of its sight and to the first wall. Of a hexagon that it sees it also sees the steps from there.
//!
//! Not here: what follows from what is seen.

use super::beliefs::Beliefs;
use super::hexagons::{Hexagons, STEP};
use super::marks::Marks;

/// Looks around from a node: notes what is seen, and corrects what is believed of it.
pub(super) fn look(hexagons: &Hexagons, from: u32, range: u8, marks: &mut Marks, beliefs: &mut Beliefs) {
    for direction in 0..6 {
        let mut node = from;
        for _ in 0..range {
            if hexagons.open(node) >> direction & 1 == 0 {
                break;
            }
            node = hexagons.beside(node, direction);
            marks.see(node);
            beliefs.see(hexagons, node);
            for side in [direction + 1, direction + 5].map(|side| side % 6) {
                if hexagons.open(node) >> side & 1 == 1 {
                    let beside = hexagons.beside(node, side);
                    marks.see(beside);
                    beliefs.see(hexagons, beside);
                }
            }
        }
    }
}

/// Returns whether a straight line of steps leads from one node to another that is at most `range` steps away, and writes its nodes to
/// `line`, the last first and `from` left out.
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
