//! Graphics processors, as races and crowds see them. Not here: computing on them (`portolan-gpu`).

use super::NoProcessor;
use crate::race::batch::{ON_CPU_ONLY, OnProcessor};
use portolan::any::AnySnapshot;
use portolan::{
    Answers, BatchScratch, Cell, Fielded, HexCell, HexGrid, Planner, Query, Routed, Scratch, Snapshot, SquareGrid,
    World,
};
use portolan_gpu::{BatchRouter, DeviceCrowd, FieldMaker, Gpu, GpuError, Kind, OnDevice};
use portolan_sim::crowd::flat::{FlatCrowd, FlatPlace};
use std::time::Duration;

/// A graphics processor.
#[derive(Clone)]
pub struct Processor(Gpu);

impl Processor {
    /// Opens the fastest processor of this machine. If it has none but a driver that computes on the CPU, that one is
    /// opened.
    ///
    /// # Errors
    /// When there is no driver, or it refuses.
    pub fn open() -> Result<Processor, NoProcessor> {
        Gpu::open(Kind::Any).map(Processor).map_err(|error| NoProcessor::NotOpened(error.to_string()))
    }

    /// Opens the fastest processor of this machine that is no program on the CPU.
    ///
    /// # Errors
    /// When there is none, or it refuses.
    pub fn open_hardware() -> Result<Processor, NoProcessor> {
        Gpu::open(Kind::Hardware).map(Processor).map_err(|error| NoProcessor::NotOpened(error.to_string()))
    }

    /// Returns the name of the processor, and whether it is a program on the CPU.
    pub fn name(&self) -> String {
        let how = if self.0.is_software() { ", a program on the CPU" } else { "" };
        format!("{}{how}", self.0.name())
    }

    /// Returns whether this is a program on the CPU.
    pub fn is_software(&self) -> bool {
        self.0.is_software()
    }
}

/// A planner's chart on a processor.
pub(crate) struct UploadedChart<S: OnDevice>(BatchRouter<S>);

impl<S: OnDevice> UploadedChart<S> {
    /// Uploads a planner's chart.
    ///
    /// # Errors
    /// When its algorithm keeps no flat arrays, or the processor has no room for them; the text says which.
    pub(crate) fn new(
        processor: &Processor,
        planner: &Planner<S>,
        world: &Snapshot<S>,
    ) -> Result<UploadedChart<S>, String> {
        BatchRouter::new(processor.0.clone(), planner, world).map(UploadedChart).map_err(|error| match error {
            GpuError::NotFlat(_) => ON_CPU_ONLY.to_owned(),
            other => other.to_string(),
        })
    }

    /// Answers a batch.
    ///
    /// # Errors
    /// When the processor has failed.
    pub(crate) fn find_many(
        &mut self,
        planner: &Planner<S>,
        world: &Snapshot<S>,
        queries: &[Query<S::Place>],
        scratch: &mut BatchScratch<S>,
    ) -> OnProcessor<Answers<S::Place>> {
        let answers = self.0.find_many(planner, world, queries, scratch).map_err(|stale| stale.to_string())?;
        if let Some(fault) = self.0.fault() {
            return Err(fault.to_string());
        }
        let own = self.0.times().whole;
        Ok((answers, (own > Duration::ZERO).then_some(own)))
    }
}

/// The ground of a world on a processor, for fields.
pub(crate) enum UploadedGround {
    Square(Box<OwnGround<SquareGrid>>),
    Hex(Box<OwnGround<HexGrid>>),
}

/// The ground of a world of one kind.
pub(crate) struct OwnGround<S: Fielded> {
    world: World<S>,
    maker: FieldMaker<S>,
    scratch: Scratch<S>,
}

impl UploadedGround {
    /// Uploads the ground of a world.
    ///
    /// # Errors
    /// When the processor has no room for it; the text says so.
    pub(crate) fn new(processor: &Processor, world: &AnySnapshot) -> Result<UploadedGround, String> {
        let gpu = processor.0.clone();
        Ok(match world {
            AnySnapshot::Square(world) => UploadedGround::Square(Box::new(OwnGround::new(gpu, (**world).clone())?)),
            AnySnapshot::Hex(world) => UploadedGround::Hex(Box::new(OwnGround::new(gpu, (**world).clone())?)),
        })
    }

    /// Makes the field of a goal, and the routes there.
    ///
    /// # Errors
    /// When the processor has failed.
    pub(crate) fn route_all(&mut self, goal: Cell, starts: &[Cell]) -> OnProcessor<Routed<Cell>> {
        match self {
            UploadedGround::Square(ground) => ground.route_all(goal, starts),
            UploadedGround::Hex(ground) => {
                let hexes: Vec<HexCell> = starts.iter().map(|&start| start.into()).collect();
                let (routed, own) = ground.route_all(goal.into(), &hexes)?;
                Ok((routed.map(|hex| hex.cell().expect("a route stays on the map")), own))
            }
        }
    }
}

impl<S: Fielded> OwnGround<S> {
    fn new(gpu: Gpu, space: S) -> Result<OwnGround<S>, String> {
        let world = World::from(space);
        let maker = FieldMaker::new(gpu, &world).map_err(|error| error.to_string())?;
        Ok(OwnGround { world, maker, scratch: Scratch::new() })
    }

    fn route_all(&mut self, goal: S::Place, starts: &[S::Place]) -> OnProcessor<Routed<S::Place>> {
        let routed = self.maker.route_all(&self.world, &[goal], starts, &mut self.scratch);
        let routed = routed.map_err(|error| error.to_string())?;
        if let Some(fault) = self.maker.fault() {
            return Err(fault.to_string());
        }
        let own = self.maker.times().whole();
        Ok((routed, (own > Duration::ZERO).then_some(own)))
    }
}

/// A crowd on a processor.
pub(crate) struct UploadedCrowd(DeviceCrowd);

impl UploadedCrowd {
    /// Uploads a crowd to a processor that may have been opened. If the processor refuses the crowd, it walks on the CPU.
    ///
    /// # Errors
    /// When there is no processor: then the crowd comes back, with the reason.
    pub(crate) fn new(
        opened: Result<Processor, NoProcessor>,
        crowd: FlatCrowd,
    ) -> Result<UploadedCrowd, (Box<FlatCrowd>, NoProcessor)> {
        match opened {
            Ok(Processor(gpu)) => Ok(UploadedCrowd(DeviceCrowd::new(gpu, crowd))),
            Err(why) => Err((Box::new(crowd), why)),
        }
    }

    /// Lets a tick pass, and returns how long it took by the processor's own clock, if it has one.
    pub(crate) fn tick(&mut self) -> Option<Duration> {
        let own = self.0.timed_tick().whole;
        (own > Duration::ZERO).then_some(own)
    }

    pub(crate) fn places(&mut self) -> Vec<FlatPlace> {
        self.0.places()
    }

    pub(crate) fn state(&mut self) -> &FlatCrowd {
        self.0.state()
    }

    pub(crate) fn device(&self) -> String {
        Processor(self.0.gpu().clone()).name()
    }

    pub(crate) fn fault(&self) -> Option<String> {
        self.0.fault().map(ToString::to_string)
    }
}
