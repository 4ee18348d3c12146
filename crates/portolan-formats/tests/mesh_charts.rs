//! Saved charts of meshes as files: they open as they were for the mesh that they were built for, and every other mesh,
//! world or damage is refused.

use portolan::generate::Random;
use portolan::{
    MeshEdit, MeshLink, MeshParts, NavMesh, Outcome, Planner, Query, Rules, Scratch, Snapshot, SquareGrid, Terrain,
    World, algorithms,
};
use portolan_formats::chart_file::{Difference, MESH_VERSION, WorldReference, kind, write};
use portolan_formats::{ChartError, ChartFile, FileError, read_chart, write_chart};
use std::fs;
use std::path::{Path, PathBuf};
use twox_hash::XxHash3_64;

const SIDE: u32 = 14;

/// A file that is removed when the value is dropped.
struct Chart(PathBuf);

impl Chart {
    fn new(name: &str) -> Chart {
        Chart(Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}.chart", std::process::id())))
    }
}

impl Drop for Chart {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Returns squares with heights, some of them blocked and some muddy, and links across them.
fn parts(seed: u64, links: usize) -> MeshParts {
    let mut random = Random::new(seed);
    let mut parts = MeshParts::default();
    let row = SIDE + 1;
    parts.vertices = (0..row * row)
        .map(|at| [f64::from(at % row) * 1.7, f64::from(at / row) * 1.3, random.below(3) as f64 / 7.0])
        .collect();
    for at in 0..SIDE * SIDE {
        let corner = at / SIDE * row + at % SIDE;
        let weight = [0, 1, 1, 1, 1, 1, 1, 3][random.below(8) as usize];
        parts.push(&[corner, corner + 1, corner + row + 1, corner + row], weight);
    }
    for link in 0..links {
        let at = 2.3 + link as f64;
        parts.links.push(MeshLink { from: [at, 1.0, 0.0], to: [20.0, at, 0.0], cost: 3.0, both_ways: link % 2 == 0 });
    }
    parts
}

fn mesh(seed: u64, links: usize) -> Snapshot<NavMesh> {
    Snapshot::from(NavMesh::new(&parts(seed, links)).expect("it is sound"))
}

const CHARTS: [(&str, &[(&str, &str)]); 3] =
    [("hna-star", &[]), ("hna-star", &[("levels", "2"), ("merge", "3")]), ("rhumb", &[])];

fn planner(world: &Snapshot<NavMesh>, (name, settings): (&str, &[(&str, &str)])) -> Planner<NavMesh> {
    let algorithm = portolan::MESH_ALGORITHMS.iter().copied().find(|algorithm| algorithm.name == name).unwrap();
    Planner::build(world, algorithm, algorithm.settings(settings).unwrap()).unwrap()
}

fn query(random: &mut Random, mesh: &NavMesh) -> Query<portolan::MeshPoint> {
    let mut point = || loop {
        let polygon = random.below(mesh.polygons() as u64) as u32;
        if mesh.is_free(polygon) {
            return mesh.centre(polygon);
        }
    };
    Query::new(point(), point())
}

fn assert_alike(
    world: &Snapshot<NavMesh>,
    planner: &Planner<NavMesh>,
    own: &Snapshot<NavMesh>,
    other: &Planner<NavMesh>,
) {
    let (mut random, mut scratch) = (Random::new(3), Scratch::new());
    for _ in 0..20 {
        let query = query(&mut random, world);
        let [answer, again] =
            [(planner, world), (other, own)].map(|(planner, world)| planner.find(world, query, &mut scratch).unwrap());
        let cost = |outcome: &Outcome<portolan::Route<NavMesh>>| outcome.route().map(portolan::Route::cost);
        assert_eq!((answer.name(), cost(&answer)), (again.name(), cost(&again)));
    }
}

#[test]
fn charts_of_meshes_open_as_they_were() {
    let path = Chart::new("mesh-opens");
    for links in [0, 5] {
        for chart in CHARTS {
            let mut world = World::from(NavMesh::new(&parts(7, links)).unwrap());
            // The chart of an edited mesh knows the mesh as it is.
            let mud = [MeshEdit::new(40, Terrain::BLOCKED), MeshEdit::new(41, Terrain::GROUND)];
            world.apply(&mud).unwrap();
            let mut saved = planner(&world, chart);
            let referring = write_chart(&path.0, &saved, &world, false).unwrap();
            assert_eq!((kind(&path.0), referring as u64), (Some("mesh"), fs::metadata(&path.0).unwrap().len()));
            let (_, opened) = read_chart(&path.0, Some(&world)).unwrap();
            assert_eq!(opened.settings(), saved.settings());
            assert_alike(&world, &saved, &world, &opened);

            let embedding = write_chart(&path.0, &saved, &world, true).unwrap();
            assert!(embedding > referring + 24 * world.vertices());
            assert_eq!(fs::read(&path.0).unwrap(), write(&saved.save(&world).unwrap(), &world, true));
            let (own, _) = read_chart::<NavMesh>(&path.0, None).unwrap();
            assert_eq!(own.to_parts(), world.to_parts());
            let mut own = World::from((*own).clone());
            let (_, mut opened) = read_chart(&path.0, Some(&own)).unwrap();
            assert_alike(&world, &saved, &own, &opened);

            let edits = [MeshEdit::new(100, Terrain::BLOCKED), MeshEdit::new(40, Terrain::GROUND)];
            world.apply(&edits).unwrap();
            own.apply(&edits).unwrap();
            saved.repair(&world, &edits).unwrap();
            opened.repair(&own, &edits).unwrap();
            assert_alike(&world, &saved, &own, &opened);
        }
    }
}

/// Returns the bytes of a small chart with its mesh in it, for each kind of chart.
fn files() -> Vec<Vec<u8>> {
    let world = mesh(9, 3);
    CHARTS.into_iter().map(|chart| write(&planner(&world, chart).save(&world).unwrap(), &world, true)).collect()
}

fn open(bytes: &[u8]) -> Result<(Snapshot<NavMesh>, Planner<NavMesh>), ChartError> {
    let file = ChartFile::from_bytes(bytes.to_vec())?;
    let world = file.world()?;
    let planner = file.open(&world)?;
    Ok((world, planner))
}

/// Computes the checksum anew, so that it is right for changed bytes.
fn seal(bytes: &mut [u8]) {
    let (body, checksum) = bytes.split_at_mut(bytes.len() - 8);
    checksum.copy_from_slice(&XxHash3_64::oneshot(body).to_le_bytes());
}

#[test]
fn cut_flipped_and_tampered_files_are_refused_or_do_no_harm() {
    let mut random = Random::new(17);
    let mut opened = 0;
    for bytes in files() {
        for length in (0..bytes.len()).step_by(397) {
            match open(&bytes[..length]).err() {
                Some(ChartError::NotAChart) => assert!(length < 8),
                Some(ChartError::Length { actual, .. }) => assert_eq!(actual, length as u64),
                other => panic!("{other:?} at {length}"),
            }
        }
        let all_bits = (0..200 * 8).map(|bit| (bit / 8, bit % 8));
        for (at, bit) in (0..bytes.len()).step_by(211).map(|at| (at, at % 8)).chain(all_bits) {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << bit;
            assert!(open(&changed).is_err(), "byte {at}");
            seal(&mut changed);
            let Ok((world, planner)) = open(&changed) else { continue };
            opened += 1;
            for _ in 0..3 {
                let query = query(&mut random, &world);
                if let Outcome::Reached(route) = planner.find(&world, query, &mut Scratch::new()).unwrap() {
                    route.check(&world).unwrap_or_else(|error| panic!("{error}, byte {at}"));
                }
            }
        }
    }
    assert!(opened > 10, "some changes, as that of a setting, make a sound chart: {opened}");
}

/// A header that states more polygons, vertices or links than there are, or a mesh that does, takes no memory for them.
#[test]
fn promises_take_no_memory() {
    let bytes = files().remove(0);
    let begin = bytes.windows(8).position(|bytes| bytes == b"\x89NMESH\r\n").unwrap();
    for at in [20, 24, 28, begin + 20, begin + 24, begin + 28] {
        let mut changed = bytes.clone();
        changed[at..at + 4].copy_from_slice(&[255; 4]);
        if at >= begin {
            // The mesh is the one that the header refers to, so that it is read.
            let end = begin + u64::from_le_bytes(bytes[begin + 12..begin + 20].try_into().unwrap()) as usize;
            seal(&mut changed[begin..end]);
            let hash = XxHash3_64::oneshot(&changed[begin..end]).to_le_bytes();
            changed[32..40].copy_from_slice(&hash);
        }
        seal(&mut changed);
        let mut fault = None;
        let used = allocation_counter::measure(|| fault = open(&changed).err());
        assert!(used.bytes_max < 1 << 21, "{} bytes", used.bytes_max);
        match fault.unwrap() {
            ChartError::OtherWorld(Difference::Mesh { .. }) if at < begin => {}
            ChartError::NavMesh(_) if at >= begin => {}
            other => panic!("{other} at {at}"),
        }
    }
}

#[test]
fn another_mesh_kind_or_version_is_told_with_what_was_expected() {
    let path = Chart::new("mesh-faults");
    let world = mesh(9, 3);
    let saved = planner(&world, CHARTS[0]);
    write_chart(&path.0, &saved, &world, false).unwrap();
    let told = |world: Option<&Snapshot<NavMesh>>| {
        let message = read_chart(&path.0, world).err().unwrap().to_string();
        message.strip_prefix(&format!("{}: ", path.0.display())).expect("it names the file").to_owned()
    };
    assert!(told(None).starts_with("the world is not in it"));
    let counts = "that one has 196 polygons, 225 vertices and 3 links, this one";
    let other = format!("it is the chart of another world: {counts} 196 polygons, 225 vertices and 1 link");
    assert_eq!(told(Some(&mesh(9, 1))), other);
    let known = WorldReference::of(&*world).hash();
    for (what, change) in [
        ("weights", &mut (|parts: &mut MeshParts| parts.weights[3] = 9) as &mut dyn FnMut(&mut MeshParts)),
        ("heights", &mut |parts| parts.vertices[3][2] += 0.25),
        ("links", &mut |parts| parts.links[1].cost += 0.25),
        ("directions", &mut |parts| parts.links[1].both_ways = true),
    ] {
        let mut parts = parts(9, 3);
        change(&mut parts);
        let changed = Snapshot::from(NavMesh::new(&parts).unwrap());
        let hash = WorldReference::of(&*changed).hash();
        let expected = format!("it is the chart of another world: parts {known:016x}, not {hash:016x}");
        assert_eq!(told(Some(&changed)), expected, "{what}");
    }

    let grid = Snapshot::from(SquareGrid::open(20, 20, Rules::default()).unwrap());
    let fault = read_chart(&path.0, Some(&grid)).err().unwrap();
    assert!(fault.to_string().ends_with("another world: that one is of polygons, this one of squares"), "{fault}");
    let rows = algorithms::HPA_STAR.build(&grid).unwrap();
    let squares = ChartFile::from_bytes(write(&rows.save(&grid).unwrap(), &grid, true)).unwrap();
    for fault in [squares.open(&world).err().unwrap(), squares.world::<NavMesh>().err().unwrap()] {
        assert_eq!(fault, ChartError::OtherWorld(Difference::Kind { chart: "square", world: "mesh" }));
    }

    let mut newer = fs::read(&path.0).unwrap();
    newer[8] = 7;
    fs::write(&path.0, &newer).unwrap();
    let known = format!("expected version {MESH_VERSION} of the chart format, found version 7; build the chart again");
    assert_eq!(told(None), known);
    let flat = planner(&world, ("a-star", &[]));
    assert!(matches!(write_chart(&path.0, &flat, &world, false), Err(FileError::Save { .. })));
}

/// If a change of the engine changes these bytes, raise [`MESH_VERSION`], so that older files are refused, and put the new
/// hashes here.
#[test]
fn the_bytes_of_a_version_stay_the_same() {
    const GOLDEN: [u64; 2] = [0x52d7_29a1_0511_adfb, 0xef59_4e8a_0bd7_3a94];
    let world = mesh(9, 3);
    let hash = |chart| {
        let mut saved = planner(&world, chart).save(&world).unwrap();
        saved.settings = Vec::new();
        XxHash3_64::oneshot(&write(&saved, &world, true))
    };
    let hashes = [CHARTS[1], CHARTS[2]].map(hash);
    assert_eq!((MESH_VERSION, hashes), (1, GOLDEN), "{hashes:#x?}");
}
