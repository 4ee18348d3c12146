// first_cells, count, write_cells: the first cells of routes, how many cells they may have, and the cells themselves.

// The walk inside a leaf that a stretch begins with on the side of its near port.
fn walk_at_near(whole: Stretch) -> Parts {
    var parts = parts_of(whole);
    while parts.kind == ONE || parts.kind == TWO {
        parts = parts_of(parts.one);
    }
    return parts;
}

fn first_by_ports(task: u32, choice: vec4<u32>) -> u32 {
    let counts = vec2<u32>(choice.z & 0xffffu, choice.z >> 16u);
    var stretch = Stretch();
    if counts.x > 0u {
        stretch = leg(2u * task * LEGS + counts.x - 1u);
    } else {
        // The start is the port where both climbs meet.
        let back = leg((2u * task + 1u) * LEGS);
        if back.near == END {
            // One walk from the goal to the start, inside one leaf.
            var pen = Pen();
            put_first(&pen, cell_of(tasks[task].y));
            walk_to(&pen, back.region, back.far);
            return word_of(pen.before);
        }
        stretch = Stretch(back.region, back.far, back.near);
    }
    if stretch.near == END {
        let home = region(stretch.region);
        let start = cell_of(tasks[task].x);
        if home.first_row == NONE {
            let prices = leaf_part(stretch.region).yz;
            let way = runs(start, cell_of(port(home, stretch.far)), prices.y != 2u * prices.x);
            return word_of(start + select(way.second_step, way.first_step, way.first_count > 0));
        }
        let width = i32(home.high & 0xffffu);
        return word_of(start + step_by(step_in(tree_of(home, stretch.far), cell_of(home.low), width, start)));
    }
    // The start is a port. The walk to it is known, and its last step is the first one the other way round.
    let parts = walk_at_near(stretch);
    if parts.kind == LOST {
        return NONE;
    }
    var pen = Pen();
    put_first(&pen, cell_of(port(region(parts.one.region), parts.one.far)));
    walk_between(&pen, parts.one.region, parts.one.near, parts.one.far);
    return word_of(pen.before);
}

// The walk in plain sight from the goal to the start.
fn way_in_sight(task: u32, kind: u32) -> Runs {
    let way = runs(cell_of(tasks[task].y), cell_of(tasks[task].x), params.has_diagonals != 0u);
    if kind == SIGHT {
        return way;
    }
    return turned(way);
}

@compute @workgroup_size(LANES)
fn first_cells(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let thread = thread_of(id, groups);
    if thread >= params.tasks {
        return;
    }
    let task = task_of(thread);
    let choice = choices[task];
    if choice.x == BY_PORTS {
        choices[task].w = first_by_ports(task, choice);
        if !has_breath() {
            choices[task].x = UNKNOWN;
        }
    } else if choice.x != UNKNOWN {
        choices[task].w = word_of(cell_of(tasks[task].x) - last_step(way_in_sight(task, choice.x)));
    }
}

@compute @workgroup_size(LANES)
fn count(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let thread = thread_of(id, groups);
    if thread >= params.tasks {
        if thread == params.tasks {
            offsets[thread] = 0u;
        }
        return;
    }
    let task = task_of(thread);
    let choice = choices[task];
    var cells = 0u;
    if choice.x == BY_PORTS && params.is_weighted != 0u {
        var pen = Pen();
        walk_all(&pen, task, choice);
        if !pen.is_lost && has_breath() {
            cells = pen.count;
        }
    } else if choice.x == BY_PORTS {
        // No step costs less than a straight one over ground of weight 1.
        cells = choice.y / params.prices.x + 1u;
    } else if choice.x != UNKNOWN {
        let off = vec2<u32>(abs(cell_of(tasks[task].x) - cell_of(tasks[task].y)));
        cells = select(off.x + off.y, max(off.x, off.y), params.has_diagonals != 0u) + 1u;
    }
    let fours = (cells + 3u) / 4u;
    if fours > params.most_fours || cells == 0u {
        choices[task].x = UNKNOWN;
        offsets[task] = 0u;
    } else {
        offsets[task] = fours;
    }
}

// Walks a whole way by ports, from the goal to the start.
fn walk_all(pen: ptr<function, Pen>, task: u32, choice: vec4<u32>) {
    let counts = vec2<u32>(choice.z & 0xffffu, choice.z >> 16u);
    put_first(pen, cell_of(tasks[task].y));
    for (var k = counts.y; k > 0u && !(*pen).is_lost; k--) {
        let stretch = leg((2u * task + 1u) * LEGS + k - 1u);
        if stretch.near == END {
            walk_to(pen, stretch.region, stretch.far);
        } else {
            walk_back(pen, Stretch(stretch.region, stretch.far, stretch.near));
        }
    }
    for (var k = 0u; k < counts.x && !(*pen).is_lost; k++) {
        let stretch = leg(2u * task * LEGS + k);
        if stretch.near == END {
            walk_from_start(pen, cell_of(tasks[task].x), stretch);
        } else {
            walk_back(pen, stretch);
        }
    }
}

// The last leg: from the start to a port of its leaf, which the tree of the port tells only in this direction.
fn walk_from_start(pen: ptr<function, Pen>, start: vec2<i32>, stretch: Stretch) {
    var ahead = Pen();
    put_first(&ahead, start);
    walk_to(&ahead, stretch.region, stretch.far);
    let steps = ahead.count - 1u;
    let sum = (*pen).sum + ahead.sum;
    (*pen).is_lost = (*pen).is_lost || ahead.is_lost || sum < ahead.sum;
    (*pen).sum = sum;
    (*pen).count += steps;
    if (*pen).mode == BACKWARDS {
        finish(pen);
        (*pen).at -= steps;
        var other = Pen();
        other.mode = FORWARDS;
        other.at = (*pen).at;
        put_first(&other, start);
        walk_to(&other, stretch.region, stretch.far);
        (*pen).mode = FORWARDS;
    }
}

@compute @workgroup_size(LANES)
fn write_cells(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let thread = thread_of(id, groups);
    if thread >= params.tasks {
        return;
    }
    let task = task_of(thread);
    let choice = choices[task];
    let end = offsets[task + 1u];
    if choice.x == UNKNOWN || end > params.places_room {
        return;
    }
    var pen = Pen();
    pen.mode = BACKWARDS;
    pen.at = 4u * end;
    if choice.x == BY_PORTS {
        walk_all(&pen, task, choice);
    } else {
        put_first(&pen, cell_of(tasks[task].y));
        put_runs(&pen, way_in_sight(task, choice.x));
    }
    if pen.mode == BACKWARDS {
        finish(&pen);
    }
    if pen.is_lost || !has_breath() {
        choices[task].x = UNKNOWN;
        return;
    }
    choices[task] = vec4<u32>(choice.x, pen.sum, pen.count, choice.w);
}
