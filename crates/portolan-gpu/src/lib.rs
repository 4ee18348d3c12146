//! Routes for many agents at once on a graphics processor.
//!
//! [`Gpu`] is a processor, and [`BatchRouter`] answers batches of queries on it from a planner's flat arrays. The answers are those of [`portolan::Planner::find_many`], byte by byte.
//!
//! Not here: building and repairing charts, and searches on the CPU.

#![doc = include_str!("example.md")]
#![forbid(unsafe_code)]

mod chart;
mod error;
mod gpu;
mod memory;
mod mesh;
mod programs;
mod router;
mod times;

pub use error::GpuError;
pub use gpu::{Gpu, Kind};
pub use router::{BatchRouter, OnDevice};
pub use times::{SyncTimes, Times};
