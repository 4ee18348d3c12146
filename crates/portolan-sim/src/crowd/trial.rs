//! A crowd for trials: agents with random starts and goals ([`Crowd::populate`]), and how many of them do what
//! ([`Tally`]).
//!
//! Not here: clocks and reports.

use super::agent::CrowdState;
use super::ground::Ground;
use super::{Crowd, CrowdError, Place};
use portolan::Space;
use portolan::generate::Random;
use std::collections::BTreeMap;

/// Why a crowd cannot be populated.
#[derive(Copy, Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PopulateError<P> {
    /// There are fewer places than agents in the largest connected part of the world.
    #[error("there is room for {most} agents in the largest connected part of the world, not for {asked}")]
    TooMany {
        /// How many agents there is room for.
        most: usize,
        /// How many agents were asked for.
        asked: usize,
    },
    /// The agents cannot be added.
    #[error(transparent)]
    Agent(#[from] CrowdError<P>),
}

/// How many agents of a crowd do what.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Tally {
    /// Agents that have arrived.
    pub arrived: usize,
    /// Agents on their way: walking, waiting for a route, blocked, squeezing or on a link, and not stuck.
    pub on_the_way: usize,
    /// Agents on their way that have come no further for ten seconds or longer.
    pub stuck: usize,
    /// Agents that have no way.
    pub no_way: usize,
    /// Agents that do not stand on free ground.
    pub off_the_ground: usize,
}

impl<G: Ground> Crowd<G> {
    /// For how many seconds an agent has come no further that counts as stuck.
    const STUCK_SECONDS: u32 = 10;

    /// Adds agents of this radius and speed at different random places, each with a random goal that no other one has. All
    /// are in the connected part of the world that has most places. Equal seeds give equal crowds.
    ///
    /// # Errors
    /// When there is no room for so many, or radius or speed is out of range.
    pub fn populate(
        &mut self,
        count: usize,
        radius: f32,
        speed: f32,
        seed: u64,
    ) -> Result<(), PopulateError<Place<G>>> {
        let mut starts = largest_part(&self.ground, radius);
        if starts.len() < count {
            return Err(PopulateError::TooMany { most: starts.len(), asked: count });
        }
        let mut goals = starts.clone();
        let mut random = Random::new(seed);
        let mut draw = |places: &mut Vec<Place<G>>| places.swap_remove(random.below(places.len() as u64) as usize);
        for _ in 0..count {
            self.add(draw(&mut starts), draw(&mut goals), radius, speed)?;
        }
        Ok(())
    }

    /// Returns how many agents do what.
    pub fn tally(&self) -> Tally {
        let mut tally = Tally::default();
        for agent in &self.agents {
            match agent.state {
                CrowdState::Arrived => tally.arrived += 1,
                CrowdState::Stopped(_) => tally.no_way += 1,
                _ if agent.still >= Self::STUCK_SECONDS * Self::PER_SECOND => tally.stuck += 1,
                _ => tally.on_the_way += 1,
            }
            tally.off_the_ground += usize::from(self.ground.place_at(agent.footing).is_none());
        }
        tally
    }
}

/// Returns the places of the connected part that has most of them; of equally large ones, the one that comes first.
pub(super) fn largest_part<G: Ground>(ground: &G, radius: f32) -> Vec<Place<G>> {
    let mut parts: Vec<Vec<Place<G>>> = Vec::new();
    let mut by_component = BTreeMap::new();
    for place in ground.places(radius) {
        let Some(component) = ground.world().component(place) else { continue };
        let part = *by_component.entry(component).or_insert_with(|| {
            parts.push(Vec::new());
            parts.len() - 1
        });
        parts[part].push(place);
    }
    parts.into_iter().rev().max_by_key(Vec::len).unwrap_or_default()
}
