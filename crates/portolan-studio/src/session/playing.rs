//! A game of keys and doors on the open world: beginning it, letting ticks pass, steering the player, and telling how it
//! stands.
//!
//! Not here: the game itself, which is in `portolan-sim`.

use super::finding::{FindError, meant};
use super::leash::{AsideError, Leash, aside};
use super::{listed, micros};
use crate::answer::{Answer, Reply};
use crate::budget::{self, Full, Share};
use crate::command::{Entrant, spot};
use crate::frame::Parts;
use crate::game::{Agent, Effort, LevelInfo, Monster, Pair, Play, Played, Player};
use crate::limits;
use portolan::Cell;
use portolan::any::AnySnapshot;
use portolan_formats::ascii::{AsciiWorld, Entity, EntityKind};
use portolan_formats::{Level, ReadError};
use portolan_sim::testbed::{
    Follower, Followers, Formation, GoalWork, Heading, Influence, Layer, Obstructed, Options, SetupError, Testbed,
    Traps,
};
use std::time::Instant;

/// What influence adds to the weights of cells when it is on.
const INFLUENCE: Influence = Influence { threat: 6, weather: 4, congestion: 2 };
/// Bytes for each cell of what a game keeps besides worlds, planners and agents, which it counts itself: layers of
/// influence, the weights as drawn, what monsters see through, and how many stand on each cell.
const GROUND: usize = 16;
/// Bytes for each cell of a level while it is checked.
const CHECKING: usize = 8;
/// Most bytes of a monster, with the cells that it sees.
const MONSTER: usize = 1024;

/// A game under way.
pub(super) struct Game {
    testbed: Testbed,
    share: Share,
}

/// Why a game cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum PlayError {
    #[error("one to {most} agents play at a time, not {0}", most = limits::CREW)]
    Crew(usize),
    #[error("a game needs a drawing with keys and doors; keep, dungeon, meadow and realm are such worlds")]
    NoLevel,
    #[error("a level here has at most {most} characters, monsters, keys and doors, not {0}", most = limits::ENTITIES)]
    Crowded(usize),
    #[error("this world is no level: {0}")]
    Level(ReadError),
    #[error("{algorithm}: {source}")]
    Agent { algorithm: String, source: FindError },
    #[error(transparent)]
    Setup(#[from] SetupError),
    #[error("no game is being played")]
    NoGame,
    #[error("this level has no player to steer")]
    NoPlayer,
    #[error("an agent leads at most {most} followers here, not {0}", most = limits::FOLLOWERS)]
    Followers(usize),
    #[error("{0:?} is none of {1}")]
    Word(String, String),
    #[error("a direction is a number from 0, up, clockwise to 7, not {0}")]
    NoHeading(usize),
    #[error(transparent)]
    Aside(#[from] AsideError),
    #[error(transparent)]
    Full(#[from] Full),
}

/// Returns the level that a world shows with these entities.
fn level(world: &AnySnapshot, entities: &[Entity]) -> Result<Level, PlayError> {
    let grid = world.square().filter(|_| !entities.is_empty()).ok_or(PlayError::NoLevel)?;
    if entities.len() > limits::ENTITIES {
        return Err(PlayError::Crowded(entities.len()));
    }
    let world = AsciiWorld { entities: entities.to_vec(), ..AsciiWorld::of((**grid).clone()) };
    Level::of(world).map_err(PlayError::Level)
}

/// Returns what a world that was opened says about a game on it, or `None` if nothing is drawn there but terrain.
pub(super) fn info(world: &AnySnapshot, entities: &[Entity]) -> Option<LevelInfo> {
    (!entities.is_empty()).then(|| LevelInfo { fault: level(world, entities).err().map(|error| error.to_string()) })
}

/// Returns entities as a list of numbers: column, row, and the character of the drawing.
pub(super) fn written(entities: &[Entity]) -> Vec<u16> {
    entities.iter().flat_map(|&Entity { at, kind }| [at.x, at.y, kind.letter() as u16]).collect()
}

/// Reads such a list, or returns `None` if it is not one for a world of this size: a cell has at most one entity.
pub(super) fn read_entities(numbers: &[u16], width: usize, height: usize) -> Option<Vec<Entity>> {
    let (threes, []) = numbers.as_chunks::<3>() else { return None };
    let entity = |&[x, y, letter]: &[u16; 3]| {
        let is_inside = usize::from(x) < width && usize::from(y) < height;
        let kind = EntityKind::of(char::from_u32(u32::from(letter))?)
            .filter(|kind| is_inside && !matches!(kind, EntityKind::Wall(_)))?;
        Some(Entity { at: Cell::new(x, y), kind })
    };
    let entities =
        (threes.len() <= width * height).then(|| threes.iter().map(entity).collect::<Option<Vec<_>>>())??;
    // The order is that of a drawing, row by row.
    let is_sorted = entities.is_sorted_by(|one, next| (one.at.y, one.at.x) < (next.at.y, next.at.x));
    is_sorted.then_some(entities)
}

/// Returns the value that a word stands for.
fn named<T: Copy>(word: &str, all: &[(&str, T)]) -> Result<T, PlayError> {
    let found = all.iter().find(|(name, _)| *name == word).map(|&(_, value)| value);
    let names = || all.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
    found.ok_or_else(|| PlayError::Word(word.to_owned(), names()))
}

/// Returns an algorithm with its settings as text.
fn text(Entrant { algorithm, settings }: &Entrant) -> String {
    let words = settings.iter().map(|(name, value)| format!(" {name}={value}"));
    algorithm.clone() + &words.collect::<String>()
}

/// Returns an estimate of the bytes that a game takes. A planner is built for each algorithm and each number of keys
/// that agents can hold.
fn needs(asked: &Play, world: &AnySnapshot, entities: &[Entity]) -> Result<usize, PlayError> {
    let cells = budget::cells(world);
    let is_key = |entity: &&Entity| matches!(entity.kind, EntityKind::Key(_));
    let views = 1 + entities.iter().filter(is_key).count().min(3);
    let mut planners = 0;
    for agent in &asked.agents {
        let named = |source| PlayError::Agent { algorithm: agent.algorithm.clone(), source };
        let meant = meant(agent, world).map_err(named)?;
        planners += budget::building(meant.algorithm, &meant.settings, cells);
    }
    let searches = asked.agents.len() * (budget::searching(world) + size_of::<Cell>() * cells);
    Ok(views * (budget::world(world) + planners) + searches + (GROUND + CHECKING) * cells + MONSTER * entities.len())
}

impl Game {
    pub(super) fn begin(
        asked: &Play,
        world: &AnySnapshot,
        entities: &[Entity],
        leash: &Leash,
    ) -> Result<Game, PlayError> {
        if !(1..=limits::CREW).contains(&asked.agents.len()) {
            return Err(PlayError::Crew(asked.agents.len()));
        }
        if asked.followers > limits::FOLLOWERS {
            return Err(PlayError::Followers(asked.followers));
        }
        let formation = named(&asked.formation, &Formation::NAMED)?;
        let obstructed = named(&asked.obstructed, &Obstructed::NAMED)?;
        let share = leash.reserve(needs(asked, world, entities)?)?;
        let mut level = level(world, entities)?;
        // Edits may have walled monsters in.
        level.monsters.retain(|&(at, _)| asked.monsters && level.grid.is_free(at));
        let agents: Vec<String> = asked.agents.iter().map(text).collect();
        let options = Options {
            seed: asked.seed,
            traps: Traps::new(asked.traps, asked.every),
            vulnerable: asked.catching,
            influence: if asked.influence { INFLUENCE } else { Influence::default() },
            followers: Followers { count: asked.followers, formation },
            obstructed,
            ..Options::default()
        };
        // The share moves into the thread, because a game whose command was cancelled takes memory too.
        let build = move || {
            let mut testbed = Testbed::new(level, &agents, options)?;
            testbed.keep_searched(true);
            Ok::<_, SetupError>((testbed, share))
        };
        let (testbed, share) = aside(leash, build)??;
        Ok(Game { testbed, share })
    }

    /// Counts the memory that the game takes now.
    pub(super) fn settle(&mut self) {
        let grid = &self.testbed.level().grid;
        self.share.settle(
            self.testbed.bytes() + GROUND * grid.width() * grid.height() + MONSTER * self.testbed.monsters().len(),
        );
    }

    /// Plays so many ticks, or fewer if the game ends, the command is cancelled or its time is over.
    pub(super) fn tick(&mut self, count: u32, leash: &Leash) {
        let begun = Instant::now();
        for _ in 0..count.min(limits::TICKS) {
            if self.testbed.is_over() || leash.is_cut() || begun.elapsed() > limits::SEARCH {
                break;
            }
            self.testbed.tick();
        }
    }

    /// Moves the player one step. Returns whether the step was legal.
    pub(super) fn steer(&mut self, heading: usize) -> Result<bool, PlayError> {
        self.testbed.player().ok_or(PlayError::NoPlayer)?;
        let heading = Heading::ALL.get(heading).ok_or(PlayError::NoHeading(heading))?;
        Ok(self.testbed.steer(*heading))
    }

    /// Returns how the game stands, with the cells that the latest search of the agent `searched` has expanded; `moved` tells
    /// whether the player has just been steered.
    pub(super) fn told(&self, moved: bool, searched: Option<usize>) -> Reply {
        let game = &self.testbed;
        let mut parts = Parts::default();
        let traps: Vec<_> = game.traps().iter().map(|trap| trap.at).collect();
        parts.push("traps", listed(&traps));
        let routes = game.agents().iter().map(|agent| listed(agent.route()));
        push_lists(&mut parts, ["routes", "route-ends"], routes);
        let searched = searched.and_then(|agent| game.agents().get(agent));
        parts.push("searched", listed(searched.map_or(&[], |agent| agent.searched())));
        let followers = game.agents().iter().map(|agent| {
            let cells: Vec<Cell> = agent.followers().iter().map(Follower::at).collect();
            listed(&cells)
        });
        push_lists(&mut parts, ["followers", "follower-ends"], followers);
        let sights = game.monsters().iter().map(|monster| listed(monster.seen()));
        push_lists(&mut parts, ["sights", "sight-ends"], sights);
        parts.push("heat", self.heat());
        let played = Played {
            tick: game.tick_count(),
            done: game.is_over(),
            moved,
            agents: (0..game.agents().len()).map(|index| self.agent(index)).collect(),
            monsters: game.monsters().iter().map(monster).collect(),
            player: game.player().map(player),
            pairs: game.level().pairs.iter().map(pair).collect(),
            bytes: game.bytes(),
        };
        Reply { answer: Answer::Played(Box::new(played)), parts }
    }

    fn agent(&self, index: usize) -> Agent {
        let agent = &self.testbed.agents()[index];
        Agent {
            name: agent.name().to_owned(),
            at: spot(agent.at()),
            state: agent.state().name(),
            goal: agent.goal_index(),
            keys: agent.keys(),
            goals: self.testbed.work(index).iter().map(effort).collect(),
        }
    }

    /// Returns column, row and influence of every free cell that has any.
    fn heat(&self) -> Vec<u16> {
        if !self.testbed.options().influence.is_on() {
            return vec![];
        }
        let (grid, width) = (&self.testbed.level().grid, self.testbed.level().grid.width());
        let layers = [Layer::Threat, Layer::Weather, Layer::Congestion].map(|layer| self.testbed.influence(layer));
        let sums =
            (0..layers[0].len()).map(|index| layers.iter().fold(0_u16, |sum, layer| sum.saturating_add(layer[index])));
        let warm = sums.enumerate().filter(|&(_, sum)| sum > 0);
        let spots = warm.map(|(index, sum)| (Cell::new((index % width) as u16, (index / width) as u16), sum));
        spots.filter(|&(at, _)| grid.is_free(at)).flat_map(|(at, sum)| [at.x, at.y, sum]).collect()
    }
}

/// Adds several lists of numbers as one, and the position after each.
fn push_lists(parts: &mut Parts, [name, ends]: [&str; 2], lists: impl Iterator<Item = Vec<u16>>) {
    let (mut all, mut after) = (Vec::new(), Vec::new());
    for list in lists {
        all.extend(list);
        after.push(all.len() as u32);
    }
    parts.push(name, all);
    parts.push(ends, after);
}

fn effort(work: &GoalWork) -> Effort {
    Effort {
        inserts: work.inserts,
        removes: work.removes,
        expanded: work.expanded,
        searches: work.searches,
        steps: work.steps,
        cost: work.cost,
        ticks: work.ticks,
        caught: work.caught,
        us: micros(work.time),
    }
}

fn monster(monster: &portolan_sim::testbed::Monster) -> Monster {
    let facing = monster.heading().step();
    Monster {
        at: spot(monster.at()),
        letter: monster.letter(),
        facing: [facing.0, facing.1],
        mood: monster.mood().name(),
    }
}

fn player(player: &portolan_sim::testbed::Player) -> Player {
    Player {
        at: spot(player.at()),
        keys: player.keys(),
        opened: player.opened(),
        steps: player.steps(),
        caught: player.times_caught(),
    }
}

fn pair(pair: &portolan_formats::Pair) -> Pair {
    Pair { letter: pair.letter, key: spot(pair.key), door: spot(pair.door) }
}
