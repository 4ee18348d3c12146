// Routes over a navigation mesh by sums of kept costs: the rhumb chart of a mesh, for many tasks at once.
//
// tally, scan_tally, arrange   bring tasks with the same nodes of start and goal together, so that threads side by side read
//                              the same numbers and take equally long. A task's route does not depend on its place.
// price   the least sum tells how a route leads. No queue, no search.
// count   how many portals the corridor has.
// scan_*  where the portals of each group of tasks, and later the places of each task, begin.
// walk    writes the corridor, then pulls a string through it (the funnel).
// gather  writes the corners of all routes one after another. A corner is an end of a portal: the number of the portal,
//         whether its first polygon is left there, and whether it is the left end.
//
// Every comparison is that of the engine's own code, ties included, so that the routes are the same to the last bit.
// Whole numbers of 64 bits are pairs of 32: the low half, then the high half.

struct Params {
    // Where the arrays of the chart begin, in the order of the constants below.
    at: array<vec4<u32>, 6>,
    tasks: u32,
    // How many fours a row of costs between inter-edges has.
    width: u32,
    corridor_room: u32,
    places_room: u32,
    // Where the numbers that are added up begin in `offsets`, how many there are, and how many blocks of them.
    scanned: u32,
    scan_count: u32,
    scan_blocks: u32,
    // How many kinds of tasks are told apart, and how many nodes there are.
    kinds: u32,
    nodes: u32,
    spare: u32,
    spare_too: vec2<u32>,
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

// Costs in the chart are below this number, or there is no way. Sums of three of them fit 32 bits.
const NO_WAY = 0x3fffffffu;
const NONE = 0xffffffffu;
const SECOND_NODE = 0x8000u;

// How a route leads: within its polygon, inside its node, over inter-edges, or unknown here.
const WITHIN = 0u;
const INSIDE = 1u;
const OVER_BORDERS = 2u;
const UNKNOWN = 3u;

const LANES = 64u;
// The tasks whose portals lie side by side in memory.
const GROUP = 32u;
// How many fours of inter-edges of the goal's node are looked at in one go.
const TILE = 3u;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> chart: array<u32>;
// The same numbers, four at a time.
@group(0) @binding(7) var<storage, read> chart4: array<vec4<u32>>;
@group(0) @binding(2) var<storage, read> tasks: array<u32>;
// For each task: how the route leads, its cost, and two numbers that tell which way.
@group(0) @binding(3) var<storage, read_write> choices: array<vec4<u32>>;
// The lengths of groups of corridors and of routes, which become places by being added up; the sums of blocks of them; and
// the tasks in the order in which threads take them.
@group(0) @binding(4) var<storage, read_write> offsets: array<u32>;
@group(0) @binding(5) var<storage, read_write> corridor: array<vec4<u32>>;
@group(0) @binding(6) var<storage, read_write> places: array<u32>;
// How many tasks there are of each kind, then where they begin.
@group(0) @binding(8) var<storage, read_write> tallies: array<atomic<u32>>;

fn first(array: u32) -> u32 {
    return params.at[array >> 2u][array & 3u];
}

fn entry(array: u32, index: u32) -> u32 {
    return chart[first(array) + index];
}

// Reads a number of 16 bits, of which two share a word.
fn half_entry(array: u32, index: u32) -> u32 {
    return (chart[first(array) + (index >> 1u)] >> ((index & 1u) * 16u)) & 0xffffu;
}

fn spot(array: u32, index: u32) -> vec2<i32> {
    let place = first(array) + 2u * index;
    return vec2<i32>(bitcast<i32>(chart[place]), bitcast<i32>(chart[place + 1u]));
}

fn pair(array: u32, index: u32) -> vec2<u32> {
    let place = first(array) + 2u * index;
    return vec2<u32>(chart[place], chart[place + 1u]);
}

// ---- whole numbers of 64 bits

fn product(a: u32, b: u32) -> vec2<u32> {
    let low = vec2<u32>(a & 0xffffu, b & 0xffffu);
    let high = vec2<u32>(a >> 16u, b >> 16u);
    let ll = low.x * low.y;
    let lh = low.x * high.y;
    let hl = high.x * low.y;
    let middle = (ll >> 16u) + (lh & 0xffffu) + (hl & 0xffffu);
    return vec2<u32>((ll & 0xffffu) | (middle << 16u), high.x * high.y + (lh >> 16u) + (hl >> 16u) + (middle >> 16u));
}

fn plus(a: vec2<u32>, b: vec2<u32>) -> vec2<u32> {
    let low = a.x + b.x;
    return vec2<u32>(low, a.y + b.y + select(0u, 1u, low < a.x));
}

fn is_less(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.y < b.y || (a.y == b.y && a.x < b.x);
}

fn square_between(a: vec2<i32>, b: vec2<i32>) -> vec2<u32> {
    let off = vec2<u32>(abs(a - b));
    return plus(product(off.x, off.x), product(off.y, off.y));
}

// The greatest whole number whose square is at most `square`, which is below 2^48.
fn root(square: vec2<u32>) -> u32 {
    var r = u32(sqrt(f32(square.y) * 4294967296.0 + f32(square.x)));
    while is_less(square, product(r, r)) {
        r -= 1u;
    }
    while !is_less(square, product(r + 1u, r + 1u)) {
        r += 1u;
    }
    return r;
}

fn distance_up(a: vec2<i32>, b: vec2<i32>) -> u32 {
    let square = square_between(a, b);
    let r = root(square);
    return r + select(1u, 0u, product(r, r).x == square.x);
}

fn distance_rounded(a: vec2<i32>, b: vec2<i32>) -> u32 {
    let square = square_between(a, b);
    let r = root(square);
    return r + select(0u, 1u, square.x - product(r, r).x > r);
}

// The signs of the differences of products `a * b - c * d`, where all factors are below 2^24. Every factor is cut in two of 12
// bits, so that all sums of products fit 32 bits.
fn signs(a: vec4<i32>, b: vec4<i32>, c: vec4<i32>, d: vec4<i32>) -> vec4<i32> {
    let cut = vec4<u32>(12u);
    let low = vec4<i32>(0xfff);
    let a1 = a >> cut;
    let b1 = b >> cut;
    let c1 = c >> cut;
    let d1 = d >> cut;
    let a0 = a & low;
    let b0 = b & low;
    let c0 = c & low;
    let d0 = d & low;
    let least = a0 * b0 - c0 * d0;
    let middle = a1 * b0 + a0 * b1 - c1 * d0 - c0 * d1 + (least >> cut);
    let great = a1 * b1 - c1 * d1 + (middle >> cut);
    let rest = (middle | least) & low;
    return select(sign(great), sign(rest), great == vec4<i32>());
}

// ---- the ends of a task

struct End {
    polygon: u32,
    at: vec2<i32>,
}

fn end_of(task: u32, which: u32) -> End {
    let place = 6u * task + 3u * which;
    return End(tasks[place], vec2<i32>(bitcast<i32>(tasks[place + 1u]), bitcast<i32>(tasks[place + 2u])));
}

// Rows of costs are padded to whole fours; `first_cost` counts fours, and `fours` is how many a row has.
struct Node {
    first_portal: u32,
    portals: u32,
    fours: u32,
    first_cost: u32,
    first_next: u32,
    first_border: u32,
}

fn node(number: u32) -> Node {
    let place = (first(NODES) >> 2u) + 2u * number;
    let some = chart4[place];
    let more = chart4[place + 1u];
    return Node(some.x, some.y, some.z, some.w, more.x, more.y);
}

fn exits_of(polygon: u32) -> vec2<u32> {
    return vec2<u32>(entry(FIRST_EXIT, polygon), entry(FIRST_EXIT, polygon + 1u));
}

// What the way from a point to the middle of a portal of its polygon costs.
fn exit_cost(end: End, portal: u32) -> u32 {
    return min(distance_up(end.at, spot(MIDDLES, portal)) * entry(WEIGHTS, end.polygon), NO_WAY);
}

// The number of a portal in the node of one of its polygons.
fn slot_of(portal: u32, polygon: u32) -> u32 {
    let is_second = entry(PORTAL_POLYGONS, 2u * portal) != polygon;
    return half_entry(SLOTS, 2u * portal + select(0u, 1u, is_second));
}

// How many entries the labels have in common that lead between two polygons of one node.
fn common_entries(from_polygon: u32, to_polygon: u32) -> u32 {
    var a = entry(REGION_BY_POLYGON, from_polygon);
    var b = entry(REGION_BY_POLYGON, to_polygon);
    while a != b {
        if a > b {
            a = entry(REGION_PARENTS, a);
        } else {
            b = entry(REGION_PARENTS, b);
        }
    }
    if a == NONE {
        return 0u;
    }
    return entry(REGION_ENDS, a);
}

// ---- the order of tasks

fn sums_begin() -> u32 {
    return 2u * (params.tasks + 1u);
}

fn order_begin() -> u32 {
    return sums_begin() + (params.tasks + 1u + SCANNED - 1u) / SCANNED;
}

// The task that is the turn of a thread.
fn task_of(thread: u32) -> u32 {
    return offsets[order_begin() + thread];
}

fn thread_of(id: vec3<u32>, groups: vec3<u32>) -> u32 {
    return id.y * groups.x * LANES + id.x;
}

@compute @workgroup_size(LANES)
fn tally(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let task = thread_of(id, groups);
    if task >= params.tasks {
        return;
    }
    let start = entry(NODE_BY_POLYGON, tasks[6u * task]);
    let goal = entry(NODE_BY_POLYGON, tasks[6u * task + 3u]);
    let kind = (start * params.nodes + goal) % params.kinds;
    choices[task] = vec4<u32>(kind, atomicAdd(&tallies[kind], 1u), 0u, 0u);
}

@compute @workgroup_size(256)
fn scan_tally(@builtin(local_invocation_index) lane: u32) {
    var carried = 0u;
    for (var begin = 0u; begin < params.kinds; begin += 256u) {
        var own = 0u;
        if begin + lane < params.kinds {
            own = atomicLoad(&tallies[begin + lane]);
        }
        let before = sum_before(lane, own);
        if begin + lane < params.kinds {
            atomicStore(&tallies[begin + lane], carried + before);
        }
        carried += workgroupUniformLoad(&partial[255]);
    }
}

@compute @workgroup_size(LANES)
fn arrange(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let task = thread_of(id, groups);
    if task >= params.tasks {
        return;
    }
    let choice = choices[task];
    offsets[order_begin() + atomicLoad(&tallies[choice.x]) + choice.y] = task;
}

// ---- price

// What the ways from the goal to some inter-edges of its node cost, four at a time, one list for each lane.
var<workgroup> goal_costs: array<array<vec4<u32>, LANES>, TILE>;

// The first four portals of a polygon, as most have no more: where their rows of costs begin, in fours, and what the way to
// them costs.
struct Exits {
    rows: vec4<u32>,
    costs: vec4<u32>,
    range: vec2<u32>,
}

fn exits(end: End, home: Node) -> Exits {
    let range = exits_of(end.polygon);
    let begin = first(COSTS) >> 2u;
    var found = Exits(vec4<u32>(begin), vec4<u32>(NO_WAY), range);
    for (var k = 0u; k < 4u; k++) {
        if range.x + k < range.y {
            let portal = entry(EXITS, range.x + k);
            found.rows[k] = begin + home.first_cost + slot_of(portal, end.polygon) * home.fours;
            found.costs[k] = exit_cost(end, portal);
        }
    }
    return found;
}

// What the cheapest ways from a point to four inter-edges of its node cost.
fn border_costs(end: End, way: Exits, home: Node, four: u32) -> vec4<u32> {
    var best = min(
        min(chart4[way.rows.x + four] + way.costs.x, chart4[way.rows.y + four] + way.costs.y),
        min(chart4[way.rows.z + four] + way.costs.z, chart4[way.rows.w + four] + way.costs.w)
    );
    for (var place = way.range.x + 4u; place < way.range.y; place++) {
        let portal = entry(EXITS, place);
        let row = (first(COSTS) >> 2u) + home.first_cost + slot_of(portal, end.polygon) * home.fours;
        best = min(best, chart4[row + four] + exit_cost(end, portal));
    }
    return min(best, vec4<u32>(NO_WAY));
}

fn label_sum(end: End, range: vec2<u32>, index: u32) -> u32 {
    var best = NO_WAY;
    for (var place = range.x; place < range.y; place++) {
        let portal = entry(EXITS, place);
        if index < entry(LABEL_LENGTHS, portal) {
            let rest = entry(LABEL_COSTS, entry(FIRST_LABEL, portal) + index);
            best = min(best, rest + exit_cost(end, portal));
        }
    }
    return best;
}

@compute @workgroup_size(LANES)
fn price(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let thread = thread_of(id, groups);
    if thread >= params.tasks {
        return;
    }
    let task = task_of(thread);
    let start = end_of(task, 0u);
    let goal = end_of(task, 1u);
    if start.polygon == goal.polygon {
        choices[task] = vec4<u32>(WITHIN, 0u, 0u, 0u);
        return;
    }
    let numbers = vec2<u32>(entry(NODE_BY_POLYGON, start.polygon), entry(NODE_BY_POLYGON, goal.polygon));
    let start_node = node(numbers.x);
    let goal_node = node(numbers.y);
    let from_start = exits(start, start_node);
    let from_goal = exits(goal, goal_node);

    // All pairs of an inter-edge of the start's node and one of the goal's node. Of equal sums the first pair counts, the
    // inter-edge of the start's node first.
    let rows = first(ROW_COSTS) >> 2u;
    var least = NO_WAY;
    var border = 0u;
    for (var tile = 0u; tile < goal_node.fours; tile += TILE) {
        let width = min(TILE, goal_node.fours - tile);
        for (var j = 0u; j < width; j++) {
            goal_costs[j][lane] = border_costs(goal, from_goal, goal_node, tile + j);
        }
        for (var four = 0u; four < start_node.fours; four++) {
            let costs = border_costs(start, from_start, start_node, four);
            for (var k = 0u; k < 4u; k++) {
                let before = costs[k];
                if before > least || before == NO_WAY {
                    continue;
                }
                let id = entry(BORDER_IDS, start_node.first_border + 4u * four + k);
                let row = rows + id * params.width + (goal_node.first_border >> 2u) + tile;
                var best = vec4<u32>(NO_WAY);
                for (var j = 0u; j < width; j++) {
                    best = min(best, chart4[row + j] + goal_costs[j][lane]);
                }
                let sum = before + min(min(best.x, best.y), min(best.z, best.w));
                if sum < least || (sum == least && 4u * four + k < border) {
                    least = sum;
                    border = 4u * four + k;
                }
            }
        }
    }
    // The first inter-edge of the goal's node by which the best one of the start's node has that sum.
    var last = 0u;
    if least < NO_WAY {
        let before = border_costs(start, from_start, start_node, border >> 2u)[border & 3u];
        let id = entry(BORDER_IDS, start_node.first_border + border);
        let row = rows + id * params.width + (goal_node.first_border >> 2u);
        for (var j = 0u; j < goal_node.fours; j++) {
            let is_best = chart4[row + j] + border_costs(goal, from_goal, goal_node, j) + before == vec4<u32>(least);
            if any(is_best) {
                last = 4u * j + select(select(select(3u, 2u, is_best.z), 1u, is_best.y), 0u, is_best.x);
                break;
            }
        }
    }

    var inside = vec2<u32>(NO_WAY, NONE);
    if numbers.x == numbers.y {
        let entries = common_entries(start.polygon, goal.polygon);
        for (var index = 0u; index < entries; index++) {
            let sum = label_sum(start, from_start.range, index) + label_sum(goal, from_goal.range, index);
            if sum < inside.x {
                inside = vec2<u32>(sum, index);
            }
        }
    }
    var choice = vec4<u32>(UNKNOWN, 0u, 0u, 0u);
    if inside.x < NO_WAY && inside.x <= least {
        choice = vec4<u32>(INSIDE, inside.x, inside.y, 0u);
    } else if least < NO_WAY {
        choice = vec4<u32>(OVER_BORDERS, least, border, last);
    }
    choices[task] = choice;
}

// ---- count and walk

// The number in its node of the portal by which the way from a point to an inter-edge of its node begins.
fn exit_to_border(end: End, home: Node, border: u32) -> u32 {
    let range = exits_of(end.polygon);
    var best = NONE;
    var chosen = 0u;
    for (var place = range.x; place < range.y; place++) {
        let portal = entry(EXITS, place);
        let slot = slot_of(portal, end.polygon);
        let total = entry(COSTS, 4u * (home.first_cost + slot * home.fours) + border) + exit_cost(end, portal);
        if total < best {
            best = total;
            chosen = slot;
        }
    }
    return chosen;
}

// The number in its node of the portal by which the way from a point to a hub begins.
fn exit_to_hub(end: End, index: u32) -> u32 {
    let range = exits_of(end.polygon);
    var best = NONE;
    var chosen = 0u;
    for (var place = range.x; place < range.y; place++) {
        let portal = entry(EXITS, place);
        if index < entry(LABEL_LENGTHS, portal) {
            let total = entry(LABEL_COSTS, entry(FIRST_LABEL, portal) + index) + exit_cost(end, portal);
            if total < best {
                best = total;
                chosen = slot_of(portal, end.polygon);
            }
        }
    }
    return chosen;
}

// What a walk along a corridor writes. Portals that the corridor touches and does not pass are left out: those after which
// it goes on through the polygon that it came from.
struct Pen {
    // How many portals there were, and how many gates were written.
    seen: u32,
    gates: u32,
    // Where the first gate is written; nothing is if `writes` is false.
    begin: u32,
    writes: bool,
    // The polygon before the latest portal, that portal, and its polygons.
    polygon: u32,
    portal: u32,
    polygons: vec2<u32>,
    // The latest gates, which are written four at a time.
    held: vec4<u32>,
}

// Where the number of a corridor is kept: four numbers of a task lie together, and those of the tasks of a group side by
// side.
fn corridor_place(begin: u32, index: u32) -> u32 {
    return begin + (index >> 2u) * GROUP;
}

// A portal of a corridor as an agent passes it: its number, and whether the agent leaves its first polygon.
fn gate(portal: u32, is_first: bool) -> u32 {
    return (portal << 2u) | select(0u, 2u, is_first);
}

fn put(pen: ptr<function, Pen>, portal: u32) {
    if (*pen).writes {
        put_gate(pen, portal, pair(PORTAL_POLYGONS, portal));
    }
    (*pen).seen += 1u;
}

// Writes the gate of the portal before, unless the corridor only touches it.
fn put_gate(pen: ptr<function, Pen>, portal: u32, polygons: vec2<u32>) {
    if (*pen).seen > 0u {
        let is_first = (*pen).polygons.x == (*pen).polygon;
        let behind = select((*pen).polygons.x, (*pen).polygons.y, is_first);
        if any(polygons == vec2<u32>(behind)) {
            (*pen).held[(*pen).gates & 3u] = gate((*pen).portal, is_first);
            (*pen).polygon = behind;
            (*pen).gates += 1u;
            if ((*pen).gates & 3u) == 0u {
                corridor[corridor_place((*pen).begin, (*pen).gates - 1u)] = (*pen).held;
            }
        }
    }
    (*pen).portal = portal;
    (*pen).polygons = polygons;
}

// Writes the last gate, and what is held back.
fn finish(pen: ptr<function, Pen>, goal: u32) {
    put_gate(pen, 0u, vec2<u32>(goal));
    if ((*pen).gates & 3u) != 0u {
        corridor[corridor_place((*pen).begin, (*pen).gates)] = (*pen).held;
    }
}

// Follows kept ways inside a node from a portal to an inter-edge, without the portal itself.
fn follow(home: Node, from_slot: u32, border: u32, pen: ptr<function, Pen>) {
    var at = from_slot;
    while at != border {
        at = half_entry(NEXT, home.first_next + border * home.portals + at);
        put(pen, entry(NODE_PORTALS, home.first_portal + at));
    }
}

// Follows a label from a portal to a hub, both included.
fn follow_label(home: Node, from_slot: u32, index: u32, pen: ptr<function, Pen>) {
    var at = from_slot;
    loop {
        let portal = entry(NODE_PORTALS, home.first_portal + at);
        put(pen, portal);
        let next = half_entry(LABEL_NEXT, entry(FIRST_LABEL, portal) + index);
        if next == at {
            return;
        }
        at = next;
    }
}

// The end of a corridor: the way from the goal to the hub or inter-edge where the rest of the corridor ends, which is not
// part of it. It is found from the goal on and needed the other way round, so it is noted behind the corridor.
fn follow_from_goal(
    choice: vec4<u32>, last: u32, goal: End, home: Node, begin: u32, room: u32, writes: bool
) -> u32 {
    var count = 0u;
    let is_inside = choice.x == INSIDE;
    var slot = 0u;
    if is_inside {
        slot = exit_to_hub(goal, choice.z);
    } else {
        slot = exit_to_border(goal, home, last);
    }
    loop {
        var portal = 0u;
        var next = slot;
        if is_inside {
            portal = entry(NODE_PORTALS, home.first_portal + slot);
            next = half_entry(LABEL_NEXT, entry(FIRST_LABEL, portal) + choice.z);
        } else if slot != last {
            next = half_entry(NEXT, home.first_next + last * home.portals + slot);
        }
        if next == slot {
            break;
        }
        if writes {
            let place = room - 1u - count;
            corridor[corridor_place(begin, place)][place & 3u] = entry(NODE_PORTALS, home.first_portal + slot);
        }
        count += 1u;
        slot = next;
    }
    return count;
}

// The first hop of the way from an inter-edge to an entry of its row: the next inter-edge, and the node between the two.
fn hop_from(id: u32, entry_of_row: u32) -> vec2<u32> {
    let hop = half_entry(HOPS, 4u * id * params.width + entry_of_row);
    let seats = chart4[(first(BORDER_SEATS) >> 2u) + id];
    let through = select(seats.x, seats.z, (hop & SECOND_NODE) != 0u);
    return vec2<u32>(entry(BORDER_IDS, node(through).first_border + (hop & (SECOND_NODE - 1u))), through);
}

// The place of an inter-edge in one of its nodes.
fn place_in(id: u32, number: u32) -> u32 {
    let seats = chart4[(first(BORDER_SEATS) >> 2u) + id];
    return select(seats.w, seats.y, seats.x == number);
}

// Follows the corridor of a task, all but its end near the goal. Inter-edges that the way touches, because it goes on through
// the node that it came from, are left out. Returns the place in the goal's node of the inter-edge where the rest begins.
fn follow_task(choice: vec4<u32>, start: End, numbers: vec2<u32>, pen: ptr<function, Pen>) -> u32 {
    if choice.x == INSIDE {
        follow_label(node(numbers.x), exit_to_hub(start, choice.z), choice.z, pen);
        return choice.w;
    }
    let goal_entry = node(numbers.y).first_border + choice.w;
    let target_id = entry(BORDER_IDS, goal_entry);
    var ahead = entry(BORDER_IDS, node(numbers.x).first_border + choice.z);
    var through = numbers.x;
    var at = NONE;
    loop {
        // What comes after the inter-edge ahead tells whether that one is passed.
        var hop = vec2<u32>(NONE, NONE);
        if ahead != target_id {
            hop = hop_from(ahead, goal_entry);
        } else if at != NONE && through == numbers.y {
            break;
        }
        if hop.y != through {
            let home = node(through);
            let border = place_in(ahead, through);
            if at == NONE {
                let slot = exit_to_border(start, home, border);
                put(pen, entry(NODE_PORTALS, home.first_portal + slot));
                follow(home, slot, border, pen);
            } else {
                follow(home, place_in(at, through), border, pen);
            }
            at = ahead;
            through = hop.y;
        }
        if ahead == target_id {
            break;
        }
        ahead = hop.x;
    }
    return place_in(at, numbers.y);
}

// The most portals of a corridor in each group.
var<workgroup> longest: array<atomic<u32>, 2>;

@compute @workgroup_size(LANES)
fn count(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let thread = thread_of(id, groups);
    if lane < 2u {
        atomicStore(&longest[lane], 0u);
    }
    workgroupBarrier();
    if thread < params.tasks {
        let task = task_of(thread);
        let choice = choices[task];
        var length = 0u;
        if choice.x == INSIDE || choice.x == OVER_BORDERS {
            let start = end_of(task, 0u);
            let goal = end_of(task, 1u);
            let numbers = vec2<u32>(entry(NODE_BY_POLYGON, start.polygon), entry(NODE_BY_POLYGON, goal.polygon));
            var pen = Pen();
            let last = follow_task(choice, start, numbers, &pen);
            length = pen.seen + follow_from_goal(choice, last, goal, node(numbers.y), 0u, 0u, false);
            // The cost is not needed any more: it is counted again line by line.
            choices[task].y = last;
        }
        offsets[params.tasks + 1u + task] = length;
        atomicMax(&longest[lane / GROUP], (length + 3u) / 4u);
    }
    workgroupBarrier();
    if lane % GROUP == 0u && thread / GROUP < params.scan_count {
        offsets[thread / GROUP] = GROUP * atomicLoad(&longest[lane / GROUP]);
    }
}

// ---- sums of all lengths before each

const SCANNED = 1024u;
var<workgroup> partial: array<u32, 256>;

// Adds up the numbers of all lanes of a group before this one. Afterwards the last of `partial` is the sum of all.
fn sum_before(lane: u32, own: u32) -> u32 {
    workgroupBarrier();
    partial[lane] = own;
    for (var reach = 1u; reach < 256u; reach *= 2u) {
        workgroupBarrier();
        var before = 0u;
        if lane >= reach {
            before = partial[lane - reach];
        }
        workgroupBarrier();
        partial[lane] += before;
    }
    workgroupBarrier();
    return partial[lane] - own;
}

fn block_of(group: vec3<u32>, groups: vec3<u32>) -> u32 {
    return group.y * groups.x + group.x;
}

@compute @workgroup_size(256)
fn scan_blocks(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = block_of(group, groups);
    let begin = block * SCANNED + 4u * lane;
    var own = vec4<u32>();
    for (var k = 0u; k < 4u; k++) {
        if begin + k < params.scan_count {
            own[k] = offsets[params.scanned + begin + k];
        }
    }
    var running = sum_before(lane, own.x + own.y + own.z + own.w);
    for (var k = 0u; k < 4u; k++) {
        if begin + k < params.scan_count {
            offsets[params.scanned + begin + k] = running;
        }
        running += own[k];
    }
    if lane == 255u && block < params.scan_blocks {
        offsets[sums_begin() + block] = running;
    }
}

@compute @workgroup_size(256)
fn scan_sums(@builtin(local_invocation_index) lane: u32) {
    var carried = 0u;
    for (var begin = 0u; begin < params.scan_blocks; begin += 256u) {
        var own = 0u;
        if begin + lane < params.scan_blocks {
            own = offsets[sums_begin() + begin + lane];
        }
        let before = sum_before(lane, own);
        if begin + lane < params.scan_blocks {
            offsets[sums_begin() + begin + lane] = carried + before;
        }
        carried += workgroupUniformLoad(&partial[255]);
    }
}

@compute @workgroup_size(256)
fn scan_add(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = block_of(group, groups);
    let begin = block * SCANNED + 4u * lane;
    for (var k = 0u; k < 4u; k++) {
        if begin + k < params.scan_count {
            offsets[params.scanned + begin + k] += offsets[sums_begin() + block];
        }
    }
}

// ---- walk

fn polygon_behind(passed: u32) -> u32 {
    return entry(PORTAL_POLYGONS, 2u * (passed >> 2u) + ((passed >> 1u) & 1u));
}

// The ends of a gate: to the right of the agent, then to its left.
fn gate_ends(passed: u32) -> vec4<i32> {
    let ends = bitcast<vec4<i32>>(chart4[(first(SPANS) >> 2u) + (passed >> 2u)]);
    return select(ends.zwxy, ends, (passed & 2u) != 0u);
}

// A side of the funnel: where it ends, the gate that ends it with 1 added (0 if it is open), and how that is passed.
struct Edge {
    at: vec2<i32>,
    gate: u32,
    passed: u32,
}

// Pulls a string through the gates. Each corner overwrites a gate that is passed by then. Returns how many corners
// there are.
fn pull(begin: u32, gates: u32, start: End, goal: End) -> u32 {
    var corners = 0u;
    var at = start.at;
    var right = Edge();
    var left = Edge();
    var index = 0u;
    while index <= gates {
        var ends = vec4<i32>(goal.at, goal.at);
        var passed = 0u;
        if index < gates {
            passed = corridor[corridor_place(begin, index)][index & 3u];
            ends = gate_ends(passed);
        }
        index += 1u;
        let right_is_here = all(ends.xy == at);
        let left_is_here = all(ends.zw == at);
        if right_is_here && left_is_here {
            continue;
        }
        // On which sides of the two sides of the funnel the ends of the gate lie: the right end, then the left end.
        let to = ends - at.xyxy;
        let along = vec4<i32>(right.at, left.at) - at.xyxy;
        let turns = signs(along.xzxz, to.yyww, along.ywyw, to.xxzz);
        let right_is_open = right.gate == 0u;
        let left_is_open = left.gate == 0u;
        var corner = Edge();
        if (right_is_open || turns.x >= 0) && !left_is_open && turns.y > 0 {
            corner = left;
            corner.passed |= 1u;
        } else {
            let is_narrowed = (right_is_open || turns.x >= 0) && !right_is_here;
            // The left end beside the right side of the funnel, which this very gate may have narrowed.
            var crossing = turns.z;
            if is_narrowed {
                crossing = signs(to.xxxx, to.wwww, to.yyyy, to.zzzz).x;
                right = Edge(ends.xy, index, passed);
            }
            if left_is_open || turns.w <= 0 {
                if right.gate != 0u && crossing < 0 {
                    corner = right;
                } else if !left_is_here {
                    left = Edge(ends.zw, index, passed);
                }
            }
        }
        if corner.gate != 0u {
            corridor[corridor_place(begin, corners)][corners & 3u] = corner.passed;
            corners += 1u;
            at = corner.at;
            index = corner.gate;
            right.gate = 0u;
            left.gate = 0u;
        }
    }
    // The goal may be the last corner.
    if corners > 0u && all(at == goal.at) {
        corners -= 1u;
    }
    return corners;
}

fn corner_spot(passed: u32) -> vec2<i32> {
    let ends = gate_ends(passed);
    return select(ends.xy, ends.zw, (passed & 1u) != 0u);
}

@compute @workgroup_size(LANES)
fn walk(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let thread = thread_of(id, groups);
    let counts = params.tasks + 1u;
    if thread >= params.tasks {
        if thread == params.tasks {
            offsets[counts + thread] = 0u;
        }
        return;
    }
    let task = task_of(thread);
    let length = offsets[counts + task];
    let begin = offsets[thread / GROUP] + thread % GROUP;
    let choice = choices[task];
    let kind = choice.x;
    if kind == UNKNOWN || offsets[thread / GROUP + 1u] > params.corridor_room {
        choices[task].x = UNKNOWN;
        offsets[counts + task] = 0u;
        return;
    }
    let start = end_of(task, 0u);
    let goal = end_of(task, 1u);
    var corners = 0u;
    if kind != WITHIN {
        let numbers = vec2<u32>(entry(NODE_BY_POLYGON, start.polygon), entry(NODE_BY_POLYGON, goal.polygon));
        let end = follow_from_goal(choice, choice.y, goal, node(numbers.y), begin, length, true);
        var pen = Pen();
        pen.begin = begin;
        pen.writes = true;
        pen.polygon = start.polygon;
        follow_task(choice, start, numbers, &pen);
        for (var place = length - end; place < length; place++) {
            put(&pen, corridor[corridor_place(begin, place)][place & 3u]);
        }
        finish(&pen, goal.polygon);
        corners = pull(begin, pen.gates, start, goal);
    }
    var cost = 0u;
    var has_room = true;
    var before = start.at;
    for (var corner = 0u; corner <= corners; corner++) {
        var at = goal.at;
        if corner < corners {
            at = corner_spot(corridor[corridor_place(begin, corner)][corner & 3u]);
        }
        let sum = cost + distance_rounded(before, at);
        has_room = has_room && sum >= cost;
        cost = sum;
        before = at;
    }
    choices[task].y = cost;
    if !has_room {
        choices[task].x = UNKNOWN;
        offsets[counts + task] = 0u;
        return;
    }
    offsets[counts + task] = corners;
}

// ---- gather

@compute @workgroup_size(LANES)
fn gather(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let thread = thread_of(id, groups);
    if thread >= params.tasks {
        return;
    }
    let task = task_of(thread);
    let counts = params.tasks + 1u;
    let begin = offsets[thread / GROUP] + thread % GROUP;
    let place = offsets[counts + task];
    let corners = offsets[counts + task + 1u] - place;
    if place + corners > params.places_room {
        return;
    }
    for (var corner = 0u; corner < corners; corner += 4u) {
        let four = corridor[corridor_place(begin, corner)];
        for (var k = 0u; k < min(4u, corners - corner); k++) {
            places[place + corner + k] = four[k];
        }
    }
}
