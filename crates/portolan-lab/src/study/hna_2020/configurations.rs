//! HNA* by levels and merging: times beside A*'s, the share of connecting, inter-edges and memory (figures 3.12 and 3.15 to
//! 3.19).

use super::courses::Course;
use super::{PASSES, SHARES, built, entrant, hna_star, stopwatch};
use crate::mesh::race::{Built, race_built};
use crate::progress::Steps;
use crate::race::{RaceResult, Row};
use crate::study::StudyError;
use portolan::algorithms::mesh::A_STAR;
use serde::Serialize;

/// Connecting in threads is measured with this many levels.
const IN_THREADS: u32 = 3;

/// The results with one number of levels. All of them ran in one race.
#[derive(Clone, Debug, Serialize)]
pub struct LevelFindings {
    /// The number of levels.
    pub levels: u32,
    /// A* over polygons.
    pub a_star: Row,
    /// A* over polygons that measures by their centres, as the thesis' does.
    pub by_centres: Row,
    /// HNA* by merging. Merging by so much that the mesh has no further level is left out.
    pub configurations: Vec<ConfigurationRow>,
}

/// The results of HNA* with one number of levels and one merging.
#[derive(Clone, Debug, Serialize)]
pub struct ConfigurationRow {
    /// How many polygons or nodes are merged into one.
    pub merge: usize,
    /// The nodes of the highest level.
    pub nodes: usize,
    /// Mean number of inter-edges of a node of the highest level.
    pub inter_edges: f64,
    /// The greatest mean that equation 3.4 allows for nodes of as many polygons.
    pub most_inter_edges: f64,
    /// Bytes that the rows for connecting take: what PCCP keep more than a planner that searches instead.
    pub pccp_bytes: usize,
    /// With precalculated connecting paths.
    pub pccp: Timed,
    /// With a search to each inter-edge, as it was before.
    pub original: Timed,
    /// With these searches on all cores; only with three levels.
    pub parallel: Option<Timed>,
}

/// The times of one way of connecting.
#[derive(Clone, Debug, Serialize)]
pub struct Timed {
    /// The results of the race.
    pub row: Row,
    /// Mean microseconds of connecting alone, from another run with a stopwatch.
    pub connect_us: f64,
}

impl LevelFindings {
    /// Returns how many times as fast as A* a row of the same race is, on average.
    pub(super) fn speedup(&self, timed: &Timed) -> f64 {
        self.a_star.mean_us / timed.row.mean_us
    }
}

impl Timed {
    /// Returns the share of connecting in percent.
    pub(super) fn connect_percent(&self) -> f64 {
        (self.connect_us / self.row.mean_us * 100.0).min(100.0)
    }
}

/// The planners of one configuration, by their places in the race.
struct Places {
    merge: usize,
    nodes: usize,
    inter_edges: usize,
    first: usize,
}

/// Races all configurations with this number of levels. `merges` come with the mean number of sides of a polygon.
pub(super) fn measure(
    course: &Course,
    levels: u32,
    (merges, sides): (&[usize], f64),
    tally: &mut impl FnMut(&RaceResult),
    steps: &mut Steps,
) -> Result<LevelFindings, StudyError> {
    let world = &course.world;
    let by_centres = entrant(&A_STAR, &[("measure", "centres".to_owned())]);
    let mut field = vec![built(world, entrant(&A_STAR, &[])), built(world, by_centres)];
    let ways: &[&str] = if levels == IN_THREADS { &["pccp", "a-star", "parallel"] } else { &["pccp", "a-star"] };
    let mut places = Vec::new();
    for &merge in merges {
        steps.still()?;
        let pccp = built(world, hna_star(levels, merge, ways[0]));
        let census = pccp.planner.census(world).expect("the mesh has not changed");
        let Some(top) = census.get(levels as usize - 1) else { continue };
        places.push(Places { merge, nodes: top.clusters, inter_edges: top.inter_edges, first: field.len() });
        field.push(pccp);
        for way in &ways[1..] {
            steps.still()?;
            field.push(built(world, hna_star(levels, merge, way)));
        }
    }
    let (name, trials) = (&course.name, &course.trials);
    let result = steps.part(SHARES, |progress| race_built(name, world, trials, &field, (PASSES, 1), progress))?;
    tally(&result);
    let mut configurations = Vec::new();
    for place in places {
        let mut timed = |way: usize| -> Result<Timed, StudyError> {
            let Built { planner, .. } = &field[place.first + way];
            let connect_us = stopwatch::connecting(world, trials, planner, steps)?;
            Ok(Timed { row: result.rows[place.first + way].clone(), connect_us })
        };
        let (pccp, original) = (timed(0)?, timed(1)?);
        let polygons = world.polygons() as f64 / place.nodes as f64;
        configurations.push(ConfigurationRow {
            merge: place.merge,
            nodes: place.nodes,
            inter_edges: 2.0 * place.inter_edges as f64 / place.nodes as f64,
            most_inter_edges: polygons * (sides - 2.0) + 2.0,
            pccp_bytes: pccp.row.index_bytes.saturating_sub(original.row.index_bytes),
            pccp,
            original,
            parallel: if levels == IN_THREADS { Some(timed(2)?) } else { None },
        });
    }
    let [a_star, by_centres] = [0, 1].map(|place| result.rows[place].clone());
    Ok(LevelFindings { levels, a_star, by_centres, configurations })
}
