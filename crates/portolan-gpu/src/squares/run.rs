//! Running the programs of `squares/*.wgsl`: the chart and the working memory on the processor, and what comes back.
//!
//! Not here: what the numbers mean to a caller (`squares.rs`).

use super::words::Numbers;
use crate::chart::ChartWords;
use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::memory::{Room, read_back};
use crate::programs::{Access, COUNTED, Clock, Laps, Programs, Run};
use crate::times::Times;
use bytemuck::{Pod, Zeroable};
use std::ops::Range;
use wgpu::{BindGroup, Buffer, BufferUsages};

/// The words of a task.
const TASK: usize = 2;
/// The threads of a group where there is one thread for each task.
const LANES: u32 = 64;
/// How many numbers a group adds up.
const SCANNED: u32 = 1024;
/// Cells are written by four words.
const FOUR: u64 = 4;
/// The most kinds of tasks that are told apart by the clusters of their ends.
const MOST_KINDS: u32 = 1 << 16;
/// The programs of a batch in their order.
const PARTS: [&str; 9] =
    ["tally", "scan_tally", "arrange", "price", "count", "scan_blocks", "scan_sums", "scan_add", "walk"];
/// The text of the programs.
const SOURCE: &str = concat!(
    include_str!("chart.wgsl"),
    include_str!("../words.wgsl"),
    include_str!("../scan.wgsl"),
    include_str!("../order.wgsl"),
    include_str!("../sight.wgsl"),
    include_str!("price.wgsl"),
    include_str!("walk.wgsl"),
);
/// What the programs do with the memory of each binding; `squares/chart.wgsl` has the same list.
const BINDINGS: [Access; 8] = [
    Access::Params,
    Access::Read,
    Access::Read,
    Access::Read,
    Access::Write,
    Access::Write,
    Access::Write,
    Access::Write,
];

/// The numbers that programs are given beside the chart; `squares/chart.wgsl` has the same list.
#[repr(C)]
#[derive(Copy, Clone, Pod, Zeroable)]
struct Params {
    at: [u32; 12],
    tasks: u32,
    width: u32,
    cluster_side: u32,
    clusters_across: u32,
    ports: u32,
    row_fours: u32,
    sight: [u32; 2],
    has_diagonals: u32,
    places_room: u32,
    scanned: u32,
    scan_count: u32,
    scan_blocks: u32,
    kinds: u32,
    clusters: u32,
    spare: u32,
}

/// How the route of a task leads, as the programs write it.
#[repr(C)]
#[derive(Copy, Clone, Pod, Zeroable)]
pub(super) struct Choice {
    /// 0 if the route is not known; the bits above the lowest two are the direction of its first step.
    kind: u32,
    cost: u32,
    way: u32,
    cells: u32,
}

impl Choice {
    /// Returns what the route costs and how many cells it has, if it is known.
    pub(super) fn known(self) -> Option<(u32, u32)> {
        (self.kind != 0).then_some((self.cost, self.cells))
    }

    /// Returns the direction of the first step of a route that is known.
    pub(super) fn first_direction(self) -> u32 {
        self.kind >> 2
    }
}

/// What the processor has written for a piece of a batch.
pub(super) struct Written {
    pub(super) choices: Vec<Choice>,
    /// Where the cells of each route begin, in fours.
    pub(super) offsets: Vec<u32>,
    /// The cells, from start to goal: the column in the lower half, the row in the upper one.
    pub(super) cells: Vec<u32>,
}

/// The programs, the chart, and working memory that is kept from batch to batch.
pub(super) struct Runner {
    gpu: Gpu,
    programs: Programs,
    chart: Buffer,
    first: [u32; 12],
    numbers: Numbers,
    params: Buffer,
    tasks: Room,
    choices: Room,
    offsets: Room,
    places: Room,
    tallies: Room,
    /// Buffers from which results are read: the number of fours, choices, offsets, places.
    read: [Room; 4],
    clock: Option<Clock>,
}

impl Runner {
    pub(super) fn new(gpu: Gpu, words: &ChartWords, numbers: Numbers) -> Result<Runner, GpuError> {
        let programs = Programs::new(&gpu, "routes on squares", SOURCE, &PARTS, &BINDINGS)?;
        let written = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let working = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let read = |label| Room::new(&gpu, label, BufferUsages::MAP_READ | BufferUsages::COPY_DST);
        let chart = gpu.buffer("chart", 4 * words.words.len() as u64, written)?;
        gpu.queue.write_buffer(&chart, 0, bytemuck::cast_slice(&words.words));
        let mut first = [0; 12];
        first[..words.first.len()].copy_from_slice(&words.first);
        let uniform = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        Ok(Runner {
            params: gpu.buffer("params", size_of::<Params>() as u64, uniform)?,
            tasks: Room::new(&gpu, "tasks", written)?,
            choices: Room::new(&gpu, "choices", working)?,
            offsets: Room::new(&gpu, "offsets", working)?,
            places: Room::new(&gpu, "places", working)?,
            tallies: Room::new(&gpu, "tallies", written)?,
            read: [read("read total")?, read("read choices")?, read("read offsets")?, read("read places")?],
            clock: Clock::new(&gpu, PARTS.len() as u32)?,
            gpu,
            programs,
            chart,
            first,
            numbers,
        })
    }

    pub(super) fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Writes changed words of the chart. Returns how many bytes were written.
    pub(super) fn patch(&self, words: &ChartWords, changes: &[Range<usize>]) -> Result<usize, GpuError> {
        self.gpu.patch(&self.chart, &words.words, changes)
    }

    /// Routes these tasks. If routes turn out to need more room than there is, they are computed again with enough.
    pub(super) fn run(&mut self, tasks: &[u32]) -> Result<(Written, Times), GpuError> {
        let count = (tasks.len() / TASK) as u64;
        let blocks = (count + 1).div_ceil(u64::from(SCANNED));
        self.tallies.grow(&self.gpu, 4 * (u64::from(self.kinds()) + 1))?;
        self.tasks.grow(&self.gpu, 4 * tasks.len() as u64)?;
        self.choices.grow(&self.gpu, 16 * count)?;
        self.offsets.grow(&self.gpu, 4 * (2 * count + 1 + blocks))?;
        self.gpu.queue.write_buffer(&self.tasks.buffer, 0, bytemuck::cast_slice(tasks));
        loop {
            let times = self.compute(count as u32)?;
            let fours = self.read_total(count)?;
            if !self.places.grow(&self.gpu, 4 * FOUR * fours)? {
                return Ok((self.read_results(count, fours)?, times));
            }
        }
    }

    /// Routes the latest tasks again and again, and leaves the results on the processor. Returns the times of each round.
    pub(super) fn again(&mut self, count: u32, rounds: usize) -> Result<Vec<Times>, GpuError> {
        (0..rounds).map(|_| self.compute(count)).collect()
    }

    /// Returns how many kinds of tasks are told apart.
    fn kinds(&self) -> u32 {
        self.numbers.clusters.saturating_mul(self.numbers.clusters).clamp(1, MOST_KINDS)
    }

    /// Runs all parts and returns their times.
    fn compute(&mut self, count: u32) -> Result<Times, GpuError> {
        let Numbers { width, cluster_side, clusters_across, ports, row_fours, sight, has_diagonals, clusters } =
            self.numbers;
        let params = Params {
            at: self.first,
            tasks: count,
            width,
            cluster_side,
            clusters_across,
            ports,
            row_fours,
            sight,
            has_diagonals: has_diagonals.into(),
            places_room: u32::try_from(self.places.words() / FOUR).unwrap_or(u32::MAX),
            scanned: 0,
            scan_count: count + 1,
            scan_blocks: (count + 1).div_ceil(SCANNED),
            kinds: self.kinds(),
            clusters,
            spare: 0,
        };
        self.gpu.queue.write_buffer(&self.params, 0, bytemuck::bytes_of(&params));
        let bound = self.bind();
        let mut run = Run::new(&self.gpu, &self.programs, self.clock.as_ref());
        run.encoder.clear_buffer(&self.tallies.buffer, 0, None);
        for name in PARTS {
            let groups = match name {
                "scan_blocks" | "scan_add" => params.scan_blocks,
                "scan_sums" => 1,
                "scan_tally" => self.kinds().div_ceil(COUNTED),
                _ => (count + 1).div_ceil(LANES),
            };
            run.dispatch(name, &bound, groups);
        }
        Ok(times(&run.submit()?))
    }

    fn bind(&self) -> BindGroup {
        let buffers = [
            &self.params,
            &self.chart,
            &self.chart,
            &self.tasks.buffer,
            &self.choices.buffer,
            &self.offsets.buffer,
            &self.places.buffer,
            &self.tallies.buffer,
        ];
        self.programs.bind(&self.gpu, &buffers)
    }

    /// Returns how many fours of cells all routes have.
    fn read_total(&mut self, count: u64) -> Result<u64, GpuError> {
        let read = read_back(&self.gpu, [(&self.offsets, 4 * count, &mut self.read[0], 4)])?;
        Ok(bytemuck::pod_collect_to_vec::<u8, u32>(&read[0])[0].into())
    }

    fn read_results(&mut self, count: u64, fours: u64) -> Result<Written, GpuError> {
        let [_, choices, offsets, places] = &mut self.read;
        let wanted = [
            (&self.choices, 0, choices, 16 * count),
            (&self.offsets, 0, offsets, 4 * count),
            (&self.places, 0, places, 4 * FOUR * fours),
        ];
        let read = read_back(&self.gpu, wanted)?;
        Ok(Written {
            choices: bytemuck::pod_collect_to_vec(&read[0]),
            offsets: bytemuck::pod_collect_to_vec(&read[1]),
            cells: bytemuck::pod_collect_to_vec(&read[2]),
        })
    }
}

fn times(laps: &Laps) -> Times {
    Times {
        order: laps.of(0..3),
        price: laps.of([3]),
        first: laps.of([4]),
        scan: laps.of(5..8),
        walk: laps.of([8]),
        whole: laps.whole(),
        ..Times::default()
    }
}
