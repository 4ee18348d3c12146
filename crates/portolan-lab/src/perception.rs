//! The perceptual studies of chapter 5 of the thesis behind HNA* (Rahmani, 2020): people look at the walks of agents with minds
//! and say how well each agent knows its way.
//!
//! Each study has 2 environments with 4 pairs of start and goal, and 4 configurations of a mind: 32 walks, which every participant
//! sees in another order. [`results`] reads and writes what they answered, and [`statistics`] sums it up.
//!
//! The thesis does not say what its environments are, nor how far its agents see: here they are two generated worlds of hexagons, and
//! agents see no further than the hexagons beside them.
//!
//! Not here: pages and sockets.

pub mod results;
pub mod statistics;

use portolan::generate::{Random, generate, recipe};
use portolan::{HexCell, HexGrid, Rules};
use portolan_sim::mind::{Lattice, Mind, MindScratch, MindSettings};

/// The answers, from 0 to 3.
pub const ANSWERS: [&str; 4] = ["very little", "a bit", "quite well", "extremely well"];

/// The number of walks that everyone sees.
pub const TRIALS: usize = ENVIRONMENTS.len() * PAIRS * 4;

/// The pairs of start and goal in an environment.
const PAIRS: usize = 4;

/// The environments: a name, the recipe that makes it, and its seed.
const ENVIRONMENTS: [(&str, &str, u64); 2] = [("rooms", "rooms", 4), ("caves", "caves", 9)];

/// Columns and rows of an environment.
const SIZE: (usize, usize) = (44, 34);

/// The fewest hexagons from a start to its goal.
const FEWEST_STEPS: usize = 24;

/// What is set about all minds alike.
const FIXED: &str = "sight=0";

/// One of the two studies.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Experiment {
    /// Only the knowledge of agents varies.
    First,
    /// Agents that know more are also less certain where their goal lies and turn oftener.
    Second,
}

/// How the minds of some walks are set.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct Configuration {
    /// The percentage of the hexagons that the mind knows, which the thesis calls P.
    pub knowledge: u8,
    /// The least cosine between its direction and that of the goal, δ.
    pub delta: f64,
    /// The hexagons that it explores in one direction, C.
    pub stretch: u16,
}

/// One of the 32 walks of a study, by numbers from 0.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Trial {
    /// The environment, 0 or 1.
    pub environment: u8,
    /// The pair of start and goal, 0 to 3.
    pub pair: u8,
    /// The configuration, 0 to 3.
    pub configuration: u8,
}

/// The error for a study that there is not.
#[derive(Copy, Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("there are the experiments 1 and 2, not {0}")]
pub struct NoExperiment(pub u8);

impl Experiment {
    /// Both studies.
    pub const ALL: [Experiment; 2] = [Experiment::First, Experiment::Second];

    /// Returns the number that the thesis gives the study.
    pub fn number(self) -> u8 {
        self as u8 + 1
    }

    /// Returns the configurations, from the one that knows least to the one that knows most.
    pub fn configurations(self) -> [Configuration; 4] {
        let of = |(knowledge, delta, stretch)| Configuration { knowledge, delta, stretch };
        match self {
            Experiment::First => [(0, -0.5, 5), (35, -0.5, 5), (75, -0.5, 5), (100, -0.5, 5)].map(of),
            Experiment::Second => [(0, -1.0, 10), (35, -0.8, 8), (70, -0.6, 6), (100, -0.4, 4)].map(of),
        }
    }

    /// Returns all trials in the order that a seed draws.
    pub fn order(self, seed: u64) -> Vec<Trial> {
        let mut trials: Vec<Trial> = (0..TRIALS as u8)
            .map(|number| Trial { environment: number / 16, pair: number / 4 % 4, configuration: number % 4 })
            .collect();
        let mut random = Random::new(seed ^ u64::from(self.number()) << 32);
        for last in (1..trials.len()).rev() {
            trials.swap(last, random.below(last as u64 + 1) as usize);
        }
        trials
    }
}

impl TryFrom<u8> for Experiment {
    type Error = NoExperiment;

    fn try_from(number: u8) -> Result<Experiment, NoExperiment> {
        Experiment::ALL.into_iter().find(|experiment| experiment.number() == number).ok_or(NoExperiment(number))
    }
}

impl Configuration {
    /// Returns the settings of a mind.
    pub fn settings(&self) -> MindSettings {
        let Configuration { knowledge, delta, stretch } = self;
        let text = format!("knowledge={knowledge},delta={delta},stretch={stretch},{FIXED}");
        text.parse().expect("the configurations are in range")
    }
}

/// One of the worlds in which agents walk.
pub struct Environment {
    /// What it is called.
    pub name: &'static str,
    /// The world.
    pub world: HexGrid,
    /// The starts and goals.
    pub pairs: [[HexCell; 2]; PAIRS],
    lattice: Lattice<HexGrid>,
    number: u8,
}

impl Environment {
    /// Makes both environments, which are the same everywhere.
    pub fn all() -> [Environment; 2] {
        [0, 1].map(Environment::new)
    }

    fn new(number: u8) -> Environment {
        let (name, recipe_name, seed) = ENVIRONMENTS[usize::from(number)];
        let (width, height) = SIZE;
        let recipe = recipe(recipe_name).expect("there is such a recipe");
        let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are in range");
        let squares = generate(recipe, width, height, seed, &settings, Rules::default()).expect("the size is possible");
        let world =
            HexGrid::from_weights(width, height, &flat(squares.to_weights()), None).expect("the size is possible");
        let lattice = Lattice::new(&world, None).expect("the world is small");
        let pairs = pairs(&lattice, seed);
        Environment { name, world, pairs, lattice, number }
    }

    /// Returns the cells of a walk, the start first. It depends on the study and the trial alone.
    pub fn walk(&self, experiment: Experiment, trial: Trial) -> Vec<HexCell> {
        let settings = experiment.configurations()[usize::from(trial.configuration)].settings();
        let [from, goal] = self.ends(trial.pair);
        let seed = u64::from(experiment.number()) << 24
            | u64::from(self.number) << 16
            | u64::from(trial.pair) << 8
            | u64::from(trial.configuration);
        let (mut mind, mut scratch) = (Mind::new(&settings, seed), MindScratch::new());
        mind.learn(&self.lattice, from, &mut scratch);
        let steps = mind.walk(&self.lattice, [from, goal], &mut scratch);
        std::iter::once(from).chain(steps.iter().map(|step| step.node)).map(|node| self.lattice.place(node)).collect()
    }

    /// Returns the cells of the shortest way between a pair, the start first.
    pub fn shortest(&self, pair: u8) -> Vec<HexCell> {
        let [from, goal] = self.ends(pair);
        let route = self.lattice.route(from, goal, &mut MindScratch::new()).expect("pairs are connected");
        route.iter().map(|&node| self.lattice.place(node)).collect()
    }

    fn ends(&self, pair: u8) -> [u32; 2] {
        self.pairs[usize::from(pair)].map(|at| self.lattice.node(&self.world, at).expect("starts and goals are free"))
    }
}

/// Makes all ground weigh the same: minds count steps.
fn flat(weights: Vec<u8>) -> Vec<u8> {
    weights.into_iter().map(|weight| weight.min(1)).collect()
}

/// Draws starts and goals that are far apart.
fn pairs(lattice: &Lattice<HexGrid>, seed: u64) -> [[HexCell; 2]; PAIRS] {
    let parts = (0..lattice.nodes() as u32).step_by(97).map(|node| lattice.reachable(node));
    let part = parts.max_by_key(Vec::len).expect("a world has nodes");
    let (mut random, mut scratch) = (Random::new(seed), MindScratch::new());
    [0; PAIRS].map(|_| {
        loop {
            let ends = [0; 2].map(|_| part[random.below(part.len() as u64) as usize]);
            let steps = lattice.route(ends[0], ends[1], &mut scratch).map_or(0, |route| route.len() - 1);
            if steps >= FEWEST_STEPS {
                break ends.map(|node| lattice.place(node));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::Space;
    use std::collections::BTreeSet;

    #[test]
    fn everyone_sees_all_32_walks_in_an_order_of_their_own() {
        for experiment in Experiment::ALL {
            let orders: Vec<Vec<Trial>> = (0..20).map(|seed| experiment.order(seed)).collect();
            for order in &orders {
                assert_eq!(order.iter().collect::<BTreeSet<_>>().len(), 32);
                let counts =
                    [0, 1, 2, 3].map(|wanted| order.iter().filter(|trial| trial.configuration == wanted).count());
                assert_eq!(counts, [8; 4]);
            }
            assert_eq!(orders.iter().collect::<BTreeSet<_>>().len(), 20, "every seed has another order");
            assert_eq!(experiment.order(7), orders[7], "and always that one");
        }
        assert_ne!(Experiment::First.order(1), Experiment::Second.order(1));
    }

    #[test]
    fn walks_are_legal_reach_their_goals_and_get_shorter_with_knowledge() {
        for environment in Environment::all() {
            let mut sums = [[0; 4]; 2];
            let mut least = 0;
            for pair in 0..4 {
                let shortest = environment.shortest(pair).len() - 1;
                assert!(shortest >= FEWEST_STEPS, "{} {pair}", environment.name);
                least += shortest;
                for (index, experiment) in Experiment::ALL.into_iter().enumerate() {
                    for configuration in 0..4 {
                        let trial = Trial { environment: environment.number, pair, configuration };
                        let walk = environment.walk(experiment, trial);
                        assert_eq!([walk[0], walk[walk.len() - 1]], environment.pairs[usize::from(pair)]);
                        for step in walk.windows(2) {
                            let cost = environment.world.segment(step[0], step[1], portolan::Motion::Steps);
                            assert!(step[0].distance(step[1]) == 1 && cost.is_some(), "{trial:?}: {step:?}");
                        }
                        assert_eq!(walk, environment.walk(experiment, trial), "it is always the same");
                        sums[index][usize::from(configuration)] += walk.len() - 1;
                    }
                }
            }
            let ratios = sums.map(|sums| sums.map(|sum| sum as f64 / least as f64));
            println!("{}: {ratios:.2?}", environment.name);
            for ratios in ratios {
                assert!(ratios.is_sorted_by(|more, less| more > less), "{}: {ratios:?}", environment.name);
                assert!(ratios[0] > 1.5 && ratios[3] < 1.2, "{}: {ratios:?}", environment.name);
            }
        }
    }

    #[test]
    fn the_configurations_are_those_of_the_thesis() {
        let [first, second] = Experiment::ALL
            .map(|experiment| experiment.configurations().map(|one| (one.knowledge, one.delta, one.stretch)));
        assert_eq!(first, [(0, -0.5, 5), (35, -0.5, 5), (75, -0.5, 5), (100, -0.5, 5)]);
        assert_eq!(second, [(0, -1.0, 10), (35, -0.8, 8), (70, -0.6, 6), (100, -0.4, 4)]);
        let settings = Experiment::Second.configurations()[1].settings();
        assert_eq!((settings.knowledge(), settings.delta_thousandths(), settings.stretch()), (35.0, -800, 8));
        assert_eq!(Experiment::try_from(3).unwrap_err().to_string(), "there are the experiments 1 and 2, not 3");
    }
}
