//! Charts: hierarchies over a world, one file or folder an algorithm, each with its registry entry. They remember what
//! crossing a part of the world costs, plan over these parts and come back to cells only where an agent walks. What
//! several of them have in common is in [`shared`].

pub(crate) mod dhpa_star;
pub(crate) mod hpa_star;
pub(crate) mod minimal_memory;
pub(crate) mod pra_star;
pub(crate) mod rhumb;
mod shared;
pub(crate) mod shpa_star;
