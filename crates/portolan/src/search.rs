//! Flat searches: one file or folder for each algorithm, with its registry entry. A flat search reads a world and
//! writes to a scratch. Code that several of them use is in [`shared`].
//!
//! Not here: searches on charts.

pub(crate) mod a_star;
pub(crate) mod anya;
pub(crate) mod ap_theta_star;
pub(crate) mod ara_star;
pub(crate) mod bidirectional_a_star;
pub(crate) mod breadth_first;
pub(crate) mod dijkstra;
pub(crate) mod greedy;
pub(crate) mod ida_star;
pub(crate) mod jump_graph;
pub(crate) mod jump_point;
pub(crate) mod lazy_theta_star;
pub(crate) mod over_polygons;
pub(crate) mod shared;
pub(crate) mod theta_star;
pub(crate) mod weighted_a_star;
