//! Charts: hierarchies over a world, one file an algorithm, each with its registry entry. They remember what crossing a
//! part of the world costs, plan over these parts and come back to cells only where somebody walks.
//!
//! Shared by the charts of clusters: [`layout`] cuts the world up, [`entrance`] finds where borders can be crossed,
//! [`cluster`] searches inside one cluster, [`level`] and [`clusters`] keep ports and prices, [`sail`]
//! searches them, [`voyage`] makes that a query, [`legs`] reads the route from it and [`refine`] turns legs into cells.
//! [`rhumb`] shares their legs and little else; [`minimal_memory`] shares how the world is cut up and searched in parts.
//! [`saved`] is what a chart can be written down as.

mod arena;
mod cluster;
mod clusters;
pub(crate) mod dhpa_star;
mod entrance;
pub(crate) mod hpa_star;
mod kept;
mod layout;
mod legs;
mod level;
pub(crate) mod minimal_memory;
mod parts;
pub(crate) mod pra_star;
mod pricing;
mod refine;
pub(crate) mod rhumb;
mod sail;
mod saved;
pub(crate) mod shpa_star;
mod trees;
mod voyage;
mod walk;

pub(crate) use layout::Bounds;
pub(crate) use legs::Leg;
pub(crate) use pra_star::PraScratch;
pub(crate) use rhumb::RhumbScratch;
pub use saved::{ChartStream, OpenError, SaveError, SavedChart, Section, SectionStream};
pub(crate) use saved::{Sections, can_be_opened, open, write_numbers};
pub(crate) use voyage::ChartScratch;
