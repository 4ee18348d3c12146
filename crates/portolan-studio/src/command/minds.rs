//! What a page asks for when it sends minds off.
//!
//! Not here: minds.

use super::{Pairs, Place};
use serde::Deserialize;

/// The fields of the command `minds`.
#[derive(Clone, PartialEq, Deserialize, Debug)]
pub(crate) struct Minds {
    /// The settings of each mind.
    #[serde(rename = "minds")]
    pub(crate) settings: Vec<Pairs>,
    pub(crate) from: Place,
    pub(crate) to: Place,
    pub(crate) seed: u64,
}
