//! The effort of a search: the nodes it expands in each part of its work, and the length of its open list ([`Effort`]).

use portolan::probe::{Event, NodeId, Phase, Probe};
use std::collections::HashSet;

/// A probe that counts the nodes expanded in each part of a search, and the nodes on its open list.
#[derive(Clone, Default, Debug)]
pub(super) struct Effort {
    /// Nodes expanded by the search itself. A flat search expands no others.
    pub(super) main: u64,
    /// Nodes expanded to connect start and goal with a chart.
    pub(super) connecting: u64,
    /// Nodes expanded to refine the route that was found into cells.
    pub(super) refining: u64,
    phase: Phase,
    /// The nodes on the open list, each once, however often it was pushed.
    open: HashSet<NodeId>,
    open_sum: u64,
}

impl Effort {
    /// Returns the mean number of nodes on the open list, over the expansions of the search itself.
    pub(super) fn open_mean(&self) -> f64 {
        if self.main == 0 { 0.0 } else { self.open_sum as f64 / self.main as f64 }
    }
}

impl Probe for Effort {
    fn event(&mut self, event: Event) {
        match event {
            Event::Phase { phase } => self.phase = phase,
            // Pushes while refining belong to other, smaller searches.
            Event::Push { node, .. } if self.phase != Phase::Refine => {
                self.open.insert(node);
            }
            Event::Pop { node } => {
                self.open.remove(&node);
            }
            Event::Expand { .. } => match self.phase {
                Phase::Search => {
                    self.main += 1;
                    self.open_sum += self.open.len() as u64;
                }
                Phase::Connect => self.connecting += 1,
                Phase::Refine => self.refining += 1,
            },
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_part_counts_its_own_and_a_node_is_open_once() {
        let mut effort = Effort::default();
        let expand = |node| Event::Expand { node: NodeId(node), g: 0 };
        let push = |node| Event::Push { node: NodeId(node), g: 0, key: 0 };
        let pop = |node| Event::Pop { node: NodeId(node) };
        let begin = |phase| Event::Phase { phase };
        for event in [begin(Phase::Connect), expand(1), push(7), push(8), push(7), begin(Phase::Search)] {
            effort.event(event);
        }
        for event in [pop(7), expand(7), pop(8), expand(8), begin(Phase::Refine), push(9), expand(2), expand(3)] {
            effort.event(event);
        }
        assert_eq!((effort.connecting, effort.main, effort.refining), (1, 2, 2));
        assert!((effort.open_mean() - 0.5).abs() < 1e-12);
    }
}
