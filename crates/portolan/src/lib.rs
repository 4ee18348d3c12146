//! Pathfinding for games and simulations.
//!
//! A [`World`] is edited in one place and read everywhere else as [`Snapshot`]s. A [`Planner`] is one of the
//! [`ALGORITHMS`] made ready for a world; it answers a [`Query`] with an [`Outcome`], using a per-thread [`Scratch`].
//!
//! ```
//! use portolan::{Cell, Edit, Outcome, Planner, Query, Rules, Scratch, SquareGrid, Terrain, World};
//!
//! let mut world = World::from(SquareGrid::open(100, 100, Rules::default())?);
//! let mut planner = Planner::new(&world, "jump-point")?;
//! let mut scratch = Scratch::new();
//!
//! let wall = [Edit::new(Cell::new(50, 40), Terrain::BLOCKED)];
//! world.apply(&wall)?;
//! planner.repair(&world, &wall)?;
//!
//! match planner.find(&world, Query::new((10, 40), (90, 40)), &mut scratch)? {
//!     Outcome::Reached(route) => println!("{} steps, length {:.2}", route.steps(), route.length(&world)),
//!     other => println!("{}", other.name()),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The root has what every program needs. The rest lies in modules:
//!
//! - [`auto`] and [`pick`] choose an algorithm, by stated rules or by its name and settings.
//! - [`settings`] describes the parameters of algorithms and recipes.
//! - [`probe`] counts, keeps and shows what a search does.
//! - [`outline`] has the shape of a chart, and [`saved`] a chart as plain data.
//! - [`generate`] makes worlds.
//! - [`any`] is for programs that learn the kind of a world at run time.
//!
//! This crate contains worlds, searches, charts and routes. Not here: files, clocks, printing, game engines.
#![forbid(unsafe_code)]

/// The programs in the README, which are tests.
#[cfg(doctest)]
#[doc = include_str!("../../../README.md")]
struct Readme;

mod algorithm;
pub mod any;
pub mod auto;
mod batch;
mod builder;
mod chart;
mod cost;
mod field;
pub mod flat;
pub mod generate;
mod graph;
mod id;
mod inflation;
mod many;
mod memory;
mod method;
mod open_list;
pub mod outline;
pub mod pick;
mod plan_queue;
mod planner;
pub mod probe;
mod query;
mod registry;
mod replan;
mod replanner;
mod route;
pub mod saved;
mod scratch;
mod search;
pub mod settings;
mod space;

pub use algorithm::{Algorithm, Promise, Unsuited};
pub use batch::BatchScratch;
pub use batch::answers::{AnswerKind, Answers};
pub use batch::elsewhere::{Routed, Router};
pub use builder::Builder;
pub use cost::{Cost, Metric, MetricError};
pub use field::{Field, FieldError, FieldRepair, Fielded, FleeMap, MeshField};
pub use id::{Cell, HexCell, NoSuchCell};
pub use memory::OutOfMemory;
pub use method::{Repair, ShareError};
pub use plan_queue::PlanQueue;
pub use plan_queue::piece::{Part, Piece, TickBudget, Ticked, Ticket};
pub use planner::lazy::{LazyRoute, Mended};
pub use planner::patching::PatchError;
pub use planner::{BuildError, Planner, RepairError};
pub use query::{Outcome, Query, QueryError, Stale};
pub use registry::{ALGORITHMS, HEX_ALGORITHMS, MESH_ALGORITHMS, algorithm, algorithms};
pub use replanner::{Impact, Progress, Replanner};
pub use route::smooth::Smoothing;
pub use route::{Route, RouteError};
pub use scratch::Scratch;
pub use space::hex::{HexGrid, HexShape};
pub use space::mesh::parts::{MeshError, MeshLink, MeshParts};
pub use space::mesh::patch::MeshPatch;
pub use space::mesh::{MeshArea, MeshEdit, MeshEditError, MeshPoint, NavMesh};
pub use space::square::{GridError, SquareGrid};
pub use space::{
    Area, Border, Change, Corners, Directions, Edit, EditError, Extras, Floors, Motion, Revision, Rules, Side,
};
pub use space::{Body, Footing, KindNameError, KindNames, Profile, ProfileError, ViewError, Viewed};
pub use space::{Chunk, ChunkError, Chunked, Chunks, ChunksError};
pub use space::{Influence, Layer, LayerError};
pub use space::{Snapshot, Space, Terrain, World};
