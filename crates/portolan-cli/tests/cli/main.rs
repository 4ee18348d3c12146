//! Tests of the `portolan` command as users run it. This file has what all tests use to run the built command and to
//! read its output.

mod changing;
mod charts;
mod commands;
mod crowd;
mod game;
mod hexes;
mod memory;
mod meshes;
mod profiles;
mod race;
mod readme;
mod sim;
mod studio;
mod study;
mod walk;
mod written;

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

/// Runs `portolan` with these arguments.
pub(crate) fn portolan(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_portolan")).args(args).output().expect("the command runs")
}

/// Returns standard output as text.
pub(crate) fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("output is text")
}

/// Returns standard error as text.
pub(crate) fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("complaints are text")
}

/// Returns standard output as JSON.
pub(crate) fn json(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|error| panic!("{error}: {}{}", stdout(output), stderr(output)))
}

/// A folder for one test, which is removed when the test ends.
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// Makes the folder of that name.
    pub(crate) fn new(name: &str) -> Folder {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("cli-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Folder(path)
    }

    /// Returns the path of a file in the folder.
    pub(crate) fn file(&self, name: &str) -> String {
        self.0.join(name).to_str().expect("a plain name").to_owned()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // If the folder cannot be removed, the test still passes.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
