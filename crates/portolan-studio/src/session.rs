//! What one page has open, and how its commands are carried out one by one: [`Session`]. Each part that keeps a state
//! of its own is a file in `session/`.
//!
//! Not here: sockets and threads, and races and studies, which run beside a session (`lab.rs`).

mod chart;
mod edits;
pub(crate) mod finding;
mod history;
pub(crate) mod leash;
mod marching;
mod mesh;
mod minds;
mod playing;
mod referee;
mod seen;
mod table;
mod tape;
mod told;
mod walking;

use crate::answer::{Answer, Reply};
use crate::atlas::{self, Atlas, OpenError, Opened, OpenedMesh};
use crate::budget::{self, Full, Share};
use crate::command::{Command, Muster, Pairs, Refused, Request};
use crate::frame::{Numbers, Parts};
use crate::lab::Here;
use crate::limits;
use crate::perception::{self, PerceptionError};
use chart::ChartError;
use edits::{take_between, take_edits};
use finding::FindError;
use leash::Leash;
use marching::{March, MarchError};
use mesh::{MeshFindError, MeshTable};
use minds::MindError;
use playing::PlayError;
use portolan::any::{AnyScratch, AnySnapshot, AnyWorld};
use portolan::{EditError, HexGrid, MeshEditError, SquareGrid};
use portolan_formats::WriteError;
use portolan_sim::OffMap;
use seen::SeenError;
use std::sync::Arc;
use std::time::Duration;
use table::{Origin, Table};
use walking::{RecordError, WalkError};

/// The state of one page.
pub(crate) struct Session {
    atlas: Arc<Atlas>,
    /// The open world, if it is one of cells.
    table: Option<Table>,
    scratch: AnyScratch,
    /// The open world, if it is a mesh.
    mesh: Option<MeshTable>,
    /// A crowd, which walks in the world as it was when the crowd set off. It ends when the world is edited.
    march: Option<March>,
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
    #[error(
        "an edit is five numbers: x, y, width, height, and a weight up to 255 with 256 times the kind of free ground added"
    )]
    NoEdit,
    #[error("an edit of borders is six numbers: x, y, width, height, a side from 0 to 7 and a border from 0 to 3")]
    NoBorder,
    #[error("an edit of links is six numbers: x and y of both cells, a cost or 0, and whether it is both ways")]
    NoLink,
    #[error("a kind of ground is told for each cell, or for none")]
    NoKinds,
    #[error("one command brings at most {} edits of {} cells in all", limits::EDITS, limits::EDITED_CELLS)]
    TooMuch,
    #[error("an entity is three numbers: x and y in the world, and the character of the drawing")]
    NoEntity,
    #[error("nobody is on the way")]
    NoWalk,
    #[error("a mesh is open, and this is for worlds of squares and hexes")]
    OnMesh,
    #[error("a world of cells is open, and this is for meshes")]
    OnCells,
    #[error("no crowd is under way: the world was edited or another one opened")]
    NoCrowd,
    #[error("this command is carried out elsewhere")]
    Elsewhere,
    #[error(transparent)]
    Open(#[from] OpenError),
    #[error(transparent)]
    Edit(#[from] EditError),
    #[error(transparent)]
    Find(#[from] FindError),
    #[error(transparent)]
    MeshEdit(#[from] MeshEditError),
    #[error(transparent)]
    MeshFind(#[from] MeshFindError),
    #[error(transparent)]
    March(#[from] MarchError),
    #[error(transparent)]
    Mind(#[from] MindError),
    #[error(transparent)]
    Perception(#[from] PerceptionError),
    #[error(transparent)]
    Place(#[from] Refused),
    #[error(transparent)]
    Seen(#[from] SeenError),
    #[error(transparent)]
    Chart(#[from] ChartError),
    #[error(transparent)]
    Walk(#[from] WalkError),
    #[error(transparent)]
    Play(#[from] PlayError),
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
        Session { atlas, table: None, scratch: AnyScratch::new(), mesh: None, march: None }
    }

    /// Carries out a command. If that is not possible, the answer says why.
    pub(crate) fn handle(&mut self, request: Request, leash: &Leash) -> Reply {
        let done = self.carry_out(request.command, request.parts, leash);
        if let Some(table) = &mut self.table {
            table.settle(self.scratch.bytes());
        }
        if let Some(mesh) = &mut self.mesh {
            mesh.settle();
        }
        done.unwrap_or_else(|refusal| Reply::fault(&refusal))
    }

    fn carry_out(&mut self, command: Command, parts: Parts, leash: &Leash) -> Result<Reply, Refusal> {
        match &command {
            Command::Open { .. } | Command::Upload { .. } | Command::Restore { .. } => {
                return self.open(command, parts, leash);
            }
            Command::Muster(asked) => return self.muster(asked, leash),
            Command::March { count } => {
                return Ok(self.march.as_mut().ok_or(Refusal::NoCrowd)?.go_on(*count, leash));
            }
            Command::Trials(asked) => return Ok(perception::staged(*asked)?),
            Command::Judge(asked) => return Ok(perception::judged(asked, parts, leash)?),
            // A crowd does not know of edits, and walks and games come in place of it.
            Command::Edit { .. }
            | Command::Undo
            | Command::Redo
            | Command::Sim(_)
            | Command::Minds(_)
            | Command::Play(_)
            | Command::End => {
                self.march = None;
            }
            _ => {}
        }
        if let Some(mesh) = &mut self.mesh {
            return mesh.carry_out(command, parts, leash);
        }
        match command {
            Command::Edit { .. } | Command::Undo | Command::Redo => self.change(&command, parts, leash),
            Command::Outline | Command::Legs | Command::Tree { .. } => self.show(&command, leash),
            Command::Find(find) => {
                let (table, scratch) = self.at_table()?;
                let world = table.shown();
                let (finding, parts) = table.finder.ask(&find, &world, scratch, leash)?;
                Ok(Reply { answer: Answer::Found(Box::new(finding)), parts })
            }
            Command::Rest => {
                if let Some(table) = &mut self.table {
                    table.finder.rest();
                }
                Ok(Reply::alone(Answer::Rested))
            }
            Command::Look { profile } => self.at_table()?.0.look(&profile, leash),
            Command::Clearance => self.at_table()?.0.clearance(leash),
            Command::Field { to } => {
                let (table, scratch) = self.at_table()?;
                seen::field(&table.shown(), crate::command::cell(to), scratch, leash)
            }
            Command::Save { kind } => self.at_table()?.0.save(kind, leash),
            Command::Sim(asked) => self.at_table()?.0.set_out(asked, leash),
            Command::Minds(asked) => self.at_table()?.0.send_minds(&asked, leash),
            Command::Think { count } => self.at_table()?.0.think(count, leash),
            Command::Tick { count } => self.at_table()?.0.tick(count, leash),
            Command::Play(asked) => self.at_table()?.0.play(&asked, leash),
            Command::Turn { count, searched } => self.at_table()?.0.turn(count, searched, leash),
            Command::Steer { heading, searched } => self.at_table()?.0.steer(heading, searched),
            Command::Aim { to } => self.at_table()?.0.aim(to, leash),
            Command::End => {
                if let Some(table) = &mut self.table {
                    table.end();
                }
                Ok(Reply::alone(Answer::Ended))
            }
            Command::Record { about } => self.at_table()?.0.record(&about, leash),
            _ => Err(Refusal::Elsewhere),
        }
    }

    /// Opens a world in place of the one that is open.
    fn open(&mut self, command: Command, mut parts: Parts, leash: &Leash) -> Result<Reply, Refusal> {
        if let Some((opened, share)) = self.opened_mesh(&command, &mut parts, leash)? {
            let table = MeshTable::new(opened, share);
            let reply = table.told();
            (self.table, self.march, self.mesh) = (None, None, Some(table));
            return Ok(reply);
        }
        let (opened, share) = self.opened(command, parts, leash)?;
        (self.mesh, self.march) = (None, None);
        Ok(self.lay_out(opened, share))
    }

    /// Opens the mesh that a command names or brings; `None` if it names or brings another world.
    fn opened_mesh(
        &self,
        command: &Command,
        parts: &mut Parts,
        leash: &Leash,
    ) -> Result<Option<(OpenedMesh, Share)>, Refusal> {
        match command {
            Command::Open { world, step } => {
                let Some(needs) = self.atlas.mesh_needs(world) else { return Ok(None) };
                let share = leash.reserve(needs)?;
                Ok(Some((self.atlas.open_mesh(world.clone(), step.agent, leash)?, share)))
            }
            Command::Upload { name, step } => {
                let Some(Numbers::U8(bytes)) = parts.get("bytes") else { return Ok(None) };
                if !atlas::is_mesh(name, bytes) {
                    return Ok(None);
                }
                let share = leash.reserve(atlas::opening(name, bytes.len()))?;
                Ok(Some((Atlas::read_mesh(name, bytes, step.agent, leash)?, share)))
            }
            _ => Ok(None),
        }
    }

    /// Sends a crowd off in the open world.
    fn muster(&mut self, asked: &Muster, leash: &Leash) -> Result<Reply, Refusal> {
        // The crowd before is ended first, because it takes memory.
        self.march = None;
        let march = match (&mut self.mesh, &mut self.table) {
            (Some(mesh), _) => {
                mesh.end();
                March::on_mesh(asked, &mesh.snapshot(), mesh.origin(), leash)?
            }
            (None, Some(table)) => {
                table.end();
                March::on_cells(asked, &table.world.snapshot(), leash)?
            }
            (None, None) => return Err(Refusal::NoWorld),
        };
        Ok(self.march.insert(march).go_on(0, leash))
    }

    /// Returns what is kept for the open world, and the memory for searches.
    fn at_table(&mut self) -> Result<(&mut Table, &mut AnyScratch), Refusal> {
        let table = self.table.as_mut().ok_or(Refusal::NoWorld)?;
        Ok((table, &mut self.scratch))
    }

    /// Carries out a command that edits the world.
    fn change(&mut self, command: &Command, mut parts: Parts, leash: &Leash) -> Result<Reply, Refusal> {
        if let Command::Edit { stroke } = command {
            let edits = take_edits(&mut parts)?;
            let (table, scratch) = self.at_table()?;
            return table.edit(&edits, Origin::Page(*stroke), scratch, leash);
        }
        let (table, scratch) = self.at_table()?;
        leash.set_aside(table.history.bytes())?;
        let edits = match command {
            Command::Undo => table.history.undo().ok_or(Refusal::NothingLeft("undo"))?,
            Command::Redo => table.history.redo().ok_or(Refusal::NothingLeft("redo"))?,
            _ => return Err(Refusal::Elsewhere),
        };
        table.edit(&edits, Origin::History, scratch, leash)
    }

    /// Carries out a command that asks for what the planner keeps.
    fn show(&mut self, command: &Command, leash: &Leash) -> Result<Reply, Refusal> {
        let (table, scratch) = self.at_table()?;
        let (finder, world) = (&table.finder, table.shown());
        Ok(match *command {
            Command::Outline => chart::outline(finder, &world, leash)?,
            Command::Legs => chart::legs(finder, &world, scratch, leash)?,
            Command::Tree { port } => chart::tree(finder, &world, port)?,
            _ => return Err(Refusal::Elsewhere),
        })
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
            Command::Restore { name, width, height, grid, step } => {
                let Some(Numbers::U8(weights)) = parts.take("weights") else {
                    return Err(Refusal::NoPart { name: "weights", kind: "u8" });
                };
                let share = leash.reserve(budget::opening(weights.len()))?;
                let mut opened = Atlas::restore(&name, (width, height), &weights, (grid, step.rules()))?;
                if let Some(Numbers::U8(kinds)) = parts.take("kinds") {
                    opened.world = with_kinds(&opened.world, &kinds)?;
                }
                opened.world.apply(&take_between(&mut parts)?)?;
                if let Some(Numbers::U16(numbers)) = parts.take("entities") {
                    opened.entities = playing::read_entities(&numbers, width, height).ok_or(Refusal::NoEntity)?;
                }
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
        let reply = told::world(&opened);
        // The scratch memory for the world before may be much larger than this world needs.
        self.scratch = AnyScratch::new();
        self.table = Some(Table::new(opened, share));
        reply
    }
}

/// Returns the world with a kind for each column of each row.
fn with_kinds(world: &AnyWorld, kinds: &[u8]) -> Result<AnyWorld, Refusal> {
    Ok(match world.snapshot() {
        AnySnapshot::Square(grid) => SquareGrid::clone(&grid).with_kinds(kinds).map_err(|_| Refusal::NoKinds)?.into(),
        AnySnapshot::Hex(grid) => HexGrid::clone(&grid).with_kinds(kinds).map_err(|_| Refusal::NoKinds)?.into(),
    })
}

/// Returns cells as a list of numbers.
fn listed(cells: &[portolan::Cell]) -> Vec<u16> {
    cells.iter().flat_map(|cell| [cell.x, cell.y]).collect()
}

fn micros(time: Duration) -> f64 {
    time.as_nanos() as f64 / 1e3
}

/// Returns settings in the form that messages have.
fn pairs(settings: &portolan::settings::Settings) -> Pairs {
    settings.iter().map(|(name, value)| (name.to_owned(), value.to_string())).collect()
}
