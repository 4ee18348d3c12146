//! The arguments and options of `portolan build` and `portolan info`.

use super::{ReportArgs, Setting, WorldArgs};
use clap::{Args, ValueHint};
use portolan::{ALGORITHMS, Algorithm, MESH_ALGORITHMS, Space};
use std::path::PathBuf;

/// Returns the algorithm of these whose chart is built unless another is named: the first one whose chart can be saved and
/// has levels.
pub(crate) fn first_chart<S: Space>(all: &[&'static Algorithm<S>]) -> &'static str {
    let has_levels = |algorithm: &&Algorithm<S>| algorithm.params.iter().any(|param| param.name == "levels");
    let saved = all.iter().copied().filter(|algorithm| algorithm.can_be_saved()).find(has_levels);
    saved.expect("the registry has charts of levels").name
}

/// Returns one line that lists the algorithms of these whose charts can be saved.
pub(crate) fn savable<S: Space>(all: &[&'static Algorithm<S>]) -> String {
    let saved = all.iter().filter(|algorithm| algorithm.can_be_saved());
    let names: Vec<&str> = saved.map(|algorithm| algorithm.name).collect();
    format!("what can be saved: {}", names.join(", "))
}

const BUILD: &str = "\
Examples:
  portolan build town.map -o town.chart
  portolan build town.map -o town.chart --with dhpa-star --set levels=2 --embed
  portolan find town.map --from 3,3 --to 250,199 --chart town.chart
  portolan build level.mesh -o level.chart --set levels=2

The file knows its world by size, rules and a hash of the terrain, or its mesh by a hash of the parts, and opens for no \
other; with --embed the world is in it. An existing file is replaced in one go.
JSON: {\"chart\",\"algorithm\",\"width\",\"height\",\"build_ms\",\"write_ms\",\"bytes\",\"embedded\"}; of a mesh there are \"kind\" and \
\"polygons\" in place of width and height";

/// Returns the end of the help: examples, what a chart's file holds, and which algorithms' charts can be saved.
fn about_building() -> String {
    format!("{BUILD}\n\nWith --with, {}.\nOn a mesh, {}.", savable(ALGORITHMS), savable(MESH_ALGORITHMS))
}

fn with_help() -> String {
    let [grid, mesh] = [first_chart(ALGORITHMS), first_chart(MESH_ALGORITHMS)];
    format!("Which algorithm: one whose chart can be saved, see below [default: {grid}, on a mesh {mesh}]")
}

#[derive(Args)]
#[command(after_help = about_building())]
pub(crate) struct BuildArgs {
    /// A map or mesh file or the name of a built-in world
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) map: String,
    /// The file to write
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: PathBuf,
    #[arg(long, value_name = "NAME", help = with_help())]
    pub(crate) with: Option<String>,
    /// A setting of the algorithm; see `portolan list`
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<Setting>,
    /// Put the world into the file too
    #[arg(long)]
    pub(crate) embed: bool,
    /// Print what was written as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) world: WorldArgs,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  portolan info town.chart
  portolan info town.chart --map town.map --json
  portolan info level.chart --map level.mesh

The levels of the chart can be shown when the world is in the file or its map is named.")]
pub(crate) struct ChartInfoArgs {
    /// A saved chart
    #[arg(value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) chart: PathBuf,
    /// The map or mesh it was built from
    #[arg(long, value_name = "MAP", value_hint = ValueHint::FilePath)]
    pub(crate) map: Option<String>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}
