//! `portolan race`: compares algorithms on the same queries.

mod batch;
mod dynamic;
mod traps;

use super::mesh;
use crate::args::RaceArgs;
use crate::entrants::{entrants, known, opened};
use crate::source;
use crate::terminal::{BAD, BOLD, DIM, Progress, Screen};
use anyhow::{Result, anyhow, bail};
use portolan::any::AnySnapshot;
use portolan::auto::Edits;
use portolan_formats::{Kind, read_scenario};
use portolan_lab::queries::{self, Trial};
use portolan_lab::race::{EditPlan, EditRace, EditRow, Entrant, Processor, RaceResult, Row, Skipped, race, race_edits};
use portolan_lab::table::Table;
use portolan_lab::worlds::{BUILTIN, builtin};
use portolan_lab::{report, table};
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// The number of random queries unless the user gives another.
pub(crate) const QUERIES: usize = 100;
/// How often each query is run on end unless the user says otherwise.
pub(crate) const REPEAT: u32 = 5;

pub(crate) fn run(args: &RaceArgs, screen: &mut Screen) -> Result<ExitCode> {
    for path in [&args.json, &args.tsv, &args.csv, &args.html].into_iter().flatten() {
        refuse_map(path)?;
    }
    let printed = [&args.json, &args.tsv, &args.csv].into_iter().filter(|path| is_screen(path.as_deref())).count();
    if printed > 1 {
        bail!("--json, --tsv and --csv cannot all go to standard output; name a file");
    }
    let quiet = printed > 0;
    let scenarios = dynamic::scenarios(args)?;
    if !scenarios.is_empty() {
        return dynamic::run(&scenarios, args, screen);
    }
    if let (Some(_), Some(map)) = (args.traps, args.maps.iter().find(|map| mesh::is_named(map))) {
        bail!("{map}: --traps is for grids, not for meshes");
    }
    if let (true, Some(map)) = (args.one_goal, args.maps.iter().find(|map| mesh::is_named(map))) {
        bail!("{map}: --one-goal is for grids, not for meshes");
    }
    if args.traps.is_some() {
        return traps::run(args, screen);
    }
    let draws = args.edits.is_some() || args.traps.is_some() || args.batch.is_some();
    if args.scen.is_some() && args.seed.is_some() && !draws {
        bail!("--seed says nothing with --scen, which brings its queries; it goes with --edits, --traps and --batch");
    }
    let maps = maps(args)?;
    if !maps.iter().all(|map| mesh::is_named(map)) {
        known(&args.with)?;
    }
    let charts = charts_of_grids(args, &maps)?;
    let processor = batch::processor(args)?;
    let mut results = Vec::new();
    for map in &maps {
        let result = if mesh::is_named(map) {
            mesh::race::held(Path::new(map), args, processor.as_ref())?
        } else {
            over_grid(map, args, &charts, processor.as_ref())?
        };
        show_next(&result, &results, quiet, screen)?;
        results.push(result);
    }
    hand_out_json(args, &results, screen)?;
    if let Some(path) = &args.tsv {
        hand_out(path, &report::tsv(&results), screen)?;
    }
    if let Some(path) = &args.csv {
        hand_out(path, &report::csv(&results), screen)?;
    }
    if let Some(path) = &args.html {
        source::write(path, report::html(&results).as_bytes())?;
    }
    Ok(verdict(&results))
}

/// Returns entrants that open the charts of grids. Every chart has to be of a kind that one of the maps has.
fn charts_of_grids(args: &RaceArgs, maps: &[String]) -> Result<Vec<Entrant>> {
    let mut entrants = Vec::new();
    for chart in &args.chart {
        let is_of_mesh = mesh::is_chart_of_mesh(Path::new(chart));
        if !is_of_mesh {
            entrants.push(opened(chart, args.budget)?);
        }
        if !maps.iter().any(|map| mesh::is_named(map) == is_of_mesh) {
            let kind = if is_of_mesh { "a mesh" } else { "a grid" };
            bail!("{chart}: it is the chart of {kind}, and none of the maps is {kind}");
        }
    }
    Ok(entrants)
}

/// Races over a grid: queries, then a batch and edits if the arguments ask for them.
fn over_grid(map: &str, args: &RaceArgs, charts: &[Entrant], processor: Option<&Processor>) -> Result<RaceResult> {
    if args.edits.is_some() || args.scen.is_some() {
        args.world.refuse_profile("--edits and --scen are of the whole world, not of what one agent sees of it")?;
    }
    let world = source::world(map, &args.world)?;
    let edits = if args.edits.is_some() { Edits::Sometimes } else { Edits::Never };
    let mut runners = entrants(&args.with, &args.set, args.budget, (&world, edits))?;
    runners.extend(charts.iter().cloned());
    let trials = trials(args, map, &world)?;
    let plan = args.edits.map(|count| EditPlan { count: count as usize, size: args.edit_size, seed: seed(args) });
    plan.map_or(Ok(()), |plan| plan.fits(&world)).map_err(|error| anyhow!("{map}: {error}"))?;
    let mut result = held(map, &world, &trials, &runners, args.repeat.unwrap_or(REPEAT) as usize)?;
    batch::held(args, &world, &runners, processor, &mut result)?;
    if let Some(plan) = plan {
        result.edits = Some(followed(map, &world, &trials, &runners, plan)?);
    }
    Ok(result)
}

/// Prints a result after those before it, unless they are printed in another form.
fn show_next(result: &RaceResult, before: &[RaceResult], quiet: bool, screen: &mut Screen) -> Result<()> {
    if quiet {
        return Ok(());
    }
    if !before.is_empty() {
        writeln!(screen)?;
    }
    show(result, screen)?;
    Ok(screen.flush()?)
}

/// Returns whether results are to be printed, not written to a file.
fn is_screen(path: Option<&Path>) -> bool {
    path == Some(Path::new("-"))
}

fn hand_out(path: &Path, text: &str, screen: &mut Screen) -> Result<()> {
    if is_screen(Some(path)) { Ok(write!(screen, "{text}")?) } else { source::write(path, text.as_bytes()) }
}

/// Writes results as JSON if the arguments ask for it: a list, or one result by itself.
fn hand_out_json(args: &RaceArgs, results: &[impl Serialize], screen: &mut Screen) -> Result<()> {
    let Some(path) = &args.json else { return Ok(()) };
    let text = match results {
        [one] => serde_json::to_string_pretty(one)?,
        many => serde_json::to_string_pretty(many)?,
    };
    hand_out(path, &(text + "\n"), screen)
}

/// Returns exit code 1 if any answer was wrong, else 0.
pub(crate) fn verdict(results: &[RaceResult]) -> ExitCode {
    ExitCode::from(u8::from(results.iter().any(|result| result.mismatches() > 0)))
}

/// Runs a race while showing a progress bar.
pub(crate) fn held(
    map: &str,
    world: &AnySnapshot,
    trials: &[Trial],
    runners: &[Entrant],
    repeat: usize,
) -> Result<RaceResult> {
    let runners: Vec<Entrant> = runners.iter().map(|entrant| entrant.clone().gives_up_on(world)).collect();
    let mut progress = Progress::new(map);
    Ok(race(map, world, trials, &runners, repeat, &mut |done, total| progress.at(done, total))?)
}

/// Edits the world again and again and measures how the algorithms follow, while showing a progress bar.
fn followed(map: &str, world: &AnySnapshot, trials: &[Trial], runners: &[Entrant], plan: EditPlan) -> Result<EditRace> {
    let runners: Vec<Entrant> = runners.iter().map(|entrant| entrant.clone().gives_up_on(world)).collect();
    let mut progress = Progress::new(&format!("{map}: edits"));
    race_edits(world, trials, &runners, plan, &mut |done, total| progress.at(done, total))
        .map_err(|error| anyhow!("{map}: {error}"))
}

/// Prints a race as a table, then remarks, faults and the tables of batches and edits.
pub(crate) fn show(result: &RaceResult, screen: &mut Screen) -> Result<()> {
    let queries = result.rows.first().map_or(0, |row| row.queries);
    screen.styled(BOLD, &format!("{}: {queries} queries", result.map))?;
    show_table(&table::of_race(result), result.rows.iter().map(|row| row.mismatches > 0), screen)?;
    for reason in result.rows.iter().filter_map(Row::reason) {
        screen.styled(DIM, &reason)?;
    }
    show_skipped(&result.skipped, screen)?;
    for row in result.rows.iter().filter(|row| row.out_of_budget > 0) {
        let note = format!("{} ran out of its budget on {} queries", row.algorithm, row.out_of_budget);
        screen.styled(DIM, &note)?;
    }
    show_faults(&result.faults, screen)?;
    batch::show(result, screen)?;
    result.edits.as_ref().map_or(Ok(()), |edits| show_edits(edits, screen))
}

fn show_edits(edits: &EditRace, screen: &mut Screen) -> Result<()> {
    writeln!(screen)?;
    screen.styled(BOLD, &table::about_edits(edits))?;
    let wrong = edits.rows.iter().map(|row| row.mismatches > 0);
    show_table(&table::of_edits(edits), wrong, screen)?;
    for farewell in edits.rows.iter().filter_map(EditRow::farewell) {
        screen.styled(BAD, &farewell)?;
    }
    show_faults(&edits.faults, screen)
}

/// Prints a table below its heading, with rows that are wrong in another style.
fn show_table(table: &Table, wrong: impl Iterator<Item = bool>, screen: &mut Screen) -> Result<()> {
    let lines = table.lines();
    let (heading, rows) = lines.split_first().expect("every table has a heading");
    screen.styled(DIM, heading)?;
    for (line, wrong) in rows.iter().zip(wrong) {
        if wrong { screen.styled(BAD, line)? } else { writeln!(screen, "{line}")? }
    }
    Ok(())
}

/// Says which algorithms could not start, and why.
fn show_skipped(skipped: &[Skipped], screen: &mut Screen) -> Result<()> {
    for Skipped { algorithm, reason } in skipped {
        screen.styled(DIM, &format!("{algorithm} was left out: {reason}"))?;
    }
    Ok(())
}

fn show_faults(faults: &[String], screen: &mut Screen) -> Result<()> {
    for fault in faults {
        screen.styled(BAD, &format!("wrong: {fault}"))?;
    }
    Ok(())
}

fn seed(args: &RaceArgs) -> u64 {
    args.seed.unwrap_or(1)
}

/// Returns the maps to race on.
fn maps(args: &RaceArgs) -> Result<Vec<String>> {
    match (&args.scen, &args.maps[..]) {
        (None, []) => Ok(vec![args.chart.first().map_or(BUILTIN[0].name, String::as_str).to_owned()]),
        (None, maps) | (Some(_), maps @ [_]) => Ok(maps.to_vec()),
        (Some(scenario), []) => {
            let map = source::map_of_scenario(scenario)?;
            Ok(vec![map.to_str().ok_or_else(|| anyhow!("{}: not a name I can write", map.display()))?.to_owned()])
        }
        (Some(_), _) => bail!("--scen goes with one map, not {}", args.maps.len()),
    }
}

fn trials(args: &RaceArgs, map: &str, world: &AnySnapshot) -> Result<Vec<Trial>> {
    let Some(path) = &args.scen else {
        let count = args.queries.map_or(QUERIES, |count| count as usize);
        return queries::random(world, count, seed(args)).map_err(|error| anyhow!("{map}: {error}"));
    };
    let trials = scenario_trials(path, world)?;
    Ok(match args.queries {
        Some(count) => queries::spread(trials, count as usize),
        None => trials,
    })
}

/// Returns the queries of a scenario file. Every error names the file.
pub(crate) fn scenario_trials(path: &Path, world: &AnySnapshot) -> Result<Vec<Trial>> {
    let trials = queries::of_scenario(&read_scenario(path)?, world);
    let trials = trials.map_err(|error| anyhow!("{}: {error}", path.display()))?;
    if trials.is_empty() { Err(anyhow!("{}: there are no queries in it", path.display())) } else { Ok(trials) }
}

/// Refuses a map as the file for results: in `race --json town.map` the user means the map, which would be overwritten.
pub(crate) fn refuse_map(path: &Path) -> Result<()> {
    if Kind::of(path).is_some() || path.to_str().is_some_and(|name| builtin(name).is_some()) {
        bail!("{} is a map, not a file for results; name one, or - for standard output", path.display());
    }
    Ok(())
}
