//! Experiments on [`portolan`]'s algorithms: [`race`]s on equal terms, the papers' own in [`study`], [`audit`]s of
//! scenarios, [`survey`]s of worlds, and what shows their results: [`table`]s, [`picture`]s and a [`report`].
//!
//! ```
//! use portolan_lab::{progress, queries, race, worlds};
//! use portolan::{Rules, Snapshot};
//!
//! let world = Snapshot::from(worlds::builtin("harbour").expect("it is built in").grid(Rules::default()));
//! let trials = queries::random(&world, 10, 1)?;
//! let entrants = [race::Entrant::named("a-star"), race::Entrant::named("dijkstra")].map(Option::unwrap);
//! let result = race::race("harbour", &world, &trials, &entrants, 1, &mut progress::go_on)?;
//! assert!(result.rows.iter().all(|row| row.solved == 10 && row.mismatches == 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Long work tells how far it has come and can be stopped: [`progress`]. [`maps`] lists what a folder has to work on.
//!
//! Everything here but the times is the same on every machine and every run. What does not belong here: terminals,
//! command-line arguments, web servers, and searches.
#![forbid(unsafe_code)]

pub mod audit;
pub mod judge;
pub mod maps;
pub mod picture;
pub mod progress;
pub mod queries;
pub mod race;
pub mod report;
pub mod study;
pub mod survey;
pub mod table;
pub mod worlds;
