//! Running the programs of `rhumb/*.wgsl`: the chart and the working memory on the processor, and what comes back.
//!
//! Not here: what the numbers mean to a caller (`rhumb.rs`).

use super::words::{Shape, SquareWords};
use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::memory::{Room, read_back};
use crate::programs::{Access, COUNTED, Clock, Laps, MOST_GROUPS, Programs, Run};
use crate::times::Times;
use bytemuck::{Pod, Zeroable};
use portolan::flat::FlatRhumb;
use std::ops::Range;
use wgpu::{BindGroup, Buffer, BufferUsages};

/// The threads of a group where there is one thread for each task.
const LANES: u32 = 64;
/// How many numbers a group adds up.
const SCANNED: u32 = 1024;
/// How many groups climb at one time: 32 on each of 132 units, and as many as fit in memory.
const CLIMBERS: u32 = 132 * 32;
/// The most bytes of working memory that climbs may have.
const CLIMB_BYTES: u64 = 256 << 20;
/// The most kinds of starts, and of goals, that are told apart.
const MOST_KINDS: u32 = 256;
/// The first word of a choice if the route is not known.
const UNKNOWN: u32 = 1;
/// The programs of a batch in their order.
const PARTS: [&str; 11] = [
    "tally",
    "scan_tally",
    "arrange",
    "sight",
    "climb",
    "first_cells",
    "count",
    "scan_blocks",
    "scan_sums",
    "scan_add",
    "write_cells",
];
/// The text of the programs.
const SOURCE: &str = concat!(
    include_str!("chart.wgsl"),
    include_str!("../words.wgsl"),
    include_str!("../order.wgsl"),
    include_str!("../sight.wgsl"),
    include_str!("sight.wgsl"),
    include_str!("climb.wgsl"),
    include_str!("meet.wgsl"),
    include_str!("unpack.wgsl"),
    include_str!("../scan.wgsl"),
    include_str!("write.wgsl"),
);
/// What the programs do with the memory of each binding; `chart.wgsl` has the same list.
const BINDINGS: [Access; 10] = [
    Access::Params,
    Access::Read,
    Access::Read,
    Access::Read,
    Access::Write,
    Access::Write,
    Access::Write,
    Access::Write,
    Access::Write,
    Access::Write,
];

/// The numbers that programs are given beside the chart; `chart.wgsl` has the same list.
#[repr(C)]
#[derive(Copy, Clone, Pod, Zeroable)]
struct Params {
    at: [u32; 8],
    tasks: u32,
    places_room: u32,
    scanned: u32,
    scan_count: u32,
    scan_blocks: u32,
    kinds: u32,
    kind_side: u32,
    kind_shift: u32,
    climbers: u32,
    values_room: u32,
    most_fours: u32,
    width: u32,
    prices: [u32; 2],
    open_prices: [u32; 2],
    metric: [u32; 2],
    spacing: u32,
    is_direct: u32,
    has_diagonals: u32,
    is_weighted: u32,
    two: u32,
    spare: u32,
}

/// What the processor has written for a piece of a batch.
pub(super) struct Written {
    choices: Vec<[u32; 4]>,
    offsets: Vec<u32>,
    places: Vec<u32>,
}

/// A route that the processor has found.
pub(super) struct Found<'a> {
    /// The number of its diagonal steps, or its cost where weights differ.
    pub(super) sum: u32,
    /// The cell after the start, as it was found before the rest of the route.
    pub(super) first: u32,
    /// Its cells from the start to the goal, the column in the lower half of a word.
    pub(super) cells: &'a [u32],
}

impl Written {
    /// Returns the route of a task, or `None` if it is not known.
    pub(super) fn of(&self, task: usize) -> Option<Found<'_>> {
        let [kind, sum, count, first] = self.choices[task];
        if kind == UNKNOWN {
            return None;
        }
        let end = 4 * self.offsets[task + 1] as usize;
        Some(Found { sum, first, cells: &self.places[end - count as usize..end] })
    }
}

/// The programs, the chart, and working memory that is kept from batch to batch.
pub(super) struct Runner {
    gpu: Gpu,
    programs: Programs,
    shape: Shape,
    chart: Buffer,
    /// What all batches are given.
    numbers: Params,
    params: Buffer,
    tasks: Room,
    choices: Room,
    offsets: Room,
    legs: Room,
    values: Room,
    places: Room,
    tallies: Room,
    /// Buffers from which results are read.
    totals: Room,
    read_choices: Room,
    read_offsets: Room,
    read_places: Room,
    clock: Option<Clock>,
}

impl Runner {
    pub(super) fn new(gpu: Gpu, flat: &FlatRhumb, words: &SquareWords) -> Result<Runner, GpuError> {
        let programs = translate(&gpu, words.shape)?;
        let written = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let working = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let read = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let uniform = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        let chart = gpu.buffer("chart", 4 * words.chart.words.len() as u64, written)?;
        gpu.queue.write_buffer(&chart, 0, bytemuck::cast_slice(&words.chart.words));
        Ok(Runner {
            params: gpu.buffer("params", size_of::<Params>() as u64, uniform)?,
            tasks: Room::new(&gpu, "tasks", written)?,
            choices: Room::new(&gpu, "choices", working)?,
            offsets: Room::new(&gpu, "offsets", working)?,
            legs: Room::new(&gpu, "legs", working)?,
            values: Room::new(&gpu, "values", working)?,
            places: Room::new(&gpu, "places", working)?,
            tallies: Room::new(&gpu, "tallies", written)?,
            totals: Room::new(&gpu, "totals", read)?,
            read_choices: Room::new(&gpu, "read choices", read)?,
            read_offsets: Room::new(&gpu, "read offsets", read)?,
            read_places: Room::new(&gpu, "read places", read)?,
            clock: Clock::new(&gpu, PARTS.len() as u32)?,
            numbers: numbers(flat, words),
            shape: words.shape,
            gpu,
            programs,
            chart,
        })
    }

    pub(super) fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Writes changed words of the chart. Returns how many bytes were written.
    pub(super) fn patch(
        &mut self,
        flat: &FlatRhumb,
        words: &SquareWords,
        changes: &[Range<usize>],
    ) -> Result<usize, GpuError> {
        self.numbers = numbers(flat, words);
        self.gpu.patch(&self.chart, &words.chart.words, changes)
    }

    /// Routes these tasks. If routes turn out to need more room than there is, they are computed again with enough.
    pub(super) fn run(&mut self, tasks: &[u32]) -> Result<(Written, Times), GpuError> {
        let count = (tasks.len() / 2) as u32;
        let each = u64::from(count);
        let legs = u64::from(self.shape.depth + 1);
        let climbers = self.climbers(count);
        if self.gpu.is_software() && climbers < count {
            let bytes = |climbs: u32| self.climb_bytes() * u64::from(climbs);
            return Err(GpuError::TooLarge { needed: bytes(count), most: bytes(climbers) });
        }
        self.tasks.grow(&self.gpu, 8 * each)?;
        self.choices.grow(&self.gpu, 16 * each)?;
        self.offsets.grow(&self.gpu, 4 * (2 * each + 1 + u64::from((count + 1).div_ceil(SCANNED))))?;
        self.legs.grow(&self.gpu, 8 * 2 * legs * each)?;
        self.values.grow(&self.gpu, self.climb_bytes() * u64::from(climbers))?;
        self.tallies.grow(&self.gpu, 4 * (u64::from(self.numbers.kinds) + 1))?;
        self.gpu.queue.write_buffer(&self.tasks.buffer, 0, bytemuck::cast_slice(tasks));
        loop {
            let times = self.compute(count)?;
            let fours = self.read_total(count)?;
            if !self.places.grow(&self.gpu, 16 * u64::from(fours))? {
                return Ok((self.read_results(count, fours)?, times));
            }
        }
    }

    /// Routes the latest tasks again and again, and leaves the results on the processor. Returns the times of each round.
    pub(super) fn again(&mut self, count: u32, rounds: usize) -> Result<Vec<Times>, GpuError> {
        (0..rounds).map(|_| self.compute(count)).collect()
    }

    /// Returns how many bytes of working memory a climb has.
    fn climb_bytes(&self) -> u64 {
        8 * u64::from(self.shape.values)
    }

    /// Returns how many groups climb at one time. On the CPU each climbs once, so that no driver cuts its loops short
    /// (`has_breath` in `chart.wgsl`).
    fn climbers(&self, count: u32) -> u32 {
        let room = CLIMB_BYTES.min(self.gpu.most_bytes()) / self.climb_bytes().max(1);
        let most = if self.gpu.is_software() { MOST_GROUPS } else { CLIMBERS };
        count.min(most).min(u32::try_from(room).unwrap_or(u32::MAX)).max(1)
    }

    /// Runs all parts and returns their times.
    fn compute(&mut self, count: u32) -> Result<Times, GpuError> {
        let scan_blocks = (count + 1).div_ceil(SCANNED);
        let climbers = self.climbers(count);
        let numbers = Params {
            tasks: count,
            places_room: u32::try_from(self.places.words() / 4).unwrap_or(u32::MAX),
            scanned: 0,
            scan_count: count + 1,
            scan_blocks,
            climbers,
            // The sum of all is a number of 32 bits.
            most_fours: u32::MAX / (count + 1),
            ..self.numbers
        };
        self.gpu.queue.write_buffer(&self.params, 0, bytemuck::bytes_of(&numbers));
        let bound = self.bind();
        let mut run = Run::new(&self.gpu, &self.programs, self.clock.as_ref());
        run.encoder.clear_buffer(&self.tallies.buffer, 0, None);
        for name in PARTS {
            let groups = match name {
                "climb" => climbers,
                "scan_blocks" | "scan_add" => scan_blocks,
                "scan_sums" => 1,
                "scan_tally" => self.numbers.kinds.div_ceil(COUNTED),
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
            &self.legs.buffer,
            &self.values.buffer,
            &self.places.buffer,
            &self.tallies.buffer,
        ];
        self.programs.bind(&self.gpu, &buffers)
    }

    /// Returns for how many fours of cells all routes need room.
    fn read_total(&mut self, count: u32) -> Result<u32, GpuError> {
        let read = read_back(&self.gpu, [(&self.offsets, 4 * u64::from(count), &mut self.totals, 4)])?;
        Ok(bytemuck::pod_collect_to_vec::<u8, u32>(&read[0])[0])
    }

    fn read_results(&mut self, count: u32, fours: u32) -> Result<Written, GpuError> {
        let wanted = [
            (&self.choices, 0, &mut self.read_choices, 16 * u64::from(count)),
            (&self.offsets, 0, &mut self.read_offsets, 4 * (u64::from(count) + 1)),
            (&self.places, 0, &mut self.read_places, 16 * u64::from(fours)),
        ];
        let read = read_back(&self.gpu, wanted)?;
        Ok(Written {
            choices: bytemuck::pod_collect_to_vec(&read[0]),
            offsets: bytemuck::pod_collect_to_vec(&read[1]),
            places: bytemuck::pod_collect_to_vec(&read[2]),
        })
    }
}

/// Translates the programs for charts of a shape.
fn translate(gpu: &Gpu, shape: Shape) -> Result<Programs, GpuError> {
    // What `climb.wgsl` and `meet.wgsl` declare for a group: four words for each port of a line and end, two for each region
    // around an end, and some numbers.
    let needed = 4 * u64::from(8 * shape.line + 4 * shape.depth + 16);
    let most = u64::from(gpu.device.limits().max_compute_workgroup_storage_size);
    if needed > most {
        return Err(GpuError::TooLarge { needed, most });
    }
    let source = format!(
        "const NARROW = {};\nconst LINE = {}u;\nconst DEPTH = {}u;\nconst LEGS = {}u;\n{SOURCE}",
        shape.is_narrow,
        shape.line,
        shape.depth,
        shape.depth + 1,
    );
    Programs::new(gpu, "routes on square grids", &source, &PARTS, &BINDINGS)
}

/// Returns what all batches on a chart are given.
fn numbers(flat: &FlatRhumb, words: &SquareWords) -> Params {
    let mut at = [0; 8];
    at.copy_from_slice(&words.chart.first);
    let leaves = words.shape.leaves;
    let kind_shift = (0..32).find(|shift| (leaves - 1) >> shift < MOST_KINDS).unwrap_or(0);
    let kind_side = ((leaves - 1) >> kind_shift) + 1;
    Params {
        at,
        kinds: kind_side * kind_side,
        kind_side,
        kind_shift,
        values_room: words.shape.values,
        width: flat.size[0],
        prices: flat.prices,
        open_prices: flat.open_prices,
        metric: flat.metric,
        spacing: flat.spacing,
        is_direct: flat.is_direct.into(),
        has_diagonals: flat.has_diagonals.into(),
        is_weighted: (!flat.weights.is_empty()).into(),
        two: 2,
        ..Params::zeroed()
    }
}

fn times(laps: &Laps) -> Times {
    Times {
        order: laps.of(0..3),
        sight: laps.of([3]),
        price: laps.of([4]),
        first: laps.of([5]),
        count: laps.of([6]),
        scan: laps.of(7..10),
        walk: laps.of([10]),
        whole: laps.whole(),
        ..Times::default()
    }
}
