//! Table 4.2 of the thesis: building PRA* and HPA*.

use super::thesis::printed;
use super::{hpa_star, pra_star};
use crate::progress::{Cancelled, Steps};
use crate::study::maps::Course;
use portolan::Planner;
use serde::Serialize;
use std::time::Instant;

/// Builds of each algorithm; the median counts.
const REPEAT: usize = 7;

/// The builds for one map. Pairs are PRA* and HPA*.
#[derive(Clone, Debug, Serialize)]
pub struct BuildRow {
    /// The name of the map.
    pub map: String,
    /// Columns and rows.
    pub size: [usize; 2],
    /// Cells that are free.
    pub free_cells: usize,
    /// Milliseconds to build the planner.
    pub build_ms: [f64; 2],
    /// Bytes that the planner keeps.
    pub bytes: [usize; 2],
    /// Percent of the map's cells that are free according to the thesis, if it has the map.
    pub printed_free_percent: Option<f64>,
    /// Milliseconds to build PRA* and HPA* in the thesis, if it has the map.
    pub printed: Option<[f64; 2]>,
}

impl BuildRow {
    /// Returns how many times as fast as HPA* PRA* is built.
    pub(super) fn times(&self) -> f64 {
        self.build_ms[1] / self.build_ms[0]
    }

    pub(super) fn free_percent(&self) -> f64 {
        self.free_cells as f64 / (self.size[0] * self.size[1]).max(1) as f64 * 100.0
    }
}

pub(super) fn build(course: &Course, steps: &mut Steps) -> Result<BuildRow, Cancelled> {
    let world = &course.world;
    let makers: [&dyn Fn() -> Planner; 2] = [&|| pra_star(world, &[]), &|| hpa_star(world)];
    let (mut ms, mut bytes) = ([Vec::new(), Vec::new()], [0; 2]);
    for _ in 0..REPEAT {
        for (which, make) in makers.iter().enumerate() {
            let begun = Instant::now();
            let planner = make();
            let time = begun.elapsed();
            ms[which].push(time.as_secs_f64() * 1e3);
            bytes[which] = planner.bytes();
            steps.spent(time)?;
        }
    }
    Ok(BuildRow {
        map: course.name.clone(),
        size: [world.width(), world.height()],
        free_cells: world.free_cells(),
        build_ms: ms.map(median),
        bytes,
        printed_free_percent: printed(&course.name).map(|printed| printed.free_percent),
        printed: printed(&course.name).map(|printed| printed.build_ms),
    })
}

/// Returns the median, the upper one of two, or 0 of no values.
pub(super) fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied().unwrap_or(0.0)
}
