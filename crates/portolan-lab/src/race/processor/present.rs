//! Graphics processors, as races see them. Not here: computing on them (`portolan-gpu`).

use super::NoProcessor;
use crate::race::batch::{ON_CPU_ONLY, OnProcessor};
use portolan::{Answers, BatchScratch, MeshPoint, NavMesh, Planner, Query, Snapshot};
use portolan_gpu::{BatchRouter, Gpu, GpuError, Kind};
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
pub(crate) struct UploadedChart(BatchRouter);

impl UploadedChart {
    /// Uploads a planner's chart.
    ///
    /// # Errors
    /// When its algorithm keeps no flat arrays, or the processor has no room for them; the text says which.
    pub(crate) fn new(
        processor: &Processor,
        planner: &Planner<NavMesh>,
        world: &Snapshot<NavMesh>,
    ) -> Result<UploadedChart, String> {
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
        planner: &Planner<NavMesh>,
        world: &Snapshot<NavMesh>,
        queries: &[Query<MeshPoint>],
        scratch: &mut BatchScratch<NavMesh>,
    ) -> OnProcessor<Answers<MeshPoint>> {
        let answers = self.0.find_many(planner, world, queries, scratch).map_err(|stale| stale.to_string())?;
        if let Some(fault) = self.0.fault() {
            return Err(fault.to_string());
        }
        let own = self.0.times().whole;
        Ok((answers, (own > Duration::ZERO).then_some(own)))
    }
}
