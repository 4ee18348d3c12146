//! Crate `pathfinding`: its `astar` and `dijkstra_all`, functions that take closures, used as its documentation shows.
//!
//! Nodes are `(x, y)` pairs, successors come from an iterator that allocates nothing, and the map is a flat array of
//! weights. Costs are the integers of the world's metric, and the heuristic is the octile distance over the lightest
//! terrain, so that it solves exactly the problem that Portolan's A* solves.

use super::{Answer, Engine, Entrant, built, timed};
use pathfinding::prelude::{astar, dijkstra_all};
use portolan::{Cell, Corners, Cost, Metric, Snapshot};
use std::time::Duration;

type Position = (i32, i32);

const STEPS: [Position; 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];

pub(crate) struct Map {
    width: i32,
    height: i32,
    /// Row by row; 0 for a blocked cell.
    weights: Vec<u8>,
    least_weight: u32,
    metric: Metric,
    corners: Corners,
}

pub(super) fn entrant(world: &Snapshot) -> Entrant {
    let (map, build) = built(|| Map::new(world));
    Entrant {
        engine: "pathfinding",
        algorithm: "astar".to_owned(),
        rival: Some("a-star"),
        build,
        runner: Box::new(map),
    }
}

impl Map {
    pub(crate) fn new(world: &Snapshot) -> Map {
        let weights: Vec<u8> = world.cells().map(|cell| world.terrain(cell).weight()).collect();
        let least_weight = weights.iter().copied().filter(|&weight| weight > 0).min().unwrap_or(1);
        Map {
            width: world.width() as i32,
            height: world.height() as i32,
            weights,
            least_weight: u32::from(least_weight),
            metric: world.metric(),
            corners: world.rules().corners,
        }
    }

    /// Returns the weight of a cell; 0 if it is blocked or off the map.
    #[inline]
    fn weight(&self, (x, y): Position) -> u8 {
        let inside = (0..self.width).contains(&x) && (0..self.height).contains(&y);
        if inside { self.weights[(y * self.width + x) as usize] } else { 0 }
    }

    #[inline]
    fn successors(&self, (x, y): Position) -> impl Iterator<Item = (Position, u32)> + '_ {
        let here = self.weight((x, y));
        STEPS.iter().filter_map(move |&(dx, dy)| {
            let next = (x + dx, y + dy);
            let there = self.weight(next);
            let diagonal = dx != 0 && dy != 0;
            if there == 0 || diagonal && !self.may_pass(self.weight((x + dx, y)), self.weight((x, y + dy))) {
                return None;
            }
            let base = if diagonal { self.metric.diagonal() } else { self.metric.straight() };
            Some((next, base * (u32::from(here) + u32::from(there)) / 2))
        })
    }

    #[inline]
    fn may_pass(&self, one: u8, other: u8) -> bool {
        match self.corners {
            Corners::Strict => one != 0 && other != 0,
            Corners::NoSqueeze => one != 0 || other != 0,
            Corners::Loose => true,
        }
    }

    #[inline]
    fn octile(&self, a: Position, b: Position) -> u32 {
        let (dx, dy) = (a.0.abs_diff(b.0), a.1.abs_diff(b.1));
        let (short, long) = (dx.min(dy), dx.max(dy));
        (self.metric.straight() * (long - short) + self.metric.diagonal() * short) * self.least_weight
    }
}

impl Map {
    /// Finds the cost from one cell to every other, and returns how long that took with the cells that have a cost, the first
    /// left out. Steps cost as much there as back.
    pub(crate) fn costs_from(&self, cell: Cell) -> (Duration, impl Iterator<Item = (Cell, Cost)> + use<>) {
        let start = (i32::from(cell.x), i32::from(cell.y));
        let (found, took) = timed(|| dijkstra_all(&start, |&at| self.successors(at)));
        (took, found.into_iter().map(|((x, y), (_, cost))| (Cell::new(x as u16, y as u16), Cost(cost))))
    }
}

impl Engine for Map {
    fn answer(&mut self, from: Cell, to: Cell) -> Answer {
        let position = |cell: Cell| (i32::from(cell.x), i32::from(cell.y));
        let (start, goal) = (position(from), position(to));
        let (found, took) =
            timed(|| astar(&start, |&at| self.successors(at), |&at| self.octile(at, goal), |&at| at == goal));
        let cells = found.map(|(route, _)| route.iter().map(|&(x, y)| Cell::new(x as u16, y as u16)).collect());
        Answer { took, cells }
    }
}
