//! The saved form of a jump graph: writes its landmarks to sections of plain data, and reads them back.
//!
//! | section | contents |
//! |---|---|
//! | `landmarks` | in four bytes each: the exponent of a quantum of distance, then column and row of every landmark |
//! | `distances` | in two bytes each: the distance of every jump point to every landmark |
//!
//! A quantum is two to the power of its exponent, in units of cost. Distances come jump point by jump point, in the
//! order of [`landmark_setup::in_order`], and for each jump point landmark by landmark. They are numbers of quanta, or
//! 65,535 if no route leads from one to the other.
//!
//! Not here: the graph itself, which is not saved, because building it takes no longer than reading it would.

use super::super::jump_point::point;
use super::{JumpGraph, landmark_setup};
use crate::id::Cell;
use crate::method::Method;
use crate::saved::{OpenError, SectionStream, Sections, write_numbers};
use crate::search::shared::landmarks::{LANDMARKS, Landmarks, UNKNOWN};
use crate::settings::Settings;
use crate::space::square::SquareGrid;
use std::io::Write;

/// Returns the sections of a graph and its landmarks.
pub(super) fn sections<'a>(graph: &JumpGraph, marks: &'a Landmarks) -> Vec<SectionStream<'a>> {
    let cells = marks.cells.iter().flat_map(|cell| [cell.x, cell.y].map(u32::from));
    let order = landmark_setup::in_order(&graph.map, &graph.leaps);
    let len = 2 * marks.cells.len() * order.len();
    let write = move |out: &mut dyn Write| write_numbers(out, marks.quanta(&order).map(u16::to_le_bytes));
    vec![
        SectionStream::of_words("landmarks", [marks.shift].into_iter().chain(cells)),
        SectionStream::new("distances", len, write),
    ]
}

/// Builds the graph of a world and reads its landmarks from saved sections.
pub(crate) fn open(grid: &SquareGrid, settings: &Settings, sections: &Sections) -> Result<Box<dyn Method>, OpenError> {
    let wanted = settings.count(LANDMARKS.name) as usize;
    let mut graph = JumpGraph::unguided(grid, wanted);
    let order = landmark_setup::in_order(&graph.map, &graph.leaps);

    let mut places = sections.take("landmarks")?;
    let mut words = Vec::new();
    let count = places.len().saturating_sub(4) / 8;
    places.words(1 + 2 * count, &mut words)?;
    places.end()?;
    if count == 0 || count > wanted || words[0] > 16 {
        let expected = format!("a power of two up to 16 and 1 to {wanted} landmarks");
        return Err(places.fault(expected, format!("{} and {count}", words[0])));
    }
    let mut marks = Landmarks::new(count, graph.leaps.spots.len());
    marks.shift = words[0];
    for place in words[1..].chunks_exact(2) {
        let [x, y] = [place[0], place[1]].map(|side| u16::try_from(side).unwrap_or(u16::MAX));
        if !grid.is_free(Cell { x, y }) || graph.leaps.number(&graph.map, point(Cell { x, y })).is_none() {
            return Err(places.fault("landmarks on jump points", format!("one at {}, {}", place[0], place[1])));
        }
        marks.cells.push(Cell { x, y });
    }

    let mut distances = sections.take("distances")?;
    let bytes = distances.bytes(2 * count * order.len())?;
    distances.end()?;
    marks.set_quanta(&order, bytes.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])));
    check(grid, &graph, &order, &marks).map_err(|(expected, found)| distances.fault(expected, found))?;
    graph.marks = Some(marks);
    Ok(Box::new(graph))
}

/// Checks that distances are plausible. A distance must be known if jump point and landmark are connected, and unknown
/// if they are not. It must be 0 at the landmark itself, and nowhere more than a route through all free cells could
/// cost. At the two ends of a leap distances must not differ by more than the cost of the leap, except for rounding.
/// The error is what was expected and what was found.
fn check(grid: &SquareGrid, graph: &JumpGraph, order: &[u32], marks: &Landmarks) -> Result<(), (String, String)> {
    let leaps = &graph.leaps;
    let scale = u64::from(grid.metric().diagonal()) * u64::from(grid.least_weight());
    let dearest = (grid.free_cells() as u64 * scale) >> marks.shift;
    let parts: Vec<_> = marks.cells.iter().map(|&cell| grid.component(cell)).collect();
    for &number in order {
        let spot = leaps.spots[number as usize];
        let cell = Cell { x: spot.at[0] - 1, y: spot.at[1] - 1 };
        let part = grid.component(cell);
        let own = marks.of(number as usize).as_flattened();
        for ((&quanta, &there), &landmark) in own.iter().zip(&parts).zip(&marks.cells) {
            let least = if landmark == cell { 0 } else { dearest.min(u64::from(UNKNOWN) - 1) };
            let sound = if part == there { u64::from(quanta) <= least } else { quanta == UNKNOWN };
            if !sound {
                return Err((format!("a distance from {landmark} to {cell} that can be"), quanta.to_string()));
            }
        }
        for edge in leaps.all_rows(number) {
            let other = marks.of((edge.to >> 3) as usize).as_flattened();
            let most = (edge.cost >> marks.shift) + 1;
            if own.iter().zip(other).any(|(own, other)| u32::from(own.abs_diff(*other)) > most) {
                return Err((format!("distances around {cell} that differ by {most} at most"), "others".to_owned()));
            }
        }
    }
    Ok(())
}
