//! The `portolan` command as users run it. Here: running the built command and looking at what it says.

mod charts;
mod commands;
mod memory;
mod race;
mod readme;
mod sim;
mod studio;
mod study;
mod written;

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Runs `portolan` with these arguments.
pub(crate) fn portolan(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_portolan")).args(args).output().expect("the command runs")
}

/// What it printed.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("output is text")
}

/// What it complained of.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("complaints are text")
}

/// What it printed as JSON.
pub(crate) fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", stdout(output), stderr(output)))
}

/// A folder for one test, empty when it begins and gone when it ends.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// The folder of that name.
    pub(crate) fn new(name: &str) -> Folder {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Folder(path)
    }

    /// A file in it.
    pub(crate) fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain name").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What is left behind is only a nuisance.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
