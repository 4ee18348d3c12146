// tally, scan_tally, arrange: the order in which threads take tasks.

fn sums_begin() -> u32 {
    return 2u * (params.tasks + 1u);
}

fn order_begin() -> u32 {
    return sums_begin() + (params.tasks + 1u + SCANNED - 1u) / SCANNED;
}

// The task that is the turn of a thread.
fn task_of(thread: u32) -> u32 {
    return offsets[order_begin() + thread];
}

fn thread_of(id: vec3<u32>, groups: vec3<u32>) -> u32 {
    return id.y * groups.x * LANES + id.x;
}

@compute @workgroup_size(LANES)
fn tally(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let task = thread_of(id, groups);
    if task >= params.tasks {
        return;
    }
    let kind = kind_of(task);
    choices[task] = vec4<u32>(kind, atomicAdd(&tallies[kind], 1u), 0u, 0u);
}

@compute @workgroup_size(256)
fn scan_tally(@builtin(local_invocation_index) lane: u32) {
    var carried = 0u;
    for (var begin = 0u; begin < params.kinds; begin += 256u) {
        var own = 0u;
        if begin + lane < params.kinds {
            own = atomicLoad(&tallies[begin + lane]);
        }
        let before = sum_before(lane, own);
        if begin + lane < params.kinds {
            atomicStore(&tallies[begin + lane], carried + before);
        }
        carried += workgroupUniformLoad(&partial[255]);
    }
}

@compute @workgroup_size(LANES)
fn arrange(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let task = thread_of(id, groups);
    if task >= params.tasks {
        return;
    }
    let choice = choices[task];
    offsets[order_begin() + atomicLoad(&tallies[choice.x]) + choice.y] = task;
}
