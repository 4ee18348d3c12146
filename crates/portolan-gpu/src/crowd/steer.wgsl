// steer: which way an agent goes, as in `crates/portolan-sim/src/crowd/flat/steer.rs`.

fn wish_of(off: vec2<i32>, slows: bool) -> vec2<i32> {
    let far = far_length(off) >> params.shift;
    var most = params.speed;
    if slows {
        most = min(most, far / 4 + 1);
    }
    return along(off, min(most, far));
}

fn danger(off: vec2<i32>, closing: vec2<i32>, body: i32) -> i32 {
    let towards = product_sum(off, closing);
    if towards <= 0 {
        return 0;
    }
    let fast = max(length_of(closing), 1);
    let beside = abs(area_of(off, closing)) / fast;
    if beside >= body {
        return 0;
    }
    let way = towards / fast - i32(whole_root(u32(body * body - beside * beside)));
    if way > params.ahead * fast {
        return 0;
    }
    return params.speed * params.danger * fast / (max(way, 0) + fast);
}

@compute @workgroup_size(LANES)
fn steer(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let slot = thread_of(id, groups);
    if slot >= params.agents {
        return;
    }
    let own_number = work[number_begin() + slot] & NUMBER;
    let course = walks[own_number];
    let chosen = choice_begin() + 2u * slot;
    if state_of(course.w) == NO_WAY {
        work[chosen] = 0u;
        work[chosen + 1u] = 0u;
        return;
    }
    let own = seen[slot];
    let wish = wish_of(point(course.x).xy - own.xy, course.x + 1u == course.y);
    let rests = wish.x == 0 && wish.y == 0;
    let base = select(wish, vec2<i32>(params.speed / 2, 0), rests);
    var velocities: array<vec2<i32>, TURNS>;
    var costs: array<i32, TURNS>;
    for (var turn = 0u; turn < TURNS; turn++) {
        velocities[turn] = turned(base, params.turns[turn]);
        costs[turn] = 0;
    }
    if rests {
        let first = velocities[0];
        velocities[0] = velocities[TURNS - 1u];
        velocities[TURNS - 1u] = first;
    }
    var push = vec2<i32>();
    var overlaps = false;
    let body = 2 * params.radius;
    let reach = params.reach << params.shift;
    let middle = square_at(own.xy);
    let left = max(middle.x, 1u) - 1u;
    let right = min(middle.x + 1u, params.columns - 1u);
    let last_row = min(middle.y + 1u, params.rows - 1u);
    for (var row = max(middle.y, 1u) - 1u; row <= last_row; row++) {
        let end = offsets[row * params.columns + right + 1u];
        for (var other = offsets[row * params.columns + left]; other < end; other++) {
            let number = work[number_begin() + other];
            if (number & IS_SQUEEZING) != 0u || other == slot {
                continue;
            }
            let it = seen[other];
            var off = it.xy - own.xy;
            if abs(off.x) >= reach || abs(off.y) >= reach {
                continue;
            }
            off = off >> vec2<u32>(params.shift);
            if square_of(off) >= u32(params.reach * params.reach) || abs(it.w - own.w) >= params.floor {
                continue;
            }
            let moves = unpacked(u32(own.z)) + unpacked(u32(it.z));
            let apart = length_of(off);
            if apart >= body {
                for (var turn = 0u; turn < TURNS; turn++) {
                    costs[turn] = max(costs[turn], danger(off, 2 * velocities[turn] - moves, body));
                }
                continue;
            }
            overlaps = true;
            if off.x == 0 && off.y == 0 {
                off.x = select(-1, 1, own_number < (number & NUMBER));
            }
            push -= along(off, (body - apart) / 4 + 1);
            for (var turn = 0u; turn < TURNS; turn++) {
                let closing = 2 * product_sum(off, 2 * velocities[turn] - moves) / max(apart, 1);
                costs[turn] = max(costs[turn], closing);
            }
        }
    }
    var best = 0u;
    var least = 0x7fffffff;
    for (var turn = 0u; turn < TURNS; turn++) {
        let cost = costs[turn] + length_of(velocities[turn] - wish) + params.turns[turn].z * params.speed / 32;
        if cost < least {
            least = cost;
            best = turn;
        }
    }
    let most = vec2<i32>(params.speed / 2);
    work[chosen] = packed(velocities[best]);
    work[chosen + 1u] = packed(clamp(push, -most, most));
    if overlaps {
        work[number_begin() + slot] |= OVERLAPS;
    }
}
