// count: how many portals a corridor has. `lead` follows a corridor of the algorithm from the start on, `lead_back` its end from
// the goal on.

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
        if choice.x != WITHIN && choice.x != UNKNOWN {
            let start = end_of(task, 0u);
            let goal = end_of(task, 1u);
            var pen = Pen();
            let last = lead(choice, start, goal, &pen);
            var tail = Tail();
            lead_back(choice, last, goal, &tail);
            length = pen.seen + tail.count;
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
