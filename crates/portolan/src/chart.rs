//! Charts: hierarchies over a world. Each algorithm has one file or folder, which also has its registry entry. A chart
//! keeps what it costs to cross a part of the world, plans over these parts, and refines a plan to cells only where an
//! agent walks. What several charts have in common is in [`shared`].

pub(crate) mod dhpa_star;
pub(crate) mod haa_star;
pub(crate) mod hna_star;
pub(crate) mod hpa_star;
pub(crate) mod mesh_rhumb;
pub(crate) mod minimal_memory;
pub(crate) mod pra_star;
pub(crate) mod rhumb;
mod shared;
pub(crate) mod shpa_star;
