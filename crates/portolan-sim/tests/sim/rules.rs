//! When an agent plans again, when it stops and when it goes on, one rule in each test.

use crate::{drawn, edit, open, planner, story};
use portolan::{Cell, Planner, World};
use portolan_sim::{OffMap, Play, Replan, Sim, State, Why};

const FROM: Cell = Cell::new(1, 5);
const TO: Cell = Cell::new(28, 5);

/// Returns a simulation in which an agent has walked ten steps from the left to the right.
fn ten_steps_on(world: World, name: &str, replan: Replan) -> Sim {
    let planner = planner(&world, name);
    let mut sim = Sim::new(world);
    assert_eq!(sim.add(planner, FROM, TO, replan), Ok(0));
    for _ in 0..10 {
        assert!(sim.tick());
    }
    assert_eq!(sim.walkers()[0].at(), Cell::new(11, 5));
    sim
}

fn finish(mut sim: Sim) -> Sim {
    while sim.tick() {}
    sim
}

#[test]
fn a_walk_without_events_is_a_step_a_tick() {
    let sim = finish(ten_steps_on(open(30, 11), "a-star", Replan::Touched));
    let walker = &sim.walkers()[0];
    assert_eq!((sim.tick_count(), walker.at(), walker.state()), (27, TO, State::Arrived));
    assert_eq!(story(walker), ["planned", "arrived"]);
    assert_eq!((walker.work().steps, walker.work().searches), (27, 1));
    assert!((walker.work().length - 27.0).abs() < 1e-9);
}

#[test]
fn edits_behind_and_beside_do_not_disturb() {
    let mut sim = ten_steps_on(open(30, 11), "a-star", Replan::Touched);
    sim.edit(&[edit(2, 0, 8, 11, 0)]).unwrap();
    sim.edit(&[edit(12, 0, 16, 5, 0), edit(12, 6, 16, 5, 7)]).unwrap();
    assert_eq!(story(finish(sim).walkers().first().unwrap()), ["planned", "arrived"]);
}

#[test]
fn an_agent_told_to_looks_up_after_any_edit() {
    let mut sim = ten_steps_on(open(30, 11), "a-star", Replan::Any);
    sim.edit(&[edit(2, 0, 1, 1, 0)]).unwrap();
    assert_eq!(story(finish(sim).walkers().first().unwrap()), ["planned", "stayed", "arrived"]);
}

#[test]
fn a_wall_across_the_way_is_walked_around() {
    let mut sim = ten_steps_on(open(30, 11), "jump-point", Replan::Touched);
    sim.edit(&[edit(20, 2, 1, 9, 0)]).unwrap();
    let sim = finish(sim);
    assert_eq!(story(&sim.walkers()[0]), ["planned", "touched", "rerouted", "arrived"]);
    let line = sim.walkers()[0].log().iter().find(|entry| entry.to_string().contains("ahead")).unwrap();
    assert_eq!(line.to_string(), "   10  the step to 20,5, 9 steps ahead, is no longer possible");
}

#[test]
fn a_corner_that_makes_a_diagonal_illegal_touches() {
    let world = open(12, 12);
    let planner = planner(&world, "a-star");
    let mut sim = Sim::new(world);
    sim.add(planner, Cell::new(0, 0), Cell::new(11, 11), Replan::Touched).unwrap();
    sim.edit(&[edit(5, 6, 1, 1, 0)]).unwrap();
    assert_eq!(story(&finish(sim).walkers()[0]), ["planned", "touched", "rerouted", "arrived"]);
}

#[test]
fn a_price_that_changes_ahead_makes_it_think() {
    for (weight, then) in [(9, "rerouted"), (2, "stayed")] {
        let mut sim = ten_steps_on(open(30, 11), "a-star", Replan::Touched);
        // A band of mud that leaves only the top and bottom rows free of it: a detour is worth it only if the mud is
        // heavy.
        sim.edit(&[edit(15, 1, 3, 9, weight)]).unwrap();
        let sim = finish(sim);
        assert_eq!(story(&sim.walkers()[0]), ["planned", "touched", then, "arrived"], "{weight}");
    }
}

#[test]
fn the_same_terrain_once_more_is_no_news() {
    let mut sim = ten_steps_on(open(30, 11), "rhumb", Replan::Touched);
    sim.edit(&[edit(15, 1, 6, 9, 1)]).unwrap();
    sim.edit(&[]).unwrap();
    assert_eq!(story(&finish(sim).walkers()[0]), ["planned", "arrived"]);
}

#[test]
fn a_buried_agent_says_so_and_goes_on_when_dug_out() {
    let mut sim = ten_steps_on(open(30, 11), "hpa-star", Replan::Touched);
    sim.edit(&[edit(10, 4, 3, 3, 0)]).unwrap();
    assert_eq!(sim.walkers()[0].state(), State::Stopped(Why::Buried), "at once");
    assert!(!sim.tick() && !sim.tick());
    sim.edit(&[edit(20, 0, 1, 1, 0)]).unwrap();
    assert!(!sim.tick(), "an edit elsewhere does not dig");
    assert_eq!(sim.walkers()[0].left(), [Cell::new(11, 5)]);
    sim.edit(&[edit(11, 5, 1, 1, 1)]).unwrap();
    assert!(!sim.tick());
    assert_eq!(sim.walkers()[0].state(), State::Stopped(Why::Unreachable), "dug out, but shut in");
    sim.edit(&[edit(12, 5, 1, 1, 1)]).unwrap();
    assert!(sim.tick());
    let expected = ["planned", "buried", "unreachable", "resumed", "planned", "arrived"];
    assert_eq!(story(&finish(sim).walkers()[0]), expected);
}

#[test]
fn one_who_has_arrived_can_be_buried_too() {
    let mut sim = finish(ten_steps_on(open(30, 11), "a-star", Replan::Any));
    sim.edit(&[edit(28, 5, 1, 1, 0)]).unwrap();
    assert!(!sim.tick());
    sim.edit(&[edit(28, 5, 1, 1, 1)]).unwrap();
    assert!(!sim.tick());
    assert_eq!(story(&sim.walkers()[0]), ["planned", "arrived", "buried", "resumed", "planned", "arrived"]);
}

#[test]
fn a_goal_walled_in_is_waited_for() {
    for name in ["dijkstra", "jump-graph", "dhpa-star", "shpa-star", "rhumb"] {
        let mut sim = ten_steps_on(open(30, 11), name, Replan::Touched);
        sim.edit(&[edit(25, 3, 1, 5, 0), edit(25, 3, 5, 1, 0), edit(25, 7, 5, 1, 0)]).unwrap();
        assert!(!sim.tick());
        assert_eq!(sim.walkers()[0].state(), State::Stopped(Why::Unreachable), "{name}");
        for _ in 0..5 {
            assert!(!sim.tick());
        }
        sim.edit(&[edit(0, 0, 1, 1, 0)]).unwrap();
        assert!(!sim.tick(), "tried in vain");
        sim.edit(&[edit(27, 3, 1, 1, 1)]).unwrap();
        let sim = finish(sim);
        let told = ["planned", "touched", "unreachable", "resumed", "planned", "arrived"];
        assert_eq!(story(&sim.walkers()[0]), told, "{name}");
    }
}

#[test]
fn a_planner_that_does_not_run_on_what_the_world_becomes_stops_its_agent() {
    let mut sim = ten_steps_on(open(30, 11), "jump-point", Replan::Touched);
    sim.edit(&[edit(0, 0, 2, 2, 5)]).unwrap();
    assert!(!sim.tick());
    assert!(matches!(sim.walkers()[0].state(), State::Stopped(Why::Unsuited(_))));
    let said = sim.walkers()[0].log().last().unwrap().to_string();
    assert!(said.starts_with("   10  stops: jump-point needs"), "{said}");
    let other = Planner::new(sim.world().square().unwrap(), "a-star").unwrap();
    sim.equip(0, other);
    sim.tick();
    assert_eq!(story(&sim.walkers()[0]), ["planned", "unsuited", "equipped", "resumed", "planned"]);

    let mut sim = ten_steps_on(open(30, 11), "jump-point", Replan::Touched);
    sim.edit(&[edit(0, 0, 2, 2, 5)]).unwrap();
    sim.tick();
    sim.edit(&[edit(0, 0, 2, 2, 1)]).unwrap();
    let sim = finish(sim);
    assert_eq!(story(&sim.walkers()[0]), ["planned", "unsuited", "rebuilt", "resumed", "planned", "arrived"]);
    assert_eq!(sim.walkers()[0].work().rebuilds, 1);
}

#[test]
fn a_planner_of_another_world_is_built_anew() {
    let (world, other) = (open(30, 11), open(30, 11));
    let mut sim = Sim::new(world);
    sim.add(planner(&other, "rhumb"), FROM, TO, Replan::Touched).unwrap();
    assert_eq!(story(&finish(sim).walkers()[0]), ["rebuilt", "planned", "arrived"]);
}

#[test]
fn a_new_goal_is_set_off_for() {
    let mut sim = ten_steps_on(open(30, 11), "a-star", Replan::Touched);
    sim.aim(0, Cell::new(3, 5)).unwrap();
    sim.tick();
    assert_eq!(sim.walkers()[0].at(), Cell::new(10, 5));
    let mut sim = finish(sim);
    sim.aim(0, Cell::new(3, 0)).unwrap();
    let sim = finish(sim);
    let told = ["planned", "aimed", "rerouted", "arrived", "aimed", "planned", "arrived"];
    assert_eq!((story(&sim.walkers()[0]), sim.walkers()[0].at()), (told.to_vec(), Cell::new(3, 0)));
}

#[test]
fn what_lies_off_the_map_is_refused() {
    let world = open(30, 11);
    let planner = planner(&world, "a-star");
    let mut sim = Sim::new(world);
    let off = OffMap { cell: Cell::new(30, 0), width: 30, height: 11 };
    assert_eq!(sim.add(planner.clone(), off.cell, TO, Replan::Any), Err(off));
    assert_eq!(sim.add(planner, FROM, TO, Replan::Any), Ok(0));
    assert_eq!(sim.aim(0, off.cell), Err(off));
    assert!(sim.edit(&[edit(0, 0, 1, 1, 0), edit(29, 0, 2, 1, 0)]).is_err());
    assert!(sim.world().is_free(Cell::new(0, 0)), "all edits or none");
    assert_eq!(story(&sim.walkers()[0]), ["planned"]);
}

#[test]
fn beginnings_that_are_ends() {
    let world = drawn("..A.\nAAA.\n....\n");
    let planner = planner(&world, "a-star");
    let mut sim = Sim::new(world);
    let mut add = |from, to| sim.add(planner.clone(), from, to, Replan::Touched).unwrap();
    let [there, walled, inside] = [
        add(Cell::new(1, 0), Cell::new(1, 0)),
        add(Cell::new(0, 0), Cell::new(3, 0)),
        add(Cell::new(2, 0), Cell::new(3, 0)),
    ];
    let state = |index: usize| sim.walkers()[index].state();
    assert_eq!(state(there), State::Arrived);
    assert_eq!(state(walled), State::Stopped(Why::Unreachable));
    assert_eq!(state(inside), State::Stopped(Why::Buried));
    assert!(!sim.tick());
}

#[test]
fn a_search_that_gives_up_stops_its_agent() {
    let world = drawn(&"..........\n".repeat(10).replacen("..........\n", ".........A\n", 3));
    let ida = portolan::algorithm("ida-star").unwrap();
    let settings = ida.settings(&[("budget", "3")]).unwrap();
    let planner = Planner::build(&world, ida, settings).unwrap();
    let mut sim = Sim::new(world);
    sim.add(planner, Cell::new(0, 0), Cell::new(9, 9), Replan::Touched).unwrap();
    assert_eq!(sim.walkers()[0].state(), State::Stopped(Why::OutOfBudget));
}

#[test]
fn all_walk_in_step_and_none_disturbs_another() {
    let together = {
        let world = open(30, 11);
        let names = ["a-star", "rhumb", "jump-point"];
        let planners = names.map(|name| planner(&world, name));
        let mut sim = Sim::new(world);
        for planner in planners {
            sim.add(planner, FROM, TO, Replan::Touched).unwrap();
        }
        sim.tick();
        sim.edit(&[edit(20, 2, 1, 9, 0)]).unwrap();
        finish(sim)
    };
    for (walker, name) in together.walkers().iter().zip(["a-star", "rhumb", "jump-point"]) {
        let world = open(30, 11);
        let planner = planner(&world, name);
        let mut sim = Sim::new(world);
        sim.add(planner, FROM, TO, Replan::Touched).unwrap();
        sim.tick();
        sim.edit(&[edit(20, 2, 1, 9, 0)]).unwrap();
        assert_eq!(finish(sim).walkers()[0].log(), walker.log(), "{name}");
    }
}

#[test]
fn traces_are_kept_when_asked_for_and_every_search_is_timed_once() {
    let mut sim = ten_steps_on(open(30, 11), "a-star", Replan::Any);
    assert!(sim.walkers()[0].trace().is_none());
    sim.keep_traces(true);
    sim.edit(&[edit(2, 0, 1, 1, 0)]).unwrap();
    sim.tick();
    let walker = &sim.walkers()[0];
    let expansions = |event: &&portolan::probe::Event| matches!(event, portolan::probe::Event::Expand { .. });
    let seen = walker.trace().unwrap().events.iter().filter(expansions).count() as u64;
    assert_eq!(seen, walker.latest_search().expanded);
    assert!(seen > 0 && walker.work().expanded > seen && walker.timings().find.times == 2);
    sim.keep_traces(false);
    assert!(sim.walkers()[0].trace().is_none());
}

#[test]
fn a_simulation_may_move_to_another_thread() {
    fn moves<T: Send>() {}
    moves::<Sim>();
    moves::<Play>();
}
