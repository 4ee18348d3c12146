//! The edits of a world, kept so that they can be undone and redone: [`History`]. The terrain that an edit replaces is
//! kept as rectangles.
//!
//! Not here: applying edits.

use crate::limits;
use portolan::any::AnySnapshot;
use portolan::{Area, Cell, Change, Edit};
use std::collections::VecDeque;

/// The strokes that can be undone, and those that can be redone.
pub(crate) struct History<E = Edit> {
    behind: VecDeque<Stroke<E>>,
    ahead: Vec<Stroke<E>>,
    bytes: usize,
    /// The number of the stroke that more edits may join.
    open: Option<u64>,
}

/// Edits that are undone together.
struct Stroke<E> {
    done: Vec<E>,
    /// The edits that undo it, in one list for each command, the earliest command first.
    back: Vec<Vec<E>>,
}

impl<E> Default for History<E> {
    fn default() -> History<E> {
        History { behind: VecDeque::new(), ahead: Vec::new(), bytes: 0, open: None }
    }
}

impl<E> Stroke<E> {
    fn bytes(&self) -> usize {
        let edits = self.done.len() + self.back.iter().map(Vec::len).sum::<usize>();
        edits * size_of::<E>() + self.back.len() * size_of::<Vec<E>>()
    }
}

/// Returns the edits that undo these edits, which are about to be applied. All of them must lie on the grid.
pub(crate) fn inverse(world: &AnySnapshot, edits: &[Edit]) -> Vec<Edit> {
    edits.iter().flat_map(|edit| before(world, edit)).collect()
}

/// Returns the edits that undo an edit.
fn before(world: &AnySnapshot, &Edit { area, change }: &Edit) -> Vec<Edit> {
    let Area { x: left, y: top, width, height } = area;
    match change {
        Change::Border(side, _) => {
            let cells = (0..height).flat_map(|y| (0..width).map(move |x| Cell::new(left + x, top + y)));
            let has_beyond = cells.filter(|&at| world.beside(at, side).is_some());
            has_beyond.filter_map(|at| Some(Edit::border(at, side, world.border(at, side)?))).collect()
        }
        Change::Link { to, both_ways, .. } => {
            let from = Cell::new(left, top);
            let links = [Some((from, to)), both_ways.then_some((to, from))];
            let known = |(from, to)| world.links().find(|&(at, end, _)| (at, end) == (from, to));
            let old = |(from, to)| match known((from, to)) {
                Some((_, _, cost)) => Edit::link(from, to, cost, false),
                None => Edit::unlink(from, to, false),
            };
            links.into_iter().flatten().map(old).collect()
        }
        _ => Edit::cover(area, move |x, y| Some(world.terrain(Cell::new(left + x, top + y)))).into_iter().collect(),
    }
}

impl<E: Copy> History<E> {
    /// Adds edits and the edits that undo them. They join the latest stroke if it has that number and nothing has been
    /// undone or redone since; without a number they are a stroke of their own. Strokes that were undone are dropped,
    /// and so are the oldest strokes if the history takes too much memory.
    pub(crate) fn push(&mut self, stroke: Option<u64>, edits: &[E], back: Vec<E>) {
        self.bytes -= self.ahead.drain(..).map(|stroke| stroke.bytes()).sum::<usize>();
        if stroke.is_none() || self.open != stroke || self.behind.is_empty() {
            self.behind.push_back(Stroke { done: Vec::new(), back: Vec::new() });
            self.open = stroke;
        }
        if let Some(latest) = self.behind.back_mut() {
            self.bytes -= latest.bytes();
            latest.done.extend_from_slice(edits);
            latest.back.push(back);
            self.bytes += latest.bytes();
        }
        while self.bytes > limits::HISTORY
            && let Some(oldest) = self.behind.pop_front()
        {
            self.bytes -= oldest.bytes();
        }
    }

    /// Returns the edits that undo the latest stroke.
    pub(crate) fn undo(&mut self) -> Option<Vec<E>> {
        self.open = None;
        let stroke = self.behind.pop_back()?;
        let edits = stroke.back.iter().rev().flatten().copied().collect();
        self.ahead.push(stroke);
        Some(edits)
    }

    /// Returns the edits that redo the stroke that was undone last.
    pub(crate) fn redo(&mut self) -> Option<Vec<E>> {
        self.open = None;
        let stroke = self.ahead.pop()?;
        let edits = stroke.done.clone();
        self.behind.push_back(stroke);
        Some(edits)
    }

    /// Returns the bytes that the history takes.
    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    /// Returns how many strokes can be undone, and how many can be redone.
    pub(crate) fn len(&self) -> (usize, usize) {
        (self.behind.len(), self.ahead.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::any::AnyWorld;
    use portolan::generate::Random;
    use portolan::{HexGrid, Rules, SquareGrid, Terrain};

    fn edit(x: u16, y: u16, width: u16, height: u16, weight: u8) -> Edit {
        Edit::new(Area { x, y, width, height }, Terrain::of_weight(weight))
    }

    fn play(world: &mut AnyWorld, history: &mut History, stroke: u64, edits: &[Edit]) {
        let back = inverse(&world.snapshot(), edits);
        world.apply(edits).unwrap();
        history.push(Some(stroke), edits, back);
    }

    #[test]
    fn undoing_everything_brings_the_old_world_back_and_redoing_the_new() {
        undo_and_redo(AnyWorld::from(SquareGrid::open(40, 30, Rules::default()).unwrap()));
        undo_and_redo(AnyWorld::from(HexGrid::open(40, 30, None).unwrap()));
        // The corners of the grid's bounds belong to no cell; edits that cover them leave them as they are.
        undo_and_redo(AnyWorld::from(HexGrid::hexagon(20, None).unwrap()));
    }

    /// Checks this for random edits in the first 40 columns and 30 rows.
    fn undo_and_redo(mut world: AnyWorld) {
        let (mut history, mut random) = (History::default(), Random::new(5));
        let mut seen = vec![world.snapshot().to_weights()];
        for stroke in 0..40 {
            for _ in 0..=random.below(3) {
                let mut any = || {
                    let (x, y) = (random.below(35) as u16, random.below(25) as u16);
                    edit(x, y, 1 + random.below(5) as u16, 1 + random.below(5) as u16, random.below(4) as u8)
                };
                // Edits of one command may lie on top of each other.
                let edits = [any(), any(), any()];
                play(&mut world, &mut history, stroke, &edits);
            }
            seen.push(world.snapshot().to_weights());
        }
        assert_eq!(history.len(), (40, 0));
        for weights in seen.iter().rev().skip(1) {
            world.apply(&history.undo().unwrap()).unwrap();
            assert!(world.snapshot().to_weights() == *weights);
        }
        assert!(history.undo().is_none());
        for weights in &seen[1..] {
            world.apply(&history.redo().unwrap()).unwrap();
            assert!(world.snapshot().to_weights() == *weights);
        }
        assert!(history.redo().is_none());
    }

    #[test]
    fn strokes_join_while_they_are_the_latest() {
        let mut world = AnyWorld::from(SquareGrid::open(9, 9, Rules::default()).unwrap());
        let mut history = History::default();
        for (stroke, strokes) in [(1, 1), (1, 1), (2, 2), (1, 3), (1, 3)] {
            play(&mut world, &mut history, stroke, &[edit(1, 1, 2, 2, 0)]);
            assert_eq!(history.len(), (strokes, 0));
        }
        history.undo();
        history.redo();
        play(&mut world, &mut history, 1, &[edit(1, 1, 2, 2, 3)]);
        assert_eq!(history.len(), (4, 0));
        history.undo();
        play(&mut world, &mut history, 7, &[edit(1, 1, 2, 2, 3)]);
        assert_eq!(history.len(), (4, 0), "what was undone is forgotten");
    }

    #[test]
    fn memory_is_bounded() {
        let mut history = History::default();
        let back = vec![edit(0, 0, 1, 1, 1); 100_000];
        for stroke in 0..200 {
            history.push(Some(stroke), &[edit(0, 0, 9, 9, 0)], back.clone());
            assert!(history.bytes <= limits::HISTORY);
        }
        let kept = history.len().0;
        assert!((20..200).contains(&kept), "{kept}");
        while history.undo().is_some() {}
        history.push(Some(1), &[], vec![]);
        assert!(history.bytes < 100, "{}", history.bytes);
    }
}
