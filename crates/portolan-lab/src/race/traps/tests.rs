//! Tests of races among traps.

use super::*;
use crate::progress::go_on;
use crate::progress::tests::{all_told, stopped_at};
use crate::queries;
use portolan::Cell;

const PLAN: TrapPlan = TrapPlan { traps: 12, change: 3, ticks: 60, size: 2, seed: 5 };

/// Walls one cell thick, each with a gap at one end.
fn stripes() -> Vec<u8> {
    (0..72 * 40).map(|i| u8::from(i % 72 % 16 != 9 || i / 72 < 8)).collect()
}

fn striped() -> AnySnapshot {
    AnySnapshot::from(SquareGrid::from_weights(72, 40, &stripes(), Rules::default()).unwrap())
}

fn routes(world: &AnySnapshot) -> Vec<Trial> {
    longest_first(world, &queries::random(world, 10, 3).unwrap()).unwrap()
}

#[test]
fn every_agent_walks_and_exact_ones_plan_the_least_cost() {
    let hexes = AnySnapshot::from(HexGrid::from_weights(72, 40, &stripes(), None).unwrap());
    for (world, change) in [(striped(), 3), (striped(), 12), (hexes, 3)] {
        let entrants = usual_entrants(&world);
        let (routes, plan) = (routes(&world), TrapPlan { change, ..PLAN });
        let (race, _) = all_told(|progress| race_traps("striped", &world, &routes, &entrants, plan, 1, progress));
        assert_eq!((race.mismatches(), race.rows.len()), (0, entrants.len()), "{:?}", race.faults);
        for row in &race.rows {
            assert_eq!((row.ticks, row.cut_off < 60), (60, true), "{row:?}");
            assert!(row.traps > 8.0 && row.traps <= 12.0, "{row:?}");
            assert!(row.mean_us > 0.0 && row.plain_us > 0.0 && row.times_as_fast > 0.0, "{row:?}");
            assert!(row.p50_us <= row.p99_us && row.p99_us <= row.max_us, "{row:?}");
        }
        for name in [world.exact().name(), "lpa-star", "d-star", "focused-d-star", "d-star-lite"] {
            let row = race.rows.iter().find(|row| row.algorithm == name).unwrap();
            assert!(row.ratio_max.is_some_and(|ratio| (ratio - 1.0).abs() < 1e-9), "{row:?}");
        }
        let again = race_traps("striped", &world, &routes, &entrants, plan, 2, &mut go_on).unwrap();
        let facts = |race: &TrapRace| {
            let fact = |row: &TrapRow| {
                (row.algorithm.clone(), row.traps.to_bits(), row.ratio_mean.map(f64::to_bits), row.cut_off)
            };
            race.rows.iter().map(fact).collect::<Vec<_>>()
        };
        assert_eq!(facts(&race), facts(&again), "the same seed gives the same walk");
    }
}

#[test]
fn plain_a_star_and_all_that_follow_are_usual() {
    let names: Vec<String> = usual_entrants(&striped()).iter().map(Entrant::name).collect();
    assert_eq!(names[0], "a-star successors=all");
    for name in ["a-star", "jump-point", "lpa-star", "d-star-lite", "hpa-star", "dhpa-star", "rhumb", "pra-star"] {
        assert!(names.iter().any(|usual| usual == name), "{name} is not in {names:?}");
    }
    assert!(!names.iter().any(|usual| usual == "dijkstra" || usual == "ida-star"), "{names:?}");
}

#[test]
fn a_race_without_room_or_routes_does_not_begin() {
    let world = striped();
    let entrants = usual_entrants(&world);
    let routes = routes(&world);
    let run = |routes: &[Trial], plan| race_traps("striped", &world, routes, &entrants, plan, 1, &mut go_on);
    let size = 39;
    assert_eq!(run(&routes, TrapPlan { size, ..PLAN }), Err(NoRoom { size, at: routes[0].from }.into()));
    assert_eq!(run(&[], PLAN), Err(TrapRaceError::NoRoute));
    let wall = Trial { from: Cell::new(1, 1), to: Cell::new(9, 20), stated: None };
    let nowhere = Trial { from: Cell::new(1, 1), to: Cell::new(1, 1), stated: None };
    assert_eq!(longest_first(&world, &[wall, nowhere]), Err(TrapRaceError::NoRoute));
}

#[test]
fn a_race_stops_when_told_to() {
    let world = striped();
    let (entrants, routes) = (usual_entrants(&world), routes(&world));
    let run =
        |call| stopped_at(call, |progress| race_traps("striped", &world, &routes, &entrants[..2], PLAN, 1, progress));
    for call in [1, 2, 70, 200] {
        let (result, told) = run(call);
        assert_eq!((result, told.len()), (Err(TrapRaceError::Cancelled(Cancelled)), call));
    }
}

#[test]
fn the_longest_routes_come_first() {
    let world = striped();
    let trial = |x| Trial { from: Cell::new(0, 0), to: Cell::new(x, 0), stated: None };
    let sorted = longest_first(&world, &[trial(4), trial(60), trial(0), trial(20)]).unwrap();
    assert_eq!(sorted, [trial(60), trial(20), trial(4)]);
}
