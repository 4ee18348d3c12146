// Fields on grids: what it costs from every node to the nearest of some goals, the next step, and the routes of many agents
// that follow these steps.
//
// clear, seed   no node has a cost but the goals, and the tiles that hold them are listed.
// relax         lowers the costs of every listed tile until no step inside it lowers one more, and lists the tiles that could
//               profit. Turns of it follow one another until none is listed.
// point         of the steps on cheapest ways, the one of the lowest direction.
// count, scan_*, write_steps   how many steps each agent takes, where they begin, and the steps.
//
// Nodes lie row after row, `stride` apart, and a neighbour is as far away from every node. A tile is a square of these rows;
// around it lies a rim of one node. At the end of a row, the next node is the first of the next row. So the rim may hold nodes
// of the tile itself; they are treated like those of other tiles.

struct Params {
    // For each direction, how far away the neighbour is, in the numbers of nodes and inside a tile.
    offsets: array<vec4<i32>, 2>,
    places: array<vec4<i32>, 2>,
    // What a step over ground of weight 1 costs.
    prices: array<vec4<u32>, 2>,
    nodes: u32,
    stride: u32,
    // How many tiles there are, and how many in a row.
    tiles: u32,
    across: u32,
    // The greatest cost.
    limit: u32,
    // The list of tiles that is read, one of three.
    turn: u32,
    // How many goals or agents there are.
    tasks: u32,
    // How many words there are for steps of agents.
    room: u32,
    // Where the numbers that are added up begin in `offsets`, how many there are, and how many blocks of them.
    scanned: u32,
    scan_count: u32,
    scan_blocks: u32,
    spare: u32,
}

const FAR = 0xffffffffu;
const AT_GOAL = 8u;
const NO_STEP = 255u;

const SIDE = 32u;
const WIDE = 34u;
const NEAR = 1156u;
const LANES = 256u;

@group(0) @binding(0) var<uniform> params: Params;
// The legal moves and, above them, the weight of each node, 16 bits together.
@group(0) @binding(1) var<storage, read> ground: array<u32>;
@group(0) @binding(2) var<storage, read_write> costs: array<atomic<u32>>;
// How many tiles each of three lists has, the lists, and for each whether a tile is on it.
@group(0) @binding(3) var<storage, read_write> work: array<atomic<u32>>;
// The directions of the next steps, four in a word.
@group(0) @binding(4) var<storage, read_write> steps: array<u32>;
// The nodes of goals or of agents.
@group(0) @binding(5) var<storage, read> tasks: array<u32>;
// For each agent its cost and how many steps it takes.
@group(0) @binding(6) var<storage, read_write> found: array<vec2<u32>>;
// How many words the steps of each agent take, which become places by being added up, and the sums of blocks of them.
@group(0) @binding(7) var<storage, read_write> offsets: array<u32>;
// The steps of all agents, four in a word; those of each begin a word.
@group(0) @binding(8) var<storage, read_write> ways: array<u32>;

// The number of this thread among all, where groups go one below another.
fn thread_of(id: vec3<u32>, groups: vec3<u32>) -> u32 {
    return id.y * groups.x * LANES + id.x;
}

// The legal moves from a node, and its weight above them.
fn ground_of(node: u32) -> u32 {
    return (ground[node >> 1u] >> ((node & 1u) * 16u)) & 0xffffu;
}

fn offset_of(direction: u32) -> i32 {
    return params.offsets[direction >> 2u][direction & 3u];
}

fn price_of(direction: u32, from_weight: u32, to_weight: u32) -> u32 {
    return (params.prices[direction >> 2u][direction & 3u] * (from_weight + to_weight)) / 2u;
}

fn neighbour(node: u32, direction: u32) -> u32 {
    return u32(i32(node) + offset_of(direction));
}

fn list_begin(list: u32) -> u32 {
    return 4u + list * params.tiles;
}

fn flags_begin(list: u32) -> u32 {
    return 4u + (3u + list) * params.tiles;
}

// Puts the tile of a node on the list of the next turn, unless it is there already.
fn list_tile_of(node: u32) {
    let row = node / params.stride;
    let tile = (row / SIDE) * params.across + (node - row * params.stride) / SIDE;
    let next = (params.turn + 1u) % 3u;
    if atomicExchange(&work[flags_begin(next) + tile], 1u) == 0u {
        let place = atomicAdd(&work[next], 1u);
        atomicStore(&work[list_begin(next) + place], tile);
    }
}

@compute @workgroup_size(LANES)
fn clear(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let node = thread_of(id, groups);
    if node < params.nodes {
        atomicStore(&costs[node], FAR);
    }
}

@compute @workgroup_size(LANES)
fn seed(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let task = thread_of(id, groups);
    if task < params.tasks {
        atomicStore(&costs[tasks[task]], 0u);
        list_tile_of(tasks[task]);
    }
}
