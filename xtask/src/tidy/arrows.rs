//! The rule about crates: which may know which.

use super::Complaint;
use crate::tree::Tree;

/// What the middle row may know.
const CORE: &[&str] = &["portolan"];
/// What agents and the makers of meshes may know: the cases and the geometry they take are files.
const FILES: &[&str] = &["portolan", "portolan-formats"];
/// What graphics processors may know: planners, and the crowds that they move.
const MOVING: &[&str] = &["portolan", "portolan-formats", "portolan-sim"];
/// What the laboratory may know.
const ENGINE: &[&str] = &["portolan", "portolan-formats", "portolan-sim", "portolan-gpu", "portolan-mesh"];
/// What users' crates may know.
const ALL: &[&str] = &["portolan", "portolan-formats", "portolan-sim", "portolan-gpu", "portolan-mesh", "portolan-lab"];
/// What the command may know: it starts the studio too.
const COMMAND: &[&str] = &[
    "portolan",
    "portolan-formats",
    "portolan-sim",
    "portolan-gpu",
    "portolan-mesh",
    "portolan-lab",
    "portolan-studio",
];

/// Every crate of ours with the crates of ours it may depend on. Crates that nothing depends on and that may use
/// anything are in [`FREE`].
const ARROWS: &[(&str, &[&str])] = &[
    ("portolan", &[]),
    ("portolan-formats", CORE),
    ("portolan-sim", FILES),
    ("portolan-gpu", MOVING),
    ("portolan-mesh", FILES),
    ("portolan-lab", ENGINE),
    ("portolan-cli", COMMAND),
    ("portolan-studio", ALL),
    ("portolan-c", ALL),
    ("portolan-python", ALL),
    ("portolan-bevy", ALL),
    ("portolan-gppc", ALL),
    ("portolan-cases", FILES),
];

/// Crates that may use anything, because nothing is built on them.
const FREE: &[&str] = &["portolan-peers", "portolan-benches", "xtask"];

/// Every manifest's dependencies are among those its crate may have.
pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    let manifests = tree.documents.iter().filter(|document| document.name() == "Cargo.toml");
    manifests.flat_map(|manifest| check_manifest(&manifest.path, &manifest.text)).collect()
}

fn check_manifest(path: &str, text: &str) -> Vec<Complaint> {
    let manifest = Manifest::parse(text);
    let Some(name) = manifest.name else { return Vec::new() };
    // A crate of fuzz targets is no crate of ours to build on either.
    if FREE.contains(&name) || name.ends_with("-fuzz") {
        return Vec::new();
    }
    let Some((_, allowed)) = ARROWS.iter().find(|(from, _)| *from == name) else {
        return vec![Complaint::new(path, format!("say in xtask/src/tidy/arrows.rs what {name} may depend on"))];
    };
    let ours =
        manifest.dependencies.iter().filter(|to| ARROWS.iter().any(|(name, _)| name == *to) || FREE.contains(to));
    ours.filter(|to| !allowed.contains(to))
        .map(|to| Complaint::new(path, format!("{name} must not know {to}: move the code or turn the arrow round")))
        .collect()
}

/// What this rule reads of a manifest.
#[derive(PartialEq, Eq, Default, Debug)]
struct Manifest<'a> {
    name: Option<&'a str>,
    dependencies: Vec<&'a str>,
}

impl<'a> Manifest<'a> {
    /// Reads a package's name and what it is built from. What only its tests use is not an arrow.
    fn parse(text: &'a str) -> Manifest<'a> {
        let mut manifest = Manifest::default();
        let mut section = "";
        for line in text.lines().map(str::trim).filter(|line| !line.starts_with('#')) {
            if let Some(header) = line.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
                section = header;
                let table = section.rsplit_once('.').filter(|(table, _)| is_dependencies(table));
                manifest.dependencies.extend(table.map(|(_, name)| name));
                continue;
            }
            let Some((key, value)) = line.split_once('=') else { continue };
            let key = key.trim();
            if section == "package" && key == "name" {
                manifest.name = Some(value.trim().trim_matches('"'));
            }
            let in_own_table = section.rsplit_once('.').is_some_and(|(table, _)| is_dependencies(table));
            if is_dependencies(section) {
                manifest.dependencies.push(key.split('.').next().unwrap_or(key));
            }
            if is_dependencies(section) || in_own_table {
                // A dependency under another name is still that crate.
                let renamed = line.split_once("package").and_then(|(_, rest)| rest.split('"').nth(1));
                manifest.dependencies.extend(renamed);
            }
        }
        manifest
    }
}

fn is_dependencies(section: &str) -> bool {
    let kind = section.rsplit('.').next().unwrap_or(section);
    !section.starts_with("workspace") && (kind == "dependencies" || kind == "build-dependencies")
}

#[cfg(test)]
mod tests {
    use super::*;

    const MANIFEST: &str = "[package]\nname = \"portolan-formats\"\n\n[dependencies]\nportolan.workspace = true\n\
        # portolan-cli = \"1\"\nl = { package = \"portolan-lab\", path = \"../lab\" }\n\n\
        [dependencies.portolan-cli]\npath = \"..\"\n\n[dev-dependencies]\nportolan-studio = \"1\"\n\n\
        [target.'cfg(unix)'.dependencies]\npng = \"0.18\"\n";

    #[test]
    fn dependencies_are_found_in_every_form() {
        let manifest = Manifest::parse(MANIFEST);
        assert_eq!(manifest.name, Some("portolan-formats"));
        assert_eq!(manifest.dependencies, ["portolan", "l", "portolan-lab", "portolan-cli", "png"]);
    }

    #[test]
    fn arrows_that_point_back_are_noticed() {
        let advice = |text: &str| check_manifest("Cargo.toml", text).len();
        assert_eq!(advice(MANIFEST), 2);
        assert_eq!(advice("[package]\nname = \"portolan-formats\"\n[dependencies]\nportolan = \"1\"\n"), 0);
        assert_eq!(advice("[package]\nname = \"portolan\"\n[dependencies]\nthiserror = \"2\"\n"), 0);
        assert_eq!(advice("[package]\nname = \"portolan\"\n[dependencies]\nportolan-formats = \"1\"\n"), 1);
        assert_eq!(advice("[package]\nname = \"portolan\"\n[dependencies]\nportolan-peers = \"1\"\n"), 1);
        assert_eq!(advice("[package]\nname = \"xtask\"\n[dependencies]\nportolan-cli = \"1\"\n"), 0);
    }

    #[test]
    fn a_crate_nobody_placed_is_noticed() {
        assert_eq!(check_manifest("Cargo.toml", "[package]\nname = \"portolan-extra\"\n").len(), 1);
        assert!(check_manifest("Cargo.toml", "[workspace]\n[workspace.dependencies]\nportolan = \"1\"\n").is_empty());
    }
}
