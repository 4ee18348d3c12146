//! `portolan mesh`: builds, describes, draws and converts navigation meshes. Finding routes on them and racing over them are
//! in this folder too; `portolan find` and `portolan race` come here when their map is a mesh.

pub(crate) mod find;
pub(crate) mod link;
pub(crate) mod race;

use crate::args::{MeshBuildArgs, MeshConvertArgs, MeshDrawArgs, MeshInfoArgs, Setting};
use crate::terminal::{BOLD, Progress, Screen};
use crate::{mistake, source};
use anyhow::{Result, anyhow, bail};
use portolan::{Algorithm, MESH_ALGORITHMS, MeshParts, NavMesh, Snapshot, Space};
use portolan_formats::{ChartFile, FileError, MeshFormat, chart_file, is_mesh, read_geometry, read_mesh, write_mesh};
use portolan_lab::mesh::picture::{MeshPicture, View};
use portolan_lab::table;
use portolan_mesh::{BuildOptions, build, from_hexes, from_squares};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// Why meshes take no profile.
pub(crate) const NO_PROFILES: &str =
    "a mesh is made for agents of one size, by `portolan mesh build`; profiles are for grids";

/// Returns whether a file is a mesh or the saved chart of one.
pub(crate) fn is_named(map: &str) -> bool {
    is_mesh(Path::new(map)) || is_chart_of_mesh(Path::new(map))
}

/// Returns whether a file is the saved chart of a mesh.
pub(crate) fn is_chart_of_mesh(path: &Path) -> bool {
    chart_file::kind(path) == Some(NavMesh::KIND)
}

/// Reads a mesh, or the one in a saved chart. Every error names the file.
pub(crate) fn open(path: &Path) -> Result<Snapshot<NavMesh>> {
    if is_chart_of_mesh(path) {
        let world = ChartFile::read(path)?.world();
        return Ok(world.map_err(|source| FileError::Chart { path: path.to_path_buf(), source })?);
    }
    checked(path, &read_mesh(path)?)
}

fn checked(path: &Path, parts: &MeshParts) -> Result<Snapshot<NavMesh>> {
    Ok(Snapshot::from(NavMesh::new(parts).map_err(|error| anyhow!("{}: {error}", path.display()))?))
}

/// An algorithm on meshes, and the settings after its name.
pub(crate) type Named = (&'static Algorithm<NavMesh>, Vec<(String, String)>);

/// Returns the algorithm on meshes that a text begins with, and the settings after its name.
pub(crate) fn algorithm(text: &str) -> Result<Named> {
    let name = text.split_whitespace().next().unwrap_or_default();
    let known = || MESH_ALGORITHMS.iter().map(|algorithm| algorithm.name);
    let found = MESH_ALGORITHMS.iter().copied().find(|algorithm| algorithm.name == name).ok_or_else(|| {
        let hint = mistake::hint(name, known());
        anyhow!("there is no algorithm {name:?} on meshes{hint} (there are {})", known().collect::<Vec<_>>().join(", "))
    })?;
    let settings = crate::entrants::own_settings(text);
    if text.split_whitespace().count() != 1 + settings.len() {
        bail!("{text:?}: expected a name, then KEY=VALUE for each setting");
    }
    Ok((found, settings))
}

/// Returns settings as pairs, those of the text before those that were given apart.
pub(crate) fn pairs(own: Vec<(String, String)>, given: &[Setting]) -> Vec<(String, String)> {
    own.into_iter().chain(given.iter().map(|Setting { key, value }| (key.clone(), value.clone()))).collect()
}

/// What is said of a mesh.
#[derive(Serialize)]
struct Facts<'a> {
    file: &'a Path,
    polygons: usize,
    vertices: usize,
    portals: usize,
    links: usize,
    components: usize,
    bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    build_ms: Option<f64>,
}

impl<'a> Facts<'a> {
    fn of(file: &'a Path, mesh: &NavMesh) -> Facts<'a> {
        Facts {
            file,
            polygons: mesh.polygons(),
            vertices: mesh.vertices(),
            portals: mesh.portals(),
            links: mesh.links().len(),
            components: mesh.components(),
            bytes: mesh.bytes(),
            build_ms: None,
        }
    }

    fn line(&self) -> String {
        let count = |number: usize| table::grouped(number as f64);
        let pieces =
            if self.components == 1 { "one piece".to_owned() } else { format!("{} pieces", count(self.components)) };
        let links = match self.links {
            0 => String::new(),
            1 => ", 1 link".to_owned(),
            many => format!(", {} links", count(many)),
        };
        format!(
            "{} polygons, {} vertices, {} portals{links}, {pieces}, {}",
            count(self.polygons),
            count(self.vertices),
            count(self.portals),
            table::bytes(self.bytes)
        )
    }
}

pub(crate) fn build_mesh(args: &MeshBuildArgs, screen: &mut Screen) -> Result<ExitCode> {
    let output = args.output.clone().unwrap_or_else(|| args.level.with_extension("mesh"));
    let geometry = read_geometry(&args.level)?;
    let mut options = BuildOptions::default();
    (options.radius, options.height, options.climb) = (args.radius, args.height, args.climb);
    (options.slope, options.cell_size, options.cell_height) = (args.slope, args.cell_size, args.cell_height);
    options.tile_size = args.tile;
    let begun = Instant::now();
    let mut progress = Progress::new(&args.level.display().to_string());
    let built = build(&geometry, &options, &mut |at| progress.at(at.done as u64, at.tiles as u64));
    drop(progress);
    let parts = built.map_err(|error| anyhow!("{}: {error}", args.level.display()))?;
    let build_ms = (begun.elapsed().as_secs_f64() * 1e6).round() / 1e3;
    let mesh = checked(&args.level, &parts)?;
    write_mesh(&output, &parts, MeshFormat::NavMesh)?;
    let facts = Facts { build_ms: Some(build_ms), ..Facts::of(&output, &mesh) };
    if args.json {
        screen.json(&facts)?;
    } else {
        writeln!(screen, "{}: {}", output.display(), facts.line())?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn info(args: &MeshInfoArgs, screen: &mut Screen) -> Result<ExitCode> {
    let meshes = args.meshes.iter().map(|path| open(path)).collect::<Result<Vec<_>>>()?;
    let facts: Vec<Facts> = args.meshes.iter().zip(&meshes).map(|(path, mesh)| Facts::of(path, mesh)).collect();
    if args.json {
        match &facts[..] {
            [one] => screen.json(one)?,
            many => screen.json(&many)?,
        }
        return Ok(ExitCode::SUCCESS);
    }
    for facts in &facts {
        screen.styled(BOLD, &facts.file.display().to_string())?;
        writeln!(screen, "  {}", facts.line())?;
    }
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn draw(args: &MeshDrawArgs, screen: &mut Screen) -> Result<ExitCode> {
    super::find::check_picture(&args.file)?;
    let mesh = open(&args.mesh)?;
    let labels = args.with.as_ref().map(|with| labels(args, with, &mesh)).transpose()?.unwrap_or_default();
    let view = if args.isometric { View::Isometric } else { View::Above };
    save(&MeshPicture::new(&mesh).seen_from(view).with_labels(&labels), &args.file)?;
    writeln!(screen, "{}: {}", args.file.display(), Facts::of(&args.mesh, &mesh).line())?;
    Ok(ExitCode::SUCCESS)
}

/// Returns the node of every polygon on the level that is asked for.
fn labels(args: &MeshDrawArgs, with: &str, mesh: &Snapshot<NavMesh>) -> Result<Vec<u32>> {
    let (algorithm, own) = algorithm(with)?;
    let settings = algorithm.settings(&pairs(own, &args.set))?;
    let planner = portolan::Planner::build(mesh, algorithm, settings)?;
    let outline =
        planner.outline(mesh)?.ok_or_else(|| anyhow!("{} divides nothing that could be drawn", algorithm.name))?;
    let levels = outline.layers.len();
    let level = args.level.map_or(levels, usize::from);
    let layer = outline.layers.into_iter().nth(level - 1);
    Ok(layer.ok_or_else(|| anyhow!("there is no level {level}: {} has {levels}", algorithm.name))?.labels)
}

/// Writes a picture in the format that the file's name says.
pub(crate) fn save(picture: &MeshPicture, path: &Path) -> Result<()> {
    let is_svg = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"));
    source::write(path, &if is_svg { picture.svg().into_bytes() } else { picture.png() })
}

pub(crate) fn convert(args: &MeshConvertArgs, screen: &mut Screen) -> Result<ExitCode> {
    let path = Path::new(&args.map);
    let parts = if is_mesh(path) {
        read_mesh(path)?
    } else {
        let world = source::world(&args.map, &args.drawing.into())?;
        match (world.square(), world.hex()) {
            (Some(grid), _) => from_squares(grid),
            (None, Some(grid)) => from_hexes(grid),
            (None, None) => bail!("{}: expected squares or hexes", args.map),
        }
    };
    let mesh = checked(path, &parts)?;
    write_mesh(&args.file, &parts, args.format)?;
    writeln!(screen, "{}: {}", args.file.display(), Facts::of(&args.file, &mesh).line())?;
    Ok(ExitCode::SUCCESS)
}
