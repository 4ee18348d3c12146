//! Tests of races of batches on grids. Not here: those on meshes.

use super::*;
use crate::progress::go_on;
use crate::progress::tests::{all_told, stopped_at};
use crate::queries;
use crate::race::race;
use portolan::any::AnyPick;
use portolan::auto::Use;
use portolan::{Rules, SquareGrid};

fn striped() -> AnySnapshot {
    let weights: Vec<u8> = (0..900).map(|cell| u8::from(cell % 7 != 0)).collect();
    AnySnapshot::from(SquareGrid::from_weights(30, 30, &weights, Rules::default()).unwrap())
}

/// A batch whose answers are the numbers given: on one thread, on all threads, and on the graphics processor.
struct Told([u32; 3], OnProcessor<()>);

impl Batch for Told {
    type Answers = u32;

    fn queries(&self) -> usize {
        7
    }

    fn threads(&self) -> usize {
        2
    }

    fn on_one_thread(&mut self) -> u32 {
        self.0[0]
    }

    fn on_all_threads(&mut self) -> u32 {
        self.0[1]
    }

    fn on_processor(&mut self) -> OnProcessor<u32> {
        self.1.clone().map(|((), own)| (self.0[2], own))
    }
}

#[test]
fn every_algorithm_on_a_grid_answers_a_batch_on_the_cpu() {
    let world = striped();
    let trials = queries::random(&world, 200, 3).unwrap();
    let entrants: Vec<Entrant> =
        ["a-star", "rhumb", "ida-star"].map(|name| Entrant::named(&world, name).unwrap().gives_up_on(&world)).to_vec();
    let mut result = race("striped", &world, &trials[..10], &entrants, 1, &mut go_on).unwrap();
    let ((), told) = all_told(|progress| race_batches(&world, &trials, &entrants, None, &mut result, progress));
    assert_eq!(told.last(), Some(&(18, 18)));
    assert_eq!((result.mismatches(), result.rows.len()), (0, 3));
    for row in &result.rows {
        let batch = row.batch.as_ref().unwrap();
        assert!(batch.identical && batch.queries == 200 && batch.one_ms > 0.0 && batch.speed_up() > 0.0, "{batch:?}");
        assert!(batch.threads >= 1 && batch.gpu_whole_ms.is_none() && batch.no_gpu.is_none(), "{batch:?}");
    }
    let (stopped, _) =
        stopped_at(2, |progress| race_batches(&world, &trials, &entrants, None, &mut result.clone(), progress));
    assert_eq!(stopped, Err(Cancelled));
}

#[test]
fn a_chart_in_flat_arrays_answers_on_a_graphics_processor_too() {
    let world = striped();
    let trials = queries::random(&world, 200, 3).unwrap();
    let names = ["dhpa-star rows=yes cluster=8 direct=no", "dhpa-star"];
    let entrants = names.map(|name| {
        let (algorithm, settings, _) = AnyPick::parse(name).unwrap().choose(&world, Use::default()).unwrap();
        Entrant { settings, ..Entrant::new(algorithm) }
    });
    let mut result = race("striped", &world, &trials[..10], &entrants, 1, &mut go_on).unwrap();
    let processor = Processor::open();
    race_batches(&world, &trials, &entrants, processor.as_ref().ok(), &mut result, &mut go_on).unwrap();
    assert!(result.faults.is_empty() && result.mismatches() == 0, "{:?}", result.faults);
    let [rows, search] = [0, 1].map(|row| result.rows[row].batch.as_ref().unwrap());
    assert!(rows.identical && rows.gpu_whole_ms.is_some() == processor.is_ok(), "{rows:?}");
    assert!(search.gpu_whole_ms.is_none() && search.no_gpu.is_some() == processor.is_ok(), "{search:?}");
}

#[test]
fn answers_that_differ_are_wrong() {
    let world = striped();
    let trials = queries::random(&world, 3, 3).unwrap();
    let entrants = [Entrant::named(&world, "a-star").unwrap()];
    let own = Duration::from_millis(2);
    let measured = |answers: [u32; 3], on_processor: OnProcessor<()>| {
        let mut result = race("striped", &world, &trials, &entrants, 1, &mut go_on).unwrap();
        let ready = |_: &Entrant| Ok(Told(answers, on_processor.clone()));
        race_each(&mut result, &entrants, (Entrant::name, ready), Some("a card"), &mut go_on).unwrap();
        (result.mismatches(), result.faults.len(), result.rows[0].batch.clone().unwrap())
    };
    let (mismatches, faults, row) = measured([1, 1, 1], Ok(((), Some(own))));
    assert_eq!((mismatches, faults, row.identical, row.device.as_deref()), (0, 0, true, Some("a card")));
    assert!(row.gpu_ms.is_some_and(|ms| (1.99..2.01).contains(&ms)) && row.gpu_whole_ms.is_some(), "{row:?}");
    let (mismatches, faults, row) = measured([1, 2, 1], Ok(((), None)));
    assert_eq!((mismatches, faults, row.identical, row.gpu_ms), (1, 1, false, None));
    let (mismatches, faults, row) = measured([1, 2, 3], Ok(((), None)));
    assert_eq!((mismatches, faults, row.identical), (1, 2, false));
    let (mismatches, faults, row) = measured([1, 1, 2], Err("it is hot".to_owned()));
    assert_eq!((mismatches, faults, row.no_gpu.as_deref(), row.device), (0, 0, Some("it is hot"), None));
}
