//! Threads that share planners and a snapshot of a mesh give equal answers to equal queries, while another thread edits
//! the mesh.
//!
//! Not here: the comparison itself, which squares share.

use super::worlds::{draw, planners};
use crate::threads::agree;
use portolan::{MeshEdit, MeshPoint, NavMesh, World};

#[test]
fn threads_share_a_planner_and_agree() {
    let rows = "........................\n...#....#...##....#.....\n".repeat(10);
    let world = World::from(NavMesh::clone(&draw(&rows)));
    let places: Vec<MeshPoint> = (0..world.polygons() as u32).map(|polygon| world.centre(polygon)).collect();
    agree(world, planners, &places, |place, terrain| MeshEdit::new(place.polygon, terrain));
}
