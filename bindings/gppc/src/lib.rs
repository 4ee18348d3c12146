//! Portolan as an entry to the dynamic track of the Grid-Based Path Planning Competition.
//!
//! The competition's harness loads `libGPPCentry.so` and calls the C functions in `ffi`. By default the answers are
//! exact, from a jump graph until the map changes and from jump points after that. The environment variable
//! `PORTOLAN_GPPC` can name another algorithm, such as `rhumb` for near-optimal answers: see `choice`.
//!
//! What belongs here: translating between the competition's terms and the engine's. What does not: searching.
#![deny(unsafe_code)]
#![allow(non_snake_case, reason = "the harness loads the library by this name")]

mod choice;
mod entry;
#[allow(unsafe_code, reason = "C hands over pointers")]
mod ffi;
mod patch;
