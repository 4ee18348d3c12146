//! What several living searches use: records in pages, a queue whose entries can be moved and removed, the places that
//! edits changed, and the two search loops.
//!
//! Not here: the registry entries of the algorithms.

pub(super) mod changes;
pub(super) mod lifelong;
pub(super) mod living;
mod one_off;
pub(super) mod pages;
pub(super) mod queue;
pub(super) mod raise_lower;
pub(super) mod record;
pub(super) mod view;

pub(super) use one_off::OneOff;
