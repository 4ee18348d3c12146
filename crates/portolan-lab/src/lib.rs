//! Experiments on [`portolan`]'s algorithms: [`race`] compares algorithms on equal terms, [`study`] repeats the
//! experiments of the papers, [`perception`] asks people how well agents knew their way, [`audit`] checks answers against scenarios, and [`survey`] describes worlds. [`table`],
//! [`picture`] and [`report`] show the results.
//!
//! ```
//! use portolan_lab::{progress, queries, race, worlds};
//! use portolan::Rules;
//! use portolan::any::AnySnapshot;
//!
//! let world = AnySnapshot::from(worlds::builtin("harbour").expect("it is built in").grid(Rules::default()));
//! let trials = queries::random(&world, 10, 1)?;
//! let entrants: Vec<race::Entrant> = world.algorithms().into_iter().take(3).map(race::Entrant::new).collect();
//! let result = race::race("harbour", &world, &trials, &entrants, 1, &mut progress::go_on)?;
//! assert!(result.rows.iter().all(|row| row.solved == 10 && row.mismatches == 0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Long work reports how far it has come and can be stopped: [`progress`]. [`maps`] lists the maps in a folder. [`mesh`] is for
//! navigation meshes, [`mind`] for walks of minds.
//!
//! All results except times are equal on every machine and in every run. Not here: terminals, command-line arguments,
//! web servers, and searches.
#![forbid(unsafe_code)]

pub mod audit;
pub mod crowd;
pub mod game;
pub mod judge;
pub mod maps;
pub mod mesh;
pub mod mind;
pub mod perception;
pub mod picture;
pub mod progress;
pub mod queries;
pub mod race;
pub mod report;
pub mod study;
pub mod survey;
pub mod table;
pub mod worlds;
