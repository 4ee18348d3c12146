// Routes on a square grid by sums of kept costs: the rhumb chart of a grid, for many tasks at once. `docs/rhumb-chart.md`
// explains the chart; words of that page are used here.
//
// tally, scan_tally, arrange   bring tasks with near starts and near goals together, so that groups of threads at work at one
//                              time read the same rows. A task's route does not depend on its place.
// sight   walks in plain sight.
// climb   a group of threads for each task: the port where the climbs from both ends meet, and the legs from there to both.
// first_cells   the first cell of each route after its start.
// count   how many cells each route may have.
// scan_*  where the room for each route begins.
// write_cells   takes the legs apart and writes the cells of the routes.
//
// Of equal ways the engine's own code takes one, and so do these programs, so that routes are the same to the last bit.
// `NARROW`, `LINE`, `DEPTH` and `LEGS` are declared before this text: whether two costs share a word, and room for the ports of
// a line, for the regions around a cell, and for the legs from an end to the meeting.

struct Params {
    // Where the arrays of the chart begin, in the order of the constants below.
    at: array<vec4<u32>, 2>,
    tasks: u32,
    // For how many fours of cells there is room.
    places_room: u32,
    // Where the numbers that are added up begin in `offsets`, how many there are, and how many blocks of them.
    scanned: u32,
    scan_count: u32,
    scan_blocks: u32,
    // How many kinds of tasks are told apart; how many kinds of starts and goals; by which shift a leaf gives its kind.
    kinds: u32,
    kind_side: u32,
    kind_shift: u32,
    // How many groups climb at one time, and how many words of `values` the climb from one end has.
    climbers: u32,
    values_room: u32,
    // The most fours of cells that a route may have.
    most_fours: u32,
    // The columns of the world.
    width: u32,
    // What a straight and a diagonal step cost in the chart; what they cost at least; and what they cost in the world.
    prices: vec2<u32>,
    open_prices: vec2<u32>,
    metric: vec2<u32>,
    spacing: u32,
    is_direct: u32,
    has_diagonals: u32,
    is_weighted: u32,
    // The number 2, which no translator knows.
    two: u32,
    spare: u32,
}

const REGIONS = 0u;
const PORTS = 1u;
const RANKS = 2u;
const COSTS = 3u;
const STEPS = 4u;
const CLEAR = 5u;
const MOVES = 6u;
const WEIGHTS = 7u;

// Costs that are kept are below half of this number, or there is no way. Sums of two fit 32 bits.
const NO_WAY = 0x3fffffffu;
// From this cost on nothing may be added.
const TOO_DEAR = 0x20000000u;
const NONE = 0xffffffffu;
const NOWHERE = 0xffffu;
// The place that stands for an end of a task which is no port.
const END = 0xffffu;

// What is known of a task: nothing yet; nothing, and the planner has to find the route; a walk in plain sight that begins,
// seen from the goal, with its diagonal steps, or ends with them; a way by ports.
const OPEN = 0u;
const UNKNOWN = 1u;
const SIGHT = 2u;
const OTHER_SIGHT = 3u;
const BY_PORTS = 4u;

// The threads of a group where there is a thread for each task.
const LANES = 64u;
// The threads of a group where there is a group for each task, and how many of them are for each end.
const GROUP = 64u;
const HALF = 32u;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> chart: array<u32>;
// The same numbers, four at a time.
@group(0) @binding(2) var<storage, read> chart4: array<vec4<u32>>;
// Start and goal of each task: the column in the lower half of a word, the row in the upper one.
@group(0) @binding(3) var<storage, read> tasks: array<vec2<u32>>;
// For each task what is known of it; the cost in the chart, and later the number of diagonal steps, or the cost where weights
// differ; how many legs lead to both ends, and later how many cells the route has; and the first cell after the start.
@group(0) @binding(4) var<storage, read_write> choices: array<vec4<u32>>;
// The room of routes in fours of cells, which become places by being added up; the sums of blocks of them; and the tasks in
// the order in which threads take them.
@group(0) @binding(5) var<storage, read_write> offsets: array<u32>;
// The legs from both ends of each task, those near the meeting first: a region, and the places of two ports.
@group(0) @binding(6) var<storage, read_write> legs: array<vec2<u32>>;
// For each group that climbs: what it costs to the sides of the regions of both chains.
@group(0) @binding(7) var<storage, read_write> values: array<u32>;
@group(0) @binding(8) var<storage, read_write> places: array<vec4<u32>>;
// How many tasks there are of each kind, then where they begin. Behind them, how many tasks have their places.
@group(0) @binding(9) var<storage, read_write> tallies: array<atomic<u32>>;

fn taken_places() -> u32 {
    return params.kinds;
}

// Whether every loop of this thread so far went on to its end. A driver that computes on the CPU may cut all loops short after
// some ten thousand rounds. What was computed is of no use then, and is left to the planner.
fn has_breath() -> bool {
    var rounds = 0u;
    while rounds < params.two {
        rounds += 1u;
    }
    return rounds == params.two;
}

// A region. `line` is twice the column or row of the line, and one more if it is a row; in a leaf it is `NONE`. In a leaf,
// `low` and `high` are its first cell and how many columns and rows it has, and `first_row` is where its trees begin, `NONE` if
// it is open. Places of costs and trees count words.
struct Region {
    line: u32,
    low: u32,
    high: u32,
    first_port: u32,
    line_ports: u32,
    ports: u32,
    first_row: u32,
    first_side: u32,
}

fn region(number: u32) -> Region {
    let place = (first(REGIONS) >> 2u) + 3u * number;
    let some = chart4[place];
    let more = chart4[place + 1u];
    return Region(some.x, some.y, some.z, more.x, more.y & 0xffffu, more.y >> 16u, more.z, more.w);
}

// What is kept of a leaf alone: where its clear pairs begin, its prices if it is open, and its number.
fn leaf_part(number: u32) -> vec4<u32> {
    return chart4[(first(REGIONS) >> 2u) + 3u * number + 2u];
}

// On which side of a region's line a cell lies: below zero on the low side, zero on the line.
fn side_of(line: u32, cell: vec2<i32>) -> i32 {
    return select(cell.x, cell.y, (line & 1u) != 0u) - i32(line >> 1u);
}

fn port(home: Region, place: u32) -> u32 {
    return entry(PORTS, home.first_port + place);
}

// The rank of a port on the sides of a half, or `NOWHERE`.
fn rank_in(home: Region, half: u32, place: u32) -> u32 {
    return (entry(RANKS, home.first_port + place) >> (16u * half)) & 0xffffu;
}

// How many words a row of so many costs has. Rows begin at even columns, so that two costs are read at a time.
fn stride(columns: u32) -> u32 {
    if NARROW {
        return (columns + 1u) >> 1u;
    }
    return (columns + 1u) & ~1u;
}

fn kept(row: u32, column: u32) -> u32 {
    if NARROW {
        let cost = (entry(COSTS, row + (column >> 1u)) >> (16u * (column & 1u))) & 0xffffu;
        return select(cost, NO_WAY, cost == 0xffffu);
    }
    return entry(COSTS, row + column);
}

// The costs of two columns that begin at an even one.
fn kept_pair(row: u32, pair: u32) -> vec2<u32> {
    if NARROW {
        let both = entry(COSTS, row + pair);
        let costs = vec2<u32>(both & 0xffffu, both >> 16u);
        return select(costs, vec2<u32>(NO_WAY), costs == vec2<u32>(0xffffu));
    }
    let place = row + 2u * pair;
    return vec2<u32>(entry(COSTS, place), entry(COSTS, place + 1u));
}

fn row_of(home: Region, place: u32) -> u32 {
    return home.first_row + place * stride(home.ports);
}

// The cost between two ports of a region's list.
fn cost_between(home: Region, a: u32, b: u32) -> u32 {
    if a < home.line_ports {
        return kept(row_of(home, a), b);
    }
    if b < home.line_ports {
        return kept(row_of(home, b), a);
    }
    let sides = home.ports - home.line_ports;
    return kept(home.first_side + (a - home.line_ports) * stride(sides), b - home.line_ports);
}

// What a walk between two cells costs that no obstacle lengthens. A diagonal step costs `prices.y`.
fn open_cost(prices: vec2<u32>, a: vec2<i32>, b: vec2<i32>) -> u32 {
    let apart = vec2<u32>(abs(a - b));
    return prices.x * (apart.x + apart.y) - (2u * prices.x - prices.y) * min(apart.x, apart.y);
}

fn weight_of(cell: vec2<i32>) -> u32 {
    let place = u32(cell.y) * params.width + u32(cell.x);
    return (entry(WEIGHTS, place >> 2u) >> (8u * (place & 3u))) & 0xffu;
}

// The cost of a step where weights differ; `price` is its cost between cells of weight 1.
fn mean_cost(price: u32, a: vec2<i32>, b: vec2<i32>) -> u32 {
    return price * (weight_of(a) + weight_of(b)) / 2u;
}

// The columns and rows, plus one, that a step leads over in each direction, clockwise from north, in two bits each.
const ACROSS = 0x01a9u;
const DOWN = 0x1a90u;

fn step_by(direction: u32) -> vec2<i32> {
    let shift = 2u * (direction & 7u);
    return vec2<i32>(vec2<u32>((ACROSS >> shift) & 3u, (DOWN >> shift) & 3u)) - 1;
}

// The place of a port on a region's line, or `NONE`. The ports of a line are sorted by where they lie along it.
fn place_on_line(home: Region, cell: vec2<i32>) -> u32 {
    let place = places_before(home, along(home.line, cell));
    if place < home.line_ports && port(home, place) == word_of(cell) {
        return place;
    }
    return NONE;
}

// Where a cell lies along a line.
fn along(line: u32, cell: vec2<i32>) -> i32 {
    return select(cell.y, cell.x, (line & 1u) != 0u);
}

// How many ports of a line lie before a place along it.
fn places_before(home: Region, crossing: i32) -> u32 {
    var low = 0u;
    var high = home.line_ports;
    while low < high {
        let middle = (low + high) >> 1u;
        if along(home.line, cell_of(port(home, middle))) < crossing {
            low = middle + 1u;
        } else {
            high = middle;
        }
    }
    return low;
}

// Where a straight line between two cells crosses a region's line, as the number of ports before that place.
fn crossing_of(home: Region, a: vec2<i32>, b: vec2<i32>) -> u32 {
    let from_across = side_of(home.line, a);
    let to_across = side_of(home.line, b);
    let from_along = along(home.line, a);
    let to_along = along(home.line, b);
    var crossing = (from_along + to_along) / 2;
    if from_across != to_across {
        crossing = from_along + (to_along - from_along) * -from_across / (to_across - from_across);
    }
    return places_before(home, crossing);
}

// The port that is tried as number `index` when ports of a line are tried from a middle one outwards; `NONE` if there is none.
fn outwards(middle: u32, index: u32, ports: u32) -> u32 {
    let off = index >> 1u;
    if (index & 1u) == 0u {
        return select(NONE, middle + off, middle + off < ports);
    }
    return select(NONE, middle - off - 1u, off < middle);
}
