//! Routes for many agents at once on a graphics processor.
//!
//! [`Gpu`] is a processor. [`BatchRouter`] answers batches of queries on it from a planner's flat arrays; the answers are those
//! of [`portolan::Planner::find_many`], byte by byte. [`FieldMaker`] makes fields on grids, those of [`portolan::Field`], for
//! many agents that share their goals. [`DeviceCrowd`] lets a crowd walk there as [`portolan_sim::crowd::flat::FlatCrowd`]
//! does, byte by byte too.
//!
//! Not here: building and repairing charts, and searches on the CPU.

#![doc = include_str!("example.md")]
#![forbid(unsafe_code)]

mod chart;
mod crowd;
mod error;
mod field;
mod gpu;
mod memory;
mod mesh;
mod programs;
mod rhumb;
mod router;
mod squares;
mod times;

pub use crowd::{CrowdTimes, DeviceCrowd};
pub use error::GpuError;
pub use field::{FieldMaker, FieldOnGpu, FieldTimes, LayError};
pub use gpu::{Gpu, Kind};
pub use router::{BatchRouter, OnDevice};
pub use times::{SyncTimes, Times};
