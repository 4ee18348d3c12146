//! The open world of a page, and everything that is kept for it: [`Table`].
//!
//! Not here: which command asks for what, and opening worlds.

use super::chart::corners;
use super::edits::{are_between, check_edits, covered, tell_between, written};
use super::finding::Finder;
use super::history::{History, inverse};
use super::leash::Leash;
use super::minds::{CellMinds, MindError};
use super::playing::{Game, PlayError};
use super::seen::{self, Seen};
use super::told::least;
use super::walking::{Ground, Walk};
use super::{Refusal, micros};
use crate::answer::{self, Answer, Reply};
use crate::atlas::Opened;
use crate::budget::{self, Share};
use crate::command::{self, Place, SaveAs, WorldRef};
use crate::frame::Parts;
use crate::game::Play;
use crate::limits;
use portolan::any::{AnyScratch, AnySnapshot, AnyWorld};
use portolan::{Area, Edit, Floors, KindNames};
use portolan_formats::ascii::Entity;
use portolan_formats::case::{Case, CaseWorld};
use portolan_formats::{Kind, NamedWorld, write_named_bytes};
use portolan_sim::Behaviour;
use std::time::Instant;

/// The open world, and everything that the session keeps for it.
pub(super) struct Table {
    pub(super) world: AnyWorld,
    pub(super) name: String,
    reference: WorldRef,
    /// The case that the world came with, and what it says about its agent.
    case: Option<(Case, Behaviour)>,
    /// Whether the world is as it was opened, with no edit since.
    pristine: bool,
    pub(super) history: History,
    pub(super) finder: Finder,
    pub(super) walk: Option<Walk>,
    /// The names of kinds of ground, and how floors lie on the grid.
    names: (KindNames, Option<Floors>),
    /// The world as an agent of a profile sees it, if the page asked for that: routes and fields are found there.
    seen: Option<Seen>,
    /// What is drawn in the world besides terrain.
    entities: Vec<Entity>,
    /// A game, which has a copy of the world as it was when the game began.
    pub(super) game: Option<Game>,
    /// Minds under way, which follow edits of the world.
    minds: Option<CellMinds>,
    /// The memory of all this except for planners, walks and games, which have shares of their own.
    share: Share,
}

/// Where an edit comes from: a page, with the number of its stroke; the case that is played; or the history.
#[derive(Copy, Clone)]
pub(super) enum Origin {
    Page(u64),
    Case,
    History,
}

impl Table {
    /// Lays a world out that was just opened; `share` is the memory that was reserved to open it.
    pub(super) fn new(opened: Opened, share: Share) -> Table {
        let Opened { name, reference, world, case, entities, kinds, floors, .. } = opened;
        let (history, finder, names) = (History::default(), Finder::default(), (kinds, floors));
        let (walk, game, minds, seen, pristine) = (None, None, None, None, true);
        Table {
            world,
            name,
            reference,
            case,
            pristine,
            history,
            finder,
            walk,
            names,
            seen,
            entities,
            game,
            minds,
            share,
        }
    }

    /// Returns the world in which routes are found.
    pub(super) fn shown(&self) -> AnySnapshot {
        self.seen.as_ref().map_or_else(|| self.world.snapshot(), |seen| seen.world.clone())
    }

    /// Shows the world as an agent of a profile sees it from now on.
    pub(super) fn look(&mut self, profile: &str, leash: &Leash) -> Result<Reply, Refusal> {
        self.seen = Seen::new(profile, &self.names.0, &self.world.snapshot(), leash)?;
        let (mut parts, free) = (Parts::default(), self.shown().free_cells());
        self.tell_seen(&mut parts);
        Ok(Reply { answer: Answer::Looked { free }, parts })
    }

    /// Adds what the agent of a profile sees to the arrays of an answer: its weights, an empty list for the plain agent.
    fn tell_seen(&self, parts: &mut Parts) {
        parts.push("seen", self.seen.as_ref().map_or_else(Vec::new, |seen| seen.world.to_weights()));
    }

    /// Tells how large a body fits in each cell.
    pub(super) fn clearance(&self, leash: &Leash) -> Result<Reply, Refusal> {
        seen::clearance(&self.world.snapshot(), self.seen.as_ref(), leash)
    }

    /// Applies edits to the world and repeats the search of the latest `find`.
    pub(super) fn edit(
        &mut self,
        edits: &[Edit],
        origin: Origin,
        scratch: &mut AnyScratch,
        leash: &Leash,
    ) -> Result<Reply, Refusal> {
        let Applied { apply_us, repair } = self.apply(edits, origin, leash)?;
        let mut parts = Parts::default();
        parts.push("patch", written(edits));
        let (repair, areas) = repair.map_or((None, vec![]), |(repair, areas)| (Some(repair), areas));
        parts.push("areas", areas.into_iter().flat_map(corners).collect::<Vec<u16>>());
        let (world, shown) = (self.world.snapshot(), self.shown());
        if are_between(edits) {
            tell_between(&world, &mut parts);
        }
        if self.seen.is_some() {
            self.tell_seen(&mut parts);
        }
        let found = self.finder.again(&shown, scratch, leash, &mut parts);
        let (undo, redo) = self.history.len();
        let (least, free) = (least(&world), world.free_cells());
        let answer = answer::Edited { undo, redo, least, free, apply_us, repair, found };
        Ok(Reply { answer: Answer::Edited(Box::new(answer)), parts })
    }

    /// Applies edits to the world, and brings everything that was derived from it up to date.
    fn apply(&mut self, edits: &[Edit], origin: Origin, leash: &Leash) -> Result<Applied, Refusal> {
        let before = self.world.snapshot();
        check_edits(&before, edits)?;
        // Undoing takes one edit for each cell at worst, which is made first and then copied into the history. For
        // edits of the history itself, the memory was set aside before.
        let kept = if matches!(origin, Origin::History) { 0 } else { 2 * size_of::<Edit>() * covered(edits) };
        let _room = leash.reserve(kept)?;
        let back = (!matches!(origin, Origin::History)).then(|| inverse(&before, edits));
        // While a snapshot is held, edits go to a copy of the world.
        drop(before);
        let start = Instant::now();
        self.world.apply(edits)?;
        let apply_us = micros(start.elapsed());
        self.pristine &= edits.is_empty();
        if let Some(back) = back {
            let stroke = if let Origin::Page(stroke) = origin { Some(stroke) } else { None };
            self.history.push(stroke, edits, back);
        }
        if let Some(walk) = &mut self.walk {
            walk.edit(edits)?;
        }
        let world = self.world.snapshot();
        self.minds = self.minds.take().and_then(|mut minds| minds.follow(&world, edits).then_some(minds));
        if let Some(seen) = &mut self.seen {
            seen.follow(&world)?;
        }
        Ok(Applied { apply_us, repair: self.finder.follow(&self.shown(), edits, leash) })
    }

    /// Starts a walk.
    pub(super) fn set_out(&mut self, asked: command::Walk, leash: &Leash) -> Result<Reply, Refusal> {
        // The walk before is ended first, because its planners take memory.
        self.end();
        let case = self.case.as_ref().filter(|_| asked.case);
        self.walk = Some(Walk::begin(asked, &self.world.snapshot(), self.ground(), case, leash)?);
        self.news(vec![])
    }

    /// Returns the world as a case can hold it: by its name or recipe, or else by its weights.
    fn ground(&self) -> Ground {
        let world = self.world.snapshot();
        let known = match (&self.reference, &self.case) {
            (_, Some((case, _))) => Some(case.world.clone()),
            (WorldRef::Builtin { name }, _) => Some(CaseWorld::Named(name.clone())),
            (WorldRef::Made { recipe, width, height, seed, settings, .. }, _) => Some(CaseWorld::Made {
                recipe: recipe.clone(),
                width: *width,
                height: *height,
                seed: *seed,
                settings: settings.clone().into_iter().collect(),
            }),
            _ => None,
        };
        known.filter(|_| self.pristine).map_or_else(|| Ground::Edited(world), Ground::Known)
    }

    /// Lets all agents take so many steps, with the edits of the case in between.
    pub(super) fn tick(&mut self, count: u32, leash: &Leash) -> Result<Reply, Refusal> {
        let (mut patch, mut is_between) = (Vec::new(), false);
        for _ in 0..count.min(limits::TICKS) {
            let walk = self.walk.as_mut().ok_or(Refusal::NoWalk)?;
            if walk.is_over() || leash.is_cut() {
                break;
            }
            let due = walk.due();
            if !due.is_empty() {
                self.apply(&due, Origin::Case, leash)?;
                patch.extend(written(&due));
                is_between |= are_between(&due);
            }
            let walk = self.walk.as_mut().ok_or(Refusal::NoWalk)?;
            walk.did(due.len());
            walk.step();
        }
        let mut reply = self.news(patch)?;
        if is_between {
            tell_between(&self.world.snapshot(), &mut reply.parts);
        }
        Ok(reply)
    }

    /// Begins a game on the world as it is now.
    pub(super) fn play(&mut self, asked: &Play, leash: &Leash) -> Result<Reply, Refusal> {
        self.end();
        let game = Game::begin(asked, &self.world.snapshot(), &self.entities, leash)?;
        Ok(self.game.insert(game).told(false, None))
    }

    /// Lets so many ticks of the game pass.
    pub(super) fn turn(&mut self, count: u32, searched: Option<usize>, leash: &Leash) -> Result<Reply, Refusal> {
        let game = self.game.as_mut().ok_or(PlayError::NoGame)?;
        game.tick(count, leash);
        Ok(game.told(false, searched))
    }

    /// Moves the player of the game one step.
    pub(super) fn steer(&mut self, heading: usize, searched: Option<usize>) -> Result<Reply, Refusal> {
        let game = self.game.as_mut().ok_or(PlayError::NoGame)?;
        let moved = game.steer(heading)?;
        Ok(game.told(moved, searched))
    }

    /// Ends a walk, a game, or the way of minds.
    pub(super) fn end(&mut self) {
        (self.walk, self.game, self.minds) = (None, None, None);
    }

    /// Sends minds off.
    pub(super) fn send_minds(&mut self, asked: &command::Minds, leash: &Leash) -> Result<Reply, Refusal> {
        self.end();
        self.minds = Some(CellMinds::begin(asked, &self.world.snapshot(), leash)?);
        self.think(0, leash)
    }

    /// Lets so many ticks of the minds pass.
    pub(super) fn think(&mut self, count: u32, leash: &Leash) -> Result<Reply, Refusal> {
        let minds = self.minds.as_mut().ok_or(MindError::None)?;
        Ok(minds.go_on(&self.world.snapshot(), count, leash)?)
    }

    /// Gives all agents or minds another goal.
    pub(super) fn aim(&mut self, to: Place, leash: &Leash) -> Result<Reply, Refusal> {
        if let Some(minds) = &mut self.minds {
            minds.aim(&self.world.snapshot(), to)?;
            return self.think(0, leash);
        }
        self.walk.as_mut().ok_or(Refusal::NoWalk)?.aim(to.cell()?)?;
        self.news(vec![])
    }

    /// Returns what happened in the walk since the last answer about it.
    fn news(&mut self, patch: Vec<u16>) -> Result<Reply, Refusal> {
        let walk = self.walk.as_mut().ok_or(Refusal::NoWalk)?;
        let mut parts = Parts::default();
        parts.push("patch", patch);
        let panes = walk.news(&mut parts);
        let (undo, redo) = self.history.len();
        Ok(Reply { answer: Answer::Ticked { tick: walk.tick_count(), done: walk.is_over(), panes, undo, redo }, parts })
    }

    /// Counts the memory that all this takes now.
    pub(super) fn settle(&mut self, scratch: usize) {
        let entities = self.entities.capacity() * size_of::<Entity>();
        let kept = self.history.bytes() + self.finder.bytes() + scratch + entities;
        let seen = self.seen.as_ref().map_or(0, |seen| seen.world.bytes());
        self.share.settle(budget::world(&self.world.snapshot()) + kept + seen);
        if let Some(walk) = &mut self.walk {
            walk.settle();
        }
        if let Some(game) = &mut self.game {
            game.settle();
        }
        if let Some(minds) = &mut self.minds {
            minds.settle();
        }
    }

    pub(super) fn record(&self, about: &str, leash: &Leash) -> Result<Reply, Refusal> {
        leash.set_aside(budget::opening(budget::cells(&self.world.snapshot())))?;
        let text = self.walk.as_ref().ok_or(Refusal::NoWalk)?.record(about)?;
        Ok(file(format!("{}.case", file_stem(&self.name)), text.into_bytes()))
    }

    pub(super) fn save(&self, kind: SaveAs, leash: &Leash) -> Result<Reply, Refusal> {
        leash.set_aside(budget::opening(budget::cells(&self.world.snapshot())))?;
        let (kind, ending) = match kind {
            SaveAs::Map => (Kind::Map, "map"),
            SaveAs::Png => (Kind::Png, "png"),
            SaveAs::Txt => (Kind::Ascii, "txt"),
            SaveAs::Hex => (Kind::Hex, "hex"),
            SaveAs::Mesh => return Err(Refusal::OnCells),
        };
        let (kinds, floors) = self.names.clone();
        let bytes = write_named_bytes(kind, &NamedWorld { world: self.world.snapshot(), kinds, floors })?;
        Ok(file(format!("{}.{ending}", file_stem(&self.name)), bytes))
    }
}

/// The time that an edit took, and the repair that followed it.
struct Applied {
    apply_us: f64,
    repair: Option<(answer::Repair, Vec<Area>)>,
}

pub(super) fn file(name: String, bytes: Vec<u8>) -> Reply {
    let mut parts = Parts::default();
    parts.push("bytes", bytes);
    Reply { answer: Answer::File { name }, parts }
}

/// Returns a name for a file: the name of the world without folders and ending, with a dash in place of every character
/// that a file system might refuse.
pub(super) fn file_stem(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = match last.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => last,
    };
    let plain = |letter: char| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '-' };
    stem.chars().map(plain).collect()
}
