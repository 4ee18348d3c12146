// Climbing from both ends of a task through larger and larger regions. A group of threads does so for a task: one half of them
// from the start, the other half from the goal, and each thread has some columns of the rows. All threads come to the same
// barriers, as the branches around these are taken by numbers that all of them have in common.

// The regions around both ends, the world first; how many there are; and where what it costs to their sides begins in
// `values`.
var<workgroup> chain: array<u32, 2 * DEPTH>;
var<workgroup> chain_length: array<u32, 2>;
var<workgroup> begins: array<u32, 2 * DEPTH>;
// What it costs from both ends to the ports of a region's line, before any of them is taken as a stopover, and after.
var<workgroup> line: array<u32, 2 * LINE>;
var<workgroup> own: array<u32, 2 * LINE>;
// The ports that are taken as stopovers, by where their rows begin, and what it costs to them.
var<workgroup> taken: array<vec2<u32>, 2 * LINE>;
// The least numbers of the threads of both halves, three times: one pair is in use, and one is made ready for the next time.
var<workgroup> reduced: array<atomic<u32>, 6>;
var<private> reductions: u32;

// A thread and its end of the task.
struct End {
    // The half: 0 from the start, 1 from the goal; and the number of the thread in it.
    half: u32,
    lane: u32,
    cell: vec2<i32>,
    // Its place in the list of the first region if it is a port, else `NONE`.
    port: u32,
    // Where the numbers of this half begin in `values`, and how many there are.
    begin: u32,
    used: u32,
    // The least that this thread knows of the costs to the sides of the region last entered.
    least_side: u32,
    is_lost: bool,
}

// The least number of the threads of each half. All threads come here, and have read what they share before.
fn least_of_halves(end: ptr<function, End>, number: u32) -> vec2<u32> {
    let at = 2u * (reductions % 3u);
    let next = 2u * ((reductions + 1u) % 3u);
    reductions += 1u;
    if (*end).lane == 0u {
        atomicStore(&reduced[next + (*end).half], NONE);
    }
    if number != NONE {
        atomicMin(&reduced[at + (*end).half], number);
    }
    workgroupBarrier();
    return vec2<u32>(atomicLoad(&reduced[at]), atomicLoad(&reduced[at + 1u]));
}

fn least_of_all(end: ptr<function, End>, number: u32) -> u32 {
    let least = least_of_halves(end, number);
    return min(least.x, least.y);
}

// The region at a level around an end, the first one at level 0.
fn region_at(half: u32, level: u32) -> u32 {
    return chain[half * DEPTH + chain_length[half] - 1u - level];
}

// What a walk inside a leaf to one of its ports costs.
fn walk_cost(home: Region, number: u32, rank: u32, from_cell: vec2<i32>) -> u32 {
    let goal = cell_of(port(home, rank));
    if home.first_row == NONE {
        return open_cost(leaf_part(number).yz, from_cell, goal);
    }
    let tree = tree_of(home, rank);
    let corner = cell_of(home.low);
    let width = i32(home.high & 0xffffu);
    var cell = from_cell;
    var cost = 0u;
    while any(cell != goal) {
        let direction = step_in(tree, corner, width, cell);
        if direction > 7u {
            return NO_WAY;
        }
        let price = select(params.prices.x, params.prices.y, (direction & 1u) != 0u);
        let next = cell + step_by(direction);
        if params.is_weighted != 0u {
            cost += mean_cost(price, cell, next);
        } else {
            cost += price;
        }
        cell = next;
    }
    return cost;
}

// Lists the regions around an end, and what it costs to the sides of the first of them.
fn set_out(end: ptr<function, End>) {
    let cell = (*end).cell;
    let listed = (*end).half * DEPTH;
    let begin = (*end).begin;
    var number = 0u;
    var depth = 0u;
    loop {
        if (*end).lane == 0u {
            chain[listed + depth] = number;
        }
        depth += 1u;
        let home = region(number);
        if home.line == NONE {
            for (var rank = (*end).lane; rank < home.ports; rank += HALF) {
                values[begin + rank] = walk_cost(home, number, rank, cell);
            }
            (*end).used = home.ports;
            break;
        }
        let side = side_of(home.line, cell);
        if side == 0 {
            let place = place_on_line(home, cell);
            if place != NONE {
                let sides = home.ports - home.line_ports;
                for (var rank = (*end).lane; rank < sides; rank += HALF) {
                    values[begin + rank] = kept(row_of(home, place), home.line_ports + rank);
                }
                (*end).port = place;
                (*end).used = sides;
                break;
            }
        }
        number = select(home.low, home.high, side > 0);
    }
    if (*end).lane == 0u {
        begins[listed] = 0u;
        chain_length[(*end).half] = depth;
    }
    storageBarrier();
    workgroupBarrier();
}

// Enters the region at a level: copies what it costs to the sides of the half below. Entering needs a barrier afterwards.
fn carry(end: ptr<function, End>, level: u32) {
    let home = region(region_at((*end).half, level));
    let inner = region_at((*end).half, level - 1u);
    let side = select(0u, 1u, home.high == inner);
    let at = (*end).half * LINE;
    let below = (*end).begin + begins[(*end).half * DEPTH + level - 1u];
    let above = (*end).begin + (*end).used;
    var least = NO_WAY;
    for (var pair = (*end).lane; 2u * pair < home.ports; pair += HALF) {
        for (var place = 2u * pair; place < min(2u * pair + 2u, home.ports); place++) {
            let rank = rank_in(home, side, place);
            var cost = NO_WAY;
            if rank != NOWHERE {
                cost = values[below + rank];
            }
            if place < home.line_ports {
                line[at + place] = cost;
                own[at + place] = NO_WAY;
            } else {
                values[above + place - home.line_ports] = cost;
                least = min(least, cost);
            }
        }
    }
    if (*end).lane == 0u {
        begins[(*end).half * DEPTH + level] = (*end).used;
    }
    (*end).used += home.ports - home.line_ports;
    (*end).least_side = least;
}

// Enters a region that contains both ends.
fn arrive(end: ptr<function, End>, level: u32) {
    if level > 0u {
        carry(end, level);
    } else {
        // The chain begins here: the end is a port of this line, or the region is a leaf, which has no line.
        let home = region(region_at((*end).half, 0u));
        let at = (*end).half * LINE;
        var least = NO_WAY;
        for (var place = (*end).lane; place < home.line_ports; place += HALF) {
            let cost = kept(row_of(home, (*end).port), place);
            line[at + place] = cost;
            own[at + place] = cost;
        }
        for (var rank = (*end).lane; rank < home.ports - home.line_ports; rank += HALF) {
            least = min(least, values[(*end).begin + rank]);
        }
        (*end).least_side = least;
    }
    storageBarrier();
    workgroupBarrier();
}

// What the cost of a way has to stay below: the whole way less than `cost`, the way to a stopover less than `limit`. The cost
// to a stopover and of an open walk from there to `sight` has to be less than `cost`, if there is a bound.
struct Bound {
    cost: u32,
    limit: u32,
    sight: vec2<i32>,
    is_bounded: bool,
}

// The port that is looked at as number `index`: the nearest first, then those after it, then those before it.
fn turn_of(nearest: u32, index: u32, ports: u32) -> u32 {
    return select(ports - 1u - index, nearest + index, nearest + index < ports);
}

// Takes ports of the line as stopovers on the way to all ports of the region at a level. A half that is not active has nothing
// to do there.
fn relax(end: ptr<function, End>, level: u32, bound: Bound, is_active: bool) {
    let half = (*end).half;
    let at = half * LINE;
    let home = region(region_at(half, select(0u, level, is_active)));
    let ports = select(0u, home.line_ports, is_active);
    var least = NONE;
    var nearest = NONE;
    for (var place = (*end).lane; place < ports; place += HALF) {
        if line[at + place] < min(bound.limit, least) {
            least = line[at + place];
            nearest = place;
        }
    }
    let least_costs = least_of_halves(end, least);
    if all(least_costs == vec2<u32>(NONE)) {
        return;
    }
    nearest = least_of_halves(end, select(NONE, nearest, least == least_costs[half]))[half];
    // The costs to the line alone decide which of its ports are taken.
    var count = 0u;
    var done = select(ports, 0u, nearest != NONE);
    loop {
        var found = NONE;
        for (var index = done + (*end).lane; index < ports; index += HALF) {
            let place = turn_of(nearest, index, ports);
            let cost = line[at + place];
            if cost < min(own[at + place], bound.limit) {
                let ahead = open_cost(params.open_prices, cell_of(port(home, place)), bound.sight);
                if !bound.is_bounded || cost + ahead < bound.cost {
                    found = index;
                    break;
                }
            }
        }
        let next = least_of_halves(end, found);
        if all(next == vec2<u32>(NONE)) {
            break;
        }
        if next[half] != NONE {
            done = next[half] + 1u;
            let place = turn_of(nearest, next[half], ports);
            let cost = line[at + place];
            (*end).is_lost = (*end).is_lost || cost >= TOO_DEAR;
            let row = row_of(home, place);
            for (var pair = (*end).lane; 2u * pair < ports; pair += HALF) {
                let sums = kept_pair(row, pair) + cost;
                own[at + 2u * pair] = min(own[at + 2u * pair], sums.x);
                own[at + 2u * pair + 1u] = min(own[at + 2u * pair + 1u], sums.y);
            }
            if (*end).lane == 0u {
                taken[at + count] = vec2<u32>(row, cost);
            }
            count += 1u;
        } else {
            done = ports;
        }
        workgroupBarrier();
    }
    if is_active {
        relax_sides(end, home, level, count);
    }
    storageBarrier();
    workgroupBarrier();
}

// Takes the same ports as stopovers on the way to the ports of the sides. Each thread has the columns that it has carried.
fn relax_sides(end: ptr<function, End>, home: Region, level: u32, count: u32) {
    let begin = (*end).begin + begins[(*end).half * DEPTH + level];
    let from_pair = home.line_ports >> 1u;
    var least = NO_WAY;
    for (var pair = from_pair + (((*end).lane - from_pair) & (HALF - 1u)); 2u * pair < home.ports; pair += HALF) {
        var sums = vec2<u32>(NO_WAY);
        for (var k = 0u; k < count; k++) {
            let stopover = taken[(*end).half * LINE + k];
            sums = min(sums, kept_pair(stopover.x, pair) + stopover.y);
        }
        for (var k = 0u; k < 2u; k++) {
            let place = 2u * pair + k;
            if place >= home.line_ports && place < home.ports {
                let slot = begin + place - home.line_ports;
                let cost = min(values[slot], sums[k]);
                values[slot] = cost;
                least = min(least, cost);
            }
        }
    }
    (*end).least_side = least;
}
