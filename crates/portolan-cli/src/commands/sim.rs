//! `portolan sim`: plays a test case and prints the agent's log. A world instead of a case is a game, see `game.rs`.

use super::game;
use crate::args::SimArgs;
use crate::entrants::algorithm;
use crate::source;
use crate::terminal::{BOLD, DIM, Screen};
use anyhow::Result;
use portolan::auto::AUTO;
use portolan::{Planner, Snapshot, World};
use portolan_formats::Case;
use portolan_lab::table;
use portolan_sim::cases::SHIPPED;
use portolan_sim::{Entry, Follow, Happening, Play, Run, State, Timings};
use serde::Serialize;
use std::io::Write;
use std::process::ExitCode;
use std::time::Duration;

/// The exit code when the agent does not arrive.
const NOT_ARRIVED: u8 = 3;

/// What is printed as JSON for each case in the list.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: String,
}

/// What is printed as JSON for a case that was played.
#[derive(Serialize)]
struct Played<'a> {
    case: &'a str,
    about: &'a str,
    algorithm: &'static str,
    /// Why the rules chose the algorithm, if they did.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    state: &'static str,
    /// Why the agent stopped, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    reason: Option<&'static str>,
    at: [u16; 2],
    ticks: u64,
    steps: u64,
    length: f64,
    cost: u64,
    searches: u64,
    expanded: u64,
    pushes: u64,
    pops: u64,
    decreases: u64,
    open_mean: f64,
    open_max: u64,
    repairs: u64,
    clusters: u64,
    rebuilds: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    repair_us: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    find_us: Option<f64>,
    /// The time to make planners on other threads, if the planner follows edits in the background.
    #[serde(skip_serializing_if = "Option::is_none")]
    rebuild_us: Option<f64>,
    log: Vec<Line>,
}

/// An entry of the log.
#[derive(Serialize)]
struct Line {
    tick: u64,
    kind: &'static str,
    text: String,
    /// How long it took by the clock, for searches, repairs and builds.
    #[serde(skip_serializing_if = "Option::is_none")]
    time_us: Option<f64>,
}

pub(crate) fn run(args: &SimArgs, screen: &mut Screen) -> Result<ExitCode> {
    let Some(name) = &args.case else {
        return list(args.json, screen);
    };
    if source::is_world(name) {
        return game::run(name, args, screen);
    }
    game::refuse_options(args)?;
    let (mut case, folder) = source::case(name, args.drawing.strictness())?;
    if let Some(follow) = args.follow {
        case.follow = follow.words();
    }
    let world = World::from(source::world_of_case(&case, folder.as_deref(), args.drawing.strictness())?);
    let snapshot = world.snapshot();
    // Faults of the case are reported before a planner is built.
    let play = Play::new(&case, world)?;
    let (planner, why) = planner(args, &case, &snapshot)?;
    // While a snapshot is held, every edit would work on a copy of the world.
    drop(snapshot);
    let chosen = planner.algorithm().name;
    let (run, lines) = played(play, planner, args.no_times);
    if args.json {
        let timings = Some(run.walker().timings()).filter(|_| !args.no_times);
        screen.json(&report(name, &case, (chosen, why.as_deref()), &run, timings, lines))?;
    } else {
        if !args.quiet {
            screen.styled(BOLD, &case.about)?;
            let why = why.map_or_else(String::new, |why| format!(" for {why}"));
            screen.styled(DIM, &format!("{chosen}{why}"))?;
            for Line { tick, text, time_us, .. } in &lines {
                let time = time_us.map_or_else(String::new, |time| format!("  {} µs", table::micros(time)));
                writeln!(screen, "{tick:>5}  {text}{DIM}{time}{DIM:#}")?;
            }
        }
        screen.styled(BOLD, &run.closing())?;
        if !args.no_times {
            let Timings { repair, find, rebuild, .. } = run.walker().timings();
            let [repair, find, rebuild] = [repair, find, rebuild].map(|span| table::micros(micros(span.total)));
            let following = match run.walker().follow() {
                Follow::Repair => format!("{repair} µs of repairing"),
                Follow::Rebuild { .. } => format!("{rebuild} µs of making charts on other threads"),
            };
            screen.styled(DIM, &format!("{find} µs of searching, {following}"))?;
        }
    }
    let arrived = run.walker().state() == State::Arrived;
    Ok(if arrived { ExitCode::SUCCESS } else { ExitCode::from(NOT_ARRIVED) })
}

/// Builds the planner with the algorithm of the arguments, else of the case, else of the rules, and with the settings
/// of the arguments.
fn planner(args: &SimArgs, case: &Case, world: &Snapshot) -> Result<(Planner, Option<String>)> {
    let mut case = case.clone();
    match args.with.as_deref() {
        None => {}
        Some(AUTO) => case.with = None,
        Some(name) => case.with = Some((algorithm(name)?.name.into(), Vec::new())),
    }
    let set = args.set.iter().map(|setting| (setting.key.clone(), setting.value.clone()));
    if let Some((_, settings)) = &mut case.with {
        settings.extend(set);
        return Ok(portolan_sim::planner(&case, world)?);
    }
    let (planner, why) = portolan_sim::planner(&case, world)?;
    if args.set.is_empty() {
        return Ok((planner, why));
    }
    case.with = Some((planner.algorithm().name.into(), set.collect()));
    Ok((portolan_sim::planner(&case, world)?.0, why))
}

/// Plays the case to its end. Returns the log in lines, with how long each entry took unless `no_times`.
fn played(mut play: Play, planner: Planner, no_times: bool) -> (Run, Vec<Line>) {
    let mut lines = Vec::new();
    play.add(planner);
    loop {
        let walker = &play.sim().walkers()[0];
        let timed = |entry: &Entry| Some(time(entry.happening, walker.timings())?).filter(|_| !no_times);
        lines.extend(walker.log()[lines.len()..].iter().map(|entry| Line {
            tick: entry.tick,
            kind: entry.happening.name(),
            text: entry.happening.to_string(),
            time_us: timed(entry).map(micros),
        }));
        if play.is_over() {
            return (play.finish(), lines);
        }
        play.tick();
    }
}

/// Returns how long a happening took. It is the latest of its kind, since there is at most one of each kind in a tick.
fn time(happening: Happening, timings: &Timings) -> Option<Duration> {
    match happening {
        Happening::Planned { .. } | Happening::Rerouted { .. } => Some(timings.find.latest),
        Happening::Repaired { .. } => Some(timings.repair.latest),
        Happening::Rebuilt => Some(timings.build.latest),
        Happening::Ready { .. } => Some(timings.rebuild.latest),
        _ => None,
    }
}

fn micros(time: Duration) -> f64 {
    (time.as_secs_f64() * 1e9).round() / 1e3
}

fn report<'a>(
    name: &'a str,
    case: &'a Case,
    (algorithm, why): (&'static str, Option<&'a str>),
    run: &Run,
    timings: Option<&Timings>,
    log: Vec<Line>,
) -> Played<'a> {
    let (walker, work) = (run.walker(), run.walker().work());
    Played {
        case: name,
        about: &case.about,
        algorithm,
        why,
        state: walker.state().name(),
        reason: if let State::Stopped(why) = walker.state() { Some(why.name()) } else { None },
        at: [walker.at().x, walker.at().y],
        ticks: run.ticks(),
        steps: work.steps,
        length: work.length,
        cost: work.cost,
        searches: work.searches,
        expanded: work.expanded,
        pushes: work.pushes,
        pops: work.pops,
        decreases: work.decreases,
        open_mean: work.open_mean,
        open_max: work.open_max,
        repairs: work.repairs,
        clusters: work.clusters,
        rebuilds: work.rebuilds,
        repair_us: timings.map(|timings| micros(timings.repair.total)),
        find_us: timings.map(|timings| micros(timings.find.total)),
        rebuild_us: timings.filter(|_| walker.follow() != Follow::Repair).map(|timings| micros(timings.rebuild.total)),
        log,
    }
}

fn list(json: bool, screen: &mut Screen) -> Result<ExitCode> {
    let listed = SHIPPED.iter().map(|shipped| Listed { name: shipped.name, about: shipped.case().about });
    if json {
        screen.json(&listed.collect::<Vec<_>>())?;
        return Ok(ExitCode::SUCCESS);
    }
    for Listed { name, about } in listed {
        writeln!(screen, "{BOLD}{name:<16}{BOLD:#} {about}")?;
    }
    writeln!(screen, "\nPlay one with `portolan sim NAME`; `portolan sim --help` says how to write your own.")?;
    Ok(ExitCode::SUCCESS)
}
