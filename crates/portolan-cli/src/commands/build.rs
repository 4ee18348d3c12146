//! `portolan build`: builds the chart of a map or a mesh and saves it.

use super::mesh;
use crate::args::{BuildArgs, first_chart, savable};
use crate::entrants::algorithm;
use crate::source;
use crate::terminal::Screen;
use anyhow::{Result, anyhow, bail};
use portolan::saved::SaveError;
use portolan::{ALGORITHMS, Algorithm, BuildError, MESH_ALGORITHMS, NavMesh, Planner, Snapshot, Space};
use portolan_formats::chart_file::ChartSpace;
use portolan_formats::{Kind, write_chart};
use portolan_lab::table;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;

/// The result that is printed as JSON.
#[derive(Serialize)]
struct Built<'a> {
    chart: &'a Path,
    algorithm: &'a str,
    #[serde(flatten)]
    size: Size,
    build_ms: f64,
    write_ms: f64,
    bytes: usize,
    embedded: bool,
}

/// How large the world of the chart is.
#[derive(Serialize)]
#[serde(untagged)]
enum Size {
    Grid { width: usize, height: usize },
    Mesh { kind: &'static str, polygons: usize },
}

pub(crate) fn run(args: &BuildArgs, screen: &mut Screen) -> Result<ExitCode> {
    let output = args.output.display();
    if Kind::of(&args.output).is_some() {
        bail!("{output} is a map's name; name the chart otherwise, such as town.chart");
    }
    if args.output.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("mesh")) {
        bail!("{output} is a mesh's name; name the chart otherwise, such as level.chart");
    }
    if mesh::is_named(&args.map) {
        args.world.refuse_profile(mesh::NO_PROFILES)?;
        let with = args.with.as_deref().unwrap_or_else(|| first_chart(MESH_ALGORITHMS));
        let (algorithm, own) = mesh::algorithm(with)?;
        check_savable(algorithm, MESH_ALGORITHMS)?;
        let settings = algorithm.settings(&mesh::pairs(own, &args.set))?;
        let world = mesh::open(Path::new(&args.map))?;
        let size = Size::Mesh { kind: NavMesh::KIND, polygons: world.polygons() };
        return save(args, &world, size, || Planner::build(&world, algorithm, settings), screen);
    }
    let algorithm = algorithm(args.with.as_deref().unwrap_or_else(|| first_chart(ALGORITHMS)))?;
    check_savable(algorithm, ALGORITHMS)?;
    let settings = algorithm.settings(&mesh::pairs(Vec::new(), &args.set))?;
    let world = source::world(&args.map, &args.world)?;
    let world = world.to_squares().map_err(|error| anyhow!("{} is {error}", args.map))?;
    let size = Size::Grid { width: world.width(), height: world.height() };
    save(args, world, size, || Planner::build(world, algorithm, settings), screen)
}

/// Refuses an algorithm whose chart cannot be saved.
fn check_savable<S: Space>(algorithm: &Algorithm<S>, all: &[&'static Algorithm<S>]) -> Result<()> {
    if !algorithm.can_be_saved() {
        bail!("{}; {}", SaveError::Nothing(algorithm.name), savable(all));
    }
    Ok(())
}

/// Builds a planner, saves it and says so.
fn save<S: ChartSpace>(
    args: &BuildArgs,
    world: &Snapshot<S>,
    size: Size,
    build: impl FnOnce() -> Result<Planner<S>, BuildError>,
    screen: &mut Screen,
) -> Result<ExitCode> {
    let begun = Instant::now();
    let planner = build()?;
    let build_ms = milliseconds(begun);
    let begun = Instant::now();
    let bytes = write_chart(&args.output, &planner, world, args.embed)?;
    let (chart, write_ms, embedded) = (args.output.as_path(), milliseconds(begun), args.embed);
    let algorithm = planner.algorithm().name;
    if args.json {
        screen.json(&Built { chart, algorithm, size, build_ms, write_ms, bytes, embedded })?;
    } else {
        let (name, written) = (chart.display(), table::bytes(bytes));
        let ground = match size {
            Size::Grid { width, height } => format!("{width} x {height} cells"),
            Size::Mesh { polygons, .. } => format!("{} polygons", table::grouped(polygons as f64)),
        };
        writeln!(
            screen,
            "{name}: {algorithm} on {ground}, built in {build_ms:.1} ms; {written} written in {write_ms:.1} ms"
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn milliseconds(begun: Instant) -> f64 {
    (begun.elapsed().as_secs_f64() * 1e6).round() / 1e3
}
