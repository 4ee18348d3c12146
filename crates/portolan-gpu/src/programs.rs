//! Programs on a graphics processor: what they read and write, running them in their order, and how long each took by the
//! processor's own clock.
//!
//! Not here: what any of them computes.

use crate::error::GpuError;
use crate::gpu::Gpu;
use std::time::Duration;
use wgpu::{
    BindGroup, BindGroupLayout, Buffer, BufferBindingType, BufferUsages, CommandEncoder, ComputePipeline, QuerySet,
};

/// The most groups in one direction that every processor takes.
pub(crate) const MOST_GROUPS: u32 = 65_535;

/// How many counters of kinds of tasks a group of threads adds up; `order.wgsl` has the same number.
pub(crate) const COUNTED: u32 = 4096;

/// What programs do with a piece of memory.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) enum Access {
    /// A few numbers that all threads read.
    Params,
    Read,
    Write,
}

/// Programs that share their bindings.
pub(crate) struct Programs {
    layout: BindGroupLayout,
    pipelines: Vec<(&'static str, ComputePipeline)>,
}

impl Programs {
    /// Translates programs. `source` is their text, `names` are their entry points, each once or more often, and `bindings`
    /// says what they do with the memory of each binding, from binding 0 on.
    ///
    /// # Errors
    /// When the processor refuses them.
    pub(crate) fn new(
        gpu: &Gpu,
        label: &'static str,
        source: &str,
        names: &[&'static str],
        bindings: &[Access],
    ) -> Result<Programs, GpuError> {
        let layout = layout(gpu, bindings);
        let source = wgpu::ShaderSource::Wgsl(source.into());
        let module = gpu.device.create_shader_module(wgpu::ShaderModuleDescriptor { label: Some(label), source });
        let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: Some(label),
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
        let pipeline = |name: &'static str| {
            let descriptor = wgpu::ComputePipelineDescriptor {
                label: Some(name),
                layout: Some(&pipeline_layout),
                module: &module,
                entry_point: Some(name),
                compilation_options: wgpu::PipelineCompilationOptions {
                    zero_initialize_workgroup_memory: false,
                    ..wgpu::PipelineCompilationOptions::default()
                },
                cache: None,
            };
            (name, gpu.device.create_compute_pipeline(&descriptor))
        };
        let mut names = names.to_vec();
        names.sort_unstable();
        names.dedup();
        let pipelines = names.into_iter().map(pipeline).collect();
        gpu.check()?;
        Ok(Programs { layout, pipelines })
    }

    /// Binds memory, from binding 0 on.
    pub(crate) fn bind(&self, gpu: &Gpu, buffers: &[&Buffer]) -> BindGroup {
        let entries: Vec<wgpu::BindGroupEntry> = (0..)
            .zip(buffers)
            .map(|(binding, buffer)| wgpu::BindGroupEntry { binding, resource: buffer.as_entire_binding() })
            .collect();
        let descriptor = wgpu::BindGroupDescriptor { label: None, layout: &self.layout, entries: &entries };
        gpu.device.create_bind_group(&descriptor)
    }

    fn pipeline(&self, name: &str) -> &ComputePipeline {
        let known = self.pipelines.iter().find(|(own, _)| *own == name);
        &known.expect("every part of a run is one of the programs").1
    }
}

fn layout(gpu: &Gpu, bindings: &[Access]) -> BindGroupLayout {
    let entry = |(binding, &access): (u32, &Access)| wgpu::BindGroupLayoutEntry {
        binding,
        visibility: wgpu::ShaderStages::COMPUTE,
        ty: wgpu::BindingType::Buffer {
            ty: match access {
                Access::Params => BufferBindingType::Uniform,
                Access::Read => BufferBindingType::Storage { read_only: true },
                Access::Write => BufferBindingType::Storage { read_only: false },
            },
            has_dynamic_offset: false,
            min_binding_size: None,
        },
        count: None,
    };
    let entries: Vec<wgpu::BindGroupLayoutEntry> = (0..).zip(bindings).map(entry).collect();
    gpu.device.create_bind_group_layout(&wgpu::BindGroupLayoutDescriptor { label: None, entries: &entries })
}

/// The clock of a processor: marks before and after each part of a run.
pub(crate) struct Clock {
    marks: QuerySet,
    resolved: Buffer,
    read: Buffer,
    most_parts: u32,
}

impl Clock {
    /// Returns a clock for runs of up to so many parts, or `None` if the processor has none.
    ///
    /// # Errors
    /// When the processor refuses the memory.
    pub(crate) fn new(gpu: &Gpu, most_parts: u32) -> Result<Option<Clock>, GpuError> {
        if !gpu.has_clock() {
            return Ok(None);
        }
        let count = 2 * most_parts;
        let descriptor = wgpu::QuerySetDescriptor { label: Some("clock"), ty: wgpu::QueryType::Timestamp, count };
        let bytes = 8 * u64::from(count);
        Ok(Some(Clock {
            marks: gpu.device.create_query_set(&descriptor),
            resolved: gpu.buffer("marks", bytes, BufferUsages::QUERY_RESOLVE | BufferUsages::COPY_SRC)?,
            read: gpu.buffer("read marks", bytes, BufferUsages::MAP_READ | BufferUsages::COPY_DST)?,
            most_parts,
        }))
    }
}

/// Commands that the processor carries out one after another.
pub(crate) struct Run<'a> {
    gpu: &'a Gpu,
    programs: &'a Programs,
    clock: Option<&'a Clock>,
    /// For copies and for clearing memory between the parts.
    pub(crate) encoder: CommandEncoder,
    parts: u32,
    names: Vec<&'static str>,
}

impl<'a> Run<'a> {
    pub(crate) fn new(gpu: &'a Gpu, programs: &'a Programs, clock: Option<&'a Clock>) -> Run<'a> {
        let encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        Run { gpu, programs, clock, encoder, parts: 0, names: Vec::new() }
    }

    /// Adds a part: one program on this many groups of threads. Of more than 65,535 groups, as many as needed go one below
    /// another, so that there may be more of them than were asked for.
    pub(crate) fn dispatch(&mut self, name: &'static str, bound: &BindGroup, groups: u32) {
        let part = self.parts;
        self.parts += 1;
        self.names.push(name);
        let timestamp_writes = self.clock.map(|clock| {
            assert!(part < clock.most_parts, "a run has no more parts than its clock");
            wgpu::ComputePassTimestampWrites {
                query_set: &clock.marks,
                beginning_of_pass_write_index: Some(2 * part),
                end_of_pass_write_index: Some(2 * part + 1),
            }
        });
        let descriptor = wgpu::ComputePassDescriptor { label: Some(name), timestamp_writes };
        let mut pass = self.encoder.begin_compute_pass(&descriptor);
        pass.set_pipeline(self.programs.pipeline(name));
        pass.set_bind_group(0, bound, &[]);
        let across = groups.clamp(1, MOST_GROUPS);
        pass.dispatch_workgroups(across, groups.div_ceil(across), 1);
    }

    /// Hands the commands to the processor. If there is a clock, waits for their end, and returns their times.
    ///
    /// # Errors
    /// When the processor has failed.
    pub(crate) fn submit(mut self) -> Result<Laps, GpuError> {
        let bytes = 16 * u64::from(self.parts);
        if let Some(clock) = self.clock.filter(|_| self.parts > 0) {
            self.encoder.resolve_query_set(&clock.marks, 0..2 * self.parts, &clock.resolved, 0);
            self.encoder.copy_buffer_to_buffer(&clock.resolved, 0, &clock.read, 0, bytes);
        }
        self.gpu.queue.submit([self.encoder.finish()]);
        self.gpu.check()?;
        let Some(clock) = self.clock.filter(|_| self.parts > 0) else { return Ok(Laps::default()) };
        let read = self.gpu.read(&[(&clock.read, bytes)])?;
        let marks: Vec<u64> = bytemuck::pod_collect_to_vec(&read[0]);
        Ok(Laps { names: self.names, marks, period: f64::from(self.gpu.queue.get_timestamp_period()) })
    }
}

/// How long the parts of a run took. All times are zero if there is no clock.
#[derive(Default)]
pub(crate) struct Laps {
    /// The program of each part.
    pub(crate) names: Vec<&'static str>,
    /// When each part began and ended, in ticks.
    marks: Vec<u64>,
    /// The nanoseconds of a tick.
    period: f64,
}

impl Laps {
    /// Returns how long some parts took together.
    pub(crate) fn of(&self, parts: impl IntoIterator<Item = usize>) -> Duration {
        parts.into_iter().map(|part| self.between(2 * part, 2 * part + 1)).sum()
    }

    /// Returns the time from the beginning of the first part to the end of the last.
    pub(crate) fn whole(&self) -> Duration {
        self.between(0, self.marks.len().max(1) - 1)
    }

    fn between(&self, from: usize, to: usize) -> Duration {
        let ticks = |mark: usize| self.marks.get(mark).copied().unwrap_or(0);
        Duration::from_nanos((ticks(to).saturating_sub(ticks(from)) as f64 * self.period) as u64)
    }
}
