//! `cargo xtask bench`: counts the instructions per query with valgrind's callgrind and compares them with the recorded
//! ones.
//!
//! A case is run with few and with more repeats of its queries; the difference is what the queries cost alone. Counts
//! do not depend on how busy the machine is, so that a difference of half a percent comes from the code.

use crate::failure::Failure;
use crate::shell::{cargo, run as run_command, shown, works};
use portolan_formats::replace_file;
use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const RECORD: &str = "benches/instructions.tsv";
const HEADER: &str = "world\talgorithm\tinstructions per query\n";
const REPEATS: [u64; 2] = [1, 3];

/// The names of a world and an algorithm.
type Case = (String, String);
/// Instructions per query of each case, sorted.
type Figures = BTreeMap<Case, u64>;

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    let (mut save, mut word) = (false, None);
    for argument in arguments {
        match argument.as_str() {
            "--save" => save = true,
            option if option.starts_with('-') => {
                return Err(Failure::Usage(format!("`cargo xtask bench` has no option {option}, only --save")));
            }
            other => word = Some(other),
        }
    }
    if !valgrind() {
        println!("bench: skipped, valgrind is not to be had here");
        return Ok(());
    }
    let program = build(root)?;
    let path = root.join(RECORD);
    let recorded = match fs::read_to_string(&path) {
        Ok(text) => parse(&text)?,
        Err(_) => Figures::new(),
    };
    let mut figures = Figures::new();
    for (case, queries) in cases(&program)? {
        let name = format!("{} {}", case.0, case.1);
        if word.is_some_and(|word| !name.contains(word)) {
            continue;
        }
        let now = per_query(&program, &case, queries)?;
        println!("{name:<36} {now:>12} {}", change(recorded.get(&case).copied(), now));
        figures.insert(case, now);
    }
    if word.is_none() {
        for (world, algorithm) in recorded.keys().filter(|case| !figures.contains_key(*case)) {
            println!("{:<36} {:>12} gone", format!("{world} {algorithm}"), "");
        }
    } else {
        // Cases that WORD leaves out keep their figures.
        figures = recorded.into_iter().chain(figures).collect();
    }
    if save {
        replace_file(&path, written(&figures).as_bytes()).map_err(Failure::file(&path))?;
        println!("{RECORD}: written");
    }
    Ok(())
}

/// Returns whether valgrind can be run. If it is missing, it is installed where this program runs as root on Debian.
fn valgrind() -> bool {
    let there = || works(Command::new("valgrind").arg("--version"));
    if there() {
        return true;
    }
    let user = Command::new("id").arg("-u").output();
    let is_root = user.is_ok_and(|output| output.stdout.trim_ascii() == b"0");
    if is_root && Path::new("/etc/debian_version").exists() {
        println!("valgrind is missing: apt-get install -y valgrind");
        return works(Command::new("apt-get").args(["install", "-y", "valgrind"])) && there();
    }
    false
}

/// Builds the program whose instructions are counted and returns where it lies.
fn build(root: &Path) -> Result<PathBuf, Failure> {
    run_command(&mut cargo(root, &["build", "--release", "--quiet", "--package", "portolan-benches"]))?;
    let target = env::var_os("CARGO_TARGET_DIR").map_or_else(|| root.join("target"), |target| root.join(target));
    Ok(target.join("release/portolan-benches"))
}

/// Returns every case with its number of queries.
fn cases(program: &Path) -> Result<Vec<(Case, u64)>, Failure> {
    let listed = output(Command::new(program).arg("list"))?;
    let case = |line: &str| {
        let mut words = line.split('\t').map(str::to_owned);
        Some(((words.next()?, words.next()?), words.next()?.parse().ok()?))
    };
    Ok(listed.lines().filter_map(case).collect())
}

fn per_query(program: &Path, case: &Case, queries: u64) -> Result<u64, Failure> {
    let few = instructions(program, case, REPEATS[0])?;
    let more = instructions(program, case, REPEATS[1])?;
    Ok(more.saturating_sub(few) / ((REPEATS[1] - REPEATS[0]) * queries))
}

fn instructions(program: &Path, (world, algorithm): &Case, repeats: u64) -> Result<u64, Failure> {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]).arg(program);
    command.args(["run", world, algorithm]).arg(repeats.to_string());
    let report = output(&mut command)?;
    collected(&report).ok_or_else(|| Failure::Content {
        place: shown(&command),
        expected: "a line `Collected : COUNT` was expected".to_owned(),
    })
}

/// Returns the count in the last lines of callgrind's report.
fn collected(report: &str) -> Option<u64> {
    let (_, count) = report.lines().rev().find_map(|line| line.split_once("Collected : "))?;
    count.trim().parse().ok()
}

/// Returns what a command prints on both streams, standard output first.
fn output(command: &mut Command) -> Result<String, Failure> {
    let output = command.output().map_err(|source| Failure::Start { command: shown(command), source })?;
    let text = String::from_utf8_lossy(&output.stdout) + String::from_utf8_lossy(&output.stderr);
    if output.status.success() {
        Ok(text.into_owned())
    } else {
        eprintln!("{text}");
        Err(Failure::Exit { command: shown(command) })
    }
}

/// Returns how a figure differs from the recorded one, as text.
fn change(before: Option<u64>, now: u64) -> String {
    match before {
        None => "new".to_owned(),
        Some(before) if before == now => "=".to_owned(),
        Some(before) => format!("{:+.1} %", (now as f64 / before as f64 - 1.0) * 100.0),
    }
}

fn written(figures: &Figures) -> String {
    let rows = figures.iter().map(|((world, algorithm), count)| format!("{world}\t{algorithm}\t{count}\n"));
    HEADER.to_owned() + &rows.collect::<String>()
}

fn parse(text: &str) -> Result<Figures, Failure> {
    let row = |(number, line): (usize, &str)| {
        let mut words = line.split('\t');
        let read = || -> Option<(Case, u64)> {
            let case = (words.next()?.to_owned(), words.next()?.to_owned());
            Some((case, words.next()?.parse().ok()?))
        };
        ({ read }()).ok_or_else(|| Failure::Content {
            place: format!("{RECORD}:{}", number + 1),
            expected: "world, algorithm and a count, between tabs, were expected".to_owned(),
        })
    };
    text.lines().enumerate().skip(1).map(row).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_record_survives_writing_and_reading() {
        let case = |world: &str, algorithm: &str| (world.to_owned(), algorithm.to_owned());
        let figures = Figures::from([(case("maze", "a-star"), 120), (case("city", "dijkstra"), 3400)]);
        let text = written(&figures);
        assert_eq!(text, format!("{HEADER}city\tdijkstra\t3400\nmaze\ta-star\t120\n"));
        assert_eq!(parse(&text).unwrap(), figures);
        assert!(parse(&format!("{HEADER}city\tdijkstra\tmany\n")).is_err());
    }

    #[test]
    fn the_count_is_found_in_callgrinds_report() {
        let report = "==9== Events    : Ir\n==9== Collected : 1234567\n==9== \n==9== I   refs:      1,234,567\n";
        assert_eq!(collected(report), Some(1_234_567));
        assert_eq!(collected("==9== Events    : Ir\n"), None);
    }

    #[test]
    fn changes_read_as_percentages() {
        assert_eq!(change(Some(1000), 1004), "+0.4 %");
        assert_eq!(change(Some(1000), 900), "-10.0 %");
        assert_eq!(change(Some(1000), 1000), "=");
        assert_eq!(change(None, 1000), "new");
    }
}
