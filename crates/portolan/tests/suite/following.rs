//! Routes that follow edits without a planner, with every algorithm: what is left of a route is legal after every edit and
//! costs what it says, and the planner is asked only where it has to be.

use crate::edits::random_edits;
use crate::oracle::costs_from;
use crate::worlds::{all_rules, build, picture, planners, random_free_cell, random_world};
use portolan::generate::Random;
use portolan::{
    Area, Cell, Edit, HexCell, HexGrid, Motion, Planner, Progress, Replanner, Rules, Scratch, Snapshot, Space,
    SquareGrid, Terrain, World,
};

/// Returns what the steps between these places cost in this world, or `None` if one is illegal.
fn cost<S: Space>(world: &Snapshot<S>, places: &[S::Place]) -> Option<u64> {
    let step = |step: &[S::Place]| Some(u64::from(world.segment(step[0], step[1], Motion::Steps)?.0));
    places.windows(2).map(step).sum()
}

/// An agent whose planner is repaired only when it is asked.
struct Agent<S: Space = SquareGrid> {
    planner: Planner<S>,
    replanner: Replanner<S>,
    missed: Vec<S::Edit>,
    asked: usize,
}

impl<S: Space> Agent<S> {
    fn new(planner: Planner<S>, from: S::Place, to: S::Place) -> Agent<S> {
        Agent { planner, replanner: Replanner::new(from, to), missed: Vec::new(), asked: 0 }
    }

    /// Follows edits and returns how the route stands, or `None` if the agent stands on a blocked place.
    fn follow(&mut self, world: &Snapshot<S>, edits: &[S::Edit], scratch: &mut Scratch<S>) -> Option<Progress> {
        self.missed.extend_from_slice(edits);
        if let Some(progress) = self.replanner.follow(world, edits, scratch) {
            return Some(progress);
        }
        self.asked += 1;
        self.planner.repair(world, &self.missed).expect("it follows");
        self.missed.clear();
        self.replanner.step(&self.planner, world, scratch, u64::MAX).ok()
    }

    /// Asserts that the route is what the progress says. `is_connected` says whether there is a way.
    fn hold(&self, world: &Snapshot<S>, progress: Option<Progress>, is_connected: bool, about: impl Fn() -> String) {
        let left = self.replanner.left();
        assert_eq!(left[0], self.replanner.at(), "{}", about());
        match progress {
            Some(Progress::Kept | Progress::Planned { .. }) => {
                assert!(is_connected && left[left.len() - 1] == self.replanner.to(), "{}", about());
                assert_eq!(cost(world, left), Some(self.replanner.cost()), "{}", about());
            }
            Some(Progress::Unreachable) => assert!(!is_connected && left.len() == 1, "{}", about()),
            Some(Progress::OutOfBudget) => assert_eq!(self.planner.algorithm().name, "ida-star"),
            Some(Progress::Working | Progress::TooFar) => panic!("{}", about()),
            None => assert!(world.component(self.replanner.at()).is_none(), "{}", about()),
        }
    }
}

#[test]
fn a_followed_route_is_legal_whatever_happens() {
    let mut scratch = Scratch::new();
    let mut seen = [0; 3];
    for (seed, rules) in all_rules().into_iter().cycle().take(40).enumerate() {
        let mut random = Random::new(900 + seed as u64);
        let start = random_world(&mut random, rules);
        let rules = Rules { metric: Some(start.metric()), ..start.rules() };
        let grid = SquareGrid::from_weights(start.width(), start.height(), &start.to_weights(), rules);
        let mut world = World::from(grid.expect("a sound size"));
        let [Some(from), Some(to)] = [(); 2].map(|()| random_free_cell(&mut random, &world)) else { continue };
        let mut agents: Vec<Agent> =
            planners(&world).into_iter().map(|planner| Agent::new(planner, from, to)).collect();
        for _ in 0..16 {
            let uniform = start.uniform_weight() == Some(1);
            let edits = if random.below(3) > 0 { random_edits(&mut random, &world, uniform) } else { vec![] };
            world.apply(&edits).expect("sound edits");
            for agent in &mut agents {
                let progress = agent.follow(&world, &edits, &mut scratch);
                let (at, to) = (agent.replanner.at(), agent.replanner.to());
                let truth = costs_from(&world, at)[usize::from(to.y) * world.width() + usize::from(to.x)];
                let is_connected = truth.is_some() && world.is_free(at);
                let name = agent.planner.algorithm().name;
                agent.hold(&world, progress, is_connected, || {
                    format!("{name} from {at} to {to} on {}", picture(&world))
                });
                seen[0] += usize::from(progress == Some(Progress::Kept));
                seen[1] += usize::from(progress == Some(Progress::Unreachable));
                seen[2] += usize::from(progress == Some(Progress::Planned { same: false }));
                if let Some((next, _)) = agent.replanner.next_step() {
                    agent.replanner.moved(next);
                }
            }
        }
    }
    assert!(seen.iter().all(|&count| count > 200), "{seen:?}");
}

/// Traps come and go around an agent on a field with a few walls.
fn traps<S: Space<Edit = Edit>>(
    mut world: World<S>,
    mut agent: Agent<S>,
    cell: impl Fn(S::Place) -> Cell,
) -> (usize, usize) {
    let (mut random, mut scratch) = (Random::new(7), Scratch::new());
    let mut laid: Vec<Area> = Vec::new();
    agent.follow(&world, &[], &mut scratch);
    let first = agent.replanner.cost();
    let (mut walked, mut ticks) = (0, 0);
    while agent.replanner.left().len() > 1 {
        let at = cell(agent.replanner.at());
        let mut edits: Vec<Edit> = Vec::new();
        if laid.len() > 20 {
            edits.push(Edit::new(laid.remove(0), Terrain::GROUND));
        }
        let near = |at: u16, random: &mut Random| (at + random.below(13) as u16).saturating_sub(6).min(97);
        let area = Area { x: near(at.x, &mut random), y: near(at.y, &mut random), width: 2, height: 2 };
        let is_on = |place| area.contains(cell(place));
        if !is_on(agent.replanner.at()) && !is_on(agent.replanner.to()) && at.x.abs_diff(48) > 8 {
            edits.push(Edit::new(area, Terrain::BLOCKED));
            laid.push(area);
        }
        world.apply(&edits).expect("sound edits");
        let progress = agent.follow(&world, &edits, &mut scratch);
        let is_connected = world.component(agent.replanner.at()) == world.component(agent.replanner.to());
        agent.hold(&world, progress, is_connected, || format!("tick {ticks}"));
        if let Some((next, price)) = agent.replanner.next_step() {
            walked += u64::from(price.0);
            agent.replanner.moved(next);
        }
        ticks += 1;
        assert!(ticks < 2_000, "the agent arrives");
    }
    assert!(walked < first + first / 3, "walked {walked}, planned {first}");
    (agent.asked, ticks)
}

/// A field of 100 x 100 cells with a wall that has a gap.
fn field() -> Vec<u8> {
    (0..100 * 100).map(|i| u8::from(i % 100 != 48 || (40..60).contains(&(i / 100)))).collect()
}

#[test]
fn most_traps_are_walked_around_without_the_planner() {
    for name in ["hpa-star", "dhpa-star", "rhumb", "pra-star", "minimal-memory"] {
        let world = World::from(SquareGrid::from_weights(100, 100, &field(), Rules::default()).unwrap());
        let agent = Agent::new(build(&world, name, &[]), Cell::new(2, 10), Cell::new(97, 90));
        let (asked, ticks) = traps(world, agent, |cell| cell);
        assert!(asked * 10 < ticks, "{name}: asked {asked} times in {ticks} ticks");
    }
    let world = World::from(HexGrid::from_weights(100, 100, &field(), None).unwrap());
    let planner = Planner::new(&world, "a-star").unwrap();
    let agent = Agent::new(planner, HexCell::at(2, 10), HexCell::at(97, 90));
    let (asked, ticks) = traps(world, agent, |hex| hex.cell().unwrap());
    assert!(asked * 10 < ticks, "hexes: asked {asked} times in {ticks} ticks");
}

#[test]
fn a_route_in_legs_is_followed_as_far_as_its_cells_are_known() {
    let mut world = World::from(SquareGrid::open(300, 60, Rules::default()).unwrap());
    for name in ["hpa-star", "rhumb"] {
        let mut scratch = Scratch::new();
        let mut agent = Agent::new(build(&world, name, &[]), Cell::new(2, 30), Cell::new(290, 41));
        agent.replanner = agent.replanner.lazily();
        let mut random = Random::new(3);
        let mut laid: Option<Area> = None;
        for tick in 0.. {
            let at = agent.replanner.at();
            let area = Area {
                x: at.x + 2 + random.below(40).min(294 - u64::from(at.x)) as u16,
                y: 29 + random.below(10) as u16,
                width: 2,
                height: 2,
            };
            let is_fit = !area.contains(agent.replanner.to()) && area.x + 2 < 300;
            let mut edits: Vec<Edit> = laid.take().map(|area| Edit::new(area, Terrain::GROUND)).into_iter().collect();
            if is_fit {
                edits.push(Edit::new(area, Terrain::BLOCKED));
                laid = Some(area);
            }
            world.apply(&edits).unwrap();
            let progress = agent.follow(&world, &edits, &mut scratch);
            assert!(progress.is_some_and(Progress::is_ready), "{name} in tick {tick}: {progress:?}");
            assert_eq!(cost(&world, agent.replanner.left()), Some(agent.replanner.cost()), "{name} in tick {tick}");
            let Some((next, _)) = agent.replanner.next_step() else { break };
            agent.replanner.moved(next);
            assert!(tick < 600, "{name} arrives");
        }
        assert_eq!(agent.replanner.at(), Cell::new(290, 41), "{name}");
        world.apply(&laid.map(|area| Edit::new(area, Terrain::GROUND)).into_iter().collect::<Vec<_>>()).unwrap();
    }
}

#[test]
fn what_was_told_before_is_not_forgotten() {
    let mut world = World::from(SquareGrid::open(300, 60, Rules::default()).unwrap());
    let mut scratch = Scratch::new();
    for lazily in [false, true] {
        let mut agent =
            Agent::new(build(&world, "hpa-star", &[("direct", "no")]), Cell::new(2, 30), Cell::new(290, 41));
        if lazily {
            agent.replanner = agent.replanner.lazily();
        }
        agent.replanner.step(&agent.planner, &world, &mut scratch, u64::MAX).unwrap();
        let trap = [Edit::new(agent.replanner.left()[2], Terrain::BLOCKED)];
        world.apply(&trap).unwrap();
        agent.planner.repair(&world, &trap).unwrap();
        agent.replanner.edited(&agent.planner, &world, &trap);
        assert_eq!(
            agent.replanner.follow(&world, &[], &mut scratch),
            None,
            "a step is blocked, and no search was made"
        );
        agent.replanner.step(&agent.planner, &world, &mut scratch, u64::MAX).unwrap();
        assert!(cost(&world, agent.replanner.left()).is_some());
        assert!(agent.replanner.follow(&world, &[], &mut scratch).is_some_and(Progress::is_ready));
    }
}

#[test]
fn a_route_is_kept_while_its_goal_is_cut_off() {
    let mut world = World::from(SquareGrid::from_weights(100, 100, &field(), Rules::default()).unwrap());
    let mut scratch = Scratch::new();
    let mut agent = Agent::new(build(&world, "hpa-star", &[]), Cell::new(2, 10), Cell::new(97, 90));
    agent.follow(&world, &[], &mut scratch);
    let (asked, before) = (agent.asked, agent.replanner.left().to_vec());
    let through = before.iter().find(|cell| cell.x == 48).unwrap().y;
    let gap = |y: u16, height: u16, terrain| Edit::new(Area { x: 48, y, width: 1, height }, terrain);
    let mut play = |agent: &mut Agent, edits: &[Edit]| {
        world.apply(edits).unwrap();
        let progress = agent.follow(&world, edits, &mut scratch);
        let is_connected = world.component(agent.replanner.at()) == world.component(agent.replanner.to());
        agent.hold(&world, progress, is_connected, || format!("{edits:?}"));
        progress
    };

    assert_eq!(play(&mut agent, &[gap(40, 20, Terrain::BLOCKED)]), Some(Progress::Unreachable));
    assert!(agent.replanner.left().len() == 1 && agent.replanner.next_step().is_none());
    let trap = Edit::new(before[5], Terrain::BLOCKED);
    assert_eq!(play(&mut agent, &[trap]), Some(Progress::Unreachable));
    // The way through the wall is another one now, and there is a trap on the old route.
    let other = if through < 50 { 52 } else { 46 };
    let opened = play(&mut agent, &[gap(other, 2, Terrain::GROUND)]);
    assert_eq!((opened, agent.asked), (Some(Progress::Planned { same: false }), asked));
    assert!(!agent.replanner.left().contains(&before[5]) && agent.replanner.left().last() == before.last());

    // An agent that was carried away, or has another goal, plans again.
    assert_eq!(play(&mut agent, &[gap(40, 20, Terrain::BLOCKED)]), Some(Progress::Unreachable));
    agent.replanner.aim(Cell::new(97, 10));
    play(&mut agent, &[gap(40, 20, Terrain::GROUND)]);
    assert_eq!((agent.asked, agent.replanner.left().last()), (asked + 1, Some(&Cell::new(97, 10))));
}
