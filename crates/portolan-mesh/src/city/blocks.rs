//! What stands in a block: houses on lots, a square, a park or a hill.
//!
//! Not here: streets, and the surfaces that all is made of.

use super::METRE;
use super::ground::{Footprint, Rectangle, Site, diamond, octagon};
use portolan::generate::Random;

/// The longest side of a lot.
const LOT: i32 = 13 * METRE;

/// Makes a block.
pub(super) fn block(site: &mut Site, area: Rectangle, random: &mut Random) {
    match random.below(20) {
        0..13 => houses(site, area, random),
        13..16 => square(site, area, random),
        16..18 => park(site, area, random),
        _ => hill(site, area, random),
    }
}

/// Makes a block of lots with a house or a garden on each.
fn houses(site: &mut Site, area: Rectangle, random: &mut Random) {
    let mut lots = vec![area.inset(METRE)];
    let mut solids: Vec<(Footprint, i32)> = Vec::new();
    let mut trees = Vec::new();
    while let Some(lot) = lots.pop() {
        let longer = lot.width().max(lot.height());
        if longer > LOT {
            let near = longer * random.between(42, 58) as i32 / 100;
            lots.extend(if lot.width() == longer {
                [Rectangle { right: lot.left + near, ..lot }, Rectangle { left: lot.left + near, ..lot }]
            } else {
                [Rectangle { bottom: lot.top + near, ..lot }, Rectangle { top: lot.top + near, ..lot }]
            });
        } else if random.chance(12) {
            trees.extend(scattered(lot.inset(METRE), 4 * METRE, random));
        } else {
            let height = random.between(5, 24) as i32 * METRE;
            let footprints = house(lot.inset(random.between(8, 14) as i32), random);
            solids.extend(footprints.into_iter().map(|footprint| (footprint, height)));
        }
    }
    let footprints: Vec<Footprint> = solids.iter().map(|(footprint, _)| footprint.clone()).collect();
    site.ground(area, 0, &footprints);
    for (footprint, height) in &solids {
        site.solid(footprint, 0, *height);
    }
    plant(site, &trees, 0);
}

/// Returns the convex parts of a house that fills a lot.
fn house(lot: Rectangle, random: &mut Random) -> Vec<Footprint> {
    let Rectangle { left, top, right, bottom } = lot;
    let [x, z] = [
        left + lot.width() * random.between(35, 65) as i32 / 100,
        top + lot.height() * random.between(35, 65) as i32 / 100,
    ];
    let parts = match random.below(8) {
        0 | 1 => vec![lot],
        // An L, on any of the corners.
        2 => vec![Rectangle { right: x, ..lot }, Rectangle { left: x, top: z, ..lot }],
        3 => vec![Rectangle { left: x, ..lot }, Rectangle { right: x, bottom: z, ..lot }],
        // A T.
        4 => vec![
            Rectangle { bottom: z, ..lot },
            Rectangle { left: i32::midpoint(left, x), right: i32::midpoint(right, x), top: z, ..lot },
        ],
        // A U around a court.
        5 => {
            let [third, two_thirds] = [left + lot.width() / 3, right - lot.width() / 3];
            let back = Rectangle { left: third, right: two_thirds, bottom: z, ..lot };
            vec![Rectangle { right: third, ..lot }, back, Rectangle { left: two_thirds, ..lot }]
        }
        6 => return vec![octagon(lot.middle(), lot.width().min(lot.height()) / 2)],
        // Two houses with a narrow way between them.
        _ => {
            let gap = 5 * METRE / 4;
            vec![Rectangle { right: x - gap, ..lot }, Rectangle { left: x + gap, bottom, top, right }]
        }
    };
    parts.into_iter().filter(|part| part.width() > 0 && part.height() > 0).map(Rectangle::corners).collect()
}

/// Makes an open square with a fountain, kiosks and trees.
fn square(site: &mut Site, area: Rectangle, random: &mut Random) {
    let mut solids = Vec::new();
    let mut trees = Vec::new();
    let [columns, rows] = [area.width(), area.height()].map(|side| side / (7 * METRE));
    for column in 0..columns {
        for row in 0..rows {
            let spot = |count: i32, at: i32, side: i32| side * (2 * at + 1) / (2 * count);
            let middle = [area.left + spot(columns, column, area.width()), area.top + spot(rows, row, area.height())];
            let shift = [random.between(0, 8) as i32 - 4, random.between(0, 8) as i32 - 4];
            let at = [middle[0] + shift[0], middle[1] + shift[1]];
            let radius = random.between(7, 16) as i32;
            match random.below(6) {
                0 | 1 => solids.push(octagon(at, radius)),
                2 => solids.push(diamond(at, radius + 4)),
                3 => {
                    let [x, z] = at;
                    let long = radius / 2 + 2;
                    solids.push(
                        Rectangle { left: x - radius, right: x + radius, top: z - long, bottom: z + long }.corners(),
                    );
                }
                4 => trees.push(at),
                _ => {}
            }
        }
    }
    site.ground(area, 0, &solids);
    for footprint in &solids {
        site.solid(footprint, 0, 3 * METRE);
    }
    plant(site, &trees, 0);
}

/// Makes a park: trees, and a pond that the ground leaves out.
fn park(site: &mut Site, area: Rectangle, random: &mut Random) {
    let radius = random.between(3, 5) as i32 * METRE;
    let pond = octagon(area.middle(), radius);
    let clear = radius + 2 * METRE;
    let [x, z] = area.middle();
    let mut trees = scattered(area.inset(METRE), 5 * METRE, random);
    trees.retain(|tree| (tree[0] - x).abs().max((tree[1] - z).abs()) > clear);
    site.ground(area, 0, std::slice::from_ref(&pond));
    plant(site, &trees, 0);
}

/// Makes a hill with a tower and trees on its top.
fn hill(site: &mut Site, area: Rectangle, random: &mut Random) {
    let height = random.between(16, 32) as i32;
    let slope = 2 * height;
    let top = area.inset(slope);
    let tower = octagon(top.middle(), random.between(10, 16) as i32);
    let [x, z] = top.middle();
    let mut trees = scattered(top.inset(METRE), 4 * METRE, random);
    trees.retain(|tree| (tree[0] - x).abs().max((tree[1] - z).abs()) > 4 * METRE);
    site.hill(area, slope, height, std::slice::from_ref(&tower));
    site.solid(&tower, height, height + 6 * METRE);
    plant(site, &trees, height);
}

/// Returns places about `pitch` apart.
fn scattered(area: Rectangle, pitch: i32, random: &mut Random) -> Vec<[i32; 2]> {
    let mut places = Vec::new();
    let mut z = area.top + pitch / 2;
    while z < area.bottom {
        let mut x = area.left + pitch / 2;
        while x < area.right {
            let shift = [(); 2].map(|()| random.between(0, pitch as usize / 2) as i32 - pitch / 4);
            if random.chance(80) {
                places.push([x + shift[0], z + shift[1]]);
            }
            x += pitch;
        }
        z += pitch;
    }
    places
}

/// Adds trunks of trees. They are too thin for the ground below them to matter.
fn plant(site: &mut Site, trees: &[[i32; 2]], height: i32) {
    for &tree in trees {
        site.solid(&diamond(tree, METRE / 2), height, height + 3 * METRE);
    }
}
