//! Tests of `libGPPCentry.so` as the competition uses it: the library is loaded and is given maps, changes and queries
//! through its C interface. Every answer is walked step by step and compared with the shortest route.
//!
//! Published dynamic scenarios are looked for in `dynamic/` of the folder that `PORTOLAN_MAPS` names, or else of
//! `../shared/maps` beside the repository.

mod ground;
mod library;

use ground::Ground;
use library::{Entry, Packed};
use portolan::Cell;
use portolan_formats::dynamic::{Command, NO_ROUTE, Patch};
use portolan_formats::read_dynamic;
use std::env;
use std::path::{Path, PathBuf};
use std::process;
use std::time::{Duration, Instant};

/// The largest difference allowed between a length and the stated one, which is rounded.
const TOLERANCE: f64 = 0.001;

/// How long a replay took. The times are printed, not checked.
#[derive(Default)]
struct Times {
    init: Duration,
    changes: Vec<Duration>,
    queries: Vec<Duration>,
}

/// Does `work` and adds the time it took to `times`.
fn timed<T>(times: &mut Vec<Duration>, work: impl FnOnce() -> T) -> T {
    let begun = Instant::now();
    let done = work();
    times.push(begun.elapsed());
    done
}

/// Plays a scenario as the harness does: patches before the first query are part of the map that the library is given
/// at the start; patches between two later queries are given as one change.
fn replay(entry: &Entry, mut ground: Ground, patches: &[Patch], commands: &[Command]) -> Times {
    let grounds: Vec<Ground> = patches
        .iter()
        .map(|patch| Ground { width: patch.width, height: patch.height, free: patch.free.clone() })
        .collect();
    let packed: Vec<Packed> = grounds.iter().map(Ground::packed).collect();
    let mut times = Times::default();
    let mut instance = None;
    let mut laid = Vec::new();
    for command in commands {
        match *command {
            Command::Patch { patch, at, .. } => {
                ground.lay(&grounds[patch], at);
                laid.push((&packed[patch], at));
            }
            Command::Query { from, to, length, .. } => {
                let instance = instance.get_or_insert_with(|| {
                    laid.clear();
                    let map = ground.packed();
                    let begun = Instant::now();
                    let instance = entry.begin(&map, "no such file");
                    times.init = begun.elapsed();
                    instance
                });
                if !laid.is_empty() {
                    timed(&mut times.changes, || instance.change(&laid));
                    laid.clear();
                }
                let points = timed(&mut times.queries, || instance.route(from, to));
                let found = ground.length(from, to, &points).unwrap_or_else(|fault| panic!("{command:?}: {fault}"));
                let found = found.unwrap_or(NO_ROUTE);
                // A chart's routes may be longer than the shortest, here up to twice as long, but there is one whenever
                // the goal can be reached.
                let chart = ["hpa-star", "rhumb"].iter().any(|name| entry.name().contains(name));
                let slack = if chart && length != NO_ROUTE { length } else { 0.0 };
                let within = -TOLERANCE..slack + TOLERANCE;
                assert!(within.contains(&(found - length)), "{command:?}: the answer has length {found}");
            }
        }
    }
    times
}

fn report(name: &str, times: &Times) {
    let sum = |times: &[Duration]| times.iter().sum::<Duration>().as_secs_f64() * 1e3;
    let (changes, queries) = (sum(&times.changes), sum(&times.queries));
    println!(
        "{name}: init {:.2} ms; {} changes in {changes:.1} ms; {} queries in {queries:.1} ms, mean {:.1} µs, longest {:.1} µs",
        times.init.as_secs_f64() * 1e3,
        times.changes.len(),
        times.queries.len(),
        queries * 1e3 / times.queries.len().max(1) as f64,
        times.queries.iter().max().map_or(0.0, Duration::as_secs_f64) * 1e6,
    );
}

/// Random numbers that are identical in every run.
struct Dice(u64);

impl Dice {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % limit
    }
}

/// Returns a scenario on a small map whose walls come and go. The stated lengths are those that plain Dijkstra finds.
fn small_scenario() -> (Ground, Vec<Patch>, Vec<Command>) {
    let mut dice = Dice(7);
    let open = Ground::open(37, 29);
    let mut ground = open.clone();
    let (mut patches, mut commands) = (Vec::new(), Vec::new());
    for group in 0..60 {
        // There are several patches at once, so that some overlap, and some are full of walls, so that some goals are
        // cut off.
        for _ in 0..dice.below(5) {
            let (width, height) = (1 + dice.below(20), 1 + dice.below(16));
            let blocked = [0, 10, 25, 100][dice.below(4)] * usize::from(width * height < 200);
            let free: Vec<bool> = (0..width * height).map(|_| dice.below(100) >= blocked).collect();
            let at = Cell::new(dice.below(38 - width) as u16, dice.below(30 - height) as u16);
            ground.lay(&Ground { width, height, free: free.clone() }, at);
            commands.push(Command::Patch { group, patch: patches.len(), at });
            patches.push(Patch { width, height, free });
        }
        for query in 0..12 {
            let mut cell = || Cell::new(dice.below(37) as u16, dice.below(29) as u16);
            let (from, other) = (cell(), cell());
            let to = if query == 0 { from } else { other };
            let length = ground.shortest(from, to).unwrap_or(NO_ROUTE);
            commands.push(Command::Query { group, from, to, length });
        }
    }
    (open, patches, commands)
}

#[test]
fn a_small_scenario_is_answered_through_all_its_changes() {
    let (ground, patches, commands) = small_scenario();
    let without = commands.iter().filter(|command| matches!(command, Command::Query { length: NO_ROUTE, .. })).count();
    assert!((50..300).contains(&without), "{without} of 720 queries have no route: too few or too many to tell much");
    let entry = Entry::load();
    let times = replay(&entry, ground, &patches, &commands);
    report(&format!("small scenario, {}", entry.name()), &times);
}

#[test]
fn published_dynamic_scenarios_are_answered() {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let folder = env::var_os("PORTOLAN_MAPS").map_or_else(beside, PathBuf::from).join("dynamic");
    let Ok(files) = folder.read_dir() else {
        println!("skipped: no dynamic scenarios at {}; PORTOLAN_MAPS can name their folder", folder.display());
        return;
    };
    let entry = Entry::load();
    let mut paths: Vec<PathBuf> = files.map(|file| file.expect("a readable folder").path()).collect();
    paths.retain(|path| path.extension().is_some_and(|kind| kind == "scen"));
    paths.sort();
    for path in &paths {
        let (scenario, patches) = read_dynamic(path).unwrap_or_else(|fault| panic!("{fault}"));
        let times = replay(&entry, Ground::open(scenario.width, scenario.height), &patches, &scenario.commands);
        report(&format!("{}, {}", path.file_stem().unwrap_or_default().to_string_lossy(), entry.name()), &times);
    }
}

#[test]
fn a_change_is_seen_by_the_next_query() {
    let entry = Entry::load();
    let mut ground = Ground::open(9, 9);
    let (from, to) = (Cell::new(0, 4), Cell::new(8, 4));
    let mut instance = entry.begin(&ground.packed(), "");
    let mut answer = |ground: &Ground, laid: &[(&Ground, Cell)]| {
        let packed: Vec<(Packed, Cell)> = laid.iter().map(|(patch, at)| (patch.packed(), *at)).collect();
        let patches: Vec<(&Packed, Cell)> = packed.iter().map(|(patch, at)| (patch, *at)).collect();
        instance.change(&patches);
        ground.length(from, to, &instance.route(from, to)).unwrap()
    };
    assert_eq!(answer(&ground, &[]), Some(8.0));

    let wall = Ground { width: 1, height: 9, free: vec![false; 9] };
    ground.lay(&wall, Cell::new(4, 0));
    assert_eq!(answer(&ground, &[(&wall, Cell::new(4, 0))]), None, "cut off");

    let door = Ground::open(1, 1);
    ground.lay(&door, Cell::new(4, 0));
    let round = answer(&ground, &[(&door, Cell::new(4, 0))]);
    assert!(round.is_some_and(|length| (length - ground.shortest(from, to).unwrap()).abs() < TOLERANCE), "{round:?}");

    // Where two patches cover a cell, the later one counts.
    ground.lay(&door, Cell::new(4, 4));
    assert_eq!(
        answer(&ground, &[(&wall, Cell::new(4, 0)), (&door, Cell::new(4, 0)), (&door, Cell::new(4, 4))]),
        Some(8.0)
    );
}

#[test]
fn start_goal_and_blocked_cells_are_answered_plainly() {
    let entry = Entry::load();
    let mut ground = Ground::open(10, 10);
    ground.free[5 * 10 + 5] = false;
    let mut instance = entry.begin(&ground.packed(), "");
    let (here, blocked, off) = (Cell::new(2, 3), Cell::new(5, 5), Cell::new(10, 3));
    assert_eq!(instance.route(here, here), [here]);
    for (from, to) in [(here, blocked), (blocked, here), (blocked, blocked), (here, off), (off, here)] {
        assert_eq!(instance.route(from, to), [], "from {from} to {to}");
    }
    assert_eq!(instance.route(here, Cell::new(2, 9)), [here, Cell::new(2, 9)], "still at work");
}

#[test]
fn instances_do_not_know_each_other() {
    let entry = Entry::load();
    let (mut left, mut right) = (Ground::open(20, 12), Ground::open(8, 30));
    let mut on_left = entry.begin(&left.packed(), "");
    let mut on_right = entry.begin(&right.packed(), "");
    let wall = Ground { width: 6, height: 1, free: vec![false; 6] };
    for row in [3, 5, 7] {
        left.lay(&wall, Cell::new(row, row));
        on_left.change(&[(&wall.packed(), Cell::new(row, row))]);
        right.lay(&wall, Cell::new(row % 3, 2 * row));
        on_right.change(&[(&wall.packed(), Cell::new(row % 3, 2 * row))]);
        for (ground, instance, from, to) in [
            (&left, &mut on_left, Cell::new(8, 0), Cell::new(9, 11)),
            (&right, &mut on_right, Cell::new(3, 0), Cell::new(4, 29)),
        ] {
            let found = ground.length(from, to, &instance.route(from, to)).unwrap().unwrap();
            assert!((found - ground.shortest(from, to).unwrap()).abs() < TOLERANCE);
        }
    }
    drop(on_left);
    assert!(!on_right.route(Cell::new(0, 0), Cell::new(7, 29)).is_empty(), "outlives the other");

    let (ground, patches, commands) = small_scenario();
    std::thread::scope(|scope| {
        for _ in 0..3 {
            scope.spawn(|| replay(&entry, ground.clone(), &patches, &commands));
        }
    });
}

#[test]
fn an_index_of_somebody_elses_does_no_harm() {
    let entry = Entry::load();
    let map = Ground::open(6, 6).packed();
    let this_source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/gppc/main.rs");
    for file in ["", "no/such/folder/index", this_source] {
        let mut instance = entry.begin(&map, file);
        assert_eq!(instance.route(Cell::new(0, 0), Cell::new(5, 5)), [Cell::new(0, 0), Cell::new(5, 5)], "{file}");
    }
    let index = env::temp_dir().join(format!("portolan-gppc-{}.index", process::id()));
    entry.preprocess(&map, index.to_str().expect("a plain name"));
    assert!(!index.exists(), "there is nothing worth writing");
}

#[test]
fn a_map_that_is_none_is_answered_with_no_route() {
    let entry = Entry::load();
    let mut nothing = entry.nothing();
    nothing.change(&[(&Ground::open(2, 2).packed(), Cell::new(0, 0))]);
    assert_eq!(nothing.route(Cell::new(0, 0), Cell::new(1, 1)), []);
    assert!(entry.begin(&Packed::new(0, 5, &[]), "").is_null());
    assert!(entry.begin(&Packed::new(40_000, 1, &vec![true; 40_000]), "").is_null(), "longer than a grid may be");
}

const SMALL: &str = "a_small_scenario_is_answered_through_all_its_changes";
const PUBLISHED: &str = "published_dynamic_scenarios_are_answered";

/// Runs a test in a process of its own with this choice of algorithm. Returns its standard output and standard error.
fn run_with(choice: &str, test: &str) -> (String, String) {
    let tests = env::current_exe().expect("a test has a file");
    let mut child = process::Command::new(tests);
    child.args(["--exact", test, "--nocapture"]);
    let output = child.env("PORTOLAN_GPPC", choice).output().expect("the test runs");
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
    assert!(output.status.success() && out.contains("1 passed"), "{choice}: {out}{err}");
    (out, err)
}

#[test]
fn the_environment_chooses_the_algorithm() {
    for (choice, name) in [
        ("", "auto"),
        ("auto", "auto"),
        ("a-star", "a-star"),
        ("jump-point", "jump-point"),
        ("jump-graph landmarks=3", "jump-graph"),
        ("dijkstra successors=all", "dijkstra"),
        ("hpa-star cluster=5 levels=2 direct=no", "hpa-star"),
        ("dhpa-star cluster=6 direct=no", "dhpa-star"),
        ("rhumb spacing=9 direct=no", "rhumb"),
    ] {
        let (out, err) = run_with(choice, SMALL);
        assert!(out.contains(&format!("small scenario, Portolan-{name}:")), "{choice}: {out}");
        assert!(!err.contains("portolan-gppc"), "{choice}: {err}");
    }
}

#[test]
fn published_dynamic_scenarios_are_answered_by_other_choices() {
    for choice in ["jump-point", "jump-graph", "rhumb"] {
        let (out, err) = run_with(choice, PUBLISHED);
        assert!(!err.contains("portolan-gppc"), "{choice}: {err}");
        print!("{out}");
    }
}

#[test]
fn a_wrong_choice_is_told_once_and_answered_by_the_default() {
    for (choice, complaint) in [
        ("no-such-star", "there is no algorithm \"no-such-star\""),
        ("a-star successors", "expected a setting like name=value, found \"successors\""),
        ("a-star successors=some", "successors cannot be \"some\""),
        ("jump-point levels=2", "jump-point has no setting \"levels\""),
    ] {
        let (out, err) = run_with(choice, SMALL);
        assert!(out.contains("small scenario, Portolan-auto:"), "{choice}: {out}");
        assert_eq!(err.matches("portolan-gppc").count(), 1, "{choice}: {err}");
        assert!(err.contains(&format!("portolan-gppc: PORTOLAN_GPPC: {complaint}")), "{choice}: {err}");
    }
}
