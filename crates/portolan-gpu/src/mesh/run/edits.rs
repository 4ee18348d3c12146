//! Handing over what edits have changed in a chart. Changed words are written to memory that the processor can read; before the next
//! batch a program puts each where it belongs.
//!
//! Not here: which words have changed (`edit.rs` of the mesh).

use super::LANES;
use crate::error::GpuError;
use crate::gpu::Gpu;
use crate::memory::Room;
use crate::mesh::edit::Change;
use crate::programs::{Access, Programs, Run};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use wgpu::{BindGroup, Buffer, BufferUsages, MapMode};

/// For how many changes there is room at first.
const ROOM: usize = 1 << 14;

/// Changed words on their way into a chart.
pub(super) struct Edits {
    programs: Programs,
    /// Memory that this program writes, and the changes in it.
    staged: Staged,
    count: usize,
    /// Memory of the processor: how many changes there are, then the changes.
    changes: Room,
    bound: BindGroup,
}

/// Memory that can be written while it is mapped.
struct Staged {
    buffer: Buffer,
    room: usize,
    is_mapped: Arc<AtomicBool>,
}

impl Staged {
    fn new(gpu: &Gpu, room: usize) -> Staged {
        let size = ((1 + room) * size_of::<Change>()) as u64;
        let descriptor = wgpu::BufferDescriptor {
            label: Some("staged edits"),
            size,
            usage: BufferUsages::MAP_WRITE | BufferUsages::COPY_SRC,
            mapped_at_creation: true,
        };
        let buffer = gpu.device.create_buffer(&descriptor);
        Staged { buffer, room, is_mapped: Arc::new(AtomicBool::new(true)) }
    }

    /// Writes changes from a place on.
    fn write(&self, place: usize, changes: &[Change]) -> Result<(), GpuError> {
        let begin = (place * size_of::<Change>()) as u64;
        let range = self.buffer.slice(begin..begin + size_of_val(changes) as u64);
        let mut mapped = range.get_mapped_range_mut().map_err(|error| GpuError::Failed(error.to_string()))?;
        mapped.copy_from_slice(bytemuck::cast_slice(changes));
        Ok(())
    }
}

impl Edits {
    pub(super) fn new(gpu: &Gpu, chart: &Buffer) -> Result<Edits, GpuError> {
        let source = include_str!("../scatter.wgsl");
        let programs = Programs::new(gpu, "edits of charts", source, &["scatter"], &[Access::Read, Access::Write])?;
        let changes = Room::new(gpu, "edits", BufferUsages::STORAGE | BufferUsages::COPY_DST)?;
        let bound = programs.bind(gpu, &[&changes.buffer, chart]);
        Ok(Edits { programs, staged: Staged::new(gpu, ROOM), count: 0, changes, bound })
    }

    /// Hands over changed words. Returns how many bytes that took.
    pub(super) fn write(&mut self, gpu: &Gpu, chart: &Buffer, changes: &[Change]) -> Result<usize, GpuError> {
        if self.count + changes.len() > self.staged.room {
            self.flush(gpu, chart)?;
        }
        // The processor may still be reading what was staged last.
        let _ = gpu.device.poll(wgpu::PollType::Poll);
        let is_mapped = self.staged.is_mapped.load(Ordering::Acquire);
        if !is_mapped || changes.len() > self.staged.room {
            self.staged = Staged::new(gpu, changes.len().max(ROOM));
        }
        self.staged.write(1 + self.count, changes)?;
        self.count += changes.len();
        gpu.check()?;
        Ok(size_of_val(changes))
    }

    /// Puts all words that were handed over into the chart.
    pub(super) fn flush(&mut self, gpu: &Gpu, chart: &Buffer) -> Result<(), GpuError> {
        let count = std::mem::take(&mut self.count);
        if count == 0 {
            return Ok(());
        }
        self.staged.write(0, &[[count as u32, 0]])?;
        self.staged.buffer.unmap();
        self.staged.is_mapped.store(false, Ordering::Release);
        let bytes = ((1 + count) * size_of::<Change>()) as u64;
        if self.changes.grow(gpu, bytes)? {
            self.bound = self.programs.bind(gpu, &[&self.changes.buffer, chart]);
        }
        let mut run = Run::new(gpu, &self.programs, None);
        run.encoder.copy_buffer_to_buffer(&self.staged.buffer, 0, &self.changes.buffer, 0, bytes);
        run.dispatch("scatter", &self.bound, (count as u32).div_ceil(LANES));
        run.submit()?;
        let is_mapped = Arc::clone(&self.staged.is_mapped);
        self.staged.buffer.map_async(MapMode::Write, .., move |result| {
            is_mapped.store(result.is_ok(), Ordering::Release);
        });
        Ok(())
    }
}
