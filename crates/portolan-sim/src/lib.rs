//! Agents that walk while the world changes: a [`Sim`] moves its [`Walker`]s along their routes, at most one step each
//! at every [`Sim::tick`], and every walker keeps a log of what happened to it. A [`Play`] plays a test case tick by
//! tick; [`run`] plays a case to its end. [`testbed`] is a game with keys, doors, traps and monsters, in which algorithms
//! are compared on the same changes, [`crowd`] has agents with bodies that avoid each other,
//! and [`mind`] agents that explore, remember and forget.
//!
//! ```
//! use portolan::{Area, Cell, Edit, Planner, Rules, SquareGrid, Terrain, World};
//! use portolan_sim::{Replan, Sim, State};
//!
//! let world = World::from(SquareGrid::open(40, 20, Rules::default())?);
//! let planner = Planner::new(&world, "jump-point")?;
//! let mut sim = Sim::new(world);
//! let agent = sim.add(planner, Cell::new(2, 10), Cell::new(37, 10), Replan::Touched)?;
//! for _ in 0..10 {
//!     sim.tick();
//! }
//! let wall = Area { x: 20, y: 5, width: 1, height: 11 };
//! sim.edit(&[Edit::new(wall, Terrain::BLOCKED)])?;
//! while sim.tick() {}
//! assert_eq!(sim.walkers()[agent].state(), State::Arrived);
//! for entry in sim.walkers()[agent].log() {
//!     println!("{entry}");
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Every result except the [`Timings`] is identical on every machine and in every run. What belongs here: the
//! simulation's clock, the agents, and their logs. What does not: searches, files, terminals.
#![forbid(unsafe_code)]

mod behaviour;
pub mod cases;
pub mod crowd;
mod log;
pub mod mind;
mod planners;
mod play;
mod rebuild;
mod sim;
mod state;
pub mod testbed;
mod walker;
mod work;
pub mod worlds;

pub use behaviour::{Behaviour, Follow, Replan};
pub use log::{Entry, Happening};
pub use play::{Play, PlayError, Run, planner, run};
pub use sim::{OffMap, Sim};
pub use state::{State, Why};
pub use walker::Walker;
pub use work::{Span, Timings, Work};
