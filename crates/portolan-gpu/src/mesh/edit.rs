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

/// Changed words that lie no further apart are uploaded in one piece.
const GAP: usize = 256;
/// How many words are compared at once.
const BLOCK: usize = 64;

/// Writes a patch to the words of a chart. Returns the ranges of words that have changed, in rising order.
pub(super) fn apply(words: &mut ChartWords, patch: &FlatPatch) -> Vec<Range<usize>> {
    words.least_weight = u32::from(patch.least_weight);
    let mut editor = Editor { first: &words.first, words: &mut words.words, changed: Vec::new() };
    for &(polygon, weight) in &patch.weights {
        editor.numbers(WEIGHTS, polygon as usize, &[u32::from(weight)]);
    }
    for node in &patch.nodes {
        editor.node(node);
    }
    if let Some((costs, hops)) = patch.rows {
        editor.rows(costs, hops, words.nodes as usize, 4 * words.width as usize);
    }
    merged(editor.changed)
}

/// Joins ranges that overlap or lie near each other.
fn merged(mut ranges: Vec<Range<usize>>) -> Vec<Range<usize>> {
    ranges.sort_unstable_by_key(|range| range.start);
    let mut joined: Vec<Range<usize>> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            Some(last) if range.start <= last.end + GAP => last.end = last.end.max(range.end),
            _ => joined.push(range),
        }
    }
    joined
}

struct Editor<'a> {
    first: &'a [u32],
    words: &'a mut [u32],
    changed: Vec<Range<usize>>,
}

impl Editor<'_> {
    /// Returns a number of a node as `ChartWords` has laid it out.
    fn of_node(&self, node: usize, number: usize) -> usize {
        self.words[self.first[NODES] as usize + 8 * node + number] as usize
    }

    fn node(&mut self, patch: &FlatNodePatch) {
        let node = patch.node as usize;
        let [portals, fours, first_cost, first_next, borders] =
            [1, 2, 3, 4, 6].map(|number| self.of_node(node, number));
        for portal in 0..portals {
            let row = &patch.costs[portal * borders..(portal + 1) * borders];
            self.numbers(COSTS, 4 * (first_cost + portal * fours), row);
        }
        self.halves(NEXT, first_next, patch.next);
        for &(begin, costs, next) in &patch.labels {
            self.numbers(LABEL_COSTS, begin as usize, costs);
            self.halves(LABEL_NEXT, begin as usize, next);
        }
    }

    /// Writes the rows between all inter-edges, each of so many words.
    fn rows(&mut self, costs: &[u32], hops: &[u16], nodes: usize, width: usize) {
        // Where the inter-edges of each node begin, here and in the patch.
        let mut places = Vec::with_capacity(nodes);
        let mut begin = 0;
        for node in 0..nodes {
            let [first_border, borders] = [5, 6].map(|number| self.of_node(node, number));
            places.push((first_border, begin..begin + borders));
            begin += borders;
        }
        let given = costs.chunks_exact(begin.max(1)).zip(hops.chunks_exact(begin.max(1)));
        for (row, (costs, hops)) in given.enumerate() {
            for (first_border, borders) in &places {
                self.numbers(ROW_COSTS, row * width + first_border, &costs[borders.clone()]);
                self.halves(HOPS, row * width + first_border, &hops[borders.clone()]);
            }
        }
    }

    /// Writes numbers of an array from a place on.
    fn numbers(&mut self, array: usize, place: usize, numbers: &[u32]) {
        let mut begin = self.first[array] as usize + place;
        for numbers in numbers.chunks(BLOCK) {
            let range = begin..begin + numbers.len();
            let words = &mut self.words[range.clone()];
            let kept = |&number: &u32| if array == WEIGHTS { number } else { number.min(NO_WAY) };
            if words.iter().zip(numbers).fold(0, |differs, (word, number)| differs | (word ^ kept(number))) != 0 {
                words.iter_mut().zip(numbers).for_each(|(word, number)| *word = kept(number));
                self.changed.push(range.clone());
            }
            begin = range.end;
        }
    }

    /// Writes numbers of two bytes of an array from a place on.
    fn halves(&mut self, array: usize, place: usize, numbers: &[u16]) {
        let first = self.first[array] as usize;
        let (mut place, mut numbers) = (place, numbers);
        if place % 2 == 1 && !numbers.is_empty() {
            self.half(first, place, numbers[0]);
            (place, numbers) = (place + 1, &numbers[1..]);
        }
        let pairs = numbers.chunks_exact(2);
        if let [last] = pairs.remainder() {
            self.half(first, place + numbers.len() - 1, *last);
        }
        let word = |pair: &[u16]| u32::from(pair[0]) | u32::from(pair[1]) << 16;
        let mut begin = first + place / 2;
        let whole = numbers.len() / 2 * 2;
        for block in numbers[..whole].chunks(2 * BLOCK) {
            let range = begin..begin + block.len() / 2;
            let words = &mut self.words[range.clone()];
            let pairs = || block.chunks_exact(2);
            if words.iter().zip(pairs()).fold(0, |differs, (old, pair)| differs | (old ^ word(pair))) != 0 {
                words.iter_mut().zip(pairs()).for_each(|(old, pair)| *old = word(pair));
                self.changed.push(range.clone());
            }
            begin = range.end;
        }
    }

    fn half(&mut self, first: usize, place: usize, number: u16) {
        let at = first + place / 2;
        let shift = 16 * (place % 2);
        let word = self.words[at] & !(0xffff << shift) | u32::from(number) << shift;
        if self.words[at] != word {
            self.words[at] = word;
            self.changed.push(at..at + 1);
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

    /// Words that were edited are those of a chart that is laid out anew, and no word has changed outside the ranges.
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
                let ranges = apply(&mut edited, &patch);
                for range in &ranges {
                    uploaded[range.clone()].copy_from_slice(&edited.words[range.clone()]);
                }
                let fresh = words(&planner, &world);
                assert!(edited.words == fresh.words && edited.least_weight == fresh.least_weight, "{round}");
                assert!(uploaded == fresh.words, "{round}");
            }
        }
    }

    #[test]
    fn ranges_near_each_other_are_joined() {
        let ranges = vec![905..910, 0..4, 2..8, 100..101, 357..358, 900..901];
        assert_eq!(merged(ranges), [0..358, 900..910]);
    }
}
