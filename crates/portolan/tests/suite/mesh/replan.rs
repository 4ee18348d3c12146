//! Searches that stay alive on meshes, with every algorithm: an agent walks while polygons are blocked, opened and weighted.
//! Every step is legal, what is left of its route costs what it was planned for, and a route just planned costs what a
//! fresh plan costs.

use super::worlds::{planners, random_edits, random_mesh, somewhere};
use crate::worlds::Pictured;
use portolan::generate::Random;
use portolan::{
    Cost, LazyRoute, MeshPoint, Motion, NavMesh, Outcome, Planner, Progress, Query, Replanner, Scratch, Snapshot,
    Space, World,
};

/// Returns the sum of the costs of steps, or `None` if one is illegal.
pub(crate) fn price(world: &Snapshot<NavMesh>, places: &[MeshPoint]) -> Option<u64> {
    let step = |step: &[MeshPoint]| Some(u64::from(world.segment(step[0], step[1], Motion::Steps)?.0));
    places.windows(2).map(step).sum()
}

/// Returns the places of a planned route from its start to its end.
pub(crate) fn walked(
    mut route: LazyRoute<NavMesh>,
    planner: &Planner<NavMesh>,
    world: &Snapshot<NavMesh>,
    scratch: &mut Scratch<NavMesh>,
) -> Vec<MeshPoint> {
    let mut places: Vec<MeshPoint> = Vec::new();
    while let Some(piece) = route.next_leg(planner, world, scratch).expect("the route is up to date") {
        assert!(piece.first() != places.last() || places.is_empty(), "no piece repeats the last place");
        places.extend(piece);
    }
    places
}

#[test]
fn a_living_route_is_legal_and_costs_what_a_fresh_one_costs() {
    let mut scratch = Scratch::new();
    let (mut planned, mut repriced, mut arrived) = (0, 0, 0);
    for seed in 0..40 {
        let mut random = Random::new(seed);
        let mut world = World::from(random_mesh(&mut random));
        let [from, to] = [(); 2].map(|()| somewhere(&mut random, &world).expect("a polygon is free"));
        let agent = |planner: Planner<NavMesh>| (planner, Replanner::<NavMesh>::new(from, to));
        let mut agents: Vec<_> = planners(&world).into_iter().map(agent).collect();
        for _ in 0..12 {
            let edits = random_edits(&mut random, &world, true);
            world.apply(&edits).expect("sound edits");
            for (planner, agent) in &mut agents {
                planner.repair(&world, &edits).expect("it follows");
                agent.edited(planner, &world, &edits);
                let at = agent.at();
                if world.component(at).is_none() {
                    continue;
                }
                let progress = loop {
                    match agent.step(planner, &world, &mut scratch, 7).expect("a sound query") {
                        Progress::Working => {}
                        done => break done,
                    }
                };
                let about = || format!("{progress:?}: {} on {}", planner.algorithm().name, world.picture());
                assert_eq!(price(&world, agent.left()), Some(agent.cost()), "{}", about());
                if let Progress::Planned { same } = progress {
                    let fresh = planner.find(&world, Query::new(at, to), &mut scratch).expect("a sound query");
                    let Outcome::Reached(fresh) = fresh else { panic!("{fresh:?}: {}", about()) };
                    let cost = fresh.cost().0;
                    let steps = price(&world, &fresh.into_steps(&world)).expect("a fresh route is legal");
                    assert_eq!(agent.cost(), steps, "a fresh plan, {cost} as lines: {}", about());
                    (planned, repriced) = (planned + 1, repriced + usize::from(!same));
                }
                if let Some((next, price)) = agent.next_step() {
                    assert_eq!(world.segment(at, next, Motion::Steps), Some(price), "{}", about());
                    agent.moved(next);
                    arrived += usize::from(next == to);
                }
            }
        }
    }
    assert!(planned > 1000 && repriced > 200 && arrived > 20, "{planned} planned, {repriced} of them new, {arrived}");
}

#[test]
fn a_plan_leads_over_the_places_of_a_route() {
    let mut scratch = Scratch::new();
    super::worlds::on_random_meshes(82, 40, |random, world, from| {
        let query = Query::new(from, somewhere(random, world).expect("there is one"));
        for planner in planners(world).iter().filter(|planner| !planner.plans_in_legs()) {
            let found = planner.find(world, query, &mut scratch).expect("a sound query");
            let planned = planner.plan(world, query, &mut scratch).expect("a sound query");
            assert_eq!(found.name(), planned.name());
            let (Outcome::Reached(found), Outcome::Reached(route)) = (found, planned) else { continue };
            let cost = route.cost();
            let places = walked(route, planner, world, &mut scratch);
            assert_eq!(price(world, &places), cost.map(|Cost(cost)| u64::from(cost)), "{}", world.picture());
            assert_eq!(places, found.into_steps(world));
        }
    });
}
