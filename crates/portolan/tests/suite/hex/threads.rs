//! Threads that share planners and a snapshot of a hexagonal world give equal answers to equal queries, while another
//! thread edits the world.
//!
//! Not here: the comparison itself, which squares share.

use super::worlds::{made, planners};
use crate::threads::agree;
use portolan::{Cell, HexCell, World};

#[test]
fn threads_share_a_planner_and_agree() {
    let world = World::from(made("caves", (120, 90), 1));
    let place = |cell: HexCell| (cell, cell.cell().expect("it lies on the grid"));
    let free: Vec<(HexCell, Cell)> = world.cells().filter(|&cell| world.is_free(cell)).map(place).collect();
    agree(world, planners, &free);
}
