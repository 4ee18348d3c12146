//! The packed chart of one level: all that is kept of every sector, in a few bytes.
//!
//! A sector is the list of its regions. A region is packed as these parts, in this order:
//!
//! - its centre, as the index of a cell within the sector: one byte, or two if a full sector has more than 256 cells;
//! - on weighted ground its mean weight: one byte;
//! - a byte with a bit for each of the eight sectors around it, set if the region meets that sector's first region;
//! - the number of other regions that it meets: one byte or two, as for the centre;
//! - each of these: a byte, with the direction of the sector in the upper three bits and the region's number within
//!   that sector in the lower five; where five bits are too few, they are all set and the number follows in two bytes.
//!
//! Most regions thus take three bytes. A region is identified by its place, the index of its first byte.
//!
//! Not here: finding regions and their contacts, which [`super::survey`] and [`super::upper`] do.

use crate::chart::shared::layout::Layout;
use crate::id::Cell;
use crate::memory::held;
use crate::space::Area;
use crate::space::square::moves::STEP;

/// The greatest value of five bits: it means that the region's number follows in two bytes.
const LONG: u16 = 31;

/// A `Spot` identifies a packed region, by its sector and its place: the index of its first byte.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) struct Spot {
    pub(super) sector: u32,
    pub(super) place: u32,
}

/// A `Region` is a region before it is packed.
#[derive(Clone, Debug)]
pub(super) struct Region {
    pub(super) centre: Cell,
    pub(super) weight: u8,
    /// The regions that it meets, sorted and each once: the direction of the sector, and the region's number within it.
    pub(super) edges: Vec<(u8, u16)>,
}

/// `Sectors` holds the packed regions of all sectors of one level.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Sectors {
    /// The level of the layout, counted from 0.
    level: usize,
    /// Whether centres, and counts of regions met, take two bytes.
    wide: bool,
    /// Whether regions have a byte for their mean weight.
    pub(super) weighted: bool,
    /// The place of each sector's first region, and at the end the number of all bytes.
    first_by_sector: Vec<u32>,
    bytes: Vec<u8>,
}

impl Sectors {
    /// Returns sectors that have no regions yet.
    pub(super) fn empty(layout: &Layout, level: usize, side: u32, weighted: bool) -> Sectors {
        let first_by_sector = vec![0; layout.tier(level).count() + 1];
        Sectors { level, wide: side > 16, weighted, first_by_sector, bytes: Vec::new() }
    }

    /// Packs anew the sectors for which `redo` returns regions, and leaves the others as they are. Places may change.
    pub(super) fn pack(&mut self, layout: &Layout, mut redo: impl FnMut(u32) -> Option<Vec<Region>>) {
        let old = std::mem::take(&mut self.bytes);
        let mut bytes = Vec::with_capacity(old.len());
        let mut begin = 0;
        for sector in 0..self.count() {
            let end = self.first_by_sector[sector + 1] as usize;
            self.first_by_sector[sector] = bytes.len() as u32;
            match redo(sector as u32) {
                None => bytes.extend_from_slice(&old[begin..end]),
                Some(regions) => {
                    let bounds = layout.bounds(self.level, sector as u32);
                    for region in &regions {
                        self.write(region, bounds, &mut bytes);
                    }
                }
            }
            begin = end;
        }
        assert!(bytes.len() < u32::MAX as usize, "{} bytes are more than places can number", bytes.len());
        *self.first_by_sector.last_mut().expect("one more than sectors") = bytes.len() as u32;
        bytes.shrink_to_fit();
        self.bytes = bytes;
    }

    /// Appends a packed region.
    fn write(&self, region: &Region, bounds: Area, bytes: &mut Vec<u8>) {
        let offset = bounds.index(region.centre).to_le_bytes();
        bytes.extend_from_slice(&offset[..=usize::from(self.wide)]);
        if self.weighted {
            bytes.push(region.weight);
        }
        let plain = region.edges.iter().filter(|edge| edge.1 == 0).fold(0, |bits, edge| bits | 1 << edge.0);
        let others = region.edges.iter().filter(|edge| edge.1 > 0);
        bytes.push(plain);
        let count = (others.clone().count() as u16).to_le_bytes();
        bytes.extend_from_slice(&count[..=usize::from(self.wide)]);
        for &(direction, number) in others {
            bytes.push(direction << 5 | number.min(LONG) as u8);
            if number >= LONG {
                bytes.extend_from_slice(&number.to_le_bytes());
            }
        }
    }

    /// Returns how many bytes of a region come before its edges.
    #[inline(always)]
    fn head(&self) -> usize {
        1 + usize::from(self.wide) + usize::from(self.weighted)
    }

    /// Reads a number of one byte, or of two if `wide`.
    #[inline(always)]
    fn number(&self, at: usize) -> u16 {
        u16::from_le_bytes([self.bytes[at], if self.wide { self.bytes[at + 1] } else { 0 }])
    }

    /// Returns how many regions a region meets that are not the first of their sectors, and where the list of them
    /// begins.
    #[inline(always)]
    fn others(&self, place: u32) -> (u16, usize) {
        let at = place as usize + self.head() + 1;
        (self.number(at), at + 1 + usize::from(self.wide))
    }

    /// Returns the index of the byte after a region.
    #[inline]
    fn after(&self, place: u32) -> u32 {
        let (count, mut at) = self.others(place);
        for _ in 0..count {
            at += if u16::from(self.bytes[at]) & LONG == LONG { 3 } else { 1 };
        }
        at as u32
    }

    /// Returns the regions of a sector.
    pub(super) fn of(&self, sector: u32) -> impl Iterator<Item = Spot> + '_ {
        let end = self.first_by_sector[sector as usize + 1];
        let mut place = self.first_by_sector[sector as usize];
        std::iter::from_fn(move || {
            let spot = (place < end).then_some(Spot { sector, place })?;
            place = self.after(place);
            Some(spot)
        })
    }

    /// Returns how many sectors there are.
    pub(super) fn count(&self) -> usize {
        self.first_by_sector.len() - 1
    }

    /// Returns the regions of all sectors.
    pub(super) fn all(&self) -> impl Iterator<Item = Spot> + '_ {
        (0..self.count() as u32).flat_map(|sector| self.of(sector))
    }

    /// Returns the only region of a sector, or `None` if the sector has none or several.
    pub(super) fn only(&self, sector: u32) -> Option<Spot> {
        let place = self.first_by_sector[sector as usize];
        let end = self.first_by_sector[sector as usize + 1];
        (place < end && self.after(place) == end).then_some(Spot { sector, place })
    }

    #[inline]
    pub(super) fn centre(&self, layout: &Layout, Spot { sector, place }: Spot) -> Cell {
        layout.bounds(self.level, sector).cell(usize::from(self.number(place as usize)))
    }

    /// Returns a region's mean weight, or `None` where the world has one weight.
    #[inline]
    pub(super) fn weight(&self, spot: Spot) -> Option<u8> {
        self.weighted.then(|| self.bytes[spot.place as usize + self.head() - 1])
    }

    /// Calls `visit` for every region that the region `spot` meets.
    #[inline]
    pub(super) fn for_each_edge(&self, layout: &Layout, spot: Spot, mut visit: impl FnMut(Spot)) {
        let across = layout.tier(self.level).across as i32;
        let beyond = |direction: u8| {
            let (dx, dy) = STEP[usize::from(direction)];
            spot.sector.wrapping_add_signed(dy * across + dx)
        };
        let mut plain = self.bytes[spot.place as usize + self.head()];
        let (count, mut at) = self.others(spot.place);
        while plain != 0 {
            let sector = beyond(plain.trailing_zeros() as u8);
            plain &= plain - 1;
            visit(Spot { sector, place: self.first_by_sector[sector as usize] });
        }
        for _ in 0..count {
            let edge = self.bytes[at];
            at += 1;
            let mut number = u16::from(edge) & LONG;
            if number == LONG {
                number = u16::from_le_bytes([self.bytes[at], self.bytes[at + 1]]);
                at += 2;
            }
            let sector = beyond(edge >> 5);
            let place = (0..number).fold(self.first_by_sector[sector as usize], |place, _| self.after(place));
            visit(Spot { sector, place });
        }
    }

    /// Returns the number of packed bytes, which is greater than every place.
    pub(super) fn places(&self) -> usize {
        self.bytes.len()
    }

    pub(super) fn bytes(&self) -> usize {
        held(&self.first_by_sector) + held(&self.bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_packed_comes_out_again() {
        for (side, weighted) in [(8, false), (16, true), (32, false)] {
            let layout = Layout::new(3 * side as usize, 3 * side as usize, side, 2, 1);
            let mut sectors = Sectors::empty(&layout, 0, side, weighted);
            let region = |sector: u32, number: u16| Region {
                centre: layout.bounds(0, sector).cell(usize::from(number) % 64),
                weight: number as u8,
                edges: if sector == 4 { vec![(0, number), (2, 0), (3, 30), (7, 31)] } else { vec![] },
            };
            sectors.pack(&layout, |sector| Some((0..40).map(|number| region(sector, number)).collect()));
            let before = sectors.clone();
            sectors.pack(&layout, |sector| (sector == 4).then(|| (0..40).map(|number| region(4, number)).collect()));
            assert!(sectors == before, "packing a sector again changes nothing");
            for (number, spot) in sectors.of(4).enumerate() {
                let packed = region(4, number as u16);
                assert_eq!(sectors.centre(&layout, spot), packed.centre);
                assert_eq!(sectors.weight(spot), weighted.then_some(packed.weight));
                let mut met = Vec::new();
                sectors.for_each_edge(&layout, spot, |to| met.push(to));
                let mut meant: Vec<Spot> = packed
                    .edges
                    .iter()
                    .map(|&(direction, number)| {
                        let sector = [1, 2, 5, 8, 7, 6, 3, 0][usize::from(direction)];
                        sectors.of(sector).nth(usize::from(number)).expect("there are forty")
                    })
                    .collect();
                met.sort_by_key(|spot| spot.place);
                meant.sort_by_key(|spot| spot.place);
                assert_eq!(met, meant, "region {number}");
            }
            assert_eq!(sectors.of(4).count(), 40);
        }
    }
}
