//! The studio: a web server for the user's own machine, and the page that it serves, on which one can draw worlds,
//! watch searches, send agents off and race algorithms.
//!
//! ```no_run
//! use portolan_studio::{Config, Studio};
//!
//! let studio = Studio::bind(Config::default())?;
//! println!("http://{}", studio.address());
//! studio.run_until_interrupted()?;
//! # Ok::<(), portolan_studio::StudioError>(())
//! ```
//!
//! The page and the server exchange messages over one socket, in the form that `page/protocol.d.ts` describes. Every
//! open page has a session of its own, which ends when its socket closes. What belongs here: the server, the sessions,
//! the page. What does not: anything that the engine computes.
#![forbid(unsafe_code)]

mod answer;
mod atlas;
mod budget;
mod catalogue;
mod command;
mod connections;
pub mod frame;
mod game;
mod guard;
mod lab;
pub mod limits;
mod page;
mod perception;
mod session;
mod socket;
mod studio;

pub use studio::{Config, Sessions, Studio, StudioError};
