//! `portolan race --traps`: agents walk while traps appear and vanish around them.

use super::{hand_out_json, is_screen, maps, seed, show_faults, show_skipped, show_table, trials};
use crate::args::RaceArgs;
use crate::entrants::{entrants, known};
use crate::source;
use crate::terminal::{BOLD, DIM, Progress, Screen};
use anyhow::{Result, anyhow, bail};
use portolan::any::AnySnapshot;
use portolan::auto::Edits;
use portolan_lab::queries::Trial;
use portolan_lab::race::{Entrant, TrapPlan, TrapRace, TrapRow, longest_first, race_traps, usual_entrants};
use portolan_lab::table;
use std::io::Write;
use std::process::ExitCode;

/// What is raced on a map.
struct Course<'a> {
    map: &'a str,
    world: AnySnapshot,
    routes: Vec<Trial>,
    runners: Vec<Entrant>,
}

pub(super) fn run(args: &RaceArgs, screen: &mut Screen) -> Result<ExitCode> {
    let (traps, change) = (args.traps.unwrap_or(0) as usize, args.change as usize);
    if change > traps {
        bail!("--change {change} is more than there are traps: {traps}");
    }
    if args.with.is_empty() && !args.set.is_empty() {
        bail!("with --traps, --set needs --with to say which algorithms are meant");
    }
    let (ticks, size, seed) = (args.ticks as usize, args.trap_size, seed(args));
    let plan = TrapPlan { traps, change, ticks, size, seed };
    known(&args.with)?;
    let (maps, quiet) = (maps(args)?, is_screen(args.json.as_deref()));
    // Every map is read first, so that an error in one of them comes before the first long race.
    let courses = maps.iter().map(|map| course(map, args, plan)).collect::<Result<Vec<_>>>()?;
    let mut races = Vec::new();
    for Course { map, world, routes, runners } in &courses {
        let mut bar = Progress::new(map);
        let repeat = args.repeat.unwrap_or(1) as usize;
        let race = race_traps(map, world, routes, runners, plan, repeat, &mut |done, total| bar.at(done, total));
        drop(bar);
        let race = race.map_err(|error| anyhow!("{map}: {error}"))?;
        if !quiet {
            if !races.is_empty() {
                writeln!(screen)?;
            }
            show(&race, screen)?;
            screen.flush()?;
        }
        races.push(race);
    }
    hand_out_json(args, &races, screen)?;
    Ok(ExitCode::from(u8::from(races.iter().any(|race| race.mismatches() > 0))))
}

/// Reads a map and checks that agents can walk among traps on it.
fn course<'a>(map: &'a str, args: &RaceArgs, plan: TrapPlan) -> Result<Course<'a>> {
    args.world.refuse_profile("traps are of the whole world, not of what one agent sees of it")?;
    let world = source::world(map, &args.world)?;
    let trials = trials(args, map, &world)?;
    let named = |error: &dyn std::fmt::Display| anyhow!("{map}: {error}");
    let routes = longest_first(&world, &trials).map_err(|error| named(&error))?;
    plan.fits(&world, &routes[0]).map_err(|error| named(&error))?;
    let runners = if args.with.is_empty() {
        usual_entrants(&world)
    } else {
        entrants(&args.with, &args.set, None, (&world, Edits::Sometimes))?
    };
    Ok(Course { map, world, routes, runners })
}

fn show(race: &TrapRace, screen: &mut Screen) -> Result<()> {
    screen.styled(BOLD, &table::about_traps(race))?;
    show_table(&table::of_traps(race), race.rows.iter().map(|row| row.mismatches > 0), screen)?;
    for reason in race.rows.iter().filter_map(TrapRow::reason) {
        screen.styled(DIM, &reason)?;
    }
    show_skipped(&race.skipped, screen)?;
    for row in race.rows.iter().filter(|row| row.cut_off > 0) {
        screen.styled(DIM, &format!("{} had no route in {} ticks", row.algorithm, row.cut_off))?;
    }
    show_faults(&race.faults, screen)
}
