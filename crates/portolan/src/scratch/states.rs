//! A store of the algorithms' own states ([`States`]), in which an algorithm finds its state by the state's type.
//!
//! Not here: the states, which are in the files of their algorithms.

use crate::memory::held;
use std::any::{Any, TypeId};

/// What an algorithm keeps in a scratch for itself, from one step to the next and from one query to the next. A state
/// may be lost if a search panics; its algorithm then gets a new one.
pub(crate) trait AlgorithmState: Any + Send + Sync {
    /// Returns the bytes of memory that the state has allocated; the state itself is not counted.
    fn bytes(&self) -> usize;
}

/// The states of all algorithms that have searched in a scratch, one of each type.
#[derive(Default)]
pub(crate) struct States {
    /// The states with their types. The one used last comes first, since most scratches serve one algorithm.
    all: Vec<(TypeId, Box<dyn AlgorithmState>)>,
}

impl States {
    /// Returns the state of this type. If there is none, a new one is made.
    #[inline]
    pub(crate) fn own<T: AlgorithmState + Default>(&mut self) -> &mut T {
        if self.all.first().is_none_or(|(of, _)| *of != TypeId::of::<T>()) {
            self.put_first::<T>();
        }
        let state: &mut dyn Any = &mut *self.all[0].1;
        state.downcast_mut().expect("a state is stored under its own type")
    }

    /// Takes the state of this type out of the store, until [`States::give_back`] puts it back. If there is no such
    /// state, a new one is made.
    #[expect(clippy::unnecessary_box_returns, reason = "the box is put back")]
    pub(super) fn take<T: AlgorithmState + Default>(&mut self) -> Box<T> {
        let Some(place) = self.place::<T>() else { return Box::default() };
        let state: Box<dyn Any> = self.all.swap_remove(place).1;
        state.downcast().expect("a state is stored under its own type")
    }

    /// Puts a state back that was taken.
    pub(super) fn give_back<T: AlgorithmState>(&mut self, state: Box<T>) {
        self.all.push((TypeId::of::<T>(), state));
        let last = self.all.len() - 1;
        self.all.swap(0, last);
    }

    /// Moves the state of this type to the first place. If there is none, a new one is made.
    #[cold]
    fn put_first<T: AlgorithmState + Default>(&mut self) {
        match self.place::<T>() {
            Some(place) => self.all.swap(0, place),
            None => self.give_back(Box::<T>::default()),
        }
    }

    fn place<T: AlgorithmState>(&self) -> Option<usize> {
        self.all.iter().position(|(of, _)| *of == TypeId::of::<T>())
    }

    pub(super) fn bytes(&self) -> usize {
        let states: usize = self.all.iter().map(|(_, state)| size_of_val(&**state) + state.bytes()).sum();
        states + held(&self.all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default)]
    struct Numbers(Vec<u32>);

    impl AlgorithmState for Numbers {
        fn bytes(&self) -> usize {
            held(&self.0)
        }
    }

    #[derive(Default)]
    struct Letters(Vec<char>);

    impl AlgorithmState for Letters {
        fn bytes(&self) -> usize {
            held(&self.0)
        }
    }

    #[test]
    fn a_state_is_found_by_its_type_and_made_anew_when_it_was_lost() {
        let mut states = States::default();
        states.own::<Numbers>().0.push(7);
        states.own::<Letters>().0.push('a');
        assert_eq!((states.own::<Numbers>().0[0], states.own::<Letters>().0[0]), (7, 'a'));
        let mut taken = states.take::<Numbers>();
        taken.0.push(8);
        assert_eq!(states.own::<Letters>().0, ['a']);
        states.give_back(taken);
        assert_eq!(states.own::<Numbers>().0, [7, 8]);
        drop(states.take::<Numbers>());
        assert!(states.own::<Numbers>().0.is_empty());
        assert_eq!(states.all.len(), 2);
        let (numbers, letters) = (held(&states.own::<Numbers>().0), held(&states.own::<Letters>().0));
        let itself = size_of::<Numbers>() + size_of::<Letters>() + held(&states.all);
        assert_eq!(states.bytes(), numbers + letters + itself);
    }
}
