// count, sort: agents in the order of the squares of the lattice.

fn square_at(at: vec2<i32>) -> vec2<u32> {
    let off = vec2<u32>(max(at - params.origin, vec2<i32>())) / params.width;
    return min(off, vec2<u32>(params.columns, params.rows) - 1u);
}

@compute @workgroup_size(LANES)
fn count(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let agent = thread_of(id, groups);
    if agent >= params.agents {
        return;
    }
    let square = square_at(bodies[agent].xy);
    let number = square.y * params.columns + square.x;
    work[agent] = number;
    work[params.agents + agent] = atomicAdd(&tallies[number], 1u);
}

@compute @workgroup_size(LANES)
fn sort(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let agent = thread_of(id, groups);
    if agent >= params.agents {
        return;
    }
    let slot = offsets[work[agent]] + work[params.agents + agent];
    let body = bodies[agent];
    let squeezes = state_of(walks[agent].w) == SQUEEZING;
    seen[slot] = vec4<i32>(body.xy, body.w, height_of(body.xyz) >> params.shift);
    work[number_begin() + slot] = agent | select(0u, IS_SQUEEZING, squeezes);
}
