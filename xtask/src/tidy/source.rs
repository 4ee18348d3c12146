//! Rules about what stands in Rust files.

use super::Complaint;
use crate::tree::{Document, Tree};

/// A file past this many lines of code is two rooms.
const MOST_LINES: usize = 400;

/// A module header shorter than this says nothing.
const LEAST_HEADER: usize = 15;

/// Every module file opens with what belongs in it.
pub(super) fn headers(tree: &Tree) -> Vec<Complaint> {
    let rust = tree.documents.iter().filter(|document| document.is_rust());
    let silent = rust.filter(|document| !has_header(&document.text));
    silent.map(|document| Complaint::new(&document.path, "open with `//!` and say what belongs in this file")).collect()
}

fn has_header(text: &str) -> bool {
    let first = text.lines().next().unwrap_or_default();
    first.strip_prefix("//!").is_some_and(|header| header.trim().len() >= LEAST_HEADER)
}

/// No file of code is longer than a reader can hold.
pub(super) fn lengths(tree: &Tree) -> Vec<Complaint> {
    let exempt = |folder: &str| folder == "tests" || folder == "benches";
    let code = tree.documents.iter().filter(|document| document.is_rust() && !document.path.split('/').any(exempt));
    let counted = code.map(|document| (document, lines_of_code(&document.text)));
    let long = counted.filter(|&(_, lines)| lines > MOST_LINES);
    long.map(|(document, lines)| {
        Complaint::new(&document.path, format!("{lines} lines of code, {MOST_LINES} are allowed: make it two files"))
    })
    .collect()
}

fn lines_of_code(text: &str) -> usize {
    code(text).count()
}

/// Lines that are neither blank nor comment, up to where the tests begin, each with its number.
fn code(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let inline_tests = |at: usize| {
        lines[at] == "#[cfg(test)]"
            && lines.get(at + 1).is_some_and(|next| next.starts_with("mod ") && next.ends_with('{'))
    };
    let end = (0..lines.len()).find(|&at| inline_tests(at)).unwrap_or(lines.len());
    let numbered = (1..).zip(lines).take(end);
    numbered.filter(|(_, line)| !line.is_empty() && !line.starts_with("//"))
}

/// The file that holds the one way to write files.
const WRITER: &str = "crates/portolan-formats/src/replace.rs";
/// Ways to write a file in place; put together here so that this file does not hold them.
const IN_PLACE: [&str; 3] = [concat!("fs::", "write("), concat!("File::", "create"), concat!("Open", "Options")];

/// No code but that of the tests writes a file in a way of its own.
pub(super) fn writes(tree: &Tree) -> Vec<Complaint> {
    let exempt = |document: &&Document| document.path == WRITER || document.path.split('/').any(|part| part == "tests");
    let mut complaints = Vec::new();
    for document in tree.documents.iter().filter(|document| document.is_rust()).filter(|document| !exempt(document)) {
        for (number, line) in code(&document.text) {
            if IN_PLACE.iter().any(|way| line.contains(way)) {
                let place = format!("{}:{number}", document.path);
                complaints.push(Complaint::new(place, "write files by portolan_formats::replace_file"));
            }
        }
    }
    complaints
}

/// A crate is built from files in its own folder alone, so that it can be packed up. Only its documentation may take others.
pub(super) fn includes(tree: &Tree) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for document in tree.documents.iter().filter(|document| document.is_rust()) {
        let mut parts = document.path.split('/');
        let (Some("crates" | "bindings"), Some(_), Some("src")) = (parts.next(), parts.next(), parts.next()) else {
            continue;
        };
        let depth = parts.count() - 1;
        for (number, line) in code(&document.text).filter(|(_, line)| !line.starts_with("#[doc")) {
            let included = line.split_once("include_").and_then(|(_, rest)| rest.split('"').nth(1));
            let up = included.map_or(0, |path| path.split('/').take_while(|part| *part == "..").count());
            // One step up from the sources is the crate's own folder.
            if up > depth + 1 {
                let place = format!("{}:{number}", document.path);
                complaints.push(Complaint::new(place, "include files of the crate's own folder alone"));
            }
        }
    }
    complaints
}

/// Every crate forbids unsafe code at its root. Bindings cannot do without: they deny it, and allow it module by module.
pub(super) fn forbids(tree: &Tree) -> Vec<Complaint> {
    let roots = tree.documents.iter().filter(|document| {
        let path = document.path.as_str();
        path.ends_with("src/lib.rs") || path.ends_with("src/main.rs")
    });
    let attribute = |document: &Document| {
        if document.path.starts_with("bindings/") { "#![deny(unsafe_code)]" } else { "#![forbid(unsafe_code)]" }
    };
    let lax = roots.filter(|document| !document.text.lines().any(|line| line.trim() == attribute(document)));
    lax.map(|document| Complaint::new(&document.path, format!("write `{}` under the header", attribute(document))))
        .collect()
}

/// Marks of unfinished work; put together here so that this file does not hold them.
const LEFTOVERS: [&str; 5] = [
    concat!("TO", "DO"),
    concat!("FIX", "ME"),
    concat!("XX", "X"),
    concat!("to", "do!"),
    concat!("unimple", "mented!"),
];

/// Nothing unfinished is marked for later.
pub(super) fn leftovers(tree: &Tree) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for document in tree.documents.iter().filter(|document| document.name() != "Cargo.lock") {
        for (number, line) in document.text.lines().enumerate() {
            for word in LEFTOVERS.iter().filter(|word| has_word(line, word)) {
                let place = format!("{}:{}", document.path, number + 1);
                complaints.push(Complaint::new(place, format!("finish it or open an issue, then drop {word}")));
            }
        }
    }
    complaints
}

/// Whether the word stands in the line, not as a part of a longer one.
fn has_word(line: &str, word: &str) -> bool {
    let part = |letter: char| letter.is_alphanumeric() || letter == '_';
    line.match_indices(word).any(|(at, _)| {
        let before = line[..at].chars().next_back();
        let after = line[at + word.len()..].chars().next();
        !before.is_some_and(part) && (word.ends_with('!') || !after.is_some_and(part))
    })
}

#[cfg(test)]
mod tests {
    use super::super::tree;
    use super::*;

    #[test]
    fn a_header_must_come_first_and_say_something() {
        assert!(has_header("//! Routes and their checks.\n\nuse std::fmt;\n"));
        for bad in ["", "use std::fmt;\n//! Routes and their checks.\n", "//!\n//! Late.\n", "// Routes and checks.\n"]
        {
            assert!(!has_header(bad), "{bad:?}");
        }
        let bad = tree(&[("src/a.rs", "fn a() {}\n"), ("notes.md", "no header\n")]);
        assert_eq!(headers(&bad).len(), 1);
    }

    #[test]
    fn comments_blanks_and_tests_do_not_count() {
        let text = "//! Header.\n\nfn a() {\n    // why\n}\n\n#[cfg(test)]\nmod tests {\n    fn b() {}\n}\n";
        assert_eq!(lines_of_code(text), 2);
        let gated_item = "#[cfg(test)]\nfn only_in_tests() {}\nfn a() {}\n";
        assert_eq!(lines_of_code(gated_item), 3);
    }

    #[test]
    fn long_files_are_noticed_outside_tests() {
        let long = "let a = 1;\n".repeat(MOST_LINES + 1);
        let allowed = "let a = 1;\n".repeat(MOST_LINES);
        let files = [("src/a.rs", &*long), ("src/b.rs", &*allowed), ("crates/a/tests/c.rs", &*long), ("d.md", &*long)];
        let complaints = lengths(&tree(&files));
        assert_eq!(complaints.iter().map(|complaint| &*complaint.place).collect::<Vec<_>>(), ["src/a.rs"]);
    }

    #[test]
    fn files_are_written_in_one_way_outside_tests() {
        let text = format!("//! {0}a)\nfn a() {{\n    {0}path, bytes);\n}}\n", IN_PLACE[0]);
        let in_tests = format!("#[cfg(test)]\nmod tests {{\n    {text}}}\n");
        let files = [("src/a.rs", &*text), (WRITER, &text), ("crates/a/tests/c.rs", &text), ("src/d.rs", &in_tests)];
        let places: Vec<String> = writes(&tree(&files)).into_iter().map(|complaint| complaint.place).collect();
        assert_eq!(places, ["src/a.rs:3"]);
    }

    #[test]
    fn crates_must_include_their_own_files_alone() {
        let own = ("crates/a/src/b.rs", "//! B.\nconst B: &str = include_str!(\"../b.txt\");\n");
        let deep = ("crates/a/src/b/c.rs", "//! C.\nconst C: &str = include_str!(\"../../b.txt\");\n");
        let readme = ("crates/a/src/lib.rs", "//! A.\n#[doc = include_str!(\"../../../README.md\")]\nstruct A;\n");
        let test = ("crates/a/tests/b.rs", "//! B.\nconst B: &str = include_str!(\"../../../b.txt\");\n");
        assert!(includes(&tree(&[own, deep, readme, test])).is_empty());
        let other = ("crates/a/src/b.rs", "//! B.\nconst B: &[u8] = include_bytes!(\"../../c/b.txt\");\n");
        let places: Vec<String> = includes(&tree(&[other])).into_iter().map(|complaint| complaint.place).collect();
        assert_eq!(places, ["crates/a/src/b.rs:2"]);
    }

    #[test]
    fn crate_roots_must_forbid_unsafe() {
        let good = ("a/src/lib.rs", "//! A.\n#![forbid(unsafe_code)]\n");
        let bad = ("b/src/main.rs", "//! B. Not `#![forbid(unsafe_code)]`.\nfn main() {}\n");
        let binding = ("bindings/c/src/lib.rs", "//! C.\n#![deny(unsafe_code)]\n");
        let lax = ("crates/d/src/lib.rs", binding.1);
        let complaints = forbids(&tree(&[good, bad, ("a/src/other.rs", ""), binding, lax]));
        let places: Vec<&str> = complaints.iter().map(|complaint| &*complaint.place).collect();
        assert_eq!(places, ["b/src/main.rs", "crates/d/src/lib.rs"]);
    }

    #[test]
    fn leftovers_are_whole_words() {
        for word in LEFTOVERS {
            let line = format!("    // {word} later");
            assert_eq!(leftovers(&tree(&[("src/a.rs", &line)])).len(), 1, "{word}");
        }
        let innocent = format!("let MAX{}Y = 1; // a method", LEFTOVERS[2]);
        assert!(leftovers(&tree(&[("src/a.rs", &innocent)])).is_empty());
    }
}
