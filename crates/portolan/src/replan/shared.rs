//! What several living searches use: records in pages, a queue whose entries can be moved and removed, the places that
//! edits changed, and the two search loops.
//!
//! Not here: the registry entries of the algorithms.

mod changes;
pub(super) mod lifelong;
mod living;
mod one_off;
mod pages;
mod queue;
pub(super) mod raise_lower;
mod view;

pub(super) use one_off::OneOff;
