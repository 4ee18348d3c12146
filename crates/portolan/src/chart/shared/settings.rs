//! Settings that several charts have in common.

use crate::route::smooth::Smoothing;
use crate::settings::{Param, Settings};

pub(in crate::chart) const DIRECT: Param =
    Param::choice("direct", "whether to walk to a goal in plain sight without asking the chart", &["yes", "no"]);
pub(in crate::chart) const SMOOTHING: Param = Param::choice(
    "smoothing",
    "taut pulls the route tight; hpa-2004 takes straight lines as that paper does; straight is taut, then any angle",
    &["none", "hpa-2004", "taut", "straight"],
);

/// Returns the smoothing of steps that [`SMOOTHING`] is set to, or `None` if it is set to `none`. A route that will be
/// straightened is pulled tight first.
pub(in crate::chart) fn smoothing(settings: &Settings) -> Option<Smoothing> {
    if settings.choice(SMOOTHING.name) == "straight" {
        return Some(Smoothing::Taut);
    }
    let named = Smoothing::NAMED.iter().find(|(name, _)| *name == settings.choice(SMOOTHING.name));
    named.map(|&(_, smoothing)| smoothing)
}

pub(in crate::chart) const THREADS: Param =
    Param::count("threads", "threads to build with; 0 takes all there are", 0, 0, 256);

/// Returns how many threads a chart is built with.
pub(in crate::chart) fn threads(settings: &Settings) -> usize {
    match settings.count(THREADS.name) as usize {
        0 => std::thread::available_parallelism().map_or(1, usize::from),
        threads => threads,
    }
}
