//! The command line: commands, options, and their help. Not here: what the commands do.

mod chart;
mod crowd;
mod game;
mod map;
mod mesh;
mod race;
mod sim;
mod studio;
mod values;
mod walk;
mod world;

pub(crate) use chart::{BuildArgs, ChartInfoArgs, first_chart, savable};
use clap::{Args, Parser, Subcommand, ValueHint};
use clap_complete::Shell;
pub(crate) use crowd::CrowdArgs;
pub(crate) use game::GameArgs;
pub(crate) use map::{ConvertArgs, DrawArgs, InfoArgs, MapCommand, NewArgs};
pub(crate) use mesh::{MeshBuildArgs, MeshCommand, MeshConvertArgs, MeshDrawArgs, MeshInfoArgs, MeshLinkArgs};
use portolan::auto::AUTO;
use portolan_lab::worlds::BUILTIN;
pub(crate) use race::RaceArgs;
pub(crate) use sim::SimArgs;
use std::path::PathBuf;
pub(crate) use studio::StudioArgs;
pub(crate) use values::{GEOMETRY, Place, Setting, Size};
pub(crate) use walk::WalkArgs;
pub(crate) use world::{DrawingArgs, ReportArgs, WorldArgs};

/// Pathfinding for games and simulations: find routes, race algorithms, make and draw worlds.
///
/// Without a command, races every algorithm on a built-in world.
#[derive(Parser)]
#[command(name = "portolan", version, args_conflicts_with_subcommands = true, after_help = overview())]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,
    /// Print the result of the race as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

const EXAMPLES: &str = "\
Examples:
  portolan                                                race everything on the built-in harbour
  portolan find harbour --from 36,4 --to 52,33            one route
  portolan race maze.map --scen maze.map.scen --queries 100
  portolan race maps/dynamic/*.scen                       maps that are patched between queries
  portolan map new caves caves.map --size 512x512 --seed 7
  portolan build caves.map -o caves.chart                 a chart to open with --chart
  portolan mesh build level.obj -o level.mesh             a navigation mesh for find, race and crowd
  portolan check maps/dao/*.scen                          are the scenarios' lengths found?
  portolan studio --open                                  draw, watch and race in the browser
  portolan study hpa-2004 --maps maps/bg                  a paper's tables and figures, measured again
  portolan sim bridge-blown                               an agent walks while the world changes
  portolan sim keep --agents auto,a-star --traps 5%       a game of keys, doors, traps and monsters
  portolan crowd harbour --agents 50                      a crowd with bodies walks to random goals
  portolan walk harbour --from 36,4 --to 52,33 --mind knowledge=25   an agent finds its way as people do
";

/// Returns the end of the help: examples, what a map can be, and the exit codes.
fn overview() -> String {
    let names: Vec<&str> = BUILTIN.iter().map(|world| world.name).collect();
    format!(
        "{EXAMPLES}\nA MAP is a .map, .png, .txt, .world or .hex file, a map of Tiled (.tmx, .tmj) or LDtk (.ldtk), a saved chart with its world in it, or a built-in world: {}.\n\
         Cells are named by column and row, on hexes too. `find`, `race`, `crowd` and `walk` also take meshes, on which places are x,y or x,y,height.\n\
         Exit codes: 0 done, 1 wrong answers, 2 bad input, 3 no route.",
        names.join(", ")
    )
}

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Find a route between two cells
    Find(FindArgs),
    /// Race algorithms on the same queries
    Race(RaceArgs),
    /// Build the chart of a map or mesh and save it
    Build(BuildArgs),
    /// Describe a saved chart
    Info(ChartInfoArgs),
    /// Make, describe, draw and convert maps
    Map {
        #[command(subcommand)]
        command: MapCommand,
    },
    /// Build, link, describe, draw and convert navigation meshes
    Mesh {
        #[command(subcommand)]
        command: MeshCommand,
    },
    /// List the algorithms and their settings
    List(ListArgs),
    /// Re-solve scenarios and compare with the lengths they state
    Check(CheckArgs),
    /// Run the experiments of a paper again, or list the papers
    Study(StudyArgs),
    /// Play a test case or a game: agents walk while the world changes
    Sim(SimArgs),
    /// Let a crowd of agents with bodies walk to random goals
    Crowd(CrowdArgs),
    /// Let an agent that explores and remembers walk from one place to another
    Walk(WalkArgs),
    /// Draw worlds, watch searches and race algorithms on a page in the browser
    Studio(StudioArgs),
    /// Print a completion script for a shell
    #[command(
        after_help = "Example:\n  portolan completions bash > ~/.local/share/bash-completion/completions/portolan"
    )]
    Completions {
        /// Which shell
        shell: Shell,
    },
    /// Print the manual page, or write one for every command into a folder
    Man {
        /// Where to write the pages
        #[arg(value_hint = ValueHint::DirPath)]
        folder: Option<PathBuf>,
    },
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  portolan find harbour --from 36,4 --to 52,33
  portolan find cave.map --from 3,3 --to 250,199 --with weighted-a-star --set weight=2 --json
  portolan find town.png --from 0,0 --to 99,99 --nearest --picture route.svg
  portolan find town.map --from 0,0 --to 99,99 --chart town.chart
  portolan find level.mesh --from 3.5,-12 --to 40,7.25 --with polyanya --picture route.svg
  portolan find level.mesh --from 3.5,-12 --to 40,7.25 --chart level.chart

Unless an algorithm is named, the rules that `portolan list` ends with choose one for a single query and say why.

JSON: {\"outcome\",\"algorithm\",\"why\" where it was chosen,\"length\",\"cost\",\"steps\":[[x,y],...],\"expanded\",\"time_us\"}; outcome is \
reached, partial, unreachable, out-of-budget or too-far. On hexes there is \"kind\" as well, and [x,y] are column and row. On a mesh there are \"points\":[[x,y,height],...] where the route begins, turns and ends, and their \"polygons\", in place of steps. Exit codes: 0 a route, 2 bad input, 3 no route.")]
pub(crate) struct FindArgs {
    /// A map file or the name of a built-in world [default: the world in the chart]
    #[arg(value_hint = ValueHint::FilePath, required_unless_present = "chart")]
    pub(crate) map: Option<String>,
    /// Where the agent stands; on a mesh X,Y or X,Y,HEIGHT
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(crate) from: Place,
    /// Where it wants to be
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(crate) to: Place,
    /// Which algorithm, with settings after it if need be ("rhumb smoothing=taut"); auto chooses one for a single query
    #[arg(long, value_name = "NAME", default_value = AUTO)]
    pub(crate) with: String,
    /// A saved chart to open instead of building one; see `portolan build`
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, conflicts_with_all = ["with", "set"])]
    pub(crate) chart: Option<String>,
    /// A setting of the algorithm; see `portolan list`
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<Setting>,
    /// Give up after expanding this many nodes
    #[arg(long, value_name = "N")]
    pub(crate) budget: Option<u64>,
    /// Go to the nearest reachable cell when the goal is blocked or cut off
    #[arg(long)]
    pub(crate) nearest: bool,
    /// Print the answer as JSON
    #[arg(long)]
    pub(crate) json: bool,
    /// Draw the route and what was expanded
    #[arg(long, value_name = "FILE.png|FILE.svg", value_hint = ValueHint::FilePath)]
    pub(crate) picture: Option<PathBuf>,
    /// Draw what the algorithm keeps of the map as well: a chart's regions and ports, or a graph
    #[arg(long, requires = "picture")]
    pub(crate) outline: bool,
    #[command(flatten)]
    pub(crate) world: WorldArgs,
}

#[derive(Args)]
#[command(after_help = "Examples:\n  portolan list\n  portolan list pra-star\n  portolan list --json")]
pub(crate) struct ListArgs {
    /// Only these [default: all of them, and how auto chooses]
    #[arg(value_name = "NAME")]
    pub(crate) names: Vec<String>,
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  portolan check maps/dao/*.scen
  portolan check town.map.scen --with jump-point --queries 200

The map of NAME.map.scen is NAME.map in the same folder; dynamic scenarios (version 2) bring their own. A search that \
can take ages (ida-star) gives up a query after 20000 expansions unless --budget says otherwise: no mismatch.
Exit codes: 0 all as stated, 1 mismatches, 2 bad input.")]
pub(crate) struct CheckArgs {
    /// Scenario files
    #[arg(value_name = "SCEN", required = true, value_hint = ValueHint::FilePath)]
    pub(crate) scenarios: Vec<PathBuf>,
    /// Which algorithms, or auto [default: all that run on the map and promise the optimum]
    #[arg(long, value_name = "A,B,...", value_delimiter = ',')]
    pub(crate) with: Vec<String>,
    /// Take only that many queries of each scenario, spread evenly over lengths
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) queries: Option<u32>,
    /// Let every algorithm give up a query after expanding this many nodes
    #[arg(long, value_name = "N")]
    pub(crate) budget: Option<u64>,
    #[command(flatten)]
    pub(crate) report: ReportArgs,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  portolan study
  portolan study hpa-2004 --maps maps/bg -o hpa.html
  portolan study dhpa-2010 --quick --json -
  portolan study pra-2017 --maps maps
  portolan study hna-2020 --maps maps/mesh
  portolan study hna-2020 --chapter 5 --maps maps
  portolan study dstar-2008
  portolan study sizes --largest 8192 --with jump-point,dhpa-star

Prints every table beside the paper's own figures, ends with a verdict on each target, and writes a web page with the \
figures redrawn. Without --maps the maps are those in bg/ of the folder PORTOLAN_MAPS names, by default \
../shared/maps; where there is none, generated look-alikes. The study pra-2017 takes the maps its thesis names, wherever \
below the folder they are, and asks what the scenarios beside them do; any-angle takes those in dao/ with theirs, haa-2008 six maps of games and streets. The study hna-2020 makes cities and takes the meshes and levels in mesh/ \
besides: .mesh, .obj, .gltf and .glb; its --chapter 5, about minds, makes a building, a city and caves, and takes five maps of \
games and streets besides. The study \
dstar-2008 plays games on worlds of its own, --queries of them on each, by default 30. The study sizes is no paper's: it makes ever larger worlds \
of its own, up to 2048 cells a side unless --largest says otherwise; 8192 takes minutes and gigabytes. All numbers but times are the same on every machine.")]
pub(crate) struct StudyArgs {
    /// Which study [default: list them]
    pub(crate) name: Option<String>,
    /// Which chapter of the paper, where there are several studies of it [default: for hna-2020, 3 and 4]
    #[arg(long, value_name = "N", requires = "name")]
    pub(crate) chapter: Option<u32>,
    /// A folder of .map files, for hna-2020 of meshes and levels
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath, requires = "name")]
    pub(crate) maps: Option<PathBuf>,
    /// Queries or games a map [default: 100, in sizes 50, in dstar-2008 30, in chapter 5 of hna-2020 1000, or 20 with --quick, in dstar-2008 5]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), requires = "name")]
    pub(crate) queries: Option<u32>,
    /// Which random queries
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub(crate) seed: u64,
    /// Fewer maps and queries
    #[arg(long, requires = "name")]
    pub(crate) quick: bool,
    /// Cells along the side of the largest world of sizes [default: 2048, or 512 with --quick]
    #[arg(long, value_name = "CELLS", value_parser = clap::value_parser!(u32).range(256..=8192), requires = "name")]
    pub(crate) largest: Option<u32>,
    /// Which algorithms sizes measures [default: jump points and every chart]
    #[arg(long, value_name = "A,B,...", value_delimiter = ',', requires = "name")]
    pub(crate) with: Vec<String>,
    /// The web page to write [default: study-NAME.html, or study-NAME-CHAPTER.html]
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath, requires = "name")]
    pub(crate) output: Option<PathBuf>,
    /// Write the result as JSON, to standard output if -
    #[arg(long, value_name = "FILE|-", num_args = 0..=1, default_missing_value = "-", value_hint = ValueHint::FilePath)]
    pub(crate) json: Option<PathBuf>,
}
