//! `portolan completions` and `portolan man`: completion scripts for shells, and manual pages.

use crate::args::Cli;
use crate::source;
use crate::terminal::Screen;
use anyhow::{Result, anyhow};
use clap::{Command, CommandFactory};
use clap_complete::Shell;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn completions(shell: Shell, screen: &mut Screen) -> Result<ExitCode> {
    // The script is made in memory first, since the generator cannot report that the reader of its output has ended.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "portolan", &mut script);
    screen.write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn man(folder: Option<&Path>, screen: &mut Screen) -> Result<ExitCode> {
    if let Some(folder) = folder {
        let named = |error: std::io::Error| anyhow!("{}: {error}", folder.display());
        std::fs::create_dir_all(folder).map_err(named)?;
        let mut command = Cli::command().disable_help_subcommand(true);
        command.build();
        write_pages(&command, folder)?;
    } else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page)?;
        screen.write_all(&page)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Writes the manual page of a command and those of its subcommands.
fn write_pages(command: &Command, folder: &Path) -> Result<()> {
    for below in command.get_subcommands().filter(|command| !command.is_hide_set()) {
        write_pages(below, folder)?;
    }
    let man = clap_mangen::Man::new(command.clone());
    let mut page = Vec::new();
    man.render(&mut page)?;
    source::write(&folder.join(man.get_filename()), &page)
}
