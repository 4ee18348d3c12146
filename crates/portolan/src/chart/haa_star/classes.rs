//! The classes of agents that an annotated chart serves, and the chart that the planners of all classes share.
//!
//! A class is what one planner has of the chart, or what several have whose worlds are at one revision. Where one of these
//! goes on to another revision while others stay behind, as after a clone was made to be repaired, it gets a class of its
//! own, which has everything in common with the old one but what its repair changes. A class ends with its last planner; what
//! it had is dropped when a class is made.
//!
//! Not here: what the classes find (`table.rs`), and how the chart keeps it (`annotated.rs`).

use super::annotated::{Annotated, Classes};
use super::table::Table;
use crate::chart::shared::layout::Layout;
use crate::id::next_serial;
use crate::space::Revision;
use std::sync::{Arc, RwLock, RwLockReadGuard, Weak};

/// The most classes that a chart serves at once.
pub(super) const MOST: usize = Classes::BITS as usize;

/// A class of agents.
pub(super) struct Class {
    /// The bit that stands for it in the chart.
    pub(super) bit: Classes,
    /// A number of what it has at its revision; no other class has ever had it.
    pub(super) serial: u64,
    /// The revision of the world that it sees.
    revision: Revision,
}

/// A chart and its classes, shared by planners.
pub(super) struct Shared {
    pub(super) layout: Layout,
    state: RwLock<State>,
}

struct State {
    chart: Annotated,
    /// The classes by the number of their bit. One that no planner has is gone.
    classes: [Weak<Class>; MOST],
    /// The classes of which there may be anything in the chart.
    present: Classes,
}

/// A chart that is being read.
pub(super) struct Reading<'a>(RwLockReadGuard<'a, State>);

impl std::ops::Deref for Reading<'_> {
    type Target = Annotated;

    #[inline(always)]
    fn deref(&self) -> &Annotated {
        &self.0.chart
    }
}

impl Shared {
    pub(super) fn new(layout: Layout) -> Shared {
        let state = State { chart: Annotated::new(layout.clone()), classes: [const { Weak::new() }; MOST], present: 0 };
        Shared { layout, state: RwLock::new(state) }
    }

    /// Returns the chart for reading. Repairs wait meanwhile.
    ///
    /// # Panics
    /// When a repair has panicked: the chart may be half written.
    pub(super) fn read(&self) -> Reading<'_> {
        Reading(self.state.read().expect("no repair has panicked"))
    }

    fn write(&self) -> std::sync::RwLockWriteGuard<'_, State> {
        self.state.write().expect("no repair has panicked")
    }

    /// Returns the class whose world is at this revision, if there is one.
    pub(super) fn class_at(&self, revision: Revision) -> Option<Arc<Class>> {
        let state = self.state.read().expect("no repair has panicked");
        state.classes.iter().filter_map(Weak::upgrade).find(|class| class.revision == revision)
    }

    /// Makes a class with these tables, one for each cluster. Returns `None` if there are as many classes as there can be.
    pub(super) fn add(&self, revision: Revision, tables: &[Table]) -> Option<Arc<Class>> {
        let state = &mut *self.write();
        let bit = state.free_bit()?;
        Some(state.put(bit, revision, tables))
    }

    /// Brings a class to another revision, at which the tables of some clusters are these. If others have the class too, it
    /// stays as it is for them, and the class returned is another. Returns `None` if there is no room for another.
    pub(super) fn follow(&self, class: &Arc<Class>, revision: Revision, tables: &[Table]) -> Option<Arc<Class>> {
        let state = &mut *self.write();
        // No other planner can come to have the class meanwhile: this one is not cloned now, and `class_at` needs the lock.
        if Arc::strong_count(class) == 1 {
            return Some(state.put(class.bit, revision, tables));
        }
        let bit = state.free_bit()?;
        state.chart.copy(class.bit, bit);
        Some(state.put(bit, revision, tables))
    }
}

impl State {
    /// Returns the bits of all classes that some planner has.
    fn live(&self) -> Classes {
        let is_live = |&number: &usize| self.classes[number].strong_count() > 0;
        (0..MOST).filter(is_live).fold(0, |live, number| live | 1 << number)
    }

    /// Returns a bit of which there is nothing in the chart.
    fn free_bit(&mut self) -> Option<Classes> {
        let live = self.live();
        if self.present & !live != 0 {
            self.chart.keep_only(live);
            self.present &= live;
        }
        (live != Classes::MAX).then(|| 1 << live.trailing_ones())
    }

    fn put(&mut self, bit: Classes, revision: Revision, tables: &[Table]) -> Arc<Class> {
        self.chart.put(bit, self.live(), tables);
        let class = Arc::new(Class { bit, serial: next_serial(), revision });
        self.classes[bit.trailing_zeros() as usize] = Arc::downgrade(&class);
        self.present |= bit;
        class
    }
}
