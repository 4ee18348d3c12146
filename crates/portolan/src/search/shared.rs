//! What several flat searches have in common: the loop of a best-first search ([`best_first`]), the way back to the start
//! ([`trace`]), landmarks, and the stop bitmaps of jump points ([`jump_map`]).

pub(super) mod best_first;
pub(super) mod jump_map;
pub(super) mod landmarks;
pub(super) mod trace;
