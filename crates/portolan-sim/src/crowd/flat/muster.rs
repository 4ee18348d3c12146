//! Crowds with random starts and goals, whose routes a planner finds ([`FlatCrowd::populate`]).
//!
//! Not here: one agent, and its route as points.

use super::ground::FlatPlace;
use super::kinds::FlatKind;
use super::{FlatCrowd, routes};
use crate::crowd::trial::largest_part;
use portolan::generate::Random;
use portolan::{AnswerKind, Answers, BatchScratch, Planner, Query, Space, Stale};
use std::thread;

/// Which crowd is wanted.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct FlatOptions {
    /// How many agents walk.
    pub agents: usize,
    /// The radius of a body in cells, or in the units of a mesh.
    pub radius: f32,
    /// How far an agent goes in a second.
    pub speed: f32,
    /// Which random starts and goals.
    pub seed: u64,
}

/// Why there cannot be such a crowd.
#[derive(Copy, Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FlatError {
    /// There are fewer places than agents in the largest connected part of the world.
    #[error("there is room for {most} agents in the largest connected part of the world, not for {asked}")]
    TooMany {
        /// How many agents there is room for.
        most: usize,
        /// How many agents were asked for.
        asked: usize,
    },
    /// The radius is not above 0, on a grid not below half a cell, or too small or too large for the steps of a mesh.
    #[error(
        "the radius of an agent is above 0, on grids below 0.5 cells, and 16 to a million steps of a mesh, not {0}"
    )]
    Radius(f32),
    /// The speed is out of range.
    #[error(
        "the speed of an agent is at most 12 cells and at most 40 times its radius a second, and at least 8 steps a tick, not {0}"
    )]
    Speed(f32),
    /// The mesh has links.
    #[error("a whole-number crowd does not walk over links, and this mesh has some")]
    Links,
    /// The routes of all agents have too many points to be numbered.
    #[error("the routes of so many agents have more points than can be numbered")]
    TooLong,
    /// The caller has stopped the planning of routes.
    #[error("the crowd was stopped before all its routes were planned")]
    Stopped,
    /// The planner's revision is not that of the ground.
    #[error(transparent)]
    Stale(#[from] Stale),
}

/// How many queries are asked at once: their routes, cell by cell, are forgotten before the next ones are asked.
const AT_ONCE: usize = 1 << 12;

/// The most points of all routes.
const MOST_POINTS: usize = 1 << 31;

impl FlatCrowd {
    /// Returns a crowd of agents at different random places, each with a random goal that no other one has, as
    /// [`crate::crowd::Crowd::populate`] does. A planner finds all routes on all cores.
    ///
    /// # Errors
    /// When there is no room for so many, radius or speed is out of range, or the world has links.
    pub fn populate<G: FlatKind + Sync>(
        ground: &G,
        planner: &Planner<G::Space>,
        options: &FlatOptions,
    ) -> Result<FlatCrowd, FlatError> {
        FlatCrowd::populate_until(ground, planner, options, || false)
    }

    /// Does what [`FlatCrowd::populate`] does, and asks after every few thousand routes whether to stop.
    ///
    /// # Errors
    /// Those of [`FlatCrowd::populate`], and [`FlatError::Stopped`].
    pub fn populate_until<G: FlatKind + Sync>(
        ground: &G,
        planner: &Planner<G::Space>,
        options: &FlatOptions,
        mut is_stopped: impl FnMut() -> bool,
    ) -> Result<FlatCrowd, FlatError> {
        let mut crowd = FlatCrowd::new(ground.flat()?, ground.rules(options.radius, options.speed)?);
        let mut starts = largest_part(ground, options.radius);
        if starts.len() < options.agents {
            return Err(FlatError::TooMany { most: starts.len(), asked: options.agents });
        }
        let mut goals = starts.clone();
        let mut random = Random::new(options.seed);
        let mut draw = |places: &mut Vec<_>| places.swap_remove(random.below(places.len() as u64) as usize);
        let queries: Vec<_> = (0..options.agents).map(|_| Query::new(draw(&mut starts), draw(&mut goals))).collect();
        let mut scratch = BatchScratch::new(0);
        for queries in queries.chunks(AT_ONCE) {
            if is_stopped() {
                return Err(FlatError::Stopped);
            }
            let answers = planner.find_many(ground.world(), queries, &mut scratch)?;
            crowd.add_all(ground, queries, &answers);
            if crowd.points.len() > MOST_POINTS {
                return Err(FlatError::TooLong);
            }
        }
        Ok(crowd)
    }

    /// Adds an agent for each query, with the route of its answer.
    fn add_all<G: FlatKind + Sync>(
        &mut self,
        ground: &G,
        queries: &[Query<PlaceOf<G>>],
        answers: &Answers<PlaceOf<G>>,
    ) {
        let settled = |place: PlaceOf<G>| self.ground.settled(ground.flat_place(place));
        let prepare = |query: usize| {
            let has_way = matches!(answers.kinds()[query], AnswerKind::Reached | AnswerKind::Partial);
            let route: Vec<FlatPlace> = answers.route(query).iter().map(|&place| settled(place)).collect();
            has_way.then(|| routes::points_of(&self.ground, &self.rules, &route)).flatten()
        };
        let numbers: Vec<usize> = (0..queries.len()).collect();
        let size = queries.len().div_ceil(self.threads).max(1);
        let prepared: Vec<Option<Vec<[i32; 3]>>> = thread::scope(|scope| {
            let prepare = &prepare;
            let pieces: Vec<_> = numbers
                .chunks(size)
                .map(|piece| scope.spawn(move || piece.iter().map(|&query| prepare(query)).collect::<Vec<_>>()))
                .collect();
            pieces.into_iter().flat_map(|piece| piece.join().expect("routes are laid out without panics")).collect()
        });
        for (query, points) in queries.iter().zip(prepared) {
            self.add_prepared(self.ground.settled(ground.flat_place(query.from)), points);
        }
    }
}

type PlaceOf<G> = <<G as crate::crowd::Ground>::Space as Space>::Place;
