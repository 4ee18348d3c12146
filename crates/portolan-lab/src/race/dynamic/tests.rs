//! Tests of races on dynamic scenarios.

use super::*;
use crate::progress::go_on;
use crate::progress::tests::{all_told, stopped_at};
use portolan::Cell;
use portolan::generate::Random;

/// Returns a scenario in which walls with gaps come and go on a map of 60 x 40 cells, with the true lengths.
fn walls() -> (DynamicScenario, Vec<Patch>) {
    let wall =
        |gap: usize| Patch { width: 2, height: 40, free: (0..80_usize).map(|i| (i / 2).abs_diff(gap) < 2).collect() };
    let closed = Patch { width: 2, height: 40, free: vec![false; 80] };
    let open = Patch { width: 2, height: 40, free: vec![true; 80] };
    let patches = vec![wall(3), wall(20), wall(35), closed, open];
    let mut random = Random::new(9);
    let mut commands = Vec::new();
    let mut world = AnyWorld::from(SquareGrid::open(60, 40, Rules::default()).unwrap());
    for group in 0..12 {
        for _ in 0..group % 4 {
            let (patch, at) = (random.below(5) as usize, Cell::new(10 + 15 * random.below(3) as u16, 0));
            world.apply(&patches[patch].edits(at)).unwrap();
            commands.push(Command::Patch { group, patch, at });
        }
        for _ in 0..6 {
            let mut cell = || Cell::new(random.below(60) as u16, random.below(40) as u16);
            let trial = Trial { from: cell(), to: cell(), stated: None };
            let now = world.snapshot();
            let optimum = now.is_free(trial.from).then(|| optima(&now, &[trial], Reference::Computed)[0]).flatten();
            let length = optimum.map_or(-1.0, |optimum| optimum.length);
            commands.push(Command::Query { group, from: trial.from, to: trial.to, length });
        }
    }
    (DynamicScenario { width: 60, height: 40, patch_file: "walls.patch".into(), commands }, patches)
}

fn all() -> Vec<Entrant> {
    let world = AnySnapshot::from(SquareGrid::open(60, 40, Rules::default()).unwrap());
    world.algorithms().into_iter().map(|algorithm| Entrant::new(algorithm).gives_up_on(&world)).collect()
}

#[test]
fn every_algorithm_follows_and_exact_ones_match_every_length() {
    let (scenario, patches) = walls();
    let entrants = all();
    let run =
        |progress: &mut Progress| race_dynamic("walls", (&scenario, &patches), Rules::default(), &entrants, progress);
    let (race, _) = all_told(run);
    assert_eq!((race.queries, race.patches, race.changes), (72, 18, 9), "three of twelve groups have no patches");
    assert_eq!((race.mismatches(), race.rows.len()), (0, entrants.len()), "{:?}", race.faults);
    for row in &race.rows {
        assert!(row.lost.is_none() && row.queries == 72, "{row:?}");
        let sum = row.build_ms + row.repair_ms + row.search_ms;
        assert!(row.search_ms > 0.0 && (row.total_ms - sum).abs() < 0.01, "{row:?}");
    }
    for name in ["a-star", "jump-point", "lpa-star", "d-star", "focused-d-star", "d-star-lite"] {
        let row = race.rows.iter().find(|row| row.algorithm == name).unwrap();
        assert_eq!((row.matched, row.out_of_budget), (72, 0), "{row:?}");
        assert!(row.ratio_max.is_some_and(|ratio| (ratio - 1.0).abs() < 1e-3), "{row:?}");
    }
    let chart = race.rows.iter().find(|row| row.algorithm == "hpa-star").unwrap();
    assert!(chart.matched < 72 && chart.ratio_max.is_some_and(|ratio| ratio > 1.0), "{chart:?}");
}

#[test]
fn a_wrong_length_is_told_and_other_rules_have_lengths_of_their_own() {
    let (mut scenario, patches) = walls();
    let is_route = |command: &&mut Command| matches!(command, Command::Query { length, .. } if *length > 5.0);
    if let Some(Command::Query { length, .. }) = scenario.commands.iter_mut().find(is_route) {
        *length += 0.1;
    }
    let entrants: Vec<Entrant> =
        ["a-star", "d-star-lite"].iter().filter_map(|name| portolan::algorithm(name)).map(Entrant::new).collect();
    let race = |rules| race_dynamic("walls", (&scenario, &patches), rules, &entrants, &mut go_on).unwrap();
    let wrong = race(Rules::default());
    assert_eq!(wrong.rows.iter().map(|row| (row.matched, row.mismatches)).collect::<Vec<_>>(), [(71, 1); 2]);
    assert!(wrong.faults[0].starts_with("a-star at query 1 from "), "{:?}", wrong.faults);
    let four = race(Rules { directions: portolan::Directions::Four, ..Rules::default() });
    assert_eq!(four.rows.iter().map(|row| (row.matched, row.mismatches)).collect::<Vec<_>>(), [(72, 0); 2]);
}

#[test]
fn a_race_stops_when_told_to_and_needs_queries() {
    let (mut scenario, patches) = walls();
    let entrants = all();
    let run = |progress: &mut Progress| {
        race_dynamic("walls", (&scenario, &patches), Rules::default(), &entrants[..3], progress)
    };
    for call in [1, 3, 50] {
        let (result, told) = stopped_at(call, run);
        assert_eq!((result, told.len()), (Err(DynamicRaceError::Cancelled(Cancelled)), call));
    }
    scenario.commands.retain(|command| matches!(command, Command::Patch { .. }));
    let none = race_dynamic("walls", (&scenario, &patches), Rules::default(), &entrants, &mut go_on);
    assert_eq!(none, Err(DynamicRaceError::NoQueries));
}
