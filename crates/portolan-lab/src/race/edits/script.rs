//! The edits of an edit race, in which patches of free ground are blocked and restored in turns, and the queries that
//! show whether an algorithm has followed them.

use crate::queries::Trial;
use portolan::any::AnySnapshot;
use portolan::generate::Random;
use portolan::{Area, Cell, Edit, Terrain};

/// Which edits to race on. Equal plans give equal edits on a world.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct EditPlan {
    /// How many edits.
    pub count: usize,
    /// Columns and rows of the patch that an edit changes; 1 is a single cell.
    pub size: u16,
    /// The seed from which the patches are drawn.
    pub seed: u64,
}

impl EditPlan {
    /// Checks that there is a patch to edit. A caller can check this before a long race.
    ///
    /// # Errors
    /// When there is none.
    pub fn fits(self, world: &AnySnapshot) -> Result<(), NoGround> {
        changes(world, EditPlan { count: 1, ..self }, &mut Random::new(self.seed)).map(|_| ())
    }
}

/// There is no patch of free ground to edit.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there is no patch of {size} x {size} free cells to edit")]
pub struct NoGround {
    /// Columns and rows of the patch that was wanted.
    pub size: u16,
}

/// One change of the world.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Change {
    pub(super) area: Area,
    /// One edit, or several if terrain of different weights is restored.
    pub(super) edits: Vec<Edit>,
}

/// Returns `plan.count` changes: one blocks a patch, the next restores it, and so on. The world never differs from the
/// original by more than one patch.
pub(super) fn changes(world: &AnySnapshot, plan: EditPlan, random: &mut Random) -> Result<Vec<Change>, NoGround> {
    let mut changes = Vec::with_capacity(plan.count + 1);
    let mut ground = None;
    while changes.len() < plan.count {
        let area = patch(world, plan.size, random, &mut ground).ok_or(NoGround { size: plan.size })?;
        changes.push(Change { area, edits: vec![Edit::new(area, Terrain::BLOCKED)] });
        let was = |x, y| Some(world.terrain(Cell::new(area.x + x, area.y + y)));
        changes.push(Change { area, edits: Edit::cover(area, was) });
    }
    changes.truncate(plan.count);
    Ok(changes)
}

/// How many patches are drawn from all places in search of a free one. After that, patches are drawn from a list of all
/// free ones instead, which only worlds with little ground need.
const PATIENCE: usize = 2_000;

/// Draws a patch of free cells, all equally likely. `ground` keeps the list of all free patches once it was needed.
fn patch(world: &AnySnapshot, size: u16, random: &mut Random, ground: &mut Option<Vec<Area>>) -> Option<Area> {
    let side = usize::from(size);
    if side == 0 || side > world.width() || side > world.height() {
        return None;
    }
    let (columns, rows) = (world.width() - side + 1, world.height() - side + 1);
    let area = |x: usize, y: usize| Area { x: x as u16, y: y as u16, width: size, height: size };
    let is_free = |area: &Area| {
        let rows = area.y..area.y + size;
        rows.flat_map(|y| (area.x..area.x + size).map(move |x| Cell::new(x, y))).all(|cell| world.is_free(cell))
    };
    if ground.is_none() {
        let mut drawn = || area(random.below(columns as u64) as usize, random.below(rows as u64) as usize);
        if let Some(found) = (0..PATIENCE).map(|_| drawn()).find(is_free) {
            return Some(found);
        }
    }
    let every = || (0..rows).flat_map(|y| (0..columns).map(move |x| area(x, y)));
    let ground = ground.get_or_insert_with(|| every().filter(is_free).collect());
    (!ground.is_empty()).then(|| ground[random.below(ground.len() as u64) as usize])
}

/// How many columns and rows beside an edit the start of its query may lie.
const REACH: u16 = 16;
/// How many cells near an edit are drawn in search of a free one.
const LOOKS: usize = 64;

/// Draws a query that a planner which missed the edit is likely to answer wrongly: from a cell near the edit to a
/// trial's goal or, for every second check, to another cell near the edit. Returns `None` if no free cell was found
/// near the edit.
pub(super) fn probe(
    world: &AnySnapshot,
    area: Area,
    check: usize,
    trials: &[Trial],
    random: &mut Random,
) -> Option<Trial> {
    let from = beside(world, area, random)?;
    let far = if trials.is_empty() { None } else { Some(trials[check % trials.len()].to) };
    let to = far.filter(|_| check.is_multiple_of(2)).or_else(|| beside(world, area, random))?;
    Some(Trial { from, to, stated: None })
}

fn beside(world: &AnySnapshot, area: Area, random: &mut Random) -> Option<Cell> {
    let mut near = |first: u16, length: u16, limit: usize| {
        let last = (usize::from(first) + usize::from(length) + usize::from(REACH)).min(limit) - 1;
        random.between(usize::from(first.saturating_sub(REACH)), last) as u16
    };
    let drawn = |_| Cell::new(near(area.x, area.width, world.width()), near(area.y, area.height, world.height()));
    (0..LOOKS).map(drawn).find(|&cell| world.is_free(cell))
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::any::AnyWorld;
    use portolan::{HexGrid, Rules, SquareGrid};

    /// A world of squares and one of hexes with the same terrain.
    fn speckled() -> [AnySnapshot; 2] {
        let weights: Vec<u8> = (0..40 * 30).map(|i| (i * 7919 % 11 % 4) as u8).collect();
        let squares = SquareGrid::from_weights(40, 30, &weights, Rules::default()).unwrap();
        [AnySnapshot::from(squares), AnySnapshot::from(HexGrid::from_weights(40, 30, &weights, None).unwrap())]
    }

    fn drawn(world: &AnySnapshot, count: usize, size: u16, seed: u64) -> Result<Vec<Change>, NoGround> {
        changes(world, EditPlan { count, size, seed }, &mut Random::new(seed))
    }

    #[test]
    fn a_patch_is_blocked_and_given_back_by_turns() {
        for (before, size) in speckled().iter().flat_map(|world| [1, 2].map(|size| (world, size))) {
            let mut world = AnyWorld::from(before.clone());
            for (number, change) in drawn(before, 31, size, 3).unwrap().iter().enumerate() {
                world.apply(&change.edits).unwrap();
                let now = world.snapshot();
                let missing = before.free_cells() - now.free_cells();
                assert_eq!(missing, if number % 2 == 0 { usize::from(size * size) } else { 0 });
                let same = now.to_weights() == before.to_weights();
                assert!(number % 2 == 0 || same, "edit {number} gave back something else");
            }
        }
    }

    #[test]
    fn edits_follow_the_seed() {
        let [grid, _] = speckled();
        assert_eq!(drawn(&grid, 21, 2, 7).unwrap().len(), 21);
        assert_eq!(drawn(&grid, 20, 2, 7), drawn(&grid, 20, 2, 7));
        assert_ne!(drawn(&grid, 20, 2, 7), drawn(&grid, 20, 2, 8));
    }

    #[test]
    fn the_last_patch_of_ground_is_found_and_the_lack_of_one_told() {
        let mut blocked = vec![0; 300 * 300];
        for index in [50_000, 50_001, 50_300, 50_301] {
            blocked[index] = 1;
        }
        let grid = AnySnapshot::from(SquareGrid::from_weights(300, 300, &blocked, Rules::default()).unwrap());
        assert_eq!(drawn(&grid, 1, 2, 1).unwrap()[0].area, Area { x: 200, y: 166, width: 2, height: 2 });
        for size in [3, 301] {
            assert_eq!(drawn(&grid, 1, size, 1), Err(NoGround { size }));
            assert_eq!(EditPlan { count: 9, size, seed: 1 }.fits(&grid), Err(NoGround { size }));
        }
    }

    #[test]
    fn queries_begin_beside_the_edit() {
        let grid = AnySnapshot::from(SquareGrid::open(100, 9, Rules::default()).unwrap());
        let trials = [Trial { from: Cell::new(0, 0), to: Cell::new(99, 8), stated: None }];
        let mut random = Random::new(1);
        let area = Area { x: 30, y: 7, width: 2, height: 2 };
        for check in 0..100 {
            let trial = probe(&grid, area, check, &trials, &mut random).unwrap();
            assert!((14..48).contains(&trial.from.x) && grid.contains(trial.from));
            assert_eq!(trial.to == Cell::new(99, 8), check % 2 == 0);
        }
        assert!(probe(&grid, area, 0, &[], &mut random).is_some());
    }
}
