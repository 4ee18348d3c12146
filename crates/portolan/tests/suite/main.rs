//! Everything that the engine promises, tested on every algorithm in the registry: conformance cases, random worlds
//! compared with the oracle, edit scripts and what repairs redo, searches in slices, golden traces, real scenarios,
//! smoothed routes, and what planners report about themselves. The tests here are about square worlds; `hex` has those
//! about hexagonal ones, `mesh` those about navigation meshes, and `any` those about worlds whose kind is known only at run time.

mod any;
mod any_angle;
mod anytime;
mod batch;
mod borders;
mod cases;
mod charts;
mod chunks;
mod connectivity;
mod edits;
mod field;
mod field_repairs;
mod fields;
mod flee;
mod floors;
mod following;
mod golden;
mod haa_star;
mod hex;
mod lazy_routes;
mod limits;
mod living;
mod many;
mod memory;
mod mesh;
mod oracle;
mod outlines;
mod plan_queue;
mod queries;
mod random_worlds;
mod repairs;
mod replan;
mod rhumb_passages;
mod saved;
mod scenarios;
mod smoothing;
mod storms;
mod threads;
mod trees;
mod views;
mod worlds;
