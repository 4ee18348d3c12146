//! The world of a test case, which is built in, read from a file, generated or drawn in the case.
//!
//! Not here: the worlds that come with the engine (`portolan_sim::worlds`), the formats of world files (`portolan-formats`), and the recipes of generated worlds
//! (`portolan::generate`).

use portolan::generate::{GenerateError, generate, recipe};
use portolan::settings::SettingError;
use portolan::{Rules, SquareGrid};
use portolan_formats::{CaseWorld, FileError, Strictness, read_squares_with};
use std::path::Path;

pub use portolan_sim::worlds::{BUILTIN, Builtin, builtin};

/// Why the world of a test case could not be made.
#[derive(Debug, thiserror::Error)]
pub enum CaseWorldError {
    /// There is no built-in world and no file of this name.
    #[error("there is no built-in world {0:?}, and no such file beside the case")]
    UnknownWorld(String),
    /// There is no recipe of this name.
    #[error("there is no recipe {0:?} for worlds")]
    UnknownRecipe(String),
    /// A setting of the recipe is wrong.
    #[error(transparent)]
    Setting(#[from] SettingError),
    /// The recipe cannot make such a world.
    #[error(transparent)]
    Generate(#[from] GenerateError),
    /// The file beside the case cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
}

/// Returns the world of a test case under these rules. A name is first searched for among the files in the folder of
/// the case, which are read strictly, then among the built-in worlds. If there is no folder, as for a case received
/// over a network, no file is read.
///
/// # Errors
/// When there is no such world, or it cannot be read or made.
pub fn of_case(world: &CaseWorld, folder: Option<&Path>, rules: Rules) -> Result<SquareGrid, CaseWorldError> {
    of_case_with(world, folder, rules, Strictness::Strict)
}

/// Returns what [`of_case`] returns, but reads a drawing beside the case with the given strictness.
///
/// # Errors
/// As [`of_case`].
pub fn of_case_with(
    world: &CaseWorld,
    folder: Option<&Path>,
    rules: Rules,
    strictness: Strictness,
) -> Result<SquareGrid, CaseWorldError> {
    match world {
        CaseWorld::Named(name) => {
            let file = folder.map(|folder| folder.join(name)).filter(|path| path.is_file());
            match (file, builtin(name)) {
                (Some(path), _) => Ok(read_squares_with(&path, rules, strictness)?),
                (None, Some(world)) => Ok(world.grid(rules)),
                (None, None) => Err(CaseWorldError::UnknownWorld(name.clone())),
            }
        }
        CaseWorld::Made { recipe: name, width, height, seed, settings } => {
            let recipe = recipe(name).ok_or_else(|| CaseWorldError::UnknownRecipe(name.clone()))?;
            Ok(generate(recipe, *width, *height, *seed, &recipe.settings(settings)?, rules)?)
        }
        CaseWorld::Drawn(world) if world.grid.rules() == rules => Ok(world.grid.clone()),
        CaseWorld::Drawn(world) => Ok(world.grid.with_rules(rules)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan_sim::cases::SHIPPED;

    #[test]
    fn every_drawing_can_be_read() {
        for world in BUILTIN {
            assert!(world.grid(Rules::default()).free_cells() > 100, "{} has hardly any ground", world.name);
        }
    }

    #[test]
    fn the_worlds_with_keys_are_levels() {
        let levels = BUILTIN.iter().filter(|world| world.level().is_ok()).map(|world| world.name);
        assert_eq!(levels.collect::<Vec<_>>(), ["keep", "dungeon", "meadow", "realm"]);
    }

    #[test]
    fn every_shipped_case_has_a_world_and_a_way_through_it() {
        for shipped in SHIPPED {
            let case = shipped.case();
            let grid = of_case(&case.world, None, case.rules).unwrap();
            assert!(grid.connected(case.from, case.to), "{} begins without a way", shipped.name);
        }
    }

    #[test]
    fn files_beside_a_case_come_before_built_in_worlds_and_only_with_a_folder() {
        let folder = std::env::temp_dir().join(format!("portolan-worlds-{}", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(folder.join("small.txt"), "..A\n").unwrap();
        let named = CaseWorld::Named("small.txt".into());
        let found = of_case(&named, Some(&folder), Rules::default()).map(|grid| grid.width());
        let unfound = of_case(&named, None, Rules::default()).err().map(|error| error.to_string());
        std::fs::remove_dir_all(&folder).unwrap();
        assert_eq!(found.unwrap(), 3);
        assert_eq!(
            unfound.as_deref(),
            Some("there is no built-in world \"small.txt\", and no such file beside the case")
        );
        let harbour = CaseWorld::Named("harbour".into());
        assert_eq!(of_case(&harbour, None, Rules::default()).unwrap().width(), 72);
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
