//! `portolan build`: builds the chart of a map and saves it.

use crate::args::{BuildArgs, savable};
use crate::entrants::algorithm;
use crate::source;
use crate::terminal::Screen;
use anyhow::{Result, anyhow, bail};
use portolan::Planner;
use portolan::saved::SaveError;
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
    width: usize,
    height: usize,
    build_ms: f64,
    write_ms: f64,
    bytes: usize,
    embedded: bool,
}

pub(crate) fn run(args: &BuildArgs, screen: &mut Screen) -> Result<ExitCode> {
    if Kind::of(&args.output).is_some() {
        bail!("{} is a map's name; name the chart otherwise, such as town.chart", args.output.display());
    }
    let algorithm = algorithm(&args.with)?;
    if !algorithm.can_be_saved() {
        bail!("{}; {}", SaveError::Nothing(algorithm.name), savable());
    }
    let pairs: Vec<_> = args.set.iter().map(|setting| (&setting.key, &setting.value)).collect();
    let settings = algorithm.settings(&pairs)?;
    let world = source::world(&args.map, &args.world)?;
    let world = world.to_squares().map_err(|error| anyhow!("{} is {error}", args.map))?;
    let begun = Instant::now();
    let planner = Planner::build(world, algorithm, settings)?;
    let build_ms = milliseconds(begun);
    let begun = Instant::now();
    let bytes = write_chart(&args.output, &planner, world, args.embed)?;
    let (chart, write_ms, embedded) = (args.output.as_path(), milliseconds(begun), args.embed);
    let (width, height) = (world.width(), world.height());
    let algorithm = algorithm.name;
    if args.json {
        screen.json(&Built { chart, algorithm, width, height, build_ms, write_ms, bytes, embedded })?;
    } else {
        let (name, size) = (chart.display(), table::bytes(bytes));
        writeln!(
            screen,
            "{name}: {algorithm} on {width} x {height} cells, built in {build_ms:.1} ms; {size} written in {write_ms:.1} ms"
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn milliseconds(begun: Instant) -> f64 {
    (begun.elapsed().as_secs_f64() * 1e6).round() / 1e3
}
