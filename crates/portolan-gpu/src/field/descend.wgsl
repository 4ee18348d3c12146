// count and write_steps: the steps of many agents from where they stand to the goal. An agent without a way takes none.

fn kept_step(node: u32) -> u32 {
    return (steps[node >> 2u] >> (8u * (node & 3u))) & 0xffu;
}

fn sums_begin() -> u32 {
    return params.tasks + 1u;
}

@compute @workgroup_size(LANES)
fn count(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let task = thread_of(id, groups);
    if task < params.tasks {
        let start = tasks[task];
        var node = start;
        var taken = 0u;
        for (var step = kept_step(node); step < AT_GOAL && taken < params.nodes; step = kept_step(node)) {
            node = neighbour(node, step);
            taken += 1u;
        }
        found[task] = vec2<u32>(atomicLoad(&costs[start]), taken);
        offsets[task] = (taken + 3u) / 4u;
    } else if task == params.tasks {
        offsets[task] = 0u;
    }
}

@compute @workgroup_size(LANES)
fn write_steps(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let task = thread_of(id, groups);
    if task >= params.tasks {
        return;
    }
    var node = tasks[task];
    var place = offsets[task];
    var held = 0u;
    let taken = found[task].y;
    for (var number = 0u; number < taken; number++) {
        let step = kept_step(node);
        held |= step << (8u * (number & 3u));
        node = neighbour(node, step);
        if (number & 3u) == 3u || number + 1u == taken {
            if place < params.room {
                ways[place] = held;
            }
            place += 1u;
            held = 0u;
        }
    }
}
