//! The rule about comments: they say what data is and what code does, and do not speak of either as people.

use super::Complaint;
use crate::tree::Tree;

/// Words for people; put together here so that this file does not hold them.
const PEOPLE: [&str; 5] =
    [concat!("w", "ho"), concat!("w", "hom"), concat!("no", "body"), concat!("some", "body"), concat!("who", "ever")];

/// How the names of files end whose comments are read.
const ENDINGS: [&str; 3] = [".rs", ".js", ".ts"];

/// No comment speaks of data as people.
pub(super) fn people(tree: &Tree) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for document in tree.documents.iter().filter(|document| ENDINGS.iter().any(|end| document.path.ends_with(end))) {
        for (number, line) in (1..).zip(document.text.lines()) {
            if let Some(word) = comment(line).and_then(word_for_people) {
                let advice = format!("{word:?} speaks of data as people: say what it is, in a plain sentence");
                complaints.push(Complaint::new(format!("{}:{number}", document.path), advice));
            }
        }
    }
    complaints
}

/// The text of a line that is nothing but a comment.
fn comment(line: &str) -> Option<&str> {
    let line = line.trim_start();
    line.strip_prefix("//").or_else(|| line.strip_prefix("* "))
}

/// The first word for people in a text.
fn word_for_people(text: &str) -> Option<&'static str> {
    let mut words = text.split(|letter: char| !letter.is_alphanumeric() && letter != '_' && letter != '`');
    words.find_map(|word| PEOPLE.into_iter().find(|people| word.eq_ignore_ascii_case(people)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tidy::tree;

    #[test]
    fn words_for_people_are_found_in_comments_alone() {
        let nobody = PEOPLE[2];
        let text = format!("//! A header.\n/// {nobody} stands here.\nlet a = \"{nobody}\"; // fine\n// `{nobody}`\n");
        let complaints = people(&tree(&[("a.rs", &text), ("a.md", &format!("// {nobody}"))]));
        assert_eq!(complaints.len(), 1);
        assert_eq!(complaints[0].place, "a.rs:2");
        assert!(word_for_people("the whole of it").is_none());
    }
}
