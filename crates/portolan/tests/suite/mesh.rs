//! Everything that the engine promises about navigation meshes, tested on every algorithm that runs on them.
//!
//! Not here: the mesh as a data structure, whose tests are beside it in the engine.

mod cases;
mod edits;
mod fields;
mod golden;
mod lazy_routes;
mod many;
mod memory;
mod oracle;
mod queries;
mod random_worlds;
mod replan;
mod saved;
mod sight;
mod threads;
pub(crate) mod worlds;
