//! Routes of straight lines at any angle, read from the parents of cells.
//!
//! Not here: which lines are legal and what they cost, which the square grid knows.

use crate::id::{Cell, NodeId};
use crate::method::{End, Task};
use crate::space::{Motion, Space};

/// Writes the cells where a route turns to `trail`, the goal first, and returns its cost. `parent` returns the node where
/// the last line to a node begins; the start is its own parent. Lines that lead on straight become one line.
pub(in crate::search) fn finish(task: Task, parent: impl Fn(NodeId) -> NodeId, trail: &mut Vec<Cell>) -> End {
    let (mut node, start) = (task.grid.node(task.to), task.grid.node(task.from));
    trail.push(task.to);
    while node != start {
        node = parent(node);
        push_turn(trail, task.grid.cell(node));
    }
    let mut cost = 0;
    for line in trail.windows(2) {
        match task.grid.segment(line[0], line[1], Motion::AnyAngle) {
            Some(price) => cost += u64::from(price.0),
            None => return End::NotFound,
        }
    }
    u32::try_from(cost).map_or(End::NotFound, End::Found)
}

/// Appends a cell to the cells where a route turns. If the route leads straight on at the last of them, the new cell takes
/// its place.
pub(crate) fn push_turn(turns: &mut Vec<Cell>, cell: Cell) {
    if let [.., a, b] = turns[..]
        && leads_straight_on(a, b, cell)
    {
        turns.pop();
    }
    turns.push(cell);
}

/// Returns whether the line from `a` to `b` and the line from `b` to `c` have the same direction.
fn leads_straight_on(a: Cell, b: Cell, c: Cell) -> bool {
    let between = |from: Cell, to: Cell| (i64::from(to.x) - i64::from(from.x), i64::from(to.y) - i64::from(from.y));
    let ((ax, ay), (bx, by)) = (between(a, b), between(b, c));
    ax * by == ay * bx && ax * bx + ay * by > 0
}
