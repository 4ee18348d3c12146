//! The worlds that come with the engine, drawn by hand in the ASCII format and kept in `worlds/`.
//!
//! Not here: reading worlds from files, and making them from a recipe.

use portolan::{Rules, SquareGrid};
use portolan_formats::ascii;

/// A world that comes with the engine.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Builtin {
    /// Its name wherever a map can be named.
    pub name: &'static str,
    /// Its drawing.
    pub text: &'static str,
}

/// Every built-in world; the first is the one used when none is named.
pub const BUILTIN: &[Builtin] = &[
    Builtin { name: "harbour", text: include_str!("../../../worlds/harbour.txt") },
    Builtin { name: "island", text: include_str!("../../../worlds/island.txt") },
    Builtin { name: "keep", text: include_str!("../../../worlds/keep.txt") },
    Builtin { name: "maze", text: include_str!("../../../worlds/maze.txt") },
    Builtin { name: "spiral", text: include_str!("../../../worlds/spiral.txt") },
    Builtin { name: "bottleneck", text: include_str!("../../../worlds/bottleneck.txt") },
];

/// Looks a built-in world up by its name.
pub fn builtin(name: &str) -> Option<Builtin> {
    BUILTIN.iter().copied().find(|world| world.name == name)
}

impl Builtin {
    /// The world under these rules.
    ///
    /// # Panics
    /// Never: every drawing is read in the tests.
    pub fn grid(&self, rules: Rules) -> SquareGrid {
        ascii::read(self.text.as_bytes(), rules).expect("built-in worlds are well drawn").grid
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::path::Path;

    #[test]
    fn every_drawing_can_be_read() {
        for world in BUILTIN {
            assert!(world.grid(Rules::default()).free_cells() > 100, "{} has hardly any ground", world.name);
        }
    }

    #[test]
    fn every_drawing_in_the_folder_is_built_in() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../worlds");
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in entries {
            let path = entry.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "txt") {
                let name = path.file_stem().unwrap().to_str().unwrap();
                assert!(builtin(name).is_some(), "worlds/{name}.txt is not listed in worlds.rs");
            }
        }
    }
}
