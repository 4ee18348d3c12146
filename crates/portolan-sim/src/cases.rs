//! The test cases that come with the engine, kept in `worlds/cases/`.
//!
//! Not here: finding the worlds they name, and playing the cases.

use portolan_formats::{Case, case};

/// A case that comes with the engine.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Shipped {
    /// The name that selects the case, as in `portolan sim NAME`.
    pub name: &'static str,
    /// The text of the case's file.
    pub text: &'static str,
}

/// Every case that comes with the engine.
pub const SHIPPED: &[Shipped] = &[
    Shipped { name: "wall-across", text: include_str!("../worlds/cases/wall-across.case") },
    Shipped { name: "corridor-opened", text: include_str!("../worlds/cases/corridor-opened.case") },
    Shipped { name: "goal-walled-in", text: include_str!("../worlds/cases/goal-walled-in.case") },
    Shipped { name: "bridge-blown", text: include_str!("../worlds/cases/bridge-blown.case") },
    Shipped { name: "last-bridge", text: include_str!("../worlds/cases/last-bridge.case") },
    Shipped { name: "edits-behind", text: include_str!("../worlds/cases/edits-behind.case") },
    Shipped { name: "edits-beside", text: include_str!("../worlds/cases/edits-beside.case") },
    Shipped { name: "flicker", text: include_str!("../worlds/cases/flicker.case") },
    Shipped { name: "landslide", text: include_str!("../worlds/cases/landslide.case") },
    Shipped { name: "mud-ahead", text: include_str!("../worlds/cases/mud-ahead.case") },
    Shipped { name: "orphan", text: include_str!("../worlds/cases/orphan.case") },
    Shipped { name: "clique-split", text: include_str!("../worlds/cases/clique-split.case") },
    Shipped { name: "cut-and-joined", text: include_str!("../worlds/cases/cut-and-joined.case") },
    Shipped { name: "faster-than-rebuild", text: include_str!("../worlds/cases/faster-than-rebuild.case") },
    Shipped { name: "large", text: include_str!("../worlds/cases/large.case") },
];

/// Looks a case up by its name.
pub fn shipped(name: &str) -> Option<Shipped> {
    SHIPPED.iter().copied().find(|case| case.name == name)
}

impl Shipped {
    /// Returns the case.
    ///
    /// # Panics
    /// Never, since the tests read every case.
    pub fn case(&self) -> Case {
        case::read(self.text.as_bytes()).expect("shipped cases are well written")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Behaviour;
    use std::path::Path;

    #[test]
    fn every_case_can_be_read_and_says_what_it_shows() {
        for shipped in SHIPPED {
            let case = shipped.case();
            assert!(case.about.len() > 20 && !case.edits.is_empty(), "{}", shipped.name);
            assert!(Behaviour::of(&case).is_ok(), "{}", shipped.name);
        }
    }

    #[test]
    fn every_case_in_the_folder_is_shipped() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("worlds/cases");
        let Ok(entries) = std::fs::read_dir(folder) else { return };
        for entry in entries {
            let path = entry.unwrap().path();
            let name = path.file_stem().unwrap().to_str().unwrap();
            assert!(shipped(name).is_some(), "worlds/cases/{name}.case is not listed in cases.rs");
        }
    }
}
