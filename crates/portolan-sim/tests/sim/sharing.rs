//! Walkers that share planners: which of them do, and that sharing changes nothing for any of them.

use crate::{edit, open, planner};
use portolan::{ALGORITHMS, Cell, Edit, Planner, World};
use portolan_sim::{Follow, Replan, Sim, State, Walker};

const TO: Cell = Cell::new(28, 5);
const STARTS: [Cell; 3] = [Cell::new(1, 5), Cell::new(3, 2), Cell::new(2, 9)];

/// Returns whether two walkers use one planner.
fn share(sim: &Sim, a: usize, b: usize) -> bool {
    std::ptr::eq(sim.planner(a), sim.planner(b))
}

#[test]
fn walkers_with_the_same_algorithm_and_settings_share_a_planner() {
    let world = open(30, 11);
    let hpa = portolan::algorithm("hpa-star").unwrap();
    let other = Planner::build(&world, hpa, hpa.settings(&[("cluster", "5")]).unwrap()).unwrap();
    let planners = ["hpa-star", "a-star", "hpa-star"].map(|name| planner(&world, name));
    let mut sim = Sim::new(world);
    for planner in planners.into_iter().chain([other]) {
        sim.add(planner, STARTS[0], TO, Replan::Touched).unwrap();
    }
    assert!(share(&sim, 0, 2) && !share(&sim, 0, 1) && !share(&sim, 0, 3));
    sim.edit(&[edit(20, 2, 1, 9, 0)]).unwrap();
    assert!(share(&sim, 0, 2) && (0..4).all(|walker| sim.planner(walker).revision() == sim.world().revision()));
    let clusters = |walker: usize| (sim.walkers()[walker].work().repairs, sim.walkers()[walker].work().clusters);
    assert!(clusters(0) == clusters(2) && clusters(0).0 == 1 && clusters(0).1 > 0, "{:?}", clusters(0));
}

#[test]
fn a_planner_out_of_date_is_not_needed_where_one_is_up_to_date() {
    let (world, other) = (open(30, 11), open(30, 11));
    let planners = [&world, &other].map(|world| planner(world, "rhumb"));
    let mut sim = Sim::new(world);
    for planner in planners {
        sim.add(planner, STARTS[0], TO, Replan::Touched).unwrap();
    }
    assert!(share(&sim, 0, 1));
    assert_eq!(sim.walkers()[1].work().rebuilds, 0);
}

#[test]
fn those_that_follow_edits_in_different_ways_part_and_meet_again() {
    let world = open(30, 11);
    let pra = planner(&world, "pra-star");
    let mut sim = Sim::new(world);
    for start in STARTS {
        sim.add(pra.clone(), start, TO, Replan::Touched).unwrap();
    }
    let behind = |sim: &Sim| sim.walkers().iter().map(Walker::is_behind).collect::<Vec<_>>();
    sim.follow(1, Follow::Rebuild { ticks: 3 });
    sim.follow(2, Follow::Rebuild { ticks: 3 });
    sim.edit(&[edit(20, 2, 1, 9, 0)]).unwrap();
    assert!(share(&sim, 1, 2) && !share(&sim, 0, 1));
    assert_eq!(behind(&sim), [false, true, true]);
    // One of two walkers leaves for the planner that is up to date; the other goes on waiting for the next.
    sim.follow(2, Follow::Repair);
    assert!(share(&sim, 0, 2) && sim.walkers()[2].work().rebuilds == 0);
    assert_eq!(behind(&sim), [false, true, false]);
    // A planner that joins while the next one is being made begins a round of its own.
    sim.follow(2, Follow::Rebuild { ticks: 3 });
    assert!(!share(&sim, 1, 2));
    sim.edit(&[edit(0, 0, 1, 1, 0)]).unwrap();
    assert_eq!(behind(&sim), [false, true, true]);
    sim.follow(1, Follow::Rebuild { ticks: 9 });
    assert_eq!(behind(&sim), [false, true, true], "its round goes on");
    while sim.tick() {}
    assert!(sim.walkers().iter().all(|walker| walker.state() == State::Arrived));
    assert_eq!(behind(&sim), [false; 3]);
    for walker in [1, 2] {
        sim.follow(walker, Follow::Repair);
    }
    assert!(share(&sim, 0, 1) && share(&sim, 0, 2));
}

#[test]
fn one_of_two_behind_begins_a_round_of_its_own_with_all_edits() {
    let world = open(30, 11);
    let pra = planner(&world, "pra-star");
    let mut sim = Sim::new(world);
    for (walker, start) in STARTS.into_iter().take(2).enumerate() {
        sim.add(pra.clone(), start, TO, Replan::Touched).unwrap();
        sim.follow(walker, Follow::Rebuild { ticks: 20 });
    }
    sim.edit(&[edit(20, 2, 1, 9, 0)]).unwrap();
    sim.edit(&[edit(24, 0, 1, 9, 0)]).unwrap();
    assert!(share(&sim, 0, 1));
    sim.follow(1, Follow::Rebuild { ticks: 2 });
    for _ in 0..3 {
        sim.tick();
    }
    assert!(sim.walkers()[0].is_behind() && !sim.walkers()[1].is_behind());
    assert_eq!(sim.planner(1).revision(), sim.world().revision());
}

#[test]
fn a_walker_with_another_planner_leaves_the_rest_with_theirs() {
    let world = open(30, 11);
    let [pra, star] = ["pra-star", "a-star"].map(|name| planner(&world, name));
    let mut sim = Sim::new(world);
    for start in STARTS {
        sim.add(pra.clone(), start, TO, Replan::Touched).unwrap();
    }
    sim.equip(0, star.clone());
    assert!(!share(&sim, 0, 1) && share(&sim, 1, 2));
    sim.equip(1, star);
    assert!(share(&sim, 0, 1) && sim.planner(2).algorithm().name() == "pra-star");
    while sim.tick() {}
    assert!(sim.walkers().iter().all(|walker| walker.state() == State::Arrived));
}

/// Walks from each of these starts, with edits on the way. Returns the log of each walker in lines.
fn walked(name: &str, starts: &[Cell], follow: Follow) -> Vec<Vec<String>> {
    let world: World = open(30, 11);
    let planner = planner(&world, name);
    let mut sim = Sim::new(world);
    for (index, &start) in starts.iter().enumerate() {
        sim.add(planner.clone(), start, TO, Replan::Any).unwrap();
        sim.follow(index, follow);
    }
    let edits: [(u64, Edit); 4] =
        [(3, edit(12, 3, 1, 8, 0)), (6, edit(12, 0, 1, 9, 0)), (7, edit(22, 4, 2, 3, 0)), (15, edit(12, 5, 1, 1, 1))];
    for tick in 0..80 {
        for (_, edit) in edits.iter().filter(|(at, _)| *at == tick) {
            sim.edit(&[*edit]).unwrap();
        }
        sim.tick();
    }
    sim.walkers().iter().map(|walker| walker.log().iter().map(ToString::to_string).collect()).collect()
}

#[test]
fn sharing_changes_nothing_for_any_walker() {
    for algorithm in ALGORITHMS {
        for follow in [Follow::Repair, Follow::Rebuild { ticks: 2 }] {
            let together = walked(algorithm.name, &STARTS, follow);
            for (start, log) in STARTS.into_iter().zip(together) {
                assert_eq!(walked(algorithm.name, &[start], follow)[0], log, "{} from {start}", algorithm.name);
            }
        }
    }
}
