//! Charts of meshes as plain data: an opened chart answers, repairs and is saved as the one that was saved; data that is
//! damaged or of another mesh is refused, or finds legal routes that are as good.
//!
//! Not here: files.

use super::oracle::Plain;
use super::random_worlds::{Truth, check};
use super::worlds::{anywhere, build, draw, on_random_meshes, planners, random_edits, somewhere};
use crate::worlds::Pictured;
use portolan::generate::Random;
use portolan::probe::Trace;
use portolan::saved::{OpenError, SaveError, SavedChart};
use portolan::{MESH_ALGORITHMS, NavMesh, Planner, Query, Scratch, Snapshot, World};

/// Asserts that both planners answer random queries alike, with the same events.
fn compare(random: &mut Random, world: &Snapshot<NavMesh>, planner: &Planner<NavMesh>, opened: &Planner<NavMesh>) {
    let mut scratch = Scratch::new();
    for _ in 0..4 {
        let Some(from) = somewhere(random, world) else { return };
        let query = Query::new(from, anywhere(random, world));
        let (mut trace, mut other_trace) = (Trace::default(), Trace::default());
        let answer = planner.watch(world, query, &mut scratch, &mut trace);
        assert_eq!(answer, opened.watch(world, query, &mut scratch, &mut other_trace), "{}", world.picture());
        assert!(trace == other_trace, "{}", world.picture());
    }
}

#[test]
fn an_opened_chart_is_the_chart_that_was_saved() {
    let mut saved = 0;
    on_random_meshes(101, 25, |random, first, _| {
        let mut world = World::from(NavMesh::clone(first));
        for mut planner in planners(first) {
            let name = planner.algorithm().name;
            assert_eq!(planner.algorithm().can_be_saved(), ["hna-star", "rhumb"].contains(&name));
            planner = Planner::build(&world, planner.algorithm(), planner.settings().clone()).expect("it suits");
            let chart = match planner.save(&world) {
                Ok(chart) => chart,
                Err(error) => {
                    assert_eq!(error, SaveError::Nothing(name));
                    continue;
                }
            };
            saved += 1;
            let mut opened =
                Planner::open(&world, &chart).unwrap_or_else(|error| panic!("{error}: {}", world.picture()));
            assert_eq!((opened.settings(), opened.census(&world)), (planner.settings(), planner.census(&world)));
            assert_eq!(opened.outline(&world), planner.outline(&world));
            assert_eq!(opened.save(&world).as_ref(), Ok(&chart));
            compare(random, &world, &planner, &opened);
            let edits = random_edits(random, &world, true);
            world.apply(&edits).expect("sound edits");
            assert!(matches!(planner.save(&world), Err(SaveError::Stale { .. })));
            for planner in [&mut planner, &mut opened] {
                planner.repair(&world, &edits).expect("it follows");
            }
            compare(random, &world, &planner, &opened);
            assert_eq!(opened.save(&world), planner.save(&world));
        }
    });
    assert!(saved > 300, "{saved}");
}

/// Returns a town with weights, and saved charts of it.
fn samples() -> (Snapshot<NavMesh>, Vec<SavedChart<'static>>) {
    let world = draw(&"..3.....#...\n.#.##.#.#.#.\n.#.......2..\n....#X#.###.\n".repeat(3));
    let settings: [(&str, &[(&str, &str)]); 4] = [
        ("hna-star", &[("levels", "2"), ("merge", "3")]),
        ("hna-star", &[("levels", "1"), ("merge", "5"), ("connect", "dijkstra")]),
        ("hna-star", &[("levels", "2"), ("merge", "2"), ("connect", "a-star"), ("price", "centres")]),
        ("rhumb", &[]),
    ];
    let saved = settings.map(|(name, settings)| build(&world, name, settings).save(&world).expect("a chart"));
    (world, saved.to_vec())
}

fn fault(world: &Snapshot<NavMesh>, saved: &SavedChart) -> String {
    Planner::open(world, saved).err().expect("a fault").to_string()
}

#[test]
fn every_fault_has_its_own_words() {
    let (world, saved) = samples();
    let change = |edit: &dyn Fn(&mut SavedChart)| {
        let mut changed = saved[0].clone();
        edit(&mut changed);
        fault(&world, &changed)
    };
    assert_eq!(change(&|saved| saved.algorithm = "magic".into()), "there is no algorithm \"magic\"");
    assert_eq!(change(&|saved| saved.sections.clear()), "there is no section \"levels\"");
    let surplus = |saved: &mut SavedChart| saved.sections.push(saved.sections[0].clone());
    assert_eq!(change(&surplus), "section \"levels\" does not belong to this chart");
    let tall = change(&|saved| saved.sections[0].bytes.to_mut()[0] = 9);
    assert!(tall.ends_with("expected 1 to 2 levels, found 9"), "{tall}");
    let far = change(&|saved| saved.sections[0].bytes.to_mut()[4..8].fill(255));
    assert!(far.contains("expected connected nodes"), "{far}");
    let short = change(&|saved| saved.sections[1].bytes.to_mut().truncate(8));
    assert!(short.contains("\"ways\": expected at least"), "{short}");
    assert!(change(&|saved| saved.sections[1].bytes.to_mut().push(0)).contains("\"ways\": expected"));
    let circle = change(&|saved| saved.sections[1].bytes.to_mut()[2..6].fill(0));
    assert!(circle.contains("expected cheapest ways"), "{circle}");
    let mut flat = saved[0].clone();
    (flat.algorithm, flat.settings) = ("a-star".into(), Vec::new());
    assert_eq!(Planner::open(&world, &flat).err(), Some(OpenError::NotSaved("a-star")));
    assert_eq!(MESH_ALGORITHMS.iter().filter(|algorithm| algorithm.can_be_saved()).count(), 2);
}

#[test]
fn a_chart_of_another_mesh_is_refused() {
    let (world, saved) = samples();
    let mut parts = world.to_parts();
    parts.weights.iter_mut().zip(0..).for_each(|(weight, number)| *weight = 1 + 5 * (number % 3));
    let heavier = Snapshot::from(NavMesh::new(&parts).expect("it was sound"));
    let smaller = draw("....\n.#..\n....");
    for chart in &saved {
        assert!(fault(&smaller, chart).contains("expected"));
        assert!(fault(&heavier, chart).contains("expected cheapest ways"));
        assert!(Planner::open(&world, chart).is_ok());
    }
}

/// What is opened in spite of a change finds routes that are as good.
#[test]
fn tampered_data_is_refused_or_does_no_harm() {
    let (world, saved) = samples();
    let plain = Plain::of(&world);
    let mut random = Random::new(99);
    let (mut refused, mut opened) = (0, 0);
    for chart in &saved {
        for round in 0..1500 {
            let mut changed = chart.clone();
            for _ in 0..=round % 3 {
                let section = random.below(changed.sections.len() as u64) as usize;
                let bytes = changed.sections[section].bytes.to_mut();
                let at = random.below(bytes.len() as u64) as usize;
                match random.below(8) {
                    0 => bytes.truncate(at),
                    1 => bytes[at] = random.below(256) as u8,
                    2 => bytes[at..].iter_mut().take(4).for_each(|byte| *byte = [0, 255][round % 2]),
                    3 => bytes[at] = bytes[random.below(at as u64 + 1) as usize],
                    _ => bytes[at] ^= 1 << random.below(8),
                }
                if bytes.is_empty() {
                    bytes.push(0);
                }
            }
            match Planner::open(&world, &changed) {
                Err(_) => refused += 1,
                Ok(planner) => {
                    opened += 1;
                    let from = somewhere(&mut random, &world).expect("a polygon is free");
                    let to = anywhere(&mut random, &world);
                    let truth = Truth::of(&world, &plain, from, to);
                    check(&world, &planner, Query::new(from, to), &truth, &mut Scratch::new());
                }
            }
        }
    }
    assert!(refused > 4000 && opened > 5, "{refused} refused, {opened} opened");
}
