//! Figure 7 of DHPA* 2010, its measure for changing worlds: obstacles move, charts are repaired and then searched a
//! number of times, and the time of repairs and searches counts together.

use super::chart;
use crate::progress::{Cancelled, Steps};
use crate::queries::{self, Trial};
use crate::study::field::{answers, times};
use crate::study::maps::Course;
use portolan::generate::Random;
use portolan::{Area, Cell, Edit, Planner, SquareGrid, Terrain, World};
use serde::Serialize;
use std::time::Instant;

/// How often all obstacles of a map move.
const MOVES: usize = 10;
/// Searches after a move: 10, 20 and so on up to `SEARCHES`.
const SEARCHES: usize = 100;
const STEP: usize = 10;
/// Cells along an obstacle's side.
const OBSTACLE: u16 = 2;
/// Percent of the free cells that obstacles cover.
const OCCUPIED: usize = 2;
/// Repairs of a chart and runs of a query; the fastest counts.
const REPEAT: usize = 5;
/// The number of searches after a move whose routes are also checked.
const CHECKED: usize = 10;

/// The findings. Pairs are HPA* and DHPA*.
#[derive(Clone, Debug, Serialize)]
pub struct Dynamic {
    /// Moves of all obstacles, on all maps together.
    pub moves: usize,
    /// The number of obstacles moved, in all moves together.
    pub obstacles: usize,
    /// The number of checked searches without a legal route.
    pub unanswered: usize,
    /// The number of checked searches in which the costs of DHPA* and HPA* differ.
    pub differ: usize,
    /// One row for each number of searches after a move.
    pub rows: Vec<DynamicRow>,
    /// The number of searches after a move from which on DHPA* takes less time than HPA*, if there is one.
    pub crossover_times: Option<f64>,
}

/// The times for one number of searches after every move.
#[derive(Clone, Debug, Serialize)]
pub struct DynamicRow {
    /// The number of searches after each move.
    pub searches: usize,
    /// Milliseconds to repair the charts, in all moves together.
    pub build_ms: [f64; 2],
    /// Milliseconds to search the charts, in all moves together.
    pub search_ms: [f64; 2],
}

impl DynamicRow {
    /// Returns the milliseconds of repairs and searches together.
    pub(super) fn total_ms(&self) -> [f64; 2] {
        [0, 1].map(|entrant| self.build_ms[entrant] + self.search_ms[entrant])
    }
}

/// The measurements of all moves, summed up map by map.
#[derive(Default)]
pub(super) struct Sum {
    moves: usize,
    obstacles: usize,
    unanswered: usize,
    differ: usize,
    build_ms: [f64; 2],
    /// For every ten searches of a move: the first ten, the second ten and so on.
    search_ms: [[f64; 2]; SEARCHES / STEP],
}

impl Sum {
    pub(super) fn add(&mut self, course: &Course, steps: &mut Steps) -> Result<(), Cancelled> {
        let base: &SquareGrid = &course.world;
        let mut random = Random::new(course.seed ^ 0x0b57_ac1e);
        let mut places = scatter(base, &mut random);
        let mut world = World::from(base.clone());
        world.apply(&block(&places)).expect("obstacles lie on the map");
        let build = |name: &str| chart(&world, name, 10, &[]);
        // Each repair is repeated on another copy of the planner, because a planner can be repaired only once for a
        // move.
        let mut planners: Vec<[Planner; 2]> = (0..REPEAT).map(|_| ["hpa-star", "dhpa-star"].map(build)).collect();
        for number in 0..MOVES as u64 {
            let next = scatter(base, &mut random);
            let edits = [clear(base, &places), block(&next)].concat();
            world.apply(&edits).expect("obstacles lie on the map");
            places = next;
            let mut least = [f64::MAX; 2];
            for pair in &mut planners {
                for (least, planner) in least.iter_mut().zip(pair) {
                    let begun = Instant::now();
                    planner.repair(&world, &edits).expect("all edits are told");
                    let time = begun.elapsed();
                    *least = least.min(time.as_secs_f64() * 1e3);
                    steps.spent(time)?;
                }
            }
            // If the obstacles leave no two connected cells, there is nothing to search.
            let Ok(trials) =
                queries::random(&world.snapshot().into(), SEARCHES, course.seed.wrapping_add(number << 32))
            else {
                continue;
            };
            self.moves += 1;
            self.obstacles += places.len();
            self.build_ms = [self.build_ms[0] + least[0], self.build_ms[1] + least[1]];
            self.search(&world, &trials, &planners[0], steps)?;
        }
        Ok(())
    }

    fn search(
        &mut self,
        world: &World,
        trials: &[Trial],
        [hpa, dhpa]: &[Planner; 2],
        steps: &mut Steps,
    ) -> Result<(), Cancelled> {
        let micros = times(world, trials, &[hpa, dhpa], REPEAT, steps)?;
        for (block, sums) in self.search_ms.iter_mut().enumerate() {
            for (sum, micros) in sums.iter_mut().zip(&micros) {
                *sum += micros[block * STEP..(block + 1) * STEP].iter().sum::<f64>() / 1e3;
            }
        }
        let hpa = answers(world, &trials[..CHECKED], hpa, steps)?;
        let dhpa = answers(world, &trials[..CHECKED], dhpa, steps)?;
        for (hpa, dhpa) in hpa.iter().zip(dhpa) {
            self.unanswered += usize::from(hpa.route.is_none() || dhpa.route.is_none());
            self.differ += usize::from(hpa.cost() != dhpa.cost());
        }
        Ok(())
    }

    pub(super) fn dynamic(&self) -> Dynamic {
        let mut search_ms = [0.0; 2];
        let row = |(block, more): (usize, &[f64; 2])| {
            search_ms = [search_ms[0] + more[0], search_ms[1] + more[1]];
            DynamicRow { searches: (block + 1) * STEP, build_ms: self.build_ms, search_ms }
        };
        let rows: Vec<DynamicRow> = self.search_ms.iter().enumerate().map(row).collect();
        let totals: Vec<(f64, [f64; 2])> = rows.iter().map(|row| (row.searches as f64, row.total_ms())).collect();
        Dynamic {
            moves: self.moves,
            obstacles: self.obstacles,
            unanswered: self.unanswered,
            differ: self.differ,
            rows,
            crossover_times: crossover(&totals),
        }
    }
}

/// Returns where the second of two rising lines falls below the first: between two points, or before the first point by
/// extending the line through the first two. Returns 0 if the second line is below the first from the start.
fn crossover(points: &[(f64, [f64; 2])]) -> Option<f64> {
    let lead = |(_, [first, second]): (f64, [f64; 2])| first - second;
    let ahead = points.iter().position(|&point| lead(point) >= 0.0)?;
    let (before, after) = match (ahead, points) {
        (0, [first, second, ..]) => (*first, *second),
        (0, _) => return Some(points[0].0),
        (ahead, _) => (points[ahead - 1], points[ahead]),
    };
    let gain = (lead(after) - lead(before)) / (after.0 - before.0);
    if gain <= 0.0 {
        return Some(0.0);
    }
    Some((before.0 - lead(before) / gain).max(0.0))
}

/// Draws places for obstacles on free ground that do not overlap.
fn scatter(base: &SquareGrid, random: &mut Random) -> Vec<Area> {
    const PATIENCE: usize = 1_000;
    let side = usize::from(OBSTACLE);
    let count = (base.free_cells() * OCCUPIED).div_ceil(100 * side * side);
    let mut taken = vec![false; base.width() * base.height()];
    let mut places = Vec::new();
    if base.width() < side || base.height() < side {
        return places;
    }
    for _ in 0..PATIENCE * count {
        let x = random.between(0, base.width() - side) as u16;
        let y = random.between(0, base.height() - side) as u16;
        let cells = || (y..y + OBSTACLE).flat_map(|y| (x..x + OBSTACLE).map(move |x| Cell { x, y }));
        let index = |cell: Cell| usize::from(cell.y) * base.width() + usize::from(cell.x);
        // All cells of an obstacle must have one terrain, so that a single edit restores it.
        let ground = base.terrain(Cell { x, y });
        if ground.is_free() && cells().all(|cell| base.terrain(cell) == ground && !taken[index(cell)]) {
            cells().for_each(|cell| taken[index(cell)] = true);
            places.push(Area { x, y, width: OBSTACLE, height: OBSTACLE });
            if places.len() == count {
                break;
            }
        }
    }
    places
}

fn block(places: &[Area]) -> Vec<Edit> {
    places.iter().map(|&area| Edit::new(area, Terrain::BLOCKED)).collect()
}

fn clear(base: &SquareGrid, places: &[Area]) -> Vec<Edit> {
    places.iter().map(|&area| Edit::new(area, base.terrain(Cell { x: area.x, y: area.y }))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::study::rules;

    #[test]
    fn the_lines_cross_where_they_should() {
        // Building costs 10 and 40, a search 5 and 3: the totals are equal after 15 searches.
        let at = |x: f64| (x, [10.0 + 5.0 * x, 40.0 + 3.0 * x]);
        let near = |found: Option<f64>, expected: f64| found.is_some_and(|found| (found - expected).abs() < 1e-9);
        assert!(near(crossover(&[at(10.0), at(20.0), at(30.0)]), 15.0));
        assert!(near(crossover(&[at(20.0), at(30.0)]), 15.0), "gone on from the first two");
        assert_eq!(crossover(&[at(5.0), at(10.0)]), None);
        let always = |x: f64| (x, [2.0 * x + 3.0, x]);
        assert_eq!(crossover(&[always(10.0), always(20.0)]), Some(0.0));
        assert_eq!(crossover(&[]), None);
    }

    #[test]
    fn obstacles_cover_what_they_should_and_leave_no_trace() {
        let base = SquareGrid::open(40, 30, rules()).unwrap();
        let mut random = Random::new(1);
        let places = scatter(&base, &mut random);
        assert_eq!(places.len(), 6, "2 % of 1,200 cells in fours");
        let mut world = World::from(base.clone());
        world.apply(&block(&places)).unwrap();
        assert_eq!(world.free_cells(), 1200 - 24);
        world.apply(&clear(&base, &places)).unwrap();
        assert_eq!(world.free_cells(), 1200);
        assert!(scatter(&SquareGrid::open(1, 9, rules()).unwrap(), &mut random).is_empty());
    }
}
