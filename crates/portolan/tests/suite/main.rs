//! Everything the engine promises, put to every algorithm in the registry: conformance cases, random worlds against
//! the oracle, edit scripts, resumed searches, golden traces, real scenarios, and smoothed routes.

mod cases;
mod charts;
mod connectivity;
mod edits;
mod golden;
mod many;
mod memory;
mod oracle;
mod outlines;
mod queries;
mod random_worlds;
mod saved;
mod scenarios;
mod smoothing;
mod threads;
mod worlds;
