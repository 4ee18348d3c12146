//! Rules about the documents: README, ARCHITECTURE and CHANGELOG say what is so.

use super::Complaint;
use crate::table;
use crate::tree::Tree;

const REGISTRY: &str = "crates/portolan/src/registry.rs";
/// Where algorithms lie.
const ALGORITHMS: [&str; 2] = ["crates/portolan/src/search/", "crates/portolan/src/chart/"];
/// How an algorithm describes itself, for square grids alone or for every grid, and how the registry lists it then.
const DESCRIPTORS: [(&str, &str); 2] =
    [("const ALGORITHM: Algorithm", "ALGORITHM"), ("const fn algorithm<S: Grid>()", "algorithm()")];

/// Every algorithm that describes itself is listed where people and programs look for it.
pub(super) fn algorithms(tree: &Tree) -> Vec<Complaint> {
    let text = |path| tree.document(path).map_or("", |document| document.text.as_str());
    let (registry, readme) = (text(REGISTRY), text("README.md"));
    let mut complaints = Vec::new();
    let is_there = |path: &str| ALGORITHMS.iter().any(|folder| path.starts_with(folder));
    for document in tree.documents.iter().filter(|document| is_there(&document.path)) {
        let described = |&(start, listed): &(&str, &'static str)| {
            document.text.split_once(start).map(|(_, descriptor)| (descriptor, listed))
        };
        let Some((descriptor, listed)) = DESCRIPTORS.iter().find_map(described) else { continue };
        let entry = format!("{}::{listed}", document.name().trim_end_matches(".rs"));
        if !registry.contains(&entry) {
            complaints.push(Complaint::new(&document.path, format!("add {entry} to {REGISTRY}")));
        }
        let name = descriptor.split_once("name: \"").and_then(|(_, rest)| rest.split('"').next());
        let Some(name) = name else {
            complaints.push(Complaint::new(&document.path, "give the descriptor a literal name"));
            continue;
        };
        if !readme.contains(&format!("| `{name}` |")) {
            complaints.push(Complaint::new("README.md", format!("{name} is missing: run `cargo xtask table`")));
        }
    }
    complaints
}

/// The README's table is what the registry says.
pub(super) fn table(tree: &Tree) -> Vec<Complaint> {
    let Some(readme) = tree.document("README.md") else {
        return vec![Complaint::new("README.md", "write one")];
    };
    match table::is_current(&readme.text) {
        Ok(true) => Vec::new(),
        Ok(false) => vec![Complaint::new("README.md", "run `cargo xtask table`")],
        Err(failure) => vec![Complaint::new("README.md", failure.to_string())],
    }
}

/// Every path that ARCHITECTURE.md names is there, whole or as the end of a longer one.
pub(super) fn paths(tree: &Tree) -> Vec<Complaint> {
    let Some(map) = tree.document("ARCHITECTURE.md") else {
        return vec![Complaint::new("ARCHITECTURE.md", "write one")];
    };
    let exists = |path: &str| {
        let (path, folder) = path.strip_suffix('/').map_or((path, false), |path| (path, true));
        let (start, middle, end) = (format!("{path}/"), format!("/{path}/"), format!("/{path}"));
        tree.documents.iter().map(|document| document.path.as_str()).any(|real| {
            real.starts_with(&start) || real.contains(&middle) || !folder && (real == path || real.ends_with(&end))
        })
    };
    let gone = named_paths(&map.text).into_iter().filter(|(_, path)| !exists(path));
    gone.map(|(line, path)| {
        Complaint::new(format!("ARCHITECTURE.md:{line}"), format!("{path} is not there: correct the map"))
    })
    .collect()
}

/// The paths a text names, with their lines: in backticks whatever looks like a path, in fenced blocks whatever has
/// the name of a source file.
fn named_paths(text: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut fenced = false;
    for (number, line) in (1..).zip(text.lines()) {
        if line.trim_start().starts_with("```") {
            fenced = !fenced;
            continue;
        }
        let spans: Vec<&str> = if fenced {
            line.split_whitespace().filter(|word| is_source(word)).collect()
        } else {
            line.split('`').skip(1).step_by(2).collect()
        };
        let paths = spans.into_iter().filter(|span| is_path(span)).flat_map(alternatives);
        found.extend(paths.map(|path| (number, path)));
    }
    found
}

fn is_source(word: &str) -> bool {
    [".rs", ".md", ".toml", ".tsv"].iter().any(|ending| word.len() > ending.len() && word.ends_with(ending))
}

/// Whether a code span means a place in this repository.
fn is_path(span: &str) -> bool {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "_-./{},".contains(letter);
    let outside = ["../", "/", "target/"].iter().any(|start| span.starts_with(start));
    let words = span.chars().any(|letter| letter.is_ascii_alphabetic());
    span.chars().all(plain) && words && !outside && (span.contains('/') || is_source(span))
}

/// What `a/{b,c}` stands for.
fn alternatives(span: &str) -> Vec<String> {
    let parts = span.split_once('{').and_then(|(before, rest)| Some((before, rest.split_once('}')?)));
    match parts {
        Some((before, (choices, after))) => {
            choices.split(',').map(|choice| format!("{before}{}{after}", choice.trim())).collect()
        }
        None => vec![span.to_owned()],
    }
}

/// The changelog has a section for what is not released yet.
pub(super) fn changelog(tree: &Tree) -> Vec<Complaint> {
    let has_room = |text: &str| text.lines().any(|line| matches!(line.trim(), "## [Unreleased]" | "## Unreleased"));
    match tree.document("CHANGELOG.md") {
        Some(log) if has_room(&log.text) => Vec::new(),
        _ => vec![Complaint::new("CHANGELOG.md", "add a section `## [Unreleased]`")],
    }
}

#[cfg(test)]
mod tests {
    use super::super::tree;
    use super::*;

    const SEARCH: &str = "pub(crate) const ALGORITHM: Algorithm = Algorithm {\n    name: \"a-star\",\n};\n";

    #[test]
    fn a_search_missing_from_registry_or_readme_is_noticed() {
        let search = ("crates/portolan/src/search/a_star.rs", SEARCH);
        let shared = ("crates/portolan/src/search/best_first.rs", "struct BestFirst;\n");
        let registry = (REGISTRY, "&[a_star::ALGORITHM]");
        let readme = ("README.md", "| `a-star` | A* |\n");
        assert!(algorithms(&tree(&[search, shared, registry, readme])).is_empty());
        assert_eq!(algorithms(&tree(&[search, registry])).len(), 1);
        assert_eq!(algorithms(&tree(&[search, readme])).len(), 1);
        assert_eq!(algorithms(&tree(&[search])).len(), 2);
    }

    #[test]
    fn charts_and_searches_on_every_grid_are_held_to_it_too() {
        let chart = ("crates/portolan/src/chart/hpa_star.rs", SEARCH);
        let everywhere = "pub(crate) const fn algorithm<S: Grid>() -> Algorithm<S> {\n    name: \"a-star\",\n}\n";
        let search = ("crates/portolan/src/search/a_star.rs", everywhere);
        let readme = ("README.md", "| `a-star` | A* |\n");
        assert_eq!(algorithms(&tree(&[chart, search, readme])).len(), 2);
        let registry = (REGISTRY, "A_STAR = a_star::algorithm(), HPA_STAR = hpa_star::ALGORITHM,");
        assert!(algorithms(&tree(&[chart, search, readme, registry])).is_empty());
    }

    #[test]
    fn a_missing_or_markerless_readme_is_noticed() {
        assert_eq!(table(&tree(&[])).len(), 1);
        assert_eq!(table(&tree(&[("README.md", "# Portolan\n")])).len(), 1);
    }

    #[test]
    fn paths_are_told_from_other_code() {
        for path in ["crates/portolan", "registry.rs", "search/", "bindings/{c,python}", ".ci/run"] {
            assert!(is_path(path), "{path}");
        }
        for other in ["408/577", "../shared/maps", "target/peers.json", "a_star", "World::apply", "x / y", "f(a/b)"] {
            assert!(!is_path(other), "{other}");
        }
        assert_eq!(alternatives("a/{b,c}.rs"), ["a/b.rs", "a/c.rs"]);
    }

    #[test]
    fn paths_that_are_gone_are_noticed() {
        let map =
            "See `search/a_star.rs`, `search/` and `gone/away.rs`.\n```\nworld/   square.rs  hex.rs\n```\n`lib`\n";
        let files =
            [("ARCHITECTURE.md", map), ("crates/p/src/search/a_star.rs", ""), ("crates/p/src/world/square.rs", "")];
        let places: Vec<String> = paths(&tree(&files)).into_iter().map(|complaint| complaint.place).collect();
        assert_eq!(places, ["ARCHITECTURE.md:1", "ARCHITECTURE.md:3"]);
        assert_eq!(paths(&tree(&[])).len(), 1);
    }

    #[test]
    fn a_changelog_without_room_is_noticed() {
        assert!(changelog(&tree(&[("CHANGELOG.md", "# Changelog\n\n## [Unreleased]\n")])).is_empty());
        assert_eq!(changelog(&tree(&[("CHANGELOG.md", "# Changelog\n\n## [0.1.0]\n")])).len(), 1);
        assert_eq!(changelog(&tree(&[])).len(), 1);
    }
}
