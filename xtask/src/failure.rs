//! The errors of chores.

use std::io;
use std::path::{Path, PathBuf};

/// Why a chore failed.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// A command could not be started.
    #[error("`{command}` cannot be started: {source}")]
    Start { command: String, source: io::Error },
    /// A command ended with a status other than 0.
    #[error("`{command}` failed")]
    Exit { command: String },
    /// A file could not be read or written.
    #[error("{}: {source}", path.display())]
    File { path: PathBuf, source: io::Error },
    /// A file does not hold what it should.
    #[error("{place}: {expected}")]
    Content { place: String, expected: String },
    /// Rules of `tidy` are broken; the number says how often.
    #[error("{0} to put in order")]
    Untidy(usize),
    /// A stage of the tests failed.
    #[error("the stage \"{stage}\" failed: {reason}")]
    Stage { stage: &'static str, reason: Box<Failure> },
    /// The command line is wrong; the text says what was expected.
    #[error("{0}")]
    Usage(String),
}

impl Failure {
    /// A file could not be read or written.
    pub(crate) fn file(path: &Path) -> impl FnOnce(io::Error) -> Failure + '_ {
        |source| Failure::File { path: path.to_path_buf(), source }
    }
}
