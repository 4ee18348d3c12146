//! Fields: costs are the oracle's, the step of a cell is the lowest direction on a cheapest way, and routes that follow the
//! steps are legal and cost what the field says. Hexes are tested here too, since one code serves both.

use crate::edits::random_edits;
use crate::hex::{oracle as hex_oracle, worlds as hex_worlds};
use crate::oracle::costs_from;
use crate::worlds::{Pictured, all_rules, draw, on_random_worlds, random_free_cell, random_world};
use allocation_counter::measure;
use portolan::any::{AnyField, AnyScratch, AnySnapshot};
use portolan::flat::FlatGrid;
use portolan::generate::Random;
use portolan::{
    Cell, Cost, Edit, Field, FieldError, HexCell, HexGrid, Metric, Motion, Rules, Scratch, Snapshot, Space, SquareGrid,
    Terrain, World,
};

/// Returns the neighbours of a cell in the order of the directions.
pub(crate) fn around(at: Cell) -> impl Iterator<Item = Cell> {
    const STEPS: [(i16, i16); 8] = [(0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1)];
    STEPS
        .into_iter()
        .filter_map(move |(dx, dy)| Some(Cell::new(at.x.checked_add_signed(dx)?, at.y.checked_add_signed(dy)?)))
}

/// Returns the neighbours of a hex in the order of the directions.
pub(crate) fn around_hex(at: HexCell) -> impl Iterator<Item = HexCell> {
    const STEPS: [(i16, i16); 6] = [(1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1)];
    STEPS.into_iter().map(move |(dq, dr)| HexCell::new(at.q + dq, at.r + dr))
}

/// Returns the least of several costs to a cell, if it is within the range.
fn nearest(costs: impl Iterator<Item = Option<u64>>, range: Option<Cost>) -> Option<u64> {
    costs.flatten().min().filter(|&cost| range.is_none_or(|range| cost <= u64::from(range.0)))
}

/// Picks a range now and then.
pub(crate) fn some_range(random: &mut Random, straight: u32) -> Option<Cost> {
    (random.below(2) == 0).then(|| Cost(random.below(u64::from(straight) * 30) as u32))
}

/// What the tests ask of a field, of squares or of hexes.
macro_rules! checks {
    ($name:ident, $space:ty, $place:ty, $around:ident) => {
        /// Checks a field against the exact cost of each cell.
        fn $name(world: &Snapshot<$space>, field: &Field<$space>, exact: impl Fn($place) -> Option<u64>) {
            for at in world.cells() {
                let told = format!("{at} of {field:?} on {}", world.picture());
                let cost = field.cost(world, at).expect("of this world");
                assert_eq!(cost.map(|cost| u64::from(cost.0)), exact(at), "{told}");
                let on_the_way = |&to: &$place| {
                    let (Some(left), Some(step)) = (exact(to), world.segment(at, to, Motion::Steps)) else {
                        return false;
                    };
                    Some(left + u64::from(step.0)) == exact(at)
                };
                let next = if cost == Some(Cost(0)) { None } else { $around(at).find(on_the_way) };
                assert_eq!(field.next(world, at).expect("of this world"), next, "{told}");
                let route = field.descend(world, at).expect("of this world");
                assert_eq!(route.as_ref().map(|route| route.cost()), cost, "{told}");
                let Some(route) = route else { continue };
                assert_eq!((route.check(world), route.cells()[0]), (Ok(()), at), "{told}");
                let end = route.cells().last().expect("a route has cells");
                assert!(field.goals().contains(end), "{told}");
            }
            let starts: Vec<$place> = world.cells().collect();
            let routed = field.descend_many(world, &starts).expect("of this world");
            for (start, offsets) in routed.offsets.windows(2).enumerate() {
                let route = field.descend(world, starts[start]).expect("of this world");
                assert_eq!(routed.costs[start], route.as_ref().map(|route| route.cost()));
                let places = &routed.places[offsets[0] as usize..offsets[1] as usize];
                assert_eq!(places, route.as_ref().map_or(&[][..], |route| route.cells()));
            }
            let copy =
                Field::from_arrays(world, field.goals(), field.range(), field.costs().to_vec(), field.steps().to_vec());
            assert_eq!(copy.as_ref(), Ok(field), "{}", world.picture());
        }
    };
}

checks!(check, SquareGrid, Cell, around);
checks!(check_hexes, HexGrid, HexCell, around_hex);

#[test]
fn fields_are_those_of_the_oracle() {
    let mut scratch = Scratch::new();
    on_random_worlds(31, 60, |random, world, goal| {
        let mut goals = vec![goal];
        (0..random.below(4)).for_each(|_| goals.extend(random_free_cell(random, world)));
        let range = some_range(random, world.metric().straight());
        let field = Field::new(world, &goals, range, &mut scratch).expect("sound goals");
        let truth: Vec<_> = goals.iter().map(|&goal| costs_from(world, goal)).collect();
        let index = |at: Cell| usize::from(at.y) * world.width() + usize::from(at.x);
        check(world, &field, |at| nearest(truth.iter().map(|costs| costs.get(index(at)).copied().flatten()), range));
    });
}

#[test]
fn fields_on_hexes_are_those_of_the_oracle() {
    let mut scratch = Scratch::new();
    hex_worlds::on_random_worlds(32, 150, |random, world, goal| {
        let mut goals = vec![goal];
        (0..random.below(4)).for_each(|_| goals.extend(hex_worlds::random_free_cell(random, world)));
        let range = some_range(random, world.metric().straight());
        let field = Field::new(world, &goals, range, &mut scratch).expect("sound goals");
        let truth: Vec<_> = goals.iter().map(|&goal| hex_oracle::costs_from(world, goal)).collect();
        check_hexes(world, &field, |at| nearest(truth.iter().map(|costs| costs.get(&at).copied()), range));
    });
}

#[test]
fn what_cannot_be_a_field_is_an_error() {
    let mut world = World::from((*draw("..#\n...", Rules::default())).clone());
    let mut scratch = Scratch::new();
    let mut make = |goals: &[Cell]| Field::new(&world, goals, None, &mut scratch);
    let (free, wall, off) = (Cell::new(0, 1), Cell::new(2, 0), Cell::new(3, 1));
    assert_eq!(make(&[]), Err(FieldError::NoGoals));
    assert_eq!(make(&[free, wall]), Err(FieldError::GoalBlocked(wall)));
    assert_eq!(make(&[free, off]), Err(FieldError::OffMap { goal: off, width: 3, height: 2 }));
    let field = make(&[free]).expect("a sound goal");
    assert_eq!((field.cost(&world, wall), field.cost(&world, off)), (Ok(None), Ok(None)));
    assert_eq!(
        (field.next(&world, free), field.next(&world, wall), field.next(&world, off)),
        (Ok(None), Ok(None), Ok(None))
    );
    let before = world.snapshot();
    world.apply(&[Edit::new(Cell::new(1, 0), Terrain::BLOCKED)]).expect("a sound edit");
    assert!(field.cost(&world, free).is_err() && field.next(&world, free).is_err());
    assert!(field.descend(&world, free).is_err() && field.descend_many(&world, &[]).is_err());
    assert_eq!(field.cost(&before, free), Ok(Some(Cost(0))));
}

#[test]
fn arrays_of_no_field_are_refused() {
    let world = draw("...\n.#.\n...", Rules::default());
    let goals = [Cell::new(0, 0)];
    let field = Field::new(&world, &goals, None, &mut Scratch::new()).expect("a sound goal");
    let make = |change: &dyn Fn(&mut Vec<u32>, &mut Vec<u8>)| {
        let (mut costs, mut steps) = (field.costs().to_vec(), field.steps().to_vec());
        change(&mut costs, &mut steps);
        Field::from_arrays(&world, &goals, None, costs, steps)
    };
    let node = |x, y| world.node(Cell::new(x, y)).index();
    assert_eq!(make(&|_, _| ()).as_ref(), Ok(&field));
    assert!(matches!(make(&|costs, _| costs.truncate(3)), Err(FieldError::Count { .. })));
    let is_torn = |change: &dyn Fn(&mut Vec<u32>, &mut Vec<u8>)| matches!(make(change), Err(FieldError::Torn(_)));
    assert!(is_torn(&|costs, _| costs[node(2, 2)] += 1));
    assert!(is_torn(&|_, steps| steps[node(2, 2)] = 4));
    assert!(is_torn(&|_, steps| steps[node(2, 2)] = 9));
    assert!(is_torn(&|_, steps| steps[node(0, 0)] = 0));
    assert!(is_torn(&|costs, _| costs[node(1, 1)] = 1));
    assert!(is_torn(&|costs, _| costs[0] = 1));
    assert!(is_torn(&|costs, steps| (costs[node(2, 2)], steps[node(2, 2)]) = (0, 8)));
    assert!(is_torn(&|costs, steps| (costs[node(0, 0)], steps[node(0, 0)]) = (u32::MAX, 255)));
    // Cells beyond the range may not have a cost.
    let (costs, steps) = (field.costs().to_vec(), field.steps().to_vec());
    assert!(Field::from_arrays(&world, &goals, Some(Cost(10)), costs, steps).is_err());
}

/// A weight of 255 and the greatest metric: costs reach what `Cost` can hold, and are left out beyond it.
#[test]
fn costs_that_do_not_fit_are_left_out() {
    let rules = Rules { metric: Metric::new(Metric::MAX, Metric::MAX).ok(), ..Rules::default() };
    let world = Snapshot::from(SquareGrid::from_weights(400, 1, &[255; 400], rules).expect("a sound size"));
    let field = Field::new(&world, &[Cell::new(0, 0)], None, &mut Scratch::new()).expect("a sound goal");
    let step = 255 * u64::from(Metric::MAX);
    for cell in world.cells() {
        let cost = u64::from(cell.x) * step;
        let known = field.cost(&world, cell).expect("of this world").map(|cost| u64::from(cost.0));
        assert_eq!(known, (cost < u64::from(u32::MAX)).then_some(cost), "{cell}");
    }
}

#[test]
fn a_warm_scratch_allocates_the_field_alone() {
    let mut random = Random::new(5);
    for rules in all_rules() {
        let world = random_world(&mut random, rules);
        let Some(goal) = random_free_cell(&mut random, &world) else { continue };
        let mut scratch = Scratch::new();
        let first = Field::new(&world, &[goal], None, &mut scratch).expect("a sound goal");
        let mut second = None;
        let used = measure(|| second = Some(Field::new(&world, &[goal], None, &mut scratch)));
        assert_eq!((used.count_total, used.bytes_total), (3, first.bytes() as u64));
        assert_eq!(second, Some(Ok(first)));
    }
}

/// A field of any kind is the one of the kind, with places by column and row.
#[test]
fn fields_of_any_kind_are_those_of_the_kind() {
    let (mut random, mut scratch) = (Random::new(7), AnyScratch::new());
    for _ in 0..20 {
        let hexes = Snapshot::from(hex_worlds::random_grid(&mut random));
        let Some(goal) = hex_worlds::random_free_cell(&mut random, &hexes) else { continue };
        let own = Field::new(&hexes, &[goal], None, &mut Scratch::new()).expect("a sound goal");
        let world = AnySnapshot::Hex(hexes.clone());
        let goals = [goal.cell().expect("on the grid")];
        let any = AnyField::new(&world, &goals, None, &mut scratch).expect("a sound goal");
        let cells: Vec<Cell> = world.cells().collect();
        let routed = any.descend_many(&world, &cells).expect("of this world");
        for (number, &at) in cells.iter().enumerate() {
            let hex = HexCell::from(at);
            assert_eq!(any.cost(&world, at), own.cost(&hexes, hex));
            assert_eq!(any.next(&world, at), own.next(&hexes, hex).map(|next| next.and_then(HexCell::cell)));
            assert_eq!(Ok(routed.costs[number]), own.cost(&hexes, hex));
        }
        let off = Cell::new(world.width() as u16, 0);
        let refused = AnyField::new(&world, &[off], None, &mut scratch).err();
        assert_eq!(refused, Some(FieldError::OffMap { goal: off, width: world.width(), height: world.height() }));
        let squares = AnySnapshot::Square(random_world(&mut random, Rules::default()));
        assert!(any.cost(&squares, goals[0]).is_err() && any.next(&squares, goals[0]).is_err());
        assert!(any.descend_many(&squares, &cells).is_err());
        assert_eq!(any.bytes(), own.bytes());
    }
}

#[test]
fn flat_ground_follows_edits() {
    let mut random = Random::new(6);
    for (round, rules) in all_rules().into_iter().cycle().take(40).enumerate() {
        let mut world = World::from((*random_world(&mut random, rules)).clone());
        let mut hexes = World::from(hex_worlds::random_grid(&mut random));
        let (mut flat, mut flat_hexes) = (FlatGrid::of(&world), FlatGrid::of(&hexes));
        for _ in 0..6 {
            let (before, before_hexes) = (world.revision(), hexes.revision());
            let edits = random_edits(&mut random, &world, round % 2 == 0);
            world.apply(&edits).expect("sound edits");
            let old = flat.clone();
            let written = flat.update(&world, before);
            assert_eq!(flat, FlatGrid::of(&world), "{}", world.picture());
            let differs =
                |node: &usize| (old.moves[*node], old.weights[*node]) != (flat.moves[*node], flat.weights[*node]);
            for node in (0..flat.moves.len()).filter(differs) {
                assert!(written.iter().any(|range| range.contains(&node)), "{node} on {}", world.picture());
            }
            let edits = random_edits(&mut random, &hexes, round % 2 == 0);
            hexes.apply(&edits).expect("sound edits");
            flat_hexes.update(&hexes, before_hexes);
            assert_eq!(flat_hexes, FlatGrid::of(&hexes), "{}", hexes.picture());
        }
    }
}
