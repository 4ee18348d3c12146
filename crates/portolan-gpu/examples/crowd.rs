//! Times a crowd on the graphics processor and on the CPU, in a generated cave or city.
//!
//! `cargo run --release -p portolan-gpu --example crowd -- [caves|city] [AGENTS] [TICKS]`

use portolan::generate::{generate, recipe};
use portolan::{NavMesh, Rules, Snapshot, algorithms};
use portolan_gpu::{CrowdTimes, DeviceCrowd, Gpu, Kind};
use portolan_mesh::{BuildOptions, CityOptions, build, city};
use portolan_sim::crowd::flat::{FlatCrowd, FlatOptions};
use portolan_sim::crowd::{MeshGround, SquareGround};
use std::error::Error;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// How many ticks of the CPU are timed.
const ON_CPU: usize = 20;

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let kind = arguments.next().unwrap_or_else(|| "caves".into());
    let agents: usize = arguments.next().map_or(Ok(100_000), |text| text.parse())?;
    let ticks: usize = arguments.next().map_or(Ok(300), |text| text.parse())?;
    let begun = Instant::now();
    let crowd = if kind == "city" { in_city(agents)? } else { in_caves(agents)? };
    let (points, squares) = (crowd.points().len(), crowd.lattice().count());
    println!("{agents} agents in {kind}, {points} points of routes, {squares} squares, ready in {:?}", begun.elapsed());

    let mut on_cpu = crowd.clone();
    let mut known: Vec<Duration> = (0..ON_CPU.min(ticks)).map(|_| timed(|| on_cpu.tick())).collect();
    println!("CPU: median {:?} a tick", quantile(&mut known, 50));

    let gpu = Gpu::open(Kind::Any)?;
    let mut on_device = DeviceCrowd::new(gpu, crowd);
    if let Some(fault) = on_device.fault() {
        return Err(fault.clone().into());
    }
    let [ground, routes, state] = on_device.bytes();
    let each = state as f64 / agents.max(1) as f64;
    println!("{}: ground {ground} bytes, routes {routes}, agents {state} ({each:.1} each)", on_device.gpu().name());
    (0..known.len()).for_each(|_| on_device.tick());
    let is_same = on_device.state().bodies() == on_cpu.bodies() && on_device.state().walks() == on_cpu.walks();
    println!("identical after {} ticks: {is_same}", known.len());

    let times: Vec<CrowdTimes> = (0..ticks).map(|_| on_device.timed_tick()).collect();
    for (name, part) in PARTS {
        let mut all: Vec<Duration> = times.iter().map(part).collect();
        println!("  {name:8} median {:?}, 95 of 100 within {:?}", quantile(&mut all, 50), quantile(&mut all, 95));
    }
    let bytes = on_device.bytes_of_places();
    let mut with_places: Vec<Duration> = (0..ticks)
        .map(|_| {
            timed(|| {
                on_device.tick();
                on_device.places();
            })
        })
        .collect();
    println!(
        "with {bytes} bytes of places down each tick, by the wall clock: median {:?}, 95 of 100 within {:?}",
        quantile(&mut with_places, 50),
        quantile(&mut with_places, 95)
    );
    println!("{:?}", on_device.tally());
    on_device.fault().map_or(Ok(()), |fault| Err(fault.clone().into()))
}

/// A part of a tick.
type Part = fn(&CrowdTimes) -> Duration;

/// The parts of a tick in their order.
const PARTS: [(&str, Part); 6] = [
    ("count", |times| times.count),
    ("scan", |times| times.scan),
    ("sort", |times| times.sort),
    ("steer", |times| times.steer),
    ("advance", |times| times.advance),
    ("whole", |times| times.whole),
];

fn timed(act: impl FnOnce()) -> Duration {
    let begun = Instant::now();
    act();
    begun.elapsed()
}

/// Returns the time that so many of a hundred do not exceed.
fn quantile(times: &mut [Duration], percent: usize) -> Duration {
    times.sort_unstable();
    let last = times.len().saturating_sub(1);
    times.get(last * percent / 100).copied().unwrap_or_default()
}

/// Returns a crowd in caves with about three cells for each agent.
fn in_caves(agents: usize) -> Result<FlatCrowd, Box<dyn Error>> {
    let caves = recipe("caves").ok_or("caves are generated")?;
    let side = ((agents * 6) as f64).sqrt() as usize + 32;
    let settings = caves.settings::<&str, &str>(&[])?;
    let world = Snapshot::from(generate(caves, side, side, 1, &settings, Rules::default())?);
    let planner = algorithms::RHUMB.build(&world)?;
    let options = FlatOptions { agents, radius: 0.35, speed: 2.0, seed: 1 };
    Ok(FlatCrowd::populate(&SquareGround::new(world), &planner, &options)?)
}

/// Returns a crowd in a city that has room for it.
fn in_city(agents: usize) -> Result<FlatCrowd, Box<dyn Error>> {
    let side = ((agents as f64 / 500.0).sqrt().ceil() as u16).clamp(2, 40);
    let geometry = city(CityOptions::new(side, side)?, 1);
    let parts = build(&geometry, &BuildOptions::default(), &mut |_| ControlFlow::Continue(()))?;
    let world = Snapshot::from(NavMesh::new(&parts)?);
    let planner = algorithms::mesh::RHUMB.build(&world)?;
    let options = FlatOptions { agents, radius: 0.3, speed: 1.5, seed: 1 };
    Ok(FlatCrowd::populate(&MeshGround::new(world), &planner, &options)?)
}
