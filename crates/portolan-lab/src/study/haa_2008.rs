//! HAA* 2008: three kinds of agents in one world, served by one annotated chart, by one chart of HPA* for each, and by A*: the
//! memory, how long building, repairs and queries take, and how much too long routes are.
//!
//! The paper's maps are those of a game, with trees painted on them. Ours are published maps of several games, a city and a
//! grid of rooms, or generated worlds if they are not there; a generated lake district is painted on each. The agents are
//! one that goes everywhere, one of 2 × 2 cells, and one that does not swim. The paper has no other algorithm to compare
//! with but A*; the charts of HPA* are ours.
//!
//! Harabor, Botea: Hierarchical path planning for multi-size agents in heterogeneous environments, 2008.

mod pages;

use super::bucket::{greatest, mean};
use super::field::{answers, planner, times};
use super::maps::{Course, Ground, Map, Maps, MapsError};
use super::{Field, Measure, Measured, Study};
use crate::progress::{Cancelled, Steps};
use crate::queries::{self, Trial};
use portolan::any::AnySnapshot;
use portolan::generate::{Kind, Random, generate};
use portolan::{Area, Cell, Edit, Footing, Planner, Profile, Rules, Snapshot, SquareGrid, Terrain, World};
use serde::Serialize;
use std::time::Instant;

pub(super) const STUDY: Study = Study {
    name: "haa-2008",
    chapters: &[],
    title: "Hierarchical path planning for multi-size agents in heterogeneous environments",
    paper: "Harabor, Botea 2008",
    summary: "HAA*: three kinds of agents on one chart against one chart of HPA* for each: memory, building, repairs, queries, length",
    measure: Measure::Maps(GROUND, measure),
};

const GROUND: Ground = Ground { shelf: "", folder: maps_of, look_alikes };

/// The published maps that are measured if they are at hand.
const MAPS: [&str; 6] = ["AR0700SR", "brc202d", "icecrown", "AcrosstheCape", "Berlin_0_1024", "32room_000"];
/// The seeds of generated worlds, and of what is painted on maps.
const WORLDS: [(Kind, usize, u64); 3] = [(Kind::Caves, 400, 1), (Kind::City, 512, 2), (Kind::Rooms, 300, 3)];
const LAKES: u64 = 44;
/// The kind of the lakes' ground.
const WATER: u8 = 3;
/// Runs of a query; the fastest counts.
const REPEAT: usize = 2;
/// Edits of a map, and cells along the sides of the largest.
const EDITS: usize = 100;
const LARGEST_EDIT: u64 = 3;
/// How much memory one chart for all may take against one chart of HPA*, and by how many percent routes may be too long on
/// average.
const TARGETS: (f64, f64) = (1.5, 2.0);

/// Returns the agents with their names.
fn agents() -> [(&'static str, Profile); 3] {
    let pair = Profile::square(2).expect("a sound size");
    [
        ("any ground", Profile::new()),
        ("2 x 2 cells", pair),
        ("no water", Profile::new().with(WATER, Footing::FORBIDDEN)),
    ]
}

/// The findings.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Findings {
    /// What charts cost, by map.
    pub maps: Vec<MapRow>,
    /// What queries cost, by map and then by agent.
    pub agents: Vec<AgentRow>,
    /// The number of queries that some algorithm did not answer with a legal route.
    pub unanswered: usize,
}

/// The charts of a map.
#[derive(Clone, Debug, Serialize)]
pub struct MapRow {
    /// The name of the map.
    pub map: String,
    /// Its free cells.
    pub free_cells: usize,
    /// How many percent of them are water.
    pub water_percent: f64,
    /// Bytes of the annotated chart with the first agent alone, and with all.
    pub haa_bytes: [usize; 2],
    /// Bytes of one chart of HPA* for the first agent, and of one for each: as it is by default, and without the room in which
    /// it remembers legs.
    pub hpa_bytes: [[usize; 2]; 2],
    /// Milliseconds to build the annotated chart for all, and the charts of HPA*.
    pub build_ms: [f64; 2],
    /// Microseconds to bring them up to date after an edit, all agents together.
    pub repair_us: [f64; 2],
    /// Clusters that were done again for an edit, those of all agents together.
    pub clusters: [f64; 2],
}

/// The queries of an agent on a map. Where there are three values, they are those of A*, of HPA* and of HAA*.
#[derive(Clone, Debug, Serialize)]
pub struct AgentRow {
    /// The name of the map.
    pub map: String,
    /// The agent.
    pub agent: &'static str,
    /// The number of queries.
    pub queries: usize,
    /// Microseconds of a query, on average.
    pub mean_us: [f64; 3],
    /// By how many percent routes cost more than those of A*, on average.
    pub mean_percent: [f64; 3],
    /// By how many percent the worst route does.
    pub worst_percent: [f64; 3],
}

impl MapRow {
    /// Returns how many times the memory of one chart of HPA* the annotated chart of all agents takes: of one as it is by
    /// default, and of one that remembers no legs.
    fn memory_ratios(&self) -> [f64; 2] {
        self.hpa_bytes.map(|bytes| self.haa_bytes[1] as f64 / bytes[0] as f64)
    }
}

fn measure(field: &Field, steps: &mut Steps) -> Result<Measured, Cancelled> {
    let mut findings = Findings::default();
    for course in &field.courses {
        let mut world = World::from(with_lakes(&course.world));
        let row = charts(course, &mut world, steps)?;
        findings.maps.push(row);
        for (at, (name, profile)) in agents().into_iter().enumerate() {
            let view = world.view(&profile).expect("a sound profile").snapshot();
            let seed = course.seed.wrapping_mul(3).wrapping_add(at as u64);
            // A body of several cells may fit nowhere.
            let asked = queries::random(&AnySnapshot::from(view.clone()), course.trials.len(), seed);
            if let Ok(trials) = asked {
                let row = ask(&course.name, name, &view, &trials, &mut findings.unanswered, steps)?;
                findings.agents.push(row);
            }
        }
        steps.advance(1)?;
    }
    let document = pages::document(&findings);
    Ok(Measured { findings: super::Findings::Haa2008(findings), document })
}

/// Returns a map with lakes: where a generated cave of its size has rock.
fn with_lakes(map: &Snapshot) -> SquareGrid {
    let (width, height) = (map.width(), map.height());
    let settings = Kind::Caves.recipe().settings(&[("fill", LAKES.to_string())]).expect("a sound setting");
    let cave = generate(Kind::Caves.recipe(), width, height, LAKES, &settings, Rules::default()).expect("a sound size");
    let kinds: Vec<u8> = cave.cells().map(|cell| if cave.is_free(cell) { 0 } else { WATER }).collect();
    let rules = Rules { metric: Some(map.metric()), ..map.rules() };
    let grid = SquareGrid::from_weights(width, height, &map.to_weights(), rules).expect("as large as the map");
    grid.with_kinds(&kinds).expect("one for each cell")
}

/// Builds and repairs the charts of a map. The edits are taken back.
fn charts(course: &Course, world: &mut World, steps: &mut Steps) -> Result<MapRow, Cancelled> {
    let profiles = agents().map(|(_, profile)| profile);
    let views = profiles.each_ref().map(|profile| world.view(profile).expect("a sound profile").snapshot());
    let begun = Instant::now();
    let first = planner(&views[0], "haa-star", &[]);
    let mut built = begun.elapsed();
    let alone = first.bytes();
    let begun = Instant::now();
    let mut haa: Vec<Planner> = views[1..].iter().map(|view| first.for_view(view).expect("room for three")).collect();
    haa.insert(0, first);
    built += begun.elapsed();
    let haa_bytes = [alone, haa[0].bytes()];
    steps.still()?;
    let begun = Instant::now();
    let mut hpa: Vec<Planner> = views.iter().map(|view| planner(view, "hpa-star", &[])).collect();
    let hpa_built = begun.elapsed();
    steps.still()?;
    let lean = views.each_ref().map(|view| planner(view, "hpa-star", &[("routes", "search")]).bytes());
    let bytes: Vec<usize> = hpa.iter().map(Planner::bytes).collect();
    let water = world.cells().filter(|&cell| world.terrain(cell).kind() == WATER && world.is_free(cell)).count();
    drop(views);
    let (mut repair_us, mut clusters) = ([0.0; 2], [0.0; 2]);
    let edits = edits(world, course.seed);
    let share = 1.0 / edits.len() as f64;
    for edit in edits {
        world.apply(&[edit]).expect("an edit on the map");
        for (at, planners) in [&mut haa, &mut hpa].into_iter().enumerate() {
            let begun = Instant::now();
            for (profile, planner) in profiles.iter().zip(planners) {
                let repair = planner.sync(world.view(profile).expect("it is there")).expect("both run on every map");
                clusters[at] += repair.areas.len() as f64 * share;
            }
            repair_us[at] += begun.elapsed().as_secs_f64() * 1e6 * share;
        }
        steps.still()?;
    }
    Ok(MapRow {
        map: course.name.clone(),
        free_cells: world.free_cells(),
        water_percent: water as f64 * 100.0 / world.free_cells().max(1) as f64,
        haa_bytes,
        hpa_bytes: [[bytes[0], bytes.iter().sum()], [lean[0], lean.iter().sum()]],
        build_ms: [built, hpa_built].map(|time| time.as_secs_f64() * 1e3),
        repair_us,
        clusters,
    })
}

/// Returns random edits that block free cells one after the other, each followed by one that gives them back.
fn edits(world: &World, seed: u64) -> Vec<Edit> {
    let mut random = Random::new(seed);
    let side = |random: &mut Random, most: usize| {
        let length = (1 + random.below(LARGEST_EDIT)).min(most as u64);
        (random.below(most as u64 - length + 1) as u16, length as u16)
    };
    let mut edits = Vec::new();
    for _ in 0..EDITS {
        let (mut area, mut left) = (Area::default(), 100);
        // Most edits should meet free ground.
        while left > 0 && (area.width == 0 || !world.is_free(Cell { x: area.x, y: area.y })) {
            let ((x, width), (y, height)) = (side(&mut random, world.width()), side(&mut random, world.height()));
            area = Area { x, y, width, height };
            left -= 1;
        }
        edits.push(Edit::new(area, Terrain::BLOCKED));
        for y in area.y..area.y + area.height {
            for x in area.x..area.x + area.width {
                let cell = Cell { x, y };
                edits.push(Edit::new(cell, world.terrain(cell)));
            }
        }
    }
    edits
}

/// Answers the queries of an agent by A*, by a chart of HPA* and by HAA*.
fn ask(
    map: &str,
    agent: &'static str,
    view: &Snapshot,
    trials: &[Trial],
    unanswered: &mut usize,
    steps: &mut Steps,
) -> Result<AgentRow, Cancelled> {
    let planners = ["a-star", "hpa-star", "haa-star"].map(|name| planner(view, name, &[]));
    let mut costs: Vec<Vec<Option<u32>>> = Vec::new();
    for planner in &planners {
        let answers = answers(view, trials, planner, steps)?;
        costs.push(answers.iter().map(super::field::Answer::cost).collect());
    }
    let micros = times(view, trials, &planners.each_ref() as &[&Planner], REPEAT, steps)?;
    let answered: Vec<usize> =
        (0..trials.len()).filter(|&trial| costs.iter().all(|costs| costs[trial].is_some())).collect();
    *unanswered += trials.len() - answered.len();
    let percents = [0, 1, 2].map(|at| {
        let percent = |&trial: &usize| {
            let [least, cost] = [0, at].map(|at| f64::from(costs[at][trial].unwrap_or(0)));
            (cost / least.max(1.0) - 1.0) * 100.0
        };
        answered.iter().map(percent).collect::<Vec<f64>>()
    });
    Ok(AgentRow {
        map: map.to_owned(),
        agent,
        queries: trials.len(),
        mean_us: [0, 1, 2].map(|at| mean(micros[at].iter().copied())),
        mean_percent: percents.each_ref().map(|percents| mean(percents.iter().copied())),
        worst_percent: percents.each_ref().map(|percents| greatest(percents.iter().copied())),
    })
}

/// Returns the maps of the study that are in a folder or below it, or else every map of the folder.
fn maps_of(folder: &std::path::Path) -> Result<Maps, MapsError> {
    match Maps::named(folder, &MAPS, Rules::default()) {
        Err(MapsError::NoneOf { .. }) => Maps::with_scenarios(folder, Rules::default()),
        maps => maps,
    }
}

/// Generates caves, a city and rooms, smaller ones if `quick` is set.
///
/// # Panics
/// Never: sizes and settings are sound.
fn look_alikes(quick: bool) -> Maps {
    let map = |(kind, side, seed): (Kind, usize, u64)| {
        let side = if quick { 64 } else { side };
        let settings = kind.recipe().settings::<&str, &str>(&[]).expect("defaults are sound");
        let grid = generate(kind.recipe(), side, side, seed, &settings, Rules::default()).expect("a sound size");
        Map { name: format!("{} {side}", kind.recipe().name), world: Snapshot::from(grid), asked: Vec::new() }
    };
    Maps { from: "the generator".to_owned(), grids: WORLDS.into_iter().map(map).collect(), meshes: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::progress::go_on;
    use crate::study::{Options, study};

    #[test]
    fn agents_share_a_chart_that_is_held_against_charts_for_each() {
        let options = Options { quick: true, queries: Some(6), ..Options::default() };
        let results = study("haa-2008").unwrap().run(None, &options, &mut go_on).unwrap();
        let crate::study::Findings::Haa2008(found) = &results.findings else { panic!("the wrong study") };
        assert_eq!((found.maps.len(), found.agents.len(), found.unanswered), (3, 9, 0));
        for row in &found.maps {
            assert!(row.haa_bytes[0] < row.haa_bytes[1] && row.hpa_bytes[0][0] > row.hpa_bytes[1][0], "{row:?}");
            assert!(row.water_percent > 1.0 && row.water_percent < 60.0, "{row:?}");
        }
        for row in &found.agents {
            assert!(row.mean_percent[0].abs() < 1e-9 && row.worst_percent.iter().all(|&worst| worst >= 0.0), "{row:?}");
        }
        crate::report::tests::check_page(&results.html());
    }

    #[test]
    fn what_is_edited_is_as_it_was_in_the_end() {
        let map = &look_alikes(true).grids[0];
        let mut world = World::from(with_lakes(&map.world));
        let before: Vec<Terrain> = world.cells().map(|cell| world.terrain(cell)).collect();
        world.apply(&edits(&world, 3)).unwrap();
        assert!(world.cells().map(|cell| world.terrain(cell)).eq(before));
    }
}
