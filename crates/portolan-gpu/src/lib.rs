//! Routes for many agents at once on a graphics processor.
//!
//! [`Gpu`] is a processor, and [`BatchRouter`] answers batches of queries on it from the rhumb chart of a navigation
//! mesh. The answers are those of [`portolan::Planner::find_many`], byte by byte. [`DeviceCrowd`] lets a crowd walk there as
//! [`portolan_sim::crowd::flat::FlatCrowd`] does, byte by byte too.
//!
//! Not here: building and repairing charts, and searches on the CPU.

#![doc = include_str!("example.md")]
#![forbid(unsafe_code)]

mod chart;
mod crowd;
mod error;
mod gpu;
mod memory;
mod mesh;
mod programs;
mod times;

pub use crowd::{CrowdTimes, DeviceCrowd};
pub use error::GpuError;
pub use gpu::{Gpu, Kind};
pub use mesh::BatchRouter;
pub use times::Times;
