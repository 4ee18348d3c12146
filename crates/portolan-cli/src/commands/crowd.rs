//! `portolan crowd`: lets a crowd with random goals walk, and prints how far it came and how long its ticks took.
//!
//! Not here: crowds of whole numbers (`crowd/whole.rs`).

mod whole;

use super::mesh;
use crate::args::CrowdArgs;
use crate::entrants::pick;
use crate::source;
use crate::terminal::{BAD, BOLD, DIM, Progress, Screen};
use anyhow::{Result, anyhow};
use portolan::any::{AnyPlanner, AnySnapshot};
use portolan::auto::{AUTO, Use};
use portolan::{NavMesh, Planner, Space};
use portolan_formats::is_mesh;
use portolan_lab::table;
use portolan_sim::crowd::flat::FlatKind;
use portolan_sim::crowd::{Crowd, HexGround, MeshGround, SquareGround, Tally};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// The exit code when an agent has left the ground.
const OFF_THE_GROUND: u8 = 1;

/// What is printed as JSON.
#[derive(Serialize)]
struct Report<'a> {
    world: &'a str,
    /// The kind of the world, if it is not one of squares.
    #[serde(skip_serializing_if = "Option::is_none")]
    kind: Option<&'a str>,
    algorithm: &'a str,
    /// Why the rules chose the algorithm, if they did.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    agents: u32,
    seed: u64,
    seconds: u32,
    ticks: u64,
    /// The processor that computed a crowd of whole numbers, and why it was no graphics processor if one was wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    device: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    no_gpu: Option<&'a str>,
    #[serde(flatten)]
    times: Option<Times>,
    arrived: usize,
    on_the_way: usize,
    stuck: usize,
    no_way: usize,
    off_the_ground: usize,
}

/// How long ticks took.
#[derive(Copy, Clone, Serialize)]
struct Times {
    ticks_per_second: f64,
    tick_ms: f64,
    worst_ms: f64,
    /// The mean time of a tick by the clock of a graphics processor.
    #[serde(skip_serializing_if = "Option::is_none")]
    device_ms: Option<f64>,
}

impl Times {
    fn of(ticks: u64, total: Duration, worst: Duration) -> Times {
        Times {
            ticks_per_second: (ticks as f64 / total.as_secs_f64()).round(),
            tick_ms: millis(total / u32::try_from(ticks).unwrap_or(u32::MAX)),
            worst_ms: millis(worst),
            device_ms: None,
        }
    }
}

fn millis(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e6).round() / 1e3
}

/// How a crowd came along, and on what.
struct Walked {
    /// The kind of the world, if it is not one of squares.
    kind: Option<&'static str>,
    algorithm: &'static str,
    why: Option<String>,
    tally: Tally,
    /// The most agents that were off the ground after any tick.
    off_the_ground: usize,
    ticks: u64,
    times: Times,
    device: Option<String>,
    no_gpu: Option<String>,
}

impl Walked {
    /// Returns what is told of a crowd before the world and its algorithm are.
    fn new(tally: Tally, off_the_ground: usize, ticks: u64, times: Times) -> Walked {
        let (kind, algorithm, why, device, no_gpu) = (None, "", None, None, None);
        Walked { kind, algorithm, why, tally, off_the_ground, ticks, times, device, no_gpu }
    }
}

/// The algorithm on meshes unless one is named, and why it is that one.
const ON_MESHES: (&str, &str) =
    ("hna-star", "many queries on a mesh: short searches, which the budget of a tick can cut");

pub(crate) fn run(args: &CrowdArgs, screen: &mut Screen) -> Result<ExitCode> {
    let path = Path::new(&args.map);
    let walked = if is_mesh(path) { on_mesh(path, args)? } else { on_grid(args)? };
    let Walked { tally, off_the_ground, ticks, times, .. } = walked;
    let report = Report {
        world: &args.map,
        kind: walked.kind,
        algorithm: walked.algorithm,
        why: walked.why.as_deref(),
        agents: args.agents,
        seed: args.seed,
        seconds: args.seconds,
        ticks,
        device: walked.device.as_deref().filter(|_| !args.no_times),
        no_gpu: walked.no_gpu.as_deref().filter(|_| !args.no_times),
        times: Some(times).filter(|_| !args.no_times),
        arrived: tally.arrived,
        on_the_way: tally.on_the_way,
        stuck: tally.stuck,
        no_way: tally.no_way,
        off_the_ground,
    };
    if args.json {
        screen.json(&report)?;
    } else {
        print(&report, screen)?;
    }
    Ok(if off_the_ground == 0 { ExitCode::SUCCESS } else { ExitCode::from(OFF_THE_GROUND) })
}

/// Lets a crowd walk on squares or hexes.
fn on_grid(args: &CrowdArgs) -> Result<Walked> {
    let world = source::world(&args.map, &args.world)?;
    let (algorithm, settings, why) = pick(&args.with)?.choose(&world, Use::default())?;
    let planner = AnyPlanner::build(&world, algorithm, settings)?;
    let walked = match (world.clone(), planner) {
        (AnySnapshot::Square(world), AnyPlanner::Square(planner)) => walk(SquareGround::new(world), planner, args)?,
        (AnySnapshot::Hex(world), AnyPlanner::Hex(planner)) => walk(HexGround::new(world), planner, args)?,
        _ => unreachable!("the planner was built for the world"),
    };
    Ok(Walked { kind: world.kind_if_not_square(), algorithm: algorithm.name(), why, ..walked })
}

/// Lets a crowd walk on a mesh.
fn on_mesh(path: &Path, args: &CrowdArgs) -> Result<Walked> {
    args.world.refuse_profile(mesh::NO_PROFILES)?;
    let world = mesh::open(path)?;
    let (name, why) = if args.with == AUTO { ON_MESHES } else { (args.with.as_str(), "") };
    let (algorithm, own) = mesh::algorithm(name)?;
    let planner = Planner::build(&world, algorithm, algorithm.settings(&own)?)?;
    let walked = walk(MeshGround::new(world), planner, args)?;
    let why = Some(why.to_owned()).filter(|why| !why.is_empty());
    Ok(Walked { kind: Some(NavMesh::KIND), algorithm: algorithm.name, why, ..walked })
}

/// Lets a crowd of random agents walk for as long as the arguments say.
fn walk<G: FlatKind + Sync>(ground: G, planner: Planner<G::Space>, args: &CrowdArgs) -> Result<Walked> {
    if args.whole.whole || args.whole.gpu {
        return whole::walk(&ground, &planner, args);
    }
    let mut crowd = Crowd::new(ground, planner)?;
    let populated = crowd.populate(args.agents as usize, args.radius, args.speed, args.seed);
    populated.map_err(|error| anyhow!("{error}"))?;
    let ticks = u64::from(args.seconds) * u64::from(crowd.ticks_per_second());
    let mut progress = Progress::new("walking");
    let (mut total, mut worst, mut off_the_ground) = (Duration::ZERO, Duration::ZERO, 0);
    for tick in 0..ticks {
        let begun = Instant::now();
        crowd.tick();
        let took = begun.elapsed();
        (total, worst) = (total + took, worst.max(took));
        off_the_ground = off_the_ground.max(crowd.tally().off_the_ground);
        let _ = progress.at(tick, ticks);
    }
    Ok(Walked::new(crowd.tally(), off_the_ground, ticks, Times::of(ticks, total, worst)))
}

fn print(report: &Report, screen: &mut Screen) -> Result<()> {
    let Report { agents, seconds, arrived, on_the_way, stuck, no_way, off_the_ground, .. } = report;
    screen.styled(BOLD, &format!("{agents} agents on {} for {seconds} s", report.world))?;
    let why = report.why.map_or_else(String::new, |why| format!(" for {why}"));
    screen.styled(DIM, &format!("{}{why}", report.algorithm))?;
    let no_way = if *no_way > 0 { format!(", {no_way} have no way") } else { String::new() };
    writeln!(screen, "{arrived} arrived, {on_the_way} on their way, {stuck} stuck{no_way}")?;
    let style = if *off_the_ground == 0 { DIM } else { BAD };
    screen.styled(style, &format!("{off_the_ground} left the ground"))?;
    if let Some(device) = report.device {
        let why = report.no_gpu.map_or_else(String::new, |why| format!(": {why}"));
        screen.styled(DIM, &format!("computed on {device}{why}"))?;
    }
    if let Some(Times { ticks_per_second, tick_ms, worst_ms, device_ms }) = report.times {
        let rate = table::grouped(ticks_per_second);
        let own = device_ms.map_or_else(String::new, |ms| format!(", {ms:.3} ms by the processor's own clock"));
        writeln!(screen, "{rate} ticks a second; {tick_ms:.3} ms a tick, {worst_ms:.3} ms at worst{own}")?;
    }
    Ok(())
}
