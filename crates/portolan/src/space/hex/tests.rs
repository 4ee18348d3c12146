//! Tests of the hexagonal grid against a plain model.

use super::model::{Model, random_model};
use super::*;
use crate::generate::Random;
use crate::graph::Grid;
use moves::{CANONICAL, NOWHERE};

#[test]
fn fresh_grids_of_all_small_sizes_are_sound() {
    let mut random = Random::new(3);
    for width in 1..=9 {
        for height in 1..=9 {
            let weights: Vec<u8> = (0..width * height).map(|_| random.below(3) as u8).collect();
            let model = Model { shape: HexShape::Rectangle, width, height, weights };
            model.assert_same(&model.grid());
        }
    }
    for radius in 0..=8 {
        let side = 2 * radius + 1;
        let weights = (0..side * side).map(|_| random.below(3) as u8).collect();
        let model = Model { shape: HexShape::Hexagon, width: side, height: side, weights }.without_void();
        model.assert_same(&model.grid());
    }
}

#[test]
fn open_grids_are_free_where_they_have_cells() {
    let grid = HexGrid::open(5, 4, None).unwrap();
    assert_eq!((grid.free_cells(), grid.to_weights()), (20, vec![1; 20]));
    let hexagon = HexGrid::hexagon(1, None).unwrap();
    assert_eq!((hexagon.width(), hexagon.height(), hexagon.shape()), (3, 3, HexShape::Hexagon));
    assert_eq!(hexagon.to_weights(), [0, 1, 1, 1, 1, 1, 0, 1, 1]);
    assert_eq!((hexagon.free_cells(), hexagon.cells_by_weight()[0]), (7, 0));
    assert!(!hexagon.contains(HexCell::at(0, 0)) && hexagon.contains(HexCell::at(1, 0)));
}

#[test]
fn nodes_of_the_largest_grids_are_found_again() {
    // Only the numbers matter, so the grid has no memory for its cells.
    let mut grid = HexGrid::open(1, 1, None).unwrap();
    for (width, height) in [(32_766, 32_766), (32_766, 3), (1, 32_766), (2, 32_765), (31_999, 32_001)] {
        grid.ground.layout = HexLayout::new(HexShape::Rectangle, width, height);
        for row in (0..height as u16).filter(|row| row % 97 < 2 || usize::from(*row) + 4 > height) {
            for column in (0..width as u16).filter(|x| x % 1013 < 2 || usize::from(*x) + 3 > width) {
                let cell = HexCell::at(column, row);
                assert_eq!(grid.cell(grid.node(cell)), cell);
            }
        }
    }
}

#[test]
fn sizes_and_counts_are_checked() {
    let size = |width, height| Some(GridError::Size { width, height });
    assert_eq!(HexGrid::open(0, 3, None).err(), size(0, 3));
    assert_eq!(HexGrid::open(3, 32_767, None).err(), size(3, 32_767));
    assert_eq!(HexGrid::hexagon(16_383, None).err(), size(32_767, 32_767));
    assert_eq!(HexGrid::hexagon(usize::MAX, None).err(), size(usize::MAX, usize::MAX));
    let count = GridError::Count { width: 3, height: 3, count: 8 };
    assert_eq!(HexGrid::hexagon_from_weights(1, &[1; 8], None).err(), Some(count));
    assert_eq!(HexGrid::from_weights(3, 3, &[1; 8], None).err(), Some(count));
    assert_eq!(2 * HexGrid::MAX_RADIUS + 1, 32_765);
    assert!(HexGrid::open(32_766, 1, None).is_ok() && HexGrid::open(1, 32_766, None).is_ok());
}

#[test]
fn a_step_costs_the_mean_weight() {
    let grid = HexGrid::from_weights(3, 2, &[1, 4, 0, 2, 7, 1], Some(Metric::new(5, 5).unwrap())).unwrap();
    let cost = |a: (u16, u16), b: (u16, u16)| grid.step_cost(HexCell::at(a.0, a.1), HexCell::at(b.0, b.1));
    assert_eq!(cost((0, 0), (1, 0)), Some(Cost(12)));
    assert_eq!(cost((1, 0), (1, 1)), Some(Cost(27)));
    assert_eq!(cost((1, 0), (0, 1)), Some(Cost(15)));
    assert_eq!(cost((0, 0), (1, 1)), None, "two steps apart");
    assert_eq!(cost((1, 0), (2, 0)), None, "blocked");
    assert_eq!(cost((1, 0), (1, 0)), None, "no step");
    assert_eq!(grid.metric().straight(), 5);
    assert_eq!(HexGrid::open(9, 9, None).unwrap().metric(), Metric::FINE);
}

/// Searches in breadth by canonical steps only. Cells of one distance are expanded in random order, so that any of
/// several arrivals at a cell may be the one that is kept.
#[test]
fn canonical_steps_reach_every_cell_at_its_distance() {
    let mut random = Random::new(7);
    for _ in 0..3000 {
        let model = random_model(&mut random, 14, &[1]);
        let grid = model.grid();
        let Some(start) = model.random_free(&mut random) else { continue };
        let truth = model.distances(start);
        let mut found = vec![None; grid.node_count()];
        let mut layer = vec![(grid.node(start), NOWHERE)];
        found[grid.node(start).index()] = Some(0);
        for distance in 1.. {
            let mut next = Vec::new();
            while !layer.is_empty() {
                let (node, arrival) = layer.swap_remove(random.below(layer.len() as u64) as usize);
                let steps = CANONICAL[usize::from(arrival)][usize::from(grid.around(node))];
                for direction in (0..6u8).filter(|d| steps >> d & 1 == 1) {
                    let to = node.0.wrapping_add_signed(grid.offsets()[usize::from(direction)]);
                    if found[to as usize].is_none() {
                        found[to as usize] = Some(distance);
                        next.push((NodeId(to), direction));
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            layer = next;
        }
        for cell in grid.cells() {
            assert_eq!(found[grid.node(cell).index()], truth[model.index(cell)], "{start} to {cell} on\n{model}");
        }
    }
}
