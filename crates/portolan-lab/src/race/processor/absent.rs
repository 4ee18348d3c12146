//! What stands in for graphics processors if the feature `gpu` is off: types without a value. Not here: what can be done
//! with one.

use super::NoProcessor;
use crate::race::batch::OnProcessor;
use portolan::{Answers, BatchScratch, MeshPoint, NavMesh, Planner, Query, Snapshot};

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
