// Routes over a navigation mesh by sums of kept costs: the rhumb chart of a mesh, for many tasks at once.
//
// price   one workgroup a task: the least sum tells how the route leads. No queue, no search.
// count   one thread a task: how many portals the corridor has.
// scan_*  where each task's portals, and later its places, begin.
// walk    one thread a task: writes the corridor, then pulls a string through it (the funnel).
// gather  one thread a task: writes the places of the route.
//
// Every comparison is that of the engine's own code, ties included, so that the routes are the same to the last bit.
// Whole numbers of 64 bits are pairs of 32: the low half, then the high half.

struct Params {
    // Where the arrays of the chart begin, in the order of the constants below.
    at: array<vec4<u32>, 6>,
    tasks: u32,
    // How many numbers a row of costs between inter-edges has.
    width: u32,
    corridor_room: u32,
    places_room: u32,
    // Where the numbers that are added up begin in `offsets`.
    scanned: u32,
    scan_blocks: u32,
    spare: vec2<u32>,
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

const NO_WAY = 0xffffffffu;
const SECOND_NODE = 0x8000u;

// How a route leads: within its polygon, inside its node, over inter-edges, or unknown here.
const WITHIN = 0u;
const INSIDE = 1u;
const OVER_BORDERS = 2u;
const UNKNOWN = 3u;

const LANES = 64u;
const MOST_EXITS = 32u;
const MOST_BORDERS = 512u;

@group(0) @binding(0) var<uniform> params: Params;
@group(0) @binding(1) var<storage, read> chart: array<u32>;
@group(0) @binding(2) var<storage, read> tasks: array<u32>;
// For each task: how the route leads, its cost, and two numbers that tell which way.
@group(0) @binding(3) var<storage, read_write> choices: array<vec4<u32>>;
// Two lists of lengths that become places by being added up, and the sums of their blocks.
@group(0) @binding(4) var<storage, read_write> offsets: array<u32>;
@group(0) @binding(5) var<storage, read_write> corridor: array<u32>;
@group(0) @binding(6) var<storage, read_write> places: array<u32>;

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

fn add(a: u32, b: u32) -> u32 {
    let sum = a + b;
    return select(sum, NO_WAY, sum < a);
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

// 1 if `c` lies to the left of the line from `a` to `b`, -1 if to its right, 0 if on it. The comparison in floating
// point has the right sign unless the two products are nearly equal; then whole numbers decide.
fn side(a: vec2<i32>, b: vec2<i32>, c: vec2<i32>) -> i32 {
    let ab = b - a;
    let ac = c - a;
    let p = f32(ab.x) * f32(ac.y);
    let q = f32(ab.y) * f32(ac.x);
    let off = p - q;
    if abs(off) > (abs(p) + abs(q)) * 0x1p-21 {
        return select(-1, 1, off > 0.0);
    }
    let p_sign = sign(ab.x) * sign(ac.y);
    let q_sign = sign(ab.y) * sign(ac.x);
    if p_sign != q_sign {
        return select(-1, 1, p_sign > q_sign);
    }
    let p_size = product(u32(abs(ab.x)), u32(abs(ac.y)));
    let q_size = product(u32(abs(ab.y)), u32(abs(ac.x)));
    if is_less(p_size, q_size) {
        return -p_sign;
    }
    return select(0, p_sign, is_less(q_size, p_size));
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

struct Node {
    first_portal: u32,
    portals: u32,
    borders: u32,
    first_cost: u32,
    first_next: u32,
    first_border: u32,
}

fn node(number: u32) -> Node {
    let place = first(NODES) + 6u * number;
    return Node(
        chart[place], chart[place + 1u], chart[place + 2u], chart[place + 3u], chart[place + 4u], chart[place + 5u]
    );
}

fn exits_of(polygon: u32) -> vec2<u32> {
    return vec2<u32>(entry(FIRST_EXIT, polygon), entry(FIRST_EXIT, polygon + 1u));
}

// What the way from a point to the middle of a portal of its polygon costs.
fn exit_cost(end: End, portal: u32) -> u32 {
    return distance_up(end.at, spot(MIDDLES, portal)) * entry(WEIGHTS, end.polygon);
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
    if a == NO_WAY {
        return 0u;
    }
    return entry(REGION_ENDS, a);
}

// ---- price

var<workgroup> end_costs: array<array<u32, MOST_EXITS>, 2>;
var<workgroup> border_costs: array<array<u32, MOST_BORDERS>, 2>;
// The least sum that each lane has found, and where.
var<workgroup> least: array<vec2<u32>, LANES>;

fn is_before(a: vec2<u32>, b: vec2<u32>) -> bool {
    return a.x < b.x || (a.x == b.x && a.y < b.y);
}

// The least of all lanes' sums, the first of equal ones.
fn least_of_all(lane: u32, own: vec2<u32>) -> vec2<u32> {
    workgroupBarrier();
    least[lane] = own;
    for (var half = LANES / 2u; half > 0u; half /= 2u) {
        workgroupBarrier();
        if lane < half && is_before(least[lane + half], least[lane]) {
            least[lane] = least[lane + half];
        }
    }
    return workgroupUniformLoad(&least[0]);
}

fn label_sum(which: u32, exits: vec2<u32>, index: u32) -> u32 {
    var best = NO_WAY;
    for (var place = exits.x; place < exits.y; place++) {
        let portal = entry(EXITS, place);
        if index < entry(LABEL_LENGTHS, portal) {
            let rest = entry(LABEL_COSTS, entry(FIRST_LABEL, portal) + index);
            best = min(best, add(rest, end_costs[which][place - exits.x]));
        }
    }
    return best;
}

@compute @workgroup_size(LANES)
fn price(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let task = group.y * groups.x + group.x;
    if task >= params.tasks {
        return;
    }
    let start = end_of(task, 0u);
    let goal = end_of(task, 1u);
    if start.polygon == goal.polygon {
        if lane == 0u {
            choices[task] = vec4<u32>(WITHIN, 0u, 0u, 0u);
        }
        return;
    }
    let numbers = vec2<u32>(entry(NODE_BY_POLYGON, start.polygon), entry(NODE_BY_POLYGON, goal.polygon));
    let start_node = node(numbers.x);
    let goal_node = node(numbers.y);
    let start_exits = exits_of(start.polygon);
    let goal_exits = exits_of(goal.polygon);
    let most = max(start_exits.y - start_exits.x, goal_exits.y - goal_exits.x);
    if most > MOST_EXITS || max(start_node.borders, goal_node.borders) > MOST_BORDERS {
        if lane == 0u {
            choices[task] = vec4<u32>(UNKNOWN, 0u, 0u, 0u);
        }
        return;
    }
    // One half of the lanes prices the exits of the start, the other those of the goal.
    if lane < MOST_EXITS {
        if lane < start_exits.y - start_exits.x {
            end_costs[0][lane] = exit_cost(start, entry(EXITS, start_exits.x + lane));
        }
    } else if lane - MOST_EXITS < goal_exits.y - goal_exits.x {
        end_costs[1][lane - MOST_EXITS] = exit_cost(goal, entry(EXITS, goal_exits.x + lane - MOST_EXITS));
    }
    workgroupBarrier();
    for (var border = lane; border < start_node.borders; border += LANES) {
        var best = NO_WAY;
        for (var place = start_exits.x; place < start_exits.y; place++) {
            let slot = slot_of(entry(EXITS, place), start.polygon);
            let rest = entry(COSTS, start_node.first_cost + slot * start_node.borders + border);
            best = min(best, add(rest, end_costs[0][place - start_exits.x]));
        }
        border_costs[0][border] = best;
    }
    for (var border = lane; border < goal_node.borders; border += LANES) {
        var best = NO_WAY;
        for (var place = goal_exits.x; place < goal_exits.y; place++) {
            let slot = slot_of(entry(EXITS, place), goal.polygon);
            let rest = entry(COSTS, goal_node.first_cost + slot * goal_node.borders + border);
            best = min(best, add(rest, end_costs[1][place - goal_exits.x]));
        }
        border_costs[1][border] = best;
    }
    workgroupBarrier();

    // All pairs of an inter-edge of the start's node and one of the goal's node, in the order of the pairs.
    var own = vec2<u32>(NO_WAY, NO_WAY);
    let pairs = start_node.borders * goal_node.borders;
    var i = 0u;
    var j = lane;
    for (var pair = lane; pair < pairs; pair += LANES) {
        while j >= goal_node.borders {
            j -= goal_node.borders;
            i += 1u;
        }
        let id = entry(BORDER_IDS, start_node.first_border + i);
        let cost = entry(ROW_COSTS, id * params.width + goal_node.first_border + j);
        let sum = add(add(border_costs[0][i], cost), border_costs[1][j]);
        if sum < own.x {
            own = vec2<u32>(sum, pair);
        }
        j += LANES;
    }
    let outside = least_of_all(lane, own);

    var inside = vec2<u32>(NO_WAY, NO_WAY);
    if numbers.x == numbers.y {
        own = vec2<u32>(NO_WAY, NO_WAY);
        let entries = common_entries(start.polygon, goal.polygon);
        for (var index = lane; index < entries; index += LANES) {
            let sum = add(label_sum(0u, start_exits, index), label_sum(1u, goal_exits, index));
            if sum < own.x {
                own = vec2<u32>(sum, index);
            }
        }
        inside = least_of_all(lane, own);
    }
    if lane == 0u {
        var choice = vec4<u32>(UNKNOWN, 0u, 0u, 0u);
        if inside.x != NO_WAY && inside.x <= outside.x {
            choice = vec4<u32>(INSIDE, inside.x, inside.y, 0u);
        } else if outside.x != NO_WAY {
            choice = vec4<u32>(OVER_BORDERS, outside.x, outside.y / goal_node.borders, outside.y % goal_node.borders);
        }
        choices[task] = choice;
    }
}

// ---- count and walk

// The number in its node of the portal by which the way from a point to an inter-edge of its node begins.
fn exit_to_border(end: End, home: Node, border: u32) -> u32 {
    let exits = exits_of(end.polygon);
    var best = NO_WAY;
    var chosen = slot_of(entry(EXITS, exits.x), end.polygon);
    for (var place = exits.x; place < exits.y; place++) {
        let portal = entry(EXITS, place);
        let slot = slot_of(portal, end.polygon);
        let total = add(entry(COSTS, home.first_cost + slot * home.borders + border), exit_cost(end, portal));
        if total < best {
            best = total;
            chosen = slot;
        }
    }
    return chosen;
}

// The number in its node of the portal by which the way from a point to a hub begins.
fn exit_to_hub(end: End, index: u32) -> u32 {
    let exits = exits_of(end.polygon);
    var best = NO_WAY;
    var chosen = slot_of(entry(EXITS, exits.x), end.polygon);
    for (var place = exits.x; place < exits.y; place++) {
        let portal = entry(EXITS, place);
        if index < entry(LABEL_LENGTHS, portal) {
            let total = add(entry(LABEL_COSTS, entry(FIRST_LABEL, portal) + index), exit_cost(end, portal));
            if total < best {
                best = total;
                chosen = slot_of(portal, end.polygon);
            }
        }
    }
    return chosen;
}

// Where portals are written: one after another from `at` on, or backwards; not at all if `writes` is false.
struct Pen {
    at: u32,
    backwards: bool,
    writes: bool,
    written: u32,
}

fn put(pen: ptr<function, Pen>, portal: u32) {
    if (*pen).writes {
        corridor[(*pen).at] = portal;
        (*pen).at = select((*pen).at + 1u, (*pen).at - 1u, (*pen).backwards);
    }
    (*pen).written += 1u;
}

// Follows kept ways inside a node from a portal to an inter-edge, without the portal itself.
fn follow(home: Node, from_slot: u32, border: u32, pen: ptr<function, Pen>) {
    var at = from_slot;
    while at != border {
        at = half_entry(NEXT, home.first_next + border * home.portals + at);
        put(pen, entry(NODE_PORTALS, home.first_portal + at));
    }
}

// Follows a label from a portal to a hub. Returns the portals on the way, the first one included, the hub only on
// request.
fn follow_label(home: Node, from_slot: u32, index: u32, with_hub: bool, pen: ptr<function, Pen>) {
    var at = from_slot;
    loop {
        let portal = entry(NODE_PORTALS, home.first_portal + at);
        let next = half_entry(LABEL_NEXT, entry(FIRST_LABEL, portal) + index);
        if next != at || with_hub {
            put(pen, portal);
        }
        if next == at {
            return;
        }
        at = next;
    }
}

// Follows the corridor of a task. The pens are for the part from the start on, and for the part from the goal back.
fn follow_task(task: u32, pen: ptr<function, Pen>, from_goal: ptr<function, Pen>) {
    let choice = choices[task];
    let start = end_of(task, 0u);
    let goal = end_of(task, 1u);
    let start_number = entry(NODE_BY_POLYGON, start.polygon);
    let start_node = node(start_number);
    if choice.x == INSIDE {
        follow_label(start_node, exit_to_hub(start, choice.z), choice.z, true, pen);
        follow_label(start_node, exit_to_hub(goal, choice.z), choice.z, false, from_goal);
        return;
    }
    let goal_node = node(entry(NODE_BY_POLYGON, goal.polygon));
    let start_slot = exit_to_border(start, start_node, choice.z);
    put(pen, entry(NODE_PORTALS, start_node.first_portal + start_slot));
    follow(start_node, start_slot, choice.z, pen);
    let last = goal_node.first_border + choice.w;
    let target_id = entry(BORDER_IDS, last);
    var id = entry(BORDER_IDS, start_node.first_border + choice.z);
    while id != target_id {
        let hop = half_entry(HOPS, id * params.width + last);
        let seats = first(BORDER_SEATS) + 4u * id;
        let seat = seats + select(0u, 2u, (hop & SECOND_NODE) != 0u);
        let through = node(chart[seat]);
        let place = hop & (SECOND_NODE - 1u);
        // An inter-edge between two portals of one node has its first seat there, as in the engine.
        let is_first = chart[seats] == chart[seat];
        follow(through, select(chart[seats + 3u], chart[seats + 1u], is_first), place, pen);
        id = entry(BORDER_IDS, through.first_border + place);
    }
    // From the goal, the way to the inter-edge without the inter-edge itself.
    var slot = exit_to_border(goal, goal_node, choice.w);
    while slot != choice.w {
        put(from_goal, entry(NODE_PORTALS, goal_node.first_portal + slot));
        slot = half_entry(NEXT, goal_node.first_next + choice.w * goal_node.portals + slot);
    }
}

@compute @workgroup_size(LANES)
fn count(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let task = id.y * groups.x * LANES + id.x;
    if task >= params.tasks {
        if task == params.tasks {
            offsets[task] = 0u;
        }
        return;
    }
    var pen = Pen(0u, false, false, 0u);
    var from_goal = Pen(0u, true, false, 0u);
    let kind = choices[task].x;
    if kind == INSIDE || kind == OVER_BORDERS {
        follow_task(task, &pen, &from_goal);
    }
    offsets[task] = pen.written + from_goal.written;
}

// ---- sums of all lengths before each

const SCANNED = 1024u;
var<workgroup> partial: array<u32, 256>;

@compute @workgroup_size(256)
fn scan_blocks(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let block = group.y * groups.x + group.x;
    let begin = block * SCANNED + 4u * lane;
    var own = array<u32, 4>();
    var sum = 0u;
    for (var k = 0u; k < 4u; k++) {
        if begin + k <= params.tasks {
            own[k] = offsets[params.scanned + begin + k];
        }
        sum += own[k];
    }
    partial[lane] = sum;
    for (var reach = 1u; reach < 256u; reach *= 2u) {
        workgroupBarrier();
        var before = 0u;
        if lane >= reach {
            before = partial[lane - reach];
        }
        workgroupBarrier();
        partial[lane] += before;
    }
    var running = partial[lane] - sum;
    for (var k = 0u; k < 4u; k++) {
        if begin + k <= params.tasks {
            offsets[params.scanned + begin + k] = running;
        }
        running += own[k];
    }
    if lane == 255u && block < params.scan_blocks {
        offsets[2u * (params.tasks + 1u) + block] = running;
    }
}

@compute @workgroup_size(256)
fn scan_sums(@builtin(local_invocation_index) lane: u32) {
    let first_sum = 2u * (params.tasks + 1u);
    var carried = 0u;
    for (var begin = 0u; begin < params.scan_blocks; begin += 256u) {
        var own = 0u;
        if begin + lane < params.scan_blocks {
            own = offsets[first_sum + begin + lane];
        }
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
        if begin + lane < params.scan_blocks {
            offsets[first_sum + begin + lane] = carried + partial[lane] - own;
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
    let block = group.y * groups.x + group.x;
    let begin = block * SCANNED + 4u * lane;
    for (var k = 0u; k < 4u; k++) {
        if begin + k <= params.tasks {
            offsets[params.scanned + begin + k] += offsets[2u * (params.tasks + 1u) + block];
        }
    }
}

// ---- walk

// A portal of a corridor as an agent passes it: its number, and whether the agent leaves its first polygon.
fn gate(portal: u32, is_first: bool) -> u32 {
    return (portal << 2u) | select(0u, 2u, is_first);
}

fn polygon_behind(passed: u32) -> u32 {
    return entry(PORTAL_POLYGONS, 2u * (passed >> 2u) + ((passed >> 1u) & 1u));
}

fn has_polygon(portal: u32, polygon: u32) -> bool {
    let place = first(PORTAL_POLYGONS) + 2u * portal;
    return chart[place] == polygon || chart[place + 1u] == polygon;
}

// Removes portals that the corridor touches and does not pass, and notes of the others how they are passed. Returns how
// many are left.
fn drop_touched(begin: u32, length: u32, start: u32, goal: u32) -> u32 {
    var polygon = start;
    var kept = 0u;
    for (var place = 0u; place < length; place++) {
        let portal = corridor[begin + place];
        let pair = first(PORTAL_POLYGONS) + 2u * portal;
        let is_first = chart[pair] == polygon;
        let behind = select(chart[pair], chart[pair + 1u], is_first);
        var goes_on = behind == goal;
        if place + 1u < length {
            goes_on = has_polygon(corridor[begin + place + 1u], behind);
        }
        if goes_on {
            corridor[begin + kept] = gate(portal, is_first);
            kept += 1u;
            polygon = behind;
        }
    }
    return kept;
}

// The ends of a gate to the right and to the left of the agent.
fn gate_ends(passed: u32) -> array<vec2<i32>, 2> {
    let place = 2u * (passed >> 2u);
    let right = spot(SPANS, place);
    let left = spot(SPANS, place + 1u);
    if (passed & 2u) != 0u {
        return array<vec2<i32>, 2>(right, left);
    }
    return array<vec2<i32>, 2>(left, right);
}

// Pulls a string through the gates. Each corner overwrites a gate that is passed by then. Returns how many corners
// there are.
fn pull(begin: u32, gates: u32, start: End, goal: End) -> u32 {
    var corners = 0u;
    var at = start.at;
    var next = 0u;
    loop {
        var right = vec2<i32>();
        var left = vec2<i32>();
        // The gates of the two sides of the funnel with 1 added, 0 if a side is open, and the numbers of these gates.
        var right_gate = 0u;
        var left_gate = 0u;
        var right_passed = 0u;
        var left_passed = 0u;
        var corner_gate = 0u;
        var corner = vec2<i32>();
        var corner_passed = 0u;
        for (var index = next; index <= gates; index++) {
            var ends = array<vec2<i32>, 2>(goal.at, goal.at);
            var passed = 0u;
            if index < gates {
                passed = corridor[begin + index];
                ends = gate_ends(passed);
            }
            if all(ends[0] == at) && all(ends[1] == at) {
                continue;
            }
            if right_gate == 0u || side(at, right, ends[0]) >= 0 {
                if left_gate != 0u && side(at, left, ends[0]) > 0 {
                    corner_gate = left_gate;
                    corner = left;
                    corner_passed = left_passed | 1u;
                    break;
                } else if any(ends[0] != at) {
                    right = ends[0];
                    right_gate = index + 1u;
                    right_passed = passed;
                }
            }
            if left_gate == 0u || side(at, left, ends[1]) <= 0 {
                if right_gate != 0u && side(at, right, ends[1]) < 0 {
                    corner_gate = right_gate;
                    corner = right;
                    corner_passed = right_passed;
                    break;
                } else if any(ends[1] != at) {
                    left = ends[1];
                    left_gate = index + 1u;
                    left_passed = passed;
                }
            }
        }
        if corner_gate == 0u {
            break;
        }
        corridor[begin + corners] = corner_passed;
        corners += 1u;
        at = corner;
        next = corner_gate;
    }
    // The goal may be the last corner.
    if corners > 0u && all(at == goal.at) {
        corners -= 1u;
    }
    return corners;
}

fn corner_spot(passed: u32) -> vec2<i32> {
    let ends = gate_ends(passed);
    if (passed & 1u) != 0u {
        return ends[1];
    }
    return ends[0];
}

@compute @workgroup_size(LANES)
fn walk(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let task = id.y * groups.x * LANES + id.x;
    let counts = params.tasks + 1u;
    if task >= params.tasks {
        if task == params.tasks {
            offsets[counts + task] = 0u;
        }
        return;
    }
    let begin = offsets[task];
    let end = offsets[task + 1u];
    let kind = choices[task].x;
    if kind == UNKNOWN || end > params.corridor_room {
        choices[task].x = UNKNOWN;
        offsets[counts + task] = 0u;
        return;
    }
    let start = end_of(task, 0u);
    let goal = end_of(task, 1u);
    var corners = 0u;
    if kind != WITHIN {
        var pen = Pen(begin, false, true, 0u);
        var from_goal = Pen(end - 1u, true, true, 0u);
        follow_task(task, &pen, &from_goal);
        let gates = drop_touched(begin, end - begin, start.polygon, goal.polygon);
        corners = pull(begin, gates, start, goal);
    }
    var cost = 0u;
    var before = start.at;
    for (var corner = 0u; corner < corners; corner++) {
        let at = corner_spot(corridor[begin + corner]);
        cost = add(cost, distance_rounded(before, at));
        before = at;
    }
    cost = add(cost, distance_rounded(before, goal.at));
    choices[task].y = cost;
    if cost == NO_WAY {
        choices[task].x = UNKNOWN;
        offsets[counts + task] = 0u;
        return;
    }
    offsets[counts + task] = corners + 2u;
}

// ---- gather

fn put_place(index: u32, polygon: u32, at: vec2<i32>) {
    places[3u * index] = polygon;
    places[3u * index + 1u] = bitcast<u32>(at.x);
    places[3u * index + 2u] = bitcast<u32>(at.y);
}

@compute @workgroup_size(LANES)
fn gather(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let task = id.y * groups.x * LANES + id.x;
    if task >= params.tasks {
        return;
    }
    let counts = params.tasks + 1u;
    let begin = offsets[task];
    let first_place = offsets[counts + task];
    let end_place = offsets[counts + task + 1u];
    if end_place == first_place || end_place > params.places_room {
        return;
    }
    let start = end_of(task, 0u);
    let goal = end_of(task, 1u);
    put_place(first_place, start.polygon, start.at);
    for (var index = first_place + 1u; index + 1u < end_place; index++) {
        let passed = corridor[begin + index - first_place - 1u];
        put_place(index, polygon_behind(passed), corner_spot(passed));
    }
    put_place(end_place - 1u, goal.polygon, goal.at);
}
