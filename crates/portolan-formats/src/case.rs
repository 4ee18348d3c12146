//! `.case`: a test case, that is a world, an agent with a start and a goal, and the edits of the world while the agent
//! walks.
//!
//! The first line is `portolan case 1`. Then every line states one fact. The facts come in any order, and each at most
//! once except `at`:
//!
//! | line | meaning |
//! |---|---|
//! | `about WORDS` | what the case shows |
//! | `world NAME` | a built-in world, or a file beside the case |
//! | `world RECIPE WxH seed N KEY=VALUE` | a generated world; seed (else 1) and settings may be left out |
//! | `rules strict 8 408/577` | corner rule, directions and metric, each of which may be left out |
//! | `from X,Y` and `to X,Y` | start and goal of the agent |
//! | `with NAME KEY=VALUE` | the algorithm and its settings; without this line, or with `auto`, the rules choose |
//! | `replan touched` | when the agent plans again: after an edit that changes a step of its route, or `any` edit |
//! | `follow repair` | how its planner follows edits: at once, or, with `rebuild N`, N ticks later |
//! | `ticks N` | the tick at which the case ends, if it is not over before |
//! | `at TICK block X,Y WxH` | blocks a rectangle before the step of that tick; one cell without `WxH` |
//! | `at TICK clear X,Y WxH` | makes it ground of weight 1 |
//! | `at TICK weight N X,Y WxH` | makes it ground of weight N |
//! | `at TICK border SIDE KIND X,Y WxH` | gives the side `north`, `east`, `south` or `west` of its cells a border: `open`, `closed`, or crossed only on the way `out` or `in` |
//! | `at TICK link X,Y X,Y COST both` | makes a link from the first cell to the second and back; `one-way` in place of `both` makes no link back |
//! | `at TICK unlink X,Y X,Y both` | removes the link and the one back |
//! | `map` | the rest of the file is the world, drawn as in [`crate::ascii`] |
//!
//! A case has one world, named, generated or drawn. Blank lines and what follows a ` #` are skipped, but not in `about`
//! and under `map`. Edits of one tick happen in the order of their lines.
//!
//! What `replan` and `follow` say is kept as [`Words`]. Not here: the meaning of these words and what agents do, which
//! `portolan-sim` knows, and finding the worlds that cases name.

mod facts;
mod words;

pub use words::Words;

use crate::ascii::{self, AsciiWorld, DrawError, Strictness};
use crate::error::ReadError;
use crate::text::without_mark;
use portolan::{Area, Border, Cell, Change, Corners, Directions, Edit, Rules, Terrain};
use std::fmt::Write;

/// A world, an agent, and the edits of the world while the agent walks.
#[derive(Clone)]
pub struct Case {
    /// What the case shows, in one line.
    pub about: String,
    /// The world in which the case happens.
    pub world: CaseWorld,
    /// How the agent steps.
    pub rules: Rules,
    /// The cell from which the agent starts.
    pub from: Cell,
    /// The agent's goal.
    pub to: Cell,
    /// The algorithm that plans; if `None`, the rules choose one.
    pub with: Option<With>,
    /// After which edits the agent plans again, in words; `None` if the case does not say.
    pub replan: Option<Words>,
    /// How the agent's planner follows edits, in words; `None` if the case does not say.
    pub follow: Option<Words>,
    /// After how many ticks the case ends, if the agent has not arrived by then.
    pub ticks: Option<u64>,
    /// The edits in order, each with the tick before whose step it happens.
    pub edits: Vec<(u64, Edit)>,
}

/// An algorithm's name and its settings.
pub type With = (String, Vec<(String, String)>);

/// The world in which a case happens.
#[derive(Clone)]
pub enum CaseWorld {
    /// A built-in world, or one in a file beside the case. The name has no blanks and does not begin with `#`.
    Named(String),
    /// A generated world.
    Made {
        /// The name of the recipe that generates it.
        recipe: String,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
        /// The seed, which selects one of the worlds that the recipe can make.
        seed: u64,
        /// Settings that the case states; all others have the recipe's defaults.
        settings: Vec<(String, String)>,
    },
    /// A world that is drawn in the case, with the looks of its walls.
    Drawn(Box<AsciiWorld>),
}

impl Case {
    /// The latest tick that a case may name, so that no case takes very long.
    pub const MAX_TICK: u64 = 10_000_000;
}

/// Returns whether the bytes begin like a case.
pub fn is_case(bytes: &[u8]) -> bool {
    without_mark(bytes).starts_with(b"portolan case ")
}

/// Reads a case. A world that is drawn in it is read strictly.
///
/// # Errors
/// As [`read_with`].
pub fn read(bytes: &[u8]) -> Result<Case, ReadError> {
    read_with(bytes, Strictness::Strict)
}

/// Reads a case. A world that is drawn in it is read with this strictness.
///
/// # Errors
/// When a line is none of those above, a fact is missing or stated twice, an algorithm, recipe or setting is unknown,
/// or, if the size of the world is known, a cell or an edit lies off the world.
pub fn read_with(bytes: &[u8], strictness: Strictness) -> Result<Case, ReadError> {
    facts::read(bytes, strictness)
}

/// Writes a case. To read it back gives the same case; only comments are lost, and the world is drawn as
/// [`ascii::write`] does.
///
/// # Errors
/// When a drawn world has a cell that weighs more than 9.
pub fn write(case: &Case) -> Result<String, DrawError> {
    let mut text = String::from("portolan case 1\n");
    let mut line = |words: String| {
        text.push_str(words.trim_ascii_end());
        text.push('\n');
    };
    if !case.about.is_empty() {
        line(format!("about {}", case.about.replace('\n', " ")));
    }
    match &case.world {
        CaseWorld::Named(name) => line(format!("world {name}")),
        CaseWorld::Made { recipe, width, height, seed, settings } => {
            line(format!("world {recipe} {width}x{height} seed {seed}{}", pairs(settings)));
        }
        CaseWorld::Drawn(_) => {}
    }
    if case.rules != Rules::default() {
        line(rules(case.rules));
    }
    line(format!("from {}", case.from));
    line(format!("to {}", case.to));
    if let Some((name, settings)) = &case.with {
        line(format!("with {name}{}", pairs(settings)));
    }
    if let Some(replan) = &case.replan {
        line(format!("replan {}", replan.joined()));
    }
    if let Some(follow) = &case.follow {
        line(format!("follow {}", follow.joined()));
    }
    if let Some(ticks) = case.ticks {
        line(format!("ticks {ticks}"));
    }
    for (tick, edit) in &case.edits {
        line(format!("at {tick} {}", edit_words(edit)));
    }
    if let CaseWorld::Drawn(world) = &case.world {
        // This refuses weights over 9, which the drawing below would lower to 9.
        ascii::write_grid(&world.grid)?;
        line("map".into());
        text.push_str(&ascii::write(world));
    }
    Ok(text)
}

/// Returns an edit in the words of a case, such as `block 20,5 1x30`.
pub fn edit_words(edit: &Edit) -> String {
    let Area { x, y, width, height } = edit.area;
    let mut words = match edit.change {
        Change::Terrain(Terrain::BLOCKED) => format!("block {x},{y}"),
        Change::Terrain(Terrain::GROUND) => format!("clear {x},{y}"),
        Change::Terrain(terrain) => format!("weight {} {x},{y}", terrain.weight()),
        Change::Border(side, border) => {
            let kind = Border::NAMED.iter().find(|named| named.1 == border).map_or("", |named| named.0);
            format!("border {} {kind} {x},{y}", side.name())
        }
        Change::Link { to, cost, both_ways } => {
            let ways = if both_ways { "both" } else { "one-way" };
            return match cost {
                Some(cost) => format!("link {x},{y} {},{} {} {ways}", to.x, to.y, cost.0),
                None => format!("unlink {x},{y} {},{} {ways}", to.x, to.y),
            };
        }
        _ => unreachable!("there are no other changes"),
    };
    if (width, height) != (1, 1) {
        let _ = write!(words, " {width}x{height}");
    }
    words
}

fn rules(rules: Rules) -> String {
    let corners = Corners::NAMED.iter().find(|(_, corners)| *corners == rules.corners).map_or("", |(name, _)| name);
    let directions = if rules.directions == Directions::Four { 4 } else { 8 };
    let metric = rules.metric.map_or_else(String::new, |metric| format!(" {metric}"));
    format!("rules {corners} {directions}{metric}")
}

fn pairs(settings: &[(String, String)]) -> String {
    let words: Vec<String> = settings.iter().map(|(key, value)| format!(" {key}={value}")).collect();
    words.concat()
}

#[cfg(test)]
mod tests;
