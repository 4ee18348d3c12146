//! The answers of the server, as `page/protocol.d.ts` describes them.
//!
//! Not here: working the answers out.

use crate::command::{CornerRule, Entrant, Grid, MeshAgent, Pairs, Place, Replan, Spot, Ways, WorldRef};
use crate::frame::Parts;
use crate::game::{LevelInfo, Played};
use crate::perception::{Judged, Staged};
use serde::Serialize;
use std::collections::BTreeMap;

/// An answer and its arrays.
pub(crate) struct Reply {
    pub(crate) answer: Answer,
    pub(crate) parts: Parts,
}

impl Reply {
    pub(crate) fn alone(answer: Answer) -> Reply {
        Reply { answer, parts: Parts::default() }
    }

    pub(crate) fn fault(error: &impl ToString) -> Reply {
        Reply::alone(Answer::Error { message: error.to_string() })
    }
}

#[derive(Clone, Serialize, Debug)]
#[serde(tag = "re", rename_all = "kebab-case")]
pub(crate) enum Answer {
    Catalogue(Box<Catalogue>),
    World(Box<World>),
    Found(Box<Finding>),
    Edited(Box<Edited>),
    Rested,
    Outline { algorithm: &'static str, layers: usize, bytes: usize, census: Vec<Census> },
    Legs { plan_us: f64, refine_us: Vec<f64> },
    Tree { port: Spot },
    File { name: String },
    Ticked { tick: u64, done: bool, panes: Vec<Pane>, undo: usize, redo: usize },
    Played(Box<Played>),
    Marched(Box<Marched>),
    Minded(Box<Minded>),
    Staged(Box<Staged>),
    Judged(Box<Judged>),
    Ended,
    Looked { free: usize },
    Clearance { us: f64, most: u16 },
    Field { us: f64, dearest: u32, bytes: usize },
    Progress { done: u64, total: u64, what: String },
    Result { name: String },
    Error { message: String },
}

#[derive(Clone, Serialize, Debug)]
pub(crate) struct Param {
    pub(crate) name: &'static str,
    pub(crate) help: &'static str,
    pub(crate) default: String,
    pub(crate) range: Range,
}

#[derive(Clone, Serialize, Debug)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub(crate) enum Range {
    Choice { words: &'static [&'static str] },
    Number { least: f64, most: f64 },
    Count { least: u64, most: u64 },
}

#[derive(Clone, Serialize, Debug)]
pub(crate) struct Algorithm {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) paper: &'static str,
    pub(crate) params: Vec<Param>,
}

#[derive(Clone, Serialize, Debug)]
pub(crate) struct Recipe {
    pub(crate) name: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) params: Vec<Param>,
}

#[derive(Clone, Serialize, Debug)]
pub(crate) struct Listed {
    pub(crate) name: String,
    pub(crate) width: Option<usize>,
    pub(crate) height: Option<usize>,
    /// Whether it is a mesh, or geometry to build one from.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(crate) mesh: bool,
}

#[derive(Clone, Serialize, Debug)]
pub(crate) struct CaseListed {
    pub(crate) name: &'static str,
    pub(crate) about: String,
}

#[derive(Clone, Serialize, Debug)]
pub(crate) struct StudyListed {
    pub(crate) name: &'static str,
    pub(crate) title: &'static str,
    pub(crate) summary: &'static str,
    pub(crate) takes_maps: bool,
}

#[derive(Clone, Serialize, Debug)]
pub(crate) struct Limits {
    pub(crate) cells: usize,
    pub(crate) upload: usize,
    pub(crate) side: usize,
    pub(crate) panes: usize,
    pub(crate) crew: usize,
    pub(crate) crowd: usize,
    pub(crate) whole_crowd: usize,
    pub(crate) minds: usize,
    pub(crate) blocks: usize,
    pub(crate) memory: usize,
}

#[derive(Clone, Serialize, Debug)]
pub(crate) struct Catalogue {
    pub(crate) version: &'static str,
    pub(crate) algorithms: Vec<Algorithm>,
    /// The algorithms on meshes.
    pub(crate) mesh_algorithms: Vec<Algorithm>,
    /// Agents as meshes are built for them unless a page asks for others.
    pub(crate) agent: MeshAgent,
    /// What can be set about a mind.
    pub(crate) mind_params: Vec<Param>,
    pub(crate) recipes: Vec<Recipe>,
    pub(crate) builtin: Vec<Listed>,
    pub(crate) folder: Option<String>,
    pub(crate) maps: Vec<Listed>,
    pub(crate) cases: Vec<CaseListed>,
    pub(crate) studies: Vec<StudyListed>,
    pub(crate) limits: Limits,
}

/// What an algorithm promises in a world, or what it would need to run there.
#[derive(Clone, Serialize, Debug)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Word {
    Promise(String),
    Needs(String),
}

#[derive(Clone, Serialize, Debug)]
pub(crate) struct World {
    pub(crate) name: String,
    #[serde(rename = "ref")]
    pub(crate) reference: WorldRef,
    pub(crate) width: usize,
    pub(crate) height: usize,
    #[serde(skip_serializing_if = "Grid::is_square")]
    pub(crate) grid: Grid,
    #[serde(flatten)]
    pub(crate) rules: Option<StepRules>,
    pub(crate) straight: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) diagonal: Option<u32>,
    pub(crate) least: u8,
    pub(crate) free: usize,
    pub(crate) bytes: usize,
    /// What a mesh is besides its polygons' weights.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) mesh: Option<MeshInfo>,
    pub(crate) from: Place,
    pub(crate) to: Place,
    pub(crate) promises: BTreeMap<&'static str, Word>,
    pub(crate) racers: Vec<&'static str>,
    pub(crate) case: Option<CaseInfo>,
    pub(crate) level: Option<LevelInfo>,
    /// The numbers and names of kinds of ground.
    pub(crate) kinds: Vec<(u8, String)>,
    /// How many floors the world has, and the columns and rows of each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) floors: Option<(usize, usize, usize)>,
}

/// What a mesh is made of, and for which agents it was built, if it was built from geometry.
#[derive(Copy, Clone, Serialize, Debug)]
pub(crate) struct MeshInfo {
    pub(crate) polygons: usize,
    pub(crate) portals: usize,
    pub(crate) components: usize,
    /// The least coordinates of all vertices.
    pub(crate) origin: [f64; 3],
    pub(crate) agent: Option<MeshAgent>,
}

/// The rules by which agents step on squares.
#[derive(Copy, Clone, Serialize, Debug)]
pub(crate) struct StepRules {
    pub(crate) corners: CornerRule,
    pub(crate) directions: Ways,
}

#[derive(Clone, Serialize, Debug)]
pub(crate) struct CaseInfo {
    pub(crate) name: String,
    pub(crate) about: String,
    pub(crate) replan: Replan,
    pub(crate) ticks: Option<u64>,
    pub(crate) with: Option<Entrant>,
    pub(crate) edits: usize,
    pub(crate) last: u64,
}

#[derive(Clone, Default, Serialize, Debug)]
pub(crate) struct Stats {
    pub(crate) expanded: u64,
    pub(crate) connecting: u64,
    pub(crate) refining: u64,
    pub(crate) generated: u64,
    pub(crate) pushes: u64,
    pub(crate) pops: u64,
    pub(crate) decreases: u64,
    pub(crate) reopened: u64,
    pub(crate) open_max: u64,
    pub(crate) open_mean: f64,
}

impl From<portolan::probe::Stats> for Stats {
    fn from(stats: portolan::probe::Stats) -> Stats {
        Stats {
            expanded: stats.expanded,
            connecting: stats.connecting,
            refining: stats.refining,
            generated: stats.generated,
            pushes: stats.pushes,
            pops: stats.pops,
            decreases: stats.decreases,
            reopened: stats.reopened,
            open_max: stats.open_max,
            open_mean: stats.open_mean(),
        }
    }
}

#[derive(Copy, Clone, Serialize, Debug)]
pub(crate) struct Census {
    pub(crate) clusters: usize,
    pub(crate) nodes: usize,
    pub(crate) inter_edges: usize,
    pub(crate) intra_edges: usize,
}

impl From<portolan::outline::Census> for Census {
    fn from(census: portolan::outline::Census) -> Census {
        let portolan::outline::Census { clusters, nodes, inter_edges, intra_edges, .. } = census;
        Census { clusters, nodes, inter_edges, intra_edges }
    }
}

#[derive(Clone, Serialize, Debug)]
pub(crate) struct Finding {
    pub(crate) algorithm: &'static str,
    pub(crate) settings: Pairs,
    pub(crate) why: Option<String>,
    pub(crate) promise: String,
    pub(crate) outcome: &'static str,
    pub(crate) length: Option<f64>,
    pub(crate) cost: Option<u32>,
    pub(crate) steps: Option<usize>,
    pub(crate) optimum: Option<f64>,
    pub(crate) stats: Stats,
    pub(crate) built: bool,
    pub(crate) build_us: f64,
    pub(crate) find_us: f64,
    pub(crate) bytes: usize,
    pub(crate) census: Vec<Census>,
    pub(crate) in_legs: bool,
    pub(crate) cut: bool,
}

#[derive(Copy, Clone, Serialize, Debug)]
pub(crate) struct Repair {
    pub(crate) us: f64,
    pub(crate) clusters: usize,
    pub(crate) rebuilt: bool,
}

/// The answer to the latest `find`, repeated after an edit.
#[derive(Clone, Serialize, Debug)]
#[serde(untagged)]
pub(crate) enum Again {
    Found(Box<Finding>),
    Error { error: String },
}

#[derive(Clone, Serialize, Debug)]
pub(crate) struct Edited {
    pub(crate) undo: usize,
    pub(crate) redo: usize,
    pub(crate) least: u8,
    pub(crate) free: usize,
    pub(crate) apply_us: f64,
    pub(crate) repair: Option<Repair>,
    pub(crate) found: Option<Again>,
}

#[derive(Clone, Serialize, Debug)]
pub(crate) struct Work {
    pub(crate) searches: u64,
    pub(crate) expanded: u64,
    pub(crate) pushes: u64,
    pub(crate) pops: u64,
    pub(crate) decreases: u64,
    pub(crate) open_mean: f64,
    /// Operations on open lists: pushes, pops and decreases.
    pub(crate) operations: u64,
    /// Clusters that repairs have redone.
    pub(crate) repaired: u64,
    /// The length walked.
    pub(crate) walked: f64,
}

impl From<portolan_sim::Work> for Work {
    fn from(work: portolan_sim::Work) -> Work {
        Work {
            searches: work.searches,
            expanded: work.expanded,
            pushes: work.pushes,
            pops: work.pops,
            decreases: work.decreases,
            open_mean: work.open_mean,
            operations: work.pushes + work.pops + work.decreases,
            repaired: work.clusters,
            walked: work.length,
        }
    }
}

#[derive(Clone, Serialize, Debug)]
pub(crate) struct LogEntry {
    pub(crate) tick: u64,
    pub(crate) text: String,
    pub(crate) kind: &'static str,
}

#[derive(Clone, Serialize, Debug)]
pub(crate) struct Pane {
    pub(crate) algorithm: &'static str,
    pub(crate) title: &'static str,
    pub(crate) at: Spot,
    pub(crate) to: Spot,
    pub(crate) state: &'static str,
    pub(crate) why: Option<String>,
    pub(crate) left: usize,
    pub(crate) length: f64,
    pub(crate) work: Work,
    pub(crate) build_us: f64,
    pub(crate) repair_us: f64,
    pub(crate) repairs_us: f64,
    pub(crate) find_us: f64,
    pub(crate) finds_us: f64,
    pub(crate) bytes: usize,
    pub(crate) log: Vec<LogEntry>,
    pub(crate) rerouted: bool,
}

/// How a crowd stands.
#[derive(Clone, Serialize, Debug)]
pub(crate) struct Marched {
    pub(crate) tick: u64,
    pub(crate) per_second: u32,
    /// The mean time that a tick of this command took.
    pub(crate) tick_us: f64,
    pub(crate) radius: f32,
    /// The processor that computes a crowd of whole numbers, `None` for other crowds.
    pub(crate) device: Option<String>,
    /// What an agent may be doing, in the order of the numbers in the part `states`.
    pub(crate) states: Vec<Doing>,
}

/// What agents of a crowd may be doing, and why.
#[derive(Copy, Clone, PartialEq, Eq, Serialize, Debug)]
pub(crate) struct Doing {
    pub(crate) name: &'static str,
    pub(crate) why: &'static str,
    /// How many agents do it.
    pub(crate) count: usize,
}

/// How minds stand.
#[derive(Clone, Serialize, Debug)]
pub(crate) struct Minded {
    pub(crate) tick: u64,
    pub(crate) done: bool,
    /// How many hexagons there are, and how far apart their middles are.
    pub(crate) hexagons: usize,
    pub(crate) size: f64,
    /// The memory of the hexagons, which all minds share.
    pub(crate) bytes: usize,
    pub(crate) minds: Vec<MindTold>,
}

/// How a mind stands.
#[derive(Copy, Clone, Serialize, Debug)]
pub(crate) struct MindTold {
    pub(crate) state: &'static str,
    /// The steps of its present walk, by how they were chosen.
    pub(crate) steps: [usize; 4],
    /// The steps of the shortest way, as the world is now; `None` if there is no way.
    pub(crate) least: Option<usize>,
    /// How many hexagons it knows.
    pub(crate) known: usize,
    /// The greatest counter of a hexagon.
    pub(crate) most: u16,
    /// The memory that it takes.
    pub(crate) bytes: usize,
}
