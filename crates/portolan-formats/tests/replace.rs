//! Tests of `replace_file` and `replace_file_with`: what is replaced, what is kept, and what is left behind.
#![cfg(unix)]

use portolan_formats::{exit_without_temporaries, replace_file, replace_file_with};
use std::fs::{self, File, Permissions};
use std::io::{self, BufRead, BufReader, Read};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

/// An empty folder that is removed when the value is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("replace-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("below")).unwrap();
        Folder(path)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// Returns the names of all files in the folder, without those in folders below it.
    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(&self.0).unwrap().map(|entry| entry.unwrap());
        let files = entries.filter(|entry| !entry.file_type().unwrap().is_dir());
        let mut names: Vec<String> = files.map(|entry| entry.file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn is_link(path: &Path) -> bool {
    fs::symlink_metadata(path).unwrap().is_symlink()
}

#[test]
fn a_write_that_fails_leaves_the_old_file_whole() {
    let folder = Folder::new("fails");
    let path = folder.path("report");
    replace_file(&path, b"old").unwrap();
    let full = || io::Error::from(io::ErrorKind::StorageFull);
    let halfway = replace_file_with(&path, |file| {
        file.write_all(&[b'x'; 9999])?;
        file.flush()?;
        assert_eq!(fs::read(&path).unwrap(), b"old", "nothing is seen before all of it is there");
        assert_eq!(folder.names().len(), 2);
        Err(full())
    });
    assert_eq!(halfway.unwrap_err().kind(), io::ErrorKind::StorageFull);
    assert_eq!((fs::read(&path).unwrap(), folder.names()), (b"old".to_vec(), vec!["report".to_owned()]));
    let panicked = std::panic::catch_unwind(|| replace_file_with(&path, |_| panic!("halfway")));
    assert!(panicked.is_err());
    assert_eq!((fs::read(&path).unwrap(), folder.names()), (b"old".to_vec(), vec!["report".to_owned()]));
    replace_file_with(&path, |file| file.write_all(b"new")).unwrap();
    assert_eq!((fs::read(&path).unwrap(), folder.names()), (b"new".to_vec(), vec!["report".to_owned()]));
}

#[test]
fn a_link_stays_a_link_and_what_it_leads_to_is_replaced() {
    let folder = Folder::new("links");
    let (link, again) = (folder.path("link"), folder.path("again"));
    symlink("below/file", &link).unwrap();
    symlink("link", &again).unwrap();
    // At the first write, the file to which the links lead does not exist.
    for contents in [b"one", b"two"] {
        replace_file_with(&again, |file| {
            file.write_all(contents)?;
            file.flush()?;
            assert_eq!(folder.names(), ["again", "link"], "the temporary file lies beside the one it is for");
            assert!(fs::read_dir(folder.path("below")).unwrap().count() > 0);
            Ok(())
        })
        .unwrap();
        assert!(is_link(&link) && is_link(&again));
        assert_eq!(fs::read(folder.path("below/file")).unwrap(), contents);
        assert_eq!(fs::read_dir(folder.path("below")).unwrap().count(), 1);
    }
    let round = folder.path("round");
    symlink("round", &round).unwrap();
    assert!(replace_file(&round, b"").is_err() && is_link(&round));
    symlink("nowhere/file", folder.path("lost")).unwrap();
    assert_eq!(replace_file(&folder.path("lost"), b"").unwrap_err().kind(), io::ErrorKind::NotFound);
}

#[test]
fn permissions_are_kept() {
    let folder = Folder::new("permissions");
    let path = folder.path("script");
    for mode in [0o750, 0o640] {
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(mode)).unwrap();
        replace_file(&path, b"new").unwrap();
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, mode);
        assert_eq!(fs::read(&path).unwrap(), b"new");
    }
}

#[test]
fn devices_and_pipes_are_written_to_and_stay() {
    let folder = Folder::new("devices");
    let (full, null) = (Path::new("/dev/full"), Path::new("/dev/null"));
    assert_eq!(replace_file(full, b"x").unwrap_err().kind(), io::ErrorKind::StorageFull);
    replace_file(null, b"x").unwrap();
    for device in [full, null] {
        assert!(fs::symlink_metadata(device).unwrap().file_type().is_char_device(), "{}", device.display());
    }
    symlink("/dev/full", folder.path("full")).unwrap();
    assert!(replace_file(&folder.path("full"), b"x").is_err() && is_link(&folder.path("full")));
    let pipe = folder.path("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let reader = std::thread::spawn({
        let pipe = pipe.clone();
        move || {
            let mut text = String::new();
            File::open(pipe).unwrap().read_to_string(&mut text).unwrap();
            text
        }
    });
    replace_file(&pipe, b"through").unwrap();
    assert_eq!(reader.join().unwrap(), "through");
    assert!(fs::symlink_metadata(&pipe).unwrap().file_type().is_fifo());
    assert!(replace_file(&folder.0, b"x").is_err(), "a folder is no file");
    assert_eq!(folder.names(), ["full", "pipe"]);
}

#[test]
fn leftovers_of_killed_processes_go_with_the_next_write_of_the_file() {
    let folder = Folder::new("leftovers");
    let leftover = |name: &str| fs::write(folder.path(name), "cut sh").unwrap();
    leftover(".report.4194305-0.tmp");
    leftover(".report.77-12.tmp");
    let kept = [".other.77-0.tmp", ".report.-1.tmp", ".report.77-0.tmp.txt", ".report.note.tmp", ".report.tmp"];
    for name in kept {
        leftover(name);
    }
    // This temporary file is locked, as if another write of the same file were going on.
    let locked = File::create(folder.path(".report.78-3.tmp")).unwrap();
    locked.lock().unwrap();
    let path = folder.path("report");
    replace_file(&path, b"whole").unwrap();
    let mut expected: Vec<&str> = kept.iter().copied().chain([".report.78-3.tmp", "report"]).collect();
    expected.sort_unstable();
    assert_eq!(folder.names(), expected);
    drop(locked);
    replace_file(&path, b"again").unwrap();
    expected.retain(|name| *name != ".report.78-3.tmp");
    assert_eq!(folder.names(), expected);
}

/// The environment variable that tells a process which the tests below start where it has to write.
const SLOW_WRITE: &str = "PORTOLAN_TEST_SLOW_WRITE";

/// This is no test but what the process that the tests below start runs. Its write never ends. If the file is named
/// `interrupted`, it exits in the middle of the write.
#[test]
fn slow_write() {
    let Some(path) = std::env::var_os(SLOW_WRITE).map(PathBuf::from) else { return };
    let interrupted = path.ends_with("interrupted");
    let _ = replace_file_with(&path, |file| {
        file.write_all(b"a part")?;
        file.flush()?;
        // The line comes first: the process may end as soon as the thread below runs.
        println!("writing");
        if interrupted {
            std::thread::spawn(|| exit_without_temporaries(130));
        }
        loop {
            std::thread::park();
        }
    });
}

/// Starts a process and returns when it is in the middle of a write to that file.
fn slow_writer(path: &Path) -> Child {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "slow_write", "--nocapture"]).env(SLOW_WRITE, path).stdout(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains("writing")), "the write has begun");
    child
}

#[test]
fn a_process_that_is_interrupted_leaves_nothing_behind() {
    let folder = Folder::new("interrupted");
    let path = folder.path("interrupted");
    replace_file(&path, b"old").unwrap();
    assert_eq!(slow_writer(&path).wait().unwrap().code(), Some(130));
    assert_eq!((fs::read(&path).unwrap(), folder.names()), (b"old".to_vec(), vec!["interrupted".to_owned()]));
}

#[test]
fn what_a_killed_process_leaves_behind_goes_with_the_next_write() {
    let folder = Folder::new("killed");
    let path = folder.path("killed");
    let mut child = slow_writer(&path);
    replace_file(&path, b"whole").unwrap();
    assert_eq!(folder.names().len(), 2, "a write that goes on is left alone");
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!(folder.names().len(), 2);
    replace_file(&path, b"again").unwrap();
    assert_eq!(folder.names(), ["killed"]);
}

#[test]
fn a_file_may_have_the_longest_name_there_is() {
    let folder = Folder::new("names");
    let name = "n".repeat(255);
    replace_file(&folder.path(&name), b"x").unwrap();
    assert_eq!(folder.names(), [name]);
}

#[test]
fn many_threads_may_write_the_same_file() {
    let folder = Folder::new("threads");
    let path = folder.path("shared");
    std::thread::scope(|scope| {
        for letter in b'a'..=b'h' {
            let path = &path;
            scope.spawn(move || (0..20).for_each(|_| replace_file(path, &[letter; 9999]).unwrap()));
        }
    });
    let bytes = fs::read(&path).unwrap();
    assert!(bytes.len() == 9999 && bytes.iter().all(|byte| *byte == bytes[0]));
    assert_eq!(folder.names(), ["shared"]);
}
