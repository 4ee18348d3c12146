//! What several charts have in common: how a world is cut into clusters ([`layout`]), searches inside a rectangle of
//! cells ([`cutout`]), walks that no obstacle lengthens ([`walk`]), routes in plain sight and what routes cost
//! ([`sight`]), [`settings`], and lists that grow and shrink in one piece of memory ([`arena`]).

pub(super) mod arena;
pub(super) mod cutout;
pub(super) mod layout;
pub(super) mod partition;
pub(super) mod settings;
pub(super) mod sight;
pub(super) mod walk;
