//! The worlds that can be opened, by where they come from: built in, made by a recipe, in the folder of maps, in a
//! case, or in a file that a page uploads.
//!
//! Not here: what a page does with a world once it is open.

mod ends;
mod making;
mod meshes;

use crate::answer::Listed;
use crate::command::{Grid, WorldRef};
use crate::limits;
use ends::far_apart;
use making::{made, of_weights};
use meshes::is_mesh_file;
pub(crate) use meshes::{OpenedMesh, is_mesh, opening};
use portolan::any::AnyWorld;
use portolan::generate::GenerateError;
use portolan::settings::SettingError;
use portolan::{Cell, Floors, GridError, KindNames, Rules};
use portolan_formats::ascii::{self, AsciiWorld, Entity, EntityKind};
use portolan_formats::case::{self, Case, CaseWorld};
use portolan_formats::{Kind, NamedWorld, ReadError, read_named_bytes, world_size};
use portolan_lab::maps::{self, file_in, files_in, is_map};
use portolan_lab::worlds::{CaseWorldError, builtin, of_case};
use portolan_mesh::CityError;
use portolan_sim::Behaviour;
use portolan_sim::cases::shipped;
use std::io;
use std::path::{Path, PathBuf};

/// Most cells of a drawing that comes with the program.
const DRAWN_CELLS: usize = 1 << 16;

/// The folder of maps, and the maps that were found in it.
pub(crate) struct Atlas {
    folder: Option<PathBuf>,
    maps: Vec<Listed>,
}

/// A world that was opened and is not part of a session yet.
pub(crate) struct Opened {
    pub(crate) name: String,
    pub(crate) reference: WorldRef,
    pub(crate) world: AnyWorld,
    /// The start and the goal that the page shows first.
    pub(crate) ends: (Cell, Cell),
    /// The case that the world came with, and what it says about its agent.
    pub(crate) case: Option<(Case, Behaviour)>,
    /// What is drawn in the world besides terrain: keys, doors, characters and monsters.
    pub(crate) entities: Vec<Entity>,
    /// The names of kinds of ground.
    pub(crate) kinds: KindNames,
    /// How floors lie on the grid, if the world shows floors.
    pub(crate) floors: Option<Floors>,
}

/// Why a world cannot be opened.
#[derive(Debug, thiserror::Error)]
pub(crate) enum OpenError {
    #[error("there is no {kind} {name:?}")]
    Unknown { kind: &'static str, name: String },
    #[error("there is no folder of maps; start the studio with --maps")]
    NoFolder,
    #[error("a file is brought by the page and cannot be opened by its name")]
    File,
    #[error("a mesh has no cells, and this needs a world of cells")]
    NoCells,
    #[error("a file has at most {} MiB", .0 >> 20)]
    LargeFile(u64),
    #[error(
        "a world here has at most {} cells, {} a side; this one would be {width} x {height}",
        limits::CELLS,
        limits::SIDE
    )]
    TooLarge { width: usize, height: usize },
    #[error("a hexagon has as many columns as rows, and an odd number of them; this one would be {width} x {height}")]
    NoHexagon { width: usize, height: usize },
    #[error("{name}: {cell} lies off the map, which is {width} x {height}")]
    OffMap { name: String, cell: Cell, width: usize, height: usize },
    #[error("a city here has at most {} blocks; this one would have {columns} x {rows}", limits::BLOCKS)]
    LargeCity { columns: u16, rows: u16 },
    #[error(
        "{name} is {columns:.0} cells large as seen from above, and at most {:.0} are possible: take larger cells",
        limits::COLUMNS
    )]
    LargeLevel { name: String, columns: f64 },
    #[error("{name} has {polygons} polygons; a mesh here has at most {}", limits::POLYGONS)]
    ManyPolygons { name: String, polygons: usize },
    #[error("{name}: {why}")]
    Mesh { name: String, why: String },
    #[error("{name}: {source}")]
    Io { name: String, source: io::Error },
    #[error(transparent)]
    Map(#[from] maps::OpenError),
    #[error(transparent)]
    Setting(#[from] SettingError),
    #[error(transparent)]
    Made(#[from] GenerateError),
    #[error(transparent)]
    City(#[from] CityError),
    #[error(transparent)]
    Grid(#[from] GridError),
    #[error("{}{}", .0, how_to_read_it(.0))]
    Read(#[from] ReadError),
    #[error(transparent)]
    Case(#[from] CaseWorldError),
}

impl Atlas {
    /// Lists the maps in the folder, if there is a folder.
    pub(crate) fn new(folder: Option<PathBuf>) -> Atlas {
        let listed = |map: maps::MapFile| Listed {
            mesh: is_mesh_file(Path::new(&map.name)),
            name: map.name,
            width: map.size.map(|size| size.0),
            height: map.size.map(|size| size.1),
        };
        let is_offered = |path: &Path| is_map(path) || is_mesh_file(path);
        let files = folder.as_deref().map(|folder| files_in(folder, is_offered));
        let maps = files.into_iter().flatten().map(listed).collect();
        Atlas { folder, maps }
    }

    pub(crate) fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    pub(crate) fn maps(&self) -> &[Listed] {
        &self.maps
    }

    /// Returns the most cells that a world can have. It is 0 for a file, which cannot be opened by its name.
    pub(crate) fn cells(&self, reference: &WorldRef) -> usize {
        match reference {
            WorldRef::Made { width, height, .. } => at_most((*width, *height)),
            WorldRef::Map { name } => {
                let listed = self.maps.iter().find(|map| map.name == *name);
                listed.and_then(|map| Some((map.width?, map.height?))).map_or(limits::CELLS, at_most)
            }
            WorldRef::Builtin { .. } => DRAWN_CELLS,
            WorldRef::Case { name } => match shipped(name).map(|shipped| shipped.case().world) {
                Some(CaseWorld::Made { width, height, .. }) => at_most((width, height)),
                _ => DRAWN_CELLS,
            },
            WorldRef::City { .. } | WorldRef::File { .. } => 0,
        }
    }

    /// Returns the most cells that the world in a file can have.
    pub(crate) fn cells_in(name: &str, bytes: &[u8]) -> usize {
        let size = if case::is_case(bytes) { drawn_size(bytes) } else { world_size(name, bytes) };
        size.map_or(limits::CELLS, at_most)
    }

    /// Opens the world that `reference` names. It has these rules, unless it is a case, which has its own.
    pub(crate) fn open(&self, reference: WorldRef, rules: Rules) -> Result<Opened, OpenError> {
        let unknown = |kind, name: &str| OpenError::Unknown { kind, name: name.to_owned() };
        match &reference {
            WorldRef::Builtin { name } => {
                let world = builtin(name).ok_or_else(|| unknown("built-in world", name))?;
                let drawn = ascii::read(world.text.as_bytes(), rules)?;
                Ok(Opened::drawn(name.clone(), reference, drawn))
            }
            WorldRef::Made { recipe, width, height, seed, settings, grid } => {
                let world = made(recipe, (*width, *height), *seed, settings, (*grid, rules))?;
                let name = format!("{recipe} {width} × {height}");
                Ok(Opened::plain(name, reference, world))
            }
            WorldRef::Map { name } if is_mesh_file(Path::new(name)) => Err(OpenError::NoCells),
            WorldRef::Map { name } => {
                let bytes = self.file(name)?;
                let name = name.clone();
                world(name, reference, &bytes, rules)
            }
            WorldRef::Case { name } => {
                let case = shipped(name).ok_or_else(|| unknown("case", name))?.case();
                let name = name.clone();
                Opened::of_case(name, reference, case)
            }
            WorldRef::City { .. } => Err(OpenError::NoCells),
            WorldRef::File { .. } => Err(OpenError::File),
        }
    }

    /// Reads the bytes of a map in the folder.
    fn file(&self, name: &str) -> Result<Vec<u8>, OpenError> {
        let is_offered = |path: &Path| is_map(path) || is_mesh_file(path);
        let path = file_in(self.folder().ok_or(OpenError::NoFolder)?, name, is_offered)?;
        let fault = |source| OpenError::Io { name: name.to_owned(), source };
        if path.metadata().map_err(fault)?.len() > limits::MAP_FILE {
            return Err(OpenError::LargeFile(limits::MAP_FILE));
        }
        std::fs::read(path).map_err(fault)
    }

    /// Opens the world in a file that a page uploads.
    pub(crate) fn read(name: &str, bytes: &[u8], rules: Rules) -> Result<Opened, OpenError> {
        if bytes.len() > limits::UPLOAD {
            return Err(OpenError::LargeFile(limits::UPLOAD as u64));
        }
        let reference = WorldRef::File { name: name.to_owned() };
        if !case::is_case(bytes) {
            return world(name.to_owned(), reference, bytes, rules);
        }
        if let Some((width, height)) = drawn_size(bytes) {
            fits(width, height)?;
        }
        let path = Path::new(name);
        let case = case::read(bytes).map_err(|fault| fault.in_file(path))?.in_file(path);
        Opened::of_case(name.to_owned(), reference, case)
    }

    /// Opens a world by the weights that a page sends. A page sends weights, not a file, because not every file format
    /// keeps all weights. Only squares have rules.
    pub(crate) fn restore(
        name: &str,
        size: (usize, usize),
        weights: &[u8],
        (grid, rules): (Grid, Rules),
    ) -> Result<Opened, OpenError> {
        fits(size.0, size.1)?;
        let world = of_weights(size, weights, (grid, rules))?;
        Ok(Opened::plain(name.to_owned(), WorldRef::File { name: name.to_owned() }, world))
    }
}

/// Returns advice to add to an error: if the file has a character that stands for no terrain, the command line can
/// convert the file. Files are read strictly here.
fn how_to_read_it(fault: &ReadError) -> &'static str {
    let convert = ": `portolan map convert FILE NEW.txt --lenient` writes a file in which it is";
    if fault.is_ground_if_lenient { convert } else { "" }
}

/// Returns the size of the world that is drawn in a case, or `None` if the case has no drawing.
fn drawn_size(bytes: &[u8]) -> Option<(usize, usize)> {
    let mut rest = bytes;
    loop {
        let end = rest.iter().position(|&byte| byte == b'\n')?;
        let word = rest[..end].trim_ascii().split(u8::is_ascii_whitespace).next();
        rest = &rest[end + 1..];
        if word == Some(b"map") {
            return ascii::size(rest);
        }
    }
}

/// Returns the cells of a world of this size, but at most [`limits::CELLS`], since larger worlds are not opened.
fn at_most((width, height): (usize, usize)) -> usize {
    width.saturating_mul(height).min(limits::CELLS)
}

/// Checks that a world of this size may be opened.
fn fits(width: usize, height: usize) -> Result<(), OpenError> {
    let fits = width <= limits::SIDE && height <= limits::SIDE && width * height <= limits::CELLS;
    if fits { Ok(()) } else { Err(OpenError::TooLarge { width, height }) }
}

/// Reads the world in a file. The size that the file states is checked first, so that a world that is too large is not
/// read.
fn world(name: String, reference: WorldRef, bytes: &[u8], rules: Rules) -> Result<Opened, OpenError> {
    if let Some((width, height)) = world_size(&name, bytes) {
        fits(width, height)?;
    }
    let kind = Kind::of(Path::new(&name)).or_else(|| Kind::of_bytes(bytes));
    if kind == Some(Kind::Ascii) {
        let drawn = ascii::read(bytes, rules).map_err(|fault| fault.in_file(Path::new(&name)))?;
        return Ok(Opened::drawn(name, reference, drawn));
    }
    let NamedWorld { world, kinds, floors } = read_named_bytes(&name, bytes, rules)?;
    Ok(Opened { kinds, floors, ..Opened::plain(name, reference, AnyWorld::from(world)) })
}

impl Opened {
    fn plain(name: String, reference: WorldRef, world: AnyWorld) -> Opened {
        let (ends, kinds) = (far_apart(&world.snapshot(), None), KindNames::default());
        Opened { name, reference, ends, world, case: None, entities: vec![], kinds, floors: None }
    }

    /// Makes an opened world from a drawing. If the drawing has a player, the player is the start, and the first other
    /// character or key that the player can reach is the goal.
    fn drawn(name: String, reference: WorldRef, drawn: AsciiWorld) -> Opened {
        let AsciiWorld { grid, mut entities, kinds, floors } = drawn;
        entities.retain(|entity| !matches!(entity.kind, EntityKind::Wall(_)));
        entities.shrink_to_fit();
        let player = entities.iter().find(|entity| entity.kind == EntityKind::Player).map(|entity| entity.at);
        let wanted = |&&Entity { at, kind }: &&Entity| {
            let is_goal = matches!(kind, EntityKind::Npcs(_) | EntityKind::Key(_));
            is_goal && player.is_some_and(|player| grid.connected(player, at))
        };
        let goal = entities.iter().find(wanted).map(|entity| entity.at);
        let world = AnyWorld::from(grid);
        let ends = player.zip(goal).unwrap_or_else(|| far_apart(&world.snapshot(), player));
        Opened { name, reference, world, ends, case: None, entities, kinds, floors }
    }

    /// Opens a case, which brings its world, its rules, its start and its goal. If the case names a world, that must be
    /// a built-in one: a file beside a case that a page uploads is on another machine.
    fn of_case(name: String, reference: WorldRef, case: Case) -> Result<Opened, OpenError> {
        let behaviour = Behaviour::of(&case)?;
        if let CaseWorld::Made { width, height, .. } = case.world {
            fits(width, height)?;
        }
        let grid = of_case(&case.world, None, case.rules)?;
        let (width, height) = (grid.width(), grid.height());
        fits(width, height)?;
        let ends = (case.from, case.to);
        if let Some(cell) = [case.from, case.to].into_iter().find(|&cell| !grid.contains(cell)) {
            return Err(OpenError::OffMap { name, cell, width, height });
        }
        let (world, case) = (AnyWorld::from(grid), Some((case, behaviour)));
        Ok(Opened { ends, case, ..Opened::plain(name, reference, world) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::command::Pairs;

    fn drawn(text: &str) -> (Cell, Cell) {
        let world = ascii::read(text.as_bytes(), Rules::default()).unwrap();
        Opened::drawn(String::new(), WorldRef::File { name: String::new() }, world).ends
    }

    #[test]
    fn text_that_is_no_drawing_is_refused_and_what_to_do_is_told() {
        let fault = |name: &str, bytes: &[u8]| Atlas::read(name, bytes, Rules::default()).err().unwrap().to_string();
        for name in ["notes.txt", "notes"] {
            let told = fault(name, b"..A\nBuy milk.\n");
            let place = format!("{name}:2:2: expected a wall ");
            assert!(told.starts_with(&place) && told.contains("found 'u'") && told.contains("--lenient"), "{told}");
        }
        let case = b"\xef\xbb\xbfportolan case 1\nfrom 0,0\nto 1,0\nmap\n..\n";
        assert!(Atlas::read("marked.case", case, Rules::default()).is_ok());
    }

    #[test]
    fn a_drawing_says_where_to_start() {
        assert_eq!(drawn("o..\n..p\n"), (Cell::new(0, 0), Cell::new(2, 1)));
        assert_eq!(drawn("...\n.o.\n...x\n"), (Cell::new(1, 1), Cell::new(3, 2)));
        let (from, to) = drawn(".......o\n");
        assert!(from == Cell::new(7, 0) && to.x < 3, "{from} {to}");
        // The character behind the wall cannot be reached, so that another cell is the goal.
        assert_eq!(drawn("o.A.p\n").1, Cell::new(1, 0));
    }

    #[test]
    fn there_are_ends_even_where_nobody_can_walk() {
        assert_eq!(drawn("AA\nAA\n"), (Cell::new(0, 0), Cell::new(0, 0)));
        assert_eq!(drawn("AA\nA.\n"), (Cell::new(1, 1), Cell::new(1, 1)));
        let (from, to) = drawn(&(".".repeat(60) + "\n").repeat(40));
        assert!(from.x.abs_diff(to.x) > 30, "{from} {to}");
    }

    #[test]
    fn what_is_too_large_is_not_made() {
        let open_as = |width, height, grid| {
            let reference =
                WorldRef::Made { recipe: "open".into(), width, height, seed: 1, settings: Pairs::default(), grid };
            Atlas::new(None).open(reference, Rules::default()).map(|opened| opened.world.snapshot().width())
        };
        let open = |width, height| open_as(width, height, Grid::Square);
        assert!(matches!(open(8193, 1), Err(OpenError::TooLarge { .. })));
        assert!(matches!(open(4096, 4096), Err(OpenError::TooLarge { .. })));
        assert!(matches!(open(0, 5), Err(OpenError::Made(_))));
        assert!(matches!(open(usize::MAX, usize::MAX), Err(OpenError::TooLarge { .. })));
        assert_eq!(open(300, 2).unwrap(), 300);
        assert!(matches!(open_as(8193, 1, Grid::Hex), Err(OpenError::TooLarge { .. })));
        assert_eq!(open_as(300, 2, Grid::Hex).unwrap(), 300);
        assert!(matches!(open_as(300, 2, Grid::Hexagon), Err(OpenError::NoHexagon { .. })));
        assert_eq!(open_as(31, 31, Grid::Hexagon).unwrap(), 31);
    }

    #[test]
    fn a_case_brings_its_world_and_its_rules() {
        let atlas = Atlas::new(None);
        for case in portolan_sim::cases::SHIPPED {
            let reference = WorldRef::Case { name: case.name.into() };
            let most = atlas.cells(&reference);
            let opened = atlas.open(reference, Rules::default()).unwrap();
            let world = opened.world.snapshot();
            assert_eq!(world.rules(), Some(case.case().rules), "{}", case.name);
            assert!(world.connected(opened.ends.0, opened.ends.1), "{}", case.name);
            assert!(world.width() * world.height() <= most, "{}", case.name);
        }
        let read = |text: &str| Atlas::read("a.case", text.as_bytes(), Rules::default()).map(|opened| opened.ends.1);
        assert_eq!(read("portolan case 1\nfrom 0,0\nto 1,0\nmap\n..\n").unwrap(), Cell::new(1, 0));
        let lost = read("portolan case 1\nfrom 0,0\nto 1,0\nfollow me\nmap\n..\n").unwrap_err().to_string();
        assert_eq!(lost, "a.case:4:8: expected repair or rebuild, found 'me'");
        let off = read("portolan case 1\nworld harbour\nfrom 0,0\nto 999,0\n");
        assert!(matches!(off, Err(OpenError::OffMap { .. })));
        let wide = format!("portolan case 1\nfrom 0,0\nto 1,0\n map # {}\n..\n", ".".repeat(3)) + &".".repeat(8200);
        assert!(matches!(read(&wide), Err(OpenError::TooLarge { .. })));
        let made = read("portolan case 1\nworld maze 30000x30000\nfrom 0,0\nto 1,0\n");
        assert!(matches!(made, Err(OpenError::TooLarge { .. })));
    }

    #[test]
    fn files_are_what_they_say_or_look_like() {
        let read = |name: &str, bytes: &[u8]| {
            Atlas::read(name, bytes, Rules::default()).map(|opened| opened.world.snapshot().width())
        };
        let map = b"type octile\nheight 1\nwidth 3\nmap\n...\n";
        assert_eq!(read("a.map", map).unwrap(), 3);
        assert_eq!(read("what", map).unwrap(), 3);
        assert!(matches!(read("a.png", map), Err(OpenError::Read(_))));
        let promise = b"type octile\nheight 30000\nwidth 30000\nmap\n...\n";
        assert!(matches!(read("a.map", promise), Err(OpenError::TooLarge { .. })));
    }
}
