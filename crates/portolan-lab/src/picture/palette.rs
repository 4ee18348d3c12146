//! Colours of pictures. They differ in brightness as well as in hue, so that colour-blind readers can distinguish them.

use super::Layer;

/// Red, green and blue.
pub type Rgb = [u8; 3];

/// Blocked cells: night blue.
const BLOCKED: Rgb = [0x24, 0x31, 0x4a];
/// Ground of the lightest weight: parchment.
pub(crate) const GROUND: Rgb = [0xfb, 0xf6, 0xe9];
/// Ground of the heaviest weight: clay.
const HEAVY: Rgb = [0xa8, 0x8d, 0x5c];
/// Blended over expanded cells: sky blue.
const EXPANDED: Rgb = [0x56, 0xb4, 0xe9];
/// A link of a mesh: dark violet.
pub(crate) const LINK: Rgb = [0x5b, 0x3a, 0x9e];
/// A border that nothing crosses: near black.
pub(super) const BORDER: Rgb = [0x14, 0x10, 0x18];
/// A border that is crossed one way only: brick.
pub(super) const ONE_WAY: Rgb = [0x9c, 0x2f, 0x3f];
/// Blended over ground by its kind, in the order of [`portolan::KindNames::BUILTIN`] from road on; other kinds take the colours
/// in turn. Stone, shoal, water, leaf, moss, sand, snow, gravel.
const KINDS: [Rgb; 8] = [
    [0x8c, 0x84, 0x7c],
    [0x7c, 0xc4, 0xd8],
    [0x2f, 0x74, 0xb8],
    [0x3c, 0x7d, 0x3a],
    [0x6b, 0x6f, 0x2b],
    [0xe2, 0xb9, 0x55],
    [0xff, 0xff, 0xff],
    [0x9a, 0x6a, 0x58],
];
/// The route: vermilion.
pub(crate) const ROUTE: Rgb = [0xd5, 0x4e, 0x00];
/// The route's start: green.
pub(crate) const START: Rgb = [0x00, 0x9e, 0x73];
/// The route's goal: purple.
pub const GOAL: Rgb = [0xa0, 0x30, 0x85];
/// The rim around both ends of the route: white.
pub(crate) const RIM: Rgb = [0xff, 0xff, 0xff];

/// What lies beyond the outer hexes of a world: white.
pub(crate) const PAPER: Rgb = [0xff, 0xff, 0xff];

/// A port: ink.
pub(super) const PORT: Rgb = [0x1a, 0x22, 0x36];
/// A port that a search expanded: sky blue, lighter than any line.
pub(super) const TAKEN: Rgb = [0x8a, 0xdc, 0xff];
/// A line between two ports with a known cost: blue.
pub(super) const WAY: Rgb = [0x2a, 0x6f, 0xa8];
/// Lines by the depth of the region that they divide, beginning with the whole world.
const LINES: [Rgb; 5] =
    [[0x12, 0x3c, 0x8c], [0x22, 0x78, 0xb5], [0x2c, 0xa0, 0x96], [0x86, 0xbf, 0x4f], [0xdd, 0xb8, 0x3c]];

/// Returns the colour of the line that divides a region which is part of `depth` others.
pub(super) fn line(depth: usize) -> Rgb {
    LINES[depth.min(LINES.len() - 1)]
}

/// Returns the colour of a region of any shape; regions take the colours in turn.
pub(crate) fn patch(region: usize) -> Rgb {
    LINES[region % LINES.len()]
}

/// How many shades a field has.
pub(crate) const BANDS: u8 = 40;
/// A field at its goals: straw.
const NEAR: Rgb = [0xff, 0xe9, 0x8a];
/// A field half way to where it is dearest: teal.
const MIDWAY: Rgb = [0x35, 0xa0, 0x9b];
/// A field where it is dearest: violet.
const FARTHEST: Rgb = [0x6f, 0x3d, 0x94];

/// Returns the colour of a cell in a world whose largest weight is `heaviest`.
pub(super) fn colour(layer: Layer, heaviest: u8) -> Rgb {
    let terrain = match layer.band {
        0 => kinded(ground(layer.weight, heaviest), layer),
        band => shade(f64::from(band - 1) / f64::from(BANDS - 1)),
    };
    if layer.expanded && layer.weight > 0 { blend(terrain, EXPANDED, 0.5) } else { terrain }
}

/// Returns the colour of ground of a kind.
fn kinded(ground: Rgb, layer: Layer) -> Rgb {
    let kind = usize::from(layer.kind);
    if kind == 0 || layer.weight == 0 { ground } else { blend(ground, KINDS[(kind - 1) % KINDS.len()], 0.6) }
}

/// Returns the colour of a field, from 0 at its goals to 1 where it is dearest.
fn shade(share: f64) -> Rgb {
    if share < 0.5 { blend(NEAR, MIDWAY, 2.0 * share) } else { blend(MIDWAY, FARTHEST, 2.0 * share - 1.0) }
}

/// Returns the colour of ground of a weight, 0 for blocked, in a world whose largest weight is `heaviest`.
pub(crate) fn ground(weight: u8, heaviest: u8) -> Rgb {
    if weight == 0 {
        return BLOCKED;
    }
    // Equal ratios of weights give equal steps of colour. The scale goes up to weight 9 at least, so that weights of 2
    // or 3 are not shown as heavy ground.
    blend(GROUND, HEAVY, f64::from(weight).ln() / f64::from(heaviest.max(9)).ln())
}

/// Returns the colour at `share` of the way from one colour to the other.
pub(crate) fn blend(from: Rgb, to: Rgb, share: f64) -> Rgb {
    std::array::from_fn(|i| (f64::from(from[i]) + (f64::from(to[i]) - f64::from(from[i])) * share).round() as u8)
}

/// Returns the colour as SVG and CSS write it.
pub(super) fn hex([r, g, b]: Rgb) -> String {
    format!("#{r:02x}{g:02x}{b:02x}")
}

/// Returns the nearest of the 216 colours and 24 greys that every terminal with colours has.
pub(super) fn terminal(colour: Rgb) -> u8 {
    const LEVELS: [u8; 6] = [0, 95, 135, 175, 215, 255];
    let shown = |index: u8| -> Rgb {
        match index {
            16..=231 => [(index - 16) / 36, (index - 16) / 6 % 6, (index - 16) % 6].map(|i| LEVELS[usize::from(i)]),
            _ => [8 + 10 * (index - 232); 3],
        }
    };
    let distance = |index: &u8| -> u32 {
        let shown = shown(*index);
        (0..3).map(|i| u32::from(shown[i].abs_diff(colour[i])).pow(2)).sum()
    };
    (16..=255).min_by_key(distance).unwrap_or(231)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_show_the_nearest_colour() {
        assert_eq!(terminal([255, 255, 255]), 231);
        assert_eq!(terminal([0, 0, 0]), 16);
        assert_eq!(terminal([90, 0, 0]), 52);
        assert_eq!(terminal([48, 50, 49]), 236);
    }

    #[test]
    fn heavier_ground_is_darker_and_walls_are_darkest() {
        let sum = |weight| colour(Layer { weight, ..Layer::default() }, 9).map(u32::from).iter().sum::<u32>();
        assert!(sum(1) > sum(3) && sum(3) > sum(9) && sum(9) > sum(0));
    }
}
