//! Answers the published scenarios on meshes, and compares the routes with those of crate `polyanya` and with the stated
//! lengths.
//!
//! The files are looked for in the folder `mesh` of the one that `PORTOLAN_MAPS` names, or else of `../shared/maps` beside
//! the repository.

use glam::Vec2;
use portolan::algorithms::mesh::{A_STAR, HNA_STAR, POLYANYA};
use portolan::{MeshPoint, NavMesh, Planner, Query, Scratch, World};
use portolan_formats::mesh_scen::MeshScenQuery;
use portolan_formats::{read_mesh, read_mesh_scenario};
use std::path::{Path, PathBuf};

/// What the lengths in a file of scenarios are.
#[derive(Copy, Clone, PartialEq)]
enum Stated {
    /// The shortest at any angle.
    Optima,
    /// The shortest on the grid from which the mesh was made, so upper bounds.
    OnGrid,
}

/// By how much two lengths may differ because of rounding, as a share of them.
const ROUNDING: f64 = 1e-4;

/// Returns the folder of meshes, or prints that it is not there and returns `None`.
fn folder() -> Option<PathBuf> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/maps");
    let folder = std::env::var_os("PORTOLAN_MAPS").map_or_else(beside, PathBuf::from).join("mesh");
    if folder.is_dir() {
        return Some(folder);
    }
    println!("skipped: no meshes at {}; PORTOLAN_MAPS can name the folder", folder.display());
    None
}

/// A mesh and the planners on it.
struct Planners {
    world: World<NavMesh>,
    any_angle: Planner<NavMesh>,
    others: [Planner<NavMesh>; 2],
    /// By how much two lengths on this mesh may differ apart from [`ROUNDING`].
    margin: f64,
}

impl Planners {
    fn new(mesh: NavMesh) -> Planners {
        let world = World::from(mesh);
        let any_angle = POLYANYA.build(&world).unwrap();
        let others = [&A_STAR, &HNA_STAR].map(|algorithm| algorithm.build(&world).unwrap());
        let margin = 20.0 * world.step();
        Planners { world, any_angle, others, margin }
    }

    /// Returns whether two lengths are equal but for rounding.
    fn is_equal(&self, a: f64, b: f64) -> bool {
        (a - b).abs() <= ROUNDING * b + self.margin
    }

    /// Returns every free polygon's point at a place. There are several where polygons touch.
    fn readings(&self, at: [f64; 2]) -> Vec<MeshPoint> {
        let free = (0..self.world.polygons() as u32).filter(|&polygon| self.world.is_free(polygon));
        free.filter_map(|polygon| self.world.point_on(polygon, at)).collect()
    }

    /// Returns the length of the shortest route between any polygons at the places of a query.
    fn best_reading(&self, query: &MeshScenQuery, scratch: &mut Scratch<NavMesh>) -> Option<f64> {
        let (starts, goals) = (self.readings(query.from), self.readings(query.to));
        let pairs = starts.iter().flat_map(|&from| goals.iter().map(move |&to| (from, to)));
        let lengths = pairs.filter_map(|(from, to)| length(&self.any_angle, &self.world, from, to, scratch));
        lengths.min_by(f64::total_cmp)
    }
}

/// Returns the length of the route that a planner finds, after checking the route. `None` if there is none.
fn length(
    planner: &Planner<NavMesh>,
    world: &World<NavMesh>,
    from: MeshPoint,
    to: MeshPoint,
    scratch: &mut Scratch<NavMesh>,
) -> Option<f64> {
    let route = planner.find(world, Query::new(from, to), scratch).unwrap().into_route()?;
    route.check(world).unwrap_or_else(|fault| panic!("from {from} to {to}: {fault}"));
    assert_eq!((route.cells().first(), route.cells().last()), (Some(&from), Some(&to)));
    Some(route.length(world))
}

/// Returns the length of the peer's shortest route, summed up in double precision.
fn peer_length(peer: &polyanya::Mesh, query: &MeshScenQuery) -> Option<f64> {
    let [from, to] = [query.from, query.to].map(|[x, y]| Vec2::new(x as f32, y as f32));
    let mut at = from.as_dvec2();
    let leg = |&next: &Vec2| {
        let length = at.distance(next.as_dvec2());
        at = next.as_dvec2();
        length
    };
    Some(peer.path(from, to)?.path.iter().map(leg).sum())
}

/// Answers the queries of a scenario and returns what is wrong with the answers.
fn faults(name: &str, scenario: &str, stated: Stated) -> Option<Vec<String>> {
    let folder = folder()?;
    let file = folder.join(format!("{name}.mesh"));
    let mesh = NavMesh::new(&read_mesh(&file).unwrap_or_else(|fault| panic!("{fault}"))).unwrap();
    let mut peer: polyanya::Mesh = polyanya::PolyanyaFile::from_file(file.to_str().unwrap()).try_into().unwrap();
    peer.bake();
    let scenario = read_mesh_scenario(&folder.join(scenario)).unwrap_or_else(|fault| panic!("{fault}"));
    assert!(!scenario.queries.is_empty());
    let (planners, mut scratch) = (Planners::new(mesh), Scratch::new());
    let mut faults = Vec::new();
    for query in &scenario.queries {
        if let Err(fault) = judge(&planners, &peer, query, stated, &mut scratch) {
            let ([sx, sy], [gx, gy]) = (query.from, query.to);
            faults.push(format!("{name}: from {sx},{sy} to {gx},{gy}: {fault}"));
        }
    }
    println!("{name}: {} queries, {} faults", scenario.queries.len(), faults.len());
    Some(faults)
}

/// Answers one query with every planner.
fn judge(
    planners: &Planners,
    peer: &polyanya::Mesh,
    query: &MeshScenQuery,
    stated: Stated,
    scratch: &mut Scratch<NavMesh>,
) -> Result<(), String> {
    let [from, to] = [query.from, query.to].map(|[x, y]| planners.world.nearest([x, y, 0.0]).unwrap());
    let found = length(&planners.any_angle, &planners.world, from, to, scratch);
    let least = peer_length(peer, query);
    let (Some(found), Some(least)) = (found, least) else {
        return Err(format!("our route is {found:?} long, the peer's {least:?}"));
    };
    // Where polygons touch, our query names one of them, and the peer takes the best.
    let best =
        if planners.is_equal(found, least) { found } else { planners.best_reading(query, scratch).unwrap_or(found) };
    if !planners.is_equal(best, least) {
        return Err(format!("our route is {best} long, the peer's {least}, stated is {}", query.length));
    }
    let is_as_stated = match stated {
        Stated::Optima => planners.is_equal(best, query.length),
        Stated::OnGrid => best <= query.length * (1.0 + ROUNDING) + planners.margin,
    };
    if !is_as_stated {
        return Err(format!("our route is {best} long, and stated is {}", query.length));
    }
    for planner in &planners.others {
        let name = planner.algorithm().name;
        let length =
            length(planner, &planners.world, from, to, scratch).ok_or_else(|| format!("{name} finds no route"))?;
        if length < found * (1.0 - ROUNDING) - planners.margin {
            return Err(format!("the route of {name} is {length} long, and the shortest is {found}"));
        }
    }
    Ok(())
}

/// Checks that no answer to a scenario is wrong.
fn check(name: &str, scenario: &str, stated: Stated) {
    let Some(faults) = faults(name, scenario, stated) else { return };
    assert!(faults.is_empty(), "{} answers are wrong:\n{}", faults.len(), faults[..faults.len().min(20)].join("\n"));
}

#[test]
fn arena() {
    check("arena", "arena.scen", Stated::OnGrid);
    check("arena-merged", "arena.scen", Stated::OnGrid);
}

#[test]
fn aurora() {
    check("aurora", "aurora.scen", Stated::OnGrid);
}

#[test]
fn aurora_merged() {
    check("aurora-merged", "aurora.scen", Stated::OnGrid);
}

#[test]
fn scene() {
    check("scene_mp_2p_01", "scene_mp_2p_01.mesh.scen", Stated::Optima);
}
