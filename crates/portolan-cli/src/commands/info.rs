//! `portolan info`: describes a saved chart.

use crate::args::ChartInfoArgs;
use crate::source;
use crate::terminal::{BOLD, Screen};
use anyhow::Result;
use portolan::any::{AnyPlanner, AnySnapshot};
use portolan::outline::Census;
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
    width: usize,
    height: usize,
    rules: String,
    terrain: String,
    embedded: bool,
    bytes: usize,
    sections: Vec<Part<'a>>,
    levels: Option<Vec<Level>>,
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
    let rules = header.world.to_string();
    let info = Info {
        chart: &args.chart,
        version: header.version,
        algorithm: &header.algorithm,
        settings: header.settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect(),
        width: header.world.width,
        height: header.world.height,
        rules: rules.split_once(", ").map_or(rules.as_str(), |(_, rules)| rules).to_owned(),
        terrain: format!("{:016x}", header.world.terrain),
        embedded: header.is_embedded(),
        bytes: file.len(),
        sections,
        levels: levels(args, header.is_embedded())?,
    };
    if args.report.json {
        screen.json(&info)?;
    } else {
        describe(&info, screen)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the levels of the chart, or `None` if its world is neither named nor in the file.
fn levels(args: &ChartInfoArgs, embedded: bool) -> Result<Option<Vec<Level>>> {
    let (world, planner) = match &args.map {
        Some(map) => {
            let world = source::world(map, &args.report.world)?;
            let planner = source::opened(&args.chart, &world)?;
            (world, AnyPlanner::from(planner))
        }
        None if embedded => {
            let (world, planner) = read_chart(&args.chart, None)?;
            (AnySnapshot::from(world), AnyPlanner::from(planner))
        }
        None => return Ok(None),
    };
    Ok(Some(planner.census(&world)?.into_iter().map(Level::from).collect()))
}

fn describe(info: &Info, screen: &mut Screen) -> Result<()> {
    screen.styled(BOLD, &info.chart.display().to_string())?;
    let mut line = |name: &str, text: &str| writeln!(screen, "  {name:<10} {text}");
    line("algorithm", info.algorithm)?;
    let settings: Vec<String> = info.settings.iter().map(|(name, value)| format!("{name}={value}")).collect();
    line("settings", &settings.join(" "))?;
    line("world", &format!("{} x {}, {}", info.width, info.height, info.rules))?;
    line("terrain", &format!("{}, {}", info.terrain, if info.embedded { "in the file" } else { "not in the file" }))?;
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
        let counts = format!("{clusters} clusters, {nodes} nodes, {inter} edges between clusters, {intra} inside");
        line(&format!("level {}", number + 1), &counts)?;
    }
    Ok(())
}
