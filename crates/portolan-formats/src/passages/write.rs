//! Writing what lies between the cells of a world, in as few lines as rectangles of equal borders take.
//!
//! Not here: reading, and the words of an edit, which cases have too.

use crate::case::edit_words;
use portolan::any::AnySnapshot;
use portolan::{Area, Border, Cell, Edit, Extras, Floors, Side};
use std::collections::BTreeMap;

/// Returns the lines for the floors, borders and links of a world, which may be none.
pub(crate) fn write(world: &AnySnapshot, floors: Option<Floors>) -> String {
    let mut lines = String::new();
    if let Some(floors) = floors {
        let (width, height) = floors.size();
        lines = format!("floors {} {width}x{height}\n", floors.count());
    }
    if world.extras() == Extras::Nothing {
        return lines;
    }
    let sides = world.sides();
    for &side in &sides[..sides.len() / 2] {
        for (area, border) in rectangles(world, side) {
            lines.extend([&edit_words(&Edit::border(area, side, border)), "\n"]);
        }
    }
    let links: BTreeMap<(Cell, Cell), _> = world.links().map(|(from, to, cost)| ((from, to), cost)).collect();
    for (&(from, to), &cost) in &links {
        let both_ways = links.get(&(to, from)) == Some(&cost);
        if both_ways && to < from {
            continue; // The link back has told of both.
        }
        let rests = if world.is_free(from) && world.is_free(to) { "" } else { " resting" };
        lines.extend([&edit_words(&Edit::link(from, to, cost, both_ways)), rests, "\n"]);
    }
    lines
}

/// Returns rectangles of cells that have equal borders on one side, but for open ones: each as wide as its first row lets it be,
/// then as high.
fn rectangles(world: &AnySnapshot, side: Side) -> Vec<(Area, Border)> {
    let (width, height) = (world.width(), world.height());
    let mut left = vec![Border::Open; width * height];
    for at in world.cells().filter(|&at| world.beside(at, side).is_some()) {
        left[usize::from(at.y) * width + usize::from(at.x)] = world.border(at, side).unwrap_or_default();
    }
    let mut found = Vec::new();
    for y in 0..height {
        let mut x = 0;
        while x < width {
            let border = left[y * width + x];
            let across = left[y * width + x..(y + 1) * width].iter().take_while(|&&other| other == border).count();
            if border != Border::Open {
                let is_alike = |row: &usize| left[row * width + x..][..across].iter().all(|&other| other == border);
                let down = (y..height).take_while(is_alike).count();
                for row in y..y + down {
                    left[row * width + x..][..across].fill(Border::Open);
                }
                let [x, y, width, height] = [x, y, across, down].map(|side| side as u16);
                found.push((Area { x, y, width, height }, border));
            }
            x += across;
        }
    }
    found
}
