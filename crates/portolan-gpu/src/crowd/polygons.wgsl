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
            let sides = signs(
                vec4<i32>(edge.z - edge.x, line.x, line.x, 0),
                vec4<i32>(end.y - edge.y, edge.y - begin.y, edge.w - begin.y, 0),
                vec4<i32>(edge.w - edge.y, line.y, line.y, 0),
                vec4<i32>(end.x - edge.x, edge.x - begin.x, edge.z - begin.x, 0),
            );
            if sides.x >= 0 {
                continue;
            }
            is_inside = false;
            if next == WALL && sides.y <= 0 && sides.z >= 0 {
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
