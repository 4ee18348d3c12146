//! City: a street map. Main roads divide the town into districts. Some districts have streets in a grid; others are
//! cut in two by a street again and again. A slanting avenue may cross a district. The lots between streets become
//! houses of several shapes, with or without alleys, or plazas and parks. All free cells are connected: streets,
//! alleys, courtyards, plazas and parks.

use super::Random;
use super::canvas::{Canvas, Rect};
use crate::settings::{Param, Settings};
use std::ops::Range;

pub(super) const PARAMS: &[Param] = &[
    Param::count("block", "typical side of a block of houses, in cells", 16, 4, 512),
    Param::count("street", "width of a full street, in cells; main roads are up to twice as wide", 3, 1, 64),
    Param::count("alleys", "percent of blocks with an alley through them", 35, 0, 100),
    Param::count("plazas", "percent of blocks left open as plazas and parks", 7, 0, 100),
    Param::count("avenues", "percent of districts crossed by a slanting avenue", 30, 0, 100),
];

pub(super) fn draw(canvas: &mut Canvas, random: &mut Random, settings: &Settings) {
    canvas.fill_all(Canvas::GROUND);
    let street = settings.count("street") as usize;
    let everything = Rect::new(0..canvas.width, 0..canvas.height);
    // A ring road along the edge of the world, so that every lot has a street on each side. A world that is too small
    // for it stays open ground.
    let ring = street.min(everything.short_side() / 8);
    if ring == 0 {
        return;
    }
    let mut city = City {
        canvas,
        random,
        block: settings.count("block") as usize,
        street,
        alleys: settings.count("alleys"),
        plazas: settings.count("plazas"),
        avenues: settings.count("avenues"),
    };
    city.town(everything.inset(ring));
}

struct City<'a> {
    canvas: &'a mut Canvas,
    random: &'a mut Random,
    block: usize,
    street: usize,
    alleys: u64,
    plazas: u64,
    avenues: u64,
}

impl City<'_> {
    /// Divides the ground by main roads until no part is longer than eight blocks, and makes each part a district.
    fn town(&mut self, ground: Rect) {
        let mut parts = vec![ground];
        while let Some(part) = parts.pop() {
            if part.long_side() > 8 * self.block {
                let road = self.street + self.random.between(0, self.street);
                parts.extend(self.halves(&part, road));
            } else {
                self.district(&part);
            }
        }
    }

    /// Fills a piece of ground with streets and lots, and perhaps an avenue.
    fn district(&mut self, ground: &Rect) {
        if self.random.chance(55) {
            self.planned(ground);
        } else {
            self.grown(ground);
        }
        if self.random.chance(self.avenues) {
            self.avenue(ground);
        }
    }

    /// Makes a district whose streets form a grid. Some pairs of neighbouring blocks become one lot, with no street
    /// between them.
    fn planned(&mut self, ground: &Rect) {
        let columns = self.cut(&ground.x);
        let rows = self.cut(&ground.y);
        // Blocks are joined along rows only or along columns only, so that all streets of that direction stay whole.
        let (outer, inner, sideways) =
            if self.random.chance(50) { (rows, columns, true) } else { (columns, rows, false) };
        for outside in outer {
            let mut inside = inner.iter();
            while let Some(mut span) = inside.next().cloned() {
                if self.random.chance(12) {
                    span.end = inside.next().map_or(span.end, |next| next.end);
                }
                let lot = if sideways { Rect::new(span, outside.clone()) } else { Rect::new(outside.clone(), span) };
                self.lot(&lot);
            }
        }
    }

    /// Cuts the columns, or the rows, of a district into blocks with side streets between them.
    fn cut(&mut self, side: &Range<usize>) -> Vec<Range<usize>> {
        let mut blocks = Vec::new();
        let mut start = side.start;
        loop {
            let end = start + self.random.between(self.block * 2 / 3, self.block * 3 / 2);
            let next = end + self.side_street();
            if next + self.block / 2 > side.end {
                blocks.push(start..side.end);
                return blocks;
            }
            blocks.push(start..end);
            start = next;
        }
    }

    /// Makes a district by cutting the ground in two by a street again and again, so that streets end at older streets.
    /// Only pieces longer than four blocks get a street of full width; smaller ones get a side street.
    fn grown(&mut self, ground: &Rect) {
        let mut parts = vec![ground.clone()];
        while let Some(part) = parts.pop() {
            if part.long_side() <= self.random.between(self.block, self.block * 2) {
                self.lot(&part);
            } else {
                let street = if part.long_side() > 4 * self.block { self.street } else { self.side_street() };
                parts.extend(self.halves(&part, street));
            }
        }
    }

    /// Returns the width of a side street: a random number from half of a full street's to all of it.
    fn side_street(&mut self) -> usize {
        self.random.between(self.street.div_ceil(2), self.street)
    }

    /// Cuts a piece of ground, at least five cells long, in two by a street across its longer side. Returns the two
    /// pieces beside the street.
    fn halves(&mut self, ground: &Rect, street: usize) -> [Rect; 2] {
        let long = ground.long_side();
        let street = street.min(long / 4);
        let before = self.random.between(long * 36 / 100, long * 64 / 100 - street).max(1);
        let cut = |side: &Range<usize>| (side.start..side.start + before, side.start + before + street..side.end);
        if ground.width() >= ground.height() {
            let (left, right) = cut(&ground.x);
            [Rect::new(left, ground.y.clone()), Rect::new(right, ground.y.clone())]
        } else {
            let (top, bottom) = cut(&ground.y);
            [Rect::new(ground.x.clone(), top), Rect::new(ground.x.clone(), bottom)]
        }
    }

    /// Clears a straight, slanting avenue from one end of a district to the other, along its longer side.
    fn avenue(&mut self, ground: &Rect) {
        let wide = ground.width() >= ground.height();
        let (along, across) = if wide { (&ground.x, &ground.y) } else { (&ground.y, &ground.x) };
        // The width of the avenue is at least two cells. If it were one, some of its cells would touch only at a
        // corner.
        let breadth = (self.street * 3 / 2).max(2);
        if across.len() < 2 * breadth {
            return;
        }
        let third = across.len() / 3;
        let mut from = across.start + self.random.between(0, third);
        let mut to = across.end - self.random.between(breadth, breadth + third);
        if self.random.chance(50) {
            (from, to) = (to, from);
        }
        let last = along.len().max(2) - 1;
        for (walked, place) in along.clone().enumerate() {
            let near = (from * (last - walked) + to * walked) / last;
            let strip = near..across.end.min(near + breadth);
            let slice = place..place + 1;
            let strip = if wide { Rect::new(slice, strip) } else { Rect::new(strip, slice) };
            self.canvas.fill(&strip, Canvas::GROUND);
        }
    }

    /// Builds a house on a piece of ground that has streets all around, or makes it a plaza.
    fn lot(&mut self, lot: &Rect) {
        let roomy = lot.short_side() >= 5;
        if roomy && self.random.chance(self.plazas) {
            return self.plaza(lot);
        }
        self.canvas.fill(lot, Canvas::BLOCKED);
        if !roomy {
            return;
        }
        match self.random.below(10) {
            0..=2 => self.corner(lot),
            3..=4 if lot.short_side() >= 9 => return self.courtyard(lot),
            _ => {}
        }
        if self.random.chance(self.alleys) {
            self.alley(lot);
        }
    }

    /// Clears one corner of a house, which leaves the shape of an L.
    fn corner(&mut self, lot: &Rect) {
        let (width, height) = (lot.width(), lot.height());
        let width = self.random.between(width / 3, width * 3 / 5);
        let height = self.random.between(height / 3, height * 3 / 5);
        let x = if self.random.chance(50) { lot.x.start..lot.x.start + width } else { lot.x.end - width..lot.x.end };
        let y = if self.random.chance(50) { lot.y.start..lot.y.start + height } else { lot.y.end - height..lot.y.end };
        self.canvas.fill(&Rect::new(x, y), Canvas::GROUND);
    }

    /// Clears a yard in the middle of a house, and a passage to it that is one cell wide.
    fn courtyard(&mut self, lot: &Rect) {
        let yard = lot.inset(lot.short_side() / 3);
        self.canvas.fill(&yard, Canvas::GROUND);
        let (x, y) =
            (self.random.between(yard.x.start, yard.x.end - 1), self.random.between(yard.y.start, yard.y.end - 1));
        let passage = match self.random.below(4) {
            0 => Rect::new(x..x + 1, lot.y.start..yard.y.start),
            1 => Rect::new(x..x + 1, yard.y.end..lot.y.end),
            2 => Rect::new(lot.x.start..yard.x.start, y..y + 1),
            _ => Rect::new(yard.x.end..lot.x.end, y..y + 1),
        };
        self.canvas.fill(&passage, Canvas::GROUND);
    }

    /// Clears an alley, one cell wide, from one long side of a house to the other, straight or with a kink.
    fn alley(&mut self, lot: &Rect) {
        let wide = lot.width() >= lot.height();
        let (along, across) = if wide { (&lot.x, &lot.y) } else { (&lot.y, &lot.x) };
        let from = self.random.between(along.start + 1, along.end - 2);
        let to = if self.random.chance(50) { from } else { self.random.between(along.start + 1, along.end - 2) };
        let kink = self.random.between(across.start + 1, across.end - 2);
        let legs = [
            (from..from + 1, across.start..kink),
            (from.min(to)..from.max(to) + 1, kink..kink + 1),
            (to..to + 1, kink..across.end),
        ];
        for (along, across) in legs {
            let leg = if wide { Rect::new(along, across) } else { Rect::new(across, along) };
            self.canvas.fill(&leg, Canvas::GROUND);
        }
    }

    /// Makes an open square with a monument in its middle, or a park with trees. There are at least two free cells
    /// between any two trees of a row or column, so that trees enclose no free cell.
    fn plaza(&mut self, lot: &Rect) {
        if self.random.chance(50) {
            let short = lot.short_side();
            let reach = (short * 2 / 5).max(2);
            let x = lot.x.start + lot.width() / 2 - short / 2 + reach;
            let y = lot.y.start + lot.height() / 2 - short / 2 + reach;
            let side = short - 2 * reach;
            return self.canvas.fill(&Rect::new(x..x + side, y..y + side), Canvas::BLOCKED);
        }
        let garden = lot.inset(1);
        for y in garden.y.step_by(3) {
            for x in garden.x.clone().step_by(3) {
                if self.random.chance(65) {
                    self.canvas.set(x, y, Canvas::BLOCKED);
                }
            }
        }
    }
}
