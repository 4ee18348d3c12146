//! The meshes of the study with their queries: generated cities, and meshes from files.

use super::thesis::{self, PrintedMap};
use crate::mesh::{MeshTrial, random};
use crate::progress::Steps;
use crate::study::{MapsError, StudyError};
use portolan::{MeshParts, NavMesh, Snapshot};
use portolan_formats::{Geometry, is_mesh, read_geometry, read_mesh};
use portolan_mesh::{BuildError, BuildOptions, CityOptions, build, city};
use std::ops::ControlFlow;
use std::path::Path;

/// The seed of the generated cities.
const SEED: u64 = 1;

/// A generated city.
#[derive(Copy, Clone)]
pub(super) struct City {
    pub(super) options: CityOptions,
    /// The world of the thesis that has about as many polygons.
    pub(super) thesis: &'static PrintedMap,
}

/// The cities, the smallest first.
pub(super) const CITIES: [City; 4] = [
    City { options: CityOptions::SMALL, thesis: &thesis::CITY_ISLAND },
    City { options: CityOptions::MEDIUM, thesis: &thesis::TROPICAL_ISLAND },
    City { options: CityOptions::LARGE, thesis: &thesis::MEDIEVAL_CITY },
    City { options: CityOptions::HUGE, thesis: &thesis::PARIS },
];

/// A mesh and its queries.
pub(super) struct Course {
    pub(super) name: String,
    pub(super) world: Snapshot<NavMesh>,
    pub(super) trials: Vec<MeshTrial>,
    /// The city, if the mesh was not read from a file.
    pub(super) city: Option<City>,
}

impl Course {
    /// Makes a city and its mesh.
    pub(super) fn of_city(city: &City, queries: usize, seed: u64, steps: &mut Steps) -> Result<Course, StudyError> {
        let name = format!("city {} x {}", city.options.columns(), city.options.rows());
        let parts = mesh_of(&self::city(city.options, SEED), &name, steps)?;
        Course::of(name, &parts, (queries, seed), Some(*city))
    }

    /// Reads a mesh, or builds that of a level.
    pub(super) fn of_file(file: &Path, queries: usize, seed: u64, steps: &mut Steps) -> Result<Course, StudyError> {
        let name = file.file_name().unwrap_or(file.as_os_str()).to_string_lossy().into_owned();
        let parts = if is_mesh(file) {
            read_mesh(file).map_err(MapsError::from)?
        } else {
            mesh_of(&read_geometry(file).map_err(MapsError::from)?, &name, steps)?
        };
        Course::of(name, &parts, (queries, seed), None)
    }

    fn of(
        name: String,
        parts: &MeshParts,
        (queries, seed): (usize, u64),
        city: Option<City>,
    ) -> Result<Course, StudyError> {
        let mesh = NavMesh::new(parts).map_err(|source| MapsError::Mesh { map: name.clone(), source })?;
        let world = Snapshot::from(mesh);
        let trials = random(&world, queries, seed).map_err(|source| MapsError::Pairs { map: name.clone(), source })?;
        Ok(Course { name, world, trials, city })
    }
}

/// Builds the mesh of a level.
fn mesh_of(geometry: &Geometry, name: &str, steps: &mut Steps) -> Result<MeshParts, StudyError> {
    let mut stopped = None;
    let built = build(geometry, &BuildOptions::default(), &mut |_| match steps.still() {
        Ok(()) => ControlFlow::Continue(()),
        Err(cancelled) => {
            stopped = Some(cancelled);
            ControlFlow::Break(())
        }
    });
    match (stopped, built) {
        (Some(cancelled), _) => Err(cancelled.into()),
        (None, built) => built.map_err(|source: BuildError| MapsError::Level { map: name.to_owned(), source }.into()),
    }
}
