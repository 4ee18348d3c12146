//! Batches on a square grid, routed from the arrays of its rhumb chart.
//!
//! Not here: the programs that compute (`rhumb/*.wgsl`) and how they are run (`rhumb/run.rs`).

mod run;
mod words;

use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::router::DeviceChart;
use crate::times::Times;
use portolan::flat::{Flat, FlatRhumb};
use portolan::{Cell, Cost, Routed, Snapshot, SquareGrid};
use run::{Found, Runner, Written};
use words::SquareWords;

/// The rhumb chart of a square grid on a processor.
pub(crate) struct SquareFronts {
    runner: Runner,
    words: SquareWords,
    pricing: Pricing,
}

impl SquareFronts {
    /// Uploads a chart.
    pub(crate) fn new(gpu: Gpu, flat: &FlatRhumb) -> Result<SquareFronts, GpuError> {
        let words = SquareWords::new(flat);
        let runner = Runner::new(gpu, flat, &words)?;
        Ok(SquareFronts { runner, words, pricing: Pricing::of(flat) })
    }

    /// Appends the routes of tasks.
    fn take(&self, tasks: usize, written: &Written, routed: &mut Routed<Cell>) {
        for task in 0..tasks {
            let found = written.of(task);
            let cost = found.as_ref().and_then(|found| self.pricing.cost(found));
            if let (Some(Found { first, cells, .. }), Some(_)) = (found, cost) {
                debug_assert_eq!(first, cells[1], "the first step is known before the route");
                routed.places.extend(cells.iter().map(|&cell| Cell { x: cell as u16, y: (cell >> 16) as u16 }));
            }
            routed.costs.push(cost);
            routed.offsets.push(routed.places.len() as u64);
        }
    }
}

impl DeviceChart<SquareGrid> for SquareFronts {
    fn sync(&mut self, flat: Flat, _: &Snapshot<SquareGrid>) -> Result<usize, GpuError> {
        let Flat::SquareFronts(flat) = flat else { return Err(GpuError::NotFlat("another algorithm")) };
        let words = SquareWords::new(&flat);
        let is_laid_out_alike =
            words.chart.first == self.words.chart.first && words.chart.words.len() == self.words.chart.words.len();
        if words.shape != self.words.shape || !is_laid_out_alike {
            *self = SquareFronts::new(self.runner.gpu().clone(), &flat)?;
            return Ok(self.bytes());
        }
        let bytes = self.runner.patch(&flat, &words, &words.chart.changes(&self.words.chart))?;
        (self.words, self.pricing) = (words, Pricing::of(&flat));
        Ok(bytes)
    }

    fn route(&mut self, tasks: &[(Cell, Cell)], routed: &mut Routed<Cell>) -> Result<Times, GpuError> {
        let (written, times) = self.runner.run(&task_words(tasks))?;
        self.take(tasks.len(), &written, routed);
        Ok(times)
    }

    fn again(&mut self, tasks: &[(Cell, Cell)], rounds: usize) -> Result<Vec<Times>, GpuError> {
        self.runner.run(&task_words(tasks))?;
        self.runner.again(tasks.len() as u32, rounds)
    }

    fn bytes(&self) -> usize {
        4 * self.words.chart.words.len()
    }
}

/// How the costs of routes are told in the world's metric.
struct Pricing {
    metric: [u64; 2],
    /// The weight of all cells, or `None` where weights differ and the processor has added up the costs of all steps.
    weight: Option<u64>,
}

impl Pricing {
    fn of(flat: &FlatRhumb) -> Pricing {
        Pricing {
            metric: flat.metric.map(u64::from),
            weight: flat.weights.is_empty().then_some(u64::from(flat.weight)),
        }
    }

    /// Returns what a route costs, or `None` if that is too great for [`Cost`].
    fn cost(&self, found: &Found) -> Option<Cost> {
        let Some(weight) = self.weight else { return Some(Cost(found.sum)) };
        let diagonals = u64::from(found.sum);
        let straights = found.cells.len() as u64 - 1 - diagonals;
        let [straight, diagonal] = self.metric;
        u32::try_from((straights * straight + diagonals * diagonal) * weight).ok().map(Cost)
    }
}

fn task_words(tasks: &[(Cell, Cell)]) -> Vec<u32> {
    tasks.iter().flat_map(|&(from, to)| [from, to]).map(|cell| u32::from(cell.x) | u32::from(cell.y) << 16).collect()
}
