//! Random terrain, edits and settings for a storm, most of them near some limit.
//!
//! Not here: worlds made of the terrain, which differ by kind.

use crate::kind::Kind;
use portolan::any::AnySnapshot;
use portolan::generate::{Random, generate, recipe};
use portolan::settings::{Param, Range};
use portolan::{Area, Border, Cost, Edit, Extras, Footing, Metric, Planner, Profile, Rules, Snapshot, Terrain};

/// Returns one of these things at random.
pub(crate) fn pick<T: Copy>(random: &mut Random, things: &[T]) -> T {
    things[random.below(things.len() as u64) as usize]
}

/// Returns a number from `least` to `most`, each of the two ends more often than other numbers.
fn between(random: &mut Random, least: u64, most: u64) -> u64 {
    match random.below(4) {
        0 => least,
        1 => most,
        _ => least + random.below(most - least + 1),
    }
}

/// Returns `None` for the default metric, or a random metric: a common one, one of extreme proportion or size, or any.
pub(crate) fn metric(random: &mut Random) -> Option<Metric> {
    let (straight, diagonal) = match random.below(6) {
        0 => return None,
        1 => pick(random, &[(10, 14), (100, 142), (408, 577), (5741, 8119)]),
        2 => pick(
            random,
            &[(1, 1), (1, 2), (2, 3), (3, 4), (24, 25), (25, 26), (100, 101), (65_535, 65_535), (32_767, 65_534)],
        ),
        _ => {
            let bits = random.below(16);
            let straight = 1 + random.below(1 << bits) as u32;
            (straight, (straight + random.below(u64::from(straight) + 1) as u32).min(Metric::MAX))
        }
    };
    Metric::new(straight, diagonal).ok()
}

/// Returns width, height and weights of a world that is one corridor with a few shortcuts. It winds through the whole
/// world row by row or column by column.
fn snake(random: &mut Random, weight: u8) -> (usize, usize, Vec<u8>) {
    let (width, height) = (20 + random.below(90) as usize, 21 + 2 * random.below(25) as usize);
    let mut weights = vec![weight; width * height];
    for row in (1..height).step_by(2) {
        let gap = if row % 4 == 1 { width - 1 } else { 0 };
        (0..width).filter(|&x| x != gap).for_each(|x| weights[row * width + x] = 0);
    }
    for _ in 0..random.below(5) {
        weights[random.below((width * height) as u64) as usize] = weight;
    }
    if random.below(2) == 0 {
        return (width, height, weights);
    }
    let turned = (0..width * height).map(|at| weights[at % height * width + at / height]).collect();
    (height, width, turned)
}

/// Returns width, height and weights of a world with randomly blocked cells, rectangles of wall and of ground, and in
/// some worlds several weights.
fn scatter(random: &mut Random, most: u64) -> (usize, usize, Vec<u8>) {
    let (width, height) = (1 + random.below(most) as usize, 1 + random.below(most) as usize);
    let (blocked, heavy) = (random.below(50), pick(random, &[1, 1, 2, 9, 255]));
    let mut weights: Vec<u8> = (0..width * height)
        .map(|_| if random.below(100) < blocked { 0 } else { 1 + random.below(heavy) as u8 })
        .collect();
    for _ in 0..random.below(10) {
        let (x, y) = (random.below(width as u64) as usize, random.below(height as u64) as usize);
        let (across, down) = (1 + random.below(20) as usize, 1 + random.below(20) as usize);
        let weight = pick(random, &[0, 1]);
        for row in y..(y + down).min(height) {
            weights[row * width + x..row * width + (x + across).min(width)].fill(weight);
        }
    }
    (width, height, weights)
}

fn made(random: &mut Random) -> (usize, usize, Vec<u8>) {
    let recipe = recipe(pick(random, &["caves", "rooms", "maze", "hills", "city"])).expect("a known recipe");
    let (width, height) = (40 + random.below(90) as usize, 40 + random.below(90) as usize);
    let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are sound");
    let grid = generate(recipe, width, height, random.below(1000), &settings, Rules::default()).expect("a sound size");
    (width, height, grid.to_weights())
}

/// Returns width, height and weights of a random world.
pub(crate) fn terrain(random: &mut Random) -> (usize, usize, Vec<u8>) {
    let (width, height, mut weights) = match random.below(8) {
        0..3 => scatter(random, 40),
        3 => scatter(random, 160),
        4 => made(random),
        _ => {
            let weight = pick(random, &[1, 1, 1, 2, 255]);
            snake(random, weight)
        }
    };
    if random.below(6) == 0 {
        let at = random.below(weights.len() as u64) as usize;
        weights[at] = pick(random, &[2, 254, 255]);
    }
    (width, height, weights)
}

fn area(random: &mut Random, (columns, rows): (usize, usize), most: (u64, u64)) -> Area {
    let side = |random: &mut Random, most: u64, side: usize| (1 + random.below(most.max(1))).min(side as u64) as u16;
    let (width, height) = (side(random, most.0, columns), side(random, most.1, rows));
    let x = random.below(columns as u64 - u64::from(width) + 1) as u16;
    let y = random.below(rows as u64 - u64::from(height) + 1) as u16;
    Area { x, y, width, height }
}

/// Returns one to three small edits, or one of up to three quarters of the world, or one that turns a uniform world
/// weighted or a weighted one uniform.
pub(crate) fn edits<S: Kind>(random: &mut Random, world: &S) -> Vec<Edit> {
    let size = world.size();
    let sides = (size.0 as u64, size.1 as u64);
    let uniform = world.uniform_weight().is_some();
    let weights = match world.uniform_weight() {
        Some(weight) => vec![0, 0, weight, weight],
        None => vec![0, 1, 1, 9, 255],
    };
    match random.below(12) {
        // Heavy ground turns a uniform world weighted; ground everywhere turns a weighted world uniform.
        0 if uniform => vec![Edit::new(area(random, size, (2, 2)), Terrain::of_weight(pick(random, &[2, 255])))],
        0 => {
            let all = Area { x: 0, y: 0, width: sides.0 as u16, height: sides.1 as u16 };
            vec![Edit::new(all, Terrain::GROUND)]
        }
        1..3 => {
            let share = pick(random, &[(1, 10), (1, 4), (1, 2), (3, 4)]);
            let most = (sides.0 * share.0 / share.1 * 2, sides.1 * share.0 / share.1);
            vec![Edit::new(area(random, size, most), Terrain::of_weight(pick(random, &weights)))]
        }
        _ => (0..=random.below(3))
            .map(|_| Edit::new(area(random, size, (3, 3)), Terrain::of_weight(pick(random, &weights))))
            .collect(),
    }
}

/// Returns edits that bring borders, links or both, up to these extras, or take some away: walls of up to twelve cells, ledges,
/// and links of any cost.
pub(crate) fn passages<S: Kind>(random: &mut Random, world: &S, most: Extras) -> Vec<Edit> {
    let told: AnySnapshot = world.clone().into();
    let sides = told.sides();
    let (size, straight) = (world.size(), u64::from(told.metric().straight()));
    let mut edits = Vec::new();
    for _ in 0..=random.below(8) {
        if most >= Extras::Links && random.below(2) == 0 {
            let [from, to] = [world.random_place(random), world.random_place(random)].map(S::cell);
            let both_ways = most == Extras::Links || random.below(2) == 0;
            let known: Vec<_> = told.links().collect();
            if !known.is_empty() && random.below(3) == 0 {
                let (from, to, _) = pick(random, &known);
                edits.push(Edit::unlink(from, to, both_ways));
            } else if from != to {
                let dearest = straight * pick(random, &[1, 4, 40]);
                edits.push(Edit::link(from, to, Cost(1 + random.below(dearest) as u32), both_ways));
            }
            continue;
        }
        let reach = pick(random, &[(1, 1), (12, 1), (1, 12), (5, 5)]);
        let kinds: &[Border] = match most {
            Extras::OneWays => &[Border::Closed, Border::Open, Border::Out, Border::In],
            _ => &[Border::Closed, Border::Closed, Border::Open],
        };
        edits.push(Edit::border(area(random, size, reach), pick(random, sides), pick(random, kinds)));
    }
    edits
}

/// Returns edits that lay kinds of ground, and a profile that is told by kinds and may have a body of several cells.
pub(crate) fn kinds<S: Kind>(random: &mut Random, world: &S) -> (Vec<Edit>, Profile) {
    let size = world.size();
    let most = (size.0 as u64 / 2, size.1 as u64 / 2);
    let mut laid = || {
        let terrain = Terrain::GROUND.with_kind(1 + random.below(4) as u8);
        Edit::new(area(random, size, most), terrain)
    };
    let edits = [(); 3].map(|()| laid()).to_vec();
    let footings = [Footing::FORBIDDEN, Footing::Weight(1), Footing::Weight(7), Footing::Percent(150)];
    let profile = S::profile(pick(random, &[1, 1, 2, 3])).expect("a sound body");
    let profile = profile.with(1, Footing::FORBIDDEN).with(2, pick(random, &footings));
    (edits, profile.with(0, pick(random, &[Footing::AsItIs, Footing::Weight(2)])))
}

/// Returns a random value of a setting, often the least or the greatest.
fn value(random: &mut Random, name: &str, param: &Param) -> String {
    match (param.range, param.name) {
        // IDA* can take exponential time. The budget ends searches that would take hours.
        (_, "budget") if name == "ida-star" => pick(random, &["1", "300", "2000"]).to_owned(),
        // Many threads take long to start, so that 256 threads are rare.
        (_, "threads") => if random.below(200) == 0 { "256" } else { pick(random, &["0", "1", "2", "3"]) }.to_owned(),
        (Range::Choice(words), _) => pick(random, words).to_owned(),
        (Range::Number(least, most), _) => match random.below(3) {
            0 => least.to_string(),
            1 => most.to_string(),
            _ => format!("{:.3}", least + (most - least) * random.below(1000) as f64 / 1000.0),
        },
        (Range::Count(least, most), _) => between(random, least, most).to_string(),
        (other, _) => panic!("a new kind of range, {other}"),
    }
}

/// Returns a planner with any algorithm that suits the world and any settings. One algorithm of the kind comes more often
/// than others.
pub(crate) fn planner<S: Kind>(random: &mut Random, world: &Snapshot<S>) -> Planner<S> {
    let algorithms = S::algorithms();
    loop {
        let mut algorithm = algorithms[random.below(algorithms.len() as u64) as usize];
        if random.below(4) == 0 {
            algorithm = algorithms.iter().find(|algorithm| algorithm.name == S::OFTEN).expect("a known name");
        }
        if algorithm.suits(world).is_err() {
            continue;
        }
        let plain = random.below(4) == 0;
        let mut set = Vec::new();
        for param in algorithm.params {
            if param.name == "budget" || !plain && random.below(2) == 0 {
                set.push((param.name, value(random, algorithm.name, param)));
            }
        }
        let settings = algorithm.settings(&set).expect("values within their ranges");
        return Planner::build(world, algorithm, settings).expect("it suits");
    }
}

/// Returns a random free place, or `None` if 200 tries find none.
pub(crate) fn free_place<S: Kind>(random: &mut Random, world: &S) -> Option<S::Place> {
    (0..200).map(|_| world.random_place(random)).find(|&place| world.component(place).is_some())
}
