// advance: an agent moves, keeps its target in sight, and notes how it comes along, as in
// `crates/portolan-sim/src/crowd/flat/advance.rs`.

const UNIT = 4096;

// Whether a straight walk leads to a point of a route, and not to a floor above or below.
fn sees_point(begin: vec3<i32>, wanted: vec3<i32>) -> Walked {
    var walked = walk(begin, wanted.xy);
    if walked.is_there {
        walked.is_there = abs((height_of(walked.place) >> params.shift) - wanted.z) < params.floor;
    }
    return walked;
}

fn straight(begin: vec3<i32>, wanted: vec3<i32>, most: i32) -> vec3<i32> {
    let off = wanted.xy - begin.xy;
    if far_length(off) <= (most << params.shift) {
        let walked = sees_point(begin, wanted);
        return select(begin, walked.place, walked.is_there);
    }
    let step = along(off, most);
    for (var part = 0u; part < 4u; part++) {
        let more = sign(off) * vec2<i32>(i32(part & 1u), i32(part >> 1u));
        let walked = walk(begin, moved_by(begin.xy, step + more));
        if walked.is_there && sees_point(walked.place, wanted).is_there {
            return walked.place;
        }
    }
    return begin;
}

fn beside(begin: vec3<i32>, wanted: vec3<i32>, velocity: vec2<i32>, push: vec2<i32>) -> vec3<i32> {
    let slid = slide(begin, velocity + push);
    let kept = keep_off(slid, params.body, params.speed << params.shift);
    if sees_point(kept, wanted).is_there {
        return kept;
    }
    let nearer = product_sum(velocity, along(wanted.xy - begin.xy, UNIT)) / UNIT;
    if nearer > 0 {
        return straight(begin, wanted, min(nearer, params.speed));
    }
    return begin;
}

fn is_wide(begin: vec3<i32>, end: vec2<i32>) -> bool {
    let radius = params.body * params.slim / 16;
    if radius == 0 {
        return true;
    }
    let way = along(end - begin.xy, radius);
    for (var number = 0u; number < 2u; number++) {
        let aside = select(vec2<i32>(way.y, -way.x), vec2<i32>(-way.y, way.x), number == 0u);
        let first = walk(begin, begin.xy + aside);
        if !first.is_there || !walk(first.place, end + aside).is_there {
            return false;
        }
    }
    return true;
}

fn clock_of(state: u32, still: u32, squeeze_left: u32) -> u32 {
    return state | (squeeze_left << 2u) | (min(still, 0xfffffu) << 12u);
}

// Goes on to the next point of the route, if there is one and the agent can go straight there.
fn go_on(number: u32, place: vec3<i32>, given: vec4<u32>) -> vec4<u32> {
    var course = given;
    let far = far_length(point(course.x).xy - place.xy);
    if course.x + 1u == course.y {
        if far <= params.arrival {
            course.w = clock_of(ARRIVED, 0u, 0u);
        }
        return course;
    }
    let is_near = far <= params.near;
    if !is_near && (params.tick + number) % params.looks != 0u {
        return course;
    }
    let next = point(course.x + 1u);
    if sees_point(place, next).is_there && (is_near || is_wide(place, next.xy)) {
        course.x += 1u;
        course.z = u32(UNKNOWN);
    }
    return course;
}

// Notes whether an agent has come further, and whether it begins or ends to squeeze.
fn judged(number: u32, place: vec3<i32>, given: vec4<u32>, overlaps: bool) -> vec4<u32> {
    var course = given;
    let far = far_length(point(course.x).xy - place.xy) >> params.shift;
    let best = i32(course.z);
    var still = (course.w >> 12u) + 1u;
    if best == UNKNOWN || far + params.stride <= best {
        course.z = u32(far);
        still = 0u;
    }
    let stagger = (number * 0x9e3779b1u) >> 16u;
    let squeeze_left = (course.w >> 2u) & 0x3ffu;
    var state = state_of(course.w);
    var left = 0u;
    if state == WALKING && still >= params.patience + stagger % params.stagger {
        state = SQUEEZING;
        left = params.squeeze;
    } else if state == SQUEEZING {
        if squeeze_left == 0u && !overlaps {
            state = WALKING;
        } else {
            left = max(squeeze_left, 1u) - 1u;
        }
    }
    course.w = clock_of(state, still, left);
    return course;
}

@compute @workgroup_size(LANES)
fn advance(@builtin(global_invocation_id) id: vec3<u32>, @builtin(num_workgroups) groups: vec3<u32>) {
    let slot = thread_of(id, groups);
    if slot >= params.agents {
        return;
    }
    let number = work[number_begin() + slot] & NUMBER;
    let body = bodies[number];
    var course = walks[number];
    var place = body.xyz;
    let state = state_of(course.w);
    if state != NO_WAY {
        let wanted = point(course.x);
        if state == SQUEEZING {
            place = straight(body.xyz, wanted, params.speed);
        } else {
            let chosen = choice_begin() + 2u * slot;
            place = beside(body.xyz, wanted, unpacked(work[chosen]), unpacked(work[chosen + 1u]));
        }
        let most = vec2<i32>(params.speed);
        let moved = clamp((place.xy - body.xy) >> vec2<u32>(params.shift), -most, most);
        bodies[number] = vec4<i32>(place, i32(packed(moved)));
        if state != ARRIVED {
            course = go_on(number, place, course);
            if state_of(course.w) != ARRIVED {
                course = judged(number, place, course, work[slot] != 0u);
            }
            walks[number] = course;
        }
    }
    let begin = place_begin() + params.place_words * number;
    work[begin] = u32(place.x);
    work[begin + 1u] = u32(place.y);
    if params.place_words == 3u {
        work[begin + 2u] = u32(place.z);
    }
}
