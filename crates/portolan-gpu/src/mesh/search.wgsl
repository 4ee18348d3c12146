// search: A* over the portals of the mesh, for tasks that `is_searched` names. The order in which portals are expanded is that of
// the engine's own search, ties included.
//
// The record of a portal has its cost from the start; then the number of the search, the portal before it by its place among the
// portals of a polygon, which of its own two polygons that is, and whether it was expanded.

const SEARCHES = 1u << 22u;
const FROM_START = 255u;
const CLOSED = 1u;

fn middle(portal: u32) -> vec2<i32> {
    return spot(MIDDLES, portal);
}

fn number_in(record: vec2<u32>) -> u32 {
    return record.y >> 10u;
}

// Notes a way to a portal if it is cheaper than those known and may lead to a better route. `place` is that of the portal before
// among the portals of the polygon through which the way leads.
fn relax(portal: u32, at: vec2<i32>, cost: u32, polygon: u32, place: u32) {
    if cost >= TOO_FAR {
        return;
    }
    let index = own.records + portal;
    let record = records[index];
    if number_in(record) == own.number && cost >= record.x {
        return;
    }
    let key = cost + estimate(at, own.goal.at);
    if key >= min(own.best, TOO_FAR) {
        return;
    }
    let side = select(0u, 2u, entry(PORTAL_POLYGONS, 2u * portal) != polygon);
    records[index] = vec2<u32>(cost, (own.number << 10u) | (place << 2u) | side);
    open_push(key, portal);
}

fn way_cost(from_at: vec2<i32>, to_at: vec2<i32>, weight: u32) -> u32 {
    return min(distance_up(from_at, to_at) * weight, TOO_FAR);
}

fn expand_start() {
    let polygon = own.start.polygon;
    let weight = entry(WEIGHTS, polygon);
    let range = exits_of(polygon);
    for (var exit = range.x; exit < range.y; exit++) {
        let portal = entry(EXITS, exit);
        let at = middle(portal);
        relax(portal, at, way_cost(own.start.at, at, weight), polygon, FROM_START);
    }
}

// The portal before another one on the best way to it, or NONE if that begins at the start.
fn portal_before(portal: u32, record: vec2<u32>) -> u32 {
    let place = (record.y >> 2u) & 0xffu;
    if place == FROM_START {
        return NONE;
    }
    let polygon = entry(PORTAL_POLYGONS, 2u * portal + ((record.y >> 1u) & 1u));
    return entry(EXITS, entry(FIRST_EXIT, polygon) + place);
}

fn expand(portal: u32) {
    let record = records[own.records + portal];
    if (record.y & CLOSED) != 0u {
        return;
    }
    records[own.records + portal].y = record.y | CLOSED;
    own.expanded += 1u;
    let polygons = pair(PORTAL_POLYGONS, portal);
    // A search that came through one polygon goes on through the other one. It may have come through either of the two if both have
    // the portal before, too.
    let before = portal_before(portal, record);
    var came = vec2<bool>(own.start.polygon == polygons.x, own.start.polygon == polygons.y);
    if before != NONE {
        let others = pair(PORTAL_POLYGONS, before);
        came = vec2<bool>(any(others == vec2<u32>(polygons.x)), any(others == vec2<u32>(polygons.y)));
        came = came & vec2<bool>(!all(came));
    }
    let at = middle(portal);
    for (var side = 0u; side < 2u; side++) {
        if !came[side] {
            expand_through(polygons[side], portal, at, record.x);
        }
    }
}

fn expand_through(polygon: u32, portal: u32, at: vec2<i32>, cost: u32) {
    let weight = entry(WEIGHTS, polygon);
    if weight == 0u {
        return;
    }
    if polygon == own.goal.polygon {
        let sum = cost + way_cost(at, own.goal.at, weight);
        if sum < min(own.best, TOO_FAR) {
            own.best = sum;
            own.last = portal;
        }
    }
    let range = exits_of(polygon);
    own.looked += range.y - range.x;
    var place = 0u;
    while entry(EXITS, range.x + place) != portal {
        place += 1u;
    }
    for (var exit = range.x; exit < range.y; exit++) {
        let to = entry(EXITS, exit);
        if to != portal {
            let to_at = middle(to);
            relax(to, to_at, cost + way_cost(at, to_at, weight), polygon, place);
        }
    }
}

// Notes the portals of the route, the last one first, and how the task ended.
fn finish_search() {
    var choice = vec4<u32>(UNKNOWN, 0u, 0u, 0u);
    if own.best < MOST_COST && !open.is_full {
        var count = 0u;
        var portal = own.last;
        while portal != NONE {
            count += 1u;
            portal = portal_before(portal, records[own.records + portal]);
        }
        spend(count / 16u);
        let begin = reserve_trail(count);
        if begin != NONE {
            portal = own.last;
            for (var place = begin; place < begin + count; place++) {
                set_trail(place, portal);
                portal = portal_before(portal, records[own.records + portal]);
            }
            choice = vec4<u32>(OVER_PORTALS, 0u, begin, count);
        }
    }
    choices[own.task] = choice;
}

// Makes all records of a thread those of no search.
fn clear_records() {
    for (var portal = 0u; portal < params.portals; portal++) {
        records[own.records + portal] = vec2<u32>();
    }
}

@compute @workgroup_size(LANES)
fn search(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let worker = thread_of(id, groups);
    if worker >= params.workers {
        return;
    }
    let home = worker * (params.portals + 1u);
    own.records = home + 1u;
    own.number = records[home].x;
    var is_busy = resume(worker, 0u);
    // A thread takes its next task as soon as it is done, while those beside it go on expanding.
    while own.steps > 0u {
        spend(1u);
        if !is_busy {
            let turn = next_turn(NEXT_SEARCH);
            if turn >= params.tasks {
                break;
            }
            take_task(task_of(turn));
            if own.start.polygon == own.goal.polygon {
                choices[own.task] = vec4<u32>(WITHIN, 0u, 0u, 0u);
                continue;
            }
            if !is_searched(own.start, own.goal) {
                continue;
            }
            own.number += 1u;
            if own.number == SEARCHES {
                clear_records();
                own.number = 1u;
            }
            open_reset(worker, 0u, first_key(own.start, own.goal));
            expand_start();
            is_busy = true;
        }
        let portal = open_pop();
        if portal == NONE || open.is_full || open_floor() >= own.best {
            finish_search();
            is_busy = false;
            continue;
        }
        expand(portal);
    }
    records[home].x = own.number;
    suspend(worker, 0u, is_busy);
}

// The least key of the portals of the start's polygon. The open list begins there, so that a ring of few buckets is enough.
fn first_key(start: End, goal: End) -> u32 {
    let weight = entry(WEIGHTS, start.polygon);
    let range = exits_of(start.polygon);
    var least = TOO_FAR;
    for (var exit = range.x; exit < range.y; exit++) {
        let at = middle(entry(EXITS, exit));
        least = min(least, way_cost(start.at, at, weight) + estimate(at, goal.at));
    }
    return least;
}

// Follows the portals of a trail.
fn lead_over_portals(choice: vec4<u32>, pen: ptr<function, Pen>) {
    for (var place = choice.w; place > 0u; place--) {
        put(pen, trail(choice.z + place - 1u));
    }
}
