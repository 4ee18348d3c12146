//! Views of worlds with walls between cells, one-way borders and links, held against their definition: no body stands across a
//! wall, each of its cells must be allowed to cross a border, and links are those of the world.

use super::{Land, Shape, random_profile};
use crate::worlds::all_rules;
use portolan::generate::Random;
use portolan::{Area, Body, Border, Cell, Cost, Edit, HexCell, HexGrid, Profile, Side, SquareGrid, Terrain, World};

/// A grid whose borders can be asked for, and its geometry by columns and rows.
trait Walled: Land {
    const SIDES: &'static [Side];
    fn border_at(&self, at: (i32, i32), side: Side) -> Border;
    fn beyond(at: (i32, i32), side: Side) -> (i32, i32);
    fn all_links(&self) -> Vec<(Self::Place, Self::Place, Cost)>;
}

impl Walled for SquareGrid {
    const SIDES: &'static [Side] = &[Side::North, Side::East, Side::South, Side::West];

    fn border_at(&self, (x, y): (i32, i32), side: Side) -> Border {
        self.border(Cell::new(x as u16, y as u16), side).expect("squares have this side")
    }

    fn beyond((x, y): (i32, i32), side: Side) -> (i32, i32) {
        match side {
            Side::North => (x, y - 1),
            Side::East => (x + 1, y),
            Side::South => (x, y + 1),
            _ => (x - 1, y),
        }
    }

    fn all_links(&self) -> Vec<(Cell, Cell, Cost)> {
        self.links().collect()
    }
}

impl Walled for HexGrid {
    const SIDES: &'static [Side] =
        &[Side::NorthEast, Side::East, Side::SouthEast, Side::SouthWest, Side::West, Side::NorthWest];

    fn border_at(&self, (x, y): (i32, i32), side: Side) -> Border {
        self.border(HexCell::at(x as u16, y as u16), side).expect("hexes have this side")
    }

    fn beyond((x, y): (i32, i32), side: Side) -> (i32, i32) {
        // Odd rows lie half a cell further to the right.
        let odd = y.rem_euclid(2);
        match side {
            Side::NorthEast => (x + odd, y - 1),
            Side::East => (x + 1, y),
            Side::SouthEast => (x + odd, y + 1),
            Side::SouthWest => (x - 1 + odd, y + 1),
            Side::West => (x - 1, y),
            _ => (x - 1 + odd, y - 1),
        }
    }

    fn all_links(&self) -> Vec<(HexCell, HexCell, Cost)> {
        self.links().collect()
    }
}

/// Returns whether a border lets an agent out of the cell whose side it is.
fn lets_out(border: Border) -> bool {
    matches!(border, Border::Open | Border::Out)
}

/// Compares a view with its definition, place by place.
fn judge<S: Walled>(world: &World<S>, profile: &Profile, (width, height): (i32, i32)) {
    let view = world.view(profile).expect("a sound profile");
    let on_map = |(x, y): (i32, i32)| (0..width).contains(&x) && (0..height).contains(&y);
    let under = |at| S::covered(profile.body(), at);
    let passes = |at: (i32, i32), side| {
        under(at)
            .into_iter()
            .filter(|&cell| on_map(cell))
            .all(|cell| !on_map(S::beyond(cell, side)) || lets_out(world.border_at(cell, side)))
    };
    for at in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        let cells = under(at);
        let fits = cells.iter().all(|&cell| on_map(cell) && world.weight_at(S::at(cell.0, cell.1)) > 0);
        let is_across = || {
            cells.iter().any(|&cell| {
                let walls = S::SIDES.iter().filter(|&&side| world.border_at(cell, side) == Border::Closed);
                walls.into_iter().any(|&side| cells.contains(&S::beyond(cell, side)))
            })
        };
        let is_free = view.weight_at(S::at(at.0, at.1)) > 0;
        assert_eq!(is_free, fits && !is_across(), "{at:?} for {profile:?}");
        for &side in S::SIDES.iter().filter(|&&side| on_map(S::beyond(at, side))) {
            let opposite = side.opposite();
            let found = view.border_at(at, side);
            assert_eq!(lets_out(found), passes(at, side), "{side:?} of {at:?} for {profile:?}");
            let back = matches!(found, Border::Open | Border::In);
            assert_eq!(back, passes(S::beyond(at, side), opposite), "{side:?} of {at:?} for {profile:?}");
        }
    }
    assert_eq!(view.all_links(), world.all_links());
}

fn random_edit<S: Walled>(random: &mut Random, (width, height): (u16, u16)) -> Edit {
    let cell = |random: &mut Random| Cell::new(random.below(width.into()) as u16, random.below(height.into()) as u16);
    let side = S::SIDES[random.below(S::SIDES.len() as u64) as usize];
    let corner = cell(random);
    let length = |random: &mut Random, start: u16, end: u16| 1 + random.below(u64::from(end - start).min(4)) as u16;
    let size = (length(random, corner.x, width), length(random, corner.y, height));
    let area = Area { x: corner.x, y: corner.y, width: size.0, height: size.1 };
    let border = [Border::Open, Border::Closed, Border::Closed, Border::Out, Border::In][random.below(5) as usize];
    match random.below(8) {
        0..=3 => Edit::border(area, side, border),
        4 => Edit::border(corner, side, border),
        5 => Edit::new(area, Terrain::of_weight(random.below(3) as u8)),
        6 => Edit::link(corner, cell(random), Cost(1 + random.below(900) as u32), random.chance(50)),
        _ => Edit::unlink(corner, cell(random), true),
    }
}

fn views_keep_borders_and_links<S: Walled>(seed: u64) {
    let mut random = Random::new(seed);
    for round in 0..60 {
        let (width, height) = (1 + random.below(14) as u16, 1 + random.below(14) as u16);
        let rules = all_rules()[round % all_rules().len()];
        let shape = Shape { width: width.into(), height: height.into(), hexagon: false, rules };
        let cells = usize::from(width) * usize::from(height);
        let weights: Vec<u8> = (0..cells).map(|_| u8::from(!random.chance(8))).collect();
        let mut world: World<S> = World::from(S::of(&shape, &weights));
        let layer = world.add_layer().expect("memory for a layer");
        let mut profiles: Vec<Profile> = (0..3).map(|_| random_profile::<S>(&mut random, layer)).collect();
        // What forbids no kind sees walls alone.
        profiles.push(match S::body(&mut random) {
            Body::Square(size) => Profile::square(size).expect("a sound size"),
            Body::Round(radius) => Profile::round(radius).expect("a sound radius"),
        });
        for profile in &mut profiles {
            *profile = (0..4).fold(profile.clone(), |profile, kind| profile.with(kind, portolan::Footing::AsItIs));
        }
        for step in 0..12 {
            let edits: Vec<Edit> =
                (0..=random.below(4)).map(|_| random_edit::<S>(&mut random, (width, height))).collect();
            // A link from a cell to itself is refused; so is a batch with one.
            let _ = world.apply(&edits);
            for profile in &profiles[..=step / 3] {
                judge(&world, profile, (width.into(), height.into()));
                let fresh = world.snapshot();
                if profile.layers().is_empty() {
                    let fresh = fresh.seen_by(profile).expect("a sound profile");
                    judge_equal::<S>(world.view(profile).expect("sound"), &fresh, (width.into(), height.into()));
                }
            }
        }
    }
}

fn judge_equal<S: Walled>(view: &S, fresh: &S, (width, height): (i32, i32)) {
    for at in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
        assert_eq!(view.weight_at(S::at(at.0, at.1)), fresh.weight_at(S::at(at.0, at.1)), "{at:?}");
        for &side in S::SIDES {
            assert_eq!(view.border_at(at, side), fresh.border_at(at, side), "{side:?} of {at:?}");
        }
        for other in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))).step_by(7) {
            let [a, b] = [at, other].map(|(x, y)| S::at(x, y));
            assert_eq!(view.reaches(a, b), fresh.reaches(a, b), "{at:?} to {other:?}");
        }
    }
    assert_eq!((view.all_links(), view.extras()), (fresh.all_links(), fresh.extras()));
}

#[test]
fn views_of_squares_keep_borders_and_links() {
    views_keep_borders_and_links::<SquareGrid>(71);
}

#[test]
fn views_of_hexes_keep_borders_and_links() {
    views_keep_borders_and_links::<HexGrid>(72);
}
