//! The geometry of a city, from a size and a seed. It has equal bytes on every machine: places are whole eighths of a metre,
//! and what is computed from them is added, multiplied and divided only.
//!
//! Blocks of houses, squares, parks and hills lie between streets. Some streets are avenues, which footbridges cross, and
//! some are sunken roads, which streets cross on bridges with ramps down to the road: there, ground lies above ground.
//!
//! What stands in a block is in `blocks.rs`, ground and solids are in `ground.rs`. Not here: meshes.

mod blocks;
mod ground;

use ground::{Rectangle, Site};
use portolan::generate::Random;
use portolan_formats::Geometry;

/// Eighths of a metre in a metre.
const METRE: i32 = 8;
/// How deep sunken roads lie below streets.
const DEPTH: i32 = 5 * METRE;
/// How high footbridges lie above avenues.
const FOOTBRIDGE: i32 = 9 * METRE / 2;
/// The length of ramps.
const RAMP: i32 = 14 * METRE;

/// How large a city is.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct CityOptions {
    columns: u16,
    rows: u16,
}

/// Why a city cannot be made.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a city of {columns} x {rows} blocks: from 1 to {} are possible on each side", CityOptions::MOST)]
pub struct CityError {
    /// Columns of blocks.
    pub columns: u16,
    /// Rows of blocks.
    pub rows: u16,
}

impl CityOptions {
    /// The most blocks on a side.
    pub const MOST: u16 = 100;

    /// A city whose mesh has about 5,500 polygons.
    pub const SMALL: CityOptions = CityOptions { columns: 9, rows: 8 };
    /// A city whose mesh has about 12,700 polygons.
    pub const MEDIUM: CityOptions = CityOptions { columns: 13, rows: 13 };
    /// A city whose mesh has about 16,900 polygons.
    pub const LARGE: CityOptions = CityOptions { columns: 15, rows: 15 };
    /// A city whose mesh has about 22,400 polygons.
    pub const HUGE: CityOptions = CityOptions { columns: 17, rows: 17 };

    /// A city of so many blocks.
    ///
    /// # Errors
    /// When there are none on a side, or more than [`CityOptions::MOST`].
    pub fn new(columns: u16, rows: u16) -> Result<CityOptions, CityError> {
        let is_possible = |blocks: u16| (1..=CityOptions::MOST).contains(&blocks);
        if is_possible(columns) && is_possible(rows) {
            Ok(CityOptions { columns, rows })
        } else {
            Err(CityError { columns, rows })
        }
    }

    /// Returns the columns of blocks.
    pub fn columns(self) -> u16 {
        self.columns
    }

    /// Returns the rows of blocks.
    pub fn rows(self) -> u16 {
        self.rows
    }
}

/// Makes the geometry of a city, in metres. Equal options and seeds give equal bytes on every machine.
///
/// ```
/// use portolan_mesh::{CityOptions, city};
/// let geometry = city(CityOptions::new(4, 3)?, 7);
/// assert_eq!(geometry, city(CityOptions::new(4, 3)?, 7));
/// # Ok::<(), portolan_mesh::CityError>(())
/// ```
pub fn city(options: CityOptions, seed: u64) -> Geometry {
    let mut random = Random::new(seed);
    let across = bands(&mut random, options.columns, true);
    let down = bands(&mut random, options.rows, false);
    let mut site = Site::default();
    for column in &across {
        for row in &down {
            let area = Rectangle { left: column.from, top: row.from, right: column.to, bottom: row.to };
            match (column.use_, row.use_) {
                (Use::Blocks, Use::Blocks) => blocks::block(&mut site, area, &mut random),
                (Use::SunkenRoad, Use::Blocks) => {}
                (Use::SunkenRoad, _) => bridge(&mut site, area, down.last().map_or(0, |row| row.to), &mut random),
                (Use::Avenue, Use::Blocks) => avenue(&mut site, area, &mut random),
                (Use::Street, Use::Blocks) | (Use::Blocks, _) => street(&mut site, area, &mut random),
                (Use::Street | Use::Avenue, _) => site.ground(area, 0, &[]),
            }
        }
        if column.use_ == Use::SunkenRoad {
            sunken_road(&mut site, column, down.last().map_or(0, |row| row.to), &mut random);
        }
    }
    site.geometry
}

/// What a band of the city is for.
#[derive(Copy, Clone, PartialEq, Eq)]
enum Use {
    Blocks,
    Street,
    Avenue,
    SunkenRoad,
}

/// A strip across the whole city.
struct Band {
    from: i32,
    to: i32,
    use_: Use,
}

/// Returns the bands along one axis: streets, and blocks between them. Sunken roads run down only.
fn bands(random: &mut Random, blocks: u16, has_sunken_roads: bool) -> Vec<Band> {
    let mut bands = Vec::new();
    let mut at = 0;
    let mut add = |width: i32, use_: Use| {
        bands.push(Band { from: at, to: at + width, use_ });
        at += width;
    };
    for block in 0..=blocks {
        let is_inside = 0 < block && block < blocks;
        match block % 5 {
            2 if has_sunken_roads && is_inside => add(18 * METRE, Use::SunkenRoad),
            0 => add(14 * METRE, Use::Avenue),
            _ => add(random.between(6, 8) as i32 * METRE, Use::Street),
        }
        if block < blocks {
            add(random.between(22, 34) as i32 * METRE, Use::Blocks);
        }
    }
    bands
}

/// Makes a street along a block, with cars parked on it.
fn street(site: &mut Site, area: Rectangle, random: &mut Random) {
    let mut cars = Vec::new();
    let is_down = area.bottom - area.top > area.right - area.left;
    let length = if is_down { area.bottom - area.top } else { area.right - area.left };
    let mut at = random.between(1, 12) as i32 * METRE;
    while at + 6 * METRE < length {
        let [near, far] = [at, at + 9 * METRE / 2];
        // Cars stand a little off the curb, by turns on both sides.
        let width = 2 * METRE;
        let off = if random.chance(50) {
            1
        } else {
            (if is_down { area.right - area.left } else { area.bottom - area.top }) - 1 - width
        };
        cars.push(if is_down {
            Rectangle {
                left: area.left + off,
                right: area.left + off + width,
                top: area.top + near,
                bottom: area.top + far,
            }
        } else {
            Rectangle {
                left: area.left + near,
                right: area.left + far,
                top: area.top + off,
                bottom: area.top + off + width,
            }
        });
        at = far + random.between(2, 14) as i32 * METRE;
    }
    let footprints: Vec<_> = cars.iter().map(|car| car.corners()).collect();
    site.ground(area, 0, &footprints);
    for car in &footprints {
        site.solid(car, 0, 3 * METRE / 2);
    }
}

/// Makes an avenue along a block: two rows of trees, and sometimes a footbridge.
fn avenue(site: &mut Site, area: Rectangle, random: &mut Random) {
    site.ground(area, 0, &[]);
    let has_bridge = random.chance(60);
    if has_bridge {
        footbridge(site, area, random);
        return;
    }
    let middle = i32::midpoint(area.left, area.right);
    let mut z = area.top + 2 * METRE;
    while z < area.bottom - METRE {
        for x in [middle - 2 * METRE, middle + 2 * METRE] {
            site.solid(&ground::diamond([x, z], METRE / 2), 0, 3 * METRE);
        }
        z += random.between(4, 7) as i32 * METRE;
    }
}

/// Makes a footbridge over an avenue, with a ramp at each end.
fn footbridge(site: &mut Site, area: Rectangle, random: &mut Random) {
    let wide = 3 * METRE;
    let slack = area.bottom - area.top - wide - RAMP;
    let top = area.top + if slack > 0 { random.below(slack as u64) as i32 } else { 0 };
    let deck = Rectangle { top, bottom: top + wide, ..area };
    site.deck(deck, FOOTBRIDGE);
    let ramps = [Rectangle { right: area.left + wide, ..area }, Rectangle { left: area.right - wide, ..area }];
    for ramp in ramps {
        site.ramp(Rectangle { top: deck.bottom, bottom: deck.bottom + RAMP, ..ramp }, [FOOTBRIDGE, 0]);
    }
}

/// Makes the bridge of a street over a sunken road, and often a ramp from it down to the road.
fn bridge(site: &mut Site, area: Rectangle, end: i32, random: &mut Random) {
    site.deck(area, 0);
    let wide = 4 * METRE;
    if area.bottom + RAMP + 2 * METRE <= end && random.chance(75) {
        let ramp = Rectangle { top: area.bottom, bottom: area.bottom + RAMP, ..area };
        let is_left = random.chance(50);
        let ramp = if is_left {
            Rectangle { right: ramp.left + wide, ..ramp }
        } else {
            Rectangle { left: ramp.right - wide, ..ramp }
        };
        site.ramp(ramp, [0, -DEPTH]);
    }
}

/// Makes the road below the level of the streets, its walls, and pillars along its middle.
fn sunken_road(site: &mut Site, band: &Band, end: i32, random: &mut Random) {
    let area = Rectangle { left: band.from, right: band.to, top: 0, bottom: end };
    let middle = i32::midpoint(band.from, band.to);
    let mut pillars = Vec::new();
    let mut z = 3 * METRE;
    while z < end - 3 * METRE {
        pillars.push(if random.chance(50) {
            ground::octagon([middle, z], random.between(6, 10) as i32)
        } else {
            ground::diamond([middle, z], random.between(8, 14) as i32)
        });
        z += random.between(6, 12) as i32 * METRE;
    }
    site.ground(area, -DEPTH, &pillars);
    for pillar in &pillars {
        site.solid(pillar, -DEPTH, 5 * METRE / 2 - DEPTH);
    }
    site.wall([band.from, 0], [band.from, end], [-DEPTH, 0]);
    site.wall([band.to, end], [band.to, 0], [-DEPTH, 0]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_out_of_range_are_refused() {
        assert_eq!(CityOptions::new(0, 3), Err(CityError { columns: 0, rows: 3 }));
        assert!(CityOptions::new(CityOptions::MOST, 1).is_ok());
        assert!(CityOptions::new(1, CityOptions::MOST + 1).is_err());
    }

    #[test]
    fn seeds_make_different_cities_and_all_triangles_are_whole() {
        let options = CityOptions::new(6, 4).unwrap();
        let geometry = city(options, 1);
        assert!(geometry != city(options, 2) && geometry == city(options, 1));
        assert!(geometry.triangles.iter().flatten().all(|&vertex| (vertex as usize) < geometry.vertices.len()));
        assert!(geometry.vertices.iter().flatten().all(|coordinate| coordinate.is_finite()));
    }
}
