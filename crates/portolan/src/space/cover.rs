//! Turning a drawing into edits: few rectangles instead of one edit for each cell.
//!
//! Not here: applying edits to a world.

use super::{Area, Edit, Terrain};

impl Edit {
    /// Makes edits that give each cell of an area its own terrain: few rectangles, none of which overlap. `terrain` is
    /// called with the column and row of each cell, counted from the area's top left. If it returns `None`, no edit
    /// covers the cell.
    ///
    /// ```
    /// use portolan::{Area, Edit, Terrain};
    /// let area = Area { x: 10, y: 20, width: 4, height: 3 };
    /// let wall = Edit::cover(area, |x, _| (x == 1).then_some(Terrain::BLOCKED));
    /// assert_eq!(wall, [Edit::new(Area { x: 11, y: 20, width: 1, height: 3 }, Terrain::BLOCKED)]);
    /// ```
    pub fn cover(area: Area, terrain: impl Fn(u16, u16) -> Option<Terrain>) -> Vec<Edit> {
        covered(area, terrain).into_iter().map(|(area, terrain)| Edit::new(area, terrain)).collect()
    }
}

/// Returns rectangles that cover the cells of an area for which `value` returns something, each with the one value of its
/// cells: few of them, none of which overlap. `value` is called with the column and row of each cell, counted from the
/// area's top left.
pub(super) fn covered<T: Copy + PartialEq>(area: Area, value: impl Fn(u16, u16) -> Option<T>) -> Vec<(Area, T)> {
    let mut covers: Vec<(Area, T)> = Vec::new();
    // Indices, from left to right, of the rectangles that reach down to the row above.
    let mut above: Vec<usize> = Vec::new();
    let mut here = Vec::new();
    let mut row = Vec::new();
    for y in 0..area.height {
        row.clear();
        row.extend((0..area.width).map(|x| value(x, y)));
        let mut candidates = above.iter().copied().peekable();
        let mut x = 0;
        for run in row.chunk_by(|a, b| a == b) {
            // A column past the largest `u16` becomes the largest one, which lies off every grid.
            let (left, width) = (area.x.saturating_add(x), run.len() as u16);
            x += width;
            let Some(value) = run[0] else { continue };
            while candidates.next_if(|&index| covers[index].0.x < left).is_some() {}
            let same = |index: &usize| {
                let (above, its) = covers[*index];
                above.x == left && above.width == width && its == value
            };
            if let Some(index) = candidates.next_if(same) {
                covers[index].0.height += 1;
                here.push(index);
            } else {
                here.push(covers.len());
                covers.push((Area { x: left, y: area.y.saturating_add(y), width, height: 1 }, value));
            }
        }
        std::mem::swap(&mut above, &mut here);
        here.clear();
    }
    covers
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cover(rows: &[&str]) -> Vec<Edit> {
        let area = Area { x: 5, y: 7, width: rows[0].len() as u16, height: rows.len() as u16 };
        Edit::cover(area, |x, y| match rows[usize::from(y)].as_bytes()[usize::from(x)] {
            b'.' => Some(Terrain::GROUND),
            b'@' => Some(Terrain::BLOCKED),
            _ => None,
        })
    }

    fn edit(x: u16, y: u16, width: u16, height: u16, terrain: Terrain) -> Edit {
        Edit::new(Area { x: 5 + x, y: 7 + y, width, height }, terrain)
    }

    #[test]
    fn equal_runs_below_each_other_are_one_rectangle() {
        assert_eq!(cover(&["@@", "@@", "@@"]), [edit(0, 0, 2, 3, Terrain::BLOCKED)]);
        assert_eq!(
            cover(&["@@.", "@@.", "@.."]),
            [
                edit(0, 0, 2, 2, Terrain::BLOCKED),
                edit(2, 0, 1, 2, Terrain::GROUND),
                edit(0, 2, 1, 1, Terrain::BLOCKED),
                edit(1, 2, 2, 1, Terrain::GROUND),
            ]
        );
    }

    #[test]
    fn cells_left_alone_are_in_no_rectangle() {
        assert_eq!(cover(&["   ", "   "]), []);
        assert_eq!(
            cover(&["@ .", "@ .", "   ", "@ ."]),
            [
                edit(0, 0, 1, 2, Terrain::BLOCKED),
                edit(2, 0, 1, 2, Terrain::GROUND),
                edit(0, 3, 1, 1, Terrain::BLOCKED),
                edit(2, 3, 1, 1, Terrain::GROUND),
            ]
        );
    }
}
