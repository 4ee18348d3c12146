//! What one page has open, and how its commands are carried out one by one: [`Session`]. Each part that keeps a state
//! of its own is a file in `session/`.
//!
//! Not here: sockets and threads, and races and studies, which run beside a session (`lab.rs`).

mod chart;
mod edits;
pub(crate) mod finding;
mod history;
pub(crate) mod leash;
mod referee;
mod tape;
mod walking;

use crate::answer::{self, Answer, Reply, Word};
use crate::atlas::{Atlas, OpenError, Opened};
use crate::budget::{self, Full, Share};
use crate::command::{self, Command, Entrant, Pairs, Request, SaveAs, Spot, Ways, WorldRef, cell, spot};
use crate::frame::{Numbers, Parts};
use crate::lab::Here;
use crate::limits;
use chart::{ChartError, corners};
use edits::{check_edits, covered, read_edits, written};
use finding::{FindError, Finder};
use history::{History, inverse};
use leash::Leash;
use portolan::any::AnySnapshot;
use portolan::{ALGORITHMS, AUTO, Area, Edit, EditError, Scratch, Snapshot, SquareGrid, World};
use portolan_formats::case::{Case, CaseWorld};
use portolan_formats::{Kind, WriteError, write_world_bytes};
use portolan_sim::{Behaviour, OffMap};
use std::sync::Arc;
use std::time::{Duration, Instant};
use walking::{Ground, RecordError, Walk, WalkError};

/// The state of one page.
pub(crate) struct Session {
    atlas: Arc<Atlas>,
    table: Option<Table>,
    scratch: Scratch,
}

/// The open world, and everything that the session keeps for it.
struct Table {
    world: World,
    name: String,
    reference: WorldRef,
    /// The case that the world came with, and what it says about its agent.
    case: Option<(Case, Behaviour)>,
    /// Whether the world is as it was opened, with no edit since.
    pristine: bool,
    history: History,
    finder: Finder,
    walk: Option<Walk>,
    /// The memory of all this except for planners and walks, which have shares of their own.
    share: Share,
}

/// Why a command was not carried out.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("no world is open yet")]
    NoWorld,
    #[error("this command needs a part {name:?} of kind {kind}")]
    NoPart { name: &'static str, kind: &'static str },
    #[error("nothing is left to {0}")]
    NothingLeft(&'static str),
    #[error("an edit is five numbers: x, y, width, height and a weight up to 255")]
    NoEdit,
    #[error("one command brings at most {} edits of {} cells in all", limits::EDITS, limits::EDITED_CELLS)]
    TooMuch,
    #[error("nobody is on the way")]
    NoWalk,
    #[error("this command is carried out elsewhere")]
    Elsewhere,
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error(transparent)]
    Find(#[from] FindError),
    #[error(transparent)]
    Chart(#[from] ChartError),
    #[error(transparent)]
    Walk(#[from] WalkError),
    #[error(transparent)]
    Goal(#[from] OffMap),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Write(#[from] WriteError),
    #[error(transparent)]
    Full(#[from] Full),
}

impl Session {
    pub(crate) fn new(atlas: Arc<Atlas>) -> Session {
        Session { atlas, table: None, scratch: Scratch::new() }
    }

    /// Carries out a command. If that is not possible, the answer says why.
    pub(crate) fn handle(&mut self, request: Request, leash: &Leash) -> Reply {
        let done = self.carry_out(request.command, request.parts, leash);
        if let Some(table) = &mut self.table {
            table.settle(self.scratch.bytes());
        }
        done.unwrap_or_else(|refusal| Reply::fault(&refusal))
    }

    fn carry_out(&mut self, command: Command, mut parts: Parts, leash: &Leash) -> Result<Reply, Refusal> {
        match command {
            Command::Open { .. } | Command::Upload { .. } | Command::Restore { .. } => {
                let (opened, share) = self.opened(command, parts, leash)?;
                Ok(self.lay_out(opened, share))
            }
            Command::Edit { stroke } => {
                let Some(Numbers::U16(numbers)) = parts.take("edits") else {
                    return Err(Refusal::NoPart { name: "edits", kind: "u16" });
                };
                let edits = read_edits(&numbers)?;
                let table = self.table.as_mut().ok_or(Refusal::NoWorld)?;
                table.edit(&edits, Origin::Page(stroke), &mut self.scratch, leash)
            }
            Command::Undo => {
                let table = self.table.as_mut().ok_or(Refusal::NoWorld)?;
                leash.set_aside(table.history.bytes())?;
                let edits = table.history.undo().ok_or(Refusal::NothingLeft("undo"))?;
                table.edit(&edits, Origin::History, &mut self.scratch, leash)
            }
            Command::Redo => {
                let table = self.table.as_mut().ok_or(Refusal::NoWorld)?;
                leash.set_aside(table.history.bytes())?;
                let edits = table.history.redo().ok_or(Refusal::NothingLeft("redo"))?;
                table.edit(&edits, Origin::History, &mut self.scratch, leash)
            }
            Command::Find(find) => {
                let table = self.table.as_mut().ok_or(Refusal::NoWorld)?;
                let (finding, parts) = table.finder.ask(&find, &table.world, &mut self.scratch, leash)?;
                Ok(Reply { answer: Answer::Found(Box::new(finding)), parts })
            }
            Command::Rest => {
                if let Some(table) = &mut self.table {
                    table.finder.rest();
                }
                Ok(Reply::alone(Answer::Rested))
            }
            Command::Outline => {
                let table = self.table.as_ref().ok_or(Refusal::NoWorld)?;
                Ok(chart::outline(&table.finder, &table.world, leash)?)
            }
            Command::Legs => {
                let table = self.table.as_ref().ok_or(Refusal::NoWorld)?;
                Ok(chart::legs(&table.finder, &table.world, &mut self.scratch, leash)?)
            }
            Command::Tree { port } => {
                let table = self.table.as_ref().ok_or(Refusal::NoWorld)?;
                Ok(chart::tree(&table.finder, &table.world, port)?)
            }
            Command::Save { kind } => self.table.as_ref().ok_or(Refusal::NoWorld)?.save(kind, leash),
            Command::Sim(asked) => self.table.as_mut().ok_or(Refusal::NoWorld)?.set_out(asked, leash),
            Command::Tick { count } => self.table.as_mut().ok_or(Refusal::NoWorld)?.tick(count, leash),
            Command::Aim { to } => self.table.as_mut().ok_or(Refusal::NoWorld)?.aim(to),
            Command::End => {
                if let Some(table) = &mut self.table {
                    table.walk = None;
                }
                Ok(Reply::alone(Answer::Ended))
            }
            Command::Record { about } => self.table.as_ref().ok_or(Refusal::NoWorld)?.record(&about, leash),
            Command::Race(_) | Command::Study(_) | Command::Cancel { .. } => Err(Refusal::Elsewhere),
        }
    }

    /// Opens the world that a command names or brings, and returns it with the memory that was reserved to open it.
    fn opened(&self, command: Command, mut parts: Parts, leash: &Leash) -> Result<(Opened, Share), Refusal> {
        match command {
            Command::Open { world, step } => {
                let share = leash.reserve(budget::opening(self.atlas.cells(&world)))?;
                let opened = self.atlas.open(world, step.rules())?;
                Ok((opened, share))
            }
            Command::Upload { name, step } => {
                let Some(Numbers::U8(bytes)) = parts.take("bytes") else {
                    return Err(Refusal::NoPart { name: "bytes", kind: "u8" });
                };
                let share = leash.reserve(budget::opening(Atlas::cells_in(&name, &bytes)))?;
                let opened = Atlas::read(&name, &bytes, step.rules())?;
                Ok((opened, share))
            }
            Command::Restore { name, width, height, step } => {
                let Some(Numbers::U8(weights)) = parts.take("weights") else {
                    return Err(Refusal::NoPart { name: "weights", kind: "u8" });
                };
                let share = leash.reserve(budget::opening(weights.len()))?;
                let opened = Atlas::restore(&name, (width, height), &weights, step.rules())?;
                Ok((opened, share))
            }
            _ => Err(Refusal::Elsewhere),
        }
    }

    /// Returns the open world, for a race.
    pub(crate) fn here(&self) -> Option<Here> {
        let table = self.table.as_ref()?;
        Some(Here { name: table.name.clone(), world: table.world.snapshot() })
    }

    /// Replaces the open world by this one and returns the answer that describes it; `share` is the memory that was
    /// reserved to open it.
    fn lay_out(&mut self, opened: Opened, share: Share) -> Reply {
        let Opened { name, reference, grid, ends, case } = opened;
        let world = World::from(grid);
        let metric = world.metric();
        let answer = answer::World {
            name: name.clone(),
            reference: reference.clone(),
            width: world.width(),
            height: world.height(),
            corners: world.rules().corners.into(),
            directions: Ways(world.rules().directions),
            straight: metric.straight(),
            diagonal: metric.diagonal(),
            least: least(&world),
            free: world.free_cells(),
            bytes: world.bytes(),
            from: spot(ends.0),
            to: spot(ends.1),
            promises: ALGORITHMS.iter().map(|algorithm| (algorithm.name, promise(algorithm, &world))).collect(),
            case: case.as_ref().map(|(case, behaviour)| case_info(&name, case, *behaviour)),
        };
        let mut answer = Box::new(answer);
        let chosen = finding::choice(&world).algorithm;
        answer.promises.insert(AUTO, promise(chosen, &world));
        let mut parts = Parts::default();
        parts.push("weights", world.to_weights());
        let (history, finder) = (History::default(), Finder::default());
        // The scratch memory for the world before may be much larger than this world needs.
        self.scratch = Scratch::new();
        self.table = Some(Table { world, name, reference, case, pristine: true, history, finder, walk: None, share });
        Reply { answer: Answer::World(answer), parts }
    }
}

fn case_info(name: &str, case: &Case, behaviour: Behaviour) -> answer::CaseInfo {
    let entrant = |(algorithm, settings): &(String, Vec<(String, String)>)| Entrant {
        algorithm: algorithm.clone(),
        settings: settings.iter().cloned().collect(),
    };
    answer::CaseInfo {
        name: name.to_owned(),
        about: case.about.clone(),
        replan: behaviour.replan.into(),
        ticks: case.ticks,
        with: case.with.as_ref().map(entrant),
        edits: case.edits.len(),
        last: case.edits.iter().map(|&(tick, _)| tick).max().unwrap_or(0),
    }
}

fn promise(algorithm: &portolan::Algorithm, world: &Snapshot) -> Word {
    match (algorithm.suits(world), algorithm.settings::<&str, &str>(&[])) {
        (Ok(()), Ok(defaults)) => Word::Promise(algorithm.promise(world, &defaults).to_string()),
        (Err(unsuited), _) => Word::Needs(unsuited.needs.to_owned()),
        (_, Err(error)) => Word::Needs(error.to_string()),
    }
}

/// Returns the least weight of a free cell, or 1 if no cell is free.
fn least(grid: &SquareGrid) -> u8 {
    let weights = grid.cells_by_weight();
    (1..=u8::MAX).find(|&weight| weights[usize::from(weight)] > 0).unwrap_or(1)
}

/// Where an edit comes from: a page, with the number of its stroke; the case that is played; or the history.
#[derive(Copy, Clone)]
enum Origin {
    Page(u64),
    Case,
    History,
}

impl Table {
    /// Applies edits to the world and repeats the search of the latest `find`.
    fn edit(&mut self, edits: &[Edit], origin: Origin, scratch: &mut Scratch, leash: &Leash) -> Result<Reply, Refusal> {
        let Applied { apply_us, repair } = self.apply(edits, origin, leash)?;
        let mut parts = Parts::default();
        parts.push("patch", written(edits));
        let (repair, areas) = repair.map_or((None, vec![]), |(repair, areas)| (Some(repair), areas));
        parts.push("areas", areas.into_iter().flat_map(corners).collect::<Vec<u16>>());
        let found = self.finder.again(&self.world, scratch, leash, &mut parts);
        let (undo, redo) = self.history.len();
        let (least, free) = (least(&self.world), self.world.free_cells());
        let answer = answer::Edited { undo, redo, least, free, apply_us, repair, found };
        Ok(Reply { answer: Answer::Edited(Box::new(answer)), parts })
    }

    /// Applies edits to the world, and brings everything that was derived from it up to date.
    fn apply(&mut self, edits: &[Edit], origin: Origin, leash: &Leash) -> Result<Applied, Refusal> {
        check_edits(&self.world, edits)?;
        // Undoing takes one edit for each cell at worst, which is made first and then copied into the history. For
        // edits of the history itself, the memory was set aside before.
        let kept = if matches!(origin, Origin::History) { 0 } else { 2 * size_of::<Edit>() * covered(edits) };
        let _room = leash.reserve(kept)?;
        let back = (!matches!(origin, Origin::History)).then(|| inverse(&self.world, edits));
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
        Ok(Applied { apply_us, repair: self.finder.follow(&self.world, edits, leash) })
    }

    /// Starts a walk.
    fn set_out(&mut self, asked: command::Walk, leash: &Leash) -> Result<Reply, Refusal> {
        // The walk before is ended first, because its planners take memory.
        self.walk = None;
        let case = self.case.as_ref().filter(|_| asked.case);
        self.walk = Some(Walk::begin(asked, &self.world, self.ground(), case, leash)?);
        self.news(vec![])
    }

    /// Returns the world as a case can hold it: by its name or recipe, or else by its weights.
    fn ground(&self) -> Ground {
        let known = match (&self.reference, &self.case) {
            (_, Some((case, _))) => Some(case.world.clone()),
            (WorldRef::Builtin { name }, _) => Some(CaseWorld::Named(name.clone())),
            (WorldRef::Made { recipe, width, height, seed, settings }, _) => Some(CaseWorld::Made {
                recipe: recipe.clone(),
                width: *width,
                height: *height,
                seed: *seed,
                settings: settings.clone().into_iter().collect(),
            }),
            _ => None,
        };
        let edited = || Ground::Edited(self.world.width(), self.world.height(), self.world.to_weights());
        known.filter(|_| self.pristine).map_or_else(edited, Ground::Known)
    }

    /// Lets all agents take so many steps, with the edits of the case in between.
    fn tick(&mut self, count: u32, leash: &Leash) -> Result<Reply, Refusal> {
        let mut patch = Vec::new();
        for _ in 0..count.min(limits::TICKS) {
            let walk = self.walk.as_mut().ok_or(Refusal::NoWalk)?;
            if walk.is_over() || leash.is_cut() {
                break;
            }
            let due = walk.due();
            if !due.is_empty() {
                self.apply(&due, Origin::Case, leash)?;
                patch.extend(written(&due));
            }
            let walk = self.walk.as_mut().ok_or(Refusal::NoWalk)?;
            walk.did(due.len());
            walk.step();
        }
        self.news(patch)
    }

    /// Gives all agents another goal.
    fn aim(&mut self, to: Spot) -> Result<Reply, Refusal> {
        self.walk.as_mut().ok_or(Refusal::NoWalk)?.aim(cell(to))?;
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
    fn settle(&mut self, scratch: usize) {
        let kept = self.history.bytes() + self.finder.bytes() + scratch;
        self.share.settle(budget::world(&self.world) + kept);
        if let Some(walk) = &mut self.walk {
            walk.settle();
        }
    }

    fn record(&self, about: &str, leash: &Leash) -> Result<Reply, Refusal> {
        leash.set_aside(budget::opening(budget::cells(&self.world)))?;
        let text = self.walk.as_ref().ok_or(Refusal::NoWalk)?.record(about)?;
        Ok(file(format!("{}.case", file_stem(&self.name)), text.into_bytes()))
    }

    fn save(&self, kind: SaveAs, leash: &Leash) -> Result<Reply, Refusal> {
        leash.set_aside(budget::opening(budget::cells(&self.world)))?;
        let (kind, ending) = match kind {
            SaveAs::Map => (Kind::Map, "map"),
            SaveAs::Png => (Kind::Png, "png"),
            SaveAs::Txt => (Kind::Ascii, "txt"),
        };
        let bytes = write_world_bytes(kind, &AnySnapshot::from(self.world.snapshot()))?;
        Ok(file(format!("{}.{ending}", file_stem(&self.name)), bytes))
    }
}

/// The time that an edit took, and the repair that followed it.
struct Applied {
    apply_us: f64,
    repair: Option<(answer::Repair, Vec<Area>)>,
}

fn file(name: String, bytes: Vec<u8>) -> Reply {
    let mut parts = Parts::default();
    parts.push("bytes", bytes);
    Reply { answer: Answer::File { name }, parts }
}

/// Returns a name for a file: the name of the world without folders and ending, with a dash in place of every character
/// that a file system might refuse.
fn file_stem(name: &str) -> String {
    let last = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = match last.rsplit_once('.') {
        Some((stem, _)) if !stem.is_empty() => stem,
        _ => last,
    };
    let plain = |letter: char| if letter.is_alphanumeric() || "-_.".contains(letter) { letter } else { '-' };
    stem.chars().map(plain).collect()
}

/// Returns cells as a list of numbers.
fn listed(cells: &[portolan::Cell]) -> Vec<u16> {
    cells.iter().flat_map(|cell| [cell.x, cell.y]).collect()
}

fn micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e3
}

/// Returns settings in the form that messages have.
fn pairs(settings: &portolan::Settings) -> Pairs {
    settings.iter().map(|(name, value)| (name.to_owned(), value.to_string())).collect()
}
