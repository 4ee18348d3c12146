//! Writing a saved chart: first the header, since all lengths in it are known beforehand, then the sections piece by
//! piece, so that no second copy of the chart or of the terrain is made in memory. Not here: putting the bytes into a
//! file.

use super::bytes::push_text;
use super::world::{ChartSpace, WorldBytes, WorldReference};
use super::{CHECKSUM, KINDS};
use portolan::Snapshot;
use portolan::saved::{ChartStream, SavedChart};
use std::hash::Hasher;
use std::io::{self, Write};
use twox_hash::XxHash3_64;

/// Returns the bytes of a chart's file, with the world in it if `embed`.
///
/// # Panics
/// Never: writing to memory does not fail.
pub fn write<S: ChartSpace>(saved: &SavedChart, world: &Snapshot<S>, embed: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_to(&mut bytes, &saved.stream(), world, embed).expect("memory takes any bytes");
    bytes
}

/// Writes the bytes of a chart's file to `out`, in order and with some kilobytes of memory, on a mesh with a copy of the mesh
/// besides. Returns how many bytes there are.
///
/// # Errors
/// When `out` fails.
pub fn write_to<S: ChartSpace>(
    out: &mut dyn Write,
    chart: &ChartStream,
    world: &Snapshot<S>,
    embed: bool,
) -> io::Result<usize> {
    let bytes = world.contents();
    let reference = world.reference(hash(&bytes));
    let embedded = embed.then_some(&bytes);
    let (header, length) = header(chart, &reference, embedded.map(WorldBytes::len));
    let mut out = Checksummed { out, hash: XxHash3_64::new() };
    out.write_all(&header)?;
    if let Some(bytes) = embedded {
        bytes.write_to(&mut out)?;
    }
    for section in &chart.sections {
        section.write_to(&mut out)?;
    }
    let checksum = out.hash.finish().to_le_bytes();
    out.out.write_all(&checksum)?;
    Ok(length)
}

/// Returns everything before the contents of the sections, and the length of the whole file. `embedded` is the number of
/// the world's bytes if the world is in the file.
fn header(chart: &ChartStream, world: &WorldReference, embedded: Option<usize>) -> (Vec<u8>, usize) {
    let (_, magic, version) =
        KINDS.into_iter().find(|(kind, ..)| *kind == world.kind()).expect("every kind that is written is listed");
    let own = embedded.map(|length| (world.section(), length));
    let sections = chart.sections.iter().map(|section| (section.name(), section.len()));
    let sections: Vec<(&str, usize)> = own.into_iter().chain(sections).collect();
    let mut bytes = magic.to_vec();
    bytes.extend(version.to_le_bytes());
    let length_at = bytes.len();
    bytes.extend([0; 8]);
    world.write(&mut bytes);
    push_text(&mut bytes, &chart.algorithm);
    bytes.extend((chart.settings.len() as u16).to_le_bytes());
    for (name, value) in &chart.settings {
        push_text(&mut bytes, name);
        push_text(&mut bytes, value);
    }
    bytes.extend((sections.len() as u16).to_le_bytes());
    for &(name, length) in &sections {
        push_text(&mut bytes, name);
        bytes.extend((length as u64).to_le_bytes());
    }
    let length = bytes.len() + sections.iter().map(|(_, length)| length).sum::<usize>() + CHECKSUM;
    bytes[length_at..length_at + 8].copy_from_slice(&(length as u64).to_le_bytes());
    (bytes, length)
}

/// Returns the XXH3 of a world, that is of the bytes that its section holds if it is in the file.
pub(super) fn hash(world: &WorldBytes) -> u64 {
    let mut out = Checksummed { out: &mut io::sink(), hash: XxHash3_64::new() };
    world.write_to(&mut out).expect("a sink takes any bytes");
    out.hash.finish()
}

/// A writer that passes bytes on and hashes them.
struct Checksummed<'a> {
    out: &'a mut dyn Write,
    hash: XxHash3_64,
}

impl Write for Checksummed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let taken = self.out.write(bytes)?;
        self.hash.write(&bytes[..taken]);
        Ok(taken)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.out.flush()
    }
}
