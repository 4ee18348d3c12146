//! How long the parts of a field took on the processor, by its own clock.

use std::time::Duration;

/// The times of the latest field and of the latest routes on the processor. All are zero if it has no clock. Moving data there
/// and back is not in them.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct FieldTimes {
    /// Finding all costs.
    pub relax: Duration,
    /// How many turns that took, in each of which the tiles that could still profit were lowered.
    pub turns: u32,
    /// Choosing the steps.
    pub point: Duration,
    /// Counting the steps of all agents.
    pub count: Duration,
    /// Adding up where the steps of each agent begin.
    pub scan: Duration,
    /// Writing the steps of all agents.
    pub write: Duration,
}

impl FieldTimes {
    /// Returns the time of all parts together.
    pub fn whole(&self) -> Duration {
        self.relax + self.point + self.count + self.scan + self.write
    }
}
