//! What a page shows of a world besides its terrain and routes: the world as an agent of some profile sees it, how large a body fits
//! in each cell, and what it costs from each cell to a goal.
//!
//! Not here: searching, and drawing.

use super::leash::Leash;
use super::{Refusal, micros};
use crate::answer::{Answer, Reply};
use crate::budget;
use crate::frame::Parts;
use portolan::any::{AnyField, AnyScratch, AnySnapshot};
use portolan::{Cell, FieldError, KindNames, Profile, ProfileError, Stale, ViewError};
use std::time::Instant;

/// The side of the largest body whose fit is told, or on hexes one more than its radius.
const LARGEST: u16 = 9;
/// The number that tells that there is no cell, or that no goal is reached.
const NONE: u32 = u32::MAX;

/// Why what a page asks to see cannot be shown.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SeenError {
    #[error(transparent)]
    Profile(#[from] ProfileError),
    #[error(transparent)]
    View(#[from] ViewError),
    #[error(transparent)]
    Field(#[from] FieldError<Cell>),
    #[error(transparent)]
    Stale(#[from] Stale),
}

/// The world as an agent of a profile sees it.
pub(super) struct Seen {
    profile: Profile,
    pub(super) world: AnySnapshot,
}

impl Seen {
    /// Shows a world to an agent whose profile is told in words; `None` if these are those of the plain agent.
    pub(super) fn new(
        words: &str,
        names: &KindNames,
        world: &AnySnapshot,
        leash: &Leash,
    ) -> Result<Option<Seen>, Refusal> {
        leash.set_aside(budget::opening(budget::cells(world)))?;
        let profile = Profile::parse(words, names).map_err(SeenError::Profile)?;
        let seen = world.seen_by(&profile).map_err(SeenError::View)?;
        Ok((!profile.is_plain()).then_some(Seen { profile, world: seen }))
    }

    /// Shows the agent the world as it is now.
    pub(super) fn follow(&mut self, world: &AnySnapshot) -> Result<(), SeenError> {
        self.world = world.seen_by(&self.profile)?;
        Ok(())
    }
}

/// Returns a profile of a body of this size to which ground is what it is to an agent.
fn sized(size: u16, like: Option<&Seen>, world: &AnySnapshot) -> Result<Profile, ProfileError> {
    let body = if world.hex().is_some() { Profile::round(size - 1)? } else { Profile::square(size)? };
    let footings = like.map_or(&[][..], |seen| seen.profile.footings());
    Ok(footings.iter().fold(body, |profile, &(kind, footing)| profile.with(kind, footing)))
}

/// Tells for each column of each row the size of the largest body that fits there: the side of a square, or on hexes one more than
/// the radius; 0 where none does.
pub(super) fn clearance(world: &AnySnapshot, like: Option<&Seen>, leash: &Leash) -> Result<Reply, Refusal> {
    leash.set_aside(budget::opening(budget::cells(world)))?;
    let start = Instant::now();
    let mut sizes = vec![0; world.width() * world.height()];
    for size in 1..=LARGEST {
        let profile = sized(size, like, world).map_err(SeenError::Profile)?;
        let weights = world.seen_by(&profile).map_err(SeenError::View)?.to_weights();
        let mut fits = false;
        for (largest, weight) in sizes.iter_mut().zip(weights) {
            if weight > 0 {
                (*largest, fits) = (size as u8, true);
            }
        }
        if !fits || leash.is_cut() {
            break;
        }
    }
    let mut parts = Parts::default();
    parts.push("sizes", sizes);
    Ok(Reply { answer: Answer::Clearance { us: micros(start.elapsed()), most: LARGEST }, parts })
}

/// Tells for each column of each row what it costs to walk from there to a goal, and the next cell on the way.
pub(super) fn field(
    world: &AnySnapshot,
    goal: Cell,
    scratch: &mut AnyScratch,
    leash: &Leash,
) -> Result<Reply, Refusal> {
    leash.set_aside(budget::searching(world))?;
    let start = Instant::now();
    let field = AnyField::new(world, &[goal], None, scratch).map_err(SeenError::Field)?;
    let us = micros(start.elapsed());
    let width = world.width();
    let index = |at: Cell| usize::from(at.y) * width + usize::from(at.x);
    let cells = width * world.height();
    let (mut costs, mut next) = (vec![NONE; cells], vec![NONE; cells]);
    let mut dearest = 0;
    for at in world.cells() {
        let Some(cost) = field.cost(world, at).map_err(SeenError::Stale)? else { continue };
        dearest = dearest.max(cost.0);
        costs[index(at)] = cost.0;
        if let Some(to) = field.next(world, at).map_err(SeenError::Stale)? {
            next[index(at)] = index(to) as u32;
        }
    }
    let mut parts = Parts::default();
    parts.push("costs", costs);
    parts.push("next", next);
    Ok(Reply { answer: Answer::Field { us, dearest, bytes: field.bytes() }, parts })
}
