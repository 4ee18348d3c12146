//! The numbers that chapters 3 and 4 of the thesis print.

/// What the thesis prints about one of its worlds.
#[derive(Debug)]
pub(super) struct PrintedMap {
    pub(super) map: &'static str,
    /// Polygons of its mesh.
    pub(super) polygons: usize,
    /// Milliseconds of a query of A*.
    pub(super) a_star_ms: Option<f64>,
    pub(super) times: &'static [PrintedTime],
    /// Its row of table 4.1.
    pub(super) agents: Option<PrintedAgents>,
}

/// Milliseconds of a query of HNA* with so many levels and so much merging.
#[derive(Copy, Clone, Debug)]
pub(super) struct PrintedTime {
    pub(super) levels: u32,
    pub(super) merge: usize,
    pub(super) original_ms: Option<f64>,
    pub(super) pccp_ms: Option<f64>,
}

/// The most agents that are given routes one after another at 25 frames a second.
#[derive(Copy, Clone, Debug)]
pub(super) struct PrintedAgents {
    pub(super) levels: u32,
    pub(super) merge: usize,
    pub(super) a_star: u32,
    pub(super) original: u32,
    /// Connected by searches on a GPU.
    pub(super) cuda: u32,
    pub(super) pccp: u32,
}

const fn time(levels: u32, merge: usize, original_ms: Option<f64>, pccp_ms: Option<f64>) -> PrintedTime {
    PrintedTime { levels, merge, original_ms, pccp_ms }
}

/// Figure 3.15. The time of PCCP is A*'s divided by 9.3, the speed-up that the text names.
pub(super) const CITY_ISLAND: PrintedMap = PrintedMap {
    map: "City Island",
    polygons: 5_515,
    a_star_ms: Some(2.2),
    times: &[time(2, 10, None, Some(2.2 / 9.3)), time(3, 10, None, Some(0.411))],
    agents: Some(PrintedAgents { levels: 1, merge: 20, a_star: 18, original: 11, cuda: 48, pccp: 63 }),
};

/// Figure 3.16.
pub(super) const TROPICAL_ISLAND: PrintedMap = PrintedMap {
    map: "Tropical Island",
    polygons: 12_700,
    a_star_ms: Some(1.7),
    times: &[time(2, 20, Some(2.058), Some(0.396)), time(3, 10, Some(9.9), Some(0.25))],
    agents: Some(PrintedAgents { levels: 2, merge: 10, a_star: 24, original: 5, cuda: 62, pccp: 140 }),
};

/// Figure 3.17.
pub(super) const MEDIEVAL_CITY: PrintedMap = PrintedMap {
    map: "Medieval City",
    polygons: 16_867,
    a_star_ms: Some(3.0),
    times: &[
        time(2, 15, Some(1.28), None),
        time(2, 20, None, Some(1.83)),
        time(3, 10, None, Some(1.76)),
        time(3, 15, Some(3.29), None),
    ],
    agents: None,
};

/// Section 4.5.
pub(super) const PARIS: PrintedMap =
    PrintedMap { map: "Paris", polygons: 22_366, a_star_ms: None, times: &[], agents: None };

/// The greatest speed-up of PCCP over A* in chapter 3.
pub(super) const BEST_SPEEDUP: f64 = 9.3;
/// Milliseconds of connecting with three levels and ten merged into one in the Medieval City: originally, and by PCCP.
pub(super) const CONNECTING_MS: [f64; 2] = [7.43, 0.011];
/// Megabytes of PCCP in the Medieval City, and for the 119 polygons of the scene Dungeon.
pub(super) const PCCP_MB: [f64; 2] = [49.6, 2.9];
/// By how many percent routes priced from centres differ in length on average: those over 100 m, and shorter ones.
pub(super) const OFFSET_PERCENT: [f64; 2] = [3.0, 5.0];
/// The least and the greatest speed-up of PCCP over A* with many agents, figure 4.3. Both ran on a GPU.
pub(super) const BATCH_SPEEDUP: [f64; 2] = [4.3, 15.7];
