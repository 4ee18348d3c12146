//! A living search as a [`Method`] ([`OneOff`]): a query without a replanner begins the search from nothing, in memory of
//! the scratch.

use crate::graph::Grid;
use crate::method::{End, LivingSearch, Method, Task};
use crate::probe::Watcher;
use crate::scratch::{AlgorithmState, Scratch};
use std::marker::PhantomData;

/// A living search that can begin from nothing and keep its memory for that.
pub(in crate::replan) trait Restart: AlgorithmState + Clone + Default {
    fn restart(&mut self);
}

/// The algorithm whose living search is `L`.
pub(in crate::replan) struct OneOff<L>(PhantomData<L>);

impl<L> OneOff<L> {
    pub(in crate::replan) fn new() -> OneOff<L> {
        OneOff(PhantomData)
    }
}

impl<L> Clone for OneOff<L> {
    fn clone(&self) -> OneOff<L> {
        OneOff::new()
    }
}

impl<S: Grid, L: LivingSearch<S> + Restart> Method<S> for OneOff<L> {
    fn begin(&self, _: Task<S>, scratch: &mut Scratch<S>) {
        scratch.states.own::<L>().restart();
    }

    fn step(&self, task: Task<S>, scratch: &mut Scratch<S>, left: &mut u64, probe: Watcher) -> Option<End> {
        scratch.with_own(|scratch, search: &mut L| search.step(task, scratch, left, probe))
    }

    fn replanner(&self) -> Option<Box<dyn LivingSearch<S>>> {
        Some(Box::new(L::default()))
    }
}
