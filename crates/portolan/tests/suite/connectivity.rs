//! Connected components compared with the cells that the oracle reaches, on fresh and edited worlds of several tiles.

use crate::oracle::costs_from;
use crate::worlds::{all_rules, picture, random_free_cell};
use portolan::generate::Random;
use portolan::{Area, Cell, Edit, Rules, SquareGrid, Terrain, World};

/// Returns a world in which 30 to 64 percent of the cells are blocked at random, so that many components cross the
/// borders of tiles.
fn scattered(random: &mut Random, rules: Rules) -> World {
    let (width, height) = (60 + random.below(90) as usize, 60 + random.below(90) as usize);
    let percent = 30 + random.below(35);
    let weights: Vec<u8> = (0..width * height).map(|_| u8::from(random.below(100) >= percent)).collect();
    SquareGrid::from_weights(width, height, &weights, rules).expect("a sound size").into()
}

fn compare(world: &World, random: &mut Random) {
    let Some(from) = random_free_cell(random, world) else { return };
    let truth = costs_from(world, from);
    for (cell, cost) in world.cells().zip(truth) {
        let connected = world.connected(from, cell);
        assert_eq!(connected, cost.is_some(), "{from} and {cell} on {}", picture(world));
    }
}

#[test]
fn components_are_what_a_flood_reaches() {
    for rules in all_rules() {
        let mut random = Random::new(17);
        for _ in 0..20 {
            let mut world = scattered(&mut random, rules);
            compare(&world, &mut random);
            for _ in 0..15 {
                let edits: Vec<Edit> = (0..=random.below(4)).map(|_| random_edit(&mut random, &world)).collect();
                world.apply(&edits).expect("sound edits");
                compare(&world, &mut random);
            }
        }
    }
}

fn random_edit(random: &mut Random, world: &World) -> Edit {
    let (x, y) = (random.below(world.width() as u64) as u16, random.below(world.height() as u64) as u16);
    // Edits range from single cells to rectangles of 80 × 80 cells, which cross several tiles.
    let limit = [1, 3, 12, 80][random.below(4) as usize];
    let side =
        |random: &mut Random, at: u16, end: usize| 1 + random.below(limit.min(end as u64 - u64::from(at))) as u16;
    let width = side(random, x, world.width());
    let height = side(random, y, world.height());
    let terrain = if random.below(2) == 0 { Terrain::BLOCKED } else { Terrain::GROUND };
    Edit::new(Area { x, y, width, height }, terrain)
}

#[test]
fn nearest_reachable_is_the_nearest_there_is() {
    for rules in all_rules() {
        let mut random = Random::new(23);
        for _ in 0..12 {
            let world = scattered(&mut random, rules);
            let Some(from) = random_free_cell(&mut random, &world) else { continue };
            let goal = Cell::new(random.below(world.width() as u64) as u16, random.below(world.height() as u64) as u16);
            let open = SquareGrid::open(world.width(), world.height(), rules).expect("a sound size");
            let distances = costs_from(&open, goal);
            let reached = costs_from(&world, from);
            let nearest = world
                .cells()
                .zip(distances.iter().zip(&reached))
                .filter(|(_, (_, reached))| reached.is_some())
                .map(|(cell, (distance, _))| (distance.expect("open ground"), cell.y, cell.x))
                .min()
                .map(|(_, y, x)| Cell { x, y });
            assert_eq!(world.nearest_reachable(from, goal), nearest, "from {from} to {goal} on {}", picture(&world));
        }
    }
}
