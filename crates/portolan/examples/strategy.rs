//! The loop of a real-time strategy game: many units with orders, a budget for planning in each frame, and a wall that is built in
//! their way. Run it: `cargo run --release -p portolan --example strategy`.

use portolan::generate::{Random, generate, recipe};
use portolan::{Area, Cell, Edit, LazyRoute, Planner, Query, Rules, Scratch, Terrain, World};
use std::collections::VecDeque;
use std::error::Error;
use std::time::{Duration, Instant};

const UNITS: usize = 500;
const FRAMES: usize = 600;
/// How many units may plan in one frame.
const PLANS: usize = 60;

struct Unit {
    at: Cell,
    goal: Cell,
    /// The legs that are still to be refined, and the cells of the present one.
    route: Option<LazyRoute>,
    ahead: VecDeque<Cell>,
}

fn main() -> Result<(), Box<dyn Error>> {
    let caves = recipe("caves").ok_or("a recipe")?;
    let mut world = World::from(generate(caves, 512, 512, 7, &caves.settings::<&str, &str>(&[])?, Rules::default())?);
    let mut planner = Planner::new(&world, "rhumb")?;
    let (mut scratch, mut random) = (Scratch::new(), Random::new(3));
    let mut place = |world: &World| loop {
        let cell = Cell::new(random.below(512) as u16, random.below(512) as u16);
        if world.is_free(cell) {
            return cell;
        }
    };
    let mut units: Vec<Unit> = (0..UNITS)
        .map(|_| Unit { at: place(&world), goal: place(&world), route: None, ahead: VecDeque::new() })
        .collect();

    let (mut arrived, mut longest) = (0, Duration::ZERO);
    for frame in 0..FRAMES {
        let begun = Instant::now();
        if frame % 20 == 10 {
            // A wall is built: the chart is repaired where the wall is, and units whose legs it cuts plan again.
            let at = place(&world);
            let wall = [Edit::new(Area { x: at.x.min(500), y: at.y, width: 12, height: 1 }, Terrain::BLOCKED)];
            world.apply(&wall)?;
            planner.repair(&world, &wall)?;
            for unit in &mut units {
                let is_cut = unit.ahead.iter().any(|&cell| !world.is_free(cell));
                let survives = unit.route.as_mut().is_some_and(|route| route.survives(&planner, &world, &wall));
                if is_cut || !survives {
                    (unit.route, unit.ahead) = (None, VecDeque::new());
                }
            }
        }
        let mut plans = PLANS;
        for unit in &mut units {
            if unit.at == unit.goal || !world.is_free(unit.at) {
                arrived += usize::from(unit.at == unit.goal);
                *unit = Unit { at: place(&world), goal: place(&world), route: None, ahead: VecDeque::new() };
            }
            if unit.ahead.is_empty() {
                if unit.route.as_ref().is_none_or(LazyRoute::is_done) {
                    if plans == 0 {
                        continue; // It waits for the next frame.
                    }
                    plans -= 1;
                    let query = Query::new(unit.at, unit.goal).nearest();
                    unit.route = planner.plan(&world, query, &mut scratch)?.into_route();
                }
                // Only the next leg is turned into cells; the rest when it is its turn.
                if let Some(leg) = unit.route.as_mut().map(|route| route.next_leg(&planner, &world, &mut scratch)) {
                    unit.ahead.extend(leg?.unwrap_or_default().iter().filter(|&&cell| cell != unit.at));
                }
                if unit.ahead.is_empty() {
                    unit.goal = place(&world); // It is as near as it can get.
                }
            }
            if let Some(next) = unit.ahead.pop_front() {
                assert!(world.is_free(next), "a unit never walks through a wall");
                unit.at = next;
            }
        }
        longest = longest.max(begun.elapsed());
    }
    println!("{FRAMES} frames, {UNITS} units: {arrived} arrived; the longest frame took {longest:.1?}");
    Ok(())
}
