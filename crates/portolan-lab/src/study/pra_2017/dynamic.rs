//! Section 4.4 of the thesis: a wall appears across a route, or a corridor opens that makes the route shorter. Here the
//! hierarchy is repaired; the thesis builds the layers above the cells anew.

use super::builds::median;
use super::pra_star;
use crate::progress::{Cancelled, Steps};
use crate::queries::Trial;
use crate::study::field::Answer;
use crate::study::maps::Course;
use portolan::{Area, Cell, Edit, Outcome, Planner, Route, Scratch, SquareGrid, Terrain, World};
use serde::Serialize;
use std::time::Instant;

/// The number of rows of a wall, and the greatest number of cells of a corridor.
const WALL: u16 = 50;
/// The number of places along a route that are tried for a wall.
const PLACES: usize = 32;
/// Repairs and builds, made in turns; the medians count.
const REPEAT: usize = 9;

/// The two ways in which a map changes.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// A wall appears.
    Wall,
    /// A corridor opens.
    Corridor,
}

/// One change of a map, and how PRA* follows it.
#[derive(Clone, Debug, Serialize)]
pub struct ChangeRow {
    /// The name of the map.
    pub map: String,
    /// The kind of change.
    pub change: Change,
    /// Cells of the wall or corridor.
    pub cells: usize,
    /// The number of these cells that the change blocked or freed.
    pub changed: usize,
    /// The number of blocks of 2 × 2 cells that the repair computed again.
    pub blocks: usize,
    /// Length of the route of PRA* before the change.
    pub before: f64,
    /// Length of the route of PRA* after the change.
    pub after: f64,
    /// Microseconds to repair the hierarchy.
    pub repair_us: f64,
    /// Milliseconds to build it anew.
    pub rebuild_ms: f64,
    /// Microseconds to search for the route after the change.
    pub search_us: f64,
    /// The number of queries that the repaired planner and a planner built anew both answered.
    pub checked: usize,
    /// The number of these queries whose two routes differ, or whose route from the repaired planner is not legal.
    pub differ: usize,
}

impl ChangeRow {
    /// Returns how many times as fast as building anew the repair is.
    pub(super) fn times(&self) -> f64 {
        self.rebuild_ms * 1e3 / self.repair_us
    }
}

/// Makes both changes of a map, if there are places for them: a wall across a route that PRA* found for a trial of the
/// course, and a corridor through an obstacle that a shortest route goes around.
pub(super) fn changes(
    course: &Course,
    ways: &[Answer],
    optima: &[Answer],
    steps: &mut Steps,
) -> Result<Vec<ChangeRow>, Cancelled> {
    let grid: &SquareGrid = &course.world;
    let mut rows = Vec::new();
    for (change, found) in [(Change::Wall, ways), (Change::Corridor, optima)] {
        let routes = course.trials.iter().zip(found);
        let mut routes: Vec<(Trial, &Route)> =
            routes.filter_map(|(trial, answer)| Some((*trial, answer.route.as_ref()?))).collect();
        // The longest route for which a place is found is taken.
        routes.sort_by_key(|(_, route)| std::cmp::Reverse(route.cost()));
        let place = |&(trial, route): &(Trial, &Route)| {
            let area = match change {
                Change::Wall => wall(grid, route),
                Change::Corridor => corridor(grid, route),
            };
            area.map(|area| (trial, area))
        };
        if let Some((trial, area)) = routes.iter().find_map(place) {
            let case = Case { course, change, trial, area };
            rows.push(case.play(steps)?);
        }
    }
    Ok(rows)
}

/// A change to be made: where, and across which trial's route.
struct Case<'a> {
    course: &'a Course,
    change: Change,
    trial: Trial,
    area: Area,
}

impl Case<'_> {
    fn play(&self, steps: &mut Steps) -> Result<ChangeRow, Cancelled> {
        let grid: &SquareGrid = &self.course.world;
        let terrain = if self.change == Change::Wall { Terrain::BLOCKED } else { ground(grid) };
        let edits = [Edit::new(self.area, terrain)];
        let mut world = World::from(grid.clone());
        let planner = pra_star(&world, &[]);
        let mut scratch = Scratch::new();
        let length = |outcome: &Outcome, world: &World| outcome.route().map_or(0.0, |route| route.length(world));
        let before = length(&answer(&planner, &world, &self.trial, &mut scratch), &world);
        world.apply(&edits).expect("changes lie on the map");
        let (mut repairs, mut builds, mut searches) = (Vec::new(), Vec::new(), Vec::new());
        let (mut repaired, mut fresh) = (planner.clone(), pra_star(&world, &[]));
        let (mut blocks, mut after) = (0, 0.0);
        for _ in 0..REPEAT {
            repaired = planner.clone();
            let begun = Instant::now();
            let repair = repaired.repair(&world, &edits).expect("all edits are told");
            repairs.push(begun.elapsed().as_secs_f64() * 1e6);
            blocks = repair.clusters;
            let begun = Instant::now();
            fresh = pra_star(&world, &[]);
            builds.push(begun.elapsed().as_secs_f64() * 1e3);
            let begun = Instant::now();
            let outcome = answer(&repaired, &world, &self.trial, &mut scratch);
            searches.push(begun.elapsed().as_secs_f64() * 1e6);
            after = length(&outcome, &world);
            steps.still()?;
        }
        let stands = |trial: &&Trial| world.is_free(trial.from);
        let trials: Vec<&Trial> = self.course.trials.iter().filter(stands).collect();
        let mut differ = 0;
        for trial in &trials {
            let [ours, theirs] = [&repaired, &fresh].map(|planner| answer(planner, &world, trial, &mut scratch));
            let legal = ours.route().is_none_or(|route| route.check(&world).is_ok());
            differ += usize::from(!legal || ours.route().map(Route::cells) != theirs.route().map(Route::cells));
            steps.still()?;
        }
        let cells = cells(self.area).count();
        Ok(ChangeRow {
            map: self.course.name.clone(),
            change: self.change,
            cells,
            changed: world.free_cells().abs_diff(grid.free_cells()),
            blocks,
            before,
            after,
            repair_us: median(repairs),
            rebuild_ms: median(builds),
            search_us: median(searches),
            checked: trials.len(),
            differ,
        })
    }
}

fn answer(planner: &Planner, world: &World, trial: &Trial, scratch: &mut Scratch) -> Outcome {
    planner.find(world, trial.query(None), scratch).expect("only trials that start on free cells are asked")
}

/// Returns the terrain of corridors: that of the free cells if all of them have one weight, otherwise ground of weight
/// 1.
fn ground(grid: &SquareGrid) -> Terrain {
    grid.uniform_weight().map_or(Terrain::GROUND, Terrain::of_weight)
}

fn cells(area: Area) -> impl Iterator<Item = Cell> {
    let Area { x, y, width, height } = area;
    (y..y + height).flat_map(move |y| (x..x + width).map(move |x| Cell { x, y }))
}

/// Returns a wall of fifty rows across the middle half of a route that covers as much ground as possible and leaves a
/// way around it.
fn wall(grid: &SquareGrid, route: &Route) -> Option<Area> {
    let (first, last) = (*route.cells().first()?, *route.cells().last()?);
    let height = WALL.min(grid.height() as u16);
    let count = route.cells().len();
    let at = |place: usize| {
        let Cell { x, y } = route.cells()[count / 4 + place * count / (2 * PLACES)];
        let y = y.saturating_sub(height / 2).min(grid.height() as u16 - height);
        Area { x, y, width: 1, height }
    };
    let mut places: Vec<Area> = (0..PLACES).map(at).collect();
    places.sort_by_key(|&area| std::cmp::Reverse(cells(area).filter(|&cell| grid.is_free(cell)).count()));
    places.dedup();
    places.into_iter().find(|&area| {
        let mut world = World::from(grid.clone());
        let risen = world.apply(&[Edit::new(area, Terrain::BLOCKED)]).is_ok();
        risen && world.is_free(first) && world.is_free(last) && world.connected(first, last)
    })
}

/// Returns the straight corridor of at most fifty cells between two cells of a shortest route that makes the route
/// shorter by most. Some cells between the two are blocked or heavier ground, otherwise the shortest route would go
/// that way.
fn corridor(grid: &SquareGrid, route: &Route) -> Option<Area> {
    let cells = route.cells();
    let mut costs = vec![0];
    for pair in cells.windows(2) {
        costs.push(costs[costs.len() - 1] + grid.step_cost(pair[0], pair[1])?.0);
    }
    let straight = grid.metric().straight() * u32::from(ground(grid).weight());
    let mut best = (0, None);
    for (i, &from) in cells.iter().enumerate() {
        for (j, &to) in cells.iter().enumerate().skip(i + 2) {
            let (dx, dy) = (from.x.abs_diff(to.x), from.y.abs_diff(to.y));
            if (dx > 0 && dy > 0) || dx + dy < 2 || dx + dy - 1 > WALL {
                continue;
            }
            let saved = (costs[j] - costs[i]).saturating_sub(straight * u32::from(dx + dy));
            if saved > best.0 {
                let along =
                    |from: u16, to: u16| if from == to { (from, 1) } else { (from.min(to) + 1, from.abs_diff(to) - 1) };
                let ((x, width), (y, height)) = (along(from.x, to.x), along(from.y, to.y));
                best = (saved, Some(Area { x, y, width, height }));
            }
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::super::thesis::rules;
    use super::*;
    use crate::study::field::planner;
    use portolan::{Query, Snapshot};

    /// Returns a world of two halls with a wall between them that is open at the bottom, and a route from one hall to
    /// the other.
    fn halls() -> (Snapshot, Route) {
        let weights: Vec<u8> =
            (0..120 * 100).map(|i| u8::from(!(58..62).contains(&(i % 120)) || i / 120 > 90)).collect();
        let world = Snapshot::from(SquareGrid::from_weights(120, 100, &weights, rules()).unwrap());
        let exact = planner(&world, "a-star", &[]);
        let outcome = exact.find(&world, Query::new(Cell::new(5, 40), Cell::new(110, 40)), &mut Scratch::new());
        let route = outcome.unwrap().route().cloned().unwrap();
        (world, route)
    }

    #[test]
    fn a_corridor_leads_through_the_wall_and_shortens_the_way() {
        let (world, route) = halls();
        let area = corridor(&world, &route).unwrap();
        assert_eq!(area.height, 1);
        assert!(area.x <= 58 && area.x + area.width >= 62 && area.width <= WALL, "{area:?}");
        let open = Snapshot::from(SquareGrid::open(30, 30, rules()).unwrap());
        let cells: Vec<Cell> = (3..25).map(|x| Cell::new(x, 7)).collect();
        let straight = Route::new(cells, portolan::Cost(210));
        assert_eq!(corridor(&open, &straight), None, "nothing is shorter than straight on");
    }

    #[test]
    fn a_wall_stands_across_the_way_and_leaves_another() {
        let (world, route) = halls();
        let area = wall(&world, &route).unwrap();
        assert_eq!((area.width, area.height), (1, WALL));
        assert!(cells(area).any(|cell| route.cells().contains(&cell)));
        let passage = SquareGrid::open(90, 3, rules()).unwrap();
        let cells: Vec<Cell> = (3..80).map(|x| Cell::new(x, 1)).collect();
        assert_eq!(wall(&passage, &Route::new(cells, portolan::Cost(760))), None, "there is no way around");
    }
}
