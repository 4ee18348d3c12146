// scan_ways, arrange_ways: a second order of the tasks, by the inter-edges at both ends of their ways, so that threads side by side
// follow the portals of one way and of ways beside it. `price` counts how many tasks there are of each kind of way, and notes for
// each task how many came before it.

// The counters of ways come behind all others.
fn ways_begin() -> u32 {
    return taken_places() + 2u;
}

// Ways between equal inter-edges are of one kind, and so are those whose pairs of inter-edges are not far apart in a list of all
// pairs.
fn way_of(task: u32, choice: vec4<u32>) -> u32 {
    let start = node(entry(NODE_BY_POLYGON, tasks[6u * task]));
    let goal = node(entry(NODE_BY_POLYGON, tasks[6u * task + 3u]));
    var places = vec2<u32>();
    if choice.x == OVER_BORDERS {
        places = choice.zw;
    }
    let one = entry(BORDER_IDS, start.first_border + places.x);
    let other = entry(BORDER_IDS, goal.first_border + places.y);
    return min((one * params.borders + other) / params.pairs, params.ways - 1u);
}

// Counts a task. Returns how many of its kind came before it.
fn count_way(task: u32, choice: vec4<u32>) -> u32 {
    return atomicAdd(&tallies[ways_begin() + way_of(task, choice)], 1u);
}

@compute @workgroup_size(256)
fn scan_ways(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    let begin = ways_begin();
    place_kinds(begin + block_of(group, groups) * COUNTED, begin + params.ways, taken_places() + 1u, lane);
}

@compute @workgroup_size(LANES)
fn arrange_ways(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let task = thread_of(id, groups);
    if task >= params.tasks {
        return;
    }
    let choice = choices[task];
    offsets[order_begin() + atomicLoad(&tallies[ways_begin() + way_of(task, choice)]) + choice.y] = task;
}
