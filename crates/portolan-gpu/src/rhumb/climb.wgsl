// climb: a group of threads climbs from both ends of a task through larger and larger regions, and finds the port where the
// climbs meet at the least cost. The columns of rows are shared among the threads. Every thread follows the same branches, as
// all of them are taken by numbers that the threads have in common.

// The regions around both ends, the world first, and where what it costs to their sides begins in `values`.
var<workgroup> chain: array<u32, 2 * DEPTH>;
var<workgroup> begins: array<u32, 2 * DEPTH>;
// What it costs from both ends to the ports of a region's line, before any of them is taken as a stopover, and after.
var<workgroup> line: array<u32, 2 * LINE>;
var<workgroup> own: array<u32, 2 * LINE>;
// The ports that are taken as stopovers, and what it costs to them.
var<workgroup> taken: array<vec2<u32>, LINE>;
var<workgroup> reduced: atomic<u32>;
// How many threads had a loop cut short.
var<workgroup> breathless: atomic<u32>;

// One end of a task.
struct End {
    which: u32,
    cell: vec2<i32>,
    // How many regions are around it.
    levels: u32,
    // Its place in the list of the first region if it is a port, else `NONE`.
    port: u32,
    // Where its numbers begin in `values`, and how many there are.
    begin: u32,
    used: u32,
    // The least that this thread knows of the costs to the sides of the region last entered.
    least_side: u32,
    is_too_far: bool,
}

// The least number of all threads.
fn least_of_all(lane: u32, number: u32) -> u32 {
    workgroupBarrier();
    if lane == 0u {
        atomicStore(&reduced, NONE);
    }
    workgroupBarrier();
    if number != NONE {
        atomicMin(&reduced, number);
    }
    workgroupBarrier();
    return atomicLoad(&reduced);
}

fn region_at(end: End, level: u32) -> u32 {
    return chain[end.which * DEPTH + end.levels - 1u - level];
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
fn set_out(end: ptr<function, End>, lane: u32) {
    let cell = (*end).cell;
    let listed = (*end).which * DEPTH;
    let begin = (*end).begin;
    var number = 0u;
    var depth = 0u;
    loop {
        if lane == 0u {
            chain[listed + depth] = number;
        }
        depth += 1u;
        let home = region(number);
        if home.line == NONE {
            for (var rank = lane; rank < home.ports; rank += CLIMBERS) {
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
                for (var rank = lane; rank < sides; rank += CLIMBERS) {
                    values[begin + rank] = kept(row_of(home, place), home.line_ports + rank);
                }
                (*end).port = place;
                (*end).used = sides;
                break;
            }
        }
        number = select(home.low, home.high, side > 0);
    }
    (*end).levels = depth;
    if lane == 0u {
        begins[listed] = 0u;
    }
}

// Enters the region at a level: copies what it costs to the sides of the half below.
fn carry(end: ptr<function, End>, level: u32, lane: u32) {
    let home = region(region_at(*end, level));
    let half = select(0u, 1u, home.high == region_at(*end, level - 1u));
    let below = (*end).begin + begins[(*end).which * DEPTH + level - 1u];
    let above = (*end).begin + (*end).used;
    var least = NO_WAY;
    for (var pair = lane; 2u * pair < home.ports; pair += CLIMBERS) {
        for (var place = 2u * pair; place < min(2u * pair + 2u, home.ports); place++) {
            let rank = rank_in(home, half, place);
            var cost = NO_WAY;
            if rank != NOWHERE {
                cost = values[below + rank];
            }
            if place < home.line_ports {
                line[(*end).which * LINE + place] = cost;
                own[(*end).which * LINE + place] = NO_WAY;
            } else {
                values[above + place - home.line_ports] = cost;
                least = min(least, cost);
            }
        }
    }
    if lane == 0u {
        begins[(*end).which * DEPTH + level] = (*end).used;
    }
    (*end).used += home.ports - home.line_ports;
    (*end).least_side = least;
    storageBarrier();
    workgroupBarrier();
}

// Enters a region that contains both ends.
fn arrive(end: ptr<function, End>, level: u32, lane: u32) {
    if level > 0u {
        carry(end, level, lane);
        return;
    }
    // The chain begins here: the end is a port of this line, or the region is a leaf, which has no line.
    let home = region(region_at(*end, 0u));
    var least = NO_WAY;
    for (var place = lane; place < home.line_ports; place += CLIMBERS) {
        let cost = kept(row_of(home, (*end).port), place);
        line[(*end).which * LINE + place] = cost;
        own[(*end).which * LINE + place] = cost;
    }
    for (var rank = lane; rank < home.ports - home.line_ports; rank += CLIMBERS) {
        least = min(least, values[(*end).begin + rank]);
    }
    (*end).least_side = least;
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

// Takes ports of the line as stopovers on the way to all ports of the region at a level.
fn relax(end: ptr<function, End>, level: u32, bound: Bound, lane: u32) {
    let home = region(region_at(*end, level));
    let ports = home.line_ports;
    let at = (*end).which * LINE;
    var least = NONE;
    var nearest = NONE;
    for (var place = lane; place < ports; place += CLIMBERS) {
        if line[at + place] < min(bound.limit, least) {
            least = line[at + place];
            nearest = place;
        }
    }
    let least_cost = least_of_all(lane, least);
    if least_cost == NONE {
        return;
    }
    nearest = least_of_all(lane, select(NONE, nearest, least == least_cost));
    // The costs to the line alone decide which of its ports are taken.
    var count = 0u;
    var done = 0u;
    loop {
        var found = NONE;
        for (var index = done + lane; index < ports; index += CLIMBERS) {
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
        let next = least_of_all(lane, found);
        if next == NONE {
            break;
        }
        done = next + 1u;
        let place = turn_of(nearest, next, ports);
        let cost = line[at + place];
        (*end).is_too_far = (*end).is_too_far || cost >= TOO_DEAR;
        let row = row_of(home, place);
        for (var pair = lane; 2u * pair < ports; pair += CLIMBERS) {
            let sums = kept_pair(row, pair) + cost;
            own[at + 2u * pair] = min(own[at + 2u * pair], sums.x);
            own[at + 2u * pair + 1u] = min(own[at + 2u * pair + 1u], sums.y);
        }
        if lane == 0u {
            taken[count] = vec2<u32>(row, cost);
        }
        count += 1u;
        workgroupBarrier();
    }
    relax_sides(end, home, level, count, lane);
}

// Takes the same ports as stopovers on the way to the ports of the sides. Each thread has the columns that it has carried.
fn relax_sides(end: ptr<function, End>, home: Region, level: u32, count: u32, lane: u32) {
    let begin = (*end).begin + begins[(*end).which * DEPTH + level];
    let from_pair = home.line_ports >> 1u;
    var least = NO_WAY;
    for (var pair = from_pair + ((lane - from_pair) & (CLIMBERS - 1u)); 2u * pair < home.ports; pair += CLIMBERS) {
        var sums = vec2<u32>(NO_WAY);
        for (var k = 0u; k < count; k++) {
            sums = min(sums, kept_pair(taken[k].x, pair) + taken[k].y);
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
    storageBarrier();
    workgroupBarrier();
}

// The port where both climbs meet: what the whole way costs, at which levels, its place, and what it costs from both ends.
struct Meeting {
    cost: u32,
    levels: vec2<u32>,
    place: u32,
    costs: vec2<u32>,
}

// How many regions are around both ends.
fn shared_levels(there: End, back: End) -> u32 {
    var joint = 0u;
    while joint < min(there.levels, back.levels) && chain[joint] == chain[DEPTH + joint] {
        joint += 1u;
    }
    return joint;
}

// Climbs from an end up to below the regions around both.
fn climb_alone(end: ptr<function, End>, up: u32, lane: u32) {
    for (var level = 1u; level < up; level++) {
        carry(end, level, lane);
        relax(end, level, Bound(NO_WAY, NO_WAY, vec2<i32>(), false), lane);
    }
}

// `cost` less `part`, where no way less anything is no way.
fn less(cost: u32, part: u32) -> u32 {
    return select(cost - min(cost, part), NO_WAY, cost == NO_WAY);
}

fn meet(there: ptr<function, End>, back: ptr<function, End>, lane: u32) -> Meeting {
    let joint = shared_levels(*there, *back);
    var up = vec2<u32>((*there).levels, (*back).levels) - joint;
    climb_alone(there, up.x, lane);
    climb_alone(back, up.y, lane);
    var best = Meeting(NO_WAY, vec2<u32>(), 0u, vec2<u32>());
    for (var step = 0u; step < joint; step++) {
        arrive(there, up.x, lane);
        arrive(back, up.y, lane);
        let ports = region(region_at(*there, up.x)).line_ports;
        var sum = best.cost;
        var far = (*back).least_side;
        for (var place = lane; place < ports; place += CLIMBERS) {
            sum = min(sum, line[place] + line[LINE + place]);
            far = min(far, line[LINE + place]);
        }
        let cost = least_of_all(lane, sum);
        far = least_of_all(lane, far);
        if up.x > 0u {
            relax(there, up.x, Bound(cost, less(cost, far), (*back).cell, true), lane);
        }
        sum = NONE;
        var chosen = NONE;
        for (var place = lane; place < ports; place += CLIMBERS) {
            let both = min(own[place], line[place]) + line[LINE + place];
            if both < min(sum, best.cost) {
                sum = both;
                chosen = place;
            }
        }
        let least = least_of_all(lane, sum);
        if least < best.cost {
            let place = least_of_all(lane, select(NONE, chosen, sum == least));
            best = Meeting(least, up, place, vec2<u32>(min(own[place], line[place]), line[LINE + place]));
        }
        let near = least_of_all(lane, (*there).least_side);
        // A way that leaves this region passes its sides twice. The world has no sides, so that the climb ends there.
        if min(near + far, NO_WAY) >= best.cost {
            break;
        }
        if up.y > 0u {
            relax(back, up.y, Bound(best.cost, less(best.cost, near), (*there).cell, true), lane);
        }
        up += 1u;
    }
    return best;
}

// Whether the search around start and goal may find a cheaper way than one by ports at this cost. Such tasks are the
// planner's.
fn is_near(start: vec2<i32>, goal: vec2<i32>, by_ports: u32) -> bool {
    let off = abs(start - goal);
    let apart = u32(max(off.x, off.y));
    if apart > 2u * params.spacing || by_ports <= open_cost(params.open_prices, start, goal) {
        return false;
    }
    if apart <= params.spacing {
        return true;
    }
    // Is there a leaf with both? Of cells that both lie on one line it is not asked any further.
    var home = region(0u);
    while home.line != NONE {
        let sides = vec2<i32>(side_of(home.line, start), side_of(home.line, goal));
        if all(sides == vec2<i32>(0)) {
            return true;
        }
        if min(sides.x, sides.y) < 0 && max(sides.x, sides.y) > 0 {
            return false;
        }
        home = region(select(home.low, home.high, max(sides.x, sides.y) > 0));
    }
    return true;
}

@compute @workgroup_size(CLIMBERS)
fn climb(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    for (var turn = group.x; turn < params.tasks; turn += params.climbers) {
        let task = task_of(turn);
        if choices[task].x == OPEN {
            climb_task(task, group.x, lane);
        }
    }
}

fn climb_task(task: u32, group: u32, lane: u32) {
    let ends = tasks[task];
    let begin = 2u * group * params.values_room;
    var there = End(0u, cell_of(ends.x), 0u, NONE, begin, 0u, NO_WAY, false);
    var back = End(1u, cell_of(ends.y), 0u, NONE, begin + params.values_room, 0u, NO_WAY, false);
    if lane == 0u {
        atomicStore(&breathless, 0u);
    }
    storageBarrier();
    workgroupBarrier();
    set_out(&there, lane);
    set_out(&back, lane);
    storageBarrier();
    workgroupBarrier();
    let found = meet(&there, &back, lane);
    let is_unknown = found.cost >= NO_WAY || there.is_too_far || back.is_too_far;
    if is_unknown || is_near(there.cell, back.cell, found.cost) {
        workgroupBarrier();
        if lane == 0u {
            choices[task] = vec4<u32>(UNKNOWN, 0u, 0u, 0u);
        }
        return;
    }
    let near = trace(there, found.levels.x, found.place, found.costs.x, 2u * task * LEGS, lane);
    let far = trace(back, found.levels.y, found.place, found.costs.y, (2u * task + 1u) * LEGS, lane);
    if !has_breath() {
        atomicAdd(&breathless, 1u);
    }
    workgroupBarrier();
    if lane == 0u {
        let kind = select(UNKNOWN, BY_PORTS, atomicLoad(&breathless) == 0u);
        choices[task] = vec4<u32>(kind, found.cost, near | (far << 16u), 0u);
    }
}

// Writes the legs of the way from an end to a port, the last one first, and returns how many there are. The port is at `place`
// in the list of the region at a level, and it costs `cost` to get there.
fn trace(end: End, from_level: u32, from_place: u32, from_cost: u32, legs_begin: u32, lane: u32) -> u32 {
    var level = from_level;
    var place = from_place;
    var cost = from_cost;
    var count = 0u;
    while level > 0u {
        let number = region_at(end, level);
        let home = region(number);
        let below = region_at(end, level - 1u);
        let half = select(0u, 1u, home.high == below);
        let known = end.begin + begins[end.which * DEPTH + level - 1u];
        var rank = rank_in(home, half, place);
        if rank == NOWHERE || values[known + rank] != cost {
            let middle = crossing_of(home, end.cell, cell_of(port(home, place)));
            let most = 2u * (max(middle, home.line_ports - middle) + 1u);
            var via = NONE;
            for (var index = 0u; index < most; index += CLIMBERS) {
                var fits = NONE;
                let candidate = outwards(middle, index + lane, home.line_ports);
                if index + lane < most && candidate != NONE {
                    let candidate_rank = rank_in(home, half, candidate);
                    if candidate_rank != NOWHERE
                        && values[known + candidate_rank] + kept(row_of(home, candidate), place) == cost {
                        fits = index + lane;
                    }
                }
                let found = least_of_all(lane, fits);
                if found != NONE {
                    via = outwards(middle, found, home.line_ports);
                    break;
                }
            }
            rank = rank_in(home, half, via);
            if lane == 0u {
                legs[legs_begin + count] = vec2<u32>(number, via | (place << 16u));
            }
            count += 1u;
            cost = values[known + rank];
        }
        place = region(below).line_ports + rank;
        level -= 1u;
    }
    if end.port != place {
        if lane == 0u {
            legs[legs_begin + count] = vec2<u32>(region_at(end, 0u), min(end.port, END) | (place << 16u));
        }
        count += 1u;
    }
    return count;
}
