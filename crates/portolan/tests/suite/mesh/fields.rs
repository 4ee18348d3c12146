//! Fields on meshes: costs are the oracle's, routes are legal and lead to a goal, and a repaired field is a fresh one.

use super::oracle::Plain;
use super::worlds::{anywhere, on_random_meshes, random_edits, random_mesh, somewhere};
use crate::worlds::Pictured;
use portolan::generate::Random;
use portolan::{
    Cost, FieldError, FieldRepair, MeshEdit, MeshField, MeshLink, MeshPoint, NavMesh, Scratch, Snapshot, Space,
    Terrain, World,
};

/// Returns by how many steps costs may differ from those of the oracle, which does not round the length of each way.
fn rounding(mesh: &NavMesh) -> f64 {
    20.0 * (mesh.portals() + 2) as f64
}

/// Checks that a route leads legally from a place to a goal where there is a cost, and nowhere else.
fn check_route(world: &Snapshot<NavMesh>, field: &MeshField, at: MeshPoint, scratch: &mut Scratch<NavMesh>) {
    let told = format!("{at} of {:?} on {}", field.goals(), world.picture());
    let cost = field.cost(world, at).expect("of this world");
    let route = field.descend(world, at, scratch).expect("of this world");
    assert_eq!(route.is_some(), cost.is_some(), "{told}");
    let next = field.next(world, at, scratch).expect("of this world");
    assert_eq!(next, route.as_ref().and_then(|route| route.cells().get(1).copied()), "{told}");
    let (Some(route), Some(cost)) = (route, cost) else { return };
    route.check(world).unwrap_or_else(|error| panic!("{error}: {told}"));
    let end = route.cells().last().expect("a route has places");
    assert!(route.cells()[0] == at && field.goals().contains(end), "{told}");
    if world.uniform_weight().is_some() {
        assert!(f64::from(route.cost().0) <= f64::from(cost.0) + rounding(world), "{told}");
    }
}

#[test]
fn fields_are_those_of_the_oracle() {
    let (mut scratch, mut reached, mut left_out) = (Scratch::new(), 0, 0);
    on_random_meshes(71, 120, |random, world, goal| {
        let mut goals = vec![goal];
        (0..random.below(3)).for_each(|_| goals.extend(somewhere(random, world)));
        let field = MeshField::new(world, &goals, None, &mut scratch).expect("sound goals");
        let plain = Plain::of(world);
        for _ in 0..12 {
            let at = anywhere(random, world);
            let all = goals.iter().filter_map(|&goal| plain.corridor(world, at, goal, false));
            let exact = all.min_by(f64::total_cmp);
            let cost = field.cost(world, at).expect("of this world").map(|cost| f64::from(cost.0));
            match (cost, exact) {
                (Some(cost), Some(exact)) if (cost - exact).abs() <= rounding(world) => reached += 1,
                (None, None) => left_out += 1,
                other => panic!("{other:?} from {at} to {goals:?} on {}", world.picture()),
            }
            check_route(world, &field, at, &mut scratch);
        }
        for &goal in &goals {
            assert_eq!(field.cost(world, goal), Ok(Some(Cost(0))));
            assert_eq!(field.next(world, goal, &mut scratch), Ok(None));
        }
    });
    assert!(reached > 700 && left_out > 50, "{reached} {left_out}");
}

/// Returns a random mesh with some links.
fn linked(random: &mut Random) -> NavMesh {
    let mesh = random_mesh(random);
    let mut parts = mesh.to_parts();
    for _ in 0..random.below(5) {
        let [from, to] = [(); 2].map(|()| mesh.coordinates(anywhere(random, &mesh)));
        parts.links.push(MeshLink { from, to, cost: random.below(6) as f64 / 2.0, both_ways: random.below(2) == 0 });
    }
    NavMesh::new(&parts).expect("links between places of the mesh")
}

#[test]
fn repaired_fields_are_fresh_ones() {
    let (mut scratch, mut other) = (Scratch::new(), Scratch::new());
    let [mut mended, mut rebuilt, mut refused] = [0; 3];
    for round in 0..150 {
        let mut random = Random::new(round + 72);
        let mut world = World::from(linked(&mut random));
        let Some(goal) = somewhere(&mut random, &world) else { continue };
        let goals: Vec<MeshPoint> = [goal].into_iter().chain(somewhere(&mut random, &world)).collect();
        let whole = MeshField::new(&world, &goals, None, &mut scratch).expect("sound goals");
        let costs = (0..world.polygons() as u32).map(|polygon| whole.cost(&world, world.centre(polygon)));
        let farthest = costs.filter_map(|cost| cost.expect("of this world")).max().unwrap_or_default();
        let range = (round % 3 == 0).then_some(Cost(farthest.0 / 2));
        let mut field = MeshField::new(&world, &goals, range, &mut scratch).expect("sound goals");
        for _ in 0..16 {
            let edits = random_edits(&mut random, &world, round % 2 == 0);
            world.apply(&edits).expect("sound edits");
            let fresh = MeshField::new(&world, &goals, range, &mut other);
            match (field.sync(&world, &mut scratch), fresh) {
                (Ok(repair), Ok(fresh)) => {
                    assert!(field == fresh, "{field:?} is not {fresh:?} after {edits:?} on {}", world.picture());
                    *(if repair.rebuilt { &mut rebuilt } else { &mut mended }) += 1;
                }
                (Err(error), Err(fault)) => {
                    assert_eq!(error, fault);
                    refused += 1;
                    continue;
                }
                different => panic!("{different:?}"),
            }
            let at = anywhere(&mut random, &world);
            check_route(&world, &field, at, &mut scratch);
            if range.is_none() {
                let is_reached = goals.iter().any(|&goal| world.reaches(at, goal));
                assert_eq!(field.cost(&world, at).expect("of this world").is_some(), is_reached, "{}", world.picture());
            }
        }
    }
    println!("{mended} mended, {rebuilt} rebuilt, {refused} refused");
    assert!(mended > 500 && rebuilt > 50 && refused > 50, "{mended} {rebuilt} {refused}");
}

#[test]
fn what_cannot_be_a_field_is_an_error() {
    let mut random = Random::new(5);
    let mut world = World::from(random_mesh(&mut random));
    let goal = somewhere(&mut random, &world).expect("a polygon is free");
    let mut scratch = Scratch::new();
    assert_eq!(MeshField::new(&world, &[], None, &mut scratch), Err(FieldError::NoGoals));
    let off = MeshPoint { x: goal.x + 40_000_000, ..goal };
    assert!(matches!(MeshField::new(&world, &[off], None, &mut scratch), Err(FieldError::OffMap { .. })));
    let mut field = MeshField::new(&world, &[goal], None, &mut scratch).expect("a sound goal");
    assert_eq!(field.sync(&world, &mut scratch), Ok(FieldRepair::default()));
    let old = field.clone();
    let asked = world.apply(&[MeshEdit::new(goal.polygon, Terrain::BLOCKED)]).expect("a sound edit");
    let gap = FieldError::Gap { built: old.revision(), asked, edits: 0 };
    assert_eq!(field.repair(&world, &[], &mut scratch), Err(gap));
    assert_eq!(field.sync(&world, &mut scratch), Err(FieldError::GoalBlocked(goal)));
    assert!(field == old && field.cost(&world, goal).is_err());
    assert!(field.descend(&world, goal, &mut scratch).is_err());
}
