//! How long the parts of a batch took on the processor, by its own clock, and how long the upload of an edit took.

use std::time::Duration;

/// The times of the latest batch on the processor. All are zero if it has no clock. Moving data there and back is not in
/// them.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct Times {
    /// Bringing queries with the same nodes, or with near ends, together.
    pub order: Duration,
    /// Walking in plain sight; zero on meshes.
    pub sight: Duration,
    /// Finding the least sums.
    pub price: Duration,
    /// Searching; zero on squares.
    pub search: Duration,
    /// Finding the first steps, which with the costs are then known, and by rows of costs the lengths too; zero on meshes.
    pub first: Duration,
    /// Counting the portals of all corridors, or the cells of all routes.
    pub count: Duration,
    /// Adding up where each corridor and each route begins.
    pub scan: Duration,
    /// Writing corridors and pulling strings through them, or writing the cells of routes.
    pub walk: Duration,
    /// Writing the places of routes on meshes.
    pub gather: Duration,
    /// From the beginning of the first part to the end of the last.
    pub whole: Duration,
}

impl Times {
    /// Adds the times of another part of the batch.
    pub(crate) fn add(&mut self, other: Times) {
        self.order += other.order;
        self.sight += other.sight;
        self.price += other.price;
        self.first += other.first;
        self.search += other.search;
        self.count += other.count;
        self.scan += other.scan;
        self.walk += other.walk;
        self.gather += other.gather;
        self.whole += other.whole;
    }
}

/// How long the latest edit took to be uploaded.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
#[non_exhaustive]
pub struct SyncTimes {
    /// Asking the planner what has changed, and if it cannot tell, for all its arrays.
    pub flatten: Duration,
    /// Comparing that with what the processor has.
    pub compare: Duration,
    /// Handing over what differs.
    pub upload: Duration,
}
