// count: how many portals a corridor has. Following kept ways from start to goal, and writing the portals that are passed.

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
