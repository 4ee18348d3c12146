//! Running the programs of `crowd/*.wgsl`: what lies on the processor, a tick, and what comes back.
//!
//! Not here: what happens if the processor fails (`crowd.rs`).

use super::CrowdTimes;
use super::layout::{GroundWords, Params, SCANNED, bodies, body_words, point_words, walk_words, walks};
use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::programs::{Access, Clock, Laps, Programs, Run};
use portolan_sim::crowd::flat::{Body, FlatCrowd, FlatGround, FlatPlace, Walk};
use wgpu::{BindGroup, Buffer, BufferUsages};

/// The threads of a group where there is one thread for each agent.
const LANES: u32 = 64;
/// The programs of a tick in their order.
const PARTS: [&str; 7] = ["count", "scan_blocks", "scan_sums", "scan_add", "sort", "steer", "advance"];
/// What the programs do with the memory of each binding; `crowd/data.wgsl` has the same list.
const BINDINGS: [Access; 9] = [
    Access::Params,
    Access::Read,
    Access::Read,
    Access::Write,
    Access::Write,
    Access::Write,
    Access::Write,
    Access::Write,
    Access::Write,
];
/// The words of working memory that an agent takes beside its place.
const WORK: u64 = 5;
/// The bytes of an agent's body, and of its walk.
const STATE: u64 = 16;

/// The text of the programs before that of the ground, and after it.
const BEFORE: &str = concat!(include_str!("data.wgsl"), include_str!("whole.wgsl"));
const SQUARES: &str = include_str!("squares.wgsl");
const POLYGONS: &str = include_str!("polygons.wgsl");
const AFTER: &str = concat!(
    include_str!("bins.wgsl"),
    include_str!("../scan.wgsl"),
    include_str!("steer.wgsl"),
    include_str!("advance.wgsl"),
);

/// The programs and everything that a crowd has on the processor.
pub(super) struct Runner {
    gpu: Gpu,
    programs: Programs,
    numbers: Params,
    params: Buffer,
    bodies: Buffer,
    walks: Buffer,
    offsets: Buffer,
    tallies: Buffer,
    work: Buffer,
    bound: BindGroup,
    read_places: Buffer,
    /// Buffers from which the whole state is read, once that was asked for.
    read_state: Option<[Buffer; 2]>,
    clock: Option<Clock>,
    bytes: [u64; 3],
}

impl Runner {
    /// Uploads a crowd.
    pub(super) fn new(gpu: Gpu, crowd: &FlatCrowd) -> Result<Runner, GpuError> {
        let kind = match crowd.ground() {
            FlatGround::Squares(_) => SQUARES,
            FlatGround::Polygons(_) => POLYGONS,
        };
        let source = [BEFORE, gpu.exact_text(), kind, AFTER].concat();
        let ground_words = GroundWords::new(crowd.ground());
        let numbers = ground_words.params(crowd);
        let agents = u64::from(numbers.agents);
        let place_bytes = 4 * u64::from(numbers.place_words) * agents;
        let work_bytes = 4 * WORK * agents + place_bytes;
        let offset_bytes = 4 * (u64::from(numbers.scan_count) + u64::from(numbers.scan_blocks));
        let tally_bytes = 4 * u64::from(numbers.scan_count);
        let points = point_words(crowd);
        let given = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let working = BufferUsages::STORAGE | BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        let upload = |label: &str, words: &[i32]| -> Result<Buffer, GpuError> {
            let buffer = gpu.buffer(label, 4 * words.len() as u64, given)?;
            gpu.queue.write_buffer(&buffer, 0, bytemuck::cast_slice(words));
            Ok(buffer)
        };
        // What does not fit is refused before anything is made of it.
        let work = gpu.buffer("work", work_bytes, working)?;
        let ground = upload("ground", &ground_words.words)?;
        let points_buffer = upload("points", &points)?;
        let seen = gpu.buffer("seen", STATE * agents, working)?;
        let (bodies, walks) =
            (gpu.buffer("bodies", STATE * agents, working)?, gpu.buffer("walks", STATE * agents, working)?);
        let (offsets, tallies) =
            (gpu.buffer("offsets", offset_bytes, working)?, gpu.buffer("tallies", tally_bytes, working)?);
        let params =
            gpu.buffer("params", size_of::<Params>() as u64, BufferUsages::UNIFORM | BufferUsages::COPY_DST)?;
        let read_places = gpu.buffer("read places", place_bytes, BufferUsages::MAP_READ | BufferUsages::COPY_DST)?;
        gpu.queue.write_buffer(&bodies, 0, bytemuck::cast_slice(&body_words(crowd.bodies())));
        gpu.queue.write_buffer(&walks, 0, bytemuck::cast_slice(&walk_words(crowd.walks())));
        let programs = Programs::new(&gpu, "a crowd", &source, &PARTS, &BINDINGS)?;
        let buffers = [&params, &ground, &points_buffer, &bodies, &walks, &offsets, &tallies, &seen, &work];
        let bound = programs.bind(&gpu, &buffers);
        let clock = Clock::new(&gpu, PARTS.len() as u32)?;
        gpu.check()?;
        let squares = offset_bytes + tally_bytes;
        let bytes =
            [4 * ground_words.words.len() as u64, 4 * points.len() as u64, 3 * STATE * agents + work_bytes + squares];
        Ok(Runner {
            gpu,
            programs,
            numbers,
            params,
            bodies,
            walks,
            offsets,
            tallies,
            work,
            bound,
            read_places,
            read_state: None,
            clock,
            bytes,
        })
    }

    /// Returns the bytes of ground, routes, and agents with their working memory.
    pub(super) fn bytes(&self) -> [u64; 3] {
        self.bytes
    }

    /// Returns the bytes of all places.
    pub(super) fn bytes_of_places(&self) -> u64 {
        4 * u64::from(self.numbers.place_words) * u64::from(self.numbers.agents)
    }

    /// Has the processor compute a tick, and waits for it if wanted.
    pub(super) fn tick(&mut self, tick: u64, waits: bool) -> Result<(), GpuError> {
        self.run(tick, false)?;
        if waits {
            self.gpu.read(&[])?;
        }
        Ok(())
    }

    /// Has the processor compute a tick, and returns how long that took.
    pub(super) fn timed_tick(&mut self, tick: u64) -> Result<CrowdTimes, GpuError> {
        let laps = self.run(tick, true)?;
        self.gpu.read(&[])?;
        Ok(CrowdTimes {
            count: laps.of([0]),
            scan: laps.of([1, 2, 3]),
            sort: laps.of([4]),
            steer: laps.of([5]),
            advance: laps.of([6]),
            whole: laps.whole(),
        })
    }

    fn run(&mut self, tick: u64, is_timed: bool) -> Result<Laps, GpuError> {
        self.numbers.tick = tick as u32;
        self.gpu.queue.write_buffer(&self.params, 0, bytemuck::bytes_of(&self.numbers));
        let clock = self.clock.as_ref().filter(|_| is_timed);
        let mut run = Run::new(&self.gpu, &self.programs, clock);
        run.encoder.clear_buffer(&self.tallies, 0, None);
        for name in PARTS {
            if name == "scan_blocks" {
                let bytes = 4 * u64::from(self.numbers.scan_count);
                run.encoder.copy_buffer_to_buffer(&self.tallies, 0, &self.offsets, 0, bytes);
            }
            let groups = match name {
                "scan_blocks" | "scan_add" => self.numbers.scan_count.div_ceil(SCANNED),
                "scan_sums" => 1,
                _ => self.numbers.agents.div_ceil(LANES),
            };
            run.dispatch(name, &self.bound, groups);
        }
        run.submit()
    }

    /// Reads where all agents are.
    pub(super) fn places(&mut self) -> Result<Vec<FlatPlace>, GpuError> {
        let bytes = self.bytes_of_places();
        if bytes == 0 {
            return Ok(Vec::new());
        }
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let begin = 4 * WORK * u64::from(self.numbers.agents);
        encoder.copy_buffer_to_buffer(&self.work, begin, &self.read_places, 0, bytes);
        self.gpu.queue.submit([encoder.finish()]);
        let read = self.gpu.read(&[(&self.read_places, bytes)])?;
        let words: Vec<u32> = bytemuck::pod_collect_to_vec(&read[0]);
        let place = |words: &[u32]| FlatPlace {
            at: [words[0].cast_signed(), words[1].cast_signed()],
            polygon: words.get(2).copied().unwrap_or(0),
        };
        Ok(words.chunks_exact(self.numbers.place_words as usize).map(place).collect())
    }

    /// Reads the state of all agents.
    pub(super) fn state(&mut self) -> Result<(Vec<Body>, Vec<Walk>), GpuError> {
        let bytes = STATE * u64::from(self.numbers.agents);
        if bytes == 0 {
            return Ok((Vec::new(), Vec::new()));
        }
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        if self.read_state.is_none() {
            let buffer = || self.gpu.buffer("read state", bytes, usage);
            self.read_state = Some([buffer()?, buffer()?]);
        }
        let [read_bodies, read_walks] = self.read_state.as_ref().expect("it was made before");
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        encoder.copy_buffer_to_buffer(&self.bodies, 0, read_bodies, 0, bytes);
        encoder.copy_buffer_to_buffer(&self.walks, 0, read_walks, 0, bytes);
        self.gpu.queue.submit([encoder.finish()]);
        let read = self.gpu.read(&[(read_bodies, bytes), (read_walks, bytes)])?;
        let words = |bytes: &[u8]| -> Vec<u32> { bytemuck::pod_collect_to_vec(bytes) };
        Ok((bodies(&words(&read[0])), walks(&words(&read[1]))))
    }
}
