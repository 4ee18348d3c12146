//! Running the programs of `mesh/*.wgsl`: the chart and the working memory on the processor, and what comes back.
//!
//! Not here: what the numbers mean to a caller (`mesh.rs`).

mod edits;
mod results;

use super::TASK;
use super::edit::Change;
use super::kit::Kit;
use super::search::{Rounds, SearchMemory};
use super::traffic::Counts;
use crate::chart::ChartWords;
use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::memory::Room;
use crate::programs::{COUNTED, Clock, Laps, Programs, Run};
use crate::times::Times;
use bytemuck::{Pod, Zeroable};
use edits::Edits;
use portolan::flat::FlatOpenList;
use results::Totals;
use std::ops::Range;
use wgpu::{BindGroup, Buffer, BufferUsages};

pub(super) use results::Written;

/// The threads of a group where there is one thread for each task.
pub(super) const LANES: u32 = 64;
/// How many numbers a group adds up.
const SCANNED: u32 = 1024;
/// The tasks of a group, whose portals lie side by side.
const GROUP: u32 = 32;
/// The first word of a choice if the route is not known.
pub(super) const UNKNOWN: u32 = 3;
/// Corridors are kept by four words.
const FOUR: u64 = 4;
/// The most kinds of tasks that are told apart by the nodes of their ends.
const MOST_KINDS: u32 = 1 << 16;
/// The most kinds of tasks that are told apart by the inter-edges at the ends of their ways.
const MOST_WAYS: u32 = 1 << 18;
/// The most inter-edges of which all pairs can be numbered.
const MOST_PAIRED: u32 = u16::MAX as u32;
/// The counters of searches behind those of the kinds of tasks: words of trails, whether these are too many, and the next task of
/// each search, how many threads have ended within a search, and for each search how often 64 nodes were expanded and 64 edges looked
/// at. Behind them, how many tasks have their places in the order by kinds, and in that by ways.
const COUNTERS: u32 = 11;
const COUNTERS_BYTES: u64 = 4 * COUNTERS as u64;
/// The place of how many threads have ended within a search.
const SEARCHES_LEFT: u32 = 4;
/// How many kinds of tasks searches tell apart, by distance: two points are less than 2^24 steps apart, which is cut to 12 bits.
const DISTANCES: u32 = 1 << 12;
/// The words of a trail for which there is room at first.
const TRAIL: u64 = 48;
/// The numbers that programs are given beside the chart; `mesh/chart.wgsl` has the same list.
#[repr(C)]
#[derive(Copy, Clone, Pod, Zeroable)]
struct Params {
    at: [u32; 28],
    tasks: u32,
    width: u32,
    corridor_room: u32,
    places_room: u32,
    scanned: u32,
    scan_count: u32,
    scan_blocks: u32,
    kinds: u32,
    nodes: u32,
    portals: u32,
    borders: u32,
    least_weight: u32,
    workers: u32,
    list_stride: u32,
    list_room: u32,
    steps: u32,
    buckets: [u32; 2],
    shifts: [u32; 2],
    ways: u32,
    pairs: u32,
    spare: [u32; 2],
}

/// The programs, the chart, and working memory that is kept from batch to batch.
pub(super) struct Runner {
    gpu: Gpu,
    programs: Programs,
    kit: Kit,
    chart: Buffer,
    edits: Edits,
    first: [u32; 28],
    width: u32,
    nodes: u32,
    borders: u32,
    /// The most fours of a row of costs from a portal to the inter-edges of its node.
    most_fours: u32,
    least_weight: u32,
    params: [Buffer; 2],
    tasks: Room,
    choices: Room,
    offsets: Room,
    corridor: Room,
    places: Room,
    tallies: Room,
    /// What threads that search keep: records of portals, open lists, where they go on, records of inter-edges.
    searches: [Room; 4],
    /// Buffers from which results are read: totals, choices, offsets, places.
    totals: Room,
    read_choices: Room,
    read_offsets: Room,
    read_places: Room,
    clock: Option<Clock>,
    counts: Counts,
}

impl Runner {
    pub(super) fn new(gpu: Gpu, words: &ChartWords, kit: Kit) -> Result<Runner, GpuError> {
        let programs =
            Programs::new(&gpu, kit.label, &[gpu.exact_text(), kit.source].concat(), kit.parts, kit.bindings)?;
        let written = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let working = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let read = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let chart = gpu.buffer("chart", 4 * words.words.len() as u64, written)?;
        gpu.queue.write_buffer(&chart, 0, bytemuck::cast_slice(&words.words));
        let params =
            || gpu.buffer("params", size_of::<Params>() as u64, BufferUsages::UNIFORM | BufferUsages::COPY_DST);
        let mut totals = Room::new(&gpu, "totals", read)?;
        totals.grow(&gpu, 8 + COUNTERS_BYTES)?;
        let mut first = [0; 28];
        first[..words.first.len()].copy_from_slice(&words.first);
        Ok(Runner {
            params: [params()?, params()?],
            edits: Edits::new(&gpu, &chart)?,
            tasks: Room::new(&gpu, "tasks", written)?,
            choices: Room::new(&gpu, "choices", working)?,
            offsets: Room::new(&gpu, "offsets", working)?,
            corridor: Room::new(&gpu, "corridor", working)?,
            places: Room::new(&gpu, "places", working)?,
            tallies: Room::new(&gpu, "tallies", written | BufferUsages::COPY_SRC)?,
            searches: [
                Room::new(&gpu, "records", written)?,
                Room::new(&gpu, "open lists", written)?,
                Room::new(&gpu, "states", written)?,
                Room::new(&gpu, "records of inter-edges", written)?,
            ],
            totals,
            read_choices: Room::new(&gpu, "read choices", read)?,
            read_offsets: Room::new(&gpu, "read offsets", read)?,
            read_places: Room::new(&gpu, "read places", read)?,
            clock: Clock::new(&gpu, (kit.parts.len() as u32).max(Rounds::MOST_RUNS))?,
            counts: Counts::default(),
            gpu,
            programs,
            kit,
            chart,
            first,
            width: words.width,
            nodes: words.nodes,
            borders: words.borders,
            most_fours: words.fours_by_node().max().unwrap_or(0),
            least_weight: words.least_weight,
        })
    }

    pub(super) fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Writes ranges of words of the chart. Returns how many bytes were written.
    pub(super) fn patch(&mut self, words: &ChartWords, changes: &[Range<usize>]) -> Result<usize, GpuError> {
        self.least_weight = words.least_weight;
        self.edits.flush(&self.gpu, &self.chart)?;
        self.gpu.patch(&self.chart, &words.words, changes)
    }

    /// Hands over changed words of the chart. Returns how many bytes that took.
    pub(super) fn edit(&mut self, words: &ChartWords, changes: &[Change]) -> Result<usize, GpuError> {
        self.least_weight = words.least_weight;
        self.edits.write(&self.gpu, &self.chart, changes)
    }

    /// Returns what the latest batch has looked at.
    pub(super) fn counts(&self) -> Counts {
        self.counts
    }

    /// Returns the programs of a batch in their order.
    pub(super) fn parts(&self) -> &'static [&'static str] {
        self.kit.parts
    }

    /// Takes what else an edit has changed for searches: how open lists are laid out.
    pub(super) fn set_lists(&mut self, lists: [FlatOpenList; 2]) {
        if let Some(search) = &mut self.kit.search {
            search.set_lists(lists);
        }
    }

    pub(super) fn set_kit(&mut self, kit: Kit) {
        self.kit = kit;
    }

    /// Routes these tasks. If corridors or routes turn out to need more room than there is, they are computed again
    /// with enough. Then `take` is given the results.
    pub(super) fn run(&mut self, tasks: &[u32], take: impl FnOnce(&Written)) -> Result<Times, GpuError> {
        let count = (tasks.len() / TASK) as u32;
        let blocks = (count + 1).div_ceil(SCANNED);
        let kinds = self.kinds();
        self.tallies.grow(&self.gpu, 4 * u64::from(kinds + COUNTERS + self.ways().0))?;
        self.tasks.grow(&self.gpu, 4 * tasks.len() as u64)?;
        self.choices.grow(&self.gpu, 16 * u64::from(count))?;
        self.offsets.grow(&self.gpu, 4 * (3 * (u64::from(count) + 1) + u64::from(blocks)))?;
        if self.kit.search.is_none() {
            self.corridor.grow(&self.gpu, 4 * FOUR * u64::from(self.most_fours) * u64::from(count))?;
        }
        if let Some(search) = self.kit.search {
            for (room, bytes) in self.searches.iter_mut().zip(search.bytes()) {
                room.grow(&self.gpu, bytes * u64::from(search.workers(&self.gpu, count)))?;
            }
            self.places.grow(&self.gpu, 4 * TRAIL * u64::from(count))?;
        }
        self.gpu.queue.write_buffer(&self.tasks.buffer, 0, bytemuck::cast_slice(tasks));
        loop {
            let times = self.compute(count)?;
            let Totals { corridor, places, trail, searched } = self.read_totals(count)?;
            // Corridors are kept by four words, those of a group as long as the longest of them.
            let portals = FOUR * u64::from(corridor);
            let (tasks, corners) = (u64::from(count), FOUR * u64::from(places));
            self.counts = Counts { tasks, portals, corners, searched };
            let has_grown = self.corridor.grow(&self.gpu, 4 * FOUR * u64::from(corridor))?;
            let words = (FOUR * u64::from(places)).max(u64::from(trail));
            if self.places.grow(&self.gpu, 4 * words)? || has_grown {
                continue;
            }
            self.read_results(count, places, take)?;
            return Ok(times);
        }
    }

    /// Routes the latest tasks again and again, and leaves the results on the processor. Returns the times of each round.
    pub(super) fn again(&mut self, count: u32, rounds: usize) -> Result<Vec<Times>, GpuError> {
        (0..rounds).map(|_| self.compute(count)).collect()
    }

    /// Returns how many kinds of tasks are told apart.
    fn kinds(&self) -> u32 {
        if self.kit.search.is_some() { DISTANCES } else { self.nodes.saturating_mul(self.nodes).min(MOST_KINDS) }
    }

    /// Returns how many kinds of ways over inter-edges are told apart, and how many pairs of inter-edges are of one kind.
    fn ways(&self) -> (u32, u32) {
        let pairs = self.borders.min(MOST_PAIRED).pow(2).max(1);
        let of_one_kind = pairs.div_ceil(MOST_WAYS);
        (pairs.div_ceil(of_one_kind), of_one_kind)
    }

    /// Writes the numbers that programs are given. Returns how many threads search.
    fn write_params(&self, count: u32, scans: [(u32, u32); 2]) -> u32 {
        let room = |words: u64| u32::try_from(words).unwrap_or(u32::MAX);
        let search = self.kit.search.as_ref();
        let workers = search.map_or(0, |search| search.workers(&self.gpu, count));
        let (ways, pairs) = self.ways();
        for (params, (scanned, scan_count)) in self.params.iter().zip(scans) {
            let numbers = Params {
                at: self.first,
                tasks: count,
                width: self.width,
                corridor_room: room(self.corridor.words() / FOUR),
                places_room: room(self.places.words() / FOUR),
                scanned,
                scan_count,
                scan_blocks: scan_count.div_ceil(SCANNED),
                kinds: self.kinds(),
                nodes: self.nodes,
                portals: search.map_or(0, |search| search.portals),
                borders: search.map_or(self.borders, |search| search.borders),
                least_weight: self.least_weight,
                workers,
                list_stride: search.map_or(0, SearchMemory::list_stride),
                list_room: search.map_or(0, |search| search.list_room),
                steps: Rounds::on(&self.gpu).steps,
                buckets: search.map_or([0; 2], |search| search.buckets),
                shifts: search.map_or([0; 2], |search| search.shifts),
                ways,
                pairs,
                spare: [0; 2],
            };
            self.gpu.queue.write_buffer(params, 0, bytemuck::bytes_of(&numbers));
        }
        workers
    }

    /// Runs all parts and returns their times.
    fn compute(&mut self, count: u32) -> Result<Times, GpuError> {
        self.edits.flush(&self.gpu, &self.chart)?;
        let scans = [(0, count.div_ceil(GROUP) + 1), (count + 1, count + 1)];
        let workers = self.write_params(count, scans);
        let groups = [self.bind(0), self.bind(1)];
        let mut spent = Times::default();
        let mut run = Run::new(&self.gpu, &self.programs, self.clock.as_ref());
        run.encoder.clear_buffer(&self.tallies.buffer, 0, None);
        let threads = (count + 1).next_multiple_of(GROUP).div_ceil(LANES) + 1;
        // The lengths of corridors are added up first, those of routes after the program that finds these.
        let mut later = 0;
        for &name in self.kit.parts {
            let size = match name {
                "scan_blocks" | "scan_add" => scans[later].1.div_ceil(SCANNED),
                "scan_sums" => 1,
                "scan_tally" => self.kinds().div_ceil(COUNTED),
                "scan_ways" => self.ways().0.div_ceil(COUNTED),
                "search" | "search_borders" => workers.div_ceil(LANES),
                _ => threads,
            };
            if matches!(name, "search" | "search_borders") {
                spent.add(times(&run.submit()?));
                spent.add(self.search_in_rounds(name, &groups[0], size, count)?);
                run = Run::new(&self.gpu, &self.programs, self.clock.as_ref());
            } else {
                run.dispatch(name, &groups[later], size);
            }
            if name == "walk" {
                later = 1;
            }
        }
        spent.add(times(&run.submit()?));
        Ok(spent)
    }

    /// Runs a program that searches until all tasks are done, each time with a limited number of steps.
    fn search_in_rounds(
        &self,
        name: &'static str,
        bound: &BindGroup,
        size: u32,
        count: u32,
    ) -> Result<Times, GpuError> {
        let mut spent = Times::default();
        let counters = 4 * u64::from(self.kinds());
        loop {
            let mut run = Run::new(&self.gpu, &self.programs, self.clock.as_ref());
            for _ in 0..Rounds::on(&self.gpu).runs {
                run.encoder.clear_buffer(&self.tallies.buffer, counters + 4 * u64::from(SEARCHES_LEFT), Some(4));
                run.dispatch(name, bound, size);
            }
            spent.add(times(&run.submit()?));
            let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
            encoder.copy_buffer_to_buffer(&self.tallies.buffer, counters + 8, &self.totals.buffer, 0, 12);
            self.gpu.queue.submit([encoder.finish()]);
            let read = self.gpu.read(&[(&self.totals.buffer, 12)])?;
            let read: Vec<u32> = bytemuck::pod_collect_to_vec(&read[0]);
            let taken = read[usize::from(name == "search_borders")];
            if taken >= count && read[2] == 0 {
                return Ok(spent);
            }
        }
    }

    fn bind(&self, params: usize) -> BindGroup {
        let [records, lists, states, border_records] = &self.searches;
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
            &records.buffer,
            &lists.buffer,
            &states.buffer,
            &border_records.buffer,
        ];
        self.programs.bind(&self.gpu, &buffers[..self.kit.bindings.len()])
    }
}

fn times(laps: &Laps) -> Times {
    let mut times = Times { whole: laps.whole(), ..Times::default() };
    for (part, &name) in laps.names.iter().enumerate() {
        let time = match name {
            "tally" | "scan_tally" | "arrange" | "scan_ways" | "arrange_ways" => &mut times.order,
            "price" => &mut times.price,
            "search" | "search_borders" => &mut times.search,
            "count" => &mut times.count,
            "walk" => &mut times.walk,
            "gather" => &mut times.gather,
            _ => &mut times.scan,
        };
        *time += laps.of([part]);
    }
    times
}
