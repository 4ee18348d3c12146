//! Which algorithm to take, by the world and what is to be done with it: [`choose`], and [`Planner::auto`] that builds
//! it. The first of these [`RULES`] that holds decides:
//!
//! | queries | world | edits | answers | takes |
//! |---|---|---|---|---|
//! | one | any | any | any | `a-star` |
//! | many | one weight, eight directions | never | any | `jump-graph` |
//! | many | one weight, eight directions | sometimes | exact | `jump-point` |
//! | many | weights or four directions | any | exact | `a-star` |
//! | many | any other | any | near the optimum | `rhumb` |
//!
//! **One query** is A*'s because nothing has to be built for it. On mazes, rooms, caves, cities, noise and open fields of
//! 32 to 2,048 cells a side, building the index of jump points and searching once took 1.2 (a maze) to 26 times (open
//! ground) as long as A*, 4.9 in the middle: the index costs seven nanoseconds for every cell, where A* looks at a part of
//! them only. A chart takes longer still.
//! **Many queries** pay for an index. Where jump points serve they are exact and among the fastest, so that there is
//! nothing to gain from giving up exactness on a world that stays as it is; their graph is dearer to repair than their
//! bitmaps, which follow an edit in microseconds. Elsewhere nothing but A* is exact, and a chart is the fast way.
//!
//! Not here: what the algorithms do. `auto` is a word for choosing, not an entry of the registry.

use crate::planner::Planner;
use crate::registry::{Algorithm, Settings, algorithm};
use crate::world::square::SquareGrid;
use crate::world::{Directions, Snapshot};

/// The word by which command lines and files leave the choice to the rules.
pub const AUTO: &str = "auto";

/// What a planner is for. Unless said otherwise: many queries on a world that stays as it is, with exact answers.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Use {
    /// How often it is asked.
    pub queries: Queries,
    /// Whether the world changes under it.
    pub edits: Edits,
    /// Whether every route has to be a cheapest one.
    pub exact: bool,
}

impl Default for Use {
    fn default() -> Use {
        Use { queries: Queries::Many, edits: Edits::Never, exact: true }
    }
}

/// How often a planner is asked.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Queries {
    /// Once, or a few times: building counts.
    One,
    /// So often that building does not count.
    Many,
}

/// Whether a world is edited.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Edits {
    /// It stays as it is, or the planner is built anew for the rare change.
    Never,
    /// It changes while it is played, and [`Planner::repair`] has to keep up.
    Sometimes,
}

/// A case and what is taken in it.
pub struct Rule {
    /// The case, in words.
    pub case: &'static str,
    /// Why that is taken, in words that go on after the case.
    pub why: &'static str,
    name: &'static str,
    holds: fn(&SquareGrid, Use) -> bool,
}

/// Every rule, in the order in which they are tried. The last holds whenever no other does.
pub const RULES: &[Rule] = &[
    Rule {
        case: "one query",
        why: "an index would take longer to build than the search it saves",
        name: "a-star",
        holds: |_, usage| usage.queries == Queries::One,
    },
    Rule {
        case: "many queries on a uniform world that stays as it is",
        why: "its jump points give exact answers fastest",
        name: "jump-graph",
        holds: |grid, usage| has_jump_points(grid) && usage.edits == Edits::Never,
    },
    Rule {
        case: "many exact queries on a uniform world that is edited",
        why: "bitmaps of jump points follow an edit in microseconds",
        name: "jump-point",
        holds: |grid, usage| has_jump_points(grid) && usage.exact,
    },
    Rule {
        case: "many exact queries on a world with weights or four directions",
        why: "no index gives exact answers there",
        name: "a-star",
        holds: |_, usage| usage.exact,
    },
    Rule {
        case: "many queries, answers near the optimum will do",
        why: "a chart answers in microseconds on any world and follows edits",
        name: "rhumb",
        holds: |_, _| true,
    },
];

impl Rule {
    /// What is taken.
    ///
    /// # Panics
    /// Never: every name in the rules is in the registry.
    pub fn takes(&self) -> &'static Algorithm {
        algorithm(self.name).expect("rules name algorithms of the registry")
    }
}

/// Terrain of one weight, and diagonals.
fn has_jump_points(grid: &SquareGrid) -> bool {
    grid.rules().directions == Directions::Eight && grid.uniform_weight().is_some()
}

/// What was taken.
#[derive(Clone)]
pub struct Choice {
    /// Which algorithm.
    pub algorithm: &'static Algorithm,
    /// Its settings.
    pub settings: Settings,
    /// The case and the reason, in a line.
    pub why: String,
}

/// The algorithm that suits this world and use best, by the first of the [`RULES`] that holds.
///
/// # Panics
/// Never: the last rule always holds and takes what runs on every world, and the defaults of every algorithm are in range.
pub fn choose(world: &SquareGrid, usage: Use) -> Choice {
    let holds = |rule: &&Rule| (rule.holds)(world, usage) && rule.takes().suits(world).is_ok();
    let rule = RULES.iter().find(holds).expect("the last rule always holds");
    let algorithm = rule.takes();
    let settings = algorithm.settings::<&str, &str>(&[]).expect("defaults are in range");
    Choice { algorithm, settings, why: format!("{}: {}", rule.case, rule.why) }
}

impl Planner {
    /// A planner for this world and use, and why it is that one. After edits that make a uniform world a weighted one it
    /// may refuse to be repaired; then choose again.
    ///
    /// ```
    /// use portolan::{Edits, Planner, Rules, SquareGrid, Use, World};
    /// let world = World::from(SquareGrid::open(64, 64, Rules::default())?);
    /// let (planner, choice) = Planner::auto(&world, Use { edits: Edits::Sometimes, ..Use::default() });
    /// assert_eq!(planner.algorithm().name, "jump-point");
    /// println!("{} for {}", choice.algorithm.name, choice.why);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// Never: what the rules take runs on the worlds they take it for.
    pub fn auto(world: &Snapshot, usage: Use) -> (Planner, Choice) {
        let choice = choose(world, usage);
        let planner = Planner::build(world, choice.algorithm, choice.settings.clone());
        (planner.expect("rules look at the world first"), choice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::registry::Promise;
    use crate::world::{Corners, Rules};

    const EIGHT: Rules = Rules { directions: Directions::Eight, corners: Corners::Strict, metric: None };
    const FOUR: Rules = Rules { directions: Directions::Four, ..EIGHT };

    fn world(weights: [u8; 4], rules: Rules) -> Snapshot {
        Snapshot::from(SquareGrid::from_weights(2, 2, &weights, rules).unwrap())
    }

    fn worlds() -> [(&'static str, Snapshot); 4] {
        [
            ("uniform", world([1, 1, 0, 1], EIGHT)),
            ("swamp throughout", world([7, 7, 7, 0], EIGHT)),
            ("weighted", world([1, 2, 1, 1], EIGHT)),
            ("four directions", world([1, 1, 1, 1], FOUR)),
        ]
    }

    fn uses() -> impl Iterator<Item = Use> {
        let queries = [Queries::One, Queries::Many].into_iter();
        let edited = |queries| [Edits::Never, Edits::Sometimes].map(|edits| (queries, edits));
        let exact = |(queries, edits)| [true, false].map(|exact| Use { queries, edits, exact });
        queries.flat_map(edited).flat_map(exact)
    }

    /// What a rule by that name takes, stand-in or not.
    fn named(name: &str) -> &'static str {
        RULES.iter().find(|rule| rule.name == name).unwrap().takes().name
    }

    #[test]
    fn every_case_is_decided_as_the_table_says() {
        use {Edits::Never, Edits::Sometimes, Queries::Many, Queries::One};
        for (kind, world) in worlds() {
            let jumps = ["uniform", "swamp throughout"].contains(&kind);
            for usage in uses() {
                let expected = match (usage.queries, usage.edits, usage.exact) {
                    (Many, Never, _) if jumps => "jump-graph",
                    (Many, Sometimes, true) if jumps => "jump-point",
                    (Many, _, false) => "rhumb",
                    (One, ..) | (Many, _, true) => "a-star",
                };
                let choice = choose(&world, usage);
                assert_eq!(choice.algorithm.name, named(expected), "{kind}, {usage:?}: {}", choice.why);
            }
        }
    }

    #[test]
    fn what_is_taken_runs_there_and_is_exact_where_asked() {
        for (kind, world) in worlds() {
            for usage in uses() {
                let (planner, choice) = Planner::auto(&world, usage);
                assert_eq!(planner.algorithm().name, choice.algorithm.name);
                assert_eq!(*planner.settings(), choice.settings);
                let optimal = planner.promise(&world) == Promise::Optimal;
                assert!(optimal || !usage.exact, "{kind}, {usage:?}: {}", choice.why);
            }
        }
    }

    #[test]
    fn the_reason_names_the_case() {
        let choice = choose(&world([1; 4], EIGHT), Use { queries: Queries::One, ..Use::default() });
        assert_eq!(choice.why, "one query: an index would take longer to build than the search it saves");
        assert!(algorithm(AUTO).is_none(), "the word is taken");
        for rule in RULES {
            assert!(!rule.takes().name.is_empty() && !rule.case.is_empty() && !rule.why.is_empty());
        }
    }
}
