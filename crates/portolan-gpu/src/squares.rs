//! Batches on a square grid, routed from the rows of costs of DHPA*.
//!
//! Not here: the programs that compute (`squares/*.wgsl`) and how they are run (`squares/run.rs`).

mod run;
mod words;

use crate::chart::ChartWords;
use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::router::DeviceChart;
use crate::times::Times;
use portolan::flat::{Flat, FlatSquareRows};
use portolan::{Cell, Cost, Routed, Snapshot};
use run::{Runner, Written};
use words::{Numbers, square_rows};

/// The chart of `dhpa-star rows=yes` on a processor.
pub(crate) struct SquareRows {
    runner: Runner,
    words: ChartWords,
    numbers: Numbers,
}

impl SquareRows {
    /// Uploads a chart.
    pub(crate) fn new(gpu: Gpu, flat: &FlatSquareRows) -> Result<SquareRows, GpuError> {
        let (words, numbers) = square_rows(flat);
        Ok(SquareRows { runner: Runner::new(gpu, &words, numbers)?, words, numbers })
    }
}

impl DeviceChart<portolan::SquareGrid> for SquareRows {
    fn sync(&mut self, flat: Flat, _: &Snapshot) -> Result<usize, GpuError> {
        let Flat::SquareRows(flat) = flat else { return Err(GpuError::NotFlat("another algorithm")) };
        let (words, numbers) = square_rows(&flat);
        let is_laid_out_alike = words.first == self.words.first && words.words.len() == self.words.words.len();
        if !is_laid_out_alike || numbers != self.numbers {
            *self = SquareRows::new(self.runner.gpu().clone(), &flat)?;
            return Ok(self.bytes());
        }
        let bytes = self.runner.patch(&words, &words.changes(&self.words))?;
        self.words = words;
        Ok(bytes)
    }

    fn route(&mut self, tasks: &[(Cell, Cell)], routed: &mut Routed<Cell>) -> Result<Times, GpuError> {
        let (written, times) = self.runner.run(&task_words(tasks))?;
        take(&written, routed);
        Ok(times)
    }

    fn again(&mut self, tasks: &[(Cell, Cell)], rounds: usize) -> Result<Vec<Times>, GpuError> {
        self.runner.run(&task_words(tasks))?;
        self.runner.again(tasks.len() as u32, rounds)
    }

    fn bytes(&self) -> usize {
        4 * self.words.words.len()
    }
}

/// Appends the routes of a piece.
fn take(written: &Written, routed: &mut Routed<Cell>) {
    for (choice, &begin) in written.choices.iter().zip(&written.offsets) {
        if let Some((cost, cells)) = choice.known() {
            let words = &written.cells[4 * begin as usize..][..cells as usize];
            debug_assert_eq!(
                first_direction(words),
                choice.first_direction(),
                "the first step is known before the route"
            );
            routed.places.extend(words.iter().map(|&word| Cell::new(word as u16, (word >> 16) as u16)));
            routed.costs.push(Some(Cost(cost)));
        } else {
            routed.costs.push(None);
        }
        routed.offsets.push(routed.places.len() as u64);
    }
}

/// Returns the direction of the first step of a route.
fn first_direction(cells: &[u32]) -> u32 {
    let off = |half: u32| (cells[1] >> half & 0xffff) as i32 - (cells[0] >> half & 0xffff) as i32;
    match (off(0), off(16)) {
        (0, -1) => 0,
        (1, -1) => 1,
        (1, 0) => 2,
        (1, 1) => 3,
        (0, 1) => 4,
        (-1, 1) => 5,
        (-1, 0) => 6,
        _ => 7,
    }
}

fn task_words(tasks: &[(Cell, Cell)]) -> Vec<u32> {
    let word = |cell: Cell| u32::from(cell.x) | u32::from(cell.y) << 16;
    tasks.iter().flat_map(|&(from, to)| [word(from), word(to)]).collect()
}
