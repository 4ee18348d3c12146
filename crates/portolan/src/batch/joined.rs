//! Answers of two sources in one batch: routes of another processor, and the planner's own answers to the other queries. The
//! list of places that the processor has filled becomes that of the answers, and few of them move.
//!
//! Not here: which queries the processor is given (`elsewhere.rs`).

use super::answers::{Answers, Facts};
use super::elsewhere::{End, Routed};
use crate::space::Motion;

impl<P: Copy> Answers<P> {
    /// Returns the answers to a batch: for each query that was a task, the next route with the way in which the query ends then,
    /// and for each other query and each task without a route the next one of other answers.
    pub(super) fn of_routes(ends: &[End], motion: Motion, mut routed: Routed<P>, others: &Answers<P>) -> Answers<P> {
        let mut answers = Answers::new();
        answers.reserve(ends.len());
        routed.drop_lost_places();
        let (mut task, mut other, mut end) = (0, 0, 0);
        // Before which of the router's places those of other answers lie.
        let mut gaps = Vec::new();
        for kind in ends {
            let route = kind.and_then(|kind| {
                task += 1;
                routed.costs[task - 1].map(|cost| (kind, cost))
            });
            let facts = if let Some((kind, cost)) = route {
                end += routed.offsets[task] - routed.offsets[task - 1];
                Facts { kind, cost, motion, error: None, least: None }
            } else {
                let length = others.route(other).len() as u64;
                if length > 0 {
                    gaps.push((routed.offsets[task] as usize, other));
                }
                end += length;
                other += 1;
                others.facts(other - 1)
            };
            answers.append_facts(facts, end);
        }
        answers.set_places(insert(routed.places, others, &gaps));
        answers
    }
}

impl<P: Copy> Routed<P> {
    /// Removes the places of tasks without a route, if there are any.
    fn drop_lost_places(&mut self) {
        let is_lost = |(cost, pair): (&Option<_>, &[u64])| cost.is_none() && pair[0] < pair[1];
        if !self.costs.iter().zip(self.offsets.windows(2)).any(is_lost) {
            return;
        }
        let (mut kept, mut begin) = (0, self.offsets[0] as usize);
        for (task, cost) in self.costs.iter().enumerate() {
            let end = self.offsets[task + 1] as usize;
            self.offsets[task] = kept as u64;
            if cost.is_some() {
                self.places.copy_within(begin..end, kept);
                kept += end - begin;
            }
            begin = end;
        }
        self.places.truncate(kept);
        *self.offsets.last_mut().expect("there is one offset more than tasks") = kept as u64;
    }
}

/// Inserts the places of other answers before some places, which are given in rising order, each with the number of the answer.
fn insert<P: Copy>(mut places: Vec<P>, others: &Answers<P>, gaps: &[(usize, usize)]) -> Vec<P> {
    let Some(&filler) = others.places().first() else { return places };
    let mut from = places.len();
    let mut to = from + others.places().len();
    places.resize(to, filler);
    // From the last gap on, so that no place is overwritten before it has moved.
    for &(before, other) in gaps.iter().rev() {
        to -= from - before;
        places.copy_within(before..from, to);
        from = before;
        let route = others.route(other);
        to -= route.len();
        places[to..to + route.len()].copy_from_slice(route);
    }
    places
}

#[cfg(test)]
mod tests {
    use super::super::answers::AnswerKind;
    use super::*;
    use crate::cost::Cost;

    fn routed(costs: &[Option<u32>], lengths: &[u64]) -> Routed<u32> {
        let mut offsets = vec![0];
        offsets.extend(lengths.iter().scan(0, |end, length| {
            *end += length;
            Some(*end)
        }));
        let places = (0..*offsets.last().unwrap() as u32).collect();
        Routed { costs: costs.iter().map(|cost| cost.map(Cost)).collect(), offsets, places }
    }

    fn other(routes: &[&[u32]]) -> Answers<u32> {
        let mut others = Answers::new();
        for route in routes {
            let facts =
                Facts { kind: AnswerKind::Reached, cost: Cost(9), motion: Motion::Steps, error: None, least: None };
            others.append_facts(facts, (others.places().len() + route.len()) as u64);
            others.set_places([others.places(), route].concat());
        }
        others
    }

    #[test]
    fn answers_come_in_the_order_of_their_queries() {
        let reached = Some(AnswerKind::Reached);
        let ends = [None, reached, reached, None, None, reached, reached, None];
        let routes = routed(&[Some(1), None, Some(2), Some(3)], &[2, 2, 3, 1]);
        let others = other(&[&[100], &[], &[101, 102], &[103], &[104]]);
        let answers = Answers::of_routes(&ends, Motion::AnyAngle, routes, &others);
        let expected: [&[u32]; 8] = [&[100], &[0, 1], &[], &[101, 102], &[103], &[4, 5, 6], &[7], &[104]];
        assert_eq!((0..8).map(|query| answers.route(query)).collect::<Vec<_>>(), expected);
        assert_eq!(answers.costs(), [9, 1, 9, 9, 9, 2, 3, 9].map(Cost));
        assert_eq!(answers.places().len(), 11);
    }

    #[test]
    fn routes_alone_keep_their_list() {
        let ends = [Some(AnswerKind::Reached); 2];
        let answers = Answers::of_routes(&ends, Motion::Steps, routed(&[Some(1), Some(2)], &[2, 1]), &Answers::new());
        assert_eq!((answers.route(0), answers.route(1), answers.offsets()), (&[0, 1][..], &[2][..], &[0, 2, 3][..]));
    }
}
