//! Fields made on a graphics processor are those of the CPU, byte by byte, and so are the routes by them. Where there is no
//! processor, not even a driver that computes on the CPU, the tests say so and end.

use crate::gpu;
use portolan::generate::{self, Random, generate};
use portolan::{
    Area, Cell, Corners, Cost, Directions, Edit, Field, FieldError, Fielded, HexCell, HexGrid, Metric, Rules, Scratch,
    Space, SquareGrid, Terrain, World,
};
use portolan_gpu::{FieldMaker, Gpu, GpuError, Kind, LayError};

fn all_rules() -> Vec<Rules> {
    let eight = Corners::NAMED.map(|(_, corners)| Rules { corners, ..Rules::default() });
    let four = Rules { directions: Directions::Four, ..Rules::default() };
    eight.into_iter().chain([four]).collect()
}

fn made(name: &str, (width, height): (usize, usize), seed: u64, rules: Rules) -> SquareGrid {
    let recipe = generate::recipe(name).unwrap();
    let settings = recipe.settings::<&str, &str>(&[]).unwrap();
    generate(recipe, width, height, seed, &settings, rules).unwrap()
}

/// Makes some fields both ways, and routes from many cells, and compares them.
fn compare<S: Fielded>(maker: &mut FieldMaker<S>, world: &World<S>, cells: &[S::Place], random: &mut Random) {
    let mut scratch = Scratch::new();
    let free: Vec<S::Place> = cells.iter().copied().filter(|&cell| world.component(cell).is_some()).collect();
    if free.is_empty() {
        return;
    }
    for round in 0..3 {
        let goals: Vec<S::Place> = (0..=round).map(|_| free[random.below(free.len() as u64) as usize]).collect();
        let range = (round == 1).then(|| Cost(random.below(200_000) as u32));
        let known = Field::new(world, &goals, range, &mut scratch).unwrap();
        let found = maker.make(world, &goals, range, &mut scratch).unwrap();
        assert_eq!(maker.fault(), None);
        assert_eq!((found.goals(), found.range()), (known.goals(), known.range()));
        let differs = (0..known.costs().len())
            .find(|&node| (known.costs()[node], known.steps()[node]) != (found.costs()[node], found.steps()[node]));
        let at = differs.map(|node| (node, known.costs()[node], found.costs()[node], known.steps()[node]));
        assert!(found == known, "{at:?} of {:?} to {goals:?}", world.size());
        let laid = maker.lay(world, &goals, range).unwrap();
        for starts in [cells, &free[..1], &[]] {
            assert_eq!(maker.descend_many(world, &laid, starts), Ok(known.descend_many(world, starts).unwrap()));
        }
    }
}

fn compare_squares(gpu: &Gpu, grid: SquareGrid, random: &mut Random) {
    let cells: Vec<Cell> = grid.cells().collect();
    let world = World::from(grid);
    compare(&mut FieldMaker::new(gpu.clone(), &world).unwrap(), &world, &cells, random);
}

fn compare_hexes(gpu: &Gpu, grid: HexGrid, random: &mut Random) {
    let cells: Vec<HexCell> = grid.cells().collect();
    let world = World::from(grid);
    compare(&mut FieldMaker::new(gpu.clone(), &world).unwrap(), &world, &cells, random);
}

#[test]
fn fields_are_those_of_the_cpu() {
    let Some(gpu) = gpu() else { return };
    let mut random = Random::new(81);
    for (seed, name) in ["caves", "rooms", "noise", "maze", "hills", "city"].into_iter().enumerate() {
        for rules in all_rules() {
            compare_squares(&gpu, made(name, (97, 70), seed as u64, rules), &mut random);
        }
        let squares = made(name, (75, 101), seed as u64, Rules::default());
        let hexes = HexGrid::from_weights(75, 101, &squares.to_weights(), None).unwrap();
        compare_hexes(&gpu, hexes, &mut random);
    }
}

/// Sizes around those of tiles, where the end of a row lies at the rim of a tile, and worlds that are a row or a column.
#[test]
fn every_size_is_right() {
    let Some(gpu) = gpu() else { return };
    let mut random = Random::new(82);
    let sizes = [(1, 1), (1, 70), (70, 1), (2, 40), (3, 33), (30, 31), (31, 30), (32, 32), (33, 3), (63, 64), (65, 35)];
    for (width, height) in sizes {
        for share in [0, 25] {
            let weights: Vec<u8> = (0..width * height)
                .map(|_| if random.below(100) < share { 0 } else { 1 + random.below(3) as u8 })
                .collect();
            let metric = Metric::new(10, 14).ok();
            let rules = Rules { metric, corners: Corners::Loose, ..Rules::default() };
            compare_squares(&gpu, SquareGrid::from_weights(width, height, &weights, rules).unwrap(), &mut random);
            compare_hexes(&gpu, HexGrid::from_weights(width, height, &weights, metric).unwrap(), &mut random);
        }
    }
    compare_hexes(&gpu, HexGrid::hexagon(40, None).unwrap(), &mut random);
    // Costs beyond what fits are left out.
    let rules = Rules { metric: Metric::new(Metric::MAX, Metric::MAX).ok(), ..Rules::default() };
    compare_squares(&gpu, SquareGrid::from_weights(500, 2, &[255; 1000], rules).unwrap(), &mut random);
}

/// Returns some edits of a world of this size.
fn edits(random: &mut Random, (columns, rows): (usize, usize), weights: u64) -> Vec<Edit> {
    let mut edit = || {
        let (x, y) = (random.below(columns as u64 - 4) as u16, random.below(rows as u64 - 4) as u16);
        let (width, height) = (1 + random.below(4) as u16, 1 + random.below(4) as u16);
        Edit::new(Area { x, y, width, height }, Terrain::of_weight(random.below(weights) as u8))
    };
    (0..5).map(|_| edit()).collect()
}

#[test]
fn edits_are_uploaded() {
    let Some(gpu) = gpu() else { return };
    let mut random = Random::new(83);
    let mut world = World::from(made("caves", (90, 80), 3, Rules::default()));
    let cells: Vec<Cell> = world.cells().collect();
    let mut hexes = World::from(HexGrid::from_weights(90, 80, &world.to_weights(), None).unwrap());
    let hex_cells: Vec<HexCell> = hexes.cells().collect();
    let mut maker = FieldMaker::new(gpu.clone(), &world).unwrap();
    let mut hex_maker = FieldMaker::new(gpu, &hexes).unwrap();
    for round in 0..8 {
        let changes = edits(&mut random, world.size(), if round < 4 { 2 } else { 6 });
        world.apply(&changes).unwrap();
        hexes.apply(&changes).unwrap();
        let bytes = maker.sync(&world).unwrap();
        assert!(bytes < maker.bytes() / 10, "{bytes} of {}", maker.bytes());
        compare(&mut maker, &world, &cells, &mut random);
        compare(&mut hex_maker, &hexes, &hex_cells, &mut random);
    }
    // Another world of another size takes the place of the first.
    let other = World::from(made("rooms", (50, 60), 4, Rules::default()));
    compare(&mut maker, &other, &other.cells().collect::<Vec<_>>(), &mut random);
}

#[test]
fn what_cannot_be_a_field_is_an_error() {
    let Some(gpu) = gpu() else { return };
    let mut scratch = Scratch::new();
    let mut world = World::from(SquareGrid::open(40, 30, Rules::default()).unwrap());
    let mut maker = FieldMaker::new(gpu, &world).unwrap();
    let (goal, off) = (Cell::new(3, 4), Cell::new(40, 2));
    assert_eq!(maker.make(&world, &[], None, &mut scratch).err(), Some(FieldError::NoGoals));
    assert!(matches!(maker.lay(&world, &[goal, off], None).err(), Some(LayError::Field(FieldError::OffMap { .. }))));
    let laid = maker.lay(&world, &[goal], None).unwrap();
    assert_eq!(maker.time(&world, &laid, &[goal, off], 3).map(|rounds| rounds.len()), Ok(3));
    assert_eq!((laid.goals(), laid.revision()), (&[goal][..], world.revision()));
    world.apply(&[Edit::new(Cell::new(9, 9), Terrain::BLOCKED)]).unwrap();
    assert!(matches!(maker.descend_many(&world, &laid, &[goal]), Err(GpuError::Stale(_))));
    assert!(matches!(maker.fetch(&world, &laid).err(), Some(LayError::Gpu(GpuError::Stale(_)))));
    assert_eq!(maker.fault(), None);
}

/// Without a processor, the CPU makes the fields and finds the routes.
#[test]
fn the_cpu_does_what_no_processor_does() {
    // Where there is real hardware, this test has nothing to show.
    let world = World::from(made("caves", (60, 50), 5, Rules::default()));
    let mut maker = FieldMaker::open(Kind::Hardware, &world);
    if maker.gpu().is_some() {
        println!("skipped: there is a graphics processor");
        return;
    }
    assert!(matches!(maker.fault(), Some(GpuError::None(_))));
    let mut scratch = Scratch::new();
    let cells: Vec<Cell> = world.cells().collect();
    let goal = *cells.iter().find(|&&cell| world.is_free(cell)).unwrap();
    let known = Field::new(&world, &[goal], None, &mut scratch).unwrap();
    assert_eq!(maker.make(&world, &[goal], None, &mut scratch), Ok(known.clone()));
    assert_eq!(maker.route_all(&world, &[goal], &cells, &mut scratch), Ok(known.descend_many(&world, &cells).unwrap()));
    assert!(matches!(maker.lay(&world, &[goal], None).err(), Some(LayError::Gpu(GpuError::None(_)))));
}
