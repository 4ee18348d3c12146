//! Tests of races after edits.

use super::*;
use crate::progress::go_on;
use crate::progress::tests::{all_told, stopped_at};
use crate::queries;
use portolan::{Cell, HexGrid, Rules, SquareGrid, Terrain};

const PLAN: EditPlan = EditPlan { count: 40, size: 2, seed: 5 };

/// Walls one cell thick, each with a gap at one end.
fn stripes() -> Vec<u8> {
    (0..64 * 40).map(|i| u8::from(i % 64 % 12 != 7 || i / 64 < 3)).collect()
}

fn striped() -> AnySnapshot {
    AnySnapshot::from(SquareGrid::from_weights(64, 40, &stripes(), Rules::default()).unwrap())
}

fn striped_hexes() -> AnySnapshot {
    AnySnapshot::from(HexGrid::from_weights(64, 40, &stripes(), None).unwrap())
}

#[test]
fn every_algorithm_follows() {
    for world in [striped(), striped_hexes()] {
        let trials = queries::random(&world, 20, 3).unwrap();
        let algorithms = world.algorithms();
        let entrants: Vec<Entrant> = algorithms.iter().map(|&a| Entrant::new(a).gives_up_on(&world)).collect();
        let (race, _) = all_told(|progress| race_edits(&world, &trials, &entrants, PLAN, progress));
        assert_eq!((race.rows.len(), race.count, race.size), (algorithms.len(), 40, 2));
        assert!(race.faults.is_empty(), "{:?}", race.faults);
        for (row, entrant) in race.rows.iter().zip(&entrants) {
            assert_eq!((row.edits, row.checked, row.mismatches), (40, 10, 0), "{}", row.algorithm);
            let planner = AnyPlanner::build(&world, entrant.algorithm, entrant.settings.clone()).unwrap();
            let is_chart = planner.outline(&world).unwrap().is_some_and(|outline| outline.has_regions());
            assert_eq!(row.clusters > 0.0, is_chart, "{}: charts alone have clusters", row.algorithm);
            assert!(row.p50_us <= row.p95_us && row.p95_us <= row.max_us && row.lost.is_none());
        }
        let again = race_edits(&world, &trials, &entrants, PLAN, &mut go_on).unwrap();
        let clusters = |race: &EditRace| race.rows.iter().map(|row| row.clusters.to_bits()).collect::<Vec<_>>();
        assert_eq!(clusters(&race), clusters(&again), "the same edits are the same work");
    }
}

#[test]
fn a_race_stops_when_told_to() {
    let world = striped();
    let trials = queries::random(&world, 20, 3).unwrap();
    let entrants = ["a-star", "hpa-star"].map(|name| Entrant::named(&striped(), name).unwrap());
    let run = |call| stopped_at(call, |progress| race_edits(&world, &trials, &entrants, PLAN, progress));
    let whole = run(usize::MAX).1;
    // Stopped at the first call, in the edits that are played without an algorithm, in those of the second entrant,
    // and at the end.
    for call in [1, 2, 30, whole.len() - 9, whole.len()] {
        let (result, told) = run(call);
        assert_eq!((result, &told[..]), (Err(EditRaceError::Cancelled(Cancelled)), &whole[..call]));
    }
    let none = EditPlan { size: 60, ..PLAN };
    let error = race_edits(&world, &trials, &entrants, none, &mut go_on).unwrap_err();
    assert_eq!(error, EditRaceError::NoGround(NoGround { size: 60 }));
}

/// The route around a wall that is gone is still legal, but a fresh planner finds a shorter one.
#[test]
fn an_answer_from_before_an_edit_is_a_mismatch() {
    let mut world = AnyWorld::from(striped());
    let trial = Trial { from: Cell::new(25, 38), to: Cell::new(41, 33), stated: None };
    let at = Cell::new(31, 36);
    for name in ["hpa-star", "dhpa-star", "rhumb"] {
        let entrant = Entrant::named(&striped(), name).unwrap();
        world.apply(&[Edit::new(at, Terrain::BLOCKED)]).unwrap();
        let mut runner = Runner::new(&world.snapshot(), &entrant).unwrap();
        let before = runner.planner.find(&world.snapshot(), trial.query(None), &mut AnyScratch::new()).unwrap();
        let gap = [Edit::new(at, Terrain::GROUND)];
        world.apply(&gap).unwrap();
        runner.follow(&world.snapshot(), &gap);
        let now = runner.planner.find(&world.snapshot(), trial.query(None), &mut AnyScratch::new()).unwrap();
        let optimum = optima(&world.snapshot(), &[trial], Reference::Computed)[0];
        let check = Check { after: 0, trial, optimum };
        let verdict = runner.compare(&world.snapshot(), &check, [&before, &now]);
        assert!(matches!(verdict, Err(EditFault::Differs { .. })), "{name}: {verdict:?}");
        assert_eq!(runner.check(&world.snapshot(), &check, &mut AnyScratch::new()), Ok(()), "{name}");
        let row = runner.finish();
        assert_eq!((row.checked, row.mismatches), (1, 0), "{name}");
    }
}

#[test]
fn a_route_through_what_was_blocked_is_a_mismatch() {
    let mut world = AnyWorld::from(striped());
    let entrant = Entrant::named(&striped(), "jump-point").unwrap();
    let mut runner = Runner::new(&world.snapshot(), &entrant).unwrap();
    let trial = Trial { from: Cell::new(4, 1), to: Cell::new(10, 1), stated: None };
    let find = |runner: &Runner, world: &AnyWorld| {
        runner.planner.find(&world.snapshot(), trial.query(None), &mut AnyScratch::new())
    };
    let before = find(&runner, &world).unwrap();
    let wall = [Edit::new(Cell::new(7, 1), Terrain::BLOCKED)];
    world.apply(&wall).unwrap();
    runner.follow(&world.snapshot(), &wall);
    let now = find(&runner, &world).unwrap();
    let optimum = optima(&world.snapshot(), &[trial], Reference::Computed)[0];
    let check = Check { after: 0, trial, optimum };
    assert_eq!(runner.compare(&world.snapshot(), &check, [&now, &now]), Ok(()));
    let verdict = runner.compare(&world.snapshot(), &check, [&before, &now]);
    assert!(matches!(verdict, Err(EditFault::Judged(_))), "{verdict:?}");
}

#[test]
fn who_cannot_follow_is_told_and_left_behind() {
    let mut world = AnyWorld::from(striped());
    let entrant = Entrant::named(&striped(), "hpa-star").unwrap();
    let mut runner = Runner::new(&world.snapshot(), &entrant).unwrap();
    let edit = [Edit::new(Cell::new(1, 1), Terrain::BLOCKED)];
    world.apply(&edit).unwrap();
    runner.follow(&world.snapshot(), &edit);
    world.apply(&edit).unwrap();
    runner.follow(&world.snapshot(), &[]);
    runner.follow(&world.snapshot(), &edit);
    let trial = Trial { from: Cell::new(4, 1), to: Cell::new(10, 1), stated: None };
    let check = Check { after: 0, trial, optimum: None };
    assert_eq!(runner.check(&world.snapshot(), &check, &mut AnyScratch::new()), Ok(()));
    let row = runner.finish();
    assert_eq!((row.edits, row.checked, row.mismatches), (1, 0, 0));
    assert!(row.lost.unwrap().starts_with("0 edits do not lead from"));
}

#[test]
fn checks_are_spread_over_blocking_and_giving_back() {
    assert_eq!(checkpoints(1), [0]);
    assert_eq!(checkpoints(7), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(checkpoints(200).len(), 20);
    assert_eq!(checkpoints(100_000).len(), 50);
    for edits in 1..600 {
        let after = checkpoints(edits);
        assert!(after.len() >= edits.min(10) && after.len() <= 50 && after.is_sorted(), "{edits}");
        assert!(after.last().is_some_and(|&last| last < edits), "{edits}");
        let blocking = after.iter().filter(|&number| number % 2 == 0).count();
        assert!(blocking.abs_diff(after.len() - blocking) <= 1, "{edits}");
    }
}
