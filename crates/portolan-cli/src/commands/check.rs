//! `portolan check`: checks that algorithms find the lengths that scenarios state.

use super::race::scenario_trials;
use crate::args::CheckArgs;
use crate::entrants::{entrants, known};
use crate::source;
use crate::terminal::{self, BAD, BOLD, Progress, Screen};
use anyhow::{Result, anyhow};
use portolan::SquareGrid;
use portolan::any::AnySnapshot;
use portolan::auto::Edits;
use portolan_formats::read_dynamic;
use portolan_lab::audit::{Finding, PATIENCE, audit, audit_dynamic, is_optimal};
use portolan_lab::queries;
use portolan_lab::race::Entrant;
use serde::Serialize;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

/// What is printed as JSON for each scenario.
#[derive(Serialize)]
struct Checked<'a> {
    scenario: &'a Path,
    findings: Vec<Finding>,
}

pub(crate) fn run(args: &CheckArgs, screen: &mut Screen) -> Result<ExitCode> {
    known(&args.with)?;
    let mut checked = Vec::new();
    let mut unreadable = false;
    for scenario in &args.scenarios {
        // If one scenario cannot be checked, the others still are.
        match check(scenario, args) {
            Ok(findings) => {
                let result = Checked { scenario, findings };
                if !args.report.json {
                    show(&result, screen)?;
                    screen.flush()?;
                }
                checked.push(result);
            }
            Err(error) => {
                unreadable = true;
                screen.flush()?;
                terminal::complain(&error.to_string());
            }
        }
    }
    if args.report.json {
        screen.json(&checked)?;
    }
    let wrong = checked.iter().flat_map(|checked| &checked.findings).any(|finding| finding.mismatches > 0);
    Ok(ExitCode::from(if unreadable { 2 } else { u8::from(wrong) }))
}

fn check(scenario: &Path, args: &CheckArgs) -> Result<Vec<Finding>> {
    args.report.world.refuse_profile("a scenario states the lengths of an agent of one cell on all ground")?;
    let named = |error: &dyn std::fmt::Display| anyhow!("{}: {error}", scenario.display());
    if source::is_dynamic(scenario) {
        let (play, patches) = read_dynamic(scenario)?;
        let open = AnySnapshot::from(SquareGrid::open(play.width, play.height, args.report.world.rules())?);
        let mut findings = Vec::new();
        for entrant in &chosen(args, (&open, Edits::Sometimes))? {
            let mut bar = Progress::new(&label(scenario, entrant));
            let rules = args.report.world.rules();
            let finding = audit_dynamic(&play, &patches, rules, entrant, &mut |done, total| bar.at(done, total));
            findings.push(finding.map_err(|error| named(&error))?);
        }
        return Ok(findings);
    }
    let map = source::map_of_scenario(scenario)?;
    let world = source::file(&map, &args.report.world)?;
    let mut trials = scenario_trials(scenario, &world)?;
    if let Some(count) = args.queries {
        trials = queries::spread(trials, count as usize);
    }
    let mut findings = Vec::new();
    for entrant in &chosen(args, (&world, Edits::Never))? {
        let mut bar = Progress::new(&label(scenario, entrant));
        let finding = audit(&world, &trials, entrant, &mut |done, total| bar.at(done, total));
        findings.push(finding.map_err(|error| named(&error))?);
    }
    Ok(findings)
}

/// Returns the algorithms that the arguments name, or else all that run on this world and promise the optimum.
fn chosen(args: &CheckArgs, (world, edits): (&AnySnapshot, Edits)) -> Result<Vec<Entrant>> {
    let mut runners = entrants(&args.with, &[], args.budget, (world, edits))?;
    runners.retain(|entrant| !args.with.is_empty() || is_optimal(entrant, world));
    for entrant in runners.iter_mut().filter(|entrant| entrant.can_take_ages()) {
        entrant.budget = entrant.budget.or(Some(PATIENCE));
    }
    Ok(runners)
}

fn label(scenario: &Path, entrant: &Entrant) -> String {
    let name = scenario.file_name().unwrap_or_default().to_string_lossy();
    format!("{name}: {}", entrant.algorithm.name())
}

fn show(checked: &Checked, screen: &mut Screen) -> Result<()> {
    screen.styled(BOLD, &checked.scenario.display().to_string())?;
    for finding in &checked.findings {
        let Finding { algorithm, queries, right, out_of_budget, mismatches, faults } = finding;
        let budget = if *out_of_budget > 0 { format!(", {out_of_budget} out of budget") } else { String::new() };
        let line = format!("  {algorithm}: {right} of {queries}{budget}");
        if *mismatches == 0 {
            writeln!(screen, "{line}")?;
            continue;
        }
        screen.styled(BAD, &format!("{line}, {mismatches} wrong"))?;
        for fault in faults {
            writeln!(screen, "    {fault}")?;
        }
    }
    Ok(())
}
