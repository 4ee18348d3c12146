//! The start and the end of `portolan studio`.

use crate::{Folder, portolan, stderr};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};

#[test]
fn a_port_in_use_is_a_clear_error() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = portolan(&["studio", "--port", &port]);
    assert_eq!(output.status.code(), Some(2));
    let said = stderr(&output);
    assert!(said.contains(&port) && said.contains("in use") && said.contains("--port 0"), "{said}");
    assert_eq!(portolan(&["studio", "--listen", "nowhere"]).status.code(), Some(2));
    assert_eq!(portolan(&["studio", "--memory", "plenty"]).status.code(), Some(2));
}

#[test]
fn a_folder_that_is_not_there_is_a_clear_error_before_a_port_is_opened() {
    // The port is in use: if the studio had tried to open it, the error would be about the port.
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let folder = Folder::new("studio-folders");
    let (missing, file) = (folder.file("missing"), folder.file("file"));
    std::fs::write(&file, "no folder").unwrap();
    for (option, path) in [("--maps", &missing), ("--maps", &file), ("--page", &missing)] {
        let output = portolan(&["studio", "--port", &port, option, path]);
        let said = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.starts_with("error: cannot read the folder ") && said.contains(path.as_str()), "{said}");
        assert_eq!(said.lines().count(), 1, "{said}");
    }
}

#[test]
fn the_world_to_show_first_is_in_the_address() {
    let folder = Folder::new("studio-worlds");
    let town = folder.file("my town.mesh");
    std::fs::write(&town, "mesh\n2\n").unwrap();
    for (world, hash) in [("keep", "#builtin=keep"), (town.as_str(), "#map=my%20town.mesh")] {
        let mut studio = Command::new(env!("CARGO_BIN_EXE_portolan"))
            .args(["studio", "--port", "0", world])
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let address = BufReader::new(studio.stdout.take().unwrap()).lines().next().unwrap().unwrap();
        studio.kill().unwrap();
        studio.wait().unwrap();
        assert!(address.starts_with("http://") && address.ends_with(&format!("/{hash}")), "{address}");
    }
    let output = portolan(&["studio", "--port", "0", "atlantis"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).contains("no file or built-in world \"atlantis\""), "{}", stderr(&output));
    let elsewhere = Folder::new("studio-elsewhere");
    let output = portolan(&["studio", "--port", "0", &town, "--maps", elsewhere.0.to_str().unwrap()]);
    assert!(stderr(&output).contains("--maps"), "{}", stderr(&output));
}

#[cfg(unix)]
#[test]
fn it_serves_its_page_until_it_is_interrupted() {
    let mut studio = Command::new(env!("CARGO_BIN_EXE_portolan"))
        .args(["studio", "--port", "0", "--memory", "64"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(studio.stdout.take().unwrap()).lines();
    let address = lines.next().unwrap().unwrap();
    let address = address.strip_prefix("http://").and_then(|address| address.strip_suffix('/')).unwrap();
    let mut stream = TcpStream::connect(address).unwrap();
    write!(stream, "GET / HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\n\r\n").unwrap();
    let mut page = String::new();
    stream.read_to_string(&mut page).unwrap();
    assert!(page.starts_with("HTTP/1.1 200") && page.contains("Portolan"), "{page}");
    let id = studio.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let ended = studio.wait_with_output().unwrap();
    assert!(ended.status.success() && ended.stderr.is_empty(), "{:?}: {}", ended.status, stderr(&ended));
}
