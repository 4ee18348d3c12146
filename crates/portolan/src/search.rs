//! Flat searches: one file an algorithm, each with its registry entry. They read a world and write a scratch. What several
//! of them have in common is in [`shared`].

pub(crate) mod a_star;
pub(crate) mod bidirectional_a_star;
pub(crate) mod dijkstra;
pub(crate) mod greedy;
pub(crate) mod ida_star;
pub(crate) mod jump_graph;
pub(crate) mod jump_point;
mod shared;
pub(crate) mod weighted_a_star;
