//! `portolan race` on dynamic scenarios, in which the map is patched between queries.

use super::{hand_out_json, is_screen, show_faults, show_skipped, show_table};
use crate::args::RaceArgs;
use crate::entrants::{entrants, known};
use crate::source;
use crate::terminal::{BAD, BOLD, DIM, Progress, Screen};
use anyhow::{Result, anyhow, bail};
use portolan::SquareGrid;
use portolan::any::AnySnapshot;
use portolan::auto::Edits;
use portolan_formats::read_dynamic;
use portolan_lab::audit::PATIENCE;
use portolan_lab::race::{DynamicRace, DynamicRow, race_dynamic};
use portolan_lab::table;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Returns the dynamic scenarios that the arguments name; none if they name maps.
pub(super) fn scenarios(args: &RaceArgs) -> Result<Vec<PathBuf>> {
    let named: Vec<PathBuf> = args.maps.iter().map(PathBuf::from).chain(args.scen.clone()).collect();
    let (scenarios, others): (Vec<PathBuf>, Vec<PathBuf>) =
        named.into_iter().partition(|path| source::is_dynamic(path));
    if let (Some(scenario), Some(other)) = (scenarios.first(), others.first()) {
        let scenario = scenario.display();
        bail!("{scenario} is a dynamic scenario, which brings its map; race {} by itself", other.display());
    }
    let unfit = [
        ("--queries", args.queries.is_some()),
        ("--seed", args.seed.is_some()),
        ("--edits", args.edits.is_some()),
        ("--traps", args.traps.is_some()),
        ("--batch", args.batch.is_some()),
        ("--chart", !args.chart.is_empty()),
        ("--tsv", args.tsv.is_some()),
        ("--csv", args.csv.is_some()),
        ("--html", args.html.is_some()),
        ("--profile", args.world.profile.is_some()),
    ];
    match (scenarios.first(), unfit.iter().find(|(_, is_given)| *is_given)) {
        (Some(scenario), Some((option, _))) => {
            Err(anyhow!("{option} does not go with {}, a dynamic scenario", scenario.display()))
        }
        _ => Ok(scenarios),
    }
}

pub(super) fn run(scenarios: &[PathBuf], args: &RaceArgs, screen: &mut Screen) -> Result<ExitCode> {
    known(&args.with)?;
    let quiet = is_screen(args.json.as_deref());
    // All files are read first, so that an error in one of them comes before the first long race.
    let read = scenarios.iter().map(|path| Ok((path, read_dynamic(path)?))).collect::<Result<Vec<_>>>()?;
    let mut races = Vec::new();
    for (index, (path, scenario)) in read.iter().enumerate() {
        let named = |error: &dyn std::fmt::Display| anyhow!("{}: {error}", path.display());
        let rules = args.world.rules();
        let open = SquareGrid::open(scenario.0.width, scenario.0.height, rules).map_err(|error| named(&error))?;
        let mut runners = entrants(&args.with, &args.set, args.budget, (&AnySnapshot::from(open), Edits::Sometimes))?;
        for entrant in runners.iter_mut().filter(|entrant| entrant.can_take_ages()) {
            entrant.budget = entrant.budget.or(Some(PATIENCE));
        }
        let mut bar = Progress::new(&name(path));
        let (play, patches) = (&scenario.0, &scenario.1[..]);
        let race = race_dynamic(&name(path), (play, patches), rules, &runners, &mut |done, total| bar.at(done, total));
        drop(bar);
        let race = race.map_err(|error| named(&error))?;
        if !quiet {
            if index > 0 {
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

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn show(race: &DynamicRace, screen: &mut Screen) -> Result<()> {
    screen.styled(BOLD, &table::about_dynamic(race))?;
    show_table(&table::of_dynamic(race), race.rows.iter().map(|row| row.mismatches > 0), screen)?;
    for reason in race.rows.iter().filter_map(DynamicRow::reason) {
        screen.styled(DIM, &reason)?;
    }
    show_skipped(&race.skipped, screen)?;
    for row in race.rows.iter().filter(|row| row.out_of_budget > 0) {
        let note = format!("{} ran out of its budget on {} queries", row.algorithm, row.out_of_budget);
        screen.styled(DIM, &note)?;
    }
    for farewell in race.rows.iter().filter_map(DynamicRow::farewell) {
        screen.styled(BAD, &farewell)?;
    }
    show_faults(&race.faults, screen)
}
