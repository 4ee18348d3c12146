//! The lattice of hexagons over a world: [`Lattice`], which knows the place of each node in the world, and follows its edits.
//!
//! A step between the nodes of two neighbouring hexagons exists exactly if the straight line between their places is legal in the
//! world, so that every walk over hexagons is one in the world. No wall is lost, however thin. Every step counts as one hexagon:
//! weights of the ground and links of meshes play no part.
//!
//! Not here: where hexagons lie on squares, hexes and meshes (`lattice/tiled.rs`, `lattice/on_mesh.rs`), and minds.

mod on_mesh;
mod tiled;

pub use tiled::{Tiled, Tiling};

use super::hexagons::{Hexagons, MOST_NODES, STEP};
use portolan::{HexCell, Revision, SquareGrid};
use std::collections::BTreeSet;
use std::ops::{Deref, RangeInclusive};
use tiled::{Found, Window};

/// Hexagons laid over a world.
///
/// ```
/// use portolan::{Cell, Rules, SquareGrid};
/// use portolan_sim::mind::Lattice;
/// let grid = SquareGrid::from_weights(3, 2, &[1, 0, 1, 1, 1, 1], Rules::default())?;
/// let lattice = Lattice::new(&grid, None)?;
/// let [from, to] = [Cell::new(0, 0), Cell::new(2, 0)].map(|at| lattice.node(&grid, at).expect("free"));
/// assert_eq!(lattice.reachable(from).len(), 5);
/// assert_eq!((lattice.place(to), lattice.is_step(from, to)), (Cell::new(2, 0), false));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Lattice<S: Tiled = SquareGrid> {
    hexagons: Hexagons,
    tiling: Tiling,
    place_by_node: Vec<S::Place>,
    /// Nodes whose part of a hexagon an edit has joined to another. They have no steps until a part is cut off again.
    idle: BTreeSet<u32>,
    revision: Revision,
}

/// Why hexagons cannot be laid over a world.
#[derive(Copy, Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LatticeError {
    /// The size is not one that hexagons can have on this kind of world.
    #[error("hexagons cannot be {size} across: on this world they are {expected}")]
    Size {
        /// The size asked for.
        size: f64,
        /// What sizes there are, in words.
        expected: &'static str,
    },
    /// There would be too many.
    #[error("a lattice has at most {MOST_NODES} hexagons, not {0}: make them larger")]
    TooMany(u64),
}

/// The error for a lattice that is asked to follow edits that do not lead from its world to the one given.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the lattice was laid over {laid} and the world is now {asked}, which these edits do not lead to")]
pub struct WrongEdits {
    /// The state of the world that the lattice has followed to.
    pub laid: Revision,
    /// The state of the world that was given.
    pub asked: Revision,
}

impl<S: Tiled> Lattice<S> {
    /// Lays hexagons over a world, whose middles are `size` apart: in sides of a square on squares, where it is a whole number
    /// and 1 by default; 1 on hexes, whose cells are the hexagons; in the units of a mesh, where by default there are some eight
    /// hexagons to a polygon.
    ///
    /// # Errors
    /// When the world has no hexagons of that size, or too many.
    pub fn new(world: &S, size: Option<f64>) -> Result<Lattice<S>, LatticeError> {
        let tiling = world.tiling(size)?;
        let hexagons = Hexagons::empty(tiling.columns, tiling.rows);
        let revision = world.revision();
        let mut lattice = Lattice { hexagons, tiling, place_by_node: Vec::new(), idle: BTreeSet::new(), revision };
        let whole = Window { columns: 0..=tiling.columns - 1, rows: 0..=tiling.rows - 1 };
        let mut found = world.places(&tiling, &whole);
        if found.len() > MOST_NODES {
            return Err(LatticeError::TooMany(found.len() as u64));
        }
        found.sort_by_key(|found| (tile_order(found.hexagon), found.off));
        for group in found.chunk_by(|a, b| a.hexagon == b.hexagon) {
            for place in parts(world, group) {
                lattice.add(group[0].hexagon, place);
            }
        }
        lattice.join_all(world, &whole);
        lattice.hexagons.settle();
        Ok(lattice)
    }

    /// Follows edits of the world: only hexagons near them are laid again. Nodes keep their indices and hexagons, so that minds keep
    /// what they know; each learns of a change when it sees it.
    ///
    /// # Errors
    /// When as many edits do not lead from the state of the world that the lattice knows to this one; nothing changes then.
    pub fn follow(&mut self, world: &S, edits: &[S::Edit]) -> Result<(), WrongEdits> {
        let (laid, asked) = (self.revision, world.revision());
        if laid.edits() + edits.len() as u64 != asked.edits() {
            return Err(WrongEdits { laid, asked });
        }
        for edit in edits {
            let Some(window) = world.touched(&self.tiling, edit) else { continue };
            self.lay_again(world, &window);
            // A line from middle to middle may cross a hexagon beside both.
            let around = window.grown(2, &self.tiling);
            for hexagon in around.hexagons() {
                let nodes: Vec<u32> = self.hexagons.nodes_in(hexagon).collect();
                nodes.into_iter().for_each(|node| self.hexagons.part(node));
            }
            self.join_all(world, &around);
        }
        self.revision = asked;
        Ok(())
    }

    /// Finds the parts of hexagons again. The parts of a hexagon take its nodes in their order, as when hexagons are laid anew.
    fn lay_again(&mut self, world: &S, window: &Window) {
        let mut found = world.places(&self.tiling, window);
        found.sort_by_key(|found| (tile_order(found.hexagon), found.off));
        for group in found.chunk_by(|a, b| a.hexagon == b.hexagon) {
            let hexagon = group[0].hexagon;
            let nodes: Vec<u32> = self.hexagons.nodes_in(hexagon).collect();
            let mut left = nodes.into_iter();
            for place in parts(world, group) {
                match left.next() {
                    Some(node) => {
                        self.place_by_node[node as usize] = place;
                        self.idle.remove(&node);
                    }
                    None => self.add(hexagon, place),
                }
            }
            self.idle.extend(left);
        }
    }

    fn add(&mut self, hexagon: HexCell, place: S::Place) {
        self.hexagons.add(hexagon);
        self.place_by_node.push(place);
    }

    /// Adds all legal steps between the hexagons of a window, and between these and those beside them.
    fn join_all(&mut self, world: &S, window: &Window) {
        for hexagon in window.grown(1, &self.tiling).hexagons() {
            // Pairs are always taken in one order, so that following gives what laying anew gives.
            for (direction, &(q, r)) in STEP.iter().enumerate().take(3) {
                let beside = HexCell::new(hexagon.q + q, hexagon.r + r);
                if window.contains(hexagon) || window.contains(beside) {
                    self.join(world, hexagon, direction, beside);
                }
            }
        }
    }

    fn join(&mut self, world: &S, hexagon: HexCell, direction: usize, beside: HexCell) {
        let first = self.hexagons.nodes_in(hexagon).count();
        for index in 0..first {
            let from = self.hexagons.nodes_in(hexagon).nth(index).expect("counted");
            let is_legal = |to: &u32| {
                let is_in_use = self.idle.contains(&from)
                    || self.idle.contains(to)
                    || self.hexagons.open(*to) >> super::hexagons::opposite(direction) & 1 == 1;
                !is_in_use && world.segment(self.place(from), self.place(*to), S::MOTION).is_some()
            };
            let to = self.hexagons.nodes_in(beside).find(is_legal);
            if let Some(to) = to {
                self.hexagons.join(from, direction, to);
            }
        }
    }

    /// Returns the node at a place of the world: the one whose hexagon contains the place and from which a straight line leads
    /// there, or else one of a hexagon beside. `None` if there is none, as where the place is blocked.
    pub fn node(&self, world: &S, at: S::Place) -> Option<u32> {
        let hexagon = world.hexagon_of(&self.tiling, at)?;
        let beside = STEP.iter().map(|&(q, r)| HexCell::new(hexagon.q.saturating_add(q), hexagon.r.saturating_add(r)));
        let mut nodes = std::iter::once(hexagon).chain(beside).flat_map(|hexagon| self.hexagons.nodes_in(hexagon));
        world.component(at)?;
        nodes.find(|&node| self.place(node) == at || world.segment(self.place(node), at, S::MOTION).is_some())
    }

    /// Returns the place of a node in the world.
    #[inline]
    pub fn place(&self, node: u32) -> S::Place {
        self.place_by_node[node as usize]
    }

    /// Returns the steps of the world from a node to one beside it, the first place left out.
    pub fn footsteps(&self, world: &S, from: u32, to: u32, steps: &mut Vec<S::Place>) {
        world.steps_below(self.place(from), self.place(to), steps);
    }

    /// Returns how the hexagons lie over the world.
    pub fn tiling(&self) -> &Tiling {
        &self.tiling
    }

    /// Returns the state of the world that the lattice has followed to.
    pub fn revision(&self) -> Revision {
        self.revision
    }

    /// Returns the bytes of memory that the lattice takes; all minds share it.
    pub fn bytes(&self) -> usize {
        self.hexagons.bytes() + size_of::<S::Place>() * self.place_by_node.capacity()
    }
}

impl<S: Tiled> Deref for Lattice<S> {
    type Target = Hexagons;

    fn deref(&self) -> &Hexagons {
        &self.hexagons
    }
}

/// Returns the places that stand for the parts of a hexagon: the one nearest to its middle, then each from which no straight line
/// leads to one of those before it.
fn parts<S: Tiled>(world: &S, found: &[Found<S::Place>]) -> Vec<S::Place> {
    let mut parts: Vec<S::Place> = Vec::new();
    for found in found {
        if !parts.iter().any(|&part| world.segment(part, found.place, S::MOTION).is_some()) {
            parts.push(found.place);
        }
    }
    parts
}

/// Returns where a hexagon comes in the order of nodes: tile by tile, and row by row inside a tile.
fn tile_order(hexagon: HexCell) -> [u16; 4] {
    let at = hexagon.cell().expect("hexagons have columns and rows");
    [at.y / 16, at.x / 16, at.y % 16, at.x % 16]
}

impl Window {
    /// Returns the hexagons row by row.
    fn hexagons(&self) -> impl Iterator<Item = HexCell> + use<> {
        let columns = self.columns.clone();
        self.rows.clone().flat_map(move |row| columns.clone().map(move |column| HexCell::at(column as u16, row as u16)))
    }

    fn contains(&self, hexagon: HexCell) -> bool {
        hexagon.cell().is_some_and(|at| self.columns.contains(&at.x.into()) && self.rows.contains(&at.y.into()))
    }

    /// Returns the window with so many columns and rows more on each side, as far as there are any.
    fn grown(&self, by: u32, tiling: &Tiling) -> Window {
        let grown = |range: &RangeInclusive<u32>, side: u32| {
            range.start().saturating_sub(by)..=(range.end() + by).min(side - 1)
        };
        Window { columns: grown(&self.columns, tiling.columns), rows: grown(&self.rows, tiling.rows) }
    }
}
