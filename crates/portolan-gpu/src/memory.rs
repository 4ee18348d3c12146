//! Memory on the processor that grows with what it has to hold.
//!
//! Not here: what is in it.

use crate::error::GpuError;
use crate::gpu::Gpu;
use wgpu::{Buffer, BufferUsages};

/// A buffer that is replaced by a larger one when it has to hold more.
pub(crate) struct Room {
    label: &'static str,
    usage: BufferUsages,
    pub(crate) buffer: Buffer,
    bytes: u64,
}

impl Room {
    /// Returns a buffer for these uses with the least room there can be.
    pub(crate) fn new(gpu: &Gpu, label: &'static str, usage: BufferUsages) -> Result<Room, GpuError> {
        Ok(Room { label, usage, buffer: gpu.buffer(label, 0, usage)?, bytes: 16 })
    }

    /// Makes room for this many bytes. What the buffer held is lost if it has to grow. Returns whether it has grown.
    pub(crate) fn grow(&mut self, gpu: &Gpu, bytes: u64) -> Result<bool, GpuError> {
        if bytes <= self.bytes {
            return Ok(false);
        }
        // A quarter more than needed, so that batches that grow slowly do not allocate each time.
        let bytes = if bytes < gpu.most_bytes() { (bytes + bytes / 4).min(gpu.most_bytes()) } else { bytes };
        self.buffer = gpu.buffer(self.label, bytes, self.usage)?;
        self.bytes = bytes;
        Ok(true)
    }

    /// Returns how many whole words of four bytes there is room for.
    pub(crate) fn words(&self) -> u64 {
        self.bytes / 4
    }
}

/// Copies parts of buffers to buffers made for reading, and returns what they hold: for each part the buffer, where the part
/// begins, the buffer for reading, and the bytes. All numbers are multiples of four.
pub(crate) fn read_back<const N: usize>(
    gpu: &Gpu,
    wanted: [(&Room, u64, &mut Room, u64); N],
) -> Result<Vec<Vec<u8>>, GpuError> {
    let mut encoder = gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    let mut copied = Vec::with_capacity(N);
    for (from, begin, to, bytes) in wanted {
        to.grow(gpu, bytes)?;
        if bytes > 0 {
            encoder.copy_buffer_to_buffer(&from.buffer, begin, &to.buffer, 0, bytes);
        }
        copied.push((&to.buffer, bytes));
    }
    gpu.queue.submit([encoder.finish()]);
    gpu.read(&copied)
}
