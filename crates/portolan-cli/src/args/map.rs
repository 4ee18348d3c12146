//! The arguments and options of `portolan map`.

use super::{DrawingArgs, Place, ReportArgs, Setting, Size, values};
use clap::{Args, Subcommand, ValueHint};
use portolan::generate::{RECIPES, Recipe};
use std::path::PathBuf;

#[derive(Subcommand)]
pub(crate) enum MapCommand {
    /// Make a map from a recipe, a size and a seed
    New(NewArgs),
    /// Describe maps
    Info(InfoArgs),
    /// Draw a map in the terminal or into a picture
    Draw(DrawArgs),
    /// Read a map and write it in another format
    Convert(ConvertArgs),
}

#[derive(Args)]
#[command(after_help = recipes())]
pub(crate) struct NewArgs {
    /// Which recipe
    pub(crate) recipe: String,
    /// The file to write: .map, .png, .txt, .world or .hex, or .obj for geometry [default: only show it]
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
    /// Of which cells the world is, or geometry to build a mesh from [default: hexes for a .hex, else squares]
    #[arg(long, value_parser = values::kind())]
    pub(crate) kind: Option<&'static str>,
    /// Columns and rows, of geometry those of blocks [default: 64x64, of geometry 8x8]
    #[arg(long, value_name = "WxH")]
    pub(crate) size: Option<Size>,
    /// Which of the worlds this recipe can make
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// A setting of the recipe
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<Setting>,
    /// Print what was made as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

/// Returns the recipes and their settings, for the help.
fn recipes() -> String {
    let setting = |param: &portolan::settings::Param| {
        format!("{:<11}--set {}={}  {} ({})\n", "", param.name, param.default, param.help, param.range)
    };
    let recipe = |recipe: &Recipe| {
        let settings: Vec<String> = recipe.params.iter().map(setting).collect();
        format!("  {:<8} {}\n{}", recipe.name, recipe.summary, settings.concat())
    };
    let all: Vec<String> = RECIPES.iter().map(recipe).collect();
    format!(
        "Recipes:\n{}\nExamples:\n  portolan map new maze maze.map --size 129x129 --set corridor=2\n  \
         portolan map new caves --seed 9\n  portolan map new caves caves.hex --size 128x96\n  \
         portolan map new city city.obj --kind geometry --size 16x16\n\nOf hexes, each has the \
         terrain that the recipe gives its column and row.",
        all.concat()
    )
}

#[derive(Args)]
#[command(after_help = "Example:\n  portolan map info harbour maps/*.map")]
pub(crate) struct InfoArgs {
    /// Map files or names of built-in worlds
    #[arg(value_name = "MAP", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) maps: Vec<String>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  portolan map draw island
  portolan map draw town.map town.svg
  portolan map draw caves.hex caves.png
  portolan map draw harbour chart.svg --with rhumb --set spacing=12
  portolan map draw harbour field.svg --field 40,12")]
pub(crate) struct DrawArgs {
    /// A map file or the name of a built-in world
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) map: String,
    /// The picture to write: .png or .svg [default: draw in the terminal]
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: Option<PathBuf>,
    /// Draw what this algorithm keeps of the map as well: a chart's regions and ports, or a graph
    #[arg(long, value_name = "NAME", requires = "file")]
    pub(crate) with: Option<String>,
    /// A setting of the algorithm; see `portolan list`
    #[arg(long, value_name = "KEY=VALUE", requires = "with")]
    pub(crate) set: Vec<Setting>,
    /// Shade every cell by what it costs to walk from there to this cell, light near it and dark far away; with several, to the
    /// nearest of them
    #[arg(long, value_name = "X,Y")]
    pub(crate) field: Vec<Place>,
    /// Characters in a line when drawing in the terminal [default: as the terminal is wide]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) width: Option<u16>,
    /// Print what was drawn as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  portolan map convert harbour harbour.map
  portolan map convert town.png town.map
  portolan map convert town.map town.hex --cell-size 1.5
  portolan map convert town.tmx town.png

A .map knows no weights, an ASCII world (.txt, .world) those up to 9, a .png and a .hex all. An ASCII world and a .hex keep kinds of \
ground, borders, links and floors, the others lose them, which is said. Squares become hexes when a .hex is \
written: a hex is blocked where at least half of the squares below it are, else it weighs as much as they do on average.")]
pub(crate) struct ConvertArgs {
    /// A map file or the name of a built-in world
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) map: String,
    /// The file to write: .map, .png, .txt, .world or .hex
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) file: PathBuf,
    /// How many squares the middles of neighbouring hexes are apart, where hexes are laid over squares [default: 1]
    #[arg(long, value_name = "SQUARES")]
    pub(crate) cell_size: Option<f64>,
    /// Print what was written as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
}
