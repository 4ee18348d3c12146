//! A graphics processor: opening it, making programs and memory on it, and reading back what it has written.
//!
//! Not here: what is computed on it.

use crate::error::GpuError;
use std::ops::Range;
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use wgpu::{Buffer, BufferUsages, Device, Queue};

/// Which processor is wanted.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum Kind {
    /// The fastest there is, a program on the CPU if there is nothing else.
    #[default]
    Any,
    /// A real graphics processor.
    Hardware,
    /// A driver that computes on the CPU, for tests.
    Software,
}

/// A graphics processor that is ready for use. Clones share it.
#[derive(Clone)]
pub struct Gpu {
    pub(crate) device: Device,
    pub(crate) queue: Queue,
    name: String,
    is_software: bool,
    /// Whether programs may use whole numbers of 64 bits.
    is_wide: bool,
    /// The most bytes of one buffer.
    most_bytes: u64,
    /// The first error that the device has told outside a call.
    fault: Arc<Mutex<Option<String>>>,
}

impl Gpu {
    /// Opens a processor.
    ///
    /// # Errors
    /// When there is none of this kind, or it refuses to be opened.
    pub fn open(kind: Kind) -> Result<Gpu, GpuError> {
        pollster::block_on(Gpu::open_soon(kind))
    }

    async fn open_soon(kind: Kind) -> Result<Gpu, GpuError> {
        let instance = wgpu::Instance::new(wgpu::InstanceDescriptor::new_without_display_handle());
        let mut adapters = instance.enumerate_adapters(wgpu::Backends::PRIMARY).await;
        let rank = |adapter: &wgpu::Adapter| match adapter.get_info().device_type {
            wgpu::DeviceType::DiscreteGpu => 0,
            wgpu::DeviceType::VirtualGpu => 1,
            wgpu::DeviceType::IntegratedGpu => 2,
            wgpu::DeviceType::Other => 3,
            wgpu::DeviceType::Cpu => 4,
        };
        adapters.retain(|adapter| match kind {
            Kind::Any => true,
            Kind::Hardware => rank(adapter) < 4,
            Kind::Software => rank(adapter) == 4,
        });
        adapters.sort_by_key(rank);
        let adapter = adapters.into_iter().next().ok_or_else(|| {
            GpuError::None(
                "no driver for Vulkan, Metal or DirectX 12 names one; mesa-vulkan-drivers has one for CPUs".into(),
            )
        })?;
        let info = adapter.get_info();
        let descriptor = wgpu::DeviceDescriptor {
            label: Some("portolan"),
            required_features: adapter.features() & (wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::SHADER_INT64),
            required_limits: adapter.limits(),
            ..wgpu::DeviceDescriptor::default()
        };
        let opened = adapter.request_device(&descriptor).await;
        let (device, queue) = opened.map_err(|error| GpuError::Refused(error.to_string()))?;
        let fault = Arc::new(Mutex::new(None));
        let noted = Arc::clone(&fault);
        let note = move |error: String| {
            noted.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        };
        let lost = note.clone();
        device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| note(error.to_string())));
        device.set_device_lost_callback(move |_, reason| lost(reason));
        let limits = device.limits();
        // Buffers take whole fours of words.
        let most_bytes = limits.max_buffer_size.min(limits.max_storage_buffer_binding_size) / 16 * 16;
        let is_wide = device.features().contains(wgpu::Features::SHADER_INT64);
        Ok(Gpu { device, queue, name: info.name, is_software: rank(&adapter) == 4, is_wide, most_bytes, fault })
    }

    /// Returns this processor with programs that use no whole numbers of 64 bits, as on processors that have none: for tests.
    #[doc(hidden)]
    #[must_use]
    pub fn narrow(&self) -> Gpu {
        Gpu { is_wide: false, ..self.clone() }
    }

    /// Returns the text of exact arithmetic for programs on this processor.
    pub(crate) fn exact_text(&self) -> &'static str {
        if self.is_wide { include_str!("exact_wide.wgsl") } else { include_str!("exact.wgsl") }
    }

    /// Returns the name of the processor.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns whether this is a program on the CPU.
    pub fn is_software(&self) -> bool {
        self.is_software
    }

    /// Returns the most bytes that a piece of memory may have.
    pub(crate) fn most_bytes(&self) -> u64 {
        self.most_bytes
    }

    /// Returns whether the processor has a clock.
    pub(crate) fn has_clock(&self) -> bool {
        self.device.features().contains(wgpu::Features::TIMESTAMP_QUERY)
    }

    /// Returns an error if the processor has told one.
    pub(crate) fn check(&self) -> Result<(), GpuError> {
        let fault = self.fault.lock().unwrap_or_else(PoisonError::into_inner).clone();
        fault.map_or(Ok(()), |fault| Err(GpuError::Failed(fault)))
    }

    /// Allocates memory.
    pub(crate) fn buffer(&self, label: &str, bytes: u64, usage: BufferUsages) -> Result<Buffer, GpuError> {
        if bytes > self.most_bytes {
            return Err(GpuError::TooLarge { needed: bytes, most: self.most_bytes });
        }
        let size = bytes.max(16).next_multiple_of(16);
        let descriptor = wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false };
        let buffer = self.device.create_buffer(&descriptor);
        self.check()?;
        Ok(buffer)
    }

    /// Writes changed words of a buffer. Returns how many bytes were written.
    pub(crate) fn patch(&self, buffer: &Buffer, words: &[u32], changes: &[Range<usize>]) -> Result<usize, GpuError> {
        for range in changes {
            self.queue.write_buffer(buffer, 4 * range.start as u64, bytemuck::cast_slice(&words[range.clone()]));
        }
        self.queue.submit([]);
        self.check()?;
        Ok(changes.iter().map(|range| 4 * range.len()).sum())
    }

    /// Waits until everything asked of the processor is done, and copies what buffers made for reading hold.
    pub(crate) fn read(&self, wanted: &[(&Buffer, u64)]) -> Result<Vec<Vec<u8>>, GpuError> {
        self.read_in_place(wanted, |read| read.iter().map(|bytes| bytes.to_vec()).collect())
    }

    /// Waits as [`Gpu::read`] does, and lets `look` read the numbers of the buffers where they are.
    pub(crate) fn read_words<R>(
        &self,
        wanted: &[(&Buffer, u64)],
        look: impl FnOnce(&[&[u32]]) -> R,
    ) -> Result<R, GpuError> {
        self.read_in_place(wanted, |read| {
            let words: Vec<&[u32]> = read.iter().map(|bytes| bytemuck::cast_slice(bytes)).collect();
            look(&words)
        })
    }

    fn read_in_place<R>(&self, wanted: &[(&Buffer, u64)], look: impl FnOnce(&[&[u8]]) -> R) -> Result<R, GpuError> {
        let (told, heard) = mpsc::channel();
        for &(buffer, bytes) in wanted {
            let told = told.clone();
            buffer.map_async(wgpu::MapMode::Read, 0..bytes.max(8), move |result| {
                let _ = told.send(result);
            });
        }
        let failed = |error: &dyn std::fmt::Display| GpuError::Failed(error.to_string());
        self.device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| failed(&error))?;
        self.check()?;
        for _ in wanted {
            heard.recv().map_err(|error| failed(&error))?.map_err(|error| failed(&error))?;
        }
        let mut views = Vec::with_capacity(wanted.len());
        for &(buffer, bytes) in wanted {
            views.push(buffer.get_mapped_range(0..bytes.max(8)).map_err(|error| failed(&error))?);
        }
        let bytes: Vec<&[u8]> = views.iter().zip(wanted).map(|(view, &(_, bytes))| &view[..bytes as usize]).collect();
        let result = look(&bytes);
        drop(views);
        for (buffer, _) in wanted {
            buffer.unmap();
        }
        Ok(result)
    }
}
