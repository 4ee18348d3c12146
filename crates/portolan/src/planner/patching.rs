//! Bringing planners to a mesh of which a part was replaced.
//!
//! Not here: replacing the part (`space/mesh/patch.rs`).

use super::{BuildError, Planner};
use crate::space::mesh::NavMesh;
use crate::space::mesh::patch::MeshPatch;
use crate::space::{Revision, Snapshot};

/// Why a planner could not be brought to a patched mesh.
#[derive(Clone, PartialEq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PatchError {
    /// The planner was not built for the mesh that was patched.
    #[error("the planner knows {built}, the patch begins at {from}")]
    Gap {
        /// The planner's revision.
        built: Revision,
        /// The revision of the mesh that was patched.
        from: Revision,
    },
    /// The world's mesh is not the one that was made with the patch.
    #[error("the patch does not lead to the mesh of this world")]
    OtherMesh,
    /// The planner could not be built for the new mesh.
    #[error(transparent)]
    Build(#[from] BuildError),
}

impl Planner<NavMesh> {
    /// Returns this planner for a world of which a part was replaced by [`NavMesh::patched`]. `world` has been made of the new
    /// mesh, and may have been edited since.
    ///
    /// `hna-star` and `rhumb` compute the nodes anew that contain a removed or added polygon or one beside these, and keep all
    /// others. Other algorithms, and these where the size of the mesh asks for other levels, are built anew. Routes in legs
    /// planned before cannot be refined any more, since the mesh has other polygons.
    ///
    /// # Errors
    /// When the planner is not at the state of the mesh that was patched, the world is not made of the new mesh, or the
    /// planner cannot be built for it.
    pub fn patched(&self, world: &Snapshot<NavMesh>, patch: &MeshPatch) -> Result<Planner<NavMesh>, PatchError> {
        let (built, from) = (self.revision, patch.from());
        if built != from {
            return Err(PatchError::Gap { built, from });
        }
        if !patch.leads_to(world) {
            return Err(PatchError::OtherMesh);
        }
        self.algorithm.suits(world).map_err(BuildError::from)?;
        match self.method.patched(world, patch) {
            Some(method) => Ok(Self::of(world, self.algorithm, self.settings.clone(), method)),
            None => Ok(self.anew(world)?),
        }
    }
}
