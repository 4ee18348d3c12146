//! Times how the entrants follow changes of single cells. All entrants get the same cells to change. Each cell is
//! blocked and at once set back, so that before every pair of changes each entrant has the original world.
//!
//! As with queries, changes come in blocks. On each block every entrant has a turn, in an order that rotates; a turn
//! begins with changes of the block that are not counted, and the fastest time of each change counts.

use crate::engine::Entrant;
use crate::race::WARM_UP;
use portolan::generate::Random;
use portolan::{Cell, SquareGrid, Terrain};
use std::time::{Duration, Instant};

/// Number of cells that are blocked and set back in one turn.
const BLOCK: usize = 10;
/// The seed of the random cells.
const SEED: u64 = 11;

/// Returns the mean microseconds of an edit for each entrant. `None` if there are no edits, if the entrant cannot
/// follow, or if blocking a cell and setting it back takes at least as long as a build; the entrant then gets no more
/// edits.
pub(crate) fn run(grid: &SquareGrid, entrants: &mut [&mut Entrant], edits: usize, repeat: usize) -> Vec<Option<f64>> {
    let cells = draw(grid, edits.div_ceil(2));
    let count = entrants.len();
    let mut best_by_entrant = vec![Some(vec![Duration::MAX; cells.len() * 2]); count];
    for round in 0..repeat {
        for (number, block) in cells.chunks(BLOCK).enumerate() {
            for turn in 0..count {
                let next = (round + number + turn) % count;
                let Some(best) = &mut best_by_entrant[next] else { continue };
                let best = &mut best[number * BLOCK * 2..][..block.len() * 2];
                if take_turn(entrants[next], grid, block, best).is_none() {
                    best_by_entrant[next] = None;
                }
            }
        }
    }
    let mean = |best: Vec<Duration>| best.iter().map(Duration::as_secs_f64).sum::<f64>() * 1e6 / best.len() as f64;
    best_by_entrant.into_iter().map(|best| best.filter(|best| !best.is_empty()).map(mean)).collect()
}

/// Blocks the cells and sets them back, first to warm up, then with the times written to `best`. `None` if the entrant
/// cannot follow or a build takes no longer.
fn take_turn(entrant: &mut Entrant, grid: &SquareGrid, block: &[Cell], best: &mut [Duration]) -> Option<()> {
    let build = entrant.build;
    let mut both = |cell: Cell| {
        let blocked = entrant.runner.edit(cell, Terrain::BLOCKED)?;
        Some([blocked, entrant.runner.edit(cell, grid.terrain(cell))?])
    };
    let began = Instant::now();
    let mut fastest = Duration::MAX;
    for &cell in block {
        let [blocked, freed] = both(cell)?;
        fastest = fastest.min(blocked + freed);
        if began.elapsed() > WARM_UP {
            break;
        }
    }
    if fastest >= build {
        return None;
    }
    for (&cell, best) in block.iter().zip(best.chunks_mut(2)) {
        for (best, took) in best.iter_mut().zip(both(cell)?) {
            *best = (*best).min(took);
        }
    }
    Some(())
}

/// Returns random free cells; none if the world has no free cell.
fn draw(grid: &SquareGrid, count: usize) -> Vec<Cell> {
    let ground: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    let mut random = Random::new(SEED);
    let count = if ground.is_empty() { 0 } else { count };
    (0..count).map(|_| ground[random.below(ground.len() as u64) as usize]).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Answer, Engine};
    use portolan::Rules;

    /// An engine that reports one microsecond more than the cell's column for blocking it, and twice that for freeing
    /// it.
    struct Steady {
        blocked: Option<Cell>,
        follows: bool,
    }

    impl Engine for Steady {
        fn answer(&mut self, _: Cell, _: Cell) -> Answer {
            Answer { took: Duration::ZERO, cells: None }
        }

        fn edit(&mut self, cell: Cell, terrain: Terrain) -> Option<Duration> {
            let expected = if terrain.is_free() { Some(cell) } else { None };
            assert_eq!(self.blocked, expected, "a cell is given back before the next is blocked");
            self.blocked = (!terrain.is_free()).then_some(cell);
            let once = Duration::from_micros(u64::from(cell.x) + 1);
            self.follows.then_some(if terrain.is_free() { 2 * once } else { once })
        }
    }

    fn entrant(follows: bool, build: Duration) -> Entrant {
        let runner = Box::new(Steady { blocked: None, follows });
        Entrant { engine: "steady", algorithm: String::new(), rival: None, build, runner }
    }

    #[test]
    fn times_are_means_of_all_changes_and_rebuilders_are_left_out() {
        let grid = SquareGrid::open(30, 1, Rules::default()).unwrap();
        let second = Duration::from_secs(1);
        let mut entrants = [
            entrant(true, second),
            entrant(false, second),
            entrant(true, Duration::from_nanos(1)),
            entrant(true, second),
        ];
        let mut entrants: Vec<&mut Entrant> = entrants.iter_mut().collect();
        let times = run(&grid, &mut entrants, 50, 2);
        let cells = draw(&grid, 25);
        let expected = cells.iter().map(|cell| f64::from(cell.x) + 1.0).sum::<f64>() * 1.5 / 25.0;
        assert!(times[0].is_some_and(|time| (time - expected).abs() < 1e-6));
        assert_eq!((times[1], times[2]), (None, None));
        assert_eq!(times[0], times[3]);
        assert_eq!(run(&grid, &mut entrants[..1], 0, 2), [None]);
    }
}
