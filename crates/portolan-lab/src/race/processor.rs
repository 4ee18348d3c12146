//! Graphics processors for races of batches and for crowds. If the feature `gpu` is off, there is none.
//!
//! Not here: computing on them (`portolan-gpu`).

#[cfg(not(feature = "gpu"))]
mod absent;
#[cfg(feature = "gpu")]
mod present;

#[cfg(not(feature = "gpu"))]
pub use absent::Processor;
#[cfg(not(feature = "gpu"))]
pub(crate) use absent::{UploadedChart, UploadedCrowd, UploadedGround};
#[cfg(feature = "gpu")]
pub use present::Processor;
#[cfg(feature = "gpu")]
pub(crate) use present::{UploadedChart, UploadedCrowd, UploadedGround};

/// Why there is no graphics processor.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NoProcessor {
    /// The feature `gpu` is off.
    #[error("this program was built without its feature `gpu`")]
    BuiltWithout,
    /// None can be opened; the text says why.
    #[error("{0}")]
    NotOpened(String),
}
