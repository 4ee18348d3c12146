// price: the least sum of kept costs tells how a route leads.

// Tasks with the same nodes of start and goal are of one kind.
fn kind_of(task: u32) -> u32 {
    let start = entry(NODE_BY_POLYGON, tasks[6u * task]);
    let goal = entry(NODE_BY_POLYGON, tasks[6u * task + 3u]);
    return (start * params.nodes + goal) % params.kinds;
}

// What the ways from the goal to some inter-edges of its node cost, four at a time, one list for each lane.
var<workgroup> goal_costs: array<array<vec4<u32>, LANES>, TILE>;

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

@compute @workgroup_size(LANES)
fn price(
    @builtin(global_invocation_id) id: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let thread = thread_of(id, groups);
    if thread >= params.tasks {
        return;
    }
    let task = task_of(thread);
    let start = end_of(task, 0u);
    let goal = end_of(task, 1u);
    if start.polygon == goal.polygon {
        choices[task] = vec4<u32>(WITHIN, 0u, 0u, 0u);
        return;
    }
    let numbers = vec2<u32>(entry(NODE_BY_POLYGON, start.polygon), entry(NODE_BY_POLYGON, goal.polygon));
    let start_node = node(numbers.x);
    let goal_node = node(numbers.y);
    let from_start = exits(start, start_node);
    let from_goal = exits(goal, goal_node);

    // All pairs of an inter-edge of the start's node and one of the goal's node. Of equal sums the first pair counts, the
    // inter-edge of the start's node first.
    let rows = first(ROW_COSTS) >> 2u;
    var least = NO_WAY;
    var border = 0u;
    for (var tile = 0u; tile < goal_node.fours; tile += TILE) {
        let width = min(TILE, goal_node.fours - tile);
        for (var j = 0u; j < width; j++) {
            goal_costs[j][lane] = border_costs(goal, from_goal, goal_node, tile + j);
        }
        for (var four = 0u; four < start_node.fours; four++) {
            let costs = border_costs(start, from_start, start_node, four);
            for (var k = 0u; k < 4u; k++) {
                let before = costs[k];
                if before > least || before == NO_WAY {
                    continue;
                }
                let id = entry(BORDER_IDS, start_node.first_border + 4u * four + k);
                let row = rows + id * params.width + (goal_node.first_border >> 2u) + tile;
                var best = vec4<u32>(NO_WAY);
                for (var j = 0u; j < width; j++) {
                    best = min(best, chart4[row + j] + goal_costs[j][lane]);
                }
                let sum = before + min(min(best.x, best.y), min(best.z, best.w));
                if sum < least || (sum == least && 4u * four + k < border) {
                    least = sum;
                    border = 4u * four + k;
                }
            }
        }
    }
    // The first inter-edge of the goal's node by which the best one of the start's node has that sum.
    var last = 0u;
    if least < NO_WAY {
        let before = border_costs(start, from_start, start_node, border >> 2u)[border & 3u];
        let id = entry(BORDER_IDS, start_node.first_border + border);
        let row = rows + id * params.width + (goal_node.first_border >> 2u);
        for (var j = 0u; j < goal_node.fours; j++) {
            let is_best = chart4[row + j] + border_costs(goal, from_goal, goal_node, j) + before == vec4<u32>(least);
            if any(is_best) {
                last = 4u * j + select(select(select(3u, 2u, is_best.z), 1u, is_best.y), 0u, is_best.x);
                break;
            }
        }
    }

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
    var choice = vec4<u32>(UNKNOWN, 0u, 0u, 0u);
    if inside.x < NO_WAY && inside.x <= least {
        choice = vec4<u32>(INSIDE, inside.x, inside.y, 0u);
    } else if least < NO_WAY {
        choice = vec4<u32>(OVER_BORDERS, least, border, last);
    }
    choices[task] = choice;
}
