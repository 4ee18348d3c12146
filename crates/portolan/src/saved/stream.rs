//! A chart on its way out: [`ChartStream`] holds what a [`SavedChart`] does, but reads it off the planner while it is
//! written, so that saving takes no second copy of the chart.
//!
//! Not here: what sections mean, and files.

use super::{SavedChart, Section};
use std::borrow::Cow;
use std::io::{self, Write};

/// A chart as plain data that has not been copied: its sections tell their length at once and their bytes as they are
/// written. [`crate::Planner::stream`] gives it, and [`ChartStream::collect`] copies it.
pub struct ChartStream<'a> {
    /// The command name of its algorithm.
    pub algorithm: Cow<'a, str>,
    /// Every setting with its value, as text.
    pub settings: Vec<(Cow<'a, str>, Cow<'a, str>)>,
    /// What was derived from the world.
    pub sections: Vec<SectionStream<'a>>,
}

impl ChartStream<'_> {
    /// Copies everything into memory.
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
    /// The chart as a stream that borrows from it.
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

/// What writes a section's bytes.
type Writer<'a> = Box<dyn Fn(&mut dyn Write) -> io::Result<()> + Send + Sync + 'a>;

/// A named part of a [`ChartStream`].
pub struct SectionStream<'a> {
    name: Cow<'a, str>,
    len: usize,
    write: Writer<'a>,
}

impl<'a> SectionStream<'a> {
    /// A section of that many bytes, which `write` writes.
    pub(crate) fn new(
        name: impl Into<Cow<'a, str>>,
        len: usize,
        write: impl Fn(&mut dyn Write) -> io::Result<()> + Send + Sync + 'a,
    ) -> SectionStream<'a> {
        SectionStream { name: name.into(), len, write: Box::new(write) }
    }

    /// A section that lies in one piece.
    pub(crate) fn of_bytes(name: impl Into<Cow<'a, str>>, bytes: impl Into<Cow<'a, [u8]>>) -> SectionStream<'a> {
        let bytes = bytes.into();
        SectionStream::new(name, bytes.len(), move |out| out.write_all(&bytes))
    }

    /// A section whose pieces lie here and there.
    pub(crate) fn of_pieces<P>(name: impl Into<Cow<'a, str>>, pieces: P) -> SectionStream<'a>
    where
        P: Iterator<Item = &'a [u8]> + Clone + Send + Sync + 'a,
    {
        let len = pieces.clone().map(<[u8]>::len).sum();
        SectionStream::new(name, len, move |out| pieces.clone().try_for_each(|piece| out.write_all(piece)))
    }

    /// A section of numbers of four bytes.
    pub(crate) fn of_words<W>(name: impl Into<Cow<'a, str>>, words: W) -> SectionStream<'a>
    where
        W: Iterator<Item = u32> + Clone + Send + Sync + 'a,
    {
        let len = 4 * words.clone().count();
        SectionStream::new(name, len, move |out| write_numbers(out, words.clone().map(u32::to_le_bytes)))
    }

    /// Its name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How many bytes [`SectionStream::write_to`] writes.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether it has no bytes.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Writes its bytes, the same ones each time, in pieces of some kilobytes.
    ///
    /// # Errors
    /// When `out` does not take them.
    pub fn write_to(&self, out: &mut dyn Write) -> io::Result<()> {
        (self.write)(out)
    }

    fn collect(&self) -> Section<'static> {
        let mut bytes = Vec::with_capacity(self.len);
        self.write_to(&mut bytes).expect("memory takes any bytes");
        Section { name: Cow::Owned(self.name.clone().into_owned()), bytes: Cow::Owned(bytes) }
    }
}

/// Writes numbers of `N` bytes each, some thousand at a time.
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
