// tally, scan_tally, arrange: the order in which threads take tasks. sight: walks in plain sight.

fn sums_begin() -> u32 {
    return params.tasks + 1u;
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

@compute @workgroup_size(LANES)
fn tally(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let task = thread_of(id, groups);
    if task >= params.tasks {
        return;
    }
    let start = leaf_at(cell_of(tasks[task].x)) >> params.kind_shift;
    let goal = leaf_at(cell_of(tasks[task].y)) >> params.kind_shift;
    let kind = start * params.kind_side + goal;
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

// A walk of two runs of steps, each in one direction.
struct Runs {
    first_step: vec2<i32>,
    first_count: i32,
    second_step: vec2<i32>,
    second_count: i32,
}

// A walk that no obstacle lengthens and that begins with its diagonal steps, or, where there are none, with its vertical ones.
fn runs(from_cell: vec2<i32>, to_cell: vec2<i32>, has_diagonals: bool) -> Runs {
    let off = to_cell - from_cell;
    let counts = abs(off);
    let steps = sign(off);
    if !has_diagonals {
        return Runs(vec2<i32>(0, steps.y), counts.y, vec2<i32>(steps.x, 0), counts.x);
    }
    let short = min(counts.x, counts.y);
    let straight = select(vec2<i32>(0, steps.y), vec2<i32>(steps.x, 0), counts.x > counts.y);
    return Runs(steps, short, straight, max(counts.x, counts.y) - short);
}

fn turned(way: Runs) -> Runs {
    return Runs(way.second_step, way.second_count, way.first_step, way.first_count);
}

// The direction of a step: clockwise from north.
fn direction_of(step: vec2<i32>) -> u32 {
    if step.x == 0 {
        return select(0u, 4u, step.y > 0);
    }
    return select(u32(6 - step.y), u32(2 + step.y), step.x > 0) & 7u;
}

fn is_legal(cell: vec2<i32>, direction: u32) -> bool {
    let place = u32(cell.y) * params.width + u32(cell.x);
    return ((entry(MOVES, place >> 2u) >> (8u * (place & 3u) + direction)) & 1u) != 0u;
}

fn is_walk(from_cell: vec2<i32>, way: Runs) -> bool {
    var cell = from_cell;
    var direction = direction_of(way.first_step);
    for (var k = 0; k < way.first_count; k++) {
        if !is_legal(cell, direction) {
            return false;
        }
        cell += way.first_step;
    }
    direction = direction_of(way.second_step);
    for (var k = 0; k < way.second_count; k++) {
        if !is_legal(cell, direction) {
            return false;
        }
        cell += way.second_step;
    }
    return true;
}

// The last step of a walk.
fn last_step(way: Runs) -> vec2<i32> {
    return select(way.first_step, way.second_step, way.second_count > 0);
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
