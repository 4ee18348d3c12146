//! Random meshes compared with the oracles: every algorithm keeps its promise, every route is legal, its cost is right, and
//! searches over corridors find the cheapest ones.

use super::oracle::{Plain, distance};
use super::sight::shortest;
use super::worlds::{anywhere, are_connected, on_random_meshes, planners};
use crate::worlds::Pictured;
use portolan::probe::{Event, Trace};
use portolan::{MeshPoint, NavMesh, Outcome, Planner, Promise, Query, Scratch, Snapshot};

/// What the oracles know of a query. Costs are in steps.
pub(crate) struct Truth {
    /// The least costs of corridors, measured by middles and by centres; `None` if there is no way.
    corridors: Option<[f64; 2]>,
    /// The length of the shortest route, on meshes of one weight.
    shortest: Option<f64>,
}

impl Truth {
    pub(crate) fn of(mesh: &NavMesh, plain: &Plain, from: MeshPoint, to: MeshPoint) -> Truth {
        let corridor = |by_centres| plain.corridor(mesh, from, to, by_centres);
        let corridors = corridor(false).zip(corridor(true)).map(<[f64; 2]>::from);
        let uniform = corridors.and(mesh.uniform_weight());
        let shortest = uniform.map(|weight| {
            let length = shortest(mesh, plain, from, to).expect("where there is a corridor, there is a route");
            length * f64::from(weight)
        });
        Truth { corridors, shortest }
    }

    pub(crate) fn is_reachable(&self) -> bool {
        self.corridors.is_some()
    }
}

/// Puts one query to one planner and compares the answer with what the oracles know.
pub(crate) fn check(
    world: &Snapshot<NavMesh>,
    planner: &Planner<NavMesh>,
    query: Query<MeshPoint>,
    truth: &Truth,
    scratch: &mut Scratch<NavMesh>,
) {
    let mut trace = Trace::default();
    let outcome = planner.watch(world, query, scratch, &mut trace).expect("a sound query");
    let Query { from, to, .. } = query;
    let name = planner.algorithm().name;
    let about = || format!("{name} {:?} from {from} to {to} on\n{}", planner.settings(), world.picture());
    let Some([by_middles, by_centres]) = truth.corridors else {
        assert_eq!(outcome, Outcome::Unreachable, "{}", about());
        return;
    };
    let Outcome::Reached(route) = outcome else { panic!("{outcome:?}: {}", about()) };
    route.check(world).unwrap_or_else(|error| panic!("{error}: {}", about()));
    assert_eq!((route.cells().first(), route.cells().last()), (Some(&from), Some(&to)), "{}", about());
    let cost = f64::from(route.cost().0);
    if let Some(shortest) = truth.shortest {
        // The cost of each line is rounded to whole steps, and so are points on an edge.
        let slack = 2.0 * route.steps() as f64 + 2.0;
        assert!(cost >= shortest - slack, "{cost} is less than {shortest}: {}", about());
        let is_exact = planner.promise(world) == Promise::Optimal;
        assert!(!is_exact || cost <= shortest + slack, "{cost} is more than {shortest}: {}", about());
    }
    // Portals and distances to them are rounded to whole steps.
    let slack = 3.0 * 9.0 * world.polygons() as f64;
    let measures_centres =
        planner.settings().iter().any(|(key, value)| key == "measure" && value.to_string() == "centres");
    let corridor = if measures_centres { by_centres } else { by_middles };
    if let Some(Event::Goal { cost: measured }) =
        trace.events.iter().rev().find(|event| matches!(event, Event::Goal { .. }))
        && ["a-star", "dijkstra"].contains(&name)
        && !(measures_centres && name == "a-star")
    {
        assert!((f64::from(*measured) - corridor).abs() <= slack, "{measured}, not {corridor}: {}", about());
    }
    let is_pulled_from_the_cheapest = !measures_centres
        && !planner.settings().iter().any(|(key, value)| key == "price" && value.to_string() == "centres");
    if truth.shortest.is_some() && is_pulled_from_the_cheapest {
        assert!(cost <= by_middles + slack, "{cost}, a corridor costs {by_middles}: {}", about());
    }
}

#[test]
fn every_algorithm_keeps_its_promise() {
    let mut scratch = Scratch::new();
    let mut reached = 0;
    on_random_meshes(3001, 160, |random, world, from| {
        let (plain, planners) = (Plain::of(world), planners(world));
        for _ in 0..4 {
            let to = anywhere(random, world);
            let truth = Truth::of(world, &plain, from, to);
            reached += usize::from(truth.is_reachable());
            for planner in &planners {
                check(world, planner, Query::new(from, to), &truth, &mut scratch);
            }
        }
    });
    assert!(reached > 300, "{reached} goals could be reached");
}

#[test]
fn components_are_what_the_oracle_reaches() {
    on_random_meshes(3002, 300, |_, world, from| {
        let is_reached = Plain::of(world).reached_from(from.polygon as usize);
        for (polygon, is_reached) in (0..).zip(is_reached) {
            assert_eq!(are_connected(world, from, world.centre(polygon)), is_reached, "{}", world.picture());
        }
    });
}

/// Returns the point of a polygon that is nearest to a place in the plan.
fn foot(world: &NavMesh, polygon: u32, at: [f64; 2]) -> MeshPoint {
    let on_edge = |[a, b]: [[f64; 3]; 2]| {
        let along = [b[0] - a[0], b[1] - a[1]];
        let share = (along[0] * (at[0] - a[0]) + along[1] * (at[1] - a[1])) / (along[0].powi(2) + along[1].powi(2));
        [0, 1].map(|axis| a[axis] + along[axis] * share.clamp(0.0, 1.0))
    };
    let corners: Vec<[f64; 3]> = world.corners(polygon).collect();
    let feet = (0..corners.len()).map(|corner| on_edge([corners[corner], corners[(corner + 1) % corners.len()]]));
    let nearest = feet.min_by(|&a, &b| distance(a, at).total_cmp(&distance(b, at))).expect("a polygon has edges");
    let inside = world.point_on(polygon, at);
    inside.or_else(|| world.point_on(polygon, nearest)).expect("its edges are part of a polygon")
}

/// With [`Query::nearest`], a route ends at a point of the part that the start lies in, and the feet of the goal on all
/// polygons of that part are no nearer.
#[test]
fn the_nearest_point_is_the_nearest_that_the_oracle_reaches() {
    let mut scratch = Scratch::new();
    let mut partial = 0;
    on_random_meshes(3003, 120, |random, world, from| {
        let is_reached = Plain::of(world).reached_from(from.polygon as usize);
        let to = anywhere(random, world);
        let goal = world.coordinates(to);
        let off = |at: [f64; 3]| (0..3).map(|axis| (at[axis] - goal[axis]).powi(2)).sum::<f64>().sqrt();
        for planner in planners(world) {
            let outcome = planner.find(world, Query::new(from, to).nearest(), &mut scratch).expect("a sound query");
            let route = match outcome {
                Outcome::Reached(route) if is_reached[to.polygon as usize] => route,
                Outcome::Partial(route) if !is_reached[to.polygon as usize] => route,
                other => panic!("{} is {} on {}", planner.algorithm().name, other.name(), world.picture()),
            };
            route.check(world).unwrap_or_else(|error| panic!("{error} on {}", world.picture()));
            let end = *route.cells().last().expect("a route has an end");
            assert!(is_reached[end.polygon as usize], "{}", world.picture());
            if end == to {
                continue;
            }
            partial += 1;
            for polygon in (0..world.polygons() as u32).filter(|&polygon| is_reached[polygon as usize]) {
                let foot = world.coordinates(foot(world, polygon, [goal[0], goal[1]]));
                // Where polygons are steep, a step across is some steps up.
                let slack = 16.0 * world.step();
                assert!(off(world.coordinates(end)) <= off(foot) + slack, "{foot:?} on {}", world.picture());
            }
        }
    });
    assert!(partial > 200, "{partial}");
}
