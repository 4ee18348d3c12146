//! Everything that is computed on a graphics processor, held against what the CPU gives, byte by byte. Where there is no
//! processor, not even a driver that computes on the CPU, the tests say so and end.

mod crowd;
mod field;
mod meshes;
mod square_fronts;
mod square_rows;

use portolan_gpu::{Gpu, Kind};

/// Opens a processor, or says that the test is skipped.
pub(crate) fn gpu() -> Option<Gpu> {
    match Gpu::open(Kind::Any) {
        Ok(gpu) => Some(gpu),
        Err(error) => {
            println!("skipped: {error}");
            None
        }
    }
}
