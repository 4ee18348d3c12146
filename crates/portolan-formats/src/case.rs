//! `.case`: a test case, that is a world, an agent with somewhere to go, and what happens to the world on its way.
//!
//! A line `portolan case 1`, then a line a fact, in any order and each at most once but for `at`:
//!
//! | line | says |
//! |---|---|
//! | `about WORDS` | what the case shows |
//! | `world NAME` | a built-in world, or a file beside the case |
//! | `world RECIPE WxH seed N KEY=VALUE` | a generated world; seed (else 1) and settings may be left out |
//! | `rules strict 8 408/577` | corner rule, directions and metric, each of which may be left out |
//! | `from X,Y` and `to X,Y` | where the agent stands and where it wants to be |
//! | `with NAME KEY=VALUE` | the algorithm and its settings; without, or with `auto`, the rules choose |
//! | `replan touched` | when the agent thinks again: once an edit touches its way, or after `any` edit |
//! | `follow repair` | how its planner follows edits: at once, or by `rebuild N`, ready N ticks later |
//! | `ticks N` | when the case ends, if the agent is still on its way |
//! | `at TICK block X,Y WxH` | blocks a rectangle before the step of that tick; one cell without `WxH` |
//! | `at TICK clear X,Y WxH` | makes it ground of weight 1 |
//! | `at TICK weight N X,Y WxH` | makes it ground of weight N |
//! | `map` | the rest of the file is the world, drawn as in [`crate::ascii`] |
//!
//! A case has one world, named or drawn. Blank lines and what follows a ` #` are skipped, but not in `about` and under
//! `map`. Edits of one tick happen in the order of their lines.
//!
//! Not here: what agents do, and looking for the worlds that are named.

mod facts;

use crate::ascii::{self, AsciiWorld, Strictness, WeightError};
use crate::error::ReadError;
use crate::text::without_mark;
use portolan::{Area, Cell, Corners, Directions, Edit, Rules};
use std::fmt::{self, Write};

/// A world, an agent, and what happens on its way.
#[derive(Clone)]
pub struct Case {
    /// What it shows, in a line.
    pub about: String,
    /// Where it happens.
    pub world: CaseWorld,
    /// How the agent steps.
    pub rules: Rules,
    /// Where the agent stands.
    pub from: Cell,
    /// Where it wants to be.
    pub to: Cell,
    /// By which algorithm; the rules choose when absent.
    pub with: Option<With>,
    /// When the agent thinks again.
    pub replan: Replan,
    /// How its planner follows edits.
    pub follow: Follow,
    /// How many ticks it is given.
    pub ticks: Option<u64>,
    /// What happens before the step of which tick, in order.
    pub edits: Vec<(u64, Edit)>,
}

/// An algorithm's name and its settings.
pub type With = (String, Vec<(String, String)>);

/// Where a case happens.
#[derive(Clone)]
pub enum CaseWorld {
    /// In a built-in world, or one in a file beside the case. The name has no blanks and does not begin with `#`.
    Named(String),
    /// In a generated world.
    Made {
        /// By which recipe.
        recipe: String,
        /// Columns.
        width: usize,
        /// Rows.
        height: usize,
        /// Which of the worlds it can make.
        seed: u64,
        /// Settings that are not the recipe's own.
        settings: Vec<(String, String)>,
    },
    /// In a world drawn in the case, with the looks of its walls.
    Drawn(Box<AsciiWorld>),
}

/// When an agent thinks again about its way.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Replan {
    /// When an edit makes a step of what is left of it illegal, or changes its price.
    #[default]
    Touched,
    /// After any edit: it may have opened a shorter way.
    Any,
}

impl Replan {
    /// Both with their words in files and on command lines.
    pub const NAMED: [(&'static str, Replan); 2] = [("touched", Replan::Touched), ("any", Replan::Any)];

    /// Its word.
    pub fn name(self) -> &'static str {
        match self {
            Replan::Touched => "touched",
            Replan::Any => "any",
        }
    }
}

/// How a planner follows edits.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Default, Debug)]
pub enum Follow {
    /// At once: repaired before the next step.
    #[default]
    Repair,
    /// In the background: the next one is made on another thread while its owner walks on by the old.
    Rebuild {
        /// Ticks from the edit until it is ready.
        ticks: u64,
    },
}

impl fmt::Display for Follow {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Follow::Repair => f.write_str("repair"),
            Follow::Rebuild { ticks } => write!(f, "rebuild {ticks}"),
        }
    }
}

impl Case {
    /// The latest tick a case may name, so that no case goes on for ages.
    pub const MAX_TICK: u64 = 10_000_000;
}

/// Whether the bytes begin like a case.
pub fn is_case(bytes: &[u8]) -> bool {
    without_mark(bytes).starts_with(b"portolan case ")
}

/// Reads a case and, strictly, the world that may be drawn in it.
///
/// # Errors
/// As [`read_with`].
pub fn read(bytes: &[u8]) -> Result<Case, ReadError> {
    read_with(bytes, Strictness::Strict)
}

/// Reads a case, and the world that may be drawn in it with this strictness.
///
/// # Errors
/// When a line is none of those above, a fact is missing or told twice, an algorithm, recipe or setting is unknown, or,
/// where the size of the world is known, a cell or an edit lies off it.
pub fn read_with(bytes: &[u8], strictness: Strictness) -> Result<Case, ReadError> {
    facts::read(bytes, strictness)
}

/// Writes a case; what was read is read back the same, but that comments are lost and the world is drawn as
/// [`ascii::write`] does.
///
/// # Errors
/// When a drawn world has a cell that weighs more than 9.
pub fn write(case: &Case) -> Result<String, WeightError> {
    let mut text = String::from("portolan case 1\n");
    let mut line = |words: String| {
        text.push_str(words.trim_end());
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
    if case.replan != Replan::default() {
        line(format!("replan {}", case.replan.name()));
    }
    if case.follow != Follow::default() {
        line(format!("follow {}", case.follow));
    }
    if let Some(ticks) = case.ticks {
        line(format!("ticks {ticks}"));
    }
    for (tick, edit) in &case.edits {
        line(format!("at {tick} {}", edit_words(edit)));
    }
    if let CaseWorld::Drawn(world) = &case.world {
        // Refuses the weights that the drawing below would round down.
        ascii::write_grid(&world.grid)?;
        line("map".into());
        text.push_str(&ascii::write(world));
    }
    Ok(text)
}

/// An edit as a case says it: `block 20,5 1x30`.
pub fn edit_words(edit: &Edit) -> String {
    let Area { x, y, width, height } = edit.area;
    let mut words = match edit.terrain.weight() {
        0 => format!("block {x},{y}"),
        1 => format!("clear {x},{y}"),
        weight => format!("weight {weight} {x},{y}"),
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
