//! Live objects by handle ([`Table`]). A handle is a number of which a part counts how often its slot was used, so that one
//! that was freed names nothing, even after its slot is used again.
//!
//! Not here: what the objects are.

use crate::failure::{Failure, PortolanStatus};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// All live objects of a kind.
pub(crate) struct Table<T> {
    /// What the objects are called in errors.
    name: &'static str,
    /// A number that tells handles of this kind from those of others.
    kind: u8,
    slots: Mutex<Slots<T>>,
}

struct Slots<T> {
    /// How often each slot was used, and the object in it.
    entries: Vec<(u32, Option<Arc<T>>)>,
    free: Vec<u32>,
}

/// How many bits of a handle are the number of its slot, counted from 1: no handle is 0.
const SLOT_BITS: u32 = 24;

impl<T> Table<T> {
    pub(crate) const fn new(name: &'static str, kind: u8) -> Table<T> {
        Table { name, kind, slots: Mutex::new(Slots { entries: Vec::new(), free: Vec::new() }) }
    }

    fn slots(&self) -> MutexGuard<'_, Slots<T>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Keeps an object and returns its handle.
    pub(crate) fn add(&self, object: T) -> Result<u64, Failure> {
        let mut slots = self.slots();
        let slot = match slots.free.pop() {
            Some(slot) => slot,
            None if slots.entries.len() + 1 >= 1 << SLOT_BITS => {
                return Err(Failure::argument(format!("too many live handles: free a {} first", self.name)));
            }
            None => {
                slots.entries.push((0, None));
                slots.entries.len() as u32 - 1
            }
        };
        let entry = &mut slots.entries[slot as usize];
        *entry = (entry.0.wrapping_add(1), Some(Arc::new(object)));
        Ok(u64::from(self.kind) << 56 | u64::from(entry.0) << SLOT_BITS | u64::from(slot + 1))
    }

    /// Returns the slot of a handle and how often it was used when the handle was made.
    fn parts(&self, handle: u64) -> Option<(usize, u32)> {
        let slot = (handle & ((1 << SLOT_BITS) - 1)).checked_sub(1)?;
        (handle >> 56 == u64::from(self.kind)).then_some((slot as usize, (handle >> SLOT_BITS) as u32))
    }

    fn unknown(&self) -> Failure {
        Failure::new(PortolanStatus::Handle, format!("there is no such {}: it was freed, or never made", self.name))
    }

    /// Returns the object that a handle names.
    pub(crate) fn get(&self, handle: u64) -> Result<Arc<T>, Failure> {
        let slots = self.slots();
        let (slot, uses) = self.parts(handle).ok_or_else(|| self.unknown())?;
        let entry = slots.entries.get(slot).filter(|entry| entry.0 == uses);
        entry.and_then(|entry| entry.1.clone()).ok_or_else(|| self.unknown())
    }

    /// Lets go of the object that a handle names. It is dropped once no call uses it any more.
    pub(crate) fn remove(&self, handle: u64) -> Result<(), Failure> {
        let dropped = {
            let mut slots = self.slots();
            let (slot, uses) = self.parts(handle).ok_or_else(|| self.unknown())?;
            let entry = slots.entries.get_mut(slot).filter(|entry| entry.0 == uses);
            let object = entry.and_then(|entry| entry.1.take()).ok_or_else(|| self.unknown())?;
            slots.free.push(slot as u32);
            object
        };
        drop(dropped);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_freed_handle_names_nothing_even_when_its_slot_is_used_again() {
        let (table, others) = (Table::new("number", 1), Table::new("letter", 2));
        let [a, b] = [7, 8].map(|number| table.add(number).expect("there is room"));
        assert_eq!((*table.get(a).expect("alive"), *table.get(b).expect("alive")), (7, 8));
        table.remove(a).expect("alive");
        let c = table.add(9).expect("there is room");
        assert_ne!(a, c);
        for dead in [a, 0, u64::MAX, others.add('x').expect("there is room")] {
            assert_eq!(table.get(dead).expect_err("dead").status, PortolanStatus::Handle);
            assert_eq!(
                table.remove(dead).expect_err("dead").words,
                "there is no such number: it was freed, or never made"
            );
        }
        assert_eq!((*table.get(b).expect("alive"), *table.get(c).expect("alive")), (8, 9));
    }
}
