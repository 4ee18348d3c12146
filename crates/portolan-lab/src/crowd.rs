//! A crowd of whole numbers on a graphics processor if there is one, else on the CPU ([`ProcessorCrowd`]). It walks in the same
//! way on both.
//!
//! Not here: how it walks (`portolan-sim`), and computing on graphics processors (`portolan-gpu`).

use crate::race::{NoProcessor, Processor, UploadedCrowd};
use portolan_sim::crowd::flat::{Body, FlatCrowd, FlatPlace};
use std::time::Duration;

/// A crowd of whole numbers, and where it is computed.
pub struct ProcessorCrowd(On);

enum On {
    Cpu {
        crowd: Box<FlatCrowd>,
        /// Why it is not computed on a graphics processor, if one was wanted.
        fault: Option<String>,
    },
    Processor(Box<UploadedCrowd>),
}

impl ProcessorCrowd {
    /// Returns a crowd that is computed on the CPU.
    pub fn on_cpu(crowd: FlatCrowd) -> ProcessorCrowd {
        ProcessorCrowd(On::Cpu { crowd: Box::new(crowd), fault: None })
    }

    /// Returns a crowd that is computed on the fastest graphics processor of this machine, or on the CPU if there is none;
    /// [`ProcessorCrowd::fault`] tells why.
    pub fn on_fastest(crowd: FlatCrowd) -> ProcessorCrowd {
        ProcessorCrowd::on(Processor::open(), crowd)
    }

    /// Returns a crowd that is computed on the fastest graphics processor of this machine that is no program on the CPU, or on the
    /// CPU if there is none; [`ProcessorCrowd::fault`] tells why.
    pub fn on_hardware(crowd: FlatCrowd) -> ProcessorCrowd {
        ProcessorCrowd::on(Processor::open_hardware(), crowd)
    }

    fn on(opened: Result<Processor, NoProcessor>, crowd: FlatCrowd) -> ProcessorCrowd {
        ProcessorCrowd(match UploadedCrowd::new(opened, crowd) {
            Ok(crowd) => On::Processor(Box::new(crowd)),
            Err((crowd, why)) => On::Cpu { crowd, fault: Some(why.to_string()) },
        })
    }

    /// Lets a sixtieth of a second pass. Returns how long that took by the graphics processor's own clock, if it has one.
    pub fn tick(&mut self) -> Option<Duration> {
        match &mut self.0 {
            On::Cpu { crowd, .. } => {
                crowd.tick();
                None
            }
            On::Processor(crowd) => crowd.tick(),
        }
    }

    /// Returns where all agents are, in the order in which they were added.
    pub fn places(&mut self) -> Vec<FlatPlace> {
        match &mut self.0 {
            On::Cpu { crowd, .. } => crowd.bodies().iter().map(Body::place).collect(),
            On::Processor(crowd) => crowd.places(),
        }
    }

    /// Returns the crowd as it is now. All of its state comes down from a graphics processor for that.
    pub fn state(&mut self) -> &FlatCrowd {
        match &mut self.0 {
            On::Cpu { crowd, .. } => crowd,
            On::Processor(crowd) => crowd.state(),
        }
    }

    /// Returns the name of the processor that computes the crowd: `CPU`, or that of a graphics processor.
    pub fn device(&self) -> String {
        match &self.0 {
            On::Processor(crowd) if crowd.fault().is_none() => crowd.device(),
            _ => "CPU".into(),
        }
    }

    /// Returns why the crowd is not computed on a graphics processor although one was wanted.
    pub fn fault(&self) -> Option<String> {
        match &self.0 {
            On::Cpu { fault, .. } => fault.clone(),
            On::Processor(crowd) => crowd.fault(),
        }
    }
}
