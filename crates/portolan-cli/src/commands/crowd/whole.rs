//! Crowds of whole numbers: `portolan crowd --whole` and `--gpu`.
//!
//! Not here: what is printed.

use super::{Times, Walked};
use crate::args::CrowdArgs;
use crate::terminal::Progress;
use anyhow::Result;
use portolan::Planner;
use portolan_lab::crowd::ProcessorCrowd;
use portolan_sim::crowd::flat::{FlatCrowd, FlatKind, FlatOptions};
use std::time::{Duration, Instant};

/// After how many ticks it is looked at whether all agents are on the ground: their states come down for that.
const LOOKED_AT_EVERY: u64 = 60;

/// Lets a crowd of random agents walk for as long as the arguments say.
pub(super) fn walk<G: FlatKind + Sync>(ground: &G, planner: &Planner<G::Space>, args: &CrowdArgs) -> Result<Walked> {
    let options = FlatOptions { agents: args.agents as usize, radius: args.radius, speed: args.speed, seed: args.seed };
    let crowd = FlatCrowd::populate(ground, planner, &options)?;
    let mut crowd = if args.whole.gpu { ProcessorCrowd::on_fastest(crowd) } else { ProcessorCrowd::on_cpu(crowd) };
    let ticks = u64::from(args.seconds) * u64::from(FlatCrowd::PER_SECOND);
    let mut progress = Progress::new("walking");
    let (mut total, mut worst, mut off_the_ground) = (Duration::ZERO, Duration::ZERO, 0);
    let (mut on_device, mut timed) = (Duration::ZERO, 0);
    for tick in 1..=ticks {
        let begun = Instant::now();
        let own = crowd.tick();
        let took = begun.elapsed();
        (total, worst) = (total + took, worst.max(took));
        if let Some(own) = own {
            (on_device, timed) = (on_device + own, timed + 1);
        }
        if tick.is_multiple_of(LOOKED_AT_EVERY) || tick == ticks {
            off_the_ground = off_the_ground.max(crowd.state().tally().off_the_ground);
        }
        let _ = progress.at(tick - 1, ticks);
    }
    let times =
        Times { device_ms: (timed > 0).then(|| super::millis(on_device / timed)), ..Times::of(ticks, total, worst) };
    let tally = crowd.state().tally();
    let (device, no_gpu) = (Some(crowd.device()), crowd.fault());
    Ok(Walked { device, no_gpu, ..Walked::new(tally, off_the_ground, ticks, times) })
}
