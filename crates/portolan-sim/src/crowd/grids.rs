//! Square and hexagonal grids as ground for a crowd: [`SquareGround`] and [`HexGround`]. A cell is a convex polygon around
//! its position, and the sides between free and blocked cells are walls. Borders and links between cells are not known here:
//! planners and fields lead agents around and over them, but what pushes an agent does not stop there.
//!
//! Not here: agents, and worlds that are not grids.

use super::ground::{Footing, Ground, Point, length, minus, plus, times};
use portolan::{Cell, HexCell, HexGrid, Motion, Snapshot, Space, SquareGrid};

/// A square grid that a crowd walks on.
///
/// An agent has a body, so that it cannot squeeze between two blocked cells that touch at a corner. In a world whose rules
/// allow such steps ([`portolan::Corners::Loose`]) it does so only when it is stuck.
pub struct SquareGround {
    world: Snapshot,
}

/// A hexagonal grid that a crowd walks on.
pub struct HexGround {
    world: Snapshot<HexGrid>,
}

impl SquareGround {
    /// Returns the ground of a world.
    pub fn new(world: Snapshot) -> SquareGround {
        SquareGround { world }
    }
}

impl HexGround {
    /// Returns the ground of a world.
    pub fn new(world: Snapshot<HexGrid>) -> HexGround {
        HexGround { world }
    }
}

/// How far inside its cell an agent stays that cannot leave it.
const INSET: f32 = 1e-3;

/// A side of a cell: the direction to the neighbour beyond it, and its ends, seen from the middle of the cell. The cell lies
/// to the right of the side that leads from the first end to the second.
struct Side {
    outward: Point,
    ends: [Point; 2],
}

/// The sides of a square, in the order of the neighbours to the right, below, to the left and above.
const SQUARE_SIDES: [Side; 4] = [
    Side { outward: [1.0, 0.0], ends: [[0.5, 0.5], [0.5, -0.5]] },
    Side { outward: [0.0, 1.0], ends: [[-0.5, 0.5], [0.5, 0.5]] },
    Side { outward: [-1.0, 0.0], ends: [[-0.5, -0.5], [-0.5, 0.5]] },
    Side { outward: [0.0, -1.0], ends: [[0.5, -0.5], [-0.5, -0.5]] },
];

/// The distance between two rows of hexes: half the square root of 3.
const ROW: f32 = 0.866_025_4;

/// Half the length of a side of a hex.
const HALF_SIDE: f32 = ROW / 3.0;

/// The sides of a hex that stands on a corner, in the order of [`HEX_STEPS`].
const HEX_SIDES: [Side; 6] = [
    Side { outward: [1.0, 0.0], ends: [[0.5, HALF_SIDE], [0.5, -HALF_SIDE]] },
    Side { outward: [0.5, ROW], ends: [[0.0, 2.0 * HALF_SIDE], [0.5, HALF_SIDE]] },
    Side { outward: [-0.5, ROW], ends: [[-0.5, HALF_SIDE], [0.0, 2.0 * HALF_SIDE]] },
    Side { outward: [-1.0, 0.0], ends: [[-0.5, -HALF_SIDE], [-0.5, HALF_SIDE]] },
    Side { outward: [-0.5, -ROW], ends: [[0.0, -2.0 * HALF_SIDE], [-0.5, -HALF_SIDE]] },
    Side { outward: [0.5, -ROW], ends: [[0.5, -HALF_SIDE], [0.0, -2.0 * HALF_SIDE]] },
];

/// The steps in axial coordinates to the neighbours of a hex.
const HEX_STEPS: [(i16, i16); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];

/// Returns the point of a cell around `middle` that is nearest to `point`, a little inside the cell.
fn inside(point: Point, middle: Point, sides: &[Side]) -> Point {
    let mut from_middle = minus(point, middle);
    // One pass moves the point inside each side in turn. At a corner that may move it out across a side seen before.
    for _ in 0..2 {
        for Side { outward, .. } in sides {
            let beyond = from_middle[0] * outward[0] + from_middle[1] * outward[1] - (0.5 - INSET);
            if beyond > 0.0 {
                from_middle = minus(from_middle, times(*outward, beyond));
            }
        }
    }
    plus(middle, from_middle)
}

impl Ground for SquareGround {
    type Space = SquareGrid;

    fn world(&self) -> &Snapshot {
        &self.world
    }

    fn places(&self, _radius: f32) -> Vec<Cell> {
        self.world.cells().filter(|&cell| self.world.is_free(cell)).collect()
    }

    fn place_at(&self, Footing { at, .. }: Footing) -> Option<Cell> {
        self.free(nearest(at[0]), nearest(at[1]))
    }

    fn walls_near(&self, Footing { at: point, .. }: Footing, reach: f32, walls: &mut Vec<[Point; 2]>) {
        for y in nearest(point[1] - reach)..=nearest(point[1] + reach) {
            for x in nearest(point[0] - reach)..=nearest(point[0] + reach) {
                if self.free(x, y).is_none() {
                    continue;
                }
                let middle = [x as f32, y as f32];
                for Side { outward: [right, down], ends } in &SQUARE_SIDES {
                    if self.free(x + *right as i32, y + *down as i32).is_none() {
                        walls.push(ends.map(|end| plus(middle, end)));
                    }
                }
            }
        }
    }

    fn project(&self, from: Footing, to: Point) -> Footing {
        project(self, from, to, &SQUARE_SIDES)
    }

    fn is_clear(&self, from: Footing, to: Footing, radius: f32) -> bool {
        is_clear(self, from.at, to.at, radius)
    }

    fn footing(&self, place: Cell) -> Footing {
        let [x, y, _] = self.world.position(place);
        [x, y].into()
    }

    fn wall_radius(&self, radius: f32) -> f32 {
        radius
    }

    /// Routes lead over the middles of cells, where there is room for the body.
    fn corner_margin(&self, _radius: f32) -> f32 {
        0.0
    }

    fn unit(&self, radius: f32) -> Option<f32> {
        (radius > 0.0 && radius < 0.5).then_some(1.0)
    }
}

impl SquareGround {
    /// Returns the cell in this column and row if it is free.
    fn free(&self, x: i32, y: i32) -> Option<Cell> {
        let cell = Cell::new(u16::try_from(x).ok()?, u16::try_from(y).ok()?);
        self.world.is_free(cell).then_some(cell)
    }
}

/// Returns the whole number nearest to a coordinate.
fn nearest(coordinate: f32) -> i32 {
    (coordinate + 0.5).floor() as i32
}

impl Ground for HexGround {
    type Space = HexGrid;

    fn world(&self) -> &Snapshot<HexGrid> {
        &self.world
    }

    fn places(&self, _radius: f32) -> Vec<HexCell> {
        self.world.cells().filter(|&cell| self.world.is_free(cell)).collect()
    }

    fn place_at(&self, footing: Footing) -> Option<HexCell> {
        self.free(hex_at(footing.at)?)
    }

    fn walls_near(&self, Footing { at: point, .. }: Footing, reach: f32, walls: &mut Vec<[Point; 2]>) {
        let rows = nearest((point[1] - reach) / ROW) - 1..=nearest((point[1] + reach) / ROW) + 1;
        for r in rows {
            let first = point[0] - r as f32 / 2.0;
            for q in nearest(first - reach) - 1..=nearest(first + reach) + 1 {
                let Some(cell) = axial(q, r).and_then(|cell| self.free(cell)) else { continue };
                let [x, y, _] = self.world.position(cell);
                for (Side { ends, .. }, (right, down)) in HEX_SIDES.iter().zip(HEX_STEPS) {
                    if self.free(HexCell::new(cell.q + right, cell.r + down)).is_none() {
                        walls.push(ends.map(|end| plus([x, y], end)));
                    }
                }
            }
        }
    }

    fn project(&self, from: Footing, to: Point) -> Footing {
        project(self, from, to, &HEX_SIDES)
    }

    fn is_clear(&self, from: Footing, to: Footing, radius: f32) -> bool {
        is_clear(self, from.at, to.at, radius)
    }

    fn footing(&self, place: HexCell) -> Footing {
        let [x, y, _] = self.world.position(place);
        [x, y].into()
    }

    fn wall_radius(&self, radius: f32) -> f32 {
        radius
    }

    /// Routes lead over the middles of cells, where there is room for the body.
    fn corner_margin(&self, _radius: f32) -> f32 {
        0.0
    }

    fn unit(&self, radius: f32) -> Option<f32> {
        (radius > 0.0 && radius < 0.5).then_some(1.0)
    }
}

impl HexGround {
    fn free(&self, cell: HexCell) -> Option<HexCell> {
        self.world.is_free(cell).then_some(cell)
    }
}

/// Returns the hex with these axial coordinates, or `None` if they are far off every grid.
fn axial(q: i32, r: i32) -> Option<HexCell> {
    // A neighbour of the hex must have coordinates too.
    let fits = |coordinate: i32| (-30_000..=32_000).contains(&coordinate).then_some(coordinate as i16);
    Some(HexCell::new(fits(q)?, fits(r)?))
}

/// Returns the hex whose middle is nearest to the point: the rounded cube coordinates, of which the one that was rounded most
/// follows from the others.
fn hex_at([x, y]: Point) -> Option<HexCell> {
    let r = y / ROW;
    let q = x - r / 2.0;
    let s = -q - r;
    let [near_q, near_r, near_s] = [q, r, s].map(f32::round);
    let [off_q, off_r, off_s] = [(near_q - q).abs(), (near_r - r).abs(), (near_s - s).abs()];
    let (q, r) = if off_q > off_r && off_q > off_s {
        (-near_r - near_s, near_r)
    } else if off_r > off_s {
        (near_q, -near_q - near_s)
    } else {
        (near_q, near_r)
    };
    axial(q as i32, r as i32)
}

/// Returns `to` if it lies in the cell of `from` or in one to which a step from there is legal, else the point of the cell
/// of `from` that is nearest to it.
fn project<G: Ground>(ground: &G, from: Footing, to: Point, sides: &[Side]) -> Footing {
    let Some(here) = ground.place_at(from) else { return from };
    match ground.place_at(to.into()) {
        Some(there) if there == here || ground.world().segment(here, there, Motion::Steps).is_some() => to.into(),
        _ => inside(to, ground.footing(here).at, sides).into(),
    }
}

/// Returns whether an agent of this radius can go straight from one point to another. It looks at points every fifth of a
/// cell along the middle and both sides of the way.
fn is_clear<G: Ground>(ground: &G, from: Point, to: Point, radius: f32) -> bool {
    let along = minus(to, from);
    let length = length(along);
    if length == 0.0 {
        return true;
    }
    let aside = [-along[1] / length * radius, along[0] / length * radius];
    let count = (length * 5.0).ceil();
    let mut step = 0.0;
    while step <= count {
        let at = plus(from, times(along, step / count));
        if [at, plus(at, aside), minus(at, aside)].into_iter().any(|point| ground.place_at(point.into()).is_none()) {
            return false;
        }
        step += 1.0;
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::Rules;

    fn squares() -> SquareGround {
        let weights = [1, 1, 1, 1, 0, 1, 1, 1, 0];
        SquareGround::new(SquareGrid::from_weights(3, 3, &weights, Rules::default()).expect("sound").into())
    }

    fn hexes() -> HexGround {
        let weights = [1, 1, 1, 1, 0, 1, 1, 1, 1];
        let grid = HexGrid::from_weights(3, 3, &weights, None).expect("sound");
        HexGround::new(grid.into())
    }

    #[test]
    fn points_belong_to_the_cell_around_them() {
        let ground = squares();
        assert_eq!(ground.place_at([0.49, 0.49].into()), Some(Cell::new(0, 0)));
        assert_eq!(ground.place_at([0.51, 0.49].into()), Some(Cell::new(1, 0)));
        assert_eq!(ground.place_at([0.51, 0.51].into()), None);
        assert_eq!(ground.place_at([-0.51, 0.0].into()), None);
        assert_eq!(ground.place_at([2.4, 2.4].into()), None);
        let ground = hexes();
        for cell in ground.world.cells() {
            let [x, y] = ground.footing(cell).at;
            let expected = ground.world.is_free(cell).then_some(cell);
            for side in &HEX_SIDES {
                for end in [side.ends[0], side.ends[1], times(side.outward, 0.5)] {
                    assert_eq!(ground.place_at(plus([x, y], times(end, 0.98)).into()), expected);
                }
            }
        }
        assert_eq!(ground.place_at([f32::MAX, 0.0].into()), None);
    }

    #[test]
    fn walls_have_their_solid_side_on_the_left() {
        fn check(ground: &impl Ground, around: Point) {
            let mut walls = Vec::new();
            ground.walls_near(around.into(), 1.5, &mut walls);
            assert!(walls.len() > 4);
            for [a, b] in walls {
                let (middle, along) = (times(plus(a, b), 0.5), minus(b, a));
                let left = [-along[1] * 0.1, along[0] * 0.1];
                assert!(ground.place_at(plus(middle, left).into()).is_none(), "{a:?} {b:?}");
                assert!(ground.place_at(minus(middle, left).into()).is_some(), "{a:?} {b:?}");
            }
        }
        check(&squares(), [0.2, 0.3]);
        check(&hexes(), [1.0, 1.0]);
    }

    #[test]
    fn steps_into_walls_end_inside_the_cell() {
        let ground = squares();
        assert_eq!(ground.project([0.0, 0.4].into(), [0.1, 0.6]), [0.1, 0.6].into());
        let stopped = ground.project([1.1, 0.45].into(), [1.2, 0.55]).at;
        assert!((stopped[0] - 1.2).abs() < 1e-6 && stopped[1] < 0.5 && stopped[1] > 0.49);
        // The two free cells touch at a corner only, and the step between them is not legal.
        assert_eq!(ground.place_at(ground.project([0.49, 1.51].into(), [0.51, 1.49])), Some(Cell::new(0, 2)));
        let corner = ground.project([-0.4, -0.4].into(), [-0.7, -0.6]);
        assert_eq!(ground.place_at(corner), Some(Cell::new(0, 0)));
        let ground = hexes();
        let beside = ground.footing(HexCell::at(0, 1)).at;
        let stopped = ground.project(plus(beside, [0.45, 0.0]).into(), plus(beside, [0.6, 0.1]));
        assert_eq!(ground.place_at(stopped), Some(HexCell::at(0, 1)));
    }

    #[test]
    fn a_way_is_clear_if_the_whole_body_fits() {
        let ground = squares();
        assert!(ground.is_clear([0.0, 0.0].into(), [2.0, 0.0].into(), 0.3));
        assert!(!ground.is_clear([0.0, 0.0].into(), [2.0, 1.0].into(), 0.3));
        assert!(ground.is_clear([0.1, 0.3].into(), [2.0, 0.3].into(), 0.1));
        assert!(!ground.is_clear([0.1, 0.3].into(), [2.0, 0.3].into(), 0.3));
        assert!(ground.is_clear([0.1, 0.3].into(), [0.1, 0.3].into(), 0.3));
    }
}
