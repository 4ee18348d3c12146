//! Edits as lists of numbers, the form that messages have: reading, checking and writing them; and what lies between the cells of a
//! world, in that form.
//!
//! Not here: applying edits.

use super::Refusal;
use crate::frame::{Numbers, Parts};
use crate::limits;
use portolan::any::AnySnapshot;
use portolan::{Area, Border, Cell, Change, Cost, Edit, EditError, Extras, Side, Terrain};

/// Reads the edits of terrain from a list of numbers.
pub(super) fn read_edits(numbers: &[u16]) -> Result<Vec<Edit>, Refusal> {
    let (fives, []) = numbers.as_chunks::<5>() else { return Err(Refusal::NoEdit) };
    let edit = |&[x, y, width, height, ground]: &[u16; 5]| {
        let [weight, kind] = ground.to_le_bytes();
        let terrain = Terrain::of_weight(weight).with_kind(kind);
        // Blocked cells are of no kind.
        let is_sound = terrain.kind() == kind;
        is_sound.then(|| Edit::new(Area { x, y, width, height }, terrain)).ok_or(Refusal::NoEdit)
    };
    bounded(fives.iter().map(edit).collect::<Result<_, _>>()?)
}

/// Returns the edits if one command may bring so many.
fn bounded(edits: Vec<Edit>) -> Result<Vec<Edit>, Refusal> {
    let is_much = edits.len() > limits::EDITS || covered(&edits) > limits::EDITED_CELLS;
    if is_much { Err(Refusal::TooMuch) } else { Ok(edits) }
}

/// Takes all edits that a command brings: those of terrain, of borders and of links, in this order.
pub(super) fn take_edits(parts: &mut Parts) -> Result<Vec<Edit>, Refusal> {
    let mut edits = Vec::new();
    let mut is_any = false;
    if let Some(Numbers::U16(numbers)) = parts.take("edits") {
        (edits, is_any) = (read_edits(&numbers)?, true);
    }
    let between = read_between(parts, &mut is_any)?;
    if !is_any {
        return Err(Refusal::NoPart { name: "edits", kind: "u16" });
    }
    edits.extend(between);
    bounded(edits)
}

/// Takes the edits of borders and links that a command brings, if it brings some. Notes whether it does.
fn read_between(parts: &mut Parts, is_any: &mut bool) -> Result<Vec<Edit>, Refusal> {
    let mut edits = Vec::new();
    if let Some(Numbers::U16(numbers)) = parts.take("borders") {
        let (sixes, []) = numbers.as_chunks::<6>() else { return Err(Refusal::NoBorder) };
        for &[x, y, width, height, side, border] in sixes {
            let side = Side::ALL.get(usize::from(side)).ok_or(Refusal::NoBorder)?;
            let (_, border) = Border::NAMED.get(usize::from(border)).ok_or(Refusal::NoBorder)?;
            edits.push(Edit::border(Area { x, y, width, height }, *side, *border));
        }
        *is_any = true;
    }
    if let Some(Numbers::U32(numbers)) = parts.take("links") {
        let (sixes, []) = numbers.as_chunks::<6>() else { return Err(Refusal::NoLink) };
        for &[x, y, to_x, to_y, cost, both_ways] in sixes {
            let cell = |x: u32, y: u32| u16::try_from(x).ok().zip(u16::try_from(y).ok()).map(Cell::from);
            let (from, to) = cell(x, y).zip(cell(to_x, to_y)).ok_or(Refusal::NoLink)?;
            let cost = (cost > 0).then_some(Cost(cost));
            edits.push(Edit { area: from.into(), change: Change::Link { to, cost, both_ways: both_ways != 0 } });
        }
        *is_any = true;
    }
    Ok(edits)
}

/// Takes the borders and links of a world that a page sends whole.
pub(super) fn take_between(parts: &mut Parts) -> Result<Vec<Edit>, Refusal> {
    read_between(parts, &mut false)
}

/// Returns the number of cells that edits change; a cell counts as often as it is changed.
pub(super) fn covered(edits: &[Edit]) -> usize {
    edits.iter().map(|edit| usize::from(edit.area.width) * usize::from(edit.area.height)).sum()
}

/// Checks that all edits lie on the grid. This is checked before they are applied, because the edits that undo them are
/// worked out first.
pub(super) fn check_edits(world: &AnySnapshot, edits: &[Edit]) -> Result<(), EditError> {
    edits.iter().try_for_each(|edit| edit.check(world.width(), world.height()))
}

/// Returns edits of terrain as a list of numbers.
pub(super) fn written(edits: &[Edit]) -> Vec<u16> {
    let five = |edit: &Edit| {
        let Area { x, y, width, height } = edit.area;
        let terrain = edit.terrain()?;
        Some([x, y, width, height, u16::from_le_bytes([terrain.weight(), terrain.kind()])])
    };
    edits.iter().filter_map(five).flatten().collect()
}

/// Returns whether some of these edits are of borders or links.
pub(super) fn are_between(edits: &[Edit]) -> bool {
    edits.iter().any(|edit| edit.terrain().is_none())
}

/// Adds all borders that are not open, and all links, to the arrays of an answer.
pub(super) fn tell_between(world: &AnySnapshot, parts: &mut Parts) {
    let number =
        |border: Border| Border::NAMED.iter().position(|&(_, known)| known == border).unwrap_or_default() as u16;
    let borders = world.borders().flat_map(|(at, side, border)| [at.x, at.y, side as u16, number(border)]);
    parts.push("borders", borders.collect::<Vec<u16>>());
    let links = world.links().flat_map(|(from, to, cost)| {
        let [x, y, to_x, to_y] = [from.x, from.y, to.x, to.y].map(u32::from);
        [x, y, to_x, to_y, cost.0]
    });
    parts.push("links", links.collect::<Vec<u32>>());
}

/// Returns whether a world has borders or links.
pub(super) fn has_between(world: &AnySnapshot) -> bool {
    world.extras() != Extras::Nothing
}
