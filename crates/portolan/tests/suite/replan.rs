//! Searches that stay alive, with every algorithm: an agent walks while cells are blocked and opened, weights rise and
//! fall, and its goal moves. After every step what is left of its route is legal, and a route that was just planned is
//! as cheap as the algorithm promises.

use crate::edits::random_edits;
use crate::oracle::costs_from;
use crate::worlds::{all_rules, picture, planners, random_free_cell, random_world};
use portolan::generate::Random;
use portolan::{
    ALGORITHMS, Area, Cell, Edit, Impact, Motion, Planner, Progress, QueryError, Replanner, Rules, Scratch, Snapshot,
    SquareGrid, Terrain, World, algorithm,
};

/// Returns a world with the terrain of a random one, whose metric stays as it is when edits bring weights, and whether
/// it is uniform.
fn start(random: &mut Random, rules: Rules) -> (World, bool) {
    let start = random_world(random, rules);
    let rules = Rules { metric: Some(start.metric()), ..start.rules() };
    let grid = SquareGrid::from_weights(start.width(), start.height(), &start.to_weights(), rules);
    (World::from(grid.expect("a sound size")), start.uniform_weight() == Some(1))
}

/// Returns what the steps between these cells cost in this world, or `None` if one is illegal.
fn cost(world: &Snapshot, cells: &[Cell]) -> Option<u64> {
    let step = |step: &[Cell]| Some(u64::from(world.step_cost(step[0], step[1])?.0));
    cells.windows(2).map(step).sum()
}

/// Steps until the search is done.
fn finish(
    replanner: &mut Replanner,
    planner: &Planner,
    world: &Snapshot,
    scratch: &mut Scratch,
    slice: u64,
) -> Result<Progress, QueryError> {
    loop {
        match replanner.step(planner, world, scratch, slice)? {
            Progress::Working => {}
            done => return Ok(done),
        }
    }
}

/// Asserts that the replanner's state after a step is right for the world. `truth` is the least cost to the goal.
fn hold(
    world: &Snapshot,
    planner: &Planner,
    replanner: &Replanner,
    progress: Result<Progress, QueryError>,
    truth: Option<u64>,
) {
    let (left, at, to) = (replanner.left(), replanner.at(), replanner.to());
    let about = || {
        let name = planner.algorithm().name;
        format!("{progress:?}: {name} {:?} from {at} to {to} on {}", planner.settings(), picture(world))
    };
    assert_eq!(left.first(), Some(&at), "{}", about());
    let now = cost(world, left);
    match progress {
        Ok(Progress::Kept | Progress::Planned { .. }) => {
            assert_eq!(now, Some(replanner.cost()), "{}", about());
            assert!(left.last() == Some(&to) && truth.is_some(), "{}", about());
        }
        Ok(Progress::Unreachable) => assert!(truth.is_none() && left.len() == 1, "{}", about()),
        Ok(Progress::OutOfBudget) => assert!(planner.algorithm().name == "ida-star" && left.len() == 1, "{}", about()),
        Err(QueryError::StartBlocked(cell)) => assert!(cell == at && !world.is_free(at), "{}", about()),
        Ok(Progress::TooFar | Progress::Working) | Err(_) => panic!("{}", about()),
    }
    if let (Ok(Progress::Planned { .. }), Some(now), Some(truth)) = (progress, now, truth) {
        // An agent takes steps below straight lines, which cost more than the lines.
        let lines = planner.motion() == Motion::AnyAngle;
        let bound = if lines { f64::INFINITY } else { planner.promise(world).bound() };
        let within = bound.is_infinite() || now as f64 <= truth as f64 * bound + 1e-9;
        assert!(now >= truth && within, "{now}, least {truth}: {}", about());
    }
}

/// The events of one tick, for all agents alike.
struct Tick {
    edits: Vec<Edit>,
    aim: Option<Cell>,
    again: bool,
}

impl Tick {
    fn draw(random: &mut Random, world: &World, uniform: bool) -> Tick {
        let edits = if random.below(3) == 0 { random_edits(random, world, uniform) } else { vec![] };
        let aim = (random.below(12) == 0).then(|| random_free_cell(random, world)).flatten();
        Tick { edits, aim, again: random.below(8) == 0 }
    }
}

#[test]
fn a_living_route_is_legal_and_as_cheap_as_promised_whatever_happens() {
    let mut scratch = Scratch::new();
    let mut seen = [0; 4];
    for (seed, rules) in all_rules().into_iter().cycle().take(40).enumerate() {
        let mut random = Random::new(seed as u64);
        let (mut world, uniform) = start(&mut random, rules);
        let [Some(from), Some(to)] = [(); 2].map(|()| random_free_cell(&mut random, &world)) else { continue };
        let mut agents: Vec<(Planner, Replanner)> =
            planners(&world).into_iter().map(|planner| (planner, Replanner::new(from, to))).collect();
        for _ in 0..14 {
            let Tick { edits, aim, again } = Tick::draw(&mut random, &world, uniform);
            world.apply(&edits).expect("sound edits");
            for (planner, replanner) in &mut agents {
                planner.repair(&world, &edits).expect("it follows");
                if !edits.is_empty() {
                    let kept = cost(&world, replanner.left()) == Some(replanner.cost());
                    match replanner.edited(planner, &world, &edits) {
                        Impact::Kept => assert!(kept),
                        Impact::Touched { at, legal, .. } => {
                            assert!(replanner.left().contains(&at) && (!legal || world.is_free(at)));
                            seen[0] += 1;
                        }
                        Impact::Buried => assert!(!world.is_free(replanner.at())),
                        Impact::Doubtful => panic!("its cells are known"),
                    }
                }
                if let Some(to) = aim {
                    replanner.aim(to);
                }
                if again {
                    replanner.plan_again();
                }
                let progress = finish(replanner, planner, &world, &mut scratch, 1 + u64::from(replanner.at().x));
                let (at, to) = (replanner.at(), replanner.to());
                let truth = costs_from(&world, at)[usize::from(to.y) * world.width() + usize::from(to.x)];
                hold(&world, planner, replanner, progress, truth.filter(|_| world.is_free(at)));
                seen[1] += usize::from(progress == Ok(Progress::Unreachable));
                seen[2] += usize::from(progress == Ok(Progress::Planned { same: true }));
                seen[3] += usize::from(progress == Ok(Progress::Kept));
                if let Some((next, price)) = replanner.next_step() {
                    assert_eq!(world.step_cost(at, next), Some(price));
                    replanner.moved(next);
                }
            }
        }
    }
    assert!(seen.iter().all(|&times| times > 100), "{seen:?}: often enough to mean something");
}

#[test]
fn slices_of_any_size_give_the_routes_of_whole_searches() {
    let mut scratches = [Scratch::new(), Scratch::new()];
    for seed in 0..30 {
        let mut random = Random::new(500 + seed);
        let (mut world, uniform) = start(&mut random, Rules::default());
        let [Some(from), Some(to)] = [(); 2].map(|()| random_free_cell(&mut random, &world)) else { continue };
        let agent = |planner: Planner| (planner, [(); 2].map(|()| Replanner::new(from, to)));
        let mut agents: Vec<(Planner, [Replanner; 2])> = planners(&world).into_iter().map(agent).collect();
        for _ in 0..8 {
            let Tick { edits, aim, again } = Tick::draw(&mut random, &world, uniform);
            let slice = 1 + random.below(30);
            world.apply(&edits).expect("sound edits");
            for (planner, replanners) in &mut agents {
                planner.repair(&world, &edits).expect("it follows");
                let mut ends = vec![];
                for ((replanner, scratch), slice) in replanners.iter_mut().zip(&mut scratches).zip([slice, u64::MAX]) {
                    replanner.edited(planner, &world, &edits);
                    aim.inspect(|&to| replanner.aim(to));
                    if again {
                        replanner.plan_again();
                    }
                    let progress = finish(replanner, planner, &world, scratch, slice);
                    ends.push((progress, replanner.left().to_vec(), replanner.cost()));
                    if let Some((next, _)) = replanner.next_step() {
                        replanner.moved(next);
                    }
                }
                assert_eq!(ends[0], ends[1], "{} in slices of {slice}", planner.algorithm().name);
            }
        }
    }
}

#[test]
fn a_search_begins_again_where_another_used_its_scratch_or_the_agent_moved() {
    let world = World::from(SquareGrid::open(40, 20, Rules::default()).expect("a sound size"));
    let mut scratch = Scratch::new();
    let planner = Planner::new(&world, "a-star").expect("it suits");
    let [mut one, mut other] = [Replanner::new((1, 1), (38, 18)), Replanner::new((38, 1), (1, 18))];
    assert_eq!(one.step(&planner, &world, &mut scratch, 5), Ok(Progress::Working));
    assert!(finish(&mut other, &planner, &world, &mut scratch, u64::MAX).expect("a sound query").is_ready());
    assert_eq!(one.step(&planner, &world, &mut scratch, 5), Ok(Progress::Working));
    one.moved((9, 3));
    assert!(finish(&mut one, &planner, &world, &mut scratch, 5).expect("a sound query").is_ready());
    for (replanner, from, to) in
        [(&one, Cell::new(9, 3), Cell::new(38, 18)), (&other, Cell::new(38, 1), Cell::new(1, 18))]
    {
        assert_eq!((replanner.left().first(), replanner.left().last()), (Some(&from), Some(&to)));
        assert_eq!(cost(&world, replanner.left()), Some(replanner.cost()));
    }
}

#[test]
fn a_goal_cut_off_is_found_again_when_it_is_joined() {
    let mut scratch = Scratch::new();
    for algorithm in ALGORITHMS {
        let mut world = World::from(SquareGrid::open(30, 12, Rules::default()).expect("a sound size"));
        let mut planner = Planner::new(&world, algorithm.name).expect("it suits");
        let mut replanner = Replanner::new((2, 5), (27, 6));
        let mut step = |world: &Snapshot, planner: &Planner, replanner: &mut Replanner| {
            finish(replanner, planner, world, &mut scratch, 7).expect("a sound query")
        };
        assert_eq!(step(&world, &planner, &mut replanner), Progress::Planned { same: false }, "{}", algorithm.name);
        let wall = Area { x: 14, y: 0, width: 1, height: 12 };
        let (shut, gap) = (Edit::new(wall, Terrain::BLOCKED), Edit::new(Cell::new(14, 11), Terrain::GROUND));
        let elsewhere = Edit::new(Cell::new(0, 0), Terrain::BLOCKED);
        let mut edit = |edit: Edit, planner: &mut Planner, replanner: &mut Replanner| {
            world.apply(&[edit]).expect("a sound edit");
            planner.repair(&world, &[edit]).expect("it follows");
            let impact = replanner.edited(planner, &world, &[edit]);
            (impact, step(&world, planner, replanner), step(&world, planner, replanner))
        };
        let (impact, first, then) = edit(shut, &mut planner, &mut replanner);
        assert!(matches!(impact, Impact::Touched { ahead: 12, legal: false, .. }), "{}: {impact:?}", algorithm.name);
        assert_eq!((first, then), (Progress::Unreachable, Progress::Unreachable), "{}", algorithm.name);
        assert_eq!(replanner.left(), [Cell::new(2, 5)]);
        let tried = edit(elsewhere, &mut planner, &mut replanner);
        assert_eq!(tried, (Impact::Kept, Progress::Unreachable, Progress::Unreachable), "{}", algorithm.name);
        let joined = edit(gap, &mut planner, &mut replanner);
        assert_eq!(joined, (Impact::Kept, Progress::Planned { same: false }, Progress::Kept), "{}", algorithm.name);
        assert!(replanner.left().contains(&Cell::new(14, 11)), "{}", algorithm.name);
    }
}

#[test]
fn edits_not_told_and_other_planners_are_noticed() {
    let mut world = World::from(SquareGrid::open(30, 12, Rules::default()).expect("a sound size"));
    let mut planner = Planner::new(&world, "jump-point").expect("it suits");
    let mut scratch = Scratch::new();
    let mut replanner = Replanner::new((2, 5), (27, 5));
    let mut step = |world: &Snapshot, planner: &Planner, replanner: &mut Replanner| {
        replanner.step(planner, world, &mut scratch, u64::MAX)
    };
    step(&world, &planner, &mut replanner).expect("a sound query");
    let wall = [Edit::new(Area { x: 14, y: 2, width: 1, height: 10 }, Terrain::BLOCKED)];
    world.apply(&wall).expect("a sound edit");
    let stale = step(&world, &planner, &mut replanner);
    assert!(matches!(stale, Err(QueryError::Stale { .. })), "{stale:?}");
    planner.repair(&world, &wall).expect("it follows");
    assert_eq!(step(&world, &planner, &mut replanner), Ok(Progress::Planned { same: false }));
    assert_eq!(step(&world, &planner, &mut replanner), Ok(Progress::Kept));
    let other = Planner::new(&world, "dijkstra").expect("it suits");
    assert!(matches!(step(&world, &other, &mut replanner), Ok(Progress::Planned { .. })));
    assert_eq!(step(&world, &other, &mut replanner), Ok(Progress::Kept));
}

/// Walks lazily planned routes under edits to their end, and returns how many edits left a route as it was and how many
/// put it in doubt.
fn walk_lazily(seed: u64, name: &str, settings: &[(&str, &str)]) -> [usize; 2] {
    let mut random = Random::new(seed);
    let weights: Vec<u8> = (0..90 * 70).map(|_| u8::from(random.below(100) >= 12)).collect();
    let mut world = World::from(SquareGrid::from_weights(90, 70, &weights, Rules::default()).expect("a sound size"));
    let algorithm = algorithm(name).expect("a known name");
    let mut planner =
        Planner::build(&world, algorithm, algorithm.settings(settings).expect("sound settings")).expect("it suits");
    let mut scratch = Scratch::new();
    let [from, to] = [(); 2].map(|()| random_free_cell(&mut random, &world).expect("there is ground"));
    let mut replanner = Replanner::new(from, to).lazily();
    let mut counts = [0, 0];
    for _ in 0..600 {
        let progress = match finish(&mut replanner, &planner, &world, &mut scratch, 5) {
            Ok(progress) => progress,
            Err(error) => panic!("{name}, seed {seed}: {error}"),
        };
        let there = replanner.at() == to;
        assert_eq!(progress.is_ready(), world.connected(replanner.at(), to), "{name}, seed {seed}");
        assert!(cost(&world, replanner.left()) == Some(replanner.cost()), "{name}, seed {seed}");
        let next = replanner.next_step().filter(|_| progress.is_ready());
        assert_eq!(next.is_none(), there || !progress.is_ready(), "{name}, seed {seed}: it leads on");
        if there {
            break;
        }
        next.inspect(|&(cell, _)| replanner.moved(cell));
        if random.below(6) == 0 {
            let edits = random_edits(&mut random, &world, true);
            world.apply(&edits).expect("sound edits");
            planner.repair(&world, &edits).expect("it follows");
            match replanner.edited(&planner, &world, &edits) {
                Impact::Kept => counts[0] += 1,
                Impact::Doubtful => counts[1] += 1,
                Impact::Touched { .. } => {}
                Impact::Buried => return counts,
            }
        }
    }
    counts
}

#[test]
fn lazily_planned_routes_lead_to_the_goal_under_edits() {
    for (name, settings) in [
        ("hpa-star", &[("direct", "no"), ("cluster", "8")][..]),
        ("hpa-star", &[("direct", "no"), ("levels", "3"), ("cluster", "4")]),
        ("dhpa-star", &[("direct", "no")]),
        ("dhpa-star", &[("direct", "no"), ("rows", "yes")]),
        ("rhumb", &[("direct", "no"), ("spacing", "12")]),
        ("pra-star", &[("limit", "3")]),
        ("a-star", &[]),
    ] {
        let mut counts = [0, 0];
        for seed in 0..12 {
            let [kept, doubtful] = walk_lazily(seed, name, settings);
            counts = [counts[0] + kept, counts[1] + doubtful];
        }
        let legs = name != "a-star";
        assert!((counts[1] > 0) == legs && (counts[0] > 0 || name == "pra-star"), "{name}: {counts:?}");
    }
}
