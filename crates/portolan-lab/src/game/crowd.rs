//! A game without an end for many agents ([`crowd`]): how long its ticks take, and whether its memory stays level.

use super::{Game, GameError};
use crate::progress::{Progress, Steps};
use crate::table::{Table, grouped};
use portolan_sim::testbed::{Agent, AgentState, Follower, Options, Testbed};
use serde::Serialize;
use std::time::{Duration, Instant};

/// In how many parts a game is reported.
const PARTS: u64 = 10;

/// What a crowd has come to.
#[derive(Clone, Debug, Serialize)]
pub struct CrowdResult {
    /// The name of the world.
    pub world: String,
    /// The seed of the game.
    pub seed: u64,
    /// The algorithms, with settings, which the agents have in turns.
    pub algorithms: Vec<String>,
    /// How many agents there were.
    pub agents: usize,
    /// How many ticks were played.
    pub ticks: u64,
    /// Milliseconds of a tick on average; absent where times are not wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tick_ms: Option<f64>,
    /// A tenth of the ticks each, one after the other.
    pub parts: Vec<CrowdPart>,
}

/// What a part of the ticks has come to.
#[derive(Clone, Debug, Serialize)]
pub struct CrowdPart {
    /// How many ticks were played by its end.
    pub ticks: u64,
    /// Milliseconds of a tick on average; absent where times are not wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tick_ms: Option<f64>,
    /// Milliseconds of the longest tick; absent where times are not wanted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst_ms: Option<f64>,
    /// How often agents reached their last goal, since the beginning.
    pub laps: u64,
    /// How many steps all agents have walked, since the beginning.
    pub steps: u64,
    /// How many agents had a route at the end of the part.
    pub walking: usize,
    /// How many traps there were at the end of the part.
    pub traps: usize,
    /// Bytes of worlds, planners, searches and routes at the end of the part.
    pub bytes: usize,
}

/// Plays a game with so many agents, which have the algorithms of the game in turns and begin again at their start after
/// the last goal. It ends after the ticks of the game. After every tick, no agent and no follower may stand in a wall or on
/// a trap.
///
/// # Errors
/// When the game cannot begin, `progress` stops the work, or a character stands where it must not.
pub fn crowd(game: &Game, agents: usize, progress: &mut Progress) -> Result<CrowdResult, GameError> {
    let names: Vec<&String> = game.agents.iter().cycle().take(agents).collect();
    let options = Options { endless: true, ..game.options.clone() };
    let ticks = game.ticks.unwrap_or_else(|| game.default_ticks());
    let mut bed = Testbed::new(game.level.clone(), &names, options)?;
    let mut steps = Steps::new(progress, ticks)?;
    let mut parts = Vec::new();
    let mut all = Duration::ZERO;
    for part in 0..PARTS.min(ticks) {
        let end = ticks * (part + 1) / PARTS.min(ticks);
        let (count, mut time, mut worst) = (end - bed.tick_count(), Duration::ZERO, Duration::ZERO);
        while bed.tick_count() < end {
            let begun = Instant::now();
            bed.tick();
            let tick = begun.elapsed();
            (time, worst) = (time + tick, worst.max(tick));
            check(&bed)?;
            steps.advance(1)?;
        }
        all += time;
        let walks = |state| matches!(state, AgentState::Walking | AgentState::Obstructed);
        parts.push(CrowdPart {
            ticks: end,
            tick_ms: Some(time.as_secs_f64() * 1e3 / count as f64),
            worst_ms: Some(worst.as_secs_f64() * 1e3),
            laps: bed.agents().iter().map(Agent::laps).sum(),
            steps: (0..agents).flat_map(|agent| bed.work(agent)).map(|work| work.steps).sum(),
            walking: bed.agents().iter().filter(|agent| walks(agent.state())).count(),
            traps: bed.traps().len(),
            bytes: bed.bytes(),
        });
    }
    Ok(CrowdResult {
        world: game.world.clone(),
        seed: game.options.seed,
        algorithms: game.agents.clone(),
        agents,
        ticks,
        tick_ms: Some(all.as_secs_f64() * 1e3 / ticks as f64),
        parts,
    })
}

/// Checks that every agent and every follower stands on a free cell.
fn check(bed: &Testbed) -> Result<(), GameError> {
    for (number, agent) in bed.agents().iter().enumerate() {
        let world = bed.world(number);
        let followers = agent.followers().iter().map(Follower::at);
        if let Some(at) = [agent.at()].into_iter().chain(followers).find(|&at| !world.is_free(at)) {
            return Err(GameError::Buried { agent: agent.name().to_owned(), at, ticks: bed.tick_count() });
        }
    }
    Ok(())
}

impl CrowdResult {
    /// Returns the result without times, which differ from run to run.
    #[must_use]
    pub fn without_times(mut self) -> CrowdResult {
        self.tick_ms = None;
        for part in &mut self.parts {
            (part.tick_ms, part.worst_ms) = (None, None);
        }
        self
    }

    /// Returns the parts as a table.
    pub fn table(&self) -> Table {
        let times = self.tick_ms.is_some();
        let timed: &[&str] = if times { &["ms a tick", "worst"] } else { &[] };
        let mut table = Table::new(&[&["ticks", "laps", "steps", "walking", "traps", "KiB"], timed].concat());
        for part in &self.parts {
            let counts = [part.ticks, part.laps, part.steps, part.walking as u64, part.traps as u64];
            let mut cells: Vec<String> = counts.iter().map(|&count| grouped(count as f64)).collect();
            cells.push(grouped((part.bytes / 1024) as f64));
            cells.extend([part.tick_ms, part.worst_ms].into_iter().flatten().map(|ms| format!("{ms:.3}")));
            table.push(cells);
        }
        table
    }
}
