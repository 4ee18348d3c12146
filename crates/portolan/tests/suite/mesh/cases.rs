//! Conformance cases: small meshes drawn by hand, with the length of the shortest route worked out by hand. Every algorithm
//! answers every case.
//!
//! Not here: queries that are no search for a whole route (`queries.rs`).

use super::worlds::{are_connected, draw, planners, rectangles, two_floors};
use portolan::{MeshParts, MeshPoint, NavMesh, Outcome, Promise, Query, QueryError, Scratch, Snapshot};

/// Each case is a description, a picture of squares, start and goal, and the length of the shortest route, or `None` if
/// there is none.
type Case = (&'static str, &'static str, [f64; 2], [f64; 2], Option<f64>);

const CASES: &[Case] = &[
    ("one polygon", ".", [0.125, 0.5], [0.875, 0.5], Some(0.75)),
    ("one polygon, from corner to corner", ".", [0.0, 0.0], [1.0, 1.0], Some(std::f64::consts::SQRT_2)),
    ("start and goal in one place", "..", [0.5, 0.25], [0.5, 0.25], Some(0.0)),
    ("start and goal in one place on an edge", "..", [1.0, 0.25], [1.0, 0.25], Some(0.0)),
    ("start and goal on a common edge", "..", [1.0, 0.25], [1.0, 0.75], Some(0.5)),
    ("start on an edge", "...", [1.0, 0.5], [2.5, 0.5], Some(1.5)),
    ("goal on an edge", "...", [0.5, 0.5], [2.0, 0.5], Some(1.5)),
    ("goal on a vertex", "..\n..", [0.5, 0.5], [1.0, 1.0], Some(std::f64::consts::FRAC_1_SQRT_2)),
    ("from vertex to vertex", "..\n..", [0.0, 0.0], [2.0, 2.0], Some(2.828_427_125)),
    ("along the edges of all polygons", "....\n....", [0.0, 1.0], [4.0, 1.0], Some(4.0)),
    ("one row", "........", [0.5, 0.5], [7.5, 0.5], Some(7.0)),
    ("straight past a corner", "..\n#.", [0.5, 0.5], [1.5, 1.5], Some(std::f64::consts::SQRT_2)),
    ("around a corner", "..\n#.", [0.25, 0.75], [1.25, 1.75], Some(1.581_138_83)),
    ("two rooms and a door", "..#..\n.....\n..#..", [0.5, 0.5], [4.5, 0.5], Some(4.162_277_66)),
    ("around a pillar", "...\n.#.\n...", [0.5, 1.5], [2.5, 1.5], Some(2.414_213_562)),
    ("around a blocked polygon", "...\n.X.\n...", [0.5, 1.5], [2.5, 1.5], Some(2.414_213_562)),
    ("a pocket that lures", "....\n###.\n...#\n.###\n....", [0.5, 2.5], [0.5, 0.5], None),
    ("rooms that touch at a vertex", ".#\n#.", [0.5, 0.5], [1.5, 1.5], None),
    ("rooms that touch at the goal", ".#\n#.", [0.5, 0.5], [1.0, 1.0], Some(std::f64::consts::FRAC_1_SQRT_2)),
    ("no way", ".#.", [0.5, 0.5], [2.5, 0.5], None),
    ("a blocked polygon in the way", ".X.", [0.5, 0.5], [2.5, 0.5], None),
    ("a goal that is blocked", "..X", [0.5, 0.5], [2.5, 0.5], None),
    ("bands of one weight", "3333", [0.5, 0.5], [3.5, 0.5], Some(3.0)),
];

/// Returns every point of the mesh at a place: where polygons meet there are several.
fn points(world: &NavMesh, at: [f64; 2]) -> Vec<MeshPoint> {
    let points: Vec<_> = (0..world.polygons() as u32).filter_map(|polygon| world.point_on(polygon, at)).collect();
    assert!(!points.is_empty(), "{at:?} lies on the mesh");
    points
}

/// Puts a query to every algorithm and compares the answers with the length that is known.
fn check(about: &str, world: &Snapshot<NavMesh>, from: MeshPoint, to: MeshPoint, length: Option<f64>) {
    let mut scratch = Scratch::new();
    for planner in planners(world) {
        let about = || format!("{about}: {} {:?} from {from} to {to}", planner.algorithm().name, planner.settings());
        match (planner.find(world, Query::new(from, to), &mut scratch).expect("a sound query"), length) {
            (Outcome::Unreachable, None) => {}
            (Outcome::Reached(route), Some(length)) => {
                route.check(world).unwrap_or_else(|error| panic!("{error}: {}", about()));
                assert_eq!((route.cells().first(), route.cells().last()), (Some(&from), Some(&to)), "{}", about());
                let length = length * f64::from(world.terrain(from.polygon).weight());
                let is_exact = planner.promise(world) == Promise::Optimal;
                let found = route.length(world);
                assert!(found >= length - 1e-5, "{found}, not {length}: {}", about());
                assert!(!is_exact || found <= length + 1e-5, "{found}, not {length}: {}", about());
            }
            (outcome, _) => panic!("{outcome:?}, not {length:?}: {}", about()),
        }
    }
}

#[test]
fn every_algorithm_passes_every_case() {
    for &(about, picture, from, to, length) in CASES {
        let world = draw(picture);
        for from in points(&world, from).into_iter().filter(|at| world.terrain(at.polygon).is_free()) {
            for to in points(&world, to) {
                // Where rooms touch, the goal lies in both, but only one of them can be reached. A blocked polygon is
                // no goal.
                let is_near = are_connected(&world, from, to);
                let length = length.filter(|_| is_near);
                assert!(is_near || about.contains("touch at the goal") || length.is_none(), "{about}");
                check(about, &world, from, to, length);
            }
        }
    }
}

#[test]
fn a_triangle_is_a_world() {
    let vertices = vec![[0.0, 0.0, 0.0], [4.0, 0.0, 1.0], [0.0, 4.0, 2.0]];
    let mut parts = MeshParts { vertices, ..MeshParts::default() };
    parts.push(&[0, 1, 2], 1);
    let world = Snapshot::from(NavMesh::new(&parts).expect("a triangle is convex"));
    let [from, to] = [[0.0, 0.0], [2.0, 2.0]].map(|at| world.point(at).expect("it lies on the triangle"));
    check("a triangle", &world, from, to, Some(8.0_f64.sqrt()));
}

/// The way up leads around a wall without width, back over the lower floor.
#[test]
fn floors_above_each_other_do_not_mix() {
    let world = two_floors();
    let point = |at| world.point_near(at).expect("a polygon is there");
    let (below, above) = (point([1.0, 1.0, 0.0]), point([1.0, 1.0, 4.0]));
    let up = 82.0_f64.sqrt() + 4.0 + 20.0_f64.sqrt() + 50.0_f64.sqrt();
    check("up to the floor above", &world, below, above, Some(up));
    check("down to the floor below", &world, above, below, Some(up));
    check("along the upper floor", &world, above, point([9.5, 1.0, 4.0]), Some(8.5));
    check("along the lower floor", &world, below, point([9.5, 1.0, 0.0]), Some(8.5));
}

#[test]
fn floors_without_a_way_between_them_are_apart() {
    let floor = |z: f64| ([0.0, 0.0], [4.0, 4.0], [z; 4]);
    let world = rectangles(&[floor(0.0), floor(3.0)]);
    let [below, above] = [0, 1].map(|polygon| world.centre(polygon));
    check("a floor above without stairs", &world, below, above, None);
}

#[test]
fn a_blocked_start_is_an_error() {
    let world = draw("X..");
    let [start, goal] = [0, 2].map(|polygon| world.centre(polygon));
    for planner in planners(&world) {
        let asked = planner.find(&world, Query::new(start, goal), &mut Scratch::new());
        assert_eq!(asked, Err(QueryError::StartBlocked(start)));
    }
}
