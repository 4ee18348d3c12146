//! The planners of a simulation. Walkers with the same algorithm, the same settings and the same [`Follow`] share one
//! ([`SharedPlanner`]) that is up to date when they join; it follows edits once for all of them.
//!
//! Not here: what walkers do with their planners, and making the next planner on another thread (`rebuild.rs`).

use crate::behaviour::Follow;
use crate::rebuild::{Behind, anew};
use portolan::any::{AnyPlanner, AnySnapshot};
use portolan::{Edit, Unsuited};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// A planner that any number of walkers use, and how it follows edits.
pub(crate) struct SharedPlanner {
    /// Shared with the thread that makes the next planner.
    planner: Arc<AnyPlanner>,
    follow: Follow,
    /// The state of the next planner, while one is being made.
    behind: Option<Behind>,
    /// Why the planner could not be brought up to date with the world.
    lost: Option<Unsuited>,
    /// What happened to the planner in the latest call that changed it, for its walkers.
    news: Vec<News>,
}

/// Something that happened to a planner.
pub(crate) enum News {
    /// It was repaired after edits.
    Repaired { clusters: usize, took: Duration },
    /// It was out of date and was built anew.
    Rebuilt { took: Duration },
    /// The next one was begun on another thread.
    Begun { ticks: u64 },
    /// The next one was handed over. It was repaired, or else built anew if `clusters` is `None`; `edits` lead to it from
    /// the one before.
    Ready { clusters: Option<usize>, took: Duration, edits: Vec<Edit> },
    /// The next one could not be made.
    Failed,
}

impl News {
    /// Returns the edits that lead from the planner before to the one that was handed over.
    pub(crate) fn edits(&self) -> &[Edit] {
        if let News::Ready { edits, .. } = self { edits } else { &[] }
    }
}

impl SharedPlanner {
    /// Returns a planner for walkers to share. If it is not for the world as it is now, it is built anew.
    fn new(planner: Arc<AnyPlanner>, follow: Follow, world: &AnySnapshot) -> SharedPlanner {
        let mut shared = SharedPlanner { planner, follow, behind: None, lost: None, news: Vec::new() };
        shared.catch_up(world);
        shared
    }

    pub(crate) fn planner(&self) -> &AnyPlanner {
        &self.planner
    }

    /// Returns the world that the planner is for, where `world` is the world as it is now.
    pub(crate) fn known<'a>(&'a self, world: &'a AnySnapshot) -> &'a AnySnapshot {
        self.behind.as_ref().map_or(world, |behind| &behind.known)
    }

    pub(crate) fn is_behind(&self) -> bool {
        self.behind.is_some()
    }

    pub(crate) fn lost(&self) -> Option<Unsuited> {
        self.lost
    }

    pub(crate) fn news(&self) -> &[News] {
        &self.news
    }

    /// Returns whether a walker whose planner has this algorithm and these settings, and follows edits like this, can
    /// use this planner from now on.
    fn serves(&self, planner: &AnyPlanner, follow: Follow, world: &AnySnapshot) -> bool {
        let own = &self.planner;
        let is_alike = own.algorithm() == planner.algorithm() && own.settings() == planner.settings();
        let is_current = self.behind.is_none() && self.lost.is_none() && own.revision() == world.revision();
        is_alike && is_current && self.follow == follow
    }

    /// Follows edits that the world has just seen. `before` is the world without them; it is given if any planner
    /// follows by [`Follow::Rebuild`].
    fn edited(&mut self, before: Option<&AnySnapshot>, world: &AnySnapshot, edits: &[Edit], tick: u64) {
        self.news.clear();
        match (self.follow, before, &mut self.behind) {
            (Follow::Rebuild { .. }, _, Some(behind)) => behind.late.extend(edits),
            (Follow::Rebuild { ticks }, Some(before), None) => {
                self.begin(before.clone(), world, edits.to_vec(), ticks, tick);
            }
            _ => self.repair(world, edits),
        }
    }

    fn repair(&mut self, world: &AnySnapshot, edits: &[Edit]) {
        let begun = Instant::now();
        if let Ok(repair) = Arc::make_mut(&mut self.planner).repair(world, edits) {
            self.news.push(News::Repaired { clusters: repair.clusters, took: begun.elapsed() });
        } else {
            self.catch_up(world);
        }
    }

    /// Builds the planner anew if it is not for the world as it is now.
    fn catch_up(&mut self, world: &AnySnapshot) {
        if self.planner.revision() == world.revision() {
            return;
        }
        let begun = Instant::now();
        match anew(&self.planner, world) {
            Ok(planner) => {
                (self.planner, self.lost) = (Arc::new(planner), None);
                self.news.push(News::Rebuilt { took: begun.elapsed() });
            }
            Err(unsuited) => self.lost = Some(unsuited),
        }
    }

    /// Begins to make the next planner. The present one is for the world `known`, and `edits` lead from there to
    /// `world`.
    fn begin(&mut self, known: AnySnapshot, world: &AnySnapshot, edits: Vec<Edit>, ticks: u64, tick: u64) {
        self.news.push(News::Begun { ticks });
        let due = tick.saturating_add(ticks);
        self.behind = Some(Behind::begin(Arc::clone(&self.planner), known, world.clone(), edits, due));
    }

    /// Takes over the next planner if its tick has come, and begins another if edits have come since.
    fn receive(&mut self, world: &AnySnapshot, tick: u64) {
        self.news.clear();
        while let Some(behind) = self.behind.take_if(|behind| behind.is_due(tick)) {
            let (made, known, edits, late) = behind.finish();
            match made.planner {
                Ok(planner) => {
                    (self.planner, self.lost) = (Arc::new(planner), None);
                    self.news.push(News::Ready { clusters: made.clusters, took: made.took, edits });
                }
                Err(unsuited) => {
                    self.lost = Some(unsuited);
                    self.news.push(News::Failed);
                }
            }
            if let (false, Follow::Rebuild { ticks }) = (late.is_empty(), self.follow) {
                self.begin(known, world, late, ticks, tick);
            }
        }
    }

    /// Sets how the planner follows edits. A planner that is to be repaired from now on is built anew if it is out of
    /// date.
    fn set_follow(&mut self, follow: Follow, world: &AnySnapshot) {
        self.news.clear();
        self.follow = follow;
        if follow == Follow::Repair && self.behind.take().is_some() {
            self.catch_up(world);
        }
    }

    /// Returns a planner that is what this one is, but follows edits in another way. If this one is out of date, the new
    /// one is built anew, or, with [`Follow::Rebuild`], its own next planner is begun.
    fn split(&self, follow: Follow, world: &AnySnapshot, tick: u64) -> SharedPlanner {
        let (planner, lost) = (Arc::clone(&self.planner), self.lost);
        let mut split = SharedPlanner { planner, follow, behind: None, lost, news: Vec::new() };
        match (&self.behind, follow) {
            (Some(behind), Follow::Rebuild { ticks }) => {
                let edits = [&behind.edits[..], &behind.late].concat();
                split.begin(behind.known.clone(), world, edits, ticks, tick);
            }
            (Some(_), Follow::Repair) => split.catch_up(world),
            (None, _) => {}
        }
        split
    }
}

/// The planners of a simulation by their numbers, which walkers keep.
#[derive(Default)]
pub(crate) struct Planners {
    shared_by_number: BTreeMap<usize, SharedPlanner>,
    /// The number of the next planner.
    next: usize,
}

impl Planners {
    pub(crate) fn get(&self, number: usize) -> &SharedPlanner {
        &self.shared_by_number[&number]
    }

    /// Returns the number of a planner with the algorithm and settings of this one: of one that is there, if it follows
    /// edits in this way and is up to date, or else of this one, which is added.
    pub(crate) fn join(&mut self, planner: AnyPlanner, follow: Follow, world: &AnySnapshot) -> usize {
        let serving = self.serving(&planner, follow, world);
        serving.unwrap_or_else(|| self.add(SharedPlanner::new(Arc::new(planner), follow, world)))
    }

    /// Returns the number of a planner that can be used in place of this one. It has no news.
    fn serving(&mut self, planner: &AnyPlanner, follow: Follow, world: &AnySnapshot) -> Option<usize> {
        let mut all = self.shared_by_number.iter_mut();
        let (&number, shared) = all.find(|(_, shared)| shared.serves(planner, follow, world))?;
        shared.news.clear();
        Some(number)
    }

    fn add(&mut self, shared: SharedPlanner) -> usize {
        let number = self.next;
        self.shared_by_number.insert(number, shared);
        self.next += 1;
        number
    }

    /// Returns the number of a planner that is what the one of this number is, but follows edits in another way. If the
    /// other walkers do not use the planner (`is_sole`), it is the same planner, unless there is one to share.
    pub(crate) fn refollow(
        &mut self,
        number: usize,
        follow: Follow,
        is_sole: bool,
        world: &AnySnapshot,
        tick: u64,
    ) -> usize {
        let planner = Arc::clone(&self.get(number).planner);
        if let Some(serving) = self.serving(&planner, follow, world) {
            return serving;
        }
        drop(planner);
        if is_sole && let Some(shared) = self.shared_by_number.get_mut(&number) {
            shared.set_follow(follow, world);
            return number;
        }
        let split = self.get(number).split(follow, world, tick);
        self.add(split)
    }

    /// Drops the planners that are not among those in use.
    pub(crate) fn retain(&mut self, is_used: impl Fn(usize) -> bool) {
        self.shared_by_number.retain(|&number, _| is_used(number));
    }

    /// Returns whether any planner follows edits by [`Follow::Rebuild`].
    pub(crate) fn any_rebuilds(&self) -> bool {
        self.shared_by_number.values().any(|shared| shared.follow != Follow::Repair)
    }

    /// Has every planner follow edits; see [`SharedPlanner::edited`].
    pub(crate) fn edited(&mut self, before: Option<&AnySnapshot>, world: &AnySnapshot, edits: &[Edit], tick: u64) {
        for shared in self.shared_by_number.values_mut() {
            shared.edited(before, world, edits, tick);
        }
    }

    /// Has every planner be replaced by its next one whose tick has come.
    pub(crate) fn receive(&mut self, world: &AnySnapshot, tick: u64) {
        for shared in self.shared_by_number.values_mut() {
            shared.receive(world, tick);
        }
    }
}
