//! Crate `grid_pathfinding`: its jump point search, set up as in the example of its README, with a grid of eight
//! neighbours and the default settings, obstacles set cell by cell, and components generated before the first query. By
//! default improved pruning is on. The variant has it off, which is faster on some maps.
//!
//! It has no setting for corners: a diagonal step needs nothing of the cells beside it, as under Portolan's `loose`. On
//! a strict world its routes therefore cut corners, count as invalid, and can be shorter than the optimum; under
//! `--corners loose` Portolan's routes cut corners, too. `get_path_single_goal` returns every cell.

use super::{Answer, Engine, Entrant, Setting, built, timed};
use grid_pathfinding::PathingGrid;
use grid_util::grid::ValueGrid;
use grid_util::point::Point;
use portolan::{Cell, Snapshot};

struct Jps(PathingGrid);

pub(super) const SETTINGS: &[Setting] = &[
    (true, |world| entrant(world, "jps", true)),
    (false, |world| entrant(world, "jps improved_pruning=false", false)),
];

fn entrant(world: &Snapshot, algorithm: &str, improved_pruning: bool) -> Entrant {
    let (grid, build) = built(|| {
        let mut grid = PathingGrid::new(world.width(), world.height(), false);
        grid.improved_pruning = improved_pruning;
        for cell in world.cells().filter(|&cell| !world.is_free(cell)) {
            grid.set(i32::from(cell.x), i32::from(cell.y), true);
        }
        grid.generate_components();
        grid
    });
    Entrant {
        engine: "grid_pathfinding",
        algorithm: algorithm.to_owned(),
        rival: Some("jump-point"),
        build,
        runner: Box::new(Jps(grid)),
    }
}

impl Engine for Jps {
    fn answer(&mut self, from: Cell, to: Cell) -> Answer {
        let point = |cell: Cell| Point::new(i32::from(cell.x), i32::from(cell.y));
        let (start, goal) = (point(from), point(to));
        let (found, took) = timed(|| self.0.get_path_single_goal(start, goal, false));
        let cells = found.map(|route| route.iter().map(|at| Cell::new(at.x as u16, at.y as u16)).collect());
        Answer { took, cells }
    }
}
