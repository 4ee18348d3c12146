//! The open mesh of a page, and everything that is kept for it: [`MeshTable`].
//!
//! In messages the polygons of a mesh are cells, in rows of [`COLUMNS`]; the portals follow them. So weights, edits, events
//! and labels have the form that they have on grids.
//!
//! Not here: opening meshes, and crowds on them.

mod finding;

use super::edits::{covered, read_edits};
use super::history::History;
use super::leash::Leash;
use super::minds::{MindError, Minds};
use super::table::{file, file_stem};
use super::{Refusal, chart, micros};
use crate::answer::{self, Answer, MeshInfo, Reply, Word};
use crate::atlas::OpenedMesh;
use crate::budget::Share;
use crate::command::{self, Command, Grid, MeshAgent, Place, SaveAs, WorldRef};
use crate::frame::{Numbers, Parts};
use finding::MeshFinder;
pub(super) use finding::{MeshFindError, built, point};
use portolan::{Edit, MESH_ALGORITHMS, MeshEdit, MeshParts, MeshPoint, NavMesh, Snapshot, World};
use portolan_formats::navmesh;
use std::collections::BTreeMap;
use std::time::Instant;

/// Polygons in a row of cells.
const COLUMNS: usize = 256;
/// The number of a polygon beyond an edge that is a wall.
const WALL: u32 = u32::MAX;
/// Most copies of a mesh's weights and of what follows from them; its shape is shared.
const COPIES: usize = 2;

/// The open mesh, and everything that the session keeps for it.
pub(super) struct MeshTable {
    world: World<NavMesh>,
    name: String,
    reference: WorldRef,
    ends: (MeshPoint, MeshPoint),
    agent: Option<MeshAgent>,
    /// The least coordinates of all vertices, from which messages count.
    origin: [f64; 3],
    history: History<MeshEdit>,
    finder: MeshFinder,
    /// Minds under way, which follow edits of the mesh.
    minds: Option<Minds<NavMesh>>,
    /// The memory of all this except for the planner, which has a share of its own.
    share: Share,
}

/// Where an edit comes from: a stroke of the page, or the history.
#[derive(Copy, Clone)]
enum Origin {
    Page(u64),
    History,
}

impl MeshTable {
    /// Lays a mesh out that was just opened; `share` is the memory that was reserved to open it.
    pub(super) fn new(OpenedMesh { name, reference, mesh, ends, agent }: OpenedMesh, share: Share) -> MeshTable {
        let mut origin = [f64::INFINITY; 3];
        for corner in (0..mesh.polygons() as u32).flat_map(|polygon| mesh.corners(polygon)) {
            (0..3).for_each(|axis| origin[axis] = corner[axis].min(origin[axis]));
        }
        let (world, history, finder) = (World::from(mesh), History::default(), MeshFinder::default());
        MeshTable { world, name, reference, ends, agent, origin, history, finder, minds: None, share }
    }

    pub(super) fn snapshot(&self) -> Snapshot<NavMesh> {
        self.world.snapshot()
    }

    pub(super) fn origin(&self) -> [f64; 3] {
        self.origin
    }

    /// Counts the memory that all this takes now.
    pub(super) fn settle(&mut self) {
        self.share.settle(COPIES * self.world.bytes() + self.history.bytes() + self.finder.bytes());
        if let Some(minds) = &mut self.minds {
            minds.settle();
        }
    }

    pub(super) fn carry_out(&mut self, command: Command, mut parts: Parts, leash: &Leash) -> Result<Reply, Refusal> {
        match command {
            Command::Edit { stroke } => {
                let Some(Numbers::U16(numbers)) = parts.take("edits") else {
                    return Err(Refusal::NoPart { name: "edits", kind: "u16" });
                };
                let edits = polygons(&read_edits(&numbers)?);
                self.edit(&edits, Origin::Page(stroke), leash)
            }
            Command::Undo | Command::Redo => {
                leash.set_aside(self.history.bytes())?;
                let edits = match command {
                    Command::Undo => self.history.undo().ok_or(Refusal::NothingLeft("undo"))?,
                    _ => self.history.redo().ok_or(Refusal::NothingLeft("redo"))?,
                };
                self.edit(&edits, Origin::History, leash)
            }
            Command::Find(find) => {
                let (finding, parts) = self.finder.ask(&find, &self.world.snapshot(), self.origin, leash)?;
                Ok(Reply { answer: Answer::Found(Box::new(finding)), parts })
            }
            Command::Rest => {
                self.finder.rest();
                Ok(Reply::alone(Answer::Rested))
            }
            Command::Outline => self.outline(),
            Command::Save { kind: SaveAs::Mesh } => Ok(self.save()),
            Command::Minds(asked) => self.send_minds(&asked, leash),
            Command::Think { count } => self.think(count, leash),
            Command::Aim { to } => {
                let world = self.world.snapshot();
                self.minds.as_mut().ok_or(MindError::None)?.aim(&world, to)?;
                self.think(0, leash)
            }
            Command::End => {
                self.end();
                Ok(Reply::alone(Answer::Ended))
            }
            Command::Race(_) | Command::Study(_) | Command::Cancel { .. } => Err(Refusal::Elsewhere),
            _ => Err(Refusal::OnMesh),
        }
    }

    /// Ends the way of minds.
    pub(super) fn end(&mut self) {
        self.minds = None;
    }

    /// Sends minds off.
    fn send_minds(&mut self, asked: &command::Minds, leash: &Leash) -> Result<Reply, Refusal> {
        self.end();
        self.minds = Some(Minds::begin(asked, &self.world.snapshot(), self.origin, leash)?);
        self.think(0, leash)
    }

    /// Lets so many ticks of the minds pass.
    fn think(&mut self, count: u32, leash: &Leash) -> Result<Reply, Refusal> {
        let minds = self.minds.as_mut().ok_or(MindError::None)?;
        Ok(minds.go_on(&self.world.snapshot(), count, leash))
    }

    /// Applies edits, repairs the planner and repeats the latest search.
    fn edit(&mut self, edits: &[MeshEdit], origin: Origin, leash: &Leash) -> Result<Reply, Refusal> {
        let before = self.world.snapshot();
        let back = edits.iter().map(|edit| MeshEdit::new(edit.polygon, before.terrain(edit.polygon))).collect();
        drop(before);
        let start = Instant::now();
        self.world.apply(edits)?;
        let apply_us = micros(start.elapsed());
        if let Origin::Page(stroke) = origin {
            self.history.push(Some(stroke), edits, back);
        }
        let world = self.world.snapshot();
        self.minds = self.minds.take().and_then(|mut minds| minds.follow(&world, edits).then_some(minds));
        let mut parts = Parts::default();
        parts.push("patch", edits.iter().copied().flat_map(written).collect::<Vec<u16>>());
        let repair = self.finder.follow(&world, edits, leash);
        let found = self.finder.again(&world, self.origin, leash, &mut parts);
        let (undo, redo) = self.history.len();
        let (least, free) = (least(&world), free(&world));
        let answer = answer::Edited { undo, redo, least, free, apply_us, repair, found };
        Ok(Reply { answer: Answer::Edited(Box::new(answer)), parts })
    }

    /// Returns the node of every polygon, level by level.
    fn outline(&self) -> Result<Reply, Refusal> {
        let world = self.world.snapshot();
        let planner = self.finder.planner(&world).ok_or(chart::ChartError::NoPlanner)?;
        let outline = planner.outline(&world).map_err(chart::ChartError::from)?.unwrap_or_default();
        let mut parts = Parts::default();
        let layers = outline.layers.len();
        for (index, layer) in outline.layers.into_iter().enumerate() {
            let mut labels = layer.labels;
            // On grids 0 stands for no region.
            for label in &mut labels {
                *label += 1;
            }
            labels.resize(if labels.is_empty() { 0 } else { COLUMNS * rows(&world) }, 0);
            parts.push(format!("labels{index}"), labels);
        }
        let census = planner.census(&world).map_err(chart::ChartError::from)?;
        let answer = Answer::Outline {
            algorithm: planner.algorithm().name,
            layers,
            bytes: planner.bytes(),
            census: census.into_iter().map(Into::into).collect(),
        };
        Ok(Reply { answer, parts })
    }

    fn save(&self) -> Reply {
        file(format!("{}.mesh", file_stem(&self.name)), navmesh::write(&self.world.to_parts()))
    }

    /// Returns the answer that describes the mesh.
    pub(super) fn told(&self) -> Reply {
        let world = self.world.snapshot();
        let (polygons, portals, components) = (world.polygons(), world.portals(), world.components());
        let (origin, agent) = (self.origin, self.agent);
        let promises = promises(&world);
        let answer = answer::World {
            name: self.name.clone(),
            reference: self.reference.clone(),
            width: COLUMNS,
            height: rows(&world),
            grid: Grid::Square,
            rules: None,
            straight: (1.0 / world.step()).round() as u32,
            diagonal: None,
            least: least(&world),
            free: free(&world),
            bytes: world.bytes(),
            mesh: Some(MeshInfo { polygons, portals, components, origin, agent }),
            from: place(&world, self.ends.0, origin),
            to: place(&world, self.ends.1, origin),
            racers: promises
                .iter()
                .filter(|(_, word)| matches!(word, Word::Promise(_)))
                .map(|(name, _)| *name)
                .collect(),
            promises,
            case: None,
            level: None,
            kinds: vec![],
            floors: None,
        };
        let mut weights: Vec<u8> = (0..polygons as u32).map(|polygon| world.terrain(polygon).weight()).collect();
        weights.resize(COLUMNS * rows(&world), 0);
        let MeshParts { vertices, first_corner, corners, .. } = world.to_parts();
        let mut parts = Parts::default();
        parts.push("weights", weights);
        parts.push("vertices", Numbers::F32(vertices.into_iter().flat_map(|at| from_origin(at, origin)).collect()));
        parts.push("corners", corners);
        parts.push("first-corners", first_corner);
        let beyond = (0..polygons as u32).flat_map(|polygon| world.across_edges(polygon));
        parts.push("beyond", beyond.map(|beyond| beyond.unwrap_or(WALL)).collect::<Vec<u32>>());
        Reply { answer: Answer::World(Box::new(answer)), parts }
    }
}

/// Returns how many rows of cells the polygons and portals of a mesh make.
fn rows(world: &NavMesh) -> usize {
    (world.polygons() + world.portals()).div_ceil(COLUMNS)
}

/// Returns edits of cells as edits of the polygons that these cells are.
fn polygons(edits: &[Edit]) -> Vec<MeshEdit> {
    let mut listed = Vec::with_capacity(covered(edits));
    for (area, terrain) in edits.iter().filter_map(|edit| Some((edit.area, edit.terrain()?))) {
        for row in usize::from(area.y)..usize::from(area.y) + usize::from(area.height) {
            let columns = usize::from(area.x)..usize::from(area.x) + usize::from(area.width);
            listed.extend(columns.map(|column| MeshEdit::new((row * COLUMNS + column) as u32, terrain)));
        }
    }
    listed
}

/// Returns the edit of a polygon as one of the cell that the polygon is.
fn written(MeshEdit { polygon, terrain }: MeshEdit) -> [u16; 5] {
    let (row, column) = (polygon as usize / COLUMNS, polygon as usize % COLUMNS);
    [column as u16, row as u16, 1, 1, u16::from(terrain.weight())]
}

fn from_origin(at: [f64; 3], origin: [f64; 3]) -> [f32; 3] {
    [0, 1, 2].map(|axis| (at[axis] - origin[axis]) as f32)
}

/// Returns a point as messages name it.
fn place(world: &NavMesh, at: MeshPoint, origin: [f64; 3]) -> Place {
    let [x, y, _] = world.coordinates(at);
    Place::Point(at.polygon, x - origin[0], y - origin[1])
}

fn weights(world: &NavMesh) -> impl Iterator<Item = u8> + '_ {
    (0..world.polygons() as u32).map(|polygon| world.terrain(polygon).weight()).filter(|&weight| weight > 0)
}

/// Returns the least weight of a free polygon, or 1 if none is free.
fn least(world: &NavMesh) -> u8 {
    weights(world).min().unwrap_or(1)
}

fn free(world: &NavMesh) -> usize {
    weights(world).count()
}

/// Returns what each algorithm promises on a mesh, or what it would need to run there.
fn promises(world: &NavMesh) -> BTreeMap<&'static str, Word> {
    let word = |algorithm: &portolan::Algorithm<NavMesh>| match (
        algorithm.suits(world),
        algorithm.settings::<&str, &str>(&[]),
    ) {
        (Ok(()), Ok(defaults)) => Word::Promise(algorithm.promise(world, &defaults).to_string()),
        (Err(unsuited), _) => Word::Needs(unsuited.needs.to_owned()),
        (_, Err(error)) => Word::Needs(error.to_string()),
    };
    MESH_ALGORITHMS.iter().map(|algorithm| (algorithm.name, word(algorithm))).collect()
}
