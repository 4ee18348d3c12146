//! The arguments and options of `portolan sim`.

use super::game::GameArgs;
use super::{DrawingArgs, Setting};
use clap::{Args, ValueHint};
use portolan_formats::Case;
use portolan_sim::Follow;

#[derive(Args)]
#[command(after_help = "\
Examples:
  portolan sim                                  which cases there are
  portolan sim bridge-blown
  portolan sim flicker --with rhumb --set spacing=12
  portolan sim faster-than-rebuild --follow repair
  portolan sim my.case --json --no-times        the same bytes in every run
  portolan sim keep --agents a-star,hpa-star --traps 5% --every 20 --watch
  portolan sim realm --crowd 200 --agents hpa-star --legs --traps 2% --ticks 2000
  portolan sim dungeon.txt --agents 'a-star successors=all,d-star-lite' --traps 5% --runs 30 --log log.tsv

A case is a text file: a world, an agent, and what happens when. Write one with any editor:

  portolan case 1
  about A wall goes up across the way
  world harbour              # built in, a file beside the case, or: world caves 256x256 seed 7
  from 36,4
  to 52,33
  with rhumb spacing=12      # else the rules that `portolan list` ends with choose
  replan touched             # think again when an edit touches the way, or after any
  follow rebuild 5           # the planner follows edits on another thread, ready 5 ticks later; else at once
  at 10 block 40,12 1x8      # before the step of tick 10; also clear X,Y WxH and weight N X,Y WxH

Instead of naming a world, end with a line `map` and draw it below, as crates/portolan-sim/worlds/README.md says.

A world instead of a case is a game: every agent fetches key x, goes to door X, then y and Y, z and Z, while pit traps \
appear and vanish and monsters roam. Agents begin at p, q or r, or at o where there is none, and see the same traps. Told for each \
goal and in sum: inserts and removes of the open list, its mean size and height, expansions, searches, steps, cost, ticks and time, averaged over all runs; \
each run has the next seed. A log has a row for each goal, agent and run.

JSON of a game: {\"world\",\"runs\",\"seed\",\"ticks\",\"agents\":[{\"agent\",\"finished\",\"goals\":[{\"goal\",\"inserts\",\"removes\",\"operations\",\
\"heap_size\",\"heap_height\",\"depth\",\"expanded\",\"searches\",\"steps\",\"cost\",\"ticks\",\"caught\",\"time_us\"},...],\"sum\"},...]}.

JSON of a crowd: {\"world\",\"seed\",\"algorithms\",\"agents\",\"ticks\",\"tick_ms\",\"parts\":[{\"ticks\",\"tick_ms\",\"worst_ms\",\"laps\",\"steps\",\"walking\",\"traps\",\"bytes\"},...]}.

JSON of a case: {\"case\",\"about\",\"algorithm\",\"why\" where it was chosen,\"state\",\"reason\" where it stopped,\"at\",\"ticks\",\"steps\",\"length\",\
\"cost\",\"searches\",\"expanded\",\"pushes\",\"pops\",\"decreases\",\"open_mean\",\"open_max\",\"repairs\",\"clusters\",\"rebuilds\",\
\"repair_us\",\"find_us\",\"rebuild_us\" where charts were made on other threads,\"log\":[{\"tick\",\"kind\",\"text\",\"time_us\"},...]}; state is arrived, stopped or walking.
Exit codes: 0 arrived, 2 bad input, 3 stopped or out of time.")]
pub(crate) struct SimArgs {
    /// A case file, the name of a case that comes with portolan, or a world with keys and doors (.txt or .world, or
    /// built in) for a game [default: list the cases]
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) case: Option<String>,
    /// Which algorithm instead of the case's own; auto chooses one for a world that changes
    #[arg(long, value_name = "NAME", requires = "case")]
    pub(crate) with: Option<String>,
    /// A setting of the algorithm; see `portolan list`
    #[arg(long, value_name = "KEY=VALUE", requires = "case")]
    pub(crate) set: Vec<Setting>,
    /// How the planner follows edits instead of the case's way: repair, at once; rebuild:N, on another thread, ready
    /// N ticks later
    #[arg(long, value_name = "repair|rebuild:N", value_parser = follow, requires = "case")]
    pub(crate) follow: Option<Follow>,
    /// Say only how it ended
    #[arg(short, long, requires = "case")]
    pub(crate) quiet: bool,
    /// Leave out how long repairs and searches took, which differs from run to run
    #[arg(long, requires = "case")]
    pub(crate) no_times: bool,
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) game: GameArgs,
    #[command(flatten)]
    pub(crate) drawing: DrawingArgs,
}

fn follow(text: &str) -> Result<Follow, &'static str> {
    const { assert!(Case::MAX_TICK == 10_000_000, "the message below says so") };
    let ticks = text.strip_prefix("rebuild:").and_then(|ticks| ticks.parse().ok());
    match ticks.filter(|&ticks| ticks <= Case::MAX_TICK) {
        Some(ticks) => Ok(Follow::Rebuild { ticks }),
        None if text == "repair" => Ok(Follow::Repair),
        None => Err("expected repair or rebuild:N, where N is a whole number of ticks up to 10000000"),
    }
}
