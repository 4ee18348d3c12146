//! `portolan info`: describes a saved chart.

use super::mesh;
use crate::args::ChartInfoArgs;
use crate::source;
use crate::terminal::{BOLD, Screen};
use anyhow::{Result, bail};
use portolan::any::{AnyPlanner, AnySnapshot};
use portolan::outline::Census;
use portolan::{NavMesh, Space, SquareGrid};
use portolan_formats::chart_file::{ChartHeader, GridReference, MeshReference, WorldReference};
use portolan_formats::{ChartFile, read_chart};
use portolan_lab::table;
use serde::Serialize;
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// The description that is printed as JSON.
#[derive(Serialize)]
struct Info<'a> {
    chart: &'a Path,
    version: u32,
    algorithm: &'a str,
    settings: BTreeMap<&'a str, &'a str>,
    #[serde(flatten)]
    world: WorldFacts,
    embedded: bool,
    bytes: usize,
    sections: Vec<Part<'a>>,
    levels: Option<Vec<Level>>,
}

/// What the chart knows its world by. The hash is a text, since it can be too large for the numbers of JSON.
#[derive(Serialize)]
#[serde(untagged)]
enum WorldFacts {
    Grid { width: usize, height: usize, rules: String, terrain: String },
    Mesh { kind: &'static str, polygons: usize, vertices: usize, links: usize, parts: String },
}

impl WorldFacts {
    fn of(world: WorldReference) -> WorldFacts {
        let (words, hash) = (world.to_string(), format!("{:016x}", world.hash()));
        match world {
            WorldReference::Square(GridReference { width, height, .. }) => {
                let rules = words.split_once(", ").map_or(words.as_str(), |(_, rules)| rules).to_owned();
                WorldFacts::Grid { width, height, rules, terrain: hash }
            }
            WorldReference::Mesh(MeshReference { polygons, vertices, links, .. }) => {
                WorldFacts::Mesh { kind: world.kind(), polygons, vertices, links, parts: hash }
            }
        }
    }
}

#[derive(Serialize)]
struct Part<'a> {
    name: &'a str,
    bytes: usize,
}

#[derive(Serialize)]
struct Level {
    clusters: usize,
    nodes: usize,
    inter_edges: usize,
    intra_edges: usize,
}

impl From<Census> for Level {
    fn from(Census { clusters, nodes, inter_edges, intra_edges, .. }: Census) -> Level {
        Level { clusters, nodes, inter_edges, intra_edges }
    }
}

pub(crate) fn run(args: &ChartInfoArgs, screen: &mut Screen) -> Result<ExitCode> {
    let file = ChartFile::read(&args.chart)?;
    let header = file.header();
    let sections: Vec<Part> = header.sections.iter().map(|(name, bytes)| Part { name, bytes: *bytes }).collect();
    let info = Info {
        chart: &args.chart,
        version: header.version,
        algorithm: &header.algorithm,
        settings: header.settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
        world: WorldFacts::of(header.world),
        embedded: header.is_embedded(),
        bytes: file.len(),
        sections,
        levels: levels(args, header)?,
    };
    if args.report.json {
        screen.json(&info)?;
    } else {
        describe(&info, &header.world, screen)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the levels of the chart, or `None` if its world is neither named nor in the file.
fn levels(args: &ChartInfoArgs, header: &ChartHeader) -> Result<Option<Vec<Level>>> {
    if args.map.is_none() && !header.is_embedded() {
        return Ok(None);
    }
    let census = if header.world.kind() == NavMesh::KIND { census_of_mesh(args)? } else { census_of_grid(args)? };
    Ok(Some(census.into_iter().map(Level::from).collect()))
}

fn census_of_mesh(args: &ChartInfoArgs) -> Result<Vec<Census>> {
    let map = args.map.as_ref().map_or(args.chart.as_path(), Path::new);
    if args.map.as_ref().is_some_and(|map| !mesh::is_named(map)) {
        bail!("{}: it is the chart of a mesh, and {} is none", args.chart.display(), map.display());
    }
    let world = mesh::open(map)?;
    Ok(source::opened_for(&args.chart, &world)?.census(&world)?)
}

fn census_of_grid(args: &ChartInfoArgs) -> Result<Vec<Census>> {
    let (world, planner) = if let Some(map) = &args.map {
        let world = source::world(map, &args.report.world)?;
        let planner = source::opened(&args.chart, &world)?;
        (world, AnyPlanner::from(planner))
    } else {
        let (world, planner) = read_chart::<SquareGrid>(&args.chart, None)?;
        (AnySnapshot::from(world), AnyPlanner::from(planner))
    };
    Ok(planner.census(&world)?)
}

fn describe(info: &Info, world: &WorldReference, screen: &mut Screen) -> Result<()> {
    screen.styled(BOLD, &info.chart.display().to_string())?;
    let mut line = |name: &str, text: &str| writeln!(screen, "  {name:<10} {text}");
    line("algorithm", info.algorithm)?;
    let settings: Vec<String> = info.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    line("settings", &settings.join(" "))?;
    line("world", &world.to_string())?;
    let hash = if world.kind() == NavMesh::KIND { "parts" } else { "terrain" };
    let place = if info.embedded { "in the file" } else { "not in the file" };
    line(hash, &format!("{:016x}, {place}", world.hash()))?;
    line("size", &format!("{}, version {} of the format", table::bytes(info.bytes), info.version))?;
    let sections: Vec<String> =
        info.sections.iter().map(|section| format!("{} {}", section.name, table::bytes(section.bytes))).collect();
    line("sections", &sections.join(", "))?;
    let Some(levels) = &info.levels else {
        return Ok(line("levels", "--map MAP shows them")?);
    };
    for (number, level) in levels.iter().enumerate() {
        let [clusters, nodes, inter, intra] = [level.clusters, level.nodes, level.inter_edges, level.intra_edges]
            .map(|count| table::grouped(count as f64));
        let counts = if world.kind() == NavMesh::KIND {
            format!("{clusters} clusters of polygons, {inter} portals between them")
        } else {
            format!("{clusters} clusters, {nodes} nodes, {inter} edges between clusters, {intra} inside")
        };
        line(&format!("level {}", number + 1), &counts)?;
    }
    Ok(())
}
