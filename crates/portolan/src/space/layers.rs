//! Layers of influence, such as threat or congestion: numbers for all cells, kept beside a world and edited by themselves,
//! for agents that heed a layer to add to the weights of the ground.
//!
//! Not here: which agents heed a layer, which their [`super::Profile`] says, and what they see (`views.rs`).

use super::terrain::EditError;
use super::{Area, Edit, Terrain};
use crate::memory::{OutOfMemory, filled};

/// A layer of a world, which [`crate::World::add_layer`] returns. It belongs to that world.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Layer(u32);

/// A change of a layer.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub struct Influence {
    /// The cells that change.
    pub area: Area,
    /// What is added to the number of every cell of `area`, or taken away if it is negative. Numbers stay within 0 and
    /// 65,535.
    pub amount: i32,
}

impl Influence {
    /// Returns a change that adds `amount` to a cell or to every cell of an [`Area`].
    pub fn new(area: impl Into<Area>, amount: i32) -> Influence {
        Influence { area: area.into(), amount }
    }
}

/// Why layers cannot be changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum LayerError {
    /// The world does not have the layer.
    #[error("this world does not have that layer")]
    NoLayer,
    /// A change reaches off the grid or covers no cell.
    #[error(transparent)]
    OffMap(#[from] EditError),
    /// There is no memory for a layer.
    #[error(transparent)]
    OutOfMemory(#[from] OutOfMemory),
}

/// The layers of a world: for each, one number for each column of each row.
#[derive(Default)]
pub struct Layers {
    width: usize,
    height: usize,
    planes: Vec<Vec<u16>>,
}

impl Layers {
    /// Adds a layer whose numbers are all 0 to those of a world of this size.
    pub(super) fn add(&mut self, (width, height): (usize, usize)) -> Result<Layer, LayerError> {
        let plane = filled(0, width * height)?;
        (self.width, self.height) = (width, height);
        self.planes.push(plane);
        Ok(Layer(self.planes.len() as u32 - 1))
    }

    pub(super) fn has(&self, layer: Layer) -> bool {
        (layer.0 as usize) < self.planes.len()
    }

    /// Applies changes to a layer in order. If one of them is at fault, none is applied.
    pub(super) fn change(&mut self, layer: Layer, changes: &[Influence]) -> Result<(), LayerError> {
        let plane = self.planes.get_mut(layer.0 as usize).ok_or(LayerError::NoLayer)?;
        for change in changes {
            Edit::new(change.area, Terrain::GROUND).check(self.width, self.height)?;
        }
        for &Influence { area: Area { x, y, width, height }, amount } in changes {
            for row in usize::from(y)..usize::from(y) + usize::from(height) {
                for number in &mut plane[row * self.width + usize::from(x)..][..usize::from(width)] {
                    *number = i32::from(*number).saturating_add(amount).clamp(0, i32::from(u16::MAX)) as u16;
                }
            }
        }
        Ok(())
    }

    /// Returns the numbers of a layer, which must exist, in a row from column `first` on.
    pub(super) fn row(&self, layer: Layer, row: usize, first: usize) -> &[u16] {
        &self.planes[layer.0 as usize][row * self.width..][first..self.width]
    }

    pub(super) fn bytes(&self) -> usize {
        self.planes.iter().map(|plane| 2 * plane.len()).sum()
    }
}
