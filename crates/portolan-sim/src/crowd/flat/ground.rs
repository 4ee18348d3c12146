//! The ground of a crowd in flat arrays ([`FlatGround`]): straight walks over it, sliding along its walls, and keeping a body
//! off them, in whole numbers.
//!
//! Not here: how squares and polygons are laid out (`squares.rs`, `polygons.rs`), and agents.

use super::polygons::FlatPolygons;
use super::squares::FlatSquares;
use super::whole::{Vector, along, dot, minus, plus};

/// A place on the ground in steps: on squares a cell is [`FlatSquares::CELL`] steps wide, on meshes steps are those of the
/// mesh.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct FlatPlace {
    /// Across and down.
    pub at: [i32; 2],
    /// The polygon of a mesh; 0 on squares.
    pub polygon: u32,
}

/// The ground of a crowd in flat arrays.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FlatGround {
    /// Squares, whose walls a body keeps off.
    Squares(FlatSquares),
    /// Convex polygons, made for bodies of the crowd's size.
    Polygons(FlatPolygons),
}

impl FlatGround {
    /// Returns where a straight walk ends, or `None` if there is no free ground on the way or the way is too long to be looked
    /// at.
    pub fn walk(&self, from: FlatPlace, to: [i32; 2]) -> Option<FlatPlace> {
        match self {
            FlatGround::Squares(squares) => squares.sees(from.at, to).then_some(FlatPlace { at: to, polygon: 0 }),
            FlatGround::Polygons(polygons) => polygons.walk(from, to).ok().map(|polygon| FlatPlace { at: to, polygon }),
        }
    }

    /// Returns whether a body of this radius in steps has room on both sides of a straight walk, which is free itself.
    pub(super) fn is_wide(&self, from: FlatPlace, to: Vector, radius: i32) -> bool {
        if radius == 0 {
            return true;
        }
        let [x, y] = along(minus(to, from.at), radius);
        [[-y, x], [y, -x]].into_iter().all(|aside| {
            let beside = self.walk(from, plus(from.at, aside));
            beside.is_some_and(|beside| self.walk(beside, plus(to, aside)).is_some())
        })
    }

    /// Returns whether there is free ground under a place.
    pub fn is_free(&self, place: FlatPlace) -> bool {
        match self {
            FlatGround::Squares(squares) => squares.is_free(place.at),
            FlatGround::Polygons(polygons) => polygons.covers(place.polygon, place.at),
        }
    }

    /// Returns a place on free ground that is at most a few steps away from a place that a world takes for one on free ground.
    pub(super) fn settled(&self, place: FlatPlace) -> FlatPlace {
        match self {
            FlatGround::Squares(_) => place,
            FlatGround::Polygons(polygons) => polygons.settled(place),
        }
    }

    /// Returns how high the ground is at a place, in steps.
    pub fn height(&self, place: FlatPlace) -> i32 {
        match self {
            FlatGround::Squares(_) => 0,
            FlatGround::Polygons(polygons) => polygons.height(place),
        }
    }

    /// Returns where a body comes to that moves by so many units of `1 << shift` steps: if there is a wall, along it.
    pub(super) fn slide(&self, from: FlatPlace, step: Vector, shift: u32) -> FlatPlace {
        let target = |step: Vector| plus(from.at, step.map(|at| at << shift));
        match self {
            FlatGround::Squares(squares) => {
                for step in [step, [step[0], 0], [0, step[1]]] {
                    if squares.sees(from.at, target(step)) {
                        return FlatPlace { at: target(step), polygon: 0 };
                    }
                }
                from
            }
            FlatGround::Polygons(polygons) => {
                let wall = match polygons.walk(from, target(step)) {
                    Ok(polygon) => return FlatPlace { at: target(step), polygon },
                    Err(wall) => wall,
                };
                let Some(side) = wall.map(|wall| along(polygons.side(wall), SIDE)) else { return from };
                let share = dot(step, side) / SIDE;
                let beside = side.map(|at| at * share / SIDE);
                let inward = along([-side[1], side[0]], INWARD);
                for step in [beside, plus(beside, inward)] {
                    if let Ok(polygon) = polygons.walk(from, target(step)) {
                        return FlatPlace { at: target(step), polygon };
                    }
                }
                from
            }
        }
    }

    /// Returns a place a little farther off the walls, if a body of this radius in steps that stands there reaches into one.
    /// No coordinate changes by more than `most`.
    pub(super) fn keep_off(&self, place: FlatPlace, radius: i32, most: i32) -> FlatPlace {
        match self {
            FlatGround::Squares(squares) => FlatPlace { at: squares.keep_off(place.at, radius, most), polygon: 0 },
            FlatGround::Polygons(_) => place,
        }
    }
}

/// The length of the vector along a wall.
const SIDE: i32 = 4096;

/// How far off a wall a body moves that slides along it and would otherwise be stopped by rounding.
const INWARD: i32 = 2;
