// price: the least sum of kept costs tells how a route leads.

// A walk in plain sight, seen from the goal, as the engine walks.
fn walk_back(start: u32, goal: u32, is_other: bool) -> Runs {
    let way = runs(cell_of(goal), cell_of(start), params.has_diagonals != 0u);
    if is_other {
        return turned(way);
    }
    return way;
}

// The choice of a task whose goal is in plain sight, else one that is unknown.
fn in_sight(start: u32, goal: u32) -> vec4<u32> {
    let off = vec2<u32>(abs(cell_of(start) - cell_of(goal)));
    let fewer = min(off.x, off.y);
    let more = max(off.x, off.y);
    let with_diagonals = params.has_diagonals != 0u;
    let cells = 1u + select(off.x + off.y, more, with_diagonals);
    let cost = select(params.straight * (off.x + off.y), params.straight * (more - fewer) + params.diagonal * fewer, with_diagonals);
    // A cost that may not fit is left to the planner.
    let fits = cells < NO_WAY / max(params.diagonal, params.straight);
    if cells > MOST_SEEN {
        return vec4<u32>(UNKNOWN, 0u, 1u, 0u);
    }
    for (var which = 0u; which < 2u; which++) {
        if is_walk(cell_of(goal), walk_back(start, goal, which == 1u)) {
            return vec4<u32>(select(UNKNOWN, SIGHT + which, fits), cost, 1u, cells);
        }
    }
    return vec4<u32>();
}

// The least sum over a port of the start's cluster and one of the goal's cluster: the cost, and the port of the start's
// cluster, the first of equally good ones.
fn cheapest(near: Cluster, from_start: u32, far: Cluster, from_goal: u32) -> vec2<u32> {
    var best = vec2<u32>(NO_WAY, 0u);
    let rows = (first(ROW_COSTS) >> 2u) + far.first_column;
    for (var rank = 0u; rank < near.ports; rank++) {
        let before = cost_at(from_start, rank);
        if before >= best.x {
            continue;
        }
        let row = rows + (near.first_port + rank) * params.row_fours;
        var least = vec4<u32>(NO_WAY);
        for (var four = 0u; four < far.fours; four++) {
            least = min(least, chart4[row + four] + chart4[from_goal + four]);
        }
        let sum = before + min(min(least.x, least.y), min(least.z, least.w));
        if sum < best.x {
            best = vec2<u32>(sum, near.first_port + rank);
        }
    }
    return best;
}

// The first exit of the goal's cluster on a way that costs `rest` from the goal to the source of a row.
fn exit_towards(source: u32, far: Cluster, from_goal: u32, rest: u32) -> u32 {
    for (var number = far.first_exit; number < far.first_exit + far.exits; number++) {
        let way = exit(number);
        let sum = cost_at(from_goal, way.x - far.first_port) + way.z + row_cost(source, port(way.y).column);
        if sum == rest {
            return number;
        }
    }
    return NO_EXIT;
}

@compute @workgroup_size(LANES)
fn price(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let thread = thread_of(id, groups);
    if thread >= params.tasks {
        return;
    }
    let task = task_of(thread);
    let ends = tasks[task];
    var choice = vec4<u32>();
    if params.straight != 0u {
        choice = in_sight(ends.x, ends.y);
    }
    let numbers = vec2<u32>(cluster_of(ends.x), cluster_of(ends.y));
    // Choices of goals in plain sight have a third number, whether they are known or not.
    if choice.z == 0u && numbers.x != numbers.y {
        let near = cluster(numbers.x);
        let far = cluster(numbers.y);
        let from_start = costs_of(near, ends.x);
        let from_goal = costs_of(far, ends.y);
        let found = cheapest(near, from_start, far, from_goal);
        if found.x < NO_WAY {
            let rest = found.x - cost_at(from_start, found.y - near.first_port);
            let leaving = exit_towards(found.y, far, from_goal, rest);
            if leaving != NO_EXIT {
                choice = vec4<u32>(BY_ROWS, found.x, found.y | (leaving << 16u), 0u);
            }
        }
    }
    choices[task] = choice;
}
