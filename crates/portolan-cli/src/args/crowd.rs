//! The arguments and options of `portolan crowd`.

use super::WorldArgs;
use clap::{Args, ValueHint};
use portolan::auto::AUTO;

#[derive(Args)]
#[command(after_help = "\
Examples:
  portolan crowd harbour
  portolan crowd caves.map --agents 1000 --seconds 60 --with rhumb
  portolan crowd city.map --agents 500 --radius 0.45 --speed 4 --seed 7
  portolan crowd plains.hex --agents 200 --json --no-times     the same bytes in every run
  portolan crowd city.mesh --agents 1000 --radius 0.3          on a navigation mesh, in its own units of length
  portolan crowd caves.map --agents 100000 --gpu               in whole numbers, on the graphics processor

Every agent has a body and a speed. It begins on a random cell and goes to another random one; both are in the largest \
connected part of the world. In each tick, a sixtieth of a second, routes are planned within a budget, the first leg of \
every agent first. Each agent then heads for the farthest point of its route that it can go straight to, and takes the \
velocity nearest to that with which it runs into no wall and no other agent (ORCA).

An agent that has come no further for a second plans again. If it has come no further after another second, it squeezes: \
it goes along its route through the others until it is clear of them. Agents that have come no further for ten seconds are \
told as stuck. An agent that leaves the free cells would be a fault of the program, so that the last number is always 0.

On a mesh, radius and speed are in its own units of length, a radius can be any and a speed at most 40 times it. The mesh \
should have been built for agents of this radius: bodies keep apart from each other, and hardly from the ends of the mesh. \
Unless an algorithm is named, hna-star plans there: its searches are short, and the budget of a tick can cut them.

With --whole, agents walk in whole numbers: all routes are planned at first, agents weigh sixteen velocities by how soon they \
would touch others, and always see the point that they go to. The crowd is the same on every machine and processor, and may \
be as large as the world has room for. A speed is then at most 40 times the radius on grids too, and a mesh has no links. \
--gpu has the graphics processor compute the ticks, and the CPU if there is none.

Times are those of this machine: 16.7 ms a tick are 60 Hz. With --gpu, \"device_ms\" is the time by the processor's own clock.

JSON: {\"world\",\"kind\" where it is not square,\"algorithm\",\"why\" where it was chosen,\"agents\",\"seed\",\"seconds\",\"ticks\",\
\"ticks_per_second\",\"tick_ms\",\"worst_ms\",\"device_ms\" where measured,\"arrived\",\"on_the_way\",\"stuck\",\"no_way\",\
\"off_the_ground\"}; with --whole or --gpu also \"device\" and \"no_gpu\", which says why there is none.
Exit codes: 0 done, 1 an agent left the ground, 2 bad input.")]
pub(crate) struct CrowdArgs {
    /// A map file, a mesh, or the name of a built-in world
    #[arg(value_hint = ValueHint::FilePath)]
    pub(crate) map: String,
    /// How many agents walk
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub(crate) agents: u32,
    /// How many seconds of their time pass
    #[arg(long, value_name = "S", default_value_t = 30, value_parser = clap::value_parser!(u32).range(1..=86_400))]
    pub(crate) seconds: u32,
    /// Which random starts and goals
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(crate) seed: u64,
    /// The radius of a body in cells: above 0 and below 0.5; on a mesh, in its units
    #[arg(long, value_name = "R", default_value_t = 0.35)]
    pub(crate) radius: f32,
    /// How many cells an agent walks in a second: above 0 and at most 12; on a mesh, units
    #[arg(long, value_name = "V", default_value_t = 2.0)]
    pub(crate) speed: f32,
    /// Which algorithm plans, with settings after it if need be ("rhumb spacing=12"); auto chooses one for many queries
    #[arg(long, value_name = "NAME", default_value = AUTO)]
    pub(crate) with: String,
    #[command(flatten)]
    pub(crate) whole: WholeArgs,
    /// Leave out how long ticks took and what computed them, which differs from run to run
    #[arg(long)]
    pub(crate) no_times: bool,
    /// Print as JSON
    #[arg(long)]
    pub(crate) json: bool,
    #[command(flatten)]
    pub(crate) world: WorldArgs,
}

/// Whether agents walk in whole numbers, and where.
#[derive(Args)]
pub(crate) struct WholeArgs {
    /// Walk in whole numbers, in the same way on every machine
    #[arg(long)]
    pub(crate) whole: bool,
    /// Walk in whole numbers on the fastest graphics processor, or on the CPU if there is none
    #[arg(long)]
    pub(crate) gpu: bool,
}
