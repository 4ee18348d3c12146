//! Tests of replanners with a living search that keeps a list of what it was told.

use super::*;
use crate::id::Cell;
use crate::method::{End, Method};
use crate::search::a_star;
use crate::space::{Edit, Rules, Terrain, World};
use std::sync::{Arc, Mutex};

/// A living search that searches from nothing, and keeps a list of what it was told.
#[derive(Clone)]
struct Diary {
    search: Box<dyn Method>,
    task: Option<(Cell, Cell)>,
    lines: Arc<Mutex<Vec<String>>>,
}

impl Diary {
    fn note(&mut self, line: String) {
        self.lines.lock().unwrap().push(line);
    }
}

impl LivingSearch for Diary {
    fn edited(&mut self, task: Task, edits: &[Edit]) {
        self.task = None;
        self.note(format!("{} edits, from {} to {}", edits.len(), task.from, task.to));
    }

    fn step(
        &mut self,
        task: Task,
        scratch: &mut Scratch,
        left: &mut u64,
        probe: Option<&mut dyn Probe>,
    ) -> Option<End> {
        if self.task.replace((task.from, task.to)) != Some((task.from, task.to)) {
            self.note(format!("from {} to {}", task.from, task.to));
            self.search.begin(task, scratch);
        }
        self.search.step(task, scratch, left, probe)
    }

    fn bytes(&self) -> usize {
        1 << 20
    }
}

/// Returns a world, a planner of A* and a replanner whose search keeps the list that is returned too.
fn watched() -> (World, Planner, Replanner, Arc<Mutex<Vec<String>>>) {
    let world = World::from(SquareGrid::open(30, 9, Rules::default()).unwrap());
    let planner = Planner::new(&world, "a-star").unwrap();
    let lines = Arc::new(Mutex::new(Vec::new()));
    let search = (a_star::algorithm::<SquareGrid>().build)(&world, planner.settings());
    let mut replanner = Replanner::new((1, 4), (28, 4));
    replanner.living = Some(Box::new(Diary { search, task: None, lines: Arc::clone(&lines) }));
    replanner.made_for = Some(("a-star", planner.settings().clone()));
    replanner.revision = Some(world.revision());
    (world, planner, replanner, lines)
}

fn said(lines: &Mutex<Vec<String>>) -> Vec<String> {
    std::mem::take(&mut lines.lock().unwrap())
}

#[test]
fn a_living_search_is_asked_and_told() {
    let (mut world, mut planner, mut replanner, lines) = watched();
    let mut scratch = Scratch::new();
    assert!(replanner.bytes() > 1 << 20);
    assert_eq!(replanner.step(&planner, &world, &mut scratch, 3), Ok(Progress::Working));
    while replanner.step(&planner, &world, &mut scratch, 3) == Ok(Progress::Working) {}
    assert_eq!((said(&lines), replanner.left().len()), (vec!["from 1,4 to 28,4".to_owned()], 28));
    replanner.moved((2, 4));
    let mut edit = |replanner: &mut Replanner, x: u16, terrain| {
        let edits = [Edit::new(Cell::new(x, 4), terrain)];
        world.apply(&edits).unwrap();
        planner.repair(&world, &edits).unwrap();
        (replanner.edited(&planner, &world, &edits), replanner.step(&planner, &world, &mut scratch, u64::MAX))
    };
    assert_eq!(edit(&mut replanner, 0, Terrain::BLOCKED), (Impact::Kept, Ok(Progress::Planned { same: true })));
    assert_eq!(said(&lines), ["1 edits, from 2,4 to 28,4", "from 2,4 to 28,4"]);
    let wall = Impact::Touched { ahead: 8, at: Cell::new(10, 4), legal: false };
    assert_eq!(edit(&mut replanner, 10, Terrain::BLOCKED), (wall, Ok(Progress::Planned { same: false })));
    assert_eq!(said(&lines), ["1 edits, from 2,4 to 28,4", "from 2,4 to 28,4"]);
    replanner.aim((2, 4));
    replanner.step(&planner, &world, &mut scratch, u64::MAX).unwrap();
    assert_eq!((said(&lines), replanner.left().len()), (vec![], 1), "the agent is there already");
    replanner.aim((5, 5));
    replanner.step(&planner, &world, &mut scratch, u64::MAX).unwrap();
    assert_eq!(said(&lines), ["from 2,4 to 5,5"]);
}

#[test]
fn a_clone_searches_for_itself() {
    let (world, planner, mut replanner, lines) = watched();
    let mut scratch = Scratch::new();
    let mut clone = replanner.clone();
    clone.aim((3, 3));
    for replanner in [&mut clone, &mut replanner] {
        replanner.step(&planner, &world, &mut scratch, u64::MAX).unwrap();
    }
    assert_eq!(said(&lines), ["from 1,4 to 3,3", "from 1,4 to 28,4"]);
    assert_eq!((clone.left().len(), replanner.left().len()), (3, 28));
}

#[test]
fn a_living_search_that_missed_edits_is_dropped() {
    let (mut world, mut planner, mut replanner, lines) = watched();
    let mut scratch = Scratch::new();
    replanner.step(&planner, &world, &mut scratch, u64::MAX).unwrap();
    for (x, told) in [(20, false), (0, true)] {
        let edits = [Edit::new(Cell::new(x, 4), Terrain::BLOCKED)];
        world.apply(&edits).unwrap();
        planner.repair(&world, &edits).unwrap();
        if told {
            let impact = replanner.edited(&planner, &world, &edits);
            assert_eq!(impact, Impact::Touched { ahead: 19, at: Cell::new(20, 4), legal: false });
        }
    }
    assert_eq!(said(&lines), ["from 1,4 to 28,4"]);
    assert_eq!(replanner.step(&planner, &world, &mut scratch, u64::MAX), Ok(Progress::Planned { same: false }));
    assert_eq!(said(&lines), Vec::<String>::new());
}
