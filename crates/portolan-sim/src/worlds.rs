//! The worlds that come with the engine, drawn by hand in the ASCII format and kept in `worlds/`.
//!
//! Not here: the format (`portolan-formats`), and the cases that are played on worlds (`cases.rs`).

use portolan::{Rules, SquareGrid};
use portolan_formats::{Level, ReadError, ascii};

/// A world that comes with the engine.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Builtin {
    /// Its name, which can be used wherever a map is named.
    pub name: &'static str,
    /// Its drawing in the ASCII format.
    pub text: &'static str,
}

/// Every built-in world; the first is the one used when none is named.
pub const BUILTIN: &[Builtin] = &[
    Builtin { name: "harbour", text: include_str!("../worlds/harbour.txt") },
    Builtin { name: "island", text: include_str!("../worlds/island.txt") },
    Builtin { name: "keep", text: include_str!("../worlds/keep.txt") },
    Builtin { name: "maze", text: include_str!("../worlds/maze.txt") },
    Builtin { name: "spiral", text: include_str!("../worlds/spiral.txt") },
    Builtin { name: "bottleneck", text: include_str!("../worlds/bottleneck.txt") },
    Builtin { name: "dungeon", text: include_str!("../worlds/dungeon.txt") },
    Builtin { name: "meadow", text: include_str!("../worlds/meadow.txt") },
    Builtin { name: "realm", text: include_str!("../worlds/realm.txt") },
];

/// Looks a built-in world up by its name.
pub fn builtin(name: &str) -> Option<Builtin> {
    BUILTIN.iter().copied().find(|world| world.name == name)
}

impl Builtin {
    /// Returns the world under these rules.
    ///
    /// # Panics
    /// Never: every drawing is read in the tests.
    pub fn grid(&self, rules: Rules) -> SquareGrid {
        ascii::read(self.text.as_bytes(), rules).expect("built-in worlds are well drawn").grid
    }

    /// Returns the level for games that the drawing shows, under the default rules.
    ///
    /// # Errors
    /// When the world has no keys and doors.
    ///
    /// # Panics
    /// Never: every drawing is read in the tests.
    pub fn level(&self) -> Result<Level, ReadError> {
        Level::of(ascii::read(self.text.as_bytes(), Rules::default()).expect("built-in worlds are well drawn"))
    }
}
