//! `portolan completions` and `portolan man`: what other programs show of this one.

use crate::args::Cli;
use crate::terminal::Screen;
use anyhow::{Result, anyhow};
use clap::CommandFactory;
use clap_complete::Shell;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;

pub(crate) fn completions(shell: Shell, screen: &mut Screen) -> Result<ExitCode> {
    // Into memory first: the generator cannot say that its reader has left.
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "portolan", &mut script);
    screen.write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}

pub(crate) fn man(folder: Option<&Path>, screen: &mut Screen) -> Result<ExitCode> {
    if let Some(folder) = folder {
        let named = |error: std::io::Error| anyhow!("{}: {error}", folder.display());
        std::fs::create_dir_all(folder).map_err(named)?;
        clap_mangen::generate_to(Cli::command(), folder).map_err(named)?;
    } else {
        let mut page = Vec::new();
        clap_mangen::Man::new(Cli::command()).render(&mut page)?;
        screen.write_all(&page)?;
    }
    Ok(ExitCode::SUCCESS)
}
