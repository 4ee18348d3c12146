// A crowd of whole numbers: one tick of many agents, as `portolan_sim::crowd::flat` defines it. Every result is the same to the
// last bit.
//
// count    how many agents stand in each square of the lattice
// scan_*   where the agents of each square begin
// sort     writes what agents see of each other in the order of the squares
// steer    each agent chooses a velocity
// advance  each agent moves
//
// Agents of a square come in any order. All that is computed from neighbours is sums, least and greatest whole numbers, which
// do not depend on it.

struct Params {
    // Cosine, sine and cost of each velocity that is weighed.
    turns: array<vec4<i32>, 16>,
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
    // How many agents there are, and how many ticks have passed.
    agents: u32,
    tick: u32,
    // The lattice: how many squares, where they begin, and how wide they are.
    columns: u32,
    rows: u32,
    origin: vec2<i32>,
    width: u32,
    // The words of a point of a route, and of a place that is read back.
    point_words: u32,
    // Where the numbers that are added up begin in `offsets`, how many there are, and how many blocks of them.
    scanned: u32,
    scan_count: u32,
    scan_blocks: u32,
    // The cells in a row of squares.
    cells: u32,
    // Where the edges, the polygons beyond them, and the planes begin in `ground`, in fours of words.
    edges: u32,
    beyond: u32,
    planes: u32,
    place_words: u32,
}

const LANES = 64u;
const TURNS = 16u;
// The least distance from a target if it is not known yet.
const UNKNOWN = 0x7fffffff;

const WALKING = 0u;
const SQUEEZING = 1u;
const ARRIVED = 2u;
const NO_WAY = 3u;

@group(0) @binding(0) var<uniform> params: Params;
// Squares: the bits of two cells a word. Polygons: where edges begin, edges, what lies beyond them, planes.
@group(0) @binding(1) var<storage, read> ground: array<vec4<i32>>;
@group(0) @binding(2) var<storage, read> points: array<i32>;
// Across and down in steps, the polygon, and the velocity as two numbers of 16 bits.
@group(0) @binding(3) var<storage, read_write> bodies: array<vec4<i32>>;
// The target, the end of the route, the least distance so far, and the clock.
@group(0) @binding(4) var<storage, read_write> walks: array<vec4<u32>>;
// Where the agents of each square begin, and sums of blocks of them.
@group(0) @binding(5) var<storage, read_write> offsets: array<u32>;
@group(0) @binding(6) var<storage, read_write> tallies: array<atomic<u32>>;
// For each agent, in the order of the squares: across and down, the velocity, and the height in units.
@group(0) @binding(7) var<storage, read_write> seen: array<vec4<i32>>;
// For each agent its square, then its place in it; in the order of the squares the numbers of the agents with a bit more, then
// what they have chosen; and for each agent its place to be read back. When agents are sorted, the first numbers become those that
// tell, in the order of the squares, whether the body of an agent overlaps another.
@group(0) @binding(8) var<storage, read_write> work: array<u32>;

// The bit beside the number of an agent tells whether it squeezes.
const NUMBER = 0x7fffffffu;
const IS_SQUEEZING = 0x80000000u;

fn number_begin() -> u32 {
    return 2u * params.agents;
}

fn choice_begin() -> u32 {
    return 3u * params.agents;
}

fn place_begin() -> u32 {
    return 5u * params.agents;
}

fn sums_begin() -> u32 {
    return params.scan_count;
}

fn thread_of(id: vec3<u32>, groups: vec3<u32>) -> u32 {
    return id.y * groups.x * LANES + id.x;
}

fn state_of(clock: u32) -> u32 {
    return clock & 3u;
}

fn word(index: u32) -> i32 {
    return ground[index >> 2u][index & 3u];
}

// A point of a route: across and down in steps, and its height in units. If a point is one word, it is the middle of a cell of 4096
// steps.
fn point(index: u32) -> vec3<i32> {
    let begin = index * params.point_words;
    let first = points[begin];
    if params.point_words == 1u {
        return vec3<i32>(((first & 0xffff) << 12u) + 2048, ((first >> 16u) << 12u) + 2048, 0);
    }
    var height = 0;
    if params.point_words == 3u {
        height = points[begin + 2u];
    }
    return vec3<i32>(first, points[begin + 1u], height);
}
