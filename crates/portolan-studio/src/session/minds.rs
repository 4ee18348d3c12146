//! Minds under way: a few agents that walk between equal ends in one world and remember it, each with settings of its own.
//!
//! Pages are told tick by tick what the minds did, so that they can go back and forth in time.
//!
//! Not here: how minds walk, which is in `portolan-sim`; where their hexagons lie in messages (`minds/ground.rs`); and what is kept of each
//! mind for the page (`minds/record.rs`).

mod ground;
mod record;

use super::leash::{AsideError, Leash, aside};
use super::mesh::MeshFindError;
use crate::answer::{Answer, Minded, Reply};
use crate::budget::{Full, Share};
use crate::command::{self, Place, Refused};
use crate::frame::Parts;
use crate::limits;
use ground::MindGround;
use portolan::any::AnySnapshot;
use portolan::{Edit, HexGrid, Snapshot, SquareGrid};
use portolan_sim::mind::{Lattice, LatticeError, Mind, MindScratch, MindSettings, MindSettingsError, MindState};
use record::Record;

/// Bytes for each hexagon while a lattice is laid, and for the searches of all minds.
const LAYING: usize = 160;
/// Bytes for each hexagon and each mind.
const REMEMBERING: usize = 24;

/// Why minds cannot be sent off or go on.
#[derive(Debug, thiserror::Error)]
pub(crate) enum MindError {
    #[error("one to {most} minds walk at a time, not {0}", most = limits::MINDS)]
    Count(usize),
    #[error("mind {number}: {source}")]
    Settings { number: usize, source: MindSettingsError },
    #[error("minds walk on at most {most} hexagons, and this world has about {0}: open a smaller one", most = limits::HEXAGONS)]
    TooLarge(usize),
    #[error(transparent)]
    Lattice(#[from] LatticeError),
    #[error("the {0} is blocked, and minds cannot stand there")]
    Blocked(&'static str),
    #[error(transparent)]
    Place(#[from] Refused),
    #[error(transparent)]
    OnMesh(#[from] MeshFindError),
    #[error("no mind is under way")]
    None,
    #[error(transparent)]
    Aside(#[from] AsideError),
    #[error(transparent)]
    Full(#[from] Full),
}

/// Minds on their way in one world.
pub(super) struct Minds<S: MindGround> {
    lattice: Lattice<S>,
    walkers: Vec<Walker>,
    scratch: MindScratch,
    ticks: u64,
    /// The least coordinates of the world, from which messages count; 0 on grids.
    origin: [f64; 3],
    /// How many nodes the page knows the places of.
    placed: usize,
    share: Share,
}

struct Walker {
    mind: Mind,
    record: Record,
    /// Where the present walk began.
    from: u32,
    /// The shortest way from there, as the world is now.
    shortest: Option<Vec<u32>>,
    /// Whether the page has to be told of another shortest way.
    is_news: bool,
}

impl<S: MindGround> Minds<S> {
    /// Sends minds off. Each learns what it is to know before.
    pub(super) fn begin(
        asked: &command::Minds,
        world: &Snapshot<S>,
        origin: [f64; 3],
        leash: &Leash,
    ) -> Result<Minds<S>, MindError> {
        if !(1..=limits::MINDS).contains(&asked.settings.len()) {
            return Err(MindError::Count(asked.settings.len()));
        }
        let about = world.about_hexagons();
        if about > limits::HEXAGONS {
            return Err(MindError::TooLarge(about));
        }
        let settings = asked.settings.iter().enumerate().map(|(index, pairs)| {
            let pairs: Vec<(&String, &String)> = pairs.iter().collect();
            MindSettings::new(&pairs).map_err(|source| MindError::Settings { number: index + 1, source })
        });
        let settings = settings.collect::<Result<Vec<MindSettings>, MindError>>()?;
        let share = leash.reserve((LAYING + REMEMBERING * settings.len()) * about)?;
        let ends = [asked.from, asked.to].map(|place| world.named(place, origin));
        let [from, to] = ends;
        let (ends, seed, world) = ([from?, to?], asked.seed, world.clone());
        // Minds that are to know much walk for long before they set out.
        let made = aside(leash, move || {
            let mut scratch = MindScratch::new();
            let (lattice, walkers) = learned::<S>(&world, &settings, ends, seed, &mut scratch)?;
            Ok::<_, MindError>((lattice, walkers, scratch))
        });
        let (lattice, walkers, scratch) = made??;
        let mut minds = Minds { lattice, walkers, scratch, ticks: 0, origin, placed: 0, share };
        minds.settle();
        Ok(minds)
    }

    /// Counts the memory that the minds take now.
    pub(super) fn settle(&mut self) {
        let walkers = self.walkers.iter().map(|one| one.mind.bytes() + one.mind.walk_bytes() + one.record.bytes());
        self.share.settle(self.lattice.bytes() + walkers.sum::<usize>() + LAYING / 4 * self.lattice.nodes());
    }

    /// Follows edits of the world, of which each mind learns when it sees them. Returns whether that was possible.
    pub(super) fn follow(&mut self, world: &Snapshot<S>, edits: &[S::Edit]) -> bool {
        if self.lattice.follow(world, edits).is_err() {
            return false;
        }
        for walker in &mut self.walkers {
            walker.measure(&self.lattice, &mut self.scratch);
        }
        true
    }

    /// Gives all minds another goal, to which each walks from where it is, with all that it remembers.
    pub(super) fn aim(&mut self, world: &Snapshot<S>, to: Place) -> Result<(), MindError> {
        let place = world.named(to, self.origin)?;
        let goal = self.lattice.node(world, place).ok_or(MindError::Blocked("goal"))?;
        for walker in &mut self.walkers {
            walker.set_out(&self.lattice, [walker.mind.at(), goal], &mut self.scratch);
        }
        Ok(())
    }

    fn is_over(&self) -> bool {
        self.walkers.iter().all(|walker| walker.mind.state() != MindState::Walking)
    }

    /// Lets so many ticks pass, and tells what happened.
    pub(super) fn go_on(&mut self, world: &Snapshot<S>, count: u32, leash: &Leash) -> Reply {
        for _ in 0..count.min(limits::TICKS) {
            let told: usize = self.walkers.iter().map(|walker| walker.record.changes()).sum();
            if self.is_over() || leash.is_cut() || told > limits::CHANGES {
                break;
            }
            for walker in &mut self.walkers {
                walker.mind.tick(&self.lattice, &mut self.scratch);
                walker.record.note(&walker.mind, &self.lattice);
            }
            self.ticks += 1;
        }
        self.told(world)
    }

    /// Tells what happened since the last answer.
    fn told(&mut self, world: &S) -> Reply {
        let mut parts = Parts::default();
        let Minds { lattice, origin, placed, .. } = self;
        let places =
            |nodes: &mut dyn Iterator<Item = u32>| world.listed(&mut nodes.map(|node| lattice.place(node)), *origin);
        if *placed < lattice.nodes() {
            parts.push("places", places(&mut (*placed as u32..lattice.nodes() as u32)));
            *placed = lattice.nodes();
        }
        let mut minds = Vec::new();
        for (index, walker) in self.walkers.iter_mut().enumerate() {
            if std::mem::take(&mut walker.is_news) {
                let mut nodes = walker.shortest.iter().flatten().copied();
                parts.push(format!("shortest{index}"), places(&mut nodes));
            }
            parts.push(format!("planned{index}"), places(&mut walker.mind.planned().iter().rev().copied()));
            parts.push(format!("walked{index}"), places(&mut walker.record.walked()));
            let least = walker.shortest.as_ref().map(|route| route.len() - 1);
            minds.push(walker.record.told(index, &walker.mind, least, &mut parts));
        }
        let (size, done) = (lattice.tiling().size, self.is_over());
        let bytes = self.lattice.bytes();
        let answer = Minded { tick: self.ticks, done, hexagons: self.lattice.nodes(), size, bytes, minds };
        Reply { answer: Answer::Minded(Box::new(answer)), parts }
    }
}

/// Lays the hexagons, and lets all minds learn and set out.
fn learned<S: MindGround>(
    world: &S,
    settings: &[MindSettings],
    ends: [S::Place; 2],
    seed: u64,
    scratch: &mut MindScratch,
) -> Result<(Lattice<S>, Vec<Walker>), MindError> {
    let lattice = Lattice::new(world, None)?;
    if lattice.nodes() > limits::HEXAGONS {
        return Err(MindError::TooLarge(lattice.nodes()));
    }
    let from = lattice.node(world, ends[0]).ok_or(MindError::Blocked("start"))?;
    let goal = lattice.node(world, ends[1]).ok_or(MindError::Blocked("goal"))?;
    let walkers = settings.iter().map(|settings| {
        let mut mind = Mind::new(settings, seed);
        mind.learn(&lattice, from, scratch);
        let mut walker = Walker { mind, record: Record::default(), from, shortest: None, is_news: true };
        walker.set_out(&lattice, [from, goal], scratch);
        walker.record.note(&walker.mind, &lattice);
        walker
    });
    let walkers = walkers.collect();
    Ok((lattice, walkers))
}

impl Walker {
    /// Begins a walk.
    fn set_out<S: MindGround>(&mut self, lattice: &Lattice<S>, [from, goal]: [u32; 2], scratch: &mut MindScratch) {
        self.mind.set_out(lattice, from, goal);
        self.from = from;
        self.record.begin();
        self.measure(lattice, scratch);
    }

    /// Finds the shortest way of the present walk.
    fn measure<S: MindGround>(&mut self, lattice: &Lattice<S>, scratch: &mut MindScratch) {
        self.shortest = lattice.route(self.from, self.mind.goal(), scratch);
        self.is_news = true;
    }
}

/// Minds on squares or hexes.
pub(super) enum CellMinds {
    Square(Minds<SquareGrid>),
    Hex(Minds<HexGrid>),
}

impl CellMinds {
    pub(super) fn begin(asked: &command::Minds, world: &AnySnapshot, leash: &Leash) -> Result<CellMinds, MindError> {
        Ok(match world {
            AnySnapshot::Square(world) => CellMinds::Square(Minds::begin(asked, world, [0.0; 3], leash)?),
            AnySnapshot::Hex(world) => CellMinds::Hex(Minds::begin(asked, world, [0.0; 3], leash)?),
        })
    }

    pub(super) fn settle(&mut self) {
        match self {
            CellMinds::Square(minds) => minds.settle(),
            CellMinds::Hex(minds) => minds.settle(),
        }
    }

    pub(super) fn follow(&mut self, world: &AnySnapshot, edits: &[Edit]) -> bool {
        match (self, world) {
            (CellMinds::Square(minds), AnySnapshot::Square(world)) => minds.follow(world, edits),
            (CellMinds::Hex(minds), AnySnapshot::Hex(world)) => minds.follow(world, edits),
            _ => false,
        }
    }

    pub(super) fn aim(&mut self, world: &AnySnapshot, to: Place) -> Result<(), MindError> {
        match (self, world) {
            (CellMinds::Square(minds), AnySnapshot::Square(world)) => minds.aim(world, to),
            (CellMinds::Hex(minds), AnySnapshot::Hex(world)) => minds.aim(world, to),
            _ => Err(MindError::None),
        }
    }

    pub(super) fn go_on(&mut self, world: &AnySnapshot, count: u32, leash: &Leash) -> Result<Reply, MindError> {
        match (self, world) {
            (CellMinds::Square(minds), AnySnapshot::Square(world)) => Ok(minds.go_on(world, count, leash)),
            (CellMinds::Hex(minds), AnySnapshot::Hex(world)) => Ok(minds.go_on(world, count, leash)),
            _ => Err(MindError::None),
        }
    }
}
