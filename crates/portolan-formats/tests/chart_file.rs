//! Saved charts as files: a planner that was saved and opened answers as before, and every fault of a file has its own
//! error.

use portolan::generate::{Random, generate, recipe};
use portolan::probe::Trace;
use portolan::saved::{OpenError, SavedChart};
use portolan::{
    Border, Cell, Corners, Cost, Directions, Edit, Extras, Metric, Outcome, Planner, Query, Rules, Scratch, Side,
    Snapshot, SquareGrid, Terrain, World, algorithm,
};
use portolan_formats::chart_file::{Difference, VERSION, WorldReference, is_chart, write};
use portolan_formats::{ChartError, ChartFile, FileError, read_chart, write_chart};
use std::fs;
use std::path::{Path, PathBuf};
use twox_hash::XxHash3_64;

/// An empty folder that is removed when the value is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("charts-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Folder(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

const CHARTS: [(&str, &[(&str, &str)]); 8] = [
    ("hpa-star", &[]),
    ("hpa-star", &[("levels", "3"), ("cluster", "6"), ("direct", "no"), ("smoothing", "none")]),
    ("hpa-star", &[("levels", "2"), ("cluster", "7"), ("edges", "lazy"), ("routes", "search"), ("direct", "no")]),
    ("dhpa-star", &[]),
    ("dhpa-star", &[("levels", "3"), ("cluster", "6"), ("direct", "no")]),
    ("dhpa-star", &[("levels", "2"), ("cluster", "8"), ("edges", "lazy"), ("stop", "first"), ("direct", "no")]),
    ("rhumb", &[]),
    ("rhumb", &[("spacing", "9"), ("gap", "4"), ("smoothing", "none"), ("direct", "no")]),
];

/// An algorithm that runs only on uniform worlds with eight directions.
const LANDMARKS: (&str, &[(&str, &str)]) = ("jump-graph", &[("landmarks", "5")]);

fn planner(world: &Snapshot, (name, settings): (&str, &[(&str, &str)])) -> Planner {
    let algorithm = algorithm(name).unwrap();
    Planner::build(world, algorithm, algorithm.settings(settings).unwrap()).unwrap()
}

/// Returns a world with scattered walls, and with mud if `weighted`.
fn scattered(seed: u64, weighted: bool, rules: Rules) -> SquareGrid {
    let mut random = Random::new(seed);
    let mut weight = |_| match random.below(10) {
        0 | 1 => 0,
        other if weighted => other as u8,
        _ => 1,
    };
    let weights: Vec<u8> = (0..50 * 40).map(&mut weight).collect();
    SquareGrid::from_weights(50, 40, &weights, rules).unwrap()
}

fn all_rules() -> Vec<Rules> {
    let eight = Corners::NAMED.map(|(_, corners)| Rules { corners, ..Rules::default() });
    let metric = Metric::new(10, 14).ok();
    eight.into_iter().chain([Rules { directions: Directions::Four, metric, ..Rules::default() }]).collect()
}

fn ends(random: &mut Random, world: &Snapshot) -> Query {
    let mut cell = || loop {
        let cell = Cell::new(random.below(world.width() as u64) as u16, random.below(world.height() as u64) as u16);
        if world.is_free(cell) {
            return cell;
        }
    };
    Query::new(cell(), cell())
}

/// Asserts that both planners give equal answers with equal traces.
fn assert_alike(world: &Snapshot, planner: &Planner, other_world: &Snapshot, other: &Planner) {
    let (mut random, mut scratch) = (Random::new(3), Scratch::new());
    for _ in 0..8 {
        let query = ends(&mut random, world);
        let (mut trace, mut again) = (Trace::default(), Trace::default());
        let answer = planner.watch(world, query, &mut scratch, &mut trace).unwrap();
        assert_eq!(answer, other.watch(other_world, query, &mut scratch, &mut again).unwrap());
        assert_eq!(trace, again);
        assert_eq!(answer, other.find(other_world, query, &mut scratch).unwrap());
    }
}

#[test]
fn charts_of_all_kinds_open_as_they_were() {
    let folder = Folder::new("kinds");
    let path = folder.0.join("a.chart");
    for rules in all_rules() {
        for weighted in [false, true] {
            for kind in CHARTS {
                let mut world = World::from(scattered(5, weighted, rules));
                let mut saved = planner(&world, kind);
                saved.find(&world, Query::new(first_free(&world), first_free(&world)), &mut Scratch::new()).unwrap();
                let referring = write_chart(&path, &saved, &world, false).unwrap();
                let (given, opened) = read_chart(&path, Some(&world)).unwrap();
                assert_eq!(given.revision(), world.revision());
                assert_eq!(opened.settings(), saved.settings());
                assert_alike(&world, &saved, &world, &opened);

                let embedding = write_chart(&path, &saved, &world, true).unwrap();
                assert!(embedding > referring + 50 * 40);
                let (own, mut opened) = read_chart::<SquareGrid>(&path, None).unwrap();
                assert_eq!((own.to_weights(), own.metric()), (world.to_weights(), world.metric()));
                assert_alike(&world, &saved, &own, &opened);

                // The opened planner follows edits like the planner that was saved.
                let mut own = World::from((*own).clone());
                assert!(opened.find(&own, Query::new((0, 0), (1, 1)), &mut Scratch::new()).is_err(), "another world");
                let (_, again) = read_chart(&path, Some(&own)).unwrap();
                opened = again;
                let edits =
                    [Edit::new(Cell::new(20, 20), Terrain::BLOCKED), Edit::new(Cell::new(7, 6), Terrain::GROUND)];
                world.apply(&edits).unwrap();
                own.apply(&edits).unwrap();
                assert_eq!(saved.repair(&world, &edits), opened.repair(&own, &edits));
                assert_alike(&world, &saved, &own, &opened);
                assert_alike(&world, &saved.anew(&world).unwrap(), &own, &opened);
            }
        }
    }
    assert_eq!(fs::read_dir(&folder.0).unwrap().count(), 1, "nothing temporary is left");
}

#[test]
fn landmarks_open_as_they_were() {
    let folder = Folder::new("landmarks");
    let path = folder.0.join("a.chart");
    for corners in Corners::NAMED.map(|(_, corners)| corners) {
        let world = Snapshot::from(scattered(5, false, Rules { corners, ..Rules::default() }));
        let saved = planner(&world, LANDMARKS);
        write_chart(&path, &saved, &world, true).unwrap();
        let (own, opened) = read_chart::<SquareGrid>(&path, None).unwrap();
        assert_alike(&world, &saved, &own, &opened);
    }
}

fn first_free(world: &Snapshot) -> Cell {
    world.cells().find(|&cell| world.is_free(cell)).unwrap()
}

/// Returns a small file of every kind, with its world in it, and that world.
fn files() -> Vec<(Snapshot, Vec<u8>)> {
    let sound = |kind| {
        let world = Snapshot::from(scattered(9, false, Rules::default()));
        let planner = planner(&world, kind);
        ask_something(&world, &planner);
        let bytes = write(&planner.save(&world).unwrap(), &world, true);
        (world, bytes)
    };
    CHARTS.into_iter().chain([LANDMARKS]).map(sound).collect()
}

/// Runs one query, so that costs that are computed at their first use are there to be saved.
fn ask_something(world: &Snapshot, planner: &Planner) {
    let query = ends(&mut Random::new(1), world);
    planner.find(world, query, &mut Scratch::new()).unwrap();
}

fn fault(bytes: &[u8]) -> ChartError {
    let file = match ChartFile::from_bytes(bytes.to_vec()) {
        Err(fault) => return fault,
        Ok(file) => file,
    };
    let opened = file.world().and_then(|world: Snapshot| file.open(&world));
    opened.err().expect("a fault")
}

/// Computes the checksum anew, so that it is right for changed bytes.
fn seal(bytes: &mut [u8]) {
    let (body, checksum) = bytes.split_at_mut(bytes.len() - 8);
    checksum.copy_from_slice(&XxHash3_64::oneshot(body).to_le_bytes());
}

#[test]
fn a_file_cut_anywhere_is_refused() {
    for (_, bytes) in files() {
        for length in (0..bytes.len()).step_by(97) {
            match fault(&bytes[..length]) {
                ChartError::NotAChart => assert!(length < 8),
                ChartError::Length { stated, actual } => {
                    assert_eq!(actual, length as u64);
                    assert_eq!(stated, if length < 20 { 28 } else { bytes.len() as u64 });
                }
                other => panic!("{other} at {length}"),
            }
        }
        let longer = [&bytes[..], b"!"].concat();
        assert_eq!(fault(&longer), ChartError::Length { stated: bytes.len() as u64, actual: bytes.len() as u64 + 1 });
    }
}

#[test]
fn a_flipped_bit_anywhere_is_noticed() {
    for (_, bytes) in files() {
        for at in (0..bytes.len()).step_by(61).chain(0..40) {
            let mut flipped = bytes.clone();
            flipped[at] ^= 1 << (at % 8);
            match (fault(&flipped), at) {
                (ChartError::NotAChart, 0..8)
                | (ChartError::Version { .. }, 8..12)
                | (ChartError::Length { .. }, 12..20)
                | (ChartError::Checksum, 20..) => {}
                (other, _) => panic!("{other} at {at}"),
            }
        }
    }
}

#[test]
fn a_tampered_file_with_a_right_checksum_is_refused_or_does_no_harm() {
    let mut random = Random::new(17);
    let mut opened = 0;
    for (_, bytes) in files() {
        for at in (20..bytes.len() - 8).step_by(61).chain(20..400) {
            let mut changed = bytes.clone();
            changed[at] ^= 1 << random.below(8);
            seal(&mut changed);
            let Ok(file) = ChartFile::from_bytes(changed) else { continue };
            let Ok((world, planner)) = file.world().and_then(|world: Snapshot| Ok((world.clone(), file.open(&world)?)))
            else {
                continue;
            };
            opened += 1;
            for _ in 0..3 {
                let query = ends(&mut random, &world);
                if let Outcome::Reached(route) = planner.find(&world, query, &mut Scratch::new()).unwrap() {
                    route.check(&world).unwrap_or_else(|error| panic!("{error}, byte {at}"));
                }
            }
        }
    }
    assert!(opened > 10, "some changes, as that of a setting, make a sound chart: {opened}");
}

#[test]
fn every_fault_has_its_own_words() {
    let folder = Folder::new("faults");
    let path = folder.0.join("a.chart");
    let (world, bytes) = files().remove(1);
    let message = |bytes: &[u8], world: Option<&Snapshot>| {
        fs::write(&path, bytes).unwrap();
        let message = read_chart(&path, world).err().unwrap().to_string();
        message.strip_prefix(&format!("{}: ", path.display())).expect("it names the file").to_owned()
    };
    assert_eq!(message(b"type octile\n", None), "expected a saved chart, found a file that does not begin like one");
    assert!(!is_chart(&path) && !is_chart(&folder.0.join("none")));
    fs::write(&path, &bytes).unwrap();
    assert!(is_chart(&path));
    let mut newer = bytes.clone();
    newer[8] = 7;
    let known = format!("expected version {VERSION} of the chart format, found version 7; build the chart again");
    assert_eq!(message(&newer, None), known);
    let (whole, half) = (bytes.len(), bytes.len() / 2);
    assert_eq!(message(&bytes[..half], None), format!("expected {whole} bytes, found {half}: it was cut short"));
    let mut damaged = bytes.clone();
    damaged[half] ^= 4;
    let damage = "its checksum does not hold: the file is damaged; build the chart again";
    assert_eq!(message(&damaged, None), damage);

    let planner = planner(&world, CHARTS[1]);
    let saved = planner.save(&world).unwrap();
    let referring = write(&saved, &world, false);
    assert!(message(&referring, None).starts_with("the world is not in it"));
    let rules = Rules { corners: Corners::Loose, ..Rules::default() };
    for (other, words) in [
        (SquareGrid::open(50, 41, Rules::default()).unwrap(), "that one is 50 x 40, this one 50 x 41"),
        (
            scattered(9, false, rules),
            "that one has 8 directions, strict corners and costs 5741/8119, this one 8 directions, loose corners and costs 5741/8119",
        ),
        (scattered(10, false, Rules::default()), "terrain "),
    ] {
        let told = message(&referring, Some(&Snapshot::from(other)));
        assert!(told.starts_with(&format!("it is the chart of another world: {words}")), "{told}");
    }
    let mut unknown = saved.clone();
    unknown.algorithm = "magic".into();
    assert_eq!(message(&write(&unknown, &world, true), None), "there is no algorithm \"magic\"");
    let mut refused = saved.clone();
    refused.settings[0].1 = "many".into();
    assert!(message(&write(&refused, &world, true), None).starts_with("cluster cannot be \"many\": it takes"));
    let mut malformed = saved.clone();
    malformed.sections[1].bytes.to_mut().truncate(6);
    let told = message(&write(&malformed, &world, true), None);
    assert!(told.starts_with("section \"prices.0\": expected at least"), "{told}");
    let mut twisted = bytes;
    twisted[28] = 5;
    seal(&mut twisted);
    assert_eq!(message(&twisted, None), "expected 4 or 8 directions, found 5");
    // The terrain in the file is not the one that the header refers to.
    twisted[28] = 8;
    twisted[38] ^= 1;
    seal(&mut twisted);
    assert!(matches!(fault(&twisted), ChartError::OtherWorld(Difference::Terrain { .. })));
}

#[test]
fn what_cannot_be_saved_leaves_the_old_file() {
    let folder = Folder::new("unsaved");
    let path = folder.0.join("a.chart");
    let world = Snapshot::from(scattered(2, false, Rules::default()));
    let chart = planner(&world, CHARTS[0]);
    write_chart(&path, &chart, &world, false).unwrap();
    let before = fs::read(&path).unwrap();
    let regions = planner(&world, ("shpa-star", &[]));
    let told = write_chart(&path, &regions, &world, false).err().unwrap().to_string();
    assert!(told.ends_with("shpa-star keeps nothing worth saving: it is as quick to build as to open"), "{told}");
    let other = Snapshot::from(scattered(3, false, Rules::default()));
    assert!(matches!(write_chart(&path, &chart, &other, false), Err(FileError::Save { .. })));
    assert_eq!(fs::read(&path).unwrap(), before);
    // The first path is a folder; the second is in a folder that does not exist.
    fs::create_dir_all(folder.0.join("b.chart/c")).unwrap();
    for name in ["b.chart", "none/b.chart"] {
        assert!(matches!(write_chart(&folder.0.join(name), &chart, &world, false), Err(FileError::Io { .. })));
    }
    let mut names: Vec<_> = fs::read_dir(&folder.0).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["a.chart", "b.chart"]);
}

/// Copies of the chart or of its file would take several times as much memory as the test allows.
#[test]
fn a_chart_is_written_with_a_small_part_of_its_bytes() {
    let folder = Folder::new("memory");
    let path = folder.0.join("a.chart");
    let city = recipe("city").unwrap();
    let settings = city.settings::<&str, &str>(&[]).unwrap();
    let world = Snapshot::from(generate(city, 300, 300, 5, &settings, Rules::default()).unwrap());
    for name in ["hpa-star", "dhpa-star", "rhumb", "jump-graph"] {
        let planner = planner(&world, (name, &[]));
        for embed in [false, true] {
            let used = allocation_counter::measure(|| {
                write_chart(&path, &planner, &world, embed).unwrap();
            });
            let (most, held) = (used.bytes_max, planner.bytes() as u64);
            assert!(4 * most <= held, "{name}: {most} bytes to write {held}");
        }
        assert_eq!(fs::read(&path).unwrap(), write(&planner.save(&world).unwrap(), &world, true), "{name}");
    }
}

/// If a change of the engine changes these bytes, raise [`VERSION`], so that older files are refused, and put the new
/// hashes here.
#[test]
fn the_bytes_of_a_version_stay_the_same() {
    const GOLDEN: [u64; 6] = [
        0xfad3_ab1b_752e_2a39,
        0xabda_7975_6721_cafb,
        0xc79c_ab08_804b_4b48,
        0xef40_7637_3892_3d7b,
        0xf51a_4e65_6b56_a764,
        0x4511_4806_8020_6bfd,
    ];
    let hash = |kind| {
        let world = Snapshot::from(scattered(9, false, Rules::default()));
        let planner = planner(&world, kind);
        ask_something(&world, &planner);
        // The settings are left out, since new settings whose defaults change nothing may be added without a new
        // version.
        let saved = SavedChart { settings: Vec::new(), ..planner.save(&world).unwrap() };
        XxHash3_64::oneshot(&write(&saved, &world, true))
    };
    assert_eq!((VERSION, [CHARTS[1], CHARTS[2], CHARTS[4], CHARTS[5], LANDMARKS, CHARTS[7]].map(hash)), (1, GOLDEN));
}

#[test]
fn a_chart_knows_its_world_by_kinds_borders_and_links_too() {
    let plain = Snapshot::from(scattered(5, true, Rules::default()));
    let mut kinds = vec![0; 50 * 40];
    kinds[50 * 20..50 * 21].fill(3);
    let kinded = Snapshot::from((*plain).clone().with_kinds(&kinds).unwrap());
    let mut walled = World::from((*kinded).clone());
    let at = plain.cells().filter(|&cell| plain.is_free(cell)).collect::<Vec<_>>();
    let wall = Edit::border(Cell::new(7, 7), Side::East, Border::Closed);
    walled.apply(&[wall, Edit::link(at[0], at[300], Cost(9), true)]).unwrap();
    let worlds = [plain, kinded, walled.snapshot()];
    let saved = planner(&worlds[0], ("hpa-star", &[])).save(&worlds[0]).unwrap();
    let hashes = worlds.each_ref().map(|world| WorldReference::of(&**world).hash());
    assert!(hashes[0] != hashes[1] && hashes[1] != hashes[2]);
    for world in &worlds {
        let file = ChartFile::from_bytes(write(&saved, world, true)).unwrap();
        let own = file.world::<SquareGrid>().unwrap();
        assert_eq!((own.to_weights(), own.to_kinds()), (world.to_weights(), world.to_kinds()));
        assert_eq!(own.border(Cell::new(7, 7), Side::East), world.border(Cell::new(7, 7), Side::East));
        assert_eq!(own.links().collect::<Vec<_>>(), world.links().collect::<Vec<_>>());
        for other in &worlds {
            let is_known = WorldReference::of(&**other).hash() == WorldReference::of(&**world).hash();
            let opened = file.open(other);
            let differs = matches!(opened, Err(ChartError::OtherWorld(Difference::Terrain { .. })));
            assert_eq!(differs, !is_known);
            // Charts over walls are not saved, and what pretends to be one is not opened.
            let is_refused = matches!(opened, Err(ChartError::Open(OpenError::Extras(_))));
            assert_eq!(is_refused, is_known && other.extras() != Extras::Nothing);
        }
    }
}
