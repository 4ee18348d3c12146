//! The maps of a study: a folder of `.map` files, or generated worlds that resemble those of the papers.

use crate::maps::{maps_in, path_in};
use crate::mesh::NoPairs;
use crate::queries::{self, Trial, TrialError};
use portolan::any::AnySnapshot;
use portolan::generate::{Kind, generate};
use portolan::{Corners, MeshError, Metric, Rules, Snapshot};
use portolan_formats::{FileError, read_scenario, read_squares};
use portolan_mesh::BuildError;
use portolan_sim::mind::LatticeError;
use std::path::{Path, PathBuf};

/// The number of worlds that are generated if there are no maps, as many as the papers had.
const LOOK_ALIKES: usize = 120;

/// Returns the rules of both papers on HPA*: no diagonal step between two blocked cells, and a cost of 1.42 for a
/// diagonal.
pub fn rules() -> Rules {
    let metric = Metric::new(100, 142).expect("a sound metric");
    Rules { corners: Corners::NoSqueeze, metric: Some(metric), ..Rules::default() }
}

/// Where the maps of a study come from.
pub(super) struct Ground {
    /// The folder that contains them, below the one in which maps are searched for.
    pub(super) shelf: &'static str,
    pub(super) folder: fn(&Path) -> Result<Maps, MapsError>,
    /// Generates maps, for use if there are none. If the argument, `Options::quick`, is true, a study may make smaller
    /// ones.
    pub(super) look_alikes: fn(bool) -> Maps,
}

/// The maps of both papers on HPA*: all maps in a folder.
pub(super) const PAPERS: Ground = Ground { shelf: "bg", folder: Maps::of_folder, look_alikes: |_| Maps::look_alikes() };

/// The maps of a study, under the rules of its paper.
pub struct Maps {
    /// Where the maps come from, in words.
    pub from: String,
    pub(super) grids: Vec<Map>,
    /// The files of navigation meshes, and of levels that meshes are built from, for studies of meshes.
    pub(super) meshes: Vec<PathBuf>,
}

/// One map of a study.
pub(super) struct Map {
    pub(super) name: String,
    pub(super) world: Snapshot,
    /// The queries of the map's scenario. If empty, queries are drawn at random.
    pub(super) asked: Vec<Trial>,
}

/// Why there is nothing to study.
#[derive(Debug, thiserror::Error)]
pub enum MapsError {
    /// The folder cannot be read.
    #[error("{}: {source}", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// There are no maps in the folder.
    #[error("{}: there are no .map files in it", .0.display())]
    Empty(PathBuf),
    /// None of the maps of a study is in the folder.
    #[error("{}: none of {} is in it or below it", folder.display(), names.join(".map, ") + ".map")]
    NoneOf {
        /// The folder in which they were searched for.
        folder: PathBuf,
        /// The names of the maps.
        names: Vec<&'static str>,
    },
    /// There are neither meshes nor levels in the folder.
    #[error("{}: there are no files of meshes or levels in it: .mesh, .obj, .gltf or .glb", .0.display())]
    NoMeshes(PathBuf),
    /// A map cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The polygons of a file are not those of a mesh.
    #[error("{map}: {source}")]
    Mesh {
        /// The file.
        map: String,
        /// Why they are not.
        source: MeshError,
    },
    /// No mesh can be built from a level.
    #[error("{map}: {source}")]
    Level {
        /// The file.
        map: String,
        /// Why it cannot.
        source: BuildError,
    },
    /// There are no queries to ask about a mesh.
    #[error("{map}: {source}")]
    Pairs {
        /// The mesh.
        map: String,
        /// Why there are none.
        source: NoPairs,
    },
    /// Hexagons cannot be laid over a map.
    #[error("{map}: {source}")]
    Hexagons {
        /// The map.
        map: String,
        /// Why they cannot.
        source: LatticeError,
    },
    /// There are no two hexagons on a map to walk between.
    #[error("{0}: expected ground of two hexagons at least to walk on")]
    OneHexagon(String),
    /// There are no queries to ask about a map.
    #[error("{map}: {source}")]
    Trials {
        /// The map.
        map: String,
        /// Why there are none.
        source: TrialError,
    },
}

/// A map and its queries.
pub(super) struct Course {
    pub(super) name: String,
    pub(super) world: Snapshot,
    pub(super) trials: Vec<Trial>,
    /// The seed of everything that is drawn for this map; it differs from map to map.
    pub(super) seed: u64,
}

impl Maps {
    /// Reads every `.map` file of a folder, in the order of their names.
    ///
    /// # Errors
    /// When the folder or a map in it cannot be read, or it has no maps.
    pub fn of_folder(folder: &Path) -> Result<Maps, MapsError> {
        Maps::in_folder(folder, rules(), |_, _| Ok(Vec::new()))
    }

    /// Reads every `.map` file of a folder as [`Maps::of_folder`] does, under these rules and with the scenarios beside
    /// the maps.
    ///
    /// # Errors
    /// When the folder, a map in it or a scenario cannot be read, or it has no maps.
    pub(super) fn with_scenarios(folder: &Path, rules: Rules) -> Result<Maps, MapsError> {
        Maps::in_folder(folder, rules, scenario_beside)
    }

    fn in_folder(
        folder: &Path,
        rules: Rules,
        asked: impl Fn(&Path, &Snapshot) -> Result<Vec<Trial>, MapsError>,
    ) -> Result<Maps, MapsError> {
        let files = files_in(folder, &["map"])?;
        if files.is_empty() {
            return Err(MapsError::Empty(folder.to_path_buf()));
        }
        let read = |file: PathBuf| {
            let world = Snapshot::from(read_squares(&file, rules)?);
            let asked = asked(&file, &world)?;
            Ok(Map { name: file.display().to_string(), world, asked })
        };
        let maps = files.into_iter().map(read).collect::<Result<_, MapsError>>()?;
        Ok(Maps { from: folder.display().to_string(), grids: maps, meshes: Vec::new() })
    }

    /// Reads those of the named maps that are in a folder or below it, in the order of the names, with the scenarios
    /// beside them.
    ///
    /// # Errors
    /// When the folder or one of the maps cannot be read, or none of them is there.
    pub(super) fn named(folder: &Path, names: &[&'static str], rules: Rules) -> Result<Maps, MapsError> {
        // `maps_in` would list a missing folder as an empty one.
        std::fs::read_dir(folder).map_err(|source| MapsError::Folder { path: folder.to_path_buf(), source })?;
        let files = maps_in(folder);
        let mut maps = Vec::new();
        for &name in names {
            let file = format!("{name}.map");
            let own = |listed: &str| listed.rsplit('/').next().is_some_and(|own| own.eq_ignore_ascii_case(&file));
            let Some(found) = files.iter().find(|map| own(&map.name)) else { continue };
            // A file that was removed since it was listed is treated as missing.
            let Ok(path) = path_in(folder, &found.name) else { continue };
            let world = Snapshot::from(read_squares(&path, rules)?);
            let asked = scenario_beside(&path, &world)?;
            maps.push(Map { name: name.to_owned(), world, asked });
        }
        if maps.is_empty() {
            return Err(MapsError::NoneOf { folder: folder.to_path_buf(), names: names.to_vec() });
        }
        Ok(Maps { from: folder.display().to_string(), grids: maps, meshes: Vec::new() })
    }

    /// Lists the files of meshes and levels in a folder by name. They are read when the study comes to them.
    ///
    /// # Errors
    /// When the folder cannot be read, or has no such file.
    pub fn meshes_in(folder: &Path) -> Result<Maps, MapsError> {
        let meshes = files_in(folder, &["mesh", "obj", "gltf", "glb"])?;
        if meshes.is_empty() {
            return Err(MapsError::NoMeshes(folder.to_path_buf()));
        }
        Ok(Maps { from: folder.display().to_string(), grids: Vec::new(), meshes })
    }

    /// Generates worlds of the sizes that the papers name: caves and rooms from 50 × 50 to 320 × 320 cells, most of
    /// them small, with about 4,500 free cells on average.
    ///
    /// # Panics
    /// Never: sizes and settings are sound.
    pub fn look_alikes() -> Maps {
        let map = |index: usize| {
            // The sides grow faster and faster from 50 to 320, which gives a few large maps and many small ones.
            let last = LOOK_ALIKES as u128 - 1;
            let side = 50 + (270 * (index as u128).pow(11) / last.pow(11)) as usize;
            let (kind, settings) = match index % 3 {
                0 => (Kind::Rooms, &[("size", "9"), ("door", "3")][..]),
                1 => (Kind::Caves, &[("fill", "50")][..]),
                _ => (Kind::Caves, &[("fill", "52")][..]),
            };
            let settings = kind.recipe().settings(settings).expect("sound settings");
            let grid = generate(kind.recipe(), side, side, index as u64, &settings, rules()).expect("a sound size");
            Map { name: format!("look-alike {index}"), world: Snapshot::from(grid), asked: Vec::new() }
        };
        Maps {
            from: "the generator (look-alikes of the papers' maps)".to_owned(),
            grids: (0..LOOK_ALIKES).map(map).collect(),
            meshes: Vec::new(),
        }
    }

    /// Returns the number of maps.
    pub fn len(&self) -> usize {
        self.grids.len() + self.meshes.len()
    }

    /// Returns whether there are no maps, which no constructor allows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns at most `most` of the maps, picked evenly, with `queries` queries on each: those of its scenario, spread
    /// over lengths, or random ones. The queries of a map do not depend on which other maps are picked.
    pub(super) fn courses(&self, most: usize, queries: usize, seed: u64) -> Result<Vec<Course>, MapsError> {
        let count = most.min(self.grids.len());
        let course = |place: usize| {
            let index = place * self.grids.len() / count;
            let Map { name, world, asked } = &self.grids[index];
            let seed = seed.wrapping_add(index as u64);
            let trials = match asked.as_slice() {
                [] => queries::random(&AnySnapshot::from(world.clone()), queries, seed)
                    .map_err(|source| MapsError::Trials { map: name.clone(), source })?,
                asked => queries::spread(asked.to_vec(), queries),
            };
            Ok(Course { name: name.clone(), world: world.clone(), trials, seed })
        };
        (0..count).map(course).collect()
    }
}

/// Returns the files in a folder whose names end in one of these ways, by name.
fn files_in(folder: &Path, endings: &[&str]) -> Result<Vec<PathBuf>, MapsError> {
    let named = |source| MapsError::Folder { path: folder.to_path_buf(), source };
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).map_err(named)? {
        let file = entry.map_err(named)?.path();
        let ends = |ending: &&str| file.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending));
        if endings.iter().any(ends) {
            files.push(file);
        }
    }
    files.sort();
    Ok(files)
}

/// Reads the queries with a route from the `.scen` file that is named after a map; none if there is no such file.
fn scenario_beside(map: &Path, world: &Snapshot) -> Result<Vec<Trial>, MapsError> {
    let mut path = map.as_os_str().to_owned();
    path.push(".scen");
    let path = PathBuf::from(path);
    if !path.is_file() {
        return Ok(Vec::new());
    }
    let trials = queries::of_scenario(&read_scenario(&path)?, &AnySnapshot::from(world.clone()));
    let mut trials = trials.map_err(|source| MapsError::Trials { map: path.display().to_string(), source })?;
    trials.retain(|trial| trial.from != trial.to && world.connected(trial.from, trial.to));
    Ok(trials)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_are_as_large_as_the_papers_maps() {
        let maps = Maps::look_alikes();
        let sides: Vec<usize> = maps.grids.iter().map(|map| map.world.width()).collect();
        assert_eq!((maps.len(), sides.iter().min(), sides.iter().max()), (LOOK_ALIKES, Some(&50), Some(&320)));
        let free: usize = maps.grids.iter().map(|map| map.world.free_cells()).sum();
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
        let missing = folder.join("missing");
        assert!(matches!(Maps::of_folder(&missing), Err(MapsError::Folder { .. })));
        assert!(matches!(Maps::named(&missing, &["town"], rules()), Err(MapsError::Folder { .. })));
        let named = Maps::named(&folder, &["town", "brig"], rules());
        let said = named.err().map(|error| error.to_string());
        assert!(said.is_some_and(|said| said.ends_with(": none of town.map, brig.map is in it or below it")));
    }

    #[test]
    fn named_maps_are_found_below_a_folder_with_their_scenarios() {
        let folder = std::env::temp_dir().join(format!("portolan-named-{}", std::process::id()));
        let file = |name: &str, text: &str| {
            let path = folder.join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let map = "type octile\nheight 2\nwidth 4\nmap\n..@.\n..@.\n";
        file("sc/Town.map", map);
        file("dao/deep/brig.map", map);
        file("other.map", map);
        let query = |to: &str, length: &str| format!("0\tbrig.map\t4\t2\t0\t0\t{to}\t{length}\n");
        let queries = [query("1\t0", "1"), query("3\t0", "0"), query("0\t0", "0"), query("1\t1", "1.5")];
        file("dao/deep/brig.map.scen", &format!("version 1\n{}", queries.concat()));
        let maps = Maps::named(&folder, &["town", "sloop", "brig"], rules());
        std::fs::remove_dir_all(&folder).unwrap();
        let courses = maps.unwrap().courses(usize::MAX, 3, 1).unwrap();
        let shape: Vec<(&str, usize)> =
            courses.iter().map(|course| (course.name.as_str(), course.trials.len())).collect();
        assert_eq!(shape, [("town", 3), ("brig", 2)], "only what can be reached is asked for");
        assert!(courses[1].trials.iter().all(|trial| trial.stated.is_some()));
    }
}
