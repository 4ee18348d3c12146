//! Crowds on a graphics processor walk as they do on the CPU, byte by byte, and go on there if the processor fails. Where there is
//! no processor, not even a driver that computes on the CPU, the tests say so and end.

use crate::gpu;
use portolan::generate::{generate, recipe};
use portolan::{HexGrid, NavMesh, Planner, Rules, Snapshot};
use portolan_gpu::{DeviceCrowd, Gpu};
use portolan_mesh::{BuildOptions, CityOptions, build, city};
use portolan_sim::crowd::flat::{Body, FlatCrowd, FlatOptions, FlatPlace};
use portolan_sim::crowd::{HexGround, MeshGround, SquareGround};
use std::ops::ControlFlow;

fn squares(name: &str, side: usize) -> Snapshot {
    let recipe = recipe(name).expect("a known recipe");
    let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are sound");
    generate(recipe, side, side, 3, &settings, Rules::default()).expect("a sound size").into()
}

fn on_squares(world: &Snapshot, options: &FlatOptions) -> FlatCrowd {
    let planner = Planner::new(world, "hpa-star").expect("it suits");
    let ground = SquareGround::new(world.clone());
    FlatCrowd::populate(&ground, &planner, options).unwrap_or_else(|error| panic!("{error}"))
}

fn options(agents: usize, radius: f32, speed: f32) -> FlatOptions {
    FlatOptions { agents, radius, speed, seed: 6 }
}

fn city_mesh(side: u16, seed: u64) -> Snapshot<NavMesh> {
    let geometry = city(CityOptions::new(side, side).expect("a sound size"), seed);
    let parts = build(&geometry, &BuildOptions::default(), &mut |_| ControlFlow::Continue(()));
    let parts = parts.unwrap_or_else(|fault| panic!("{fault}"));
    Snapshot::from(NavMesh::new(&parts).unwrap_or_else(|fault| panic!("{fault}")))
}

fn on_mesh(world: &Snapshot<NavMesh>, options: &FlatOptions) -> FlatCrowd {
    let planner = Planner::new(world, "hna-star").expect("it suits");
    let ground = MeshGround::new(world.clone());
    FlatCrowd::populate(&ground, &planner, options).unwrap_or_else(|error| panic!("{error}"))
}

fn places(crowd: &FlatCrowd) -> Vec<FlatPlace> {
    crowd.bodies().iter().map(Body::place).collect()
}

fn assert_same(on_device: &FlatCrowd, known: &FlatCrowd, what: &str) {
    let tick = known.tick_count();
    assert_eq!(on_device.tick_count(), tick, "{what}");
    for (number, bodies) in on_device.bodies().iter().zip(known.bodies()).enumerate() {
        assert_eq!(bodies.0, bodies.1, "{what}: body of agent {number} after tick {tick}");
    }
    for (number, walks) in on_device.walks().iter().zip(known.walks()).enumerate() {
        assert_eq!(walks.0, walks.1, "{what}: walk of agent {number} after tick {tick}");
    }
}

/// Lets a crowd walk on both processors, and compares places often and the whole state at times.
fn compare(gpu: &Gpu, mut known: FlatCrowd, ticks: u64, what: &str) {
    let mut on_device = DeviceCrowd::new(gpu.clone(), known.clone());
    assert_eq!(on_device.fault(), None, "{what}");
    while known.tick_count() < ticks {
        known.tick();
        on_device.tick();
        let tick = known.tick_count();
        if tick < 8 || tick.is_multiple_of(20) {
            assert!(on_device.places() == places(&known), "{what}: places after tick {tick}");
        }
        if tick.is_multiple_of(75) {
            assert_same(on_device.state(), &known, what);
        }
    }
    assert_eq!(on_device.fault(), None, "{what}");
    assert_eq!(on_device.tally(), known.tally());
    assert_eq!(known.tally().off_the_ground, 0);
}

#[test]
fn crowds_on_squares_are_those_of_the_cpu() {
    let Some(gpu) = gpu() else { return };
    for (name, side, agents, radius, speed) in [
        ("rooms", 48, 400, 0.35, 2.0),
        ("caves", 64, 500, 0.2, 6.0),
        ("noise", 48, 300, 0.45, 4.0),
        ("maze", 33, 60, 0.3, 12.0),
        ("open", 40, 1200, 0.4, 3.0),
    ] {
        compare(&gpu, on_squares(&squares(name, side), &options(agents, radius, speed)), 600, name);
    }
}

#[test]
fn crowds_on_meshes_and_hexes_are_those_of_the_cpu() {
    let Some(gpu) = gpu() else { return };
    compare(&gpu, on_mesh(&city_mesh(4, 1), &options(500, 0.3, 3.0)), 600, "a city");
    // Not every processor computes with 64 bits.
    compare(&gpu.narrow(), on_mesh(&city_mesh(4, 1), &options(300, 0.3, 3.0)), 300, "a city");
    compare(&gpu, on_mesh(&city_mesh(2, 9), &options(200, 0.6, 9.0)), 400, "another city");
    let grid = HexGrid::from_weights(40, 40, &squares("caves", 40).to_weights(), None).expect("a sound size");
    let world = Snapshot::from(grid);
    let planner = Planner::new(&world, "a-star").expect("it suits");
    let crowd = FlatCrowd::populate(&HexGround::new(world), &planner, &options(200, 0.3, 3.0));
    compare(&gpu, crowd.unwrap_or_else(|error| panic!("{error}")), 400, "hexes");
}

#[test]
fn a_crowd_goes_on_on_the_cpu_if_the_processor_is_lost() {
    let Some(gpu) = gpu() else { return };
    let start = on_squares(&squares("rooms", 40), &options(150, 0.35, 2.0));
    for reads in [false, true] {
        let mut known = start.clone();
        let mut on_device = DeviceCrowd::new(gpu.clone(), start.clone());
        if reads {
            // The processor of the first round is lost. It is refused from the beginning.
            assert!(on_device.fault().is_some());
        } else {
            for _ in 0..650 {
                known.tick();
                on_device.tick();
            }
            assert_eq!(on_device.fault(), None);
            on_device.lose();
        }
        for _ in 0..30 {
            known.tick();
            on_device.tick();
        }
        assert!(on_device.places() == places(&known));
        assert!(on_device.fault().is_some());
        assert_same(on_device.state(), &known, "a lost processor");
    }
}
