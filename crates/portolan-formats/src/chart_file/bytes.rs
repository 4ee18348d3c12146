//! Reading numbers and texts one after the other from bytes, with an error where the bytes end too soon. Not here: what
//! the numbers and texts mean.

use super::error::ChartError;
use std::ops::Range;

/// Bytes and the index of the first that has not been read.
pub(super) struct Bytes<'a> {
    all: &'a [u8],
    at: usize,
}

impl<'a> Bytes<'a> {
    pub(super) fn new(all: &'a [u8], at: usize) -> Bytes<'a> {
        Bytes { all, at }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }

    /// Skips `count` bytes and returns where they lie.
    pub(super) fn skip(&mut self, count: u64) -> Result<Range<usize>, ChartError> {
        let left = self.all.len() - self.at;
        let count = usize::try_from(count).ok().filter(|&count| count <= left);
        let count = count.ok_or_else(|| ChartError::malformed("more bytes", format!("{left} at {}", self.at)))?;
        let range = self.at..self.at + count;
        self.at = range.end;
        Ok(range)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], ChartError> {
        let range = self.skip(N as u64)?;
        Ok(self.all[range].try_into().expect("as many as asked for"))
    }

    pub(super) fn u8(&mut self) -> Result<u8, ChartError> {
        self.array::<1>().map(|[byte]| byte)
    }

    pub(super) fn u16(&mut self) -> Result<u16, ChartError> {
        self.array().map(u16::from_le_bytes)
    }

    pub(super) fn u32(&mut self) -> Result<u32, ChartError> {
        self.array().map(u32::from_le_bytes)
    }

    pub(super) fn u64(&mut self) -> Result<u64, ChartError> {
        self.array().map(u64::from_le_bytes)
    }

    pub(super) fn text(&mut self) -> Result<String, ChartError> {
        let length = self.u16()?;
        let range = self.skip(u64::from(length))?;
        let text = str::from_utf8(&self.all[range.clone()]).map(str::to_owned);
        text.map_err(|_| ChartError::malformed("text", format!("other bytes at {}", range.start)))
    }

    /// Checks that all bytes have been read.
    pub(super) fn end(&self) -> Result<(), ChartError> {
        let left = self.all.len() - self.at;
        if left == 0 { Ok(()) } else { Err(ChartError::malformed("the end", format!("{left} more bytes"))) }
    }
}

/// Appends a text as two bytes of length and UTF-8.
///
/// # Panics
/// When it is longer than 65,535 bytes.
pub(super) fn push_text(bytes: &mut Vec<u8>, text: &str) {
    let length = u16::try_from(text.len()).expect("names and settings are short");
    bytes.extend(length.to_le_bytes());
    bytes.extend_from_slice(text.as_bytes());
}
