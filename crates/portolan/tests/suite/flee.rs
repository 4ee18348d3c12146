//! Flee maps: of all places, an agent goes to the one where the way and what is lacking there cost least together.

use crate::fields::{around, around_hex, some_range};
use crate::hex::worlds as hex_worlds;
use crate::worlds::{Pictured, draw, on_random_worlds, random_free_cell};
use portolan::generate::Random;
use portolan::{Cell, Field, FieldError, Fielded, FleeMap, HexGrid, Motion, Rules, Scratch, Snapshot, Terrain};
use portolan::{Edit, SquareGrid, World};
use std::cmp::Reverse;
use std::collections::{BinaryHeap, HashMap};

/// Returns what a place lacks, by place, and the least sum of a way and of what is lacking at its end.
fn oracle<S: Fielded, I: Iterator<Item = S::Place>>(
    world: &Snapshot<S>,
    cells: &[S::Place],
    dangers: &Field<S>,
    percent: u32,
    around: impl Fn(S::Place) -> I,
) -> [HashMap<S::Place, u64>; 2] {
    let known = |at: S::Place| dangers.cost(world, at).expect("of this world").map(|cost| u64::from(cost.0));
    let farthest = cells.iter().filter_map(|&at| known(at)).max().unwrap_or_default();
    let lacking = |at: S::Place| Some((farthest - known(at)?) * u64::from(percent) / 100);
    let own: HashMap<S::Place, u64> = cells.iter().filter_map(|&at| Some((at, lacking(at)?))).collect();
    let mut least = own.clone();
    let mut queue: BinaryHeap<_> =
        cells.iter().enumerate().filter_map(|(at, cell)| Some(Reverse((*own.get(cell)?, at)))).collect();
    let number: HashMap<S::Place, usize> = cells.iter().copied().zip(0..).collect();
    while let Some(Reverse((cost, at))) = queue.pop() {
        if least[&cells[at]] < cost {
            continue;
        }
        for next in around(cells[at]).filter(|next| own.contains_key(next)) {
            let Some(step) = world.segment(next, cells[at], Motion::Steps) else { continue };
            let sum = cost + u64::from(step.0);
            if sum < least[&next] {
                least.insert(next, sum);
                queue.push(Reverse((sum, number[&next])));
            }
        }
    }
    [own, least]
}

/// Checks a flee map against the oracle. Returns how many cells have a way to another.
fn check<S: Fielded + Pictured, I: Iterator<Item = S::Place>>(
    world: &Snapshot<S>,
    cells: &[S::Place],
    dangers: &Field<S>,
    percent: u32,
    around: impl Fn(S::Place) -> I + Copy,
) -> usize {
    let map = FleeMap::new(world, dangers, percent, &mut Scratch::new()).expect("a sound percent");
    let [own, least] = oracle(world, cells, dangers, percent, around);
    let mut moving = 0;
    for &at in cells {
        let told = format!("{at}, {percent} percent, {dangers:?} on {}", world.picture());
        let cost = map.cost(world, at).expect("of this world").map(|cost| u64::from(cost.0));
        assert_eq!(cost, least.get(&at).copied(), "{told}");
        let is_refuge = cost.is_some() && cost == own.get(&at).copied();
        assert_eq!(map.refuges().contains(&at), is_refuge, "{told}");
        let leads = |&to: &S::Place| {
            let (Some(rest), Some(step)) = (least.get(&to), world.segment(at, to, Motion::Steps)) else { return false };
            Some(rest + u64::from(step.0)) == cost
        };
        let expected = if is_refuge || cost.is_none() { None } else { around(at).find(leads) };
        assert_eq!(map.next(world, at).expect("of this world"), expected, "{told}");
        let route = map.descend(world, at).expect("of this world");
        assert_eq!(route.is_some(), cost.is_some(), "{told}");
        let Some(route) = route else { continue };
        let end = *route.cells().last().expect("a route has cells");
        assert_eq!((route.check(world), route.cells()[0], map.refuges().contains(&end)), (Ok(()), at, true), "{told}");
        moving += usize::from(expected.is_some());
    }
    moving
}

#[test]
fn agents_flee_where_way_and_lack_cost_least() {
    let (mut scratch, mut moving) = (Scratch::new(), 0);
    on_random_worlds(61, 30, |random, world, danger| {
        let mut goals = vec![danger];
        (0..random.below(4)).for_each(|_| goals.extend(random_free_cell(random, world)));
        let range = some_range(random, world.metric().straight());
        let field = Field::new(world, &goals, range, &mut scratch).expect("sound goals");
        let percent = 101 + random.below(200) as u32;
        let cells: Vec<Cell> = world.cells().collect();
        moving += check(world, &cells, &field, percent, around);
    });
    assert!(moving > 10_000, "{moving}");
}

#[test]
fn agents_on_hexes_flee_where_way_and_lack_cost_least() {
    let (mut scratch, mut moving) = (Scratch::new(), 0);
    hex_worlds::on_random_worlds(62, 120, |random, world: &Snapshot<HexGrid>, danger| {
        let range = some_range(random, world.metric().straight());
        let field = Field::new(world, &[danger], range, &mut scratch).expect("a sound goal");
        let cells: Vec<_> = world.cells().collect();
        moving += check(world, &cells, &field, 101 + random.below(900) as u32, around_hex);
    });
    assert!(moving > 5000, "{moving}");
}

/// In a dead end next to a way out, climbing away from the danger stops; the map leads out of it and past the danger.
#[test]
fn agents_leave_dead_ends() {
    let world = draw("#######.......\n........######\n#######.......", Rules::default());
    let mut scratch = Scratch::new();
    let danger = Field::new(&world, &[Cell::new(5, 1)], None, &mut scratch).expect("it is free");
    let end = |percent: u32, from: Cell| {
        let map = FleeMap::new(&world, &danger, percent, &mut Scratch::new()).expect("a sound percent");
        let route = map.descend(&world, from).expect("of this world").expect("in danger");
        *route.cells().last().expect("a route has cells")
    };
    // Straight away from the danger lies a dead end of five cells. The far ends are nine cells away.
    assert_eq!(end(110, Cell::new(4, 1)), Cell::new(0, 1));
    assert_ne!(end(900, Cell::new(4, 1)), Cell::new(0, 1));
    assert_eq!(end(110, Cell::new(7, 1)).x, 13);
}

#[test]
fn what_cannot_be_a_flee_map_is_an_error() {
    let mut world = World::from(SquareGrid::open(5, 5, Rules::default()).expect("a sound size"));
    let mut scratch = Scratch::new();
    let field = Field::new(&world, &[Cell::new(1, 1)], None, &mut scratch).expect("a sound goal");
    for percent in [0, 100, 1001] {
        let error = FleeMap::new(&world, &field, percent, &mut scratch).err();
        assert_eq!(error, Some(FieldError::Percent(percent)));
        assert!(error.is_some_and(|error| error.to_string().contains("101 to 1000")));
    }
    let map = FleeMap::new(&world, &field, 101, &mut scratch).expect("a sound percent");
    let asked = world.apply(&[Edit::new(Cell::new(0, 0), Terrain::BLOCKED)]).expect("a sound edit");
    let gap = FieldError::Gap { built: field.revision(), asked, edits: 0 };
    assert_eq!(FleeMap::new(&world, &field, 101, &mut scratch).err(), Some(gap));
    assert!(map.next(&world, Cell::new(0, 0)).is_err() && map.descend(&world, Cell::new(0, 0)).is_err());
}

/// A flee map of a large world has the costs of the oracle, too.
#[test]
fn flee_maps_of_larger_worlds() {
    let mut random = Random::new(4);
    let weights: Vec<u8> = (0..90 * 70).map(|_| u8::from(random.below(4) > 0)).collect();
    let world = Snapshot::from(SquareGrid::from_weights(90, 70, &weights, Rules::default()).expect("a sound size"));
    let dangers: Vec<Cell> = (0..3).filter_map(|_| random_free_cell(&mut random, &world)).collect();
    let field = Field::new(&world, &dangers, None, &mut Scratch::new()).expect("sound goals");
    let cells: Vec<Cell> = world.cells().collect();
    assert!(check(&world, &cells, &field, 120, around) > 1000);
}
