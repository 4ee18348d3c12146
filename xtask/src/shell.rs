//! Runs other programs. Their output passes through, and a program that fails makes the chore fail.

use crate::failure::Failure;
use std::env;
use std::io::{self, BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};

/// Returns a command that runs cargo in the repository's root: the cargo that started this program, if there is one.
pub(crate) fn cargo(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    command.current_dir(root).args(arguments);
    command
}

/// Returns the command as it would be typed, without the folder of the program.
pub(crate) fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_name().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args()).map(|word| word.to_string_lossy());
    words.collect::<Vec<_>>().join(" ")
}

/// Runs a command to its end.
pub(crate) fn run(command: &mut Command) -> Result<(), Failure> {
    let status = command.status().map_err(|source| Failure::Start { command: shown(command), source })?;
    if status.success() { Ok(()) } else { Err(Failure::Exit { command: shown(command) }) }
}

/// Runs a command to its end, prints each line of its standard output and passes it to `see`.
pub(crate) fn watch(command: &mut Command, mut see: impl FnMut(&str)) -> Result<(), Failure> {
    let started = command.stdout(Stdio::piped()).spawn();
    let mut child = started.map_err(|source| Failure::Start { command: shown(command), source })?;
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            let line = String::from_utf8_lossy(&line);
            // The command goes on even if standard output is closed.
            let _ = writeln!(io::stdout(), "{line}");
            see(&line);
        }
    }
    let status = child.wait().map_err(|source| Failure::Start { command: shown(command), source })?;
    if status.success() { Ok(()) } else { Err(Failure::Exit { command: shown(command) }) }
}

/// Returns whether a command can be run and succeeds; its output is dropped.
pub(crate) fn works(command: &mut Command) -> bool {
    command.stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}
