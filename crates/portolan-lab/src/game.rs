//! Experiments in the testbed game: the same level is played several times with other traps, and what each goal took
//! every agent is averaged ([`play`]). Every game is also kept line by line ([`GameResult::sheet`]).
//!
//! [`crowd`] plays without an end with many agents instead.
//!
//! Not here: the game itself (`portolan_sim::testbed`), terminals, and writing files.

mod crowd;

pub use crowd::{CrowdPart, CrowdResult, crowd};

use crate::progress::{Cancelled, Progress, Steps};
use crate::table::{Table, grouped, micros};
use portolan::Cell;
use portolan_formats::Level;
use portolan_formats::sheet::{Column, Sheet};
use portolan_sim::testbed::{AgentState, GoalWork, Options, SetupError, Testbed};
use serde::Serialize;

/// What is to be played.
#[derive(Clone)]
pub struct Game {
    /// The name of the world, for results.
    pub world: String,
    /// The level.
    pub level: Level,
    /// The algorithm of each agent, with settings after its name if need be.
    pub agents: Vec<String>,
    /// How it is played. The seed is that of the first game; each game after it has the next number.
    pub options: Options,
    /// How many games are played.
    pub runs: u64,
    /// When a game is given up, if not all agents have finished. If `None`, that is after [`Game::default_ticks`].
    pub ticks: Option<u64>,
}

impl Game {
    /// Returns the ticks after which a game is given up by default: twenty for every free cell, which is more than to
    /// walk over the heaviest ground takes, and at least ten thousand.
    pub fn default_ticks(&self) -> u64 {
        (20 * self.level.grid.free_cells() as u64).max(10_000)
    }

    /// Returns the games that are to be played, each with its seed.
    ///
    /// # Errors
    /// As [`Testbed::new`].
    pub fn begin(&self, run: u64) -> Result<Testbed, SetupError> {
        let options = Options { seed: self.options.seed.wrapping_add(run), ..self.options.clone() };
        Testbed::new(self.level.clone(), &self.agents, options)
    }
}

/// Why games have no result.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
pub enum GameError {
    /// The game cannot begin.
    #[error(transparent)]
    Setup(#[from] SetupError),
    /// The work was stopped.
    #[error(transparent)]
    Cancelled(#[from] Cancelled),
    /// A character of a crowd stands in a wall or on a trap, which is a fault of the game.
    #[error("after {ticks} ticks, {agent} or one of its followers stands on the blocked cell {at}")]
    Buried {
        /// The algorithm of the agent, with settings.
        agent: String,
        /// The blocked cell.
        at: Cell,
        /// The ticks played.
        ticks: u64,
    },
}

/// What the games came to.
#[derive(Clone, Debug, Serialize)]
pub struct GameResult {
    /// The name of the world.
    pub world: String,
    /// How many games were played.
    pub runs: u64,
    /// The seed of the first.
    pub seed: u64,
    /// Ticks of a game on average.
    pub ticks: f64,
    /// What was found out about each agent.
    pub agents: Vec<AgentRow>,
    /// Every goal of every agent in every game.
    #[serde(skip)]
    pub log: Vec<LogRow>,
}

/// What an agent needed on average.
#[derive(Clone, Debug, Serialize)]
pub struct AgentRow {
    /// The algorithm, with settings.
    pub agent: String,
    /// In how many games it reached its last goal.
    pub finished: u64,
    /// What each goal took.
    pub goals: Vec<GoalRow>,
    /// What all goals took together.
    pub sum: GoalRow,
}

/// What a goal took on average over all games.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct GoalRow {
    /// The letter of the key or door, or `sum`.
    pub goal: String,
    /// Entries put on the open list.
    pub inserts: f64,
    /// Entries taken off the open list.
    pub removes: f64,
    /// Inserts and removes.
    pub operations: f64,
    /// Mean size of the open list over expansions.
    pub heap_size: f64,
    /// Binary logarithm of that.
    pub heap_height: f64,
    /// Operations times the height.
    pub depth: f64,
    /// Nodes expanded.
    pub expanded: f64,
    /// Searches and repairs of searches.
    pub searches: f64,
    /// Steps walked.
    pub steps: f64,
    /// The cost of these steps.
    pub cost: f64,
    /// Ticks.
    pub ticks: f64,
    /// How often a monster caught the agent.
    pub caught: f64,
    /// Microseconds of searches and repairs; absent where times are not wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_us: Option<f64>,
}

/// One goal of one agent in one game.
#[derive(Clone, Debug)]
pub struct LogRow {
    /// The number of the game, counted from 1.
    pub run: u64,
    /// Its seed.
    pub seed: u64,
    /// The algorithm, with settings.
    pub agent: String,
    /// The letter of the key or door, or `sum`.
    pub goal: String,
    /// Whether the agent reached its last goal.
    pub finished: bool,
    /// What the goal took.
    pub work: GoalWork,
}

/// The name of the row for all goals together.
pub const SUM: &str = "sum";

/// Returns the letter of each goal.
pub fn goal_names(level: &Level) -> Vec<String> {
    let letters = level.pairs.iter().flat_map(|pair| [pair.letter, pair.letter.to_ascii_uppercase()]);
    letters.map(|letter| letter.to_string()).collect()
}

/// Plays all games one after the other. `progress` receives the games done and their total, and is asked a few times in
/// each game whether to go on.
///
/// # Errors
/// When a game cannot begin, or `progress` stops the work.
pub fn play(game: &Game, progress: &mut Progress) -> Result<GameResult, GameError> {
    let mut steps = Steps::new(progress, game.runs)?;
    let mut names = goal_names(&game.level);
    names.push(SUM.to_owned());
    let (mut log, mut ticks) = (Vec::new(), 0);
    for run in 0..game.runs {
        let mut bed = game.begin(run)?;
        let most = game.ticks.unwrap_or_else(|| game.default_ticks());
        while bed.tick_count() < most && bed.tick() {
            if bed.tick_count().is_multiple_of(16) {
                steps.still()?;
            }
        }
        ticks += bed.tick_count();
        for (number, agent) in bed.agents().iter().enumerate() {
            let mut works = bed.work(number);
            works.push(GoalWork::sum(&works));
            for (goal, work) in names.iter().zip(works) {
                let (agent, finished) = (agent.name().to_owned(), agent.state() == AgentState::Finished);
                let seed = bed.options().seed;
                log.push(LogRow { run: run + 1, seed, agent, goal: goal.clone(), finished, work });
            }
        }
        steps.advance(1)?;
    }
    Ok(GameResult {
        world: game.world.clone(),
        runs: game.runs,
        seed: game.options.seed,
        ticks: ticks as f64 / game.runs as f64,
        agents: averages(game, &names, &log),
        log,
    })
}

/// Returns the mean over all games for each agent and goal. The log has the goals of the agents of the games, in order.
fn averages(game: &Game, names: &[String], log: &[LogRow]) -> Vec<AgentRow> {
    let (goals, agents) = (names.len(), game.agents.len());
    let of_agent = |(number, agent): (usize, &String)| {
        let row = |goal: usize| {
            let works: Vec<GoalWork> =
                log.iter().skip(number * goals + goal).step_by(agents * goals).map(|row| row.work).collect();
            GoalRow::mean(&names[goal], &works)
        };
        let mut rows: Vec<GoalRow> = (0..goals).map(row).collect();
        let sum = rows.pop().expect("the last row is the sum");
        let games = log.iter().skip(number * goals).step_by(agents * goals);
        AgentRow { agent: agent.clone(), finished: games.filter(|row| row.finished).count() as u64, goals: rows, sum }
    };
    game.agents.iter().enumerate().map(of_agent).collect()
}

impl GoalRow {
    fn mean(goal: &str, works: &[GoalWork]) -> GoalRow {
        let mean = |value: &dyn Fn(&GoalWork) -> f64| works.iter().map(value).sum::<f64>() / works.len() as f64;
        GoalRow {
            goal: goal.to_owned(),
            inserts: mean(&|work| work.inserts as f64),
            removes: mean(&|work| work.removes as f64),
            operations: mean(&|work| work.operations() as f64),
            heap_size: mean(&|work| work.heap_size),
            heap_height: mean(&GoalWork::heap_height),
            depth: mean(&GoalWork::depth),
            expanded: mean(&|work| work.expanded as f64),
            searches: mean(&|work| work.searches as f64),
            steps: mean(&|work| work.steps as f64),
            cost: mean(&|work| work.cost),
            ticks: mean(&|work| work.ticks as f64),
            caught: mean(&|work| work.caught as f64),
            time_us: Some(mean(&|work| work.time.as_secs_f64() * 1e6)),
        }
    }
}

impl GameResult {
    /// Returns the result without times, which differ from run to run.
    #[must_use]
    pub fn without_times(mut self) -> GameResult {
        for agent in &mut self.agents {
            agent.sum.time_us = None;
            agent.goals.iter_mut().for_each(|goal| goal.time_us = None);
        }
        self.log.iter_mut().for_each(|row| row.work.time = std::time::Duration::ZERO);
        self
    }

    /// Returns how many agents did not reach their last goal, over all games.
    pub fn unfinished(&self) -> u64 {
        self.agents.iter().map(|agent| self.runs - agent.finished).sum()
    }

    /// Returns the averages as a table: for each agent a row for each goal, then their sum.
    pub fn table(&self) -> Table {
        let times = self.agents.iter().any(|agent| agent.sum.time_us.is_some());
        let mut heading = HEADING.to_vec();
        heading.truncate(if times { HEADING.len() } else { HEADING.len() - 1 });
        let mut table = Table::new(&heading).left(1);
        for AgentRow { agent, goals, sum, .. } in &self.agents {
            for (index, row) in goals.iter().chain([sum]).enumerate() {
                let name = if index == 0 { agent.clone() } else { String::new() };
                let numbers = [row.inserts, row.removes, row.operations].map(grouped);
                let heap = [row.heap_size, row.heap_height].map(|number| format!("{number:.2}"));
                let walked = [row.expanded, row.searches, row.steps].map(grouped);
                let cost = format!("{:.1}", row.cost);
                let mut cells = vec![name, row.goal.clone()];
                cells.extend(numbers.into_iter().chain(heap).chain(walked).chain([cost, grouped(row.ticks)]));
                cells.extend(row.time_us.map(micros));
                table.push(cells);
            }
        }
        table
    }

    /// Returns every goal of every agent in every game as columns for a file.
    pub fn sheet(&self) -> Sheet {
        let text = |value: &dyn Fn(&LogRow) -> String| Column::Text(self.log.iter().map(value).collect());
        let count = |value: &dyn Fn(&LogRow) -> u64| Column::Count(self.log.iter().map(value).collect());
        let number = |value: &dyn Fn(&LogRow) -> f64| Column::Number(self.log.iter().map(value).collect());
        Sheet::new(vec![
            ("run", count(&|row| row.run)),
            ("seed", count(&|row| row.seed)),
            ("agent", text(&|row| row.agent.clone())),
            ("goal", text(&|row| row.goal.clone())),
            ("finished", count(&|row| u64::from(row.finished))),
            ("inserts", count(&|row| row.work.inserts)),
            ("removes", count(&|row| row.work.removes)),
            ("operations", count(&|row| row.work.operations())),
            ("heap_size", number(&|row| row.work.heap_size)),
            ("heap_height", number(&|row| row.work.heap_height())),
            ("expanded", count(&|row| row.work.expanded)),
            ("searches", count(&|row| row.work.searches)),
            ("steps", count(&|row| row.work.steps)),
            ("cost", number(&|row| row.work.cost)),
            ("ticks", count(&|row| row.work.ticks)),
            ("caught", count(&|row| row.work.caught)),
            ("time_us", number(&|row| row.work.time.as_secs_f64() * 1e6)),
        ])
    }
}

/// The heading of the table of averages.
const HEADING: [&str; 13] = [
    "agent",
    "goal",
    "inserts",
    "removes",
    "operations",
    "heap",
    "height",
    "expanded",
    "searches",
    "steps",
    "cost",
    "ticks",
    "µs",
];
