// steer: which way an agent goes, as in `crates/portolan-sim/src/crowd/flat/steer.rs`.

fn wish_of(off: vec2<i32>, slows: bool) -> vec2<i32> {
    let far = far_length(off) >> params.shift;
    var most = params.speed;
    if slows {
        most = min(most, far / 4 + 1);
    }
    return along(off, min(most, far));
}

// A neighbour that an agent heeds: the way to it, its distance, and the sum of both velocities.
struct Near {
    off: vec2<i32>,
    apart: i32,
    moves: vec2<i32>,
    is_heeded: bool,
}

fn near_of(own: vec4<i32>, own_number: u32, slot: u32) -> Near {
    var near = Near(vec2<i32>(), 0, vec2<i32>(), false);
    let number = work[number_begin() + slot];
    if (number & IS_SQUEEZING) != 0u || (number & NUMBER) == own_number {
        return near;
    }
    let other = seen[slot];
    near.off = other.xy - own.xy;
    let reach = params.reach << params.shift;
    if abs(near.off.x) >= reach || abs(near.off.y) >= reach {
        return near;
    }
    near.off = near.off >> vec2<u32>(params.shift);
    if square_of(near.off) >= u32(params.reach * params.reach) || abs(other.w - own.w) >= params.floor {
        return near;
    }
    near.apart = length_of(near.off);
    if near.off.x == 0 && near.off.y == 0 {
        near.off.x = select(-1, 1, own_number < (number & NUMBER));
    }
    near.moves = unpacked(u32(own.z)) + unpacked(u32(other.z));
    near.is_heeded = true;
    return near;
}

fn danger(near: Near, velocity: vec2<i32>) -> i32 {
    let closing = 2 * velocity - near.moves;
    let towards = product_sum(near.off, closing);
    if towards <= 0 {
        return 0;
    }
    let body = 2 * params.radius;
    if near.apart < body {
        return 2 * towards / max(near.apart, 1);
    }
    let fast = max(length_of(closing), 1);
    let beside = abs(area_of(near.off, closing)) / fast;
    if beside >= body {
        return 0;
    }
    let way = towards / fast - i32(whole_root(u32(body * body - beside * beside)));
    if way > params.ahead * fast {
        return 0;
    }
    return params.speed * params.danger * fast / (max(way, 0) + fast);
}

// The squares around an agent: the first and the last column, and the first and the last row.
fn squares_around(at: vec2<i32>) -> vec4<u32> {
    let middle = square_at(at);
    let least = max(middle, vec2<u32>(1u)) - 1u;
    let greatest = min(middle + 1u, vec2<u32>(params.columns, params.rows) - 1u);
    return vec4<u32>(least.x, greatest.x, least.y, greatest.y);
}

fn slots_of(row: u32, around: vec4<u32>) -> vec2<u32> {
    let begin = row * params.columns;
    return vec2<u32>(offsets[begin + around.x], offsets[begin + around.y + 1u]);
}

// The velocity of the least cost, of which the first is in danger.
fn least_dangerous(own: vec4<i32>, own_number: u32, wish: vec2<i32>, base: vec2<i32>, around: vec4<u32>) -> vec2<i32> {
    var velocities: array<vec2<i32>, TURNS>;
    var costs: array<i32, TURNS>;
    for (var turn = 0u; turn < TURNS; turn++) {
        velocities[turn] = turned(base, params.turns[turn]);
        costs[turn] = 0;
    }
    if wish.x == 0 && wish.y == 0 {
        let first = velocities[0];
        velocities[0] = velocities[TURNS - 1u];
        velocities[TURNS - 1u] = first;
    }
    for (var row = around.z; row <= around.w; row++) {
        let slots = slots_of(row, around);
        for (var other = slots.x; other < slots.y; other++) {
            let near = near_of(own, own_number, other);
            if near.is_heeded {
                for (var turn = 0u; turn < TURNS; turn++) {
                    costs[turn] = max(costs[turn], danger(near, velocities[turn]));
                }
            }
        }
    }
    var best = velocities[0];
    var least = 0x7fffffff;
    for (var turn = 0u; turn < TURNS; turn++) {
        let cost = costs[turn] + length_of(velocities[turn] - wish) + params.turns[turn].z * params.speed / 32;
        if cost < least {
            least = cost;
            best = velocities[turn];
        }
    }
    return best;
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
    var velocity = turned(base, params.turns[select(0u, TURNS - 1u, rests)]);
    let around = squares_around(own.xy);
    var push = vec2<i32>();
    var overlaps = false;
    var worst = 0;
    for (var row = around.z; row <= around.w; row++) {
        let slots = slots_of(row, around);
        for (var other = slots.x; other < slots.y; other++) {
            let near = near_of(own, own_number, other);
            if near.is_heeded {
                worst = max(worst, danger(near, velocity));
                if near.apart < 2 * params.radius {
                    overlaps = true;
                    push -= along(near.off, (2 * params.radius - near.apart) / 4 + 1);
                }
            }
        }
    }
    if worst > 0 {
        velocity = least_dangerous(own, own_number, wish, base, around);
    }
    let most = vec2<i32>(params.speed / 2);
    work[chosen] = packed(velocity);
    work[chosen + 1u] = packed(clamp(push, -most, most));
    work[slot] = select(0u, 1u, overlaps);
}
