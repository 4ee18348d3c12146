// Routes over a square grid by sums of kept costs: DHPA* with rows, for many tasks at once.
//
// tally, scan_tally, arrange   bring tasks with the same clusters of start and goal together.
// price   the least sum tells how a route leads. No queue, no search.
// count   the first step, and how many cells the route has.
// scan_*  where the cells of each route begin, in fours.
// walk    writes the cells.
//
// Every comparison is that of the engine's own code, ties included, so that the routes are the same to the last bit. Costs are
// whole numbers. A cell is one word: its column in the lower half, its row in the upper one.

struct Params {
    // Where the arrays of the chart begin, in the order of the constants below.
    at: array<vec4<u32>, 3>,
    tasks: u32,
    // How many columns the world has.
    width: u32,
    cluster_side: u32,
    clusters_across: u32,
    // How many ports there are, and how many fours a row of costs between them has.
    ports: u32,
    row_fours: u32,
    // What steps cost if goals in plain sight are walked to; 0 if they are not.
    straight: u32,
    diagonal: u32,
    has_diagonals: u32,
    places_room: u32,
    // Where the numbers that are added up begin in `offsets`, how many there are, and how many blocks of them.
    scanned: u32,
    scan_count: u32,
    scan_blocks: u32,
    // How many kinds of tasks are told apart, and how many clusters there are.
    kinds: u32,
    clusters: u32,
    spare: u32,
}

const MOVES = 0u;
const CLUSTERS = 1u;
const PORTS = 2u;
const TREE_STEPS = 3u;
const TREE_COSTS = 4u;
const LEG_STEPS = 5u;
const EXITS = 6u;
const ROW_COSTS = 7u;
const ROW_EXITS = 8u;

// Costs in the chart are below this number, or there is no way. Sums of three of them fit 32 bits.
const NO_WAY = 0x3fffffffu;
const NO_EXIT = 0xffffu;

// How a route leads: unknown here, in plain sight in one of two ways, or by the rows.
const UNKNOWN = 0u;
const SIGHT = 1u;
const OTHER_SIGHT = 2u;
const BY_ROWS = 3u;
// The bits that say how a route leads. Those above them are the direction of its first step, once that is known.
const KIND_BITS = 2u;

// Drivers that compute on the CPU end all loops of a thread after 65,535 rounds. Routes of more cells, and looks over more cells
// in each of two ways, are left to the planner.
const MOST_CELLS = 50000u;
const MOST_SEEN = 20000u;

const LANES = 64u;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> chart: array<u32>;
// The same numbers, four at a time.
@group(0) @binding(2) var<storage, read> chart4: array<vec4<u32>>;
// The cells of start and goal of each task.
@group(0) @binding(3) var<storage, read> tasks: array<vec2<u32>>;
// For each task: how the route leads, its cost, the port whose row it follows with the exit of the goal's cluster in the upper
// half, and how many cells it has.
@group(0) @binding(4) var<storage, read_write> choices: array<vec4<u32>>;
// How many fours of cells each route has, which become places by being added up; the sums of blocks of them; and the tasks in
// the order in which threads take them.
@group(0) @binding(5) var<storage, read_write> offsets: array<u32>;
@group(0) @binding(6) var<storage, read_write> places: array<vec4<u32>>;
// How many tasks there are of each kind, then where they begin. Behind them, how many tasks have their places.
@group(0) @binding(7) var<storage, read_write> tallies: array<atomic<u32>>;

fn taken_places() -> u32 {
    return params.kinds;
}

fn sums_begin() -> u32 {
    return params.tasks + 1u;
}

fn column_of(cell: u32) -> u32 {
    return cell & 0xffffu;
}

fn row_of(cell: u32) -> u32 {
    return cell >> 16u;
}

fn cluster_of(cell: u32) -> u32 {
    return row_of(cell) / params.cluster_side * params.clusters_across + column_of(cell) / params.cluster_side;
}

// Tasks with the same clusters of start and goal are of one kind.
fn kind_of(task: u32) -> u32 {
    let ends = tasks[task];
    return (cluster_of(ends.x) * params.clusters + cluster_of(ends.y)) % params.kinds;
}

// A cluster. Costs and rows are padded to whole fours, and `first_cost` and `first_column` count fours.
struct Cluster {
    corner: u32,
    width: u32,
    first_port: u32,
    ports: u32,
    first_exit: u32,
    exits: u32,
    first_cost: u32,
    first_leg: u32,
    first_column: u32,
    fours: u32,
}

fn cluster(number: u32) -> Cluster {
    let place = (first(CLUSTERS) >> 2u) + 3u * number;
    let some = chart4[place];
    let more = chart4[place + 1u];
    let rest = chart4[place + 2u];
    return Cluster(some.x, some.y, some.z, some.w, more.x, more.y, more.z, more.w, rest.x, rest.y);
}

// A port: its cell, its cluster, where its tree begins in halves of bytes, and its place in rows of costs.
struct Port {
    cell: u32,
    cluster: u32,
    first_step: u32,
    column: u32,
}

fn port(number: u32) -> Port {
    let found = chart4[(first(PORTS) >> 2u) + number];
    return Port(found.x, found.y, found.z, found.w);
}

// An exit: the port that it leaves from, the port that it leads to, and what the step costs.
fn exit(number: u32) -> vec4<u32> {
    return chart4[(first(EXITS) >> 2u) + number];
}

fn row_cost(source: u32, column: u32) -> u32 {
    return entry(ROW_COSTS, 4u * source * params.row_fours + column);
}

fn row_exit(source: u32, number: u32) -> u32 {
    return half_entry(ROW_EXITS, source * params.ports + number);
}

// The number of a cell in its cluster.
fn index_in(home: Cluster, cell: u32) -> u32 {
    return (row_of(cell) - row_of(home.corner)) * home.width + column_of(cell) - column_of(home.corner);
}

// Where the costs from a cell to the ports of its cluster begin, in fours.
fn costs_of(home: Cluster, cell: u32) -> u32 {
    return (first(TREE_COSTS) >> 2u) + home.first_cost + index_in(home, cell) * home.fours;
}

fn cost_at(costs: u32, rank: u32) -> u32 {
    return chart[4u * costs + rank];
}
