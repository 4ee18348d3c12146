// walk: writes the corridor of a task, then pulls a string through it (the funnel).
// gather: writes the corners of all routes one after another, those of each in whole fours.

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
        // The ends of the gate and the sides of the funnel as the agent sees them. All is computed whether it is needed or not, since
        // threads side by side need different things.
        let to = ends - at.xyxy;
        let to_right = right.at - at;
        let to_left = left.at - at;
        let right_is_open = right.gate == 0u;
        let left_is_open = left.gate == 0u;
        let narrows_right = right_is_open || !is_below(to_right.x, to.y, to_right.y, to.x);
        // The gate lies to the left of the funnel.
        let turns_left = narrows_right && !left_is_open && is_below(to_left.y, to.x, to_left.x, to.y);
        let moves_right = !turns_left && narrows_right && !right_is_here;
        right.at = select(right.at, ends.xy, moves_right);
        right.gate = select(right.gate, index, moves_right);
        right.passed = select(right.passed, passed, moves_right);
        // The left end beside the right side of the funnel, which this very gate may have moved.
        let beside = select(to_right, to.xy, moves_right);
        let narrows_left = !turns_left && (left_is_open || !is_below(to_left.y, to.z, to_left.x, to.w));
        // The gate lies to the right of the funnel.
        let turns_right = narrows_left && right.gate != 0u && is_below(beside.x, to.w, beside.y, to.z);
        let moves_left = narrows_left && !turns_right && !left_is_here;
        left.at = select(left.at, ends.zw, moves_left);
        left.gate = select(left.gate, index, moves_left);
        left.passed = select(left.passed, passed, moves_left);
        if turns_left || turns_right {
            corridor[corridor_place(begin, corners)][corners & 3u] = select(right.passed, left.passed | 1u, turns_left);
            corners += 1u;
            at = select(right.at, left.at, turns_left);
            index = select(right.gate, left.gate, turns_left);
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
        var tail = Tail(begin, length, true, 0u, vec4<u32>());
        lead_back(choice, choice.y, goal, &tail);
        finish_tail(&tail);
        var pen = Pen();
        pen.begin = begin;
        pen.writes = true;
        pen.polygon = start.polygon;
        lead(choice, start, goal, &pen);
        put_tail(&pen, tail);
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
    if !has_room {
        choices[task].x = UNKNOWN;
        offsets[counts + task] = 0u;
        return;
    }
    choices[task] = vec4<u32>(kind, cost, corners, 0u);
    offsets[counts + task] = (corners + 3u) / 4u;
}

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
    let fours = offsets[counts + task + 1u] - place;
    if place + fours > params.places_room {
        return;
    }
    for (var four = 0u; four < fours; four++) {
        places[place + four] = corridor[corridor_place(begin, 4u * four)];
    }
}
