//! What stands in for graphics processors if the feature `gpu` is off: types without a value. Not here: what can be done
//! with one.

use super::NoProcessor;
use crate::race::batch::OnProcessor;
use portolan::any::AnySnapshot;
use portolan::{Answers, BatchScratch, Cell, Planner, Query, Routed, Snapshot, Space};
use portolan_sim::crowd::flat::{FlatCrowd, FlatPlace};
use std::marker::PhantomData;
use std::time::Duration;

/// A graphics processor. There is none, because the feature `gpu` is off.
#[derive(Clone, Debug)]
pub enum Processor {}

impl Processor {
    /// Opens the fastest processor of this machine.
    ///
    /// # Errors
    /// Always, because the feature `gpu` is off.
    pub fn open() -> Result<Processor, NoProcessor> {
        Err(NoProcessor::BuiltWithout)
    }

    /// Opens a processor that is no program on the CPU.
    ///
    /// # Errors
    /// Always, because the feature `gpu` is off.
    pub fn open_hardware() -> Result<Processor, NoProcessor> {
        Err(NoProcessor::BuiltWithout)
    }

    /// Returns the name of the processor.
    pub fn name(&self) -> String {
        match *self {}
    }

    /// Returns whether this is a program on the CPU.
    pub fn is_software(&self) -> bool {
        match *self {}
    }
}

/// A planner's chart on a processor.
pub(crate) struct UploadedChart<S>(Processor, PhantomData<S>);

impl<S: Space> UploadedChart<S> {
    pub(crate) fn new(processor: &Processor, _: &Planner<S>, _: &Snapshot<S>) -> Result<UploadedChart<S>, String> {
        match *processor {}
    }

    pub(crate) fn find_many(
        &mut self,
        _: &Planner<S>,
        _: &Snapshot<S>,
        _: &[Query<S::Place>],
        _: &mut BatchScratch<S>,
    ) -> OnProcessor<Answers<S::Place>> {
        match self.0 {}
    }
}

/// The ground of a world on a processor.
pub(crate) enum UploadedGround {}

impl UploadedGround {
    pub(crate) fn new(processor: &Processor, _: &AnySnapshot) -> Result<UploadedGround, String> {
        match *processor {}
    }

    pub(crate) fn route_all(&mut self, _: Cell, _: &[Cell]) -> OnProcessor<Routed<Cell>> {
        match *self {}
    }
}

/// A crowd on a processor.
pub(crate) enum UploadedCrowd {}

impl UploadedCrowd {
    pub(crate) fn new(
        opened: Result<Processor, NoProcessor>,
        crowd: FlatCrowd,
    ) -> Result<UploadedCrowd, (Box<FlatCrowd>, NoProcessor)> {
        match opened {
            Ok(processor) => match processor {},
            Err(why) => Err((Box::new(crowd), why)),
        }
    }

    pub(crate) fn tick(&mut self) -> Option<Duration> {
        match *self {}
    }

    pub(crate) fn places(&mut self) -> Vec<FlatPlace> {
        match *self {}
    }

    pub(crate) fn state(&mut self) -> &FlatCrowd {
        match *self {}
    }

    pub(crate) fn device(&self) -> String {
        match *self {}
    }

    pub(crate) fn fault(&self) -> Option<String> {
        match *self {}
    }
}
