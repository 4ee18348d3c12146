//! The numbers that the thesis prints for its maps from games, and where the maps come from: files of these names, or
//! look-alikes.

use crate::study::maps::{Ground, Map, Maps, MapsError};
use portolan::generate::{Kind, generate};
use portolan::{Corners, Metric, Rules, Snapshot};
use serde::Serialize;
use std::path::Path;

/// A map of the thesis.
pub(super) struct Printed {
    /// The name of its file.
    pub(super) map: &'static str,
    pub(super) size: [usize; 2],
    /// Percent of its cells that are free.
    pub(super) free_percent: f64,
    /// Milliseconds to build PRA* and HPA* in table 4.2.
    pub(super) build_ms: [f64; 2],
    /// The map's rows of table 4.1, if there are any: A*, HPA*, PRA*.
    pub(super) searches: Option<[PrintedSearch; 3]>,
    /// Percent of the cells of a look-alike that are rock when its generation starts.
    fill: &'static str,
}

/// A row of table 4.1: one search.
#[derive(Copy, Clone, Debug, Serialize)]
pub struct PrintedSearch {
    /// Cost of the route.
    pub cost: f64,
    /// Cells of the route.
    pub cells: u32,
    /// Milliseconds of the search.
    pub ms: f64,
    /// Nodes expanded.
    pub expanded: u32,
    /// By how many percent the route costs more than the cheapest.
    pub percent: f64,
}

const fn row(cost: f64, cells: u32, ms: f64, expanded: u32, percent: f64) -> PrintedSearch {
    PrintedSearch { cost, cells, ms, expanded, percent }
}

/// Tables 4.1 and 4.2, without the maps that the thesis' author drew. The thesis prints hrt001d as hrt001.
pub(super) const THESIS: [Printed; 6] = [
    Printed {
        map: "den204d",
        size: [65, 65],
        free_percent: 65.5,
        build_ms: [16.4566, 327.3745],
        searches: None,
        fill: "44",
    },
    Printed {
        map: "hrt001d",
        size: [105, 110],
        free_percent: 31.8,
        build_ms: [25.4476, 1536.153],
        searches: None,
        fill: "52",
    },
    Printed {
        map: "brc101d",
        size: [640, 380],
        free_percent: 12.2,
        build_ms: [352.5577, 42302.855],
        searches: Some([
            row(597.0, 518, 988.1166, 25229, 0.0),
            row(614.6, 542, 68.1375, 4516, 3.9),
            row(682.0, 571, 25.8942, 2534, 11.0),
        ]),
        fill: "58",
    },
    Printed {
        map: "brc503d",
        size: [320, 257],
        free_percent: 81.9,
        build_ms: [568.5586, 5809.432],
        searches: Some([
            row(466.4, 399, 5038.5642, 53950, 0.0),
            row(479.0, 420, 220.5746, 3654, 2.7),
            row(518.4, 449, 43.6796, 1992, 11.0),
        ]),
        fill: "40",
    },
    Printed {
        map: "drywatergulch",
        size: [512, 512],
        free_percent: 52.0,
        build_ms: [1121.1691, 28462.0827],
        searches: Some([
            row(497.0, 416, 16660.3938, 90849, 0.0),
            row(511.0, 441, 552.3995, 3882, 2.8),
            row(552.4, 479, 54.107, 2233, 11.0),
        ]),
        fill: "47",
    },
    Printed {
        map: "AcrosstheCape",
        size: [768, 768],
        free_percent: 66.5,
        build_ms: [3426.1156, 49429.3321],
        searches: Some([
            row(1244.0, 1053, 128_559.913_1, 345_259, 0.0),
            row(1281.0, 1108, 2653.3554, 10113, 3.0),
            row(1445.4, 1260, 76.3346, 5603, 16.2),
        ]),
        fill: "44",
    },
];

/// The numbers of section 4.4 for a map: milliseconds to rebuild the hierarchy, steps that the agent took meanwhile,
/// milliseconds to search.
pub(super) struct PrintedChange {
    pub(super) rebuild_ms: f64,
    pub(super) steps: u32,
    pub(super) search_ms: f64,
}

/// The wall, on drywatergulch.
pub(super) const WALL: (&str, PrintedChange) =
    ("drywatergulch", PrintedChange { rebuild_ms: 1408.1178, steps: 2, search_ms: 45.1275 });
/// The corridor, on `AcrosstheCape`.
pub(super) const CORRIDOR: (&str, PrintedChange) =
    ("AcrosstheCape", PrintedChange { rebuild_ms: 3858.2258, steps: 7, search_ms: 78.3716 });

/// Returns what the thesis prints for a map, if it has the map.
pub(super) fn printed(map: &str) -> Option<&'static Printed> {
    THESIS.iter().find(|printed| printed.map == map)
}

/// Returns the rules of the thesis: a diagonal step needs no free cells except its ends and costs 1.4.
///
/// # Panics
/// Never: the metric is sound.
pub(super) fn rules() -> Rules {
    let metric = Metric::new(10, 14).expect("a sound metric");
    Rules { corners: Corners::Loose, metric: Some(metric), ..Rules::default() }
}

/// The maps lie in the folders of their games, below the one in which maps are searched for.
pub(super) const GROUND: Ground = Ground { shelf: "", folder, look_alikes };

fn folder(folder: &Path) -> Result<Maps, MapsError> {
    Maps::named(folder, &THESIS.map(|printed| printed.map), rules())
}

/// Generates caves as large as the maps of the thesis and about as open, or with half their sides if `quick` is set.
///
/// # Panics
/// Never: sizes and settings are sound.
fn look_alikes(quick: bool) -> Maps {
    let map = |(index, printed): (usize, &Printed)| {
        let [width, height] = if quick { printed.size.map(|side| side / 2) } else { printed.size };
        let recipe = Kind::Caves.recipe();
        let settings = recipe.settings(&[("fill", printed.fill)]).expect("sound settings");
        let grid = generate(recipe, width, height, index as u64, &settings, rules()).expect("a sound size");
        Map { name: printed.map.to_owned(), world: Snapshot::from(grid), asked: Vec::new() }
    };
    let from = "the generator (look-alikes of the thesis' maps)".to_owned();
    Maps { from, grids: THESIS.iter().enumerate().map(map).collect(), meshes: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn look_alikes_are_about_as_large_and_as_open_as_the_maps() {
        for (map, printed) in look_alikes(false).grids.iter().zip(&THESIS) {
            let cells = map.world.width() * map.world.height();
            let free = map.world.free_cells() as f64 / cells as f64 * 100.0;
            assert_eq!([map.world.width(), map.world.height()], printed.size);
            assert!((free - printed.free_percent).abs() < 15.0, "{}: {free:.1} % free", map.name);
        }
    }

    #[test]
    fn the_percents_follow_from_the_costs_but_on_one_map() {
        for printed in &THESIS {
            let Some([exact, others @ ..]) = printed.searches else { continue };
            for other in others {
                let percent = (other.cost / exact.cost - 1.0) * 100.0;
                let near = (percent - other.percent).abs() < 0.3;
                assert_eq!(near, printed.map != "brc101d", "{}: {percent:.1} %", printed.map);
            }
        }
    }
}
