//! Crowds of whole numbers under way, on a graphics processor if the machine has one.
//!
//! Not here: other crowds, and messages.

use super::{Leash, MarchError, Marching, Muster};
use portolan::Planner;
use portolan_lab::crowd::ProcessorCrowd;
use portolan_sim::crowd::flat::{FlatCrowd, FlatKind, FlatOptions, FlatState, Walk};

/// After how many ticks it is asked again what agents do: from a graphics processor, only their places come down oftener.
const STATES_EVERY: u64 = 30;

/// A crowd of whole numbers on its ground.
pub(super) struct WholeMarch<G> {
    ground: G,
    crowd: ProcessorCrowd,
    ticks: u64,
    /// What agents did when that was asked last, and after how many ticks that was.
    states: Vec<u8>,
    asked_at: Option<u64>,
}

impl<G: FlatKind + Sync> WholeMarch<G> {
    /// Sends a crowd off.
    pub(super) fn new(
        asked: &Muster,
        ground: G,
        planner: &Planner<G::Space>,
        leash: &Leash,
    ) -> Result<WholeMarch<G>, MarchError> {
        let Muster { agents, radius, speed, seed, .. } = *asked;
        let options = FlatOptions { agents, radius, speed, seed };
        let crowd = FlatCrowd::populate_until(&ground, planner, &options, || leash.is_cut())?;
        let crowd = ProcessorCrowd::on_hardware(crowd);
        Ok(WholeMarch { ground, crowd, ticks: 0, states: Vec::new(), asked_at: None })
    }
}

impl<G: FlatKind + Send + Sync> Marching for WholeMarch<G> {
    fn tick(&mut self) {
        self.crowd.tick();
        self.ticks += 1;
    }

    fn tick_count(&self) -> u64 {
        self.ticks
    }

    fn ticks_per_second(&self) -> u32 {
        FlatCrowd::PER_SECOND
    }

    fn places(&mut self) -> Vec<[f32; 3]> {
        self.crowd.places().into_iter().map(|place| self.ground.position(place)).collect()
    }

    fn states(&mut self) -> Vec<u8> {
        if self.asked_at.is_none_or(|at| self.ticks >= at + STATES_EVERY) {
            self.states = self.crowd.state().walks().iter().map(number).collect();
            self.asked_at = Some(self.ticks);
        }
        self.states.clone()
    }

    fn device(&self) -> Option<String> {
        Some(self.crowd.device())
    }
}

/// Returns the number of what an agent is doing in [`super::DOING`].
fn number(walk: &Walk) -> u8 {
    match walk.state() {
        FlatState::Arrived => 5,
        FlatState::NoWay => 6,
        _ if walk.still() >= FlatCrowd::STUCK => 4,
        FlatState::Squeezing => 3,
        FlatState::Walking if walk.still() >= FlatCrowd::PER_SECOND => 2,
        FlatState::Walking => 0,
    }
}
