//! Routes as points: each sees the next by the same whole-number walk that agents use, so that an agent that goes straight from
//! point to point is never stopped.
//!
//! Not here: planning routes, and walking along them.

use super::ground::{FlatGround, FlatPlace};
use super::polygons::FlatPolygons;
use super::rules::Rules;
use super::squares::FlatSquares;
use super::whole::{Vector, along, minus, plus};
use std::collections::BTreeMap;

/// How many cells two points of a route on squares are apart at most: agents that were pushed aside must still see them.
const MOST_CELLS: i32 = 10;

/// The most polygons that are looked at where a corner cannot be seen.
const MOST_LOOKED_AT: usize = 4096;

/// Returns the points of a route after its beginning, or `None` if there is no way along them. Where it turns at a corner of the
/// ground, the point lies a margin outside the turn.
pub(super) fn points_of(ground: &FlatGround, rules: &Rules, route: &[FlatPlace]) -> Option<Vec<[i32; 3]>> {
    let mut points = Vec::new();
    let (&first, rest) = route.split_first()?;
    match ground {
        FlatGround::Squares(squares) => points = taut(ground, rules, first.at, &on_squares(squares, route)?),
        FlatGround::Polygons(polygons) => {
            let mut laying = Laying { ground, rules, polygons, here: first, points: &mut points };
            for (number, &corner) in rest.iter().enumerate() {
                laying.pass(corner, rest.get(number + 1))?;
            }
        }
    }
    if points.is_empty() {
        points.push(rules.point(ground, first));
    }
    Some(points)
}

/// Returns the points at which a route turns, and some between that are not too far apart.
fn on_squares(squares: &FlatSquares, route: &[FlatPlace]) -> Option<Vec<[i32; 3]>> {
    let most = MOST_CELLS << FlatSquares::BITS;
    let (mut points, mut last) = (Vec::new(), route[0].at);
    for (number, &FlatPlace { at, .. }) in route.iter().enumerate().skip(1) {
        let off = minus(at, last);
        let cuts = off[0].abs().max(off[1].abs()) / (most + 1) + 1;
        // Points that are farther apart are those of a route that leads in any direction.
        for cut in 1..cuts {
            let share = |axis: usize| last[axis] + (i64::from(off[axis]) * i64::from(cut) / i64::from(cuts)) as i32;
            points.push([share(0), share(1), 0]);
        }
        let goes_on = route.get(number + 1).is_some_and(|next| {
            let (before, after) = (minus(at, route[number - 1].at), minus(next.at, at));
            let far = minus(next.at, last);
            before == after && far[0].abs().max(far[1].abs()) <= most
        });
        if !goes_on {
            points.push([at[0], at[1], 0]);
            last = at;
        }
    }
    let mut last = route[0].at;
    let is_free = points.iter().all(|&[x, y, _]| squares.sees(std::mem::replace(&mut last, [x, y]), [x, y]));
    is_free.then_some(points)
}

/// Leaves out points where there is room for a body on the straight way from the point before to the point after.
fn taut(ground: &FlatGround, rules: &Rules, first: Vector, points: &[[i32; 3]]) -> Vec<[i32; 3]> {
    let most = MOST_CELLS << FlatSquares::BITS;
    let (mut kept, mut last) = (Vec::new(), first);
    for (number, &point) in points.iter().enumerate() {
        let is_needless = points.get(number + 1).is_some_and(|&[x, y, _]| {
            let (here, off) = (FlatPlace { at: last, polygon: 0 }, minus([x, y], last));
            let is_near = off[0].abs().max(off[1].abs()) <= most;
            is_near && ground.walk(here, [x, y]).is_some() && ground.is_wide(here, [x, y], rules.slim())
        });
        if !is_needless {
            kept.push(point);
            last = [point[0], point[1]];
        }
    }
    kept
}

/// A route over polygons while its points are laid.
struct Laying<'a> {
    ground: &'a FlatGround,
    rules: &'a Rules,
    polygons: &'a FlatPolygons,
    /// The last point, or the beginning of the route.
    here: FlatPlace,
    points: &'a mut Vec<[i32; 3]>,
}

impl Laying<'_> {
    /// Lays the point for a corner of a route. If none can be seen, lays points on the way to the polygon of the corner, which lie
    /// just behind the middles of the portals there.
    fn pass(&mut self, corner: FlatPlace, after: Option<&FlatPlace>) -> Option<()> {
        let Some(after) = after else {
            self.lay(&[corner], true).or_else(|| {
                self.cross_portals(corner.polygon)?;
                self.lay(&[corner], true)
            })?;
            return Some(());
        };
        if self.here.at == corner.at {
            return Some(());
        }
        let before = along(minus(corner.at, self.here.at), UNIT);
        let outward = minus(before, along(minus(after.at, corner.at), UNIT));
        let margin = self.rules.margin.min(MOST_MARGIN);
        // The point must lie on the ground around the corner.
        let beside = |part: i32| self.ground.walk(corner, plus(corner.at, along(outward, margin / part)));
        let wanted: Vec<FlatPlace> = [1, 2, 4, 16].into_iter().filter_map(beside).chain([corner]).collect();
        if self.lay(&wanted, false).is_none() {
            self.cross_portals(corner.polygon)?;
            // From inside the polygon of the corner, the route goes on without it if need be.
            let _ = self.lay(&wanted, false);
        }
        Some(())
    }

    /// Lays points on the way to a polygon, one behind each portal.
    fn cross_portals(&mut self, polygon: u32) -> Option<()> {
        for portal in portals_between(self.polygons, self.here.polygon, polygon)? {
            let [ax, ay, bx, by] = self.polygons.edges[portal];
            let middle = [(ax + bx) >> 1, (ay + by) >> 1];
            let behind = |far: i32| FlatPlace {
                at: plus(middle, along([by - ay, ax - bx], far)),
                polygon: self.polygons.beyond[portal],
            };
            let places: Vec<FlatPlace> = [256, 64, 16, 4, 2].into_iter().map(behind).collect();
            self.lay(&places, false)?;
        }
        Some(())
    }

    /// Lays the first of some places that is seen from the last one. Only a goal may lie on the edge of its polygon: agents come
    /// to all other points on the polygon from which the next was seen.
    fn lay(&mut self, wanted: &[FlatPlace], is_goal: bool) -> Option<()> {
        let (point, seen) = wanted.iter().find_map(|&place| {
            if !is_goal && !self.polygons.holds(place.polygon, place.at) {
                return None;
            }
            let point = self.rules.point(self.ground, place);
            Some((point, self.rules.seen(self.ground, self.here, point)?))
        })?;
        self.points.push(point);
        self.here = seen;
        Some(())
    }
}

/// The farthest that a point lies outside a turn, in steps.
const MOST_MARGIN: i32 = 1 << 15;

/// The length of a vector that stands for a direction.
const UNIT: i32 = 4096;

/// Returns edges that lead from one polygon to another over as few polygons as possible.
fn portals_between(polygons: &FlatPolygons, from: u32, to: u32) -> Option<Vec<usize>> {
    let mut entered_by = BTreeMap::from([(from, (from, 0))]);
    let mut queue = std::collections::VecDeque::from([from]);
    while let Some(polygon) = queue.pop_front() {
        if polygon == to {
            break;
        }
        for edge in polygons.edges_of(polygon) {
            let beyond = polygons.beyond[edge];
            if beyond != FlatPolygons::WALL && !entered_by.contains_key(&beyond) && entered_by.len() < MOST_LOOKED_AT {
                entered_by.insert(beyond, (polygon, edge));
                queue.push_back(beyond);
            }
        }
    }
    let (mut portals, mut polygon) = (Vec::new(), to);
    while polygon != from {
        let &(before, edge) = entered_by.get(&polygon)?;
        portals.push(edge);
        polygon = before;
    }
    portals.reverse();
    Some(portals)
}
