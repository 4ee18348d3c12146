//! The race of fields: what it costs from every cell of a map to one goal, ours against `dijkstra_all` of `pathfinding`, which
//! must give the same costs; and our repair of a field after an edit against making it anew.
//!
//! Not here: the targets (`targets.rs`).

use crate::course::Course;
use crate::engine::pathfinding::Map;
use crate::engine::timed;
use crate::race::Score;
use portolan::generate::Random;
use portolan::{Area, Cell, Edit, Field, FieldError, Scratch, Snapshot, SquareGrid, Terrain, World};
use std::time::Duration;

/// How many goals fields are made for. Each is the goal of one of the map's queries.
pub(crate) const GOALS: usize = 4;
/// The seed of the random edits.
const SEED: u64 = 13;

/// The results of the race on a map.
pub(crate) struct Race {
    /// The score of Portolan, then that of its peer. Costs that differ, and repairs that give another field than making it anew,
    /// are counted as invalid.
    pub(crate) scores: Vec<Score>,
    /// The mean microseconds to make a field anew after an edit; `None` if there were no edits.
    pub(crate) anew_us: Option<f64>,
}

/// Races fields on a map: `repeat` times for each goal, of which the fastest counts, and over `edits` edits.
pub(crate) fn race(course: &Course, repeat: usize, edits: usize) -> Result<Race, FieldError<Cell>> {
    let world = &course.world;
    let map = Map::new(world);
    let mut scratch = Scratch::new();
    let (mut times, mut invalid) = ([Vec::new(), Vec::new()], 0);
    let step = (course.trials.len() / GOALS).max(1);
    let goals: Vec<Cell> = course.trials.iter().step_by(step).take(GOALS).map(|trial| trial.to).collect();
    for &goal in &goals {
        let mut best = [Duration::MAX; 2];
        for _ in 0..repeat.max(2) {
            let (field, took) = timed(|| Field::new(world, &[goal], None, &mut scratch));
            let (its_time, its_costs) = map.costs_from(goal);
            best = [best[0].min(took), best[1].min(its_time)];
            invalid += differing(world, &field?, its_costs);
        }
        times.iter_mut().zip(best).for_each(|(times, best)| times.push(best));
    }
    let mut followed = Followed::default();
    for &goal in &goals {
        follow(world, goal, edits.div_ceil(goals.len()), &mut scratch, &mut followed)?;
    }
    let mean_us = |times: &[Duration]| {
        let sum: f64 = times.iter().map(Duration::as_secs_f64).sum();
        (!times.is_empty()).then(|| sum * 1e6 / times.len() as f64)
    };
    let [ours, its] = times;
    let (engine, algorithm, ratio_mean) = ("portolan", "field".to_owned(), 1.0);
    let invalid = invalid + followed.differing;
    let edit_us = mean_us(&followed.repairs);
    let ours = Score { engine, algorithm, edit_us, ratio_mean, invalid, ..Score::of_times(ours) };
    let (engine, algorithm, rival) = ("pathfinding", "dijkstra_all".to_owned(), Some("field"));
    let its = Score { engine, algorithm, rival, ratio_mean, ..Score::of_times(its) };
    Ok(Race { scores: vec![ours, its], anew_us: mean_us(&followed.anew) })
}

/// Returns how many cells have another cost in a field than a peer says.
fn differing(world: &Snapshot, field: &Field, its: impl Iterator<Item = (Cell, portolan::Cost)>) -> usize {
    let known = |cell: Cell| field.cost(world, cell).ok().flatten();
    let (mut told, mut differing) = (field.goals().len(), 0);
    for (cell, cost) in its {
        told += 1;
        differing += usize::from(known(cell) != Some(cost));
    }
    let ours = world.cells().filter(|&cell| known(cell).is_some()).count();
    differing + ours.abs_diff(told)
}

/// How long a field took to follow edits.
#[derive(Default)]
struct Followed {
    repairs: Vec<Duration>,
    anew: Vec<Duration>,
    /// How many repaired fields are not those that are made anew.
    differing: usize,
}

/// Blocks 2 x 2 cells and gives them back, again and again, and repairs the field of a goal each time, then makes it anew.
fn follow(
    world: &Snapshot,
    goal: Cell,
    edits: usize,
    scratch: &mut Scratch,
    followed: &mut Followed,
) -> Result<(), FieldError<Cell>> {
    let mut world = World::from(SquareGrid::clone(world));
    let mut field = Field::new(&world, &[goal], None, scratch)?;
    let mut random = Random::new(SEED);
    for _ in 0..edits.div_ceil(2) {
        let Some(area) = draw(&world, goal, &mut random) else { break };
        let cells = area_cells(area).map(|cell| Edit::new(cell, world.terrain(cell))).collect();
        for edits in [vec![Edit::new(area, Terrain::BLOCKED)], cells] {
            world.apply(&edits).expect("the area lies on the map");
            let (repair, took) = timed(|| field.repair(&world, &edits, scratch));
            repair?;
            let (fresh, anew) = timed(|| Field::new(&world, &[goal], None, scratch));
            followed.repairs.push(took);
            followed.anew.push(anew);
            followed.differing += usize::from(fresh? != field);
        }
    }
    Ok(())
}

/// Returns a random area of 2 x 2 cells, of which the first is free and none is the goal; `None` if none was found.
fn draw(world: &SquareGrid, goal: Cell, random: &mut Random) -> Option<Area> {
    let (width, height) = (world.width() as u64 - 1, world.height() as u64 - 1);
    let areas = (0..100_000).map(|_| {
        let (x, y) = (random.below(width.max(1)) as u16, random.below(height.max(1)) as u16);
        Area { x, y, width: width.min(1) as u16 + 1, height: height.min(1) as u16 + 1 }
    });
    let mut suited =
        areas.filter(|&area| world.is_free(Cell::new(area.x, area.y)) && area_cells(area).all(|cell| cell != goal));
    suited.next()
}

/// Returns the cells of an area.
fn area_cells(area: Area) -> impl Iterator<Item = Cell> {
    let Area { x, y, width, height } = area;
    (y..y + height).flat_map(move |y| (x..x + width).map(move |x| Cell::new(x, y)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::Rules;
    use std::path::Path;

    #[test]
    fn costs_of_both_are_equal_and_repairs_are_fresh() {
        for name in ["caves/none", "hills"] {
            let course = Course::load(name, Path::new("nowhere"), 4, Rules::default()).unwrap();
            let Race { scores, anew_us } = race(&course, 2, 6).unwrap();
            assert_eq!(scores.iter().map(|score| score.invalid).collect::<Vec<_>>(), [0, 0], "{name}");
            assert!(anew_us.is_some() && scores[0].edit_us.is_some() && scores.iter().all(|score| score.mean_us > 0.0));
        }
    }

    #[test]
    fn other_costs_are_noticed() {
        let world = Snapshot::from(SquareGrid::open(5, 1, Rules::default()).unwrap());
        let field = Field::new(&world, &[Cell::new(0, 0)], None, &mut Scratch::new()).unwrap();
        let costs = |wrong: u32| (1..5).map(move |x| (Cell::new(x, 0), portolan::Cost(u32::from(x) * 5741 + wrong)));
        let differ = |costs: &mut dyn Iterator<Item = _>| differing(&world, &field, costs);
        assert_eq!((differ(&mut costs(0)), differ(&mut costs(1)), differ(&mut costs(0).skip(3))), (0, 4, 3));
    }
}
