//! The memory that all pages share. Memory for anything large is reserved before it is made ([`Budget::reserve`]), by
//! an estimate where its size is not known. Afterwards its real size is counted ([`Share::settle`]), until it is freed.
//! A page that asks for more than is left gets an error and keeps what it has.
//!
//! Not here: the worlds, planners and answers that take the memory.

use portolan::any::{AnyAlgorithm, AnyPlanner, AnySnapshot};
use portolan::outline::Census;
use portolan::settings::Settings;
use portolan::{NavMesh, Stale};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Bytes for each cell while a world is opened: made or read, checked and sent.
const OPENING: usize = 24;
/// Bytes for each cell of an open world while a route is searched for, besides the planner: records, open lists and the
/// planner of the referee.
const SEARCHING: usize = 24;
/// Bytes of a chart for each polygon and portal of a mesh, with settings that make it large.
const CHART_ON_MESH: usize = 1536;
/// Bytes for each polygon and portal while a route is searched for on a mesh: records, intervals and open lists.
const SEARCHING_ON_MESH: usize = 128;
/// Most copies that a world holds of its grid: edits are applied to a second copy while the first is read.
const COPIES: usize = 2;

/// How many times as much a planner takes with other settings, at most: with small clusters, or with trees in large
/// clusters.
const ODD_SETTINGS: usize = 3;

/// How often an outline is held at a time, as arrays and as an encoded answer.
const OUTLINES: usize = 3;
/// Bytes that an outline takes for each cell of the world, besides its layers.
const OUTLINING: usize = 4;
/// Bytes of an outline for each cell in each layer, and for each edge: a planner need not keep the regions to which cells
/// belong, nor edges that it can compute.
const LABEL: usize = size_of::<u32>();
const EDGE: usize = 2 * size_of::<portolan::Cell>();

/// The bytes that all pages together may take, and the bytes that are taken.
#[derive(Debug)]
pub(crate) struct Budget {
    total: usize,
    used: AtomicUsize,
}

/// Bytes that are taken from a budget until this is dropped.
#[derive(Debug)]
pub(crate) struct Share {
    budget: Arc<Budget>,
    bytes: usize,
}

/// The error if a budget has too few bytes left.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "this takes up to {} MiB, and {} of {} MiB are left for all pages; close another page, choose a smaller world or \
     another algorithm, or start the studio with a larger --memory",
    .needed.div_ceil(1 << 20), .left >> 20, .total >> 20
)]
pub(crate) struct Full {
    needed: usize,
    left: usize,
    total: usize,
}

impl Budget {
    pub(crate) fn new(total: usize) -> Arc<Budget> {
        Arc::new(Budget { total, used: AtomicUsize::new(0) })
    }

    /// Takes so many bytes if as many are left.
    pub(crate) fn reserve(self: &Arc<Budget>, bytes: usize) -> Result<Share, Full> {
        let mut share = self.count(0);
        share.grow(bytes)?;
        Ok(share)
    }

    /// Counts bytes that are in use already, whether or not as many are left.
    pub(crate) fn count(self: &Arc<Budget>, bytes: usize) -> Share {
        self.used.fetch_add(bytes, Ordering::Relaxed);
        Share { budget: Arc::clone(self), bytes }
    }
}

impl Share {
    /// Takes so many more bytes if as many are left. Taking 0 bytes always succeeds.
    pub(crate) fn grow(&mut self, more: usize) -> Result<(), Full> {
        let total = self.budget.total;
        let grown = |used: usize| used.checked_add(more).filter(|&grown| grown <= total || more == 0);
        match self.budget.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, grown) {
            Ok(_) => {
                self.bytes += more;
                Ok(())
            }
            Err(used) => Err(Full { needed: more, left: total.saturating_sub(used), total }),
        }
    }

    /// Sets the size of the share to that of what was made. This fails if the share has to grow and too few bytes are
    /// left.
    pub(crate) fn fit(&mut self, bytes: usize) -> Result<(), Full> {
        self.grow(bytes.saturating_sub(self.bytes))?;
        self.settle(bytes);
        Ok(())
    }

    /// Sets the size of the share to that of what there is, whether or not as many bytes are left.
    pub(crate) fn settle(&mut self, bytes: usize) {
        self.budget.used.fetch_add(bytes, Ordering::Relaxed);
        self.budget.used.fetch_sub(self.bytes, Ordering::Relaxed);
        self.bytes = bytes;
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.settle(0);
    }
}

/// Returns the bytes that opening a world of so many cells may take.
pub(crate) fn opening(cells: usize) -> usize {
    OPENING * cells
}

/// Returns the bytes that an open world takes.
pub(crate) fn world(world: &AnySnapshot) -> usize {
    COPIES * world.bytes()
}

/// Returns the bytes that searching for a route may take besides the planner.
pub(crate) fn searching(world: &AnySnapshot) -> usize {
    SEARCHING * cells(world)
}

/// Returns the bytes that building a planner may take.
pub(crate) fn building(algorithm: AnyAlgorithm, settings: &Settings, cells: usize) -> usize {
    let usual = algorithm.settings::<&str, &str>(&[]).is_ok_and(|usual| usual == *settings);
    let by_cells = algorithm.bytes_per_cell() * cells * if usual { 1 } else { ODD_SETTINGS };
    by_cells + algorithm.table_bytes(cells, settings)
}

/// Returns the bytes that building any planner on a mesh may take.
pub(crate) fn building_on_mesh(world: &NavMesh) -> usize {
    CHART_ON_MESH * nodes(world)
}

/// Returns the bytes that searching for a route on a mesh may take besides the planner.
pub(crate) fn searching_on_mesh(world: &NavMesh) -> usize {
    SEARCHING_ON_MESH * nodes(world)
}

/// Returns the number of nodes of searches on a mesh.
fn nodes(world: &NavMesh) -> usize {
    world.polygons() + world.portals()
}

/// Returns the bytes that the outline of a planner may take. It is an error if the planner does not know the world.
pub(crate) fn outlining(planner: &AnyPlanner, world: &AnySnapshot) -> Result<usize, Stale> {
    let layer = |census: &Census| LABEL * cells(world) + EDGE * (census.inter_edges + census.intra_edges);
    let layers: usize = planner.census(world)?.iter().map(layer).sum();
    Ok(OUTLINES * (planner.bytes() + layers) + OUTLINING * cells(world))
}

pub(crate) fn cells(world: &AnySnapshot) -> usize {
    world.width() * world.height()
}

#[cfg(test)]
mod tests {
    use super::*;
    use portolan::generate::{RECIPES, generate};
    use portolan::{HexGrid, Rules};

    fn used(budget: &Budget) -> usize {
        budget.used.load(Ordering::Relaxed)
    }

    #[test]
    fn what_is_taken_is_given_back() {
        let budget = Budget::new(100);
        let mut first = budget.reserve(60).unwrap();
        let full = budget.reserve(41).unwrap_err();
        assert_eq!(full, Full { needed: 41, left: 40, total: 100 });
        let second = budget.reserve(40).unwrap();
        assert!(first.grow(1).is_err() && first.fit(61).is_err());
        first.settle(70);
        assert_eq!(used(&budget), 110, "what is there is counted");
        assert!(first.fit(50).is_ok());
        drop(second);
        assert!(first.fit(100).is_ok() && budget.reserve(1).is_err() && budget.reserve(usize::MAX).is_err());
        drop(first);
        assert_eq!(used(&budget), 0);
    }

    #[test]
    fn planners_keep_within_their_estimates() {
        for recipe in RECIPES {
            let settings = recipe.settings::<&str, &str>(&[]).unwrap();
            let grid = generate(recipe, 120, 120, 1, &settings, Rules::default()).unwrap();
            let hexes = HexGrid::from_weights(120, 120, &grid.to_weights(), None).unwrap();
            for world in [AnySnapshot::from(grid), AnySnapshot::from(hexes)] {
                for algorithm in world.algorithms() {
                    keeps_within_its_estimates(algorithm, &world, recipe.name);
                }
            }
        }
    }

    #[test]
    fn planners_on_meshes_keep_within_their_estimate() {
        let geometry = portolan_mesh::city(portolan_mesh::CityOptions::new(4, 4).unwrap(), 1);
        let go_on = &mut |_| std::ops::ControlFlow::Continue(());
        let parts = portolan_mesh::build(&geometry, &portolan_mesh::BuildOptions::default(), go_on).unwrap();
        let world = portolan::Snapshot::from(NavMesh::new(&parts).unwrap());
        for algorithm in portolan::MESH_ALGORITHMS {
            let ends = algorithm.params.iter().flat_map(|param| match param.range {
                portolan::settings::Range::Count(least, most) => {
                    vec![(param.name, least.to_string()), (param.name, most.to_string())]
                }
                _ => vec![],
            });
            for pairs in ends.map(|pair| vec![pair]).chain([vec![]]) {
                let settings = algorithm.settings(&pairs).unwrap();
                let planner = portolan::Planner::build(&world, algorithm, settings).unwrap();
                let (bytes, estimate) = (planner.bytes(), building_on_mesh(&world));
                assert!(bytes <= estimate, "{} with {pairs:?}: {bytes} bytes, more than {estimate}", algorithm.name);
            }
        }
    }

    /// Checks this for the ends of the range of every parameter.
    fn keeps_within_its_estimates(algorithm: AnyAlgorithm, world: &AnySnapshot, of: &str) {
        for param in algorithm.params() {
            let values = match param.range {
                portolan::settings::Range::Choice(words) => words.iter().map(ToString::to_string).collect(),
                portolan::settings::Range::Number(least, most) => vec![least.to_string(), most.to_string()],
                portolan::settings::Range::Count(least, most) => {
                    vec![least.to_string(), 8.to_string(), most.to_string()]
                }
                _ => unreachable!("there are no others"),
            };
            for value in values {
                let Ok(settings) = algorithm.settings(&[(param.name, &value)]) else { continue };
                let estimate = building(algorithm, &settings, cells(world));
                let Ok(planner) = AnyPlanner::build(world, algorithm, settings) else { continue };
                let bytes = planner.bytes();
                let what = format!("{} with {}={value} on {of}", algorithm.name(), param.name);
                assert!(bytes <= estimate, "{what}: {bytes} bytes, more than {estimate}");
            }
        }
    }
}
