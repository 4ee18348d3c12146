//! The one way in which files are written: [`replace_file_with`] and [`replace_file`].
//!
//! A file is first written under another name in the same folder, and renamed once all of it is on the disk. Another
//! program, or this one after a crash or on a full disk, sees the old file or the whole new one, never a part.
//!
//! The temporary file is locked while it is written, and its name contains the number of the process. If a write fails,
//! its temporary file is removed. If a process is interrupted, [`exit_without_temporaries`] removes its temporary
//! files. If a process is killed, its temporary files stay but are no longer locked; the next write of the same file
//! finds and removes them.
//!
//! Not here: what is written.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions, TryLockError};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How the names of temporary files end.
const ENDING: &str = ".tmp";
/// How many links in a row are followed, which is as many as Linux follows.
const MOST_LINKS: usize = 40;

/// The temporary files that this process has not renamed or removed yet.
static TEMPORARIES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

/// Writes a file, see [`replace_file_with`].
///
/// # Errors
/// As [`replace_file_with`].
pub fn replace_file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    replace_file_with(path, |file| file.write_all(bytes))
}

/// Writes what `write` writes to a file, in place of what the file holds: all of it, or nothing if an error comes
/// first.
///
/// A link stays a link, and the file that it leads to is replaced or made. The permissions of a file that is replaced
/// are kept. A path to something other than a regular file, such as a device or a pipe, is written to directly, and so
/// are the open files of a process (`/dev/stdout`, `/dev/fd/3`).
///
/// # Errors
/// When `write` fails or the system does: the folder does not exist, the folder or the file may not be written to, or
/// the disk is full.
pub fn replace_file_with(path: &Path, write: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> io::Result<()> {
    match destination(path)? {
        Destination::Stream => {
            let mut stream = BufWriter::new(OpenOptions::new().append(true).open(path)?);
            write(&mut stream)?;
            stream.flush()
        }
        Destination::File { path, old } => {
            remove_leftovers(&path);
            let (temporary, file) = Temporary::beside(&path)?;
            if let Some(old) = old {
                file.set_permissions(old.permissions())?;
            }
            let mut buffer = BufWriter::new(&file);
            write(&mut buffer)?;
            buffer.flush()?;
            drop(buffer);
            file.sync_all()?;
            temporary.rename(&path)
        }
    }
}

/// Ends the process with an exit code, after removing the temporary files of all writes that are under way. It is meant
/// for the handler of an interrupt: other threads may be in the middle of a write, and none of them gets any further.
pub fn exit_without_temporaries(code: i32) -> ! {
    // Held until the end, so that no thread makes another temporary file or renames one.
    let temporaries = temporaries();
    for temporary in temporaries.iter() {
        // What cannot be removed now is removed by the next write of that file.
        let _ = fs::remove_file(temporary);
    }
    std::process::exit(code)
}

/// Locks the set of temporary files. A panic of another thread that held the lock is ignored, since the set is right at
/// every moment.
fn temporaries() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    TEMPORARIES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Where the bytes for a path are written.
enum Destination {
    /// Something that cannot be replaced, such as a device or a pipe.
    Stream,
    /// A file, which may exist already.
    File {
        /// The path of the file after all links are followed.
        path: PathBuf,
        /// The metadata of the file that is to be replaced, if it exists.
        old: Option<Metadata>,
    },
}

fn destination(path: &Path) -> io::Result<Destination> {
    let old = match fs::metadata(path) {
        Ok(old) => Some(old),
        Err(error) if error.kind() == io::ErrorKind::NotFound => None,
        Err(error) => return Err(error),
    };
    if old.as_ref().is_some_and(|old| !old.is_file()) {
        return Ok(Destination::Stream);
    }
    let mut path = path.to_path_buf();
    for _ in 0..MOST_LINKS {
        let Ok(link) = fs::read_link(&path) else {
            if old.is_some() {
                // A file that may not be written to may not be replaced either, even if its folder allows it.
                OpenOptions::new().write(true).open(&path)?;
            }
            return Ok(Destination::File { path, old });
        };
        if is_list_of_open_files(folder(&path)) {
            return Ok(Destination::Stream);
        }
        path = folder(&path).join(link);
    }
    Err(io::Error::other(format!("more than {MOST_LINKS} links lead to each other")))
}

/// Returns the folder that a file is in.
fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// Returns whether the links in a folder are not links to names, but stand for files that a process has open.
fn is_list_of_open_files(folder: &Path) -> bool {
    let lists = |folder: PathBuf| ["/proc", "/dev/fd"].iter().any(|list| folder.starts_with(list));
    folder.canonicalize().is_ok_and(lists)
}

/// A temporary file, which is removed unless it is renamed.
struct Temporary {
    path: PathBuf,
}

impl Temporary {
    /// Makes an empty file in the folder of `target`, and locks it.
    fn beside(target: &Path) -> io::Result<(Temporary, File)> {
        static MADE: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = MADE.fetch_add(1, Ordering::Relaxed);
            let mut name = start_of_name(target)?;
            name.push(format!("{}-{number}{ENDING}", std::process::id()));
            let path = target.with_file_name(name);
            let mut temporaries = temporaries();
            let file = match File::create_new(&path) {
                Ok(file) => file,
                // A process with the same number on another machine or in another container has made a file of this
                // name.
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                Err(error) => return Err(error),
            };
            temporaries.insert(path.clone());
            drop(temporaries);
            let temporary = Temporary { path };
            // If files cannot be locked here, this file is not taken for a leftover either: a leftover is removed only
            // after it could be locked.
            let is_taken = matches!(file.try_lock(), Err(TryLockError::WouldBlock));
            // Before this process locked the file, another process may have taken it for a leftover and removed it.
            if !is_taken && temporary.path.exists() {
                return Ok((temporary, file));
            }
        }
    }

    /// Renames the file to `target`, and so replaces the file of that name if there is one.
    fn rename(self, target: &Path) -> io::Result<()> {
        let mut temporaries = temporaries();
        fs::rename(&self.path, target)?;
        temporaries.remove(&self.path);
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let mut temporaries = temporaries();
        if temporaries.remove(&self.path) {
            // The caller reports the error that came before; an error here is ignored.
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Returns how the names of all temporary files for a file begin. A long name is shortened in it, since names have a
/// limit.
fn start_of_name(target: &Path) -> io::Result<OsString> {
    let name = target.file_name().ok_or_else(|| io::Error::new(io::ErrorKind::InvalidInput, "this names no file"))?;
    let shortened = || OsString::from(name.to_string_lossy().chars().take(40).collect::<String>());
    let name = if name.len() <= 200 { name.to_owned() } else { shortened() };
    let mut start = OsString::from(".");
    start.push(name);
    start.push(".");
    Ok(start)
}

/// Removes the temporary files for `target` that killed processes have left behind, that is those that no process has
/// locked.
fn remove_leftovers(target: &Path) {
    let (Ok(start), Ok(entries)) = (start_of_name(target), fs::read_dir(folder(target))) else { return };
    for entry in entries.flatten().filter(|entry| is_temporary(&entry.file_name(), &start)) {
        let path = entry.path();
        // To open a pipe of that name would wait for a writer.
        if !entry.file_type().is_ok_and(|kind| kind.is_file()) {
            continue;
        }
        let Ok(file) = File::open(&path) else { continue };
        // The file stays locked until it is removed: a process that has made it but not yet locked it then notices, and
        // makes another.
        if file.try_lock().is_ok() {
            let _ = fs::remove_file(&path);
        }
    }
}

/// Returns whether a name is the start, two numbers and the ending, as [`Temporary::beside`] puts them together.
fn is_temporary(name: &OsStr, start: &OsStr) -> bool {
    let middle = name.as_encoded_bytes().strip_prefix(start.as_encoded_bytes());
    let numbers = middle.and_then(|middle| str::from_utf8(middle.strip_suffix(ENDING.as_bytes())?).ok());
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    numbers.and_then(|numbers| numbers.split_once('-')).is_some_and(|(a, b)| is_number(a) && is_number(b))
}
