//! Worlds and test cases that a command names: a file, or one that comes with the engine. Not here: the file formats.

use crate::args::WorldArgs;
use crate::mistake;
use anyhow::{Result, anyhow, bail};
use portolan::any::AnySnapshot;
use portolan::{KindNames, Planner, Profile, ProfileError, Rules, Snapshot, SquareGrid};
use portolan_formats::chart_file::{ChartSpace, Difference, is_chart};
use portolan_formats::{
    Case, ChartError, ChartFile, FileError, Kind, Level, NamedWorld, ReadError, Strictness, ascii, read_case,
    read_chart, read_kind_names, read_named, read_world, replace_file,
};
use portolan_lab::worlds::{BUILTIN, CaseWorldError, builtin, of_case_with};
use portolan_sim::cases::{SHIPPED, shipped};
use std::fs;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

/// Returns the world of that name: the one in a file of that name if there is one, else a built-in world.
pub(crate) fn world(name: &str, args: &WorldArgs) -> Result<AnySnapshot> {
    let path = Path::new(name);
    if is_chart(path) {
        return charted(path, args);
    }
    // A folder is no map: if there is only a folder of that name, the built-in world is meant.
    let world = builtin(name).filter(|_| !path.is_file());
    if let Some(world) = world {
        let grid = AnySnapshot::from(world.grid(args.rules()));
        return seen(grid, args, || Ok(ascii::kind_names(world.text.as_bytes())?));
    }
    if path.exists() {
        return file(path, args);
    }
    let names: Vec<&str> = BUILTIN.iter().map(|world| world.name).collect();
    let hint = mistake::hint(name, names.iter().copied());
    Err(anyhow!("there is no file or built-in world {name:?}{hint} (built-in: {})", names.join(", ")))
}

/// Returns the world as [`world`] does, with the names of its kinds of ground and its floors.
pub(crate) fn named(name: &str, args: &WorldArgs) -> Result<NamedWorld> {
    let (path, world) = (Path::new(name), world(name, args)?);
    if is_chart(path) {
        return Ok(world.into());
    }
    if let Some(built_in) = builtin(name).filter(|_| !path.is_file()) {
        let kinds = ascii::kind_names(built_in.text.as_bytes())?;
        return Ok(NamedWorld { world, kinds, floors: None });
    }
    let NamedWorld { kinds, floors, .. } = read_named(path, args.rules(), args.strictness()).map_err(with_advice)?;
    Ok(NamedWorld { world, kinds, floors })
}

/// Reads the world in a file.
pub(crate) fn file(path: &Path, args: &WorldArgs) -> Result<AnySnapshot> {
    let world = read_world(path, args.rules(), args.strictness()).map_err(with_advice)?;
    if world.hex().is_some() && args.rules() != Rules::default() {
        let why = "hexes have no corners, and the file says what a step costs";
        bail!("{}: {why}; leave out --corners, --directions and --metric", path.display());
    }
    seen(world, args, || Ok(read_kind_names(path)?))
}

/// Returns the world as the agent of `--profile` sees it, or as it is if there is none. `names` returns the names of the kinds
/// of ground in it.
fn seen(world: AnySnapshot, args: &WorldArgs, names: impl FnOnce() -> Result<KindNames>) -> Result<AnySnapshot> {
    let Some(text) = &args.profile else { return Ok(world) };
    let profile = Profile::parse(text, &names()?).map_err(|error| {
        let hint = match &error {
            ProfileError::UnknownKind { name, known } => {
                let likely = mistake::hint(name, known.iter().map(String::as_str));
                format!("{likely} (known: {})", known.join(", "))
            }
            _ => String::new(),
        };
        anyhow!("--profile: {error}{hint}")
    })?;
    world.seen_by(&profile).map_err(|error| anyhow!("--profile: {error}"))
}

/// Adds the option for a lenient reading to the error of a drawing that such a reading would take.
fn with_advice(error: FileError) -> anyhow::Error {
    match error {
        FileError::Read(fault) if fault.is_ground_if_lenient => anyhow!("{fault}: --lenient"),
        other => other.into(),
    }
}

/// Returns whether the name is that of a world, by its ending or because it is built in, and not that of a case.
pub(crate) fn is_world(name: &str) -> bool {
    let path = Path::new(name);
    Kind::of(path).is_some() || builtin(name).is_some() && shipped(name).is_none() && !path.is_file()
}

/// Returns the level of that name for a game: the one in a file of that name if there is one, else a built-in world.
pub(crate) fn level(name: &str, strictness: Strictness) -> Result<Level> {
    let path = Path::new(name);
    let world = match builtin(name).filter(|_| !path.is_file()) {
        Some(world) => ascii::read(world.text.as_bytes(), Rules::default())?,
        None if path.exists() && Kind::of(path) != Some(Kind::Ascii) => {
            bail!("{name}: a game needs a drawing with keys and doors, a .txt or .world file")
        }
        None => {
            let bytes = fs::read(path).map_err(|error| anyhow!("{name}: {error}"))?;
            let fault = |fault: ReadError| with_advice(fault.in_file(path).into());
            ascii::read_with(&bytes, Rules::default(), strictness).map_err(fault)?
        }
    };
    Level::of(world).map_err(|fault| fault.in_file(path).into())
}

/// Returns the test case of that name and the folder it is in: the case in a file of that name if there is one, else
/// one that comes with the engine, which has no folder.
pub(crate) fn case(name: &str, strictness: Strictness) -> Result<(Case, Option<PathBuf>)> {
    let path = Path::new(name);
    if let Some(shipped) = shipped(name).filter(|_| !path.is_file()) {
        return Ok((shipped.case(), None));
    }
    if path.exists() {
        return Ok((read_case(path, strictness).map_err(with_advice)?, path.parent().map(Path::to_path_buf)));
    }
    let hint = mistake::hint(name, SHIPPED.iter().map(|case| case.name));
    let hint = if hint.is_empty() { "; `portolan sim` lists them".to_owned() } else { hint };
    Err(anyhow!("there is no file or case {name:?}{hint}"))
}

/// Returns the world of a test case whose file lies in that folder.
pub(crate) fn world_of_case(case: &Case, folder: Option<&Path>, strictness: Strictness) -> Result<SquareGrid> {
    of_case_with(&case.world, folder, case.rules, strictness).map_err(|error| match error {
        CaseWorldError::File(error) => with_advice(error),
        other => other.into(),
    })
}

/// Returns the world in a saved chart, which has its own rules.
fn charted(path: &Path, args: &WorldArgs) -> Result<AnySnapshot> {
    let world = ChartFile::read(path)?.world::<SquareGrid>();
    let world = world.map_err(|source| FileError::Chart { path: path.to_path_buf(), source })?;
    let asked = args.rules();
    let own = Rules { metric: asked.metric.and(Some(world.metric())), ..world.rules() };
    if asked != Rules::default() && asked != own {
        bail!("{}: the world in it has its own rules; leave out --corners, --directions and --metric", path.display());
    }
    seen(AnySnapshot::from(world), args, || Ok(KindNames::default()))
}

/// Opens the saved chart of a world.
pub(crate) fn opened(path: &Path, world: &AnySnapshot) -> Result<Planner> {
    let squares = world.to_squares().map_err(|_| anyhow!("{}: no chart is of a world of hexes", path.display()))?;
    opened_for(path, squares)
}

/// Opens the saved chart of a world of squares or of a mesh.
pub(crate) fn opened_for<S: ChartSpace>(path: &Path, world: &Snapshot<S>) -> Result<Planner<S>> {
    read_chart(path, Some(world)).map(|(_, planner)| planner).map_err(|error| {
        let hint = match &error {
            FileError::Chart { source: ChartError::OtherWorld(Difference::Rules { .. }), .. } => {
                "; see --corners, --directions and --metric"
            }
            FileError::Chart { source: ChartError::OtherWorld(_), .. } => "; `portolan build` makes one of this map",
            _ => "",
        };
        anyhow!("{error}{hint}")
    })
}

/// Returns the map of a scenario: the file in its folder that has its name without `.scen`.
pub(crate) fn map_of_scenario(scenario: &Path) -> Result<PathBuf> {
    let map = scenario.with_extension("");
    if scenario.extension().is_some_and(|extension| extension == "scen") && map.is_file() {
        Ok(map)
    } else {
        Err(anyhow!("{}: there is no map {} beside it", scenario.display(), map.display()))
    }
}

/// Returns whether a file is a dynamic scenario: its first line says version 2. For a file that cannot be read it returns false, so that the reader
/// of version 1 reports the error.
pub(crate) fn is_dynamic(scenario: &Path) -> bool {
    let mut first = String::new();
    let read = fs::File::open(scenario).and_then(|file| BufReader::new(file).read_line(&mut first));
    read.is_ok() && first.split_whitespace().nth(1).is_some_and(|version| version.trim_end_matches(".0") == "2")
}

/// Writes bytes to a file. An error names the file.
pub(crate) fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    replace_file(path, bytes).map_err(|error| anyhow!("{}: {error}", path.display()))
}
