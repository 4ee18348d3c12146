//! Fields made on a graphics processor: [`FieldMaker`].
//!
//! Not here: the programs that compute (`field/*.wgsl`) and how they are run (`field/run.rs`).

mod run;
mod times;
mod unroll;

pub use times::FieldTimes;

use crate::error::GpuError;
use crate::gpu::{Gpu, Kind};
use portolan::flat::FlatGrid;
use portolan::probe::NodeId;
use portolan::{Cost, Extras, Field, FieldError, Fielded, Revision, Routed, Scratch, Space, SquareGrid, Stale, World};
use run::{Laid, Runner};
use std::marker::PhantomData;
use std::ops::Range;
use unroll::unroll;

/// The most agents that are given to the processor at once.
const MOST_AGENTS: usize = 1 << 20;

/// Makes fields on a graphics processor, for many agents with one goal: those of [`Field::new`], byte by byte, and the routes of
/// [`Field::descend_many`].
///
/// The ground is uploaded once, and after edits what has changed. A field can stay on the processor, where agents walk by it
/// ([`FieldMaker::lay`]), or come down ([`FieldMaker::make`]). What the processor cannot do the CPU does, and
/// [`FieldMaker::fault`] tells why.
pub struct FieldMaker<S: Space = SquareGrid> {
    /// The programs and the ground, `None` if there is no processor.
    runner: Option<Runner>,
    flat: FlatGrid,
    words: Vec<u32>,
    revision: Revision,
    fault: Option<GpuError>,
    space: PhantomData<fn(&S)>,
}

/// A field that lies on a graphics processor.
pub struct FieldOnGpu<S: Space = SquareGrid> {
    laid: Laid,
    goals: Vec<S::Place>,
    range: Option<Cost>,
    revision: Revision,
}

/// Why there is no field, or none on a graphics processor.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LayError<P> {
    /// There can be no field of these goals.
    #[error(transparent)]
    Field(#[from] FieldError<P>),
    /// The processor cannot do its part.
    #[error(transparent)]
    Gpu(#[from] GpuError),
}

impl<S: Fielded> FieldMaker<S> {
    /// Uploads the ground of a world to a processor.
    ///
    /// # Errors
    /// When the processor refuses the programs, or has no room for the ground.
    pub fn new(gpu: Gpu, world: &World<S>) -> Result<FieldMaker<S>, GpuError> {
        let mut maker = FieldMaker::without(world, None);
        maker.runner = Some(Runner::new(gpu, &maker.flat, &maker.words)?);
        Ok(maker)
    }

    /// Opens a processor of this kind and uploads the ground of a world to it. If that fails, all fields are made on the CPU,
    /// and [`FieldMaker::fault`] tells why.
    pub fn open(kind: Kind, world: &World<S>) -> FieldMaker<S> {
        Gpu::open(kind)
            .and_then(|gpu| FieldMaker::new(gpu, world))
            .unwrap_or_else(|fault| FieldMaker::without(world, Some(fault)))
    }

    fn without(world: &World<S>, fault: Option<GpuError>) -> FieldMaker<S> {
        let flat = FlatGrid::of(world);
        let words = packed(&flat, 0..flat.moves.len().div_ceil(2)).collect();
        FieldMaker { runner: None, flat, words, revision: world.revision(), fault, space: PhantomData }
    }

    /// Uploads what edits have changed in the world, and returns how many bytes that took. All other calls do so by themselves.
    ///
    /// # Errors
    /// When the processor has failed.
    pub fn sync(&mut self, world: &World<S>) -> Result<usize, GpuError> {
        if self.revision == world.revision() {
            return Ok(0);
        }
        let written = self.flat.update(world, self.revision);
        self.revision = world.revision();
        let count = self.flat.moves.len().div_ceil(2);
        let Some(runner) = &mut self.runner else { return Ok(0) };
        if !runner.fits(&self.flat) {
            self.words = packed(&self.flat, 0..count).collect();
            *runner = Runner::new(runner.gpu().clone(), &self.flat, &self.words)?;
            return Ok(4 * count);
        }
        let mut changes: Vec<Range<usize>> = Vec::new();
        for nodes in written {
            let range = nodes.start / 2..nodes.end.div_ceil(2);
            for (word, new) in range.clone().zip(packed(&self.flat, range)) {
                if std::mem::replace(&mut self.words[word], new) == new {
                    continue;
                }
                match changes.last_mut() {
                    Some(last) if last.end == word => last.end += 1,
                    _ => changes.push(word..word + 1),
                }
            }
        }
        runner.patch(&self.words, &changes)?;
        Ok(changes.iter().map(|range| 4 * range.len()).sum())
    }

    /// Makes the field of these goals as [`Field::new`] does, on the processor if it can.
    ///
    /// # Errors
    /// As [`Field::new`].
    pub fn make(
        &mut self,
        world: &World<S>,
        goals: &[S::Place],
        range: Option<Cost>,
        scratch: &mut Scratch<S>,
    ) -> Result<Field<S>, FieldError<S::Place>> {
        match self.lay(world, goals, range).and_then(|field| self.fetch(world, &field)) {
            Ok(field) => Ok(field),
            Err(LayError::Field(error)) => Err(error),
            Err(LayError::Gpu(GpuError::Extras(_))) => Field::new(world, goals, range, scratch),
            Err(LayError::Gpu(fault)) => {
                self.fault = Some(fault);
                Field::new(world, goals, range, scratch)
            }
        }
    }

    /// Finds the routes of many agents to the nearest of these goals, as [`Field::descend_many`] does, on the processor if it
    /// can.
    ///
    /// # Errors
    /// As [`Field::new`].
    pub fn route_all(
        &mut self,
        world: &World<S>,
        goals: &[S::Place],
        starts: &[S::Place],
        scratch: &mut Scratch<S>,
    ) -> Result<Routed<S::Place>, FieldError<S::Place>> {
        match self.lay(world, goals, None).and_then(|field| Ok(self.descend_many(world, &field, starts)?)) {
            Ok(routed) => Ok(routed),
            Err(LayError::Field(error)) => Err(error),
            Err(LayError::Gpu(fault)) => {
                self.fault = Some(fault).filter(|fault| !matches!(fault, GpuError::Extras(_)));
                let field = Field::new(world, goals, None, scratch)?;
                Ok(field.descend_many(world, starts).expect("the field was made for this revision"))
            }
        }
    }

    /// Makes the field of these goals and leaves it on the processor.
    ///
    /// # Errors
    /// When there can be no field of these goals, there is no processor, or it has failed.
    pub fn lay(
        &mut self,
        world: &World<S>,
        goals: &[S::Place],
        range: Option<Cost>,
    ) -> Result<FieldOnGpu<S>, LayError<S::Place>> {
        Field::check_goals(world, goals)?;
        if world.extras() > Extras::Walls {
            return Err(GpuError::Extras(world.extras()).into());
        }
        if let Some(fault) = &self.fault {
            return Err(fault.clone().into());
        }
        self.sync(world)?;
        let nodes: Vec<u32> = goals.iter().filter_map(|&goal| world.node_of(goal)).map(|node| node.0).collect();
        let laid = self.runner()?.lay(&nodes, range.map_or(u32::MAX - 1, |range| range.0.min(u32::MAX - 1)))?;
        Ok(FieldOnGpu { laid, goals: goals.to_vec(), range, revision: world.revision() })
    }

    /// Returns a field that lies on the processor.
    ///
    /// # Errors
    /// When the world has been edited since the field was made, or the processor has failed.
    pub fn fetch(&mut self, world: &World<S>, field: &FieldOnGpu<S>) -> Result<Field<S>, LayError<S::Place>> {
        field.check_knows(world)?;
        let (costs, steps) = self.runner()?.fetch(&field.laid)?;
        Field::from_arrays(world, &field.goals, field.range, costs, steps).map_err(|error| match error {
            FieldError::Torn(_) => GpuError::Failed(error.to_string()).into(),
            _ => error.into(),
        })
    }

    /// Returns the routes of many agents by a field that lies on the processor, as [`Field::descend_many`] does.
    ///
    /// # Errors
    /// When the world has been edited since the field was made, or the processor has failed.
    pub fn descend_many(
        &mut self,
        world: &World<S>,
        field: &FieldOnGpu<S>,
        starts: &[S::Place],
    ) -> Result<Routed<S::Place>, GpuError> {
        field.check_knows(world)?;
        let mut routed = Routed { costs: Vec::with_capacity(starts.len()), offsets: vec![0], places: Vec::new() };
        let (mut rest, mut size) = (starts, MOST_AGENTS);
        while !rest.is_empty() {
            let (piece, others) = rest.split_at(rest.len().min(size));
            let nodes = nodes_of(world, piece);
            match self.runner()?.walk(&field.laid, &nodes) {
                Ok(walked) => {
                    unroll(&self.flat, &nodes, &walked, |node| world.place(NodeId(node)), &mut routed)?;
                    rest = others;
                }
                // Half as many agents need half as much room.
                Err(GpuError::TooLarge { .. }) if piece.len() > 1 => size = piece.len() / 2,
                Err(error) => return Err(error),
            }
        }
        Ok(routed)
    }

    /// Follows a field from many places again and again, and leaves the steps on the processor, as for a crowd that walks there.
    /// Returns the times of each round.
    ///
    /// # Errors
    /// When the world has been edited since the field was made, the processor has failed, or the agents are too many to be
    /// routed at once.
    pub fn time(
        &mut self,
        world: &World<S>,
        field: &FieldOnGpu<S>,
        starts: &[S::Place],
        rounds: usize,
    ) -> Result<Vec<FieldTimes>, GpuError> {
        field.check_knows(world)?;
        let nodes = nodes_of(world, starts);
        let runner = self.runner()?;
        runner.walk(&field.laid, &nodes)?;
        (0..rounds).map(|_| runner.walk_again(&field.laid, starts.len(), true).map(|()| runner.times)).collect()
    }

    /// Returns how long the latest field and the latest routes took on the processor.
    pub fn times(&self) -> FieldTimes {
        self.runner.as_ref().map(|runner| runner.times).unwrap_or_default()
    }

    /// Returns why the processor does nothing any more, or `None` if it does.
    pub fn fault(&self) -> Option<&GpuError> {
        self.fault.as_ref()
    }

    /// Returns the processor, or `None` if there is none.
    pub fn gpu(&self) -> Option<&Gpu> {
        self.runner.as_ref().map(Runner::gpu)
    }

    /// Returns the bytes that the ground takes on the processor.
    pub fn bytes(&self) -> usize {
        4 * self.words.len()
    }

    fn runner(&mut self) -> Result<&mut Runner, GpuError> {
        let none = || GpuError::None("none was opened".into());
        self.runner.as_mut().ok_or_else(|| self.fault.clone().unwrap_or_else(none))
    }
}

impl<S: Space> FieldOnGpu<S> {
    /// Returns the goals.
    pub fn goals(&self) -> &[S::Place] {
        &self.goals
    }

    /// Returns the revision of the world that the field was made for.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    fn check_knows(&self, world: &World<S>) -> Result<(), GpuError> {
        let (built, asked) = (self.revision, world.revision());
        if built == asked { Ok(()) } else { Err(Stale { built, asked }.into()) }
    }
}

/// Returns the nodes of places. For one off the map it is a node of the rim, from where no way leads.
fn nodes_of<S: Fielded>(world: &World<S>, places: &[S::Place]) -> Vec<u32> {
    places.iter().map(|&at| world.node_of(at).map_or(0, |node| node.0)).collect()
}

/// Returns words of the ground: for each of two nodes its moves and, above them, its weight.
fn packed(flat: &FlatGrid, words: Range<usize>) -> impl Iterator<Item = u32> + '_ {
    let half = |node: usize| match (flat.moves.get(node), flat.weights.get(node)) {
        (Some(&moves), Some(&weight)) => u32::from(moves) | u32::from(weight) << 8,
        _ => 0,
    };
    words.map(move |word| half(2 * word) | half(2 * word + 1) << 16)
}
