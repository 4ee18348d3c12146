//! The testbed game of Moori's report on D* algorithms (2008): agents fetch keys and open doors while pit traps appear
//! and vanish, monsters roam, and influence changes what cells cost. Every agent may search with another algorithm, on
//! the same traps, and [`Testbed::work`] counts what each goal took.
//!
//! ```
//! use portolan::Rules;
//! use portolan_formats::{Level, ascii};
//! use portolan_sim::testbed::{AgentState, Options, Testbed, Traps};
//!
//! let drawing = b"AAAAAAAAAAAA\nA.q.....a.xA\nA..........A\nA..A.....X.A\nAAAAAAAAAAAA\n";
//! let level = Level::of(ascii::read(drawing, Rules::default())?)?;
//! let options = Options { traps: Traps::new(5.0, 4), ..Options::default() };
//! let mut game = Testbed::new(level, &["a-star successors=all", "jump-point"], options)?;
//! while game.tick() {}
//! assert!(game.agents().iter().all(|agent| agent.state() == AgentState::Finished));
//! assert!(game.work(0)[0].inserts > game.work(1)[0].inserts);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! In every tick, first traps and clouds change, then agents that have a reason plan again and take a step if it is time,
//! then monsters. All but the times is equal in every run with the same seed, on every machine.
//!
//! Not here: reading drawings, and showing the game.

mod agent;
mod goal_work;
mod ground;
mod group;
mod heading;
mod monster;
mod options;
mod player;
mod traps;
mod views;
mod weather;

pub use agent::{Agent, AgentState};
pub use goal_work::GoalWork;
pub use ground::Layer;
pub use group::Follower;
pub use heading::Heading;
pub use monster::{Monster, MonsterKind, Mood};
pub use options::{Followers, Formation, Influence, Obstructed, Options, SetupError, Traps};
pub use player::Player;
pub use traps::Trap;

use crate::behaviour::Replan;
use agent::Step;
use ground::{Ground, sight_of};
use monster::Scene;
use portolan::auto::{Edits, Use};
use portolan::generate::Random;
use portolan::pick::Pick;
use portolan::{Cell, Scratch, Snapshot, SquareGrid};
use portolan_formats::Level;
use traps::Pits;
use views::{Method, Views};
use weather::Weather;

/// A game under way.
pub struct Testbed {
    level: Level,
    options: Options,
    ground: Ground,
    /// The world without traps and with closed doors, through which monsters see.
    sight: SquareGrid,
    pits: Pits,
    weather: Weather,
    views: Views,
    agents: Vec<Agent>,
    monsters: Vec<Monster>,
    player: Option<Player>,
    /// How many agents and players are on each cell, row by row.
    prey: Vec<u16>,
    /// The working memory of all searches, which run one after the other.
    scratch: Scratch,
    ticks: u64,
}

impl Testbed {
    /// Begins a game on a level. There is one agent for each text, which names its algorithm, with settings after it if
    /// need be. Agents take the starts of the level in turns, and the first ones again if there are fewer starts.
    ///
    /// # Errors
    /// When a number in the options is out of range, there is no agent, or an algorithm or a setting is unknown or does
    /// not go with the world.
    pub fn new<T: AsRef<str>>(level: Level, agents: &[T], options: Options) -> Result<Testbed, SetupError> {
        options.traps.check()?;
        let mut methods: Vec<Method> = Vec::new();
        let (starts, goals) = (level.starts(), level.goals());
        let mut crew = Vec::new();
        for (index, text) in agents.iter().enumerate() {
            let method = method_of(text.as_ref(), &level, &options)?;
            let number = methods.iter().position(|known| *known == method).unwrap_or(methods.len());
            if number == methods.len() {
                methods.push(method);
            }
            let (name, start) = (text.as_ref().to_owned(), starts[index % starts.len()]);
            crew.push(Agent::new(name, number, start, &goals, &options));
        }
        if crew.is_empty() {
            return Err(SetupError::NoAgent);
        }
        Ok(Testbed::set_up(level, options, methods, crew))
    }

    fn set_up(level: Level, options: Options, methods: Vec<Method>, agents: Vec<Agent>) -> Testbed {
        let mut seeds = Random::new(options.seed);
        let mut source = || Random::new(seeds.bits());
        let (mut ground, sight) = (Ground::new(&level), sight_of(&level));
        let pits = Pits::new(&level.grid, options.traps.clone(), source());
        let weather = Weather::new(&level.grid, options.influence.weather, source(), &mut ground);
        let monsters = level.monsters.iter().map(|&(at, letter)| Monster::new(letter, at, &sight, source())).collect();
        let player = level.player.map(Player::new);
        let mut game = Testbed {
            views: Views::new(&level, methods),
            prey: vec![0; level.grid.width() * level.grid.height()],
            scratch: Scratch::new(),
            ticks: 0,
            level,
            options,
            ground,
            sight,
            pits,
            weather,
            agents,
            monsters,
            player,
        };
        game.views.open(0, &game.level.grid, game.ground.weights());
        for index in 0..game.monsters.len() {
            game.ground.enter(game.monsters[index].at());
            game.threaten(index, 1);
        }
        if let Some(at) = game.player.as_ref().map(Player::at) {
            game.appear(at);
        }
        for index in 0..game.agents.len() {
            game.views.enter(0, game.agents[index].method);
            let start = game.agents[index].at();
            game.appear(start);
            for _ in 0..game.options.followers.count {
                game.ground.enter(start);
            }
        }
        game.spread();
        game
    }

    /// Has every agent note which cells its searches expand from now on ([`Agent::searched`]), or no longer.
    pub fn keep_searched(&mut self, keep: bool) {
        for agent in &mut self.agents {
            agent.keep_searched(keep);
        }
    }

    /// Plays one tick. Returns whether any agent has goals left.
    pub fn tick(&mut self) -> bool {
        self.pits.update(self.ticks, &mut self.ground);
        self.weather.drift(self.ticks, &mut self.ground);
        self.spread();
        for agent in &mut self.agents {
            agent.think(self.views.of(agent.keys()), &mut self.scratch, &self.options);
        }
        for index in 0..self.agents.len() {
            self.step(index);
        }
        for agent in &mut self.agents {
            let view = self.views.of(agent.keys());
            agent.lead(view, &self.level.grid, &mut self.ground, &mut self.scratch);
        }
        for index in 0..self.monsters.len() {
            self.prowl(index);
        }
        if self.options.vulnerable {
            self.catch();
        }
        self.ticks += 1;
        !self.is_over()
    }

    /// Returns whether every agent has reached its last goal.
    pub fn is_over(&self) -> bool {
        self.agents.iter().all(|agent| agent.state() == AgentState::Finished)
    }

    /// Moves the player one step. Returns whether the step was legal: there is a player, no wall or trap, and no door
    /// whose key the player does not hold.
    pub fn steer(&mut self, heading: Heading) -> bool {
        let Some(player) = &mut self.player else { return false };
        let from = player.at();
        let to = heading.next(from);
        if self.views.of(player.keys()).world.step_cost(from, to).is_none() {
            return false;
        }
        player.step(to, heading, &self.level.pairs);
        let keys = player.keys();
        self.views.open(keys, &self.level.grid, self.ground.weights());
        self.vanish(from);
        self.appear(to);
        true
    }

    /// Has an agent take its step, and turn to its next goal if it has reached one.
    fn step(&mut self, index: usize) {
        let agent = &mut self.agents[index];
        let Step::Moved { from, arrived } = agent.step(self.views.of(agent.keys()), &self.level.grid) else { return };
        let keys = agent.keys();
        if arrived {
            agent.next_goal(self.options.endless, &mut self.ground);
        }
        let (at, method, keys_now) = (agent.at(), agent.method, agent.keys());
        self.vanish(from);
        self.appear(at);
        if keys_now != keys {
            self.views.open(keys_now, &self.level.grid, self.ground.weights());
            self.views.enter(keys_now, method);
            let (agents, player) = (&self.agents, &self.player);
            let holds = |keys| player.as_ref().is_some_and(|player| player.keys() == keys);
            self.views.retain(|keys| holds(keys) || agents.iter().any(|agent| agent.keys() == keys));
        }
    }

    /// Has a monster act.
    fn prowl(&mut self, index: usize) {
        let from = self.monsters[index].at();
        self.threaten(index, -1);
        let (walk, straight) = (&self.views.of(0).world, self.level.grid.metric().straight());
        let scene = Scene { sight: &self.sight, walk, ground: &self.ground, prey: &self.prey };
        self.monsters[index].act(&scene, straight);
        self.threaten(index, 1);
        self.ground.leave(from);
        self.ground.enter(self.monsters[index].at());
    }

    /// Adds the threat of a monster to the cells that it sees, or takes it away if `sign` is -1.
    fn threaten(&mut self, index: usize, sign: i32) {
        let (monster, most) = (&self.monsters[index], self.options.influence.threat);
        if most > 0 {
            for &cell in monster.seen() {
                self.ground.influence(Layer::Threat, cell, sign * monster.threat(cell, most));
            }
        }
    }

    /// Sends every agent and the player that a monster has caught back to its start. Starts and keys are safe.
    fn catch(&mut self) {
        for index in 0..self.monsters.len() {
            let at = self.monsters[index].at();
            if self.prey[self.ground.index(at)] == 0 || self.ground.is_safe(at) {
                continue;
            }
            for number in 0..self.agents.len() {
                let agent = &mut self.agents[number];
                if agent.at() == at && agent.state() != AgentState::Finished {
                    agent.caught();
                    let start = agent.at();
                    self.vanish(at);
                    self.appear(start);
                }
            }
            if let Some(player) = self.player.as_mut().filter(|player| player.at() == at) {
                player.caught();
                let start = player.at();
                self.vanish(at);
                self.appear(start);
            }
        }
    }

    /// Notes that an agent or the player stands on a cell from now on.
    fn appear(&mut self, at: Cell) {
        let index = self.ground.index(at);
        self.prey[index] += 1;
        self.ground.enter(at);
        self.crowd(at, 1);
    }

    /// Notes that an agent or the player has left a cell.
    fn vanish(&mut self, from: Cell) {
        let index = self.ground.index(from);
        self.prey[index] -= 1;
        self.ground.leave(from);
        self.crowd(from, -1);
    }

    fn crowd(&mut self, at: Cell, sign: i32) {
        let weight = i32::from(self.options.influence.congestion);
        if weight > 0 {
            self.ground.influence(Layer::Congestion, at, sign * weight);
        }
    }

    /// Has all worlds, planners and agents follow what has changed on the ground since the last call.
    fn spread(&mut self) {
        let edits = self.ground.edits();
        if edits.is_empty() {
            return;
        }
        self.views.edited(&edits);
        for agent in &mut self.agents {
            agent.edited(self.views.of(agent.keys()), &edits, self.options.replan == Replan::Any);
        }
    }

    /// Returns the level.
    pub fn level(&self) -> &Level {
        &self.level
    }

    /// Returns how the game is played.
    pub fn options(&self) -> &Options {
        &self.options
    }

    /// Returns how many ticks have passed.
    pub fn tick_count(&self) -> u64 {
        self.ticks
    }

    /// Returns all agents.
    pub fn agents(&self) -> &[Agent] {
        &self.agents
    }

    /// Returns all monsters.
    pub fn monsters(&self) -> &[Monster] {
        &self.monsters
    }

    /// Returns the player, if the level has one.
    pub fn player(&self) -> Option<&Player> {
        self.player.as_ref()
    }

    /// Returns the traps that are there now.
    pub fn traps(&self) -> &[Trap] {
        self.pits.open()
    }

    /// Returns what a layer of influence adds to each cell, row by row.
    pub fn influence(&self, layer: Layer) -> &[u16] {
        self.ground.layer(layer)
    }

    /// Returns the world of an agent as it is now: with traps and influence, and with the doors closed whose keys the
    /// agent does not hold. Agents with equally many keys share it.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn world(&self, agent: usize) -> &Snapshot {
        &self.views.of(self.agents[agent].keys()).world
    }

    /// Returns the work of an agent for each of its goals so far, over all laps.
    ///
    /// # Panics
    /// When there is no such agent.
    pub fn work(&self, agent: usize) -> Vec<GoalWork> {
        self.agents[agent].work(self.level.grid.metric().straight())
    }

    /// Returns the bytes of memory that worlds, planners, searches and routes take.
    pub fn bytes(&self) -> usize {
        self.views.bytes() + self.agents.iter().map(Agent::bytes).sum::<usize>()
    }
}

/// Reads the algorithm of an agent, and checks that it runs on the level whatever happens there.
fn method_of(text: &str, level: &Level, options: &Options) -> Result<Method, SetupError> {
    let world = Snapshot::from(level.grid.clone());
    let usage = Use { edits: Edits::Sometimes, ..Use::default() };
    let (algorithm, settings, _) = Pick::<SquareGrid>::parse(text)?.choose(&world, usage);
    algorithm.suits(&world)?;
    if options.influence.is_on() {
        let weighted = SquareGrid::from_weights(2, 1, &[1, 2], level.grid.rules()).expect("a sound size");
        algorithm.suits(&Snapshot::from(weighted)).map_err(SetupError::Influenced)?;
    }
    Ok(Method { algorithm, settings })
}
