//! A crowd as words of four bytes, as the programs of `crowd/*.wgsl` read it.
//!
//! Not here: the programs.

use bytemuck::{Pod, Zeroable};
use portolan_sim::crowd::flat::{Body, FlatCrowd, FlatGround, FlatPolygons, FlatSquares, Rules, Walk};

/// How many numbers a group adds up.
pub(super) const SCANNED: u32 = 1024;

/// The numbers that programs are given; `crowd/data.wgsl` has the same list.
#[repr(C)]
#[derive(Copy, Clone, Pod, Zeroable)]
pub(super) struct Params {
    turns: [[i32; 4]; 16],
    shift: u32,
    radius: i32,
    speed: i32,
    reach: i32,
    body: i32,
    near: i32,
    arrival: i32,
    stride: i32,
    floor: i32,
    squeeze: u32,
    ahead: i32,
    danger: i32,
    patience: u32,
    stagger: u32,
    looks: u32,
    slim: i32,
    pub(super) agents: u32,
    pub(super) tick: u32,
    columns: u32,
    rows: u32,
    origin: [i32; 2],
    width: u32,
    point_words: u32,
    scanned: u32,
    pub(super) scan_count: u32,
    pub(super) scan_blocks: u32,
    cells: u32,
    edges: u32,
    beyond: u32,
    planes: u32,
    pub(super) place_words: u32,
}

/// The ground as words, and where its arrays begin, in fours of words.
#[derive(Default)]
pub(super) struct GroundWords {
    pub(super) words: Vec<i32>,
    cells: u32,
    edges: u32,
    beyond: u32,
    planes: u32,
}

impl GroundWords {
    pub(super) fn new(ground: &FlatGround) -> GroundWords {
        match ground {
            FlatGround::Squares(squares) => GroundWords::of_squares(squares),
            FlatGround::Polygons(polygons) => GroundWords::of_polygons(polygons),
        }
    }

    /// Two cells share a word.
    fn of_squares(squares: &FlatSquares) -> GroundWords {
        let pair =
            |pair: &[u16]| (u32::from(pair[0]) | pair.get(1).map_or(0, |&high| u32::from(high) << 16)).cast_signed();
        let mut ground = GroundWords { cells: squares.width, ..GroundWords::default() };
        ground.words.extend(squares.cells.chunks(2).map(pair));
        ground.pad();
        ground
    }

    fn of_polygons(polygons: &FlatPolygons) -> GroundWords {
        let mut ground = GroundWords::default();
        let signed = |&number: &u32| number.cast_signed();
        ground.words.extend(polygons.first_edge.iter().map(signed));
        ground.edges = ground.pad();
        ground.words.extend(polygons.edges.iter().flatten());
        ground.beyond = ground.pad();
        ground.words.extend(polygons.beyond.iter().map(signed));
        ground.planes = ground.pad();
        ground.words.extend(polygons.planes.iter().flatten());
        ground
    }

    /// Fills up a four of words. Returns how many fours there are.
    fn pad(&mut self) -> u32 {
        self.words.resize(self.words.len().next_multiple_of(4), 0);
        self.words.len() as u32 / 4
    }

    /// Returns the numbers for the programs.
    pub(super) fn params(&self, crowd: &FlatCrowd) -> Params {
        let Rules { shift, radius, speed, reach, body, near, arrival, stride, floor, squeeze, .. } = *crowd.rules();
        let lattice = crowd.lattice();
        let scan_count = lattice.count() as u32 + 1;
        let place_words = if has_heights(crowd.ground()) { 3 } else { 2 };
        Params {
            turns: Rules::TURNS.map(|[cosine, sine, cost]| [cosine, sine, cost, 0]),
            shift,
            radius,
            speed,
            reach,
            body,
            near,
            arrival,
            stride,
            floor,
            squeeze,
            ahead: Rules::AHEAD,
            danger: Rules::DANGER,
            patience: Rules::PATIENCE,
            stagger: Rules::STAGGER,
            looks: Rules::LOOKS,
            slim: Rules::SLIM,
            agents: crowd.bodies().len() as u32,
            tick: 0,
            columns: lattice.columns,
            rows: lattice.rows,
            origin: lattice.origin,
            width: lattice.width,
            point_words: words_of_points(crowd),
            scanned: 0,
            scan_count,
            scan_blocks: scan_count.div_ceil(SCANNED),
            cells: self.cells,
            edges: self.edges,
            beyond: self.beyond,
            planes: self.planes,
            place_words,
        }
    }
}

/// Returns whether points and places of the ground need a third word: the height, or the polygon.
fn has_heights(ground: &FlatGround) -> bool {
    matches!(ground, FlatGround::Polygons(_))
}

/// Returns how many words a point takes: one where all are middles of cells.
fn words_of_points(crowd: &FlatCrowd) -> u32 {
    let is_middle = |at: i32| at & (FlatSquares::CELL - 1) == FlatSquares::CELL / 2;
    if has_heights(crowd.ground()) {
        3
    } else if crowd.points().iter().all(|&[x, y, _]| is_middle(x) && is_middle(y)) {
        1
    } else {
        2
    }
}

/// Returns the points of all routes as words.
pub(super) fn point_words(crowd: &FlatCrowd) -> Vec<i32> {
    match words_of_points(crowd) {
        1 => crowd.points().iter().map(|&[x, y, _]| x >> FlatSquares::BITS | y >> FlatSquares::BITS << 16).collect(),
        2 => crowd.points().iter().flat_map(|&[x, y, _]| [x, y]).collect(),
        _ => crowd.points().as_flattened().to_vec(),
    }
}

pub(super) fn body_words(bodies: &[Body]) -> Vec<u32> {
    let words = |body: &Body| {
        let [x, y] = body.at.map(i32::cast_unsigned);
        [x, y, body.polygon, body.velocity]
    };
    bodies.iter().flat_map(words).collect()
}

pub(super) fn walk_words(walks: &[Walk]) -> Vec<u32> {
    walks.iter().flat_map(|walk| [walk.target, walk.end, walk.best.cast_unsigned(), walk.clock]).collect()
}

pub(super) fn bodies(words: &[u32]) -> Vec<Body> {
    let body = |&[x, y, polygon, velocity]: &[u32; 4]| Body { at: [x, y].map(u32::cast_signed), polygon, velocity };
    words.as_chunks().0.iter().map(body).collect()
}

pub(super) fn walks(words: &[u32]) -> Vec<Walk> {
    let walk = |&[target, end, best, clock]: &[u32; 4]| Walk { target, end, best: best.cast_signed(), clock };
    words.as_chunks().0.iter().map(walk).collect()
}
