//! `cargo xtask test`: runs the set-up and all checks, one stage after the other, up to the first that fails.

use crate::failure::Failure;
use crate::outfit;
use crate::python;
use crate::shell::{cargo, run as run_command, watch, works};
use crate::tally::Tally;
use crate::tidy;
use std::env;
use std::path::Path;
use std::process::Command;
use std::time::Instant;

/// How a stage ended that did not fail.
enum Done {
    Passed,
    /// The stage cannot be run on this machine; the text says why.
    Skipped(String),
}

struct Stage {
    headline: &'static str,
    work: fn(&Path, &mut Tally) -> Result<Done, Failure>,
}

const STAGES: &[Stage] = &[
    Stage { headline: "set-up", work: set_up },
    Stage { headline: "format", work: format },
    Stage { headline: "clippy", work: clippy },
    Stage { headline: "page", work: page },
    Stage { headline: "tests", work: tests },
    Stage { headline: "python", work: python_tests },
    Stage { headline: "doc tests", work: doc_tests },
    Stage { headline: "documentation", work: documentation },
    Stage { headline: "packages", work: packages },
    Stage { headline: "tidy", work: tidy_up },
];

/// Runs every stage; the last line printed counts the tests.
pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    if let Some(surplus) = arguments.first() {
        return Err(Failure::Usage(format!("`cargo xtask test` takes no arguments, not {surplus:?}")));
    }
    let mut tally = Tally::default();
    let ended = STAGES.iter().try_for_each(|stage| run_stage(stage, root, &mut tally));
    if ended.is_err() && tally.failed == 0 {
        // A check that is no test failed, or a test binary ended before it printed its counts.
        tally.failed = 1;
    }
    if let Err(failure) = &ended {
        println!("\n{failure}");
    }
    println!("\n{tally}");
    ended
}

fn run_stage(stage: &Stage, root: &Path, tally: &mut Tally) -> Result<(), Failure> {
    println!("\n=== {} ===", stage.headline);
    let begun = Instant::now();
    let ended = (stage.work)(root, tally);
    let seconds = begun.elapsed().as_secs_f64();
    match ended {
        Ok(Done::Passed) => println!("--- {}: passed in {seconds:.1} s", stage.headline),
        Ok(Done::Skipped(reason)) => println!("--- {}: skipped, {reason}", stage.headline),
        Err(reason) => {
            println!("--- {}: failed after {seconds:.1} s", stage.headline);
            return Err(Failure::Stage { stage: stage.headline, reason: Box::new(reason) });
        }
    }
    Ok(())
}

/// Installs rustfmt and clippy if the toolchain lacks them, and prints which optional programs and maps are at hand.
fn set_up(root: &Path, _: &mut Tally) -> Result<Done, Failure> {
    run_command(&mut cargo(root, &["--version"]))?;
    for (subcommand, component) in [("fmt", "rustfmt"), ("clippy", "clippy")] {
        if !has(root, subcommand) {
            println!("{component} is missing: rustup component add {component}");
            let _ = run_command(Command::new("rustup").current_dir(root).args(["component", "add", component]));
        }
        println!(
            "{component}: {}",
            if has(root, subcommand) { "ready" } else { "not to be had, its stage is skipped" }
        );
    }
    let maps = env::var_os("PORTOLAN_MAPS").map_or_else(|| root.join("../shared/maps"), Into::into);
    let at_hand = maps.is_dir();
    println!(
        "benchmark maps: {}",
        if at_hand { "at hand" } else { "not at hand, tests that need them say so and skip" }
    );
    match outfit::browser() {
        Ok(()) => println!("browser: at hand"),
        Err(missing) => println!("browser: not to be had, tests of the page are skipped; {missing}"),
    }
    match outfit::vulkan_driver() {
        Ok(()) => println!("Vulkan driver: at hand"),
        Err(missing) => println!("Vulkan driver: not to be had, tests of graphics processors are skipped; {missing}"),
    }
    Ok(Done::Passed)
}

fn has(root: &Path, subcommand: &str) -> bool {
    works(&mut cargo(root, &[subcommand, "--version"]))
}

fn format(root: &Path, _: &mut Tally) -> Result<Done, Failure> {
    if !has(root, "fmt") {
        return Ok(Done::Skipped("there is no rustfmt here".to_owned()));
    }
    run_command(&mut cargo(root, &["fmt", "--all", "--check"]))?;
    Ok(Done::Passed)
}

fn clippy(root: &Path, _: &mut Tally) -> Result<Done, Failure> {
    if !has(root, "clippy") {
        return Ok(Done::Skipped("there is no clippy here".to_owned()));
    }
    run_command(&mut cargo(root, &["clippy", "--workspace", "--all-targets", "--", "-D", "warnings"]))?;
    Ok(Done::Passed)
}

/// Checks the types of the studio's page.
fn page(root: &Path, _: &mut Tally) -> Result<Done, Failure> {
    Ok(outfit::check_page(root)?.map_or_else(Done::Skipped, |()| Done::Passed))
}

fn tests(root: &Path, tally: &mut Tally) -> Result<Done, Failure> {
    let kinds = ["test", "--workspace", "--no-fail-fast", "--lib", "--bins", "--tests", "--examples"];
    watch(&mut cargo(root, &kinds), |line| tally.see(line))?;
    Ok(Done::Passed)
}

/// Tests the binding for Python.
fn python_tests(root: &Path, tally: &mut Tally) -> Result<Done, Failure> {
    Ok(python::test(root, tally)?.map_or_else(Done::Skipped, |()| Done::Passed))
}

fn doc_tests(root: &Path, tally: &mut Tally) -> Result<Done, Failure> {
    watch(&mut cargo(root, &["test", "--workspace", "--no-fail-fast", "--doc"]), |line| tally.see(line))?;
    Ok(Done::Passed)
}

fn documentation(root: &Path, _: &mut Tally) -> Result<Done, Failure> {
    run_command(cargo(root, &["doc", "--workspace", "--no-deps"]).env("RUSTDOCFLAGS", "-D warnings"))?;
    Ok(Done::Passed)
}

/// Packs up all crates that can be published. They are not compiled once more: a rule of `tidy` sees to it that they need no
/// file that is not in their package.
fn packages(root: &Path, _: &mut Tally) -> Result<Done, Failure> {
    let unpublished = [
        "portolan-gppc",
        "portolan-c",
        "portolan-python",
        "portolan-cases",
        "portolan-benches",
        "portolan-peers",
        "xtask",
    ];
    let mut arguments = vec!["package", "--workspace", "--no-verify", "--allow-dirty", "--quiet"];
    arguments.extend(unpublished.iter().flat_map(|name| ["--exclude", name]));
    run_command(&mut cargo(root, &arguments))?;
    Ok(Done::Passed)
}

fn tidy_up(root: &Path, _: &mut Tally) -> Result<Done, Failure> {
    tidy::run(root, &[])?;
    Ok(Done::Passed)
}
