//! Repairs of fields: after every edit, a repaired field is equal to one that is made anew.

use crate::edits::random_edits;
use crate::hex::worlds as hex_worlds;
use crate::worlds::{Pictured, all_rules, random_free_cell, random_world};
use allocation_counter::measure;
use portolan::generate::{Random, generate, recipe};
use portolan::{
    Area, Cell, Cost, Edit, Field, FieldError, FieldRepair, Fielded, HexCell, HexGrid, Metric, Rules, Scratch,
    SquareGrid, Terrain, World,
};

/// What a storm has seen.
#[derive(Default, Debug)]
struct Seen {
    mended: usize,
    rebuilt: usize,
    refused: usize,
}

/// Repairs a field over `rounds` sets of edits, and compares it each time with a fresh one. While a goal is blocked, the field
/// must refuse and stay as it is.
fn storm<S: Fielded + Pictured>(
    world: &mut World<S>,
    mut field: Field<S>,
    rounds: usize,
    mut edits: impl FnMut(&World<S>) -> Vec<Edit>,
    seen: &mut Seen,
) {
    let (mut scratch, mut other) = (Scratch::new(), Scratch::new());
    for round in 0..rounds {
        let edits = edits(world);
        let before = world.picture();
        world.apply(&edits).expect("sound edits");
        let fresh = Field::new(world, field.goals(), field.range(), &mut other);
        let old = field.clone();
        let repair = if field.revision() == world.revision() || round % 3 == 0 || seen.refused > 0 {
            field.sync(world, &mut scratch)
        } else {
            field.repair(world, &edits, &mut scratch)
        };
        match (repair, fresh) {
            (Ok(repair), Ok(fresh)) => {
                assert!(field == fresh, "{field:?} after {edits:?} of\n{before}\nto\n{}", world.picture());
                *(if repair.rebuilt { &mut seen.rebuilt } else { &mut seen.mended }) += 1;
            }
            (Err(error), Err(fault)) => {
                assert_eq!(error, fault);
                assert_eq!(field, old);
                seen.refused += 1;
            }
            other => panic!("{other:?} after {edits:?} of\n{before}"),
        }
    }
}

/// Picks a range now and then.
fn some_range(random: &mut Random, metric: Metric) -> Option<Cost> {
    (random.below(3) == 0).then(|| Cost(random.below(u64::from(metric.straight()) * 40) as u32))
}

#[test]
fn repaired_fields_on_squares_are_fresh_ones() {
    let (mut scratch, mut seen) = (Scratch::new(), Seen::default());
    for (round, rules) in all_rules().into_iter().cycle().take(400).enumerate() {
        let mut random = Random::new(round as u64 + 900);
        let mut world = World::from((*random_world(&mut random, rules)).clone());
        let goals: Vec<Cell> = (0..=random.below(3)).filter_map(|_| random_free_cell(&mut random, &world)).collect();
        let range = some_range(&mut random, world.metric());
        let Ok(field) = Field::new(&world, &goals, range, &mut scratch) else { continue };
        let uniform = round % 3 > 0;
        storm(&mut world, field, 12, |world| random_edits(&mut random, world, uniform), &mut seen);
    }
    println!("{seen:?}");
    assert!(seen.mended > 1000 && seen.rebuilt > 50 && seen.refused > 20, "{seen:?}");
}

#[test]
fn repaired_fields_on_hexes_are_fresh_ones() {
    let (mut scratch, mut seen) = (Scratch::new(), Seen::default());
    for round in 0..400 {
        let mut random = Random::new(round + 5000);
        let mut world = World::from(hex_worlds::random_grid(&mut random));
        let goals: Vec<HexCell> =
            (0..=random.below(3)).filter_map(|_| hex_worlds::random_free_cell(&mut random, &world)).collect();
        let range = some_range(&mut random, world.metric());
        let Ok(field) = Field::<HexGrid>::new(&world, &goals, range, &mut scratch) else { continue };
        storm(&mut world, field, 12, |world| random_edits(&mut random, world, round % 3 > 0), &mut seen);
    }
    println!("{seen:?}");
    assert!(seen.mended > 1000 && seen.rebuilt > 50 && seen.refused > 20, "{seen:?}");
}

/// A generated world of some size, where hardly any edit is worth a sweep.
fn large(name: &str, rules: Rules, seed: u64) -> World {
    let recipe = recipe(name).expect("a known recipe");
    let settings = recipe.settings::<&str, &str>(&[]).expect("defaults are sound");
    World::from(generate(recipe, 200, 140, seed, &settings, rules).expect("a sound size"))
}

#[test]
fn one_field_under_thousands_of_edits_is_a_fresh_one() {
    for (seed, (name, rules)) in ["caves", "rooms", "hills", "maze"].into_iter().zip(all_rules()).enumerate() {
        let mut random = Random::new(seed as u64);
        let mut world = large(name, rules, seed as u64);
        let goal = random_free_cell(&mut random, &world).expect("there is ground");
        let field = Field::new(&world, &[goal], None, &mut Scratch::new()).expect("a sound goal");
        let mut seen = Seen::default();
        // Two by two cells are blocked, and given back by the next edit.
        let mut blocked: Option<(Area, u8)> = None;
        let edits = |world: &World| {
            if let Some((area, weight)) = blocked.take() {
                return vec![Edit::new(area, Terrain::of_weight(weight))];
            }
            let free = random_free_cell(&mut random, world).expect("there is ground");
            let area = Area { x: free.x.min(198), y: free.y.min(138), width: 2, height: 2 };
            blocked = Some((area, world.terrain(free).weight()));
            vec![Edit::new(area, Terrain::BLOCKED)]
        };
        storm(&mut world, field, 500, edits, &mut seen);
        println!("{name}: {seen:?}");
        assert!(seen.mended > 5 * seen.rebuilt, "{name}: {seen:?}");
    }
}

#[test]
fn edits_that_do_not_lead_to_the_world_are_refused() {
    let goal = [Cell::new(1, 1)];
    let mut scratch = Scratch::new();
    let mut world = World::from(SquareGrid::open(8, 8, Rules::default()).expect("a sound size"));
    let mut field = Field::new(&world, &goal, None, &mut scratch).expect("a sound goal");
    assert_eq!(field.sync(&world, &mut scratch), Ok(FieldRepair::default()));
    let old = field.clone();
    let edit = [Edit::new(Cell::new(4, 4), Terrain::BLOCKED)];
    let asked = world.apply(&edit).expect("a sound edit");
    let gap = FieldError::Gap { built: old.revision(), asked, edits: 0 };
    assert_eq!((field.repair(&world, &[], &mut scratch), &field), (Err(gap), &old));
    // Edits that the world has forgotten: the field is made anew.
    for _ in 0..200 {
        world.apply(&edit).expect("a sound edit");
    }
    assert!(field.sync(&world, &mut scratch).is_ok_and(|repair| repair.rebuilt));
    assert_eq!(Ok(&field), Field::new(&world, &goal, None, &mut scratch).as_ref());
    // Another world, on which the goal lies off the map.
    let small = World::from(SquareGrid::open(1, 9, Rules::default()).expect("a sound size"));
    let off = FieldError::OffMap { goal: goal[0], width: 1, height: 9 };
    assert_eq!(field.sync(&small, &mut scratch), Err(off));
    assert_eq!(Ok(&field), Field::new(&world, &goal, None, &mut scratch).as_ref());
}

#[test]
fn a_warm_repair_allocates_nothing() {
    let mut world = large("caves", Rules::default(), 3);
    let mut random = Random::new(2);
    let mut scratch = Scratch::new();
    let goal = random_free_cell(&mut random, &world).expect("there is ground");
    let mut field = Field::new(&world, &[goal], None, &mut scratch).expect("a sound goal");
    let at = random_free_cell(&mut random, &world).expect("there is ground");
    for round in 0..4 {
        let edits = [Edit::new(at, if round % 2 == 0 { Terrain::BLOCKED } else { Terrain::GROUND })];
        world.apply(&edits).expect("a sound edit");
        let mut repair = None;
        let used = measure(|| repair = Some(field.repair(&world, &edits, &mut scratch)));
        assert!(matches!(repair, Some(Ok(FieldRepair { rebuilt: false, .. }))), "{repair:?}");
        assert!(round < 2 || used.count_total == 0, "{used:?}");
    }
}
