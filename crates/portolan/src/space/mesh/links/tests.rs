//! Tests of links: what is refused, what can be reached, and the cheapest corridors over them. Not here: tests of whole routes,
//! which are those of all meshes (`mesh/tests.rs`).

use super::*;
use crate::generate::Random;
use crate::method::Task;
use crate::query::{Outcome, Query};
use crate::registry::MESH_ALGORITHMS;
use crate::scratch::Scratch;
use crate::search::over_polygons::OverPolygons;
use crate::space::mesh::plan::Spot;
use crate::space::mesh::scenery::{crooked, linked, somewhere};
use crate::space::mesh::{MeshEdit, MeshParts};
use crate::space::{Motion, Space, Terrain, World};
use std::collections::{BTreeMap, BTreeSet};

/// Returns three islands in a row, each of two squares, with these links: of an island and a place on it to another.
fn islands(links: &[([f64; 2], [f64; 2], f64, bool)]) -> NavMesh {
    let mut parts = MeshParts::default();
    for island in 0..3 {
        let (x, first) = (f64::from(island) * 10.0, parts.vertices.len() as u32);
        for x in [x, x + 3.0, x + 6.0] {
            parts.vertices.extend([[x, 0., 0.], [x, 3., 0.]]);
        }
        parts.push(&[first, first + 2, first + 3, first + 1], 1);
        parts.push(&[first + 2, first + 4, first + 5, first + 3], 1);
    }
    let link = |&(from, to, cost, both_ways): &([f64; 2], [f64; 2], f64, bool)| {
        let [from, to] = [from, to].map(|at| [at[0], at[1], 0.0]);
        MeshLink { from, to, cost, both_ways }
    };
    parts.links = links.iter().map(link).collect();
    NavMesh::new(&parts).expect("links from island to island")
}

#[test]
fn links_off_the_mesh_or_of_no_cost_are_refused() {
    let fine = islands(&[([1., 1.], [11., 1.], 2.0, false)]).to_parts();
    let refused = |change: &dyn Fn(&mut MeshLink)| {
        let mut parts = fine.clone();
        parts.links.push(parts.links[0]);
        change(&mut parts.links[1]);
        NavMesh::new(&parts).map(|_| ()).unwrap_err()
    };
    let fault = MeshError::Link { link: 1 };
    assert_eq!(refused(&|link| link.from[0] = 8.0), fault);
    assert_eq!(refused(&|link| link.to[1] = -8.0), fault);
    assert_eq!(refused(&|link| link.to[2] = f64::NAN), fault);
    assert_eq!(refused(&|link| link.cost = -1.0), fault);
    assert_eq!(refused(&|link| link.cost = f64::INFINITY), fault);
    assert_eq!(refused(&|link| link.cost = 1e9), fault);
    let mut many = fine.clone();
    many.links = vec![fine.links[0]; 5000];
    let most = MeshError::TooMany { what: "ends of links on one polygon", count: 5000, most: 4096 };
    assert_eq!(NavMesh::new(&many).map(|_| ()), Err(most));
}

#[test]
fn links_are_not_portals_and_tell_their_ends() {
    let mesh = islands(&[([1., 1.], [11., 1.], 2.0, false), ([1., 1.], [11., 1.], 1.5, true)]);
    assert_eq!((mesh.polygons(), mesh.portals(), mesh.links().len(), mesh.components()), (6, 3, 2, 2));
    let [from, to] = mesh.link_ends(0);
    assert_eq!((mesh.link_between(from, to), mesh.link_between(to, from)), (Some(1), Some(1)));
    assert_eq!(mesh.link_between(from, from), None);
    assert!(mesh.neighbours(0).eq([1]) && mesh.across_edges(0).flatten().eq([1]));
    assert_eq!(mesh.terrain(6), Terrain::BLOCKED);
    let cost = Some(Cost((1.5 / mesh.step()) as u32));
    assert_eq!(mesh.segment(from, to, Motion::AnyAngle), cost);
    assert_eq!(mesh.segment(to, from, Motion::Steps), cost);
    assert!((mesh.length(&[from, to], Motion::AnyAngle) - 1.5).abs() < 1e-5);
}

#[test]
fn one_way_links_lead_one_way() {
    let mut world = World::from(islands(&[([1., 1.], [11., 1.], 2.0, false), ([12., 1.], [21., 1.], 2.0, false)]));
    let [a, b, c] = [0, 2, 4].map(|polygon| world.centre(polygon));
    assert_eq!(world.components(), 3);
    assert!(world.reaches(a, c) && world.reaches(b, c) && !world.reaches(c, a) && !world.reaches(b, a));
    // Where a one-way link leads back, all three islands are one.
    let circle = islands(&[
        ([1., 1.], [11., 1.], 2.0, false),
        ([12., 1.], [21., 1.], 2.0, false),
        ([22., 1.], [2., 1.], 9.0, false),
    ]);
    assert_eq!((circle.components(), circle.component(a) == circle.component(c)), (1, true));
    for algorithm in MESH_ALGORITHMS {
        let planner = algorithm.build(&world).unwrap();
        let find = |from, to| planner.find(&world, Query::new(from, to), &mut Scratch::new()).unwrap();
        let Outcome::Reached(route) = find(a, c) else { panic!("{}", algorithm.name) };
        route.check(&world).unwrap();
        let links: Vec<usize> = route.cells().windows(2).filter_map(|it| world.link_between(it[0], it[1])).collect();
        assert_eq!(links, [0, 1], "{}", algorithm.name);
        let Outcome::Reached(lazy) = planner.plan(&world, Query::new(a, c), &mut Scratch::new()).unwrap() else {
            panic!("{}", algorithm.name)
        };
        assert!(lazy.cost().is_some_and(|cost| cost.0.abs_diff(route.cost().0) < 16), "{}", algorithm.name);
        assert_eq!(find(c, a), Outcome::Unreachable, "{}", algorithm.name);
        let costs = planner.distances(&world, a, &[a, b, c], &mut Scratch::new()).unwrap();
        assert_eq!(costs[2], Some(route.cost()));
        assert_eq!(planner.distances(&world, c, &[a], &mut Scratch::new()).unwrap(), [None]);
    }
    let near = world.nearest_reachable(b, a).unwrap();
    assert_eq!(near.polygon, 2);
    assert_eq!(world.nearest_reachable(a, c), Some(c));
    world.apply(&[MeshEdit::new(2, Terrain::BLOCKED)]).unwrap();
    assert!(!world.reaches(a, c) && world.reaches(a, a) && !world.reaches(a, b));
}

/// The places of a corridor: the middles of portals, each with its polygons, and the ends of links.
struct Web {
    edges: BTreeMap<usize, Vec<(usize, u64)>>,
    count: usize,
}

impl Web {
    /// Lists what leads from place to place, from the parts of the mesh and its portals: 0 is the start, 1 the goal.
    fn of(mesh: &NavMesh, from: MeshPoint, to: MeshPoint) -> Web {
        let mut places: Vec<(Vec<u32>, Spot)> = vec![(vec![from.polygon], from.spot()), (vec![to.polygon], to.spot())];
        for portal in 0..mesh.portals() {
            places.push((mesh.shape.portals[portal].polygons.to_vec(), mesh.shape.middles[portal]));
        }
        let first = places.len();
        let links: Vec<MeshLink> = mesh.links().collect();
        for link in 0..links.len() {
            places.extend(mesh.link_ends(link).map(|end| (vec![end.polygon], end.spot())));
        }
        let mut edges: BTreeMap<usize, Vec<(usize, u64)>> = BTreeMap::new();
        for (a, (polygons, at)) in places.iter().enumerate() {
            for (b, (others, to)) in places.iter().enumerate().filter(|&(b, _)| b != a) {
                let shared = polygons.iter().filter(|polygon| others.contains(polygon) && mesh.is_free(**polygon));
                let costs = shared.map(|&polygon| at.distance(*to).ceil() as u64 * u64::from(mesh.weight(polygon)));
                edges.entry(a).or_default().extend(costs.map(|cost| (b, cost)));
            }
        }
        for (number, link) in links.iter().enumerate() {
            let (begin, end) = (first + 2 * number, first + 2 * number + 1);
            let cost = (link.cost / mesh.step()).ceil().max(1.0) as u64;
            if mesh.link_ends(number).iter().all(|end| mesh.is_free(end.polygon)) {
                edges.entry(begin).or_default().push((end, cost));
                if link.both_ways {
                    edges.entry(end).or_default().push((begin, cost));
                }
            }
        }
        Web { edges, count: places.len() }
    }

    /// Returns the least cost from the start to the goal.
    fn least(&self) -> Option<u64> {
        let mut costs = vec![None; self.count];
        let mut open = BTreeSet::from([(0, 0)]);
        while let Some((cost, at)) = open.pop_first() {
            if costs[at].is_some() {
                continue;
            }
            costs[at] = Some(cost);
            open.extend(self.edges.get(&at).into_iter().flatten().map(|&(to, more)| (cost + more, to)));
        }
        costs[1]
    }
}

#[test]
fn corridors_over_links_cost_what_a_plain_search_finds() {
    let mut random = Random::new(31);
    let mut scratch = Scratch::new();
    let (mut found, mut none) = (0, 0);
    for round in 0..60 {
        let plain = crooked(&mut random, 6, 40, 1 + round % 3);
        let mut world = World::from(linked(&mut random, &plain, 8));
        for _ in 0..10 {
            let polygon = random.below(world.polygons() as u64) as u32;
            world.apply(&[MeshEdit::new(polygon, Terrain::of_weight(random.below(3) as u8))]).unwrap();
            let (from, to) = (somewhere(&mut random, &world), somewhere(&mut random, &world));
            let least = Web::of(&world, from, to).least();
            assert_eq!(least.is_some(), world.reaches(from, to), "{from} to {to}");
            let both = world.reaches(from, to) && world.reaches(to, from);
            assert_eq!(both, world.component(from) == world.component(to));
            let Some(least) = least else {
                none += 1;
                continue;
            };
            for is_guided in [true, false] {
                let search = OverPolygons { is_guided, by_centres: false };
                let task = Task::<NavMesh> { grid: &world, from, to };
                crate::method::Method::reserve(&search, &world, &mut scratch).unwrap();
                crate::method::Method::begin(&search, task, &mut scratch);
                crate::method::Method::step(&search, task, &mut scratch, &mut { u64::MAX }, None);
                // Without short cuts, there is no search on one polygon.
                if from.polygon != to.polygon || world.has_short_cuts() {
                    assert_eq!(scratch.state.best, least, "guided: {is_guided}, {from} to {to}");
                }
            }
            found += 1;
        }
    }
    assert!(found > 200 && none > 50, "{found} with a way, {none} without");
}

#[test]
fn a_teleport_on_one_polygon_shortens_the_way_there() {
    let mesh = islands(&[([0.5, 0.5], [2.5, 2.5], 0.0, false)]);
    let world = World::from(mesh);
    let [from, to] = [[0.5, 0.25], [2.75, 2.5]].map(|at| world.point(at).unwrap());
    for algorithm in MESH_ALGORITHMS {
        let planner = algorithm.build(&world).unwrap();
        let find =
            |from, to| planner.find(&world, Query::new(from, to), &mut Scratch::new()).unwrap().into_route().unwrap();
        let (there, back) = (find(from, to), find(to, from));
        there.check(&world).unwrap();
        back.check(&world).unwrap();
        assert!((there.length(&world) - 0.5).abs() < 1e-4, "{}: {}", algorithm.name, there.length(&world));
        assert_eq!(back.cells(), [to, from], "{}", algorithm.name);
    }
}

/// Few short cuts are looked at one by one, so that a teleport elsewhere does not make a search go in all directions.
#[test]
fn estimates_tell_which_short_cuts_are_worth_it() {
    let mut random = Random::new(32);
    let plain = crooked(&mut random, 40, 5, 1);
    let mut parts = plain.to_parts();
    let (from, to) = ([19.5, 20.5, 0.0], [26.5, 20.5, 0.0]);
    for place in [[2.5, 2.5, 0.0], [3.5, 36.5, 0.0], [37.5, 3.5, 0.0]] {
        let [begin, end] = [place, from].map(|at| plain.coordinates(plain.nearest(at).unwrap()));
        parts.links.push(MeshLink { from: begin, to: end, cost: 0.1, both_ways: true });
    }
    let expanded = |mesh: &NavMesh, name: &str| {
        let world = World::from(mesh.clone());
        let planner = crate::planner::Planner::new(&world, name).unwrap();
        let query = Query::new(world.nearest(from).unwrap(), world.nearest(to).unwrap());
        let mut stats = crate::probe::Stats::default();
        planner.watch(&world, query, &mut Scratch::new(), &mut stats).unwrap();
        stats.expanded
    };
    let linked = NavMesh::new(&parts).unwrap();
    assert_eq!(linked.short_cuts.len(), 6);
    for name in ["a-star", "polyanya"] {
        let [with, without] = [&linked, &plain].map(|mesh| expanded(mesh, name));
        assert!(with <= 2 * without + 10, "{name}: {with} and {without}");
    }
    assert!(expanded(&linked, "a-star") * 4 < expanded(&linked, "dijkstra"));
}

/// Many short cuts scale the estimates down; routes stay the cheapest.
#[test]
fn many_short_cuts_leave_routes_as_cheap() {
    let mut random = Random::new(33);
    let mut scratch = Scratch::new();
    for _ in 0..10 {
        let plain = crooked(&mut random, 12, 20, 1);
        let mut parts = plain.to_parts();
        for _ in 0..20 {
            parts.links.extend(linked(&mut random, &plain, 3).to_parts().links);
        }
        let world = World::from(NavMesh::new(&parts).unwrap());
        assert!(world.short_cuts.len() > 16);
        let planners = ["a-star", "dijkstra", "hna-star merge=3", "rhumb"].map(|text| {
            let (name, setting) = text.split_once(' ').unwrap_or((text, ""));
            let algorithm = MESH_ALGORITHMS.iter().find(|algorithm| algorithm.name == name).unwrap();
            let settings = algorithm.settings(setting.split_once('=').as_slice()).unwrap();
            crate::planner::Planner::build(&world, algorithm, settings).unwrap()
        });
        for _ in 0..20 {
            let (from, to) = (somewhere(&mut random, &world), somewhere(&mut random, &world));
            let found = planners.each_ref().map(|by| by.find(&world, Query::new(from, to), &mut scratch).unwrap());
            found.iter().filter_map(Outcome::route).for_each(|route| route.check(&world).unwrap());
            let names = found.each_ref().map(Outcome::name);
            assert_eq!(names, [names[0]; 4]);
            let Some(least) = Web::of(&world, from, to).least() else { continue };
            let search = OverPolygons { is_guided: true, by_centres: false };
            let task = Task::<NavMesh> { grid: &world, from, to };
            crate::method::Method::begin(&search, task, &mut scratch);
            crate::method::Method::step(&search, task, &mut scratch, &mut { u64::MAX }, None);
            assert_eq!(scratch.state.best, least, "{from} to {to}");
        }
    }
}

#[test]
fn a_route_over_a_link_is_followed_until_the_link_is_cut_off() {
    let mut world = World::from(islands(&[([1., 1.], [11., 1.], 2.0, false), ([2., 2.], [14., 2.], 3.0, true)]));
    let [from, to] = [1, 2].map(|polygon| world.centre(polygon));
    for algorithm in MESH_ALGORITHMS {
        let mut planner = algorithm.build(&world).unwrap();
        let (mut scratch, mut replanner) = (Scratch::new(), crate::Replanner::new(from, to));
        replanner.step(&planner, &world, &mut scratch, u64::MAX).unwrap();
        assert!(replanner.left().windows(2).any(|part| world.link_between(part[0], part[1]) == Some(0)));
        for (terrain, is_reached) in [(Terrain::BLOCKED, false), (Terrain::of_weight(1), true)] {
            let edits = [MeshEdit::new(0, terrain)];
            world.apply(&edits).unwrap();
            planner.repair(&world, &edits).unwrap();
            replanner.edited(&planner, &world, &edits);
            let progress = replanner.step(&planner, &world, &mut scratch, u64::MAX).unwrap();
            assert_eq!(progress != crate::Progress::Unreachable, is_reached, "{}: {progress:?}", algorithm.name);
        }
    }
}
