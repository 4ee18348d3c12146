//! The rule about the engine's modules: which may know which. What an algorithm is made of knows no algorithm, flat
//! searches know no chart, and only the registry lists them.

use super::Complaint;
use crate::tree::Tree;

/// Where the engine's modules lie.
const ENGINE: &str = "crates/portolan/src/";

/// What holds all algorithms, or is built on them.
const ABOVE: &[&str] =
    &["search", "replan", "chart", "registry", "planner", "builder", "auto", "pick", "many", "any", "replanner"];

/// Modules of the engine with those that they must not know.
const FORBIDDEN: &[(&str, &[&str])] = &[
    ("cost", ABOVE),
    ("id", ABOVE),
    ("memory", ABOVE),
    ("space", ABOVE),
    ("generate", ABOVE),
    ("graph", ABOVE),
    ("open_list", ABOVE),
    ("probe", ABOVE),
    ("outline", ABOVE),
    ("settings", ABOVE),
    ("scratch", ABOVE),
    ("route", ABOVE),
    ("method", ABOVE),
    ("algorithm", ABOVE),
    ("query", ABOVE),
    ("saved", ABOVE),
    ("search", &["replan", "chart", "registry", "planner", "builder", "auto", "pick", "many", "any", "replanner"]),
    ("replan", &["search", "chart", "registry", "planner", "builder", "auto", "pick", "many", "any", "replanner"]),
    ("chart", &["replan", "registry", "planner", "builder", "auto", "pick", "many", "any", "replanner"]),
    ("registry", &["planner", "builder", "auto", "pick", "many", "any", "replanner"]),
];

/// No module of the engine knows one that is built on it.
pub(super) fn check(tree: &Tree) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for document in &tree.documents {
        let Some(path) = document.path.strip_prefix(ENGINE) else { continue };
        let module = path.split('/').next().unwrap_or(path).trim_end_matches(".rs");
        let Some((_, forbidden)) = FORBIDDEN.iter().find(|(name, _)| *name == module) else { continue };
        // Tests may use what they like.
        if path.ends_with("/tests.rs") {
            continue;
        }
        let code = document.text.split("#[cfg(test)]").next().unwrap_or_default();
        for (number, line) in (1..).zip(code.lines()).filter(|(_, line)| !line.trim_start().starts_with("//")) {
            for &other in forbidden.iter().filter(|other| names(line, other)) {
                let advice = format!("{module} must not know {other}: move the code or turn the arrow round");
                complaints.push(Complaint::new(format!("{}:{number}", document.path), advice));
            }
        }
    }
    complaints
}

/// Whether a line of code names something of a module at the crate's root.
fn names(line: &str, module: &str) -> bool {
    let after =
        |at: usize| line[at..].strip_prefix(module).is_some_and(|rest| rest.starts_with("::") || rest.starts_with(';'));
    line.match_indices("crate::").any(|(at, found)| after(at + found.len()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree;

    #[test]
    fn a_search_that_knows_a_chart_is_found() {
        let documents = [
            ("crates/portolan/src/search/a_star.rs", "use crate::chart::rhumb;\nuse crate::method::Method;\n"),
            ("crates/portolan/src/chart/rhumb.rs", "use crate::search::a_star;\n// crate::planner::Planner\n"),
            ("crates/portolan/src/space.rs", "#[cfg(test)]\nmod tests {\n    use crate::planner::Planner;\n}\n"),
            ("crates/portolan-lab/src/world.rs", "use crate::planner::Planner;\n"),
        ];
        let complaints = check(&tree(&documents));
        assert_eq!(complaints.len(), 1, "{complaints:?}");
        assert!(complaints[0].place.ends_with("a_star.rs:1"));
        assert!(
            names("    pub(crate) x: crate::planner::Planner,", "planner") && !names("crate::planners::x", "planner")
        );
    }
}
