//! What does not fit into memory is refused with an error message: the command runs with less address space than it
//! needs, and has to end with exit code 2 and one line, not with a signal.

use crate::{Folder, portolan, stderr};
use std::fs::{self, File};
use std::io::Write;
use std::process::{Command, Output};

const MIB: u64 = 1 << 20;

/// Runs `portolan` with that many mebibytes of address space. If there is no way to limit it, prints so and returns
/// `None`.
fn limited(mib: u64, args: &[&str]) -> Option<Output> {
    let shell = |script: &str, args: &[&str]| {
        let kib = (mib << 10).to_string();
        let mut command = Command::new("sh");
        // Without this, the C library reserves address space for each thread, more or less of it by chance.
        command.env("MALLOC_ARENA_MAX", "1");
        command.args(["-c", script, &kib]).arg(env!("CARGO_BIN_EXE_portolan")).args(args).output()
    };
    let can_limit = cfg!(target_os = "linux")
        && shell("ulimit -v \"$0\"", &[]).is_ok_and(|output| output.status.success() && output.stderr.is_empty());
    if !can_limit {
        println!("skipped: no shell here limits memory by `ulimit -v`");
        return None;
    }
    Some(shell("ulimit -v \"$0\" && exec \"$@\"", args).expect("the shell ran just before"))
}

/// Returns the one line with which the command refuses, with that many mebibytes of address space.
fn refusal(mib: u64, args: &[&str]) -> Option<String> {
    let output = limited(mib, args)?;
    let told = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{:?} for {args:?}: {told}", output.status);
    assert_eq!(told.lines().count(), 1, "{told}");
    Some(told)
}

/// Makes a file of that many bytes, of which the first are given. The rest takes no room on the disk.
fn sparse(path: &str, first: &[u8], length: u64) {
    let mut file = File::create(path).expect("a file can be made");
    file.write_all(first).expect("a few bytes");
    file.set_len(length).expect("a file with holes");
}

#[test]
fn a_world_larger_than_memory_is_not_generated() {
    let folder = Folder::new("memory-new");
    let file = folder.file("a.map");
    // In the first case not even the weights fit into memory; in the second they do, but what is derived from them does
    // not.
    for (recipe, size, mib) in [("city", "30000x30000", 600), ("open", "16000x16000", 400)] {
        let Some(told) = refusal(mib, &["map", "new", recipe, &file, "--size", size]) else { return };
        let size = size.replace('x', " x ");
        assert!(told.contains(&format!("a grid of {size} cells needs more memory than there is")), "{told}");
        assert!(!fs::exists(&file).expect("the folder is there"));
    }
}

#[test]
fn a_file_larger_than_memory_is_not_read() {
    let folder = Folder::new("memory-read");
    let (map, chart) = (folder.file("a.map"), folder.file("a.chart"));
    sparse(&map, b"type octile\nheight 30000\nwidth 30000\nmap\n", 900 * MIB);
    sparse(&chart, b"\x89CHART\r\n", 900 * MIB);
    for (file, args) in [(&map, ["map", "info"].as_slice()), (&chart, &["info"])] {
        let Some(told) = refusal(600, &[args, &[file.as_str()]].concat()) else { return };
        assert!(told.contains(file.as_str()) && told.contains("memory"), "{told}");
    }
}

#[test]
fn a_small_picture_of_a_world_larger_than_memory_is_not_read() {
    let folder = Folder::new("memory-picture");
    let file = folder.file("a.png");
    let mut picture = b"\x89PNG\r\n\x1a\n".to_vec();
    let side = 30_000u32.to_be_bytes();
    let header = [b"IHDR".as_slice(), &side, &side, &[8, 0, 0, 0, 0]].concat();
    picture.extend(13u32.to_be_bytes());
    picture.extend_from_slice(&header);
    picture.extend(crc(&header).to_be_bytes());
    // The file has as many bytes as a picture of that size might be packed into.
    picture.extend((MIB as u32).to_be_bytes());
    picture.extend(b"IDAT");
    sparse(&file, &picture, picture.len() as u64 + MIB + 4);
    let Some(told) = refusal(600, &["map", "info", &file]) else { return };
    assert!(told.contains("a.png: expected memory for a world of 30000 x 30000 cells, found less"), "{told}");
}

/// Returns the checksum of a chunk of a PNG file.
fn crc(bytes: &[u8]) -> u32 {
    let shifted = |crc: u32| if crc & 1 == 1 { crc >> 1 ^ 0xedb8_8320 } else { crc >> 1 };
    !bytes.iter().fold(u32::MAX, |crc, &byte| (0..8).fold(crc ^ u32::from(byte), |crc, _| shifted(crc)))
}

#[test]
fn a_search_or_its_tables_larger_than_memory_are_not_begun() {
    let folder = Folder::new("memory-find");
    let map = folder.file("a.map");
    assert!(portolan(&["map", "new", "open", &map, "--size", "6000x6000"]).status.success());
    // In MiB of address space: the world takes about 40, reading it three times that, Dijkstra's records 275, and what
    // SHPA* is asked to keep 137.
    let args = ["find", &map, "--from", "1,1", "--to", "5,5", "--with"];
    let find = |name: &str| limited(330, &[&args[..], &[name]].concat());
    let Some(output) = find("dijkstra") else { return };
    assert_eq!(output.status.code(), Some(2), "{:?}: {}", output.status, stderr(&output));
    assert!(stderr(&output).contains("there is no memory for 288"), "{}", stderr(&output));
    // For every node, the landmarks take 16 bytes, and SHPA* takes 4.
    let guided = [&args[..], &["a-star", "--set", "landmarks=8"]].concat();
    let told = refusal(330, &guided).expect("limited as before");
    assert!(told.contains("there is no memory for 576"), "{told}");
    let told = refusal(160, &[&args[..], &["shpa-star"]].concat()).expect("limited as before");
    assert!(told.contains("there is no memory for 144"), "{told}");
    let output = find("jump-point").expect("limited as before");
    assert!(output.status.success(), "{}", stderr(&output));
}
