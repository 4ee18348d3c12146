//! The choice of an algorithm for a world and its use: [`choose`], and [`Planner::auto`], which also builds the
//! planner. The first of these [`RULES`] that holds decides:
//!
//! | queries | world | edits | answers | takes |
//! |---|---|---|---|---|
//! | one | any | any | any | `a-star` |
//! | many | one weight, eight directions | never | any | `jump-graph` |
//! | many | one weight, eight directions | sometimes | exact | `jump-point` |
//! | many | weights or four directions | any | exact | `a-star` |
//! | many | any other | any | near the optimum | `rhumb` |
//!
//! **One query** takes A*, because A* needs nothing to be built. Building the index of jump points and searching once
//! took 1.2 times (a maze) to 26 times (open ground) as long as A*, with a median of 4.9, on mazes, rooms, caves,
//! cities, noise and open fields of 32 to 2,048 cells a side. The index takes seven nanoseconds for every cell of the
//! world, but A* looks at only some of them. A chart takes longer to build than the index.
//! **Many queries** are worth an index. Where jump points can be used, they are exact and among the fastest, so on a
//! world without edits an inexact algorithm would gain nothing. On a world with edits, the jump graph takes longer to
//! repair than the bitmaps of jump points, which follow an edit in microseconds. Where jump points cannot be used, A*
//! is taken for exact answers and a chart for fast ones.
//!
//! On hexagonal grids, where there are flat searches alone, A* is taken for every use.
//!
//! Not here: the algorithms. `auto` stands for this choice and is not an entry of the registry.

use crate::algorithm::Algorithm;
use crate::planner::Planner;
use crate::registry::{algorithm_on, algorithms};
use crate::settings::Settings;
use crate::space::hex::HexGrid;
use crate::space::square::SquareGrid;
use crate::space::{Directions, Extras, Snapshot, Space};

/// The name that command lines and files use instead of an algorithm's name to let the rules choose.
pub const AUTO: &str = "auto";

/// The use of a planner. The default is many queries on a world without edits, with exact answers.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Use {
    /// How many queries it answers.
    pub queries: Queries,
    /// Whether the world is edited while the planner is in use.
    pub edits: Edits,
    /// Whether every route has to be a cheapest one.
    pub exact: bool,
}

impl Default for Use {
    fn default() -> Use {
        Use { queries: Queries::Many, edits: Edits::Never, exact: true }
    }
}

/// How many queries a planner answers.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Queries {
    /// One or a few, so that the time to build the planner matters.
    One,
    /// So many that the time to build the planner does not matter.
    Many,
}

/// Whether a world is edited.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Edits {
    /// The world is not edited, or so rarely that a new planner is built after each edit.
    Never,
    /// The world is edited while the planner is in use, and [`Planner::repair`] follows each edit.
    Sometimes,
}

/// A case and the algorithm to take in that case.
pub struct Rule<S: Space = SquareGrid> {
    /// The case, in words.
    pub case: &'static str,
    /// Why this algorithm is taken, in words that continue the case after a colon.
    pub why: &'static str,
    /// The algorithm's name in the registry.
    name: &'static str,
    /// Whether the case holds for this world and use.
    holds: fn(&S, Use) -> bool,
}

/// A space with rules for the choice.
pub trait Auto: Space {
    /// Every rule, in the order in which they are tried. The last rule always holds.
    const RULES: &'static [Rule<Self>];
}

impl Auto for SquareGrid {
    const RULES: &'static [Rule] = RULES;
}

impl Auto for HexGrid {
    const RULES: &'static [Rule<HexGrid>] = HEX_RULES;
}

/// The rules for hexagonal grids.
const HEX_RULES: &[Rule<HexGrid>] = &[Rule {
    case: "any use of a world of hexes",
    why: "nothing else gives exact answers there faster",
    name: "a-star",
    holds: |_, _| true,
}];

/// Every rule for square grids, in the order in which they are tried. The last rule always holds.
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
        case: "many queries on a world with borders that no chart knows",
        why: "flat searches know them all",
        name: "a-star",
        holds: |grid, _| grid.extras() > algorithms::RHUMB.extras,
    },
    Rule {
        case: "many queries, answers near the optimum will do",
        why: "a chart answers in microseconds on any world and follows edits",
        name: "rhumb",
        holds: |_, _| true,
    },
];

impl<S: Space> Rule<S> {
    /// Returns the algorithm that this rule takes.
    ///
    /// # Panics
    /// Never: every name in the rules is in the registry.
    pub fn takes(&self) -> &'static Algorithm<S> {
        algorithm_on(self.name).expect("rules name algorithms of the registry")
    }
}

/// Returns whether searches over jump points work on this grid: it has eight directions, free cells of one weight and open
/// borders.
fn has_jump_points(grid: &SquareGrid) -> bool {
    grid.rules().directions == Directions::Eight && grid.uniform_weight().is_some() && grid.extras() == Extras::Nothing
}

/// The algorithm that was chosen, and why.
#[non_exhaustive]
pub struct Choice<S: Space = SquareGrid> {
    /// The algorithm.
    pub algorithm: &'static Algorithm<S>,
    /// Its settings.
    pub settings: Settings,
    /// The case and the reason, in one line.
    pub why: String,
}

/// Returns the algorithm of the first of the [`RULES`] that holds for this world and use.
///
/// # Panics
/// Never: the last rule always holds, its algorithm runs on every world, and the default settings of every algorithm
/// are in range.
pub fn choose<S: Auto>(world: &Snapshot<S>, usage: Use) -> Choice<S> {
    let holds = |rule: &&Rule<S>| (rule.holds)(world, usage) && rule.takes().suits(world).is_ok();
    let rule = S::RULES.iter().find(holds).expect("the last rule always holds");
    let algorithm = rule.takes();
    let settings = algorithm.settings::<&str, &str>(&[]).expect("defaults are in range");
    Choice { algorithm, settings, why: format!("{}: {}", rule.case, rule.why) }
}

impl<S: Auto> Planner<S> {
    /// Builds a planner for this world and use, and returns it with the reason for the choice. If edits turn a uniform
    /// world into a weighted one, [`Planner::repair`] may fail; then choose again.
    ///
    /// ```
    /// use portolan::auto::{Edits, Use};
    /// use portolan::{Planner, Rules, SquareGrid, World};
    /// let world = World::from(SquareGrid::open(64, 64, Rules::default())?);
    /// let (planner, choice) = Planner::auto(&world, Use { edits: Edits::Sometimes, ..Use::default() });
    /// assert_eq!(planner.algorithm().name, "jump-point");
    /// println!("{} for {}", choice.algorithm.name, choice.why);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Panics
    /// When there is no memory for the tables of the algorithm chosen. A rule never takes an algorithm that does not
    /// run on the world.
    pub fn auto(world: &Snapshot<S>, usage: Use) -> (Planner<S>, Choice<S>) {
        let choice = choose(world, usage);
        let planner = Planner::build(world, choice.algorithm, choice.settings.clone());
        (planner.expect("rules look at the world first"), choice)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::algorithm::Promise;
    use crate::space::{Corners, Rules};

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

    /// Returns the name of the algorithm that the first rule with this `name` takes.
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
        assert!(algorithm_on::<SquareGrid>(AUTO).is_none(), "the word is taken");
        for rule in RULES {
            assert!(!rule.takes().name.is_empty() && !rule.case.is_empty() && !rule.why.is_empty());
        }
    }
}
