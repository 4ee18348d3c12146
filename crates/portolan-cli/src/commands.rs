//! One module for each command. Not here: the arguments, which are in `args`.

pub(crate) mod build;
pub(crate) mod check;
pub(crate) mod crowd;
pub(crate) mod find;
mod game;
pub(crate) mod info;
pub(crate) mod list;
pub(crate) mod map;
pub(crate) mod mesh;
pub(crate) mod pages;
pub(crate) mod race;
pub(crate) mod sim;
pub(crate) mod studio;
pub(crate) mod study;
pub(crate) mod walk;
pub(crate) mod welcome;
