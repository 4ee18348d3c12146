//! The studio: a web server for one's own machine, and the page it serves, on which to draw worlds, watch searches, send
//! agents off and race algorithms.
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
//! Page and server talk over one socket in the language of `page/protocol.d.ts`; every page has a session of its own, which
//! ends with its socket. What belongs here: the server, sessions, the page. What does not: anything the engine computes.
#![forbid(unsafe_code)]

mod answer;
mod atlas;
mod budget;
mod catalogue;
mod command;
mod connections;
pub mod frame;
mod guard;
mod lab;
pub mod limits;
mod page;
mod session;
mod socket;
mod studio;

pub use studio::{Config, Sessions, Studio, StudioError};
