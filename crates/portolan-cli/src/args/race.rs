//! The options of `portolan race`.

use super::{Setting, WorldArgs};
use clap::{Args, ValueHint};
use std::path::PathBuf;

#[derive(Args)]
#[command(after_help = "\
Examples:
  portolan race
  portolan race town.map --queries 500 --seed 3 --repeat 9 --html town.html
  portolan race --scen maps/brc101d.map.scen --queries 300 --with a-star,jump-point --json -
  portolan race town.map --edits 200 --with hpa-star,dhpa-star,jump-point
  portolan race maps/*.map --with a-star,rhumb --csv times.csv
  portolan race --scen maps/AcrosstheCape.map.scen --traps 100 --change 1
  portolan race maps/dynamic/*.scen --with a-star,jump-point,d-star-lite,hpa-star
  portolan race level.mesh --queries 1000 --with a-star,polyanya,'hna-star levels=2'
  portolan race level.mesh --with hna-star --chart level.chart
  portolan race level.mesh --with a-star,hna-star,rhumb --batch 100000 --gpu
  portolan race caves.map --with jump-point,rhumb --batch 10000 --one-goal --gpu

Every algorithm gets the same queries, in turns. Times are those of one pass, in which every query differs from the one \
before and none is repeated; then each is repeated on end, and the least of that is its warm time. The first step is known \
before the whole route where an algorithm plans in legs; it is timed in a pass of its own. Lengths stated by a scenario are the optimum while the world's rules are the benchmarks' (8 directions, strict corners, a diagonal of root \
two); else it is computed. A search that can take ages (ida-star) gives up a query after as many expansions as the map \
has free cells, at least 100000 and at most its own budget, unless --budget or --set budget=N says otherwise: such \
queries are unsolved but no mismatch.

--edits N blocks a random patch of free ground, gives it back with the next edit, and so on. Every algorithm is repaired \
after each; only the repair is timed. After every tenth edit or so a query from beside it is answered, and must cost what \
the same algorithm built anew answers.

--batch N asks N random queries at once after the race: on one thread, on all threads, and with --gpu on the fastest graphics \
processor where the algorithm keeps flat arrays, which rhumb does on meshes; the others run on the CPU only. The three are \
asked in turns: one round warms up, and the medians of five more count. No round is begun after ten seconds; a first round that \
takes longer counts by itself. GPU ms is by the processor's own clock, without what is moved there and back. All answers \
are compared as arrays, and an algorithm whose answers differ has answered wrongly. With --one-goal all queries lead to one random \
goal, and below the algorithms a field finds their routes: one sweep, then every agent walks by it. Its time has both, and its \
costs are compared with those of exact searches.

--traps N has an agent walk the longest of the queries' routes, one step a tick, among N traps within 20 cells of it. In every \
tick --change of them vanish, the oldest first, and as many appear; what is timed is the repair and the plan. Charts and \
algorithms that keep searches alive have a replanner: it mends its route without the chart where it can, and the chart is \
repaired when it has to plan again. The others are repaired and plan from nothing in every tick. Each agent goes where its \
algorithm leads it; traps are the same around each. Then the walk is repeated, every plan is judged, and a fresh A* with all \
successors is timed at every place: times as fast says how many ticks fit into one of its searches. Ratio is the cost of \
what is left of the route to the least possible. Without --with, plain A*, a-star, jump-point and all with a replanner walk.

On a mesh, queries are random points of connected polygons, and ratios are to the shortest routes at any angle, which polyanya finds.

A dynamic scenario (.scen version 2) in place of a map lays patches on its map between its queries. Every algorithm is built \
for the map of the first query, then repaired after each change and asked the queries up to the next; the table has the sums \
of these times. Algorithms that keep searches alive (lpa-star, d-star, ...) have one agent for all queries. An exact algorithm \
must match every length.

JSON is an object {\"map\",\"kind\" where it is not of squares,\"rows\",...}, for several maps a list of them. A row has \"mean_us\", \"p50_us\", \"p95_us\", \
\"max_us\", \"first_step_us\" and \"first_step_p95_us\" of the pass, \"warm_us\" and \"warm_first_step_us\". With --batch a row has \"batch\" as well: {\"queries\", \"one_ms\", \"cpu_ms\", \
\"threads\", \"gpu_ms\", \"gpu_whole_ms\" and \"device\" where measured, \"no_gpu\" that says why not, \"identical\"}, and with --one-goal the object has such a \"field\". With --edits the object has \"edits\" as well: \
{\"count\", \"size\", \"apply_us\", \"rows\": [{\"algorithm\", \"edits\", \"mean_us\", \"p50_us\", \"p95_us\", \"max_us\", \
\"clusters\", \"rebuild_ms\", \"edit_to_rebuild\", \"checked\", \"mismatches\", \"lost\" where it could not follow}, ...], \
\"faults\"}. That of a dynamic scenario is {\"scenario\", \"width\", \"height\", \"queries\", \"patches\", \"changes\", \"apply_ms\", \"rows\": \
[{\"algorithm\", \"queries\", \"matched\", \"mismatches\", \"out_of_budget\", \"build_ms\", \"repair_ms\", \"search_ms\", \"total_ms\", \
\"ratio_mean\", \"ratio_max\", \"index_bytes\", \"lost\" where it could not follow}, ...], \"skipped\", \"faults\"}. That of a race among \
traps is {\"map\", \"traps\", \"change\", \"size\", \"ticks\", \"rows\": [{\"algorithm\", \"build_ms\", \"first_us\", \"ticks\", \"traps\", \"repairs\", \"repair_us\", \
\"plan_us\", \"mean_us\", \"p50_us\", \"p99_us\", \"max_us\", \"plain_us\", \"times_as_fast\", \"ratio_mean\", \"ratio_max\", \"cut_off\", \
\"mismatches\"}, ...], \"skipped\", \"faults\"}.

TSV and CSV have the same fields as columns, named in the first line, after the map; those of edits begin with edit, those of batches with batch.
Exit codes: 0 done, 1 wrong answers, 2 bad input.")]
pub(crate) struct RaceArgs {
    /// Map or mesh files, names of built-in worlds, or dynamic scenarios [default: the scenario's map, the world in the chart, or harbour]
    #[arg(value_name = "MAP", value_hint = ValueHint::FilePath)]
    pub(crate) maps: Vec<String>,
    /// Take the queries from a scenario; a dynamic one brings its map
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) scen: Option<PathBuf>,
    /// How many queries: of a scenario that many spread evenly over lengths, else random ones [default: all, or 100]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) queries: Option<u32>,
    /// Which random queries and edits [default: 1]
    #[arg(long, value_name = "S")]
    pub(crate) seed: Option<u64>,
    /// Which algorithms, each with settings of its own if need be ("rhumb,rhumb smoothing=taut"); auto is what the rules
    /// choose for many exact queries [default: all; with --traps, see below]
    #[arg(long, value_name = "A,B,...", value_delimiter = ',')]
    pub(crate) with: Vec<String>,
    /// Race a saved chart as well: what it takes to open counts as building it
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) chart: Vec<String>,
    /// A setting, for every raced algorithm that has it
    #[arg(long, value_name = "KEY=VALUE")]
    pub(crate) set: Vec<Setting>,
    /// Let every algorithm give up a query after expanding this many nodes
    #[arg(long, value_name = "N")]
    pub(crate) budget: Option<u64>,
    /// Runs of a query on end for its warm time; two suffice where they take milliseconds. With --traps, walks of which the
    /// least time of each tick counts [default: 5, with --traps 1]
    #[arg(long, value_name = "K", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) repeat: Option<u32>,
    /// Edit the world this often after the queries, and time how the algorithms follow
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) edits: Option<u32>,
    /// Columns and rows of the patch an edit changes
    #[arg(long, value_name = "CELLS", default_value_t = 2, requires = "edits",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) edit_size: u16,
    /// Ask every algorithm this many random queries at once as well, on one thread and on all
    #[arg(long, value_name = "N", conflicts_with = "traps", value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) batch: Option<u32>,
    /// Give all queries of the batch one goal, and have a field find their routes as well, on grids
    #[arg(long, requires = "batch")]
    pub(crate) one_goal: bool,
    /// Answer the batch on the graphics processor too, where an algorithm keeps flat arrays: rhumb on meshes
    #[arg(long, requires = "batch", conflicts_with = "budget")]
    pub(crate) gpu: bool,
    /// Instead of asking queries, have an agent walk among this many traps
    #[arg(long, value_name = "N", conflicts_with_all = ["edits", "chart", "tsv", "csv", "html", "budget"],
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) traps: Option<u32>,
    /// How many traps vanish and appear in a tick
    #[arg(long, value_name = "N", default_value_t = 1, requires = "traps",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) change: u32,
    /// How many ticks the agent walks
    #[arg(long, value_name = "N", default_value_t = 400, requires = "traps",
          value_parser = clap::value_parser!(u32).range(1..))]
    pub(crate) ticks: u32,
    /// Columns and rows of a trap
    #[arg(long, value_name = "CELLS", default_value_t = 2, requires = "traps",
          value_parser = clap::value_parser!(u16).range(1..))]
    pub(crate) trap_size: u16,
    /// Write the result as JSON, to standard output if -
    #[arg(long, value_name = "FILE|-", num_args = 0..=1, default_missing_value = "-", value_hint = ValueHint::FilePath)]
    pub(crate) json: Option<PathBuf>,
    /// Write one row for each map and algorithm, tabs between the columns, to standard output if -
    #[arg(long, value_name = "FILE|-", num_args = 0..=1, default_missing_value = "-", value_hint = ValueHint::FilePath)]
    pub(crate) tsv: Option<PathBuf>,
    /// The same with commas and quotes, for spreadsheets
    #[arg(long, value_name = "FILE|-", num_args = 0..=1, default_missing_value = "-", value_hint = ValueHint::FilePath)]
    pub(crate) csv: Option<PathBuf>,
    /// Write one web page with tables and plots
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) html: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) world: WorldArgs,
}
