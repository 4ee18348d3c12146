//! Tests of edits of a hexagonal grid, against the model and against floods.

use super::HexGrid;
use crate::generate::Random;
use crate::id::{Cell, HexCell};
use crate::space::editing::Editable;
use crate::space::hex::HexShape;
use crate::space::hex::model::{Model, random_model};
use crate::space::{Area, Edit, Terrain};

#[test]
fn an_edited_grid_is_a_fresh_one() {
    let mut random = Random::new(11);
    for _ in 0..150 {
        let mut model = random_model(&mut random, 20, &[1]);
        let mut grid = model.grid();
        for round in 0..12 {
            let weights: &[u8] = if round < 6 { &[0, 1] } else { &[0, 1, 1, 3, 255] };
            let edits: Vec<Edit> = (0..=random.below(3)).map(|_| model.random_edit(&mut random, 8, weights)).collect();
            for edit in &edits {
                model.apply(edit);
            }
            grid.edit(edits.iter());
            model.assert_same(&grid);
        }
    }
}

/// Worlds whose sides lie at or near the borders of tiles, which are 64 cells wide and begin with the rim.
#[test]
fn components_of_edited_grids_are_what_a_flood_reaches() {
    let mut random = Random::new(13);
    let sides = [1, 5, 61, 62, 63, 64, 65, 66, 67, 125, 126, 127, 128, 129, 131];
    for world in 0..240 {
        let side = |random: &mut Random| sides[random.below(sides.len() as u64) as usize];
        let (mut width, mut height) = (side(&mut random), side(&mut random));
        let shape = if world % 4 == 0 { HexShape::Hexagon } else { HexShape::Rectangle };
        if shape == HexShape::Hexagon {
            (width, height) = (width | 1, width | 1);
        }
        let percent = 25 + random.below(45);
        let weights = (0..width * height).map(|_| u8::from(!random.chance(percent))).collect();
        let mut model = Model { shape, width, height, weights }.without_void();
        let mut grid = model.grid();
        model.assert_components(&grid);
        for round in 0..120 {
            // Edits range from single cells, most of them, to rectangles that cross several tiles.
            let most = [1, 1, 1, 2, 3, 12, 70][random.below(7) as usize];
            let edits = [0; 2].map(|_| model.random_edit(&mut random, most, &[0, 1]));
            for edit in &edits {
                model.apply(edit);
            }
            grid.edit(edits.iter());
            if round % 12 == 11 || width * height < 500 {
                model.assert_components(&grid);
            }
        }
        let (Some(a), Some(b)) = (model.random_free(&mut random), model.random_free(&mut random)) else { continue };
        assert_eq!(grid.connected(a, b), model.distances(a)[model.index(b)].is_some());
    }
}

#[test]
fn edits_leave_void_cells_alone() {
    let mut grid = HexGrid::hexagon(2, None).unwrap();
    let all = Area { x: 0, y: 0, width: 5, height: 5 };
    grid.edit([Edit::new(all, Terrain::of_weight(9))].iter());
    assert_eq!((grid.free_cells(), grid.cells_by_weight()[9], grid.uniform_weight()), (19, 19, Some(9)));
    assert_eq!(grid.to_weights()[..5], [0, 9, 9, 9, 0]);
    grid.edit([Edit::new(Cell::new(0, 0), Terrain::GROUND)].iter());
    assert!(!grid.is_free(HexCell::at(0, 0)));
    grid.edit([Edit::new(all, Terrain::BLOCKED)].iter());
    assert_eq!((grid.free_cells(), grid.cells_by_weight()[0]), (0, 19));
}
