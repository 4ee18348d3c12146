// tally, scan_tally, arrange: the order in which threads take tasks. The program that this is part of declares `params`,
// `offsets`, `tallies`, `choices`, `sums_begin()`, `taken_places()`, the index of the word of `tallies` that counts how many tasks
// have their places, and `kind_of(task)`, a number below `params.kinds` that is equal for tasks that should be side by side.

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

// The counters that a group of threads adds up, and how many of them are a thread's.
const COUNTED = 4096u;
const COUNTED_BY_THREAD = 16u;
var<workgroup> kinds_begin: u32;

// Turns the counters from `begin` on, up to `end`, into the places where their kinds begin. Each group of threads takes the next
// places, in whichever order the groups come; `tallies[taken]` is how many are taken.
fn place_kinds(begin: u32, end: u32, taken: u32, lane: u32) {
    let own_begin = min(begin + COUNTED_BY_THREAD * lane, end);
    let own_end = min(own_begin + COUNTED_BY_THREAD, end);
    var own = 0u;
    for (var kind = own_begin; kind < own_end; kind++) {
        own += atomicLoad(&tallies[kind]);
    }
    let before = sum_before(lane, own);
    if lane == 255u {
        kinds_begin = atomicAdd(&tallies[taken], before + own);
    }
    var place = workgroupUniformLoad(&kinds_begin) + before;
    for (var kind = own_begin; kind < own_end; kind++) {
        let tasks = atomicLoad(&tallies[kind]);
        atomicStore(&tallies[kind], place);
        place += tasks;
    }
}

@compute @workgroup_size(256)
fn scan_tally(
    @builtin(workgroup_id) group: vec3<u32>,
    @builtin(num_workgroups) groups: vec3<u32>,
    @builtin(local_invocation_index) lane: u32,
) {
    place_kinds(block_of(group, groups) * COUNTED, params.kinds, taken_places(), lane);
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
