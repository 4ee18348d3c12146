//! A living search as a [`Method`] ([`OneOff`]): a query without a replanner begins the search from nothing, in memory of
//! the scratch.

use super::living::{Living, Tree};
use crate::graph::Grid;
use crate::method::{End, LivingSearch, Method, SoFar, Task};
use crate::probe::Watcher;
use crate::scratch::Scratch;

/// The algorithm whose searches keep a tree of this type, with its settings.
pub(in crate::replan) struct OneOff<T: Tree> {
    settings: T::Settings,
}

impl<T: Tree> OneOff<T> {
    pub(in crate::replan) fn new(settings: T::Settings) -> OneOff<T> {
        OneOff { settings }
    }
}

impl<T: Tree> Clone for OneOff<T> {
    fn clone(&self) -> OneOff<T> {
        OneOff::new(self.settings)
    }
}

impl<S: Grid, T: Tree> Method<S> for OneOff<T> {
    fn begin(&self, _: Task<S>, scratch: &mut Scratch<S>) {
        scratch.states.own::<Living<T>>().restart(self.settings);
    }

    fn step(&self, task: Task<S>, scratch: &mut Scratch<S>, left: &mut u64, probe: Watcher) -> Option<End> {
        scratch.with_own(|scratch, search: &mut Living<T>| search.step(task, scratch, left, probe))
    }

    fn so_far(&self, task: Task<S>, scratch: &mut Scratch<S>) -> Option<SoFar> {
        scratch.with_own(|scratch, search: &mut Living<T>| search.so_far(task, scratch))
    }

    fn replanner(&self) -> Option<Box<dyn LivingSearch<S>>> {
        Some(Box::new(Living::<T>::new(self.settings)))
    }
}
