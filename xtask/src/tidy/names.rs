//! Rules about names: of files, and of things outside the repository.

use super::Complaint;
use crate::tree::{Document, Tree};

/// Names that say nothing about what a file holds.
const VAGUE: [&str; 3] = ["util", "helper", "manager"];

/// Files are named after what they hold.
pub(super) fn vague(tree: &Tree) -> Vec<Complaint> {
    let word = |document: &Document| VAGUE.into_iter().find(|word| document.path.to_lowercase().contains(word));
    let named = tree.documents.iter().filter_map(|document| Some((document, word(document)?)));
    named
        .map(|(document, word)| {
            Complaint::new(&document.path, format!("{word} could hold anything: name the file after what it holds"))
        })
        .collect()
}

/// Folders of one machine; put together here so that this file does not hold them.
const MACHINE: [&str; 3] = [concat!("/wo", "rk/"), concat!("/ho", "me/"), concat!("/ro", "ot/")];

/// Where `Cargo.lock` may take crates from.
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// Nothing names a folder or a package registry that only one machine has.
pub(super) fn machine(tree: &Tree) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for document in &tree.documents {
        for (number, line) in document.text.lines().enumerate() {
            let place = || format!("{}:{}", document.path, number + 1);
            if let Some(folder) = MACHINE.iter().find(|folder| has_folder(line, folder)) {
                let advice = format!("{folder} exists on one machine only: write the path from the repository's root");
                complaints.push(Complaint::new(place(), advice));
            }
            if names_registry(document.name(), line) {
                complaints.push(Complaint::new(place(), "name no package registry but crates.io, and that by default"));
            }
        }
    }
    complaints
}

/// Whether the line holds a path that begins with this folder.
fn has_folder(line: &str, folder: &str) -> bool {
    let part = |letter: char| letter.is_alphanumeric() || "_-./~}".contains(letter);
    line.match_indices(folder).any(|(at, _)| !line[..at].chars().next_back().is_some_and(part))
}

/// Whether the line of that file sends cargo or a reader to a registry other than crates.io.
fn names_registry(file: &str, line: &str) -> bool {
    let line = line.trim();
    if file == "Cargo.lock" {
        return line.strip_prefix("source = ").is_some_and(|source| source.trim_matches('"') != CRATES_IO);
    }
    let is_toml = file.rsplit_once('.').is_some_and(|(_, ending)| ending == "toml");
    let redirects = ["[source.", "[registries", "[registry", "replace-with"];
    is_toml && redirects.iter().any(|key| line.starts_with(key)) || hosts(line).any(|host| is_registry(&host))
}

/// The hosts of the addresses in a line.
fn hosts(line: &str) -> impl Iterator<Item = String> + '_ {
    line.split("://").skip(1).map(|rest| {
        let end = rest.find(|letter: char| !letter.is_alphanumeric() && !"-._@:".contains(letter));
        rest[..end.unwrap_or(rest.len())].to_lowercase()
    })
}

fn is_registry(host: &str) -> bool {
    ["registry", "mirror", "proxy", "artifactory", "nexus"].iter().any(|word| host.contains(word))
}

#[cfg(test)]
mod tests {
    use super::super::tree;
    use super::*;

    #[test]
    fn vague_names_are_noticed() {
        for path in ["src/utils.rs", "src/grid_helper.rs", "managers/a.rs"] {
            assert_eq!(vague(&tree(&[(path, "")])).len(), 1, "{path}");
        }
        assert!(vague(&tree(&[("src/open_list.rs", "")])).is_empty());
    }

    #[test]
    fn folders_of_one_machine_are_noticed() {
        for folder in MACHINE {
            let bad = format!("let maps = \"{folder}maps\";");
            assert_eq!(machine(&tree(&[("a.rs", &bad)])).len(), 1, "{bad}");
            let good = format!("see https://example.org{folder}page and crates{folder}a.rs");
            assert!(machine(&tree(&[("a.md", &good)])).is_empty(), "{good}");
        }
    }

    #[test]
    fn registries_of_somebodys_own_are_noticed() {
        let own = concat!("https://cargo-mir", "ror.example.org/index");
        assert!(names_registry("README.md", &format!("fetch from {own}")));
        assert!(names_registry("Cargo.lock", &format!("source = \"registry+{own}\"")));
        assert!(names_registry("config.toml", "[source.crates-io]"));
        assert!(!names_registry("Cargo.lock", &format!("source = \"{CRATES_IO}\"")));
        assert!(!names_registry("README.md", "see https://movingai.com/benchmarks and registry.rs"));
    }
}
