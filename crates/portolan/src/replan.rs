//! Searches that stay alive: they keep what they found, learn of edits, and repair only what the edits changed. One file
//! for each algorithm, with its registry entry. Code that several of them use is in [`shared`].
//!
//! Not here: the handle by which one agent keeps such a search (`replanner.rs`), and searches that forget.

pub(crate) mod ad_star;
pub(crate) mod d_star;
pub(crate) mod d_star_lite;
pub(crate) mod field_d_star;
pub(crate) mod focused_d_star;
pub(crate) mod lpa_star;
mod shared;
