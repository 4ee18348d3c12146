//! What a planner keeps for a world, as a page shows it: its outline, its trees, and a route leg by leg.
//!
//! Not here: drawing any of it.

use super::finding::Finder;
use super::leash::Leash;
use super::{listed, micros};
use crate::answer::{Answer, Reply};
use crate::budget::{self, Full};
use crate::command::{Spot, cell};
use crate::frame::Parts;
use crate::limits;
use portolan::any::{AnyPlanner, AnyScratch, AnySnapshot};
use portolan::{Area, Cell, QueryError, Stale};
use std::time::Instant;

/// Why there is nothing to show.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ChartError {
    #[error("no planner is there yet: ask for a route first")]
    NoPlanner,
    #[error("no route was asked for")]
    NotAsked,
    #[error("there is no route: {0}")]
    NoRoute(&'static str),
    #[error("cancelled")]
    Cancelled,
    #[error(transparent)]
    Query(#[from] QueryError),
    #[error(transparent)]
    Stale(#[from] Stale),
    #[error(transparent)]
    Full(#[from] Full),
}

/// Returns the outline of the planner: its regions, and the ports and connections of each layer.
pub(super) fn outline(finder: &Finder, world: &AnySnapshot, leash: &Leash) -> Result<Reply, ChartError> {
    let planner = finder.planner(world).ok_or(ChartError::NoPlanner)?;
    leash.set_aside(budget::outlining(planner, world)?)?;
    let outline = planner.outline(world)?.unwrap_or_default();
    let mut parts = Parts::default();
    let region = |region: &portolan::outline::Region| {
        let [x, y, width, height] = corners(region.bounds);
        [x, y, width, height, region.depth as u16]
    };
    parts.push("regions", outline.regions.iter().flat_map(region).collect::<Vec<u16>>());
    let lines = outline.regions.iter().filter_map(|region| region.line);
    parts.push("lines", lines.flat_map(corners).collect::<Vec<u16>>());
    let layers = outline.layers.len();
    for (index, layer) in outline.layers.into_iter().enumerate() {
        parts.push(format!("ports{index}"), listed(&layer.ports));
        parts.push(format!("crossings{index}"), paired(&layer.crossings));
        parts.push(format!("ways{index}"), paired(&layer.ways));
        parts.push(format!("labels{index}"), layer.labels);
    }
    let answer = Answer::Outline {
        algorithm: planner.algorithm().name(),
        layers,
        bytes: planner.bytes(),
        census: planner.census(world)?.into_iter().map(Into::into).collect(),
    };
    Ok(Reply { answer, parts })
}

/// Returns the tree that is kept for a port, which has no steps if the planner keeps none.
pub(super) fn tree(finder: &Finder, world: &AnySnapshot, port: Spot) -> Result<Reply, ChartError> {
    let planner = finder.planner(world).ok_or(ChartError::NoPlanner)?;
    let mut parts = Parts::default();
    parts.push("steps", paired(&planner.tree(world, cell(port))?));
    Ok(Reply { answer: Answer::Tree { port }, parts })
}

/// Plans the route of the latest `find` once more and refines it leg by leg; the plan and each leg are timed.
pub(super) fn legs(
    finder: &Finder,
    world: &AnySnapshot,
    scratch: &mut AnyScratch,
    leash: &Leash,
) -> Result<Reply, ChartError> {
    let planner = finder.planner(world).ok_or(ChartError::NoPlanner)?;
    let query = finder.query().ok_or(ChartError::NotAsked)?;
    leash.set_aside(budget::searching(world))?;
    let start = Instant::now();
    let query = budget(planner).map_or(query, |budget| query.budget(budget));
    let outcome = planner.plan(world, query, scratch)?;
    let plan_us = micros(start.elapsed());
    let ending = outcome.name();
    let mut route = outcome.into_route().ok_or(ChartError::NoRoute(ending))?;
    let waypoints = route.waypoints(planner);
    let (mut cells, mut ends, mut refine_us) = (Vec::new(), Vec::new(), Vec::new());
    loop {
        let start = Instant::now();
        let Some(leg) = route.next_leg(planner, world, scratch)? else { break };
        refine_us.push(micros(start.elapsed()));
        cells.extend_from_slice(&leg);
        ends.push(cells.len() as u32);
        if leash.is_cut() {
            return Err(ChartError::Cancelled);
        }
    }
    let mut parts = Parts::default();
    parts.push("waypoints", listed(&waypoints));
    parts.push("cells", listed(&cells));
    parts.push("ends", ends);
    Ok(Reply { answer: Answer::Legs { plan_us, refine_us }, parts })
}

/// Returns the most expansions of a plan, which is not made in slices. An algorithm that has a limit of its own gets no
/// other.
fn budget(planner: &AnyPlanner) -> Option<u64> {
    let limits_itself = planner.algorithm().params().iter().any(|param| param.name == "budget");
    (!limits_itself).then_some(limits::EXPANSIONS)
}

pub(super) fn corners(Area { x, y, width, height }: Area) -> [u16; 4] {
    [x, y, width, height]
}

fn paired(pairs: &[(Cell, Cell)]) -> Vec<u16> {
    pairs.iter().flat_map(|(a, b)| [a.x, a.y, b.x, b.y]).collect()
}
