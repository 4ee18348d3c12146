//! `cargo xtask`: the chores of this repository, each a file of its own. Nothing here is run by users of the engine.
#![forbid(unsafe_code)]

mod bench;
mod failure;
mod install_c;
mod outfit;
mod peers;
mod python;
mod shell;
mod storm;
mod table;
mod tally;
mod test;
mod tidy;
mod tree;

use failure::Failure;
use std::env;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// A command of `cargo xtask`.
struct Chore {
    name: &'static str,
    usage: &'static str,
    help: &'static str,
    run: fn(&Path, &[String]) -> Result<(), Failure>,
}

const CHORES: &[Chore] = &[
    Chore { name: "test", usage: "", help: "all set-up and all checks, in order", run: test::run },
    Chore { name: "tidy", usage: "", help: "the rules of the house that no compiler checks", run: tidy::run },
    Chore { name: "table", usage: "", help: "rewrites the README's table of algorithms", run: table::run },
    Chore {
        name: "storm",
        usage: "[MINUTES]",
        help: "puts random questions about random worlds and edits to every algorithm and judges the answers; \
               --first CASE begins with another one, --case CASE plays one alone, --kind square or hex keeps to one kind",
        run: storm::run,
    },
    Chore {
        name: "install-c",
        usage: "PREFIX",
        help: "builds the binding for C and puts its header, libraries and a file for pkg-config under a folder",
        run: install_c::run,
    },
    Chore { name: "peers", usage: "[OPTIONS]", help: "races the engine against other crates", run: peers::run },
    Chore {
        name: "bench",
        usage: "[--save] [WORD]",
        help: "counts instructions per query and compares them with the recorded ones; \
               WORD picks the cases whose name contains it",
        run: bench::run,
    },
];

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (name, rest) = arguments.split_first().map_or(("help", &[][..]), |(name, rest)| (name.as_str(), rest));
    if matches!(name, "help" | "-h" | "--help") {
        help();
        return ExitCode::SUCCESS;
    }
    let ended = match CHORES.iter().find(|chore| chore.name == name) {
        Some(chore) => (chore.run)(&root(), rest),
        None => Err(Failure::Usage(format!("there is no chore {name:?}; `cargo xtask help` lists them"))),
    };
    match ended {
        Ok(()) => ExitCode::SUCCESS,
        // `test::run` has printed the failure already, because the counts have to be its last line.
        Err(Failure::Stage { .. }) => ExitCode::FAILURE,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// Returns the repository's root: the parent of the folder that this crate was built in.
fn root() -> PathBuf {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    here.parent().map_or_else(|| here.to_path_buf(), Path::to_path_buf)
}

fn help() {
    println!("The chores of this repository:\n");
    for Chore { name, usage, help, .. } in CHORES {
        println!("  cargo xtask {:<22} {help}", format!("{name} {usage}"));
    }
    println!("  cargo xtask {:<22} this list", "help");
}
