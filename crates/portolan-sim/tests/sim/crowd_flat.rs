//! Crowds in flat arrays: no agent leaves the free ground, every agent that has a way arrives, and the crowd is the same on any
//! number of threads.

use portolan::generate::{generate, recipe};
use portolan::{Cell, HexGrid, NavMesh, Planner, Rules, Snapshot, Space, SquareGrid};
use portolan_mesh::{BuildOptions, CityOptions, build, city};
use portolan_sim::crowd::flat::{
    Body, FlatCrowd, FlatError, FlatKind, FlatOptions, FlatPlace, FlatSquares, FlatState, Walk,
};
use portolan_sim::crowd::{Ground, HexGround, MeshGround, SquareGround};
use std::ops::ControlFlow;

fn squares(name: &str, side: usize) -> Snapshot {
    let recipe = recipe(name).expect("a known recipe");
    let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are sound");
    generate(recipe, side, side, 3, &settings, Rules::default()).expect("a sound size").into()
}

fn on_squares(world: &Snapshot, agents: usize, radius: f32, speed: f32) -> FlatCrowd {
    let planner = Planner::new(world, "hpa-star").expect("it suits");
    let options = FlatOptions { agents, radius, speed, seed: 4 };
    FlatCrowd::populate(&SquareGround::new(world.clone()), &planner, &options).unwrap_or_else(|error| panic!("{error}"))
}

/// Lets ticks pass, and asserts in each that all agents stand on free ground and still see their targets.
fn pass(crowd: &mut FlatCrowd, ticks: u32) {
    for _ in 0..ticks {
        crowd.tick();
        for (number, (body, walk)) in crowd.bodies().iter().zip(crowd.walks()).enumerate() {
            assert!(crowd.ground().is_free(body.place()), "agent {number} left the ground at {body:?}");
            let target @ [x, y, _] = crowd.points()[walk.target as usize];
            let is_seen = crowd.ground().walk(body.place(), [x, y]).is_some();
            assert!(is_seen || walk.state() == FlatState::NoWay, "agent {number} sees {target:?} not from {body:?}");
        }
    }
}

/// Lets a crowd walk until all agents have arrived, for at most so many seconds.
fn all_arrive(mut crowd: FlatCrowd, seconds: u32, what: &str) {
    let agents = crowd.bodies().len();
    for _ in 0..seconds {
        pass(&mut crowd, FlatCrowd::PER_SECOND);
        if crowd.tally().arrived == agents {
            return;
        }
    }
    panic!("{what}: {:?} after {seconds} s", crowd.tally());
}

#[test]
fn crowds_arrive_and_never_leave_the_ground() {
    for (name, agents, radius, speed) in [
        ("rooms", 120, 0.35, 2.0),
        ("caves", 120, 0.2, 6.0),
        ("maze", 30, 0.4, 3.0),
        ("noise", 200, 0.3, 12.0),
        ("open", 600, 0.45, 2.0),
    ] {
        let world = squares(name, 48);
        all_arrive(on_squares(&world, agents, radius, speed), 400, name);
    }
}

#[test]
fn crowds_on_hexes_arrive_too() {
    let grid = HexGrid::from_weights(40, 40, &squares("caves", 40).to_weights(), None).expect("a sound size");
    let world = Snapshot::from(grid);
    let planner = Planner::new(&world, "a-star").expect("it suits");
    let ground = HexGround::new(world);
    let options = FlatOptions { agents: 100, radius: 0.3, speed: 3.0, seed: 4 };
    let crowd = FlatCrowd::populate(&ground, &planner, &options).unwrap_or_else(|error| panic!("{error}"));
    for cell in ground.world().cells() {
        let (flat, [x, y, _]) = (ground.flat_place(cell), ground.world().position(cell));
        let [flat_x, flat_y, _] = ground.position(flat);
        assert!(
            (flat_x - x).abs() < 1e-3 && (flat_y - y).abs() < 1e-3,
            "{cell} lies at {x},{y}, not {flat_x},{flat_y}"
        );
        assert!(!ground.world().is_free(cell) || crowd.ground().is_free(flat));
    }
    all_arrive(crowd, 120, "hexes");
}

fn city_ground(side: u16, seed: u64) -> MeshGround {
    let geometry = city(CityOptions::new(side, side).expect("a sound size"), seed);
    let parts = build(&geometry, &BuildOptions::default(), &mut |_| ControlFlow::Continue(()));
    let parts = parts.unwrap_or_else(|fault| panic!("{fault}"));
    MeshGround::new(Snapshot::from(NavMesh::new(&parts).unwrap_or_else(|fault| panic!("{fault}"))))
}

fn on_mesh(ground: &MeshGround, options: &FlatOptions) -> Result<FlatCrowd, FlatError> {
    let planner = Planner::new(ground.world(), "hna-star").expect("it suits");
    FlatCrowd::populate(ground, &planner, options)
}

#[test]
fn crowds_on_meshes_arrive_too() {
    let ground = city_ground(4, 1);
    let options = FlatOptions { agents: 300, radius: 0.3, speed: 3.0, seed: 4 };
    let crowd = on_mesh(&ground, &options).unwrap_or_else(|error| panic!("{error}"));
    assert_eq!(crowd.tally().no_way, 0);
    all_arrive(crowd, 300, "a city");
}

#[test]
fn a_crowd_is_the_same_on_any_number_of_threads() {
    let world = squares("rooms", 96);
    let run = |threads: usize| -> (Vec<Body>, Vec<Walk>) {
        let mut crowd = on_squares(&world, 1500, 0.3, 3.0);
        crowd.set_threads(threads);
        (0..300).for_each(|_| crowd.tick());
        (crowd.bodies().to_vec(), crowd.walks().to_vec())
    };
    let known = run(1);
    assert!(known == run(2) && known == run(3));
}

/// Returns the world of a drawing, in which `#` is blocked.
fn drawn(rows: &[&str]) -> Snapshot {
    let weights: Vec<u8> = rows.concat().bytes().map(|letter| u8::from(letter != b'#')).collect();
    SquareGrid::from_weights(rows[0].len(), rows.len(), &weights, Rules::default()).expect("sound").into()
}

/// Adds an agent that goes from cell to cell.
fn add(crowd: &mut FlatCrowd, cells: impl Iterator<Item = (u16, u16)>) {
    let route: Vec<FlatPlace> =
        cells.map(|(x, y)| FlatPlace { at: FlatSquares::middle(Cell::new(x, y)), polygon: 0 }).collect();
    crowd.add(&route, true);
}

fn crowd_of_two(rows: &[&str], row: u16, speed: f32) -> FlatCrowd {
    let world = drawn(rows);
    let width = rows[0].len() as u16;
    let ground = SquareGround::new(world);
    let rules = ground.rules(0.35, speed).expect("sound rules");
    let mut crowd = FlatCrowd::new(ground.flat().expect("squares"), rules);
    add(&mut crowd, (1..width - 1).map(|x| (x, row)));
    add(&mut crowd, (1..width - 1).rev().map(|x| (x, row)));
    crowd
}

#[test]
fn two_agents_pass_each_other_without_touching() {
    let open = ["....................."; 7];
    let mut crowd = crowd_of_two(&open, 3, 2.0);
    let mut nearest = f64::INFINITY;
    for _ in 0..15 * FlatCrowd::PER_SECOND {
        pass(&mut crowd, 1);
        let [a, b] = [0, 1].map(|number| crowd.bodies()[number].at.map(f64::from));
        nearest = nearest.min((a[0] - b[0]).hypot(a[1] - b[1]));
    }
    assert_eq!(crowd.tally().arrived, 2);
    let bodies = 0.7 * f64::from(FlatSquares::CELL);
    assert!(nearest > 0.95 * bodies, "{nearest} steps apart, bodies take {bodies}");
}

#[test]
fn agents_that_meet_in_a_narrow_way_squeeze_through() {
    let mut crowd = crowd_of_two(&["###############", "...............", "###############"], 1, 2.0);
    let mut has_squeezed = false;
    for _ in 0..20 * FlatCrowd::PER_SECOND {
        pass(&mut crowd, 1);
        has_squeezed |= crowd.walks().iter().any(|walk| walk.state() == FlatState::Squeezing);
    }
    assert!(has_squeezed);
    assert_eq!(crowd.tally().arrived, 2);
}

#[test]
fn an_agent_without_a_way_stays() {
    let ground = SquareGround::new(drawn(&["...#..."]));
    let rules = ground.rules(0.3, 2.0).expect("sound rules");
    let mut crowd = FlatCrowd::new(ground.flat().expect("squares"), rules);
    add(&mut crowd, [(0, 0), (6, 0)].into_iter());
    let before = crowd.bodies().to_vec();
    pass(&mut crowd, 60);
    assert_eq!((crowd.bodies(), crowd.tally().no_way), (&before[..], 1));
}

#[test]
fn what_cannot_be_is_refused() {
    let world = squares("rooms", 24);
    let planner = Planner::new(&world, "hpa-star").expect("it suits");
    let ground = SquareGround::new(world);
    let refused = |agents: usize, radius: f32, speed: f32| {
        FlatCrowd::populate(&ground, &planner, &FlatOptions { agents, radius, speed, seed: 1 }).err()
    };
    assert_eq!(refused(10, 0.3, 2.0), None);
    assert_eq!(refused(10, 0.5, 2.0), Some(FlatError::Radius(0.5)));
    assert_eq!(refused(10, 0.0, 2.0), Some(FlatError::Radius(0.0)));
    assert_eq!(refused(10, 0.3, 12.5), Some(FlatError::Speed(12.5)));
    assert_eq!(refused(10, 0.1, 6.0), Some(FlatError::Speed(6.0)));
    assert!(refused(10, f32::NAN, 2.0).is_some() && refused(10, 0.3, f32::NAN).is_some());
    assert!(matches!(refused(100_000, 0.3, 2.0), Some(FlatError::TooMany { asked: 100_000, .. })));
    assert_eq!(
        on_mesh(&city_ground(1, 5), &FlatOptions { agents: 2, radius: 1e9, speed: 1.0, seed: 1 }).err(),
        Some(FlatError::Radius(1e9))
    );
}
