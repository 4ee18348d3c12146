//! What stands in for graphics processors if the feature `gpu` is off: types without a value. Not here: what can be done
//! with one.

use super::NoProcessor;
use crate::race::batch::OnProcessor;
use portolan::{Answers, BatchScratch, MeshPoint, NavMesh, Planner, Query, Snapshot};
use portolan_sim::crowd::flat::{FlatCrowd, FlatPlace};
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
}

/// A planner's chart on a processor.
pub(crate) enum UploadedChart {}

impl UploadedChart {
    pub(crate) fn new(
        processor: &Processor,
        _: &Planner<NavMesh>,
        _: &Snapshot<NavMesh>,
    ) -> Result<UploadedChart, String> {
        match *processor {}
    }

    pub(crate) fn find_many(
        &mut self,
        _: &Planner<NavMesh>,
        _: &Snapshot<NavMesh>,
        _: &[Query<MeshPoint>],
        _: &mut BatchScratch<NavMesh>,
    ) -> OnProcessor<Answers<MeshPoint>> {
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
