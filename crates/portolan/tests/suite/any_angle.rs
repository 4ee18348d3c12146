//! Searches at any angle, compared with an oracle of their own: Dijkstra's search over all free cells, each joined to
//! every cell in its sight by a line of its true length.

use crate::worlds::{all_rules, build, picture, random_free_cell, random_world};
use portolan::generate::Random;
use portolan::{Cell, Motion, Outcome, Query, Route, Rules, Scratch, Snapshot, SquareGrid};

/// Returns the length of the shortest route of straight lines from a cell to every cell, row by row; infinite where there
/// is none.
fn lengths_from(grid: &SquareGrid, from: Cell) -> Vec<f64> {
    let free: Vec<Cell> = grid.cells().filter(|&cell| grid.is_free(cell)).collect();
    let index = |cell: Cell| usize::from(cell.y) * grid.width() + usize::from(cell.x);
    let mut lengths = vec![f64::INFINITY; grid.width() * grid.height()];
    let mut settled = vec![false; lengths.len()];
    lengths[index(from)] = 0.0;
    loop {
        let open = free.iter().filter(|&&cell| !settled[index(cell)] && lengths[index(cell)].is_finite());
        let Some(&at) = open.min_by(|a, b| lengths[index(**a)].total_cmp(&lengths[index(**b)])) else {
            return lengths;
        };
        settled[index(at)] = true;
        for &to in &free {
            let across = f64::from(at.x.abs_diff(to.x)).powi(2) + f64::from(at.y.abs_diff(to.y)).powi(2);
            let length = lengths[index(at)] + across.sqrt();
            if length < lengths[index(to)] && grid.in_sight(at, to) {
                lengths[index(to)] = length;
            }
        }
    }
}

/// Returns a random world of one weight with at most 12 × 12 cells.
fn small_world(random: &mut Random, rules: Rules) -> Snapshot {
    let (width, height) = (2 + random.below(11) as usize, 2 + random.below(11) as usize);
    let blocked_percent = random.below(60);
    let weights: Vec<u8> = (0..width * height).map(|_| u8::from(random.below(100) >= blocked_percent)).collect();
    SquareGrid::from_weights(width, height, &weights, rules).expect("a sound size").into()
}

#[test]
fn anya_finds_the_shortest_route_at_any_angle_on_ten_thousand_worlds() {
    let mut scratch = Scratch::new();
    let mut turns = 0;
    for (rules, seed) in all_rules().into_iter().zip(0..) {
        let mut random = Random::new(seed);
        for round in 0..2500 {
            let world = small_world(&mut random, rules);
            let free: Vec<Cell> = world.cells().filter(|&cell| world.is_free(cell)).collect();
            if free.is_empty() {
                continue;
            }
            let planner = build(&world, "anya", &[]);
            let from = free[random.below(free.len() as u64) as usize];
            let truth = lengths_from(&world, from);
            for &to in &free {
                let about = || format!("round {round}, from {from} to {to} on\n{}", picture(&world));
                let length = truth[usize::from(to.y) * world.width() + usize::from(to.x)];
                let outcome = planner.find(&world, Query::new(from, to), &mut scratch).expect("a sound query");
                let Outcome::Reached(route) = outcome else {
                    assert!(length.is_infinite() && outcome == Outcome::Unreachable, "{}", about());
                    continue;
                };
                route.check(&world).unwrap_or_else(|error| panic!("{error}: {}", about()));
                let found = route.length(&world);
                assert!((found - length).abs() < 1e-9, "{found}, not {length}: {:?} {}", route.cells(), about());
                turns += route.steps().saturating_sub(1);
            }
        }
    }
    assert!(turns > 100_000, "{turns} turns are too few to learn from");
}

#[test]
fn theta_star_and_its_kin_come_close_to_the_shortest_route() {
    let kin: [(&str, &[(&str, &str)]); 5] = [
        ("theta-star", &[]),
        ("lazy-theta-star", &[]),
        ("ap-theta-star", &[]),
        ("a-star", &[("smoothing", "straight")]),
        ("field-d-star", &[]),
    ];
    let (mut scratch, mut best, mut sums) = (Scratch::new(), 0.0, [0.0; 5]);
    for (rules, seed) in all_rules().into_iter().zip(100..) {
        let mut random = Random::new(seed);
        for _ in 0..100 {
            let world = small_world(&mut random, rules);
            let Some(from) = random_free_cell(&mut random, &world) else { continue };
            let truth = lengths_from(&world, from);
            let planners = kin.map(|(name, settings)| build(&world, name, settings));
            for to in world.cells().filter(|&to| world.connected(from, to)) {
                let length = truth[usize::from(to.y) * world.width() + usize::from(to.x)];
                best += length;
                for (planner, sum) in planners.iter().zip(&mut sums) {
                    let outcome = planner.find(&world, Query::new(from, to), &mut scratch).expect("a sound query");
                    let found = outcome.route().expect("they are connected").length(&world);
                    assert!(found >= length - 1e-9, "{found}, at least {length}, to {to} on\n{}", picture(&world));
                    *sum += found;
                }
            }
        }
    }
    let excess = sums.map(|sum| 100.0 * (sum / best - 1.0));
    println!("{excess:.3?} percent too long");
    assert!(excess[..3].iter().all(|&excess| excess < 1.5) && excess[3] < 2.0, "{excess:?} percent too long");
    assert!(excess[0] < excess[3], "Theta* is better than a string: {excess:?}");
}

#[test]
fn a_straightened_route_is_legal_and_never_dearer_and_steps_lead_below_it() {
    let (mut scratch, mut lines) = (Scratch::new(), 0);
    for (rules, seed) in all_rules().into_iter().zip(200..) {
        let mut random = Random::new(seed);
        for _ in 0..150 {
            let world = random_world(&mut random, rules);
            let [Some(from), Some(to)] = [(); 2].map(|()| random_free_cell(&mut random, &world)) else { continue };
            let planner = build(&world, "a-star", &[]);
            let outcome = planner.find(&world, Query::new(from, to), &mut scratch).expect("a sound query");
            let Some(route) = outcome.route() else { continue };
            let straight = route.straightened(&world);
            straight.check(&world).unwrap_or_else(|error| panic!("{error} on\n{}", picture(&world)));
            assert!(straight.cost() <= route.cost() && straight.steps() <= route.steps());
            lines += usize::from(straight.motion() == Motion::AnyAngle);
            let steps = straight.into_steps(&world);
            let costs = steps.windows(2).map(|step| world.step_cost(step[0], step[1]).expect("a legal step"));
            let cost = costs.fold(0, |sum, cost| sum + cost.0);
            let walk = Route::new(steps, portolan::Cost(cost));
            assert_eq!(walk.check(&world), Ok(()));
            assert_eq!((walk.cells().first(), walk.cells().last()), (Some(&from), Some(&to)));
        }
    }
    assert!(lines > 200, "only {lines} routes were straightened");
}
