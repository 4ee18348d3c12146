//! Kinds of ground: which kind each cell of a grid is of, kept like weights, and the names that people give to kinds.
//!
//! Not here: what a kind is to an agent, which its [`super::Profile`] says.

use super::ground::{Ground, Layout, check_count};
use super::square::GridError;
use crate::id::NodeId;
use crate::memory::{OutOfMemory, filled};

impl<L: Layout> Ground<L> {
    /// Returns the kind of a free node.
    #[inline(always)]
    pub(super) fn kind(&self, node: NodeId) -> u8 {
        self.kind_by_node.as_ref().map_or(0, |kinds| kinds[node.index()])
    }

    /// Returns the kinds of all columns of all rows, row by row, 0 where a cell is blocked or not on the grid.
    pub(super) fn to_kinds(&self) -> Vec<u8> {
        let (width, height) = self.layout.size();
        let mut kinds = vec![0; width * height];
        if let Some(by_node) = &self.kind_by_node {
            for (row, kinds) in kinds.chunks_exact_mut(width).enumerate() {
                kinds.copy_from_slice(&by_node[self.layout.row_start(row)..][..width]);
            }
        }
        kinds
    }

    /// Gives each free cell a kind, from one for each column of each row.
    pub(super) fn set_kinds(&mut self, kinds: &[u8]) -> Result<(), GridError> {
        let (width, height) = self.layout.size();
        check_count(width, height, kinds.len())?;
        let no_memory = |OutOfMemory { bytes }| GridError::OutOfMemory { width, height, bytes };
        let mut by_node = filled(0, self.layout.node_count()).map_err(no_memory)?;
        for (row, kinds) in kinds.chunks_exact(width).enumerate() {
            let start = self.layout.row_start(row);
            for column in self.layout.columns(row) {
                by_node[start + column] = if self.free.get(column + 1, row + 1) { kinds[column] } else { 0 };
            }
        }
        self.kind_by_node = by_node.iter().any(|&kind| kind != 0).then_some(by_node);
        Ok(())
    }

    /// Gives every cell of a rectangle that lies on the grid a kind. The rectangle is given by its first and its last column
    /// and row. As long as there are no kinds, kind 0 costs nothing.
    pub(super) fn lay_kind(&mut self, (x0, y0): (usize, usize), (x1, y1): (usize, usize), kind: u8) {
        if kind == 0 && self.kind_by_node.is_none() {
            return;
        }
        let (layout, count) = (self.layout, self.layout.node_count());
        let by_node = self.kind_by_node.get_or_insert_with(|| vec![0; count]);
        for row in y0..=y1 {
            let (columns, start) = (layout.columns(row), layout.row_start(row));
            let (first, end) = (x0.max(columns.start), (x1 + 1).min(columns.end));
            if first < end {
                by_node[start + first..start + end].fill(kind);
            }
        }
    }
}

/// The names of kinds of ground. A kind that has no name is named by its number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KindNames {
    /// Kinds with their names, in the order in which they were named.
    named: Vec<(u8, String)>,
}

/// Why a kind cannot be given a name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum KindNameError {
    /// The name has a character that no name has, is a number, or means something else in a profile.
    #[error("a kind of ground is named by letters, digits and hyphens, the first a letter, not by {0:?}")]
    Name(String),
    /// The words `size` and `radius` begin other settings of a profile.
    #[error("no kind of ground can be called {0:?}, which is a setting of a profile")]
    Reserved(String),
    /// There are 256 kinds, and all of them have names.
    #[error("there are 256 kinds of ground; none is left for {0:?}")]
    Full(String),
}

impl Default for KindNames {
    /// Returns the built-in names.
    fn default() -> KindNames {
        KindNames { named: Self::BUILTIN.iter().map(|&(name, kind)| (kind, name.to_owned())).collect() }
    }
}

impl KindNames {
    /// The kinds that have names without being given any.
    pub const BUILTIN: [(&'static str, u8); 9] = [
        ("ground", 0),
        ("road", 1),
        ("shallow", 2),
        ("water", 3),
        ("forest", 4),
        ("swamp", 5),
        ("sand", 6),
        ("snow", 7),
        ("rubble", 8),
    ];
    /// The settings of a profile that are no kinds.
    pub(super) const RESERVED: [&'static str; 2] = ["size", "radius"];

    /// Returns the kind of a name: one that was given, a built-in one, or a number from 0 to 255.
    pub fn kind(&self, name: &str) -> Option<u8> {
        let named = self.named.iter().find(|(_, other)| other == name);
        named.map(|&(kind, _)| kind).or_else(|| name.parse().ok())
    }

    /// Returns the name of a kind, or its number if it has none.
    pub fn name(&self, kind: u8) -> String {
        let named = self.named.iter().find(|&&(other, _)| other == kind);
        named.map_or_else(|| kind.to_string(), |(_, name)| name.clone())
    }

    /// Returns all names.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.named.iter().map(|(_, name)| name.as_str())
    }

    /// Returns the kind of a name, and gives the name the least kind that has none if it is new.
    ///
    /// # Errors
    /// When the name is not one that a kind may have, or every kind has a name.
    pub fn add(&mut self, name: &str) -> Result<u8, KindNameError> {
        let is_sound = name.starts_with(|first: char| first.is_ascii_alphabetic())
            && name.bytes().all(|letter| letter.is_ascii_alphanumeric() || letter == b'-');
        if !is_sound {
            return Err(KindNameError::Name(name.to_owned()));
        }
        if Self::RESERVED.contains(&name) {
            return Err(KindNameError::Reserved(name.to_owned()));
        }
        if let Some(kind) = self.kind(name) {
            return Ok(kind);
        }
        let is_free = |kind: &u8| self.named.iter().all(|(other, _)| other != kind);
        let kind = (0..=u8::MAX).find(is_free).ok_or_else(|| KindNameError::Full(name.to_owned()))?;
        self.named.push((kind, name.to_owned()));
        Ok(kind)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_are_new_get_the_next_kind() {
        let mut names = KindNames::default();
        assert_eq!((names.kind("water"), names.kind("lava"), names.kind("77")), (Some(3), None, Some(77)));
        assert_eq!(
            (names.add("water"), names.add("lava"), names.add("ice"), names.add("lava")),
            (Ok(3), Ok(9), Ok(10), Ok(9))
        );
        assert_eq!((names.name(9), names.name(3), names.name(200)), ("lava".into(), "water".into(), "200".into()));
    }

    #[test]
    fn names_that_mean_something_else_are_refused() {
        let mut names = KindNames::default();
        for wrong in ["", "7", "a b", "é", "a=b", "-a", "a,b"] {
            assert_eq!(names.add(wrong), Err(KindNameError::Name(wrong.into())));
        }
        assert_eq!(names.add("size"), Err(KindNameError::Reserved("size".into())));
        for at in 0..247 {
            assert!(names.add(&format!("kind-{at}")).is_ok());
        }
        assert_eq!(names.add("one-more"), Err(KindNameError::Full("one-more".into())));
    }
}
