//! Planners that follow edits in the background: what an agent does until the next planner is ready, one rule in each
//! test, and every shipped case with [`Follow::Repair`] and with [`Follow::Rebuild`].

use crate::{edit, open, planner, story, world_of};
use portolan::{Cell, Change, Edit, Planner, Terrain};
use portolan_sim::cases::{SHIPPED, shipped};
use portolan_sim::{Follow, Happening, Play, Replan, Sim, State, Walker, Why, run};

const FROM: Cell = Cell::new(1, 5);
const TO: Cell = Cell::new(28, 5);
const WALL: Edit = wall(20);

/// A wall with a gap at its upper end.
const fn wall(x: u16) -> Edit {
    let area = portolan::Area { x, y: 2, width: 1, height: 9 };
    Edit { area, change: Change::Terrain(Terrain::BLOCKED) }
}

/// Returns a simulation in which an agent has walked ten steps from the left to the right. Its planner follows an edit
/// after `ticks` ticks.
fn ten_steps_on(name: &str, ticks: u64) -> Sim {
    let world = open(30, 11);
    let planner = planner(&world, name);
    let mut sim = Sim::new(world);
    sim.add(planner, FROM, TO, Replan::Touched).unwrap();
    sim.follow(0, Follow::Rebuild { ticks });
    tick(&mut sim, 10);
    assert_eq!(agent(&sim).at(), Cell::new(11, 5));
    sim
}

fn agent(sim: &Sim) -> &Walker {
    &sim.walkers()[0]
}

fn tick(sim: &mut Sim, times: u64) {
    for _ in 0..times {
        sim.tick();
    }
}

fn finish(mut sim: Sim) -> Sim {
    while sim.tick() {}
    sim
}

/// Returns the log entries that have one of these names, with their ticks.
fn times(sim: &Sim, words: &[&str]) -> Vec<(u64, &'static str)> {
    let entries = agent(sim).log().iter().map(|entry| (entry.tick, entry.happening.name()));
    entries.filter(|(_, name)| words.contains(name)).collect()
}

#[test]
fn it_walks_on_and_thinks_when_the_next_planner_is_ready() {
    for name in ["pra-star", "hpa-star", "rhumb", "a-star"] {
        let mut sim = ten_steps_on(name, 5);
        sim.edit(&[WALL]).unwrap();
        assert!(agent(&sim).is_behind() && sim.planner(0).revision() != sim.world().revision());
        tick(&mut sim, 5);
        assert!(agent(&sim).is_behind() && !agent(&sim).waits(), "{name}");
        assert_eq!((agent(&sim).at(), agent(&sim).work().searches), (Cell::new(16, 5), 1), "{name}: on its old way");
        sim.tick();
        assert!(!agent(&sim).is_behind() && sim.planner(0).revision() == sim.world().revision());
        let sim = finish(sim);
        assert_eq!(story(agent(&sim)), ["planned", "begun", "ready", "rerouted", "arrived"], "{name}");
        assert_eq!(times(&sim, &["begun", "ready", "rerouted"]), [(10, "begun"), (15, "ready"), (15, "rerouted")]);
        let (timings, work) = (agent(&sim).timings(), agent(&sim).work());
        assert_eq!((timings.rebuild.times, timings.repair.times, timings.build.times), (1, 0, 0), "{name}");
        assert_eq!((work.repairs, work.rebuilds, work.searches), (1, 0, 2), "{name}");
    }
}

#[test]
fn it_waits_before_a_wall_and_says_so_once() {
    let mut sim = ten_steps_on("pra-star", 20);
    sim.edit(&[WALL]).unwrap();
    tick(&mut sim, 15);
    assert_eq!((agent(&sim).at(), agent(&sim).state()), (Cell::new(19, 5), State::Walking));
    assert!(agent(&sim).waits() && sim.is_moving());
    let sim = finish(sim);
    assert_eq!(story(agent(&sim)), ["planned", "begun", "waits", "ready", "rerouted", "arrived"]);
    assert_eq!(times(&sim, &["waits", "ready"]), [(18, "waits"), (30, "ready")]);
}

#[test]
fn a_wall_that_is_gone_in_time_is_walked_over() {
    let mut sim = ten_steps_on("pra-star", 20);
    sim.edit(&[WALL]).unwrap();
    tick(&mut sim, 10);
    assert!(agent(&sim).waits());
    sim.edit(&[edit(20, 2, 1, 9, 1)]).unwrap();
    sim.tick();
    assert_eq!((agent(&sim).at(), agent(&sim).waits()), (Cell::new(20, 5), false));
    let sim = finish(sim);
    assert_eq!((agent(&sim).state(), sim.tick_count()), (State::Arrived, 29), "before anything is ready");
}

#[test]
fn a_goal_cut_off_stops_it_when_the_planner_knows() {
    let mut sim = ten_steps_on("pra-star", 5);
    let shut = edit(25, 0, 1, 11, 0);
    sim.edit(&[shut]).unwrap();
    tick(&mut sim, 5);
    assert_eq!(agent(&sim).state(), State::Walking);
    assert!(!sim.tick());
    assert_eq!(agent(&sim).state(), State::Stopped(Why::Unreachable));
    sim.edit(&[Edit { change: Change::Terrain(Terrain::GROUND), ..shut }]).unwrap();
    assert!(sim.is_moving(), "there is hope until the next planner is ready");
    let sim = finish(sim);
    let told = ["planned", "begun", "ready", "unreachable", "begun", "ready", "resumed", "planned", "arrived"];
    assert_eq!(story(agent(&sim)), told);
}

#[test]
fn edits_that_come_meanwhile_make_another_round_with_all_of_them() {
    let mut sim = ten_steps_on("pra-star", 5);
    sim.edit(&[edit(0, 0, 1, 1, 0)]).unwrap();
    tick(&mut sim, 2);
    sim.edit(&[wall(26)]).unwrap();
    tick(&mut sim, 2);
    sim.edit(&[edit(26, 2, 1, 1, 1), edit(26, 1, 1, 1, 0)]).unwrap();
    tick(&mut sim, 1);
    // An edit in the tick in which the next planner is due comes too late for that planner as well.
    sim.edit(&[edit(0, 1, 1, 1, 0)]).unwrap();
    let sim = finish(sim);
    let rounds = [(10, "begun"), (15, "ready"), (15, "begun"), (20, "ready")];
    assert_eq!(times(&sim, &["begun", "ready"]), rounds);
    assert_eq!((agent(&sim).state(), agent(&sim).work().repairs), (State::Arrived, 2));
    assert_eq!(sim.planner(0).revision(), sim.world().revision());
}

#[test]
fn a_planner_that_is_no_time_at_all_behind_is_as_good_as_a_repaired_one() {
    let played = |follow: Follow| {
        let mut sim = ten_steps_on("pra-star", 0);
        sim.follow(0, follow);
        sim.edit(&[WALL]).unwrap();
        sim.edit(&[edit(15, 5, 1, 1, 0)]).unwrap();
        let sim = finish(sim);
        (sim.tick_count(), agent(&sim).work().cost, agent(&sim).work().steps)
    };
    assert_eq!(played(Follow::Rebuild { ticks: 0 }), played(Follow::Repair));
}

#[test]
fn one_who_is_buried_stops_at_once_and_goes_on_by_the_next_planner() {
    let mut sim = ten_steps_on("pra-star", 4);
    sim.edit(&[edit(11, 5, 1, 1, 0)]).unwrap();
    assert_eq!(agent(&sim).state(), State::Stopped(Why::Buried));
    tick(&mut sim, 2);
    sim.edit(&[edit(11, 5, 1, 1, 1)]).unwrap();
    tick(&mut sim, 5);
    assert_eq!(agent(&sim).state(), State::Stopped(Why::Buried), "the planner of the meantime has it in a wall");
    let sim = finish(sim);
    let told = ["planned", "begun", "buried", "ready", "begun", "ready", "resumed", "planned", "arrived"];
    assert_eq!(story(agent(&sim)), told);
}

#[test]
fn a_new_goal_is_set_off_for_by_the_planner_at_hand() {
    let mut sim = ten_steps_on("pra-star", 50);
    sim.edit(&[edit(5, 5, 1, 1, 0)]).unwrap();
    sim.aim(0, FROM).unwrap();
    tick(&mut sim, 10);
    assert_eq!((agent(&sim).at(), agent(&sim).waits()), (Cell::new(6, 5), true), "straight to what it cannot know of");
    let sim = finish(sim);
    assert_eq!(story(agent(&sim)), ["planned", "begun", "aimed", "rerouted", "waits", "ready", "rerouted", "arrived"]);
    assert_eq!(agent(&sim).at(), FROM);
}

#[test]
fn another_planner_or_another_way_to_follow_ends_the_waiting() {
    let mut sim = ten_steps_on("pra-star", 50);
    sim.edit(&[WALL]).unwrap();
    let other = Planner::new(sim.world().square().unwrap(), "a-star").unwrap();
    sim.equip(0, other);
    assert!(!agent(&sim).is_behind());
    assert_eq!(story(agent(&finish(sim))), ["planned", "begun", "equipped", "rerouted", "arrived"]);

    let mut sim = ten_steps_on("pra-star", 50);
    sim.edit(&[WALL]).unwrap();
    sim.follow(0, Follow::Repair);
    assert!(!agent(&sim).is_behind());
    sim.edit(&[edit(0, 0, 1, 1, 0)]).unwrap();
    assert_eq!(story(agent(&finish(sim))), ["planned", "begun", "rebuilt", "touched", "rerouted", "arrived"]);
}

#[test]
fn a_planner_that_does_not_run_on_what_the_world_becomes_is_known_when_due() {
    let mut sim = ten_steps_on("jump-point", 3);
    sim.edit(&[edit(0, 0, 2, 2, 5)]).unwrap();
    tick(&mut sim, 4);
    assert!(matches!(agent(&sim).state(), State::Stopped(Why::Unsuited(_))));
    sim.edit(&[edit(0, 0, 2, 2, 1)]).unwrap();
    let sim = finish(sim);
    let told = ["planned", "begun", "unsuited", "begun", "ready", "resumed", "planned", "arrived"];
    assert_eq!((story(agent(&sim)), agent(&sim).work().rebuilds), (told.to_vec(), 1));
}

#[test]
fn one_who_arrives_first_is_given_its_planner_all_the_same() {
    let mut sim = ten_steps_on("pra-star", 30);
    sim.edit(&[edit(0, 0, 1, 1, 0)]).unwrap();
    tick(&mut sim, 31);
    assert_eq!(story(agent(&sim)), ["planned", "begun", "arrived", "ready"]);
    assert!(!agent(&sim).is_behind() && agent(&sim).work().searches == 1);
}

/// Plays a case and returns the agent's state at its end, and the log.
fn played(case: &portolan_formats::Case, name: &str, follow: Follow) -> (State, String) {
    let case = portolan_formats::Case { follow: follow.words(), ..case.clone() };
    let world = world_of(&case);
    let planner = planner(&world, name);
    let run = run(&case, world, planner).unwrap();
    (run.walker().state(), run.text())
}

#[test]
fn every_case_ends_the_same_both_ways() {
    for shipped in SHIPPED {
        let case = shipped.case();
        let (expected, _) = played(&case, "a-star", Follow::Repair);
        for name in ["pra-star", "hpa-star"] {
            assert_eq!(played(&case, name, Follow::Repair).0, expected, "{} {name}", shipped.name);
            for ticks in [1, 5, 40] {
                let follow = Follow::Rebuild { ticks };
                let (end, text) = played(&case, name, follow);
                assert_eq!(end, expected, "{} {name} {follow}:\n{text}", shipped.name);
                assert!(played(&case, name, follow).1 == text, "{} {name} {follow}: two logs", shipped.name);
            }
        }
    }
}

#[test]
fn nobody_walks_into_a_wall_while_the_planner_is_behind() {
    for shipped in SHIPPED.iter().filter(|shipped| shipped.name != "large") {
        for ticks in [2, 9] {
            let case = portolan_formats::Case { follow: Follow::Rebuild { ticks }.words(), ..shipped.case() };
            let world = world_of(&case);
            let planner = planner(&world, "pra-star");
            let mut play = Play::new(&case, world).unwrap();
            play.add(planner);
            let mut more = true;
            while more {
                let before = play.sim().walkers()[0].at();
                more = play.tick();
                let (walker, world) = (&play.sim().walkers()[0], play.sim().world());
                let legal = walker.at() == before || world.step_cost(before, walker.at()).is_some();
                assert!(legal, "{}: from {before} to {}", shipped.name, walker.at());
                assert!(
                    world.is_free(walker.at()) || walker.state() == State::Stopped(Why::Buried),
                    "{}",
                    shipped.name
                );
            }
        }
    }
}

#[test]
fn edits_faster_than_rebuilds_are_all_in_the_end() {
    let case = shipped("faster-than-rebuild").unwrap().case();
    let world = world_of(&case);
    let planner = planner(&world, "pra-star");
    let run = run(&case, world, planner).unwrap();
    let count = |name: &str| run.walker().log().iter().filter(|entry| entry.happening.name() == name).count();
    assert!(count("edited") > 2 * count("begun") && count("begun") == count("ready") && count("waits") == 1);
    let ready = |happening: &Happening| matches!(happening, Happening::Ready { .. });
    let ticks: Vec<u64> =
        run.walker().log().iter().filter(|entry| ready(&entry.happening)).map(|entry| entry.tick).collect();
    assert_eq!(ticks, [14, 22, 30, 38, 46, 54, 62, 78], "round after round, and one after a pause");
}

#[test]
fn a_simulation_can_be_dropped_in_the_middle_of_a_round() {
    let mut sim = ten_steps_on("pra-star", 5);
    sim.edit(&[WALL]).unwrap();
    let world = sim.into_world().snapshot();
    assert!(!world.is_free(Cell::new(20, 5)));
}
