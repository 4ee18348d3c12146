//! A living search as a [`Method`] ([`OneOff`]): a query without a replanner begins the search from nothing, in memory of
//! the scratch.

use super::living::{Living, Tree};
use crate::graph::Grid;
use crate::method::{End, LivingSearch, Method, Task};
use crate::probe::Watcher;
use crate::scratch::Scratch;
use std::marker::PhantomData;

/// The algorithm whose search keeps a tree of this type.
pub(in crate::replan) struct OneOff<T>(PhantomData<T>);

impl<T> OneOff<T> {
    pub(in crate::replan) fn new() -> OneOff<T> {
        OneOff(PhantomData)
    }
}

impl<T> Clone for OneOff<T> {
    fn clone(&self) -> OneOff<T> {
        OneOff::new()
    }
}

impl<S: Grid, T: Tree> Method<S> for OneOff<T> {
    fn begin(&self, _: Task<S>, scratch: &mut Scratch<S>) {
        scratch.states.own::<Living<T>>().restart();
    }

    fn step(&self, task: Task<S>, scratch: &mut Scratch<S>, left: &mut u64, probe: Watcher) -> Option<End> {
        scratch.with_own(|scratch, search: &mut Living<T>| search.step(task, scratch, left, probe))
    }

    fn replanner(&self) -> Option<Box<dyn LivingSearch<S>>> {
        Some(Box::new(Living::<T>::default()))
    }
}
