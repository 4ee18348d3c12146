//! Threads that share planners and a snapshot of a hexagonal world give equal answers to equal queries, while another
//! thread edits the world.
//!
//! Not here: the comparison itself, which squares share.

use super::worlds::{made, planners};
use crate::threads::agree;
use portolan::{Edit, HexCell, World};

#[test]
fn threads_share_a_planner_and_agree() {
    let world = World::from(made("caves", (120, 90), 1));
    let free: Vec<HexCell> = world.cells().filter(|&cell| world.is_free(cell)).collect();
    agree(world, planners, &free, |place, terrain| Edit::new(place.cell().expect("it lies on the grid"), terrain));
}
