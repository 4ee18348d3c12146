//! Worlds that are streamed: what chunks say is what the grid is, whatever was loaded, replaced and unloaded before, and a
//! planner that was repaired after each change answers as one that is built anew.
//!
//! Not here: edits, borders and links without chunks.

use portolan::generate::Random;
use portolan::{
    Border, Cell, Chunk, ChunkError, Chunked, Chunks, ChunksError, Cost, Edit, EditError, Extras, HexCell, HexGrid,
    Planner, Query, Route, Rules, Scratch, Side, SquareGrid, Terrain, World,
};
use std::collections::{BTreeMap, BTreeSet};

type At = (i64, i64);

/// What a plain list of loaded chunks says of a world, cell by cell.
#[derive(Clone, Default)]
struct Streamed {
    chunks: BTreeMap<(i32, i32), Said>,
}

/// What one chunk says.
#[derive(Clone, Default)]
struct Said {
    terrain: BTreeMap<At, Terrain>,
    /// The pairs of neighbours of which the first cannot be left for the second.
    closed: BTreeSet<(At, At)>,
    links: BTreeMap<(At, At), u32>,
}

/// A kind of grid on which chunks are tested.
trait Kind: Chunked {
    const PLANNERS: &'static [&'static str];
    fn blocked(width: usize, height: usize, random: &mut Random) -> World<Self>;
    fn beyond(at: At, side: Side) -> Option<At>;
    fn links_of(&self) -> Vec<(Self::Place, Self::Place, u32)>;
}

impl Kind for SquareGrid {
    const PLANNERS: &'static [&'static str] = &["a-star", "hpa-star", "rhumb", "jump-point"];

    fn blocked(width: usize, height: usize, random: &mut Random) -> World {
        let rules = crate::worlds::all_rules()[random.below(4) as usize];
        let metric = Some(portolan::Metric::new(100, 141).expect("a sound metric"));
        SquareGrid::from_weights(width, height, &vec![0; width * height], Rules { metric, ..rules })
            .expect("sound")
            .into()
    }

    fn beyond((x, y): At, side: Side) -> Option<At> {
        match side {
            Side::North => Some((x, y - 1)),
            Side::East => Some((x + 1, y)),
            Side::South => Some((x, y + 1)),
            Side::West => Some((x - 1, y)),
            _ => None,
        }
    }

    fn links_of(&self) -> Vec<(Cell, Cell, u32)> {
        self.links().map(|(from, to, cost)| (from, to, cost.0)).collect()
    }
}

impl Kind for HexGrid {
    const PLANNERS: &'static [&'static str] = &["a-star", "rhumb"];

    fn blocked(width: usize, height: usize, _: &mut Random) -> World<HexGrid> {
        HexGrid::from_weights(width, height, &vec![0; width * height], None).expect("a sound size").into()
    }

    fn beyond((x, y): At, side: Side) -> Option<At> {
        let (dq, dr) = match side {
            Side::East => (1, 0),
            Side::SouthEast => (0, 1),
            Side::SouthWest => (-1, 1),
            Side::West => (-1, 0),
            Side::NorthWest => (0, -1),
            Side::NorthEast => (1, -1),
            Side::North | Side::South => return None,
        };
        let (q, r) = (x - y.div_euclid(2) + dq, y + dr);
        Some((q + r.div_euclid(2), r))
    }

    fn links_of(&self) -> Vec<(HexCell, HexCell, u32)> {
        self.links().map(|(from, to, cost)| (from, to, cost.0)).collect()
    }
}

/// What random chunks have.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Debug)]
enum Has {
    Ground,
    Weights,
    /// Walls, links both ways, and kinds of ground.
    Links,
    OneWays,
}

const SIZE: (u16, u16) = (11, 8);
const COUNT: (i32, i32) = (4, 5);

/// Returns a random chunk and what it says.
fn random_chunk<S: Kind>(random: &mut Random, at: (i32, i32), first: (i32, i32), has: Has) -> (Chunk, Said) {
    let corner = (i64::from(at.0) * i64::from(SIZE.0), i64::from(at.1) * i64::from(SIZE.1));
    let world = |cell: Cell| (corner.0 + i64::from(cell.x), corner.1 + i64::from(cell.y));
    let mut said = Said::default();
    let most = if has == Has::Weights { 5 } else { 1 };
    let percent = random.below(50);
    let mut terrain = Vec::new();
    let cells: Vec<Cell> = (0..SIZE.1).flat_map(|y| (0..SIZE.0).map(move |x| Cell::new(x, y))).collect();
    for &cell in &cells {
        let weight = if random.chance(percent) { 0 } else { 1 + random.below(most) as u8 };
        let kind = if has >= Has::Links { random.below(3) as u8 } else { 0 };
        terrain.push(Terrain::of_weight(weight).with_kind(kind));
        said.terrain.insert(world(cell), *terrain.last().expect("it was just pushed"));
    }
    let mut chunk = Chunk::new(terrain);
    if has < Has::Links {
        return (chunk, said);
    }
    let mut named = BTreeSet::new();
    for _ in 0..random.below(30) {
        let cell = cells[random.below(cells.len() as u64) as usize];
        let side = Side::ALL[random.below(8) as usize];
        let Some(beyond) = S::beyond(world(cell), side) else { continue };
        let kinds = if has == Has::OneWays { 4 } else { 2 };
        let border = [Border::Closed, Border::Open, Border::Out, Border::In][random.below(kinds) as usize];
        if !named.insert([world(cell), beyond].into_iter().collect::<BTreeSet<At>>()) {
            continue;
        }
        chunk = chunk.with_border(cell, side, border);
        let [out, into] = [(world(cell), beyond), (beyond, world(cell))];
        said.closed.extend(matches!(border, Border::Closed | Border::In).then_some(out));
        said.closed.extend(matches!(border, Border::Closed | Border::Out).then_some(into));
    }
    for _ in 0..random.below(4) {
        let from = cells[random.below(cells.len() as u64) as usize];
        // Some of these cells lie outside of the window.
        let mut off = |first: i32, count: i32, side: u16| {
            (i64::from(first) - 1) * i64::from(side) + random.below((count as u64 + 2) * u64::from(side)) as i64
        };
        let to = (off(first.0, COUNT.0, SIZE.0), off(first.1, COUNT.1, SIZE.1));
        if to == world(from) {
            continue;
        }
        let (cost, both_ways) = (1 + random.below(900) as u32, has == Has::Links || random.chance(50));
        chunk = chunk.with_link(from, to, Cost(cost), both_ways);
        for ends in [Some((world(from), to)), both_ways.then_some((to, world(from)))].into_iter().flatten() {
            said.links.entry(ends).and_modify(|least| *least = cost.min(*least)).or_insert(cost);
        }
    }
    (chunk, said)
}

impl Streamed {
    fn chunk_of((x, y): At) -> (i32, i32) {
        (x.div_euclid(i64::from(SIZE.0)) as i32, y.div_euclid(i64::from(SIZE.1)) as i32)
    }

    fn links(&self) -> BTreeMap<(At, At), u32> {
        let mut links = BTreeMap::new();
        for (&(from, to), &cost) in self.chunks.values().flat_map(|said| &said.links) {
            if [from, to].iter().all(|&end| self.chunks.contains_key(&Self::chunk_of(end))) {
                links.entry((from, to)).and_modify(|least: &mut u32| *least = cost.min(*least)).or_insert(cost);
            }
        }
        links
    }

    /// Asserts that the grid is what the loaded chunks say.
    fn assert_is<S: Kind>(&self, world: &World<S>, chunks: &Chunks<S>, about: &str) {
        let [first, last] = chunks.window();
        assert_eq!((last.0 - first.0 + 1, last.1 - first.1 + 1), COUNT);
        let lies_in = |at: At| chunks.place(world, at).is_some();
        let corner = (i64::from(first.0) * i64::from(SIZE.0), i64::from(first.1) * i64::from(SIZE.1));
        let (width, height) = world.size();
        for (dx, dy) in (0..height as i64).flat_map(|dy| (0..width as i64).map(move |dx| (dx, dy))) {
            let at = (corner.0 + dx, corner.1 + dy);
            let cell = Cell::new(dx as u16, dy as u16);
            let place = chunks.place(world, at).expect("in the window");
            assert_eq!((place, chunks.cell(world, place)), (world.place_at(cell), Some(at)), "{about}");
            let loaded = self.chunks.get(&Self::chunk_of(at));
            let terrain = loaded.map_or(Terrain::BLOCKED, |said| said.terrain[&at]);
            assert_eq!(world.terrain_at(cell), terrain, "{at:?} {about}");
            for side in Side::ALL {
                let Some(beyond) = S::beyond(at, side) else { continue };
                let is_closed = |ends: &(At, At)| {
                    let homes = [ends.0, ends.1].map(Self::chunk_of);
                    let mut said = homes.iter().filter_map(|home| self.chunks.get(home));
                    !lies_in(beyond) || said.any(|said| said.closed.contains(ends))
                };
                let border = match [(at, beyond), (beyond, at)].each_ref().map(is_closed) {
                    [false, false] => Border::Open,
                    [true, true] => Border::Closed,
                    [false, true] => Border::Out,
                    [true, false] => Border::In,
                };
                assert_eq!(world.border_at(cell, side), border, "{at:?} to the {} {about}", side.name());
            }
        }
        let links: BTreeMap<(At, At), u32> = world
            .links_of()
            .into_iter()
            .map(|(from, to, cost)| {
                let [from, to] = [from, to].map(|place| chunks.cell(world, place).expect("on the grid"));
                ((from, to), cost)
            })
            .collect();
        assert_eq!(links, self.links(), "{about}");
    }
}

/// Loads, replaces and unloads chunks at random. Returns how many answers of repaired planners were compared.
fn stream<S: Kind>(seed: u64, has: Has, rounds: usize) -> usize {
    let mut random = Random::new(seed);
    let (width, height) = (usize::from(SIZE.0) * COUNT.0 as usize, usize::from(SIZE.1) * COUNT.1 as usize);
    let mut world = S::blocked(width, height, &mut random);
    let mut first = (-2, -3);
    let mut chunks = Chunks::new(&world, SIZE, first).expect("whole chunks");
    let mut streamed = Streamed::default();
    let suiting = S::PLANNERS.iter().filter_map(|name| Planner::new(&world, name).ok());
    let suited = |planner: &Planner<S>| match has {
        Has::Ground => true,
        Has::Weights => planner.algorithm().name != "jump-point",
        Has::Links => planner.algorithm().extras >= Extras::Links,
        Has::OneWays => planner.algorithm().extras >= Extras::OneWays,
    };
    let mut planners: Vec<Planner<S>> = suiting.filter(suited).collect();
    let (mut scratch, mut answers) = (Scratch::new(), 0);
    for round in 0..rounds {
        let about = format!("in round {round} of seed {seed}, {has:?}");
        let at = (first.0 + random.below(4) as i32, first.1 + random.below(5) as i32);
        let (chunk, said) = random_chunk::<S>(&mut random, at, first, has);
        let revision = world.revision();
        let edits = if random.below(20) == 0 {
            first = (first.0 + random.below(5) as i32 - 2, first.1 + random.below(5) as i32 - 2);
            streamed.chunks.retain(|chunk, _| {
                (first.0..first.0 + COUNT.0).contains(&chunk.0) && (first.1..first.1 + COUNT.1).contains(&chunk.1)
            });
            chunks.move_window(&mut world, first)
        } else if !chunks.is_loaded(at) {
            assert_eq!(chunks.unload(&mut world, at), Err(ChunkError::NotLoaded(at)));
            assert_eq!(chunks.replace(&mut world, at, &chunk), Err(ChunkError::NotLoaded(at)));
            streamed.chunks.insert(at, said);
            chunks.load(&mut world, at, &chunk)
        } else if random.below(4) == 0 {
            streamed.chunks.remove(&at);
            chunks.unload(&mut world, at)
        } else {
            assert_eq!(chunks.load(&mut world, at, &chunk), Err(ChunkError::Loaded(at)));
            streamed.chunks.insert(at, said);
            chunks.replace(&mut world, at, &chunk)
        };
        let edits = edits.unwrap_or_else(|error| panic!("{error} {about}"));
        assert_eq!(world.revision().edits() - revision.edits(), edits.len() as u64, "{about}");
        assert!(chunks.loaded().eq(streamed.chunks.keys().copied()), "{about}");
        streamed.assert_is(&world, &chunks, &about);
        let cells = (0..height as u16).flat_map(|y| (0..width as u16).map(move |x| Cell::new(x, y)));
        let free: Vec<Cell> = cells.filter(|&cell| world.terrain_at(cell).is_free()).collect();
        for planner in &mut planners {
            planner.repair(&world, &edits).unwrap_or_else(|error| panic!("{error} {about}"));
            let fresh = planner.anew(&world).expect("it suits");
            for _ in 0..if free.is_empty() { 0 } else { 3 } {
                let mut place = || world.place_at(free[random.below(free.len() as u64) as usize]);
                let query = Query::new(place(), place());
                let found = [&*planner, &fresh].map(|planner| planner.find(&world, query, &mut scratch));
                let costs = found
                    .each_ref()
                    .map(|found| found.as_ref().map(|outcome| (outcome.name(), outcome.route().map(Route::cost))));
                assert_eq!(costs[0], costs[1], "{} {query:?} {about}", planner.algorithm().name);
                if let Some(route) = found[0].as_ref().ok().and_then(|outcome| outcome.route()) {
                    route.check(&world).unwrap_or_else(|error| panic!("{error} {about}"));
                    answers += 1;
                }
            }
        }
    }
    answers
}

#[test]
fn planners_repaired_after_each_change_answer_as_fresh_ones_on_squares() {
    let all = [Has::Ground, Has::Weights, Has::Links, Has::OneWays];
    let answers: usize = (0..8).map(|seed| stream::<SquareGrid>(seed, all[seed as usize % 4], 60)).sum();
    assert!(answers > 700, "{answers} routes mean something");
}

#[test]
fn planners_repaired_after_each_change_answer_as_fresh_ones_on_hexes() {
    let all = [Has::Ground, Has::Weights, Has::Links, Has::OneWays];
    let answers: usize = (20..28).map(|seed| stream::<HexGrid>(seed, all[seed as usize % 4], 60)).sum();
    assert!(answers > 300, "{answers} routes mean something");
}

fn blocked(width: usize, height: usize) -> World {
    SquareGrid::from_weights(width, height, &vec![0; width * height], Rules::default()).expect("a sound size").into()
}

#[test]
fn a_batch_holds_no_cell_that_stays_as_it_is() {
    let mut random = Random::new(77);
    let mut world = blocked(64, 64);
    let mut chunks = Chunks::new(&world, (32, 32), (0, 0)).expect("whole chunks");
    let weights = |random: &mut Random| (0..1024).map(|_| random.below(3) as u8).collect::<Vec<u8>>();
    let mut now = weights(&mut random);
    chunks.load(&mut world, (1, 1), &Chunk::from_weights(&now)).expect("it is free");
    for _ in 0..20 {
        let mut next = now.clone();
        for _ in 0..random.below(200) {
            next[random.below(1024) as usize] = random.below(3) as u8;
        }
        let edits = chunks.replace(&mut world, (1, 1), &Chunk::from_weights(&next)).expect("it is loaded");
        let mut times = vec![0; 1024];
        for edit in &edits {
            let area = edit.area;
            for (x, y) in
                (area.y..area.y + area.height).flat_map(|y| (area.x..area.x + area.width).map(move |x| (x, y)))
            {
                times[usize::from(y - 32) * 32 + usize::from(x - 32)] += 1;
            }
        }
        let differs: Vec<i32> = now.iter().zip(&next).map(|(a, b)| i32::from(a != b)).collect();
        assert_eq!(times, differs);
        now = next;
    }
    assert_eq!(chunks.replace(&mut world, (1, 1), &Chunk::from_weights(&now)), Ok(vec![]));
}

#[test]
fn one_rectangle_is_enough_for_an_even_chunk() {
    let mut world = blocked(64, 64);
    let mut chunks = Chunks::new(&world, (32, 32), (0, 0)).expect("whole chunks");
    for edits in [
        chunks.load(&mut world, (1, 0), &Chunk::from_weights(&[1; 1024])),
        chunks.replace(&mut world, (1, 0), &Chunk::from_weights(&[4; 1024])),
        chunks.unload(&mut world, (1, 0)),
    ] {
        assert_eq!(edits.expect("sound").len(), 1);
    }
}

#[test]
fn a_link_rests_until_both_of_its_chunks_are_loaded() {
    let mut world = blocked(30, 10);
    let mut chunks = Chunks::new(&world, (10, 10), (-1, 7)).expect("whole chunks");
    let plain = Chunk::from_weights(&[1; 100]);
    let harbour =
        plain.clone().with_link((2, 3), (14, 78), Cost(50), true).with_link((2, 3), (500, 78), Cost(9), false);
    chunks.load(&mut world, (-1, 7), &harbour).expect("sound");
    assert_eq!(world.extras(), Extras::Nothing);
    chunks.load(&mut world, (1, 7), &plain).expect("sound");
    let link = [(Cell::new(2, 3), Cell::new(24, 8), Cost(50)), (Cell::new(24, 8), Cell::new(2, 3), Cost(50))];
    assert!(world.links().eq(link));
    // A second link between these cells that costs more changes nothing, one that costs less does.
    let ferries = plain.clone().with_link((4, 8), (-8, 73), Cost(60), false);
    assert_eq!(chunks.replace(&mut world, (1, 7), &ferries), Ok(vec![]));
    let ferries = plain.clone().with_link((4, 8), (-8, 73), Cost(40), false);
    let back = Edit::link((24, 8), (2, 3), Cost(40), false);
    assert_eq!(chunks.replace(&mut world, (1, 7), &ferries), Ok(vec![back]));
    chunks.replace(&mut world, (1, 7), &plain).expect("sound");
    assert!(world.links().eq(link));
    chunks.unload(&mut world, (1, 7)).expect("sound");
    assert_eq!(world.extras(), Extras::Nothing);
}

#[test]
fn what_one_of_two_chunks_closes_is_closed_while_that_one_is_loaded() {
    let mut world = blocked(20, 10);
    let mut chunks = Chunks::new(&world, (10, 10), (0, 0)).expect("whole chunks");
    let plain = Chunk::from_weights(&[1; 100]);
    let left = plain.clone().with_border((9, 4), Side::East, Border::Out);
    let right = plain.clone().with_border((0, 4), Side::West, Border::Out);
    let seen = |world: &World| world.border(Cell::new(9, 4), Side::East).expect("squares have it");
    chunks.load(&mut world, (0, 0), &left).expect("sound");
    assert_eq!(seen(&world), Border::Out);
    chunks.load(&mut world, (1, 0), &right).expect("sound");
    assert_eq!(seen(&world), Border::Closed);
    chunks.replace(&mut world, (0, 0), &plain).expect("sound");
    assert_eq!(seen(&world), Border::In);
    chunks.unload(&mut world, (1, 0)).expect("sound");
    assert_eq!((seen(&world), world.extras()), (Border::Open, Extras::Nothing));
}

#[test]
fn chunks_at_fault_change_nothing() {
    let mut world = blocked(40, 20);
    let mut chunks = Chunks::new(&world, (10, 10), (5, -1)).expect("whole chunks");
    let plain = Chunk::from_weights(&[1; 100]);
    chunks.load(&mut world, (6, 0), &plain).expect("sound");
    let before = (world.revision(), chunks.loaded().collect::<Vec<_>>());
    let (first, last) = ((5, -1), (8, 0));
    for (at, chunk, error) in [
        ((9, 0), plain.clone(), ChunkError::Outside { chunk: (9, 0), first, last }),
        ((5, -2), plain.clone(), ChunkError::Outside { chunk: (5, -2), first, last }),
        ((i32::MIN, i32::MAX), plain.clone(), ChunkError::Outside { chunk: (i32::MIN, i32::MAX), first, last }),
        ((6, 0), plain.clone(), ChunkError::Loaded((6, 0))),
        ((5, 0), Chunk::from_weights(&[1; 99]), ChunkError::Count { expected: 100, count: 99 }),
        (
            (5, 0),
            plain.clone().with_border((3, 10), Side::East, Border::Closed),
            ChunkError::OffChunk(Cell::new(3, 10)),
        ),
        (
            (5, 0),
            plain.clone().with_border((3, 3), Side::NorthEast, Border::Closed),
            ChunkError::Edit(EditError::NoSuchSide(Side::NorthEast)),
        ),
        (
            (5, 0),
            plain.clone().with_link((3, 3), (-900, 4), Cost(0), false),
            ChunkError::Edit(EditError::LinkCost(Cost(0))),
        ),
        ((5, 0), plain.clone().with_link((3, 3), (53, 3), Cost(5), false), ChunkError::LinkToItself(Cell::new(3, 3))),
    ] {
        assert_eq!(chunks.load(&mut world, at, &chunk), Err(error), "{error}");
        assert_eq!((world.revision(), chunks.loaded().collect::<Vec<_>>()), before);
    }
    // A cell has room for 100 links to it, and takes one from another chunk already.
    let many =
        |chunk: Chunk| (0..100).fold(chunk, |all, at| all.with_link((at % 10, at / 10), (65, 5), Cost(9), false));
    let one = plain.clone().with_link((3, 3), (65, 5), Cost(9), false);
    chunks.load(&mut world, (5, -1), &one).expect("sound");
    assert_eq!(chunks.load(&mut world, (5, 0), &many(plain.clone())), Err(EditError::TooManyLinks.into()));
    chunks.unload(&mut world, (5, -1)).expect("sound");
    assert!(chunks.loaded().eq([(6, 0)]));
    chunks.load(&mut world, (5, 0), &many(plain.clone())).expect("there is room now");
    chunks.unload(&mut world, (5, 0)).expect("sound");
    let before = (world.revision(), vec![(6, 0)]);
    let mut wide = blocked(40, 10);
    assert_eq!(chunks.load(&mut wide, (5, 0), &plain), Err(ChunkError::OtherWorld { width: 40, height: 20 }));
    assert_eq!(chunks.move_window(&mut world, (i32::MAX, 0)), Err(ChunkError::PastTheLast((i32::MAX, 0))));
    assert_eq!((world.revision(), chunks.loaded().collect::<Vec<_>>()), before);
}

#[test]
fn a_window_fits_its_world_or_is_refused() {
    let world = blocked(40, 20);
    for size in [(0, 10), (10, 0), (7, 10), (10, 8), (41, 20)] {
        assert!(matches!(Chunks::new(&world, size, (0, 0)), Err(ChunksError::Size { .. })), "{size:?}");
    }
    assert!(Chunks::new(&world, (10, 10), (i32::MAX - 2, 0)).is_err());
    assert!(Chunks::new(&world, (10, 10), (i32::MAX - 3, i32::MIN)).is_ok());
    let open = World::from(SquareGrid::open(40, 20, Rules::default()).expect("a sound size"));
    assert_eq!(Chunks::new(&open, (10, 10), (0, 0)).err(), Some(ChunksError::NotBare));
    let hexes = World::from(HexGrid::from_weights(20, 21, &[0; 420], None).expect("a sound size"));
    assert_eq!(Chunks::new(&hexes, (10, 7), (0, 0)).err(), Some(ChunksError::OddRows(7)));
    let round = World::from(HexGrid::hexagon_from_weights(5, &[0; 121], None).expect("a sound size"));
    assert!(matches!(Chunks::new(&round, (11, 11), (0, 0)), Err(ChunksError::OddRows(11))));
}

#[test]
fn cells_keep_their_coordinates_at_the_ends_of_the_world() {
    for first in [(i32::MIN, i32::MIN), (i32::MAX - 3, i32::MAX - 1), (-2, i32::MAX - 1)] {
        let mut world = blocked(40, 20);
        let mut chunks = Chunks::new(&world, (10, 10), first).expect("whole chunks");
        chunks.load(&mut world, first, &Chunk::from_weights(&[3; 100])).expect("sound");
        let cell = (i64::from(first.0) * 10 + 9, i64::from(first.1) * 10 + 9);
        assert_eq!(chunks.place(&world, cell), Some(Cell::new(9, 9)));
        assert_eq!(chunks.chunk_of(cell), Some(first));
        assert_eq!(chunks.place(&world, (i64::MIN, i64::MAX)), None);
        let near = (first.0.saturating_add(1).min(i32::MAX - 3), first.1.saturating_sub(1));
        chunks.move_window(&mut world, near).expect("it has a last chunk");
        let place = chunks.place(&world, cell);
        assert_eq!(chunks.is_loaded(first), place.is_some());
        assert_eq!(world.free_cells(), if place.is_some() { 100 } else { 0 });
        assert!(place.is_none_or(|place| world.terrain(place) == Terrain::of_weight(3)));
    }
}
