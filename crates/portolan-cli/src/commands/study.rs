//! `portolan study`: runs a paper's experiments again.

use super::race::refuse_map;
use crate::args::StudyArgs;
use crate::entrants::algorithm;
use crate::mistake;
use crate::source;
use crate::terminal::{BAD, BOLD, DIM, Progress, Screen};
use anyhow::{Result, anyhow};
use portolan_lab::study::{Block, Maps, Options, Results, STUDIES, Study, study};
use serde::Serialize;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// What is printed as JSON for each study in the list.
#[derive(Serialize)]
struct Entry {
    name: &'static str,
    title: &'static str,
    paper: &'static str,
    summary: &'static str,
    /// The chapters that it repeats, if there are others to choose from.
    #[serde(skip_serializing_if = "<[u32]>::is_empty")]
    chapters: &'static [u32],
}

/// The most characters in a line of text, since longer lines are hard to read.
const MOST_COLUMNS: usize = 100;

pub(crate) fn run(args: &StudyArgs, screen: &mut Screen) -> Result<ExitCode> {
    let Some(name) = &args.name else {
        return list(args.json.as_deref(), screen);
    };
    let study = of_chapter(named(name)?, args.chapter)?;
    for path in [&args.json, &args.output].into_iter().flatten() {
        refuse_map(path)?;
    }
    let (options, maps) = (options(args, study)?, maps_for(args, study)?);
    let mut bar = Progress::new(study.name);
    let results = study.run(maps.as_ref(), &options, &mut |done, total| bar.at(done, total))?;
    drop(bar);
    let quiet = args.json.as_deref() == Some(Path::new("-"));
    if !quiet {
        show(&results, screen)?;
    }
    if let Some(path) = &args.json {
        write_json(&results, path, screen)?;
    }
    let page = args.output.clone().unwrap_or_else(|| page_of(study));
    source::write(&page, results.html().as_bytes())?;
    if !quiet {
        writeln!(screen, "\nFigures: {}", page.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Returns the study of that name. If there is none, the error says which was probably meant.
fn named(name: &str) -> Result<&'static Study> {
    study(name).ok_or_else(|| {
        let hint = mistake::hint(name, STUDIES.iter().map(|study| study.name));
        let hint = if hint.is_empty() { "; `portolan study` lists them".to_owned() } else { hint };
        anyhow!("there is no study {name:?}{hint}")
    })
}

/// Returns the study of a chapter of the paper that a study repeats, if a chapter is named.
fn of_chapter(study: &'static Study, chapter: Option<u32>) -> Result<&'static Study> {
    let Some(chapter) = chapter else { return Ok(study) };
    study.of_chapter(chapter).ok_or_else(|| {
        if study.chapters.is_empty() {
            let with: Vec<&str> =
                STUDIES.iter().filter(|other| !other.chapters.is_empty()).map(|other| other.name).collect();
            return anyhow!("{} has no chapters to choose from; --chapter goes with {}", study.name, with.join(", "));
        }
        let all = std::iter::once(study).chain(study.further_chapters()).flat_map(|study| study.chapters);
        let all: Vec<String> = all.map(u32::to_string).collect();
        anyhow!("{} repeats chapters {} of its paper, not {chapter}", study.name, all.join(", "))
    })
}

/// Returns the name of a study's page unless another is given.
fn page_of(study: &Study) -> PathBuf {
    let is_further = !STUDIES.iter().any(|other| (other.name, other.chapters) == (study.name, study.chapters));
    let chapters = study.chapters.iter().filter(|_| is_further).map(|chapter| format!("-{chapter}"));
    PathBuf::from(format!("study-{}{}.html", study.name, chapters.collect::<String>()))
}

/// Returns the maps in the folder of the arguments, or else in the default folder. Returns `None` if the study takes no
/// maps or there are none.
fn maps_for(args: &StudyArgs, study: &Study) -> Result<Option<Maps>> {
    if !study.takes_maps() {
        return match &args.maps {
            Some(_) => Err(anyhow!("{} has its own worlds; leave out --maps", study.name)),
            None => Ok(None),
        };
    }
    Ok(match &args.maps {
        Some(folder) => study.maps_in(folder)?,
        None => study.maps_at_hand()?,
    })
}

fn options(args: &StudyArgs, study: &Study) -> Result<Options> {
    if !study.takes_options() && (args.largest.is_some() || !args.with.is_empty()) {
        return Err(anyhow!("{} says itself what it measures; --largest and --with go with sizes", study.name));
    }
    let with = args.with.iter().map(|name| Ok(algorithm(name)?.name)).collect::<Result<_>>()?;
    Ok(Options {
        queries: args.queries.map(|count| count as usize),
        seed: args.seed,
        quick: args.quick,
        largest: args.largest.map(|side| side as usize),
        with,
    })
}

fn list(json: Option<&Path>, screen: &mut Screen) -> Result<ExitCode> {
    if let Some(path) = json {
        let entry = |study: &Study| {
            let Study { name, title, paper, summary, chapters, .. } = *study;
            Entry { name, title, paper, summary, chapters }
        };
        let all = STUDIES.iter().flat_map(|study| std::iter::once(study).chain(study.further_chapters()));
        write_json(&all.map(entry).collect::<Vec<_>>(), path, screen)?;
        return Ok(ExitCode::SUCCESS);
    }
    for (index, study) in STUDIES.iter().enumerate() {
        if index > 0 {
            writeln!(screen)?;
        }
        writeln!(screen, "{BOLD}{}{BOLD:#}  {} ({})", study.name, study.title, study.paper)?;
        writeln!(screen, "  {}", study.summary)?;
        for further in study.further_chapters() {
            let chapters: Vec<String> = further.chapters.iter().map(u32::to_string).collect();
            writeln!(screen, "  --chapter {}: {}", chapters.join(", "), further.summary)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn write_json(value: &impl Serialize, path: &Path, screen: &mut Screen) -> Result<()> {
    if path == Path::new("-") {
        return screen.json(value);
    }
    source::write(path, (serde_json::to_string_pretty(value)? + "\n").as_bytes())
}

fn show(results: &Results, screen: &mut Screen) -> Result<()> {
    screen.styled(BOLD, &results.headings[0])?;
    writeln!(screen, "{}", results.headings[1])?;
    for section in &results.sections {
        writeln!(screen)?;
        screen.styled(BOLD, &section.heading)?;
        for block in &section.blocks {
            match block {
                Block::Text(text) => {
                    for line in wrapped(text, Screen::width().min(MOST_COLUMNS)) {
                        screen.styled(DIM, &line)?;
                    }
                }
                Block::Table(table) => {
                    for line in table.lines() {
                        writeln!(screen, "  {line}")?;
                    }
                }
            }
        }
    }
    writeln!(screen)?;
    screen.styled(BOLD, "Verdicts")?;
    for verdict in &results.verdicts {
        let line = format!("{:<6}  {}: {}", verdict.word(), verdict.target, verdict.found);
        if verdict.met == Some(false) { screen.styled(BAD, &line)? } else { writeln!(screen, "{line}")? }
    }
    Ok(())
}

/// Splits a paragraph into lines of at most `width` characters. A line with a single longer word is longer.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    for word in text.split_whitespace() {
        let line = lines.last_mut().expect("there is a line");
        if line.is_empty() {
            line.push_str(word);
        } else if line.chars().count() + 1 + word.chars().count() <= width {
            line.push(' ');
            line.push_str(word);
        } else {
            lines.push(word.to_owned());
        }
    }
    lines
}
