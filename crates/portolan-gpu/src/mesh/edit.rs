//! Edits of a chart's words: what a patch changes is compared with the words that are there, and what differs is written.
//!
//! Not here: laying out a whole chart (`chart.rs`), and moving words to the processor (`run.rs`).

use crate::chart::{ChartWords, NO_WAY, NODES};
use portolan::flat::{FlatNodePatch, FlatPatch};
use std::ops::Range;

/// Places of arrays in the order of `mesh/chart.wgsl`.
const WEIGHTS: usize = 2;
const COSTS: usize = 13;
const NEXT: usize = 14;
const ROW_COSTS: usize = 17;
const HOPS: usize = 18;
const LABEL_COSTS: usize = 21;
const LABEL_NEXT: usize = 22;

/// How many words are compared at once.
const BLOCK: usize = 64;

/// A word that has changed: its place and what it is now.
pub(super) type Change = [u32; 2];

/// Writes a patch to the words of a chart. Returns the words that have changed.
pub(super) fn apply(words: &mut ChartWords, patch: &FlatPatch) -> Vec<Change> {
    words.least_weight = u32::from(patch.least_weight);
    let width = 4 * words.width as usize;
    let mut editor = Editor { first: &words.first, words: &mut words.words, changed: Vec::new() };
    for &(polygon, weight) in &patch.weights {
        editor.numbers(WEIGHTS, polygon as usize, &[u32::from(weight)]);
    }
    for node in &patch.nodes {
        editor.node(node);
    }
    for part in &patch.rows {
        let place = part.inter_edge as usize * width + editor.of_node(part.node as usize, 5);
        editor.numbers(ROW_COSTS, place, part.costs);
        editor.halves(HOPS, place, part.hops);
    }
    editor.changed
}

struct Editor<'a> {
    first: &'a [u32],
    words: &'a mut [u32],
    changed: Vec<Change>,
}

impl Editor<'_> {
    /// Returns a number of a node as `ChartWords` has laid it out.
    fn of_node(&self, node: usize, number: usize) -> usize {
        self.words[self.first[NODES] as usize + 8 * node + number] as usize
    }

    fn node(&mut self, patch: &FlatNodePatch) {
        let node = patch.node as usize;
        let [portals, fours, first_cost, first_next] = [1, 2, 3, 4].map(|number| self.of_node(node, number));
        for &(portal, row) in &patch.costs {
            self.numbers(COSTS, 4 * (first_cost + portal as usize * fours), row);
        }
        for &(border, row) in &patch.next {
            self.halves(NEXT, first_next + border as usize * portals, row);
        }
        for &(begin, costs, next) in &patch.labels {
            self.numbers(LABEL_COSTS, begin as usize, costs);
            self.halves(LABEL_NEXT, begin as usize, next);
        }
    }

    /// Writes numbers of an array from a place on.
    fn numbers(&mut self, array: usize, place: usize, numbers: &[u32]) {
        let begin = self.first[array] as usize + place;
        let kept = |&number: &u32| if array == WEIGHTS { number } else { number.min(NO_WAY) };
        self.write(begin, numbers.len(), |range| numbers[range].iter().map(kept));
    }

    /// Writes numbers of two bytes of an array from a place on.
    fn halves(&mut self, array: usize, place: usize, numbers: &[u16]) {
        let first = self.first[array] as usize;
        let (mut place, mut numbers) = (place, numbers);
        if place % 2 == 1 && !numbers.is_empty() {
            self.half(first, place, numbers[0]);
            (place, numbers) = (place + 1, &numbers[1..]);
        }
        let (pairs, rest) = numbers.as_chunks::<2>();
        if let [last] = rest {
            self.half(first, place + numbers.len() - 1, *last);
        }
        let word = |pair: &[u16; 2]| u32::from(pair[0]) | u32::from(pair[1]) << 16;
        self.write(first + place / 2, pairs.len(), |range| pairs[range].iter().map(word));
    }

    fn half(&mut self, first: usize, place: usize, number: u16) {
        let at = first + place / 2;
        let shift = 16 * (place % 2);
        let word = self.words[at] & !(0xffff << shift) | u32::from(number) << shift;
        self.write(at, 1, |_| std::iter::once(word));
    }

    /// Writes so many words from a place on; `numbers` returns those of a range of them.
    fn write<I: Iterator<Item = u32>>(&mut self, begin: usize, count: usize, numbers: impl Fn(Range<usize>) -> I) {
        for first in (0..count).step_by(BLOCK) {
            let range = first..count.min(first + BLOCK);
            let words = &mut self.words[begin + range.start..begin + range.end];
            // Most blocks are what they were, which is seen quickest without looking at single words.
            if words.iter().zip(numbers(range.clone())).fold(0, |differs, (word, number)| differs | (*word ^ number))
                == 0
            {
                continue;
            }
            for (place, (word, number)) in (begin + range.start..).zip(words.iter_mut().zip(numbers(range))) {
                if *word != number {
                    *word = number;
                    self.changed.push([place as u32, number]);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::forms;
    use super::*;
    use portolan::algorithms::mesh::{A_STAR, HNA_STAR, RHUMB};
    use portolan::generate::Random;
    use portolan::{MeshEdit, NavMesh, Terrain, World};
    use portolan_mesh::{BuildOptions, CityOptions, build, city};
    use std::ops::ControlFlow;

    /// Words that were edited are those of a chart that is laid out anew, and no other word has changed.
    #[test]
    fn edited_words_are_those_of_the_repaired_chart() {
        let geometry = city(CityOptions::new(3, 3).unwrap(), 5);
        let parts = build(&geometry, &BuildOptions::default(), &mut |_| ControlFlow::Continue(())).unwrap();
        for algorithm in [&A_STAR, &HNA_STAR, &RHUMB] {
            let mut random = Random::new(81);
            let mut world = World::from(NavMesh::new(&parts).unwrap());
            let mut planner = algorithm.build(&world).unwrap();
            let words = |planner: &portolan::Planner<NavMesh>, world: &World<NavMesh>| {
                forms(planner.flat(world).unwrap().unwrap()).unwrap().0
            };
            let mut edited = words(&planner, &world);
            for round in 0..12 {
                let mark = planner.flat_mark(&world).unwrap();
                for _ in 0..=round % 3 {
                    let polygon = random.below(world.polygons() as u64) as u32;
                    let edits = [MeshEdit::new(polygon, Terrain::of_weight(random.below(4) as u8))];
                    world.apply(&edits).unwrap();
                    planner.repair(&world, &edits).unwrap();
                }
                let mut uploaded = edited.words.clone();
                let patch = planner.flat_since(&world, &mark).unwrap().unwrap();
                for [place, word] in apply(&mut edited, &patch) {
                    assert_ne!(uploaded[place as usize], word, "it has changed");
                    uploaded[place as usize] = word;
                }
                let fresh = words(&planner, &world);
                assert!(edited.words == fresh.words && edited.least_weight == fresh.least_weight, "{round}");
                assert!(uploaded == fresh.words, "{round}");
            }
        }
    }
}
