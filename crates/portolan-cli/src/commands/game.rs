//! `portolan sim WORLD`: plays games of keys, doors, traps and monsters, and prints what each goal took.

mod watch;

use crate::args::{GameArgs, SimArgs};
use crate::entrants::unknown;
use crate::mistake;
use crate::source;
use crate::terminal::{BAD, BOLD, Progress, Screen};
use anyhow::{Result, anyhow, bail};
use portolan::auto::AUTO;
use portolan::pick::PickError;
use portolan_formats::sheet::SheetKind;
use portolan_lab::game::{CrowdResult, Game, GameError, GameResult, crowd, play};
use portolan_sim::testbed::{Followers, Options, SetupError, Traps};
use std::path::Path;
use std::process::ExitCode;

/// The exit code when an agent does not reach its last goal.
const NOT_FINISHED: u8 = 3;

pub(crate) fn run(name: &str, args: &SimArgs, screen: &mut Screen) -> Result<ExitCode> {
    if args.with.is_some() || !args.set.is_empty() || args.follow.is_some() {
        bail!("--with, --set and --follow go with a case; in a game, name the algorithms with --agents");
    }
    let log = args.game.log.as_deref().map(|path| Ok::<_, anyhow::Error>((path, sheet_kind(path)?))).transpose()?;
    let game = Game {
        world: name.to_owned(),
        level: source::level(name, args.drawing.strictness())?,
        agents: if args.game.agents.is_empty() { vec![AUTO.to_owned()] } else { args.game.agents.clone() },
        options: options(&args.game),
        runs: args.game.runs.unwrap_or(1),
        ticks: args.game.ticks,
    };
    if let Some(agents) = args.game.crowd {
        return run_crowd(&game, agents as usize, args, screen);
    }
    // Faults of the options are reported before anything is played.
    game.begin(0).map_err(explained)?;
    if let Some(pause) = args.game.watch {
        watch::play(&game, pause, screen)?;
    }
    let mut bar = Progress::new(name);
    let result = play(&game, &mut |done, total| bar.at(done, total));
    drop(bar);
    let result = result.map_err(fault)?;
    let result = if args.no_times { result.without_times() } else { result };
    if let Some((path, kind)) = log {
        result.sheet().write(path, kind)?;
    }
    if args.json {
        screen.json(&result)?;
    } else {
        show(&result, args.quiet, screen)?;
    }
    Ok(if result.unfinished() == 0 { ExitCode::SUCCESS } else { ExitCode::from(NOT_FINISHED) })
}

fn run_crowd(game: &Game, agents: usize, args: &SimArgs, screen: &mut Screen) -> Result<ExitCode> {
    let mut bar = Progress::new(&game.world);
    let result = crowd(game, agents, &mut |done, total| bar.at(done, total));
    drop(bar);
    let result = result.map_err(fault)?;
    let result = if args.no_times { result.without_times() } else { result };
    if args.json {
        screen.json(&result)?;
        return Ok(ExitCode::SUCCESS);
    }
    let CrowdResult { world, seed, agents, ticks, tick_ms, .. } = &result;
    let time = tick_ms.map_or(String::new(), |ms| format!(", {ms:.3} ms a tick"));
    screen.styled(BOLD, &format!("{world}: {agents} agents, seed {seed}, {ticks} ticks{time}"))?;
    if !args.quiet {
        screen.table(&result.table())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn fault(error: GameError) -> anyhow::Error {
    match error {
        GameError::Setup(error) => explained(error),
        GameError::Cancelled(error) => error.into(),
        GameError::Buried { .. } => error.into(),
    }
}

fn options(args: &GameArgs) -> Options {
    let plain = Options::default();
    let mut traps = Traps::new(args.traps.unwrap_or(0.0), args.every.unwrap_or(plain.traps.every));
    if let Some((least, most)) = args.lasts {
        traps.lasts = least..=most;
    }
    Options {
        seed: args.seed.unwrap_or(plain.seed),
        traps,
        replan: args.replan.unwrap_or(plain.replan),
        in_legs: args.legs,
        obstructed: args.obstructed.unwrap_or(plain.obstructed),
        vulnerable: args.vulnerable,
        influence: args.influence.unwrap_or(plain.influence),
        followers: Followers {
            count: args.followers.unwrap_or(0) as usize,
            formation: args.formation.unwrap_or(plain.followers.formation),
        },
        counts_vain_searches: false,
        endless: false,
    }
}

/// Returns the kind of file for a log.
fn sheet_kind(path: &Path) -> Result<SheetKind> {
    let unknown = || anyhow!("{}: expected a name ending in .tsv, .csv or .parquet", path.display());
    SheetKind::of(path).ok_or_else(unknown)
}

/// Adds to the error of an unknown algorithm which was probably meant.
fn explained(error: SetupError) -> anyhow::Error {
    match &error {
        SetupError::Pick(PickError::Unknown(name)) => unknown(name),
        _ => error.into(),
    }
}

fn show(result: &GameResult, quiet: bool, screen: &mut Screen) -> Result<()> {
    let GameResult { world, runs, seed, ticks, agents, .. } = result;
    let games = if *runs == 1 { format!("seed {seed}") } else { format!("{runs} games from seed {seed} on") };
    screen.styled(BOLD, &format!("{world}: {games}, {ticks:.0} ticks"))?;
    if !quiet {
        screen.table(&result.table())?;
    }
    for agent in agents.iter().filter(|agent| agent.finished < *runs) {
        let line = format!("{} reached its last goal in {} of {runs}", agent.agent, agent.finished);
        screen.styled(BAD, &line)?;
    }
    Ok(())
}

/// Returns the error for options of games with a case.
pub(crate) fn refuse_options(args: &SimArgs) -> Result<()> {
    match args.game.given() {
        Some(option) => {
            let name = args.case.as_deref().unwrap_or_default();
            let hint = mistake::hint(name, portolan_lab::worlds::BUILTIN.iter().map(|world| world.name));
            bail!("{option} goes with a world, and {name:?} is a case{hint}")
        }
        None => Ok(()),
    }
}
