//! Running the programs of `field/*.wgsl`: the ground and the working memory on the processor, and what comes back.
//!
//! Not here: what the numbers mean to a caller (`field.rs`).

use super::FieldTimes;
use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::memory::Room;
use crate::programs::{Access, Clock, Programs, Run};
use bytemuck::{Pod, Zeroable};
use portolan::flat::FlatGrid;
use std::ops::Range;
use wgpu::{BindGroup, Buffer, BufferUsages};

/// The threads of a group.
const LANES: u32 = 256;
/// How many numbers a group adds up.
const SCANNED: u32 = 1024;
/// The nodes of a tile in a row, and with the rim around it.
const SIDE: usize = 32;
const WIDE: i32 = SIDE as i32 + 2;
/// The most groups that share the tiles of a turn.
const MOST_GROUPS: u32 = 2048;
/// How many turns are asked for at first, and at most, before the processor is asked whether tiles are left.
const TURNS: Range<u32> = 8..64;
/// The most parts of a run: the turns, and what comes before them.
const MOST_PARTS: u32 = TURNS.end + 4;
const PROGRAMS: [&str; 9] =
    ["clear", "seed", "relax", "point", "count", "scan_blocks", "scan_sums", "scan_add", "write_steps"];
/// The text of the programs.
const SOURCE: &str = concat!(
    include_str!("ground.wgsl"),
    include_str!("relax.wgsl"),
    include_str!("point.wgsl"),
    include_str!("descend.wgsl"),
    include_str!("../scan.wgsl"),
);
/// What the programs do with the memory of each binding; `field/ground.wgsl` has the same list.
const BINDINGS: [Access; 9] = [
    Access::Params,
    Access::Read,
    Access::Write,
    Access::Write,
    Access::Write,
    Access::Read,
    Access::Write,
    Access::Write,
    Access::Write,
];

/// The numbers that programs are given; `field/ground.wgsl` has the same list.
#[repr(C)]
#[derive(Copy, Clone, Pod, Zeroable)]
struct Params {
    offsets: [i32; 8],
    places: [i32; 8],
    prices: [u32; 8],
    nodes: u32,
    stride: u32,
    tiles: u32,
    across: u32,
    limit: u32,
    turn: u32,
    tasks: u32,
    room: u32,
    scanned: u32,
    scan_count: u32,
    scan_blocks: u32,
    spare: u32,
}

impl Params {
    fn of(flat: &FlatGrid) -> Params {
        let nodes = flat.moves.len();
        let across = flat.stride.div_ceil(SIDE);
        let tiles = across * nodes.div_ceil(flat.stride).div_ceil(SIDE);
        let place = |offset: i32| {
            let rows = if offset.abs() > 1 { offset.signum() } else { 0 };
            rows * WIDE + offset - rows * flat.stride as i32
        };
        Params {
            offsets: flat.offsets,
            places: flat.offsets.map(place),
            prices: flat.prices,
            nodes: nodes as u32,
            stride: flat.stride as u32,
            tiles: tiles as u32,
            across: across as u32,
            limit: 0,
            turn: 0,
            tasks: 0,
            room: 0,
            scanned: 0,
            scan_count: 0,
            scan_blocks: 0,
            spare: 0,
        }
    }
}

/// A field that lies on the processor.
pub(super) struct Laid {
    costs: Buffer,
    steps: Buffer,
}

/// The routes of many agents: what each costs, `u32::MAX` if there is none, how many steps it has, and all steps, four to a
/// word. Those of each agent begin a word.
pub(super) struct Walked {
    pub(super) found: Vec<[u32; 2]>,
    pub(super) ways: Vec<u32>,
}

/// The programs, the ground, and working memory that is kept from field to field.
pub(super) struct Runner {
    gpu: Gpu,
    programs: Programs,
    params: Params,
    /// The numbers for each of three turns.
    params_by_turn: [Buffer; 3],
    ground: Buffer,
    work: Buffer,
    tasks: Room,
    found: Room,
    offsets: Room,
    ways: Room,
    /// Memory from which results are read.
    read_counts: Buffer,
    read_costs: Room,
    read_steps: Room,
    clock: Option<Clock>,
    pub(super) times: FieldTimes,
}

impl Runner {
    pub(super) fn new(gpu: Gpu, flat: &FlatGrid, words: &[u32]) -> Result<Runner, GpuError> {
        let programs = Programs::new(&gpu, "fields", SOURCE, &PROGRAMS, &BINDINGS)?;
        let params = Params::of(flat);
        let written = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let working = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let read = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let ground = gpu.buffer("ground", 4 * words.len() as u64, written)?;
        gpu.queue.write_buffer(&ground, 0, bytemuck::cast_slice(words));
        let work = gpu.buffer("tiles", 4 * (4 + 6 * u64::from(params.tiles)), working | BufferUsages::COPY_DST)?;
        let numbers =
            || gpu.buffer("params", size_of::<Params>() as u64, BufferUsages::UNIFORM | BufferUsages::COPY_DST);
        Ok(Runner {
            params_by_turn: [numbers()?, numbers()?, numbers()?],
            tasks: Room::new(&gpu, "tasks", written)?,
            found: Room::new(&gpu, "found", working)?,
            offsets: Room::new(&gpu, "offsets", working)?,
            ways: Room::new(&gpu, "ways", working)?,
            read_counts: gpu.buffer("read counts", 16, read)?,
            read_costs: Room::new(&gpu, "read costs", read)?,
            read_steps: Room::new(&gpu, "read steps", read)?,
            clock: Clock::new(&gpu, MOST_PARTS)?,
            times: FieldTimes::default(),
            gpu,
            programs,
            params,
            ground,
            work,
        })
    }

    pub(super) fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Returns whether the ground lies on the processor in this form.
    pub(super) fn fits(&self, flat: &FlatGrid) -> bool {
        bytemuck::bytes_of(&Params::of(flat)) == bytemuck::bytes_of(&self.params)
    }

    /// Writes changed words of the ground.
    pub(super) fn patch(&self, words: &[u32], changes: &[Range<usize>]) -> Result<(), GpuError> {
        for range in changes {
            let bytes = bytemuck::cast_slice(&words[range.clone()]);
            self.gpu.queue.write_buffer(&self.ground, 4 * range.start as u64, bytes);
        }
        self.gpu.queue.submit([]);
        self.gpu.check()
    }

    /// Computes the field of these goals, and leaves it on the processor.
    pub(super) fn lay(&mut self, goals: &[u32], limit: u32) -> Result<Laid, GpuError> {
        let working = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let nodes = u64::from(self.params.nodes);
        let laid = Laid {
            costs: self.gpu.buffer("costs", 4 * nodes, working)?,
            steps: self.gpu.buffer("steps", nodes.next_multiple_of(4), working)?,
        };
        self.tasks.grow(&self.gpu, 4 * goals.len() as u64)?;
        self.gpu.queue.write_buffer(&self.tasks.buffer, 0, bytemuck::cast_slice(goals));
        let numbers = Params { limit, tasks: goals.len() as u32, ..self.params };
        self.tell(numbers);
        let bound = [0, 1, 2].map(|turn| self.bind(turn, &laid));
        self.times = FieldTimes::default();
        let mut run = Run::new(&self.gpu, &self.programs, self.clock.as_ref());
        run.encoder.clear_buffer(&self.work, 0, None);
        run.dispatch("clear", &bound[0], numbers.nodes.div_ceil(LANES));
        // The goals are listed for the turn after the last one, which is the first.
        run.dispatch("seed", &bound[2], numbers.tasks.div_ceil(LANES));
        let (mut done, mut turns) = (0, TURNS.start);
        loop {
            for turn in done..done + turns {
                run.dispatch("relax", &bound[turn as usize % 3], self.params.tiles.min(MOST_GROUPS));
            }
            done += turns;
            run.encoder.copy_buffer_to_buffer(&self.work, 0, &self.read_counts, 0, 16);
            self.times.relax += run.submit()?.whole();
            let counts: Vec<u32> = bytemuck::pod_collect_to_vec(&self.gpu.read(&[(&self.read_counts, 16)])?[0]);
            run = Run::new(&self.gpu, &self.programs, self.clock.as_ref());
            if counts[done as usize % 3] == 0 {
                break;
            }
            // Every turn settles at least the cheapest node that is not settled yet.
            if done > self.params.nodes.saturating_add(TURNS.end) {
                return Err(GpuError::Failed("it does not come to the end of a field".into()));
            }
            turns = (2 * turns).min(TURNS.end);
        }
        run.dispatch("point", &bound[0], self.params.nodes.div_ceil(4).div_ceil(LANES));
        self.times.point = run.submit()?.whole();
        self.times.turns = done;
        Ok(laid)
    }

    /// Reads a field: the cost and the step of each node.
    pub(super) fn fetch(&mut self, laid: &Laid) -> Result<(Vec<u32>, Vec<u8>), GpuError> {
        let nodes = u64::from(self.params.nodes);
        let sizes = [4 * nodes, nodes.next_multiple_of(4)];
        self.read_costs.grow(&self.gpu, sizes[0])?;
        self.read_steps.grow(&self.gpu, sizes[1])?;
        let (costs, steps) = (&self.read_costs.buffer, &self.read_steps.buffer);
        let mut read =
            self.read([(&laid.costs, costs, sizes[0]), (&laid.steps, steps, sizes[1])].into_iter())?.into_iter();
        let mut next = || read.next().unwrap_or_default();
        let (costs, mut steps) = (bytemuck::pod_collect_to_vec(&next()), next());
        steps.truncate(nodes as usize);
        Ok((costs, steps))
    }

    /// Follows the steps of a field from many nodes.
    pub(super) fn walk(&mut self, laid: &Laid, starts: &[u32]) -> Result<Walked, GpuError> {
        let count = starts.len() as u64;
        let blocks = (count + 1).div_ceil(u64::from(SCANNED));
        self.tasks.grow(&self.gpu, 4 * count)?;
        self.found.grow(&self.gpu, 8 * count)?;
        self.offsets.grow(&self.gpu, 4 * (count + 1 + blocks))?;
        self.gpu.queue.write_buffer(&self.tasks.buffer, 0, bytemuck::cast_slice(starts));
        let words = |room: &Room| u32::try_from(room.words()).unwrap_or(u32::MAX);
        self.walk_again(laid, starts.len(), false)?;
        self.read_costs.grow(&self.gpu, 8 * count)?;
        let read = self.read([(&self.found.buffer, &self.read_costs.buffer, 8 * count)].into_iter())?;
        let found: Vec<[u32; 2]> = bytemuck::pod_collect_to_vec(&read[0]);
        let total: u64 = found.iter().map(|&[_, steps]| u64::from(steps.div_ceil(4))).sum();
        self.ways.grow(&self.gpu, 4 * total)?;
        if total > u64::from(words(&self.ways)) {
            return Err(GpuError::TooLarge { needed: 4 * total, most: 4 * u64::from(u32::MAX) });
        }
        self.walk_again(laid, starts.len(), true)?;
        self.read_steps.grow(&self.gpu, 4 * total)?;
        let read = self.read([(&self.ways.buffer, &self.read_steps.buffer, 4 * total)].into_iter())?;
        Ok(Walked { found, ways: bytemuck::pod_collect_to_vec(&read[0]) })
    }

    /// Counts the steps of the latest agents, and writes them if `writes`.
    pub(super) fn walk_again(&mut self, laid: &Laid, agents: usize, writes: bool) -> Result<(), GpuError> {
        let tasks = agents as u32;
        let (scan_count, blocks) = (tasks + 1, (tasks + 1).div_ceil(SCANNED));
        let room = u32::try_from(self.ways.words()).unwrap_or(u32::MAX);
        self.tell(Params { tasks, scan_count, scan_blocks: blocks, room, ..self.params });
        let bound = self.bind(0, laid);
        let mut run = Run::new(&self.gpu, &self.programs, self.clock.as_ref());
        let threads = (tasks + 1).div_ceil(LANES);
        run.dispatch("count", &bound, threads);
        if writes {
            run.dispatch("scan_blocks", &bound, blocks);
            run.dispatch("scan_sums", &bound, 1);
            run.dispatch("scan_add", &bound, blocks);
            run.dispatch("write_steps", &bound, threads);
        }
        let laps = run.submit()?;
        self.times.count = laps.of([0]);
        if writes {
            (self.times.scan, self.times.write) = (laps.of(1..4), laps.of([4]));
        }
        Ok(())
    }

    /// Writes the numbers of all turns.
    fn tell(&self, numbers: Params) {
        for (turn, buffer) in (0..).zip(&self.params_by_turn) {
            self.gpu.queue.write_buffer(buffer, 0, bytemuck::bytes_of(&Params { turn, ..numbers }));
        }
    }

    fn bind(&self, turn: usize, laid: &Laid) -> BindGroup {
        let buffers = [
            &self.params_by_turn[turn],
            &self.ground,
            &laid.costs,
            &self.work,
            &laid.steps,
            &self.tasks.buffer,
            &self.found.buffer,
            &self.offsets.buffer,
            &self.ways.buffer,
        ];
        self.programs.bind(&self.gpu, &buffers)
    }

    /// Copies memory to where it can be read, and reads it.
    fn read<'a>(
        &self,
        wanted: impl Iterator<Item = (&'a Buffer, &'a Buffer, u64)> + Clone,
    ) -> Result<Vec<Vec<u8>>, GpuError> {
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        for (from, to, bytes) in wanted.clone().filter(|&(_, _, bytes)| bytes > 0) {
            encoder.copy_buffer_to_buffer(from, 0, to, 0, bytes);
        }
        self.gpu.queue.submit([encoder.finish()]);
        let wanted: Vec<_> = wanted.map(|(_, to, bytes)| (to, bytes)).collect();
        self.gpu.read(&wanted)
    }
}
