//! `portolan race --batch`: every algorithm answers many queries at once, after the race.

use super::show_table;
use crate::args::RaceArgs;
use crate::terminal::{BOLD, DIM, Progress, Screen};
use anyhow::{Result, anyhow};
use portolan::any::AnySnapshot;
use portolan_lab::queries::{self, Trial};
use portolan_lab::race::{Entrant, Processor, RaceResult, race_batches, race_field};
use portolan_lab::table;
use std::io::Write;

/// Opens the graphics processor if one is asked for.
pub(super) fn processor(args: &RaceArgs) -> Result<Option<Processor>> {
    let opened = args.gpu.then(Processor::open).transpose();
    opened.map_err(|error| anyhow!("--gpu: {error}"))
}

/// Races the batch while showing a progress bar, if one is asked for.
pub(super) fn held(
    args: &RaceArgs,
    world: &AnySnapshot,
    runners: &[Entrant],
    processor: Option<&Processor>,
    result: &mut RaceResult,
) -> Result<()> {
    let Some(count) = args.batch else { return Ok(()) };
    let map = result.map.clone();
    let draw = if args.one_goal { queries::to_one_goal } else { queries::random };
    let trials = draw(world, count as usize, super::seed(args)).map_err(|error| anyhow!("{map}: {error}"))?;
    let runners: Vec<Entrant> = runners.iter().map(|entrant| entrant.clone().gives_up_on(world)).collect();
    let mut bar = Progress::new(&format!("{map}: batches"));
    race_batches(world, &trials, &runners, processor, result, &mut |done, total| bar.at(done, total))?;
    if let (true, Some(Trial { to, .. })) = (args.one_goal, trials.first()) {
        let starts = trials.iter().map(|trial| trial.from).collect();
        let mut bar = Progress::new(&format!("{map}: a field"));
        race_field(world, *to, starts, processor, result, &mut |done, total| bar.at(done, total))?;
    }
    Ok(())
}

/// Prints the table of the batches, if there were any.
pub(super) fn show(result: &RaceResult, screen: &mut Screen) -> Result<()> {
    let Some(about) = table::about_batches(result) else { return Ok(()) };
    let (headline, remarks) = about.split_first().expect("there is a headline");
    writeln!(screen)?;
    screen.styled(BOLD, headline)?;
    let wrong =
        result.rows.iter().filter_map(|row| row.batch.as_ref()).chain(&result.field).map(|batch| !batch.identical);
    show_table(&table::of_batches(result), wrong, screen)?;
    remarks.iter().try_for_each(|remark| screen.styled(DIM, remark))?;
    Ok(())
}
