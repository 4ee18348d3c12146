// Routes over a navigation mesh for many tasks at once: what the programs of all algorithms share.
//
// tally, scan_tally, arrange   bring tasks together that take equally long, so that threads side by side do: with the same
//                              nodes of start and goal (rhumb), or equally far apart (searches), the longest first. A task's
//                              route does not depend on its place.
// price   how a route leads, by the least sum of kept costs (rhumb). No queue, no search.
// scan_ways, arrange_ways   bring tasks together that lead over equal inter-edges (rhumb).
// search, search_borders   how a route leads, by searches. Threads take one task after another.
// count   how many portals the corridor has.
// scan_*  where the portals of each group of tasks, and later the places of each task, begin.
// walk    writes the corridor, then pulls a string through it (the funnel).
// gather  writes the corners of all routes one after another, in whole fours. A corner is an end of a portal: the number of the portal,
//         whether its first polygon is left there, and whether it is the left end.
//
// Every comparison is that of the engine's own code, ties included, so that the routes are the same to the last bit.

struct Params {
    // Where the arrays of the chart begin, in the order of the constants below.
    at: array<vec4<u32>, 7>,
    tasks: u32,
    // How many fours a row of costs between inter-edges has.
    width: u32,
    // The room of corridors and of places, in fours.
    corridor_room: u32,
    places_room: u32,
    // Where the numbers that are added up begin in `offsets`, how many there are, and how many blocks of them.
    scanned: u32,
    scan_count: u32,
    scan_blocks: u32,
    // How many kinds of tasks are told apart, and how many nodes there are.
    kinds: u32,
    nodes: u32,
    // How many portals and inter-edges there are, and the least weight of a polygon, for searches.
    portals: u32,
    borders: u32,
    least_weight: u32,
    // How many threads search, and for each of them: how many words its open list has, and for how many entries there is
    // room.
    workers: u32,
    list_stride: u32,
    list_room: u32,
    // How many steps a thread that searches makes before it ends and goes on the next time.
    steps: u32,
    // The buckets, a power of two, and the exponent of their width: of the search over polygons, then over inter-edges.
    buckets: vec2<u32>,
    shifts: vec2<u32>,
    // How many kinds of ways over inter-edges are told apart, and how many pairs of inter-edges are of one kind.
    ways: u32,
    pairs: u32,
}

const FIRST_EXIT = 0u;
const EXITS = 1u;
const WEIGHTS = 2u;
const NODE_BY_POLYGON = 3u;
const REGION_BY_POLYGON = 4u;
const MIDDLES = 5u;
const PORTAL_POLYGONS = 6u;
const SPANS = 7u;
const SLOTS = 8u;
const FIRST_LABEL = 9u;
const LABEL_LENGTHS = 10u;
const NODES = 11u;
const NODE_PORTALS = 12u;
const COSTS = 13u;
const NEXT = 14u;
const BORDER_IDS = 15u;
const BORDER_SEATS = 16u;
const ROW_COSTS = 17u;
const HOPS = 18u;
const REGION_PARENTS = 19u;
const REGION_ENDS = 20u;
const LABEL_COSTS = 21u;
const LABEL_NEXT = 22u;
const BORDER_PORTALS = 23u;
// The portals of all nodes, each with its polygons, in fours.
const PASSAGES = 24u;

// Costs in the chart are below this number, or there is no way. Sums of three of them fit 32 bits.
const NO_WAY = 0x3fffffffu;
const NONE = 0xffffffffu;
const SECOND_NODE = 0x8000u;

// How a route leads: within its polygon, inside its node, over inter-edges, unknown here, or over portals that were found one
// by one.
const WITHIN = 0u;
const INSIDE = 1u;
const OVER_BORDERS = 2u;
const UNKNOWN = 3u;
const OVER_PORTALS = 4u;

const LANES = 64u;
// The tasks whose portals lie side by side in memory.
const GROUP = 32u;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> chart: array<u32>;
// The same numbers, four at a time.
@group(0) @binding(7) var<storage, read> chart4: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> tasks: array<u32>;
// For each task: how the route leads, its cost, and two numbers that tell which way; once it is walked, how many corners it has.
@group(0) @binding(3) var<storage, read_write> choices: array<vec4<u32>>;
// The fours of groups of corridors and of routes, which become places by being added up; the sums of blocks of them; and
// the tasks in the order in which threads take them.
@group(0) @binding(4) var<storage, read_write> offsets: array<u32>;
@group(0) @binding(5) var<storage, read_write> corridor: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read_write> places: array<vec4<u32>>;
// How many tasks there are of each kind, then where they begin. Then come the counters of searches, how many tasks have their places
// in the order by kinds and in that by ways, and the counters of ways.
@group(0) @binding(8) var<storage, read_write> tallies: array<atomic<u32>>;

const SEARCH_COUNTERS = 9u;

fn taken_places() -> u32 {
    return params.kinds + SEARCH_COUNTERS;
}

fn spot(array: u32, index: u32) -> vec2<i32> {
    let place = first(array) + 2u * index;
    return vec2<i32>(bitcast<i32>(chart[place]), bitcast<i32>(chart[place + 1u]));
}

fn pair(array: u32, index: u32) -> vec2<u32> {
    let place = first(array) + 2u * index;
    return vec2<u32>(chart[place], chart[place + 1u]);
}
