//! Charts: searches that divide the world beforehand, plan on the few places where its parts meet, and come back to
//! cells only for the route. One file an algorithm, each with its registry entry.

pub(crate) mod shpa_star;
