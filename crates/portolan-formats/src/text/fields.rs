//! Reading the fields of a line one after the other, and fields that are cells, rectangles or two numbers.
//!
//! Not here: what the lines of any one format mean.

use super::{Field, Line};
use crate::error::ReadError;
use portolan::{Area, Cell};
use std::str::FromStr;
use std::vec::IntoIter;

/// The fields of a line that have not been read.
pub(crate) struct Fields<'a> {
    pub(crate) line: Line<'a>,
    pub(crate) rest: IntoIter<Field<'a>>,
}

impl<'a> Fields<'a> {
    /// Returns the fields of a line after its first, up to a comment.
    pub(crate) fn after_word(line: Line<'a>) -> Fields<'a> {
        Fields { line, rest: line.fields_before_comment().skip(1).collect::<Vec<_>>().into_iter() }
    }

    pub(crate) fn next(&mut self, expected: &str) -> Result<Field<'a>, ReadError> {
        self.rest.next().ok_or_else(|| self.line.end().fault(expected))
    }

    pub(crate) fn optional(&mut self) -> Option<Field<'a>> {
        self.rest.next()
    }

    /// Checks that all fields have been read.
    pub(crate) fn end(&mut self) -> Result<(), ReadError> {
        self.optional().map_or(Ok(()), |extra| Err(extra.fault("end of line")))
    }

    /// Reads a cell and its field.
    pub(crate) fn cell(&mut self) -> Result<(Cell, Field<'a>), ReadError> {
        let field = self.next("a cell, such as 12,34")?;
        Ok((field.cell()?, field))
    }

    /// Reads a cell and, if they follow, the columns and rows of a rectangle of which it is the first. Returns its field too.
    pub(crate) fn area(&mut self) -> Result<(Area, Field<'a>), ReadError> {
        let (cell, at) = self.cell()?;
        let mut area = Area::from(cell);
        if let Some(size) = self.optional() {
            let sides = size.two('x').filter(|&(width, height)| width > 0 && height > 0);
            (area.width, area.height) = sides.ok_or_else(|| size.fault("columns and rows, such as 4x3"))?;
        }
        Ok((area, at))
    }
}

impl Field<'_> {
    /// Returns the field as two values with one character between them.
    pub(crate) fn two<T: FromStr>(self, between: char) -> Option<(T, T)> {
        let (a, b) = str::from_utf8(self.text).ok()?.split_once(between)?;
        Some((a.parse().ok()?, b.parse().ok()?))
    }

    /// Returns the field as a cell.
    pub(crate) fn cell(self) -> Result<Cell, ReadError> {
        let (x, y) = self.two(',').ok_or_else(|| self.fault("a cell, such as 12,34"))?;
        Ok(Cell::new(x, y))
    }
}
