//! The traps of a race: which appear around an agent in a tick, and which vanish.

use crate::queries::Trial;
use portolan::any::{AnySnapshot, AnyWorld};
use portolan::generate::Random;
use portolan::{Area, Cell, Edit, Terrain};
use std::collections::VecDeque;

/// Which traps to race among. Equal plans give equal traps around equal agents.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct TrapPlan {
    /// How many traps lie around an agent at a time, if there is room.
    pub traps: usize,
    /// How many vanish in each tick, the oldest first, and how many appear.
    pub change: usize,
    /// How many ticks an agent walks, one step each.
    pub ticks: usize,
    /// Columns and rows of a trap.
    pub size: u16,
    /// The seed from which traps are drawn.
    pub seed: u64,
}

/// There is no room for a trap.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no room for a trap of {size} x {size} cells within {REACH} cells of {at}")]
pub struct NoRoom {
    /// Columns and rows of the trap.
    pub size: u16,
    /// Where the agent stands.
    pub at: Cell,
}

/// How many columns and rows from the agent a trap may begin.
const REACH: u16 = 20;
/// How many places are drawn in search of room for one trap.
const LOOKS: usize = 200;

impl TrapPlan {
    /// Checks that there is room for a trap at the start of a route. A caller can check this before a long race.
    ///
    /// # Errors
    /// When there is none.
    pub fn fits(self, world: &AnySnapshot, route: &Trial) -> Result<(), NoRoom> {
        let mut random = Random::new(self.seed);
        let draws = |_| drawn(world, self.size, [route.from, route.to], &mut random);
        let has_room = (0..LOOKS).find_map(draws).is_some();
        if has_room { Ok(()) } else { Err(NoRoom { size: self.size, at: route.from }) }
    }
}

/// Draws a place for a trap around the first of these cells, with neither of them below it. Returns `None` if the trap does
/// not lie on free cells of the map there.
fn drawn(world: &AnySnapshot, size: u16, [at, to]: [Cell; 2], random: &mut Random) -> Option<Area> {
    let mut near = |place: u16| {
        let drawn = i32::from(place) - i32::from(REACH) + random.below(2 * u64::from(REACH) + 1) as i32;
        u16::try_from(drawn).ok()
    };
    let (x, y) = (near(at.x), near(at.y));
    let area = Area { x: x?, y: y?, width: size, height: size };
    let fits = |first: u16, side: usize| usize::from(first) + usize::from(size) <= side;
    if !fits(area.x, world.width()) || !fits(area.y, world.height()) {
        return None;
    }
    let mut cells = (area.y..area.y + size).flat_map(|y| (area.x..area.x + size).map(move |x| Cell::new(x, y)));
    cells.all(|cell| cell != at && cell != to && world.is_free(cell)).then_some(area)
}

/// The traps that lie in a world, the oldest first, each with the edits that remove it.
#[derive(Default)]
pub(super) struct Traps {
    laid: VecDeque<Vec<Edit>>,
}

impl Traps {
    pub(super) fn count(&self) -> usize {
        self.laid.len()
    }

    /// Removes all traps of the world, and returns the edits.
    pub(super) fn clear(&mut self, world: &mut AnyWorld) -> Vec<Edit> {
        self.vanish(self.laid.len(), world)
    }

    fn vanish(&mut self, count: usize, world: &mut AnyWorld) -> Vec<Edit> {
        let edits: Vec<Edit> = self.laid.drain(..count.min(self.laid.len())).flatten().collect();
        world.apply(&edits).expect("traps lie on the map");
        edits
    }

    /// Has the oldest `plan.change` traps vanish and as many appear as the plan wants around the agent, which stands on the
    /// first of these cells and goes to the second. Applies the edits to the world and returns them. `number` tells
    /// the draws of one tick from those of another.
    pub(super) fn change(&mut self, plan: TrapPlan, number: u64, cells: [Cell; 2], world: &mut AnyWorld) -> Vec<Edit> {
        let mut edits = self.vanish(plan.change, world);
        let mut random = Random::new(plan.seed.wrapping_add(number.wrapping_mul(0x9E37_79B9_7F4A_7C15)));
        while self.laid.len() < plan.traps {
            let now = world.snapshot();
            let Some(area) = (0..LOOKS).find_map(|_| drawn(&now, plan.size, cells, &mut random)) else { break };
            let was = |x, y| Some(now.terrain(Cell::new(area.x + x, area.y + y)));
            self.laid.push_back(Edit::cover(area, was));
            drop(now);
            let trap = Edit::new(area, Terrain::BLOCKED);
            world.apply(&[trap]).expect("traps are drawn on the map");
            edits.push(trap);
        }
        edits
    }
}
