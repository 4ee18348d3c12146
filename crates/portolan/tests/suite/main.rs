//! Everything the engine promises, put to every algorithm in the registry: conformance cases, random worlds against
//! the oracle, edit scripts, resumed searches, golden traces, real scenarios.

mod cases;
mod connectivity;
mod edits;
mod golden;
mod memory;
mod oracle;
mod queries;
mod random_worlds;
mod scenarios;
mod threads;
mod worlds;
