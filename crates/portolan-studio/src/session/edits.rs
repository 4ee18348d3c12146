//! Edits as lists of numbers, the form that messages have: reading, checking and writing them.
//!
//! Not here: applying them.

use super::Refusal;
use crate::limits;
use portolan::any::AnySnapshot;
use portolan::{Area, Edit, EditError, Terrain};

/// Reads the edits from a list of numbers.
pub(super) fn read_edits(numbers: &[u16]) -> Result<Vec<Edit>, Refusal> {
    let (fives, []) = numbers.as_chunks::<5>() else { return Err(Refusal::NoEdit) };
    if fives.len() > limits::EDITS {
        return Err(Refusal::TooMuch);
    }
    let edit = |&[x, y, width, height, weight]: &[u16; 5]| {
        let weight = u8::try_from(weight).map_err(|_| Refusal::NoEdit)?;
        Ok(Edit::new(Area { x, y, width, height }, Terrain::of_weight(weight)))
    };
    let edits = fives.iter().map(edit).collect::<Result<Vec<Edit>, Refusal>>()?;
    if covered(&edits) > limits::EDITED_CELLS { Err(Refusal::TooMuch) } else { Ok(edits) }
}

/// Returns the number of cells that edits change; a cell counts as often as it is changed.
pub(super) fn covered(edits: &[Edit]) -> usize {
    edits.iter().map(|edit| usize::from(edit.area.width) * usize::from(edit.area.height)).sum()
}

/// Checks that all edits lie on the grid. This is checked before they are applied, because the edits that undo them are
/// worked out first.
pub(super) fn check_edits(world: &AnySnapshot, edits: &[Edit]) -> Result<(), EditError> {
    let (width, height) = (world.width(), world.height());
    let lies_on = |Area { x, y, width: columns, height: rows }: Area| {
        let (columns, rows) = (usize::from(columns), usize::from(rows));
        columns > 0 && rows > 0 && usize::from(x) + columns <= width && usize::from(y) + rows <= height
    };
    let off = edits.iter().find(|edit| !lies_on(edit.area));
    off.map_or(Ok(()), |edit| Err(EditError::OffMap { area: edit.area, width, height }))
}

/// Returns edits of terrain, which are all that the page draws, as a list of numbers.
pub(super) fn written(edits: &[Edit]) -> Vec<u16> {
    let five = |edit: &Edit| {
        let Area { x, y, width, height } = edit.area;
        Some([x, y, width, height, u16::from(edit.terrain()?.weight())])
    };
    edits.iter().filter_map(five).flatten().collect()
}
