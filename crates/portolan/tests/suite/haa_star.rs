//! One annotated chart for many views: each planner answers as if it had the chart to itself, whatever becomes of the others;
//! every route is legal for its agent, cell by cell; and sharing is what it costs.

use crate::edits::random_edits;
use crate::storms::made;
use crate::views::{Model, Truth, random_profile};
use crate::worlds::{build, random_free_cell};
use portolan::generate::{Random, generate, recipe};
use portolan::probe::Trace;
use portolan::{
    Area, Cell, Edit, Footing, Outcome, Planner, Profile, Query, Route, Rules, Scratch, ShareError, Snapshot,
    SquareGrid, Terrain, World,
};

const SETTINGS: &[(&str, &str)] = &[("cluster", "8"), ("direct", "no")];

fn profiles() -> [Profile; 4] {
    [
        Profile::new(),
        Profile::square(2).expect("sound"),
        Profile::new().with(1, Footing::FORBIDDEN),
        Profile::round(1).expect("sound").with(2, Footing::Weight(4)),
    ]
}

/// Returns the route from one cell to another with every event of its search.
fn told(planner: &Planner, view: &Snapshot, (from, to): (Cell, Cell)) -> (Option<Route>, Vec<portolan::probe::Event>) {
    let mut trace = Trace::default();
    let outcome = planner.watch(view, Query::new(from, to), &mut Scratch::new(), &mut trace).expect("a sound query");
    (outcome.route().cloned(), trace.events)
}

/// Compares two planners of one view by a search between random cells, and by what they draw and count.
fn compare(a: &Planner, b: &Planner, view: &Snapshot, random: &mut Random, about: &str) {
    if let Some(from) = random_free_cell(random, view) {
        let to = random_free_cell(random, view).expect("there is one");
        let (a, b) = (told(a, view, (from, to)), told(b, view, (from, to)));
        assert!(a == b, "{about}: {from} to {to}");
        if let Some(route) = a.0 {
            route.check(view).unwrap_or_else(|error| panic!("{about}: {error}"));
        }
    }
    assert!(a.outline(view) == b.outline(view) && a.census(view) == b.census(view), "{about}");
}

#[test]
fn routes_of_random_agents_are_legal_and_found_wherever_there_are_any() {
    let mut answers = 0;
    for number in 0..60 {
        let mut random = Random::new(700 + number as u64);
        let mut model = Model::random::<SquareGrid>(&mut random, number, 34);
        let mut world: World = model.world();
        let layer = world.add_layer().expect("memory for a small layer");
        let agents: Vec<Profile> = (0..4).map(|_| random_profile::<SquareGrid>(&mut random, layer)).collect();
        let plain = build(&world, "haa-star", &[("cluster", ["4", "6", "9"][number % 3]), ("direct", "no")]);
        let mut planners: Vec<Planner> =
            agents.iter().map(|agent| plain.for_view(world.view(agent).expect("sound")).expect("room")).collect();
        for _ in 0..4 {
            for (agent, planner) in agents.iter().zip(&mut planners) {
                let view = world.view(agent).expect("sound");
                planner.sync(view).expect("it suits");
                if let Some(truth) = Truth::of(&model, &world, agent, &mut random) {
                    answers += truth.judge(view, planner, &mut random, 6);
                }
            }
            let edits: Vec<Edit> = (0..=random.below(3)).map(|_| model.random_edit(&mut random, 4)).collect();
            world.apply(&edits).expect("edits on the grid");
            for edit in &edits {
                model.apply(edit);
            }
        }
    }
    println!("{answers} answers");
    assert!(answers > 3000);
}

#[test]
fn each_class_answers_as_if_it_had_the_chart_to_itself() {
    for (number, rules) in crate::worlds::all_rules().into_iter().enumerate() {
        let mut random = Random::new(number as u64);
        let mut world = made(rules, 5);
        let plain = build(&world, "haa-star", SETTINGS);
        let view = |world: &World, profile: &Profile| world.view(profile).expect("sound").snapshot();
        let mut sharing: Vec<Planner> =
            profiles().iter().map(|profile| plain.for_view(&view(&world, profile)).expect("room")).collect();
        for round in 0..40 {
            let edit = random_edits(&mut random, &world, true);
            let kinded = |edit: &Edit| {
                let kind = random.below(3) as u8;
                Edit::new(edit.area, edit.terrain().expect("terrain").with_kind(kind))
            };
            world.apply(&edit.iter().map(kinded).collect::<Vec<_>>()).expect("on the map");
            for (profile, planner) in profiles().iter().zip(&mut sharing) {
                // Some stay behind for a while.
                if random.chance(70) {
                    planner.sync(world.view(profile).expect("sound")).expect("it suits");
                }
            }
            for (profile, planner) in profiles().iter().zip(&sharing) {
                let view = view(&world, profile);
                if planner.revision() == portolan::Space::revision(&*view) {
                    let alone = build(&view, "haa-star", SETTINGS);
                    compare(
                        planner,
                        &alone,
                        &view,
                        &mut random,
                        &format!("rules {number}, round {round}, {profile:?}"),
                    );
                }
            }
        }
    }
}

#[test]
fn a_clone_that_is_repaired_leaves_the_original_as_it_was() {
    let mut random = Random::new(8);
    let mut world = made(Rules::default(), 5);
    let giant = Profile::square(2).expect("sound");
    let plain = build(&world, "haa-star", SETTINGS);
    let mut planner = plain.for_view(world.view(&giant).expect("sound")).expect("room");
    let mut bytes = Vec::new();
    for round in 0..60 {
        let before = world.view(&giant).expect("sound").snapshot();
        let alone = build(&before, "haa-star", SETTINGS);
        world.apply(&random_edits(&mut random, &world, true)).expect("on the map");
        let after = world.view(&giant).expect("sound");
        let mut clone = planner.clone();
        clone.sync(after).expect("it suits");
        let again = plain.for_view(after).expect("room");
        compare(&planner, &alone, &before, &mut random, &format!("old, round {round}"));
        let fresh = build(after, "haa-star", SETTINGS);
        compare(&clone, &fresh, after, &mut random, &format!("new, round {round}"));
        compare(&again, &fresh, after, &mut random, &format!("made for the view, round {round}"));
        planner = clone;
        bytes.push(planner.bytes());
    }
    assert!(bytes[59] < 2 * bytes[0], "charts left behind are dropped: {bytes:?}");
}

#[test]
fn a_chart_serves_sixteen_views_and_no_more() {
    let mut world = made(Rules::default(), 5);
    let plain = build(&world, "haa-star", SETTINGS);
    let kinds: Vec<Profile> = (2..18)
        .map(|weight| Profile::new().with(1, Footing::Weight(weight)).with(0, Footing::Weight(weight)))
        .collect();
    let mut planners: Vec<Planner> = vec![];
    for kind in &kinds[..15] {
        planners.push(plain.for_view(world.view(kind).expect("sound")).expect("room"));
    }
    let last = world.view(&kinds[15]).expect("sound").snapshot();
    assert_eq!(plain.for_view(&last).err(), Some(ShareError::Full { most: 16 }));
    assert!(plain.for_view(world.view(&kinds[3]).expect("sound")).is_ok(), "that view it serves already");
    // There is no room for a clone that goes on, so that it takes a chart of its own.
    let mut clone = planners[4].clone();
    world.apply(&[Edit::new(Area { x: 20, y: 20, width: 4, height: 3 }, Terrain::BLOCKED)]).expect("on the map");
    let view = world.view(&kinds[4]).expect("sound");
    clone.sync(view).expect("it suits");
    compare(&clone, &build(view, "haa-star", SETTINGS), view, &mut Random::new(3), "on its own");
    planners.truncate(3);
    assert!(plain.for_view(&last).is_ok(), "a class ends with its last planner");
}

#[test]
fn what_cannot_share_says_so() {
    let world = made(Rules::default(), 5);
    let other = World::from(SquareGrid::open(9, 9, Rules::default()).expect("a sound size"));
    let (width, height) = (world.width(), world.height());
    let hpa = build(&world, "hpa-star", &[]);
    assert_eq!(hpa.for_view(&world).err(), Some(ShareError::OneWorld));
    let haa = build(&world, "haa-star", &[]);
    let refused = haa.for_view(&other).err();
    assert_eq!(refused, Some(ShareError::Size { ours: (width, height), theirs: (9, 9) }));
    let mut linked = made(Rules::default(), 5);
    linked.apply(&[Edit::link((1, 1), (50, 40), portolan::Cost(3), true)]).expect("on the map");
    assert!(matches!(haa.for_view(&linked).err(), Some(ShareError::Unsuited(_))));
}

#[test]
fn queries_of_one_class_go_on_while_another_is_repaired() {
    let mut world = made(Rules::default(), 5);
    let giant = Profile::square(2).expect("sound");
    let mut plain = build(&world, "haa-star", SETTINGS);
    let seen = world.view(&giant).expect("sound").snapshot();
    let for_giants = plain.for_view(&seen).expect("room");
    let mut random = Random::new(21);
    let pairs: Vec<(Cell, Cell)> = (0..40)
        .map(|_| {
            let mut cell = || random_free_cell(&mut random, &seen).expect("there is one");
            (cell(), cell())
        })
        .collect();
    let alone = build(&seen, "haa-star", SETTINGS);
    let truth: Vec<_> = pairs.iter().map(|&pair| told(&alone, &seen, pair).0).collect();
    std::thread::scope(|scope| {
        let asking: Vec<_> = (0..2)
            .map(|_| {
                scope.spawn(|| {
                    let mut scratch = Scratch::new();
                    for _ in 0..20 {
                        for (&(from, to), truth) in pairs.iter().zip(&truth) {
                            // In slices, so that repairs come between the steps of one search.
                            for_giants.begin(&seen, Query::new(from, to), &mut scratch).expect("a sound query");
                            let outcome = loop {
                                if let Some(outcome) = for_giants.step(&seen, &mut scratch, 3).expect("under way") {
                                    break outcome;
                                }
                            };
                            assert_eq!(outcome.route(), truth.as_ref());
                        }
                    }
                })
            })
            .collect();
        while !asking.iter().all(std::thread::ScopedJoinHandle::is_finished) {
            let edits = random_edits(&mut random, &world, true);
            world.apply(&edits).expect("on the map");
            plain.repair(&world, &edits).expect("it suits");
        }
    });
    compare(&plain, &build(&world, "haa-star", SETTINGS), &world, &mut random, "after all repairs");
}

#[test]
fn three_profiles_take_little_more_memory_than_one_and_lose_little() {
    for name in ["caves", "city", "rooms"] {
        let made = recipe(name).expect("a known recipe");
        let settings = made.settings::<&str, &str>(&[]).expect("defaults are sound");
        let grid = generate(made, 400, 400, 3, &settings, Rules::default()).expect("a sound size");
        let kinds: Vec<u8> =
            (0..160_000).map(|at| u8::from(at % 400 / 23 % 5 == 0 && at / 400 / 17 % 3 == 0)).collect();
        let world = World::from(grid.with_kinds(&kinds).expect("one for each cell"));
        let dry = Profile::new().with(1, Footing::FORBIDDEN);
        let plain = Planner::new(&world, "haa-star").expect("it suits");
        let alone = plain.bytes();
        let profiles = [Profile::new(), Profile::square(2).expect("sound"), dry];
        let views = profiles.map(|profile| world.view(&profile).expect("sound").snapshot());
        let planners = views.each_ref().map(|view| plain.for_view(view).expect("room"));
        let hpa = build(&world, "hpa-star", &[("routes", "search")]).bytes();
        let all = plain.bytes();
        assert!(all < 2 * alone && 2 * all < 3 * hpa, "{name}: {alone} for one, {all} for three, {hpa} for HPA*");
        let (mut random, mut scratch) = (Random::new(5), Scratch::new());
        let (mut ratios, mut count) = (0.0, 0.0);
        for (view, planner) in views.iter().zip(&planners) {
            let exact = Planner::new(view, "a-star").expect("it suits");
            for _ in 0..40 {
                let from = random_free_cell(&mut random, view).expect("there is one");
                let query = Query::new(from, random_free_cell(&mut random, view).expect("there is one"));
                let found = planner.find(view, query, &mut scratch).expect("a sound query");
                let least = exact.find(view, query, &mut scratch).expect("a sound query");
                let (Outcome::Reached(found), Outcome::Reached(least)) = (&found, &least) else {
                    assert_eq!(found.name(), least.name());
                    continue;
                };
                found.check(view).expect("a legal route of its cost");
                ratios += f64::from(found.cost().0) / f64::from(least.cost().0.max(1));
                count += 1.0;
            }
        }
        println!("{name}: {alone} bytes for one, {all} for three, {hpa} for HPA*, ratio {}", ratios / count);
        assert!(ratios / count < 1.02, "{name}: {}", ratios / count);
    }
}
