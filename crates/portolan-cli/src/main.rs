//! The `portolan` command: reads arguments, calls the other crates, and prints their results.
//!
//! Exit codes: 0 done, 1 wrong answers in a check or race, 2 bad input (with one line on what is wrong), 3 no route, or
//! an agent that did not arrive, 130 interrupted.
//!
//! Not here: anything that another crate could use.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod entrants;
mod mistake;
mod source;
mod terminal;

use args::{Cli, Command, MapCommand, MeshCommand};
use clap::Parser;
use std::io::Write;
use std::process::ExitCode;
use terminal::Screen;

fn main() -> ExitCode {
    let cli = Cli::parse();
    // The studio handles interrupts itself and writes no files.
    if !matches!(cli.command, Some(Command::Studio(_))) {
        leave_no_temporaries_when_interrupted();
    }
    let mut screen = Screen::new();
    let result = run(cli, &mut screen).and_then(|code| Ok(screen.flush().map(|()| code)?));
    match result {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // What was printed so far comes before the error. If it cannot be written, the error still is.
            let _ = screen.flush();
            terminal::complain(&error.to_string());
            ExitCode::from(2)
        }
    }
}

fn run(cli: Cli, screen: &mut Screen) -> anyhow::Result<ExitCode> {
    match cli.command {
        None => commands::welcome::run(cli.json, screen),
        Some(Command::Find(args)) => commands::find::run(&args, screen),
        Some(Command::Race(args)) => commands::race::run(&args, screen),
        Some(Command::Build(args)) => commands::build::run(&args, screen),
        Some(Command::Info(args)) => commands::info::run(&args, screen),
        Some(Command::Map { command }) => match command {
            MapCommand::New(args) => commands::map::new(&args, screen),
            MapCommand::Info(args) => commands::map::info(&args, screen),
            MapCommand::Draw(args) => commands::map::draw(&args, screen),
            MapCommand::Convert(args) => commands::map::convert(&args, screen),
        },
        Some(Command::Mesh { command }) => match command {
            MeshCommand::Build(args) => commands::mesh::build_mesh(&args, screen),
            MeshCommand::Info(args) => commands::mesh::info(&args, screen),
            MeshCommand::Draw(args) => commands::mesh::draw(&args, screen),
            MeshCommand::Convert(args) => commands::mesh::convert(&args, screen),
            MeshCommand::Link(args) => commands::mesh::link::run(&args, screen),
        },
        Some(Command::List(args)) => commands::list::run(&args, screen),
        Some(Command::Check(args)) => commands::check::run(&args, screen),
        Some(Command::Study(args)) => commands::study::run(&args, screen),
        Some(Command::Sim(args)) => commands::sim::run(&args, screen),
        Some(Command::Crowd(args)) => commands::crowd::run(&args, screen),
        Some(Command::Walk(args)) => commands::walk::run(&args, screen),
        Some(Command::Studio(args)) => commands::studio::run(&args, screen),
        Some(Command::Completions { shell }) => commands::pages::completions(shell, screen),
        Some(Command::Man { folder }) => commands::pages::man(folder.as_deref(), screen),
    }
}

/// The exit code after Ctrl-C, a hangup or a request to end. Shells use this code for Ctrl-C.
const INTERRUPTED: i32 = 130;

/// Lets the process remove its temporary files before a signal ends it.
fn leave_no_temporaries_when_interrupted() {
    // This fails if one of these signals is ignored, as under nohup; then the signal stays ignored. A temporary file
    // that is left behind is removed by the next write of the same file.
    let _ = ctrlc::try_set_handler(|| portolan_formats::exit_without_temporaries(INTERRUPTED));
}

/// Returns whether the reader of the output has ended, which is no error: `portolan list | head -1`.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
