//! The log of a walker: what happened to it, in order. Every [`Entry`] can be printed as one line of plain English.
//!
//! Nothing here may differ from run to run. Not here: times by the clock, which are in [`crate::Timings`].

use crate::state::Why;
use portolan::{Cell, Edit};
use portolan_formats::case::edit_words;
use std::fmt;

/// Something that happened to a walker, and when.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Entry {
    /// How many ticks had passed when it happened.
    pub tick: u64,
    /// What happened.
    pub happening: Happening,
}

/// What can happen to a walker.
#[derive(Copy, Clone, PartialEq, Debug)]
pub enum Happening {
    /// It found a route where it had none.
    Planned {
        /// Steps to the goal.
        steps: usize,
        /// Length of these steps.
        length: f64,
        /// Nodes the search expanded.
        expanded: u64,
    },
    /// The world changed.
    Edited(Edit),
    /// Its planner was repaired after edits.
    Repaired {
        /// Clusters redone; 0 if the algorithm has no clusters.
        clusters: usize,
    },
    /// Its planner was out of date and was built anew.
    Rebuilt,
    /// Its next planner was begun on another thread.
    Begun {
        /// Ticks until the next planner is handed over.
        ticks: u64,
    },
    /// Its next planner was handed over and is used from now on.
    Ready {
        /// Clusters redone; 0 if the algorithm has no clusters or the planner was built anew.
        clusters: usize,
    },
    /// It waits for its next planner because its next step is no longer legal.
    Waits {
        /// Where that step leads.
        at: Cell,
    },
    /// An edit changed a step that it was going to take.
    Touched {
        /// How many steps ahead it is, 1 for the next step.
        ahead: usize,
        /// Where that step leads.
        at: Cell,
        /// Whether the step is still legal and only its cost has changed.
        legal: bool,
    },
    /// It was given another goal.
    Aimed {
        /// The new goal.
        to: Cell,
    },
    /// It was given another planner.
    Equipped {
        /// The planner's algorithm.
        algorithm: &'static str,
    },
    /// It planned again while it had a route.
    Rerouted {
        /// Steps to the goal from here.
        steps: usize,
        /// Length of these steps.
        length: f64,
        /// Nodes the search expanded.
        expanded: u64,
        /// Whether the new route equals what was left of the old one.
        same: bool,
    },
    /// It cannot go on.
    Stopped(Why),
    /// It can go on again.
    Resumed,
    /// It reached its goal.
    Arrived {
        /// Steps it took in all.
        steps: u64,
        /// Length of these steps.
        length: f64,
    },
    /// The log is full; later entries are not kept.
    Full,
}

impl Happening {
    /// Returns a word for reports.
    pub fn name(&self) -> &'static str {
        match self {
            Happening::Planned { .. } => "planned",
            Happening::Edited(_) => "edited",
            Happening::Repaired { .. } => "repaired",
            Happening::Rebuilt => "rebuilt",
            Happening::Begun { .. } => "begun",
            Happening::Ready { .. } => "ready",
            Happening::Waits { .. } => "waits",
            Happening::Touched { .. } => "touched",
            Happening::Aimed { .. } => "aimed",
            Happening::Equipped { .. } => "equipped",
            Happening::Rerouted { .. } => "rerouted",
            Happening::Stopped(_) => "stopped",
            Happening::Resumed => "resumed",
            Happening::Arrived { .. } => "arrived",
            Happening::Full => "full",
        }
    }
}

impl fmt::Display for Entry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:>5}  {}", self.tick, self.happening)
    }
}

impl fmt::Display for Happening {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match *self {
            Happening::Planned { steps, length, expanded } => {
                write!(f, "plans a way of {}, length {length:.2} ({expanded} expanded)", counted(steps, "step"))
            }
            Happening::Edited(edit) => write!(f, "the world changes: {}", edit_words(&edit)),
            Happening::Repaired { clusters: 0 } => write!(f, "the planner follows"),
            Happening::Repaired { clusters } => {
                write!(f, "the planner follows: {} redone", counted(clusters, "cluster"))
            }
            Happening::Rebuilt => write!(f, "the planner cannot follow and is built anew"),
            Happening::Begun { ticks } => {
                write!(f, "the next chart is begun, to be ready in {}", counted(ticks as usize, "tick"))
            }
            Happening::Ready { clusters: 0 } => write!(f, "the next chart is ready"),
            Happening::Ready { clusters } => {
                write!(f, "the next chart is ready: {} redone", counted(clusters, "cluster"))
            }
            Happening::Waits { at } => write!(f, "waits for the chart: the step to {at} is no longer possible"),
            Happening::Touched { ahead, at, legal } => {
                let how = if legal { "costs something else" } else { "is no longer possible" };
                write!(f, "the step to {at}, {} ahead, {how}", counted(ahead, "step"))
            }
            Happening::Aimed { to } => write!(f, "has a new goal: {to}"),
            Happening::Equipped { algorithm } => write!(f, "goes on with {algorithm}"),
            Happening::Rerouted { steps, length, expanded, same } => {
                let how = if same { "stays on its way" } else { "takes another way" };
                write!(f, "{how}: {} to go, length {length:.2} ({expanded} expanded)", counted(steps, "step"))
            }
            Happening::Stopped(why) => write!(f, "stops: {why}"),
            Happening::Resumed => write!(f, "can go on"),
            Happening::Arrived { steps, length } => {
                write!(f, "arrives after {}, length {length:.2}", counted(steps as usize, "step"))
            }
            Happening::Full => write!(f, "the log is full; what follows is not kept"),
        }
    }
}

/// Returns a count with its noun in singular or plural: `1 step`, `2 steps`, `3 searches`.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    let end = match (count, noun.ends_with(['s', 'h'])) {
        (1, _) => "",
        (_, true) => "es",
        (_, false) => "s",
    };
    format!("{count} {noun}{end}")
}

/// A walker's entries, [`Log::MOST`] at most.
#[derive(Default)]
pub(crate) struct Log {
    entries: Vec<Entry>,
}

impl Log {
    /// The most entries that are kept. The last of them is [`Happening::Full`].
    pub(crate) const MOST: usize = 10_000;

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    pub(crate) fn push(&mut self, tick: u64, happening: Happening) {
        match self.entries.len() + 1 {
            ..Self::MOST => self.entries.push(Entry { tick, happening }),
            Self::MOST => self.entries.push(Entry { tick, happening: Happening::Full }),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::{Area, Terrain};

    #[test]
    fn entries_are_readable_lines() {
        let wall = Edit::new(Area { x: 20, y: 5, width: 1, height: 30 }, Terrain::BLOCKED);
        let at = Cell::new(3, 4);
        for (happening, line) in [
            (
                Happening::Planned { steps: 9, length: 9.0, expanded: 12 },
                "plans a way of 9 steps, length 9.00 (12 expanded)",
            ),
            (Happening::Edited(wall), "the world changes: block 20,5 1x30"),
            (Happening::Repaired { clusters: 1 }, "the planner follows: 1 cluster redone"),
            (Happening::Repaired { clusters: 0 }, "the planner follows"),
            (Happening::Begun { ticks: 1 }, "the next chart is begun, to be ready in 1 tick"),
            (Happening::Ready { clusters: 0 }, "the next chart is ready"),
            (Happening::Ready { clusters: 2 }, "the next chart is ready: 2 clusters redone"),
            (Happening::Waits { at }, "waits for the chart: the step to 3,4 is no longer possible"),
            (Happening::Touched { ahead: 1, at, legal: false }, "the step to 3,4, 1 step ahead, is no longer possible"),
            (
                Happening::Rerouted { steps: 1, length: 1.5, expanded: 3, same: true },
                "stays on its way: 1 step to go, length 1.50 (3 expanded)",
            ),
            (Happening::Stopped(Why::Buried), "stops: its own cell is blocked"),
        ] {
            assert_eq!(Entry { tick: 12, happening }.to_string(), format!("   12  {line}"));
        }
    }

    #[test]
    fn a_full_log_says_so_once() {
        let mut log = Log::default();
        for tick in 0..2 * Log::MOST as u64 {
            log.push(tick, Happening::Resumed);
        }
        assert_eq!(log.entries().len(), Log::MOST);
        assert_eq!(log.entries().iter().filter(|entry| entry.happening == Happening::Full).count(), 1);
        assert_eq!(log.entries()[Log::MOST - 1].happening, Happening::Full);
    }
}
