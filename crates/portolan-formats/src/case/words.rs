//! [`Words`]: what a line of a case says about its agent, kept word by word with the place of each.
//!
//! Not here: what the words mean, which the crate that moves agents knows.

use super::Case;
use crate::error::ReadError;
use crate::text::{Field, Line};
use std::path::{Path, PathBuf};

/// The words of a line after its first, and where they are. Two values are equal if their words are, wherever they are.
#[derive(Clone, Debug)]
pub struct Words {
    texts: Vec<String>,
    /// The column of each word, and that of the end of the line. Empty if the words were not read.
    columns: Vec<usize>,
    line: usize,
    file: Option<PathBuf>,
}

impl PartialEq for Words {
    fn eq(&self, other: &Words) -> bool {
        self.texts == other.texts
    }
}

impl Eq for Words {}

impl Words {
    /// Returns the words of a text, which are separated by blanks. They were not read from a file and have no place.
    pub fn new(text: &str) -> Words {
        let texts = text.split_ascii_whitespace().map(str::to_owned).collect();
        Words { texts, columns: Vec::new(), line: 0, file: None }
    }

    pub(super) fn read(line: Line, fields: &[Field]) -> Result<Words, ReadError> {
        let word = |field: &Field| field.parse(|_: &String| true, "a word in UTF-8");
        let columns = fields.iter().copied().chain([line.end()]).map(|field| field.column).collect();
        let texts = fields.iter().map(word).collect::<Result<_, _>>()?;
        Ok(Words { texts, columns, line: line.number, file: None })
    }

    /// Returns the word at this index, counted from 0 after the word that begins the line.
    pub fn get(&self, index: usize) -> Option<&str> {
        self.texts.get(index).map(String::as_str)
    }

    /// Returns the fault that something else is expected where the word at this index is, or at the end of the line if
    /// there is no such word.
    pub fn fault(&self, index: usize, expected: &str) -> ReadError {
        let index = index.min(self.texts.len());
        let column = self.columns.get(index).copied().unwrap_or_default();
        let text = self.get(index).unwrap_or_default().as_bytes();
        ReadError { file: self.file.clone(), ..Field { line: self.line, column, text }.fault(expected) }
    }

    /// Checks that there are no more than this many words.
    ///
    /// # Errors
    /// When there are more.
    pub fn end(&self, count: usize) -> Result<(), ReadError> {
        if self.texts.len() > count { Err(self.fault(count, "end of line")) } else { Ok(()) }
    }

    /// Returns the words with one blank between each two.
    pub(super) fn joined(&self) -> String {
        self.texts.join(" ")
    }
}

impl Case {
    /// Returns this case with the name of the file that it was read from, which faults of its words then contain.
    #[must_use]
    pub fn in_file(mut self, path: &Path) -> Case {
        for words in [&mut self.replan, &mut self.follow].into_iter().flatten() {
            words.file = Some(path.to_path_buf());
        }
        self
    }
}
