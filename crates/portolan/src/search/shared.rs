//! Code that several flat searches use: the loop of a best-first search ([`best_first`]) and its open lists
//! ([`open_list`]), tracing a route back to the start ([`trace`]), lower bounds from landmarks ([`landmarks`]), and the
//! stop bitmaps of jump points ([`jump_map`]).
//!
//! Not here: registry entries of algorithms.

pub(super) mod best_first;
pub(super) mod jump_map;
pub(super) mod landmarks;
pub(super) mod open_list;
pub(super) mod trace;
