//! What a batch has written on the processor: how much of it there is, and reading it.
//!
//! Not here: turning it into routes (`places.rs` of the mesh).

use super::{COUNTERS_BYTES, GROUP, Runner};
use crate::error::GpuError;

/// What the processor has written for a piece of a batch.
pub(in crate::mesh) struct Written<'a> {
    /// For each task how its route leads, [`UNKNOWN`] if that is not known, what the route costs, how many corners it has, and
    /// a number more.
    pub(in crate::mesh) choices: &'a [u32],
    /// Where the fours of corners of each route begin.
    pub(in crate::mesh) offsets: &'a [u32],
    pub(in crate::mesh) corners: &'a [u32],
}

/// How much room the corridors, the routes and the trails of searches need.
pub(super) struct Totals {
    /// In fours.
    pub(super) corridor: u32,
    pub(super) places: u32,
    /// In words.
    pub(super) trail: u32,
    /// As in [`Counts`].
    pub(super) searched: [[u64; 2]; 2],
}

impl Runner {
    /// Returns how much room was needed.
    pub(super) fn read_totals(&mut self, count: u32) -> Result<Totals, GpuError> {
        let mut encoder = self.gpu.device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        let (groups, tasks) = (u64::from(count.div_ceil(GROUP)), u64::from(count));
        encoder.copy_buffer_to_buffer(&self.offsets.buffer, 4 * groups, &self.totals.buffer, 0, 4);
        encoder.copy_buffer_to_buffer(&self.offsets.buffer, 4 * (2 * tasks + 1), &self.totals.buffer, 4, 4);
        encoder.copy_buffer_to_buffer(
            &self.tallies.buffer,
            4 * u64::from(self.kinds()),
            &self.totals.buffer,
            8,
            COUNTERS_BYTES,
        );
        self.gpu.queue.submit([encoder.finish()]);
        let read = self.gpu.read(&[(&self.totals.buffer, 8 + COUNTERS_BYTES)])?;
        let totals: Vec<u32> = bytemuck::pod_collect_to_vec(&read[0]);
        if totals[3] != 0 {
            return Err(GpuError::TooLarge { needed: u64::from(u32::MAX), most: self.gpu.most_bytes() });
        }
        let searched = [7, 9].map(|place| [0, 1].map(|number| 64 * u64::from(totals[place + number])));
        Ok(Totals { corridor: totals[0], places: totals[1], trail: totals[2], searched })
    }

    /// Reads what was written for the tasks, and lets `take` look at it.
    pub(super) fn read_results(
        &mut self,
        count: u32,
        places: u32,
        take: impl FnOnce(&Written),
    ) -> Result<(), GpuError> {
        let sizes = [16 * u64::from(count), 4 * u64::from(count), 16 * u64::from(places)];
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
        self.gpu.read_words(&wanted, |read| {
            take(&Written { choices: read[0], offsets: read[1], corners: read[2] });
        })
    }
}
