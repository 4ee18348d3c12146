//! `portolan list`: lists the algorithms, and the rules by which `auto` chooses one.

use crate::args::ListArgs;
use crate::entrants::algorithm;
use crate::terminal::{BOLD, Screen};
use anyhow::Result;
use portolan::{ALGORITHMS, AUTO, Algorithm, RULES, Rules, SquareGrid, Value};
use serde::Serialize;
use serde_json::json;
use std::io::Write;
use std::process::ExitCode;

/// What is printed as JSON for each algorithm.
#[derive(Serialize)]
struct Entry {
    name: &'static str,
    title: &'static str,
    summary: &'static str,
    paper: &'static str,
    promise: Option<String>,
    worlds: Vec<&'static str>,
    params: Vec<Setting>,
}

#[derive(Serialize)]
struct Setting {
    name: &'static str,
    help: &'static str,
    default: serde_json::Value,
    range: String,
}

pub(crate) fn run(args: &ListArgs, screen: &mut Screen) -> Result<ExitCode> {
    let samples = samples()?;
    let asked = args.names.iter().map(|name| algorithm(name)).collect::<Result<Vec<_>>>()?;
    let shown = if asked.is_empty() { ALGORITHMS.to_vec() } else { asked };
    let entries = shown.into_iter().map(|algorithm| entry(algorithm, &samples)).collect::<Result<Vec<_>>>()?;
    if args.json {
        screen.json(&entries)?;
        return Ok(ExitCode::SUCCESS);
    }
    for (index, entry) in entries.iter().enumerate() {
        if index > 0 {
            writeln!(screen)?;
        }
        writeln!(screen, "{BOLD}{}{BOLD:#}  {} ({})", entry.name, entry.title, entry.paper)?;
        writeln!(screen, "  {}", entry.summary)?;
        if let Some(promise) = &entry.promise {
            writeln!(screen, "  promises {promise}; runs on {} worlds", entry.worlds.join(" and "))?;
        }
        for param in &entry.params {
            let default = param.default.as_str().map_or_else(|| param.default.to_string(), str::to_owned);
            writeln!(screen, "  --set {}={default}  {} ({})", param.name, param.help, param.range)?;
        }
    }
    if !args.names.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(
        screen,
        "\n{BOLD}{AUTO}{BOLD:#}  chooses one of them by the world and its use; `find` does unless told otherwise"
    )?;
    for rule in RULES {
        writeln!(screen, "  {}: {}, because {}", rule.case, rule.takes().name, rule.why)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns one small world of each kind.
fn samples() -> Result<[(&'static str, SquareGrid); 2]> {
    let of = |weights: [u8; 2]| SquareGrid::from_weights(2, 1, &weights, Rules::default());
    Ok([("uniform", of([1, 1])?), ("weighted", of([1, 2])?)])
}

fn entry(algorithm: &'static Algorithm, samples: &[(&'static str, SquareGrid)]) -> Result<Entry> {
    let settings = algorithm.settings::<&str, &str>(&[])?;
    let suiting: Vec<_> = samples.iter().filter(|(_, grid)| algorithm.suits(grid).is_ok()).collect();
    let param = |param: &portolan::Param| Setting {
        name: param.name,
        help: param.help,
        default: match param.default {
            Value::Choice(word) => json!(word),
            Value::Number(number) => json!(number),
            Value::Count(count) => json!(count),
        },
        range: param.range.to_string(),
    };
    Ok(Entry {
        name: algorithm.name,
        title: algorithm.title,
        summary: algorithm.summary,
        paper: algorithm.paper,
        promise: suiting.first().map(|(_, grid)| algorithm.promise(grid, &settings).to_string()),
        worlds: suiting.iter().map(|(kind, _)| *kind).collect(),
        params: algorithm.params.iter().map(param).collect(),
    })
}
