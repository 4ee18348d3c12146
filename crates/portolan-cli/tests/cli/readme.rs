//! Runs the commands of the README as they stand there.

use crate::Folder;
use std::path::PathBuf;
use std::process::Command;

/// Words in examples that cannot run in this test: they need published maps, a file of the reader's own, a browser, or
/// many minutes.
const NOT_HERE: [&str; 5] = ["maps/", "--maps", "my.case", "studio", "--largest"];

/// Returns the arguments of every `portolan` command in the README's code that can run here, in order, without
/// comments.
fn examples() -> Vec<Vec<String>> {
    let readme = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let text = std::fs::read_to_string(readme).expect("there is a README");
    // Code blocks of plain text are commands.
    let code = text.split("\n```").skip(1).step_by(2).filter(|code| code.starts_with("text\n"));
    let lines = code.flat_map(str::lines).filter_map(|line| line.strip_prefix("portolan "));
    let commands = lines.map(|line| line.split(" #").next().unwrap_or(line));
    let here = commands.filter(|command| !NOT_HERE.iter().any(|word| command.contains(word)));
    here.map(|command| command.split_whitespace().map(str::to_owned).collect()).collect()
}

#[test]
fn every_example_works() {
    let folder = Folder::new("readme");
    let examples = examples();
    assert!(examples.len() >= 8, "{examples:?}");
    for args in examples {
        let mut command = Command::new(env!("CARGO_BIN_EXE_portolan"));
        let output = command.args(&args).current_dir(folder.file("")).output().expect("the command runs");
        let told = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "portolan {}: {told}", args.join(" "));
    }
}
