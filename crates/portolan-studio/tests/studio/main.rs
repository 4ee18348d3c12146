//! The studio from outside: a server on a free port, and pages that talk to it over real sockets.

mod between;
mod client;
mod commands;
mod crowd;
mod doors;
mod flood;
mod games;
mod hexes;
mod limits;
mod memory;
mod meshes;
mod minds;
mod perception;
mod walks;
