//! Where worlds come from when a command names one: a file, or a world that comes with the engine.

use crate::args::WorldArgs;
use crate::mistake;
use anyhow::{Result, anyhow};
use portolan::SquareGrid;
use portolan_lab::worlds::{BUILTIN, builtin};
use std::path::{Path, PathBuf};

/// The world of that name: a file if there is one, else a built-in world.
pub(crate) fn world(name: &str, args: &WorldArgs) -> Result<SquareGrid> {
    let path = Path::new(name);
    if path.exists() {
        return Ok(portolan_formats::read_world(path, args.rules())?);
    }
    if let Some(world) = builtin(name) {
        return Ok(world.grid(args.rules()));
    }
    let names: Vec<&str> = BUILTIN.iter().map(|world| world.name).collect();
    let hint = mistake::hint(name, names.iter().copied());
    Err(anyhow!("there is no file or built-in world {name:?}{hint} (built-in: {})", names.join(", ")))
}

/// The map a scenario is for: the file in the same folder named as the scenario without `.scen`.
pub(crate) fn map_of_scenario(scenario: &Path) -> Result<PathBuf> {
    let map = scenario.with_extension("");
    if scenario.extension().is_some_and(|extension| extension == "scen") && map.is_file() {
        Ok(map)
    } else {
        Err(anyhow!("{}: there is no map {} beside it", scenario.display(), map.display()))
    }
}

/// Writes bytes to a file, naming it when that fails.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    std::fs::write(path, bytes).map_err(|error| anyhow!("{}: {error}", path.display()))
}
