//! Flee maps: where agents go that get away from the goals of a field.
//!
//! An agent that only climbs away from a danger stops in the next dead end. On a flee map, a place is the better the farther it
//! lies from all dangers, counted a little more than the way costs that leads there. So agents leave dead ends, and pass a
//! danger only where that is worth it.
//!
//! Not here: the field of the dangers (`field.rs`).

use super::fielded::Fielded;
use super::{AT_GOAL, FAR, Field, FieldError, NO_STEP, opposites};
use crate::cost::Cost;
use crate::graph::{FIRST_LINK, Grid, Moves, Passable, Reversible, START};
use crate::id::NodeId;
use crate::memory::{filled, held};
use crate::open_list::{BucketRing, resolution};
use crate::query::Stale;
use crate::route::Route;
use crate::scratch::{AlgorithmState, Scratch};
use crate::space::square::SquareGrid;
use crate::space::{Extras, Motion, Revision, Snapshot, Space};

/// The way from every place to a refuge from the goals of a field.
///
/// What a place lacks is how much nearer it is to a danger than the place farthest from all, times a `percent`. Every agent
/// goes where the way and what is lacking there cost least together; where that is the place where it stands, it has found
/// its refuge. Places without a cost in the field, such as those out of its range, are in no danger and have no way.
///
/// ```
/// use portolan::{Cell, Field, FleeMap, Rules, Scratch, SquareGrid, World};
/// let world = World::from(SquareGrid::open(30, 3, Rules::default())?);
/// let mut scratch = Scratch::new();
/// let dangers = Field::new(&world, &[Cell::new(5, 1)], None, &mut scratch)?;
/// let map = FleeMap::new(&world, &dangers, 120, &mut scratch)?;
/// let route = map.descend(&world, Cell::new(8, 1))?.expect("it is in danger");
/// assert_eq!(route.cells().last().map(|end| end.x), Some(29));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct FleeMap<S: Space = SquareGrid> {
    /// Costs are those of the way with what is lacking at its end; goals are the refuges.
    map: Field<S>,
    percent: u32,
}

impl<S: Space> FleeMap<S> {
    /// The least and the most percent that what is lacking counts: with no more than the ways themselves, every place would
    /// be a refuge.
    pub const PERCENT: std::ops::RangeInclusive<u32> = 101..=1000;

    /// Returns the places that agents flee to, row by row.
    pub fn refuges(&self) -> &[S::Place] {
        &self.map.goals
    }

    /// Returns how many percent what is lacking counts.
    pub fn percent(&self) -> u32 {
        self.percent
    }

    /// Returns the revision of the world that the map was made for.
    pub fn revision(&self) -> Revision {
        self.map.revision
    }

    /// Returns the bytes of memory that the map takes.
    pub fn bytes(&self) -> usize {
        self.map.bytes()
    }
}

impl<S: Fielded> FleeMap<S> {
    /// Makes the map of ways that lead away from the goals of a field. With 120 percent, agents make a detour of up to a fifth of
    /// what they gain in distance; the more percent, the closer they pass by a danger to get far away from it. A search that
    /// was under way in the scratch is dropped.
    ///
    /// # Errors
    /// When `percent` is not one of [`FleeMap::PERCENT`], the field is that of another revision of the world, or there is no
    /// memory for the map.
    pub fn new(
        world: &Snapshot<S>,
        dangers: &Field<S>,
        percent: u32,
        scratch: &mut Scratch<S>,
    ) -> Result<FleeMap<S>, FieldError<S::Place>> {
        if !FleeMap::<S>::PERCENT.contains(&percent) {
            return Err(FieldError::Percent(percent));
        }
        let (built, asked) = (dangers.revision, world.revision());
        if built != asked {
            return Err(FieldError::Gap { built, asked, edits: 0 });
        }
        scratch.pending = None;
        let (costs, steps) = (filled(FAR, dangers.cost_by_node.len())?, filled(NO_STEP, dangers.cost_by_node.len())?);
        let (goals, range) = (Vec::new(), dangers.range);
        let mut map = Field { revision: asked, goals, range, cost_by_node: costs, step_by_node: steps };
        world.flee(&dangers.cost_by_node, percent, scratch, &mut map.cost_by_node, &mut map.step_by_node);
        let refuges = map.step_by_node.iter().zip(0..).filter(|&(&step, _)| step == AT_GOAL);
        map.goals = refuges.map(|(_, node)| world.place(NodeId(node))).collect();
        Ok(FleeMap { map, percent })
    }

    /// Returns what it costs to walk from a place to its refuge, with what is lacking there. Returns `None` where there is no
    /// danger, and off the ground.
    ///
    /// # Errors
    /// When the map is that of another revision of the world.
    pub fn cost(&self, world: &Snapshot<S>, at: S::Place) -> Result<Option<Cost>, Stale> {
        self.map.cost(world, at)
    }

    /// Returns the next place on the way to a refuge. Returns `None` at a refuge and where [`FleeMap::cost`] does.
    ///
    /// # Errors
    /// When the map is that of another revision of the world.
    pub fn next(&self, world: &Snapshot<S>, at: S::Place) -> Result<Option<S::Place>, Stale> {
        self.map.next(world, at)
    }

    /// Returns the route from a place to its refuge, or `None` where [`FleeMap::cost`] does.
    ///
    /// # Errors
    /// When the map is that of another revision of the world.
    pub fn descend(&self, world: &Snapshot<S>, from: S::Place) -> Result<Option<Route<S>>, Stale> {
        let Some(cost) = self.cost(world, from)? else { return Ok(None) };
        let mut places = Vec::new();
        self.map.append(world, from, &mut places);
        let end = places.last().map_or(Ok(None), |&end| self.cost(world, end))?;
        Ok(Some(Route::of(places, Cost(cost.0 - end.unwrap_or_default().0), Motion::Steps)))
    }
}

/// What making a flee map keeps in a scratch: what a place lacks, in the upper half, and its node.
#[derive(Default)]
pub(super) struct FleeScratch(Vec<u64>);

impl AlgorithmState for FleeScratch {
    fn bytes(&self) -> usize {
        held(&self.0)
    }
}

/// Writes the costs and steps of a flee map; see [`FleeMap`].
pub(super) fn flee<S: Grid>(
    grid: &S,
    dangers: &[u32],
    percent: u32,
    scratch: &mut Scratch<S>,
    costs: &mut [u32],
    steps: &mut [u8],
) {
    let farthest = dangers.iter().copied().filter(|&cost| cost != FAR).max().unwrap_or_default();
    for ((&danger, cost), step) in dangers.iter().zip(&mut *costs).zip(&mut *steps) {
        if danger != FAR {
            let lacking = u64::from(farthest - danger) * u64::from(percent) / 100;
            (*cost, *step) = (u32::try_from(lacking).map_or(FAR - 1, |lacking| lacking.min(FAR - 1)), AT_GOAL);
        }
    }
    let Scratch { ring, states, .. } = scratch;
    let FleeScratch(sources) = states.own();
    if grid.extras() > Extras::Walls {
        let moves = Passable::new(grid);
        find_sources(&moves, costs, sources);
        spread(grid, &moves, sources, ring, costs, steps);
    } else if grid.least_weight() == grid.greatest_weight() {
        let moves = Moves::<S, false, false>::new(grid);
        find_sources(&moves, costs, sources);
        spread(grid, &moves, sources, ring, costs, steps);
    } else {
        let moves = Moves::<S, false, true>::new(grid);
        find_sources(&moves, costs, sources);
        spread(grid, &moves, sources, ring, costs, steps);
    }
}

/// Lists the nodes with a cost that no neighbour can lower at once, the cheapest first. All others are lowered when these costs
/// spread.
fn find_sources(moves: &impl Reversible, costs: &[u32], sources: &mut Vec<u64>) {
    sources.clear();
    for (node, &cost) in (0..).zip(costs).filter(|&(_, &cost)| cost != FAR) {
        let mut is_lowered = false;
        moves.for_each_edge(NodeId(node), START, |to, edge, _| {
            is_lowered |= costs[to.index()].saturating_add(edge) < cost;
        });
        if !is_lowered {
            sources.push(u64::from(cost) << 32 | u64::from(node));
        }
    }
    sources.sort_unstable();
}

/// Spreads the costs of the sources.
fn spread<S: Grid>(
    grid: &S,
    moves: &impl Reversible,
    sources: &[u64],
    ring: &mut BucketRing,
    costs: &mut [u32],
    steps: &mut [u8],
) {
    let back = opposites(grid.offsets());
    let (spread, grain) = (u64::from(moves.greatest_edge()), moves.typical_edge() * 4);
    // Entries of the ring lie at most so far above its lowest bucket.
    let reach = spread + (1 << resolution(grain));
    ring.reset(0, spread, grain);
    let mut sources = sources.iter().map(|&source| (source >> 32, source as u32)).peekable();
    loop {
        while let Some(&(cost, node)) = sources.peek() {
            if ring.len() == 0 {
                ring.reset(cost, spread, grain);
            } else if cost > ring.floor() + reach {
                break;
            }
            ring.push(cost, node);
            sources.next();
        }
        let Some(item) = ring.pop() else { return };
        let (node, cost) = (NodeId(item), costs[item as usize]);
        if u64::from(cost) < ring.floor() {
            continue; // this entry is outdated: the node came out of a lower bucket before
        }
        moves.for_each_edge_to(node, START, |to, edge, direction| {
            let (sum, known) = (cost.saturating_add(edge), costs[to.index()]);
            let step = if direction >= FIRST_LINK { direction } else { back[usize::from(direction & 7)] };
            if known == FAR || sum > known {
                return;
            }
            if sum < known {
                (costs[to.index()], steps[to.index()]) = (sum, step);
                ring.push(u64::from(sum), to.0);
            } else if steps[to.index()] != AT_GOAL && step < steps[to.index()] {
                steps[to.index()] = step;
            }
        });
    }
}
