// price: the least sum of kept costs tells how a route leads.

// Tasks with the same nodes of start and goal are of one kind.
fn kind_of(task: u32) -> u32 {
    let start = entry(NODE_BY_POLYGON, tasks[6u * task]);
    let goal = entry(NODE_BY_POLYGON, tasks[6u * task + 3u]);
    return (start * params.nodes + goal) % params.kinds;
}

// What the ways from the goal to four inter-edges of its node cost is kept in the memory of corridors, which are not there yet.
fn kept_place(thread: u32, four: u32) -> u32 {
    return four * params.tasks + thread;
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

fn least_of(costs: vec4<u32>) -> u32 {
    return min(min(costs.x, costs.y), min(costs.z, costs.w));
}

// A way over inter-edges: what it costs, and the first and the last of them, by their places in the nodes of start and goal.
struct Way {
    cost: u32,
    one: u32,
    other: u32,
}

// The best pair of an inter-edge of the start's node and one of the goal's node. Of equal sums the first pair counts, the inter-edge
// of the start's node first.
fn best_way(thread: u32, start: End, start_node: Node, from_start: Exits, goal_node: Node) -> Way {
    let row = (first(ROW_COSTS) >> 2u) + (goal_node.first_border >> 2u);
    let ids = (first(BORDER_IDS) + start_node.first_border) >> 2u;
    var best = Way(NO_WAY, 0u, 0u);
    for (var four = 0u; four < start_node.fours; four++) {
        let costs = border_costs(start, from_start, start_node, four);
        if all(costs > vec4<u32>(best.cost)) {
            continue;
        }
        let rows = chart4[ids + four] * params.width + row;
        var rest = array<vec4<u32>, 4>(vec4<u32>(NO_WAY), vec4<u32>(NO_WAY), vec4<u32>(NO_WAY), vec4<u32>(NO_WAY));
        for (var j = 0u; j < goal_node.fours; j++) {
            let goal_costs = corridor[kept_place(thread, j)];
            rest[0] = min(rest[0], chart4[rows.x + j] + goal_costs);
            rest[1] = min(rest[1], chart4[rows.y + j] + goal_costs);
            rest[2] = min(rest[2], chart4[rows.z + j] + goal_costs);
            rest[3] = min(rest[3], chart4[rows.w + j] + goal_costs);
        }
        let sums = costs + vec4<u32>(least_of(rest[0]), least_of(rest[1]), least_of(rest[2]), least_of(rest[3]));
        let least = least_of(sums);
        if least < best.cost {
            let is_best = sums == vec4<u32>(least);
            best = Way(least, 4u * four + first_of(is_best), 0u);
        }
    }
    if best.cost == NO_WAY {
        return best;
    }
    // The first inter-edge of the goal's node by which that of the start's node has this sum.
    let before = border_costs(start, from_start, start_node, best.one >> 2u)[best.one & 3u];
    let best_row = entry(BORDER_IDS, start_node.first_border + best.one) * params.width + row;
    for (var j = 0u; j < goal_node.fours; j++) {
        let is_best = chart4[best_row + j] + corridor[kept_place(thread, j)] + before == vec4<u32>(best.cost);
        if any(is_best) {
            best.other = 4u * j + first_of(is_best);
            break;
        }
    }
    return best;
}

// The first that is true of four, one of which is.
fn first_of(is_true: vec4<bool>) -> u32 {
    return select(select(select(3u, 2u, is_true.z), 1u, is_true.y), 0u, is_true.x);
}

@compute @workgroup_size(LANES)
fn price(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let thread = thread_of(id, groups);
    if thread >= params.tasks {
        return;
    }
    let task = task_of(thread);
    var choice = choose(thread, end_of(task, 0u), end_of(task, 1u));
    choice.y = count_way(task, choice);
    choices[task] = choice;
}

// How the route of a task leads: which way, and two numbers that tell more.
fn choose(thread: u32, start: End, goal: End) -> vec4<u32> {
    if start.polygon == goal.polygon {
        return vec4<u32>(WITHIN, 0u, 0u, 0u);
    }
    let numbers = vec2<u32>(entry(NODE_BY_POLYGON, start.polygon), entry(NODE_BY_POLYGON, goal.polygon));
    let start_node = node(numbers.x);
    let goal_node = node(numbers.y);
    let from_start = exits(start, start_node);
    let from_goal = exits(goal, goal_node);
    for (var j = 0u; j < goal_node.fours; j++) {
        corridor[kept_place(thread, j)] = border_costs(goal, from_goal, goal_node, j);
    }
    let way = best_way(thread, start, start_node, from_start, goal_node);
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
    if inside.x < NO_WAY && inside.x <= way.cost {
        return vec4<u32>(INSIDE, 0u, inside.y, 0u);
    }
    if way.cost < NO_WAY {
        return vec4<u32>(OVER_BORDERS, 0u, way.one, way.other);
    }
    return vec4<u32>(UNKNOWN, 0u, 0u, 0u);
}
