//! Files that the `portolan` command writes: links and devices stay what they are, and no part of a file is visible or
//! left behind.
#![cfg(target_os = "linux")]

use crate::{Folder, portolan, stderr};
use std::fs;
use std::os::unix::fs::{FileTypeExt, symlink};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Arguments of a command that writes some kind of file, with FILE in place of the file's name.
const WRITERS: &[(&str, &[&str])] = &[
    ("race.json", &["race", "harbour", "--queries", "2", "--repeat", "1", "--with", "a-star", "--json", "FILE"]),
    ("race.csv", &["race", "harbour", "--queries", "2", "--repeat", "1", "--with", "a-star", "--csv", "FILE"]),
    ("race.html", &["race", "harbour", "--queries", "2", "--repeat", "1", "--with", "a-star", "--html", "FILE"]),
    ("route.svg", &["find", "harbour", "--from", "36,4", "--to", "52,33", "--picture", "FILE"]),
    ("harbour.png", &["map", "draw", "harbour", "FILE"]),
    ("harbour.map", &["map", "convert", "harbour", "FILE"]),
    ("harbour.chart", &["build", "harbour", "-o", "FILE"]),
];

fn with_file(args: &[&str], file: &str) -> std::process::Output {
    let args: Vec<&str> = args.iter().map(|&arg| if arg == "FILE" { file } else { arg }).collect();
    portolan(&args)
}

#[test]
fn every_file_is_written_through_its_links() {
    let folder = Folder::new("through-links");
    for (name, args) in WRITERS {
        let (file, target) = (folder.file(name), folder.file(&format!("real-{name}")));
        symlink(&target, &file).unwrap();
        let output = with_file(args, &file);
        assert!(output.status.success(), "{name}: {}", stderr(&output));
        assert!(fs::symlink_metadata(&file).unwrap().is_symlink(), "{name}");
        assert!(fs::metadata(&target).unwrap().len() > 0, "{name}");
    }
}

#[test]
fn a_full_disk_is_an_error_and_a_device_stays_a_device() {
    let folder = Folder::new("full-disk");
    for (name, args) in WRITERS {
        let file = folder.file(name);
        symlink("/dev/full", &file).unwrap();
        let output = with_file(args, &file);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(stderr(&output).contains(name) && stderr(&output).contains("No space left"), "{}", stderr(&output));
        assert!(fs::metadata(&file).unwrap().file_type().is_char_device(), "{name}");
    }
    let to_stdout = with_file(WRITERS[0].1, "/dev/stdout");
    assert!(to_stdout.status.success() && !to_stdout.stdout.is_empty(), "{}", stderr(&to_stdout));
}

/// Starts the command with no signal ignored, even if the shell that runs these tests ignores some.
fn started(args: &[&str]) -> Child {
    let mut command = Command::new("env");
    command.args(["--default-signal=INT,TERM,HUP", env!("CARGO_BIN_EXE_portolan")]).args(args);
    command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("the command starts")
}

/// Sends the process a signal and returns its exit code.
fn ended(mut child: Child, signal: &str) -> Option<i32> {
    let sent = Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().expect("kill runs");
    // The process may have ended before the signal was sent.
    assert!(sent.success() || child.try_wait().unwrap().is_some());
    child.wait().unwrap().code()
}

fn files(folder: &str) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect()
}

#[test]
fn an_interrupted_process_leaves_no_temporary_file() {
    let folder = Folder::new("interrupted");
    let (home, map) = (folder.file(""), folder.file("field.map"));
    for signal in ["TERM", "INT", "HUP"] {
        let mut child = started(&["map", "new", "open", &map, "--size", "4096x4096"]);
        let begun = Instant::now();
        while files(&home).is_empty() && child.try_wait().unwrap().is_none() {
            assert!(begun.elapsed() < Duration::from_mins(1), "the file is begun");
            std::thread::sleep(Duration::from_micros(200));
        }
        let code = ended(child, signal);
        assert!(matches!(code, Some(0 | 130)), "{signal}: {code:?}");
        assert!(files(&home).iter().all(|name| name == "field.map"), "{signal}: {:?}", files(&home));
        let _ = fs::remove_file(Path::new(&map));
    }
}

#[test]
fn an_interruption_ends_the_process_with_its_own_exit_code() {
    let folder = Folder::new("exit-code");
    let pipe = folder.file("pipe.map");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for signal in ["TERM", "INT", "HUP"] {
        // The map is larger than what a pipe holds, and nothing is read from the pipe, so that the process waits.
        let child = started(&["map", "new", "open", &pipe, "--size", "1024x1024"]);
        let reader = fs::File::open(&pipe).unwrap();
        assert_eq!(ended(child, signal), Some(130), "{signal}");
        drop(reader);
    }
}
