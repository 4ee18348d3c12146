//! Writing a chart: [`ChartStream`] gives the data of a [`SavedChart`], but reads the bytes from the planner while they
//! are written, so that saving needs no second copy of the chart.
//!
//! Not here: the meaning of sections, and files.

use super::{SavedChart, Section};
use std::borrow::Cow;
use std::io::{self, Write};

/// A chart as plain data that has not been copied: the length of each section is known at once, its bytes are read
/// while they are written. [`crate::Planner::stream`] returns it, and [`ChartStream::collect`] copies it.
pub struct ChartStream<'a> {
    /// The command name of the algorithm.
    pub algorithm: Cow<'a, str>,
    /// The name and value of every parameter, as text.
    pub settings: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// The data derived from the world.
    pub sections: Vec<SectionStream<'a>>,
}

impl ChartStream<'_> {
    /// Copies the whole chart into memory.
    ///
    /// # Panics
    /// Never: writing to memory does not fail.
    pub fn collect(&self) -> SavedChart<'static> {
        let text = |text: &Cow<str>| Cow::Owned(text.clone().into_owned());
        SavedChart {
            algorithm: text(&self.algorithm),
            settings: self.settings.iter().map(|(name, value)| (text(name), text(value))).collect(),
            sections: self.sections.iter().map(SectionStream::collect).collect(),
        }
    }
}

impl<'a> SavedChart<'a> {
    /// Returns the chart as a stream that borrows from it.
    pub fn stream(&'a self) -> ChartStream<'a> {
        let settings = self.settings.iter().map(|(name, value)| ((**name).into(), (**value).into()));
        let section = |section: &'a Section| SectionStream::of_bytes(&*section.name, &*section.bytes);
        ChartStream {
            algorithm: (*self.algorithm).into(),
            settings: settings.collect(),
            sections: self.sections.iter().map(section).collect(),
        }
    }
}

/// A function that writes the bytes of a section.
type Writer<'a> = Box<dyn Fn(&mut dyn Write) -> io::Result<()> + Send + Sync + 'a>;

/// A named part of a [`ChartStream`].
pub struct SectionStream<'a> {
    name: Cow<'a, str>,
    len: usize,
    write: Writer<'a>,
}

impl<'a> SectionStream<'a> {
    /// Returns a section of `len` bytes, which `write` writes.
    pub(crate) fn new(
        name: impl Into<Cow<'a, str>>,
        len: usize,
        write: impl Fn(&mut dyn Write) -> io::Result<()> + Send + Sync + 'a,
    ) -> SectionStream<'a> {
        SectionStream { name: name.into(), len, write: Box::new(write) }
    }

    /// Returns a section whose bytes lie in one piece.
    pub(crate) fn of_bytes(name: impl Into<Cow<'a, str>>, bytes: impl Into<Cow<'a, [u8]>>) -> SectionStream<'a> {
        let bytes = bytes.into();
        SectionStream::new(name, bytes.len(), move |out| out.write_all(&bytes))
    }

    /// Returns a section whose bytes lie in several pieces, which are written one after another.
    pub(crate) fn of_pieces<P>(name: impl Into<Cow<'a, str>>, pieces: P) -> SectionStream<'a>
    where
        P: Iterator<Item = &'a [u8]> + Clone + Send + Sync + 'a,
    {
        let len = pieces.clone().map(<[u8]>::len).sum();
        SectionStream::new(name, len, move |out| pieces.clone().try_for_each(|piece| out.write_all(piece)))
    }

    /// Returns a section of numbers of four bytes each.
    pub(crate) fn of_words<W>(name: impl Into<Cow<'a, str>>, words: W) -> SectionStream<'a>
    where
        W: Iterator<Item = u32> + Clone + Send + Sync + 'a,
    {
        let len = 4 * words.clone().count();
        SectionStream::new(name, len, move |out| write_numbers(out, words.clone().map(u32::to_le_bytes)))
    }

    /// Returns the name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns how many bytes [`SectionStream::write_to`] writes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Returns whether the section has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Writes the bytes of the section. It can be called again and then writes equal bytes.
    ///
    /// # Errors
    /// When writing to `out` fails.
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        (self.write)(out)
    }

    fn collect(&self) -> Section<'static> {
        let mut bytes = Vec::with_capacity(self.len);
        self.write_to(&mut bytes).expect("memory takes any bytes");
        Section { name: Cow::Owned(self.name.clone().into_owned()), bytes: Cow::Owned(bytes) }
    }
}

/// Writes numbers of `N` bytes each, through a buffer of 8192 bytes.
pub(crate) fn write_numbers<const N: usize>(
    out: &mut dyn Write,
    numbers: impl Iterator<Item = [u8; N]>,
) -> io::Result<()> {
    let mut buffer = [0; 8192];
    let mut filled = 0;
    for number in numbers {
        if filled + N > buffer.len() {
            out.write_all(&buffer[..filled])?;
            filled = 0;
        }
        buffer[filled..filled + N].copy_from_slice(&number);
        filled += N;
    }
    out.write_all(&buffer[..filled])
}
