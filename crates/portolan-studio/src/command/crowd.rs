//! What a page asks for when it sends a crowd off, and the agents for which it has meshes built.
//!
//! Not here: crowds and meshes.

use super::Entrant;
use portolan_mesh::BuildOptions;
use serde::{Deserialize, Serialize};

/// The agents for which a mesh is built from geometry; lengths are in the units of the geometry.
#[derive(Copy, Clone, PartialEq, Serialize, Deserialize, Debug)]
#[serde(default)]
pub(crate) struct MeshAgent {
    pub(crate) radius: f32,
    pub(crate) height: f32,
    pub(crate) climb: f32,
    /// The steepest ground that it walks on, in degrees.
    pub(crate) slope: f32,
    /// The side of the cells that the geometry is cut into.
    pub(crate) cell: f32,
}

impl Default for MeshAgent {
    fn default() -> MeshAgent {
        let BuildOptions { radius, height, climb, slope, cell_size, .. } = BuildOptions::default();
        MeshAgent { radius, height, climb, slope, cell: cell_size }
    }
}

impl MeshAgent {
    /// Returns the options with which a mesh is built. A cell is two thirds as high as it is wide, as it is by default.
    pub(crate) fn options(self) -> BuildOptions {
        let mut options = BuildOptions::default();
        (options.radius, options.height, options.climb, options.slope) =
            (self.radius, self.height, self.climb, self.slope);
        options.cell_height = self.cell * (options.cell_height / options.cell_size);
        options.cell_size = self.cell;
        options
    }
}

/// The fields of the command `muster`.
#[derive(Clone, PartialEq, Deserialize, Debug)]
pub(crate) struct Muster {
    #[serde(flatten)]
    pub(crate) with: Entrant,
    pub(crate) agents: usize,
    pub(crate) radius: f32,
    pub(crate) speed: f32,
    pub(crate) seed: u64,
    /// Whether the crowd walks in whole numbers, on a graphics processor if there is one.
    #[serde(default)]
    pub(crate) whole: bool,
}
