//! Everything the engine promises, put to every algorithm in the registry: conformance cases, random worlds against
//! the oracle, edit scripts, resumed searches, golden traces.






mod oracle;

mod random_worlds;


mod worlds;
