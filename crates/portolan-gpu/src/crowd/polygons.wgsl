// Polygons as ground, as in `crates/portolan-sim/src/crowd/flat/polygons.rs`.

const MOST_CROSSED = 128u;
const WALL = -1;
const SIDE = 4096;
const INWARD = 2;

fn walk(begin: vec3<i32>, end: vec2<i32>) -> Walked {
    let line = end - begin.xy;
    var polygon = begin.z;
    for (var crossed = 0u; crossed < MOST_CROSSED; crossed++) {
        var is_inside = true;
        var next = WALL;
        var wall = NO_WALL;
        let last = u32(word(u32(polygon) + 1u));
        for (var number = u32(word(u32(polygon))); number < last; number++) {
            let edge = ground[params.edges + number];
            // On which sides of the edge the end lies, and of the line the ends of the edge.
            if !is_below(edge.z - edge.x, end.y - edge.y, edge.w - edge.y, end.x - edge.x) {
                continue;
            }
            is_inside = false;
            let is_right_of_first = is_below(line.y, edge.x - begin.x, line.x, edge.y - begin.y);
            let is_left_of_second = is_below(line.x, edge.w - begin.y, line.y, edge.z - begin.x);
            if next == WALL && !is_right_of_first && !is_left_of_second {
                next = word(4u * params.beyond + number);
                wall = number;
            }
        }
        if is_inside {
            return Walked(vec3<i32>(end, polygon), true, NO_WALL);
        }
        if next == WALL {
            return Walked(begin, false, wall);
        }
        polygon = next;
    }
    return Walked(begin, false, NO_WALL);
}

fn height_of(place: vec3<i32>) -> i32 {
    let plane = ground[params.planes + u32(place.z)];
    let slopes = unpacked(u32(plane.w));
    return plane.z + ((place.x - plane.x) >> 10u) * slopes.x + ((place.y - plane.y) >> 10u) * slopes.y;
}

fn slide(begin: vec3<i32>, step: vec2<i32>) -> vec3<i32> {
    let whole = walk(begin, moved_by(begin.xy, step));
    if whole.is_there {
        return whole.place;
    }
    if whole.wall == NO_WALL {
        return begin;
    }
    let edge = ground[params.edges + whole.wall];
    let side = along(edge.zw - edge.xy, SIDE);
    let share = product_sum(step, side) / SIDE;
    let beside = side * share / SIDE;
    let inward = along(vec2<i32>(-side.y, side.x), INWARD);
    let first = walk(begin, moved_by(begin.xy, beside));
    if first.is_there {
        return first.place;
    }
    let second = walk(begin, moved_by(begin.xy, beside + inward));
    if second.is_there {
        return second.place;
    }
    return begin;
}

fn keep_off(place: vec3<i32>, radius: i32, most: i32) -> vec3<i32> {
    return place;
}
