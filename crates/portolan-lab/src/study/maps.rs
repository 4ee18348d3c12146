//! The maps a study runs on: a folder of `.map` files, or worlds made to resemble those the papers used.

use crate::queries::{self, Trial, TrialError};
use portolan::world::generate::{Kind, generate};
use portolan::{Corners, Metric, Rules, Snapshot, SquareGrid};
use portolan_formats::{FileError, read_world};
use std::path::{Path, PathBuf};

/// Worlds made when there are no maps, as many as the papers had.
const LOOK_ALIKES: usize = 120;

/// The rules of both papers: no diagonal between two blocked cells, 1.42 for a diagonal.
pub fn rules() -> Rules {
    let metric = Metric::new(100, 142).expect("a sound metric");
    Rules { corners: Corners::NoSqueeze, metric: Some(metric), ..Rules::default() }
}

/// Maps under the papers' rules.
pub struct Maps {
    /// Where they come from.
    pub from: String,
    maps: Vec<(String, SquareGrid)>,
}

/// Why there is nothing to study.
#[derive(Debug, thiserror::Error)]
pub enum MapsError {
    /// The folder cannot be read.
    #[error("{}: {source}", path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// There are no maps in the folder.
    #[error("{}: there are no .map files in it", .0.display())]
    Empty(PathBuf),
    /// A map cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// Nothing can be asked about a map.
    #[error("{map}: {source}")]
    Trials {
        /// Which.
        map: String,
        /// Why.
        source: TrialError,
    },
}

/// A map and what is asked about it.
pub(super) struct Course {
    pub(super) world: Snapshot,
    pub(super) trials: Vec<Trial>,
    /// Sets what is drawn for this map apart from what is drawn for others.
    pub(super) seed: u64,
}

impl Maps {
    /// Every `.map` file of a folder, in the order of their names.
    ///
    /// # Errors
    /// When the folder or a map in it cannot be read, or there is none.
    pub fn of_folder(folder: &Path) -> Result<Maps, MapsError> {
        let named = |source| MapsError::Folder { path: folder.to_path_buf(), source };
        let mut files = Vec::new();
        for entry in std::fs::read_dir(folder).map_err(named)? {
            let file = entry.map_err(named)?.path();
            if file.extension().is_some_and(|kind| kind.eq_ignore_ascii_case("map")) {
                files.push(file);
            }
        }
        files.sort();
        if files.is_empty() {
            return Err(MapsError::Empty(folder.to_path_buf()));
        }
        let read = |file: PathBuf| Ok((file.display().to_string(), read_world(&file, rules())?));
        let maps = files.into_iter().map(read).collect::<Result<_, FileError>>()?;
        Ok(Maps { from: folder.display().to_string(), maps })
    }

    /// Generated worlds of the sizes the papers name: caves and rooms from 50 × 50 to 320 × 320, most of them small, with
    /// about 4,500 free cells on average.
    ///
    /// # Panics
    /// Never: sizes and settings are sound.
    pub fn look_alikes() -> Maps {
        let map = |index: usize| {
            // Sides grow ever faster from 50 to 320: a few large maps among many small ones.
            let last = LOOK_ALIKES as u128 - 1;
            let side = 50 + (270 * (index as u128).pow(11) / last.pow(11)) as usize;
            let (kind, settings) = match index % 3 {
                0 => (Kind::Rooms, &[("size", "9"), ("door", "3")][..]),
                1 => (Kind::Caves, &[("fill", "50")][..]),
                _ => (Kind::Caves, &[("fill", "52")][..]),
            };
            let settings = kind.recipe().settings(settings).expect("sound settings");
            let grid = generate(kind.recipe(), side, side, index as u64, &settings, rules()).expect("a sound size");
            (format!("look-alike {index}"), grid)
        };
        Maps {
            from: "the generator (look-alikes of the papers' maps)".to_owned(),
            maps: (0..LOOK_ALIKES).map(map).collect(),
        }
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.maps.len()
    }

    /// Whether there are none, which no constructor allows.
    pub fn is_empty(&self) -> bool {
        self.maps.is_empty()
    }

    /// At most that many of the maps, evenly picked, and as many queries on each. A map's queries do not depend on which
    /// other maps are picked.
    pub(super) fn courses(&self, most: usize, queries: usize, seed: u64) -> Result<Vec<Course>, MapsError> {
        let count = most.min(self.maps.len());
        let course = |place: usize| {
            let index = place * self.maps.len() / count;
            let (name, grid) = &self.maps[index];
            let seed = seed.wrapping_add(index as u64);
            let world = Snapshot::from(grid.clone());
            let trials = queries::random(&world, queries, seed);
            let trials = trials.map_err(|source| MapsError::Trials { map: name.clone(), source })?;
            Ok(Course { world, trials, seed })
        };
        (0..count).map(course).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_are_as_large_as_the_papers_maps() {
        let maps = Maps::look_alikes();
        let sides: Vec<usize> = maps.maps.iter().map(|(_, grid)| grid.width()).collect();
        assert_eq!((maps.len(), sides.iter().min(), sides.iter().max()), (LOOK_ALIKES, Some(&50), Some(&320)));
        let free: usize = maps.maps.iter().map(|(_, grid)| grid.free_cells()).sum();
        let mean = free / maps.len();
        assert!((4_200..4_800).contains(&mean), "{mean} free cells on average");
    }

    #[test]
    fn a_sample_asks_what_the_whole_would() {
        let maps = Maps::look_alikes();
        let (all, some) = (maps.courses(usize::MAX, 3, 7).unwrap(), maps.courses(4, 3, 7).unwrap());
        assert_eq!((all.len(), some.len()), (LOOK_ALIKES, 4));
        for course in some {
            assert!(all.iter().any(|other| other.seed == course.seed && other.trials == course.trials));
        }
    }

    #[test]
    fn a_folder_without_maps_is_an_error() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
        assert!(matches!(Maps::of_folder(&folder), Err(MapsError::Empty(_))));
        let missing = Maps::of_folder(&folder.join("missing"));
        assert!(matches!(missing, Err(MapsError::Folder { .. })));
    }
}
