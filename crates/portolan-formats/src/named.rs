//! [`NamedWorld`]: a grid with what its file says besides, the names of its kinds of ground and its floors; and what of it a format
//! cannot hold.
//!
//! Not here: reading and writing files (`files.rs`).

use crate::files::Kind;
use portolan::any::AnySnapshot;
use portolan::{Floors, KindNames};

/// A grid with what its file says besides.
#[derive(Clone)]
pub struct NamedWorld {
    /// The grid, with its kinds of ground, borders and links.
    pub world: AnySnapshot,
    /// The names of the kinds of ground.
    pub kinds: KindNames,
    /// How floors lie on the grid, if the file says that it shows floors.
    pub floors: Option<Floors>,
}

impl From<AnySnapshot> for NamedWorld {
    /// Names kinds of ground by their built-in names.
    fn from(world: AnySnapshot) -> NamedWorld {
        NamedWorld { world, kinds: KindNames::default(), floors: None }
    }
}

impl NamedWorld {
    /// Returns what this world has and files of a kind cannot hold, in words: weights, kinds of ground, borders, links and floors
    /// in this order. An ASCII world refuses weights over 9, which are not lost and so not among these.
    pub fn lost_in(&self, kind: Kind) -> Vec<&'static str> {
        let keeps_all = matches!(kind, Kind::Ascii | Kind::Hex);
        let between = self.between().into_iter().filter(|_| !keeps_all);
        (kind == Kind::Map && self.world.uniform_weight() != Some(1))
            .then_some("weights")
            .into_iter()
            .chain(between)
            .collect()
    }

    /// Returns what this world has besides weights, in words.
    pub fn between(&self) -> Vec<&'static str> {
        let has = [
            (self.world.to_kinds().iter().any(|&kind| kind != 0), "kinds of ground"),
            (self.world.borders().next().is_some(), "borders"),
            (self.world.links().next().is_some(), "links"),
            (self.floors.is_some(), "floors"),
        ];
        has.into_iter().filter_map(|(has, what)| has.then_some(what)).collect()
    }
}
