//! Code that several flat searches use: the loop of a best-first search ([`best_first`]) and its open lists
//! ([`open_list`]), tracing a route back to the start ([`trace`]) or along straight lines ([`lines`]), lower bounds from
//! landmarks ([`landmarks`]), the loop of Theta* ([`theta`]) with its ranges of angles ([`angles`]), and the stop bitmaps of
//! jump points ([`jump_map`]), and costs to many goals by one search ([`sweep`]).
//!
//! Not here: registry entries of algorithms.

mod angles;
pub(super) mod best_first;
pub(super) mod jump_map;
pub(super) mod landmarks;
pub(crate) mod lines;
pub(super) mod open_list;
pub(crate) mod sweep;
pub(super) mod theta;
pub(super) mod trace;
