// search_borders: the search of HNA* over the inter-edges of its highest level, and the corridors that follow from it. Start and goal
// are connected by kept rows of costs. Where they lie in one node, `search` looks for a route over portals.
//
// The record of an inter-edge has its cost from the start; then the number of the search, which of its two nodes the way came
// through, and whether it was expanded; then the inter-edge before it; then what is left from it to the goal.

@group(0) @binding(12) var<storage, read_write> border_records: array<vec4<u32>>;

const EXPANDED = 1u;

fn is_searched(start: End, goal: End) -> bool {
    return entry(NODE_BY_POLYGON, start.polygon) == entry(NODE_BY_POLYGON, goal.polygon);
}

fn border_at(id: u32) -> vec2<i32> {
    return middle(entry(BORDER_PORTALS, id));
}

fn seats_of(id: u32) -> vec4<u32> {
    return chart4[(first(BORDER_SEATS) >> 2u) + id];
}

fn border_record(id: u32) -> vec4<u32> {
    let record = border_records[own.records + id];
    return select(vec4<u32>(NO_WAY, own.number << 2u, NONE, NO_WAY), record, (record.y >> 2u) == own.number);
}

// Notes a way through a node to an inter-edge, unless it is too long to lead to a better route.
fn relax_border(id: u32, cost: u32, before: u32, through: u32, record: vec4<u32>) {
    let key = cost + estimate(border_at(id), own.goal.at);
    if key >= min(own.best, TOO_FAR) {
        return;
    }
    let side = select(2u, 0u, seats_of(id).x == through);
    border_records[own.records + id] = vec4<u32>(cost, (own.number << 2u) | side, before, record.w);
    if record.w != NO_WAY && cost + record.w < own.best {
        own.best = cost + record.w;
        own.last = id;
    }
    open_push(key, id);
}

// Connects start and goal.
fn begin_border_search(worker: u32) {
    let goal_node = node(entry(NODE_BY_POLYGON, own.goal.polygon));
    let from_goal = exits(own.goal, goal_node);
    for (var four = 0u; four < goal_node.fours; four++) {
        let costs = border_costs(own.goal, from_goal, goal_node, four);
        for (var k = 0u; k < 4u; k++) {
            if costs[k] != NO_WAY {
                let id = entry(BORDER_IDS, goal_node.first_border + 4u * four + k);
                border_records[own.records + id] = vec4<u32>(NO_WAY, own.number << 2u, NONE, costs[k]);
            }
        }
    }
    let number = entry(NODE_BY_POLYGON, own.start.polygon);
    let start_node = node(number);
    let from_start = exits(own.start, start_node);
    // Where the open list begins is known once all keys are.
    for (var round = 0u; round < 2u; round++) {
        var least = TOO_FAR;
        for (var four = 0u; four < start_node.fours; four++) {
            let costs = border_costs(own.start, from_start, start_node, four);
            for (var k = 0u; k < 4u; k++) {
                if costs[k] == NO_WAY {
                    continue;
                }
                let id = entry(BORDER_IDS, start_node.first_border + 4u * four + k);
                if round == 0u {
                    least = min(least, costs[k] + estimate(border_at(id), own.goal.at));
                } else {
                    relax_border(id, costs[k], NONE, number, border_record(id));
                }
            }
        }
        if round == 0u {
            open_reset(worker, 1u, least);
        }
    }
}

fn expand_border(id: u32) {
    let record = border_record(id);
    if (record.y & EXPANDED) != 0u {
        return;
    }
    border_records[own.records + id].y = record.y | EXPANDED;
    own.expanded += 1u;
    // A search that came through one node goes on through the other one.
    let seats = seats_of(id);
    let seat = select(seats.xy, seats.zw, (record.y & 2u) == 0u);
    let home = node(seat.x);
    let row = (first(COSTS) >> 2u) + home.first_cost + seat.y * home.fours;
    own.looked += home.fours;
    for (var four = 0u; four < home.fours; four++) {
        let sums = chart4[row + four] + record.x;
        if all(sums >= vec4<u32>(min(own.best, NO_WAY))) {
            continue;
        }
        for (var k = 0u; k < 4u; k++) {
            if sums[k] < min(own.best, NO_WAY) {
                let to = entry(BORDER_IDS, home.first_border + 4u * four + k);
                let known = border_record(to);
                if sums[k] < known.x {
                    relax_border(to, sums[k], id, seat.x, known);
                }
            }
        }
    }
}

// Notes the inter-edges of the route, the last one first, each with which of its nodes is passed before it, and how the task ended.
fn finish_border_search() {
    var choice = vec4<u32>(UNKNOWN, 0u, 0u, 0u);
    if own.best < MOST_COST && !open.is_full {
        var count = 0u;
        var id = own.last;
        while id != NONE {
            count += 1u;
            id = border_records[own.records + id].z;
        }
        spend(count / 16u);
        let begin = reserve_trail(count);
        if begin != NONE {
            id = own.last;
            for (var place = begin; place < begin + count; place++) {
                let record = border_records[own.records + id];
                set_trail(place, 2u * id + ((record.y >> 1u) & 1u));
                id = record.z;
            }
            choice = vec4<u32>(OVER_BORDERS, 0u, begin, count);
        }
    }
    choices[own.task] = choice;
}

@compute @workgroup_size(LANES)
fn search_borders(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let worker = thread_of(id, groups);
    if worker >= params.workers {
        return;
    }
    let home = worker * (params.borders + 1u);
    own.records = home + 1u;
    own.number = border_records[home].x;
    var is_busy = resume(worker, 1u);
    while own.steps > 0u {
        spend(1u);
        if !is_busy {
            let turn = next_turn(NEXT_BORDER_SEARCH);
            if turn >= params.tasks {
                break;
            }
            take_task(task_of(turn));
            if is_searched(own.start, own.goal) {
                continue;
            }
            own.number += 1u;
            if own.number == SEARCHES {
                for (var border = 0u; border < params.borders; border++) {
                    border_records[own.records + border] = vec4<u32>();
                }
                own.number = 1u;
            }
            begin_border_search(worker);
            spend(2u);
            is_busy = true;
        }
        let border = open_pop();
        if border == NONE || open.is_full || open_floor() >= own.best {
            finish_border_search();
            is_busy = false;
            continue;
        }
        expand_border(border);
    }
    border_records[home].x = own.number;
    suspend(worker, 1u, is_busy);
}

// Follows the corridor of a task, all but its end near the goal. Returns the place in the goal's node of the inter-edge where the
// rest begins.
fn lead(choice: vec4<u32>, start: End, goal: End, pen: ptr<function, Pen>) -> u32 {
    if choice.x == OVER_PORTALS {
        lead_over_portals(choice, pen);
        return 0u;
    }
    var last = NONE;
    for (var place = choice.w; place > 0u; place--) {
        let passed = trail(choice.z + place - 1u);
        let id = passed >> 1u;
        let seats = seats_of(id);
        let seat = select(seats.xy, seats.zw, (passed & 1u) != 0u);
        let home = node(seat.x);
        if last == NONE {
            let slot = exit_to_border(start, home, seat.y);
            put_passage(pen, home.first_portal + slot);
            follow(home, slot, seat.y, pen);
        } else {
            follow(home, place_in(last, seat.x), seat.y, pen);
        }
        last = id;
    }
    return place_in(last, entry(NODE_BY_POLYGON, goal.polygon));
}

// Follows the end of the corridor of a task, from the goal on.
fn lead_back(choice: vec4<u32>, last: u32, goal: End, tail: ptr<function, Tail>) {
    if choice.x != OVER_PORTALS {
        follow_from_goal(last, goal, tail);
    }
}
