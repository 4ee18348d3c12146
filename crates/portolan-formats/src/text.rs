//! Lines and fields of a text file. Each has its line and column, so that an error can say where the fault is.
//!
//! Not here: what the lines of any one format mean.

mod fields;

pub(crate) use fields::Fields;

use crate::error::ReadError;
use portolan::SquareGrid;
use std::str::FromStr;

/// Returns the bytes of a text file without the byte order mark that some editors put first.
pub(crate) fn without_mark(bytes: &[u8]) -> &[u8] {
    bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes)
}

/// The lines of a file in order, without their `\n` or `\r\n` and without a byte order mark before the first. The last
/// line may lack its line end.
pub(crate) struct Lines<'a> {
    rest: &'a [u8],
    /// The number of the line that comes next.
    number: usize,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Lines<'a> {
        Lines { rest: without_mark(bytes), number: 1 }
    }

    /// Returns how many bytes are left. The rest of the file cannot hold more cells than that.
    pub(crate) fn bytes_left(&self) -> usize {
        self.rest.len()
    }

    /// Returns the bytes after the lines that have been taken.
    pub(crate) fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// Returns the fault of a file that ends here, where `expected` should follow.
    pub(crate) fn ended(&self, expected: impl Into<String>) -> ReadError {
        ReadError { line: self.number, column: 1, ..ReadError::of_whole(expected, "end of file") }
    }

    /// Takes the next line, which must have exactly these words.
    pub(crate) fn words(&mut self, words: &[&str]) -> Result<(), ReadError> {
        let expected = || format!("`{}`", words.join(" "));
        let line = self.next().ok_or_else(|| self.ended(expected()))?;
        let mut fields = line.fields();
        for word in words {
            let field = fields.next().unwrap_or(line.end());
            if field.text != word.as_bytes() {
                return Err(field.fault(expected()));
            }
        }
        fields.next().map_or(Ok(()), |extra| Err(extra.fault("end of line")))
    }

    /// Takes the next line, which must begin with this word. Returns the rest of the line without blanks around it; it
    /// may be empty.
    pub(crate) fn after_word(&mut self, word: &str, expected: &str) -> Result<Field<'a>, ReadError> {
        let line = self.next().ok_or_else(|| self.ended(expected))?;
        let key = line.fields().next().unwrap_or(line.end());
        if key.text != word.as_bytes() {
            return Err(key.fault(expected));
        }
        Ok(line.after(key))
    }

    /// Takes the next line, which must be a word and a number of cells that a grid's side may have. Returns the number.
    pub(crate) fn side(&mut self, word: &str) -> Result<usize, ReadError> {
        self.after_word(word, &format!("`{word}` and a number of cells"))?.side()
    }

    /// Checks that only blank lines follow to the end of the file.
    pub(crate) fn end(&mut self) -> Result<(), ReadError> {
        self.find_map(|line| line.fields().next()).map_or(Ok(()), |field| Err(field.fault("end of file")))
    }
}

impl<'a> Iterator for Lines<'a> {
    type Item = Line<'a>;

    fn next(&mut self) -> Option<Line<'a>> {
        if self.rest.is_empty() {
            return None;
        }
        let end = self.rest.iter().position(|&byte| byte == b'\n');
        let (text, rest) = end.map_or((self.rest, &[][..]), |end| (&self.rest[..end], &self.rest[end + 1..]));
        let line = Line { number: self.number, text: text.strip_suffix(b"\r").unwrap_or(text) };
        self.rest = rest;
        self.number += 1;
        Some(line)
    }
}

/// A line and its number.
#[derive(Copy, Clone)]
pub(crate) struct Line<'a> {
    pub(crate) number: usize,
    pub(crate) text: &'a [u8],
}

impl<'a> Line<'a> {
    /// Returns the fields that are separated by blanks.
    pub(crate) fn fields(self) -> impl Iterator<Item = Field<'a>> {
        self.split(|byte| byte.is_ascii_whitespace()).filter(|field| !field.text.is_empty())
    }

    /// Returns the fields that are separated by blanks, up to a comment: a field that begins with `#`.
    pub(crate) fn fields_before_comment(self) -> impl Iterator<Item = Field<'a>> {
        self.fields().take_while(|field| !field.text.starts_with(b"#"))
    }

    /// Returns the fields that are separated by tabs, without blanks around them. They may be empty.
    pub(crate) fn tabbed_fields(self) -> impl Iterator<Item = Field<'a>> {
        self.split(|byte| byte == b'\t').map(Field::trimmed)
    }

    fn split(self, separates: impl Fn(u8) -> bool) -> impl Iterator<Item = Field<'a>> {
        let mut column = 1;
        self.text.split(move |&byte| separates(byte)).map(move |text| {
            let field = Field { line: self.number, column, text };
            column += text.len() + 1;
            field
        })
    }

    /// Returns what follows one of the line's fields, without blanks around it.
    pub(crate) fn after(self, field: Field) -> Field<'a> {
        let start = field.column - 1 + field.text.len();
        Field { line: self.number, column: start + 1, text: &self.text[start..] }.trimmed()
    }

    /// Returns the empty field at the end of the line.
    pub(crate) fn end(self) -> Field<'a> {
        Field { line: self.number, column: self.text.len() + 1, text: &[] }
    }

    /// Returns the one character that begins at an index, or one byte if that is not UTF-8.
    pub(crate) fn character(self, index: usize) -> Field<'a> {
        let rest = &self.text[index..];
        let first = rest.utf8_chunks().next().and_then(|chunk| chunk.valid().chars().next());
        Field { line: self.number, column: index + 1, text: &rest[..first.map_or(1, char::len_utf8)] }
    }

    /// Returns the one byte at an index, or the end of the line.
    pub(crate) fn at(self, index: usize) -> Field<'a> {
        match self.text.get(index..=index) {
            Some(text) => Field { line: self.number, column: index + 1, text },
            None => self.end(),
        }
    }
}

/// Stores a fact of a line that begins with `word`. The fact must not have been stated before.
pub(crate) fn state<T>(slot: &mut Option<T>, fact: T, word: Field) -> Result<(), ReadError> {
    match slot.replace(fact) {
        None => Ok(()),
        Some(_) => Err(word.fault("a line that was not there before")),
    }
}

/// Returns the character, if the bytes are one character that is not ASCII.
fn sole_character(bytes: &[u8]) -> Option<char> {
    let mut characters = str::from_utf8(bytes).ok()?.chars();
    characters.next().filter(|character| !character.is_ascii() && characters.next().is_none())
}

/// A piece of a line, and the line and column where it begins.
#[derive(Copy, Clone)]
pub(crate) struct Field<'a> {
    pub(crate) line: usize,
    pub(crate) column: usize,
    pub(crate) text: &'a [u8],
}

impl<'a> Field<'a> {
    /// The most bytes of a field that an error repeats.
    const SHOWN: usize = 32;

    fn trimmed(self) -> Field<'a> {
        let blanks = self.text.len() - self.text.trim_ascii_start().len();
        Field { column: self.column + blanks, text: self.text.trim_ascii(), ..self }
    }

    /// Returns the column of the field's last byte.
    pub(crate) fn last_column(self) -> usize {
        self.column + self.text.len() - 1
    }

    /// Returns the fault that this field is where something else is expected.
    pub(crate) fn fault(self, expected: impl Into<String>) -> ReadError {
        let found = match self.text {
            [] => "end of line".into(),
            text if text.len() > Self::SHOWN => format!("'{}…'", text[..Self::SHOWN].escape_ascii()),
            text => match sole_character(text) {
                Some(character) => format!("'{}'", character.escape_debug()),
                None => format!("'{}'", text.escape_ascii()),
            },
        };
        ReadError { line: self.line, column: self.column, ..ReadError::of_whole(expected, found) }
    }

    /// Returns the field as a value, which must pass the test `passes`.
    pub(crate) fn parse<T: FromStr>(self, passes: impl Fn(&T) -> bool, expected: &str) -> Result<T, ReadError> {
        let value = str::from_utf8(self.text).ok().and_then(|text| text.parse().ok());
        value.filter(passes).ok_or_else(|| self.fault(expected))
    }

    /// Returns the field as a number of cells that a grid's side may have.
    pub(crate) fn side(self) -> Result<usize, ReadError> {
        const { assert!(SquareGrid::MAX_SIDE == 32_766, "the message below says so") };
        self.parse(|side| (1..=SquareGrid::MAX_SIDE).contains(side), "a number of cells from 1 to 32766")
    }

    /// Returns the field as the row or column of a cell, which must be less than `side`.
    pub(crate) fn coordinate(self, side: usize) -> Result<u16, ReadError> {
        let value = str::from_utf8(self.text).ok().and_then(|text| text.parse().ok());
        value
            .filter(|&at: &u16| usize::from(at) < side)
            .ok_or_else(|| self.fault(format!("a whole number from 0 to {}", side - 1)))
    }

    /// Returns the field as text, which must not be empty.
    pub(crate) fn name(self, expected: &str) -> Result<String, ReadError> {
        self.parse(|name: &String| !name.is_empty(), expected)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_either_way_or_not_at_all() {
        let lines: Vec<(usize, &[u8])> = Lines::new(b"a\r\n\nb").map(|line| (line.number, line.text)).collect();
        assert_eq!(lines, [(1, &b"a"[..]), (2, b""), (3, b"b")]);
        assert_eq!(Lines::new(b"a\n").count(), 1);
        assert_eq!(Lines::new(b"").count(), 0);
    }

    #[test]
    fn a_byte_order_mark_is_not_part_of_the_first_line() {
        let line = Lines::new(b"\xef\xbb\xbfa b").next().unwrap();
        let columns: Vec<usize> = line.fields().map(|field| field.column).collect();
        assert_eq!((line.text, columns), (&b"a b"[..], vec![1, 3]));
        assert_eq!(Lines::new(b"\xef\xbb\xbf").count(), 0);
    }

    #[test]
    fn fields_know_their_columns() {
        let line = Line { number: 7, text: b" ab\t c d " };
        let columns: Vec<(usize, &[u8])> = line.fields().map(|field| (field.column, field.text)).collect();
        assert_eq!(columns, [(2, &b"ab"[..]), (6, b"c"), (8, b"d")]);
        let columns: Vec<(usize, &[u8])> = line.tabbed_fields().map(|field| (field.column, field.text)).collect();
        assert_eq!(columns, [(2, &b"ab"[..]), (6, b"c d")]);
    }

    #[test]
    fn faults_show_a_readable_piece_of_what_was_found() {
        let shown = |text| Field { line: 1, column: 1, text }.fault("x").found;
        assert_eq!(shown(b"a\xff\t"), r"'a\xff\t'");
        assert_eq!((shown("é".as_bytes()), shown("éa".as_bytes())), ("'é'".into(), r"'\xc3\xa9a'".into()));
        assert_eq!(shown(b""), "end of line");
        assert_eq!(shown(&[b'z'; 99]), format!("'{}…'", "z".repeat(32)));
    }

    #[test]
    fn header_lines_are_checked_word_by_word() {
        let fault = |bytes: &[u8]| Lines::new(bytes).words(&["type", "octile"]).unwrap_err().to_string();
        assert_eq!(fault(b""), "1:1: expected `type octile`, found end of file");
        assert_eq!(fault(b"tape octile"), "1:1: expected `type octile`, found 'tape'");
        assert_eq!(fault(b"type"), "1:5: expected `type octile`, found end of line");
        assert_eq!(fault(b"type octile !"), "1:13: expected end of line, found '!'");
        let fault = |bytes: &[u8]| Lines::new(bytes).side("width").unwrap_err().to_string();
        assert_eq!(fault(b"height 3"), "1:1: expected `width` and a number of cells, found 'height'");
        for side in ["0", "32767", "-1", "x", "99999999999999999999", "1 2"] {
            let expected = format!("1:7: expected a number of cells from 1 to 32766, found '{side}'");
            assert_eq!(fault(format!("width {side}").as_bytes()), expected);
        }
        assert_eq!(fault(b"width"), "1:6: expected a number of cells from 1 to 32766, found end of line");
    }
}
