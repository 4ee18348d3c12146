//! What lies between the cells of a world to an agent whose body covers several of them: it may not stand across a wall, it
//! crosses a border only where each of its cells may, and it takes a link that leads from its place to a place where it fits.
//!
//! Not here: borders and links themselves (`space/borders.rs`, `space/links.rs`), and where a body fits on the ground
//! (`space/clearance.rs`).

use crate::space::borders::{Border, Side};
use crate::space::footprint::Footprint;
use crate::space::ground::{Ground, Layout};
use crate::space::passages::Passages;
use crate::space::{Area, Edit};

impl Footprint {
    /// Returns the columns and rows that the body covers where it stands on a place. Some may lie off the grid.
    fn cells(&self, at: (usize, usize)) -> impl Iterator<Item = (i32, i32)> + '_ {
        let (column, row) = (at.0 as i32, at.1 as i32);
        let runs =
            self.spans_by_length.iter().flat_map(|(length, spans)| spans.iter().map(move |span| (*length, span)));
        runs.flat_map(move |(length, span)| {
            let first = column + span.first[at.1 % 2];
            (first..first + length as i32).map(move |column| (column, row + span.down))
        })
    }

    /// Returns whether the body covers a cell where it stands on a place.
    fn covers(&self, at: (usize, usize), cell: (usize, usize)) -> bool {
        let (right, down) = (cell.0 as i32 - at.0 as i32, cell.1 as i32 - at.1 as i32);
        self.spans_by_length.iter().any(|(length, spans)| {
            let begins = spans.iter().filter(|span| span.down == down).map(|span| span.first[at.1 % 2]);
            begins.into_iter().any(|first| (first..first + *length as i32).contains(&right))
        })
    }
}

impl<L: Layout> Ground<L> {
    /// Returns the cells on the grid that a body covers.
    fn under<'a>(&'a self, footprint: &'a Footprint, at: (usize, usize)) -> impl Iterator<Item = (usize, usize)> + 'a {
        let (width, height) = self.layout.size();
        let on_grid =
            move |&(column, row): &(i32, i32)| (0..width as i32).contains(&column) && (0..height as i32).contains(&row);
        footprint.cells(at).filter(on_grid).map(|(column, row)| (column as usize, row as usize))
    }

    /// Returns the directions in which a border is closed to a cell of a body, one bit each.
    fn closed_to(&self, footprint: &Footprint, at: (usize, usize)) -> u8 {
        let Some(passages) = &self.passages else { return 0 };
        let closed = passages.closed_by_node();
        self.under(footprint, at).fold(0, |all, cell| all | closed[self.layout.node_of(cell)])
    }

    /// Returns whether a body on a place stands across a wall.
    pub(in crate::space) fn is_across_a_wall(&self, footprint: &Footprint, at: (usize, usize)) -> bool {
        let Some(passages) = &self.passages else { return false };
        let closed = passages.closed_by_node();
        let is_wall = |cell: (usize, usize), direction: usize| {
            let is_closed = closed[self.layout.node_of(cell)] >> direction & 1 == 1;
            let beyond = self.layout.beside(cell, direction).filter(|_| is_closed);
            beyond.is_some_and(|beyond| {
                closed[self.layout.node_of(beyond)] >> L::back(direction) & 1 == 1 && footprint.covers(at, beyond)
            })
        };
        self.under(footprint, at).any(|cell| (0..L::DIRECTIONS).any(|direction| is_wall(cell, direction)))
    }

    /// Returns a border between two places as a body finds it, `None` at the edge of the map and where cells have no such side.
    fn border_to(&self, footprint: &Footprint, at: (usize, usize), side: Side) -> Option<Border> {
        let direction = L::direction(side)?;
        let beyond = self.layout.beside(at, direction)?;
        let out = self.closed_to(footprint, at) >> direction & 1 == 1;
        Some(Border::of([out, self.closed_to(footprint, beyond) >> L::back(direction) & 1 == 1]))
    }

    /// Gives the ground of a view the borders and links of the world that it is a view of.
    pub(super) fn take_passages_of(&mut self, base: &Ground<L>, footprint: &Footprint) {
        let Some(passages) = &base.passages else { return };
        let layout = base.layout;
        let mut seen = Passages::new(&layout);
        for row in 0..layout.size().1 {
            for at in layout.columns(row).map(|column| (column, row)) {
                if base.closed_to(footprint, at) == 0 {
                    continue;
                }
                for side in Side::ALL {
                    let Some(border) = base.border_to(footprint, at, side) else { continue };
                    let direction = L::direction(side).expect("a border of that side");
                    seen.set_borders(&layout, (at, at), direction, border);
                }
            }
        }
        seen.links = passages.links.clone();
        self.passages = Some(Box::new(seen));
        let (width, height) = layout.size();
        self.follow(&[((0, 0), (width - 1, height - 1))]);
    }

    /// Returns the edits that give the ground of a view the borders that a body finds now around the places of an area.
    pub(super) fn changed_borders(&self, footprint: &Footprint, view: &Ground<L>, places: Area) -> Vec<Edit> {
        let mut edits = Vec::new();
        for y in places.y..places.y + places.height {
            let on_row = self.layout.columns(y.into());
            for x in (places.x..places.x + places.width).filter(|&x| on_row.contains(&x.into())) {
                let at = (usize::from(x), usize::from(y));
                for side in Side::ALL {
                    let Some(border) = self.border_to(footprint, at, side) else { continue };
                    let direction = L::direction(side).expect("a border of that side");
                    let known = view.passages.as_ref().map(|seen| seen.border(&view.layout, at, direction));
                    if known.unwrap_or_default() != border {
                        edits.push(Edit::border(crate::Cell { x, y }, side, border));
                    }
                }
            }
        }
        edits
    }
}
