//! Everything the engine promises, put to every algorithm in the registry: conformance cases, random worlds against
//! the oracle, edit scripts and what repairs redo, resumed searches, golden traces, real scenarios, smoothed routes, and what
//! planners tell of themselves.

mod cases;
mod charts;
mod connectivity;
mod edits;
mod golden;
mod lazy_routes;
mod limits;
mod many;
mod memory;
mod oracle;
mod outlines;
mod queries;
mod random_worlds;
mod repairs;
mod saved;
mod scenarios;
mod smoothing;
mod storms;
mod threads;
mod trees;
mod worlds;
