//! Routes in legs on meshes: put together they are legal and hardly longer than the route in one piece, the first leg is
//! known early, and under edits a route survives or is mended, and can then be walked to its goal.
//!
//! Not here: routes in one piece (`replan.rs`).

use super::replan::{price, walked};
use super::worlds::{are_connected, build, draw, on_random_meshes, planners, random_edits, random_mesh, somewhere};
use crate::worlds::Pictured;
use portolan::generate::Random;
use portolan::{
    LazyRoute, Mended, MeshEdit, MeshPoint, Motion, NavMesh, Outcome, Planner, Progress, Query, QueryError, Replanner,
    Scratch, Snapshot, Space, Terrain, World,
};

/// Returns a town of squares with streets, courts and blocks.
fn town() -> Snapshot<NavMesh> {
    let rows =
        "........................\n.###.##.###..###.##.#.#.\n.#.....####..#....#...#.\n.#.###.......#.##...#.#.\n";
    draw(&rows.repeat(7))
}

fn planned(planner: &Planner<NavMesh>, world: &Snapshot<NavMesh>, query: Query<MeshPoint>) -> LazyRoute<NavMesh> {
    let planned = planner.plan(world, query, &mut Scratch::new()).expect("a sound query");
    planned.into_route().expect("there is a way")
}

#[test]
fn legs_lead_to_the_goal_on_every_mesh() {
    let mut scratch = Scratch::new();
    let mut legs = 0;
    on_random_meshes(91, 120, |random, world, from| {
        let to = somewhere(random, world).expect("there is one");
        for planner in planners(world).iter().filter(|planner| planner.plans_in_legs()) {
            let found = planner.find(world, Query::new(from, to), &mut scratch).expect("a sound query");
            let outcome = planner.plan(world, Query::new(from, to), &mut scratch).expect("a sound query");
            let about = || {
                format!(
                    "{} {:?} from {from} to {to} on\n{}",
                    planner.algorithm().name,
                    planner.settings(),
                    world.picture()
                )
            };
            assert_eq!(found.name(), outcome.name(), "{}", about());
            let Outcome::Reached(route) = outcome else { continue };
            let waypoints = route.waypoints(planner);
            assert_eq!((waypoints.first(), waypoints.last()), (Some(&from), Some(&to)), "{}", about());
            legs += waypoints.len().saturating_sub(2);
            let places = walked(route, planner, world, &mut scratch);
            assert_eq!((places.first(), places.last()), (Some(&from), Some(&to)), "{}", about());
            assert!(price(world, &places).is_some(), "a step of {places:?} is illegal: {}", about());
        }
    });
    assert!(legs > 3000, "{legs}");
}

/// Looking one node ahead, legs cost on average hardly more than the whole route pulled taut, and not much more at worst.
#[test]
fn legs_are_hardly_longer_than_the_route() {
    let world = town();
    let mut random = Random::new(92);
    let mut scratch = Scratch::new();
    for (name, settings) in [
        ("hna-star", &[("levels", "1"), ("merge", "8")][..]),
        ("hna-star", &[("levels", "2"), ("merge", "5")]),
        ("rhumb", &[]),
    ] {
        let planner = build(&world, name, settings);
        let (mut sum, mut worst, mut count, mut legs) = (0.0, 1.0_f64, 0.0, 0);
        while count < 200.0 {
            let [from, to] = [(); 2].map(|()| somewhere(&mut random, &world).expect("there is one"));
            let Outcome::Reached(whole) =
                planner.find(&world, Query::new(from, to), &mut scratch).expect("a sound query")
            else {
                panic!("the town is connected")
            };
            if whole.length(&world) < 4.0 {
                continue;
            }
            let route = planned(&planner, &world, Query::new(from, to));
            legs += route.waypoints(&planner).len() - 1;
            let places = walked(route, &planner, &world, &mut scratch);
            let length = world.length(&places, Motion::Steps);
            let ratio = length / whole.length(&world);
            (sum, worst, count) = (sum + ratio, worst.max(ratio), count + 1.0);
        }
        println!("{name}: {} on average, {worst} at worst, {legs} legs", sum / count);
        assert!(legs > 400, "{name}: {legs} legs");
        assert!(sum / count < 1.01 && worst < 1.15, "{name}: {} on average, {worst} at worst", sum / count);
    }
}

/// Planning does not unroll what lies beyond the first leg: refining one leg allocates no more for a far goal.
#[test]
fn the_first_leg_is_a_small_part_of_a_long_route() {
    let world = town();
    let point = |at| world.point(at).expect("a street is there");
    let query = Query::new(point([0.5, 0.5]), point([23.5, 27.5]));
    for (name, settings) in [("hna-star", &[("levels", "1"), ("merge", "8")][..]), ("rhumb", &[])] {
        let planner = build(&world, name, settings);
        let mut scratch = Scratch::new();
        let mut route = planned(&planner, &world, query);
        let first = route.next_leg(&planner, &world, &mut scratch).expect("nothing has changed").map(<[_]>::len);
        let whole = walked(planned(&planner, &world, query), &planner, &world, &mut scratch).len();
        assert!(first.is_some_and(|first| first > 0 && 2 * first < whole), "{name}: {first:?} of {whole} steps");
        assert!(!route.is_done());
    }
}

#[test]
fn whatever_survives_or_is_mended_can_be_walked() {
    let mut scratch = Scratch::new();
    let (mut survived, mut redone, mut broken, mut kept) = (0, 0, 0, 0);
    for seed in 0..60 {
        let mut random = Random::new(seed);
        let mut world = World::from(if seed % 3 == 0 { NavMesh::clone(&town()) } else { random_mesh(&mut random) });
        let mut planners = planners(&world);
        planners.retain(Planner::plans_in_legs);
        planners.truncate(10);
        planners.extend(Planner::new(&world, "rhumb"));
        for _ in 0..6 {
            let [Some(from), Some(to)] = [(); 2].map(|()| somewhere(&mut random, &world)) else { break };
            if !are_connected(&world, from, to) {
                continue;
            }
            let walk_first = random.below(2) == 0;
            let mut routes = Vec::new();
            for planner in &planners {
                let mut route = planned(planner, &world, Query::new(from, to));
                let mut done = Vec::new();
                if walk_first {
                    done.extend_from_slice(
                        route
                            .next_leg(planner, &world, &mut scratch)
                            .expect("nothing has changed")
                            .expect("it leads on"),
                    );
                }
                routes.push((route, done));
            }
            let edits = random_edits(&mut random, &world, true);
            world.apply(&edits).expect("sound edits");
            for (planner, (route, done)) in planners.iter_mut().zip(routes) {
                planner.repair(&world, &edits).expect("it follows");
                let about = || {
                    format!("{} {:?} {edits:?} on\n{}", planner.algorithm().name, planner.settings(), world.picture())
                };
                let walk_on = |route: LazyRoute<NavMesh>, scratch: &mut Scratch<NavMesh>| {
                    let mut places: Vec<MeshPoint> = done.last().copied().into_iter().collect();
                    places.extend(walked(route, planner, &world, scratch));
                    assert!(price(&world, &places).is_some(), "{places:?}: {}", about());
                    assert_eq!(places.last().or(done.last()), Some(&to), "{}", about());
                };
                let mut other = route.clone();
                if other.survives(planner, &world, &edits) {
                    survived += 1;
                    walk_on(other, &mut scratch);
                }
                let mut other = route.clone();
                assert!(matches!(other.mend(planner, &world, &[], &mut scratch), Err(QueryError::Stale(_))));
                match other.mend(planner, &world, &edits, &mut scratch).expect("it is up to date") {
                    Mended::Broken { .. } => {
                        broken += 1;
                        continue;
                    }
                    Mended::Kept => kept += 1,
                    _ => redone += 1,
                }
                walk_on(other, &mut scratch);
            }
        }
    }
    let counts = format!("{survived} survived, {kept} kept, {redone} redone, {broken} broken");
    assert!(survived > 300 && kept > 300 && redone > 300 && broken > 20, "{counts}");
}

/// After an edit far from it, a route keeps what it had.
#[test]
fn a_far_edit_leaves_a_route_as_it_was() {
    let mut world = World::from(NavMesh::clone(&town()));
    let mut planner = build(&world, "hna-star", &[("levels", "1"), ("merge", "6")]);
    let point = |at| world.point(at).expect("a street is there");
    let query = Query::new(point([0.5, 0.5]), point([23.5, 0.5]));
    let mut route = planned(&planner, &world, query);
    let before = walked(route.clone(), &planner, &world, &mut Scratch::new());
    let edits = [MeshEdit::new(world.polygons() as u32 - 1, Terrain::BLOCKED)];
    world.apply(&edits).expect("a sound edit");
    planner.repair(&world, &edits).expect("it follows");
    assert!(route.survives(&planner, &world, &edits));
    assert_eq!(walked(route, &planner, &world, &mut Scratch::new()), before);
}

/// An agent that plans in legs takes legal steps to its goal while polygons are blocked and opened.
#[test]
fn agents_walk_in_legs_while_the_mesh_changes() {
    let mut scratch = Scratch::new();
    let mut arrived = 0;
    for seed in 0..30 {
        let mut random = Random::new(seed);
        let mut world = World::from(NavMesh::clone(&town()));
        let [from, to] = [(); 2].map(|()| somewhere(&mut random, &world).expect("a polygon is free"));
        let settings: &[(&str, &str)] = if seed % 2 == 0 { &[("levels", "1"), ("merge", "7")] } else { &[] };
        let mut planner = build(&world, if seed % 2 == 0 { "hna-star" } else { "rhumb" }, settings);
        let mut agent = Replanner::<NavMesh>::new(from, to).lazily();
        for _ in 0..200 {
            let edits = random_edits(&mut random, &world, true);
            let at = agent.at();
            let edits: Vec<MeshEdit> =
                edits.into_iter().filter(|edit| edit.polygon != at.polygon && edit.polygon != to.polygon).collect();
            world.apply(&edits).expect("sound edits");
            planner.repair(&world, &edits).expect("it follows");
            agent.edited(&planner, &world, &edits);
            while agent.step(&planner, &world, &mut scratch, 9).expect("a sound query") == Progress::Working {}
            let Some((next, price)) = agent.next_step() else { continue };
            assert_eq!(world.segment(at, next, Motion::Steps), Some(price));
            agent.moved(next);
            if next == to {
                arrived += 1;
                break;
            }
        }
    }
    assert!(arrived > 20, "{arrived}");
}
