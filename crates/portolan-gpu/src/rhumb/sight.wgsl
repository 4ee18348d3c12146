// The kinds of tasks, by the leaves of their ends. sight: walks in plain sight.

// The number of the first leaf that contains a cell. Leaves with near numbers are near each other.
fn leaf_at(cell: vec2<i32>) -> u32 {
    var number = 0u;
    var some = chart4[first(REGIONS) >> 2u];
    while some.x != NONE {
        number = select(some.y, some.z, side_of(some.x, cell) > 0);
        some = chart4[(first(REGIONS) >> 2u) + 3u * number];
    }
    return leaf_part(number).w;
}

// Tasks with the same leaves of start and goal, or with near ones, are of one kind.
fn kind_of(task: u32) -> u32 {
    let start = leaf_at(cell_of(tasks[task].x)) >> params.kind_shift;
    let goal = leaf_at(cell_of(tasks[task].y)) >> params.kind_shift;
    return start * params.kind_side + goal;
}

fn sums_begin() -> u32 {
    return params.tasks + 1u;
}

@compute @workgroup_size(LANES)
fn sight(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let thread = thread_of(id, groups);
    if thread >= params.tasks {
        return;
    }
    let task = task_of(thread);
    let start = cell_of(tasks[task].x);
    let goal = cell_of(tasks[task].y);
    var kind = OPEN;
    if params.is_direct != 0u {
        // Seen from the goal, as the engine walks.
        let way = runs(goal, start, params.has_diagonals != 0u);
        if is_walk(goal, way) {
            kind = SIGHT;
        } else if is_walk(goal, turned(way)) {
            kind = OTHER_SIGHT;
        }
        kind = select(UNKNOWN, kind, has_breath());
    }
    choices[task] = vec4<u32>(kind, 0u, 0u, 0u);
}
