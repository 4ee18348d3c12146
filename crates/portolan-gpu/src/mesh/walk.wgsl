// walk: writes the corridor of a task, then pulls a string through it (the funnel).
// gather: writes the corners of all routes one after another.

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
        let end = lead_back(choice, choice.y, goal, begin, length, true);
        var pen = Pen();
        pen.begin = begin;
        pen.writes = true;
        pen.polygon = start.polygon;
        lead(choice, start, goal, &pen);
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
