//! Running the programs of `mesh/*.wgsl`: the chart and the working memory on the processor, and what comes back.
//!
//! Not here: what the numbers mean to a caller (`mesh.rs`).

use super::TASK;
use crate::chart::ChartWords;
use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::memory::Room;
use crate::programs::{Access, Clock, Laps, Programs, Run};
use crate::times::Times;
use bytemuck::{Pod, Zeroable};
use std::ops::Range;
use wgpu::{BindGroup, Buffer, BufferUsages};

/// The threads of a group where there is one thread for each task.
const LANES: u32 = 64;
/// How many numbers a group adds up.
const SCANNED: u32 = 1024;
/// The tasks of a group, whose portals lie side by side.
const GROUP: u32 = 32;
/// The first word of a choice if the route is not known.
const UNKNOWN: u32 = 3;
/// Corridors are kept by four words.
const FOUR: u64 = 4;
/// The most kinds of tasks that are told apart by the nodes of their ends.
const MOST_KINDS: u32 = 1 << 16;
/// The programs of a batch in their order.
const PARTS: [&str; 13] = [
    "tally",
    "scan_tally",
    "arrange",
    "price",
    "count",
    "scan_blocks",
    "scan_sums",
    "scan_add",
    "walk",
    "scan_blocks",
    "scan_sums",
    "scan_add",
    "gather",
];
/// The first part that adds up lengths of routes, not those of corridors.
const LATER: usize = 9;
/// The text of the programs.
const SOURCE: &str = concat!(
    include_str!("chart.wgsl"),
    include_str!("../exact.wgsl"),
    include_str!("ends.wgsl"),
    include_str!("../order.wgsl"),
    include_str!("price.wgsl"),
    include_str!("follow.wgsl"),
    include_str!("../scan.wgsl"),
    include_str!("walk.wgsl"),
);
/// What the programs do with the memory of each binding; `mesh/chart.wgsl` has the same list.
const BINDINGS: [Access; 9] = [
    Access::Params,
    Access::Read,
    Access::Read,
    Access::Write,
    Access::Write,
    Access::Write,
    Access::Write,
    Access::Read,
    Access::Write,
];

/// The numbers that programs are given beside the chart; `mesh/chart.wgsl` has the same list.
#[repr(C)]
#[derive(Copy, Clone, Pod, Zeroable)]
struct Params {
    at: [u32; 24],
    tasks: u32,
    width: u32,
    corridor_room: u32,
    places_room: u32,
    scanned: u32,
    scan_count: u32,
    scan_blocks: u32,
    kinds: u32,
    nodes: u32,
    spare: [u32; 3],
}

/// What the processor has written for a piece of a batch.
pub(super) struct Written {
    /// The cost of the route of each task, `None` if it is not known.
    pub(super) costs: Vec<Option<u32>>,
    /// Where the corners of each route begin, and one entry more.
    pub(super) offsets: Vec<u32>,
    pub(super) corners: Vec<u32>,
}

/// The programs, the chart, and working memory that is kept from batch to batch.
pub(super) struct Runner {
    gpu: Gpu,
    programs: Programs,
    chart: Buffer,
    first: [u32; 24],
    width: u32,
    nodes: u32,
    params: [Buffer; 2],
    tasks: Room,
    choices: Room,
    offsets: Room,
    corridor: Room,
    places: Room,
    tallies: Room,
    /// Buffers from which results are read: totals, choices, offsets, places.
    totals: Room,
    read_choices: Room,
    read_offsets: Room,
    read_places: Room,
    clock: Option<Clock>,
}

impl Runner {
    pub(super) fn new(gpu: Gpu, words: &ChartWords, nodes: u32) -> Result<Runner, GpuError> {
        let programs = Programs::new(&gpu, "routes on meshes", SOURCE, &PARTS, &BINDINGS)?;
        let written = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let working = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let read = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let chart = gpu.buffer("chart", 4 * words.words.len() as u64, written)?;
        gpu.queue.write_buffer(&chart, 0, bytemuck::cast_slice(&words.words));
        let params =
            || gpu.buffer("params", size_of::<Params>() as u64, BufferUsages::UNIFORM | BufferUsages::COPY_DST);
        let mut first = [0; 24];
        first[..words.first.len()].copy_from_slice(&words.first);
        Ok(Runner {
            params: [params()?, params()?],
            tasks: Room::new(&gpu, "tasks", written)?,
            choices: Room::new(&gpu, "choices", working)?,
            offsets: Room::new(&gpu, "offsets", working)?,
            corridor: Room::new(&gpu, "corridor", working)?,
            places: Room::new(&gpu, "places", working)?,
            tallies: Room::new(&gpu, "tallies", written)?,
            totals: Room::new(&gpu, "totals", read)?,
            read_choices: Room::new(&gpu, "read choices", read)?,
            read_offsets: Room::new(&gpu, "read offsets", read)?,
            read_places: Room::new(&gpu, "read places", read)?,
            clock: Clock::new(&gpu, PARTS.len() as u32)?,
            gpu,
            programs,
            chart,
            first,
            width: words.width,
            nodes,
        })
    }

    pub(super) fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Writes changed words of the chart. Returns how many bytes were written.
    pub(super) fn patch(&self, words: &ChartWords, changes: &[Range<usize>]) -> Result<usize, GpuError> {
        self.gpu.patch(&self.chart, &words.words, changes)
    }

    /// Routes these tasks. If corridors or routes turn out to need more room than there is, they are computed again
    /// with enough.
    pub(super) fn run(&mut self, tasks: &[u32]) -> Result<(Written, Times), GpuError> {
        let count = (tasks.len() / TASK) as u32;
        let blocks = (count + 1).div_ceil(SCANNED);
        let kinds = self.kinds();
        self.tallies.grow(&self.gpu, 4 * u64::from(kinds))?;
        self.tasks.grow(&self.gpu, 4 * tasks.len() as u64)?;
        self.choices.grow(&self.gpu, 16 * u64::from(count))?;
        self.offsets.grow(&self.gpu, 4 * (3 * (u64::from(count) + 1) + u64::from(blocks)))?;
        self.gpu.queue.write_buffer(&self.tasks.buffer, 0, bytemuck::cast_slice(tasks));
        loop {
            let times = self.compute(count)?;
            let [corridor, places] = self.read_totals(count)?;
            let has_grown = self.corridor.grow(&self.gpu, 4 * FOUR * u64::from(corridor))?;
            if self.places.grow(&self.gpu, 4 * u64::from(places))? || has_grown {
                continue;
            }
            return Ok((self.read_results(count, places)?, times));
        }
    }

    /// Routes the latest tasks again and again, and leaves the results on the processor. Returns the times of each round.
    pub(super) fn again(&mut self, count: u32, rounds: usize) -> Result<Vec<Times>, GpuError> {
        (0..rounds).map(|_| self.compute(count)).collect()
    }

    /// Returns how many kinds of tasks are told apart.
    fn kinds(&self) -> u32 {
        self.nodes.saturating_mul(self.nodes).min(MOST_KINDS)
    }

    /// Runs all parts and returns their times.
    fn compute(&mut self, count: u32) -> Result<Times, GpuError> {
        let room = |words: u64| u32::try_from(words).unwrap_or(u32::MAX);
        let scans = [(0, count.div_ceil(GROUP) + 1), (count + 1, count + 1)];
        for (params, (scanned, scan_count)) in self.params.iter().zip(scans) {
            let numbers = Params {
                at: self.first,
                tasks: count,
                width: self.width,
                corridor_room: room(self.corridor.words() / FOUR),
                places_room: room(self.places.words()),
                scanned,
                scan_count,
                scan_blocks: scan_count.div_ceil(SCANNED),
                kinds: self.kinds(),
                nodes: self.nodes,
                spare: [0; 3],
            };
            self.gpu.queue.write_buffer(params, 0, bytemuck::bytes_of(&numbers));
        }
        let groups = [self.bind(0), self.bind(1)];
        let mut run = Run::new(&self.gpu, &self.programs, self.clock.as_ref());
        run.encoder.clear_buffer(&self.tallies.buffer, 0, None);
        let threads = (count + 1).next_multiple_of(GROUP).div_ceil(LANES) + 1;
        for (part, name) in PARTS.into_iter().enumerate() {
            let later = usize::from(part >= LATER);
            let size = match name {
                "scan_blocks" | "scan_add" => scans[later].1.div_ceil(SCANNED),
                "scan_sums" | "scan_tally" => 1,
                _ => threads,
            };
            run.dispatch(name, &groups[later], size);
        }
        Ok(times(&run.submit()?))
    }

    fn bind(&self, params: usize) -> BindGroup {
        let buffers = [
            &self.params[params],
            &self.chart,
            &self.tasks.buffer,
            &self.choices.buffer,
            &self.offsets.buffer,
            &self.corridor.buffer,
            &self.places.buffer,
            &self.chart,
            &self.tallies.buffer,
        ];
        self.programs.bind(&self.gpu, &buffers)
    }

    /// Returns how many portals all corridors have, and how many places all routes.
    fn read_totals(&mut self, count: u32) -> Result<[u32; 2], GpuError> {
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let (groups, tasks) = (u64::from(count.div_ceil(GROUP)), u64::from(count));
        encoder.copy_buffer_to_buffer(&self.offsets.buffer, 4 * groups, &self.totals.buffer, 0, 4);
        encoder.copy_buffer_to_buffer(&self.offsets.buffer, 4 * (2 * tasks + 1), &self.totals.buffer, 4, 4);
        self.gpu.queue.submit([encoder.finish()]);
        let read = self.gpu.read(&[(&self.totals.buffer, 8)])?;
        let totals: Vec<u32> = bytemuck::pod_collect_to_vec(&read[0]);
        Ok([totals[0], totals[1]])
    }

    fn read_results(&mut self, count: u32, places: u32) -> Result<Written, GpuError> {
        let sizes = [16 * u64::from(count), 4 * (u64::from(count) + 1), 4 * u64::from(places)];
        self.read_choices.grow(&self.gpu, sizes[0])?;
        self.read_offsets.grow(&self.gpu, sizes[1])?;
        self.read_places.grow(&self.gpu, sizes[2])?;
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let second_list = 4 * (u64::from(count) + 1);
        for (from, begin, to, size) in [
            (&self.choices, 0, &self.read_choices, sizes[0]),
            (&self.offsets, second_list, &self.read_offsets, sizes[1]),
            (&self.places, 0, &self.read_places, sizes[2]),
        ] {
            if size > 0 {
                encoder.copy_buffer_to_buffer(&from.buffer, begin, &to.buffer, 0, size);
            }
        }
        self.gpu.queue.submit([encoder.finish()]);
        let [choices, offsets, places] = [&self.read_choices, &self.read_offsets, &self.read_places];
        let wanted = [(&choices.buffer, sizes[0]), (&offsets.buffer, sizes[1]), (&places.buffer, sizes[2])];
        let read = self.gpu.read(&wanted)?;
        let words = |bytes: &[u8]| -> Vec<u32> { bytemuck::pod_collect_to_vec(bytes) };
        let cost = |choice: &[u32]| (choice[0] != UNKNOWN).then_some(choice[1]);
        let costs = words(&read[0]).chunks_exact(4).map(cost).collect();
        Ok(Written { costs, offsets: words(&read[1]), corners: words(&read[2]) })
    }
}

fn times(laps: &Laps) -> Times {
    Times {
        order: laps.of(0..3),
        price: laps.of([3]),
        count: laps.of([4]),
        scan: laps.of([5, 6, 7, 9, 10, 11]),
        walk: laps.of([8]),
        gather: laps.of([12]),
        whole: laps.whole(),
        ..Times::default()
    }
}
