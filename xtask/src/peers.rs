//! `cargo xtask peers`: runs the race in `peers/` as a release build, with the given arguments.

use crate::failure::Failure;
use crate::shell::{cargo, run as run_command};
use std::path::Path;

pub(crate) fn run(root: &Path, arguments: &[String]) -> Result<(), Failure> {
    run_command(cargo(root, &["run", "--release", "--quiet", "--package", "portolan-peers", "--"]).args(arguments))
}
