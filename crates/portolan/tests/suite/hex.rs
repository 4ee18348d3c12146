//! Everything that the engine promises about hexagonal worlds, tested on every algorithm that runs on them.
//!
//! Not here: the hexagonal grid as a data structure, whose tests are beside it in the engine.

mod cases;
mod edits;
mod golden;
mod lazy_routes;
mod many;
mod memory;
pub(crate) mod oracle;
mod queries;
mod random_worlds;
mod replan;
mod threads;
pub(crate) mod worlds;
