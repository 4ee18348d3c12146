//! The `portolan` command: reads arguments, calls the engine and the lab, prints what they say.
//!
//! Exit codes: 0 done, 1 a check found mismatches, 2 bad input (with one line on what is wrong), 3 no route, 130
//! interrupted.
//! Not here: anything another crate could use.
#![forbid(unsafe_code)]

mod args;
mod commands;
mod entrants;
mod mistake;
mod source;
mod terminal;

use args::{Cli, Command, MapCommand};
use clap::Parser;
use std::io::Write;
use std::process::ExitCode;
use terminal::Screen;

fn main() -> ExitCode {
    let cli = Cli::parse();
    // The studio has an end of its own when it is interrupted, and writes no files.
    if !matches!(cli.command, Some(Command::Studio(_))) {
        leave_no_temporaries_when_interrupted();
    }
    let mut screen = Screen::new();
    let result = run(cli, &mut screen).and_then(|code| Ok(screen.flush().map(|()| code)?));
    match result {
        Ok(code) => code,
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            // What was said so far comes first; if it cannot be said, the error still can.
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
        Some(Command::List(args)) => commands::list::run(&args, screen),
        Some(Command::Check(args)) => commands::check::run(&args, screen),
        Some(Command::Study(args)) => commands::study::run(&args, screen),
        Some(Command::Sim(args)) => commands::sim::run(&args, screen),
        Some(Command::Studio(args)) => commands::studio::run(&args, screen),
        Some(Command::Completions { shell }) => commands::pages::completions(shell, screen),
        Some(Command::Man { folder }) => commands::pages::man(folder.as_deref(), screen),
    }
}

/// The exit code after Ctrl-C, a hangup or a request to end, as shells have it for the first of them.
const INTERRUPTED: i32 = 130;

/// Removes half-written files when the process is told to end.
fn leave_no_temporaries_when_interrupted() {
    // Fails where one of these signals is ignored, as under nohup, which is then to stay so. A temporary file that is left
    // behind goes with the next write of the same file.
    let _ = ctrlc::try_set_handler(|| portolan_formats::exit_without_temporaries(INTERRUPTED));
}

/// Whether the reader of our output has gone, which is no fault: `portolan list | head -1`.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.downcast_ref::<std::io::Error>().is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
