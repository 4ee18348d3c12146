//! Saved charts: an opened chart equals the saved one, searches with equal events and follows edits equally. Faulty
//! data is an error, or the chart opened from it still gives legal routes.

use crate::worlds::{all_rules, picture, planners, random_free_cell, random_world};
use portolan::generate::{Random, generate, recipe};
use portolan::probe::Trace;
use portolan::saved::{OpenError, SaveError, SavedChart};
use portolan::{
    ALGORITHMS, Area, Cell, Edit, Metric, Outcome, Planner, Query, Rules, Scratch, Snapshot, SquareGrid, Terrain,
    World, algorithm,
};

/// Puts random queries to both planners and asserts that their answers and events are equal.
fn compare(random: &mut Random, world: &Snapshot, planner: &Planner, opened: &Planner) {
    let (mut scratch, mut other) = (Scratch::new(), Scratch::new());
    for _ in 0..3 {
        let Some(from) = random_free_cell(random, world) else { return };
        let to = random_free_cell(random, world).expect("there is one");
        let (mut trace, mut again) = (Trace::default(), Trace::default());
        let query = Query::new(from, to);
        let answer = planner.watch(world, query, &mut scratch, &mut trace);
        assert_eq!(answer, opened.watch(world, query, &mut other, &mut again), "{}", picture(world));
        assert_eq!(trace, again, "{} on {}", planner.algorithm().name, picture(world));
        assert_eq!(answer, opened.find(world, query, &mut other), "{}", picture(world));
    }
}

fn is_saved(planner: &Planner) -> bool {
    ["hpa-star", "dhpa-star", "rhumb"].contains(&planner.algorithm().name)
}

#[test]
fn an_opened_planner_answers_and_follows_edits_as_the_saved_one() {
    for rules in all_rules() {
        let mut random = Random::new(23);
        for _ in 0..30 {
            let start = random_world(&mut random, rules);
            let mut world = World::from(start.with_rules(Rules { metric: Some(start.metric()), ..rules }));
            let mut pairs = vec![];
            for planner in planners(&world).into_iter().filter(is_saved) {
                // Some queries first, so that charts whose edges are computed on first use have some to save.
                compare(&mut random, &world, &planner, &planner);
                let saved = planner.save(&world).expect("a chart");
                let opened = Planner::open(&world, &saved).unwrap_or_else(|error| panic!("{error}"));
                assert_eq!(opened.settings(), planner.settings());
                assert_eq!(
                    opened.census(&world).expect("it knows this world"),
                    planner.census(&world).expect("it knows this world")
                );
                compare(&mut random, &world, &planner, &opened);
                pairs.push((planner, opened));
            }
            let (x, y) = (random.below(world.width() as u64) as u16, random.below(world.height() as u64) as u16);
            let edits = [Edit::new(Cell::new(x, y), Terrain::of_weight(random.below(4) as u8))];
            world.apply(&edits).expect("a sound edit");
            for (planner, opened) in &mut pairs {
                assert_eq!(planner.repair(&world, &edits), opened.repair(&world, &edits));
                compare(&mut random, &world, planner, opened);
                // A repair may move entries within the chart's lists. The repaired chart opens as a fresh one does.
                let again = Planner::open(&world, &planner.save(&world).expect("a chart")).expect("sound");
                compare(&mut random, &world, planner, &again);
            }
        }
    }
}

#[test]
fn the_registry_says_what_can_be_saved() {
    let maker = recipe("rooms").expect("a recipe");
    let settings = maker.settings::<&str, &str>(&[]).expect("its own settings");
    let grid = generate(maker, 60, 60, 1, &settings, Rules::default()).expect("a sound size");
    let world = World::from(grid);
    for algorithm in ALGORITHMS {
        let planner = Planner::new(&world, algorithm.name).expect("all run on a uniform world");
        let saved = planner.save(&world);
        assert_eq!(saved.is_ok(), algorithm.can_be_saved(), "{}", algorithm.name);
        assert!(saved.is_err() || Planner::open(&world, &saved.expect("just seen")).is_ok(), "{}", algorithm.name);
    }
}

#[test]
fn what_keeps_nothing_or_knows_another_world_is_not_saved() {
    let mut world = World::from(SquareGrid::open(40, 40, Rules::default()).expect("a sound size"));
    let flat = Planner::new(&world, "jump-point").expect("it suits");
    assert_eq!(flat.save(&world).err(), Some(SaveError::Nothing("jump-point")));
    let regions = Planner::new(&world, "shpa-star").expect("it suits");
    assert_eq!(regions.save(&world).err(), Some(SaveError::Nothing("shpa-star")));
    let chart = Planner::new(&world, "hpa-star").expect("it suits");
    world.apply(&[Edit::new(Cell::new(3, 3), Terrain::BLOCKED)]).expect("a sound edit");
    assert!(matches!(chart.save(&world), Err(SaveError::Stale { .. })));
}

#[test]
fn a_chart_keeps_its_sizes_where_edits_would_have_others_picked() {
    let mut world = World::from(SquareGrid::open(400, 300, Rules::default()).expect("a sound size"));
    let mut planner = Planner::new(&world, "hpa-star").expect("it suits");
    let mud = [Edit::new(Cell::new(200, 100), Terrain::of_weight(7))];
    world.apply(&mud).expect("a sound edit");
    planner.repair(&world, &mud).expect("the edit it missed");
    let opened = Planner::open(&world, &planner.save(&world).expect("a chart")).expect("sound");
    assert_eq!(
        opened.census(&world).expect("it knows this world"),
        planner.census(&world).expect("it knows this world")
    );
    let fresh = Planner::new(&world, "hpa-star").expect("it suits");
    assert_ne!(
        fresh.census(&world).expect("it knows this world"),
        planner.census(&world).expect("it knows this world")
    );
    compare(&mut Random::new(1), &world, &planner, &opened);
}

/// Lines stay where they were placed when the chart was built, and an opened chart has them there.
#[test]
fn a_rhumb_chart_keeps_its_lines_through_edits_and_files() {
    let caves = recipe("caves").expect("a known recipe");
    let settings = caves.settings::<&str, &str>(&[]).expect("defaults are sound");
    for rules in all_rules() {
        let mut world = World::from(generate(caves, 150, 110, 3, &settings, rules).expect("a sound size"));
        let rhumb = algorithm("rhumb").expect("a known name");
        let build = |world: &World| {
            Planner::build(world, rhumb, rhumb.settings(&[("spacing", "24")]).expect("sound")).expect("it suits")
        };
        let mut planner = build(&world);
        let mut random = Random::new(5);
        let mut moved = false;
        for round in 0..20 {
            let [x, y] = [140, 100].map(|side| random.below(side) as u16);
            let area = Area { x, y, width: 1 + random.below(9) as u16, height: 1 + random.below(9) as u16 };
            let edits = [Edit::new(area, Terrain::of_weight((round % 2) as u8))];
            world.apply(&edits).expect("a sound edit");
            planner.repair(&world, &edits).expect("the edit it missed");
            let saved = planner.save(&world).expect("a chart");
            let opened = Planner::open(&world, &saved).unwrap_or_else(|error| panic!("{error}"));
            compare(&mut random, &world, &planner, &opened);
            assert_eq!(opened.save(&world).as_ref(), Ok(&saved));
            let anew = planner.anew(&world).expect("it suits");
            assert_eq!(anew.save(&world).as_ref(), Ok(&saved), "repaired, opened and built anew are all the same");
            let placed = build(&world).save(&world).expect("a chart");
            moved |= placed.sections[0] != saved.sections[0];
        }
        assert!(moved, "some line would lie elsewhere now");
    }
}

/// A tree with one changed step is refused, even if that step leads to the port: by a way that is not cheapest, or that
/// is not the first of several cheapest ways.
#[test]
fn trees_that_others_would_grow_are_refused() {
    let (world, saved) = samples();
    let mut random = Random::new(8);
    for chart in &saved[4..] {
        for _ in 0..600 {
            let mut changed = chart.clone();
            let trees = changed.sections[1].bytes.to_mut();
            let at = random.below(trees.len() as u64) as usize;
            let (step, shift) = (random.below(9) as u8, 4 * random.below(2));
            trees[at] = trees[at] & (0xf0 >> shift) | step << shift;
            assert_eq!(Planner::open(&world, &changed).is_ok(), changed == *chart, "byte {at}, step {step}");
        }
    }
}

#[test]
fn costs_near_the_limit_are_saved_and_opened() {
    let mut random = Random::new(77);
    let weights: Vec<u8> = (0..130 * 70).map(|_| [0, 255, 255, 254][random.below(4) as usize]).collect();
    let rules = Rules { metric: Some(Metric::new(65_535, 65_535).expect("a sound metric")), ..Rules::default() };
    let world = Snapshot::from(SquareGrid::from_weights(130, 70, &weights, rules).expect("sound"));
    let settings: [(&str, &[(&str, &str)]); 5] = [
        ("hpa-star", &[("cluster", "64"), ("levels", "3")]),
        ("dhpa-star", &[("cluster", "64"), ("levels", "3")]),
        ("dhpa-star", &[("cluster", "16"), ("rows", "yes")]),
        ("rhumb", &[]),
        ("rhumb", &[("spacing", "64")]),
    ];
    for (name, settings) in settings {
        let algorithm = algorithm(name).expect("a known name");
        let settings = algorithm.settings(settings).expect("sound");
        let planner = Planner::build(&world, algorithm, settings).expect("it suits");
        let opened = Planner::open(&world, &planner.save(&world).expect("a chart")).expect("sound");
        (0..20).for_each(|_| compare(&mut random, &world, &planner, &opened));
    }
}

#[test]
fn landmarks_are_saved_until_an_edit_voids_them() {
    let jump_graph = algorithm("jump-graph").expect("a known name");
    let mut saved_some = 0;
    for rules in all_rules() {
        let mut random = Random::new(29);
        for round in 0..40 {
            let start = random_world(&mut random, rules);
            let mut world = World::from(start.with_rules(Rules { metric: Some(start.metric()), ..rules }));
            let settings = jump_graph.settings(&[("landmarks", ["1", "8", "11"][round % 3])]).expect("sound");
            let Ok(mut planner) = Planner::build(&world, jump_graph, settings) else { continue };
            // A world without corners to turn at has no landmarks, and so nothing to save.
            let Ok(saved) = planner.save(&world) else { continue };
            saved_some += 1;
            let mut opened = Planner::open(&world, &saved).unwrap_or_else(|error| panic!("{error}"));
            assert_eq!((opened.settings(), opened.bytes()), (planner.settings(), planner.bytes()));
            compare(&mut random, &world, &planner, &opened);
            let (x, y) = (random.below(world.width() as u64) as u16, random.below(world.height() as u64) as u16);
            let edits = [Edit::new(Cell::new(x, y), Terrain::of_weight(random.below(2) as u8))];
            world.apply(&edits).expect("a sound edit");
            for planner in [&mut planner, &mut opened] {
                planner.repair(&world, &edits).expect("still uniform");
                assert_eq!(planner.save(&world).err(), Some(SaveError::Nothing("jump-graph")));
            }
            compare(&mut random, &world, &planner, &opened);
            planner.refresh(&world).expect("it knows this world");
            let Ok(saved) = planner.save(&world) else { continue };
            compare(&mut random, &world, &planner, &Planner::open(&world, &saved).expect("sound"));
        }
    }
    assert!(saved_some > 50, "{saved_some}");
}

/// Returns a world with a few walls, and saved charts of it of every kind.
fn samples() -> (Snapshot, Vec<SavedChart<'static>>) {
    let weights: Vec<u8> = (0..48 * 40).map(|i| u8::from(i % 48 % 7 != 3 || i / 48 % 9 == i % 48 / 7)).collect();
    let world = Snapshot::from(SquareGrid::from_weights(48, 40, &weights, Rules::default()).expect("sound"));
    let settings: [(&str, &[(&str, &str)]); 7] = [
        ("hpa-star", &[("levels", "2"), ("cluster", "8"), ("smoothing", "none"), ("direct", "no")]),
        ("hpa-star", &[("levels", "2"), ("cluster", "8"), ("edges", "lazy"), ("direct", "no")]),
        ("dhpa-star", &[("levels", "2"), ("cluster", "8"), ("direct", "no")]),
        ("jump-graph", &[("landmarks", "5")]),
        ("rhumb", &[("spacing", "12"), ("smoothing", "none"), ("direct", "no")]),
        ("rhumb", &[("spacing", "9"), ("lines", "even")]),
        ("dhpa-star", &[("rows", "yes"), ("cluster", "8"), ("direct", "no")]),
    ];
    let saved = settings.map(|(name, settings)| {
        let algorithm = algorithm(name).expect("a known name");
        let planner =
            Planner::build(&world, algorithm, algorithm.settings(settings).expect("sound")).expect("it suits");
        planner.find(&world, Query::new((0, 0), (47, 39)), &mut Scratch::new()).expect("a sound query");
        planner.save(&world).expect("a chart")
    });
    (world, saved.to_vec())
}

fn fault(world: &Snapshot, saved: &SavedChart) -> String {
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
    assert_eq!(change(&|saved| saved.settings.push(("colour".into(), "red".into()))).find("has no setting"), Some(9));
    assert!(change(&|saved| saved.settings[1].1 = "99".into()).starts_with("levels cannot be \"99\""));
    assert_eq!(change(&|saved| saved.sections.clear()), "there is no section \"plan\"");
    let surplus = |saved: &mut SavedChart| saved.sections.push(saved.sections[0].clone());
    assert_eq!(change(&surplus), "section \"plan\" does not belong to this chart");
    let tall = change(&|saved| saved.sections[0].bytes.to_mut()[8] = 200);
    assert!(tall.ends_with("and 1 to 12 levels, found 8, 2 and 200"), "{tall}");
    let short = change(&|saved| saved.sections[1].bytes.to_mut().truncate(8));
    assert!(short.contains("\"prices.0\": expected at least"), "{short}");
    assert!(change(&|saved| saved.sections[2].bytes.to_mut().push(0)).contains("\"prices.1\": expected"));
    assert!(change(&|saved| saved.sections[1].bytes.to_mut()[1] ^= 1).contains("expected a price of"));
    let change = |edit: &dyn Fn(&mut [u8])| {
        let mut changed = saved[4].clone();
        edit(changed.sections[0].bytes.to_mut());
        fault(&world, &changed)
    };
    assert!(change(&|lines| lines[0] = 9).contains("\"lines\": expected a way to count costs on this world, found 9"));
    for at in [0, 1, 47, 255] {
        assert!(
            change(&|lines| lines[4] = at).contains("\"lines\": expected lines that cut this world about every 12")
        );
    }
    let mut flat = saved[0].clone();
    (flat.algorithm, flat.settings) = ("jump-point".into(), Vec::new());
    assert_eq!(Planner::open(&world, &flat).err(), Some(OpenError::NotSaved("jump-point")));
    let other = Snapshot::from(SquareGrid::open(48, 40, Rules::default()).expect("a sound size"));
    assert!(fault(&other, &saved[0]).contains("section \"prices.0\": expected"));
}

/// Asserts that the planner's routes are legal, cost what they say, and lead from the start to the goal.
fn is_harmless(world: &Snapshot, planner: &Planner, random: &mut Random) {
    let mut scratch = Scratch::new();
    for _ in 0..4 {
        let [from, to] = [(); 2].map(|()| random_free_cell(random, world).expect("there is one"));
        let outcome = planner.find(world, Query::new(from, to), &mut scratch).expect("a sound query");
        if let Outcome::Reached(route) = outcome {
            route.check(world).unwrap_or_else(|error| panic!("{error} from {from} to {to}"));
            assert_eq!((route.cells().first(), route.cells().last()), (Some(&from), Some(&to)));
        }
    }
}

#[test]
fn tampered_data_is_refused_or_does_no_harm() {
    let (world, saved) = samples();
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
                    is_harmless(&world, &planner, &mut random);
                }
            }
        }
    }
    assert!(refused > 7000 && opened > 5, "{refused} refused, {opened} opened");
}

/// Some wrong prices pass every check: those of a world that differs only in cells that are not ports. Routes must be
/// legal nevertheless.
#[test]
fn prices_of_another_world_make_no_wrong_routes() {
    let rules = Rules::default();
    let bare = Snapshot::from(SquareGrid::open(48, 48, rules).expect("a sound size"));
    let inner = |i: u32| (2..6).contains(&(i % 48 % 8)) && (3..5).contains(&(i / 48 % 8));
    let weights: Vec<u8> = (0..48 * 48).map(|i| u8::from(!inner(i))).collect();
    let dotted = Snapshot::from(SquareGrid::from_weights(48, 48, &weights, rules).expect("sound"));
    let hpa_star = algorithm("hpa-star").expect("a known name");
    for (levels, smoothing) in [("1", "none"), ("3", "none"), ("2", "taut"), ("2", "hpa-2004")] {
        let pairs = [("cluster", "8"), ("levels", levels), ("smoothing", smoothing), ("direct", "no")];
        let settings = hpa_star.settings(&pairs).expect("sound");
        for (of, on) in [(&bare, &dotted), (&dotted, &bare)] {
            let saved = Planner::build(of, hpa_star, settings.clone()).expect("it suits").save(of).expect("a chart");
            let planner = Planner::open(on, &saved).expect("nothing contradicts it");
            (0..30).for_each(|seed| is_harmless(on, &planner, &mut Random::new(seed)));
        }
    }
}
