// point: the step of every node, four nodes to a thread.

fn step_of(node: u32) -> u32 {
    if node >= params.nodes {
        return NO_STEP;
    }
    let cost = atomicLoad(&costs[node]);
    if cost == FAR {
        return NO_STEP;
    }
    if cost == 0u {
        return AT_GOAL;
    }
    let here = ground_of(node);
    for (var left = here & 0xffu; left != 0u; left &= left - 1u) {
        let direction = countTrailingZeros(left);
        let next = neighbour(node, direction);
        let price = price_of(direction, here >> 8u, ground_of(next) >> 8u);
        if cost >= price && atomicLoad(&costs[next]) == cost - price {
            return direction;
        }
    }
    return NO_STEP;
}

@compute @workgroup_size(LANES)
fn point(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let word = thread_of(id, groups);
    if 4u * word < params.nodes {
        var packed = 0u;
        for (var part = 0u; part < 4u; part++) {
            packed |= step_of(4u * word + part) << (8u * part);
        }
        steps[word] = packed;
    }
}
