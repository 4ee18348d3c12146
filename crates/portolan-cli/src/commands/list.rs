//! `portolan list`: lists the algorithms, and the rules by which `auto` chooses one.

use crate::args::ListArgs;
use crate::entrants::unknown;
use crate::terminal::{BOLD, Screen};
use anyhow::Result;
use portolan::any::{AnyAlgorithm, AnySnapshot, all_algorithms, cells_of};
use portolan::auto::{AUTO, Auto, Rule};
use portolan::settings::{Param, Value};
use portolan::{Algorithm, HexGrid, MESH_ALGORITHMS, MeshParts, NavMesh, Rules, Space, SquareGrid};
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
    /// The kinds of space that it runs on.
    kinds: Vec<&'static str>,
    params: Vec<Setting>,
    /// The parameters that are others on other kinds of space than the first, each with its kind.
    #[serde(skip)]
    other_params: Vec<(&'static str, Setting)>,
}

#[derive(Serialize, PartialEq)]
struct Setting {
    name: &'static str,
    help: &'static str,
    default: serde_json::Value,
    range: String,
}

impl Setting {
    fn of(param: &Param) -> Setting {
        let default = match param.default {
            Value::Choice(word) => json!(word),
            Value::Number(number) => json!(number),
            Value::Count(count) => json!(count),
            other => json!(other.to_string()),
        };
        Setting { name: param.name, help: param.help, default, range: param.range.to_string() }
    }

    /// Returns the setting in one line.
    fn line(&self) -> String {
        let default = self.default.as_str().map_or_else(|| self.default.to_string(), str::to_owned);
        format!("--set {}={default}  {} ({})", self.name, self.help, self.range)
    }
}

pub(crate) fn run(args: &ListArgs, screen: &mut Screen) -> Result<ExitCode> {
    let samples = samples()?;
    let asked: Vec<&str> = args.names.iter().map(String::as_str).collect();
    let names = if asked.is_empty() { names() } else { asked };
    let entries = names.iter().map(|name| entry(name, &samples)).collect::<Result<Vec<_>>>()?;
    if args.json {
        screen.json(&entries)?;
        return Ok(ExitCode::SUCCESS);
    }
    for (index, entry) in entries.iter().enumerate() {
        if index > 0 {
            writeln!(screen)?;
        }
        show(entry, screen)?;
    }
    if !args.names.is_empty() {
        return Ok(ExitCode::SUCCESS);
    }
    writeln!(
        screen,
        "\n{BOLD}{AUTO}{BOLD:#}  chooses one of them by the world and its use; `find` does unless told otherwise"
    )?;
    show_rules(SquareGrid::RULES, screen)?;
    show_rules(HexGrid::RULES, screen)?;
    Ok(ExitCode::SUCCESS)
}

fn show(entry: &Entry, screen: &mut Screen) -> Result<()> {
    writeln!(screen, "{BOLD}{}{BOLD:#}  {} ({})", entry.name, entry.title, entry.paper)?;
    writeln!(screen, "  {}", entry.summary)?;
    let cells: Vec<&str> = entry.kinds.iter().map(|kind| cells_of(kind)).collect();
    if let Some(promise) = &entry.promise {
        let (worlds, cells) = (entry.worlds.join(" and "), listed(&cells));
        writeln!(screen, "  promises {promise}; runs on {worlds} worlds of {cells}")?;
    }
    for param in &entry.params {
        writeln!(screen, "  {}", param.line())?;
    }
    for (kind, param) in &entry.other_params {
        writeln!(screen, "  on {}: {}", cells_of(kind), param.line())?;
    }
    Ok(())
}

/// Returns words as a list in a sentence.
fn listed(words: &[&str]) -> String {
    match words {
        [first @ .., before, last] => [first, &[&format!("{before} and {last}")]].concat().join(", "),
        _ => words.concat(),
    }
}

fn show_rules<S: Space>(rules: &[Rule<S>], screen: &mut Screen) -> Result<()> {
    for rule in rules {
        writeln!(screen, "  {}: {}, because {}", rule.case, rule.takes().name, rule.why)?;
    }
    Ok(())
}

/// Returns the names of all algorithms, each once.
fn names() -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    let on_meshes = MESH_ALGORITHMS.iter().map(|algorithm| algorithm.name);
    for name in all_algorithms().map(AnyAlgorithm::name).chain(on_meshes) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Returns one small world of each kind and terrain, with the name of the terrain.
fn samples() -> Result<[(&'static str, AnySnapshot); 4]> {
    let squares = |weights: [u8; 2]| SquareGrid::from_weights(2, 1, &weights, Rules::default());
    let hexes = |weights: [u8; 2]| HexGrid::from_weights(2, 1, &weights, None);
    Ok([
        ("uniform", squares([1, 1])?.into()),
        ("weighted", squares([1, 2])?.into()),
        ("uniform", hexes([1, 1])?.into()),
        ("weighted", hexes([1, 2])?.into()),
    ])
}

/// Returns what is said of an algorithm. Its promise, its worlds and its settings are those on the first kind of space
/// that it runs on; settings that are others on another kind follow apart.
fn entry(name: &str, samples: &[(&'static str, AnySnapshot)]) -> Result<Entry> {
    let all: Vec<AnyAlgorithm> = all_algorithms().filter(|algorithm| algorithm.name() == name).collect();
    let on_mesh = MESH_ALGORITHMS.iter().copied().find(|algorithm| algorithm.name == name);
    let Some(&algorithm) = all.first() else { return on_mesh.ok_or_else(|| unknown(name)).and_then(mesh_entry) };
    let settings = algorithm.settings::<&str, &str>(&[])?;
    let suiting: Vec<_> = samples.iter().filter(|(_, world)| algorithm.suits(world).is_ok()).collect();
    let params: Vec<Setting> = algorithm.params().iter().map(Setting::of).collect();
    let others =
        all[1..].iter().flat_map(|other| other.params().iter().map(|param| (other.kind(), Setting::of(param))));
    let mesh_params = on_mesh.iter().flat_map(|other| other.params).map(|param| (NavMesh::KIND, Setting::of(param)));
    Ok(Entry {
        name: algorithm.name(),
        title: algorithm.title(),
        summary: algorithm.summary(),
        paper: algorithm.paper(),
        promise: suiting.first().map(|(_, world)| algorithm.promise(world, &settings).to_string()),
        worlds: suiting.iter().map(|(terrain, _)| *terrain).collect(),
        kinds: all.iter().map(|algorithm| algorithm.kind()).chain(on_mesh.map(|_| NavMesh::KIND)).collect(),
        other_params: others.chain(mesh_params).filter(|(_, param)| !params.contains(param)).collect(),
        params,
    })
}

/// Returns what is said of an algorithm that runs on meshes alone.
fn mesh_entry(algorithm: &'static Algorithm<NavMesh>) -> Result<Entry> {
    let settings = algorithm.settings::<&str, &str>(&[])?;
    let mesh = |weights: [u8; 2]| {
        let mut parts = MeshParts {
            vertices: vec![[0., 0., 0.], [1., 0., 0.], [1., 1., 0.], [0., 1., 0.]],
            ..MeshParts::default()
        };
        parts.push(&[0, 1, 2], weights[0]);
        parts.push(&[0, 2, 3], weights[1]);
        NavMesh::new(&parts)
    };
    let samples = [("uniform", mesh([1, 1])?), ("weighted", mesh([1, 2])?)];
    let suiting: Vec<_> = samples.iter().filter(|(_, mesh)| algorithm.suits(mesh).is_ok()).collect();
    Ok(Entry {
        name: algorithm.name,
        title: algorithm.title,
        summary: algorithm.summary,
        paper: algorithm.paper,
        promise: suiting.first().map(|(_, mesh)| algorithm.promise(mesh, &settings).to_string()),
        worlds: suiting.iter().map(|(terrain, _)| *terrain).collect(),
        kinds: vec![NavMesh::KIND],
        params: algorithm.params.iter().map(Setting::of).collect(),
        other_params: Vec::new(),
    })
}
