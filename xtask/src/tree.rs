//! The repository as a list of text files, which the rules of `tidy` are checked on.

use crate::failure::Failure;
use std::fs;
use std::path::Path;
use std::process::Command;

/// A text file of the repository.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Document {
    /// Its path from the root, with forward slashes.
    pub(crate) path: String,
    /// Its content; empty if it is not UTF-8.
    pub(crate) text: String,
}

impl Document {
    #[cfg(test)]
    pub(crate) fn new(path: &str, text: &str) -> Document {
        Document { path: path.to_owned(), text: text.to_owned() }
    }

    /// Returns the file's name without its folder.
    pub(crate) fn name(&self) -> &str {
        self.path.rsplit('/').next().unwrap_or(&self.path)
    }

    /// Returns whether this is Rust source.
    pub(crate) fn is_rust(&self) -> bool {
        self.name().rsplit_once('.').is_some_and(|(_, ending)| ending == "rs")
    }
}

/// Every file that git tracks or would add, sorted by path.
pub(crate) struct Tree {
    pub(crate) documents: Vec<Document>,
}

impl Tree {
    /// Reads the tree at the root: the files that git tracks or would add, or, without git, every file outside `target`
    /// and `.git`.
    pub(crate) fn read(root: &Path) -> Result<Tree, Failure> {
        let mut paths = match listed_by_git(root) {
            Some(paths) => paths,
            None => walked(root)?,
        };
        paths.sort();
        paths.dedup();
        let mut documents = Vec::with_capacity(paths.len());
        for path in paths {
            let whole = root.join(&path);
            if !whole.is_file() {
                continue; // Deleted but still tracked, or a link to a folder.
            }
            let bytes = fs::read(&whole).map_err(Failure::file(&whole))?;
            documents.push(Document { path, text: String::from_utf8(bytes).unwrap_or_default() });
        }
        Ok(Tree { documents })
    }

    /// Returns the file at this path, if there is one.
    pub(crate) fn document(&self, path: &str) -> Option<&Document> {
        self.documents.iter().find(|document| document.path == path)
    }
}

fn listed_by_git(root: &Path) -> Option<Vec<String>> {
    let mut git = Command::new("git");
    git.current_dir(root).args(["ls-files", "-z", "--cached", "--others", "--exclude-standard"]);
    let output = git.output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.split('\0').filter(|path| !path.is_empty()).map(str::to_owned).collect())
}

fn walked(root: &Path) -> Result<Vec<String>, Failure> {
    let mut paths = Vec::new();
    let mut folders = vec![root.to_path_buf()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(Failure::file(&folder))? {
            let path = entry.map_err(Failure::file(&folder))?.path();
            let name = path.file_name().unwrap_or_default();
            if path.is_dir() {
                if name != "target" && name != ".git" {
                    folders.push(path);
                }
            } else if let Ok(inside) = path.strip_prefix(root) {
                paths.push(inside.to_string_lossy().replace('\\', "/"));
            }
        }
    }
    Ok(paths)
}
