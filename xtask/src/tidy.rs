//! `cargo xtask tidy`: the rules of the house that no compiler checks. Each rule is a function from the repository's
//! files to what is wrong with them; each complaint says what to do.

mod arrows;
mod comments;
mod documents;
mod modules;
mod names;
mod source;

use crate::failure::Failure;
use crate::tree::Tree;
use std::fmt;
use std::path::Path;

/// Something out of order, and what to do about it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Complaint {
    place: String,
    advice: String,
}

impl Complaint {
    fn new(place: impl Into<String>, advice: impl Into<String>) -> Complaint {
        Complaint { place: place.into(), advice: advice.into() }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.place, self.advice)
    }
}

/// A rule of the house.
struct Rule {
    says: &'static str,
    check: fn(&Tree) -> Vec<Complaint>,
}

const RULES: &[Rule] = &[
    Rule { says: "every module says what belongs in it", check: source::headers },
    Rule { says: "no file is two rooms", check: source::lengths },
    Rule { says: "no unsafe code but in bindings", check: source::forbids },
    Rule { says: "crates hold all that they are built from", check: source::includes },
    Rule { says: "nothing is left to do", check: source::leftovers },
    Rule { says: "files are written in one way", check: source::writes },
    Rule { says: "comments do not speak of data as people", check: comments::people },
    Rule { says: "every algorithm is in the registry and the README", check: documents::algorithms },
    Rule { says: "the README's table is current", check: documents::table },
    Rule { says: "every path in ARCHITECTURE.md exists", check: documents::paths },
    Rule { says: "the changelog has room for what is new", check: documents::changelog },
    Rule { says: "arrows between crates point one way", check: arrows::check },
    Rule { says: "arrows between the engine's modules point one way", check: modules::check },
    Rule { says: "files are named after what they hold", check: names::vague },
    Rule { says: "nothing knows the machine it was written on", check: names::machine },
];

/// Checks every rule and says what to do about what is broken.
pub(crate) fn run(root: &Path, _: &[String]) -> Result<(), Failure> {
    let tree = Tree::read(root)?;
    let mut count = 0;
    for rule in RULES {
        let complaints = (rule.check)(&tree);
        println!("{} {}", if complaints.is_empty() { "ok " } else { "BAD" }, rule.says);
        for complaint in &complaints {
            println!("      {complaint}");
        }
        count += complaints.len();
    }
    if count == 0 { Ok(()) } else { Err(Failure::Untidy(count)) }
}

/// A tree for the tests of rules.
#[cfg(test)]
fn tree(documents: &[(&str, &str)]) -> Tree {
    use crate::tree::Document;
    Tree { documents: documents.iter().map(|(path, text)| Document::new(path, text)).collect() }
}
