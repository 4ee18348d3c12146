//! What can go wrong on a graphics processor.

/// Why a graphics processor cannot do its part.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GpuError {
    /// There is no processor of the wanted kind, or no driver for it.
    #[error("there is no graphics processor of the wanted kind: {0}")]
    None(String),
    /// The processor cannot be used.
    #[error("the graphics processor cannot be used: {0}")]
    Refused(String),
    /// The planner's algorithm keeps no flat arrays.
    #[error(
        "{0} with these settings does not run on graphics processors here; on a mesh without links a-star, hna-star and rhumb do, on squares rhumb without smoothing and dhpa-star rows=yes"
    )]
    NotFlat(&'static str),
    /// The world has one-way borders or links.
    #[error("fields on graphics processors need a world without {0}")]
    Extras(portolan::Extras),
    /// A chart or a batch needs more memory in one piece than the processor gives.
    #[error("{needed} bytes in one piece are more than the {most} that the graphics processor gives")]
    TooLarge {
        /// How many bytes are needed.
        needed: u64,
        /// How many there can be.
        most: u64,
    },
    /// The planner was built for another state of the world.
    #[error(transparent)]
    Stale(#[from] portolan::Stale),
    /// The processor has stopped, or has refused a command.
    #[error("the graphics processor has failed: {0}")]
    Failed(String),
}
