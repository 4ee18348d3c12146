// climb: the port where the climbs from both ends of a task meet at the least cost, and the legs of the way by it.

// How many threads cannot tell.
var<workgroup> lost: atomic<u32>;
// How many legs lead to both ends.
var<workgroup> leg_counts: array<u32, 2>;

// The port where both climbs meet: what the whole way costs, at which levels, its place, and what it costs from both ends.
struct Meeting {
    cost: u32,
    levels: vec2<u32>,
    place: u32,
    costs: vec2<u32>,
}

// How many regions are around both ends.
fn joint_levels() -> u32 {
    let most = min(chain_length[0], chain_length[1]);
    var count = 0u;
    while count < most && chain[count] == chain[DEPTH + count] {
        count += 1u;
    }
    return count;
}

// `cost` less `part`, where no way less anything is no way.
fn less(cost: u32, part: u32) -> u32 {
    return select(cost - min(cost, part), NO_WAY, cost == NO_WAY);
}

// Climbs from both ends, first alone, then in step through the regions around both. `other` is the cell of the other end.
fn meet(end: ptr<function, End>, other: vec2<i32>) -> Meeting {
    let half = (*end).half;
    let joint = joint_levels();
    var up = vec2<u32>(chain_length[0], chain_length[1]) - joint;
    for (var level = 1u; level < max(up.x, up.y); level++) {
        let is_active = level < up[half];
        if is_active {
            carry(end, level);
        }
        storageBarrier();
        workgroupBarrier();
        relax(end, level, Bound(NO_WAY, NO_WAY, other, false), is_active);
    }
    var best = Meeting(NO_WAY, vec2<u32>(), 0u, vec2<u32>());
    for (var turn = 0u; turn < joint; turn++) {
        arrive(end, up[half]);
        let home = region(region_at(0u, up.x));
        let has_sides = home.ports > home.line_ports;
        let bound = bound_of(end, home, best.cost, other);
        // In a region without sides the climb from the goal has nothing to go on with.
        relax(end, up[half], bound, up[half] > 0u && (half == 0u || has_sides));
        look_at_line(end, home, up, &best);
        let sides = least_of_halves(end, (*end).least_side);
        // A way that leaves this region passes its sides twice. The world has no sides, so that the climb ends there.
        if min(sides.x + sides.y, NO_WAY) >= best.cost {
            break;
        }
        up += 1u;
    }
    return best;
}

// What ways have to stay below in a region that both ends have entered: less than the best way known, of which the other end
// has a part.
fn bound_of(end: ptr<function, End>, home: Region, known_cost: u32, other: vec2<i32>) -> Bound {
    let half = (*end).half;
    var sum = known_cost;
    var least = (*end).least_side;
    for (var place = (*end).lane; place < home.line_ports; place += HALF) {
        sum = min(sum, line[place] + line[LINE + place]);
        least = min(least, line[half * LINE + place]);
    }
    let cost = least_of_all(end, sum);
    let parts = least_of_halves(end, least);
    return Bound(cost, less(cost, parts[1u - half]), other, true);
}

// Meets on the line of a region, if the way is cheaper than the best so far.
fn look_at_line(end: ptr<function, End>, home: Region, up: vec2<u32>, best: ptr<function, Meeting>) {
    var sum = NONE;
    var chosen = NONE;
    for (var place = (*end).half * HALF + (*end).lane; place < home.line_ports; place += GROUP) {
        let both = min(own[place], line[place]) + line[LINE + place];
        if both < min(sum, (*best).cost) {
            sum = both;
            chosen = place;
        }
    }
    let least = least_of_all(end, sum);
    if least < (*best).cost {
        let place = least_of_all(end, select(NONE, chosen, sum == least));
        *best = Meeting(least, up, place, vec2<u32>(min(own[place], line[place]), line[LINE + place]));
    }
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

@compute @workgroup_size(GROUP)
fn climb(@builtin(workgroup_id) group: vec3<u32>, @builtin(local_invocation_index) lane: u32) {
    reductions = 0u;
    if lane < 6u {
        atomicStore(&reduced[lane], NONE);
    }
    for (var turn = group.x; turn < params.tasks; turn += params.climbers) {
        let task = task_of(turn);
        if choices[task].x == OPEN {
            climb_task(task, group.x, lane);
        }
    }
}

fn climb_task(task: u32, group: u32, lane: u32) {
    let half = lane / HALF;
    let words = tasks[task];
    let cells = vec4<i32>(cell_of(words.x), cell_of(words.y));
    let begin = (2u * group + half) * params.values_room;
    let cell = select(cells.xy, cells.zw, half == 1u);
    var end = End(half, lane % HALF, cell, NONE, begin, 0u, NO_WAY, false);
    if lane == 0u {
        atomicStore(&lost, 0u);
    }
    storageBarrier();
    workgroupBarrier();
    set_out(&end);
    let found = meet(&end, select(cells.zw, cells.xy, half == 1u));
    var is_known = found.cost < NO_WAY && !is_near(cells.xy, cells.zw, found.cost);
    if is_known {
        trace(&end, found, (2u * task + half) * LEGS);
    }
    if end.is_lost || !has_breath() {
        atomicAdd(&lost, 1u);
    }
    workgroupBarrier();
    if lane == 0u {
        is_known = is_known && atomicLoad(&lost) == 0u;
        let kind = select(UNKNOWN, BY_PORTS, is_known);
        choices[task] = vec4<u32>(kind, found.cost, leg_counts[0] | (leg_counts[1] << 16u), 0u);
    }
}

// Stands for a search for a stopover that is over.
const OVER = 0xfffffffeu;

// Writes the legs of the way from an end to the meeting, the last one first: at each level, the cost to a port was either
// carried from the half below, or came by a stopover on the line. The costs tell, because they add up.
fn trace(end: ptr<function, End>, found: Meeting, legs_begin: u32) {
    let half = (*end).half;
    var place = found.place;
    var cost = found.costs[half];
    var count = 0u;
    for (var done = 0u; done < max(found.levels.x, found.levels.y); done++) {
        let is_active = done < found.levels[half];
        let level = select(1u, found.levels[half] - done, is_active);
        let number = region_at(half, select(0u, level, is_active));
        let home = region(number);
        let below = region_at(half, select(0u, level - 1u, is_active));
        let side = select(0u, 1u, home.high == below);
        let known_begin = (*end).begin + begins[half * DEPTH + select(0u, level - 1u, is_active)];
        var rank = NOWHERE;
        var is_carried = true;
        if is_active {
            rank = rank_in(home, side, place);
            is_carried = rank != NOWHERE && values[known_begin + min(rank, (*end).used)] == cost;
        }
        let via = stopover(end, home, side, known_begin, place, cost, !is_carried);
        if is_active {
            if !is_carried {
                rank = rank_in(home, side, min(via, home.line_ports - 1u));
                if (*end).lane == 0u {
                    legs[legs_begin + count] = vec2<u32>(number, via | (place << 16u));
                }
                count += 1u;
                cost = values[known_begin + rank];
            }
            place = region(below).line_ports + rank;
        }
    }
    if (*end).port != place {
        if (*end).lane == 0u {
            legs[legs_begin + count] = vec2<u32>(region_at(half, 0u), min((*end).port, END) | (place << 16u));
        }
        count += 1u;
    }
    if (*end).lane == 0u {
        leg_counts[half] = count;
    }
}

// Returns the stopover on the line of a region by which the port at `place` is reached at a cost. Both halves come here, those
// that search and those that do not.
fn stopover(
    end: ptr<function, End>,
    home: Region,
    side: u32,
    known_begin: u32,
    place: u32,
    cost: u32,
    is_wanted: bool,
) -> u32 {
    var is_searching = is_wanted;
    var middle = 0u;
    var most = 0u;
    if is_searching {
        middle = crossing_of(home, (*end).cell, cell_of(port(home, place)));
        most = 2u * (max(middle, home.line_ports - middle) + 1u);
    }
    var via = 0u;
    var index = 0u;
    loop {
        var fits = select(OVER, NONE, is_searching && index < most);
        if fits == NONE {
            let candidate = outwards(middle, index + (*end).lane, home.line_ports);
            if candidate != NONE {
                let rank = rank_in(home, side, candidate);
                if rank != NOWHERE && values[known_begin + rank] + kept(row_of(home, candidate), place) == cost {
                    fits = index + (*end).lane;
                }
            }
        }
        let first_fit = least_of_halves(end, fits);
        if is_searching && first_fit[(*end).half] != NONE {
            is_searching = false;
            if first_fit[(*end).half] == OVER {
                // Every cost comes from somewhere, unless a loop was cut short.
                (*end).is_lost = true;
            } else {
                via = outwards(middle, first_fit[(*end).half], home.line_ports);
            }
        }
        if all(first_fit != vec2<u32>(NONE)) {
            break;
        }
        index += HALF;
    }
    return via;
}
