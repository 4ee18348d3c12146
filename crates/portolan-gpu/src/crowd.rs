//! A crowd of whole numbers on a graphics processor ([`DeviceCrowd`]): ground, routes and agents are uploaded once, every tick is
//! computed there, and only what is asked for comes down.
//!
//! Not here: what a tick is (`portolan_sim::crowd::flat`), its programs (`crowd/*.wgsl`), and how they are run (`crowd/run.rs`).

mod layout;
mod run;

use crate::error::GpuError;
use crate::gpu::Gpu;
use portolan_sim::crowd::Tally;
use portolan_sim::crowd::flat::{Body, FlatCrowd, FlatPlace};
use run::Runner;
use std::time::Duration;

/// After how many ticks the state comes down to be kept: so many have to be computed again if the processor fails.
const KEPT_EVERY: u64 = 600;

/// After how many ticks the processor is waited for, so that commands do not pile up.
const WAIT_EVERY: u64 = 16;

/// A crowd that walks on a graphics processor, as [`FlatCrowd`] does, byte by byte.
///
/// If the processor fails, the state that was kept last is stepped again on the CPU, and the crowd goes on there:
/// [`DeviceCrowd::fault`] tells why. So nothing is lost, and what is told is always the state after [`DeviceCrowd::tick_count`]
/// ticks.
pub struct DeviceCrowd {
    /// The crowd in the state that was kept last; once the processor has failed, as it is now.
    kept: FlatCrowd,
    runner: Option<Runner>,
    gpu: Gpu,
    ticks: u64,
    fault: Option<GpuError>,
}

/// How long the parts of a tick took on the processor, by its own clock. All are zero if it has none.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct CrowdTimes {
    /// Counting the agents of each square of the lattice.
    pub count: Duration,
    /// Adding up where the agents of each square begin.
    pub scan: Duration,
    /// Writing what agents see in the order of the squares.
    pub sort: Duration,
    /// Choosing velocities.
    pub steer: Duration,
    /// Moving.
    pub advance: Duration,
    /// From the beginning of the first part to the end of the last.
    pub whole: Duration,
}

impl DeviceCrowd {
    /// Uploads a crowd. If the processor has no room for it or refuses its programs, the crowd walks on the CPU, and
    /// [`DeviceCrowd::fault`] tells why.
    pub fn new(gpu: Gpu, crowd: FlatCrowd) -> DeviceCrowd {
        let (runner, fault) = match Runner::new(gpu.clone(), &crowd) {
            Ok(runner) => (Some(runner), None),
            Err(fault) => (None, Some(fault)),
        };
        DeviceCrowd { ticks: crowd.tick_count(), kept: crowd, runner, gpu, fault }
    }

    /// Lets a sixtieth of a second pass.
    pub fn tick(&mut self) {
        let tick = self.ticks;
        self.ticks += 1;
        let Some(runner) = &mut self.runner else { return self.kept.tick() };
        let done = runner.tick(tick, tick.is_multiple_of(WAIT_EVERY));
        match done {
            Ok(()) if self.ticks.is_multiple_of(KEPT_EVERY) => self.keep(),
            Ok(()) => {}
            Err(fault) => self.fall_back(fault),
        }
    }

    /// Returns where all agents are, in the order in which they were added. Only this comes down from the processor.
    pub fn places(&mut self) -> Vec<FlatPlace> {
        if let Some(runner) = &mut self.runner
            && self.ticks > self.kept.tick_count()
        {
            match runner.places() {
                Ok(places) => return places,
                Err(fault) => self.fall_back(fault),
            }
        }
        self.kept.bodies().iter().map(Body::place).collect()
    }

    /// Brings the whole state down, and returns the crowd as it is now.
    pub fn state(&mut self) -> &FlatCrowd {
        self.keep();
        &self.kept
    }

    /// Returns how many agents do what. The whole state comes down for that.
    pub fn tally(&mut self) -> Tally {
        self.state().tally()
    }

    /// Returns how many ticks have passed.
    pub fn tick_count(&self) -> u64 {
        self.ticks
    }

    /// Returns why the crowd walks on the CPU, or `None` if it walks on the processor.
    pub fn fault(&self) -> Option<&GpuError> {
        self.fault.as_ref()
    }

    /// Returns the processor.
    pub fn gpu(&self) -> &Gpu {
        &self.gpu
    }

    /// Returns the bytes that the crowd takes on the processor: ground, routes and agents with their working memory; all are zero
    /// if it walks on the CPU.
    pub fn bytes(&self) -> [u64; 3] {
        self.runner.as_ref().map_or([0; 3], Runner::bytes)
    }

    /// Returns the bytes that come down when places are read.
    pub fn bytes_of_places(&self) -> u64 {
        self.runner.as_ref().map_or(0, Runner::bytes_of_places)
    }

    /// Lets one tick pass, waits for it, and returns how long its parts took. The crowd walks on the CPU if the processor has failed
    /// before; all times are zero then.
    pub fn timed_tick(&mut self) -> CrowdTimes {
        let tick = self.ticks;
        self.ticks += 1;
        let Some(runner) = &mut self.runner else {
            self.kept.tick();
            return CrowdTimes::default();
        };
        let timed = runner.timed_tick(tick);
        timed.unwrap_or_else(|fault| {
            self.fall_back(fault);
            CrowdTimes::default()
        })
    }

    /// Has the processor fail, as one does that is lost.
    #[doc(hidden)]
    pub fn lose(&mut self) {
        self.gpu.device.destroy();
    }

    /// Brings the state down to be kept.
    fn keep(&mut self) {
        if self.ticks == self.kept.tick_count() {
            return;
        }
        match self.runner.as_mut().map(Runner::state) {
            Some(Ok((bodies, walks))) => self.kept.restore(bodies, walks, self.ticks),
            Some(Err(fault)) => self.fall_back(fault),
            None => {}
        }
    }

    /// Goes on on the CPU: steps the kept state until it is that of now.
    fn fall_back(&mut self, fault: GpuError) {
        (self.runner, self.fault) = (None, Some(fault));
        while self.kept.tick_count() < self.ticks {
            self.kept.tick();
        }
    }
}
