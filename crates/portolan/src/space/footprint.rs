//! Which cells a body covers, as runs of cells side by side in rows.
//!
//! Not here: whether these cells are free.

use super::profile::{Body, ViewError};

/// The form of the cells of a grid, as far as bodies depend on it.
#[derive(Copy, Clone, PartialEq, Eq)]
pub enum Form {
    /// Squares.
    Square,
    /// Hexes, whose odd rows lie half a cell further to the right.
    Hex,
}

/// A run of cells of a body in one row.
#[derive(Copy, Clone)]
pub(super) struct Span {
    /// How many rows below the agent's place the run lies.
    pub(super) down: i32,
    /// How many columns to the right of the place it begins if the place lies in an even row, and if in an odd one.
    pub(super) first: [i32; 2],
}

/// The cells that a body covers.
#[derive(Clone)]
pub(super) struct Footprint {
    /// The runs of each length, the shortest first.
    pub(super) spans_by_length: Vec<(usize, Vec<Span>)>,
    /// The least and the greatest number of columns, and of rows, that a cell lies away from the agent's place.
    pub(super) columns: (i32, i32),
    pub(super) rows: (i32, i32),
}

impl Footprint {
    pub(super) fn new(body: Body, form: Form) -> Result<Footprint, ViewError> {
        let both = |first| [first; 2];
        let runs: Vec<(usize, Span)> = match (body, form) {
            (Body::Square(size @ 2..), Form::Hex) => return Err(ViewError::SquareOnHexes(size)),
            (Body::Square(size), _) => {
                let run = |down| (usize::from(size), Span { down, first: both(0) });
                (0..i32::from(size)).map(run).collect()
            }
            (Body::Round(radius), Form::Square) => {
                let radius = i32::from(radius);
                let run = |down: i32| {
                    let half = (radius * radius - down * down).isqrt();
                    (2 * half as usize + 1, Span { down, first: both(-half) })
                };
                (-radius..=radius).map(run).collect()
            }
            (Body::Round(radius), Form::Hex) => {
                let radius = i32::from(radius);
                let run = |down: i32| {
                    // In axial coordinates the run begins so far to the right. Columns count from the start of a row, and
                    // rows begin half a cell further to the left from row to row.
                    let first = -radius - down.min(0);
                    let length = 2 * radius - down.abs() + 1;
                    (length as usize, Span { down, first: [0, 1].map(|odd| first + ((odd + down) >> 1)) })
                };
                (-radius..=radius).map(run).collect()
            }
        };
        Ok(Footprint::of(runs))
    }

    fn of(mut runs: Vec<(usize, Span)>) -> Footprint {
        let least = |span: &Span| span.first[0].min(span.first[1]);
        let most = |&(length, span): &(usize, Span)| span.first[0].max(span.first[1]) + length as i32 - 1;
        let rows = runs.iter().map(|(_, span)| span.down);
        let rows = (rows.clone().min().unwrap_or(0), rows.max().unwrap_or(0));
        let columns =
            (runs.iter().map(|(_, span)| least(span)).min().unwrap_or(0), runs.iter().map(most).max().unwrap_or(0));
        runs.sort_by_key(|&(length, span)| (length, span.down));
        let groups = runs.chunk_by(|a, b| a.0 == b.0);
        let spans_by_length = groups.map(|group| (group[0].0, group.iter().map(|run| run.1).collect())).collect();
        Footprint { spans_by_length, columns, rows }
    }

    pub(super) fn bytes(&self) -> usize {
        self.spans_by_length.iter().map(|(_, spans)| spans.len() * size_of::<Span>() + size_of::<Vec<Span>>()).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::id::{Cell, HexCell};
    use std::collections::BTreeSet;

    fn covered(body: Body, form: Form, at: Cell) -> BTreeSet<(i32, i32)> {
        let footprint = Footprint::new(body, form).unwrap();
        let (x, y) = (i32::from(at.x), i32::from(at.y));
        let mut cells = Vec::new();
        for (length, spans) in &footprint.spans_by_length {
            for span in spans {
                let first = x + span.first[usize::from(at.y % 2)];
                cells.extend((first..first + *length as i32).map(|column| (column, y + span.down)));
            }
        }
        let set: BTreeSet<(i32, i32)> = cells.iter().copied().collect();
        assert_eq!(set.len(), cells.len(), "no cell comes twice");
        let ends = |(x, y): (i32, i32)| (x - i32::from(at.x), y - i32::from(at.y));
        let away: Vec<(i32, i32)> = set.iter().copied().map(ends).collect();
        assert!(away.iter().all(|&(x, y)| {
            (footprint.columns.0..=footprint.columns.1).contains(&x)
                && (footprint.rows.0..=footprint.rows.1).contains(&y)
        }));
        set
    }

    #[test]
    fn a_square_lies_to_the_right_of_its_place_and_below() {
        let square = covered(Body::Square(3), Form::Square, Cell::new(5, 7));
        let cells: BTreeSet<_> = (5..8).flat_map(|x| (7..10).map(move |y| (x, y))).collect();
        assert_eq!(square, cells);
    }

    #[test]
    fn a_round_body_has_the_cells_within_its_radius() {
        for radius in 0..20 {
            let disc = covered(Body::Round(radius), Form::Square, Cell::new(40, 41));
            let reach = i32::from(radius);
            let cells = (-30..=30).flat_map(|x: i32| (-30..=30).map(move |y: i32| (x, y)));
            let within = cells.filter(|(x, y)| x * x + y * y <= reach * reach).map(|(x, y)| (40 + x, 41 + y));
            assert_eq!(disc, within.collect());
        }
    }

    #[test]
    fn a_body_on_hexes_has_the_cells_within_so_many_steps() {
        for radius in 0..9 {
            for at in [Cell::new(20, 20), Cell::new(21, 21)] {
                let middle = HexCell::from(at);
                let all = (0..45u16).flat_map(|x| (0..45u16).map(move |y| Cell::new(x, y)));
                let near = all.filter(|&cell| HexCell::from(cell).distance(middle) <= u32::from(radius));
                let cells: BTreeSet<_> = near.map(|cell| (i32::from(cell.x), i32::from(cell.y))).collect();
                assert_eq!(covered(Body::Round(radius), Form::Hex, at), cells);
            }
        }
        assert_eq!(Footprint::new(Body::Square(2), Form::Hex).err(), Some(ViewError::SquareOnHexes(2)));
        assert!(Footprint::new(Body::Square(1), Form::Hex).is_ok());
    }
}
