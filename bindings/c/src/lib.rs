//! Portolan for C and C++: the functions that `include/portolan.h` declares.
//!
//! Worlds, planners, lazy routes and batches are handles: numbers that name an object on this side. A handle that was freed, or
//! is of another kind, is an error and not a crash. Every function returns a status; `portolan_last_error` has the words. No
//! panic crosses the border. Memory that C gives is read and written during the call alone, and none is handed over.
//!
//! What belongs here: translating between C's terms and the engine's. What does not: searching.
#![deny(unsafe_code)]

mod batch;
mod failure;
mod handles;
mod lazy;
mod planner;
mod pointers;
mod types;
mod world;

pub use batch::{
    PortolanBatch, portolan_batch_answers, portolan_batch_cells, portolan_batch_free, portolan_batch_size,
    portolan_find_many,
};
pub use failure::{PortolanStatus, portolan_last_error};
pub use lazy::{PortolanRoute, portolan_plan, portolan_route_free, portolan_route_next};
pub use planner::{
    PortolanPlanner, portolan_algorithm_count, portolan_algorithm_name, portolan_find, portolan_planner_free,
    portolan_planner_new, portolan_planner_open, portolan_planner_save, portolan_planner_sync,
};
pub use types::{
    PORTOLAN_CORNERS_LOOSE, PORTOLAN_CORNERS_NO_SQUEEZE, PORTOLAN_CORNERS_STRICT, PortolanAnswer, PortolanArea,
    PortolanCell, PortolanEdit, PortolanOutcome, PortolanQuery, PortolanRules, portolan_edit_border,
    portolan_edit_link, portolan_edit_terrain, portolan_edit_unlink, portolan_rules_default, portolan_version,
};
pub use world::{
    PortolanWorld, portolan_world_apply, portolan_world_connected, portolan_world_free, portolan_world_nearest,
    portolan_world_new, portolan_world_size, portolan_world_weights,
};
