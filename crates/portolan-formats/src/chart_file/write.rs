//! Writing a saved chart: first the header, since all lengths in it are known beforehand, then the sections piece by
//! piece, so that no second copy of the chart or of the terrain is made in memory. Not here: putting the bytes into a
//! file.

use super::bytes::push_text;
use super::{CHECKSUM, MAGIC, TERRAIN, VERSION, WorldReference};
use portolan::saved::{ChartStream, SavedChart};
use portolan::{Corners, Directions, SquareGrid};
use std::hash::Hasher;
use std::io::{self, Write};
use twox_hash::XxHash3_64;

/// Returns the bytes of a chart's file, with the world in it if `embed`.
///
/// # Panics
/// Never: writing to memory does not fail.
pub fn write(saved: &SavedChart, world: &SquareGrid, embed: bool) -> Vec<u8> {
    let mut bytes = Vec::new();
    write_to(&mut bytes, &saved.stream(), world, embed).expect("memory takes any bytes");
    bytes
}

/// Writes the bytes of a chart's file to `out`, in order and with some kilobytes of memory. Returns how many there are.
///
/// # Errors
/// When `out` fails.
pub fn write_to(out: &mut dyn Write, chart: &ChartStream, world: &SquareGrid, embed: bool) -> io::Result<usize> {
    let (header, length) = header(chart, world, embed);
    let mut out = Checksummed { out, hash: XxHash3_64::new() };
    out.write_all(&header)?;
    if embed {
        write_terrain(&mut out, world)?;
    }
    for section in &chart.sections {
        section.write_to(&mut out)?;
    }
    let checksum = out.hash.finish().to_le_bytes();
    out.out.write_all(&checksum)?;
    Ok(length)
}

/// Returns everything before the contents of the sections, and the length of the whole file.
fn header(chart: &ChartStream, world: &SquareGrid, embed: bool) -> (Vec<u8>, usize) {
    let reference = WorldReference::of(world);
    let terrain = embed.then(|| (TERRAIN, world.width() * world.height()));
    let sections = chart.sections.iter().map(|section| (section.name(), section.len()));
    let sections: Vec<(&str, usize)> = terrain.into_iter().chain(sections).collect();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    let length_at = bytes.len();
    bytes.extend([0; 8]);
    bytes.extend((reference.width as u32).to_le_bytes());
    bytes.extend((reference.height as u32).to_le_bytes());
    bytes.push(if reference.rules.directions == Directions::Four { 4 } else { 8 });
    bytes.push(Corners::NAMED.iter().position(|(_, corners)| *corners == reference.rules.corners).unwrap_or(0) as u8);
    bytes.extend(world.metric().straight().to_le_bytes());
    bytes.extend(world.metric().diagonal().to_le_bytes());
    bytes.extend(reference.terrain.to_le_bytes());
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

/// Writes one weight for each cell, row by row.
fn write_terrain(out: &mut dyn Write, world: &SquareGrid) -> io::Result<()> {
    let mut weights = vec![0; world.width()];
    for row in 0..world.height() {
        world.copy_row(row, &mut weights);
        out.write_all(&weights)?;
    }
    Ok(())
}

/// Returns the XXH3 of the terrain, that is of the bytes that the section `terrain` holds if the world is in the file.
pub(super) fn terrain_hash(world: &SquareGrid) -> u64 {
    let mut out = Checksummed { out: &mut io::sink(), hash: XxHash3_64::new() };
    write_terrain(&mut out, world).expect("a sink takes any bytes");
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
