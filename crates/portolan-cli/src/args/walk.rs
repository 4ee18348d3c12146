//! The arguments and options of `portolan walk`.

use super::{Place, WorldArgs};
use clap::{Args, ValueHint};
use portolan::settings::Param;
use portolan_sim::mind::MIND_PARAMS;
use std::path::PathBuf;

/// Returns the end of the help: examples, the settings of minds, and what the output means.
fn more() -> String {
    let setting =
        |param: &Param| format!("  {:<10} {} ({}) [default: {}]", param.name, param.help, param.range, param.default);
    let settings: Vec<String> = MIND_PARAMS.iter().map(setting).collect();
    format!("{EXAMPLES}\n\nSettings of a mind:\n{}\n\n{ABOUT}", settings.join("\n"))
}

const EXAMPLES: &str = "\
Examples:
  portolan walk harbour --from 36,4 --to 52,33
  portolan walk harbour --from 36,4 --to 52,33 --mind knowledge=25,delta=0.5 --picture walk.svg
  portolan walk caves.map --from 3,3 --to 90,70 --mind knowledge=75,recall=cost --minds 20 --json
  portolan walk plains.hex --from 3,3 --to 30,20 --mind stretch=10 --seed 7
  portolan walk city.mesh --from 9,9 --to 150,120 --size 2 --picture walk.png";

const ABOUT: &str = "\
An agent that remembers finds its way as people do: where it knows nothing it explores, roughly towards its goal; in what it \
knows it searches, and prefers what it knows well; when it sees its goal it goes there. Hexagons are laid over the world, of \
--size 1 unless told otherwise: blocks of so many squares a side, the cells of hexes, or on a mesh hexagons in its own units. \
All lengths are numbers of hexagons. The walk is compared with the shortest one over the same hexagons, which A* finds.

The picture shows what the first mind knew before its walk in blue, darker the better; the shortest walk in green; \
the mind's own in pink where it explores, brown where it walks back, purple where it follows what it knows, and \
orange where it sees its goal.

JSON: {\"world\",\"kind\" where it is not square,\"mind\",\"size\",\"hexagons\" that can be reached,\"shortest\",\"ratio\" on average,\
\"lattice_bytes\",\"minds\":[{\"seed\",\"outcome\",\"walked\",\"ratio\",\"modes\",\"known_before\",\"known_after\",\"bytes\",\"walk_bytes\",\
\"steps\":[[x,y],...]},...]}; outcome is arrived or gave-up, and steps on a mesh are [x,y,height].
Exit codes: 0 all arrived, 2 bad input, 3 a mind found no way.";

#[derive(Args)]
#[command(after_help = more())]
pub(crate) struct WalkArgs {
    /// A map file, a mesh, or the name of a built-in world
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) map: String,
    /// How the mind explores, remembers and recalls: name=value, separated by commas
    #[arg(long, value_name = "SETTINGS", default_value = "", hide_default_value = true)]
    pub(crate) mind: String,
    /// Where the walk begins; on a mesh X,Y or X,Y,HEIGHT
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(crate) from: Place,
    /// Where the mind wants to be
    #[arg(long, value_name = "X,Y", allow_hyphen_values = true)]
    pub(crate) to: Place,
    /// How far apart the middles of two hexagons are [default: 1; on a mesh, eight hexagons to a polygon]
    #[arg(long, value_name = "SIZE")]
    pub(crate) size: Option<f64>,
    /// What the mind learns and where it turns, at random; of several minds, each has the next seed
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// How many minds walk, each for itself
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    pub(crate) minds: u32,
    /// Draw the world, what the first mind knew, its walk and the shortest one
    #[arg(long, value_name = "FILE.png|FILE.svg", value_hint = ValueHint::FilePath)]
    pub(crate) picture: Option<PathBuf>,
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) world: WorldArgs,
}
